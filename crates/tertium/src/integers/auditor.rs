//! Certificates about programs over integers: what they are checked against.

use super::model::IntegerModel;
use crate::error::Error;
use crate::language::Language;
use audit::integers::IntegerClaim;
use audit::{AuditError, Audited, Claim, FormulaContext, Reader, integers};
use front::{Form, GivenQuestion, IntegerForm, Numbers, Reading, SourceText, Specification};
use logic::{Formula, PropId};
use smt::Solver;
use std::cell::Cell;
use std::io::Read;
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor};
use transition::integers::Proposition;

/// The name of the claim that the others about an SMV file rest on if it says something that may have no value. It is
/// no name that a specification could have.
pub const NO_ERROR_CLAIM: &str = "no run-time error occurs";

/// A program over integers that certificates are checked against, as it was read.
pub struct IntegerAuditor {
    text: Arc<str>,
    language: Language,
    read: Document,
}

/// A fault, with the property that is concerned.
type Wrong = (String, AuditError);

impl IntegerAuditor {
    /// The program that was checked, read again from its text: the auditor does not trust the engine.
    pub fn new(subject: &IntegerModel) -> Result<Self, AuditError> {
        let text = subject.text.clone();
        let language = subject.language;
        match Document::read(language, &text, &[]) {
            Ok(Some(read)) => Ok(Self { text, language, read }),
            Ok(None) => Err(AuditError::Invalid("it is about another program".to_owned())),
            Err(errors) => Err(unreadable(&errors)),
        }
    }

    /// Checks claim after claim, as long as they are right. What they rest on is among them, before them, unless it was
    /// shown elsewhere.
    pub fn audit(
        &self,
        mut reader: Reader<impl Read>,
        solver: &mut dyn Solver,
        monitor: &Monitor,
        has_no_error: bool,
        is_right: &mut dyn FnMut(&Claim, Audited),
    ) -> Result<(), Wrong> {
        let of_all = |fault| (String::new(), fault);
        self.read.subject(&[]).is_meant_by(&reader).map_err(of_all)?;
        if !has_no_error {
            self.confirm_reading(solver, monitor).map_err(of_all)?;
        }
        let mut has_no_error = has_no_error || self.read.no_error.is_none();
        while let Some(about) = reader.claim_about_integers().map_err(of_all)? {
            let claim = &about.claim;
            let is_no_error_claim =
                claim.property == NO_ERROR_CLAIM && self.read.no_error.is_some();
            let question = match has_no_error || is_no_error_claim {
                true => self.question(&about, monitor),
                false => Err(AuditError::Invalid(
                    "the absence of run-time errors is not proved first".to_owned(),
                )),
            };
            let audited = question.and_then(|(formula, propositions)| {
                let subject = self.read.subject(&propositions);
                integers::audit(&subject, &formula, claim, &mut reader, solver, monitor)
            });
            match audited {
                Ok(_) if is_no_error_claim && !claim.verdict => {
                    let problem =
                        "the program has a run-time error, so the other claims are void".to_owned();
                    return Err((claim.property.clone(), AuditError::Invalid(problem)));
                }
                Ok(audited) => is_right(claim, audited),
                Err(fault) => return Err((claim.property.clone(), fault)),
            }
            has_no_error |= is_no_error_claim;
        }
        Ok(())
    }

    /// Has the solver say again what the file was read with.
    pub fn confirm_reading(
        &self,
        solver: &mut dyn Solver,
        monitor: &Monitor,
    ) -> Result<(), AuditError> {
        let mut confirmed = Ok(());
        let names = &self.read.document.program.variables;
        let mut witness = |parts: &[smt::LinearFormula]| {
            if confirmed.is_ok() {
                confirmed = integers::confirm(parts, names, solver, monitor);
            }
        };
        let source = SourceText::new(FileId(0), "text", self.text.clone());
        let reading = Reading { witness: Some(&mut witness), ..Reading::new(monitor) };
        self.language.read(&source, reading).map_err(|errors| unreadable(&errors))?;
        confirmed
    }

    /// The formula of a claim over the propositions that it names, and what these mean.
    fn question(
        &self,
        about: &IntegerClaim,
        monitor: &Monitor,
    ) -> Result<(Formula, Vec<(String, Proposition)>), AuditError> {
        let asked = self.asked(&about.claim)?;
        let read = asked.as_ref().unwrap_or(&self.read);
        let formula = read.formula(about, monitor)?;
        let names = &about.propositions;
        let known = &read.document.propositions;
        let number = |prop: PropId| {
            let (own, _) = known.get(prop.0 as usize)?;
            names.iter().position(|name| name == own).map(|number| PropId(number as u32))
        };
        let formula = formula.renumbered(number).ok_or_else(|| {
            AuditError::Invalid("it does not name the propositions of the formula".to_owned())
        })?;
        let meaning = |name: &String| {
            let found = known.iter().find(|(own, _)| own == name);
            // Certificates of other questions are not requested here.
            found.cloned().unwrap_or_else(|| (name.clone(), Proposition::At(Vec::new())))
        };
        Ok((formula, names.iter().map(meaning).collect()))
    }

