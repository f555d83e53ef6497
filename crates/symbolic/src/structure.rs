//! Symbolic Kripke structure of the fixpoints: states and steps as sets of valuations, whatever they were
//! encoded from.

use crate::musts::Must;
use crate::relation::{Relation, Steps};
use bdd::{Bdd, Cube, Manager, Stop};
use logic::{ActionSet, Formula, PropId};
use rustc_hash::FxHashMap;
use support::IdVec;

/// Where a proposition is true and where it is false.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub tt: Bdd,
    pub ff: Bdd,
}

pub(crate) struct Structure {
    pub manager: Manager,
    /// Among the valuations, those that are states.
    pub states: Bdd,
    pub init: Bdd,
    pub may: Relation,
    /// `None` where all steps are must steps.
    pub must: Option<Must>,
    pub labels: IdVec<PropId, Label>,
    /// Propositions that are true where a formula is, until it is found out where.
    pub defined: FxHashMap<PropId, Formula>,
    /// The names of the conditions on steps that modalities can have.
    pub conditions: Vec<String>,
    /// How many truth variables a state has.
    pub bits: usize,
    /// Where parts of a system are missing.
    pub missing: Option<MissingStart>,
}

/// Where the missing parts of a system start: of their initial states an implementation has unknown ones.
#[derive(Clone)]
pub(crate) struct MissingStart {
    /// The bits of the parts that are specified.
    pub known: Cube,
    /// The initial states, with those of the missing parts even where these are no part of the structure.
    pub init: Bdd,
}

impl Structure {
    /// Without states.
    pub fn empty(manager: Manager) -> Self {
        let none = manager.constant(false);
        Self {
            manager,
            states: none.clone(),
            init: none,
            may: Relation { parts: Vec::new() },
            must: None,
            labels: IdVec::new(),
            defined: FxHashMap::default(),
            conditions: Vec::new(),
            bits: 0,
            missing: None,
        }
    }

    /// The steps of a modality.
    pub fn steps<'f>(&self, actions: &'f ActionSet) -> Steps<'f> {
        let is_known = |name: &String| self.conditions.iter().position(|c| c == name);
        match actions.names().first().and_then(is_known) {
            Some(condition) => Steps::Where(condition),
            None if actions.is_any() => Steps::All,
            None => Steps::By(actions),
        }
    }

    /// Pre-image: the states of `among` with a may (must) transition of `steps` into `to`.
    pub fn pre_image(
        &mut self,
        to: &Bdd,
        is_must: bool,
        steps: Steps,
        among: &Bdd,
    ) -> Result<Bdd, Stop> {
        match &self.must {
            Some(must) if is_must => must.pre_image(to, steps, among, &mut self.manager),
            _ => self.may.pre_image(to, steps, among, &mut self.manager),
        }
    }

    /// The relation that is used for may or must transitions; `None` for must hyper-transitions.
    pub fn steps_of(&mut self, is_must: bool) -> Option<(&Relation, &mut Manager)> {
        let relation = match &self.must {
            Some(Must::Steps(relation)) if is_must => relation,
            Some(Must::Choices(_)) if is_must => return None,
            _ => &self.may,
        };
        Some((relation, &mut self.manager))
    }

    /// How many states a set has.
    pub fn count(&self, set: &Bdd) -> f64 {
        self.manager.density(set) * 2f64.powi(self.bits as i32)
    }
}
