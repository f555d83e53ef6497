//! Sets of valuations as tables of bits: one for every valuation, in the order of the variables' numbers. A pattern that is
//! no valuation, because a variable has fewer values than its bits could have, is in no set.

use super::ValuationSets;
use super::tables::{Placement, Table};
use audit::modular::{ListedNode, ListedSet};
use rustc_hash::FxHashMap;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;
use support::{Monitor, Reservation, Stopped};
use transition::cfg::{CfgEdge, Effect};
use transition::{Machine, NodeId, VarId};

/// A bit for every valuation, shared by those who hold the same set.
#[derive(Clone, PartialEq, Eq)]
pub struct ValuationBits(Rc<ReservedBits>);

struct ReservedBits {
    words: Box<[u64]>,
    _room: Reservation,
}

impl PartialEq for ReservedBits {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Eq for ReservedBits {}

impl ValuationBits {
    /// A set that takes its memory from the monitor.
    pub fn new(words: Vec<u64>, monitor: &Monitor) -> Result<Self, Stopped> {
        let room = match words.len() {
            0..WORTH_ASKING => Reservation::default(),
            many => monitor.reserve(8 * many as u64)?,
        };
        Ok(Self(Rc::new(ReservedBits { words: words.into(), _room: room })))
    }
}

impl Deref for ValuationBits {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.0.words
    }
}

/// For sets of fewer words the monitor is not asked for memory.
const WORTH_ASKING: usize = 512;

#[derive(Clone)]
pub struct Bits {
    machine: Arc<Machine>,
    monitor: Monitor,
    placement: Placement,
    all: ValuationBits,
    none: ValuationBits,
    valuations: f64,
}

/// Effect of a step on the number of a valuation.
pub struct BitStep {
    guard: Option<ValuationBits>,
    after: Option<ValuationBits>,
    change: Change,
    _room: Reservation,
}

enum Change {
    Nothing,
    /// The variable gets, for each valuation, the value with this number.
    Set {
        low: u32,
        width: u32,
        numbers: Numbers,
    },
    Any {
        low: u32,
        width: u32,
    },
}

enum Numbers {
    Narrow(Vec<u8>),
    Wide(Vec<u32>),
}

impl Bits {
    /// As many bits as a valuation may have: a set takes two megabytes then.
    pub const MOST_BITS: u32 = 24;

    /// How many bits a valuation has.
    pub fn width(machine: &Machine) -> u32 {
        Placement::new(machine).bits
    }

    /// For a program with at most [`Bits::MOST_BITS`] bits.
    pub fn new(machine: Arc<Machine>, monitor: &Monitor) -> Result<Self, Stopped> {
        let placement = Placement::new(&machine);
        let words = (1usize << placement.bits).div_ceil(64);
        let none = ValuationBits::new(vec![0; words], monitor)?;
        let mut all = vec![u64::MAX; words];
        if placement.bits < 6 {
            all[0] = (1 << (1 << placement.bits)) - 1;
        }
        for (var, declared) in machine.vars.iter() {
            let size = declared.domain.size() as usize;
            let (low, width) = placement.field(var);
            if size == 1 << width {
                continue;
            }
            keep(&mut all, |index| index >> low & ((1 << width) - 1) < size);
        }
        let valuations = all.iter().map(|word| f64::from(word.count_ones())).sum();
        let (all, monitor) = (ValuationBits::new(all, monitor)?, monitor.clone());
        Ok(Self { monitor, machine, placement, all, none, valuations })
    }

    fn each(
        &self,
        a: &[u64],
        b: &[u64],
        op: impl Fn(u64, u64) -> u64,
    ) -> Result<ValuationBits, Stopped> {
        let words = a.iter().zip(b.iter()).map(|(a, b)| op(*a, *b)).collect();
        ValuationBits::new(words, &self.monitor)
    }

    fn numbers(&self, var: VarId, value: NodeId) -> Numbers {
        let table = Table::new(&self.machine, &self.placement, value);
        let domain = &self.machine.vars[var].domain;
        // Where the guard does not hold, a value may be none of the variable's.
        let numbers: Vec<u32> =
            table.values.iter().map(|&value| domain.number(value).unwrap_or(0) as u32).collect();
        let spread = table.indices().into_iter().map(|index| numbers[index as usize]);
        match self.placement.field(var).1 {
            0..=8 => Numbers::Narrow(spread.map(|number| number as u8).collect()),
            _ => Numbers::Wide(spread.collect()),
        }
    }

