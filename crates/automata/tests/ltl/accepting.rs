//! Whether an automaton accepts an ultimately periodic word: by the components of the product.

use automata::BuchiAutomaton;
use testkit::linear::PeriodicWord;

pub fn accepts(automaton: &BuchiAutomaton, word: &PeriodicWord) -> bool {
    let letters: Vec<u128> = word.prefix.iter().chain(&word.cycle).copied().collect();
    let length = letters.len();
    let after = |place: usize| if place + 1 < length { place + 1 } else { word.prefix.len() };
    let count = automaton.states() * length;
    let steps = |node: usize| {
        let (state, place) = (node / length, node % length);
        automaton.edges[state]
            .iter()
            .filter(|edge| edge.label.is_satisfied_by(letters[place]))
            .map(|edge| (edge.target as usize * length + after(place), edge.marks))
            .collect::<Vec<_>>()
    };
    let edges: Vec<Vec<(usize, u64)>> = (0..count).map(steps).collect();
    let reachable = |from: usize, all: &[Vec<(usize, u64)>]| {
        let mut seen = vec![false; count];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for &(to, _) in &all[node] {
                if !seen[to] {
                    seen[to] = true;
                    open.push(to);
                }
            }
        }
        seen
    };
    let start = automaton.initial as usize * length;
    let from_start = reachable(start, &edges);
    let reach: Vec<Vec<bool>> = (0..count).map(|node| reachable(node, &edges)).collect();
    (0..count).any(|node| {
        // The edges of the component of a node that lies on a cycle.
        (from_start[node] || node == start) && reach[node][node] && {
            let inside = |other: usize| reach[node][other] && reach[other][node];
            let marks = (0..count).filter(|&other| inside(other)).flat_map(|other| {
                edges[other].iter().filter(|(to, _)| inside(*to)).map(|(_, marks)| *marks)
            });
            marks.fold(0, |all, marks| all | marks) == automaton.all_marks()
        }
    })
}
