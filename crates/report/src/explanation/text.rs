//! An explanation for people at a terminal: a table if it is a path, a tree if it branches.

use super::Head;
use super::digest::Digest;
use super::path::{Back, Path, path};
use super::table::table;
use super::tree::tree;
use super::valuations::valuations;
use super::words::{and, cut_note, facts, is_constant, quoted, verb};
use super::wrap::wrap;
use crate::sentence;
use crate::style::{Colour, shorten};
use crate::visible::{one_line, visible};
use explicit::{Explanation, Why};
use logic::Truth;

/// How it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub colour: Colour,
    /// Columns of the terminal.
    pub width: usize,
}

pub fn text(head: &Head, explanation: &Explanation, view: View) -> String {
    text_by(head, explanation, view, table)
}

/// The same where states are values of variables; the constants are the same in all states.
pub fn text_of_variables(
    head: &Head,
    explanation: &Explanation,
    view: View,
    constants: &[(String, String)],
) -> String {
    text_by(head, explanation, view, |digest, path, _| valuations(digest, path, constants))
}

fn text_by(
    head: &Head,
    explanation: &Explanation,
    view: View,
    show: impl Fn(&Digest, &Path, View) -> String,
) -> String {
    let view = View { width: view.width.clamp(40, 200), ..view };
    let digest = Digest::new(explanation);
    let mut out = heading(head, explanation.verdict, view);
    if digest.roots.is_empty() {
        if let Some(why) = missing(explanation) {
            put_sentence(&mut out, &why, view);
        }
        return out;
    }
    out.push('\n');
    match path(&digest) {
        Some(path) => {
            out.push_str(&show(&digest, &path, view));
            out.push('\n');
            put_sentence(&mut out, &conclusion(head, &digest, &path), view);
        }
        None => {
            out.push_str(&tree(&digest, view));
            if let Some(why) = missing(explanation) {
                out.push('\n');
                put_sentence(&mut out, &why, view);
            }
        }
    }
    if let Some(note) = cut_note(explanation) {
        put_sentence(&mut out, &format!("{note}."), view);
    }
    out
}

/// The verdict and the question.
/// The verdict, and what it is about.
pub(crate) fn heading(head: &Head, verdict: Truth, view: View) -> String {
    let verdict = view.colour.truth(verdict, format!("{verdict:<8}"));
    let property = one_line(&shorten(head.property)).into_owned();
    let mut out = format!("{verdict} {}\n", view.colour.bold(property));
    if head.formula != head.property {
        let line = format!("         {}", one_line(&shorten(head.formula)));
        out.push_str(&wrap(&line, view.width, 11));
        out.push('\n');
    }
    out
}

/// Why the verdict is unknown, as a sentence.
pub(crate) fn missing(explanation: &Explanation) -> Option<String> {
    let reason = explanation.reason.as_ref()?;
    Some(sentence_of(&sentence::reason(reason)))
}

/// With a capital letter and a full stop.
pub(crate) fn sentence_of(text: &str) -> String {
    let text = visible(text);
    let mut characters = text.chars();
    let first: String = characters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}

/// What the path shows, in one sentence.
pub(crate) fn conclusion(head: &Head, digest: &Digest, path: &Path) -> String {
    let explanation = digest.explanation;
    if let Some(why) = missing(explanation) {
        return why;
    }
    // What it was found by can be simpler than what was asked.
    let so = format!("so {} {}", quoted(head.formula), verb(explanation.verdict));
    match &path.back {
        Some(back) => sentence_of(&format!("{}, {so}", loop_of(digest, path, back))),
        None => end_of(digest, path, &so),
    }
}

/// The end of a path without a loop.
fn end_of(digest: &Digest, path: &Path, so: &str) -> String {
    let Some(row) = path.rows.last() else { return String::new() };
    let place = match path.rows.len() {
        1 => "in the initial state".to_owned(),
        rows => format!("at step {}", rows - 1),
    };
    if ends_with_step(digest, path) {
        return format!("Step {} can be taken, {so}.", path.rows.len() - 1);
    }
    let told = facts(digest, &row.facts);
    let ends_early = row.facts.iter().any(|&node| digest.node(node).why == Why::Cut);
    if told.is_empty() {
        return String::new();
    }
    let so = if ends_early { "" } else { so };
    let comma = if so.is_empty() { "" } else { ", " };
    sentence_of(&format!("{place} {}{comma}{so}", and(&told)))
}

/// Whether all that matters of the last step is that it is there.
fn ends_with_step(digest: &Digest, path: &Path) -> bool {
    let is_constant = |&node: &u32| is_constant(&digest.node(node).subformula);
    let ends = path.rows.last().is_some_and(|row| row.facts.iter().all(is_constant));
    ends && path.rows.len() > 1
}

/// `steps 2 to 4 can repeat forever, and in each of them `p` is true`
fn loop_of(digest: &Digest, path: &Path, back: &Back) -> String {
    let rows = &path.rows[back.row..];
    let steps = match rows.len() {
        1 => format!("step {}", back.row),
        more => format!("steps {} to {}", back.row, back.row + more - 1),
    };
    let mut common: Vec<String> = facts(digest, &rows[0].facts);
    for row in &rows[1..] {
        let here = facts(digest, &row.facts);
        common.retain(|fact| here.contains(fact));
    }
    let all = if rows.len() == 1 { "there" } else { "in each of them" };
    let told =
        if common.is_empty() { String::new() } else { format!(", and {all} {}", and(&common)) };
    format!("{steps} can repeat forever{told}")
}

fn put_sentence(out: &mut String, text: &str, view: View) {
    if !text.is_empty() {
        out.push_str(&wrap(text, view.width, 0));
        out.push('\n');
    }
}
