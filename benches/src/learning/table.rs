//! Angluin's L* with the counterexamples of Rivest and Schapire: each adds one suffix that tells two words
//! apart which the table took for the same.

use super::Why;
use super::world::Letter;
use rustc_hash::FxHashMap;

type Word = Vec<Letter>;

/// A deterministic automaton over all letters. What it does not accept it does not accept later, either: the
/// words that are asked about are closed under prefixes.
pub struct Conjecture {
    accepting: Vec<bool>,
    next: Vec<Vec<u32>>,
}

impl Conjecture {
    pub const START: u32 = 0;

    pub fn accepts_nothing(&self) -> bool {
        !self.accepts(Self::START)
    }

    pub fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    pub fn after(&self, state: u32, letter: Letter) -> u32 {
        self.next[state as usize][letter as usize]
    }

    /// As an LTS, which has no state for what it does not do.
    pub fn states(&self) -> usize {
        self.accepting.iter().filter(|accepting| **accepting).count()
    }
}

/// The observation table.
pub struct Table {
    letters: u32,
    /// Words that lead to different states, the empty one first.
    access: Vec<Word>,
    /// The distinguishing suffixes, the empty word first.
    suffixes: Vec<Word>,
    /// By row: the place of its word in `access`.
    rows: FxHashMap<Vec<bool>, u32>,
}

impl Table {
    pub fn new(letters: u32) -> Self {
        let empty = || vec![Word::new()];
        Self { letters, access: empty(), suffixes: empty(), rows: FxHashMap::default() }
    }

    /// Closes the table, so that every word of it, one letter further, has the row of a word of it. Gives up
    /// when there are more states than the limit.
    pub fn conjecture(
        &mut self,
        limit: usize,
        mut asked: impl FnMut(&[Letter]) -> Result<bool, Why>,
    ) -> Result<Conjecture, Why> {
        // What the rows are has changed with the suffixes.
        self.rows.clear();
        let mut conjecture = Conjecture { accepting: Vec::new(), next: Vec::new() };
        for word in std::mem::take(&mut self.access) {
            self.state(word, &mut conjecture, &mut asked)?;
        }
        let mut state = 0;
        while state < self.access.len() {
            if self.access.len() > limit {
                return Err(Why::States);
            }
            let mut next = Vec::with_capacity(self.letters as usize);
            for letter in 0..self.letters {
                let word = [&*self.access[state], &[letter]].concat();
                next.push(self.state(word, &mut conjecture, &mut asked)?);
            }
            conjecture.next.push(next);
            state += 1;
        }
        Ok(conjecture)
    }

    /// The state that a word leads to, new if no word has its row.
    fn state(
        &mut self,
        word: Word,
        conjecture: &mut Conjecture,
        asked: &mut impl FnMut(&[Letter]) -> Result<bool, Why>,
    ) -> Result<u32, Why> {
        let cells = self.suffixes.iter().map(|suffix| asked(&[&*word, suffix].concat()));
        let row = cells.collect::<Result<Vec<bool>, Why>>()?;
        let (new, accepting) = (self.access.len() as u32, row[0]);
        let state = *self.rows.entry(row).or_insert(new);
        if state == new {
            self.access.push(word);
            conjecture.accepting.push(accepting);
        }
        Ok(state)
    }

    /// Learns from a word about which the conjecture is wrong.
    pub fn learn(
        &mut self,
        conjecture: &Conjecture,
        word: &[Letter],
        mut asked: impl FnMut(&[Letter]) -> Result<bool, Why>,
    ) -> Result<(), Why> {
        let mut states = vec![Conjecture::START];
        for &letter in word {
            states.push(conjecture.after(states[states.len() - 1], letter));
        }
        // The truth about the word, and about what stands for it after `same` letters, agree; after
        // `other` letters they do not.
        let truth = asked(word)?;
        let (mut same, mut other) = (0, word.len());
        while other - same > 1 {
            let middle = usize::midpoint(same, other);
            let stand_in = [&*self.access[states[middle] as usize], &word[middle..]].concat();
            if asked(&stand_in)? == truth {
                same = middle;
            } else {
                other = middle;
            }
        }
        self.suffixes.push(word[other..].to_vec());
        Ok(())
    }
}
