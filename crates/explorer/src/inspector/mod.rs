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
use tertium::inspect::{Edges, Inspection, ModelPart, StateGraph};
use tertium::{Cancel, Error, Input, Loader, Logic, Model};

/// More states of a symbolic model, or of a composition, are not listed to be looked at.
pub const MOST_STATES: usize = 3_000_000;

/// Answers questions about texts.
pub struct Inspector {
    views: Views,
    loader: Arc<dyn Loader + Send>,
    model: Option<Model>,
    inspection: Option<Inspection>,
    /// The processes of a symbolic model, or its instances of modules.
    parts: Vec<ModelPart>,
    drawn: HashMap<Subject, Drawn>,
    played: Option<PlayedGames>,
}

/// A part of the model that is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Composition,
    Component(usize),
    /// Of a symbolic model.
    Part(usize),
}

/// A model that was looked at.
struct Drawn {
    /// If it is made to be looked at: a composition, or a part.
    made: Option<StateGraph>,
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
        let (model, inspection, parts, drawn, played) = Default::default();
        Self { views, loader, model, inspection, parts, drawn, played }
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
            let model = self.model(cancel)?;
            let (inspection, parts) = (model.inspect(MOST_STATES, cancel)?, model.parts());
            (self.inspection, self.parts) = (Some(inspection), parts);
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

    /// The component or part of this name; without one, the composition.
    fn subject(&mut self, name: Option<&str>, cancel: &Cancel) -> Result<Subject, Error> {
        let is_machine = self.model(cancel)?.is_symbolic();
        self.inspection(cancel)?;
        let Some(name) = name else { return Ok(Subject::Composition) };
        // The page knows the component of a symbolic model by this name before it has been read.
        if is_machine && name == "main" {
            return Ok(Subject::Component(0));
        }
        if let Some(part) = self.parts.iter().position(|part| part.name == name) {
            return Ok(Subject::Part(part));
        }
        let models = self.inspection(cancel)?.components();
        let names = models.iter().map(|model| &*model.name);
        names.clone().position(|known| known == name).map(Subject::Component).ok_or_else(|| {
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
        let subject = self.subject(name, cancel)?;
        let inspection = self.inspection.as_ref().expect("it was made");
        let drawn = match self.drawn.entry(subject) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                free.insert(Drawn::new(inspection, &self.parts, subject, cancel)?)
            }
        };
        Ok((inspection, drawn.model(inspection, subject), drawn))
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
    fn new(
        inspection: &Inspection,
        parts: &[ModelPart],
        subject: Subject,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        let made = match subject {
            Subject::Composition if inspection.components().len() > 1 => {
                Some(inspection.composition(MOST_STATES, cancel)?)
            }
            Subject::Part(part) => Some(inspection.part(&parts[part], cancel)?),
            Subject::Composition | Subject::Component(_) => None,
        };
        let model = made.as_ref().unwrap_or(of_components(inspection, subject));
        let backward = model.edges().reversed(|_| true, cancel.watch())?;
        let hyper = HyperInto::new(model);
        Ok(Self { made, backward, hyper })
    }

    fn model<'a>(&'a self, inspection: &'a Inspection, subject: Subject) -> &'a StateGraph {
        self.made.as_ref().unwrap_or(of_components(inspection, subject))
    }
}

/// The component that is looked at; of a composition, the first.
fn of_components(inspection: &Inspection, subject: Subject) -> &StateGraph {
    match subject {
        Subject::Component(number) => inspection.components()[number],
        Subject::Composition | Subject::Part(_) => inspection.components()[0],
    }
}
