//! Moves that lead to the end of an explanation in as few transitions as possible, and where it has no
//! end, to a loop that is as short as possible.
//!
//! A position whose explanation ends costs as many transitions as its longest branch has, if the winner
//! chooses well: Knuth's generalisation of Dijkstra's algorithm finds that. If it cannot end but is a
//! path, the shortest stem and loop are looked for, among the loops that all are the winner's.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A position and what can be done there.
pub(super) struct SearchNode {
    /// Whether the winner chooses.
    pub is_ours: bool,
    /// Whether the winner wins every cycle through this position.
    pub may_loop: bool,
    /// Successors, and whether a transition leads there.
    pub successors: Vec<(u32, bool)>,
}

/// How many transitions the explanation of the first position has, and by position of the winner the successor to
/// go to, where that is settled.
pub(super) fn shortest(search_nodes: &[SearchNode]) -> (u32, FxHashMap<u32, u32>) {
    let (costs, mut moves) = ends(search_nodes);
    if let Some(cost) = costs[0] {
        return (cost, moves);
    }
    match shortest_loop(search_nodes, &costs) {
        Some((length, round)) => {
            moves.extend(round);
            (length, moves)
        }
        None => (u32::MAX, moves),
    }
}

/// Costs of the positions whose explanation ends, and how it ends.
fn ends(search_nodes: &[SearchNode]) -> (Vec<Option<u32>>, FxHashMap<u32, u32>) {
    let mut predecessors: Vec<Vec<(u32, bool)>> = search_nodes.iter().map(|_| Vec::new()).collect();
    for (predecessor, node) in (0..).zip(search_nodes) {
        node.successors.iter().for_each(|&(successor, step)| {
            predecessors[successor as usize].push((predecessor, step))
        });
    }
    let mut open: Vec<usize> = search_nodes.iter().map(|node| node.successors.len()).collect();
    let mut worst = vec![0; search_nodes.len()];
    let mut costs = vec![None; search_nodes.len()];
    let mut moves = FxHashMap::default();
    let mut queue: BinaryHeap<Reverse<(u32, u32, u32)>> = BinaryHeap::new();
    let leaves =
        (0..).zip(search_nodes).filter(|(_, node)| !node.is_ours && node.successors.is_empty());
    queue.extend(leaves.map(|(node, _)| Reverse((0, node, u32::MAX))));
    while let Some(Reverse((cost, node, by))) = queue.pop() {
        if costs[node as usize].is_some() {
            continue;
        }
        costs[node as usize] = Some(cost);
        if by != u32::MAX {
            moves.insert(node, by);
        }
        for &(predecessor, step) in &predecessors[node as usize] {
            let through = cost + u32::from(step);
            if search_nodes[predecessor as usize].is_ours {
                queue.push(Reverse((through, predecessor, node)));
                continue;
            }
            let index = predecessor as usize;
            worst[index] = worst[index].max(through);
            open[index] -= 1;
            if open[index] == 0 {
                queue.push(Reverse((worst[index], predecessor, u32::MAX)));
            }
        }
    }
    (costs, moves)
}

/// How much may be looked at for the sake of a shorter loop.
const EFFORT: usize = 4_000_000;

