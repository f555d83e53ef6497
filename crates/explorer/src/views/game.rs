//! Coloured games to be looked at: as a graph where they are small, summed up where they are large.

use super::formula::{Part, owner};
use super::search::Words;
use super::window::{Chosen, Graph, Window};
use base::{Monitor, Stopped};
use check::{Game, GameKind, Games};
use game::Sheet;
use logic::Truth;
use model::Model;
use serde::Serialize;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A search by name looks at so many nodes.
const MOST_SEARCHED: usize = 1_000_000;
const MOST_LISTED: usize = 1000;

/// The games of a question, and the models whose states they speak of.
pub struct GameTable {
    games: Games,
    fathers: Vec<OnceCell<Fathers>>,
}

/// Where one comes from, which the games themselves do not know.
struct Fathers {
    offsets: Vec<u32>,
    sources: Vec<u32>,
    /// By node: whether it is definite and a node in doubt leads to it.
    frontier: Vec<bool>,
}

impl Fathers {
    fn new(sheet: &Sheet) -> Self {
        let mut offsets = vec![0u32; sheet.len() + 2];
        let mut frontier = vec![false; sheet.len()];
        let nodes = || 0..sheet.len() as u32;
        for node in nodes() {
            let doubts = sheet.colour(node) == Truth::Unknown;
            for edge in sheet.sons(node) {
                let son = edge.node() as usize;
                offsets[son + 2] += 1;
                frontier[son] |= doubts && sheet.colour(edge.node()).is_definite();
            }
        }
        for node in 2..offsets.len() {
            offsets[node] += offsets[node - 1];
        }
        // `offsets[n + 1]` runs through the row of n, and ends where the next begins.
        let mut sources = vec![0; sheet.edge_count()];
        for node in nodes() {
            for edge in sheet.sons(node) {
                let place = &mut offsets[edge.node() as usize + 1];
                sources[*place as usize] = node;
                *place += 1;
            }
        }
        Self { offsets, sources, frontier }
    }

    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.sources[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }
}

/// How many of each colour.
#[derive(Serialize, Clone, Copy, Default, Debug)]
struct Counts {
    #[serde(rename = "true")]
    trues: usize,
    #[serde(rename = "false")]
    falses: usize,
    unknown: usize,
}

impl Counts {
    fn of(colours: impl Iterator<Item = Truth>) -> Self {
        let mut counts = Self::default();
        for colour in colours {
            match colour {
                Truth::True => counts.trues += 1,
                Truth::False => counts.falses += 1,
                Truth::Unknown => counts.unknown += 1,
            }
        }
        counts
    }

    fn verdict(self) -> Truth {
        match self {
            Counts { falses: 1.., .. } => Truth::False,
            Counts { unknown: 1.., .. } => Truth::Unknown,
            _ => Truth::True,
        }
    }
}

/// The answer to `/api/game`.
#[derive(Serialize, Debug)]
pub struct GameDocument<'a> {
    pub property: &'a str,
    pub logic: &'a str,
    pub formula: &'a str,
    pub verdict: String,
    pub components: Vec<&'a str>,
    pub subformulas: Vec<Part>,
    pub games: Vec<Entry>,
    pub notes: Vec<String>,
}

#[derive(Serialize, Debug)]
pub struct Entry {
    id: String,
    kind: &'static str,
    title: String,
    components: Vec<usize>,
    of: Vec<String>,
    nodes: usize,
    edges: usize,
    colours: Counts,
    initial: Vec<u32>,
    verdict: String,
    decided: Counts,
}

/// Initial nodes are not all listed if they are very many.
const MOST_INITIAL: usize = 1000;

impl GameTable {
    pub fn new(games: Games) -> Self {
        let fathers = games.games.iter().map(|_| OnceCell::new()).collect();
        Self { games, fathers }
    }

    pub fn games(&self) -> &Games {
        &self.games
    }

    /// A short name for each game.
    fn id(&self, index: usize) -> String {
        let game = &self.games.games[index];
        let before = |kind| self.games.games[..index].iter().filter(|game| game.kind == kind).count();
        match game.kind {
            GameKind::Component => format!("c{}", game.components[0]),
            GameKind::Product => format!("p{}", before(GameKind::Product)),
            GameKind::Whole => "w".to_owned(),
            GameKind::Doubt => format!("{}?", self.id(game.of[0])),
        }
    }

