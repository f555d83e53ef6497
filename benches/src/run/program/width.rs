//! Tables of bits against diagrams, as there are more valuations.

use super::{Case, Cost, checking, ratio, shown};
use crate::programs::Program;
use crate::run::Bench;
use crate::run::table::{Table, kilobytes, readable};
use std::io;

/// The size; how many bits the variables have besides their numbers, and how many numbers there are.
const CASES: [(Program, u32, u32, u32); 5] = [
    (Program::Straight, 200, 1, 2),
    (Program::Loops, 30, 1, 2),
    (Program::Nested, 4, 3, 1),
    (Program::Calls, 20, 0, 5),
    (Program::Server, 60, 6, 1),
];

const MOST_BITS: u32 = 20;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let head = [
        "program",
        "bits of a valuation",
        "`--sets bits`",
        "`--sets diagrams`",
        "bits / diagrams",
        "room, bits",
        "room, diagrams",
    ];
    let mut table = Table::new("Programs: bits against diagrams", &head);
    for (program, size, rest, numbers) in CASES {
        let mut crossed = None;
        for bits in 2..=(MOST_BITS - rest) / numbers {
            let width = rest + numbers * bits;
            let case = Case::new(bench, program, size, Some(bits))?;
            let table_of_bits = case.median(&["--sets", "bits"])?;
            let diagrams = case.median(&["--sets", "diagrams"])?;
            let time = |cost: &Option<Cost>| cost.as_ref().map(checking);
            let is_slower = match (time(&table_of_bits), time(&diagrams)) {
                (Some(bits), Some(diagrams)) => bits > diagrams,
                (None, Some(_)) => true,
                _ => false,
            };
            crossed = crossed.filter(|_| is_slower).or(is_slower.then_some(width));
            let of = |cost: &Option<Cost>, show: fn(&Cost) -> String| shown(cost.as_ref(), show);
            let room = |cost: &Cost| kilobytes(cost.figures.piece_bytes);
            table.row(vec![
                case.name(),
                width.to_string(),
                of(&table_of_bits, |cost| readable(checking(cost))),
                of(&diagrams, |cost| readable(checking(cost))),
                ratio(time(&table_of_bits), time(&diagrams)),
                of(&table_of_bits, room),
                of(&diagrams, room),
            ]);
            if table_of_bits.is_none() && diagrams.is_none() {
                break;
            }
        }
        let found =
            crossed.map_or("at no width".to_owned(), |width| format!("from {width} bits on"));
        table.note(format!("{}: diagrams are faster {found}.", program.name()));
    }
    table.note("`--partition auto`, checking without reading, medians.");
    Ok(vec![table])
}
