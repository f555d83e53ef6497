//! A formula as a list of its subformulas, as certificates have it.

use crate::actions::ActionSet;
use crate::blocks::{Blocks, free_vars};
use crate::formula::{ActionSetId, Fix, FixpointVar, Formula, Node, NodeId, Origin, VarId};
use crate::surface::Logic;
use support::IdVec;

/// Subformulas, operands before what is built of them; the last one is the formula.
#[derive(Clone, Default, Debug)]
pub struct ListedFormula {
    pub nodes: IdVec<NodeId, Node>,
    /// By variable, once its fixpoint is listed: its kind and its body.
    pub fixpoints: IdVec<VarId, Option<(Fix, NodeId)>>,
    pub actions: IdVec<ActionSetId, ActionSet>,
}

impl ListedFormula {
    /// The formula; `None` if the list is none: an operand does not stand before its use, a variable has no fixpoint
    /// around it or stands twice, a subformula is not used, or operators are nested more than `most` deep.
    pub fn formula(self, logic: Logic, source: &str, most: u32) -> Option<Formula> {
        let Self { nodes, fixpoints, actions } = self;
        let bound = fixpoints.values().copied();
        let mut vars: IdVec<VarId, FixpointVar> = bound
            .map(|fixpoint| {
                let (kind, body) = fixpoint?;
                Some(FixpointVar { kind, body, node: None, name: String::new() })
            })
            .collect::<Option<_>>()?;
        let mut depth: IdVec<NodeId, u32> = IdVec::new();
        let mut is_used: IdVec<NodeId, bool> = nodes.iter().map(|_| false).collect();
        let mut binders = 0;
        for (id, node) in nodes.iter() {
            let operands = match *node {
                Node::Const(_) | Node::Lit(..) => [None; 2],
                Node::And(a, b) | Node::Or(a, b) => [Some(a), Some(b)],
                Node::Modal(_, set, body) => {
                    (set.0 < actions.len() as u32).then_some(())?;
                    [Some(body), None]
                }
                Node::Fix(var) => {
                    binders += 1;
                    (var.0 < vars.len() as u32).then_some(())?;
                    [Some(vars[var].body), None]
                }
                Node::Var(var) => {
                    (var.0 < vars.len() as u32).then_some(())?;
                    vars[var].node.replace(id).is_none().then_some(())?;
                    [None; 2]
                }
            };
            let mut deepest = 0;
            for operand in operands.into_iter().flatten() {
                (operand < id).then_some(())?;
                is_used[operand] = true;
                deepest = deepest.max(depth[operand] + 1);
            }
            depth.push((deepest <= most).then_some(deepest)?);
        }
        // Each variable has an entry, so that none is bound twice.
        (binders == vars.len()).then_some(())?;
        let root = NodeId((nodes.len() as u32).checked_sub(1)?);
        let others = is_used.iter().filter(|(id, _)| *id != root);
        others.into_iter().all(|(_, &used)| used).then_some(())?;
        free_vars(&nodes, &vars)[root].is_empty().then_some(())?;
        let origins = nodes.iter().map(|_| Origin::Structure).collect();
        let blocks = Blocks::new(&nodes, &vars);
        let (source, text, conditions) = (source.to_owned(), source.into(), Vec::new());
        let formula = Formula {
            logic,
            nodes,
            origins,
            vars,
            actions,
            root,
            source,
            text,
            conditions,
            blocks,
        };
        Some(formula)
    }
}
