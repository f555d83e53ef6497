//! What each step reads and writes, and which variables are dead, for partial-order reduction.

use super::super::program::{
    Action, Array, ArrayId, ChannelId, ExprId, LocationId, Pattern, ProcessId, PromelaBinary,
    PromelaEdge, PromelaExpr, PromelaModel, Storage, VarId,
};
use super::{Encoder, Layout};
use rustc_hash::FxHashSet;
use transition::{
    BufferedChannel, ExclusiveControl, InterleavedProcess, InterleavedStep, InterleavedSteps,
    ProcessMove, QueueEnd, VarId as StateId,
};

const TIMEOUT: &str = "`timeout` depends on all processes";

/// The variables that a step reads and writes, as they are collected.
pub(super) struct StepUses<'l, 'p> {
    program: &'p PromelaModel,
    layout: &'l Layout,
    step: InterleavedStep,
}

impl<'l, 'p> StepUses<'l, 'p> {
    pub fn new(program: &'p PromelaModel, layout: &'l Layout) -> Self {
        Self { program, layout, step: InterleavedStep::default() }
    }

    /// A process goes along an edge.
    #[must_use]
    pub fn moving(mut self, process: ProcessId, source: LocationId, target: LocationId) -> Self {
        let symbol = |location| self.layout.symbol(process, location);
        let (source, target) = (symbol(source), symbol(target));
        self.step.moves.push(ProcessMove { process: process.0 as usize, source, target });
        self
    }

    /// Who has exclusive control afterwards.
    #[must_use]
    pub fn keeping(mut self, process: Option<ProcessId>) -> Self {
        self.step.keeps_control = process.map(|process| process.0 as usize);
        self
    }

    /// All that an edge depends on and changes.
    #[must_use]
    pub fn of_edge(mut self, edge: &PromelaEdge) -> Self {
        let program = self.program;
        match &edge.action {
            Action::Pass | Action::Die | Action::Overflow => self.read(edge.guard),
            Action::Print { arguments, .. } => {
                self.read(edge.guard);
                arguments.iter().for_each(|&argument| self.read(argument));
            }
            Action::Assert(condition) => {
                self.read(edge.guard);
                self.read(*condition);
            }
            Action::Assign { place, value } => {
                self.read(edge.guard);
                self.read(*value);
                self.write(*place);
            }
            Action::Send { channel, values, is_sorted } => {
                match program.channels[*channel].is_rendezvous() || *is_sorted {
                    true => self.read(edge.guard),
                    false => self.read_at_queue(edge.guard, *channel, QueueEnd::Back),
                }
                if *is_sorted {
                    self.use_contents(*channel);
                }
                values.iter().for_each(|&value| self.read(value));
            }
            Action::Receive { channel, slot, patterns, .. } => {
                match program.channels[*channel].is_rendezvous() || *slot > 0 {
                    true => self.read(edge.guard),
                    false => self.read_at_queue(edge.guard, *channel, QueueEnd::Front),
                }
                if *slot > 0 {
                    self.use_contents(*channel);
                }
                for pattern in patterns {
                    match pattern {
                        Pattern::Store(place) => self.write(*place),
                        Pattern::Match(value) => self.read(*value),
                    }
                }
            }
            Action::Start { process, values } => {
                self.read(edge.guard);
                for (var, value) in values {
                    self.read(*value);
                    self.write(Storage::Var(*var));
                }
                self.step.writes.push(self.layout.places[*process]);
            }
        }
        self
    }

    /// Adds the variables that guards depend on.
    #[must_use]
    pub fn reading(mut self, exprs: impl IntoIterator<Item = ExprId>) -> Self {
        exprs.into_iter().for_each(|expr| self.read(expr));
        self
    }

    pub fn finish(self) -> InterleavedStep {
        let mut step = self.step;
        for vars in [&mut step.reads, &mut step.writes] {
            vars.sort_unstable();
            vars.dedup();
        }
        step
    }

