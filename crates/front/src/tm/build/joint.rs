//! Checks of the propositions that components share.

use crate::sink::Sink;
use crate::tm::ast::{self, Source};
use logic::{Family, PropId, Truth};
use model::{Component, PartialModel, System, Upsets};
use support::{Diagnostic, Interner, Monitor, Span};

pub(super) fn check(
    file: &ast::File,
    line: &ast::System,
    system: &System,
    monitor: &Monitor,
    sink: &mut Sink,
) {
    if system.family() == Family::Actions {
        return;
    }
    let joint = Joint::new(&system.components);
    joint.warn_of_unknown(file, line, sink);
    if system.can_start(monitor) == Ok(false) {
        sink.error(|| joint.no_init_agrees(line));
    }
}

struct Joint<'a> {
    models: Vec<&'a PartialModel>,
    /// The propositions that several components have.
    shared: Interner<PropId>,
    /// By component: the shared propositions that it has, as it numbers them.
    own: Vec<Vec<(PropId, PropId)>>,
}

impl<'a> Joint<'a> {
    fn new(components: &'a [Component]) -> Self {
        let models: Vec<&PartialModel> =
            components.iter().map(|component| &component.model).collect();
        let mut seen: Interner<PropId> = Interner::new();
        let mut shared: Interner<PropId> = Interner::new();
        for name in models.iter().flat_map(|model| model.props().names()) {
            if seen.get(name).is_some() {
                shared.intern(name);
            }
            seen.intern(name);
        }
        let own: Vec<Vec<(PropId, PropId)>> = models
            .iter()
            .map(|model| {
                let props = model.props().iter();
                props.filter_map(|(id, name)| Some((shared.get(name)?, id))).collect()
            })
            .collect();
        Self { models, shared, own }
    }

    /// C Def. 4.2 to the letter: unknown agrees only with unknown. A state that stands for others meets what
    /// these meet.
    fn warn_of_unknown(&self, file: &ast::File, line: &ast::System, sink: &mut Sink) {
        for (component, props) in self.own.iter().enumerate() {
            let model = self.models[component];
            let upsets = Upsets::new(model);
            for &(prop, local) in props {
                let is_unknown = |state: &&u32| model.label(**state, local) == Truth::Unknown;
                let Some(&state) = upsets.atoms().iter().find(is_unknown) else { continue };
                sink.warning(|| {
                    let name = self.shared.name(prop);
                    let part = &line.parts[component];
                    let place = place_of(file, &part.text, state, name).unwrap_or(part.span);
                    let message =
                        format!("the joint proposition `{name}` is unknown in `{}`", part.text);
                    let label = format!("unknown in the state `{}`", model.state_name(state));
                    Diagnostic::warning(message, place, label).with_help(format!(
                        "unknown agrees only with unknown: this state never meets one in which \
                         another component knows `{name}`"
                    ))
                });
            }
        }
    }

    fn no_init_agrees(&self, line: &ast::System) -> Diagnostic {
        const HELP: &str = "the components start together: give the propositions that they share \
                            the same values in their initial states";
        let message = "the initial states are not composable";
        let count = self.models.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let worst = pairs.filter_map(|(a, b)| Some((self.nearest_inits(a, b)?, a, b))).next();
        match worst {
            Some((differing, a, b)) => {
                Diagnostic::error(message, line.parts[b].span, self.describe(b, &differing, false))
                    .with_label(line.parts[a].span, self.describe(a, &differing, true))
                    .with_help(HELP)
            }
            None => {
                let label = "no choice of initial states agrees on all joint propositions";
                Diagnostic::error(message, line.keyword, label).with_help(HELP)
            }
        }
    }

    /// If no initial states of the two agree: two that differ least.
    fn nearest_inits(&self, a: usize, b: usize) -> Option<Differing> {
        const ENOUGH: usize = 64;
        let both: Vec<(PropId, PropId, PropId)> = self.own[a]
            .iter()
            .filter_map(|&(prop, in_a)| {
                let (_, in_b) = self.own[b].iter().find(|(other, _)| *other == prop)?;
                Some((prop, in_a, *in_b))
            })
            .collect();
        let mut best: Option<Differing> = None;
        for &state_a in self.models[a].init().iter().take(ENOUGH) {
            for &state_b in self.models[b].init().iter().take(ENOUGH) {
                let differ = |&&(_, in_a, in_b): &&(PropId, PropId, PropId)| {
                    self.models[a].label(state_a, in_a) != self.models[b].label(state_b, in_b)
                };
                let props: Vec<_> = both.iter().filter(differ).copied().collect();
                if props.is_empty() {
                    return None;
                }
                if best.as_ref().is_none_or(|best| props.len() < best.props.len()) {
                    best = Some(Differing { state_a, state_b, props });
                }
            }
        }
        best
    }

    fn describe(&self, component: usize, differing: &Differing, is_first: bool) -> String {
        let model = self.models[component];
        let state = if is_first { differing.state_a } else { differing.state_b };
        let values: Vec<String> = differing
            .props
            .iter()
            .map(|&(prop, in_a, in_b)| {
                let value = model.label(state, if is_first { in_a } else { in_b });
                format!("`{}` is {value}", self.shared.name(prop))
            })
            .collect();
        format!("in `{}` {}", model.state_name(state), values.join(", "))
    }
}

struct Differing {
    state_a: u32,
    state_b: u32,
    /// Shared number, number in the first, number in the second component.
    props: Vec<(PropId, PropId, PropId)>,
}

/// Where a state of a component says something about a proposition, or else where it is named.
fn place_of(file: &ast::File, component: &str, state: u32, prop: &str) -> Option<Span> {
    let component = file.components.iter().find(|c| c.name.text == component)?;
    let Source::Body(body) = &component.source else { return None };
    let line = body.states.get(state as usize)?;
    let literals = line.labels.iter().flat_map(|labels| &labels.literals);
    let mut named =
        literals.filter(|literal| literal.name.text == prop).map(|literal| literal.span);
    Some(named.next_back().unwrap_or(line.name.span))
}
