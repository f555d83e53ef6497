//! Functions that are large under every order.

use crate::machines::is_same;
use crate::packages::Shape;
use crate::{Done, MOST_NODES, Peak};
use bdd::Stop;

/// The bit whose number is how many bits are set.
pub fn hidden_weighted_bit<P: Peak>(n: usize) -> Result<Done, Stop> {
    let mut package = P::new(Shape { groups: n, size: 1, most_nodes: MOST_NODES });
    let bits = (0..n).map(|bit| package.var(bit)).collect::<Result<Vec<_>, _>>()?;
    // weights[k]: just k of the bits so far are set.
    let mut weights = vec![package.constant(true)];
    for bit in &bits {
        weights.push(package.constant(false));
        for k in (0..weights.len()).rev() {
            let fewer = if k == 0 { package.constant(false) } else { weights[k - 1].clone() };
            weights[k] = package.ite(bit, &fewer, &weights[k])?;
        }
    }
    let mut all = package.constant(false);
    for (k, bit) in bits.iter().enumerate() {
        let chosen = package.and(&weights[k + 1], bit)?;
        all = package.or(&all, &chosen)?;
    }
    Ok(Done { answer: package.size(&all) as f64, nodes: package.peak() })
}

/// All bits of the product of two numbers of `n` bits.
pub fn multiplier<P: Peak>(n: usize) -> Result<Done, Stop> {
    let mut package = P::new(Shape { groups: 2 * n, size: 1, most_nodes: MOST_NODES });
    let bits = (0..2 * n).map(|bit| package.var(bit)).collect::<Result<Vec<_>, _>>()?;
    let (a, b) = bits.split_at(n);
    let mut sum = vec![package.constant(false); 2 * n];
    for (shift, one) in b.iter().enumerate() {
        let mut carry = package.constant(false);
        for (index, other) in a.iter().enumerate() {
            let product = package.and(one, other)?;
            carry = add_bit(&mut package, &mut sum[shift + index], &product, &carry)?;
        }
        sum[shift + n] = carry;
    }
    let answer = sum.iter().map(|bit| package.size(bit)).sum::<usize>() as f64;
    Ok(Done { answer, nodes: package.peak() })
}

/// Adds two bits to a third; what is carried over.
fn add_bit<P: Peak>(
    package: &mut P,
    sum: &mut P::Set,
    bit: &P::Set,
    carry: &P::Set,
) -> Result<P::Set, Stop> {
    let differ = package.xor(sum, bit)?;
    let carried = package.ite(&differ, carry, bit)?;
    let same = is_same(package, &differ, carry)?;
    *sum = package.not(&same);
    Ok(carried)
}
