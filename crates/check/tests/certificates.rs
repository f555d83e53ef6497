//! Every definite verdict of the direct method is shown by its certificate, and a certificate that was
//! tampered with shows nothing that is wrong.

mod common;

use audit::{Claim, Fault, Reader, Subject};
use base::Monitor;
use check::{Deadlock, Error, Method, Outcome, Request, run};
use logic::{Formula, Truth};
use model::{Kind, Model, System, reference};
use std::cell::Cell;
use testkit::{
    Case, ModelShape, Rng, action_system, for_seeds, formula_for, model, prop_system, system_text,
};

/// A system, the whole of it, a formula, and what a deadlock means.
struct Question {
    system: System,
    whole: Model,
    formula: Formula,
    deadlock: Deadlock,
}

fn question(rng: &mut Rng, case: &mut Case) -> Option<Question> {
    let system = match rng.below(3) {
        0 => {
            let kind = *rng.pick(&Kind::ALL);
            let shape = ModelShape::small(rng, kind);
            System::single(model(rng, &shape))
        }
        1 => prop_system(rng, &[Kind::Kripke, Kind::Kmts, Kind::MixTs, Kind::Gkmts]),
        _ => action_system(rng, &[Kind::Lts, Kind::Mts]),
    };
    case.note(system_text(&system));
    let whole = match &system.components[..] {
        [single] => single.model.clone(),
        _ => system.compose(&Monitor::new()).ok()?,
    };
    let size = rng.between(1, 14);
    let formula = formula_for(rng, &whole, size);
    case.note_property(&formula);
    let deadlock = *rng.pick(&[Deadlock::Warn, Deadlock::Stutter]);
    let whole = if deadlock == Deadlock::Stutter { whole.stuttering() } else { whole };
    Some(Question { system, whole, formula, deadlock })
}

impl Question {
    /// The verdict by the reference semantics; `None` if the model contradicts itself.
    fn expected(&self) -> Option<Truth> {
        let values = reference::evaluate(&self.whole, &self.formula);
        let at = |state: u32| values.truth(self.formula.root(), state);
        let is_sound = values.contradiction().is_none();
        is_sound.then(|| common::expected(&self.system, &self.whole, at))
    }

    fn ask(&self) -> Result<Outcome, Error> {
        let monitor = Monitor::new();
        run(&Request {
            method: Method::Direct,
            evidence: true,
            deadlock: self.deadlock,
            ..Request::new(&self.system, &self.formula, &monitor)
        })
    }

    /// The certificate of a definite verdict.
    fn certificate(&self) -> Option<Vec<u8>> {
        let outcome = self.ask().ok()?;
        let claim = Claim {
            property: "p".to_owned(),
            logic: self.formula.logic,
            formula: self.formula.source().to_owned(),
            deadlock: self.deadlock.claimed(),
            verdict: outcome.verdict == Truth::True,
        };
        let steps = outcome.evidence?;
        let mut bytes = Vec::new();
        let written = audit::write_start(&mut bytes, audit::digest(&self.system))
            .and_then(|()| audit::write_claim(&mut bytes, &claim, &steps))
            .and_then(|()| audit::write_end(&mut bytes));
        written.expect("a vector takes all");
        Some(bytes)
    }

    /// The claims of a certificate that is valid.
    fn audit(&self, certificate: &[u8]) -> Result<Vec<Claim>, Fault> {
        let monitor = Monitor::new();
        let mut subject = Subject::new(&self.system, &monitor)?;
        let mut reader = Reader::new(certificate)?;
        let mut claims = Vec::new();
        while let Some(claim) = reader.claim()? {
            audit::audit(&mut subject, &self.formula, &claim, &mut reader, &monitor)?;
            claims.push(claim);
        }
        Ok(claims)
    }
}

#[test]
fn every_definite_verdict_is_certified() {
    let definite = Cell::new(0);
    for_seeds("certificates", 0..12_000, |rng, case| {
        let Some(question) = question(rng, case) else { return Ok(()) };
        let Ok(outcome) = question.ask() else { return Ok(()) };
        let Some(certificate) = question.certificate() else {
            let is_unknown = outcome.verdict == Truth::Unknown;
            return is_unknown.then_some(()).ok_or("a verdict without evidence".to_owned());
        };
        definite.set(definite.get() + 1);
        let claims = question.audit(&certificate).map_err(|fault| fault.to_string())?;
        match &*claims {
            [claim] if claim.verdict == (outcome.verdict == Truth::True) => Ok(()),
            other => Err(format!("{} is claimed as {other:?}", outcome.verdict)),
        }
    });
    assert!(definite.get() > 8_000, "{definite:?}");
}

fn tamper(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let at = rng.below(bytes.len());
    match rng.below(6) {
        0 => bytes[at] ^= 1 << rng.below(8),
        1 => bytes[at] = rng.below(6) as u8,
        2 => bytes.truncate(at),
        3 => {
            bytes.remove(at);
        }
        4 => bytes.insert(at, rng.below(6) as u8),
        _ => {
            let other = rng.below(bytes.len());
            bytes.swap(at, other);
        }
    }
}

/// What is accepted of a certificate that was changed is right all the same.
#[test]
fn what_was_tampered_with_shows_nothing_wrong() {
    let (tried, accepted) = (Cell::new(0), Cell::new(0));
    for_seeds("tampering", 0..4_000, |rng, case| {
        let Some(question) = question(rng, case) else { return Ok(()) };
        let (Some(expected), Some(certificate)) = (question.expected(), question.certificate())
        else {
            return Ok(());
        };
        let head =
            certificate.len() - question.ask().ok().and_then(|o| o.evidence).map_or(0, |e| e.len());
        for _ in 0..40 {
            let mut changed = certificate[head - 4..].to_vec();
            // The head is short of ways to go wrong: most changes are made behind it.
            for _ in 0..rng.between(1, 3) {
                if !changed.is_empty() {
                    tamper(rng, &mut changed);
                }
            }
            let changed = [&certificate[..head - 4], &changed].concat();
            tried.set(tried.get() + 1);
            for claim in question.audit(&changed).unwrap_or_default() {
                accepted.set(accepted.get() + 1);
                if claim.deadlock == question.deadlock.claimed()
                    && Truth::from(claim.verdict) != expected
                {
                    return Err(format!("{claim:?}, reference {expected}, {changed:?}"));
                }
            }
        }
        Ok(())
    });
    assert!(tried.get() > 100_000, "{tried:?}");
    assert!(accepted.get() > 100, "{accepted:?} of {tried:?}");
    eprintln!("{tried:?} {accepted:?}");
}
