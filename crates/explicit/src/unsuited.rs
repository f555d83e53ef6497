//! Why a question is not one for the method that was asked for.

use crate::compositional::MAX_INITIAL;
use crate::{COMPOSITIONAL, Request};
use model::{Kind, PartialModel, System};

/// The method, and what keeps it from being used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsuited {
    pub method: &'static str,
    pub obstacle: Obstacle,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// All states have to be looked at.
    Values,
    /// The method is not made for components of this kind.
    Kind { component: String, kind: Kind },
    /// There is nothing to combine.
    SingleComponent,
    /// An initial state of this component stands for several, one of which an implementation begins in.
    Starts { component: String },
    /// The composition has more initial states than are distinguished one by one.
    InitialStates { most: usize },
}

impl Unsuited {
    /// Of a method that has not given an answer.
    pub(crate) fn new(request: &Request, method: &'static str) -> Self {
        let Request { system, values, .. } = *request;
        let obstacle = match mixed_or_hyper_component(system) {
            _ if values => Obstacle::Values,
            Some(model) => Obstacle::Kind { component: model.name.clone(), kind: model.kind },
            None if method == COMPOSITIONAL.name && system.components.len() == 1 => {
                Obstacle::SingleComponent
            }
            None => match has_starts(system) {
                Some(model) => Obstacle::Starts { component: model.name.clone() },
                None => Obstacle::InitialStates { most: MAX_INITIAL },
            },
        };
        Self { method, obstacle }
    }
}

/// A component in which must transitions need not be may transitions, or lead to a set of states: there is no
/// lifting of it, and it is composed before anything is asked.
pub(crate) fn mixed_or_hyper_component(system: &System) -> Option<&PartialModel> {
    let mut models = system.components.iter().map(|part| &part.model);
    models.find(|model| matches!(model.kind, Kind::MixTs | Kind::Gkmts))
}

/// A component of which an initial state stands for several: abstractions do not tell these apart.
pub(crate) fn has_starts(system: &System) -> Option<&PartialModel> {
    let mut models = system.components.iter().map(|part| &part.model);
    models.find(|model| !model.starts().is_empty())
}
