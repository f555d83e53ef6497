//! `system A || B`: which components run together, and how.

use super::joint;
use crate::cursor::Name;
use crate::sink::{Parsed, Sink};
use crate::tm::ast;
use logic::Family;
use model::{Component, Sync, System, TAU, Vector};
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Diagnostic, Monitor, Span, did_you_mean};

/// By name: which component it is.
type Numbers<'n> = FxHashMap<&'n str, usize>;

/// `None` if there is none, or if something is wrong with it.
pub(super) fn build(
    file: &ast::File,
    components: Vec<Parsed<Component>>,
    monitor: &Monitor,
    sink: &mut Sink,
) -> Option<System> {
    if let [first, second, ..] = &file.systems[..] {
        sink.error(|| {
            Diagnostic::error("a second `system`", second.keyword, "the second one")
                .with_label(first.keyword, "the first one")
                .with_help("a file describes one system: take one of them out")
        });
        return None;
    }
    let Some(line) = file.systems.first() else { return alone(file, components, sink) };
    let chosen = choose(file, line, sink)?;
    let mut components: Vec<_> = components.into_iter().map(|c| c.ok()).collect();
    let parts: Vec<Option<Component>> =
        chosen.into_iter().map(|index| components[index].take()).collect();
    let components: Vec<Component> = parts.into_iter().collect::<Option<_>>()?;
    check_families(line, &components, sink)?;
    let sync = joint_steps(&line.steps, &components, sink)?;
    let system = System { components, sync };
    joint::check(file, line, &system, monitor, sink);
    Some(system)
}

/// The only component of a file without a `system` line.
fn alone(
    file: &ast::File,
    mut components: Vec<Parsed<Component>>,
    sink: &mut Sink,
) -> Option<System> {
    if let [first, second, ..] = &file.components[..] {
        sink.error(|| {
            let names: Vec<&str> = file.components.iter().map(|c| &*c.name.text).collect();
            let message = "several components and no `system`";
            Diagnostic::error(message, second.name.span, "how does this one run together …")
                .with_label(first.name.span, "… with this one?")
                .with_help(format!("add `system {};`", names.join(" || ")))
        });
        return None;
    }
    let component = components.pop()?.ok()?;
    Some(System { components: vec![component], sync: Sync::default() })
}

/// The indices of the components that the line names.
fn choose(file: &ast::File, line: &ast::System, sink: &mut Sink) -> Option<Vec<usize>> {
    let names = || file.components.iter().map(|component| &*component.name.text);
    let numbers: Numbers = names().zip(0..).collect();
    // By component: where the line named it.
    let mut named: FxHashMap<usize, Span> = FxHashMap::default();
    let mut chosen: Vec<usize> = Vec::new();
    let mut is_wrong = false;
    for (position, part) in line.parts.iter().enumerate() {
        let Some(&index) = numbers.get(&*part.text) else {
            sink.error(|| unknown_component(part, names()));
            is_wrong = true;
            continue;
        };
        if let Some(&before) = named.get(&index) {
            sink.error(|| component_twice(part, position, before));
            is_wrong = true;
        }
        sink.symbols.used(file.components[index].name.span, part.span);
        named.entry(index).or_insert(part.span);
        chosen.push(index);
    }
    (!is_wrong).then_some(chosen)
}

fn unknown_component<'n>(name: &Name, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let message = format!("unknown component `{}`", name.text);
    Diagnostic::error(message, name.span, "no component of this name")
        .with_help(format!("describe it: `component {} kripke {{ … }}`", name.text))
        .with_nearest(&name.text, known)
}

fn component_twice(name: &Name, position: usize, before: Span) -> Diagnostic {
    let message = format!("the component `{}` stands in the system twice", name.text);
    Diagnostic::error(message, name.span, format!("again as part {}", position + 1))
        .with_label(before, "here first")
        .with_help(format!("a second copy needs a name of its own: `{0} as {0}.2`", name.text))
}

fn check_families(line: &ast::System, components: &[Component], sink: &mut Sink) -> Option<()> {
    let family = |index: usize| components[index].model.kind.family();
    let describe = |index: usize| {
        let has = match family(index) {
            Family::Props => "propositions",
            Family::Actions => "actions",
        };
        format!("`{}` has {has}", components[index].model.name)
    };
    let Some(other) = (1..components.len()).find(|&index| family(index) != family(0)) else {
        return Some(());
    };
    sink.error(|| {
        let message = "components with propositions and components with actions do not mix";
        Diagnostic::error(message, line.parts[other].span, describe(other))
            .with_label(line.parts[0].span, describe(0))
            .with_help(
                "`kripke`, `kmts`, `mixts` and `gkmts` run together on joint propositions, `lts` \
                 and `mts` on joint actions",
            )
    });
    None
}

