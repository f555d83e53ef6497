//! Explicit models: components that run together, read from one or several texts.
//!
//! Every text gives a system (an `.aut` file one of a single component) or only properties. The components of all of
//! them run together, in the order of the texts.

use crate::error::Error;
use crate::language::Language;
use crate::options::Semantics;
use crate::source::{self, Loader, Source};
use automata::Valuations;
use explicit::Outcome;
use front::{
    Document, FairAction, Form, PartLoader, ProcessFairness, Reading, Safety, SourceText,
    Specification,
};
use logic::{ActionSet, FairSteps, Fairness, Family, Formula, PropId, Signature, Surface, Truth};
use model::{Component, ComposeError, PartialModel, Rule, Sync, System, Upsets};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{Diagnostic, FileId, Interner, Monitor, SourceMap, Span, Stopped, did_you_mean};

/// Components, properties and safety properties of one or several texts.
pub struct Components {
    pub system: System,
    pub properties: Vec<Specification>,
    pub safeties: Vec<Safety>,
    pub fairness: Vec<FairSteps>,
    pub warnings: Vec<Diagnostic>,
    pub sources: SourceMap,
}

/// A system of states that can be asked something.
#[derive(Clone)]
pub struct ExplicitStates {
    pub system: Arc<System>,
    /// The system as it is written, if [`system`](Self::system) is its reduction.
    pub covering: Option<Arc<System>>,
    /// Which paths CTL speaks of.
    pub fairness: Fairness,
    /// Of a symbolic model: a deadlock state, if there is one.
    pub deadlock_state: Option<String>,
    /// Of a symbolic model: the variables that are the same in all states, with their values.
    pub constants: Option<Vec<(String, String)>>,
    /// The propositions and the actions that formulas can speak of.
    words: (Interner<PropId>, Vec<String>),
}

/// Reads texts with their languages; `sync` is a text of vectors and hidden actions.
pub fn read(
    texts: Vec<(Source, Language)>,
    sync: Option<Source>,
    fairness: Option<ProcessFairness>,
    loader: &dyn Loader,
    monitor: &Monitor,
) -> Result<Components, Error> {
    let mut reader = Reader::new(loader, monitor);
    let names: Vec<String> = texts.iter().map(|(source, _)| source.name.clone()).collect();
    for (source, language) in texts {
        // A text that is wrong does not keep the errors of the others from being shown.
        if let Err(Error::Stopped(stopped)) = reader.read_noting_errors(source, language) {
            return Err(stopped.into());
        }
    }
    reader.finish(&names, sync, fairness)
}

/// Reads the safety properties of texts beside a system, which messages call `system`.
pub fn read_safeties(
    texts: Vec<(Source, Language)>,
    system: &str,
    loader: &dyn Loader,
    monitor: &Monitor,
) -> Result<(Vec<Safety>, Vec<Diagnostic>, SourceMap), Error> {
    let mut reader = Reader::new(loader, monitor);
    for (source, language) in texts {
        let name = source.name.clone();
        if let Err(Error::Stopped(stopped)) = reader.read_noting_errors(source, language) {
            return Err(stopped.into());
        }
        if !reader.systems.is_empty() {
            let message = format!("`{name}` has components, and there is {system}");
            return Err(Error::message(message).with_help(format!(
                "{system} is a complete system: add only safety properties to it"
            )));
        }
    }
    match reader.errors.is_empty() {
        true => Ok((reader.safeties, reader.warnings, reader.sources)),
        false => Err(reader.into_error()),
    }
}

impl ExplicitStates {
    /// The states of components as they are written, or of their reduction where states cover others (X Def. 6): over
    /// the states that nothing approximates better, the reduced semantics is the standard one.
    pub fn of_components(
        system: &Arc<System>,
        steps: &[FairSteps],
        semantics: Option<Semantics>,
    ) -> Self {
        let steps = steps.to_vec();
        let fairness = Fairness { steps, everywhere: true, ..Fairness::default() };
        let reduces = semantics != Some(Semantics::Sis) && system.has_covers();
        let (reduced, covering) = match reduces {
            true => (Arc::new(system.reduced()), Some(system.clone())),
            false => (system.clone(), None),
        };
        Self { covering, ..Self::new(reduced, fairness) }
    }

