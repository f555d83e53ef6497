//! Expressions: names become variables, constants are computed.

use super::super::ast::{
    Expr as Ast, ExprKind, Name, Order, Pattern as AstPattern, Question, Reference,
};
use super::super::program::{
    ChannelId, ExprId, Pattern, PromelaBinary, PromelaExpr, PromelaModel, PromelaUnary, Storage,
};
use super::Builder;
use super::channels::Channels;
use super::references::Found;
use super::remotes::Asked;
use crate::sink::Parsed;

impl<'a> Builder<'_, 'a> {
    pub(in crate::promela) fn expr(&mut self, ast: &Ast<'a>) -> Parsed<ExprId> {
        match &ast.kind {
            ExprKind::Number(value) => Ok(self.number(*value)),
            ExprKind::Reference(reference) => self.value(reference),
            ExprKind::Unary(operator, a) => {
                let a = self.expr(a)?;
                Ok(self.unary(*operator, a))
            }
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                Ok(self.binary(*operator, a?, b?))
            }
            ExprKind::If(parts) => {
                let parts = parts.each_ref().map(|part| self.expr(part));
                let [condition, then, otherwise] = parts;
                Ok(self.choice(condition?, then?, otherwise?))
            }
            ExprKind::Channel(question, channel) => self.question(*question, channel),
            ExprKind::Poll(channel, patterns, order) => self.poll(channel, patterns, *order),
            ExprKind::Run { .. } => match self.started_pid {
                Some(pid) => Ok(pid),
                None => Err(self.unsupported(
                    ast.span,
                    "`run` within a condition is not supported",
                    "write `run P()` or `x = run P()`",
                )),
            },
            ExprKind::At { process, pid, label } => {
                self.remote_of(*process, pid.as_deref(), Asked::Label(*label))
            }
            ExprKind::Remote { process, pid, var } => {
                self.remote_of(*process, pid.as_deref(), Asked::Var(var.clone()))
            }
            ExprKind::Timeout => Ok(self.program.exprs.push(PromelaExpr::Timeout)),
            ExprKind::Pid => match &self.at {
                Some(context) => {
                    let process = context.process;
                    Ok(self.pid_of(process))
                }
                None => Err(self.error(ast.span, "`_pid` outside of a process", "whose pid?")),
            },
            ExprKind::Count => match self.program.count {
                Some(count) => Ok(self.program.exprs.push(PromelaExpr::Var(count))),
                None => Err(self.unsupported(
                    ast.span,
                    "`_nr_pr` in a macro that only a formula reads is not supported",
                    "write it in the formula",
                )),
            },
            ExprKind::Priority(pid) => self.priority(pid.as_deref(), ast.span),
            ExprKind::Unsupported(why) => Err(self.unsupported(ast.span, why, "not supported")),
        }
    }

    /// The value of an expression without variables.
    pub(super) fn constant(&mut self, ast: &Ast<'a>) -> Parsed<i32> {
        let value = self.expr(ast)?;
        match self.program.exprs[value] {
            PromelaExpr::Const(value) => Ok(value),
            _ => Err(self.error(ast.span, "expected a constant", "this depends on variables")),
        }
    }

    pub(super) fn number(&mut self, value: i32) -> ExprId {
        self.program.exprs.push(PromelaExpr::Const(value))
    }

    pub(super) fn unary(&mut self, operator: PromelaUnary, a: ExprId) -> ExprId {
        self.program.unary(operator, a)
    }

    pub(super) fn binary(&mut self, operator: PromelaBinary, a: ExprId, b: ExprId) -> ExprId {
        self.program.binary(operator, a, b)
    }

    fn choice(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        self.program.choice(condition, then, otherwise)
    }

    fn value(&mut self, reference: &Reference<'a>) -> Parsed<ExprId> {
        let found = self.find(reference)?;
        self.value_of(found)
    }

    pub(super) fn value_of(&mut self, found: Found) -> Parsed<ExprId> {
        let expr = match found {
            Found::Const(value) => PromelaExpr::Const(value),
            Found::Var(var) => PromelaExpr::Var(var),
            Found::Element(array, index) => PromelaExpr::Element(array, index),
            Found::Channel(channel) => PromelaExpr::Const(number_of(channel)),
            Found::OneOf(all, index) => return self.channel_number(all, index),
        };
        Ok(self.program.exprs.push(expr))
    }

    /// The number of one of several channels; 0 if the index is outside.
    pub(super) fn channel_number(&mut self, all: Vec<ChannelId>, index: ExprId) -> Parsed<ExprId> {
        self.by_channel(Channels::OneOf(all, index), |builder, channel| {
            builder.number(number_of(channel))
        })
    }

    /// The target of an assignment.
    pub(super) fn place(&mut self, reference: &Reference<'a>) -> Parsed<Storage> {
        if reference.name.text == "_" {
            return Ok(Storage::Nowhere);
        }
        let found = self.find(reference)?;
        self.storage(found, reference)
    }

    pub(super) fn storage(&mut self, found: Found, reference: &Reference<'a>) -> Parsed<Storage> {
        match found {
            Found::Var(var) => Ok(Storage::Var(var)),
            Found::Element(array, index) => Ok(Storage::Element(array, index)),
            Found::Const(_) => {
                let message = format!("`{}` cannot be assigned to", reference.name.text);
                Err(self.error(reference.span, message, "a constant"))
            }
            Found::Channel(_) | Found::OneOf(..) => {
                let message = format!("`{}` cannot be assigned to", reference.name.text);
                Err(self.error(reference.span, message, "a channel"))
            }
        }
    }

    fn question(&mut self, question: Question, reference: &Reference<'a>) -> Parsed<ExprId> {
        let channels = self.channels(reference)?;
        self.by_channel(channels, |builder, channel| builder.ask(question, channel))
    }

    pub(super) fn has_room(&mut self, channel: ChannelId) -> ExprId {
        self.ask(Question::Nfull, channel)
    }

    fn ask(&mut self, question: Question, channel: ChannelId) -> ExprId {
        let len = self.program.exprs.push(PromelaExpr::Len(channel));
        let capacity = self.described(channel).capacity as i32;
        let (operator, bound) = match question {
            Question::Len => return len,
            Question::Empty => (PromelaBinary::Eq, 0),
            Question::Nempty => (PromelaBinary::Ne, 0),
            // A channel without room is never full, as in Spin.
            Question::Full if capacity == 0 => return self.number(0),
            Question::Nfull if capacity == 0 => return self.number(1),
            Question::Full => (PromelaBinary::Eq, capacity),
            Question::Nfull => (PromelaBinary::Ne, capacity),
        };
        let bound = self.number(bound);
        self.binary(operator, len, bound)
    }

    fn poll(
        &mut self,
        reference: &Reference<'a>,
        patterns: &[AstPattern<'a>],
        order: Order,
    ) -> Parsed<ExprId> {
        let channels = self.channels(reference)?;
        let all = self.each_channel(&channels);
        if all.iter().any(|(channel, _)| self.described(*channel).is_rendezvous()) {
            let message = "`?[…]` of a rendezvous channel is not supported";
            return Err(self.unsupported(
                reference.span,
                message,
                "there is never a message in it",
            ));
        }
        let patterns = self.patterns(&channels, patterns, reference.span)?;
        self.by_channel(channels, |builder, channel| {
            let last = match order {
                Order::First => 1,
                Order::Any => builder.described(channel).capacity,
            };
            let mut patterns = patterns.clone();
            let fields = builder.described(channel).fields.len();
            patterns.resize(fields, Pattern::Store(Storage::Nowhere));
            let first = builder.can_receive(channel, 0, &patterns);
            (1..last).fold(first, |any, slot| {
                let matches = builder.can_receive(channel, slot, &patterns);
                builder.binary(PromelaBinary::Or, any, matches)
            })
        })
    }

    /// Whether the message in a slot of a channel matches.
    pub(super) fn can_receive(
        &mut self,
        channel: ChannelId,
        slot: u32,
        patterns: &[Pattern],
    ) -> ExprId {
        self.program.exprs.push(PromelaExpr::CanReceive(channel, slot, patterns.to_vec()))
    }

    fn remote_of(
        &mut self,
        process: Name<'a>,
        pid: Option<&Ast<'a>>,
        asked: Asked<'a>,
    ) -> Parsed<ExprId> {
        let pid = pid.map(|pid| self.expr(pid)).transpose()?;
        self.remote(process, pid, asked)
    }

    /// The expression with some variables replaced.
    pub(super) fn replaced(
        &mut self,
        root: ExprId,
        replace: &impl Fn(&mut PromelaModel, &PromelaExpr) -> Option<ExprId>,
    ) -> ExprId {
        self.program.replaced(root, replace)
    }
}

