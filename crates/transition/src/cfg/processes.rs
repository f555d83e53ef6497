//! Interleaved processes as a symbolic transition system: the variables of the program, and a program counter for each
//! process.
//!
//! An input says which location of which process is left; it has one more value for the program that stays for ever,
//! because all processes have ended or one has had a run-time error. A state in which every process waits has no
//! successor. A process is an instance, which owns its program counter and its local variables.

use crate::cfg::graph::{Cfg, CfgEdge, CfgTarget, LocationId};
use crate::cfg::groups::groups;
use crate::cfg::machine::{Encoder, Split, add_var, choice_among, line_names, unused_prefix};
use crate::cfg::program::{CommandKind, CtlAtom, Effect, LabelId, Program, ProgramProcess};
use crate::{
    Assign, Binary, ChoiceId, Constraint, Domain, Instance, InstanceId, Machine, NodeId, Section,
    StateProperty, VarId, VarKind, When, symbol_value,
};
use rustc_hash::FxHashMap;
use support::{IdVec, Span};

/// The processes of a program as a symbolic transition system.
pub struct ProcessMachine {
    pub machine: Machine,
    /// The propositions as expressions over its variables.
    pub propositions: Vec<StateProperty>,
    /// The input that says which process takes the step.
    pub selector: VarId,
    /// The program counters and the inputs.
    pub control: Vec<VarId>,
    /// By value of the selector, the process and its command.
    pub steps: Vec<(i64, String, Span)>,
    /// By process, its steps.
    pub turns: Vec<ProcessTurns>,
}

/// The steps of a process.
pub struct ProcessTurns {
    pub process: String,
    pub instance: InstanceId,
    pub span: Span,
    /// By value of the selector, when the step can be taken.
    steps: Vec<(i64, NodeId)>,
}

impl ProcessMachine {
    /// When a process can take a step, and whether it takes one, which is a condition on steps.
    pub fn turn(&mut self, turns: &ProcessTurns) -> [NodeId; 2] {
        let Self { machine, selector, .. } = self;
        let guards = turns.steps.iter().map(|&(_, guard)| guard).collect();
        let taken = turns.steps.iter().map(|&(symbol, _)| is_selected(machine, *selector, symbol));
        let taken = taken.collect();
        [guards, taken].map(|some| self.machine.exprs.join(Binary::Or, some))
    }
}

/// The machine of interleaved processes. The text is there for the numbers of lines, by which places are called.
pub fn machine_of_processes(
    program: &Program,
    text: &str,
    propositions: &[(String, CtlAtom)],
) -> ProcessMachine {
    let mut machine = program.data.clone();
    let mut processes: Vec<Process> =
        program.processes.iter().map(|one| Process::new(program, one, &mut machine)).collect();
    name_locations(text, &machine, &mut processes);
    let mut encoder = ProcessEncoder::new(machine, &processes);
    let mut steps = Vec::new();
    for (number, process) in processes.iter().enumerate() {
        encoder.add_steps(number, process, &mut steps);
    }
    let selector = encoder.add_selector(&steps);
    let turns = encoder.turns(&processes, selector, &steps);
    let shown = encoder.transitions(&processes, selector, steps);
    let propositions = propositions.iter().map(|(name, atom)| {
        let node = encoder.atom(*atom, &processes);
        StateProperty { name: name.clone(), node }
    });
    let propositions = propositions.collect();
    let ProcessEncoder { machine, counters, choice, .. } = encoder;
    let control = counters.iter().map(|counter| counter.var);
    let control = control.chain(choice).chain([selector]).collect();
    ProcessMachine { machine, propositions, selector, control, steps: shown, turns }
}

/// The control flow of one process, over its own variables.
struct Process {
    name: String,
    instance: InstanceId,
    cfg: Cfg,
    spans: IdVec<LocationId, Span>,
    /// The location at which it has ended.
    end: Option<LocationId>,
    /// The names of the locations.
    names: IdVec<LocationId, String>,
}

