//! The steps of a system as guarded commands, for engines that compile them: conditions on the state, and the next
//! values of the variables that change.

use super::Enumeration;
use super::fault::{RuntimeError, StepError};
use super::layout::{PackedLayout, Valuations, describe};
use super::plan::{Plan, Source};
use super::program::Program;
use super::rules::Rules;
use super::search::{Search, SearchError};
use super::steps::{StutterStep, plan_steps};
use crate::cone::Slice;
use crate::expr::{ExprNode, NodeId};
use crate::parts::{Machine, Section, VarId, VarKind};
use fixedbitset::FixedBitSet;
use logic::PropId;
use model::{EdgeClass, EdgesBuilder, Labelling, Mode, PartialModel, StateNames};
use std::sync::Arc;
use support::{Interner, Monitor};

/// A step that is determined by the state: it makes no choice, and nothing in it can be a run-time error.
#[derive(Clone, Debug)]
pub struct GuardedCommand {
    /// The number of the selector's value.
    pub selected: usize,
    /// The conjuncts of its guard.
    pub guard: Vec<NodeId>,
    /// The variables that change, with their next values.
    pub assignments: Vec<(VarId, NodeId)>,
    /// Whether its guard is a disjunct of [`GuardedCommands::enabled`].
    pub is_guard_of_enabled: bool,
}

/// All steps of a slice of a symbolic transition system as guarded commands.
pub struct GuardedCommands {
    pub machine: Arc<Machine>,
    pub layout: PackedLayout,
    pub commands: Vec<GuardedCommand>,
    /// The step that is taken where no other one can be, if the last command is such a step: what it negates.
    pub enabled: Option<NodeId>,
    start: Search,
}

impl GuardedCommands {
    /// The commands of a slice; `None` if a step tries values, or can be a run-time error.
    pub fn of(machine: &Machine, slice: &Slice) -> Option<Self> {
        let mut machine = machine.clone();
        let layout = PackedLayout::new(&machine, slice);
        let start = Rules::new(&mut machine, slice, Section::Init);
        let start = Plan::new(&mut machine, slice, start, false);
        let plans = plan_steps(&mut machine, slice);
        let stutter = StutterStep::new(&machine, &plans);
        let machine = Arc::new(machine);
        let command = |(number, plan): &(usize, Plan)| {
            let command = command(&machine, &layout, *number, plan)?;
            let has_guard = |stutter: &StutterStep| stutter.has_guard_of(&machine, plan);
            let is_guard_of_enabled = stutter.as_ref().is_some_and(has_guard);
            Some(GuardedCommand { is_guard_of_enabled, ..command })
        };
        let commands: Option<Vec<GuardedCommand>> = plans.iter().map(command).collect();
        let start =
            Search::new(&machine, Program::new(&machine, &layout, &start, None), layout.words);
        let enabled = stutter.map(|stutter| stutter.enabled);
        Some(Self { commands: commands?, machine, layout, enabled, start })
    }

    /// Visits the initial states.
    pub fn initial<E: From<StepError>>(
        &mut self,
        monitor: &Monitor,
        mut found: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let nothing = vec![0; self.layout.words];
        let mut kept = Ok(());
        let ended = match self.start.load(&nothing, false) {
            true => self.start.begin(),
            false => Ok(false),
        };
        let ended = ended.and_then(|is_possible| match is_possible {
            true => self.start.run(monitor, |state, _| {
                found(state).map_err(|error| {
                    kept = Err(error);
                    SearchError::TooMany
                })
            }),
            false => Ok(()),
        });
        kept?;
        ended.map_err(|error| {
            E::from(match error {
                SearchError::Stopped(stopped) => StepError::Stopped(stopped),
                SearchError::TooMany => StepError::TooMany(0),
                SearchError::Runtime(what) => {
                    StepError::Fault(Box::new(RuntimeError { what, state: None }))
                }
            })
        })
    }

    /// The name of a state: the variables with their values.
    pub fn describe(&self, state: &[u64]) -> String {
        describe(&self.machine, self.layout.fields.iter(), state)
    }

    /// The states of a run as a model: each leads to the next one, and the last one back to `loop_start`.
    pub fn run_model(
        &self,
        rows: &[&[u64]],
        loop_start: usize,
        names: Interner<PropId>,
        true_in: Vec<FixedBitSet>,
        monitor: &Monitor,
    ) -> Result<Enumeration, StepError> {
        let mut edges = EdgesBuilder::new();
        edges.make_room(rows.len(), monitor)?;
        for number in 0..rows.len() {
            let next = if number + 1 < rows.len() { number + 1 } else { loop_start };
            edges.push(number as u32, 0, next as u32);
        }
        let classes = vec![EdgeClass { action: None, mode: Mode::BOTH }];
        let edges = edges.finish(rows.len(), classes, monitor)?;
        let labelling = Labelling::complete(names, true_in, rows.len());
        let valuations = Valuations::new(self.machine.clone(), self.layout.clone(), rows.concat());
        let constants = valuations.constants();
        let names = StateNames::Made(Arc::new(valuations));
        let name = self.machine.name.clone();
        let model = PartialModel::kripke(name, labelling, names, vec![0], edges);
        Ok(Enumeration { model, deadlocks: FixedBitSet::with_capacity(rows.len()), constants })
    }
}

fn command(
    machine: &Machine,
    layout: &PackedLayout,
    selected: usize,
    plan: &Plan,
) -> Option<GuardedCommand> {
    let exprs = &machine.exprs;
    if plan.levels > 0 || !plan.is_guarded(machine) {
        return None;
    }
    let mut roots: Vec<NodeId> = plan.checks.clone();
    let mut assignments = Vec::new();
    for decision in &plan.decisions {
        let (Source::Assigned(node) | Source::Determined(node)) = decision.source else {
            return None;
        };
        // A value out of range would say that there is no such step.
        if machine.vars[decision.var].kind == VarKind::Input
            || machine.value_can_fail(decision.var, node)
        {
            return None;
        }
        roots.push(node);
        assignments.push((decision.var, node));
    }
    let is_determined = |node: NodeId| match exprs.node(node) {
        ExprNode::Now(var) => layout.fields.iter().any(|field| field.var == var),
        ExprNode::Next(var) => assignments.iter().any(|&(assigned, _)| assigned == var),
        ExprNode::Fault(_) => false,
        _ => true,
    };
    if !exprs.below(roots).into_iter().all(is_determined) {
        return None;
    }
    let conjuncts = plan.checks.iter().flat_map(|&check| exprs.conjuncts(check));
    let guard = conjuncts.filter(|&node| exprs.as_constant(node) != Some(1)).collect();
    Some(GuardedCommand { selected, guard, assignments, is_guard_of_enabled: false })
}
