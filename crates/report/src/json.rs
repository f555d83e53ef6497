//! JSON documents. Their keys are those of format 2, which the manual describes.

use crate::answer::AnswerReport;
use crate::errors::errors_document;
use crate::sentence;
use crate::trace::{ReportedTrace, trace_json};
use explicit::{AbstractSize, DeadlockState, DecidedStates, DecidingFacts, Fact, Stats, Thorough};
use logic::PathLength;
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;

/// The version of the JSON format: raised when a key changes its name or its meaning.
pub const JSON_FORMAT: u32 = 2;

/// The keys that every document begins with.
pub(crate) fn document(version: &str, files: &[String]) -> Value {
    json!({ "tool": "tertium", "version": version, "format": JSON_FORMAT, "files": files })
}

/// One line of JSON.
pub fn to_json(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string(document).expect("keys are strings and nothing fails");
    text.push('\n');
    text
}

/// The answer of `tertium check`.
pub fn check_document(
    version: &str,
    files: &[String],
    answers: &[AnswerReport],
    shared: Duration,
    errors: &[Value],
) -> Value {
    if answers.is_empty() && !errors.is_empty() {
        return errors_document(errors.to_vec());
    }
    let mut document = document(version, files);
    document["shared_seconds"] = shared.as_secs_f64().into();
    document["results"] = answers.iter().map(result).collect();
    if !errors.is_empty() {
        document["errors"] = errors.iter().cloned().collect();
    }
    document
}

/// An answer with the place of its property.
fn result(answer: &AnswerReport) -> Value {
    let mut result = entry(answer);
    result["file"] = json!(answer.file);
    result["line"] = json!(answer.position.map(|(line, _)| line));
    result["column"] = json!(answer.position.map(|(_, column)| column));
    result
}

/// Property and verdict. Logic and formula are empty if a limit was reached before the property was read.
pub(crate) fn head(answer: &AnswerReport) -> Value {
    json!({
        "property": answer.property,
        "logic": answer.logic.unwrap_or_default(),
        "formula": answer.formula,
        "verdict": answer.outcome.verdict.to_string(),
        "method": answer.method,
    })
}

pub(crate) fn entry(answer: &AnswerReport) -> Value {
    let outcome = &answer.outcome;
    let deadlock = |end: &DeadlockState| json!({ "state": end.state, "blocked_components": end.blocked_components });
    let mut entry = head(answer);
    entry["seconds"] = answer.seconds.into();
    entry["reason"] = outcome.reason.as_ref().map(sentence::reason).into();
    entry["falsified_in"] = answer.falsified_in().into();
    if let Some(length) = outcome.length {
        entry["value"] = match length {
            PathLength::Steps(steps) => steps.into(),
            PathLength::Infinite | PathLength::Undefined => length.to_string().into(),
        };
    }
    entry["deadlock"] = outcome.deadlock_state.as_ref().map(deadlock).into();
    entry["trace"] = match &answer.trace {
        Some(ReportedTrace::Found(trace)) => trace_json(trace),
        _ => Value::Null,
    };
    entry["stats"] = figures(&outcome.stats, answer.peak_bytes);
    if let Some(thorough) = outcome.thorough {
        entry["refinements"] = match thorough {
            Thorough::Agree => "agree",
            Thorough::Differ => "differ",
            Thorough::TooLarge => "not decided",
        }
        .into();
    }
    if !outcome.causes.is_empty() {
        entry["causes"] = outcome.causes.iter().map(cause).collect();
    }
    // Definite values that a refinement had found when a limit ended it.
    if !outcome.known_values.is_empty() {
        entry["known_values"] = outcome.known_values.iter().map(known).collect();
    }
    if let Some(values) = &outcome.values {
        let values = values.iter().map(|(state, value)| (state.clone(), value.to_string().into()));
        entry["values"] = Value::Object(values.collect());
    }
    entry
}

