//! Sets of states, kept as a list while they are small and as bits from there on, so that a label
//! takes no more room than the smaller of the two. Most labels are empty or nearly so.

#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
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

impl StateSet {
    pub fn new(universe: u32) -> StateSet {
        StateSet { universe, len: 0, form: Form::Few(Vec::new()) }
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

    pub fn contains(&self, state: u32) -> bool {
        match &self.form {
            Form::Few(states) => states.binary_search(&state).is_ok(),
            Form::Many(words) => words[state as usize / 64] >> (state % 64) & 1 == 1,
        }
    }

    /// Whether it is new.
    pub fn insert(&mut self, state: u32) -> bool {
        let is_new = match &mut self.form {
            Form::Few(states) => match states.last() {
                Some(&last) if last >= state => {
                    states.binary_search(&state).map_err(|at| states.insert(at, state)).is_err()
                }
                _ => {
                    states.push(state);
                    true
                }
            },
            Form::Many(words) => {
                let word = &mut words[state as usize / 64];
                let before = *word;
                *word |= 1 << (state % 64);
                *word != before
            }
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
        self.any(|state| {
            words[state as usize / 64] |= 1 << (state % 64);
            false
        });
        self.form = Form::Many(words);
    }

    /// Whether it is so of some state; looks no further then.
    pub fn any(&self, mut is_so: impl FnMut(u32) -> bool) -> bool {
        match &self.form {
            Form::Few(states) => states.iter().any(|&state| is_so(state)),
            Form::Many(words) => words.iter().zip(0u32..).any(|(&word, at)| {
                let mut rest = word;
                while rest != 0 {
                    if is_so(at * 64 + rest.trailing_zeros()) {
                        return true;
                    }
                    rest &= rest - 1;
                }
                false
            }),
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
            (Form::Many(own), Form::Many(others)) => {
                own.iter().zip(others).all(|(own, other)| own & !other == 0)
            }
            _ => self.len <= other.len && !self.any(|state| !other.contains(state)),
        }
    }

    /// Adds all of another; what was not here is added to `fresh`, too. Whether there was any.
    pub fn add(&mut self, other: &StateSet, fresh: &mut StateSet) -> bool {
        let before = self.len;
        if let Form::Many(others) = &other.form
            && !other.is_subset(self)
        {
            if matches!(self.form, Form::Few(_)) {
                self.spread_out();
            }
            if matches!(fresh.form, Form::Few(_)) {
                fresh.spread_out();
            }
            if let (Form::Many(own), Form::Many(news)) = (&mut self.form, &mut fresh.form) {
                for ((own, &other), news) in own.iter_mut().zip(others).zip(news) {
                    let added = other & !*own;
                    *own |= added;
                    self.len += added.count_ones();
                    fresh.len += (added & !*news).count_ones();
                    *news |= added;
                }
            }
        } else if matches!(other.form, Form::Few(_)) {
            other.for_each(|state| {
                if self.insert(state) {
                    fresh.insert(state);
                }
            });
        }
        self.len > before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_is_a_set() {
        let mut rng = testkit::Rng::new(7);
        for universe in [1, 5, 64, 65, 300, 5000] {
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
