//! Formulas of LTL with past, in negation normal form: one arena in which equal formulas have one id.
//!
//! `F a` is `true U a`, `G a` is `false R a`, `O a` is `true S a`, `H a` is `false T a`; `a W b` is `b R (a | b)`. The
//! constructors simplify (see `simplify.rs`), so the arena holds simplified formulas only. Every rule is about atoms
//! that are independent of each other: where `p` and `!p` are to be kept apart, as they are on partial models, they are
//! given as two atoms.

use rustc_hash::FxHashMap;
use std::fmt;
use support::{IdVec, define_id};

define_id!(
    /// A formula of an [`LtlArena`].
    LtlId,
    "f"
);

/// The operator and the operands of a formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LtlNode {
    Const(bool),
    Literal {
        atom: u32,
        is_positive: bool,
    },
    /// At least two operands, sorted, none of them an `And`.
    And(Box<[LtlId]>),
    Or(Box<[LtlId]>),
    Next(LtlId),
    Until(LtlId, LtlId),
    Release(LtlId, LtlId),
    /// `Y a`, or `Z a` if it holds in the first state.
    Previous {
        operand: LtlId,
        at_start: bool,
    },
    Since(LtlId, LtlId),
    Triggered(LtlId, LtlId),
}

/// Facts about a formula that hold at every position of every word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Pure eventuality: where it holds, it holds at every earlier position (Etessami and Holzmann, CONCUR 2000).
    pub is_eventual: bool,
    /// Purely universal: where it holds, it holds at every later position.
    pub is_universal: bool,
    pub has_past: bool,
    /// It has no `U`.
    pub is_safety: bool,
    depth: u32,
}

/// Formulas, each once.
pub struct LtlArena {
    pub(crate) nodes: IdVec<LtlId, LtlNode>,
    pub(crate) facts: IdVec<LtlId, Facts>,
    ids: FxHashMap<LtlNode, LtlId>,
    pub(crate) negations: FxHashMap<LtlId, LtlId>,
    pub(crate) implications: FxHashMap<(LtlId, LtlId), bool>,
}

pub(crate) const FALSE: LtlId = LtlId(0);
pub(crate) const TRUE: LtlId = LtlId(1);

impl Default for LtlArena {
    fn default() -> Self {
        let mut arena = Self {
            nodes: IdVec::new(),
            facts: IdVec::new(),
            ids: FxHashMap::default(),
            negations: FxHashMap::default(),
            implications: FxHashMap::default(),
        };
        arena.intern(LtlNode::Const(false));
        arena.intern(LtlNode::Const(true));
        arena
    }
}

impl LtlArena {
    pub fn node(&self, id: LtlId) -> &LtlNode {
        &self.nodes[id]
    }

    /// The length of the longest path from the formula to a literal.
    pub fn depth(&self, id: LtlId) -> u32 {
        self.facts[id].depth
    }

    pub fn has_past(&self, id: LtlId) -> bool {
        self.facts[id].has_past
    }

    /// Whether it is a safety formula by its form: it has no `U`.
    pub fn is_safety(&self, id: LtlId) -> bool {
        self.facts[id].is_safety
    }

    pub(crate) fn intern(&mut self, node: LtlNode) -> LtlId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let facts = self.facts_of(&node);
        self.facts.push(facts);
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    fn facts_of(&self, node: &LtlNode) -> Facts {
        let of = |id: &LtlId| self.facts[*id];
        let (is_eventual, is_universal) = match node {
            LtlNode::Const(_) => (true, true),
            LtlNode::Literal { .. } => (false, false),
            LtlNode::And(all) | LtlNode::Or(all) => {
                (all.iter().all(|a| of(a).is_eventual), all.iter().all(|a| of(a).is_universal))
            }
            LtlNode::Next(a) => (of(a).is_eventual, of(a).is_universal),
            LtlNode::Until(a, b) => (*a == TRUE || of(b).is_eventual, of(b).is_universal),
            LtlNode::Release(a, b) => (of(b).is_eventual, *a == FALSE || of(b).is_universal),
            // `Y` is false and `Z` true in the first state, whatever the operand is later.
            LtlNode::Previous { operand, at_start: false } => (false, of(operand).is_universal),
            LtlNode::Previous { operand, at_start: true } => (of(operand).is_eventual, false),
            LtlNode::Since(a, _) => (false, *a == TRUE),
            LtlNode::Triggered(a, _) => (*a == FALSE, false),
        };
        let mut has_past =
            matches!(node, LtlNode::Previous { .. } | LtlNode::Since(..) | LtlNode::Triggered(..));
        let mut is_safety = !matches!(node, LtlNode::Until(..));
        let mut depth = 0;
        node.operands(|operand| {
            has_past |= of(&operand).has_past;
            is_safety &= of(&operand).is_safety;
            depth = depth.max(of(&operand).depth + 1);
        });
        Facts { is_eventual, is_universal, has_past, is_safety, depth }
    }

