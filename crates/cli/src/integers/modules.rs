//! SMV files with unbounded integers.

use super::certificate::Certifier;
use super::refusal::{In, refuse_flags};
use super::{Subject, answer_each, ask, refuse_method, searching_solver, symbolic, tell_audit};
use crate::Status;
use crate::check::{News, Session, method};
use crate::flags::Check;
use crate::input::Trouble;
use crate::smv;
use explicit::Method;
use front::Assurance;
use logic::Truth;
use support::Diagnostic;

/// Answers what is asked of an SMV file with unbounded integers.
pub fn answer_smv(flags: &Check, subject: &Subject, session: &Session) -> Result<Status, Trouble> {
    refuse_flags(flags, In::Smv)?;
    refuse_method(flags)?;
    if subject.questions.is_empty() {
        return Err(smv::nothing_asked());
    }
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    let mut certifier = Certifier::new(flags, subject);
    let doubt = doubt(flags, subject, &mut certifier, session)?;
    if method(flags) == Method::Symbolic && doubt.is_none() {
        let solver = &mut *searching_solver(&flags.solving)?;
        return symbolic::answer_all(flags, subject, solver, session);
    }
    answer_each(flags, subject, certifier, doubt, session)
}

/// Why nothing is known because something may go wrong; an error if it does.
fn doubt(
    flags: &Check,
    subject: &Subject,
    certifier: &mut Certifier,
    session: &Session,
) -> Result<Option<String>, Trouble> {
    let Some(assurance) = &subject.assurance else { return Ok(None) };
    let evidence = flags.asks_for_evidence();
    let (outcome, answer) = ask(flags, subject, &assurance.formula, evidence, session)?;
    if outcome.verdict == Truth::True {
        tell_audit(flags, certifier.assure(&answer, &session.monitor), session);
    }
    wrong(subject, assurance, outcome.verdict)
}

/// What is to be said of what may go wrong, if nothing else can be.
pub fn wrong(
    subject: &Subject,
    assurance: &Assurance,
    verdict: Truth,
) -> Result<Option<String>, Trouble> {
    let line = |span: &support::Span| format!("line {}", subject.sources.position(*span).0);
    let mut lines: Vec<String> = assurance.places.iter().map(line).collect();
    lines.dedup();
    match (verdict, assurance.places.first()) {
        (Truth::True, _) => Ok(None),
        (Truth::False, Some(&first)) => {
            let message = "a value that cannot be: outside of a range, no branch of a `case`, or a division by zero";
            let mut diagnostic =
                Diagnostic::error(message, first, "here, in a state that can be reached");
            if assurance.places.len() > 1 {
                let label = "or here";
                diagnostic = assurance.places[1..]
                    .iter()
                    .fold(diagnostic, |diagnostic, &span| diagnostic.with_label(span, label));
            }
            Err(Trouble::Faults(vec![diagnostic], Box::new(subject.sources.clone())))
        }
        _ => Ok(Some(format!(
            "it is not known whether something goes wrong: a value outside of a range, no branch of a `case`, or a division by zero ({})",
            lines.join(", ")
        ))),
    }
}
