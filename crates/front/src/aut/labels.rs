//! The labels of an Aldebaran file and the actions that they mean.

use crate::stream::{Wrong, invalid_utf8};
use model::{ActionId, TAU};
use rustc_hash::FxHashMap;
use support::Interner;

/// Labels of at most this many bytes fit a word together with their length.
const SHORT: usize = 7;

/// The key of a slot that is not in use: no label has this length.
const VACANT: u64 = u64::MAX;

pub(crate) struct Labels {
    /// A cache of short labels, each in a place that follows from its bytes.
    short: Box<[(u64, u32); 256]>,
    /// As they are written, without quotes.
    written: FxHashMap<Box<[u8]>, u32>,
    actions: Interner<ActionId>,
}

impl Labels {
    pub fn new() -> Self {
        Self {
            short: Box::new([(VACANT, 0); 256]),
            written: FxHashMap::default(),
            actions: Interner::new(),
        }
    }

    /// The action of the label that stands at `start` and has `len` bytes, if it was met before.
    #[inline]
    pub fn find(&mut self, text: &[u8], (start, len): (usize, usize)) -> Option<u32> {
        let tail = text.get(start..)?;
        if len > SHORT {
            return self.written.get(tail.get(..len)?).copied();
        }
        let word = u64::from_le_bytes(*tail.first_chunk()?);
        let key = word & ((1 << (8 * len)) - 1) | (len as u64) << 56;
        let slot = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        match self.short[slot as usize] {
            (known, action) if known == key => Some(action),
            _ => {
                let action = *self.written.get(tail.get(..len)?)?;
                self.short[slot as usize] = (key, action);
                Some(action)
            }
        }
    }

    /// The action of a label as it is written; a label that is no text is wrong.
    pub fn intern(&mut self, written: &[u8]) -> Result<u32, Box<Wrong>> {
        if let Some(&action) = self.written.get(written) {
            return Ok(action);
        }
        let text = std::str::from_utf8(written)
            .map_err(|error| invalid_utf8("label", &error, written.len()))?;
        let name = unescaped(text);
        let ActionId(action) = self.actions.intern(if name == "i" { TAU } else { &name });
        self.written.insert(written.into(), action);
        Ok(action)
    }

    pub fn into_actions(self) -> Interner<ActionId> {
        self.actions
    }
}

/// `\"` and `\\` stand for what follows the backslash; any other backslash is itself.
fn unescaped(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        name.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.chars().next() {
            Some(escaped @ ('"' | '\\')) => {
                name.push(escaped);
                rest = &rest[1..];
            }
            _ => name.push('\\'),
        }
    }
    name + rest
}

/// A label that is read back as this action.
pub(crate) fn escaped(action: &str) -> String {
    action.replace('\\', "\\\\").replace('"', "\\\"")
}
