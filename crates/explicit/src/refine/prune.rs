//! C §5.2, "Optimization": what a product says about the ?-subgraphs that it came from.
//!
//! The paper: a node of a ?-subgraph that is a sub-node of no product node can be removed, and one
//! whose product nodes have all one definite colour can be given that colour. As it stands this is not
//! sound. A product leaves out the successors that cannot matter to their predecessor, and has none below nodes that
//! are decided. So a node may stand for product nodes that are not to be seen, and what is to be seen
//! elsewhere says nothing about them. Take f ∧ g, with f ∨-node over a literal of the other component,
//! whose literal is true in t and false in t′: of (s, t) ⊢ f nothing is seen, because a true successor does
//! not matter to a conjunction, and with what is seen in (s, t′) the node s ⊢ f, and with it s ⊢ f ∧ g,
//! would come out false.
//!
//! Here it is done edge by edge. An edge of a ?-subgraph that no product node over its source has is
//! removed. If some have it and others have left it out, or have it with some of the steps that the other
//! components may make and not with all, its target stands for unseen nodes too: it and all below it
//! stay as they are. So does what lies below a node that a terminal product node stands
//! over, unless that node itself is given a colour. Then the colours of the ?-subgraph are right for every
//! product node, seen or not, over it.
//!
//! Dropped edges and hyper-transitions do not mix: below a dropped edge colours need mean nothing for nodes
//! over its source, and a hyper-transition that has the edge's target among its members would bring them
//! back as a must. So from a node such a hyper-transition is not used, and once there is any
//! hyper-transition nothing more is pruned, because a product shows the set it leads to and not which member
//! is whose. Hyper-transitions of which the environment chooses the member are made of the steps that are there, anew
//! in each game, and products are looked at without them.

use super::Run;
use super::abstraction::Abstraction;
use game::SubsystemGame;
use game::colour::Colouring;
use logic::Truth;
use model::{CHOSEN, IDLE, Interface, JointLabels, STUTTER};
use rustc_hash::FxHashMap;
use support::Stopped;

/// Colours that a product gives to the nodes and edges of one of its factors.
struct View<'p, 'f> {
    part: &'p SubsystemGame<'f>,
    /// By node: the colour of all product nodes over it; `None` if they differ or are not all seen.
    colours: Vec<Option<Truth>>,
    is_seen: Vec<bool>,
    /// By node: whether a terminal product node stands over it.
    is_ended: Vec<bool>,
    /// By edge: whether some product node has it, and whether some product node has left it out.
    edges: Vec<(bool, bool)>,
}