/// The moves of the shortest stem and loop, if what does not end is a path whatever is chosen.
fn shortest_loop(
    search_nodes: &[SearchNode],
    costs: &[Option<u32>],
) -> Option<(u32, FxHashMap<u32, u32>)> {
    let endless = |node: u32| {
        search_nodes[node as usize]
            .successors
            .iter()
            .filter(|successor| costs[successor.0 as usize].is_none())
    };
    let from = tree(0, endless);
    let branches = |node: u32| !search_nodes[node as usize].is_ours && endless(node).count() != 1;
    if from.keys().any(|&node| branches(node)) {
        return None;
    }
    let mut stems: Vec<(u32, u32)> =
        from.iter().map(|(&node, reach)| (reach.steps, node)).collect();
    stems.sort_unstable();
    let mut best: Option<(u32, u32, Vec<u32>)> = None;
    let mut effort = 0;
    for (stem, node) in stems {
        effort += from.len();
        if best.as_ref().is_some_and(|(length, ..)| stem >= *length) || effort > EFFORT {
            break;
        }
        if !search_nodes[node as usize].may_loop {
            continue;
        }
        let around = tree(node, endless);
        let backs = around.iter().flat_map(|(&last, reach)| {
            let back = endless(last).filter(|successor| successor.0 == node);
            back.map(move |successor| (reach.steps + u32::from(successor.1), last))
        });
        if let Some((length, last)) = backs.min()
            && best.as_ref().is_none_or(|(least, ..)| stem + length < *least)
        {
            best = Some((stem + length, node, path_to(&around, last)));
        }
    }
    let (length, node, cycle) = best?;
    let stem = path_to(&from, node);
    let mut moves: FxHashMap<u32, u32> = stem.windows(2).map(|pair| (pair[0], pair[1])).collect();
    moves.extend(cycle.windows(2).map(|pair| (pair[0], pair[1])));
    moves.extend(cycle.last().map(|&last| (last, node)));
    Some((length, moves))
}

/// How a position is reached.
struct Reach {
    steps: u32,
    predecessor: u32,
}

/// The shortest paths from a position, by transitions.
fn tree<'s, S>(root: u32, successors: impl Fn(u32) -> S) -> FxHashMap<u32, Reach>
where
    S: Iterator<Item = &'s (u32, bool)>,
{
    let mut reached = FxHashMap::default();
    reached.insert(root, Reach { steps: 0, predecessor: root });
    let mut queue = VecDeque::from([(root, 0)]);
    while let Some((node, steps)) = queue.pop_front() {
        if reached[&node].steps < steps {
            continue;
        }
        for &(successor, step) in successors(node) {
            let through = steps + u32::from(step);
            if reached.get(&successor).is_some_and(|reach| reach.steps <= through) {
                continue;
            }
            reached.insert(successor, Reach { steps: through, predecessor: node });
            // What costs nothing comes first.
            if step {
                queue.push_back((successor, through))
            } else {
                queue.push_front((successor, through))
            }
        }
    }
    reached
}

/// From the root of a tree to a position.
fn path_to(tree: &FxHashMap<u32, Reach>, mut node: u32) -> Vec<u32> {
    let mut path_to = vec![node];
    while tree[&node].predecessor != node {
        node = tree[&node].predecessor;
        path_to.push(node);
    }
    path_to.reverse();
    path_to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(is_ours: bool, successors: &[(u32, bool)]) -> SearchNode {
        SearchNode { is_ours, may_loop: true, successors: successors.to_vec() }
    }

    #[test]
    fn the_shorter_path_is_taken() {
        // 0 goes to 3 through 1 and 2, or directly.
        let search_nodes = [
            node(true, &[(1, true), (3, true)]),
            node(true, &[(2, true)]),
            node(true, &[(3, true)]),
            node(false, &[]),
        ];
        assert_eq!(shortest(&search_nodes).1[&0], 3);
    }

    #[test]
    fn the_other_player_takes_the_longer_one() {
        let search_nodes = [
            node(true, &[(1, false), (2, true)]),
            node(false, &[(3, true), (4, false)]),
            node(true, &[(3, true)]),
            node(true, &[(4, true)]),
            node(false, &[]),
        ];
        // By 1 it takes two transitions, by 2 three.
        assert_eq!(shortest(&search_nodes).1[&0], 1);
    }

    #[test]
    fn the_shortest_loop_is_found() {
        // 1 goes round through 2 and 3; 4, one step further, in itself.
        let search_nodes = [
            node(true, &[(1, true)]),
            node(true, &[(2, true), (4, true)]),
            node(true, &[(3, true)]),
            node(true, &[(1, true)]),
            node(true, &[(4, true)]),
        ];
        let (length, moves) = shortest(&search_nodes);
        assert_eq!(length, 3);
        assert_eq!((moves[&0], moves[&1], moves[&4]), (1, 4, 4));
    }
}
