//! Traces: for people, the values that change from step to step; for programs, a JSON object. The first state is
//! step 0 everywhere.

use logic::evidence::{Trace, TraceLocation, TraceState, TraceStatement, TraceStep, TraceValue};
use serde_json::{Map, Value, json};

/// The cause of a step: the process and its statement, the action, the inputs.
pub fn step_text(step: &TraceStep) -> String {
    let mut parts: Vec<String> = Vec::new();
    let statement = |process: &str, text: &str, location: &Option<TraceLocation>| {
        let process = if process.is_empty() { String::new() } else { format!("{process}: ") };
        let location = location.as_ref().map(|place| format!(" ({}:{})", place.file, place.line));
        format!("{process}{text}{}", location.unwrap_or_default())
    };
    match (&step.statement, &step.process) {
        (Some(text), process) => {
            parts.push(statement(process.as_deref().unwrap_or_default(), text, &step.location));
        }
        (None, Some(process)) => parts.push(format!("process {process}")),
        (None, None) => {}
    }
    if let Some(TraceStatement { process, text, location }) = &step.partner {
        parts.push(statement(process, text, location));
    }
    if let Some(action) = &step.action {
        let who = match step.components.is_empty() {
            true => String::new(),
            false => format!(" ({})", step.components.join(", ")),
        };
        parts.push(format!("{action}{who}"));
    }
    if !step.inputs.is_empty() {
        parts.push(format!("input {}", list(step.inputs.iter())));
    }
    if step.is_may_only {
        parts.push("may step".to_owned());
    }
    parts.join(", ")
}

fn list<'a>(values: impl Iterator<Item = &'a (String, TraceValue)>) -> String {
    values.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// The trace as the specification has it: each step with the state that it leads to, the first one being initial.
pub fn trace_json(trace: &Trace) -> Value {
    let step = |number: usize| {
        let state = &trace.states[number];
        let TraceState { values, defines, decided } = state;
        let nothing = TraceStep::default();
        let mut entry = step_json(trace.step_to(number).unwrap_or(&nothing));
        entry["state"] = values.iter().chain(defines).map(pair).collect();
        let changed = trace.changed(number).filter(|_| number > 0);
        entry["changed"] = changed.map(|(name, _)| Value::from(&**name)).collect();
        entry["decided"] = decided
            .iter()
            .map(|one| json!({ "subformula": one.subformula, "value": one.value.to_string() }))
            .collect();
        entry
    };
    json!({
        "loop_start": trace.loop_start,
        "loop_step": trace.closing_step().map(step_json),
        "is_prefix": trace.is_prefix,
        "steps": (0..trace.states.len()).map(step).collect::<Vec<_>>(),
    })
}

fn step_json(step: &TraceStep) -> Value {
    let file = step.location.as_ref().map(|place| &*place.file);
    let mut entry = json!({
        "inputs": step.inputs.iter().map(pair).collect::<Map<String, Value>>(),
        "action": step.action,
        "process": step.process,
        "statement": step.statement,
        "file": file,
        "line": step.location.as_ref().map(|place| place.line),
        "column": step.location.as_ref().map(|place| place.column),
    });
    if !step.components.is_empty() {
        entry["components"] = step.components.clone().into();
    }
    if step.is_may_only {
        entry["is_may_only"] = true.into();
    }
    if let Some(TraceStatement { process, text, location }) = &step.partner {
        let line = location.as_ref().map(|place| place.line);
        entry["partner"] = json!({ "process": process, "statement": text, "line": line });
    }
    entry
}

fn pair((name, value): &(String, TraceValue)) -> (String, Value) {
    let value = match value {
        TraceValue::Bool(value) => Value::from(*value),
        TraceValue::Int(value) => Value::from(*value),
        TraceValue::Unknown => Value::Null,
        other => Value::from(other.to_string()),
    };
    (name.clone(), value)
}
