//! Several models that run together.

use crate::compose;
use crate::partial::{ActionId, PartialModel};
use crate::rules::{Rule, rules};
use logic::{Family, PropId};
use std::borrow::Cow;
use support::{Interner, Monitor, StopReason, Stopped};

/// One part of a system.
#[derive(Clone, Debug)]
pub struct Component {
    pub model: PartialModel,
    /// Declared `unknown`: of several initial states an implementation has some, not all.
    pub is_unknown: bool,
}

/// `A:send | B:recv -> comm`: the named components make the named steps together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    /// Component and action, each component at most once.
    pub parts: Vec<(usize, String)>,
    pub result: String,
}

/// How action components synchronise, beyond synchronising on joint names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sync {
    pub vectors: Vec<Vector>,
    /// Turned into `tau` after synchronisation.
    pub hidden: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct System {
    pub components: Vec<Component>,
    pub sync: Sync,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComposeError {
    /// No tuple of initial states agrees on the joint labels (C Def. 4.1).
    NoComposableInit,
    Stopped(Stopped),
}

impl From<Stopped> for ComposeError {
    fn from(stopped: Stopped) -> Self {
        ComposeError::Stopped(stopped)
    }
}

impl System {
    /// Whether some component has no initial state, so that every property holds of the composition. Components whose
    /// initial states do not fit together are another matter.
    pub fn never_starts(&self) -> bool {
        self.components.iter().any(|part| part.model.init().is_empty())
    }

    pub fn single(model: PartialModel) -> Self {
        Self { components: vec![Component { model, is_unknown: false }], sync: Sync::default() }
    }

    pub fn family(&self) -> Family {
        self.components[0].model.kind.family()
    }

    /// All propositions, in the order of the components.
    pub fn props(&self) -> Interner<PropId> {
        self.components.iter().flat_map(|c| c.model.props().names()).collect()
    }

    /// The joint steps of a system with actions, and the actions that they show.
    pub fn rules(&self) -> (Vec<Rule>, Interner<ActionId>) {
        let mut shown = Interner::new();
        (rules(self, &mut shown), shown)
    }

    /// The actions that the composition can show, sorted.
    pub fn actions(&self) -> Vec<String> {
        let (_, shown) = self.rules();
        let mut names: Vec<String> = shown.names().map(str::to_owned).collect();
        names.sort();
        names
    }

    /// Whether some tuple of initial states is composable (C Def. 4.1), or of what these stand for.
    pub fn can_start(&self, monitor: &Monitor) -> Result<bool, Stopped> {
        let can_as_it_is = compose::can_start(self, monitor)?;
        Ok(can_as_it_is || self.has_covers() && compose::can_start(&self.reduced(), monitor)?)
    }

    /// The composable tuples of initial states; `None` if there are more than `limit`.
    pub fn initial_tuples(
        &self,
        limit: usize,
        monitor: &Monitor,
    ) -> Result<Option<Vec<Vec<u32>>>, ComposeError> {
        compose::initial_tuples(self, limit, monitor)
    }

    /// The reachable part of the composition: C Def. 4.2 for propositions, C §6.1 for actions.
    pub fn compose(&self, monitor: &Monitor) -> Result<PartialModel, ComposeError> {
        let composition = compose::compose(self, u32::MAX, monitor)?;
        composition.ok_or(ComposeError::Stopped(Stopped(StopReason::Size)))
    }

    /// The system as one model: a single component as it is, several composed.
    pub fn composed(&self, monitor: &Monitor) -> Result<Cow<'_, PartialModel>, ComposeError> {
        let composition = self.composed_within(u32::MAX, monitor)?;
        composition.ok_or(ComposeError::Stopped(Stopped(StopReason::Size)))
    }

    /// The composition, if it has no more than so many states, and not many more transitions than that.
    pub fn composed_within(
        &self,
        limit: u32,
        monitor: &Monitor,
    ) -> Result<Option<Cow<'_, PartialModel>>, ComposeError> {
        match &*self.components {
            [single] if self.sync == Sync::default() => Ok(Some(Cow::Borrowed(&single.model))),
            _ => Ok(compose::compose(self, limit, monitor)?.map(Cow::Owned)),
        }
    }
}
