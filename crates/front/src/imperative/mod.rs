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
mod names;
mod parse;
mod partition;
mod write;

pub use assume::read_assumption;
pub use document::while_machine;
pub use integers::{
    EitherDocument, IntegerDocument, IntegerDomain, IntegerStart, IntegerVariable,
    read_either_asking, read_integers, read_integers_asking,
};
pub use names::write_while_smv;
pub use partition::{GivenCuts, draw_partition, read_partition, write_partition};
pub use write::write_while;

use crate::cursor::Cursor;
use crate::sink::Sink;
use crate::smv::{SmvQuestion, too_long_texts};
use logic::{Logic, Surface};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use support::{Diagnostic, FileId, Span};
use transition::cfg::{Atom, Program};

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

impl WhileDocument {
    fn new(texts: Texts, file: FileId, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let build::Compiled { program, properties, propositions, sink, .. } =
            build::compile(texts.file, texts.asked, (file, text), texts.sink, false)?;
        let (propositions, warnings) = (propositions.list, sink.into_diagnostics());
        Ok(Self { program, properties, propositions, warnings })
    }

    /// What the propositions of the formulas mean, by name.
    pub fn atoms(&self) -> FxHashMap<&str, Atom> {
        self.propositions.iter().map(|(name, atom)| (name.as_str(), *atom)).collect()
    }

    /// What the formulas call it.
    pub fn name_of(&self, atom: Atom) -> Option<&str> {
        let found = self.propositions.iter().find(|(_, known)| *known == atom);
        found.map(|(name, _)| name.as_str())
    }
}

impl WhileProperty {
    /// Its name; a formula of the command line is its own.
    pub fn title(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.text)
    }
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

/// Reads a while-program. Errors are returned all together, warnings among them.
pub fn read_while(file: FileId, text: &Arc<str>) -> Result<WhileDocument, Vec<Diagnostic>> {
    read_while_asking(file, text, &[])
}

/// The same with other questions than those of the file, if there are some. Where nobody asks anything, it is asked
/// whether something can go wrong.
pub fn read_while_asking(
    file: FileId,
    text: &Arc<str>,
    asked: &[SmvQuestion],
) -> Result<WhileDocument, Vec<Diagnostic>> {
    read_texts(file, text, asked, |texts| WhileDocument::new(texts, file, text))
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
    asked: &[SmvQuestion],
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
