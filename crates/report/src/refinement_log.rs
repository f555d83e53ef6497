//! The log of `--log-refinement`: the rounds of each refinement.

use crate::answer::AnswerReport;
use crate::json;
use crate::predicates::PredicateRound;
use crate::sentence;
use explicit::{Change, Round};
use serde_json::{Value, json};

/// A round of either kind of refinement.
#[derive(Clone, Debug)]
pub enum TracedRound {
    Refined(Box<Round>),
    /// For programs over integers.
    Found(Box<PredicateRound>),
}

/// One object, with the rounds of each property; these stand in the order of the answers.
pub fn refinement_document(
    version: &str,
    files: &[String],
    answers: &[AnswerReport],
    rounds: &[Vec<TracedRound>],
) -> Value {
    let of_property = |(answer, rounds): (&AnswerReport, &Vec<TracedRound>)| {
        let mut property = json::head(answer);
        property["reason"] = answer.outcome.reason.as_ref().map(sentence::reason).into();
        let round = |round: &TracedRound| match round {
            TracedRound::Refined(round) => refined(round),
            TracedRound::Found(round) => json!(round),
        };
        property["rounds"] = rounds.iter().map(round).collect();
        property
    };
    let mut document = json::document(version, files);
    document["results"] = answers.iter().zip(rounds).map(of_property).collect();
    document
}

/// A round of a refinement. The case is that of G Lemma 2.
pub(crate) fn refined(round: &Round) -> Value {
    let Round { number, cause, change, sizes, coloured, unknown } = round;
    let cause = json!({
        "case": cause.case.number(),
        "state": cause.state,
        "subformula": cause.subformula,
    });
    json!({
        "round": number,
        "cause": cause,
        "change": done(change),
        "abstract_states": sizes.iter().map(json::extent).collect::<Value>(),
        "coloured_nodes": coloured,
        "unknown_nodes": unknown,
    })
}

fn done(change: &Change) -> Value {
    match change {
        Change::Label { component, state, prop, value } => {
            let value = value.to_string();
            json!({ "kind": "label", "component": component, "state": state, "proposition": prop, "value": value })
        }
        Change::Transitions { component, state, removed, must } => {
            json!({ "kind": "transitions", "component": component, "state": state, "removed": removed, "must": must })
        }
        Change::Split { component, state, by, parts } => {
            json!({ "kind": "split", "component": component, "state": state, "by": by, "parts": parts })
        }
        Change::Hyper { component, state, targets } => {
            json!({ "kind": "hyper_transition", "component": component, "state": state, "targets": targets })
        }
        Change::Colour { state, value } => {
            json!({ "kind": "colour", "state": state, "value": value.to_string() })
        }
        Change::Included { component } => {
            json!({ "kind": "component_added", "component": component })
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
        let objects: String = changes.iter().map(|change| to_json(&done(change))).collect();
        let expected = r#"{"kind":"label","component":"M","state":"s","proposition":"p","value":"false"}
{"kind":"transitions","component":"M","state":"s","removed":1,"must":2}
{"kind":"split","component":"M","state":"s","by":"the value of p","parts":2}
{"kind":"hyper_transition","component":"M","state":"s","targets":["t","u"]}
{"kind":"colour","state":["s"],"value":"true"}
{"kind":"component_added","component":"M"}
"#;
        assert_eq!(objects, expected);
    }
}
