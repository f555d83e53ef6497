//! From the syntax to models: every name looked up, every rule of the kinds checked.

mod component;
mod covers;
mod joint;
mod meaning;
mod safety;
mod system;
mod transitions;
mod unknown;

use super::ast::{self, Source};
use crate::cursor::Name;
use crate::document::{Document, FairAction, Form, Safety, Specification};
use crate::language::PartLoader;
use crate::sink::{Parsed, Sink};
use crate::symbols::SymbolKind;
use logic::Expr;
use model::{Component, Sync};
use rustc_hash::FxHashMap;
use support::{Diagnostic, Monitor, Span};

pub(super) fn build(
    file: ast::File,
    mut sink: Sink,
    start: Span,
    monitor: &Monitor,
    load: &mut PartLoader,
) -> Result<Document, Vec<Diagnostic>> {
    if !sink.has_errors() {
        check_not_empty(&file, start, &mut sink);
    }
    refuse_twice("component", file.components.iter().map(|c| &c.name), &mut sink);
    let is_valid = !sink.has_errors();
    refuse_twice("safety property", file.safeties.iter().map(|s| &s.name), &mut sink);
    refuse_twice("property", file.properties.iter().map(|p| &p.name), &mut sink);
    for component in &file.components {
        sink.symbols.define(SymbolKind::Component, component.name.span);
    }
    for name in file.safeties.iter().map(|s| &s.name).chain(file.properties.iter().map(|p| &p.name))
    {
        sink.symbols.define(SymbolKind::Property, name.span);
    }
    let components: Vec<Parsed<Component>> =
        file.components.iter().map(|component| one(component, &mut sink, load)).collect();
    let safeties: Vec<Parsed<Safety>> =
        file.safeties.iter().map(|property| safety::build(property, &mut sink)).collect();
    // Where some item could not be read, one that seems to be missing proves nothing.
    let system = if is_valid { system::build(&file, components, monitor, &mut sink) } else { None };
    note_propositions(&file, &mut sink);
    let fairness = file.fairness.into_iter().map(fairness).collect();
    let properties = file.properties.into_iter().filter_map(property).collect();
    let safeties = safeties.into_iter().filter_map(Result::ok).collect();
    if sink.has_errors() {
        return Err(sink.into_diagnostics());
    }
    let symbols = std::mem::take(&mut sink.symbols);
    let (form, warnings) = (Form::Components(system), sink.into_diagnostics());
    let unsupported = Vec::new();
    Ok(Document { form, properties, safeties, fairness, warnings, unsupported, symbols })
}

/// The vectors and hidden actions of a file of their own, with the warnings.
pub(super) fn build_sync(
    steps: Option<ast::JointSteps>,
    components: &[Component],
    mut sink: Sink,
) -> Result<(Sync, Vec<Diagnostic>), Vec<Diagnostic>> {
    let sync = steps.and_then(|steps| system::joint_steps(&steps, components, &mut sink));
    match sync {
        Some(sync) if !sink.has_errors() => Ok((sync, sink.into_diagnostics())),
        _ => Err(sink.into_diagnostics()),
    }
}

fn one(component: &ast::Component, sink: &mut Sink, load: &mut PartLoader) -> Parsed<Component> {
    match &component.source {
        Source::Body(body) => component::build(&component.name, body, sink),
        Source::From(path) => match load(&path.text) {
            Ok(mut loaded) => {
                loaded.model.name = component.name.text.to_string();
                Ok(loaded)
            }
            Err(why) => Err(sink.error(|| {
                let message = format!("the component `{}` cannot be read", component.name.text);
                Diagnostic::error(message, path.span, why)
            })),
        },
    }
}

fn fairness(fairness: ast::Fairness) -> FairAction {
    let ast::Fairness { is_strong, component, action } = fairness;
    let last = action.as_ref().map_or(component.span, |action| action.span);
    FairAction {
        is_strong,
        span: component.span.to(last),
        component: component.text.into_owned(),
        action: action.map(|action| action.text.into_owned()),
    }
}

fn property(property: ast::Property) -> Option<Specification> {
    let Name { text, span } = property.name;
    Some(Specification::new(Some(text.into_owned()), span, property.surface?))
}

/// Notes where formulas name propositions; one that several components share is that of the first.
fn note_propositions(file: &ast::File, sink: &mut Sink) {
    let bodies = file.components.iter().filter_map(|component| match &component.source {
        Source::Body(body) => Some(body),
        Source::From(_) => None,
    });
    let mut declared: FxHashMap<&str, Span> = FxHashMap::default();
    for name in bodies.flat_map(|body| &body.props.names) {
        declared.entry(&name.text).or_insert(name.span);
    }
    for surface in file.properties.iter().filter_map(|property| property.surface.as_ref()) {
        for (expr, span) in surface.exprs.values() {
            if let Expr::Prop(name) = expr
                && let Some(&definition) = declared.get(&**name)
            {
                sink.symbols.used(definition, *span);
            }
        }
    }
}

fn check_not_empty(file: &ast::File, start: Span, sink: &mut Sink) {
    let is_empty = file.components.is_empty()
        && file.systems.is_empty()
        && file.safeties.is_empty()
        && file.properties.is_empty()
        && file.fairness.is_empty();
    if is_empty {
        sink.error(|| {
            Diagnostic::error("the file is empty", start, "neither a component nor a property")
                .with_help("begin with `component NAME kripke { props p; init s; s: {p} -> s; }`")
        });
    }
}

/// Reports every name that was given before.
fn refuse_twice<'n, 'a: 'n>(
    what: &str,
    names: impl Iterator<Item = &'n Name<'a>>,
    sink: &mut Sink,
) {
    let mut first: FxHashMap<&str, Span> = FxHashMap::default();
    for name in names {
        if let Some(&before) = first.get(&*name.text) {
            sink.error(|| {
                let message = format!("the {what} `{}` is declared twice", name.text);
                Diagnostic::error(message, name.span, "declared again here")
                    .with_label(before, "declared first here")
                    .with_help("take one of them out, or rename it")
            });
        } else {
            first.insert(&name.text, name.span);
        }
    }
}
