//! The games of a check, for inspection: those of the lifted components, their ?-subgraphs, their products (C Fig. 5),
//! and that of the composition.

use crate::compositional;
use crate::failure::Failure;
use crate::outcome::{CheckError, Outcome};
use crate::verdict::Initial;
use crate::{COMPOSITIONAL, Deadlock, Request, direct, verdict};
use game::{ModelGame, Plan, StoredGame, Subformulas, ThreeValuedSolution};
use logic::Truth;
use model::{PartialModel, StateNames};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use support::Stopped;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameKind {
    /// Of a component, lifted to the composition (C Def. 4.3).
    Component,
    /// The ?-subgraph of another game (C Def. 3.4).
    Unknown,
    /// Product of two ?-subgraphs (C Def. 4.5).
    Product,
    /// Of the composition.
    Composition,
}

#[derive(Debug)]
pub struct Game {
    pub kind: GameKind,
    /// The components, in the order of the tuples.
    pub components: Vec<usize>,
    /// The games that it was made of.
    pub of: Vec<usize>,
    pub stored: StoredGame,
    /// The states of the components in each state, one after the other; empty if a state is its own tuple.
    tuples: Arc<Vec<u32>>,
}

impl Game {
    /// The states of the components in a state of the game; `None` for a hyper-transition before its target is chosen.
    pub fn tuple<'g>(&'g self, state: &'g u32) -> Option<&'g [u32]> {
        let width = self.components.len();
        match self.tuples.is_empty() {
            true => Some(std::slice::from_ref(state)),
            false => self.tuples.get(*state as usize * width..)?.get(..width),
        }
    }
}

/// All games that were played for one question.
pub struct Games {
    pub games: Vec<Game>,
    pub subformulas: Subformulas,
    /// The composition that the game was played on, unless that is a single component.
    pub composition: Option<PartialModel>,
    /// Why there is no game of the composition.
    pub left_out: Option<LeftOut>,
    pub verdict: Truth,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// It has more states or nodes than were wanted.
    TooLarge,
    Stopped(Stopped),
}

/// Why there are no games.
#[derive(Debug)]
pub enum NoGames {
    Stopped(Stopped),
    Error(CheckError),
}

impl From<Failure> for NoGames {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stopped(stopped) => NoGames::Stopped(stopped),
            Failure::Error(error) => NoGames::Error(error),
        }
    }
}

/// Plays the games of a question, by components and on the composition, as far as none has more nodes than `most`.
pub fn games(request: &Request, most: u32) -> Result<Games, NoGames> {
    let plan = Plan::new(request.formula);
    let subformulas = Subformulas::of_plan(request.formula, &plan);
    let recorder = GameRecorder::default();
    let mut found = None;
    if COMPOSITIONAL.suits(request.system, request.values) {
        let limited = Request { limit: Some(u64::from(most)), ..request.clone() };
        found = compositional::run_recording(&limited, Some(&recorder))?;
    }
    let mut games = recorder.games();
    let composition = composition(request, &plan, &subformulas, most);
    let (composition, left_out) = match composition {
        Ok(Some(composition)) => (Some(composition), None),
        Ok(None) => (None, Some(LeftOut::TooLarge)),
        // What was found by components is there to be seen.
        Err(Failure::Stopped(stopped)) if !games.is_empty() => {
            (None, Some(LeftOut::Stopped(stopped)))
        }
        Err(failure) => return Err(failure.into()),
    };
    let by_parts = found.map_or(Truth::Unknown, |outcome: Outcome| outcome.verdict);
    let verdict = composition.as_ref().map_or(by_parts, |composition| composition.verdict);
    let mut composed = None;
    if let Some(composition) = composition {
        let unknown = composition.game.unknown_subgraph(games.len(), &subformulas);
        games.push(composition.game);
        games.extend(unknown);
        composed = composition.model;
    }
    Ok(Games { games, subformulas, composition: composed, left_out, verdict })
}

struct CompositionGame {
    game: Game,
    model: Option<PartialModel>,
    verdict: Truth,
}

