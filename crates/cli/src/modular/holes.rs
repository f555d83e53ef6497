//! Which assumption on the holes of a program would decide a property that is unknown.
//!
//! Assumptions are made of what the property speaks of and of what the rest of the program needs, weaker ones first,
//! and tried: what is told was found to decide it.

use super::{Run, Settings};
use base::{FileId, Monitor};
use flow::{Assumed, Atom, Closure, Kind, Partition, Statements};
use front::WhileDocument;
use logic::Truth;
use machine::{Domain, Var, VarId};
use program::{InMemory, Need, Wish};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// No more assumptions than this are tried.
const MOST: usize = 48;
/// The search takes no longer than this, or than so many times what the answers took.
const PATIENCE: Duration = Duration::from_secs(1);
const TIMES: u32 = 3;

/// Assumptions that decide a property, and its verdict then.
pub fn deciding(
    run: &Run,
    number: usize,
    took: Duration,
    monitor: &Monitor,
) -> Option<(Vec<String>, bool)> {
    let (began, most) = (Instant::now(), PATIENCE.max(TIMES * took));
    let mut document = run.subject.document.clone();
    let holes: Vec<String> = document.program.holes.names().map(str::to_owned).collect();
    let closure = closure_of(&document, number)?;
    let formulas = formulas(run, &document, &closure, monitor);
    let mut refuting = None;
    for formula in formulas.iter().take(MOST) {
        // What decides it for one hole may not need the others.
        let mut tries: Vec<Vec<&String>> = holes.iter().map(|hole| vec![hole]).collect();
        if holes.len() > 1 {
            tries.push(holes.iter().collect());
        }
        for names in tries {
            if began.elapsed() > most {
                return refuting;
            }
            let texts: Vec<String> = names.iter().map(|name| joined(run, name, formula)).collect();
            let read =
                |text: &String| front::read_assumption(FileId(0), text, &mut document.program).ok();
            let Some(mut assumed) = texts.iter().map(read).collect::<Option<Vec<Assumed>>>() else {
                continue;
            };
            assumed.extend(run.subject.assumed.iter().filter(|given| {
                !names.iter().any(|name| *name == document.program.holes.name(given.hole))
            }));
            let verdict = verdict(run, &document, &closure, &assumed, monitor)?;
            match verdict {
                Truth::True => return Some((texts, true)),
                // Who asks wants to know first how it can be kept.
                Truth::False => refuting = refuting.or(Some((texts, false))),
                Truth::Unknown => {}
            }
        }
    }
    refuting
}

/// An assumption on a hole, besides what is assumed of it already.
fn joined(run: &Run, hole: &str, formula: &str) -> String {
    let given = run.subject.assumptions.iter().find_map(|text| {
        let (name, rest) = text.split_once(':')?;
        (name.trim() == hole).then_some(rest.trim())
    });
    match given {
        Some(given) => format!("{hole}: {given} & {formula}"),
        None => format!("{hole}: {formula}"),
    }
}

fn verdict(
    run: &Run,
    document: &WhileDocument,
    closure: &Closure,
    assumed: &[Assumed],
    monitor: &Monitor,
) -> Option<Truth> {
    let settings = Settings { keeps_all: false, wish: Wish::NOTHING, threads: 1 };
    let found =
        run.check_of(&document.program, closure, assumed, &InMemory::default(), settings, monitor);
    let found = found.ok()?;
    // What no program can keep decides nothing.
    Some(if found.is_impossible { Truth::Unknown } else { found.verdicts[0] })
}

fn closure_of(document: &WhileDocument, number: usize) -> Option<Closure> {
    let surface = document.properties[number].surface.clone();
    let atom = |name: &str| {
        let found = document.propositions.iter().find(|(known, _)| known == name);
        found.map(|(_, atom)| *atom)
    };
    Closure::new(&[surface], false, atom).ok()
}

/// What can be assumed, weaker first.
fn formulas(
    run: &Run,
    document: &WhileDocument,
    closure: &Closure,
    monitor: &Monitor,
) -> Vec<String> {
    let mut conditions = spoken_of(document, closure);
    for need in needs(run, closure, monitor) {
        conditions.extend(condition(document, &need).filter(|text| !conditions.contains(text)));
    }
    let mut found = vec!["AG !error".to_owned(), "AF end".to_owned()];
    let shapes: [fn(&str) -> String; 5] = [
        |condition| format!("AG (end -> {condition})"),
        |condition| format!("AG {condition}"),
        |condition| format!("AG ({condition} & !error)"),
        |condition| format!("AF end & AG (end -> {condition})"),
        |condition| format!("AF end & AG {condition}"),
    ];
    for shape in shapes {
        found.extend(conditions.iter().map(|condition| shape(condition)));
    }
    found
}

/// The conditions of the property that speak of what a hole can change: to assume anything else of it would be to
/// assume that it never ends.
fn spoken_of(document: &WhileDocument, closure: &Closure) -> Vec<String> {
    let frame = frame(document);
    let mut conditions: Vec<String> = Vec::new();
    for atom in closure.atoms.values() {
        let Atom::Holds(node) = atom else { continue };
        let reads = document.program.data.access([*node]).now;
        let text = document.propositions.iter().find(|(_, known)| known == atom);
        if let Some((text, _)) = text.filter(|_| reads.iter().any(|var| frame.contains(var))) {
            conditions.extend([format!("({text})"), format!("!({text})")]);
        }
    }
    conditions
}

/// What the rest of the program needs of the holes, each of them being a piece by itself.
fn needs(run: &Run, closure: &Closure, monitor: &Monitor) -> Vec<Need> {
    let program = &run.subject.document.program;
    let partition = Partition::new(program, &mut Statements);
    let run = Run { partition: &partition, ..*run };
    let wish = Wish { needs: true, ..Wish::NOTHING };
    let settings = Settings { keeps_all: false, wish, threads: 1 };
    let assumed = &run.subject.assumed;
    let found = run.check(closure, assumed, &InMemory::default(), settings, monitor);
    found.ok().and_then(|found| found.evidence).map(|evidence| evidence.needs).unwrap_or_default()
}

/// That a variable has one of some values, as it is written in the language.
fn condition(document: &WhileDocument, need: &Need) -> Option<String> {
    const FEW: usize = 4;
    let data = &document.program.data;
    let Var { name, domain, .. } = &data.vars[need.var];
    let (first, last) = (*need.values.first()?, *need.values.last()?);
    let is_run = need.values.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match domain {
        Domain::Bool => Some(if first == 1 { name.clone() } else { format!("!{name}") }),
        Domain::Range(low, _) if is_run && first == *low => Some(format!("({name} <= {last})")),
        Domain::Range(_, high) if is_run && last == *high => Some(format!("({name} >= {first})")),
        Domain::Range(..) if is_run => Some(format!("({name} >= {first} & {name} <= {last})")),
        _ if need.values.len() <= FEW => {
            let one = |value: &i64| format!("{name} = {}", domain.text(*value, &data.symbols));
            let all: Vec<String> = need.values.iter().map(one).collect();
            Some(format!("({})", all.join(" | ")))
        }
        _ => None,
    }
}

/// All that holes can change.
fn frame(document: &WhileDocument) -> FxHashSet<VarId> {
    let commands = document.program.commands.values();
    let frames = commands.filter_map(|command| match &command.kind {
        Kind::Hole { frame, .. } => Some(frame),
        _ => None,
    });
    frames.flatten().copied().collect()
}
