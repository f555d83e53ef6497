//! The table of languages: each is its folder and one line here.

use crate::document::{Document, GivenQuestion, MachineForm, Safety, Specification};
use crate::smv::Witness;
use crate::{NotKripke, ReadError, aut, imperative, promela, smv, tm};
use model::{Component, PartialModel, System};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, Span};

/// All languages. A text of unknown origin is in the first one that it looks like; the last one takes all.
pub static LANGUAGES: &[&dyn Language] =
    &[&smv::Smv, &promela::Promela, &imperative::While, &aut::Aut, &tm::Tm];

/// The language of a file, by its ending.
pub fn language_of(path: &Path) -> Option<&'static dyn Language> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    LANGUAGES.iter().copied().find(|language| language.endings().contains(&&*ending))
}

/// The language of that name.
pub fn language_named(name: &str) -> Option<&'static dyn Language> {
    LANGUAGES.iter().copied().find(|language| language.name() == name)
}

/// The language that a text looks like, by how it begins.
pub fn language_looking_like(start: &[u8]) -> &'static dyn Language {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let found = LANGUAGES.iter().copied().find(|language| language.looks_like(start));
    found.unwrap_or(&tm::Tm)
}

/// A text and what messages call it.
#[derive(Clone, Debug)]
pub struct SourceText {
    pub file: FileId,
    pub name: String,
    pub text: Arc<str>,
}

impl SourceText {
    pub fn new(file: FileId, name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { file, name: name.into(), text: text.into() }
    }
}

/// Reads a component from another file, by the name that stands in `component A from "…";`. One that
/// is unknown there is unknown here.
pub type PartLoader<'l> = dyn FnMut(&str) -> Result<Component, String> + 'l;

/// Which numbers variables may have.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Numbers {
    /// As they are declared.
    #[default]
    Declared,
    /// Finitely many, or else it is an error.
    Finite,
    /// All integers, where the language has a form for that; bounds become invariants.
    Unbounded,
}

/// Which runs count where processes take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessFairness {
    /// Those in which every process that can go on from some position on for ever takes steps again and again, as with
    /// Spin's `-f`.
    Weak,
    /// Those in which every process that can go on again and again takes steps again and again.
    Strong,
}

impl ProcessFairness {
    /// Why a property is not checked.
    pub(crate) const STRONG: &str =
        "strong fairness of processes is for linear time only: ask in LTL";
}

/// A text that another one includes, by the name that stands in it.
#[derive(Clone, Debug)]
pub struct IncludedText {
    pub includer: FileId,
    pub name: String,
    pub source: SourceText,
}

/// How to read a text.
pub struct Reading<'r> {
    pub monitor: &'r Monitor,
    /// They take the place of the properties of the file.
    pub questions: &'r [GivenQuestion],
    /// Without one, a part that is in another file is an error.
    pub loader: Option<&'r mut PartLoader<'r>>,
    /// The texts that are [included](Language::includes), and those that they include.
    pub included: &'r [IncludedText],
    pub numbers: Numbers,
    /// Fairness of the processes, in addition to the fairness that the text declares.
    pub fairness: Option<ProcessFairness>,
    /// Called with each conjunction that the reader left out because it is unsatisfiable.
    pub witness: Option<&'r mut Witness<'r>>,
}

impl<'r> Reading<'r> {
    pub fn new(monitor: &'r Monitor) -> Self {
        let numbers = Numbers::default();
        let (fairness, questions, included) = (None, Default::default(), Default::default());
        Self { monitor, questions, loader: None, included, numbers, fairness, witness: None }
    }

    pub fn asking(self, questions: &'r [GivenQuestion]) -> Self {
        Self { questions, ..self }
    }
}

/// Reads a model from bytes that are not kept.
pub type StreamReader = fn(&mut dyn Read, &str, &Monitor) -> Result<PartialModel, ReadError>;

