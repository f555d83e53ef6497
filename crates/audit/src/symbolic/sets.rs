//! Reading sets of states: nodes of BDDs, successors first.

use crate::error::AuditError;
use crate::read::Reader;
use bdd::{Bdd, BddVar, Manager};
use encode::Layout;
use std::io::Read;
use transition::{Machine, VarId};

/// The nodes that a certificate has listed so far.
pub(crate) struct Sets {
    /// By place in the order: the truth variable; `None` for bits of inputs, which states do not have.
    vars: Vec<Option<BddVar>>,
    nodes: Vec<Bdd>,
}

/// Reads the bits that a certificate speaks of, from above.
pub(crate) fn order<R: Read>(
    machine: &Machine,
    reader: &mut Reader<R>,
) -> Result<Vec<(VarId, u32)>, AuditError> {
    let most: usize = machine.vars.values().map(|var| var.domain.bits() as usize).sum();
    let count = reader.below(most + 1, "more bits than the model has")?;
    let mut order: Vec<(VarId, u32)> = Vec::new();
    for _ in 0..count {
        let var = VarId(reader.below(machine.vars.len(), "a variable that is not there")?);
        let bits = machine.vars[var].domain.bits() as usize;
        order.push((var, reader.below(bits, "a bit that the variable does not have")?));
    }
    Ok(order)
}

/// Whether an order is one of all bits of these variables, which are in the order of their numbers.
pub(crate) fn has_all_bits(
    machine: &Machine,
    order: &[(VarId, u32)],
    vars: impl Iterator<Item = VarId>,
) -> bool {
    let bits = |var: VarId| (0..machine.vars[var].domain.bits()).map(move |bit| (var, bit));
    let mut given = order.to_vec();
    given.sort_unstable();
    vars.flat_map(bits).eq(given)
}

/// More nodes than this are in no certificate.
const MOST: usize = 1 << 31;

impl Sets {
    /// Of sets of states over the bits of a machine in this order.
    pub fn of_machine(machine: &Machine, layout: &Layout, order: &[(VarId, u32)]) -> Self {
        let var = |&(var, bit): &(VarId, u32)| {
            let is_state = machine.state_vars().any(|other| other == var);
            let bit = layout.bits(var).get(bit as usize)?;
            is_state.then_some(bit.now)
        };
        Self::new(order.iter().map(var).collect())
    }

    pub fn new(vars: Vec<Option<BddVar>>) -> Self {
        Self { vars, nodes: Vec::new() }
    }

    /// A set: how many nodes are new, these, and which one it is.
    pub fn read<R: Read>(
        &mut self,
        reader: &mut Reader<R>,
        manager: &mut Manager,
    ) -> Result<Bdd, AuditError> {
        let count = reader.below(MOST, "more nodes than there can be")?;
        for _ in 0..count {
            let place =
                reader.below(self.vars.len(), "a bit that the certificate does not name")?;
            let Some(var) = self.vars[place as usize] else {
                return Err(reader.malformed("a bit of an input in a set of states"));
            };
            let (high, low) = (self.link(reader, manager)?, self.link(reader, manager)?);
            self.nodes.push(manager.choose(var, &high, &low)?);
        }
        self.link(reader, manager)
    }

    /// 0 is true and 1 is false; otherwise, in twos, how many nodes back, and whether it is negated.
    fn link<R: Read>(&self, reader: &mut Reader<R>, manager: &Manager) -> Result<Bdd, AuditError> {
        let limit = 2 * self.nodes.len() + 2;
        let link = reader.below(limit, "a node that is not there")? as usize;
        let set = match link / 2 {
            0 => manager.constant(true),
            back => self.nodes[self.nodes.len() - back].clone(),
        };
        Ok(if link % 2 == 1 { set.not() } else { set })
    }
}
