//! And, exclusive or, if-then-else.

use super::node::{Edge, FALSE, TRUE};
use super::{Kernel, Op, Split};
use crate::Stop;

impl Kernel {
    pub fn and(&mut self, f: Edge, g: Edge) -> Result<Edge, Stop> {
        if f == g || g == TRUE {
            return Ok(f);
        }
        if f == TRUE {
            return Ok(g);
        }
        if f == FALSE || g == FALSE || f == !g {
            return Ok(FALSE);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(known) = self.cache.get(Op::And, f, g, TRUE) {
            return Ok(known);
        }
        self.tick()?;
        let Split { var, high, low } = self.split(f, g);
        let high = self.and(high.0, high.1)?;
        let low = self.and(low.0, low.1)?;
        let result = self.make(var, high, low)?;
        self.cache.put(Op::And, f, g, TRUE, result);
        Ok(result)
    }

    pub fn or(&mut self, f: Edge, g: Edge) -> Result<Edge, Stop> {
        Ok(!self.and(!f, !g)?)
    }

    pub fn xor(&mut self, f: Edge, g: Edge) -> Result<Edge, Stop> {
        if f.is_constant() {
            return Ok(if f == TRUE { !g } else { g });
        }
        if g.is_constant() {
            return Ok(if g == TRUE { !f } else { f });
        }
        // Signs go outside.
        let sign = Edge((f.0 ^ g.0) & 1);
        let (f, g) = (f.positive(), g.positive());
        if f == g {
            return Ok(FALSE.with_sign_of(sign));
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(known) = self.cache.get(Op::Xor, f, g, TRUE) {
            return Ok(known.with_sign_of(sign));
        }
        self.tick()?;
        let Split { var, high, low } = self.split(f, g);
        let high = self.xor(high.0, high.1)?;
        let low = self.xor(low.0, low.1)?;
        let result = self.make(var, high, low)?;
        self.cache.put(Op::Xor, f, g, TRUE, result);
        Ok(result.with_sign_of(sign))
    }

    pub fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, Stop> {
        if let Some(simple) = self.simple_ite(f, g, h) {
            return simple;
        }
        // A variable above the others.
        let of_f = *self.node(f);
        if of_f.high == TRUE && of_f.low == FALSE {
            let level = self.levels[of_f.var as usize];
            if level < self.level(g) && level < self.level(h) {
                let (high, low) = if f.is_negated() { (h, g) } else { (g, h) };
                return self.make(of_f.var, high, low);
            }
        }
        // The condition and the first branch are made positive.
        let (f, g, h) = if f.is_negated() { (!f, h, g) } else { (f, g, h) };
        let sign = Edge(g.0 & 1);
        let (g, h) = (g.with_sign_of(sign), h.with_sign_of(sign));
        if let Some(known) = self.cache.get(Op::Ite, f, g, h) {
            return Ok(known.with_sign_of(sign));
        }
        self.tick()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let (f1, f0) = self.cofactors(f, level);
        let (g1, g0) = self.cofactors(g, level);
        let (h1, h0) = self.cofactors(h, level);
        let high = self.ite(f1, g1, h1)?;
        let low = self.ite(f0, g0, h0)?;
        let result = self.make(self.vars[level as usize], high, low)?;
        self.cache.put(Op::Ite, f, g, h, result);
        Ok(result.with_sign_of(sign))
    }

    /// The cases of `ite` with two operands.
    fn simple_ite(&mut self, f: Edge, g: Edge, h: Edge) -> Option<Result<Edge, Stop>> {
        if f.is_constant() {
            return Some(Ok(if f == TRUE { g } else { h }));
        }
        if g == h {
            return Some(Ok(g));
        }
        if g == TRUE || g == f {
            return Some(self.or(f, h));
        }
        if g == FALSE || g == !f {
            return Some(self.and(!f, h));
        }
        if h == FALSE || h == f {
            return Some(self.and(f, g));
        }
        if h == TRUE || h == !f {
            return Some(self.or(!f, g));
        }
        (g == !h).then(|| self.xor(f, h))
    }
}
