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
use crate::document::{Document, Form, GivenQuestion, MachineForm, Specification};
use crate::language::{Language, Numbers, ProcessFairness, Reading, SourceText};
use crate::too_long_texts;
use build::{AllowedDomains, Built};
pub use integers::{BackLocation, BackTranslation, NoErrorProperty, Witness};
use model::System;
use support::{Diagnostic, Span};

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
        let domains = match reading.numbers {
            Numbers::Finite => AllowedDomains::Finite,
            Numbers::Declared | Numbers::Unbounded => AllowedDomains::Either,
        };
        let built = read_by(domains, source, reading.questions, reading.fairness)?;
        if built.integers.is_none() {
            let Built { form, specifications, warnings, symbols, unsupported, .. } = built;
            let form = Form::Machine(Box::new(form));
            let document = Document::new(form, specifications, warnings, symbols);
            return Ok(Document { unsupported, ..document });
        }
        let mut ignore = |_: &[smt::LinearFormula]| {};
        let witness: &mut Witness = match reading.witness {
            Some(witness) => witness,
            None => &mut ignore,
        };
        integers::translate(built, witness)
    }

    fn write_machine(&self, form: &MachineForm, properties: &[Specification]) -> Option<String> {
        Some(write::write_machine(form, properties))
    }

    fn write_system(
        &self,
        system: &System,
        can_deadlock: bool,
        properties: &[Specification],
    ) -> Option<Result<String, NotKripke>> {
        Some(write::write_system(system, can_deadlock, properties))
    }
}

fn read_by(
    domains: AllowedDomains,
    SourceText { file, text, .. }: &SourceText,
    asked: &[GivenQuestion],
    fairness: Option<ProcessFairness>,
) -> Result<Built, Vec<Diagnostic>> {
    let file = *file;
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
    build::build(&parsed, (text, domains), fairness, sink, Span::new(file, 0..0))
}
