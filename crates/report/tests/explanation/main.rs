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

use explicit::Explanation;
use report::explanation::Head;

/// The question that an explanation of a sample answers.
fn head<'a>(property: &'a str, formula: &'a str) -> Head<'a> {
    Head { version: "0.0.0", files: &[], property, logic: "ctl", formula, parts: Vec::new() }
}

/// The same, with the formula of the first root.
fn head_of<'a>(property: &'a str, explanation: &'a Explanation) -> Head<'a> {
    head(property, &explanation.nodes[explanation.roots[0] as usize].subformula)
}
