//! A program as a machine: variables, and the steps that change them.
//!
//! State variables are the place of each process, the variables of the program, the contents of channels
//! (the first message lies in the first slot; slots without a message are 0), who has exclusive control, and
//! what has gone wrong. An input says which step is taken; it has one value for each edge of a process, one
//! for each pair of a send and a receive that can be a rendezvous, and one for standing still, where nothing
//! else is possible. So every state has a successor.

mod claims;
mod domains;
mod effects;
mod fairness;
mod interleaving;
mod printed;
mod steps;
mod values;

pub(super) use fairness::FairProcess;
pub(super) use values::Encoder;

use super::program::{ChannelId, LocationId, ProcessId, PromelaModel, VarId};
use crate::language::ProcessFairness;
use rustc_hash::{FxHashMap, FxHashSet};
use support::{FileId, IdVec, Span};
use transition::{
    Assign, Domain, FIRST_SYMBOL, Instance, InstanceId, Machine, MachineVar, NodeId, Type,
    VarId as StateId, VarKind, When, symbol_value,
};

/// The run-time errors of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Wrong {
    Assertion,
    Index,
    Division,
    /// Nothing can go on within a `d_step`.
    Blocked,
}

impl Wrong {
    pub const ALL: [Wrong; 4] = [Wrong::Assertion, Wrong::Index, Wrong::Division, Wrong::Blocked];

    fn name(self) -> &'static str {
        match self {
            Wrong::Assertion => "assertion",
            Wrong::Index => "index",
            Wrong::Division => "division",
            Wrong::Blocked => "blocked",
        }
    }
}

/// The contents of a channel.
pub(super) struct Contents {
    /// How many messages there are; `None` for a rendezvous.
    pub len: Option<StateId>,
    /// By slot and by field.
    pub slots: Vec<Vec<StateId>>,
}

/// The state variables of a program.
pub(super) struct Layout {
    pub vars: IdVec<VarId, StateId>,
    pub channels: IdVec<ChannelId, Contents>,
    /// Where each process is.
    pub places: IdVec<ProcessId, StateId>,
    /// By process and location, its symbol, and that of a process that is not there yet.
    symbols: FxHashMap<(ProcessId, LocationId), i64>,
    pub absent: i64,
    /// The holder of exclusive control, if a process can have it, and the symbols for each process and for none.
    pub control: Option<StateId>,
    controllers: FxHashMap<ProcessId, i64>,
    no_process: i64,
    /// The variable that holds the run-time error, if there can be one, and its symbols.
    pub error: Option<StateId>,
    wrongs: Vec<(Wrong, i64)>,
    nothing: i64,
}

impl Layout {
    pub fn symbol(&self, process: ProcessId, location: LocationId) -> i64 {
        self.symbols[&(process, location)]
    }
}

/// Makes the machine; the texts of the files are there for the numbers of lines.
pub(super) fn encode<'p>(
    program: &'p PromelaModel,
    text_of: &dyn Fn(FileId) -> &'p str,
    name: &str,
    fairness: Option<ProcessFairness>,
) -> Encoder<'p> {
    let mut machine = Machine { name: name.to_owned(), ..Machine::default() };
    let layout = Planner { program, machine: &mut machine, text_of }.layout();
    let mut encoder = Encoder::new(program, machine, layout);
    encoder.add_steps(fairness);
    encoder
}

struct Planner<'p, 'm> {
    program: &'p PromelaModel,
    machine: &'m mut Machine,
    text_of: &'m dyn Fn(FileId) -> &'p str,
}

impl Planner<'_, '_> {
    fn layout(&mut self) -> Layout {
        let program = self.program;
        self.add_instances();
        let bits = domains::ranges(program);
        let (absent, no_process, nothing) =
            (self.symbol("_absent"), self.symbol("_none"), self.symbol("none"));
        let mut layout = Layout {
            vars: IdVec::new(),
            channels: IdVec::new(),
            places: IdVec::new(),
            symbols: FxHashMap::default(),
            absent,
            control: None,
            controllers: FxHashMap::default(),
            no_process,
            error: None,
            wrongs: Vec::new(),
            nothing,
        };
        for process in program.processes.ids() {
            self.add_place(process, &mut layout);
        }
        for (id, var) in program.vars.iter() {
            let (low, high) = bits.vars[id];
            let domain = Domain::Range(low.into(), high.into());
            let state = self.add(&var.name, domain, var.owner, var.init.into(), var.span);
            layout.vars.push(state);
        }
        for id in program.channels.ids() {
            let contents = self.contents(id, &bits.fields[id]);
            layout.channels.push(contents);
        }
        self.add_control(&mut layout);
        self.add_error(&mut layout);
        layout
    }

    fn add_instances(&mut self) {
        let main = Instance {
            name: String::new(),
            module: "main".to_owned(),
            parent: None,
            is_process: false,
        };
        let main = self.machine.instances.push(main);
        for process in self.program.processes.values() {
            self.machine.instances.push(Instance {
                name: process.name.clone(),
                module: process.proctype.clone(),
                parent: Some(main),
                is_process: true,
            });
        }
    }

