//! Claims about models by variables. A formula of the command line is its own name, and is proved of the text read with
//! it alone: the auditor reads the text again, with the formula that the certificate has.

use super::{Certification, Refusal, formula_of, of_all, right};
use crate::model::Model;
use crate::options::{Deadlock, MOST_STATES, Options};
use crate::property::About;
use crate::transition_system::FiniteModel;
use crate::transition_system::auditor::SymbolicAuditor;
use crate::transition_system::encoded::most_nodes;
use audit::{AuditError, Audited, Claim, ExplicitSubject, Reader};
use std::sync::Arc;
use support::Monitor;

/// A text that certificates are checked against, and the model that further formulas can be read about.
pub(super) struct TextAuditor<'a> {
    pub text: &'a FiniteModel,
    pub model: &'a Model,
    pub options: &'a Options,
    pub monitor: &'a Monitor,
}

/// The text with the formula of a claim in place of its own formulas, if no other formula has that name.
fn with_formula_of(claim: &Claim, model: &Model) -> Option<Arc<FiniteModel>> {
    let is_another =
        |own: &crate::Property| own.name() == claim.property && own.formula() != own.name();
    if model.properties().iter().any(is_another) {
        return None;
    }
    let read = model.formulas(&[(claim.logic, claim.property.clone())]).ok()?;
    match read.first()?.about() {
        About::Finite(text, _) => Some(text.clone()),
        _ => None,
    }
}

impl TextAuditor<'_> {
    /// Checks claim after claim about sets of states that are BDDs, as long as they are right.
    pub fn audit_bdds(
        &self,
        mut reader: Reader<&[u8]>,
        found: &mut Certification,
    ) -> Result<(), Refusal> {
        let (nodes, monitor) = (most_nodes(self.options.memory), self.monitor);
        let own = SymbolicAuditor::new(self.text.transition_system()?, nodes);
        own.subject().is_meant_by(&reader).map_err(of_all)?;
        while let Some(claim) = reader.claim().map_err(of_all)? {
            let audited = match own.formula(&claim, monitor) {
                Ok(formula) => own.audit(&formula, &claim, &mut reader, monitor),
                Err(fault) => match with_formula_of(&claim, self.model) {
                    Some(text) => {
                        let auditing = SymbolicAuditor::new(text.transition_system()?, nodes);
                        let formula = auditing.formula(&claim, monitor);
                        formula.and_then(|f| auditing.audit(&f, &claim, &mut reader, monitor))
                    }
                    None => Err(fault),
                },
            };
            match audited {
                Ok(audited) => found.claims.push(right(&claim, "", Some(&audited))),
                Err(fault) => return Err(Refusal::Fault(claim.property, fault)),
            }
        }
        Ok(())
    }

    /// Checks claim after claim about states that were enumerated, as long as they are right.
    pub fn audit_enumerated(
        &self,
        mut reader: Reader<&[u8]>,
        found: &mut Certification,
    ) -> Result<(), Refusal> {
        while let Some(claim) = reader.claim().map_err(of_all)? {
            let mut audited = self.audit_on(self.text, &claim, &mut reader)?;
            if audited.is_none()
                && let Some(alone) = with_formula_of(&claim, self.model)
            {
                audited = self.audit_on(&alone, &claim, &mut reader)?;
            }
            let is_known = self.text.transition_system()?.asked_by_name(&claim.property).is_some();
            let fault = match audited {
                Some(Ok(audited)) => {
                    found.claims.push(right(&claim, "", Some(&audited)));
                    continue;
                }
                Some(Err(fault)) => fault,
                None if is_known => {
                    let fault = AuditError::invalid("the certificate is about another system");
                    return Err(of_all(fault));
                }
                None => AuditError::invalid("there is no property of this name in the files"),
            };
            return Err(Refusal::Fault(claim.property, fault));
        }
        Ok(())
    }

    /// Checks a claim about the states that a text is enumerated into for its formulas; `None` if the formula is none of
    /// them, or if the claim is about other states.
    fn audit_on(
        &self,
        text: &FiniteModel,
        claim: &Claim,
        reader: &mut Reader<&[u8]>,
    ) -> Result<Option<Result<Audited, AuditError>>, Refusal> {
        let program = text.transition_system()?;
        let Some(asked) = program.asked_by_name(&claim.property) else { return Ok(None) };
        let Some(property) = &asked.property else { return Ok(None) };
        let all: Vec<usize> = (0..program.all.len()).collect();
        let most = self.options.states.max(MOST_STATES);
        let states = program.states(&all, Deadlock::Warn, false, most, self.monitor)?;
        let mut subject = ExplicitSubject::new(&states.system);
        if subject.is_meant_by(reader).is_err() {
            return Ok(None);
        }
        let known = [(asked.name.clone(), property.surface.clone())];
        let audited = formula_of(claim, &states, &known, self.monitor)
            .and_then(|formula| audit::audit(&mut subject, &formula, claim, reader, self.monitor));
        Ok(Some(audited))
    }
}
