//! From syntax to a checked program: names are resolved, every process that can run gets its control graph.
//!
//! Processes are built one after the other: first those that are active, in the order of the file, then
//! those that they start, in the order in which the `run`s are found.

mod certain;
mod channels;
mod claim;
mod counted;
mod exprs;
mod finish;
mod graph;
mod loops;
mod references;
mod remotes;
mod runs;
mod scope;
mod statements;
mod unroll;

pub(super) use claim::only_watches;
pub(super) use scope::Symbol;

use super::ast::{File, Name, Proctype, Reference};
use super::program::{
    Channel, ChannelId, ExprId, MessageId, ProcessId, PromelaModel, PromelaProcess, VarId,
};
use crate::sink::{Parsed, Reported, Sink};
use crate::symbols::SymbolKind;
use graph::Graph;
use remotes::Remote;
use rustc_hash::FxHashMap;
use scope::{InitTime, Scope};
use std::collections::VecDeque;
use support::{Diagnostic, IdVec, Interner, Span};

/// As in Spin.
const MOST_PROCESSES: usize = 255;

/// The arguments of a process.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Value(ExprId),
    Channel(ChannelId),
    /// One of these, by this index.
    OneOf(Vec<ChannelId>, ExprId),
}

/// A process that is known and not built yet.
struct Waiting {
    process: ProcessId,
    proctype: usize,
    arguments: Vec<Argument>,
}

/// Facts about a program that its construction has shown.
#[derive(Clone, Default)]
struct Plan {
    /// All channels.
    channels: IdVec<ChannelId, Channel>,
    /// Whether processes are counted, and whether those that are started come from pools.
    counts: bool,
    has_pools: bool,
}

pub(super) struct Builder<'f, 'a> {
    pub file: &'f File<'a>,
    pub program: PromelaModel,
    pub sink: Sink,
    globals: Scope<'a>,
    /// By process, what is declared in it, by name, and what its variables are when it is started.
    pub locals: IdVec<ProcessId, Scope<'a>>,
    entries: IdVec<ProcessId, Vec<(VarId, ExprId)>>,
    /// By process of a pool, the variables that its parameters are.
    parameters: IdVec<ProcessId, Vec<VarId>>,
    waiting: VecDeque<Waiting>,
    /// By proctype, the processes of its pool, if there are pools.
    pools: FxHashMap<usize, Vec<ProcessId>>,
    has_pools: bool,
    /// Whether the model says something about priorities.
    has_priorities: bool,
    remotes: Vec<Remote<'a>>,
    /// Expressions for the priority of the process with a pid.
    asked_priorities: Vec<(ExprId, ExprId)>,
    /// Stands for the pid of the process that a `run` in the expression starts.
    started_pid: Option<ExprId>,
    /// All channels, if the program has been built before.
    known_channels: IdVec<ChannelId, Channel>,
    /// Whether variables hold channels.
    holds_channels: bool,
    /// Whether something depends on how many processes there are, and on the pid of one that is started.
    observes_count: bool,
    observes_pids: bool,
    /// Whether the number of processes is not bounded, as far as one sees.
    is_unbounded: bool,
    is_finished: bool,
    /// The process that is being built.
    at: Option<Context<'a>>,
}

/// The context of the process that is built.
struct Context<'a> {
    process: ProcessId,
    /// Where its proctype stands: what is shared and declared behind it is not known in it.
    span: Span,
    /// The innermost last.
    scopes: Vec<Scope<'a>>,
    graph: Graph<'a>,
}

/// The facts about processes that formulas observe: how many there are, and the pids of those that are started.
#[derive(Clone, Copy, Default)]
pub(super) struct Observed {
    pub count: bool,
    pub pids: bool,
}

/// How often a program is built until all channels are known that a variable can hold.
const MOST_PASSES: usize = 8;

/// Builds the program. A variable for channels can hold any channel, so one that has such variables is built again
/// until the channels stay the same. So is one in which it matters how many processes there are.
pub(super) fn build<'f, 'a>(file: &'f File<'a>, sink: Sink, observed: Observed) -> Builder<'f, 'a> {
    let mut plan = Plan { counts: file.reads_count || observed.count, ..Plan::default() };
    for _ in 0..MOST_PASSES {
        let built = build_knowing(file, sink.clone(), plan.clone());
        if built.is_unbounded && !plan.has_pools {
            plan = Plan { counts: true, has_pools: true, ..Plan::default() };
            continue;
        }
        if !plan.counts && built.depends_on_count(observed) {
            plan = Plan { counts: true, ..Plan::default() };
            continue;
        }
        if !built.holds_channels || built.program.channels == built.known_channels {
            return built;
        }
        plan.channels = built.program.channels;
    }
    let mut built = build_knowing(file, sink, plan);
    let message = "a variable for channels that depend on it is not supported";
    let span = built.somewhere();
    built.unsupported(span, message, "in this model");
    built
}

