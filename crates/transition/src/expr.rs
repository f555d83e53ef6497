//! Expressions: their nodes and their types.

use crate::parts::VarId;
use support::define_id;

define_id!(NodeId, "n");
define_id!(
    /// A position in the user's text that is a run-time error for some values.
    SiteId,
    "site"
);

/// No integer expression may get larger than this, nor smaller than its negation.
pub const LARGEST: i64 = 1 << 61;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Bool,
    /// An integer between these.
    Int {
        low: i64,
        high: i64,
    },
    /// Symbolic constants, integers possibly among them.
    Scalar,
    /// Bits. A value is kept as the number that it stands for, unsigned ones of 64 bits as the bits.
    Word {
        signed: bool,
        width: u8,
    },
}

impl Type {
    pub fn is_int(self) -> bool {
        matches!(self, Type::Int { .. })
    }
}

/// In a machine that has been checked, the operand fits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// Of a truth value, or of each bit of a word.
    Not,
    /// Of an integer, or of a word (then modulo a power of two).
    Neg,
}

/// In a machine that has been checked, both operands are of one type, except where it is said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// Of truth values, or bit by bit.
    And,
    Or,
    Xor,
    /// Of values of any types: integers and symbols may be compared.
    Eq,
    Lt,
    Le,
    Add,
    Sub,
    Mul,
    /// Towards zero; 0 if the divisor is.
    Div,
    /// With the sign of the dividend; the dividend if the divisor is 0.
    Mod,
    /// A word by an integer or a word of any width, at least 0 and at most the width.
    Shl,
    /// A word by an integer or a word likewise; signed words keep their sign.
    Shr,
    /// Words of any widths; unsigned.
    Concat,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprNode {
    Const(i64),
    /// A variable in this state, or an input of this step.
    Now(VarId),
    /// A variable in the next state.
    Next(VarId),
    /// Something went wrong. What needs it has no value either, except where the other operand of
    /// `And`, `Or` or `Ite` decides.
    Fault(SiteId),
    Unary(Unary, NodeId),
    /// A conversion to another type, of as many bits as there are.
    Cast(NodeId),
    /// The bits from this one upwards; the type says how many.
    Extract(NodeId, u8),
    Binary(Binary, NodeId, NodeId),
    Ite(NodeId, NodeId, NodeId),
}

impl ExprNode {
    pub fn operands(self) -> impl Iterator<Item = NodeId> {
        let operands = match self {
            ExprNode::Const(_) | ExprNode::Now(_) | ExprNode::Next(_) | ExprNode::Fault(_) => {
                [None; 3]
            }
            ExprNode::Unary(_, a) | ExprNode::Cast(a) | ExprNode::Extract(a, _) => {
                [Some(a), None, None]
            }
            ExprNode::Binary(_, a, b) => [Some(a), Some(b), None],
            ExprNode::Ite(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}
