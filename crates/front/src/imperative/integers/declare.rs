//! Variables.

use super::build::Builder;
use super::expr::{Data, Total};
use super::{IntegerDomain, IntegerVariable, linear};
use crate::imperative::ast::{Declaration, ExprId, Name, Process as Written, Type, Value};
use crate::imperative::build::Sort;
use crate::imperative::complaints::{self, twice};
use crate::sink::Parsed;
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};
use transition::predicates::{Condition, Term};

/// More variables than this are not supported.
const MOST_VARIABLES: usize = 1 << 16;

impl IntegerDomain {
    pub(super) fn sort(&self) -> Sort {
        match self {
            IntegerDomain::Int | IntegerDomain::Range(..) => Sort::Number,
            IntegerDomain::Bool => Sort::Truth,
            IntegerDomain::Constants(_) => Sort::Constant,
        }
    }
}

impl<'a> Builder<'_, 'a> {
    /// Declares variables, of a procedure or process if one is named.
    pub(super) fn declare(&mut self, declared: &[Declaration<'a>], owner: Option<&str>) {
        for declaration in declared {
            // What is wrong is in the sink.
            let _ = self.declare_one(declaration, owner);
        }
    }

    fn declare_one(&mut self, declared: &Declaration<'a>, owner: Option<&str>) -> Parsed<u32> {
        let Declaration { name, array, ty, ty_span, .. } = declared;
        let full = match owner {
            Some(owner) => format!("{owner}.{}", name.text),
            None => name.text.to_owned(),
        };
        if let Some(&first) = self.scope.get(&full) {
            let first = self.variables[first as usize].span;
            return Err(self.sink.error(|| twice("the variable", *name, first)));
        }
        self.refuse_constant(*name)?;
        if array.is_some() {
            return Err(self.no_arrays(*ty_span));
        }
        let domain = self.domain(ty)?;
        self.refuse_constant(*name)?;
        self.variable(full, domain, name.span)
    }

    fn refuse_constant(&mut self, name: Name) -> Parsed<()> {
        match self.constants.contains_key(name.text) {
            true => Err(self.sink.error(|| complaints::variable_called_like_constant(name))),
            false => Ok(()),
        }
    }

    pub(super) fn variable(
        &mut self,
        name: String,
        domain: IntegerDomain,
        span: Span,
    ) -> Parsed<u32> {
        if self.variables.len() >= MOST_VARIABLES {
            let most = MOST_VARIABLES;
            return Err(self.sink.error(|| complaints::too_many_variables(most, span)));
        }
        let number = self.variables.len() as u32;
        self.variables.push(IntegerVariable { domain, span });
        self.names.push(name.clone());
        self.scope.insert(name, number);
        Ok(number)
    }

    fn domain(&mut self, ty: &Type<'a>) -> Parsed<IntegerDomain> {
        match ty {
            Type::Int => Ok(IntegerDomain::Int),
            Type::Bool => Ok(IntegerDomain::Bool),
            Type::Range(low, high) => Ok(IntegerDomain::Range(*low, *high)),
            Type::Enum(names) => {
                let mut values: Vec<(i64, String)> = Vec::new();
                let mut seen = FxHashMap::default();
                for name in names {
                    if let Some(first) = seen.insert(name.text, name.span) {
                        return Err(self.sink.error(|| twice("the constant", *name, first)));
                    }
                    values.push((self.constant(*name)?, name.text.to_owned()));
                }
                values.sort_unstable();
                Ok(IntegerDomain::Constants(values))
            }
        }
    }

    fn constant(&mut self, name: Name<'a>) -> Parsed<i64> {
        if self.scope.contains_key(name.text) {
            return Err(self.sink.error(|| complaints::constant_called_like_variable(name)));
        }
        let next = self.constants.len() as i64;
        Ok(*self.constants.entry(name.text).or_insert(next))
    }

    /// What the initial values of variables say, of a process if one is named.
    pub(super) fn initial_values(&mut self, declared: &[Declaration<'a>], owner: Option<&str>) {
        for declaration in declared {
            let name = declaration.name.text;
            let full = owner.map_or_else(|| name.to_owned(), |owner| format!("{owner}.{name}"));
            if let (Some((value, _)), Some(&number)) = (&declaration.init, self.scope.get(&full)) {
                // What is wrong is in the sink.
                let _ = self.initial(number, value);
            }
        }
    }

    fn initial(&mut self, variable: u32, value: &Value) -> Parsed<()> {
        let exprs = match value {
            Value::Any => return Ok(()),
            Value::One(expr) => std::slice::from_ref(expr),
            Value::Set(exprs) => &exprs[..],
        };
        let mut values: Vec<i64> = Vec::new();
        for &expr in exprs {
            values.push(self.initial_value(variable, expr)?);
        }
        let holds = linear::among(&Term::Variable(variable), values.into_iter());
        self.initially.insert(variable, holds);
        Ok(())
    }

    fn initial_value(&mut self, variable: u32, expr: ExprId) -> Parsed<i64> {
        let span = self.exprs.span(expr);
        let total = self.value_for(variable, expr)?;
        let Some(value) = as_constant(&total) else {
            return Err(self.sink.error(|| complaints::initial_value_depends(span)));
        };
        let IntegerVariable { domain, span: declared } = &self.variables[variable as usize];
        if domain.contains(value) {
            return Ok(value);
        }
        let named = self.constants.iter().find(|(_, number)| **number == value);
        let shown = match (domain, named) {
            (IntegerDomain::Constants(_), Some((name, _))) => (*name).to_owned(),
            _ => domain.shown(value),
        };
        let name = &self.names[variable as usize];
        Err(self.sink.error(|| complaints::initial_value_outside(name, &shown, span, *declared)))
    }

    /// The variables of a process, whose name nothing else has.
    pub(super) fn declare_process(&mut self, written: &Written<'a>, first: Option<Span>) {
        let name = written.name;
        if let Some(first) = first {
            self.sink.error(|| twice("the process", name, first));
            return;
        }
        if let Some(known) = self.procedures.get(name.text) {
            let span = known.written.name.span;
            self.sink.error(|| {
                let message = format!("`{}` is a procedure", name.text);
                Diagnostic::error(message, name.span, "cannot be a process too")
                    .with_label(span, "declared here")
                    .with_help("choose another name")
            });
        }
        self.declare(&written.locals, Some(name.text));
        self.initial_values(&written.locals, Some(name.text));
    }
}

/// Its number, if it is always the same.
fn as_constant(total: &Total<Data>) -> Option<i64> {
    match (&total.value, &total.defined) {
        (Data::Truth(Condition::Constant(value)), Condition::Constant(true)) => {
            Some(i64::from(*value))
        }
        (
            Data::Number(Term::Constant(value)) | Data::Constant(Term::Constant(value)),
            Condition::Constant(true),
        ) => Some(*value),
        _ => None,
    }
}
