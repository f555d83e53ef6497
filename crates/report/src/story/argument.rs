//! Why something is so whichever way a program goes.

use crate::visible::visible;
use serde::Serialize;
use std::fmt::Write;

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

/// What gets smaller on the loops through some lines or places, and is not negative then.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredAt {
    pub measure: String,
    pub lines: Vec<usize>,
    /// Instead of lines, where there are none; none if it is so at all places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
}

/// More cases than these are counted only.
const MOST_CASES: usize = 4;

impl StoryArgument {
    pub(super) fn write(&self, out: &mut String, from: &str, is_example: bool) {
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
        let measures: Vec<String> = self.measures.iter().map(MeasuredAt::text).collect();
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

impl MeasuredAt {
    fn text(&self) -> String {
        let Self { measure, lines, places } = self;
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        match (&lines[..], &places[..]) {
            ([], []) => format!("`{measure}`"),
            ([], places) => format!("`{measure}` (where {})", places.join("; ")),
            (lines, _) => format!("`{measure}` (lines {})", lines.join(", ")),
        }
    }
}
