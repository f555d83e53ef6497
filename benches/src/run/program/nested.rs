//! Loops that are taken apart, in each other, and different partitions of one program (M §6).

use super::{Case, Cost, checking, ratio, shown};
use crate::programs::Program;
use crate::run::Bench;
use crate::run::table::{Table, kilobytes, readable};
use std::fs;
use std::io;
use std::path::PathBuf;

const DEPTHS: [u32; 6] = [1, 2, 3, 4, 6, 8];
const WIDTHS: [u32; 3] = [3, 5, 8];

const ONE_PROGRAM: [(Program, u32, Option<u32>); 3] =
    [(Program::Nested, 3, Some(6)), (Program::Loops, 99, Some(4)), (Program::Server, 99, None)];

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    Ok(vec![nested(bench)?, partitions(bench)?])
}

/// Where a partition takes a program apart, by its text.
#[derive(Clone, Copy)]
struct Cuts {
    loops: bool,
    branches: bool,
    /// In so many lines a new node.
    row: Option<usize>,
}

const LOOPS: Cuts = Cuts { loops: true, branches: false, row: None };

impl Cuts {
    /// A file for `--partition`, unless it would say nothing. The generated programs have a command in a line.
    fn write(self, case: &Case, name: &str) -> io::Result<Option<PathBuf>> {
        let text = fs::read_to_string(&case.path)?;
        let mut cuts = String::new();
        let mut since = 0;
        for (number, line) in text.lines().enumerate() {
            let command = line.trim_start();
            let place = format!("{}:{}", number + 1, line.len() - command.len() + 1);
            let is_opened = (self.loops && command.starts_with("while "))
                || (self.branches && command.starts_with("if "));
            since += 1;
            if is_opened {
                cuts += &format!("open {place}\n");
            } else if self.row.is_some_and(|row| since >= row) && is_command(command) {
                cuts += &format!("cut {place}\n");
                since = 0;
            }
        }
        let path = case.path.with_extension(format!("{name}.cuts"));
        fs::write(&path, &cuts)?;
        Ok((!cuts.is_empty()).then_some(path))
    }
}

/// One without a label.
fn is_command(line: &str) -> bool {
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric());
    let is_assignment = line.split_once(" := ").is_some_and(|(name, _)| is_name(name));
    is_assignment || line.starts_with("if ")
}

fn nested(bench: &Bench) -> io::Result<Table> {
    let head = [
        "numbers",
        "depth",
        "`whole`",
        "loops opened",
        "by whole",
        "passes",
        "checked",
        "reused",
        "`statement`",
        "by whole",
        "passes",
        "checked",
        "reused",
    ];
    let mut table = Table::new("Programs: nested loops that are taken apart", &head);
    for bits in WIDTHS {
        for depth in DEPTHS {
            let case = Case::new(bench, Program::Nested, depth, Some(bits))?;
            let whole = case.median(&["--partition", "whole"])?;
            let opened = match LOOPS.write(&case, "loops")? {
                Some(file) => case.median(&["--partition", &file.to_string_lossy()])?,
                None => None,
            };
            let statement = case.median(&["--partition", "statement"])?;
            let mut row = vec![format!("{bits} bits"), depth.to_string(), time(&whole)];
            for cost in [&opened, &statement] {
                let by = ratio(cost.as_ref().map(checking), whole.as_ref().map(checking));
                row.extend([time(cost), by]);
                row.extend(work(cost));
            }
            table.row(row);
        }
    }
    table.note(
        "Passes over all loops, levels and entries together; a loop takes no more for a level than it has initial \
         states, plus one, which debug builds assert.",
    );
    Ok(table)
}

fn partitions(bench: &Bench) -> io::Result<Table> {
    let head = [
        "program",
        "partition",
        "pieces",
        "sets",
        "passes",
        "checked",
        "reused",
        "time",
        "by whole",
    ];
    let mut table = Table::new("Programs: different partitions of one program (M §6)", &head);
    let given = [
        ("rows of 8 lines", Cuts { loops: false, branches: false, row: Some(8) }),
        ("loops opened", LOOPS),
        ("loops opened, rows of 8 lines", Cuts { row: Some(8), ..LOOPS }),
        ("loops and branches opened", Cuts { branches: true, ..LOOPS }),
    ];
    for (program, size, bits) in ONE_PROGRAM {
        let case = Case::new(bench, program, size, bits)?;
        let mut ways = vec![("`whole`", "whole".to_owned()), ("`auto`", "auto".to_owned())];
        for (number, (name, cuts)) in given.iter().enumerate() {
            let file = cuts.write(&case, &number.to_string())?;
            ways.extend(file.map(|file| (*name, file.to_string_lossy().into_owned())));
        }
        ways.push(("`statement`", "statement".to_owned()));
        let mut whole = None;
        for (name, partition) in ways {
            let cost = case.median(&["--partition", &partition])?;
            let seconds = cost.as_ref().map(checking);
            whole = whole.or(seconds);
            let mut row = vec![case.name(), name.to_owned()];
            row.push(shown(cost.as_ref(), |cost| cost.figures.pieces.to_string()));
            row.push(shown(cost.as_ref(), |cost| kilobytes(cost.figures.piece_bytes)));
            row.extend(work(&cost));
            row.extend([time(&cost), ratio(seconds, whole)]);
            table.row(row);
        }
    }
    Ok(table)
}

fn time(cost: &Option<Cost>) -> String {
    shown(cost.as_ref(), |cost| readable(checking(cost)))
}

/// Passes, pieces checked, results reused.
fn work(cost: &Option<Cost>) -> [String; 3] {
    let of = |number: fn(&Cost) -> u64| shown(cost.as_ref(), |cost| number(cost).to_string());
    [
        of(|cost| cost.figures.passes),
        of(|cost| cost.figures.checked_pieces),
        of(|cost| cost.figures.reused_pieces),
    ]
}
