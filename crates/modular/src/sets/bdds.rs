//! Sets of valuations as BDDs over the bits of the variables' numbers.

use super::ValuationSets;
use audit::modular::{ListedNode, ListedSet};
use bdd::{Bdd, BddVar, Cube, Manager, Policy, Renaming, SerializedEdge, Serializer};
use encode::{EncodedExpr, Encoder, Layout};
use rustc_hash::FxHashMap;
use support::{Monitor, Stopped};
use transition::cfg::{CfgEdge, Effect};
use transition::{Machine, NodeId, VarId};

pub struct BddSets {
    machine: Machine,
    monitor: Monitor,
    policy: Policy,
    manager: Manager,
    layout: Layout,
    all: Bdd,
    /// Which bit of which variable a truth variable is.
    places: FxHashMap<BddVar, (VarId, u32)>,
    /// From the bits of each variable to those of its next value.
    renamings: Vec<Renaming>,
}

pub struct BddStep {
    guard: Bdd,
    after: Option<Bdd>,
    change: Change,
}

enum Change {
    Nothing,
    /// The bits of the next value, given those of all variables.
    Assign {
        relation: Bdd,
        renaming: Renaming,
        next: Cube,
    },
    Any(Cube),
}

/// How many bytes a node of a BDD takes, its share of the tables included.
const NODE_BYTES: u64 = 24;

impl BddSets {
    pub fn new(machine: &Machine, policy: Policy, monitor: &Monitor) -> Result<Self, Stopped> {
        let mut manager = Manager::new(monitor, policy);
        let layout = Layout::new(machine, &machine.unsliced(), &mut manager);
        let mut all = manager.constant(true);
        let mut renamings = Vec::new();
        let mut places = FxHashMap::default();
        for var in machine.vars.ids() {
            let valid = layout.valid(machine, var, &mut manager)?;
            all = manager.and(&all, &valid)?;
            let bits = layout.bits(var).iter();
            let pairs: Vec<(BddVar, BddVar)> =
                bits.filter_map(|bit| Some((bit.now, bit.next?))).collect();
            renamings.push(manager.renaming(&pairs));
            places.extend(
                layout.bits(var).iter().zip(0..).map(|(place, bit)| (place.now, (var, bit))),
            );
        }
        let (machine, monitor) = (machine.clone(), monitor.clone());
        Ok(Self { machine, monitor, policy, manager, layout, all, places, renamings })
    }

    fn encoder<'a>(&'a mut self, known: &'a mut FxHashMap<NodeId, EncodedExpr>) -> Encoder<'a> {
        Encoder { machine: &self.machine, layout: &self.layout, manager: &mut self.manager, known }
    }

    fn now_bits(&self, var: VarId) -> Vec<BddVar> {
        self.layout.bits(var).iter().map(|bit| bit.now).collect()
    }

    fn set(&mut self, var: VarId, value: NodeId) -> Result<Change, Stopped> {
        let choice = self.machine.one(value);
        let mut known = FxHashMap::default();
        let relation = self.encoder(&mut known).assign(var, true, choice)?.relation;
        let next: Vec<BddVar> = self.layout.bits(var).iter().filter_map(|bit| bit.next).collect();
        let next = self.manager.cube(next)?;
        Ok(Change::Assign { relation, renaming: self.renamings[var.0 as usize], next })
    }
}

impl ValuationSets for BddSets {
    type Set = Bdd;
    type Step = BddStep;
    type Seed = (Machine, Policy, Monitor);

    fn all(&self) -> Bdd {
        self.all.clone()
    }

    fn none(&self) -> Bdd {
        self.manager.constant(false)
    }

    fn holds(&mut self, node: NodeId) -> Result<Bdd, Stopped> {
        let mut known = FxHashMap::default();
        let set = self.encoder(&mut known).truth(node)?;
        let all = self.all.clone();
        Ok(self.manager.and(&set, &all)?)
    }

