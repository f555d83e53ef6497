//! The games of a property, as the page looks at them.

use super::{MOST_STATES, given};
use crate::protocol::{GameNodesQuery, GameQuery};
use crate::views::formula::parts;
use crate::views::game::{GameDocument, GameTable, WantedNodes};
use crate::views::window::Window;
use report::FormulaPart;
use tertium::inspect::{Inspection, LeftOut, PropertyGames as Games, StateGraph};
use tertium::{Cancel, Deadlock, Error, Model, Options, Property, Semantics, Verdict};

/// Larger games are not written down.
const MOST_NODES: u32 = MOST_STATES as u32;

/// The games of one question.
pub struct PlayedGames {
    pub question: GameQuery,
    table: GameTable,
    inspection: Inspection,
    parts: Vec<FormulaPart>,
    property: Property,
}

impl PlayedGames {
    pub fn new(query: &GameQuery, model: &Model, cancel: &Cancel) -> Result<Self, Error> {
        let formulas = given(query)?;
        let names: Vec<String> = query.property.iter().cloned().collect();
        if names.is_empty() && formulas.is_empty() {
            return Err(Error::wrong("a game is about a property: which?", ""));
        }
        let property = model.select(&formulas, &names)?.swap_remove(0);
        let mut options = Options::default().deadlock(deadlock(query)?).cancel(cancel);
        if let Some(semantics) = semantics(query)? {
            options = options.semantics(semantics);
        }
        let Games { games, inspection, parts, .. } =
            model.games(&property, &options, MOST_NODES)?;
        let table = GameTable::new(games);
        Ok(Self { question: query.clone(), table, inspection, parts, property })
    }
}

fn semantics(query: &GameQuery) -> Result<Option<Semantics>, Error> {
    match query.semantics.as_deref() {
        None => Ok(None),
        Some("sis") => Ok(Some(Semantics::Sis)),
        Some("ris") => Ok(Some(Semantics::Ris)),
        Some(_) => Err(Error::wrong("the semantics are sis and ris", "")),
    }
}

fn deadlock(query: &GameQuery) -> Result<Deadlock, Error> {
    match query.deadlock.as_deref() {
        None | Some("warn") => Ok(Deadlock::Warn),
        Some("stutter") => Ok(Deadlock::Stutter),
        Some("error") => Ok(Deadlock::Error),
        Some(_) => Err(Error::wrong("a deadlock can be warn, stutter or error", "")),
    }
}

impl PlayedGames {
    fn models(&self) -> Vec<&StateGraph> {
        self.inspection.components()
    }

    pub fn document(&self) -> Result<String, Error> {
        let Self { table, property, .. } = self;
        let models = self.models();
        let names: Vec<&str> = models.iter().map(|model| &*model.name).collect();
        Ok(report::to_json(&GameDocument {
            property: property.name(),
            logic: property.logic(),
            formula: property.formula(),
            verdict: table.games().verdict.to_string(),
            subformulas: parts(&table.games().subformulas, &self.parts),
            games: table.entries(&names),
            components: names,
            notes: notes(table),
        }))
    }

    pub fn graph(&self, game: &str, window: &Window, cancel: &Cancel) -> Result<String, Error> {
        let view = self.table.view(game, self.models()).ok_or_else(|| no_game(game))?;
        Ok(report::to_json(&view.graph(window, cancel.watch())?))
    }

    pub fn nodes(&self, query: &GameNodesQuery, cancel: &Cancel) -> Result<String, Error> {
        let GameNodesQuery { game, subformula, colour, list, .. } = query;
        let view = self.table.view(game, self.models()).ok_or_else(|| no_game(game))?;
        let colour = match colour {
            None => None,
            Some(name) => {
                let known = Verdict::ALL.into_iter().find(|truth| truth.to_string() == *name);
                Some(known.ok_or_else(|| Error::wrong("a colour is true, false or unknown", ""))?)
            }
        };
        let wanted = WantedNodes { subformula: *subformula, colour, list };
        Ok(report::to_json(&view.nodes(&wanted, cancel.watch())?))
    }
}

fn no_game(id: &str) -> Error {
    Error::wrong(format!("there is no game `{id}`"), "`/api/game` lists them")
}

fn notes(table: &GameTable) -> Vec<String> {
    let note = match table.games().left_out {
        None => return Vec::new(),
        Some(LeftOut::TooLarge) => {
            format!("the game of the composition is not shown: it has more than {MOST_NODES} nodes")
        }
        Some(LeftOut::Stopped(stopped)) => {
            format!("the game of the composition is not shown: {stopped}")
        }
    };
    vec![note]
}
