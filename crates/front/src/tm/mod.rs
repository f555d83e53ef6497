//! The native language: components, systems, safety properties, properties.

mod ast;
mod body;
mod build;
mod parse;
mod write;

use crate::cursor::Cursor;
use crate::lexer::{Comments, lex};
use logic::Surface;
use model::{Component, Model, Sync, System};
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, Span};

pub use write::{component_name, legal_props, write_tm};

/// Reads a component from another file, by the name that stands in `component A from "…";`. One that
/// is unknown there is unknown here.
pub type Loader<'l> = dyn FnMut(&str) -> Result<Component, String> + 'l;

/// What a `.tm` file says.
#[derive(Clone, Debug)]
pub struct Document {
    /// `None` if the file has properties only, to be checked on another file's system.
    pub system: Option<System>,
    pub properties: Vec<Property>,
    pub safeties: Vec<Safety>,
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    /// Where it is named.
    pub span: Span,
    pub surface: Surface,
}

/// A deterministic LTS that says which sequences of its actions are allowed.
#[derive(Clone, Debug)]
pub struct Safety {
    pub name: String,
    /// Where it is named.
    pub span: Span,
    pub model: Model,
}

/// Reads a `.tm` file. Errors are returned all together, warnings among them; there are none if it was
/// the monitor that ended it.
pub fn read_tm(
    file: FileId,
    text: &Arc<str>,
    monitor: &Monitor,
    load: &mut Loader,
) -> Result<Document, Vec<Diagnostic>> {
    if let Some(error) = crate::too_long(file, text) {
        return Err(vec![error]);
    }
    let mut cursor = Cursor::new(file, text, lex(text, 0..text.len(), Comments::Native), "file");
    let parsed = parse::parse(&mut cursor, text, monitor);
    let built = build::build(parsed, cursor.sink, Span::new(file, 0..0), monitor, load);
    if monitor.check().is_err() { Err(Vec::new()) } else { built }
}

/// Reads the synchronisation vectors and hidden actions of these components from a file of their own:
/// `sync { … } hide { … }`, either or both. There is at least one component. Gives warnings, too.
pub fn read_sync(
    file: FileId,
    text: &Arc<str>,
    components: &[Component],
) -> Result<(Sync, Vec<Diagnostic>), Vec<Diagnostic>> {
    if let Some(error) = crate::too_long(file, text) {
        return Err(vec![error]);
    }
    let mut cursor = Cursor::new(file, text, lex(text, 0..text.len(), Comments::Native), "file");
    let steps = parse::parse_joint_steps(&mut cursor, text);
    build::build_sync(steps, components, cursor.sink)
}
