//! Proof of a definite verdict: sets of states by subformula, in an order in which each follows from those
//! before.

use crate::fixpoints::{Evaluation, Side};
use crate::record::{EarlyStop, Record, Step};
use crate::structure::Structure;
use bdd::{Bdd, Stop};
use logic::{Fix, Formula, Node, NodeId};

/// The steps that show a verdict on a complete structure.
pub(crate) struct Proof {
    pub verdict: bool,
    /// The proven formula: the one that was asked, or its dual if that is false.
    pub shown: Formula,
    pub steps: Vec<Step>,
    /// Initial states in which it is shown.
    pub start: Bdd,
}

/// Shows that a formula is true in all initial states, or false in one of them. `None` if that is not so.
pub(crate) fn prove(
    structure: &mut Structure,
    formula: &Formula,
    verdict: bool,
    care: &Bdd,
) -> Result<Option<Proof>, Stop> {
    let shown = if verdict { formula.clone() } else { formula.dual() };
    let init = structure.init.clone();
    let mut evaluation = Evaluation::new(structure, &shown, Side::Pessimist, care)?;
    evaluation.record = Some(Record::new(formula));
    let set = evaluation.show_initially(shown.root(), &init, verdict)?;
    let steps = evaluation.record.take().map(|record| record.steps).unwrap_or_default();
    let start = structure.manager.and(&set, &init)?;
    let is_shown = if verdict { start == init } else { !start.is_empty() };
    Ok(is_shown.then_some(Proof { verdict, shown, steps, start }))
}

impl Evaluation<'_> {
    /// States in which a formula is true, as many as it takes to have all initial ones, or one of them.
    fn show_initially(&mut self, id: NodeId, init: &Bdd, all: bool) -> Result<Bdd, Stop> {
        match self.formula.node(id) {
            Node::Or(a, b) if !all => {
                let first = self.show_initially(a, init, all)?;
                let meets = !self.structure.manager.and(&first, init)?.is_empty();
                if meets { Ok(first) } else { self.show_initially(b, init, all) }
            }
            Node::And(a, b) if all => {
                let first = self.show_initially(a, init, all)?;
                let second = self.show_initially(b, init, all)?;
                self.structure.manager.and(&first, &second)
            }
            Node::Fix(var) if self.formula.var(var).kind == Fix::Mu => {
                self.stop_when(Some(EarlyStop { of: id, states: init.clone(), all }));
                let set = self.node(id)?;
                // The set may be larger, and another subformula may need the rest.
                self.stop_when(None);
                self.memo.remove(&id);
                Ok(set)
            }
            _ => self.node(id),
        }
    }

    fn stop_when(&mut self, enough: Option<EarlyStop>) {
        if let Some(record) = &mut self.record {
            record.enough = enough;
        }
    }
}
