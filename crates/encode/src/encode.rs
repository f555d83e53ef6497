//! Expressions as truth functions: truth values as one, numbers and words as vectors of bits, symbols as
//! cases. Where an expression may have no value, a set says where.

use crate::bits::{Bits, Circuits};
use crate::layout::Layout;
use bdd::{Bdd, Manager, Stop};
use rustc_hash::FxHashMap;
use transition::{Conjunct, Domain, ExprNode, Exprs, Machine, NodeId, Role, Section, Type, VarId};

#[derive(Clone, Debug)]
pub enum EncodedValue {
    Bool(Bdd),
    /// Integers are signed, words are as their type says.
    Bits(Bits),
    /// Values and where they are the one; the sets are disjoint.
    Cases(Vec<(i64, Bdd)>),
}

/// An encoded expression: its value, and where it has none.
#[derive(Clone, Debug)]
pub struct EncodedExpr {
    pub value: EncodedValue,
    /// Where it has no value; `None` if it has one everywhere.
    pub missing: Option<Bdd>,
}

impl From<EncodedValue> for EncodedExpr {
    fn from(value: EncodedValue) -> Self {
        Self { value, missing: None }
    }
}

pub struct Encoder<'a> {
    pub machine: &'a Machine,
    pub layout: &'a Layout,
    pub manager: &'a mut Manager,
    /// The expressions encoded so far.
    pub known: &'a mut FxHashMap<NodeId, EncodedExpr>,
}

