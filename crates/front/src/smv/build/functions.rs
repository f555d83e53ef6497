//! Function calls, and access to arrays and bits.

use super::Builder;
use super::expressions::{describe, is_one_sort};
use super::scope::{ArrayValue, Value};
use super::unsupported::{Lowered, Refusal};
use crate::smv::ast::{ExprId, Function, WIDE_WORD};
use std::rc::Rc;
use support::{Diagnostic, Span};
use transition::{Binary, InstanceId, LARGEST, NodeId, Type, Undefined};

/// A range with more elements than this is not listed.
const MOST_ELEMENTS: i64 = 1 << 16;

impl Builder<'_, '_> {
    pub(super) fn call(
        &mut self,
        scope: InstanceId,
        function: Function,
        operands: &[ExprId],
        span: Span,
    ) -> Lowered<NodeId> {
        let first = operands[0];
        match function {
            Function::Next => self.next(scope, first),
            Function::Count => self.count(scope, operands),
            Function::UnsignedConstant => self.word_constant(scope, operands, false, span),
            Function::SignedConstant => self.word_constant(scope, operands, true, span),
            Function::Extend => self.extend(scope, first, operands[1], span),
            Function::Resize => self.resize(scope, first, operands[1]),
            Function::Abs | Function::Max | Function::Min => {
                self.extreme(scope, function, operands)
            }
            _ => self.conversion(scope, function, first),
        }
    }

    fn next(&mut self, scope: InstanceId, operand: ExprId) -> Lowered<NodeId> {
        let node = self.node(scope, operand)?;
        let span = self.span(operand);
        if self.machine.exprs.reads_next(node) {
            return Err(self.error(|_| {
                Diagnostic::error(
                    "a `next` within a `next`",
                    span,
                    "is already about the next state",
                )
                .with_help("one step is all that a transition sees")
            }));
        }
        if self.machine.exprs.reads_input(node) {
            return Err(self.error(|_| {
                Diagnostic::error(
                    "`next` of an input",
                    span,
                    "inputs belong to steps, not to states",
                )
                .with_help("declare the variable by `VAR`")
            }));
        }
        Ok(self.machine.primed(node))
    }

    fn count(&mut self, scope: InstanceId, operands: &[ExprId]) -> Lowered<NodeId> {
        let (zero, one) = (self.machine.exprs.int(0), self.machine.exprs.int(1));
        let mut ones = Vec::new();
        for &operand in operands {
            let condition = self.condition(scope, operand)?;
            ones.push(self.machine.exprs.ite(condition, one, zero));
        }
        Ok(self.machine.exprs.join(Binary::Add, ones))
    }

    fn expected(&mut self, node: NodeId, operand: ExprId, what: &str, wanted: &str) -> Refusal {
        let (ty, span) = (self.machine.exprs.ty(node), self.span(operand));
        self.error(|_| {
            let message = format!("`{what}` takes {wanted}, and this is {}", describe(ty));
            Diagnostic::error(message, span, format!("this is {}", describe(ty)))
        })
    }

    fn conversion(
        &mut self,
        scope: InstanceId,
        function: Function,
        operand: ExprId,
    ) -> Lowered<NodeId> {
        let node = self.node(scope, operand)?;
        let ty = self.machine.exprs.ty(node);
        let exprs = &mut self.machine.exprs;
        match (function, ty) {
            (Function::Word1, Type::Bool) => {
                Ok(exprs.cast(node, Type::Word { signed: false, width: 1 }))
            }
            (Function::Bool, Type::Word { width: 1, .. }) => Ok(exprs.cast(node, Type::Bool)),
            (Function::Bool, Type::Int { .. }) => {
                let zero = exprs.int(0);
                let is_zero = exprs.eq(node, zero);
                Ok(exprs.not(is_zero))
            }
            (Function::Bool, Type::Bool) | (Function::ToInt, Type::Int { .. }) => Ok(node),
            (Function::ToInt, Type::Bool) => {
                let (zero, one) = (exprs.int(0), exprs.int(1));
                Ok(exprs.ite(node, one, zero))
            }
            (Function::ToInt, Type::Word { signed, width }) if width <= 61 => {
                let high = (1i64 << (width - u8::from(signed))) - 1;
                let low = if signed { -high - 1 } else { 0 };
                Ok(exprs.cast(node, Type::Int { low, high }))
            }
            (Function::Signed, Type::Word { width, .. }) => {
                Ok(exprs.cast(node, Type::Word { signed: true, width }))
            }
            (Function::Unsigned, Type::Word { width, .. }) => {
                Ok(exprs.cast(node, Type::Word { signed: false, width }))
            }
            (Function::SizeOf, Type::Word { width, .. }) => Ok(exprs.int(i64::from(width))),
            (Function::ToInt, Type::Word { .. }) => Err(Refusal::unsupported(
                "`toint` of a word of more than 61 bits",
                self.span(operand),
            )),
            _ => {
                let wanted = match function {
                    Function::Word1 => "a truth value",
                    Function::Bool => "a word of 1 bit or an integer",
                    Function::ToInt => "a word, a truth value or an integer",
                    _ => "a word",
                };
                Err(self.expected(node, operand, function.text(), wanted))
            }
        }
    }

