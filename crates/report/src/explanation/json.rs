//! An explanation as a document for programs: every position, nothing folded; of a run its states.

use super::ExplanationHead;
use super::invariant::invariant_json;
use super::run::{RunRow, run_rows};
use crate::json::{document, to_json};
use crate::sentence;
use crate::trace::trace_json;
use logic::evidence::{
    Assignments, Justification, ProofOutline, RunNotes, ShownMember, ShownNode, ShownState,
    ShownStep, ShownSuccessor, UnfoldedEvidence,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One line of JSON; the fields are described in the manual.
pub fn json(head: &ExplanationHead, explanation: &UnfoldedEvidence) -> String {
    let mut document = document(head.version, head.files);
    document["shape"] = json!(if explanation.run.is_some() { "trace" } else { "graph" });
    document["property"] = json!(head.property);
    document["logic"] = json!(head.logic);
    document["formula"] = json!(head.formula);
    document["verdict"] = json!(explanation.verdict.to_string());
    document["reason"] = head.reason.map(sentence::reason).into();
    document["trace"] = head.trace.map(trace_json).into();
    if let Some(proof) = &explanation.invariant {
        document["invariant"] = invariant_json(proof);
    }
    match &explanation.run {
        Some(notes) => add_run(&mut document, explanation, notes),
        None => add_graph(&mut document, head, explanation),
    }
    to_json(&document)
}

/// One line of JSON for several explanations, each in its own.
pub fn json_of_several(version: &str, files: &[String], explanations: &[String]) -> String {
    let mut whole = document(version, files);
    let head: Vec<String> =
        whole.as_object().into_iter().flatten().map(|(k, _)| k.clone()).collect();
    let result = |line: &String| {
        let mut result: Value = serde_json::from_str(line).unwrap_or_default();
        if let Some(object) = result.as_object_mut() {
            head.iter().for_each(|key| drop(object.shift_remove(key)));
        }
        result
    };
    whole["results"] = explanations.iter().map(result).collect();
    to_json(&whole)
}

fn add_graph(document: &mut Value, head: &ExplanationHead, explanation: &UnfoldedEvidence) {
    let UnfoldedEvidence { components, states, nodes, roots, cut, .. } = explanation;
    document["components"] = json!(components);
    document["states"] = states.iter().map(state).collect();
    document["nodes"] = nodes.iter().map(node).collect();
    document["roots"] = json!(roots);
    document["unexplored"] = json!(cut);
    let parts = head.parts.iter();
    let used = parts.filter(|part| nodes.iter().any(|node| node.subformula == part.subformula));
    document["subformulas"] = used.map(|part| json!(part)).collect();
}

fn state(state: &ShownState) -> Value {
    let member = |member: &ShownMember| {
        let ShownMember { name, true_props, unknown_props, .. } = member;
        json!({ "name": name, "true": true_props, "unknown": unknown_props })
    };
    let members = state.members.iter().map(|own| own.as_ref().map(member));
    json!({ "members": members.collect::<Vec<_>>() })
}

fn node(node: &ShownNode) -> Value {
    let step = |step: &ShownStep| json!({ "action": step.action, "must": step.is_must, "hyper": step.is_hyper });
    let successor =
        |to: &ShownSuccessor| json!({ "node": to.node, "transition": to.step.as_ref().map(step) });
    json!({
        "state": node.state,
        "subformula": node.subformula,
        "value": node.value.to_string(),
        "why": name_of(node.why),
        "successors": node.successors.iter().map(successor).collect::<Value>(),
    })
}

fn name_of(why: Justification) -> &'static str {
    match why {
        Justification::Itself => "itself",
        Justification::One => "one",
        Justification::All => "all",
        Justification::Unfolding => "unfolding",
        Justification::Missing => "unknown",
        Justification::Throughout => "throughout",
        Justification::Forever => "forever",
        Justification::Cut => "unexplored",
    }
}

/// Steps are numbered from 0.
fn add_run(document: &mut Value, explanation: &UnfoldedEvidence, notes: &RunNotes) {
    let values = |values: &Assignments| {
        json!(values.iter().map(|(name, value)| (name, value)).collect::<BTreeMap<_, _>>())
    };
    let step = |row: &RunRow| {
        let mut step = match &row.statement {
            Some((line, command)) => json!({ "line": line, "statement": command }),
            None => json!({ "inputs": values(row.inputs) }),
        };
        step["values"] = values(row.values);
        step["notes"] = json!(row.remarks);
        step
    };
    let (rows, back_to) = run_rows(explanation);
    document["steps"] = rows.iter().map(step).collect();
    document["loop_start"] = json!(back_to);
    document["complete"] = json!(explanation.cut == 0);
    if let Some(like) = &notes.recurrence {
        document["recurrence"] = json!({ "from": like.from, "where": like.wherever });
    }
    if notes.goes_on {
        document["continues"] = json!(true);
    }
    if let Some(proof) = &notes.proof {
        document["proof"] = proof_outline(proof);
    }
}

fn proof_outline(proof: &ProofOutline) -> Value {
    let invariants = proof.invariants.iter().map(|own| {
        json!({ "lines": own.lines, "location": own.location, "always": own.always, "cases": own.cases })
    });
    let rankings = proof.rankings.iter().map(|own| {
        let mut ranking = json!({ "function": own.ranking, "lines": own.lines });
        if !own.locations.is_empty() {
            ranking["locations"] = json!(own.locations);
        }
        ranking
    });
    let rankings: Value = rankings.collect();
    json!({ "invariants": invariants.collect::<Value>(), "ranking_functions": rankings })
}
