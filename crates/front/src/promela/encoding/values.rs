//! Expressions of a program as expressions of the machine.
//!
//! All of them have values everywhere. Whether computing one goes wrong is an expression of its own.

use super::super::program::{
    Action, ArrayId, ChannelId, ExprId, LocationId, Pattern, ProcessId, PromelaBinary, PromelaExpr,
    PromelaModel, PromelaUnary, Storage,
};
use super::fairness::FairProcess;
use super::{Atoms, Layout, Wrong};
use crate::document::StatementMap;
use rustc_hash::FxHashMap;
use transition::{
    Binary as Op, InterleavedSteps, Machine, NodeId, Type, Unary as UnaryOp, VarId as StateId,
};

const LOWEST: i64 = i32::MIN as i64;
const HIGHEST: i64 = i32::MAX as i64;
const INT: Type = Type::Int { low: LOWEST, high: HIGHEST };
const WORD: Type = Type::Word { signed: true, width: 32 };

pub(in crate::promela) struct Encoder<'p> {
    pub program: &'p PromelaModel,
    pub machine: Machine,
    pub layout: Layout,
    /// The value of `timeout`.
    pub timeout: NodeId,
    /// By expression and by what `timeout` is.
    known: FxHashMap<(ExprId, NodeId), NodeId>,
    pub atoms: Option<Atoms>,
    /// The statements of the steps, once these are there.
    pub statements: Option<StatementMap>,
    /// The variables that the steps read and write, once there are steps.
    pub interleaving: Option<InterleavedSteps>,
    /// By process, if fairness is asked for.
    pub fair_processes: Vec<FairProcess>,
}

impl<'p> Encoder<'p> {
    pub fn new(program: &'p PromelaModel, mut machine: Machine, layout: Layout) -> Self {
        let timeout = machine.exprs.bool(false);
        let (known, atoms, statements, interleaving, fair_processes) = Default::default();
        Self {
            program,
            machine,
            layout,
            timeout,
            known,
            atoms,
            statements,
            interleaving,
            fair_processes,
        }
    }

    pub(super) fn now(&mut self, var: StateId) -> NodeId {
        self.machine.now(var)
    }

    pub(super) fn int(&mut self, value: i64) -> NodeId {
        self.machine.exprs.int(value)
    }

    /// Whether a variable of symbols has this one.
    pub(super) fn is_symbol(&mut self, var: StateId, symbol: i64) -> NodeId {
        let (now, symbol) = (self.now(var), self.machine.exprs.constant(symbol, Type::Scalar));
        self.machine.exprs.eq(now, symbol)
    }

    pub(super) fn is_at(&mut self, process: ProcessId, location: LocationId) -> NodeId {
        let symbol = self.layout.symbol(process, location);
        self.is_symbol(self.layout.places[process], symbol)
    }

    pub(super) fn any(&mut self, nodes: Vec<NodeId>) -> NodeId {
        self.machine.exprs.join(Op::Or, nodes)
    }

