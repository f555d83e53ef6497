//! Names: what they stand for, and how declarations make them.

use super::super::ast::{Declaration, Expr as Ast, Init, Name, Type, Typedef};
use super::super::program::{
    Array, ArrayId, Channel, ChannelId, ExprId, ProcessId, PromelaBinary, PromelaExpr, PromelaVar,
    VarId, VarType,
};
use super::Builder;
use super::exprs::number_of;
use super::runs::is_changed;
use crate::sink::Parsed;
use crate::symbols::SymbolKind;
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};

/// More elements than this are too many for one array, and more variables than this for one program.
const MOST_ELEMENTS: i32 = 1 << 12;
const MOST_VARS: usize = 1 << 16;
/// As in Spin.
const MOST_CAPACITY: i32 = 255;
const MOST_FIELDS: usize = 255;

#[derive(Clone, Debug)]
pub(in crate::promela) enum Symbol<'a> {
    Const(i32),
    Var(VarId),
    /// With its lengths: several within arrays of structures.
    Array(ArrayId, Vec<u32>),
    Channel(ChannelId),
    Channels(Vec<ChannelId>, Vec<u32>),
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

    /// In the order of their declarations.
    pub fn in_order(&self) -> impl Iterator<Item = &Symbol<'a>> {
        let mut all: Vec<_> = self.symbols.values().collect();
        all.sort_by_key(|(_, span)| span.start);
        all.into_iter().map(|(symbol, _)| symbol)
    }

    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.symbols.keys().copied()
    }
}

/// When a variable gets the value that its declaration says; before that it is 0.
#[derive(Clone, Copy)]
pub(super) enum InitTime {
    AtStart,
    WhereItStands,
}

/// A variable that is declared and what its elements begin with.
struct Shape<'f, 'a> {
    ty: VarType,
    /// The lengths of the arrays around it and of its own.
    lengths: Vec<u32>,
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

    /// The fields of a type have types that are declared before it, so that none contains itself.
    pub(super) fn check_typedefs(&mut self) {
        for (index, typedef) in self.file.typedefs.iter().enumerate() {
            self.sink.symbols.define(SymbolKind::Type, typedef.name.span);
            let before = &self.file.typedefs[..index];
            for field in &typedef.fields {
                if let Type::Defined(ty) = field.ty
                    && before.iter().all(|other| other.name.text != ty.text)
                {
                    let names = before.iter().map(|other| other.name.text);
                    let message =
                        format!("there is no type `{}` before `{}`", ty.text, typedef.name.text);
                    let error = Diagnostic::error(message, ty.span, "not declared before")
                        .with_nearest(ty.text, names);
                    self.sink.error(|| error);
                }
            }
        }
    }

