//! Relations over a few variables, written out.

use transition::VarId;

/// A variable now or in the next state.
pub type Slot = usize;

pub fn now(var: VarId) -> Slot {
    2 * var.0 as usize
}

pub fn next(var: VarId) -> Slot {
    now(var) + 1
}

/// How many values each slot has.
pub type Sizes = [usize];

#[derive(Clone, Debug)]
pub struct Sentence {
    support: Vec<Slot>,
    /// By slot of the support: how far apart two values are.
    strides: Vec<usize>,
    truth: Vec<bool>,
}

impl Sentence {
    /// The valuations of some slots for which something holds.
    pub fn new(support: Vec<Slot>, sizes: &Sizes, mut holds: impl FnMut(&[usize]) -> bool) -> Self {
        let mut strides = vec![1; support.len()];
        for place in (0..support.len().saturating_sub(1)).rev() {
            strides[place] = strides[place + 1] * sizes[support[place + 1]];
        }
        let mut truth = Vec::new();
        let mut values = vec![0; sizes.len()];
        let solver = Solver::new(support.clone(), &[]);
        solver.run(sizes, &mut values, &mut |values| truth.push(holds(values)));
        Self { support, strides, truth }
    }

    pub fn holds(&self, values: &[usize]) -> bool {
        let places = self.support.iter().zip(&self.strides);
        self.truth[places.map(|(&slot, stride)| values[slot] * stride).sum::<usize>()]
    }

    /// Conjunction of constraints.
    pub fn all(sentences: &[&Sentence], sizes: &Sizes) -> Self {
        let mut support: Vec<Slot> =
            sentences.iter().flat_map(|sentence| sentence.support.iter().copied()).collect();
        support.sort_unstable();
        support.dedup();
        Self::new(support, sizes, |values| sentences.iter().all(|one| one.holds(values)))
    }

    /// Where it is so for some values of what is not kept.
    pub fn projected(&self, keeps: impl Fn(Slot) -> bool, sizes: &Sizes) -> Self {
        let (kept, gone): (Vec<Slot>, Vec<Slot>) =
            self.support.iter().partition(|&&slot| keeps(slot));
        let rest = Solver::new(gone, &[self]);
        Self::new(kept, sizes, |values| {
            let mut is_so = false;
            rest.run(sizes, &mut values.to_vec(), &mut |_| is_so = true);
            is_so
        })
    }

    /// Cofactor of a slot's value.
    pub fn where_is(&self, slot: Slot, value: usize, sizes: &Sizes) -> Self {
        let support = self.support.iter().copied().filter(|&other| other != slot).collect();
        Self::new(support, sizes, |values| {
            let mut values = values.to_vec();
            values[slot] = value;
            self.holds(&values)
        })
    }

    /// Of the next state what it says of this one.
    pub fn primed(&self) -> Self {
        Self { support: self.support.iter().map(|slot| slot + 1).collect(), ..self.clone() }
    }

    /// The slots on whose value it depends.
    pub fn depends_on(&self, sizes: &Sizes) -> Vec<Slot> {
        let places = self.support.iter().zip(&self.strides);
        let matters = |&(&slot, &stride): &(&Slot, &usize)| {
            let size = sizes[slot];
            (0..self.truth.len()).any(|index| {
                let value = index / stride % size;
                value > 0 && self.truth[index] != self.truth[index - stride]
            })
        };
        places.filter(matters).map(|(&slot, _)| slot).collect()
    }
}

/// Finds the values of some slots for which some sentences hold, each being asked as soon as it can be.
pub struct Solver<'s> {
    slots: Vec<Slot>,
    /// By how many slots have values: what is to be asked then.
    due: Vec<Vec<&'s Sentence>>,
}

impl<'s> Solver<'s> {
    pub fn new(slots: Vec<Slot>, sentences: &[&'s Sentence]) -> Self {
        let mut due = vec![Vec::new(); slots.len() + 1];
        for &sentence in sentences {
            let is_last = |slot: &Slot| sentence.support.contains(slot);
            let last = slots.iter().rposition(is_last).map_or(0, |place| place + 1);
            due[last].push(sentence);
        }
        Self { slots, due }
    }

    pub fn run(&self, sizes: &Sizes, values: &mut [usize], found: &mut dyn FnMut(&[usize])) {
        self.from(0, sizes, values, found);
    }

    fn from(
        &self,
        place: usize,
        sizes: &Sizes,
        values: &mut [usize],
        found: &mut dyn FnMut(&[usize]),
    ) {
        if !self.due[place].iter().all(|sentence| sentence.holds(values)) {
            return;
        }
        let Some(&slot) = self.slots.get(place) else { return found(values) };
        for value in 0..sizes[slot] {
            values[slot] = value;
            self.from(place + 1, sizes, values, found);
        }
    }
}

impl Sentence {
    pub fn negated(&self) -> Self {
        Self { truth: self.truth.iter().map(|is_true| !is_true).collect(), ..self.clone() }
    }

    pub fn is_always(&self) -> bool {
        self.truth.iter().all(|&is_true| is_true)
    }
}
