//! One game, or what is to be seen of it.

use super::predecessors::Predecessors;
use super::sum::{Bundle, Group, GroupKey, Sum};
use crate::protocol::List;
use crate::views::formula::owner;
use crate::views::search::Words;
use crate::views::window::{Chosen, Graph, Window};
use serde::Serialize;
use tertium::Stopped;
use tertium::Verdict as Truth;
use tertium::inspect::Monitor;
use tertium::inspect::StateGraph as Model;
use tertium::inspect::{Game, Games};

/// A search by name looks at so many nodes.
const MOST_SEARCHED: usize = 1_000_000;

/// One game, ready to be looked at.
pub struct GameView<'a> {
    pub(super) id: String,
    pub(super) game: &'a Game,
    pub(super) predecessors: &'a Predecessors,
    pub(super) games: &'a Games,
    /// Of the components.
    pub(super) models: Vec<&'a Model>,
    /// The composition, for its game.
    pub(super) composition: Option<&'a Model>,
}

impl Graph for GameView<'_> {
    fn len(&self) -> usize {
        self.game.stored.len()
    }

    fn starts(&self) -> &[u32] {
        &self.game.stored.initial
    }

    fn for_each_out(&self, node: u32, visit: &mut dyn FnMut(u32)) {
        self.game.stored.successors(node).iter().for_each(|edge| visit(edge.node()));
    }

    fn for_each_in(&self, node: u32, visit: &mut dyn FnMut(u32)) {
        self.predecessors.of(node).iter().for_each(|&before| visit(before));
    }
}

/// The answer to `/api/game/graph`.
#[derive(Serialize, Debug)]
pub struct GraphDocument {
    game: String,
    complete: bool,
    nodes: Vec<Node>,
    edges: Vec<Arrow>,
    groups: Vec<Group>,
    bundles: Vec<Bundle>,
}

#[derive(Serialize, Debug)]
struct Node {
    id: u32,
    state: String,
    members: Vec<String>,
    states: Vec<u32>,
    subformula: u32,
    colour: String,
    owner: Option<&'static str>,
    initial: bool,
    frontier: bool,
    out: usize,
    #[serde(rename = "in")]
    into: usize,
    more: usize,
}

#[derive(Serialize, Debug)]
struct Arrow {
    from: u32,
    to: u32,
    may: bool,
    must: bool,
    step: bool,
}

/// The answer to `/api/game/nodes`.
#[derive(Serialize, Debug)]
pub struct NodesDocument {
    total: usize,
    offset: usize,
    nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched: Option<usize>,
}

/// Which nodes are listed.
pub struct WantedNodes<'q> {
    pub subformula: Option<u32>,
    pub colour: Option<Truth>,
    pub list: &'q List,
}

