//! The reduction of sets of minterms (X Fig. 2, ABSREDU): which monomials have all their minterms in a set.
//!
//! A variable of a predicate may have another beside it, which says that the predicate is unknown (X's h of b).

use super::node::{Edge, TRUE};
use super::{Kernel, Op};
use crate::Stop;

/// No variable says that this one is unknown.
pub(super) const ALWAYS_KNOWN: u32 = u32::MAX;

impl Kernel {
    /// From now on `unknown` says that `var` is. It lies above it in its group.
    pub fn add_unknown(&mut self, var: u32, unknown: u32) {
        debug_assert_eq!(self.groups[var as usize], self.groups[unknown as usize]);
        debug_assert!(self.levels[unknown as usize] < self.levels[var as usize]);
        if self.unknowns.len() <= var as usize {
            self.unknowns.resize(var as usize + 1, ALWAYS_KNOWN);
        }
        self.unknowns[var as usize] = unknown;
    }

    /// Reduces where the variable has the value; elsewhere the result is the function itself or its reduction.
    pub fn reduce_where(
        &mut self,
        f: Edge,
        (var, is_true): (u32, bool),
        cube: Edge,
    ) -> Result<Edge, Stop> {
        if self.node(f).var != var {
            return self.reduce(f, cube);
        }
        let (mut high, mut low) = self.cofactors(f, self.level(f));
        let half = if is_true { &mut high } else { &mut low };
        *half = self.reduce(*half, cube)?;
        self.make(var, high, low)
    }

    /// ABSREDU for the predicates of the cube; the others stay known. The function depends neither on the
    /// variables that say that one of these is unknown nor on others between the two.
    pub fn reduce(&mut self, f: Edge, cube: Edge) -> Result<Edge, Stop> {
        let level = self.level(f);
        let cube = self.below(cube, level);
        if f.is_constant() || cube == TRUE {
            return Ok(f);
        }
        if let Some(known) = self.cache.get(Op::Reduce, f, cube, TRUE) {
            return Ok(known);
        }
        self.tick()?;
        let (f1, f0) = self.cofactors(f, level);
        let chosen = *self.node(cube);
        let var = self.vars[level as usize];
        let rest = if chosen.var == var { chosen.high } else { cube };
        let high = self.reduce(f1, rest)?;
        let low = self.reduce(f0, rest)?;
        let mut result = self.make(var, high, low)?;
        if let Some(&unknown) = self.unknowns.get(var as usize)
            && chosen.var == var
            && unknown != ALWAYS_KNOWN
        {
            // ↑a lies in a set iff ↑(a ∧ p) and ↑(a ∧ ¬p) do (X §5).
            let both = self.and(high, low)?;
            result = self.make(unknown, both, result)?;
        }
        self.cache.put(Op::Reduce, f, cube, TRUE, result);
        Ok(result)
    }
}
