//! The program, written down.

use super::branch::Inputs;
use super::explore::Graph;
use super::layout::Layout;
use super::propositions::{Table, TranslatedProperties};
use super::view;
use super::{BackLocation, BackTranslation, NoErrorProperty};
use crate::document::{IntegerForm, StateExpansion};
use crate::imperative::IntegerStart;
use logic::{Combination, Expansion, Expr, Fairness, Family, PropId, Signature, SurfaceBuilder};
use smt::LinearFormula;
use support::{Diagnostic, Interner, Span};
use transition::Machine;
use transition::integers::{IntegerLocation, IntegerProgram, IntegerStep, Proposition};

/// The numbers of locations: those of the graph, then those in the middle of steps, then these.
struct LocationNumbers {
    states: u32,
    middles: bool,
    /// Where it begins, if that is no location of the graph.
    begin: Option<u32>,
    error: Option<u32>,
}

impl LocationNumbers {
    fn new(graph: &Graph, middles: bool) -> Self {
        let states = graph.locations.len() as u32;
        let mut next = if middles { 2 * states } else { states };
        let mut take = |is_there: bool| {
            let number = next;
            next += u32::from(is_there);
            is_there.then_some(number)
        };
        let first = graph.starts.first().map(|start| start.0);
        let is_one = first.is_some() && graph.starts.iter().all(|start| Some(start.0) == first);
        let starts_with_error = graph.faults.iter().any(|fault| fault.0.is_none());
        let begin = take(!is_one || starts_with_error);
        Self { states, middles, begin, error: take(!graph.faults.is_empty()) }
    }

    /// Where the second half of a step begins.
    fn middle(&self, location: u32) -> u32 {
        if self.middles { self.states + location } else { location }
    }

    /// The states of the file at each location.
    fn seen(&self, graph: &Graph) -> Vec<BackLocation> {
        let states = graph.locations.iter().map(|values| BackLocation::State(values.clone()));
        let intermediate = if self.middles { 0..self.states } else { 0..0 };
        let outside = [self.begin, self.error].into_iter().flatten().map(|_| BackLocation::Outside);
        states.chain(intermediate.map(BackLocation::Intermediate)).chain(outside).collect()
    }

    fn names(&self, machine: &Machine, layout: &Layout, graph: &Graph) -> Vec<String> {
        let name = |values: &Vec<i64>| {
            let own = layout.control.iter().copied().zip(values.iter().copied());
            let shown = view::shown(machine, &own.collect::<Vec<_>>());
            if shown.is_empty() { "the state".to_owned() } else { shown }
        };
        let states: Vec<String> = graph.locations.iter().map(name).collect();
        let middles = states.iter().map(|name| format!("{name}, values chosen"));
        let middles: Vec<String> = if self.middles { middles.collect() } else { Vec::new() };
        let begin = self.begin.map(|_| "the start".to_owned());
        let error = self.error.map(|_| "error".to_owned());
        [states, middles].concat().into_iter().chain(begin).chain(error).collect()
    }
}

pub(super) fn write(
    machine: Machine,
    layout: Layout,
    graph: Graph,
    asked: &mut TranslatedProperties,
) -> Result<IntegerForm, Diagnostic> {
    let terms = asked.fairness(&machine)?;
    let locations = LocationNumbers::new(&graph, !layout.chosen.is_empty());
    let mut table = Table::default();
    let meanings = asked.meanings(&machine, &layout, &graph, &mut table)?;
    let middle = locations.middles.then(|| {
        let middles = (locations.states..2 * locations.states).collect();
        table.add(|| "values are chosen".to_owned(), Proposition::At(middles))
    });
    let error =
        locations.error.map(|error| table.add(|| "error".to_owned(), Proposition::At(vec![error])));
    let everywhere = graph.is_total && terms.is_empty();
    let fairness = Fairness { terms, everywhere, ..Fairness::default() };
    let begins_with_step = locations.begin.is_some();
    let expansion = Expansion { meanings, middle, begins_with_step };
    let expansion = StateExpansion { names: asked.names.clone(), fairness, expansion };
    let no_error = error.map(|error| no_error(error, &graph)).transpose()?;
    let (invariant, is_total) = (graph.invariant.clone(), graph.is_total);
    let start = start(&locations, &graph);
    let names = locations.names(&machine, &layout, &graph);
    let seen = locations.seen(&graph);
    let (steps, inputs): (Vec<IntegerStep>, _) =
        steps(&locations, &layout, graph).into_iter().unzip();
    let view = BackTranslation::new(machine, &layout, seen, inputs);
    Ok(IntegerForm {
        movers: vec![None; steps.len()],
        locations: vec![IntegerLocation { next: Vec::new() }; names.len()],
        program: IntegerProgram { variables: layout.names, locations: names, steps },
        variables: layout.variables,
        processes: Vec::new(),
        start,
        invariant,
        propositions: table.list,
        predicates: Vec::new(),
        no_error,
        is_total,
        open: None,
        view: Some(view),
        expansion: Some(expansion),
    })
}

