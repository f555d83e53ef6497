//! The steps of a program with recursive calls, one frame at a time.
//!
//! A state is a stack of frames. What a step does depends on the top frame: on where it is ([`FramePoint`]) and on the
//! values of all variables. A call pushes a frame and keeps the values of the caller's own variables; where the body
//! ends ([`FramePoint::Exit`]), the state is that of the caller behind the call ([`FramePoint::Return`]).

use crate::cfg::graph::{Cfg, CfgEdge, CfgTarget, LocationId};
use crate::cfg::program::{CommandKind, CtlAtom, Effect, ProcedureId, Program, RecursiveCall};
use crate::{ExprNode, NodeId, Section, VarId};
use std::cell::OnceCell;
use support::{IdVec, Monitor, StopReason, Stopped};

/// More initial states than this are not enumerated.
const MOST_INITIAL: usize = 1 << 20;

/// The program counter of a frame. `F` stands for the values of the caller's own variables, those of
/// [`RecursiveCall::saved`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FramePoint<F> {
    Location(LocationId),
    /// Behind the call there, with the caller's variables as they were.
    Return(LocationId, F),
    /// The procedure has ended: the same state as the return of the caller.
    Exit,
    Error,
}

/// The steps in a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FrameStep {
    /// Steps within the frame, each with the values after it. At an exit there is none.
    Within(Vec<(FramePoint<Vec<i64>>, Vec<i64>)>),
    /// The only step is one into a new frame at the entry of a procedure, with these values.
    Call(ProcedureId, Vec<i64>),
}

/// The control-flow graphs of the main program and of the procedures that have frames.
pub struct Bodies {
    main: Cfg,
    procedures: IdVec<ProcedureId, OnceCell<Cfg>>,
}

impl Bodies {
    pub fn new(program: &Program) -> Self {
        Self {
            main: Cfg::of(program, &[], &program.body),
            procedures: program.procedures.iter().map(|_| OnceCell::new()).collect(),
        }
    }
}

/// The steps of a program without holes.
#[derive(Clone, Copy)]
pub struct FrameSteps<'p> {
    pub program: &'p Program,
    pub bodies: &'p Bodies,
}

