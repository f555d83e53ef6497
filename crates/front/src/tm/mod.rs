//! The native language: components, systems, safety properties, properties.

mod ast;
mod body;
mod build;
mod expand;
mod parse;
mod template;
mod term;
mod value;
mod write;

use crate::cursor::Cursor;
use crate::document::{Document, GivenQuestion, Specification};
use crate::language::{Language, PartLoader, Reading, SourceText};
use crate::lexer::{Comments, lex};
use model::{Component, Sync};
use std::sync::Arc;
use support::{Diagnostic, FileId, Span};

pub(crate) use term::TermParser;
pub(crate) use value::Scope;
pub use write::{component_name, legal_props, write_tm};

/// The native language.
pub(crate) struct Tm;

impl Language for Tm {
    fn name(&self) -> &'static str {
        "tm"
    }

    fn title(&self) -> &'static str {
        "a .tm file"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["tm"]
    }

    fn is_system(&self) -> bool {
        false
    }

    /// It takes what looks like no other language.
    fn looks_like(&self, _: &[u8]) -> bool {
        true
    }

    fn read(&self, source: &SourceText, reading: Reading) -> Result<Document, Vec<Diagnostic>> {
        let SourceText { file, text, .. } = source;
        if let Some(error) = crate::too_long(*file, text) {
            return Err(vec![error]);
        }
        let mut none = |_: &str| Err("other files cannot be read here".to_owned());
        let load: &mut PartLoader = match reading.loader {
            Some(load) => load,
            None => &mut none,
        };
        let asked = asked(reading.questions)?;
        let monitor = reading.monitor;
        let lexemes = lex(text, 0..text.len(), Comments::Native);
        let mut cursor = Cursor::new(*file, text, lexemes, "file");
        let parsed = parse::parse(&mut cursor, text, monitor);
        let parsed = expand::expand(parsed, &mut cursor.sink, monitor);
        let built = build::build(parsed, cursor.sink, Span::new(*file, 0..0), monitor, load);
        if monitor.check().is_err() {
            return Err(Vec::new());
        }
        let document = built?;
        Ok(if asked.is_empty() { document } else { Document { properties: asked, ..document } })
    }
}

/// Formulas that are asked of components.
pub(crate) fn asked(questions: &[GivenQuestion]) -> Result<Vec<Specification>, Vec<Diagnostic>> {
    let (mut asked, mut errors) = (Vec::new(), Vec::new());
    for GivenQuestion { logic, file, text } in questions {
        match crate::parse_formula(*logic, *file, text, 0..text.len()) {
            Ok(surface) => asked.push(Specification::new(None, surface.span, surface)),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(asked) } else { Err(errors) }
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
    let steps = parse::parse_joint_steps(&mut cursor, text)
        .and_then(|(steps, notes)| expand::joint_steps(steps, &notes, &mut cursor.sink));
    build::build_sync(steps, components, cursor.sink)
}
