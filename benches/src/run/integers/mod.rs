//! Programs over unbounded integers: the suite, what abstraction costs as predicates grow, our solver against others, and what
//! is saved by remembering.

mod agreement;
#[path = "../../../../crates/cegar/tests/suite/case.rs"]
mod case;
mod cost;
#[path = "../../../../crates/tertium/src/solver.rs"]
mod solver;

use super::table::{NOTHING, Table, geometric_mean, list, median, or, ratio, readable, row};
use super::{Bench, Tables};
use case::{Program, programs};
use cegar::{CegarAnswer, CegarLimits, LocationPartition, PartitionFigures};
use logic::Truth;
use smt::{Embedded, Piped, Solver};
use solver::Process;
use std::cmp::Ordering;
use std::io;
use std::time::{Duration, Instant};
use testkit::IntegerText;

pub const TABLES: [Tables; 6] = [suite, cost::tables, pieces, afresh, hints, agreement::tables];

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
    pieces: Option<&LocationPartition>,
    limits: CegarLimits,
) -> Option<CegarAnswer> {
    let patience = bench.patience_or(PATIENCE);
    program.answer(property, pieces, limits, patience, &mut Embedded::new()).ok()
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
type Way = (String, &'static str, fn(&Program) -> Option<LocationPartition>, usize);

fn ways() -> Vec<Way> {
    let mut ways: Vec<Way> = vec![
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
            |program| Some(LocationPartition::places(program.program())),
            3,
        ),
    ];
    let found = OTHERS.into_iter().filter(|(name, _)| solver(name).is_some());
    ways.extend(found.map(|(name, every)| -> Way { (name.to_owned(), name, |_| None, every) }));
    ways
}

/// Every case of the suite: its verdict, and what it took.
fn suite(bench: &Bench) -> io::Result<Vec<Table>> {
    let programs = programs();
    let mut table = Table::new("Integers: the suite");
    let (mut notes, mut first) = (Vec::new(), None);
    let patience = bench.patience_or(PATIENCE);
    for (name, who, pieces, every) in ways() {
        let one = |(program, property): (_, usize)| {
            let (mut solver, pieces) = (solver(who).expect("it was found"), pieces(program));
            let (limits, began) = (CegarLimits::default(), Instant::now());
            let answer = program.answer(property, pieces.as_ref(), limits, patience, &mut *solver);
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
fn pieces(bench: &Bench) -> io::Result<Vec<Table>> {
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
            let timed = |pieces: Option<&LocationPartition>| {
                let began = Instant::now();
                let answer = ask(bench, &program, property, pieces, CegarLimits::default());
                (answer.filter(is_decided), readable(began.elapsed().as_secs_f64()))
            };
            let (whole, whole_time) = timed(None);
            let (parts, parts_time) =
                timed(Some(&LocationPartition::loops(program.program(), ROW)));
            let of = |answer: &Option<CegarAnswer>, read: &dyn Fn(&CegarAnswer) -> u64| {
                or(answer.as_ref().map(read), NOTHING)
            };
            let figure = |read: fn(PartitionFigures) -> u64| {
                of(&parts, &|answer| answer.pieces.map_or(0, read))
            };
            table.row(row![
                size,
                program.expected[property].0,
                or(parts.as_ref().or(whole.as_ref()).map(|answer| answer.verdict), NOTHING),
                of(&whole, &|answer| answer.states as u64),
                of(&whole, &|answer| answer.rounds.into()),
                whole_time,
                of(&parts, &|answer| answer.states as u64),
                figure(|figures| figures.largest as u64),
                of(&parts, &|answer| answer.rounds.into()),
                figure(|figures| figures.looked_at),
                figure(|figures| figures.reused),
                parts_time,
            ]);
        }
    }
    Ok(vec![table])
}

/// The time saved by caching the solver's answers from round to round.
fn afresh(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Integers: going on against starting afresh after each round");
    // Rounds and queries of a case that was decided both ways.
    let pair = |(program, property): (&Program, usize)| {
        let run = |remember: bool| {
            let limits = CegarLimits { remember, ..CegarLimits::default() };
            let answer = ask(bench, program, property, None, limits).filter(is_decided)?;
            Some((answer.rounds, answer.counters.queries))
        };
        let ((rounds, kept), (_, afresh)) = (run(true)?, run(false)?);
        Some((rounds, kept, afresh))
    };
    let pairs: Vec<(u32, u64, u64)> = cases(bench, &programs()).filter_map(pair).collect();
    for (name, rounds) in [
        ("1", 1..=1),
        ("2 to 3", 2..=3),
        ("4 to 7", 4..=7),
        ("8 to 15", 8..=15),
        ("16 and more", 16..=u32::MAX),
        ("2 and more", 2..=u32::MAX),
        ("all", 0..=u32::MAX),
    ] {
        let own = || pairs.iter().filter(|pair| rounds.contains(&pair.0));
        let (kept, afresh) =
            (own().map(|pair| pair.1).sum::<u64>(), own().map(|pair| pair.2).sum::<u64>());
        // A case that the text decides asks nothing.
        let each = own().map(|pair| pair.1.max(1) as f64 / pair.2.max(1) as f64);
        let is_any = own().next().is_some();
        let all = is_any.then_some(kept as f64 / afresh as f64);
        let mean = is_any.then(|| geometric_mean(&each.collect::<Vec<_>>()));
        let (all, mean) = (ratio(all, NOTHING), ratio(mean, NOTHING));
        table.row(row![name, own().count(), kept, afresh, all, mean]);
    }
    Ok(vec![table])
}

/// The gain from hints: a check that stops early and suggests predicates is repeated with these in the file.
fn hints(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Integers: what hints are worth");
    let programs = programs();
    // After so many rounds it is said that nothing was found.
    for rounds in [2, 4, 8] {
        let [mut undecided, mut hinted, mut decided, mut lost] = [0; 4];
        let mut compared = [0; 3];
        for (program, property) in cases(bench, &programs) {
            let ask = |program: &Program, limits| ask(bench, program, property, None, limits);
            let few = CegarLimits { rounds, ..CegarLimits::default() };
            let first = ask(program, few).filter(|answer| !is_decided(answer));
            let Some(first) = first else { continue };
            undecided += 1;
            if first.hints.is_empty() {
                continue;
            }
            hinted += 1;
            let with_hints = program.with_hints(&first.hints);
            decided += usize::from(ask(&with_hints, few).is_some_and(|answer| is_decided(&answer)));
            let at_last =
                |program: &Program| ask(program, CegarLimits::default()).filter(is_decided);
            match (at_last(program), at_last(&with_hints)) {
                (Some(without), Some(with)) => match with.rounds.cmp(&without.rounds) {
                    Ordering::Less => compared[0] += 1,
                    Ordering::Equal => compared[1] += 1,
                    Ordering::Greater => compared[2] += 1,
                },
                (None, Some(_)) => compared[0] += 1,
                (Some(_), None) => lost += 1,
                (None, None) => {}
            }
        }
        let [fewer, same, more] = compared;
        table.row(row![rounds, undecided, hinted, decided, fewer, same, more, lost]);
    }
    Ok(vec![table])
}
