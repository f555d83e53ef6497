//! What a step may and must do to a state.

use crate::measures::Measure;
use crate::views::Views;
use arithmetic::{Answer, Atom, Excess, Formula, Model, Solver, Term, Variable};
use predicates::lower::Move;
use rustc_hash::FxHashMap;

/// A step from a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arrow {
    pub step: u32,
    /// The states that it may lead to, by the values of the atoms there; all that it can lead to are here.
    pub targets: Vec<u64>,
    /// Sets of them that it must lead into, each by itself.
    pub musts: Vec<Vec<u64>>,
    /// See [`logic::Formula::ranked`].
    pub class: u8,
}

/// More states than this are not told apart after a step.
const MOST_TARGETS: usize = 512;

/// What was found out about a step from a state, and of how many atoms at both ends.
type Known = FxHashMap<(u32, u64), (usize, usize, Arrow)>;

/// Who answers. What is unknown to the solver may be and need not be.
pub(crate) struct Successors<'a> {
    pub solver: &'a mut dyn Solver,
    pub moves: &'a [Move],
    pub measures: Vec<Measure>,
    known: Known,
    /// Whether formulas hold in states, by place and number of atoms there.
    facts: FxHashMap<(u32, usize, u64, Formula), Option<bool>>,
}

impl<'a> Successors<'a> {
    pub fn new(solver: &'a mut dyn Solver, moves: &'a [Move]) -> Self {
        let (known, facts) = (FxHashMap::default(), FxHashMap::default());
        Self { solver, moves, measures: Vec::new(), known, facts }
    }

    /// From now on steps have the classes of these measures.
    pub fn measure_by(&mut self, measures: Vec<Measure>) {
        self.measures = measures;
        self.known.clear();
    }

    /// Whether it is certain that parts contradict each other.
    fn is_impossible(&mut self, parts: &[Formula]) -> bool {
        matches!(self.solver.check(parts), Answer::Unsat(_))
    }

    fn implies(&mut self, state: &[Formula], conclusion: &Formula) -> bool {
        match conclusion {
            Formula::Constant(value) => *value,
            _ => self.is_impossible(&[state, &[conclusion.negated()]].concat()),
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
        let key = (place, views.len(place), bits, formula.clone());
        if let Some(&known) = self.facts.get(&key) {
            return known;
        }
        let state = views.literals(place, bits);
        let value = match () {
            () if self.implies(&state, formula) => Some(true),
            () if self.implies(&state, &formula.negated()) => Some(false),
            () => None,
        };
        self.facts.insert(key, value);
        value
    }

    /// The values that some formulas can have together; `None` if there are too many.
    pub fn valuations(&mut self, given: &[Formula], formulas: &[Formula]) -> Option<Vec<u64>> {
        let first = match self.solver.check(given) {
            Answer::Unsat(_) => return Some(Vec::new()),
            Answer::Sat(model) => Some(model),
            Answer::Unknown(_) => None,
        };
        let mut found = Vec::new();
        let mut open = vec![(given.to_vec(), 0u64, 0usize, first)];
        while let Some((parts, bits, index, model)) = open.pop() {
            let Some(formula) = formulas.get(index) else {
                found.push(bits);
                if found.len() > MOST_TARGETS {
                    return None;
                }
                continue;
            };
            let here = model.as_ref().and_then(|model| value_in(formula, model));
            for value in [false, true] {
                let literal = if value { formula.clone() } else { formula.negated() };
                let parts = [&parts[..], &[literal]].concat();
                let model = match (here == Some(value), &model) {
                    (true, Some(model)) => Some(model.clone()),
                    _ => match self.solver.check(&parts) {
                        Answer::Unsat(_) => continue,
                        Answer::Sat(model) => Some(model),
                        Answer::Unknown(_) => None,
                    },
                };
                open.push((parts, bits | u64::from(value) << index, index + 1, model));
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// What a step does to a state; `None` if it cannot be taken there, an error if too much may come of it.
    pub fn arrow(&mut self, views: &Views, step: u32, bits: u64) -> Result<Option<Arrow>, Excess> {
        let Move { source, target, .. } = self.moves[step as usize];
        let sizes = (views.len(source), views.len(target));
        let arrow = match self.known.get(&(step, bits)) {
            Some((a, b, arrow)) if (*a, *b) == sizes => arrow.clone(),
            _ => {
                let arrow = self.find(views, step, bits)?;
                self.known.insert((step, bits), (sizes.0, sizes.1, arrow.clone()));
                arrow
            }
        };
        Ok((!arrow.targets.is_empty()).then_some(arrow))
    }

    fn find(&mut self, views: &Views, step: u32, bits: u64) -> Result<Arrow, Excess> {
        let moves = self.moves;
        let taken = &moves[step as usize];
        let state = views.literals(taken.source, bits);
        let given = [&state[..], std::slice::from_ref(&taken.guard)].concat();
        let after: Vec<Formula> =
            views.at(taken.target).map(|atom| taken.after(atom)).collect::<Result<_, _>>()?;
        let targets = self.valuations(&given, &after).ok_or(Excess::Cases)?;
        let mut arrow = Arrow { step, targets, musts: Vec::new(), class: 0 };
        if arrow.targets.is_empty() {
            return Ok(arrow);
        }
        arrow.class = self.class(taken, &given)?;
        if self.implies(&state, &taken.guard) {
            arrow.musts.push(arrow.targets.clone());
            if !taken.free.is_empty() && arrow.targets.len() > 1 {
                let sure = arrow.targets.iter().copied();
                let sure: Vec<u64> =
                    sure.filter(|&bits| self.is_sure(&state, taken, &after, bits)).collect();
                arrow.musts.extend(sure.into_iter().map(|bits| vec![bits]));
            }
        }
        Ok(arrow)
    }

    /// Whether values for what may become anything can be named with which the step leads to this target from every
    /// concrete state.
    fn is_sure(&mut self, state: &[Formula], taken: &Move, after: &[Formula], bits: u64) -> bool {
        let literal = |(index, formula): (usize, &Formula)| {
            if bits >> index & 1 == 1 { formula.clone() } else { formula.negated() }
        };
        let wanted = Formula::and(after.iter().enumerate().map(literal));
        self.can_be_named(state, &wanted, &taken.free)
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

    /// The class of a step under the measures.
    fn class(&mut self, taken: &Move, given: &[Formula]) -> Result<u8, Excess> {
        for index in 0..self.measures.len() {
            let measure = self.measures[index].clone();
            let (up, down) = (measure.goes_up(taken)?, measure.goes_down(taken)?);
            if !self.implies(given, &up.negated()) {
                return Ok(2 * index as u8);
            }
            if self.implies(given, &down) {
                return Ok(2 * index as u8 + 1);
            }
        }
        Ok(2 * self.measures.len() as u8)
    }
}

fn value_in(formula: &Formula, model: &Model) -> Option<bool> {
    formula.holds(&|variable| model.value(variable))
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
