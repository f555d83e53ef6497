//! The thorough semantics (X §2.2) by trying every refinement.

use super::partial::Partial;
use super::refinements::Refinements;
use super::semantics::Element;
use super::space::{Set, Space, set_of};
use logic::{Formula, Truth};
use model::PartialModel;

/// More refinements than this are not tried.
const AFFORDABLE: u128 = 1 << 14;

/// More concrete states than this have too many sets.
const MOST: usize = 8;

/// The value of a formula over all refinements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// ‖φ‖_t: in every refinement true in all of γ(s), or in every one false in all of it.
    pub thorough: Element,
    /// Whether some refinement satisfies the formula, beginning in a state of each initial one.
    pub is_satisfied: bool,
    /// Whether some refinement refutes it, beginning in a state of an initial one.
    pub is_refuted: bool,
}

/// Over so many concrete states for each atom. `None` if no concrete system refines the model, or too
/// many for trying.
pub fn verdicts(model: &PartialModel, formula: &Formula, copies: usize) -> Option<Verdicts> {
    let (partial, space) = (Partial::new(model), Space::new(model, |_| copies));
    if space.concrete() > MOST {
        return None;
    }
    let refinements = Refinements::new(&partial, &space);
    if refinements.is_empty() || refinements.count() > AFFORDABLE {
        return None;
    }
    let all = set_of(space.states());
    let thorough = Element { under: all, over: 0 };
    let mut verdicts = Verdicts { thorough, is_satisfied: false, is_refuted: false };
    for concrete in refinements.iter() {
        let holds = concrete.holds(formula);
        let in_all = |set: Set| set_of(space.states().filter(|&s| space.gamma(s) & !set == 0));
        verdicts.thorough.under &= in_all(holds);
        verdicts.thorough.over |= all & !in_all(!holds);
        let mut initial = model.init().iter().map(|&s| space.gamma(s));
        verdicts.is_satisfied |= initial.clone().all(|start| start & holds != 0);
        verdicts.is_refuted |= initial.any(|start| start & !holds != 0);
    }
    Some(verdicts)
}

/// By state, over two concrete states for each atom if that is affordable, else over one: what is
/// unknown over one is so over two. `None` as for [`verdicts`].
pub fn thorough(model: &PartialModel, formula: &Formula) -> Option<Vec<Truth>> {
    let answer = verdicts(model, formula, 2).or_else(|| verdicts(model, formula, 1))?;
    let truth = |s| answer.thorough.truth(s).expect("a refinement decides one way or the other");
    Some((0..model.states() as u32).map(truth).collect())
}
