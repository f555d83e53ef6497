//! The lengths of paths between two sets of states, as NuSMV's `COMPUTE` has them (S. Campos, E. Clarke, W. Marrero,
//! M. Minea: Verifying the performance of the PCI local bus using symbolic techniques, ICCD 1995): a shortest path by
//! images of the frontier, a longest one by pre-images of the states that avoid the target. Only states in which a fair
//! path begins count.

use crate::checker::SymbolicChecker;
use crate::fixpoints::{Evaluation, Side};
use crate::relation::Steps;
use bdd::{Bdd, Stop};
use logic::{Extreme, Formula, PathLength};

impl SymbolicChecker {
    /// The reachable states that satisfy a formula.
    fn satisfying(&mut self, formula: &Formula) -> Result<Bdd, Stop> {
        let Self { structure, reached, .. } = self;
        Evaluation::new(structure, formula, Side::Pessimist, reached)?.node(formula.root())
    }

    /// The length of a shortest path between states of these formulas, or of a longest one.
    pub fn path_length(
        &mut self,
        extreme: Extreme,
        (from, to): (&Formula, &Formula),
        fair: &Formula,
    ) -> Result<PathLength, Stop> {
        let fair = self.satisfying(fair)?;
        let (mut from, mut to) = (self.satisfying(from)?, self.satisfying(to)?);
        from = self.structure.manager.and(&from, &fair)?;
        to = self.structure.manager.and(&to, &fair)?;
        match extreme {
            Extreme::Shortest => self.shortest(from, &to, &fair),
            Extreme::Longest if from.is_empty() || to.is_empty() => Ok(PathLength::Undefined),
            Extreme::Longest => self.longest(&from, &to, &fair),
        }
    }

    /// The number of the first layer that meets the target.
    fn shortest(&mut self, from: Bdd, to: &Bdd, fair: &Bdd) -> Result<PathLength, Stop> {
        let manager = &mut self.structure.manager;
        let (mut seen, mut frontier) = (from.clone(), from);
        for steps in 0.. {
            manager.monitor().step(1).map_err(Stop::Stopped)?;
            if !manager.and(&frontier, to)?.is_empty() {
                return Ok(PathLength::Steps(steps));
            }
            let next = self.structure.may.image(&frontier, manager)?;
            let next = manager.and(&next, fair)?;
            frontier = manager.minus(&next, &seen)?;
            if frontier.is_empty() {
                break;
            }
            seen = manager.or(&seen, &frontier)?;
        }
        Ok(PathLength::Infinite)
    }

    /// The number of steps after which no path from the beginning avoids the target any more.
    fn longest(&mut self, from: &Bdd, to: &Bdd, fair: &Bdd) -> Result<PathLength, Stop> {
        let mut avoiding = self.structure.manager.minus(fair, to)?;
        for steps in 0.. {
            self.structure.manager.monitor().step(1).map_err(Stop::Stopped)?;
            if self.structure.manager.and(&avoiding, from)?.is_empty() {
                return Ok(PathLength::Steps(steps));
            }
            let before = self.structure.pre_image(&avoiding, false, Steps::All, &avoiding)?;
            let before = self.structure.manager.and(&before, &avoiding)?;
            if before == avoiding {
                break;
            }
            avoiding = before;
        }
        Ok(PathLength::Infinite)
    }
}
