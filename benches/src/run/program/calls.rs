//! One procedure, called more and more often.

use super::{Case, Cost, checking, shown};
use crate::programs::Program;
use crate::run::Bench;
use crate::run::table::{Table, readable};
use std::io;

const CALLS: [u32; 6] = [1, 10, 100, 1_000, 10_000, 100_000];

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let head = [
        "program",
        "partition",
        "calls",
        "pieces",
        "checked",
        "again",
        "reused",
        "time",
        "a further call",
        "by whole",
    ];
    let mut table = Table::new("Programs: procedures called k times", &head);
    let cases = [
        (Program::Library, "auto"),
        (Program::Library, "statement"),
        (Program::Calls, "auto"),
        (Program::Calls, "statement"),
    ];
    for (program, partition) in cases {
        let mut first = None;
        for calls in CALLS.into_iter().filter(|calls| calls * bench.divisor <= 10_000) {
            let case = Case::new(bench, program, calls, None)?;
            let cost = case.median(&["--partition", partition])?;
            let whole = case.median(&["--partition", "whole"])?;
            let time = cost.as_ref().map(checking);
            let first = *first.get_or_insert(time);
            let further = time.zip(first).filter(|_| calls > 1).map(|(now, first)| {
                format!("{:.1} µs", (now - first) * 1e6 / f64::from(calls - 1))
            });
            let number = |of: fn(&Cost) -> u64| shown(cost.as_ref(), |cost| of(cost).to_string());
            table.row(vec![
                program.name(),
                partition.to_owned(),
                calls.to_string(),
                number(|cost| cost.figures.pieces),
                number(|cost| cost.figures.checked_pieces),
                number(|cost| cost.figures.checked_pieces.saturating_sub(cost.figures.pieces)),
                number(|cost| cost.figures.reused_pieces),
                shown(cost.as_ref(), |cost| readable(checking(cost))),
                further.unwrap_or_default(),
                shown(whole.as_ref(), |cost| readable(checking(cost))),
            ]);
        }
    }
    table.note(
        "Time without reading. Every piece is checked once, and some of the body again under another assumption. What a \
         further call takes is for the statements around it. `library` calls a procedure of 1000 statements, `calls` one of 6 with a loop.",
    );
    Ok(vec![table])
}
