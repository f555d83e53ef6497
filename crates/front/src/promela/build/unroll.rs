//! `run` in a loop: the process that does it is taken apart by the values of its variables, as far as they are
//! known, until every `run` is executed at most once.

use super::super::program::{
    Action, ExprId, LocationId, Pattern, ProcessId, PromelaExpr, PromelaModel, Storage as Target,
    VarId,
};
use super::counted::PRIORITIES;
use super::graph::{DraftEdge, DraftEffect, Graph};
use super::{Argument, Builder};
use crate::sink::Parsed;
use rustc_hash::FxHashMap;

/// A process that starts others and has more places than this is not understood.
const MOST_PLACES: usize = 1 << 12;

/// By variable of the process: its value, if it is known.
type Values = Vec<Option<i32>>;

impl<'a> Builder<'_, 'a> {
    /// The graph in which no `run` is executed twice.
    pub(super) fn unrolled(&mut self, process: ProcessId, graph: Graph<'a>) -> Parsed<Graph<'a>> {
        if repeated_run(&graph).is_none() {
            return Ok(graph);
        }
        let unrolled = self.unroll(process, &graph)?;
        match repeated_run(&unrolled) {
            None => Ok(unrolled),
            Some(line) => {
                self.is_unbounded = true;
                let message = "a process that is started again and again is not supported";
                let label = "how many there will be is not known";
                Err(self.unsupported(line.span, message, label))
            }
        }
    }

    fn unroll(&mut self, process: ProcessId, graph: &Graph<'a>) -> Parsed<Graph<'a>> {
        let described = &self.program.processes[process];
        // What others set, or what is known when the process starts, has no value here.
        let unknown = [described.pid, described.priority];
        let mut own = self.own_vars(process);
        own.retain(|&var| !unknown.contains(&Some(var)));
        let is_entry = |var: VarId| self.entries[process].iter().any(|(known, _)| *known == var);
        let init = |&var: &VarId| (!is_entry(var)).then(|| self.program.vars[var].init);
        let init: Values = own.iter().map(init).collect();
        let mut unroller = Unroller {
            program: &mut self.program,
            own,
            known: FxHashMap::default(),
            open: Vec::new(),
            graph: graph.without_places(),
            old: graph,
        };
        // It has one end, which is there even if it is never reached.
        unroller.graph.end = unroller.graph.places.push(graph.places[graph.end].clone());
        unroller.graph.start = unroller.place(graph.start, init);
        while let Some((place, at, values)) = unroller.open.pop() {
            unroller.expand(place, at, &values);
            if unroller.graph.places.len() > MOST_PLACES {
                self.is_unbounded = true;
                let span = graph.places[graph.start].span;
                let message = "a process that starts others in a loop and has more than 4096 locations is not \
                               supported";
                return Err(self.unsupported(span, message, "too many locations"));
            }
        }
        Ok(unroller.graph)
    }
}

/// A `run` that can be executed after itself.
fn repeated_run<'g>(graph: &'g Graph) -> Option<&'g DraftEdge> {
    let runs = graph.lines.iter().filter(|line| matches!(line.effect, DraftEffect::Run { .. }));
    let mut runs = runs.filter(|run| {
        let mut seen = vec![false; graph.places.len()];
        let mut open = vec![run.target];
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place.0 as usize], true) {
                continue;
            }
            let lines = graph.lines.iter().filter(|line| line.source == place);
            open.extend(lines.map(|line| line.target));
        }
        seen[run.source.0 as usize]
    });
    runs.next()
}

struct Unroller<'b, 'g, 'a> {
    program: &'b mut PromelaModel,
    /// The variables of the process.
    own: Vec<VarId>,
    known: FxHashMap<(LocationId, Values), LocationId>,
    /// New places whose edges are missing, with the old place and the values there.
    open: Vec<(LocationId, LocationId, Values)>,
    graph: Graph<'a>,
    old: &'g Graph<'a>,
}

