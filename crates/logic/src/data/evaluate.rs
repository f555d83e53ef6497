//! Values of terms.

use super::domains::{Domains, KnownNumbers};
use super::functions::{Functions, apply, builtin};
use super::{BinaryOp, DataTerm, DataTermKind, DataVarId, Number, UnaryOp, Value};
use crate::surface::Quantifier;
use std::rc::Rc;
use support::{Diagnostic, IdVec, Span};

/// The message is boxed, because an error is rare.
pub(super) type Evaluated<T> = Result<T, Box<Diagnostic>>;

/// Values of the variables that are bound, and what there is to look up names in.
pub(super) struct Environment {
    pub values: IdVec<DataVarId, Option<Value>>,
    pub functions: Functions,
    pub domains: Domains,
    /// The domains with values of undeclared sorts that occur in no action.
    pub with_others: Domains,
    /// Whether the sort of a variable is not declared.
    pub undeclared: IdVec<DataVarId, bool>,
    /// Whether such values are among those of the variables.
    pub is_probing: bool,
    /// The numbers that generic ones may be compared with.
    pub known_numbers: KnownNumbers,
}

impl Environment {
    /// The values that a quantifier goes through.
    pub fn domain(&self, variable: DataVarId) -> Option<Rc<[Value]>> {
        let domains = if self.is_probing { &self.with_others } else { &self.domains };
        domains[variable].clone()
    }

