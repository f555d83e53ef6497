//! Processes that run together, and safety properties about their actions.

use crate::error::{Diagnostics, Error};
use crate::explicit_model::{self, Components, component_named};
use crate::language::Language;
use crate::source::{self, Loader, Source};
use ::model::{PartialModel, System, TAU};
use front::{ProcessForm, ProcessReader, Safety, SourceText};
use std::cmp::Reverse;
use std::sync::Arc;
use support::{Diagnostic, Monitor, Severity, SourceMap, did_you_mean};

/// Stands for every process.
const ALL: &str = "all";

/// Processes with actions, and safety properties about them. Read by [`crate::Input::read_safety`].
pub struct SafetyModel {
    pub(super) system: System,
    pub(super) safeties: Vec<Safety>,
    /// The text that the processes were taken from, where that is a complete model.
    pub(super) origin: Option<ProcessSource>,
    warnings: Diagnostics,
}

/// A model that was taken apart into the processes that it consists of.
pub(super) struct ProcessSource {
    pub language: Language,
    pub sources: SourceMap,
    pub form: Box<dyn ProcessForm>,
}

impl ProcessSource {
    fn read(
        source: Source,
        language: Language,
        read: ProcessReader,
        loader: &dyn Loader,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let name = source.name.clone();
        let text: Arc<str> = source::read_text(&name, source.open(loader)?, monitor)?.into();
        let mut sources = SourceMap::new();
        let file = sources.add(&*name, text.clone());
        match read(&SourceText::new(file, name, text), monitor) {
            Ok(form) => Ok(Self { language, sources, form }),
            Err(faults) => {
                monitor.check()?;
                Err(Error::of(faults, &sources))
            }
        }
    }
}

impl SafetyModel {
    /// Reads components with actions, or a complete model by its processes and texts with safety properties about it.
    pub(crate) fn read(
        texts: Vec<(Source, Language)>,
        sync: Option<Source>,
        loader: &dyn Loader,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let (mut systems, others): (Vec<_>, Vec<_>) =
            texts.into_iter().partition(|(_, language)| language.by_processes().is_some());
        let last = systems.pop();
        let Some((source, language, read)) =
            last.and_then(|(source, language)| Some((source, language, language.by_processes()?)))
        else {
            return Self::of_components(others, sync, loader, monitor);
        };
        let title = language.title();
        if !systems.is_empty() {
            let (_, kind) = title.split_once(' ').unwrap_or_default();
            return Err(Error::message(format!("there are two {kind}s"))
                .with_help(format!("{title} is a complete system")));
        }
        if sync.is_some() {
            return Err(Error::message(format!(
                "`--sync` is not for {title}, which defines the synchronisation of its processes"
            )));
        }
        let origin = ProcessSource::read(source, language, read, loader, monitor)?;
        let (mut safeties, messages, sources) =
            explicit_model::read_safeties(others, title, loader, monitor)?;
        safeties.push(origin.form.assertions());
        let system = origin.form.system().clone();
        let warnings = Diagnostics { messages, sources };
        Ok(Self { system, safeties, origin: Some(origin), warnings })
    }

    fn of_components(
        texts: Vec<(Source, Language)>,
        sync: Option<Source>,
        loader: &dyn Loader,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        if let Some((source, _)) = texts.iter().find(|(_, language)| language.is_system()) {
            let message = format!(
                "a safety property is about the actions of processes, and `{}` is an SMV file",
                source.name
            );
            return Err(Error::message(message).with_help("give .tm or .aut files, or a .pml file"));
        }
        let Components { system, safeties, warnings: messages, sources, .. } =
            explicit_model::read(texts, sync, None, loader, monitor)?;
        let warnings = Diagnostics { messages, sources };
        Ok(Self { system, safeties, origin: None, warnings })
    }

    /// Warnings about the texts.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// Warnings about a safety property: actions that it declares and no process has.
    ///
    /// # Errors
    ///
    /// There is no such property.
    pub fn warnings_about(&self, safety: Option<&str>) -> Result<Diagnostics, Error> {
        let safety = self.safety_named(safety)?;
        let (_, shown) = self.system.rules();
        // A complete model without assertions has none that fails.
        let is_own = |name: &str| {
            let own = self.origin.as_ref().map(|origin| origin.form.assertions().model);
            own.is_some_and(|own| own.actions().get(name).is_some())
        };
        let is_unseen = |name: &&str| {
            !shown.is_empty() && *name != TAU && shown.get(name).is_none() && !is_own(name)
        };
        let warning = |name: &str| Diagnostic {
            severity: Severity::Warning,
            message: format!(
                "the safety property `{}` declares `{name}`, and no process has such an action",
                safety.name
            ),
            labels: Vec::new(),
            help: Some(did_you_mean(name, "the actions are", shown.names())),
        };
        let messages = safety.actions().names().filter(is_unseen).map(warning).collect();
        Ok(Diagnostics { messages, sources: SourceMap::new() })
    }

    /// The safety property of that name; of no name, the only one, or that no assertion of a complete model fails.
    pub(super) fn safety_named(&self, name: Option<&str>) -> Result<&PartialModel, Error> {
        let name = match (name, &self.safeties[..]) {
            (Some(name), _) => name,
            (None, [.., last]) if self.origin.is_some() => &last.name,
            (None, [only]) => &only.name,
            (None, _) => "",
        };
        let names = self.safeties.iter().map(|safety| &*safety.name);
        let found = self.safeties.iter().find(|safety| safety.name == name);
        found.map(|safety| &safety.model).ok_or_else(|| {
            let message = match name {
                "" if self.safeties.is_empty() => "the files have no safety property".to_owned(),
                "" => "which safety property? `--safety P` names it".to_owned(),
                name => format!("`--safety`: there is no safety property `{name}`"),
            };
            let help = match names.len() {
                0 => "write one: `safety NAME lts { … }` in a .tm file".to_owned(),
                _ => did_you_mean(name, "the safety properties are", names),
            };
            Error::message(message).with_help(help)
        })
    }

    /// All processes, the largest first: what it loses the others need not carry.
    pub(super) fn largest_first(&self) -> Vec<usize> {
        let states = |&number: &usize| self.system.components[number].model.states();
        let is_process = |&number: &usize| {
            self.origin.as_ref().is_none_or(|origin| origin.form.is_process(number))
        };
        let mut all: Vec<usize> = (0..self.system.components.len()).filter(is_process).collect();
        all.sort_by_key(|number| Reverse(states(number)));
        all
    }

    /// The processes of these names, in this order; `all` are all of them.
    pub(super) fn processes(&self, names: &[String]) -> Result<Vec<usize>, Error> {
        if names.iter().any(|name| name == ALL) && self.process("--process", ALL).is_err() {
            return match names {
                [_] => Ok(self.largest_first()),
                _ => Err(Error::message("`--process all` names every process already")
                    .with_help("leave the others out, or name those that you mean")),
            };
        }
        let mut numbers = Vec::new();
        for name in names {
            let number = self.process("--process", name)?;
            if numbers.contains(&number) {
                return Err(Error::message(format!("`--process` names `{name}` twice")));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// The process of that name; one of a complete model has also the name that its formulas know it by.
    pub(super) fn process(&self, asked: &str, name: &str) -> Result<usize, Error> {
        let named = self.origin.as_ref().and_then(|origin| origin.form.process_named(name));
        match named {
            Some(number) => Ok(number),
            None => component_named(asked, name, &self.system),
        }
    }
}
