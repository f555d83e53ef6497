//! The compiled successor function: the steps of a system as code on packed states.
//!
//! Steps stand in tables by the value of a program counter, as those of [`Steps`](super::steps::Steps), which is the
//! oracle of this one. Conditions that all steps of a table or of one of its rows have are evaluated once. Larger
//! conditions of several steps are evaluated at most once a state, when the first step asks. Steps that have to try
//! values are left to [`Search`].

mod code;
mod compiler;

use super::fault::{RuntimeError, StepError};
use super::Enumeration;
use super::layout::{Field, Layout, Valuations, describe};
use super::plan::{Plan, Source};
use super::program::Program;
use super::reduction::{Reduction, Reductions};
use super::rules::Rules;
use super::search::{Search, SearchError};
use super::steps::{StutterStep, plan_steps, tests};
use crate::cone::Slice;
use crate::expr::{ExprNode, NodeId, Type};
use crate::interleaving::Interleaving;
use crate::parts::{Machine, Section, VarId, VarKind};
use code::{Code, Instruction, Processor, Register};
use compiler::{Compiler, SharedValues};
use fixedbitset::FixedBitSet;
use logic::PropId;
use model::{EdgeClass, EdgesBuilder, Labelling, Mode, PartialModel, StateNames};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use support::{Interner, Monitor};

/// The register that says whether a step can be taken from the state that is visited.
const ENABLED: Register = 0;

/// The compiled successor function of a slice of a symbolic transition system, with propositions.
pub struct CompiledSystem {
    machine: Arc<Machine>,
    layout: Layout,
    start: Search,
    processor: Processor,
    tables: Vec<Table>,
    labels: Vec<Code>,
    /// The new state.
    target: Vec<u64>,
    /// By step, the number of the selector's value.
    selected: Vec<usize>,
    /// By process, the tables that have steps of it.
    tables_of: Vec<Vec<usize>>,
}

/// Steps by the number of the value that a variable has in their source.
struct Table {
    /// The conditions that all have.
    guard: Option<Code>,
    /// `None` if they can be taken from any state.
    by: Option<Field>,
    rows: Vec<Row>,
}

#[derive(Default)]
struct Row {
    guard: Option<Code>,
    steps: Vec<CompiledStep>,
}

struct CompiledStep {
    number: u32,
    /// The process that makes it, where that is known.
    mover: Option<u16>,
    body: Body,
    /// Whether its guard is a disjunct of the one that the stutter step negates.
    is_guard_of_enabled: bool,
    /// Whether it is the stutter step.
    stutters: bool,
}

enum Body {
    Compiled(Code),
    Search(Box<Search>),
}

impl CompiledSystem {
    /// Compiles a slice; `None` if a proposition can be a run-time error.
    pub fn new(machine: &Machine, slice: &Slice, properties: &[NodeId]) -> Option<Self> {
        if properties.iter().any(|&node| machine.exprs.can_fault(node)) {
            return None;
        }
        let mut machine = machine.clone();
        let layout = Layout::new(&machine, slice);
        let start = Rules::new(&mut machine, slice, Section::Init);
        let start = Plan::new(&mut machine, slice, start, false);
        let plans = plan_steps(&mut machine, slice);
        let machine = Arc::new(machine);
        let start =
            Search::new(&machine, Program::new(&machine, &layout, &start, None), layout.words);
        let builder = SystemBuilder::new(&machine, &layout, &plans);
        let (tables, labels, blocks) = builder.build(properties)?;
        let processor = Processor::new(&machine, &layout.fields, blocks);
        let (target, tables_of) = (vec![0; layout.words], Vec::new());
        let selected = plans.iter().map(|(number, _)| *number).collect();
        Some(Self { machine, layout, start, processor, tables, labels, target, selected, tables_of })
    }

    /// What may be left out for these propositions. From now on it is known which process makes each step.
    pub(super) fn reduction(
        &mut self,
        slice: &Slice,
        of: &Interleaving,
        propositions: &[NodeId],
        wanted: Reductions,
    ) -> Reduction {
        let movers: Vec<Option<usize>> =
            of.steps.iter().map(|step| Some(step.moves.first()?.process)).collect();
        self.set_movers(&movers, of.processes.len());
        Reduction::new((&self.machine, slice, &self.layout), of, propositions, wanted)
    }

