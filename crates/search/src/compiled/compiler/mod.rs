//! From expressions to code with jumps.
//!
//! A truth value that is asked for becomes jumps (short circuits); a value becomes a register. Of an `Ite`, only the
//! branch that is taken is computed. In each branch the compiler knows what holds there: conditions that follow from
//! it are left out. Chains that compare one value with many constants (elements of arrays, slots of channels) become
//! one jump by a table.

mod branches;
mod values;
mod writes;

use super::code::{Code, Instruction, Register, Target};
use rustc_hash::FxHashMap;
use transition::{
    Binary, ExprNode, Exprs, Machine, NodeId, PackedField, PackedLayout, Type, Unary, VarId,
};

/// Expressions that are nested more deeply than this are not compiled.
const MOST_DEPTH: u32 = 200;

/// Nor are steps of more instructions: what is computed in two branches has code in each.
const MOST_INSTRUCTIONS: usize = 1 << 16;

/// Something that is known on the way to the present instruction, and no longer when a branch is left.
enum Fact {
    Register(NodeId),
    Truth(NodeId),
    Value(NodeId),
}

/// The registers of expressions that blocks compute for all steps.
#[derive(Clone, Default)]
pub(super) struct SharedValues(pub FxHashMap<NodeId, (u32, Register)>);

/// A place in the code that jumps lead to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Label(Target);

pub(super) struct Compiler<'m> {
    machine: &'m Machine,
    layout: &'m PackedLayout,
    fields: FxHashMap<VarId, usize>,
    /// By variable, the expression that its next value is computed from.
    pub computed: FxHashMap<VarId, NodeId>,
    shared: &'m SharedValues,
    code: Code,
    /// By label, its place, once that is known.
    labels: Vec<Target>,
    /// The instruction that the last label stands before.
    bound: usize,
    registers: FxHashMap<NodeId, Register>,
    truths: FxHashMap<NodeId, bool>,
    values: FxHashMap<NodeId, i64>,
    facts: Vec<Fact>,
    next_register: Register,
    depth: u32,
    is_too_large: bool,
}

impl<'m> Compiler<'m> {
    /// A compiler whose code uses registers from this one on.
    pub fn new(
        machine: &'m Machine,
        layout: &'m PackedLayout,
        shared: &'m SharedValues,
        next_register: Register,
    ) -> Self {
        let numbers = layout.fields.iter().map(|field| field.var).zip(0..);
        Self {
            machine,
            layout,
            fields: numbers.collect(),
            computed: FxHashMap::default(),
            shared,
            code: Code::default(),
            labels: Vec::new(),
            bound: 0,
            registers: FxHashMap::default(),
            truths: FxHashMap::default(),
            values: FxHashMap::default(),
            facts: Vec::new(),
            next_register,
            depth: 0,
            is_too_large: false,
        }
    }

    /// The code, and the first register that it does not use; `None` if it would be too large.
    pub fn finish(mut self) -> Option<(Code, Register)> {
        if self.is_too_large {
            return None;
        }
        let place = |to: &mut Target| *to = self.labels[*to as usize];
        for instruction in &mut self.code.instructions {
            use Instruction::*;
            if let Jump { to }
            | JumpIf { to, .. }
            | JumpIfEq { to, .. }
            | JumpIfEqConst { to, .. }
            | JumpIfLess { to, .. }
            | JumpIfLessConst { to, .. }
            | JumpUnless { to, .. }
            | JumpWhere { to, .. } = instruction
            {
                place(to);
            }
        }
        self.code.targets.iter_mut().flatten().for_each(place);
        Some((self.code, self.next_register))
    }

