//! May and must successors of an abstract state.

use crate::precision::Precision;
use crate::solver_cache::{Core, LocationFacts, StepFacts};
use rustc_hash::FxHashMap;
use smt::{
    CaseMemory, Excess, LinearAtom, LinearFormula, SatAnswer, SmtModel, Solver, Term, Variable,
    cases, literal, minimise,
};
use support::{Monitor, Reservation, Stopped};
use transition::integers::IntegerStep;

/// Successors of a state by a step, as values of the predicates after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effect {
    /// May successors: all that the step can lead to.
    pub targets: Vec<u64>,
    /// Sets of these that it must lead into, each by itself.
    pub musts: Vec<Vec<u64>>,
}

/// More states than this are not told apart after a step.
const MOST_TARGETS: usize = 512;

/// Memory of the effect of a step on a state, with its reasons.
const BYTES_OF_EFFECT: u64 = 512;

/// Effects by step and state, with the number of predicates at both ends.
type Effects = FxHashMap<(u32, u64), ([usize; 2], Effect)>;

/// Computes abstract successors with a solver. A query that the solver cannot answer leaves a may without a must.
pub(crate) struct Successors<'a> {
    pub solver: &'a mut dyn Solver,
    pub steps: &'a [IntegerStep],
    effects: Effects,
    step_facts: Vec<StepFacts>,
    /// By location.
    location_facts: Vec<LocationFacts>,
    /// Steps that linear programs may still take.
    pub effort: u64,
    room: Reservation,
}

impl<'a> Successors<'a> {
    pub fn new(solver: &'a mut dyn Solver, steps: &'a [IntegerStep], locations: usize) -> Self {
        let step_facts = vec![StepFacts::default(); steps.len()];
        let (location_facts, room) =
            (vec![LocationFacts::default(); locations], Reservation::default());
        Self {
            solver,
            steps,
            effects: FxHashMap::default(),
            step_facts,
            location_facts,
            effort: 0,
            room,
        }
    }

    /// Takes the memory of what was found out from the monitor.
    pub fn keep_up(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        self.room.keep_up(self.effects.len() as u64 * BYTES_OF_EFFECT, monitor)
    }

    /// Forgets what was found out so far.
    pub fn forget(&mut self) {
        self.effects.clear();
        self.step_facts.fill(StepFacts::default());
        self.location_facts.fill(LocationFacts::default());
    }

    /// Forgets the effects of steps; the cached facts are kept, from which effects can be computed again.
    pub fn leave(&mut self) {
        self.effects.clear();
    }

    /// Atoms have other numbers from now on. Values with which steps are possible stay what they are.
    pub fn renumber(&mut self) {
        self.effects.clear();
        self.location_facts.iter_mut().for_each(LocationFacts::renumber);
        self.step_facts.iter_mut().for_each(StepFacts::renumber);
    }

    pub fn implies(&mut self, state: &[LinearFormula], conclusion: &LinearFormula) -> bool {
        match conclusion {
            LinearFormula::Constant(value) => *value,
            _ => {
                let asked = [state, &[conclusion.negated()]].concat();
                matches!(self.solver.check(&asked), SatAnswer::Unsat(_))
            }
        }
    }

    /// Whether a formula holds in a state, if that is certain.
    pub fn holds(
        &mut self,
        precision: &Precision,
        location: u32,
        bits: u64,
        formula: &LinearFormula,
    ) -> Option<bool> {
        let known = precision.len(location);
        if let Some(value) = precision.value(location, (bits, known), formula) {
            return Some(value);
        }
        if let Some(value) = self.location_facts[location as usize].value(bits, formula) {
            return Some(value);
        }
        let seen =
            self.location_facts[location as usize].examples(precision, location, bits, formula);
        let state = precision.literals(location, bits);
        [true, false].into_iter().find(|&value| {
            !seen[usize::from(!value)] && self.follows((location, bits), &state, formula, value)
        })
    }

    /// Whether a formula has a value in all of a state.
    fn follows(
        &mut self,
        (location, bits): (u32, u64),
        state: &[LinearFormula],
        formula: &LinearFormula,
        value: bool,
    ) -> bool {
        let opposite = if value { formula.negated() } else { formula.clone() };
        let asked = [state, &[opposite]].concat();
        let at = location as usize;
        match self.solver.check(&asked) {
            SatAnswer::Unsat(core) => {
                let core = minimise(self.solver, &asked, core);
                let own = core.iter().filter(|&&part| part < state.len());
                let known = own.fold(0, |known, part| known | 1 << part);
                self.location_facts[at].add_implication((known, bits & known), formula, value);
                true
            }
            SatAnswer::Sat(model) => {
                self.location_facts[at].add_example(model);
                false
            }
            SatAnswer::Unknown(_) => false,
        }
    }

