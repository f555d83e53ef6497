//! Statements that end in semicolons, wherever the lines end.

use crate::stream::{Cursor, KeptLine, ReadError, Window, Wrong};
use std::io::Read;
use std::ops::Range;
use support::{Monitor, Stopped};

/// Something that is read statement by statement.
pub(super) trait Statements {
    /// Makes sure that the statements of so many bytes fit.
    fn make_room(&mut self, bytes: usize, monitor: &Monitor) -> Result<(), Stopped>;

    /// Takes the statement at the cursor, which begins in this line; if it is wrong or not complete,
    /// nothing changes.
    fn statement(&mut self, cursor: &mut Cursor, line: usize) -> Result<(), Box<Wrong>>;
}

pub(super) fn read_statements(
    window: &mut Window<impl Read>,
    into: &mut impl Statements,
    monitor: &Monitor,
) -> Result<(), ReadError> {
    loop {
        into.make_room(window.text().len(), monitor)?;
        let cursor = Cursor { before: window.before(), ..Cursor::new(window.text()) };
        let taken = complete_statements(cursor, window.line(), window.has_ended(), into);
        window.take(taken.map_err(|wrong| window.fault(*wrong))?);
        if window.has_ended() {
            return Ok(());
        }
        window.more(monitor)?;
    }
}

/// Takes the statements that are complete, and tells how many bytes they are.
fn complete_statements(
    mut cursor: Cursor,
    first_line: usize,
    is_all: bool,
    into: &mut impl Statements,
) -> Result<usize, Box<Wrong>> {
    let text = cursor.text;
    loop {
        cursor.skip_space();
        let start = cursor.at;
        if start == text.len() {
            return Ok(start);
        }
        let line = first_line + cursor.lines;
        if let Err(wrong) = into.statement(&mut cursor, line) {
            let is_cut_off = wrong.range.end >= text.len();
            return match (is_cut_off, is_all) {
                (true, false) => Ok(start),
                (true, true) if !ends_with_semicolon(text) => {
                    Err(at_end(wrong, text.trim_ascii_end().len()))
                }
                _ => Err(wrong),
            };
        }
    }
}

/// Something is missing at the end: behind the last thing that stands there, in the same line.
fn at_end(mut wrong: Box<Wrong>, end: usize) -> Box<Wrong> {
    if wrong.range.start > end {
        wrong.range = end..end;
    }
    wrong.with_help("the file seems to be cut off here")
}

/// Whether the last statement is there to its end, so that nothing was cut off from it.
fn ends_with_semicolon(text: &[u8]) -> bool {
    text.trim_ascii_end().ends_with(b";")
}

/// `parity N;` and its like: the number, remembered for what is found out later.
pub(super) struct HeaderNumber {
    pub number: u32,
    line: KeptLine,
    at: Range<usize>,
}

impl HeaderNumber {
    /// Reads the number and the semicolon.
    pub fn read(cursor: &mut Cursor, what: &str, line: usize) -> Result<Self, Box<Wrong>> {
        let start = cursor.at;
        let mut text = cursor.line_before();
        let shift = text.len();
        let (number, at) = cursor.located_number(what)?;
        cursor.expect(b';', "after the number")?;
        text.extend_from_slice(&cursor.text[start..cursor.at]);
        let at = at.start - start + shift..at.end - start + shift;
        Ok(Self { number, line: KeptLine::new(text, line), at })
    }

    pub fn fault(&self, file: &str, message: String, label: &str) -> ReadError {
        self.line.fault(file, *Wrong::new(self.at.clone(), message, label))
    }

    /// Checks a promise of a largest id, or of a number of nodes.
    pub fn check(&self, largest: Option<u32>, nodes: usize, file: &str) -> Result<(), ReadError> {
        if largest == Some(self.number) || nodes == self.number as usize {
            return Ok(());
        }
        let found = largest.map_or("none".to_owned(), |id| format!("{nodes}, the largest {id}"));
        let message = format!("the header promises nodes up to {}, found {found}", self.number);
        Err(self.fault(file, message, "the file may be cut off"))
    }
}

/// Goes past a keyword.
pub(super) fn accept_keyword(cursor: &mut Cursor, keyword: &[u8]) -> bool {
    let is_here = cursor.rest().starts_with(keyword);
    if is_here {
        cursor.at += keyword.len();
    }
    is_here
}

/// A player's number.
#[inline]
pub(super) fn player(cursor: &mut Cursor, what: &str) -> Result<u8, Box<Wrong>> {
    let start = cursor.at;
    match cursor.number(what)? {
        0 => Ok(0),
        1 => Ok(1),
        _ => {
            let (_, at) = Cursor::from(cursor.text, start).located_number(what)?;
            Err(Wrong::new(at, format!("expected {what}"), "a player is 0 or 1"))
        }
    }
}