impl Process {
    fn new(program: &Program, process: &ProgramProcess, machine: &mut Machine) -> Self {
        let mut cfg = Cfg::of(program, &[], &process.body);
        for id in cfg.locations.ids() {
            let edges = &mut cfg.locations[id].edges;
            edges.retain(|edge| !is_always(edge, false, machine));
            edges.iter_mut().for_each(|edge| make_own(edge, process, machine));
        }
        let command = |id: LocationId| &program.commands[cfg.locations[id].command];
        let end = cfg.locations.ids().find(|&id| matches!(command(id).kind, CommandKind::Fin));
        let spans = cfg.locations.ids().map(|id| command(id).span).collect();
        let names = cfg.locations.ids().map(|_| String::new()).collect();
        let instance = instance_of(process, machine);
        Self { name: process.name.clone(), instance, cfg, spans, end, names }
    }

    fn can_fail(&self) -> bool {
        let mut edges = self.cfg.locations.values().flat_map(|location| &location.edges);
        edges.any(|edge| edge.to == CfgTarget::Error)
    }

    fn split<'s>(&'s self, machine: &Machine) -> Split<'s> {
        let locations = self.cfg.locations.values();
        locations.map(|location| groups(&machine.exprs, &location.edges)).collect()
    }

    fn labelled(&self, label: LabelId) -> impl Iterator<Item = LocationId> {
        let locations = self.cfg.locations.iter();
        locations.filter(move |(_, at)| at.labels.contains(&label)).map(|(id, _)| id)
    }
}

/// Whether the guard of an edge has this value in every state.
fn is_always(edge: &CfgEdge, value: bool, machine: &Machine) -> bool {
    edge.guard.and_then(|guard| machine.exprs.as_constant(guard)) == Some(i64::from(value))
}

/// Replaces the variables that the process has in the place of those of procedures that others call, too.
fn make_own(edge: &mut CfgEdge, process: &ProgramProcess, machine: &mut Machine) {
    let own = |var: VarId| process.own.get(&var).copied().unwrap_or(var);
    let guard = edge.guard.filter(|_| !is_always(edge, true, machine));
    edge.guard = guard.map(|guard| machine.renamed(guard, &process.own));
    edge.effect = match edge.effect {
        Effect::Set(var, value) => Effect::Set(own(var), machine.renamed(value, &process.own)),
        Effect::Any(var) => Effect::Any(own(var)),
        effect @ (Effect::Nothing | Effect::Fails) => effect,
    };
}

/// The instance that a process is, with the variables that are called after it. A program that is one sequence of
/// commands is the main module.
fn instance_of(process: &ProgramProcess, machine: &mut Machine) -> InstanceId {
    let main = InstanceId(0);
    if process.name.is_empty() {
        return main;
    }
    let (name, module, parent) = (process.name.clone(), "process".to_owned(), Some(main));
    let instance = machine.instances.push(Instance { name, module, parent, is_process: true });
    let prefix = format!("{}.", process.name);
    for var in machine.vars.ids() {
        if machine.vars[var].name.starts_with(&prefix) {
            machine.vars[var].instance = instance;
        }
    }
    instance
}

/// Calls the locations after their lines, in the order of the text.
fn name_locations(text: &str, machine: &Machine, processes: &mut [Process]) {
    let mut order: Vec<(u32, usize, LocationId)> = Vec::new();
    for (number, process) in processes.iter().enumerate() {
        order.extend(process.spans.iter().map(|(id, span)| (span.start, number, id)));
    }
    // What follows has smaller numbers.
    order.sort_by_key(|&(start, number, id)| (start, number, std::cmp::Reverse(id)));
    let prefix = unused_prefix(machine);
    let names = line_names(text, order.iter().map(|&(start, ..)| start as usize));
    for ((_, number, id), name) in order.into_iter().zip(names) {
        processes[number].names[id] = format!("{prefix}{name}");
    }
}

/// The program counter of a process.
struct Counter {
    var: VarId,
    now: NodeId,
    /// The symbols of the locations, and of `error` if it can come there.
    symbols: Vec<i64>,
    /// It is at `error`.
    has_failed: NodeId,
}

/// The step from a location of a process.
struct ProcessStep {
    name: String,
    process: usize,
    span: Span,
    guard: NodeId,
    changes: Vec<(VarId, ChoiceId)>,
}

struct ProcessEncoder {
    machine: Machine,
    counters: Vec<Counter>,
    choice: Option<VarId>,
    /// A process has had a run-time error.
    has_failed: NodeId,
}

impl ProcessEncoder {
    fn new(mut machine: Machine, processes: &[Process]) -> Self {
        let counters: Vec<Counter> =
            processes.iter().map(|one| counter(one, &mut machine)).collect();
        let split: Vec<Split> = processes.iter().map(|one| one.split(&machine)).collect();
        let choice = choice_among(&mut machine, split.iter().flat_map(|split| split.values()));
        let failures = counters.iter().map(|counter| counter.has_failed).collect();
        let has_failed = machine.exprs.join(Binary::Or, failures);
        Self { machine, counters, choice, has_failed }
    }

