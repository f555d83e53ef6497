//! Puts the files of one call together into one system and its properties.
//!
//! Every file gives a system (an `.aut` file one of a single component) or only properties. The
//! components of all of them run together, in the order of the files.

use crate::console::colour_of_stderr;
use crate::flags::{Limits, Questions, Semantics};
use crate::input::{self, Trouble};
use crate::smv;
use crate::smv::states::{MOST_STATES, Scope};
use explicit::Outcome;
use front::{Document, Property, Safety};
use logic::{Fairness, Truth};
use model::{Component, ComposeError, Model, Sync, System, Upsets};
use std::collections::HashMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{Diagnostic, Monitor, SourceMap, Stopped, did_you_mean};

/// What the files say.
pub struct Loaded {
    pub system: System,
    /// The system as it is written, if [`system`](Self::system) is its reduction.
    pub covering: Option<System>,
    pub properties: Vec<Property>,
    pub safeties: Vec<Safety>,
    pub warnings: Vec<Diagnostic>,
    pub sources: SourceMap,
    /// Which paths CTL speaks of.
    pub fairness: Fairness,
    /// Of an SMV file: a state that nothing follows, if there is one.
    pub dead_end: Option<String>,
    /// Of an SMV file: the variables that are the same in all states, with their values.
    pub constants: Option<Vec<(String, String)>>,
}

/// Reads the files; `sync` is a file of vectors and hidden actions.
pub fn load(files: &[PathBuf], sync: Option<&Path>, monitor: &Monitor) -> Result<Loaded, Trouble> {
    if files.iter().filter(|file| input::is_dash(file)).count() > 1 {
        return Err(input::standard_input_twice());
    }
    if let Some(path) = smv::among(files)? {
        let program = smv::read(path, &Questions::default(), &[], monitor)?;
        return program.enumerate(Scope::File, MOST_STATES, monitor);
    }
    let mut reader = Reader::new(monitor);
    for file in files {
        // A file that is wrong does not keep the errors of the others from being shown.
        if let Err(Trouble::Stopped(stopped)) = reader.read_noting_errors(file) {
            return Err(stopped.into());
        }
    }
    reader.finish(files, sync)
}

/// The safety properties of files that have nothing else to say of a system.
pub fn load_safeties(
    files: &[PathBuf],
    monitor: &Monitor,
) -> Result<(Vec<Safety>, Vec<Diagnostic>, SourceMap), Trouble> {
    let mut reader = Reader::new(monitor);
    for file in files {
        if let Err(Trouble::Stopped(stopped)) = reader.read_noting_errors(file) {
            return Err(stopped.into());
        }
        if !reader.systems.is_empty() {
            let message =
                format!("`{}` has components, and there is a Promela file", file.display());
            return Err(Trouble::message(message)
                .with_help("a Promela file is a whole system: add only safety properties to it"));
        }
    }
    match reader.errors.is_empty() {
        true => Ok((reader.safeties, reader.warnings, reader.sources)),
        false => Err(reader.into_trouble()),
    }
}

impl Loaded {
    /// Has states that cover others read by these, unless the standard semantics is asked for (X Def. 6): over the
    /// states that nothing approximates better, the reduced semantics is the standard one.
    pub fn reduce(&mut self, semantics: Option<Semantics>) {
        if semantics != Some(Semantics::Sis) && self.system.has_covers() {
            let reduced = self.system.reduced();
            self.covering = Some(std::mem::replace(&mut self.system, reduced));
        }
    }

    /// The initial states that are told by those that they cover.
    pub fn starts_that_cover(&self) -> String {
        let parts = self.covering.iter().flat_map(|system| &system.components);
        let notes = parts.flat_map(|part| {
            let (model, upsets) = (&part.model, Upsets::new(&part.model));
            let name = |state: &u32| format!("`{}`", model.state_name(*state));
            let note = |state: &u32| match upsets.of(*state) {
                atoms @ [_, _, ..] => {
                    let atoms: Vec<String> = atoms.iter().map(name).collect();
                    format!("Note: {} stands for {}\n", name(state), atoms.join(", "))
                }
                _ => String::new(),
            };
            model.init().iter().map(note).collect::<Vec<String>>()
        });
        notes.collect()
    }

    /// Gives an outcome in the states of the file, where that is one component.
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

    /// What is odd about the files, unless nobody wants to know.
    pub fn warnings_for(&self, limits: &Limits) -> String {
        if limits.quiet {
            return String::new();
        }
        report::render(&self.warnings, &self.sources, colour_of_stderr())
    }
}

/// The model of a system; one of several components is composed.
pub fn compose(mut system: System, monitor: &Monitor) -> Result<Model, Trouble> {
    if is_single(&system) {
        return Ok(system.components.swap_remove(0).model);
    }
    monitor.phase("composing", 0);
    system.compose(monitor).map_err(|error| match error {
        ComposeError::Stopped(stopped) => Trouble::Stopped(stopped),
        ComposeError::NoComposableInit => incomposable(),
    })
}

