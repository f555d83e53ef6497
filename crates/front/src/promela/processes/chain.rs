//! The steps that one process can make from one of its states.
//!
//! A step is one statement, or a chain of statements that keep control, with everything that happens in
//! between: the chain is followed with what it has found out so far of what is shared. Where that is not
//! enough to go on, all possible answers are tried.

use super::eval::{Evaluated, GlobalCondition, Halt, Question, StepContext};
use super::numbered::Numbered;
use super::possible::{Known, Possible};
use super::step::{ChannelMessage, ProcessStep, Rendezvous};
use super::{Failed, Local};
use crate::promela::{
    Action, Channel, ChannelId, ExprId, LocationId, Pattern, ProcessId, PromelaEdge, PromelaModel,
    PromelaProcess, VarId,
};
use std::rc::Rc;
use support::{Diagnostic, Monitor};

/// A chain goes through no more places than this.
const MOST_NODES: usize = 200_000;

/// A process in the middle of a chain.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    location: LocationId,
    locals: Box<[i32]>,
    step: ProcessStep,
    /// At the beginning, before anything has happened: the edge that is taken first.
    first: Option<usize>,
}

/// The result of expanding a node.
enum Move {
    /// Something more is known, or control is kept.
    Goes(Node),
    Ends(ProcessStep, Local),
}

pub(super) struct Chain<'a> {
    pub program: &'a PromelaModel,
    pub process: ProcessId,
    pub first_local: VarId,
    pub possible: &'a Possible,
    pub monitor: &'a Monitor,
}

/// The chains from one state, as far as they have been followed.
#[derive(Default)]
pub(super) struct Walk {
    nodes: Numbered<Node>,
    /// How many nodes have been left behind.
    done: usize,
    /// From where to where.
    links: Vec<(u32, u32)>,
    /// The nodes at which a chain ends, or turns out not to begin.
    ends: Vec<u32>,
    asked: Vec<PendingQuestion>,
    found: Numbered<(ProcessStep, Local)>,
}

/// A node that needs to know something, and how many answers it has been given.
#[derive(Clone, Copy)]
struct PendingQuestion {
    node: u32,
    question: Question,
    answers: usize,
}

