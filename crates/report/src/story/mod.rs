//! A way through a program, as text and as JSON.

mod argument;

use crate::explanation::{Head, View, heading};
use crate::rows::{Row, rows};
use crate::style::Colour;
use crate::to_json;
use crate::visible::visible;
pub use argument::{HeldAt, MeasuredAt, StoryArgument};
use logic::Truth;
use serde::Serialize;
use std::fmt::Write;

/// What is on the way.
#[derive(Clone, Debug)]
pub enum StorySteps {
    /// Commands of a program that are done.
    Commands(Vec<StoryStep>),
    /// States of a model.
    States(Vec<StoryState>),
}

/// A state on the way, and what is done next.
#[derive(Clone, Debug)]
pub struct StoryStep {
    /// In the file; `None` where something has gone wrong.
    pub line: Option<usize>,
    /// What is done next, or that something has gone wrong.
    pub command: String,
    /// All variables and their values.
    pub values: Vec<(String, String)>,
    pub remarks: Vec<String>,
}

/// A state on the way.
#[derive(Clone, Debug)]
pub struct StoryState {
    /// All variables and their values.
    pub values: Vec<(String, String)>,
    /// Those of the step that leads on, as far as they matter.
    pub inputs: Vec<(String, String)>,
    pub remarks: Vec<String>,
}

/// Why a verdict on a program is what it is.
#[derive(Clone, Debug)]
pub struct ProgramStory {
    pub verdict: Truth,
    pub steps: StorySteps,
    pub back_to: Option<usize>,
    pub is_cut: bool,
    /// From the last step the way goes on for ever as from this one before, with other values, wherever this holds.
    pub goes_on: Option<(usize, Vec<String>)>,
    /// From the last step the way goes on for ever, by the same commands or by others.
    pub goes_on_otherwise: bool,
    /// Whether the way is one of many that are needed.
    pub is_example: bool,
    /// Why it is so whichever way the program goes, from the last step or from its start.
    pub argument: Option<StoryArgument>,
    /// Why it is unknown.
    pub reason: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    shape: &'static str,
    tool: &'static str,
    version: &'a str,
    files: &'a [String],
    property: &'a str,
    logic: &'static str,
    formula: &'a str,
    verdict: String,
    reason: Option<&'a str>,
    steps: Vec<Step<'a>>,
    /// The number of the step, from 0, that the way goes on with after the last.
    back_to: Option<usize>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    goes_on: Option<GoesOn<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    goes_on_otherwise: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<&'a StoryArgument>,
}

#[derive(Serialize)]
struct GoesOn<'a> {
    /// The number of a step, from 0.
    like: usize,
    wherever: &'a [String],
}

#[derive(Serialize)]
struct Step<'a> {
    #[serde(flatten)]
    doing: Doing<'a>,
    values: Values,
    remarks: &'a [String],
}

#[derive(Serialize)]
#[serde(untagged)]
enum Doing<'a> {
    Command { line: Option<usize>, command: &'a str },
    Inputs { inputs: Values },
}

type Values = serde_json::Map<String, serde_json::Value>;

/// Of a longer way, so many steps are shown from its beginning and from its end.
const SHOWN: usize = 60;

impl ProgramStory {
    /// A verdict without a story.
    pub fn new(verdict: Truth, steps: StorySteps) -> Self {
        Self {
            verdict,
            steps,
            back_to: None,
            is_cut: false,
            goes_on: None,
            goes_on_otherwise: false,
            is_example: false,
            argument: None,
            reason: None,
        }
    }

    pub fn to_text(&self, head: &Head, colour: Colour) -> String {
        let mut out = self.heading(head, colour);
        if let Some(reason) = &self.reason {
            let _ = writeln!(out, "{}", visible(reason));
        }
        if !self.steps.is_empty() {
            out.push('\n');
            match &self.steps {
                StorySteps::Commands(steps) => write_steps(&mut out, steps),
                StorySteps::States(states) => self.write_states(&mut out, states),
            }
            self.write_end(&mut out);
        }
        if let Some(argument) = &self.argument {
            let from = match (self.is_example, self.steps.is_empty()) {
                (true, _) => "that is one example; ",
                (false, false) => "from there on, ",
                (false, true) => "",
            };
            argument.write(&mut out, from, self.is_example);
        }
        out
    }

    fn heading(&self, head: &Head, colour: Colour) -> String {
        match self.steps {
            StorySteps::Commands(_) => {
                let name = colour.bold(visible(head.property).into_owned());
                let verdict = colour.truth(self.verdict, self.verdict.to_string());
                format!("{name} is {verdict}: {}\n", visible(head.formula))
            }
            StorySteps::States(_) => heading(head, self.verdict, View { colour, width: 100 }),
        }
    }

