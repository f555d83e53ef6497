//! Values in registers, and tables in the place of chains of comparisons.

use super::super::code::{Instruction, Register};
use super::{Compiler, Label};
use rustc_hash::FxHashSet;
use transition::{Binary, ExprNode, NodeId, Type, Unary, VarId};

/// A table has at most so many entries.
const MOST_ENTRIES: u64 = 1 << 12;

/// From so many cases on, a table is better than comparisons.
const FEWEST_CASES: usize = 3;

impl Compiler<'_> {
    /// The register of an expression that has been computed on the way here, or that a block computes.
    pub(super) fn known_register(&mut self, node: NodeId) -> Option<Register> {
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
    pub(super) fn switch(
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
    pub(super) fn key(&self, condition: NodeId) -> Option<(NodeId, i64)> {
        let ExprNode::Binary(Binary::Eq, a, b) = self.exprs().node(condition) else { return None };
        self.compared(a, b).filter(|(of, _)| self.exprs().ty(*of) != Type::Bool)
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
pub(super) fn is_dense(keys: impl Iterator<Item = i64>) -> bool {
    let (mut count, mut low, mut high) = (0, i64::MAX, i64::MIN);
    for key in keys {
        (count, low, high) = (count + 1, low.min(key), high.max(key));
    }
    count >= FEWEST_CASES && high.abs_diff(low) < MOST_ENTRIES.min(8 * count as u64)
}
