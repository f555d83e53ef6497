//! Texts of one language in the form that tests of it want, read as everything is: by [`Language::read`].

use front::{
    Document, Form, GivenQuestion, IntegerForm, Language, MachineForm, Numbers, PartLoader,
    ProgramForm, Reading, Safety, SourceText, Specification, language_named,
};
use logic::PropId;
use model::System;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use support::{Diagnostic, FileId, Interner, Monitor};
use transition::{InterleavedSteps, Machine};

type Read<T> = Result<T, Vec<Diagnostic>>;

fn language(name: &str) -> &'static dyn Language {
    language_named(name).expect("a language")
}

fn read(
    name: &str,
    file: FileId,
    text: &Arc<str>,
    questions: &[GivenQuestion],
    numbers: Numbers,
) -> Read<Document> {
    let source = SourceText::new(file, "text", text.clone());
    let monitor = Monitor::new();
    let reading = Reading { numbers, ..Reading::new(&monitor).asking(questions) };
    language(name).read(&source, reading)
}

/// A `.tm` file.
#[derive(Clone, Debug)]
pub struct TmDocument {
    pub system: Option<System>,
    pub properties: Vec<Specification>,
    pub safeties: Vec<Safety>,
    pub warnings: Vec<Diagnostic>,
}

pub fn read_tm(
    file: FileId,
    text: &Arc<str>,
    monitor: &Monitor,
    load: &mut PartLoader,
) -> Read<TmDocument> {
    let source = SourceText::new(file, "text", text.clone());
    let reading = Reading { loader: Some(load), ..Reading::new(monitor) };
    let Document { form, properties, safeties, warnings, .. } =
        language("tm").read(&source, reading)?;
    let Form::Components(system) = form else { panic!("{form:?}") };
    Ok(TmDocument { system, properties, safeties, warnings })
}

/// A transition system with what is asked of it.
#[derive(Clone, Debug)]
pub struct SmvDocument {
    pub machine: Machine,
    pub specifications: Vec<Specification>,
    pub propositions: Vec<transition::StateProperty>,
    pub names: Interner<PropId>,
    pub interleaving: Option<InterleavedSteps>,
    pub warnings: Vec<Diagnostic>,
}

fn machine(document: Document) -> SmvDocument {
    let Document { form, properties, mut warnings, unsupported, .. } = document;
    let of_properties = properties.iter().flat_map(|property| property.warnings.iter().cloned());
    warnings.extend(unsupported.into_iter().chain(of_properties));
    let Form::Machine(form) = form else { panic!("{form:?}") };
    let MachineForm { machine, propositions, names, interleaving, .. } = *form;
    SmvDocument { machine, specifications: properties, propositions, names, interleaving, warnings }
}

pub fn read_smv(file: FileId, text: &Arc<str>) -> Read<SmvDocument> {
    read_smv_asking(file, text, &[])
}

pub fn read_smv_asking(
    file: FileId,
    text: &Arc<str>,
    asked: &[GivenQuestion],
) -> Read<SmvDocument> {
    read("smv", file, text, asked, Numbers::Finite).map(machine)
}

/// Reads an SMV file that may have unbounded integers.
pub fn read_smv_either(file: FileId, text: &Arc<str>) -> Read<Document> {
    read("smv", file, text, &[], Numbers::Declared)
}

pub fn read_promela_asking(
    file: FileId,
    text: &Arc<str>,
    asked: &[GivenQuestion],
) -> Read<SmvDocument> {
    read("promela", file, text, asked, Numbers::Declared).map(machine)
}

/// A while-program with variables of finitely many values.
#[derive(Clone, Debug)]
pub struct WhileDocument {
    pub form: ProgramForm,
    pub properties: Vec<Specification>,
    pub warnings: Vec<Diagnostic>,
}

impl Deref for WhileDocument {
    type Target = ProgramForm;

    fn deref(&self) -> &ProgramForm {
        &self.form
    }
}

impl DerefMut for WhileDocument {
    fn deref_mut(&mut self) -> &mut ProgramForm {
        &mut self.form
    }
}

pub fn read_while(file: FileId, text: &Arc<str>) -> Read<WhileDocument> {
    read_while_asking(file, text, &[])
}

pub fn read_while_asking(
    file: FileId,
    text: &Arc<str>,
    asked: &[GivenQuestion],
) -> Read<WhileDocument> {
    let Document { form, properties, warnings, .. } =
        read("while", file, text, asked, Numbers::Finite)?;
    let Form::Program(form) = form else { panic!("{form:?}") };
    Ok(WhileDocument { form: *form, properties, warnings })
}

/// Lays a while-program out.
pub fn write_while(text: &str) -> String {
    language("while").laid_out(text).expect("programs can be laid out")
}

/// A program over integers.
#[derive(Clone, Debug)]
pub struct IntegerDocument {
    pub form: IntegerForm,
    pub properties: Vec<Specification>,
    pub warnings: Vec<Diagnostic>,
}

impl Deref for IntegerDocument {
    type Target = IntegerForm;

    fn deref(&self) -> &IntegerForm {
        &self.form
    }
}

impl From<Document> for IntegerDocument {
    fn from(document: Document) -> Self {
        let Document { form, properties, warnings, .. } = document;
        let Form::Integers(form) = form else { panic!("{form:?}") };
        Self { form: *form, properties, warnings }
    }
}

/// Reads a while-program as one over integers, also if all its variables have bounds.
pub fn read_integers(file: FileId, text: &Arc<str>) -> Read<IntegerDocument> {
    read("while", file, text, &[], Numbers::Unbounded).map(IntegerDocument::from)
}

/// Reads a while-program as what it is.
pub fn read_either(file: FileId, text: &Arc<str>) -> Read<Document> {
    read("while", file, text, &[], Numbers::Declared)
}
