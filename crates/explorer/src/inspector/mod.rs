//! The caches of a worker of the explorer: models, enumerations and games.

mod games;
mod outline;
mod walk;

use crate::protocol::{ComponentQuery, GameQuery, Query, StatesQuery, Views};
use crate::views::component::{Caption, ComponentDocument, HyperInto, ModelGraph, StatesDocument};
use games::PlayedGames;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use tertium::inspect::{Edges, Inspection, StateGraph};
use tertium::{Cancel, Error, Input, Loader, Logic, Model};

/// More states of a symbolic model, or of a composition, are not listed to be looked at.
pub const MOST_STATES: usize = 3_000_000;

/// Answers questions about texts.
pub struct Inspector {
    views: Views,
    loader: Arc<dyn Loader + Send>,
    model: Option<Model>,
    inspection: Option<Inspection>,
    /// By component; the composition has no name.
    drawn: HashMap<Option<usize>, Drawn>,
    played: Option<PlayedGames>,
}

/// A model that was looked at.
struct Drawn {
    /// If it is composed.
    composition: Option<StateGraph>,
    backward: Edges,
    hyper: HyperInto,
}

/// The formula of a question.
fn given(query: &GameQuery) -> Result<Vec<(Logic, String)>, Error> {
    let Some(formula) = &query.formula else { return Ok(Vec::new()) };
    let names = Logic::ALL.map(Logic::name).join(", ");
    let logic = Logic::named(&formula.logic)
        .ok_or_else(|| Error::wrong(format!("the logics are {names}"), ""))?;
    Ok(vec![(logic, formula.text.clone())])
}

impl Inspector {
    pub fn new(views: Views, loader: Arc<dyn Loader + Send>) -> Self {
        let (model, inspection, drawn, played) = Default::default();
        Self { views, loader, model, inspection, drawn, played }
    }

    /// The answer, as JSON.
    ///
    /// # Errors
    ///
    /// Something is wrong with the texts or the question, or the work was stopped.
    pub fn answer(&mut self, query: Query, cancel: &Cancel) -> Result<String, Error> {
        match query {
            Query::Read => Ok(outline::read(self.model(cancel))?),
            Query::Component(query) => self.component(&query, cancel),
            Query::States(query) => self.states(&query, cancel),
            Query::Walk(query) => {
                let found = walk::walk(&query, self.model(cancel)?, cancel)?;
                Ok(report::to_json(&found))
            }
            Query::Game(query) => self.played(&query, cancel)?.document(),
            Query::GameGraph(query) => {
                self.played(&query.question, cancel)?.graph(&query.game, &query.window, cancel)
            }
            Query::GameNodes(query) => self.played(&query.question, cancel)?.nodes(&query, cancel),
        }
    }

    fn model(&mut self, cancel: &Cancel) -> Result<&Model, Error> {
        if self.model.is_none() {
            let mut input = Input::new().loader(self.loader.clone()).cancel(cancel);
            for file in &self.views.files {
                input = input.file(file);
            }
            if let Some(sync) = &self.views.sync {
                input = input.sync_file(sync);
            }
            self.model = Some(input.read()?);
        }
        Ok(self.model.as_ref().expect("it was read"))
    }

    fn inspection(&mut self, cancel: &Cancel) -> Result<&Inspection, Error> {
        if self.inspection.is_none() {
            self.inspection = Some(self.model(cancel)?.inspect(MOST_STATES, cancel)?);
        }
        Ok(self.inspection.as_ref().expect("it was made"))
    }

    fn played(&mut self, query: &GameQuery, cancel: &Cancel) -> Result<&PlayedGames, Error> {
        if self.played.as_ref().is_none_or(|played| played.question != *query) {
            // What was played before may be large.
            self.played = None;
            self.played = Some(PlayedGames::new(query, self.model(cancel)?, cancel)?);
        }
        Ok(self.played.as_ref().expect("it was played"))
    }

    /// The number of a component; `None` for the composition, and for the only one.
    fn number(&mut self, name: Option<&str>, cancel: &Cancel) -> Result<Option<usize>, Error> {
        let is_machine = self.model(cancel)?.is_symbolic();
        let inspection = self.inspection(cancel)?;
        let Some(name) = name else { return Ok(None) };
        // The page knows the component of a symbolic model by this name before it has been read.
        if is_machine && name == "main" {
            return Ok(Some(0));
        }
        let models = inspection.components();
        let names = models.iter().map(|model| &*model.name);
        names.clone().position(|known| known == name).map(Some).ok_or_else(|| {
            let help = tertium::did_you_mean(name, "the components are", names);
            Error::wrong(format!("there is no component `{name}`"), &help)
        })
    }

    /// A model, with what it takes to look at it.
    fn drawn(
        &mut self,
        name: Option<&str>,
        cancel: &Cancel,
    ) -> Result<(&Inspection, &StateGraph, &Drawn), Error> {
        let number = self.number(name, cancel)?;
        let inspection = self.inspection.as_ref().expect("it was made");
        let drawn = match self.drawn.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(Drawn::new(inspection, number, cancel)?),
        };
        Ok((inspection, drawn.model(inspection, number), drawn))
    }

    fn component(&mut self, query: &ComponentQuery, cancel: &Cancel) -> Result<String, Error> {
        let (inspection, model, drawn) = self.drawn(query.component.as_deref(), cancel)?;
        let parts = inspection.components();
        let components: Vec<String> = match model.names().tuple(0) {
            [] => vec![model.name.clone()],
            _ => parts.iter().map(|part| part.name.clone()).collect(),
        };
        let caption = Caption {
            component: query.component.as_deref(),
            components: &components,
            parts: &parts,
            constants: inspection.constants(),
        };
        let graph = ModelGraph::new(model, &drawn.backward, &drawn.hyper);
        let document = ComponentDocument::new(&graph, &caption, &query.window, cancel.watch())?;
        Ok(report::to_json(&document))
    }

    fn states(&mut self, query: &StatesQuery, cancel: &Cancel) -> Result<String, Error> {
        let (_, model, _) = self.drawn(query.component.as_deref(), cancel)?;
        let found = StatesDocument::new(model, &query.list, cancel.watch())?;
        Ok(report::to_json(&found))
    }
}

impl Drawn {
    fn new(inspection: &Inspection, number: Option<usize>, cancel: &Cancel) -> Result<Self, Error> {
        let models = inspection.components();
        let composition = match number {
            None if models.len() > 1 => Some(inspection.composition(MOST_STATES, cancel)?),
            _ => None,
        };
        let model = composition.as_ref().unwrap_or(models[number.unwrap_or(0)]);
        let backward = model.edges().reversed(|_| true, cancel.watch())?;
        let hyper = HyperInto::new(model);
        Ok(Self { composition, backward, hyper })
    }

    fn model<'a>(&'a self, inspection: &'a Inspection, number: Option<usize>) -> &'a StateGraph {
        let models = inspection.components();
        self.composition.as_ref().unwrap_or(models[number.unwrap_or(0)])
    }
}
