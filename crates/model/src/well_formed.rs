//! Whether a partial model means anything: whether some concrete system refines it.
//!
//! A concrete state for which an atom stands is approximated by every state above the atom (X §2). So it may
//! only go where all of these allow, and must go wherever one of them says. If there is always such a step and
//! labels keep their values along `covers`, the system with one concrete state for each atom, all
//! allowed steps and the labels of the atoms refines the model; otherwise nothing does.

use crate::atom_steps::{AtomSteps, musts};
use crate::partial::PartialModel;
use crate::upsets::Upsets;
use logic::{PropId, Truth};

/// Why no concrete system refines a model. A label is also wrong that says more than one below it which is no
/// atom: the papers want labellings to be monotone throughout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IllFormed {
    /// Two exact lists of what a state covers, or a list with more than the exact one.
    Covers { state: u32 },
    /// `above` stands for all that `below` stands for and says more of a proposition (X §2: a labelling is
    /// monotone).
    Label { above: u32, below: u32, prop: PropId },
    /// A must transition of `source` that no state of `atom` may take.
    Must { source: u32, targets: Vec<u32>, atom: u32 },
}

/// The first reason why nothing refines a model of a kind whose states may cover others.
pub fn ill_formed(model: &PartialModel) -> Option<IllFormed> {
    let upsets = Upsets::new(model);
    wrong_covers(model, &upsets)
        .or_else(|| wrong_label(model, &upsets))
        .or_else(|| wrong_must(model, &upsets))
}

fn wrong_covers(model: &PartialModel, upsets: &Upsets) -> Option<IllFormed> {
    let exact = model.covers().iter().filter(|line| line.exactly);
    let wrong = |line: &&crate::Covers| {
        let listed = upsets.of_all(line.covered.iter().copied());
        listed != upsets.of(line.state)
    };
    exact.clone().find(wrong).map(|line| IllFormed::Covers { state: line.state })
}

fn wrong_label(model: &PartialModel, upsets: &Upsets) -> Option<IllFormed> {
    let first = by_first_atom(model, upsets);
    for above in (0..model.states() as u32).filter(|&state| upsets.of(state) != [state]) {
        let said: Vec<PropId> = model
            .props()
            .iter()
            .map(|(prop, _)| prop)
            .filter(|&prop| model.label(above, prop) != Truth::Unknown)
            .collect();
        let unsaid = |below: u32| {
            said.iter().copied().find(|&p| model.label(below, p) != model.label(above, p))
        };
        let near = upsets.of(above).iter().flat_map(|&atom| &first[atom as usize]);
        // Precision is compared only where the labels differ.
        let wrong = near.filter_map(|&below| Some((below, unsaid(below)?)));
        let wrong = wrong.filter(|&(below, _)| upsets.is_less_precise(above, below)).min();
        if let Some((below, prop)) = wrong {
            return Some(IllFormed::Label { above, below, prop });
        }
    }
    None
}

/// By atom: the states that stand for it and for none before it. Among those of the atoms of a state is every
/// one that is more precise.
fn by_first_atom(model: &PartialModel, upsets: &Upsets) -> Vec<Vec<u32>> {
    let mut states = vec![Vec::new(); model.states()];
    for state in 0..model.states() as u32 {
        if let Some(&atom) = upsets.of(state).first() {
            states[atom as usize].push(state);
        }
    }
    states
}

fn wrong_must(model: &PartialModel, upsets: &Upsets) -> Option<IllFormed> {
    let steps = AtomSteps::new(model, upsets);
    upsets.atoms().iter().find_map(|&atom| {
        let allowed = steps.allowed(atom);
        let is_wrong =
            |targets: &Vec<u32>| !targets.iter().any(|atom| allowed.binary_search(atom).is_ok());
        upsets.above(atom).iter().find_map(|&source| {
            let wrong = steps.musts(source).iter().position(is_wrong)?;
            let targets = musts(model, source).nth(wrong)?;
            Some(IllFormed::Must { source, targets, atom })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Mode, ModelBuilder};

    /// A state that covers all others, and a chain in which each covers the rest: neither is looked through again
    /// for every atom.
    #[test]
    fn many_states_are_covered() {
        for (atoms, is_chain) in [(30_000, false), (1_000, true)] {
            let mut builder = ModelBuilder::new(Kind::MixTs, "M");
            let below: Vec<u32> = (0..atoms).map(|n| builder.state(format!("s{n}"))).collect();
            for (from, to) in below.iter().zip(below.iter().cycle().skip(1)) {
                builder.edge(*from, None, Mode::BOTH, *to);
            }
            let coarse = if is_chain { atoms - 1 } else { 1 };
            for first in 0..coarse {
                let state = builder.state(format!("u{first}"));
                builder.covers(state, below[first as usize..].to_vec(), true);
                below.iter().for_each(|&target| builder.edge(state, None, Mode::MAY, target));
            }
            let model = builder.finish();
            assert_eq!(ill_formed(&model), None);
            assert_eq!(model.reduced().states(), below.len());
        }
    }
}
