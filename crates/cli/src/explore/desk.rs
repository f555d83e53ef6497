//! What a worker of the explorer has read, enumerated and played, so that the next question need not.

use super::games::{Played, Question};
use super::outline;
use crate::flags::Questions;
use crate::input::Trouble;
use crate::load::{Loaded, compose, load};
use crate::smv::states::Scope;
use crate::smv::{self, Program};
use explorer::protocol::{Ask, ComponentAsk, StatesAsk, Views};
use explorer::views::component::{
    Caption, ComponentDocument, HyperInto, ModelGraph, StatesDocument,
};
use front::Property;
use logic::Fairness;
use model::{Edges, Model};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use support::{Monitor, StopReason, Stopped, did_you_mean};

/// More states of a machine, or of a composition, are not listed to be looked at.
pub const MOST_STATES: usize = 3_000_000;

pub struct Desk {
    files: Vec<PathBuf>,
    sync: Option<PathBuf>,
    subject: Option<Subject>,
    /// By component; the whole has no name.
    drawn: HashMap<Option<usize>, Drawn>,
    played: Option<Played>,
}

/// The texts as a system of states.
pub struct Subject {
    /// If it is a machine.
    pub program: Option<Program>,
    pub loaded: Loaded,
    /// What [`Loaded`] gives away or changes when a property is asked: the properties, which paths count, and how many
    /// warnings there were.
    pub properties: Vec<Property>,
    fairness: Fairness,
    warnings: usize,
}

/// A model that was looked at.
struct Drawn {
    /// If it is composed.
    whole: Option<Model>,
    backward: Edges,
    hyper: HyperInto,
}

impl Subject {
    pub fn read(
        files: &[PathBuf],
        sync: Option<&Path>,
        given: &Questions,
        monitor: &Monitor,
    ) -> Result<Self, Trouble> {
        let Some(path) = smv::among(files)? else {
            let loaded = load(files, sync, monitor)?;
            return Ok(Self::new(None, loaded));
        };
        if smv::is_while(path) && super::games::is_over_integers(path, monitor)? {
            return Err(Trouble::message("a program over integers has infinitely many states")
                .with_help("check it by `refine`, which finds a finite abstraction of it"));
        }
        let program = smv::read(path, given, &[], monitor)?;
        let loaded = program.enumerate(Scope::File, MOST_STATES, monitor);
        Ok(Self::new(Some(program), loaded?))
    }

    fn new(program: Option<Program>, loaded: Loaded) -> Self {
        let (properties, fairness) = (loaded.properties.clone(), loaded.fairness.clone());
        let warnings = loaded.warnings.len();
        Self { program, loaded, properties, fairness, warnings }
    }

    /// As if nothing had been asked yet.
    pub fn renew(&mut self) {
        self.loaded.properties.clone_from(&self.properties);
        self.loaded.fairness.clone_from(&self.fairness);
        self.loaded.warnings.truncate(self.warnings);
    }

    pub fn models(&self) -> Vec<&Model> {
        self.loaded.system.components.iter().map(|part| &part.model).collect()
    }
}

impl Desk {
    pub fn new(views: Views) -> Self {
        Self {
            files: views.files.into_iter().map(PathBuf::from).collect(),
            sync: views.sync.map(PathBuf::from),
            subject: None,
            drawn: HashMap::new(),
            played: None,
        }
    }

    /// The answer, as JSON.
    pub fn answer(&mut self, ask: Ask, monitor: &Monitor) -> Result<String, Trouble> {
        match ask {
            Ask::Read => Ok(outline::read(&self.files, self.sync.as_deref(), monitor)?),
            Ask::Component(ask) => self.component(&ask, monitor),
            Ask::States(ask) => self.states(&ask, monitor),
            Ask::Game(ask) => self.played(&ask, monitor)?.document(),
            Ask::GameGraph(ask) => {
                self.played(&ask.question, monitor)?.graph(&ask.game, &ask.window, monitor)
            }
            Ask::GameNodes(ask) => self.played(&ask.question, monitor)?.nodes(&ask, monitor),
        }
    }

    fn subject(&mut self, monitor: &Monitor) -> Result<&Subject, Trouble> {
        if self.subject.is_none() {
            let (files, sync) = (&self.files, self.sync.as_deref());
            self.subject = Some(Subject::read(files, sync, &Questions::default(), monitor)?);
        }
        Ok(self.subject.as_ref().expect("it was read"))
    }

