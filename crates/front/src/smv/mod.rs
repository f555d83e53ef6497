//! SMV, the language of NuSMV: modules, flattened into one machine, and its specifications.

mod ast;
mod build;
mod integers;
mod lexer;
mod parse;
mod show;
mod words;
mod write;

pub use write::NotKripke;

use crate::cursor::Cursor;
use crate::document::{Document, Form, GivenQuestion, IntegerForm, MachineForm, Specification};
use crate::language::{Language, Numbers, Reading, SourceText};
use crate::symbols::Symbols;
use crate::too_long_texts;
use build::{Built, Road};
pub use integers::{Assurance, IntegerView, SmvIntegers, ViewPlace, Witness};
use logic::PropId;
use model::Model;
use std::sync::Arc;
use support::{Diagnostic, FileId, Interner, Span};
use transition::Machine;

/// SMV, the language of NuSMV.
pub(crate) struct Smv;

impl Language for Smv {
    fn name(&self) -> &'static str {
        "smv"
    }

    fn title(&self) -> &'static str {
        "an SMV file"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["smv"]
    }

    fn looks_like(&self, start: &[u8]) -> bool {
        let start = start.trim_ascii_start();
        [&b"MODULE"[..], b"--", b"/--"].iter().any(|begin| start.starts_with(begin))
    }

    fn read(&self, source: &SourceText, reading: Reading) -> Result<Document, Vec<Diagnostic>> {
        let road = match reading.numbers {
            Numbers::Finite => Road::Finite,
            Numbers::Declared | Numbers::Unbounded => Road::Either,
        };
        let built = read_by(road, source.file, &source.text, reading.questions)?;
        if built.integers.is_none() {
            return Ok(Document { symbols: built.symbols, ..built.document.into() });
        }
        let mut nobody = |_: &[smt::Formula]| {};
        let witness: &mut Witness = match reading.witness {
            Some(witness) => witness,
            None => &mut nobody,
        };
        let read = integers::translate(built.document, witness)?;
        Ok(Document { symbols: built.symbols, ..read.into() })
    }

    fn write_machine(&self, form: &MachineForm, properties: &[Specification]) -> Option<String> {
        Some(write::write_machine(form, properties))
    }

    fn write_model(
        &self,
        model: &Model,
        properties: &[Specification],
    ) -> Option<Result<String, NotKripke>> {
        Some(write::write_model(model, properties))
    }
}

/// A file as a machine, and what is asked of it.
pub(super) struct SmvDocument {
    pub machine: Machine,
    pub specifications: Vec<Specification>,
    pub propositions: Vec<transition::Property>,
    pub names: Interner<PropId>,
    pub warnings: Vec<Diagnostic>,
}

fn read_by(
    road: Road,
    file: FileId,
    text: &Arc<str>,
    asked: &[GivenQuestion],
) -> Result<Built, Vec<Diagnostic>> {
    let errors = too_long_texts(file, text, asked);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut cursor = Cursor::new(file, text, lexer::lex(text), "file");
    let mut parsed = parse::parse(&mut cursor);
    let mut sink = cursor.sink;
    for GivenQuestion { logic, file, text } in asked {
        let mut cursor = Cursor::new(*file, text, lexer::lex(text), "formula");
        let spec = parse::parse_question(&mut cursor, *logic, &mut parsed.exprs);
        parsed.asked.extend(spec.map(|spec| (spec, text.clone())));
        sink.append(cursor.sink);
    }
    build::build(&parsed, (text, road), sink, Span::new(file, 0..0))
}

impl From<SmvDocument> for Document {
    fn from(document: SmvDocument) -> Self {
        let SmvDocument { machine, specifications, propositions, names, warnings } = document;
        let form = MachineForm { machine, propositions, names, is_sparse: false };
        Document::new(Form::Machine(Box::new(form)), specifications, warnings, Symbols::default())
    }
}

impl From<SmvIntegers> for Document {
    fn from(read: SmvIntegers) -> Self {
        let SmvIntegers { document, invariant, specifications, assurance, is_total, view } = read;
        let (properties, formulas): (Vec<_>, Vec<_>) = specifications.into_iter().unzip();
        let mut document = Document::from(document);
        document.properties = properties;
        if let Form::Integers(form) = &mut document.form {
            let (view, expanded) = (Some(view), Some(formulas));
            **form =
                IntegerForm { invariant, assurance, is_total, view, expanded, ..(**form).clone() };
        }
        document
    }
}