impl GameView<'_> {
    /// A part of the game, or the game summed up.
    pub fn graph(&self, window: &Window, monitor: &Monitor) -> Result<GraphDocument, Stopped> {
        if window.from.is_none() && self.len() > window.most() {
            let (groups, bundles) = self.summed_up(monitor)?;
            let (nodes, edges) = (Vec::new(), Vec::new());
            return Ok(GraphDocument {
                game: self.id.clone(),
                complete: false,
                nodes,
                edges,
                groups,
                bundles,
            });
        }
        let chosen = window.nodes(self, monitor)?;
        let edges = chosen.nodes.iter().flat_map(|&from| self.arrows(from, &chosen));
        Ok(GraphDocument {
            game: self.id.clone(),
            complete: chosen.nodes.len() == self.len(),
            nodes: chosen
                .nodes
                .iter()
                .map(|&node| self.node(node, |other| chosen.contains(other)))
                .collect(),
            edges: edges.collect(),
            groups: Vec::new(),
            bundles: Vec::new(),
        })
    }

    fn arrows<'s>(&'s self, from: u32, chosen: &'s Chosen) -> impl Iterator<Item = Arrow> + 's {
        let step = self.games.subformulas.get(self.game.stored.at(from).1).class.is_modal();
        let shown =
            self.game.stored.successors(from).iter().filter(|edge| chosen.contains(edge.node()));
        shown.map(move |edge| Arrow {
            from,
            to: edge.node(),
            may: edge.may(),
            must: edge.must(),
            step,
        })
    }

    fn node(&self, id: u32, is_shown: impl Fn(u32) -> bool) -> Node {
        let stored = &self.game.stored;
        let (state, label) = stored.at(id);
        let (members, states) = self.members(state);
        let (successors, predecessors) = (stored.successors(id), self.predecessors.of(id));
        let hidden_successors = successors.iter().filter(|edge| !is_shown(edge.node())).count();
        let hidden_predecessors = predecessors.iter().filter(|&&before| !is_shown(before)).count();
        Node {
            id,
            state: self.name(state, &members),
            members,
            states,
            subformula: self.subformula(label),
            colour: stored.colour(id).to_string(),
            owner: owner(self.games.subformulas.get(label).class),
            initial: stored.initial.contains(&id),
            frontier: self.predecessors.frontier[id as usize],
            out: successors.len(),
            into: predecessors.len(),
            more: hidden_successors + hidden_predecessors,
        }
    }

    /// The states of the components in a state, by name and by number.
    fn members(&self, state: u32) -> (Vec<String>, Vec<u32>) {
        if self.hyper(state).is_some() {
            return (Vec::new(), Vec::new());
        }
        let tuple = self.game.tuple(&state).unwrap_or_default();
        let names = self.game.components.iter().zip(tuple);
        let names = names.map(|(&component, &member)| self.models[component].state_name(member));
        (names.collect(), tuple.to_vec())
    }

    fn name(&self, state: u32, members: &[String]) -> String {
        match (self.hyper(state), self.composition) {
            (Some(hyper), Some(composition)) => {
                let targets: Vec<String> =
                    hyper.targets.iter().map(|&target| composition.state_name(target)).collect();
                format!(
                    "{} to one of {{{}}}",
                    composition.state_name(hyper.source),
                    targets.join(", ")
                )
            }
            _ => members.join(","),
        }
    }

    /// The hyper-transition that a place is, if it is no state.
    fn hyper(&self, place: u32) -> Option<&tertium::inspect::Hyper> {
        let composition = self.composition.filter(|composition| !composition.hyper().is_empty())?;
        composition.hyper().get((place as usize).checked_sub(composition.states())?)
    }

    /// The subformula of a label; the choice among the targets of a hyper-transition belongs to its modality.
    fn subformula(&self, label: u32) -> u32 {
        self.games.subformulas.chosen_by(label).unwrap_or(label)
    }

    fn key(&self, node: u32) -> GroupKey {
        let stored = &self.game.stored;
        (self.subformula(stored.at(node).1), stored.colour(node))
    }

    /// All nodes by subformula and colour, and the edges between these groups.
    fn summed_up(&self, monitor: &Monitor) -> Result<(Vec<Group>, Vec<Bundle>), Stopped> {
        let stored = &self.game.stored;
        let mut sum = Sum::new(self.games.subformulas.count());
        for node in 0..stored.len() as u32 {
            let key = self.key(node);
            sum.count(key, node, self.predecessors.frontier[node as usize]);
            for edge in stored.successors(node) {
                sum.join(key, self.key(edge.node()), !edge.must());
            }
            if node % 4096 == 0 {
                monitor.step(4096)?;
            }
        }
        stored.initial.iter().for_each(|&node| sum.begin(self.key(node), node));
        let owner = |subformula: u32| owner(self.games.subformulas.get(subformula).class);
        Ok((sum.groups(owner), sum.bundles()))
    }

    /// Some nodes, page by page.
    pub fn nodes(&self, wanted: &WantedNodes, monitor: &Monitor) -> Result<NodesDocument, Stopped> {
        let words = Words::new(&wanted.list.query);
        let page = wanted.list.page();
        let mut found = NodesDocument {
            total: 0,
            offset: wanted.list.offset,
            nodes: Vec::new(),
            searched: None,
        };
        let mut looked_at = 0;
        for id in 0..self.len() as u32 {
            if id % 4096 == 0 {
                monitor.step(4096)?;
            }
            if !wanted.is_of(self.key(id)) {
                continue;
            }
            if !words.is_empty() && looked_at == MOST_SEARCHED {
                found.searched = Some(looked_at);
                break;
            }
            looked_at += 1;
            if !words.is_empty() && !words.are_in(&self.name_of(id)) {
                continue;
            }
            if page.contains(&found.total) {
                found.nodes.push(self.node(id, |_| false));
            }
            found.total += 1;
        }
        Ok(found)
    }

    fn name_of(&self, node: u32) -> String {
        let state = self.game.stored.at(node).0;
        self.name(state, &self.members(state).0)
    }
}

impl WantedNodes<'_> {
    fn is_of(&self, (subformula, colour): GroupKey) -> bool {
        self.subformula.is_none_or(|wanted| wanted == subformula)
            && self.colour.is_none_or(|wanted| wanted == colour)
    }
}
