//! The steps of a system as guarded commands: for each state, only those are tried that its program counters allow.
//!
//! A step whose guard says that a variable has one value stands in a table by that variable. The last command of a
//! program with processes is usually the stutter step, whose guard is the negated disjunction of the other guards. The
//! others are evaluated first, so its guard is not evaluated again.

use super::layout::{PackedField, PackedLayout};
use super::plan::Plan;
use super::program::{Formulas, Program};
use super::rules::Rules;
use super::search::{Search, SearchError};
use super::tape::Values;
use crate::cone::Slice;
use crate::expr::{Binary, ExprNode, NodeId, SiteId, Unary};
use crate::parts::{Machine, Section, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use support::Monitor;

/// The plans of all steps, each with the number of the selector's value that it belongs to.
pub(super) fn plan_steps(machine: &mut Machine, slice: &Slice) -> Vec<(usize, Plan)> {
    let mut plans = Vec::new();
    let processes = Rules::new(machine, slice, Section::Trans).by_process(machine);
    for (number, process) in processes.into_iter().enumerate() {
        for rules in process.alternatives(&mut machine.exprs) {
            plans.push((number, Plan::new(machine, slice, rules, true)));
        }
    }
    plans
}

pub(super) struct Steps {
    steps: Vec<Step>,
    tables: Vec<Table>,
    labels: Formulas,
    /// Whether a guard of the disjunction holds in the state that was visited last.
    any_enabled: bool,
}

struct Step {
    search: Search,
    /// Whether its guard is a disjunct of the one that the stutter step negates.
    is_guard_of_enabled: bool,
}

/// Consecutive steps, by the number of the value that a variable has in their source.
struct Table {
    /// `None` if they can be taken from any state.
    by: Option<PackedField>,
    steps: Vec<Vec<usize>>,
}

impl Steps {
    pub fn new(
        machine: &Arc<Machine>,
        layout: &PackedLayout,
        plans: &[(usize, Plan)],
        labels: &[NodeId],
    ) -> Self {
        let stutter = StutterStep::new(machine, plans);
        let given = stutter.as_ref().map(|stutter| stutter.enabled);
        let step = |(index, (_, plan)): (usize, &(usize, Plan))| {
            let given = given.filter(|_| index + 1 == plans.len());
            let search =
                Search::new(machine, Program::new(machine, layout, plan, given), layout.words);
            let is_guard_of_enabled =
                stutter.as_ref().is_some_and(|stutter| stutter.has_guard_of(machine, plan));
            Step { search, is_guard_of_enabled }
        };
        let steps: Vec<Step> = plans.iter().enumerate().map(step).collect();
        let labels = Formulas::new(machine, layout, labels, given);
        Self { steps, tables: tables(machine, layout, plans), labels, any_enabled: false }
    }

    /// The search of each step.
    pub fn searches(&self) -> impl Iterator<Item = &Search> {
        self.steps.iter().map(|step| &step.search)
    }

    /// Calls `found` with the number of the step, every successor that it leads to, and the values that were tried.
    pub fn visit(
        &mut self,
        state: &[u64],
        monitor: &Monitor,
        mut found: impl FnMut(usize, &[u64], &Values) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        self.any_enabled = false;
        for table in &self.tables {
            let row = table.by.as_ref().map_or(0, |field| field.number(state) as usize);
            for &index in &table.steps[row] {
                let Step { search, is_guard_of_enabled } = &mut self.steps[index];
                if !search.load(state, self.any_enabled) {
                    continue;
                }
                self.any_enabled |= *is_guard_of_enabled;
                if search.begin()? {
                    search.run(monitor, |target, values| found(index, target, values))?;
                }
            }
        }
        Ok(())
    }

    /// The values of the labels in the state that was visited last.
    pub fn labels(
        &mut self,
        state: &[u64],
        machine: &Machine,
    ) -> impl Iterator<Item = Result<i64, SiteId>> {
        let Formulas { given, inputs, code, values, slots } = &mut self.labels;
        if let Some(slot) = *given {
            values.values[slot as usize] = i64::from(self.any_enabled);
        }
        values.load(inputs, state);
        values.run(&machine.exprs, code);
        slots.iter().map(|&slot| values.get(slot))
    }
}

/// The stutter step: the last command, if its guard is the negated disjunction of guards of others.
pub(super) struct StutterStep {
    /// The disjunction.
    pub enabled: NodeId,
    /// Its operands.
    guards: FxHashSet<NodeId>,
}

impl StutterStep {
    pub fn new(machine: &Machine, plans: &[(usize, Plan)]) -> Option<Self> {
        let ((_, last), others) = plans.split_last()?;
        let ExprNode::Unary(Unary::Not, enabled) = machine.exprs.node(only_check(machine, last)?)
        else {
            return None;
        };
        let guards: FxHashSet<NodeId> =
            machine.exprs.operands_of_chain(enabled, Binary::Or).into_iter().collect();
        let known: FxHashSet<NodeId> =
            others.iter().filter_map(|(_, plan)| only_check(machine, plan)).collect();
        guards.is_subset(&known).then_some(Self { enabled, guards })
    }

    pub fn has_guard_of(&self, machine: &Machine, plan: &Plan) -> bool {
        only_check(machine, plan).is_some_and(|check| self.guards.contains(&check))
    }
}

/// The only constraint of a step, if it is about the state that the step is made from.
fn only_check(machine: &Machine, plan: &Plan) -> Option<NodeId> {
    let is_open = |check: &&NodeId| machine.exprs.as_constant(**check) != Some(1);
    let mut checks = plan.checks.iter().filter(is_open);
    let only = checks.next().copied().filter(|_| checks.next().is_none())?;
    let exprs = &machine.exprs;
    // What it says of the next state or of inputs differs from step to step.
    let is_about_source = !exprs.reads_next(only) && !exprs.reads_input(only);
    (plan.is_guarded(machine) && is_about_source && !exprs.can_fault(only)).then_some(only)
}

/// The limit on the rows of a table.
const MAX_ROWS: u64 = 1 << 12;

/// Puts the steps into tables, in their order.
fn tables(machine: &Machine, layout: &PackedLayout, plans: &[(usize, Plan)]) -> Vec<Table> {
    let fields: FxHashMap<VarId, &PackedField> = layout
        .fields
        .iter()
        .filter(|field| field.largest() < MAX_ROWS)
        .map(|field| (field.var, field))
        .collect();
    let tests: Vec<Vec<(VarId, u64)>> =
        plans.iter().map(|(_, plan)| tests(machine, &fields, plan)).collect();
    let mut values: FxHashMap<VarId, FxHashSet<u64>> = FxHashMap::default();
    for &(var, number) in tests.iter().flatten() {
        values.entry(var).or_default().insert(number);
    }
    let mut tables: Vec<Table> = Vec::new();
    for (index, tests) in tests.iter().enumerate() {
        let best = tests.iter().max_by_key(|(var, _)| (values[var].len(), *var));
        let by = best.map(|(var, _)| fields[var]);
        if tables
            .last()
            .is_none_or(|last| last.by.as_ref().map(|field| field.var) != best.map(|test| test.0))
        {
            let rows = by.map_or(1, |field| field.largest() as usize + 1);
            tables.push(Table { by: by.cloned(), steps: vec![Vec::new(); rows] });
        }
        if let Some(table) = tables.last_mut() {
            table.steps[best.map_or(0, |test| test.1 as usize)].push(index);
        }
    }
    tables
}

/// The variables that have one value, by its number, wherever a step can be taken.
fn tests(
    machine: &Machine,
    fields: &FxHashMap<VarId, &PackedField>,
    plan: &Plan,
) -> Vec<(VarId, u64)> {
    if !plan.is_guarded(machine) {
        return Vec::new();
    }
    let exprs = &machine.exprs;
    let test = |conjunct: NodeId| {
        let ExprNode::Binary(Binary::Eq, a, b) = exprs.node(conjunct) else { return None };
        let (var, value) = match (exprs.node(a), exprs.node(b)) {
            (ExprNode::Now(var), ExprNode::Const(value))
            | (ExprNode::Const(value), ExprNode::Now(var)) => (var, value),
            _ => return None,
        };
        Some((var, fields.get(&var)?.number_of(value)?))
    };
    plan.checks.iter().flat_map(|&check| exprs.conjuncts(check)).filter_map(test).collect()
}
