//! The manager: functions as values, with garbage collection of those that are no longer referenced.

use crate::Stop;
use crate::kernel::Kernel;
use crate::kernel::node::{Edge, FALSE, TRUE};
use crate::policy::{History, Policy};
use crate::roots::Roots;
use std::sync::Arc;
use support::Monitor;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BddVar(pub u32);

/// A set of valuations of the variables, or a truth function of them. Equal sets are equal values.
pub struct Bdd {
    edge: Edge,
    roots: Arc<Roots>,
}

impl Bdd {
    pub(crate) fn new(edge: Edge, roots: &Arc<Roots>) -> Self {
        roots.hold(edge.node());
        Self { edge, roots: roots.clone() }
    }

    pub(crate) fn edge(&self) -> Edge {
        self.edge
    }

    pub fn is_empty(&self) -> bool {
        self.edge == FALSE
    }

    /// Whether everything is in it.
    pub fn is_full(&self) -> bool {
        self.edge == TRUE
    }

    /// All that is not in it.
    #[must_use]
    pub fn not(&self) -> Bdd {
        Bdd::new(!self.edge, &self.roots)
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Self {
        Bdd::new(self.edge, &self.roots)
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.roots.let_go(self.edge.node());
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.edge == other.edge
    }
}

impl Eq for Bdd {}

impl std::fmt::Debug for Bdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.edge.is_negated() { "!" } else { "" };
        write!(f, "{sign}f{}", self.edge.node())
    }
}

/// Variables to be quantified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cube(Bdd);

impl Cube {
    pub fn is_empty(&self) -> bool {
        self.0.is_full()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Renaming(u32);

pub struct Manager {
    pub(crate) kernel: Kernel,
    pub(crate) policy: Policy,
    pub(crate) history: History,
}

impl Manager {
    pub fn new(monitor: &Monitor, policy: Policy) -> Self {
        let kernel = Kernel::new(monitor.clone(), policy.most_nodes);
        Self { kernel, policy, history: History::new(&policy) }
    }

    /// Allows so many nodes from now on, and so many steps.
    pub fn allow(&mut self, nodes: usize, steps: u64) {
        self.policy.most_nodes = nodes;
        self.kernel.most_nodes = nodes;
        self.history.last_step = self.steps().saturating_add(steps);
    }

    /// Lets the operation cache grow to this many results, however few nodes there are.
    pub fn reserve_cache(&mut self, results: usize) {
        self.kernel.reserve_cache(results);
    }

    /// How many steps operations and reordering have made.
    pub fn steps(&self) -> u64 {
        self.kernel.steps.saturating_add(self.kernel.sifted)
    }

    /// New variables, below all others for now, that always stay next to each other.
    pub fn add_group<const N: usize>(&mut self) -> [BddVar; N] {
        let first = self.kernel.add_group(N as u32);
        std::array::from_fn(|index| BddVar(first + index as u32))
    }

    pub fn constant(&self, value: bool) -> Bdd {
        Bdd::new(if value { TRUE } else { FALSE }, &self.kernel.roots)
    }

    pub fn var(&mut self, var: BddVar) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.variable(var.0))
    }

    pub fn cube(&mut self, vars: impl IntoIterator<Item = BddVar>) -> Result<Cube, Stop> {
        Ok(Cube(self.conjunction(vars.into_iter().map(|var| (var, true)))?))
    }

    /// The valuations in which these variables have these values.
    pub fn conjunction(
        &mut self,
        values: impl IntoIterator<Item = (BddVar, bool)>,
    ) -> Result<Bdd, Stop> {
        let mut set = self.constant(true);
        // From below, so that each is put on top.
        let mut values: Vec<(BddVar, bool)> = values.into_iter().collect();
        values
            .sort_unstable_by_key(|(var, _)| std::cmp::Reverse(self.kernel.levels[var.0 as usize]));
        for (var, value) in values {
            let one = self.var(var)?;
            set = if value { self.and(&set, &one)? } else { self.minus(&set, &one)? };
        }
        Ok(set)
    }

    /// Variables into others of their groups; see [`Manager::rename`].
    pub fn renaming(&mut self, pairs: &[(BddVar, BddVar)]) -> Renaming {
        let pairs: Vec<(u32, u32)> = pairs.iter().map(|(from, to)| (from.0, to.0)).collect();
        Renaming(self.kernel.add_renaming(&pairs))
    }

