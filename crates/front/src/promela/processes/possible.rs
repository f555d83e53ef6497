//! What shared things can ever be, each for itself: a superset, found by letting every process do what it
//! can with any combination of what the others have done so far.

use super::chain::{Chain, Steps};
use super::eval::Question;
use super::numbered::Numbered;
use super::step::{Meeting, Message, Step};
use super::{Failed, Local};
use crate::promela::{Channel, ChannelId, Process, ProcessId, Program, Var, VarId};
use base::{Diagnostic, IdVec, Monitor, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// No variable has more values, and no channel more messages.
const MOST_VALUES: usize = 1 << 12;
/// No process has more states.
const MOST_STATES: usize = 1 << 17;

/// The values of variables, and the messages of channels with those who send them.
pub(super) struct Possible {
    values: IdVec<VarId, BTreeSet<i32>>,
    messages: IdVec<ChannelId, BTreeMap<Message, BTreeSet<ProcessId>>>,
}

/// The states of one process and its steps, as numbers of `actions` and of states.
#[derive(Default)]
pub(super) struct Explored {
    pub states: Numbered<Local>,
    pub actions: Numbered<Step>,
    pub steps: Vec<Vec<(u32, u32)>>,
}

impl Explored {
    /// What an action does.
    pub fn step(&self, action: u32) -> &Step {
        &self.actions.items()[action as usize]
    }
}

impl Possible {
    fn new(program: &Program) -> Possible {
        Possible {
            values: program.vars.values().map(|var| BTreeSet::from([var.init])).collect(),
            messages: program.channels.values().map(|_| BTreeMap::new()).collect(),
        }
    }

    pub fn values(&self, var: VarId) -> &BTreeSet<i32> {
        &self.values[var]
    }

    /// What was known, with each answer that is possible.
    pub fn answers(
        &self,
        program: &Program,
        process: ProcessId,
        known: &Step,
        question: Question,
    ) -> Vec<Step> {
        let with = |change: &dyn Fn(&mut Step)| {
            let mut step = known.clone();
            change(&mut step);
            step
        };
        match question {
            Question::Value(var) => {
                let value = |&value: &i32| {
                    with(&|step| step.vars.entry(var).or_default().before = Some(value))
                };
                self.values[var].iter().map(value).collect()
            }
            Question::Length(channel, length) => vec![
                with(&|step| step.channel(program, channel).most = length - 1),
                with(&|step| step.channel(program, channel).least = length),
            ],
            Question::Next(channel) => {
                let next = |message: &Message| {
                    with(&|step| step.channel(program, channel).known.push(message.clone()))
                };
                self.messages[channel].keys().map(next).collect()
            }
            Question::Offer(channel) => {
                let by_others = |(_, senders): &(&Message, &BTreeSet<ProcessId>)| {
                    senders.iter().any(|&sender| sender != process)
                };
                let meeting = |(message, _): (&Message, _)| {
                    let meeting = Meeting { channel, message: message.clone(), is_send: false };
                    with(&|step| step.meeting = Some(meeting.clone()))
                };
                self.messages[channel].iter().filter(by_others).map(meeting).collect()
            }
        }
    }
}

/// All states and steps of all processes.
pub(super) fn explore(
    program: &Program,
    monitor: &Monitor,
) -> Result<(Possible, IdVec<ProcessId, Explored>), Failed> {
    let mut search = Search {
        program,
        monitor,
        possible: Possible::new(program),
        explored: program.processes.values().map(|_| Explored::default()).collect(),
        open: Vec::new(),
        waiting: FxHashSet::default(),
        askers: FxHashMap::default(),
    };
    for (id, process) in program.processes.iter() {
        let locals = super::initial_locals(program, id).1.into();
        let start =
            if process.is_active { Local::At(process.start, locals) } else { Local::NotStarted };
        search.reach(id, start)?;
    }
    while let Some(next) = search.open.pop() {
        search.waiting.remove(&next);
        search.expand(next)?;
    }
    Ok((search.possible, search.explored))
}

struct Search<'a> {
    program: &'a Program,
    monitor: &'a Monitor,
    possible: Possible,
    explored: IdVec<ProcessId, Explored>,
    /// The states whose steps are to be found, for the first time or anew.
    open: Vec<(ProcessId, u32)>,
    /// The same as a set.
    waiting: FxHashSet<(ProcessId, u32)>,
    /// Whose steps depend on the answer.
    askers: FxHashMap<Question, BTreeSet<(ProcessId, u32)>>,
}

