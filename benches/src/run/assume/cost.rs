//! What an assumption costs against checking outright, and what it saves when it is used again.

use super::{Case, make, timed, verdict};
use crate::protocols::{Protocol, Stated};
use crate::run::Bench;
use crate::run::table::{Table, geometric_mean, readable};
use assume::InitialAbstraction;
use std::io;

const CASES: [(Protocol, u32); 9] = [
    (Protocol::SlidingWindow, 3),
    (Protocol::SlidingWindow, 7),
    (Protocol::AlternatingBit, 3),
    (Protocol::AlternatingBit, 12),
    (Protocol::Philosophers, 4),
    (Protocol::Philosophers, 6),
    (Protocol::ClientServer, 6),
    (Protocol::Peterson, 30),
    (Protocol::Log, 10_000),
];

pub fn table(bench: &Bench) -> io::Result<Table> {
    let mut table = Table::new(
        "Assumptions: making one against checking outright",
        &[
            "protocol",
            "property",
            "verdict",
            "N",
            "A",
            "states of M‖N‖P",
            "checking",
            "making A",
            "ratio",
            "without abstraction",
            "ratio",
            "states of M‖A‖P",
            "checking",
            "saved",
        ],
    );
    let mut ratios = Ratios::default();
    let cases = CASES.iter().filter(|(_, size)| bench.divisor == 1 || *size < 5);
    for &(protocol, size) in cases {
        let case = Case::new(protocol, size);
        for safety in &case.safeties {
            table.row(row(bench, &case, safety, &mut ratios)?);
        }
    }
    ratios.note(&mut table);
    table.note(
        "Medians in one process; what was stopped counts with the time that it had. Where the property is \
         violated, checking ends at the first error.",
    );
    Ok(table)
}

/// Time of making A by time of checking, where the property holds.
#[derive(Default)]
struct Ratios {
    with_abstraction: Vec<f64>,
    without: Vec<f64>,
}

impl Ratios {
    fn note(&self, table: &mut Table) {
        for (name, ratios) in
            [("with abstraction", &self.with_abstraction), ("without", &self.without)]
        {
            let (mean, most) = (geometric_mean(ratios), ratios.iter().copied().fold(0.0, f64::max));
            table.note(format!(
                "Making A by checking, {name}, where the property holds: {mean:.2} in the geometric mean, \
                 {most:.2} at most."
            ));
        }
    }
}

fn row(
    bench: &Bench,
    case: &Case,
    safety: &Stated,
    ratios: &mut Ratios,
) -> io::Result<Vec<String>> {
    let question = case.question(safety)?;
    let (states, outright) = timed(|| case.check(safety, &question));
    let (made, making) = timed(|| make(&question, InitialAbstraction::Trivial, bench.patience()));
    let (basic, without) =
        timed(|| make(&question, InitialAbstraction::Discrete, bench.patience()));
    if safety.holds {
        ratios.with_abstraction.push(making / outright);
        ratios.without.push(without / outright);
    }
    let at_least = if made.is_some() { "" } else { "> " };
    let assumption = made.or(basic).ok_or_else(|| case.unfinished(safety))?;
    let replaced = case.replaced(safety, &assumption)?;
    let (fewer, again) = timed(|| case.check(safety, &replaced));
    Ok(vec![
        case.name(),
        safety.name.to_owned(),
        verdict(safety.holds),
        case.states().to_string(),
        assumption.equivalence.count.to_string(),
        states?.to_string(),
        readable(outright),
        format!("{at_least}{}", readable(making)),
        format!("{at_least}{:.2}", making / outright),
        readable(without),
        format!("{:.2}", without / outright),
        fewer?.to_string(),
        readable(again),
        format!("{:.0} %", 100.0 * (1.0 - again / outright)),
    ])
}
