//! From the values in the initial states to the verdict on the system.

use logic::Truth;
use model::System;

/// An initial state of the composition, as a tuple of the components' states, and the value in it.
pub type Initial = (Vec<u32>, Truth);

/// The initial states whose value is not known.
pub(crate) fn undecided(initial: &[Initial]) -> impl Iterator<Item = &[u32]> {
    let open = initial.iter().filter(|(_, value)| *value == Truth::Unknown);
    open.map(|(tuple, _)| &tuple[..])
}

/// True if true in every initial state; false if false in one that an implementation must have, else unknown.
pub fn verdict(system: &System, initial: &[Initial]) -> Truth {
    if initial.iter().all(|&(_, value)| value == Truth::True) {
        return Truth::True;
    }
    let falsified = |(tuple, value): &Initial| (tuple.clone(), *value == Truth::False);
    let initial: Vec<(Vec<u32>, bool)> = initial.iter().map(falsified).collect();
    if system.is_falsified(&initial) { Truth::False } else { Truth::Unknown }
}

/// The name of a state of the composition.
pub(crate) fn name(system: &System, tuple: &[u32]) -> String {
    state_names(system, tuple).join(",")
}

/// The names of the states in a tuple.
pub fn state_names(system: &System, tuple: &[u32]) -> Vec<String> {
    let members = system.components.iter().zip(tuple);
    members.map(|(part, &member)| part.model.state_name(member)).collect()
}
