//! Names of states that fit a line and stay different.

use super::words::place_name;
use super::wrap::cut;
use crate::visible::one_line;
use logic::evidence::{ShownState, UnfoldedEvidence};
use rustc_hash::FxHashMap;

/// By state: its name, in at most so many letters where numbers leave room for any. What does not fit is abbreviated
/// by repetitions, `idle×8`; what is still too long is cut, and has its number if others would look the same.
pub(crate) fn short_names(explanation: &UnfoldedEvidence, longest: usize) -> Vec<String> {
    let states = explanation.states.iter();
    let full: Vec<String> = states.map(|state| fitting(explanation, state, longest)).collect();
    let mut names: Vec<String> = full.iter().map(|name| cut(name, longest)).collect();
    let mut users: FxHashMap<&str, usize> = FxHashMap::default();
    names.iter().for_each(|name| *users.entry(name).or_default() += 1);
    let is_shared: Vec<bool> = names.iter().map(|name| users[name.as_str()] > 1).collect();
    for (state, name) in names.iter_mut().enumerate() {
        if is_shared[state] && *name != full[state] {
            let number = format!("#{state}");
            let room = longest.saturating_sub(number.len());
            *name = format!("{}{number}", cut(&full[state], room));
        }
    }
    names
}

/// The name, or if that is too long the same by runs.
fn fitting(explanation: &UnfoldedEvidence, state: &ShownState, longest: usize) -> String {
    let name = place_name(explanation, state);
    let members: Option<Vec<&str>> =
        state.members.iter().map(|member| member.as_ref().map(|m| m.name.as_str())).collect();
    match members {
        Some(members) if name.chars().count() > longest => runs(&members),
        _ => name,
    }
}

/// `hold,idle×8,wait`
fn runs(members: &[&str]) -> String {
    let run = |run: &[&str]| match run.len() {
        1 => one_line(run[0]).into_owned(),
        many => format!("{}×{many}", one_line(run[0])),
    };
    members.chunk_by(|a, b| a == b).map(run).collect::<Vec<String>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Truth;
    use logic::evidence::ShownMember;

    fn explanation(states: &[&[&str]]) -> UnfoldedEvidence {
        let member =
            |name: &&str| Some(ShownMember { name: (*name).to_owned(), ..ShownMember::default() });
        let state = |names: &&[&str]| ShownState {
            members: names.iter().map(member).collect(),
            next: None,
        };
        let components = states[0].iter().map(|_| "C".to_owned()).collect();
        let states = states.iter().map(state).collect();
        UnfoldedEvidence { states, ..UnfoldedEvidence::bare(Truth::True, components) }
    }

    #[test]
    fn what_fits_stays_and_runs_are_counted() {
        let states: &[&[&str]] = &[&["a", "b", "b"], &["idle", "idle", "work"]];
        assert_eq!(short_names(&explanation(states), 11), ["a,b,b", "idle×2,work"]);
    }

    #[test]
    fn names_that_are_cut_stay_different() {
        let states: &[&[&str]] = &[&["begin-one-end"], &["begin-two-end"], &["start-one-end"]];
        let names = short_names(&explanation(states), 7);
        assert_eq!(names, ["be…nd#0", "be…nd#1", "sta…end"]);
    }
}
