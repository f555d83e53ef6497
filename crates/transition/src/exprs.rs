//! The arena of expressions: equal ones are made once, constants are folded, every node knows its type,
//! what it reads and whether it can be a run-time error.

use crate::domain::FIRST_SYMBOL;
use crate::expr::{Binary, ExprNode, LARGEST, NodeId, SiteId, Type, Unary};
use crate::parts::VarId;
use crate::{interval, semantics};
use rustc_hash::FxHashMap;
use support::IdVec;

/// The dependencies of an expression, and whether it can have a run-time error.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Traits {
    reads_now: bool,
    reads_next: bool,
    reads_input: bool,
    can_fault: bool,
}

impl Traits {
    fn or(self, other: Traits) -> Traits {
        Traits {
            reads_now: self.reads_now || other.reads_now,
            reads_next: self.reads_next || other.reads_next,
            reads_input: self.reads_input || other.reads_input,
            can_fault: self.can_fault || other.can_fault,
        }
    }
}

/// Operands stand before what is built of them.
#[derive(Clone, Default, Debug)]
pub struct Exprs {
    nodes: IdVec<NodeId, (ExprNode, Type)>,
    traits: IdVec<NodeId, Traits>,
    ids: FxHashMap<(ExprNode, Type), NodeId>,
}

impl Exprs {
    pub fn node(&self, id: NodeId) -> ExprNode {
        self.nodes[id].0
    }

