//! A place in a piece of text, and the tokens that the line-oriented formats have there.

use super::digits::{self, Leading};
use super::fault::Wrong;
use super::window::CONTEXT;
use std::ops::Range;

pub(crate) struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
    /// The text before, as far as it is still in the window.
    pub before: &'a [u8],
    /// Line ends that were skipped as white space.
    pub lines: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self::from(text, 0)
    }

    pub fn from(text: &'a [u8], at: usize) -> Self {
        Self { text, at, before: &[], lines: 0 }
    }

    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The part of the line that stands before this place, if it is not too long.
    pub fn line_before(&self) -> Vec<u8> {
        let here = &self.text[self.at.saturating_sub(CONTEXT)..self.at];
        let known = [self.before, here].concat();
        let near = &known[known.len().saturating_sub(CONTEXT)..];
        let start = near.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        near[start..].to_vec()
    }

    /// Skips white space, line ends included.
    #[inline]
    pub fn skip_space(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\n' | b'\r')) = self.peek() {
            self.lines += usize::from(byte == b'\n');
            self.at += 1;
        }
    }

    /// Goes past `byte` if it stands here.
    #[inline]
    pub fn accept(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    /// Goes past `byte`, which must be the next thing after white space.
    pub fn expect(&mut self, byte: u8, place: &str) -> Result<(), Box<Wrong>> {
        self.skip_space();
        if self.accept(byte) {
            return Ok(());
        }
        Err(self.unexpected(&format!("expected `{}` {place}", char::from(byte))))
    }

    /// The number that must be the next thing after white space.
    #[inline]
    pub fn number(&mut self, what: &str) -> Result<u32, Box<Wrong>> {
        self.skip_space();
        if let Some((value, len)) = digits::quick(self.rest()) {
            self.at += len;
            return Ok(value);
        }
        self.careful_number(what)
    }

    /// A number, with its range.
    pub fn located_number(&mut self, what: &str) -> Result<(u32, Range<usize>), Box<Wrong>> {
        self.skip_space();
        let start = self.at;
        let value = self.number(what)?;
        Ok((value, start..self.at))
    }

    #[cold]
    fn careful_number(&mut self, what: &str) -> Result<u32, Box<Wrong>> {
        match digits::careful(self.rest()) {
            Leading::Number { value, len } => {
                self.at += len;
                Ok(value)
            }
            Leading::TooLarge { len } => {
                let range = self.at..self.at + len;
                Err(Wrong::new(range, format!("{what} is too large"), "more than 32 bits")
                    .with_help(format!("the largest number that can be read is {}", u32::MAX)))
            }
            Leading::NoDigit => Err(self.unexpected(&format!("expected {what}"))),
        }
    }

    /// The message, and what stands here instead.
    pub fn unexpected(&self, expected: &str) -> Box<Wrong> {
        let token = self.token();
        let found = match &self.text[token.clone()] {
            [] => "the text ends here".to_owned(),
            bytes => format!("found `{}`", String::from_utf8_lossy(bytes).escape_debug()),
        };
        Wrong::new(token, expected, found)
    }

    /// A word or number that begins here, or else one character.
    pub fn token(&self) -> Range<usize> {
        const LONGEST: usize = 24;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let rest = self.rest();
        let word = rest.iter().take(LONGEST).take_while(|byte| is_word(byte)).count();
        let character = 1 + rest.iter().skip(1).take_while(|&&byte| byte & 0xc0 == 0x80).count();
        let len = if word > 0 { word } else { character.min(4) };
        self.at..(self.at + len).min(self.text.len())
    }
}
