//! Walks through symbolic transition systems: SMV and Promela, by the interpreting stepper.

use super::walk::{Coordinates, Given, Move, MoveQuery, Visit, Walk, given_for, stepping_error};
use super::watch::{CompiledWatch, WatchedAtoms};
use crate::error::Error;
use crate::trace::{TraceAnnotator, location, raw};
use crate::transition_system::{FiniteModel, TransitionSystem};
use logic::Truth;
use logic::evidence::{TraceState, TraceStep};
use std::sync::Arc;
use transition::{ExprNode, Machine, NodeId, Stepper, Valuation, VarId};

pub struct VariableWalk {
    model: Arc<FiniteModel>,
    stepper: Stepper,
    vars: Vec<VarId>,
}

impl VariableWalk {
    pub fn new(model: &Arc<FiniteModel>) -> Result<Self, Error> {
        let stepper = Stepper::new(&model.transition_system()?.document.machine);
        let vars = stepper.vars().collect();
        Ok(Self { model: model.clone(), stepper, vars })
    }

    fn system(&self) -> &TransitionSystem {
        self.model.transition_system().expect("it was made for the stepper")
    }

    fn machine(&self) -> &Machine {
        &self.system().document.machine
    }

    fn annotator(&self) -> TraceAnnotator<'_> {
        TraceAnnotator { system: self.system(), sources: &self.model.sources }
    }

    fn valuation(&self, state: &[i64]) -> Valuation {
        self.vars.iter().copied().zip(state.iter().copied()).collect()
    }
}

impl Walk for VariableWalk {
    fn moves(&mut self, query: &MoveQuery, visit: &mut Visit) -> Result<(), Error> {
        let here = query.from.map(|from| self.valuation(from)).unwrap_or_default();
        let Self { model, stepper, .. } = self;
        let sources = &model.sources;
        let annotator = TraceAnnotator { system: model.transition_system()?, sources };
        let found = match query.from {
            None => {
                let visit = &mut |state| visit(Move::start(state));
                stepper.initial(query.monitor, visit)
            }
            Some(from) => stepper.successors(from, query.monitor, &mut |target, inputs| {
                let inputs: Valuation = inputs.into_iter().collect();
                let mut step = annotator.step(&TraceStep::default(), &here, &inputs);
                step.location = step.span.map(|span| location(sources, span));
                visit(Move { step, ..Move::start(target) })
            }),
        };
        found.map_err(|halt| stepping_error(halt, self.machine(), &self.model.sources))
    }

    fn shown(&self, state: &[i64]) -> TraceState {
        let values = self.annotator().values(&self.valuation(state));
        TraceState { values, ..TraceState::default() }
    }

    fn determined(&self, near: &[i64], values: &Given) -> Option<Coordinates> {
        let machine = self.machine();
        let value = |(&var, &now): (&VarId, &i64)| match self.system().is_control(var) {
            true => Some(now),
            false => raw(machine, var, given_for(values, &machine.vars[var].name)?),
        };
        self.vars.iter().zip(near).map(value).collect()
    }

    fn proposition(&self, state: &[i64], watch: &CompiledWatch, number: usize) -> Truth {
        let WatchedAtoms::Expressions(nodes) = &watch.atoms else { return Truth::Unknown };
        let Some(system) = watch.system() else { return Truth::Unknown };
        // The formula was read with the text once more, which gives variables the same numbers.
        let own = |var: VarId| self.vars.binary_search(&var).ok();
        evaluated(&system.document.machine, nodes[number], |var| Some(state[own(var)?]))
    }
}

/// The truth of an expression; unknown if it has no value or reads something else than the state.
pub fn evaluated(machine: &Machine, node: NodeId, value: impl Fn(VarId) -> Option<i64>) -> Truth {
    let access = machine.access([node]);
    let is_known = |var: &VarId| value(*var).is_some();
    if !access.next.is_empty() || !access.now.iter().all(is_known) {
        return Truth::Unknown;
    }
    let leaf = |leaf: ExprNode| match leaf {
        ExprNode::Now(var) => value(var).unwrap_or_default(),
        _ => 0,
    };
    match machine.exprs.evaluate(node, leaf) {
        Ok(value) => Truth::from(value != 0),
        Err(_) => Truth::Unknown,
    }
}
