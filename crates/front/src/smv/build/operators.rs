//! Operators: what types they take.

use super::Builder;
use super::expressions::{describe, is_one_sort};
use super::scope::Value;
use super::unsupported::{Lowered, Refusal};
use crate::smv::ast::{ExprId, Infix, WIDE_WORD};
use support::{Diagnostic, Span};
use transition::{Binary, Choice, ChoiceId, InstanceId, NodeId, Type, Unary, Undefined};

/// An operand with its place, for messages.
#[derive(Clone, Copy)]
struct Side {
    node: NodeId,
    ty: Type,
    span: Span,
}

impl Builder<'_, '_> {
    fn side(&mut self, scope: InstanceId, expr: ExprId) -> Lowered<Side> {
        let node = self.node(scope, expr)?;
        Ok(Side { node, ty: self.machine.exprs.ty(node), span: self.span(expr) })
    }

    pub(super) fn not(&mut self, scope: InstanceId, a: ExprId) -> Lowered<NodeId> {
        let side = self.side(scope, a)?;
        match side.ty {
            Type::Bool | Type::Word { .. } => Ok(self.machine.exprs.not(side.node)),
            _ => Err(self.wrong_operand("!", side, "a condition or a word")),
        }
    }

    pub(super) fn negated(&mut self, scope: InstanceId, a: ExprId) -> Lowered<NodeId> {
        let side = self.side(scope, a)?;
        match side.ty {
            Type::Int { .. } | Type::Word { .. } => {
                let node = self.machine.exprs.unary(Unary::Neg, side.node);
                self.not_too_large(node, side.span)
            }
            _ => Err(self.wrong_operand("-", side, "an integer or a word")),
        }
    }

    fn wrong_operand(&mut self, operator: &str, side: Side, wanted: &str) -> Refusal {
        self.error(|_| {
            let message = format!("`{operator}` takes {wanted}, and this is {}", describe(side.ty));
            Diagnostic::error(message, side.span, format!("this is {}", describe(side.ty)))
        })
    }

    fn not_too_large(&mut self, node: NodeId, span: Span) -> Lowered<NodeId> {
        // What cannot be too large among integers is what depends on some; what is computed beforehand can be.
        let is_free = self.integers.is_some() && self.machine.exprs.as_constant(node).is_none();
        if is_free || !self.machine.exprs.is_too_large(node) {
            return Ok(node);
        }
        Err(Refusal::unsupported("an integer that can get larger than 2^61", span))
    }

    pub(super) fn implication(
        &mut self,
        scope: InstanceId,
        a: ExprId,
        b: ExprId,
    ) -> Lowered<NodeId> {
        let (a, b) = (self.side(scope, a), self.side(scope, b));
        let (a, b) = (a?, b?);
        self.check_logical(Infix::Implies, a, b)?;
        Ok(self.machine.exprs.implies(a.node, b.node))
    }

    /// Operators of one level, from the left.
    pub(super) fn chain(
        &mut self,
        scope: InstanceId,
        first: ExprId,
        rest: &[(Infix, ExprId)],
    ) -> Lowered<Value> {
        match rest[0].0 {
            Infix::Union => self.union(scope, first, rest),
            Infix::In => self.memberships(scope, first, rest).map(Value::Node),
            Infix::And | Infix::Or if rest.iter().all(|(infix, _)| *infix == rest[0].0) => {
                self.junction(scope, first, rest).map(Value::Node)
            }
            _ => {
                let mut left = self.side(scope, first)?;
                for &(infix, operand) in rest {
                    let right = self.side(scope, operand)?;
                    let node = self.infix(infix, left, right)?;
                    let ty = self.machine.exprs.ty(node);
                    left = Side { node, ty, span: left.span.to(right.span) };
                }
                Ok(Value::Node(left.node))
            }
        }
    }