/// Reads a model as processes that run together; the monitor may end it.
pub type ProcessReader = fn(&SourceText, &Monitor) -> Result<Box<dyn ProcessForm>, Vec<Diagnostic>>;

/// A whole system taken apart into components, one LTS for each process, and one for what the processes share.
pub trait ProcessForm: Send + Sync {
    fn system(&self) -> &System;

    /// Whether a component is a process, and neither a variable nor a channel.
    fn is_process(&self, component: usize) -> bool;

    /// The component of a process by the name that formulas know it by, such as `P[0]`.
    fn process_named(&self, name: &str) -> Option<usize>;

    /// The safety property that no assertion fails.
    fn assertions(&self) -> Safety;

    /// The text with an assumption in the place of a process: an LTS over the actions of the component, whose states
    /// get these comments.
    fn write_with_assumption(
        &self,
        component: usize,
        assumption: &PartialModel,
        comments: &[String],
    ) -> Result<String, Diagnostic>;
}

/// A language that models are written in.
pub trait Language: Send + Sync {
    /// The name that `--language` knows it by.
    fn name(&self) -> &'static str;

    /// A file of it in words, with an article.
    fn title(&self) -> &'static str;

    /// File name extensions, without the dot.
    fn endings(&self) -> &'static [&'static str];

    /// Whether a file in it is a system of its own and no component.
    fn is_system(&self) -> bool {
        true
    }

    /// Whether a text that begins like this is in it.
    fn looks_like(&self, start: &[u8]) -> bool;

    /// The names of the files that a text includes.
    fn includes(&self, _text: &str) -> Vec<String> {
        Vec::new()
    }

    /// Reads a text. Errors are returned all together, warnings among them; there are none if it was the monitor that
    /// ended it.
    fn read(&self, source: &SourceText, reading: Reading) -> Result<Document, Vec<Diagnostic>>;

    /// Reads components that may be too large to keep their text.
    fn stream(&self) -> Option<StreamReader> {
        None
    }

    /// Takes a model apart into the processes that run together in it.
    fn by_processes(&self) -> Option<ProcessReader> {
        None
    }

    /// Lays a text out that can be read; nothing else of it changes.
    fn laid_out(&self, _text: &str) -> Option<String> {
        None
    }

    /// Writes a transition system with its properties.
    fn write_machine(&self, _form: &MachineForm, _properties: &[Specification]) -> Option<String> {
        None
    }

    /// Writes components with the properties of their composition.
    fn write_system(
        &self,
        _system: &System,
        _can_deadlock: bool,
        _properties: &[Specification],
    ) -> Option<Result<String, NotKripke>> {
        None
    }
}

/// Fairness of processes is asked for, and there are none.
pub(crate) fn without_processes(file: FileId) -> Vec<Diagnostic> {
    let message = "fairness of processes is asked for, and the model has none";
    let place = Span::new(file, 0..0);
    vec![
        Diagnostic::error(message, place, "no `process` is declared")
            .with_help("leave out `--fair`, or say in the text or the formula which runs are fair"),
    ]
}

/// Whether a text begins with one of these words, behind comments in the manner of C.
pub(crate) fn begins_with_word(words: &str, start: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = start.iter().position(|byte| !is_letter(byte)).unwrap_or(start.len());
    words.split_ascii_whitespace().any(|word| word.as_bytes() == &start[..end])
}

/// Skips comments, which are written as in C; `None` if one of them has no end.
pub(crate) fn behind_comments(mut start: &[u8]) -> Option<&[u8]> {
    loop {
        start = start.trim_ascii_start();
        let (open, close): (_, &[u8]) = match start {
            [b'/', b'*', inner @ ..] => (inner, b"*/"),
            [b'/', b'/', inner @ ..] => (inner, b"\n"),
            _ => return Some(start),
        };
        let end = open.windows(close.len()).position(|part| part == close)?;
        start = &open[end + close.len()..];
    }
}
