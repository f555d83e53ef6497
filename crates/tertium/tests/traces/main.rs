//! Traces of random models, replayed by steppers that know nothing of the engines: each model is made from a small
//! syntax tree, and the tree is what the replay evaluates.

mod invariants;
mod lemmas;
mod peers;
mod processes;
mod states;
mod turns;
mod variables;

use std::cell::Cell;
use tertium::{Answer, Model, Options, Property, Trace, TraceValue, Verdict};
use testkit::{Case, Rng, for_seeds};

type Replay = fn(&mut Rng, &mut Case) -> Result<(), String>;

const SEEDS: u64 = 120;
const MANY: u64 = 2000;
/// The models whose traces the other programs replay in an ordinary run.
const ASKED: u64 = 8;

#[test]
fn traces_of_smv_models_replay() {
    for_seeds("smv-traces", 0..SEEDS, variables::replay as Replay);
}

#[test]
fn traces_of_fair_smv_models_are_fair() {
    for_seeds("smv-fair-traces", 0..SEEDS, variables::replay_fair as Replay);
    for_seeds("smv-turns", 0..SEEDS, turns::replay as Replay);
}

#[test]
fn traces_of_promela_models_replay() {
    for_seeds("promela-traces", 0..SEEDS, processes::replay as Replay);
}

#[test]
fn traces_of_components_replay() {
    for_seeds("tm-traces", 0..SEEDS, states::replay as Replay);
}

#[test]
fn lemmas_make_invariants_inductive() {
    invariants::check(SEEDS);
}

#[test]
fn lemmas_make_invariants_of_components_inductive() {
    lemmas::check(SEEDS);
}

#[test]
fn an_invariant_depends_on_components_that_take_part() {
    lemmas::check_cone();
}

#[test]
fn nusmv_replays_traces() {
    ask_nusmv(ASKED);
}

#[test]
fn spin_replays_traces() {
    ask_spin(ASKED);
}

/// Has NuSMV replay the traces of random models, in a folder of its own: runs of other lengths may be under way.
fn ask_nusmv(seeds: u64) {
    if !peers::is_installed("NuSMV", "-h") {
        return;
    }
    let (folder, asked) = (peers::folder(&format!("traces-nusmv-{seeds}")), Cell::new(0));
    let ask = |rng: &mut Rng, case: &mut Case| {
        let design = variables::Design::random(rng);
        let traces = variables::traces(&design, rng, case)?;
        asked.set(asked.get() + traces.len());
        let mut all = traces.iter();
        all.try_for_each(|trace| peers::nusmv_follows(&folder, &design.text(), trace))
    };
    for_seeds("smv-traces", 0..seeds, ask);
    println!("NuSMV replayed {} traces", asked.get());
}

/// Has Spin's verifier replay the traces of random models.
fn ask_spin(seeds: u64) {
    if !peers::is_installed("spin", "-V") || !peers::is_installed("gcc", "--version") {
        return;
    }
    let (folder, asked) = (peers::folder(&format!("traces-spin-{seeds}")), Cell::new(0));
    let ask = |rng: &mut Rng, case: &mut Case| {
        let program = processes::Program::random(rng);
        let traces = processes::traces(&program, rng, case)?;
        if traces.is_empty() {
            return Ok(());
        }
        asked.set(asked.get() + traces.len());
        let pan = peers::Pan::compile(&folder, &program.text)?;
        traces.iter().try_for_each(|trace| pan.follows(trace))
    };
    for_seeds("promela-traces", 0..seeds, ask);
    println!("Spin replayed {} traces", asked.get());
}

#[test]
#[ignore = "long"]
fn many_traces_are_replayed_by_nusmv() {
    ask_nusmv(MANY);
}

#[test]
#[ignore = "long"]
fn many_traces_are_replayed_by_spin() {
    ask_spin(MANY);
}

#[test]
#[ignore = "long"]
fn many_traces_replay() {
    for_seeds("smv-traces", SEEDS..MANY, variables::replay as Replay);
    for_seeds("smv-fair-traces", SEEDS..MANY, variables::replay_fair as Replay);
    for_seeds("smv-turns", SEEDS..MANY, turns::replay as Replay);
    for_seeds("promela-traces", SEEDS..MANY, processes::replay as Replay);
    for_seeds("tm-traces", SEEDS..MANY, states::replay as Replay);
}

/// The trace of a false property by a method; nothing if it is not false, or if the method does not suit.
fn trace_of(
    model: &Model,
    property: &Property,
    options: &Options,
) -> Result<Option<Trace>, String> {
    let answer: Answer = match model.check(property, options) {
        Ok(answer) => answer,
        Err(tertium::Error::Unsupported(_)) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    match answer.verdict() {
        Verdict::False => {
            let trace = answer.trace(None).map_err(|error| error.to_string())?;
            trace.map(Some).ok_or_else(|| format!("{} tells no trace", answer.method()))
        }
        _ => Ok(None),
    }
}

/// The steps of a trace as pairs of states, the one that closes the loop among them.
fn pairs(trace: &Trace) -> Vec<(usize, usize)> {
    let last = trace.states.len() - 1;
    let back = trace.loop_start.map(|start| (last, start));
    (0..last).map(|state| (state, state + 1)).chain(back).collect()
}

fn int(value: Option<&TraceValue>) -> Option<i64> {
    match value {
        Some(TraceValue::Int(value)) => Some(*value),
        Some(TraceValue::Bool(value)) => Some(i64::from(*value)),
        _ => None,
    }
}

fn ensure(is_so: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(why()) }
}
