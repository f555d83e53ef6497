//! What `check --events` prints: what happens, when it happens, an object a line.

use crate::answer::AnswerReport;
use crate::json::{entry, to_json};
use crate::predicates::PredicateRound;
use crate::round_line;
use crate::trace::refined;
use explicit::Round;
use serde::Serialize;
use serde_json::json;

/// A property that will be checked.
#[derive(Serialize)]
pub struct Planned<'a> {
    pub name: &'a str,
    pub logic: &'static str,
    pub formula: &'a str,
}

/// The properties, in their order.
pub fn plan_event(properties: &[Planned]) -> String {
    to_json(&json!({ "event": "plan", "properties": properties }))
}

/// How far a phase has come; a total of 0 is not known.
pub fn progress_event(phase: &str, done: u64, total: u64, seconds: f64, memory: u64) -> String {
    to_json(&json!({
        "event": "progress",
        "phase": phase,
        "done": done,
        "total": total,
        "seconds": seconds,
        "memory": memory,
    }))
}

/// Warnings and figures, as people read them.
pub fn remark_event(text: &str) -> String {
    to_json(&json!({ "event": "remark", "text": text }))
}

/// A round of a refinement.
pub fn round_event(property: &str, round: &Round) -> String {
    let (text, round) = (round_line(round), refined(round));
    let text = text.trim_end();
    to_json(&json!({ "event": "round", "property": property, "text": text, "round": round }))
}

/// A round of a search for predicates: its first location, and all predicates that it has found.
pub fn predicates_event(property: &str, round: &PredicateRound) -> String {
    let text = round.to_text();
    let predicates = round.found.iter().flat_map(|found| &found.predicates);
    let mut event = json!(round);
    event["place"] = round.found.first().map(|found| &*found.place).into();
    event["predicates"] = predicates.map(String::as_str).collect();
    event["change"] = json!({ "kind": "predicates" });
    let text = text.trim_end();
    to_json(&json!({ "event": "round", "property": property, "text": text, "round": event }))
}

/// A property is answered.
pub fn answer_event(answer: &AnswerReport) -> String {
    to_json(&json!({ "event": "answer", "answer": entry(answer) }))
}

/// A question is refused.
pub fn refused_event(property: &str, text: &str) -> String {
    to_json(&json!({ "event": "refused", "property": property, "text": text }))
}
