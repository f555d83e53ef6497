//! Processes that are counted, as in Spin: `_nr_pr` says how many there are, one that starts gets the next number as
//! its pid, and the youngest one dies when it has come to its end.
//!
//! A model whose pids are not observed does without: then the end of a process is no step, and each `run` starts a
//! process of its own. Where the number of `run`s is not bounded, each proctype has a pool of processes. In it the one
//! with the smallest number that is free is started; as the youngest dies first, these are in the order of their pids.

use super::super::ast::Expr as Ast;
use super::super::program::{
    Action, ArrayId, ExprId, LocationId, ProcessId, PromelaBinary, PromelaEdge, PromelaExpr,
    PromelaUnary, PromelaVar, Storage, VarId, VarType,
};
use super::graph::Endpoints;
use super::{Argument, Builder, Observed};
use crate::sink::Parsed;
use support::{Diagnostic, Span};

/// The processes of one proctype that a pool provides for.
const MOST_OF_POOL: usize = 16;

/// The array of all priorities, before it is known which processes there are.
pub(super) const PRIORITIES: ArrayId = ArrayId(u32::MAX);

/// The place of a priority in the list of values that a `run` gives to its process.
const PRIORITY: VarId = VarId(u32::MAX);

/// The processes that a `run` can start, each with its condition, and the condition that there is none left.
type Candidates = (Vec<(ProcessId, ExprId)>, Option<ExprId>);

