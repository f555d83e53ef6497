//! Names of components and actions, all legal in `.tm` files.

use super::step::{ChannelMessage, ChannelUse, ProcessStep, Rendezvous, VarUse};
use super::{FAIL, Local, initial_locals};
use crate::promela::{ChannelId, MessageId, ProcessId, PromelaModel, VarId, VarType};
use model::TAU;
use rustc_hash::FxHashSet;
use support::IdVec;

/// Gives everything a name of its own.
#[derive(Default)]
pub(super) struct Unique(FxHashSet<String>);

impl Unique {
    /// The name that is wanted, with a number behind it if something else has it.
    pub fn name(&mut self, wanted: String) -> String {
        let mut name = wanted.clone();
        let mut number = 2;
        while !self.0.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

/// The names of all components that there can be.
pub(super) struct Names<'a> {
    program: &'a PromelaModel,
    pub processes: IdVec<ProcessId, String>,
    pub vars: IdVec<VarId, String>,
    pub channels: IdVec<ChannelId, String>,
}

impl<'a> Names<'a> {
    pub fn new(program: &'a PromelaModel) -> Names<'a> {
        let mut unique = Unique::default();
        let mut legal = |name: &str| unique.name(legal(name));
        let processes = program.processes.values();
        let processes = processes.map(|process| legal(&format!("{}:", process.name))).collect();
        let vars = program.vars.values().map(|var| legal(&var.name)).collect();
        let channels = program.channels.values().map(|channel| legal(&channel.name)).collect();
        Names { program, processes, vars, channels }
    }

    /// The visible action of a joint step: its effects, in the order of the variables and channels.
    pub fn shown(&self, step: &ProcessStep) -> String {
        if step.fails {
            return FAIL.to_owned();
        }
        let mut effects = Vec::new();
        if let Some(Rendezvous { channel, message, .. }) = &step.rendezvous {
            effects.push(format!(
                "{}.{}",
                self.channels[*channel],
                self.message(*channel, message)
            ));
        }
        for (&var, used) in &step.vars {
            effects.extend(used.after.map(|after| self.qualified_value(var, "set", after)));
        }
        for (&channel, used) in &step.channels {
            let traffic = self.traffic(channel, used).into_iter();
            effects.extend(traffic.map(|one| format!("{}.{one}", self.channels[channel])));
        }
        effects.extend(
            step.starts.keys().map(|&process| format!("{}.start", self.processes[process])),
        );
        if effects.is_empty() { TAU.to_owned() } else { effects.join("_and_") }
    }

    /// The action of a process for its part in a step.
    pub fn of_process(&self, step: &ProcessStep) -> String {
        let mut parts = Vec::new();
        if let Some(Rendezvous { channel, message, is_send }) = &step.rendezvous {
            let (name, message) = (&self.channels[*channel], self.message(*channel, message));
            parts.push(format!("{name}.{}.{message}", if *is_send { "send" } else { "recv" }));
        }
        for (&var, used) in &step.vars {
            parts.extend(used.before.map(|before| self.qualified_value(var, "is", before)));
            parts.extend(used.after.map(|after| self.qualified_value(var, "set", after)));
        }
        for (&channel, used) in &step.channels {
            let name = &self.channels[channel];
            parts.push(format!("{name}.{}", self.of_channel(channel, used)));
        }
        for (&process, locals) in &step.starts {
            parts.push(format!("{}.{}", self.processes[process], self.start(process, locals)));
        }
        if step.fails {
            parts.push(FAIL.to_owned());
        }
        if parts.is_empty() { TAU.to_owned() } else { parts.join("_and_") }
    }

    pub fn of_var(&self, var: VarId, used: VarUse) -> String {
        let name =
            |verb: &str, value| format!("{verb}.{}", self.value(self.program.vars[var].ty, value));
        let parts = [
            used.before.map(|value| name("is", value)),
            used.after.map(|value| name("set", value)),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("_and_")
    }

    pub fn of_channel(&self, channel: ChannelId, used: &ChannelUse) -> String {
        let ChannelUse { known, least, most, taken, added } = used;
        let capacity = self.program.channels[channel].capacity as usize;
        let mut parts: Vec<String> = Vec::new();
        let next = known[*taken..].iter();
        parts.extend(next.map(|message| format!("next.{}", self.message(channel, message))));
        if *least > known.len() {
            parts.push(format!("least.{least}"));
        }
        // A message is added only where there is room.
        if *most < capacity && (added.is_empty() || *most + added.len() != capacity + taken) {
            parts.push(format!("most.{most}"));
        }
        parts.extend(self.traffic(channel, used));
        if parts.is_empty() { "any".to_owned() } else { parts.join("_and_") }
    }

    fn traffic(&self, channel: ChannelId, used: &ChannelUse) -> Vec<String> {
        let taken = used.known[..used.taken].iter().map(|message| ("recv", message));
        let all = taken.chain(used.added.iter().map(|message| ("send", message)));
        all.map(|(verb, message)| format!("{verb}.{}", self.message(channel, message))).collect()
    }

    pub fn start(&self, process: ProcessId, locals: &[i32]) -> String {
        format!("start{}", self.unusual(process, locals))
    }

    /// The variables that do not have their initial values.
    fn unusual(&self, process: ProcessId, locals: &[i32]) -> String {
        let (first, usual) = initial_locals(self.program, process);
        let mut text = String::new();
        for (slot, (value, usual)) in locals.iter().zip(usual).enumerate() {
            if *value != usual {
                let var = VarId(first.0 + slot as u32);
                text += &format!(
                    ".{}.{}",
                    self.short(var),
                    self.value(self.program.vars[var].ty, *value)
                );
            }
        }
        text
    }

    /// The name of a variable within its process.
    fn short(&self, var: VarId) -> String {
        let name = &self.program.vars[var].name;
        legal(name.rsplit_once(':').map_or(name, |(_, short)| short))
    }

    fn qualified_value(&self, var: VarId, verb: &str, value: i32) -> String {
        format!("{}.{verb}.{}", self.vars[var], self.value(self.program.vars[var].ty, value))
    }

    /// The place of a process, and the values of its variables where they are not the initial ones.
    pub fn local(&self, process: ProcessId, local: &Local) -> String {
        let (location, locals) = match local {
            Local::NotStarted => return "not_started".to_owned(),
            Local::Failed => return "failed".to_owned(),
            Local::At(location, locals) => (*location, locals),
        };
        let of = &self.program.processes[process];
        let place = match of.locations[location].labels.first() {
            Some(label) => label.clone(),
            None if location == of.end => "end".to_owned(),
            None => format!("at_{}", location.0),
        };
        place + &self.unusual(process, locals)
    }

    pub fn contents(&self, channel: ChannelId, contents: &[ChannelMessage]) -> String {
        let messages = contents.iter().map(|message| self.message(channel, message));
        let messages: Vec<String> = messages.collect();
        if messages.is_empty() { "empty".to_owned() } else { format!("has_{}", messages.join("_")) }
    }

    pub fn message(&self, channel: ChannelId, message: &ChannelMessage) -> String {
        let fields = self.program.channels[channel].fields.iter().zip(message);
        fields.map(|(&ty, &value)| self.value(ty, value)).collect::<Vec<_>>().join(".")
    }

    pub fn value(&self, ty: VarType, value: i32) -> String {
        match message_name(self.program, ty, value) {
            Some(name) => name.to_owned(),
            None if value < 0 => format!("minus{}", value.unsigned_abs()),
            None => value.to_string(),
        }
    }
}

/// The name that an `mtype` has for a value.
fn message_name(program: &PromelaModel, ty: VarType, value: i32) -> Option<&str> {
    let named = |&(_, &known): &(MessageId, &i32)| ty == VarType::Mtype && known == value;
    let (id, _) = program.message_values.iter().find(named)?;
    Some(program.messages.name(id))
}

/// `P[3]:a[2]` becomes `P_3.a.2`.
fn legal(name: &str) -> String {
    match name.split_once(':') {
        Some((process, "")) => process.replace('[', "_").replace(']', ""),
        Some((process, rest)) => format!("{}.{}", legal(&format!("{process}:")), legal(rest)),
        None => name.replace('[', ".").replace(']', ""),
    }
}
