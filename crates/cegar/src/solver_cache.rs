//! Cache of solver results in a form that outlives the question: unsatisfiable cores of literals, and models
//! that satisfy them. Both stay true when the precision grows.

use crate::precision::Precision;
use rustc_hash::FxHashMap;
use smt::{LinearFormula, SmtModel};
use transition::integers::IntegerStep;

/// Literals of a state and of a state after the step that contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Core {
    /// Which predicates, before and after, and their values.
    pub known: [u64; 2],
    pub values: [u64; 2],
}

impl Core {
    /// Whether it is among these literals: all before, and some after.
    fn is_within(&self, source: u64, (known, values): (u64, u64)) -> bool {
        (source ^ self.values[0]) & self.known[0] == 0
            && self.known[1] & !known == 0
            && (values ^ self.values[1]) & self.known[1] == 0
    }
}

/// Values of the variables, and of what may become anything, from which the step can be taken.
#[derive(Clone, Debug)]
struct Witness {
    model: SmtModel,
    /// The states before and after, as far as so many predicates tell them.
    states: [u64; 2],
    lengths: [usize; 2],
}

/// Of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepFacts {
    cores: Vec<Core>,
    witnesses: Vec<Witness>,
    /// Consequences of literals before and after the step, and of its being taken.
    implied: FxHashMap<LinearFormula, Vec<Core>>,
}

/// More are not worth the time to look through them.
const MOST_CORES: usize = 4096;
const MOST_WITNESSES: usize = 4096;

impl StepFacts {
    pub fn add_core(&mut self, core: Core) {
        if self.cores.len() < MOST_CORES {
            self.cores.push(core);
        }
    }

    /// Atoms have other numbers from now on.
    pub fn renumber(&mut self) {
        self.cores.clear();
        self.implied.clear();
        for witness in &mut self.witnesses {
            (witness.states, witness.lengths) = ([0; 2], [0; 2]);
        }
    }

    pub fn add_witness(&mut self, model: SmtModel) {
        if self.witnesses.len() < MOST_WITNESSES {
            self.witnesses.push(Witness { model, states: [0; 2], lengths: [0; 2] });
        }
    }

    pub fn is_contradiction(&self, source: u64, target: (u64, u64)) -> bool {
        self.cores.iter().any(|core| core.is_within(source, target))
    }

    pub fn add_implication(&mut self, core: Core, conclusion: &LinearFormula) {
        self.implied.entry(conclusion.clone()).or_default().push(core);
    }

    /// Whether something follows where the step leads from one state to another; `None` if that is not known yet.
    pub fn implies(
        &mut self,
        precision: &Precision,
        taken: &IntegerStep,
        [source, target]: [u64; 2],
        conclusion: &LinearFormula,
    ) -> Option<bool> {
        let cores = self.implied.get(conclusion).map_or(&[][..], |cores| &cores[..]);
        if cores.iter().any(|core| core.is_within(source, (u64::MAX, target))) {
            return Some(true);
        }
        self.witnesses.retain_mut(|witness| witness.look(precision, taken));
        let is_other = |witness: &Witness| {
            witness.states == [source, target]
                && conclusion.holds(&|variable| witness.model.value(variable)) == Some(false)
        };
        self.witnesses.iter().any(is_other).then_some(false)
    }

    /// The states after the step that are known to be possible from a state.
    pub fn targets(&mut self, precision: &Precision, taken: &IntegerStep, source: u64) -> Vec<u64> {
        self.witnesses.retain_mut(|witness| witness.look(precision, taken));
        let from = self.witnesses.iter().filter(|witness| witness.states[0] == source);
        let mut targets: Vec<u64> = from.map(|witness| witness.states[1]).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}

impl Witness {
    /// Looks at the predicates that are new; false if a number does not fit.
    fn look(&mut self, precision: &Precision, taken: &IntegerStep) -> bool {
        let of = |variable| self.model.value(variable);
        for (index, atom) in precision.at(taken.source).enumerate().skip(self.lengths[0]) {
            match atom.holds(&of) {
                Some(value) => self.states[0] |= u64::from(value) << index,
                None => return false,
            }
        }
        for (index, atom) in precision.at(taken.target).enumerate().skip(self.lengths[1]) {
            let after = taken.after(atom).ok().and_then(|after| after.holds(&of));
            match after {
                Some(value) => self.states[1] |= u64::from(value) << index,
                None => return false,
            }
        }
        self.lengths = [precision.len(taken.source), precision.len(taken.target)];
        true
    }
}

/// Cached facts about the states at a location.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocationFacts {
    /// Values of the variables, and the state that they are in, as far as so many predicates tell.
    examples: Vec<(SmtModel, u64, usize)>,
    /// Literals from which a formula, or its negation, follows.
    implied: FxHashMap<LinearFormula, Vec<(u64, u64, bool)>>,
}

impl LocationFacts {
    /// Atoms have other numbers from now on.
    pub fn renumber(&mut self) {
        self.implied.clear();
        self.examples.iter_mut().for_each(|example| (example.1, example.2) = (0, 0));
    }

    pub fn add_example(&mut self, model: SmtModel) {
        if self.examples.len() < MOST_WITNESSES {
            self.examples.push((model, 0, 0));
        }
    }

    pub fn add_implication(
        &mut self,
        (known, values): (u64, u64),
        formula: &LinearFormula,
        value: bool,
    ) {
        self.implied.entry(formula.clone()).or_default().push((known, values, value));
    }

    /// The value that is known to follow from a state.
    pub fn value(&self, bits: u64, formula: &LinearFormula) -> Option<bool> {
        let cores = self.implied.get(formula)?;
        let fits = |&&(known, values, _): &&(u64, u64, bool)| (bits ^ values) & known == 0;
        cores.iter().find(fits).map(|core| core.2)
    }

    /// Whether a formula is known to be false, and to be true, somewhere in a state.
    pub fn examples(
        &mut self,
        precision: &Precision,
        location: u32,
        bits: u64,
        formula: &LinearFormula,
    ) -> [bool; 2] {
        let mut seen = [false; 2];
        for (model, state, length) in &mut self.examples {
            for (index, atom) in precision.at(location).enumerate().skip(*length) {
                let value = atom.holds(&|variable| model.value(variable)).unwrap_or(false);
                *state |= u64::from(value) << index;
            }
            *length = precision.len(location);
            let value = || formula.holds(&|variable| model.value(variable));
            if *state == bits
                && let Some(value) = value()
            {
                seen[usize::from(value)] = true;
            }
        }
        seen
    }
}
