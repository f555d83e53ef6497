//! Feasibility of an abstract path, and sequence interpolants that refute a spurious one (McMillan: Lazy abstraction
//! with interpolants, CAV 2006).
//!
//! The path of a play is unrolled into a formula in static single assignment. If that is unsatisfiable, the path is
//! spurious, and its interpolants are predicates for the locations in between.

use crate::discovery::{PredicateCandidate, PredicateOrigin};
use crate::precision::Precision;
use crate::reachability::{CheckedProgram, ReachabilityGraph};
use smt::{
    Comparison, Embedded, Excess, IntegerValue, LinearFormula, SatAnswer, Solver, Term, Variable,
    minimise,
};
use transition::integers::IntegerStep;

/// The most steps of a path that are unrolled.
const LONGEST: usize = 60;

/// A contradiction that visits a location more often unrolls a loop.
const MOST_VISITS: usize = 3;

/// States of a graph, each with the step to the next.
pub(crate) struct AbstractPath {
    states: Vec<u32>,
    steps: Vec<u32>,
}

impl AbstractPath {
    /// The path through some states, if it has a step.
    pub fn through(graph: &ReachabilityGraph, states: &[u32]) -> Option<Self> {
        let states = states[..states.len().min(LONGEST)].to_vec();
        let step = |pair: &[u32]| {
            let transitions = graph.transitions[pair[0] as usize].iter();
            transitions
                .into_iter()
                .find(|transition| transition.targets.contains(&pair[1]))
                .map(|a| a.step)
        };
        let steps: Option<Vec<u32>> = states.windows(2).map(step).collect();
        Some(Self { states, steps: steps? }).filter(|path| !path.steps.is_empty())
    }

    /// Whether the unsatisfiable part of the path visits a location repeatedly: then it unrolls a loop, and there is a
    /// longer path for every one that is excluded.
    fn unrolls_a_loop(&self, graph: &ReachabilityGraph, sequence: &[LinearFormula]) -> bool {
        let is_used = |part: &LinearFormula| *part != LinearFormula::Constant(true);
        let first = sequence.iter().position(is_used).unwrap_or(0);
        let last = sequence.iter().rposition(is_used).map_or(0, |last| last + 1);
        let states = self.states.get(first..last).unwrap_or_default();
        let mut locations: Vec<u32> =
            states.iter().map(|&state| graph.states[state as usize].location).collect();
        locations.sort_unstable();
        locations.chunk_by(|a, b| a == b).any(|same| same.len() > MOST_VISITS)
    }
}

/// Context of a path besides its states.
#[derive(Clone, Copy)]
pub(crate) struct PathContext<'f> {
    /// Where it begins.
    pub initial: &'f LinearFormula,
    /// Everywhere.
    pub invariant: &'f LinearFormula,
}

/// Interpolants as predicates for the locations of a path; none if it may be feasible, or unrolls a loop.
pub(crate) fn interpolants_along(
    program: &CheckedProgram,
    precision: &Precision,
    graph: &ReachabilityGraph,
    path: &AbstractPath,
    context: PathContext,
    solver: &mut dyn Solver,
) -> Vec<PredicateCandidate> {
    let Ok(unrolled) = PathFormula::new(program, precision, graph, path, context) else {
        return Vec::new();
    };
    let Some((sequence, steps)) = unrolled.contradiction(path, solver) else {
        return Vec::new();
    };
    if path.unrolls_a_loop(graph, &sequence) {
        return Vec::new();
    }
    let between = solver.interpolate(&sequence).or_else(|| Embedded::new().interpolate(&sequence));
    let mut wanted = Vec::new();
    for (index, formula) in between.unwrap_or_default().iter().enumerate() {
        let location = graph.states[path.states[index + 1] as usize].location;
        let Some(formula) = unrolled.names[index + 1].restored(formula) else {
            continue;
        };
        if !matches!(formula, LinearFormula::Constant(_)) {
            let next = path.steps.get(index + 1).copied();
            let why = PredicateOrigin::SpuriousPath { steps: steps.clone(), next };
            wanted.push(PredicateCandidate { location, formulas: vec![formula], why });
        }
    }
    wanted
}

