//! A way through a program, as text and as JSON.

use crate::explanation::Head;
use crate::style::Colour;
use crate::to_json;
use crate::visible::visible;
use logic::Truth;
use serde::Serialize;
use std::fmt::Write;

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

/// Why a verdict on a program is what it is.
#[derive(Clone, Debug)]
pub struct ProgramStory {
    pub verdict: Truth,
    pub steps: Vec<StoryStep>,
    pub back_to: Option<usize>,
    pub is_cut: bool,
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
}

#[derive(Serialize)]
struct Step<'a> {
    line: Option<usize>,
    command: &'a str,
    values: serde_json::Map<String, serde_json::Value>,
    remarks: &'a [String],
}

/// Of a longer way, so many steps are shown from its beginning and from its end.
const SHOWN: usize = 60;

impl ProgramStory {
    pub fn to_text(&self, head: &Head, colour: Colour) -> String {
        let name = colour.bold(visible(head.property).into_owned());
        let verdict = colour.truth(self.verdict, self.verdict.to_string());
        let mut out = format!("{name} is {verdict}: {}\n", visible(head.formula));
        if let Some(reason) = &self.reason {
            let _ = writeln!(out, "{}", visible(reason));
        }
        if self.steps.is_empty() {
            return out;
        }
        out.push('\n');
        let width =
            self.steps.iter().map(|step| step.command.chars().count()).max().unwrap_or(0).min(44);
        for (index, step) in self.steps.iter().enumerate() {
            if index >= SHOWN && index + SHOWN < self.steps.len() {
                if index == SHOWN {
                    let left_out = self.steps.len() - 2 * SHOWN;
                    let _ = writeln!(out, "  … {left_out} more steps (all of them: --json) …");
                }
                continue;
            }
            self.write_step(&mut out, index, step, width);
        }
        if let Some(back) = self.back_to {
            let _ = writeln!(out, "       and on from step {} again, for ever", back + 1);
        }
        if self.is_cut {
            out.push_str("       the way is too long to be shown to its end\n");
        }
        out
    }

    fn write_step(&self, out: &mut String, index: usize, step: &StoryStep, width: usize) {
        let before = index.checked_sub(1).map(|index| &self.steps[index].values);
        let is_new = |(name, value): &&(String, String)| {
            before.is_none_or(|before| {
                !before.iter().any(|(other, old)| other == name && old == value)
            })
        };
        let changes: Vec<String> = step
            .values
            .iter()
            .filter(is_new)
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let place = step.line.map_or("     ".to_owned(), |line| format!("{line:>5}"));
        let line =
            format!("{:>5} {place}  {:width$}  {}", index + 1, step.command, changes.join(", "));
        let _ = writeln!(out, "{}", visible(line.trim_end()));
        for remark in &step.remarks {
            let _ = writeln!(out, "             {}", visible(remark));
        }
    }

    pub fn to_json(&self, head: &Head) -> String {
        let step = |step: &'_ StoryStep| -> serde_json::Map<String, serde_json::Value> {
            step.values.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect()
        };
        let steps = self.steps.iter().map(|one| Step {
            line: one.line,
            command: &one.command,
            values: step(one),
            remarks: &one.remarks,
        });
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
            steps: steps.collect(),
            back_to: self.back_to,
            complete: !self.is_cut,
        })
    }
}
