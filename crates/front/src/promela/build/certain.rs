//! Run-time errors that an expression of a formula certainly has.
//!
//! A process that divides by zero reaches an error state. No process executes a formula, so it is rejected.

use super::super::ast::{Expr as Ast, ExprKind, Pattern, Reference};
use super::super::program::{ExprId, PromelaBinary, PromelaExpr};
use super::Builder;
use super::references::Found;
use crate::sink::{Parsed, Reported};
use support::Span;

impl<'a> Builder<'_, 'a> {
    /// An expression of a formula.
    pub(in crate::promela) fn proposition(&mut self, ast: &Ast<'a>) -> Parsed<ExprId> {
        let expr = self.expr(ast)?;
        self.certain(ast)?;
        Ok(expr)
    }

    /// The value, if it is the same in all states. What is not computed in any state may be wrong.
    fn certain(&mut self, ast: &Ast<'a>) -> Parsed<Option<i32>> {
        match &ast.kind {
            ExprKind::Reference(reference) | ExprKind::Remote { var: reference, .. } => {
                self.certain_index(reference)?;
                let value = self.expr(ast)?;
                self.certain_value(value, ast.span)
            }
            ExprKind::Unary(operator, a) => Ok(self.certain(a)?.map(|a| operator.apply(a))),
            ExprKind::Binary(operator, a, b) => self.certain_binary(*operator, a, b),
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                match self.certain(condition)? {
                    Some(0) => self.certain(otherwise),
                    Some(_) => self.certain(then),
                    None => self.certain(then).and(self.certain(otherwise)).map(|_| None),
                }
            }
            ExprKind::Channel(_, channel) => self.certain_channel(channel),
            ExprKind::Poll(channel, patterns, _) => {
                for pattern in patterns {
                    if let Pattern::Value(value) = pattern {
                        self.certain(value)?;
                    }
                }
                self.certain_channel(channel)
            }
            ExprKind::At { pid: Some(pid), .. } => self.certain(pid).map(|_| None),
            ExprKind::Number(value) => Ok(Some(*value)),
            ExprKind::At { pid: None, .. }
            | ExprKind::Run { .. }
            | ExprKind::Timeout
            | ExprKind::Pid
            | ExprKind::Count
            | ExprKind::Priority(_)
            | ExprKind::Unsupported(_) => Ok(None),
        }
    }

    fn certain_binary(
        &mut self,
        operator: PromelaBinary,
        a: &Ast<'a>,
        b: &Ast<'a>,
    ) -> Parsed<Option<i32>> {
        let left = self.certain(a)?;
        match (operator, left) {
            (PromelaBinary::And, Some(0)) => return Ok(Some(0)),
            (PromelaBinary::Or, Some(value)) if value != 0 => return Ok(Some(1)),
            _ => {}
        }
        let right = self.certain(b)?;
        if matches!((operator, right), (PromelaBinary::Div | PromelaBinary::Mod, Some(0))) {
            return Err(self.error(b.span, "a division by zero", "this is always 0"));
        }
        Ok(left.zip(right).and_then(|(a, b)| operator.apply(a, b)))
    }

    /// The error within the index.
    fn certain_index(&mut self, reference: &Reference<'a>) -> Parsed<()> {
        if let Some(index) = &reference.index {
            self.certain(index)?;
        }
        match &reference.field {
            Some(field) => self.certain_index(field),
            None => Ok(()),
        }
    }

    fn certain_value(&mut self, value: ExprId, span: Span) -> Parsed<Option<i32>> {
        match self.program.exprs[value] {
            PromelaExpr::Const(value) => Ok(Some(value)),
            PromelaExpr::Element(array, index) => match self.program.constant(index) {
                // An element that is there is a variable by now.
                Some(index) => {
                    let length = self.program.arrays[array].len as usize;
                    Err(self.outside(span, index, length))
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn certain_channel(&mut self, channel: &Reference<'a>) -> Parsed<Option<i32>> {
        self.certain_index(channel)?;
        if let Found::OneOf(all, index) = self.find(channel)?
            && let Some(index) = self.program.constant(index)
        {
            return Err(self.outside(channel.span, index, all.len()));
        }
        Ok(None)
    }

    fn outside(&mut self, span: Span, index: i32, length: usize) -> Reported {
        let message = format!("the index {index} is outside of the array");
        self.error(span, message, &format!("there are 0 to {}", length.saturating_sub(1)))
    }
}
