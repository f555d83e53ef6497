//! The preconditions and effects of one step of a process on shared variables and channels.

use crate::promela::{ChannelId, ProcessId, PromelaModel, VarId};
use std::collections::BTreeMap;

/// The fields of a message.
pub type ChannelMessage = Vec<i32>;

/// A step as the rest of the system sees it: one statement, or a whole chain of statements that keep
/// control. It can happen where everything is as it was before, and what comes after is always the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct ProcessStep {
    pub rendezvous: Option<Rendezvous>,
    pub vars: BTreeMap<VarId, VarUse>,
    pub channels: BTreeMap<ChannelId, ChannelUse>,
    /// The processes that begin, with the values of all their variables.
    pub starts: BTreeMap<ProcessId, Vec<i32>>,
    /// Something is wrong with the model, and this is where it shows. Nothing is changed then.
    pub fails: bool,
}

/// One half of a rendezvous, always the first thing in a step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rendezvous {
    pub channel: ChannelId,
    pub message: ChannelMessage,
    pub is_send: bool,
}

/// A variable that is read (`before`), written (`after`), or both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct VarUse {
    pub before: Option<i32>,
    pub after: Option<i32>,
}

/// The known contents of a channel, and the messages taken from it and added to it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelUse {
    /// The messages that it begins with, at least.
    pub known: Vec<ChannelMessage>,
    /// How many messages there are, not less than are known.
    pub least: usize,
    pub most: usize,
    /// How many of the known ones are taken.
    pub taken: usize,
    pub added: Vec<ChannelMessage>,
}

/// The beginning of a channel, or what has to be found out to tell.
pub(super) enum Front<'a> {
    Nothing,
    Message(&'a ChannelMessage),
    /// Whether there were at least so many messages before the step.
    AskLength(usize),
    /// The value of the next message, of which only the existence is known.
    AskNext,
}

impl ProcessStep {
    /// Whether no other process takes part in it or observes it.
    pub fn is_silent(&self) -> bool {
        *self == ProcessStep::default()
    }

    /// Whether something that is shared is another thing afterwards, or a partner is needed, or it fails.
    pub fn has_effect(&self) -> bool {
        self.rendezvous.is_some()
            || self.fails
            || !self.starts.is_empty()
            || self.vars.values().any(|var| var.after.is_some())
            || self.channels.values().any(|channel| channel.taken > 0 || !channel.added.is_empty())
    }

    /// The step ending in a failed assertion: its effects no longer matter.
    pub(super) fn failing(mut self) -> ProcessStep {
        self.starts.clear();
        self.vars.values_mut().for_each(|var| var.after = None);
        for channel in self.channels.values_mut() {
            channel.taken = 0;
            channel.added.clear();
        }
        self.vars.retain(|_, var| *var != VarUse::default());
        self.fails = true;
        self
    }

    pub(super) fn channel(
        &mut self,
        program: &PromelaModel,
        channel: ChannelId,
    ) -> &mut ChannelUse {
        let capacity = program.channels[channel].capacity as usize;
        self.channels.entry(channel).or_insert_with(|| ChannelUse::untouched(capacity))
    }

    /// A rendezvous as one step of both; `None` if they cannot both happen in any state. The sender changes
    /// nothing but its own place.
    pub(super) fn meet(sender: &ProcessStep, receiver: &ProcessStep) -> Option<ProcessStep> {
        let mut both = receiver.clone();
        for (&id, var) in &sender.vars {
            let other = both.vars.entry(id).or_default();
            if other.before.is_some_and(|before| Some(before) != var.before) {
                return None;
            }
            other.before = var.before;
        }
        for (&id, channel) in &sender.channels {
            match both.channels.get_mut(&id) {
                Some(other) => other.learn(channel)?,
                None => {
                    both.channels.insert(id, channel.clone());
                }
            }
        }
        Some(both)
    }
}

impl ChannelUse {
    pub(super) fn untouched(capacity: usize) -> ChannelUse {
        let (known, added) = (Vec::new(), Vec::new());
        ChannelUse { known, least: 0, most: capacity, taken: 0, added }
    }

    /// The least and the largest number of messages that there can be now, in the middle of the step.
    pub(super) fn length(&self) -> (usize, usize) {
        let now = |before: usize| before + self.added.len() - self.taken;
        (now(self.least), now(self.most))
    }

    pub(super) fn front(&self) -> Front<'_> {
        match self.known.get(self.taken) {
            Some(message) => Front::Message(message),
            None if self.least > self.known.len() => Front::AskNext,
            None if self.most > self.known.len() => Front::AskLength(self.known.len() + 1),
            None => self.added.first().map_or(Front::Nothing, Front::Message),
        }
    }

    /// Takes the message at the front away, which is known.
    pub(super) fn take(&mut self) {
        if self.taken < self.known.len() {
            self.taken += 1;
        } else {
            self.added.remove(0);
        }
    }

    /// Adds what another one knows of the same contents; `None` if it contradicts.
    fn learn(&mut self, other: &ChannelUse) -> Option<()> {
        let (longer, shorter) = match self.known.len() < other.known.len() {
            true => (other.known.clone(), &self.known),
            false => (self.known.clone(), &other.known),
        };
        let agree = longer.starts_with(shorter);
        self.known = longer;
        self.least = self.least.max(other.least);
        self.most = self.most.min(other.most);
        (agree && self.least <= self.most).then_some(())
    }

    /// The contents after the step, if its precondition holds for these.
    pub(super) fn apply(&self, contents: &[ChannelMessage]) -> Option<Vec<ChannelMessage>> {
        let fits = (self.least..=self.most).contains(&contents.len());
        (fits && contents.starts_with(&self.known))
            .then(|| contents[self.taken..].iter().chain(&self.added).cloned().collect())
    }
}
