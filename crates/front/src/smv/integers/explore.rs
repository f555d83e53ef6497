//! The locations that can be reached, as far as guards tell, and the steps between them.

use super::branch::{GuardedOutcome, Halt, Inputs, Outcome, Search, refusal};
use super::layout::{Layout, constant};
use super::rules::Rules;
use super::solve::Oracle;
use rustc_hash::FxHashMap;
use smt::{IntegerValue, LinearFormula, Variable};
use support::{Diagnostic, Span};
use transition::integers::{Linear, LinearTruth, NotLinear};
use transition::{ExprNode, Machine, NodeId, Section};

/// More locations, or steps between them, than this are not supported.
const MOST_LOCATIONS: usize = 1 << 12;
const MOST_STEPS: usize = 1 << 15;

/// A transition system as a graph of locations. The start is a list of locations and conditions.
pub(super) struct Graph {
    /// The values of what is in the locations.
    pub locations: Vec<Vec<i64>>,
    pub starts: Vec<(u32, LinearFormula)>,
    pub steps: Vec<SymbolicEdge>,
    /// Run-time errors: the location before (`None` for the start), the condition, and the construct that fails.
    pub faults: Vec<(Option<u32>, LinearFormula, Span)>,
    /// Whether a step leads on from everywhere.
    pub is_total: bool,
    /// The invariant of all locations: domains, and the `INVAR`s that say the same at each. The start and all steps
    /// keep it.
    pub invariant: LinearFormula,
}

pub(super) struct SymbolicEdge {
    pub source: u32,
    pub target: u32,
    pub guard: LinearFormula,
    /// To nothing is to any number.
    pub changes: Vec<(Variable, Option<IntegerValue>)>,
    pub inputs: Inputs,
}

pub(super) struct Explorer<'e> {
    pub machine: &'e Machine,
    pub layout: &'e Layout,
    pub oracle: Oracle<'e>,
    pub graph: Graph,
    numbers: FxHashMap<Vec<i64>, u32>,
    count: usize,
}

impl<'e> Explorer<'e> {
    pub fn new(
        machine: &'e Machine,
        layout: &'e Layout,
        oracle: Oracle<'e>,
    ) -> Result<Self, NotLinear> {
        Ok(Self {
            machine,
            layout,
            oracle,
            graph: Graph {
                locations: Vec::new(),
                starts: Vec::new(),
                steps: Vec::new(),
                faults: Vec::new(),
                is_total: true,
                invariant: invariant(machine, layout)?,
            },
            numbers: FxHashMap::default(),
            count: 0,
        })
    }

    pub fn run(mut self, start: &Rules, steps: &Rules) -> Result<Graph, Halt> {
        for GuardedOutcome { guard, outcome } in self.search(start, &[])? {
            match outcome {
                Outcome::Fails(span) => self.graph.faults.push((None, guard, span)),
                Outcome::Leads(location, ..) => {
                    let location = self.location(location);
                    self.graph.starts.push((location, guard));
                }
            }
        }
        let mut next = 0;
        while next < self.graph.locations.len() {
            self.leave(next as u32, steps)?;
            if self.graph.locations.len() > MOST_LOCATIONS || self.graph.steps.len() > MOST_STEPS {
                return Err(Halt::TooMany(self.too_many()));
            }
            next += 1;
        }
        Ok(self.graph)
    }

    fn location(&mut self, values: Vec<i64>) -> u32 {
        let next = self.graph.locations.len() as u32;
        *self.numbers.entry(values).or_insert_with_key(|values| {
            self.graph.locations.push(values.clone());
            next
        })
    }

