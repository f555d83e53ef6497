//! From the steps of single processes to a system: joint steps, and a component for everything that takes
//! part in them.

use super::names::{Names, Unique};
use super::numbered::Numbered;
use super::possible::{Explored, Possible, too_many};
use super::step::{ChannelMessage, ChannelUse, ProcessStep, VarUse};
use super::{Failed, Local, LocalAction, ProcessPart, Processes};
use crate::promela::{Channel, ChannelId, ProcessId, PromelaModel, VarId};
use model::{Component, Kind, Mode, ModelBuilder, PartialModel, Sync, System, TAU, Vector};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use support::{IdVec, Monitor};

/// No channel has more contents.
const MOST_CONTENTS: usize = 1 << 16;
/// There are no more joint steps.
const MOST_JOINT_STEPS: usize = 1 << 19;

/// A joint step of one or two processes, by the numbers of their actions, with its effects.
struct Joint {
    parts: Vec<(ProcessId, u32)>,
    step: ProcessStep,
}

pub(super) fn build(
    program: &PromelaModel,
    possible: &Possible,
    explored: &IdVec<ProcessId, Explored>,
    monitor: &Monitor,
) -> Result<Processes, Failed> {
    let names = Names::new(program);
    let joints = joint_steps(program, explored, monitor)?;
    let mut builder = Builder::new(program, &names, explored, &joints);
    let sync = Sync {
        vectors: joints.iter().map(|joint| builder.vector(joint)).collect(),
        hidden: Vec::new(),
    };
    let mut components = Vec::new();
    let mut actions = Vec::new();
    let mut values = BTreeMap::new();
    for &part in &builder.of {
        let model = match part {
            ProcessPart::Process(process) => {
                let (model, own) = builder.process(process);
                actions.push(own);
                model
            }
            ProcessPart::Var(var) => {
                let own = values.entry(var).or_insert_with(|| possible.values(var));
                builder.var(var, own)
            }
            ProcessPart::Channel(channel) => builder.channel(channel, monitor)?,
        };
        components.push(Component { model, is_unknown: false });
    }
    let system = System { components, sync };
    Ok(Processes { system, of: builder.of, actions: actions.into(), values })
}

/// Every step of one process, and every two steps that meet.
fn joint_steps(
    program: &PromelaModel,
    explored: &IdVec<ProcessId, Explored>,
    monitor: &Monitor,
) -> Result<Vec<Joint>, Failed> {
    let mut joints = Vec::new();
    let mut receivers: FxHashMap<(ChannelId, &ChannelMessage), Vec<(ProcessId, u32)>> =
        FxHashMap::default();
    let mut senders = Vec::new();
    for (process, own) in explored.iter() {
        for (action, step) in (0..).zip(own.actions.items()) {
            match &step.rendezvous {
                None if step.is_silent() => {}
                None => joints
                    .push(Joint { parts: vec![(process, action)], step: ProcessStep::clone(step) }),
                Some(rendezvous) if rendezvous.is_send => {
                    senders.push((process, action, rendezvous))
                }
                Some(rendezvous) => receivers
                    .entry((rendezvous.channel, &rendezvous.message))
                    .or_default()
                    .push((process, action)),
            }
        }
    }
    let of =
        |(process, action): (ProcessId, u32)| &explored[process].actions.items()[action as usize];
    for (sender, action, rendezvous) in senders {
        monitor.step(1)?;
        let willing =
            receivers.get(&(rendezvous.channel, &rendezvous.message)).into_iter().flatten();
        for &receiver in willing.filter(|(receiver, _)| *receiver != sender) {
            let step = ProcessStep::meet(of((sender, action)), of(receiver));
            joints.extend(step.map(|step| Joint { parts: vec![(sender, action), receiver], step }));
        }
        if joints.len() > MOST_JOINT_STEPS {
            let process = &program.processes[sender];
            let who = format!("`{}` and the others", process.name);
            return Err(too_many(who, MOST_JOINT_STEPS, "joint steps", process.span));
        }
    }
    Ok(joints)
}

