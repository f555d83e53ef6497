//! Expressions: what they stand for.

use super::Builder;
use super::scope::{ArrayValue, State, Symbol, Value};
use super::unsupported::{Lowered, Refusal};
use crate::smv::ast::{Expr, ExprId};
use std::rc::Rc;
use support::{Diagnostic, Span};
use transition::{Binary, Choice, ChoiceId, InstanceId, NodeId, Type, Undefined};

impl Builder<'_, '_> {
    pub(super) fn lower(&mut self, scope: InstanceId, expr: ExprId) -> Lowered<Value> {
        let span = self.span(expr);
        let file = self.file;
        match file.exprs.get(expr) {
            Expr::Bool(value) => Ok(Value::Node(self.machine.exprs.bool(*value))),
            Expr::Int(value) => Ok(Value::Node(self.machine.exprs.int(*value))),
            Expr::Word { signed, width, value } => {
                let ty = Type::Word { signed: *signed, width: *width };
                Ok(Value::Node(self.machine.exprs.constant(*value, ty)))
            }
            Expr::Name(_) | Expr::Dot(..) => self.path(scope, expr),
            Expr::Element(array, index) => match self.lookup(scope, expr) {
                Some(symbol) => self.value_of(symbol),
                None => self.index(scope, *array, *index),
            },
            Expr::Bits(word, high, low) => self.bits(scope, *word, *high, *low).map(Value::Node),
            Expr::Not(a) => self.not(scope, *a).map(Value::Node),
            Expr::Neg(a) => self.negated(scope, *a).map(Value::Node),
            Expr::Chain(first, rest) => self.chain(scope, *first, rest),
            Expr::Implies(a, b) => self.implication(scope, *a, *b).map(Value::Node),
            Expr::Cond(c, a, b) => self.cases(scope, &[(*c, *a)], Some(*b), span),
            Expr::Case(branches) => self.cases(scope, branches, None, span),
            Expr::Call(function, operands) => {
                self.call(scope, *function, operands, span).map(Value::Node)
            }
            Expr::Set(values) => self.set(scope, values),
            Expr::Range(low, high) => self.range(scope, *low, *high),
            Expr::Array(values) => {
                let items: Lowered<Vec<Value>> =
                    values.iter().map(|&value| as_element(self.lower(scope, value))).collect();
                Ok(Value::Array(Rc::new(ArrayValue { low: 0, items: items? })))
            }
            Expr::Unsupported { construct, .. } => Err(Refusal::unsupported(construct, span)),
            _ => Err(self.temporal(span)),
        }
    }

    fn temporal(&mut self, span: Span) -> Refusal {
        self.error(|_| {
            let message = "a temporal operator where a value is expected";
            Diagnostic::error(message, span, "this is about paths").with_help(
                "temporal operators stand in specifications, joined by `&`, `|`, `!`, `->`",
            )
        })
    }

    fn path(&mut self, scope: InstanceId, expr: ExprId) -> Lowered<Value> {
        let symbol = self.lookup(scope, expr);
        let name = match self.file.exprs.get(expr) {
            Expr::Name(name) => Some(*name),
            _ => None,
        };
        let constant = match name {
            Some(name) => self.constant(name),
            // A constant of a flattened model may have dots.
            None => {
                super::names::joined(&self.file.exprs, expr).and_then(|name| self.constant(&name))
            }
        };
        match (symbol, constant) {
            // Processes are values of the selector, too.
            (Some(symbol @ Symbol::Instance(_)), _) | (Some(symbol), None) => self.value_of(symbol),
            (None, Some(value)) => {
                Ok(Value::Node(self.machine.exprs.constant(value, Type::Scalar)))
            }
            (None, None) => Err(self.unknown_name(scope, expr)),
            (Some(symbol), Some(_)) => {
                let span = self.span(expr);
                let message = format!("`{}` is both a name and a value", name.unwrap_or("this"));
                let warning = Diagnostic::warning(message, span, "the name is meant here");
                self.warning(warning.with_help("rename one of them: NuSMV does not accept this"));
                self.value_of(symbol)
            }
        }
    }

    fn value_of(&mut self, symbol: Symbol) -> Lowered<Value> {
        match symbol {
            Symbol::Var(var) => Ok(Value::Node(self.machine.now(var))),
            Symbol::Instance(instance) => Ok(Value::Instance(instance)),
            Symbol::Running(process) => Ok(Value::Node(self.is_running(process))),
            Symbol::Undeclared => Err(Refusal::Reported),
            Symbol::Unsupported(construct) => Err(Refusal::Unsupported(construct)),
            Symbol::Def(def) => {
                self.demand(vec![def]);
                match &self.definitions[def].state {
                    State::Done(value) => Ok(value.clone()),
                    State::Unsupported(construct) => Err(Refusal::Unsupported(*construct)),
                    _ => Err(Refusal::Reported),
                }
            }
            Symbol::Array(array) => {
                let (low, symbols) = (self.arrays[array].low, self.arrays[array].items.clone());
                let items: Lowered<Vec<Value>> =
                    symbols.into_iter().map(|symbol| as_element(self.value_of(symbol))).collect();
                Ok(Value::Array(Rc::new(ArrayValue { low, items: items? })))
            }
        }
    }

