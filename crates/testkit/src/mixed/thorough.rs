//! The thorough semantics (X §2.2) by trying every refinement.

use super::partial::Partial;
use super::refinements::Refinements;
use super::semantics::Element;
use super::space::{Set, Space, set_of};
use logic::{Formula, Truth};
use model::Model;

/// More refinements than this are not tried.
const AFFORDABLE: u128 = 1 << 16;

/// What all refinements together say of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// ‖φ‖_t: in every refinement true in all of γ(s), or in every one false in all of it.
    pub thorough: Element,
    /// Where some refinement satisfies the formula in all of γ(s).
    pub satisfied: Set,
    /// Where some refinement refutes it in all of γ(s).
    pub refuted: Set,
}

/// Over so many concrete states for each atom. `None` if no concrete system refines the model, or too
/// many for trying.
pub fn verdicts(model: &Model, formula: &Formula, copies: usize) -> Option<Verdicts> {
    let (partial, space) = (Partial::new(model), Space::new(model, |_| copies));
    let refinements = Refinements::new(&partial, &space);
    if refinements.is_empty() || refinements.count() > AFFORDABLE {
        return None;
    }
    let all = set_of(space.states());
    let mut verdicts =
        Verdicts { thorough: Element { under: all, over: 0 }, satisfied: 0, refuted: 0 };
    for concrete in refinements.iter() {
        let holds = concrete.holds(formula);
        let satisfied = set_of(space.states().filter(|&s| space.gamma(s) & !holds == 0));
        let refuted = set_of(space.states().filter(|&s| space.gamma(s) & holds == 0));
        verdicts.thorough.under &= satisfied;
        verdicts.thorough.over |= all & !refuted;
        verdicts.satisfied |= satisfied;
        verdicts.refuted |= refuted;
    }
    Some(verdicts)
}

/// By state, over two concrete states for each atom if that is affordable, else over one: what is
/// unknown over one is so over two. `None` as for [`verdicts`].
pub fn thorough(model: &Model, formula: &Formula) -> Option<Vec<Truth>> {
    let answer = verdicts(model, formula, 2).or_else(|| verdicts(model, formula, 1))?;
    let truth = |s| answer.thorough.truth(s).expect("a refinement decides one way or the other");
    Some((0..model.states() as u32).map(truth).collect())
}