/// The number of a channel in a variable: 0 is none.
pub(super) fn number_of(channel: ChannelId) -> i32 {
    channel.0 as i32 + 1
}

impl PromelaModel {
    pub(super) fn constant(&self, id: ExprId) -> Option<i32> {
        if let PromelaExpr::Const(value) = self.exprs[id] { Some(value) } else { None }
    }

    pub(super) fn unary(&mut self, operator: PromelaUnary, a: ExprId) -> ExprId {
        let expr = match self.constant(a) {
            Some(value) => PromelaExpr::Const(operator.apply(value)),
            None => PromelaExpr::Unary(operator, a),
        };
        self.exprs.push(expr)
    }

    pub(super) fn binary(&mut self, operator: PromelaBinary, a: ExprId, b: ExprId) -> ExprId {
        let (left, right) = (self.constant(a), self.constant(b));
        let known = match (operator, left, right) {
            (PromelaBinary::And, Some(0), _) => Some(0),
            (PromelaBinary::Or, Some(value), _) if value != 0 => Some(1),
            (_, Some(a), Some(b)) => operator.apply(a, b),
            _ => None,
        };
        match (operator, left) {
            (PromelaBinary::And, Some(value)) if value != 0 && self.is_truth(b) => return b,
            (PromelaBinary::Or, Some(0)) if self.is_truth(b) => return b,
            _ => {}
        }
        self.exprs.push(known.map_or(PromelaExpr::Binary(operator, a, b), PromelaExpr::Const))
    }