    pub fn ty(&self, id: NodeId) -> Type {
        self.nodes[id].1
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether it has a value of this state or an input of this step in it.
    pub fn reads_now(&self, id: NodeId) -> bool {
        self.traits[id].reads_now
    }

    pub fn reads_next(&self, id: NodeId) -> bool {
        self.traits[id].reads_next
    }

    pub fn reads_input(&self, id: NodeId) -> bool {
        self.traits[id].reads_input
    }

    pub fn can_fault(&self, id: NodeId) -> bool {
        self.traits[id].can_fault
    }

    /// The value, if it is the same always.
    pub fn as_constant(&self, id: NodeId) -> Option<i64> {
        if let ExprNode::Const(value) = self.node(id) { Some(value) } else { None }
    }

    /// Whether an integer expression can get too large to be computed.
    pub fn is_too_large(&self, id: NodeId) -> bool {
        matches!(self.ty(id), Type::Int { low, high } if low < -LARGEST || high > LARGEST)
    }

    fn make(&mut self, node: ExprNode, ty: Type, more: Traits) -> NodeId {
        if let Some(&id) = self.ids.get(&(node, ty)) {
            return id;
        }
        let traits = node.operands().fold(more, |traits, operand| traits.or(self.traits[operand]));
        let id = self.nodes.push((node, ty));
        self.traits.push(traits);
        self.ids.insert((node, ty), id);
        id
    }

    pub fn constant(&mut self, value: i64, ty: Type) -> NodeId {
        let ty = if ty.is_int() { Type::Int { low: value, high: value } } else { ty };
        self.make(ExprNode::Const(value), ty, Traits::default())
    }

    pub fn bool(&mut self, value: bool) -> NodeId {
        self.constant(i64::from(value), Type::Bool)
    }

    pub fn int(&mut self, value: i64) -> NodeId {
        self.constant(value, Type::Int { low: value, high: value })
    }

    pub fn now(&mut self, var: VarId, ty: Type, is_input: bool) -> NodeId {
        let traits = Traits { reads_now: true, reads_input: is_input, ..Traits::default() };
        self.make(ExprNode::Now(var), ty, traits)
    }

    pub fn next(&mut self, var: VarId, ty: Type) -> NodeId {
        self.make(ExprNode::Next(var), ty, Traits { reads_next: true, ..Traits::default() })
    }

    /// No value, for the reason that the site tells.
    pub fn fault(&mut self, site: SiteId, ty: Type) -> NodeId {
        self.make(ExprNode::Fault(site), ty, Traits { can_fault: true, ..Traits::default() })
    }

    pub fn not(&mut self, a: NodeId) -> NodeId {
        self.unary(Unary::Not, a)
    }

    pub fn unary(&mut self, op: Unary, a: NodeId) -> NodeId {
        let ty = match self.ty(a) {
            Type::Int { low, high } if op == Unary::Neg => interval::negated((low, high)),
            ty => ty,
        };
        match self.node(a) {
            ExprNode::Const(value) => self.constant(semantics::unary(op, ty, value), ty),
            ExprNode::Unary(inner, operand) if inner == op => operand,
            _ => self.make(ExprNode::Unary(op, a), ty, Traits::default()),
        }
    }

    /// Converts to another type, keeping the value or the bits.
    pub fn cast(&mut self, a: NodeId, ty: Type) -> NodeId {
        match self.node(a) {
            _ if self.ty(a) == ty => a,
            ExprNode::Const(value) => self.constant(semantics::cast(ty, value), ty),
            _ => self.make(ExprNode::Cast(a), ty, Traits::default()),
        }
    }

    /// So many bits of a word from bit `low` upwards, unsigned.
    pub fn extract(&mut self, a: NodeId, low: u8, width: u8) -> NodeId {
        let ty = Type::Word { signed: false, width };
        match self.node(a) {
            ExprNode::Const(value) => self.constant(semantics::extract(ty, value, low), ty),
            _ if self.ty(a) == ty => a,
            _ => self.make(ExprNode::Extract(a, low), ty, Traits::default()),
        }
    }

    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.binary(Binary::And, a, b)
    }

    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.binary(Binary::Or, a, b)
    }

    pub fn implies(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let not = self.not(a);
        self.or(not, b)
    }

    pub fn eq(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.binary(Binary::Eq, a, b)
    }

    pub fn le(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.binary(Binary::Le, a, b)
    }

    pub fn binary(&mut self, op: Binary, a: NodeId, b: NodeId) -> NodeId {
        // What commutes is written in one order.
        let swaps = matches!(op, Binary::And | Binary::Or | Binary::Xor | Binary::Eq);
        let (a, b) = if swaps && b < a { (b, a) } else { (a, b) };
        let ty = self.type_of(op, a, b);
        if let (ExprNode::Const(x), ExprNode::Const(y)) = (self.node(a), self.node(b)) {
            let value = match ty {
                // The interval is the value, or says that it is too large to be computed.
                Type::Int { low, high } if low == high => low,
                _ => semantics::binary(op, ty, (self.ty(a), x), (self.ty(b), y)),
            };
            return self.constant(value, ty);
        }
        if let Some(simpler) = self.simplified(op, a, b) {
            return simpler;
        }
        self.make(ExprNode::Binary(op, a, b), ty, Traits::default())
    }

    fn type_of(&self, op: Binary, a: NodeId, b: NodeId) -> Type {
        let (of, with) = (self.ty(a), self.ty(b));
        match op {
            Binary::Eq | Binary::Lt | Binary::Le => Type::Bool,
            Binary::Concat => Type::Word { signed: false, width: width(of) + width(with) },
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Mod => {
                match (of, with) {
                    (Type::Int { low: a, high: b }, Type::Int { low: c, high: d }) => {
                        interval::of(op, (a, b), (c, d))
                    }
                    _ => of,
                }
            }
            _ => of,
        }
    }

    fn simplified(&mut self, op: Binary, a: NodeId, b: NodeId) -> Option<NodeId> {
        let is_bool = self.ty(a) == Type::Bool && self.ty(b) == Type::Bool;
        match op {
            Binary::And | Binary::Or if is_bool => self.simplified_junction(op, a, b),
            Binary::Eq if is_bool => self.simplified_equivalence(a, b),
            Binary::Eq => self.decided_equality(a, b),
            Binary::Lt | Binary::Le => self.decided_order(op == Binary::Le, a, b),
            _ => None,
        }
    }

    fn simplified_junction(&mut self, op: Binary, a: NodeId, b: NodeId) -> Option<NodeId> {
        let neutral = i64::from(op == Binary::And);
        for (one, other) in [(a, b), (b, a)] {
            match self.as_constant(one) {
                Some(value) if value == neutral => return Some(other),
                Some(_) => return Some(one),
                None => {}
            }
            let negates = self.node(one) == ExprNode::Unary(Unary::Not, other);
            if negates && !self.can_fault(other) {
                return Some(self.bool(op == Binary::Or));
            }
        }
        (a == b).then_some(a)
    }

    fn simplified_equivalence(&mut self, a: NodeId, b: NodeId) -> Option<NodeId> {
        for (one, other) in [(a, b), (b, a)] {
            match self.as_constant(one) {
                Some(0) => return Some(self.not(other)),
                Some(_) => return Some(other),
                None => {}
            }
        }
        (a == b && !self.can_fault(a)).then(|| self.bool(true))
    }

    fn decided_equality(&mut self, a: NodeId, b: NodeId) -> Option<NodeId> {
        if self.can_fault(a) || self.can_fault(b) {
            return None;
        }
        if a == b {
            return Some(self.bool(true));
        }
        let apart = match (self.bounds(a), self.bounds(b)) {
            (Some(a), Some(b)) => a.1 < b.0 || b.1 < a.0,
            _ => false,
        };
        apart.then(|| self.bool(false))
    }

    fn decided_order(&mut self, or_equal: bool, a: NodeId, b: NodeId) -> Option<NodeId> {
        if self.can_fault(a) || self.can_fault(b) {
            return None;
        }
        let (a, b) = (self.bounds(a)?, self.bounds(b)?);
        let slack = i64::from(or_equal);
        if a.1 < b.0 + slack {
            Some(self.bool(true))
        } else if a.0 >= b.1 + slack {
            Some(self.bool(false))
        } else {
            None
        }
    }

    /// Between what an integer or the number of a symbol lies.
    fn bounds(&self, id: NodeId) -> Option<(i64, i64)> {
        match (self.ty(id), self.node(id)) {
            (Type::Int { low, high }, _) => Some((low, high)),
            (Type::Scalar, ExprNode::Const(value)) if value >= FIRST_SYMBOL => Some((value, value)),
            _ => None,
        }
    }

    pub fn ite(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        if let Some(value) = self.as_constant(condition) {
            return if value != 0 { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if let ExprNode::Unary(Unary::Not, positive) = self.node(condition) {
            return self.ite(positive, otherwise, then);
        }
        let ty = self.joined_type(then, otherwise);
        if ty == Type::Bool
            && let Some(simpler) = self.simplified_ite(condition, then, otherwise)
        {
            return simpler;
        }
        self.make(ExprNode::Ite(condition, then, otherwise), ty, Traits::default())
    }

    fn simplified_ite(&mut self, c: NodeId, then: NodeId, otherwise: NodeId) -> Option<NodeId> {
        match (self.as_constant(then), self.as_constant(otherwise)) {
            (Some(1), _) => Some(self.or(c, otherwise)),
            (Some(_), _) => {
                let not = self.not(c);
                Some(self.and(not, otherwise))
            }
            (_, Some(0)) => Some(self.and(c, then)),
            (_, Some(_)) => Some(self.implies(c, then)),
            _ => None,
        }
    }

    /// The type that has the values of both.
    fn joined_type(&self, a: NodeId, b: NodeId) -> Type {
        if matches!(self.node(a), ExprNode::Fault(_)) {
            return self.ty(b);
        }
        if matches!(self.node(b), ExprNode::Fault(_)) {
            return self.ty(a);
        }
        match (self.ty(a), self.ty(b)) {
            (Type::Int { low: a, high: b }, Type::Int { low: c, high: d }) => {
                interval::hull((a, b), (c, d))
            }
            (Type::Scalar, _) | (_, Type::Scalar) => Type::Scalar,
            (ty, _) => ty,
        }
    }

    /// A balanced tree of these, so that ten thousand are fourteen levels deep.
    pub fn join(&mut self, op: Binary, mut nodes: Vec<NodeId>) -> NodeId {
        while nodes.len() > 1 {
            nodes = nodes
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.binary(op, a, b),
                    _ => pair[0],
                })
                .collect();
        }
        match nodes.pop() {
            Some(node) => node,
            None => self.bool(op == Binary::And),
        }
    }

    /// The conjuncts of an expression: the operands of a conjunction, however nested.
    pub fn conjuncts(&self, root: NodeId) -> Vec<NodeId> {
        self.operands_of_chain(root, Binary::And)
    }

    /// The operands of a conjunction or a disjunction of truth values, from left to right.
    pub fn operands_of_chain(&self, root: NodeId, op: Binary) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match self.node(id) {
                ExprNode::Binary(own, a, b) if own == op && self.ty(id) == Type::Bool => {
                    open.extend([b, a])
                }
                _ => found.push(id),
            }
        }
        found
    }

    /// All nodes below these and themselves, operands first.
    pub fn below(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(self.nodes.len());
        let mut open: Vec<NodeId> = roots.into_iter().collect();
        while let Some(id) = open.pop() {
            if !seen.put(id.0 as usize) {
                open.extend(self.node(id).operands());
            }
        }
        seen.ones().map(|index| NodeId(index as u32)).collect()
    }
}

fn width(ty: Type) -> u8 {
    match ty {
        Type::Word { width, .. } => width,
        _ => 1,
    }
}
