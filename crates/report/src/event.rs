//! The events of `check --events`, one JSON object per line.

use crate::answer::AnswerReport;
use crate::json::{JSON_FORMAT, entry, to_json};
use crate::predicates::PredicateRound;
use crate::refinement_log::refined;
use crate::round_line;
use explicit::Round;
use serde::Serialize;
use serde_json::{Value, json};

/// A property that will be checked.
#[derive(Serialize)]
pub struct Planned<'a> {
    pub name: &'a str,
    pub logic: &'static str,
    pub formula: &'a str,
}

/// The properties, in their order.
pub fn plan_event(properties: &[Planned]) -> String {
    to_json(&json!({ "format": JSON_FORMAT, "event": "plan", "properties": properties }))
}

/// Progress of a phase; a total of 0 is unknown.
pub fn progress_event(phase: &str, done: u64, total: u64, seconds: f64, memory: u64) -> String {
    to_json(&json!({
        "format": JSON_FORMAT,
        "event": "progress",
        "phase": phase,
        "done": done,
        "total": total,
        "seconds": seconds,
        "memory_bytes": memory,
    }))
}

/// A warning, a note or statistics, as text.
pub fn note_event(text: &str) -> String {
    to_json(&json!({ "format": JSON_FORMAT, "event": "note", "text": text }))
}

/// A note of errors, with their places.
pub fn errors_event(text: &str, errors: &[Value]) -> String {
    to_json(&json!({ "format": JSON_FORMAT, "event": "note", "text": text, "errors": errors }))
}

/// A round of a refinement.
pub fn round_event(property: &str, round: &Round) -> String {
    let (text, round) = (round_line(round), refined(round));
    let text = text.trim_end();
    to_json(
        &json!({ "format": JSON_FORMAT, "event": "round", "property": property, "text": text, "round": round }),
    )
}

/// A round of a search for predicates: its first location, and all predicates that it has found.
pub fn predicates_event(property: &str, round: &PredicateRound) -> String {
    let text = round.to_text();
    let predicates = round.new_predicates.iter().flat_map(|found| &found.predicates);
    let mut event = json!(round);
    event["location"] = round.new_predicates.first().map(|found| &*found.location).into();
    event["predicates"] = predicates.map(String::as_str).collect();
    event["change"] = json!({ "kind": "predicates" });
    let text = text.trim_end();
    to_json(
        &json!({ "format": JSON_FORMAT, "event": "round", "property": property, "text": text, "round": event }),
    )
}

/// A property is answered.
pub fn answer_event(answer: &AnswerReport) -> String {
    to_json(&json!({ "format": JSON_FORMAT, "event": "answer", "answer": entry(answer) }))
}

/// A question is refused, for these errors.
pub fn refused_event(property: &str, text: &str, errors: &[Value]) -> String {
    to_json(
        &json!({ "format": JSON_FORMAT, "event": "refused", "property": property, "text": text, "errors": errors }),
    )
}