    pub fn and(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.and(a.edge, b.edge))
    }

    pub fn or(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.or(a.edge, b.edge))
    }

    /// The difference of two sets.
    pub fn minus(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.and(a.edge, !b.edge))
    }

    pub fn xor(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.xor(a.edge, b.edge))
    }

    pub fn ite(&mut self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.ite(condition.edge, then.edge, otherwise.edge))
    }

    pub fn is_subset(&mut self, a: &Bdd, b: &Bdd) -> Result<bool, Stop> {
        Ok(self.minus(a, b)?.is_empty())
    }

    pub fn exists(&mut self, a: &Bdd, cube: &Cube) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.exists(a.edge, cube.0.edge))
    }

    /// The relational product.
    pub fn and_exists(&mut self, a: &Bdd, b: &Bdd, cube: &Cube) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.and_exists(a.edge, b.edge, cube.0.edge))
    }

    /// From now on `unknown` says that the predicate of `var` is unknown (X §5: h of b). It stands before it
    /// in the group of both, and nothing that is reduced depends on it or on what stands between.
    pub fn add_unknown(&mut self, var: BddVar, unknown: BddVar) {
        self.kernel.add_unknown(var.0, unknown.0);
    }

    /// The monomials all of whose minterms are in the set (X Fig. 2, ABSREDU), where only the predicates of
    /// the cube can be unknown.
    pub fn reduce(&mut self, a: &Bdd, cube: &Cube) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.reduce(a.edge, cube.0.edge))
    }

    /// Reduces where the variable has the value; elsewhere the result is the set itself or its reduction.
    pub fn reduce_where(
        &mut self,
        a: &Bdd,
        (var, is_true): (BddVar, bool),
        cube: &Cube,
    ) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.reduce_where(a.edge, (var.0, is_true), cube.0.edge))
    }

    /// A set that is like the first one within the second, and anything outside of it.
    pub fn restrict(&mut self, a: &Bdd, care: &Bdd) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.restrict(a.edge, care.edge))
    }

    /// Renames variables. Of each group in which something is renamed the set depends on at most one,
    /// or on several that become others in the same order.
    pub fn rename(&mut self, a: &Bdd, renaming: Renaming) -> Result<Bdd, Stop> {
        self.run(|kernel| kernel.rename(a.edge, renaming.0))
    }

    /// Nodes of these sets together.
    pub fn size<'a>(&self, sets: impl IntoIterator<Item = &'a Bdd>) -> usize {
        self.kernel.size(sets.into_iter().map(|set| set.edge))
    }

    /// The variables that it depends on.
    pub fn support(&self, a: &Bdd) -> Vec<BddVar> {
        self.kernel.support(a.edge).ones().map(|var| BddVar(var as u32)).collect()
    }

    /// Whether it is plain to see that it depends on nothing above or among the variables of the cube, but for
    /// one variable on top.
    pub fn lies_below(&self, a: &Bdd, top: BddVar, cube: &Cube) -> bool {
        self.kernel.lies_below(a.edge, top.0, cube.0.edge)
    }

    /// The part of all valuations that is in it.
    pub fn density(&self, a: &Bdd) -> f64 {
        self.kernel.density(a.edge)
    }

    /// Values of some variables that suffice to be in it.
    pub fn pick(&self, a: &Bdd) -> Option<Vec<(BddVar, bool)>> {
        let values = self.kernel.pick(a.edge)?;
        Some(values.into_iter().map(|(var, value)| (BddVar(var), value)).collect())
    }

    pub fn contains(&self, a: &Bdd, value: impl Fn(BddVar) -> bool) -> bool {
        self.kernel.evaluate(a.edge, |var| value(BddVar(var)))
    }

    /// The variables from above.
    pub fn order(&self) -> Vec<BddVar> {
        self.kernel.order().iter().copied().map(BddVar).collect()
    }

    /// For tests: panics where the BDDs are not as they ought to be.
    #[doc(hidden)]
    pub fn assert_sound(&self) {
        self.kernel.assert_sound();
    }

    pub fn monitor(&self) -> &Monitor {
        &self.kernel.monitor
    }

    /// Has another monitor watch the operations from now on.
    pub fn watch(&mut self, monitor: &Monitor) {
        self.kernel.monitor = monitor.clone();
    }

    /// Nodes in use, garbage included.
    pub fn used(&self) -> usize {
        self.kernel.used()
    }

    pub fn peak(&self) -> usize {
        self.history.peak.max(self.kernel.used())
    }

    pub fn collections(&self) -> usize {
        self.history.collections
    }

    pub fn reorderings(&self) -> usize {
        self.history.reorderings
    }
}
