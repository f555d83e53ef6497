//! The possible values of shared variables and channels, each for itself: a superset, found by letting every process
//! do what it can with any combination of what all have done so far.
//!
//! That the combinations are not told apart is on purpose. An assumption does the steps of its process in
//! other orders, too; what the other processes and the variables come to then is still among what is found.

use super::chain::{Chain, Walk};
use super::eval::Question;
use super::numbered::Numbered;
use super::step::{ChannelMessage, ChannelUse, ProcessStep, Rendezvous};
use super::{Failed, Local};
use crate::promela::{
    Channel, ChannelId, ProcessId, PromelaModel, PromelaProcess, PromelaVar, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::hash::Hash;
use support::{Diagnostic, IdVec, Monitor, Span};

/// No variable has more values, and no channel more messages.
const MOST_VALUES: usize = 1 << 12;
/// No process has more states.
const MOST_STATES: usize = 1 << 17;

/// The values found possible so far, in the order of discovery.
pub(super) struct Possible {
    values: IdVec<VarId, Numbered<i32>>,
    /// The messages of channels with a buffer.
    messages: IdVec<ChannelId, Numbered<ChannelMessage>>,
    /// The messages of rendezvous, with those who send them.
    offers: IdVec<ChannelId, Numbered<(ChannelMessage, ProcessId)>>,
}

/// The knowledge in the middle of a step, and the process that has it.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub program: &'a PromelaModel,
    pub process: ProcessId,
    pub step: &'a ProcessStep,
}

/// The states of one process and its steps, as numbers of `actions` and of states.
#[derive(Default)]
pub(super) struct Explored {
    pub states: Numbered<Local>,
    pub actions: Numbered<ProcessStep>,
    pub steps: Vec<Vec<(u32, u32)>>,
}

impl Explored {
    /// The effect of an action.
    pub fn step(&self, action: u32) -> &ProcessStep {
        &self.actions.items()[action as usize]
    }
}

impl Possible {
    fn new(program: &PromelaModel) -> Possible {
        let mut values: IdVec<VarId, Numbered<i32>> =
            program.vars.values().map(|_| Numbered::default()).collect();
        for (id, var) in program.vars.iter() {
            values[id].number(var.init);
        }
        Possible {
            values,
            messages: program.channels.values().map(|_| Numbered::default()).collect(),
            offers: program.channels.values().map(|_| Numbered::default()).collect(),
        }
    }

    pub fn values(&self, var: VarId) -> BTreeSet<i32> {
        self.values[var].items().iter().map(|value| **value).collect()
    }

    /// Extends the knowledge by each possible answer from a number on; gives the number of answers, too.
    pub fn answers(
        &self,
        known: Known,
        question: Question,
        from: usize,
    ) -> (Vec<ProcessStep>, usize) {
        match question {
            Question::Value(var) => each(&self.values[var], from, |&value| {
                Some(known.with(|step| step.vars.entry(var).or_default().before = Some(value)))
            }),
            Question::Next(channel) => each(&self.messages[channel], from, |message| {
                Some(known.with(|step| known.channel(step, channel).known.push(message.clone())))
            }),
            Question::Offer(channel) => each(&self.offers[channel], from, |(message, sender)| {
                let rendezvous = Rendezvous { channel, message: message.clone(), is_send: false };
                let met = || known.with(|step| step.rendezvous = Some(rendezvous));
                (*sender != known.process).then(met)
            }),
            Question::Length(channel, length) => {
                let less = known.with(|step| known.channel(step, channel).most = length - 1);
                let enough = known.with(|step| known.channel(step, channel).least = length);
                (if from == 0 { vec![less, enough] } else { Vec::new() }, 2)
            }
        }
    }
}

impl Known<'_> {
    fn with(self, change: impl FnOnce(&mut ProcessStep)) -> ProcessStep {
        let mut step = self.step.clone();
        change(&mut step);
        step
    }

    fn channel<'s>(&self, step: &'s mut ProcessStep, channel: ChannelId) -> &'s mut ChannelUse {
        step.channel(self.program, channel)
    }
}

fn each<T: Eq + Hash>(
    all: &Numbered<T>,
    from: usize,
    answer: impl Fn(&T) -> Option<ProcessStep>,
) -> (Vec<ProcessStep>, usize) {
    (all.items()[from..].iter().filter_map(|one| answer(one)).collect(), all.len())
}

/// All states and steps of all processes.
pub(super) fn explore(
    program: &PromelaModel,
    monitor: &Monitor,
) -> Result<(Possible, IdVec<ProcessId, Explored>), Failed> {
    let mut search = Search {
        program,
        monitor,
        possible: Possible::new(program),
        explored: program.processes.values().map(|_| Explored::default()).collect(),
        open: VecDeque::new(),
        waiting: FxHashSet::default(),
        askers: FxHashMap::default(),
        walks: FxHashMap::default(),
    };
    for (id, process) in program.processes.iter() {
        let locals = super::initial_locals(program, id).1.into();
        let start =
            if process.is_active { Local::At(process.start, locals) } else { Local::NotStarted };
        search.reach(id, start)?;
    }
    while let Some(next) = search.open.pop_front() {
        search.waiting.remove(&next);
        search.expand(next)?;
    }
    Ok((search.possible, search.explored))
}

