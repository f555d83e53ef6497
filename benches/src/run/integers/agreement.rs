//! The embedded solver against others, on the questions that runs ask.

use super::case::{Program, programs};
use super::{OTHERS, cases, solver};
use crate::random::Random;
use crate::run::Bench;
use crate::run::table::{Table, median, readable, row};
use cegar::CegarLimits;
use rustc_hash::FxHashSet;
use smt::{Counters, Embedded, LinearFormula, SatAnswer, Solver};
use std::io;
use std::time::{Duration, Instant};
use testkit::IntegerText;

/// So many questions, of which the suite asks a part.
const QUESTIONS: usize = 100_000;
const FROM_SUITE: usize = 70_000;
/// Nobody waits for a run that asks enough already.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Integers: the embedded solver against others");
    let (questions, from_suite) = questions(bench);
    for (name, every) in OTHERS {
        let Some(mut other) = solver(name) else {
            table.note(format!("`{name}` was not found."));
            continue;
        };
        let some: Vec<&Vec<LinearFormula>> = questions.iter().step_by(every).collect();
        let (ours, theirs) = (ask(&mut Embedded::new(), &some), ask(&mut *other, &some));
        let count = |all: &[(SatAnswer, f64)], is_meant: fn(&SatAnswer) -> bool| {
            all.iter().filter(|(answer, _)| is_meant(answer)).count()
        };
        let is_unknown = |answer: &SatAnswer| matches!(answer, SatAnswer::Unknown(_));
        let pairs = ours.iter().zip(&theirs).filter(|((a, _), (b, _))| {
            use SatAnswer::{Sat, Unsat};
            matches!((a, b), (Sat(_), Unsat(_)) | (Unsat(_), Sat(_)))
        });
        let [(total, middle), (their_total, their_middle)] = [&ours, &theirs].map(|all| {
            let times: Vec<f64> = all.iter().map(|(_, time)| *time).collect();
            (times.iter().sum::<f64>(), median(times))
        });
        table.row(row![
            name,
            ours.len(),
            count(&ours, |answer| matches!(answer, SatAnswer::Sat(_))),
            pairs.count(),
            count(&ours, is_unknown),
            count(&theirs, is_unknown),
            readable(total),
            readable(their_total),
            format!("{:.1} times as fast", their_total / total),
            format!("{:.1} times as fast", their_middle / middle),
        ]);
    }
    table.note(format!(
        "Different questions, as the runs of the suite ask them ({from_suite}) and runs on random programs. The others are \
         asked through a pipe, with a model or a core for every answer. Bar: no disagreement in {QUESTIONS} questions."
    ));
    Ok(vec![table])
}

/// Different questions, and how many of them are the suite's.
fn questions(bench: &Bench) -> (Vec<Vec<LinearFormula>>, usize) {
    let most = |number: usize| number / bench.either(1, 10);
    let mut asked = FxHashSet::default();
    // From each case its share, so that no case fills it all.
    let programs = programs();
    let all: Vec<(&Program, usize)> = cases(bench, &programs).collect();
    for (number, (program, property)) in (1..).zip(&all) {
        let share = most(FROM_SUITE) * number / all.len();
        let mut recorder = Recorder::new(&mut asked, share.max(1));
        // Only the questions matter.
        let _ = program.answer(*property, None, CegarLimits::default(), PATIENCE, &mut recorder);
    }
    let from_suite = asked.len();
    let mut seed = 1;
    while asked.len() < most(QUESTIONS) {
        let program = Program::read(random_text(seed));
        for property in 0..program.expected.len() {
            let mut recorder = Recorder::new(&mut asked, most(QUESTIONS));
            let limits = CegarLimits { rounds: 12, ..CegarLimits::default() };
            let _ = program.answer(property, None, limits, PATIENCE, &mut recorder);
        }
        seed += 1;
    }
    let mut questions: Vec<Vec<LinearFormula>> = asked.into_iter().collect();
    questions.sort();
    (questions, from_suite)
}

/// The answers of a solver, with their times.
fn ask(solver: &mut dyn Solver, questions: &[&Vec<LinearFormula>]) -> Vec<(SatAnswer, f64)> {
    let one = |question: &&Vec<LinearFormula>| {
        let began = Instant::now();
        let answer = solver.check(question);
        (answer, began.elapsed().as_secs_f64())
    };
    questions.iter().map(one).collect()
}

