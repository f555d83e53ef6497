//! Expressions: types are checked, and where there is no value is kept apart from the value, by the rules of
//! [`transition::Exprs::total`].

use super::Builder;
use super::scope::{Array, Entry};
use crate::imperative::ast::{Expr, ExprId, Infix, Name};
use crate::imperative::complaints;
use crate::sink::{Parsed, Reported};
use support::{Diagnostic, Span};
use transition::{
    Binary, Domain, ExprNode, Exprs, NodeId, Total, Type, Unary, VarId, symbol_value,
};

/// The sorts of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::imperative) enum Sort {
    Truth,
    Number,
    Constant,
}

impl Sort {
    pub fn of(ty: Type) -> Self {
        match ty {
            Type::Bool => Sort::Truth,
            Type::Scalar => Sort::Constant,
            Type::Int { .. } | Type::Word { .. } => Sort::Number,
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Sort::Truth => "a truth value",
            Sort::Number => "a number",
            Sort::Constant => "a constant of an enumeration",
        }
    }
}

impl<'a> Builder<'_, 'a> {
    fn arena(&mut self) -> &mut Exprs {
        &mut self.program.data.exprs
    }

    fn everywhere(&mut self, value: NodeId) -> Total {
        Total { defined: self.arena().bool(true), value }
    }

    pub(super) fn sort(&self, total: Total) -> Sort {
        Sort::of(self.program.data.exprs.ty(total.value))
    }

    /// An expression of this sort.
    pub(super) fn expr_of(&mut self, wanted: Sort, expr: ExprId) -> Parsed<Total> {
        let total = self.expr(expr)?;
        let found = self.sort(total);
        if found == wanted {
            return Ok(total);
        }
        let span = self.span(expr);
        Err(self.sink.error(|| complaints::wrong_sort(wanted, found, span)))
    }

    /// A value for a variable: of its sort, if perhaps not in its domain.
    pub(super) fn value_for(&mut self, var: VarId, expr: ExprId) -> Parsed<Total> {
        let total = self.expr(expr)?;
        self.refuse_other_sort(var, total, self.span(expr))?;
        Ok(total)
    }

    pub(super) fn refuse_other_sort(&mut self, var: VarId, value: Total, span: Span) -> Parsed<()> {
        let described = &self.program.data.vars[var];
        let wanted = Sort::of(described.domain.ty());
        let found = self.sort(value);
        if found == wanted {
            return Ok(());
        }
        Err(self
            .sink
            .error(|| complaints::other_sort(&described.name, described.span, wanted, found, span)))
    }

    /// Only called for expressions of the language, not for formulas.
    pub(super) fn expr(&mut self, id: ExprId) -> Parsed<Total> {
        let exprs = self.exprs;
        let span = self.span(id);
        match exprs.get(id) {
            Expr::Bool(value) => {
                let node = self.arena().bool(*value);
                Ok(self.everywhere(node))
            }
            Expr::Int(value) => {
                let node = self.arena().int(*value);
                Ok(self.everywhere(node))
            }
            Expr::Name(name) => self.name(Name { text: name, span }),
            Expr::Index(name, index) => self.index(*name, *index),
            Expr::Not(a) => {
                let a = self.expr_of(Sort::Truth, *a)?;
                Ok(Total { value: self.arena().not(a.value), ..a })
            }
            Expr::Neg(a) => {
                let a = self.expr_of(Sort::Number, *a)?;
                Ok(Total { value: self.arena().unary(Unary::Neg, a.value), ..a })
            }
            Expr::Implies(a, b) => {
                let (a, b) = (self.expr_of(Sort::Truth, *a), self.expr_of(Sort::Truth, *b));
                let a = a?;
                let not = Total { value: self.arena().not(a.value), ..a };
                Ok(self.junction(Binary::Or, not, b?))
            }
            Expr::Chain(first, rest) => self.chain(*first, rest, span),
            _ => Err(self.sink.error(|| complaints::no_expression(span))),
        }
    }

    /// Resolves a name; those of the procedure come first.
    pub(super) fn lookup(&self, name: &str) -> Option<Entry> {
        let own = self.inside.and_then(|inside| self.scope.get(&format!("{inside}.{name}")));
        own.or_else(|| self.scope.get(name))
    }

    fn name(&mut self, name: Name) -> Parsed<Total> {
        match self.lookup(name.text) {
            Some(Entry::Var(var)) => {
                let node = self.machine().now(var);
                Ok(self.everywhere(node))
            }
            Some(Entry::Array(array)) => Err(self.sink.error(|| {
                let message = format!("`{}` is an array", name.text);
                Diagnostic::error(message, name.span, "without an index")
                    .with_help(format!("name one of its elements: `{}[{}]`", name.text, array.low))
            })),
            None => match self.program.data.symbols.get(name.text) {
                Some(symbol) => {
                    let node = self.arena().constant(symbol_value(symbol), Type::Scalar);
                    Ok(self.everywhere(node))
                }
                None => Err(self.unknown(name)),
            },
        }
    }

    pub(super) fn unknown(&mut self, name: Name) -> Reported {
        let (scope, symbols) = (&self.scope, &self.program.data.symbols);
        self.sink.error(|| complaints::unknown(name, self.inside, scope.names(), symbols.names()))
    }

    pub(super) fn array(&mut self, name: Name) -> Parsed<Array> {
        match self.lookup(name.text) {
            Some(Entry::Array(array)) => Ok(array),
            None => Err(self.unknown(name)),
            Some(Entry::Var(var)) => {
                let declared = self.program.data.vars[var].span;
                Err(self.sink.error(|| {
                    let message = format!("`{}` is no array", name.text);
                    Diagnostic::error(message, name.span, "has no elements")
                        .with_label(declared, "declared here")
                }))
            }
        }
    }

    fn index(&mut self, name: Name, index: ExprId) -> Parsed<Total> {
        let array = self.array(name)?;
        let index = self.index_in(array, index)?;
        Ok(Total { value: self.element(array, index.value), ..index })
    }

    /// An index, defined only where the array has such an element.
    pub(super) fn index_in(&mut self, array: Array, index: ExprId) -> Parsed<Total> {
        let span = self.span(index);
        let index = self.expr_of(Sort::Number, index)?;
        let exprs = self.arena();
        let (low, high) = (exprs.int(array.low), exprs.int(array.high()));
        let (above, below) = (exprs.le(low, index.value), exprs.le(index.value, high));
        let within = exprs.and(above, below);
        let defined = exprs.and(index.defined, within);
        if exprs.as_constant(within) == Some(0) {
            self.warn_of_error(span, format!("there are {}..{}", array.low, array.high()));
        }
        Ok(Total { defined, ..index })
    }

    /// Something that is never right, though it may never be come to.
    pub(super) fn warn_of_error(&mut self, span: Span, label: String) {
        self.sink.warning(|| complaints::always_fails(span, label));
    }

    /// The indices that an expression can be and an array has.
    pub(super) fn indices(&self, array: Array, index: NodeId) -> std::ops::RangeInclusive<i64> {
        match self.program.data.exprs.ty(index) {
            Type::Int { low, high } => low.max(array.low)..=high.min(array.high()),
            _ => array.low..=array.high(),
        }
    }

    /// The element with this index; some element where there is none.
    fn element(&mut self, array: Array, index: NodeId) -> NodeId {
        let indices = self.indices(array, index);
        match indices.is_empty() {
            true => self.machine().now(array.first),
            false => self.element_between(array, index, *indices.start(), *indices.end()),
        }
    }

    // A tree, so that a hundred elements are seven levels deep.
    fn element_between(&mut self, array: Array, index: NodeId, low: i64, high: i64) -> NodeId {
        if low == high {
            return self.machine().now(array.element(low));
        }
        let middle = low + (high - low) / 2;
        let left = self.element_between(array, index, low, middle);
        let right = self.element_between(array, index, middle + 1, high);
        let exprs = self.arena();
        let middle = exprs.int(middle);
        let is_left = exprs.le(index, middle);
        exprs.ite(is_left, left, right)
    }

    fn chain(&mut self, first: ExprId, rest: &[(Infix, ExprId)], span: Span) -> Parsed<Total> {
        match rest[0].0 {
            Infix::And | Infix::Or => self.junctions(first, rest),
            Infix::Iff => {
                let mut left = self.expr_of(Sort::Truth, first);
                for (_, right) in rest {
                    let right = self.expr_of(Sort::Truth, *right);
                    left = left.and_then(|left| Ok(self.both(Binary::Eq, left, right?)));
                }
                left
            }
            Infix::Plus | Infix::Minus | Infix::Times | Infix::Divide | Infix::Mod => {
                let mut left = self.expr_of(Sort::Number, first);
                for &(infix, id) in rest {
                    let right = self.expr_of(Sort::Number, id);
                    left = left.and_then(|left| self.arithmetic(infix, left, (right?, id), span));
                }
                left
            }
            infix => self.comparison(infix, first, rest[0].1),
        }
    }

    fn junctions(&mut self, first: ExprId, rest: &[(Infix, ExprId)]) -> Parsed<Total> {
        let op = if rest[0].0 == Infix::And { Binary::And } else { Binary::Or };
        let operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| *operand));
        // All of them, so that all errors are found.
        let parts: Vec<Parsed<Total>> =
            operands.map(|operand| self.expr_of(Sort::Truth, operand)).collect();
        let parts: Vec<Total> = parts.into_iter().collect::<Parsed<_>>()?;
        let exprs = self.arena();
        if parts.iter().all(|part| exprs.as_constant(part.defined) == Some(1)) {
            let value = exprs.join(op, parts.iter().map(|part| part.value).collect());
            return Ok(Total { defined: parts[0].defined, value });
        }
        let joined = parts.into_iter().reduce(|left, right| self.junction(op, left, right));
        joined.ok_or(Reported)
    }

    /// `&` or `|`: an operand that decides is enough.
    fn junction(&mut self, op: Binary, a: Total, b: Total) -> Total {
        let exprs = self.arena();
        let value = exprs.binary(op, a.value, b.value);
        let both = exprs.and(a.defined, b.defined);
        if exprs.as_constant(both) == Some(1) {
            return Total { defined: both, value };
        }
        let alone = [a, b].map(|one| {
            let decides = if op == Binary::And { exprs.not(one.value) } else { one.value };
            exprs.and(one.defined, decides)
        });
        let either = exprs.or(alone[0], alone[1]);
        Total { defined: exprs.or(both, either), value }
    }

    fn both(&mut self, op: Binary, a: Total, b: Total) -> Total {
        let exprs = self.arena();
        Total {
            defined: exprs.and(a.defined, b.defined),
            value: exprs.binary(op, a.value, b.value),
        }
    }

    fn arithmetic(
        &mut self,
        infix: Infix,
        a: Total,
        (b, id): (Total, ExprId),
        span: Span,
    ) -> Parsed<Total> {
        self.refuse_not_linear(infix, [a, b], [span, self.span(id)])?;
        let op = match infix {
            Infix::Plus => Binary::Add,
            Infix::Minus => Binary::Sub,
            Infix::Times => Binary::Mul,
            Infix::Divide => Binary::Div,
            _ => Binary::Mod,
        };
        let mut total = self.both(op, a, b);
        if self.over_integers() && exceeds(self.arena(), total.value) {
            return Err(self.sink.error(|| {
                Diagnostic::error("the number is too large", span, "beyond 2^61")
                    .with_help("numbers go up to 2^61")
            }));
        }
        if !self.over_integers() && self.arena().is_too_large(total.value) {
            return Err(self.sink.error(|| {
                Diagnostic::error("the number can get too large", span, "beyond 2^61")
                    .with_help("compute with smaller ranges")
            }));
        }
        if matches!(op, Binary::Div | Binary::Mod) {
            let exprs = self.arena();
            let zero = exprs.int(0);
            let is_zero = exprs.eq(b.value, zero);
            let is_fine = exprs.not(is_zero);
            total.defined = exprs.and(total.defined, is_fine);
            if exprs.as_constant(is_zero) == Some(1) {
                self.warn_of_error(span, format!("`{}` by zero", infix.text()));
            }
        }
        Ok(total)
    }

    /// The spans are those of all of it and of the second operand.
    fn refuse_not_linear(
        &mut self,
        infix: Infix,
        operands: [Total; 2],
        [span, second]: [Span; 2],
    ) -> Parsed<()> {
        let exprs = &self.program.data.exprs;
        let [a, b] = operands.map(|operand| exprs.as_constant(operand.value).is_some());
        match infix {
            Infix::Times if self.over_integers() && !a && !b => Err(self.sink.error(|| {
                let message = "a product of two variables is not linear";
                Diagnostic::error(message, span, "neither side is a constant").with_help(
                    "programs over integers multiply by constants only: add in a loop, or give all variables bounds",
                )
            })),
            Infix::Divide | Infix::Mod if self.over_integers() && !b => Err(self.sink.error(|| {
                let message = format!("`{}` by what is no constant", infix.text());
                Diagnostic::error(message, second, "depends on variables").with_help(
                    "programs over integers divide by constants only: subtract in a loop, or give all variables bounds",
                )
            })),
            _ => Ok(()),
        }
    }

    fn comparison(&mut self, infix: Infix, a: ExprId, b: ExprId) -> Parsed<Total> {
        let is_order = !matches!(infix, Infix::Equal | Infix::NotEqual);
        let (left, right) = match is_order {
            true => (self.expr_of(Sort::Number, a), self.expr_of(Sort::Number, b)),
            false => (self.expr(a), self.expr(b)),
        };
        let (left, right) = (left?, right?);
        self.refuse_mixture(infix, (a, left), (b, right))?;
        let (op, left, right) = match infix {
            Infix::Less => (Binary::Lt, left, right),
            Infix::LessEqual => (Binary::Le, left, right),
            Infix::Greater => (Binary::Lt, right, left),
            Infix::GreaterEqual => (Binary::Le, right, left),
            _ => (Binary::Eq, left, right),
        };
        let total = self.both(op, left, right);
        Ok(match infix {
            Infix::NotEqual => Total { value: self.arena().not(total.value), ..total },
            _ => total,
        })
    }

    fn refuse_mixture(
        &mut self,
        infix: Infix,
        (a, left): (ExprId, Total),
        (b, right): (ExprId, Total),
    ) -> Parsed<()> {
        let (one, other) = (self.sort(left), self.sort(right));
        if one == other {
            return Ok(());
        }
        let (a, b) = (self.span(a), self.span(b));
        Err(self.sink.error(|| complaints::mixture(infix, (a, one), (b, other))))
    }

    /// Where a value of the right sort is in the domain of a variable.
    pub(super) fn fits(&mut self, var: VarId, value: NodeId) -> NodeId {
        let data = &mut self.program.data;
        match data.vars[var].domain.clone() {
            Domain::Range(low, high) => {
                let (low, high) = (data.exprs.int(low), data.exprs.int(high));
                let (above, below) = (data.exprs.le(low, value), data.exprs.le(value, high));
                data.exprs.and(above, below)
            }
            Domain::Values(values) if !self.is_among(value, &values) => {
                let exprs = self.arena();
                let equal = values.iter().map(|&constant| {
                    let constant = exprs.constant(constant, Type::Scalar);
                    exprs.eq(value, constant)
                });
                let equal = equal.collect();
                exprs.join(Binary::Or, equal)
            }
            _ => self.arena().bool(true),
        }
    }

    /// Whether an expression can have no other values than these, as far as is easily seen.
    fn is_among(&self, value: NodeId, values: &[i64]) -> bool {
        let data = &self.program.data;
        let mut open = vec![value];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = open.pop() {
            let fits = match data.exprs.node(id) {
                _ if !seen.insert(id) => true,
                ExprNode::Const(constant) => values.contains(&constant),
                ExprNode::Now(var) => match &data.vars[var].domain {
                    Domain::Values(others) => others.iter().all(|other| values.contains(other)),
                    _ => false,
                },
                ExprNode::Ite(_, a, b) => {
                    open.extend([a, b]);
                    true
                }
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        true
    }
}

/// Whether it is a constant that is too large.
fn exceeds(exprs: &Exprs, node: NodeId) -> bool {
    exprs.as_constant(node).is_some() && exprs.is_too_large(node)
}
