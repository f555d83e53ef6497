//! Expressions: sorts are checked, and where there is no value is kept apart from the value, as in finite programs.

use super::build::Builder;
use super::linear::{self, Size, truth};
use crate::imperative::ast::{Expr, ExprId, Infix, Name};
use crate::imperative::build::Sort;
use crate::imperative::complaints;
use crate::sink::{Parsed, Reported};
use support::{Diagnostic, Span};
use transition::predicates::{Condition, Relation, Term};

/// A value, and where there is one.
#[derive(Clone, Debug)]
pub(super) struct Total<T> {
    pub value: T,
    pub defined: Condition,
}

#[derive(Clone, Debug)]
pub(super) enum Data {
    Truth(Condition),
    Number(Term),
    /// Of an enumeration.
    Constant(Term),
}

impl Data {
    pub fn sort(&self) -> Sort {
        match self {
            Data::Truth(_) => Sort::Truth,
            Data::Number(_) => Sort::Number,
            Data::Constant(_) => Sort::Constant,
        }
    }
}

impl<T> Total<T> {
    fn everywhere(value: T) -> Self {
        Self { value, defined: truth(true) }
    }

    fn map<U>(self, change: impl FnOnce(T) -> U) -> Total<U> {
        Total { value: change(self.value), defined: self.defined }
    }

    /// Has a value where both have.
    fn both<U, V>(self, other: Total<U>, join: impl FnOnce(T, U) -> V) -> Total<V> {
        let defined = linear::and(self.defined, other.defined);
        Total { value: join(self.value, other.value), defined }
    }
}

/// Larger expressions than this take too long, and deeper ones too much of the stack.
const LARGEST_EXPRESSION: Size = Size { nodes: 1 << 14, depth: 500 };