/// The steps, each with its inputs.
fn steps(locations: &LocationNumbers, layout: &Layout, graph: Graph) -> Vec<(IntegerStep, Inputs)> {
    let always = || LinearFormula::Constant(true);
    let without = |step: IntegerStep| (step, Inputs::new());
    let mut steps = Vec::new();
    let variables = layout.names.len();
    if locations.middles {
        steps.extend((0..locations.states).map(|source| {
            let any = layout.chosen.iter().map(|&(_, variable)| (variable, None));
            without(IntegerStep::new((source, locations.middle(source)), always(), any, variables))
        }));
    }
    if let Some(source) = locations.begin {
        let start = |(target, guard): &(u32, LinearFormula)| {
            without(IntegerStep::test(source, guard.clone(), *target))
        };
        steps.extend(graph.starts.iter().map(start));
    }
    for edge in graph.steps {
        let source = locations.middle(edge.source);
        let ends = (source, edge.target);
        let step = IntegerStep::new(ends, edge.guard, edge.changes, variables);
        steps.push((step, edge.inputs));
    }
    if let Some(error) = locations.error {
        for (source, guard, _) in graph.faults {
            let source = source.map(|source| locations.middle(source)).or(locations.begin);
            steps.extend(source.map(|source| without(IntegerStep::test(source, guard, error))));
        }
        steps.push(without(IntegerStep::test(error, always(), error)));
    }
    steps
}

fn start(locations: &LocationNumbers, graph: &Graph) -> IntegerStart {
    let invariant = &graph.invariant;
    match (locations.begin, graph.starts.first()) {
        (None, Some(&(location, _))) => {
            let guards = graph.starts.iter().map(|(_, guard)| guard.clone());
            let condition = LinearFormula::and([LinearFormula::or(guards), invariant.clone()]);
            IntegerStart { location, condition }
        }
        (begin, _) => {
            IntegerStart { location: begin.unwrap_or_default(), condition: invariant.clone() }
        }
    }
}

/// `AG !error`, step by step, whatever the steps are.
fn no_error(error: PropId, graph: &Graph) -> Result<NoErrorProperty, Diagnostic> {
    const NAME: &str = "error";
    let mut spans: Vec<Span> = graph.faults.iter().map(|(_, _, span)| *span).collect();
    spans.sort_by_key(|span| (span.file, span.start, span.end));
    spans.dedup();
    let span = spans.first().copied().unwrap_or(Span::new(support::FileId(0), 0..0));
    let mut surface = SurfaceBuilder::default();
    let prop = surface.expr(Expr::Prop(NAME.to_owned()), span);
    let not = surface.expr(Expr::Not(prop), span);
    let surface = surface.finish_invariant("".into(), not);
    let names: Interner<PropId> = [NAME].into_iter().collect();
    let signature = Signature { family: Family::Props, props: &names, actions: &[] };
    let formula = logic::compile(&surface, &signature, &mut Vec::new())
        .map_err(|mut errors| errors.swap_remove(0))?;
    let expansion = Expansion { meanings: vec![Combination::Holds(error)], ..Expansion::default() };
    Ok(NoErrorProperty { formula: formula.expanded(&expansion), spans })
}
