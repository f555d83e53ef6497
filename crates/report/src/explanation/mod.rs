//! An explanation in all its forms: for people at a terminal, for pictures, for a browser, for programs.
//!
//! Everything but [`json`] and [`submodel`] shows a [`Digest`](logic::evidence::Digest): positions that only lead
//! on to others in the same state are folded into what a person would say there.

mod dot;
mod grid;
mod html;
mod invariant;
mod json;
mod layout;
mod names;
mod outline;
mod page;
mod picture;
mod run;
mod sorts;
mod submodel;
mod svg;
mod table;
mod text;
mod tree;
mod words;
mod wrap;

pub use dot::dot;
pub use html::html;
pub use json::{json, json_of_several};
pub use submodel::{OmittedTransitions, submodel};
pub use svg::svg;
pub use text::{TextView, text};

use crate::parts::FormulaPart;
use explicit::Reason;
use logic::evidence::Trace;

/// The question, and why there is no answer.
#[derive(Clone, Debug)]
pub struct ExplanationHead<'a> {
    /// Of the program.
    pub version: &'a str,
    pub files: &'a [String],
    pub property: &'a str,
    pub logic: &'static str,
    /// As the user wrote it, white space folded.
    pub formula: &'a str,
    /// Its parts, for programs that want to point at them.
    pub parts: Vec<FormulaPart>,
    /// Why the verdict is unknown.
    pub reason: Option<&'a Reason>,
    /// The path that shows the verdict, where the evidence is one.
    pub trace: Option<&'a Trace>,
}