    /// The steps of a process, one for each location but the last.
    fn add_steps(&mut self, number: usize, process: &Process, steps: &mut Vec<ProcessStep>) {
        let split = process.split(&self.machine);
        let Counter { var: place, now: here, symbols, .. } = &self.counters[number];
        let machine = std::mem::take(&mut self.machine);
        let (place, here, symbols) = (*place, *here, symbols.clone());
        let mut encoder = Encoder { machine, place, here, choice: self.choice, symbols };
        let is_well = encoder.machine.exprs.not(self.has_failed);
        for (id, groups) in split.iter().filter(|(id, _)| Some(*id) != process.end) {
            let mut guards: Vec<NodeId> =
                groups.iter().map(|group| encoder.enabled(group)).collect();
            let can = encoder.machine.exprs.join(Binary::Or, std::mem::take(&mut guards));
            let symbol = encoder.symbol(id.0 as usize);
            let is_here = encoder.is_at(symbol);
            let guard = encoder.machine.exprs.join(Binary::And, vec![is_here, can, is_well]);
            let (target, mut changes) = encoder.step(groups);
            changes.push((place, target));
            let owner = if process.name.is_empty() { "step" } else { &process.name };
            let (name, span) = (format!("{owner}.{}", process.names[id]), process.spans[id]);
            steps.push(ProcessStep { name, process: number, span, guard, changes });
        }
        self.machine = encoder.machine;
    }

    /// The input that says which step is taken; its last value is to stay.
    fn add_selector(&mut self, steps: &[ProcessStep]) -> VarId {
        let names = steps.iter().map(|step| &*step.name).chain(["step.stay"]);
        let symbols: Vec<i64> =
            names.map(|name| symbol_value(self.machine.symbols.intern(name))).collect();
        let selector = add_var(&mut self.machine, "step", Domain::Values(symbols), VarKind::Input);
        self.machine.selector = Some(selector);
        selector
    }

    fn symbols(&self, selector: VarId) -> Vec<i64> {
        match &self.machine.vars[selector].domain {
            Domain::Values(symbols) => symbols.clone(),
            _ => Vec::new(),
        }
    }

    fn turns(
        &self,
        processes: &[Process],
        selector: VarId,
        steps: &[ProcessStep],
    ) -> Vec<ProcessTurns> {
        let symbols = self.symbols(selector);
        let turns = processes.iter().enumerate().map(|(number, process)| {
            let own = steps.iter().zip(&symbols).filter(|(step, _)| step.process == number);
            ProcessTurns {
                process: process.name.clone(),
                instance: process.instance,
                span: process.spans[process.cfg.entry],
                steps: own.map(|(step, &symbol)| (symbol, step.guard)).collect(),
            }
        });
        turns.collect()
    }

    /// Lets the selected step be taken, and gives the process and the command of each.
    fn transitions(
        &mut self,
        processes: &[Process],
        selector: VarId,
        steps: Vec<ProcessStep>,
    ) -> Vec<(i64, String, Span)> {
        let symbols = self.symbols(selector);
        let ends = (0..processes.len()).map(|number| self.is_at_end(number, &processes[number]));
        let ends = ends.collect();
        let have_ended = self.machine.exprs.join(Binary::And, ends);
        let stays = self.machine.exprs.or(have_ended, self.has_failed);
        let guards = steps.iter().map(|step| (step.guard, processes[step.process].instance));
        for (&symbol, (guard, instance)) in
            symbols.iter().zip(guards.chain([(stays, InstanceId(0))]))
        {
            let selected = is_selected(&mut self.machine, selector, symbol);
            let node = self.machine.exprs.implies(selected, guard);
            let (section, span) = (Section::Trans, self.machine.vars[selector].span);
            self.machine.constraints.push(Constraint { section, node, instance, span });
        }
        self.assign(processes, selector, &symbols, &steps);
        let shown = |(step, &symbol): (&ProcessStep, &i64)| {
            (symbol, processes[step.process].name.clone(), step.span)
        };
        steps.iter().zip(&symbols).map(shown).collect()
    }