    fn played(&mut self, ask: &Question, monitor: &Monitor) -> Result<Looked<'_>, Trouble> {
        self.subject(monitor)?;
        if self.played.as_ref().is_none_or(|played| played.question != *ask) {
            // What was played before may be large.
            self.played = None;
            let (files, sync) = (&self.files, self.sync.as_deref());
            let subject = self.subject.as_mut().expect("it was read");
            self.played = Some(Played::new(ask, subject, files, sync, monitor)?);
        }
        let subject = self.subject.as_ref().expect("it was read");
        let played = self.played.as_ref().expect("it was played");
        Ok(Looked { subject, played })
    }

    /// The number of a component; `None` for the whole, and for the only one.
    fn number(&mut self, name: Option<&str>, monitor: &Monitor) -> Result<Option<usize>, Trouble> {
        let subject = self.subject(monitor)?;
        let models = subject.models();
        let Some(name) = name else { return Ok(None) };
        // The page knows the component of a machine by this name before it has been read.
        if subject.program.is_some() && name == "main" {
            return Ok(Some(0));
        }
        let names = models.iter().map(|model| &*model.name);
        names.clone().position(|known| known == name).map(Some).ok_or_else(|| {
            Trouble::message(format!("there is no component `{name}`")).with_help(did_you_mean(
                name,
                "the components are",
                names,
            ))
        })
    }

    /// A model, with what it takes to look at it.
    fn drawn(
        &mut self,
        name: Option<&str>,
        monitor: &Monitor,
    ) -> Result<(&Subject, &Model, &Drawn), Trouble> {
        let number = self.number(name, monitor)?;
        let subject = self.subject.as_ref().expect("it was read");
        let drawn = match self.drawn.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(Drawn::new(subject, number, monitor)?),
        };
        Ok((subject, drawn.model(subject, number), drawn))
    }

    fn component(&mut self, ask: &ComponentAsk, monitor: &Monitor) -> Result<String, Trouble> {
        let (subject, model, drawn) = self.drawn(ask.component.as_deref(), monitor)?;
        let parts = subject.models();
        let components: Vec<String> = match model.names().tuple(0) {
            [] => vec![model.name.clone()],
            _ => parts.iter().map(|part| part.name.clone()).collect(),
        };
        let caption = Caption {
            component: ask.component.as_deref(),
            components: &components,
            parts: &parts,
            constants: subject.loaded.constants.as_deref().unwrap_or_default(),
        };
        let graph = ModelGraph::new(model, &drawn.backward, &drawn.hyper);
        Ok(report::to_json(&ComponentDocument::new(&graph, &caption, &ask.window, monitor)?))
    }

    fn states(&mut self, ask: &StatesAsk, monitor: &Monitor) -> Result<String, Trouble> {
        let (_, model, _) = self.drawn(ask.component.as_deref(), monitor)?;
        let found = StatesDocument::new(model, &ask.list, monitor)?;
        Ok(report::to_json(&found))
    }
}

impl Drawn {
    fn new(subject: &Subject, number: Option<usize>, monitor: &Monitor) -> Result<Self, Trouble> {
        let system = &subject.loaded.system;
        let whole = match number {
            None if system.components.len() > 1 => Some(composed(subject, monitor)?),
            _ => None,
        };
        let model = whole.as_ref().unwrap_or(&system.components[number.unwrap_or(0)].model);
        let backward = model.edges().reversed(|_| true, monitor)?;
        let hyper = HyperInto::new(model);
        Ok(Self { whole, backward, hyper })
    }

    fn model<'a>(&'a self, subject: &'a Subject, number: Option<usize>) -> &'a Model {
        let components = &subject.loaded.system.components;
        self.whole.as_ref().unwrap_or(&components[number.unwrap_or(0)].model)
    }
}

fn composed(subject: &Subject, monitor: &Monitor) -> Result<Model, Trouble> {
    let system = &subject.loaded.system;
    match system.whole_within(MOST_STATES as u32, monitor) {
        Ok(Some(whole)) => Ok(whole.into_owned()),
        Ok(None) => Err(Stopped(StopReason::States).into()),
        // It says why in words.
        Err(_) => compose(system.clone(), monitor),
    }
}

/// Games that were played, and what on.
pub struct Looked<'d> {
    pub subject: &'d Subject,
    pub played: &'d Played,
}
