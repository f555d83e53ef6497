//! The compiled successor function: guarded commands as code on packed states.
//!
//! Commands stand in tables by the value of a program counter. Conditions that all commands of a table or of one of
//! its rows have are evaluated once. Larger conditions of several commands are evaluated at most once a state, when the
//! first command asks. The interpreter of the steps, [`transition::Stepper`], is the oracle of this one.

mod code;
mod compiler;

use crate::Successors;
use code::{Code, Instruction, Processor, Register};
use compiler::{Compiler, SharedValues};
use fixedbitset::FixedBitSet;
use logic::PropId;
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Interner, Monitor};
use transition::{
    Binary, Enumeration, ExprNode, GuardedCommand, GuardedCommands, InterleavedSteps, Machine,
    NodeId, PackedField, Slice, StepError, Type, VarId,
};

/// The register that says whether a command can be taken in the state that is visited.
const ENABLED: Register = 0;

/// The compiled successor function of a slice of a symbolic transition system, with propositions.
pub struct CompiledSystem {
    pub commands: GuardedCommands,
    processor: Processor,
    tables: Vec<Table>,
    labels: Vec<Code>,
    /// The new state.
    target: Vec<u64>,
    /// By process, the tables that have commands of it.
    tables_of: Vec<Vec<usize>>,
}

/// Commands by the number of the value that a variable has in their source.
struct Table {
    /// The conditions that all have.
    guard: Option<Code>,
    /// `None` if they can be taken from any state.
    by: Option<PackedField>,
    rows: Vec<Row>,
}

impl Table {
    /// The commands that can be possible in a state.
    #[inline]
    fn row(&self, processor: &mut Processor, state: &[u64]) -> &[CompiledCommand] {
        if self.guard.as_ref().is_some_and(|guard| !processor.run(guard, state, &mut [])) {
            return &[];
        }
        let row = self.by.as_ref().map_or(0, |field| field.number(state) as usize);
        let Row { guard, commands } = &self.rows[row];
        match guard.as_ref().is_some_and(|guard| !processor.run(guard, state, &mut [])) {
            true => &[],
            false => commands,
        }
    }
}

#[derive(Default)]
struct Row {
    guard: Option<Code>,
    commands: Vec<CompiledCommand>,
}

struct CompiledCommand {
    number: u32,
    code: Code,
    is_guard_of_enabled: bool,
    /// The process that makes it, where that is known.
    mover: Option<u16>,
    /// Whether it is taken only where no other one can be.
    stutters: bool,
}

impl CompiledSystem {
    /// Compiles a slice; `None` if a step makes a choice, or if something can be a run-time error.
    pub fn new(machine: &Machine, slice: &Slice, properties: &[NodeId]) -> Option<Self> {
        if properties.iter().any(|&node| machine.exprs.can_fault(node)) {
            return None;
        }
        let commands = GuardedCommands::of(machine, slice)?;
        let mut builder = SystemBuilder::new(&commands);
        builder.share();
        let tables = builder.tables()?;
        let labels: Option<Vec<Code>> =
            properties.iter().map(|&property| builder.label(property)).collect();
        let labels = labels?;
        let blocks = builder.blocks;
        let processor = Processor::new(&commands.machine, &commands.layout.fields, blocks);
        let (target, tables_of) = (vec![0; commands.layout.words], Vec::new());
        Some(Self { commands, processor, tables, labels, target, tables_of })
    }

    /// Takes over which process makes each step.
    pub(crate) fn set_processes(&mut self, of: &InterleavedSteps) {
        self.tables_of = vec![Vec::new(); of.processes.len()];
        for (place, table) in self.tables.iter_mut().enumerate() {
            for command in table.rows.iter_mut().flat_map(|row| &mut row.commands) {
                let selected = self.commands.commands[command.number as usize].selected;
                let moves = of.steps.get(selected).map(|step| &step.moves[..]);
                let Some([first, ..]) = moves else { continue };
                command.mover = u16::try_from(first.process).ok();
                let tables = &mut self.tables_of[first.process];
                if tables.last() != Some(&place) {
                    tables.push(place);
                }
            }
        }
    }

