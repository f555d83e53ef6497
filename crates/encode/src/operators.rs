//! The operators on what expressions are coded as.

use crate::bits::{Bits, Circuits};
use crate::encode::{EncodedExpr, EncodedValue, Encoder, is_signed, width};
use bdd::{Bdd, Manager, Stop};
use transition::{Binary, NodeId, Type, Unary};

impl Encoder<'_> {
    pub(crate) fn unary(&mut self, op: Unary, a: NodeId) -> Result<EncodedExpr, Stop> {
        let EncodedExpr { value, missing } = self.known[&a].clone();
        let value = match (op, value) {
            (Unary::Not, EncodedValue::Bool(set)) => EncodedValue::Bool(set.not()),
            (Unary::Not, EncodedValue::Bits(bits)) => {
                EncodedValue::Bits(Circuits(self.manager).not(&bits))
            }
            (Unary::Neg, EncodedValue::Bits(bits)) => self.negated(a, &bits)?,
            (_, other) => other,
        };
        Ok(EncodedExpr { value, missing })
    }

    fn negated(&mut self, a: NodeId, bits: &Bits) -> Result<EncodedValue, Stop> {
        let ty = self.exprs().ty(a);
        let mut circuits = Circuits(self.manager);
        // The negation of the least number takes a bit more.
        let wide = if ty.is_int() { bits.len() + 1 } else { bits.len() };
        let bits = circuits.resized(bits, is_signed(ty), wide);
        Ok(EncodedValue::Bits(circuits.negate(&bits)?))
    }

    /// Reinterprets the bits, or as many of them as there are, as another type.
    pub(crate) fn cast(&mut self, a: NodeId, ty: Type) -> Result<EncodedExpr, Stop> {
        let EncodedExpr { value, missing } = self.known[&a].clone();
        let from = self.exprs().ty(a);
        let value = match (value, ty) {
            (EncodedValue::Bool(set), Type::Bool) => EncodedValue::Bool(set),
            (EncodedValue::Bits(bits), Type::Bool) => {
                EncodedValue::Bool(bits.first().cloned().unwrap_or(self.manager.constant(false)))
            }
            (value, Type::Scalar) => EncodedValue::Cases(self.as_cases(value, from)?),
            (value, ty) => {
                let bits = self.as_bits(value, width(from))?;
                EncodedValue::Bits(Circuits(self.manager).resized(
                    &bits,
                    is_signed(from),
                    width(ty),
                ))
            }
        };
        Ok(EncodedExpr { value, missing })
    }

    pub(crate) fn extract(&mut self, a: NodeId, low: u8, ty: Type) -> Result<EncodedExpr, Stop> {
        let EncodedExpr { value, missing } = self.known[&a].clone();
        let bits = self.as_bits(value, width(self.exprs().ty(a)))?;
        let rest: Bits = bits.into_iter().skip(usize::from(low)).collect();
        let bits = Circuits(self.manager).resized(&rest, false, width(ty));
        Ok(EncodedExpr { value: EncodedValue::Bits(bits), missing })
    }

    pub(crate) fn ite(
        &mut self,
        c: NodeId,
        a: NodeId,
        b: NodeId,
        ty: Type,
    ) -> Result<EncodedExpr, Stop> {
        let condition = self.truth(c)?;
        let [of_c, then, otherwise] = [c, a, b].map(|id| self.known[&id].clone());
        let missing = self.missing_in_ite(&condition, of_c.missing, (&then, a), (&otherwise, b))?;
        let value = match ty {
            Type::Bool => {
                let [then, otherwise] = [a, b].map(|id| self.truth(id));
                EncodedValue::Bool(self.manager.ite(&condition, &then?, &otherwise?)?)
            }
            Type::Scalar => self.ite_cases(&condition, (then.value, a), (otherwise.value, b))?,
            Type::Int { .. } | Type::Word { .. } => {
                let then = self.widened(a, width(ty))?;
                let otherwise = self.widened(b, width(ty))?;
                EncodedValue::Bits(Circuits(self.manager).ite(&condition, &then, &otherwise)?)
            }
        };
        Ok(EncodedExpr { value, missing })
    }

    /// Where the branch that is taken has no value, or it is unknown which is and they differ.
    fn missing_in_ite(
        &mut self,
        condition: &Bdd,
        of_condition: Option<Bdd>,
        (then, a): (&EncodedExpr, NodeId),
        (otherwise, b): (&EncodedExpr, NodeId),
    ) -> Result<Option<Bdd>, Stop> {
        let of_branch = match (&then.missing, &otherwise.missing) {
            (None, None) => None,
            (then, otherwise) => {
                let [then, otherwise] = [then, otherwise]
                    .map(|missing| missing.clone().unwrap_or(self.manager.constant(false)));
                Some(self.manager.ite(condition, &then, &otherwise)?)
            }
        };
        let Some(open) = of_condition else { return Ok(of_branch) };
        let mut same = self.equal((then.value.clone(), a), (otherwise.value.clone(), b))?;
        for missing in [&then.missing, &otherwise.missing].into_iter().flatten() {
            same = self.manager.minus(&same, missing)?;
        }
        let open = self.manager.minus(&open, &same)?;
        self.missing_in_one(&of_branch, &Some(open))
    }

    fn ite_cases(
        &mut self,
        condition: &Bdd,
        (then, a): (EncodedValue, NodeId),
        (otherwise, b): (EncodedValue, NodeId),
    ) -> Result<EncodedValue, Stop> {
        let (of_a, of_b) = (self.exprs().ty(a), self.exprs().ty(b));
        let then = self.as_cases(then, of_a)?;
        let otherwise = self.as_cases(otherwise, of_b)?;
        let mut cases: Vec<(i64, Bdd)> = Vec::new();
        for (list, condition) in [(then, condition.clone()), (otherwise, condition.not())] {
            for (value, set) in list {
                let here = self.manager.and(&set, &condition)?;
                match cases.iter_mut().find(|(other, _)| *other == value) {
                    Some((_, there)) => *there = self.manager.or(there, &here)?,
                    None => cases.push((value, here)),
                }
            }
        }
        cases.retain(|(_, set)| !set.is_empty());
        Ok(EncodedValue::Cases(cases))
    }

    pub(crate) fn binary(
        &mut self,
        op: Binary,
        a: NodeId,
        b: NodeId,
        ty: Type,
    ) -> Result<EncodedExpr, Stop> {
        let [of_a, of_b] = [a, b].map(|id| self.known[&id].clone());
        let missing = match (op, ty) {
            (Binary::And, Type::Bool) => self.missing_unless(&of_a, &of_b, false)?,
            (Binary::Or, Type::Bool) => self.missing_unless(&of_a, &of_b, true)?,
            _ => self.missing_in_one(&of_a.missing, &of_b.missing)?,
        };
        let value = match (op, of_a.value, of_b.value) {
            (
                Binary::And | Binary::Or | Binary::Xor,
                EncodedValue::Bool(a),
                EncodedValue::Bool(b),
            ) => EncodedValue::Bool(connective(op)(self.manager, &a, &b)?),
            (
                Binary::And | Binary::Or | Binary::Xor,
                EncodedValue::Bits(a),
                EncodedValue::Bits(b),
            ) => EncodedValue::Bits(Circuits(self.manager).each(&a, &b, connective(op))?),
            (Binary::Eq, x, y) => EncodedValue::Bool(self.equal((x, a), (y, b))?),
            (Binary::Lt, ..) => EncodedValue::Bool(self.less(a, b, false)?),
            (Binary::Le, ..) => EncodedValue::Bool(self.less(a, b, true)?),
            _ => EncodedValue::Bits(self.arithmetic(op, a, b, ty)?),
        };
        Ok(EncodedExpr { value, missing })
    }

    /// Where a connective has no value: where one operand has none and the other does not decide.
    fn missing_unless(
        &mut self,
        a: &EncodedExpr,
        b: &EncodedExpr,
        decides: bool,
    ) -> Result<Option<Bdd>, Stop> {
        if a.missing.is_none() && b.missing.is_none() {
            return Ok(None);
        }
        let mut undecided = self.manager.constant(true);
        for coded in [a, b] {
            let EncodedValue::Bool(set) = &coded.value else { continue };
            let mut decided = if decides { set.clone() } else { set.not() };
            if let Some(missing) = &coded.missing {
                decided = self.manager.minus(&decided, missing)?;
            }
            undecided = self.manager.minus(&undecided, &decided)?;
        }
        let one = self.missing_in_one(&a.missing, &b.missing)?;
        one.map(|one| self.manager.and(&one, &undecided)).transpose()
    }

    fn equal(
        &mut self,
        (x, a): (EncodedValue, NodeId),
        (y, b): (EncodedValue, NodeId),
    ) -> Result<Bdd, Stop> {
        let (of_a, of_b) = (self.exprs().ty(a), self.exprs().ty(b));
        match (x, y) {
            (EncodedValue::Bool(x), EncodedValue::Bool(y)) => Ok(self.manager.xor(&x, &y)?.not()),
            (EncodedValue::Bits(_), EncodedValue::Bits(_)) => {
                let wide = width(of_a).max(width(of_b));
                let (x, y) = (self.widened(a, wide)?, self.widened(b, wide)?);
                Circuits(self.manager).equal(&x, &y)
            }
            (x, y) => {
                let (x, y) = (self.as_cases(x, of_a)?, self.as_cases(y, of_b)?);
                self.equal_cases(&x, &y)
            }
        }
    }

    pub(crate) fn equal_cases(&mut self, x: &[(i64, Bdd)], y: &[(i64, Bdd)]) -> Result<Bdd, Stop> {
        let mut equal = self.manager.constant(false);
        for (value, one) in x {
            if let Some((_, other)) = y.iter().find(|(other, _)| other == value) {
                let both = self.manager.and(one, other)?;
                equal = self.manager.or(&equal, &both)?;
            }
        }
        Ok(equal)
    }

    fn less(&mut self, a: NodeId, b: NodeId, or_equal: bool) -> Result<Bdd, Stop> {
        let (of_a, of_b) = (self.exprs().ty(a), self.exprs().ty(b));
        let wide = width(of_a).max(width(of_b));
        let (x, y) = (self.widened(a, wide)?, self.widened(b, wide)?);
        Circuits(self.manager).less(&x, &y, is_signed(of_a), or_equal)
    }

    fn arithmetic(&mut self, op: Binary, a: NodeId, b: NodeId, ty: Type) -> Result<Bits, Stop> {
        match op {
            Binary::Shl | Binary::Shr => return self.shifted(op, a, b),
            Binary::Concat => {
                let (high, mut low) = (self.own_bits(a)?, self.own_bits(b)?);
                low.extend(high);
                return Ok(low);
            }
            _ => {}
        }
        let (of_a, of_b) = (self.exprs().ty(a), self.exprs().ty(b));
        let wide = width(ty).max(width(of_a)).max(width(of_b));
        let (x, y) = (self.widened(a, wide)?, self.widened(b, wide)?);
        let mut circuits = Circuits(self.manager);
        let result = match op {
            Binary::Add => circuits.add(&x, &y, false)?,
            Binary::Sub => circuits.subtract(&x, &y)?,
            Binary::Mul => circuits.multiply(&x, &y)?,
            _ => {
                let (quotient, rest) = if is_signed(of_a) {
                    circuits.divide_signed(&x, &y)?
                } else {
                    circuits.divide(&x, &y)?
                };
                self.unless_zero(op, quotient, rest, (&x, &y))?
            }
        };
        Ok(Circuits(self.manager).resized(&result, is_signed(ty), width(ty)))
    }

    /// By zero, the quotient is 0 and the remainder the dividend.
    fn unless_zero(
        &mut self,
        op: Binary,
        quotient: Bits,
        rest: Bits,
        (x, y): (&Bits, &Bits),
    ) -> Result<Bits, Stop> {
        let mut circuits = Circuits(self.manager);
        let zero = circuits.constant(0, y.len());
        let by_zero = circuits.equal(y, &zero)?;
        match op {
            Binary::Div => circuits.ite(&by_zero, &zero, &quotient),
            _ => circuits.ite(&by_zero, x, &rest),
        }
    }

    fn shifted(&mut self, op: Binary, a: NodeId, b: NodeId) -> Result<Bits, Stop> {
        let (of_a, of_b) = (self.exprs().ty(a), self.exprs().ty(b));
        let (bits, mut by) = (self.own_bits(a)?, self.own_bits(b)?);
        // By less than nothing is by nothing.
        if is_signed(of_b)
            && let Some(sign) = by.pop()
        {
            let zero = Circuits(self.manager).constant(0, by.len());
            by = Circuits(self.manager).ite(&sign, &zero, &by)?;
        }
        let keeps_sign = op == Binary::Shr && is_signed(of_a);
        let fill = match bits.last() {
            Some(sign) if keeps_sign => sign.clone(),
            _ => self.manager.constant(false),
        };
        Circuits(self.manager).shift(&bits, &by, op == Binary::Shl, &fill)
    }

    fn own_bits(&mut self, a: NodeId) -> Result<Bits, Stop> {
        self.widened(a, width(self.exprs().ty(a)))
    }

    /// A number in so many bits.
    pub(crate) fn widened(&mut self, a: NodeId, wide: usize) -> Result<Bits, Stop> {
        let ty = self.exprs().ty(a);
        let bits = self.as_bits(self.known[&a].value.clone(), width(ty))?;
        Ok(Circuits(self.manager).resized(&bits, is_signed(ty), wide))
    }

    fn as_bits(&mut self, value: EncodedValue, width: usize) -> Result<Bits, Stop> {
        match value {
            EncodedValue::Bits(bits) => Ok(bits),
            EncodedValue::Bool(set) => Ok(vec![set]),
            EncodedValue::Cases(cases) => self.bits_of_cases(&cases, width),
        }
    }

    /// The values of an expression one by one. What is a number here is compared with symbols, so that
    /// there are few of them.
    pub(crate) fn as_cases(
        &mut self,
        value: EncodedValue,
        ty: Type,
    ) -> Result<Vec<(i64, Bdd)>, Stop> {
        match value {
            EncodedValue::Cases(cases) => Ok(cases),
            EncodedValue::Bool(set) => Ok(vec![(0, set.not()), (1, set)]),
            EncodedValue::Bits(bits) => {
                let all = self.manager.constant(true);
                let mut cases = Vec::new();
                self.split(&bits, all, 0, is_signed(ty), &mut cases)?;
                Ok(cases)
            }
        }
    }

    /// Goes through the bits from the highest, leaving out what cannot be.
    fn split(
        &mut self,
        bits: &[Bdd],
        here: Bdd,
        value: i64,
        is_sign: bool,
        cases: &mut Vec<(i64, Bdd)>,
    ) -> Result<(), Stop> {
        if here.is_empty() {
            return Ok(());
        }
        let Some((bit, rest)) = bits.split_last() else {
            cases.push((value, here));
            return Ok(());
        };
        let weight = 1i64 << rest.len().min(63);
        let weight = if is_sign { weight.wrapping_neg() } else { weight };
        let one = self.manager.and(&here, bit)?;
        let zero = self.manager.minus(&here, bit)?;
        self.split(rest, one, value.wrapping_add(weight), false, cases)?;
        self.split(rest, zero, value, false, cases)
    }
}

fn connective(op: Binary) -> fn(&mut Manager, &Bdd, &Bdd) -> Result<Bdd, Stop> {
    match op {
        Binary::And => Manager::and,
        Binary::Or => Manager::or,
        _ => Manager::xor,
    }
}
