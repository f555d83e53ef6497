//! The arrows of a component.

use super::component::Draft;
use crate::cursor::Name;
use crate::tm::ast::{Arrow, Group, Target};
use logic::Family;
use model::{ActionId, Kind, Mode, TAU};
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Diagnostic, Span};

pub(super) fn add(draft: &mut Draft) {
    let body = draft.body;
    let names = body.actions.names.iter().map(|action| (&*action.text, action.span));
    let declared: Option<FxHashMap<&str, Span>> = body.actions.line.map(|_| names.collect());
    let mut row = Row::default();
    for (state, line) in body.states.iter().enumerate() {
        row.source = state as u32;
        row.may.clear();
        row.must.clear();
        for group in &line.groups {
            add_group(draft, &mut row, group, declared.as_ref());
        }
        check_must_in_may(draft, &row);
    }
}

/// The transitions of one state so far.
#[derive(Default)]
struct Row {
    source: u32,
    may: Vec<(Option<ActionId>, u32)>,
    /// Said by `!>`, with the arrow.
    must: Vec<(Option<ActionId>, u32, Span)>,
}

fn add_group(
    draft: &mut Draft,
    row: &mut Row,
    group: &Group,
    declared: Option<&FxHashMap<&str, Span>>,
) {
    let arrow = &group.arrow;
    if !fits_family(draft, arrow) || !fits_kind(draft, arrow) {
        return;
    }
    let action = match &arrow.action {
        None => None,
        Some(name) if is_declared(draft, name, declared) => Some(draft.builder.action(&name.text)),
        Some(_) => return,
    };
    for target in &group.targets {
        match target {
            Target::State(name) => {
                let Some(target) = draft.state(name) else { continue };
                draft.builder.edge(row.source, action, arrow.mode, target);
                if arrow.mode.may {
                    row.may.push((action, target));
                } else {
                    row.must.push((action, target, arrow.span));
                }
            }
            Target::Set(names, span) => add_hyper(draft, row.source, arrow, names, *span),
        }
    }
}

fn fits_family(draft: &mut Draft, arrow: &Arrow) -> bool {
    let kind = draft.kind.name();
    match (draft.kind.family(), &arrow.action) {
        (Family::Props, None) | (Family::Actions, Some(_)) => return true,
        (Family::Props, Some(action)) => draft.error(|draft| {
            let message = format!("an arrow with an action in a `{kind}` component");
            Diagnostic::error(message, action.span, "transitions carry no actions here")
                .with_label(draft.body.kind_span, "a kind with propositions")
                .with_help("write `->` or `?>`, or choose the kind `lts` or `mts`")
        }),
        (Family::Actions, None) => draft.error(|draft| {
            let message = format!("an arrow without an action in an `{kind}` component");
            Diagnostic::error(message, arrow.span, "which action?")
                .with_label(draft.body.kind_span, "a kind with actions")
                .with_help("write `-a->` for the action `a`, or `-tau->` for an unobservable step")
        }),
    }
    false
}

fn fits_kind(draft: &mut Draft, arrow: &Arrow) -> bool {
    if arrow.mode == Mode::BOTH || !draft.kind.is_complete() {
        return true;
    }
    let (shown, means) = if arrow.mode.may { ("?>", "may only") } else { ("!>", "must only") };
    let partial = match (draft.kind.family(), arrow.mode.may) {
        (Family::Props, true) => "`kmts`",
        (Family::Props, false) => "`mixts`",
        (Family::Actions, _) => "`mts`",
    };
    draft.error(|draft| {
        let message =
            format!("`{shown}` in the `{}` component `{}`", draft.kind.name(), draft.name.text);
        let plain = match &arrow.action {
            Some(action) => format!("-{}->", action.text),
            None => "->".to_owned(),
        };
        let help = match arrow.mode.may || draft.kind.family() == Family::Props {
            true => format!("write `{plain}`, or declare the component as {partial}"),
            false => format!("write `{plain}`"),
        };
        Diagnostic::error(message, arrow.span, format!("{means}: this needs a partial kind"))
            .with_label(draft.body.kind_span, "every transition is both may and must here")
            .with_help(help)
    });
    false
}

fn is_declared(draft: &mut Draft, name: &Name, declared: Option<&FxHashMap<&str, Span>>) -> bool {
    let Some(declared) = declared else { return true };
    if let Some(&definition) = declared.get(&*name.text) {
        draft.used(definition, name.span);
        return true;
    }
    if name.text == TAU {
        return true;
    }
    draft.error(|draft| {
        let label = format!("`{}` does not declare it", draft.name.text);
        Diagnostic::error(format!("unknown action `{}`", name.text), name.span, label)
            .with_help(format!("add `{}` to the `actions` line", name.text))
            .with_nearest(&name.text, declared.keys().copied())
    });
    false
}

fn add_hyper(draft: &mut Draft, source: u32, arrow: &Arrow, names: &[Name], span: Span) {
    if draft.kind != Kind::Gkmts {
        return draft.error(|draft| {
            let message = format!("a hyper-transition in a `{}` component", draft.kind.name());
            let shown = if arrow.mode.may { "-> a, b" } else { "!> a, b" };
            Diagnostic::error(message, span, "one transition to a set of states")
                .with_label(draft.body.kind_span, "this kind has none")
                .with_help(format!(
                    "write `{shown}` for a transition to each, or declare the component as `gkmts`"
                ))
        });
    }
    if arrow.mode != Mode::MUST {
        return draft.error(|_| {
            let message = "a hyper-transition that is not must only";
            Diagnostic::error(message, arrow.span, "a set of targets follows this arrow")
                .with_label(span, "the set")
                .with_help("write `!> {a, b}`, and `?> a, b` for what may happen")
        });
    }
    let targets: Option<Vec<u32>> = names.iter().map(|name| draft.state(name)).collect();
    if let Some(targets) = targets {
        draft.builder.hyper(source, targets);
    }
}

/// R⁺ ⊆ R⁻ (C Def. 2.1).
fn check_must_in_may(draft: &mut Draft, row: &Row) {
    if row.must.is_empty() || !matches!(draft.kind, Kind::Kmts | Kind::Mts) {
        return;
    }
    let may: FxHashSet<_> = row.may.iter().copied().collect();
    for &(action, target, arrow) in &row.must {
        if may.contains(&(action, target)) {
            continue;
        }
        draft.error(|draft| {
            let state = |state: u32| &*draft.body.states[state as usize].name.text;
            let kind = draft.kind.name();
            let message = format!(
                "the must transition from `{}` to `{}` is not a may transition",
                state(row.source),
                state(target)
            );
            let help = match draft.kind {
                Kind::Kmts => "write `->` for must and may, or declare the component as `mixts`",
                _ => "write `-a->` for must and may",
            };
            Diagnostic::error(message, arrow, "must only")
                .with_label(draft.body.kind_span, format!("in `{kind}` every must is also a may"))
                .with_help(help)
        });
    }
}
