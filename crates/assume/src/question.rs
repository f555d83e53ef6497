//! The question: processes that run together, the one among them that is to be replaced, and a safety
//! property.

use crate::determinise::{determinise, is_deterministic};
use crate::lts::Lts;
use model::{Kind, PartialModel, Rule, System, TAU};
use rustc_hash::FxHashMap;
use std::fmt;

/// A joint step: a letter of the alphabet that all LTSs of paper A share. Who has no part in it idles.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Letter {
    /// Component and its action.
    pub parts: Vec<(usize, u32)>,
    /// The action of the safety property, if that sees it.
    pub seen: Option<u32>,
}

/// The processes and the property that M‖N‖P̄ is made of, N being one of the parts.
pub struct SafetyQuestion {
    pub(crate) parts: Vec<Lts>,
    pub(crate) letters: Vec<Letter>,
    /// By letter: the action that it shows.
    pub(crate) shown: Vec<String>,
    pub(crate) safety: Lts,
    /// Which part is N.
    pub(crate) process: usize,
}

/// Why there is no such question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// The component has propositions.
    Props(String),
    /// The component is unknown in part.
    Partial(String),
    /// The property is partial, or has no initial state.
    Safety(String),
    /// The property is nondeterministic, and its subset construction has too many states.
    Subsets(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Props(name) => write!(
                f,
                "`{name}` has propositions; safety properties and assumptions are for components with \
                 actions (`lts`)"
            ),
            Unfit::Partial(name) => write!(
                f,
                "`{name}` is unknown or partial; safety properties and assumptions are \
                 for complete components (`lts`)"
            ),
            Unfit::Safety(name) => {
                write!(f, "the safety property `{name}` is not an `lts` with an initial state")
            }
            Unfit::Subsets(name) => write!(
                f,
                "the safety property `{name}` is nondeterministic, and its deterministic form has more than 65,536 \
                 states; write a deterministic one"
            ),
        }
    }
}

impl std::error::Error for Unfit {}

/// By name of an action that a safety property declares: its number there. What it does not declare it
/// does not see, and `tau` is never seen.
fn seen_actions(safety: &PartialModel) -> FxHashMap<&str, u32> {
    safety
        .actions()
        .iter()
        .filter(|&(_, name)| name != TAU)
        .map(|(id, name)| (name, id.0))
        .collect()
}

fn check_component(model: &PartialModel) -> Result<(), Unfit> {
    match model.kind {
        Kind::Lts => Ok(()),
        Kind::Mts if model.is_complete() => Ok(()),
        Kind::Mts => Err(Unfit::Partial(model.name.clone())),
        _ => Err(Unfit::Props(model.name.clone())),
    }
}

/// A §2: a property is a deterministic LTS. One that is not is determinised.
fn property(safety: &PartialModel) -> Result<Lts, Unfit> {
    if safety.kind != Kind::Lts || safety.init().is_empty() {
        return Err(Unfit::Safety(safety.name.clone()));
    }
    let lts = Lts::new(safety);
    match is_deterministic(&lts) {
        true => Ok(lts),
        false => determinise(&lts).ok_or_else(|| Unfit::Subsets(safety.name.clone())),
    }
}

impl SafetyQuestion {
    pub fn new(
        system: &System,
        process: usize,
        safety: &PartialModel,
    ) -> Result<SafetyQuestion, Unfit> {
        system.components.iter().try_for_each(|part| match part.is_unknown {
            true => Err(Unfit::Partial(part.model.name.clone())),
            false => check_component(&part.model),
        })?;
        let property = property(safety)?;
        let (rules, actions) = system.rules();
        let seen = seen_actions(safety);
        let letter = |rule: &Rule| Letter {
            parts: rule.parts.iter().map(|&(part, action)| (part, action.0)).collect(),
            seen: seen.get(actions.name(rule.result)).copied(),
        };
        Ok(SafetyQuestion {
            parts: system.components.iter().map(|part| Lts::new(&part.model)).collect(),
            letters: rules.iter().map(letter).collect(),
            shown: rules.iter().map(|rule| actions.name(rule.result).to_owned()).collect(),
            safety: property,
            process,
        })
    }

    /// How many states N has.
    pub fn states(&self) -> usize {
        self.parts[self.process].states()
    }
}
