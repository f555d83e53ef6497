//! The fields that a command changes, by the conditions under which they change.

use super::super::code::Instruction;
use super::Compiler;
use super::values::is_dense;
use transition::{ExprNode, NodeId, VarId};

impl Compiler<'_> {
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
