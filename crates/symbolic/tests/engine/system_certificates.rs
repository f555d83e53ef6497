//! Certificates of verdicts on random systems, by all components or by groups of them: every definite verdict has one
//! that the auditor accepts, and it accepts none that is false by the reference semantics.

use crate::forge::forge;
use crate::groups::random_groups;
use crate::systems::Question;
use audit::format::{CertificateKind, Checksum, END, number};
use audit::symbolic::{ComponentsSubject, audit_components};
use audit::{AfterDeadlock, AuditError, Claim, Reader};
use logic::Truth;
use model::System;
use std::cell::Cell;
use support::{FileId, Monitor};
use symbolic::{ComposedSystem, DecomposedSystem, Policy, SearchLimit, Trial};
use testkit::{Rng, for_seeds, read_tm, system_text};

impl Question {
    fn claim(&self, verdict: bool) -> Claim {
        let after = match self.stutters {
            true => AfterDeadlock::Stutters,
            false => AfterDeadlock::Ends,
        };
        Claim::new("p", &self.formula, after, verdict)
    }

    /// The proof of a verdict by all components.
    fn shown_by_all(&self, policy: Policy, claim: &Claim) -> Option<Vec<u8>> {
        let monitor = Monitor::new();
        let made = ComposedSystem::new(&self.system, self.stutters, policy, &monitor);
        let mut composition = made.expect("it can be composed");
        composition.certificate(&self.formula, claim).expect("enough room")
    }

    /// The proof of a verdict by groups, and whether it came before the composition.
    fn shown_by_groups(
        &self,
        rng: &mut Rng,
        policy: Policy,
        claim: &Claim,
    ) -> (Option<Vec<u8>>, bool) {
        let (effort, monitor) = (SearchLimit::Unlimited, Monitor::new());
        let made = DecomposedSystem::new(&self.system, self.stutters, policy, effort, &monitor);
        let mut groups = made.expect("it can be composed");
        let mut is_early = false;
        let mut watch = |trial: &Trial| is_early = !trial.is_complete;
        let verdict = match rng.chance(0.5) {
            true => groups.check(&self.formula, effort, &mut watch),
            false => {
                let chosen = random_groups(rng, self.system.components.len());
                groups.check_by(&chosen, &self.formula, effort, &mut watch)
            }
        };
        assert_eq!(verdict.expect("enough room"), Truth::from(claim.verdict));
        (groups.certificate(&self.formula, claim).expect("enough room"), is_early)
    }

    fn audit(&self, bytes: &[u8]) -> Result<bool, AuditError> {
        let subject = ComponentsSubject { system: &self.system, most_nodes: 1 << 22 };
        let mut reader = Reader::new(bytes)?;
        let mut verdict = false;
        while let Some(claim) = reader.claim()? {
            audit_components(&subject, &self.formula, &claim, &mut reader, &Monitor::new())?;
            verdict = claim.verdict;
        }
        Ok(verdict)
    }
}

/// A file with one claim.
fn file(system: &System, claim: &[u8]) -> Vec<u8> {
    let mut bytes = CertificateKind::Components.header(system.digest());
    bytes.extend_from_slice(claim);
    number(&mut bytes, END);
    Checksum::seal(&mut bytes);
    bytes
}

fn policy(rng: &mut Rng) -> Policy {
    let unrest = rng.chance(0.1).then(|| rng.between(1, 6) as u64);
    Policy { unrest, ..Policy::default() }
}

#[test]
fn every_definite_verdict_is_shown_and_accepted() {
    let counts = [Cell::new(0), Cell::new(0)];
    let early = Cell::new(0);
    for_seeds("system-certificates", 0..6_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let expected = question.expected();
        let policy = policy(rng);
        for verdict in [true, false] {
            let claim = question.claim(verdict);
            if Truth::from(verdict) != expected {
                match question.shown_by_all(policy, &claim) {
                    Some(_) => return Err(format!("{verdict} is shown, and it is {expected}")),
                    None => continue,
                }
            }
            let all = question.shown_by_all(policy, &claim).ok_or("nothing is shown")?;
            let (some, is_early) = question.shown_by_groups(rng, policy, &claim);
            for shown in [all, some.ok_or("nothing is shown by groups")?] {
                let audited = question.audit(&file(&question.system, &shown));
                let found = audited.map_err(|fault| format!("{verdict}: {fault}"))?;
                assert_eq!(found, verdict);
            }
            counts[usize::from(verdict)].set(counts[usize::from(verdict)].get() + 1);
            early.set(early.get() + u32::from(is_early));
        }
        Ok(())
    });
    println!("{counts:?} false and true, {early:?} by some of the components");
    assert!(counts.iter().all(|count| count.get() > 1_000), "{counts:?}");
    assert!(early.get() > 1_000, "{early:?}");
}

