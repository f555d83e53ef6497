//! A diagnosis, for the oracle.

use explicit::{Cause, Diagnosis};
use testkit::blame::ReportedCause;

pub fn reported(diagnosis: &Diagnosis) -> ReportedCause {
    match diagnosis.cause.clone() {
        Cause::Label { component, state, prop } => ReportedCause::Label { component, state, prop },
        Cause::Transition { steps, action, target } => {
            let steps = steps.into_iter();
            let blamed = steps.map(|step| (step.component, step.from, step.to, step.action));
            ReportedCause::Transition { action, target, blamed: blamed.collect() }
        }
    }
}