impl<'a> Encoder<'a> {
    pub fn exprs(&self) -> &'a Exprs {
        &self.machine.exprs
    }

    pub fn encode(&mut self, root: NodeId) -> Result<EncodedExpr, Stop> {
        if let Some(known) = self.known.get(&root) {
            return Ok(known.clone());
        }
        for id in self.exprs().below([root]) {
            if !self.known.contains_key(&id) {
                let coded = self.node(id)?;
                self.known.insert(id, coded);
            }
        }
        Ok(self.known[&root].clone())
    }

    /// A conjunct as a set, and the valuations in which it is a run-time error; of these the set is arbitrary.
    pub fn conjunct(&mut self, conjunct: &Conjunct) -> Result<(Bdd, Option<Bdd>), Stop> {
        Ok(match conjunct.role {
            Role::Constraint(node) => {
                let missing = self.encode(node)?.missing;
                (self.truth(node)?, missing)
            }
            Role::Assignment(var, choice) => {
                let assigned = self.assign(var, conjunct.section == Section::Trans, choice)?;
                (assigned.relation, Some(assigned.wrong))
            }
            Role::Frame(var) => (self.layout.same(var, self.manager)?, None),
        })
    }

    /// Where a truth value is true; nothing where it has none.
    pub fn truth(&mut self, root: NodeId) -> Result<Bdd, Stop> {
        match self.encode(root)?.value {
            EncodedValue::Bool(set) => Ok(set),
            EncodedValue::Bits(bits) => {
                Ok(bits.first().cloned().unwrap_or(self.manager.constant(false)))
            }
            EncodedValue::Cases(_) => Ok(self.manager.constant(false)),
        }
    }

    fn node(&mut self, id: NodeId) -> Result<EncodedExpr, Stop> {
        let ty = self.exprs().ty(id);
        match self.exprs().node(id) {
            ExprNode::Const(value) => Ok(self.constant(value, ty).into()),
            ExprNode::Now(var) => Ok(self.variable(var, false)?.into()),
            ExprNode::Next(var) => Ok(self.variable(var, true)?.into()),
            ExprNode::Fault(_) => {
                let missing = Some(self.manager.constant(true));
                Ok(EncodedExpr { value: self.constant(0, ty), missing })
            }
            ExprNode::Unary(op, a) => self.unary(op, a),
            ExprNode::Cast(a) => self.cast(a, ty),
            ExprNode::Extract(a, low) => self.extract(a, low, ty),
            ExprNode::Binary(op, a, b) => self.binary(op, a, b, ty),
            ExprNode::Ite(c, a, b) => self.ite(c, a, b, ty),
        }
    }

    fn constant(&mut self, value: i64, ty: Type) -> EncodedValue {
        match ty {
            Type::Bool => EncodedValue::Bool(self.manager.constant(value != 0)),
            Type::Scalar => EncodedValue::Cases(vec![(value, self.manager.constant(true))]),
            Type::Int { .. } | Type::Word { .. } => {
                EncodedValue::Bits(Circuits(self.manager).constant(value, width(ty)))
            }
        }
    }

    /// A variable in this state or in the next.
    pub(crate) fn variable(&mut self, var: VarId, is_next: bool) -> Result<EncodedValue, Stop> {
        let bits = self.layout.bits(var);
        let truth_vars =
            bits.iter().filter_map(|bit| if is_next { bit.next } else { Some(bit.now) });
        let number: Bits = truth_vars.map(|var| self.manager.var(var)).collect::<Result<_, _>>()?;
        let domain = &self.machine.vars[var].domain;
        Ok(match domain {
            Domain::Bool => EncodedValue::Bool(number[0].clone()),
            Domain::Word { .. } => EncodedValue::Bits(number),
            Domain::Range(low, _) => {
                EncodedValue::Bits(self.counted_from(number, *low, domain.ty())?)
            }
            Domain::Values(values) => {
                let cases = self.cases(&number, values)?;
                match domain.ty() {
                    Type::Scalar => EncodedValue::Cases(cases),
                    ty => EncodedValue::Bits(self.bits_of_cases(&cases, width(ty))?),
                }
            }
        })
    }

    /// The number plus the lowest value.
    fn counted_from(&mut self, number: Bits, low: i64, ty: Type) -> Result<Bits, Stop> {
        let width = width(ty).max(number.len() + 1);
        let mut circuits = Circuits(self.manager);
        let number = circuits.resized(&number, false, width);
        if low == 0 {
            return Ok(circuits.resized(&number, true, self::width(ty)));
        }
        let low = circuits.constant(low, width);
        let sum = circuits.add(&number, &low, false)?;
        Ok(circuits.resized(&sum, true, self::width(ty)))
    }

    fn cases(&mut self, number: &Bits, values: &[i64]) -> Result<Vec<(i64, Bdd)>, Stop> {
        let mut cases = Vec::with_capacity(values.len());
        for (index, &value) in values.iter().enumerate() {
            let mut circuits = Circuits(self.manager);
            let constant = circuits.constant(index as i64, number.len());
            cases.push((value, circuits.equal(number, &constant)?));
        }
        Ok(cases)
    }

    pub(crate) fn bits_of_cases(
        &mut self,
        cases: &[(i64, Bdd)],
        width: usize,
    ) -> Result<Bits, Stop> {
        let mut bits = Circuits(self.manager).constant(0, width);
        for (value, set) in cases {
            for (index, bit) in bits.iter_mut().enumerate() {
                if value >> index.min(63) & 1 == 1 {
                    *bit = self.manager.or(bit, set)?;
                }
            }
        }
        Ok(bits)
    }

    /// Where either has no value.
    pub(crate) fn missing_in_one(
        &mut self,
        a: &Option<Bdd>,
        b: &Option<Bdd>,
    ) -> Result<Option<Bdd>, Stop> {
        match (a, b) {
            (Some(a), Some(b)) => Ok(Some(self.manager.or(a, b)?)),
            (one, other) => Ok(one.clone().or_else(|| other.clone())),
        }
    }
}

/// How many bits the values of a type take; integers with their sign.
pub(crate) fn width(ty: Type) -> usize {
    match ty {
        Type::Bool | Type::Scalar => 1,
        Type::Word { width, .. } => usize::from(width),
        Type::Int { low, high } => {
            let bits = |value: i64| 65 - (value ^ (value >> 63)).leading_zeros() as usize;
            bits(low).max(bits(high))
        }
    }
}

pub(crate) fn is_signed(ty: Type) -> bool {
    !matches!(ty, Type::Word { signed: false, .. } | Type::Bool)
}
