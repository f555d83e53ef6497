//! A run that was found by search: its states, what matters in them, and how it goes on.

use super::ExplanationHead;
use super::text::{TextView, heading};
use crate::sentence;
use crate::trace::trace_lines;
use crate::visible::visible;
use logic::Truth;
use logic::evidence::{
    Assignments, Digest, Justification, LocationInvariant, PathRow, ProofOutline, RankedLoop,
    RunNotes, ShownStatement, UnfoldedEvidence, path,
};
use std::fmt::Write;

/// Of a longer run, so many states are shown from its beginning and from its end.
const SHOWN: usize = 60;
/// More cases than these are counted only.
const MOST_CASES: usize = 4;
/// Before what is said after the last statement, and after the last state.
const INDENTS: [&str; 2] = ["       ", "  "];

pub(crate) fn run(
    head: &ExplanationHead,
    explanation: &UnfoldedEvidence,
    notes: &RunNotes,
    view: TextView,
) -> String {
    let verdict = explanation.verdict;
    let mut out = match notes.has_statements {
        true => {
            let name = view.colour.bold(visible(head.property).into_owned());
            let verdict = view.colour.truth(verdict, verdict.to_string());
            format!("{name} is {verdict}: {}\n", visible(head.formula))
        }
        false => heading(head, verdict, view),
    };
    if let Some(reason) = head.reason {
        let _ = writeln!(out, "{}", visible(&sentence::reason(reason)));
    }
    let is_empty = explanation.roots.is_empty();
    if !is_empty {
        out.push('\n');
        let digest = Digest::new(explanation);
        match path(&digest) {
            Some(path) if !notes.has_statements => {
                let own = explanation.trace_prefix().unwrap_or_default();
                let remarks = |state: usize| remarks(&digest, &path.rows[state]);
                out.push_str(&trace_lines(head.trace.unwrap_or(&own), view.width, &remarks));
            }
            _ => write_statements(&mut out, explanation),
        }
        write_end(&mut out, explanation, notes);
    }
    if let Some(proof) = &notes.proof {
        let from = match (notes.is_example, is_empty) {
            (true, _) => "the trace is one example; ",
            (false, false) => "from there on: ",
            (false, true) => "",
        };
        write_proof(&mut out, proof, from, notes.is_example);
    }
    out
}

/// A state of a run.
pub(crate) struct RunRow<'a> {
    /// Line and text of the statement that is executed next.
    pub statement: Option<(Option<usize>, String)>,
    pub values: &'a Assignments,
    /// Of the step that leads on.
    pub inputs: &'a Assignments,
    pub remarks: Vec<String>,
}

const NOTHING: &Assignments = &Vec::new();

/// The states of a run, and the one that the last leads to again.
pub(crate) fn run_rows(explanation: &UnfoldedEvidence) -> (Vec<RunRow<'_>>, Option<usize>) {
    let digest = Digest::new(explanation);
    let Some(path) = path(&digest) else { return (Vec::new(), None) };
    let onward = path.rows.iter().skip(1).map(|row| row.step);
    let onward = onward.chain([path.back.as_ref().and_then(|back| back.step)]);
    let rows = path.rows.iter().zip(onward).map(|(row, step)| {
        let state = &explanation.states[row.state as usize];
        let text = |ShownStatement { line, process, text, .. }: &ShownStatement| match &**process {
            "" => (*line, text.clone()),
            process => (*line, format!("{process}: {text}")),
        };
        RunRow {
            statement: state.next.as_ref().map(text),
            values: state.members.iter().flatten().next().map_or(NOTHING, |own| &own.values),
            inputs: step.map_or(NOTHING, |step| &step.inputs),
            remarks: remarks(&digest, row),
        }
    });
    (rows.collect(), path.back.as_ref().map(|back| back.row))
}

/// Notes on a state of a trace.
pub(crate) fn remarks(digest: &Digest, row: &PathRow) -> Vec<String> {
    let is_run = digest.explanation.run.is_some();
    let is_state = |node: u32| row.places.iter().any(|&place| digest.place(place).node == node);
    let facts = row.facts.iter().filter(|&&node| is_run && !is_state(node));
    let remark = facts.map(|&node| {
        let node = digest.node(node);
        let holds = if node.value == Truth::True { "holds" } else { "does not hold" };
        let all = if node.why == Justification::Throughout { " on all continuations" } else { "" };
        format!("{} {holds} here{all}", node.subformula)
    });
    remark.collect()
}

