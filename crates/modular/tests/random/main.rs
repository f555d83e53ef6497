//! Random programs, formulas and partitions against the meaning that the paper gives them.

mod assumed;
mod calls;
mod evidence;
mod jumping;
mod limits;
mod recursion;

use front::{GivenQuestion, read_partition, write_partition};
use logic::{Logic, Truth};
use modular::{InMemory, ModularOutcome, ModularRequest, Representation, WantedEvidence, check};
use std::cell::Cell;
use std::sync::Arc;
use support::{FileId, Monitor, SourceMap};
use testkit::programs::{
    Command, Ctl, Oracle, Program, RandomCuts, Size, fill, fillings, random_ctl, random_program,
};
use testkit::{Rng, for_seeds};
use testkit::{WhileDocument, read_while_asking};
use transition::cfg::{Assumed, Closure, OneBlock, Partition, Statements};

fn read(program: &Program, formulas: &[Ctl]) -> Result<WhileDocument, String> {
    let text: Arc<str> = program.text().into();
    let question = |(index, formula): (usize, &Ctl)| GivenQuestion {
        logic: Logic::Ctl,
        file: FileId(index as u32 + 1),
        text: formula.text(program).into(),
    };
    let asked: Vec<GivenQuestion> = formulas.iter().enumerate().map(question).collect();
    read_while_asking(FileId(0), &text, &asked).map_err(|errors| format!("{errors:?}"))
}

fn closure(document: &WhileDocument) -> Closure {
    let surfaces: Vec<_> =
        document.properties.iter().map(|property| property.surface().unwrap().clone()).collect();
    let atom = |name: &str| {
        let found = document.propositions.iter().find(|(known, _)| known == name);
        found.map(|(_, atom)| *atom)
    };
    Closure::new(&surfaces, !document.program.has_holes(), atom).expect("it is CTL")
}

/// All that can be wished for.
const EVERYTHING: WantedEvidence =
    WantedEvidence { claims: true, paths: true, sufficient_assumptions: true };

fn request<'a>(
    document: &'a WhileDocument,
    partition: &'a Partition,
    closure: &'a Closure,
    store: &'a InMemory,
    monitor: &'a Monitor,
    rng: &mut Rng,
) -> ModularRequest<'a> {
    let representation = if rng.chance(0.7) { Representation::Bits } else { Representation::Bdds };
    ModularRequest {
        program: &document.program,
        partition,
        assumed: &[],
        closure,
        representation,
        store,
        keeps_all: rng.chance(0.5),
        wish: if rng.chance(0.1) { EVERYTHING } else { WantedEvidence::NOTHING },
        threads: rng.between(1, 3),
        worth_a_thread: 1,
        question: 0,
        most_nodes: 1 << 20,
        monitor,
    }
}

fn run(
    document: &WhileDocument,
    partition: &Partition,
    rng: &mut Rng,
    assumed: &[Assumed],
) -> ModularOutcome {
    let (closure, store, monitor) = (closure(document), InMemory::default(), Monitor::new());
    let request = request(document, partition, &closure, &store, &monitor, rng);
    check(&ModularRequest { assumed, ..request }).expect("nothing stops it")
}

fn agrees(rng: &mut Rng, program: &Program, oracle: &Oracle) -> Result<(), String> {
    let formulas: Vec<Ctl> = (0..rng.between(1, 3)).map(|_| random_ctl(rng, program, 5)).collect();
    let document = read(program, &formulas)?;
    let partition = match rng.below(4) {
        0 => Partition::new(&document.program, &mut OneBlock),
        1 => Partition::new(&document.program, &mut Statements),
        _ => Partition::new(&document.program, &mut RandomCuts::new(rng)),
    };
    let outcome = run(&document, &partition, rng, &[]);
    for (formula, verdict) in formulas.iter().zip(outcome.verdicts) {
        let expected = if oracle.holds(formula) { Truth::True } else { Truth::False };
        if verdict != expected {
            let text = formula.text(program);
            return Err(format!("{text}: {verdict:?} and not {expected:?}, with {partition:?}"));
        }
    }
    Ok(())
}

/// M Thm 5.2.
#[test]
fn every_partition_gives_the_meaning() {
    for_seeds("modular", 0..20_000, |rng, case| {
        let program = random_program(rng, Size::small());
        case.note(program.text());
        agrees(rng, &program, &Oracle::new(&program))
    });
}

#[test]
fn procedures_are_their_bodies() {
    for_seeds("modular-procedures", 0..3000, |rng, case| {
        let program = random_program(rng, Size::small().with_procedures());
        case.note(program.text());
        agrees(rng, &program, &Oracle::new(&program))
    });
}

/// Small fragments that could stand in the place of a hole, `most` of them.
fn some_fillings(
    rng: &mut Rng,
    program: &Program,
    frame: &[usize],
    most: usize,
) -> Vec<Vec<Command>> {
    let all: Vec<Vec<Command>> = fillings(program, frame, 2).collect();
    (0..most.min(all.len())).map(|_| rng.pick(&all).clone()).collect()
}

/// A definite verdict holds for every program that stands in the place of the holes.
#[test]
fn what_is_definite_holds_for_every_filling() {
    // An unknown verdict of which both kinds of filling were found, and all of them.
    let (mixed, unknown) = (Cell::new(0), Cell::new(0));
    for_seeds("modular-holes", 0..1500, |rng, case| {
        let size = Size { valuations: 24, commands: 5, depth: 2, ..Size::small() }.with_holes();
        let mut program = random_program(rng, size);
        while program.holes().is_empty() {
            program = random_program(rng, size);
        }
        case.note(program.text());
        let holes = program.holes();
        let formula = random_ctl(rng, &program, 4);
        case.note(formula.text(&program));
        let document = read(&program, std::slice::from_ref(&formula))?;
        let partition = Partition::new(&document.program, &mut RandomCuts::new(rng));
        let verdict = run(&document, &partition, rng, &[]).verdicts[0];
        let mut seen = [false; 2];
        for _ in 0..12 {
            let mut filled = program.clone();
            for (name, frame) in &holes {
                let fragment = some_fillings(rng, &program, frame, 1).remove(0);
                filled = fill(&filled, name, &fragment);
            }
            let holds = Oracle::new(&filled).holds(&formula);
            seen[usize::from(holds)] = true;
            if verdict == Truth::from(!holds) {
                return Err(format!("{verdict:?}, but not with\n{}", filled.text()));
            }
        }
        if verdict == Truth::Unknown {
            unknown.set(unknown.get() + 1);
            mixed.set(mixed.get() + usize::from(seen == [true; 2]));
        }
        Ok(())
    });
    println!("{} of {} unknown verdicts depend on the filling", mixed.get(), unknown.get());
    assert!(2 * mixed.get() > unknown.get());
}

/// A written partition is read as the same partition.
#[test]
fn partitions_are_read_as_they_were_written() {
    for_seeds("partition-files", 0..1000, |rng, case| {
        let program = random_program(rng, Size::small().with_procedures());
        case.note(program.text());
        let document = read(&program, &[])?;
        let mut sources = SourceMap::new();
        sources.add("program", program.text());
        let partition = Partition::new(&document.program, &mut RandomCuts::new(rng));
        let text = write_partition(&document.program, &partition, &sources);
        let cuts = read_partition(FileId(1), &text, &document.program, &sources);
        let mut cuts = cuts.map_err(|errors| format!("{text}: {errors:?}"))?;
        match Partition::new(&document.program, &mut cuts) == partition {
            true => Ok(()),
            false => Err(format!("{text} is not {partition:?}")),
        }
    });
}