/// The game of the composition, if it is not larger than that.
fn composition(
    request: &Request,
    plan: &Plan,
    subformulas: &Subformulas,
    most: u32,
) -> Result<Option<CompositionGame>, Failure> {
    let Some(model) = request.system.composed_within(most, request.monitor)? else {
        return Ok(None);
    };
    if model.states() > most as usize {
        return Ok(None);
    }
    let model = match request.deadlock {
        Deadlock::Stutter => Cow::Owned(model.into_owned().stuttering()),
        Deadlock::Warn | Deadlock::Error => model,
    };
    let arena = ModelGame::new(&model, request.formula, plan, request.monitor)?;
    let root = |&state: &u32| arena.position(state, plan.root);
    let roots: Vec<u32> = model.init().iter().map(root).collect();
    let solution = ThreeValuedSolution::new(&arena, &roots, request.monitor)?;
    if let Some(position) = solution.contradiction() {
        return Err(Failure::Error(direct::contradiction(&arena, request.formula, position)));
    }
    if solution.nodes() > u64::from(most) {
        return Ok(None);
    }
    let stored =
        StoredGame::of_model_game(&arena, &solution, &roots, subformulas, request.monitor)?;
    let initial = model.init().iter().zip(&stored.initial);
    let initial: Vec<Initial> =
        initial.map(|(&state, &node)| (model.members(state), stored.colour(node))).collect();
    let count = request.system.components.len();
    let tuples = match model.names() {
        StateNames::Product { tuples, .. } => tuples.clone(),
        _ => Arc::default(),
    };
    let game = Game {
        kind: GameKind::Composition,
        components: (0..count).collect(),
        of: Vec::new(),
        stored,
        tuples,
    };
    let verdict = verdict(request.system, &initial);
    let model = match model {
        Cow::Owned(model) => Some(model),
        Cow::Borrowed(_) => None,
    };
    Ok(Some(CompositionGame { game, model, verdict }))
}

impl Game {
    /// The ?-subgraph of this game, numbered `own`, if there is any.
    fn unknown_subgraph(&self, own: usize, subformulas: &Subformulas) -> Option<Game> {
        let stored = self.stored.unknown_subgraph(subformulas);
        (!stored.is_empty()).then(|| Game {
            kind: GameKind::Unknown,
            components: self.components.clone(),
            of: vec![own],
            stored,
            tuples: self.tuples.clone(),
        })
    }
}

/// Games are put here as they are played.
#[derive(Default)]
pub(crate) struct GameRecorder(Mutex<Vec<Game>>);

impl GameRecorder {
    fn games(self) -> Vec<Game> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Game>)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The game of a component, and its ?-subgraph.
    pub fn add_component(&self, component: usize, stored: StoredGame, unknown: StoredGame) {
        let game = |kind, of, stored| Game {
            kind,
            components: vec![component],
            of,
            stored,
            tuples: Arc::default(),
        };
        self.change(|games| {
            games.push(game(GameKind::Component, Vec::new(), stored));
            if !unknown.is_empty() {
                games.push(game(GameKind::Unknown, vec![games.len() - 1], unknown));
            }
        });
    }

    /// The product of two ?-subgraphs, and its ?-subgraph.
    pub fn add_product(
        &self,
        of: [&[usize]; 2],
        components: &[usize],
        tuples: &[u32],
        stored: StoredGame,
        unknown: StoredGame,
    ) {
        let tuples = Arc::new(tuples.to_vec());
        let game = |kind, of, stored| Game {
            kind,
            components: components.to_vec(),
            of,
            stored,
            tuples: tuples.clone(),
        };
        self.change(|games| {
            let undetermined = |wanted: &[usize]| {
                games
                    .iter()
                    .rposition(|game| game.kind == GameKind::Unknown && game.components == wanted)
            };
            let of = of.into_iter().filter_map(undetermined).collect();
            games.push(game(GameKind::Product, of, stored));
            if !unknown.is_empty() {
                games.push(game(GameKind::Unknown, vec![games.len() - 1], unknown));
            }
        });
    }
}