fn write_statements(out: &mut String, explanation: &UnfoldedEvidence) {
    let (rows, _) = run_rows(explanation);
    let length = |row: &RunRow| row.statement.as_ref().map_or(0, |(_, text)| text.chars().count());
    let width = rows.iter().map(length).max().unwrap_or(0).min(44);
    for (index, row) in rows.iter().enumerate() {
        if index >= SHOWN && index + SHOWN < rows.len() {
            if index == SHOWN {
                let left_out = rows.len() - 2 * SHOWN;
                let _ = writeln!(out, "  … {left_out} more steps (all of them: --json) …");
            }
            continue;
        }
        let before = index.checked_sub(1).map_or(NOTHING, |index| rows[index].values);
        let changes = row.values.iter().filter(|assignment| !before.contains(assignment));
        let changes: Vec<String> =
            changes.map(|(name, value)| format!("{name} = {value}")).collect();
        let (line, text) = row.statement.as_ref().map_or((None, ""), |(line, text)| (*line, text));
        let line = line.map_or("     ".to_owned(), |line| format!("{line:>5}"));
        let line = format!("{:>5} {line}  {text:width$}  {}", index, changes.join(", "));
        let _ = writeln!(out, "{}", visible(line.trim_end()));
        for remark in &row.remarks {
            let _ = writeln!(out, "             {}", visible(remark));
        }
    }
}

fn write_end(out: &mut String, explanation: &UnfoldedEvidence, notes: &RunNotes) {
    let is_program = notes.has_statements;
    let indent = INDENTS[usize::from(!is_program)];
    if let (Some(back), true) = (run_rows(explanation).1, is_program) {
        let _ = writeln!(out, "{indent}loop back to step {back}");
    }
    if let Some(like) = &notes.recurrence {
        let all = like.wherever.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>();
        let wherever = match (all.is_empty(), is_program) {
            (true, _) => "always".to_owned(),
            (_, true) => format!("wherever {} here", all.join(" and ")),
            (_, false) => format!("wherever {}", all.join(" and ")),
        };
        let _ = writeln!(
            out,
            "{indent}infinite continuation: repeats from step {} with other values; possible {}",
            like.from,
            visible(&wherever)
        );
    }
    if notes.goes_on {
        let _ = writeln!(out, "{indent}continues forever");
    }
    if explanation.cut > 0 {
        let _ = writeln!(out, "{indent}the trace is too long to be shown completely");
    }
}

fn write_proof(out: &mut String, proof: &ProofOutline, from: &str, is_example: bool) {
    let _ = writeln!(out, "\n{from}invariants of all paths:");
    let invariants = &proof.invariants;
    let width = invariants.iter().map(|own| own.location.chars().count()).max().unwrap_or(0);
    for LocationInvariant { location, always, cases, .. } in invariants {
        let mut lines = Vec::new();
        if !always.is_empty() {
            lines.push(always.join(", "));
        }
        match cases.len() {
            0 => {}
            1..=MOST_CASES => {
                let cases: Vec<String> = cases.iter().map(|case| case.join(", ")).collect();
                lines.push(cases.join("; or "));
            }
            count => lines.push(format!("one of {count} cases (all of them: --json)")),
        }
        if lines.is_empty() {
            lines.push("anything".to_owned());
        }
        for (number, line) in lines.iter().enumerate() {
            let location = if number == 0 { location } else { "" };
            let _ = writeln!(out, "  {}", visible(&format!("{location:width$}  {line}")));
        }
    }
    let ranking = |RankedLoop { ranking, lines, locations }: &RankedLoop| {
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        match (&lines[..], &locations[..]) {
            ([], []) => format!("`{ranking}`"),
            ([], locations) => format!("`{ranking}` (where {})", locations.join("; ")),
            (lines, _) => format!("`{ranking}` (lines {})", lines.join(", ")),
        }
    };
    let rankings: Vec<String> = proof.rankings.iter().map(ranking).collect();
    if !rankings.is_empty() {
        let which = if is_example { "can decrease" } else { "decreases" };
        let reported = format!(
            "ranking functions, of which every iteration {which} a non-negative one: {}",
            rankings.join(", ")
        );
        let _ = writeln!(out, "{}", visible(&reported));
    }
}
