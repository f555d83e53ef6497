//! While-programs over integers: processes run interleaved, so a location of the program has one of each process.

use crate::cfg::{
    Assumed, Cfg, CfgEdge, CfgTarget, CommandKind, CtlAtom, Effect, LabelId, LocationId, Program,
    ProgramProcess, Weights, line_names,
};
use crate::integers::lower::{Linear, NotLinear, within};
use crate::integers::program::{IntegerProgram, IntegerStep, Proposition};
use crate::{Domain, ExprNode, FIRST_SYMBOL, Machine, NodeId, Section, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Excess, IntegerValue, LinearFormula, Term, Variable};
use support::Span;

/// More locations than this are not supported.
const MOST_PLACES: usize = 1 << 16;
const MOST_STEPS: usize = 1 << 20;

/// Why there is no program over integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotInterleaved {
    /// An expression of this command is not linear arithmetic.
    Expression(NotLinear, Span),
    /// With the procedures written out at every call, this command is one too many.
    Commands(Span),
    /// The processes, with so many locations each, have too many together.
    Product(Vec<usize>),
}

/// A location, as the text knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerLocation {
    /// The command that comes next, in each process; empty at `error`. What a call does takes several locations with
    /// the same command.
    pub next: Vec<Span>,
}

/// Who takes a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mover {
    /// By its number.
    pub process: u32,
    /// The command.
    pub span: Span,
}

/// The program of interleaved processes. Everything that is numbered in the program has the same number here.
#[derive(Clone, Debug, Default)]
pub struct Interleaving {
    pub program: IntegerProgram,
    pub locations: Vec<IntegerLocation>,
    /// The process that takes each step; `None` where the program stays for ever.
    pub movers: Vec<Option<Mover>>,
    pub start: u32,
    pub error: u32,
    /// Where all processes have ended, if they can get there.
    pub end: Option<u32>,
    labels: FxHashMap<LabelId, Vec<u32>>,
}

/// The locations of each process.
type Tuple = Vec<u32>;

/// The control-flow graph of one process; it begins at its first location.
struct Graph {
    locations: Vec<LocalLocation>,
    steps: Vec<Vec<LocalStep>>,
}

struct LocalLocation {
    span: Span,
    labels: Vec<LabelId>,
    is_end: bool,
}

struct LocalStep {
    /// `error`, if there is none.
    target: Option<u32>,
    guard: LinearFormula,
    changes: Changes,
    /// Of a step of a hole, what is assumed to hold after it.
    of_hole: Option<LinearFormula>,
}

/// A change to nothing is one to any number.
type Changes = Vec<(Variable, Option<IntegerValue>)>;

/// Makes the program of all processes, with these assumptions on its holes. The text is there for the numbers of lines,
/// by which locations are called.
pub fn interleaved(
    program: &Program,
    assumed: &[Assumed],
    text: &str,
) -> Result<Interleaving, NotInterleaved> {
    refuse_large(program)?;
    let graphs: Vec<Graph> = program
        .processes
        .iter()
        .map(|process| Graph::new(program, assumed, process))
        .collect::<Result<_, _>>()?;
    let tuples = tuples(&graphs)?;
    let numbers: FxHashMap<&Tuple, u32> = tuples.iter().zip(0..).collect();
    let names = place_names(&graphs, text);
    let variables: Vec<String> = program.data.vars.values().map(|var| var.name.clone()).collect();
    let mut product = Interleaving { error: tuples.len() as u32, ..Interleaving::default() };
    for (tuple, number) in tuples.iter().zip(0..) {
        product.add_place(&graphs, &names, tuple, number);
        for (process, &at) in tuple.iter().enumerate() {
            for local in &graphs[process].steps[at as usize] {
                let target = local.target.map_or(product.error, |target| {
                    let mut next = tuple.clone();
                    next[process] = target;
                    numbers[&next]
                });
                let (guard, changes) = (local.guard.clone(), local.changes.iter().cloned());
                let step = IntegerStep::new((number, target), guard, changes, variables.len());
                let step = match local.of_hole.clone() {
                    Some(after) => step.of_hole(after).map_err(|excess| {
                        let span = graphs[process].locations[at as usize].span;
                        NotInterleaved::Expression(excess.into(), span)
                    })?,
                    None => step,
                };
                let span = graphs[process].locations[at as usize].span;
                product.add_step(step, Some(Mover { process: process as u32, span }));
            }
        }
        if product.program.steps.len() > MOST_STEPS {
            return Err(too_many(&graphs));
        }
    }
    product.program.locations.push("error".to_owned());
    product.locations.push(IntegerLocation { next: Vec::new() });
    product.stay(product.error);
    product.program.variables = variables;
    Ok(product)
}

impl Interleaving {
    /// The meaning of what a formula says of a state.
    pub fn proposition(&self, data: &Machine, atom: CtlAtom) -> Result<Proposition, NotLinear> {
        Ok(match atom {
            CtlAtom::Holds(node) => Proposition::Holds(condition(data, node)?),
            CtlAtom::At(label) => {
                Proposition::At(self.labels.get(&label).cloned().unwrap_or_default())
            }
            CtlAtom::Error => Proposition::At(vec![self.error]),
            CtlAtom::End => Proposition::At(self.end.into_iter().collect()),
        })
    }