impl Unroller<'_, '_, '_> {
    fn place(&mut self, at: LocationId, values: Values) -> LocationId {
        if at == self.old.end {
            return self.graph.end;
        }
        if let Some(&place) = self.known.get(&(at, values.clone())) {
            return place;
        }
        let place = self.graph.places.push(self.old.places[at].clone());
        self.known.insert((at, values.clone()), place);
        self.open.push((place, at, values));
        place
    }

    fn expand(&mut self, place: LocationId, at: LocationId, values: &Values) {
        let lines: Vec<DraftEdge> =
            self.old.lines.iter().filter(|line| line.source == at).cloned().collect();
        for line in lines {
            let guard = line.guard.map(|guard| self.with(guard, values));
            if guard.is_some_and(|guard| self.program.constant(guard) == Some(0)) {
                continue;
            }
            let (effect, after) = self.effect(line.effect, values);
            let target = self.place(line.target, after);
            self.graph.lines.push(DraftEdge { source: place, target, guard, effect, ..line });
        }
    }

    /// The expression where these values are known.
    fn with(&mut self, expr: ExprId, values: &Values) -> ExprId {
        let own = &self.own;
        self.program.replaced(expr, &|program, expr| {
            let PromelaExpr::Var(var) = expr else { return None };
            let place = own.iter().position(|other| other == var)?;
            let value = values[place]?;
            Some(program.exprs.push(PromelaExpr::Const(value)))
        })
    }

    /// The statement, and the constants known after it.
    fn effect(&mut self, effect: DraftEffect, values: &Values) -> (DraftEffect, Values) {
        let mut after = values.clone();
        let effect = match effect {
            DraftEffect::Run { proctype, arguments, priority, into } => {
                let into =
                    into.map(|(place, pid)| (self.target(place, values), self.with(pid, values)));
                if let Some((place, _)) = into {
                    self.store(place, None, &mut after);
                }
                let arguments = arguments.into_iter().map(|argument| match argument {
                    Argument::Value(value) => Argument::Value(self.with(value, values)),
                    Argument::OneOf(all, index) => Argument::OneOf(all, self.with(index, values)),
                    channel @ Argument::Channel(_) => channel,
                });
                DraftEffect::Run { proctype, arguments: arguments.collect(), priority, into }
            }
            DraftEffect::Action(action) => {
                DraftEffect::Action(self.action(action, values, &mut after))
            }
        };
        (effect, after)
    }

    fn action(&mut self, action: Action, values: &Values, after: &mut Values) -> Action {
        match action {
            Action::Assign { place, value } => {
                let (place, value) = (self.target(place, values), self.with(value, values));
                let known = self.program.constant(value);
                self.store(place, known, after);
                Action::Assign { place, value }
            }
            Action::Send { channel, values: sent, is_sorted } => {
                let sent = sent.into_iter().map(|value| self.with(value, values)).collect();
                Action::Send { channel, values: sent, is_sorted }
            }
            Action::Receive { channel, slot, patterns, keeps_message } => {
                let patterns = patterns.into_iter().map(|pattern| match pattern {
                    Pattern::Match(value) => Pattern::Match(self.with(value, values)),
                    Pattern::Store(place) => {
                        let place = self.target(place, values);
                        self.store(place, None, after);
                        Pattern::Store(place)
                    }
                });
                let patterns = patterns.collect();
                Action::Receive { channel, slot, patterns, keeps_message }
            }
            Action::Assert(condition) => Action::Assert(self.with(condition, values)),
            Action::Print { format, arguments } => {
                let arguments = arguments.into_iter().map(|value| self.with(value, values));
                Action::Print { format, arguments: arguments.collect() }
            }
            other @ (Action::Pass | Action::Start { .. } | Action::Die | Action::Overflow) => other,
        }
    }

    fn target(&mut self, place: Target, values: &Values) -> Target {
        let Target::Element(array, index) = place else { return place };
        let index = self.with(index, values);
        if array == PRIORITIES {
            return Target::Element(array, index);
        }
        let element = self.program.constant(index).and_then(|i| self.program.element(array, i));
        element.map_or(Target::Element(array, index), Target::Var)
    }

    fn store(&self, place: Target, value: Option<i32>, after: &mut Values) {
        match place {
            Target::Nowhere | Target::Element(PRIORITIES, _) => {}
            Target::Var(var) => {
                let cut = |value| self.program.vars[var].ty.cut(value);
                if let Some(index) = self.own.iter().position(|&other| other == var) {
                    after[index] = value.map(cut);
                }
            }
            Target::Element(array, _) => {
                let array = &self.program.arrays[array];
                let elements = array.first.0..array.first.0 + array.len;
                for (own, value) in self.own.iter().zip(after) {
                    if elements.contains(&own.0) {
                        *value = None;
                    }
                }
            }
        }
    }
}