/// Facts that would decide an unknown, with the verdict.
fn cause(DecidingFacts { facts, verdict }: &DecidingFacts) -> Value {
    let fact = |(fact, holds): &(Fact, bool)| match fact {
        Fact::Label { component, state, prop } => {
            json!({ "component": component, "state": state, "proposition": prop, "holds": holds })
        }
        Fact::Transition { component, from, to, action, is_missing } => json!({
            "component": component,
            "from": from,
            "to": to,
            "action": action,
            "is_missing": is_missing,
            "holds": holds,
        }),
    };
    json!({ "facts": facts.iter().map(fact).collect::<Value>(), "verdict": verdict.to_string() })
}

/// A subformula that has a definite value in so many states, of which some are named.
fn known(knowledge: &DecidedStates) -> Value {
    let DecidedStates { subformula, components, value, count, states } = knowledge;
    json!({
        "subformula": subformula,
        "value": value.to_string(),
        "components": components,
        "count": count,
        "states": states,
    })
}

/// How many states the abstraction of a component has, and how many the component, if these are finitely many.
pub(crate) fn extent(size: &AbstractSize) -> Value {
    let AbstractSize { component, abstract_states, concrete_states } = size;
    json!({ "component": component, "abstract_states": abstract_states, "concrete_states": concrete_states })
}

/// The figures that a method has.
fn figures(stats: &Stats, peak_bytes: u64) -> Value {
    let sizes = |sizes: &Vec<AbstractSize>| sizes.iter().map(extent).collect::<Value>();
    let figures = [
        ("states", stats.states.map(Value::from)),
        ("transitions", stats.transitions.map(Value::from)),
        ("game_nodes", stats.game_nodes.map(Value::from)),
        ("game_edges", stats.game_edges.map(Value::from)),
        ("component_nodes", stats.component_nodes.clone().map(Value::from)),
        ("product_nodes", stats.product_nodes.map(Value::from)),
        ("iterations", stats.iterations.map(Value::from)),
        ("abstract_states", stats.abstract_states.as_ref().map(sizes)),
        ("coloured_nodes", stats.coloured_nodes.map(Value::from)),
        ("bdd_nodes", stats.bdd_nodes.map(Value::from)),
        ("reorderings", stats.reorderings.map(Value::from)),
        ("relevant_states", stats.relevant_states.map(Value::from)),
        ("blocks", stats.blocks.map(Value::from)),
        ("checked_blocks", stats.checked_blocks.map(Value::from)),
        ("reused_blocks", stats.reused_blocks.map(Value::from)),
        ("passes", stats.passes.map(Value::from)),
        ("largest_block_bytes", stats.largest_block_bytes.map(Value::from)),
        ("largest_block_states", stats.largest_block_states.map(Value::from)),
        ("peak_bytes", Some(peak_bytes.into())),
    ];
    let present = figures.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect())
}

/// The answer of `tertium solve --json`: a summary, no strategy.
#[derive(Serialize, Clone, Debug)]
pub struct SolveDocument {
    pub tool: &'static str,
    pub version: &'static str,
    pub format: u32,
    pub file: String,
    pub nodes: u64,
    pub edges: u64,
    /// How many nodes each player wins; absent if a limit was reached.
    #[serde(rename = "winning_nodes")]
    pub won: Option<[u64; 2]>,
    pub verified: Option<bool>,
    pub reason: Option<String>,
    pub read_seconds: f64,
    pub solve_seconds: f64,
    pub peak_bytes: u64,
}

impl SolveDocument {
    /// `3 nodes, 5 edges, read in 0.00 s, …`
    pub fn to_text(&self) -> String {
        let Self { nodes, edges, read_seconds, solve_seconds, .. } = self;
        let megabytes = self.peak_bytes as f64 / 1e6;
        format!(
            "{nodes} nodes, {edges} edges, read in {read_seconds:.3} s, solved in \
             {solve_seconds:.3} s, at most {megabytes:.1} MB\n"
        )
    }
}

/// The answer of `tertium compare --json`.
#[derive(Serialize, Clone, Debug)]
pub struct CompareDocument {
    pub tool: &'static str,
    pub version: &'static str,
    pub format: u32,
    pub files: [String; 2],
    pub relation: Option<&'static str>,
    /// `None` if a limit was reached.
    pub holds: Option<bool>,
    pub reason: Option<String>,
}