    /// Whether this process takes the step.
    pub(super) fn is_running(&mut self, process: InstanceId) -> NodeId {
        let Some(selector) = self.machine.selector else { return self.machine.exprs.bool(true) };
        let name = super::types::process_name(&self.machine.instances[process]);
        let value = self.constant(&name).unwrap_or_default();
        let selected = self.machine.now(selector);
        let value = self.machine.exprs.constant(value, Type::Scalar);
        self.machine.exprs.eq(selected, value)
    }

    /// A single value.
    pub(super) fn node(&mut self, scope: InstanceId, expr: ExprId) -> Lowered<NodeId> {
        let span = self.span(expr);
        match self.lower(scope, expr)? {
            Value::Node(node) => Ok(node),
            Value::Set(_) => Err(self.error(|_| {
                Diagnostic::error("a set where a single value is expected", span, "this is a set")
                    .with_help("sets stand on the right of `:=` and of `in`")
            })),
            value => Err(self.not_a_value(&value, span)),
        }
    }

    pub(super) fn not_a_value(&mut self, value: &Value, span: Span) -> Refusal {
        let (what, help) = match value {
            Value::Unsupported(construct) => return Refusal::Unsupported(*construct),
            Value::Instance(_) => {
                ("an instance of a module", "name one of its variables: `instance.variable`")
            }
            _ => ("an array", "name one of its elements: `array[0]`"),
        };
        self.error(|_| {
            Diagnostic::error(
                format!("{what} where a value is expected"),
                span,
                format!("this is {what}"),
            )
            .with_help(help)
        })
    }

    /// A truth value.
    pub(super) fn condition(&mut self, scope: InstanceId, expr: ExprId) -> Lowered<NodeId> {
        let node = self.node(scope, expr)?;
        let ty = self.machine.exprs.ty(node);
        if ty == Type::Bool {
            return Ok(node);
        }
        let span = self.span(expr);
        Err(self.error(|_| {
            let message = format!("expected a condition, found {}", describe(ty));
            let error = Diagnostic::error(message, span, format!("this is {}", describe(ty)));
            match ty {
                Type::Int { low: 1, high: 1 } => error.with_help("\"otherwise\" is written `TRUE`"),
                Type::Int { .. } => error.with_help("compare it with something: `x = 1`"),
                Type::Word { width: 1, .. } => error.with_help("write `bool(…)`"),
                _ => error,
            }
        }))
    }

    /// A set, or a single value as a set.
    pub(super) fn choice(&mut self, scope: InstanceId, expr: ExprId) -> Lowered<ChoiceId> {
        let span = self.span(expr);
        let value = self.lower(scope, expr)?;
        self.as_choice(value, span)
    }

    pub(super) fn as_choice(&mut self, value: Value, span: Span) -> Lowered<ChoiceId> {
        match value {
            Value::Node(node) => Ok(self.machine.one(node)),
            Value::Set(choice) => Ok(choice),
            value => Err(self.not_a_value(&value, span)),
        }
    }

    /// A set that is a single value counts as that.
    pub(super) fn value_from(&self, choice: ChoiceId) -> Value {
        self.machine.choices.as_one(choice).map_or(Value::Set(choice), Value::Node)
    }

    fn set(&mut self, scope: InstanceId, values: &[ExprId]) -> Lowered<Value> {
        let parts: Lowered<Vec<ChoiceId>> =
            values.iter().map(|&value| self.choice(scope, value)).collect();
        let places: Vec<Span> = values.iter().map(|&value| self.span(value)).collect();
        let parts = parts?;
        self.check_union(&parts, &places)?;
        let choice = self.machine.any_of(parts);
        Ok(self.value_from(choice))
    }

    /// The elements of a set are of one sort, and no words.
    pub(super) fn check_union(&mut self, parts: &[ChoiceId], places: &[Span]) -> Lowered<()> {
        let types: Vec<Type> = parts.iter().map(|&part| self.set_type(part)).collect();
        for (index, &ty) in types.iter().enumerate() {
            if let Type::Word { .. } = ty
                && types.len() > 1
            {
                return Err(self.error(|_| {
                    Diagnostic::error("words in a set", places[index], "this is a word")
                        .with_help("choose by a variable: `c ? a : b` with `c` a boolean `IVAR`")
                }));
            }
            if !is_one_sort(types[0], ty) {
                return Err(self.error(|_| {
                    let message = "a set of different sorts of values";
                    Diagnostic::error(message, places[index], format!("this is {}", describe(ty)))
                        .with_label(places[0], format!("this is {}", describe(types[0])))
                }));
            }
        }
        Ok(())
    }

