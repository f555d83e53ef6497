//! Random abstractions of a model by sets of its states (G §2.2).

use crate::rng::Rng;
use logic::{PropId, Truth};
use model::{ActionId, Kind, Mode, ModelBuilder, PartialModel};

pub struct Abstraction {
    pub model: PartialModel,
    /// By abstract state: the concrete ones that it stands for.
    pub members: Vec<Vec<u32>>,
}

/// Collapses the states of a Kripke structure, KMTS, LTS or MTS into a model of the kind given.
/// In a `mixts` or `gkmts` some abstract states are unions of others, as X uses them.
///
/// With `weaken`, some of what is known is forgotten.
pub fn abstraction(
    rng: &mut Rng,
    concrete: &PartialModel,
    kind: Kind,
    weaken: bool,
) -> Abstraction {
    let blocks = random_partition(rng, concrete.states());
    let mut members = blocks.clone();
    if matches!(kind, Kind::MixTs | Kind::Gkmts) && blocks.len() > 1 {
        for _ in 0..rng.between(0, 2) {
            members.push(rng.some(&blocks, 0.5).concat());
        }
    }
    let mut builder = ModelBuilder::new(kind, format!("{}_abstract", concrete.name));
    for (index, own) in members.iter().enumerate() {
        let state = builder.state(format!("a{index}"));
        if index < blocks.len() && own.iter().any(|s| concrete.init().contains(s)) {
            builder.init(state);
        }
    }
    let forget = if weaken { 0.25 } else { 0.0 };
    let mut abstractor =
        Abstractor { rng, concrete, forget, members, blocks: blocks.len(), builder };
    abstractor.add_labels();
    abstractor.add_transitions();
    if kind == Kind::Gkmts {
        abstractor.add_hyper();
    }
    Abstraction { model: abstractor.builder.finish(), members: abstractor.members }
}

fn random_partition(rng: &mut Rng, states: usize) -> Vec<Vec<u32>> {
    let count = rng.between(1, states);
    let mut blocks = vec![Vec::new(); count];
    for state in 0..states as u32 {
        blocks[rng.below(count)].push(state);
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

struct Abstractor<'a> {
    rng: &'a mut Rng,
    concrete: &'a PartialModel,
    forget: f64,
    members: Vec<Vec<u32>>,
    /// The first so many sets are a partition.
    blocks: usize,
    builder: ModelBuilder,
}

impl Abstractor<'_> {
    /// Labels a block with the values that all its members agree on.
    fn add_labels(&mut self) {
        for (prop, name) in self.concrete.props().iter() {
            let id: PropId = self.builder.prop(name);
            for (state, own) in self.members.iter().enumerate() {
                let value = self.concrete.label(own[0], prop);
                let agreed = own.iter().all(|&s| self.concrete.label(s, prop) == value);
                if agreed && value != Truth::Unknown && !self.rng.chance(self.forget) {
                    self.builder.label(state as u32, id, value);
                }
            }
        }
    }

    /// May if some member may, must if every member must (∃∃ and ∀∃ of G §2.2). May transitions to
    /// the blocks are enough, because every concrete state is in one of them.
    fn add_transitions(&mut self) {
        let names = self.concrete.actions();
        let actions: Vec<Option<ActionId>> = match names.is_empty() {
            true => vec![None],
            false => names.iter().map(|(id, _)| Some(id)).collect(),
        };
        for action in actions {
            let shown = action.map(|action| self.builder.action(names.name(action)));
            for source in 0..self.members.len() {
                for target in 0..self.members.len() {
                    let may = target < self.blocks && self.some_may(source, action, target);
                    let must = (may || target >= self.blocks)
                        && self.every_must(source, action, &self.members[target])
                        && !self.rng.chance(self.forget);
                    let more = target < self.blocks && self.rng.chance(self.forget / 2.0);
                    let mode = Mode { may: may || more, must };
                    if mode.may || mode.must {
                        self.builder.edge(source as u32, shown, mode, target as u32);
                    }
                }
            }
        }
    }

    fn some_may(&self, source: usize, action: Option<ActionId>, target: usize) -> bool {
        let own = &self.members[target];
        self.members[source].iter().any(|&s| {
            let mut out = self.concrete.edges().out(s);
            out.any(|(t, class)| class.mode.may && class.action == action && own.contains(&t))
        })
    }

    fn every_must(&self, source: usize, action: Option<ActionId>, targets: &[u32]) -> bool {
        self.members[source].iter().all(|&s| {
            let mut out = self.concrete.edges().out(s);
            out.any(|(t, class)| class.mode.must && class.action == action && targets.contains(&t))
        })
    }

    fn add_hyper(&mut self) {
        let all: Vec<usize> = (0..self.members.len()).collect();
        for source in 0..self.members.len() {
            let chosen = self.rng.some(&all, 0.4);
            let targets =
                chosen.iter().map(|&set| self.members[set].as_slice()).collect::<Vec<_>>();
            if self.every_must(source, None, &targets.concat()) {
                self.builder.hyper(source as u32, chosen.iter().map(|&set| set as u32).collect());
            }
        }
    }
}
