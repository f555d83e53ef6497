//! What a step may and must do to a state.

use crate::knowledge::{Core, Facts, Knowledge};
use crate::views::Views;
use arithmetic::{Answer, Atom, Excess, Formula, Solver, Term, Variable, minimise};
use predicates::lower::Move;
use rustc_hash::FxHashMap;

/// What comes of a step from a state, by the values of the atoms after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effect {
    /// What it may lead to: all that it can lead to is here.
    pub targets: Vec<u64>,
    /// Sets of these that it must lead into, each by itself.
    pub musts: Vec<Vec<u64>>,
}

/// More states than this are not told apart after a step.
const MOST_TARGETS: usize = 512;

/// What was found out about a step from a state, and of how many atoms at both ends.
type Effects = FxHashMap<(u32, u64), ([usize; 2], Effect)>;

/// Who answers. What is unknown to the solver may be and need not be.
pub(crate) struct Successors<'a> {
    pub solver: &'a mut dyn Solver,
    pub moves: &'a [Move],
    effects: Effects,
    knowledge: Vec<Knowledge>,
    /// By place.
    facts: Vec<Facts>,
}

impl<'a> Successors<'a> {
    pub fn new(solver: &'a mut dyn Solver, moves: &'a [Move], places: usize) -> Self {
        let knowledge = vec![Knowledge::default(); moves.len()];
        let facts = vec![Facts::default(); places];
        Self { solver, moves, effects: FxHashMap::default(), knowledge, facts }
    }

    /// Forgets what was found out so far.
    pub fn forget(&mut self) {
        self.effects.clear();
        self.knowledge.fill(Knowledge::default());
        self.facts.fill(Facts::default());
    }

    /// Atoms have other numbers from now on. Values with which steps are possible stay what they are.
    pub fn begin_anew(&mut self) {
        self.effects.clear();
        self.facts.iter_mut().for_each(Facts::renumber);
        self.knowledge.iter_mut().for_each(Knowledge::renumber);
    }

    pub fn implies(&mut self, state: &[Formula], conclusion: &Formula) -> bool {
        match conclusion {
            Formula::Constant(value) => *value,
            _ => {
                let asked = [state, &[conclusion.negated()]].concat();
                matches!(self.solver.check(&asked), Answer::Unsat(_))
            }
        }
    }

    /// Whether a formula holds in a state, if that is certain.
    pub fn holds(
        &mut self,
        views: &Views,
        place: u32,
        bits: u64,
        formula: &Formula,
    ) -> Option<bool> {
        let known = views.len(place);
        if let Some(value) = views.value(place, (bits, known), formula) {
            return Some(value);
        }
        if let Some(value) = self.facts[place as usize].value(bits, formula) {
            return Some(value);
        }
        let seen = self.facts[place as usize].examples(views, place, bits, formula);
        let state = views.literals(place, bits);
        [true, false].into_iter().find(|&value| {
            !seen[usize::from(!value)] && self.follows((place, bits), &state, formula, value)
        })
    }

    /// Whether a formula has a value in all of a state.
    fn follows(
        &mut self,
        (place, bits): (u32, u64),
        state: &[Formula],
        formula: &Formula,
        value: bool,
    ) -> bool {
        let opposite = if value { formula.negated() } else { formula.clone() };
        let asked = [state, &[opposite]].concat();
        let facts = place as usize;
        match self.solver.check(&asked) {
            Answer::Unsat(core) => {
                let core = minimise(self.solver, &asked, core);
                let own = core.iter().filter(|&&part| part < state.len());
                let known = own.fold(0, |known, part| known | 1 << part);
                self.facts[facts].add_implication((known, bits & known), formula, value);
                true
            }
            Answer::Sat(model) => {
                self.facts[facts].add_example(model);
                false
            }
            Answer::Unknown(_) => false,
        }
    }

    /// Whether something holds before a step whenever it leads from one state to another.
    pub fn surely(
        &mut self,
        views: &Views,
        step: u32,
        states: [u64; 2],
        conclusion: &Formula,
    ) -> Result<bool, Excess> {
        let moves = self.moves;
        let taken = &moves[step as usize];
        let known = (states[0], views.len(taken.source));
        if let Some(value) = views.value(taken.source, known, conclusion) {
            return Ok(value);
        }
        let known = &mut self.knowledge[step as usize];
        if let Some(value) = known.implies(views, taken, states, conclusion) {
            return Ok(value);
        }
        let mut asked = views.literals(taken.source, states[0]);
        let literals = asked.len();
        asked.push(taken.guard.clone());
        for (index, atom) in views.at(taken.target).enumerate() {
            let after = taken.after(atom)?;
            asked.push(if states[1] >> index & 1 == 1 { after } else { after.negated() });
        }
        let source = Source { given: &asked.clone(), place: None, bits: states[0], literals };
        asked.push(conclusion.negated());
        Ok(match self.solver.check(&asked) {
            Answer::Unsat(core) => {
                let core = minimise(self.solver, &asked, core);
                let after: Vec<usize> =
                    core.iter().copied().filter(|&part| part > literals).collect();
                let mut named = named(&core, &source, &[], 0);
                for part in after.into_iter().filter(|&part| part < asked.len() - 1) {
                    named.known[1] |= 1 << (part - literals - 1);
                }
                named.values[1] = states[1] & named.known[1];
                self.knowledge[step as usize].add_implication(named, conclusion);
                true
            }
            Answer::Sat(model) => {
                self.knowledge[step as usize].add_witness(model);
                false
            }
            Answer::Unknown(_) => false,
        })
    }

