//! States as bits: each variable has its place in a few 64-bit words.

use crate::cone::Slice;
use crate::domain::{Domain, low_bits};
use crate::parts::{Machine, VarId, VarKind};
use model::NameStates;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The place of a variable in a packed state, and the meanings of its numbers.
#[derive(Clone, Debug)]
pub struct PackedField {
    pub var: VarId,
    word: usize,
    shift: u32,
    mask: u64,
    code: Code,
}

#[derive(Clone, Debug)]
enum Code {
    /// The value is the number and this.
    Offset {
        low: i64,
        size: u64,
    },
    Table {
        values: Vec<i64>,
        numbers: FxHashMap<i64, u64>,
    },
    Word(Domain),
}

impl PackedField {
    /// Its value in a state.
    #[inline]
    pub fn get(&self, state: &[u64]) -> i64 {
        let number = self.number(state);
        match &self.code {
            Code::Offset { low, .. } => low.wrapping_add(number as i64),
            Code::Table { values, .. } => values[number as usize],
            Code::Word(domain) => domain.value(number),
        }
    }

    /// The number of its value.
    #[inline]
    pub fn number(&self, state: &[u64]) -> u64 {
        state[self.word] >> self.shift & self.mask
    }

    /// The number of a value; `None` if the variable cannot have it.
    #[inline]
    pub fn number_of(&self, value: i64) -> Option<u64> {
        match &self.code {
            Code::Offset { low, size } => {
                let number = value.wrapping_sub(*low) as u64;
                (number < *size).then_some(number)
            }
            Code::Table { numbers, .. } => numbers.get(&value).copied(),
            Code::Word(domain) => domain.number(value),
        }
    }

    /// The numbers of its values are at most this.
    pub fn largest(&self) -> u64 {
        self.mask
    }

    /// The word that it stands in, the bits before it, and as many ones as it has bits.
    pub fn place(&self) -> (u16, u8, u64) {
        (self.word as u16, self.shift as u8, self.mask)
    }

    /// The difference of a number and the value that it stands for, if it is the same for all.
    pub fn offset(&self) -> Option<i64> {
        match self.code {
            Code::Offset { low, .. } => Some(low),
            Code::Word(Domain::Word { signed: false, .. }) => Some(0),
            Code::Table { .. } | Code::Word(_) => None,
        }
    }

    /// Whether the numbers of its values are those of another variable, and stand in as many bits.
    pub fn has_numbers_of(&self, other: &PackedField) -> bool {
        self.mask == other.mask
            && match (&self.code, &other.code) {
                (Code::Offset { low, .. }, Code::Offset { low: others, .. }) => low == others,
                (Code::Table { values, .. }, Code::Table { values: others, .. }) => {
                    values == others
                }
                (Code::Word(domain), Code::Word(other)) => domain == other,
                _ => false,
            }
    }

    /// Sets its value; `None` if the variable cannot have it.
    #[inline]
    pub fn set(&self, state: &mut [u64], value: i64) -> Option<()> {
        let number = self.number_of(value)?;
        self.set_number(state, number);
        Some(())
    }

    /// Sets the number of its value.
    #[inline]
    pub fn set_number(&self, state: &mut [u64], number: u64) {
        let word = &mut state[self.word];
        *word = *word & !(self.mask << self.shift) | number << self.shift;
    }

    /// The word that has it, its bits there, and what they are for a value; `None` if the variable cannot have it.
    pub fn bits(&self, value: i64) -> Option<(usize, u64, u64)> {
        Some((self.word, self.mask << self.shift, self.number_of(value)? << self.shift))
    }
}

/// The layout of packed states: each variable has its bits in one of a few words.
#[derive(Clone, Debug)]
pub struct PackedLayout {
    /// The variables of a state, in the order of their declaration.
    pub fields: Vec<PackedField>,
    /// Words a state.
    pub words: usize,
}

impl PackedLayout {
    /// The layout of the variables of a slice.
    pub fn new(machine: &Machine, slice: &Slice) -> Self {
        let (mut fields, mut word, mut used) = (Vec::new(), 0, 0);
        for (id, var) in machine.vars.iter() {
            if var.kind == VarKind::Input || !slice.contains(id) {
                continue;
            }
            let bits = var.domain.bits();
            if used + bits > 64 {
                (word, used) = (word + 1, 0);
            }
            // A variable with one value takes no bits, and may stand behind the last one.
            let shift = used.min(63);
            let mask = low_bits(bits as u8);
            fields.push(PackedField { var: id, word, shift, mask, code: code(&var.domain) });
            used += bits;
        }
        Self { fields, words: word + 1 }
    }
}

fn code(domain: &Domain) -> Code {
    match domain {
        Domain::Bool => Code::Offset { low: 0, size: 2 },
        Domain::Range(low, high) => Code::Offset { low: *low, size: high.abs_diff(*low) + 1 },
        Domain::Values(values) => Code::Table {
            values: values.clone(),
            numbers: values.iter().zip(0..).map(|(&value, number)| (value, number)).collect(),
        },
        Domain::Word { .. } => Code::Word(domain.clone()),
    }
}

/// Names such as `x=3,y=TRUE`, made of the states' bits when they are asked for. A variable that is the
/// same in all states tells none from another and is left out.
pub(super) struct Valuations {
    machine: Arc<Machine>,
    layout: PackedLayout,
    states: Vec<u64>,
    shown: Vec<usize>,
}

impl Valuations {
    pub fn new(machine: Arc<Machine>, layout: PackedLayout, states: Vec<u64>) -> Self {
        let rows = || states.chunks_exact(layout.words);
        let differs = |field: &PackedField| {
            let mut values = rows().map(|row| field.get(row));
            let first = values.next();
            values.any(|value| Some(value) != first)
        };
        let mut shown: Vec<usize> =
            (0..layout.fields.len()).filter(|&index| differs(&layout.fields[index])).collect();
        if shown.is_empty() {
            shown = (0..layout.fields.len()).collect();
        }
        Self { machine, layout, states, shown }
    }

    /// The variables that have one value in all states, with that value; names of states leave them out.
    pub fn constants(&self) -> Vec<(String, String)> {
        let Some(row) = self.states.chunks_exact(self.layout.words).next() else {
            return Vec::new();
        };
        let is_hidden = |index: &usize| self.shown.binary_search(index).is_err();
        let hidden = (0..self.layout.fields.len()).filter(is_hidden);
        let fields = hidden.map(|index| &self.layout.fields[index]);
        let text = |field: &PackedField| self.machine.text(field.var, field.get(row));
        fields.map(|field| (self.machine.vars[field.var].name.clone(), text(field))).collect()
    }
}

impl NameStates for Valuations {
    fn len(&self) -> usize {
        self.states.len() / self.layout.words
    }

    fn name(&self, state: u32) -> String {
        let row = &self.states[state as usize * self.layout.words..][..self.layout.words];
        let fields = self.shown.iter().map(|&index| &self.layout.fields[index]);
        describe(&self.machine, fields, row)
    }
}

/// All variables of a state with their values.
pub(super) fn describe<'f>(
    machine: &Machine,
    fields: impl Iterator<Item = &'f PackedField>,
    row: &[u64],
) -> String {
    let texts = fields.map(|field| {
        let value = machine.text(field.var, field.get(row));
        format!("{}={value}", machine.vars[field.var].name)
    });
    texts.collect::<Vec<_>>().join(",")
}
