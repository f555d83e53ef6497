//! Room for sets as a program grows and its variables do not.

use super::{Case, Cost, NO_ANSWER, shown};
use crate::programs::Program;
use crate::run::Bench;
use crate::run::table::{Table, exponent, kilobytes, megabytes};
use std::io;

/// How many, or so; the exact number depends on the program.
const STATEMENTS: [u32; 4] = [100, 1_000, 10_000, 100_000];

/// With how many statements for each unit of size, how many bits, and what else is asked for.
const CASES: [(Program, u32, Option<u32>, &[&str]); 8] = [
    (Program::Straight, 1, None, &[]),
    (Program::Loops, 4, None, &[]),
    (Program::Calls, 2, None, &[]),
    (Program::Server, 3, None, &[]),
    (Program::Server, 3, None, &["--memory", "200M"]),
    (Program::Straight, 1, Some(6), &["--sets", "bits"]),
    (Program::Loops, 4, Some(4), &[]),
    (Program::Straight, 1, Some(14), &[]),
];

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let head = [
        "program",
        "flags",
        "statements, about",
        "pieces",
        "sets by `auto`",
        "by `whole`",
        "process by `auto`",
        "by `whole`",
    ];
    let mut table = Table::new("Programs: room for sets as the program grows", &head);
    for case in &CASES {
        growth(bench, case, &mut table)?;
    }
    table.note(
        "The sets and steps of the largest piece with its assumptions (`piece_bytes`); the process is all that it \
         allocates at most, program text and results included. A loop is in \
         one piece by `auto` as long as it fits: that of `server` grows with the program, until it is taken apart and its \
         body cut into rows; no exponent says that.",
    );
    Ok(vec![table])
}

fn growth(
    bench: &Bench,
    &(program, each, bits, flags): &(Program, u32, Option<u32>, &[&str]),
    table: &mut Table,
) -> io::Result<()> {
    let (mut auto_points, mut whole_points) = (Vec::new(), Vec::new());
    for statements in STATEMENTS.into_iter().filter(|count| count * bench.divisor <= 100_000) {
        let case = Case::new(bench, program, statements / each, bits)?;
        let ask = |partition| -> io::Result<Option<Cost>> {
            let flags: Vec<&str> =
                flags.iter().copied().chain(["--partition", partition]).collect();
            Ok(case.ask(&flags)?.filter(Cost::is_decided))
        };
        let (auto, whole) = (ask("auto")?, ask("whole")?);
        for (cost, points) in [(&auto, &mut auto_points), (&whole, &mut whole_points)] {
            let bytes = cost.as_ref().map(|cost| cost.figures.piece_bytes as f64);
            points.extend(bytes.map(|bytes| (f64::from(statements), bytes)));
        }
        let sets =
            |cost: &Option<Cost>| shown(cost.as_ref(), |cost| kilobytes(cost.figures.piece_bytes));
        let process =
            |cost: &Option<Cost>| shown(cost.as_ref(), |cost| megabytes(cost.figures.peak_bytes));
        table.row(vec![
            name(program, bits),
            flags.join(" "),
            statements.to_string(),
            shown(auto.as_ref(), |cost| cost.figures.pieces.to_string()),
            sets(&auto),
            sets(&whole),
            process(&auto),
            process(&whole),
        ]);
    }
    let fitted = |points: &[(f64, f64)]| match points.len() {
        0 | 1 => NO_ANSWER.to_owned(),
        _ => format!("{:.2}", exponent(points)),
    };
    table.note(format!(
        "{} {}: fitted exponents in the statements: {} by `auto`, {} by `whole`.",
        name(program, bits),
        flags.join(" "),
        fitted(&auto_points),
        fitted(&whole_points)
    ));
    Ok(())
}

fn name(program: Program, bits: Option<u32>) -> String {
    program.name() + &bits.map_or(String::new(), |bits| format!(" ({bits} bits)"))
}
