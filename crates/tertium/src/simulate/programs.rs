//! Walks through while-programs with finitely many values, along the control-flow graph (M Def. A.2). The steps
//! of a hole are may steps.

use super::variables::evaluated;
use super::walk::{
    Coordinates, Given, Move, MoveQuery, SimulatedLocation, Visit, Walk, given_for, stepping_error,
};
use super::watch::{CompiledWatch, WatchedAtoms};
use crate::control_flow::explain::command_at;
use crate::error::Error;
use crate::trace::{self, raw, typed};
use crate::transition_system::FiniteModel;
use logic::Truth;
use logic::evidence::{TraceState, TraceStep};
use std::ops::ControlFlow;
use std::sync::Arc;
use support::{SourceMap, Span};
use transition::cfg::{
    Cfg, CfgEdge, CfgTarget, CtlAtom, Effect, LabelId, Location, LocationId, Program,
};
use transition::{Machine, NodeId, Stepper, VarId};

/// Where a run-time error has occurred. Other locations are their numbers; a state begins with its location.
const ERROR: i64 = -1;

pub struct ProgramWalk {
    model: Arc<FiniteModel>,
    graph: Cfg,
    start: Stepper,
    vars: Vec<VarId>,
}

impl ProgramWalk {
    /// Of a model that has a control-flow graph, without recursive calls.
    pub fn new(model: &Arc<FiniteModel>, program: &Program) -> Self {
        let graph = Cfg::of(program, &[], &program.body);
        let start = Stepper::new(&program.data);
        let vars = start.vars().collect();
        Self { model: model.clone(), graph, start, vars }
    }

    fn program(&self) -> &Program {
        &self.model.control_flow.as_ref().expect("it was made for the walk").program
    }

    fn value(&self, state: &[i64], var: VarId) -> Option<i64> {
        let place = self.vars.iter().position(|&own| own == var)?;
        state.get(place + 1).copied()
    }

    fn holds(&self, state: &[i64], node: Option<NodeId>) -> bool {
        let holds = |node| evaluated(&self.program().data, node, |var| self.value(state, var));
        node.is_none_or(|node| holds(node) == Truth::True)
    }

    fn location(&self, state: &[i64]) -> Option<LocationId> {
        u32::try_from(*state.first()?).ok().map(LocationId)
    }

    fn span(&self, location: LocationId) -> Span {
        self.program().commands[self.graph.locations[location].command].span
    }

    fn step(&self, location: LocationId) -> TraceStep {
        let is_may_only = self.graph.locations[location].in_hole.is_some();
        TraceStep { is_may_only, ..statement_step(&self.model.sources, self.span(location)) }
    }

    /// The states after an edge.
    fn follow(
        &self,
        from: &[i64],
        edge: &CfgEdge,
        visit: &mut dyn FnMut(Coordinates) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.holds(from, edge.guard) {
            return ControlFlow::Continue(());
        }
        let mut target = from.to_vec();
        target[0] = match edge.to {
            CfgTarget::Inside(location) => i64::from(location.0),
            // A full program has no way out: it ends with `fin`.
            CfgTarget::Error | CfgTarget::Exit(_) => ERROR,
        };
        let mut end = |target: Coordinates| match self.holds(&target, edge.after) {
            true => visit(target),
            false => ControlFlow::Continue(()),
        };
        let place = |var: VarId| self.vars.iter().position(|&own| own == var).map(|n| n + 1);
        match edge.effect {
            Effect::Nothing | Effect::Fails => end(target),
            Effect::Set(var, node) => {
                let data = &self.program().data;
                let leaf = |leaf| match leaf {
                    transition::ExprNode::Now(var) => self.value(from, var).unwrap_or_default(),
                    _ => 0,
                };
                // The guard sees to it that there is one.
                if let (Some(place), Ok(value)) = (place(var), data.exprs.evaluate(node, leaf)) {
                    target[place] = value;
                }
                end(target)
            }
            Effect::Any(var) => {
                let domain = &self.program().data.vars[var].domain;
                let Some(place) = place(var) else { return end(target) };
                for number in 0..u64::try_from(domain.size()).unwrap_or(u64::MAX) {
                    target[place] = domain.value(number);
                    end(target.clone())?;
                }
                ControlFlow::Continue(())
            }
        }
    }
}

