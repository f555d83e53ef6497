//! Writing Aldebaran files.

use super::labels::escaped;
use crate::stream::Block;
use model::{Kind, Mode, PartialModel, TAU};
use std::io::Write;

/// Why a model could not be written as an Aldebaran file.
#[derive(Debug)]
pub enum AutError {
    /// Aldebaran knows neither propositions nor transitions that only may or only must happen.
    Kind(Kind),
    /// Aldebaran has exactly one initial state.
    Initial(usize),
    /// A reader would not take the label for this action.
    Action(String),
    Io(std::io::Error),
}

impl From<std::io::Error> for AutError {
    fn from(error: std::io::Error) -> Self {
        AutError::Io(error)
    }
}

impl std::fmt::Display for AutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AutError::Kind(Kind::Mts) => f.write_str(
                "the Aldebaran format has no may transitions, so a model with transitions that only \
                 may or only must happen cannot be written in it",
            ),
            AutError::Kind(kind) => write!(
                f,
                "the Aldebaran format has actions and no propositions, so a {} cannot be written in it",
                kind.name()
            ),
            AutError::Initial(count) => {
                write!(f, "the Aldebaran format has one initial state, but the model has {count}")
            }
            AutError::Action(action) if action == "i" => f.write_str(
                "the action `i` would be read back as the internal action; rename it first",
            ),
            AutError::Action(action) => {
                write!(f, "the action {action:?} cannot be a label in the Aldebaran format")
            }
            AutError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AutError {}

/// Writes an LTS, or an MTS in which nothing is left open.
pub fn write_aut(model: &PartialModel, out: &mut impl Write) -> Result<(), AutError> {
    let is_writable = matches!(model.kind, Kind::Lts | Kind::Mts)
        && model.edges().classes().iter().all(|class| class.mode == Mode::BOTH);
    if !is_writable {
        return Err(AutError::Kind(model.kind));
    }
    let &[init] = model.init() else { return Err(AutError::Initial(model.init().len())) };
    let middles = middles(model)?;
    let edges = model.edges();
    let mut block = Block::new(out);
    writeln!(block.text, "des ({init},{},{})", edges.len(), edges.states())?;
    for source in 0..edges.states() as u32 {
        for edge in edges.row(source) {
            block.text.push(b'(');
            block.number(source);
            block.text.extend_from_slice(&middles[edges.class(edge) as usize]);
            block.number(edges.target(edge));
            block.text.extend_from_slice(b")\n");
        }
        block.hand_on_if_full()?;
    }
    Ok(block.finish()?)
}

/// By class: what stands between source and target.
fn middles(model: &PartialModel) -> Result<Vec<Vec<u8>>, AutError> {
    let middle = |class: &model::EdgeClass| {
        let action = class.action.map_or(TAU, |action| model.actions().name(action));
        let is_readable = !action.is_empty() && action != "i" && !action.contains('\n');
        if !is_readable {
            return Err(AutError::Action(action.to_owned()));
        }
        Ok(format!(",\"{}\",", escaped(action)).into_bytes())
    };
    model.edges().classes().iter().map(middle).collect()
}