/// The variables that stand for those of the program somewhere on a path.
#[derive(Clone)]
struct SsaNames(Vec<Variable>);

impl SsaNames {
    fn of(&self, formula: &LinearFormula) -> Result<LinearFormula, Excess> {
        formula.substitute(&|variable| self.0.get(variable.0 as usize).map(|&v| Term::variable(v)))
    }

    /// The formula in the variables of the program, if it has no others.
    fn restored(&self, formula: &LinearFormula) -> Option<LinearFormula> {
        let location = |variable| self.0.iter().position(|&own| own == variable);
        let is_known = formula.variables().into_iter().all(|variable| location(variable).is_some());
        let own = |variable| location(variable).map(|v| Term::variable(Variable(v as u32)));
        is_known.then(|| formula.substitute(&own).ok()).flatten()
    }
}

/// A path in formulas: each with the number of the state that it is about, or that the step begins in.
struct PathFormula {
    parts: Vec<(usize, LinearFormula)>,
    names: Vec<SsaNames>,
    next: u32,
}

impl PathFormula {
    fn new(
        program: &CheckedProgram,
        precision: &Precision,
        graph: &ReachabilityGraph,
        path: &AbstractPath,
        context: PathContext,
    ) -> Result<Self, Excess> {
        let own = precision.variables();
        let first = SsaNames((0..own).map(Variable).collect());
        // Behind the variables of the program are those for what may become anything.
        let mut unrolled = Self { parts: Vec::new(), names: vec![first], next: 2 * own };
        unrolled.parts.push((0, context.initial.clone()));
        for (index, &step) in path.steps.iter().enumerate() {
            unrolled.add_step(index, &program.steps[step as usize])?;
        }
        // Minimising the core keeps what is at the front.
        for (index, &state) in path.states.iter().enumerate().rev() {
            let state = graph.states[state as usize];
            let known = precision.literals(state.location, state.bits);
            for literal in known.iter().rev().chain([context.invariant]) {
                unrolled.parts.push((index, unrolled.names[index].of(literal)?));
            }
        }
        Ok(unrolled)
    }

    fn fresh(&mut self) -> Variable {
        self.next += 1;
        Variable(self.next - 1)
    }

    fn add_step(&mut self, index: usize, taken: &IntegerStep) -> Result<(), Excess> {
        let mut names = self.names[index].clone();
        let free: Vec<(Variable, Variable)> =
            taken.free.iter().map(|&free| (free, self.fresh())).collect();
        let here = self.names[index].clone();
        let in_ssa = |formula: &LinearFormula| {
            let known = |v: Variable| here.0.get(v.0 as usize).copied();
            let chosen = |v: Variable| free.iter().find(|own| own.0 == v).map(|own| own.1);
            formula.substitute(&|v| known(v).or_else(|| chosen(v)).map(Term::variable))
        };
        self.parts.push((index, in_ssa(&taken.guard)?));
        for variable in taken.changed() {
            let new = self.fresh();
            names.0[variable.0 as usize] = new;
            let value = taken.value(&Term::variable(variable))?;
            let is = value.compared(Comparison::Equal, &IntegerValue::from(Term::variable(new)))?;
            self.parts.push((index, in_ssa(&is)?));
        }
        self.names.push(names);
        Ok(())
    }

    /// Unsatisfiable core of a path's states and steps, if it is infeasible, and the steps in it.
    fn contradiction(
        &self,
        path: &AbstractPath,
        solver: &mut dyn Solver,
    ) -> Option<(Vec<LinearFormula>, Vec<u32>)> {
        let parts: Vec<LinearFormula> = self.parts.iter().map(|part| part.1.clone()).collect();
        let SatAnswer::Unsat(core) = solver.check(&parts) else {
            return None;
        };
        let core = minimise(solver, &parts, core);
        let of = |index: usize| {
            let own = core.iter().filter(|&&part| self.parts[part].0 == index);
            LinearFormula::and(own.map(|&part| parts[part].clone()))
        };
        let sequence = (0..path.states.len()).map(of).collect();
        let is_used = |index: &usize| core.iter().any(|&part| self.parts[part].0 == *index);
        let used = (0..path.steps.len()).filter(is_used);
        Some((sequence, used.map(|index| path.steps[index]).collect()))
    }
}