impl Chain<'_> {
    pub fn begin(&self, location: LocationId, locals: &[i32]) -> Walk {
        let mut walk = Walk::default();
        for (number, edge) in self.process().edges.iter().enumerate() {
            if edge.source == location {
                let (locals, step) = (locals.into(), ProcessStep::default());
                walk.nodes.number(Node { location, locals, step, first: Some(number) });
            }
        }
        walk
    }

    /// Follows the chains, with all that has become possible since the last time.
    pub fn go_on(&self, walk: &mut Walk) -> Result<(), Failed> {
        for index in 0..walk.asked.len() {
            self.answer(walk, index);
        }
        while walk.done < walk.nodes.len() {
            self.monitor.step(1)?;
            self.expand(walk, walk.done as u32)?;
            walk.done += 1;
            if walk.nodes.len() > MOST_NODES {
                return Err(self.too_long(walk.nodes.items()[0].location));
            }
        }
        match walk.endless() {
            Some(node) => Err(self.endless(walk.nodes.items()[node].location)),
            None => Ok(()),
        }
    }

    fn process(&self) -> &PromelaProcess {
        &self.program.processes[self.process]
    }

    fn expand(&self, walk: &mut Walk, number: u32) -> Result<(), Failed> {
        let node = walk.nodes.items()[number as usize].clone();
        let mut moves = Vec::new();
        for edge in self.edges(&node) {
            match self.fire(&node, edge) {
                Ok(Some(one)) => moves.push(one),
                Ok(None) => {}
                Err(Halt::Fault) => {
                    moves.push(Move::Ends(node.step.clone().failing(), Local::Failed));
                }
                Err(Halt::Ask(question)) => {
                    walk.asked.push(PendingQuestion { node: number, question, answers: 0 });
                    self.answer(walk, walk.asked.len() - 1);
                    return Ok(());
                }
                Err(Halt::Refuse(why)) => return Err(self.refuse(edge, why)),
            }
        }
        if moves.is_empty() {
            moves.extend(self.blocked(&node));
        }
        if moves.is_empty() {
            walk.ends.push(number);
        }
        moves.into_iter().for_each(|one| walk.go(number, one));
        Ok(())
    }

    /// Goes on from a node with every answer that it has not been given yet.
    fn answer(&self, walk: &mut Walk, index: usize) {
        let PendingQuestion { node: number, question, answers } = walk.asked[index];
        let node = walk.nodes.items()[number as usize].clone();
        let known = Known { program: self.program, process: self.process, step: &node.step };
        let (steps, count) = self.possible.answers(known, question, answers);
        walk.asked[index].answers = count;
        for step in steps {
            let (location, locals) = (node.location, node.locals.clone());
            walk.go(number, Move::Goes(Node { location, locals, step, first: node.first }));
        }
    }

    fn edges(&self, node: &Node) -> impl Iterator<Item = &PromelaEdge> {
        let edges = &self.process().edges;
        let location = node.location;
        let (one, all) = match node.first {
            Some(first) => (edges.get(first), [].as_slice()),
            None => (None, edges.as_slice()),
        };
        one.into_iter().chain(all.iter().filter(move |edge| edge.source == location))
    }

    /// Where a chain ends that cannot go on. Before its first statement there is none.
    fn blocked(&self, node: &Node) -> Option<Move> {
        if node.first.is_some() {
            None
        } else if self.process().locations[node.location].is_in_dstep {
            Some(Move::Ends(node.step.clone().failing(), Local::Failed))
        } else {
            Some(node.end())
        }
    }

    fn view<'n>(&'n self, node: &'n Node) -> StepContext<'n> {
        StepContext {
            program: self.program,
            process: self.process,
            location: node.location,
            first_local: self.first_local,
            locals: &node.locals,
            step: &node.step,
        }
    }

    /// The effect of an edge, if it is enabled.
    fn fire(&self, node: &Node, edge: &PromelaEdge) -> Evaluated<Option<Move>> {
        let view = self.view(node);
        if !view.holds(edge.guard)? {
            return Ok(None);
        }
        let meets = self.meets(&edge.action);
        if meets && node.first.is_none() {
            return Err(Halt::Refuse(GlobalCondition::Rendezvous));
        }
        let mut next = Node { location: edge.target, first: None, ..node.clone() };
        let mut keeps_control = edge.keeps_control;
        match &edge.action {
            Action::Pass | Action::Print { .. } => {}
            Action::Assign { place, value } => {
                let value = view.value(*value)?;
                self.store(&view, &mut next, view.place(*place)?, value);
            }
            Action::Send { is_sorted: true, .. } => {
                return Err(Halt::Refuse(GlobalCondition::Order));
            }
            Action::Receive { slot: 1.., .. } => return Err(Halt::Refuse(GlobalCondition::Order)),
            Action::Send { channel, values, .. } => {
                self.send(&view, &mut next, *channel, values)?;
                // A rendezvous gives control to the receiver, if it is kept at all.
                keeps_control &= !meets;
            }
            Action::Receive { channel, patterns, keeps_message, .. } => {
                let Some(message) = self.received(node, *channel, patterns)? else {
                    return Ok(None);
                };
                self.store_all(&view, &mut next, patterns, &message)?;
                if !keeps_message && !meets {
                    next.step.channel(self.program, *channel).take();
                }
            }
            Action::Assert(condition) => {
                if !view.holds(*condition)? {
                    return Ok(Some(Move::Ends(next.step.failing(), Local::Failed)));
                }
            }
            // Models whose processes are counted are not taken apart.
            Action::Die | Action::Overflow => return Err(Halt::Refuse(GlobalCondition::Place)),
            Action::Start { process, values } => self.start(&view, &mut next, *process, values)?,
        }
        Ok(Some(if keeps_control { Move::Goes(next) } else { next.end() }))
    }

    /// Whether it is a rendezvous.
    fn meets(&self, action: &Action) -> bool {
        match action {
            Action::Send { channel, .. } | Action::Receive { channel, .. } => {
                self.program.channels[*channel].is_rendezvous()
            }
            _ => false,
        }
    }

    fn send(
        &self,
        view: &StepContext,
        next: &mut Node,
        channel: ChannelId,
        values: &[ExprId],
    ) -> Evaluated<()> {
        let Channel { fields, .. } = &self.program.channels[channel];
        let cut = values.iter().zip(fields).map(|(&value, ty)| Ok(ty.cut(view.value(value)?)));
        let message = cut.collect::<Evaluated<ChannelMessage>>()?;
        if self.program.channels[channel].is_rendezvous() {
            next.step.rendezvous = Some(Rendezvous { channel, message, is_send: true });
        } else {
            next.step.channel(self.program, channel).added.push(message);
        }
        Ok(())
    }

    /// The message that a receive gets, if it is one that it takes.
    fn received(
        &self,
        node: &Node,
        channel: ChannelId,
        patterns: &[Pattern],
    ) -> Evaluated<Option<ChannelMessage>> {
        let view = self.view(node);
        if !self.program.channels[channel].is_rendezvous() {
            return view.front(channel);
        }
        let Some(rendezvous) = &node.step.rendezvous else {
            return Err(Halt::Ask(Question::Offer(channel)));
        };
        Ok(view.matches(patterns, &rendezvous.message)?.then(|| rendezvous.message.clone()))
    }

    fn store_all(
        &self,
        view: &StepContext,
        next: &mut Node,
        patterns: &[Pattern],
        message: &[i32],
    ) -> Evaluated<()> {
        for (pattern, &field) in patterns.iter().zip(message) {
            if let Pattern::Store(place) = pattern {
                self.store(view, next, view.place(*place)?, field);
            }
        }
        Ok(())
    }

    fn store(&self, view: &StepContext, next: &mut Node, var: Option<VarId>, value: i32) {
        let Some(var) = var else { return };
        let value = self.program.vars[var].ty.cut(value);
        match view.local(var) {
            Some(slot) => next.locals[slot] = value,
            None => next.step.vars.entry(var).or_default().after = Some(value),
        }
    }

    fn start(
        &self,
        view: &StepContext,
        next: &mut Node,
        process: ProcessId,
        values: &[(VarId, ExprId)],
    ) -> Evaluated<()> {
        let (first, mut locals) = super::initial_locals(self.program, process);
        for &(var, value) in values {
            let slot = (var.0 - first.0) as usize;
            locals[slot] = self.program.vars[var].ty.cut(view.value(value)?);
        }
        next.step.starts.insert(process, locals);
        Ok(())
    }

    fn refuse(&self, edge: &PromelaEdge, why: GlobalCondition) -> Failed {
        let name = &self.process().name;
        let error = match why {
            GlobalCondition::Rendezvous => Diagnostic::error(
                format!("there is a rendezvous in the middle of an atomic step of `{name}`"),
                edge.span,
                "whether it goes on here depends on another process",
            )
            .with_help("let the rendezvous be the first statement of `atomic`, or leave `atomic` before it"),
            GlobalCondition::Timeout | GlobalCondition::Place | GlobalCondition::OtherVariable | GlobalCondition::Order => Diagnostic::error(
                format!("`{name}` cannot be taken for itself"),
                edge.span,
                match why {
                    GlobalCondition::Timeout => "`timeout` depends on the state of all processes",
                    GlobalCondition::Order => "`!!` and `??` depend on all messages of the channel",
                    GlobalCondition::Place => "this depends on where another process is",
                    _ => "this depends on a variable of another process",
                },
            ),
        };
        error.into()
    }

    fn too_long(&self, location: LocationId) -> Failed {
        let message = format!(
            "an atomic step of `{}` has more than {MOST_NODES} locations",
            self.process().name
        );
        Diagnostic::error(message, self.process().locations[location].span, "begins here").into()
    }

    fn endless(&self, location: LocationId) -> Failed {
        let message = format!("an atomic step of `{}` never ends", self.process().name);
        Diagnostic::error(
            message,
            self.process().locations[location].span,
            "this loop does not end",
        )
        .into()
    }
}

