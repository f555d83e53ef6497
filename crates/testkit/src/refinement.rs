//! Random refinements: given an abstract model, a concrete one that it abstracts.

use crate::rng::Rng;
use logic::Truth;
use model::{Kind, Mode, ModelBuilder, PartialModel};

/// A model that refines another.
pub struct Refinement {
    pub model: PartialModel,
    /// By its states: the state of the abstract model that stands for it.
    pub stands_for: Vec<u32>,
}

/// Splits states, settles labels, keeps or drops what is only possible. The result is complete if
/// that is asked for and the kind allows it: a must-only transition need not have an implementation.
pub fn refinement(rng: &mut Rng, abstracted: &PartialModel, complete: bool) -> Refinement {
    let complete = complete && !matches!(abstracted.kind, Kind::MixTs | Kind::Gkmts);
    let kind = match abstracted.kind {
        Kind::Kmts if complete => Kind::Kripke,
        Kind::Mts if complete => Kind::Lts,
        kind => kind,
    };
    let mut builder = ModelBuilder::new(kind, format!("{}_refined", abstracted.name));
    // The same alphabet: components synchronise on actions that they have, used or not.
    abstracted.actions().names().for_each(|name| _ = builder.action(name));
    let mut stands_for = Vec::new();
    let mut copies = Vec::new();
    for state in 0..abstracted.states() as u32 {
        let own: Vec<u32> = (0..rng.between(1, 2))
            .map(|copy| builder.state(format!("{}_{copy}", abstracted.state_name(state))))
            .collect();
        stands_for.extend(own.iter().map(|_| state));
        copies.push(own);
    }
    let mut refiner = Refiner { rng, abstracted, complete, copies, builder };
    for &state in abstracted.init() {
        let chosen = refiner.rng.some(&refiner.copies[state as usize], 0.5);
        chosen.into_iter().for_each(|copy| refiner.builder.init(copy));
    }
    refiner.add_labels(&stands_for);
    for (copy, &state) in stands_for.iter().enumerate() {
        refiner.add_transitions(copy as u32, state);
    }
    Refinement { model: refiner.builder.finish(), stands_for }
}

struct Refiner<'a> {
    rng: &'a mut Rng,
    abstracted: &'a PartialModel,
    complete: bool,
    copies: Vec<Vec<u32>>,
    builder: ModelBuilder,
}

impl Refiner<'_> {
    fn add_labels(&mut self, stands_for: &[u32]) {
        for (prop, name) in self.abstracted.props().iter() {
            let id = self.builder.prop(name);
            for (copy, &state) in stands_for.iter().enumerate() {
                let value = match self.abstracted.label(state, prop) {
                    Truth::Unknown if self.complete => self.rng.chance(0.5).into(),
                    Truth::Unknown => *self.rng.pick(&Truth::ALL),
                    known => known,
                };
                self.builder.label(copy as u32, id, value);
            }
        }
    }

    fn add_transitions(&mut self, copy: u32, state: u32) {
        for (target, class) in self.abstracted.edges().out(state) {
            let action =
                class.action.map(|a| self.builder.action(self.abstracted.actions().name(a)));
            let targets = self.copies[target as usize].clone();
            let needed = if class.mode.must { self.rng.some(&targets, 0.4) } else { Vec::new() };
            for target in targets {
                let must = needed.contains(&target) || (class.mode.may && self.rng.chance(0.3));
                let may = class.mode.may && (must || (!self.complete && self.rng.chance(0.4)));
                if may || must {
                    self.builder.edge(copy, action, Mode { may, must }, target);
                }
            }
        }
        for hyper in self.abstracted.hyper_from(state) {
            let all: Vec<u32> =
                hyper.targets.iter().flat_map(|&t| &self.copies[t as usize]).copied().collect();
            let targets = self.rng.some(&all, 0.4);
            self.builder.hyper(copy, targets);
        }
        // Nothing limits what a mixed model promises beyond what is asked of it.
        if matches!(self.abstracted.kind, Kind::MixTs | Kind::Gkmts) && self.rng.chance(0.2) {
            let target = *self.rng.pick(&self.copies.concat());
            self.builder.edge(copy, None, Mode::MUST, target);
        }
    }
}