    /// Says which process makes each step, by the number of the selector's value.
    fn set_movers(&mut self, movers: &[Option<usize>], processes: usize) {
        self.tables_of = vec![Vec::new(); processes];
        for (number, table) in self.tables.iter_mut().enumerate() {
            for step in table.rows.iter_mut().flat_map(|row| &mut row.steps) {
                let mover = movers.get(self.selected[step.number as usize]).copied().flatten();
                step.mover = mover.and_then(|mover| u16::try_from(mover).ok());
                if let Some(mover) = mover
                    && self.tables_of[mover].last() != Some(&number)
                {
                    self.tables_of[mover].push(number);
                }
            }
        }
    }

    /// Words a state.
    pub fn words(&self) -> usize {
        self.layout.words
    }

    /// How many steps there are, and how many of them are code.
    pub fn compiled_steps(&self) -> (usize, usize) {
        let steps = || self.tables.iter().flat_map(|table| &table.rows).flat_map(|row| &row.steps);
        let compiled = steps().filter(|step| matches!(step.body, Body::Compiled(_)));
        (steps().count(), compiled.count())
    }

    /// Visits the initial states.
    pub fn initial<E: From<StepError>>(
        &mut self,
        monitor: &Monitor,
        mut found: impl FnMut(&[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let nothing = vec![0; self.layout.words];
        if !self.start.load(&nothing, false) {
            return Ok(());
        }
        let mut kept = Ok(());
        let ended = self.start.begin().and_then(|is_possible| match is_possible {
            true => self.start.run(monitor, |state, _| keep(found(state), &mut kept)),
            false => Ok(()),
        });
        kept?;
        ended.map_err(|error| self.error(error, None).into())
    }

    /// Visits the successors of a state, each with the number of the step.
    pub fn successors<E: From<StepError>>(
        &mut self,
        state: &[u64],
        monitor: &Monitor,
        mut found: impl FnMut(u32, &[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut any_enabled = false;
        self.processor.next_state();
        for table in 0..self.tables.len() {
            self.visit_table((table, None), state, &mut any_enabled, monitor, &mut found)?;
        }
        self.processor.set(ENABLED, i64::from(any_enabled));
        Ok(())
    }

    /// Visits the successors by the steps of one process only.
    pub(super) fn successors_of<E: From<StepError>>(
        &mut self,
        process: usize,
        state: &[u64],
        monitor: &Monitor,
        mut found: impl FnMut(u32, &[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.processor.next_state();
        for place in 0..self.tables_of[process].len() {
            let table = (self.tables_of[process][place], Some(process as u16));
            self.visit_table(table, state, &mut false, monitor, &mut found)?;
        }
        Ok(())
    }

    /// Whether a step can be taken from the state whose successors were visited last.
    pub(super) fn is_enabled(&self) -> bool {
        self.processor.get(ENABLED) != 0
    }

    /// Says whether a step can be taken from the state whose propositions are asked next.
    pub(super) fn set_enabled(&mut self, is_enabled: bool) {
        self.processor.next_state();
        self.processor.set(ENABLED, i64::from(is_enabled));
    }

    #[inline]
    fn visit_table<E: From<StepError>>(
        &mut self,
        (table, only): (usize, Option<u16>),
        state: &[u64],
        any_enabled: &mut bool,
        monitor: &Monitor,
        found: &mut impl FnMut(u32, &[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { processor, tables, target, .. } = self;
        let table = &mut tables[table];
        if table.guard.as_ref().is_some_and(|guard| !processor.run(guard, state, &mut [])) {
            return Ok(());
        }
        let row = table.by.as_ref().map_or(0, |field| field.number(state) as usize);
        let Row { guard, steps } = &mut table.rows[row];
        if guard.as_ref().is_some_and(|guard| !processor.run(guard, state, &mut [])) {
            return Ok(());
        }
        for CompiledStep { number, mover, body, is_guard_of_enabled, stutters } in steps {
            if *stutters && *any_enabled || only.is_some() && *mover != only {
                continue;
            }
            match body {
                Body::Compiled(code) => {
                    if processor.run(code, state, target) {
                        *any_enabled |= *is_guard_of_enabled;
                        found(*number, target)?;
                    }
                }
                Body::Search(search) => {
                    if !search.load(state, *any_enabled) {
                        continue;
                    }
                    *any_enabled |= *is_guard_of_enabled;
                    let mut kept = Ok(());
                    let ended = search.begin().and_then(|is_possible| match is_possible {
                        true => search
                            .run(monitor, |target, _| keep(found(*number, target), &mut kept)),
                        false => Ok(()),
                    });
                    kept?;
                    ended.map_err(|error| self.error(error, Some(state)).into())?;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether a proposition holds in the state whose successors were visited last.
    #[inline]
    pub fn holds(&mut self, property: usize, state: &[u64]) -> bool {
        self.processor.run(&self.labels[property], state, &mut [])
    }

    /// The name of a state: the variables with their values.
    pub fn describe(&self, state: &[u64]) -> String {
        describe(&self.machine, self.layout.fields.iter(), state)
    }

    /// The variables of a state, in the order of their declaration, with their values.
    pub fn values(&self, state: &[u64]) -> Vec<(VarId, i64)> {
        self.layout.fields.iter().map(|field| (field.var, field.get(state))).collect()
    }

    /// The states of a run as a model: each leads to the next one, and the last one back to `loop_start`. The
    /// propositions are the last ones of the system.
    pub fn run_model(
        &mut self,
        rows: &[&[u64]],
        loop_start: usize,
        names: Interner<PropId>,
        monitor: &Monitor,
    ) -> Result<Enumeration, StepError> {
        let mut true_in = vec![FixedBitSet::with_capacity(rows.len()); names.len()];
        let first = self.labels.len() - names.len();
        let mut edges = EdgesBuilder::new();
        edges.make_room(rows.len(), monitor)?;
        for (number, row) in rows.iter().enumerate() {
            self.successors(row, monitor, |_, _| Ok::<(), StepError>(()))?;
            for (property, set) in true_in.iter_mut().enumerate() {
                set.set(number, self.holds(first + property, row));
            }
            let next = if number + 1 < rows.len() { number + 1 } else { loop_start };
            edges.push(number as u32, 0, next as u32);
        }
        let classes = vec![EdgeClass { action: None, mode: Mode::BOTH }];
        let edges = edges.finish(rows.len(), classes, monitor)?;
        let labelling = Labelling::complete(names, true_in, rows.len());
        let valuations =
            Valuations::new(self.machine.clone(), self.layout.clone(), rows.concat());
        let constants = valuations.constants();
        let names = StateNames::Made(Arc::new(valuations));
        let name = self.machine.name.clone();
        let model = PartialModel::kripke(name, labelling, names, vec![0], edges);
        Ok(Enumeration { model, deadlocks: FixedBitSet::with_capacity(rows.len()), constants })
    }

    fn error(&self, error: SearchError, from: Option<&[u64]>) -> StepError {
        match error {
            SearchError::Stopped(stopped) => StepError::Stopped(stopped),
            SearchError::TooMany => StepError::TooMany(usize::MAX),
            SearchError::Runtime(what) => {
                let state = from.map(|state| self.describe(state));
                StepError::Fault(Box::new(RuntimeError { what, state }))
            }
        }
    }
}

/// Keeps an error of a visitor and ends the visit.
fn keep<E>(result: Result<(), E>, kept: &mut Result<(), E>) -> Result<(), SearchError> {
    result.map_err(|error| {
        *kept = Err(error);
        SearchError::TooMany
    })
}

/// A step on its way to code.
struct PlannedStep<'p> {
    number: usize,
    plan: &'p Plan,
    /// The conjuncts of its guard; `None` if it is left to a search.
    guard: Option<Vec<NodeId>>,
    tests: Vec<(VarId, u64)>,
}

struct SystemBuilder<'m> {
    machine: &'m Arc<Machine>,
    layout: &'m Layout,
    steps: Vec<PlannedStep<'m>>,
    stutter: Option<StutterStep>,
    shared: SharedValues,
    blocks: Vec<Code>,
    next_register: Register,
}

impl<'m> SystemBuilder<'m> {
    fn new(machine: &'m Arc<Machine>, layout: &'m Layout, plans: &'m [(usize, Plan)]) -> Self {
        let stutter = StutterStep::new(machine, plans);
        let fields: FxHashMap<VarId, &Field> =
            layout.fields.iter().map(|field| (field.var, field)).collect();
        let step = |(number, (_, plan)): (usize, &'m (usize, Plan))| PlannedStep {
            number,
            plan,
            guard: guard(machine, &fields, plan),
            tests: tests(machine, &fields, plan),
        };
        let steps: Vec<PlannedStep> = plans.iter().enumerate().map(step).collect();
        let mut builder = Self {
            machine,
            layout,
            steps,
            stutter,
            shared: SharedValues::default(),
            blocks: Vec::new(),
            next_register: ENABLED + 1,
        };
        builder.share();
        builder
    }

    /// Makes blocks of larger conditions that several steps have.
    fn share(&mut self) {
        let exprs = &self.machine.exprs;
        let mut uses: FxHashMap<NodeId, usize> = FxHashMap::default();
        for step in &self.steps {
            let Some(guard) = &step.guard else { continue };
            for node in exprs.below(guard.iter().copied()) {
                let is_chain =
                    matches!(exprs.node(node), ExprNode::Binary(..) if exprs.ty(node) == Type::Bool);
                if is_chain {
                    *uses.entry(node).or_default() += 1;
                }
            }
        }
        let mut nodes: Vec<NodeId> =
            uses.iter().filter(|&(_, &uses)| uses >= FEWEST_USES).map(|(&node, _)| node).collect();
        // Operands have lower numbers.
        nodes.sort_unstable();
        let mut shared = SharedValues::default();
        let mut inner: FxHashSet<NodeId> = FxHashSet::default();
        // Of nested conditions that the same steps have, only the outermost one is shared.
        for &node in nodes.iter().rev() {
            if inner.contains(&node) || exprs.below([node]).len() < SMALLEST_SHARED {
                continue;
            }
            let same = |other: &NodeId| uses.get(other) == uses.get(&node);
            inner.extend(exprs.below([node]).into_iter().filter(same));
            inner.remove(&node);
            shared.0.insert(node, (0, 0));
        }
        let mut order: Vec<NodeId> = shared.0.keys().copied().collect();
        order.sort_unstable();
        for node in order {
            let into = self.next_register;
            let Some(first) = into.checked_add(1) else { return };
            let mut compiler = Compiler::new(self.machine, self.layout, &self.shared, first);
            compiler.truth_into(node, into);
            compiler.emit(Instruction::End);
            if let Some((code, next)) = compiler.finish() {
                self.shared.0.insert(node, (self.blocks.len() as u32, into));
                self.blocks.push(code);
                self.next_register = next;
            }
        }
    }

    fn compiler(&self) -> Compiler<'_> {
        Compiler::new(self.machine, self.layout, &self.shared, self.next_register)
    }

    /// The steps in tables, the labels, and what they share.
    fn build(mut self, properties: &[NodeId]) -> Option<(Vec<Table>, Vec<Code>, Vec<Code>)> {
        let labels: Option<Vec<Code>> =
            properties.iter().map(|&property| self.label(property)).collect();
        let last = self.stutter.is_some().then(|| self.steps.pop()).flatten();
        let mut tables: Vec<Table> = Vec::new();
        for (by, steps) in self.by_variable() {
            tables.push(self.table(by, &steps));
        }
        if let Some(last) = last {
            let steps = self.step(&last, &[], true).into_iter().collect();
            tables.push(Table { guard: None, by: None, rows: vec![Row { guard: None, steps }] });
        }
        Some((tables, labels?, self.blocks))
    }

    fn label(&self, property: NodeId) -> Option<Code> {
        let mut compiler = self.compiler();
        if let Some(stutter) = &self.stutter {
            compiler.define(stutter.enabled, ENABLED);
        }
        let fail = compiler.label();
        compiler.branch(property, false, fail);
        compiler.emit(Instruction::End);
        compiler.bind(fail);
        compiler.emit(Instruction::Fail);
        compiler.finish().map(|(code, _)| code)
    }

    /// The steps by the variable of their table: the one with the most values among those that they test.
    fn by_variable(&self) -> Vec<(Option<&'m Field>, Vec<&PlannedStep<'m>>)> {
        let fields: FxHashMap<VarId, &Field> = self
            .layout
            .fields
            .iter()
            .filter(|field| field.largest() < super::steps::MAX_ROWS)
            .map(|field| (field.var, field))
            .collect();
        let mut values: FxHashMap<VarId, FxHashSet<u64>> = FxHashMap::default();
        for &(var, number) in self.steps.iter().flat_map(|step| &step.tests) {
            values.entry(var).or_default().insert(number);
        }
        let mut tables: Vec<(Option<&Field>, Vec<&PlannedStep>)> = Vec::new();
        for step in &self.steps {
            let tests = step.tests.iter().filter(|(var, _)| fields.contains_key(var));
            let best = tests.max_by_key(|(var, _)| (values[var].len(), *var));
            let by = best.map(|(var, _)| fields[var]);
            let var = by.map(|field| field.var);
            match tables.iter_mut().find(|(by, _)| by.map(|field| field.var) == var) {
                Some((_, steps)) => steps.push(step),
                None => tables.push((by, vec![step])),
            }
        }
        tables
    }

    fn table(&self, by: Option<&Field>, steps: &[&PlannedStep]) -> Table {
        let common = common(steps);
        let rows = by.map_or(1, |field| field.largest() as usize + 1);
        let mut by_row: Vec<Vec<&PlannedStep>> = vec![Vec::new(); rows];
        for step in steps {
            let test = |field: &Field| step.tests.iter().find(|(var, _)| *var == field.var);
            by_row[by.and_then(test).map_or(0, |test| test.1 as usize)].push(step);
        }
        let row = |(number, steps): (usize, Vec<&PlannedStep>)| {
            let mut known = common.clone();
            if let Some(field) = by {
                known.extend(steps.iter().flat_map(|step| self.test_of(step, field, number)));
            }
            let own = self::common(&steps);
            let own: Vec<NodeId> = own.into_iter().filter(|node| !known.contains(node)).collect();
            let has_guard = steps.len() > 1 && !own.is_empty();
            let guard = has_guard.then(|| self.guard_code(&own, &known)).flatten();
            if guard.is_some() {
                known.extend(own);
            }
            Row { guard, steps: steps.iter().filter_map(|step| self.step(step, &known, false)).collect() }
        };
        let guard = match common.is_empty() {
            true => None,
            false => self.guard_code(&common, &[]),
        };
        Table { guard, by: by.cloned(), rows: by_row.into_iter().enumerate().map(row).collect() }
    }

    /// The conjuncts of a step that say which row it stands in.
    fn test_of(&self, step: &PlannedStep, field: &Field, number: usize) -> Vec<NodeId> {
        let exprs = &self.machine.exprs;
        let is_test = |node: &NodeId| {
            let ExprNode::Binary(crate::expr::Binary::Eq, a, b) = exprs.node(*node) else {
                return false;
            };
            let sides = [(a, b), (b, a)];
            sides.into_iter().any(|(a, b)| {
                exprs.node(a) == ExprNode::Now(field.var)
                    && exprs.as_constant(b).and_then(|value| field.number_of(value))
                        == Some(number as u64)
            })
        };
        step.guard.iter().flatten().copied().filter(is_test).collect()
    }

    /// Code that fails unless all of these hold, where others are known to hold.
    fn guard_code(&self, conjuncts: &[NodeId], known: &[NodeId]) -> Option<Code> {
        let mut compiler = self.compiler();
        known.iter().for_each(|&node| compiler.assume(node, true));
        let fail = compiler.label();
        compiler.conjunction(conjuncts, fail);
        compiler.emit(Instruction::End);
        compiler.bind(fail);
        compiler.emit(Instruction::Fail);
        compiler.finish().map(|(code, _)| code)
    }

    /// A step where these conditions hold; `None` if it can never be taken.
    fn step(&self, step: &PlannedStep, known: &[NodeId], stutters: bool) -> Option<CompiledStep> {
        let stutter = self.stutter.as_ref();
        let is_guard_of_enabled =
            stutter.is_some_and(|stutter| stutter.has_guard_of(self.machine, step.plan));
        let code = step.guard.as_ref().and_then(|guard| self.code(step, guard, known, stutters));
        let body = match code {
            Some(code) => Body::Compiled(code),
            None => {
                let given = stutter.map(|stutter| stutter.enabled);
                let given = given.filter(|_| stutters);
                let program = Program::new(self.machine, self.layout, step.plan, given);
                Body::Search(Box::new(Search::new(self.machine, program, self.layout.words)))
            }
        };
        let number = step.number as u32;
        Some(CompiledStep { number, mover: None, body, is_guard_of_enabled, stutters })
    }

    fn code(
        &self,
        step: &PlannedStep,
        guard: &[NodeId],
        known: &[NodeId],
        stutters: bool,
    ) -> Option<Code> {
        let mut compiler = self.compiler();
        known.iter().for_each(|&node| compiler.assume(node, true));
        if let Some(stutter) = self.stutter.as_ref().filter(|_| stutters) {
            compiler.assume(stutter.enabled, false);
        }
        let mut writes = Vec::new();
        for decision in &step.plan.decisions {
            if let Source::Assigned(node) | Source::Determined(node) = decision.source {
                compiler.computed.insert(decision.var, node);
                writes.push((decision.var, node));
            }
        }
        let fail = compiler.label();
        compiler.conjunction(guard, fail);
        compiler.emit(Instruction::Begin);
        compiler.writes(writes);
        compiler.emit(Instruction::End);
        compiler.bind(fail);
        compiler.emit(Instruction::Fail);
        compiler.finish().map(|(code, _)| code)
    }
}

/// From so many steps on, a condition is evaluated for all of them together.
const FEWEST_USES: usize = 3;

/// If it has so many subexpressions.
const SMALLEST_SHARED: usize = 8;

/// The conjuncts of the guard of a step; `None` if the step cannot be compiled: it tries values, or something in it
/// can be a run-time error or have no value.
fn guard(
    machine: &Machine,
    fields: &FxHashMap<VarId, &Field>,
    plan: &Plan,
) -> Option<Vec<NodeId>> {
    let exprs = &machine.exprs;
    if plan.levels > 0 || !plan.is_guarded(machine) {
        return None;
    }
    let mut roots: Vec<NodeId> = plan.checks.clone();
    for decision in &plan.decisions {
        let (Source::Assigned(node) | Source::Determined(node)) = decision.source else {
            return None;
        };
        if machine.vars[decision.var].kind == VarKind::Input
            || machine.value_can_fail(decision.var, node)
        {
            return None;
        }
        roots.push(node);
    }
    let decided = |var: VarId| plan.decisions.iter().any(|decision| decision.var == var);
    let can_be_compiled = |node: NodeId| match exprs.node(node) {
        ExprNode::Now(var) => fields.contains_key(&var),
        ExprNode::Next(var) => decided(var),
        ExprNode::Fault(_) => false,
        _ => true,
    };
    if !exprs.below(roots).into_iter().all(can_be_compiled) {
        return None;
    }
    let conjuncts = plan.checks.iter().flat_map(|&check| exprs.conjuncts(check));
    Some(conjuncts.filter(|&node| exprs.as_constant(node) != Some(1)).collect())
}

/// The conjuncts that the guards of all steps have.
fn common(steps: &[&PlannedStep]) -> Vec<NodeId> {
    let Some((first, others)) = steps.split_first() else { return Vec::new() };
    let has = |step: &&PlannedStep, node: &NodeId| {
        step.guard.as_ref().is_some_and(|guard| guard.contains(node))
    };
    let in_all = |node: &NodeId| others.iter().all(|step| has(step, node));
    let mut found: Vec<NodeId> = first.guard.iter().flatten().copied().filter(in_all).collect();
    found.dedup();
    if steps.len() == 1 { Vec::new() } else { found }
}
