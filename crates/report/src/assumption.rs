//! An assumption, for people and for scripts: what stands for what, what still matters, and the verdict.

use crate::json::TOOL;
use crate::style::Colour;
use crate::visible::visible;
use assume::{Ended, ErrorRun, Made, Point};
use logic::Truth;
use model::{Model, System};
use serde::Serialize;
use std::fmt::Write;

/// As many states of a class, or actions, as somebody wants to read.
const NAMED: usize = 8;
const NAMED_ACTIONS: usize = 16;

/// A process and the assumption that was made for it.
pub struct Assumed<'a> {
    pub process: &'a Model,
    pub assumption: &'a Model,
    pub made: &'a Made,
}

/// Which actions of a process an assumption still needs to know apart.
#[derive(Serialize)]
struct Actions<'a> {
    /// Those that are impossible in some class, or lead from one class to another.
    matter: Vec<&'a str>,
    /// Those that every class has, each to itself only.
    free: Vec<&'a str>,
}

/// A class and what it merges.
#[derive(Serialize)]
struct Class {
    name: String,
    states: Vec<String>,
}

fn actions_of(assumption: &Model) -> Actions<'_> {
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

fn classes_of(assumed: &Assumed) -> Vec<Class> {
    let states = assumed.members().into_iter().zip(0..);
    states
        .map(|(states, class)| Class { name: assumed.assumption.state_name(class), states })
        .collect()
}

fn how_it_ended(made: &Made) -> String {
    let steps = match made.steps {
        0 => "without a step".to_owned(),
        1 => "after 1 step".to_owned(),
        steps => format!("after {steps} steps"),
    };
    match made.ended {
        Ended::Complete => format!("complete {steps}"),
        Ended::Steps => format!("ended {steps}, as asked; more steps may make it smaller"),
        Ended::Flat if made.equivalence.holds.is_some() => {
            format!("ended {steps}, with the verdict known")
        }
        Ended::Flat => format!("ended {steps}, where it hardly got smaller"),
        Ended::Stopped(stopped) => {
            format!("ended {steps}: {stopped}; sound, but more steps may make it smaller")
        }
    }
}

impl Assumed<'_> {
    /// By class: the names of its states.
    pub fn members(&self) -> Vec<Vec<String>> {
        let mut members = vec![Vec::new(); self.assumption.states()];
        for (&class, state) in self.made.equivalence.class_of.iter().zip(0..) {
            members[class as usize].push(self.process.state_name(state));
        }
        members
    }

    /// How much stands for how much, and how that was found.
    pub fn headline(&self, colour: Colour) -> String {
        format!(
            "{}  {} for {}; {}\n",
            colour.bold(visible(&self.process.name)),
            count(self.assumption.states(), "state stands", "states stand"),
            count(self.process.states(), "state", "states"),
            how_it_ended(self.made),
        )
    }

    /// The classes, what each merges, and which actions still matter.
    pub fn to_text(&self, colour: Colour) -> String {
        let mut text = self.headline(colour);
        text.push('\n');
        let classes = classes_of(self);
        let name_of = |class: &Class| visible(&class.name).chars().count();
        let width = classes.iter().map(name_of).max().unwrap_or(0).max("class".len());
        let head = format!("  {:width$}  states  which are", "class");
        _ = writeln!(text, "{}", colour.dim(head));
        for class in &classes {
            let name = visible(&class.name);
            let pad = " ".repeat(width - name.chars().count());
            let (many, some) = (class.states.len(), some(&class.states, NAMED));
            _ = writeln!(text, "  {name}{pad}  {many:>6}  {some}");
        }
        let Actions { matter, free } = actions_of(self.assumption);
        text.push('\n');
        for (title, names) in
            [("these actions matter", matter), ("these actions do not matter", free)]
        {
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
        let is_last = if at + 1 == run.steps.len() { "  ← not allowed" } else { "" };
        _ = writeln!(text, "  {:>5}  {shown}  {}{is_last}", at + 1, moved.join(", "));
    }
    text
}

/// How the size of the assumption went down, step by step.
pub fn curve_table(curve: &[Point]) -> String {
    let mut text = "   step  classes  environment\n".to_owned();
    for point in curve {
        _ = writeln!(text, "  {:>5}  {:>7}  {:>11}", point.step, point.classes, point.environment);
    }
    text
}

#[derive(Serialize)]
struct Part<'a> {
    process: &'a str,
    states: usize,
    assumption_states: usize,
    steps: u32,
    complete: bool,
    ended: String,
    classes: Vec<Class>,
    actions: Actions<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<Vec<[u64; 3]>>,
}

#[derive(Serialize)]
struct TraceStep<'a> {
    /// Of the start there is none.
    action: Option<&'a str>,
    /// Where everybody is after it.
    state: Vec<String>,
}

