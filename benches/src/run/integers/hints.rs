//! What hints are worth: who stops early and tells some is asked again with these in the file.

use super::case::Program;
use super::{PATIENCE, cases};
use crate::run::Bench;
use crate::run::table::Table;
use cegar::{Answer, Limits};
use smt::Embedded;
use std::cmp::Ordering;

/// After so many rounds it is said that nothing was found.
const ROUNDS: [u32; 3] = [2, 4, 8];

/// What has come of hints.
#[derive(Default)]
struct Tally {
    undecided: usize,
    hinted: usize,
    /// With the hints in as many rounds.
    decided: usize,
    /// With the hints in fewer rounds than without, in as many and in more, if there is no such limit.
    rounds: [usize; 3],
    /// Decided only without hints.
    lost: usize,
}

pub fn table(bench: &Bench, programs: &[Program]) -> Table {
    let mut table = Table::new(
        "Integers: what hints are worth",
        &[
            "rounds",
            "undecided",
            "with a hint",
            "decided with it",
            "in fewer rounds at last",
            "in as many",
            "in more",
            "only without",
        ],
    );
    for rounds in ROUNDS {
        let mut tally = Tally::default();
        for (program, property) in cases(bench, programs) {
            tally.add(bench, program, property, rounds);
        }
        let Tally { undecided, hinted, decided, rounds: [fewer, same, more], lost } = tally;
        let all = [rounds as usize, undecided, hinted, decided, fewer, same, more, lost];
        table.row(all.map(|number| number.to_string()).to_vec());
    }
    table.note(
        "The suite with so few rounds that many cases are undecided. What is hinted at then is put into the file, and the question \
         is asked again: with as few rounds, and with as many as need be.",
    );
    table
}

impl Tally {
    fn add(&mut self, bench: &Bench, program: &Program, property: usize, rounds: u32) {
        let ask = |program: &Program, limits: Limits| -> Option<Answer> {
            let patience = bench.patience_or(PATIENCE);
            program.answer(property, None, limits, patience, &mut Embedded::new()).ok()
        };
        let is_decided = |answer: &Answer| answer.verdict.is_definite();
        let few = Limits { rounds, ..Limits::default() };
        let Some(first) = ask(program, few).filter(|answer| !is_decided(answer)) else { return };
        self.undecided += 1;
        if first.hints.is_empty() {
            return;
        }
        self.hinted += 1;
        let hinted = program.with_hints(&first.hints);
        self.decided += usize::from(ask(&hinted, few).is_some_and(|answer| is_decided(&answer)));
        let at_last = |program: &Program| ask(program, Limits::default()).filter(is_decided);
        match (at_last(program), at_last(&hinted)) {
            (Some(without), Some(with)) => {
                let which = match with.rounds.cmp(&without.rounds) {
                    Ordering::Less => 0,
                    Ordering::Equal => 1,
                    Ordering::Greater => 2,
                };
                self.rounds[which] += 1;
            }
            (None, Some(_)) => self.rounds[0] += 1,
            (Some(_), None) => self.lost += 1,
            (None, None) => {}
        }
    }
}
