//! A program with all that can be asked of it.

use crate::vocabulary::Vocabulary;
use logic::{Fairness, Family, Formula, Logic, PropId, Signature, Surface};
use std::sync::Arc;
use support::{FileId, Interner, Monitor};
use symbolic::{LabelledMachine, Policy, SymbolicChecker};
use testkit::{FormulaShape, Rng};
use testkit::{SmvDocument, read_smv};
use transition::{Slice, StateProperty};

pub struct Program {
    pub document: SmvDocument,
    pub labels: Vec<StateProperty>,
    pub conditions: Vec<StateProperty>,
    pub fairness: Fairness,
    pub slice: Slice,
}

impl Program {
    pub fn read(text: &str, is_unsliced: bool) -> Option<Self> {
        let text: Arc<str> = text.into();
        Some(Self::of(read_smv(FileId(0), &text).ok()?, is_unsliced))
    }

    pub fn of(document: SmvDocument, is_unsliced: bool) -> Self {
        let machine = &document.machine;
        let Vocabulary { labels, conditions, terms } = Vocabulary::of(&document);
        let slice = match is_unsliced {
            true => machine.unsliced(),
            false => machine.cone(labels.iter().chain(&conditions).map(|property| property.node)),
        };
        let fairness = Fairness { terms, ..Fairness::default() };
        Self { document, labels, conditions, fairness, slice }
    }

    /// `None` if something fails in the program.
    pub fn session(&self, policy: Policy) -> Option<SymbolicChecker> {
        let Self { document, labels, conditions, slice, .. } = self;
        let subject = LabelledMachine { machine: &document.machine, slice, labels, conditions };
        SymbolicChecker::with_policy(subject, policy, &Monitor::new()).ok()
    }

    pub fn compile(&self, surface: &Surface) -> Formula {
        let props: Interner<PropId> = self.labels.iter().map(|label| &*label.name).collect();
        let actions: Vec<String> = self.conditions.iter().map(|c| c.name.clone()).collect();
        let signature = Signature { family: Family::Props, props: &props, actions: &actions };
        logic::compile_fair(surface, &signature, &self.fairness, &mut Vec::new())
            .expect("a proper formula")
    }

    /// The program's own specifications, and some that were made up.
    pub fn formulas(&self, rng: &mut Rng, more: usize) -> Vec<Formula> {
        let surfaces = self.document.specifications.iter().filter_map(|one| match &one.formula {
            Ok(surface) if !surface.logic.has_linear_operators() => Some(self.compile(surface)),
            _ => None,
        });
        let mut formulas: Vec<Formula> = surfaces.collect();
        for _ in 0..more {
            let logic = if rng.chance(0.7) { Logic::Mu } else { Logic::Ctl };
            let props = self.document.propositions.iter().map(|p| p.name.clone()).collect();
            let (family, actions, size) = (Family::Props, Vec::new(), rng.between(3, 14));
            let shape = FormulaShape { logic, family, props, actions, size };
            formulas.push(self.compile(&testkit::formula(rng, &shape)));
        }
        formulas
    }
}
