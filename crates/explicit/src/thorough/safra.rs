//! Determinisation of a Büchi automaton with accepting transitions, step by step (Safra; with the names and priorities of
//! Piterman, "From nondeterministic Büchi and Streett automata to deterministic parity automata").

/// A compact Safra tree: nodes in the order of their names, each with its parent and its label. Parents and elder
/// siblings have smaller names; labels of siblings are disjoint, and together less than their parent's.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct SafraTree {
    nodes: Vec<SafraNode>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct SafraNode {
    /// Of the root its own name.
    parent: usize,
    /// Rising.
    label: Vec<u32>,
}

impl SafraTree {
    pub fn new(state: u32) -> Self {
        Self { nodes: vec![SafraNode { parent: 0, label: vec![state] }] }
    }

    /// All states that the automaton can be in.
    pub fn states(&self) -> &[u32] {
        self.nodes.first().map_or(&[], |root| &root.label)
    }

    /// The tree after a letter, of which `successors` gives those of a state and whether they are accepting. The least
    /// priority that occurs for ever is even if and only if a run is accepting.
    pub fn step(&self, successors: impl Fn(u32) -> Vec<(u32, bool)>) -> (SafraTree, u32) {
        let known = self.nodes.len();
        let mut nodes: Vec<SafraNode> = Vec::with_capacity(2 * known);
        let mut youngest = Vec::with_capacity(known);
        for (name, node) in self.nodes.iter().enumerate() {
            let all: Vec<(u32, bool)> =
                node.label.iter().flat_map(|&state| successors(state)).collect();
            let accepting = all.iter().filter(|(_, accepts)| *accepts);
            youngest.push(SafraNode { parent: name, label: set(accepting.map(|(to, _)| *to)) });
            nodes
                .push(SafraNode { parent: node.parent, label: set(all.iter().map(|(to, _)| *to)) });
        }
        nodes.append(&mut youngest);
        keep_in_eldest(&mut nodes);
        let (is_good, is_removed) = merge_full(&nodes);
        let good = is_good.iter().position(|&good| good).map(|name| 2 * name as u32 + 2);
        let removed = is_removed[..known].iter().position(|&is| is).map(|name| 2 * name as u32 + 1);
        let neither = u32::MAX;
        let priority = good.unwrap_or(neither).min(removed.unwrap_or(neither));
        (Self { nodes: renamed(nodes, &is_removed) }, priority)
    }
}

fn set(states: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut states: Vec<u32> = states.collect();
    states.sort_unstable();
    states.dedup();
    states
}

/// A state stays with the eldest of siblings, and only below where it stays.
fn keep_in_eldest(nodes: &mut [SafraNode]) {
    for name in 1..nodes.len() {
        let (elder, rest) = nodes.split_at_mut(name);
        let node = &mut rest[0];
        let siblings = elder.iter().skip(1).filter(|other| other.parent == node.parent);
        let taken: Vec<&Vec<u32>> = siblings.map(|sibling| &sibling.label).collect();
        let parent = &elder[node.parent].label;
        node.label.retain(|state| {
            parent.binary_search(state).is_ok()
                && !taken.iter().any(|label| label.binary_search(state).is_ok())
        });
    }
}

/// The nodes of which all states are in children, whose descendants are removed; and the nodes that are removed.
fn merge_full(nodes: &[SafraNode]) -> (Vec<bool>, Vec<bool>) {
    let mut is_good = vec![false; nodes.len()];
    let mut is_removed = vec![false; nodes.len()];
    for (name, node) in nodes.iter().enumerate() {
        let is_below_good = name > 0 && (is_good[node.parent] || is_removed[node.parent]);
        is_removed[name] = node.label.is_empty() || is_below_good;
        // Labels of siblings are disjoint, so it is enough to count.
        let children = nodes.iter().enumerate().skip(name + 1).filter(|(_, n)| n.parent == name);
        let within: usize = children.map(|(_, child)| child.label.len()).sum();
        is_good[name] = !is_removed[name] && within == node.label.len();
    }
    (is_good, is_removed)
}

/// The nodes that are left, named anew in the same order.
fn renamed(nodes: Vec<SafraNode>, is_removed: &[bool]) -> Vec<SafraNode> {
    let mut names = Vec::with_capacity(nodes.len());
    let mut left = 0;
    for &is_removed in is_removed {
        names.push(left);
        left += usize::from(!is_removed);
    }
    let kept = nodes.into_iter().zip(is_removed).filter(|(_, is_removed)| !**is_removed);
    kept.map(|(node, _)| SafraNode { parent: names[node.parent], ..node }).collect()
}
