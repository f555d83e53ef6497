//! Walks through programs with recursive calls. A state has a stack, and there are as many as there is memory for.

use super::programs::{failed_step, proposition_at, statement_step, values_shown};
use super::variables::evaluated;
use super::walk::{Coordinates, Given, Move, MoveQuery, SimulatedLocation, Visit, Walk, given_for};
use super::watch::{CompiledWatch, WatchedAtoms};
use crate::control_flow::explain::command_at;
use crate::error::Error;
use crate::trace::raw;
use crate::transition_system::FiniteModel;
use logic::Truth;
use logic::evidence::TraceState;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use support::Span;
use transition::VarId;
use transition::cfg::{
    Bodies, CtlAtom, FramePoint, FrameStep, FrameSteps, LocationId, ProcedureId, Program,
};

/// A state is the number of its stack, that of the procedure, counted from 1, or 0 for the main program, one of the
/// points below, the location, and the values of all variables.
const VALUES: usize = 4;
const AT_LOCATION: i64 = 0;
/// The call on top of the stack has just ended.
const AT_RETURN: i64 = 1;
const AT_ERROR: i64 = 2;

/// A call that has not come back.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct StackFrame {
    /// The number of the stack below it; 0 is the empty one.
    below: i64,
    /// The caller, as in a state, and the location of the call.
    procedure: i64,
    location: LocationId,
    /// The values of the caller's own variables.
    saved: Vec<i64>,
}

pub struct RecursionWalk {
    model: Arc<FiniteModel>,
    bodies: Bodies,
    /// All stacks that were met, by number from 1, each by its top.
    stacks: Vec<StackFrame>,
    numbers: FxHashMap<StackFrame, i64>,
}

impl RecursionWalk {
    /// Of a model that has a control-flow graph.
    pub fn new(model: &Arc<FiniteModel>, program: &Program) -> Self {
        let (stacks, numbers) = Default::default();
        Self { model: model.clone(), bodies: Bodies::new(program), stacks, numbers }
    }

    fn program(&self) -> &Program {
        &self.model.control_flow.as_ref().expect("it was made for the walk").program
    }

