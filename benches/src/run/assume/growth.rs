//! Time as N grows and M and P do not.

use super::{Case, make, timed};
use crate::protocols::Protocol;
use crate::run::Bench;
use crate::run::table::{Table, exponent, readable};
use assume::InitialAbstraction;
use std::io;

/// Three states of N each: 10² to 10⁵.
const ENTRIES: [u32; 7] = [34, 100, 334, 1_000, 3_334, 10_000, 33_334];

pub fn table(bench: &Bench) -> io::Result<Table> {
    let mut table = Table::new(
        "Assumptions: growth in N with M and P fixed",
        &["property", "N", "A", "making A", "a state", "without abstraction", "checking"],
    );
    let mut cases = Vec::new();
    for entries in ENTRIES.into_iter().filter(|entries| entries * bench.divisor < 40_000) {
        cases.push(Case::new(Protocol::Log, entries));
    }
    let names: Vec<&str> = Case::new(Protocol::Log, 2).safeties.iter().map(|s| s.name).collect();
    for (number, name) in names.iter().enumerate() {
        let mut points = Vec::new();
        for case in &cases {
            let safety = &case.safeties[number];
            let question = case.question(safety)?;
            let (made, making) =
                timed(|| make(&question, InitialAbstraction::Trivial, bench.patience()));
            let made = made.ok_or_else(|| case.unfinished(safety))?;
            let (_, basic) =
                timed(|| make(&question, InitialAbstraction::Discrete, bench.patience()));
            let (checked, outright) = timed(|| case.check(safety, &question));
            checked?;
            points.push((case.states() as f64, making));
            table.row(vec![
                (*name).to_owned(),
                case.states().to_string(),
                made.equivalence.count.to_string(),
                readable(making),
                format!("{:.0} ns", making * 1e9 / case.states() as f64),
                readable(basic),
                readable(outright),
            ]);
        }
        table.note(format!("{name}: fitted exponent of time in N: {:.2}.", exponent(&points)));
    }
    table.note("Medians in one process.");
    Ok(table)
}
