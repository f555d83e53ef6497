//! What a simulation shows, as lines.

use std::fmt::Write;
use tertium::{SimulatedStep, Simulator, SourceMap, TraceState, TraceStep, TraceValue, Verdict};

/// More choices are not printed at once.
const MOST_CHOICES: usize = 40;

/// `1 step`, `2 steps`.
pub fn counted(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}

/// The current state, the watched formulas in it, and the steps from it.
pub fn state(simulator: &mut Simulator) -> String {
    let mut text = String::new();
    for line in facts(simulator) {
        text.push_str(&line);
        text.push('\n');
    }
    let lines = choices(simulator);
    let hidden = lines.len().saturating_sub(MOST_CHOICES);
    for line in lines.iter().take(MOST_CHOICES) {
        text.push_str(line);
        text.push('\n');
    }
    if hidden > 0 || simulator.has_more_choices() {
        let more = if simulator.has_more_choices() { " or more" } else { "" };
        let _ = writeln!(
            text,
            "  … {hidden}{more} others: take them by number, at random or with `goto`"
        );
    }
    text
}

/// The current state and what holds in it.
pub fn facts(simulator: &mut Simulator) -> Vec<String> {
    let Some(state) = simulator.state() else {
        return vec!["choose an initial state:".to_owned()];
    };
    let mut lines = vec![format!("state {}: {}", simulator.depth(), listed(&state.values))];
    let labels = simulator.labels();
    if !labels.is_empty() {
        let label = |(name, value): &(String, Verdict)| match value {
            Verdict::True => name.clone(),
            Verdict::False => format!("!{name}"),
            Verdict::Unknown => format!("{name}?"),
        };
        let labels: Vec<String> = labels.iter().map(label).collect();
        lines.push(format!("  labels: {}", labels.join(", ")));
    }
    for location in simulator.locations() {
        let process = match &*location.process {
            "" => String::new(),
            name => format!("{name} "),
        };
        lines.push(format!("  {process}at line {}: {}", location.line, location.statement));
    }
    for watched in simulator.watched() {
        let reason = watched.reason.map(|why| format!(" ({why})")).unwrap_or_default();
        lines.push(format!("  watch {}: {}{reason}", watched.formula, watched.value));
    }
    lines
}

/// The steps that can be taken, one line each.
pub fn choices(simulator: &mut Simulator) -> Vec<String> {
    let now = simulator.state();
    let choices = simulator.choices();
    if choices.is_empty() {
        return vec!["  no step can be taken here".to_owned()];
    }
    let sources = simulator.model().sources().clone();
    let width = choices.len().to_string().len();
    let line = |(number, choice): (usize, &SimulatedStep)| {
        let told = told(choice, &sources);
        let target = match &now {
            Some(now) => changed(now, &choice.target),
            None => listed(&choice.target.values),
        };
        let between = if told.is_empty() { "" } else { "  " };
        format!("  {:>width$}: {told}{between}{target}", number + 1)
    };
    choices.iter().enumerate().map(line).collect()
}

/// What moves, and how sure that is.
fn told(choice: &SimulatedStep, sources: &SourceMap) -> String {
    let mut parts = Vec::new();
    if choice.is_may_only {
        parts.push("may".to_owned());
    } else if choice.is_must_only {
        parts.push("must only".to_owned());
    }
    let is_process = choice.step.process.is_some();
    if !is_process && choice.step.action.is_some() && !choice.movers.is_empty() {
        parts.push(format!("{}:", choice.movers.join(", ")));
    }
    parts.extend(Some(step(&choice.step, sources)).filter(|text| !text.is_empty()));
    if !choice.sampled.is_empty() {
        parts.push(format!("(or another {})", choice.sampled.join(", ")));
    }
    parts.join(" ")
}

/// The process, action, statement and inputs of a step.
fn step(step: &TraceStep, sources: &SourceMap) -> String {
    let line = step.span.map(|span| format!("line {}", sources.position(span).0));
    let inputs = (!step.inputs.is_empty()).then(|| format!("[{}]", listed(&step.inputs)));
    let process = match (&step.process, &step.statement) {
        (Some(process), Some(_)) => Some(format!("{process}:")),
        (process, _) => process.clone(),
    };
    let statement = match (&step.statement, line) {
        (Some(statement), Some(line)) => Some(format!("{statement} ({line})")),
        (statement, _) => statement.clone(),
    };
    let parts = [process, step.action.clone(), statement, inputs];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A note on the last step, if a partial model says only that it may be there.
pub fn taken(simulator: &mut Simulator) -> String {
    let last = simulator.depth().checked_sub(1);
    match last.is_some_and(|last| simulator.may_only_steps().last() == Some(&last)) {
        true => format!("note: step {} may be there or not\n", simulator.depth()),
        false => String::new(),
    }
}

/// The walk so far, the changed variables only.
pub fn trace(simulator: &mut Simulator) -> String {
    let (trace, may_only) = (simulator.trace(), simulator.may_only_steps());
    let sources = simulator.model().sources().clone();
    let mut text = String::new();
    for (number, state) in trace.states.iter().enumerate() {
        let before = number.checked_sub(1);
        let shown = match before.and_then(|before| trace.states.get(before)) {
            Some(before) => changed(before, state),
            None => listed(&state.values),
        };
        if let Some(taken) = before.and_then(|before| trace.steps.get(before)) {
            let may = before.is_some_and(|before| may_only.contains(&before));
            let parts = [if may { "may".to_owned() } else { String::new() }, step(taken, &sources)];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            if !parts.is_empty() {
                let _ = writeln!(text, "   {}", parts.join(" "));
            }
        }
        let _ = writeln!(text, "{number}: {shown}");
    }
    if !may_only.is_empty() {
        let count = counted(may_only.len(), "step");
        let _ = writeln!(text, "note: {count} of the walk may be there or not");
    }
    if simulator.has_jumped() {
        text.push_str("note: the first state may not be reachable\n");
    }
    text
}

fn listed(values: &[(String, TraceValue)]) -> String {
    let texts = values.iter().map(|(name, value)| format!("{name} = {value}"));
    texts.collect::<Vec<_>>().join(", ")
}

/// The variables that are other than before.
fn changed(before: &TraceState, after: &TraceState) -> String {
    let is_new = |(name, value): &&(String, TraceValue)| before.get(name) != Some(value);
    let values: Vec<(String, TraceValue)> = after.values.iter().filter(is_new).cloned().collect();
    if values.is_empty() { "(no change)".to_owned() } else { listed(&values) }
}
