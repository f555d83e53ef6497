//! An explanation as a picture for Graphviz: what must happen is solid, what only may happen dashed.

use super::ExplanationHead;
use super::names::short_names;
use super::picture::{Caption, ONE_OF};
use super::words::{cut_note, name_of, verb};
use crate::visible::one_line;
use logic::Truth;
use logic::evidence::{Digest, DigestEdge, UnfoldedEvidence};
use std::fmt::Write;

const LONGEST_LINE: usize = 60;

pub fn dot(head: &ExplanationHead, explanation: &UnfoldedEvidence) -> String {
    let digest = Digest::new(explanation);
    let verdict = verb(explanation.verdict);
    let title = format!("{}: {} {verdict}", head.property, head.formula);
    let note = cut_note(explanation).map(|note| format!("\\n{note}")).unwrap_or_default();
    let mut out = String::new();
    put(&mut out, format_args!("digraph {} {{\n", quoted(head.property)));
    put(&mut out, format_args!("  label=\"{}{note}\";\n  labelloc=t;\n", escaped(&title)));
    out.push_str("  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n");
    out.push_str("  edge [fontname=\"sans-serif\"];\n");
    for (index, root) in digest.roots.iter().enumerate() {
        put(&mut out, format_args!("  i{index} [shape=none, label=\"\", width=0, height=0];\n"));
        put(&mut out, format_args!("  i{index} -> n{root};\n"));
    }
    let names = short_names(explanation, LONGEST_LINE);
    for place in 0..digest.places.len() as u32 {
        write_place(&mut out, &digest, place, &names);
    }
    out.push_str("}\n");
    out
}

fn write_place(out: &mut String, digest: &Digest, place: u32, names: &[String]) {
    let caption = Caption::new(digest, place, names, LONGEST_LINE);
    let lines: Vec<String> = caption.lines().map(escaped).collect();
    let colour = match caption.value {
        Truth::True => "darkgreen",
        Truth::False => "firebrick",
        Truth::Unknown => "darkgoldenrod",
    };
    let node = digest.node(digest.place(place).node);
    let tooltip = format!("{} {}", name_of(digest, place), node.subformula);
    put(
        out,
        format_args!(
            "  n{place} [label=\"{}\", color={colour}, tooltip={}];\n",
            lines.join("\\n"),
            quoted(&tooltip)
        ),
    );
    for next in &digest.place(place).moves {
        put(out, format_args!("  n{place} -> n{}{};\n", next.place, attributes(next)));
    }
}

fn attributes(next: &DigestEdge) -> String {
    let Some(step) = next.step else { return " [style=dotted, arrowhead=open]".to_owned() };
    let label = if step.is_hyper { Some(ONE_OF) } else { step.action.as_deref() };
    let action = label.map(|label| format!("label={}", quoted(label)));
    let style = (!step.is_must).then(|| "style=dashed".to_owned());
    let attributes: Vec<String> = action.into_iter().chain(style).collect();
    if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// As it must stand between quotes.
fn escaped(text: &str) -> String {
    one_line(text).replace('\\', "\\\\").replace('"', "\\\"")
}

fn put(out: &mut String, text: std::fmt::Arguments) {
    out.write_fmt(text).expect("writing to a string");
}
