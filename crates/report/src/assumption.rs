//! An assumption, for people and for scripts: what stands for what, what still matters, and the verdict.

use crate::json::document;
use crate::style::Colour;
use crate::trace::trace_json;
use crate::visible::visible;
use assume::{EndReason, ErrorRun, JointStep, Progress, SynthesisResult};
use logic::Truth;
use logic::evidence::{Trace, TraceState, TraceStep, TraceValue};
use model::{PartialModel, System};
use serde_json::{Value, json};
use std::fmt::Write;

/// The most states of a class, or actions, that are listed.
const NAMED: usize = 8;
const NAMED_ACTIONS: usize = 16;

/// A process and the assumption that was made for it.
pub struct AssumedProcess<'a> {
    pub process: &'a PartialModel,
    pub assumption: &'a PartialModel,
    pub made: &'a SynthesisResult,
}

/// Which actions of a process an assumption still needs to know apart.
struct Actions<'a> {
    /// Those that are impossible in some class, or lead from one class to another.
    matter: Vec<&'a str>,
    /// Those that every class has, each to itself only.
    free: Vec<&'a str>,
}

fn actions_of(assumption: &PartialModel) -> Actions<'_> {
    let states = assumption.states() as u32;
    let stays = |action: model::ActionId| {
        (0..states).all(|state| {
            let mut own =
                assumption.edges().out(state).filter(|(_, class)| class.action == Some(action));
            own.next().is_some_and(|(target, _)| target == state) && own.next().is_none()
        })
    };
    let mut actions = Actions { matter: Vec::new(), free: Vec::new() };
    for (action, name) in assumption.actions().iter() {
        if stays(action) { actions.free.push(name) } else { actions.matter.push(name) }
    }
    actions
}

fn how_it_ended(made: &SynthesisResult) -> String {
    let steps = match made.steps {
        0 => "without refinement".to_owned(),
        1 => "after 1 refinement step".to_owned(),
        steps => format!("after {steps} refinement steps"),
    };
    match made.ended {
        EndReason::Complete => format!("complete {steps}"),
        EndReason::Steps => format!("stopped {steps} as requested; more steps may make it smaller"),
        EndReason::Flat if made.equivalence.holds.is_some() => {
            format!("stopped {steps}, with the verdict known")
        }
        EndReason::Flat => format!("stopped {steps}, where its size no longer decreased"),
        EndReason::Stopped(stopped) => {
            format!("stopped {steps}: {stopped}; sound, but more steps may make it smaller")
        }
    }
}

impl AssumedProcess<'_> {
    /// By class: the names of its states.
    pub fn members(&self) -> Vec<Vec<String>> {
        let mut members = vec![Vec::new(); self.assumption.states()];
        for (&class, state) in self.made.equivalence.class_of.iter().zip(0..) {
            members[class as usize].push(self.process.state_name(state));
        }
        members
    }

    /// The classes, and the names of the states that each merges.
    fn classes(&self) -> Vec<(String, Vec<String>)> {
        let name = |(states, class)| (self.assumption.state_name(class), states);
        self.members().into_iter().zip(0..).map(name).collect()
    }

    /// How much stands for how much, and how that was found.
    pub fn headline(&self, colour: Colour) -> String {
        format!(
            "{}  {} in place of {}; {}\n",
            colour.bold(visible(&self.process.name)),
            count(self.assumption.states(), "state", "states"),
            count(self.process.states(), "state", "states"),
            how_it_ended(self.made),
        )
    }

    /// The classes, what each merges, and which actions still matter.
    pub fn to_text(&self, colour: Colour) -> String {
        let mut text = self.headline(colour);
        text.push('\n');
        let classes = self.classes();
        let name_of = |(name, _): &(String, _)| visible(name).chars().count();
        let width = classes.iter().map(name_of).max().unwrap_or(0).max("class".len());
        let head = format!("  {:width$}  states  members", "class");
        _ = writeln!(text, "{}", colour.dim(head));
        for (name, states) in &classes {
            let name = visible(name);
            let pad = " ".repeat(width - name.chars().count());
            let (many, some) = (states.len(), some(states, NAMED));
            _ = writeln!(text, "  {name}{pad}  {many:>6}  {some}");
        }
        let Actions { matter, free } = actions_of(self.assumption);
        text.push('\n');
        for (title, names) in [("constrained actions", matter), ("unconstrained actions", free)] {
            if !names.is_empty() {
                _ = writeln!(text, "  {title}: {}", some(&names, NAMED_ACTIONS));
            }
        }
        text
    }
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn some(names: &[impl AsRef<str>], most: usize) -> String {
    let shown = |name: &_| visible(AsRef::as_ref(name)).into_owned();
    let mut named: Vec<String> = names.iter().take(most).map(shown).collect();
    if names.len() > most {
        named.push(format!("… ({} more)", names.len() - most));
    }
    named.join(", ")
}

/// The verdict, one line.
pub fn safety_line(safety: &str, verdict: Truth, why: &str, colour: Colour) -> String {
    let value = colour.truth(verdict, format!("{:8}", verdict.to_string()));
    format!("{value} {}  {why}\n", colour.bold(visible(safety)))
}