impl<'p> FrameSteps<'p> {
    /// The graph of a procedure; `None` stands for the main program.
    pub fn body(&self, procedure: Option<ProcedureId>) -> &'p Cfg {
        let program = self.program;
        procedure.map_or(&self.bodies.main, |id| {
            let body = || Cfg::of(program, &[], &program.procedures[id].body);
            self.bodies.procedures[id].get_or_init(body)
        })
    }

    pub fn entry<F>(&self, procedure: Option<ProcedureId>) -> FramePoint<F> {
        FramePoint::Location(self.body(procedure).entry)
    }

    /// Whether an atom holds in a frame. Labels stand before commands, so they do not hold behind calls.
    pub fn holds<F>(
        &self,
        procedure: Option<ProcedureId>,
        point: &FramePoint<F>,
        values: &[i64],
        atom: CtlAtom,
    ) -> bool {
        match (atom, point) {
            (CtlAtom::Holds(node), _) => self.value(node, values) == 1,
            (CtlAtom::Error, point) => matches!(point, FramePoint::Error),
            (CtlAtom::At(label), FramePoint::Location(location)) => {
                self.body(procedure).locations[*location].labels.contains(&label)
            }
            (CtlAtom::At(_) | CtlAtom::End, _) => false,
        }
    }

    /// The steps in a frame of a procedure.
    pub fn step(
        &self,
        procedure: Option<ProcedureId>,
        point: FramePoint<&[i64]>,
        values: &[i64],
    ) -> FrameStep {
        let location = match point {
            FramePoint::Location(location) | FramePoint::Return(location, _) => location,
            FramePoint::Exit => return FrameStep::Within(Vec::new()),
            FramePoint::Error => return FrameStep::error(values),
        };
        let own = &self.body(procedure).locations[location];
        let next = match (&self.program.commands[own.command].kind, point) {
            (CommandKind::Recurse(call), FramePoint::Return(_, frame)) => {
                let Some(outside) = self.returned(call, values, frame) else {
                    return FrameStep::error(values);
                };
                vec![(reached(own.edges[0].to), outside)]
            }
            (CommandKind::Recurse(call), _) => {
                if self.value(call.is_fine, values) != 1 {
                    return FrameStep::error(values);
                }
                let mut inside = values.to_vec();
                for &(var, value) in &call.arguments {
                    inside[var.0 as usize] = self.value(value, values);
                }
                return FrameStep::Call(call.procedure, inside);
            }
            _ => {
                let after = |edge: &CfgEdge| {
                    let to = reached(edge.to);
                    self.results(edge, values).into_iter().map(move |after| (to.clone(), after))
                };
                own.edges.iter().flat_map(after).collect()
            }
        };
        FrameStep::Within(next)
    }

    /// Where a call at a location comes back to; `values` are those before the call.
    pub fn return_of(
        &self,
        procedure: Option<ProcedureId>,
        location: LocationId,
        values: &[i64],
    ) -> FramePoint<Vec<i64>> {
        let command = self.body(procedure).locations[location].command;
        let saved = match &self.program.commands[command].kind {
            CommandKind::Recurse(call) => &call.saved[..],
            _ => &[],
        };
        let frame = saved.iter().map(|var| values[var.0 as usize]).collect();
        FramePoint::Return(location, frame)
    }

    /// The step back into the caller's frame; `None` if it is a run-time error.
    fn returned(&self, call: &RecursiveCall, inside: &[i64], frame: &[i64]) -> Option<Vec<i64>> {
        let mut outside = inside.to_vec();
        for (var, &value) in call.saved.iter().zip(frame) {
            outside[var.0 as usize] = value;
        }
        for &(target, result) in &call.results {
            let value = inside[result.0 as usize];
            if !self.program.data.vars[target].domain.contains(value) {
                return None;
            }
            outside[target.0 as usize] = value;
        }
        Some(outside)
    }

    fn results(&self, edge: &CfgEdge, before: &[i64]) -> Vec<Vec<i64>> {
        if edge.guard.is_some_and(|guard| self.value(guard, before) != 1) {
            return Vec::new();
        }
        let with = |var: VarId, value: i64| {
            let mut after = before.to_vec();
            after[var.0 as usize] = value;
            after
        };
        match edge.effect {
            Effect::Nothing | Effect::Fails => vec![before.to_vec()],
            Effect::Set(var, value) => vec![with(var, self.value(value, before))],
            Effect::Any(var) => {
                let domain = &self.program.data.vars[var].domain;
                (0..domain.size() as u64).map(|number| with(var, domain.value(number))).collect()
            }
        }
    }

    fn value(&self, node: NodeId, values: &[i64]) -> i64 {
        let leaf =
            |leaf: ExprNode| if let ExprNode::Now(var) = leaf { values[var.0 as usize] } else { 0 };
        // Expressions of programs always have a value.
        self.program.data.exprs.evaluate(node, leaf).unwrap_or(0)
    }

    /// The initial valuations. A variable of a procedure is assigned before it is read, so unless one of the atoms
    /// reads it, one initial value stands for all.
    pub fn initial(
        &self,
        atoms: impl IntoIterator<Item = CtlAtom>,
        monitor: &Monitor,
    ) -> Result<Vec<Vec<i64>>, Stopped> {
        let data = &self.program.data;
        let asked = atoms.into_iter().filter_map(|atom| match atom {
            CtlAtom::Holds(node) => Some(node),
            CtlAtom::At(_) | CtlAtom::Error | CtlAtom::End => None,
        });
        let asked = data.access(asked).now;
        let mut found = vec![vec![0; data.vars.len()]];
        for (var, described) in data.vars.iter() {
            let is_unread = described.name.contains('.') && !asked.contains(&var);
            let size = if is_unread { 1 } else { described.domain.size() };
            let values = self.initial_values(var, size, monitor)?;
            if found.len().saturating_mul(values.len()) > MOST_INITIAL {
                return Err(Stopped(StopReason::States));
            }
            let with = |rest: &Vec<i64>, value: i64| {
                let mut with = rest.clone();
                with[var.0 as usize] = value;
                with
            };
            found = found
                .iter()
                .flat_map(|rest| values.iter().map(move |&value| with(rest, value)))
                .collect();
        }
        Ok(found)
    }

    /// Of the first values of a variable, so many, those that it may have at the start: each constraint on the start
    /// says something of one variable.
    fn initial_values(
        &self,
        var: VarId,
        size: u128,
        monitor: &Monitor,
    ) -> Result<Vec<i64>, Stopped> {
        if size > MOST_INITIAL as u128 {
            return Err(Stopped(StopReason::States));
        }
        let data = &self.program.data;
        let start = data.constraints.iter().filter(|one| one.section == Section::Init);
        let own = start.filter(|one| data.access([one.node]).now.contains(&var));
        let own: Vec<NodeId> = own.map(|one| one.node).collect();
        let mut values = Vec::new();
        for number in 0..size as u64 {
            monitor.step(1)?;
            let mut tried = vec![0; data.vars.len()];
            tried[var.0 as usize] = data.vars[var].domain.value(number);
            if own.iter().all(|&node| self.value(node, &tried) == 1) {
                values.push(tried[var.0 as usize]);
            }
        }
        Ok(values)
    }
}

impl FrameStep {
    /// To the error location, which is never left.
    fn error(values: &[i64]) -> Self {
        FrameStep::Within(vec![(FramePoint::Error, values.to_vec())])
    }
}

fn reached(to: CfgTarget) -> FramePoint<Vec<i64>> {
    match to {
        CfgTarget::Inside(location) => FramePoint::Location(location),
        CfgTarget::Exit(_) => FramePoint::Exit,
        CfgTarget::Error => FramePoint::Error,
    }
}