    fn add_place(&mut self, graphs: &[Graph], names: &[Vec<String>], tuple: &Tuple, number: u32) {
        let here = || graphs.iter().zip(tuple).map(|(graph, &at)| &graph.locations[at as usize]);
        let named: Vec<&str> =
            names.iter().zip(tuple).map(|(names, &at)| &*names[at as usize]).collect();
        self.program.locations.push(named.join(","));
        self.locations
            .push(IntegerLocation { next: here().map(|location| location.span).collect() });
        for &label in here().flat_map(|location| &location.labels) {
            self.labels.entry(label).or_default().push(number);
        }
        if here().all(|location| location.is_end) {
            self.end = Some(number);
            self.stay(number);
        }
    }

    /// Nothing happens here any more.
    fn stay(&mut self, location: u32) {
        self.add_step(IntegerStep::test(location, LinearFormula::Constant(true), location), None);
    }

    fn add_step(&mut self, step: IntegerStep, mover: Option<Mover>) {
        self.program.steps.push(step);
        self.movers.push(mover);
    }
}

/// An expression that is always true or false, over the variables of a while-program by their numbers.
pub fn condition(data: &Machine, node: NodeId) -> Result<LinearFormula, NotLinear> {
    let leaf = |node: ExprNode| of_var(node, &FxHashMap::default());
    Ok(Linear::counting_symbols(data, &leaf).truth(node)?.holds)
}

/// That all variables are in their domains; those that have initial values have these, if that is asked for.
pub fn domains(data: &Machine, initially: bool) -> Result<LinearFormula, NotLinear> {
    let mut own: FxHashMap<VarId, NodeId> = FxHashMap::default();
    let starts = data.constraints.iter().filter(|constraint| constraint.section == Section::Init);
    for constraint in starts.filter(|_| initially) {
        own.extend(
            data.access([constraint.node]).now.into_iter().map(|var| (var, constraint.node)),
        );
    }
    // That a truth value is not 1 does not say that it is 0: the domain is said besides the initial value.
    let holds =
        |(var, described): (VarId, &crate::MachineVar)| -> Result<LinearFormula, NotLinear> {
            let initial = own.get(&var).map(|&node| condition(data, node)).transpose()?;
            let within = within(&counted(&described.domain), &variable(var))?;
            Ok(LinearFormula::and(initial.into_iter().chain([within])))
        };
    Ok(LinearFormula::and(data.vars.iter().map(holds).collect::<Result<Vec<_>, _>>()?))
}

fn variable(var: VarId) -> IntegerValue {
    Term::variable(Variable(var.0)).into()
}

fn of_var(node: ExprNode, own: &FxHashMap<VarId, VarId>) -> IntegerValue {
    match node {
        ExprNode::Now(var) | ExprNode::Next(var) => variable(own.get(&var).copied().unwrap_or(var)),
        _ => IntegerValue::from(Term::default()),
    }
}

/// The domain with truth values and constants as numbers, which rise.
fn counted(domain: &Domain) -> Domain {
    match domain {
        Domain::Bool => Domain::Range(0, 1),
        Domain::Values(values) => {
            let mut values: Vec<i64> = values.iter().map(|value| value - FIRST_SYMBOL).collect();
            values.sort_unstable();
            Domain::Values(values)
        }
        other => other.clone(),
    }
}

fn refuse_large(program: &Program) -> Result<(), NotInterleaved> {
    let weights = Weights::new(program);
    for process in &program.processes {
        let mut sum = 0u64;
        for &command in &process.body {
            sum = sum.saturating_add(weights.of(command));
            if sum > MOST_PLACES as u64 {
                return Err(NotInterleaved::Commands(program.commands[command].span));
            }
        }
    }
    Ok(())
}

fn too_many(graphs: &[Graph]) -> NotInterleaved {
    NotInterleaved::Product(graphs.iter().map(|graph| graph.locations.len()).collect())
}