    /// The next value of every variable: the one that the selected step gives it, or its own.
    fn assign(
        &mut self,
        processes: &[Process],
        selector: VarId,
        symbols: &[i64],
        steps: &[ProcessStep],
    ) {
        let mut next: FxHashMap<VarId, (ChoiceId, Vec<InstanceId>)> = FxHashMap::default();
        for (step, &symbol) in steps.iter().zip(symbols).rev() {
            let selected = is_selected(&mut self.machine, selector, symbol);
            for &(var, choice) in &step.changes {
                let now = self.machine.now(var);
                let kept = self.machine.one(now);
                let (value, writers) = next.entry(var).or_insert((kept, Vec::new()));
                *value = self.machine.choose_if(selected, choice, *value);
                writers.push(processes[step.process].instance);
            }
        }
        for var in self.machine.state_vars().collect::<Vec<_>>() {
            let now = self.machine.now(var);
            let kept = self.machine.one(now);
            let own = self.machine.vars[var].instance;
            let (choice, mut writers) = next.remove(&var).unwrap_or((kept, vec![own]));
            writers.sort_unstable();
            writers.dedup();
            let span = self.machine.vars[var].span;
            self.machine.assigns.push(Assign { var, when: When::Next, choice, writers, span });
        }
    }

    fn is_at(&mut self, number: usize, location: LocationId) -> NodeId {
        let Counter { now, symbols, .. } = &self.counters[number];
        let (now, symbol) = (*now, symbols[location.0 as usize]);
        let symbol = self.machine.exprs.constant(symbol, crate::Type::Scalar);
        self.machine.exprs.eq(now, symbol)
    }

    fn is_at_end(&mut self, number: usize, process: &Process) -> NodeId {
        match process.end {
            Some(end) => self.is_at(number, end),
            None => self.machine.exprs.bool(false),
        }
    }

    /// After a run-time error the program is nowhere else.
    fn atom(&mut self, atom: CtlAtom, processes: &[Process]) -> NodeId {
        match atom {
            CtlAtom::Holds(node) => node,
            CtlAtom::Error => self.has_failed,
            CtlAtom::End => {
                let ends =
                    (0..processes.len()).map(|number| self.is_at_end(number, &processes[number]));
                let ends = ends.collect();
                self.machine.exprs.join(Binary::And, ends)
            }
            CtlAtom::At(label) => {
                let mut nodes = Vec::new();
                for (number, process) in processes.iter().enumerate() {
                    nodes.extend(process.labelled(label).map(|id| self.is_at(number, id)));
                }
                let is_there = self.machine.exprs.join(Binary::Or, nodes);
                let is_well = self.machine.exprs.not(self.has_failed);
                self.machine.exprs.and(is_there, is_well)
            }
        }
    }
}

fn is_selected(machine: &mut Machine, selector: VarId, symbol: i64) -> NodeId {
    let now = machine.now(selector);
    let symbol = machine.exprs.constant(symbol, crate::Type::Scalar);
    machine.exprs.eq(now, symbol)
}

/// Adds the program counter of a process, which begins at its first location.
fn counter(process: &Process, machine: &mut Machine) -> Counter {
    let mut symbols: Vec<i64> =
        process.names.values().map(|name| symbol_value(machine.symbols.intern(name))).collect();
    let mut domain = symbols.clone();
    domain.sort_unstable();
    let can_fail = process.can_fail();
    if can_fail {
        symbols.push(symbol_value(machine.symbols.intern("error")));
        domain.extend(symbols.last());
    }
    let name = match &*process.name {
        "" => "pc".to_owned(),
        name => format!("{name}.pc"),
    };
    let var = add_var(machine, &name, Domain::Values(domain), VarKind::State);
    machine.vars[var].instance = process.instance;
    let constant =
        |machine: &mut Machine, symbol: i64| machine.exprs.constant(symbol, crate::Type::Scalar);
    let start = constant(machine, symbols[process.cfg.entry.0 as usize]);
    let choice = machine.one(start);
    let (writers, span) = (vec![process.instance], machine.vars[var].span);
    machine.assigns.push(Assign { var, when: When::Init, choice, writers, span });
    let now = machine.now(var);
    let has_failed = match symbols.last() {
        Some(&error) if can_fail => {
            let error = constant(machine, error);
            machine.exprs.eq(now, error)
        }
        _ => machine.exprs.bool(false),
    };
    Counter { var, now, symbols, has_failed }
}
