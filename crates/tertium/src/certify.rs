//! Certificates, checked without trusting the engine that made them.

mod systems;
mod texts;

use crate::answer::Answer;
use crate::control_flow;
use crate::engine::{Certified, ClaimBytes};
use crate::error::Error;
use crate::explicit_model::ExplicitStates;
use crate::integers::{self, auditing_solver};
use crate::model::{Form, Model};
use crate::options::Options;
use crate::property::About;
use crate::transition_system::FiniteModel;
use crate::transition_system::encoded::most_nodes;
use crate::unsupported::Unsupported;
use audit::{AfterDeadlock, AuditError, Audited, CertificateKind, Claim, FormulaContext, Reader};
use logic::{Formula, Surface};
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor};
use texts::TextAuditor;

/// Several certificates in one file begin with this; then each with its length in 8 bytes, the lowest first.
const SET: &[u8] = b"tertium certificate set 1\n";

/// The result of checking a certificate, claim by claim.
#[derive(Clone, Debug, Default)]
pub struct Certification {
    /// The claims that are right.
    pub claims: Vec<CertifiedClaim>,
    /// The property and the reason of the first that is not.
    pub fault: Option<(String, String)>,
    /// The properties that should be claimed, and of which nothing is.
    pub missing: Vec<String>,
}

/// A claim of a certificate that was found right.
#[derive(Clone, Debug)]
pub struct CertifiedClaim {
    /// The property.
    pub property: String,
    /// Its verdict.
    pub verdict: bool,
    /// Assumptions of the verdict besides the model, in words that follow "is true"; empty if there are none.
    pub provided: String,
    /// Whether the verdict is the one that `check` gives without options.
    pub is_by_default: bool,
    /// The steps of the proof, and the positions that it is about, where they were counted.
    pub size: Option<(u64, u64)>,
}

impl Certification {
    /// Whether the certificate is valid: it claims something, and all of it is right.
    pub fn is_valid(&self) -> bool {
        self.fault.is_none() && !self.claims.is_empty()
    }

    /// Whether the certificate is valid and shows less than it should: nothing of some property, or a verdict under
    /// assumptions of its own.
    pub fn is_narrower(&self) -> bool {
        let is_special = |claim: &CertifiedClaim| !claim.is_by_default;
        self.is_valid() && (!self.missing.is_empty() || self.claims.iter().any(is_special))
    }

    /// Demands these properties instead of all of the file; what is said of others does not count.
    #[must_use]
    pub fn requiring(mut self, names: &[String]) -> Self {
        self.missing = names.to_vec();
        self.missing.retain(|name| self.claims.iter().all(|claim| claim.property != *name));
        for claim in self.claims.iter_mut().filter(|claim| !names.contains(&claim.property)) {
            claim.is_by_default = true;
        }
        self
    }
}

/// Puts the certificates of answers about one model together. Answers without one are left out.
pub fn certificates<'a>(model: &Model, answers: impl IntoIterator<Item = &'a Answer>) -> Vec<u8> {
    let mut joint: Vec<&Arc<[u8]>> = Vec::new();
    let mut claims: Vec<Vec<&ClaimBytes>> = Vec::new();
    for answer in answers {
        match &answer.certified {
            Certified::Joint(bytes) if !joint.iter().any(|one| Arc::ptr_eq(one, bytes)) => {
                joint.push(bytes);
            }
            Certified::Claim(claim) => {
                let same = claims.iter_mut().find(|all| all[0].header == claim.header);
                match same {
                    Some(all) => all.push(claim),
                    None => claims.push(vec![claim]),
                }
            }
            _ => {}
        }
    }
    let mut all: Vec<Vec<u8>> = joint.into_iter().map(|bytes| bytes.to_vec()).collect();
    all.extend(claims.iter().map(|claims| ClaimBytes::certificate(claims)));
    match &mut all[..] {
        [] => nothing(model),
        [only] => std::mem::take(only),
        _ => {
            let mut set = SET.to_vec();
            for bytes in all {
                set.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
                set.extend_from_slice(&bytes);
            }
            set
        }
    }
}

/// A certificate about a model that claims nothing.
fn nothing(model: &Model) -> Vec<u8> {
    let (kind, digest) = match model.form() {
        Form::Components(system) => (CertificateKind::Explicit, system.digest()),
        Form::Finite(text) => match text.transition_system() {
            Ok(program) => (CertificateKind::Symbolic, program.document.machine.digest()),
            Err(_) => (CertificateKind::Symbolic, 0),
        },
        Form::Integers(subject) => (CertificateKind::Integers, subject.digest()),
    };
    let is_sealed = kind == CertificateKind::Integers;
    let (header, before, claim) = (kind.header(digest), Vec::new(), Vec::new());
    ClaimBytes::certificate(&[&ClaimBytes { header, before, claim, is_sealed }])
}

/// The certificates in a file.
fn parts(mut bytes: &[u8]) -> Result<Vec<&[u8]>, AuditError> {
    let Some(rest) = bytes.strip_prefix(SET) else { return Ok(vec![bytes]) };
    bytes = rest;
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let torn = || AuditError::Invalid("the certificate is truncated".to_owned());
        let (length, rest) = bytes.split_first_chunk().ok_or_else(torn)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| torn())?;
        let (one, rest) = rest.split_at_checked(length).ok_or_else(torn)?;
        found.push(one);
        bytes = rest;
    }
    Ok(found)
}

