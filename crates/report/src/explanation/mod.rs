//! An explanation in all its forms: for people at a terminal, for pictures, for a browser, for programs.
//!
//! Everything but [`json`] and [`submodel`] shows a [`Digest`](digest::Digest): positions that only lead
//! on to others in the same state are folded into what a person would say there.

mod digest;
mod dot;
mod grid;
mod html;
mod json;
mod layout;
mod names;
mod outline;
mod page;
mod path;
mod picture;
mod sorts;
mod submodel;
mod svg;
mod table;
mod text;
mod tree;
mod valuations;
mod words;
mod wrap;

pub use dot::dot;
pub use html::html;
pub use json::json;
pub use submodel::{LeftOut, submodel};
pub use svg::svg;
pub(crate) use text::heading;
pub use text::{View, text, text_of_variables};

use crate::parts::FormulaPart;

/// What was asked.
#[derive(Clone, Debug)]
pub struct Head<'a> {
    /// Of the program.
    pub version: &'a str,
    pub files: &'a [String],
    pub property: &'a str,
    pub logic: &'static str,
    /// As the user wrote it, white space folded.
    pub formula: &'a str,
    /// Its parts, for programs that want to point at them.
    pub parts: Vec<FormulaPart>,
}