    /// The states at a place in which something can hold, and whether it is certain that it can.
    pub fn beginnings(
        &mut self,
        views: &Views,
        place: u32,
        given: &Formula,
    ) -> Result<Vec<(u64, bool)>, Excess> {
        let after: Vec<Formula> = views.at(place).cloned().map(Formula::atom).collect();
        let (mut knowledge, mut known) = (Knowledge::default(), Vec::new());
        let given = std::slice::from_ref(given);
        let source = Source { given, place: None, bits: 0, literals: 0 };
        let all = self.enumerate(views, &mut knowledge, &source, (place, &after), &mut known)?;
        Ok(all.into_iter().map(|bits| (bits, known.contains(&bits))).collect())
    }

    /// What a step does to a state, an error if too much may come of it.
    pub fn effect(&mut self, views: &Views, step: u32, bits: u64) -> Result<Effect, Excess> {
        let Move { source, target, .. } = self.moves[step as usize];
        let sizes = [views.len(source), views.len(target)];
        match self.effects.get(&(step, bits)) {
            Some((of, effect)) if *of == sizes => Ok(effect.clone()),
            _ => {
                let effect = self.find(views, step, bits)?;
                self.effects.insert((step, bits), (sizes, effect.clone()));
                Ok(effect)
            }
        }
    }

    fn find(&mut self, views: &Views, step: u32, bits: u64) -> Result<Effect, Excess> {
        let moves = self.moves;
        let taken = &moves[step as usize];
        if views.value(taken.source, (bits, views.len(taken.source)), &taken.guard) == Some(false) {
            return Ok(Effect::default());
        }
        let state = views.literals(taken.source, bits);
        let after: Vec<Formula> =
            views.at(taken.target).map(|atom| taken.after(atom)).collect::<Result<_, _>>()?;
        let mut knowledge = std::mem::take(&mut self.knowledge[step as usize]);
        let mut known = knowledge.targets(views, taken, bits);
        let given = [&state[..], std::slice::from_ref(&taken.guard)].concat();
        let place = Some(taken.source);
        let source = Source { given: &given, place, bits, literals: state.len() };
        let found =
            self.enumerate(views, &mut knowledge, &source, (taken.target, &after), &mut known);
        self.knowledge[step as usize] = knowledge;
        let mut effect = Effect { targets: found?, musts: Vec::new() };
        if !effect.targets.is_empty()
            && self.holds(views, taken.source, bits, &taken.guard) == Some(true)
        {
            self.add_musts(&mut effect, &state, taken, &after);
        }
        Ok(effect)
    }

    /// A step that can be taken leads somewhere; if it has a choice, then perhaps to several targets as it likes.
    fn add_musts(
        &mut self,
        effect: &mut Effect,
        state: &[Formula],
        taken: &Move,
        after: &[Formula],
    ) {
        effect.musts.push(effect.targets.clone());
        if !taken.free.is_empty() && effect.targets.len() > 1 {
            let sure = effect.targets.iter().copied();
            let sure: Vec<u64> =
                sure.filter(|&bits| self.is_sure(state, taken, after, bits)).collect();
            effect.musts.extend(sure.into_iter().map(|bits| vec![bits]));
        }
    }

    /// Whether there are values for what may become anything with which the step leads to this target, from every
    /// concrete state.
    fn is_sure(&mut self, state: &[Formula], taken: &Move, after: &[Formula], bits: u64) -> bool {
        let literal = |(index, formula): (usize, &Formula)| {
            if bits >> index & 1 == 1 { formula.clone() } else { formula.negated() }
        };
        let wanted = Formula::and(after.iter().enumerate().map(literal));
        let some = |wanted: Result<Formula, Excess>, &free: &Variable| wanted?.exists(free);
        match taken.free.iter().fold(Ok(wanted.clone()), some) {
            Ok(wanted) => self.implies(state, &wanted),
            Err(_) => self.can_be_named(state, &wanted, &taken.free),
        }
    }