impl<'a> Builder<'_, 'a> {
    pub(super) fn truth(&mut self, id: ExprId) -> Parsed<Total<Condition>> {
        let Total { value, defined } = self.expr(id)?;
        match value {
            Data::Truth(value) => Ok(Total { value, defined }),
            other => Err(self.wrong_sort(Sort::Truth, other.sort(), id)),
        }
    }

    fn number(&mut self, id: ExprId) -> Parsed<Total<Term>> {
        let Total { value, defined } = self.expr(id)?;
        match value {
            Data::Number(value) => Ok(Total { value, defined }),
            other => Err(self.wrong_sort(Sort::Number, other.sort(), id)),
        }
    }

    fn wrong_sort(&mut self, wanted: Sort, found: Sort, id: ExprId) -> Reported {
        let span = self.exprs.span(id);
        self.sink.error(|| complaints::wrong_sort(wanted, found, span))
    }

    /// A value for a variable: of its sort, if perhaps not in its domain.
    pub(super) fn value_for(&mut self, variable: u32, id: ExprId) -> Parsed<Total<Data>> {
        let total = self.expr(id)?;
        self.refuse_other_sort(variable, total.value.sort(), self.exprs.span(id))?;
        Ok(total)
    }

    pub(super) fn refuse_other_sort(
        &mut self,
        variable: u32,
        found: Sort,
        span: Span,
    ) -> Parsed<()> {
        let wanted = self.sort_of(variable);
        if found == wanted {
            return Ok(());
        }
        let name = &self.names[variable as usize];
        let declared = self.variables[variable as usize].span;
        Err(self.sink.error(|| complaints::other_sort(name, declared, wanted, found, span)))
    }

    /// Only called for expressions of the language, not for formulas.
    pub(super) fn expr(&mut self, id: ExprId) -> Parsed<Total<Data>> {
        let exprs = self.exprs;
        let span = exprs.span(id);
        let total = match exprs.get(id) {
            Expr::Bool(value) => Total::everywhere(Data::Truth(truth(*value))),
            Expr::Int(value) => Total::everywhere(Data::Number(Term::Constant(*value))),
            Expr::Name(name) => self.name(Name { text: name, span })?,
            Expr::Index(name, _) => return Err(self.no_arrays(name.span)),
            Expr::Not(a) => self.truth(*a)?.map(linear::not).map(Data::Truth),
            Expr::Neg(a) => {
                let a = self.number(*a)?;
                let value = linear::times(-1, a.value).ok_or_else(|| self.too_large(span))?;
                Total { value: Data::Number(value), defined: a.defined }
            }
            Expr::Implies(a, b) => {
                let (a, b) = (self.truth(*a), self.truth(*b));
                junction(false, a?.map(linear::not), b?).map(Data::Truth)
            }
            Expr::Chain(first, rest) => self.chain(*first, rest, span)?,
            _ => {
                return Err(self.sink.error(|| complaints::no_expression(span)));
            }
        };
        self.refuse_large(&total, span)?;
        Ok(total)
    }

    fn refuse_large(&mut self, total: &Total<Data>, span: Span) -> Parsed<()> {
        let value = match &total.value {
            Data::Truth(condition) => Size::of_condition(condition),
            Data::Number(term) | Data::Constant(term) => Size::of_term(term),
        };
        let defined = Size::of_condition(&total.defined);
        let is_within = |size: Size| {
            size.nodes <= LARGEST_EXPRESSION.nodes && size.depth <= LARGEST_EXPRESSION.depth
        };
        if is_within(value) && is_within(defined) {
            return Ok(());
        }
        Err(self.sink.error(|| {
            Diagnostic::error("the expression is too large", span, "too many operators")
                .with_help("compute a part of it before, into a variable")
        }))
    }

    pub(super) fn no_arrays(&mut self, span: Span) -> Reported {
        self.sink.error(|| {
            let message = "programs over integers have no arrays";
            Diagnostic::error(message, span, "not supported")
                .with_help("take a variable for each element")
        })
    }

    /// What a name stands for here: what the procedure or process calls so comes first.
    pub(super) fn lookup(&self, name: &str) -> Option<u32> {
        let own = self.inside.and_then(|inside| self.scope.get(&format!("{inside}.{name}")));
        own.or_else(|| self.scope.get(name)).copied()
    }

    fn name(&mut self, name: Name) -> Parsed<Total<Data>> {
        if let Some(variable) = self.lookup(name.text) {
            return Ok(self.read(variable));
        }
        match self.constants.get(name.text) {
            Some(&number) => Ok(Total::everywhere(Data::Constant(Term::Constant(number)))),
            None => Err(self.unknown(name)),
        }
    }

    /// The value of a variable.
    pub(super) fn read(&self, variable: u32) -> Total<Data> {
        let term = Term::Variable(variable);
        Total::everywhere(match self.sort_of(variable) {
            Sort::Truth => Data::Truth(super::equal(variable, 1)),
            Sort::Number => Data::Number(term),
            Sort::Constant => Data::Constant(term),
        })
    }

    pub(super) fn unknown(&mut self, name: Name) -> Reported {
        let scope = self.scope.keys().map(|known| &**known);
        let constants = self.constants.keys().copied();
        self.sink.error(|| complaints::unknown(name, self.inside, scope, constants))
    }

    fn chain(
        &mut self,
        first: ExprId,
        rest: &[(Infix, ExprId)],
        span: Span,
    ) -> Parsed<Total<Data>> {
        match rest[0].0 {
            Infix::And | Infix::Or => {
                Ok(self.junctions(rest[0].0 == Infix::And, first, rest)?.map(Data::Truth))
            }
            Infix::Iff => {
                let mut left = self.truth(first);
                for (_, right) in rest {
                    let right = self.truth(*right);
                    left = left.and_then(|left| self.equivalence(left, right?, span));
                }
                Ok(left?.map(Data::Truth))
            }
            Infix::Plus | Infix::Minus => Ok(self.sum(first, rest, span)?.map(Data::Number)),
            Infix::Times | Infix::Divide | Infix::Mod => {
                let mut left = self.number(first);
                for &(infix, right) in rest {
                    let right = self.number(right).map(|total| (total, right));
                    left = left.and_then(|left| self.product(infix, left, right?, span));
                }
                Ok(left?.map(Data::Number))
            }
            infix => Ok(self.comparison(infix, first, rest[0].1)?.map(Data::Truth)),
        }
    }

    fn junctions(
        &mut self,
        is_and: bool,
        first: ExprId,
        rest: &[(Infix, ExprId)],
    ) -> Parsed<Total<Condition>> {
        let operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| *operand));
        // All of them, so that all errors are found.
        let parts: Vec<Parsed<_>> = operands.map(|operand| self.truth(operand)).collect();
        let parts: Vec<Total<Condition>> = parts.into_iter().collect::<Parsed<_>>()?;
        if parts.iter().all(|part| part.defined == truth(true)) {
            let values = parts.into_iter().map(|part| part.value);
            let value = if is_and { linear::all(values) } else { linear::some(values) };
            return Ok(Total::everywhere(value));
        }
        // Not balanced, and so not deep.
        if parts.len() > LARGEST_EXPRESSION.depth / 4 {
            let span = self.exprs.span(first);
            return Err(self.too_many_wrong(span));
        }
        parts.into_iter().reduce(|left, right| junction(is_and, left, right)).ok_or(Reported)
    }

    fn too_many_wrong(&mut self, span: Span) -> Reported {
        self.sink.error(|| {
            let message = "the expression is too large";
            Diagnostic::error(message, span, "too many operands, and some go wrong")
                .with_help("take out what is divided by zero")
        })
    }

    /// `<->`: written out, so each one doubles.
    fn equivalence(
        &mut self,
        a: Total<Condition>,
        b: Total<Condition>,
        span: Span,
    ) -> Parsed<Total<Condition>> {
        let total = a.both(b, |a, b| self.iff(a, b)).map(Data::Truth);
        self.refuse_large(&total, span)?;
        match total.value {
            Data::Truth(value) => Ok(Total { value, defined: total.defined }),
            _ => Err(Reported),
        }
    }

    fn iff(&self, a: Condition, b: Condition) -> Condition {
        match (self.as_variable(&a), self.as_variable(&b)) {
            (Some(a), Some(b)) => {
                linear::compare(Term::Variable(a), Relation::Equal, Term::Variable(b))
            }
            _ => {
                let both = linear::and(a.clone(), b.clone());
                linear::or(both, linear::and(linear::not(a), linear::not(b)))
            }
        }
    }

    /// The variable, if this says no more than that a truth value is true.
    pub(super) fn as_variable(&self, condition: &Condition) -> Option<u32> {
        let Condition::Compare(Term::Variable(variable), relation, value) = condition else {
            return None;
        };
        let is_true = *relation == Relation::Equal && *value == Term::Constant(1);
        (is_true && self.sort_of(*variable) == Sort::Truth).then_some(*variable)
    }

    fn sum(&mut self, first: ExprId, rest: &[(Infix, ExprId)], span: Span) -> Parsed<Total<Term>> {
        let parts = std::iter::once((false, first))
            .chain(rest.iter().map(|(infix, part)| (*infix == Infix::Minus, *part)));
        let parts: Vec<(bool, Parsed<Total<Term>>)> =
            parts.map(|(is_subtracted, part)| (is_subtracted, self.number(part))).collect();
        let mut terms = Vec::with_capacity(parts.len());
        let mut defined = Vec::with_capacity(parts.len());
        for (is_subtracted, part) in parts {
            let part = part?;
            terms.push((is_subtracted, part.value));
            defined.push(part.defined);
        }
        let value = linear::sum(terms).ok_or_else(|| self.too_large(span))?;
        Ok(Total { value, defined: linear::all(defined) })
    }

    fn product(
        &mut self,
        infix: Infix,
        left: Total<Term>,
        (right, id): (Total<Term>, ExprId),
        span: Span,
    ) -> Parsed<Total<Term>> {
        let defined = linear::and(left.defined, right.defined);
        let value = match (infix, left.value, right.value) {
            (Infix::Times, term, Term::Constant(factor))
            | (Infix::Times, Term::Constant(factor), term) => linear::times(factor, term),
            (Infix::Times, ..) => return Err(self.not_linear(span)),
            (_, term, Term::Constant(0)) => {
                let label = format!("`{}` by zero", infix.text());
                self.sink.warning(|| complaints::always_wrong(span, label));
                return Ok(Total { value: term, defined: truth(false) });
            }
            (Infix::Divide, term, Term::Constant(divisor)) => linear::divide(term, divisor),
            (_, term, Term::Constant(divisor)) => linear::modulo(term, divisor),
            _ => return Err(self.no_constant_divisor(infix, self.exprs.span(id))),
        };
        let value = value.ok_or_else(|| self.too_large(span))?;
        if Size::of_term(&value).depth > LARGEST_EXPRESSION.depth {
            let total = Total { value: Data::Number(value), defined };
            return self.refuse_large(&total, span).and(Err(Reported));
        }
        Ok(Total { value, defined })
    }

    fn not_linear(&mut self, span: Span) -> Reported {
        self.sink.error(|| {
            let message = "a product of two variables is not linear";
            Diagnostic::error(message, span, "neither side is a constant").with_help(
                "programs over integers multiply by constants only: add in a loop, or give all variables bounds",
            )
        })
    }

    fn no_constant_divisor(&mut self, infix: Infix, span: Span) -> Reported {
        self.sink.error(|| {
            let message = format!("`{}` by what is no constant", infix.text());
            Diagnostic::error(message, span, "depends on variables").with_help(
                "programs over integers divide by constants only: subtract in a loop, or give all variables bounds",
            )
        })
    }

    fn too_large(&mut self, span: Span) -> Reported {
        self.sink.error(|| {
            Diagnostic::error("the number is too large", span, "beyond 2^61")
                .with_help("numbers go up to 2^61")
        })
    }

    fn comparison(&mut self, infix: Infix, a: ExprId, b: ExprId) -> Parsed<Total<Condition>> {
        let relation = match infix {
            Infix::Equal => Relation::Equal,
            Infix::NotEqual => Relation::Different,
            Infix::Less => Relation::Less,
            Infix::LessEqual => Relation::AtMost,
            Infix::Greater => Relation::Greater,
            _ => Relation::AtLeast,
        };
        if !matches!(infix, Infix::Equal | Infix::NotEqual) {
            let (left, right) = (self.number(a), self.number(b));
            return Ok(left?.both(right?, |a, b| linear::compare(a, relation, b)));
        }
        let (left, right) = (self.expr(a), self.expr(b));
        let (left, right) = (left?, right?);
        let (one, other) = (left.value.sort(), right.value.sort());
        let joined = left.both(right, |left, right| match (left, right) {
            (Data::Truth(a), Data::Truth(b)) if infix == Infix::Equal => Some(self.iff(a, b)),
            (Data::Truth(a), Data::Truth(b)) => Some(linear::not(self.iff(a, b))),
            (Data::Number(a), Data::Number(b)) | (Data::Constant(a), Data::Constant(b)) => {
                Some(linear::compare(a, relation, b))
            }
            _ => None,
        });
        match joined.value {
            Some(value) => Ok(Total { value, defined: joined.defined }),
            None => {
                let (a, b) = (self.exprs.span(a), self.exprs.span(b));
                Err(self.sink.error(|| complaints::mixture(infix, (a, one), (b, other))))
            }
        }
    }
}

/// `&` or `|`: an operand that decides is enough.
fn junction(is_and: bool, a: Total<Condition>, b: Total<Condition>) -> Total<Condition> {
    let join = if is_and { linear::and } else { linear::or };
    let both = linear::and(a.defined.clone(), b.defined.clone());
    if both == truth(true) {
        return Total { value: join(a.value, b.value), defined: both };
    }
    let decides = |one: &Total<Condition>| {
        let decides = if is_and { linear::not(one.value.clone()) } else { one.value.clone() };
        linear::and(one.defined.clone(), decides)
    };
    let either = linear::or(decides(&a), decides(&b));
    Total { value: join(a.value, b.value), defined: linear::or(both, either) }
}
