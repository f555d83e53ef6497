//! The composition of components with explicit states as the definitions say it (C Def. 4.1 and 4.2, C §6.1): states,
//! labels, and from where a joint step leads somewhere. No cleverness beyond quantifying a bit when nothing that is
//! left depends on it.

use super::known::SymbolicSystem;
use crate::error::AuditError;
use crate::format::AfterDeadlock;
use bdd::{Bdd, BddVar, Cube, Manager, Renaming, Stop};
use fixedbitset::FixedBitSet;
use logic::{ActionSet, Family, PropId};
use model::{ActionId, Component, PartialModel, Rule, System, TAU};
use support::IdVec;

/// A bit of a component's state, now and next.
#[derive(Clone, Copy)]
struct StateBit {
    now: BddVar,
    next: BddVar,
}

/// By component: the bits of its states, the lowest first.
pub(crate) struct ComponentBits(Vec<Vec<StateBit>>);

impl ComponentBits {
    /// Bits in an order that names all of them, from above.
    pub fn in_order(system: &System, order: &[(usize, u32)], manager: &mut Manager) -> Self {
        let mut named: Vec<((usize, u32), StateBit)> = Vec::new();
        for &place in order {
            let [now, next] = manager.add_group();
            named.push((place, StateBit { now, next }));
        }
        named.sort_unstable_by_key(|&(place, _)| place);
        let of = |part: usize| named.iter().filter(move |((other, _), _)| *other == part);
        let parts = 0..system.components.len();
        Self(parts.map(|part| of(part).map(|&(_, bit)| bit).collect()).collect())
    }

    /// The truth variable of a bit in this state.
    pub fn now(&self, part: usize, bit: u32) -> Option<BddVar> {
        self.0[part].get(bit as usize).map(|bit| bit.now)
    }

    fn all_now(&self, part: usize) -> Vec<BddVar> {
        self.0[part].iter().map(|bit| bit.now).collect()
    }

    /// The states of a component that are in a list.
    fn states(
        &self,
        part: usize,
        listed: impl Iterator<Item = u32>,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        valuations(&self.all_now(part), listed.map(u64::from).collect(), manager)
    }

    /// The transitions of a component that are in a list, as pairs of states now and next.
    fn transitions(
        &self,
        part: usize,
        listed: impl Iterator<Item = (u32, u32)>,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        let bits = &self.0[part];
        let vars: Vec<BddVar> = bits.iter().flat_map(|bit| [bit.next, bit.now]).collect();
        let pair = |(source, target): (u32, u32)| {
            let both = |bit: usize| (source >> bit & 1) << 1 | (target >> bit & 1);
            (0..bits.len()).map(|bit| u64::from(both(bit)) << (2 * bit)).sum()
        };
        valuations(&vars, listed.map(pair).collect(), manager)
    }
}

/// The valuations of some bits, the lowest first, that are one of these numbers.
fn valuations(vars: &[BddVar], among: Vec<u64>, manager: &mut Manager) -> Result<Bdd, Stop> {
    let Some((&highest, lower)) = vars.split_last() else {
        return Ok(manager.constant(!among.is_empty()));
    };
    if among.is_empty() {
        return Ok(manager.constant(false));
    }
    let is_high = |number: &u64| number >> lower.len() & 1 == 1;
    let (high, low): (Vec<u64>, Vec<u64>) = among.into_iter().partition(is_high);
    let high = valuations(lower, high, manager)?;
    let low = valuations(lower, low, manager)?;
    let highest = manager.var(highest)?;
    manager.ite(&highest, &high, &low)
}

/// Steps that components make together, each by one of its actions.
struct JointStep {
    /// The transitions of each, those that may be and those that must, with the next bits that no later one has.
    transitions: Vec<([Bdd; 2], Cube)>,
    to_next: Renaming,
    /// The action that the step shows, if it shows one.
    shows: Option<String>,
}

/// A component that takes part in a step, by one of its actions.
type Mover = (usize, Option<ActionId>);

