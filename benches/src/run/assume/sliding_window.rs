//! The experiment of A §7.

use super::{Case, make, request, timed, verdict};
use crate::protocols::Protocol;
use crate::run::Bench;
use crate::run::table::{Table, readable};
use assume::{InitialAbstraction, Point, SafetyQuestion};
use std::io;
use support::Monitor;

/// A §7, Fig. 7: states of the assumption, and refinement steps.
const PAPER: [(&str, u32, u32); 4] = [("A", 8, 169), ("B", 1, 18), ("C", 8, 168), ("D", 1, 15)];

/// Where the curve is read off.
const STEPS: [u32; 9] = [0, 5, 10, 20, 40, 80, 120, 160, 200];

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let case = Case::new(Protocol::SlidingWindow, 3);
    let mut table = Table::new(
        "Assumptions: the sliding window protocol (A §7)",
        &[
            "property",
            "verdict",
            "receiver",
            "assumption",
            "paper",
            "without abstraction",
            "steps",
            "paper",
            "time",
        ],
    );
    let mut curve = Table::new(
        "Assumptions: states of the receiver's quotient after some steps (A Fig. 7)",
        &["property", "0", "5", "10", "20", "40", "80", "120", "160", "200", "at the end"],
    );
    for (safety, (name, states, steps)) in case.safeties.iter().zip(PAPER) {
        if safety.name != name {
            return Err(case.wrong(safety, "it is not the one of the paper"));
        }
        let question = case.question(safety)?;
        let (made, time) = timed(|| make(&question, InitialAbstraction::Trivial, bench.patience()));
        let made = made.ok_or_else(|| case.unfinished(safety))?;
        let basic = make(&question, InitialAbstraction::Discrete, bench.patience());
        let basic = basic.ok_or_else(|| case.unfinished(safety))?;
        if made.equivalence.class_of != basic.equivalence.class_of {
            return Err(case.wrong(safety, "abstraction changes the assumption"));
        }
        table.row(vec![
            name.to_owned(),
            verdict(safety.holds),
            case.states().to_string(),
            made.equivalence.count.to_string(),
            states.to_string(),
            basic.equivalence.count.to_string(),
            made.steps.to_string(),
            steps.to_string(),
            readable(time),
        ]);
        let (row, whole) = sizes(name, &question);
        curve.row(row);
        curve.note(whole);
    }
    table.note(
        "The paper's model is not printed; ours is described by `gen protocol sliding-window 3`.",
    );
    Ok(vec![table, curve])
}

/// The curve at some steps, and the whole of it: each step at which the size changes.
fn sizes(name: &str, question: &SafetyQuestion) -> (Vec<String>, String) {
    let mut points: Vec<Point> = Vec::new();
    let mut observe = |point| points.push(point);
    let request = request(InitialAbstraction::Trivial);
    let made = assume::make(question, &request, &Monitor::new(), Some(&mut observe));
    let at = |step: u32| points.iter().find(|point| point.step == step);
    let mut row = vec![name.to_owned()];
    row.extend(STEPS.map(|step| at(step).map_or_else(String::new, |p| p.classes.to_string())));
    row.push(format!("{} ({})", made.equivalence.count, made.steps));
    points.dedup_by_key(|point| point.classes);
    let changes = points.iter().map(|point| format!("{} at {}", point.classes, point.step));
    let whole = changes.collect::<Vec<_>>().join(", ");
    (
        row,
        format!(
            "{name}, whole curve (size at step): {whole}, {} in the end.",
            made.equivalence.count
        ),
    )
}
