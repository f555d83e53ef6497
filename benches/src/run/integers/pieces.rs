//! What is in memory when a program is looked at piece by piece, as the program grows.

use super::PATIENCE;
use super::case::Program;
use super::suite::ROW;
use super::texts::Text;
use crate::run::Bench;
use crate::run::table::{Table, readable};
use cegar::{Answer, Limits, PieceFigures, Pieces};
use smt::Embedded;
use std::time::Instant;

const SIZES: [usize; 5] = [4, 16, 64, 256, 1024];

pub fn table(bench: &Bench) -> Table {
    let mut table = Table::new(
        "Integers: piece by piece, as loops are added",
        &[
            "loops",
            "property",
            "verdict",
            "whole: states",
            "rounds",
            "time",
            "modular: states",
            "in the largest piece",
            "rounds",
            "looked at",
            "used again",
            "time",
        ],
    );
    for size in SIZES.into_iter().filter(|size| size * bench.divisor as usize <= 1024) {
        let program = Program::read(text(size));
        for property in 0..program.expected.len() {
            table.row(row(bench, &program, size, property));
        }
    }
    table.note(
        "Loops that count up to the same number, one after the other, the last one by twos. `whole` is the method `refine`, and `modular` \
         has a piece for each loop. States are those of the last abstraction; one piece is in memory at a time.",
    );
    table
}

fn text(size: usize) -> Text {
    let one = "x := 0; while x < n do x := x + 1 od;\n".repeat(size - 1);
    let text = format!(
        "var n : int; var x : int;\n{one}x := 0; while x < n do x := x + 2 od; done: fin\n\
         property ends: ctl AF at_done; property enough: ctl AG (at_done -> x >= n);\n\
         property exact: ctl AG (at_done -> x = n | n < 0);"
    );
    let expected = [("ends", true), ("enough", true), ("exact", false)];
    let expected = expected.map(|(name, value)| (name.to_owned(), value)).to_vec();
    Text { name: format!("{size} loops"), text: text.into(), expected }
}

fn row(bench: &Bench, program: &Program, size: usize, property: usize) -> Vec<String> {
    let ask = |pieces: Option<&Pieces>| {
        let (began, mut solver) = (Instant::now(), Embedded::new());
        let patience = bench.patience_or(PATIENCE);
        let answer = program.answer(property, pieces, Limits::default(), patience, &mut solver);
        (answer.ok().filter(|answer| answer.verdict.is_definite()), began.elapsed().as_secs_f64())
    };
    let of = |answer: &Option<Answer>, read: &dyn Fn(&Answer) -> u64| {
        answer.as_ref().map_or("–".to_owned(), |answer| read(answer).to_string())
    };
    let (whole, whole_time) = ask(None);
    let (parts, parts_time) = ask(Some(&Pieces::loops(program.program(), ROW)));
    let figure =
        |read: fn(PieceFigures) -> u64| of(&parts, &|answer| answer.pieces.map_or(0, read));
    let verdict =
        parts.as_ref().or(whole.as_ref()).map_or("–".to_owned(), |a| a.verdict.to_string());
    vec![
        size.to_string(),
        program.expected[property].0.clone(),
        verdict,
        of(&whole, &|answer| answer.states as u64),
        of(&whole, &|answer| answer.rounds.into()),
        readable(whole_time),
        of(&parts, &|answer| answer.states as u64),
        figure(|figures| figures.largest as u64),
        of(&parts, &|answer| answer.rounds.into()),
        figure(|figures| figures.looked_at),
        figure(|figures| figures.reused),
        readable(parts_time),
    ]
}
