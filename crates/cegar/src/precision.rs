//! Precision: the predicates of each location.

use crate::cegar_loop::CegarQuestion;
use crate::reachability::{AbstractState, CheckedProgram, Meaning};
use rustc_hash::FxHashMap;
use smt::{LinearAtom, LinearFormula, Term, Variable, literal};

/// Atoms by location. They are only ever added, at the end. Equations are kept as two inequalities: on which side an
/// equation is missed says more of loops than that it is missed.
#[derive(Clone, Debug)]
pub struct Precision {
    atoms: Vec<LinearAtom>,
    numbers: FxHashMap<LinearAtom, u32>,
    of: Vec<Vec<u32>>,
    /// Variables from here on are no variables of the program.
    variables: u32,
}

/// A state is at most so many bits.
pub(crate) const MOST_ATOMS: usize = 64;

impl Precision {
    pub(crate) fn new(locations: usize, variables: usize) -> Self {
        let (atoms, numbers) = (Vec::new(), FxHashMap::default());
        Self { atoms, numbers, of: vec![Vec::new(); locations], variables: variables as u32 }
    }

    /// The predicates of the property and the initial ones, everywhere; and at each location the guards of its steps.
    pub(crate) fn initial(question: &CegarQuestion, program: &CheckedProgram) -> Self {
        let locations = question.program.locations.len();
        let mut precision = Self::new(locations, question.program.variables.len());
        let meanings = program.propositions.iter().filter_map(|(_, meaning)| match meaning {
            Meaning::Holds(condition) => Some(condition),
            Meaning::At(_) | Meaning::Irrelevant => None,
        });
        let everywhere: Vec<&LinearFormula> = meanings.chain(question.initial_predicates).collect();
        for location in 0..locations as u32 {
            everywhere.iter().for_each(|formula| _ = precision.add(location, formula));
        }
        for step in program.steps {
            precision.add(step.source, &step.guard);
            precision.add(step.target, &step.after);
        }
        precision
    }

    /// The predicates at a location.
    pub fn at(&self, location: u32) -> impl ExactSizeIterator<Item = &LinearAtom> {
        self.of[location as usize].iter().map(|&atom| &self.atoms[atom as usize])
    }

    /// How many locations there are.
    pub(crate) fn locations(&self) -> u32 {
        self.of.len() as u32
    }

    /// How many variables the program has.
    pub(crate) fn variables(&self) -> u32 {
        self.variables
    }

    pub fn len(&self, location: u32) -> usize {
        self.of[location as usize].len()
    }

    /// All predicates that are known somewhere, and where.
    pub fn by_predicate(&self) -> impl Iterator<Item = (&LinearAtom, Vec<u32>)> {
        (0..).zip(&self.atoms).map(|(number, atom)| {
            let locations = (0..).zip(&self.of).filter(|(_, of)| of.contains(&number));
            (atom, locations.map(|(location, _)| location).collect())
        })
    }

    /// The state that some values are in; none if a number is too large.
    pub(crate) fn state(&self, location: u32, values: &[i64]) -> Option<AbstractState> {
        let mut bits = 0;
        for (index, atom) in self.at(location).enumerate() {
            let value = atom.holds(&|Variable(v)| values[v as usize].into())?;
            bits |= u64::from(value) << index;
        }
        Some(AbstractState { location, bits })
    }

    /// Literals of a state, one for each predicate.
    pub(crate) fn literals(&self, location: u32, bits: u64) -> Vec<LinearFormula> {
        let each = self.at(location).enumerate();
        each.map(|(index, atom)| {
            literal(&LinearFormula::atom(atom.clone()), bits >> index & 1 == 1)
        })
        .collect()
    }

