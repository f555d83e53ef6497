//! From expressions to code with jumps.
//!
//! A truth value that is asked for becomes jumps (short circuits); a value becomes a register. Of an `Ite`, only the
//! branch that is taken is computed. In each branch the compiler knows what holds there: conditions that follow from
//! it are left out. Chains that compare one value with many constants (elements of arrays, slots of channels) become
//! one jump by a table.

use super::code::{Code, Instruction, Register, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use transition::{
    Binary, ExprNode, Exprs, Machine, NodeId, PackedField, PackedLayout, Type, Unary, VarId,
};

/// Expressions that are nested more deeply than this are not compiled.
const MOST_DEPTH: u32 = 200;

/// Nor are steps of more instructions: what is computed in two branches has code in each.
const MOST_INSTRUCTIONS: usize = 1 << 16;

/// A table has at most so many entries.
const MOST_ENTRIES: u64 = 1 << 12;

/// From so many cases on, a table is better than comparisons.
const FEWEST_CASES: usize = 3;

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

    /// Jumps to the label if the truth value is this one, and goes on if it is the other one.
    pub fn branch(&mut self, node: NodeId, is: bool, label: Label) {
        if self.descend() {
            self.branch_within(node, is, label);
        }
        self.depth -= 1;
    }

    fn branch_within(&mut self, node: NodeId, is: bool, label: Label) {
        let node = self.resolved(node);
        if let Some(known) = self.truth(node) {
            if known == is {
                self.jump(label);
            }
            return;
        }
        if let Some(a) = self.known_register(node) {
            return self.emit(Instruction::JumpIf { a, is, to: label.0 });
        }
        if let Some((word, mask, bits)) = self.test(node) {
            return self.emit(match is {
                true => Instruction::JumpWhere { word, to: label.0, mask, bits },
                false => Instruction::JumpUnless { word, to: label.0, mask, bits },
            });
        }
        let exprs = self.exprs();
        let is_word = |node: NodeId| matches!(exprs.ty(node), Type::Word { .. });
        match exprs.node(node) {
            ExprNode::Unary(Unary::Not, a) => self.branch(a, !is, label),
            ExprNode::Binary(op @ (Binary::And | Binary::Or), ..) => {
                self.branch_on_chain(node, op, is, label);
            }
            ExprNode::Ite(condition, then, otherwise) => {
                let (other, end) = (self.label(), self.label());
                let mark = self.mark();
                self.branch(condition, false, other);
                self.assume(condition, true);
                self.branch(then, is, label);
                self.jump(end);
                self.forget(mark);
                self.bind(other);
                self.assume(condition, false);
                self.branch(otherwise, is, label);
                self.forget(mark);
                self.bind(end);
            }
            ExprNode::Binary(Binary::Eq, a, b) => {
                let instruction = match (self.constant(a), self.constant(b)) {
                    (Some(value), _) => {
                        let a = self.value(b);
                        Instruction::JumpIfEqConst { a, value, is, to: label.0 }
                    }
                    (_, Some(value)) => {
                        let a = self.value(a);
                        Instruction::JumpIfEqConst { a, value, is, to: label.0 }
                    }
                    _ => {
                        let (a, b) = (self.value(a), self.value(b));
                        Instruction::JumpIfEq { a, b, is, to: label.0 }
                    }
                };
                self.emit(instruction);
            }
            ExprNode::Binary(Binary::Lt, a, b) if !is_word(a) => {
                self.branch_on_less(a, b, is, label);
            }
            ExprNode::Binary(Binary::Le, a, b) if !is_word(a) => {
                self.branch_on_less(b, a, !is, label);
            }
            _ => {
                let a = self.value(node);
                self.emit(Instruction::JumpIf { a, is, to: label.0 });
            }
        }
    }

    fn branch_on_less(&mut self, a: NodeId, b: NodeId, is: bool, label: Label) {
        let to = label.0;
        let instruction = match (self.constant(a), self.constant(b)) {
            (Some(value), _) => {
                // `value < b` is `!(b < value + 1)`.
                let (a, value) = (self.value(b), value.saturating_add(1));
                Instruction::JumpIfLessConst { a, value, is: !is, to }
            }
            (_, Some(value)) => Instruction::JumpIfLessConst { a: self.value(a), value, is, to },
            _ => Instruction::JumpIfLess { a: self.value(a), b: self.value(b), is, to },
        };
        self.emit(instruction);
    }

    /// Jumps to the label unless all of these hold.
    pub fn conjunction(&mut self, conjuncts: &[NodeId], label: Label) {
        let mut conjuncts = conjuncts.to_vec();
        self.sort(&mut conjuncts);
        for conjunct in conjuncts {
            self.branch(conjunct, false, label);
            self.assume(conjunct, true);
        }
    }

    /// Code that fails unless all of these hold.
    pub fn checked(mut self, conjuncts: &[NodeId]) -> Option<Code> {
        let fail = self.label();
        self.conjunction(conjuncts, fail);
        self.emit(Instruction::End);
        self.bind(fail);
        self.emit(Instruction::Fail);
        self.finish().map(|(code, _)| code)
    }

    /// Puts comparisons of fields with constants first: they are cheap, and those of one word become one.
    fn sort(&self, operands: &mut [NodeId]) {
        operands.sort_by_key(|&operand| match self.test(operand) {
            Some((word, ..)) => (false, word),
            None => (true, 0),
        });
    }

    /// A conjunction or a disjunction: operands are evaluated until one decides.
    fn branch_on_chain(&mut self, node: NodeId, op: Binary, is: bool, label: Label) {
        let mut operands = self.exprs().operands_of_chain(node, op);
        self.sort(&mut operands);
        let decisive = op == Binary::Or;
        if is == decisive {
            for operand in operands {
                self.branch(operand, decisive, label);
                self.assume(operand, !decisive);
            }
            return;
        }
        let Some(last) = operands.pop() else { return };
        let (mark, skip) = (self.mark(), self.label());
        for operand in operands {
            self.branch(operand, decisive, skip);
            self.assume(operand, !decisive);
        }
        self.branch(last, is, label);
        self.forget(mark);
        self.bind(skip);
    }

    /// The register of an expression that has been computed on the way here, or that a block computes.
    fn known_register(&mut self, node: NodeId) -> Option<Register> {
        if let Some(&register) = self.registers.get(&node) {
            return Some(register);
        }
        let &(block, register) = self.shared.0.get(&node)?;
        self.emit(Instruction::Shared { block });
        self.define(node, register);
        Some(register)
    }

    /// The register that has the value of an expression, with the code that computes it.
    pub fn value(&mut self, node: NodeId) -> Register {
        let mut register = 0;
        if self.descend() {
            let node = self.resolved(node);
            register = match self.known_register(node) {
                Some(register) => register,
                None => {
                    let register = self.computed_value(node);
                    self.define(node, register);
                    register
                }
            };
        }
        self.depth -= 1;
        register
    }

    fn computed_value(&mut self, node: NodeId) -> Register {
        if let Some(value) = self.constant(node) {
            let into = self.new_register();
            self.emit(Instruction::Const { into, value });
            return into;
        }
        let exprs = self.exprs();
        let operand_is_word = |a: NodeId| matches!(exprs.ty(a), Type::Word { .. });
        match exprs.node(node) {
            ExprNode::Now(var) => self.loaded(var),
            ExprNode::Ite(..) => self.selected(node),
            _ if self.has_jumps(node) => {
                let into = self.new_register();
                self.truth_into(node, into);
                into
            }
            ExprNode::Cast(a) => {
                let a = self.value(a);
                match exprs.ty(node) {
                    Type::Word { signed: false, width } => {
                        let (into, mask) =
                            (self.new_register(), u64::MAX >> (64 - width.clamp(1, 64)));
                        self.emit(Instruction::Mask { into, a, mask });
                        into
                    }
                    Type::Word { signed: true, width } => {
                        let (into, unused) = (self.new_register(), 64 - width);
                        self.emit(Instruction::Extend { into, a, unused });
                        into
                    }
                    Type::Bool => {
                        let into = self.new_register();
                        self.emit(Instruction::Mask { into, a, mask: 1 });
                        into
                    }
                    _ => a,
                }
            }
            ExprNode::Binary(Binary::Add, a, b) if !operand_is_word(a) => {
                let (a, b) = if self.constant(a).is_some() { (b, a) } else { (a, b) };
                let (value, a) = (self.constant(b), self.value(a));
                let b = value.is_none().then(|| self.value(b));
                let into = self.new_register();
                self.emit(match (value, b) {
                    (_, Some(b)) => Instruction::Add { into, a, b },
                    (value, None) => {
                        Instruction::AddConst { into, a, value: value.unwrap_or_default() }
                    }
                });
                into
            }
            ExprNode::Binary(Binary::Sub, a, b) if !operand_is_word(a) => {
                let (a, b) = (self.value(a), self.value(b));
                let into = self.new_register();
                self.emit(Instruction::Sub { into, a, b });
                into
            }
            ExprNode::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let into = self.new_register();
                self.emit(match op {
                    Binary::And => Instruction::And { into, a, b },
                    _ => Instruction::Or { into, a, b },
                });
                into
            }
            other => {
                let mut from = [0; 3];
                for (place, operand) in from.iter_mut().zip(other.operands()) {
                    *place = self.value(operand);
                }
                let into = self.new_register();
                self.emit(Instruction::General { into, node, from });
                into
            }
        }
    }

    /// Whether a truth value is best computed by jumps.
    fn has_jumps(&self, node: NodeId) -> bool {
        let exprs = self.exprs();
        exprs.ty(node) == Type::Bool
            && match exprs.node(node) {
                ExprNode::Unary(Unary::Not, _)
                | ExprNode::Binary(Binary::And | Binary::Or | Binary::Eq, ..) => true,
                ExprNode::Binary(Binary::Lt | Binary::Le, a, _) => {
                    !matches!(exprs.ty(a), Type::Word { .. })
                }
                _ => false,
            }
    }

    fn loaded(&mut self, var: VarId) -> Register {
        let (into, field) = (self.new_register(), self.field(var));
        let (word, shift, mask) = field.place();
        self.emit(match field.offset() {
            Some(low) => Instruction::Load { into, word, shift, mask, low },
            None => Instruction::LoadField { into, field: self.fields[&var] as u32 },
        });
        into
    }

    /// Sets a register to a truth value.
    pub fn truth_into(&mut self, node: NodeId, into: Register) {
        let (mark, other, end) = (self.mark(), self.label(), self.label());
        self.branch(node, false, other);
        self.emit(Instruction::Const { into, value: 1 });
        self.jump(end);
        self.forget(mark);
        self.bind(other);
        self.emit(Instruction::Const { into, value: 0 });
        self.bind(end);
    }

    /// Sets a register to the value of an expression.
    fn value_into(&mut self, node: NodeId, into: Register) {
        let node = self.resolved(node);
        match self.constant(node) {
            Some(value) => self.emit(Instruction::Const { into, value }),
            None => {
                let from = self.value(node);
                self.emit(Instruction::Copy { into, from });
            }
        }
    }

    /// The value of an `Ite`.
    fn selected(&mut self, node: NodeId) -> Register {
        let Some(cases) = self.cases(node) else {
            let ExprNode::Ite(condition, then, otherwise) = self.exprs().node(node) else {
                return 0;
            };
            let into = self.new_register();
            let (mark, other, end) = (self.mark(), self.label(), self.label());
            self.branch(condition, false, other);
            self.assume(condition, true);
            self.value_into(then, into);
            self.jump(end);
            self.forget(mark);
            self.bind(other);
            self.assume(condition, false);
            self.value_into(otherwise, into);
            self.forget(mark);
            self.bind(end);
            return into;
        };
        let at = self.value(cases.of);
        let into = self.new_register();
        if let Some((low, values, otherwise)) = self.constants(&cases) {
            let table = self.code.values.len() as u32;
            self.code.values.push(values);
            self.emit(Instruction::Lookup { into, at, low, table, otherwise });
            return into;
        }
        let keys: Vec<i64> = cases.cases.iter().map(|&(key, _)| key).collect();
        let ends: Vec<NodeId> = cases.cases.iter().map(|&(_, value)| value).collect();
        self.switch(cases.of, at, &keys, |this, case| {
            let value = case.map_or(cases.otherwise, |case| ends[case]);
            this.value_into(value, into);
        });
        into
    }

    /// A table of constants, if all cases are constants.
    fn constants(&self, cases: &Cases) -> Option<(i64, Vec<i64>, i64)> {
        let otherwise = self.constant(cases.otherwise)?;
        let low = cases.cases.iter().map(|&(key, _)| key).min()?;
        let high = cases.cases.iter().map(|&(key, _)| key).max()?;
        let mut values = vec![otherwise; high.abs_diff(low) as usize + 1];
        for &(key, value) in &cases.cases {
            values[(key - low) as usize] = self.constant(value)?;
        }
        Some((low, values, otherwise))
    }

    /// Code by the value of an expression: for each key, and for all other values.
    fn switch(
        &mut self,
        of: NodeId,
        at: Register,
        keys: &[i64],
        mut case: impl FnMut(&mut Self, Option<usize>),
    ) {
        let low = keys.iter().copied().min().unwrap_or(0);
        let high = keys.iter().copied().max().unwrap_or(0);
        let (end, otherwise) = (self.label(), self.label());
        let mut targets = vec![otherwise.0; high.abs_diff(low) as usize + 2];
        let labels: Vec<Label> = keys.iter().map(|_| self.label()).collect();
        for (&key, label) in keys.iter().zip(&labels) {
            targets[(key - low) as usize] = label.0;
        }
        let table = self.code.targets.len() as u32;
        self.code.targets.push(targets);
        self.emit(Instruction::Switch { at, low, table });
        for (number, label) in labels.into_iter().enumerate() {
            let mark = self.mark();
            self.bind(label);
            self.assume_value(of, keys[number]);
            case(self, Some(number));
            self.jump(end);
            self.forget(mark);
        }
        let mark = self.mark();
        self.bind(otherwise);
        case(self, None);
        self.forget(mark);
        self.bind(end);
    }

    /// The cases of a chain of `Ite` that compares one value with constants, if there are enough for a table.
    fn cases(&self, root: NodeId) -> Option<Cases> {
        let mut found: Option<Cases> = None;
        let mut node = root;
        let mut keys = FxHashSet::default();
        while let ExprNode::Ite(condition, then, otherwise) = self.exprs().node(node)
            && let Some((of, key)) = self.key(condition)
            && found.as_ref().is_none_or(|cases| cases.of == of)
        {
            let cases = found.get_or_insert(Cases { of, cases: Vec::new(), otherwise });
            if keys.insert(key) {
                cases.cases.push((key, then));
            }
            cases.otherwise = otherwise;
            node = self.resolved(otherwise);
            cases.otherwise = node;
        }
        found.filter(|cases| is_dense(cases.cases.iter().map(|&(key, _)| key)))
    }

    /// The expression, which is no variable of one bit, and the constant that a condition compares it with.
    fn key(&self, condition: NodeId) -> Option<(NodeId, i64)> {
        let ExprNode::Binary(Binary::Eq, a, b) = self.exprs().node(condition) else { return None };
        self.compared(a, b).filter(|(of, _)| self.exprs().ty(*of) != Type::Bool)
    }

    /// Code that stores values in the new state, which is a copy of the old one so far.
    pub fn writes(&mut self, writes: Vec<(VarId, NodeId)>) {
        if self.descend() {
            self.writes_within(writes);
        }
        self.depth -= 1;
    }

    fn writes_within(&mut self, writes: Vec<(VarId, NodeId)>) {
        let exprs = self.exprs();
        let mut open: Vec<(VarId, NodeId)> = writes
            .into_iter()
            .map(|(var, node)| (var, self.resolved(node)))
            .filter(|&(var, node)| exprs.node(node) != ExprNode::Now(var))
            .collect();
        while let Some(&(_, first)) =
            open.iter().find(|(_, node)| matches!(exprs.node(*node), ExprNode::Ite(..)))
        {
            let ExprNode::Ite(condition, ..) = exprs.node(first) else { return };
            let condition_of = |node: NodeId| match exprs.node(node) {
                ExprNode::Ite(condition, ..) => Some(condition),
                _ => None,
            };
            if let Some((of, _)) = self.key(condition)
                && let Some(keys) = self.keys_of(of, &open)
            {
                let is_by = |write: &mut (VarId, NodeId)| {
                    condition_of(write.1).and_then(|c| self.key(c)).is_some_and(|(o, _)| o == of)
                };
                let group: Vec<(VarId, NodeId)> = open.extract_if(.., is_by).collect();
                let at = self.value(of);
                let conditions: Vec<NodeId> =
                    group.iter().filter_map(|&(_, node)| condition_of(node)).collect();
                self.switch(of, at, &keys, |this, case| {
                    if case.is_none() {
                        conditions.iter().for_each(|&condition| this.assume(condition, false));
                    }
                    this.writes(group.clone());
                });
                continue;
            }
            let is_by = |write: &mut (VarId, NodeId)| condition_of(write.1) == Some(condition);
            let group: Vec<(VarId, NodeId)> = open.extract_if(.., is_by).collect();
            let (mark, other, end) = (self.mark(), self.label(), self.label());
            self.branch(condition, false, other);
            self.assume(condition, true);
            self.writes(group.clone());
            self.jump(end);
            self.forget(mark);
            self.bind(other);
            self.assume(condition, false);
            self.writes(group);
            self.forget(mark);
            self.bind(end);
        }
        for (var, node) in open {
            self.store(var, node);
        }
    }

    /// The constants that the outermost conditions of writes compare an expression with, if they are enough for a
    /// table.
    fn keys_of(&self, of: NodeId, writes: &[(VarId, NodeId)]) -> Option<Vec<i64>> {
        let mut keys: Vec<i64> = Vec::new();
        for &(_, node) in writes {
            let mut node = node;
            while let ExprNode::Ite(condition, _, otherwise) = self.exprs().node(node)
                && let Some((other, key)) = self.key(condition)
                && other == of
            {
                keys.push(key);
                node = otherwise;
            }
        }
        keys.sort_unstable();
        keys.dedup();
        is_dense(keys.iter().copied()).then_some(keys)
    }

    fn store(&mut self, var: VarId, node: NodeId) {
        let field = self.field(var);
        let (word, shift, mask) = field.place();
        if let Some(value) = self.constant(node) {
            match field.number_of(value) {
                Some(number) => self.emit(Instruction::StoreConst {
                    word,
                    mask: mask << shift,
                    bits: number << shift,
                }),
                None => self.is_too_large = true,
            }
            return;
        }
        if let ExprNode::Now(other) = self.exprs().node(node)
            && self.fields.contains_key(&other)
            && !self.registers.contains_key(&node)
            && self.field(other).has_numbers_of(field)
        {
            let (from_word, from_shift, _) = self.field(other).place();
            return self.emit(Instruction::Move {
                word: from_word,
                shift: from_shift,
                to_word: word,
                to_shift: shift,
                mask,
            });
        }
        let from = self.value(node);
        self.emit(match field.offset() {
            Some(low) => Instruction::Store { from, word, shift, mask, low },
            None => Instruction::StoreField { from, field: self.fields[&var] as u32 },
        });
    }
}

/// A value by the constants that another one is compared with.
struct Cases {
    of: NodeId,
    /// The constants, each once, with the values.
    cases: Vec<(i64, NodeId)>,
    otherwise: NodeId,
}

/// Whether a table by these keys pays.
fn is_dense(keys: impl Iterator<Item = i64>) -> bool {
    let (mut count, mut low, mut high) = (0, i64::MAX, i64::MIN);
    for key in keys {
        (count, low, high) = (count + 1, low.min(key), high.max(key));
    }
    count >= FEWEST_CASES && high.abs_diff(low) < MOST_ENTRIES.min(8 * count as u64)
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
