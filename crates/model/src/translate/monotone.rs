//! Saying all that follows: the monotone models of X Def. 7.

use crate::atom_steps::AtomSteps;
use crate::edges::Mode;
use crate::partial::{Kind, ModelBuilder, PartialModel};
use crate::upsets::{Upsets, is_within};

impl PartialModel {
    /// A monotone model of the same kind with the same refinements.
    ///
    /// X Def. 7 taken as a closure would add may transitions to the states above, and with them refinements: a
    /// state above forbids what its atoms are said to be able to do. So the transitions that an atom really has are
    /// looked for first; a state may go where one of its atoms can, and to whatever stands for no more.
    #[must_use]
    pub fn monotone(&self) -> PartialModel {
        let upsets = Upsets::new(self);
        let steps = AtomSteps::new(self, &upsets);
        let mut builder = ModelBuilder::like(self, self.kind);
        let states = 0..self.states() as u32;
        for source in states.clone() {
            let reached = upsets.of(source).iter();
            let reached = reached.flat_map(|&atom| steps.allowed(atom));
            let reached = upsets.of_all(reached);
            let may = states.clone().filter(|&target| is_within(upsets.of(target), &reached));
            may.for_each(|target| builder.edge(source, None, Mode::MAY, target));
            for targets in steps.strongest(&above(&upsets, source)) {
                for target in states.clone().filter(|&t| is_within(&targets, upsets.of(t))) {
                    builder.edge(source, None, Mode::MUST, target);
                }
                // A MixTS has none, and nothing is lost without: states that stand for the set are in.
                if self.kind == Kind::Gkmts {
                    builder.hyper(source, targets);
                }
            }
        }
        builder.finish()
    }

    /// X Def. 7, of GKMTSs too: a set of targets is as its atoms.
    pub fn is_monotone(&self) -> bool {
        let upsets = Upsets::new(self);
        let steps = AtomSteps::new(self, &upsets);
        let states = || 0..self.states() as u32;
        let may_holds = |s1: u32, s2: u32| {
            let may = self.edges().out(s2).filter(|(_, class)| class.mode.may);
            may.map(|(t2, _)| t2).all(|t2| {
                let finer = states().filter(|&t1| upsets.is_less_precise(t2, t1));
                finer.into_iter().all(|t1| self.goes(s1, t1).may)
            })
        };
        let must_holds = |s1: u32, s2: u32| {
            steps.musts(s1).iter().all(|set| {
                let coarser = states().filter(|&t2| is_within(set, upsets.of(t2)));
                coarser.into_iter().all(|t2| self.goes(s2, t2).must)
                    && steps.musts(s2).iter().any(|other| is_within(other, set))
            })
        };
        states().all(|s1| {
            let finer = states().filter(|&s2| upsets.is_less_precise(s1, s2));
            finer.into_iter().all(|s2| may_holds(s1, s2) && must_holds(s1, s2))
        })
    }

    /// Whether an ordinary transition may and must lead from one state to another.
    fn goes(&self, source: u32, target: u32) -> Mode {
        let between = self.edges().out(source).filter(|&(other, _)| other == target);
        between.fold(Mode::NONE, |mode, (_, class)| mode.or(class.mode))
    }
}

/// The states that stand for all that a state stands for.
fn above(upsets: &Upsets, state: u32) -> Vec<u32> {
    let Some(&first) = upsets.of(state).first() else { return Vec::new() };
    let all = upsets.above(first).iter().copied();
    all.filter(|&other| upsets.is_less_precise(other, state)).collect()
}
