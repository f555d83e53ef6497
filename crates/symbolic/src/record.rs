//! Proof steps recorded while fixpoints are computed.
//!
//! The steps are those of a certificate (see the crate `audit`): a least fixpoint is proved by its approximations, each
//! from those before; a greatest one is assumed, and the steps in its bracket prove that it follows. Only the last
//! iteration of a greatest fixpoint counts, as the earlier ones assume too much.

use crate::fixpoints::Evaluation;
use bdd::{Bdd, Stop};
use logic::{Fix, Formula, Node, NodeId, VarId};
use rustc_hash::FxHashMap;
use support::IdVec;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// These states satisfy the fixpoint of this variable, because of what is known by now.
    Prove(VarId, Bdd),
    /// A bracket for what is assumed of variables of this one's priority.
    Open(VarId),
    /// In the bracket these states are assumed to satisfy the fixpoint of this variable.
    Assume(VarId, Bdd),
    Close,
}

/// The states at which the iteration of a fixpoint may end early.
#[derive(Clone)]
pub(crate) struct EarlyStop {
    pub of: NodeId,
    pub states: Bdd,
    /// Whether all of these states have to satisfy it, or one.
    pub all: bool,
}

pub(crate) struct Record {
    pub steps: Vec<Step>,
    /// By variable, the priorities of the formula that the certificate is about.
    levels: IdVec<VarId, u32>,
    /// The variables whose brackets are open.
    open: Vec<VarId>,
    /// The fixpoints that were proved before the bracket of one around them, and the steps there were then.
    proved: FxHashMap<NodeId, usize>,
    pub enough: Option<EarlyStop>,
}

/// The beginning of an iteration in the log.
pub(crate) struct Mark {
    steps: usize,
    has_opened: bool,
}

impl Record {
    /// `asked` is the formula that is computed, or the one that it is the dual of.
    pub fn new(asked: &Formula) -> Self {
        let levels = asked.vars().map(|(var, _)| asked.priority(var)).collect();
        let proved = FxHashMap::default();
        Self { steps: Vec::new(), levels, open: Vec::new(), proved, enough: None }
    }

    /// Whether a fixpoint stands in the steps already, for the values that its free variables had last.
    pub fn is_proved(&self, id: NodeId) -> bool {
        self.proved.contains_key(&id)
    }

    /// Begins a round of a fixpoint.
    pub fn begin(&mut self, formula: &Formula, var: VarId, value: &Bdd) -> Mark {
        let mut mark = Mark { steps: self.steps.len(), has_opened: false };
        if formula.var(var).kind == Fix::Nu {
            // What is assumed at the same level belongs to the bracket that is open.
            if self.open.last().map(|&outer| self.levels[outer]) != Some(self.levels[var]) {
                self.open.push(var);
                self.steps.push(Step::Open(var));
                mark.has_opened = true;
            }
            self.steps.push(Step::Assume(var, value.clone()));
        }
        mark
    }

    /// Ends a round; `is_last` if it has changed nothing.
    pub fn end(&mut self, formula: &Formula, var: VarId, value: &Bdd, mark: Mark, is_last: bool) {
        if mark.has_opened {
            self.open.pop();
        }
        match formula.var(var).kind {
            Fix::Mu if is_last => {}
            Fix::Mu => self.steps.push(Step::Prove(var, value.clone())),
            Fix::Nu if is_last && mark.has_opened => self.steps.push(Step::Close),
            Fix::Nu if is_last => {}
            Fix::Nu => {
                self.steps.truncate(mark.steps);
                self.proved.retain(|_, steps| *steps <= mark.steps);
            }
        }
    }
}

impl Evaluation<'_> {
    /// Proves fixpoints within a fixpoint before its bracket is opened: those of other blocks, and those of a priority
    /// that the bracket does not admit. By their priority they do not depend on its variable.
    pub(crate) fn prove_inner_fixpoints(&mut self, var: VarId) -> Result<(), Stop> {
        let formula = self.formula;
        let body = formula.var(var).body;
        let own = formula.block_of(body);
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            match formula.node(id) {
                Node::Fix(inner) if formula.block_of(formula.var(inner).body) != own => {
                    self.node(id)?;
                }
                Node::Fix(inner) if self.is_above(inner, var) => {
                    if self.known(id).is_some() {
                        continue;
                    }
                    self.node(id)?;
                    if let Some(record) = &mut self.record {
                        record.proved.insert(id, record.steps.len());
                    }
                }
                Node::Fix(inner) => open.push(formula.var(inner).body),
                Node::And(a, b) | Node::Or(a, b) => open.extend([a, b]),
                Node::Modal(_, _, body) => open.push(body),
                Node::Const(_) | Node::Lit(..) | Node::Var(_) => {}
            }
        }
        Ok(())
    }

    fn is_above(&self, inner: VarId, var: VarId) -> bool {
        self.record.as_ref().is_some_and(|record| record.levels[inner] > record.levels[var])
    }

    pub(crate) fn begin_round(&mut self, var: VarId) -> Option<Mark> {
        let record = self.record.as_mut()?;
        Some(record.begin(self.formula, var, &self.values[var]))
    }

    pub(crate) fn end_round(&mut self, var: VarId, value: &Bdd, mark: Option<Mark>, is_last: bool) {
        if let (Some(record), Some(mark)) = (&mut self.record, mark) {
            record.end(self.formula, var, value, mark, is_last);
        }
    }

    /// Whether the approximation of a fixpoint suffices to stop.
    pub(crate) fn is_enough(&mut self, id: NodeId, value: &Bdd) -> Result<bool, Stop> {
        let Some(record) = &self.record else { return Ok(false) };
        let Some(EarlyStop { of, states, all }) = record.enough.clone() else { return Ok(false) };
        if of != id {
            return Ok(false);
        }
        match all {
            true => self.structure.manager.is_subset(&states, value),
            false => Ok(!self.structure.manager.and(&states, value)?.is_empty()),
        }
    }
}
