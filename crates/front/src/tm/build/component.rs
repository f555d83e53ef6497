//! One component: what it declares, its states and their labels, where it starts.

use super::{covers, meaning, refuse_twice, transitions, unknown};
use crate::cursor::Name;
use crate::sink::{Parsed, Reported, Sink};
use crate::symbols::SymbolKind;
use crate::tm::ast::{Body, Declared, Inits, Labels, Literal};
use logic::{Family, PropId, Truth};
use model::{Component, Kind, ModelBuilder};
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};

pub(super) fn build(name: &Name, body: &Body, sink: &mut Sink) -> Parsed<Component> {
    match body.kind {
        Some(Declared::Kind(kind)) => {
            let model = build_kind(name, kind, body, sink)?.finish();
            if let Some(fault) = meaning::fault(body, &model) {
                sink.error(|| fault);
                return Err(Reported);
            }
            Ok(Component { model, is_unknown: false })
        }
        Some(Declared::Unknown) => {
            let model = unknown::build(name, body, sink)?;
            Ok(Component { model, is_unknown: true })
        }
        None => Err(Reported),
    }
}

/// A component of a kind with states.
pub(super) fn build_kind(
    name: &Name,
    kind: Kind,
    body: &Body,
    sink: &mut Sink,
) -> Parsed<ModelBuilder> {
    if body.is_broken {
        return Err(Reported);
    }
    let mut draft = Draft::new(name, kind, body, sink);
    draft.declare();
    draft.add_states();
    draft.add_init();
    draft.add_labels();
    transitions::add(&mut draft);
    covers::add(&mut draft);
    if draft.failed { Err(Reported) } else { Ok(draft.builder) }
}

/// A component on its way from syntax to model.
pub(super) struct Draft<'d, 'a> {
    pub name: &'d Name<'a>,
    pub kind: Kind,
    pub body: &'d Body<'a>,
    pub builder: ModelBuilder,
    pub states: FxHashMap<&'d str, u32>,
    props: FxHashMap<&'d str, PropId>,
    sink: &'d mut Sink,
    failed: bool,
}

impl<'d, 'a> Draft<'d, 'a> {
    fn new(name: &'d Name<'a>, kind: Kind, body: &'d Body<'a>, sink: &'d mut Sink) -> Self {
        Self {
            name,
            kind,
            body,
            builder: ModelBuilder::new(kind, &*name.text),
            states: FxHashMap::default(),
            props: FxHashMap::default(),
            sink,
            failed: false,
        }
    }

    pub fn error(&mut self, make: impl FnOnce(&Self) -> Diagnostic) {
        self.failed = true;
        // Taken out, because the message is made from what the sink is a part of.
        let mut sink = std::mem::take(self.sink);
        sink.error(|| make(self));
        *self.sink = sink;
    }

    pub fn used(&mut self, definition: Span, name: Span) {
        self.sink.symbols.used(definition, name);
    }

    fn declare(&mut self) {
        let family = self.kind.family();
        check_declarations(self.name, family, self.kind.name(), self.body, self.sink)
            .unwrap_or_else(|Reported| self.failed = true);
        for prop in &self.body.props.names {
            let id = self.builder.prop(&prop.text);
            self.props.insert(&prop.text, id);
        }
        for action in &self.body.actions.names {
            self.builder.action(&action.text);
        }
    }

    fn add_states(&mut self) {
        let body = self.body;
        let mut lines: Vec<Span> = Vec::with_capacity(body.states.len());
        for state in &body.states {
            lines.push(state.name.span);
            self.sink.symbols.define(SymbolKind::State, state.name.span);
            let id = self.builder.state(&*state.name.text);
            let Some(&first) = self.states.get(&*state.name.text) else {
                self.states.insert(&state.name.text, id);
                continue;
            };
            self.error(|_| {
                let message = format!("the state `{}` is described twice", state.name.text);
                Diagnostic::error(message, state.name.span, "described again here")
                    .with_label(lines[first as usize], "described first here")
                    .with_help("put its labels and all its arrows on one line")
            });
        }
    }

    fn add_init(&mut self) {
        let body = self.body;
        match body.init.as_ref().map(|init| &init.inits) {
            Some(Inits::States(names)) => {
                for name in names {
                    if let Some(state) = self.state(name) {
                        self.builder.init(state);
                    }
                }
            }
            Some(Inits::Labels(labels)) => self.error(|draft| {
                let message = "labels where initial states are expected";
                let label = format!("`{}` has states with names", draft.name.text);
                Diagnostic::error(message, labels.span, label)
                    .with_help("write `init s;`; labels after `init` are for `unknown` components")
            }),
            None => self.error(|draft| {
                let name = draft.name;
                let message = format!("the component `{}` has no initial state", name.text);
                let first = draft.body.states.first().map_or("s", |state| &*state.name.text);
                Diagnostic::error(message, name.span, "there is no `init` line in it")
                    .with_help(format!("add for example `init {first};` before the states"))
            }),
        }
    }

