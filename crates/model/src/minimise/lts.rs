//! Labelled transition systems on the way to the smallest one.

use crate::compare::{JointAction, JointActions};
use crate::edges::Mode;
use crate::move_graph::MoveGraph;
use crate::partial::{ModelBuilder, PartialModel};
use fixedbitset::FixedBitSet;
use logic::Family;
use support::components;

pub struct Lts {
    pub graph: MoveGraph,
    pub init: Vec<u32>,
    /// By state: a state of the model that is equivalent, if there is one.
    pub origin: Vec<Option<u32>>,
    /// The states that can do `tau` for ever and stay what they are, if that counts.
    pub diverging: FixedBitSet,
}

impl Lts {
    pub fn of(model: &PartialModel, actions: &mut JointActions) -> Self {
        let graph = MoveGraph::new(&[model], actions);
        let origin = (0..model.states() as u32).map(Some).collect();
        Self { graph, init: model.init().to_vec(), origin, diverging: FixedBitSet::new() }
    }

    /// States that reach each other by `tau` are one. What a state leads to by `tau` has a smaller number.
    pub fn collapsed(&self, tau: JointAction, tells_divergence: bool) -> Self {
        let states = self.graph.states();
        let silent = |state: u32| {
            self.graph.moves(state).iter().filter(|(action, _)| *action == tau).map(|(_, t)| *t)
        };
        let of = components(states, silent);
        let count = of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut rows: Vec<Vec<(JointAction, u32)>> = vec![Vec::new(); count];
        let mut origin = vec![None; count];
        let mut diverging = FixedBitSet::with_capacity(count);
        for state in 0..states {
            let own = of[state];
            origin[own as usize] = origin[own as usize].or(self.origin[state]);
            for &(action, target) in self.graph.moves(state as u32) {
                let target = of[target as usize];
                match action == tau && target == own {
                    true => diverging.set(own as usize, tells_divergence),
                    false => rows[own as usize].push((action, target)),
                }
            }
        }
        let init = self.init.iter().map(|&state| of[state as usize]).collect();
        Self { graph: graph_of(rows), init, origin, diverging }
    }

    /// The blocks as states, as far as they can be reached. Steps by the inert action within a block are left out.
    pub fn quotient(&self, block_of: &[u32], inert: Option<JointAction>) -> Self {
        let blocks = block_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut moves: Vec<(u32, JointAction, u32)> = Vec::new();
        let mut origins = vec![None; blocks];
        let mut diverges = FixedBitSet::with_capacity(blocks);
        for (state, &own) in block_of.iter().enumerate() {
            origins[own as usize] = origins[own as usize].or(self.origin[state]);
            if self.diverging.contains(state) {
                diverges.insert(own as usize);
            }
            let out = self.graph.moves(state as u32).iter();
            let out = out.map(|&(action, target)| (own, action, block_of[target as usize]));
            moves.extend(out.filter(|&(_, action, to)| to != own || inert != Some(action)));
        }
        moves.sort_unstable();
        moves.dedup();
        let mut numbering = Numbering { of: vec![None; blocks], order: Vec::new() };
        let init = self.init.iter().map(|&s| numbering.number(block_of[s as usize])).collect();
        let mut rows = Vec::new();
        while let Some(&block) = numbering.order.get(rows.len()) {
            let start = moves.partition_point(|&(from, ..)| from < block);
            let row = moves[start..].iter().take_while(|&&(from, ..)| from == block);
            rows.push(row.map(|&(_, action, to)| (action, numbering.number(to))).collect());
        }
        let blocks = || numbering.order.iter().enumerate();
        let origin = blocks().map(|(_, &block)| origins[block as usize]).collect();
        let diverging = blocks().filter(|(_, block)| diverges.contains(**block as usize));
        let diverging = diverging.map(|(state, _)| state).collect();
        Self { graph: graph_of(rows), init, origin, diverging }
    }

    /// As a model; a state has the name and the labels of the state that it stands for.
    pub fn to_model(
        &self,
        model: &PartialModel,
        actions: &JointActions,
        tau: JointAction,
    ) -> PartialModel {
        let mut builder = ModelBuilder::new(model.kind, model.name.clone());
        model.props().names().for_each(|name| _ = builder.prop(name));
        model.actions().names().for_each(|name| _ = builder.action(name));
        for (state, origin) in self.origin.iter().enumerate() {
            let name = origin.map(|origin| model.state_name(origin));
            builder.state(name.unwrap_or_else(|| state.to_string()));
            let Some(origin) = origin.filter(|_| model.kind.family() == Family::Props) else {
                continue;
            };
            for (prop, _) in model.props().iter() {
                builder.label(state as u32, prop, model.label(origin, prop));
            }
        }
        self.init.iter().for_each(|&state| builder.init(state));
        for state in 0..self.graph.states() as u32 {
            let forever = self.diverging.contains(state as usize).then_some((tau, state));
            for (action, target) in self.graph.moves(state).iter().copied().chain(forever) {
                let action = actions.shown(action).map(|name| builder.action(&name));
                builder.edge(state, action, Mode::BOTH, target);
            }
        }
        builder.finish()
    }
}

/// Numbers for blocks, in the order in which they are asked for.
struct Numbering {
    of: Vec<Option<u32>>,
    order: Vec<u32>,
}

impl Numbering {
    fn number(&mut self, block: u32) -> u32 {
        *self.of[block as usize].get_or_insert_with(|| {
            self.order.push(block);
            self.order.len() as u32 - 1
        })
    }
}

pub fn graph_of(rows: Vec<Vec<(JointAction, u32)>>) -> MoveGraph {
    let mut offsets = vec![0];
    let mut moves = Vec::new();
    for mut row in rows {
        row.sort_unstable();
        row.dedup();
        moves.append(&mut row);
        offsets.push(moves.len() as u32);
    }
    MoveGraph::of_rows(offsets, moves)
}
