//! Certificates of verdicts on random programs are valid, and no forgery proves another verdict.

use crate::{FEW, ask, concrete, question};
use audit::Reader;
use audit::format::{CertificateKind, Checksum};
use audit::integers::{IntegerClaim, IntegerSubject, IntegerWriter, audit};
use cegar::certificate::write;
use logic::{Formula, Logic, Truth};
use model::PartialModel;
use smt::Embedded;
use std::cell::Cell;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::{Rng, compile_for, for_seeds};

/// The verdict that a certificate shows, or why it shows none.
fn checked(subject: &crate::Subject, formula: &Formula, bytes: &[u8]) -> Result<bool, String> {
    let about = IntegerSubject {
        program: &subject.program,
        start: (subject.start.0, &subject.start.1),
        invariant: &smt::LinearFormula::Constant(true),
        propositions: &subject.propositions,
    };
    let check = || {
        let mut reader = Reader::new(bytes)?;
        let (monitor, mut solver) = (Monitor::new(), Embedded::new());
        let Some(IntegerClaim { claim, .. }) = reader.claim_about_integers()? else {
            return Ok(None);
        };
        audit(&about, formula, &claim, &mut reader, &mut solver, &monitor)?;
        reader.claim_about_integers()?;
        Ok(Some(claim.verdict))
    };
    let verdict = check().map_err(|fault: audit::AuditError| fault.to_string())?;
    verdict.ok_or_else(|| "it claims nothing".to_owned())
}

/// A certificate with one byte changed, not of its head, and sealed again.
fn forged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut forged = bytes[..bytes.len() - 8].to_vec();
    let place = rng.between(CertificateKind::Integers.header(0).len(), forged.len() - 1);
    forged[place] ^= 1 << rng.below(8);
    Checksum::seal(&mut forged);
    forged
}

/// How many certificates are valid, how many of them have ranking functions, and how many that were changed are refused.
#[derive(Default, Debug)]
struct Tally {
    valid: Cell<u32>,
    ranked: Cell<u32>,
    refused: Cell<u32>,
}

impl Tally {
    /// Certifies a verdict if there is one, and tries what changes can do.
    fn certify(
        &self,
        (subject, structure, formula): &(crate::Subject, PartialModel, Formula),
        rng: &mut Rng,
    ) -> Result<(), String> {
        let count = |which: &Cell<u32>, more: bool| which.set(which.get() + u32::from(more));
        let answer = ask(subject, formula, FEW, &mut Embedded::new(), true);
        let mut writer =
            IntegerWriter::start(subject.program.digest((subject.start.0, &subject.start.1)));
        let is_shown = write(&mut writer, "p", &subject.propositions, None, &answer);
        assert_eq!(is_shown, answer.verdict.is_definite());
        if !is_shown {
            return Ok(());
        }
        let bytes = writer.finish();
        let verdict = checked(subject, formula, &bytes)?;
        assert_eq!(verdict, answer.verdict == Truth::True);
        count(&self.valid, true);
        count(&self.ranked, answer.evidence.is_some_and(|shown| !shown.rankings.is_empty()));
        let truth = concrete::verdict(structure, formula);
        for _ in 0..4 {
            let checked = checked(subject, formula, &forged(&bytes, rng));
            count(&self.refused, checked.is_err());
            if checked.is_ok_and(|verdict| truth.is_definite() && Truth::from(verdict) != truth) {
                return Err("a forged certificate shows what is not so".to_owned());
            }
        }
        Ok(())
    }
}

#[test]
fn every_verdict_is_certified() {
    let tally = Tally::default();
    for_seeds("integers-certificates", 0..600, |rng, case| {
        let is_closed = rng.chance(0.5);
        let asked = question(rng, case, is_closed);
        tally.certify(&asked, rng)
    });
    println!("{tally:?}");
    assert!(tally.valid.get() > 400 && tally.refused.get() > 1000, "{tally:?}");
}

/// Formulas that loops matter for.
#[test]
fn loops_are_certified() {
    let tally = Tally::default();
    for_seeds("integers-loops", 0..400, |rng, case| {
        let (subject, structure, _) = question(rng, case, false);
        let text: Arc<str> = (*rng.pick(&["AF p0", "EG p0", "AG AF p0", "EF EG p0"])).into();
        case.note(&text);
        let surface = front::parse_formula(Logic::Ctl, FileId(0), &text, 0..text.len());
        let formula = compile_for(&surface.expect("a formula"), &structure);
        tally.certify(&(subject, structure, formula), rng)
    });
    println!("{tally:?}");
    assert!(tally.valid.get() > 200 && tally.ranked.get() > 5, "{tally:?}");
}
