//! Which steps of a process are independent of all steps of the others, from what each reads and writes.

use rustc_hash::FxHashMap;
use transition::{InterleavedStep, InterleavedSteps, QueueEnd, Slice, VarId};

/// The processes that use something.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Users {
    #[default]
    Unused,
    One(usize),
    Several,
}

impl Users {
    fn add(&mut self, process: usize) {
        *self = match *self {
            Users::Unused => Users::One(process),
            Users::One(known) if known == process => Users::One(known),
            _ => Users::Several,
        }
    }

    fn are_only(self, process: usize) -> bool {
        self == Users::Unused || self == Users::One(process)
    }
}

/// The variables that processes read and write, and the ends of channels that they use.
pub(super) struct Uses<'i> {
    of: &'i InterleavedSteps,
    readers: FxHashMap<VarId, Users>,
    writers: FxHashMap<VarId, Users>,
    ends: FxHashMap<(usize, QueueEnd), Users>,
    /// The channel that a variable belongs to.
    channels: FxHashMap<VarId, usize>,
}

impl<'i> Uses<'i> {
    /// Variables outside of the slice are not there.
    pub fn new(of: &'i InterleavedSteps, slice: &Slice) -> Self {
        let mut uses = Self {
            of,
            readers: FxHashMap::default(),
            writers: FxHashMap::default(),
            ends: FxHashMap::default(),
            channels: FxHashMap::default(),
        };
        for (number, channel) in of.channels.iter().enumerate() {
            uses.channels.insert(channel.len, number);
            uses.channels.extend(channel.slots.iter().map(|&slot| (slot, number)));
        }
        for step in &of.steps {
            let counters =
                || step.moves.iter().map(|step| of.processes[step.process].program_counter);
            for process in step.moves.iter().map(|step| step.process) {
                for var in step.reads.iter().copied().chain(counters()) {
                    uses.readers.entry(var).or_default().add(process);
                }
                // Before it is started a process does nothing, and it is started once: its variables are its own.
                let writer = started(of, step).unwrap_or(process);
                for &var in &step.writes {
                    uses.writers.entry(var).or_default().add(writer);
                }
                for var in counters() {
                    uses.writers.entry(var).or_default().add(process);
                }
                if let Some(end) = step.queue {
                    uses.ends.entry(end).or_default().add(process);
                }
            }
        }
        let is_there = |var: &VarId, _: &mut Users| slice.contains(*var);
        uses.readers.retain(is_there);
        uses.writers.retain(is_there);
        uses
    }

    /// Whether a step of a process is independent of all steps of others, in states where its queue, if it has one, is
    /// neither full for a send nor empty for a receive. Others then change neither whether it is enabled nor what it
    /// does, and it changes neither of theirs.
    ///
    /// `is_first` is false for a step behind others that happen with it at once, whose queue may be another one then.
    pub fn is_local(&self, process: usize, step: &InterleavedStep, is_first: bool) -> bool {
        let only = |map: &FxHashMap<VarId, Users>, var: &VarId| {
            map.get(var).is_none_or(|users| users.are_only(process))
        };
        let ends_only = |channel: usize, end: QueueEnd| {
            self.ends.get(&(channel, end)).is_none_or(|users| users.are_only(process))
        };
        let queue_is_own = |channel: usize| {
            ends_only(channel, QueueEnd::Back) && ends_only(channel, QueueEnd::Front)
        };
        let no_queue_interferes =
            |var: &VarId| self.channels.get(var).is_none_or(|&channel| queue_is_own(channel));
        let counters =
            step.moves.iter().map(|step| self.of.processes[step.process].program_counter);
        let counters: Vec<VarId> = counters.collect();
        step.reads.iter().all(|var| only(&self.writers, var) && no_queue_interferes(var))
            && step.writes.iter().chain(&counters).all(|var| {
                only(&self.writers, var) && only(&self.readers, var) && no_queue_interferes(var)
            })
            && step.queue.is_none_or(|(channel, end)| {
                let described = &self.of.channels[channel];
                let mut vars = described.slots.iter().chain([&described.len]);
                let is_own_end =
                    if is_first { ends_only(channel, end) } else { queue_is_own(channel) };
                is_own_end && vars.all(|var| only(&self.writers, var) && only(&self.readers, var))
            })
    }
}

/// The process that a step starts: it changes its program counter, and that one does not move.
fn started(of: &InterleavedSteps, step: &InterleavedStep) -> Option<usize> {
    let moves = |process: usize| step.moves.iter().any(|step| step.process == process);
    let counters = of.processes.iter().map(|process| process.program_counter).enumerate();
    let mut others =
        counters.filter(|&(process, var)| step.writes.contains(&var) && !moves(process));
    others.next().map(|(process, _)| process)
}
