//! Locations at which a process is expanded in full, such that every cycle of its control graph goes through one
//! (Kurshan, Levin, Minea, Peled, Yenigün: Static partial order reduction, TACAS 1998: sticky transitions).

use support::components;

/// Chooses nodes, the most willing ones first, until no cycle of the graph without the `removed` nodes has a node that
/// may be chosen. Nodes without a willingness may not be chosen.
pub(super) fn cut_cycles(
    edges: &[(u32, u32)],
    removed: &[bool],
    willingness: impl Fn(u32) -> Option<u32>,
) -> Vec<u32> {
    let mut removed = removed.to_vec();
    let mut chosen = Vec::new();
    let count = removed.len();
    let mut successors = vec![Vec::new(); count];
    for &(source, target) in edges {
        successors[source as usize].push(target);
    }
    loop {
        let is_there = |&node: &u32| !removed[node as usize];
        let of = components(count, |node| {
            let all: &[u32] = if is_there(&node) { &successors[node as usize] } else { &[] };
            all.iter().copied().filter(is_there).collect::<Vec<_>>().into_iter()
        });
        let mut size = vec![0u32; count];
        of.iter().for_each(|&component| size[component as usize] += 1);
        let is_on_cycle = |node: &u32| {
            size[of[*node as usize] as usize] > 1 || successors[*node as usize].contains(node)
        };
        // One of each component at a time.
        let mut best: Vec<Option<(u32, u32)>> = vec![None; count];
        for node in (0..count as u32).filter(is_there).filter(is_on_cycle) {
            let Some(willing) = willingness(node) else { continue };
            let own = &mut best[of[node as usize] as usize];
            if own.is_none_or(|(most, _)| willing > most) {
                *own = Some((willing, node));
            }
        }
        let before = chosen.len();
        for (_, node) in best.into_iter().flatten() {
            removed[node as usize] = true;
            chosen.push(node);
        }
        if chosen.len() == before {
            return chosen;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cycle_is_cut_where_it_may_be() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 2), (4, 4)];
        let none = [false; 5];
        assert_eq!(cut_cycles(&edges, &none, |_| Some(0)).len(), 3);
        assert_eq!(cut_cycles(&edges, &none, |node| Some(u32::from(node == 2))), [2, 4]);
        // A cycle without a node that may be chosen stays.
        assert_eq!(cut_cycles(&edges, &none, |node| (node == 0).then_some(0)), [0]);
        let removed = [false, false, true, false, true];
        assert!(cut_cycles(&edges, &removed, |_| Some(0)).is_empty());
    }
}