    fn title(&self, index: usize, names: &[&str]) -> String {
        let game = &self.games.games[index];
        match game.kind {
            GameKind::Whole => "the whole".to_owned(),
            GameKind::Doubt => format!("? of {}", self.title(game.of[0], names)),
            GameKind::Component | GameKind::Product => {
                let names: Vec<&str> = game.components.iter().map(|&component| names[component]).collect();
                names.join(" || ")
            }
        }
    }

    /// What there is to be seen.
    pub fn entries(&self, names: &[&str]) -> Vec<Entry> {
        let entry = |(index, game): (usize, &Game)| {
            let sheet = &game.sheet;
            let decided = Counts::of(sheet.initial.iter().map(|&node| sheet.colour(node)));
            Entry {
                id: self.id(index),
                kind: match game.kind {
                    GameKind::Component => "component",
                    GameKind::Doubt => "doubt",
                    GameKind::Product => "product",
                    GameKind::Whole => "whole",
                },
                title: self.title(index, names),
                components: game.components.clone(),
                of: game.of.iter().map(|&other| self.id(other)).collect(),
                nodes: sheet.len(),
                edges: sheet.edge_count(),
                colours: Counts::of((0..sheet.len() as u32).map(|node| sheet.colour(node))),
                initial: sheet.initial.iter().copied().take(MOST_INITIAL).collect(),
                verdict: decided.verdict().to_string(),
                decided,
            }
        };
        self.games.games.iter().enumerate().map(entry).collect()
    }

    /// One of the games; `models` are those of the components.
    pub fn view<'a>(&'a self, id: &str, models: Vec<&'a Model>) -> Option<GameView<'a>> {
        let index = (0..self.games.games.len()).find(|&index| self.id(index) == id)?;
        let game = &self.games.games[index];
        let whole = self.games.whole.as_ref().or(match models[..] {
            [single] => Some(single),
            _ => None,
        });
        let fathers = self.fathers[index].get_or_init(|| Fathers::new(&game.sheet));
        Some(GameView { game, fathers, games: &self.games, models, whole, id: id.to_owned() })
    }
}

/// One game, ready to be looked at.
pub struct GameView<'a> {
    id: String,
    game: &'a Game,
    fathers: &'a Fathers,
    games: &'a Games,
    models: Vec<&'a Model>,
    whole: Option<&'a Model>,
}

