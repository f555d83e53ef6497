//! Positions that are known, and whether others follow from them.

use super::sets::Sets;
use crate::error::AuditError;
use crate::format::KEEP;
use crate::proof::{Positions, ProofFailure};
use crate::read::Reader;
use bdd::{Bdd, Manager, Stop};
use fixedbitset::FixedBitSet;
use logic::{ActionSet, ActionSetId, Formula, Modality, Node, NodeId, PropId};
use rustc_hash::FxHashMap;
use std::io::Read;

/// A system in BDDs, as far as proofs look at it.
pub(crate) trait SymbolicSystem {
    fn manager(&mut self) -> &mut Manager;

    /// The valuations that are states.
    fn states(&self) -> Bdd;

    /// Where a proposition certainly has this value.
    fn label(&self, prop: PropId, value: bool) -> Bdd;

    /// From where a step by these actions leads there: one that must be possible, or one that may be.
    fn before(&mut self, there: &Bdd, by: &ActionSet, is_must: bool) -> Result<Bdd, AuditError>;

    /// Why a set is not an inductive invariant without run-time errors, if it is none.
    fn leak(&mut self, set: &Bdd) -> Result<Option<&'static str>, Stop>;
}

pub(crate) struct Known<'a, S> {
    pub formula: &'a Formula,
    pub system: S,
    nodes: Sets,
    /// The player that is claimed to win: the verifier if true.
    verdict: bool,
    /// Whether it is proved that all expressions have values.
    pub is_kept: bool,
    /// By variable of the formula: the states in which it is known.
    sets: FxHashMap<NodeId, Bdd>,
    /// By modality: what it was asked last, and from where a step leads there.
    asked: FxHashMap<NodeId, (Bdd, Bdd)>,
    /// Subformulas of several others, so that looking into each of these again would take exponential time.
    is_shared: FixedBitSet,
    /// By shared subformula: where it is won, by what is known now.
    won: FxHashMap<NodeId, Bdd>,
}

impl<'a, S: SymbolicSystem> Known<'a, S> {
    pub fn new(system: S, nodes: Sets, formula: &'a Formula, verdict: bool) -> Self {
        let (sets, asked, won) = Default::default();
        let is_shared = shared(formula);
        Self { formula, system, nodes, verdict, is_kept: false, sets, asked, is_shared, won }
    }

    fn of(&mut self, node: NodeId) -> Bdd {
        let representative = self.formula.representative(node);
        let known = self.sets.get(&representative).cloned();
        known.unwrap_or(self.system.manager().constant(false))
    }

    /// Those of some states in which a subformula is won, by what is known.
    pub fn within(&mut self, id: NodeId, among: &Bdd) -> Result<Bdd, AuditError> {
        if !self.is_shared.contains(id.0 as usize) {
            return self.won_among(id, among);
        }
        let won = match self.won.get(&id) {
            Some(won) => won.clone(),
            None => {
                let everywhere = self.system.manager().constant(true);
                let won = self.won_among(id, &everywhere)?;
                self.won.insert(id, won.clone());
                won
            }
        };
        Ok(self.system.manager().and(&won, among)?)
    }

    /// Condition 2.
    fn won_among(&mut self, id: NodeId, among: &Bdd) -> Result<Bdd, AuditError> {
        let (ours, theirs) = (self.verdict, !self.verdict);
        Ok(match self.formula.node(id) {
            Node::Const(value) if value == ours => among.clone(),
            Node::Const(_) => self.system.manager().constant(false),
            Node::Lit(prop, is_positive) => {
                let right = self.system.label(prop, is_positive == ours);
                self.system.manager().and(&right, among)?
            }
            Node::And(a, b) => self.both(a, b, theirs, among)?,
            Node::Or(a, b) => self.both(a, b, ours, among)?,
            Node::Modal(modality, actions, body) => {
                self.modal(id, (modality == Modality::Dia) == ours, actions, body, among)?
            }
            // A fixpoint whose variable does not occur is its body.
            Node::Fix(var) if self.formula.var(var).node.is_none() => {
                self.within(self.formula.var(var).body, among)?
            }
            Node::Fix(_) | Node::Var(_) => {
                let known = self.of(id);
                self.system.manager().and(&known, among)?
            }
        })
    }

    fn both(
        &mut self,
        a: NodeId,
        b: NodeId,
        is_choice: bool,
        among: &Bdd,
    ) -> Result<Bdd, AuditError> {
        let a = self.within(a, among)?;
        if is_choice {
            let b = self.within(b, among)?;
            return Ok(self.system.manager().or(&a, &b)?);
        }
        self.within(b, &a)
    }

