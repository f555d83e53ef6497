//! Assignments: that a variable has one of the values that it may be given, and where it is given what it
//! cannot be.

use crate::bits::Circuits;
use crate::encode::{EncodedValue, Encoder, is_signed, width};
use bdd::{Bdd, Stop};
use rustc_hash::FxHashMap;
use transition::{Choice, ChoiceId, Domain, NodeId, Type, VarId};

/// An assignment as a relation.
pub struct Assigned {
    pub relation: Bdd,
    /// Where it is a run-time error: an expression has no value, or a value out of the variable's range.
    pub wrong: Bdd,
}

impl Encoder<'_> {
    pub fn assign(&mut self, var: VarId, is_next: bool, root: ChoiceId) -> Result<Assigned, Stop> {
        let target = self.variable(var, is_next)?;
        let mut done: FxHashMap<ChoiceId, (Bdd, Bdd)> = FxHashMap::default();
        for id in self.machine.choices.below(root) {
            let made = match self.machine.choices.get(id) {
                Choice::One(node) => self.one(var, &target, *node)?,
                Choice::Range(low, high) => self.range(var, &target, *low, *high)?,
                Choice::Any(parts) => {
                    let mut all = [self.manager.constant(false), self.manager.constant(false)];
                    for part in parts {
                        all[0] = self.manager.or(&all[0], &done[part].0)?;
                        all[1] = self.manager.or(&all[1], &done[part].1)?;
                    }
                    all.into()
                }
                Choice::If(condition, then, otherwise) => {
                    let missing = self.encode(*condition)?.missing;
                    let condition = self.truth(*condition)?;
                    let [then, otherwise] = [&done[then], &done[otherwise]];
                    let relation = self.manager.ite(&condition, &then.0, &otherwise.0)?;
                    let wrong = self.manager.ite(&condition, &then.1, &otherwise.1)?;
                    (relation, self.or_missing(wrong, missing)?)
                }
            };
            done.insert(id, made);
        }
        let (relation, wrong) = done[&root].clone();
        Ok(Assigned { relation, wrong })
    }

    fn or_missing(&mut self, wrong: Bdd, missing: Option<Bdd>) -> Result<Bdd, Stop> {
        match missing {
            Some(missing) => self.manager.or(&wrong, &missing),
            None => Ok(wrong),
        }
    }

    fn one(&mut self, var: VarId, target: &EncodedValue, node: NodeId) -> Result<(Bdd, Bdd), Stop> {
        let coded = self.encode(node)?;
        let ty = self.exprs().ty(node);
        let relation = match (target, &coded.value) {
            (EncodedValue::Bool(target), _) => {
                let value = self.truth(node)?;
                self.manager.xor(target, &value)?.not()
            }
            (EncodedValue::Bits(target), EncodedValue::Bits(_)) => {
                let wide = target.len().max(width(ty));
                let signed = is_signed(self.machine.vars[var].domain.ty());
                let value = self.widened(node, wide)?;
                let mut circuits = Circuits(self.manager);
                let target = circuits.resized(target, signed, wide);
                circuits.equal(&target, &value)?
            }
            (target, value) => {
                let target = self.as_cases(target.clone(), self.machine.vars[var].domain.ty())?;
                let value = self.as_cases(value.clone(), ty)?;
                self.equal_cases(&target, &value)?
            }
        };
        let outside = self.outside(var, node)?;
        Ok((relation, self.or_missing(outside, coded.missing)?))
    }

    /// Where an expression has a value that the variable cannot have.
    fn outside(&mut self, var: VarId, node: NodeId) -> Result<Bdd, Stop> {
        let domain = &self.machine.vars[var].domain;
        let ty = self.exprs().ty(node);
        match (domain, ty) {
            (Domain::Bool | Domain::Word { .. }, _) => Ok(self.manager.constant(false)),
            (Domain::Range(low, high), Type::Int { low: least, high: most }) => {
                if *low <= least && most <= *high {
                    return Ok(self.manager.constant(false));
                }
                let wide = width(ty).max(width(domain.ty()));
                let value = self.widened(node, wide)?;
                let mut circuits = Circuits(self.manager);
                let (low, high) = (circuits.constant(*low, wide), circuits.constant(*high, wide));
                let below = circuits.less(&value, &low, true, false)?;
                let above = circuits.less(&high, &value, true, false)?;
                self.manager.or(&below, &above)
            }
            _ => {
                let value = self.encode(node)?.value;
                let mut outside = self.manager.constant(false);
                for (value, set) in self.as_cases(value, ty)? {
                    if !domain.contains(value) {
                        outside = self.manager.or(&outside, &set)?;
                    }
                }
                Ok(outside)
            }
        }
    }

    fn range(
        &mut self,
        var: VarId,
        target: &EncodedValue,
        low: i64,
        high: i64,
    ) -> Result<(Bdd, Bdd), Stop> {
        let domain = &self.machine.vars[var].domain;
        let fits = (low..=high).all(|value| domain.contains(value));
        let wrong = self.manager.constant(!fits);
        let EncodedValue::Bits(bits) = target else {
            let cases = self.as_cases(target.clone(), domain.ty())?;
            let mut within = self.manager.constant(false);
            for (_, set) in cases.iter().filter(|(value, _)| (low..=high).contains(value)) {
                within = self.manager.or(&within, set)?;
            }
            return Ok((within, wrong));
        };
        let ty = Type::Int { low, high };
        let wide = bits.len().max(width(ty));
        let mut circuits = Circuits(self.manager);
        let bits = circuits.resized(bits, true, wide);
        let (low, high) = (circuits.constant(low, wide), circuits.constant(high, wide));
        let above = circuits.less(&low, &bits, true, true)?;
        let below = circuits.less(&bits, &high, true, true)?;
        Ok((self.manager.and(&above, &below)?, wrong))
    }
}