/// The part of a component in joint steps, with its name.
type Uses<U> = BTreeMap<U, String>;

struct Builder<'a> {
    program: &'a PromelaModel,
    names: &'a Names<'a>,
    explored: &'a IdVec<ProcessId, Explored>,
    of: Vec<ProcessPart>,
    numbers: BTreeMap<ProcessPart, usize>,
    /// By component: the names of actions that are in use.
    unique: Vec<Unique>,
    steps: BTreeMap<ProcessId, Uses<u32>>,
    starts: BTreeMap<ProcessId, Uses<Vec<i32>>>,
    vars: BTreeMap<VarId, Uses<VarUse>>,
    channels: BTreeMap<ChannelId, Uses<ChannelUse>>,
}

impl<'a> Builder<'a> {
    fn new(
        program: &'a PromelaModel,
        names: &'a Names<'a>,
        explored: &'a IdVec<ProcessId, Explored>,
        joints: &[Joint],
    ) -> Builder<'a> {
        let steps = || joints.iter().map(|joint| &joint.step);
        let vars: BTreeSet<VarId> = steps().flat_map(|step| step.vars.keys().copied()).collect();
        let channels: BTreeSet<ChannelId> =
            steps().flat_map(|step| step.channels.keys().copied()).collect();
        let processes = program.processes.ids().map(ProcessPart::Process);
        let shared = vars
            .into_iter()
            .map(ProcessPart::Var)
            .chain(channels.into_iter().map(ProcessPart::Channel));
        let of: Vec<ProcessPart> = processes.chain(shared).collect();
        Builder {
            program,
            names,
            explored,
            numbers: of.iter().zip(0..).map(|(&part, number)| (part, number)).collect(),
            unique: of.iter().map(|_| Unique::default()).collect(),
            of,
            steps: BTreeMap::new(),
            starts: BTreeMap::new(),
            vars: BTreeMap::new(),
            channels: BTreeMap::new(),
        }
    }

    fn vector(&mut self, joint: &Joint) -> Vector {
        let Builder { names, explored, numbers, unique, steps, starts, vars, channels, .. } = self;
        let mut parts = Vec::new();
        let mut take_part = |part: ProcessPart, name: &mut dyn FnMut(&mut Unique) -> String| {
            parts.push((numbers[&part], name(&mut unique[numbers[&part]])));
        };
        for (process, action) in &joint.parts {
            let wanted = || names.of_process(explored[*process].step(*action));
            let uses = steps.entry(*process).or_default();
            take_part(ProcessPart::Process(*process), &mut |unique| {
                named(uses, action, unique, wanted)
            });
        }
        for (process, locals) in &joint.step.starts {
            let wanted = || names.start(*process, locals);
            let uses = starts.entry(*process).or_default();
            take_part(ProcessPart::Process(*process), &mut |unique| {
                named(uses, locals, unique, wanted)
            });
        }
        for (var, used) in &joint.step.vars {
            let wanted = || names.of_var(*var, *used);
            let uses = vars.entry(*var).or_default();
            take_part(ProcessPart::Var(*var), &mut |unique| named(uses, used, unique, wanted));
        }
        for (channel, used) in &joint.step.channels {
            let wanted = || names.of_channel(*channel, used);
            let uses = channels.entry(*channel).or_default();
            take_part(ProcessPart::Channel(*channel), &mut |unique| {
                named(uses, used, unique, wanted)
            });
        }
        Vector { parts, result: names.shown(&joint.step) }
    }

    /// The part of a process that its own steps reach if every partner takes part in its rendezvous.
    fn process(&self, process: ProcessId) -> (PartialModel, Vec<LocalAction>) {
        let own = &self.explored[process];
        let mut model = ModelBuilder::new(Kind::Lts, self.names.processes[process].clone());
        let mut actions = Vec::new();
        let mut names = Unique::default();
        let mut reached: Numbered<u32> = Numbered::default();
        reached.number(0);
        model.state(names.name(self.names.local(process, &own.states.items()[0])));
        model.init(0);
        let mut source = 0;
        while source < reached.len() {
            for (name, meaning, target) in self.moves(process, *reached.items()[source]) {
                let (state, is_new) = reached.number(target);
                if is_new {
                    let local = &own.states.items()[target as usize];
                    model.state(names.name(self.names.local(process, local)));
                }
                let action = model.action(name);
                if action.0 as usize == actions.len() {
                    actions.push(meaning);
                }
                model.edge(source as u32, Some(action), Mode::BOTH, state);
            }
            source += 1;
        }
        (model.finish(), actions)
    }

    /// The steps out of a state that have a possible partner, or need none.
    fn moves(&self, process: ProcessId, state: u32) -> Vec<(&str, LocalAction, u32)> {
        let own = &self.explored[process];
        let mut moves = Vec::new();
        if *own.states.items()[state as usize] == Local::NotStarted {
            for (locals, name) in self.starts.get(&process).into_iter().flatten() {
                let begun =
                    Local::At(self.program.processes[process].start, locals.as_slice().into());
                let target = own.states.get(&begun);
                let meaning = LocalAction::Start(locals.clone());
                moves.extend(target.map(|target| (name.as_str(), meaning, target)));
            }
        }
        for &(action, target) in &own.steps[state as usize] {
            let step = own.step(action);
            let name = match self.steps.get(&process).and_then(|uses| uses.get(&action)) {
                Some(name) => name,
                None if step.is_silent() => TAU,
                None => continue,
            };
            moves.push((name, LocalAction::Step(step.clone()), target));
        }
        moves
    }

    fn var(&self, var: VarId, values: &BTreeSet<i32>) -> PartialModel {
        let ty = self.program.vars[var].ty;
        let mut model = ModelBuilder::new(Kind::Lts, self.names.vars[var].clone());
        let mut states = BTreeMap::new();
        for &value in values {
            states.insert(value, model.state(format!("is_{}", self.names.value(ty, value))));
        }
        model.init(states[&self.program.vars[var].init]);
        for (used, name) in &self.vars[&var] {
            let action = model.action(name);
            for (value, &state) in &states {
                if used.before.is_none_or(|before| before == *value) {
                    let target = used.after.map_or(state, |after| states[&after]);
                    model.edge(state, Some(action), Mode::BOTH, target);
                }
            }
        }
        model.finish()
    }

    /// The contents that a channel comes to if everybody does whatever he could with it.
    fn channel(&self, channel: ChannelId, monitor: &Monitor) -> Result<PartialModel, Failed> {
        let Channel { name, capacity, span, .. } = &self.program.channels[channel];
        let mut model = ModelBuilder::new(Kind::Lts, self.names.channels[channel].clone());
        let mut reached: Numbered<Vec<ChannelMessage>> = Numbered::default();
        reached.number(Vec::new());
        model.state(self.names.contents(channel, &[]));
        model.init(0);
        let mut source = 0;
        while source < reached.len() {
            monitor.step(1)?;
            let contents = reached.items()[source].clone();
            for (used, name) in &self.channels[&channel] {
                let Some(next) =
                    used.apply(&contents).filter(|next| next.len() <= *capacity as usize)
                else {
                    continue;
                };
                let named = self.names.contents(channel, &next);
                let (target, is_new) = reached.number(next);
                if is_new {
                    model.state(named);
                }
                let action = model.action(name);
                model.edge(source as u32, Some(action), Mode::BOTH, target);
            }
            if reached.len() > MOST_CONTENTS {
                return Err(too_many(
                    format!("channel `{name}`"),
                    MOST_CONTENTS,
                    "contents",
                    *span,
                ));
            }
            source += 1;
        }
        Ok(model.finish())
    }
}

/// The name of a use, a new one if there is none yet.
fn named<U: Ord + Clone>(
    uses: &mut Uses<U>,
    used: &U,
    unique: &mut Unique,
    wanted: impl Fn() -> String,
) -> String {
    uses.entry(used.clone()).or_insert_with(|| unique.name(wanted())).clone()
}
