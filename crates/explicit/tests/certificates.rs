//! Every definite verdict, whichever method found it, is shown by its certificate, and a certificate that was
//! tampered with shows nothing that is wrong.

mod common;

use audit::{AuditError, Claim, ExplicitSubject, Reader};
use explicit::certificate::{self, Evidence, ProofStates};
use explicit::{COMPOSITIONAL, CheckError, Checker, DIRECT, Deadlock, Outcome, REFINE, Request};
use logic::{Formula, Truth};
use model::{Kind, PartialModel, System};
use std::cell::Cell;
use support::Monitor;
use testkit::reference;
use testkit::{
    Case, ModelShape, Rng, action_system, for_seeds, formula_for, model, prop_system, system_text,
};

/// A system, a formula, and what a deadlock means.
struct Question {
    system: System,
    formula: Formula,
    deadlock: Deadlock,
    method: Checker,
}

fn composition(system: &System) -> Option<PartialModel> {
    match &system.components[..] {
        [single] => Some(single.model.clone()),
        _ => system.compose(&Monitor::new()).ok(),
    }
}

fn single(rng: &mut Rng, kind: Kind) -> System {
    let shape = ModelShape::small(rng, kind);
    System::single(model(rng, &shape))
}

fn question(rng: &mut Rng, case: &mut Case) -> Option<Question> {
    let system = match rng.below(4) {
        0 => {
            let kind = *rng.pick(&Kind::ALL);
            single(rng, kind)
        }
        1 => prop_system(rng, &[Kind::Kripke, Kind::Kmts, Kind::MixTs, Kind::Gkmts]),
        2 => prop_system(rng, &[Kind::Kripke, Kind::Kmts]),
        _ => action_system(rng, &[Kind::Lts, Kind::Mts]),
    };
    case.note(system_text(&system));
    let size = rng.between(1, 16);
    let formula = formula_for(rng, &composition(&system)?, size);
    case.note_property(&formula);
    let deadlock = *rng.pick(&[Deadlock::Warn, Deadlock::Stutter]);
    let method = *rng.pick(&[DIRECT, COMPOSITIONAL, REFINE]);
    case.note(format!("-- {deadlock:?} {method:?}"));
    Some(Question { system, formula, deadlock, method })
}

impl Question {
    /// Whether a claim is right by the reference semantics. In a model that contradicts itself all is.
    fn is_right(&self, claim: &Claim) -> bool {
        let Some(composition) = composition(&self.system) else { return false };
        let composition = match claim.deadlock {
            audit::AfterDeadlock::Ends => composition,
            audit::AfterDeadlock::Stutters => composition.stuttering(),
        };
        let values = reference::evaluate(&composition, &self.formula);
        let at = |state: u32| values.truth(self.formula.root(), state);
        values.contradiction().is_some()
            || common::expected(&self.system, &composition, at) == Truth::from(claim.verdict)
    }

    fn ask(&self) -> Result<Outcome, CheckError> {
        let monitor = Monitor::new();
        self.method.run(&Request {
            evidence: true,
            deadlock: self.deadlock,
            ..Request::new(&self.system, &self.formula, &monitor)
        })
    }

    fn write(&self, verdict: Truth, evidence: &Evidence) -> Vec<u8> {
        let is_true = verdict == Truth::True;
        let claim = Claim::new("p", &self.formula, self.deadlock.claimed(), is_true);
        let mut bytes = Vec::new();
        let written = certificate::write_start(&mut bytes, self.system.digest())
            .and_then(|()| certificate::write_claim(&mut bytes, &claim, evidence))
            .and_then(|()| certificate::write_end(&mut bytes));
        written.expect("a vector takes all");
        bytes
    }

    /// The certificate of a definite verdict, and where its steps begin.
    fn certificate(&self) -> Option<(Vec<u8>, usize)> {
        let outcome = self.ask().ok()?;
        let nothing = Evidence::Direct(certificate::Steps::default());
        let head = self.write(outcome.verdict, &nothing).len() - 2;
        Some((self.write(outcome.verdict, &outcome.evidence?), head))
    }

    /// The claims of a certificate that is valid.
    fn audit(&self, certificate: &[u8]) -> Result<Vec<Claim>, AuditError> {
        let monitor = Monitor::new();
        let mut subject = ExplicitSubject::new(&self.system);
        let mut reader = Reader::new(certificate)?;
        let mut claims = Vec::new();
        while let Some(claim) = reader.claim()? {
            audit::audit(&mut subject, &self.formula, &claim, &mut reader, &monitor)?;
            claims.push(claim);
        }
        Ok(claims)
    }

    /// How many claims of a doubtful certificate are accepted; a wrong one is an error.
    fn accepted(&self, certificate: &[u8]) -> Result<usize, String> {
        let claims = self.audit(certificate).unwrap_or_default();
        match claims.iter().find(|claim| !self.is_right(claim)) {
            Some(claim) => Err(format!("{claim:?} is accepted and wrong: {certificate:?}")),
            None => Ok(claims.len()),
        }
    }
}

