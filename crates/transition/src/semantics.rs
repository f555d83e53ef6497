//! The semantics of the operators, on values.
//!
//! A truth value is 0 or 1. A word is the number that it stands for, with the sign if it is signed;
//! an unsigned one of 64 bits is its bits. Everything is total: what has no value in SMV is kept away
//! by [`ExprNode::Fault`](crate::ExprNode::Fault).

use crate::domain::low_bits;
use crate::expr::{Binary, Type, Unary};

/// The value of the type that has the low bits of this number.
#[inline]
pub fn cast(ty: Type, value: i64) -> i64 {
    match ty {
        Type::Word { signed: false, width } => (value as u64 & low_bits(width)) as i64,
        Type::Word { signed: true, width } => {
            let unused = 64 - u32::from(width);
            value.wrapping_shl(unused) >> unused.min(63)
        }
        Type::Bool => value & 1,
        Type::Int { .. } | Type::Scalar => value,
    }
}

/// As many bits as the type has, from bit `low` upwards.
pub fn extract(ty: Type, value: i64, low: u8) -> i64 {
    cast(ty, (value as u64).wrapping_shr(u32::from(low)) as i64)
}

pub fn unary(op: Unary, ty: Type, value: i64) -> i64 {
    match op {
        Unary::Not => cast(ty, !value),
        Unary::Neg => cast(ty, value.wrapping_neg()),
    }
}

/// `ty` is the type of the result, `of` that of the first operand, `with` that of the second.
pub fn binary(op: Binary, ty: Type, (of, a): (Type, i64), (with, b): (Type, i64)) -> i64 {
    let is_unsigned = matches!(of, Type::Word { signed: false, .. });
    match op {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Eq => i64::from(a == b),
        Binary::Lt if is_unsigned => i64::from((a as u64) < b as u64),
        Binary::Lt => i64::from(a < b),
        Binary::Le if is_unsigned => i64::from(a as u64 <= b as u64),
        Binary::Le => i64::from(a <= b),
        Binary::Add => cast(ty, a.wrapping_add(b)),
        Binary::Sub => cast(ty, a.wrapping_sub(b)),
        Binary::Mul => cast(ty, a.wrapping_mul(b)),
        Binary::Div | Binary::Mod if b == 0 => {
            if op == Binary::Div {
                0
            } else {
                a
            }
        }
        Binary::Div if is_unsigned => (a as u64 / b as u64) as i64,
        Binary::Div => cast(ty, a.wrapping_div(b)),
        Binary::Mod if is_unsigned => (a as u64 % b as u64) as i64,
        Binary::Mod => a.wrapping_rem(b),
        Binary::Shl => shift_left(ty, a, distance(with, b)),
        Binary::Shr => shift_right(ty, a, distance(with, b)),
        Binary::Concat => {
            let width = if let Type::Word { width, .. } = with { width } else { 0 };
            cast(ty, shift_left(ty, a, u64::from(width)) | cast(unsigned(width), b))
        }
    }
}

fn unsigned(width: u8) -> Type {
    Type::Word { signed: false, width }
}

/// How far to shift: a word counts as the number that it stands for.
fn distance(with: Type, value: i64) -> u64 {
    match with {
        Type::Word { signed: false, .. } => value as u64,
        _ => value.max(0) as u64,
    }
}

fn shift_left(ty: Type, value: i64, by: u64) -> i64 {
    if by > 63 { 0 } else { cast(ty, value << by) }
}

fn shift_right(ty: Type, value: i64, by: u64) -> i64 {
    match ty {
        Type::Word { signed: true, .. } => value >> by.min(63),
        _ if by > 63 => 0,
        _ => (value as u64 >> by) as i64,
    }
}
