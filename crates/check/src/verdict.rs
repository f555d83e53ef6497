//! From the values in the initial states to the verdict on the system.

use logic::Truth;
use model::System;

/// An initial state of the whole, as a tuple of the components' states, and the value in it.
pub(crate) type Initial = (Vec<u32>, Truth);

/// The initial states whose value is not known.
pub(crate) fn undecided(initial: &[Initial]) -> impl Iterator<Item = &[u32]> {
    let open = initial.iter().filter(|(_, value)| *value == Truth::Unknown);
    open.map(|(tuple, _)| &tuple[..])
}

/// True if true in every initial state, false if false in one, else unknown. Of the initial states of
/// a missing part an implementation has some that nobody knows: false only if false whichever it has.
pub(crate) fn verdict(system: &System, initial: &[Initial]) -> Truth {
    if initial.iter().all(|&(_, value)| value == Truth::True) {
        return Truth::True;
    }
    let mut choices: Vec<(Vec<u32>, bool)> = initial
        .iter()
        .map(|(tuple, value)| (missing(system, tuple), *value == Truth::False))
        .collect();
    choices.sort();
    let falsified = |group: &[(Vec<u32>, bool)]| group.iter().any(|&(_, falsified)| falsified);
    if choices.chunk_by(|a, b| a.0 == b.0).all(falsified) { Truth::False } else { Truth::Unknown }
}

/// The states of the parts that are declared `unknown`.
pub(crate) fn missing(system: &System, tuple: &[u32]) -> Vec<u32> {
    let parts = tuple.iter().zip(&system.components);
    parts.filter(|(_, part)| part.is_unknown).map(|(&member, _)| member).collect()
}

/// The name of a state of the whole.
pub(crate) fn name(system: &System, tuple: &[u32]) -> String {
    let names: Vec<String> = system
        .components
        .iter()
        .zip(tuple)
        .map(|(part, &member)| part.model.state_name(member))
        .collect();
    names.join(",")
}
