//! Results that are remembered: a table in which a new result takes the place of an old one.

use super::node::Edge;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Op {
    And,
    Xor,
    Ite,
    Exists,
    AndExists,
    Restrict,
    /// The second and third operand are the number of a renaming.
    Rename,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The first operand, with the operator in the highest bits.
    first: u32,
    second: u32,
    third: u32,
    result: u32,
}

const OPERATOR: u32 = 28;
const EMPTY: Entry = Entry { first: u32::MAX, second: 0, third: 0, result: 0 };

pub(crate) struct Cache {
    entries: Vec<Entry>,
    /// Results that were written since the table got its size.
    written: usize,
}

impl Cache {
    pub fn new(bits: u32) -> Self {
        Self { entries: vec![EMPTY; 1 << bits], written: 0 }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    fn slot(&self, first: u32, second: u32, third: u32) -> usize {
        let mut hash = u64::from(first) | u64::from(second) << 32;
        hash = (hash ^ u64::from(third).rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
        hash = hash.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (hash >> 32) as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub fn get(&self, op: Op, a: Edge, b: Edge, c: Edge) -> Option<Edge> {
        let first = a.0 | (op as u32) << OPERATOR;
        let entry = &self.entries[self.slot(first, b.0, c.0)];
        let is_it = entry.first == first && entry.second == b.0 && entry.third == c.0;
        is_it.then_some(Edge(entry.result))
    }

    #[inline]
    pub fn put(&mut self, op: Op, a: Edge, b: Edge, c: Edge, result: Edge) {
        let first = a.0 | (op as u32) << OPERATOR;
        let slot = self.slot(first, b.0, c.0);
        self.entries[slot] = Entry { first, second: b.0, third: c.0, result: result.0 };
        self.written += 1;
    }

    /// Whether so much was written that old results must have been lost.
    pub fn is_crowded(&self) -> bool {
        self.written > self.entries.len()
    }

    /// Twice as many places.
    pub fn grow(&mut self) {
        let size = self.entries.len() * 2;
        let old = std::mem::replace(&mut self.entries, vec![EMPTY; size]);
        for entry in old.into_iter().filter(|entry| entry.first != u32::MAX) {
            let slot = self.slot(entry.first, entry.second, entry.third);
            self.entries[slot] = entry;
        }
        self.written = 0;
    }

    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// Forgets all results that have to do with a node of which this does not hold.
    pub fn retain(&mut self, lives: impl Fn(Edge) -> bool) {
        for entry in &mut self.entries {
            if entry.first == u32::MAX {
                continue;
            }
            let is_renaming = entry.first >> OPERATOR == Op::Rename as u32;
            let keep = lives(Edge(entry.first & !(u32::MAX << OPERATOR)))
                && (is_renaming || lives(Edge(entry.second)) && lives(Edge(entry.third)))
                && lives(Edge(entry.result));
            if !keep {
                *entry = EMPTY;
            }
        }
    }
}
