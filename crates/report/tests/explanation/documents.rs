//! Explanations as JSON.

use crate::{head_of, samples};
use logic::Truth;
use logic::evidence::{
    Justification, ShownMember, ShownNode, ShownState, ShownStep, ShownSuccessor, UnfoldedEvidence,
};
use report::explanation::json;
use serde_json::Value;

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

fn list<T>(value: &Value, item: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().expect("a list").iter().map(item).collect()
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|number| number.try_into().ok()).expect("a number")
}

fn truth(value: &Value) -> Truth {
    let known = Truth::ALL.into_iter().find(|truth| truth.to_string() == text(value));
    known.expect("a truth value")
}

fn some<T>(value: &Value, item: impl Fn(&Value) -> T) -> Option<T> {
    (!value.is_null()).then(|| item(value))
}

fn why(value: &Value) -> Justification {
    match value.as_str() {
        Some("itself") => Justification::Itself,
        Some("one") => Justification::One,
        Some("all") => Justification::All,
        Some("unfolding") => Justification::Unfolding,
        Some("unknown") => Justification::Missing,
        Some("unexplored") => Justification::Cut,
        _ => panic!("no reason: {value}"),
    }
}

fn member(value: &Value) -> ShownMember {
    ShownMember {
        name: text(&value["name"]),
        true_props: list(&value["true"], text),
        unknown_props: list(&value["unknown"], text),
        values: Vec::new(),
    }
}

fn successor(value: &Value) -> ShownSuccessor {
    let step = |step: &Value| ShownStep {
        action: some(&step["action"], text),
        is_must: step["must"].as_bool().expect("yes or no"),
        is_hyper: step["hyper"].as_bool().expect("yes or no"),
        inputs: Vec::new(),
    };
    ShownSuccessor { node: number(&value["node"]), step: some(&value["transition"], step) }
}

fn node(value: &Value) -> ShownNode {
    ShownNode {
        state: number(&value["state"]),
        subformula: text(&value["subformula"]),
        value: truth(&value["value"]),
        why: why(&value["why"]),
        successors: list(&value["successors"], successor),
        ..ShownNode::new(0, String::new(), None, Truth::Unknown)
    }
}

/// All but the reason, of which the document has the sentence, and what modalities ask about, which their
/// subformulas say.
fn read(document: &Value) -> UnfoldedEvidence {
    let state = |state: &Value| ShownState {
        members: list(&state["members"], |value| some(value, member)),
        next: None,
    };
    UnfoldedEvidence {
        states: list(&document["states"], state),
        nodes: list(&document["nodes"], node),
        roots: list(&document["roots"], number),
        cut: document["unexplored"].as_u64().expect("a number"),
        ..UnfoldedEvidence::bare(truth(&document["verdict"]), list(&document["components"], text))
    }
}

#[test]
fn a_document_has_all_of_the_explanation() {
    let all = [
        samples::path(),
        samples::branching(),
        samples::actions(),
        samples::unknown(),
        samples::cut(),
        samples::weird(),
        samples::hyper(),
        samples::alternating(),
    ];
    for mut explanation in all {
        explanation.nodes.iter_mut().for_each(|node| node.asked = None);
        let head = head_of("safe", &explanation);
        let line = json(&head, &explanation);
        assert_eq!(line.lines().count(), 1);
        let document: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(document["tool"], "tertium");
        assert_eq!(document["property"], "safe");
        assert_eq!(document["reason"].is_string(), head.reason.is_some());
        assert_eq!(format!("{:?}", read(&document)), format!("{explanation:?}"));
    }
}

#[test]
fn a_path_has_a_trace_and_a_tree_has_none() {
    let trace = samples::path().trace().expect("a path");
    let texts: Vec<String> = trace.to_string().lines().map(str::to_owned).collect();
    assert_eq!(texts, ["0: M1 = s0, M2 = t0", "1: M1 = s1, M2 = t1", "2: M1 = s2, M2 = t1"]);
    let lasso = samples::lasso(4, 1).trace().expect("a lasso");
    assert_eq!((lasso.states.len(), lasso.steps.len(), lasso.loop_start), (4, 4, Some(1)));
    let actions = samples::actions().trace().expect("a path");
    let names: Vec<&str> = actions.steps.iter().filter_map(|s| s.action.as_deref()).collect();
    assert_eq!(names, ["send", "drop", "tau"]);
    assert_eq!(samples::branching().trace(), None);
}
