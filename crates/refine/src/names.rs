//! Sets of states in words.

use crate::component::EncodedComponent;
use bdd::{Bdd, BddVar, Manager, Stop};
use encode::Layout;
use transition::{Machine, VarId};

/// So many variables are named.
const SHOWN: usize = 4;

/// Names of variables and of their values.
pub(crate) struct ValueNames<'m> {
    pub machine: &'m Machine,
    pub layout: Layout,
}

impl ValueNames<'_> {
    /// The variables that have one value in the set, and, if that is not all that can be said of it, a state
    /// in it.
    pub fn set(
        &self,
        set: &Bdd,
        part: &EncodedComponent,
        manager: &mut Manager,
    ) -> Result<String, Stop> {
        let Some(picked) = manager.pick(set) else { return Ok("nothing".to_owned()) };
        let is_true = |var: BddVar| picked.contains(&(var, true));
        let support = manager.support(set);
        let (mut fixed, mut open) = (Vec::new(), Vec::new());
        let mut all = part.reached.clone();
        for &var in &part.vars {
            if !self.layout.bits(var).iter().any(|bit| support.contains(&bit.now)) {
                continue;
            }
            let same = self.like(var, is_true, manager)?;
            if manager.is_subset(set, &same)? {
                fixed.push(self.text(var, is_true));
                all = manager.and(&all, &same)?;
            } else {
                open.push(self.text(var, is_true));
            }
        }
        let known = listed(&fixed, ",");
        Ok(match (all == *set || open.is_empty(), fixed.is_empty()) {
            (true, true) => "any state".to_owned(),
            (true, false) => known,
            (false, true) => format!("{{{}, …}}", listed(&open, ",")),
            (false, false) => format!("{known} {{{}, …}}", listed(&open, ",")),
        })
    }

    /// Its own variables in a state of the set.
    pub fn state(&self, set: &Bdd, part: &EncodedComponent, manager: &Manager) -> Option<String> {
        let picked = manager.pick(set)?;
        let is_true = |var: BddVar| picked.contains(&(var, true));
        let texts: Vec<String> = part.own.iter().map(|&var| self.text(var, is_true)).collect();
        (!texts.is_empty()).then(|| texts.join(","))
    }

    fn text(&self, var: VarId, is_true: impl Fn(BddVar) -> bool) -> String {
        let value = self.layout.value(self.machine, var, is_true);
        format!("{}={}", self.machine.vars[var].name, self.machine.text(var, value))
    }

    /// All states in which a variable has the value that it has in a valuation.
    fn like(
        &self,
        var: VarId,
        is_true: impl Fn(BddVar) -> bool,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        let mut all = manager.constant(true);
        for bit in self.layout.bits(var) {
            let literal = manager.var(bit.now)?;
            let literal = if is_true(bit.now) { literal } else { literal.not() };
            all = manager.and(&all, &literal)?;
        }
        Ok(all)
    }
}

fn listed(texts: &[String], by: &str) -> String {
    let mut shown = texts.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(by);
    if texts.len() > SHOWN {
        shown += by;
        shown += "…";
    }
    shown
}
