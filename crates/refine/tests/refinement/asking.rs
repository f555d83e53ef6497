//! Asking a program by refinement and by fixpoints on the composition.

use explicit::{Outcome, Refinement};
use logic::{FairTerm, Fairness, Family, Formula, PropId, Signature, Surface, Truth};
use refine::{ConcreteComponents, ConcretisationError, Policy, RefinedMachine, RefinementQuestion};
use std::sync::Arc;
use support::{FileId, Interner, Monitor};
use symbolic::SymbolicChecker;
use testkit::{SmvDocument, read_smv};
use transition::{Division, InstanceId, Machine, StateProperty};

pub fn read(text: &str) -> Result<SmvDocument, String> {
    let text: Arc<str> = text.into();
    read_smv(FileId(0), &text).map_err(|errors| {
        let messages: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
        format!("the program is refused: {}", messages.join("; "))
    })
}

/// A program as both are asked: states remember the steps that fairness speaks of.
pub struct Program {
    pub document: SmvDocument,
    pub machine: Machine,
}

impl Program {
    pub fn new(document: SmvDocument) -> Self {
        let machine = document.machine.with_history_variables();
        Self { document, machine }
    }

    pub fn surfaces(&self) -> impl Iterator<Item = &Surface> {
        self.document.specifications.iter().filter_map(|one| one.formula.as_ref().ok())
    }

    /// Propositions of a specification and its fairness constraints.
    fn labels(&self, surface: &Surface) -> (Vec<StateProperty>, Vec<String>) {
        let exprs = surface.exprs.values();
        let is_used = |name: &str| {
            let mut exprs = exprs.clone();
            exprs.any(|(expr, _)| matches!(expr, logic::Expr::Prop(prop) if prop == name))
        };
        let propositions = self.document.propositions.iter();
        let mut labels: Vec<StateProperty> =
            propositions.filter(|property| is_used(&property.name)).cloned().collect();
        let mut fair = Vec::new();
        for (index, fairness) in self.machine.fairness.iter().enumerate() {
            let name = format!("fair {index}");
            labels.push(StateProperty { name: name.clone(), node: fairness.node });
            fair.push(name);
        }
        (labels, fair)
    }

    /// By fixpoints.
    pub fn verdict(&self, surface: &Surface) -> Result<Truth, String> {
        let (labels, fair) = self.labels(surface);
        let slice = self.machine.cone(labels.iter().map(|label| label.node));
        let machine = &self.machine;
        let subject =
            symbolic::LabelledMachine { machine, slice: &slice, labels: &labels, conditions: &[] };
        let mut session = SymbolicChecker::with_policy(subject, Policy::default(), &Monitor::new())
            .map_err(|halt| format!("{halt:?}"))?;
        let props = labels.iter().map(|label| &*label.name).collect();
        let formula = compile(surface, &props, &fair, false);
        session.check(&formula).map_err(|stop| format!("{stop:?}"))
    }

    /// Whether there is no initial state.
    pub fn never_starts(&self) -> bool {
        let (machine, slice) = (&self.machine, &self.machine.unsliced());
        let subject = symbolic::LabelledMachine { machine, slice, labels: &[], conditions: &[] };
        let session = SymbolicChecker::with_policy(subject, Policy::default(), &Monitor::new());
        session.is_ok_and(|session| session.has_no_start())
    }

    /// By refinement.
    pub fn refine(
        &self,
        surface: &Surface,
        how: (&Division, Refinement),
        policy: Policy,
    ) -> Result<Outcome, ConcretisationError> {
        self.refine_without(surface, &[], how, policy)
    }

    /// Checks by refinement with some instances missing.
    pub fn refine_without(
        &self,
        surface: &Surface,
        missing: &[InstanceId],
        how: (&Division, Refinement),
        policy: Policy,
    ) -> Result<Outcome, ConcretisationError> {
        let (labels, fair) = self.labels(surface);
        let (division, refinement) = how;
        let machine = &self.machine;
        let subject =
            RefinedMachine { machine, labels: &labels, division, missing, leaves_open: true };
        let monitor = Monitor::new();
        let ask = |subject| -> Result<(Outcome, bool), ConcretisationError> {
            let concretisations = ConcreteComponents::new(subject, policy, &monitor)?;
            let formula =
                compile(surface, &concretisations.props(), &fair, concretisations.never_ends());
            let (refinement, monitor) = (refinement.clone(), &monitor);
            let question =
                RefinementQuestion { formula: &formula, refinement, watch: &|_| {}, monitor };
            Ok((concretisations.refine(&question), concretisations.leaves_open()))
        };
        match ask(subject)? {
            (outcome, true) if !outcome.verdict.is_definite() => {
                Ok(ask(RefinedMachine { leaves_open: false, ..subject })?.0)
            }
            (outcome, _) => Ok(outcome),
        }
    }
}

fn compile(
    surface: &Surface,
    props: &Interner<PropId>,
    fair: &[String],
    never_ends: bool,
) -> Formula {
    let term = |name: &String| Some(FairTerm::State(props.get(name)?, name.clone()));
    let terms: Vec<FairTerm> = fair.iter().filter_map(term).collect();
    let everywhere = never_ends && terms.is_empty();
    let fairness = Fairness { terms, everywhere, ..Fairness::default() };
    let signature = Signature { family: Family::Props, props, actions: &[] };
    logic::compile_fair(surface, &signature, &fairness, &mut Vec::new()).expect("a proper formula")
}
