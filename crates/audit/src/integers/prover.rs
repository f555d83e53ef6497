//! Questions to the solver.

use super::data::literals;
use crate::error::AuditError;
use smt::{LinearFormula, SatAnswer, Solver, Variable};
use support::Monitor;

/// Longer questions are cut in messages.
const LONGEST: usize = 400;

/// Asks the solver. An unknown answer makes nothing valid.
pub(crate) struct Prover<'a> {
    pub solver: &'a mut dyn Solver,
    pub monitor: &'a Monitor,
    /// How the variables are called.
    pub names: &'a [String],
}

impl Prover<'_> {
    /// Whether the parts contradict each other. Constants are decided without asking.
    pub fn is_impossible(&mut self, parts: &[LinearFormula]) -> Result<bool, AuditError> {
        if parts.contains(&LinearFormula::Constant(false)) {
            return Ok(true);
        }
        self.monitor.step(1)?;
        match self.solver.check(parts) {
            SatAnswer::Unsat(_) => Ok(true),
            SatAnswer::Sat(_) => Ok(false),
            SatAnswer::Unknown(why) => Err(self.not_known(parts, &why)),
        }
    }

    /// Whether something follows from the parts.
    pub fn implies(
        &mut self,
        parts: &[LinearFormula],
        conclusion: &LinearFormula,
    ) -> Result<bool, AuditError> {
        match conclusion {
            LinearFormula::Constant(true) => Ok(true),
            _ => self.is_impossible(&[parts, &[conclusion.negated()]].concat()),
        }
    }

    /// Whether there are values with which all parts are so; they are tried out.
    pub fn is_possible(&mut self, parts: &[LinearFormula]) -> Result<bool, AuditError> {
        self.monitor.step(1)?;
        match self.solver.check(parts) {
            SatAnswer::Unsat(_) => Ok(false),
            SatAnswer::Sat(model) => {
                let is_so = |part: &LinearFormula| part.holds(&|v| model.value(v)) == Some(true);
                match parts.iter().all(is_so) {
                    true => Ok(true),
                    false => Err(self.not_known(parts, "the values that it gives are none")),
                }
            }
            SatAnswer::Unknown(why) => Err(self.not_known(parts, &why)),
        }
    }

    /// Whether, where the given parts are so, the formulas have one of these lists of values, which differ. Lists are
    /// split by one formula after the other until one answer is enough.
    pub fn is_among(
        &mut self,
        given: &[LinearFormula],
        formulas: &[LinearFormula],
        lists: &[u64],
    ) -> Result<bool, AuditError> {
        let is_all = u32::try_from(formulas.len()).ok().and_then(|n| 1usize.checked_shl(n));
        match lists {
            [] => return self.is_impossible(given),
            [only] => return self.implies(given, &LinearFormula::and(literals(formulas, *only))),
            _ if is_all == Some(lists.len()) => return Ok(true),
            _ => {}
        }
        let Some((first, others)) = formulas.split_first() else { return Ok(true) };
        let (with, without): (Vec<u64>, Vec<u64>) = lists.iter().partition(|&list| list & 1 == 1);
        for (literal, lists) in [(first.clone(), with), (first.negated(), without)] {
            let given = [given, &[literal]].concat();
            let rest: Vec<u64> = lists.iter().map(|list| list >> 1).collect();
            if !self.is_among(&given, others, &rest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn not_known(&self, parts: &[LinearFormula], why: &str) -> AuditError {
        let mut asked =
            LinearFormula::and(parts.iter().cloned()).show(&|variable| self.name(variable));
        if let Some((end, _)) = asked.char_indices().nth(LONGEST) {
            asked.truncate(end);
            asked.push('…');
        }
        AuditError::Undecided(format!(
            "the solver does not know whether this can be: {asked} ({why})"
        ))
    }

    /// The name of a variable; that of its next value has a prime.
    fn name(&self, variable: Variable) -> String {
        let (number, count) = (variable.0 as usize, self.names.len());
        match (self.names.get(number), number.checked_sub(count).and_then(|n| self.names.get(n))) {
            (Some(name), _) => name.clone(),
            (None, Some(name)) => format!("{name}'"),
            (None, None) => format!("{variable:?}"),
        }
    }
}
