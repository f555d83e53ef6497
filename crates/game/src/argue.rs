//! Why nodes of a coloured game graph have the colour they have, in the order in which it can be shown.
//!
//! The winner follows the moves that the colouring remembers. Then only the loser has a choice, and on
//! every cycle the highest priority is one of the winner's. So in each strongly connected part suppose
//! the nodes of the highest priority; without these it falls into smaller parts, where the same is done
//! again; a single node that is on no cycle follows from its sons.

use crate::colour::{Colouring, NONE};
use crate::graph::GameGraph;
use logic::Truth;

/// One step; nodes are those of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeStep {
    Show(u32),
    Open { level: u32 },
    Suppose(u32),
    Close,
}

/// What shows the colour of some nodes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeArgument {
    pub steps: Vec<NodeStep>,
    /// The nodes on the way whose colour was given.
    pub given: Vec<u32>,
}

/// Shows the definite colour of some nodes that all have the same.
pub fn argue(graph: &GameGraph, colouring: &Colouring, roots: &[u32]) -> NodeArgument {
    let Some(&first) = roots.first() else { return NodeArgument::default() };
    let value = colouring.colours[first as usize];
    debug_assert!(value.is_definite());
    let mut arguer = Arguer {
        graph,
        colouring,
        value,
        number: vec![0; graph.len()],
        counter: 0,
        state: vec![State::New; graph.len()],
        argument: NodeArgument::default(),
    };
    arguer.show(roots);
    arguer.argument
}

/// How a node stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// On the stack of the search that is going on.
    Open,
    Known,
}

struct Arguer<'g, 'f> {
    graph: &'g GameGraph<'f>,
    colouring: &'g Colouring,
    value: Truth,
    /// Tarjan's low links.
    number: Vec<u32>,
    counter: u32,
    state: Vec<State>,
    argument: NodeArgument,
}

impl Arguer<'_, '_> {
    /// The next son that the colour of a node rests on, from the `index`-th edge on.
    fn next_son(&self, node: u32, index: &mut usize) -> Option<u32> {
        let is_his = self.graph.class(node).is_universal() == (self.value == Truth::True);
        let chosen = self.colouring.next[node as usize];
        while let Some(edge) = self.graph.sons(node).get(*index) {
            *index += 1;
            let counts = if is_his { edge.may() } else { [edge.node(), NONE].contains(&chosen) };
            if counts {
                return Some(edge.node());
            }
        }
        None
    }

    /// Tarjan's algorithm without recursion, from the given nodes and through new ones.
    fn show(&mut self, roots: &[u32]) {
        let mut path: Vec<(u32, u32, usize)> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        for &root in roots {
            if self.state[root as usize] == State::New {
                self.enter(root, &mut path, &mut open);
            }
            while let Some(&mut (node, number, ref mut index)) = path.last_mut() {
                if let Some(son) = self.next_son(node, index) {
                    match self.state[son as usize] {
                        State::New => self.enter(son, &mut path, &mut open),
                        State::Open => self.lower(node, self.number[son as usize]),
                        State::Known => {}
                    }
                    continue;
                }
                path.pop();
                let low = self.number[node as usize];
                if let Some(&(father, ..)) = path.last() {
                    self.lower(father, low);
                }
                if low == number {
                    let start = open.iter().rposition(|&member| member == node).unwrap_or(0);
                    let component = open.split_off(start);
                    self.show_component(component);
                }
            }
        }
    }

    fn lower(&mut self, node: u32, number: u32) {
        let low = &mut self.number[node as usize];
        *low = (*low).min(number);
    }

    fn enter(&mut self, node: u32, path: &mut Vec<(u32, u32, usize)>, open: &mut Vec<u32>) {
        if self.graph.given[node as usize].is_some() {
            self.state[node as usize] = State::Known;
            self.argument.given.push(node);
            return;
        }
        self.counter += 1;
        self.number[node as usize] = self.counter;
        self.state[node as usize] = State::Open;
        open.push(node);
        path.push((node, self.counter, 0));
    }

    /// All that it leads to outside is known.
    fn show_component(&mut self, component: Vec<u32>) {
        if let ([single], false) = (&component[..], self.is_own_son(component[0])) {
            self.state[*single as usize] = State::Known;
            return self.argument.steps.push(NodeStep::Show(*single));
        }
        let level = self.level(&component);
        debug_assert_eq!(level.is_multiple_of(2), self.value == Truth::True);
        self.argument.steps.push(NodeStep::Open { level });
        let (mut supposed, rest): (Vec<u32>, Vec<u32>) =
            component.into_iter().partition(|&node| self.is_variable(node, level));
        // In the order in which certificates name states.
        supposed.sort_unstable_by_key(|&node| (self.graph.at(node).1, self.graph.at(node).0));
        for &node in &supposed {
            self.state[node as usize] = State::Known;
            self.argument.steps.push(NodeStep::Suppose(node));
        }
        rest.iter().for_each(|&node| self.state[node as usize] = State::New);
        self.show(&rest);
        self.argument.steps.push(NodeStep::Close);
    }

    fn is_own_son(&self, node: u32) -> bool {
        let mut index = 0;
        let mut sons = std::iter::from_fn(|| self.next_son(node, &mut index));
        sons.any(|son| son == node)
    }

    fn is_variable(&self, node: u32, level: u32) -> bool {
        let subformula = self.graph.subformula(node);
        subformula.witness.is_some() && subformula.priority == level
    }

    /// The highest priority of a variable in a component.
    fn level(&self, component: &[u32]) -> u32 {
        let variables = component.iter().map(|&node| self.graph.subformula(node));
        let variables = variables.filter(|subformula| subformula.witness.is_some());
        variables.map(|subformula| subformula.priority).max().unwrap_or(0)
    }
}
