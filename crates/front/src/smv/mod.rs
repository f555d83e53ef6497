//! SMV, the language of NuSMV: modules, flattened into one machine, and its specifications.

mod ast;
mod build;
mod integers;
mod lexer;
mod parse;
mod show;
mod words;
mod write;

pub(crate) use lexer::is_reserved;
pub use write::{NotKripke, write_smv, write_smv_model};

use crate::cursor::Cursor;
use crate::document::{Document, Form, IntegerForm, MachineForm, Property, PropertyLogic};
use crate::language::{Language, Numbers, Reading, Source};
use crate::symbols::Symbols;
use build::{Built, Road};
pub use integers::{Assurance, SmvIntegers, SmvPlace, SmvView, Witness};
use logic::PropId;
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

    fn read(&self, source: &Source, reading: Reading) -> Result<Document, Vec<Diagnostic>> {
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
}

/// What an SMV file says.
#[derive(Clone, Debug)]
pub struct SmvDocument {
    pub machine: Machine,
    /// In the order of the file, those of an instance where it is declared.
    pub specifications: Vec<Specification>,
    /// What the formulas are about: the largest parts of them without temporal operators, each with
    /// its name as a proposition.
    pub propositions: Vec<transition::Property>,
    /// The names of the propositions, in the same order.
    pub names: Interner<PropId>,
    pub warnings: Vec<Diagnostic>,
}

/// An SMV file of either kind.
#[derive(Clone, Debug)]
pub enum EitherSmv {
    Finite(Box<SmvDocument>),
    Integers(Box<SmvIntegers>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SmvLogic {
    Ctl,
    Invar,
    Mu,
    Ltl,
    Psl,
    Compute,
}

impl SmvLogic {
    pub fn name(self) -> &'static str {
        match self {
            SmvLogic::Ctl => "ctl",
            SmvLogic::Invar => "invar",
            SmvLogic::Mu => "mu",
            SmvLogic::Ltl => "ltl",
            SmvLogic::Psl => "psl",
            SmvLogic::Compute => "compute",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Specification {
    pub name: Option<String>,
    pub logic: SmvLogic,
    /// As NuSMV prints it.
    pub text: String,
    /// The same with the spaces that NuSMV puts around it.
    pub spaced: String,
    /// The instance that it is declared in: `a.b`, empty in the main module.
    pub instance: String,
    pub span: Span,
    pub claim: Claim,
}

pub use crate::document::Claim;
pub use crate::document::GivenQuestion as SmvQuestion;

/// What is to be said if a file, or a formula about it, is too long.
pub(crate) fn too_long_texts(file: FileId, text: &str, asked: &[SmvQuestion]) -> Vec<Diagnostic> {
    let texts = asked.iter().map(|question| (question.file, &*question.text));
    let all = std::iter::once((file, text)).chain(texts);
    all.filter_map(|(file, text)| crate::too_long(file, text)).collect()
}

/// Reads an SMV file. Errors are returned all together, warnings among them.
pub fn read_smv(file: FileId, text: &Arc<str>) -> Result<SmvDocument, Vec<Diagnostic>> {
    read_smv_asking(file, text, &[])
}

/// The same with other questions than those of the file, if there are some.
pub fn read_smv_asking(
    file: FileId,
    text: &Arc<str>,
    asked: &[SmvQuestion],
) -> Result<SmvDocument, Vec<Diagnostic>> {
    read_by(Road::Finite, file, text, asked).map(|built| built.document)
}

/// Reads a file as what it is: over integers if it has a variable of the type `integer`, and else finite.
pub fn read_smv_either(
    file: FileId,
    text: &Arc<str>,
    asked: &[SmvQuestion],
) -> Result<EitherSmv, Vec<Diagnostic>> {
    read_smv_before(file, text, asked, &mut |_| {})
}

/// The same before a witness, who is told each conjunction that was left out for being impossible, as far as the
/// arithmetic of our own knows.
pub fn read_smv_before(
    file: FileId,
    text: &Arc<str>,
    asked: &[SmvQuestion],
    witness: &mut Witness,
) -> Result<EitherSmv, Vec<Diagnostic>> {
    let built = read_by(Road::Either, file, text, asked)?;
    match built.integers {
        None => Ok(EitherSmv::Finite(Box::new(built.document))),
        Some(_) => {
            let document = integers::translate(built.document, witness)?;
            Ok(EitherSmv::Integers(Box::new(document)))
        }
    }
}

fn read_by(
    road: Road,
    file: FileId,
    text: &Arc<str>,
    asked: &[SmvQuestion],
) -> Result<Built, Vec<Diagnostic>> {
    let errors = too_long_texts(file, text, asked);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut cursor = Cursor::new(file, text, lexer::lex(text), "file");
    let mut parsed = parse::parse(&mut cursor);
    let mut sink = cursor.sink;
    for SmvQuestion { logic, file, text } in asked {
        let mut cursor = Cursor::new(*file, text, lexer::lex(text), "formula");
        let spec = parse::parse_question(&mut cursor, *logic, &mut parsed.exprs);
        parsed.asked.extend(spec.map(|spec| (spec, text.clone())));
        sink.append(cursor.sink);
    }
    build::build(&parsed, (text, road), sink, Span::new(file, 0..0))
}

impl From<Specification> for Property {
    fn from(specification: Specification) -> Self {
        let Specification { name, logic, text, spaced, instance, span, claim } = specification;
        let place = if instance.is_empty() { String::new() } else { format!("IN {instance}") };
        let kind = match logic {
            SmvLogic::Invar => "invariant",
            SmvLogic::Compute => "the result of",
            SmvLogic::Ctl | SmvLogic::Mu | SmvLogic::Ltl | SmvLogic::Psl => "specification",
        };
        Property {
            name,
            logic: match logic {
                SmvLogic::Ctl => PropertyLogic::Ctl,
                SmvLogic::Invar => PropertyLogic::Invar,
                SmvLogic::Mu => PropertyLogic::Mu,
                SmvLogic::Ltl => PropertyLogic::Ltl,
                SmvLogic::Psl => PropertyLogic::Psl,
                SmvLogic::Compute => PropertyLogic::Compute,
            },
            text: format!("{text} {place}").trim().to_owned(),
            span,
            named: span,
            claim,
            fair: logic == SmvLogic::Ctl,
            statement: format!("{kind} {spaced} {place}"),
        }
    }
}

impl From<SmvDocument> for Document {
    fn from(document: SmvDocument) -> Self {
        let SmvDocument { machine, specifications, propositions, names, warnings } = document;
        let form = MachineForm { machine, propositions, names, is_sparse: false };
        Document {
            form: Form::Machine(Box::new(form)),
            properties: specifications.into_iter().map(Property::from).collect(),
            safeties: Vec::new(),
            warnings,
            symbols: Symbols::default(),
        }
    }
}

impl From<SmvIntegers> for Document {
    fn from(read: SmvIntegers) -> Self {
        let SmvIntegers { document, invariant, specifications, assurance, is_total, view } = read;
        let (properties, formulas): (Vec<_>, Vec<_>) =
            specifications.into_iter().map(|(one, formula)| (Property::from(one), formula)).unzip();
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
