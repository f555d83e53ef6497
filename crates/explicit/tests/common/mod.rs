//! Helpers of the tests of several methods.

use logic::Truth;
use model::{PartialModel, System};

/// The rule of the language: true in every initial state, false in some, else unknown. The initial
/// states of a missing component are a choice of the environment: false only if every choice is.
pub fn expected(
    system: &System,
    composition: &PartialModel,
    at: impl Fn(u32) -> Option<Truth>,
) -> Truth {
    let initial: Vec<(u32, Truth)> = composition
        .init()
        .iter()
        .map(|&state| (state, at(state).expect("no contradiction")))
        .collect();
    let choice = |state: u32| -> Vec<Option<u32>> {
        let tuple = composition.members(state);
        let parts = system.components.iter().zip(tuple);
        parts.map(|(part, member)| part.is_unknown.then_some(member)).collect()
    };
    let fails = |chosen: Vec<Option<u32>>| {
        initial.iter().any(|&(state, value)| value == Truth::False && choice(state) == chosen)
    };
    if initial.iter().all(|&(_, value)| value == Truth::True) {
        Truth::True
    } else if initial.iter().all(|&(state, _)| fails(choice(state))) {
        Truth::False
    } else {
        Truth::Unknown
    }
}
