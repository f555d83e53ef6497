//! Whether a partial model means anything: whether some concrete system refines it.
//!
//! A concrete state for which an atom stands is approximated by every state above the atom (X §2). So it may
//! only go where all of these allow, and must go wherever one of them says. If there is always such a step and
//! labels do not change their mind on the way down, the system with one concrete state for each atom, all
//! allowed steps and the labels of the atoms refines the model; otherwise nothing does.

use crate::partial::Model;
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
    /// What `source` must do, no state that `atom` stands for may.
    Must { source: u32, targets: Vec<u32>, atom: u32 },
}

/// Every must transition of a state, to a set each.
pub(crate) fn musts(model: &Model, state: u32) -> impl Iterator<Item = Vec<u32>> {
    let single = model.edges().out(state).filter(|(_, class)| class.mode.must);
    let single = single.map(|(target, _)| vec![target]);
    single.chain(model.hyper_from(state).iter().map(|hyper| hyper.targets.clone()))
}

/// The atoms that a concrete state for which `atom` stands may go to, rising.
pub(crate) fn allowed(model: &Model, upsets: &Upsets, atom: u32) -> Vec<u32> {
    let own = |&state: &u32| {
        let may = model.edges().out(state).filter(|(_, class)| class.mode.may);
        upsets.of_all(may.map(|(target, _)| target))
    };
    let by_all = upsets.above(atom).iter().map(own).reduce(|mut allowed, own| {
        allowed.retain(|target| own.binary_search(target).is_ok());
        allowed
    });
    by_all.unwrap_or_default()
}

/// The first reason why nothing refines a model of a kind whose states may cover others.
pub fn ill_formed(model: &Model) -> Option<IllFormed> {
    let upsets = Upsets::new(model);
    wrong_covers(model, &upsets)
        .or_else(|| wrong_label(model, &upsets))
        .or_else(|| wrong_must(model, &upsets))
}

fn wrong_covers(model: &Model, upsets: &Upsets) -> Option<IllFormed> {
    let exact = model.covers().iter().filter(|line| line.exactly);
    let wrong = |line: &&crate::Covers| {
        let listed = upsets.of_all(line.covered.iter().copied());
        listed != upsets.of(line.state)
    };
    exact.clone().find(wrong).map(|line| IllFormed::Covers { state: line.state })
}

fn wrong_label(model: &Model, upsets: &Upsets) -> Option<IllFormed> {
    for above in (0..model.states() as u32).filter(|&state| upsets.of(state) != [state]) {
        for below in below(upsets, above) {
            let says_more = |prop: &PropId| {
                let value = model.label(above, *prop);
                value != Truth::Unknown && model.label(below, *prop) != value
            };
            let wrong = model.props().iter().map(|(prop, _)| prop).find(says_more);
            if let Some(prop) = wrong {
                return Some(IllFormed::Label { above, below, prop });
            }
        }
    }
    None
}

/// The other states that stand for nothing else than a state does, rising.
fn below(upsets: &Upsets, state: u32) -> impl Iterator<Item = u32> {
    let near = upsets.of(state).iter().flat_map(|&atom| upsets.above(atom).iter().copied());
    let mut near: Vec<u32> = near.filter(|&other| other != state).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().filter(move |&other| upsets.is_less_precise(state, other))
}

fn wrong_must(model: &Model, upsets: &Upsets) -> Option<IllFormed> {
    upsets.atoms().iter().find_map(|&atom| {
        let allowed = allowed(model, upsets, atom);
        let mut above = upsets.above(atom).iter();
        above.find_map(|&source| {
            let is_allowed = |atom: &u32| allowed.binary_search(atom).is_ok();
            let is_wrong =
                |targets: &Vec<u32>| !upsets.of_all(targets.iter().copied()).iter().any(is_allowed);
            let targets = musts(model, source).find(is_wrong)?;
            Some(IllFormed::Must { source, targets, atom })
        })
    })
}