    pub(super) fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.machine.exprs.and(a, b)
    }

    pub(super) fn not(&mut self, a: NodeId) -> NodeId {
        self.machine.exprs.not(a)
    }

    /// The value of an expression, between the bounds of 32 bits.
    pub(super) fn value(&mut self, expr: ExprId) -> NodeId {
        if let Some(&known) = self.known.get(&(expr, self.timeout)) {
            return known;
        }
        let program = self.program;
        let node = match &program.exprs[expr] {
            PromelaExpr::Const(value) => self.int((*value).into()),
            PromelaExpr::Var(var) => self.now(self.layout.vars[*var]),
            PromelaExpr::Element(array, index) => self.element(*array, *index),
            PromelaExpr::Unary(PromelaUnary::Neg, a) => {
                let a = self.value(*a);
                let negated = self.machine.exprs.unary(UnaryOp::Neg, a);
                self.wrapped(negated)
            }
            PromelaExpr::Unary(PromelaUnary::Complement, a) => {
                let a = self.value(*a);
                let word = self.machine.exprs.cast(a, WORD);
                let flipped = self.machine.exprs.not(word);
                self.machine.exprs.cast(flipped, INT)
            }
            PromelaExpr::Binary(operator, a, b) if !operator.is_truth() => {
                let (a, b) = (self.value(*a), self.value(*b));
                self.arithmetic(*operator, a, b)
            }
            PromelaExpr::If(condition, then, otherwise) => {
                let condition = self.truth(*condition);
                let (then, otherwise) = (self.value(*then), self.value(*otherwise));
                self.machine.exprs.ite(condition, then, otherwise)
            }
            PromelaExpr::Len(channel) => self.len(*channel),
            PromelaExpr::Unary(PromelaUnary::Not, _)
            | PromelaExpr::Binary(..)
            | PromelaExpr::CanReceive(..)
            | PromelaExpr::At(..)
            | PromelaExpr::IsThere(_)
            | PromelaExpr::Timeout => {
                let truth = self.truth(expr);
                let (zero, one) = (self.int(0), self.int(1));
                self.machine.exprs.ite(truth, one, zero)
            }
        };
        self.known.insert((expr, self.timeout), node);
        node
    }

    /// Whether an expression is not 0.
    pub(in crate::promela) fn truth(&mut self, expr: ExprId) -> NodeId {
        let program = self.program;
        match &program.exprs[expr] {
            PromelaExpr::Unary(PromelaUnary::Not, a) => {
                let a = self.truth(*a);
                self.not(a)
            }
            PromelaExpr::Binary(operator, a, b) if operator.is_truth() => {
                self.relation(*operator, *a, *b)
            }
            PromelaExpr::CanReceive(channel, slot, patterns) => {
                self.can_receive(*channel, *slot, patterns)
            }
            PromelaExpr::At(process, locations) => {
                let there = locations.iter().map(|&location| self.is_at(*process, location));
                let there = there.collect();
                self.any(there)
            }
            PromelaExpr::IsThere(process) => {
                let (place, absent) = (self.layout.places[*process], self.layout.absent);
                let is_absent = self.is_symbol(place, absent);
                self.not(is_absent)
            }
            PromelaExpr::Timeout => self.timeout,
            _ => {
                let (value, zero) = (self.value(expr), self.int(0));
                let is_zero = self.machine.exprs.eq(value, zero);
                self.not(is_zero)
            }
        }
    }

    fn relation(&mut self, operator: PromelaBinary, a: ExprId, b: ExprId) -> NodeId {
        if let PromelaBinary::And | PromelaBinary::Or = operator {
            let (a, b) = (self.truth(a), self.truth(b));
            let operator = if operator == PromelaBinary::And { Op::And } else { Op::Or };
            return self.machine.exprs.binary(operator, a, b);
        }
        let (a, b) = (self.value(a), self.value(b));
        let exprs = &mut self.machine.exprs;
        match operator {
            PromelaBinary::Eq => exprs.eq(a, b),
            PromelaBinary::Ne => {
                let equal = exprs.eq(a, b);
                exprs.not(equal)
            }
            PromelaBinary::Lt => exprs.binary(Op::Lt, a, b),
            PromelaBinary::Gt => exprs.binary(Op::Lt, b, a),
            PromelaBinary::Ge => exprs.le(b, a),
            _ => exprs.le(a, b),
        }
    }

    fn arithmetic(&mut self, operator: PromelaBinary, a: NodeId, b: NodeId) -> NodeId {
        let op = match operator {
            PromelaBinary::Add => Op::Add,
            PromelaBinary::Sub => Op::Sub,
            PromelaBinary::Mul => Op::Mul,
            PromelaBinary::Div => Op::Div,
            PromelaBinary::Mod => Op::Mod,
            PromelaBinary::Shl => return self.shifted(Op::Shl, a, b),
            PromelaBinary::Shr => return self.shifted(Op::Shr, a, b),
            PromelaBinary::BitAnd => return self.bitwise(Op::And, a, b),
            PromelaBinary::BitXor => return self.bitwise(Op::Xor, a, b),
            _ => return self.bitwise(Op::Or, a, b),
        };
        let node = self.machine.exprs.binary(op, a, b);
        self.wrapped(node)
    }

    fn shifted(&mut self, op: Op, a: NodeId, by: NodeId) -> NodeId {
        let exprs = &mut self.machine.exprs;
        let word = exprs.cast(a, WORD);
        let by = exprs.cast(by, Type::Word { signed: false, width: 5 });
        let shifted = exprs.binary(op, word, by);
        exprs.cast(shifted, INT)
    }

    fn bitwise(&mut self, op: Op, a: NodeId, b: NodeId) -> NodeId {
        let (low, high) = self.bounds(&[a, b]);
        let (word, int) = match low >= 0 {
            true => {
                let width = (64 - high.leading_zeros()).max(1) as u8;
                let high = (1i64 << width) - 1;
                (Type::Word { signed: false, width }, Type::Int { low: 0, high })
            }
            false => (WORD, INT),
        };
        let exprs = &mut self.machine.exprs;
        let (a, b) = (exprs.cast(a, word), exprs.cast(b, word));
        let joined = exprs.binary(op, a, b);
        exprs.cast(joined, int)
    }

    /// The bounds of all of these together.
    fn bounds(&self, nodes: &[NodeId]) -> (i64, i64) {
        let bounds = nodes.iter().map(|&node| match self.machine.exprs.ty(node) {
            Type::Int { low, high } => (low, high),
            _ => (LOWEST, HIGHEST),
        });
        bounds.fold((0, 0), |(a, b), (low, high)| (a.min(low), b.max(high)))
    }

    /// The low 32 bits, as a number.
    fn wrapped(&mut self, node: NodeId) -> NodeId {
        self.cut(node, LOWEST, HIGHEST)
    }

    /// As many low bits as fit between these bounds, which are those of so many bits.
    pub(super) fn cut(&mut self, node: NodeId, low: i64, high: i64) -> NodeId {
        if let Type::Int { low: least, high: most } = self.machine.exprs.ty(node)
            && low <= least
            && most <= high
        {
            return node;
        }
        let bits = (64 - high.leading_zeros()) as u8;
        let word = match low < 0 {
            true => Type::Word { signed: true, width: bits + 1 },
            false => Type::Word { signed: false, width: bits.max(1) },
        };
        let word = self.machine.exprs.cast(node, word);
        self.machine.exprs.cast(word, Type::Int { low, high })
    }

    /// The element of an array, 0 where there is none.
    fn element(&mut self, array: ArrayId, index: ExprId) -> NodeId {
        let index = self.value(index);
        let (first, len) = (self.program.arrays[array].first, self.program.arrays[array].len);
        let mut result = self.int(0);
        for number in (0..len).rev() {
            let var = super::VarId(first.0 + number);
            let value = self.now(self.layout.vars[var]);
            let number = self.int(number.into());
            let is_it = self.machine.exprs.eq(index, number);
            result = self.machine.exprs.ite(is_it, value, result);
        }
        result
    }

    pub(super) fn len(&mut self, channel: ChannelId) -> NodeId {
        match self.layout.channels[channel].len {
            Some(len) => self.now(len),
            None => self.int(0),
        }
    }

    fn can_receive(&mut self, channel: ChannelId, slot: u32, patterns: &[Pattern]) -> NodeId {
        let Some(fields) = self.layout.channels[channel].slots.get(slot as usize).cloned() else {
            return self.machine.exprs.bool(false);
        };
        let (len, slot) = (self.len(channel), self.int(slot.into()));
        let mut matches = self.machine.exprs.binary(Op::Lt, slot, len);
        for (pattern, field) in patterns.iter().zip(fields) {
            if let Pattern::Match(value) = pattern {
                let (value, field) = (self.value(*value), self.now(field));
                let is_equal = self.machine.exprs.eq(value, field);
                matches = self.and(matches, is_equal);
            }
        }
        matches
    }

    /// Whether computing an expression goes wrong like this.
    pub(super) fn error_condition(&mut self, expr: ExprId, wrong: Wrong) -> NodeId {
        let program = self.program;
        let never = self.machine.exprs.bool(false);
        match &program.exprs[expr] {
            PromelaExpr::Const(_)
            | PromelaExpr::Var(_)
            | PromelaExpr::Len(_)
            | PromelaExpr::At(..)
            | PromelaExpr::IsThere(_)
            | PromelaExpr::Timeout => never,
            PromelaExpr::Element(array, index) => {
                let inner = self.error_condition(*index, wrong);
                let outside = self.is_outside(*array, *index, wrong);
                self.machine.exprs.or(inner, outside)
            }
            PromelaExpr::Unary(_, a) => self.error_condition(*a, wrong),
            PromelaExpr::Binary(operator @ (PromelaBinary::And | PromelaBinary::Or), a, b) => {
                let left = self.error_condition(*a, wrong);
                let right = self.error_condition(*b, wrong);
                let mut goes_on = self.truth(*a);
                if *operator == PromelaBinary::Or {
                    goes_on = self.not(goes_on);
                }
                let right = self.and(goes_on, right);
                self.machine.exprs.or(left, right)
            }
            PromelaExpr::Binary(operator, a, b) => {
                let both = [*a, *b].map(|operand| self.error_condition(operand, wrong));
                let mut all = both.to_vec();
                if let (PromelaBinary::Div | PromelaBinary::Mod, Wrong::Division) =
                    (operator, wrong)
                {
                    let (divisor, zero) = (self.value(*b), self.int(0));
                    all.push(self.machine.exprs.eq(divisor, zero));
                }
                self.any(all)
            }
            PromelaExpr::If(condition, then, otherwise) => {
                let first = self.error_condition(*condition, wrong);
                let condition = self.truth(*condition);
                let then = self.error_condition(*then, wrong);
                let otherwise = self.error_condition(*otherwise, wrong);
                let second = self.machine.exprs.ite(condition, then, otherwise);
                self.machine.exprs.or(first, second)
            }
            PromelaExpr::CanReceive(_, _, patterns) => {
                let values = patterns.iter().filter_map(|pattern| match pattern {
                    Pattern::Match(value) => Some(*value),
                    Pattern::Store(_) => None,
                });
                let all = values.map(|value| self.error_condition(value, wrong)).collect();
                self.any(all)
            }
        }
    }

    pub(super) fn is_outside(&mut self, array: ArrayId, index: ExprId, wrong: Wrong) -> NodeId {
        if wrong != Wrong::Index {
            return self.machine.exprs.bool(false);
        }
        let len = self.program.arrays[array].len;
        let index = self.value(index);
        let (zero, len) = (self.int(0), self.int(len.into()));
        let below = self.machine.exprs.binary(Op::Lt, index, zero);
        let above = self.machine.exprs.le(len, index);
        self.machine.exprs.or(below, above)
    }
}

