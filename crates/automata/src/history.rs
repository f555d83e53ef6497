//! Past operators by history variables.
//!
//! The formula is rewritten to one of the future over more atoms. Each past subformula `P` gets a history variable, a
//! fresh atom `y` that claims at a position that `P` held at the previous one:
//!
//! - `a S b` becomes `b | (a & y)`, `a T b` becomes `b & (a | y)`, `Y a` and `Z a` become `y`; call the result `P'`,
//!   and for `Y a`, `Z a` let `P'` be `a`;
//! - `G (X !y | P')` is added: what is claimed was so;
//! - `!y` is added where nothing held before the first position, that is for `S` and `Y`.
//!
//! A word satisfies the formula iff there are values of the history variables with which the word satisfies the new
//! one. Given a word, the values that the past subformulas really had satisfy the additions. The other way round,
//! claims that satisfy the additions are right, by induction on the nesting of past operators and then on the position;
//! and the new formula is monotone in the claims, which it uses without negation. So the claims need no equivalence,
//! and the translation, which prefers the weaker obligation, keeps the true ones by itself. Afterwards
//! [`BuchiAutomaton::forget`](crate::BuchiAutomaton) removes the fresh atoms from the labels. Gastin and Oddoux ("LTL
//! with past and two-way very-weak alternating automata", MFCS 2003) do the same within their alternating automaton.

use crate::formula::{LtlArena, LtlId, LtlNode};
use rustc_hash::FxHashMap;

/// A formula without past operators, over more atoms.
pub(crate) struct WithHistory {
    pub formula: LtlId,
    /// The fresh atoms are numbered from the first that the formula does not have.
    pub fresh: std::ops::Range<u32>,
}

pub(crate) fn without_past(arena: &mut LtlArena, formula: LtlId, first_fresh: u32) -> WithHistory {
    let mut rewriting =
        Rewriting { arena, done: FxHashMap::default(), claims: Vec::new(), next: first_fresh };
    let rewritten = rewriting.rewrite(formula);
    let Rewriting { mut claims, next, .. } = rewriting;
    claims.push(rewritten);
    WithHistory { formula: arena.and(claims), fresh: first_fresh..next }
}

struct Rewriting<'a> {
    arena: &'a mut LtlArena,
    done: FxHashMap<LtlId, LtlId>,
    claims: Vec<LtlId>,
    next: u32,
}

impl Rewriting<'_> {
    fn rewrite(&mut self, formula: LtlId) -> LtlId {
        if !self.arena.has_past(formula) {
            return formula;
        }
        if let Some(&done) = self.done.get(&formula) {
            return done;
        }
        let result = match self.arena.node(formula).clone() {
            LtlNode::Const(_) | LtlNode::Literal { .. } => formula,
            LtlNode::And(all) => {
                let all: Vec<LtlId> = all.iter().map(|&a| self.rewrite(a)).collect();
                self.arena.and(all)
            }
            LtlNode::Or(all) => {
                let all: Vec<LtlId> = all.iter().map(|&a| self.rewrite(a)).collect();
                self.arena.or(all)
            }
            LtlNode::Next(a) => {
                let a = self.rewrite(a);
                self.arena.next(a)
            }
            LtlNode::Until(a, b) => {
                let (a, b) = (self.rewrite(a), self.rewrite(b));
                self.arena.until(a, b)
            }
            LtlNode::Release(a, b) => {
                let (a, b) = (self.rewrite(a), self.rewrite(b));
                self.arena.release(a, b)
            }
            LtlNode::Previous { operand, at_start } => {
                let operand = self.rewrite(operand);
                let claim = self.claim(at_start);
                self.justify(claim, operand);
                claim
            }
            LtlNode::Since(a, b) => {
                let (a, b) = (self.rewrite(a), self.rewrite(b));
                let claim = self.claim(false);
                let goes_on = self.arena.and([a, claim]);
                let now = self.arena.or([b, goes_on]);
                self.justify(claim, now);
                now
            }
            LtlNode::Triggered(a, b) => {
                let (a, b) = (self.rewrite(a), self.rewrite(b));
                let claim = self.claim(true);
                let released = self.arena.or([a, claim]);
                let now = self.arena.and([b, released]);
                self.justify(claim, now);
                now
            }
        };
        self.done.insert(formula, result);
        result
    }

    /// A fresh history variable, with its value in the first state.
    fn claim(&mut self, at_start: bool) -> LtlId {
        let claim = self.arena.literal(self.next, true);
        self.next += 1;
        if !at_start {
            let denied = self.arena.not(claim);
            self.claims.push(denied);
        }
        claim
    }

    fn justify(&mut self, claim: LtlId, held: LtlId) {
        let denied = self.arena.not(claim);
        let later = self.arena.next(denied);
        let justified = self.arena.or([later, held]);
        let always = self.arena.globally(justified);
        self.claims.push(always);
    }
}