    fn can_be_named(&mut self, state: &[Formula], wanted: &Formula, free: &[Variable]) -> bool {
        let Some((&first, rest)) = free.split_first() else { return self.implies(state, wanted) };
        let named = |witness: Term| {
            let is_free = |&(variable, _): &(Variable, i64)| free.contains(&variable);
            let by = |variable| (variable == first).then(|| witness.clone());
            let is_known = !witness.coefficients().iter().any(is_free);
            is_known.then(|| wanted.substitute(&by).ok()).flatten()
        };
        let all: Vec<Formula> = witnesses(wanted, first).into_iter().filter_map(named).collect();
        all.iter().any(|named| self.can_be_named(state, named, rest))
    }
}

/// Where a step begins.
struct Source<'s> {
    /// The literals of the state first, and then what else holds.
    given: &'s [Formula],
    place: Option<u32>,
    bits: u64,
    literals: usize,
}

impl Successors<'_> {
    /// All values that the atoms at a place can have after a step: by what is known of the step already, and for the
    /// rest by asking for one literal after the other. A contradiction is kept as a minimised core, so that it is
    /// asked for once; values that satisfy everything stand for a whole state, which is then among those that were found.
    fn enumerate(
        &mut self,
        views: &Views,
        knowledge: &mut Knowledge,
        source: &Source,
        (target, after): (u32, &[Formula]),
        found: &mut Vec<u64>,
    ) -> Result<Vec<u64>, Excess> {
        let mut all = Vec::new();
        let mut open = vec![(0u64, 0usize)];
        while let Some((bits, index)) = open.pop() {
            let mask = low_bits(index);
            let is_known = |other: &u64| (other ^ bits) & mask == 0;
            if !found.iter().any(is_known) {
                if knowledge.is_contradiction(source.bits, (mask, bits)) {
                    continue;
                }
                let (asked, places) = self.question(views, source, target, after, (bits, index));
                match self.solver.check(&asked) {
                    Answer::Unsat(core) => {
                        let core = minimise(self.solver, &asked, core);
                        knowledge.add_core(named(&core, source, &places, bits));
                        continue;
                    }
                    Answer::Sat(model) => {
                        found.extend(valuation(after, &model));
                        knowledge.add_witness(model);
                    }
                    Answer::Unknown(_) => {}
                }
            }
            if index == after.len() {
                all.push(bits);
                if all.len() > MOST_TARGETS {
                    return Err(Excess::Cases);
                }
                continue;
            }
            let value = implied(views, source, (target, bits, index), &after[index]);
            let values =
                [false, true].into_iter().filter(|&option| value.is_none_or(|v| v == option));
            open.extend(values.map(|value| (bits | u64::from(value) << index, index + 1)));
        }
        all.sort_unstable();
        Ok(all)
    }

    /// What is asked of the solver: all that is given, and the literals up to here that do not follow; and which
    /// these are.
    fn question(
        &self,
        views: &Views,
        source: &Source,
        target: u32,
        after: &[Formula],
        (bits, index): (u64, usize),
    ) -> (Vec<Formula>, Vec<usize>) {
        let mut asked = source.given.to_vec();
        let mut places = Vec::new();
        for place in 0..index {
            if implied(views, source, (target, bits, place), &after[place]).is_none() {
                places.push(place);
                let is_so = bits >> place & 1 == 1;
                asked.push(if is_so { after[place].clone() } else { after[place].negated() });
            }
        }
        (asked, places)
    }
}

fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The value of the next literal, where it can be seen at a glance: by the state before, or by the literals before it.
fn implied(
    views: &Views,
    source: &Source,
    (target, bits, index): (u32, u64, usize),
    after: &Formula,
) -> Option<bool> {
    let before =
        source.place.and_then(|place| views.value(place, (source.bits, views.len(place)), after));
    before.or_else(|| {
        let atom = views.at(target).nth(index)?;
        views.value(target, (bits, index), &Formula::atom(atom.clone()))
    })
}

/// A contradiction between parts of a question, in terms of the atoms.
fn named(core: &[usize], source: &Source, places: &[usize], bits: u64) -> Core {
    let mut named = Core::default();
    for &part in core {
        if part < source.literals {
            named.known[0] |= 1 << part;
        } else if let Some(&place) =
            part.checked_sub(source.given.len()).and_then(|n| places.get(n))
        {
            named.known[1] |= 1 << place;
        }
    }
    named.values = [source.bits & named.known[0], bits & named.known[1]];
    named
}

/// The values of formulas, if all numbers fit.
fn valuation(formulas: &[Formula], model: &arithmetic::Model) -> Option<u64> {
    let mut bits = 0;
    for (index, formula) in formulas.iter().enumerate() {
        bits |= u64::from(formula.holds(&|variable| model.value(variable))?) << index;
    }
    Some(bits)
}

/// Terms that a variable could be: just at the bounds that a formula gives it.
fn witnesses(formula: &Formula, variable: Variable) -> Vec<Term> {
    let mut found = Vec::new();
    formula.for_each_atom(&mut |atom| {
        let factor = atom.term().coefficient(variable);
        if factor.abs() != 1 || matches!(atom, Atom::Divides(..)) {
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
