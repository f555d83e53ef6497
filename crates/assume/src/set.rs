//! Sets of states, kept in one word if that is enough, otherwise as a list while they are small and as
//! bits from there on, so that a label takes no more room than the smaller of the two. Most labels are
//! empty or nearly so.

#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    /// Of at most 64 states.
    Word(u64),
    /// Sorted.
    Few(Vec<u32>),
    Many(Vec<u64>),
}

#[derive(Clone, Debug)]
pub(crate) struct StateSet {
    universe: u32,
    len: u32,
    form: Form,
}

/// Whether it is so of some bit of a word whose first is `first`; looks no further then.
fn any_in_word(word: u64, first: u32, is_so: &mut impl FnMut(u32) -> bool) -> bool {
    let mut rest = word;
    while rest != 0 {
        if is_so(first + rest.trailing_zeros()) {
            return true;
        }
        rest &= rest - 1;
    }
    false
}

impl StateSet {
    pub fn new(universe: u32) -> StateSet {
        let form = if universe <= 64 { Form::Word(0) } else { Form::Few(Vec::new()) };
        StateSet { universe, len: 0, form }
    }

    pub fn full(universe: u32) -> StateSet {
        let mut all = StateSet::new(universe);
        (0..universe).for_each(|state| _ = all.insert(state));
        all
    }

    pub fn universe(&self) -> u32 {
        self.universe
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The memory that it takes beside itself.
    pub fn bytes(&self) -> u64 {
        match &self.form {
            Form::Word(_) => 0,
            Form::Few(states) => states.len() as u64 * 4,
            Form::Many(words) => words.len() as u64 * 8,
        }
    }

    /// Takes all members out; the set is empty then.
    pub fn take(&mut self) -> StateSet {
        let empty = StateSet::new(self.universe);
        std::mem::replace(self, empty)
    }

    pub fn contains(&self, state: u32) -> bool {
        match &self.form {
            Form::Word(word) => word >> state & 1 == 1,
            Form::Few(states) => states.binary_search(&state).is_ok(),
            Form::Many(words) => words[state as usize / 64] >> (state % 64) & 1 == 1,
        }
    }

    /// Whether it is new.
    pub fn insert(&mut self, state: u32) -> bool {
        let is_new = match &mut self.form {
            Form::Word(word) => put(word, state),
            Form::Few(states) => match states.last() {
                Some(&last) if last >= state => {
                    states.binary_search(&state).map_err(|at| states.insert(at, state)).is_err()
                }
                _ => {
                    states.push(state);
                    true
                }
            },
            Form::Many(words) => put(&mut words[state as usize / 64], state % 64),
        };
        self.len += u32::from(is_new);
        if let Form::Few(states) = &self.form
            && states.len() as u32 > self.universe / 32
        {
            self.spread_out();
        }
        is_new
    }

    fn spread_out(&mut self) {
        let mut words = vec![0u64; self.universe as usize / 64 + 1];
        self.for_each(|state| words[state as usize / 64] |= 1 << (state % 64));
        self.form = Form::Many(words);
    }

    /// Whether it is so of some state; looks no further then.
    pub fn any(&self, mut is_so: impl FnMut(u32) -> bool) -> bool {
        match &self.form {
            Form::Word(word) => any_in_word(*word, 0, &mut is_so),
            Form::Few(states) => states.iter().any(|&state| is_so(state)),
            Form::Many(words) => {
                let mut words = words.iter().zip(0u32..);
                words.any(|(&word, at)| any_in_word(word, at * 64, &mut is_so))
            }
        }
    }

    pub fn for_each(&self, mut action: impl FnMut(u32)) {
        self.any(|state| {
            action(state);
            false
        });
    }

    pub fn is_subset(&self, other: &StateSet) -> bool {
        match (&self.form, &other.form) {
            (Form::Word(own), Form::Word(others)) => own & !others == 0,
            (Form::Many(own), Form::Many(others)) => {
                own.iter().zip(others).all(|(own, other)| own & !other == 0)
            }
            _ => self.len <= other.len && !self.any(|state| !other.contains(state)),
        }
    }

    /// How many states are here and not in another.
    pub fn beyond(&self, other: &StateSet) -> u32 {
        match (&self.form, &other.form) {
            (Form::Word(own), Form::Word(others)) => (own & !others).count_ones(),
            (Form::Many(own), Form::Many(others)) => {
                own.iter().zip(others).map(|(own, other)| (own & !other).count_ones()).sum()
            }
            _ => {
                let mut count = 0;
                self.for_each(|state| count += u32::from(!other.contains(state)));
                count
            }
        }
    }

    /// Adds all of another; what was not here is added to `fresh`, too. Whether there was any.
    pub fn add(&mut self, other: &StateSet, fresh: &mut StateSet) -> bool {
        let before = self.len;
        match (&mut self.form, &other.form, &mut fresh.form) {
            (Form::Word(own), Form::Word(others), Form::Word(news)) => {
                let added = others & !*own;
                *own |= added;
                *news |= added;
                self.len = own.count_ones();
                fresh.len = news.count_ones();
            }
            (_, Form::Few(states), _) => states.iter().for_each(|&state| {
                if self.insert(state) {
                    fresh.insert(state);
                }
            }),
            _ => self.add_words(other, fresh),
        }
        self.len > before
    }

    fn add_words(&mut self, other: &StateSet, fresh: &mut StateSet) {
        if other.is_subset(self) {
            return;
        }
        for set in [&mut *self, fresh] {
            if matches!(set.form, Form::Few(_)) {
                set.spread_out();
            }
        }
        if let (Form::Many(own), Form::Many(others), Form::Many(news)) =
            (&mut self.form, &other.form, &mut fresh.form)
        {
            for ((own, &other), news) in own.iter_mut().zip(others).zip(news) {
                let added = other & !*own;
                *own |= added;
                self.len += added.count_ones();
                fresh.len += (added & !*news).count_ones();
                *news |= added;
            }
        }
    }
}

/// Sets a bit; whether it was not.
fn put(word: &mut u64, bit: u32) -> bool {
    let before = *word;
    *word |= 1 << bit;
    *word != before
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_is_a_set() {
        let mut rng = testkit::Rng::new(7);
        for universe in [1, 5, 63, 64, 65, 300, 5000] {
            let mut sets = [0; 2].map(|_| (StateSet::new(universe), BTreeSet::new()));
            let mut fresh = StateSet::new(universe);
            for _ in 0..400 {
                let state = rng.below(universe as usize) as u32;
                let (set, plain) = &mut sets[rng.below(2)];
                assert_eq!(set.insert(state), plain.insert(state));
                assert_eq!(set.len() as usize, plain.len());
                let mut listed = Vec::new();
                set.for_each(|state| listed.push(state));
                assert!(listed.iter().eq(plain.iter()));
                let [(left, a), (right, b)] = &mut sets;
                assert_eq!(left.is_subset(right), a.is_subset(b));
                assert_eq!(left.beyond(right) as usize, a.difference(b).count());
                if rng.below(40) == 0 {
                    let news: BTreeSet<u32> = b.difference(a).copied().collect();
                    assert_eq!(left.add(right, &mut fresh), !news.is_empty());
                    assert!(news.iter().all(|&state| fresh.contains(state)));
                    a.extend(news);
                    assert!((0..universe).all(|state| left.contains(state) == a.contains(&state)));
                    assert_eq!(left.len() as usize, a.len());
                }
            }
        }
    }
}