    /// The states of a system, as they are.
    pub fn new(system: Arc<System>, fairness: Fairness) -> Self {
        let words = (system.props(), system.actions());
        Self { system, covering: None, fairness, deadlock_state: None, constants: None, words }
    }

    /// The formula in normal form.
    pub fn compile(&self, surface: &Surface) -> Result<Formula, Error> {
        self.compile_warning(surface, &mut Vec::new()).map_err(Error::of_formula)
    }

    /// The formula in normal form, with warnings about it.
    pub fn compile_warning(
        &self,
        surface: &Surface,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Formula, Vec<Diagnostic>> {
        let valuations =
            if self.is_complete() { Valuations::Complete } else { Valuations::Partial };
        automata::compile(surface, &self.signature(), &self.fairness, valuations, warnings)
    }

    /// The names that formulas may use.
    pub fn signature(&self) -> Signature<'_> {
        let (props, actions) = &self.words;
        Signature { family: self.system.family(), props, actions }
    }

    /// Whether nothing is unknown in any component.
    pub fn is_complete(&self) -> bool {
        self.system.components.iter().all(|part| part.model.kind.is_complete())
    }

    /// The initial states that are shown by those that they cover.
    pub fn starts_that_cover(&self) -> String {
        let parts = self.covering.iter().flat_map(|system| &system.components);
        let notes = parts.flat_map(|part| {
            let (model, upsets) = (&part.model, Upsets::new(&part.model));
            let name = |state: &u32| format!("`{}`", model.state_name(*state));
            let note = |state: &u32| match upsets.of(*state) {
                atoms @ [_, _, ..] => {
                    let atoms: Vec<String> = atoms.iter().map(name).collect();
                    format!("Note: {} abstracts {}\n", name(state), atoms.join(", "))
                }
                _ => String::new(),
            };
            model.init().iter().map(note).collect::<Vec<String>>()
        });
        notes.collect()
    }

    /// Gives an outcome in the states of the text, where that is one component.
    pub fn in_all_states(&self, outcome: &mut Outcome) {
        let Some([single]) = self.covering.as_ref().map(|system| &system.components[..]) else {
            return;
        };
        let known = outcome.values.as_ref().unwrap_or(&outcome.initial);
        let known: HashMap<&str, Truth> =
            known.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let atoms = &self.system.components[0].model;
        let value = |atom: u32| known.get(&*atoms.state_name(atom)).copied();
        let all = single.model.values_from_atoms(|atom| value(atom).unwrap_or(Truth::Unknown));
        let named = |state: u32| (single.model.state_name(state), all[state as usize]);
        outcome.initial = single.model.init().iter().copied().map(named).collect();
        if let Some(values) = &mut outcome.values {
            *values = (0..all.len() as u32).map(named).collect();
        }
    }
}

/// The model of a system; one of several components is composed.
pub fn compose(mut system: System, monitor: &Monitor) -> Result<PartialModel, Error> {
    if is_single(&system) {
        return Ok(system.components.swap_remove(0).model);
    }
    monitor.phase("composing", 0);
    system.compose(monitor).map_err(|error| match error {
        ComposeError::Stopped(stopped) => Error::Stopped(stopped),
        ComposeError::NoComposableInit => incomposable(),
    })
}

/// The component of that name; `asked` is the flag that names it, or the file that should have it.
pub fn component_named(asked: &str, name: &str, system: &System) -> Result<usize, Error> {
    let names = system.components.iter().map(|part| &*part.model.name);
    names.clone().position(|known| known == name).ok_or_else(|| {
        let message = format!("`{asked}`: there is no component `{name}`");
        Error::message(message).with_help(did_you_mean(name, "the components are", names))
    })
}

