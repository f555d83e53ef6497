//! Numbers as vectors of truth functions, lowest bit first: the circuits of arithmetic.
//!
//! A vector is read as a signed number in two's complement or as an unsigned one, as the caller knows.

use bdd::{Bdd, Manager, Stop};

pub(crate) type Bits = Vec<Bdd>;

/// The circuits, over the BDDs that they are made in.
pub(crate) struct Circuits<'d>(pub &'d mut Manager);

impl Circuits<'_> {
    pub fn constant(&self, value: i64, width: usize) -> Bits {
        (0..width).map(|bit| self.0.constant(value >> bit.min(63) & 1 == 1)).collect()
    }

    /// Extends a number to more bits, or takes its low bits.
    pub fn resized(&self, a: &Bits, is_signed: bool, width: usize) -> Bits {
        let fill = match a.last() {
            Some(sign) if is_signed => sign.clone(),
            _ => self.0.constant(false),
        };
        a.iter().cloned().chain(std::iter::repeat(fill)).take(width).collect()
    }

    pub fn not(&self, a: &Bits) -> Bits {
        a.iter().map(Bdd::not).collect()
    }

    pub fn each(
        &mut self,
        a: &Bits,
        b: &Bits,
        op: fn(&mut Manager, &Bdd, &Bdd) -> Result<Bdd, Stop>,
    ) -> Result<Bits, Stop> {
        a.iter().zip(b).map(|(a, b)| op(self.0, a, b)).collect()
    }

    pub fn ite(&mut self, condition: &Bdd, a: &Bits, b: &Bits) -> Result<Bits, Stop> {
        a.iter().zip(b).map(|(a, b)| self.0.ite(condition, a, b)).collect()
    }

    pub fn equal(&mut self, a: &Bits, b: &Bits) -> Result<Bdd, Stop> {
        let mut all = self.0.constant(true);
        for (a, b) in a.iter().zip(b) {
            let differ = self.0.xor(a, b)?;
            all = self.0.minus(&all, &differ)?;
        }
        Ok(all)
    }

    /// Whether `a < b`, or `a ≤ b`.
    pub fn less(
        &mut self,
        a: &Bits,
        b: &Bits,
        is_signed: bool,
        or_equal: bool,
    ) -> Result<Bdd, Stop> {
        let mut less = self.0.constant(or_equal);
        let sign = if is_signed { a.len() - 1 } else { a.len() };
        for (index, (a, b)) in a.iter().zip(b).enumerate() {
            // The sign counts the other way round.
            let (small, large) = if index == sign { (b, a) } else { (a, b) };
            let differ = self.0.xor(small, large)?;
            less = self.0.ite(&differ, large, &less)?;
        }
        Ok(less)
    }

    /// The sum and a carry, modulo the width of the first.
    pub fn add(&mut self, a: &Bits, b: &Bits, carry: bool) -> Result<Bits, Stop> {
        let mut carry = self.0.constant(carry);
        let mut sum = Bits::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let half = self.0.xor(a, b)?;
            sum.push(self.0.xor(&half, &carry)?);
            carry = self.0.ite(&half, &carry, a)?;
        }
        Ok(sum)
    }

    pub fn subtract(&mut self, a: &Bits, b: &Bits) -> Result<Bits, Stop> {
        let b = self.not(b);
        self.add(a, &b, true)
    }

    pub fn negate(&mut self, a: &Bits) -> Result<Bits, Stop> {
        let zero = self.constant(0, a.len());
        self.subtract(&zero, a)
    }

    pub fn multiply(&mut self, a: &Bits, b: &Bits) -> Result<Bits, Stop> {
        let width = a.len();
        let mut sum = self.constant(0, width);
        for (shift, b) in b.iter().enumerate().filter(|(_, b)| !b.is_empty()) {
            let shifted = self.shifted_up(a, shift);
            let with = self.add(&sum, &shifted, false)?;
            sum = self.ite(b, &with, &sum)?;
        }
        Ok(sum)
    }

    /// By a constant, zeros coming in.
    fn shifted_up(&self, a: &Bits, by: usize) -> Bits {
        let zeros = (0..by).map(|_| self.0.constant(false));
        zeros.chain(a.iter().cloned()).take(a.len()).collect()
    }

    /// Quotient and remainder of unsigned numbers of the same width, by long division. The divisor is
    /// not zero; if it is, they are anything.
    pub fn divide(&mut self, a: &Bits, b: &Bits) -> Result<(Bits, Bits), Stop> {
        let width = a.len();
        // One bit more, as the remainder is doubled before it is compared.
        let divisor = self.resized(b, false, width + 1);
        let mut rest = self.constant(0, width + 1);
        let mut quotient = self.constant(0, width);
        for bit in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[bit].clone());
            let fits = self.less(&divisor, &rest, false, true)?;
            let less = self.subtract(&rest, &divisor)?;
            rest = self.ite(&fits, &less, &rest)?;
            quotient[bit] = fits;
        }
        rest.pop();
        Ok((quotient, rest))
    }

    /// Towards zero, the remainder with the sign of the dividend.
    pub fn divide_signed(&mut self, a: &Bits, b: &Bits) -> Result<(Bits, Bits), Stop> {
        let (Some(sign_a), Some(sign_b)) = (a.last().cloned(), b.last().cloned()) else {
            return Ok((Bits::new(), Bits::new()));
        };
        let (size_a, size_b) = (self.absolute(a, &sign_a)?, self.absolute(b, &sign_b)?);
        let (quotient, rest) = self.divide(&size_a, &size_b)?;
        let signs_differ = self.0.xor(&sign_a, &sign_b)?;
        Ok((self.negate_if(&signs_differ, &quotient)?, self.negate_if(&sign_a, &rest)?))
    }

    fn absolute(&mut self, a: &Bits, sign: &Bdd) -> Result<Bits, Stop> {
        self.negate_if(sign, a)
    }

    fn negate_if(&mut self, condition: &Bdd, a: &Bits) -> Result<Bits, Stop> {
        let negated = self.negate(a)?;
        self.ite(condition, &negated, a)
    }

    /// By an unsigned number of places; `fill` comes in. `is_up` makes the number larger.
    pub fn shift(&mut self, a: &Bits, by: &Bits, is_up: bool, fill: &Bdd) -> Result<Bits, Stop> {
        let mut shifted = a.clone();
        for (bit, by) in by.iter().enumerate().filter(|(_, by)| !by.is_empty()) {
            let places = 1usize.checked_shl(bit as u32).unwrap_or(usize::MAX);
            let moved = moved(&shifted, places, is_up, fill);
            shifted = self.ite(by, &moved, &shifted)?;
        }
        Ok(shifted)
    }
}

fn moved(a: &Bits, places: usize, is_up: bool, fill: &Bdd) -> Bits {
    let from = |index: usize| {
        let source = if is_up { index.checked_sub(places) } else { index.checked_add(places) };
        source.and_then(|source| a.get(source)).unwrap_or(fill).clone()
    };
    (0..a.len()).map(from).collect()
}
