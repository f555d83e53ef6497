//! Values between bounds that are few apart: `next(x) > x & next(x) <= x + 2` is a choice of two.

use super::branch::{Branch, Found, Search};
use super::layout::{Slot, constant};
use super::rules::{StepConstraint, needs};
use smt::IntegerValue;
use transition::{Binary, ExprNode, NodeId};

/// More values than this are not listed.
const MOST_BETWEEN: i64 = 8;

/// A bound of a value: at least this, or at most this.
struct Bound {
    is_lower: bool,
    value: IntegerValue,
}

impl Search<'_, '_> {
    /// All that a value can be, if constraints say so; they stay, and rule out what is too much.
    pub(super) fn between(&self, branch: &Branch, slot: Slot) -> Found<Option<Vec<IntegerValue>>> {
        if !self.layout.lists {
            return Ok(None);
        }
        let mut bounds = Vec::new();
        for constraint in &branch.step_constraints {
            bounds.extend(self.bounds_in(branch, slot, constraint)?);
        }
        let of = |is_lower: bool| bounds.iter().filter(move |bound| bound.is_lower == is_lower);
        let pairs = of(true).flat_map(|low| of(false).map(move |high| (&low.value, &high.value)));
        // By how much the second is larger always, if it is the same always.
        let apart =
            pairs.filter_map(|(low, high)| Some((high.minus(low).ok()?.as_constant()?, low)));
        let Some((most, low)) = apart.min_by_key(|(most, _)| *most) else { return Ok(None) };
        if most >= MOST_BETWEEN {
            return Ok(None);
        }
        Ok((0..=most).map(|more| low.plus(&constant(more)).ok()).collect())
    }

    fn bounds_in(
        &self,
        branch: &Branch,
        slot: Slot,
        constraint: &StepConstraint,
    ) -> Found<Vec<Bound>> {
        let StepConstraint { node, positive, span } = *constraint;
        let ExprNode::Binary(op @ (Binary::Lt | Binary::Le | Binary::Eq), a, b) =
            self.machine.exprs.node(node)
        else {
            return Ok(Vec::new());
        };
        let (is_left, other) = match (self.is_slot(a, slot), self.is_slot(b, slot)) {
            (true, false) => (true, b),
            (false, true) => (false, a),
            _ => return Ok(Vec::new()),
        };
        let is_known = |slot: &Slot| branch.values.contains_key(slot);
        if !needs(self.machine, [other]).iter().all(is_known) {
            return Ok(Vec::new());
        }
        let cases = self.evaluate(branch, span, |all| all.cases(other))?;
        let [(_, Some(value))] = &cases[..] else { return Ok(Vec::new()) };
        let bound = |is_lower: bool, more: i64| {
            Some(Bound { is_lower, value: value.plus(&constant(more)).ok()? })
        };
        let bounds = match (op, is_left, positive) {
            (Binary::Eq, _, true) => vec![bound(true, 0), bound(false, 0)],
            (Binary::Lt, true, true) => vec![bound(false, -1)],
            (Binary::Lt, false, true) => vec![bound(true, 1)],
            (Binary::Lt, true, false) => vec![bound(true, 0)],
            (Binary::Lt, false, false) => vec![bound(false, 0)],
            (Binary::Le, true, true) => vec![bound(false, 0)],
            (Binary::Le, false, true) => vec![bound(true, 0)],
            (Binary::Le, true, false) => vec![bound(true, 1)],
            (Binary::Le, false, false) => vec![bound(false, -1)],
            _ => Vec::new(),
        };
        Ok(bounds.into_iter().flatten().collect())
    }

    fn is_slot(&self, node: NodeId, slot: Slot) -> bool {
        match (self.machine.exprs.node(node), slot) {
            (ExprNode::Next(var), Slot::Next(wanted))
            | (ExprNode::Now(var), Slot::Input(wanted)) => var == wanted,
            _ => false,
        }
    }
}
