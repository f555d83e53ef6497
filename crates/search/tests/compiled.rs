//! The compiled successor function against the interpreter, state by state, on random Promela programs.

use rustc_hash::FxHashMap;
use search::{CompiledSystem, Successors};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::{Rng, promela, read_promela_asking};
use transition::{Machine, StateProperty, Stepper, enumerate};

/// How many states of a program are compared.
const MOST: usize = 3000;

type Values = Vec<i64>;

/// Every state with its successors.
type Graph = FxHashMap<Values, BTreeSet<Values>>;

/// Every state with its successors, and by property the number of states in which it holds; `None` if steps can fail, or
/// if there are too many.
fn explored(
    machine: &Machine,
    properties: &[StateProperty],
    most: usize,
) -> Option<(Graph, Vec<usize>)> {
    let nodes: Vec<_> = properties.iter().map(|property| property.node).collect();
    let mut system = CompiledSystem::new(machine, &machine.unsliced(), &nodes)?;
    let monitor = Monitor::new();
    let mut open: Vec<Vec<u64>> = Vec::new();
    let found = system.initial(&monitor, |row| {
        open.push(row.to_vec());
        Ok(())
    });
    found.unwrap();
    let mut known = Graph::default();
    let mut counts = vec![0; nodes.len()];
    let values = |system: &CompiledSystem, row: &[u64]| -> Values {
        system.commands.layout.fields.iter().map(|field| field.get(row)).collect()
    };
    while let Some(row) = open.pop() {
        let state = values(&system, &row);
        if known.contains_key(&state) {
            continue;
        }
        let mut rows = Vec::new();
        let visited = system.successors(&row, &monitor, |_, target| {
            rows.push(target.to_vec());
            Ok(())
        });
        visited.unwrap();
        for (property, count) in counts.iter_mut().enumerate() {
            *count += usize::from(system.holds(property, &row));
        }
        known.insert(state, rows.iter().map(|row| values(&system, row)).collect());
        open.extend(rows);
        if known.len() > most {
            return None;
        }
    }
    Some((known, counts))
}

fn compare(text: &str, most: usize) -> Result<bool, String> {
    let text: Arc<str> = text.into();
    // Some random programs are refused, for two `else` in one place.
    let Ok(read) = read_promela_asking(FileId(0), &text, &[]) else { return Ok(false) };
    let (machine, properties) = (&read.machine, &read.propositions);
    if machine.vars.is_empty() {
        return Ok(false);
    }
    let Some((known, counts)) = explored(machine, properties, most) else { return Ok(false) };
    let monitor = Monitor::new();
    let mut stepper = Stepper::new(machine);
    for (state, successors) in &known {
        let mut expected = BTreeSet::new();
        let visited = stepper.successors(state, &monitor, &mut |target, _| {
            expected.insert(target);
            ControlFlow::Continue(())
        });
        visited.map_err(|error| format!("{error:?}"))?;
        if *successors != expected {
            return Err(format!("{state:?}: {successors:?}, but it should be {expected:?}"));
        }
    }
    let whole = enumerate(machine, &machine.unsliced(), properties, usize::MAX, &monitor);
    let model = whole.map_err(|error| format!("{error:?}"))?.model;
    let holds = |property: &StateProperty| {
        let prop = model.props().get(&property.name).expect("a proposition");
        let is_true = |state: &u32| model.label(*state, prop) == logic::Truth::True;
        (0..model.states() as u32).filter(is_true).count()
    };
    let expected: Vec<usize> = properties.iter().map(holds).collect();
    match (known.len(), counts) == (model.states(), expected.clone()) {
        true => Ok(true),
        false => Err(format!("{} states, not {}; {expected:?}", known.len(), model.states())),
    }
}

fn random_programs(seeds: std::ops::Range<u64>) {
    let compared = std::sync::atomic::AtomicUsize::new(0);
    let count = seeds.end - seeds.start;
    testkit::for_seeds("compiled", seeds, |rng: &mut Rng, case| {
        let program = promela::program(rng).with_assertions;
        case.note(&program);
        let is_compared = compare(&program, MOST)?;
        compared.fetch_add(is_compared.into(), std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    let compared = compared.into_inner() as u64;
    println!("{compared} of {count} programs compared");
    assert!(2 * compared > count || count < 10);
}

#[test]
fn random_programs_have_the_same_successors() {
    random_programs(0..60);
}

/// `cargo test -p tertium-search --test compiled -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn many_random_programs_have_the_same_successors() {
    random_programs(1000..3000);
}

#[test]
fn all_steps_of_a_promela_model_are_code() {
    let text: Arc<str> = "
        byte a[5]; chan c = [3] of { byte, bool }; byte i, x; mtype = { go, halt }; mtype m = go;
        active [2] proctype P() {
          byte k;
          do
          :: i < 5 -> a[i] = a[(i + 1) % 5] + 1; i++
          :: i == 5 -> i = 0; m = (m == go -> halt : go)
          :: atomic { c!i, true; x = a[i] }
          :: c?k, _ -> x = x ^ k
          :: c!!x, false
          :: d_step { x > 3 -> x = x >> 1; assert(a[0] < 100) }
          :: timeout -> skip
          od
        }"
    .into();
    let read = read_promela_asking(FileId(0), &text, &[]).unwrap();
    let system = CompiledSystem::new(&read.machine, &read.machine.unsliced(), &[]).unwrap();
    assert!(system.commands.commands.len() > 20);
}