/// A run into an error: in each line what is done, by whom, and who is where after it.
pub fn error_trace(run: &ErrorRun, system: &System, colour: Colour) -> String {
    let name = |part: usize, state: u32| {
        let model = &system.components[part].model;
        format!("{}: {}", visible(&model.name), visible(&model.state_name(state)))
    };
    let parts = system.components.len();
    let start: Vec<String> = (0..parts).map(|part| name(part, run.states[0][part])).collect();
    let mut text = format!("  {}  {}\n", colour.dim("start"), start.join(", "));
    for (at, step) in run.steps.iter().enumerate() {
        let after = run.states.get(at + 1).unwrap_or(&run.end);
        let moved: Vec<String> =
            step.parts.iter().map(|&(part, _)| name(part, after[part])).collect();
        let shown = colour.bold(visible(&step.shown));
        let is_last = if at + 1 == run.steps.len() { "  ← violates the property" } else { "" };
        _ = writeln!(text, "  {:>5}  {shown}  {}{is_last}", at + 1, moved.join(", "));
    }
    text
}

/// How the size of the assumption went down, step by step.
pub fn curve_table(curve: &[Progress]) -> String {
    let mut text = "   step  classes  environment\n".to_owned();
    for point in curve {
        _ = writeln!(text, "  {:>5}  {:>7}  {:>11}", point.step, point.classes, point.environment);
    }
    text
}

/// The verdict on a safety property.
pub struct SafetyVerdict<'a> {
    pub property: &'a str,
    pub verdict: Truth,
    /// Why it is unknown.
    pub reason: Option<String>,
    pub error: Option<(&'a ErrorRun, &'a System)>,
}

/// The document of `tertium assume --json`. The states are those with the assumptions in place.
pub fn assume_document(
    version: &str,
    files: &[String],
    verdict: &SafetyVerdict,
    assumed: &[(AssumedProcess, Option<&[Progress]>)],
    (states, seconds): (Option<usize>, f64),
) -> Value {
    let mut document = document(version, files);
    document["property"] = json!(verdict.property);
    document["logic"] = json!("safety");
    document["verdict"] = json!(verdict.verdict.to_string());
    document["method"] = json!("assume");
    document["seconds"] = json!(seconds);
    document["reason"] = json!(verdict.reason);
    document["stats"] = json!({ "states": states });
    document["assumptions"] = assumed.iter().map(|(one, curve)| part(one, *curve)).collect();
    document["trace"] = verdict.error.map(|(run, system)| trace_json(&trace(run, system))).into();
    document
}

fn part(assumed: &AssumedProcess, curve: Option<&[Progress]>) -> Value {
    let Actions { matter, free } = actions_of(assumed.assumption);
    let classes = assumed.classes();
    let classes = classes.iter().map(|(name, states)| json!({ "name": name, "states": states }));
    let mut part = json!({
        "process": assumed.process.name,
        "states": assumed.process.states(),
        "assumption_states": assumed.assumption.states(),
        "steps": assumed.made.steps,
        "complete": assumed.made.ended == EndReason::Complete,
        "status": how_it_ended(assumed.made),
        "classes": classes.collect::<Value>(),
        "actions": { "constrained": matter, "unconstrained": free },
    });
    if let Some(curve) = curve {
        let progress =
            |progress: &Progress| json!([progress.step, progress.classes, progress.environment]);
        part["curve"] = curve.iter().map(progress).collect();
    }
    part
}

/// The states of the processes, and the actions between them.
fn trace(run: &ErrorRun, system: &System) -> Trace {
    let state = |states: &Vec<u32>| {
        let parts = system.components.iter().zip(states);
        let named = parts.map(|(part, &state)| {
            (part.model.name.clone(), TraceValue::Symbol(part.model.state_name(state)))
        });
        TraceState { values: named.collect(), ..TraceState::default() }
    };
    let step = |step: &JointStep| TraceStep {
        action: Some(step.shown.clone()),
        components: step
            .parts
            .iter()
            .map(|&(part, _)| system.components[part].model.name.clone())
            .collect(),
        ..TraceStep::default()
    };
    Trace {
        states: run.states.iter().chain([&run.end]).map(state).collect(),
        steps: run.steps.iter().map(step).collect(),
        ..Trace::default()
    }
}

/// The result of `tertium check --safety`.
pub struct SafetyCheck<'a> {
    pub verdict: SafetyVerdict<'a>,
    pub seconds: f64,
    pub states: Option<usize>,
    /// The states of the assumption, and the steps in which it was made.
    pub assumption: Option<(usize, u32)>,
}

/// The answer of `tertium check --safety`, in the form that all answers of `check` have.
pub fn safety_document(version: &str, files: &[String], checked: &SafetyCheck) -> Value {
    let SafetyCheck { verdict, seconds, states, assumption } = checked;
    let file = match files {
        [only] => Some(only),
        _ => None,
    };
    let entry = json!({
        "property": verdict.property,
        "logic": "safety",
        "formula": "",
        "file": file,
        "line": null,
        "column": null,
        "verdict": verdict.verdict.to_string(),
        "method": if assumption.is_some() { "assume" } else { "direct" },
        "seconds": seconds,
        "reason": verdict.reason,
        "stats": {
            "states": states,
            "assumption_states": assumption.map(|(states, _)| states),
            "iterations": assumption.map(|(_, steps)| steps),
        },
        "trace": verdict.error.map(|(run, system)| trace_json(&trace(run, system))),
    });
    let mut document = document(version, files);
    document["results"] = json!([entry]);
    document
}
