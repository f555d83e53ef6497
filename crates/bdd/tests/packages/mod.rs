//! Packages of BDDs behind one face: the one of this crate, and OxiDD, which judges it in tests and
//! is measured beside it.

mod ours;
mod oxidd;

pub use ours::Ours;
pub use oxidd::Oxidd;

use bdd::Stop;

/// How the variables of a package lie: `groups` times `size` of them, which is 1 or 2. Variables are
/// numbered from 0, and that is their first order.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub groups: usize,
    pub size: usize,
    pub most_nodes: usize,
}

impl Shape {
    pub fn vars(self) -> usize {
        self.groups * self.size
    }
}

pub trait Package: Sized {
    type Set: Clone + PartialEq;
    type Cube;
    type Renaming;

    fn new(shape: Shape) -> Self;
    fn constant(&self, value: bool) -> Self::Set;
    fn var(&mut self, var: usize) -> Result<Self::Set, Stop>;
    fn cube(&mut self, vars: &[usize]) -> Result<Self::Cube, Stop>;
    /// Variables into others of their groups, of which nothing that is renamed depends on both.
    fn renaming(&mut self, pairs: &[(usize, usize)]) -> Result<Self::Renaming, Stop>;

    fn not(&self, a: &Self::Set) -> Self::Set;
    fn and(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop>;
    fn or(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop>;
    fn xor(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Stop>;
    fn ite(&mut self, a: &Self::Set, b: &Self::Set, c: &Self::Set) -> Result<Self::Set, Stop>;
    fn and_exists(
        &mut self,
        a: &Self::Set,
        b: &Self::Set,
        cube: &Self::Cube,
    ) -> Result<Self::Set, Stop>;
    fn rename(&mut self, a: &Self::Set, renaming: &Self::Renaming) -> Result<Self::Set, Stop>;

    /// Nodes of one set, without the constant.
    fn size(&self, a: &Self::Set) -> usize;
    /// The part of all valuations that is in it.
    fn density(&self, a: &Self::Set) -> f64;
    /// Nodes in use, garbage included.
    fn used(&self) -> usize;
}
