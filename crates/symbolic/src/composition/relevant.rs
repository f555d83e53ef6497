//! ComputeRelevant (C Fig. 10): in which states the value of each subformula is needed.
//!
//! States are taken along the formula from the outside in, steps being made only where the value is not known.
//! Nested fixpoints make no difference. Steps are made one kind at a time, each from what the others have
//! found by then.

use super::bounds::Bounds;
use crate::scopes::{Scope, Scopes};
use crate::structure::Structure;
use bdd::{Bdd, Stop};
use logic::{Formula, Modality, Node, NodeId, Truth};
use support::IdVec;

/// Result of the search for relevant states.
pub(super) enum Found {
    Scopes(Scopes, Deciding),
    /// The value of the formula, because a state that decides it was found during the search, and the number of states
    /// that were found by then.
    Decided(Truth, f64),
}

/// By subformula: whether one state that falsifies it falsifies the composition, and one that satisfies it satisfies
/// the composition.
pub(super) type Deciding = IdVec<NodeId, [bool; 2]>;

struct Search<'a> {
    structure: &'a mut Structure,
    formula: &'a Formula,
    bounds: &'a Bounds,
    /// RS.
    found: IdVec<NodeId, Bdd>,
    /// Relevant states not yet expanded; for modalities, by disjunct.
    open: IdVec<NodeId, Vec<Bdd>>,
    /// Expanded relevant states, by disjunct.
    done: IdVec<NodeId, Vec<Bdd>>,
    decides: Deciding,
    /// Which kind of steps was made last.
    disjunct: usize,
}

/// The relevant sets of all subformulas, beginning with the initial states.
pub(super) fn compute_relevant(
    structure: &mut Structure,
    formula: &Formula,
    bounds: &Bounds,
) -> Result<Found, Stop> {
    let none = structure.manager.constant(false);
    let kinds = structure.may.parts.len();
    let opens = |(_, node): (NodeId, Node)| match node {
        Node::Modal(..) => vec![none.clone(); kinds],
        _ => vec![none.clone()],
    };
    let open: IdVec<NodeId, Vec<Bdd>> = formula.nodes().map(opens).collect();
    let init = structure.init.clone();
    let decides = deciding(structure, formula);
    let mut search = Search {
        found: formula.nodes().map(|_| none.clone()).collect(),
        done: open.clone(),
        open,
        decides,
        disjunct: 0,
        structure,
        formula,
        bounds,
    };
    search.add(formula.root(), &init)?;
    while let Some((id, kind)) = search.next() {
        search.structure.manager.monitor().step(1).map_err(Stop::Stopped)?;
        search.take_further(id, kind)?;
        if let Some(verdict) = search.verdict()? {
            let mut all = search.structure.manager.constant(false);
            for set in search.found.values() {
                all = search.structure.manager.or(&all, set)?;
            }
            return Ok(Found::Decided(verdict, search.structure.count(&all)));
        }
    }
    let decides = search.decides.clone();
    Ok(Found::Scopes(search.scopes()?, decides))
}

/// The subformulas that decide the formula by one state: those that are reached over conjunctions and boxes only,
/// or over disjunctions and diamonds only if there is one initial state. Steps have to be certain.
fn deciding(structure: &Structure, formula: &Formula) -> Deciding {
    let is_certain = structure.must.is_none() && structure.missing.is_none();
    let is_single = structure.count(&structure.init) == 1.0;
    let at_most = [is_certain, is_certain && is_single];
    let mut decides: Deciding = formula.nodes().map(|_| at_most).collect();
    let mut changed = at_most[0];
    while std::mem::take(&mut changed) {
        for (id, node) in formula.nodes() {
            let (operands, passes) = operands(formula, node);
            for operand in operands.into_iter().flatten() {
                let before = decides[operand];
                for (index, pass) in passes.into_iter().enumerate() {
                    decides[operand][index] &= pass && decides[id][index];
                }
                changed |= decides[operand] != before;
            }
        }
    }
    decides
}