    /// The negation, as a formula in negation normal form.
    pub fn not(&mut self, id: LtlId) -> LtlId {
        if let Some(&known) = self.negations.get(&id) {
            return known;
        }
        let node = match self.nodes[id].clone() {
            LtlNode::Const(value) => LtlNode::Const(!value),
            LtlNode::Literal { atom, is_positive } => {
                LtlNode::Literal { atom, is_positive: !is_positive }
            }
            LtlNode::And(all) => LtlNode::Or(self.not_all(&all)),
            LtlNode::Or(all) => LtlNode::And(self.not_all(&all)),
            LtlNode::Next(a) => LtlNode::Next(self.not(a)),
            LtlNode::Until(a, b) => LtlNode::Release(self.not(a), self.not(b)),
            LtlNode::Release(a, b) => LtlNode::Until(self.not(a), self.not(b)),
            LtlNode::Previous { operand, at_start } => {
                LtlNode::Previous { operand: self.not(operand), at_start: !at_start }
            }
            LtlNode::Since(a, b) => LtlNode::Triggered(self.not(a), self.not(b)),
            LtlNode::Triggered(a, b) => LtlNode::Since(self.not(a), self.not(b)),
        };
        let negation = self.intern(node);
        self.negations.insert(id, negation);
        self.negations.insert(negation, id);
        negation
    }

    fn not_all(&mut self, all: &[LtlId]) -> Box<[LtlId]> {
        let mut negated: Vec<LtlId> = all.iter().map(|&a| self.not(a)).collect();
        negated.sort_unstable();
        negated.into()
    }

    /// Shows a formula, its atoms by these names.
    pub fn show<'a>(
        &'a self,
        id: LtlId,
        name: &'a dyn Fn(u32) -> String,
    ) -> impl fmt::Display + 'a {
        Shown { arena: self, id, name }
    }
}

impl LtlNode {
    pub(crate) fn operands(&self, mut visit: impl FnMut(LtlId)) {
        match self {
            LtlNode::Const(_) | LtlNode::Literal { .. } => {}
            LtlNode::And(all) | LtlNode::Or(all) => all.iter().copied().for_each(visit),
            LtlNode::Next(a) | LtlNode::Previous { operand: a, .. } => visit(*a),
            LtlNode::Until(a, b)
            | LtlNode::Release(a, b)
            | LtlNode::Since(a, b)
            | LtlNode::Triggered(a, b) => {
                visit(*a);
                visit(*b);
            }
        }
    }
}

struct Shown<'a> {
    arena: &'a LtlArena,
    id: LtlId,
    name: &'a dyn Fn(u32) -> String,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |id: LtlId| Shown { id, ..*self };
        let many = |f: &mut fmt::Formatter<'_>, all: &[LtlId], operator: &str| {
            for (place, &operand) in all.iter().enumerate() {
                f.write_str(if place == 0 { "(" } else { operator })?;
                show(operand).fmt(f)?;
            }
            f.write_str(")")
        };
        match self.arena.node(self.id) {
            LtlNode::Const(value) => write!(f, "{value}"),
            LtlNode::Literal { atom, is_positive } => {
                write!(f, "{}{}", if *is_positive { "" } else { "!" }, (self.name)(*atom))
            }
            LtlNode::And(all) => many(f, all, " & "),
            LtlNode::Or(all) => many(f, all, " | "),
            LtlNode::Next(a) => write!(f, "X {}", show(*a)),
            LtlNode::Until(TRUE, b) => write!(f, "F {}", show(*b)),
            LtlNode::Until(a, b) => write!(f, "({} U {})", show(*a), show(*b)),
            LtlNode::Release(FALSE, b) => write!(f, "G {}", show(*b)),
            LtlNode::Release(a, b) => write!(f, "({} R {})", show(*a), show(*b)),
            LtlNode::Previous { operand, at_start } => {
                write!(f, "{} {}", if *at_start { "Z" } else { "Y" }, show(*operand))
            }
            LtlNode::Since(TRUE, b) => write!(f, "O {}", show(*b)),
            LtlNode::Since(a, b) => write!(f, "({} S {})", show(*a), show(*b)),
            LtlNode::Triggered(FALSE, b) => write!(f, "H {}", show(*b)),
            LtlNode::Triggered(a, b) => write!(f, "({} T {})", show(*a), show(*b)),
        }
    }
}
