//! Certificates of verdicts under the reduced semantics, of models whose initial states cover others.

use audit::{AfterDeadlock, AuditError, Claim, ExplicitSubject, Reader};
use explicit::certificate;
use explicit::{DIRECT, Request};
use logic::{Formula, Truth};
use model::System;
use std::cell::Cell;
use support::Monitor;
use testkit::mixed::{MixedShape, abstracted};
use testkit::{for_seeds, formula_for, model_text};

fn audited(subject: &System, formula: &Formula, bytes: &[u8]) -> Result<(), AuditError> {
    let mut reader = Reader::new(bytes)?;
    let claim = reader.claim()?.expect("a claim");
    audit::audit(
        &mut ExplicitSubject::new(subject),
        formula,
        &claim,
        &mut reader,
        &Monitor::new(),
    )?;
    Ok(())
}

fn certificate_of(system: &System, claim: &Claim, evidence: &certificate::Evidence) -> Vec<u8> {
    let mut bytes = Vec::new();
    certificate::write_start(&mut bytes, system.digest()).expect("memory");
    certificate::write_claim(&mut bytes, claim, evidence).expect("memory");
    certificate::write_end(&mut bytes).expect("memory");
    bytes
}

#[test]
fn verdicts_of_reduced_models_are_certified() {
    let (definite, covered) = (Cell::new(0), Cell::new(0));
    for_seeds("audit-reduced", 0..3_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let model = abstracted(rng, &shape).model;
        case.note(model_text(&model));
        let size = rng.between(1, 12);
        let formula = formula_for(rng, &model, size);
        case.note_property(&formula);
        let written = System::single(model);
        let (system, monitor) = (written.reduced(), Monitor::new());
        let request = Request { evidence: true, ..Request::new(&system, &formula, &monitor) };
        let outcome = DIRECT.run(&request).map_err(|error| error.to_string())?;
        let Some(evidence) = outcome.evidence else { return Ok(()) };
        definite.set(definite.get() + 1);
        covered.set(covered.get() + u32::from(!system.components[0].model.starts().is_empty()));
        let is_true = outcome.verdict == Truth::True;
        let claim = |verdict| Claim::new("p", &formula, AfterDeadlock::Ends, verdict);
        let bytes = certificate_of(&system, &claim(is_true), &evidence);
        audited(&system, &formula, &bytes).map_err(|fault| fault.to_string())?;
        let opposite = certificate_of(&system, &claim(!is_true), &evidence);
        if audited(&system, &formula, &opposite).is_ok() {
            return Err("the same steps show the opposite".to_owned());
        }
        if written.has_covers() && audited(&written, &formula, &bytes).is_ok() {
            return Err("it is about the model as it is written, too".to_owned());
        }
        Ok(())
    });
    let (definite, covered) = (definite.get(), covered.get());
    assert!(definite > 1_000 && covered > 100, "{definite} verdicts, {covered} with such a start");
}
