//! The reachable states: a least fixpoint of images of the frontier.

use crate::structure::Structure;
use bdd::{Bdd, Stop};

impl Structure {
    /// Those that are reached over may steps, found in rounds. Parts of the relation are taken one after
    /// the other within a round, each from what the ones before have found.
    pub fn reachable(&mut self) -> Result<Bdd, Stop> {
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
        Ok(reached)
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
