//! Components with explicit states, encoded one by one (C §6.2), so that no product is ever enumerated.
//!
//! A state of a component is a binary number in bits of its own, and its transitions are sets of pairs of states.
//! What some components are together stands in [`system_group`](crate::system_group).

use crate::certificate::NamedBit;
use crate::relation::Written;
use crate::structure::Label;
use bdd::{Bdd, BddVar, Manager, Renaming, Stop};
use logic::Family;
use model::{ActionId, PartialModel, Rule, System};
use rustc_hash::FxHashMap;
use support::Interner;

/// The bits of a component's states, highest first.
pub(crate) struct StateBits {
    /// How many states it has.
    pub states: usize,
    now: Vec<BddVar>,
    next: Vec<BddVar>,
}

impl StateBits {
    pub fn new(states: usize, manager: &mut Manager) -> Self {
        let bits = usize::BITS - states.saturating_sub(1).leading_zeros();
        let pairs = (0..bits).map(|_| manager.add_group());
        let (now, next) = pairs.map(|[now, next]| (now, next)).unzip();
        Self { states, now, next }
    }

    /// The bits of two states, one after the other, as [`Manager`] keeps them together.
    pub fn both(&self) -> Vec<BddVar> {
        self.now.iter().zip(&self.next).flat_map(|(&now, &next)| [now, next]).collect()
    }

    pub fn now(&self) -> &[BddVar] {
        &self.now
    }

    pub fn next(&self) -> &[BddVar] {
        &self.next
    }

    /// Whether a bit of a state is set.
    pub fn has(&self, var: BddVar, state: u32) -> bool {
        let place = self.now.iter().rev().position(|&bit| bit == var);
        place.is_some_and(|place| state >> place & 1 == 1)
    }

    pub fn written(&self) -> impl Iterator<Item = Written> + '_ {
        self.now.iter().zip(&self.next).map(|(&now, &next)| Written { now, next })
    }

    /// The state that a valuation gives.
    pub fn state(&self, is_true: impl Fn(BddVar) -> bool) -> u32 {
        self.now.iter().fold(0, |number, &bit| number << 1 | u32::from(is_true(bit)))
    }
}

/// The bits of the states of components as certificates name them, from above.
pub(crate) fn named_bits(components: &[StateBits], manager: &Manager) -> Vec<NamedBit> {
    let lowest_first = |(of, bits): (u32, &StateBits)| -> Vec<NamedBit> {
        let named = bits.now.iter().rev().zip(0..);
        named.map(|(&now, bit)| NamedBit { of, bit, now }).collect()
    };
    let mut all: Vec<NamedBit> = (0..).zip(components).flat_map(lowest_first).collect();
    let places: FxHashMap<BddVar, usize> = manager.order().into_iter().zip(0..).collect();
    all.sort_by_key(|bit| places.get(&bit.now).copied());
    all
}

/// The components of a system, encoded one by one.
pub(crate) struct EncodedSystem<'a> {
    pub system: &'a System,
    pub bits: Vec<StateBits>,
    /// By proposition: its labels in all components that have it.
    pub labels: Vec<Vec<(usize, Label)>>,
    pub parts: Vec<EncodedPart>,
    /// The joint steps of a system with actions, and the actions that they show.
    pub rules: (Vec<Rule>, Interner<ActionId>),
    /// From the bits of all states to those of the next ones.
    pub to_next: Renaming,
}

/// A component by itself.
pub(crate) struct EncodedPart {
    pub states: Bdd,
    pub init: Bdd,
    /// By action: the may and the must transitions.
    steps: FxHashMap<Option<ActionId>, [Bdd; 2]>,
}

/// The may and the must transitions of a component, as pairs of numbers, by action.
pub(crate) type Steps = FxHashMap<Option<ActionId>, [Vec<u64>; 2]>;

