//! The data of the HTML page: all that it shows, as texts. The script beside it reads these names.

use super::ExplanationHead;
use super::invariant::invariant_sentence;
use super::names::short_names;
use super::picture::reason;
use super::text::{conclusion, missing};
use super::words::{arrow, explained, place_name, props, verb};
use crate::trace::{step_text, variables};
use explicit::{Cause, Reason};
use logic::Truth;
use logic::evidence::{
    Digest, DigestEdge, EvidencePath, Justification, ShownNode, ShownState, ShownStep,
    ShownSuccessor, Trace, TraceValue, UnfoldedEvidence, path,
};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

/// In a line of a box, as the script beside it draws them.
const LETTERS: usize = 30;

pub(crate) fn page(head: &ExplanationHead, explanation: &UnfoldedEvidence) -> Value {
    let digest = Digest::new(explanation);
    let path = path(&digest);
    let reported = match &explanation.invariant {
        Some(proof) => Some(invariant_sentence(proof)),
        None => path.as_ref().map(|path| conclusion(head, &digest, path)),
    };
    let mut texts = Texts::default();
    let short_names = short_names(explanation, LETTERS);
    let shown = explanation.states.iter().zip(&short_names);
    let mut states: Vec<Value> = shown
        .map(|(shown, short)| {
            let name = place_name(explanation, shown);
            // As it fits a box, if the name does not.
            let short = (*short != name).then_some(short);
            state(&name, short, props(shown), shown)
        })
        .collect();
    let short_nodes = digest.places.iter().zip(0..).map(|(place, number)| {
        let successors =
            place.moves.iter().map(|next: &DigestEdge| successor(next.place, next.step)).collect();
        node(digest.node(place.node), reason(&digest, number, usize::MAX), successors, &mut texts)
    });
    let mut short: Vec<Value> = short_nodes.collect();
    let full_nodes = explanation.nodes.iter().map(|shown| {
        let to = |next: &ShownSuccessor| successor(next.node, next.step.as_ref());
        node(shown, explained(shown), shown.successors.iter().map(to).collect(), &mut texts)
    });
    let mut full: Vec<Value> = full_nodes.collect();
    if let Some((open, step, target)) = open_end(head, explanation) {
        let place = digest.places.iter().position(|place| place.facts.contains(&(open as u32)));
        let end = json!({
            "state": states.len(),
            "formula": texts.number("this transition"),
            "verb": verb(Truth::Unknown),
            "value": Truth::Unknown.to_string(),
            "reason": "it is a may transition: it is unknown whether it exists",
            "sons": [],
        });
        for (nodes, from) in [(&mut short, place), (&mut full, Some(open))] {
            let Some(from) = from else { continue };
            let to = successor(nodes.len() as u32, Some(&step));
            nodes[from]["sons"].as_array_mut().expect("a list").push(to);
            nodes.push(end.clone());
        }
        states.push(state(&place_name(explanation, &target), None, Vec::new(), &target));
    }
    json!({
        "property": head.property,
        "logic": head.logic,
        "formula": head.formula,
        "files": head.files,
        "version": head.version,
        "verdict": explanation.verdict.to_string(),
        // What it comes down to, if that can be said in a sentence.
        "conclusion": reported.or_else(|| missing(head)).unwrap_or_default(),
        "cut": explanation.cut,
        "components": explanation.components,
        "states": states,
        // Texts that many nodes share.
        "formulas": texts.all,
        // The condensed explanation, and every position.
        "short": { "nodes": short, "roots": digest.roots },
        "full": { "nodes": full, "roots": explanation.roots },
        "trace": path.as_ref().map(|path| trace(head, explanation, path)),
    })
}

fn state(name: &str, short: Option<&String>, props: Vec<String>, shown: &ShownState) -> Value {
    let mut state = json!({ "name": name });
    if let Some(short) = short {
        state["short"] = json!(short);
    }
    let members = shown.members.iter().map(|member| member.as_ref().map(|member| &*member.name));
    state["props"] = json!(props);
    state["members"] = json!(members.collect::<Vec<_>>());
    state
}

