//! The steps of the machine: when each of them is possible, and what it changes.

use super::super::program::{
    Action, ChannelId, ExprId, LocationId, LocationMarks, Pattern, ProcessId, PromelaEdge,
    PromelaModel,
};
use super::effects::Effect;
use super::fairness::Participation;
use super::interleaving::StepUses;
use super::printed::message_names;
use super::{Atoms, Encoder, Wrong, instance_of};
use crate::document::{PrintPart, StatementMap};
use crate::language::ProcessFairness;
use rustc_hash::FxHashMap;
use support::Span;
use transition::{
    Assign, Binary as Op, Constraint, Domain, InstanceId, InterleavedStep, InterleavedSteps,
    MachineVar, NodeId, Section, Type, Undefined, VarId as StateId, VarKind, When, symbol_value,
};

/// Something that can happen.
struct Step {
    /// Who does it: the sender of a rendezvous.
    process: ProcessId,
    /// Who takes part in it.
    writers: Vec<InstanceId>,
    name: String,
    /// When it can happen, but for exclusive control.
    guard: NodeId,
    /// Its run-time errors with their conditions; the first one that holds counts.
    wrongs: Vec<(Wrong, NodeId)>,
    changes: Vec<(StateId, NodeId)>,
    span: Span,
    /// The receiver of a rendezvous, and its statement.
    partner: Option<(ProcessId, Span)>,
    /// Whether it starts a process that there is none for.
    overflows: bool,
    printed: Vec<PrintPart>,
    uses: InterleavedStep,
}

