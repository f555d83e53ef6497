//! Every definite verdict has a certificate that is accepted.

use crate::forge::forge;
use crate::generate::program;
use crate::questions::Program;
use audit::format::{CertificateKind, END, number};
use audit::symbolic::SymbolicSubject;
use audit::{AfterDeadlock, AuditError, Claim, Reader};
use logic::{Formula, Truth};
use std::cell::Cell;
use support::Monitor;
use symbolic::{Policy, SymbolicChecker};
use testkit::{Rng, for_seeds};

/// A file with one claim.
pub fn file(program: &Program, claim: &[u8]) -> Vec<u8> {
    let mut bytes = CertificateKind::Symbolic.header(program.document.machine.digest());
    bytes.extend_from_slice(claim);
    number(&mut bytes, END);
    bytes
}

pub fn audit(program: &Program, formula: &Formula, bytes: &[u8]) -> Result<bool, AuditError> {
    let Program { document, labels, conditions, .. } = program;
    let subject =
        SymbolicSubject { machine: &document.machine, labels, conditions, most_nodes: 1 << 22 };
    let mut reader = Reader::new(bytes)?;
    let mut verdict = false;
    while let Some(claim) = reader.claim()? {
        audit::symbolic::audit(&subject, formula, &claim, &mut reader, &Monitor::new())?;
        verdict = claim.verdict;
    }
    Ok(verdict)
}

fn certificate(session: &mut SymbolicChecker, formula: &Formula, verdict: bool) -> Option<Vec<u8>> {
    let claim = Claim::new("p", formula, AfterDeadlock::Ends, verdict);
    session.certificate(formula, &claim).expect("enough room")
}

/// Whether a verdict has a certificate that is accepted.
pub fn is_accepted(
    program: &Program,
    session: &mut SymbolicChecker,
    formula: &Formula,
    verdict: bool,
) -> Result<(), String> {
    let claim = certificate(session, formula, verdict).ok_or("nothing is shown")?;
    let audited = audit(program, formula, &file(program, &claim));
    let found = audited.map_err(|fault| format!("{verdict}: {fault}"))?;
    assert_eq!(found, verdict);
    Ok(())
}

pub fn policy(rng: &mut Rng) -> Policy {
    match rng.chance(0.2) {
        true => Policy { unrest: Some(rng.between(3, 40) as u64), ..Policy::default() },
        false => Policy::default(),
    }
}

#[test]
fn what_is_shown_is_accepted() {
    let counts = [Cell::new(0), Cell::new(0)];
    for_seeds("certificates-of-bdds", 0..1_000, |rng, case| {
        let text = program(rng);
        case.note(&text);
        let program = Program::read(&text, rng.chance(0.5)).ok_or("the program is refused")?;
        let Some(mut session) = program.session(policy(rng)) else { return Ok(()) };
        for formula in program.formulas(rng, 3) {
            case.note_property(&formula);
            let verdict = session.check(&formula).expect("enough room") == Truth::True;
            is_accepted(&program, &mut session, &formula, verdict)?;
            let counted = &counts[usize::from(verdict)];
            counted.set(counted.get() + 1);
            if !session.has_no_start() && certificate(&mut session, &formula, !verdict).is_some() {
                return Err("the opposite is shown too".to_owned());
            }
        }
        Ok(())
    });
    println!("{counts:?} false and true");
    assert!(counts.iter().all(|count| count.get() > 1_000), "{counts:?}");
}

#[test]
fn nothing_false_is_accepted_whatever_is_forged() {
    let [refused, harmless] = [Cell::new(0), Cell::new(0)];
    for_seeds("forged-bdds", 0..400, |rng, case| {
        let text = program(rng);
        case.note(&text);
        let program = Program::read(&text, rng.chance(0.5)).ok_or("the program is refused")?;
        let Some(mut session) = program.session(Policy::default()) else { return Ok(()) };
        for formula in program.formulas(rng, 2) {
            case.note_property(&formula);
            let verdict = session.check(&formula).expect("enough room") == Truth::True;
            let claim = certificate(&mut session, &formula, verdict).ok_or("nothing is shown")?;
            let file = file(&program, &claim);
            for _ in 0..20 {
                let mut forged = file.clone();
                forge(rng, &mut forged);
                match audit(&program, &formula, &forged) {
                    Ok(found) if found != verdict => return Err(format!("{found} is accepted")),
                    Ok(_) => harmless.set(harmless.get() + 1),
                    Err(_) => refused.set(refused.get() + 1),
                }
            }
        }
        Ok(())
    });
    println!("{refused:?} refused, {harmless:?} as right as before");
    assert!(refused.get() > 10 * harmless.get(), "{refused:?} {harmless:?}");
}

/// A program that says something else in one place.
fn altered(rng: &mut Rng, text: &str) -> String {
    let changes = [
        ("TRUE", "FALSE"),
        ("FALSE", "TRUE"),
        (" & ", " | "),
        (" | ", " & "),
        ("= 1", "= 0"),
        (":= 0", ":= 1"),
        (" < ", " > "),
        ("!", ""),
    ];
    let end = text.find("SPEC").unwrap_or(text.len());
    let (from, to) = *rng.pick(&changes);
    let places: Vec<usize> = text[..end].match_indices(from).map(|(at, _)| at).collect();
    if places.is_empty() {
        return text.to_owned();
    }
    let at = *rng.pick(&places);
    format!("{}{to}{}", &text[..at], &text[at + from.len()..])
}

#[test]
fn what_is_shown_of_one_machine_is_not_shown_of_another() {
    let [refused, same] = [Cell::new(0), Cell::new(0)];
    for_seeds("bdds-of-others", 0..1_500, |rng, case| {
        let text = program(rng);
        let other_text = altered(rng, &text);
        case.note(&text);
        case.note(&other_text);
        let program = Program::read(&text, true).ok_or("the program is refused")?;
        let Some(other) = Program::read(&other_text, true) else { return Ok(()) };
        let (Some(mut session), Some(mut judge)) =
            (program.session(Policy::default()), other.session(Policy::default()))
        else {
            return Ok(());
        };
        let formulas = program.formulas(&mut Rng::new(1), 0);
        for (formula, same_formula) in formulas.iter().zip(other.formulas(&mut Rng::new(1), 0)) {
            let verdict = session.check(formula).expect("enough room") == Truth::True;
            let judged = judge.check(&same_formula).expect("enough room") == Truth::True;
            let claim = certificate(&mut session, formula, verdict).ok_or("nothing is shown")?;
            if program.document.machine.digest() != other.document.machine.digest() {
                let error = audit(&other, &same_formula, &file(&program, &claim));
                let error = error.expect_err("another machine").to_string();
                assert_eq!(error, "the certificate is about another system");
            }
            // The digest resists accidents only.
            match audit(&other, &same_formula, &file(&other, &claim)) {
                Ok(found) if found != judged => return Err(format!("{found} is accepted")),
                Ok(_) => same.set(same.get() + 1),
                Err(_) => refused.set(refused.get() + 1),
            }
        }
        Ok(())
    });
    println!("{refused:?} refused, {same:?} as right of the other");
    assert!(refused.get() > 100 && same.get() > 100, "{refused:?} {same:?}");
}
