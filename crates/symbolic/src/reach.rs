//! The states that can be reached.

use crate::structure::Structure;
use bdd::{Set, Stop};

impl Structure {
    /// Those that are reached over may steps, found in rounds. Parts of the relation are taken one after
    /// the other within a round, each from what the ones before have found.
    pub fn reachable(&mut self) -> Result<Set, Stop> {
        let mut reached = self.init.clone();
        let mut frontier = reached.clone();
        while !frontier.is_empty() {
            self.diagrams.monitor().step(1).map_err(Stop::Stopped)?;
            let before = reached.clone();
            for part in &self.may.parts {
                // From what earlier parts have found in this round too, and again from what it finds itself.
                let mut from = frontier.clone();
                loop {
                    let there = part.image(&from, &mut self.diagrams)?;
                    let there = self.diagrams.and(&there, &self.states)?;
                    let new = self.diagrams.minus(&there, &reached)?;
                    if new.is_empty() {
                        break;
                    }
                    reached = self.diagrams.or(&reached, &new)?;
                    frontier = self.diagrams.or(&frontier, &new)?;
                    from = new;
                    if self.may.parts.len() == 1 {
                        break;
                    }
                }
            }
            let new = self.diagrams.minus(&reached, &before)?;
            frontier = self.simpler(&new, &reached, &before)?;
        }
        Ok(reached)
    }

    /// Some set between what is new and all, whichever is smaller.
    pub fn simpler(&mut self, new: &Set, all: &Set, old: &Set) -> Result<Set, Stop> {
        if new.is_empty() {
            return Ok(new.clone());
        }
        let between = self.diagrams.restrict(all, &old.not())?;
        let is_smaller = self.diagrams.size([&between]) < self.diagrams.size([new]);
        Ok(if is_smaller { between } else { new.clone() })
    }
}
