//! From formulas to small automata: translation, then reductions as long as one of them helps.

use crate::acceptance::TransientMarks;
use crate::buchi::BuchiAutomaton;
use crate::formula::{LtlArena, LtlId};
use crate::simulation::merge_labels;
use crate::translate::{TranslationError, translate};
use support::{Monitor, Stopped};

/// Translates a formula over atoms `0..atoms` to an automaton that accepts exactly the words on which it holds, and
/// reduces it.
pub fn automaton(
    arena: &mut LtlArena,
    formula: LtlId,
    atoms: u32,
    monitor: &Monitor,
) -> Result<BuchiAutomaton, TranslationError> {
    let small = reduced(translate(arena, formula, atoms, monitor)?, monitor)?;
    if small.states() == 1 || small.states() > MAX_WEAK_STATES {
        return Ok(small);
    }
    let negation = arena.not(formula);
    let complement = reduced(translate(arena, negation, atoms, monitor)?, monitor)?;
    let weak = small.minimal_weak(&complement, small.states(), monitor)?;
    let weak = weak.map(|weak| weak.trim(TransientMarks::None));
    Ok(weak.filter(|weak| weak.states() <= small.states()).unwrap_or(small))
}

/// Like [`automaton`], with at most one acceptance set.
pub(crate) fn automaton_with_one_set(
    arena: &mut LtlArena,
    formula: LtlId,
    atoms: u32,
    monitor: &Monitor,
) -> Result<BuchiAutomaton, TranslationError> {
    let automaton = automaton(arena, formula, atoms, monitor)?;
    Ok(match automaton.sets {
        0 | 1 => automaton,
        _ => reduced(automaton.degeneralised(), monitor)?,
    })
}

/// For larger automata no weak one is tried.
const MAX_WEAK_STATES: usize = 50;

fn reduced(mut automaton: BuchiAutomaton, monitor: &Monitor) -> Result<BuchiAutomaton, Stopped> {
    automaton.edges.iter_mut().for_each(merge_labels);
    loop {
        let size = (automaton.states(), automaton.transitions());
        for transient in [TransientMarks::None, TransientMarks::All] {
            automaton = automaton.trim(transient).reduced_forward(monitor)?;
            automaton = automaton.trim(transient).reduced_backward(monitor)?;
        }
        automaton = automaton.trim(TransientMarks::None);
        if (automaton.states(), automaton.transitions()) >= size {
            return Ok(automaton);
        }
    }
}
