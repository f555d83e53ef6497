//! What `--trace` writes: the story of each refinement, round by round.

use crate::answer::Answer;
use crate::json::{Extent, Head, TOOL, Value};
use crate::predicates::PredicateRound;
use crate::sentence;
use explicit::{Change, Round};
use serde::Serialize;

/// A round of either kind of refinement.
#[derive(Clone, Debug)]
pub enum TracedRound {
    Refined(Box<Round>),
    /// For programs over integers.
    Found(Box<PredicateRound>),
}

/// One object; a story for each property.
#[derive(Serialize)]
pub struct TraceDocument<'a> {
    tool: &'static str,
    version: &'a str,
    files: &'a [String],
    properties: Vec<Story<'a>>,
}

impl<'a> TraceDocument<'a> {
    /// The rounds stand in the order of the answers.
    pub fn new(
        version: &'a str,
        files: &'a [String],
        answers: &'a [Answer],
        rounds: &'a [Vec<TracedRound>],
    ) -> Self {
        let properties = answers.iter().zip(rounds);
        let properties = properties.map(|(answer, rounds)| Story::new(answer, rounds)).collect();
        Self { tool: TOOL, version, files, properties }
    }
}

#[derive(Serialize)]
struct Story<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    reason: Option<String>,
    rounds: Vec<Either<'a>>,
}

impl<'a> Story<'a> {
    fn new(answer: &'a Answer, rounds: &'a [TracedRound]) -> Self {
        Self {
            head: Head::new(answer),
            reason: answer.outcome.reason.as_ref().map(sentence::reason),
            rounds: rounds.iter().map(Either::new).collect(),
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Either<'a> {
    Refined(Told<'a>),
    Found(&'a PredicateRound),
}

impl<'a> Either<'a> {
    fn new(round: &'a TracedRound) -> Self {
        match round {
            TracedRound::Refined(round) => Either::Refined(Told::new(round)),
            TracedRound::Found(round) => Either::Found(round),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Told<'a> {
    round: u64,
    cause: Cause<'a>,
    change: Done<'a>,
    abstract_states: Vec<Extent<'a>>,
    coloured_nodes: u64,
    unknown_nodes: u64,
}

impl<'a> Told<'a> {
    pub(crate) fn new(round: &'a Round) -> Self {
        let Round { number, cause, change, sizes, coloured, unknown } = round;
        Self {
            round: *number,
            cause: Cause {
                case: cause.case.number(),
                state: &cause.state,
                subformula: &cause.subformula,
            },
            change: Done::new(change),
            abstract_states: sizes.iter().map(Extent::new).collect(),
            coloured_nodes: *coloured,
            unknown_nodes: *unknown,
        }
    }
}

/// The case is that of G Lemma 2.
#[derive(Serialize)]
struct Cause<'a> {
    case: u8,
    state: &'a [String],
    subformula: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Done<'a> {
    Label { component: &'a str, state: &'a str, prop: &'a str, value: Value },
    Transitions { component: &'a str, state: &'a str, removed: u64, must: u64 },
    Split { component: &'a str, state: &'a str, by: &'a str, parts: u64 },
    Hyper { component: &'a str, state: &'a str, targets: &'a [String] },
    Colour { state: &'a [String], value: Value },
    Included { component: &'a str },
}

impl<'a> Done<'a> {
    fn new(change: &'a Change) -> Self {
        match change {
            Change::Label { component, state, prop, value } => {
                Done::Label { component, state, prop, value: Value(*value) }
            }
            Change::Transitions { component, state, removed, must } => {
                Done::Transitions { component, state, removed: *removed, must: *must }
            }
            Change::Split { component, state, by, parts } => {
                Done::Split { component, state, by, parts: *parts }
            }
            Change::Hyper { component, state, targets } => {
                Done::Hyper { component, state, targets }
            }
            Change::Colour { state, value } => Done::Colour { state, value: Value(*value) },
            Change::Included { component } => Done::Included { component },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_json;
    use logic::Truth;

    /// One of each kind, as scripts see it.
    #[test]
    fn every_change_is_an_object() {
        let name = |text: &str| text.to_owned();
        let (component, state) = (name("M"), name("s"));
        let changes = [
            Change::Label {
                component: component.clone(),
                state: state.clone(),
                prop: name("p"),
                value: Truth::False,
            },
            Change::Transitions {
                component: component.clone(),
                state: state.clone(),
                removed: 1,
                must: 2,
            },
            Change::Split {
                component: component.clone(),
                state: state.clone(),
                by: name("the value of p"),
                parts: 2,
            },
            Change::Hyper {
                component: component.clone(),
                state: state.clone(),
                targets: vec![name("t"), name("u")],
            },
            Change::Colour { state: vec![state], value: Truth::True },
            Change::Included { component },
        ];
        let objects: String = changes.iter().map(|change| to_json(&Done::new(change))).collect();
        let expected = r#"{"kind":"label","component":"M","state":"s","prop":"p","value":"false"}
{"kind":"transitions","component":"M","state":"s","removed":1,"must":2}
{"kind":"split","component":"M","state":"s","by":"the value of p","parts":2}
{"kind":"hyper","component":"M","state":"s","targets":["t","u"]}
{"kind":"colour","state":["s"],"value":"true"}
{"kind":"included","component":"M"}
"#;
        assert_eq!(objects, expected);
    }
}
