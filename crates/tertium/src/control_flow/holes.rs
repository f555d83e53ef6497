//! Which assumption on the holes of a program would decide a property that is unknown.
//!
//! Candidates are built from the conditions of the property and of the rest of the program, and checked, weaker ones
//! first: a suggested assumption has been checked to decide the property.

use super::{Run, RunSettings};
use crate::transition_system::ProgramGraph;
use logic::Truth;
use modular::{InMemory, SufficientAssumption, WantedEvidence};
use std::time::{Duration, Instant};
use support::{FileId, Monitor};
use transition::cfg::{Assumed, Closure, CommandKind, CtlAtom, Partition, Statements};
use transition::{Domain, MachineVar, VarId};

/// No more assumptions than this are tried.
const MOST: usize = 100;
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
    let closure = closure_of(&document, number)?;
    let mut refuting = None;
    for tried in tries(run, &document, &closure, monitor).into_iter().take(MOST) {
        if began.elapsed() > most {
            break;
        }
        let texts: Vec<String> =
            tried.iter().map(|(hole, formula)| joined(run, hole, formula)).collect();
        let read =
            |text: &String| front::read_assumption(FileId(0), text, &mut document.program).ok();
        let Some(mut assumed) = texts.iter().map(read).collect::<Option<Vec<Assumed>>>() else {
            continue;
        };
        let is_given = |given: &&Assumed| {
            let name = document.program.holes.name(given.hole);
            !tried.iter().any(|(hole, _)| hole == name)
        };
        assumed.extend(run.subject.assumed.iter().filter(is_given).cloned());
        match verdict(run, &document, &closure, &assumed, monitor)? {
            Truth::True => return Some((texts, true)),
            // A run that satisfies the assumption comes first.
            Truth::False => refuting = refuting.or(Some((texts, false))),
            Truth::Unknown => {}
        }
    }
    refuting
}

/// Holes, and what is assumed of each.
type Tried = Vec<(String, String)>;

/// Candidate assumptions, weaker first: on one hole, on all alike, and on one while all end.
fn tries(run: &Run, document: &ProgramGraph, closure: &Closure, monitor: &Monitor) -> Vec<Tried> {
    let holes: Vec<String> = document.program.holes.names().map(str::to_owned).collect();
    let sufficient_assumptions = sufficient_assumptions(run, closure, monitor);
    let general = ["AG !error", "AF end"].map(str::to_owned);
    let mut found: Vec<Tried> = Vec::new();
    for formula in &general {
        found.extend(holes.iter().map(|hole| vec![(hole.clone(), formula.clone())]));
        if holes.len() > 1 {
            found.push(holes.iter().map(|hole| (hole.clone(), formula.clone())).collect());
        }
    }
    // By hole: what makes sense of it.
    let own: Vec<(&String, Vec<String>)> = holes
        .iter()
        .map(|hole| (hole, conditions(document, closure, hole, &sufficient_assumptions)))
        .collect();
    let each = || own.iter().flat_map(|(hole, all)| all.iter().map(move |text| (*hole, text)));
    for shape in SHAPES {
        found.extend(each().map(|(hole, condition)| vec![(hole.clone(), shape(condition))]));
    }
    if holes.len() > 1 {
        found.extend(of_all(&own));
        for (hole, condition) in each() {
            let formula = |other: &String| match other == hole {
                true => format!("AF end & AG (end -> {condition})"),
                false => "AF end".to_owned(),
            };
            found.push(holes.iter().map(|other| (other.clone(), formula(other))).collect());
        }
    }
    found
}

/// One assumption for all holes, about variables that all of them can change.
fn of_all(own: &[(&String, Vec<String>)]) -> Vec<Tried> {
    let is_common = |condition: &&String| own.iter().all(|(_, all)| all.contains(condition));
    let common: Vec<&String> =
        own.iter().take(1).flat_map(|(_, all)| all).filter(is_common).collect();
    let tried = |shape: fn(&str) -> String, condition: &str| {
        own.iter().map(|(hole, _)| ((*hole).clone(), shape(condition))).collect()
    };
    SHAPES.iter().flat_map(|shape| common.iter().map(|text| tried(*shape, text))).collect()
}

