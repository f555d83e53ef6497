//! Coloured games to be looked at: as a graph where they are small, summed up where they are large.

mod predecessors;
mod sum;
mod view;

pub use view::{GameView, GraphDocument, NodesDocument, WantedNodes};

use super::formula::LabelPart;
use predecessors::Predecessors;
use serde::Serialize;
use std::cell::OnceCell;
use tertium::Verdict as Truth;
use tertium::inspect::StateGraph as Model;
use tertium::inspect::{Game, GameKind, Games};

/// The games of a question, and the models whose states they speak of.
pub struct GameTable {
    games: Games,
    predecessors: Vec<OnceCell<Predecessors>>,
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
    pub subformulas: Vec<LabelPart>,
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
        let predecessors = games.games.iter().map(|_| OnceCell::new()).collect();
        Self { games, predecessors }
    }

    pub fn games(&self) -> &Games {
        &self.games
    }

    /// A short name for each game.
    fn id(&self, index: usize) -> String {
        let game = &self.games.games[index];
        let before =
            |kind| self.games.games[..index].iter().filter(|game| game.kind == kind).count();
        match game.kind {
            GameKind::Component => format!("c{}", game.components[0]),
            GameKind::Product => format!("p{}", before(GameKind::Product)),
            GameKind::Composition => "w".to_owned(),
            GameKind::Unknown => format!("{}?", self.id(game.of[0])),
        }
    }

    fn title(&self, index: usize, names: &[&str]) -> String {
        let game = &self.games.games[index];
        match game.kind {
            GameKind::Composition => "composition".to_owned(),
            GameKind::Unknown => format!("? of {}", self.title(game.of[0], names)),
            GameKind::Component | GameKind::Product => {
                let names: Vec<&str> =
                    game.components.iter().map(|&component| names[component]).collect();
                names.join(" || ")
            }
        }
    }

    /// The list of games.
    pub fn entries(&self, names: &[&str]) -> Vec<Entry> {
        let entry = |(index, game): (usize, &Game)| {
            let stored = &game.stored;
            let decided = Counts::of(stored.initial.iter().map(|&node| stored.colour(node)));
            Entry {
                id: self.id(index),
                kind: match game.kind {
                    GameKind::Component => "component",
                    GameKind::Unknown => "unknown",
                    GameKind::Product => "product",
                    GameKind::Composition => "composition",
                },
                title: self.title(index, names),
                components: game.components.clone(),
                of: game.of.iter().map(|&other| self.id(other)).collect(),
                nodes: stored.len(),
                edges: stored.edge_count(),
                colours: Counts::of((0..stored.len() as u32).map(|node| stored.colour(node))),
                initial: stored.initial.iter().copied().take(MOST_INITIAL).collect(),
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
        let composition = self.games.composition.as_ref().or(match models[..] {
            [single] => Some(single),
            _ => None,
        });
        let predecessors = self.predecessors[index].get_or_init(|| Predecessors::new(&game.stored));
        Some(GameView {
            game,
            predecessors,
            games: &self.games,
            models,
            composition,
            id: id.to_owned(),
        })
    }
}