    /// Instantiates a quantifier. If the sort of one of its variables is not declared, values that occur in no action
    /// must make no difference.
    pub fn checked<T: PartialEq>(
        &mut self,
        variables: &[DataVarId],
        span: Span,
        make: impl Fn(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let made = make(self)?;
        if !self.is_probing && variables.iter().any(|&variable| self.undeclared[variable]) {
            self.is_probing = true;
            let other = make(self)?;
            self.is_probing = false;
            if other != made {
                return Err(undeclared(span));
            }
        }
        Ok(made)
    }

    /// The value of a term that is true or false.
    pub fn truth(&mut self, term: &DataTerm) -> Evaluated<bool> {
        match self.value(term)? {
            Value::Bool(value) => Ok(value),
            _ => Err(wrong(term.span, "this is no truth value", "true or false is expected")),
        }
    }

    pub fn all(&mut self, terms: &[DataTerm]) -> Evaluated<Vec<Value>> {
        terms.iter().map(|term| self.value(term)).collect()
    }

    /// Values for the parameters of a fixpoint. A shift there could go on from one fixpoint to the next, so that numbers
    /// without a bound are passed on as they are, or not at all.
    pub fn arguments(&mut self, terms: &[DataTerm]) -> Evaluated<Vec<Value>> {
        let values = self.all(terms)?;
        for (term, value) in terms.iter().zip(&values) {
            let mut is_plain = true;
            term.visit(&mut |part| match &part.kind {
                DataTermKind::Unary(..) | DataTermKind::Binary(..) => is_plain = false,
                DataTermKind::Apply(name, inner) => {
                    is_plain &= self.functions.is_constructor(name, inner.len());
                }
                _ => {}
            });
            if value.is_generic() && !is_plain {
                return Err(unbounded(term.span));
            }
        }
        Ok(values)
    }

    pub fn value(&mut self, term: &DataTerm) -> Evaluated<Value> {
        Ok(match &term.kind {
            DataTermKind::Variable(id) => {
                let known = self.values[*id].clone();
                known.ok_or_else(|| wrong(term.span, "a variable without a value", "not bound"))?
            }
            DataTermKind::Bool(value) => Value::Bool(*value),
            DataTermKind::Number(value) => Value::number(*value),
            DataTermKind::List(terms) => Value::List(self.all(terms)?),
            DataTermKind::Set(terms) => set(self.all(terms)?),
            DataTermKind::Apply(name, terms) => return self.apply(name, terms, term.span),
            DataTermKind::Unary(op, inner) => unary(*op, self.value(inner)?, term.span)?,
            DataTermKind::Binary(op, sides) => {
                return self.binary(*op, &sides[0], &sides[1], term.span);
            }
            DataTermKind::ForValues(quantifier, variables, body) => {
                Value::Bool(self.checked(variables, term.span, |inner| {
                    inner.quantified(*quantifier, variables, body)
                })?)
            }
        })
    }

    fn apply(&mut self, name: &str, terms: &[DataTerm], span: Span) -> Evaluated<Value> {
        if name == "if"
            && let [condition, then, otherwise] = terms
        {
            let branch = if self.truth(condition)? { then } else { otherwise };
            return self.value(branch);
        }
        let arguments = self.all(terms)?;
        let is_constructor = self.functions.is_constructor(name, arguments.len());
        let is_shift = matches!((name, &arguments[..]), ("succ" | "pred", [Value::Number(_)]));
        if !is_constructor && !is_shift && arguments.iter().any(Value::is_representative) {
            return Err(representative(&arguments.iter().collect::<Vec<_>>(), span));
        }
        if let Some(value) = apply(&self.functions, name, &arguments, span)? {
            return Ok(value);
        }
        if let Some(value) = builtin(name, &arguments, span)? {
            return Ok(value);
        }
        if is_constructor {
            return Ok(Value::Term(name.to_owned(), arguments));
        }
        Err(Box::new(
            Diagnostic::error(
                format!("`{name}` has no meaning here"),
                span,
                "neither declared nor part of an action of the system",
            )
            .with_help(
                "an LTS does not know the functions of its specification; constructors are \
                 declared before the formula: `sort D = struct d1 | d2; form …`",
            ),
        ))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &DataTerm,
        right: &DataTerm,
        span: Span,
    ) -> Evaluated<Value> {
        use BinaryOp::{And, Implies, Or};
        if let And | Or | Implies = op {
            let first = self.truth(left)?;
            let is_decided = first == (op == Or);
            return Ok(Value::Bool(match is_decided {
                true => op != And,
                false => self.truth(right)?,
            }));
        }
        let (a, b) = (self.value(left)?, self.value(right)?);
        // A number without a bound may be shifted by a constant only: there is room for that.
        let is_literal = |term: &DataTerm| matches!(term.kind, DataTermKind::Number(_));
        let is_shift = matches!(op, BinaryOp::Add | BinaryOp::Subtract);
        let is_shifted = is_shift
            && match (&a, &b) {
                (Value::Number(a), Value::Number(b)) => {
                    a.is_generic && is_literal(right) || b.is_generic && is_literal(left)
                }
                _ => false,
            };
        if !is_shifted && !self.is_compared_alike(op, &a, &b) {
            return Err(representative(&[&a, &b], span));
        }
        Ok(match (op, &a, &b) {
            (BinaryOp::Equal, ..) => Value::Bool(a == b),
            (BinaryOp::Unequal, ..) => Value::Bool(a != b),
            (BinaryOp::In, _, Value::List(items) | Value::Set(items)) => {
                Value::Bool(items.contains(&a))
            }
            (BinaryOp::Cons, _, Value::List(items)) => {
                Value::List(std::iter::once(a.clone()).chain(items.iter().cloned()).collect())
            }
            (BinaryOp::Snoc, Value::List(items), _) => {
                Value::List(items.iter().cloned().chain([b.clone()]).collect())
            }
            (BinaryOp::Concat, Value::List(first), Value::List(second)) => {
                Value::List([&first[..], second].concat())
            }
            (BinaryOp::Add, Value::Set(first), Value::Set(second)) => {
                set([&first[..], second].concat())
            }
            (BinaryOp::Subtract, Value::Set(first), Value::Set(second)) => {
                Value::Set(first.iter().filter(|item| !second.contains(item)).cloned().collect())
            }
            (BinaryOp::Multiply, Value::Set(first), Value::Set(second)) => {
                Value::Set(first.iter().filter(|item| second.contains(item)).cloned().collect())
            }
            (BinaryOp::At, Value::List(items), Value::Number(at)) => {
                let item = usize::try_from(at.value).ok().and_then(|at| items.get(at));
                item.cloned().ok_or_else(|| wrong(span, "beyond the end of the list", "no item"))?
            }
            (_, Value::Number(a), Value::Number(b)) => numbers(op, *a, *b, span)?,
            _ => return Err(wrong(span, "operands of the wrong sorts", no_meaning(&[&a, &b]))),
        })
    }

    /// Whether all values that the operands stand for give one result: a representative is compared with a number that
    /// was known when the representatives were chosen, or there is none.
    fn is_compared_alike(&self, op: BinaryOp, a: &Value, b: &Value) -> bool {
        use BinaryOp::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        if !a.is_representative() && !b.is_representative() {
            return true;
        }
        matches!(op, Equal | Unequal | Less | AtMost | AtLeast | Greater)
            && match (a, b) {
                (Value::Number(a), Value::Number(b)) => {
                    let known = if a.is_generic { b } else { a };
                    !known.is_generic && self.known_numbers.contains(known.value)
                }
                _ => false,
            }
    }

    /// Whether the body is true for all values of the variables, or for one.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variables: &[DataVarId],
        body: &DataTerm,
    ) -> Evaluated<bool> {
        let Some((&first, rest)) = variables.split_first() else { return self.truth(body) };
        let decisive = quantifier == Quantifier::Exists;
        let domain = self.domain(first).ok_or_else(|| unbounded(body.span))?;
        let before = self.values[first].take();
        let mut found = !decisive;
        for value in domain.iter() {
            self.values[first] = Some(value.clone());
            if self.quantified(quantifier, rest, body)? == decisive {
                found = decisive;
                break;
            }
        }
        self.values[first] = before;
        Ok(found)
    }
}

