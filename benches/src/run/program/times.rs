//! Time against the whole, where both fit.

use super::{Case, Cost, checking, ratio, shown};
use crate::programs::Program;
use crate::run::Bench;
use crate::run::table::{Table, geometric_mean, readable};
use std::io;

/// The last says whether `statement` takes no loop apart either.
const CASES: [(Program, u32, Option<u32>, bool); 12] = [
    (Program::Straight, 1_000, None, true),
    (Program::Straight, 10_000, None, true),
    (Program::Straight, 2_000, Some(6), true),
    (Program::Straight, 2_000, Some(14), true),
    (Program::Library, 10, None, true),
    (Program::Loops, 1_000, None, false),
    (Program::Loops, 5_000, None, false),
    (Program::Loops, 500, Some(5), false),
    (Program::Calls, 1_000, None, false),
    (Program::Calls, 5_000, None, false),
    (Program::Server, 1_000, None, false),
    (Program::Server, 5_000, None, false),
];

const MOST: f64 = 1.5;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let head = [
        "program",
        "`whole`",
        "`auto`",
        "auto / whole",
        "process",
        "`statement`",
        "statement / whole",
        "process",
        "passes",
    ];
    let mut table = Table::new("Programs: time against the whole", &head);
    let (mut auto_ratios, mut statement_ratios) = (Vec::new(), Vec::new());
    for (program, size, bits, has_no_loop) in CASES {
        let case = Case::new(bench, program, size / bench.divisor, bits)?;
        let [whole, auto, statement] = ["whole", "auto", "statement"]
            .map(|partition| case.median(&["--partition", partition]));
        let (whole, auto, statement) = (whole?, auto?, statement?);
        let time = |cost: &Option<Cost>| cost.as_ref().map(checking);
        let process = |cost: &Option<Cost>| cost.as_ref().map(|cost| cost.seconds);
        let quotient = |cost: &Option<Cost>| Some(time(cost)? / time(&whole)?);
        auto_ratios.extend(quotient(&auto));
        statement_ratios.extend(quotient(&statement).filter(|_| has_no_loop));
        table.row(vec![
            case.name(),
            shown(whole.as_ref(), |cost| readable(checking(cost))),
            shown(auto.as_ref(), |cost| readable(checking(cost))),
            ratio(time(&auto), time(&whole)),
            ratio(process(&auto), process(&whole)),
            shown(statement.as_ref(), |cost| readable(checking(cost))),
            ratio(time(&statement), time(&whole)),
            ratio(process(&statement), process(&whole)),
            shown(statement.as_ref(), |cost| cost.figures.passes.to_string()),
        ]);
    }
    for (name, ratios) in
        [("`auto`", &auto_ratios), ("`statement`, of programs without loops", &statement_ratios)]
    {
        let within = ratios.iter().filter(|ratio| **ratio <= MOST).count();
        table.note(format!(
            "{name}: at most {MOST} times the time of `whole` in {within} of {}; {:.2} in the geometric mean, {:.2} at \
             most.",
            ratios.len(),
            geometric_mean(ratios),
            ratios.iter().copied().fold(0.0, f64::max)
        ));
    }
    table.note(
        "Checking without reading, medians; `process` is the ratio with reading. `auto` takes no loop of these apart; \
         `statement` takes all of them apart, in as many passes.",
    );
    Ok(vec![table])
}
