//! Where an expression has a value, as an expression that always has one.

use crate::expr::NodeId;

/// An expression taken apart: where it has a value, and the value there. Neither can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Total {
    pub defined: NodeId,
    /// Anything of its type where it is not defined.
    pub value: NodeId,
}