    /// A run of one `&` or `|`.
    fn junction(
        &mut self,
        scope: InstanceId,
        first: ExprId,
        rest: &[(Infix, ExprId)],
    ) -> Lowered<NodeId> {
        let infix = rest[0].0;
        let operands = [first].into_iter().chain(rest.iter().map(|(_, operand)| *operand));
        let sides: Vec<Lowered<Side>> = operands.map(|operand| self.side(scope, operand)).collect();
        let sides: Vec<Side> = sides.into_iter().collect::<Lowered<_>>()?;
        for &side in &sides[1..] {
            self.check_logical(infix, sides[0], side)?;
        }
        let op = if infix == Infix::And { Binary::And } else { Binary::Or };
        Ok(self.machine.exprs.join(op, sides.iter().map(|side| side.node).collect()))
    }

    fn check_logical(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<()> {
        for side in [a, b] {
            if !matches!(side.ty, Type::Bool | Type::Word { .. }) {
                return Err(self.wrong_operand(infix.text(), side, "conditions or words"));
            }
        }
        self.check_same(infix, a, b)
    }

    fn check_same(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<()> {
        if is_one_sort(a.ty, b.ty) { Ok(()) } else { Err(self.mismatch(infix, a, b)) }
    }

    fn mismatch(&mut self, infix: Infix, a: Side, b: Side) -> Refusal {
        self.error(|_| {
            let message = format!("`{}` between values of different types", infix.text());
            let error = Diagnostic::error(message, b.span, format!("this is {}", describe(b.ty)))
                .with_label(a.span, format!("this is {}", describe(a.ty)));
            match help_with_types(a.ty, b.ty) {
                Some(help) => error.with_help(help),
                None => error,
            }
        })
    }

    fn infix(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<NodeId> {
        match infix {
            Infix::And | Infix::Or | Infix::Xor | Infix::Xnor | Infix::Iff | Infix::Implies => {
                self.logical(infix, a, b)
            }
            Infix::Equal | Infix::NotEqual => {
                self.check_same(infix, a, b)?;
                let equal = self.machine.exprs.eq(a.node, b.node);
                Ok(if infix == Infix::Equal { equal } else { self.machine.exprs.not(equal) })
            }
            Infix::Less | Infix::LessEqual | Infix::Greater | Infix::GreaterEqual => {
                self.comparison(infix, a, b)
            }
            Infix::ShiftLeft | Infix::ShiftRight => self.shift(infix, a, b),
            Infix::Concat => self.concatenation(a, b),
            _ => self.arithmetic(infix, a, b),
        }
    }

    fn logical(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<NodeId> {
        self.check_logical(infix, a, b)?;
        let exprs = &mut self.machine.exprs;
        Ok(match infix {
            Infix::And => exprs.and(a.node, b.node),
            Infix::Or => exprs.or(a.node, b.node),
            Infix::Implies => exprs.implies(a.node, b.node),
            Infix::Iff if a.ty == Type::Bool => exprs.eq(a.node, b.node),
            Infix::Xor => exprs.binary(Binary::Xor, a.node, b.node),
            _ => {
                let different = exprs.binary(Binary::Xor, a.node, b.node);
                exprs.not(different)
            }
        })
    }

    fn check_numbers(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<()> {
        for side in [a, b] {
            if !matches!(side.ty, Type::Int { .. } | Type::Word { .. }) {
                return Err(self.wrong_operand(infix.text(), side, "integers or words"));
            }
        }
        self.check_same(infix, a, b)
    }

    fn comparison(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<NodeId> {
        self.check_numbers(infix, a, b)?;
        let (op, a, b) = match infix {
            Infix::Less => (Binary::Lt, a, b),
            Infix::LessEqual => (Binary::Le, a, b),
            Infix::Greater => (Binary::Lt, b, a),
            _ => (Binary::Le, b, a),
        };
        Ok(self.machine.exprs.binary(op, a.node, b.node))
    }

    fn arithmetic(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<NodeId> {
        self.check_numbers(infix, a, b)?;
        let op = match infix {
            Infix::Plus => Binary::Add,
            Infix::Minus => Binary::Sub,
            Infix::Times => Binary::Mul,
            Infix::Divide => Binary::Div,
            _ => Binary::Mod,
        };
        let span = a.span.to(b.span);
        self.refuse_not_linear(infix, a, b)?;
        let node = self.machine.exprs.binary(op, a.node, b.node);
        let node = self.not_too_large(node, span)?;
        if !matches!(infix, Infix::Divide | Infix::Mod) {
            return Ok(node);
        }
        let zero = self.machine.exprs.constant(0, b.ty);
        let is_zero = self.machine.exprs.eq(b.node, zero);
        Ok(self.guarded(is_zero, Undefined::DivisionByZero, node, span))
    }

    /// Products and quotients of unbounded integers.
    fn refuse_not_linear(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<()> {
        let is_unbounded = |side: Side| self.machine.exprs.is_too_large(side.node);
        match infix {
            Infix::Times if is_unbounded(a) && is_unbounded(b) => {
                Err(Refusal::unsupported("a product of two unbounded integers", a.span.to(b.span)))
            }
            Infix::Divide if is_unbounded(b) => {
                Err(Refusal::unsupported("a division by an unbounded integer", b.span))
            }
            Infix::Mod if is_unbounded(b) => {
                Err(Refusal::unsupported("`mod` by an unbounded integer", b.span))
            }
            _ => Ok(()),
        }
    }

    /// A value that is missing where the condition holds.
    pub(super) fn guarded(
        &mut self,
        is_wrong: NodeId,
        reason: Undefined,
        node: NodeId,
        span: Span,
    ) -> NodeId {
        if self.machine.exprs.as_constant(is_wrong) == Some(0) {
            return node;
        }
        let ty = self.machine.exprs.ty(node);
        let fault = self.machine.fault(reason, span, ty);
        self.machine.exprs.ite(is_wrong, fault, node)
    }

    fn shift(&mut self, infix: Infix, a: Side, b: Side) -> Lowered<NodeId> {
        let Type::Word { width, .. } = a.ty else {
            return Err(self.wrong_operand(infix.text(), a, "a word on its left"));
        };
        if !matches!(b.ty, Type::Int { .. } | Type::Word { signed: false, .. }) {
            let wanted = "an integer or an unsigned word on its right";
            return Err(self.wrong_operand(infix.text(), b, wanted));
        }
        let span = a.span.to(b.span);
        let op = if infix == Infix::ShiftLeft { Binary::Shl } else { Binary::Shr };
        let node = self.machine.exprs.binary(op, a.node, b.node);
        let is_wrong = self.is_beyond(b, i64::from(width));
        Ok(self.guarded(is_wrong, Undefined::ShiftOutOfRange, node, span))
    }

    /// Whether a number is negative or larger than this.
    fn is_beyond(&mut self, side: Side, most: i64) -> NodeId {
        let exprs = &mut self.machine.exprs;
        if let Type::Word { width, .. } = side.ty
            && width < 63
            && (1i64 << width) - 1 <= most
        {
            return exprs.bool(false);
        }
        let zero = exprs.constant(0, side.ty);
        let most = exprs.constant(most, side.ty);
        let negative = exprs.binary(Binary::Lt, side.node, zero);
        let large = exprs.binary(Binary::Lt, most, side.node);
        exprs.or(negative, large)
    }

    fn concatenation(&mut self, a: Side, b: Side) -> Lowered<NodeId> {
        let (Type::Word { width: left, .. }, Type::Word { width: right, .. }) = (a.ty, b.ty) else {
            let wrong = if matches!(a.ty, Type::Word { .. }) { b } else { a };
            return Err(self.wrong_operand("::", wrong, "words"));
        };
        if left + right > 64 {
            return Err(Refusal::unsupported(WIDE_WORD, a.span.to(b.span)));
        }
        Ok(self.machine.exprs.binary(Binary::Concat, a.node, b.node))
    }

    fn union(
        &mut self,
        scope: InstanceId,
        first: ExprId,
        rest: &[(Infix, ExprId)],
    ) -> Lowered<Value> {
        let operands: Vec<ExprId> =
            [first].into_iter().chain(rest.iter().map(|(_, operand)| *operand)).collect();
        let parts: Lowered<Vec<ChoiceId>> =
            operands.iter().map(|&operand| self.choice(scope, operand)).collect();
        let places: Vec<Span> = operands.iter().map(|&operand| self.span(operand)).collect();
        let parts = parts?;
        self.check_union(&parts, &places)?;
        let choice = self.machine.any_of(parts);
        Ok(self.value_from(choice))
    }

    /// `a in b`, and `a in b in c` as `(a in b) in c`.
    fn memberships(
        &mut self,
        scope: InstanceId,
        first: ExprId,
        rest: &[(Infix, ExprId)],
    ) -> Lowered<NodeId> {
        let mut left = self.choice(scope, first)?;
        let mut node = None;
        for &(_, operand) in rest {
            let right = self.choice(scope, operand)?;
            let (of, within) = (self.set_type(left), self.set_type(right));
            if !is_one_sort(of, within) {
                let places = (self.span(first), self.span(operand));
                return Err(self.error(|_| {
                    let message = "`in` between values of different types";
                    Diagnostic::error(message, places.1, format!("this is {}", describe(within)))
                        .with_label(places.0, format!("this is {}", describe(of)))
                }));
            }
            let inclusion = self.included_in(left, right);
            left = self.machine.one(inclusion);
            node = Some(inclusion);
        }
        node.ok_or(Refusal::Reported)
    }

    /// Whether all values of one set are in the other.
    fn included_in(&mut self, left: ChoiceId, right: ChoiceId) -> NodeId {
        let mut done: Vec<(ChoiceId, NodeId)> = Vec::new();
        for id in self.machine.choices.below(left) {
            let of = |id: ChoiceId, done: &[(ChoiceId, NodeId)]| {
                done.iter().find(|(other, _)| *other == id).map(|(_, node)| *node)
            };
            let node = match self.machine.choices.get(id).clone() {
                Choice::One(node) => self.machine.member(node, right),
                Choice::Range(low, high) => {
                    let members = (low..=high).map(|value| {
                        let value = self.machine.exprs.int(value);
                        self.machine.member(value, right)
                    });
                    let members = members.collect();
                    self.machine.exprs.join(Binary::And, members)
                }
                Choice::Any(parts) => {
                    let parts = parts.iter().filter_map(|&part| of(part, &done)).collect();
                    self.machine.exprs.join(Binary::And, parts)
                }
                Choice::If(condition, then, otherwise) => {
                    let (Some(a), Some(b)) = (of(then, &done), of(otherwise, &done)) else {
                        continue;
                    };
                    self.machine.exprs.ite(condition, a, b)
                }
            };
            done.push((id, node));
        }
        done.last().map_or_else(|| self.machine.exprs.bool(true), |(_, node)| *node)
    }
}

fn help_with_types(a: Type, b: Type) -> Option<&'static str> {
    match (a, b) {
        (Type::Word { signed: x, .. }, Type::Word { signed: y, .. }) if x != y => {
            Some("convert one of them by `signed(…)` or `unsigned(…)`")
        }
        (Type::Word { .. }, Type::Word { .. }) => {
            Some("make them equally wide by `extend(…, n)` or `resize(…, n)`")
        }
        (Type::Word { .. }, Type::Int { .. }) | (Type::Int { .. }, Type::Word { .. }) => {
            Some("write the number as a word, such as `0ud8_1`, or convert the word by `toint(…)`")
        }
        (Type::Bool, Type::Int { .. }) | (Type::Int { .. }, Type::Bool) => {
            Some("truth values are `TRUE` and `FALSE`, not 1 and 0")
        }
        (Type::Bool, Type::Word { .. }) | (Type::Word { .. }, Type::Bool) => {
            Some("convert by `bool(…)` or `word1(…)`")
        }
        _ => None,
    }
}