    /// Visits the successors by the steps of one process only.
    pub(crate) fn successors_of(
        &mut self,
        process: usize,
        state: &[u64],
        mut found: impl FnMut(u32, &[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let Self { processor, tables, target, tables_of, .. } = self;
        processor.next_state();
        for &place in &tables_of[process] {
            for CompiledCommand { number, mover, code, .. } in tables[place].row(processor, state) {
                if *mover == Some(process as u16) && processor.run(code, state, target) {
                    found(*number, target)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a step can be taken from the state whose successors were visited last.
    pub(crate) fn is_enabled(&self) -> bool {
        self.processor.get(ENABLED) != 0
    }

    /// Says whether a step can be taken from the state whose propositions are asked next.
    pub(crate) fn set_enabled(&mut self, is_enabled: bool) {
        self.processor.next_state();
        self.processor.set(ENABLED, i64::from(is_enabled));
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
        for (number, row) in rows.iter().enumerate() {
            self.successors(row, monitor, |_, _| Ok(()))?;
            for (property, set) in true_in.iter_mut().enumerate() {
                set.set(number, self.holds(first + property, row));
            }
        }
        self.commands.run_model(rows, loop_start, names, true_in, monitor)
    }
}

impl Successors for CompiledSystem {
    type Error = StepError;

    fn words(&self) -> usize {
        self.commands.layout.words
    }

    fn initial(
        &mut self,
        monitor: &Monitor,
        found: impl FnMut(&[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.commands.initial(monitor, found)
    }

    fn successors(
        &mut self,
        state: &[u64],
        _: &Monitor,
        mut found: impl FnMut(u32, &[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let Self { processor, tables, target, .. } = self;
        let mut any_enabled = false;
        processor.next_state();
        for table in tables {
            for command in table.row(processor, state) {
                let CompiledCommand { number, code, is_guard_of_enabled, stutters, .. } = command;
                if *stutters && any_enabled || !processor.run(code, state, target) {
                    continue;
                }
                any_enabled |= *is_guard_of_enabled;
                found(*number, target)?;
            }
        }
        processor.set(ENABLED, i64::from(any_enabled));
        Ok(())
    }

    #[inline]
    fn holds(&mut self, proposition: usize, state: &[u64]) -> bool {
        self.processor.run(&self.labels[proposition], state, &mut [])
    }
}

/// Makes code of commands.
struct SystemBuilder<'c> {
    commands: &'c GuardedCommands,
    shared: SharedValues,
    blocks: Vec<Code>,
    next_register: Register,
}

/// A command with its number.
type Numbered<'c> = (usize, &'c GuardedCommand);

/// From so many commands on, a condition is evaluated for all of them together.
const FEWEST_USES: usize = 3;

/// If it has so many subexpressions.
const SMALLEST_SHARED: usize = 8;

/// The limit on the rows of a table.
const MAX_ROWS: u64 = 1 << 12;

impl<'c> SystemBuilder<'c> {
    fn new(commands: &'c GuardedCommands) -> Self {
        let (shared, blocks) = Default::default();
        Self { commands, shared, blocks, next_register: ENABLED + 1 }
    }

    /// Makes blocks of larger conditions that several commands have.
    fn share(&mut self) {
        let exprs = &self.commands.machine.exprs;
        let mut uses: FxHashMap<NodeId, usize> = FxHashMap::default();
        let last = self.commands.commands.len() - usize::from(self.commands.enabled.is_some());
        for command in &self.commands.commands[..last] {
            for node in exprs.below(command.guard.iter().copied()) {
                let is_binary = matches!(exprs.node(node), ExprNode::Binary(..));
                if is_binary && exprs.ty(node) == Type::Bool {
                    *uses.entry(node).or_default() += 1;
                }
            }
        }
        let mut nodes: Vec<NodeId> =
            uses.iter().filter(|&(_, &uses)| uses >= FEWEST_USES).map(|(&node, _)| node).collect();
        // Operands have lower numbers.
        nodes.sort_unstable();
        let mut inner: FxHashSet<NodeId> = FxHashSet::default();
        let mut outer = Vec::new();
        // Of nested conditions that the same commands have, only the outermost one is shared.
        for &node in nodes.iter().rev() {
            let below = exprs.below([node]);
            if inner.contains(&node) || below.len() < SMALLEST_SHARED {
                continue;
            }
            inner.extend(below.into_iter().filter(|other| uses.get(other) == uses.get(&node)));
            outer.push(node);
        }
        for node in outer.into_iter().rev() {
            let into = self.next_register;
            let Some(first) = into.checked_add(1) else { return };
            let mut compiler = self.compiler_from(first);
            compiler.truth_into(node, into);
            compiler.emit(Instruction::End);
            if let Some((code, next)) = compiler.finish() {
                self.shared.0.insert(node, (self.blocks.len() as u32, into));
                self.blocks.push(code);
                self.next_register = next;
            }
        }
    }

    fn compiler_from(&self, register: Register) -> Compiler<'_> {
        let GuardedCommands { machine, layout, .. } = self.commands;
        Compiler::new(machine, layout, &self.shared, register)
    }

    fn compiler(&self) -> Compiler<'_> {
        self.compiler_from(self.next_register)
    }

    fn label(&self, property: NodeId) -> Option<Code> {
        let mut compiler = self.compiler();
        if let Some(enabled) = self.commands.enabled {
            compiler.define(enabled, ENABLED);
        }
        compiler.checked(&[property])
    }

    /// All commands in tables.
    fn tables(&self) -> Option<Vec<Table>> {
        let mut commands: Vec<Numbered> = self.commands.commands.iter().enumerate().collect();
        let last = self.commands.enabled.is_some().then(|| commands.pop()).flatten();
        let mut tables: Vec<Table> = Vec::new();
        for (by, commands) in self.by_variable(&commands) {
            tables.push(self.table(by, &commands)?);
        }
        if let Some(last) = last {
            let commands = vec![self.command(last, &[], true)?];
            tables.push(Table { guard: None, by: None, rows: vec![Row { guard: None, commands }] });
        }
        Some(tables)
    }

    /// The commands by the variable of their table: the one with the most values among those that they test.
    fn by_variable(
        &self,
        commands: &[Numbered<'c>],
    ) -> Vec<(Option<&'c PackedField>, Vec<Numbered<'c>>)> {
        let mut values: FxHashMap<VarId, FxHashSet<u64>> = FxHashMap::default();
        for (_, command) in commands {
            for (field, number, _) in self.tests(command) {
                values.entry(field.var).or_default().insert(number);
            }
        }
        let mut tables: Vec<(Option<&PackedField>, Vec<Numbered>)> = Vec::new();
        for &(number, command) in commands {
            let tests = self.tests(command).into_iter();
            let best = tests.max_by_key(|(field, ..)| (values[&field.var].len(), field.var));
            let by = best.map(|(field, ..)| field);
            let var = by.map(|field| field.var);
            match tables.iter_mut().find(|(by, _)| by.map(|field| field.var) == var) {
                Some((_, commands)) => commands.push((number, command)),
                None => tables.push((by, vec![(number, command)])),
            }
        }
        tables
    }

    /// The conjuncts of a guard that say which number a field has.
    fn tests(&self, command: &GuardedCommand) -> Vec<(&'c PackedField, u64, NodeId)> {
        let GuardedCommands { machine, layout, .. } = self.commands;
        let exprs = &machine.exprs;
        let test = |&conjunct: &NodeId| {
            let ExprNode::Binary(Binary::Eq, a, b) = exprs.node(conjunct) else { return None };
            let (var, value) = match (exprs.node(a), exprs.node(b)) {
                (ExprNode::Now(var), ExprNode::Const(value))
                | (ExprNode::Const(value), ExprNode::Now(var)) => (var, value),
                _ => return None,
            };
            let field = layout.fields.iter().find(|field| field.var == var)?;
            let number = field.number_of(value)?;
            (field.largest() < MAX_ROWS).then_some((field, number, conjunct))
        };
        command.guard.iter().filter_map(test).collect()
    }

    fn table(&self, by: Option<&PackedField>, commands: &[Numbered<'c>]) -> Option<Table> {
        let common = common(commands);
        let rows = by.map_or(1, |field| field.largest() as usize + 1);
        let mut by_row: Vec<Vec<Numbered>> = vec![Vec::new(); rows];
        let mut tests_of_row: Vec<Vec<NodeId>> = vec![Vec::new(); rows];
        for &(number, command) in commands {
            let tests = self.tests(command);
            let test = tests.iter().find(|test| by.is_some_and(|by| by.var == test.0.var));
            let row = test.map_or(0, |test| test.1 as usize);
            by_row[row].push((number, command));
            tests_of_row[row].extend(test.map(|test| test.2));
        }
        let mut rows = Vec::new();
        for (commands, tests) in by_row.into_iter().zip(tests_of_row) {
            let mut known = [&common[..], &tests].concat();
            let mut own = self::common(&commands);
            own.retain(|node| !known.contains(node));
            let mut guard = None;
            if !own.is_empty() {
                guard = Some(self.guard(&own, &known)?);
                known.extend(own);
            }
            let commands = commands.into_iter().map(|command| self.command(command, &known, false));
            let commands: Option<Vec<CompiledCommand>> = commands.collect();
            rows.push(Row { guard, commands: commands? });
        }
        let guard = match common.is_empty() {
            true => None,
            false => Some(self.guard(&common, &[])?),
        };
        Some(Table { guard, by: by.cloned(), rows })
    }

    /// Code that fails unless all of these hold, where others are known to hold.
    fn guard(&self, conjuncts: &[NodeId], known: &[NodeId]) -> Option<Code> {
        let mut compiler = self.compiler();
        known.iter().for_each(|&node| compiler.assume(node, true));
        compiler.checked(conjuncts)
    }

    /// A command where these conditions hold.
    fn command(
        &self,
        (number, command): Numbered,
        known: &[NodeId],
        stutters: bool,
    ) -> Option<CompiledCommand> {
        let mut compiler = self.compiler();
        known.iter().for_each(|&node| compiler.assume(node, true));
        if let Some(enabled) = self.commands.enabled.filter(|_| stutters) {
            compiler.assume(enabled, false);
        }
        compiler.computed.extend(command.assignments.iter().copied());
        let fail = compiler.label();
        compiler.conjunction(&command.guard, fail);
        compiler.emit(Instruction::Begin);
        compiler.writes(command.assignments.clone());
        compiler.emit(Instruction::End);
        compiler.bind(fail);
        compiler.emit(Instruction::Fail);
        let (code, _) = compiler.finish()?;
        let is_guard_of_enabled = command.is_guard_of_enabled;
        let (number, mover) = (number as u32, None);
        Some(CompiledCommand { number, code, is_guard_of_enabled, mover, stutters })
    }
}

/// The conjuncts that the guards of several commands have in common.
fn common(commands: &[Numbered]) -> Vec<NodeId> {
    let Some(((_, first), others)) = commands.split_first() else { return Vec::new() };
    if others.is_empty() {
        return Vec::new();
    }
    let in_all = |node: &NodeId| others.iter().all(|(_, command)| command.guard.contains(node));
    let mut found: Vec<NodeId> = first.guard.iter().copied().filter(in_all).collect();
    found.dedup();
    found
}
