//! Names of states.

use std::fmt::Write;
use std::sync::Arc;

/// Makes the names of states when they are asked for.
pub trait NameStates: Send + Sync {
    /// How many states there are.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn name(&self, state: u32) -> String;
}

impl std::fmt::Debug for dyn NameStates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the names of {} states", self.len())
    }
}

#[derive(Clone, Debug)]
pub enum StateNames {
    /// By its number, as in Aldebaran files.
    Numbered(usize),
    Named(Arc<Vec<String>>),
    /// By something that knows more of the states, such as the values of variables in them.
    Made(Arc<dyn NameStates>),
    /// A tuple of states of other models, `width` entries a state in one array.
    Product {
        parts: Vec<StateNames>,
        tuples: Arc<Vec<u32>>,
    },
}

impl StateNames {
    pub fn len(&self) -> usize {
        match self {
            StateNames::Numbered(count) => *count,
            StateNames::Named(names) => names.len(),
            StateNames::Made(names) => names.len(),
            StateNames::Product { parts, tuples } => tuples.len() / parts.len().max(1),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tuples are joined by commas: `s0,t0`.
    pub fn name(&self, state: u32) -> String {
        match self {
            StateNames::Numbered(_) => state.to_string(),
            StateNames::Named(names) => names[state as usize].clone(),
            StateNames::Made(names) => names.name(state),
            StateNames::Product { parts, .. } => {
                let mut text = String::new();
                for (part, &member) in parts.iter().zip(self.tuple(state)) {
                    let comma = if text.is_empty() { "" } else { "," };
                    write!(text, "{comma}{}", part.name(member)).expect("writing to a string");
                }
                text
            }
        }
    }

    /// The states of the components, if this is a composition.
    pub fn tuple(&self, state: u32) -> &[u32] {
        match self {
            StateNames::Product { parts, tuples } => {
                let width = parts.len();
                &tuples[state as usize * width..][..width]
            }
            _ => &[],
        }
    }
}
