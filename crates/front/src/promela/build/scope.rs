//! Names: what they stand for, and how declarations make them.

use super::super::ast::{Declaration, Expr as Ast, Init, Name, Reference, Type};
use super::super::program::{
    Array, ArrayId, Channel, ChannelId, ExprId, PromelaExpr, PromelaVar, VarId, VarType,
};
use super::Builder;
use crate::sink::{Parsed, Reported};
use crate::symbols::SymbolKind;
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};

/// More elements than this are too many for one array, and more variables than this for one program.
const MOST_ELEMENTS: i32 = 1 << 12;
const MOST_VARS: usize = 1 << 16;
/// As in Spin.
const MOST_CAPACITY: i32 = 255;

#[derive(Clone, Debug)]
pub(in crate::promela) enum Symbol<'a> {
    Const(i32),
    Var(VarId),
    Array(ArrayId),
    Channel(ChannelId),
    Channels(Vec<ChannelId>),
    /// A structure, or an array of structures: then each of its fields is an array.
    Struct {
        is_array: bool,
        fields: Scope<'a>,
    },
}

#[derive(Clone, Default, Debug)]
pub(in crate::promela) struct Scope<'a> {
    symbols: FxHashMap<&'a str, (Symbol<'a>, Span)>,
}

impl<'a> Scope<'a> {
    pub fn get(&self, name: &str) -> Option<&Symbol<'a>> {
        self.symbols.get(name).map(|(symbol, _)| symbol)
    }

    pub fn place(&self, name: &str) -> Option<Span> {
        self.symbols.get(name).map(|(_, span)| *span)
    }

    pub fn add(&mut self, name: Name<'a>, symbol: Symbol<'a>) {
        self.symbols.insert(name.text, (symbol, name.span));
    }

    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.symbols.keys().copied()
    }
}

/// When a variable gets the value that its declaration says; before that it is 0.
#[derive(Clone, Copy)]
pub(super) enum Begins {
    AtStart,
    WhereItStands,
}

/// The object of a reference in an expression.
pub(super) enum Found {
    Const(i32),
    Var(VarId),
    Element(ArrayId, ExprId),
    Channel(ChannelId),
    OneOf(Vec<ChannelId>, ExprId),
}

/// A variable that is declared and what its elements begin with.
struct Shape<'f, 'a> {
    ty: VarType,
    length: Option<i32>,
    init: &'f Init<'a>,
    name: String,
    span: Span,
}

