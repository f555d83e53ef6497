//! Certificates about SMV files, in BDDs.

use super::Program;
use super::vocabulary::Vocabulary;
use audit::symbolic::SymbolicSubject;
use audit::{AuditError, Audited, Claim, Reader};
use std::io::Read;
use support::Monitor;

/// What claims about an SMV file are checked against.
pub struct Auditing<'a> {
    program: &'a Program,
    words: Vocabulary,
    most_nodes: usize,
}

impl<'a> Auditing<'a> {
    pub fn new(program: &'a Program, most_nodes: usize) -> Self {
        Self { program, words: program.whole_vocabulary(), most_nodes }
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
        let formula = self.words.compile(&property.surface, &self.words.plain_fairness());
        let formula = formula
            .map_err(|_| AuditError::Invalid("its formula does not fit this system".to_owned()))?;
        audit::symbolic::audit(&self.subject(), &formula, claim, reader, monitor)
    }
}
