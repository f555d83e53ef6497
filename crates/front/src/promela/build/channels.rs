//! Which channel a statement is about, and what it sends or receives.

use super::super::ast::{Expr as Ast, ExprKind, Pattern as AstPattern, Reference};
use super::super::program::{ChannelId, ExprId, Pattern, PromelaBinary, Storage, VarId, VarType};
use super::Builder;
use super::references::Found;
use crate::sink::Parsed;
use support::Span;

/// A channel, or one of an array by an index that is known in a state.
#[derive(Clone)]
pub(super) enum Channels {
    One(ChannelId),
    OneOf(Vec<ChannelId>, ExprId),
}

impl<'a> Builder<'_, 'a> {
    pub(super) fn channels(&mut self, reference: &Reference<'a>) -> Parsed<Channels> {
        let found = self.find(reference)?;
        let holds_channel = match &found {
            Found::Var(var) => self.program.vars[*var].ty == VarType::Chan,
            Found::Element(array, _) => {
                self.program.vars[self.program.arrays[*array].first].ty == VarType::Chan
            }
            _ => false,
        };
        match found {
            Found::Channel(channel) => Ok(Channels::One(channel)),
            Found::OneOf(all, index) => Ok(Channels::OneOf(all, index)),
            held if holds_channel => {
                self.holds_channels = true;
                let count = self.known_channels.len().max(self.program.channels.len());
                let (value, one) = (self.value_of(held)?, self.number(1));
                let index = self.binary(PromelaBinary::Sub, value, one);
                Ok(Channels::OneOf((0..count as u32).map(ChannelId).collect(), index))
            }
            Found::Const(_) | Found::Var(_) | Found::Element(..) => {
                let message = format!("`{}` is no channel", reference.name.text);
                Err(self.error(reference.span, message, "expected a channel"))
            }
        }
    }

    /// An expression about a channel, whichever it is.
    pub(super) fn by_channel(
        &mut self,
        channels: Channels,
        mut about: impl FnMut(&mut Self, ChannelId) -> ExprId,
    ) -> Parsed<ExprId> {
        let (all, index) = match channels {
            Channels::One(channel) => return Ok(about(self, channel)),
            Channels::OneOf(all, index) => (all, index),
        };
        let mut result = self.number(0);
        for (number, &channel) in all.iter().enumerate().rev() {
            let is_meant = self.is_index(index, number);
            let value = about(self, channel);
            result = self.program.choice(is_meant, value, result);
        }
        Ok(result)
    }

    fn is_index(&mut self, index: ExprId, number: usize) -> ExprId {
        let number = self.number(number as i32);
        self.binary(PromelaBinary::Eq, index, number)
    }

    /// All channels that a statement can be about, each with the condition that it is.
    pub(super) fn each_channel(&mut self, channels: &Channels) -> Vec<(ChannelId, ExprId)> {
        match channels {
            Channels::One(channel) => vec![(*channel, self.number(1))],
            Channels::OneOf(all, index) => {
                let all = all.iter().enumerate();
                all.map(|(number, &channel)| (channel, self.is_index(*index, number))).collect()
            }
        }
    }

    /// Whether the index of a channel is one that there is not; `None` if that cannot be.
    pub(super) fn is_no_channel(&mut self, channels: &Channels) -> Option<ExprId> {
        let Channels::OneOf(all, index) = channels else { return None };
        let (zero, len) = (self.number(0), self.number(all.len() as i32));
        let below = self.binary(PromelaBinary::Lt, *index, zero);
        let above = self.binary(PromelaBinary::Ge, *index, len);
        Some(self.binary(PromelaBinary::Or, below, above))
    }

    /// Values for the fields of a message; those that are not written are 0, as in Spin.
    pub(super) fn message(
        &mut self,
        channels: &Channels,
        values: &[Ast<'a>],
        span: Span,
    ) -> Parsed<Vec<ExprId>> {
        let mut found = Vec::new();
        for value in values {
            if let ExprKind::Reference(reference) = &value.kind {
                for leaf in self.leaves(reference)? {
                    found.push(self.value_of(leaf)?);
                }
            } else {
                found.push(self.expr(value)?);
            }
        }
        self.check_fields(channels, found.len(), span)?;
        Ok(found)
    }

    /// One of the channels has so many fields.
    fn check_fields(&mut self, channels: &Channels, there: usize, span: Span) -> Parsed<()> {
        let all = self.each_channel(channels);
        let most = all.iter().map(|(channel, _)| self.described(*channel).fields.len()).max();
        let Some(wanted) = most else { return Ok(()) };
        if there > wanted {
            let message = format!("a message of {there} fields, and the channel has {wanted}");
            return Err(self.error(span, message, "too many fields"));
        }
        Ok(())
    }

    /// Patterns for the fields of a message; what is not written is lost, as in Spin.
    pub(super) fn patterns(
        &mut self,
        channels: &Channels,
        patterns: &[AstPattern<'a>],
        span: Span,
    ) -> Parsed<Vec<Pattern>> {
        let mut found = Vec::new();
        for pattern in patterns {
            self.pattern(pattern, &mut found)?;
        }
        self.check_fields(channels, found.len(), span)?;
        self.refuse_tangles(&found, span)?;
        Ok(found)
    }

    /// Appends the patterns of an argument; a structure has one for each of its fields.
    fn pattern(&mut self, pattern: &AstPattern<'a>, found: &mut Vec<Pattern>) -> Parsed<()> {
        match pattern {
            AstPattern::Value(value) => found.push(Pattern::Match(self.expr(value)?)),
            AstPattern::Name(reference) if reference.name.text == "_" => {
                found.push(Pattern::Store(Storage::Nowhere));
            }
            AstPattern::Name(reference) => {
                for leaf in self.leaves(reference)? {
                    found.push(match leaf {
                        Found::Const(value) => Pattern::Match(self.number(value)),
                        leaf => Pattern::Store(self.storage(leaf, reference)?),
                    });
                }
            }
        }
        Ok(())
    }

    /// Refuses receives in which the target of one field depends on another.
    fn refuse_tangles(&mut self, patterns: &[Pattern], span: Span) -> Parsed<()> {
        let stored: Vec<VarId> = patterns
            .iter()
            .filter_map(|pattern| match pattern {
                Pattern::Store(Storage::Var(var)) => Some(*var),
                _ => None,
            })
            .collect();
        for pattern in patterns {
            let read = match pattern {
                Pattern::Store(Storage::Element(_, index)) => *index,
                _ => continue,
            };
            if self.program.reads(read).iter().any(|var| stored.contains(var)) {
                let message = "an index that is received in the same message is not supported";
                return Err(self.unsupported(span, message, "receive into a variable first"));
            }
        }
        let places: Vec<&Pattern> = patterns
            .iter()
            .filter(|pattern| {
                !matches!(pattern, Pattern::Store(Storage::Nowhere) | Pattern::Match(_))
            })
            .collect();
        let is_twice = places.iter().enumerate().any(|(i, place)| places[..i].contains(place));
        if is_twice {
            let message = "two fields that are received into one variable are not supported";
            return Err(self.unsupported(span, message, "received here"));
        }
        Ok(())
    }
}
