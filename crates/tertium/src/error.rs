//! Why there is no model, or no answer.

use crate::unsupported::Unsupported;
use front::ReadError;
use std::fmt;
use std::path::Path;
use support::{Diagnostic, Severity, SourceMap, Stopped};

/// Why a call has no result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The input or the call is wrong: every fault with its place, warnings among them.
    Input(Box<Diagnostics>),
    /// One property is no proper question about this model; the others may be.
    Property(Box<Diagnostics>),
    /// The input is fine, and the chosen method cannot do what is asked of it.
    Unsupported(Unsupported),
    /// The bytes are not a certificate, or one of another version.
    Foreign(String),
    /// A limit was reached, or the check was cancelled.
    Stopped(Stopped),
}

/// Messages about texts, and the texts.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    /// Errors and warnings.
    pub messages: Vec<Diagnostic>,
    /// The texts that their spans point into.
    pub sources: SourceMap,
}

impl Error {
    /// A fault of a call, with what to do about it, for clients that find one themselves.
    pub fn wrong(message: impl Into<String>, help: &str) -> Self {
        let error = Self::message(message);
        if help.is_empty() { error } else { error.with_help(help) }
    }

    /// An error that has no place in a text.
    pub(crate) fn message(message: impl Into<String>) -> Self {
        let (severity, message) = (Severity::Error, message.into());
        let diagnostic = Diagnostic { severity, message, labels: Vec::new(), help: None };
        Self::of(vec![diagnostic], &SourceMap::new())
    }

    pub(crate) fn of(messages: Vec<Diagnostic>, sources: &SourceMap) -> Self {
        Error::Input(Box::new(Diagnostics { messages, sources: sources.clone() }))
    }

    /// Errors of a formula whose text is not at hand.
    pub(crate) fn of_formula(mut messages: Vec<Diagnostic>) -> Self {
        for message in &mut messages {
            if let Some((_, label)) = message.labels.drain(..).next() {
                message.message = format!("{}: {label}", message.message);
            }
        }
        Self::of(messages, &SourceMap::new())
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        if let Error::Input(found) = &mut self {
            let help = help.into();
            found.messages.iter_mut().for_each(|message| message.help = Some(help.clone()));
        }
        self
    }

    pub(crate) fn from_reader(path: &Path, error: ReadError) -> Self {
        match error {
            ReadError::Fault(fault) => {
                let mut sources = SourceMap::new();
                let diagnostic = fault.into_diagnostic(&mut sources);
                Self::of(vec![diagnostic], &sources)
            }
            ReadError::Io(error) => crate::source::unreadable(path, &error),
            ReadError::Stopped(stopped) => Error::Stopped(stopped),
        }
    }

    /// The one message, if it has no place in a text.
    pub(crate) fn bare_message(&self) -> Option<&str> {
        match self {
            Error::Input(found) => match &found.messages[..] {
                [only] if only.labels.is_empty() => Some(&only.message),
                _ => None,
            },
            _ => None,
        }
    }

    /// The messages, whatever kind of error it is.
    pub fn diagnostics(&self) -> Diagnostics {
        match self {
            Error::Input(found) | Error::Property(found) => (**found).clone(),
            Error::Unsupported(unsupported) => {
                let error = Self::message(unsupported.to_string());
                match unsupported.help() {
                    Some(help) => error.with_help(help).diagnostics(),
                    None => error.diagnostics(),
                }
            }
            Error::Foreign(problem) => Self::message(problem.clone()).diagnostics(),
            Error::Stopped(stopped) => Self::message(stopped.to_string()).diagnostics(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostics { messages, sources } = self.diagnostics();
        for (number, diagnostic) in messages.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}")?;
            if let Some((span, _)) = diagnostic.labels.first() {
                let (line, column) = sources.position(*span);
                write!(f, "{}:{line}:{column}: ", sources.file(span.file).name)?;
            }
            write!(f, "{}", diagnostic.message)?;
            if let Some(help) = &diagnostic.help {
                write!(f, " ({help})")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        Error::Stopped(stopped)
    }
}

impl From<Unsupported> for Error {
    fn from(unsupported: Unsupported) -> Self {
        Error::Unsupported(unsupported)
    }
}
