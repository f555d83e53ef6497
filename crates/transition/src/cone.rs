//! The cone of influence of a property (Clarke, Grumberg, Peled: Model Checking, §13.1).

use crate::access::{Conjunct, Role};
use crate::expr::NodeId;
use crate::parts::{Machine, VarId};
use fixedbitset::FixedBitSet;

/// A subset of the variables that is closed under dependency, with the conjuncts over it.
#[derive(Clone, Debug)]
pub struct Slice {
    pub vars: FixedBitSet,
    /// The conjuncts over these variables.
    pub conjuncts: Vec<Conjunct>,
}

impl Slice {
    pub fn contains(&self, var: VarId) -> bool {
        self.vars.contains(var.0 as usize)
    }
}

impl Machine {
    /// All variables and conjuncts.
    pub fn unsliced(&self) -> Slice {
        let mut vars = FixedBitSet::with_capacity(self.vars.len());
        vars.insert_range(..);
        Slice { vars, conjuncts: self.conjuncts() }
    }

    /// The cone of influence of these expressions.
    ///
    /// A variable that is only assigned to can be left out if nothing that is kept reads it: an
    /// assignment has always a value to choose. What is constrained in other ways stays, because a
    /// constraint that cannot be met takes steps away from everything else.
    pub fn cone(&self, roots: impl IntoIterator<Item = NodeId>) -> Slice {
        let conjuncts = self.conjuncts();
        let mut vars = FixedBitSet::with_capacity(self.vars.len());
        let mut grown = add(&mut vars, &self.access(roots));
        for conjunct in conjuncts.iter().filter(|c| matches!(c.role, Role::Constraint(_))) {
            grown |= add(&mut vars, &conjunct.access);
        }
        while grown {
            grown = false;
            for conjunct in &conjuncts {
                if self.constrains(&vars, conjunct) {
                    grown |= add(&mut vars, &conjunct.access);
                }
            }
        }
        let kept = conjuncts.into_iter().filter(|conjunct| self.constrains(&vars, conjunct));
        let conjuncts = kept.collect();
        Slice { vars, conjuncts }
    }

    /// Whether a conjunct constrains the variables: any constraint, and what assigns or keeps one of them.
    fn constrains(&self, vars: &FixedBitSet, conjunct: &Conjunct) -> bool {
        match conjunct.role {
            Role::Assignment(var, _) | Role::Frame(var) => vars.contains(var.0 as usize),
            Role::Constraint(_) => true,
        }
    }
}

/// Whether something was new.
fn add(vars: &mut FixedBitSet, access: &crate::Access) -> bool {
    let before = vars.count_ones(..);
    vars.extend(access.now.iter().chain(&access.next).map(|var| var.0 as usize));
    vars.count_ones(..) > before
}
