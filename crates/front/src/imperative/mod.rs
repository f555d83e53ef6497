//! While-programs (paper M): commands over variables with finitely many values.
//!
//! [`read_while`] makes a [`transition::cfg::Program`] of a text, with what is asked of it; [`while_machine`] goes on to a
//! machine, for the methods that know no programs. [`read_integers`] is for programs whose variables have no bounds.

mod assume;
mod ast;
mod build;
mod complaints;
mod document;
mod integers;
mod lexer;
mod parse;
mod partition;
mod symbols;
mod write;

pub use assume::read_assumption;
pub(crate) use integers::IntegerDocument;
pub use integers::{IntegerDomain, IntegerPlace, IntegerStart, IntegerVariable, Mover};
pub use partition::{GivenCuts, draw_partition, read_partition, write_partition};
pub use write::write_while;

use crate::cursor::Cursor;
use crate::document::{Document, Form, GivenQuestion, IntegerForm, ProgramForm, Specification};
use crate::language::{Language, Numbers, Reading, SourceText, begins_with_word, behind_comments};
use crate::sink::Sink;
use crate::symbols::Symbols;
use crate::too_long_texts;
use logic::{Logic, Surface};
use std::sync::Arc;
use support::{Diagnostic, FileId, Span};
use transition::cfg::{Atom, Program};

/// While-programs, finite and over integers.
pub(crate) struct While;

impl Language for While {
    fn name(&self) -> &'static str {
        "while"
    }

    fn title(&self) -> &'static str {
        "a while-program"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["while"]
    }

    /// A program that begins with a declaration.
    fn looks_like(&self, start: &[u8]) -> bool {
        behind_comments(start).is_some_and(|start| begins_with_word("var proc", start))
    }

    fn read(&self, source: &SourceText, reading: Reading) -> Result<Document, Vec<Diagnostic>> {
        let (file, text, asked) = (source.file, &source.text, reading.questions);
        read_texts(file, text, asked, |Texts { file: parsed, asked, sink }| {
            let is_over_integers = match reading.numbers {
                Numbers::Declared => integers::is_over_integers(parsed),
                Numbers::Finite => false,
                Numbers::Unbounded => true,
            };
            let symbols = symbols::symbols(parsed);
            if is_over_integers {
                let read = integers::build(parsed, asked, (file, text), sink)?;
                return Ok(Document { symbols, ..read.into() });
            }
            let read = build::build(parsed, asked, file, sink)?;
            let WhileDocument { program, properties, propositions, warnings } = read;
            let form = ProgramForm { program, propositions, text: text.clone() };
            let properties = properties.into_iter().map(Specification::from).collect();
            Ok(Document::new(Form::Program(Box::new(form)), properties, warnings, symbols))
        })
    }

    fn laid_out(&self, text: &str) -> Option<String> {
        Some(write_while(text))
    }
}

impl From<WhileProperty> for Specification {
    fn from(property: WhileProperty) -> Self {
        let WhileProperty { name, logic, text, span, surface } = property;
        Specification {
            name,
            logic: logic.into(),
            statement: format!("specification {text} "),
            text,
            span,
            named: span,
            fair: logic == Logic::Ctl,
            formula: Ok(surface),
        }
    }
}

impl From<IntegerDocument> for Document {
    fn from(read: IntegerDocument) -> Self {
        let invariant = read.invariant();
        let IntegerDocument { program, variables, places, movers, processes, start, .. } = read;
        let IntegerDocument { propositions, predicates, properties, warnings, .. } = read;
        let form = IntegerForm {
            program,
            variables,
            places,
            movers,
            processes,
            start,
            propositions,
            predicates,
            invariant,
            assurance: None,
            is_total: true,
            view: None,
            expanded: None,
        };
        let properties = properties.into_iter().map(Specification::from).collect();
        Document::new(Form::Integers(Box::new(form)), properties, warnings, Symbols::default())
    }
}

/// What is asked of a program if nobody asks for something else.
const DEFAULT: (&str, &str) = ("nothing goes wrong", "AG !error");

/// What a while-program says.
#[derive(Clone, Debug)]
pub struct WhileDocument {
    pub program: Program,
    /// In the order of the file.
    pub properties: Vec<WhileProperty>,
    /// What the formulas are about, each with its name as a proposition.
    pub propositions: Vec<(String, Atom)>,
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub struct WhileProperty {
    /// A formula of the command line has none.
    pub name: Option<String>,
    pub logic: Logic,
    /// As it is written, on one line.
    pub text: String,
    pub span: Span,
    pub surface: Surface,
}

/// A program and what is asked of it, parsed.
struct Texts<'f, 'a> {
    file: &'f ast::File<'a>,
    asked: &'f [build::Asked<'f, 'a>],
    /// What has been said so far: no errors.
    sink: Sink,
}

fn read_texts<T>(
    file: FileId,
    text: &Arc<str>,
    asked: &[GivenQuestion],
    build: impl FnOnce(Texts) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let errors = too_long_texts(file, text, asked);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut cursor = Cursor::new(file, text, lexer::lex(text, 0..text.len()), "file");
    let mut parsed = parse::parse(&mut cursor);
    let mut sink = cursor.sink;
    let default: Arc<str> = DEFAULT.1.into();
    let mut questions: Vec<(Logic, FileId, &Arc<str>, Option<&str>)> =
        asked.iter().map(|asked| (asked.logic, asked.file, &asked.text, None)).collect();
    if questions.is_empty() && parsed.properties.is_empty() {
        questions.push((Logic::Ctl, file, &default, Some(DEFAULT.0)));
    }
    let mut given = Vec::new();
    for &(logic, file, text, name) in &questions {
        let mut cursor = Cursor::new(file, text, lexer::lex(text, 0..text.len()), "formula");
        let property = parse::parse_question(&mut cursor, logic, &mut parsed.exprs);
        sink.append(cursor.sink);
        given.extend(property.map(|property| (property, text.clone(), name)));
    }
    if sink.has_errors() {
        return Err(sink.into_diagnostics());
    }
    let of_file = parsed.properties.iter().filter(|_| questions.is_empty());
    let of_file = of_file.map(|property| build::Asked { property, text: text.clone(), name: None });
    let given = given.iter().map(|(property, text, name)| build::Asked {
        property,
        text: text.clone(),
        name: name.map(str::to_owned),
    });
    let asked: Vec<build::Asked> = of_file.chain(given).collect();
    build(Texts { file: &parsed, asked: &asked, sink })
}
