//! Walks through symbolic transition systems: SMV and Promela, by the interpreting stepper.

use super::walk::{Coordinates, Given, Move, Visit, Walk, stepping_error};
use super::watch::{CompiledWatch, WatchedAtoms};
use crate::control_flow::explain::command_at;
use crate::error::Error;
use crate::transition_system::{FiniteModel, TransitionSystem};
use logic::Truth;
use logic::evidence::{TraceState, TraceStep, TraceValue};
use model::Mode;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use support::Monitor;
use transition::{ExprNode, Machine, NodeId, Stepper, VarId};

pub struct VariableWalk {
    model: Arc<FiniteModel>,
    stepper: Stepper,
    vars: Vec<VarId>,
    /// By value of the selector, if there is one.
    selected: FxHashMap<i64, Selected>,
}

/// A step as the selector names it.
#[derive(Clone, Default)]
struct Selected {
    step: TraceStep,
    movers: Vec<String>,
}

impl VariableWalk {
    pub fn new(model: &Arc<FiniteModel>) -> Result<Self, Error> {
        let system = model.program()?;
        let stepper = Stepper::new(&system.document.machine);
        let (vars, selected) = (stepper.vars().collect(), selected(model, system));
        Ok(Self { model: model.clone(), stepper, vars, selected })
    }

    fn system(&self) -> &TransitionSystem {
        self.model.program().expect("it was made for the stepper")
    }

    fn machine(&self) -> &Machine {
        &self.system().document.machine
    }
}

/// The values of the selector: instances of SMV's processes, or steps of Promela's, which have one constraint each, in
/// the same order.
fn selected(model: &FiniteModel, system: &TransitionSystem) -> FxHashMap<i64, Selected> {
    let machine = &system.document.machine;
    let Some(selector) = machine.selector else { return FxHashMap::default() };
    let domain = &machine.vars[selector].domain;
    let of = |number: u64| {
        let value = domain.value(number);
        let name = machine.text(selector, value);
        let is_instance = |instance: &&transition::Instance| instance.name == name;
        if name == "main" || machine.instances.values().any(|instance| is_instance(&instance)) {
            let step = TraceStep { process: Some(name.clone()), ..TraceStep::default() };
            return (value, Selected { step, movers: vec![name] });
        }
        let constraint = machine.constraints.get(number as usize);
        let process = constraint.map(|found| machine.instances[found.instance].name.clone());
        let Some((constraint, process)) = constraint.zip(process.filter(|name| !name.is_empty()))
        else {
            let step = TraceStep { action: Some(name), ..TraceStep::default() };
            return (value, Selected { step, movers: Vec::new() });
        };
        let (_, statement) = command_at(&model.sources, constraint.span);
        // A rendezvous is `P:line3+Q:line7`.
        let movers = name.split('+').filter_map(|side| side.split_once(':'));
        let step = TraceStep {
            process: Some(process),
            statement: Some(statement),
            span: Some(constraint.span),
            ..TraceStep::default()
        };
        (value, Selected { step, movers: movers.map(|(who, _)| who.to_owned()).collect() })
    };
    (0..domain.size() as u64).map(of).collect()
}

impl Walk for VariableWalk {
    fn initial(&mut self, _: &Given, monitor: &Monitor, visit: &mut Visit) -> Result<(), Error> {
        let found = self.stepper.initial(monitor, &mut |state| visit(Move::start(state)));
        found.map_err(|halt| stepping_error(halt, self.machine(), &self.model.sources))
    }

    fn successors(
        &mut self,
        from: &[i64],
        _: &Given,
        monitor: &Monitor,
        visit: &mut Visit,
    ) -> Result<(), Error> {
        let Self { model, stepper, selected, .. } = self;
        let machine = &model.program()?.document.machine;
        let found = stepper.successors(from, monitor, &mut |target, inputs| {
            let mut taken = Selected::default();
            for (var, value) in inputs {
                if machine.selector == Some(var) {
                    taken = selected.get(&value).cloned().unwrap_or_default();
                } else {
                    taken
                        .step
                        .inputs
                        .push((machine.vars[var].name.clone(), typed(machine, var, value)));
                }
            }
            let Selected { step, movers } = taken;
            visit(Move { target, step, movers, mode: Mode::BOTH, sampled: Vec::new() })
        });
        found.map_err(|halt| stepping_error(halt, self.machine(), &self.model.sources))
    }

    fn shown(&self, state: &[i64]) -> TraceState {
        let machine = self.machine();
        let value = |(&var, &value): (&VarId, &i64)| {
            (machine.vars[var].name.clone(), typed(machine, var, value))
        };
        TraceState { values: self.vars.iter().zip(state).map(value).collect() }
    }

    fn changed(&self, state: &[i64], values: &Given) -> Option<Coordinates> {
        let mut new = state.to_vec();
        for (name, wanted) in values {
            let place = self.vars.iter().position(|&var| self.machine().vars[var].name == *name)?;
            new[place] = untyped(self.machine(), self.vars[place], wanted)?;
        }
        Some(new)
    }

    fn proposition(&self, state: &[i64], watch: &CompiledWatch, number: usize) -> Truth {
        let WatchedAtoms::Expressions(nodes) = &watch.atoms else { return Truth::Unknown };
        let Some(system) = watch.system() else { return Truth::Unknown };
        let own = |var: VarId| {
            let name = &system.document.machine.vars[var].name;
            self.vars.iter().position(|&var| self.machine().vars[var].name == *name)
        };
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

/// A value of a variable as traces have it.
pub fn typed(machine: &Machine, var: VarId, value: i64) -> TraceValue {
    TraceValue::from(&*machine.text(var, value))
}

/// The value of a variable that traces show so, if it has one.
pub fn untyped(machine: &Machine, var: VarId, wanted: &TraceValue) -> Option<i64> {
    let domain = &machine.vars[var].domain;
    match wanted {
        TraceValue::Int(value)
            if domain.contains(*value) && typed(machine, var, *value) == *wanted =>
        {
            Some(*value)
        }
        TraceValue::Bool(value) if typed(machine, var, i64::from(*value)) == *wanted => {
            Some(i64::from(*value))
        }
        _ => {
            const MOST: u128 = 1 << 16;
            let numbers = 0..domain.size().min(MOST) as u64;
            numbers.map(|number| domain.value(number)).find(|&v| typed(machine, var, v) == *wanted)
        }
    }
}
