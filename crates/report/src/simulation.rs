//! Walks as JSON, and traces read back: each state with the step that leads there.

use crate::trace::trace_json;
use logic::evidence::{Trace, TraceState, TraceStep, TraceValue};
use serde_json::{Map, Value};

/// The result of `tertium simulate`: the walk as a trace.
pub fn simulation_document(version: &str, files: &[String], trace: &Trace) -> Value {
    let mut document = crate::json::document(version, files);
    document["trace"] = trace_json(trace);
    document
}

/// Reads a trace: the object itself, one that has it as `trace`, or the first one among `results`.
///
/// # Errors
///
/// The text is no JSON, or has no trace.
pub fn read_trace(text: &str) -> Result<Trace, String> {
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let results = document["results"].as_array().into_iter().flatten();
    let inner = results.map(|result| &result["trace"]).find(|trace| trace.is_object());
    let object = [Some(&document["trace"]), inner, Some(&document)];
    let has_steps = |object: &&Value| object["steps"].is_array();
    let object = object.into_iter().flatten().find(has_steps);
    let object = object.ok_or("there is no `trace` with `steps` in it")?;
    let mut trace = Trace::default();
    let steps = object["steps"].as_array().into_iter().flatten();
    for (number, step) in steps.enumerate() {
        let state = step["state"].as_object();
        let state = state.ok_or_else(|| format!("step {number} of the trace has no `state`"))?;
        trace.states.push(TraceState { values: values(state), ..TraceState::default() });
        if number > 0 {
            trace.steps.push(taken(step));
        }
    }
    let start = object["loop_start"].as_u64().map(|start| start as usize);
    if start.is_some_and(|start| start >= trace.states.len()) {
        return Err("`loop_start` is behind the last step of the trace".to_owned());
    }
    trace.steps.extend(start.map(|_| taken(&object["loop_step"])));
    trace.loop_start = start;
    Ok(trace)
}

fn taken(step: &Value) -> TraceStep {
    let text = |key: &str| step[key].as_str().map(str::to_owned);
    TraceStep {
        inputs: step["inputs"].as_object().map(values).unwrap_or_default(),
        action: text("action"),
        process: text("process"),
        statement: text("statement"),
        is_may_only: step["is_may_only"] == true,
        ..TraceStep::default()
    }
}

fn values(object: &Map<String, Value>) -> Vec<(String, TraceValue)> {
    let value = |value: &Value| match value {
        Value::Bool(value) => TraceValue::Bool(*value),
        Value::Number(number) if number.is_i64() => {
            TraceValue::Int(number.as_i64().unwrap_or_default())
        }
        Value::String(text) => TraceValue::from(&**text),
        Value::Null => TraceValue::Unknown,
        other => TraceValue::Symbol(other.to_string()),
    };
    object.iter().map(|(name, found)| (name.clone(), value(found))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_trace_is_read_as_it_was_written() {
        let state = |x: i64| TraceState {
            values: vec![
                ("x".to_owned(), TraceValue::Int(x)),
                ("b".to_owned(), TraceValue::Bool(x > 0)),
                ("s".to_owned(), TraceValue::Symbol("idle".to_owned())),
                ("p".to_owned(), TraceValue::Unknown),
            ],
            ..TraceState::default()
        };
        let step = TraceStep {
            action: Some("go".to_owned()),
            is_may_only: true,
            inputs: vec![("i".to_owned(), TraceValue::Int(3))],
            ..TraceStep::default()
        };
        let (states, steps) = (vec![state(0), state(1)], vec![step.clone(), step]);
        let trace = Trace { states, steps, loop_start: Some(0), ..Trace::default() };
        let document = simulation_document("0", &[], &trace);
        assert_eq!(read_trace(&document.to_string()), Ok(trace.clone()));
        let among = json!({ "results": [{ "trace": null }, { "trace": document["trace"] }] });
        assert_eq!(read_trace(&among.to_string()), Ok(trace.clone()));
        assert_eq!(read_trace(&document["trace"].to_string()), Ok(trace));
        assert!(read_trace("{").is_err());
        assert!(read_trace("{}").is_err_and(|why| why.contains("`trace`")));
        assert!(read_trace(r#"{"steps": [{}]}"#).is_err_and(|why| why.contains("`state`")));
        let far = r#"{"loop_start": 1, "steps": [{"state": {"x": 0}}]}"#;
        assert!(read_trace(far).is_err_and(|why| why.contains("`loop_start`")));
    }
}
