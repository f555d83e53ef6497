//! Truth values as jumps.

use super::super::code::{Code, Instruction};
use super::{Compiler, Label};
use transition::{Binary, ExprNode, NodeId, Type, Unary};

impl Compiler<'_> {
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
}
