//! The Boolean variables that encode the variables of a transition system.

use crate::order;
use bdd::{Bdd, BddVar, Manager, Stop};
use rustc_hash::FxHashMap;
use support::IdVec;
use transition::{Domain, Machine, Slice, VarId, VarKind};

/// A bit of a variable's number, now and in the next state. Inputs have no next state.
#[derive(Clone, Copy, Debug)]
pub struct Bit {
    pub now: BddVar,
    pub next: Option<BddVar>,
}

/// The bits of every variable of a part of a machine.
pub struct Layout {
    /// Lowest bit first; empty for variables that are not in the part.
    bits: IdVec<VarId, Vec<Bit>>,
    /// By truth variable: the variable of the machine whose next value it has to do with.
    next: Vec<Option<VarId>>,
}

impl Layout {
    pub fn new(machine: &Machine, slice: &Slice, manager: &mut Manager) -> Self {
        Self::in_order(machine, &order::bits(machine, slice), manager)
    }

    /// With the bits in this order, from above; every bit of every variable of the part is there once.
    pub fn in_order(machine: &Machine, order: &[(VarId, u32)], manager: &mut Manager) -> Self {
        let mut bits: IdVec<VarId, Vec<(u32, Bit)>> =
            machine.vars.iter().map(|_| Vec::new()).collect();
        let mut next = Vec::new();
        for &(var, bit) in order {
            let made = match machine.vars[var].kind {
                VarKind::Input => {
                    let [now] = manager.add_group();
                    Bit { now, next: None }
                }
                VarKind::State | VarKind::Frozen => {
                    let [now, next] = manager.add_group();
                    Bit { now, next: Some(next) }
                }
            };
            if let Some(truth_var) = made.next {
                next.resize(truth_var.0 as usize + 1, None);
                next[truth_var.0 as usize] = Some(var);
            }
            bits[var].push((bit, made));
        }
        let bits = bits.values().map(|of| sorted(of)).collect();
        Self { bits, next }
    }

    /// All bits in the order in which they are now, from above.
    pub fn order(&self, manager: &Manager) -> Vec<(VarId, u32)> {
        let mut known: FxHashMap<BddVar, (VarId, u32)> = FxHashMap::default();
        for (var, bits) in self.bits.iter() {
            known.extend(bits.iter().zip(0..).map(|(bit, index)| (bit.now, (var, index))));
        }
        manager.order().iter().filter_map(|var| known.get(var).copied()).collect()
    }

    pub fn bits(&self, var: VarId) -> &[Bit] {
        &self.bits[var]
    }

    /// The variable of the machine of whose next value this is a bit.
    pub fn next_of(&self, var: BddVar) -> Option<VarId> {
        self.next.get(var.0 as usize).copied().flatten()
    }

    /// That the bits are the number of a value: not all patterns are.
    pub fn valid(&self, machine: &Machine, var: VarId, manager: &mut Manager) -> Result<Bdd, Stop> {
        let size = machine.vars[var].domain.size();
        let mut valid = manager.constant(false);
        if size.is_power_of_two() {
            return Ok(manager.constant(true));
        }
        // Whether the number is less than the size, from the lowest bit upwards.
        for (index, bit) in self.bits[var].iter().enumerate() {
            let set = manager.var(bit.now)?;
            let is_one = size >> index & 1 == 1;
            valid = if is_one {
                manager.or(&valid, &set.not())?
            } else {
                manager.minus(&valid, &set)?
            };
        }
        Ok(valid)
    }

    /// That a variable keeps its value.
    pub fn same(&self, var: VarId, manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut same = manager.constant(true);
        for bit in &self.bits[var] {
            let Some(next) = bit.next else { continue };
            let (now, next) = (manager.var(bit.now)?, manager.var(next)?);
            let differ = manager.xor(&now, &next)?;
            same = manager.minus(&same, &differ)?;
        }
        Ok(same)
    }

    /// The value that a valuation of the truth variables gives; what is not said is false.
    pub fn value(&self, machine: &Machine, var: VarId, is_true: impl Fn(BddVar) -> bool) -> i64 {
        let domain: &Domain = &machine.vars[var].domain;
        let bits = self.bits[var].iter().enumerate();
        let number: u64 = bits.map(|(index, bit)| u64::from(is_true(bit.now)) << index).sum();
        domain.value(number)
    }
}

fn sorted(bits: &[(u32, Bit)]) -> Vec<Bit> {
    let mut bits = bits.to_vec();
    bits.sort_by_key(|(index, _)| *index);
    bits.into_iter().map(|(_, bit)| bit).collect()
}