struct Search<'a> {
    program: &'a PromelaModel,
    monitor: &'a Monitor,
    possible: Possible,
    explored: IdVec<ProcessId, Explored>,
    /// The states whose steps are to be found, for the first time or anew.
    open: VecDeque<(ProcessId, u32)>,
    /// The members of `open`, as a set.
    waiting: FxHashSet<(ProcessId, u32)>,
    /// Whose steps depend on the answer.
    askers: FxHashMap<Question, BTreeSet<(ProcessId, u32)>>,
    /// How far the chains of a state have been followed.
    walks: FxHashMap<(ProcessId, u32), Walk>,
}

impl Search<'_> {
    fn reach(&mut self, process: ProcessId, local: Local) -> Result<u32, Failed> {
        let explored = &mut self.explored[process];
        let (state, is_new) = explored.states.number(local);
        if is_new {
            explored.steps.push(Vec::new());
            if explored.states.len() > MOST_STATES {
                let PromelaProcess { name, span, .. } = &self.program.processes[process];
                return Err(too_many(format!("process `{name}`"), MOST_STATES, "states", *span));
            }
            self.schedule((process, state));
        }
        Ok(state)
    }

    fn schedule(&mut self, state: (ProcessId, u32)) {
        if self.waiting.insert(state) {
            self.open.push_back(state);
        }
    }

    fn expand(&mut self, (process, state): (ProcessId, u32)) -> Result<(), Failed> {
        let local = self.explored[process].states.items()[state as usize].clone();
        let Local::At(location, locals) = &*local else { return Ok(()) };
        let (first_local, _) = super::initial_locals(self.program, process);
        let (program, possible, monitor) = (self.program, &self.possible, self.monitor);
        let chain = Chain { program, process, first_local, possible, monitor };
        let walk = self.walks.remove(&(process, state));
        let mut walk = walk.unwrap_or_else(|| chain.begin(*location, locals));
        let (questions, steps) = (walk.questions().len(), walk.found().len());
        chain.go_on(&mut walk)?;
        for question in walk.questions().skip(questions) {
            self.askers.entry(question).or_default().insert((process, state));
        }
        for found in &walk.found()[steps..] {
            let (step, target) = &**found;
            self.note(process, step)?;
            let target = self.reach(process, target.clone())?;
            let action = self.explored[process].actions.number(step.clone()).0;
            self.explored[process].steps[state as usize].push((action, target));
        }
        self.walks.insert((process, state), walk);
        Ok(())
    }

    /// Makes what a step does possible for everybody.
    fn note(&mut self, process: ProcessId, step: &ProcessStep) -> Result<(), Failed> {
        for (&var, used) in &step.vars {
            if let Some(value) = used.after {
                self.note_value(var, value)?;
            }
        }
        if let Some(rendezvous) = step.rendezvous.as_ref().filter(|rendezvous| rendezvous.is_send) {
            self.note_offer(process, rendezvous)?;
        }
        for (&channel, used) in &step.channels {
            for message in &used.added {
                self.note_message(channel, message)?;
            }
        }
        for (&started, locals) in &step.starts {
            let start = self.program.processes[started].start;
            self.reach(started, Local::At(start, locals.as_slice().into()))?;
        }
        Ok(())
    }

    fn note_value(&mut self, var: VarId, value: i32) -> Result<(), Failed> {
        let values = &mut self.possible.values[var];
        if !values.number(value).1 {
            return Ok(());
        }
        if values.len() > MOST_VALUES {
            let PromelaVar { name, span, .. } = &self.program.vars[var];
            return Err(too_many(format!("variable `{name}`"), MOST_VALUES, "values", *span));
        }
        self.ask_again(Question::Value(var));
        Ok(())
    }

    fn note_message(&mut self, channel: ChannelId, message: &ChannelMessage) -> Result<(), Failed> {
        let is_new = self.possible.messages[channel].number(message.clone()).1;
        self.check_messages(channel, self.possible.messages[channel].len())?;
        if is_new {
            self.ask_again(Question::Next(channel));
        }
        Ok(())
    }

    fn note_offer(&mut self, sender: ProcessId, rendezvous: &Rendezvous) -> Result<(), Failed> {
        let Rendezvous { channel, message, .. } = rendezvous;
        let is_new = self.possible.offers[*channel].number((message.clone(), sender)).1;
        self.check_messages(*channel, self.possible.offers[*channel].len())?;
        if is_new {
            self.ask_again(Question::Offer(*channel));
        }
        Ok(())
    }

    fn check_messages(&self, channel: ChannelId, count: usize) -> Result<(), Failed> {
        let Channel { name, span, .. } = &self.program.channels[channel];
        match count > MOST_VALUES {
            true => Err(too_many(format!("channel `{name}`"), MOST_VALUES, "messages", *span)),
            false => Ok(()),
        }
    }

    fn ask_again(&mut self, question: Question) {
        let askers = self.askers.get(&question).into_iter().flatten().copied().collect::<Vec<_>>();
        askers.into_iter().for_each(|state| self.schedule(state));
    }
}

pub(super) fn too_many(who: String, most: usize, what: &str, span: Span) -> Failed {
    let message = format!("{who} can have more than {most} {what}");
    let error = Diagnostic::error(message, span, "declared here");
    error.with_help("the model is split into processes only where each of them is small").into()
}
