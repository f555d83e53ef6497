//! Certificates about while-programs.

use crate::language::Language;
use crate::transition_system::{FiniteModel, ProgramGraph};
use audit::modular::{ModularHead, ModularSubject, NamedFormula, audit};
use audit::recursion::audit as audit_recursion;
use audit::{AuditError, CertificateKind, Reader};
use front::{GivenQuestion, Numbers, Reading, SourceText};
use logic::{Logic, Surface};
use std::io::Read;
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor};
use transition::cfg::Assumed;

/// A while-program that certificates are checked against, as it was read.
pub struct ModularAuditor {
    text: Arc<str>,
    language: Language,
    document: ProgramGraph,
    most_nodes: usize,
}

/// The claims of a valid certificate.
pub struct CertifiedVerdicts {
    /// Properties, each with its verdict.
    pub verdicts: Vec<(String, bool)>,
    /// The assumptions on holes that they rest on.
    pub assumptions: Vec<String>,
}

impl ModularAuditor {
    pub fn new(text: &FiniteModel, most_nodes: usize) -> Option<Self> {
        let document = text.control_flow.clone()?;
        let (text, language) = (text.text.clone(), text.language);
        Some(Self { text, language, document, most_nodes })
    }

    pub fn audit(
        &self,
        mut reader: Reader<impl Read>,
        monitor: &Monitor,
    ) -> Result<CertifiedVerdicts, AuditError> {
        let head = ModularHead::read(&mut reader)?;
        let mut document = self.asked(&head.properties)?;
        let assumed = assumed(&head.assumptions, &mut document)?;
        let find = |property| surface(property, &document);
        let formulas =
            head.properties.iter().map(find).collect::<Result<Vec<Surface>, AuditError>>()?;
        let atoms = document.atoms();
        let subject = ModularSubject {
            program: &document.program,
            formulas: &formulas,
            atom: &|name| atoms.get(name).copied(),
            assumed: &assumed,
            most_nodes: self.most_nodes,
        };
        let shown = match reader.kind() {
            CertificateKind::Recursion => audit_recursion(reader, &head, &subject, monitor)?,
            _ => audit(reader, &head, &subject, monitor)?,
        };
        let said = head.properties.into_iter().zip(shown.verdicts);
        let verdicts =
            said.filter_map(|(property, verdict)| Some((property.name, verdict?))).collect();
        Ok(CertifiedVerdicts { verdicts, assumptions: head.assumptions })
    }

    /// The program with the properties that a certificate speaks of: those of the file, or formulas of the
    /// command line, which are their own names and take the place of all others.
    fn asked(&self, properties: &[NamedFormula]) -> Result<ProgramGraph, AuditError> {
        let is_own_name = |property: &NamedFormula| property.name == property.formula;
        let is_known = |property: &NamedFormula| surface(property, &self.document).is_ok();
        if properties.iter().all(is_known) || !properties.iter().all(is_own_name) {
            return Ok(self.document.clone());
        }
        let question = |property: &NamedFormula| GivenQuestion {
            logic: Logic::Ctl,
            file: FileId(1),
            text: property.formula.as_str().into(),
        };
        let asked: Vec<GivenQuestion> = properties.iter().map(question).collect();
        let source = SourceText::new(FileId(0), "text", self.text.clone());
        let monitor = Monitor::new();
        let reading = Reading { numbers: Numbers::Finite, ..Reading::new(&monitor).asking(&asked) };
        let read = self.language.read(&source, reading);
        let read = read.map_err(|errors| unreadable("formula", &errors))?;
        ProgramGraph::of(read)
            .ok_or_else(|| AuditError::Invalid("it is about another program".to_owned()))
    }
}

fn surface(property: &NamedFormula, document: &ProgramGraph) -> Result<Surface, AuditError> {
    let is_it = |known: &&front::Specification| {
        let source = known.surface().map(Surface::source);
        known.title() == property.name && source.as_ref() == Some(&property.formula)
    };
    // Two may have one name; if none has both, the auditor says what is wrong with the formula.
    let mut all = document.properties.iter();
    let known =
        all.clone().find(is_it).or_else(|| all.find(|known| known.title() == property.name));
    let problem = || format!("there is no property `{}` in the file", property.name);
    known.and_then(|known| known.surface().cloned()).ok_or_else(|| AuditError::Invalid(problem()))
}

fn assumed(texts: &[String], document: &mut ProgramGraph) -> Result<Vec<Assumed>, AuditError> {
    let mut read = |text: &String| {
        front::read_assumption(FileId(1), text, &mut document.program)
            .map_err(|errors| unreadable("assumption", &errors))
    };
    texts.iter().map(&mut read).collect()
}

fn unreadable(what: &str, diagnostics: &[Diagnostic]) -> AuditError {
    let first = diagnostics.first().map_or("", |diagnostic| &diagnostic.message);
    AuditError::Invalid(format!("its {what} does not fit this program: {first}"))
}
