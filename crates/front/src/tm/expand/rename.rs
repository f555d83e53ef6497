//! Copies of a component with other actions or propositions.

use super::Expander;
use crate::cursor::Name;
use crate::sink::{Parsed, Reported};
use crate::tm::ast::{Body, Inits, Labels};
use rustc_hash::{FxHashMap, FxHashSet};
use support::Diagnostic;

impl<'a> Expander<'_, 'a> {
    /// Gives actions and propositions other names, all at once.
    pub(super) fn rename(
        &mut self,
        body: &mut Body<'a>,
        component: &Name<'a>,
        renaming: &[(Name<'a>, Name<'a>)],
    ) -> Parsed<()> {
        let mut new: FxHashMap<&str, &Name> = FxHashMap::default();
        for (from, to) in renaming {
            if new.insert(&from.text, to).is_some() {
                return Err(self.sink.error(|| {
                    let message = format!("`{}` is renamed twice", from.text);
                    Diagnostic::error(message, from.span, "again here")
                        .with_help("take one of the two out")
                }));
            }
        }
        let mut found: FxHashSet<String> = FxHashSet::default();
        let mut known: FxHashSet<String> = FxHashSet::default();
        for name in names_of(body) {
            known.insert(name.text.to_string());
            if let Some(to) = new.get(&*name.text) {
                found.insert(name.text.to_string());
                name.text = to.text.clone();
            }
        }
        let missing = renaming.iter().find(|(from, _)| !found.contains(&*from.text));
        let Some((from, _)) = missing else { return Ok(()) };
        Err(self.sink.error(|| {
            let message = format!("`{}` has no `{}` to rename", component.text, from.text);
            Diagnostic::error(message, from.span, "neither an action nor a proposition of it")
                .with_help("write `A as B [old -> new]`: the name in the component stands first")
                .with_nearest(&from.text, known.iter().map(|name| &**name))
        }))
    }

    pub(super) fn renamed_file(&mut self, from: &Name, component: &Name) -> Reported {
        self.sink.error(|| {
            let message = format!("a copy of `{}` with other names", component.text);
            Diagnostic::error(message, from.span, "renamed here")
                .with_label(component.span, "this is read from another file")
                .with_help("only components that are written in this file can be renamed")
        })
    }
}

/// The actions and propositions of a component wherever they stand.
fn names_of<'b, 'a>(body: &'b mut Body<'a>) -> impl Iterator<Item = &'b mut Name<'a>> {
    let of_labels = |labels: &'b mut Labels<'a>| labels.literals.iter_mut().map(|l| &mut l.name);
    let declared = body.props.names.iter_mut().chain(body.actions.names.iter_mut());
    let init = body.init.as_mut().and_then(|init| match &mut init.inits {
        Inits::Labels(labels) => Some(labels),
        Inits::States(_) => None,
    });
    let states = body.states.iter_mut().flat_map(move |state| {
        let actions = state.groups.iter_mut().filter_map(|group| group.arrow.action.as_mut());
        state.labels.iter_mut().flat_map(of_labels).chain(actions)
    });
    declared.chain(init.into_iter().flat_map(of_labels)).chain(states)
}
