//! The actions of a component with data that declares none.

use super::Expander;
use super::states::{Data, Line, Variable};
use crate::cursor::Name;
use crate::sink::Parsed;
use crate::tm::ast::{Arrow, Body, Declaration, Declared};
use crate::tm::term::{Index, Term, TermKind};
use logic::Family;
use model::TAU;
use rustc_hash::FxHashSet;
use support::Span;

impl<'a> Expander<'_, 'a> {
    /// Declares the actions of all arrows for all values of the variables in their names, also where no state that is
    /// reached has such an arrow: the component blocks them. A condition on parameters alone leaves an arrow out, with
    /// its action.
    pub(super) fn declare_actions(
        &mut self,
        body: &mut Body<'a>,
        data: &Data<'a>,
        lines: &[Line<'_, 'a>],
    ) -> Parsed<()> {
        let has_actions =
            matches!(body.kind, Some(Declared::Kind(kind)) if kind.family() == Family::Actions);
        if body.actions.line.is_some() || !has_actions {
            return Ok(());
        }
        let groups = body.states.iter().flat_map(|state| &state.groups);
        let mut names: Vec<Name<'a>> =
            groups.filter_map(|group| group.arrow.action.clone()).collect();
        for line in lines {
            for group in &line.state.groups {
                self.add_actions(line, &group.arrow, data, &mut names)?;
            }
        }
        self.scope.names.truncate(data.end);
        let mut known: FxHashSet<String> = FxHashSet::default();
        names.retain(|name| name.text != TAU && known.insert(name.text.to_string()));
        body.actions = Declaration { line: Some(body.kind_span), names };
        Ok(())
    }

    fn add_actions(
        &mut self,
        line: &Line<'_, 'a>,
        arrow: &Arrow<'a>,
        data: &Data<'a>,
        names: &mut Vec<Name<'a>>,
    ) -> Parsed<()> {
        let Some(action) = &arrow.action else { return Ok(()) };
        let notes = self.notes;
        let note = |span: Span| notes.get(&span.start);
        let indices = note(action.span).map_or(&[][..], |note| &note.indices);
        let given: Vec<Option<u32>> = data
            .variables
            .iter()
            .map(|variable| {
                let occurs =
                    |index: &Index| matches!(index, Index::At(term) if variable.is_in(term));
                (!indices.iter().any(occurs)).then_some(0)
            })
            .collect();
        self.refuse_too_many(data, &given, action.span)?;
        let guard = note(arrow.span).and_then(|note| note.guard.as_ref());
        let is_static =
            |guard: &&Term| !data.variables.iter().any(|variable| variable.is_in(guard));
        let guard = guard.filter(is_static);
        for valuation in data.choices(&given) {
            self.enter(line, data, &valuation);
            // For values that a condition keeps from the arrow, the name may mean nothing.
            self.is_silent = true;
            let _ = self.each_if(action, guard, &mut |_, name| {
                names.push(name);
                Ok(())
            });
            self.is_silent = false;
        }
        Ok(())
    }
}

impl Variable<'_> {
    /// Whether the variable occurs in the term, or may do so by an index.
    fn is_in(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Value(_) => false,
            TermKind::Name(name, indices) => {
                let rest = self.name.text.strip_prefix(name);
                let is_indexed = |rest: &str| rest.starts_with('.') && !indices.is_empty();
                rest.is_some_and(|rest| rest.is_empty() || is_indexed(rest))
                    || indices.iter().any(|index| self.is_in(index))
            }
            TermKind::Not(inner) | TermKind::Minus(inner) => self.is_in(inner),
            TermKind::Infix(first, rest) => {
                self.is_in(first) || rest.iter().any(|(_, term)| self.is_in(term))
            }
        }
    }
}
