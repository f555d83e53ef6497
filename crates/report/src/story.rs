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
    /// From the last step the way goes on for ever as from this one before, with other values, wherever this holds.
    pub goes_on: Option<(usize, Vec<String>)>,
    /// Whether the way is one of many that are needed.
    pub is_example: bool,
    /// Why it is so whichever way the program goes, from the last step or from its start.
    pub argument: Option<StoryArgument>,
    /// Why it is unknown.
    pub reason: Option<String>,
}

/// What holds wherever a program can come to, and why its loops end.
#[derive(Clone, Debug, Serialize)]
pub struct StoryArgument {
    pub places: Vec<HeldAt>,
    pub measures: Vec<MeasuredAt>,
}

/// What holds whenever a program is at a place.
#[derive(Clone, Debug, Serialize)]
pub struct HeldAt {
    /// The lines of what comes next, in each process.
    pub lines: Vec<usize>,
    pub place: String,
    pub always: Vec<String>,
    /// And all of one of these, if there are some.
    pub cases: Vec<Vec<String>>,
}

/// What gets smaller on the loops through some lines, and is not negative then.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredAt {
    pub measure: String,
    pub lines: Vec<usize>,
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
    line: Option<usize>,
    command: &'a str,
    values: serde_json::Map<String, serde_json::Value>,
    remarks: &'a [String],
}

/// Of a longer way, so many steps are shown from its beginning and from its end.
const SHOWN: usize = 60;

impl ProgramStory {
    /// A verdict without a story.
    pub fn new(verdict: Truth) -> Self {
        Self {
            verdict,
            steps: Vec::new(),
            back_to: None,
            is_cut: false,
            goes_on: None,
            is_example: false,
            argument: None,
            reason: None,
        }
    }

    pub fn to_text(&self, head: &Head, colour: Colour) -> String {
        let name = colour.bold(visible(head.property).into_owned());
        let verdict = colour.truth(self.verdict, self.verdict.to_string());
        let mut out = format!("{name} is {verdict}: {}\n", visible(head.formula));
        if let Some(reason) = &self.reason {
            let _ = writeln!(out, "{}", visible(reason));
        }
        if !self.steps.is_empty() {
            out.push('\n');
            self.write_steps(&mut out);
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

    fn write_steps(&self, out: &mut String) {
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
            self.write_step(out, index, step, width);
        }
        if let Some(back) = self.back_to {
            let _ = writeln!(out, "       and on from step {} again, for ever", back + 1);
        }
        if let Some((like, wherever)) = &self.goes_on {
            let wherever = match &wherever[..] {
                [] => "always".to_owned(),
                all => format!("wherever {} here", quoted(all)),
            };
            let like = like + 1;
            let _ = writeln!(
                out,
                "       and so on, for ever: as from step {like}, with other values; it can go on like this {}",
                visible(&wherever)
            );
        }
        if self.is_cut {
            out.push_str("       the way is too long to be shown to its end\n");
        }
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
            goes_on: self.goes_on.as_ref().map(|(like, wherever)| GoesOn { like: *like, wherever }),
            argument: self.argument.as_ref(),
        })
    }
}

/// More cases than these are counted only.
const MOST_CASES: usize = 4;

impl StoryArgument {
    fn write(&self, out: &mut String, from: &str, is_example: bool) {
        let _ = writeln!(out, "\n{from}whichever way it goes, this holds:");
        let width = self.places.iter().map(|held| held.place.chars().count()).max().unwrap_or(0);
        for HeldAt { place, always, cases, .. } in &self.places {
            let mut lines = Vec::new();
            if !always.is_empty() {
                lines.push(always.join(", "));
            }
            match cases.len() {
                0 => {}
                1..=MOST_CASES => {
                    let case = |case: &Vec<String>| case.join(", ");
                    let cases: Vec<String> = cases.iter().map(case).collect();
                    lines.push(cases.join("; or "));
                }
                count => lines.push(format!("one of {count} cases (all of them: --json)")),
            }
            if lines.is_empty() {
                lines.push("anything".to_owned());
            }
            for (number, line) in lines.iter().enumerate() {
                let place = if number == 0 { place } else { "" };
                let _ = writeln!(out, "  {}", visible(&format!("{place:width$}  {line}")));
            }
        }
        let measure = |MeasuredAt { measure, lines }: &MeasuredAt| {
            let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
            format!("`{measure}` (lines {})", lines.join(", "))
        };
        let measures: Vec<String> = self.measures.iter().map(measure).collect();
        if !measures.is_empty() {
            let makes = if is_example { "can make" } else { "makes" };
            let told = format!(
                "until that is settled, each time round {makes} one of these smaller, \
                 which is not negative then: {}",
                measures.join(", ")
            );
            let _ = writeln!(out, "{}", visible(&told));
        }
    }
}

fn quoted(all: &[String]) -> String {
    all.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(" and ")
}
