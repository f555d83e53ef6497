//! Simplification where only some places count (Coudert and Madre's restrict).

use super::node::{Edge, FALSE, TRUE};
use super::{Kernel, Op};
use crate::Stop;

impl Kernel {
    /// A function that is `f` wherever `care` holds, hopefully a smaller one.
    pub fn restrict(&mut self, f: Edge, care: Edge) -> Result<Edge, Stop> {
        if care.is_constant() || f.is_constant() {
            return Ok(f);
        }
        if f == care {
            return Ok(TRUE);
        }
        if f == !care {
            return Ok(FALSE);
        }
        // Signs go outside.
        let (sign, f) = (f, f.positive());
        if let Some(known) = self.cache.get(Op::Restrict, f, care, TRUE) {
            return Ok(known.with_sign_of(sign));
        }
        self.tick()?;
        let (of_f, of_care) = (self.level(f), self.level(care));
        let level = of_f.min(of_care);
        let (c1, c0) = self.cofactors(care, level);
        let result = if of_care < of_f {
            let either = self.or(c1, c0)?;
            self.restrict(f, either)?
        } else {
            let (f1, f0) = self.cofactors(f, level);
            if c1 == FALSE {
                self.restrict(f0, c0)?
            } else if c0 == FALSE {
                self.restrict(f1, c1)?
            } else {
                let high = self.restrict(f1, c1)?;
                let low = self.restrict(f0, c0)?;
                self.make(self.vars[level as usize], high, low)?
            }
        };
        self.cache.put(Op::Restrict, f, care, TRUE, result);
        Ok(result.with_sign_of(sign))
    }
}
