//! The computed table: a cache of results in which a new one replaces an old one.

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
    Reduce,
    /// The second and third operand are the number of a renaming.
    Rename,
}

#[derive(Clone, Copy)]
#[repr(align(16))]
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
    /// The highest bits of a hash are the place.
    shift: u32,
    /// Results that were written since it was last thought about the size.
    written: usize,
    /// No more places than this.
    pub most: usize,
}

impl Cache {
    pub fn new(bits: u32) -> Self {
        Self {
            entries: vec![EMPTY; 1 << bits],
            shift: u64::BITS - bits,
            written: 0,
            most: 1 << bits,
        }
    }

    #[inline]
    fn slot(&self, first: u32, second: u32, third: u32) -> usize {
        let mut hash = u64::from(first) | u64::from(second) << 32;
        hash = (hash ^ u64::from(third).rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
        (hash.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> self.shift) as usize
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
        // So much was written that old results have been lost.
        if self.written > self.entries.len() {
            self.grow();
        }
    }

    /// Twice as many places, if that is not too many.
    #[cold]
    fn grow(&mut self) {
        self.written = 0;
        let size = self.entries.len() * 2;
        if size > self.most {
            return;
        }
        self.shift -= 1;
        let old = std::mem::replace(&mut self.entries, vec![EMPTY; size]);
        for entry in old.into_iter().filter(|entry| entry.first != u32::MAX) {
            let slot = self.slot(entry.first, entry.second, entry.third);
            self.entries[slot] = entry;
        }
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
            // Results die most often.
            let keep = lives(Edge(entry.result))
                && lives(Edge(entry.first & !(u32::MAX << OPERATOR)))
                && (is_renaming || lives(Edge(entry.second)) && lives(Edge(entry.third)));
            if !keep {
                *entry = EMPTY;
            }
        }
    }
}