impl<'a> EncodedSystem<'a> {
    pub fn new(system: &'a System, manager: &mut Manager) -> Result<Self, Stop> {
        let models = || system.components.iter().map(|part| &part.model);
        let bits: Vec<StateBits> =
            models().map(|model| StateBits::new(model.states(), manager)).collect();
        let mut labels = Vec::new();
        for name in system.props().names() {
            let mut of_one = Vec::new();
            for (component, model) in models().enumerate() {
                let Some(prop) = model.props().get(name) else { continue };
                let mut set = |of: &fixedbitset::FixedBitSet| {
                    let states: Vec<u64> = of.ones().map(|state| state as u64).collect();
                    numbers(&bits[component].now, &states, manager)
                };
                let label = Label { tt: set(model.true_in(prop))?, ff: set(model.false_in(prop))? };
                of_one.push((component, label));
            }
            labels.push(of_one);
        }
        let mut parts = Vec::new();
        for (model, bits) in models().zip(&bits) {
            parts.push(EncodedPart::new(model, bits, manager)?);
        }
        let pairs: Vec<(BddVar, BddVar)> =
            bits.iter().flat_map(|bits| bits.written()).map(|bit| (bit.now, bit.next)).collect();
        let rules = match system.family() {
            Family::Props => Default::default(),
            Family::Actions => system.rules(),
        };
        Ok(Self { system, bits, labels, parts, rules, to_next: manager.renaming(&pairs) })
    }

    /// The transitions of a component by one of its actions, may or must.
    pub fn steps(
        &self,
        component: usize,
        action: Option<ActionId>,
        is_must: bool,
        manager: &Manager,
    ) -> Bdd {
        match self.parts[component].steps.get(&action) {
            Some(both) => both[usize::from(is_must)].clone(),
            None => manager.constant(false),
        }
    }

    /// Where two labels of a proposition differ. Unknown agrees only with unknown (C Def. 4.1).
    pub fn differ(a: &Label, b: &Label, manager: &mut Manager) -> Result<Bdd, Stop> {
        let tt = manager.xor(&a.tt, &b.tt)?;
        let ff = manager.xor(&a.ff, &b.ff)?;
        manager.or(&tt, &ff)
    }
}

impl EncodedPart {
    fn new(model: &PartialModel, bits: &StateBits, manager: &mut Manager) -> Result<Self, Stop> {
        let valid: Vec<u64> = (0..model.states() as u64).collect();
        let mut init: Vec<u64> = model.init().iter().copied().map(u64::from).collect();
        init.sort_unstable();
        let mut sets = FxHashMap::default();
        for (action, [may, must]) in steps(model) {
            let both = bits.both();
            sets.insert(action, [numbers(&both, &may, manager)?, numbers(&both, &must, manager)?]);
        }
        Ok(Self {
            states: numbers(&bits.now, &valid, manager)?,
            init: numbers(&bits.now, &init, manager)?,
            steps: sets,
        })
    }
}

pub(crate) fn steps(model: &PartialModel) -> Steps {
    let mut steps = Steps::default();
    for source in 0..model.states() as u32 {
        for (target, class) in model.edges().out(source) {
            let [may, must] = steps.entry(class.action).or_default();
            let pair = spread(source) << 1 | spread(target);
            may.extend(class.mode.may.then_some(pair));
            must.extend(class.mode.must.then_some(pair));
        }
    }
    for of_action in steps.values_mut().flatten() {
        of_action.sort_unstable();
        of_action.dedup();
    }
    steps
}

/// Room for another bit before every bit.
fn spread(number: u32) -> u64 {
    (0..32).map(|bit| u64::from(number >> bit & 1) << (2 * bit)).sum()
}

/// The valuations of some bits, highest first, that are one of these numbers; they are in order and differ.
pub(crate) fn numbers(bits: &[BddVar], among: &[u64], manager: &mut Manager) -> Result<Bdd, Stop> {
    let Some((&highest, lower)) = bits.split_first() else {
        return Ok(manager.constant(!among.is_empty()));
    };
    let is_full = bits.len() < 64 && among.len() as u64 == 1 << bits.len();
    if among.is_empty() || is_full {
        return Ok(manager.constant(is_full));
    }
    let zeros = among.partition_point(|number| number >> lower.len() & 1 == 0);
    let low = numbers(lower, &among[..zeros], manager)?;
    let high = numbers(lower, &among[zeros..], manager)?;
    let highest = manager.var(highest)?;
    manager.ite(&highest, &high, &low)
}
