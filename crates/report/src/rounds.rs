//! The rounds of a refinement, a line each, for people.

use crate::style::shorten;
use crate::visible::visible;
use explicit::{AbstractSize, Change, FailureCase, FailureCause, Round};

/// `round 2, M2: why; what was done; how far each component is refined; what it took`
pub fn round_line(round: &Round) -> String {
    let Round { number, cause, change, sizes, coloured, unknown } = round;
    let (cause, done) = (why(cause), what(change));
    let place = component(change).map_or(String::new(), |name| format!(", {name}"));
    let line = format!(
        "round {number}{place}: {cause}; {done}; {}; {coloured} coloured, {unknown} unknown",
        extent(sizes)
    );
    visible(&line).into_owned() + "\n"
}

fn component(change: &Change) -> Option<&str> {
    match change {
        Change::Label { component, .. }
        | Change::Transitions { component, .. }
        | Change::Split { component, .. }
        | Change::Hyper { component, .. }
        | Change::Included { component } => Some(component),
        Change::Colour { .. } => None,
    }
}

/// The three cases of G Lemma 2.
fn why(cause: &FailureCause) -> String {
    let (subformula, state) = (shorten(&cause.subformula), cause.state.join(","));
    match cause.case {
        FailureCase::Literal => format!("`{subformula}` is undetermined in {state}"),
        FailureCase::DecidingSuccessor => {
            format!("a may transition would decide `{subformula}` in {state}")
        }
        FailureCase::UnknownSuccessor => {
            format!("a may transition leaves `{subformula}` undetermined in {state}")
        }
    }
}

fn what(change: &Change) -> String {
    match change {
        Change::Label { state, prop, value, .. } => format!("`{prop}` is {value} in {state}"),
        Change::Transitions { state, removed, must, .. } => {
            format!("of the transitions of {state}, {}", found(*removed, *must))
        }
        Change::Split { state, by, parts, .. } => format!("{state} is split into {parts} by {by}"),
        Change::Hyper { state, targets, .. } => {
            format!(
                "every state of {state} has a must hyper-transition to {}",
                targets.join(" or ")
            )
        }
        Change::Colour { state, value } => {
            format!("a transition exists from every concrete state: {value} in {}", state.join(","))
        }
        Change::Included { component } => format!("{component} is added"),
    }
}

/// Counts the transitions that were excluded or shown to be must transitions.
fn found(removed: u64, must: u64) -> String {
    let phrase = |count, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    };
    let gone = phrase(removed, "does not exist", "do not exist");
    let sure = phrase(must, "must exist", "must exist");
    let found: Vec<String> = [gone, sure].into_iter().flatten().collect();
    if found.is_empty() { "none is excluded".to_owned() } else { found.join(" and ") }
}

/// `M1 2/3, M2 2/3`: abstract states of concrete ones; only the sum if there are many.
pub(crate) fn extent(sizes: &[AbstractSize]) -> String {
    const SHOWN: usize = 6;
    if sizes.len() <= SHOWN {
        let one = |size: &AbstractSize| {
            let (own, all) = (size.abstract_states, size.concrete_states);
            format!("{} {}", size.component, of(own, all))
        };
        return sizes.iter().map(one).collect::<Vec<_>>().join(", ");
    }
    let own = sizes.iter().map(|size| size.abstract_states).sum();
    let all = sizes.iter().map(|size| size.concrete_states).sum();
    format!("{} in {} components", of(own, all), sizes.len())
}

fn of(own: u64, all: Option<u64>) -> String {
    all.map_or_else(|| format!("{own}/many"), |all| format!("{own}/{all}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Truth;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn size(component: &str, abstract_states: u64, concrete_states: Option<u64>) -> AbstractSize {
        AbstractSize { component: component.to_owned(), abstract_states, concrete_states }
    }

    fn round(case: FailureCase, change: Change) -> Round {
        Round {
            number: 2,
            cause: FailureCause {
                state: names(&["s1", "{t1, t2}"]),
                subformula: "<> o".to_owned(),
                case,
            },
            change,
            sizes: vec![size("M1", 3, Some(3)), size("M2", 2, None)],
            coloured: 9,
            unknown: 4,
        }
    }

    /// The part of the line that says what was refined.
    fn done(change: Change) -> String {
        let line = round_line(&round(FailureCase::DecidingSuccessor, change));
        line.split("; ").nth(1).expect("four parts").to_owned()
    }

    #[test]
    fn a_round_is_a_line() {
        let (component, state) = ("M2".to_owned(), "{t1, t2}".to_owned());
        let change = Change::Transitions { component, state, removed: 1, must: 2 };
        assert_eq!(
            round_line(&round(FailureCase::DecidingSuccessor, change)),
            "round 2, M2: a may transition would decide `<> o` in s1,{t1, t2}; \
             of the transitions of {t1, t2}, 1 does not exist and 2 must exist; \
             M1 3/3, M2 2/many; 9 coloured, 4 unknown\n"
        );
    }

    #[test]
    fn every_cause_has_its_words() {
        let reported = |case| {
            let change = Change::Included { component: "M3".to_owned() };
            let line = round_line(&round(case, change));
            line.split("; ").next().expect("a cause").to_owned()
        };
        assert_eq!(
            reported(FailureCase::Literal),
            "round 2, M3: `<> o` is undetermined in s1,{t1, t2}"
        );
        assert_eq!(
            reported(FailureCase::UnknownSuccessor),
            "round 2, M3: a may transition leaves `<> o` undetermined in s1,{t1, t2}"
        );
    }

    #[test]
    fn every_change_has_its_words() {
        let (component, state) = ("M2".to_owned(), "t".to_owned());
        let label = Change::Label {
            component: component.clone(),
            state: state.clone(),
            prop: "i".to_owned(),
            value: Truth::False,
        };
        assert_eq!(done(label), "`i` is false in t");
        let split = Change::Split {
            component: component.clone(),
            state: state.clone(),
            by: "the value of i".to_owned(),
            parts: 2,
        };
        assert_eq!(done(split), "t is split into 2 by the value of i");
        let targets = names(&["u", "v"]);
        let hyper = Change::Hyper { component: component.clone(), state: state.clone(), targets };
        assert_eq!(done(hyper), "every state of t has a must hyper-transition to u or v");
        let colour = Change::Colour { state: names(&["s", "t"]), value: Truth::True };
        assert_eq!(done(colour), "a transition exists from every concrete state: true in s,t");
        assert_eq!(done(Change::Included { component: component.clone() }), "M2 is added");
        let look = |removed, must| {
            let (component, state) = (component.clone(), state.clone());
            done(Change::Transitions { component, state, removed, must })
        };
        assert_eq!(look(0, 1), "of the transitions of t, 1 must exist");
        assert_eq!(look(3, 0), "of the transitions of t, 3 do not exist");
        assert_eq!(look(0, 0), "of the transitions of t, none is excluded");
    }

    #[test]
    fn many_components_are_summed_up() {
        let sizes: Vec<AbstractSize> = (0..7).map(|_| size("C", 2, Some(10))).collect();
        assert_eq!(extent(&sizes), "14/70 in 7 components");
        assert_eq!(extent(&[size("C", 2, None)]), "C 2/many");
    }

    #[test]
    fn a_name_cannot_colour_the_terminal() {
        let change = Change::Included { component: "\u{1b}[31mred".to_owned() };
        assert!(!round_line(&round(FailureCase::Literal, change)).contains('\u{1b}'));
    }
}
