//! The BDDs of this crate.

use super::{Package, Shape};
use bdd::{Bdd, BddVar, Cube, Manager, Policy, Renaming, Stop};
use support::Monitor;

pub struct Ours {
    pub manager: Manager,
    pub vars: Vec<BddVar>,
}

impl Ours {
    pub fn with(monitor: &Monitor, shape: Shape, reorder_at: Option<usize>) -> Self {
        let policy = Policy { most_nodes: shape.most_nodes, reorder_at, ..Policy::default() };
        let mut manager = Manager::new(monitor, policy);
        let mut vars = Vec::new();
        for _ in 0..shape.groups {
            match shape.size {
                1 => vars.extend(manager.add_group::<1>()),
                _ => vars.extend(manager.add_group::<2>()),
            }
        }
        Self { manager, vars }
    }
}

impl Package for Ours {
    type Set = Bdd;
    type Cube = Cube;
    type Renaming = Renaming;

    fn new(shape: Shape) -> Self {
        Self::with(&Monitor::new(), shape, None)
    }

    fn constant(&self, value: bool) -> Bdd {
        self.manager.constant(value)
    }

    fn var(&mut self, var: usize) -> Result<Bdd, Stop> {
        self.manager.var(self.vars[var])
    }

    fn cube(&mut self, vars: &[usize]) -> Result<Cube, Stop> {
        self.manager.cube(vars.iter().map(|&var| self.vars[var]))
    }

    fn renaming(&mut self, pairs: &[(usize, usize)]) -> Result<Renaming, Stop> {
        let pairs: Vec<(BddVar, BddVar)> =
            pairs.iter().map(|&(from, to)| (self.vars[from], self.vars[to])).collect();
        Ok(self.manager.renaming(&pairs))
    }

    fn not(&self, a: &Bdd) -> Bdd {
        a.not()
    }

    fn and(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.manager.and(a, b)
    }

    fn or(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.manager.or(a, b)
    }

    fn xor(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.manager.xor(a, b)
    }

    fn ite(&mut self, a: &Bdd, b: &Bdd, c: &Bdd) -> Result<Bdd, Stop> {
        self.manager.ite(a, b, c)
    }

    fn and_exists(&mut self, a: &Bdd, b: &Bdd, cube: &Cube) -> Result<Bdd, Stop> {
        self.manager.and_exists(a, b, cube)
    }

    fn rename(&mut self, a: &Bdd, renaming: &Renaming) -> Result<Bdd, Stop> {
        self.manager.rename(a, *renaming)
    }

    fn size(&self, a: &Bdd) -> usize {
        self.manager.size([a])
    }

    fn density(&self, a: &Bdd) -> f64 {
        self.manager.density(a)
    }

    fn used(&self) -> usize {
        self.manager.used()
    }
}
