//! Syntactic implication: a sufficient condition for `a -> b` to hold at every position of every word.
//!
//! The rules are those of Somenzi and Bloem ("Efficient Büchi automata from LTL formulae", CAV 2000), with pure
//! eventualities and purely universal formulas as in Spot (Duret-Lutz, "LTL translation improvements in Spot 1.0",
//! IJCCBS 2014), and the same for the past.

use crate::formula::{FALSE, LtlArena, LtlId, LtlNode, TRUE};

impl LtlArena {
    /// Whether `a` implies `b`, as far as the rules see.
    pub fn implies(&mut self, a: LtlId, b: LtlId) -> bool {
        if a == b || a == FALSE || b == TRUE {
            return true;
        }
        if a == TRUE || b == FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        // Every rule goes to operands: the recursion ends.
        let result =
            self.implies_by_right(a, b) || self.implies_by_left(a, b) || self.implies_by_both(a, b);
        self.implications.insert((a, b), result);
        result
    }

    fn implies_by_right(&mut self, a: LtlId, b: LtlId) -> bool {
        match self.nodes[b].clone() {
            LtlNode::And(all) => all.iter().all(|&b| self.implies(a, b)),
            LtlNode::Or(all) => all.iter().any(|&b| self.implies(a, b)),
            LtlNode::Next(b) => self.facts[a].is_universal && self.implies(a, b),
            LtlNode::Until(_, d) | LtlNode::Since(_, d) => self.implies(a, d),
            LtlNode::Release(c, d) => {
                self.implies(a, d) && (self.facts[a].is_universal || self.implies(a, c))
            }
            LtlNode::Triggered(c, d) => {
                self.implies(a, d) && (self.facts[a].is_eventual || self.implies(a, c))
            }
            LtlNode::Previous { operand, at_start: true } => {
                self.facts[a].is_eventual && self.implies(a, operand)
            }
            _ => false,
        }
    }

    fn implies_by_left(&mut self, a: LtlId, b: LtlId) -> bool {
        match self.nodes[a].clone() {
            LtlNode::Or(all) => all.iter().all(|&a| self.implies(a, b)),
            LtlNode::And(all) => all.iter().any(|&a| self.implies(a, b)),
            LtlNode::Next(a) => self.facts[b].is_eventual && self.implies(a, b),
            LtlNode::Until(x, y) => {
                self.implies(y, b) && (self.facts[b].is_eventual || self.implies(x, b))
            }
            LtlNode::Since(x, y) => {
                self.implies(y, b) && (self.facts[b].is_universal || self.implies(x, b))
            }
            LtlNode::Release(_, y) | LtlNode::Triggered(_, y) => self.implies(y, b),
            LtlNode::Previous { operand, at_start: false } => {
                self.facts[b].is_universal && self.implies(operand, b)
            }
            _ => false,
        }
    }

    fn implies_by_both(&mut self, a: LtlId, b: LtlId) -> bool {
        match (self.nodes[a].clone(), self.nodes[b].clone()) {
            (LtlNode::Next(a), LtlNode::Next(b)) => self.implies(a, b),
            (
                LtlNode::Previous { operand: a, at_start: first },
                LtlNode::Previous { operand: b, at_start: second },
            ) => first <= second && self.implies(a, b),
            (LtlNode::Until(x, y), LtlNode::Until(c, d))
            | (LtlNode::Release(x, y), LtlNode::Release(c, d))
            | (LtlNode::Since(x, y), LtlNode::Since(c, d))
            | (LtlNode::Triggered(x, y), LtlNode::Triggered(c, d)) => {
                self.implies(x, c) && self.implies(y, d)
            }
            _ => false,
        }
    }
}
