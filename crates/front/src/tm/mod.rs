//! The native language: components, systems, safety properties, properties.

mod ast;
mod body;
mod build;
mod parse;
mod write;

use crate::cursor::Cursor;
pub use crate::document::Safety;
use crate::document::{self, GivenQuestion};
pub use crate::language::Loader;
use crate::language::{Language, Reading, Source};
use crate::lexer::{Comments, lex};
use crate::symbols::Symbols;
use logic::Surface;
use model::{Component, Sync, System};
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, Span};

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

    /// It takes what looks like no other language.
    fn looks_like(&self, _: &[u8]) -> bool {
        true
    }

    fn read(
        &self,
        source: &Source,
        reading: Reading,
    ) -> Result<document::Document, Vec<Diagnostic>> {
        let mut none = |_: &str| Err("there is nobody who finds other files".to_owned());
        let load: &mut Loader = match reading.loader {
            Some(load) => load,
            None => &mut none,
        };
        let read = read_tm(source.file, &source.text, reading.monitor, load)?;
        let Document { system, properties, safeties, warnings, symbols } = read;
        let asked = asked(reading.questions)?;
        let own = properties.into_iter().filter(|_| asked.is_empty()).map(|property| {
            let Property { name, span, surface } = property;
            document::Property::new(Some(name), span, surface)
        });
        let mut properties: Vec<document::Property> = own.collect();
        properties.extend(asked);
        let form = document::Form::Components(system);
        Ok(document::Document { form, properties, safeties, warnings, symbols })
    }
}

/// Formulas that are asked of components.
pub(crate) fn asked(
    questions: &[GivenQuestion],
) -> Result<Vec<document::Property>, Vec<Diagnostic>> {
    let (mut asked, mut errors) = (Vec::new(), Vec::new());
    for GivenQuestion { logic, file, text } in questions {
        match crate::parse_formula(*logic, *file, text, 0..text.len()) {
            Ok(surface) => asked.push(document::Property::new(None, surface.span, surface)),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(asked) } else { Err(errors) }
}

/// What a `.tm` file says.
#[derive(Clone, Debug)]
pub struct Document {
    /// `None` if the file has properties only, to be checked on another file's system.
    pub system: Option<System>,
    pub properties: Vec<Property>,
    pub safeties: Vec<Safety>,
    pub warnings: Vec<Diagnostic>,
    pub symbols: Symbols,
}

#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    /// Where it is named.
    pub span: Span,
    pub surface: Surface,
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