fn build_knowing<'f, 'a>(
    file: &'f File<'a>,
    sink: Sink,
    Plan { channels, counts, has_pools }: Plan,
) -> Builder<'f, 'a> {
    let mut builder = Builder {
        file,
        program: empty(),
        sink,
        globals: Scope::default(),
        locals: IdVec::new(),
        entries: IdVec::new(),
        parameters: IdVec::new(),
        waiting: VecDeque::new(),
        pools: FxHashMap::default(),
        has_pools,
        has_priorities: file.has_priorities,
        remotes: Vec::new(),
        asked_priorities: Vec::new(),
        started_pid: None,
        known_channels: channels,
        holds_channels: false,
        observes_count: false,
        observes_pids: false,
        is_unbounded: false,
        is_finished: false,
        at: None,
    };
    builder.add_messages();
    builder.check_typedefs();
    if builder.sink.has_errors() {
        return builder;
    }
    for declaration in &file.globals {
        let _ = builder.declare(declaration, InitTime::AtStart);
    }
    builder.check_proctypes();
    builder.add_active();
    if counts {
        builder.add_count();
    }
    while let Some(waiting) = builder.waiting.pop_front() {
        let _ = builder.process(waiting);
    }
    builder.finish();
    builder.refuse_rendezvous_of_priorities();
    builder
}

fn empty() -> PromelaModel {
    PromelaModel {
        vars: IdVec::new(),
        arrays: IdVec::new(),
        channels: IdVec::new(),
        processes: IdVec::new(),
        exprs: IdVec::new(),
        messages: Interner::default(),
        message_values: IdVec::new(),
        count: None,
    }
}

impl<'f, 'a> Builder<'f, 'a> {
    fn error(&mut self, span: Span, message: impl Into<String>, label: &str) -> Reported {
        self.sink.error(|| Diagnostic::error(message, span, label))
    }

    /// Notes a construct that is not supported.
    fn unsupported(&mut self, span: Span, message: &'static str, label: &str) -> Reported {
        self.sink.unsupported(message, Diagnostic::error(message, span, label))
    }

    /// A channel of this program or, if it is not there yet, of the program as it was built before.
    pub(super) fn described(&self, channel: ChannelId) -> &Channel {
        match (channel.0 as usize) < self.program.channels.len() {
            true => &self.program.channels[channel],
            false => &self.known_channels[channel],
        }
    }

    /// The first name of a list has the largest number, and each set is numbered from 1, as in Spin.
    fn add_messages(&mut self) {
        let mut sizes: FxHashMap<&str, i32> = FxHashMap::default();
        for (set, names) in &self.file.messages {
            let size = sizes.entry(set.map_or("", |set| set.text)).or_default();
            for (index, name) in names.iter().enumerate() {
                let value = *size + (names.len() - index) as i32;
                if self.program.messages.get(name.text).is_some() {
                    let message = format!("the message `{}` is declared twice", name.text);
                    self.error(name.span, message, "declared again here");
                    continue;
                }
                let id: MessageId = self.program.messages.intern(name.text);
                debug_assert_eq!(id.0 as usize, self.program.message_values.len());
                self.program.message_values.push(value);
                self.sink.symbols.define(SymbolKind::Constant, name.span);
                self.globals.add(*name, Symbol::Const(value));
            }
            *size += names.len() as i32;
            if *size > 255 {
                let span = names.first().map(|name| name.span);
                if let Some(span) = span {
                    self.error(span, "more than 255 names of messages", "too many");
                }
            }
        }
    }

    fn check_proctypes(&mut self) {
        for (index, proctype) in self.file.proctypes.iter().enumerate() {
            let name = proctype.name;
            self.sink.symbols.define(SymbolKind::Process, name.span);
            let before = &self.file.proctypes[..index];
            if let Some(first) = before.iter().find(|other| other.name.text == name.text) {
                let label = first.name.span;
                self.sink.error(|| {
                    let message = format!("`{}` is declared twice", name.text);
                    Diagnostic::error(message, name.span, "declared again here")
                        .with_label(label, "declared first here")
                });
            } else if self.globals.get(name.text).is_some() {
                let message = format!("`{}` is a variable and a proctype", name.text);
                self.error(name.span, message, "the name is taken");
            }
        }
    }

