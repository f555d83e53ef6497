//! From sets of states to a verdict on the initial ones.
//!
//! `AG f` needs no fixpoint, since the reachable states are known; nor does `EF f` where there is one initial state.

use crate::fixpoints::{Evaluation, Side};
use crate::known::SolvedFixpoints;
use crate::structure::{MissingStart, Structure};
use bdd::{Bdd, Stop};
use logic::{Fix, Formula, Modality, Node, NodeId, Truth, VarId};

/// Whether all initial states satisfy the formula, or some certainly does not. `reached` are the states
/// that can be reached. Fixpoints that refute it are noted.
pub(crate) fn verdict(
    structure: &mut Structure,
    formula: &Formula,
    reached: &Bdd,
    solved: &mut SolvedFixpoints,
) -> Result<Truth, Stop> {
    if holds(structure, formula, reached, Side::Pessimist, solved)? {
        return Ok(Truth::True);
    }
    let is_false = match structure.missing {
        Some(_) => {
            let mut evaluation = Evaluation::new(structure, formula, Side::Optimist, reached)?;
            let possible = evaluation.node(formula.root())?;
            structure.fails(&possible)?
        }
        None if structure.must.is_none() => true,
        None => {
            let mut unused = SolvedFixpoints::default();
            !holds(structure, formula, reached, Side::Optimist, &mut unused)?
        }
    };
    Ok(if is_false { Truth::False } else { Truth::Unknown })
}

impl Structure {
    /// Whether some initial state is not among the possible ones, whichever one the missing parts have.
    pub(crate) fn fails(&mut self, possible: &Bdd) -> Result<bool, Stop> {
        let Structure { manager, init, missing, .. } = self;
        let Some(MissingStart { known, init }) = missing else {
            return Ok(!manager.is_subset(init, possible)?);
        };
        let falsifying = manager.minus(init, possible)?;
        let [falsifying, all] = [manager.exists(&falsifying, known)?, manager.exists(init, known)?];
        Ok(falsifying == all && !all.is_empty())
    }
}

/// Whether it is true in all initial states, for one side.
fn holds(
    structure: &mut Structure,
    formula: &Formula,
    reached: &Bdd,
    side: Side,
    solved: &mut SolvedFixpoints,
) -> Result<bool, Stop> {
    let mut evaluation = Evaluation::new(structure, formula, side, reached)?;
    let mut open = vec![formula.root()];
    while let Some(id) = open.pop() {
        if let Node::And(a, b) = formula.node(id) {
            open.extend([b, a]);
        } else if !evaluation.holds_initially(id)? {
            solved.note(&evaluation);
            return Ok(false);
        }
    }
    Ok(true)
}

impl Evaluation<'_> {
    fn holds_initially(&mut self, id: NodeId) -> Result<bool, Stop> {
        // The states that can be reached are those of may steps.
        let is_of_may_steps = |modality: Modality, side: Side| {
            (modality == Modality::Box) == (side == Side::Pessimist)
        };
        match self.everywhere_or_somewhere(id) {
            Some((Modality::Box, of))
                if self.structure.must.is_none() || is_of_may_steps(Modality::Box, self.side) =>
            {
                let set = self.node(of)?;
                Ok(set == *self.care)
            }
            Some((Modality::Dia, of))
                if self.has_one_initial_state()
                    && (self.structure.must.is_none()
                        || is_of_may_steps(Modality::Dia, self.side)) =>
            {
                Ok(!self.node(of)?.is_empty())
            }
            _ => {
                let set = self.node(id)?;
                let init = self.structure.init.clone();
                self.structure.manager.is_subset(&init, &set)
            }
        }
    }

    fn has_one_initial_state(&self) -> bool {
        self.structure.count(&self.structure.init) == 1.0
    }

    /// `f` of `nu Z. f & [] Z` or `mu Z. f | <> Z`.
    pub(crate) fn everywhere_or_somewhere(&self, id: NodeId) -> Option<(Modality, NodeId)> {
        let Node::Fix(var) = self.formula.node(id) else { return None };
        let (kind, body) = (self.formula.var(var).kind, self.formula.var(var).body);
        let (modality, parts) = match (kind, self.formula.node(body)) {
            (Fix::Nu, Node::And(a, b)) => (Modality::Box, [(a, b), (b, a)]),
            (Fix::Mu, Node::Or(a, b)) => (Modality::Dia, [(a, b), (b, a)]),
            _ => return None,
        };
        let (of, _) = parts.into_iter().find(|&(of, step)| {
            self.is_step_to(step, modality, var) && self.is_without_variables(of)
        })?;
        Some((modality, of))
    }

    fn is_step_to(&self, id: NodeId, modality: Modality, var: VarId) -> bool {
        match self.formula.node(id) {
            Node::Modal(of, actions, body) => {
                of == modality
                    && self.formula.actions(actions).is_any()
                    && self.formula.node(body) == Node::Var(var)
            }
            _ => false,
        }
    }
}
