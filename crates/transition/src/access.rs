//! The read and write sets of expressions, conjuncts and module instances.

use crate::choice::ChoiceId;
use crate::expr::{ExprNode, NodeId};
use crate::parts::{Assign, InstanceId, Machine, Section, VarId, VarKind, When};
use fixedbitset::FixedBitSet;

/// The variables that something depends on, each list in order and without repetition.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Access {
    /// In this state, or as inputs of this step.
    pub now: Vec<VarId>,
    /// In the next state.
    pub next: Vec<VarId>,
}

/// The kind of a conjunct of the transition system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The variable has one of these values.
    Assignment(VarId, ChoiceId),
    /// The expression is true.
    Constraint(NodeId),
    /// The variable keeps its value.
    Frame(VarId),
}

/// A conjunct of the initial condition, the transition relation or the invariant.
#[derive(Clone, Debug)]
pub struct Conjunct {
    pub section: Section,
    pub role: Role,
    pub writers: Vec<InstanceId>,
    /// A variable whose next value it assigns is in `access.next`.
    pub access: Access,
}

impl Machine {
    /// The read set of these expressions.
    pub fn access(&self, roots: impl IntoIterator<Item = NodeId>) -> Access {
        let mut access = Access::default();
        for id in self.exprs.below(roots) {
            match self.exprs.node(id) {
                ExprNode::Now(var) => access.now.push(var),
                ExprNode::Next(var) => access.next.push(var),
                _ => {}
            }
        }
        access.now.sort_unstable();
        access.next.sort_unstable();
        access
    }

    /// The conjunctive partitioning of initial condition, transition relation and invariant.
    pub fn conjuncts(&self) -> Vec<Conjunct> {
        let mut found: Vec<Conjunct> = Vec::new();
        found.extend(self.assigns.iter().map(|assign| self.assignment(assign)));
        for constraint in &self.constraints {
            let parts = self.exprs.conjuncts(constraint.node);
            found.extend(parts.into_iter().map(|node| Conjunct {
                section: constraint.section,
                role: Role::Constraint(node),
                writers: vec![constraint.instance],
                access: self.access([node]),
            }));
        }
        let frozen = self.vars.iter().filter(|(_, var)| var.kind == VarKind::Frozen);
        found.extend(frozen.map(|(id, var)| Conjunct {
            section: Section::Trans,
            role: Role::Frame(id),
            writers: vec![var.instance],
            access: Access { now: vec![id], next: vec![id] },
        }));
        found
    }

    fn assignment(&self, assign: &Assign) -> Conjunct {
        let mut access = self.access(self.choices.nodes(assign.choice));
        let (section, assigned) = match assign.when {
            When::Init => (Section::Init, &mut access.now),
            When::Next => (Section::Trans, &mut access.next),
            When::Always => (Section::Invar, &mut access.now),
        };
        if let Err(place) = assigned.binary_search(&assign.var) {
            assigned.insert(place, assign.var);
        }
        let role = Role::Assignment(assign.var, assign.choice);
        Conjunct { section, role, writers: assign.writers.clone(), access }
    }

    /// The variables that an instance and those within it read, and those that they write in a transition.
    pub fn access_of(&self, instance: InstanceId) -> Access {
        let conjuncts = self.conjuncts();
        let of_it = conjuncts.iter().filter(|conjunct| {
            conjunct.writers.iter().any(|&writer| self.is_within(writer, instance))
        });
        let mut sets = [0; 2].map(|_| FixedBitSet::with_capacity(self.vars.len()));
        for conjunct in of_it {
            sets[0].extend(conjunct.access.now.iter().map(|var| var.0 as usize));
            sets[1].extend(conjunct.access.next.iter().map(|var| var.0 as usize));
        }
        let [now, next] = sets.map(|set| set.ones().map(|var| VarId(var as u32)).collect());
        Access { now, next }
    }

    /// Whether an instance is another one or lies within it.
    pub fn is_within(&self, instance: InstanceId, outer: InstanceId) -> bool {
        let mut at = Some(instance);
        while let Some(instance) = at {
            if instance == outer {
                return true;
            }
            at = self.instances[instance].parent;
        }
        false
    }
}