    fn modal(
        &mut self,
        id: NodeId,
        is_choice: bool,
        actions: ActionSetId,
        body: NodeId,
        among: &Bdd,
    ) -> Result<Bdd, AuditError> {
        let states = self.system.states();
        let won = self.within(body, &states)?;
        let by = self.formula.actions(actions);
        if is_choice {
            let from = self.before(id, &won, by, true)?;
            return Ok(self.system.manager().and(&from, among)?);
        }
        let others = self.system.manager().minus(&states, &won)?;
        let from = self.before(id, &others, by, false)?;
        Ok(self.system.manager().minus(among, &from)?)
    }

    /// From where a step leads there; of what has grown, only what is new is asked.
    fn before(
        &mut self,
        id: NodeId,
        there: &Bdd,
        by: &ActionSet,
        is_must: bool,
    ) -> Result<Bdd, AuditError> {
        let manager = self.system.manager();
        let (mut asked, mut known) = (there.clone(), manager.constant(false));
        if let Some((old, found)) = self.asked.get(&id)
            && manager.is_subset(old, there)?
        {
            (asked, known) = (manager.minus(there, old)?, found.clone());
        }
        let new = self.system.before(&asked, by, is_must)?;
        let found = self.system.manager().or(&known, &new)?;
        self.asked.insert(id, (there.clone(), found.clone()));
        Ok(found)
    }
}

impl<S: SymbolicSystem> Positions for Known<'_, S> {
    type States = Bdd;

    /// Valuations that are no states do not count: no step leads there.
    fn read<R: Read>(
        &mut self,
        reader: &mut Reader<R>,
        mut visit: impl FnMut(&mut Self, Bdd) -> Result<(), ProofFailure>,
    ) -> Result<u64, ProofFailure> {
        let states = self.system.states();
        let set = self.nodes.read(reader, self.system.manager())?;
        let set = self.system.manager().and(&set, &states)?;
        visit(self, set).map(|()| 1)
    }

    fn new_in(&mut self, node: NodeId, set: &Bdd) -> Result<Bdd, ProofFailure> {
        let known = self.of(node);
        Ok(self.system.manager().minus(set, &known)?)
    }

    fn add(&mut self, node: NodeId, set: &Bdd) -> Result<(), ProofFailure> {
        let known = self.of(node);
        let all = self.system.manager().or(&known, set)?;
        self.sets.insert(node, all);
        self.won.clear();
        Ok(())
    }

    fn follow(&mut self, node: NodeId, set: &Bdd) -> Result<(), ProofFailure> {
        if self.within(self.formula.definition(node), set)? == *set {
            return Ok(());
        }
        let (name, value) = (self.formula.show(node), self.verdict);
        Err(format!("it does not follow everywhere that `{name}` is {value}").into())
    }

    fn names(&self, node: NodeId) -> Result<(), ProofFailure> {
        match self.formula.node(node) {
            Node::Var(_) => Ok(()),
            _ => Err(format!("`{}` is no variable", self.formula.show(node)).into()),
        }
    }

    fn extra<R: Read>(&mut self, kind: u64, reader: &mut Reader<R>) -> Result<bool, ProofFailure> {
        if kind == KEEP {
            let set = self.nodes.read(reader, self.system.manager())?;
            if let Some(leak) = self.system.leak(&set)? {
                return Err(leak.to_owned().into());
            }
            self.is_kept = true;
        }
        Ok(kind == KEEP)
    }
}

/// The subformulas that are operands of several others and have operands themselves.
fn shared(formula: &Formula) -> FixedBitSet {
    let [mut seen, mut shared] = [(); 2].map(|()| FixedBitSet::with_capacity(formula.len()));
    for (_, node) in formula.nodes() {
        let operands = match node {
            Node::And(a, b) | Node::Or(a, b) => vec![a, b],
            Node::Modal(_, _, body) => vec![body],
            Node::Const(_) | Node::Lit(..) | Node::Fix(_) | Node::Var(_) => vec![],
        };
        for id in operands {
            let is_inner =
                matches!(formula.node(id), Node::And(..) | Node::Or(..) | Node::Modal(..));
            if seen.put(id.0 as usize) && is_inner {
                shared.insert(id.0 as usize);
            }
        }
    }
    shared
}
