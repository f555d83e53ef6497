//! Simplification where only some places count (Coudert and Madre's restrict).
//!
//! Variables that only the care set depends on are quantified on the way, which can make it much larger; then
//! the function is better left as it is.

use super::node::{Edge, FALSE, TRUE};
use super::{Kernel, Op};
use crate::Stop;

/// As many times the nodes of both operands may be made.
const WORTH: usize = 2;

impl Kernel {
    /// A function that is `f` wherever `care` holds, and not a larger one.
    pub fn restrict(&mut self, f: Edge, care: Edge) -> Result<Edge, Stop> {
        let size = self.size([f].into_iter());
        let worth = (size + self.size([care].into_iter())) * WORTH;
        let limit = self.crowded_at;
        self.crowded_at = limit.min(self.used + worth);
        let restricted = self.restrict_at_any_cost(f, care);
        let is_too_much = self.crowded_at < limit;
        self.crowded_at = limit;
        match restricted {
            Ok(simple) if self.size([simple].into_iter()) < size => Ok(simple),
            Err(Stop::Crowded) if !is_too_much => Err(Stop::Crowded),
            Ok(_) | Err(Stop::Crowded) => Ok(f),
            Err(stop) => Err(stop),
        }
    }

    fn restrict_at_any_cost(&mut self, f: Edge, care: Edge) -> Result<Edge, Stop> {
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
            self.restrict_at_any_cost(f, either)?
        } else {
            let (f1, f0) = self.cofactors(f, level);
            if c1 == FALSE {
                self.restrict_at_any_cost(f0, c0)?
            } else if c0 == FALSE {
                self.restrict_at_any_cost(f1, c1)?
            } else {
                let high = self.restrict_at_any_cost(f1, c1)?;
                let low = self.restrict_at_any_cost(f0, c0)?;
                self.make(self.vars[level as usize], high, low)?
            }
        };
        self.cache.put(Op::Restrict, f, care, TRUE, result);
        Ok(result.with_sign_of(sign))
    }
}
