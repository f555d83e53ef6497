//! Instructions on packed states and registers, and their interpreter.
//!
//! A step is one piece of code: its guard with short circuits, reading the fields that it needs from the row of the
//! state, then a copy of the row and the fields that change. Tests of several fields against constants are one
//! comparison of a word under a mask.

use std::sync::Arc;
use transition::{Exprs, Machine, NodeId, PackedField};

/// The number of a register.
pub(super) type Register = u16;

/// The number of an instruction that a jump leads to.
pub(super) type Target = u32;

/// How many registers there are. Indices of 16 bits need no bounds check.
const REGISTERS: usize = 1 << 16;

#[derive(Clone, Debug)]
pub(super) enum Instruction {
    /// The field of a word of the state, with an offset.
    Load {
        into: Register,
        word: u16,
        shift: u8,
        mask: u64,
        low: i64,
    },
    /// The value of a field whose values are in a table.
    LoadField {
        into: Register,
        field: u32,
    },
    Const {
        into: Register,
        value: i64,
    },
    Copy {
        into: Register,
        from: Register,
    },
    Add {
        into: Register,
        a: Register,
        b: Register,
    },
    AddConst {
        into: Register,
        a: Register,
        value: i64,
    },
    Sub {
        into: Register,
        a: Register,
        b: Register,
    },
    And {
        into: Register,
        a: Register,
        b: Register,
    },
    Or {
        into: Register,
        a: Register,
        b: Register,
    },
    /// The low bits, unsigned.
    Mask {
        into: Register,
        a: Register,
        mask: u64,
    },
    /// The low bits, with a sign: as many are unused.
    Extend {
        into: Register,
        a: Register,
        unused: u8,
    },
    /// By the general rules, for what is rare.
    General {
        into: Register,
        node: NodeId,
        from: [Register; 3],
    },
    /// The value of a table at the register, or the default beyond its ends.
    Lookup {
        into: Register,
        at: Register,
        low: i64,
        table: u32,
        otherwise: i64,
    },
    Jump {
        to: Target,
    },
    JumpIf {
        a: Register,
        is: bool,
        to: Target,
    },
    JumpIfEq {
        a: Register,
        b: Register,
        is: bool,
        to: Target,
    },
    JumpIfEqConst {
        a: Register,
        value: i64,
        is: bool,
        to: Target,
    },
    JumpIfLess {
        a: Register,
        b: Register,
        is: bool,
        to: Target,
    },
    JumpIfLessConst {
        a: Register,
        value: i64,
        is: bool,
        to: Target,
    },
    /// Goes on at the target unless these bits of a word are those.
    JumpUnless {
        word: u16,
        to: Target,
        mask: u64,
        bits: u64,
    },
    /// Goes on at the target if these bits of a word are those.
    JumpWhere {
        word: u16,
        to: Target,
        mask: u64,
        bits: u64,
    },
    /// Goes on where a table says for the value of a register; at its last entry for all others.
    Switch {
        at: Register,
        low: i64,
        table: u32,
    },
    /// Computes what steps share, unless it is done for this state.
    Shared {
        block: u32,
    },
    /// Begins the new state as a copy.
    Begin,
    /// Sets bits of the new state.
    StoreConst {
        word: u16,
        mask: u64,
        bits: u64,
    },
    Store {
        from: Register,
        word: u16,
        shift: u8,
        mask: u64,
        low: i64,
    },
    /// Stores what is known to be, or has to be, a value of the field.
    StoreField {
        from: Register,
        field: u32,
    },
    /// Stores one field in another one with the same numbers.
    Move {
        word: u16,
        shift: u8,
        to_word: u16,
        to_shift: u8,
        mask: u64,
    },
    /// The guard is false, or there is no such state.
    Fail,
    End,
}

/// A piece of code with its tables.
#[derive(Clone, Default, Debug)]
pub(super) struct Code {
    pub instructions: Vec<Instruction>,
    pub targets: Vec<Vec<Target>>,
    pub values: Vec<Vec<i64>>,
}

/// Registers, and what is known of the state that is looked at.
pub(super) struct Processor {
    machine: Arc<Machine>,
    fields: Vec<PackedField>,
    registers: Box<[i64; REGISTERS]>,
    /// Values that steps share.
    blocks: Arc<[Code]>,
    /// By block: the visit for which it was computed last.
    computed: Vec<u64>,
    visit: u64,
}

impl Processor {
    pub fn new(machine: &Arc<Machine>, fields: &[PackedField], blocks: Vec<Code>) -> Self {
        let registers: Box<[i64]> = vec![0; REGISTERS].into_boxed_slice();
        let registers = registers.try_into().unwrap_or_else(|_| Box::new([0; REGISTERS]));
        let computed = vec![0; blocks.len()];
        let (machine, fields, blocks) = (machine.clone(), fields.to_vec(), blocks.into());
        Self { machine, fields, registers, blocks, computed, visit: 0 }
    }

    /// Begins with another state.
    pub fn next_state(&mut self) {
        self.visit += 1;
    }