    /// The guard of a send or a receive: whether there is room or a matching first message is what the queue is for.
    fn read_at_queue(&mut self, guard: ExprId, channel: ChannelId, end: QueueEnd) {
        let program = self.program;
        let before = program.channels.values().take(channel.0 as usize);
        let number = before.filter(|channel| !channel.is_rendezvous()).count();
        self.step.queue = Some((number, end));
        let capacity = program.channels[channel].capacity as i32;
        let is_len = |expr: ExprId| program.exprs[expr] == PromelaExpr::Len(channel);
        let mut open = vec![guard];
        while let Some(expr) = open.pop() {
            match &program.exprs[expr] {
                PromelaExpr::Binary(PromelaBinary::And, a, b) => open.extend([*a, *b]),
                PromelaExpr::Binary(PromelaBinary::Ne, a, b)
                    if end == QueueEnd::Back
                        && is_len(*a)
                        && program.exprs[*b] == PromelaExpr::Const(capacity) => {}
                PromelaExpr::CanReceive(other, 0, patterns)
                    if end == QueueEnd::Front && *other == channel =>
                {
                    self.read_patterns(patterns);
                }
                _ => self.read(expr),
            }
        }
    }

    fn read_patterns(&mut self, patterns: &[Pattern]) {
        for pattern in patterns {
            if let Pattern::Match(value) = pattern {
                self.read(*value);
            }
        }
    }

    fn read(&mut self, root: ExprId) {
        let program = self.program;
        let vars = program.reads(root);
        self.step.reads.extend(vars.into_iter().map(|var| self.layout.vars[var]));
        let mut open = vec![root];
        while let Some(expr) = open.pop() {
            match &program.exprs[expr] {
                PromelaExpr::Len(channel) => {
                    self.step.reads.extend(self.layout.channels[*channel].len);
                }
                PromelaExpr::CanReceive(channel, slot, patterns) => {
                    let contents = &self.layout.channels[*channel];
                    self.step.reads.extend(contents.len);
                    let fields = contents.slots.get(*slot as usize);
                    self.step.reads.extend(fields.into_iter().flatten());
                    open.extend(patterns.iter().filter_map(|pattern| match pattern {
                        Pattern::Match(value) => Some(*value),
                        Pattern::Store(_) => None,
                    }));
                }
                PromelaExpr::At(process, _) | PromelaExpr::IsThere(process) => {
                    self.step.reads.push(self.layout.places[*process])
                }
                PromelaExpr::Element(_, a) | PromelaExpr::Unary(_, a) => open.push(*a),
                PromelaExpr::Binary(_, a, b) => open.extend([*a, *b]),
                PromelaExpr::If(a, b, c) => open.extend([*a, *b, *c]),
                PromelaExpr::Const(_) | PromelaExpr::Var(_) | PromelaExpr::Timeout => {}
            }
        }
    }

    fn write(&mut self, place: Storage) {
        match place {
            Storage::Nowhere => {}
            Storage::Var(var) => self.step.writes.push(self.layout.vars[var]),
            Storage::Element(array, index) => {
                self.read(index);
                let elements = elements(self.program, array);
                self.step.writes.extend(elements.map(|var| self.layout.vars[var]));
            }
        }
    }

    fn use_contents(&mut self, channel: ChannelId) {
        let contents = &self.layout.channels[channel];
        let vars = contents.slots.iter().flatten().copied().chain(contents.len);
        let vars: Vec<StateId> = vars.collect();
        self.step.reads.extend(&vars);
        self.step.writes.extend(&vars);
    }
}

fn elements(program: &PromelaModel, array: ArrayId) -> impl Iterator<Item = VarId> + use<> {
    let Array { first, len, .. } = program.arrays[array];
    (first.0..first.0 + len).map(VarId)
}

