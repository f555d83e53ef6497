//! From files with parameters, copies, indices and variables to the plain language, in which each name stands for itself.
//!
//! A component in the plain language passes through untouched.

mod alphabet;
mod body;
mod rename;
mod states;
mod system;

use super::ast::{Component, Fairness, File, JointSteps, Notes, Source};
use super::template::instance;
use super::term::{Binder, Index, Term};
use super::value::{Scope, Value};
use crate::cursor::Name;
use crate::sink::{Parsed, Reported, Sink};
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Diagnostic, Monitor, Span};
use system::Wanted;

/// The most names that a file may expand to.
const MOST_NAMES: u32 = 1 << 22;

pub(super) fn expand<'a>(file: File<'a>, sink: &mut Sink, monitor: &Monitor) -> File<'a> {
    let bodies = file.components.iter().map(|component| &component.source);
    let has_variables = |source: &Source| match source {
        Source::Body(body) => !body.variables.is_empty(),
        Source::From(_) => false,
    };
    let is_plain = file.notes.is_empty()
        && file.components.iter().all(|component| component.params.is_empty())
        && !bodies.chain(file.safeties.iter().map(|safety| &safety.source)).any(has_variables);
    if is_plain {
        return file;
    }
    sink.once_in_a_place();
    let File { components, systems, safeties, properties, fairness, notes, constants } = file;
    let mut expander = Expander::new(&notes, constants, sink, Some(monitor));
    let has_system = !systems.is_empty();
    let mut wanted: FxHashMap<String, Vec<Wanted>> = FxHashMap::default();
    let systems = systems.into_iter();
    let systems = systems.filter_map(|system| {
        let parts = expander.parts(&system.parts, &components, &mut wanted).ok()?;
        let steps = expander.joint_steps(system.steps).ok()?;
        Some(super::ast::System { parts, steps, ..system })
    });
    let systems = systems.collect();
    if !has_system && !expander.sink.has_errors() {
        expander.refuse_without_system(&components);
    }
    let mut expanded = Vec::new();
    for component in components {
        let copies = wanted.remove(&*component.name.text).unwrap_or_default();
        expander.component(component, copies, &mut expanded);
    }
    let safeties = safeties.into_iter().filter_map(|safety| expander.alone(safety).ok()).collect();
    let fairness = expander.fairness(fairness).unwrap_or_default();
    let (notes, constants) = (Notes::default(), Scope::default());
    File { components: expanded, systems, safeties, properties, fairness, notes, constants }
}

/// The vectors of a file of their own.
pub(super) fn joint_steps<'a>(
    steps: JointSteps<'a>,
    notes: &Notes<'a>,
    sink: &mut Sink,
) -> Option<JointSteps<'a>> {
    Expander::new(notes, Scope::default(), sink, None).joint_steps(steps).ok()
}

struct Expander<'e, 'a> {
    notes: &'e Notes<'a>,
    scope: Scope<'a>,
    sink: &'e mut Sink,
    monitor: Option<&'e Monitor>,
    /// How many names may still be made.
    left: u32,
    /// Errors in terms are not reported.
    is_silent: bool,
}

