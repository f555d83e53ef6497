//! Every case of the suite: its verdict, and what it took.

use super::case::Program;
use super::{PATIENCE, Who, cases};
use crate::run::Bench;
use crate::run::table::{Table, list, readable};
use cegar::{Answer, Limits, Pieces};
use logic::Truth;
use std::time::Instant;

/// Of a hundred cases, so many are to be decided.
const BAR: usize = 90;

/// What came of a case.
struct Tried<'a> {
    program: &'a Program,
    property: usize,
    seconds: f64,
    /// Nothing if the time was over.
    answer: Option<Answer>,
}

/// How a case is tried: who is asked, and what is looked at together.
struct Way {
    name: String,
    who: Who,
    pieces: fn(&Program) -> Option<Pieces>,
    /// How many cases there are for each that is tried.
    every: usize,
}

/// What a loop leaves is cut into rows of so many places, as `check` does.
pub const ROW: usize = 16;

impl Way {
    fn all() -> Vec<Self> {
        let by_solver = |(name, who, every): (&str, Who, usize)| {
            let name = name.to_owned();
            Way { name, who, pieces: |_| None, every }
        };
        let modular = |name: &str, pieces, every| {
            let name = format!("embedded, {name}");
            Way { name, who: Who::Embedded, pieces, every }
        };
        let mut all: Vec<Way> = Who::all().into_iter().map(by_solver).collect();
        let loops = |program: &Program| Some(Pieces::loops(program.program(), ROW));
        let places = |program: &Program| Some(Pieces::places(program.program()));
        all.insert(1, modular("`--method modular`", loops, 1));
        all.insert(2, modular("`--partition statement`", places, 3));
        all
    }
}

pub fn tables(bench: &Bench, programs: &[Program]) -> Vec<Table> {
    let tried: Vec<(String, Vec<Tried>)> = Way::all()
        .into_iter()
        .map(|way| {
            let one = |(program, property)| Tried::new(bench, program, property, &way);
            let cases = cases(bench, programs).step_by(way.every);
            (way.name.clone(), cases.map(one).collect())
        })
        .collect();
    let mut tables = vec![summary(bench, programs, &tried)];
    tables.extend(tried.iter().take(1).map(|(name, all)| each(name, all)));
    tables
}

impl<'a> Tried<'a> {
    fn new(bench: &Bench, program: &'a Program, property: usize, way: &Way) -> Self {
        let (patience, mut solver) = (bench.patience_or(PATIENCE), way.who.solver());
        let pieces = (way.pieces)(program);
        let limits = Limits::default();
        let began = Instant::now();
        let answer = program.answer(property, pieces.as_ref(), limits, patience, &mut *solver).ok();
        let spent = began.elapsed();
        // Who looks at the clock too late has not kept to it.
        let answer = answer.filter(|_| spent <= patience);
        Self { program, property, seconds: spent.as_secs_f64(), answer }
    }

    fn verdict(&self) -> Truth {
        self.answer.as_ref().map_or(Truth::Unknown, |answer| answer.verdict)
    }

    fn expected(&self) -> Truth {
        self.program.expected[self.property].1.into()
    }

    fn is_wrong(&self) -> bool {
        self.verdict().is_definite() && self.verdict() != self.expected()
    }

    fn name(&self) -> String {
        format!("{}: {}", self.program.name, self.program.expected[self.property].0)
    }

    fn row(&self) -> Vec<String> {
        let of = |read: &dyn Fn(&Answer) -> u64| {
            self.answer.as_ref().map_or("–".to_owned(), |answer| read(answer).to_string())
        };
        let expected = match self.verdict() {
            verdict if verdict == self.expected() => String::new(),
            _ => self.expected().to_string(),
        };
        vec![
            self.program.name.clone(),
            self.program.expected[self.property].0.clone(),
            self.verdict().to_string(),
            expected,
            readable(self.seconds),
            of(&|answer| answer.rounds.into()),
            of(&|answer| answer.views.by_atom().count() as u64),
            of(&|answer| answer.states as u64),
            of(&|answer| answer.counters.queries),
        ]
    }
}

fn summary(bench: &Bench, programs: &[Program], tried: &[(String, Vec<Tried>)]) -> Table {
    let mut table = Table::new(
        "Integers: the suite",
        &["solver", "cases", "decided", "wrong", "undecided", "median", "all together", "queries"],
    );
    for (name, all) in tried {
        let decided = all.iter().filter(|case| case.verdict().is_definite()).count();
        let wrong = all.iter().filter(|case| case.is_wrong()).count();
        let mut times: Vec<f64> = all.iter().map(|case| case.seconds).collect();
        times.sort_by(f64::total_cmp);
        let queries = all.iter().filter_map(|case| case.answer.as_ref());
        let queries: u64 = queries.map(|answer| answer.counters.queries).sum();
        table.row(vec![
            name.clone(),
            all.len().to_string(),
            format!("{decided} ({:.1} %)", 100.0 * decided as f64 / all.len() as f64),
            wrong.to_string(),
            (all.len() - decided).to_string(),
            readable(times.get(times.len() / 2).copied().unwrap_or(0.0)),
            readable(times.iter().sum()),
            queries.to_string(),
        ]);
    }
    let patience = bench.patience_or(PATIENCE).as_secs();
    table.note(format!(
        "{} programs of `benches/integers`, each with its properties, {patience} s for each; no predicates are given. By processes where there are several, unless a method \
         is named. Bar: at \
         least {BAR} % decided, none wrong.",
        programs.len()
    ));
    for (name, all) in tried {
        let undecided = all.iter().filter(|case| !case.verdict().is_definite());
        let undecided: Vec<String> = undecided.map(Tried::name).collect();
        table.note(format!("Undecided with {name}: {}.", list(&undecided)));
        let wrong: Vec<String> =
            all.iter().filter(|case| case.is_wrong()).map(Tried::name).collect();
        table.note(format!("Wrong with {name}: {}.", list(&wrong)));
    }
    table
}

fn each(name: &str, all: &[Tried]) -> Table {
    let mut table = Table::new(
        format!("Integers: each case of the suite, with the solver {name}"),
        &[
            "program",
            "property",
            "verdict",
            "expected",
            "time",
            "rounds",
            "predicates",
            "states",
            "queries",
        ],
    );
    all.iter().for_each(|case| table.row(case.row()));
    table.note(
        "Expected is shown where it is not the verdict. States are those of the last abstraction.",
    );
    table
}