/// A system as a part of another one.
fn as_component(mut system: System, monitor: &Monitor) -> Result<Component, Error> {
    if is_single(&system) {
        return Ok(system.components.swap_remove(0));
    }
    // Of these initial states an implementation has some, of those of the other parts all: one model
    // cannot say both.
    let is_open = |part: &&Component| part.is_unknown && part.model.init().len() > 1;
    if let Some(part) = system.components.iter().find(is_open) {
        let name = &part.model.name;
        return Err(Error::message(format!(
            "the unknown component `{name}` has several initial states: give each of its propositions a value in its `init` line"
        )));
    }
    // One model has no `covers` of several, so these are read before they run together.
    let system = if system.has_covers() { system.reduced() } else { system };
    if let Some(part) = system.components.iter().find(|part| !part.model.starts().is_empty()) {
        let name = &part.model.name;
        return Err(Error::message(format!(
            "the initial state of the component `{name}` covers others: name one of them in its `init` line"
        )));
    }
    Ok(Component { model: compose(system, monitor)?, is_unknown: false })
}

/// Fairness of every component, as if it stood in the text.
fn fair_components(fairness: ProcessFairness, system: &System) -> Vec<FairAction> {
    let fair = |part: &Component| FairAction {
        is_strong: fairness == ProcessFairness::Strong,
        component: part.model.name.clone(),
        action: None,
        span: Span::new(FileId(0), 0..0),
    };
    system.components.iter().map(fair).collect()
}

/// The joint steps that show an action of a component, or any of its actions.
fn fair_steps(fair: &FairAction, system: &System) -> Result<FairSteps, Diagnostic> {
    let FairAction { is_strong, component, action, span } = fair;
    let error = |message: String, label: &str| Diagnostic::error(message, *span, label);
    if system.family() == Family::Props {
        let message = "fairness of actions in a system without actions".to_owned();
        let help = "say it in the formula: `(G F p -> G F q) -> f`";
        return Err(error(message, "its transitions carry no actions").with_help(help));
    }
    let names = system.components.iter().map(|part| &*part.model.name);
    let Some(number) = names.clone().position(|name| name == component) else {
        let help = did_you_mean(component, "the components are", names);
        let message = format!("there is no component `{component}`");
        return Err(error(message, "not part of the system").with_help(help));
    };
    let actions = system.components[number].model.actions();
    if let Some(name) = action.as_ref().filter(|name| actions.get(name).is_none()) {
        let help = did_you_mean(name, "its actions are", actions.names());
        let message = format!("`{component}` has no action `{name}`");
        return Err(error(message, "it is never taken").with_help(help));
    }
    let (rules, shown) = system.rules();
    let is_meant = |rule: &Rule| {
        let wanted = |own| action.as_ref().is_none_or(|name| actions.name(own) == name);
        rule.parts.iter().any(|&(part, own)| part == number && wanted(own))
    };
    let meant: Vec<_> =
        rules.iter().filter(|rule| is_meant(rule)).map(|rule| rule.result).collect();
    // Steps are known by the action that they show.
    let mixed = rules.iter().find(|rule| meant.contains(&rule.result) && !is_meant(rule));
    if let Some(rule) = mixed {
        let name = shown.name(rule.result);
        let message = format!("other steps show the action `{name}`, too");
        let help =
            "give the action a name of its own: fairness is about steps with the same action";
        return Err(error(message, "this cannot be distinguished from other steps").with_help(help));
    }
    let actions = meant.into_iter().map(|action| ActionSet::one(shown.name(action)));
    let actions = actions.fold(ActionSet::none(), ActionSet::or);
    Ok(FairSteps { actions, is_strong: *is_strong })
}

fn is_single(system: &System) -> bool {
    system.components.len() == 1 && system.sync == Sync::default()
}

struct Reader<'a> {
    loader: &'a dyn Loader,
    monitor: &'a Monitor,
    sources: SourceMap,
    systems: Vec<System>,
    properties: Vec<Specification>,
    safeties: Vec<Safety>,
    fairness: Vec<FairAction>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// The files that are being read, each named in the one before.
    open: Vec<PathBuf>,
    stopped: Option<Stopped>,
}

impl<'a> Reader<'a> {
    fn new(loader: &'a dyn Loader, monitor: &'a Monitor) -> Self {
        Self {
            loader,
            monitor,
            sources: SourceMap::new(),
            systems: Vec::new(),
            properties: Vec::new(),
            safeties: Vec::new(),
            fairness: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            open: Vec::new(),
            stopped: None,
        }
    }

