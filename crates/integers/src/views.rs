//! What is known at each place.

use arithmetic::{Atom, Formula, Variable};
use rustc_hash::FxHashMap;

/// Atoms by place. They are only ever added, at the end.
#[derive(Clone, Debug)]
pub struct Views {
    atoms: Vec<Atom>,
    numbers: FxHashMap<Atom, u32>,
    of: Vec<Vec<u32>>,
    /// Variables from here on are no variables of the program.
    variables: u32,
}

/// A state is at most so many bits.
pub(crate) const MOST_ATOMS: usize = 64;

impl Views {
    pub(crate) fn new(places: usize, variables: usize) -> Self {
        let (atoms, numbers) = (Vec::new(), FxHashMap::default());
        Self { atoms, numbers, of: vec![Vec::new(); places], variables: variables as u32 }
    }

    /// The atoms at a place.
    pub fn at(&self, place: u32) -> impl ExactSizeIterator<Item = &Atom> {
        self.of[place as usize].iter().map(|&atom| &self.atoms[atom as usize])
    }

    pub fn len(&self, place: u32) -> usize {
        self.of[place as usize].len()
    }

    /// All atoms that are known somewhere, and where.
    pub fn by_atom(&self) -> impl Iterator<Item = (&Atom, Vec<u32>)> {
        (0..).zip(&self.atoms).map(|(number, atom)| {
            let places = (0..).zip(&self.of).filter(|(_, of)| of.contains(&number));
            (atom, places.map(|(place, _)| place).collect())
        })
    }

    /// What a state says: one literal for each atom.
    pub(crate) fn literals(&self, place: u32, bits: u64) -> Vec<Formula> {
        let literal = |(index, atom): (usize, &Atom)| {
            let positive = Formula::atom(atom.clone());
            if bits >> index & 1 == 1 { positive } else { positive.negated() }
        };
        self.at(place).enumerate().map(literal).collect()
    }

    /// Makes the atoms of a formula known at a place; those that were not known before.
    pub(crate) fn add(&mut self, place: u32, formula: &Formula) -> Vec<Atom> {
        let mut found = Vec::new();
        formula.for_each_atom(&mut |atom| found.push(atom.clone()));
        found.retain(|atom| self.add_atom(place, atom));
        found
    }

    fn add_atom(&mut self, place: u32, atom: &Atom) -> bool {
        let is_own = |&(variable, _): &(Variable, i64)| variable.0 < self.variables;
        if !atom.term().coefficients().iter().all(is_own) || self.len(place) >= MOST_ATOMS {
            return false;
        }
        let (atom, _) = atom.up_to_negation();
        let next = self.atoms.len() as u32;
        let number = *self.numbers.entry(atom.clone()).or_insert(next);
        if number == next {
            self.atoms.push(atom);
        }
        let own = &mut self.of[place as usize];
        let is_new = !own.contains(&number);
        if is_new {
            own.push(number);
        }
        is_new
    }
}
