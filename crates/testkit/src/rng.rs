//! A small random generator of our own, so that a seed means the same input for ever.

/// xoshiro256**, seeded by splitmix64 (Blackman and Vigna).
#[derive(Clone, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self(std::array::from_fn(|_| splitmix64(&mut state)))
    }

    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing is below 0");
        // The bias is below 2^-40 for the bounds that tests use.
        (self.next_u64() >> 11) as usize % bound
    }

    /// A number of `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.next_u64() >> 11) as f64) < probability * (1u64 << 53) as f64
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Each item with the probability given, at least one if there are any.
    pub fn some<T: Clone>(&mut self, items: &[T], probability: f64) -> Vec<T> {
        let mut chosen: Vec<T> =
            items.iter().filter(|_| self.chance(probability)).cloned().collect();
        if chosen.is_empty() && !items.is_empty() {
            chosen.push(self.pick(items).clone());
        }
        chosen
    }
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first values of the authors' splitmix64.c for the seed 1234567.
    #[test]
    fn splitmix_is_the_published_one() {
        let mut state = 1_234_567;
        let values: [u64; 3] = std::array::from_fn(|_| splitmix64(&mut state));
        assert_eq!(
            values,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn every_number_comes_up() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 7];
        (0..7000).for_each(|_| seen[rng.below(7)] += 1);
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        let heads = (0..10_000).filter(|_| rng.chance(0.3)).count();
        assert!((2700..3300).contains(&heads), "{heads}");
    }
}