    fn read_noting_errors(&mut self, source: Source, language: Language) -> Result<(), Error> {
        let document = self.read(source, language).map_err(|error| self.note(error))?;
        if let Form::Components(system) = document.form {
            self.systems.extend(system);
        }
        self.properties.extend(document.properties);
        self.safeties.extend(document.safeties);
        self.fairness.extend(document.fairness);
        self.warnings.extend(document.warnings);
        Ok(())
    }

    /// Keeps errors until all texts are read.
    fn note(&mut self, error: Error) -> Error {
        let Error::Input(found) = error else { return error };
        let offset = self.sources.files().len() as u32;
        found.sources.files().iter().for_each(|file| {
            self.sources.add_file(file.clone());
        });
        self.errors.extend(found.messages.into_iter().map(|mut diagnostic| {
            diagnostic.labels.iter_mut().for_each(|(span, _)| span.file.0 += offset);
            diagnostic
        }));
        Error::of(Vec::new(), &SourceMap::new())
    }

    fn read(&mut self, source: Source, language: Language) -> Result<Document, Error> {
        let (name, path) = (source.name.clone(), source.path.clone());
        let input = source.open(self.loader)?;
        if let Some(read) = language.stream() {
            let mut model = read(&mut Box::new(input), &name, self.monitor)
                .map_err(|error| Error::from_reader(&path, error))?;
            if let Some(stem) = path.file_stem() {
                model.name = stem.to_string_lossy().into_owned();
            }
            return Ok(Document::of_components(System::single(model)));
        }
        self.monitor.phase("reading", 0);
        let text: Arc<str> = source::read_text(&name, input, self.monitor)?.into();
        let file = self.sources.add(&*name, text.clone());
        self.open.push(path.to_owned());
        let monitor = self.monitor;
        let mut load = |name: &str| self.read_part(name);
        let reading =
            Reading { loader: Some(&mut load as &mut PartLoader), ..Reading::new(monitor) };
        let document = language.read(&SourceText::new(file, name, text), reading);
        self.open.pop();
        monitor.check()?;
        if let Some(stopped) = self.stopped {
            return Err(stopped.into());
        }
        document.map_err(|diagnostics| {
            self.errors.extend(diagnostics);
            Error::of(Vec::new(), &SourceMap::new())
        })
    }

    /// `component A from "name";`, relative to the file in which it stands.
    fn read_part(&mut self, name: &str) -> Result<Component, String> {
        const DEEPEST: usize = 32;
        let language = front::language_of(Path::new(name));
        let language = language.unwrap_or(front::language_looking_like(&[]));
        if language.is_system() {
            return Err("an SMV file is a complete system, not a component".to_owned());
        }
        let folder = self.open.last().and_then(|path| path.parent()).unwrap_or(Path::new(""));
        let path = folder.join(name);
        let is_this_file = |open: &PathBuf| place_of(open) == place_of(&path);
        if self.open.iter().any(is_this_file) || self.open.len() > DEEPEST {
            return Err("this file includes itself".to_owned());
        }
        let read = self.read(Source::file(&path), language).and_then(|part| {
            self.warnings.extend(part.warnings);
            let missing = || Error::message(format!("`{}` has no component", path.display()));
            let Form::Components(Some(system)) = part.form else { return Err(missing()) };
            as_component(system, self.monitor)
        });
        read.map_err(|error| match error.bare_message() {
            Some(message) => message.to_owned(),
            None => self.note_part(error),
        })
    }

    fn note_part(&mut self, error: Error) -> String {
        match self.note(error) {
            Error::Stopped(stopped) => {
                self.stopped = Some(stopped);
                stopped.to_string()
            }
            _ => "this file has errors".to_owned(),
        }
    }

