//! Joint propositions: those on which the components of a propositional system have to agree.

use crate::partial::PartialModel;
use crate::system::System;
use logic::PropId;
use rustc_hash::FxHashMap;
use support::Interner;

/// The labels of all components' states on the joint propositions, as bits: the lower half of a
/// state's words says which are true, the upper half which are false.
#[derive(Clone, Debug)]
pub struct JointLabels {
    words: usize,
    names: Vec<String>,
    /// By component: which joint propositions it has, in both halves.
    own: Vec<Vec<u64>>,
    /// By component: the words of all its states.
    bits: Vec<Vec<u64>>,
}

impl JointLabels {
    pub fn new(system: &System) -> Self {
        let models: Vec<&PartialModel> = system.components.iter().map(|c| &c.model).collect();
        Self::among(&models)
    }

    /// The propositions that some models have in common, whatever others there are.
    pub(crate) fn among(models: &[&PartialModel]) -> Self {
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        for name in models.iter().flat_map(|model| model.props().names()) {
            *uses.entry(name).or_default() += 1;
        }
        let props: Interner<PropId> =
            models.iter().flat_map(|model| model.props().names()).collect();
        let names: Vec<String> = props
            .names()
            .filter(|name| uses.get(name).is_some_and(|&count| count > 1))
            .map(str::to_owned)
            .collect();
        let numbers: FxHashMap<&str, usize> =
            names.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        let half = names.len().div_ceil(64);
        let (own, bits) = models.iter().map(|model| label(model, &numbers, half)).unzip();
        Self { words: half * 2, own, bits, names }
    }

    /// How many words the label of a state has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The joint propositions, in the order of their bits.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    #[inline]
    pub fn of(&self, component: usize, state: u32) -> &[u64] {
        &self.bits[component][state as usize * self.words..][..self.words]
    }

    /// The joint propositions that a component has, in both halves.
    #[inline]
    pub fn own(&self, component: usize) -> &[u64] {
        &self.own[component]
    }

    /// Agreement is to the letter: unknown agrees only with unknown (C Def. 4.2).
    #[inline]
    pub fn agree(a: &[u64], b: &[u64], on: impl Fn(usize) -> u64) -> bool {
        a.iter().zip(b).enumerate().all(|(word, (a, b))| (a ^ b) & on(word) == 0)
    }
}

fn label(
    model: &PartialModel,
    numbers: &FxHashMap<&str, usize>,
    half: usize,
) -> (Vec<u64>, Vec<u64>) {
    let mut own = vec![0; half * 2];
    let mut bits = vec![0; half * 2 * model.states()];
    for (local, name) in model.props().names().enumerate() {
        let Some(&number) = numbers.get(name) else { continue };
        let prop = PropId(local as u32);
        for (offset, set) in [(0, model.true_in(prop)), (half, model.false_in(prop))] {
            own[offset + number / 64] |= 1 << (number % 64);
            for state in set.ones() {
                bits[state * half * 2 + offset + number / 64] |= 1 << (number % 64);
            }
        }
    }
    (own, bits)
}
