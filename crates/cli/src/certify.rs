//! `tertium certify`: re-checks a certificate without trusting the checker that made it.

use crate::Status;
use crate::assume::Subject;
use crate::console::colour_of_stdout;
use crate::flags::{Certify, Questions};
use crate::input::{self, Trouble};
use crate::integers::{self, Auditing};
use crate::load::{Loaded, load};
use crate::modular;
use crate::smv::auditing::Auditing as AuditingOfDiagrams;
use crate::smv::diagrams::most_nodes;
use crate::smv::{self, Program};
use crate::supervisor::{Session, run_telling};
use audit::{AfterDeadlock, AuditError, CertificateKind, Claim, Fit, Reader, Standing};
use logic::{Formula, Signature, Surface};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor};

pub fn run(flags: Certify) -> Status {
    let limits = flags.limits.clone();
    run_telling(&limits, &[], |_, _| None, move |session| certify(&flags, session))
}

fn certify(flags: &Certify, session: &Session<String>) -> Result<Status, Trouble> {
    let is_dash = |path: &PathBuf| input::is_dash(path);
    if is_dash(&flags.certificate) && flags.files.iter().any(is_dash) {
        return Err(input::standard_input_twice());
    }
    let mut claims = 0;
    let mut is_right = |property: &str, said: &str| {
        session.tell(report::certified(property, Ok(said), colour_of_stdout()));
        claims += 1;
    };
    let reader = Reader::new(input::open_as_it_is(&flags.certificate)?);
    if reader.as_ref().is_ok_and(|reader| reader.kind() != CertificateKind::Integers) {
        integers::refuse_solver(&flags.solving)?;
    }
    let audited = match reader.map(|reader| (reader.kind(), reader)) {
        Ok((CertificateKind::Symbolic, reader)) => {
            let program = program(flags, &session.monitor)?;
            let auditing = AuditingOfDiagrams::new(&program, flags.limits.memory);
            audit_diagrams(reader, &auditing, &session.monitor, &mut is_right)
        }
        Ok((CertificateKind::Assumption, reader)) => {
            let sync = flags.sync.as_deref();
            let subject = Subject::load(&flags.files, sync, &flags.limits, &session.monitor)?;
            return assumptions(reader, &subject, flags, session);
        }
        Ok((CertificateKind::Integers, reader)) => {
            let auditing = program_over_integers(flags, &session.monitor)?;
            let mut solver = integers::auditing_solver(&flags.solving)?;
            let mut is_right = |claim: &Claim, _| is_right(&claim.property, &said(claim));
            auditing.audit(reader, &mut *solver, &session.monitor, false, &mut is_right)
        }
        Ok((CertificateKind::Modular, reader)) => {
            let auditing = while_program(flags, &session.monitor)?;
            audit_nodes(reader, &auditing, &session.monitor, &mut is_right)
        }
        Ok((CertificateKind::Explicit, reader)) => {
            let mut loaded = load(&flags.files, flags.sync.as_deref(), &session.monitor)?;
            // What was checked under the reduced semantics is the reduction.
            if audit::ExplicitSubject::new(&loaded.system).is_meant_by(&reader).is_err() {
                loaded.reduce(None);
            }
            audit_all(reader, &loaded, &session.monitor, &mut is_right)
        }
        Err(fault) => Err((String::new(), fault)),
    };
    let (property, problem) = match audited {
        Ok(()) if claims == 0 => (String::new(), "the certificate claims nothing".to_owned()),
        Ok(()) => return Ok(Status::Good),
        Err((property, fault)) => (property, refusal(fault, flags)?),
    };
    session.tell(report::certified(&property, Err(&problem), colour_of_stdout()));
    Ok(Status::Bad)
}

/// A certificate of assumptions: whether they still stand, and with them the verdict.
fn assumptions(
    reader: Reader<impl Read>,
    subject: &Subject,
    flags: &Certify,
    session: &Session<String>,
) -> Result<Status, Trouble> {
    let safety = |name: &str| subject.safety(Some(name)).ok();
    let colour = colour_of_stdout();
    match audit::audit_assumptions(reader, &subject.system, safety, &session.monitor) {
        Ok(standing) => {
            let said = said_of_assumptions(&standing);
            session.tell(report::certified(&standing.property, Ok(&said), colour));
            Ok(Status::Good)
        }
        Err((property, fault)) => {
            let problem = refusal(fault, flags)?;
            session.tell(report::certified(&property, Err(&problem), colour));
            Ok(Status::Bad)
        }
    }
}

fn said_of_assumptions(standing: &Standing) -> String {
    let names = |wanted: Fit| {
        let all = standing.processes.iter().filter(|(_, fit)| *fit == wanted);
        all.map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>()
    };
    let fits = [
        (Fit::Same, "is as it was", "are as they were"),
        (
            Fit::Changed,
            "has changed, and its assumption still stands",
            "have changed, and their assumptions still stand",
        ),
    ];
    let mut said = format!("is {}", standing.holds);
    for (fit, of_one, of_several) in fits {
        match &names(fit)[..] {
            [] => {}
            [name] => said.push_str(&format!("; {name} {of_one}")),
            several => said.push_str(&format!("; {} {of_several}", several.join(", "))),
        }
    }
    said
}

fn said(claim: &Claim) -> String {
    let where_it_blocks = match claim.deadlock {
        AfterDeadlock::Ends => "",
        AfterDeadlock::Stutters => ", with `--deadlock stutter`",
    };
    format!("is {}{where_it_blocks}", claim.verdict)
}

