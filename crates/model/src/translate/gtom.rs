//! GTOM: a must transition to a set becomes one to a state that stands for the set (X Def. 4).

use super::StatesByAtoms;
use crate::edges::Mode;
use crate::partial::{Kind, ModelBuilder, PartialModel};
use crate::upsets::{Upsets, is_within};

impl PartialModel {
    /// A MixTS with the same refinements (X Thm 2) and the same values under the reduced semantics (X Thm 5).
    #[must_use]
    pub fn gtom(&self) -> PartialModel {
        let upsets = Upsets::new(self);
        let builder = ModelBuilder::like(self, Kind::MixTs);
        let mut standing = StatesByAtoms::new(self, &upsets, builder);
        for source in 0..self.states() as u32 {
            for (target, class) in self.edges().out(source) {
                standing.builder.edge(source, None, class.mode, target);
            }
            // R_must.
            for hyper in self.hyper_from(source) {
                let atoms = upsets.of_all(hyper.targets.iter().copied());
                let target = standing.state(atoms, || self.union_name(&hyper.targets));
                standing.builder.edge(source, None, Mode::MUST, target);
            }
        }
        for (new, atoms) in standing.new_states() {
            let within = |&state: &u32| is_within(upsets.of(state), &atoms);
            let below: Vec<u32> = (0..self.states() as u32).filter(within).collect();
            // R_may, and L_M on S⁺: what all of them say.
            for &state in &below {
                let may = self.edges().out(state).filter(|(_, class)| class.mode.may);
                may.for_each(|(target, _)| standing.builder.edge(new, None, Mode::MAY, target));
            }
            for (prop, _) in self.props().iter() {
                let value = self.label(below[0], prop);
                if below.iter().all(|&state| self.label(state, prop) == value) {
                    standing.builder.label(new, prop, value);
                }
            }
        }
        standing.builder.finish()
    }

    fn union_name(&self, states: &[u32]) -> String {
        let names: Vec<String> = states.iter().map(|&state| self.state_name(state)).collect();
        names.join("_or_")
    }
}
