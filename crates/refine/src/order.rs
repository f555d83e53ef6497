//! The first order of the truth variables.
//!
//! Words that are compared, added or handed on need their bits side by side, or their BDDs grow
//! exponentially with the width. So the bits of wide variables that occur together take turns, highest first,
//! where the first of them would stand.

use bdd::{Manager, Policy};
use encode::Layout;
use transition::{Machine, Slice, VarId};

/// Variables of more bits than this take turns.
const WIDE: u32 = 3;

pub(crate) fn layout(machine: &Machine, slice: &Slice, manager: &mut Manager) -> Layout {
    let mut scratch = Manager::new(manager.monitor(), Policy::default());
    let plain = Layout::new(machine, slice, &mut scratch).order(&scratch);
    let is_wide = |var: VarId| machine.vars[var].domain.bits() > WIDE;
    let bundles = bundles(machine, slice, &is_wide);
    let mut order = Vec::with_capacity(plain.len());
    let mut done: Vec<usize> = Vec::new();
    for &(var, bit) in &plain {
        if !is_wide(var) {
            order.push((var, bit));
        } else if !done.contains(&bundles[var.0 as usize]) {
            let bundle = bundles[var.0 as usize];
            done.push(bundle);
            let together = plain.iter().filter(|(var, _)| bundles[var.0 as usize] == bundle);
            let mut bits: Vec<(VarId, u32)> = together.copied().collect();
            bits.sort_by_key(|&(_, bit)| std::cmp::Reverse(bit));
            order.extend(bits);
        }
    }
    Layout::in_order(machine, &order, manager)
}

/// By variable: the least wide one that it occurs together with, directly or through others; itself if it is
/// not wide.
fn bundles(machine: &Machine, slice: &Slice, is_wide: &dyn Fn(VarId) -> bool) -> Vec<usize> {
    let mut bundle: Vec<usize> = (0..machine.vars.len()).collect();
    for conjunct in &slice.conjuncts {
        let all = conjunct.access.now.iter().chain(&conjunct.access.next);
        let wide = all.filter(|&&var| is_wide(var)).map(|var| bundle[var.0 as usize]);
        let mut wide: Vec<usize> = wide.collect();
        wide.sort_unstable();
        if let Some((&least, others)) = wide.split_first() {
            bundle.iter_mut().filter(|one| others.contains(one)).for_each(|one| *one = least);
        }
    }
    bundle
}