/// Why a certificate is not valid, unless it is the call that is wrong or a limit that was reached.
fn refusal(fault: AuditError, flags: &Certify) -> Result<String, Trouble> {
    match fault {
        AuditError::Stopped(stopped) => Err(stopped.into()),
        AuditError::Io(error) => Err(input::unreadable(&flags.certificate, &error)),
        AuditError::Foreign(problem) => {
            Err(Trouble::message(format!("`{}`: {problem}", input::name_of(&flags.certificate))))
        }
        fault => Ok(fault.to_string()),
    }
}

/// The SMV file that a certificate of diagrams is about.
fn program(flags: &Certify, monitor: &Monitor) -> Result<Program, Trouble> {
    match smv::among(&flags.files)? {
        Some(path) => smv::read(path, &Questions::default(), &[], monitor),
        None => Err(Trouble::message("the certificate is about an SMV file")
            .with_help("give the file that was checked")),
    }
}

/// The while-program that a certificate by nodes is about.
fn while_program(flags: &Certify, monitor: &Monitor) -> Result<modular::Auditing, Trouble> {
    match smv::among(&flags.files)?.filter(|path| smv::is_while(path)) {
        Some(path) => modular::Auditing::read(path, most_nodes(flags.limits.memory), monitor),
        None => Err(Trouble::message("the certificate is about a while-program")
            .with_help("give the file that was checked")),
    }
}

fn program_over_integers(flags: &Certify, monitor: &Monitor) -> Result<Auditing, Trouble> {
    match smv::among(&flags.files)? {
        Some(path) => Auditing::read(path, monitor),
        None => Err(integers::about_integers()),
    }
}

/// Checks all claims about a while-program, which rest on each other.
fn audit_nodes(
    reader: Reader<impl Read>,
    auditing: &modular::Auditing,
    monitor: &Monitor,
    is_right: &mut impl FnMut(&str, &str),
) -> Result<(), (String, AuditError)> {
    let shown = auditing.audit(reader, monitor).map_err(|fault| (String::new(), fault))?;
    let assumed = match &shown.assumptions[..] {
        [] => String::new(),
        some => format!(", assuming `{}`", some.join("`, `")),
    };
    for (property, verdict) in &shown.verdicts {
        is_right(property, &format!("is {verdict}{assumed}"));
    }
    Ok(())
}

/// Checks claim after claim, as long as they are right; what is wrong comes with the property.
fn audit_diagrams(
    mut reader: Reader<impl Read>,
    auditing: &AuditingOfDiagrams,
    monitor: &Monitor,
    is_right: &mut impl FnMut(&str, &str),
) -> Result<(), (String, AuditError)> {
    let of_all = |fault| (String::new(), fault);
    auditing.subject().is_meant_by(&reader).map_err(of_all)?;
    while let Some(claim) = reader.claim().map_err(of_all)? {
        match auditing.audit(&claim, &mut reader, monitor) {
            Ok(_) => is_right(&claim.property, &said(&claim)),
            Err(fault) => return Err((claim.property, fault)),
        }
    }
    Ok(())
}

/// The same where sets of states are lists.
fn audit_all(
    mut reader: Reader<impl Read>,
    loaded: &Loaded,
    monitor: &Monitor,
    is_right: &mut impl FnMut(&str, &str),
) -> Result<(), (String, AuditError)> {
    let of_all = |fault| (String::new(), fault);
    let mut subject = audit::ExplicitSubject::new(&loaded.system);
    subject.is_meant_by(&reader).map_err(of_all)?;
    while let Some(claim) = reader.claim().map_err(of_all)? {
        let audited = formula_of(&claim, loaded)
            .and_then(|formula| audit::audit(&mut subject, &formula, &claim, &mut reader, monitor));
        match audited {
            Ok(_) if loaded.covering.is_some() => {
                is_right(&claim.property, &format!("{}, with `--semantics ris`", said(&claim)));
            }
            Ok(_) => is_right(&claim.property, &said(&claim)),
            Err(fault) => return Err((claim.property, fault)),
        }
    }
    Ok(())
}

/// The formula that a claim is about: the property of that name, or one that was given on the command
/// line and is its own name.
fn formula_of(claim: &Claim, loaded: &Loaded) -> Result<Formula, AuditError> {
    let property = loaded.properties.iter().find(|property| property.name == claim.property);
    let surface = match property {
        Some(property) => property.surface.clone(),
        None if claim.property == claim.formula => parse(claim)?,
        None => {
            return Err(AuditError::Invalid(
                "there is no property of this name in the files".to_owned(),
            ));
        }
    };
    let (props, actions) = (loaded.system.props(), loaded.system.actions());
    let signature = Signature { family: loaded.system.family(), props: &props, actions: &actions };
    logic::compile_fair(&surface, &signature, &loaded.fairness, &mut Vec::new()).map_err(unreadable)
}

fn parse(claim: &Claim) -> Result<Surface, AuditError> {
    let text: Arc<str> = claim.formula.as_str().into();
    front::parse_formula(claim.logic, FileId(0), &text, 0..text.len()).map_err(unreadable)
}

fn unreadable(diagnostics: Vec<Diagnostic>) -> AuditError {
    let first = diagnostics.first().map_or("", |diagnostic| &diagnostic.message);
    AuditError::Invalid(format!("its formula says nothing of this system: {first}"))
}
