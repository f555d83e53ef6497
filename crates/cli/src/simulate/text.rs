//! Lines that a simulation shows.

use std::fmt::Write;
use tertium::{SimulatedStep, Simulator, TraceState, TraceValue};

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
    for location in simulator.locations() {
        let process = match &*location.process {
            "" => String::new(),
            name => format!("{name} "),
        };
        lines.push(match &*location.statement {
            "" => format!("  {process}at its end, line {}", location.line),
            statement => format!("  {process}at line {}: {statement}", location.line),
        });
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
    let width = choices.len().to_string().len();
    let line = |(number, choice): (usize, &SimulatedStep)| {
        let reported = reported(choice);
        let target = match &now {
            Some(now) => changed(now, &choice.target),
            None => listed(&choice.target.values),
        };
        let between = if reported.is_empty() { "" } else { "; " };
        format!("  {:>width$}: {reported}{between}{target}", number + 1)
    };
    choices.iter().enumerate().map(line).collect()
}

/// The step, and how sure it is.
fn reported(choice: &SimulatedStep) -> String {
    let mut parts = vec![report::step_text(&choice.step)];
    if choice.is_must_only {
        parts.push("must only".to_owned());
    }
    if !choice.sampled.is_empty() {
        parts.push(format!("or another {}", choice.sampled.join(", ")));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// A note on the last step, if a partial model says only that it may be there.
pub fn taken(simulator: &mut Simulator) -> String {
    match simulator.last_step().is_some_and(|step| step.is_may_only) {
        true => format!("note: step {} may be there or not\n", simulator.depth()),
        false => String::new(),
    }
}

/// The walk so far, the changed variables only.
pub fn trace(simulator: &mut Simulator) -> String {
    let trace = simulator.trace();
    let mut text = String::new();
    for number in 0..trace.states.len() {
        let shown = match number.checked_sub(1) {
            Some(before) => changed(&trace.states[before], &trace.states[number]),
            None => listed(&trace.states[number].values),
        };
        let step = trace.step_to(number).map(report::step_text).unwrap_or_default();
        let between = if step.is_empty() { "" } else { "; " };
        let _ = writeln!(text, "{number}: {step}{between}{shown}");
    }
    let may_only = trace.steps.iter().filter(|step| step.is_may_only).count();
    if may_only > 0 {
        let _ =
            writeln!(text, "note: {} of the walk may be there or not", counted(may_only, "step"));
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
    if values.is_empty() { "nothing changes".to_owned() } else { listed(&values) }
}
