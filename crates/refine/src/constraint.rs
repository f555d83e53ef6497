//! Constraints on a transition system, encoded as BDDs.

use crate::classes::{Classes, MOST_VALUES};
use bdd::{Bdd, Manager, Stop};
use encode::{EncodedExpr, Encoder, Layout};
use rustc_hash::FxHashMap;
use transition::{Access, Conjunct, Machine, NodeId, Section, StateProperty, VarId, VarKind};

/// A conjunct, or a proposition that is asked about.
pub(crate) struct EncodedConstraint {
    /// `None` of a proposition.
    pub section: Option<Section>,
    pub set: Bdd,
    /// Where it fails; there the set says nothing.
    pub wrong: Option<Bdd>,
    /// The state variables that it speaks of.
    pub vars: Vec<VarId>,
    /// Those of them of whose values in a next state it speaks.
    pub next: Vec<VarId>,
    /// Of those that are not too wide: which of their values it tells apart.
    pub classes: FxHashMap<VarId, Classes>,
}

pub(crate) struct Writer<'a> {
    pub machine: &'a Machine,
    pub layout: &'a Layout,
    pub manager: &'a mut Manager,
    pub known: FxHashMap<NodeId, EncodedExpr>,
}

impl Writer<'_> {
    pub fn pause(&self) -> Result<(), Stop> {
        self.manager.monitor().step(1).map_err(Stop::Stopped)
    }

    fn encoder(&mut self) -> Encoder<'_> {
        Encoder {
            machine: self.machine,
            layout: self.layout,
            manager: self.manager,
            known: &mut self.known,
        }
    }

    pub fn conjunct(&mut self, conjunct: &Conjunct) -> Result<EncodedConstraint, Stop> {
        self.pause()?;
        let (set, wrong) = self.encoder().conjunct(conjunct)?;
        self.constraint(Some(conjunct.section), set, wrong, &conjunct.access)
    }

    pub fn label(&mut self, label: &StateProperty) -> Result<EncodedConstraint, Stop> {
        let wrong = self.encoder().encode(label.node)?.missing;
        let set = self.encoder().truth(label.node)?;
        let access = self.machine.access([label.node]);
        self.constraint(None, set, wrong, &access)
    }

    fn constraint(
        &mut self,
        section: Option<Section>,
        set: Bdd,
        wrong: Option<Bdd>,
        access: &Access,
    ) -> Result<EncodedConstraint, Stop> {
        let is_state = |var: &VarId| self.machine.vars[*var].kind != VarKind::Input;
        let all = access.now.iter().chain(&access.next).copied();
        let mut vars: Vec<VarId> = all.filter(is_state).collect();
        vars.sort_unstable();
        vars.dedup();
        let mut classes = FxHashMap::default();
        for &var in &vars {
            if self.machine.vars[var].domain.size() <= MOST_VALUES {
                let place = (self.machine, self.layout);
                classes.insert(var, Classes::distinguished_by(&set, var, place, self.manager)?);
            }
        }
        let wrong = wrong.filter(|wrong| !wrong.is_empty());
        let next = match section {
            Some(Section::Trans) => access.next.clone(),
            Some(Section::Invar) => vars.clone(),
            Some(Section::Init) | None => Vec::new(),
        };
        Ok(EncodedConstraint { section, set, wrong, vars, next, classes })
    }
}
