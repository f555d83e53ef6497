//! Programs whose whole takes ten times the memory that there is.

use super::{Case, Cost, NO_ANSWER};
use crate::programs::Program;
use crate::run::Bench;
use crate::run::table::{Table, megabytes, readable};
use std::io;

const CASES: [(Program, u32, Option<u32>); 5] = [
    (Program::Straight, 10_000, Some(6)),
    (Program::Loops, 3_000, Some(6)),
    (Program::Calls, 10_000, None),
    (Program::Library, 100, Some(6)),
    (Program::Server, 5_000, Some(7)),
];

const TIMES: u64 = 10;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let head = [
        "program",
        "the whole takes",
        "`--memory`",
        "`whole` within it",
        "its peak",
        "`auto` within it",
        "its peak",
        "pieces",
        "passes",
        "time of `auto`",
        "of `whole` without limit",
    ];
    let mut table = Table::new("Programs: a tenth of the memory", &head);
    for (program, size, bits) in CASES {
        let case = Case::new(bench, program, size / bench.divisor, bits)?;
        table.row(row(&case)?);
    }
    table.note(
        "`--sets bits`. Peaks are what the process allocates, program text and results included.",
    );
    Ok(vec![table])
}

fn row(case: &Case) -> io::Result<Vec<String>> {
    let Some(free) =
        case.ask(&["--sets", "bits", "--partition", "whole"])?.filter(Cost::is_decided)
    else {
        return Ok([case.name()]
            .into_iter()
            .chain((0..10).map(|_| NO_ANSWER.to_owned()))
            .collect());
    };
    let memory = (free.figures.peak_bytes / TIMES).to_string();
    let ask =
        |partition| case.ask(&["--sets", "bits", "--partition", partition, "--memory", &memory]);
    let (whole, auto) = (ask("whole")?, ask("auto")?);
    let verdict = |cost: &Option<Cost>| match cost {
        Some(cost) if cost.is_decided() => "decided".to_owned(),
        Some(cost) => format!("unknown ({})", cost.figures.reason),
        None => NO_ANSWER.to_owned(),
    };
    let of =
        |cost: &Option<Cost>, show: &dyn Fn(&Cost) -> String| super::shown(cost.as_ref(), show);
    let peak = |cost: &Cost| megabytes(cost.figures.peak_bytes);
    Ok(vec![
        case.name(),
        peak(&free),
        megabytes(free.figures.peak_bytes / TIMES),
        verdict(&whole),
        of(&whole, &peak),
        verdict(&auto),
        of(&auto, &peak),
        of(&auto, &|cost| cost.figures.pieces.to_string()),
        of(&auto, &|cost| cost.figures.passes.to_string()),
        of(&auto, &|cost| readable(cost.figures.seconds)),
        readable(free.figures.seconds),
    ])
}
