//! GTOM and MTOK (X Def. 4 and Def. 5), to the letter. A new state goes by what it stands for.

use super::partial::Partial;
use super::semantics::Element;
use super::space::{Set, Space, members, set_of};

/// A statespace that new states are added to.
struct Growing {
    space: Space,
    old: usize,
}

impl Growing {
    fn new(space: &Space) -> Self {
        Self { space: space.clone(), old: space.states().len() }
    }

    /// The state that stands for this, a new one if there is none.
    fn state(&mut self, gamma: Set) -> u32 {
        let known = self.space.states().find(|&s| self.space.gamma(s) == gamma);
        known.unwrap_or_else(|| {
            self.space = self.space.with([gamma]);
            self.space.states().len() as u32 - 1
        })
    }

    /// S⁺.
    fn new_states(&self) -> std::ops::Range<u32> {
        self.old as u32..self.space.states().len() as u32
    }

    /// The old states with γ(s) ⊆ γ(a).
    fn within(&self, a: u32) -> impl Iterator<Item = u32> {
        (0..self.old as u32).filter(move |&s| self.space.is_less_precise(a, s))
    }
}

/// GTOM(G) with its labelling (X Def. 4).
pub fn gtom(model: &Partial, space: &Space) -> (Partial, Space) {
    let mut growing = Growing::new(space);
    let mut must: Vec<Vec<Set>> = Vec::new();
    for sets in &model.must {
        let plain: Set = set_of(sets.iter().map(|&set| growing.state(space.gamma_of(set))));
        must.push(singles(plain));
    }
    must.resize(growing.space.states().len(), Vec::new());
    let mut may = model.may.clone();
    may.extend(
        growing
            .new_states()
            .map(|a| growing.within(a).fold(0, |set, s| set | model.may[s as usize])),
    );
    let label = |label: &Element| {
        let all_in = |set: Set, a| growing.within(a).all(|s| set >> s & 1 == 1);
        let known = growing.new_states().filter(|&a| all_in(label.under, a));
        let open = growing.new_states().filter(|&a| !all_in(!label.over, a));
        Element { under: label.under | set_of(known), over: label.over | set_of(open) }
    };
    let labels = model.labels.iter().map(label).collect();
    (Partial { may, must, labels }, growing.space)
}

/// MTOK(M) with its labelling (X Def. 5). The labelling of a new state leaves out what all of its atoms
/// agree on, though RED would find it; it is said here, or SIS would lose what MTOK has gained.
pub fn mtok(model: &Partial, space: &Space) -> (Partial, Space) {
    let must: Vec<Set> = model.must.iter().map(|sets| sets.iter().fold(0, |a, b| a | b)).collect();
    let must_only = |a: u32| members(must[a as usize] & !model.may[a as usize]);
    let mut growing = Growing::new(space);
    let mut arrow =
        |a: u32, b: u32| growing.state(space.gamma(b) & space.gamma_of(model.may[a as usize]));
    let mut arrows = vec![Vec::new(); model.states()];
    for a in space.states() {
        arrows[a as usize] = must_only(a).map(|b| (b, arrow(a, b))).collect();
    }
    let states = growing.space.states().len();
    let (mut new_may, mut new_must) = (vec![0; states], vec![0; states]);
    for a in space.states() {
        new_may[a as usize] |= model.may[a as usize];
        new_must[a as usize] |= must[a as usize] & model.may[a as usize];
        for &(b, arrow) in &arrows[a as usize] {
            // REPL
            new_may[a as usize] |= 1 << arrow;
            new_must[a as usize] |= 1 << arrow;
            if growing.new_states().contains(&arrow) {
                // IMAY, IMUST, IMO
                let further = set_of(arrows[b as usize].iter().map(|&(_, arrow)| arrow));
                let (may, must) = (model.may[b as usize], must[b as usize]);
                new_may[arrow as usize] |= may | further;
                new_must[arrow as usize] |= (must & may) | further;
            }
        }
    }
    let label = |label: &Element| {
        let above =
            |a: u32| set_of(space.states().filter(|&s| growing.space.is_less_precise(s, a)));
        let atoms = |a: u32| set_of(growing.within(a)) & space.image();
        let said = |set: Set| {
            let new = growing.new_states();
            set_of(new.filter(|&a| above(a) & set != 0 || atoms(a) & !set == 0))
        };
        let all = set_of(growing.space.states());
        let refuted = set_of(space.states()) & !label.over;
        Element { under: label.under | said(label.under), over: all & !(refuted | said(refuted)) }
    };
    let labels = model.labels.iter().map(label).collect();
    let must = new_must.into_iter().map(singles).collect();
    (Partial { may: new_may, must, labels }, growing.space)
}

fn singles(set: Set) -> Vec<Set> {
    members(set).map(|t| 1 << t).collect()
}