    /// The number of a state, or a message with the nearest one.
    pub fn state(&mut self, name: &Name) -> Option<u32> {
        let found = self.states.get(&*name.text).copied();
        if let Some(state) = found {
            self.used(self.body.states[state as usize].name.span, name.span);
        } else {
            self.error(|draft| {
                let label = format!("`{}` has no state of this name", draft.name.text);
                Diagnostic::error(format!("unknown state `{}`", name.text), name.span, label)
                    .with_help("each state needs a line of its own, even without arrows: `s: ;`")
                    .with_nearest(&name.text, draft.states.keys().copied())
            });
        }
        found
    }

    fn add_labels(&mut self) {
        let body = self.body;
        // By proposition: the last state that was labelled with it, and how.
        let mut given: Vec<Option<(u32, Truth, Span)>> = vec![None; self.props.len()];
        for (state, line) in body.states.iter().enumerate() {
            let Some(labels) = &line.labels else { continue };
            if self.kind.family() == Family::Actions {
                self.refuse_labels(labels);
                continue;
            }
            for literal in &labels.literals {
                self.add_label(state as u32, literal, &mut given);
            }
        }
    }

    fn refuse_labels(&mut self, labels: &Labels) {
        self.error(|draft| {
            let message = format!("labels on a state of an `{}`", draft.kind.name());
            Diagnostic::error(message, labels.span, "states carry no propositions here")
                .with_label(draft.body.kind_span, "a kind with actions")
                .with_help("write `name: -a-> target;`, or choose the kind `kripke` or `kmts`")
        });
    }

    fn add_label(
        &mut self,
        state: u32,
        literal: &Literal,
        given: &mut [Option<(u32, Truth, Span)>],
    ) {
        let Some(&prop) = self.props.get(&*literal.name.text) else {
            return self.unknown_prop(&literal.name);
        };
        if let Some(declared) = self.body.props.names.get(prop.0 as usize) {
            self.used(declared.span, literal.name.span);
        }
        if literal.value == Truth::Unknown && self.kind == Kind::Kripke {
            return self.refuse_unknown(literal);
        }
        match given.get_mut(prop.0 as usize) {
            Some(Some((s, value, span))) if *s == state && *value != literal.value => {
                let before = (*value, *span);
                let now = (literal.value, literal.span);
                self.error(|_| unknown::contradiction(&literal.name, before, now));
            }
            Some(slot) => {
                *slot = Some((state, literal.value, literal.span));
                self.builder.label(state, prop, literal.value);
            }
            None => {}
        }
    }

    fn unknown_prop(&mut self, name: &Name) {
        self.error(|draft| unknown_prop(draft.name, draft.body, name));
    }

    fn refuse_unknown(&mut self, literal: &Literal) {
        let name = &literal.name.text;
        self.error(|draft| {
            let message = format!("`{name}?` in a `kripke` component");
            Diagnostic::error(message, literal.span, "nothing is unknown in this kind")
                .with_label(draft.body.kind_span, "every label is true or false here")
                .with_help(format!(
                    "write `{name}` or `!{name}`, or declare `{}` as `kmts`",
                    draft.name.text
                ))
        });
    }
}

/// In the kinds with propositions `actions` are refused, and the other way round; nothing is declared
/// twice.
pub(super) fn check_declarations(
    name: &Name,
    family: Family,
    kind: &str,
    body: &Body,
    sink: &mut Sink,
) -> Parsed<()> {
    let already = sink.errors();
    let wrong = match family {
        Family::Props => body.actions.line.map(|line| ("actions", line, "propositions", "props")),
        Family::Actions => body.props.line.map(|line| ("propositions", line, "actions", "actions")),
    };
    if let Some((has, line, wants, keyword)) = wrong {
        sink.error(|| {
            let message = format!("{has} declared in the `{kind}` component `{}`", name.text);
            Diagnostic::error(message, line, format!("this kind has {wants}"))
                .with_label(body.kind_span, format!("a kind with {wants}"))
                .with_help(format!("declare `{keyword}`, or choose a kind with {has}"))
        });
    }
    for name in &body.props.names {
        sink.symbols.define(SymbolKind::Proposition, name.span);
    }
    for name in &body.actions.names {
        sink.symbols.define(SymbolKind::Action, name.span);
    }
    refuse_twice("proposition", body.props.names.iter(), sink);
    refuse_twice("action", body.actions.names.iter(), sink);
    refuse_reserved(body, sink);
    if sink.errors() > already { Err(Reported) } else { Ok(()) }
}

/// A proposition that no formula could name.
fn refuse_reserved(body: &Body, sink: &mut Sink) {
    for prop in &body.props.names {
        if matches!(&*prop.text, "true" | "false" | "not" | "and" | "or") {
            sink.error(|| {
                let message = format!("`{}` cannot be the name of a proposition", prop.text);
                Diagnostic::error(message, prop.span, "formulas use this word for something else")
                    .with_help(format!("call it for example `{}_`", prop.text))
            });
        }
    }
}

pub(super) fn unknown_prop(component: &Name, body: &Body, name: &Name) -> Diagnostic {
    let label = format!("`{}` does not declare it", component.text);
    let declared = body.props.names.iter().map(|prop| &*prop.text);
    let error = Diagnostic::error(format!("unknown proposition `{}`", name.text), name.span, label);
    match body.props.line {
        Some(_) => error.with_help(format!("add `{}` to the `props` line", name.text)),
        None => error.with_help(format!("declare it: `props {};`", name.text)),
    }
    .with_nearest(&name.text, declared)
}
