//! Traces with all variables. Engines tell those that the property depends on; the others are stepped along with them.
//!
//! The cone of influence has all constraints in it, so variables outside of it are only assigned: no choice of theirs
//! blocks a step. Where they are others at the end of a loop than at its start, the loop is gone through again.

use std::ops::ControlFlow;
use support::{Monitor, Stopped};
use transition::{
    Constraint, InstanceId, Machine, NodeId, Section, StepError, SteppedState, Stepper, Valuation,
    VarId, VarKind,
};

/// A longer trace is left as it is.
const MOST_STATES: usize = 1_000;

/// A path by the values of some variables: the states, the inputs of each step, and where the last step leads back to.
pub(crate) struct KnownPath<'a> {
    pub states: &'a [Valuation],
    pub inputs: &'a [Valuation],
    pub loop_start: Option<usize>,
}

/// A path by the values of all variables.
pub(crate) struct WholePath {
    pub states: Vec<Valuation>,
    pub inputs: Vec<Valuation>,
    /// By state: the state of the known path that it is.
    pub origins: Vec<usize>,
    pub loop_start: Option<usize>,
}

/// Finds values of all variables along a path; `None` if there are none, or not within the limits.
pub(crate) fn whole_path(
    machine: &Machine,
    known: &KnownPath,
    monitor: &Monitor,
) -> Result<Option<WholePath>, Stopped> {
    let Some(first) = known.states.first() else { return Ok(None) };
    let mut walk = PathWalk { machine, monitor, vars: Vec::new() };
    let Some(mut now) = walk.start(first)? else { return Ok(None) };
    let mut whole = WholePath {
        states: vec![walk.valuation(&now)],
        inputs: Vec::new(),
        origins: vec![0],
        loop_start: None,
    };
    let mut at = 0;
    loop {
        let next = match at + 1 < known.states.len() {
            true => at + 1,
            false => match known.loop_start {
                Some(start) => start,
                None => return Ok(Some(whole)),
            },
        };
        let empty = Valuation::default();
        let inputs = known.inputs.get(at).unwrap_or(&empty);
        let Some((state, inputs)) = walk.step(&now, &known.states[next], inputs)? else {
            return Ok(None);
        };
        let values = walk.valuation(&state);
        whole.inputs.push(inputs);
        let is_again = |place: usize| whole.origins[place] == next && whole.states[place] == values;
        if next <= at
            && let Some(start) = (0..whole.states.len()).find(|&place| is_again(place))
        {
            whole.loop_start = Some(start);
            return Ok(Some(whole));
        }
        if whole.states.len() == MOST_STATES {
            return Ok(None);
        }
        whole.states.push(values);
        whole.origins.push(next);
        (now, at) = (state, next);
    }
}

struct PathWalk<'a> {
    machine: &'a Machine,
    monitor: &'a Monitor,
    /// The variables of a state, in its order.
    vars: Vec<VarId>,
}

impl PathWalk<'_> {
    fn valuation(&self, state: &SteppedState) -> Valuation {
        self.vars.iter().copied().zip(state.iter().copied()).collect()
    }

    /// An initial state with these values.
    fn start(&mut self, values: &Valuation) -> Result<Option<SteppedState>, Stopped> {
        let mut machine = self.machine.clone();
        for (&var, &value) in values {
            let now = machine.now(var);
            require(&mut machine, Section::Init, (var, now), value);
        }
        let mut stepper = Stepper::new(&machine);
        self.vars = stepper.vars().collect();
        let mut found = None;
        let ended = stepper.initial(self.monitor, &mut |state| {
            found = Some(state);
            ControlFlow::Break(())
        });
        settled(ended, found)
    }

    /// A step to a state with these values, by these inputs.
    fn step(
        &self,
        from: &SteppedState,
        to: &Valuation,
        inputs: &Valuation,
    ) -> Result<Option<(SteppedState, Valuation)>, Stopped> {
        let mut machine = self.machine.clone();
        let is_state = |(var, _): &(&VarId, &i64)| self.machine.vars[**var].kind == VarKind::State;
        for (&var, &value) in to.iter().filter(is_state) {
            let next = machine.next(var);
            require(&mut machine, Section::Trans, (var, next), value);
        }
        for (&var, &value) in inputs {
            let input = machine.now(var);
            require(&mut machine, Section::Trans, (var, input), value);
        }
        let mut found = None;
        let ended = Stepper::new(&machine).successors(from, self.monitor, &mut |state, inputs| {
            found = Some((state, inputs.into_iter().collect()));
            ControlFlow::Break(())
        });
        settled(ended, found)
    }
}

/// Adds the constraint that a variable has a value, now or next as the expression says.
fn require(machine: &mut Machine, section: Section, (var, node): (VarId, NodeId), value: i64) {
    let ty = machine.exprs.ty(node);
    let value = machine.exprs.constant(value, ty);
    let node = machine.exprs.eq(node, value);
    let (instance, span) = (InstanceId(0), machine.vars[var].span);
    machine.constraints.push(Constraint { section, node, instance, span });
}

/// A run-time error of a variable that the property does not depend on leaves the path as it is.
fn settled<T>(ended: Result<(), StepError>, found: Option<T>) -> Result<Option<T>, Stopped> {
    match ended {
        Err(StepError::Stopped(stopped)) => Err(stopped),
        Err(_) => Ok(None),
        Ok(()) => Ok(found),
    }
}
