//! The forms of an explanation, on explanations that are made by hand.
//!
//! `SNAPSHOTS=overwrite cargo test -p report --test explanation` writes what the forms are now.

mod browser;
mod chromium;
mod documents;
mod parts;
mod pictures;
mod random;
mod samples;
mod texts;

use logic::Truth;
use logic::evidence::UnfoldedEvidence;
use report::explanation::ExplanationHead;

/// The question that an explanation of a sample answers.
fn head<'a>(property: &'a str, formula: &'a str) -> ExplanationHead<'a> {
    let (parts, reason) = (Vec::new(), None);
    ExplanationHead {
        version: "0.0.0",
        files: &[],
        property,
        logic: "ctl",
        formula,
        parts,
        reason,
        trace: None,
    }
}

/// A head with the formula of the first root, and the reason of an unknown.
fn head_of<'a>(property: &'a str, explanation: &'a UnfoldedEvidence) -> ExplanationHead<'a> {
    let reason = (explanation.verdict == Truth::Unknown).then_some(&*samples::CAUSE);
    let formula = &explanation.nodes[explanation.roots[0] as usize].subformula;
    ExplanationHead { reason, ..head(property, formula) }
}
