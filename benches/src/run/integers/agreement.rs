//! The embedded solver against others, on the questions that runs ask.

use super::case::Program;
use super::recorder::Recorder;
use super::{OTHERS, Who, cases, random};
use crate::run::Bench;
use crate::run::table::{Table, readable};
use cegar::Limits;
use rustc_hash::FxHashSet;
use smt::{Embedded, Formula, SatAnswer, Solver};
use std::time::{Duration, Instant};

/// So many questions, of which the suite asks a part.
const QUESTIONS: usize = 100_000;
const FROM_SUITE: usize = 70_000;
/// Nobody waits for a run that asks enough already.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn table(bench: &Bench, programs: &[Program]) -> Table {
    let mut table = Table::new(
        "Integers: the embedded solver against others",
        &[
            "against",
            "questions",
            "satisfiable",
            "disagreements",
            "unknown to ours",
            "unknown to the other",
            "ours",
            "the other",
            "ours in total",
            "at the median",
        ],
    );
    let (questions, from_suite) = questions(bench, programs);
    for (name, every) in OTHERS {
        match Who::find(name) {
            Some(who) => {
                let some: Vec<&Vec<Formula>> = questions.iter().step_by(every).collect();
                let (ours, theirs) =
                    (ask(&mut Embedded::new(), &some), ask(&mut *who.solver(), &some));
                compare(&mut table, name, &ours, &theirs);
            }
            None => table.note(format!("`{name}` was not found.")),
        }
    }
    table.note(format!(
        "Different questions, as the runs of the suite ask them ({from_suite}) and runs on random programs. The others are \
         asked through a pipe, with a model or a core for every answer. Bar: no disagreement in {QUESTIONS} questions."
    ));
    table
}

/// Different questions, and how many of them are the suite's.
fn questions(bench: &Bench, programs: &[Program]) -> (Vec<Vec<Formula>>, usize) {
    let most = |number: usize| number / bench.divisor as usize;
    let mut asked = FxHashSet::default();
    // From each case its share, so that no case fills it all.
    let all: Vec<(&Program, usize)> = cases(bench, programs).collect();
    for (number, (program, property)) in (1..).zip(&all) {
        let share = most(FROM_SUITE) * number / all.len();
        let mut recorder = Recorder::new(&mut asked, share.max(1));
        // Only the questions matter.
        let _ = program.answer(*property, None, Limits::default(), PATIENCE, &mut recorder);
    }
    let from_suite = asked.len();
    let mut seed = 1;
    while asked.len() < most(QUESTIONS) {
        let program = Program::read(random::text(seed));
        for property in 0..program.expected.len() {
            let mut recorder = Recorder::new(&mut asked, most(QUESTIONS));
            let limits = Limits { rounds: 12, ..Limits::default() };
            let _ = program.answer(property, None, limits, PATIENCE, &mut recorder);
        }
        seed += 1;
    }
    let mut questions: Vec<Vec<Formula>> = asked.into_iter().collect();
    questions.sort();
    (questions, from_suite)
}

/// What somebody says, and how long it takes.
fn ask(solver: &mut dyn Solver, questions: &[&Vec<Formula>]) -> Vec<(SatAnswer, f64)> {
    let one = |question: &&Vec<Formula>| {
        let began = Instant::now();
        let answer = solver.check(question);
        (answer, began.elapsed().as_secs_f64())
    };
    questions.iter().map(one).collect()
}

fn compare(table: &mut Table, name: &str, ours: &[(SatAnswer, f64)], theirs: &[(SatAnswer, f64)]) {
    let count = |all: &[(SatAnswer, f64)], is_meant: fn(&SatAnswer) -> bool| {
        all.iter().filter(|(answer, _)| is_meant(answer)).count().to_string()
    };
    let is_unknown = |answer: &SatAnswer| matches!(answer, SatAnswer::Unknown(_));
    let disagree = |pair: &(&(SatAnswer, f64), &(SatAnswer, f64))| {
        matches!(
            (&pair.0.0, &pair.1.0),
            (SatAnswer::Sat(_), SatAnswer::Unsat(_)) | (SatAnswer::Unsat(_), SatAnswer::Sat(_))
        )
    };
    let disagreements = ours.iter().zip(theirs).filter(disagree).count();
    let total = |all: &[(SatAnswer, f64)]| all.iter().map(|(_, time)| time).sum::<f64>();
    table.row(vec![
        name.to_owned(),
        ours.len().to_string(),
        count(ours, |answer| matches!(answer, SatAnswer::Sat(_))),
        disagreements.to_string(),
        count(ours, is_unknown),
        count(theirs, is_unknown),
        readable(total(ours)),
        readable(total(theirs)),
        times_faster(total(theirs) / total(ours)),
        times_faster(median(theirs) / median(ours)),
    ]);
}

fn median(all: &[(SatAnswer, f64)]) -> f64 {
    let mut times: Vec<f64> = all.iter().map(|(_, time)| *time).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

fn times_faster(ratio: f64) -> String {
    format!("{ratio:.1} times as fast")
}
