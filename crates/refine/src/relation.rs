//! The steps of one component, as a conjunction that is never made in one piece.
//!
//! In both directions the conjuncts are taken in the same order, and a variable is quantified with the last
//! conjunct that depends on it.

use bdd::{Bdd, BddVar, Cube, Manager, Renaming, Stop};
use rustc_hash::FxHashMap;

/// Conjuncts are put together while the result has at most so many nodes.
const LARGE: usize = 2_000;

/// The truth variables of a component.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    /// Now and next.
    pub states: Vec<(BddVar, BddVar)>,
    pub inputs: Vec<BddVar>,
}

pub(crate) struct Relation {
    conjuncts: Vec<Bdd>,
    forward: Vec<Cube>,
    backward: Vec<Cube>,
    to_next: Renaming,
    to_now: Renaming,
}

impl Relation {
    pub fn new(all: Vec<Bdd>, frame: &Frame, manager: &mut Manager) -> Result<Self, Stop> {
        let conjuncts = put_together(all, manager)?;
        let now = frame.states.iter().map(|pair| pair.0).chain(frame.inputs.iter().copied());
        let next = frame.states.iter().map(|pair| pair.1).chain(frame.inputs.iter().copied());
        let forward = cubes(&conjuncts, now, manager)?;
        let backward = cubes(&conjuncts, next, manager)?;
        let back: Vec<(BddVar, BddVar)> =
            frame.states.iter().map(|&(now, next)| (next, now)).collect();
        let (to_next, to_now) = (manager.renaming(&frame.states), manager.renaming(&back));
        Ok(Self { conjuncts, forward, backward, to_next, to_now })
    }

    /// Where steps lead from here.
    pub fn image(&self, from: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        let there = self.run(from, &self.forward, manager)?;
        manager.rename(&there, self.to_now)
    }

    /// From where a step leads there.
    pub fn pre_image(&self, to: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        let there = manager.rename(to, self.to_next)?;
        self.run(&there, &self.backward, manager)
    }

    fn run(&self, set: &Bdd, cubes: &[Cube], manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut product = manager.exists(set, &cubes[0])?;
        for (conjunct, cube) in self.conjuncts.iter().zip(&cubes[1..]) {
            product = manager.and_exists(&product, conjunct, cube)?;
        }
        Ok(product)
    }
}

fn put_together(all: Vec<Bdd>, manager: &mut Manager) -> Result<Vec<Bdd>, Stop> {
    let mut conjuncts: Vec<Bdd> = Vec::new();
    for conjunct in all.into_iter().filter(|conjunct| !conjunct.is_full()) {
        if let Some(last) = conjuncts.last_mut()
            && manager.size([&*last, &conjunct]) <= LARGE
        {
            let both = manager.and(last, &conjunct)?;
            if manager.size([&both]) <= LARGE {
                *last = both;
                continue;
            }
        }
        conjuncts.push(conjunct);
    }
    Ok(conjuncts)
}

/// Early quantification: the cubes quantified before the first conjunct, because none depends on them, and with
/// each conjunct.
fn cubes(
    conjuncts: &[Bdd],
    quantified: impl Iterator<Item = BddVar>,
    manager: &mut Manager,
) -> Result<Vec<Cube>, Stop> {
    let mut last: FxHashMap<BddVar, usize> = FxHashMap::default();
    for (place, conjunct) in conjuncts.iter().enumerate() {
        last.extend(manager.support(conjunct).into_iter().map(|var| (var, place + 1)));
    }
    let mut vars: Vec<Vec<BddVar>> = vec![Vec::new(); conjuncts.len() + 1];
    for var in quantified {
        vars[last.get(&var).copied().unwrap_or(0)].push(var);
    }
    vars.into_iter().map(|vars| manager.cube(vars)).collect()
}