/// The component of that name; `asked` is the flag that names it, or the file that should have it.
pub fn component_named(asked: &str, name: &str, system: &System) -> Result<usize, Trouble> {
    let names = system.components.iter().map(|part| &*part.model.name);
    names.clone().position(|known| known == name).ok_or_else(|| {
        let message = format!("`{asked}`: there is no component `{name}`");
        Trouble::message(message).with_help(did_you_mean(name, "the components are", names))
    })
}

/// A system as a part of another one.
fn as_component(mut system: System, monitor: &Monitor) -> Result<Component, Trouble> {
    if is_single(&system) {
        return Ok(system.components.swap_remove(0));
    }
    // Of these initial states an implementation has some, of those of the other parts all: one model
    // cannot say both.
    let is_open = |part: &&Component| part.is_unknown && part.model.init().len() > 1;
    if let Some(part) = system.components.iter().find(is_open) {
        let name = &part.model.name;
        return Err(Trouble::message(format!(
            "the unknown part `{name}` of this system may start in several ways: give each of its \
             propositions a value in its `init` line"
        )));
    }
    // One model has no `covers` of several, so these are read before they run together.
    let system = if system.has_covers() { system.reduced() } else { system };
    if let Some(part) = system.components.iter().find(|part| !part.model.starts().is_empty()) {
        let name = &part.model.name;
        return Err(Trouble::message(format!(
            "the part `{name}` of this system starts in a state that covers others: name one of \
             them in its `init` line"
        )));
    }
    Ok(Component { model: compose(system, monitor)?, is_unknown: false })
}

fn is_single(system: &System) -> bool {
    system.components.len() == 1 && system.sync == Sync::default()
}

struct Reader<'a> {
    monitor: &'a Monitor,
    sources: SourceMap,
    systems: Vec<System>,
    properties: Vec<Property>,
    safeties: Vec<Safety>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// The files that are being read, each named in the one before.
    open: Vec<PathBuf>,
    stopped: Option<Stopped>,
}

impl<'a> Reader<'a> {
    fn new(monitor: &'a Monitor) -> Self {
        Self {
            monitor,
            sources: SourceMap::new(),
            systems: Vec::new(),
            properties: Vec::new(),
            safeties: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            open: Vec::new(),
            stopped: None,
        }
    }

    fn read_noting_errors(&mut self, path: &Path) -> Result<(), Trouble> {
        let document = self.read(path).map_err(|trouble| self.note(trouble))?;
        self.systems.extend(document.system);
        self.properties.extend(document.properties);
        self.safeties.extend(document.safeties);
        self.warnings.extend(document.warnings);
        Ok(())
    }

    /// Keeps what is wrong until all files are read.
    fn note(&mut self, trouble: Trouble) -> Trouble {
        match trouble {
            Trouble::Faults(diagnostics, sources) => {
                let offset = self.sources.files().len() as u32;
                sources.files().iter().for_each(|file| {
                    self.sources.add_file(file.clone());
                });
                self.errors.extend(diagnostics.into_iter().map(|mut diagnostic| {
                    diagnostic.labels.iter_mut().for_each(|(span, _)| span.file.0 += offset);
                    diagnostic
                }));
                Trouble::Faults(Vec::new(), Box::default())
            }
            stopped => stopped,
        }
    }

    fn read(&mut self, path: &Path) -> Result<Document, Trouble> {
        let mut input = input::open(path)?;
        if is_aut(path, &mut input).map_err(|error| input::unreadable(path, &error))? {
            let model = read_aut(path, input, self.monitor)?;
            return Ok(Document {
                system: Some(System::single(model)),
                properties: Vec::new(),
                safeties: Vec::new(),
                warnings: Vec::new(),
            });
        }
        self.monitor.phase("reading", 0);
        let text: Arc<str> = input::read_text(path, input, self.monitor)?.into();
        self.read_tm(path, text)
    }

    fn read_tm(&mut self, path: &Path, text: Arc<str>) -> Result<Document, Trouble> {
        let file = self.sources.add(input::name_of(path), text.clone());
        self.open.push(path.to_owned());
        let monitor = self.monitor;
        let document = front::read_tm(file, &text, monitor, &mut |name| self.read_part(name));
        self.open.pop();
        monitor.check()?;
        if let Some(stopped) = self.stopped {
            return Err(stopped.into());
        }
        document.map_err(|diagnostics| {
            self.errors.extend(diagnostics);
            Trouble::Faults(Vec::new(), Box::default())
        })
    }

    /// `component A from "name";`, relative to the file in which it stands.
    fn read_part(&mut self, name: &str) -> Result<Component, String> {
        const DEEPEST: usize = 32;
        if smv::is_smv(Path::new(name)) {
            return Err("an SMV file is a whole system and no component".to_owned());
        }
        let folder = self.open.last().and_then(|path| path.parent()).unwrap_or(Path::new(""));
        let path = folder.join(name);
        let is_this_file = |open: &PathBuf| place_of(open) == place_of(&path);
        if self.open.iter().any(is_this_file) || self.open.len() > DEEPEST {
            return Err("this file is part of itself".to_owned());
        }
        let read = self.read(&path).and_then(|part| {
            self.warnings.extend(part.warnings);
            let missing = || Trouble::message(format!("`{}` has no component", path.display()));
            as_component(part.system.ok_or_else(missing)?, self.monitor)
        });
        read.map_err(|trouble| match trouble.bare_message() {
            Some(message) => message,
            None => self.note_part(trouble),
        })
    }