    fn add_active(&mut self) {
        let file = self.file;
        for (index, proctype) in file.proctypes.iter().enumerate() {
            let count = match (&proctype.active, proctype.is_init) {
                (_, true) => Ok(1),
                (Some(count), _) => self.constant(count),
                (None, _) => Ok(0),
            };
            for _ in 0..count.unwrap_or(0).min(MOST_PROCESSES as i32 + 1) {
                // A process that is there from the start has parameters that are 0.
                let _ = self.add_process(index, Vec::new(), proctype.name.span, true);
            }
        }
        if self.program.processes.is_empty() && !self.sink.has_errors() {
            let span = file.proctypes.first().map_or_else(|| self.somewhere(), |p| p.name.span);
            self.sink.error(|| {
                Diagnostic::error(
                    "no process is active at the start",
                    span,
                    "this process is never started",
                )
                .with_help("write `active proctype`, or `init { … }`")
            });
        }
    }

    /// Some place in the file.
    fn somewhere(&self) -> Span {
        let declared = self.file.globals.first().map(|declaration| declaration.name.span);
        declared.unwrap_or(Span { file: support::FileId(0), start: 0, end: 0 })
    }

    fn add_process(
        &mut self,
        index: usize,
        arguments: Vec<Argument>,
        span: Span,
        is_active: bool,
    ) -> Parsed<ProcessId> {
        let proctype: &'f Proctype<'a> = &self.file.proctypes[index];
        if self.program.processes.len() == MOST_PROCESSES {
            let message = "more than 255 processes are not supported";
            self.is_unbounded = true;
            return Err(self.unsupported(span, message, "started here"));
        }
        let process = self.program.processes.push(PromelaProcess {
            name: proctype.name.text.to_owned(),
            proctype: proctype.name.text.to_owned(),
            is_active,
            locations: IdVec::new(),
            edges: Vec::new(),
            start: super::program::LocationId(0),
            end: super::program::LocationId(0),
            pid: None,
            priority: None,
            span: proctype.name.span,
        });
        self.locals.push(Scope::default());
        self.entries.push(Vec::new());
        self.parameters.push(Vec::new());
        self.waiting.push_back(Waiting { process, proctype: index, arguments });
        Ok(process)
    }

    /// Builds one process.
    fn process(&mut self, waiting: Waiting) -> Parsed<()> {
        let proctype: &'f Proctype<'a> = &self.file.proctypes[waiting.proctype];
        let graph = self.drawn(proctype, &waiting)?;
        let graph = match self.has_pools {
            true => graph,
            false => self.unrolled(waiting.process, graph)?,
        };
        self.install(waiting.process, graph)
    }

    /// The control graph of a process, as it is written.
    fn drawn(&mut self, proctype: &'f Proctype<'a>, waiting: &Waiting) -> Parsed<Graph<'a>> {
        let process = waiting.process;
        self.at = Some(Context {
            process,
            span: proctype.name.span,
            scopes: vec![Scope::default()],
            graph: Graph::new(proctype.end),
        });
        self.add_number(process, proctype.priority.unwrap_or(1), proctype.name.span);
        let built = self.bind_parameters(proctype, waiting).and_then(|()| self.body(proctype));
        let provided = proctype.provided.as_ref().map(|condition| self.expr(condition));
        let context = self.at.take().ok_or(Reported)?;
        built?;
        let mut graph = self.finish_graph(context.graph)?;
        if let Some(provided) = provided {
            self.provide(provided?, &mut graph);
        }
        if proctype.is_deterministic {
            self.expect_deterministic(&mut graph);
        }
        Ok(graph)
    }

    /// The symbol of a name in the current scope.
    pub(super) fn lookup(&self, name: &str) -> Option<&Symbol<'a>> {
        self.scope_of(name).and_then(|scope| scope.get(name))
    }

    /// The innermost scope that has a name.
    fn scope_of(&self, name: &str) -> Option<&Scope<'a>> {
        let scopes = self.at.iter().flat_map(|context| context.scopes.iter().rev());
        let is_late =
            |span: Span| self.at.as_ref().is_some_and(|at| self.file.precedes(at.span, span));
        let is_known = self.globals.place(name).is_some_and(|span| !is_late(span));
        let mut all = scopes.chain(is_known.then_some(&self.globals));
        all.find(|scope| scope.get(name).is_some())
    }

    fn unknown(&mut self, reference: &Reference<'a>) -> Reported {
        let Name { text, span } = reference.name;
        if let Some(place) = self.globals.place(text) {
            return self.used_early(reference.name, place);
        }
        let scopes = self.at.iter().flat_map(|context| context.scopes.iter());
        let names: Vec<&str> =
            scopes.chain([&self.globals]).flat_map(|scope| scope.names()).collect();
        let error = Diagnostic::error(format!("`{text}` is not declared"), span, "not declared")
            .with_nearest(text, names);
        self.sink.error(|| error)
    }

    fn used_early(&mut self, name: Name<'a>, place: Span) -> Reported {
        self.sink.error(|| {
            let message = format!("`{}` is used before it is declared", name.text);
            Diagnostic::error(message, name.span, "not known here")
                .with_label(place, "declared here")
        })
    }
}
