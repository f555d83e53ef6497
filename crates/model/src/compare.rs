//! Whether one model abstracts another, and if not, why.
//!
//! Start at [`compare`]: mixed simulation in general (C Def. 2.2, X Def. 3), which between complete
//! models is bisimulation and then decided by the faster algorithm.

use crate::bisimulation::bisimulation;
use crate::edges::EdgeClass;
use crate::partial::PartialModel;
use crate::simulation::mixed_simulation;
use logic::{PropId, Truth};
use std::fmt;
use support::{Interner, Monitor, Stopped, define_id};

/// The result of comparing two models.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparisonReport {
    pub method: ComparedBy,
    /// Initial states of the concrete model, each with one of the abstract model that stands for it.
    pub initial: Vec<(u32, u32)>,
    pub failure: Option<Failure>,
}

impl ComparisonReport {
    pub fn holds(&self) -> bool {
        self.failure.is_none()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparedBy {
    MixedSimulation,
    /// Both models are complete and over the same propositions.
    Bisimulation,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparedModel {
    Concrete,
    Abstract,
}

/// An initial state without a partner, and how the partner that comes nearest fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub side: ComparedModel,
    pub state: u32,
    /// From a pair of initial states to the pair that plainly breaks the relation. Each step makes
    /// the move that leads there soonest, and is answered by the move that puts it off longest.
    /// Empty only if the other model has no initial state.
    pub path: Vec<ComparedStep>,
}

/// A pair of states that is not in the relation, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparedStep {
    pub concrete: u32,
    pub abstracted: u32,
    pub why: Mismatch,
}

/// The next step of the path is the best answer to a move; on the last step there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The abstract state knows something about this proposition that is not so.
    Label { prop: String, concrete: Truth, abstracted: Truth },
    /// The concrete state may go here, the abstract one may not follow.
    May { action: Option<String>, target: u32 },
    /// The abstract state must go here (to one of these), the concrete one need not.
    Must { action: Option<String>, targets: Vec<u32> },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompareError {
    /// One model has propositions, the other actions.
    Families,
    /// A model speaks of a proposition that the other, which would have to know it, does not have.
    MissingProp {
        prop: String,
        lacking: ComparedModel,
    },
    Stopped(Stopped),
}

impl From<Stopped> for CompareError {
    fn from(stopped: Stopped) -> Self {
        CompareError::Stopped(stopped)
    }
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompareError::Families => f.write_str(
                "one model has propositions on its states, the other actions on its transitions",
            ),
            CompareError::MissingProp { prop, lacking: ComparedModel::Concrete } => {
                write!(
                    f,
                    "the abstract model has the proposition `{prop}`, the concrete one does not"
                )
            }
            CompareError::MissingProp { prop, lacking: ComparedModel::Abstract } => {
                write!(
                    f,
                    "the concrete model has the proposition `{prop}`, the abstract one does not"
                )
            }
            CompareError::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for CompareError {}

/// Whether `abstracted` abstracts `concrete`: every initial state of the concrete model is related to
/// one of the abstract model. Between complete models over the same propositions also the other way.
///
/// Propositions and actions go by name. A proposition that only the concrete model has is unknown in
/// the abstract one.
pub fn compare(
    concrete: &PartialModel,
    abstracted: &PartialModel,
    monitor: &Monitor,
) -> Result<ComparisonReport, CompareError> {
    let same_props = concrete.props().len() == abstracted.props().len();
    if concrete.is_complete() && abstracted.is_complete() && same_props {
        Ok(bisimulation(concrete, abstracted, monitor)?.comparison())
    } else {
        Ok(mixed_simulation(concrete, abstracted, monitor)?.comparison())
    }
}

/// The propositions of the abstract model, each with its number in both: `(concrete, abstract)`.
pub(crate) fn joint_props(
    concrete: &PartialModel,
    abstracted: &PartialModel,
) -> Result<Vec<(PropId, PropId)>, CompareError> {
    if concrete.kind.family() != abstracted.kind.family() {
        return Err(CompareError::Families);
    }
    let missing = |name: &str| {
        let prop = name.to_owned();
        CompareError::MissingProp { prop, lacking: ComparedModel::Concrete }
    };
    abstracted
        .props()
        .iter()
        .map(|(id, name)| Ok((concrete.props().get(name).ok_or_else(|| missing(name))?, id)))
        .collect()
}

define_id!(JointAction, "a");

/// The actions of both models in one numbering, by name.
pub(crate) struct JointActions(Interner<JointAction>);

impl JointActions {
    /// That of a transition without an action.
    pub const NONE: JointAction = JointAction(0);