    /// All steps that lead from a location.
    fn leave(&mut self, source: u32, rules: &Rules) -> Result<(), Halt> {
        let here = self.graph.locations[source as usize].clone();
        let outcomes = self.search(rules, &here)?;
        if !rules.are_total() && self.graph.is_total {
            let guards: Vec<LinearFormula> =
                outcomes.iter().map(|outcome_of_step| outcome_of_step.guard.clone()).collect();
            let chosen: Vec<Variable> =
                self.layout.chosen.iter().map(|(_, number)| *number).collect();
            let known = self.known(&here)?;
            self.graph.is_total = self.oracle.is_always_one(&known, guards, &chosen);
        }
        for GuardedOutcome { guard, outcome } in outcomes {
            match outcome {
                Outcome::Fails(span) => self.graph.faults.push((Some(source), guard, span)),
                Outcome::Leads(target, changes, inputs) => {
                    let target = self.location(target);
                    self.graph.steps.push(SymbolicEdge { source, target, guard, changes, inputs });
                }
            }
        }
        Ok(())
    }

    fn search(&mut self, rules: &Rules, here: &[i64]) -> Result<Vec<GuardedOutcome>, Halt> {
        let (known, invariant) = match rules.is_start {
            true => (vec![self.domains()?], self.domains()?),
            false => (self.known(here)?, self.graph.invariant.clone()),
        };
        let Self { machine, layout, oracle, count, .. } = self;
        let found = Vec::new();
        Search { machine, layout, rules, oracle, count, here, known, invariant, found }.run()
    }

    /// The invariants of a location: domains and `INVAR`s. Those that are not linear are left out.
    fn known(&self, here: &[i64]) -> Result<Vec<LinearFormula>, Halt> {
        let invariants = self.machine.constraints.iter();
        let invariants = invariants.filter(|constraint| constraint.section == Section::Invar);
        let holds =
            |node: NodeId| at(self.machine, self.layout, here, node).ok().map(|found| found.holds);
        let invariants = invariants.filter_map(|constraint| holds(constraint.node));
        Ok(std::iter::once(self.domains()?).chain(invariants).collect())
    }

    fn domains(&self) -> Result<LinearFormula, Halt> {
        let span = self.machine.vars.values().next().map(|var| var.span);
        let span = span.unwrap_or(Span::new(support::FileId(0), 0..0));
        self.layout.invariant().map_err(|excess| Halt::Refused(refusal(excess.into(), span)))
    }

    fn too_many(&self) -> Diagnostic {
        let span = self.layout.control.first().map(|&var| self.machine.vars[var].span);
        let span = span.unwrap_or(Span::new(support::FileId(0), 0..0));
        let message = "the variables with few values have too many values together";
        let label = format!(
            "with the others, more than {MOST_LOCATIONS} combinations or {MOST_STEPS} steps"
        );
        Diagnostic::error(message, span, label).with_help(
            "next to integers every combination of truth values and enumerations counts: leave out what \
             the specifications do not need",
        )
    }
}

/// Computes [`Graph::invariant`].
fn invariant(machine: &Machine, layout: &Layout) -> Result<LinearFormula, NotLinear> {
    let states = machine.constraints.iter().filter(|other| other.section == Section::Invar);
    let same = states.filter_map(|constraint| {
        let reads = machine.access([constraint.node]).now;
        let is_number = |var: &transition::VarId| layout.data.contains_key(var);
        // Where one has no value something goes wrong, and that must not be left out.
        let is_same = reads.iter().all(is_number) && !machine.exprs.can_fault(constraint.node);
        is_same.then(|| at(machine, layout, &[], constraint.node).ok())?.map(|found| found.holds)
    });
    Ok(LinearFormula::and([layout.invariant()?].into_iter().chain(same)))
}

/// Evaluates a condition on states at a location.
pub(super) fn at(
    machine: &Machine,
    layout: &Layout,
    here: &[i64],
    node: NodeId,
) -> Result<LinearTruth, NotLinear> {
    let leaf = |leaf: ExprNode| match leaf {
        ExprNode::Now(var) => layout.now(here, var),
        _ => constant(0),
    };
    Linear::new(machine, &leaf).truth(node)
}