/// The vectors and the hidden actions, every name looked up.
pub(super) fn joint_steps(
    steps: &ast::JointSteps,
    components: &[Component],
    sink: &mut Sink,
) -> Option<Sync> {
    refuse_without_actions(steps, components, sink)?;
    let numbers: Numbers = components.iter().map(|part| &*part.model.name).zip(0..).collect();
    let checked =
        steps.vectors.iter().map(|vector| check_vector(vector, &numbers, components, sink));
    let vectors: Vec<Option<Vector>> = checked.collect();
    let vectors: Vec<Vector> = vectors.into_iter().collect::<Option<_>>()?;
    warn_of_unknown(&steps.hidden, &vectors, components, sink);
    let hidden = steps.hidden.iter().map(|name| name.text.to_string()).collect();
    Some(Sync { vectors, hidden })
}

/// `sync` and `hide` speak of actions.
fn refuse_without_actions(
    steps: &ast::JointSteps,
    components: &[Component],
    sink: &mut Sink,
) -> Option<()> {
    let actions = components[0].model.kind.family() == Family::Actions;
    let wrong = [("sync", steps.sync), ("hide", steps.hide)];
    let wrong = wrong.into_iter().find_map(|(word, span)| Some((word, span?)));
    let Some((word, span)) = wrong.filter(|_| !actions) else { return Some(()) };
    sink.error(|| {
        let message = format!("`{word}` in a system without actions");
        Diagnostic::error(message, span, "the components have propositions")
            .with_help("components with propositions agree on those that they share: take it out")
    });
    None
}

fn check_vector(
    vector: &ast::Vector,
    numbers: &Numbers,
    components: &[Component],
    sink: &mut Sink,
) -> Option<Vector> {
    let mut parts: Vec<(usize, String)> = Vec::new();
    let mut named: FxHashMap<usize, Span> = FxHashMap::default();
    let mut is_wrong = false;
    for (component, action) in &vector.parts {
        let Some(&index) = numbers.get(&*component.text) else {
            sink.error(|| no_part(component, components));
            is_wrong = true;
            continue;
        };
        if let Some(&before) = named.get(&index) {
            sink.error(|| part_twice(component, before));
            is_wrong = true;
        }
        named.entry(index).or_insert(component.span);
        is_wrong |= !has_action(&components[index], component, action, sink);
        parts.push((index, action.text.to_string()));
    }
    (!is_wrong).then(|| Vector { parts, result: vector.result.text.to_string() })
}

fn no_part(name: &Name, components: &[Component]) -> Diagnostic {
    let names = || components.iter().map(|component| component.model.name.as_str());
    let message = format!("unknown component `{}` in a vector", name.text);
    let parts: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    Diagnostic::error(message, name.span, "no part of this system")
        .with_help(format!("its parts are {}", parts.join(", ")))
        .with_nearest(&name.text, names())
}

fn part_twice(name: &Name, before: Span) -> Diagnostic {
    let message = format!("the component `{}` stands in a vector twice", name.text);
    Diagnostic::error(message, name.span, "again here")
        .with_label(before, "here first")
        .with_help("a component makes one step at a time")
}

fn has_action(component: &Component, name: &Name, action: &Name, sink: &mut Sink) -> bool {
    let known = component.model.actions();
    if known.get(&action.text).is_some() {
        return true;
    }
    sink.error(|| {
        let message = format!("unknown action `{}` in a vector", action.text);
        let label = format!("`{}` never makes it", name.text);
        let error = Diagnostic::error(message, action.span, label);
        // Which is never declared.
        if action.text == TAU {
            return error;
        }
        let names = known.names().filter(|&known| known != TAU);
        if names.clone().next().is_none() {
            return error.with_help(format!("`{}` has no actions", name.text));
        }
        let has = format!("the actions of `{}` are", name.text);
        error.with_help(did_you_mean(&action.text, &has, names))
    });
    false
}

/// Warns of hidden actions that never occur.
fn warn_of_unknown(hidden: &[Name], vectors: &[Vector], components: &[Component], sink: &mut Sink) {
    let own = components.iter().flat_map(|component| component.model.actions().names());
    let results = vectors.iter().map(|vector| &*vector.result);
    let known: FxHashSet<&str> = own.chain(results).chain([TAU]).collect();
    for name in hidden.iter().filter(|name| !known.contains(&*name.text)) {
        let message = format!("the hidden action `{}` never occurs", name.text);
        sink.warning(|| {
            Diagnostic::warning(message, name.span, "no component makes it")
                .with_nearest(&name.text, known.iter().copied().filter(|&name| name != TAU))
        });
    }
}
