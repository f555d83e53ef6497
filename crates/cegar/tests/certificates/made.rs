//! Certificates that were made of texts, taken apart and put together again.

use audit::integers::{ClaimedAbstraction, IntegerClaim, IntegerSubject, IntegerWriter, audit};
use audit::{AfterDeadlock, AuditError, Claim, Reader};
use cegar::certificate::abstraction;
use cegar::{CegarLimits, CegarQuestion, Proposition, run};
use explicit::certificate::Evidence;
use logic::{Family, Formula, Signature, Truth};
use smt::{Embedded, Solver};
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::IntegerDocument;

/// A program with one property.
#[derive(Clone)]
pub struct Asked {
    pub name: String,
    pub document: IntegerDocument,
    pub formula: Formula,
    pub propositions: Vec<(String, Proposition)>,
}

/// Proof of a verdict, in parts that can be changed.
#[derive(Clone)]
pub struct Made {
    pub digest: u64,
    pub claim: Claim,
    pub names: Vec<String>,
    pub shown: ClaimedAbstraction,
    pub steps: Vec<u8>,
}

/// All properties of a program.
pub fn asked(text: &str) -> Vec<Asked> {
    let document = testkit::read_integers(FileId(0), &Arc::from(text)).expect("a program");
    let names = document.names();
    let signature = Signature { family: Family::Props, props: &names, actions: &[] };
    let propositions = document.propositions.clone();
    let each = document.properties.iter().map(|property| Asked {
        name: property.title().to_owned(),
        document: document.clone(),
        formula: logic::compile(property.surface().unwrap(), &signature, &mut Vec::new())
            .expect("a formula"),
        propositions: propositions.clone(),
    });
    each.collect()
}

impl Asked {
    fn start(&self) -> (u32, &smt::LinearFormula) {
        (self.document.start.location, &self.document.start.condition)
    }

    pub fn digest(&self) -> u64 {
        self.document.program.digest(self.start())
    }

    /// The verdict, and what shows it.
    pub fn made(&self) -> Made {
        let invariant = self.document.invariant.clone();
        let question = CegarQuestion {
            program: &self.document.program,
            start: self.start(),
            invariant: &invariant,
            propositions: &self.propositions,
            formula: &self.formula,
            initial_predicates: &[],
            components: None,
            partition: None,
            limits: CegarLimits::default(),
            evidence: true,
            watch: &|_| {},
            monitor: &Monitor::new(),
        };
        let answer = run(&question, &mut Embedded::new()).expect("nothing stops it");
        assert!(answer.verdict.is_definite(), "`{}` is not decided", self.name);
        let shown = abstraction(&answer).expect("it is shown");
        let ranked = answer.evidence.expect("it is shown");
        let Evidence::Direct(steps) = &ranked.evidence else { panic!("it is one model") };
        let verdict = answer.verdict == Truth::True;
        Made {
            digest: self.digest(),
            claim: Claim::new(&self.name, &ranked.formula, AfterDeadlock::Ends, verdict),
            names: self.propositions.iter().map(|(name, _)| name.clone()).collect(),
            shown,
            steps: steps.bytes().to_vec(),
        }
    }

    /// Checks a certificate with one claim; the verdict that it shows.
    pub fn audit(&self, bytes: &[u8], solver: &mut dyn Solver) -> Result<bool, AuditError> {
        let invariant = self.document.invariant.clone();
        let subject = IntegerSubject {
            program: &self.document.program,
            start: self.start(),
            invariant: &invariant,
            propositions: &self.propositions,
        };
        let monitor = Monitor::new();
        let mut reader = Reader::new(bytes)?;
        subject.is_meant_by(&reader)?;
        let invalid = |problem: &str| AuditError::Invalid(problem.to_owned());
        let about = reader.claim_about_integers()?;
        let IntegerClaim { claim, propositions, .. } =
            about.ok_or_else(|| invalid("it claims nothing"))?;
        if !propositions.iter().eq(self.propositions.iter().map(|(name, _)| name)) {
            return Err(invalid("it is about other propositions"));
        }
        audit(&subject, &self.formula, &claim, &mut reader, solver, &monitor)?;
        match reader.claim_about_integers()? {
            None => Ok(claim.verdict),
            Some(_) => Err(invalid("it claims more")),
        }
    }

    /// Checks the parts by the embedded solver.
    pub fn check(&self, made: &Made) -> Result<bool, String> {
        self.audit(&made.bytes(), &mut Embedded::new()).map_err(|fault| fault.to_string())
    }
}

impl Made {
    /// Leaves out a target of a transition of a state, with its classes.
    pub fn drop_target(&mut self, state: usize, transition: usize, target: usize) {
        let before = self.shown.transitions[..state].iter().flatten();
        let before = before.chain(&self.shown.transitions[state][..transition]);
        let edge = before.map(|transition| transition.targets.len()).sum::<usize>() + target;
        self.shown.transitions[state][transition].targets.remove(target);
        for ranking in &mut self.shown.rankings {
            ranking.classes.remove(edge);
        }
    }

    /// Leaves out a transition.
    pub fn drop_transition(&mut self, state: usize, transition: usize) {
        for target in (0..self.shown.transitions[state][transition].targets.len()).rev() {
            self.drop_target(state, transition, target);
        }
        self.shown.transitions[state].remove(transition);
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut writer = IntegerWriter::start(self.digest);
        let about = IntegerClaim::new(self.claim.clone(), self.names.clone(), None);
        writer.claim(&about, self.shown.clone(), &self.steps);
        writer.finish()
    }
}