    /// Declares a variable. What it begins with has to be known, except in a process, where it can be
    /// computed when the process is started.
    pub(super) fn declare(
        &mut self,
        declaration: &'f Declaration<'a>,
        begins: InitTime,
    ) -> Parsed<()> {
        let name = declaration.name;
        self.expect_new(name)?;
        let mut lengths = Vec::new();
        if let Some(length) = &declaration.length {
            lengths.push(self.length(length)?);
        }
        let symbol = match declaration.ty {
            Type::Simple(ty) => {
                let name = self.unused_name(name.text);
                let span = declaration.name.span;
                let init = match (begins, &declaration.init) {
                    (InitTime::WhereItStands, Init::Value(_)) => &Init::None,
                    (_, init) => init,
                };
                self.variable(Shape { ty, lengths, init, name, span })?
            }
            Type::Channel => {
                let name = self.unused_name(name.text);
                self.channel(declaration, name, lengths)?
            }
            Type::Defined(ty) => {
                let name = self.unused_name(name.text);
                self.structure(ty, declaration, name, lengths)?
            }
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
            Symbol::Channel(_) | Symbol::Channels(..) => SymbolKind::Channel,
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

    fn length(&mut self, length: &Ast<'a>) -> Parsed<u32> {
        let value = self.constant(length)?;
        if (1..=MOST_ELEMENTS).contains(&value) {
            return Ok(value as u32);
        }
        if value > MOST_ELEMENTS {
            let message = "an array of more than 4096 elements is not supported";
            return Err(self.unsupported(length.span, message, "too many elements"));
        }
        let message = format!("an array of {value} elements");
        Err(self.error(length.span, message, &format!("there can be 1 to {MOST_ELEMENTS}")))
    }

    fn variable(&mut self, shape: Shape<'f, 'a>) -> Parsed<Symbol<'a>> {
        let first = VarId(self.program.vars.len() as u32);
        let count = elements(&shape.lengths);
        if self.program.vars.len() + count > MOST_VARS {
            let message = "more than 65536 variables are not supported";
            return Err(self.unsupported(shape.span, message, "one too many"));
        }
        let inits = self.inits(&shape)?;
        for index in 0..count {
            let name = indexed(&shape.name, &shape.lengths, index);
            let owner = self.at.as_ref().map(|context| context.process);
            let var = PromelaVar { name, ty: shape.ty, init: 0, owner, span: shape.span };
            self.program.vars.push(var);
        }
        for (index, init) in inits.into_iter().enumerate() {
            self.set_init(VarId(first.0 + index as u32), init, shape.span)?;
        }
        if shape.lengths.is_empty() {
            return Ok(Symbol::Var(first));
        }
        let array = Array { name: shape.name, first, len: count as u32 };
        Ok(Symbol::Array(self.program.arrays.push(array), shape.lengths))
    }

    /// The initial value of each element.
    fn inits(&mut self, shape: &Shape<'f, 'a>) -> Parsed<Vec<ExprId>> {
        let length = elements(&shape.lengths);
        match shape.init {
            Init::None => Ok(Vec::new()),
            Init::Value(value) => Ok(vec![self.expr(value)?; length]),
            Init::List(values) if shape.lengths.len() == 1 && values.len() <= length => {
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
            let start = self.at_start(process, value);
            let PromelaExpr::Const(value) = self.program.exprs[start] else {
                return Err(self.error(span, "the first value is no constant", "begins with it"));
            };
            self.program.vars[var].init = self.program.vars[var].ty.cut(value);
            return Ok(());
        }
        let entry = self.entries[process].clone();
        let given = [&self.parameters[process][..], self.program.processes[process].pid.as_slice()];
        let given = given.concat();
        // The process counts itself.
        let count = self.program.count;
        let later = count.map(|count| {
            let now = self.program.exprs.push(PromelaExpr::Var(count));
            let one = self.number(1);
            self.binary(PromelaBinary::Add, now, one)
        });
        let value = self.replaced(value, &|program, expr| {
            let PromelaExpr::Var(var) = expr else { return None };
            if Some(*var) == count {
                return later;
            }
            if given.contains(var) {
                return None;
            }
            let known = entry.iter().find(|(known, _)| known == var);
            known.map(|(_, value)| *value).or_else(|| {
                let PromelaVar { owner, init, .. } = program.vars[*var];
                (owner == Some(process)).then(|| program.exprs.push(PromelaExpr::Const(init)))
            })
        });
        self.entries[process].push((var, value));
        Ok(())
    }

    /// The value at the start of everything, when all channels are empty.
    fn at_start(&mut self, process: ProcessId, value: ExprId) -> ExprId {
        self.replaced(value, &|program, expr| {
            let value = match expr {
                // Those before it are there, and itself.
                PromelaExpr::Var(var) if Some(*var) == program.count => process.0 as i32 + 1,
                PromelaExpr::Var(var) => program.vars[*var].init,
                PromelaExpr::Len(_) | PromelaExpr::CanReceive(..) => 0,
                _ => return None,
            };
            Some(program.exprs.push(PromelaExpr::Const(value)))
        })
    }

    /// A channel; without room and type a variable for channels.
    fn channel(
        &mut self,
        declaration: &'f Declaration<'a>,
        name: String,
        lengths: Vec<u32>,
    ) -> Parsed<Symbol<'a>> {
        let Name { span, .. } = declaration.name;
        let Init::Channel(capacity, fields) = &declaration.init else {
            let init = &declaration.init;
            return self.variable(Shape { ty: VarType::Chan, lengths, init, name, span });
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
        let mut types = Vec::new();
        for &(ty, span) in fields {
            self.field_types(ty, span, &mut types)?;
        }
        let mut ids = Vec::new();
        for index in 0..elements(&lengths) {
            let (name, fields) = (indexed(&name, &lengths, index), types.clone());
            let channel = Channel { name, capacity: value as u32, fields, owner, span };
            ids.push(self.program.channels.push(channel));
        }
        let text = declaration.name.text;
        if self.file.proctypes.iter().any(|proctype| is_changed(&proctype.body, text)) {
            let (ty, init) = (VarType::Chan, &Init::None);
            let symbol = self.variable(Shape { ty, lengths, init, name, span })?;
            let first = self.program.vars.len() - ids.len();
            for (index, &channel) in ids.iter().enumerate() {
                let number = self.number(number_of(channel));
                self.set_init(VarId((first + index) as u32), number, span)?;
            }
            return Ok(symbol);
        }
        Ok(match lengths.is_empty() {
            true => Symbol::Channel(ids[0]),
            false => Symbol::Channels(ids, lengths),
        })
    }

    /// The types of the fields of a message: those of a structure one by one.
    fn field_types(&mut self, ty: Type<'a>, span: Span, types: &mut Vec<VarType>) -> Parsed<()> {
        match ty {
            Type::Simple(ty) => types.push(ty),
            Type::Channel => types.push(VarType::Chan),
            Type::Defined(name) => {
                for field in &self.typedef(name, span)?.fields {
                    let count = match &field.length {
                        Some(length) => self.length(length)?,
                        None => 1,
                    };
                    for _ in 0..count {
                        self.field_types(field.ty, span, types)?;
                    }
                }
            }
        }
        match types.len() > MOST_FIELDS {
            true => Err(self.error(span, "a message of more than 255 fields", "too many")),
            false => Ok(()),
        }
    }

    /// The declaration of a type that is used here.
    fn typedef(&mut self, ty: Name<'a>, used: Span) -> Parsed<&'f Typedef<'a>> {
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
        let used = self.at.as_ref().map_or(used, |context| context.span);
        if file.precedes(used, typedef.name.span) {
            return Err(self.used_early(ty, typedef.name.span));
        }
        Ok(typedef)
    }

    fn structure(
        &mut self,
        ty: Name<'a>,
        declaration: &'f Declaration<'a>,
        name: String,
        lengths: Vec<u32>,
    ) -> Parsed<Symbol<'a>> {
        let typedef = self.typedef(ty, declaration.name.span)?;
        if !matches!(declaration.init, Init::None) {
            let message = "the first value of a structure has no effect, as in Spin";
            self.sink.warning(|| {
                Diagnostic::warning(message, declaration.name.span, "its fields have their own")
            });
        }
        let mut fields = Scope::default();
        for field in &typedef.fields {
            let symbol = self.field(field, &name, &lengths)?;
            fields.add(field.name, symbol);
        }
        Ok(Symbol::Struct { is_array: declaration.length.is_some(), fields })
    }

    /// A field of a structure, for all elements of an array if it is one.
    fn field(
        &mut self,
        field: &'f Declaration<'a>,
        outer: &str,
        lengths: &[u32],
    ) -> Parsed<Symbol<'a>> {
        let (name, span) = (format!("{outer}.{}", field.name.text), field.name.span);
        let mut lengths = lengths.to_vec();
        if let Some(own) = &field.length {
            lengths.push(self.length(own)?);
        }
        if elements(&lengths) > MOST_ELEMENTS as usize {
            let message = "an array of more than 4096 elements is not supported";
            return Err(self.unsupported(span, message, "too many elements"));
        }
        match field.ty {
            Type::Simple(ty) => self.variable(Shape { ty, lengths, init: &field.init, name, span }),
            Type::Channel => self.channel(field, name, lengths),
            Type::Defined(ty) => self.structure(ty, field, name, lengths),
        }
    }

    /// A variable of the process that has no name in the text.
    pub(super) fn hidden_var(&mut self, span: Span) -> VarId {
        let owner = self.at.as_ref().map(|context| context.process);
        let name = format!("_for_{}", self.program.vars.len());
        self.program.vars.push(PromelaVar { name, ty: VarType::Byte, init: 0, owner, span })
    }
}

fn elements(lengths: &[u32]) -> usize {
    lengths.iter().map(|&length| length as usize).product()
}

/// The name of an element: its indices stand behind it.
fn indexed(name: &str, lengths: &[u32], mut index: usize) -> String {
    let mut indices = Vec::new();
    for &length in lengths.iter().rev() {
        indices.push(format!("[{}]", index % length as usize));
        index /= length as usize;
    }
    indices.reverse();
    format!("{name}{}", indices.concat())
}
