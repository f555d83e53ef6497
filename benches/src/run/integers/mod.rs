//! Programs over unbounded integers: the suite, the cost of abstraction as predicates are added, and modular checks.

#[allow(dead_code, reason = "the tests of `cegar` use the rest")]
#[path = "../../../../crates/cegar/tests/suite/case.rs"]
mod case;
mod cost;
#[path = "../../../../crates/tertium/src/solver.rs"]
mod solver;

use super::table::{NOTHING, Table, list, median, or, readable, row};
use super::{Bench, Tables};
use case::{Program, programs};
use cegar::{CegarAnswer, CegarLimits, LocationPartition, PartitionStats};
use logic::Truth;
use smt::{Embedded, Piped, Solver};
use solver::Process;
use std::io;
use std::time::{Duration, Instant};
use testkit::IntegerText;

pub const TABLES: [Tables; 3] = [suite, cost::tables, blocks];

/// How many seconds a case has if nobody says anything else.
const PATIENCE: u64 = 60;

/// The number of locations in a block of the partition, as `check` chooses it.
const ROW: usize = 16;

/// The others that are asked where they are found, and how many questions there are for each that they are asked: some take long.
const OTHERS: [(&str, usize); 2] = [("z3", 1), ("cvc5", 10)];

/// A program of the suite and the number of one of its properties; in a quick run some of them.
fn cases<'a>(bench: &Bench, programs: &'a [Program]) -> impl Iterator<Item = (&'a Program, usize)> {
    let of = |program: &'a Program| (0..program.expected.len()).map(move |p| (program, p));
    programs.iter().flat_map(of).step_by(bench.either(1, 10))
}

/// The embedded solver, or another if it is found.
fn solver(name: &str) -> Option<Box<dyn Solver>> {
    if name == "embedded" {
        return Some(Box::new(Embedded::new()));
    }
    let program = solver::find(name)?;
    Some(Box::new(Piped::new(Process::new(program, Duration::from_secs(2)))))
}

/// The answer to a property by the embedded solver, if there is one in time.
fn ask(
    bench: &Bench,
    program: &Program,
    property: usize,
    blocks: Option<&LocationPartition>,
    limits: CegarLimits,
) -> Option<CegarAnswer> {
    let patience = bench.patience_or(PATIENCE);
    program.answer(property, blocks, limits, patience, &mut Embedded::new()).ok()
}

fn is_decided(answer: &CegarAnswer) -> bool {
    answer.verdict.is_definite()
}

/// The result of a case.
struct Tried<'a> {
    program: &'a Program,
    property: usize,
    seconds: f64,
    /// Nothing if the time was over.
    answer: Option<CegarAnswer>,
}

impl Tried<'_> {
    fn verdict(&self) -> Truth {
        self.answer.as_ref().map_or(Truth::Unknown, |answer| answer.verdict)
    }

    fn expected(&self) -> Truth {
        self.program.expected[self.property].1.into()
    }

    fn is_wrong(&self) -> bool {
        self.verdict().is_definite() && self.verdict() != self.expected()
    }
}

