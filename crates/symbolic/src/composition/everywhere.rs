//! AG over all relevant states without a fixpoint: they are known. Likewise EF, if there is one initial state.

use super::relevant::Deciding;
use crate::fixpoints::Evaluation;
use bdd::{Bdd, Stop};
use logic::{Fix, Modality, Node, NodeId};

impl Evaluation<'_> {
    /// Whether the formula is true in all initial states, where all steps are certain and nothing that was
    /// come to before the relevant states has decided it.
    pub(super) fn holds_in_composition(
        &mut self,
        init: &Bdd,
        decides: &Deciding,
    ) -> Result<bool, Stop> {
        if let Some(parts) = self.asked_of(Modality::Box, decides) {
            for id in parts {
                let value = self.node(id)?;
                let care = self.scopes.care(id).clone();
                if !self.structure.manager.is_subset(&care, &value)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if self.structure.count(init) == 1.0
            && let Some(parts) = self.asked_of(Modality::Dia, decides)
        {
            for id in parts {
                if !self.node(id)?.is_empty() {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let value = self.node(self.formula.root())?;
        self.structure.manager.is_subset(init, &value)
    }

    /// The closed subformulas that have to be true in all states that are come to over conjunctions, boxes and
    /// greatest fixpoints; or in some over the duals. `None` if there are none but the formula itself, if one
    /// is not closed, or if one is asked for otherwise too and so perhaps of other states.
    fn asked_of(&self, modality: Modality, decides: &Deciding) -> Option<Vec<NodeId>> {
        let index = usize::from(modality == Modality::Dia);
        let formula = self.formula;
        let kind = if modality == Modality::Box { Fix::Nu } else { Fix::Mu };
        let mut parts = Vec::new();
        let mut seen = Vec::new();
        let mut open = vec![formula.root()];
        while let Some(id) = open.pop() {
            if !decides[id][index] {
                return None;
            }
            match (formula.node(id), modality) {
                (Node::And(a, b), Modality::Box) | (Node::Or(a, b), Modality::Dia) => {
                    open.extend([b, a]);
                }
                (Node::Modal(of, actions, body), _)
                    if of == modality && formula.actions(actions).is_any() =>
                {
                    open.push(body);
                }
                (Node::Fix(var), _) if formula.var(var).kind == kind => {
                    seen.push(var);
                    open.push(formula.var(var).body);
                }
                (Node::Var(var), _) if seen.contains(&var) => {}
                _ => parts.push(id),
            }
        }
        let is_closed = parts.iter().all(|&id| self.is_without_variables(id));
        (is_closed && !seen.is_empty()).then_some(parts)
    }
}
