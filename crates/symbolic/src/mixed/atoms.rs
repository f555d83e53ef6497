//! Models whose states are all atoms, in BDDs: numbers in binary, at one place.
//!
//! A must transition to a set leads to a monomial, that of the predicate "is in the set". To reduce a value for
//! it is to look whether the set lies within, so that is what is done: reducing for all monomials over the
//! bits of numbers could make far more nodes than there are states.

use super::step::{HyperTransitions, ModalOperands, ProjectedStep, Step};
use super::{ControlLocation, Encoding, Label, Mixed, value};
use crate::kmts::{StateBits, numbers, steps};
use bdd::{Bdd, BddVar, Manager, Stop};
use fixedbitset::FixedBitSet;
use model::PartialModel;
use std::collections::BTreeMap;

pub(super) fn encode(model: &PartialModel, mut manager: Manager) -> Result<Mixed, Stop> {
    let [sel] = manager.add_group();
    let bits = StateBits::new(model.states(), &mut manager);
    let mut encoder = Encoder { model, bits: &bits, sel, manager: &mut manager };
    let universe = encoder.states(0..model.states() as u64)?;
    let step = encoder.step()?;
    let mut labels = Vec::new();
    for (prop, _) in model.props().iter() {
        labels.push(encoder.label(model.true_in(prop), model.false_in(prop), &universe)?);
    }
    let locations = vec![ControlLocation { steps: vec![step], choice: None, before: vec![0] }];
    let encoding = Encoding::Atoms(bits);
    Ok(Mixed {
        manager,
        sel,
        universe,
        locations,
        labels: labels.into(),
        encoding,
        minterm_projection: None,
    })
}

struct Encoder<'a> {
    model: &'a PartialModel,
    bits: &'a StateBits,
    sel: BddVar,
    manager: &'a mut Manager,
}

impl Encoder<'_> {
    /// These states, in order.
    fn states(&mut self, states: impl Iterator<Item = u64>) -> Result<Bdd, Stop> {
        numbers(self.bits.now(), &states.collect::<Vec<_>>(), self.manager)
    }

    fn step(&mut self) -> Result<Step, Stop> {
        let (now, next) = (self.bits.now(), self.bits.next());
        let pairs: Vec<(BddVar, BddVar)> = now.iter().copied().zip(next.iter().copied()).collect();
        let [may, must] = steps(self.model).remove(&None).unwrap_or_default();
        let both = self.bits.both();
        let may = numbers(&both, &may, self.manager)?;
        let must = numbers(&both, &must, self.manager)?;
        let relation = ModalOperands::new(self.manager, self.sel, &must, &may)?;
        let next = self.manager.cube(next.iter().copied())?;
        Ok(Step {
            target: 0,
            projections: vec![ProjectedStep { ignored: self.manager.cube([])?, relation, next }],
            renaming: Some(self.manager.renaming(&pairs)),
            unknown: None,
            impossible: self.manager.constant(false),
            hyper: self.hyper()?,
        })
    }

    fn hyper(&mut self) -> Result<Vec<HyperTransitions>, Stop> {
        let mut sources: BTreeMap<&[u32], Vec<u64>> = BTreeMap::new();
        for hyper in self.model.hyper() {
            sources.entry(&hyper.targets).or_default().push(u64::from(hyper.source));
        }
        let none = self.manager.constant(false);
        let mut hyper = Vec::new();
        for (targets, sources) in sources {
            let targets = self.states(targets.iter().copied().map(u64::from))?;
            let sources = self.states(sources.into_iter())?;
            hyper.push(HyperTransitions {
                sources: ModalOperands::new(self.manager, self.sel, &sources, &none)?,
                targets: ModalOperands::new(self.manager, self.sel, &targets, &none)?,
            });
        }
        Ok(hyper)
    }

    fn label(&mut self, tt: &FixedBitSet, ff: &FixedBitSet, universe: &Bdd) -> Result<Label, Stop> {
        let tt = self.states(tt.ones().map(|state| state as u64))?;
        let ff = self.states(ff.ones().map(|state| state as u64))?;
        let [not_ff, not_tt] =
            [self.manager.minus(universe, &ff)?, self.manager.minus(universe, &tt)?];
        Ok(Label::Everywhere {
            positive: value(self.manager, self.sel, &tt, &not_ff)?,
            negative: value(self.manager, self.sel, &ff, &not_tt)?,
        })
    }
}
