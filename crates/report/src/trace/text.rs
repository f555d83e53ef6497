//! Traces for people: the values that change from step to step.

use crate::style::Colour;
use crate::visible::visible;
use logic::evidence::{Trace, TraceLocation, TraceStatement, TraceStep, TraceValue};
use std::collections::HashSet;

/// Writes a trace as `check` prints it.
#[derive(Clone, Debug)]
pub enum ReportedTrace {
    Found(Box<Trace>),
    /// It takes all paths to show the verdict.
    NoPath,
    /// It was not found within the time and the memory that it was worth.
    NotWithinLimits,
}

/// How much of a trace is printed, and how to get the rest.
#[derive(Clone, Debug)]
pub struct TraceView {
    pub colour: Colour,
    /// So many lines at most; 0 for all of them.
    pub lines: usize,
    /// Columns of a line.
    pub width: usize,
    /// The command that explains the verdict in full.
    pub command: String,
}

const INDENT: &str = "         ";

/// The trace in lines, cut in the middle if there are too many.
pub fn trace_text(reported: &ReportedTrace, view: &TraceView) -> String {
    let trace = match reported {
        ReportedTrace::Found(trace) => trace,
        ReportedTrace::NoPath => {
            return format!("{INDENT}no single path shows it; `{}` does\n", view.command);
        }
        ReportedTrace::NotWithinLimits => {
            return format!(
                "{INDENT}no trace was found within its share of time and memory: `{}`\n",
                view.command
            );
        }
    };
    let lines = lines(trace, view.width);
    let mut shown: Vec<String> = match view.lines {
        most if most > 0 && lines.len() > most => {
            let (head, tail) = (most - most / 3, most / 3);
            let left = lines.len() - head - tail;
            let rest = format!("… {left} more lines, which --trace-lines 0 shows");
            let (first, last) = (&lines[..head], &lines[lines.len() - tail..]);
            [first, &[view.colour.dim(rest)], last].concat()
        }
        _ => lines,
    };
    if trace.is_prefix {
        shown.push(format!("no single path shows the rest; `{}` does", view.command));
    }
    shown.iter().map(|line| format!("{INDENT}{}\n", visible(line))).collect()
}

/// All steps of a trace, with remarks on the states by their numbers.
pub(crate) fn trace_lines(
    trace: &Trace,
    width: usize,
    remarks: &dyn Fn(usize) -> Vec<String>,
) -> String {
    let lines = steps(trace, width, remarks);
    lines.iter().map(|line| format!("  {}\n", visible(line))).collect()
}

fn lines(trace: &Trace, width: usize) -> Vec<String> {
    let mut lines = steps(trace, width, &|_| Vec::new());
    let margin = " ".repeat(digits(trace) + 2);
    let last = trace.states.last().filter(|_| trace.loop_start.is_none());
    for decided in last.iter().flat_map(|last| &last.decided) {
        let reported = format!("{margin}`{}` is {} here", decided.subformula, decided.value);
        wrap(&reported, margin.len(), width, &mut lines);
    }
    lines
}

/// The width of the largest number of a step.
fn digits(trace: &Trace) -> usize {
    trace.states.len().saturating_sub(1).to_string().len()
}

fn steps(trace: &Trace, width: usize, remarks: &dyn Fn(usize) -> Vec<String>) -> Vec<String> {
    let digits = digits(trace);
    let margin = " ".repeat(digits + 2);
    let mut lines = Vec::new();
    let files: HashSet<&str> =
        trace.steps.iter().filter_map(|s| Some(&*s.location.as_ref()?.file)).collect();
    let cause = |step: &TraceStep| cause(step, files.len() > 1);
    for number in 0..trace.states.len() {
        let step = trace.step_to(number).map(&cause).unwrap_or_default();
        let changed = list(trace.changed(number));
        let reported = match (step.is_empty(), changed.is_empty()) {
            (true, true) if number > 0 => "nothing changes".to_owned(),
            (true, _) => changed,
            (false, true) => step,
            (false, false) => format!("{step}; {changed}"),
        };
        wrap(&format!("{number:>digits$}: {reported}"), digits + 2, width, &mut lines);
        for remark in remarks(number) {
            wrap(&format!("{margin}{remark}"), digits + 2, width, &mut lines);
        }
    }
    if let Some(start) = trace.loop_start {
        let step = trace.closing_step().map(&cause).filter(|step| !step.is_empty());
        let step = step.map_or(String::new(), |step| format!("{step}; "));
        wrap(&format!("{margin}{step}back to step {start}"), digits + 2, width, &mut lines);
    }
    lines
}

/// The cause of a step: the process and its statement with its file and line, the action, the inputs.
pub fn step_text(step: &TraceStep) -> String {
    cause(step, true)
}

fn cause(step: &TraceStep, names_files: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    let statement = |process: &str, text: &str, location: &Option<TraceLocation>| {
        let process = if process.is_empty() { String::new() } else { format!("{process}: ") };
        let location = location.as_ref().map(|place| match names_files {
            true => format!(" ({}:{})", place.file, place.line),
            false => format!(" (line {})", place.line),
        });
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

/// Breaks a line at blanks; the lines that follow are indented.
fn wrap(text: &str, indent: usize, width: usize, lines: &mut Vec<String>) {
    let room = width.saturating_sub(INDENT.len()).max(20);
    let mut rest = text.to_owned();
    while rest.chars().count() > room {
        let end = rest.char_indices().nth(room).map_or(rest.len(), |(at, _)| at);
        let Some(at) = rest[..end].rfind(", ").filter(|&at| at > indent) else { break };
        lines.push(rest[..=at].to_owned());
        rest = format!("{}{}", " ".repeat(indent), &rest[at + 2..]);
    }
    lines.push(rest);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use logic::Truth;
    use logic::evidence::{DecidedSubformula, TraceState};

    fn view(lines: usize) -> TraceView {
        let command = "tertium explain m.smv --property safe".to_owned();
        TraceView { colour: Colour::Off, lines, width: 100, command }
    }

    pub fn counter(states: i64) -> Trace {
        let state = |x: i64| TraceState {
            values: vec![("x".into(), TraceValue::Int(x)), ("up".into(), TraceValue::Bool(true))],
            ..TraceState::default()
        };
        let input = vec![("go".to_owned(), TraceValue::Bool(true))];
        let step = TraceStep { inputs: input, ..TraceStep::default() };
        Trace {
            states: (0..states).map(state).collect(),
            steps: vec![step; states as usize - 1],
            ..Trace::default()
        }
    }

    #[test]
    fn only_changes_are_reported() {
        let mut trace = counter(3);
        let decided = DecidedSubformula { subformula: "x < 2".into(), value: Truth::False };
        trace.states[2].decided.push(decided);
        assert_eq!(
            trace_text(&ReportedTrace::Found(Box::new(trace)), &view(30)),
            "         0: x = 0, up = true\n         1: input go = true; x = 1\n\
             \x20        2: input go = true; x = 2\n            `x < 2` is false here\n"
        );
    }

    #[test]
    fn a_long_trace_is_cut_in_the_middle() {
        let text = trace_text(&ReportedTrace::Found(Box::new(counter(100))), &view(30));
        assert_eq!(text.lines().count(), 31);
        assert!(text.contains("… 70 more lines, which --trace-lines 0 shows"));
        assert!(text.ends_with("99: input go = true; x = 99\n"));
        let all = trace_text(&ReportedTrace::Found(Box::new(counter(100))), &view(0));
        assert_eq!(all.lines().count(), 100);
    }
}
