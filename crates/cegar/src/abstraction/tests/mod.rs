//! Hand-checked tables, tables against their definition, and models against the reference semantics.

mod blocks;
mod enumeration;
mod models;

use transition::abstracted::Monomial;

/// One letter for each predicate: `t`, `f`, or `u` for unknown.
fn monomial(letters: &str) -> Monomial {
    let bits = |wanted: &str| {
        let bit = |(i, letter)| u64::from(wanted.contains(letter)) << i;
        letters.chars().enumerate().map(bit).sum()
    };
    Monomial { known: bits("tf"), values: bits("t") }
}
