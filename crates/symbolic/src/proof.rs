//! Proof of a definite verdict: sets of states by subformula, in an order in which each follows from those
//! before.

use crate::fixpoints::{Evaluation, Side};
use crate::known::KnownSets;
use crate::record::{EarlyStop, Record, Step};
use crate::relation::Steps;
use crate::structure::Structure;
use bdd::{Bdd, Stop};
use logic::{Fix, Formula, Modality, Node, NodeId, VarId};

/// The steps that show a verdict on a complete structure.
pub(crate) struct Proof {
    pub verdict: bool,
    /// The proven formula: the one that was asked, or its dual if that is false.
    pub shown: Formula,
    pub steps: Vec<Step>,
    /// Initial states in which it is shown.
    pub start: Bdd,
}

/// Shows that a formula is true in all initial states, or false in one of them, and where parts are missing in one for
/// each choice of the initial states of those. `None` if that is not so.
pub(crate) fn prove(
    structure: &mut Structure,
    formula: &Formula,
    verdict: bool,
    care: &Bdd,
) -> Result<Option<Proof>, Stop> {
    prove_from(&KnownSets::default(), structure, formula, verdict, care)
}

/// Proves a verdict from the results of its check.
pub(crate) fn prove_from(
    known: &KnownSets,
    structure: &mut Structure,
    formula: &Formula,
    verdict: bool,
    care: &Bdd,
) -> Result<Option<Proof>, Stop> {
    let shown = if verdict { formula.clone() } else { formula.dual() };
    let init = structure.init.clone();
    let of_all = verdict || structure.missing.is_some();
    let mut evaluation = Evaluation::new(structure, &shown, Side::Pessimist, care)?;
    evaluation.record = Some(Record::new(formula));
    if let Some(solved) = known.solved {
        evaluation.start_from_solved(solved, formula, !verdict)?;
    }
    let set = match evaluation.path_through_layers(known.layers, of_all)? {
        Some(path) => path,
        None => evaluation.show_initially(shown.root(), &init, of_all)?,
    };
    let steps = evaluation.record.take().map(|record| record.steps).unwrap_or_default();
    let start = structure.manager.and(&set, &init)?;
    let is_shown = if verdict { start == init } else { structure.fails(&set.not())? };
    Ok(is_shown.then_some(Proof { verdict, shown, steps, start }))
}

impl Evaluation<'_> {
    /// Of `EF f` in one initial state: sets of states on a path from there to the nearest layer that has `f`, each set
    /// with its successors in those before. `None` if the formula is another one, or has to hold in all of them.
    fn path_through_layers(&mut self, layers: &[Bdd], all: bool) -> Result<Option<Bdd>, Stop> {
        let Some((var, goal)) = self.eventually(self.formula.root()).filter(|_| !all) else {
            return Ok(None);
        };
        self.prove_inner_fixpoints(var)?;
        let goal = self.node(goal)?;
        let Some((mut number, mut states)) = self.earliest(layers, &goal)? else {
            return Ok(None);
        };
        let mut path = self.structure.manager.constant(false);
        loop {
            states = self.some_of(&states)?;
            self.note(Step::Prove(var, states.clone()));
            path = self.structure.manager.or(&path, &states)?;
            if number == 0 {
                return Ok(Some(path));
            }
            let before = self.structure.pre_image(&states, false, Steps::All, self.care)?;
            match self.earliest(&layers[..number], &before)? {
                Some(found) => (number, states) = found,
                None => return Ok(None),
            }
        }
    }

    /// The first layer that meets a set, with the states that they share.
    fn earliest(&mut self, layers: &[Bdd], set: &Bdd) -> Result<Option<(usize, Bdd)>, Stop> {
        for (number, layer) in layers.iter().enumerate() {
            let met = self.structure.manager.and(layer, set)?;
            if !met.is_empty() {
                return Ok(Some((number, met)));
            }
        }
        Ok(None)
    }

    /// A part of a set with a small BDD: all states that agree with one in the variables that decide there.
    fn some_of(&mut self, set: &Bdd) -> Result<Bdd, Stop> {
        let manager = &mut self.structure.manager;
        let mut part = set.clone();
        for (var, value) in manager.pick(set).unwrap_or_default() {
            let is_true = manager.var(var)?;
            part = manager.and(&part, &if value { is_true } else { is_true.not() })?;
        }
        Ok(part)
    }

    /// `f` of `mu Z. f | <> Z` with its variable.
    fn eventually(&self, id: NodeId) -> Option<(VarId, NodeId)> {
        let Node::Fix(var) = self.formula.node(id) else { return None };
        let (modality, goal) = self.everywhere_or_somewhere(id)?;
        (modality == Modality::Dia).then_some((var, goal))
    }

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