impl<'a> Builder<'_, 'a> {
    /// A variable that only the builder makes.
    fn own_var(
        &mut self,
        name: &str,
        ty: VarType,
        init: i32,
        owner: Option<ProcessId>,
        span: Span,
    ) -> VarId {
        let name = name.to_owned();
        self.program.vars.push(PromelaVar { name, ty, init, owner, span })
    }

    /// Whether the model means something else where processes are counted.
    pub(super) fn depends_on_count(&self, observed: Observed) -> bool {
        let observes_pids = self.observes_pids || observed.pids;
        self.observes_count || (observes_pids && !self.are_pids_certain())
    }

    /// Whether the processes that are started surely get the pids that they have here: one process starts them one
    /// behind the other, and none that is younger can have died by then.
    fn are_pids_certain(&self) -> bool {
        let processes = &self.program.processes;
        let is_start = |edge: &&PromelaEdge| matches!(edge.action, Action::Start { .. });
        let mut starters =
            processes.iter().filter(|(_, own)| own.edges.iter().any(|edge| is_start(&edge)));
        let Some((starter, process)) = starters.next() else { return true };
        if !process.is_active || starters.next().is_some() {
            return false;
        }
        let mut younger = processes.ids().filter(|&id| id > starter);
        let may_die = younger.any(|id| self.may_end(id));
        let mut next = starter.0 as usize + 1;
        while processes.get(ProcessId(next as u32)).is_some_and(|process| process.is_active) {
            next += 1;
        }
        if may_die && next > starter.0 as usize + 1 {
            return false;
        }
        let starts: Vec<&PromelaEdge> = process.edges.iter().filter(is_start).collect();
        let Some(first) = starts.first() else { return true };
        let (mut at, mut found) = (first.source, 0);
        while found < starts.len() {
            let mut edges = process.edges_from(at);
            let (Some(edge), None) = (edges.next(), edges.next()) else { return false };
            if let Action::Start { process: started, .. } = &edge.action {
                if started.0 as usize != next + found {
                    return false;
                }
                found += 1;
            }
            let is_last = found == starts.len();
            let goes_on = edge.keeps_control && self.program.constant(edge.guard) == Some(1);
            if may_die && !is_last && !goes_on {
                return false;
            }
            at = edge.target;
        }
        true
    }

    /// Whether a process can come to its end.
    pub(super) fn may_end(&self, process: ProcessId) -> bool {
        let process = &self.program.processes[process];
        process.edges.iter().any(|edge| edge.target == process.end && edge.source != process.end)
    }

    /// Adds `_nr_pr`, when the processes are known that are there from the start.
    pub(super) fn add_count(&mut self) {
        let Some(first) = self.program.processes.values().next() else { return };
        let (span, count) = (first.span, self.program.processes.len() as i32);
        self.program.count = Some(self.own_var("_nr_pr", VarType::Byte, count, None, span));
    }

    /// Adds `_pid` and `_priority` of a process, where they are needed.
    pub(super) fn add_number(&mut self, process: ProcessId, priority: i32, span: Span) {
        if self.program.count.is_some() && !self.program.processes[process].is_active {
            let pid = self.own_var("_pid", VarType::Pid, 0, Some(process), span);
            self.program.processes[process].pid = Some(pid);
        }
        if self.has_priorities {
            let init = if self.program.processes[process].is_active { priority } else { 0 };
            let priority = self.own_var("_priority", VarType::Byte, init, Some(process), span);
            self.program.processes[process].priority = Some(priority);
        }
    }

    /// The pid of a process.
    pub(super) fn pid_of(&mut self, process: ProcessId) -> ExprId {
        let described = &self.program.processes[process];
        self.observes_pids |= !described.is_active;
        let pid = described.pid.map_or(PromelaExpr::Const(process.0 as i32), PromelaExpr::Var);
        self.program.exprs.push(pid)
    }

    /// Whether a process has been started and has not died.
    pub(super) fn is_there(&mut self, process: ProcessId) -> ExprId {
        let is_always = self.program.processes[process].is_active && self.program.count.is_none();
        let is_there = match is_always {
            true => PromelaExpr::Const(1),
            false => PromelaExpr::IsThere(process),
        };
        self.program.exprs.push(is_there)
    }

    /// The pid of the process that has just been started.
    pub(super) fn youngest(&mut self, process: ProcessId) -> ExprId {
        let Some(count) = self.program.count else { return self.pid_of(process) };
        let (count, one) = (self.program.exprs.push(PromelaExpr::Var(count)), self.number(1));
        self.binary(PromelaBinary::Sub, count, one)
    }

    /// The edge on which a process that has come to its end dies.
    pub(super) fn death(&mut self, process: ProcessId, end: LocationId) -> Option<PromelaEdge> {
        let count = self.program.exprs.push(PromelaExpr::Var(self.program.count?));
        let (pid, one) = (self.pid_of(process), self.number(1));
        let next = self.binary(PromelaBinary::Add, pid, one);
        Some(PromelaEdge {
            source: end,
            target: end,
            guard: self.binary(PromelaBinary::Eq, count, next),
            action: Action::Die,
            keeps_control: false,
            span: self.program.processes[process].span,
        })
    }

    /// The processes that a `run` can start, each with the condition that it is this one, and the condition that there
    /// is none left. One process for each `run`, unless there are pools.
    pub(super) fn candidates(
        &mut self,
        proctype: usize,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Parsed<Candidates> {
        if !self.has_pools {
            let always = self.number(1);
            return Ok((vec![(self.started(proctype, arguments, span)?, always)], None));
        }
        if !self.pools.contains_key(&proctype) {
            let mut pool = Vec::new();
            for _ in 0..MOST_OF_POOL {
                pool.push(self.add_process(proctype, Vec::new(), span, false)?);
            }
            self.pools.insert(proctype, pool);
        }
        let mut found = Vec::new();
        let mut is_taken = self.number(1);
        for process in self.pools[&proctype].clone() {
            let is_there = self.is_there(process);
            let is_free = self.unary(PromelaUnary::Not, is_there);
            found.push((process, self.binary(PromelaBinary::And, is_taken, is_free)));
            is_taken = is_there;
        }
        Ok((found, Some(is_taken)))
    }

    /// The values that a `run` gives to a process, before the variables of the process are known: each argument for
    /// the parameter with its number.
    pub(super) fn given(
        &mut self,
        arguments: &[Argument],
        priority: Option<i32>,
    ) -> Parsed<Vec<(VarId, ExprId)>> {
        let mut given = Vec::new();
        if self.has_pools {
            for (number, argument) in (0..).zip(arguments) {
                given.push((VarId(number), self.argument_value(argument)?));
            }
        }
        given.push((PRIORITY, self.number(priority.unwrap_or(1))));
        Ok(given)
    }

    /// Fills in what a `run` sets: parameters, what is computed from them, the pid, the priority and `_nr_pr`.
    pub(super) fn start_values(
        &mut self,
        process: ProcessId,
        given: &[(VarId, ExprId)],
    ) -> Vec<(VarId, ExprId)> {
        let parameters = self.parameters[process].clone();
        let argument = |var: VarId| {
            let number = parameters.iter().position(|&parameter| parameter == var)?;
            given.iter().find(|(given, _)| given.0 == number as u32).map(|&(_, value)| value)
        };
        let mut values: Vec<(VarId, ExprId)> =
            parameters.iter().filter_map(|&var| Some((var, argument(var)?))).collect();
        for (var, value) in self.entries[process].clone() {
            let value = self.replaced(value, &|_, expr| match expr {
                PromelaExpr::Var(var) => argument(*var),
                _ => None,
            });
            values.push((var, value));
        }
        let described = &self.program.processes[process];
        let (pid, priority) = (described.pid, described.priority);
        let own = given.iter().find(|(var, _)| *var == PRIORITY);
        values.extend(priority.zip(own).map(|(var, &(_, value))| (var, value)));
        if let Some(count) = self.program.count {
            let (now, one) = (self.program.exprs.push(PromelaExpr::Var(count)), self.number(1));
            values.extend(pid.map(|pid| (pid, now)));
            values.push((count, self.binary(PromelaBinary::Add, now, one)));
        }
        values
    }

    /// As in Spin, there are no rendezvous where there are priorities.
    pub(super) fn refuse_rendezvous_of_priorities(&mut self) {
        let mut channels = self.program.channels.values();
        if let Some(channel) = channels.find(|channel| channel.is_rendezvous())
            && self.has_priorities
        {
            let span = channel.span;
            self.sink.error(|| {
                let message = "priorities and a rendezvous channel in one model";
                Diagnostic::error(message, span, "this channel has no buffer")
                    .with_help("give it room for a message, or leave out `priority`; Spin refuses both together")
            });
        }
    }

    /// `_priority`, `get_priority (pid)`: 0 if there is no such process.
    pub(super) fn priority(&mut self, pid: Option<&Ast<'a>>, span: Span) -> Parsed<ExprId> {
        let Some(pid) = pid else {
            let process = self.at.as_ref().map(|context| context.process);
            let own = process.and_then(|process| self.program.processes[process].priority);
            return match own {
                Some(own) => Ok(self.program.exprs.push(PromelaExpr::Var(own))),
                None => Err(self.error(span, "`_priority` outside of a process", "whose?")),
            };
        };
        let pid = self.expr(pid)?;
        let expr = self.program.exprs.push(super::remotes::UNRESOLVED);
        self.asked_priorities.push((expr, pid));
        Ok(expr)
    }

    /// `set_priority (pid, n)`, which has no effect if there is no such process. Which variable it sets is known when
    /// all processes are built.
    pub(super) fn set_priority(
        &mut self,
        [pid, priority]: [&Ast<'a>; 2],
        route: Endpoints,
        span: Span,
    ) -> Parsed<()> {
        let (index, value) = (self.expr(pid)?, self.expr(priority)?);
        let [least, most] = [1, 255].map(|bound| self.number(bound));
        let above = self.binary(PromelaBinary::Ge, value, least);
        let below = self.binary(PromelaBinary::Le, value, most);
        let is_valid = self.binary(PromelaBinary::And, above, below);
        let place = Storage::Element(PRIORITIES, index);
        self.act(route, is_valid, Action::Assign { place, value }, span)?;
        let (is_wrong, never) = (self.unary(PromelaUnary::Not, is_valid), self.number(0));
        self.act(route, is_wrong, Action::Assert(never), span)
    }

    /// Fills in the priorities of other processes, when all are built.
    pub(super) fn resolve_priorities(&mut self) {
        for process in self.program.processes.ids().collect::<Vec<_>>() {
            let edges = std::mem::take(&mut self.program.processes[process].edges);
            for edge in edges {
                let found = self.resolved_edges(edge);
                self.program.processes[process].edges.extend(found);
            }
        }
        for (expr, pid) in std::mem::take(&mut self.asked_priorities) {
            let mut result = self.number(0);
            for process in self.program.processes.ids().collect::<Vec<_>>() {
                let Some(priority) = self.program.processes[process].priority else { continue };
                let is_it = self.is_of_pid(process, pid);
                let priority = self.program.exprs.push(PromelaExpr::Var(priority));
                result = self.program.choice(is_it, priority, result);
            }
            self.program.exprs[expr] = self.program.exprs[result].clone();
        }
    }

    /// An edge that sets the priority of some process as one for each of them, and one if there is no such process.
    fn resolved_edges(&mut self, edge: PromelaEdge) -> Vec<PromelaEdge> {
        let Action::Assign { place: Storage::Element(PRIORITIES, pid), value } = edge.action else {
            return vec![edge];
        };
        let mut found = Vec::new();
        let mut is_none = edge.guard;
        for process in self.program.processes.ids().collect::<Vec<_>>() {
            let Some(priority) = self.program.processes[process].priority else { continue };
            let is_it = self.is_of_pid(process, pid);
            let guard = self.binary(PromelaBinary::And, edge.guard, is_it);
            let action = Action::Assign { place: Storage::Var(priority), value };
            found.push(PromelaEdge { guard, action, ..edge.clone() });
            let is_other = self.unary(PromelaUnary::Not, is_it);
            is_none = self.binary(PromelaBinary::And, is_none, is_other);
        }
        found.push(PromelaEdge { guard: is_none, action: Action::Pass, ..edge });
        found
    }

    /// Whether a process is there and has this pid.
    pub(super) fn is_of_pid(&mut self, process: ProcessId, pid: ExprId) -> ExprId {
        let own = self.pid_of(process);
        let is_it = self.binary(PromelaBinary::Eq, pid, own);
        let is_there = self.is_there(process);
        self.binary(PromelaBinary::And, is_there, is_it)
    }
}
