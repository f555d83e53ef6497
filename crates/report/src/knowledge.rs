//! Definite values that a refinement had found when a limit ended it, as text.

use crate::style::shorten;
use explicit::DecidedStates;

/// A line for each subformula and value; if there are more than `most` lines, the last one counts the rest.
pub(crate) fn lines(known: &[DecidedStates], most: usize) -> Vec<String> {
    if known.len() <= most {
        return known.iter().map(line).collect();
    }
    let shown = most.saturating_sub(1);
    let mut lines: Vec<String> = known.iter().take(shown).map(line).collect();
    lines.push(format!("known: {} more (-v shows them)", known.len() - shown));
    lines
}

fn line(knowledge: &DecidedStates) -> String {
    let DecidedStates { subformula, components, value, .. } = knowledge;
    let (subformula, components) = (shorten(subformula), components.join(" || "));
    format!("known: `{subformula}` is {value} in {} of {components}", places(knowledge))
}

/// `s0`, `s0 and s1`, `s0, s1 and 7 more`
fn places(knowledge: &DecidedStates) -> String {
    const SHOWN: usize = 3;
    let names = &knowledge.states[..knowledge.states.len().min(SHOWN)];
    let rest = knowledge.count.saturating_sub(names.len() as u64);
    match names {
        [] => format!("{rest} states"),
        [.., last] if rest == 0 => match &names[..names.len() - 1] {
            [] => last.clone(),
            before => format!("{} and {last}", before.join("; ")),
        },
        _ => format!("{} and {rest} more", names.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Truth;

    fn known(subformula: &str, count: u64, states: &[&str]) -> DecidedStates {
        DecidedStates {
            subformula: subformula.to_owned(),
            components: vec!["A".to_owned(), "B".to_owned()],
            value: Truth::False,
            count,
            states: states.iter().map(|&state| state.to_owned()).collect(),
        }
    }

    #[test]
    fn a_few_states_are_named() {
        let reported = |count, states: &[&str]| lines(&[known("<> p", count, states)], 6).concat();
        assert_eq!(reported(1, &["s,t"]), "known: `<> p` is false in s,t of A || B");
        assert_eq!(reported(2, &["s,t", "s,u"]), "known: `<> p` is false in s,t and s,u of A || B");
        assert_eq!(
            reported(3, &["s,t", "s,u", "s,v"]),
            "known: `<> p` is false in s,t; s,u and s,v of A || B"
        );
        assert_eq!(
            reported(9, &["s,t", "s,u", "s,v", "s,w"]),
            "known: `<> p` is false in s,t; s,u; s,v and 6 more of A || B"
        );
        assert_eq!(reported(2, &[]), "known: `<> p` is false in 2 states of A || B");
    }

    #[test]
    fn the_rest_is_counted() {
        let all: Vec<DecidedStates> = ["p", "q", "r"].map(|f| known(f, 1, &["s,t"])).into();
        assert_eq!(lines(&all, 3).len(), 3);
        assert_eq!(lines(&all, usize::MAX).len(), 3);
        let cut = lines(&all, 2);
        assert_eq!(cut.len(), 2);
        assert_eq!(cut[1], "known: 2 more (-v shows them)");
        assert!(lines(&[], 6).is_empty());
    }
}