    /// Whether something holds before a step whenever it leads from one state to another.
    pub fn certainly(
        &mut self,
        precision: &Precision,
        step: u32,
        states: [u64; 2],
        conclusion: &LinearFormula,
    ) -> Result<bool, Excess> {
        let steps = self.steps;
        let taken = &steps[step as usize];
        let known = (states[0], precision.len(taken.source));
        if let Some(value) = precision.value(taken.source, known, conclusion) {
            return Ok(value);
        }
        let known = &mut self.step_facts[step as usize];
        if let Some(value) = known.implies(precision, taken, states, conclusion) {
            return Ok(value);
        }
        let mut asked = precision.literals(taken.source, states[0]);
        let literals = asked.len();
        asked.push(taken.guard.clone());
        for (index, atom) in precision.at(taken.target).enumerate() {
            let after = taken.after(atom)?;
            asked.push(literal(&after, states[1] >> index & 1 == 1));
        }
        asked.push(conclusion.negated());
        Ok(match self.solver.check(&asked) {
            SatAnswer::Unsat(core) => {
                let core = minimise(self.solver, &asked, core);
                let own = |from: usize, to: usize| {
                    let own = core.iter().filter(|&&part| from <= part && part < to);
                    own.fold(0, |known, part| known | 1 << (part - from))
                };
                let known = [own(0, literals), own(literals + 1, asked.len() - 1)];
                let values = [states[0] & known[0], states[1] & known[1]];
                let named = Core { known, values };
                self.step_facts[step as usize].add_implication(named, conclusion);
                true
            }
            SatAnswer::Sat(model) => {
                self.step_facts[step as usize].add_witness(model);
                false
            }
            SatAnswer::Unknown(_) => false,
        })
    }

    /// The states at a location in which something can hold, and whether it is certain that it can.
    pub fn initial_valuations(
        &mut self,
        precision: &Precision,
        location: u32,
        given: &LinearFormula,
    ) -> Result<Vec<(u64, bool)>, Excess> {
        let after: Vec<LinearFormula> =
            precision.at(location).cloned().map(LinearFormula::atom).collect();
        let (step_facts, mut known) = (&mut StepFacts::default(), Vec::new());
        let mut recall =
            Recall { precision, step_facts, source: None, target: location, after: &after };
        let given = std::slice::from_ref(given);
        let all = cases(self.solver, given, &after, &mut recall, &mut known, MOST_TARGETS)?;
        Ok(all.into_iter().map(|bits| (bits, known.contains(&bits))).collect())
    }

    /// Effect of a step on a state, or an error if it has too many successors.
    pub fn effect(
        &mut self,
        precision: &Precision,
        step: u32,
        bits: u64,
    ) -> Result<Effect, Excess> {
        let IntegerStep { source, target, .. } = self.steps[step as usize];
        let sizes = [precision.len(source), precision.len(target)];
        match self.effects.get(&(step, bits)) {
            Some((of, effect)) if *of == sizes => Ok(effect.clone()),
            _ => {
                let effect = self.find(precision, step, bits)?;
                self.effects.insert((step, bits), (sizes, effect.clone()));
                Ok(effect)
            }
        }
    }

    fn find(&mut self, precision: &Precision, step: u32, bits: u64) -> Result<Effect, Excess> {
        let steps = self.steps;
        let taken = &steps[step as usize];
        if precision.value(taken.source, (bits, precision.len(taken.source)), &taken.guard)
            == Some(false)
        {
            return Ok(Effect::default());
        }
        let state = precision.literals(taken.source, bits);
        let after: Vec<LinearFormula> =
            precision.at(taken.target).map(|atom| taken.after(atom)).collect::<Result<_, _>>()?;
        let mut step_facts = std::mem::take(&mut self.step_facts[step as usize]);
        let mut known = step_facts.targets(precision, taken, bits);
        let assumed = taken.after_formula(&taken.after)?;
        let given = [&state[..], &[taken.guard.clone(), assumed]].concat();
        let mut recall = Recall {
            precision,
            step_facts: &mut step_facts,
            source: Some((taken.source, bits)),
            target: taken.target,
            after: &after,
        };
        let found = cases(self.solver, &given, &after, &mut recall, &mut known, MOST_TARGETS);
        self.step_facts[step as usize] = step_facts;
        let mut effect = Effect { targets: found?, musts: Vec::new() };
        if !effect.targets.is_empty()
            && !taken.is_may_only
            && self.holds(precision, taken.source, bits, &taken.guard) == Some(true)
        {
            self.add_musts(&mut effect, &state, taken, &after);
        }
        Ok(effect)
    }

