//! Strongly connected parts of the graph of steps.

use rustc_hash::FxHashMap;

/// A step of the abstraction: from, the number of the arrow there, to.
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

/// The number of the strongly connected component of each state. A component has a higher number than those that it leads
/// to.
pub(crate) fn components(states: usize, edges: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); states];
    edges.for_each(|(from, to)| next[from as usize].push(to));
    let mut search = Search {
        next,
        order: vec![NONE; states],
        low: vec![NONE; states],
        component: vec![NONE; states],
        stack: Vec::new(),
        count: 0,
        components: 0,
    };
    (0..states as u32).for_each(|root| search.run(root));
    search.component
}

const NONE: u32 = u32::MAX;

/// Tarjan's, without recursion.
struct Search {
    next: Vec<Vec<u32>>,
    order: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<u32>,
    count: u32,
    components: u32,
}

impl Search {
    fn run(&mut self, root: u32) {
        if self.order[root as usize] != NONE {
            return;
        }
        // Each with how many of its sons are done.
        let mut path = vec![(root, 0)];
        while let Some((state, done)) = path.pop() {
            let here = state as usize;
            if done == 0 {
                (self.order[here], self.low[here]) = (self.count, self.count);
                self.count += 1;
                self.stack.push(state);
            }
            let is_new = |to: &u32| self.order[*to as usize] == NONE;
            match self.next[here][done..].iter().position(is_new) {
                Some(offset) => {
                    let son = self.next[here][done + offset];
                    path.extend([(state, done + offset + 1), (son, 0)]);
                }
                None => self.leave(state),
            }
        }
    }

    /// All sons of a state are done.
    fn leave(&mut self, state: u32) {
        let here = state as usize;
        let open = self.next[here].iter().filter(|&&to| self.component[to as usize] == NONE);
        let lowest = open.map(|&to| self.low[to as usize]).min();
        self.low[here] = lowest.map_or(self.low[here], |lowest| self.low[here].min(lowest));
        if self.low[here] < self.order[here] {
            return;
        }
        while let Some(top) = self.stack.pop() {
            self.component[top as usize] = self.components;
            if top == state {
                break;
            }
        }
        self.components += 1;
    }
}

/// The most that the weights of steps (from, to, weight) can add up to from each state on, if no circle adds up to more than
/// 0 (Bellman, Ford). All steps are inside of one part.
pub(crate) fn potentials(steps: &[(u32, u32, i64)]) -> Option<FxHashMap<u32, i64>> {
    let mut most: FxHashMap<u32, i64> = steps.iter().map(|step| (step.0, 0)).collect();
    for _ in 0..=most.len() {
        let mut is_done = true;
        for &(from, to, weight) in steps {
            let through = weight.checked_add(most[&to])?;
            if through > most[&from] {
                most.insert(from, through);
                is_done = false;
            }
        }
        if is_done {
            return Some(most);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_on_a_circle_are_one_component() {
        let edges = [(0, 0, 1), (1, 0, 2), (2, 0, 1), (2, 1, 3), (3, 0, 3), (4, 0, 0)];
        let found = components(5, edges.iter().map(|&(from, _, to)| (from, to)));
        assert_eq!(found[1], found[2]);
        let mut different = [found[0], found[1], found[3], found[4]];
        different.sort_unstable();
        assert!(different.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(found[3] < found[2] && found[1] < found[0] && found[0] < found[4]);
        assert_eq!(parts(5, &edges), [vec![(1, 0, 2), (2, 0, 1)], vec![(3, 0, 3)]]);
    }
}