    fn finish(
        mut self,
        names: &[String],
        sync: Option<Source>,
        fairness: Option<ProcessFairness>,
    ) -> Result<Components, Error> {
        self.check_properties();
        if !self.errors.is_empty() {
            return Err(self.into_error());
        }
        let mut system = join(std::mem::take(&mut self.systems), names, self.monitor)?;
        if let Some(source) = sync {
            match self.read_sync(source, &system)? {
                Some(sync) => system.sync = sync,
                None => return Err(self.into_error()),
            }
        }
        if let Some(fairness) = fairness {
            self.fairness.extend(fair_components(fairness, &system));
        }
        let fair = self.fairness.iter().map(|fair| fair_steps(fair, &system));
        let fairness = fair.collect::<Result<_, _>>();
        let fairness = fairness.map_err(|error| Error::of(vec![error], &self.sources))?;
        let Self { properties, safeties, warnings, sources, .. } = self;
        Ok(Components { system, properties, safeties, fairness, warnings, sources })
    }

    fn into_error(mut self) -> Error {
        self.errors.extend(self.warnings);
        Error::of(self.errors, &self.sources)
    }

    /// `None` if something is wrong with the text.
    fn read_sync(&mut self, source: Source, system: &System) -> Result<Option<Sync>, Error> {
        if system.sync != Sync::default() {
            let message =
                "the system has `sync` or `hide` of its own, and there is `--sync` besides";
            return Err(Error::message(message).with_help("keep one of them"));
        }
        let name = source.name.clone();
        let input = source.open(self.loader)?;
        let text: Arc<str> = source::read_text(&name, input, self.monitor)?.into();
        let file = self.sources.add(name, text.clone());
        match front::read_sync(file, &text, &system.components) {
            Ok((sync, warnings)) => {
                self.warnings.extend(warnings);
                Ok(Some(sync))
            }
            Err(diagnostics) => {
                self.errors.extend(diagnostics);
                Ok(None)
            }
        }
    }

    /// Within a file the parser has seen to it.
    fn check_properties(&mut self) {
        let mut known: HashMap<&str, &Specification> = HashMap::new();
        for property in &self.properties {
            let first = *known.entry(property.title()).or_insert(property);
            if !std::ptr::eq(first, property) {
                let message = format!("the property `{}` is in two files", property.title());
                let error = Diagnostic::error(message, property.named, "again here")
                    .with_label(first.named, "first here")
                    .with_help("rename one of them");
                self.errors.push(error);
            }
        }
    }
}

/// One system out of several.
fn join(mut systems: Vec<System>, names: &[String], monitor: &Monitor) -> Result<System, Error> {
    if systems.len() <= 1 {
        return systems.pop().ok_or_else(|| no_component(names));
    }
    if systems.iter().any(|system| system.sync != Sync::default()) {
        return Err(Error::message("`sync` and `hide` apply to the components of one file only")
            .with_help(
                "include the others in that file (`component NAME from \"other.tm\";`), or put `sync` \
                 and `hide` into a file of their own for `--sync`",
            ));
    }
    let components: Vec<Component> =
        systems.into_iter().flat_map(|system| system.components).collect();
    for (i, component) in components.iter().enumerate() {
        let (model, before) = (&component.model, &components[..i]);
        if before.iter().any(|other| other.model.name == model.name) {
            return Err(Error::message(format!("the component `{}` is defined twice", model.name))
                .with_help("rename one of them; an .aut file is a component named like the file"));
        }
        let first = &components[0].model;
        if first.kind.family() != model.kind.family() {
            return Err(Error::message(format!(
                "components with propositions and components with actions do not mix: `{}` is of \
                 the kind {}, `{}` of the kind {}",
                first.name,
                first.kind.name(),
                model.name,
                model.kind.name()
            )));
        }
    }
    let system = System { components, sync: Sync::default() };
    if system.can_start(monitor)? { Ok(system) } else { Err(incomposable()) }
}

/// Within a file the reader has seen to it, and says more.
fn incomposable() -> Error {
    Error::message(explicit::CheckError::NoComposableInit.to_string()).with_help(
        "the components start together: give the propositions that they share the same values in \
         their initial states",
    )
}

fn no_component(names: &[String]) -> Error {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Error::message(format!("there is no component in {}", names.join(", ")))
        .with_help("`--compose` joins a file of properties with those of the components")
}

/// A file has many names, with `..` in them or by links; this one they share.
fn place_of(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
