//! Errors of the readers that do not keep the text that they read.

use crate::language::SourceText;
use std::ops::Range;
use support::{Diagnostic, SourceFile, SourceMap, Span, Stopped};

/// Why a reader that streams gave no value.
#[derive(Debug)]
pub enum ReadError {
    /// The text is wrong.
    Fault(Box<ReadFault>),
    /// The source of the bytes failed.
    Io(std::io::Error),
    Stopped(Stopped),
}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> Self {
        ReadError::Io(error)
    }
}

impl From<Stopped> for ReadError {
    fn from(stopped: Stopped) -> Self {
        ReadError::Stopped(stopped)
    }
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::Fault(fault) => {
                let excerpt = &fault.excerpt;
                write!(f, "{}:{}: {}", excerpt.name, excerpt.first_line, fault.diagnostic.message)
            }
            ReadError::Io(error) => error.fmt(f),
            ReadError::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

/// An error, with the line that it stands in. The spans are into the excerpt, so they fit 32
/// bits however long the file is.
#[derive(Clone, Debug)]
pub struct ReadFault {
    pub diagnostic: Diagnostic,
    pub excerpt: SourceFile,
}

impl ReadFault {
    /// In a text that is there as a whole.
    pub(crate) fn within(self, source: &SourceText) -> Diagnostic {
        let ReadFault { mut diagnostic, excerpt } = self;
        let lines = source.text.split_inclusive('\n').take(excerpt.first_line - 1);
        let before: usize = lines.map(str::len).sum();
        for (span, _) in &mut diagnostic.labels {
            let Range { start, end } = span.range();
            let end = (before + end).min(source.text.len());
            *span = Span::new(source.file, (before + start).min(end)..end);
        }
        diagnostic
    }

    /// Makes the excerpt one of the run's source texts, as a renderer needs it.
    pub fn into_diagnostic(self, sources: &mut SourceMap) -> Diagnostic {
        let ReadFault { mut diagnostic, excerpt } = self;
        let file = sources.add_file(excerpt);
        for (span, _) in &mut diagnostic.labels {
            span.file = file;
        }
        diagnostic
    }
}

/// An error in a piece of text, before its position in the file is known.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    pub range: Range<usize>,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
}

impl Wrong {
    pub fn new(
        range: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Box<Self> {
        Box::new(Self { range, message: message.into(), label: label.into(), help: None })
    }

    pub fn with_help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    /// Moves the error into a text that has `by` bytes more in front.
    pub fn moved(mut self: Box<Self>, by: usize) -> Box<Self> {
        self.range = self.range.start + by..self.range.end + by;
        self
    }
}

/// Bytes that are no text, in a label or the like of `len` bytes.
pub(crate) fn invalid_utf8(what: &str, error: &std::str::Utf8Error, len: usize) -> Box<Wrong> {
    let start = error.valid_up_to();
    let end = error.error_len().map_or(len, |bytes| start + bytes);
    let message = format!("the {what} is not valid UTF-8");
    Wrong::new(start..end, message, "these bytes are no character")
}
