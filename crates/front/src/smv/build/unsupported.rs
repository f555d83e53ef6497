//! Constructs that are not supported, and what they make unknown.
//!
//! An expression with such a construct has no value here, and what needs it has none either: refusals propagate through
//! expressions and definitions. A variable whose assignment is refused, or reads a variable of that kind, is left out
//! of the machine. What is left does not depend on them, and what a specification cannot be told of lies in its cone
//! of influence: a constraint constrains everything, as in [`transition::Machine::cone`].

use super::Builder;
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};
use transition::{Machine, VarId};

/// A construct that is not supported, and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UnsupportedConstruct {
    /// With an article: `a product of two unbounded integers`.
    pub name: &'static str,
    pub span: Span,
}

/// Why something has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// It is wrong, and that has been said.
    Reported,
    /// It may be right, and is not known here.
    Unsupported(UnsupportedConstruct),
}

pub(super) type Lowered<T> = Result<T, Refusal>;

/// By name: variables that depend on constructs that are not supported.
pub(super) type UnsupportedVars = FxHashMap<String, UnsupportedConstruct>;

impl Refusal {
    pub fn unsupported(name: &'static str, span: Span) -> Self {
        Refusal::Unsupported(UnsupportedConstruct { name, span })
    }
}

impl UnsupportedConstruct {
    pub fn warning(self) -> Diagnostic {
        let message = format!("{} is not supported", self.name);
        Diagnostic::warning(message, self.span, "what depends on this is not known")
    }

    /// Why a specification is unknown, which has the construct itself, or depends on it.
    pub fn reason(self, specification: Span, text: &str) -> String {
        let line =
            text.get(..self.span.start as usize).map_or(0, |before| before.matches('\n').count())
                + 1;
        let is_within = specification.file == self.span.file
            && specification.start <= self.span.start
            && self.span.end <= specification.end;
        match is_within {
            true => format!("{} is not supported", self.name),
            false => format!("it depends on line {line}: {} is not supported", self.name),
        }
    }
}

impl Builder<'_, '_> {
    /// Adds the variables whose assignments read others that are left out: all that depend on them.
    pub(super) fn close_unsupported(
        &mut self,
        mut left_out: FxHashMap<VarId, UnsupportedConstruct>,
    ) {
        let machine: &Machine = &self.machine;
        let reads: Vec<(VarId, Vec<VarId>)> = machine
            .assigns
            .iter()
            .map(|assign| {
                let access = machine.access(machine.choices.nodes(assign.choice));
                (assign.var, [access.now, access.next].concat())
            })
            .collect();
        let mut readers: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
        for (var, read) in reads {
            read.into_iter().for_each(|read| readers.entry(read).or_default().push(var));
        }
        let mut open: Vec<VarId> = left_out.keys().copied().collect();
        while let Some(var) = open.pop() {
            let construct = left_out[&var];
            for &reader in readers.get(&var).into_iter().flatten() {
                if left_out.insert(reader, construct).is_none() {
                    open.push(reader);
                }
            }
        }
        let named = left_out.into_iter().map(|(var, why)| (machine.vars[var].name.clone(), why));
        self.newly_unsupported.extend(named);
    }
}
