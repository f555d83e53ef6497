//! What `check --events` prints: what happens, when it happens, an object a line.

use crate::answer::Answer;
use crate::json::{Entry, to_json};
use crate::predicates::PredicateRound;
use crate::round_line;
use crate::trace::Told;
use explicit::Round;
use serde::Serialize;

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event<'a> {
    Plan {
        properties: &'a [Planned<'a>],
    },
    Progress {
        phase: &'a str,
        done: u64,
        total: u64,
        seconds: f64,
        memory: u64,
    },
    Remark {
        text: &'a str,
    },
    Round {
        property: &'a str,
        text: &'a str,
        round: &'a Told<'a>,
    },
    #[serde(rename = "round")]
    Predicates {
        property: &'a str,
        text: &'a str,
        round: &'a PredicateEvent<'a>,
    },
    Answer {
        answer: &'a Entry<'a>,
    },
    Refused {
        property: &'a str,
        text: &'a str,
    },
}

/// A question that is going to be answered.
#[derive(Serialize)]
pub struct Planned<'a> {
    pub name: &'a str,
    pub logic: &'static str,
    pub formula: &'a str,
}

/// A round of a search for predicates, with what is new in it as other refinements have it.
#[derive(Serialize)]
struct PredicateEvent<'a> {
    #[serde(flatten)]
    round: &'a PredicateRound,
    /// Where knowledge was missing, in words.
    place: Option<&'a str>,
    /// What is known there from now on.
    predicates: Vec<&'a str>,
    change: PredicateChange,
}

/// As the changes of other refinements say what they are.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum PredicateChange {
    Predicates,
}

pub fn plan_event(properties: &[Planned]) -> String {
    to_json(&Event::Plan { properties })
}

/// `memory` is what is in use at the moment.
pub fn progress_event(phase: &str, done: u64, total: u64, seconds: f64, memory: u64) -> String {
    to_json(&Event::Progress { phase, done, total, seconds, memory })
}

pub fn remark_event(text: &str) -> String {
    to_json(&Event::Remark { text })
}

pub fn round_event(property: &str, round: &Round) -> String {
    let text = round_line(round);
    to_json(&Event::Round { property, text: text.trim_end(), round: &Told::new(round) })
}

pub fn predicates_event(property: &str, round: &PredicateRound) -> String {
    let predicates = round.found.iter().flat_map(|found| &found.predicates);
    let event = PredicateEvent {
        round,
        place: round.found.first().map(|found| &*found.place),
        predicates: predicates.map(String::as_str).collect(),
        change: PredicateChange::Predicates,
    };
    let text = round.to_text();
    to_json(&Event::Predicates { property, text: text.trim_end(), round: &event })
}

pub fn answer_event(answer: &Answer) -> String {
    to_json(&Event::Answer { answer: &Entry::new(answer) })
}

pub fn refused_event(property: &str, text: &str) -> String {
    to_json(&Event::Refused { property, text })
}
