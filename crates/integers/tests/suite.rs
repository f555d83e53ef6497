//! The programs of benches/integers: no verdict is wrong, and few are missing.

#[path = "../../../benches/src/run/integers/case.rs"]
mod case;

use arithmetic::Embedded;
use case::{Program, programs};
use integers::Limits;
use logic::Truth;
use std::time::Duration;

/// What takes longer is left to the measurements.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Tally {
    asked: usize,
    undecided: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn ask(&mut self, program: &Program) {
        for (property, (title, expected)) in program.expected.iter().enumerate() {
            let mut solver = Embedded::new();
            let answer = program.answer(property, Limits::default(), PATIENCE, &mut solver);
            let verdict = answer.map_or(Truth::Unknown, |answer| answer.verdict);
            let case = format!("{}: {title}", program.name);
            self.asked += 1;
            match verdict {
                Truth::Unknown => self.undecided.push(case),
                found if found != Truth::from(*expected) => {
                    self.wrong.push(format!("{case} is {expected}, and {found:?} was found"));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn verdicts_are_as_expected() {
    let mut tally = Tally::default();
    programs().iter().for_each(|program| tally.ask(program));
    let decided = tally.asked - tally.undecided.len();
    println!("{decided} of {} decided; not: {:#?}", tally.asked, tally.undecided);
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
    assert!(decided * 100 >= tally.asked * 50, "{decided} of {}", tally.asked);
}
