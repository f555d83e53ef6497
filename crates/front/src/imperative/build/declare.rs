//! Variables.

use super::Builder;
use super::scope::{Array, Entry};
use crate::imperative::ast::{Declaration, Name, Type, Value};
use crate::imperative::complaints::{self, twice};
use crate::sink::Parsed;
use support::{Diagnostic, Span};
use transition::{
    Binary, Constraint, Domain, InstanceId, MachineVar, NodeId, Section, VarId, VarKind,
    symbol_value,
};

/// More elements than this are not supported.
const LONGEST_ARRAY: i64 = 1 << 12;

/// More variables than this are not supported.
const MOST_VARS: usize = 1 << 20;

impl<'a> Builder<'_, 'a> {
    /// Declares variables, of a procedure or process if one is named.
    pub(super) fn declare(&mut self, declared: &[Declaration<'a>], owner: Option<&str>) {
        for declaration in declared {
            // What is wrong is in the sink.
            let _ = self.declare_one(declaration, owner);
        }
    }

    /// Says with which values variables begin, of a process if one is named.
    pub(super) fn initial_values(&mut self, declared: &[Declaration<'a>], owner: Option<&str>) {
        for declaration in declared {
            // What is wrong is in the sink.
            let _ = self.initial(declaration, owner);
        }
    }

    fn declare_one(&mut self, declared: &Declaration<'a>, owner: Option<&str>) -> Parsed<()> {
        let Declaration { name, array, ty, ty_span, .. } = declared;
        let full = full_name(owner, name.text);
        self.refuse_known(*name, &full)?;
        let domain = self.domain(ty, *ty_span)?;
        self.refuse_constant(*name)?;
        let entry = match *array {
            None => Entry::Var(self.var(full.clone(), domain, name.span)?),
            Some((low, high)) => {
                self.refuse_long_array(low, high, *ty_span)?;
                let first = self.var(format!("{full}[{low}]"), domain.clone(), name.span)?;
                for index in low + 1..=high {
                    self.var(format!("{full}[{index}]"), domain.clone(), name.span)?;
                }
                Entry::Array(Array { low, first, len: (high - low + 1) as u32 })
            }
        };
        self.scope.insert(full, entry);
        Ok(())
    }

    fn refuse_known(&mut self, name: Name, full: &str) -> Parsed<()> {
        if let Some(Entry::Var(first) | Entry::Array(Array { first, .. })) = self.scope.get(full) {
            let first = self.program.data.vars[first].span;
            return Err(self.sink.error(|| twice("the variable", name, first)));
        }
        self.refuse_constant(name)
    }

    fn refuse_constant(&mut self, name: Name) -> Parsed<()> {
        if self.program.data.symbols.get(name.text).is_some() {
            return Err(self.sink.error(|| complaints::variable_called_like_constant(name)));
        }
        Ok(())
    }

    fn refuse_long_array(&mut self, low: i64, high: i64, span: Span) -> Parsed<()> {
        if high - low < LONGEST_ARRAY {
            return Ok(());
        }
        Err(self.sink.error(|| {
            let message = format!("the array has more than {LONGEST_ARRAY} elements");
            Diagnostic::error(message, span, "too many elements")
                .with_help("every element is a variable of its own: take fewer")
        }))
    }

    pub(super) fn var(&mut self, name: String, domain: Domain, span: Span) -> Parsed<VarId> {
        let vars = &mut self.program.data.vars;
        if vars.len() < MOST_VARS {
            let instance = InstanceId(0);
            return Ok(vars.push(MachineVar {
                name,
                domain,
                kind: VarKind::State,
                instance,
                span,
            }));
        }
        Err(self.sink.error(|| complaints::too_many_variables(MOST_VARS, span)))
    }

    fn domain(&mut self, ty: &Type<'a>, span: Span) -> Parsed<Domain> {
        match ty {
            Type::Int if self.over_integers() => Ok(Domain::INTEGERS),
            Type::Int => Err(self.sink.error(|| {
                let message = "`int` has no bounds, and here all must have some";
                Diagnostic::error(message, span, "has infinitely many values")
                    .with_help("say from where to where: `0..255`")
            })),
            Type::Bool => Ok(Domain::Bool),
            Type::Range(low, high) => Ok(Domain::Range(*low, *high)),
            Type::Enum(names) => {
                let mut values: Vec<i64> = Vec::new();
                let mut seen = rustc_hash::FxHashMap::default();
                for name in names {
                    if let Some(first) = seen.insert(name.text, name.span) {
                        return Err(self.sink.error(|| twice("the constant", *name, first)));
                    }
                    values.push(self.constant(*name)?);
                }
                Ok(Domain::Values(values))
            }
        }
    }

    fn constant(&mut self, name: Name) -> Parsed<i64> {
        if self.scope.get(name.text).is_some() {
            return Err(self.sink.error(|| complaints::constant_called_like_variable(name)));
        }
        Ok(symbol_value(self.machine().symbols.intern(name.text)))
    }

    fn initial(&mut self, declared: &Declaration<'a>, owner: Option<&str>) -> Parsed<()> {
        let Some((value, span)) = &declared.init else { return Ok(()) };
        let vars: Vec<VarId> = match self.scope.get(&full_name(owner, declared.name.text)) {
            Some(Entry::Var(var)) => vec![var],
            Some(Entry::Array(array)) => array.elements().collect(),
            None => return Ok(()),
        };
        let exprs = match value {
            Value::Any => return Ok(()),
            Value::One(expr) => std::slice::from_ref(expr),
            Value::Set(exprs) => &exprs[..],
        };
        let mut values: Vec<NodeId> = Vec::new();
        for &expr in exprs {
            values.push(self.initial_value(vars[0], expr)?);
        }
        for var in vars {
            let now = self.machine().now(var);
            let equal = |&value: &NodeId| self.program.data.exprs.eq(now, value);
            let equal: Vec<NodeId> = values.iter().map(equal).collect();
            let node = self.machine().exprs.join(Binary::Or, equal);
            let constraint =
                Constraint { section: Section::Init, node, instance: InstanceId(0), span: *span };
            self.machine().constraints.push(constraint);
        }
        Ok(())
    }

    fn initial_value(
        &mut self,
        var: VarId,
        expr: crate::imperative::ast::ExprId,
    ) -> Parsed<NodeId> {
        let span = self.span(expr);
        let value = self.value_for(var, expr)?;
        let exprs = &self.program.data.exprs;
        let is_defined = exprs.as_constant(value.defined) == Some(1);
        let Some(number) = exprs.as_constant(value.value).filter(|_| is_defined) else {
            return Err(self.sink.error(|| complaints::initial_value_depends(span)));
        };
        if self.program.data.vars[var].domain.contains(number) {
            return Ok(value.value);
        }
        let described = &self.program.data.vars[var];
        let found = described.domain.text(number, &self.program.data.symbols);
        Err(self.sink.error(|| {
            complaints::initial_value_outside(&described.name, &found, span, described.span)
        }))
    }
}

/// Variables of a procedure or process `p` are called `p.x`.
fn full_name(owner: Option<&str>, name: &str) -> String {
    owner.map_or_else(|| name.to_owned(), |owner| format!("{owner}.{name}"))
}
