//! Traces as JSON objects, the same in the documents of all commands.

use super::{Row, rows};
use logic::evidence::{DecidedSubformula, Trace, TraceLocation, TraceStep, TraceValue};
use serde_json::{Map, Value, json};

/// The trace: its first step is the initial state, and each step has what leads to its state. The step from the last
/// state back to the start of the loop is `back`. Of evidence that branches, the trace is a `prefix`.
pub fn trace_json(trace: &Trace) -> Value {
    let steps = rows(trace).iter().map(step).collect::<Value>();
    let mut object = json!({ "loop_start": trace.loop_start, "steps": steps });
    if let Some(back) = trace.closing_step() {
        object["back"] = Value::Object(cause(Some(back)));
    }
    if trace.is_prefix {
        object["prefix"] = true.into();
    }
    object
}

fn step(row: &Row) -> Value {
    let mut object = Map::new();
    object.insert("state".to_owned(), values(&row.state.values));
    if !row.state.defines.is_empty() {
        object.insert("defines".to_owned(), values(&row.state.defines));
    }
    object.extend(cause(row.step));
    let changed = row.changed().filter(|_| row.before.is_some()).map(|(name, _)| &**name);
    object.insert("changed".to_owned(), changed.collect::<Value>());
    let decided = row.state.decided.iter().map(|DecidedSubformula { subformula, value }| {
        json!({ "subformula": subformula, "value": value.to_string() })
    });
    object.insert("decided".to_owned(), decided.collect::<Value>());
    Value::Object(object)
}

/// The step that leads to a state.
fn cause(step: Option<&TraceStep>) -> Map<String, Value> {
    let of = |part: fn(&TraceStep) -> &Option<String>| step.and_then(|step| part(step).clone());
    let mut object = Map::new();
    let mut insert = |key: &str, value: Value| object.insert(key.to_owned(), value);
    insert("inputs", values(step.map_or(&[], |step| &step.inputs)));
    insert("action", of(|step| &step.action).into());
    insert("process", of(|step| &step.process).into());
    insert("statement", of(|step| &step.statement).into());
    for (key, value) in place(step.and_then(|step| step.location.as_ref())) {
        insert(key, value);
    }
    let Some(step) = step else { return object };
    if !step.components.is_empty() {
        insert("components", step.components.clone().into());
    }
    if let Some(partner) = &step.partner {
        let mut other = json!({ "process": partner.process, "statement": partner.text });
        for (key, value) in place(partner.location.as_ref()) {
            other[key] = value;
        }
        insert("partner", other);
    }
    if step.is_may_only {
        insert("may_only", true.into());
    }
    object
}

fn place(location: Option<&TraceLocation>) -> [(&'static str, Value); 3] {
    [
        ("line", location.map(|at| at.line).into()),
        ("file", location.map(|at| &*at.file).into()),
        ("column", location.map(|at| at.column).into()),
    ]
}

fn values(values: &[(String, TraceValue)]) -> Value {
    let typed = |value: &TraceValue| match value {
        TraceValue::Bool(value) => Value::from(*value),
        TraceValue::Int(value) => Value::from(*value),
        TraceValue::Unknown => Value::Null,
        other => Value::from(other.to_string()),
    };
    Value::Object(values.iter().map(|(name, value)| (name.clone(), typed(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::lasso;
    use super::*;

    #[test]
    fn steps_have_their_cause_and_their_place() {
        let found = trace_json(&lasso());
        assert_eq!(found["loop_start"], 1);
        let steps = found["steps"].as_array().expect("steps");
        let expected = json!({ "x": "0ud3_0", "m.busy": false, "m.mode": "idle", "y": -3 });
        assert_eq!(steps[0]["state"], expected);
        assert_eq!((&steps[0]["changed"], &steps[0]["action"]), (&json!([]), &Value::Null));
        assert_eq!(steps[1]["inputs"], json!({ "coin": true }));
        assert_eq!(steps[1]["changed"], json!(["x", "m.busy", "m.mode"]));
        assert_eq!(steps[2]["action"], "go on");
        let back = &found["back"];
        assert_eq!(back["statement"], "x = x - 6");
        assert_eq!(
            (&back["file"], &back["line"], &back["column"]),
            (&json!("a.pml"), &json!(2), &json!(3))
        );
    }
}