    /// The value of a formula in a state, as far as the first so many predicates tell it at a glance.
    pub(crate) fn value(
        &self,
        location: u32,
        (bits, known): (u64, usize),
        formula: &LinearFormula,
    ) -> Option<bool> {
        let of = |part: &LinearFormula| self.value(location, (bits, known), part);
        let any = |parts: &[LinearFormula], wanted: bool| match parts {
            parts if parts.iter().any(|part| of(part) == Some(wanted)) => Some(wanted),
            parts => parts.iter().all(|part| of(part) == Some(!wanted)).then_some(!wanted),
        };
        match formula {
            LinearFormula::Constant(value) => Some(*value),
            LinearFormula::Not(inner) => of(inner).map(|value| !value),
            LinearFormula::And(parts) => any(parts, false),
            LinearFormula::Or(parts) => any(parts, true),
            LinearFormula::Atom(atom) => self.value_of_atom(location, (bits, known), atom),
        }
    }

    fn value_of_atom(&self, location: u32, state: (u64, usize), atom: &LinearAtom) -> Option<bool> {
        match atom {
            LinearAtom::AtMost(term) => self.is_at_most(location, state, term),
            LinearAtom::Zero(term) => {
                let sides = [term.clone(), term.negated()];
                let [a, b] = sides.map(|side| self.is_at_most(location, state, &side));
                if a == Some(false) || b == Some(false) { Some(false) } else { a.and(b) }
            }
            LinearAtom::Divides(..) => {
                let (atom, is_so) = atom.up_to_negation();
                let number = self.numbers.get(&atom)?;
                let index = self.of[location as usize].iter().position(|known| known == number)?;
                (index < state.1).then_some((state.0 >> index & 1 == 1) == is_so)
            }
        }
    }

    /// By what is known of the same sum with other constants.
    fn is_at_most(&self, location: u32, (bits, known): (u64, usize), term: &Term) -> Option<bool> {
        let wanted = LinearAtom::AtMost(term.clone()).up_to_negation();
        let (LinearAtom::AtMost(sum), is_so) = wanted else {
            return None;
        };
        for (index, atom) in self.at(location).enumerate().take(known) {
            let LinearAtom::AtMost(other) = atom else {
                continue;
            };
            if other.coefficients() != sum.coefficients() {
                continue;
            }
            match bits >> index & 1 == 1 {
                true if other.offset() >= sum.offset() => return Some(is_so),
                false if other.offset() <= sum.offset() => return Some(!is_so),
                _ => {}
            }
        }
        None
    }

    /// Makes the predicates of a formula known at a location; those that were not known before.
    pub(crate) fn add(&mut self, location: u32, formula: &LinearFormula) -> Vec<LinearAtom> {
        let mut found = predicates_of(formula);
        found.retain(|atom| self.add_atom(location, atom));
        found
    }

    /// Whether some predicate of a formula is not known at a location and can be.
    pub(crate) fn lacks(&self, location: u32, formula: &LinearFormula) -> bool {
        let own = &self.of[location as usize];
        let is_known = |atom: &LinearAtom| self.numbers.get(atom).is_some_and(|n| own.contains(n));
        predicates_of(formula).iter().any(|atom| self.can_have(location, atom) && !is_known(atom))
    }

    fn can_have(&self, location: u32, atom: &LinearAtom) -> bool {
        let is_own = |&(variable, _): &(Variable, i64)| variable.0 < self.variables;
        atom.term().coefficients().iter().all(is_own) && self.len(location) < MOST_ATOMS
    }

    fn add_atom(&mut self, location: u32, atom: &LinearAtom) -> bool {
        if !self.can_have(location, atom) {
            return false;
        }
        let next = self.atoms.len() as u32;
        let number = *self.numbers.entry(atom.clone()).or_insert(next);
        if number == next {
            self.atoms.push(atom.clone());
        }
        let own = &mut self.of[location as usize];
        let is_new = !own.contains(&number);
        if is_new {
            own.push(number);
        }
        is_new
    }
}

/// The predicates by which a formula is known.
pub(crate) fn predicates_of(formula: &LinearFormula) -> Vec<LinearAtom> {
    let mut found = Vec::new();
    formula.for_each_atom(&mut |atom| match atom {
        LinearAtom::Zero(term) => {
            found.extend([term.clone(), term.negated()].map(LinearAtom::AtMost))
        }
        atom => found.push(atom.clone()),
    });
    found.iter().map(|atom| atom.up_to_negation().0).collect()
}
