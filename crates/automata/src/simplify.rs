//! Constructors that simplify.
//!
//! The rules are those of Etessami and Holzmann ("Optimizing Büchi automata", CONCUR 2000), Somenzi and Bloem (CAV
//! 2000) and, for formulas that hold everywhere or nowhere on a word, Babiak et al. ("LTL to Büchi automata
//! translation: fast and more deterministic", TACAS 2012). They are written for conjunction, `X`, `U`, `Y` and `S`;
//! the dual operators go through the negation, so every rule has its dual.
//!
//! A formula that is both a pure eventuality and purely universal, such as `G F a`, is called *suspendable*: it has the
//! same value at all positions of a word, and moves out of the temporal operators.

use crate::formula::{FALSE, LtlArena, LtlId, LtlNode, TRUE};

impl LtlArena {
    pub fn constant(&self, value: bool) -> LtlId {
        if value { TRUE } else { FALSE }
    }

    pub fn literal(&mut self, atom: u32, is_positive: bool) -> LtlId {
        self.intern(LtlNode::Literal { atom, is_positive })
    }

    pub fn or(&mut self, all: impl IntoIterator<Item = LtlId>) -> LtlId {
        let negated: Vec<LtlId> = all.into_iter().map(|a| self.not(a)).collect();
        let dual = self.and(negated);
        self.not(dual)
    }

    pub fn release(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let (a, b) = (self.not(a), self.not(b));
        let dual = self.until(a, b);
        self.not(dual)
    }

    pub fn triggered(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let (a, b) = (self.not(a), self.not(b));
        let dual = self.since(a, b);
        self.not(dual)
    }

    pub fn finally(&mut self, a: LtlId) -> LtlId {
        self.until(TRUE, a)
    }

    pub fn globally(&mut self, a: LtlId) -> LtlId {
        self.release(FALSE, a)
    }

    pub fn weak_until(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let either = self.or([a, b]);
        self.release(b, either)
    }

    pub fn and(&mut self, all: impl IntoIterator<Item = LtlId>) -> LtlId {
        let mut operands: Vec<LtlId> = Vec::new();
        for a in all {
            match &self.nodes[a] {
                LtlNode::And(inner) => operands.extend_from_slice(inner),
                _ => operands.push(a),
            }
        }
        loop {
            operands.sort_unstable();
            operands.dedup();
            self.remove_implied(&mut operands);
            if self.are_contradictory(&operands) {
                return FALSE;
            }
            let Some((first, second, merged)) = self.mergeable(&operands) else { break };
            operands.retain(|&a| a != first && a != second);
            match &self.nodes[merged] {
                LtlNode::And(inner) => operands.extend_from_slice(inner),
                _ => operands.push(merged),
            }
        }
        match operands[..] {
            [] => TRUE,
            [only] => only,
            _ => self.intern(LtlNode::And(operands.into())),
        }
    }

    /// Keeps one of several equivalent operands.
    fn remove_implied(&mut self, operands: &mut Vec<LtlId>) {
        let mut place = 0;
        while place < operands.len() {
            let candidate = operands[place];
            let is_implied = (0..operands.len())
                .any(|other| other != place && self.implies(operands[other], candidate));
            if is_implied {
                operands.remove(place);
            } else {
                place += 1;
            }
        }
        operands.retain(|&a| a != TRUE);
    }

    fn are_contradictory(&mut self, operands: &[LtlId]) -> bool {
        operands.contains(&FALSE)
            || operands.iter().enumerate().any(|(place, &a)| {
                operands[place + 1..].iter().any(|&b| {
                    let not_b = self.not(b);
                    self.implies(a, not_b)
                })
            })
    }

    /// Finds two operands of a conjunction that are one formula together.
    fn mergeable(&mut self, operands: &[LtlId]) -> Option<(LtlId, LtlId, LtlId)> {
        for (place, &first) in operands.iter().enumerate() {
            for &second in &operands[place + 1..] {
                let merged = match (self.nodes[first].clone(), self.nodes[second].clone()) {
                    (LtlNode::Next(a), LtlNode::Next(b)) => {
                        let both = self.and([a, b]);
                        Some(self.next(both))
                    }
                    (LtlNode::Until(a, b), LtlNode::Until(c, d)) if b == d => {
                        let both = self.and([a, c]);
                        Some(self.until(both, b))
                    }
                    // Suspendable ones stay apart: they were split off.
                    (LtlNode::Release(a, b), LtlNode::Release(c, d))
                        if a == c
                            && !self.is_suspendable(first)
                            && !self.is_suspendable(second) =>
                    {
                        let both = self.and([b, d]);
                        Some(self.release(a, both))
                    }
                    // F G a & F G b
                    (LtlNode::Until(TRUE, b), LtlNode::Until(TRUE, d))
                        if self.facts[b].is_universal && self.facts[d].is_universal =>
                    {
                        let both = self.and([b, d]);
                        Some(self.finally(both))
                    }
                    // a & X G a
                    (LtlNode::Next(later), _) if self.is_globally(later, second) => Some(later),
                    (_, LtlNode::Next(later)) if self.is_globally(later, first) => Some(later),
                    _ => None,
                };
                if let Some(merged) = merged {
                    return Some((first, second, merged));
                }
            }
        }
        None
    }

    fn is_globally(&self, later: LtlId, now: LtlId) -> bool {
        matches!(self.nodes[later], LtlNode::Release(FALSE, a) if a == now)
    }

