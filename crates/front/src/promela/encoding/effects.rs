//! The effects of a step, and its run-time errors.

use super::super::program::{Action, ChannelId, ExprId, Pattern, ProcessId, Storage};
use super::{Encoder, Wrong};
use transition::{Binary, Domain, NodeId, VarId as StateId};

/// The effect of an edge.
pub(super) struct Effect {
    pub wrongs: Vec<(Wrong, NodeId)>,
    pub changes: Vec<(StateId, NodeId)>,
}

impl Encoder<'_> {
    pub(super) fn effect(&mut self, process: ProcessId, action: &Action) -> Effect {
        let mut effect = Effect { wrongs: Vec::new(), changes: Vec::new() };
        match action {
            Action::Pass | Action::Print { .. } | Action::Overflow => {}
            Action::Assign { place, value } => {
                effect.wrongs.extend(self.faults(*value));
                let value = self.value(*value);
                self.store(*place, value, &mut effect);
            }
            Action::Send { channel, values, is_sorted } => {
                self.sent(*channel, values, *is_sorted, &mut effect);
            }
            Action::Receive { channel, slot, patterns, keeps_message } => {
                self.received((*channel, *slot), patterns, *keeps_message, &mut effect);
            }
            Action::Assert(condition) => {
                effect.wrongs.extend(self.faults(*condition));
                let holds = self.truth(*condition);
                effect.wrongs.push((Wrong::Assertion, self.not(holds)));
            }
            Action::Start { process, values } => {
                for (var, value) in values {
                    effect.wrongs.extend(self.faults(*value));
                    let value = self.value(*value);
                    self.store(Storage::Var(*var), value, &mut effect);
                }
                let start = self.program.processes[*process].start;
                effect.changes.push(self.moved(*process, start));
            }
            Action::Die => self.died(process, &mut effect),
        }
        effect
    }

    /// Resets the variables and channels of the process to their initial values.
    fn died(&mut self, process: ProcessId, effect: &mut Effect) {
        let program = self.program;
        for (id, var) in program.vars.iter().filter(|(_, var)| var.owner == Some(process)) {
            let init = self.int(var.init.into());
            effect.changes.push((self.layout.vars[id], init));
        }
        for (id, channel) in program.channels.iter() {
            if channel.owner == Some(process) {
                let contents = &self.layout.channels[id];
                let states = contents.slots.iter().flatten().chain(&contents.len);
                let states: Vec<StateId> = states.copied().collect();
                let zero = self.int(0);
                effect.changes.extend(states.into_iter().map(|state| (state, zero)));
            }
        }
        if let Some(count) = program.count {
            let state = self.layout.vars[count];
            let (now, one) = (self.now(state), self.int(1));
            let less = self.machine.exprs.binary(Binary::Sub, now, one);
            let value = self.fitted(program.vars[count].ty.range(), less, state);
            effect.changes.push((state, value));
        }
        let absent = self.symbol(self.layout.absent);
        effect.changes.push((self.layout.places[process], absent));
    }

    pub(super) fn store(&mut self, place: Storage, value: NodeId, effect: &mut Effect) {
        match place {
            Storage::Nowhere => {}
            Storage::Var(var) => {
                let state = self.layout.vars[var];
                let value = self.fitted(self.program.vars[var].ty.range(), value, state);
                effect.changes.push((state, value));
            }
            Storage::Element(array, index) => {
                effect.wrongs.extend(self.faults(index));
                let outside = self.is_outside(array, index, Wrong::Index);
                effect.wrongs.push((Wrong::Index, outside));
                let index = self.value(index);
                let (first, len) =
                    (self.program.arrays[array].first, self.program.arrays[array].len);
                for number in 0..len {
                    let var = super::VarId(first.0 + number);
                    let state = self.layout.vars[var];
                    let new = self.fitted(self.program.vars[var].ty.range(), value, state);
                    let (old, number) = (self.now(state), self.int(number.into()));
                    let is_it = self.machine.exprs.eq(index, number);
                    let value = self.machine.exprs.ite(is_it, new, old);
                    effect.changes.push((state, value));
                }
            }
        }
    }

    /// Truncates a value to the type of a variable, and to the range that is known to be enough for it.
    fn fitted(&mut self, (low, high): (i32, i32), value: NodeId, state: StateId) -> NodeId {
        let cut = self.cut(value, low.into(), high.into());
        match self.machine.vars[state].domain {
            Domain::Range(low, high) => self.cut(cut, low, high),
            _ => cut,
        }
    }

    /// A message behind those that are there, or before the first that is larger.
    fn sent(
        &mut self,
        channel: ChannelId,
        values: &[ExprId],
        is_sorted: bool,
        effect: &mut Effect,
    ) {
        let Some(len) = self.layout.channels[channel].len else { return };
        let there = self.now(len);
        let one = self.int(1);
        let more = self.machine.exprs.binary(Binary::Add, there, one);
        let capacity = self.program.channels[channel].capacity;
        let more = self.no_more_than(more, capacity);
        effect.changes.push((len, more));
        for value in values {
            effect.wrongs.extend(self.faults(*value));
        }
        let values: Vec<NodeId> = values.iter().map(|&value| self.value(value)).collect();
        // Whether the message goes to a slot before this one.
        let mut is_before = self.machine.exprs.bool(false);
        for slot in 0..capacity {
            let number = self.int(slot.into());
            let mut is_it = self.machine.exprs.eq(there, number);
            if is_sorted {
                let is_less = self.is_less(channel, slot, &values);
                let is_there = self.machine.exprs.binary(Binary::Lt, number, there);
                let is_less = self.and(is_there, is_less);
                let here = self.machine.exprs.binary(Binary::Or, is_it, is_less);
                let first = self.not(is_before);
                is_it = self.and(first, here);
            }
            for (field, &value) in values.iter().enumerate() {
                let state = self.layout.channels[channel].slots[slot as usize][field];
                let ty = self.program.channels[channel].fields[field];
                let new = self.fitted(ty.range(), value, state);
                let mut old = self.now(state);
                if is_sorted && slot > 0 {
                    let before = self.layout.channels[channel].slots[slot as usize - 1][field];
                    let before = self.now(before);
                    old = self.machine.exprs.ite(is_before, before, old);
                }
                let value = self.machine.exprs.ite(is_it, new, old);
                effect.changes.push((state, value));
            }
            is_before = self.machine.exprs.binary(Binary::Or, is_before, is_it);
        }
    }

    /// Whether a new message is less than that in a slot, by its first field that differs.
    fn is_less(&mut self, channel: ChannelId, slot: u32, values: &[NodeId]) -> NodeId {
        let mut is_less = self.machine.exprs.bool(false);
        for (field, &value) in values.iter().enumerate().rev() {
            let state = self.layout.channels[channel].slots[slot as usize][field];
            let (low, high) = self.program.channels[channel].fields[field].range();
            let (new, old) = (self.cut(value, low.into(), high.into()), self.now(state));
            let less = self.machine.exprs.binary(Binary::Lt, new, old);
            let equal = self.machine.exprs.eq(new, old);
            let later = self.and(equal, is_less);
            is_less = self.machine.exprs.binary(Binary::Or, less, later);
        }
        is_less
    }

    /// A length that the channel can have, whatever the guard says.
    fn no_more_than(&mut self, len: NodeId, capacity: u32) -> NodeId {
        let mut result = self.int(0);
        for value in 1..=capacity {
            let value = self.int(value.into());
            let is_it = self.machine.exprs.eq(len, value);
            result = self.machine.exprs.ite(is_it, value, result);
        }
        result
    }

    /// The message in a slot goes away, unless it stays, and those behind it move up.
    fn received(
        &mut self,
        (channel, slot): (ChannelId, u32),
        patterns: &[Pattern],
        keeps_message: bool,
        effect: &mut Effect,
    ) {
        let Some(len) = self.layout.channels[channel].len else { return };
        let slots = self.layout.channels[channel].slots.clone();
        for (pattern, &field) in patterns.iter().zip(&slots[slot as usize]) {
            if let Pattern::Store(place) = pattern {
                let value = self.now(field);
                self.store(*place, value, effect);
            }
        }
        if keeps_message {
            return;
        }
        let (there, one) = (self.now(len), self.int(1));
        let less = self.machine.exprs.binary(Binary::Sub, there, one);
        let less = self.no_more_than(less, self.program.channels[channel].capacity);
        effect.changes.push((len, less));
        for (slot, fields) in slots.iter().enumerate().skip(slot as usize) {
            for (field, &state) in fields.iter().enumerate() {
                let value = match slots.get(slot + 1) {
                    Some(behind) => self.now(behind[field]),
                    None => self.int(0),
                };
                effect.changes.push((state, value));
            }
        }
    }
}
