//! An SMV file component by component, by abstraction and refinement.

use super::components::ComponentChoice;
use super::{StatedProperty, TransitionSystem};
use crate::error::Error;
use crate::property::NativeProperty as Asking;
use automata::Valuations;
use explicit::{Inseparable, Outcome, Reason, Refinement, Round};
use logic::{FairTerm, Fairness, Family, Formula, PropId, Signature};
use refine::{
    ConcreteComponents, ConcretisationError, Policy, RefinedMachine, RefinementQuestion, Stop,
};
use support::{Interner, Monitor, SourceMap};
use transition::{Machine, StateProperty};

/// How to refine.
pub struct RefinementSetting<'a> {
    pub parts: &'a ComponentChoice,
    pub refinement: Refinement,
    pub most_nodes: usize,
    pub watch: &'a (dyn Fn(&Round) + Sync),
    pub monitor: &'a Monitor,
}

/// The result of a refinement.
pub struct Refined {
    pub outcome: Outcome,
    /// The components, as far as the specification depends on them.
    pub components: Vec<String>,
    pub has_no_start: bool,
    leaves_open: bool,
}

impl Refined {
    fn without_concretisation(outcome: Outcome) -> Self {
        Self { outcome, components: Vec::new(), has_no_start: false, leaves_open: false }
    }

    /// Whether something that was left open has to be looked at.
    fn is_left_open(&self) -> bool {
        self.leaves_open && matches!(self.outcome.reason, Some(Reason::Undetermined(_)))
    }
}

impl TransitionSystem {
    /// Answers a specification, or returns why components cannot decide it.
    pub fn refine(
        &self,
        asked: &StatedProperty,
        manner: &RefinementSetting,
    ) -> Result<Result<Refined, Inseparable>, Error> {
        let Some(property) = &asked.property else {
            let outcome = asked.without_property();
            return Ok(Ok(Refined::without_concretisation(outcome)));
        };
        let question = Question::new(self, asked);
        // Words that are handed on seldom matter.
        match self.refine_with(&question, property, manner, true)? {
            Ok(refined) if refined.is_left_open() => {
                self.refine_with(&question, property, manner, false)
            }
            answer => Ok(answer),
        }
    }

    fn refine_with(
        &self,
        question: &Question,
        property: &Asking,
        manner: &RefinementSetting,
        leaves_open: bool,
    ) -> Result<Result<Refined, Inseparable>, Error> {
        let RefinementSetting { parts, most_nodes, monitor, .. } = *manner;
        let subject = RefinedMachine {
            machine: &question.machine,
            labels: &question.labels,
            division: &parts.division,
            missing: &parts.missing,
            leaves_open,
        };
        let policy = Policy { most_nodes, ..Policy::default() };
        let concrete = match ConcreteComponents::new(subject, policy, monitor) {
            Ok(concrete) => concrete,
            Err(ConcretisationError::Stop(Stop::Stopped(stopped))) => {
                return Err(Error::Stopped(stopped));
            }
            Err(ConcretisationError::Stop(full)) => {
                let outcome = Outcome::stopped(full.into());
                return Ok(Ok(Refined::without_concretisation(outcome)));
            }
            Err(ConcretisationError::Inseparable(why)) => return Ok(Err(why)),
        };
        let goes_on = concrete.never_ends() || self.document.counts_finite_paths;
        let formula = question.compile(property, &concrete.props(), goes_on)?;
        let RefinementSetting { refinement, watch, .. } = manner;
        let inquiry = RefinementQuestion {
            formula: &formula,
            refinement: refinement.clone(),
            watch: *watch,
            monitor,
        };
        let outcome = concrete.refine(&inquiry);
        let components = concrete.components().map(str::to_owned).collect();
        let (has_no_start, leaves_open) = (concrete.has_no_start(), concrete.leaves_open());
        Ok(Ok(Refined { outcome, components, has_no_start, leaves_open }))
    }
}

/// A specification by itself: what it speaks of, in states that remember steps.
struct Question {
    machine: Machine,
    labels: Vec<StateProperty>,
    fair: Vec<String>,
}

impl Question {
    fn new(program: &TransitionSystem, asked: &StatedProperty) -> Self {
        let machine = match asked.is_fair {
            true => program.document.machine.with_history_variables(),
            false => program.document.machine.clone(),
        };
        let mut labels = program.propositions(&[asked]);
        let fair = match asked.is_fair {
            true => program.fairness(&machine, &mut labels),
            false => Vec::new(),
        };
        Self { machine, labels, fair }
    }

    fn compile(
        &self,
        property: &Asking,
        props: &Interner<PropId>,
        goes_on: bool,
    ) -> Result<Formula, Error> {
        let term = |name: &String| Some(FairTerm::State(props.get(name)?, name.clone()));
        let terms: Vec<FairTerm> = self.fair.iter().filter_map(term).collect();
        let everywhere = terms.is_empty() && goes_on;
        let fairness = Fairness { terms, everywhere, ..Fairness::default() };
        let signature = Signature { family: Family::Props, props, actions: &[] };
        let valuations = Valuations::Complete;
        automata::compile(&property.surface, &signature, &fairness, valuations, &mut Vec::new())
            .map_err(|errors| Error::of(errors, &SourceMap::new()))
    }
}