    /// A step that can be taken leads somewhere; if it has a choice, then perhaps to several targets as it likes.
    fn add_musts(
        &mut self,
        effect: &mut Effect,
        state: &[LinearFormula],
        taken: &IntegerStep,
        after: &[LinearFormula],
    ) {
        effect.musts.push(effect.targets.clone());
        if !taken.free.is_empty() && effect.targets.len() > 1 {
            let sure = effect.targets.iter().copied();
            let sure: Vec<u64> =
                sure.filter(|&bits| self.is_certain(state, taken, after, bits)).collect();
            effect.musts.extend(sure.into_iter().map(|bits| vec![bits]));
        }
    }

    /// Whether there are values for what may become anything with which the step leads to this target, from every
    /// concrete state.
    fn is_certain(
        &mut self,
        state: &[LinearFormula],
        taken: &IntegerStep,
        after: &[LinearFormula],
        bits: u64,
    ) -> bool {
        let each = after.iter().enumerate();
        let wanted =
            LinearFormula::and(each.map(|(index, after)| literal(after, bits >> index & 1 == 1)));
        let some = |wanted: Result<LinearFormula, Excess>, &free: &Variable| wanted?.exists(free);
        match taken.free.iter().fold(Ok(wanted.clone()), some) {
            Ok(wanted) => self.implies(state, &wanted),
            Err(_) => self.can_be_named(state, &wanted, &taken.free),
        }
    }

    fn can_be_named(
        &mut self,
        state: &[LinearFormula],
        wanted: &LinearFormula,
        free: &[Variable],
    ) -> bool {
        let Some((&first, rest)) = free.split_first() else {
            return self.implies(state, wanted);
        };
        let named = |witness: Term| {
            let is_free = |&(variable, _): &(Variable, i64)| free.contains(&variable);
            let by = |variable| (variable == first).then(|| witness.clone());
            let is_known = !witness.coefficients().iter().any(is_free);
            is_known.then(|| wanted.substitute(&by).ok()).flatten()
        };
        let all: Vec<LinearFormula> =
            witnesses(wanted, first).into_iter().filter_map(named).collect();
        all.iter().any(|named| self.can_be_named(state, named, rest))
    }
}

/// Cached facts about the states after a step from a state, or about initial states if there is no step.
struct Recall<'r> {
    precision: &'r Precision,
    step_facts: &'r mut StepFacts,
    /// The location before and its state.
    source: Option<(u32, u64)>,
    target: u32,
    after: &'r [LinearFormula],
}

impl CaseMemory for Recall<'_> {
    /// By the state before, or by what is known of the state after so far.
    fn implied(&self, index: usize, values: u64) -> Option<bool> {
        let Self { precision, target, .. } = *self;
        let before = self.source.and_then(|(location, bits)| {
            precision.value(location, (bits, precision.len(location)), &self.after[index])
        });
        before.or_else(|| {
            let atom = precision.at(target).nth(index)?;
            precision.value(target, (values, index), &LinearFormula::atom(atom.clone()))
        })
    }

    fn is_contradiction(&self, known: u64, values: u64) -> bool {
        let source = self.source.map_or(0, |(_, bits)| bits);
        self.step_facts.is_contradiction(source, (known, values))
    }

    fn learn_contradiction(&mut self, given: &[usize], known: u64, values: u64) {
        let (location, bits) = self.source.unwrap_or_default();
        let literals = if self.source.is_some() { self.precision.len(location) } else { 0 };
        let own = given.iter().filter(|&&part| part < literals);
        let before = own.fold(0, |before, part| before | 1 << part);
        self.step_facts.add_core(Core { known: [before, known], values: [bits & before, values] });
    }

    fn learn_example(&mut self, example: SmtModel) {
        self.step_facts.add_witness(example);
    }
}

/// Terms that a variable could be: just at the bounds that a formula gives it.
fn witnesses(formula: &LinearFormula, variable: Variable) -> Vec<Term> {
    let mut found = Vec::new();
    formula.for_each_atom(&mut |atom| {
        let factor = atom.term().coefficient(variable);
        if factor.abs() != 1 || matches!(atom, LinearAtom::Divides(..)) {
            return;
        }
        let rest = atom.term().plus_times(-factor, &Term::variable(variable));
        let bound = rest.and_then(|rest| rest.times(-factor));
        for offset in [0, 1, -1, 2, -2] {
            found.extend(bound.clone().and_then(|bound| bound.plus_constant(offset)));
        }
    });
    let constants = [0, 1, -1, 2, -2, 3, -3];
    found.extend(constants.into_iter().filter_map(|value| Term::constant(value).ok()));
    found
}