impl Node {
    fn end(&self) -> Move {
        Move::Ends(self.step.clone(), Local::At(self.location, self.locals.clone()))
    }
}

impl Walk {
    /// The steps that have been found, in the order in which they were.
    pub fn found(&self) -> &[Rc<(ProcessStep, Local)>] {
        self.found.items()
    }

    /// The answers that they depend on.
    pub fn questions(&self) -> impl ExactSizeIterator<Item = Question> {
        self.asked.iter().map(|asked| asked.question)
    }

    fn go(&mut self, from: u32, one: Move) {
        match one {
            Move::Goes(next) => {
                let (to, _) = self.nodes.number(next);
                self.links.push((from, to));
            }
            Move::Ends(step, local) => {
                self.ends.push(from);
                self.found.number((step, local));
            }
        }
    }

    /// A node from which no chain comes to an end.
    fn endless(&self) -> Option<usize> {
        // Without a way back every chain ends.
        if self.links.iter().all(|(from, to)| from < to) {
            return None;
        }
        let mut before = vec![Vec::new(); self.nodes.len()];
        let mut goes = vec![false; self.nodes.len()];
        for &(from, to) in &self.links {
            before[to as usize].push(from);
            goes[from as usize] = true;
        }
        // No entry: the location is not visited yet.
        let waiting = self.asked.iter().map(|asked| asked.node);
        let waiting = waiting.filter(|&node| !goes[node as usize]);
        let mut open: Vec<u32> = self.ends.iter().copied().chain(waiting).collect();
        let mut ends = vec![false; self.nodes.len()];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut ends[node as usize], true) {
                open.extend(&before[node as usize]);
            }
        }
        ends.iter().position(|ends| !ends)
    }
}