    pub fn get(&self, register: Register) -> i64 {
        self.registers[register as usize]
    }

    pub fn set(&mut self, register: Register, value: i64) {
        self.registers[register as usize] = value;
    }

    #[cold]
    #[inline(never)]
    fn general(&self, node: NodeId, from: [Register; 3]) -> i64 {
        let exprs: &Exprs = &self.machine.exprs;
        let operands = from.map(|register| Ok(self.registers[register as usize]));
        // No operand is missing, and code is made only of what cannot fail.
        exprs.apply(node, operands).unwrap_or_default()
    }

    fn compute(&mut self, block: u32, state: &[u64]) {
        if self.computed[block as usize] != self.visit {
            self.computed[block as usize] = self.visit;
            let blocks = self.blocks.clone();
            self.run(&blocks[block as usize], state, &mut []);
        }
    }

    /// Runs a piece of code; returns whether it came to its end, not to a failure.
    pub fn run(&mut self, code: &Code, state: &[u64], target: &mut [u64]) -> bool {
        use Instruction::*;
        let mut at = 0;
        loop {
            let instruction = &code.instructions[at];
            at += 1;
            let get = |register: Register| self.registers[register as usize];
            let (into, value) = match *instruction {
                Load { into, word, shift, mask, low } => {
                    let number = state[word as usize] >> (shift & 63) & mask;
                    (into, low.wrapping_add(number as i64))
                }
                LoadField { into, field } => (into, self.fields[field as usize].get(state)),
                Const { into, value } => (into, value),
                Copy { into, from } => (into, get(from)),
                Add { into, a, b } => (into, get(a).wrapping_add(get(b))),
                AddConst { into, a, value } => (into, get(a).wrapping_add(value)),
                Sub { into, a, b } => (into, get(a).wrapping_sub(get(b))),
                And { into, a, b } => (into, get(a) & get(b)),
                Or { into, a, b } => (into, get(a) | get(b)),
                Mask { into, a, mask } => (into, (get(a) as u64 & mask) as i64),
                Extend { into, a, unused } => (into, get(a) << (unused & 63) >> (unused & 63)),
                General { into, node, from } => (into, self.general(node, from)),
                Lookup { into, at, low, table, otherwise } => {
                    let place = get(at).wrapping_sub(low) as u64;
                    let found = code.values[table as usize].get(place as usize);
                    (into, found.copied().unwrap_or(otherwise))
                }
                Jump { to } => {
                    at = to as usize;
                    continue;
                }
                JumpIf { a, is, to } => {
                    if (get(a) != 0) == is {
                        at = to as usize;
                    }
                    continue;
                }
                JumpIfEq { a, b, is, to } => {
                    if (get(a) == get(b)) == is {
                        at = to as usize;
                    }
                    continue;
                }
                JumpIfEqConst { a, value, is, to } => {
                    if (get(a) == value) == is {
                        at = to as usize;
                    }
                    continue;
                }
                JumpIfLess { a, b, is, to } => {
                    if (get(a) < get(b)) == is {
                        at = to as usize;
                    }
                    continue;
                }
                JumpIfLessConst { a, value, is, to } => {
                    if (get(a) < value) == is {
                        at = to as usize;
                    }
                    continue;
                }
                JumpUnless { word, to, mask, bits } => {
                    if state[word as usize] & mask != bits {
                        at = to as usize;
                    }
                    continue;
                }
                JumpWhere { word, to, mask, bits } => {
                    if state[word as usize] & mask == bits {
                        at = to as usize;
                    }
                    continue;
                }
                Switch { at: register, low, table } => {
                    let place = get(register).wrapping_sub(low) as u64;
                    at = lookup(&code.targets[table as usize], place);
                    continue;
                }
                Shared { block } => {
                    self.compute(block, state);
                    continue;
                }
                Begin => {
                    target.copy_from_slice(state);
                    continue;
                }
                StoreConst { word, mask, bits } => {
                    let word = &mut target[word as usize];
                    *word = *word & !mask | bits;
                    continue;
                }
                Store { from, word, shift, mask, low } => {
                    let number = get(from).wrapping_sub(low) as u64;
                    let (word, shift) = (&mut target[word as usize], shift & 63);
                    *word = *word & !(mask << shift) | (number & mask) << shift;
                    continue;
                }
                StoreField { from, field } => {
                    match self.fields[field as usize].set(target, get(from)) {
                        Some(()) => continue,
                        None => return false,
                    }
                }
                Move { word, shift, to_word, to_shift, mask } => {
                    let number = state[word as usize] >> (shift & 63) & mask;
                    let (word, shift) = (&mut target[to_word as usize], to_shift & 63);
                    *word = *word & !(mask << shift) | number << shift;
                    continue;
                }
                Fail => return false,
                End => return true,
            };
            self.registers[into as usize] = value;
        }
    }
}

/// The entry of a place, or the last one.
fn lookup(targets: &[Target], place: u64) -> usize {
    let last = targets.len() - 1;
    targets[(place as usize).min(last)] as usize
}