    /// The program with a formula of the command line, which is its own name; nothing if the claim is about another
    /// one.
    fn asked(&self, claim: &Claim) -> Result<Option<Document>, AuditError> {
        if claim.property == NO_ERROR_CLAIM || self.read.names(&claim.property) {
            return Ok(None);
        }
        let (logic, text) = (claim.logic, claim.property.as_str().into());
        let question = GivenQuestion { logic, file: FileId(1), text };
        match Document::read(self.language, &self.text, &[question]) {
            Ok(Some(read)) if read.document.program != self.read.document.program => Err(
                AuditError::Invalid("its formula changes the predicates of the file".to_owned()),
            ),
            Ok(read) => Ok(read),
            Err(errors) if claim.property == claim.formula => Err(unreadable(&errors)),
            // The name of a property that the file does not have any more.
            Err(_) => Ok(None),
        }
    }
}

/// The formula of a property.
enum StatedFormula {
    /// A formula over the propositions of the program.
    Program(Box<Formula>),
    /// One of linear time, with how it was written; certificates bring formulas that it follows from.
    Linear(Box<Specification>, String),
}

impl StatedFormula {
    fn source(&self) -> &str {
        match self {
            StatedFormula::Program(formula) => formula.source(),
            StatedFormula::Linear(_, source) => source,
        }
    }
}

/// A program over integers with its properties, as read from its text.
struct Document {
    document: IntegerForm,
    /// By name.
    properties: Vec<(String, StatedFormula)>,
    /// The absence of run-time errors, on which the other claims rest.
    no_error: Option<Formula>,
}

impl Document {
    /// Nothing if the program is not over integers.
    fn read(
        language: Language,
        text: &Arc<str>,
        asked: &[GivenQuestion],
    ) -> Result<Option<Self>, Vec<Diagnostic>> {
        let source = SourceText::new(FileId(0), "text", text.clone());
        let monitor = Monitor::new();
        let reading = Reading::new(&monitor).asking(asked);
        // A text that can be read as one over integers was.
        let reading = Reading { numbers: Numbers::Unbounded, ..reading };
        let read = language.read(&source, reading)?;
        let Form::Integers(document) = read.form else { return Ok(None) };
        let mut properties = Vec::new();
        for (number, property) in read.properties.iter().enumerate() {
            let linear = property.surface().filter(|it| it.logic.has_linear_operators());
            let formula = match linear {
                Some(surface) => {
                    StatedFormula::Linear(Box::new(property.clone()), surface.source())
                }
                None => {
                    let formula = document.formula(property, |surface, signature, fairness| {
                        logic::compile_fair(surface, signature, fairness, &mut Vec::new())
                    })?;
                    let Some(formula) = formula else { continue };
                    StatedFormula::Program(Box::new(formula))
                }
            };
            let name = match asked.get(number) {
                Some(question) => question.text.to_string(),
                None => property.title().to_owned(),
            };
            properties.push((name, formula));
        }
        let no_error = document.no_error.as_ref().map(|no_error| no_error.formula.clone());
        Ok(Some(Self { document: *document, properties, no_error }))
    }

    fn names(&self, property: &str) -> bool {
        self.properties.iter().any(|(name, _)| name == property)
    }

    /// The formula that a claim is about.
    fn formula(&self, about: &IntegerClaim, monitor: &Monitor) -> Result<Formula, AuditError> {
        let claim = &about.claim;
        if let (NO_ERROR_CLAIM, Some(no_error)) = (&*claim.property, &self.no_error) {
            return Ok(no_error.clone());
        }
        let own = || self.properties.iter().filter(|(name, _)| *name == claim.property);
        let meant = own().find(|(_, formula)| formula.source() == claim.formula).or(own().next());
        let (_, formula) = meant.ok_or_else(|| {
            AuditError::Invalid("there is no property of this name in the file".to_owned())
        })?;
        let (theirs, ours) = (&*claim.formula, formula.source());
        if theirs != ours {
            return Err(AuditError::Invalid(format!(
                "the certificate is about the formula `{theirs}`, and this is `{ours}`"
            )));
        }
        match formula {
            StatedFormula::Program(formula) => Ok((**formula).clone()),
            StatedFormula::Linear(property, _) => self.linear(property, about, monitor),
        }
    }

    /// The formula that a certificate brings, from which a formula of linear time follows.
    fn linear(
        &self,
        property: &Specification,
        about: &IntegerClaim,
        monitor: &Monitor,
    ) -> Result<Formula, AuditError> {
        let brought = about.linear(&self.document.atoms())?;
        let fault = Cell::new(None);
        let followed = self.document.stated(property, |surface, signature, fairness| {
            let context = FormulaContext { surface, signature, fairness, is_complete: true };
            audit::claimed_formula(&brought, &context, monitor).map_err(|refused| {
                fault.set(Some(refused));
                Vec::new()
            })
        });
        if let Some(refused) = fault.take() {
            return Err(refused);
        }
        let none = || AuditError::Invalid("its formula is not supported".to_owned());
        let formula = followed.map_err(|errors| unreadable(&errors))?.ok_or_else(none)?;
        Ok(self.document.expanded(formula))
    }

    fn subject<'a>(
        &'a self,
        propositions: &'a [(String, Proposition)],
    ) -> integers::IntegerSubject<'a> {
        let start = &self.document.start;
        integers::IntegerSubject {
            program: &self.document.program,
            start: (start.location, &start.condition),
            invariant: &self.document.invariant,
            propositions,
        }
    }
}

pub fn about_integers() -> Error {
    Error::message("the certificate is about a program over integers")
        .with_help("give the file that was checked")
}

fn unreadable(diagnostics: &[Diagnostic]) -> AuditError {
    let first = diagnostics.first().map_or("", |diagnostic| &diagnostic.message);
    AuditError::Invalid(format!("its formula does not fit this program: {first}"))
}