impl Encoder<'_> {
    /// `timeout` is true where nothing can happen while it is false.
    pub(super) fn add_steps(&mut self, fairness: Option<ProcessFairness>) {
        let mut steps = self.steps();
        self.respect_priorities(&mut steps);
        let before: Vec<NodeId> = steps.into_iter().map(|step| step.guard).collect();
        let any = self.any(before.clone());
        self.timeout = self.not(any);
        let mut steps = self.steps();
        self.respect_priorities(&mut steps);
        self.finish(steps, &before, fairness);
    }

    /// A process with a lower priority than another one that can go on cannot, not even within `atomic`, as in Spin.
    fn respect_priorities(&mut self, steps: &mut [Step]) {
        let program = self.program;
        let prioritised = program.processes.iter();
        let prioritised: Vec<(ProcessId, NodeId)> = prioritised
            .filter_map(|(id, own)| Some((id, self.now(self.layout.vars[own.priority?]))))
            .collect();
        let mut can = Vec::new();
        for (process, _) in &prioritised {
            let own = steps.iter().filter(|step| step.process == *process);
            can.push(self.any(own.map(|step| step.guard).collect()));
        }
        for (process, priority) in &prioritised {
            let mut higher = Vec::new();
            for ((other, others), &can) in prioritised.iter().zip(&can) {
                if other != process {
                    let is_less = self.machine.exprs.binary(Op::Lt, *priority, *others);
                    higher.push(self.and(is_less, can));
                }
            }
            let is_blocked = self.any(higher);
            let is_free = self.not(is_blocked);
            for step in steps.iter_mut().filter(|step| step.process == *process) {
                step.guard = self.and(step.guard, is_free);
            }
        }
    }

    /// All steps, depending on what `timeout` is.
    fn steps(&mut self) -> Vec<Step> {
        let program = self.program;
        let mut steps = Vec::new();
        for (process, described) in program.processes.iter() {
            for edge in &described.edges {
                match &edge.action {
                    Action::Send { channel, values, .. } if is_rendezvous(program, *channel) => {
                        self.handshakes(process, edge, *channel, values, &mut steps);
                    }
                    Action::Receive { channel, .. } if is_rendezvous(program, *channel) => {}
                    _ => steps.push(self.step(process, edge)),
                }
            }
            let locations = described.locations.iter();
            for (location, _) in locations.filter(|(_, location)| location.is_in_dstep) {
                steps.push(self.blocked(process, location));
            }
        }
        steps
    }

    fn named(&mut self, process: ProcessId, location: LocationId) -> String {
        let symbol = self.layout.symbol(process, location) - transition::FIRST_SYMBOL;
        let place = self.machine.symbols.name(transition::SymbolId(symbol as u32)).to_owned();
        format!("{}:{place}", self.program.processes[process].name)
    }

    /// Whether a process stands before an edge that can be executed, or whose guard goes wrong.
    fn ready(&mut self, process: ProcessId, edge: &PromelaEdge) -> NodeId {
        let is_there = self.is_at(process, edge.source);
        let guard = self.truth(edge.guard);
        let mut all = vec![guard];
        all.extend(self.faults(edge.guard).into_iter().map(|(_, node)| node));
        let can = self.any(all);
        self.and(is_there, can)
    }

    /// The run-time errors of evaluating an expression.
    pub(super) fn faults(&mut self, expr: ExprId) -> Vec<(Wrong, NodeId)> {
        let kinds = [Wrong::Index, Wrong::Division];
        kinds.into_iter().map(|wrong| (wrong, self.error_condition(expr, wrong))).collect()
    }

    fn step(&mut self, process: ProcessId, edge: &PromelaEdge) -> Step {
        let guard = self.ready(process, edge);
        let mut wrongs = self.faults(edge.guard);
        let Effect { wrongs: more, mut changes } = self.effect(process, &edge.action);
        wrongs.extend(more);
        if !matches!(edge.action, Action::Die) {
            changes.push(self.moved(process, edge.target));
        }
        changes.extend(self.controlled(edge.keeps_control.then_some(process)));
        let mut writers = vec![instance_of(process)];
        if let Action::Start { process, .. } = &edge.action {
            writers.push(instance_of(*process));
        }
        let name = self.named(process, edge.source);
        let uses = StepUses::new(self.program, &self.layout)
            .moving(process, edge.source, edge.target)
            .keeping(edge.keeps_control.then_some(process))
            .of_edge(edge)
            .finish();
        let (span, overflows) = (edge.span, matches!(edge.action, Action::Overflow));
        let printed = match &edge.action {
            Action::Print { format, arguments } => self.printed(format, arguments),
            _ => Vec::new(),
        };
        Step {
            process,
            writers,
            name,
            guard,
            wrongs,
            changes,
            span,
            partner: None,
            overflows,
            printed,
            uses,
        }
    }

    pub(super) fn symbol(&mut self, symbol: i64) -> NodeId {
        self.machine.exprs.constant(symbol, Type::Scalar)
    }

    pub(super) fn moved(&mut self, process: ProcessId, target: LocationId) -> (StateId, NodeId) {
        let symbol = self.layout.symbol(process, target);
        (self.layout.places[process], self.symbol(symbol))
    }

    /// Who has control afterwards.
    fn controlled(&mut self, who: Option<ProcessId>) -> Option<(StateId, NodeId)> {
        let control = self.layout.control?;
        let symbol = who.map_or(self.layout.no_process, |who| self.layout.controllers[&who]);
        Some((control, self.symbol(symbol)))
    }

    /// A place within `d_step` at which nothing can go on.
    fn blocked(&mut self, process: ProcessId, location: LocationId) -> Step {
        let program = self.program;
        let described = &program.processes[process];
        let is_there = self.is_at(process, location);
        let ready = described.edges_from(location).map(|edge| self.ready(process, edge));
        let ready = ready.collect();
        let can = self.any(ready);
        let cannot = self.not(can);
        let guard = self.and(is_there, cannot);
        let always = self.machine.exprs.bool(true);
        let name = format!("{}:blocked", self.named(process, location));
        let span = described.locations[location].span;
        let writers = vec![instance_of(process)];
        let wrongs = vec![(Wrong::Blocked, always)];
        let guards = described.edges_from(location).map(|edge| edge.guard);
        let uses = StepUses::new(program, &self.layout)
            .moving(process, location, location)
            .reading(guards)
            .finish();
        Step {
            process,
            writers,
            name,
            guard,
            wrongs,
            changes: Vec::new(),
            span,
            partner: None,
            overflows: false,
            printed: Vec::new(),
            uses,
        }
    }

    /// A send and all receives that it can be one step with.
    fn handshakes(
        &mut self,
        sender: ProcessId,
        send: &PromelaEdge,
        channel: ChannelId,
        values: &[ExprId],
        steps: &mut Vec<Step>,
    ) {
        let program = self.program;
        for (receiver, described) in program.processes.iter() {
            for receive in &described.edges {
                if let Action::Receive { channel: other, patterns, .. } = &receive.action
                    && *other == channel
                    && receiver != sender
                {
                    let sides = [(sender, send), (receiver, receive)];
                    steps.push(self.handshake(sides, channel, values, patterns));
                }
            }
        }
    }

    fn handshake(
        &mut self,
        [(sender, send), (receiver, receive)]: [(ProcessId, &PromelaEdge); 2],
        channel: ChannelId,
        values: &[ExprId],
        patterns: &[Pattern],
    ) -> Step {
        let program = self.program;
        let mut effect = Effect { wrongs: self.faults(send.guard), changes: Vec::new() };
        effect.wrongs.extend(self.faults(receive.guard));
        let (mut ready, other) = (self.ready(sender, send), self.ready(receiver, receive));
        ready = self.and(ready, other);
        for (index, pattern) in patterns.iter().enumerate() {
            effect.wrongs.extend(self.faults(values[index]));
            let (low, high) = program.channels[channel].fields[index].range();
            let value = self.value(values[index]);
            let value = self.cut(value, low.into(), high.into());
            match pattern {
                Pattern::Match(wanted) => {
                    let wanted = self.value(*wanted);
                    let is_equal = self.machine.exprs.eq(value, wanted);
                    ready = self.and(ready, is_equal);
                }
                Pattern::Store(place) => self.store(*place, value, &mut effect),
            }
        }
        let Effect { wrongs, mut changes } = effect;
        changes.push(self.moved(sender, send.target));
        changes.push(self.moved(receiver, receive.target));
        // Control goes with the message.
        changes.extend(self.controlled(receive.keeps_control.then_some(receiver)));
        let (from, to) = (self.named(sender, send.source), self.named(receiver, receive.source));
        let writers = vec![instance_of(sender), instance_of(receiver)];
        let (name, guard, span) = (format!("{from}+{to}"), ready, send.span);
        let partner = Some((receiver, receive.span));
        let uses = StepUses::new(program, &self.layout)
            .moving(sender, send.source, send.target)
            .moving(receiver, receive.source, receive.target)
            .keeping(receive.keeps_control.then_some(receiver))
            .of_edge(send)
            .of_edge(receive)
            .finish();
        Step {
            process: sender,
            writers,
            name,
            guard,
            wrongs,
            changes,
            span,
            partner,
            overflows: false,
            printed: Vec::new(),
            uses,
        }
    }

    /// Puts the steps together. Their guards while `timeout` is false tell who can go on.
    fn finish(
        &mut self,
        mut steps: Vec<Step>,
        before: &[NodeId],
        fairness: Option<ProcessFairness>,
    ) {
        let (enabled, hidden) = self.enabled(&steps, before);
        let any = self.any(enabled.clone());
        let stuck = self.not(any);
        self.atoms = Some(self.atoms(stuck, hidden));
        let uses = steps.iter().map(|step| self.uses_of(step)).collect();
        let (deadlock, hidden) = (Some(stuck), Some(hidden));
        self.interleaving = self.interleaving(uses).map(|interleaving| InterleavedSteps {
            deadlock,
            hidden,
            ..interleaving
        });
        for (step, &enabled) in steps.iter_mut().zip(&enabled) {
            self.add_wrongs(step);
            if step.overflows {
                let place = self.layout.places[step.process];
                let fault = self.machine.fault(Undefined::NoProcessLeft, step.span, Type::Scalar);
                let now = self.machine.now(place);
                step.changes = vec![(place, self.machine.exprs.ite(enabled, fault, now))];
            }
        }
        let selector = self.add_selector(&steps);
        self.statements = Some(self.statement_map(selector, &steps));
        let symbols = self.selected(selector);
        for (index, step) in steps.iter().enumerate() {
            let instance = instance_of(step.process);
            self.require(symbols[index], enabled[index], instance, step.span);
        }
        let span = steps.first().map_or(self.program.processes[ProcessId(0)].span, |s| s.span);
        if let Some(&still) = symbols.last() {
            self.require(still, stuck, InstanceId(0), span);
        }
        self.assign(&steps, &symbols, span);
        if let Some(fairness) = fairness {
            let steps = steps.iter().zip(enabled).zip(symbols);
            let participation = |((step, enabled), selected): ((&Step, NodeId), NodeId)| {
                let partner = step.partner.map(|(partner, _)| partner);
                let processes = [step.process].into_iter().chain(partner).collect();
                Participation { processes, enabled, selected }
            };
            let steps: Vec<Participation> = steps.map(participation).collect();
            self.add_fairness(fairness, &steps);
            let histories = self.fair_processes.iter().map(|turn| turn.history);
            if let Some(statements) = &mut self.statements {
                statements.control.extend(histories);
            }
        }
    }

    /// The variables that a step reads and writes, if it is ever possible, and whether it can fail.
    fn uses_of(&self, step: &Step) -> InterleavedStep {
        let is_never = |node: NodeId| self.machine.exprs.as_constant(node) == Some(0);
        match is_never(step.guard) {
            true => InterleavedStep::default(),
            false => {
                let can_fail = step.wrongs.iter().any(|&(_, node)| !is_never(node));
                InterleavedStep { can_fail, ..step.uses.clone() }
            }
        }
    }

    /// The condition of each step, and their disjunction: a process with exclusive control that can go on blocks the
    /// others.
    fn enabled(&mut self, steps: &[Step], before: &[NodeId]) -> (Vec<NodeId>, NodeId) {
        let mut can: FxHashMap<ProcessId, Vec<NodeId>> = FxHashMap::default();
        for (step, &guard) in steps.iter().zip(before) {
            can.entry(step.process).or_default().push(guard);
        }
        let mut free = Vec::new();
        let mut held: FxHashMap<ProcessId, NodeId> = FxHashMap::default();
        if let Some(control) = self.layout.control {
            free.push(self.is_symbol(control, self.layout.no_process));
            for process in self.program.processes.ids() {
                let Some(&symbol) = self.layout.controllers.get(&process) else { continue };
                let holds = self.is_symbol(control, symbol);
                held.insert(process, holds);
                let can = self.any(can.get(&process).cloned().unwrap_or_default());
                let cannot = self.not(can);
                free.push(self.and(holds, cannot));
            }
        }
        let is_free = match free.is_empty() {
            true => self.machine.exprs.bool(true),
            false => self.any(free),
        };
        let is_well = match self.layout.error {
            Some(error) => self.is_symbol(error, self.layout.nothing),
            None => self.machine.exprs.bool(true),
        };
        let mut enabled = Vec::new();
        for step in steps {
            let allowed = match held.get(&step.process) {
                Some(&holds) => self.machine.exprs.or(is_free, holds),
                None => is_free,
            };
            let allowed = self.and(is_well, allowed);
            enabled.push(self.and(allowed, step.guard));
        }
        let is_held = self.not(is_free);
        (enabled, self.and(is_well, is_held))
    }

    /// Lets a step that goes wrong change nothing but what has gone wrong.
    fn add_wrongs(&mut self, step: &mut Step) {
        let Some(error) = self.layout.error else { return };
        let mut kind = self.symbol(self.layout.nothing);
        let mut all = Vec::new();
        for (wrong, node) in step.wrongs.iter().rev() {
            let symbol = self.layout.wrongs.iter().find(|(known, _)| known == wrong);
            let Some(&(_, symbol)) = symbol else { continue };
            let symbol = self.symbol(symbol);
            kind = self.machine.exprs.ite(*node, symbol, kind);
            all.push(*node);
        }
        let is_wrong = self.any(all);
        for (state, value) in &mut step.changes {
            let old = self.machine.now(*state);
            *value = self.machine.exprs.ite(is_wrong, old, *value);
        }
        step.changes.push((error, kind));
    }

    fn add_selector(&mut self, steps: &[Step]) -> StateId {
        let mut symbols = Vec::new();
        let mut names = rustc_hash::FxHashSet::default();
        let still = std::iter::once("stay");
        for name in steps.iter().map(|step| &*step.name).chain(still) {
            let mut unique = name.to_owned();
            for copy in 2.. {
                if names.insert(unique.clone()) {
                    break;
                }
                unique = format!("{name}#{copy}");
            }
            symbols.push(symbol_value(self.machine.symbols.intern(&unique)));
        }
        let selector = self.machine.vars.push(MachineVar {
            name: "@step".to_owned(),
            domain: Domain::Values(symbols),
            kind: VarKind::Input,
            instance: InstanceId(0),
            span: self.program.processes[ProcessId(0)].span,
        });
        self.machine.selector = Some(selector);
        selector
    }

    /// The statements by the value of the selector; none where the model stands still.
    fn statement_map(&self, selector: StateId, steps: &[Step]) -> StatementMap {
        let name = |process: ProcessId| Some(self.program.processes[process].name.clone());
        let sides_of = |step: &Step| {
            let sides = [(step.process, step.span)].into_iter().chain(step.partner);
            sides.map(|(process, span)| (name(process), span)).collect()
        };
        let symbols = match &self.machine.vars[selector].domain {
            Domain::Values(symbols) => symbols.as_slice(),
            _ => &[],
        };
        let of_steps = || symbols.iter().copied().zip(steps);
        let statements = of_steps().map(|(symbol, step)| (symbol, sides_of(step))).collect();
        let printed = of_steps().filter(|(_, step)| !step.printed.is_empty());
        let prints = printed.map(|(symbol, step)| (symbol, step.printed.clone())).collect();
        let layout = &self.layout;
        let control = layout.places.values().copied().chain(layout.control).chain(layout.error);
        let control = control.chain([selector]).collect();
        let value_names = message_names(self.program);
        let named = self.vars_of_messages();
        StatementMap { determined_by: selector, statements, prints, named, value_names, control }
    }

    /// By step, whether it is the one that is taken; the last one is to stand still.
    fn selected(&mut self, selector: StateId) -> Vec<NodeId> {
        let Domain::Values(symbols) = self.machine.vars[selector].domain.clone() else {
            return Vec::new();
        };
        symbols.into_iter().map(|symbol| self.is_symbol(selector, symbol)).collect()
    }

    fn require(&mut self, selected: NodeId, guard: NodeId, instance: InstanceId, span: Span) {
        let node = self.machine.exprs.implies(selected, guard);
        self.machine.constraints.push(Constraint { section: Section::Trans, node, instance, span });
    }

    /// The next value of every variable.
    fn assign(&mut self, steps: &[Step], symbols: &[NodeId], span: Span) {
        let mut next: FxHashMap<StateId, (NodeId, Vec<InstanceId>)> = FxHashMap::default();
        for (step, &selected) in steps.iter().zip(symbols).rev() {
            for &(state, value) in &step.changes {
                let now = self.machine.now(state);
                let (node, writers) = next.entry(state).or_insert((now, Vec::new()));
                *node = self.machine.exprs.ite(selected, value, *node);
                writers.extend(&step.writers);
            }
        }
        for var in self.machine.state_vars().collect::<Vec<_>>() {
            let now = self.machine.now(var);
            let (node, mut writers) = next.remove(&var).unwrap_or((now, Vec::new()));
            writers.sort_unstable();
            writers.dedup();
            if writers.is_empty() {
                writers.push(self.machine.vars[var].instance);
            }
            let choice = self.machine.one(node);
            self.machine.assigns.push(Assign { var, when: When::Next, choice, writers, span });
        }
    }

    /// Whether some process is at a location with such marks.
    fn at_marks(&mut self, is_it: fn(LocationMarks) -> bool) -> NodeId {
        let program = self.program;
        let mut all = Vec::new();
        for (process, described) in program.processes.iter() {
            let places = described.locations.iter().filter(|(_, at)| is_it(at.marks));
            all.extend(places.map(|(location, _)| self.is_at(process, location)));
        }
        self.any(all)
    }

    fn atoms(&mut self, stuck: NodeId, hidden: NodeId) -> Atoms {
        let never = self.machine.exprs.bool(false);
        let accepting = self.at_marks(|marks| marks.is_accepting);
        let progress = self.at_marks(|marks| marks.is_progress);
        let goes_on = self.machine.exprs.or(progress, stuck);
        let mut atoms = Atoms {
            assertion_failed: never,
            runtime_error: never,
            invalid_end: stuck,
            accepting,
            non_progress: self.not(goes_on),
            hidden,
        };
        if let Some(error) = self.layout.error {
            let is_well = self.is_symbol(error, self.layout.nothing);
            atoms.invalid_end = self.and(stuck, is_well);
            for (wrong, symbol) in self.layout.wrongs.clone() {
                let is_it = self.is_symbol(error, symbol);
                match wrong {
                    Wrong::Assertion => atoms.assertion_failed = is_it,
                    _ => atoms.runtime_error = self.machine.exprs.or(atoms.runtime_error, is_it),
                }
            }
        }
        let mut waiting = Vec::new();
        let program = self.program;
        for (process, described) in program.processes.iter() {
            let places = described.locations.iter().filter(|(_, location)| !location.marks.is_end);
            waiting.extend(places.map(|(location, _)| self.is_at(process, location)));
        }
        let is_waiting = self.any(waiting);
        atoms.invalid_end = self.and(atoms.invalid_end, is_waiting);
        atoms
    }
}

fn is_rendezvous(program: &PromelaModel, channel: ChannelId) -> bool {
    program.channels[channel].is_rendezvous()
}
