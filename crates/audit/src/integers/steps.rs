//! Conditions 2 to 4: where steps may and must lead.

use super::data::{ClaimedAbstraction, ClaimedTransition, Must, literals};
use super::prover::Prover;
use crate::error::{AuditError, ensure};
use smt::{LinearFormula, Term, Variable};
use transition::integers::IntegerStep;

/// The steps of a program, and what the atoms after each of them are before it.
pub(crate) struct Steps<'a> {
    pub moves: &'a [IntegerStep],
    after: Vec<Vec<LinearFormula>>,
}

impl<'a> Steps<'a> {
    pub fn new(
        abstraction: &ClaimedAbstraction,
        moves: &'a [IntegerStep],
    ) -> Result<Self, AuditError> {
        let after = |taken: &IntegerStep| {
            let atoms = abstraction.atoms[taken.target as usize].iter();
            Ok(atoms.map(|atom| taken.after(atom)).collect::<Result<Vec<_>, _>>()?)
        };
        let after = moves.iter().map(after).collect::<Result<_, AuditError>>()?;
        Ok(Self { moves, after })
    }

    /// The atoms at the end of a step, as they are before it.
    pub fn after(&self, step: u32) -> &[LinearFormula] {
        &self.after[step as usize]
    }

    /// Where a step is taken from a state.
    pub fn given(
        &self,
        abstraction: &ClaimedAbstraction,
        state: u32,
        step: u32,
    ) -> Vec<LinearFormula> {
        let mut given = abstraction.literals(state);
        given.push(self.moves[step as usize].guard.clone());
        given
    }

    /// All steps from a state.
    pub fn check(
        &self,
        abstraction: &ClaimedAbstraction,
        state: u32,
        prover: &mut Prover,
    ) -> Result<(), AuditError> {
        let own = &abstraction.transitions[state as usize];
        let location = abstraction.states[state as usize].location;
        for (step, taken) in (0..).zip(self.moves).filter(|(_, taken)| taken.source == location) {
            let mut transitions = own.iter().filter(|transition| transition.step == step);
            let transition = transitions.next();
            let is_twice = transitions.next().is_some();
            ensure(!is_twice, format_args!("state {state} has step {step} twice"))?;
            let nowhere = ClaimedTransition { step, ..ClaimedTransition::default() };
            self.check_transition(
                abstraction,
                state,
                (transition.unwrap_or(&nowhere), taken),
                prover,
            )?;
        }
        own.iter().try_for_each(|&ClaimedTransition { step, .. }| {
            let begins_here = self.moves[step as usize].source == location;
            let problem =
                format_args!("step {step} does not begin at the location of state {state}");
            ensure(begins_here, problem)
        })
    }

    fn check_transition(
        &self,
        abstraction: &ClaimedAbstraction,
        state: u32,
        (transition, taken): (&ClaimedTransition, &IntegerStep),
        prover: &mut Prover,
    ) -> Result<(), AuditError> {
        let wrong =
            |problem: &str| format!("step {} from state {state} {problem}", transition.step);
        let demand = |holds: bool, problem: &str| match holds {
            true => Ok(()),
            false => Err(AuditError::Invalid(wrong(problem))),
        };
        let mut targets = transition.targets.clone();
        targets.sort_unstable();
        let are_new = targets.windows(2).all(|two| two[0] != two[1]);
        demand(are_new, "leads to a state twice")?;
        let is_there = |&to: &u32| abstraction.states[to as usize].location == taken.target;
        demand(targets.iter().all(is_there), "does not lead to this location")?;
        let given = self.given(abstraction, state, transition.step);
        let lists = distinct(abstraction, &targets);
        let are_all = prover.is_among(&given, self.after(transition.step), &lists)?;
        demand(are_all, "may lead elsewhere")?;
        demand(!taken.is_may_only || transition.musts.is_empty(), "of a hole must lead somewhere")?;
        let here = abstraction.literals(state);
        for must in &transition.musts {
            let is_target = |to: &u32| targets.binary_search(to).is_ok();
            let is_may = !must.states.is_empty() && must.states.iter().all(is_target);
            demand(is_may, "must lead where it may not")?;
            let one = |&bits: &u64| LinearFormula::and(literals(self.after(transition.step), bits));
            let wanted = distinct(abstraction, &must.states);
            let leads = match wanted == lists {
                // It was just seen that a step that is taken leads to one of all.
                true => taken.guard.clone(),
                false => {
                    let any = LinearFormula::or(wanted.iter().map(one));
                    LinearFormula::and([taken.guard.clone(), any])
                }
            };
            let chosen = chosen(&leads, taken, must)
                .map_err(|problem| AuditError::Invalid(wrong(&problem)))?;
            demand(prover.implies(&here, &chosen)?, "need not lead where it must")?;
        }
        Ok(())
    }
}

/// Where something is so for the choice that a must names, or for some choice if it names none.
fn chosen(
    wanted: &LinearFormula,
    taken: &IntegerStep,
    must: &Must,
) -> Result<LinearFormula, String> {
    if !must.naming.iter().all(|(variable, _)| taken.free.contains(variable)) {
        return Err("does not choose what is named".to_owned());
    }
    let named = |variable: Variable| -> Option<Term> {
        let mut naming = must.naming.iter();
        naming.find(|(name, _)| *name == variable).map(|(_, term)| term.clone())
    };
    let chosen = match must.naming.is_empty() {
        true => taken.free.iter().try_fold(wanted.clone(), |any, &free| any.exists(free)),
        // What is not named may be anything then.
        false => wanted.substitute(&named),
    };
    chosen.map_err(|excess| format!("has a target that cannot be computed: {excess}"))
}

/// The bits of states, each once, rising.
pub(crate) fn distinct(abstraction: &ClaimedAbstraction, states: &[u32]) -> Vec<u64> {
    let mut bits: Vec<u64> = states.iter().map(|&state| abstraction.bits(state)).collect();
    bits.sort_unstable();
    bits.dedup();
    bits
}
