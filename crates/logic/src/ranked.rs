//! Fixpoints for systems in which something cannot go down for ever.
//!
//! Suppose that every step of a system is of one of the classes 0, 1, …, 2k. A step of class 2i − 1 makes the i-th of k
//! measures smaller, which are whole numbers and not negative when they get smaller; a step of another class j makes no
//! measure i with 2i − 2 < j larger. Then on a path without end the first class that is taken again and again is even:
//! were it 2i − 1, the i-th measure would go down for ever. So no player has to reach a least fixpoint along a path
//! whose first such class is odd. In the µ-calculus this is a parity condition: µZ.ψ becomes µZ₀.νZ₁.µZ₂.…ψ, where each
//! Z is the Zⱼ of the class of the step just taken. Of such a system the formula says the same as before; of an
//! abstraction of it, which knows nothing of measures, it is decided more often.

use crate::builder::FormulaBuilder;
use crate::copy::Copied;
use crate::formula::{Fix, FixpointVar, Formula, Node, NodeId, Origin, PropId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

impl Formula {
    /// Ranks all fixpoints of one kind for systems in whose states exactly one of these propositions holds: that of the
    /// class of the last step. Ranking least fixpoints makes the formula true more often, ranking greatest ones false
    /// more often.
    #[must_use]
    pub fn ranked(&self, classes: &[PropId], kind: Fix) -> Formula {
        let all = self.rankable(kind).into_iter().map(|var| (var, classes));
        self.ranked_by(&all.collect())
    }

    /// The fixpoints of a kind that can be ranked: those whose variable stands behind one modality each time.
    pub fn rankable(&self, kind: Fix) -> Vec<VarId> {
        let fits = |&(var, of): &(VarId, &FixpointVar)| of.kind == kind && self.can_be_ranked(var);
        self.vars().filter(fits).map(|(var, _)| var).collect()
    }

    /// Ranks each of these fixpoints by classes of its own. On the paths along which a fixpoint is unfolded for ever
    /// its classes must satisfy the conditions above; all other fixpoints stay as they are.
    #[must_use]
    pub fn ranked_by(&self, by: &FxHashMap<VarId, &[PropId]>) -> Formula {
        self.ranked_with_numbers(by, &[]).0
    }

    /// Ranks like [`Formula::ranked_by`], with the nodes that `parts` have become, as far as they are kept.
    pub fn ranked_with_numbers(
        &self,
        by: &FxHashMap<VarId, &[PropId]>,
        parts: &[NodeId],
    ) -> (Formula, Vec<Option<NodeId>>) {
        let mut classes_of: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
        let copy = Copied::new(self, |copy, node, origin| match node {
            Node::Var(var) => {
                let classes = by.get(&var)?;
                let vars = classes_of.entry(var).or_insert_with(|| copy.nested(var, classes.len()));
                Some(last_step(&mut copy.builder, vars, classes))
            }
            Node::Fix(var) => {
                let body = copy.made[self.var(var).body];
                let nest = |body, &var| copy.builder.fix(var, body, origin);
                Some(classes_of.get(&var)?.iter().rev().fold(body, nest))
            }
            _ => None,
        });
        let root = copy.made[self.root()];
        let parts: Vec<NodeId> = parts.iter().map(|&part| copy.made[part]).collect();
        copy.finish_at(root, &parts)
    }

    /// Whether between a fixpoint and its variable there is one modality each time, and no other fixpoint.
    fn can_be_ranked(&self, var: VarId) -> bool {
        let mut seen = FxHashSet::default();
        // Each with whether a modality lies between.
        let mut open = vec![(self.var(var).body, false)];
        while let Some((id, is_behind)) = open.pop() {
            if !seen.insert((id, is_behind)) {
                continue;
            }
            match self.node(id) {
                Node::Var(other) if other == var && !is_behind => return false,
                Node::Modal(_, _, body) if !is_behind => open.push((body, true)),
                Node::Modal(..) | Node::Fix(_) if self.contains(id, var) => return false,
                Node::And(a, b) | Node::Or(a, b) => open.extend([(a, is_behind), (b, is_behind)]),
                _ => {}
            }
        }
        true
    }

    /// Whether a variable occurs in a part of the formula.
    fn contains(&self, part: NodeId, var: VarId) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![part];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.node(id) {
                Node::Var(other) if other == var => return true,
                Node::And(a, b) | Node::Or(a, b) => open.extend([a, b]),
                Node::Modal(_, _, body) => open.push(body),
                Node::Fix(inner) => open.push(self.var(inner).body),
                Node::Const(_) | Node::Lit(..) | Node::Var(_) => {}
            }
        }
        false
    }
}

impl Copied<'_> {
    /// A fixpoint inside of another, of one kind and of the other by turns; the outermost is the one that there is.
    fn nested(&mut self, var: VarId, count: usize) -> Vec<VarId> {
        let FixpointVar { kind, name, .. } = self.of.var(var);
        let kind = |index: usize| if index.is_multiple_of(2) { *kind } else { kind.dual() };
        let inner = (1..count).map(|index| self.builder.fresh_var(kind(index), name));
        std::iter::once(self.vars[var]).chain(inner).collect()
    }
}

/// The variable of the class of the last step.
fn last_step(builder: &mut FormulaBuilder, vars: &[VarId], classes: &[PropId]) -> NodeId {
    let origin = Origin::Structure;
    if let [only] = vars {
        return builder.var(*only, origin);
    }
    let mut any = builder.constant(false, origin);
    for (&var, &class) in vars.iter().zip(classes) {
        let (class, var) = (builder.lit(class, true, origin), builder.var(var, origin));
        let both = builder.and(class, var, origin);
        any = builder.or(any, both, origin);
    }
    any
}
