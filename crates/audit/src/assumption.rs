//! Re-checks assumptions (A §1, §2): a process, or several, for each of which a smaller one stands.
//!
//! The certificate gives, for each process N that is replaced, its assumption A and a map from the states
//! of N to those of A, and says whether the property P holds. What is checked, and all that is checked:
//!
//! 0. P is an LTS with an initial state; it may be nondeterministic, and is followed by the sets of states that it may
//!    be in.
//! 1. The processes with the assumptions in their places, how they run together, and P are those that the
//!    certificate is about (their digests).
//! 2. A declares no action that N does not. N is what it was (its digest), and the map is a homomorphism:
//!    initial states go to initial states, and every step of N to a step of A. Linear in N. Or N has
//!    changed: then A simulates it.
//! 3. If P is to hold: no error is reachable with the assumptions in place. If it is to fail: the run
//!    that is given is one of the processes themselves, and P does not allow its last step.
//!
//! **Theorem.** Then the verdict is right of the processes themselves. *Proof.* By 2, what N can do A can, step by
//! step, and what N leaves to others A does not forbid, so every run of all processes is one with the assumptions in
//! place: if those make no error, nor do they (A §2, the compositional rule). A run into an error needs no more than
//! itself. ∎

use crate::error::{AuditError, ensure};
use crate::format::{CertificateKind, Codec};
use crate::read::Reader;
use model::{
    ActionId, ComparedModel, Kind, Mismatch, Mode, ModelBuilder, PartialModel, System, TAU,
    mixed_simulation,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::io::Read;
use std::rc::Rc;
use support::{Monitor, Stopped};

/// How a process fits its assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// It is the one that the assumption was made for.
    Same,
    /// It has changed, and the assumption still stands for it.
    Changed,
}

/// The verdict that a certificate of assumptions has proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssumedVerdict {
    pub property: String,
    pub holds: bool,
    /// Each process that an assumption stands for.
    pub processes: Vec<(String, Fit)>,
}

/// A process and the assumption that stands for it, as a certificate has them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimedAssumption {
    process: String,
    digest: u64,
    actions: Vec<String>,
    /// The names of its states, which are classes of those of the process.
    classes: Vec<String>,
    /// By state of the process: its class.
    class_of: Vec<u32>,
    init: Vec<u32>,
    edges: Vec<(u32, u32, u32)>,
}

/// The digest of one model by itself.
pub fn digest_of(model: &PartialModel) -> u64 {
    System::single(model.clone()).digest()
}

/// Which property the certificate is about, and what is right about it. `safety` gives the safety property
/// of a name.
pub fn audit_assumptions<'s>(
    mut reader: Reader<impl Read>,
    system: &System,
    safety: impl Fn(&str) -> Option<&'s PartialModel>,
    monitor: &Monitor,
) -> Result<AssumedVerdict, (String, AuditError)> {
    let property = reader.text().map_err(|fault| (String::new(), fault))?;
    let audited = match safety(&property) {
        Some(safety) => audit(&mut reader, system, safety, monitor),
        None => Err(AuditError::invalid("there is no safety property of this name in the files")),
    };
    match audited {
        Ok((holds, processes)) => Ok(AssumedVerdict { property, holds, processes }),
        Err(fault) => Err((property, fault)),
    }
}