#[test]
fn every_definite_verdict_is_certified() {
    let (definite, alternating) = (Cell::new(0), Cell::new(0));
    let (products, abstracted) = (Cell::new(0), Cell::new(0));
    for_seeds("certificates", 0..20_000, |rng, case| {
        let Some(question) = question(rng, case) else { return Ok(()) };
        let Ok(outcome) = question.ask() else { return Ok(()) };
        let Some((certificate, _)) = question.certificate() else {
            let is_unknown = outcome.verdict == Truth::Unknown;
            return is_unknown.then_some(()).ok_or("a verdict without evidence".to_owned());
        };
        definite.set(definite.get() + 1);
        if let Some(Evidence::Compositional(parts)) = &outcome.evidence {
            let is_product =
                |part: &certificate::GameProof| matches!(part.states, ProofStates::Product { .. });
            products.set(products.get() + u32::from(parts.parts.iter().any(is_product)));
            let is_abstracted = parts.blocks.iter().any(Option::is_some);
            abstracted.set(abstracted.get() + u32::from(is_abstracted));
        }
        let is_alternating = !question.formula.is_alternation_free();
        alternating.set(alternating.get() + u32::from(is_alternating));
        let claims = question.audit(&certificate).map_err(|fault| fault.to_string())?;
        match &*claims {
            [claim] if Truth::from(claim.verdict) == outcome.verdict => Ok(()),
            other => Err(format!("{} is claimed as {other:?}", outcome.verdict)),
        }
    });
    assert!(definite.get() > 12_000, "{definite:?}");
    assert!(alternating.get() > 800, "{alternating:?}");
    assert!(products.get() > 500, "{products:?}");
    assert!(abstracted.get() > 3_000, "{abstracted:?}");
    println!("{definite:?} {alternating:?} {products:?} {abstracted:?}");
}

fn tamper(rng: &mut Rng, bytes: &mut Vec<u8>, from: usize) {
    if from >= bytes.len() {
        return;
    }
    let [at, other] = [(); 2].map(|()| rng.between(from, bytes.len() - 1));
    let small = rng.below(6) as u8;
    match rng.below(7) {
        0 => bytes[at] ^= 1 << rng.below(8),
        1 => bytes[at] = small,
        2 => bytes.truncate(at),
        3 => _ = bytes.remove(at),
        4 => bytes.insert(at, small),
        5 => bytes.swap(at, other),
        // The verdict stands last before the steps.
        _ => bytes[from.saturating_sub(1)] ^= 1,
    }
}

/// A tampered certificate is refused or still proves a right verdict.
#[test]
fn what_was_tampered_with_shows_nothing_wrong() {
    let (tried, accepted) = (Cell::new(0), Cell::new(0));
    for_seeds("tampering", 0..4_000, |rng, case| {
        let Some(question) = question(rng, case) else { return Ok(()) };
        let Some((certificate, head)) = question.certificate() else { return Ok(()) };
        for _ in 0..40 {
            let mut changed = certificate.clone();
            let from = if rng.chance(0.1) { 0 } else { head };
            (0..rng.between(1, 3)).for_each(|_| tamper(rng, &mut changed, from));
            tried.set(tried.get() + 1);
            accepted.set(accepted.get() + question.accepted(&changed)?);
        }
        Ok(())
    });
    assert!(tried.get() > 100_000, "{tried:?}");
    assert!(accepted.get() > 1_000, "{accepted:?} of {tried:?}");
}

/// A certificate for one system, with the digest of another.
#[test]
fn what_is_shown_of_another_system_is_right_there_too() {
    let (tried, accepted) = (Cell::new(0), Cell::new(0));
    for_seeds("other-system", 0..6_000, |rng, case| {
        let kind = *rng.pick(&Kind::ALL);
        let [system, other] = [single(rng, kind), single(rng, kind)];
        case.note(system_text(&other));
        if system_text(&system) == system_text(&other) {
            return Ok(());
        }
        let size = rng.between(1, 12);
        let formula = formula_for(rng, &system.components[0].model, size);
        case.note_property(&formula);
        let question = Question { system, formula, deadlock: Deadlock::Warn, method: DIRECT };
        let Some((mut certificate, _)) = question.certificate() else { return Ok(()) };
        let other = Question { system: other, ..question };
        if other.audit(&certificate).is_ok() {
            return Err("a certificate for another system is accepted".to_owned());
        }
        let digest = "tertium certificate explicit 1\n".len();
        certificate[digest..digest + 8].copy_from_slice(&other.system.digest().to_le_bytes());
        tried.set(tried.get() + 1);
        accepted.set(accepted.get() + other.accepted(&certificate)?);
        Ok(())
    });
    assert!(tried.get() > 3_000 && accepted.get() > 100, "{accepted:?} of {tried:?}");
}
