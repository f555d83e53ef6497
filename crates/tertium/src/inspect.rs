//! The insides of a model, for clients that show them: components with their states, games, variables.

use crate::error::Error;
use crate::explicit_model::{self, ExplicitStates};
use crate::model::{Form, Model};
use crate::options::{Cancel, Options};
use crate::property::{About, Property};
use crate::transition_system::TransitionSystem;
use explicit::{NoGames, Request};
use report::{FormulaPart, FormulaText};
use std::sync::Arc;
use support::{StopReason, Stopped};
use transition::Domain;

pub use crate::model_parts::ModelPart;
pub use explicit::{Game, GameKind, Games, LeftOut};
pub use game::{NodeClass, StoredGame, Subformulas};
pub use logic::{Family, PropId};
pub use model::{Component, Covers, Edges, Hyper, PartialModel as StateGraph, System, Vector};
pub use support::{Monitor, SourceMap};

/// The components of a model with their states.
#[derive(Clone)]
pub struct Inspection(Arc<ExplicitStates>);

impl Inspection {
    /// The system.
    pub fn system(&self) -> &System {
        &self.0.system
    }

    /// The components.
    pub fn components(&self) -> Vec<&StateGraph> {
        self.0.system.components.iter().map(|part| &part.model).collect()
    }

    /// The variables of a symbolic model that are the same in all states, with their values.
    pub fn constants(&self) -> &[(String, String)] {
        self.0.constants.as_deref().unwrap_or_default()
    }

    /// The composition, if it has at most so many states.
    ///
    /// # Errors
    ///
    /// It has more, the components do not start together, or the work was stopped.
    pub fn composition(&self, most: usize, cancel: &Cancel) -> Result<StateGraph, Error> {
        let monitor = cancel.monitor();
        match self.0.system.composed_within(most as u32, monitor) {
            Ok(Some(composition)) => Ok(composition.into_owned()),
            Ok(None) => Err(Stopped(StopReason::States).into()),
            // It says why in words.
            Err(_) => explicit_model::compose((*self.0.system).clone(), monitor),
        }
    }
}

/// The games of a property.
pub struct PropertyGames {
    /// The games.
    pub games: Games,
    /// The system that they are played on.
    pub inspection: Inspection,
    /// The labels of the nodes, in their order, as they stand in the text.
    pub parts: Vec<FormulaPart>,
}

impl Cancel {
    /// The watch that long computations on graphs are given.
    pub fn watch(&self) -> &Monitor {
        self.monitor()
    }
}

impl Model {
    /// The components with their states; those of a symbolic model are enumerated, so many at most.
    ///
    /// # Errors
    ///
    /// There are infinitely many states, or too many, or the work was stopped.
    pub fn inspect(&self, most: usize, cancel: &Cancel) -> Result<Inspection, Error> {
        match self.form() {
            Form::Components(_) => self.states(Some(crate::Semantics::Sis)).map(Inspection),
            Form::Finite(text) => {
                let program = text.transition_system()?;
                inspect(program, most, cancel)
            }
            Form::Integers(_) => {
                Err(Error::message("a program over integers has infinitely many states")
                    .with_help("use `--method refine`, which computes a finite abstraction"))
            }
        }
    }