    fn symbol(&mut self, name: &str) -> i64 {
        symbol_value(self.machine.symbols.intern(name))
    }

    /// A state variable that begins with a value.
    fn add(
        &mut self,
        name: &str,
        domain: Domain,
        owner: Option<ProcessId>,
        init: i64,
        span: Span,
    ) -> StateId {
        let instance = owner.map_or(InstanceId(0), instance_of);
        let ty = if init >= FIRST_SYMBOL { Type::Scalar } else { domain.ty() };
        let name = name.to_owned();
        let var = self.machine.vars.push(MachineVar {
            name,
            domain,
            kind: VarKind::State,
            instance,
            span,
        });
        let node = self.machine.exprs.constant(init, ty);
        let choice = self.machine.one(node);
        let writers = vec![instance];
        self.machine.assigns.push(Assign { var, when: When::Init, choice, writers, span });
        var
    }

    fn add_place(&mut self, process: ProcessId, layout: &mut Layout) {
        let described = &self.program.processes[process];
        let mut taken: FxHashSet<String> = FxHashSet::default();
        let mut symbols = Vec::new();
        if !described.is_active || self.program.count.is_some() {
            symbols.push(layout.absent);
            taken.insert("_absent".to_owned());
        }
        for (location, there) in described.locations.iter() {
            let line = self.line(there.span);
            let name = match there.labels.first() {
                Some(label) => label.clone(),
                None if location == described.end => "_end".to_owned(),
                None => format!("line{line}"),
            };
            let mut unique = name.clone();
            for copy in 2.. {
                if taken.insert(unique.clone()) {
                    break;
                }
                unique = format!("{name}_{copy}");
            }
            let symbol = self.symbol(&unique);
            symbols.push(symbol);
            layout.symbols.insert((process, location), symbol);
        }
        let start = layout.symbol(process, described.start);
        let init = if described.is_active { start } else { layout.absent };
        let domain = Domain::Values(symbols);
        let place = self.add(&described.name, domain, Some(process), init, described.span);
        layout.places.push(place);
    }

    fn line(&self, span: Span) -> usize {
        let text = (self.text_of)(span.file);
        let before = &text.as_bytes()[..(span.start as usize).min(text.len())];
        before.iter().filter(|&&byte| byte == b'\n').count() + 1
    }

    fn contents(&mut self, id: ChannelId, fields: &[(i32, i32)]) -> Contents {
        let channel = &self.program.channels[id];
        if channel.is_rendezvous() {
            return Contents { len: None, slots: Vec::new() };
        }
        let (owner, span) = (channel.owner, channel.span);
        let domain = Domain::Range(0, channel.capacity.into());
        let len = self.add(&format!("len({})", channel.name), domain, owner, 0, span);
        let mut slots = Vec::new();
        for slot in 0..channel.capacity {
            let mut own = Vec::new();
            for (field, &(low, high)) in fields.iter().enumerate() {
                let name = match fields {
                    [_] => format!("{}[{slot}]", channel.name),
                    _ => format!("{}[{slot}].{field}", channel.name),
                };
                let domain = Domain::Range(low.into(), high.into());
                own.push(self.add(&name, domain, owner, 0, span));
            }
            slots.push(own);
        }
        Contents { len: Some(len), slots }
    }

    fn add_control(&mut self, layout: &mut Layout) {
        let mut values = vec![layout.no_process];
        for (id, process) in self.program.processes.iter() {
            if process.edges.iter().any(|edge| edge.keeps_control) {
                let symbol = self.symbol(&process.name);
                layout.controllers.insert(id, symbol);
                values.push(symbol);
            }
        }
        if values.len() > 1 {
            let span = self.some_span();
            let domain = Domain::Values(values);
            layout.control = Some(self.add("@control", domain, None, layout.no_process, span));
        }
    }

    fn add_error(&mut self, layout: &mut Layout) {
        let possible = values::possible_wrongs(self.program);
        if possible.is_empty() {
            return;
        }
        let mut values = vec![layout.nothing];
        for wrong in possible {
            let symbol = self.symbol(wrong.name());
            layout.wrongs.push((wrong, symbol));
            values.push(symbol);
        }
        let span = self.some_span();
        let domain = Domain::Values(values);
        layout.error = Some(self.add("@error", domain, None, layout.nothing, span));
    }

    /// Where a variable is declared that is not.
    fn some_span(&self) -> Span {
        self.program.processes[ProcessId(0)].span
    }
}

/// The part of the machine that a process is.
pub(super) fn instance_of(process: ProcessId) -> InstanceId {
    InstanceId(process.0 + 1)
}

/// The propositions that only formulas have.
pub(super) struct Atoms {
    pub assertion_failed: NodeId,
    pub runtime_error: NodeId,
    pub invalid_end: NodeId,
    /// A process is at a label that begins with `accept`.
    pub accepting: NodeId,
    /// Something can happen, and no process is at a label that begins with `progress`.
    pub non_progress: NodeId,
    /// A process is within `atomic` or `d_step`, and can go on: the state is not visible.
    pub hidden: NodeId,
}