    /// A constant that an operator needs, between bounds.
    fn constant_operand(
        &mut self,
        scope: InstanceId,
        operand: ExprId,
        (low, high): (i64, i64),
    ) -> Lowered<i64> {
        let node = self.node(scope, operand)?;
        let span = self.span(operand);
        let value = self.machine.exprs.as_constant(node);
        let is_int = self.machine.exprs.ty(node).is_int();
        match value.filter(|value| is_int && (low..=high).contains(value)) {
            Some(value) => Ok(value),
            None => Err(self.error(|_| {
                let message = format!("expected a constant from {low} to {high}");
                Diagnostic::error(message, span, "not such a constant")
            })),
        }
    }

    /// The width of a word that is so many bits wider than another.
    fn width_operand(
        &mut self,
        scope: InstanceId,
        operand: ExprId,
        wider_than: u8,
        word: Span,
    ) -> Lowered<u8> {
        let least = if wider_than == 0 { 1 } else { 0 };
        let bits = self.constant_operand(scope, operand, (least, LARGEST))?;
        match bits + i64::from(wider_than) {
            width @ 1..=64 => Ok(width as u8),
            _ => Err(Refusal::unsupported(WIDE_WORD, word)),
        }
    }

    fn word_operand(
        &mut self,
        scope: InstanceId,
        operand: ExprId,
        what: &str,
    ) -> Lowered<(NodeId, bool, u8)> {
        let node = self.node(scope, operand)?;
        match self.machine.exprs.ty(node) {
            Type::Word { signed, width } => Ok((node, signed, width)),
            _ => Err(self.expected(node, operand, what, "a word")),
        }
    }

    fn word_constant(
        &mut self,
        scope: InstanceId,
        operands: &[ExprId],
        signed: bool,
        span: Span,
    ) -> Lowered<NodeId> {
        let width = self.width_operand(scope, operands[1], 0, span)?;
        let value = self.constant_operand(scope, operands[0], (-LARGEST, LARGEST))?;
        let ty = Type::Word { signed, width };
        let kept = transition::cast(ty, value);
        if kept != value {
            return Err(self.error(|_| {
                let message = format!("{value} does not fit {}", describe(ty));
                Diagnostic::error(message, span, "too large")
            }));
        }
        Ok(self.machine.exprs.constant(kept, ty))
    }

    fn extend(
        &mut self,
        scope: InstanceId,
        word: ExprId,
        by: ExprId,
        span: Span,
    ) -> Lowered<NodeId> {
        let (node, signed, width) = self.word_operand(scope, word, "extend")?;
        let width = self.width_operand(scope, by, width, span)?;
        Ok(self.machine.exprs.cast(node, Type::Word { signed, width }))
    }

    /// A signed word that is cut keeps its sign.
    fn resize(&mut self, scope: InstanceId, word: ExprId, to: ExprId) -> Lowered<NodeId> {
        let (node, signed, width) = self.word_operand(scope, word, "resize")?;
        let to = self.width_operand(scope, to, 0, self.span(to))?;
        let exprs = &mut self.machine.exprs;
        let ty = Type::Word { signed, width: to };
        if !signed || to >= width {
            return Ok(exprs.cast(node, ty));
        }
        let sign = exprs.extract(node, width - 1, 1);
        if to == 1 {
            return Ok(exprs.cast(sign, ty));
        }
        let low = exprs.extract(node, 0, to - 1);
        let bits = exprs.binary(Binary::Concat, sign, low);
        Ok(exprs.cast(bits, ty))
    }

    fn extreme(
        &mut self,
        scope: InstanceId,
        function: Function,
        operands: &[ExprId],
    ) -> Lowered<NodeId> {
        let mut nodes = Vec::new();
        for &operand in operands {
            let node = self.node(scope, operand)?;
            let ty = self.machine.exprs.ty(node);
            let is_like_first =
                nodes.first().is_none_or(|&first| is_one_sort(self.machine.exprs.ty(first), ty));
            let is_word = matches!(ty, Type::Word { .. }) && function != Function::Abs;
            if !(ty.is_int() || is_word) || !is_like_first {
                let wanted = match function {
                    Function::Abs => "an integer",
                    _ => "two integers or two words of one type",
                };
                return Err(self.expected(node, operand, function.text(), wanted));
            }
            nodes.push(node);
        }
        let exprs = &mut self.machine.exprs;
        if function == Function::Abs {
            let (a, zero) = (nodes[0], exprs.int(0));
            let negative = exprs.binary(Binary::Lt, a, zero);
            let negated = exprs.unary(transition::Unary::Neg, a);
            return Ok(exprs.ite(negative, negated, a));
        }
        let (a, b) = (nodes[0], nodes[1]);
        let less = exprs.binary(Binary::Lt, a, b);
        Ok(if function == Function::Max { exprs.ite(less, b, a) } else { exprs.ite(less, a, b) })
    }