/// An edge; without an arrow if it stays in the state.
fn successor(to: u32, step: Option<&ShownStep>) -> Value {
    json!({
        "to": to,
        "arrow": step.map(arrow),
        "may": step.is_some_and(|step| !step.is_must),
        "one_of": step.is_some_and(|step| step.is_hyper),
    })
}

fn node<'a>(
    shown: &'a ShownNode,
    reason: String,
    successors: Vec<Value>,
    texts: &mut Texts<'a>,
) -> Value {
    json!({
        "state": shown.state,
        "formula": texts.number(&shown.subformula),
        "verb": verb(shown.value),
        "value": shown.value.to_string(),
        "reason": reason,
        "sons": successors,
    })
}

/// The step of which it is not known whether it is there: the node that depends on it, and where it would lead. `None`
/// if knowledge of something else is missing, or if it is shown in other states.
fn open_end(
    head: &ExplanationHead,
    explanation: &UnfoldedEvidence,
) -> Option<(usize, ShownStep, ShownState)> {
    let Some(Reason::Undetermined(diagnosis)) = head.reason else { return None };
    let Cause::Transition { steps, action, target: next } = &diagnosis.cause else { return None };
    let node = explanation.nodes.iter().position(|node| node.why == Justification::Missing)?;
    let mut target = explanation.states[explanation.nodes[node].state as usize].clone();
    for step in steps {
        let component = explanation.components.iter().position(|c| *c == step.component)?;
        target.members[component].as_ref().filter(|member| member.name == step.from)?;
    }
    for (member, name) in target.members.iter_mut().zip(next) {
        member.as_mut()?.name.clone_from(name);
    }
    Some((node, ShownStep { action: action.clone(), ..ShownStep::default() }, target))
}

/// Each text once.
#[derive(Default)]
struct Texts<'a> {
    all: Vec<&'a str>,
    numbers: FxHashMap<&'a str, usize>,
}

impl<'a> Texts<'a> {
    fn number(&mut self, text: &'a str) -> usize {
        *self.numbers.entry(text).or_insert_with(|| {
            self.all.push(text);
            self.all.len() - 1
        })
    }
}

/// The rows of a path, each with a node of the short graph, and how the last one leads back. Of a model by variables
/// each row has their values.
fn trace(head: &ExplanationHead, explanation: &UnfoldedEvidence, path: &EvidencePath) -> Value {
    let row = path.rows.iter().map(|row| {
        let node = row.places.first().copied().unwrap_or_default();
        json!({ "state": row.state, "arrow": row.step.map(arrow), "node": node })
    });
    let back = path.back.as_ref();
    let mut document = json!({
        "rows": row.collect::<Value>(),
        "back": back.map(|back| back.row),
        "back_arrow": back.and_then(|back| back.step).map(arrow),
    });
    let is_by_variables = explanation.constants.is_some() || explanation.run.is_some();
    let own = explanation.trace();
    let reported = head.trace.or(own.as_ref()).filter(|_| is_by_variables);
    if let Some(reported) = reported.filter(|one| one.states.len() == path.rows.len()) {
        add_variables(&mut document, reported);
    }
    document
}

fn add_variables(document: &mut Value, trace: &Trace) {
    let variables = variables(trace);
    for (number, state) in trace.states.iter().enumerate() {
        let value = |name: &&str| state.get(name).map(TraceValue::to_string);
        let row = &mut document["rows"][number];
        row["values"] = json!(variables.iter().map(value).collect::<Vec<_>>());
        row["arrow"] = json!(trace.step_to(number).map(step_text).unwrap_or_default());
    }
    document["variables"] = json!(variables);
    document["back_arrow"] = json!(trace.closing_step().map(step_text).unwrap_or_default());
}