impl Graph for GameView<'_> {
    fn len(&self) -> usize {
        self.game.sheet.len()
    }

    fn starts(&self) -> &[u32] {
        &self.game.sheet.initial
    }

    fn for_each_out(&self, node: u32, visit: &mut dyn FnMut(u32)) {
        self.game.sheet.sons(node).iter().for_each(|edge| visit(edge.node()));
    }

    fn for_each_in(&self, node: u32, visit: &mut dyn FnMut(u32)) {
        self.fathers.of(node).iter().for_each(|&father| visit(father));
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

/// A subformula and a colour.
type Key = (u32, Truth);

#[derive(Serialize, Debug)]
struct Group {
    id: String,
    subformula: u32,
    colour: String,
    owner: Option<&'static str>,
    count: usize,
    initial: usize,
    frontier: usize,
    first: u32,
}

#[derive(Serialize, Debug)]
struct Bundle {
    from: String,
    to: String,
    count: usize,
    open: usize,
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
pub struct Wanted<'q> {
    pub subformula: Option<u32>,
    pub colour: Option<Truth>,
    pub query: &'q str,
    pub offset: usize,
    pub limit: usize,
}

impl GameView<'_> {
    /// A part of the game, or the game summed up.
    pub fn graph(&self, window: &Window, monitor: &Monitor) -> Result<GraphDocument, Stopped> {
        if window.from.is_none() && self.len() > window.most() {
            let (groups, bundles) = self.summed_up(monitor)?;
            let (nodes, edges) = (Vec::new(), Vec::new());
            return Ok(GraphDocument { game: self.id.clone(), complete: false, nodes, edges, groups, bundles });
        }
        let chosen = window.nodes(self, monitor)?;
        let edges = chosen.nodes.iter().flat_map(|&from| self.arrows(from, &chosen));
        Ok(GraphDocument {
            game: self.id.clone(),
            complete: chosen.nodes.len() == self.len(),
            nodes: chosen.nodes.iter().map(|&node| self.node(node, |other| chosen.contains(other))).collect(),
            edges: edges.collect(),
            groups: Vec::new(),
            bundles: Vec::new(),
        })
    }

    fn arrows<'s>(&'s self, from: u32, chosen: &'s Chosen) -> impl Iterator<Item = Arrow> + 's {
        let step = self.games.subformulas.get(self.game.sheet.at(from).1).class.is_modal();
        let shown = self.game.sheet.sons(from).iter().filter(|edge| chosen.contains(edge.node()));
        shown.map(move |edge| Arrow { from, to: edge.node(), may: edge.may(), must: edge.must(), step })
    }

    fn node(&self, id: u32, is_shown: impl Fn(u32) -> bool) -> Node {
        let sheet = &self.game.sheet;
        let (state, label) = sheet.at(id);
        let (members, states) = self.members(state);
        let (sons, fathers) = (sheet.sons(id), self.fathers.of(id));
        let hidden_sons = sons.iter().filter(|edge| !is_shown(edge.node())).count();
        let hidden_fathers = fathers.iter().filter(|&&father| !is_shown(father)).count();
        Node {
            id,
            state: self.name(state, &members),
            members,
            states,
            subformula: self.subformula(label),
            colour: sheet.colour(id).to_string(),
            owner: owner(self.games.subformulas.get(label).class),
            initial: sheet.initial.contains(&id),
            frontier: self.fathers.frontier[id as usize],
            out: sons.len(),
            into: fathers.len(),
            more: hidden_sons + hidden_fathers,
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
        match (self.hyper(state), self.whole) {
            (Some(hyper), Some(whole)) => {
                let targets: Vec<String> = hyper.targets.iter().map(|&target| whole.state_name(target)).collect();
                format!("{} to one of {{{}}}", whole.state_name(hyper.source), targets.join(", "))
            }
            _ => members.join(","),
        }
    }

    /// The hyper-transition that a place is, if it is no state.
    fn hyper(&self, place: u32) -> Option<&model::Hyper> {
        let whole = self.whole.filter(|whole| !whole.hyper().is_empty())?;
        whole.hyper().get((place as usize).checked_sub(whole.states())?)
    }

    /// The subformula of a label; the choice among the targets of a hyper-transition belongs to its modality.
    fn subformula(&self, label: u32) -> u32 {
        self.games.subformulas.chosen_by(label).unwrap_or(label)
    }

    fn key(&self, node: u32) -> Key {
        let sheet = &self.game.sheet;
        (self.subformula(sheet.at(node).1), sheet.colour(node))
    }

    /// All nodes by subformula and colour, and the edges between these groups.
    fn summed_up(&self, monitor: &Monitor) -> Result<(Vec<Group>, Vec<Bundle>), Stopped> {
        let sheet = &self.game.sheet;
        let mut groups: BTreeMap<(u32, String), Group> = BTreeMap::new();
        let mut bundles: BTreeMap<((u32, String), (u32, String)), (usize, usize)> = BTreeMap::new();
        let name = |(subformula, colour): Key| (subformula, colour.to_string());
        let mut cells: Cells = Cells::new(self.games.subformulas.count());
        for node in 0..sheet.len() as u32 {
            let key = self.key(node);
            cells.count(key, node, self.fathers.frontier[node as usize]);
            for edge in sheet.sons(node) {
                cells.join(key, self.key(edge.node()), !edge.must());
            }
            if node % 4096 == 0 {
                monitor.step(4096)?;
            }
        }
        for &node in &sheet.initial {
            cells.begin(self.key(node), node);
        }
        for (key, cell) in cells.groups() {
            let owner = owner(self.games.subformulas.get(key.0).class);
            let (subformula, colour) = name(key);
            groups.insert((subformula, colour.clone()), Group {
                id: format!("{subformula}/{colour}"),
                subformula,
                colour,
                owner,
                count: cell.count,
                initial: cell.initial,
                frontier: cell.frontier,
                first: cell.first,
            });
        }
        for ((from, to), counts) in cells.bundles() {
            bundles.insert((name(from), name(to)), counts);
        }
        let id = |(subformula, colour): (u32, String)| format!("{subformula}/{colour}");
        let bundles = bundles.into_iter().map(|((from, to), (count, open))| Bundle {
            from: id(from),
            to: id(to),
            count,
            open,
        });
        Ok((groups.into_values().collect(), bundles.collect()))
    }

    /// Some nodes, page by page.
    pub fn nodes(&self, wanted: &Wanted, monitor: &Monitor) -> Result<NodesDocument, Stopped> {
        let words = Words::new(wanted.query);
        let limit = wanted.limit.min(MOST_LISTED);
        let page = wanted.offset..wanted.offset.saturating_add(limit);
        let (mut total, mut looked_at) = (0, 0);
        let mut nodes = Vec::new();
        let mut searched = None;
        for id in 0..self.len() as u32 {
            if id % 4096 == 0 {
                monitor.step(4096)?;
            }
            let (subformula, colour) = self.key(id);
            let other = wanted.subformula.is_some_and(|wanted| wanted != subformula)
                || wanted.colour.is_some_and(|wanted| wanted != colour);
            if other {
                continue;
            }
            if !words.is_empty() {
                if looked_at == MOST_SEARCHED {
                    searched = Some(looked_at);
                    break;
                }
                looked_at += 1;
                let state = self.game.sheet.at(id).0;
                if !words.are_in(&self.name(state, &self.members(state).0)) {
                    continue;
                }
            }
            if page.contains(&total) {
                nodes.push(self.node(id, |_| false));
            }
            total += 1;
        }
        Ok(NodesDocument { total, offset: wanted.offset, nodes, searched })
    }
}

/// Counts by subformula and colour; there are few of these, and very many nodes.
struct Cells {
    width: usize,
    groups: Vec<Cell>,
    bundles: std::collections::HashMap<(u32, u32), (usize, usize)>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    count: usize,
    initial: usize,
    frontier: usize,
    first: u32,
}

impl Cells {
    fn new(subformulas: u32) -> Self {
        let width = Truth::ALL.len();
        let groups = vec![Cell::default(); subformulas as usize * width];
        Self { width, groups, bundles: std::collections::HashMap::new() }
    }

    fn index(&self, (subformula, colour): Key) -> usize {
        let colour = Truth::ALL.iter().position(|&other| other == colour).unwrap_or(0);
        subformula as usize * self.width + colour
    }

    fn key(&self, index: usize) -> Key {
        ((index / self.width) as u32, Truth::ALL[index % self.width])
    }

    fn count(&mut self, key: Key, node: u32, frontier: bool) {
        let index = self.index(key);
        let cell = &mut self.groups[index];
        if cell.count == 0 {
            cell.first = node;
        }
        cell.count += 1;
        cell.frontier += usize::from(frontier);
    }

    fn begin(&mut self, key: Key, node: u32) {
        let index = self.index(key);
        let cell = &mut self.groups[index];
        if cell.initial == 0 {
            cell.first = node;
        }
        cell.initial += 1;
    }

    fn join(&mut self, from: Key, to: Key, open: bool) {
        let key = (self.index(from) as u32, self.index(to) as u32);
        let counts = self.bundles.entry(key).or_default();
        counts.0 += 1;
        counts.1 += usize::from(open);
    }

    fn groups(&self) -> impl Iterator<Item = (Key, Cell)> + '_ {
        let known = self.groups.iter().enumerate().filter(|(_, cell)| cell.count > 0);
        known.map(|(index, cell)| (self.key(index), *cell))
    }

    fn bundles(&self) -> impl Iterator<Item = ((Key, Key), (usize, usize))> + '_ {
        let keys = |&(from, to): &(u32, u32)| (self.key(from as usize), self.key(to as usize));
        self.bundles.iter().map(move |(pair, counts)| (keys(pair), *counts))
    }
}
