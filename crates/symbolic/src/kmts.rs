//! Systems of explicit components as a structure (C §6.2), so that the product is never enumerated.
//!
//! A state of a component is a binary number in bits of its own. A step of a propositional system is a step
//! of every component, may or must as theirs are; that they agree on their joint labels (C Def. 4.2) lies
//! in what a state of the composition is, and a step leads from states to states. In an action system every rule
//! is a part of the relation (C §6.1): the components that take no part keep their states.

use crate::musts::Must;
use crate::relation::{Constituents, Part, Relation, Written};
use crate::structure::{Label, Structure};
use bdd::{Bdd, BddVar, Cube, Manager, Stop};
use logic::{Family, PropId};
use model::{ActionId, Interface, PartialModel, System};
use rustc_hash::FxHashMap;
use support::IdVec;

/// The bits of a component's states, highest first.
pub(crate) struct StateBits {
    now: Vec<BddVar>,
    next: Vec<BddVar>,
}

impl StateBits {
    pub fn new(states: usize, manager: &mut Manager) -> Self {
        let bits = usize::BITS - states.saturating_sub(1).leading_zeros();
        let pairs = (0..bits).map(|_| manager.add_group());
        let (now, next) = pairs.map(|[now, next]| (now, next)).unzip();
        Self { now, next }
    }

    /// The bits of two states, one after the other, as [`Manager`] keeps them together.
    pub fn both(&self) -> Vec<BddVar> {
        self.now.iter().zip(&self.next).flat_map(|(&now, &next)| [now, next]).collect()
    }

    pub fn now(&self) -> &[BddVar] {
        &self.now
    }

    pub fn next(&self) -> &[BddVar] {
        &self.next
    }

    /// Whether a bit of a state is set.
    pub fn has(&self, var: BddVar, state: u32) -> bool {
        let place = self.now.iter().rev().position(|&bit| bit == var);
        place.is_some_and(|place| state >> place & 1 == 1)
    }

    fn written(&self) -> impl Iterator<Item = Written> + '_ {
        self.now.iter().zip(&self.next).map(|(&now, &next)| Written { now, next })
    }

    /// The state that a valuation gives.
    pub fn state(&self, is_true: impl Fn(BddVar) -> bool) -> u32 {
        self.now.iter().fold(0, |number, &bit| number << 1 | u32::from(is_true(bit)))
    }
}

/// Encoding of a composed system.
pub(crate) struct Encoded {
    pub structure: Structure,
    /// By component.
    pub component_bits: Vec<StateBits>,
}

pub(crate) fn encode(system: &System, mut manager: Manager) -> Result<Encoded, Stop> {
    let models: Vec<&PartialModel> = system.components.iter().map(|part| &part.model).collect();
    let bits: Vec<StateBits> =
        models.iter().map(|model| StateBits::new(model.states(), &mut manager)).collect();
    let mut encoder = Encoder { system, models, bits: &bits, manager: &mut manager };
    let own = encoder.labels()?;
    let states = encoder.states(&own)?;
    let init = encoder.init(&states)?;
    let (may, must) = encoder.relations()?;
    let known = encoder.known()?;
    let is_complete = encoder.models.iter().all(|model| model.is_complete());
    let labels: IdVec<PropId, Label> = own.into_iter().map(|mut of| of.swap_remove(0)).collect();
    let structure = Structure {
        manager,
        states,
        init,
        may,
        must: (!is_complete).then_some(Must::Steps(must)),
        labels,
        defined: FxHashMap::default(),
        conditions: Vec::new(),
        bits: bits.iter().map(|bits| bits.now.len()).sum(),
        known,
    };
    Ok(Encoded { structure, component_bits: bits })
}

struct Encoder<'a> {
    system: &'a System,
    models: Vec<&'a PartialModel>,
    bits: &'a [StateBits],
    manager: &'a mut Manager,
}

/// The may and the must transitions of a component, as pairs of numbers, by action.
pub(crate) type Steps = FxHashMap<Option<ActionId>, [Vec<u64>; 2]>;

/// Components that move together.
struct Joint {
    /// By which actions of their own.
    movers: Vec<(usize, Option<ActionId>)>,
    shows: Option<String>,
}