/// Who is asked, what is looked at together, and how many cases there are for each that is tried.
type Setup = (String, &'static str, fn(&Program) -> Option<LocationPartition>, usize);

fn setups() -> Vec<Setup> {
    let mut setups: Vec<Setup> = vec![
        ("embedded".to_owned(), "embedded", |_| None, 1),
        (
            "embedded, `--method modular`".to_owned(),
            "embedded",
            |program| Some(LocationPartition::loops(program.program(), ROW)),
            1,
        ),
        (
            "embedded, `--partition statement`".to_owned(),
            "embedded",
            |program| Some(LocationPartition::locations(program.program())),
            3,
        ),
    ];
    let found = OTHERS.into_iter().filter(|(name, _)| solver(name).is_some());
    setups.extend(found.map(|(name, every)| -> Setup { (name.to_owned(), name, |_| None, every) }));
    setups
}

/// Every case of the suite: its verdict, and what it took.
fn suite(bench: &Bench) -> io::Result<Vec<Table>> {
    let programs = programs();
    let mut table = Table::new("Integers: the suite");
    let (mut notes, mut first) = (Vec::new(), None);
    let patience = bench.patience_or(PATIENCE);
    for (name, who, blocks, every) in setups() {
        let one = |(program, property): (_, usize)| {
            let (mut solver, blocks) = (solver(who).expect("it was found"), blocks(program));
            let (limits, began) = (CegarLimits::default(), Instant::now());
            let answer = program.answer(property, blocks.as_ref(), limits, patience, &mut *solver);
            let spent = began.elapsed();
            // Who looks at the clock too late has not kept to it.
            let answer = answer.ok().filter(|_| spent <= patience);
            Tried { program, property, seconds: spent.as_secs_f64(), answer }
        };
        let all: Vec<Tried> = cases(bench, &programs).step_by(every).map(one).collect();
        let names = |is_meant: fn(&Tried) -> bool| -> Vec<String> {
            let meant = all.iter().filter(|case| is_meant(case));
            let name = |case: &Tried| {
                let (program, title) =
                    (&case.program.name, &case.program.expected[case.property].0);
                format!("{program}: {title}")
            };
            meant.map(name).collect()
        };
        let undecided = names(|case| !case.verdict().is_definite());
        let wrong = names(|case| case.is_wrong());
        let decided = all.len() - undecided.len();
        let times: Vec<f64> = all.iter().map(|case| case.seconds).collect();
        let answers = all.iter().filter_map(|case| case.answer.as_ref());
        table.row(row![
            name,
            all.len(),
            format!("{decided} ({:.1} %)", 100.0 * decided as f64 / all.len() as f64),
            wrong.len(),
            undecided.len(),
            readable(median(times.clone())),
            readable(times.iter().sum()),
            answers.map(|answer| answer.counters.queries).sum::<u64>(),
        ]);
        notes.push(format!("Undecided with {name}: {}.", list(&undecided)));
        notes.push(format!("Wrong with {name}: {}.", list(&wrong)));
        first.get_or_insert_with(|| each(&name, &all));
    }
    table.fill("programs", programs.len());
    table.fill("limit", patience.as_secs());
    notes.into_iter().for_each(|note| table.note(note));
    Ok(std::iter::once(table).chain(first).collect())
}

fn each(name: &str, all: &[Tried]) -> Table {
    let mut table = Table::new(format!("Integers: each case of the suite, with the solver {name}"));
    for case in all {
        let of = |read: &dyn Fn(&CegarAnswer) -> u64| or(case.answer.as_ref().map(read), NOTHING);
        let (verdict, expected) = (case.verdict(), case.expected());
        table.row(row![
            case.program.name,
            case.program.expected[case.property].0,
            verdict,
            if verdict == expected { String::new() } else { expected.to_string() },
            readable(case.seconds),
            of(&|answer| answer.rounds.into()),
            of(&|answer| answer.precision.by_predicate().count() as u64),
            of(&|answer| answer.states as u64),
            of(&|answer| answer.counters.queries),
        ]);
    }
    table
}

/// The peak memory of a modular check as the program grows.
fn blocks(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Integers: piece by piece, as loops are added");
    for size in bench.either(&[4, 16, 64, 256, 1024][..], &[4, 16, 64]) {
        let one = "x := 0; while x < n do x := x + 1 od;\n".repeat(size - 1);
        let text = format!(
            "var n : int; var x : int;\n{one}x := 0; while x < n do x := x + 2 od; done: fin\n\
             property ends: ctl AF at_done; property enough: ctl AG (at_done -> x >= n);\n\
             property exact: ctl AG (at_done -> x = n | n < 0);"
        );
        let expected = [("ends", true), ("enough", true), ("exact", false)];
        let expected = expected.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let name = format!("{size} loops");
        let program = Program::read(IntegerText { name, text: text.into(), expected });
        for property in 0..program.expected.len() {
            let timed = |blocks: Option<&LocationPartition>| {
                let began = Instant::now();
                let answer = ask(bench, &program, property, blocks, CegarLimits::default());
                (answer.filter(is_decided), readable(began.elapsed().as_secs_f64()))
            };
            let (whole, whole_time) = timed(None);
            let (parts, parts_time) =
                timed(Some(&LocationPartition::loops(program.program(), ROW)));
            let of = |answer: &Option<CegarAnswer>, read: &dyn Fn(&CegarAnswer) -> u64| {
                or(answer.as_ref().map(read), NOTHING)
            };
            let figure = |read: fn(PartitionStats) -> u64| {
                of(&parts, &|answer| answer.partition.map_or(0, read))
            };
            table.row(row![
                size,
                program.expected[property].0,
                or(parts.as_ref().or(whole.as_ref()).map(|answer| answer.verdict), NOTHING),
                of(&whole, &|answer| answer.states as u64),
                of(&whole, &|answer| answer.rounds.into()),
                whole_time,
                of(&parts, &|answer| answer.states as u64),
                figure(|stats| stats.largest as u64),
                of(&parts, &|answer| answer.rounds.into()),
                figure(|stats| stats.checked),
                figure(|stats| stats.reused),
                parts_time,
            ]);
        }
    }
    Ok(vec![table])
}