impl Search<'_> {
    fn reach(&mut self, process: ProcessId, local: Local) -> Result<u32, Failed> {
        let explored = &mut self.explored[process];
        let (state, is_new) = explored.states.number(local);
        if is_new {
            explored.steps.push(Vec::new());
            if explored.states.len() > MOST_STATES {
                let Process { name, span, .. } = &self.program.processes[process];
                return Err(too_many(format!("process `{name}`"), MOST_STATES, "states", *span));
            }
            self.schedule((process, state));
        }
        Ok(state)
    }

    fn schedule(&mut self, state: (ProcessId, u32)) {
        if self.waiting.insert(state) {
            self.open.push(state);
        }
    }

    fn expand(&mut self, (process, state): (ProcessId, u32)) -> Result<(), Failed> {
        let Local::At(location, locals) =
            self.explored[process].states.items()[state as usize].clone()
        else {
            return Ok(());
        };
        let (first_local, _) = super::initial_locals(self.program, process);
        let (program, possible, monitor) = (self.program, &self.possible, self.monitor);
        let chain = Chain { program, process, first_local, possible, monitor };
        let Steps { steps, asked } = chain.steps(location, &locals)?;
        for question in asked {
            self.askers.entry(question).or_default().insert((process, state));
        }
        let mut numbered = Vec::with_capacity(steps.len());
        for (step, target) in steps {
            self.note(process, &step)?;
            let target = self.reach(process, target)?;
            numbered.push((self.explored[process].actions.number(step).0, target));
        }
        self.explored[process].steps[state as usize] = numbered;
        Ok(())
    }

    /// Makes what a step does possible for everybody.
    fn note(&mut self, process: ProcessId, step: &Step) -> Result<(), Failed> {
        for (&var, used) in &step.vars {
            if let Some(value) = used.after {
                self.note_value(var, value)?;
            }
        }
        let sent = step.meeting.iter().filter(|meeting| meeting.is_send);
        for meeting in sent {
            self.note_message(process, meeting.channel, &meeting.message)?;
        }
        for (&channel, used) in &step.channels {
            for message in &used.added {
                self.note_message(process, channel, message)?;
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
        if !values.insert(value) {
            return Ok(());
        }
        if values.len() > MOST_VALUES {
            let Var { name, span, .. } = &self.program.vars[var];
            return Err(too_many(format!("variable `{name}`"), MOST_VALUES, "values", *span));
        }
        self.ask_again(Question::Value(var));
        Ok(())
    }

    fn note_message(
        &mut self,
        sender: ProcessId,
        channel: ChannelId,
        message: &Message,
    ) -> Result<(), Failed> {
        let messages = &mut self.possible.messages[channel];
        if !messages.entry(message.clone()).or_default().insert(sender) {
            return Ok(());
        }
        if messages.len() > MOST_VALUES {
            let Channel { name, span, .. } = &self.program.channels[channel];
            return Err(too_many(format!("channel `{name}`"), MOST_VALUES, "messages", *span));
        }
        self.ask_again(Question::Next(channel));
        self.ask_again(Question::Offer(channel));
        Ok(())
    }

    fn ask_again(&mut self, question: Question) {
        let askers = self.askers.get(&question).into_iter().flatten().copied().collect::<Vec<_>>();
        askers.into_iter().for_each(|state| self.schedule(state));
    }
}

pub(super) fn too_many(who: String, most: usize, what: &str, span: Span) -> Failed {
    let message = format!("{who} can have more than {most} {what}");
    let error = Diagnostic::error(message, span, "declared here");
    error.with_help("processes are taken apart only where each of them is small").into()
}