    /// Whether the value can only be 0 or 1.
    fn is_truth(&self, id: ExprId) -> bool {
        match self.exprs[id] {
            PromelaExpr::Const(value) => value == 0 || value == 1,
            PromelaExpr::Unary(operator, _) => operator == PromelaUnary::Not,
            PromelaExpr::Binary(operator, ..) => operator.is_truth(),
            PromelaExpr::CanReceive(..)
            | PromelaExpr::At(..)
            | PromelaExpr::IsThere(_)
            | PromelaExpr::Timeout => true,
            PromelaExpr::Var(_)
            | PromelaExpr::Element(..)
            | PromelaExpr::If(..)
            | PromelaExpr::Len(_) => false,
        }
    }

    pub(super) fn choice(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.constant(condition) {
            Some(0) => otherwise,
            Some(_) => then,
            None => self.exprs.push(PromelaExpr::If(condition, then, otherwise)),
        }
    }

    /// The expression with some variables replaced and constants computed.
    pub(super) fn replaced(
        &mut self,
        root: ExprId,
        replace: &impl Fn(&mut PromelaModel, &PromelaExpr) -> Option<ExprId>,
    ) -> ExprId {
        let expr = self.exprs[root].clone();
        if let Some(value) = replace(self, &expr) {
            return value;
        }
        match expr {
            PromelaExpr::Const(_)
            | PromelaExpr::Var(_)
            | PromelaExpr::Len(_)
            | PromelaExpr::At(..)
            | PromelaExpr::IsThere(_)
            | PromelaExpr::Timeout => root,
            PromelaExpr::Element(array, index) => {
                let index = self.replaced(index, replace);
                let element = self.constant(index).and_then(|value| self.element(array, value));
                match element {
                    Some(var) => {
                        let element = PromelaExpr::Var(var);
                        replace(self, &element).unwrap_or_else(|| self.exprs.push(element))
                    }
                    None => self.exprs.push(PromelaExpr::Element(array, index)),
                }
            }
            PromelaExpr::Unary(operator, a) => {
                let a = self.replaced(a, replace);
                self.unary(operator, a)
            }
            PromelaExpr::Binary(operator, a, b) => {
                let a = self.replaced(a, replace);
                let b = self.replaced(b, replace);
                self.binary(operator, a, b)
            }
            PromelaExpr::If(condition, then, otherwise) => {
                let condition = self.replaced(condition, replace);
                let then = self.replaced(then, replace);
                let otherwise = self.replaced(otherwise, replace);
                self.choice(condition, then, otherwise)
            }
            PromelaExpr::CanReceive(channel, slot, patterns) => {
                let patterns = patterns.into_iter().map(|pattern| match pattern {
                    Pattern::Match(value) => Pattern::Match(self.replaced(value, replace)),
                    store => store,
                });
                let patterns = patterns.collect();
                self.exprs.push(PromelaExpr::CanReceive(channel, slot, patterns))
            }
        }
    }
}
