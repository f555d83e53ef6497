//! Formulas under assumptions (M Def. 2.5): of a part of a system, at whose ends it is known what holds there.
//!
//! Only a modality asks something of another state. So where a step leads out of the part, what stands behind the
//! modality is answered by what is assumed, and nothing is asked of what comes after.

use crate::copy::Copied;
use crate::formula::{Formula, Node, NodeId, Origin, PropId};

/// A formula that has the same value on a part of a system as another has on the system, if the assumptions on the
/// exits of the part are right.
#[derive(Clone, Debug)]
pub struct AssumedFormula {
    pub formula: Formula,
    /// The nodes that the named parts have become; `None` where the formula does not depend on one.
    pub parts: Vec<Option<NodeId>>,
}

impl Formula {
    /// The subformulas that are evaluated in successors, each once, after the formula itself.
    pub fn asked(&self) -> Vec<NodeId> {
        let mut asked = vec![self.representative(self.root())];
        for (_, node) in self.nodes() {
            if let Node::Modal(_, _, body) = node
                && !asked.contains(&self.representative(body))
            {
                asked.push(self.representative(body));
            }
        }
        asked
    }

    /// The formula for a part of a system at whose ends `end` holds, and the n-th of `assumed` if the n-th of what is
    /// [asked](Formula::asked) does.
    #[must_use]
    pub fn under_assumptions(&self, end: PropId, assumed: &[PropId]) -> AssumedFormula {
        let asked = self.asked();
        let copy = Copied::new(self, |Copied { builder, made, .. }, node, origin| {
            let Node::Modal(modality, actions, body) = node else { return None };
            let which = asked.iter().position(|&other| other == self.representative(body))?;
            // What is true or false anyway is so at the ends, too.
            if matches!(self.node(body), Node::Const(_)) {
                return None;
            }
            let plain = Origin::Structure;
            let [is_end, is_inside] = [true, false].map(|value| builder.lit(end, value, plain));
            let is_assumed = builder.lit(assumed[which], true, plain);
            let there = builder.and(is_end, is_assumed, plain);
            let here = builder.and(is_inside, made[body], plain);
            let either = builder.or(there, here, plain);
            Some(builder.modal(modality, self.actions(actions), either, origin))
        });
        let root = copy.made[self.root()];
        let parts: Vec<NodeId> = asked.iter().map(|&part| copy.made[part]).collect();
        let (formula, parts) = copy.finish_at(root, &parts);
        AssumedFormula { formula, parts }
    }
}
