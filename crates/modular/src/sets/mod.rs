//! Sets of valuations, as tables of bits or as BDDs; the algorithm is the same for both.

pub mod bdds;
pub mod bits;
mod tables;

use audit::modular::ListedSet;
use support::Stopped;
use transition::cfg::CfgEdge;
use transition::{NodeId, VarId};

/// Operations on sets of valuations of a program's variables.
pub trait ValuationSets: Sized {
    type Set: Clone + PartialEq;
    /// A step from one location to another, made for computing backwards over it.
    type Step;
    type Seed: Send;

    fn all(&self) -> Self::Set;
    fn none(&self) -> Self::Set;
    /// Where an expression is true that cannot fail.
    fn holds(&mut self, node: NodeId) -> Result<Self::Set, Stopped>;
    fn and(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stopped>;
    fn or(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stopped>;
    fn minus(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stopped>;
    fn is_empty(&self, a: &Self::Set) -> bool;

    fn step(&mut self, edge: &CfgEdge) -> Result<Self::Step, Stopped>;
    /// Those of `within` that the step leads into `target`.
    fn before(
        &mut self,
        step: &Self::Step,
        target: &Self::Set,
        within: &Self::Set,
    ) -> Result<Self::Set, Stopped>;

    /// As bytes, the same for equal sets as long as nothing else is computed in between.
    fn write(&self, set: &Self::Set) -> Vec<u8>;
    /// Reads a set that `write` wrote; `None` if the bytes are something else.
    fn read(&mut self, bytes: &[u8]) -> Result<Option<Self::Set>, Stopped>;

    /// As a BDD that means the same to everybody.
    fn list(&self, set: &Self::Set) -> ListedSet;

    /// Data from which another thread makes sets of the same valuations.
    fn seed(&self) -> Self::Seed;
    fn from_seed(seed: Self::Seed) -> Result<Self, Stopped>;
    /// How many valuations there are, or so.
    fn valuations(&self) -> f64;
    /// How much room sets take at present, in bytes, given how much those in sight take.
    fn bytes(&self, in_sight: u64) -> u64;
    fn bytes_of(&self, set: &Self::Set) -> u64;
    fn bytes_of_step(&self, step: &Self::Step) -> u64;
    /// All valuations in which a variable has a value.
    fn with_value(&mut self, var: VarId, value: i64) -> Result<Self::Set, Stopped>;
    /// Some member, as values of all variables in their order.
    fn pick(&self, set: &Self::Set) -> Option<Vec<i64>>;
    fn contains(&self, set: &Self::Set, values: &[i64]) -> bool;
}
