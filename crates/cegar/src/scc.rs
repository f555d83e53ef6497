//! Strongly connected parts of the graph of steps.

use crate::ranking_template::sorted;
use rustc_hash::FxHashMap;

/// A step of the abstraction: from, the number of the transition there, to.
pub(crate) type Edge = (u32, u32, u32);

/// The edges inside of each strongly connected part that has some.
pub(crate) fn parts(states: usize, edges: &[Edge]) -> Vec<Vec<Edge>> {
    let components = components(states, edges.iter().map(|&(from, _, to)| (from, to)));
    let mut inside: FxHashMap<u32, Vec<Edge>> = FxHashMap::default();
    for &edge in edges {
        let [from, to] = [edge.0, edge.2].map(|state| components[state as usize]);
        if from == to {
            inside.entry(from).or_default().push(edge);
        }
    }
    let mut parts: Vec<Vec<Edge>> = inside.into_values().collect();
    parts.sort_unstable();
    parts
}

/// The number of the strongly connected component of each state. A component has a higher number than those that it
/// leads to.
pub(crate) fn components(states: usize, edges: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); states];
    edges.for_each(|(from, to)| next[from as usize].push(to));
    support::components(states, |state| next[state as usize].iter().copied())
}

/// The most that the weights of steps (from, to, weight) can add up to from each state on, if no cycle adds up to more
/// than 0 (Bellman, Ford). All steps are inside of one part.
pub(crate) fn potentials(steps: &[(u32, u32, i64)]) -> Option<FxHashMap<u32, i64>> {
    let states = sorted(steps.iter().map(|step| step.0).collect());
    let number = |state: u32| states.binary_search(&state).ok();
    let numbered = steps.iter().map(|&(from, to, by)| Some((number(from)?, number(to)?, by)));
    let numbered: Vec<(usize, usize, i64)> = numbered.collect::<Option<_>>()?;
    let mut most = vec![0i64; states.len()];
    // Where the most comes from that is known so far.
    let mut next = vec![None; states.len()];
    loop {
        let mut is_done = true;
        for &(from, to, weight) in &numbered {
            let through = weight.checked_add(most[to])?;
            if through > most[from] {
                (most[from], next[from]) = (through, Some(to));
                is_done = false;
            }
        }
        if is_done {
            return Some(states.into_iter().zip(most).collect());
        }
        if has_cycle(&next) {
            return None;
        }
    }
}

/// Whether following the predecessors leads back to a state: then the cycle has a positive weight.
fn has_cycle(next: &[Option<usize>]) -> bool {
    // By whom each was seen first.
    let mut seen = vec![usize::MAX; next.len()];
    (0..next.len()).any(|start| {
        let mut at = Some(start);
        while let Some(here) = at.filter(|&here| seen[here] == usize::MAX) {
            seen[here] = start;
            at = next[here];
        }
        at.is_some_and(|here| seen[here] == start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_on_a_cycle_are_one_component() {
        let edges = [(0, 0, 1), (1, 0, 2), (2, 0, 1), (2, 1, 3), (3, 0, 3), (4, 0, 0)];
        let found = components(5, edges.iter().map(|&(from, _, to)| (from, to)));
        assert_eq!(found[1], found[2]);
        let mut different = [found[0], found[1], found[3], found[4]];
        different.sort_unstable();
        assert!(different.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(found[3] < found[2] && found[1] < found[0] && found[0] < found[4]);
        assert_eq!(parts(5, &edges), [vec![(1, 0, 2), (2, 0, 1)], vec![(3, 0, 3)]]);
    }

    #[test]
    fn cycles_of_positive_weight_have_no_potentials() {
        let up_and_down = [(1, 2, 3), (2, 1, -3), (2, 2, 0), (1, 1, -1)];
        let found = potentials(&up_and_down).expect("no cycle has a positive sum");
        assert_eq!([found[&1], found[&2]], [3, 0]);
        assert_eq!(potentials(&[(1, 2, 3), (2, 1, -2)]), None);
        assert_eq!(potentials(&[(7, 7, 1)]), None);
        // Random graphs: the potentials respect every step, and there are none where a cycle has a positive weight.
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let steps = random(8) + 1;
            let mut step = || (random(4) as u32, random(4) as u32, random(5) as i64 - 3);
            let mut steps: Vec<(u32, u32, i64)> = (0..steps).map(|_| step()).collect();
            // Of each state that is led to, a step leads on.
            for _ in 0..4 {
                let sources: Vec<u32> = steps.iter().map(|step| step.0).collect();
                steps.retain(|step| sources.contains(&step.1));
            }
            match potentials(&steps) {
                Some(most) => {
                    assert!(steps.iter().all(|(from, to, by)| most[from] >= by + most[to]));
                }
                None => assert!(gains(&steps), "{steps:?}"),
            }
        }
    }

    /// Whether some path of many steps weighs more than one without cycles could.
    fn gains(steps: &[(u32, u32, i64)]) -> bool {
        let mut best = [0i64; 4];
        for _ in 0..100 {
            let before = best;
            for &(from, to, by) in steps {
                best[from as usize] = best[from as usize].max(by + before[to as usize]);
            }
        }
        best.iter().any(|&gain| gain > 4)
    }
}
