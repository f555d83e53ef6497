//! The closure of CTL formulas (M Def. 2.3), several of them at once, and the order in which it is computed.
//!
//! A formula is a truth function of atoms and of formulas that begin with a temporal operator. Only those have to be
//! carried from one part of a program to another: the rest can be computed wherever they are known. They are
//! ordered by *levels*: what is below the operator of one has smaller levels only. Formulas of one level have
//! nothing to do with each other and are computed together (M §5.2: "working on several formulas at the same
//! time").
//!
//! Where something is not written yet, a formula has two sets of states: those where it is true whatever is written
//! there, and those where it may be. They are two members of the closure, and negation leads from one to the
//! other.

use crate::cfg::program::CtlAtom;
use logic::{Expr, ExprId, PathOp, Quantifier, StateOp, Surface};
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Id, IdVec, define_id};

define_id!(FormulaId, "f");
define_id!(
    /// A formula that begins with a temporal operator.
    TemporalId,
    "t"
);
define_id!(AtomId, "a");

/// Which of the two sets of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// Where it is true, whatever is written into the holes.
    Certain,
    /// Where it may be true.
    Maybe,
}

impl Bound {
    fn other(self) -> Bound {
        match self {
            Bound::Certain => Bound::Maybe,
            Bound::Maybe => Bound::Certain,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CtlNode {
    True,
    Atom(AtomId, Bound),
    Not(FormulaId),
    Or(FormulaId, FormulaId),
    Temporal(TemporalId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `AX` or `EX`.
    Next(FormulaId),
    /// `A(f U g)` or `E(f U g)`.
    Until(FormulaId, FormulaId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Temporal {
    pub is_all: bool,
    pub operator: Operator,
    pub bound: Bound,
}

/// The two nodes of one of the given formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root {
    pub certain: FormulaId,
    /// Equal to `certain` where nothing is missing.
    pub maybe: FormulaId,
}

#[derive(Clone, Debug, Default)]
pub struct Closure {
    pub formulas: IdVec<FormulaId, CtlNode>,
    pub temporals: IdVec<TemporalId, Temporal>,
    pub atoms: IdVec<AtomId, CtlAtom>,
    /// The formulas by level.
    pub levels: Vec<Vec<TemporalId>>,
    pub roots: Vec<Root>,
    /// The level of each temporal formula, and of each formula one more than the highest in it.
    level_of: IdVec<FormulaId, usize>,
    index: FxHashMap<CtlNode, FormulaId>,
    temporal_index: FxHashMap<Temporal, TemporalId>,
    atom_index: FxHashMap<CtlAtom, AtomId>,
}

/// A formula that is not of CTL, or has an undefined name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotCtl;

impl Closure {
    /// Of formulas whose propositions mean what `atom` says. With `is_complete`, nothing is missing.
    pub fn new(
        formulas: &[Surface],
        is_complete: bool,
        atom: impl Fn(&str) -> Option<CtlAtom>,
    ) -> Result<Self, NotCtl> {
        let mut closure = Self::default();
        for formula in formulas {
            let mut translation =
                Translation { closure: &mut closure, formula, is_complete, atom: &atom };
            let [certain, maybe] = translation.root()?;
            closure.roots.push(Root { certain, maybe });
        }
        closure.order();
        Ok(closure)
    }

    /// The formula and what it is a truth function of, operands first.
    pub fn parts(&self, root: FormulaId) -> Vec<FormulaId> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<FormulaId> = FxHashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            found.push(id);
            match self.formulas[id] {
                CtlNode::Not(a) => open.push(a),
                CtlNode::Or(a, b) => open.extend([a, b]),
                CtlNode::True | CtlNode::Atom(..) | CtlNode::Temporal(_) => {}
            }
        }
        // Operands have smaller numbers.
        found.sort_unstable();
        found
    }

    /// The formulas whose value is asked for: operands of temporal ones, and the given ones.
    pub fn asked(&self) -> impl Iterator<Item = FormulaId> {
        let operands = self.temporals.values().flat_map(Temporal::operands);
        operands.chain(self.roots.iter().flat_map(|root| [root.certain, root.maybe]))
    }

    /// All of level `level` and below.
    pub fn up_to(&self, level: usize) -> impl Iterator<Item = TemporalId> {
        self.levels.iter().take(level + 1).flatten().copied()
    }

    fn order(&mut self) {
        for (id, temporal) in self.temporals.iter() {
            let level =
                temporal.operands().map(|operand| self.level_of[operand]).max().unwrap_or(0);
            if self.levels.len() <= level {
                self.levels.resize(level + 1, Vec::new());
            }
            self.levels[level].push(id);
        }
    }

    fn add(&mut self, formula: CtlNode) -> FormulaId {
        if let Some(&known) = self.index.get(&formula) {
            return known;
        }
        let level = match formula {
            CtlNode::True | CtlNode::Atom(..) => 0,
            CtlNode::Not(a) => self.level_of[a],
            CtlNode::Or(a, b) => self.level_of[a].max(self.level_of[b]),
            CtlNode::Temporal(id) => {
                let operands = self.temporals[id].operands();
                operands.map(|operand| self.level_of[operand]).max().unwrap_or(0) + 1
            }
        };
        let id = self.formulas.push(formula);
        self.level_of.push(level);
        self.index.insert(formula, id);
        id
    }

    fn constant(&mut self, value: bool) -> FormulaId {
        let truth = self.add(CtlNode::True);
        if value { truth } else { self.not(truth) }
    }

    fn not(&mut self, a: FormulaId) -> FormulaId {
        match self.formulas[a] {
            CtlNode::Not(b) => b,
            _ => self.add(CtlNode::Not(a)),
        }
    }

    fn or(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let (a, b) = (a.min(b), a.max(b));
        let truth = self.add(CtlNode::True);
        match (self.formulas[a], self.formulas[b]) {
            _ if a == b => a,
            (CtlNode::True, _) | (_, CtlNode::True) => truth,
            (CtlNode::Not(c), _) if c == truth => b,
            (_, CtlNode::Not(c)) if c == truth => a,
            _ => self.add(CtlNode::Or(a, b)),
        }
    }

    fn and(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let (a, b) = (self.not(a), self.not(b));
        let or = self.or(a, b);
        self.not(or)
    }

    fn temporal(&mut self, temporal: Temporal) -> FormulaId {
        let id = match self.temporal_index.get(&temporal) {
            Some(&known) => known,
            None => {
                let id = self.temporals.push(temporal);
                self.temporal_index.insert(temporal, id);
                id
            }
        };
        self.add(CtlNode::Temporal(id))
    }

    fn atom(&mut self, atom: CtlAtom) -> AtomId {
        if let Some(&known) = self.atom_index.get(&atom) {
            return known;
        }
        let id = self.atoms.push(atom);
        self.atom_index.insert(atom, id);
        id
    }
}

impl Temporal {
    pub fn operands(&self) -> impl Iterator<Item = FormulaId> {
        let (a, b) = match self.operator {
            Operator::Next(a) => (a, None),
            Operator::Until(a, b) => (a, Some(b)),
        };
        std::iter::once(a).chain(b)
    }

    pub fn is_until(&self) -> bool {
        matches!(self.operator, Operator::Until(..))
    }
}

struct Translation<'c, F> {
    closure: &'c mut Closure,
    formula: &'c Surface,
    is_complete: bool,
    atom: &'c F,
}

impl<F: Fn(&str) -> Option<CtlAtom>> Translation<'_, F> {
    fn root(&mut self) -> Result<[FormulaId; 2], NotCtl> {
        // By expression: where it is true surely, and maybe.
        let mut done: Vec<[FormulaId; 2]> = Vec::with_capacity(self.formula.exprs.len());
        for (_, (expr, _)) in self.formula.exprs.iter() {
            let certain = self.expr(expr, Bound::Certain, &done)?;
            let maybe = match self.is_complete {
                true => certain,
                false => self.expr(expr, Bound::Maybe, &done)?,
            };
            done.push([certain, maybe]);
        }
        Ok(done[self.formula.root.index()])
    }

    fn expr(
        &mut self,
        expr: &Expr,
        bound: Bound,
        done: &[[FormulaId; 2]],
    ) -> Result<FormulaId, NotCtl> {
        let of = |id: &ExprId, bound: Bound| done[id.index()][bound as usize];
        let same = |id: &ExprId| of(id, bound);
        let other = |id: &ExprId| of(id, bound.other());
        let closure = &mut *self.closure;
        Ok(match expr {
            Expr::Const(value) => closure.constant(*value),
            Expr::Prop(name) => {
                let atom = (self.atom)(name).ok_or(NotCtl)?;
                let is_certain = self.is_complete || !matches!(atom, CtlAtom::At(_));
                let atom = closure.atom(atom);
                closure.add(CtlNode::Atom(atom, if is_certain { Bound::Certain } else { bound }))
            }
            Expr::Not(a) => closure.not(other(a)),
            Expr::And(all) => all
                .iter()
                .map(same)
                .reduce(|a, b| closure.and(a, b))
                .unwrap_or_else(|| closure.constant(true)),
            Expr::Or(all) => all
                .iter()
                .map(same)
                .reduce(|a, b| closure.or(a, b))
                .unwrap_or_else(|| closure.constant(false)),
            Expr::Implies(a, b) => {
                let not = closure.not(other(a));
                closure.or(not, same(b))
            }
            Expr::Iff(a, b) => {
                let both = closure.and(same(a), same(b));
                let (not_a, not_b) = (closure.not(other(a)), closure.not(other(b)));
                let none = closure.and(not_a, not_b);
                closure.or(both, none)
            }
            Expr::State(quantifier, operator, a) => {
                self.state(*quantifier, *operator, same(a), bound)
            }
            Expr::Path(quantifier, operator, a, b) => {
                self.path(*quantifier, *operator, same(a), same(b), bound)
            }
            Expr::Var(_)
            | Expr::Modal(..)
            | Expr::Fix(..)
            | Expr::Linear(..)
            | Expr::LinearPair(..)
            | Expr::Quantified(..)
            | Expr::ForValues(..)
            | Expr::Val(_)
            | Expr::Call(..) => return Err(NotCtl),
        })
    }

    /// A negation leads to the other bound, and so does the negation of the formula.
    fn state(
        &mut self,
        quantifier: Quantifier,
        operator: StateOp,
        a: FormulaId,
        bound: Bound,
    ) -> FormulaId {
        let is_all = quantifier == Quantifier::All;
        let truth = self.closure.constant(true);
        match operator {
            StateOp::Next => {
                self.closure.temporal(Temporal { is_all, operator: Operator::Next(a), bound })
            }
            StateOp::Finally => self.until(is_all, truth, a, bound),
            StateOp::Globally => {
                let not = self.closure.not(a);
                let until = self.until(!is_all, truth, not, bound.other());
                self.closure.not(until)
            }
        }
    }

    fn path(
        &mut self,
        quantifier: Quantifier,
        operator: PathOp,
        a: FormulaId,
        b: FormulaId,
        bound: Bound,
    ) -> FormulaId {
        let is_all = quantifier == Quantifier::All;
        if operator == PathOp::Until {
            return self.until(is_all, a, b, bound);
        }
        let [not_a, not_b] = [a, b].map(|operand| self.closure.not(operand));
        let until = match operator {
            // f R g: not (not f U not g).
            PathOp::Release | PathOp::Until => self.until(!is_all, not_a, not_b, bound.other()),
            // f W g: not (not g U (not f and not g)).
            PathOp::WeakUntil => {
                let neither = self.closure.and(not_a, not_b);
                self.until(!is_all, not_b, neither, bound.other())
            }
        };
        self.closure.not(until)
    }

    fn until(&mut self, is_all: bool, a: FormulaId, b: FormulaId, bound: Bound) -> FormulaId {
        // The bound matters only where something is missing.
        let bound = if self.is_complete { Bound::Certain } else { bound };
        self.closure.temporal(Temporal { is_all, operator: Operator::Until(a, b), bound })
    }
}