impl Encoder<'_> {
    /// The processes with their steps; deadlock and exclusive control as expressions are added by the caller. `None`
    /// where steps depend on which processes there are, on their priorities, or on how many more can be started.
    pub(super) fn interleaving(&self, steps: Vec<InterleavedStep>) -> Option<InterleavedSteps> {
        let program = self.program;
        let has_priorities = program.processes.values().any(|own| own.priority.is_some());
        let edges = || program.processes.values().flat_map(|own| &own.edges);
        let overflows = edges().any(|edge| matches!(edge.action, Action::Overflow));
        if program.count.is_some() || has_priorities || overflows {
            return None;
        }
        let processes = program.processes.ids().map(|process| InterleavedProcess {
            program_counter: self.layout.places[process],
            dead: self.dead(process),
        });
        let channels = self.layout.channels.iter().filter_map(|(channel, contents)| {
            let capacity = program.channels[channel].capacity.into();
            let slots = contents.slots.iter().flatten().copied().collect();
            Some(BufferedChannel { len: contents.len?, capacity, slots })
        });
        let exclusive = self.layout.control.map(|var| ExclusiveControl {
            var,
            free: self.layout.no_process,
            holders: (self.layout.controllers.iter())
                .map(|(process, &symbol)| (symbol, process.0 as usize))
                .collect(),
        });
        let has_timeout = program.exprs.values().any(|expr| *expr == PromelaExpr::Timeout);
        Some(InterleavedSteps {
            processes: processes.collect(),
            steps,
            channels: channels.collect(),
            exclusive,
            error: self.layout.error.map(|error| (error, self.layout.nothing)),
            deadlock: None,
            hidden: None,
            prevented: has_timeout.then_some(TIMEOUT),
        })
    }

    /// By location, the variables of a process that are written before they are read, by liveness analysis on its
    /// control graph (Aho, Lam, Sethi, Ullman: Compilers, §9.2.5).
    fn dead(&self, process: ProcessId) -> Vec<(i64, Vec<(StateId, i64)>)> {
        let program = self.program;
        let described = &program.processes[process];
        let used_elsewhere = self.used_outside_of(process);
        let vars = program.vars.iter().filter(|(_, var)| var.owner == Some(process));
        let own: Vec<VarId> =
            vars.map(|(id, _)| id).filter(|var| !used_elsewhere.contains(var)).collect();
        let effects: Vec<(FxHashSet<VarId>, Vec<VarId>)> =
            described.edges.iter().map(|edge| self.reads_and_kills(edge)).collect();
        let mut live = vec![FxHashSet::default(); described.locations.len()];
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for (edge, (reads, kills)) in described.edges.iter().zip(&effects).rev() {
                let behind = live[edge.target.0 as usize].iter().copied();
                let kept: Vec<VarId> = behind.filter(|var| !kills.contains(var)).collect();
                for var in reads.iter().copied().chain(kept) {
                    has_changed |= live[edge.source.0 as usize].insert(var);
                }
            }
        }
        let locations = described.locations.ids().zip(&live);
        locations
            .map(|(location, live)| {
                let dead = own.iter().filter(|var| !live.contains(var));
                let dead = dead.map(|&var| (self.layout.vars[var], program.vars[var].init.into()));
                (self.layout.symbol(process, location), dead.collect())
            })
            .collect()
    }

    /// The variables that edges of other processes read or write, but for their values at the start.
    fn used_outside_of(&self, process: ProcessId) -> FxHashSet<VarId> {
        let program = self.program;
        let mut used = FxHashSet::default();
        let others = program.processes.iter().filter(|(other, _)| *other != process);
        for edge in others.flat_map(|(_, other)| &other.edges) {
            let (reads, kills) = self.reads_and_kills(edge);
            used.extend(reads.into_iter().chain(kills));
            for place in stored(edge) {
                if let Storage::Element(array, _) = place {
                    used.extend(elements(program, array));
                }
            }
        }
        used
    }

    /// The variables that an edge reads, and those that it surely writes.
    fn reads_and_kills(&self, edge: &PromelaEdge) -> (FxHashSet<VarId>, Vec<VarId>) {
        let program = self.program;
        let mut exprs = vec![edge.guard];
        match &edge.action {
            Action::Pass | Action::Die | Action::Overflow => {}
            Action::Print { arguments, .. } => exprs.extend(arguments),
            Action::Assert(expr) => exprs.push(*expr),
            Action::Assign { value, .. } => exprs.push(*value),
            Action::Send { values, .. } => exprs.extend(values),
            Action::Receive { patterns, .. } => {
                exprs.extend(patterns.iter().filter_map(|pattern| match pattern {
                    Pattern::Match(value) => Some(*value),
                    Pattern::Store(_) => None,
                }));
            }
            Action::Start { values, .. } => exprs.extend(values.iter().map(|(_, value)| *value)),
        }
        let mut kills = Vec::new();
        for place in stored(edge) {
            match place {
                Storage::Var(var) => kills.push(var),
                Storage::Element(_, index) => exprs.push(index),
                Storage::Nowhere => {}
            }
        }
        (exprs.into_iter().flat_map(|expr| program.reads(expr)).collect(), kills)
    }
}

/// The places of its own process that an edge stores values in.
fn stored(edge: &PromelaEdge) -> Vec<Storage> {
    match &edge.action {
        Action::Assign { place, .. } => vec![*place],
        Action::Receive { patterns, .. } => {
            let place = |pattern: &Pattern| match pattern {
                Pattern::Store(place) => Some(*place),
                Pattern::Match(_) => None,
            };
            patterns.iter().filter_map(place).collect()
        }
        _ => Vec::new(),
    }
}