impl<'f> Run<'_, 'f> {
    pub(super) fn prune(
        &mut self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
    ) -> Result<(), Stopped> {
        let options = &self.request.refinement;
        let (drop_absent, take_over) = (options.drop_absent, options.take_over);
        let has_hyper = self.abstractions.iter().any(Abstraction::has_hyper);
        if combined.components.len() < 2
            || !options.keep_colours
            || !(drop_absent || take_over)
            || has_hyper
        {
            return Ok(());
        }
        for (place, &component) in combined.components.iter().enumerate() {
            let Some(undetermined) = self.parts[component].take() else { continue };
            let view = self.view(combined, colouring, place, &undetermined.part)?;
            let kept = view.kept(drop_absent, take_over);
            self.stale[component] |= (drop_absent && self.drop_edges(component, &view, &kept))
                | (take_over && self.take_over(component, &view, &kept));
            self.parts[component] = Some(undetermined);
        }
        Ok(())
    }

    fn drop_edges(&mut self, component: usize, view: &View, kept: &[bool]) -> bool {
        let graph = &view.part.graph;
        let mut news = false;
        for node in (0..graph.len() as u32).filter(|&node| view.is_seen[node as usize]) {
            if view.is_ended[node as usize] || kept[node as usize] {
                continue;
            }
            let successors = graph.successors(node).iter().map(|edge| edge.node());
            for successor in successors.filter(|&successor| !is_choice(view.part, successor)) {
                if !view.is_seen_to(node, successor) {
                    news |= self.memory.drop_edge(component, graph.at(node), graph.at(successor));
                }
            }
        }
        news
    }

    fn take_over(&mut self, component: usize, view: &View, kept: &[bool]) -> bool {
        let graph = &view.part.graph;
        let mut news = false;
        for node in (0..graph.len() as u32).filter(|&node| !kept[node as usize]) {
            let given = graph.given[node as usize];
            if let Some(colour) = view.colours[node as usize]
                && colour.is_definite()
                && given != Some(colour)
            {
                news |= self.memory.take_over(component, graph.at(node), colour);
            }
        }
        news
    }

    /// Looks at a product from one of its components.
    fn view<'p>(
        &mut self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        place: usize,
        part: &'p SubsystemGame<'f>,
    ) -> Result<View<'p, 'f>, Stopped> {
        let nodes = part.graph.len();
        let component = combined.components[place];
        let mut partners: FxHashMap<(u32, u32, u32), usize> = FxHashMap::default();
        let ids: FxHashMap<(u32, u32), u32> =
            (0..nodes as u32).map(|node| (part.graph.at(node), node)).collect();
        let over = |node: u32| {
            let (state, label) = combined.graph.at(node);
            ids[&(combined.tuple(state)[place], label)]
        };
        let mut view = View {
            part,
            colours: vec![None; nodes],
            is_seen: vec![false; nodes],
            is_ended: vec![false; nodes],
            edges: vec![(false, false); part.graph.edge_count()],
        };
        for node in 0..combined.graph.len() as u32 {
            if node % 256 == 0 {
                self.monitor().step(256)?;
            }
            if is_choice(combined, node) {
                continue;
            }
            let own = over(node);
            view.see(own, colouring.colours[node as usize]);
            if combined.graph.given[node as usize].is_some() {
                view.is_ended[own as usize] = true;
                continue;
            }
            let is_modal = combined.graph.class(node).is_modal();
            // By successor and rule: how many there are. A part that stands still has one rule for all.
            let mut successors: FxHashMap<(u32, u32), usize> = FxHashMap::default();
            let steps = combined.steps_of(node).filter(|(_, step)| step.rule != CHOSEN);
            for (edge, step) in steps {
                let rule = if !is_modal || self.takes_no_part(component, step.rule) {
                    IDLE
                } else {
                    step.rule
                };
                *successors.entry((over(edge.node()), rule)).or_default() += 1;
            }
            for number in part.graph.edge_range(own) {
                let (edge, step) = (part.graph.edge(number), part.steps[number]);
                if step.rule == CHOSEN {
                    continue;
                }
                let rule = if is_modal { step.rule } else { IDLE };
                let seen = successors.get(&(edge.node(), rule)).copied().unwrap_or(0);
                let all = match rule {
                    STUTTER => 1,
                    IDLE if is_modal => usize::MAX,
                    IDLE => 1,
                    _ => {
                        let target = part.graph.states[edge.node() as usize];
                        let key = (combined.graph.states[node as usize], target, rule);
                        let count = || self.partners(combined, key, place, part);
                        *partners.entry(key).or_insert_with(count)
                    }
                };
                view.edges[number].0 |= seen > 0;
                view.edges[number].1 |= seen < all;
            }
        }
        Ok(view)
    }

    /// Whether a component takes no part in a step of the composition.
    fn takes_no_part(&self, component: usize, rule: u32) -> bool {
        rule != STUTTER && self.action_of(component, rule).is_none()
    }

    /// In how many ways the other components may go along with a step of one, from a state of the
    /// product to a state of the part by a rule; more if undetermined.
    fn partners(
        &mut self,
        combined: &SubsystemGame<'f>,
        (state, target, rule): (u32, u32, u32),
        place: usize,
        part: &SubsystemGame<'f>,
    ) -> usize {
        let interface: &Interface = self.question.interface;
        let target = part.label(target, interface.joint.words());
        let own = interface.joint.own(combined.components[place]);
        let mut combinations = 1usize;
        for (&component, &member) in combined.components.iter().zip(combined.tuple(state)) {
            if component == combined.components[place] {
                continue;
            }
            let Some(action) = self.action_of(component, rule) else { continue };
            let common = |word: usize| own[word] & interface.joint.own(component)[word];
            let abstraction = &mut self.abstractions[component];
            abstraction.steps(member);
            let fitting = abstraction.known_steps(member).iter().filter(|step| {
                let label = abstraction.concrete.joint(step.target);
                step.action == action && JointLabels::agree(label, target, common)
            });
            combinations = combinations.saturating_mul(fitting.count());
        }
        combinations
    }
}

/// Whether the other player chooses a member of a hyper-transition in a node.
fn is_choice(part: &SubsystemGame, node: u32) -> bool {
    part.graph.subformulas.chosen_by(part.graph.labels[node as usize]).is_some()
}

impl View<'_, '_> {
    fn see(&mut self, node: u32, colour: Truth) {
        let known = &mut self.colours[node as usize];
        if !std::mem::replace(&mut self.is_seen[node as usize], true) {
            *known = Some(colour);
        } else if *known != Some(colour) {
            *known = None;
        }
    }

    /// Whether some product node over `node` has a successor over `successor`.
    fn is_seen_to(&self, node: u32, successor: u32) -> bool {
        let graph = &self.part.graph;
        let mut edges = graph.successors(node).iter().zip(graph.edge_range(node));
        edges.any(|(edge, number)| edge.node() == successor && self.edges[number].0)
    }

    /// By node: whether it stands for product nodes that are not seen.
    fn kept(&self, drop_absent: bool, take_over: bool) -> Vec<bool> {
        let graph = &self.part.graph;
        let mut kept = vec![false; graph.len()];
        let mut open: Vec<u32> = Vec::new();
        for node in 0..graph.len() as u32 {
            let coloured = take_over && self.colours[node as usize].is_some_and(Truth::is_definite);
            let needs_successors = self.is_ended[node as usize] && !coloured;
            let drops = drop_absent && !self.is_ended[node as usize];
            for (edge, number) in graph.successors(node).iter().zip(graph.edge_range(node)) {
                let dropped = drops && !self.is_seen_to(node, edge.node());
                if needs_successors || (self.edges[number].1 && !dropped) {
                    open.push(edge.node());
                }
            }
        }
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut kept[node as usize], true) {
                open.extend(graph.successors(node).iter().map(|edge| edge.node()));
            }
        }
        kept
    }
}