    pub(crate) fn is_suspendable(&self, a: LtlId) -> bool {
        self.facts[a].is_eventual && self.facts[a].is_universal
    }

    /// The operands of a conjunction or disjunction that are suspendable, and the others.
    fn suspendable_operands(&self, all: &[LtlId]) -> Option<(Vec<LtlId>, Vec<LtlId>)> {
        let (suspendable, others): (Vec<LtlId>, Vec<LtlId>) =
            all.iter().partition(|&&a| self.is_suspendable(a));
        (!suspendable.is_empty()).then_some((suspendable, others))
    }

    pub fn next(&mut self, a: LtlId) -> LtlId {
        if self.is_suspendable(a) {
            return a;
        }
        match self.nodes[a].clone() {
            LtlNode::And(all) => {
                if let Some((mut suspendable, others)) = self.suspendable_operands(&all) {
                    let others = self.and(others);
                    suspendable.push(self.next(others));
                    return self.and(suspendable);
                }
            }
            LtlNode::Or(all) => {
                if let Some((mut suspendable, others)) = self.suspendable_operands(&all) {
                    let others = self.or(others);
                    suspendable.push(self.next(others));
                    return self.or(suspendable);
                }
            }
            _ => {}
        }
        self.intern(LtlNode::Next(a))
    }

    pub fn until(&mut self, a: LtlId, b: LtlId) -> LtlId {
        if a == FALSE || self.facts[b].is_eventual || self.implies(a, b) {
            return b;
        }
        let not_b = self.not(b);
        if a != TRUE && self.implies(not_b, a) {
            return self.until(TRUE, b);
        }
        match (self.nodes[a].clone(), self.nodes[b].clone()) {
            (LtlNode::Next(a), LtlNode::Next(b)) => {
                let until = self.until(a, b);
                return self.next(until);
            }
            (LtlNode::Const(true), LtlNode::Next(b)) => {
                let until = self.until(TRUE, b);
                return self.next(until);
            }
            // F (c U d)
            (LtlNode::Const(true), LtlNode::Until(_, d)) => return self.until(TRUE, d),
            // a U (c U d) with a => c
            (_, LtlNode::Until(c, _)) if self.implies(a, c) => return b,
            // (c U b) U b
            (LtlNode::Until(_, d), _) if d == b => return a,
            // a U (c & q), a U (c | q)
            (_, LtlNode::And(all)) => {
                if let Some((mut suspendable, others)) = self.suspendable_operands(&all) {
                    let others = self.and(others);
                    suspendable.push(self.until(a, others));
                    return self.and(suspendable);
                }
            }
            (_, LtlNode::Or(all)) => {
                if let Some((mut suspendable, others)) = self.suspendable_operands(&all) {
                    let others = self.or(others);
                    suspendable.push(self.until(a, others));
                    return self.or(suspendable);
                }
            }
            _ => {}
        }
        if a == TRUE
            && let Some(split) = self.split_finally(b)
        {
            return split;
        }
        // (c | d) U b with d => b
        if let LtlNode::Or(all) = self.nodes[a].clone() {
            let needed: Vec<LtlId> = all.iter().copied().filter(|&c| !self.implies(c, b)).collect();
            if needed.len() < all.len() {
                let needed = self.or(needed);
                return self.until(needed, b);
            }
        }
        self.intern(LtlNode::Until(a, b))
    }

    /// `F (c | u) = F c | F u` and `F G (c | u) = F G c | F G u` for purely universal `u`.
    fn split_finally(&mut self, b: LtlId) -> Option<LtlId> {
        let (inner, is_globally) = match self.nodes[b] {
            LtlNode::Release(FALSE, inner) => (inner, true),
            _ => (b, false),
        };
        let LtlNode::Or(all) = self.nodes[inner].clone() else { return None };
        let (universal, others): (Vec<LtlId>, Vec<LtlId>) =
            all.iter().partition(|&&a| self.facts[a].is_universal);
        if universal.is_empty() || others.is_empty() {
            return None;
        }
        let mut parts: Vec<LtlId> = universal.iter().map(|&a| self.finally(a)).collect();
        let others = self.or(others);
        let others = if is_globally { self.globally(others) } else { others };
        parts.push(self.finally(others));
        Some(self.or(parts))
    }

    /// `Y a`: there is a previous state, and `a` holds in it.
    pub fn yesterday(&mut self, a: LtlId) -> LtlId {
        if a == FALSE {
            return FALSE;
        }
        self.intern(LtlNode::Previous { operand: a, at_start: false })
    }

    /// `Z a`: if there is a previous state, `a` holds in it.
    pub fn weak_yesterday(&mut self, a: LtlId) -> LtlId {
        let negated = self.not(a);
        let dual = self.yesterday(negated);
        self.not(dual)
    }

    pub fn since(&mut self, a: LtlId, b: LtlId) -> LtlId {
        // A formula that holds at all later positions holds now if it held before.
        if a == FALSE || self.facts[b].is_universal || self.implies(a, b) {
            return b;
        }
        self.intern(LtlNode::Since(a, b))
    }

    pub fn once(&mut self, a: LtlId) -> LtlId {
        self.since(TRUE, a)
    }

    pub fn historically(&mut self, a: LtlId) -> LtlId {
        self.triggered(FALSE, a)
    }
}