/// The file of a proof with mistakes: in the bytes as they stand, or in the proof, sealed again; or with the other
/// verdict in its claim.
fn forged(rng: &mut Rng, question: &Question, verdict: bool, shown: &[u8]) -> Vec<u8> {
    let mut bytes = file(&question.system, shown);
    let mut proof = shown.to_vec();
    match rng.below(4) {
        0 => {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
            return bytes;
        }
        1 => {
            let mut claims = [verdict, !verdict].map(|verdict| {
                let mut claim = Vec::new();
                question.claim(verdict).write(&mut claim);
                claim
            });
            let steps = proof.split_off(1 + claims[0].len());
            proof = vec![proof[0]];
            proof.append(&mut claims[1]);
            proof.extend(steps);
        }
        _ => forge(rng, &mut proof),
    }
    file(&question.system, &proof)
}

#[test]
fn nothing_false_is_accepted_whatever_is_forged() {
    let [refused, harmless, torn] = [(); 3].map(|()| Cell::new(0));
    for_seeds("forged-system-certificates", 0..2_500, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let expected = question.expected();
        let Some(verdict) = [true, false].into_iter().find(|&v| Truth::from(v) == expected) else {
            return Ok(());
        };
        let claim = question.claim(verdict);
        let shown = match rng.chance(0.5) {
            true => question.shown_by_all(Policy::default(), &claim),
            false => question.shown_by_groups(rng, Policy::default(), &claim).0,
        };
        let shown = shown.ok_or("nothing is shown")?;
        let right = file(&question.system, &shown);
        for _ in 0..20 {
            let forged = forged(rng, &question, verdict, &shown);
            let differing = right.iter().zip(&forged).filter(|(a, b)| a != b);
            let is_flipped = forged.len() == right.len()
                && differing.map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() == 1;
            match question.audit(&forged) {
                Ok(found) if found != verdict => return Err(format!("{found} is accepted")),
                Ok(_) if is_flipped => return Err("a flipped bit is accepted".to_owned()),
                Ok(_) => harmless.set(harmless.get() + 1),
                Err(_) if is_flipped => torn.set(torn.get() + 1),
                Err(_) => refused.set(refused.get() + 1),
            }
        }
        Ok(())
    });
    println!("{refused:?} refused, {torn:?} with a flipped bit, {harmless:?} as right as before");
    assert!(refused.get() > 5 * harmless.get() && torn.get() > 5_000, "{refused:?} {harmless:?}");
}

/// The system with other transitions and labels in a few places, if that can be read.
fn altered(rng: &mut Rng, system: &System) -> Option<System> {
    let mut text = system_text(system);
    let changes = [("?>", "->"), ("-> s1", "?> s1"), ("s0 ", "s1 "), ("> s1", "> s0"), ("!", "")];
    for _ in 0..rng.between(1, 5) {
        let (from, to) = *rng.pick(&changes);
        let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
        if !places.is_empty() {
            let at = *rng.pick(&places);
            text.replace_range(at..at + from.len(), to);
        }
    }
    let load = &mut |_: &str| Err(String::new());
    read_tm(FileId(0), &text.into(), &Monitor::new(), load).ok()?.system
}

#[test]
fn what_is_shown_of_one_system_is_not_shown_of_another() {
    let [refused, same] = [Cell::new(0), Cell::new(0)];
    for_seeds("certificates-of-other-systems", 0..8_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let Some(other) = altered(rng, &question.system) else { return Ok(()) };
        let Some(other) = question.of_another(other) else { return Ok(()) };
        let (expected, judged) = (question.expected(), other.expected());
        let Some(verdict) = [true, false].into_iter().find(|&v| Truth::from(v) == expected) else {
            return Ok(());
        };
        let shown = question.shown_by_groups(rng, Policy::default(), &question.claim(verdict)).0;
        let shown = shown.ok_or("nothing is shown")?;
        if question.system.digest() != other.system.digest() {
            let error = other.audit(&file(&question.system, &shown));
            let error = error.expect_err("another system").to_string();
            assert_eq!(error, "the certificate is about another system");
        }
        // The digest resists accidents only.
        match other.audit(&file(&other.system, &shown)) {
            Ok(found) if Truth::from(found) != judged => {
                return Err(format!("{found} is accepted"));
            }
            Ok(_) => same.set(same.get() + 1),
            Err(_) => refused.set(refused.get() + 1),
        }
        Ok(())
    });
    println!("{refused:?} refused, {same:?} as right of the other");
    assert!(refused.get() > 100 && same.get() > 100, "{refused:?} {same:?}");
}