    /// The state that it comes back to stands at the end again.
    fn write_states(&self, out: &mut String, states: &[StoryState]) {
        let (first, none) = (Vec::new(), [].as_slice());
        let inputs = std::iter::once(&first).chain(states.iter().map(|state| &state.inputs));
        let back = self.back_to.map(|back| (&states[back].values, none));
        let all = states.iter().map(|state| (&state.values, &state.remarks[..])).chain(back);
        let row = |(inputs, (values, remarks))| Row {
            inputs: pairs(inputs),
            values: pairs(values),
            remarks,
        };
        out.push_str(&rows(&inputs.zip(all).map(row).collect::<Vec<_>>(), self.back_to, SHOWN));
    }

    fn write_end(&self, out: &mut String) {
        let is_program = matches!(self.steps, StorySteps::Commands(_));
        if let (Some(back), true) = (self.back_to, is_program) {
            let _ = writeln!(out, "       and on from step {} again, for ever", back + 1);
        }
        if let Some((like, wherever)) = &self.goes_on {
            let wherever = match &wherever[..] {
                [] => "always".to_owned(),
                all if is_program => format!("wherever {} here", quoted(all)),
                all => format!("wherever {}", quoted(all)),
            };
            let like = match is_program {
                true => format!("       and so on, for ever: as from step {}", like + 1),
                false => format!("  and so on, for ever: as from state 1.{}", like + 1),
            };
            let _ = writeln!(
                out,
                "{like}, with other values; it can go on like this {}",
                visible(&wherever)
            );
        }
        if self.goes_on_otherwise {
            let indent = if is_program { "       " } else { "  " };
            let _ = writeln!(out, "{indent}and so on, for ever, like this or otherwise");
        }
        if self.is_cut {
            let indent = if is_program { "       " } else { "  " };
            let _ = writeln!(out, "{indent}the way is too long to be shown to its end");
        }
    }

    pub fn to_json(&self, head: &Head) -> String {
        to_json(&Document {
            shape: "story",
            tool: "tertium",
            version: head.version,
            files: head.files,
            property: head.property,
            logic: head.logic,
            formula: head.formula,
            verdict: self.verdict.to_string(),
            reason: self.reason.as_deref(),
            steps: self.steps.documents(),
            back_to: self.back_to,
            complete: !self.is_cut,
            goes_on_otherwise: self.goes_on_otherwise,
            goes_on: self.goes_on.as_ref().map(|(like, wherever)| GoesOn { like: *like, wherever }),
            argument: self.argument.as_ref(),
        })
    }
}

type Assignments = Vec<(String, String)>;

impl StorySteps {
    pub fn is_empty(&self) -> bool {
        match self {
            StorySteps::Commands(steps) => steps.is_empty(),
            StorySteps::States(states) => states.is_empty(),
        }
    }

    fn documents(&self) -> Vec<Step<'_>> {
        match self {
            StorySteps::Commands(steps) => steps.iter().map(StoryStep::document).collect(),
            StorySteps::States(states) => states.iter().map(StoryState::document).collect(),
        }
    }
}

impl StoryStep {
    fn document(&self) -> Step<'_> {
        let Self { line, command, values, remarks } = self;
        Step { doing: Doing::Command { line: *line, command }, values: map(values), remarks }
    }
}

impl StoryState {
    fn document(&self) -> Step<'_> {
        let Self { values, inputs, remarks } = self;
        Step { doing: Doing::Inputs { inputs: map(inputs) }, values: map(values), remarks }
    }
}

fn map(values: &Assignments) -> Values {
    values.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect()
}

fn pairs(values: &Assignments) -> Vec<(&str, &str)> {
    values.iter().map(|(name, value)| (&**name, &**value)).collect()
}

fn write_steps(out: &mut String, steps: &[StoryStep]) {
    let width = steps.iter().map(|step| step.command.chars().count()).max().unwrap_or(0).min(44);
    for (index, step) in steps.iter().enumerate() {
        if index >= SHOWN && index + SHOWN < steps.len() {
            if index == SHOWN {
                let left_out = steps.len() - 2 * SHOWN;
                let _ = writeln!(out, "  … {left_out} more steps (all of them: --json) …");
            }
            continue;
        }
        let before = index.checked_sub(1).map(|index| &steps[index].values);
        write_step(out, (index, step), before, width);
    }
}

fn write_step(
    out: &mut String,
    (index, step): (usize, &StoryStep),
    before: Option<&Assignments>,
    width: usize,
) {
    let is_new = |(name, value): &&(String, String)| {
        before.is_none_or(|before| !before.iter().any(|(other, old)| other == name && old == value))
    };
    let changes: Vec<String> = step
        .values
        .iter()
        .filter(is_new)
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let place = step.line.map_or("     ".to_owned(), |line| format!("{line:>5}"));
    let line = format!("{:>5} {place}  {:width$}  {}", index + 1, step.command, changes.join(", "));
    let _ = writeln!(out, "{}", visible(line.trim_end()));
    for remark in &step.remarks {
        let _ = writeln!(out, "             {}", visible(remark));
    }
}

fn quoted(all: &[String]) -> String {
    all.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(" and ")
}
