//! The reachable states: a least fixpoint of images of the frontier.

use crate::structure::Structure;
use bdd::{Bdd, Manager, Stop};

/// More layers, or layers of more nodes together, are not kept.
const MOST_LAYERS: usize = 4_000;
const MOST_NODES: usize = 400_000;

/// The reachable states in the order in which they were found: a state of a layer has a predecessor in an earlier one.
/// None are kept if they are many or large.
pub(crate) struct Layers {
    pub sets: Vec<Bdd>,
    nodes: usize,
    is_kept: bool,
}

impl Layers {
    fn new(init: &Bdd, is_kept: bool) -> Self {
        let sets = if is_kept { vec![init.clone()] } else { Vec::new() };
        Self { sets, nodes: 0, is_kept }
    }

    fn push(&mut self, new: &Bdd, manager: &Manager) {
        if !self.is_kept {
            return;
        }
        self.nodes += manager.size([new]);
        self.sets.push(new.clone());
        if self.sets.len() > MOST_LAYERS || self.nodes > MOST_NODES {
            self.sets = Vec::new();
            self.is_kept = false;
        }
    }
}

impl Structure {
    /// Those that are reached over may steps.
    pub fn reachable(&mut self) -> Result<Bdd, Stop> {
        let layers = Layers::new(&self.init, false);
        self.reach(layers).map(|(reached, _)| reached)
    }

    /// The reachable states, with the layers in which they were found.
    pub fn reachable_in_layers(&mut self) -> Result<(Bdd, Vec<Bdd>), Stop> {
        let layers = Layers::new(&self.init, true);
        self.reach(layers).map(|(reached, layers)| (reached, layers.sets))
    }

    /// In rounds. Parts of the relation are taken one after the other within a round, each from what the ones before
    /// have found.
    fn reach(&mut self, mut layers: Layers) -> Result<(Bdd, Layers), Stop> {
        let mut reached = self.init.clone();
        let mut frontier = reached.clone();
        while !frontier.is_empty() {
            self.manager.monitor().step(1).map_err(Stop::Stopped)?;
            let before = reached.clone();
            for part in &self.may.parts {
                // From what earlier parts have found in this round too, and again from what it finds itself.
                let mut from = frontier.clone();
                loop {
                    let there = part.image(&from, &mut self.manager)?;
                    let there = self.manager.and(&there, &self.states)?;
                    let new = self.manager.minus(&there, &reached)?;
                    if new.is_empty() {
                        break;
                    }
                    layers.push(&new, &self.manager);
                    reached = self.manager.or(&reached, &new)?;
                    frontier = self.manager.or(&frontier, &new)?;
                    from = new;
                    if self.may.parts.len() == 1 {
                        break;
                    }
                }
            }
            let new = self.manager.minus(&reached, &before)?;
            frontier = self.simpler(&new, &reached, &before)?;
        }
        Ok((reached, layers))
    }

    /// Some set between what is new and all, whichever is smaller.
    pub fn simpler(&mut self, new: &Bdd, all: &Bdd, old: &Bdd) -> Result<Bdd, Stop> {
        if new.is_empty() {
            return Ok(new.clone());
        }
        let between = self.manager.restrict(all, &old.not())?;
        let is_smaller = self.manager.size([&between]) < self.manager.size([new]);
        Ok(if is_smaller { between } else { new.clone() })
    }
}