/// Whether a certificate is about assumptions on processes, and so for [`crate::SafetyModel`].
pub fn is_about_assumptions(certificate: &[u8]) -> bool {
    Reader::new(certificate).is_ok_and(|reader| reader.kind() == CertificateKind::Assumption)
}

/// Checks a certificate about a model.
///
/// # Errors
///
/// The certificate is about another kind of model, or a limit was reached. A certificate that is not valid is no error:
/// [`Certification::fault`] says what is wrong with it.
pub fn certify(model: &Model, certificate: &[u8]) -> Result<Certification, Error> {
    certify_with(model, certificate, &Options::default())
}

/// Checks a certificate about a model, within limits and by a solver of one's own choice.
///
/// # Errors
///
/// As [`certify`].
pub fn certify_with(
    model: &Model,
    certificate: &[u8],
    options: &Options,
) -> Result<Certification, Error> {
    let about = match model.form() {
        Form::Components(_) => Subject::Components(model),
        Form::Finite(text) => Subject::Machine(text, model),
        Form::Integers(subject) => Subject::Integers(subject),
    };
    let mut found = certify_about(&about, certificate, options, options.cancel.monitor())?;
    let is_claimed = |name: &str| found.claims.iter().any(|claim| claim.property == name);
    let names = model.properties().iter().map(|property| property.name());
    found.missing = names.filter(|name| !is_claimed(name)).map(str::to_owned).collect();
    Ok(found)
}

/// The model that a certificate is checked against.
enum Subject<'a> {
    Components(&'a Model),
    /// With the model that further formulas can be read about.
    Machine(&'a FiniteModel, &'a Model),
    Integers(&'a integers::IntegerModel),
}

impl Answer {
    /// Checks the certificate of the answer at once, as [`certify`] would. `None` if there is none.
    ///
    /// # Errors
    ///
    /// As [`certify`].
    pub fn audit(&self) -> Result<Option<Certification>, Error> {
        self.audit_within(self.options.cancel.monitor())
    }

    /// Leaves out a certificate of linear time that is not valid: the auditor does not see of every formula that it
    /// agrees with that of the file.
    pub(crate) fn without_refused_certificate(mut self, monitor: &Monitor) -> Self {
        if !self.verdict().is_definite() || !self.property.is_translated(&self.model) {
            return self;
        }
        let why = match self.audit_within(monitor) {
            Ok(None) => return self,
            Ok(Some(found)) => match found.fault {
                Some((_, fault)) => fault,
                None => return self,
            },
            Err(error) => error.to_string(),
        };
        self.certified =
            Certified::Unavailable(format!("there is no certificate of this verdict: {why}"));
        self
    }

    fn audit_within(&self, monitor: &Monitor) -> Result<Option<Certification>, Error> {
        let Some(bytes) = self.certified.bytes() else { return Ok(None) };
        let about = match self.property.about() {
            About::Components(..) => Subject::Components(&self.model),
            About::Finite(text, _) => Subject::Machine(text, &self.model),
            About::Integers(subject, _) => Subject::Integers(subject),
        };
        certify_about(&about, &bytes, &self.options, monitor).map(Some)
    }
}

fn certify_about(
    about: &Subject,
    certificate: &[u8],
    options: &Options,
    monitor: &Monitor,
) -> Result<Certification, Error> {
    let mut certification = Certification::default();
    let ended = match parts(certificate) {
        Ok(parts) => parts
            .into_iter()
            .try_for_each(|part| audit_part(about, part, options, monitor, &mut certification)),
        Err(fault) => Err(Refusal::Fault(String::new(), fault)),
    };
    match ended {
        Ok(()) if certification.claims.is_empty() => {
            certification.fault = Some((String::new(), "the certificate has no claims".to_owned()));
        }
        Ok(()) => {}
        Err(Refusal::Error(error)) => return Err(error),
        Err(Refusal::Fault(_, AuditError::Stopped(stopped))) => return Err(stopped.into()),
        Err(Refusal::Fault(_, AuditError::Foreign(problem))) => {
            return Err(Error::Foreign(problem.to_string()));
        }
        Err(Refusal::Fault(property, fault)) => {
            certification.fault = Some((property, fault.to_string()));
        }
    }
    Ok(certification)
}

enum Refusal {
    Error(Error),
    Fault(String, AuditError),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Error(error)
    }
}

fn of_all(fault: AuditError) -> Refusal {
    Refusal::Fault(String::new(), fault)
}