    fn and(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stopped> {
        Ok(self.manager.and(a, b)?)
    }

    fn or(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stopped> {
        Ok(self.manager.or(a, b)?)
    }

    fn minus(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stopped> {
        Ok(self.manager.minus(a, b)?)
    }

    fn is_empty(&self, a: &Bdd) -> bool {
        a.is_empty()
    }

    fn step(&mut self, edge: &CfgEdge) -> Result<BddStep, Stopped> {
        let guard = match edge.guard {
            Some(guard) => self.holds(guard)?,
            None => self.all.clone(),
        };
        let after = edge.after.map(|after| self.holds(after)).transpose()?;
        let change = match edge.effect {
            Effect::Nothing | Effect::Fails => Change::Nothing,
            Effect::Any(var) => {
                let bits = self.now_bits(var);
                Change::Any(self.manager.cube(bits)?)
            }
            Effect::Set(var, value) => self.set(var, value)?,
        };
        Ok(BddStep { guard, after, change })
    }

    fn before(&mut self, step: &BddStep, target: &Bdd, within: &Bdd) -> Result<Bdd, Stopped> {
        self.monitor.step(1)?;
        let manager = &mut self.manager;
        let within = manager.and(within, &step.guard)?;
        let target = match &step.after {
            Some(after) => manager.and(target, after)?,
            None => target.clone(),
        };
        let found = match &step.change {
            Change::Nothing => target,
            Change::Any(bits) => manager.exists(&target, bits)?,
            Change::Assign { relation, renaming, next } => {
                let target = manager.rename(&target, *renaming)?;
                manager.and_exists(&target, relation, next)?
            }
        };
        Ok(manager.and(&found, &within)?)
    }

    fn write(&self, set: &Bdd) -> Vec<u8> {
        let (nodes, root) = Serializer::new(&self.manager).add(set);
        let mut bytes = Vec::with_capacity(12 * nodes.len() + 4);
        for node in nodes {
            bytes.extend(node.var.0.to_le_bytes());
            bytes.extend(packed(node.high));
            bytes.extend(packed(node.low));
        }
        bytes.extend(packed(root));
        bytes
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Option<Bdd>, Stopped> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let numbers: Vec<u32> = numbers.iter().map(|number| u32::from_le_bytes(*number)).collect();
        if !rest.is_empty() || numbers.len() % 3 != 1 {
            return Ok(None);
        }
        let vars = self.manager.order().len() as u32;
        let mut nodes: Vec<Bdd> = vec![self.manager.constant(true)];
        let link = |nodes: &[Bdd], number: u32| {
            let node = nodes.get(number as usize / 2)?;
            Some(if number % 2 == 1 { node.not() } else { node.clone() })
        };
        for listed in numbers.chunks_exact(3) {
            let (Some(high), Some(low)) = (link(&nodes, listed[1]), link(&nodes, listed[2])) else {
                return Ok(None);
            };
            if listed[0] >= vars {
                return Ok(None);
            }
            nodes.push(self.manager.choose(BddVar(listed[0]), &high, &low)?);
        }
        Ok(numbers.last().and_then(|&root| link(&nodes, root)))
    }

    fn list(&self, set: &Bdd) -> ListedSet {
        let (nodes, root) = Serializer::new(&self.manager).add(set);
        let nodes = nodes.into_iter().map(|node| {
            let (var, bit) = self.places[&node.var];
            ListedNode { var, bit, high: number(node.high), low: number(node.low) }
        });
        ListedSet { nodes: nodes.collect(), root: number(root) }
    }

    fn seed(&self) -> Self::Seed {
        (self.machine.clone(), self.policy, self.monitor.clone())
    }

    fn from_seed((machine, policy, monitor): Self::Seed) -> Result<Self, Stopped> {
        Self::new(&machine, policy, &monitor)
    }

    fn valuations(&self) -> f64 {
        self.machine.vars.values().map(|var| var.domain.size() as f64).product()
    }

    fn bytes(&self, _: u64) -> u64 {
        NODE_BYTES * self.manager.peak() as u64
    }

    fn bytes_of(&self, _: &Bdd) -> u64 {
        // Sets share their nodes: all of them are counted together.
        0
    }

    fn bytes_of_step(&self, _: &BddStep) -> u64 {
        0
    }

    fn with_value(&mut self, var: VarId, value: i64) -> Result<Bdd, Stopped> {
        let Some(number) = self.machine.vars[var].domain.number(value) else {
            return Ok(self.none());
        };
        let mut set = self.all.clone();
        for (index, bit) in self.now_bits(var).into_iter().enumerate() {
            let bit = self.manager.var(bit)?;
            let bit = if number >> index & 1 == 1 { bit } else { bit.not() };
            set = self.manager.and(&set, &bit)?;
        }
        Ok(set)
    }

    fn pick(&self, set: &Bdd) -> Option<Vec<i64>> {
        let picked: FxHashMap<BddVar, bool> = self.manager.pick(set)?.into_iter().collect();
        let is_true = |var: BddVar| picked.get(&var).copied().unwrap_or(false);
        let vars = self.machine.vars.ids();
        Some(vars.map(|var| self.layout.value(&self.machine, var, is_true)).collect())
    }

    fn contains(&self, set: &Bdd, values: &[i64]) -> bool {
        let mut truths: FxHashMap<BddVar, bool> = FxHashMap::default();
        for ((var, declared), &value) in self.machine.vars.iter().zip(values) {
            let Some(number) = declared.domain.number(value) else { return false };
            let bits = self.layout.bits(var).iter().enumerate();
            truths.extend(bits.map(|(index, bit)| (bit.now, number >> index & 1 == 1)));
        }
        self.manager.contains(set, |var| truths.get(&var).copied().unwrap_or(false))
    }
}

/// Twice the number of a node, and one more if it is negated.
fn number(link: SerializedEdge) -> u32 {
    link.node * 2 + u32::from(link.is_negated)
}

fn packed(link: SerializedEdge) -> [u8; 4] {
    number(link).to_le_bytes()
}