    /// `word[high:low]`
    pub(super) fn bits(
        &mut self,
        scope: InstanceId,
        word: ExprId,
        high: ExprId,
        low: ExprId,
    ) -> Lowered<NodeId> {
        let (node, _, width) = self.word_operand(scope, word, "[:]")?;
        let high = self.constant_operand(scope, high, (0, i64::from(width) - 1))?;
        let low = self.constant_operand(scope, low, (0, high))?;
        Ok(self.machine.exprs.extract(node, low as u8, (high - low + 1) as u8))
    }

    pub(super) fn index(
        &mut self,
        scope: InstanceId,
        array: ExprId,
        index: ExprId,
    ) -> Lowered<Value> {
        let span = self.span(array);
        let array = match self.lower(scope, array)? {
            Value::Array(array) => array,
            Value::Instance(instance) => {
                return Err(self.not_a_value(&Value::Instance(instance), span));
            }
            _ => {
                return Err(self.error(|_| {
                    Diagnostic::error("an index on what is no array", span, "this is no array")
                        .with_help("bits of a word are written `w[3:3]`")
                }));
            }
        };
        let node = self.node(scope, index)?;
        let place = self.span(index);
        let node = match self.machine.exprs.ty(node) {
            Type::Int { .. } => node,
            Type::Word { .. } => self.conversion(scope, Function::ToInt, index)?,
            _ => return Err(self.expected(node, index, "[]", "an integer or a word")),
        };
        self.element(&array, node, place)
    }

    fn element(&mut self, array: &ArrayValue, index: NodeId, span: Span) -> Lowered<Value> {
        let (low, high) = (array.low, array.low + array.items.len() as i64 - 1);
        if let Some(value) = self.machine.exprs.as_constant(index) {
            let item = usize::try_from(value - low).ok().and_then(|place| array.items.get(place));
            return match item {
                Some(Value::Unsupported(construct)) => Err(Refusal::Unsupported(*construct)),
                Some(item) => Ok(item.clone()),
                None => Err(self.error(|_| {
                    let message = format!("the index {value} is outside of the array's bounds");
                    Diagnostic::error(message, span, format!("the bounds are {low}..{high}"))
                })),
            };
        }
        if array.items.len() as i64 > MOST_ELEMENTS {
            return Err(self.error(|_| {
                let message = "a variable index into a large array";
                Diagnostic::error(message, span, format!("the bounds are {low}..{high}"))
            }));
        }
        self.selected(&array.items, low, index, span)
    }

    /// One of these values, by an index that is no constant.
    fn selected(&mut self, items: &[Value], low: i64, index: NodeId, span: Span) -> Lowered<Value> {
        let unsupported = items.iter().find_map(|item| match item {
            Value::Unsupported(construct) => Some(*construct),
            _ => None,
        });
        if let Some(construct) = unsupported {
            return Err(Refusal::Unsupported(construct));
        }
        if let Value::Array(first) = &items[0] {
            let (inner, count) = (first.low, first.items.len());
            let part = |item: &Value, place: usize| match item {
                Value::Array(array) => array.items.get(place).cloned(),
                _ => None,
            };
            let mut parts = Vec::new();
            for place in 0..count {
                let column: Option<Vec<Value>> =
                    items.iter().map(|item| part(item, place)).collect();
                let column = column.ok_or(Refusal::Reported).or_else(|_| self.uneven(span))?;
                parts.push(self.selected(&column, low, index, span)?);
            }
            return Ok(Value::Array(Rc::new(ArrayValue { low: inner, items: parts })));
        }
        let high = low + items.len() as i64 - 1;
        let mut selected: Option<NodeId> = None;
        for (place, item) in items.iter().enumerate().rev() {
            let &Value::Node(node) = item else { return self.uneven(span) };
            let ty = |node: NodeId| self.machine.exprs.ty(node);
            if selected.is_some_and(|other| !is_one_sort(ty(other), ty(node))) {
                return self.uneven(span);
            }
            let place = self.machine.exprs.int(low + place as i64);
            let is_it = self.machine.exprs.eq(index, place);
            selected =
                Some(selected.map_or(node, |rest| self.machine.exprs.ite(is_it, node, rest)));
        }
        let node = selected.ok_or(Refusal::Reported)?;
        let is_wrong = {
            let exprs = &mut self.machine.exprs;
            let (first, last) = (exprs.int(low), exprs.int(high));
            let below = exprs.binary(Binary::Lt, index, first);
            let above = exprs.binary(Binary::Lt, last, index);
            exprs.or(below, above)
        };
        Ok(Value::Node(self.guarded(
            is_wrong,
            Undefined::IndexOutOfBounds { low, high },
            node,
            span,
        )))
    }

    fn uneven<T>(&mut self, span: Span) -> Lowered<T> {
        Err(self.error(|_| {
            let message = "a variable index into an array of different things";
            Diagnostic::error(message, span, "the elements are not alike")
        }))
    }
}
