//! Certificates about SMV files, in BDDs.

use super::TransitionSystem;
use super::vocabulary::Vocabulary;
use audit::symbolic::SymbolicSubject;
use audit::{AuditError, Audited, Claim, FormulaContext, Reader};
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

    pub fn audit<R: Read>(
        &self,
        claim: &Claim,
        reader: &mut Reader<R>,
        monitor: &Monitor,
    ) -> Result<Audited, AuditError> {
        let mut properties = self.program.all.iter().filter_map(|asked| asked.property.as_ref());
        let Some(property) = properties.find(|property| property.name == claim.property) else {
            let problem = "there is no property of this name in the files";
            return Err(AuditError::Invalid(problem.to_owned()));
        };
        let context = FormulaContext {
            surface: &property.surface,
            signature: &self.words.signature(),
            fairness: &self.words.plain_fairness(),
            is_complete: true,
        };
        let formula = audit::claimed_formula(claim, &context, monitor)?;
        audit::symbolic::audit(&self.subject(), &formula, claim, reader, monitor)
    }
}
