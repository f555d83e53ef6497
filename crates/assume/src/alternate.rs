//! Assumptions for several processes, refined alternately (A §8).
//!
//! Each process has a turn of some steps, in the system in which the assumptions so far are in place, its own among
//! them. What one loses the others need not look at: their abstractions begin with a smaller environment. An assumption
//! is only ever replaced by a quotient of it, so none gets larger, and the verdict is kept step by step.

use crate::assumption::{quotient, replace};
use crate::driver::{AssumptionRequest, EndReason, Progress, SynthesisResult, synthesise};
use crate::question::{SafetyQuestion, Unfit};
use crate::synthesis::Equivalence;
use model::{PartialModel, System};
use support::Monitor;

/// The first turn of a process among several, in refinement steps. Turns double every round.
const TURN: u32 = 10;

/// A process and the assumption that was made for it.
#[derive(Clone, Debug)]
pub struct MadeAssumption {
    /// The number of the process among the components.
    pub number: usize,
    /// The process.
    pub process: PartialModel,
    /// The assumption that stands for it.
    pub assumption: PartialModel,
    /// How it was made.
    pub made: SynthesisResult,
    /// Its size after every step, if that was asked for.
    pub curve: Option<Vec<Progress>>,
}

/// Makes assumptions for these processes. Each has at most as many steps as are requested. With `is_observed` every
/// step is looked at, which takes much longer: then more steps never give a larger assumption.
///
/// # Errors
///
/// There is no such question.
pub fn alternate(
    system: &System,
    processes: &[usize],
    safety: &PartialModel,
    request: &AssumptionRequest,
    is_observed: bool,
    monitor: &Monitor,
) -> Result<Vec<MadeAssumption>, Unfit> {
    let mut replaced = system.clone();
    let mut all: Vec<MadeAssumption> =
        processes.iter().map(|&number| MadeAssumption::new(number, system, is_observed)).collect();
    let mut turn = (all.len() > 1).then_some(TURN);
    // Those that further steps would not change as long as the others stay what they are.
    let mut is_settled = vec![false; all.len()];
    let is_stopped = |one: &MadeAssumption| matches!(one.made.ended, EndReason::Stopped(_));
    while is_settled.contains(&false) && !all.iter().any(is_stopped) {
        for at in 0..all.len() {
            if is_settled[at] {
                continue;
            }
            let states = all[at].assumption.states();
            all[at].refine(&replaced, safety, request, turn, monitor)?;
            if all[at].assumption.states() < states {
                replaced = replace(&replaced, all[at].number, all[at].assumption.clone());
                is_settled.fill(false);
            }
            let SynthesisResult { steps, ended, .. } = all[at].made;
            let is_flat = ended == EndReason::Complete || ended == EndReason::Flat;
            is_settled[at] = is_flat || request.steps == Some(steps);
        }
        turn = turn.map(|steps| steps.saturating_mul(2));
    }
    Ok(all)
}

impl MadeAssumption {
    /// The process stands for itself.
    fn new(number: usize, system: &System, is_observed: bool) -> Self {
        let process = system.components[number].model.clone();
        let equivalence = Equivalence::identity(process.states());
        let made =
            SynthesisResult { equivalence, steps: 0, environment: 0, ended: EndReason::Steps };
        let (assumption, curve) = (process.clone(), is_observed.then(Vec::new));
        MadeAssumption { number, process, assumption, made, curve }
    }

    /// Replaces the assumption by one for it, made in the steps of a turn.
    fn refine(
        &mut self,
        system: &System,
        safety: &PartialModel,
        request: &AssumptionRequest,
        turn: Option<u32>,
        monitor: &Monitor,
    ) -> Result<(), Unfit> {
        let question = SafetyQuestion::new(system, self.number, safety)?;
        let before = self.made.steps;
        let left = request.steps.map(|most| most - before);
        let request = AssumptionRequest { steps: left.into_iter().chain(turn).min(), ..*request };
        let mut note;
        let observe: Option<&mut dyn FnMut(Progress)> = match &mut self.curve {
            None => None,
            Some(curve) => {
                note = |progress: Progress| {
                    let step = before + progress.step;
                    // A turn begins where the last one has ended.
                    curve.pop_if(|last| last.step == step);
                    curve.push(Progress { step, ..progress });
                };
                Some(&mut note)
            }
        };
        let SynthesisResult { equivalence, steps, environment, ended } =
            synthesise(&question, &request, monitor, observe);
        let own = &mut self.made.equivalence;
        own.class_of.iter_mut().for_each(|class| *class = equivalence.class_of[*class as usize]);
        own.count = equivalence.count;
        own.holds = own.holds.or(equivalence.holds);
        self.assumption = quotient(&self.process, &own.class_of, own.count);
        self.made.steps += steps;
        (self.made.environment, self.made.ended) = (environment, ended);
        Ok(())
    }
}
