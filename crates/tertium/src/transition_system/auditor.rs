//! Certificates about SMV files, in BDDs.

use super::TransitionSystem;
use super::vocabulary::Vocabulary;
use audit::symbolic::SymbolicSubject;
use audit::{AuditError, Audited, Claim, FormulaContext, Reader};
use logic::Formula;
use std::io::Read;
use support::Monitor;

/// A symbolic transition system that claims of certificates are checked against.
pub struct SymbolicAuditor<'a> {
    program: &'a TransitionSystem,
    words: Vocabulary,
    most_nodes: usize,
}

impl<'a> SymbolicAuditor<'a> {
    pub fn new(program: &'a TransitionSystem, most_nodes: usize) -> Self {
        Self { program, words: program.full_vocabulary(), most_nodes }
    }

    pub fn subject(&self) -> SymbolicSubject<'_> {
        let Vocabulary { labels, conditions, .. } = &self.words;
        let machine = &self.program.document.machine;
        SymbolicSubject { machine, labels, conditions, most_nodes: self.most_nodes }
    }

    /// The formula that a claim is proved of.
    pub fn formula(&self, claim: &Claim, monitor: &Monitor) -> Result<Formula, AuditError> {
        let asked = self.program.asked_by_name(&claim.property);
        let Some(property) = asked.and_then(|asked| asked.property.as_ref()) else {
            let problem = "there is no property of this name in the files";
            return Err(AuditError::Invalid(problem.to_owned()));
        };
        let context = FormulaContext {
            surface: &property.surface,
            signature: &self.words.signature(),
            fairness: &self.words.plain_fairness(),
            is_complete: true,
        };
        audit::claimed_formula(claim, &context, monitor)
    }

    /// Checks the proof of a claim about this formula.
    pub fn audit<R: Read>(
        &self,
        formula: &Formula,
        claim: &Claim,
        reader: &mut Reader<R>,
        monitor: &Monitor,
    ) -> Result<Audited, AuditError> {
        audit::symbolic::audit(&self.subject(), formula, claim, reader, monitor)
    }
}
