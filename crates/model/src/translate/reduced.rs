//! The reduced semantics of a model as the standard semantics of another: a GKMTS over the atoms.
//!
//! All values of RIS are monotone (X §4.2), so what they are at the atoms says all, and a state satisfies a
//! formula after a last RED if its atoms do. An atom satisfies ◇φ if a state above it must go to a set Q all
//! of whose atoms satisfy φ: a must transition of the atom to the set ↑Q. It refutes ◇φ if all atoms that it is
//! allowed to go to refute φ. Hence RIS of the monotone closure of a model (`monotone`) is SIS here.

use crate::atom_steps::AtomSteps;
use crate::edges::Mode;
use crate::partial::{Kind, ModelBuilder, PartialModel};
use crate::system::{Component, System};
use crate::upsets::Upsets;
use logic::Truth;

impl PartialModel {
    /// The GKMTS over the atoms α\[S\], in their order, or a model of a narrower kind if it is one.
    #[must_use]
    pub fn reduced(&self) -> PartialModel {
        let upsets = Upsets::new(self);
        let number = |atom: u32| upsets.atoms().partition_point(|&other| other < atom) as u32;
        let numbers = |atoms: &[u32]| atoms.iter().map(|&atom| number(atom)).collect::<Vec<u32>>();
        let mut builder = self.atoms_alone(&upsets);
        let steps = AtomSteps::new(self, &upsets);
        for (source, &atom) in (0..).zip(upsets.atoms()) {
            for target in steps.allowed(atom) {
                builder.edge(source, None, Mode::MAY, number(target));
            }
            for targets in steps.strongest(upsets.above(atom)) {
                builder.hyper(source, numbers(&targets));
            }
        }
        let starts: Vec<Vec<u32>> =
            self.init().iter().map(|&state| numbers(upsets.of(state))).collect();
        starts.iter().flatten().for_each(|&state| builder.init(state));
        let mut model = builder.finish();
        model.kind = model.narrowest_kind();
        if starts.iter().any(|start| start.len() > 1) {
            model.starts = starts;
        }
        model
    }

    /// The atoms and their labels.
    fn atoms_alone(&self, upsets: &Upsets) -> ModelBuilder {
        let mut builder = ModelBuilder::new(Kind::Gkmts, self.name.as_str());
        upsets.atoms().iter().for_each(|&atom| _ = builder.state(self.state_name(atom)));
        for (prop, name) in self.props().iter() {
            let own = builder.prop(name);
            for (state, &atom) in (0..).zip(upsets.atoms()) {
                builder.label(state, own, self.label(atom, prop));
            }
        }
        builder
    }

    /// The value in every state, given those in the atoms: a last RED (X §4.2).
    pub fn values_from_atoms(&self, value: impl Fn(u32) -> Truth) -> Vec<Truth> {
        let upsets = Upsets::new(self);
        let mut of_atom = vec![Truth::Unknown; self.states()];
        for (number, &atom) in (0..).zip(upsets.atoms()) {
            of_atom[atom as usize] = value(number);
        }
        let joint = |state: u32| {
            let mut values = upsets.of(state).iter().map(|&atom| of_atom[atom as usize]);
            let first = values.next().unwrap_or(Truth::Unknown);
            if values.all(|value| value == first) { first } else { Truth::Unknown }
        };
        (0..self.states() as u32).map(joint).collect()
    }
}

impl System {
    /// Whether states of some component cover others, so that the reduced semantics says more.
    pub fn has_covers(&self) -> bool {
        self.components.iter().any(|part| !part.model.covers().is_empty())
    }

    /// Reduces every component whose states cover others to its atoms.
    #[must_use]
    pub fn reduced(&self) -> System {
        let reduce = |part: &Component| match part.model.covers() {
            [] => part.clone(),
            _ => Component { model: part.model.reduced(), ..part.clone() },
        };
        System { components: self.components.iter().map(reduce).collect(), sync: self.sync.clone() }
    }
}
