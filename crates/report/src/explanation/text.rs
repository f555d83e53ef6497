//! An explanation for people at a terminal: a table if it is a path, a tree if it branches.

use super::ExplanationHead;
use super::invariant::invariant_text;
use super::run::run;
use super::table::table;
use super::tree::tree;
use super::words::{and, cut_note, facts, quoted, verb};
use super::wrap::wrap;
use crate::sentence;
use crate::style::{Colour, shorten};
use crate::trace::trace_lines;
use crate::visible::{one_line, visible};
use logic::Truth;
use logic::evidence::{Digest, EvidencePath, Justification, PathBack, UnfoldedEvidence, path};

/// How a text is laid out.
#[derive(Clone, Copy, Debug)]
pub struct TextView {
    pub colour: Colour,
    /// Columns of the terminal.
    pub width: usize,
}

/// A table if the evidence is a path, and a tree if it branches; of a symbolic model the values of these.
pub fn text(head: &ExplanationHead, explanation: &UnfoldedEvidence, view: TextView) -> String {
    let view = TextView { width: view.width.clamp(40, 200), ..view };
    if let Some(proof) = &explanation.invariant {
        return invariant_text(head, explanation, proof, view);
    }
    if let Some(notes) = &explanation.run {
        return run(head, explanation, notes, view);
    }
    let digest = Digest::new(explanation);
    let mut out = heading(head, explanation.verdict, view);
    if digest.roots.is_empty() {
        if let Some(why) = missing(head) {
            put_sentence(&mut out, &why, view);
        }
        return out;
    }
    out.push('\n');
    match path(&digest) {
        Some(path) if is_of_no_variable(explanation, &path) => {
            let so = format!("so {} {}", quoted(head.formula), verb(explanation.verdict));
            put_sentence(&mut out, &format!("{NO_VARIABLE}, {so}."), view);
        }
        _ if is_about_all_paths(&digest) => put_sentence(&mut out, &all_paths(head, &digest), view),
        Some(path) => {
            out.push_str(&match (&explanation.constants, head.trace) {
                (Some(_), trace) => {
                    let own = explanation.trace_prefix().unwrap_or_default();
                    trace_lines(trace.unwrap_or(&own), view.width, &|_| Vec::new())
                }
                (None, _) => table(&digest, &path, view),
            });
            out.push('\n');
            put_sentence(&mut out, &conclusion(head, &digest, &path), view);
        }
        None => {
            out.push_str(&tree(&digest, view));
            if let Some(why) = missing(head) {
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

const NO_VARIABLE: &str = "The types of the variables alone decide every proposition";

/// Whether a path over variables needs the value of none of them, so that its states and their loop say nothing.
fn is_of_no_variable(explanation: &UnfoldedEvidence, path: &EvidencePath) -> bool {
    let is_bare = |state: u32| {
        let members = &explanation.states[state as usize].members;
        members.iter().flatten().all(|member| member.values.is_empty())
    };
    let without_constants = explanation.constants.as_ref().is_some_and(|all| all.is_empty());
    without_constants && path.rows.iter().all(|row| is_bare(row.state))
}

/// Whether nothing is told but that the verdict rests on all paths from the initial states.
fn is_about_all_paths(digest: &Digest) -> bool {
    let is_fact = |&fact: &u32| digest.node(fact).why == Justification::Throughout;
    digest.roots.iter().all(|&root| {
        let place = digest.place(root);
        place.moves.is_empty() && !place.facts.is_empty() && place.facts.iter().all(is_fact)
    })
}

/// How a verdict is known that no path shows.
fn all_paths(head: &ExplanationHead, digest: &Digest) -> String {
    let verdict = digest.explanation.verdict;
    let evidence = if verdict == Truth::False { "counterexample" } else { "witness" };
    format!(
        "No single path is a {evidence}: BDD fixpoints over all reachable states establish that {} {}, and `tertium check --certificate FILE` writes the proof.",
        quoted(head.formula),
        verb(verdict)
    )
}

/// The verdict, and what it is about.
pub(crate) fn heading(head: &ExplanationHead, verdict: Truth, view: TextView) -> String {
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
pub(crate) fn missing(head: &ExplanationHead) -> Option<String> {
    Some(sentence_of(&sentence::reason(head.reason?)))
}

/// With a capital letter and a full stop.
pub(crate) fn sentence_of(text: &str) -> String {
    let text = visible(text);
    let mut characters = text.chars();
    let first: String = characters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}

/// The conclusion from the path, in one sentence.
pub(crate) fn conclusion(head: &ExplanationHead, digest: &Digest, path: &EvidencePath) -> String {
    let explanation = digest.explanation;
    if let Some(why) = missing(head) {
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
fn end_of(digest: &Digest, path: &EvidencePath, so: &str) -> String {
    let Some(row) = path.rows.last() else { return String::new() };
    let place = match path.rows.len() {
        1 => "in the initial state".to_owned(),
        rows => format!("at step {}", rows - 1),
    };
    if ends_with_step(digest, path) {
        return format!("Step {} is possible, {so}.", path.rows.len() - 1);
    }
    let reported = facts(digest, &row.facts);
    let ends_early = row.facts.iter().any(|&node| digest.node(node).why == Justification::Cut);
    if reported.is_empty() {
        return String::new();
    }
    let so = if ends_early { "" } else { so };
    let comma = if so.is_empty() { "" } else { ", " };
    sentence_of(&format!("{place} {}{comma}{so}", and(&reported)))
}

/// Whether all that matters of the last step is that it is there.
fn ends_with_step(digest: &Digest, path: &EvidencePath) -> bool {
    let is_constant = |&node: &u32| digest.node(node).is_constant();
    let ends = path.rows.last().is_some_and(|row| row.facts.iter().all(is_constant));
    ends && path.rows.len() > 1
}

/// `steps 2 to 4 can repeat forever, and in each of them `p` is true`
fn loop_of(digest: &Digest, path: &EvidencePath, back: &PathBack) -> String {
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
    let reported =
        if common.is_empty() { String::new() } else { format!(", and {all} {}", and(&common)) };
    format!("{steps} can repeat forever{reported}")
}

fn put_sentence(out: &mut String, text: &str, view: TextView) {
    if !text.is_empty() {
        out.push_str(&wrap(text, view.width, 0));
        out.push('\n');
    }
}