fn audit_part(
    about: &Subject,
    bytes: &[u8],
    options: &Options,
    monitor: &Monitor,
    found: &mut Certification,
) -> Result<(), Refusal> {
    let reader = Reader::new(bytes).map_err(of_all)?;
    if options.solver.is_some() && reader.kind() != CertificateKind::Integers {
        return Err(Error::from(Unsupported::SOLVER).into());
    }
    if reader.kind() == CertificateKind::Integers {
        let subject = match about {
            Subject::Integers(subject) => Some(*subject),
            Subject::Machine(text, _) => text.over_integers().map(|subject| &**subject),
            Subject::Components(_) => None,
        };
        let subject = subject.ok_or_else(integers::about_integers)?;
        let auditing = integers::IntegerAuditor::new(subject).map_err(of_all)?;
        let mut solver = auditing_solver(options)?;
        let mut is_right = |claim: &Claim, audited: Audited| {
            // That there are no run-time errors is shown before each of several properties.
            if found.claims.iter().all(|known| known.property != claim.property) {
                found.claims.push(right(claim, "", Some(&audited)));
            }
        };
        return auditing
            .audit(reader, &mut *solver, monitor, false, &mut is_right)
            .map_err(|(property, fault)| Refusal::Fault(property, fault));
    }
    if matches!(reader.kind(), CertificateKind::Modular | CertificateKind::Recursion) {
        let auditing = match about {
            Subject::Machine(text, _) => {
                control_flow::ModularAuditor::new(text, most_nodes(options.memory))
            }
            _ => None,
        };
        let auditing = auditing.ok_or_else(|| {
            Error::message("the certificate is about a while-program")
                .with_help("give the file that was checked")
        })?;
        let shown = auditing.audit(reader, monitor).map_err(of_all)?;
        let provided = match &shown.assumptions[..] {
            [] => String::new(),
            some => format!(", assuming `{}`", some.join("`, `")),
        };
        found.claims.extend(shown.verdicts.into_iter().map(|(property, verdict)| CertifiedClaim {
            property,
            verdict,
            provided: provided.clone(),
            is_by_default: provided.is_empty(),
            size: None,
        }));
        return Ok(());
    }
    if reader.kind() == CertificateKind::Symbolic {
        let Subject::Machine(text, model) = about else {
            let error = Error::message("the certificate is about an SMV file");
            return Err(error.with_help("give the file that was checked").into());
        };
        return TextAuditor { text, model, options, monitor }.audit_bdds(reader, found);
    }
    if reader.kind() == CertificateKind::Components {
        let Subject::Components(model) = about else { return Err(about_components().into()) };
        return systems::audit_sets(reader, model, options, monitor, found);
    }
    if reader.kind() == CertificateKind::Assumption {
        let error = Error::message("the certificate is about an assumption");
        return Err(error.with_help("it is about processes and a safety property").into());
    }
    audit_states(reader, about, options, monitor, found)
}

fn right(claim: &Claim, provided: &str, audited: Option<&Audited>) -> CertifiedClaim {
    let where_it_blocks = match claim.deadlock {
        AfterDeadlock::Ends => "",
        AfterDeadlock::Stutters => ", with `--deadlock stutter`",
    };
    CertifiedClaim {
        property: claim.property.clone(),
        verdict: claim.verdict,
        provided: format!("{where_it_blocks}{provided}"),
        is_by_default: claim.deadlock == AfterDeadlock::Ends,
        size: audited.map(|audited| (audited.steps, audited.positions)),
    }
}

fn about_components() -> Error {
    Error::message("the certificate is about an explicit model")
        .with_help("give the file that was checked")
}

/// Checks claim after claim about lists of states, as long as they are right.
fn audit_states(
    reader: Reader<&[u8]>,
    about: &Subject,
    options: &Options,
    monitor: &Monitor,
    found: &mut Certification,
) -> Result<(), Refusal> {
    match about {
        Subject::Components(model) => systems::audit_lists(reader, model, monitor, found),
        Subject::Machine(text, model) => {
            TextAuditor { text, model, options, monitor }.audit_enumerated(reader, found)
        }
        Subject::Integers(_) => Err(about_components().into()),
    }
}

/// The formula that a claim is proved of: of the property of that name, or of a formula that is its own name.
fn formula_of(
    claim: &Claim,
    states: &ExplicitStates,
    properties: &[(String, Surface)],
    monitor: &Monitor,
) -> Result<Formula, AuditError> {
    let is_own_name = claim.property == claim.formula;
    let known = properties.iter().find(|(name, surface)| {
        let is_given = || surface.logic == claim.logic && surface.source() == claim.formula;
        *name == claim.property || is_own_name && is_given()
    });
    let surface = match known {
        Some((_, surface)) => surface.clone(),
        None if is_own_name => {
            let text: Arc<str> = claim.formula.as_str().into();
            front::parse_formula(claim.logic, FileId(0), &text, 0..text.len())
                .map_err(unreadable)?
        }
        None => {
            return Err(AuditError::Invalid(
                "there is no property of this name in the files".to_owned(),
            ));
        }
    };
    let context = FormulaContext {
        surface: &surface,
        signature: &states.signature(),
        fairness: &states.fairness,
        is_complete: states.is_complete(),
    };
    audit::claimed_formula(claim, &context, monitor)
}

fn unreadable(diagnostics: Vec<Diagnostic>) -> AuditError {
    let first = diagnostics.first().map_or("", |diagnostic| &diagnostic.message);
    AuditError::Invalid(format!("its formula does not fit this system: {first}"))
}
