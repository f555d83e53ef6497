//! An explanation as a drawing.

use super::ExplanationHead;
use super::layout::{Layout, layout};
use super::names::short_names;
use super::picture::{Caption, ONE_OF};
use super::words::{cut_note, name_of, verb};
use super::wrap::cut;
use crate::visible::one_line;
use logic::evidence::{Digest, DigestEdge, UnfoldedEvidence};
use std::fmt::Write;

/// Places that are drawn; more would not be seen.
const MOST: usize = 150;
const LONGEST_LINE: usize = 34;
const CHARACTER: f64 = 7.3;
const LINE: f64 = 17.0;
const PADDING: f64 = 12.0;
const MARGIN: f64 = 24.0;
const HEADING: f64 = 64.0;
/// Room for what is bent back, on the right.
const SIDE: f64 = 90.0;

pub fn svg(head: &ExplanationHead, explanation: &UnfoldedEvidence) -> String {
    let digest = Digest::new(explanation);
    let shown = digest.places.len().min(MOST);
    let names = short_names(explanation, LONGEST_LINE);
    let caption = |place| Caption::new(&digest, place, &names, LONGEST_LINE);
    let captions: Vec<Caption> = (0..shown as u32).map(caption).collect();
    let sizes: Vec<(f64, f64)> = captions.iter().map(size).collect();
    let layers: Vec<u32> = digest.places[..shown].iter().map(|place| place.distance).collect();
    let moves: Vec<(u32, DigestEdge)> = moves(&digest, shown);
    let ends: Vec<(u32, u32)> = moves.iter().map(|(from, next)| (*from, next.place)).collect();
    let layout = layout(&sizes, &layers, &ends);
    let drawing = Drawing { digest: &digest, captions, sizes, layout };
    drawing.write(head, &moves)
}

fn size(caption: &Caption) -> (f64, f64) {
    let widest = caption.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let lines = caption.lines().count();
    (widest as f64 * CHARACTER + 2.0 * PADDING, lines as f64 * LINE + 2.0 * PADDING - 4.0)
}

fn moves<'a>(digest: &Digest<'a>, shown: usize) -> Vec<(u32, DigestEdge<'a>)> {
    let all = digest.places[..shown].iter().zip(0..);
    let all = all.flat_map(|(place, from)| place.moves.iter().map(move |next| (from, *next)));
    all.filter(|(_, next)| (next.place as usize) < shown).collect()
}

struct Drawing<'d> {
    digest: &'d Digest<'d>,
    captions: Vec<Caption>,
    sizes: Vec<(f64, f64)>,
    layout: Layout,
}

