//! Traces of random models, replayed by steppers that know nothing of the engines: each model is made from a small
//! syntax tree, and the tree is what the replay evaluates.

mod processes;
mod states;
mod variables;

use tertium::{Answer, Model, Options, Property, Trace, TraceValue, Verdict};
use testkit::{Case, Rng, for_seeds};

type Replay = fn(&mut Rng, &mut Case) -> Result<(), String>;

const SEEDS: u64 = 120;
const MANY: u64 = 2000;

#[test]
fn traces_of_smv_models_replay() {
    for_seeds("smv-traces", 0..SEEDS, variables::replay as Replay);
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
#[ignore = "long"]
fn many_traces_replay() {
    for_seeds("smv-traces", SEEDS..MANY, variables::replay as Replay);
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
