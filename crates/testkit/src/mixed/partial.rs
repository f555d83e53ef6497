//! A partial model as sets (X Def. 1), and what Def. 7 asks of it.

use super::semantics::Element;
use super::space::{Set, Space, members, set_of};
use logic::Truth;
use model::PartialModel;

/// By state: where it may go, and the sets that it must go to. By proposition: where it is true and
/// where it is not false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partial {
    pub may: Vec<Set>,
    pub must: Vec<Vec<Set>>,
    pub labels: Vec<Element>,
}

impl Partial {
    pub fn new(model: &PartialModel) -> Partial {
        let states = 0..model.states() as u32;
        let may = |s| {
            let out = model.edges().out(s).filter(|(_, class)| class.mode.may);
            set_of(out.map(|(t, _)| t))
        };
        let must = |s| {
            let out = model.edges().out(s).filter(|(_, class)| class.mode.must);
            let hyper = model.hyper().iter().filter(|hyper| hyper.source == s);
            let sets = hyper.map(|hyper| set_of(hyper.targets.iter().copied()));
            let mut all: Vec<Set> = out.map(|(t, _)| 1 << t).chain(sets).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let labels = |prop| Element {
            under: set_of(states.clone().filter(|&s| model.label(s, prop) == Truth::True)),
            over: set_of(states.clone().filter(|&s| model.label(s, prop) != Truth::False)),
        };
        Partial {
            may: states.clone().map(may).collect(),
            must: states.clone().map(must).collect(),
            labels: model.props().iter().map(|(prop, _)| labels(prop)).collect(),
        }
    }

    pub fn states(&self) -> usize {
        self.may.len()
    }

    /// R^must ⊆ S × S.
    pub fn is_mixed(&self) -> bool {
        self.must.iter().flatten().all(|set| set.count_ones() == 1)
    }

    /// R^must ⊆ R^may ⊆ S × S.
    pub fn is_kmts(&self) -> bool {
        let kept = |(may, must): (&Set, &Vec<Set>)| must.iter().all(|set| set & !may == 0);
        self.is_mixed() && self.may.iter().zip(&self.must).all(kept)
    }

    /// s₁ ⪯ s₂ ⇒ L(s₁) ⊆ L(s₂).
    pub fn has_monotone_labels(&self, space: &Space) -> bool {
        self.labels.iter().all(|label| label.is_monotone(space))
    }

    /// X Def. 7. For sets, which it does not speak of: what s₁ must do, s₂ must do at least as precisely,
    /// and a state that stands for all of a set is a must target beside it.
    pub fn is_monotone(&self, space: &Space) -> bool {
        let pairs = space.states().flat_map(|s| space.states().map(move |t| (s, t)));
        let mut ordered = pairs.filter(|&(s, t)| space.is_less_precise(s, t));
        ordered.all(|(s1, s2)| self.may_is_kept(space, s1, s2) && self.must_is_kept(space, s1, s2))
    }

    /// (s₂, t₂) ∈ R^may ⇒ (s₁, t₁) ∈ R^may for t₂ ⪯ t₁.
    fn may_is_kept(&self, space: &Space, s1: u32, s2: u32) -> bool {
        members(self.may[s2 as usize]).all(|t2| {
            let mut finer = space.states().filter(|&t1| space.is_less_precise(t2, t1));
            finer.all(|t1| self.may[s1 as usize] >> t1 & 1 == 1)
        })
    }

    /// (s₁, t₁) ∈ R^must ⇒ (s₂, t₂) ∈ R^must for t₂ ⪯ t₁.
    fn must_is_kept(&self, space: &Space, s1: u32, s2: u32) -> bool {
        let own = &self.must[s2 as usize];
        self.must[s1 as usize].iter().all(|&set| {
            let meant = space.gamma_of(set);
            let mut coarser = space.states().filter(|&t| meant & !space.gamma(t) == 0);
            own.iter().any(|&q| space.gamma_of(q) & !meant == 0)
                && coarser.all(|t| own.contains(&(1 << t)))
        })
    }
}