    pub fn new() -> Self {
        Self(std::iter::once("").collect())
    }

    /// The actions of a model's transitions in this numbering.
    pub fn of(&mut self, model: &PartialModel) -> impl Fn(EdgeClass) -> JointAction + use<> {
        let ids: Vec<_> = model.actions().names().map(|name| self.0.intern(name)).collect();
        move |class| class.action.map_or(Self::NONE, |action| ids[action.0 as usize])
    }

    /// The action of this name.
    pub fn named(&mut self, name: &str) -> JointAction {
        self.0.intern(name)
    }

    pub fn shown(&self, action: JointAction) -> Option<String> {
        (action != Self::NONE).then(|| self.0.name(action).to_owned())
    }
}

/// A relation between two models that can say why a pair is not in it.
pub(crate) trait Refutation {
    fn models(&self) -> (&PartialModel, &PartialModel);

    /// `None` if the pair is related, else in how many moves it is refuted at most.
    fn rank(&self, concrete: u32, abstracted: u32) -> Option<u32>;

    /// The move that refutes an unrelated pair, and the best answer to it.
    fn refute(&self, concrete: u32, abstracted: u32) -> (Mismatch, Option<(u32, u32)>);

    fn path(&self, concrete: u32, abstracted: u32) -> Vec<ComparedStep> {
        let mut path = Vec::new();
        let mut next = Some((concrete, abstracted));
        while let Some((concrete, abstracted)) = next {
            let (why, answer) = self.refute(concrete, abstracted);
            path.push(ComparedStep { concrete, abstracted, why });
            next = answer;
        }
        path
    }

    fn partner(&self, state: u32) -> Option<u32> {
        let (_, abstracted) = self.models();
        abstracted.init().iter().copied().find(|&t| self.rank(state, t).is_none())
    }

    fn failure(&self) -> Option<Failure> {
        let (concrete, abstracted) = self.models();
        let state = concrete.init().iter().copied().find(|&s| self.partner(s).is_none())?;
        let nearest = abstracted.init().iter().copied().max_by_key(|&t| self.rank(state, t));
        let path = nearest.map_or(Vec::new(), |t| self.path(state, t));
        Some(Failure { side: ComparedModel::Concrete, state, path })
    }

    fn initial_pairs(&self) -> Vec<(u32, u32)> {
        let init = self.models().0.init().iter();
        init.filter_map(|&s| Some((s, self.partner(s)?))).collect()
    }
}

/// The first proposition on which the abstract state is wrong about the concrete one (C Def. 2.2, 1).
pub(crate) fn wrong_prop(
    props: &[(PropId, PropId)],
    (concrete, s): (&PartialModel, u32),
    (abstracted, t): (&PartialModel, u32),
) -> Option<(PropId, PropId)> {
    let fits = |p, q| abstracted.label(t, q).is_refined_by(concrete.label(s, p));
    props.iter().copied().find(|&(p, q)| !fits(p, q))
}

pub(crate) fn wrong_label(
    props: &[(PropId, PropId)],
    (concrete, s): (&PartialModel, u32),
    (abstracted, t): (&PartialModel, u32),
) -> Option<Mismatch> {
    let (p, q) = wrong_prop(props, (concrete, s), (abstracted, t))?;
    Some(Mismatch::Label {
        prop: abstracted.props().name(q).to_owned(),
        concrete: concrete.label(s, p),
        abstracted: abstracted.label(t, q),
    })
}
