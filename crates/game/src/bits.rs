//! Sets of positions as words, and a worklist that is swept in rising order.
//!
//! A worklist of single positions visits a model's rows in the order in which they were found, which
//! on a large model is one cache miss after the other. Kept as bits and swept word by word, the same
//! work reads the rows nearly in sequence; a list of the words that are not empty keeps a sweep from
//! costing more than what is in it.

use std::collections::BinaryHeap;

pub(crate) const BITS: u32 = usize::BITS;

/// The members of a word, lowest first.
pub(crate) fn ones(mut word: usize) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// Positions to be visited, by equation.
pub(crate) struct Frontier {
    pending: Vec<usize>,
    /// By equation: its words that are not empty.
    dirty: Vec<Vec<u32>>,
    /// The equations that have such words, the highest one first: outer before inner ones, so that
    /// inner ones get their positions in few large portions.
    equations: BinaryHeap<u32>,
    words_per_equation: usize,
}

impl Frontier {
    pub fn new(equations: usize, words_per_equation: usize) -> Self {
        Self {
            pending: vec![0; equations * words_per_equation],
            dirty: vec![Vec::new(); equations],
            equations: BinaryHeap::new(),
            words_per_equation,
        }
    }

    /// Adds positions of one word.
    #[inline]
    pub fn add(&mut self, equation: u32, word: usize, bits: usize) {
        if bits == 0 {
            return;
        }
        if self.pending[word] == 0 {
            let dirty = &mut self.dirty[equation as usize];
            if dirty.is_empty() {
                self.equations.push(equation);
            }
            dirty.push(word as u32);
        }
        self.pending[word] |= bits;
    }

    /// The positions of a word that have been added and not been taken out.
    #[inline]
    pub fn pending(&self, word: usize) -> usize {
        self.pending[word]
    }

    /// Takes the words of one equation out, in rising order.
    pub fn take(&mut self) -> Option<(u32, Vec<(usize, usize)>)> {
        let equation = self.equations.pop()?;
        let mut dirty = std::mem::take(&mut self.dirty[equation as usize]);
        if dirty.len() > self.words_per_equation / 8 {
            let start = equation as usize * self.words_per_equation;
            dirty.clear();
            dirty.extend((start..start + self.words_per_equation).map(|word| word as u32));
        } else {
            dirty.sort_unstable();
        }
        let pending = &mut self.pending;
        let words = dirty
            .into_iter()
            .map(|word| (word as usize, std::mem::take(&mut pending[word as usize])))
            .filter(|&(_, bits)| bits != 0)
            .collect();
        Some((equation, words))
    }
}