fn audit(
    reader: &mut Reader<impl Read>,
    system: &System,
    safety: &PartialModel,
    monitor: &Monitor,
) -> Result<(bool, Vec<(String, Fit)>), AuditError> {
    let is_it = reader.digest()? == digest_of(safety);
    ensure(is_it, "the certificate is about another safety property of this name")?;
    let is_property = safety.kind == Kind::Lts && !safety.init().is_empty();
    ensure(is_property, "the safety property is not an `lts` with an initial state")?;
    let mut replaced = system.clone();
    let mut processes: Vec<(String, Fit)> = Vec::new();
    for _ in 0..reader.below(1 << 20, "more processes than there can be")? {
        let mut assumption = ClaimedAssumption::default();
        assumption.code(reader)?;
        let name = &assumption.process;
        let mut parts = system.components.iter();
        let number = parts
            .position(|part| part.model.name == *name && !part.is_unknown)
            .ok_or_else(|| AuditError::Invalid(format!("there is no process `{name}`")))?;
        let is_new = processes.iter().all(|(other, _)| other != name);
        ensure(is_new, format_args!("`{name}` is replaced twice"))?;
        let process = &system.components[number].model;
        // An MTS without a transition that is only a may transition is one, too.
        let is_mts = process.kind == Kind::Mts && process.is_complete();
        let is_lts = process.kind == Kind::Lts || is_mts;
        ensure(is_lts, format_args!("`{name}` is not a complete `lts`"))?;
        let fit = check_fit(&assumption, process, monitor)?;
        replaced.components[number].model = assumption.model(Kind::Lts);
        processes.push((assumption.process, fit));
    }
    // Condition 1, of the processes.
    let problem = "the other processes, or their synchronisation, are not those of the certificate";
    ensure(reader.is_about(CertificateKind::Assumption, replaced.digest()), problem)?;
    let holds = reader.one_of(&[false, true], "no verdict")?;
    if holds {
        check_no_error(&replaced, safety, monitor)?;
    } else {
        replay(reader, system, safety, monitor)?;
    }
    reader.end()?;
    Ok((holds, processes))
}

impl ClaimedAssumption {
    /// The states of the assumption are the classes of those of the process.
    pub fn new(process: &PartialModel, assumption: &PartialModel, class_of: &[u32]) -> Self {
        let out = |state: u32| {
            let out = assumption.edges().out(state);
            out.filter_map(move |(target, class)| Some((state, class.action?.0, target)))
        };
        Self {
            process: process.name.clone(),
            digest: digest_of(process),
            actions: assumption.actions().names().map(str::to_owned).collect(),
            classes: (0..assumption.states() as u32).map(|c| assumption.state_name(c)).collect(),
            class_of: class_of.to_vec(),
            init: assumption.init().to_vec(),
            edges: (0..assumption.states() as u32).flat_map(out).collect(),
        }
    }

    pub fn write(mut self, out: &mut Vec<u8>) {
        let Ok(()) = self.code(out);
    }

    fn code<C: Codec>(&mut self, codec: &mut C) -> Result<(), C::Error> {
        const MOST: usize = u32::MAX as usize;
        codec.string(&mut self.process)?;
        let mut digest = self.digest.to_le_bytes();
        codec.octets(&mut digest)?;
        self.digest = u64::from_le_bytes(digest);
        codec.list(&mut self.actions, (MOST, "too many actions"), String::new, C::string)?;
        codec.list(&mut self.classes, (MOST, "too many classes"), String::new, C::string)?;
        let (actions, classes) = (self.actions.len(), self.classes.len());
        let class = |codec: &mut C, class: &mut u32| codec.id(class, classes, "no class");
        codec.list(&mut self.class_of, (MOST, "too many states"), u32::default, class)?;
        // A §2: the map is surjective.
        codec.check(classes <= self.class_of.len(), "there are more classes than states")?;
        codec.list(&mut self.init, (MOST, "too many initial classes"), u32::default, class)?;
        let limit = (MOST, "too many steps");
        codec.list(&mut self.edges, limit, Default::default, |codec, (from, action, to)| {
            class(codec, from)?;
            codec.id(action, actions, "no action")?;
            class(codec, to)
        })
    }

    /// As an LTS in place of the process, or as an MTS that forbids what it does not have and asks for
    /// nothing.
    fn model(&self, kind: Kind) -> PartialModel {
        let mode = if kind == Kind::Lts { Mode::BOTH } else { Mode::MAY };
        let mut builder = ModelBuilder::new(kind, self.process.clone());
        let actions: Vec<ActionId> = self.actions.iter().map(|name| builder.action(name)).collect();
        (0..self.classes.len()).for_each(|class| _ = builder.state(class.to_string()));
        self.init.iter().for_each(|&class| builder.init(class));
        for &(source, action, target) in &self.edges {
            builder.edge(source, Some(actions[action as usize]), mode, target);
        }
        builder.finish()
    }
}

