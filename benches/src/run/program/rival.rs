//! The same programs as SMV, by `tertium convert`, for NuSMV, and by the other methods.

use super::{Case, NO_ANSWER};
use crate::programs::{self, Program};
use crate::run::Bench;
use crate::run::process::{Run, measure_quietly};
use crate::run::table::{Table, megabytes, readable};
use std::io;
use std::path::{Path, PathBuf};

const CASES: [(Program, &[u32]); 5] = [
    (Program::Straight, &SIZES),
    (Program::Loops, &SIZES),
    (Program::Calls, &SIZES),
    (Program::Server, &SIZES),
    (Program::Nested, &[2, 4, 8]),
];

const SIZES: [u32; 4] = [10, 100, 1_000, 10_000];

/// Who is asked, and with what.
#[derive(Clone, Copy)]
enum Way {
    Method(&'static str),
    NuSmv(&'static str),
}

const WAYS: [Way; 5] = [
    Way::Method("modular"),
    Way::Method("symbolic"),
    Way::Method("direct"),
    Way::NuSmv("-dcx"),
    Way::NuSmv("-dcx -dynamic"),
];

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let head = [
        "program",
        "`modular`",
        "`symbolic`",
        "`direct`",
        "NuSMV",
        "NuSMV `-dynamic`",
        "NuSMV's best / `modular`",
    ];
    let mut table = Table::new("Programs: against NuSMV, whole process", &head);
    for (program, sizes) in CASES {
        // Who has no answer for one size is not asked about larger ones.
        let mut is_out = [false; WAYS.len()];
        for &size in sizes {
            let case = Case::new(bench, program, size, None)?;
            let mut costs = Vec::new();
            for (way, is_out) in WAYS.into_iter().zip(&mut is_out) {
                let cost = if *is_out { None } else { way.ask(&case)? };
                *is_out = cost.is_none();
                costs.push(cost);
            }
            table.row(row(&case, &costs));
        }
    }
    table.note(format!(
        "Time and resident memory; {NO_ANSWER}: no answer within {} s, for this size or a smaller one. All verdicts are \
         the stated ones. The NuSMV files are written by `tertium convert`, which is not in its time, and it has no \
         limit of stack, without which it ends in a segmentation fault on the larger ones.",
        bench.limit
    ));
    Ok(vec![table])
}

fn row(case: &Case, costs: &[Option<(f64, u64)>]) -> Vec<String> {
    let show = |cost: &Option<(f64, u64)>| {
        cost.map_or(NO_ANSWER.to_owned(), |(seconds, bytes)| {
            format!("{}, {}", readable(seconds), megabytes(bytes))
        })
    };
    let rival = costs[3].iter().chain(&costs[4]).map(|cost| cost.0).reduce(f64::min);
    let ours = costs[0].map(|cost| cost.0);
    let mut row = vec![case.name()];
    row.extend(costs.iter().map(show));
    row.push(super::ratio(rival, ours));
    row
}

impl Way {
    /// Seconds and bytes, if there is an answer.
    fn ask(self, case: &Case) -> io::Result<Option<(f64, u64)>> {
        match self {
            Way::Method(method) => {
                let cost = case.median(&["--method", method])?;
                Ok(cost.map(|cost| (cost.seconds, cost.resident)))
            }
            Way::NuSmv(options) => {
                let Some(nusmv) = &case.bench.tools.nusmv else { return Ok(None) };
                let Some(path) = converted(case)? else { return Ok(None) };
                let Some(run) = run_nusmv(case, nusmv, options, &path)? else { return Ok(None) };
                let found = verdicts(&run.output);
                match found.is_empty() {
                    true => Ok(None),
                    false if found == programs::verdicts(case.program) => {
                        Ok(Some((run.seconds, run.peak_bytes)))
                    }
                    false => {
                        Err(io::Error::other(format!("{}: NuSMV says {found:?}", case.name())))
                    }
                }
            }
        }
    }
}

/// The same as SMV, if that can be had in the time that there is.
fn converted(case: &Case) -> io::Result<Option<PathBuf>> {
    let path = case.path.with_extension("smv");
    let args = ["convert", &case.path.to_string_lossy(), &path.to_string_lossy()];
    let run = measure_quietly(&case.bench.tools.tertium, &args, case.bench.patience())?;
    Ok(run.map(|_| path).filter(|path| path.exists()))
}

fn run_nusmv(case: &Case, nusmv: &Path, options: &str, file: &Path) -> io::Result<Option<Run>> {
    let script =
        format!("ulimit -s unlimited; exec '{}' {options} '{}'", nusmv.display(), file.display());
    measure_quietly(Path::new("/bin/sh"), &["-c", &script], case.bench.patience())
}

/// In the order in which NuSMV prints them, which is that of the file.
fn verdicts(output: &str) -> Vec<bool> {
    let lines = output.lines().filter(|line| line.starts_with("-- specification"));
    let verdict = |line: &str| line.rsplit_once(" is ").map(|(_, value)| value.trim() == "true");
    lines.filter_map(verdict).collect()
}