impl<'f, 'a> Builder<'f, 'a> {
    fn scope(&mut self) -> &mut Scope<'a> {
        match &mut self.at {
            Some(context) => match context.scopes.last_mut() {
                Some(scope) => scope,
                None => &mut self.globals,
            },
            None => &mut self.globals,
        }
    }

    /// Declares a variable. What it begins with has to be known, except in a process, where it can be
    /// computed when the process is started.
    pub(super) fn declare(
        &mut self,
        declaration: &'f Declaration<'a>,
        begins: Begins,
    ) -> Parsed<()> {
        let name = declaration.name;
        self.expect_new(name)?;
        let length = match &declaration.length {
            Some(length) => Some(self.length(length)?),
            None => None,
        };
        let symbol = match declaration.ty {
            Type::Simple(ty) => {
                let name = self.unused_name(name.text);
                let span = declaration.name.span;
                let init = match (begins, &declaration.init) {
                    (Begins::WhereItStands, Init::Value(_)) => &Init::None,
                    (_, init) => init,
                };
                self.variable(Shape { ty, length, init, name, span })?
            }
            Type::Channel => self.channel(declaration, length)?,
            Type::Defined(ty) => self.structure(ty, declaration, length)?,
        };
        self.add_symbol(name, symbol);
        Ok(())
    }

    /// A name that is known here cannot mean something else in an inner block, as in Spin.
    pub(super) fn expect_new(&mut self, name: Name<'a>) -> Parsed<()> {
        let Some(first) = self.scope_of(name.text).and_then(|scope| scope.place(name.text)) else {
            return Ok(());
        };
        Err(self.sink.error(|| {
            let message = format!("`{}` is declared twice", name.text);
            Diagnostic::error(message, name.span, "declared again here")
                .with_label(first, "declared first here")
        }))
    }

    /// Makes a name known here, and to those who ask the process from outside.
    pub(super) fn add_symbol(&mut self, name: Name<'a>, symbol: Symbol<'a>) {
        if let Some(process) = self.at.as_ref().map(|context| context.process)
            && self.locals[process].get(name.text).is_none()
        {
            self.locals[process].add(name, symbol.clone());
        }
        let kind = match symbol {
            Symbol::Const(_) => SymbolKind::Constant,
            Symbol::Channel(_) | Symbol::Channels(_) => SymbolKind::Channel,
            _ => SymbolKind::Variable,
        };
        self.sink.symbols.define(kind, name.span);
        self.scope().add(name, symbol);
    }

    /// Blocks of one process may have variables of the same name.
    fn unused_name(&self, name: &str) -> String {
        let process = self.at.as_ref().map(|context| context.process);
        let Some(process) = process else { return name.to_owned() };
        match self.locals[process].get(name) {
            None => name.to_owned(),
            Some(_) => {
                let own = self.program.vars.values().filter(|var| var.owner == Some(process));
                format!("{name}_{}", own.count())
            }
        }
    }

    fn length(&mut self, length: &Ast<'a>) -> Parsed<i32> {
        let value = self.constant(length)?;
        if (1..=MOST_ELEMENTS).contains(&value) {
            return Ok(value);
        }
        let message = format!("an array of {value} elements");
        Err(self.error(length.span, message, &format!("there can be 1 to {MOST_ELEMENTS}")))
    }

    fn variable(&mut self, shape: Shape<'f, 'a>) -> Parsed<Symbol<'a>> {
        let first = VarId(self.program.vars.len() as u32);
        if self.program.vars.len() + shape.length.unwrap_or(1) as usize > MOST_VARS {
            return Err(self.error(shape.span, "there are too many variables", "one too many"));
        }
        let inits = self.inits(&shape)?;
        for index in 0..shape.length.unwrap_or(1) {
            let name = match shape.length {
                Some(_) => format!("{}[{index}]", shape.name),
                None => shape.name.clone(),
            };
            let owner = self.at.as_ref().map(|context| context.process);
            let var = PromelaVar { name, ty: shape.ty, init: 0, owner, span: shape.span };
            self.program.vars.push(var);
        }
        for (index, init) in inits.into_iter().enumerate() {
            self.set_init(VarId(first.0 + index as u32), init, shape.span)?;
        }
        match shape.length {
            None => Ok(Symbol::Var(first)),
            Some(len) => {
                let array = Array { name: shape.name, first, len: len as u32 };
                Ok(Symbol::Array(self.program.arrays.push(array)))
            }
        }
    }

    /// The initial value of each element.
    fn inits(&mut self, shape: &Shape<'f, 'a>) -> Parsed<Vec<ExprId>> {
        let length = shape.length.unwrap_or(1) as usize;
        match shape.init {
            Init::None => Ok(Vec::new()),
            Init::Value(value) => Ok(vec![self.expr(value)?; length]),
            Init::List(values) if shape.length.is_some() && values.len() <= length => {
                values.iter().map(|value| self.expr(value)).collect()
            }
            Init::List(_) => Err(self.error(shape.span, "a list that does not fit", "too short")),
            Init::Channel(..) => {
                Err(self.error(shape.span, "only a `chan` can be a channel", "this is none"))
            }
        }
    }

    /// The initial value of a variable: a number, or an expression evaluated when its process is started.
    pub(super) fn set_init(&mut self, var: VarId, value: ExprId, span: Span) -> Parsed<()> {
        if let PromelaExpr::Const(value) = self.program.exprs[value] {
            self.program.vars[var].init = self.program.vars[var].ty.cut(value);
            return Ok(());
        }
        let Some(process) = self.at.as_ref().map(|context| context.process) else {
            return Err(self.error(span, "the first value is no constant", "begins with it"));
        };
        if self.program.processes[process].is_active {
            let start = self.at_start(value);
            let PromelaExpr::Const(value) = self.program.exprs[start] else {
                return Err(self.error(span, "the first value is no constant", "begins with it"));
            };
            self.program.vars[var].init = self.program.vars[var].ty.cut(value);
            return Ok(());
        }
        let entry = self.entries[process].clone();
        let value = self.replaced(value, &|program, var| {
            let known = entry.iter().find(|(known, _)| *known == var);
            known.map(|(_, value)| *value).or_else(|| {
                let PromelaVar { owner, init, .. } = program.vars[var];
                (owner == Some(process)).then(|| program.exprs.push(PromelaExpr::Const(init)))
            })
        });
        self.entries[process].push((var, value));
        Ok(())
    }

    /// The value at the start of everything.
    fn at_start(&mut self, value: ExprId) -> ExprId {
        self.replaced(value, &|program, var| {
            let init = program.vars[var].init;
            Some(program.exprs.push(PromelaExpr::Const(init)))
        })
    }

    fn channel(
        &mut self,
        declaration: &'f Declaration<'a>,
        length: Option<i32>,
    ) -> Parsed<Symbol<'a>> {
        let Name { text, span } = declaration.name;
        let Init::Channel(capacity, fields) = &declaration.init else {
            return Err(self.sink.error(|| {
                Diagnostic::error("a channel that is not there", span, "has no room and no type")
                    .with_help("write `chan c = [2] of { byte }`; the channel of a name is fixed")
            }));
        };
        let value = self.constant(capacity)?;
        if !(0..=MOST_CAPACITY).contains(&value) {
            let label = format!("there can be 0 to {MOST_CAPACITY}");
            return Err(self.error(
                capacity.span,
                format!("a channel for {value} messages"),
                &label,
            ));
        }
        let owner = self.at.as_ref().map(|context| context.process);
        let name = self.unused_name(text);
        let mut ids = Vec::new();
        for index in 0..length.unwrap_or(1) {
            let name = match length {
                Some(_) => format!("{name}[{index}]"),
                None => name.clone(),
            };
            let fields = fields.iter().map(|(ty, _)| *ty).collect();
            let channel = Channel { name, capacity: value as u32, fields, owner, span };
            ids.push(self.program.channels.push(channel));
        }
        Ok(match length {
            Some(_) => Symbol::Channels(ids),
            None => Symbol::Channel(ids[0]),
        })
    }

    fn structure(
        &mut self,
        ty: Name<'a>,
        declaration: &'f Declaration<'a>,
        length: Option<i32>,
    ) -> Parsed<Symbol<'a>> {
        let file = self.file;
        let Some(typedef) = file.typedefs.iter().find(|typedef| typedef.name.text == ty.text)
        else {
            let names = file.typedefs.iter().map(|typedef| typedef.name.text);
            let error = Diagnostic::error(
                format!("there is no type `{}`", ty.text),
                ty.span,
                "not declared",
            )
            .with_nearest(ty.text, names);
            return Err(self.sink.error(|| error));
        };
        self.sink.symbols.used_as(typedef.name.span, ty.text, ty.span);
        let used = self.at.as_ref().map_or(declaration.name.span, |context| context.span);
        if used.start < typedef.name.span.start {
            return Err(self.used_early(ty, typedef.name.span));
        }
        if !matches!(declaration.init, Init::None) {
            let message = "a structure with a first value is not supported";
            return Err(self.error(declaration.name.span, message, "not supported"));
        }
        let name = self.unused_name(declaration.name.text);
        let mut fields = Scope::default();
        for field in &typedef.fields {
            let symbol = self.field(field, &name, length)?;
            fields.add(field.name, symbol);
        }
        Ok(Symbol::Struct { is_array: length.is_some(), fields })
    }

    /// A field of a structure, for all elements of an array if it is one.
    fn field(
        &mut self,
        field: &'f Declaration<'a>,
        outer: &str,
        length: Option<i32>,
    ) -> Parsed<Symbol<'a>> {
        let Type::Simple(ty) = field.ty else {
            let message = "a channel or a structure within a structure is not supported";
            return Err(self.error(field.name.span, message, "not supported"));
        };
        let own = match &field.length {
            Some(own) => Some(self.length(own)?),
            None => None,
        };
        if own.is_some() && length.is_some() {
            let message = "an array within an array of structures is not supported";
            return Err(self.error(field.name.span, message, "not supported"));
        }
        let (name, span) = (format!("{outer}.{}", field.name.text), field.name.span);
        let length = own.or(length);
        self.variable(Shape { ty, length, init: &field.init, name, span })
    }

    /// Resolves a reference.
    pub(super) fn find(&mut self, reference: &Reference<'a>) -> Parsed<Found> {
        let Name { text, span } = reference.name;
        match self.lookup(text).cloned() {
            Some(symbol) => {
                let definition = self.scope_of(text).and_then(|scope| scope.place(text));
                self.sink.symbols.used_as(definition.unwrap_or(span), text, span);
                self.within(&symbol, reference)
            }
            None => Err(self.unknown(reference)),
        }
    }

    /// Resolves a reference whose name has been looked up.
    pub(super) fn within(
        &mut self,
        symbol: &Symbol<'a>,
        reference: &Reference<'a>,
    ) -> Parsed<Found> {
        let index = match &reference.index {
            Some(index) => Some(self.expr(index)?),
            None => None,
        };
        match (symbol, index, &reference.field) {
            (Symbol::Struct { is_array: false, fields }, None, Some(field)) => {
                match fields.get(field.name.text) {
                    Some(inner) => self.within(&inner.clone(), field),
                    None => Err(self.no_field(field, fields)),
                }
            }
            (Symbol::Struct { is_array: true, fields }, Some(index), Some(field)) => {
                match fields.get(field.name.text) {
                    Some(Symbol::Array(array))
                        if field.index.is_none() && field.field.is_none() =>
                    {
                        self.element(*array, index)
                    }
                    Some(_) => Err(self.misused(reference, "the field has another type")),
                    None => Err(self.no_field(field, fields)),
                }
            }
            (_, _, Some(_)) => Err(self.misused(reference, "this has no fields")),
            (Symbol::Struct { .. }, ..) => {
                Err(self.misused(reference, "a structure is used field by field"))
            }
            (Symbol::Const(value), None, None) => Ok(Found::Const(*value)),
            (Symbol::Var(var), None, None) => Ok(Found::Var(*var)),
            (Symbol::Channel(channel), None, None) => Ok(Found::Channel(*channel)),
            (Symbol::Array(array), Some(index), None) => self.element(*array, index),
            (Symbol::Channels(all), Some(index), None) => Ok(self.one_of(all, index)),
            (Symbol::Array(_) | Symbol::Channels(_), None, None) => {
                Err(self.misused(reference, "an array is used element by element"))
            }
            (Symbol::Const(_) | Symbol::Var(_) | Symbol::Channel(_), Some(_), None) => {
                Err(self.misused(reference, "this is no array"))
            }
        }
    }

    fn misused(&mut self, reference: &Reference<'a>, label: &str) -> Reported {
        let message = format!("`{}` cannot be used like this", reference.name.text);
        self.error(reference.span, message, label)
    }

    fn no_field(&mut self, field: &Reference<'a>, fields: &Scope<'a>) -> Reported {
        let Name { text, span } = field.name;
        let error = Diagnostic::error(format!("there is no field `{text}`"), span, "not declared")
            .with_nearest(text, fields.names());
        self.sink.error(|| error)
    }

    fn element(&mut self, array: ArrayId, index: ExprId) -> Parsed<Found> {
        let PromelaExpr::Const(value) = self.program.exprs[index] else {
            return Ok(Found::Element(array, index));
        };
        // An index outside of the array is an error only where it is used.
        let element = self.program.element(array, value);
        Ok(element.map_or(Found::Element(array, index), Found::Var))
    }

    fn one_of(&mut self, all: &[ChannelId], index: ExprId) -> Found {
        let PromelaExpr::Const(value) = self.program.exprs[index] else {
            return Found::OneOf(all.to_vec(), index);
        };
        match usize::try_from(value).ok().and_then(|value| all.get(value)) {
            Some(channel) => Found::Channel(*channel),
            None => Found::OneOf(all.to_vec(), index),
        }
    }
}