impl JointStep {
    fn new(
        system: &System,
        bits: &ComponentBits,
        (movers, shows): (&[Mover], Option<String>),
        manager: &mut Manager,
    ) -> Result<Self, Stop> {
        let mut transitions = Vec::new();
        let mut pairs = Vec::new();
        for &(part, action) in movers {
            let model = &system.components[part].model;
            let by = |must: bool| steps_by(model, action, must);
            let may = bits.transitions(part, by(false), manager)?;
            let must = bits.transitions(part, by(true), manager)?;
            let next = bits.0[part].iter().map(|bit| bit.next);
            transitions.push(([may, must], manager.cube(next)?));
            pairs.extend(bits.0[part].iter().map(|bit| (bit.now, bit.next)));
        }
        Ok(Self { transitions, to_next: manager.renaming(&pairs), shows })
    }

    /// From where it leads there.
    fn before(&self, there: &Bdd, is_must: bool, manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut from = manager.rename(there, self.to_next)?;
        for (transitions, next) in &self.transitions {
            from = manager.and_exists(&from, &transitions[usize::from(is_must)], next)?;
        }
        Ok(from)
    }
}

/// The transitions of a component by an action: those that may be, or those that must.
fn steps_by(
    model: &PartialModel,
    action: Option<ActionId>,
    must: bool,
) -> impl Iterator<Item = (u32, u32)> + '_ {
    (0..model.states() as u32).flat_map(move |source| {
        let out = model.edges().out(source);
        let out = out.filter(move |(_, class)| {
            class.action == action && if must { class.mode.must } else { class.mode.may }
        });
        out.map(move |(target, _)| (source, target))
    })
}

/// The composition of a system.
pub(crate) struct JointSteps {
    manager: Manager,
    states: Bdd,
    pub init: Bdd,
    /// Where each proposition is true, and where it is false.
    labels: IdVec<PropId, [Bdd; 2]>,
    steps: Vec<JointStep>,
    /// Where a state may follow itself because nothing must follow it, and where it must because nothing may.
    standing: Option<[Bdd; 2]>,
    is_by_actions: bool,
    /// The bits of the parts that are specified, if some are not.
    specified: Option<Cube>,
}

impl JointSteps {
    pub fn new(
        system: &System,
        bits: ComponentBits,
        deadlock: AfterDeadlock,
        mut manager: Manager,
    ) -> Result<Self, Stop> {
        let (labels, disagreeing) = labels(system, &bits, &mut manager)?;
        let mut states = disagreeing.not();
        let mut init = states.clone();
        for (part, Component { model, .. }) in system.components.iter().enumerate() {
            let all = bits.states(part, 0..model.states() as u32, &mut manager)?;
            states = manager.and(&states, &all)?;
            let own = bits.states(part, model.init().iter().copied(), &mut manager)?;
            init = manager.and(&init, &own)?;
        }
        let is_by_actions = system.family() == Family::Actions;
        let steps = match is_by_actions {
            true => steps_by_rules(system, &bits, &mut manager)?,
            false => {
                let all: Vec<Mover> =
                    (0..system.components.len()).map(|part| (part, None)).collect();
                vec![JointStep::new(system, &bits, (&all, None), &mut manager)?]
            }
        };
        let mut specified = None;
        if system.components.iter().any(|part| part.is_unknown) {
            let known = (0..bits.0.len()).filter(|&part| !system.components[part].is_unknown);
            specified = Some(manager.cube(known.flat_map(|part| bits.all_now(part)))?);
        }
        let standing = None;
        let mut all =
            Self { manager, states, init, labels, steps, standing, is_by_actions, specified };
        if deadlock == AfterDeadlock::Stutters {
            let [may, must] = [true, false].map(|is_must| all.without_steps(is_must));
            all.standing = Some([may?, must?]);
        }
        Ok(all)
    }

    /// The states that nothing must follow, or that nothing may.
    fn without_steps(&mut self, is_must: bool) -> Result<Bdd, Stop> {
        let states = self.states.clone();
        let moving = self.before_by(&states, &ActionSet::any(), is_must)?;
        self.manager.minus(&states, &moving)
    }

