//! The first order of the truth variables, from what depends on what.
//!
//! Variables that occur together should be near each other. From the order of the text, each variable is
//! moved to the middle of what it occurs with, some times over (the heuristic known as FORCE); the order
//! in which conditions reach over the fewest variables is taken. The bits of a variable stay together.

use transition::{Machine, Slice, VarId};

/// How often the variables are moved.
const ROUNDS: usize = 40;

/// The bits of all variables, in order: a variable and the number of the bit.
pub(crate) fn bits(machine: &Machine, slice: &Slice) -> Vec<(VarId, u32)> {
    let mut found = Vec::new();
    for var in variables(machine, slice) {
        let bits = machine.vars[var].domain.bits();
        found.extend((0..bits).rev().map(|bit| (var, bit)));
    }
    found
}

fn variables(machine: &Machine, slice: &Slice) -> Vec<VarId> {
    let all: Vec<VarId> = machine.vars.ids().filter(|&var| slice.contains(var)).collect();
    let edges = edges(machine, slice, &all);
    let mut places: Vec<usize> = (0..all.len()).collect();
    let mut best = (span(&edges, &places), places.clone());
    for _ in 0..ROUNDS {
        places = moved(&edges, &places);
        let span = span(&edges, &places);
        if span < best.0 {
            best = (span, places.clone());
        }
    }
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&index| best.1[index]);
    order.into_iter().map(|index| all[index]).collect()
}

/// The graph of variables that occur together, as indices into the list of variables.
fn edges(machine: &Machine, slice: &Slice, all: &[VarId]) -> Vec<Vec<usize>> {
    let mut index = vec![usize::MAX; machine.vars.len()];
    for (place, var) in all.iter().enumerate() {
        index[var.0 as usize] = place;
    }
    let selector = machine.selector;
    let edge = |conjunct: &transition::Conjunct| {
        let vars = conjunct.access.now.iter().chain(&conjunct.access.next);
        // The selector occurs with everything and says nothing.
        let vars = vars.filter(|&&var| Some(var) != selector);
        let mut edge: Vec<usize> = vars.map(|var| index[var.0 as usize]).collect();
        edge.retain(|&place| place != usize::MAX);
        edge.sort_unstable();
        edge.dedup();
        edge
    };
    slice.conjuncts.iter().map(edge).filter(|edge| edge.len() > 1).collect()
}

/// Over how many places the edges reach in all.
fn span(edges: &[Vec<usize>], places: &[usize]) -> usize {
    let reach = |edge: &Vec<usize>| {
        let of = edge.iter().map(|&var| places[var]);
        of.clone().max().unwrap_or(0) - of.min().unwrap_or(0)
    };
    edges.iter().map(reach).sum()
}

/// Every variable goes to the mean of the middles of its edges.
fn moved(edges: &[Vec<usize>], places: &[usize]) -> Vec<usize> {
    let mut pull = vec![(0.0, 0usize); places.len()];
    for edge in edges {
        let middle = edge.iter().map(|&var| places[var] as f64).sum::<f64>() / edge.len() as f64;
        for &var in edge {
            pull[var].0 += middle;
            pull[var].1 += 1;
        }
    }
    let wish = |var: usize| match pull[var] {
        (_, 0) => places[var] as f64,
        (sum, count) => sum / count as f64,
    };
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| wish(a).total_cmp(&wish(b)).then(places[a].cmp(&places[b])));
    let mut new = vec![0; places.len()];
    for (place, var) in order.into_iter().enumerate() {
        new[var] = place;
    }
    new
}
