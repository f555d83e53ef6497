//! The rounds of a search for predicates.

use crate::visible::visible;
use serde::Serialize;

/// A round of predicate abstraction refinement.
#[derive(Clone, Debug, Serialize)]
pub struct PredicateRound {
    pub round: u32,
    /// States of the abstract model, and the queries to the solver so far.
    pub abstract_states: usize,
    pub queries: u64,
    pub verdict: String,
    pub new_predicates: Vec<FoundPredicates>,
    /// Ranking functions on cycles.
    pub ranking_functions: Vec<String>,
    /// Locations, as text, that are merged into one block.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merged_locations: Vec<String>,
}

/// Predicates that a round has added at a location.
#[derive(Clone, Debug, Serialize)]
pub struct FoundPredicates {
    /// In the file: of what comes next in each process; none where a run-time error has occurred.
    pub at: Vec<TextPosition>,
    /// The location as text.
    pub location: String,
    pub predicates: Vec<String>,
    pub reason: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TextPosition {
    pub line: usize,
    pub column: usize,
}

impl PredicateRound {
    /// A line, and one for each location.
    pub fn to_text(&self) -> String {
        let Self {
            round,
            abstract_states,
            queries,
            verdict,
            new_predicates,
            ranking_functions,
            merged_locations,
        } = self;
        let mut text =
            format!("round {round}: {abstract_states} abstract states, {queries} queries");
        if !ranking_functions.is_empty() {
            text += &format!("; ranking functions: {}", quoted(ranking_functions));
        }
        if new_predicates.is_empty() {
            text += &format!(": {verdict}");
        }
        text.push('\n');
        for FoundPredicates { location, predicates, reason, .. } in new_predicates {
            text += &format!("  {location}: {}, because {reason}\n", quoted(predicates));
        }
        if !merged_locations.is_empty() {
            text += &format!("  merged into one block: {}\n", merged_locations.join(", "));
        }
        visible(&text).into_owned()
    }
}

fn quoted(all: &[String]) -> String {
    all.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_reported_by_location() {
        let found = FoundPredicates {
            at: vec![TextPosition { line: 4, column: 3 }],
            location: "line 4".to_owned(),
            predicates: vec!["x > 0".to_owned(), "x > \u{1b}".to_owned()],
            reason: "the property mentions it".to_owned(),
        };
        let ranking_functions = vec!["x".to_owned()];
        let verdict = "unknown".to_owned();
        let round = PredicateRound {
            round: 2,
            abstract_states: 5,
            queries: 31,
            verdict,
            new_predicates: vec![found],
            ranking_functions,
            merged_locations: vec!["line 4".to_owned(), "line 5".to_owned()],
        };
        assert_eq!(
            round.to_text(),
            "round 2: 5 abstract states, 31 queries; ranking functions: `x`\n  \
             line 4: `x > 0`, `x > \u{241b}`, because the property mentions it\n  \
             merged into one block: line 4, line 5\n"
        );
    }
}
