//! The view of a group of components on the composition: some of the truth variables.

use bdd::{Bdd, BddVar, Manager, Stop};
use fixedbitset::FixedBitSet;

/// The truth variables that are there.
#[derive(Default)]
pub(crate) struct View {
    inside: FixedBitSet,
}

impl View {
    pub fn add(&mut self, var: BddVar) {
        self.inside.grow_and_insert(var.0 as usize);
    }

    pub fn has(&self, var: BddVar) -> bool {
        self.inside.contains(var.0 as usize)
    }

    /// Where it is so for some values of what is not there.
    pub fn exists_outside(&self, set: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        let support = manager.support(set);
        let outside: Vec<BddVar> = support.into_iter().filter(|&var| !self.has(var)).collect();
        let cube = manager.cube(outside)?;
        manager.exists(set, &cube)
    }

    /// Where it is so for all values of what is not there.
    pub fn forall_outside(&self, set: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        Ok(self.exists_outside(&set.not(), manager)?.not())
    }
}
