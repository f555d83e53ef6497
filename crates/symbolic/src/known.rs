//! Knowledge that a check leaves for the evidence of its verdict: the layers of the reachable states, from which a path
//! to a state is read backwards, and the greatest fixpoints that it has computed.

use crate::fixpoints::Evaluation;
use bdd::Bdd;
use logic::{Fix, Formula, Node, NodeId, Origin};
use rustc_hash::FxHashMap;
use support::Span;

/// The results of fixpoints by the expressions of the user's that they are the meaning of: formulas that are compiled
/// with more or with fewer simplifications share them. Whether the expression is negated is a part of the key.
#[derive(Default)]
pub(crate) struct SolvedFixpoints(FxHashMap<(Span, bool), Bdd>);

impl SolvedFixpoints {
    /// Keeps the closed fixpoints of an evaluation, of which none was stopped early.
    pub fn note(&mut self, evaluation: &Evaluation) {
        for (id, key) in keys(evaluation.formula, evaluation) {
            if let Some(set) = evaluation.known(id) {
                self.0.insert(key, set);
            }
        }
    }

    /// The known results of the fixpoints of a formula.
    fn of(&self, formula: &Formula, evaluation: &Evaluation) -> Vec<(NodeId, Bdd)> {
        let known = |(id, key): (NodeId, (Span, bool))| Some((id, self.0.get(&key)?.clone()));
        keys(formula, evaluation).into_iter().filter_map(known).collect()
    }
}

/// The closed fixpoints that are the only one of their expression. `formula` has the origins.
fn keys(formula: &Formula, evaluation: &Evaluation) -> Vec<(NodeId, (Span, bool))> {
    let mut found: Vec<(NodeId, (Span, bool))> = Vec::new();
    for (id, node) in formula.nodes() {
        if matches!(node, Node::Fix(_))
            && evaluation.is_without_variables(id)
            && let Origin::Source { span, negated } = formula.origin(id)
        {
            found.push((id, (span, negated)));
        }
    }
    let count = |key: &(Span, bool)| found.iter().filter(|(_, other)| other == key).count();
    found.iter().filter(|(_, key)| count(key) == 1).copied().collect()
}

/// The knowledge that the proof of a verdict may start from.
#[derive(Default)]
pub(crate) struct KnownSets<'a> {
    /// The layers of the reachable states, if they were kept.
    pub layers: &'a [Bdd],
    pub solved: Option<&'a SolvedFixpoints>,
}

impl Evaluation<'_> {
    /// Starts greatest fixpoints from their results, so that one round confirms them. `asked` is the formula that is
    /// evaluated, or the one that it is the dual of.
    pub(crate) fn start_from_solved(
        &mut self,
        solved: &SolvedFixpoints,
        asked: &Formula,
        is_dual: bool,
    ) -> Result<(), bdd::Stop> {
        for (id, set) in solved.of(asked, self) {
            let Node::Fix(var) = self.formula.node(id) else { continue };
            if self.formula.var(var).kind == Fix::Nu {
                let set = match is_dual {
                    true => self.structure.manager.minus(self.care, &set)?,
                    false => set,
                };
                self.begin_at(var, set);
            }
        }
        Ok(())
    }
}