/// What `tertium assume --json` prints.
#[derive(Serialize)]
pub struct AssumeDocument<'a> {
    tool: &'static str,
    version: &'a str,
    files: &'a [String],
    property: &'a str,
    logic: &'static str,
    verdict: String,
    method: &'static str,
    reason: Option<String>,
    stats: AssumeStats,
    assumptions: Vec<Part<'a>>,
    trace: Option<Vec<TraceStep<'a>>>,
}

#[derive(Clone, Copy, Serialize)]
pub struct AssumeStats {
    /// With the assumptions in place.
    pub states: Option<usize>,
    pub seconds: f64,
}

/// What is known of the property.
pub struct SafetyVerdict<'a> {
    pub property: &'a str,
    pub verdict: Truth,
    /// Why it is unknown.
    pub reason: Option<String>,
    pub error: Option<(&'a ErrorRun, &'a System)>,
}

impl<'a> AssumeDocument<'a> {
    pub fn new(
        version: &'a str,
        files: &'a [String],
        verdict: &SafetyVerdict<'a>,
        assumed: &[(Assumed<'a>, Option<&[Point]>)],
        stats: AssumeStats,
    ) -> Self {
        Self {
            tool: TOOL,
            version,
            files,
            property: verdict.property,
            logic: "safety",
            verdict: verdict.verdict.to_string(),
            method: "assume",
            reason: verdict.reason.clone(),
            stats,
            assumptions: assumed.iter().map(|(assumed, curve)| part(assumed, *curve)).collect(),
            trace: verdict.error.map(|(run, system)| trace(run, system)),
        }
    }
}

fn part<'a>(assumed: &Assumed<'a>, curve: Option<&[Point]>) -> Part<'a> {
    let numbers =
        |point: &Point| [u64::from(point.step), u64::from(point.classes), point.environment as u64];
    Part {
        process: &assumed.process.name,
        states: assumed.process.states(),
        assumption_states: assumed.assumption.states(),
        steps: assumed.made.steps,
        complete: assumed.made.ended == Ended::Complete,
        ended: how_it_ended(assumed.made),
        classes: classes_of(assumed),
        actions: actions_of(assumed.assumption),
        curve: curve.map(|curve| curve.iter().map(numbers).collect()),
    }
}

fn trace<'a>(run: &'a ErrorRun, system: &System) -> Vec<TraceStep<'a>> {
    let names = |states: &Vec<u32>| {
        let parts = system.components.iter().zip(states);
        parts.map(|(part, &state)| part.model.state_name(state)).collect()
    };
    let actions = [None].into_iter().chain(run.steps.iter().map(|step| Some(&*step.shown)));
    let states = run.states.iter().chain([&run.end]);
    actions.zip(states).map(|(action, state)| TraceStep { action, state: names(state) }).collect()
}

/// What `tertium check --safety` has found.
pub struct SafetyCheck<'a> {
    pub property: &'a str,
    pub verdict: Truth,
    pub reason: Option<String>,
    pub seconds: f64,
    pub states: Option<usize>,
    /// The states of the assumption, and the steps in which it was made.
    pub assumption: Option<(usize, u32)>,
    pub error: Option<(&'a ErrorRun, &'a System)>,
}

#[derive(Serialize)]
struct SafetyStats {
    states: Option<usize>,
    assumption_states: Option<usize>,
    iterations: Option<u32>,
}

#[derive(Serialize)]
struct SafetyEntry<'a> {
    property: &'a str,
    logic: &'static str,
    formula: &'static str,
    verdict: String,
    method: &'static str,
    seconds: f64,
    reason: Option<String>,
    stats: SafetyStats,
    trace: Option<Vec<TraceStep<'a>>>,
}

/// The answer of `tertium check --safety`, in the form that all answers of `check` have.
#[derive(Serialize)]
pub struct SafetyCheckDocument<'a> {
    tool: &'static str,
    version: &'a str,
    files: &'a [String],
    results: [SafetyEntry<'a>; 1],
}

impl<'a> SafetyCheckDocument<'a> {
    pub fn new(version: &'a str, files: &'a [String], checked: &SafetyCheck<'a>) -> Self {
        let entry = SafetyEntry {
            property: checked.property,
            logic: "safety",
            formula: "",
            verdict: checked.verdict.to_string(),
            method: if checked.assumption.is_some() { "assume" } else { "direct" },
            seconds: checked.seconds,
            reason: checked.reason.clone(),
            stats: SafetyStats {
                states: checked.states,
                assumption_states: checked.assumption.map(|(states, _)| states),
                iterations: checked.assumption.map(|(_, steps)| steps),
            },
            trace: checked.error.map(|(run, system)| trace(run, system)),
        };
        Self { tool: TOOL, version, files, results: [entry] }
    }
}
