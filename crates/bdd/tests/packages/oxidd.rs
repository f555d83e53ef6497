//! OxiDD with negated edges and one thread.

use super::{Package, Shape};
use bdd::Stop;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::{AllocResult, FxHasher, SatCountCache, num};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager,
    ManagerRef, Subst,
};
use std::hash::BuildHasherDefault;

pub struct Oxidd {
    pub manager: BCDDManagerRef,
    pub vars: u32,
}

impl Oxidd {
    pub fn collect(&self) {
        self.manager.with_manager_shared(|manager| manager.gc());
    }

    /// Once more after a collection if there is no room.
    pub fn run(
        &self,
        operation: impl Fn() -> AllocResult<BCDDFunction>,
    ) -> Result<BCDDFunction, Stop> {
        operation().or_else(|_| {
            self.collect();
            operation().map_err(|_| Stop::Full)
        })
    }
}

impl Package for Oxidd {
    type Set = BCDDFunction;
    type Cube = BCDDFunction;
    type Renaming = Subst<BCDDFunction>;

    fn new(shape: Shape) -> Self {
        // Of 2^16 to 2^23 results for 2^23 nodes this was the best compromise: queens and philosophers want
        // fewer, the multiplier not.
        let manager = new_manager(shape.most_nodes, shape.most_nodes / 32, 1);
        let vars = shape.vars() as u32;
        manager.with_manager_exclusive(|manager| manager.add_vars(vars));
        Self { manager, vars }
    }

    fn constant(&self, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| match value {
            true => BCDDFunction::t(manager),
            false => BCDDFunction::f(manager),
        })
    }

    fn var(&mut self, var: usize) -> Result<BCDDFunction, Stop> {
        self.run(|| {
            self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, var as u32))
        })
    }

    fn cube(&mut self, vars: &[usize]) -> Result<BCDDFunction, Stop> {
        let mut cube = self.constant(true);
        for &var in vars {
            let one = self.var(var)?;
            cube = self.and(&cube, &one)?;
        }
        Ok(cube)
    }

    fn renaming(&mut self, pairs: &[(usize, usize)]) -> Result<Self::Renaming, Stop> {
        let from = pairs.iter().map(|&(from, _)| from as u32).collect();
        let to = pairs.iter().map(|&(_, to)| self.var(to)).collect::<Result<_, _>>()?;
        Ok(Subst::new(from, to))
    }

    fn not(&self, a: &BCDDFunction) -> BCDDFunction {
        a.not().expect("negation takes no room")
    }

    fn and(&mut self, a: &BCDDFunction, b: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.run(|| a.and(b))
    }

    fn or(&mut self, a: &BCDDFunction, b: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.run(|| a.or(b))
    }

    fn xor(&mut self, a: &BCDDFunction, b: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.run(|| a.xor(b))
    }

    fn ite(
        &mut self,
        a: &BCDDFunction,
        b: &BCDDFunction,
        c: &BCDDFunction,
    ) -> Result<BCDDFunction, Stop> {
        self.run(|| a.ite(b, c))
    }

    fn and_exists(
        &mut self,
        a: &BCDDFunction,
        b: &BCDDFunction,
        cube: &BCDDFunction,
    ) -> Result<BCDDFunction, Stop> {
        self.run(|| a.apply_exists(BooleanOperator::And, b, cube))
    }

    fn rename(
        &mut self,
        a: &BCDDFunction,
        renaming: &Self::Renaming,
    ) -> Result<BCDDFunction, Stop> {
        self.run(|| a.substitute(renaming))
    }

    fn size(&self, a: &BCDDFunction) -> usize {
        // The constant is counted there.
        a.node_count() - 1
    }

    fn density(&self, a: &BCDDFunction) -> f64 {
        let mut cache: SatCountCache<num::F64, BuildHasherDefault<FxHasher>> =
            SatCountCache::default();
        a.sat_count(self.vars, &mut cache).0 / f64::from(self.vars).exp2()
    }

    fn used(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }
}
