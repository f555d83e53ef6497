//! Where something stands in what the user wrote.

use std::ops::Range;
use std::sync::Arc;

crate::define_id!(
    /// One input text: a file, standard input, or a formula given on the command line.
    FileId,
    "file"
);

/// A range of bytes in one input text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        Self { file, start: range.start as u32, end: range.end as u32 }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest span that contains both.
    pub fn to(self, other: Span) -> Self {
        debug_assert_eq!(self.file, other.file);
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As the user named it, or a description in angle brackets.
    pub name: String,
    pub text: Arc<str>,
    /// The number of the text's first line: 1, unless the text is an excerpt of a file that is too
    /// long to be kept.
    pub first_line: usize,
}

/// Every input text of one run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        self.add_file(SourceFile { name: name.into(), text: text.into(), first_line: 1 })
    }

    pub fn add_file(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    pub fn text(&self, span: Span) -> &str {
        &self.file(span.file).text[span.range()]
    }

    /// Line and column, both from 1, columns counted in characters.
    pub fn position(&self, span: Span) -> (usize, usize) {
        let file = self.file(span.file);
        let before = &file.text[..span.start as usize];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = before.bytes().filter(|&b| b == b'\n').count() + file.first_line;
        (line, before[line_start..].chars().count() + 1)
    }
}
