//! Random programs: verdicts against enumeration, abstractions against what they stand for, solvers that fail.

mod blocks;
mod certificates;
mod concrete;
mod counterexamples;
mod faults;
#[path = "../certificates/liar.rs"]
mod liar;
mod programs;
mod simulation;

use cegar::{CegarAnswer, CegarLimits, CegarQuestion, run};
use logic::{Formula, Truth};
use model::PartialModel;
use programs::Subject;
use smt::{Embedded, Solver};
use std::cell::Cell;
use testkit::{Case, Rng, for_seeds};

/// Enough for most of the small programs.
const FEW: CegarLimits = CegarLimits { rounds: 12, max_predicates: 10, incremental: true };

/// A program with its structure and a formula, remembered as the case in question.
fn question(rng: &mut Rng, case: &mut Case, is_closed: bool) -> (Subject, PartialModel, Formula) {
    let subject = Subject::random(rng, is_closed);
    subject.note(case);
    let structure = concrete::structure(&subject);
    let formula = subject.formula(rng, &structure);
    case.note_property(&formula);
    (subject, structure, formula)
}

fn answer(
    subject: &Subject,
    formula: &Formula,
    limits: CegarLimits,
    solver: &mut dyn Solver,
) -> CegarAnswer {
    ask(subject, formula, limits, solver, false)
}

/// Also with what shows the answer, if that is wanted.
fn ask(
    subject: &Subject,
    formula: &Formula,
    limits: CegarLimits,
    solver: &mut dyn Solver,
    evidence: bool,
) -> CegarAnswer {
    let question = CegarQuestion { limits, evidence, ..subject.question(formula) };
    run(&question, solver).expect("nothing stops it")
}

fn agree(found: Truth, expected: Truth) -> Result<(), String> {
    match found.is_definite() && expected.is_definite() && found != expected {
        true => Err(format!("{found:?} was found, and it is {expected:?}")),
        false => Ok(()),
    }
}

/// How many verdicts are known to the engine, to the enumeration, and to both.
#[derive(Default, Debug)]
struct Decided {
    all: Cell<u32>,
    found: Cell<u32>,
    known: Cell<u32>,
    both: Cell<u32>,
}

impl Decided {
    fn count(&self, found: Truth, expected: Truth) {
        let count = |which: &Cell<u32>, is_so: bool| which.set(which.get() + u32::from(is_so));
        count(&self.all, true);
        count(&self.found, found.is_definite());
        count(&self.known, expected.is_definite());
        count(&self.both, found.is_definite() && expected.is_definite());
    }
}

fn compare(name: &str, seeds: std::ops::Range<u64>, is_closed: bool) -> Decided {
    let decided = Decided::default();
    for_seeds(name, seeds, |rng, case| {
        let (subject, structure, formula) = question(rng, case, is_closed);
        let expected = concrete::verdict(&structure, &formula);
        let found = answer(&subject, &formula, FEW, &mut Embedded::new()).verdict;
        decided.count(found, expected);
        agree(found, expected)
    });
    println!("{name}: {decided:?}");
    decided
}

#[test]
fn closed_programs_are_as_enumerated() {
    let decided = compare("integers-closed", 0..6000, true);
    assert!(decided.found.get() * 100 >= decided.all.get() * 95, "{decided:?}");
}

#[test]
fn open_programs_are_as_enumerated_as_far_as_that_goes() {
    let decided = compare("integers-open", 0..4000, false);
    assert!(decided.both.get() * 100 >= decided.known.get() * 80, "{decided:?}");
}