    /// The type that has all values of a set.
    pub(super) fn set_type(&self, set: ChoiceId) -> Type {
        let mut found: Option<Type> = None;
        for part in self.machine.choices.below(set) {
            let ty = match *self.machine.choices.get(part) {
                Choice::One(node) => self.machine.exprs.ty(node),
                Choice::Range(low, high) => Type::Int { low, high },
                Choice::Any(_) | Choice::If(..) => continue,
            };
            found = Some(found.map_or(ty, |found| joined(found, ty)));
        }
        found.unwrap_or(Type::Bool)
    }

    fn range(&mut self, scope: InstanceId, low: ExprId, high: ExprId) -> Lowered<Value> {
        let (low, high) = self.bounds(scope, low, high)?;
        let choice = self.machine.one_of_range(low, high);
        Ok(self.value_from(choice))
    }

    /// `case … esac` and `c ? a : b`.
    fn cases(
        &mut self,
        scope: InstanceId,
        branches: &[(ExprId, ExprId)],
        otherwise: Option<ExprId>,
        span: Span,
    ) -> Lowered<Value> {
        let mut lowered = Vec::new();
        let mut refused = None;
        for &(condition, value) in branches {
            match (self.condition(scope, condition), self.choice(scope, value)) {
                (Ok(condition), Ok(value)) => lowered.push((condition, value)),
                (Err(refusal), _) | (_, Err(refusal)) => refused = Some(refusal),
            }
        }
        let otherwise = otherwise.map(|value| (self.choice(scope, value), self.span(value)));
        if let Some(refusal) = refused {
            return Err(refusal);
        }
        let mut places: Vec<(ChoiceId, Span)> =
            lowered.iter().zip(branches).map(|(&(_, c), &(_, e))| (c, self.span(e))).collect();
        let mut chosen = match otherwise {
            Some((value, place)) => {
                let value = value?;
                places.push((value, place));
                value
            }
            None => self.without_branch(&mut lowered, span),
        };
        self.check_branches(&places)?;
        for (condition, value) in lowered.into_iter().rev() {
            chosen = self.machine.choose_if(condition, value, chosen);
        }
        Ok(self.value_from(chosen))
    }

    /// The value of a `case` where no condition holds: none, unless the conditions cover everything,
    /// and then the last one need not be asked for.
    fn without_branch(&mut self, lowered: &mut Vec<(NodeId, ChoiceId)>, span: Span) -> ChoiceId {
        let conditions = lowered.iter().map(|&(condition, _)| condition).collect();
        let some = self.machine.exprs.join(Binary::Or, conditions);
        let none = self.machine.exprs.not(some);
        if self.machine.is_never(none)
            && let Some((_, last)) = lowered.pop()
        {
            return last;
        }
        let ty = self.set_type(lowered[0].1);
        let node = self.machine.fault(Undefined::NoCase, span, ty);
        self.machine.one(node)
    }

    /// All branches give one sort of values.
    fn check_branches(&mut self, places: &[(ChoiceId, Span)]) -> Lowered<()> {
        let first = self.set_type(places[0].0);
        for &(choice, span) in places {
            let ty = self.set_type(choice);
            if !is_one_sort(first, ty) {
                return Err(self.error(|_| {
                    let message = "the branches give different sorts of values";
                    Diagnostic::error(message, span, format!("this is {}", describe(ty)))
                        .with_label(places[0].1, format!("this is {}", describe(first)))
                }));
            }
        }
        Ok(())
    }
}

/// An element of an array, which others do not depend on.
fn as_element(value: Lowered<Value>) -> Lowered<Value> {
    match value {
        Err(Refusal::Unsupported(construct)) => Ok(Value::Unsupported(construct)),
        value => value,
    }
}

/// Whether values of both can be compared: integers go with symbols.
pub(super) fn is_one_sort(a: Type, b: Type) -> bool {
    let is_scalar = |ty: Type| matches!(ty, Type::Int { .. } | Type::Scalar);
    a == b || (is_scalar(a) && is_scalar(b))
}

fn joined(a: Type, b: Type) -> Type {
    match (a, b) {
        (Type::Int { low: a, high: b }, Type::Int { low: c, high: d }) => {
            Type::Int { low: a.min(c), high: b.max(d) }
        }
        (Type::Scalar, Type::Int { .. }) | (Type::Int { .. }, Type::Scalar) => Type::Scalar,
        (a, _) => a,
    }
}

/// A type in words.
pub(super) fn describe(ty: Type) -> String {
    match ty {
        Type::Bool => "a truth value".to_owned(),
        Type::Int { .. } => "an integer".to_owned(),
        Type::Scalar => "a symbolic value".to_owned(),
        Type::Word { signed: false, width } => format!("an unsigned word of {width} bits"),
        Type::Word { signed: true, width } => format!("a signed word of {width} bits"),
    }
}
