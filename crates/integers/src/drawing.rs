//! A region as a GKMTS, on which the game is played.

use crate::ranking::Ranking;
use crate::region::Region;
use logic::PropId;
use model::{Kind, Mode, Model, ModelBuilder};
use rustc_hash::FxHashMap;

/// The model of a region in which states remember the class of the step that has led to them.
pub struct Drawing {
    /// Its states are named by their numbers.
    pub model: Model,
    /// A state of the region, and the class of the last step.
    pub positions: Vec<(u32, u8)>,
    /// The propositions that tell the class, from the first one on.
    pub classes: Vec<PropId>,
}

impl Drawing {
    pub(crate) fn new(region: &Region, ranking: &Ranking, propositions: &[&str]) -> Self {
        let mut plan = Plan { region, ranking, positions: Vec::new(), numbers: FxHashMap::default() };
        plan.reach();
        let mut builder = ModelBuilder::new(Kind::Gkmts, "program");
        for number in 0..plan.positions.len() {
            builder.state(number.to_string());
        }
        (0..region.initial).for_each(|number| builder.init(number));
        plan.add_labels(&mut builder, propositions);
        let classes = plan.add_classes(&mut builder);
        plan.add_steps(&mut builder);
        Self { model: builder.finish(), positions: plan.positions, classes }
    }

    /// The state of the region that a state of the model is.
    pub(crate) fn state(&self, name: &str) -> Option<u32> {
        let number: usize = name.parse().ok()?;
        self.positions.get(number).map(|&(state, _)| state)
    }
}

struct Plan<'r> {
    region: &'r Region,
    ranking: &'r Ranking,
    positions: Vec<(u32, u8)>,
    numbers: FxHashMap<(u32, u8), u32>,
}

impl Plan<'_> {
    /// Numbers what can be reached, nearest first.
    fn reach(&mut self) {
        let last = self.ranking.classes() as u8 - 1;
        (0..self.region.initial).for_each(|state| self.number((state, last)));
        let mut done = 0;
        while let Some(&(state, _)) = self.positions.get(done) {
            done += 1;
            for (arrow, step) in (0..).zip(&self.region.arrows[state as usize]) {
                for &to in &step.targets {
                    self.number((to, self.ranking.class(state, arrow, to)));
                }
            }
        }
    }

    fn number(&mut self, position: (u32, u8)) {
        let next = self.positions.len() as u32;
        if *self.numbers.entry(position).or_insert(next) == next {
            self.positions.push(position);
        }
    }

    fn add_labels(&self, builder: &mut ModelBuilder, propositions: &[&str]) {
        for (index, name) in propositions.iter().enumerate() {
            let prop = builder.prop(name);
            for (number, &(state, _)) in (0..).zip(&self.positions) {
                builder.label(number, prop, self.region.labels[state as usize][index]);
            }
        }
    }

    fn add_classes(&self, builder: &mut ModelBuilder) -> Vec<PropId> {
        let all = 0..self.ranking.classes();
        let props: Vec<PropId> = all.map(|class| builder.prop(&format!("class {class}"))).collect();
        for (number, &(_, last)) in (0..).zip(&self.positions) {
            for (class, &prop) in props.iter().enumerate() {
                builder.label(number, prop, (class == last as usize).into());
            }
        }
        props
    }

    fn add_steps(&self, builder: &mut ModelBuilder) {
        for (source, &(state, _)) in (0..).zip(&self.positions) {
            for (arrow, step) in (0..).zip(&self.region.arrows[state as usize]) {
                let target = |&to: &u32| self.numbers[&(to, self.ranking.class(state, arrow, to))];
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
