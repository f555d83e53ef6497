//! The diagrams of this crate.

use super::{Package, Shape};
use bdd::{Cube, Diagrams, Policy, Renaming, Set, Stop, Var};
use support::Monitor;

pub struct Ours {
    pub diagrams: Diagrams,
    pub vars: Vec<Var>,
}

impl Ours {
    pub fn with(monitor: &Monitor, shape: Shape, reorder_at: Option<usize>) -> Self {
        let policy = Policy { most_nodes: shape.most_nodes, reorder_at, ..Policy::default() };
        let mut diagrams = Diagrams::new(monitor, policy);
        let mut vars = Vec::new();
        for _ in 0..shape.groups {
            match shape.size {
                1 => vars.extend(diagrams.add_group::<1>()),
                _ => vars.extend(diagrams.add_group::<2>()),
            }
        }
        Self { diagrams, vars }
    }
}

impl Package for Ours {
    type Set = Set;
    type Cube = Cube;
    type Renaming = Renaming;

    fn new(shape: Shape) -> Self {
        Self::with(&Monitor::new(), shape, None)
    }

    fn constant(&self, value: bool) -> Set {
        self.diagrams.constant(value)
    }

    fn var(&mut self, var: usize) -> Result<Set, Stop> {
        self.diagrams.var(self.vars[var])
    }

    fn cube(&mut self, vars: &[usize]) -> Result<Cube, Stop> {
        self.diagrams.cube(vars.iter().map(|&var| self.vars[var]))
    }

    fn renaming(&mut self, pairs: &[(usize, usize)]) -> Result<Renaming, Stop> {
        let pairs: Vec<(Var, Var)> =
            pairs.iter().map(|&(from, to)| (self.vars[from], self.vars[to])).collect();
        Ok(self.diagrams.renaming(&pairs))
    }

    fn not(&self, a: &Set) -> Set {
        a.not()
    }

    fn and(&mut self, a: &Set, b: &Set) -> Result<Set, Stop> {
        self.diagrams.and(a, b)
    }

    fn or(&mut self, a: &Set, b: &Set) -> Result<Set, Stop> {
        self.diagrams.or(a, b)
    }

    fn xor(&mut self, a: &Set, b: &Set) -> Result<Set, Stop> {
        self.diagrams.xor(a, b)
    }

    fn ite(&mut self, a: &Set, b: &Set, c: &Set) -> Result<Set, Stop> {
        self.diagrams.ite(a, b, c)
    }

    fn and_exists(&mut self, a: &Set, b: &Set, cube: &Cube) -> Result<Set, Stop> {
        self.diagrams.and_exists(a, b, cube)
    }

    fn rename(&mut self, a: &Set, renaming: &Renaming) -> Result<Set, Stop> {
        self.diagrams.rename(a, *renaming)
    }

    fn size(&self, a: &Set) -> usize {
        self.diagrams.size([a])
    }

    fn density(&self, a: &Set) -> f64 {
        self.diagrams.density(a)
    }

    fn used(&self) -> usize {
        self.diagrams.used()
    }
}