    fn exprs(&self) -> &'m Exprs {
        &self.machine.exprs
    }

    pub fn emit(&mut self, instruction: Instruction) {
        if self.code.instructions.len() >= MOST_INSTRUCTIONS {
            self.is_too_large = true;
            return;
        }
        let is_joined = self.code.instructions.len() > self.bound
            && self.code.instructions.last_mut().is_some_and(|last| join(last, &instruction));
        if !is_joined {
            self.code.instructions.push(instruction);
        }
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(Target::MAX);
        Label(self.labels.len() as Target - 1)
    }

    /// Lets a label stand before the next instruction.
    pub fn bind(&mut self, label: Label) {
        self.bound = self.code.instructions.len();
        self.labels[label.0 as usize] = self.bound as Target;
    }

    fn jump(&mut self, label: Label) {
        self.emit(Instruction::Jump { to: label.0 });
    }

    fn new_register(&mut self) -> Register {
        match self.next_register.checked_add(1) {
            Some(next) => self.next_register = next,
            None => self.is_too_large = true,
        }
        self.next_register.wrapping_sub(1)
    }

    /// The facts up to now, for [`Compiler::forget`].
    pub fn mark(&self) -> usize {
        self.facts.len()
    }

    /// Forgets what was known since then: another branch begins.
    pub fn forget(&mut self, mark: usize) {
        for fact in self.facts.drain(mark..) {
            match fact {
                Fact::Register(node) => drop(self.registers.remove(&node)),
                Fact::Truth(node) => drop(self.truths.remove(&node)),
                Fact::Value(node) => drop(self.values.remove(&node)),
            }
        }
    }

    /// Lets an expression be in a register from here on.
    pub fn define(&mut self, node: NodeId, register: Register) {
        if self.registers.insert(node, register).is_none() {
            self.facts.push(Fact::Register(node));
        }
    }

    /// Takes a truth value for granted, and those that follow.
    pub fn assume(&mut self, node: NodeId, is: bool) {
        let mut open = vec![(node, is)];
        while let Some((node, is)) = open.pop() {
            if self.truth(node).is_some() || self.exprs().as_constant(node).is_some() {
                continue;
            }
            self.truths.insert(node, is);
            self.facts.push(Fact::Truth(node));
            match self.exprs().node(node) {
                ExprNode::Unary(Unary::Not, a) => open.push((a, !is)),
                ExprNode::Binary(Binary::And, a, b) if is => open.extend([(a, true), (b, true)]),
                ExprNode::Binary(Binary::Or, a, b) if !is => open.extend([(a, false), (b, false)]),
                ExprNode::Binary(Binary::Eq, a, b) if is => {
                    if let Some((of, value)) = self.compared(a, b) {
                        self.assume_value(of, value);
                    }
                }
                _ => {}
            }
        }
    }

    fn assume_value(&mut self, node: NodeId, value: i64) {
        if self.values.insert(node, value).is_none() {
            self.facts.push(Fact::Value(node));
        }
    }

    /// The expression that is compared with a constant.
    fn compared(&self, a: NodeId, b: NodeId) -> Option<(NodeId, i64)> {
        let constant = |node: NodeId| self.exprs().as_constant(node);
        match (constant(a), constant(b)) {
            (None, Some(value)) => Some((a, value)),
            (Some(value), None) => Some((b, value)),
            _ => None,
        }
    }

    /// The truth value, if it is known here.
    pub fn truth(&self, node: NodeId) -> Option<bool> {
        if let Some(&is) = self.truths.get(&node) {
            return Some(is);
        }
        match self.exprs().node(node) {
            ExprNode::Const(value) => Some(value != 0),
            ExprNode::Unary(Unary::Not, a) => self.truths.get(&a).map(|is| !is),
            ExprNode::Binary(Binary::Eq, a, b) => {
                let (of, value) = self.compared(a, b)?;
                self.values.get(&of).map(|&known| known == value)
            }
            _ => None,
        }
    }

    /// The value, if it is known here.
    fn constant(&self, node: NodeId) -> Option<i64> {
        let known = || self.values.get(&node).copied();
        let truth = || match self.exprs().ty(node) {
            Type::Bool => self.truth(node).map(i64::from),
            _ => None,
        };
        self.exprs().as_constant(node).or_else(known).or_else(truth)
    }

    /// The expression that has its value here: the branch that is taken, the definition of a next value.
    fn resolved(&self, mut node: NodeId) -> NodeId {
        loop {
            node = match self.exprs().node(node) {
                ExprNode::Next(var) => match self.computed.get(&var) {
                    Some(&value) => value,
                    None => return node,
                },
                ExprNode::Ite(condition, then, otherwise) => match self.truth(condition) {
                    Some(is) => {
                        if is {
                            then
                        } else {
                            otherwise
                        }
                    }
                    None => return node,
                },
                _ => return node,
            }
        }
    }

    fn field(&self, var: VarId) -> &'m PackedField {
        &self.layout.fields[self.fields[&var]]
    }

    /// The field and the number of its value that a condition asks for: a word, a mask and bits.
    fn test(&self, node: NodeId) -> Option<(u16, u64, u64)> {
        let (var, value) = match self.exprs().node(node) {
            ExprNode::Now(var) if self.exprs().ty(node) == Type::Bool => (var, 1),
            ExprNode::Binary(Binary::Eq, a, b) => {
                let (of, value) = self.compared(a, b)?;
                let ExprNode::Now(var) = self.exprs().node(of) else { return None };
                (var, value)
            }
            _ => return None,
        };
        let field = self.field(var);
        let number = field.number_of(value)?;
        let (word, shift, mask) = field.place();
        Some((word, mask << shift, number << shift))
    }

    /// Goes deeper into an expression; false if that is too deep.
    fn descend(&mut self) -> bool {
        self.depth += 1;
        self.is_too_large |= self.depth > MOST_DEPTH;
        !self.is_too_large
    }
}

/// Makes one instruction of two that follow each other, if they are alike.
fn join(last: &mut Instruction, next: &Instruction) -> bool {
    use Instruction::*;
    match (last, next) {
        (
            JumpUnless { word, to, mask, bits },
            JumpUnless { word: other, to: same, mask: more, bits: others },
        ) if *word == *other && *to == *same && *mask & *more == 0 => {
            (*mask, *bits) = (*mask | *more, *bits | *others);
            true
        }
        (StoreConst { word, mask, bits }, StoreConst { word: other, mask: more, bits: others })
            if *word == *other && *mask & *more == 0 =>
        {
            (*mask, *bits) = (*mask | *more, *bits | *others);
            true
        }
        _ => false,
    }
}
