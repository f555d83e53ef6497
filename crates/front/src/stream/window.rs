//! The part of a long text that is in memory at the moment.
//!
//! A parser takes whole items (lines, statements) from [`Window::text`] and asks for more when the
//! last one is not complete. What it has taken is forgotten, except for the last few bytes, which an
//! error message may want to show.

use super::fault::{ReadError, ReadFault, Wrong};
use std::io::Read;
use std::ops::Range;
use support::{Diagnostic, FileId, Monitor, Reservation, SourceFile, Span};

const BLOCK: usize = 1 << 18;

/// At most so much of a line is shown on either side of what is wrong in it.
pub(crate) const CONTEXT: usize = 100;

pub(crate) struct Window<R> {
    reader: R,
    name: String,
    buffer: Vec<u8>,
    /// `buffer[taken..filled]` is the text that is still to be parsed.
    taken: usize,
    filled: usize,
    ended: bool,
    /// Lines that ended before `buffer[0]`, and the bytes between the last of them and `buffer[0]`.
    lines: usize,
    line_bytes: usize,
    room: Reservation,
}

impl<R: Read> Window<R> {
    pub fn new(reader: R, name: &str) -> Self {
        Self {
            reader,
            name: name.to_owned(),
            buffer: vec![0; BLOCK],
            taken: 0,
            filled: 0,
            ended: false,
            lines: 0,
            line_bytes: 0,
            room: Reservation::default(),
        }
    }

    /// The text that has been read and not been taken.
    pub fn text(&self) -> &[u8] {
        &self.buffer[self.taken..self.filled]
    }

    /// The text that has been taken last.
    pub fn before(&self) -> &[u8] {
        &self.buffer[self.taken.saturating_sub(CONTEXT)..self.taken]
    }

    pub fn take(&mut self, bytes: usize) {
        self.taken += bytes;
    }

    /// Whether [`text`](Self::text) is all that is left.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Reads on behind the text that is there. False at the end of the input.
    pub fn more(&mut self, monitor: &Monitor) -> Result<bool, ReadError> {
        self.forget_taken();
        if self.filled == self.buffer.len() {
            self.room.grow(self.buffer.len() as u64, monitor)?;
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let read = loop {
            match self.reader.read(&mut self.buffer[self.filled..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.filled += read;
        self.ended = read == 0;
        monitor.step(read as u64)?;
        Ok(!self.ended)
    }

    fn forget_taken(&mut self) {
        let cut = self.taken.saturating_sub(CONTEXT);
        let gone = &self.buffer[..cut];
        self.lines += count_lines(gone);
        match gone.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => self.line_bytes = cut - end - 1,
            None => self.line_bytes += cut,
        }
        self.buffer.copy_within(cut..self.filled, 0);
        self.taken -= cut;
        self.filled -= cut;
    }

    /// An error in [`text`](Self::text), with the line that it is in.
    pub fn fault(&self, mut wrong: Wrong) -> ReadError {
        let at = (self.taken + wrong.range.start).min(self.filled);
        let line = self.line_around(at);
        let end = (self.taken + wrong.range.end).clamp(at, line.end);
        let shown = line.start.max(at.saturating_sub(CONTEXT))..line.end.min(end + CONTEXT);
        let first_line = self.lines + count_lines(&self.buffer[..at]) + 1;
        let before = if line.start == 0 { self.line_bytes } else { 0 } + shown.start - line.start;
        if before > 0 {
            let place = format!(" (byte {} of the line)", before + at - shown.start + 1);
            wrong.message.push_str(&place);
        }
        let parts = [shown.start..at, at..end, end..shown.end];
        let excerpt =
            Excerpt { name: &self.name, first_line, parts: parts.map(|p| &self.buffer[p]) };
        excerpt.fault(wrong)
    }

    /// The line that contains `buffer[at]`, as far as it is there, without its end.
    fn line_around(&self, at: usize) -> Range<usize> {
        let is_end = |&byte: &u8| byte == b'\n';
        let start = self.buffer[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
        let rest = &self.buffer[at..self.filled];
        let mut end = at + rest.iter().position(is_end).unwrap_or(rest.len());
        if end > at && self.buffer[end - 1] == b'\r' {
            end -= 1;
        }
        start..end
    }

    /// The number of the line in which the text that has not been taken begins.
    pub fn line(&self) -> usize {
        self.lines + count_lines(&self.buffer[..self.taken]) + 1
    }
}

/// A line in three parts, of which the middle one is underlined.
pub(crate) struct Excerpt<'a> {
    pub name: &'a str,
    pub first_line: usize,
    pub parts: [&'a [u8]; 3],
}

impl Excerpt<'_> {
    pub fn fault(self, wrong: Wrong) -> ReadError {
        let [before, middle, after] = self.parts.map(String::from_utf8_lossy);
        let span = Span::new(FileId(0), before.len()..before.len() + middle.len());
        let mut diagnostic = Diagnostic::error(wrong.message, span, wrong.label);
        diagnostic.help = wrong.help;
        let text = format!("{before}{middle}{after}").into();
        let excerpt = SourceFile { name: self.name.to_owned(), text, first_line: self.first_line };
        ReadError::Fault(Box::new(ReadFault { diagnostic, excerpt }))
    }
}

/// A line that is remembered for errors that show only at the end of the file.
pub(crate) struct KeptLine {
    text: Vec<u8>,
    number: usize,
}

impl KeptLine {
    pub fn new(text: Vec<u8>, number: usize) -> Self {
        Self { text, number }
    }

    /// An error in the line, which stands in the named file.
    pub fn fault(&self, name: &str, wrong: Wrong) -> ReadError {
        let Range { start, end } = wrong.range;
        let parts = [&self.text[..start], &self.text[start..end], &self.text[end..]];
        Excerpt { name, first_line: self.number, parts }.fault(wrong)
    }
}

/// In pieces short enough for a sum in one byte, which the compiler turns into vector code.
pub(crate) fn count_lines(text: &[u8]) -> usize {
    let in_piece = |piece: &[u8]| piece.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>();
    text.chunks(255).map(|piece| usize::from(in_piece(piece))).sum()
}
