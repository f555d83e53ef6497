//! The value of an expression for given values of variables: the plain way, for what is asked rarely.

use crate::expr::{Binary, ExprNode, NodeId, SiteId, Type};
use crate::exprs::Exprs;
use crate::parts::{Machine, VarId};
use crate::semantics;
use rustc_hash::FxHashMap;

/// More ways to give values to variables than this are not tried.
const MOST_VALUATIONS: u128 = 1 << 12;

/// The value, or the site that it is missing for.
pub(crate) type Outcome = Result<i64, SiteId>;

impl Exprs {
    /// The value of an expression, given those of the variables ([`ExprNode::Now`] and [`ExprNode::Next`]).
    pub fn evaluate(&self, root: NodeId, leaf: impl Fn(ExprNode) -> i64) -> Result<i64, SiteId> {
        self.evaluate_all(&self.below([root]), leaf).remove(&root).unwrap_or(Ok(0))
    }

    fn evaluate_all(
        &self,
        nodes: &[NodeId],
        leaf: impl Fn(ExprNode) -> i64,
    ) -> FxHashMap<NodeId, Outcome> {
        let mut values: FxHashMap<NodeId, Outcome> = FxHashMap::default();
        for &id in nodes {
            let mut operands = [Ok(0); 3];
            for (place, operand) in operands.iter_mut().zip(self.node(id).operands()) {
                *place = values[&operand];
            }
            let value = match self.node(id) {
                ExprNode::Const(value) => Ok(value),
                node @ (ExprNode::Now(_) | ExprNode::Next(_)) => Ok(leaf(node)),
                _ => self.apply(id, operands),
            };
            values.insert(id, value);
        }
        values
    }

    /// An operator on its operands. Where some are missing, one that decides alone is enough.
    pub fn apply(&self, id: NodeId, [a, b, c]: [Result<i64, SiteId>; 3]) -> Result<i64, SiteId> {
        let ty = self.ty(id);
        let is_bool = ty == Type::Bool;
        match self.node(id) {
            ExprNode::Fault(site) => Err(site),
            ExprNode::Binary(Binary::And, ..) if is_bool && (a == Ok(0) || b == Ok(0)) => Ok(0),
            ExprNode::Binary(Binary::Or, ..) if is_bool && (a == Ok(1) || b == Ok(1)) => Ok(1),
            ExprNode::Binary(op, x, y) => {
                Ok(semantics::binary(op, ty, (self.ty(x), a?), (self.ty(y), b?)))
            }
            ExprNode::Unary(op, _) => Ok(semantics::unary(op, ty, a?)),
            ExprNode::Cast(_) => Ok(semantics::cast(ty, a?)),
            ExprNode::Extract(_, low) => Ok(semantics::extract(ty, a?, low)),
            ExprNode::Ite(..) => match a {
                Ok(0) => c,
                Ok(_) => b,
                Err(_) if b == c => b,
                Err(site) => Err(site),
            },
            ExprNode::Const(_) | ExprNode::Now(_) | ExprNode::Next(_) => a,
        }
    }
}

impl Machine {
    /// Whether a condition is false for all values of the variables; `false` also if there are too many
    /// to try.
    pub fn is_never(&self, condition: NodeId) -> bool {
        self.is_never_in(condition, MOST_VALUATIONS)
    }

    /// Decides likewise, if the variables that it reads have at most so many valuations.
    pub fn is_never_in(&self, condition: NodeId, most: u128) -> bool {
        if let Some(value) = self.exprs.as_constant(condition) {
            return value == 0;
        }
        let access = self.access([condition]);
        let now = access.now.iter().map(|&var| ExprNode::Now(var));
        let leaves: Vec<ExprNode> =
            now.chain(access.next.iter().map(|&var| ExprNode::Next(var))).collect();
        let domain = |leaf: &ExprNode| &self.vars[var_of(*leaf)].domain;
        let valuations = leaves.iter().try_fold(1, |valuations: u128, leaf| {
            valuations.checked_mul(domain(leaf).size()).filter(|&valuations| valuations <= most)
        });
        let Some(valuations) = valuations else { return false };
        let nodes = self.exprs.below([condition]);
        (0..valuations).all(|number| {
            let mut rest = number;
            let mut values: FxHashMap<ExprNode, i64> = FxHashMap::default();
            for leaf in &leaves {
                let size = domain(leaf).size();
                values.insert(*leaf, domain(leaf).value((rest % size) as u64));
                rest /= size;
            }
            self.exprs.evaluate_all(&nodes, |leaf| values[&leaf])[&condition] == Ok(0)
        })
    }
}

fn var_of(leaf: ExprNode) -> VarId {
    match leaf {
        ExprNode::Now(var) | ExprNode::Next(var) => var,
        _ => VarId(0),
    }
}