impl Encoder<'_> {
    /// By proposition: its labels in all components that have it.
    fn labels(&mut self) -> Result<Vec<Vec<Label>>, Stop> {
        let mut all = Vec::new();
        for name in self.system.props().names() {
            let mut of_one = Vec::new();
            for (component, model) in self.models.clone().into_iter().enumerate() {
                let Some(prop) = model.props().get(name) else { continue };
                let mut set = |of: &fixedbitset::FixedBitSet| {
                    let states: Vec<u64> = of.ones().map(|state| state as u64).collect();
                    numbers(&self.bits[component].now, &states, self.manager)
                };
                of_one
                    .push(Label { tt: set(model.true_in(prop))?, ff: set(model.false_in(prop))? });
            }
            all.push(of_one);
        }
        Ok(all)
    }

    /// The composable tuples (C Def. 4.1): unknown agrees only with unknown.
    fn states(&mut self, labels: &[Vec<Label>]) -> Result<Bdd, Stop> {
        let mut states = self.manager.constant(true);
        for (model, bits) in self.models.iter().zip(self.bits) {
            let valid: Vec<u64> = (0..model.states() as u64).collect();
            let valid = numbers(&bits.now, &valid, self.manager)?;
            states = self.manager.and(&states, &valid)?;
        }
        for (first, other) in labels.iter().flat_map(|of| of.windows(2)).map(|w| (&w[0], &w[1])) {
            for (a, b) in [(&first.tt, &other.tt), (&first.ff, &other.ff)] {
                let differ = self.manager.xor(a, b)?;
                states = self.manager.minus(&states, &differ)?;
            }
        }
        Ok(states)
    }

    fn init(&mut self, states: &Bdd) -> Result<Bdd, Stop> {
        let mut init = states.clone();
        for (model, bits) in self.models.iter().zip(self.bits) {
            let mut own: Vec<u64> = model.init().iter().copied().map(u64::from).collect();
            own.sort_unstable();
            let own = numbers(&bits.now, &own, self.manager)?;
            init = self.manager.and(&init, &own)?;
        }
        Ok(init)
    }

    /// The bits of the components that are specified, where others are missing.
    fn known(&mut self) -> Result<Option<Cube>, Stop> {
        let parts = self.system.components.iter().zip(self.bits);
        if !parts.clone().any(|(part, _)| part.is_unknown) {
            return Ok(None);
        }
        let known = parts.filter(|(part, _)| !part.is_unknown);
        let bits: Vec<BddVar> = known.flat_map(|(_, bits)| bits.now.iter().copied()).collect();
        self.manager.cube(bits).map(Some)
    }

    /// May and must.
    fn relations(&mut self) -> Result<(Relation, Relation), Stop> {
        let steps: Vec<Steps> = self.models.iter().map(|model| steps(model)).collect();
        let [mut may, mut must] = [Vec::new(), Vec::new()];
        for joint in self.joint_steps() {
            for (index, parts) in [&mut may, &mut must].into_iter().enumerate() {
                parts.push(self.part(&joint, &steps, index)?);
            }
        }
        Ok((Relation { parts: may }, Relation { parts: must }))
    }

    fn joint_steps(&self) -> Vec<Joint> {
        if self.system.family() == Family::Props {
            let movers = (0..self.models.len()).map(|part| (part, None)).collect();
            return vec![Joint { movers, shows: None }];
        }
        let interface = Interface::new(self.system);
        let rule = |rule: &model::Rule| {
            let movers = rule.parts.iter().map(|&(part, action)| (part, Some(action))).collect();
            Joint { movers, shows: Some(interface.actions.name(rule.result).to_owned()) }
        };
        interface.rules.iter().map(rule).collect()
    }

    fn part(&mut self, joint: &Joint, steps: &[Steps], index: usize) -> Result<Part, Stop> {
        let mut conjuncts = Vec::new();
        let mut written = Vec::new();
        for &(component, local) in &joint.movers {
            let pairs = steps[component].get(&local).map_or(&[][..], |of| &of[index]);
            let both = self.bits[component].both();
            conjuncts.push(numbers(&both, pairs, self.manager)?);
            written.extend(self.bits[component].written());
        }
        let action = joint.shows.clone();
        let constituents =
            Constituents { conjuncts, written, inputs: vec![], conditions: vec![], action };
        Part::new(constituents, self.manager)
    }
}

pub(crate) fn steps(model: &PartialModel) -> Steps {
    let mut steps = Steps::default();
    for source in 0..model.states() as u32 {
        for (target, class) in model.edges().out(source) {
            let [may, must] = steps.entry(class.action).or_default();
            let pair = spread(source) << 1 | spread(target);
            may.extend(class.mode.may.then_some(pair));
            must.extend(class.mode.must.then_some(pair));
        }
    }
    for of_action in steps.values_mut().flatten() {
        of_action.sort_unstable();
        of_action.dedup();
    }
    steps
}

/// Room for another bit before every bit.
fn spread(number: u32) -> u64 {
    (0..32).map(|bit| u64::from(number >> bit & 1) << (2 * bit)).sum()
}

/// The valuations of some bits, highest first, that are one of these numbers; they are in order and differ.
pub(crate) fn numbers(bits: &[BddVar], among: &[u64], manager: &mut Manager) -> Result<Bdd, Stop> {
    let Some((&highest, lower)) = bits.split_first() else {
        return Ok(manager.constant(!among.is_empty()));
    };
    let is_full = bits.len() < 64 && among.len() as u64 == 1 << bits.len();
    if among.is_empty() || is_full {
        return Ok(manager.constant(is_full));
    }
    let zeros = among.partition_point(|number| number >> lower.len() & 1 == 0);
    let low = numbers(lower, &among[..zeros], manager)?;
    let high = numbers(lower, &among[zeros..], manager)?;
    let highest = manager.var(highest)?;
    manager.ite(&highest, &high, &low)
}
