//! Conditions 2 to 4: where steps may and must lead.

use super::asker::Asker;
use super::data::{Abstraction, Arrow, Must, literals};
use crate::fault::Fault;
use smt::{Formula, Term, Variable};
use transition::integers::IntegerStep;

/// The steps of a program, and what the atoms after each of them are before it.
pub(crate) struct Steps<'a> {
    pub moves: &'a [IntegerStep],
    after: Vec<Vec<Formula>>,
}

impl<'a> Steps<'a> {
    pub fn new(shown: &Abstraction, moves: &'a [IntegerStep]) -> Result<Self, Fault> {
        let after = |taken: &IntegerStep| {
            let atoms = shown.atoms[taken.target as usize].iter();
            Ok(atoms.map(|atom| taken.after(atom)).collect::<Result<Vec<_>, _>>()?)
        };
        let after = moves.iter().map(after).collect::<Result<_, Fault>>()?;
        Ok(Self { moves, after })
    }

    /// The atoms at the end of a step, as they are before it.
    pub fn after(&self, step: u32) -> &[Formula] {
        &self.after[step as usize]
    }

    /// Where a step is taken from a state.
    pub fn given(&self, shown: &Abstraction, state: u32, step: u32) -> Vec<Formula> {
        let mut given = shown.literals(state);
        given.push(self.moves[step as usize].guard.clone());
        given
    }

    /// All steps from a state.
    pub fn check(&self, shown: &Abstraction, state: u32, asker: &mut Asker) -> Result<(), Fault> {
        let own = &shown.arrows[state as usize];
        let place = shown.states[state as usize].place;
        for (step, taken) in (0..).zip(self.moves).filter(|(_, taken)| taken.source == place) {
            let mut arrows = own.iter().filter(|arrow| arrow.step == step);
            let arrow = arrows.next();
            if arrows.next().is_some() {
                return Err(Fault::Invalid(format!("state {state} has step {step} twice")));
            }
            let nowhere = Arrow { step, ..Arrow::default() };
            self.check_arrow(shown, state, (arrow.unwrap_or(&nowhere), taken), asker)?;
        }
        let is_foreign = |arrow: &&Arrow| self.moves[arrow.step as usize].source != place;
        match own.iter().find(is_foreign) {
            Some(Arrow { step, .. }) => Err(Fault::Invalid(format!(
                "step {step} does not begin at the place of state {state}"
            ))),
            None => Ok(()),
        }
    }

    fn check_arrow(
        &self,
        shown: &Abstraction,
        state: u32,
        (arrow, taken): (&Arrow, &IntegerStep),
        asker: &mut Asker,
    ) -> Result<(), Fault> {
        let wrong = |problem: &str| {
            Fault::Invalid(format!("step {} from state {state} {problem}", arrow.step))
        };
        let mut targets = arrow.targets.clone();
        targets.sort_unstable();
        if targets.windows(2).any(|two| two[0] == two[1]) {
            return Err(wrong("leads to a state twice"));
        }
        if targets.iter().any(|&to| shown.states[to as usize].place != taken.target) {
            return Err(wrong("does not lead to this place"));
        }
        let given = self.given(shown, state, arrow.step);
        let lists = distinct(shown, &targets);
        if !asker.is_among(&given, self.after(arrow.step), &lists)? {
            return Err(wrong("may lead elsewhere"));
        }
        let here = shown.literals(state);
        for must in &arrow.musts {
            if must.states.is_empty()
                || must.states.iter().any(|to| targets.binary_search(to).is_err())
            {
                return Err(wrong("must lead where it may not"));
            }
            let one = |&bits: &u64| Formula::and(literals(self.after(arrow.step), bits));
            let wanted = distinct(shown, &must.states);
            let leads = match wanted == lists {
                // It was just seen that a step that is taken leads to one of all.
                true => taken.guard.clone(),
                false => {
                    let any = Formula::or(wanted.iter().map(one));
                    Formula::and([taken.guard.clone(), any])
                }
            };
            let chosen = chosen(&leads, taken, must).map_err(|problem| wrong(&problem))?;
            if !asker.implies(&here, &chosen)? {
                return Err(wrong("need not lead where it must"));
            }
        }
        Ok(())
    }
}

/// Where something is so for the choice that a must names, or for some choice if it names none.
fn chosen(wanted: &Formula, taken: &IntegerStep, must: &Must) -> Result<Formula, String> {
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
    chosen.map_err(|excess| format!("leads somewhere, but it cannot be told where: {excess}"))
}

/// The bits of states, each once, rising.
pub(crate) fn distinct(shown: &Abstraction, states: &[u32]) -> Vec<u64> {
    let mut bits: Vec<u64> = states.iter().map(|&state| shown.bits(state)).collect();
    bits.sort_unstable();
    bits.dedup();
    bits
}