    fn steps(&self) -> FrameSteps<'_> {
        FrameSteps { program: self.program(), bodies: &self.bodies }
    }

    fn frame(&self, stack: i64) -> Option<&StackFrame> {
        self.stacks.get(usize::try_from(stack).ok()?.checked_sub(1)?)
    }

    fn pushed(&mut self, frame: StackFrame) -> i64 {
        let fresh = self.stacks.len() as i64 + 1;
        let number = *self.numbers.entry(frame.clone()).or_insert(fresh);
        if number == fresh {
            self.stacks.push(frame);
        }
        number
    }

    fn point(&self, state: &[i64]) -> FramePoint<&[i64]> {
        let location = LocationId(state[3] as u32);
        match (state[2], self.frame(state[0])) {
            (AT_LOCATION, _) => FramePoint::Location(location),
            (AT_RETURN, Some(frame)) => FramePoint::Return(location, &frame.saved),
            _ => FramePoint::Error,
        }
    }

    fn span(&self, state: &[i64]) -> Option<Span> {
        let own = match self.point(state) {
            FramePoint::Location(location) | FramePoint::Return(location, _) => location,
            FramePoint::Exit | FramePoint::Error => return None,
        };
        let body = self.steps().body(procedure(state));
        Some(self.program().commands[body.locations[own].command].span)
    }

    /// The states after a step.
    fn successors(&mut self, state: &[i64]) -> Vec<Coordinates> {
        let own = procedure(state);
        let (point, values) = (self.point(state), &state[VALUES..]);
        let stack = match (point, self.frame(state[0])) {
            (FramePoint::Return(..), Some(frame)) => frame.below,
            _ => state[0],
        };
        match (self.steps().step(own, point, values), point) {
            (FrameStep::Call(callee, inside), FramePoint::Location(location)) => {
                let saved = match self.steps().return_of(own, location, values) {
                    FramePoint::Return(_, saved) => saved,
                    _ => Vec::new(),
                };
                let entry = self.steps().entry(Some(callee));
                let frame = StackFrame { below: stack, procedure: state[1], location, saved };
                let stack = self.pushed(frame);
                vec![self.state(stack, i64::from(callee.0) + 1, &entry, inside)]
            }
            (FrameStep::Call(..), _) => Vec::new(),
            (FrameStep::Within(next), _) => next
                .into_iter()
                .map(|(point, values)| self.state(stack, state[1], &point, values))
                .collect(),
        }
    }

    /// Where a procedure ends, its caller goes on.
    fn state(
        &self,
        stack: i64,
        procedure: i64,
        point: &FramePoint<Vec<i64>>,
        values: Vec<i64>,
    ) -> Coordinates {
        let control = match (point, self.frame(stack)) {
            (FramePoint::Location(location), _) => {
                [stack, procedure, AT_LOCATION, i64::from(location.0)]
            }
            (FramePoint::Exit, Some(frame)) => {
                [stack, frame.procedure, AT_RETURN, i64::from(frame.location.0)]
            }
            _ => [0, 0, AT_ERROR, 0],
        };
        [&control[..], &values].concat()
    }

    /// A variable of a procedure is assigned before it is read. So it begins with its first value, or with a given one.
    fn starts(&self, query: &MoveQuery) -> Result<Vec<Coordinates>, Error> {
        let (program, entry) = (self.program(), self.steps().entry(None));
        let mut starts = Vec::new();
        for mut values in self.steps().initial([], query.monitor)? {
            for (var, described) in program.data.vars.iter() {
                let given = given_for(query.given, &described.name);
                let given = given.filter(|_| described.name.contains('.'));
                if let Some(value) = given.and_then(|value| raw(&program.data, var, value)) {
                    values[var.0 as usize] = value;
                }
            }
            starts.push(self.state(0, 0, &entry, values));
        }
        Ok(starts)
    }
}

fn procedure(state: &[i64]) -> Option<ProcedureId> {
    Some(ProcedureId(u32::try_from(state[1]).ok()?.checked_sub(1)?))
}

