//! The texts of a model: files, streams and what they include.

use crate::assume::SafetyModel;
use crate::error::Error;
use crate::explicit_model;
use crate::language::{Language, language_named, unknown_ending};
use crate::model::{Inner, Model};
use crate::options::Cancel;
use crate::source::{self, FileSystem, Loader, Source};
use front::ProcessFairness;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use support::{Monitor, SourceMap};

/// Reads one or several texts as one model.
///
/// ```no_run
/// let network = tertium::Input::new()
///     .file("sender.aut")
///     .file("receiver.aut")
///     .sync_file("network.sync")
///     .read()?;
/// # Ok::<(), tertium::Error>(())
/// ```
pub struct Input {
    sources: Vec<Source>,
    sync: Option<Source>,
    language: Option<String>,
    fairness: Option<ProcessFairness>,
    loader: Arc<dyn Loader + Send>,
    cancel: Cancel,
}

impl Default for Input {
    fn default() -> Self {
        Self::new()
    }
}

impl Input {
    /// No text yet; files are those of the file system.
    pub fn new() -> Self {
        let loader = Arc::new(FileSystem);
        let (sources, sync, language, fairness, cancel) = Default::default();
        Self { sources, sync, language, fairness, loader, cancel }
    }

    /// Adds a file.
    #[must_use]
    pub fn file(mut self, path: impl AsRef<Path>) -> Self {
        self.sources.push(Source::file(path.as_ref()));
        self
    }

    /// Adds a text that is no file. The name stands in messages.
    #[must_use]
    pub fn text(mut self, name: &str, text: &str) -> Self {
        self.sources.push(Source::text(name, text));
        self
    }

    /// Adds a text that is read from a stream.
    #[must_use]
    pub fn stream(mut self, name: &str, stream: Box<dyn BufRead + Send>) -> Self {
        self.sources.push(Source::bytes(name, stream));
        self
    }

    /// Takes synchronisation vectors and hidden actions from a file.
    #[must_use]
    pub fn sync_file(mut self, path: impl AsRef<Path>) -> Self {
        self.sync = Some(Source::file(path.as_ref()));
        self
    }

    /// Says in which language all texts are; else their endings do, or how they begin.
    #[must_use]
    pub fn language(mut self, name: &str) -> Self {
        self.language = Some(name.to_owned());
        self
    }

    /// Lets only runs count that are fair to every process, or to every component with actions. It is part of the
    /// model: who certifies an answer says it again.
    #[must_use]
    pub fn process_fairness(mut self, fairness: ProcessFairness) -> Self {
        self.fairness = Some(fairness);
        self
    }

    /// Opens files by other means than the file system.
    #[must_use]
    pub fn loader(mut self, loader: Arc<dyn Loader + Send>) -> Self {
        self.loader = loader;
        self
    }

    /// Gives reading a handle by which another thread can stop it.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Reads the texts as processes and safety properties, for assumptions: components with actions, or one Promela
    /// model with texts that have only safety properties.
    ///
    /// # Errors
    ///
    /// As [`Input::read`].
    pub fn read_safety(mut self) -> Result<SafetyModel, Error> {
        let texts = self.texts()?;
        SafetyModel::read(texts, self.sync, &*self.loader, self.cancel.monitor())
    }

    /// The texts with their languages.
    fn texts(&mut self) -> Result<Vec<(Source, Language)>, Error> {
        let given = self.language.as_deref().map(language_named).transpose()?;
        let streams = self.sources.iter().filter(|source| !source.is_file());
        if streams.filter(|source| source.name.starts_with('<')).count() > 1 {
            let message = "standard input is named twice, and can be read only once";
            return Err(Error::message(message));
        }
        let sources = std::mem::take(&mut self.sources).into_iter();
        sources.map(|source| with_language(source, given, &*self.loader)).collect()
    }

    /// Reads the texts.
    ///
    /// # Errors
    ///
    /// A text cannot be read, or something is wrong in it.
    pub fn read(mut self) -> Result<Model, Error> {
        let mut texts = self.texts()?;
        let Self { sync, fairness, loader, cancel, .. } = self;
        let names: Vec<String> = texts.iter().map(|(source, _)| source.name.clone()).collect();
        let system = texts.iter().position(|(_, language)| language.is_system());
        let inner = match system {
            None => {
                // Of components in several languages it is one in which properties can be written.
                let mut languages = texts.iter().map(|(_, language)| *language);
                let first = texts[0].1;
                let language = languages.find(|language| language.stream().is_none());
                let read = explicit_model::read(texts, sync, fairness, &*loader, cancel.monitor())?;
                Inner::of_components(names, language.unwrap_or(first), read, loader)
            }
            Some(_) if texts.len() == 1 => {
                if sync.is_some() {
                    return Err(Error::message("`--sync` is for components with actions"));
                }
                let (source, language) = texts.swap_remove(0);
                Inner::of_text(source, language, fairness, loader, &cancel)?
            }
            Some(place) => {
                let (source, language) = &texts[place];
                let message =
                    format!("`{}` is a complete system, and there are other files", source.name);
                let help = format!("{} is checked by itself", language.title());
                return Err(Error::message(message).with_help(help));
            }
        };
        Ok(Model::of(inner))
    }
}

fn with_language(
    source: Source,
    given: Option<Language>,
    loader: &dyn Loader,
) -> Result<(Source, Language), Error> {
    if let Some(language) = given.or_else(|| front::language_of(&source.path)) {
        return Ok((source, language));
    }
    if source.is_file() {
        // A file that is not there says so first.
        let path = source.path.clone();
        source.open(loader)?;
        return Err(unknown_ending(&path));
    }
    let (name, path) = (source.name.clone(), source.path.clone());
    let mut input = source.open(loader)?;
    let start = input.fill_buf().map_err(|error| source::unreadable(&path, &error))?;
    let language = front::language_looking_like(start);
    Ok((Source::bytes(&name, input), language))
}

/// Loads the files that the only text includes, and those that they include. The reader says where one is missing.
pub(crate) fn load_included(
    language: Language,
    sources: &mut SourceMap,
    loader: &dyn Loader,
    monitor: &Monitor,
) -> Result<(), Error> {
    let mut number = 0;
    while let Some(source) = sources.files().get(number) {
        let (name, text) = (source.name.clone(), source.text.clone());
        for included in language.includes(&text) {
            let path = Path::new(&name).with_file_name(included);
            let shown = path.display().to_string();
            let is_there = sources.files().iter().any(|file| file.name == shown);
            if let Some(input) = loader.open(&path).ok().filter(|_| !is_there) {
                let text = source::read_text(&shown, input, monitor)?;
                sources.add(shown, text);
            }
        }
        number += 1;
    }
    Ok(())
}