    fn before_by(&mut self, there: &Bdd, by: &ActionSet, is_must: bool) -> Result<Bdd, Stop> {
        let there = self.manager.and(there, &self.states)?;
        let mut all = self.manager.constant(false);
        for step in &self.steps {
            if step.shows.as_ref().is_none_or(|action| by.contains(action)) {
                let some = step.before(&there, is_must, &mut self.manager)?;
                all = self.manager.or(&all, &some)?;
            }
        }
        if let Some(standing) = &self.standing
            && (!self.is_by_actions || by.contains(TAU))
        {
            let stay = self.manager.and(&there, &standing[usize::from(is_must)])?;
            all = self.manager.or(&all, &stay)?;
        }
        Ok(all)
    }

    /// Whether a formula is false that is false in these initial states: in one of them, and for each choice of the
    /// initial states of what is not specified in one with these.
    pub fn is_falsified(&mut self, falsifying: &Bdd) -> Result<bool, Stop> {
        let Some(specified) = &self.specified else { return Ok(!falsifying.is_empty()) };
        let [some, all] = [falsifying, &self.init].map(|set| self.manager.exists(set, specified));
        Ok(some? == all? && !falsifying.is_empty())
    }
}

impl SymbolicSystem for JointSteps {
    fn manager(&mut self) -> &mut Manager {
        &mut self.manager
    }

    fn states(&self) -> Bdd {
        self.states.clone()
    }

    fn label(&self, prop: PropId, value: bool) -> Bdd {
        self.labels[prop][usize::from(!value)].clone()
    }

    fn before(&mut self, there: &Bdd, by: &ActionSet, is_must: bool) -> Result<Bdd, AuditError> {
        Ok(self.before_by(there, by, is_must)?)
    }

    fn leak(&mut self, _: &Bdd) -> Result<Option<&'static str>, Stop> {
        Ok(Some("nothing has to be kept to, as nothing has run-time errors"))
    }
}

/// By proposition of the system: where it is true, and where it is false, in the first component that has it; and where
/// others that have it disagree (C Def. 4.1).
fn labels(
    system: &System,
    bits: &ComponentBits,
    manager: &mut Manager,
) -> Result<(IdVec<PropId, [Bdd; 2]>, Bdd), Stop> {
    let mut labels: IdVec<PropId, [Bdd; 2]> = IdVec::new();
    let mut disagreeing = manager.constant(false);
    for name in system.props().names() {
        let mut first: Option<[Bdd; 2]> = None;
        for (part, Component { model, .. }) in system.components.iter().enumerate() {
            let Some(prop) = model.props().get(name) else { continue };
            let mut set =
                |of: &FixedBitSet| bits.states(part, of.ones().map(|state| state as u32), manager);
            let own = [set(model.true_in(prop))?, set(model.false_in(prop))?];
            match &first {
                None => first = Some(own),
                Some(first) => {
                    for (ours, theirs) in first.iter().zip(&own) {
                        let differ = manager.xor(ours, theirs)?;
                        disagreeing = manager.or(&disagreeing, &differ)?;
                    }
                }
            }
        }
        let none = manager.constant(false);
        labels.push(first.unwrap_or([none.clone(), none]));
    }
    Ok((labels, disagreeing))
}

/// C §6.1: by rule, the step of its parts. Those who take no part keep their states.
fn steps_by_rules(
    system: &System,
    bits: &ComponentBits,
    manager: &mut Manager,
) -> Result<Vec<JointStep>, Stop> {
    let (rules, shown) = system.rules();
    let mut steps = Vec::new();
    for Rule { parts, result } in &rules {
        let movers: Vec<Mover> = parts.iter().map(|&(part, by)| (part, Some(by))).collect();
        let shows = Some(shown.name(*result).to_owned());
        steps.push(JointStep::new(system, bits, (&movers, shows), manager)?);
    }
    Ok(steps)
}