impl Walk for ProgramWalk {
    fn moves(&mut self, query: &MoveQuery, visit: &mut Visit) -> Result<(), Error> {
        let Some(from) = query.from else {
            let entry = i64::from(self.graph.entry.0);
            let visit = &mut |state| visit(Move::start([vec![entry], state].concat()));
            let found = self.start.initial(query.monitor, visit);
            return found
                .map_err(|halt| stepping_error(halt, &self.program().data, &self.model.sources));
        };
        let Some(location) = self.location(from) else {
            let _ = visit(Move { step: failed_step(), ..Move::start(from.to_vec()) });
            return Ok(());
        };
        let there = &self.graph.locations[location];
        let step = self.step(location);
        let mut seen = rustc_hash::FxHashSet::default();
        for edge in &there.edges {
            query.monitor.check()?;
            let followed = self.follow(from, edge, &mut |target| {
                if !seen.insert(target.clone()) {
                    return ControlFlow::Continue(());
                }
                visit(Move { step: step.clone(), ..Move::start(target) })
            });
            if followed.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn shown(&self, state: &[i64]) -> TraceState {
        let values = self.vars.iter().copied().zip(state[1..].iter().copied());
        values_shown(&self.program().data, values)
    }

    fn determined(&self, near: &[i64], values: &Given) -> Option<Coordinates> {
        let data = &self.program().data;
        let value = |&var: &VarId| raw(data, var, given_for(values, &data.vars[var].name)?);
        let location = near.first().copied();
        [location].into_iter().chain(self.vars.iter().map(value)).collect()
    }

    fn locations(&self, state: &[i64]) -> Vec<SimulatedLocation> {
        let of = |location: LocationId| {
            let (line, statement) = command_at(&self.model.sources, self.span(location));
            SimulatedLocation { process: String::new(), line, statement }
        };
        self.location(state).map(of).into_iter().collect()
    }

    fn proposition(&self, state: &[i64], watch: &CompiledWatch, number: usize) -> Truth {
        let WatchedAtoms::Program(atoms) = &watch.atoms else { return Truth::Unknown };
        let Some(asked) = watch.control_flow() else { return Truth::Unknown };
        let data = &asked.program.data;
        match atoms[number] {
            // The formula was read with the text once more, which gives variables the same numbers.
            CtlAtom::Holds(node) => evaluated(data, node, |var| self.value(state, var)),
            CtlAtom::At(label) => {
                let Some(location) = self.location(state) else { return Truth::False };
                let name = asked.program.labels.name(label);
                proposition_at(&self.graph.locations[location], name, self.program())
            }
            CtlAtom::Error => Truth::from(state.first() == Some(&ERROR)),
            CtlAtom::End => Truth::False,
        }
    }
}

/// The step that a command makes.
pub fn statement_step(sources: &SourceMap, span: Span) -> TraceStep {
    let (_, statement) = command_at(sources, span);
    let location = Some(trace::location(sources, span));
    TraceStep { statement: Some(statement), span: Some(span), location, ..TraceStep::default() }
}

/// The step after a run-time error.
pub fn failed_step() -> TraceStep {
    let statement = Some("a run-time error has occurred".to_owned());
    TraceStep { statement, ..TraceStep::default() }
}

pub fn values_shown(data: &Machine, values: impl Iterator<Item = (VarId, i64)>) -> TraceState {
    let value = |(var, value): (VarId, i64)| {
        let own = &data.vars[var];
        (own.name.clone(), typed(data, own.domain.ty(), value))
    };
    TraceState { values: values.map(value).collect(), ..TraceState::default() }
}

/// Whether control is at the label of this name if it is at a location. In a hole it may be.
pub fn proposition_at(there: &Location, name: &str, program: &Program) -> Truth {
    let is_it = |own: &LabelId| program.labels.name(*own) == name;
    let may_be = there.in_hole.iter().any(|in_hole| in_hole.labels.iter().any(is_it));
    match there.labels.iter().any(is_it) {
        true => Truth::True,
        false if may_be => Truth::Unknown,
        false => Truth::False,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Form, Model};
    use rustc_hash::FxHashMap;
    use support::Monitor;
    use testkit::for_seeds;
    use testkit::programs::{Size, explicit_model, random_program};

    /// The walk has the states and steps of the reference semantics, those of holes being may steps.
    #[test]
    fn walks_have_the_states_and_steps_of_the_reference() {
        for_seeds("simulate-programs", 0..150, |rng, case| {
            let mut size = Size::small();
            if rng.chance(0.5) {
                size = size.with_holes();
            }
            let text = random_program(rng, size).text();
            case.note(&text);
            let model = Model::read("while", "p.while", &text).map_err(|e| e.to_string())?;
            let Form::Finite(model) = model.form() else { return Ok(()) };
            let graph = model.control_flow.as_ref().ok_or("no control flow")?;
            let reference = explicit_model(&graph.program, &[]);
            let mut walk = ProgramWalk::new(model, &graph.program);
            let monitor = Monitor::new();
            let mut numbers: FxHashMap<Coordinates, usize> = FxHashMap::default();
            let mut states: Vec<Coordinates> = Vec::new();
            let mut add = |state: Coordinates, states: &mut Vec<Coordinates>| {
                numbers.entry(state.clone()).or_insert_with(|| {
                    states.push(state);
                    states.len()
                });
            };
            let mut initial = Vec::new();
            let start = MoveQuery { from: None, given: &[], monitor: &monitor };
            walk.moves(&start, &mut |start| {
                initial.push(start.target);
                ControlFlow::Continue(())
            })
            .map_err(|error| error.to_string())?;
            let starts = initial.len();
            initial.into_iter().for_each(|state| add(state, &mut states));
            let (mut edges, mut may_only, mut at) = (0, 0, 0);
            while let Some(state) = states.get(at).cloned() {
                let mut found = Vec::new();
                let asked = MoveQuery { from: Some(&state), given: &[], monitor: &monitor };
                walk.moves(&asked, &mut |step| {
                    found.push(step);
                    ControlFlow::Continue(())
                })
                .map_err(|error| error.to_string())?;
                edges += found.len();
                may_only += found.iter().filter(|step| step.step.is_may_only).count();
                found.into_iter().for_each(|step| add(step.target, &mut states));
                at += 1;
            }
            let expected = reference.edges().triples().collect::<Vec<_>>();
            let is_may = |class: u32| !reference.edges().classes()[class as usize].mode.must;
            let of_may = expected.iter().filter(|&&(_, class, _)| is_may(class)).count();
            let found = (starts, states.len(), edges, may_only);
            let wanted = (reference.init().len(), reference.states(), expected.len(), of_may);
            if found == wanted { Ok(()) } else { Err(format!("{found:?} is not {wanted:?}")) }
        });
    }
}