pub(super) fn set(mut items: Vec<Value>) -> Value {
    items.sort();
    items.dedup();
    Value::Set(items)
}

fn unary(op: UnaryOp, value: Value, span: Span) -> Evaluated<Value> {
    Ok(match (op, value) {
        (UnaryOp::Not, Value::Bool(value)) => Value::Bool(!value),
        (UnaryOp::Minus, Value::Number(Number { is_generic: true, .. })) => {
            return Err(unbounded(span));
        }
        (UnaryOp::Minus, Value::Number(number)) => {
            let value = number.value.checked_neg().ok_or_else(|| too_large(span))?;
            Value::Number(Number { value, ..number })
        }
        (UnaryOp::Size, Value::List(items) | Value::Set(items)) => {
            Value::number(items.len() as i64)
        }
        (_, value) => {
            return Err(wrong(span, "an operand of the wrong sort", no_meaning(&[&value])));
        }
    })
}

fn numbers(op: BinaryOp, a: Number, b: Number, span: Span) -> Evaluated<Value> {
    let (x, y) = (a.value, b.value);
    match op {
        BinaryOp::Less => return Ok(Value::Bool(x < y)),
        BinaryOp::AtMost => return Ok(Value::Bool(x <= y)),
        BinaryOp::AtLeast => return Ok(Value::Bool(x >= y)),
        BinaryOp::Greater => return Ok(Value::Bool(x > y)),
        _ => {}
    }
    let is_shift = matches!(op, BinaryOp::Add | BinaryOp::Subtract);
    if (a.is_generic || b.is_generic) && !(is_shift && a.is_generic != b.is_generic) {
        return Err(unbounded(span));
    }
    if matches!(op, BinaryOp::Div | BinaryOp::Mod) && y <= 0 {
        return Err(wrong(span, "division by a number that is not positive", "here"));
    }
    let value = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Subtract => x.checked_sub(y),
        BinaryOp::Multiply => x.checked_mul(y),
        BinaryOp::Div => Some(x.div_euclid(y)),
        BinaryOp::Mod => Some(x.rem_euclid(y)),
        _ => return Err(wrong(span, "operands of the wrong sorts", "these are numbers")),
    };
    let value = value.ok_or_else(|| too_large(span))?;
    Ok(Value::Number(Number { value, is_generic: a.is_generic || b.is_generic }))
}

fn no_meaning(values: &[&Value]) -> &'static str {
    match values.iter().any(|value| matches!(value, Value::Other(_))) {
        true => "one of them is a value that occurs in no action",
        false => "the operator has no meaning for these values",
    }
}

/// A quantifier in a term or in a formula over actions goes through an undeclared sort, and more values make a
/// difference.
fn undeclared(span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(
            "which values the sort has makes a difference here",
            span,
            "only the values that occur in actions are known",
        )
        .with_help("declare the sort before the formula: `sort D = struct d1 | d2; form …`"),
    )
}

/// A term tells values apart that one stands for.
fn representative(values: &[&Value], span: Span) -> Box<Diagnostic> {
    match values.iter().any(|value| value.has_other()) {
        true => undeclared(span),
        false => unbounded(span),
    }
}

/// Numbers beyond all that occur are too many to look at each.
pub(super) fn unbounded(span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(
            "a variable goes through infinitely many numbers here",
            span,
            "numbers without a bound are compared with those that occur, and shifted by constants",
        )
        .with_help("put a bound before it: `val(n < 10) && …`, `val(n < 10) => …`"),
    )
}

pub(super) fn too_large(span: Span) -> Box<Diagnostic> {
    wrong(span, "a number is too large", "beyond 64 bits")
}

pub(super) fn wrong(
    span: Span,
    message: impl Into<String>,
    label: impl Into<String>,
) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(message, span, label))
}