    /// The games of a property, of so many nodes at most.
    ///
    /// # Errors
    ///
    /// As [`Model::inspect`]; or the property is not supported.
    pub fn games(
        &self,
        property: &Property,
        options: &Options,
        most: u32,
    ) -> Result<PropertyGames, Error> {
        if let Some(why) = property.not_supported() {
            return Err(Error::message(why));
        }
        let (states, surface) = match property.about() {
            About::Components(surface, _) => (self.states(options.semantics)?, surface.clone()),
            About::Finite(text, number) => {
                let program = text.transition_system()?;
                let all: Vec<usize> = (0..program.all.len()).collect();
                let (most, monitor) = (most as usize, options.cancel.monitor());
                let states = program.states(&all, options.deadlock, true, most, monitor)?;
                let own = program.all[*number].property.as_ref();
                let own = own.ok_or_else(|| Error::message("there is no such property"))?;
                (states, own.surface.clone())
            }
            About::Integers(..) => {
                return Err(Error::message("a program over integers has infinitely many states"));
            }
        };
        let formula = states.compile(&surface).map_err(|error| match error {
            Error::Input(found) => Error::of(found.messages, self.sources()),
            error => error,
        })?;
        let monitor = options.cancel.monitor();
        let request = Request {
            deadlock: options.deadlock,
            ..Request::new(&states.system, &formula, monitor)
        };
        let games = explicit::games(&request, most).map_err(|error| match error {
            NoGames::Stopped(stopped) => stopped.into(),
            NoGames::Error(error) => Error::message(error.to_string()),
        })?;
        let (text, span, sources) =
            (property.formula(), Some(surface.span), property.sources(self));
        let written = FormulaText { formula: &formula, text, span, sources };
        let labels = &games.subformulas;
        let parts = (0..labels.count()).map(|id| written.part(labels.get(id).node)).collect();
        Ok(PropertyGames { games, inspection: Inspection(states), parts })
    }

    /// The components, if the model is given by them.
    pub fn components_as_written(&self) -> Option<&System> {
        self.components()
    }

    /// The variables of a symbolic model with what they range over, so many at most.
    pub fn variables(&self, most: usize) -> Vec<(String, String)> {
        match self.form() {
            Form::Components(_) => Vec::new(),
            Form::Finite(text) => match (&text.control_flow, text.transition_system()) {
                (Some(cfg), _) => variables(&cfg.program.data, most),
                (None, Ok(program)) => variables(&program.document.machine, most),
                (None, Err(_)) => Vec::new(),
            },
            Form::Integers(subject) => {
                let document = &subject.document;
                let names = document.program.variables.iter().zip(&document.variables);
                let one = |(name, variable): (&String, &front::IntegerVariable)| {
                    (name.clone(), variable.domain.to_string())
                };
                names.map(one).take(most).collect()
            }
        }
    }

    /// The names of the safety properties.
    pub fn safety_names(&self) -> Vec<String> {
        self.safeties().iter().map(|safety| safety.name.clone()).collect()
    }

    /// The name of the system, where it has one.
    pub fn system_name(&self) -> String {
        self.component_names().first().cloned().unwrap_or_else(|| "main".to_owned())
    }

    /// Whether variables range over all integers.
    pub fn is_over_integers(&self) -> bool {
        matches!(self.form(), Form::Integers(_))
    }
}

fn inspect(program: &TransitionSystem, most: usize, cancel: &Cancel) -> Result<Inspection, Error> {
    let all: Vec<usize> = (0..program.all.len()).collect();
    let deadlock = crate::Deadlock::Warn;
    program.states(&all, deadlock, true, most, cancel.monitor()).map(Inspection)
}

fn variables(machine: &transition::Machine, most: usize) -> Vec<(String, String)> {
    let values = |domain: &Domain| {
        const MOST_VALUES: usize = 20;
        match domain {
            Domain::Bool => "bool".to_owned(),
            Domain::Range(low, high) => format!("{low}..{high}"),
            Domain::Word { signed, width } => {
                format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" })
            }
            Domain::Values(values) => {
                let shown = values.iter().take(MOST_VALUES);
                let mut texts: Vec<String> =
                    shown.map(|value| domain.text(*value, &machine.symbols)).collect();
                if values.len() > MOST_VALUES {
                    texts.push("…".to_owned());
                }
                format!("{{{}}}", texts.join(", "))
            }
        }
    };
    let variable = |var: transition::VarId| {
        (machine.vars[var].name.clone(), values(&machine.vars[var].domain))
    };
    machine.state_vars().take(most).map(variable).collect()
}