/// The shapes of assumptions with a condition, weaker first.
const SHAPES: [fn(&str) -> String; 5] = [
    |condition| format!("AG (end -> {condition})"),
    |condition| format!("AG {condition}"),
    |condition| format!("AG ({condition} & !error)"),
    |condition| format!("AF end & AG (end -> {condition})"),
    |condition| format!("AF end & AG {condition}"),
];

/// The conditions that make sense of a hole: they speak of what it can change. To assume anything else of it would be
/// to assume that it never ends.
fn conditions(
    document: &ProgramGraph,
    closure: &Closure,
    hole: &str,
    sufficient_assumptions: &[SufficientAssumption],
) -> Vec<String> {
    let mut found = spoken_of(document, closure, &frame(document, hole));
    let own =
        sufficient_assumptions.iter().filter(|need| document.program.holes.name(need.hole) == hole);
    for need in own {
        found.extend(condition(document, need).filter(|text| !found.contains(text)));
    }
    found
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
    document: &ProgramGraph,
    closure: &Closure,
    assumed: &[Assumed],
    monitor: &Monitor,
) -> Option<Truth> {
    let settings = RunSettings { kept: None, wish: WantedEvidence::NOTHING, threads: 1 };
    let found =
        run.check_of(&document.program, closure, assumed, &InMemory::default(), settings, monitor);
    let found = found.ok()?;
    // What no program can keep decides nothing.
    Some(if found.is_impossible { Truth::Unknown } else { found.verdicts[0] })
}

fn closure_of(document: &ProgramGraph, number: usize) -> Option<Closure> {
    let surface = document.properties[number].surface()?.clone();
    let atoms = document.atoms();
    Closure::new(&[surface], false, |name| atoms.get(name).copied()).ok()
}

/// The conditions of the property that speak of these variables.
fn spoken_of(document: &ProgramGraph, closure: &Closure, frame: &[VarId]) -> Vec<String> {
    let mut conditions: Vec<String> = Vec::new();
    for atom in closure.atoms.values() {
        let CtlAtom::Holds(node) = atom else { continue };
        let reads = document.program.data.access([*node]).now;
        let text = document.name_of(*atom);
        if let Some(text) = text.filter(|_| reads.iter().any(|var| frame.contains(var))) {
            conditions.extend([format!("({text})"), format!("!({text})")]);
        }
    }
    conditions
}

/// The needs of the rest of the program, each hole being a block by itself.
fn sufficient_assumptions(
    run: &Run,
    closure: &Closure,
    monitor: &Monitor,
) -> Vec<SufficientAssumption> {
    let program = &run.subject.document.program;
    let partition = Partition::new(program, &mut Statements);
    let run = Run { partition: &partition, ..*run };
    let wish = WantedEvidence { sufficient_assumptions: true, ..WantedEvidence::NOTHING };
    let settings = RunSettings { kept: None, wish, threads: 1 };
    let assumed = &run.subject.assumed;
    let found = run.check(closure, assumed, &InMemory::default(), settings, monitor);
    found
        .ok()
        .and_then(|found| found.evidence)
        .map(|evidence| evidence.sufficient_assumptions)
        .unwrap_or_default()
}

/// That a variable has one of some values, as it is written in the language.
fn condition(document: &ProgramGraph, need: &SufficientAssumption) -> Option<String> {
    const FEW: usize = 4;
    let data = &document.program.data;
    let MachineVar { name, domain, .. } = &data.vars[need.var];
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

/// The variables that a hole can change.
fn frame(document: &ProgramGraph, name: &str) -> Vec<VarId> {
    let holes = &document.program.holes;
    let mut commands = document.program.commands.values();
    let found = commands.find_map(|command| match &command.kind {
        CommandKind::Hole { hole, frame } if holes.name(*hole) == name => Some(frame.clone()),
        _ => None,
    });
    found.unwrap_or_default()
}