    /// All valuations that differ from one of the set in these bits at most.
    fn smear(&self, set: &ValuationBits, low: u32, width: u32) -> Result<ValuationBits, Stopped> {
        let mut words: Vec<u64> = set.to_vec();
        for bit in low..low + width {
            if bit < 6 {
                for word in &mut words {
                    let shift = 1 << bit;
                    let upper = UPPER[bit as usize];
                    *word |= (*word & upper) >> shift | (*word & !upper) << shift;
                }
            } else {
                let half = 1usize << (bit - 6);
                for block in words.chunks_mut(2 * half) {
                    let (lower, upper) = block.split_at_mut(half);
                    for (a, b) in lower.iter_mut().zip(upper) {
                        *a |= *b;
                        *b = *a;
                    }
                }
            }
        }
        self.each(&words, &self.all, |a, b| a & b)
    }
}

/// Of the numbers of 64 bits, those that have this bit set.
const UPPER: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Takes out what is not to be kept.
fn keep(words: &mut [u64], is_kept: impl Fn(usize) -> bool) {
    for (at, word) in words.iter_mut().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            if !is_kept(at * 64 + bit as usize) {
                *word &= !(1 << bit);
            }
        }
    }
}

/// Those of `within` whose successor, with the field set to the number, is in the target.
fn gather<N: Copy + Into<u32>>(
    (low, width): (u32, u32),
    numbers: &[N],
    target: &[u64],
    words: &mut [u64],
) {
    let field = ((1usize << width) - 1) << low;
    keep(words, |index| {
        let to = index & !field | (numbers[index].into() as usize) << low;
        target[to / 64] >> (to % 64) & 1 == 1
    });
}

impl ValuationSets for Bits {
    type Set = ValuationBits;
    type Step = BitStep;
    type Seed = (Arc<Machine>, Monitor);

    fn all(&self) -> ValuationBits {
        self.all.clone()
    }

    fn none(&self) -> ValuationBits {
        self.none.clone()
    }

    fn holds(&mut self, node: NodeId) -> Result<ValuationBits, Stopped> {
        self.monitor.step(0)?;
        let table = Table::new(&self.machine, &self.placement, node);
        let mut words = self.all.to_vec();
        let indices = table.indices();
        keep(&mut words, |index| table.values[indices[index] as usize] != 0);
        ValuationBits::new(words, &self.monitor)
    }

    fn and(&mut self, a: &ValuationBits, b: &ValuationBits) -> Result<ValuationBits, Stopped> {
        self.each(a, b, |a, b| a & b)
    }

    fn or(&mut self, a: &ValuationBits, b: &ValuationBits) -> Result<ValuationBits, Stopped> {
        self.each(a, b, |a, b| a | b)
    }

    fn minus(&mut self, a: &ValuationBits, b: &ValuationBits) -> Result<ValuationBits, Stopped> {
        self.each(a, b, |a, b| a & !b)
    }

    fn is_empty(&self, a: &ValuationBits) -> bool {
        a.iter().all(|&word| word == 0)
    }

    fn step(&mut self, edge: &CfgEdge) -> Result<BitStep, Stopped> {
        let guard = edge.guard.map(|guard| self.holds(guard)).transpose()?;
        let after = edge.after.map(|after| self.holds(after)).transpose()?;
        let mut room = Reservation::default();
        let change = match edge.effect {
            Effect::Nothing | Effect::Fails => Change::Nothing,
            Effect::Any(var) => {
                let (low, width) = self.placement.field(var);
                Change::Any { low, width }
            }
            Effect::Set(var, value) => {
                let (low, width) = self.placement.field(var);
                let bytes = if width <= 8 { 1 } else { 4 };
                room.cover(bytes << self.placement.bits, &self.monitor)?;
                Change::Set { low, width, numbers: self.numbers(var, value) }
            }
        };
        Ok(BitStep { guard, after, change, _room: room })
    }

