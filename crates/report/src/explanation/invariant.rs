//! Why an invariant holds: the lemmas that make it inductive, and the variables or components that it depends on.

use super::ExplanationHead;
use super::text::{TextView, heading};
use super::wrap::wrap;
use crate::visible::visible;
use logic::evidence::{InductiveInvariant, ShownVariable, UnfoldedEvidence};
use serde_json::{Value, json};

/// More variables, and more values of one, are counted only.
const MOST_VARIABLES: usize = 20;
const MOST_VALUES: usize = 8;

pub(crate) fn invariant_text(
    head: &ExplanationHead,
    explanation: &UnfoldedEvidence,
    proof: &InductiveInvariant,
    view: TextView,
) -> String {
    let mut out = heading(head, explanation.verdict, view);
    out.push('\n');
    for line in [vec![claim(proof)], numbered(proof), vec![dependence(proof)]].concat() {
        out.push_str(&wrap(&visible(&line), view.width, 4));
        out.push('\n');
    }
    out
}

/// In one text, for pages.
pub(crate) fn invariant_sentence(proof: &InductiveInvariant) -> String {
    let lemmas = proof.lemmas.as_deref().unwrap_or_default();
    let lemmas: Vec<String> = lemmas.iter().map(|lemma| format!("`{lemma}`")).collect();
    let lemmas = if lemmas.is_empty() { "" } else { &format!(" {}.", lemmas.join("; ")) };
    format!("{}{lemmas} {}", claim(proof), dependence(proof))
}

pub(crate) fn invariant_json(proof: &InductiveInvariant) -> Value {
    let variable = |one: &ShownVariable| json!({ "name": one.name, "values": one.values });
    json!({
        "lemmas": proof.lemmas,
        "states": proof.states,
        "variables": proof.variables.iter().map(variable).collect::<Value>(),
    })
}

fn claim(proof: &InductiveInvariant) -> String {
    match proof.lemmas.as_deref() {
        Some([]) => "The invariant is inductive: it holds in every initial state, and every transition preserves it.".to_owned(),
        Some([_]) => "The invariant is inductive together with a lemma: both hold in every initial state, and every transition preserves them.".to_owned(),
        Some(lemmas) => format!("The invariant is inductive together with {} lemmas: all of them hold in every initial state, and every transition preserves them.", lemmas.len()),
        None => "The invariant holds in every reachable state.".to_owned(),
    }
}

fn numbered(proof: &InductiveInvariant) -> Vec<String> {
    let lemmas = proof.lemmas.iter().flatten().enumerate();
    lemmas.map(|(number, lemma)| format!("  {}  {lemma}", number + 1)).collect()
}

/// The variables of the cone, with their values in the reachable states.
fn dependence(proof: &InductiveInvariant) -> String {
    let reachable = match proof.states {
        Some(1) => "1 state is reachable".to_owned(),
        Some(states) => format!("{states} states are reachable"),
        None => "the states are too many to count".to_owned(),
    };
    let variable = |ShownVariable { name, values }: &ShownVariable| match values.len() {
        0 => name.clone(),
        1 => format!("{name} = {}", values[0]),
        few if few <= MOST_VALUES => format!("{name} in {{{}}}", values.join(", ")),
        _ => format!("{name} in {{{}, …, {}}}", values[0], values[values.len() - 1]),
    };
    let mut shown: Vec<String> =
        proof.variables.iter().take(MOST_VARIABLES).map(variable).collect();
    if proof.variables.len() > MOST_VARIABLES {
        shown.push(format!("and {} more", proof.variables.len() - MOST_VARIABLES));
    }
    match shown.is_empty() {
        true => format!("It depends on no variable; {reachable}."),
        false => format!("It depends on {}; {reachable}.", shown.join(", ")),
    }
}
