//! Classes of values of a variable that no reader distinguishes.
//!
//! A component that reads `busy := at in {working, waiting}` of another one knows of `at` which of two classes
//! its value is in. What components have to agree on is the class only. **Why that is enough.** Of a variable y
//! that one component owns and others read, take classes such that nothing that a reader says, nor a proposition
//! that it is asked, changes when a value of y is replaced by another of its class. Then the reader's sets of
//! states can be chosen closed under such replacements: it begins with such sets, and splits by propositions and
//! pre-images keep to them. If now components have steps to sets with the same joint label, each reader has the
//! step, into the same set, also with the value that the owner goes to. So there is a step of the composition.

use bdd::{Bdd, BddVar, Manager, Stop};
use encode::Layout;
use rustc_hash::FxHashMap;
use transition::{Machine, VarId};

/// Variables with more values than this are not looked at.
pub(crate) const MOST_VALUES: u128 = 128;

/// By number of a value of a variable: its class. Classes are numbered in the order in which they occur.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Classes(pub Vec<u32>);

impl Classes {
    /// Nothing is told apart.
    pub fn one(machine: &Machine, var: VarId) -> Self {
        Self(vec![0; machine.vars[var].domain.size().min(MOST_VALUES) as usize])
    }

    pub fn count(&self) -> u32 {
        self.0.iter().max().map_or(0, |most| most + 1)
    }

    /// How many bits the number of a class takes.
    pub fn bits(&self) -> u32 {
        self.count().next_power_of_two().trailing_zeros()
    }

    /// Common refinement of two partitions.
    pub fn and(&self, other: &Classes) -> Classes {
        Self::numbered(self.0.iter().zip(&other.0))
    }

    fn numbered<K: Eq + std::hash::Hash>(keys: impl Iterator<Item = K>) -> Self {
        let mut known: FxHashMap<K, u32> = FxHashMap::default();
        let number = |key: K| {
            let fresh = known.len() as u32;
            *known.entry(key).or_insert(fresh)
        };
        Self(keys.map(number).collect())
    }

    /// The values of which a set tells nothing apart, in this state and in the next.
    pub fn distinguished_by(
        set: &Bdd,
        var: VarId,
        (machine, layout): (&Machine, &Layout),
        manager: &mut Manager,
    ) -> Result<Self, Stop> {
        let all = Self::one(machine, var);
        let mut found: Vec<[Option<u32>; 2]> = vec![[None; 2]; all.0.len()];
        let support = manager.support(set);
        for side in 0..2 {
            let bits: Vec<BddVar> = bits(layout, var, side == 1).collect();
            if !bits.iter().any(|bit| support.contains(bit)) {
                continue;
            }
            let cube = manager.cube(bits.iter().copied())?;
            let mut seen: Vec<Bdd> = Vec::new();
            for (number, found) in found.iter_mut().enumerate() {
                let value = pattern(&bits, number as u64, manager)?;
                let rest = manager.and_exists(set, &value, &cube)?;
                let known = seen.iter().position(|other| *other == rest);
                found[side] = Some(known.unwrap_or(seen.len()) as u32);
                if known.is_none() {
                    seen.push(rest);
                }
            }
        }
        Ok(Self::numbered(found.into_iter()))
    }

    /// The states in which the number of the class has this bit, or in which it is this class.
    pub fn states(
        &self,
        is_meant: impl Fn(u32) -> bool,
        var: VarId,
        layout: &Layout,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        let bits: Vec<BddVar> = bits(layout, var, false).collect();
        let mut all = manager.constant(false);
        for (number, &class) in self.0.iter().enumerate() {
            if is_meant(class) {
                let value = pattern(&bits, number as u64, manager)?;
                all = manager.or(&all, &value)?;
            }
        }
        Ok(all)
    }

    /// A set with all that the classes do not tell apart from what is in it.
    pub fn closed(
        &self,
        set: &Bdd,
        var: VarId,
        layout: &Layout,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        let cube = manager.cube(bits(layout, var, false))?;
        let mut all = manager.constant(false);
        for class in 0..self.count() {
            let states = self.states(|other| other == class, var, layout, manager)?;
            let some = manager.and_exists(set, &states, &cube)?;
            let some = manager.and(&some, &states)?;
            all = manager.or(&all, &some)?;
        }
        Ok(all)
    }
}

fn bits(layout: &Layout, var: VarId, is_next: bool) -> impl Iterator<Item = BddVar> {
    let bits = layout.bits(var).iter();
    bits.filter_map(move |bit| if is_next { bit.next } else { Some(bit.now) })
}

/// That bits are those of a number.
fn pattern(bits: &[BddVar], number: u64, manager: &mut Manager) -> Result<Bdd, Stop> {
    let mut all = manager.constant(true);
    for (index, &bit) in bits.iter().enumerate() {
        let literal = manager.var(bit)?;
        let literal = if number >> index & 1 == 1 { literal } else { literal.not() };
        all = manager.and(&all, &literal)?;
    }
    Ok(all)
}