/// Subformulas that a subformula passes its states on to, and whether a false one falsifies it and a true one
/// satisfies it.
fn operands(formula: &Formula, node: Node) -> ([Option<NodeId>; 2], [bool; 2]) {
    match node {
        Node::And(a, b) => ([Some(a), Some(b)], [true, false]),
        Node::Or(a, b) => ([Some(a), Some(b)], [false, true]),
        Node::Modal(modality, actions, body) => {
            let is_any = formula.actions(actions).is_any();
            let is_box = modality == Modality::Box;
            ([Some(body), None], [is_any && is_box, is_any && !is_box])
        }
        Node::Fix(var) | Node::Var(var) => ([Some(formula.var(var).body), None], [true; 2]),
        Node::Const(_) | Node::Lit(..) => ([None; 2], [true; 2]),
    }
}

impl Search<'_> {
    /// Lines 1 to 3.
    fn add(&mut self, id: NodeId, states: &Bdd) -> Result<(), Stop> {
        let manager = &mut self.structure.manager;
        let new = manager.minus(states, &self.found[id])?;
        if new.is_empty() {
            return Ok(());
        }
        self.found[id] = manager.or(&self.found[id], &new)?;
        for open in &mut self.open[id] {
            *open = manager.or(open, &new)?;
        }
        Ok(())
    }

    /// Next subformula to expand, outer ones first and modalities last. A disjunct is applied until it finds
    /// nothing new; then the next one is.
    fn next(&mut self) -> Option<(NodeId, usize)> {
        let is_modal = |id: NodeId| matches!(self.formula.node(id), Node::Modal(..));
        let is_open = |set: &Bdd| !set.is_empty();
        let waiting = self.open.iter().filter(|(_, open)| open.iter().any(is_open));
        let first = waiting.map(|(id, _)| (!is_modal(id), id)).max();
        let (_, id) = first?;
        let kinds = self.open[id].len();
        let mut disjuncts = (0..kinds).map(|offset| (self.disjunct + offset) % kinds);
        let kind = disjuncts.find(|&kind| is_open(&self.open[id][kind]))?;
        if is_modal(id) {
            self.disjunct = kind;
        }
        Some((id, kind))
    }

    /// Lines 4 to 10.
    fn take_further(&mut self, id: NodeId, kind: usize) -> Result<(), Stop> {
        let none = self.structure.manager.constant(false);
        let new = std::mem::replace(&mut self.open[id][kind], none);
        match self.formula.node(id) {
            Node::Const(_) | Node::Lit(..) => Ok(()),
            // fp(Z) has the value of its body.
            Node::Fix(var) | Node::Var(var) => self.add(self.formula.var(var).body, &new),
            Node::And(a, b) | Node::Or(a, b) => {
                let unknown = self.bounds.unknown(id, &new, &mut self.structure.manager)?;
                self.add(a, &unknown)?;
                self.add(b, &unknown)
            }
            Node::Modal(_, _, body) => {
                let there = self.forward(id, kind, &new)?;
                self.add(body, &there)
            }
        }
    }

    /// Propagates by one kind of steps, from where the value is unknown.
    fn forward(&mut self, id: NodeId, kind: usize, new: &Bdd) -> Result<Bdd, Stop> {
        let manager = &mut self.structure.manager;
        let unknown = self.bounds.unknown(id, new, manager)?;
        if unknown.is_empty() {
            return Ok(unknown);
        }
        let old = self.done[id][kind].clone();
        let all = manager.or(&old, &unknown)?;
        self.done[id][kind] = all.clone();
        let from = self.structure.simpler(&unknown, &all, &old)?;
        let Structure { manager, may, states, .. } = &mut *self.structure;
        let there = may.parts[kind].image(&from, manager)?;
        manager.and(&there, states)
    }

    /// The verdict, if something has been come to that decides it.
    fn verdict(&mut self) -> Result<Option<Truth>, Stop> {
        for (id, decides) in self.decides.iter() {
            let known = [&self.bounds.ff[id], &self.bounds.tt[id]];
            for (index, set) in known.into_iter().enumerate() {
                let meets = decides[index] && !set.is_empty() && {
                    !self.structure.manager.and(&self.found[id], set)?.is_empty()
                };
                if meets {
                    return Ok(Some(if index == 0 { Truth::False } else { Truth::True }));
                }
            }
        }
        Ok(None)
    }

    fn scopes(self) -> Result<Scopes, Stop> {
        let manager = &mut self.structure.manager;
        let mut scopes = IdVec::new();
        for (id, care) in self.found.iter() {
            let Bounds { tt, ff } = self.bounds;
            scopes.push(Scope::new(care.clone(), &tt[id], &ff[id], manager)?);
        }
        Ok(Scopes::new(scopes))
    }
}