/// Condition 2.
fn check_fit(
    assumption: &ClaimedAssumption,
    process: &PartialModel,
    monitor: &Monitor,
) -> Result<Fit, AuditError> {
    let is_lost = |name: &&String| *name != TAU && process.actions().get(name).is_none();
    if let Some(lost) = assumption.actions.iter().find(is_lost) {
        return Err(AuditError::Invalid(format!(
            "`{}` does not declare `{lost}` as its assumption does, so other processes may do it alone",
            process.name
        )));
    }
    if assumption.digest == digest_of(process) {
        check_homomorphism(assumption, process)?;
        return Ok(Fit::Same);
    }
    check_simulation(assumption, process, monitor)?;
    Ok(Fit::Changed)
}

fn check_homomorphism(
    assumption: &ClaimedAssumption,
    process: &PartialModel,
) -> Result<(), AuditError> {
    let class_of = &assumption.class_of;
    let is_map = class_of.len() == process.states();
    ensure(is_map, "the map is not one of the states of the process")?;
    let init: FxHashSet<u32> = assumption.init.iter().copied().collect();
    if let Some(&state) = process.init().iter().find(|&&s| !init.contains(&class_of[s as usize])) {
        let name = process.state_name(state);
        let problem = format!("the initial state `{name}` is in no initial class");
        return Err(AuditError::Invalid(problem));
    }
    let numbers: FxHashMap<&str, u32> =
        assumption.actions.iter().map(|name| &**name).zip(0..).collect();
    let steps: FxHashSet<(u32, u32, u32)> = assumption.edges.iter().copied().collect();
    for state in 0..process.states() as u32 {
        for (target, class) in process.edges().out(state) {
            let name = class.action.map_or(TAU, |action| process.actions().name(action));
            let (from, to) = (class_of[state as usize], class_of[target as usize]);
            let has = |&action: &u32| steps.contains(&(from, action, to));
            if numbers.get(name).filter(|action| has(action)).is_none() {
                let [state, target] = [state, target].map(|state| process.state_name(state));
                let problem = format!("the step `{state} -{name}-> {target}`");
                return Err(AuditError::Invalid(format!(
                    "{problem} is not simulated by the assumption"
                )));
            }
        }
    }
    Ok(())
}

fn check_simulation(
    assumption: &ClaimedAssumption,
    process: &PartialModel,
    monitor: &Monitor,
) -> Result<(), AuditError> {
    let model = assumption.model(Kind::Mts);
    let relation = mixed_simulation(process, &model, monitor).map_err(|error| match error {
        model::CompareError::Stopped(stopped) => AuditError::Stopped(stopped),
        _ => AuditError::invalid("the process and its assumption cannot be compared"),
    })?;
    let stands_for =
        |&state: &u32| model.init().iter().any(|&class| relation.contains(state, class));
    if process.init().iter().all(stands_for) {
        return Ok(());
    }
    let failure =
        relation.comparison().failure.filter(|failure| failure.side == ComparedModel::Concrete);
    let last = failure.as_ref().and_then(|failure| failure.path.last());
    let why = last.and_then(|step| match &step.why {
        Mismatch::May { action, .. } => {
            let action = action.as_deref().unwrap_or(TAU);
            let state = process.state_name(step.concrete);
            let class = &assumption.classes[step.abstracted as usize];
            Some(format!(
                ": `{state}` can do `{action}`, and class `{class}` of the assumption cannot"
            ))
        }
        _ => None,
    });
    Err(AuditError::Invalid(format!(
        "the assumption is no longer valid for `{}`, which has changed{}",
        process.name,
        why.unwrap_or_default()
    )))
}

/// The sets of states that P may be in, numbered as they are found: the subset construction, made as far as it is
/// needed. The first is that of the initial states.
struct Subsets<'s> {
    safety: &'s PartialModel,
    sets: Vec<Rc<[u32]>>,
    numbers: FxHashMap<Rc<[u32]>, u32>,
    /// By set and action.
    known: FxHashMap<(u32, ActionId), Option<u32>>,
}

impl<'s> Subsets<'s> {
    const INITIAL: u32 = 0;