impl Graph {
    fn new(
        program: &Program,
        assumed: &[Assumed],
        process: &ProgramProcess,
    ) -> Result<Self, NotInterleaved> {
        let cfg = Cfg::of(program, assumed, &process.body);
        let leaf = |node: ExprNode| of_var(node, &process.own);
        let mut linear = Linear::counting_symbols(&program.data, &leaf);
        let mut numbers: FxHashMap<LocationId, u32> = FxHashMap::default();
        let mut graph = Self { locations: Vec::new(), steps: Vec::new() };
        let mut targets: Vec<Vec<CfgTarget>> = Vec::new();
        let mut open = vec![cfg.entry];
        while let Some(id) = open.pop() {
            if numbers.contains_key(&id) {
                continue;
            }
            numbers.insert(id, graph.locations.len() as u32);
            let location = &cfg.locations[id];
            let command = &program.commands[location.command];
            let (span, labels) = (command.span, location.labels.clone());
            let is_end = matches!(command.kind, CommandKind::Fin);
            graph.locations.push(LocalLocation { span, labels, is_end });
            let (mut steps, mut leads) = (Vec::new(), Vec::new());
            for edge in location.edges.iter().filter(|_| !is_end) {
                let made = local_steps(&program.data, edge, process, &mut linear)
                    .map_err(|why| NotInterleaved::Expression(why, span))?;
                leads.extend(made.iter().map(|_| edge.to));
                let after = edge.after.map(|after| Ok(linear.truth(after)?.holds));
                let after = after.unwrap_or(Ok(LinearFormula::Constant(true)));
                let after = after.map_err(|why| NotInterleaved::Expression(why, span))?;
                let of_hole = location.in_hole.as_ref().map(|_| after);
                steps.extend(
                    made.into_iter().map(|step| LocalStep { of_hole: of_hole.clone(), ..step }),
                );
            }
            let inside =
                |to: &CfgTarget| if let CfgTarget::Inside(to) = to { Some(*to) } else { None };
            open.extend(leads.iter().rev().filter_map(inside));
            graph.steps.push(steps);
            targets.push(leads);
        }
        for (steps, targets) in graph.steps.iter_mut().zip(targets) {
            for (step, to) in steps.iter_mut().zip(targets) {
                step.target =
                    if let CfgTarget::Inside(to) = to { Some(numbers[&to]) } else { None };
            }
        }
        Ok(graph)
    }
}

/// All steps of an edge that can ever be taken: one for each value that it chooses from.
fn local_steps(
    data: &Machine,
    edge: &CfgEdge,
    process: &ProgramProcess,
    linear: &mut Linear,
) -> Result<Vec<LocalStep>, NotLinear> {
    let always = LinearFormula::Constant(true);
    let guard = match edge.guard {
        Some(guard) => linear.truth(guard)?.holds,
        None => always.clone(),
    };
    let own = |var: VarId| Variable(process.own.get(&var).copied().unwrap_or(var).0);
    let cases: Vec<(LinearFormula, Changes)> = match edge.effect {
        Effect::Nothing | Effect::Fails => vec![(always, Vec::new())],
        Effect::Any(var) if data.vars[var].domain == Domain::INTEGERS => {
            vec![(always, vec![(own(var), None)])]
        }
        Effect::Any(var) => {
            let domain = counted(&data.vars[var].domain);
            let all = (0..domain.size() as u64).map(|number| domain.value(number));
            let set = |value: i64| {
                let value = IntegerValue::from(Term::constant(value)?);
                Ok((LinearFormula::Constant(true), vec![(own(var), Some(value))]))
            };
            all.map(set).collect::<Result<_, Excess>>()?
        }
        Effect::Set(var, node) => match data.exprs.node(node) {
            // Of another truth value no cases are made.
            leaf @ ExprNode::Now(_) => {
                vec![(always, vec![(own(var), Some(of_var(leaf, &process.own)))])]
            }
            _ => {
                let cases = linear.cases(node)?.into_iter();
                cases.map(|(when, value)| (when, vec![(own(var), value)])).collect()
            }
        },
    };
    let steps = cases.into_iter().map(|(when, changes)| LocalStep {
        target: None,
        guard: LinearFormula::and([guard.clone(), when]),
        changes,
        of_hole: None,
    });
    Ok(steps.filter(|step| step.guard != LinearFormula::Constant(false)).collect())
}

/// Where the processes can be together, as far as the graphs tell, in order.
fn tuples(graphs: &[Graph]) -> Result<Vec<Tuple>, NotInterleaved> {
    let start: Tuple = vec![0; graphs.len()];
    let mut seen: FxHashSet<Tuple> = [start.clone()].into_iter().collect();
    let mut open = vec![start];
    while let Some(tuple) = open.pop() {
        for (process, &at) in tuple.iter().enumerate() {
            for target in graphs[process].steps[at as usize].iter().filter_map(|step| step.target) {
                let mut next = tuple.clone();
                next[process] = target;
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        if seen.len() > MOST_PLACES {
            return Err(too_many(graphs));
        }
    }
    let mut tuples: Vec<Tuple> = seen.into_iter().collect();
    tuples.sort_unstable();
    Ok(tuples)
}

/// Locations are called by their lines, in the order of the text.
fn place_names(graphs: &[Graph], text: &str) -> Vec<Vec<String>> {
    let mut order: Vec<(usize, usize, usize)> = Vec::new();
    for (number, graph) in graphs.iter().enumerate() {
        let locations = graph.locations.iter().enumerate();
        order.extend(locations.map(|(location, own)| (own.span.start as usize, number, location)));
    }
    order.sort_unstable();
    let mut names: Vec<Vec<String>> =
        graphs.iter().map(|graph| vec![String::new(); graph.locations.len()]).collect();
    let shown = line_names(text, order.iter().map(|&(start, ..)| start));
    for (&(_, process, location), name) in order.iter().zip(shown) {
        names[process][location] = format!("line{name}");
    }
    names
}
