//! Quantification, alone and fused with conjunction: the relational product.

use super::node::{Edge, FALSE, TRUE};
use super::{Kernel, Op, Split};
use crate::Stop;

impl Kernel {
    /// The cube without its variables above this level.
    #[inline]
    pub(super) fn below(&self, mut cube: Edge, level: u32) -> Edge {
        while self.level(cube) < level {
            cube = self.node(cube).high;
        }
        cube
    }

    /// For some values of the variables of the cube.
    pub fn exists(&mut self, f: Edge, cube: Edge) -> Result<Edge, Stop> {
        let level = self.level(f);
        let cube = self.below(cube, level);
        if f.is_constant() || cube == TRUE {
            return Ok(f);
        }
        if let Some(known) = self.cache.get(Op::Exists, f, cube, TRUE) {
            return Ok(known);
        }
        self.tick()?;
        let (f1, f0) = self.cofactors(f, level);
        let result = if self.level(cube) == level {
            let rest = self.node(cube).high;
            let high = self.exists(f1, rest)?;
            if high == TRUE {
                TRUE
            } else {
                let low = self.exists(f0, rest)?;
                self.or(high, low)?
            }
        } else {
            let high = self.exists(f1, cube)?;
            let low = self.exists(f0, cube)?;
            self.make(self.vars[level as usize], high, low)?
        };
        self.cache.put(Op::Exists, f, cube, TRUE, result);
        Ok(result)
    }

    /// `∃ cube. f ∧ g` without the conjunction in between.
    pub fn and_exists(&mut self, f: Edge, g: Edge, cube: Edge) -> Result<Edge, Stop> {
        if f == FALSE || g == FALSE || f == !g {
            return Ok(FALSE);
        }
        if f == TRUE || f == g {
            return self.exists(g, cube);
        }
        if g == TRUE {
            return self.exists(f, cube);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let level = self.level(f).min(self.level(g));
        let cube = self.below(cube, level);
        if cube == TRUE {
            return self.and(f, g);
        }
        if let Some(known) = self.cache.get(Op::AndExists, f, g, cube) {
            return Ok(known);
        }
        self.tick()?;
        let Split { var, high, low } = self.split(f, g);
        let chosen = self.node(cube);
        let result = if chosen.var == var {
            self.some_of(high, low, chosen.high)?
        } else {
            let high = self.and_exists(high.0, high.1, cube)?;
            let low = self.and_exists(low.0, low.1, cube)?;
            self.make(var, high, low)?
        };
        self.cache.put(Op::AndExists, f, g, cube, result);
        Ok(result)
    }

    /// One of two products, the second left out where the first decides.
    fn some_of(
        &mut self,
        (f1, g1): (Edge, Edge),
        (f0, g0): (Edge, Edge),
        cube: Edge,
    ) -> Result<Edge, Stop> {
        let high = self.and_exists(f1, g1, cube)?;
        // What one operand or the first product allows, the second product cannot add to.
        if high == TRUE || high == f0 || high == g0 {
            return Ok(high);
        }
        let low = self.and_exists(f0, g0, cube)?;
        self.or(high, low)
    }
}
