//! Helpers of the tests of streaming readers.

use front::ReadError;
use std::io::{self, Read};
use support::SourceMap;

/// Gives at most `step` bytes at a time, as a pipe may do.
pub struct Trickle<'a> {
    pub text: &'a [u8],
    pub step: usize,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.step.min(self.text.len()).min(buffer.len());
        buffer[..len].copy_from_slice(&self.text[..len]);
        self.text = &self.text[len..];
        Ok(len)
    }
}

/// `line:column: message [what is underlined]`
pub fn describe(error: ReadError) -> String {
    let ReadError::Fault(fault) = error else { return error.to_string() };
    let mut sources = SourceMap::new();
    sources.add("something else", "first\n");
    let diagnostic = fault.into_diagnostic(&mut sources);
    let span = diagnostic.labels[0].0;
    let (line, column) = sources.position(span);
    format!("{line}:{column}: {} [{}]", diagnostic.message, sources.text(span))
}

/// Replaces, inserts and removes a few bytes.
pub fn mutate(text: &[u8], changes: &[(usize, u8, u8)]) -> Vec<u8> {
    const CHUNKS: &[&[u8]] =
        &[b"(", b")", b",", b"\"", b";", b"\n", b"9", b" ", b"\xff", b"4294967296"];
    let mut text = text.to_vec();
    for &(place, action, byte) in changes {
        let place = place % (text.len() + 1);
        match action % 4 {
            0 => text.insert(place, byte),
            1 if place < text.len() => text[place] = byte,
            2 => drop(text.splice(place..place, CHUNKS[byte as usize % CHUNKS.len()].to_vec())),
            _ => drop(text.drain(place..text.len().min(place + 1 + byte as usize % 3))),
        }
    }
    text
}
