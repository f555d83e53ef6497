//! The abstract model: the reachability graph as a GKMTS, on which the game is played.

use crate::ranking::Ranking;
use crate::reachability::ReachabilityGraph;
use logic::PropId;
use model::{Kind, Mode, ModelBuilder, PartialModel};
use rustc_hash::FxHashMap;

pub type GamePosition = (u32, Box<[u8]>);

/// The model of a graph, with the class of the last step as a history variable of its states.
pub struct AbstractModel {
    /// Its states are named by their numbers.
    pub model: PartialModel,
    /// A state of the graph, and the class of the last step in each ranking.
    pub positions: Vec<GamePosition>,
    /// By ranking, the propositions for its classes in their order.
    pub classes: Vec<Vec<PropId>>,
}

impl AbstractModel {
    pub(crate) fn new(
        graph: &ReachabilityGraph,
        rankings: &[Ranking],
        propositions: &[&str],
    ) -> Self {
        let mut plan =
            Plan { graph, rankings, positions: Vec::new(), numbers: FxHashMap::default() };
        plan.reach();
        let mut builder = ModelBuilder::new(Kind::Gkmts, "program");
        for number in 0..plan.positions.len() {
            builder.state(number.to_string());
        }
        (0..graph.initial.len() as u32).for_each(|number| builder.init(number));
        plan.add_labels(&mut builder, propositions);
        let classes = plan.add_classes(&mut builder);
        plan.add_steps(&mut builder);
        Self { model: builder.finish(), positions: plan.positions, classes }
    }
}

struct Plan<'r> {
    graph: &'r ReachabilityGraph,
    rankings: &'r [Ranking],
    positions: Vec<GamePosition>,
    numbers: FxHashMap<GamePosition, u32>,
}

impl Plan<'_> {
    /// Numbers the reachable positions, breadth-first.
    fn reach(&mut self) {
        let none: Box<[u8]> = self.rankings.iter().map(|_| 0).collect();
        let initial = 0..self.graph.initial.len() as u32;
        initial.for_each(|state| self.number((state, none.clone())));
        let mut done = 0;
        while let Some(&(state, _)) = self.positions.get(done) {
            done += 1;
            for (transition, step) in (0..).zip(&self.graph.transitions[state as usize]) {
                for &to in &step.targets {
                    self.number(self.after(state, transition, to));
                }
            }
        }
    }

    /// Where a step leads.
    fn after(&self, state: u32, transition: u32, to: u32) -> GamePosition {
        (to, self.rankings.iter().map(|ranking| ranking.class(state, transition, to)).collect())
    }

    fn number(&mut self, position: GamePosition) {
        let next = self.positions.len() as u32;
        if *self.numbers.entry(position.clone()).or_insert(next) == next {
            self.positions.push(position);
        }
    }

    fn add_labels(&self, builder: &mut ModelBuilder, propositions: &[&str]) {
        for (index, name) in propositions.iter().enumerate() {
            let prop = builder.prop(name);
            for (number, (state, _)) in (0..).zip(&self.positions) {
                builder.label(number, prop, self.graph.labels[*state as usize][index]);
            }
        }
    }

    fn add_classes(&self, builder: &mut ModelBuilder) -> Vec<Vec<PropId>> {
        let mut all = Vec::new();
        for (which, ranking) in self.rankings.iter().enumerate() {
            let name = |class| format!("class {class} of ranking {which}");
            let props = (0..ranking.classes()).map(|class| builder.prop(&name(class)));
            let props: Vec<PropId> = props.collect();
            for (number, (_, last)) in (0..).zip(&self.positions) {
                for (class, &prop) in props.iter().enumerate() {
                    builder.label(number, prop, (class == last[which] as usize).into());
                }
            }
            all.push(props);
        }
        all
    }

    fn add_steps(&self, builder: &mut ModelBuilder) {
        for (source, &(state, _)) in (0..).zip(&self.positions) {
            for (transition, step) in (0..).zip(&self.graph.transitions[state as usize]) {
                let target = |&to: &u32| self.numbers[&self.after(state, transition, to)];
                for to in &step.targets {
                    builder.edge(source, None, Mode::MAY, target(to));
                }
                for must in &step.musts {
                    builder.hyper(source, must.iter().map(target).collect());
                }
            }
        }
    }
}