    fn note_part(&mut self, trouble: Trouble) -> String {
        match self.note(trouble) {
            Trouble::Stopped(stopped) => {
                self.stopped = Some(stopped);
                stopped.to_string()
            }
            Trouble::Faults(..) => "something is wrong with this file".to_owned(),
        }
    }

    fn finish(mut self, files: &[PathBuf], sync: Option<&Path>) -> Result<Loaded, Trouble> {
        self.check_properties();
        if !self.errors.is_empty() {
            return Err(self.into_trouble());
        }
        let mut system = join(std::mem::take(&mut self.systems), files, self.monitor)?;
        if let Some(path) = sync {
            match self.read_sync(path, &system)? {
                Some(sync) => system.sync = sync,
                None => return Err(self.into_trouble()),
            }
        }
        let Self { properties, safeties, warnings, sources, .. } = self;
        let fairness = Fairness { terms: Vec::new(), everywhere: true, ..Fairness::default() };
        let (dead_end, constants) = (None, None);
        Ok(Loaded {
            system,
            covering: None,
            properties,
            safeties,
            warnings,
            sources,
            fairness,
            dead_end,
            constants,
        })
    }

    fn into_trouble(mut self) -> Trouble {
        self.errors.extend(self.warnings);
        Trouble::Faults(self.errors, Box::new(self.sources))
    }

    /// `None` if something is wrong with the text.
    fn read_sync(&mut self, path: &Path, system: &System) -> Result<Option<Sync>, Trouble> {
        if system.sync != Sync::default() {
            let message =
                "the system has `sync` or `hide` of its own, and there is `--sync` besides";
            return Err(Trouble::message(message).with_help("keep one of them"));
        }
        let input = input::open(path)?;
        let text: Arc<str> = input::read_text(path, input, self.monitor)?.into();
        let file = self.sources.add(input::name_of(path), text.clone());
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
        let mut known: HashMap<&str, &Property> = HashMap::new();
        for property in &self.properties {
            let first = *known.entry(&property.name).or_insert(property);
            if !std::ptr::eq(first, property) {
                let message = format!("the property `{}` is in two files", property.name);
                let error = Diagnostic::error(message, property.span, "again here")
                    .with_label(first.span, "first here")
                    .with_help("rename one of them");
                self.errors.push(error);
            }
        }
    }
}

/// One system out of several.
fn join(mut systems: Vec<System>, files: &[PathBuf], monitor: &Monitor) -> Result<System, Trouble> {
    if systems.len() <= 1 {
        return systems.pop().ok_or_else(|| no_component(files));
    }
    if systems.iter().any(|system| system.sync != Sync::default()) {
        return Err(Trouble::message("`sync` and `hide` speak of the components of one file only")
            .with_help(
                "bring the others into that file (`component NAME from \"other.tm\";`), or put `sync` \
                 and `hide` into a file of their own for `--sync`",
            ));
    }
    let components: Vec<Component> =
        systems.into_iter().flat_map(|system| system.components).collect();
    for (i, component) in components.iter().enumerate() {
        let (model, before) = (&component.model, &components[..i]);
        if before.iter().any(|other| other.model.name == model.name) {
            return Err(Trouble::message(format!("the component `{}` is there twice", model.name))
                .with_help("rename one of them; an .aut file is a component named like the file"));
        }
        let first = &components[0].model;
        if first.kind.family() != model.kind.family() {
            return Err(Trouble::message(format!(
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
fn incomposable() -> Trouble {
    Trouble::message(explicit::Error::NoComposableInit.to_string()).with_help(
        "the components start together: give the propositions that they share the same values in \
         their initial states",
    )
}

fn no_component(files: &[PathBuf]) -> Trouble {
    let names: Vec<String> =
        files.iter().map(|file| format!("`{}`", input::name_of(file))).collect();
    Trouble::message(format!("there is no component in {}", names.join(", ")))
}

/// A file has many names, with `..` in them or by links; this one they share.
fn place_of(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// By the ending; standard input by its first word.
fn is_aut(path: &Path, input: &mut dyn BufRead) -> std::io::Result<bool> {
    if input::is_dash(path) {
        return Ok(input.fill_buf()?.trim_ascii_start().starts_with(b"des"));
    }
    Ok(path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("aut")))
}

fn read_aut(path: &Path, input: impl BufRead, monitor: &Monitor) -> Result<Model, Trouble> {
    let name = input::name_of(path);
    let mut model = front::read_aut(input, &name, monitor)
        .map_err(|error| Trouble::from_reader(path, error))?;
    if let Some(stem) = path.file_stem() {
        model.name = stem.to_string_lossy().into_owned();
    }
    Ok(model)
}
