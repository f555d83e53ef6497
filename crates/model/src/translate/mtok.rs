//! MTOK: a must-only transition becomes one, may and must, to what the may transitions leave of its target
//! (X Def. 5).

use super::StatesByAtoms;
use crate::edges::Mode;
use crate::partial::{Kind, ModelBuilder, PartialModel};
use crate::upsets::{Upsets, is_within};
use logic::Truth;
use rustc_hash::FxHashMap;

impl PartialModel {
    /// A KMTS with the same refinements (X Thm 3), of a MixTS. Its values can be more precise.
    #[must_use]
    pub fn mtok(&self) -> PartialModel {
        debug_assert!(self.hyper().is_empty());
        let upsets = Upsets::new(self);
        let builder = ModelBuilder::like(self, Kind::Kmts);
        let mut standing = StatesByAtoms::new(self, &upsets, builder);
        let must_only = self.must_only();
        // â→b by (a, b), and the b of every new one.
        let mut arrows: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut inherits: Vec<(u32, u32)> = Vec::new();
        for &(a, b) in &must_only {
            let atoms = self.left_of(&upsets, a, b);
            let name = || format!("{}_to_{}", self.state_name(a), self.state_name(b));
            let state = standing.state(atoms, name);
            arrows.insert((a, b), state);
            if state >= standing.old {
                inherits.push((state, b));
            }
        }
        self.add_steps(&mut standing.builder, &must_only, &arrows, &inherits);
        self.add_labels(&upsets, &mut standing);
        standing.builder.finish()
    }

    /// R_must \ R_may.
    fn must_only(&self) -> Vec<(u32, u32)> {
        let own = |source: u32| {
            let must_only = self.edges().out(source).filter(|(_, class)| class.mode == Mode::MUST);
            must_only.map(move |(target, _)| (source, target))
        };
        (0..self.states() as u32).flat_map(own).collect()
    }

    /// γ(b) ∩ γ(R_may(a)).
    fn left_of(&self, upsets: &Upsets, a: u32, b: u32) -> Vec<u32> {
        let may = self.edges().out(a).filter(|(_, class)| class.mode.may);
        let mut atoms = upsets.of_all(may.map(|(target, _)| target));
        atoms.retain(|atom| upsets.of(b).binary_search(atom).is_ok());
        atoms
    }

    fn add_steps(
        &self,
        builder: &mut ModelBuilder,
        must_only: &[(u32, u32)],
        arrows: &FxHashMap<(u32, u32), u32>,
        inherits: &[(u32, u32)],
    ) {
        for source in 0..self.states() as u32 {
            let kept = self.edges().out(source).filter(|(_, class)| class.mode.may);
            kept.for_each(|(target, class)| builder.edge(source, None, class.mode, target));
        }
        // REPL.
        for arrow @ &(a, _) in must_only {
            builder.edge(a, None, Mode::BOTH, arrows[arrow]);
        }
        for &(new, b) in inherits {
            for (target, class) in self.edges().out(b) {
                match class.mode {
                    // IMO.
                    Mode::MUST => builder.edge(new, None, Mode::BOTH, arrows[&(b, target)]),
                    // IMAY and IMUST.
                    mode => builder.edge(new, None, mode, target),
                }
            }
        }
    }

    /// L_K on S⁺: all that is said above. What all its atoms say is said too; the definition leaves that out,
    /// though a new state stands for just these.
    fn add_labels(&self, upsets: &Upsets, standing: &mut StatesByAtoms) {
        for (new, atoms) in standing.new_states() {
            let stands_for = |&state: &u32| is_within(&atoms, upsets.of(state));
            let above: Vec<u32> = (0..self.states() as u32).filter(stands_for).collect();
            for (prop, _) in self.props().iter() {
                let of_atoms = self.label(atoms[0], prop);
                let is_common = |&atom: &u32| self.label(atom, prop) == of_atoms;
                let common = atoms.iter().all(is_common).then_some(of_atoms);
                let said = above.iter().map(|&state| self.label(state, prop)).chain(common);
                let said = said.filter(|value| *value != Truth::Unknown);
                said.for_each(|value| standing.builder.label(new, prop, value));
            }
        }
    }
}
