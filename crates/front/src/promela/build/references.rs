//! References: the variable or channel that a name with indices and fields leads to.

use super::super::ast::{Name, Reference};
use super::super::program::{ArrayId, ChannelId, ExprId, PromelaBinary, PromelaExpr, VarId};
use super::Builder;
use super::scope::{Scope, Symbol};
use crate::sink::{Parsed, Reported};
use support::Diagnostic;

/// The object of a reference in an expression.
#[derive(Clone)]
pub(super) enum Found {
    Const(i32),
    Var(VarId),
    Element(ArrayId, ExprId),
    Channel(ChannelId),
    OneOf(Vec<ChannelId>, ExprId),
}

impl<'a> Builder<'_, 'a> {
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
        let (symbol, indices) = self.located(symbol, reference)?;
        match (&symbol, &indices[..]) {
            (Symbol::Struct { .. }, _) => {
                Err(self.misused(reference, "a structure is used field by field"))
            }
            (Symbol::Array(_, lengths) | Symbol::Channels(_, lengths), given)
                if given.len() < lengths.len() =>
            {
                Err(self.misused(reference, "an array is used element by element"))
            }
            _ => self.found(&symbol, indices),
        }
    }

    /// The variable, array or structure that a reference leads to, and all of its indices.
    fn located(
        &mut self,
        symbol: &Symbol<'a>,
        reference: &Reference<'a>,
    ) -> Parsed<(Symbol<'a>, Vec<ExprId>)> {
        let (mut symbol, mut reference) = (symbol.clone(), reference);
        let mut indices = Vec::new();
        loop {
            let is_array = match &symbol {
                Symbol::Array(..) | Symbol::Channels(..) => true,
                Symbol::Struct { is_array, .. } => *is_array,
                Symbol::Const(_) | Symbol::Var(_) | Symbol::Channel(_) => false,
            };
            match &reference.index {
                Some(_) if !is_array => return Err(self.misused(reference, "this is no array")),
                Some(index) => indices.push(self.expr(index)?),
                None if is_array && reference.field.is_some() => {
                    return Err(self.misused(reference, "an array is used element by element"));
                }
                None => {}
            }
            let Some(field) = &reference.field else { return Ok((symbol, indices)) };
            let Symbol::Struct { fields, .. } = &symbol else {
                return Err(self.misused(reference, "this has no fields"));
            };
            let Some(inner) = fields.get(field.name.text) else {
                let fields = fields.clone();
                return Err(self.no_field(field, &fields));
            };
            (symbol, reference) = (inner.clone(), field);
        }
    }

    /// A variable or a channel by its indices.
    fn found(&mut self, symbol: &Symbol<'a>, indices: Vec<ExprId>) -> Parsed<Found> {
        match symbol {
            Symbol::Const(value) => Ok(Found::Const(*value)),
            Symbol::Var(var) => Ok(Found::Var(*var)),
            Symbol::Channel(channel) => Ok(Found::Channel(*channel)),
            Symbol::Array(array, lengths) => {
                let index = self.flat(lengths, indices);
                self.element(*array, index)
            }
            Symbol::Channels(all, lengths) => {
                let index = self.flat(lengths, indices);
                Ok(self.one_of(all, index))
            }
            Symbol::Struct { .. } => Err(Reported),
        }
    }

    /// The index of an element among all, row by row; -1 if one of the inner indices is outside.
    fn flat(&mut self, lengths: &[u32], indices: Vec<ExprId>) -> ExprId {
        let mut is_inside = self.number(1);
        let mut flat: Option<ExprId> = None;
        for (index, &length) in indices.into_iter().zip(lengths) {
            let length = self.number(length as i32);
            flat = Some(match flat {
                None => index,
                Some(outer) => {
                    let zero = self.number(0);
                    let above = self.binary(PromelaBinary::Ge, index, zero);
                    let below = self.binary(PromelaBinary::Lt, index, length);
                    let inside = self.binary(PromelaBinary::And, above, below);
                    is_inside = self.binary(PromelaBinary::And, is_inside, inside);
                    let rows = self.binary(PromelaBinary::Mul, outer, length);
                    self.binary(PromelaBinary::Add, rows, index)
                }
            });
        }
        let (flat, none) = (flat.unwrap_or(is_inside), self.number(-1));
        self.program.choice(is_inside, flat, none)
    }

    /// All variables of a reference, in the order of their declarations: of a structure, those of its fields.
    pub(super) fn leaves(&mut self, reference: &Reference<'a>) -> Parsed<Vec<Found>> {
        let Some(symbol) = self.lookup(reference.name.text).cloned() else {
            return Err(self.unknown(reference));
        };
        let (symbol, indices) = self.located(&symbol, reference)?;
        if !matches!(symbol, Symbol::Struct { .. }) {
            return Ok(vec![self.find(reference)?]);
        }
        let mut leaves = Vec::new();
        self.add_leaves(&symbol, indices, &mut leaves)?;
        Ok(leaves)
    }

    fn add_leaves(
        &mut self,
        symbol: &Symbol<'a>,
        indices: Vec<ExprId>,
        leaves: &mut Vec<Found>,
    ) -> Parsed<()> {
        match symbol {
            Symbol::Struct { fields, .. } => {
                for field in fields.in_order() {
                    self.add_leaves(field, indices.clone(), leaves)?;
                }
                Ok(())
            }
            Symbol::Array(_, lengths) | Symbol::Channels(_, lengths)
                if indices.len() < lengths.len() =>
            {
                for index in 0..lengths[indices.len()] {
                    let index = self.number(index as i32);
                    let indices = indices.iter().copied().chain([index]).collect();
                    self.add_leaves(symbol, indices, leaves)?;
                }
                Ok(())
            }
            _ => {
                leaves.push(self.found(symbol, indices)?);
                Ok(())
            }
        }
    }

    /// Whether a reference leads to a channel and not to an array.
    pub(super) fn is_channel(&mut self, reference: &Reference<'a>) -> Parsed<bool> {
        let Some(symbol) = self.lookup(reference.name.text).cloned() else {
            return Err(self.unknown(reference));
        };
        Ok(match self.located(&symbol, reference)? {
            (Symbol::Channel(_), _) => true,
            (Symbol::Channels(_, lengths), indices) => indices.len() == lengths.len(),
            _ => false,
        })
    }

    /// How many elements an array has that is not indexed.
    pub(super) fn array_length(&mut self, reference: &Reference<'a>) -> Parsed<u32> {
        let Some(symbol) = self.lookup(reference.name.text).cloned() else {
            return Err(self.unknown(reference));
        };
        match self.located(&symbol, reference)? {
            (Symbol::Array(_, lengths) | Symbol::Channels(_, lengths), indices)
                if indices.len() < lengths.len() =>
            {
                Ok(lengths[indices.len()])
            }
            _ => Err(self.misused(reference, "expected an array or a channel")),
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
