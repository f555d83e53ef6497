//! Traces for people and in the formats that other programs read. The first state is step 0 everywhere but in the
//! formats of NuSMV.

mod itf;
mod json;
mod nusmv;
mod spin;
mod text;
mod vcd;

pub use itf::itf;
pub use json::trace_json;
pub use nusmv::{AS_DEMONSTRATED, nusmv_text, nusmv_title, nusmv_xml};
pub use spin::spin_steps;
pub(crate) use text::trace_lines;
pub use text::{ReportedTrace, TraceView, step_text, trace_text};
pub use vcd::vcd;

use logic::evidence::{Trace, TraceState, TraceStep, TraceValue};

/// A state with the step that leads to it.
struct Row<'a> {
    state: &'a TraceState,
    step: Option<&'a TraceStep>,
    before: Option<&'a TraceState>,
}

impl<'a> Row<'a> {
    /// The variables and definitions.
    fn values(&self) -> impl Iterator<Item = &'a (String, TraceValue)> {
        self.state.values.iter().chain(&self.state.defines)
    }

    /// Those whose value is another one than in the state before; all of the first state.
    fn changed(&self) -> impl Iterator<Item = &'a (String, TraceValue)> {
        let before = self.before;
        let is_new = move |(name, value): &&(String, TraceValue)| {
            before.is_none_or(|before| before.get(name) != Some(value))
        };
        self.values().filter(is_new)
    }
}

/// The states in their order.
fn rows(trace: &Trace) -> Vec<Row<'_>> {
    let before = std::iter::once(None).chain(trace.states.iter().map(Some));
    let rows = trace.states.iter().zip(before).enumerate();
    rows.map(|(at, (state, before))| Row { state, step: trace.step_to(at), before }).collect()
}

/// The states in their order, and at the end of a lasso the first state of the loop again.
fn rows_with_return(trace: &Trace) -> Vec<Row<'_>> {
    let mut rows = rows(trace);
    if let Some(state) = trace.loop_start.and_then(|start| trace.states.get(start)) {
        rows.push(Row { state, step: trace.closing_step(), before: trace.states.last() });
    }
    rows
}

/// The names of the variables and definitions, in the order in which the states name them.
pub(crate) fn variables(trace: &Trace) -> Vec<&str> {
    distinct(trace.states.iter().flat_map(|state| [&*state.values, &*state.defines]))
}

/// The names of the inputs.
fn inputs(trace: &Trace) -> Vec<&str> {
    distinct(trace.steps.iter().map(|step| &*step.inputs))
}

fn distinct<'a>(lists: impl Iterator<Item = &'a [(String, TraceValue)]>) -> Vec<&'a str> {
    let mut seen = rustc_hash::FxHashSet::default();
    let names = lists.flatten().map(|(name, _)| &**name);
    names.filter(|name| seen.insert(*name)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use logic::evidence::TraceLocation;

    fn state(values: &[(&str, &str)]) -> TraceState {
        let typed = |(name, value): &(&str, &str)| (name.to_string(), TraceValue::from(*value));
        TraceState { values: values.iter().map(typed).collect(), ..TraceState::default() }
    }

    /// A lasso with values of every type, an input, an action and a statement.
    pub fn lasso() -> Trace {
        let input = TraceStep {
            inputs: vec![("coin".to_owned(), TraceValue::Bool(true))],
            ..TraceStep::default()
        };
        let action = TraceStep { action: Some("go on".to_owned()), ..TraceStep::default() };
        let statement = TraceStep {
            process: Some("P".to_owned()),
            statement: Some("x = x - 6".to_owned()),
            location: Some(TraceLocation { file: "a.pml".to_owned(), line: 2, column: 3 }),
            ..TraceStep::default()
        };
        Trace {
            states: vec![
                state(&[("x", "0ud3_0"), ("m.busy", "false"), ("m.mode", "idle"), ("y", "-3")]),
                state(&[("x", "0ud3_5"), ("m.busy", "true"), ("m.mode", "run fast"), ("y", "-3")]),
                state(&[("x", "0ud3_6"), ("m.busy", "true"), ("m.mode", "<end>"), ("y", "2")]),
            ],
            steps: vec![input, action, statement],
            loop_start: Some(1),
            is_prefix: false,
        }
    }

    #[test]
    fn rows_know_what_changed_and_a_lasso_returns() {
        let trace = lasso();
        let names = |row: &Row| row.changed().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let rows = rows_with_return(&trace);
        assert_eq!(
            rows.iter().map(names).map(|names| names.len()).collect::<Vec<_>>(),
            [4, 3, 3, 3]
        );
        assert_eq!(names(&rows[2]), ["x", "m.mode", "y"]);
        assert_eq!(rows[3].step.and_then(|step| step.process.as_deref()), Some("P"));
        assert_eq!(variables(&trace), ["x", "m.busy", "m.mode", "y"]);
        assert_eq!(inputs(&trace), ["coin"]);
    }

    #[test]
    fn an_empty_trace_is_none_the_less_written() {
        let empty = Trace::default();
        assert!(vcd(&empty, "nothing").contains("$enddefinitions"));
        assert_eq!(itf(&empty, "nothing")["states"], serde_json::json!([]));
        assert!(nusmv_xml(&empty, "nothing").contains("<loops> </loops>"));
    }
}