/// Called with an expanded name, while the names that it binds have values.
type Then<'t, 'e, 'a> = &'t mut dyn FnMut(&mut Expander<'e, 'a>, Name<'a>) -> Parsed<()>;

impl<'e, 'a> Expander<'e, 'a> {
    fn new(
        notes: &'e Notes<'a>,
        scope: Scope<'a>,
        sink: &'e mut Sink,
        monitor: Option<&'e Monitor>,
    ) -> Self {
        Self { notes, scope, sink, monitor, left: MOST_NAMES, is_silent: false }
    }

    fn said<T>(&mut self, result: Result<T, Box<Diagnostic>>) -> Parsed<T> {
        result.map_err(|error| match self.is_silent {
            true => Reported,
            false => self.sink.error(|| *error),
        })
    }

    /// Counts one more name, made from what stands there.
    fn spend(&mut self, span: Span) -> Parsed<()> {
        self.spend_many(span, 1)
    }

    fn spend_many(&mut self, span: Span, count: u32) -> Parsed<()> {
        // Whoever has stopped the monitor knows why.
        if self.monitor.is_some_and(|monitor| monitor.step(1).is_err()) {
            return Err(Reported);
        }
        let Some(left) = self.left.checked_sub(count) else {
            return Err(self.sink.error(|| {
                let message = format!("the file expands to more than {MOST_NAMES} names");
                Diagnostic::error(message, span, "the limit is reached here")
                    .with_help("make the ranges of parameters and variables smaller")
            }));
        };
        self.left = left;
        Ok(())
    }

    /// Does something with each name that this one stands for.
    fn each(&mut self, name: &Name<'a>, then: Then<'_, 'e, 'a>) -> Parsed<()> {
        self.each_if(name, None, then)
    }

    /// Does something with each name that this one stands for, where the condition holds for what its indices bind.
    fn each_if(
        &mut self,
        name: &Name<'a>,
        guard: Option<&Term<'a>>,
        then: Then<'_, 'e, 'a>,
    ) -> Parsed<()> {
        let notes = self.notes;
        let indices = notes.get(&name.span.start).map_or(&[][..], |note| &note.indices);
        let bound = |index: &'e Index<'a>| match index {
            Index::At(_) => None,
            Index::Each(binder) => Some(binder),
        };
        let binders: Vec<&Binder<'a>> = indices.iter().filter_map(bound).collect();
        let rows = self.scope.assignments(&binders);
        for row in self.said(rows)? {
            let start = self.scope.names.len();
            self.scope.bind(&binders, &row);
            let done = self.one_if(name, indices, (guard, &row), then);
            self.scope.names.truncate(start);
            done?;
        }
        Ok(())
    }

    /// Expands a name for given values of what its indices bind.
    fn one_if(
        &mut self,
        name: &Name<'a>,
        indices: &[Index<'a>],
        (guard, bound): (Option<&Term<'a>>, &[Value<'a>]),
        then: Then<'_, 'e, 'a>,
    ) -> Parsed<()> {
        if !self.holds(guard)? {
            return Ok(());
        }
        self.spend(name.span)?;
        let mut bound = bound.iter();
        let mut text = name.text.clone();
        for index in indices {
            let index = match index {
                Index::At(term) => self.scope.index(term),
                Index::Each(_) => Ok(bound.next().map_or(String::new(), |value| value.in_name())),
            };
            let index = self.said(index)?;
            text = format!("{text}.{index}").into();
        }
        then(self, Name { text, span: name.span })
    }

    /// Whether a condition holds; one that is not there does.
    fn holds(&mut self, guard: Option<&Term<'a>>) -> Parsed<bool> {
        let holds = guard.map_or(Ok(true), |guard| self.scope.condition(guard));
        self.said(holds)
    }

    /// All names that these stand for.
    fn names(&mut self, names: &[Name<'a>]) -> Parsed<Vec<Name<'a>>> {
        let mut all = Vec::with_capacity(names.len());
        for name in names {
            self.each(name, &mut |_, name| {
                all.push(name);
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// The only name that this stands for.
    fn single(&mut self, name: &Name<'a>) -> Parsed<Name<'a>> {
        let mut names = self.names(std::slice::from_ref(name))?;
        match (names.pop(), names.is_empty()) {
            (Some(single), true) => Ok(single),
            _ => Err(self.sink.error(|| {
                let message = format!("several names where one is expected: `{}`", name.text);
                Diagnostic::error(message, name.span, "a name is bound in its index")
                    .with_help("bind it before: `i in 0..4: A:send[i] | B:recv[i] -> comm[i];`")
            })),
        }
    }

    /// Does something for all values of what is bound before a name.
    fn quantified(
        &mut self,
        first: &Name<'a>,
        mut then: impl FnMut(&mut Self, &[Value<'a>]) -> Parsed<()>,
    ) -> Parsed<()> {
        let notes = self.notes;
        let binders = notes.get(&first.span.start).map_or(&[][..], |note| &note.binders);
        let rows = self.scope.assignments(binders);
        for row in self.said(rows)? {
            self.spend(first.span)?;
            let start = self.scope.names.len();
            self.scope.bind(binders, &row);
            let done = then(self, &row);
            self.scope.names.truncate(start);
            done?;
        }
        Ok(())
    }

    /// The component that this stands for, with its arguments.
    fn applied(&mut self, component: &Name<'a>) -> Parsed<Name<'a>> {
        Ok(instance(component, &self.arguments(component)?))
    }

    fn arguments(&mut self, component: &Name<'a>) -> Parsed<Vec<Value<'a>>> {
        let notes = self.notes;
        let arguments = notes.get(&component.span.start).map_or(&[][..], |note| &note.arguments);
        let values = arguments.iter().map(|argument| self.scope.evaluate(argument));
        let values = values.collect();
        self.said(values)
    }

    fn fairness(&mut self, fairness: Vec<Fairness<'a>>) -> Parsed<Vec<Fairness<'a>>> {
        let mut all = Vec::new();
        for Fairness { is_strong, component, action } in fairness {
            self.quantified(&component, |this, _| {
                let component = this.applied(&component)?;
                let Some(action) = &action else {
                    all.push(Fairness { is_strong, component, action: None });
                    return Ok(());
                };
                for action in this.names(std::slice::from_ref(action))? {
                    let component = component.clone();
                    all.push(Fairness { is_strong, component, action: Some(action) });
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// A component with parameters, of which nothing says how many there are.
    fn refuse_without_system(&mut self, components: &[Component]) {
        let template = components.iter().find(|component| !component.params.is_empty());
        let Some(Component { name, params, .. }) = template else { return };
        self.sink.error(|| {
            let message = format!("the component `{}` has parameters and no `system`", name.text);
            let names: Vec<&str> = params.iter().map(|param| param.name).collect();
            let names = names.join(", ");
            Diagnostic::error(message, name.span, "which copies of it run?").with_help(format!(
                "add for example `system || {} in 0..3: {}({names});`",
                params[0].name, name.text
            ))
        });
    }

    /// All copies of a component that the system wants, and itself if it has no parameters.
    fn component(
        &mut self,
        component: Component<'a>,
        copies: Vec<Wanted<'a>>,
        expanded: &mut Vec<Component<'a>>,
    ) {
        if !component.params.is_empty() && copies.is_empty() {
            // No system has a copy of it; its mistakes are reported all the same.
            expanded.extend(self.example(&component));
            return;
        }
        let place = expanded.len();
        let mut known: FxHashSet<String> = FxHashSet::default();
        for wanted in &copies {
            // A part that is there twice is reported where the system is built.
            if wanted.copied.is_none() && !known.insert(wanted.name.text.to_string()) {
                continue;
            }
            match self.copy(&component, wanted) {
                Ok(copy) => expanded.push(copy),
                Err(Reported) => return,
            }
        }
        if component.params.is_empty() {
            expanded.splice(place..place, self.alone(component).ok());
        }
    }

    /// A component without parameters.
    fn alone(&mut self, component: Component<'a>) -> Parsed<Component<'a>> {
        match component.source {
            Source::Body(body) if !body.is_plain => {
                let source = Source::Body(self.body(&body)?);
                Ok(Component { source, ..component })
            }
            _ => Ok(component),
        }
    }

    /// A component for the first values of its parameters.
    fn example(&mut self, component: &Component<'a>) -> Parsed<Component<'a>> {
        let mut arguments = Vec::new();
        let start = self.scope.names.len();
        for (place, param) in component.params.iter().enumerate() {
            self.scope.bind(&component.params[..place], &arguments);
            let values = self.scope.values(&param.domain);
            self.scope.names.truncate(start);
            arguments.push(self.said(values)?.at(0));
        }
        let name = instance(&component.name, &arguments);
        self.copy(component, &Wanted { name, arguments, copied: None })
    }

    fn copy(&mut self, component: &Component<'a>, wanted: &Wanted<'a>) -> Parsed<Component<'a>> {
        let Wanted { name, arguments, copied } = wanted;
        let source = match &component.source {
            Source::Body(body) => {
                let start = self.scope.names.len();
                self.scope.bind(&component.params, arguments);
                let body = self.body(body);
                self.scope.names.truncate(start);
                let mut body = body?;
                if let Some(renaming) = copied {
                    self.rename(&mut body, &component.name, renaming)?;
                }
                Source::Body(body)
            }
            Source::From(path) => {
                if let Some((from, _)) = copied.iter().flatten().next() {
                    return Err(self.renamed_file(from, &component.name));
                }
                Source::From(path.clone())
            }
        };
        // Errors are about the component where it is described, or about the name of its copy.
        let span = if copied.is_some() { name.span } else { component.name.span };
        let name = Name { text: name.text.clone(), span };
        Ok(Component { name, params: Vec::new(), source })
    }
}
