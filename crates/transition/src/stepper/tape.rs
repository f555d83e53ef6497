//! Expressions as straight code on an array of values.

use super::layout::PackedField;
use crate::expr::{Binary, ExprNode, NodeId, SiteId, Type, Unary};
use crate::exprs::Exprs;

/// Where a value stands.
pub(super) type Slot = u32;

/// The mark of a slot that has a value.
const FINE: u32 = 0;

#[derive(Clone, Copy, Debug)]
enum Op {
    Not,
    And,
    Or,
    Xor,
    Eq,
    Lt,
    Le,
    Add,
    Sub,
    Ite,
    /// The operand itself.
    Copy,
    /// False, and a jump to the target, if the operand is false.
    AndThen,
    /// True, and a jump to the target, if the operand is true.
    OrElse,
    /// By the general rules, for what is rare.
    General,
    /// An operand may have no value.
    Careful,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    op: Op,
    into: Slot,
    from: [Slot; 3],
    node: NodeId,
    /// The instruction that a jump leads to.
    target: u32,
}

impl Instruction {
    pub fn new(exprs: &Exprs, node: NodeId, into: Slot, from: [Slot; 3]) -> Self {
        Self { op: op_of(exprs, node), into, from, node, target: 0 }
    }

    pub fn copy(node: NodeId, into: Slot, from: Slot) -> Self {
        Self { op: Op::Copy, into, from: [from, 0, 0], node, target: 0 }
    }

    /// Decides a conjunction by one conjunct, or a disjunction by one disjunct, if that is enough. The target is set
    /// when it is known.
    pub fn short_circuit(node: NodeId, is_and: bool, into: Slot, from: Slot) -> Self {
        let op = if is_and { Op::AndThen } else { Op::OrElse };
        Self { op, into, from: [from, 0, 0], node, target: 0 }
    }

    pub fn set_target(&mut self, target: usize) {
        self.target = target as u32;
    }
}

fn op_of(exprs: &Exprs, id: NodeId) -> Op {
    let node = exprs.node(id);
    if exprs.can_fault(id) {
        return Op::Careful;
    }
    let of = node.operands().next().map_or(Type::Bool, |operand| exprs.ty(operand));
    let is_word = matches!(of, Type::Word { .. });
    match node {
        ExprNode::Unary(Unary::Not, _) if of == Type::Bool => Op::Not,
        ExprNode::Binary(Binary::And, ..) => Op::And,
        ExprNode::Binary(Binary::Or, ..) => Op::Or,
        ExprNode::Binary(Binary::Xor, ..) => Op::Xor,
        ExprNode::Binary(Binary::Eq, ..) => Op::Eq,
        ExprNode::Binary(Binary::Lt, ..) if !is_word => Op::Lt,
        ExprNode::Binary(Binary::Le, ..) if !is_word => Op::Le,
        ExprNode::Binary(Binary::Add, ..) if !is_word => Op::Add,
        ExprNode::Binary(Binary::Sub, ..) if !is_word => Op::Sub,
        ExprNode::Ite(..) => Op::Ite,
        _ => Op::General,
    }
}

/// The values of a search, and the site of a missing one.
pub(super) struct Values {
    pub values: Vec<i64>,
    /// The site that a value is missing for, from 1.
    faults: Vec<u32>,
}

impl Values {
    pub fn new(values: Vec<i64>) -> Self {
        Self { faults: vec![FINE; values.len()], values }
    }

    /// The value, or the site that it is missing for.
    #[inline]
    pub fn get(&self, slot: Slot) -> Result<i64, SiteId> {
        match self.faults[slot as usize] {
            FINE => Ok(self.values[slot as usize]),
            site => Err(SiteId(site - 1)),
        }
    }

    /// Takes over variables of a state.
    #[inline]
    pub fn load(&mut self, inputs: &[(PackedField, Slot)], state: &[u64]) {
        for (field, slot) in inputs {
            self.values[*slot as usize] = field.get(state);
        }
    }

    /// Runs the code; the targets of jumps are counted from its beginning.
    pub fn run(&mut self, exprs: &Exprs, code: &[Instruction]) {
        let mut at = 0;
        while let Some(instruction) = code.get(at) {
            at += 1;
            let [a, b, c] = instruction.from;
            let value = |slot: Slot| self.values[slot as usize];
            let result = match instruction.op {
                Op::Not => value(a) ^ 1,
                Op::And => value(a) & value(b),
                Op::Or => value(a) | value(b),
                Op::Xor => value(a) ^ value(b),
                Op::Eq => i64::from(value(a) == value(b)),
                Op::Lt => i64::from(value(a) < value(b)),
                Op::Le => i64::from(value(a) <= value(b)),
                Op::Add => value(a) + value(b),
                Op::Sub => value(a) - value(b),
                Op::Ite => value(if value(a) != 0 { b } else { c }),
                Op::Copy => value(a),
                Op::AndThen | Op::OrElse => {
                    let decides = (value(a) == 0) == matches!(instruction.op, Op::AndThen);
                    if !decides {
                        continue;
                    }
                    at = instruction.target as usize;
                    value(a)
                }
                Op::General => general(exprs, instruction.node, [value(a), value(b), value(c)]),
                Op::Careful => {
                    self.run_carefully(exprs, instruction);
                    continue;
                }
            };
            self.values[instruction.into as usize] = result;
        }
    }

    #[cold]
    fn run_carefully(&mut self, exprs: &Exprs, instruction: &Instruction) {
        let into = instruction.into as usize;
        let operands = instruction.from.map(|slot| self.get(slot));
        match exprs.apply(instruction.node, operands) {
            Ok(value) => (self.values[into], self.faults[into]) = (value, FINE),
            Err(site) => self.faults[into] = site.0 + 1,
        }
    }
}

/// By the rules of the operators, for operands that are there.
fn general(exprs: &Exprs, id: NodeId, operands: [i64; 3]) -> i64 {
    // Nothing is missing, and so nothing gets lost.
    exprs.apply(id, operands.map(Ok)).unwrap_or_default()
}
