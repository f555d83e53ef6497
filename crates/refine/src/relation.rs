//! The steps of one component, as a conjunction that is never made in one piece.
//!
//! In both directions the conjuncts are taken in the same order, and a variable is quantified with the last
//! conjunct that depends on it.

use bdd::{Cube, Diagrams, Renaming, Set, Stop, Var};
use rustc_hash::FxHashMap;

/// Conjuncts are put together while the result has at most so many nodes.
const LARGE: usize = 2_000;

/// The truth variables of a component.
#[derive(Clone, Default)]
pub(crate) struct Frame {
    /// Now and next.
    pub states: Vec<(Var, Var)>,
    pub inputs: Vec<Var>,
}

pub(crate) struct Relation {
    conjuncts: Vec<Set>,
    forward: Vec<Cube>,
    backward: Vec<Cube>,
    to_next: Renaming,
    to_now: Renaming,
}

impl Relation {
    pub fn new(all: Vec<Set>, frame: &Frame, diagrams: &mut Diagrams) -> Result<Self, Stop> {
        let conjuncts = put_together(all, diagrams)?;
        let now = frame.states.iter().map(|pair| pair.0).chain(frame.inputs.iter().copied());
        let next = frame.states.iter().map(|pair| pair.1).chain(frame.inputs.iter().copied());
        let forward = cubes(&conjuncts, now, diagrams)?;
        let backward = cubes(&conjuncts, next, diagrams)?;
        let back: Vec<(Var, Var)> = frame.states.iter().map(|&(now, next)| (next, now)).collect();
        let (to_next, to_now) = (diagrams.renaming(&frame.states), diagrams.renaming(&back));
        Ok(Self { conjuncts, forward, backward, to_next, to_now })
    }

    /// Where steps lead from here.
    pub fn image(&self, from: &Set, diagrams: &mut Diagrams) -> Result<Set, Stop> {
        let there = self.run(from, &self.forward, diagrams)?;
        diagrams.rename(&there, self.to_now)
    }

    /// From where a step leads there.
    pub fn pre_image(&self, to: &Set, diagrams: &mut Diagrams) -> Result<Set, Stop> {
        let there = diagrams.rename(to, self.to_next)?;
        self.run(&there, &self.backward, diagrams)
    }

    fn run(&self, set: &Set, cubes: &[Cube], diagrams: &mut Diagrams) -> Result<Set, Stop> {
        let mut product = diagrams.exists(set, &cubes[0])?;
        for (conjunct, cube) in self.conjuncts.iter().zip(&cubes[1..]) {
            product = diagrams.and_exists(&product, conjunct, cube)?;
        }
        Ok(product)
    }
}

fn put_together(all: Vec<Set>, diagrams: &mut Diagrams) -> Result<Vec<Set>, Stop> {
    let mut conjuncts: Vec<Set> = Vec::new();
    for conjunct in all.into_iter().filter(|conjunct| !conjunct.is_full()) {
        if let Some(last) = conjuncts.last_mut()
            && diagrams.size([&*last, &conjunct]) <= LARGE
        {
            let both = diagrams.and(last, &conjunct)?;
            if diagrams.size([&both]) <= LARGE {
                *last = both;
                continue;
            }
        }
        conjuncts.push(conjunct);
    }
    Ok(conjuncts)
}

/// What is quantified before the first conjunct, because none depends on it, and with each of them.
fn cubes(
    conjuncts: &[Set],
    quantified: impl Iterator<Item = Var>,
    diagrams: &mut Diagrams,
) -> Result<Vec<Cube>, Stop> {
    let mut last: FxHashMap<Var, usize> = FxHashMap::default();
    for (place, conjunct) in conjuncts.iter().enumerate() {
        last.extend(diagrams.support(conjunct).into_iter().map(|var| (var, place + 1)));
    }
    let mut vars: Vec<Vec<Var>> = vec![Vec::new(); conjuncts.len() + 1];
    for var in quantified {
        vars[last.get(&var).copied().unwrap_or(0)].push(var);
    }
    vars.into_iter().map(|vars| diagrams.cube(vars)).collect()
}
