//! Traces in Apalache's Informal Trace Format (Apalache ADR 015): integers of any size as `#bigint`, the step that
//! leads to a state under its `#meta`.

use super::{Row, rows, variables};
use logic::evidence::{Trace, TraceStep, TraceValue};
use serde_json::{Map, Value, json};

const FORMAT: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// The trace as one object.
pub fn itf(trace: &Trace, description: &str) -> Value {
    let variables = variables(trace);
    let states = rows(trace).into_iter().enumerate();
    let states = states.map(|(index, row)| state(index, &row, &variables));
    let mut object = json!({
        "#meta": {
            "format": "ITF",
            "format-description": FORMAT,
            "description": description,
        },
        "params": [],
        "vars": variables,
        "states": states.collect::<Value>(),
    });
    if let Some(start) = trace.loop_start {
        object["loop"] = start.into();
    }
    object
}

fn state(index: usize, row: &Row, variables: &[&str]) -> Value {
    let mut meta = Map::new();
    meta.insert("index".to_owned(), index.into());
    if let Some(TraceStep { inputs, action, process, statement, .. }) = row.step {
        let parts = [("action", action), ("process", process), ("statement", statement)];
        let named = parts.into_iter().filter_map(|(key, part)| Some((key, part.as_deref()?)));
        meta.extend(named.map(|(key, text)| (key.to_owned(), text.into())));
        if !inputs.is_empty() {
            // Readers take texts only under `#meta`, besides the index.
            let inputs = inputs.iter().map(|(name, input)| format!("{name} = {input}"));
            let inputs = inputs.collect::<Vec<_>>().join(", ");
            meta.insert("inputs".to_owned(), inputs.into());
        }
    }
    let mut object = Map::new();
    object.insert("#meta".to_owned(), Value::Object(meta));
    for name in variables {
        // A state may leave out a variable on which the verdict does not depend.
        let unknown = || json!({ "#unserializable": "irrelevant" });
        object.insert((*name).to_owned(), row.state.get(name).map_or_else(unknown, value));
    }
    Value::Object(object)
}

fn value(value: &TraceValue) -> Value {
    match value {
        TraceValue::Bool(value) => json!(value),
        TraceValue::Int(value) => json!({ "#bigint": value.to_string() }),
        TraceValue::Word { signed: true, value, .. } => json!({ "#bigint": value.to_string() }),
        TraceValue::Word { value, .. } => json!({ "#bigint": (*value as u64).to_string() }),
        TraceValue::Unknown => json!({ "#unserializable": "unknown" }),
        other => json!(other.to_string()),
    }
}
