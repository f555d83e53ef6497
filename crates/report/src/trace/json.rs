//! Traces as JSON objects, the same in the documents of all commands.

use logic::evidence::{Trace, TraceState, TraceStatement, TraceStep, TraceValue};
use serde_json::{Map, Value, json};

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

#[cfg(test)]
mod tests {
    use super::super::text::tests::counter;
    use super::*;

    #[test]
    fn json_has_the_keys_of_the_specification() {
        let mut trace = counter(2);
        trace.loop_start = Some(0);
        trace.steps.push(TraceStep { action: Some("reset".into()), ..TraceStep::default() });
        let value = trace_json(&trace);
        assert_eq!(value["loop_start"], 0);
        assert_eq!(value["loop_step"]["action"], "reset");
        let keys = ["state", "inputs", "action", "process", "statement", "line", "file", "column"];
        for step in value["steps"].as_array().expect("a list") {
            assert!(keys.iter().all(|key| step.get(key).is_some()), "{step}");
        }
        assert_eq!(value["steps"][0]["inputs"], json!({}));
        assert_eq!(value["steps"][1]["inputs"], json!({ "go": true }));
        assert_eq!(value["steps"][1]["changed"], json!(["x"]));
        assert_eq!(value["steps"][1]["state"], json!({ "x": 1, "up": true }));
    }
}