/// The embedded solver with a record of questions, each once, with the context as parts of it, until so many are known.
struct Recorder<'a> {
    solver: Embedded,
    context: Vec<LinearFormula>,
    asked: &'a mut FxHashSet<Vec<LinearFormula>>,
    most: usize,
}

impl<'a> Recorder<'a> {
    fn new(asked: &'a mut FxHashSet<Vec<LinearFormula>>, most: usize) -> Self {
        Self { solver: Embedded::new(), context: Vec::new(), asked, most }
    }
}

impl Solver for Recorder<'_> {
    fn check(&mut self, parts: &[LinearFormula]) -> SatAnswer {
        if self.asked.len() < self.most {
            self.asked.insert([&self.context, parts].concat());
        }
        self.solver.check(parts)
    }

    fn push(&mut self, part: &LinearFormula) {
        self.context.push(part.clone());
        self.solver.push(part);
    }

    fn pop(&mut self) {
        self.context.pop();
        self.solver.pop();
    }

    fn counters(&self) -> Counters {
        self.solver.counters()
    }
}

/// A random program, the same for the same seed. What is expected of it is not known.
fn random_text(seed: u64) -> IntegerText {
    let mut random = Random::new(seed);
    let mut text = format!("var x, y, z : int;\nwhile {} do\n", condition(&mut random, 2));
    let body: Vec<String> = (0..2 + random.below(3)).map(|_| command(&mut random, 2)).collect();
    text += &format!("  {}\nod;\ndone: fin\n\n", body.join(";\n  "));
    let mut expected = Vec::new();
    for shape in ["AF at_done", "AG EF C", "AG (C -> AF C)", "EG C"] {
        let mut formula = shape.to_owned();
        while formula.contains('C') {
            let condition = condition(&mut random, 1);
            formula = formula.replacen('C', &format!("({condition})"), 1);
        }
        let name = format!("p{}", expected.len());
        text += &format!("property {name}: ctl {formula};\n");
        expected.push((name, false));
    }
    IntegerText { name: format!("random {seed}"), text: text.into(), expected }
}

fn pick(random: &mut Random, from: &[&'static str]) -> &'static str {
    from[random.below(from.len() as u32) as usize]
}

fn variables(random: &mut Random) -> (&'static str, &'static str) {
    (pick(random, &["x", "y", "z"]), pick(random, &["x", "y", "z"]))
}

fn condition(random: &mut Random, depth: u32) -> String {
    if depth > 1 && random.chance(0.4) {
        let operator = pick(random, &["&", "|"]);
        return format!("({} {operator} {})", condition(random, 1), condition(random, 1));
    }
    let (a, b) = variables(random);
    let relation = pick(random, &["=", "!=", "<", "<=", ">", ">="]);
    let number = i64::from(random.below(21)) - 10;
    match random.below(8) {
        0..4 => format!("{a} {relation} {number}"),
        4 => format!("{a} {relation} {b}"),
        5 => format!("{a} + {b} {relation} {number}"),
        6 => format!("2 * {a} - {b} {relation} {number}"),
        _ => format!("{a} mod {} = {}", 2 + random.below(4), random.below(2)),
    }
}

fn command(random: &mut Random, depth: u32) -> String {
    if depth > 0 && random.chance(0.3) {
        let (then, otherwise) = (command(random, depth - 1), command(random, depth - 1));
        return format!("if {} then {then} else {otherwise} fi", condition(random, 2));
    }
    let (a, b) = variables(random);
    let number = random.below(4);
    match random.below(9) {
        0 | 1 => format!("{a} := {a} + {number}"),
        2 | 3 => format!("{a} := {a} - {number}"),
        4 => format!("{a} := {a} - {b}"),
        5 => format!("{a} := {b} + {number}"),
        6 => format!("{a} := {{{a}, {b} + 1}}"),
        7 => format!("{a} := {a} / {}", 2 + number),
        _ => format!("{a} := any"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_texts_can_be_read_and_stay_the_same() {
        for seed in 1..300 {
            assert_eq!(Program::read(random_text(seed)).expected.len(), 4);
            assert_eq!(random_text(seed).text, random_text(seed).text);
        }
    }
}
