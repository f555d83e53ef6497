//! One step of a process as Promela.

use super::families::Choice;
use super::source::Source;
use crate::promela::processes::{ChannelMessage, ChannelUse, ProcessStep, Rendezvous};
use crate::promela::{
    Action, Channel, ChannelId, ProcessId, PromelaModel, PromelaVar, VarId, VarType,
};
use std::collections::BTreeMap;
use support::Diagnostic;

/// Writes steps of one process.
pub(super) struct Statements<'a> {
    pub program: &'a PromelaModel,
    pub process: ProcessId,
    pub source: &'a Source<'a>,
    /// By rendezvous channel: what to call the array that is the channel where a condition holds, and
    /// otherwise an unused one.
    pub gates: BTreeMap<ChannelId, String>,
    /// By process: the variable that says that it has been started. Classes may be come back to.
    pub started: BTreeMap<ProcessId, String>,
    /// The variables and channels that are mentioned.
    pub mentioned: Vec<String>,
}

impl Statements<'_> {
    /// The statements of a step, which go on once the first of them has been executed.
    pub fn of(&mut self, choice: Choice) -> Result<Vec<String>, Diagnostic> {
        let Choice { step, mut guards, effects: merged, .. } = choice;
        for (&var, used) in &step.vars {
            if let Some(value) = used.before {
                guards.push(format!(
                    "{} == {}",
                    self.var(var)?,
                    self.value(self.program.vars[var].ty, value)
                ));
            }
        }
        for (&channel, used) in &step.channels {
            self.guard_channel(&mut guards, channel, used)?;
        }
        for &process in step.starts.keys() {
            guards.push(format!("!{}", self.started(process)));
        }
        let effects = self.effects(&step)?;
        let mut statements = Vec::new();
        match &step.rendezvous {
            Some(rendezvous) => statements.push(self.rendezvous(rendezvous, &guards)?),
            None if self.says_the_same(&step, &guards) => {}
            None if !guards.is_empty() => statements.push(guards.join(" && ")),
            None => {}
        }
        statements.extend(effects.into_iter().chain(merged));
        if statements.is_empty() {
            statements.push("true".to_owned());
        }
        Ok(statements)
    }

    fn guard_channel(
        &mut self,
        guards: &mut Vec<String>,
        channel: ChannelId,
        used: &ChannelUse,
    ) -> Result<(), Diagnostic> {
        let capacity = self.program.channels[channel].capacity as usize;
        let name = self.channel(channel)?;
        match &*used.known {
            [] => {}
            [first] => guards.push(format!("{name}?[{}]", self.message(channel, first))),
            _ => return Err(self.too_deep(channel)),
        }
        if used.least > used.known.len() {
            guards.push(format!("len({name}) >= {}", used.least));
        }
        if used.most < capacity {
            // `nfull` cannot be part of an index.
            guards.push(format!("len({name}) < {}", used.most + 1));
        }
        Ok(())
    }

    /// Whether the only guard is that the first effect can happen.
    fn says_the_same(&self, step: &ProcessStep, guards: &[String]) -> bool {
        let Some((&channel, used)) = step.channels.first_key_value() else { return false };
        let capacity = self.program.channels[channel].capacity as usize;
        let receives = used.taken == 1 && used.known.len() == 1;
        let sends = used.taken == 0 && used.added.len() == 1 && used.most + 1 == capacity;
        guards.len() == 1 && step.channels.len() == 1 && (receives || sends)
    }

    fn effects(&mut self, step: &ProcessStep) -> Result<Vec<String>, Diagnostic> {
        if step.fails {
            return Ok(vec!["assert(false)".to_owned()]);
        }
        let mut effects = Vec::new();
        for (&channel, used) in &step.channels {
            let name = self.channel(channel)?;
            let taken = used.known[..used.taken].iter();
            effects
                .extend(taken.map(|message| format!("{name}?{}", self.message(channel, message))));
            let added = used.added.iter();
            effects
                .extend(added.map(|message| format!("{name}!{}", self.message(channel, message))));
        }
        for (&var, used) in &step.vars {
            if let Some(value) = used.after {
                effects.push(format!(
                    "{} = {}",
                    self.var(var)?,
                    self.value(self.program.vars[var].ty, value)
                ));
            }
        }
        for &process in step.starts.keys() {
            effects.push(self.run(process)?);
            effects.push(format!("{} = true", self.started(process)));
        }
        Ok(effects)
    }

    fn rendezvous(
        &mut self,
        rendezvous: &Rendezvous,
        guards: &[String],
    ) -> Result<String, Diagnostic> {
        let Rendezvous { channel, message, is_send } = rendezvous;
        let name = self.channel(*channel)?;
        let sign = if *is_send { '!' } else { '?' };
        let message = self.message(*channel, message);
        if guards.is_empty() {
            return Ok(format!("{name}{sign}{message}"));
        }
        let next = self.gates.len();
        let gate = self.gates.entry(*channel);
        let gate = gate.or_insert_with(|| self.source.unused(&format!("gate_{next}")));
        Ok(format!("{gate}[{}]{sign}{message}", guards.join(" && ")))
    }

    fn started(&mut self, process: ProcessId) -> &str {
        let name = self.started.entry(process);
        name.or_insert_with(|| self.source.unused(&format!("started_{}", process.0)))
    }

    /// The variables, the channels that gates choose from, and the statement that sets them.
    pub fn declarations(&self) -> String {
        let variables = self.started.values().map(|name| format!("  bool {name};\n"));
        let mut declared: String = variables.collect();
        let mut set = Vec::new();
        for (&channel, gate) in &self.gates {
            let Channel { name, fields, .. } = &self.program.channels[channel];
            let fields: Vec<&str> = fields.iter().map(|&ty| type_name(ty)).collect();
            let closed = self.source.unused(&format!("{gate}_closed"));
            declared += &format!(
                "  chan {closed} = [0] of {{ {} }};\n  chan {gate}[2];\n",
                fields.join(", ")
            );
            set.push(format!("{gate}[0] = {closed}; {gate}[1] = {name}"));
        }
        if !set.is_empty() {
            declared += &format!("  d_step {{ {} }};\n", set.join("; "));
        }
        declared
    }

    /// The `run` of another process as the user wrote it, if it means the same here.
    fn run(&self, process: ProcessId) -> Result<String, Diagnostic> {
        let own = &self.program.processes[self.process];
        let is_start = |action: &Action| matches!(action, Action::Start { process: started, .. } if *started == process);
        let edge = own.edges.iter().find(|edge| is_start(&edge.action));
        let span = edge.map_or(own.span, |edge| edge.span);
        let words: Vec<&str> = self.source.words(&span.range()).map(|word| word.text).collect();
        let is_local = |word: &str| {
            let mut vars = self.program.vars.values();
            vars.any(|var| var.owner == Some(self.process) && short(&var.name) == word)
        };
        if words.first() != Some(&"run") || words.iter().any(|word| is_local(word)) {
            let message = format!("a process that `{}` starts cannot be written down", own.name);
            let label = "this is not a `run` with constants";
            return Err(Diagnostic::error(message, span, label));
        }
        Ok(self.source.text[span.range()].to_owned())
    }

    pub fn var(&mut self, var: VarId) -> Result<String, Diagnostic> {
        let PromelaVar { name, span, .. } = &self.program.vars[var];
        if name.contains('.') && name.contains('[') {
            let message = format!("`{name}` cannot be written down");
            return Err(Diagnostic::error(message, *span, "an array and a structure at once"));
        }
        self.mentioned.push(name.clone());
        Ok(name.clone())
    }

    fn channel(&mut self, channel: ChannelId) -> Result<String, Diagnostic> {
        let Channel { name, owner, span, .. } = &self.program.channels[channel];
        if owner.is_some() {
            let own = &self.program.processes[self.process].name;
            let message = format!("`{name}` has no name in the assumption of `{own}`");
            let error = Diagnostic::error(message, *span, "declared within a process");
            return Err(error.with_help("declare the channel outside of all processes"));
        }
        self.mentioned.push(name.clone());
        Ok(name.clone())
    }

    fn too_deep(&self, channel: ChannelId) -> Diagnostic {
        let Channel { name, span, .. } = &self.program.channels[channel];
        let own = &self.program.processes[self.process].name;
        let message =
            format!("one step of `{own}` depends on more than the first message in `{name}`");
        Diagnostic::error(message, *span, "Promela has no word for the second message")
    }

    fn message(&self, channel: ChannelId, message: &ChannelMessage) -> String {
        let fields = self.program.channels[channel].fields.iter().zip(message);
        fields.map(|(&ty, &value)| self.value(ty, value)).collect::<Vec<_>>().join(",")
    }

    /// A number, or the name that only this number has.
    pub fn value(&self, ty: VarType, value: i32) -> String {
        let values = self.program.message_values.iter();
        let mut names = values.filter(|&(_, &known)| ty == VarType::Mtype && known == value);
        match (names.next(), names.next()) {
            (Some((name, _)), None) => self.program.messages.name(name).to_owned(),
            _ => value.to_string(),
        }
    }
}

fn type_name(ty: VarType) -> &'static str {
    match ty {
        VarType::Bit => "bit",
        VarType::Bool => "bool",
        VarType::Byte | VarType::Chan => "byte",
        VarType::Pid => "pid",
        VarType::Mtype => "mtype",
        VarType::Short => "short",
        // A message has no fields of other sizes.
        VarType::Int | VarType::Unsigned(_) => "int",
    }
}

/// The name of a variable within its process.
pub(super) fn short(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, short)| short)
}
