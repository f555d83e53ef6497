//! Text that is gathered before it is handed on.

use super::digits;
use std::io::{self, Write};

const FULL: usize = 1 << 16;

pub(crate) struct Block<'a, W> {
    pub text: Vec<u8>,
    out: &'a mut W,
}

impl<'a, W: Write> Block<'a, W> {
    pub fn new(out: &'a mut W) -> Self {
        Self { text: Vec::with_capacity(FULL + FULL / 8), out }
    }

    #[inline]
    pub fn number(&mut self, number: u32) {
        digits::push(&mut self.text, number);
    }

    #[inline]
    pub fn hand_on_if_full(&mut self) -> io::Result<()> {
        if self.text.len() >= FULL { self.hand_on() } else { Ok(()) }
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.hand_on()?;
        self.out.flush()
    }
}
