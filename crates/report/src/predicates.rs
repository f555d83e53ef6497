//! The rounds of a search for predicates.

use crate::visible::visible;
use serde::Serialize;

/// A round of predicate abstraction refinement.
#[derive(Clone, Debug, Serialize)]
pub struct PredicateRound {
    pub round: u32,
    /// Of the abstraction, and the queries to the solver so far.
    #[serde(rename = "abstract_states")]
    pub states: usize,
    pub queries: u64,
    pub verdict: String,
    #[serde(rename = "new_predicates")]
    pub found: Vec<FoundPredicates>,
    /// Ranking functions on cycles.
    #[serde(rename = "ranking_functions")]
    pub measures: Vec<String>,
    /// Places, in words, that are merged into one block.
    #[serde(rename = "merged_locations", skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<String>,
}

/// Predicates that are known at a place from now on.
#[derive(Clone, Debug, Serialize)]
pub struct FoundPredicates {
    /// In the file: of what comes next in each process; none where a run-time error has occurred.
    pub at: Vec<TextPosition>,
    /// The location as text.
    #[serde(rename = "location")]
    pub place: String,
    pub predicates: Vec<String>,
    #[serde(rename = "reason")]
    pub because: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TextPosition {
    pub line: usize,
    pub column: usize,
}

impl PredicateRound {
    /// A line, and one for each place.
    pub fn to_text(&self) -> String {
        let Self { round, states, queries, verdict, found, measures, together } = self;
        let mut text = format!("round {round}: {states} abstract states, {queries} queries");
        if !measures.is_empty() {
            text += &format!("; ranking functions: {}", quoted(measures));
        }
        if found.is_empty() {
            text += &format!(": {verdict}");
        }
        text.push('\n');
        for FoundPredicates { place, predicates, because, .. } in found {
            text += &format!("  {place}: {}, because {because}\n", quoted(predicates));
        }
        if !together.is_empty() {
            text += &format!("  merged into one block: {}\n", together.join(", "));
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
            place: "line 4".to_owned(),
            predicates: vec!["x > 0".to_owned(), "x > \u{1b}".to_owned()],
            because: "the property mentions it".to_owned(),
        };
        let measures = vec!["x".to_owned()];
        let verdict = "unknown".to_owned();
        let round = PredicateRound {
            round: 2,
            states: 5,
            queries: 31,
            verdict,
            found: vec![found],
            measures,
            together: vec!["line 4".to_owned(), "line 5".to_owned()],
        };
        assert_eq!(
            round.to_text(),
            "round 2: 5 abstract states, 31 queries; ranking functions: `x`\n  \
             line 4: `x > 0`, `x > \u{241b}`, because the property mentions it\n  \
             merged into one block: line 4, line 5\n"
        );
    }
}
