//! The predicate abstraction of a program.

use crate::abstracted::monomial::Monomial;

/// A monotone MixTS over locations and monomials, written command by command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Abstracted {
    /// The predicates as one would read them.
    pub predicates: Vec<String>,
    /// The names of the locations.
    pub locations: Vec<String>,
    pub commands: Vec<AbstractCommand>,
    /// The propositions by name.
    pub propositions: Vec<(String, Meaning)>,
    pub starts: Vec<AbstractStart>,
    /// Conjunctions that no state satisfies: γ is empty for the monomials that contain one of them.
    pub contradictions: Vec<Literals>,
}

/// Predicates by number, each once, with their values.
pub type Literals = Vec<(u32, bool)>;

/// One command, over the predicates that it touches; the others keep their values.
///
/// Transitions are given between minterms of the touched predicates in may, and from minterms to monomials
/// in must: X Thm 8 says that no others are needed under the reduced semantics. Those from monomials
/// follow (X Def. 7), and so do must transitions to targets that are less precise than the ones given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractCommand {
    pub source: u32,
    pub target: u32,
    /// Numbers of predicates, rising, at most 64; bit i of a minterm or monomial below is that of the i-th.
    pub touches: Vec<u32>,
    pub may: Vec<(u64, u64)>,
    pub must: Vec<(u64, Monomial)>,
}

/// Where a proposition is true. It is false in the other states, or unknown where the predicate is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// At these locations.
    At(Vec<u32>),
    /// Where this predicate has this value.
    Literal(u32, bool),
}

/// Initial states: all minterms at a location that agree with some literals and contain no contradiction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AbstractStart {
    pub location: u32,
    pub literals: Literals,
    /// Conjunctions that no initial state satisfies.
    pub contradictions: Vec<Literals>,
}