    fn before(
        &mut self,
        step: &BitStep,
        target: &ValuationBits,
        within: &ValuationBits,
    ) -> Result<ValuationBits, Stopped> {
        self.monitor.step(1)?;
        let target = match &step.after {
            Some(after) => self.each(target, after, |a, b| a & b)?,
            None => target.clone(),
        };
        let within = match &step.guard {
            Some(guard) => self.each(within, guard, |a, b| a & b)?,
            None => within.clone(),
        };
        match &step.change {
            Change::Nothing => self.each(&within, &target, |a, b| a & b),
            Change::Any { low, width } => {
                let target = self.smear(&target, *low, *width)?;
                self.each(&within, &target, |a, b| a & b)
            }
            Change::Set { low, width, numbers } => {
                let mut words = within.to_vec();
                match numbers {
                    Numbers::Narrow(numbers) => {
                        gather((*low, *width), numbers, &target, &mut words)
                    }
                    Numbers::Wide(numbers) => gather((*low, *width), numbers, &target, &mut words),
                }
                ValuationBits::new(words, &self.monitor)
            }
        }
    }

    fn write(&self, set: &ValuationBits) -> Vec<u8> {
        set.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Option<ValuationBits>, Stopped> {
        let (words, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() || words.len() != self.all.len() {
            return Ok(None);
        }
        let words = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let words = ValuationBits::new(words, &self.monitor)?;
        let is_within = words.iter().zip(self.all.iter()).all(|(a, all)| a & !all == 0);
        Ok(is_within.then_some(words))
    }

    fn list(&self, set: &ValuationBits) -> ListedSet {
        // Node 0 negated is false everywhere. From the lowest bit upwards, two neighbours become one.
        let mut links: Vec<u32> = (0..1usize << self.placement.bits)
            .map(|index| !(set[index / 64] >> (index % 64)) as u32 & 1)
            .collect();
        let mut nodes: Vec<ListedNode> = Vec::new();
        for (var, bit) in self.placement.places() {
            let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            let pairs = links.as_chunks::<2>().0.iter();
            links = pairs
                .map(|&[low, high]| match low == high {
                    true => low,
                    false => *known.entry((high, low)).or_insert_with(|| {
                        nodes.push(ListedNode { var, bit, high, low });
                        2 * nodes.len() as u32
                    }),
                })
                .collect();
        }
        ListedSet { nodes, root: links[0] }
    }

    fn seed(&self) -> Self::Seed {
        (self.machine.clone(), self.monitor.clone())
    }

    fn from_seed((machine, monitor): Self::Seed) -> Result<Self, Stopped> {
        Self::new(machine, &monitor)
    }

    fn valuations(&self) -> f64 {
        self.valuations
    }

    fn bytes(&self, in_sight: u64) -> u64 {
        in_sight
    }

    fn bytes_of(&self, set: &ValuationBits) -> u64 {
        8 * set.len() as u64
    }

    fn bytes_of_step(&self, step: &BitStep) -> u64 {
        let sets = step.guard.iter().chain(&step.after).map(|set| self.bytes_of(set)).sum::<u64>();
        sets + match &step.change {
            Change::Nothing | Change::Any { .. } => 0,
            Change::Set { numbers: Numbers::Narrow(numbers), .. } => numbers.len() as u64,
            Change::Set { numbers: Numbers::Wide(numbers), .. } => 4 * numbers.len() as u64,
        }
    }

    fn with_value(&mut self, var: VarId, value: i64) -> Result<ValuationBits, Stopped> {
        let (low, width) = self.placement.field(var);
        let number = self.machine.vars[var].domain.number(value).map(|number| number as usize);
        let mut words = self.all.to_vec();
        keep(&mut words, |index| Some(index >> low & ((1 << width) - 1)) == number);
        ValuationBits::new(words, &self.monitor)
    }

    fn pick(&self, set: &ValuationBits) -> Option<Vec<i64>> {
        let at = set.iter().position(|&word| word != 0)?;
        let index = at * 64 + set[at].trailing_zeros() as usize;
        let value = |(var, declared): (VarId, &transition::MachineVar)| {
            let (low, width) = self.placement.field(var);
            declared.domain.value((index >> low) as u64 & ((1 << width) - 1))
        };
        Some(self.machine.vars.iter().map(value).collect())
    }

    fn contains(&self, set: &ValuationBits, values: &[i64]) -> bool {
        let mut index = 0usize;
        for ((var, declared), &value) in self.machine.vars.iter().zip(values) {
            let Some(number) = declared.domain.number(value) else { return false };
            index |= (number as usize) << self.placement.field(var).0;
        }
        set[index / 64] >> (index % 64) & 1 == 1
    }
}
