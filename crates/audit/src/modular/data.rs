//! Valuations of a program's variables in BDDs, and from where a step leads somewhere.

use bdd::{Bdd, Cube, Manager, Renaming, Stop};
use encode::{EncodedExpr, Encoder, Layout};
use rustc_hash::FxHashMap;
use transition::cfg::{CfgEdge, CfgTarget, Effect};
use transition::{Machine, NodeId, Section, VarId};

/// All sets here are of valuations: patterns of bits that are no values of a variable are in none.
pub(crate) struct Data {
    pub manager: Manager,
    /// All valuations.
    pub all: Bdd,
    machine: Machine,
    layout: Layout,
    known: FxHashMap<NodeId, EncodedExpr>,
    /// By assignment: the new value of the variable beside the old values of all.
    relations: FxHashMap<(VarId, NodeId), Bdd>,
    changes: FxHashMap<VarId, Change>,
}

/// The bits of a variable now and next, for changing it.
#[derive(Clone)]
struct Change {
    now: Cube,
    next: Cube,
    to_next: Renaming,
}

impl Data {
    pub fn new(machine: &Machine, layout: Layout, mut manager: Manager) -> Result<Self, Stop> {
        let mut all = manager.constant(true);
        for var in machine.vars.ids() {
            let valid = layout.valid(machine, var, &mut manager)?;
            all = manager.and(&all, &valid)?;
        }
        let machine = machine.clone();
        let (known, relations, changes) = Default::default();
        Ok(Self { manager, all, machine, layout, known, relations, changes })
    }

    fn encoder(&mut self) -> Encoder<'_> {
        Encoder {
            machine: &self.machine,
            layout: &self.layout,
            manager: &mut self.manager,
            known: &mut self.known,
        }
    }

    /// Where an expression is true.
    pub fn holds(&mut self, node: NodeId) -> Result<Bdd, Stop> {
        let truth = self.encoder().truth(node)?;
        self.manager.and(&truth, &self.all)
    }

    /// The valuations with which the program may start.
    pub fn start(&mut self) -> Result<Bdd, Stop> {
        let constraints = self.machine.constraints.iter();
        let at_start = constraints.filter(|constraint| constraint.section == Section::Init);
        let nodes: Vec<NodeId> = at_start.map(|constraint| constraint.node).collect();
        let mut start = self.all.clone();
        for node in nodes {
            let holds = self.holds(node)?;
            start = self.manager.and(&start, &holds)?;
        }
        Ok(start)
    }

    /// All that is not in it.
    pub fn not(&mut self, set: &Bdd) -> Result<Bdd, Stop> {
        self.manager.minus(&self.all, set)
    }

    /// From where some edge leads to its set, or with `is_all` each edge that can be taken.
    pub fn before<'s>(
        &mut self,
        edges: &[CfgEdge],
        is_all: bool,
        set: impl Fn(CfgTarget) -> &'s Bdd,
    ) -> Result<Bdd, Stop> {
        let mut from = self.manager.constant(false);
        for edge in edges {
            let there = set(edge.to);
            let there = if is_all { self.not(there)? } else { there.clone() };
            let before = self.before_one(edge, there)?;
            from = self.manager.or(&from, &before)?;
        }
        if is_all { self.not(&from) } else { Ok(from) }
    }

    fn before_one(&mut self, edge: &CfgEdge, mut there: Bdd) -> Result<Bdd, Stop> {
        if let Some(after) = edge.after {
            let after = self.holds(after)?;
            there = self.manager.and(&there, &after)?;
        }
        let from = match edge.effect {
            Effect::Nothing | Effect::Fails => there,
            Effect::Any(var) => {
                let change = self.change(var)?;
                self.manager.exists(&there, &change.now)?
            }
            Effect::Set(var, value) => {
                let (change, relation) = (self.change(var)?, self.relation(var, value)?);
                let there = self.manager.rename(&there, change.to_next)?;
                self.manager.and_exists(&there, &relation, &change.next)?
            }
        };
        let guard = match edge.guard {
            Some(guard) => self.holds(guard)?,
            None => self.all.clone(),
        };
        self.manager.and(&from, &guard)
    }

    fn relation(&mut self, var: VarId, value: NodeId) -> Result<Bdd, Stop> {
        if let Some(relation) = self.relations.get(&(var, value)) {
            return Ok(relation.clone());
        }
        let choice = self.machine.one(value);
        let relation = self.encoder().assign(var, true, choice)?.relation;
        self.relations.insert((var, value), relation.clone());
        Ok(relation)
    }

    fn change(&mut self, var: VarId) -> Result<Change, Stop> {
        if let Some(change) = self.changes.get(&var) {
            return Ok(change.clone());
        }
        let bits = self.layout.bits(var);
        let pairs: Vec<_> =
            bits.iter().filter_map(|bit| bit.next.map(|next| (bit.now, next))).collect();
        let now = self.manager.cube(pairs.iter().map(|pair| pair.0))?;
        let next = self.manager.cube(pairs.iter().map(|pair| pair.1))?;
        let change = Change { now, next, to_next: self.manager.renaming(&pairs) };
        self.changes.insert(var, change.clone());
        Ok(change)
    }
}