/// The run-time errors that the text does not exclude.
pub(super) fn possible_wrongs(program: &PromelaModel) -> Vec<Wrong> {
    let edges = || program.processes.values().flat_map(|process| &process.edges);
    let stores_element =
        |pattern: &Pattern| matches!(pattern, Pattern::Store(Storage::Element(..)));
    let is_possible = |wrong: &Wrong| match wrong {
        Wrong::Assertion => edges().any(|edge| matches!(edge.action, Action::Assert(_))),
        Wrong::Index => {
            let is_read =
                program.exprs.values().any(|expr| matches!(expr, PromelaExpr::Element(..)));
            let is_written = edges().any(|edge| match &edge.action {
                Action::Assign { place, .. } => matches!(place, Storage::Element(..)),
                Action::Receive { patterns, .. } => patterns.iter().any(stores_element),
                _ => false,
            });
            is_read || is_written
        }
        Wrong::Division => program.exprs.values().any(|expr| match expr {
            PromelaExpr::Binary(PromelaBinary::Div | PromelaBinary::Mod, _, b) => {
                !matches!(program.exprs[*b], PromelaExpr::Const(divisor) if divisor != 0)
            }
            _ => false,
        }),
        Wrong::Blocked => {
            let mut locations = program.processes.values().flat_map(|p| p.locations.values());
            locations.any(|location| location.is_in_dstep)
        }
    };
    Wrong::ALL.into_iter().filter(is_possible).collect()
}