impl Walk for RecursionWalk {
    fn moves(&mut self, query: &MoveQuery, visit: &mut Visit) -> Result<(), Error> {
        let Some(from) = query.from else {
            let starts = self.starts(query)?;
            let _ = starts.into_iter().try_for_each(|start| visit(Move::start(start)));
            return Ok(());
        };
        let step = self.span(from).map_or_else(failed_step, |span| {
            let mut step = statement_step(&self.model.sources, span);
            if let Some(statement) = step.statement.as_mut().filter(|_| from[2] == AT_RETURN) {
                statement.push_str("   (return)");
            }
            step
        });
        let mut seen = FxHashSet::default();
        for target in self.successors(from) {
            query.monitor.check()?;
            let is_new = seen.insert(target.clone());
            if is_new && visit(Move { step: step.clone(), ..Move::start(target) }).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn shown(&self, state: &[i64]) -> TraceState {
        let data = &self.program().data;
        values_shown(data, data.vars.ids().zip(state[VALUES..].iter().copied()))
    }

    fn determined(&self, near: &[i64], values: &Given) -> Option<Coordinates> {
        let data = &self.program().data;
        let value = |var: VarId| raw(data, var, given_for(values, &data.vars[var].name)?);
        near[..VALUES].iter().copied().map(Some).chain(data.vars.ids().map(value)).collect()
    }

    fn locations(&self, state: &[i64]) -> Vec<SimulatedLocation> {
        let of = |span: Span| {
            let (line, statement) = command_at(&self.model.sources, span);
            SimulatedLocation { process: String::new(), line, statement }
        };
        self.span(state).map(of).into_iter().collect()
    }

    fn proposition(&self, state: &[i64], watch: &CompiledWatch, number: usize) -> Truth {
        let WatchedAtoms::Program(atoms) = &watch.atoms else { return Truth::Unknown };
        let Some(asked) = watch.control_flow() else { return Truth::Unknown };
        let data = &asked.program.data;
        match (atoms[number], self.point(state)) {
            (CtlAtom::Holds(node), _) => {
                evaluated(data, node, |var| state.get(VALUES + var.0 as usize).copied())
            }
            (CtlAtom::At(label), FramePoint::Location(location)) => {
                let there = &self.steps().body(procedure(state)).locations[location];
                proposition_at(there, asked.program.labels.name(label), self.program())
            }
            (CtlAtom::Error, point) => Truth::from(matches!(point, FramePoint::Error)),
            (CtlAtom::At(_) | CtlAtom::End, _) => Truth::False,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Form, Model};
    use std::cell::Cell;
    use std::ops::ControlFlow;
    use support::Monitor;
    use testkit::for_seeds;
    use testkit::programs::{jumping_text, stacked_model};
    use transition::cfg::CommandKind;

    /// How many frames the oracle looks at.
    const DEEPEST: usize = 3;

    fn height(walk: &RecursionWalk, mut stack: i64) -> usize {
        let mut height = 0;
        while let Some(frame) = walk.frame(stack) {
            (stack, height) = (frame.below, height + 1);
        }
        height
    }

    /// The walk has the states and steps of the interpreter, up to some height of the stack.
    #[test]
    fn walks_have_the_stacks_of_the_interpreter() {
        let compared = Cell::new(0);
        for_seeds("simulate-recursion", 0..3000, |rng, case| {
            let text = jumping_text(rng, true).program;
            case.note(&text);
            let model = Model::read("while", "p.while", &text).map_err(|e| e.to_string())?;
            let Form::Finite(model) = model.form() else { return Ok(()) };
            let program = &model.control_flow.as_ref().ok_or("no control flow")?.program;
            // Of these the interpreter distinguishes states that the graph does not, and conversely.
            let differs = |kind: &CommandKind| {
                matches!(kind, CommandKind::Call(_) | CommandKind::While { .. })
            };
            if program.recursion().is_none()
                || program.commands.values().any(|command| differs(&command.kind))
            {
                return Ok(());
            }
            let Some(reference) = stacked_model(program, &[], DEEPEST, 1500) else { return Ok(()) };
            let mut walk = RecursionWalk::new(model, program);
            let monitor = Monitor::new();
            let moves = |walk: &mut RecursionWalk, from: Option<&[i64]>| {
                let mut found = Vec::new();
                let query = MoveQuery { from, given: &[], monitor: &monitor };
                let visited = walk.moves(&query, &mut |step| {
                    found.push(step.target);
                    ControlFlow::Continue(())
                });
                visited.map(|()| found).map_err(|error| error.to_string())
            };
            let starts = moves(&mut walk, None)?;
            let (mut states, mut at, mut edges) = (starts.clone(), 0, 0);
            let mut seen: FxHashSet<Coordinates> = starts.iter().cloned().collect();
            let mut is_too_deep = false;
            while let Some(state) = states.get(at).cloned() {
                at += 1;
                for next in moves(&mut walk, Some(&state))? {
                    edges += 1;
                    if height(&walk, next[0]) > DEEPEST {
                        is_too_deep = true;
                    } else if seen.insert(next.clone()) {
                        states.push(next);
                    }
                }
            }
            // What is too deep is one state, which leads to itself.
            let deep = usize::from(is_too_deep);
            let found = (starts.len(), states.len() + deep, edges + deep);
            let expected = reference.edges().triples().count();
            let wanted = (reference.init().len(), reference.states(), expected);
            compared.set(compared.get() + 1);
            if found == wanted { Ok(()) } else { Err(format!("{found:?} is not {wanted:?}")) }
        });
        if std::env::var_os("TERTIUM_SEED").is_none() {
            assert!(compared.get() > 50, "{}", compared.get());
        }
    }
}