    fn new(safety: &'s PartialModel) -> Self {
        let (numbers, known) = (FxHashMap::default(), FxHashMap::default());
        let mut subsets = Self { safety, sets: Vec::new(), numbers, known };
        subsets.number(safety.init().iter().copied().collect());
        subsets
    }

    fn number(&mut self, set: BTreeSet<u32>) -> u32 {
        let set: Rc<[u32]> = set.into_iter().collect();
        *self.numbers.entry(set.clone()).or_insert_with(|| {
            self.sets.push(set);
            self.sets.len() as u32 - 1
        })
    }

    /// The set after an action; an action that P does not declare it does not see. `None` is an error: no run of P
    /// goes on like this.
    fn next(&mut self, set: u32, action: &str, monitor: &Monitor) -> Result<Option<u32>, Stopped> {
        let Some(seen) = self.safety.actions().get(action).filter(|_| action != TAU) else {
            return Ok(Some(set));
        };
        if let Some(&next) = self.known.get(&(set, seen)) {
            return Ok(next);
        }
        let states = self.sets[set as usize].clone();
        monitor.step(states.len() as u64)?;
        let edges = states.iter().flat_map(|&state| self.safety.edges().out(state));
        let targets = edges.filter(|(_, class)| class.action == Some(seen));
        let after: BTreeSet<u32> = targets.map(|(target, _)| target).collect();
        let next = (!after.is_empty()).then(|| self.number(after));
        self.known.insert((set, seen), next);
        Ok(next)
    }
}

/// Condition 3, if P holds.
fn check_no_error(
    system: &System,
    safety: &PartialModel,
    monitor: &Monitor,
) -> Result<(), AuditError> {
    let composition = system.composed(monitor)?;
    let mut subsets = Subsets::new(safety);
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    let starts = composition.init().iter().map(|&state| (state, Subsets::INITIAL));
    let mut open: Vec<(u32, u32)> = starts.filter(|&start| seen.insert(start)).collect();
    while let Some((state, allowed)) = open.pop() {
        monitor.step(1)?;
        for (target, class) in composition.edges().out(state) {
            let name = class.action.map_or(TAU, |action| composition.actions().name(action));
            let Some(next) = subsets.next(allowed, name, monitor)? else {
                let problem = format!("with the assumption in place `{name}` is possible");
                return Err(AuditError::Invalid(format!(
                    "{problem} where the property forbids it"
                )));
            };
            if seen.insert((target, next)) {
                open.push((target, next));
            }
        }
    }
    Ok(())
}

/// Condition 3, if P fails: initial states, then for each step its rule and where its parts go.
fn replay(
    reader: &mut Reader<impl Read>,
    system: &System,
    safety: &PartialModel,
    monitor: &Monitor,
) -> Result<(), AuditError> {
    let (rules, shown) = system.rules();
    let mut states = Vec::with_capacity(system.components.len());
    for part in &system.components {
        let state = reader.below(part.model.states(), "no state of a process")?;
        let is_initial = part.model.init().contains(&state);
        ensure(is_initial, "the trace does not begin in an initial state")?;
        states.push(state);
    }
    let (mut subsets, mut allowed) = (Subsets::new(safety), Subsets::INITIAL);
    let steps = reader.below(u32::MAX as usize, "too many steps")?;
    for step in 1..=steps {
        let rule = &rules[reader.below(rules.len(), "no joint step")? as usize];
        let before = states.clone();
        for &(part, action) in &rule.parts {
            let model = &system.components[part].model;
            let target = reader.below(model.states(), "no state of a process")?;
            let is_step = |&(to, class): &(u32, model::EdgeClass)| {
                to == target && class.action == Some(action) && class.mode.must
            };
            let is_there = model.edges().out(before[part]).any(|edge| is_step(&edge));
            ensure(
                is_there,
                format_args!("step {step} of the trace is not a transition of `{}`", model.name),
            )?;
            states[part] = target;
        }
        match subsets.next(allowed, shown.name(rule.result), monitor)? {
            Some(next) => allowed = next,
            None if step == steps => return Ok(()),
            None => return Err(AuditError::invalid("the trace continues after the error")),
        }
    }
    Err(AuditError::invalid("the trace ends without an error"))
}
