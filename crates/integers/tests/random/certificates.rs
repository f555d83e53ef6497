//! What shows the verdicts on random programs is valid, and nothing that was changed shows another one.

use crate::{FEW, answer, concrete, question};
use arithmetic::Embedded;
use audit::Reader;
use audit::format::Checksum;
use audit::integers::{Subject, Writer, audit};
use base::Monitor;
use integers::certificate::write;
use logic::{Formula, Truth};
use predicates::Condition;
use std::cell::Cell;
use testkit::{Rng, for_seeds};

/// The verdict that a certificate shows, or why it shows none.
fn checked(subject: &crate::Subject, formula: &Formula, bytes: &[u8]) -> Result<bool, String> {
    let about = Subject {
        program: &subject.program,
        start: (subject.start.0, &subject.start.1),
        invariant: &Condition::Constant(true),
        propositions: &subject.propositions,
    };
    let check = || {
        let mut reader = Reader::new(bytes)?;
        let (monitor, mut solver) = (Monitor::new(), Embedded::new());
        let Some((claim, _)) = reader.claim_about_integers()? else { return Ok(None) };
        audit(&about, formula, &claim, &mut reader, &mut solver, &monitor)?;
        reader.claim_about_integers()?;
        Ok(Some(claim.verdict))
    };
    let verdict = check().map_err(|fault: audit::Fault| fault.to_string())?;
    verdict.ok_or_else(|| "it claims nothing".to_owned())
}

/// A certificate with one byte changed, not of its head, and sealed again.
fn forged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut forged = bytes[..bytes.len() - 8].to_vec();
    let place = rng.between(audit::format::MAGIC.len() + 9, forged.len() - 1);
    forged[place] ^= 1 << rng.below(8);
    Checksum::seal(&mut forged);
    forged
}

#[test]
fn every_verdict_is_certified() {
    let (valid, ranked, refused) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |which: &Cell<u32>, more: u32| which.set(which.get() + more);
    for_seeds("integers-certificates", 0..600, |rng, case| {
        let is_closed = rng.chance(0.5);
        let (subject, structure, formula) = question(rng, case, is_closed);
        let mut writer = Writer::start(subject.program.digest((subject.start.0, &subject.start.1)));
        let answer = answer(&subject, &formula, FEW, &mut Embedded::new());
        let is_shown = write(&mut writer, "p", &subject.propositions, &answer);
        assert_eq!(is_shown, answer.verdict.is_definite());
        if !is_shown {
            return Ok(());
        }
        let bytes = writer.finish();
        let verdict = checked(&subject, &formula, &bytes)?;
        assert_eq!(verdict, answer.verdict == Truth::True);
        count(&valid, 1);
        let has_measures = answer.shown.is_some_and(|shown| !shown.rankings.is_empty());
        count(&ranked, has_measures.into());
        let truth = concrete::verdict(&structure, &formula);
        for _ in 0..4 {
            match checked(&subject, &formula, &forged(&bytes, rng)) {
                Ok(verdict) if truth.is_definite() && Truth::from(verdict) != truth => {
                    return Err(format!("a forged certificate shows that it is {verdict}"));
                }
                Ok(_) => {}
                Err(_) => count(&refused, 1),
            }
        }
        Ok(())
    });
    println!("{valid:?} valid, {ranked:?} with measures, {refused:?} forgeries refused");
    assert!(valid.get() > 400 && ranked.get() > 10 && refused.get() > 1000);
}
