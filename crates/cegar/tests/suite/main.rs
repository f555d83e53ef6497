//! The programs of benches/integers: no verdict is wrong, and few are missing.

mod blocks;
mod case;
#[path = "../../../tertium/src/solver.rs"]
mod solver;

use case::{Program, programs};
use cegar::{CegarLimits, LocationPartition};
use logic::Truth;
use smt::{Embedded, Piped, Solver};
use std::thread;
use std::time::Duration;

/// Time limit of a case; slower ones are left to the measurements.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Default)]
struct Tally {
    asked: usize,
    undecided: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn ask(&mut self, program: &Program, property: usize, configuration: &Configuration) {
        let (title, expected) = &program.expected[property];
        let (solver, partition) =
            (&mut *(configuration.solver)(), (configuration.partition)(program));
        let limits = CegarLimits::default();
        let answer = program.answer(property, partition.as_ref(), limits, PATIENCE, solver);
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

    /// Of a hundred, so many are to be decided.
    fn assert(&self, least: usize) {
        let decided = self.asked - self.undecided.len();
        println!("{decided} of {} decided; not: {:#?}", self.asked, self.undecided);
        assert!(self.wrong.is_empty(), "{:#?}", self.wrong);
        assert!(decided * 100 >= self.asked * least, "{decided} of {}", self.asked);
    }
}

/// Who is asked, and what is looked at together.
struct Configuration<'a> {
    solver: &'a (dyn Fn() -> Box<dyn Solver> + Sync),
    partition: &'a (dyn Fn(&Program) -> Option<LocationPartition> + Sync),
}

const EMBEDDED: Configuration =
    Configuration { solver: &|| Box::new(Embedded::new()), partition: &|_| None };

/// Every so many-th case, by two threads.
fn tally(every: usize, configuration: &Configuration) -> Tally {
    let programs = programs();
    let cases = programs.iter().flat_map(|p| (0..p.expected.len()).map(move |number| (p, number)));
    let cases: Vec<(&Program, usize)> = cases.step_by(every).collect();
    let half = &|offset: usize| {
        let mut tally = Tally::default();
        for (program, property) in cases.iter().skip(offset).step_by(2) {
            tally.ask(program, *property, configuration);
        }
        tally
    };
    let [mut all, other] = thread::scope(|scope| {
        [0, 1]
            .map(|offset| scope.spawn(move || half(offset)))
            .map(|half| half.join().expect("a half"))
    });
    all.asked += other.asked;
    all.undecided.extend(other.undecided);
    all.wrong.extend(other.wrong);
    all
}

#[test]
fn verdicts_are_as_expected() {
    tally(1, &EMBEDDED).assert(85);
}

#[test]
fn verdicts_by_loops_are_as_expected() {
    let partition = &|program: &Program| Some(LocationPartition::loops(program.program(), 4));
    tally(2, &Configuration { partition, ..EMBEDDED }).assert(85);
}

#[test]
fn verdicts_by_locations_are_as_expected() {
    let partition = &|program: &Program| Some(LocationPartition::locations(program.program()));
    tally(3, &Configuration { partition, ..EMBEDDED }).assert(80);
}

#[test]
fn verdicts_with_z3_are_as_expected() {
    let Some(program) = solver::find("z3") else {
        eprintln!("skipped: `z3` is not found");
        return;
    };
    let process = || solver::Process::new(program.clone(), Duration::from_secs(2));
    let solver: &(dyn Fn() -> Box<dyn Solver> + Sync) = &|| Box::new(Piped::new(process()));
    tally(7, &Configuration { solver, ..EMBEDDED }).assert(75);
}

/// Suggested hints are lines for the file, and make no verdict wrong.
#[test]
fn hints_are_lines_for_the_text() {
    let few = CegarLimits { rounds: 2, ..CegarLimits::default() };
    let (mut hinted, mut decided) = (0, 0);
    for program in programs() {
        for (property, (title, expected)) in program.expected.iter().enumerate().step_by(3) {
            let ask = |program: &Program, limits| {
                program.answer(property, None, limits, PATIENCE, &mut Embedded::new()).ok()
            };
            let Some(first) = ask(&program, few) else { continue };
            if first.verdict.is_definite() || first.suggestions.is_empty() {
                continue;
            }
            hinted += 1;
            let Some(again) = ask(&program.with_hints(&first.suggestions), few) else { continue };
            decided += usize::from(again.verdict.is_definite());
            let is_right = !again.verdict.is_definite() || again.verdict == Truth::from(*expected);
            assert!(is_right, "{}: {title} with {:?}", program.name, first.suggestions);
        }
    }
    println!("{decided} of {hinted} decided with their hints");
    assert!(decided > 0 && hinted > 10, "{decided} of {hinted}");
}
