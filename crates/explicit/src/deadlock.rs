//! Reachable deadlock states of the composition, where they are an error.
//!
//! The answer is about the composition, so the components that a method has combined do not suffice. First a cheap
//! proof by interface summaries; where it fails, a search of all reachable states.

use crate::Request;
use crate::cause::deadlock_state;
use crate::failure::Failure;
use crate::outcome::CheckError;
use logic::Family;
use model::{Interface, Lifting, Moves, System, lift};

/// Looks at every reachable state of the composition; a deadlock is an error.
pub(crate) fn search(
    request: &Request,
    moves: &Moves,
    initial: &[Vec<u32>],
) -> Result<(), Failure> {
    match moves.deadlock_state(initial.iter().map(Vec::as_slice))? {
        Some(tuple) => {
            Err(Failure::Error(CheckError::Deadlock(deadlock_state(request.system, &tuple))))
        }
        None => Ok(()),
    }
}

/// Whether it is easily seen that the system always goes on. The converse is not so.
pub fn cannot_deadlock(system: &System) -> bool {
    is_excluded(system, &Interface::new(system))
}

/// Whether the interfaces alone show that the system always goes on. The converse is not so.
pub(crate) fn is_excluded(system: &System, interface: &Interface) -> bool {
    let components = system.components.len();
    // For the empty part, `Interface` proves that the composition has no deadlock state.
    let is_unblockable = system.family() == Family::Props
        && interface.general_blocker(&vec![false; components]).is_none();
    is_unblockable || (0..components).any(|component| never_stops(system, interface, component))
}

/// Whether a component has in each of its states a step that the environment cannot block. The composition refines the
/// lifted component (C Thm 4.4), so it has no deadlock state either.
fn never_stops(system: &System, interface: &Interface, component: usize) -> bool {
    let lifted = lift(system, interface, component, &[], Lifting::Summaries, false).model;
    let has_step = |state: usize| lifted.moves(state as u32).must;
    lifted.reachable().ones().all(has_step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::Monitor;
    use testkit::{component_system, for_seeds, system_text};

    #[test]
    fn what_is_excluded_is_not_there() {
        let excluded = std::cell::Cell::new(0);
        for_seeds("no-deadlock", 0..5_000, |rng, case| {
            let system = component_system(rng);
            case.note(system_text(&system));
            if !is_excluded(&system, &Interface::new(&system)) {
                return Ok(());
            }
            excluded.set(excluded.get() + 1);
            match system
                .compose(&Monitor::new())
                .ok()
                .and_then(|composition| composition.deadlock_state())
            {
                Some(state) => Err(format!("the state {state} is a deadlock")),
                None => Ok(()),
            }
        });
        assert!(excluded.get() > 500, "{excluded:?}");
    }
}
