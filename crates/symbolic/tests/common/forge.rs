//! Certificates with mistakes.

use testkit::Rng;

/// Bytes changed, dropped, doubled or exchanged.
pub fn forge(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.between(1, 3) {
        let at = rng.below(bytes.len());
        match rng.below(5) {
            0 => bytes[at] = rng.next_u64() as u8,
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, bytes[at]),
            _ => {
                let other = rng.below(bytes.len());
                bytes.swap(at, other);
            }
        }
    }
}