impl Drawing<'_> {
    fn write(&self, head: &ExplanationHead, moves: &[(u32, DigestEdge)]) -> String {
        let mut out = String::new();
        let Layout { width, height, .. } = self.layout;
        let verdict = self.digest.explanation.verdict;
        let title = cut(&one_line(head.property), 80);
        let claim = format!("{} {}", cut(&one_line(head.formula), 80), verb(verdict));
        let heading = title.chars().count().max(claim.chars().count()) as f64 * CHARACTER * 1.3;
        let width = (width + SIDE).max(heading) + 2.0 * MARGIN;
        let height = HEADING + height + 2.0 * MARGIN + LINE;
        put(
            &mut out,
            format_args!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{}\">\n",
                escaped(&claim)
            ),
        );
        put(&mut out, format_args!("<title>{}</title>\n{STYLE}", escaped(&claim)));
        put(&mut out, format_args!("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"));
        put(
            &mut out,
            format_args!(
                "<text class=\"title\" x=\"{MARGIN}\" y=\"30\">{}</text>\n\
             <text class=\"{verdict}\" x=\"{MARGIN}\" y=\"52\">{}</text>\n",
                escaped(&title),
                escaped(&claim)
            ),
        );
        put(&mut out, format_args!("<g transform=\"translate({MARGIN} {})\">\n", HEADING + MARGIN));
        moves.iter().for_each(|(from, next)| self.write_move(&mut out, *from, next));
        (0..self.captions.len()).for_each(|place| self.write_box(&mut out, place));
        out.push_str("</g>\n");
        self.write_rest(&mut out, height);
        out.push_str("</svg>\n");
        out
    }

    fn write_box(&self, out: &mut String, place: usize) {
        let caption = &self.captions[place];
        let ((x, y), (width, height)) = (self.layout.tops[place], self.sizes[place]);
        let node = self.digest.node(self.digest.places[place].node);
        let full = format!(
            "{}: {} {}",
            name_of(self.digest, place as u32),
            one_line(&node.subformula),
            verb(node.value)
        );
        let is_root = self.digest.is_root(place as u32);
        put(
            out,
            format_args!(
                "<g class=\"box {}{}\"><title>{}</title><rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"8\"/>",
                caption.value,
                if is_root { " root" } else { "" },
                escaped(&full),
                x - width / 2.0,
            ),
        );
        for (index, line) in caption.lines().enumerate() {
            let class = if index == 0 {
                "state"
            } else if *line == caption.claim {
                "claim"
            } else {
                "rest"
            };
            let y = y + PADDING + LINE * (index as f64 + 0.7);
            put(
                out,
                format_args!(
                    "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                    escaped(line)
                ),
            );
        }
        out.push_str("</g>\n");
    }

    fn write_move(&self, out: &mut String, from: u32, next: &DigestEdge) {
        let (path, (x, y)) = self.curve(from as usize, next.place as usize);
        let class = match next.step {
            None => "here",
            Some(step) if step.is_must => "must",
            Some(_) => "may",
        };
        put(out, format_args!("<path class=\"{class}\" d=\"{path}\"/>\n"));
        let one_of = next.step.filter(|step| step.is_hyper).map(|_| ONE_OF);
        let action = next.step.and_then(|step| step.action.as_deref());
        if let Some(action) = one_of.or(action) {
            let action = cut(&one_line(action), LONGEST_LINE / 2);
            put(
                out,
                format_args!(
                    "<text class=\"action\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>\n",
                    escaped(&action)
                ),
            );
        }
    }

    /// The route of an edge, and where its label stands: down from box to box, else from side to side, or
    /// round the right between boxes that stand above each other.
    fn curve(&self, from: usize, to: usize) -> (String, (f64, f64)) {
        let ((x1, y1), (w1, h1)) = (self.layout.tops[from], self.sizes[from]);
        let ((x2, y2), (w2, h2)) = (self.layout.tops[to], self.sizes[to]);
        if y2 > y1 {
            let (start, middle) = (y1 + h1, (y1 + h1 + y2) / 2.0);
            let path = format!(
                "M{x1:.1} {start:.1}C{x1:.1} {middle:.1} {x2:.1} {middle:.1} {x2:.1} {y2:.1}"
            );
            return (path, ((x1 + x2) / 2.0 + 4.0, middle + 4.0));
        }
        let apart = if from == to { h1 / 4.0 } else { 0.0 };
        let (start, end) = (y1 + h1 / 2.0 + apart, y2 + h2 / 2.0 - apart);
        let middle = (start + end) / 2.0;
        if (x1 - x2).abs() < (w1 + w2) / 2.0 {
            let (right1, right2) = (x1 + w1 / 2.0, x2 + w2 / 2.0);
            let bend = right1.max(right2) + 34.0 + (start - end).abs() / 12.0;
            let bend = bend.min(self.layout.width + SIDE - 10.0);
            let path = format!(
                "M{right1:.1} {start:.1}C{bend:.1} {start:.1} {bend:.1} {end:.1} {right2:.1} {end:.1}"
            );
            return (path, (bend - 12.0, middle));
        }
        let side = if x2 > x1 { 1.0 } else { -1.0 };
        let (left, right) = (x1 + side * w1 / 2.0, x2 - side * w2 / 2.0);
        let (bend1, bend2) = (left + side * 50.0, right - side * 50.0);
        let path = format!(
            "M{left:.1} {start:.1}C{bend1:.1} {start:.1} {bend2:.1} {end:.1} {right:.1} {end:.1}"
        );
        (path, ((left + right) / 2.0, middle))
    }

    /// How much is not drawn.
    fn write_rest(&self, out: &mut String, height: f64) {
        let rest = self.digest.places.len() - self.captions.len();
        let cut = cut_note(self.digest.explanation);
        let shown = if cut.is_some() { "them" } else { "all" };
        let rest = (rest > 0).then(|| format!("… {rest} more positions; --html shows {shown}"));
        let notes: Vec<String> = rest.into_iter().chain(cut).collect();
        if !notes.is_empty() {
            let (y, notes) = (height - 10.0, notes.join("; "));
            let note =
                format_args!("<text class=\"note\" x=\"{MARGIN}\" y=\"{y:.1}\">{notes}</text>\n");
            put(out, note);
        }
    }
}

const STYLE: &str = concat!(
    "<style>
",
    include_str!("drawing.css"),
    "</style>
<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" \
     markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\">\
     <path d=\"M0 0L10 5L0 10z\"/></marker></defs>
"
);

/// XML: no control characters, and nothing that looks like a tag.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

fn put(out: &mut String, text: std::fmt::Arguments) {
    out.write_fmt(text).expect("writing to a string");
}
