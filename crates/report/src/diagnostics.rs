//! Messages about the input, with the text that they are about underlined.

use crate::excerpt;
use crate::style::Colour;
use crate::visible::visible;
use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;
use support::{Diagnostic, FileId, Severity, SourceMap, Span};

/// The most messages that are printed.
const MOST: usize = 200;

/// The messages, in the order in which they are given.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, colour: Colour) -> String {
    let mut cache = Sources { map: sources, read: HashMap::new() };
    let (shown, rest) = diagnostics.split_at(diagnostics.len().min(MOST));
    let mut text: String =
        shown.iter().map(|diagnostic| render_one(&safe(diagnostic), &mut cache, colour)).collect();
    if !rest.is_empty() {
        text.push_str(&format!("{} more messages are not shown\n", rest.len()));
    }
    text
}

/// Messages repeat what stands in the input.
fn safe(diagnostic: &Diagnostic) -> Diagnostic {
    let Diagnostic { severity, message, labels, help } = diagnostic;
    Diagnostic {
        severity: *severity,
        message: visible(message).into_owned(),
        labels: labels.iter().map(|(span, text)| (*span, visible(text).into_owned())).collect(),
        help: help.as_deref().map(|help| visible(help).into_owned()),
    }
}

fn render_one(diagnostic: &Diagnostic, cache: &mut Sources, colour: Colour) -> String {
    let places: Vec<Place> =
        diagnostic.labels.iter().map(|(span, _)| place(*span, cache.map)).collect();
    let Some(first) = places.first() else {
        let help = diagnostic.help.as_ref().map(|help| format!("  Help: {help}\n"));
        return headline(diagnostic, colour) + &help.unwrap_or_default();
    };
    if places.iter().any(|place| excerpt::is_needed(cache.map, place)) {
        return headline(diagnostic, colour) + &excerpt::render(cache.map, first, diagnostic);
    }
    let mut bytes = Vec::new();
    let report = report(diagnostic, &places, cache.map, colour);
    report.write(cache, &mut bytes).expect("writing to memory");
    without_trailing_blanks(&String::from_utf8_lossy(&bytes))
}

fn report<'a>(
    diagnostic: &Diagnostic,
    places: &[Place],
    sources: &SourceMap,
    colour: Colour,
) -> Report<'a, Place> {
    let (kind, hue) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let (file, first) = &places[0];
    let mut marks: Vec<(&Place, &String, Color)> = places
        .iter()
        .zip(&diagnostic.labels)
        .enumerate()
        .map(|(i, (place, (_, text)))| (place, text, if i == 0 { hue } else { Color::Cyan }))
        .collect();
    // ariadne begins a new excerpt whenever the lines of one file are not in their order.
    marks.sort_by_key(|((other, range), ..)| (other != file, other.0, range.start));
    let labels = marks.into_iter().map(|(place, text, hue)| {
        Label::new(in_characters(place, sources)).with_message(text).with_color(hue)
    });
    let config = Config::default().with_color(colour == Colour::On);
    let report = Report::build(kind, in_characters(&(*file, first.clone()), sources))
        .with_config(config.with_index_type(IndexType::Char))
        .with_message(&diagnostic.message)
        .with_labels(labels);
    match &diagnostic.help {
        Some(help) => report.with_help(help).finish(),
        None => report.finish(),
    }
}

/// ariadne takes the places in a second file for characters whatever it is told.
fn in_characters((file, range): &Place, sources: &SourceMap) -> Place {
    let text = &sources.file(*file).text;
    let start = text[..range.start].chars().count();
    (*file, start..start + text[range.clone()].chars().count())
}

/// A file and a range of bytes in it.
pub(crate) type Place = (FileId, Range<usize>);

/// The span as far as the text reaches, on boundaries of characters.
fn place(span: Span, sources: &SourceMap) -> Place {
    let text = &*sources.file(span.file).text;
    let end = text.floor_char_boundary(span.end as usize);
    let start = text.floor_char_boundary((span.start as usize).min(end));
    (span.file, start..end)
}

fn headline(diagnostic: &Diagnostic, colour: Colour) -> String {
    let kind = match diagnostic.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    format!("{}: {}\n", colour.error(kind), diagnostic.message)
}

fn without_trailing_blanks(text: &str) -> String {
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// Cuts a text into lines only if something is to be shown of it, and then once.
struct Sources<'a> {
    map: &'a SourceMap,
    read: HashMap<FileId, Source<Arc<str>>>,
}

impl Cache<FileId> for &mut Sources<'_> {
    type Storage = Arc<str>;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<Arc<str>>, impl Debug> {
        let source = || Source::from(as_shown(&self.map.file(*id).text));
        Ok::<_, ()>(self.read.entry(*id).or_insert_with(source))
    }

    fn display<'a>(&self, id: &'a FileId) -> Option<impl std::fmt::Display + 'a> {
        Some(visible(&self.map.file(*id).name).into_owned())
    }
}

fn as_shown(text: &Arc<str>) -> Arc<str> {
    match visible(text) {
        Cow::Borrowed(_) => text.clone(),
        Cow::Owned(shown) => shown.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::SourceFile;

    fn sources(text: &str) -> (SourceMap, FileId) {
        let mut sources = SourceMap::new();
        let file = sources.add("a.tm", text);
        (sources, file)
    }

    fn shown(text: &str, range: Range<usize>) -> String {
        let (sources, file) = sources(text);
        let diagnostic = Diagnostic::error("something is wrong", Span::new(file, range), "here")
            .with_help("mend it");
        render(&[diagnostic], &sources, Colour::Off)
    }

    #[test]
    fn the_cause_is_underlined() {
        assert_eq!(
            shown("one\ntwo three\n", 8..13),
            "Error: something is wrong\n   ╭─[ a.tm:2:5 ]\n   │\n 2 │ two three\n   \
             │     ──┬──\n   │       ╰──── here\n   │\n   │ Help: mend it\n───╯\n"
        );
    }

    #[test]
    fn columns_are_counted_in_characters() {
        assert!(shown("äöü x\n", 7..8).contains("a.tm:1:5"));
    }

    #[test]
    fn no_span_is_too_strange() {
        for text in ["", "\n", "x", "ä", "ends\r\nhere", "a\tb", "x\n\n\n"] {
            for start in 0..10 {
                for end in 0..10 {
                    assert!(shown(text, start..end).contains("something is wrong"));
                }
            }
        }
    }

    #[test]
    fn an_excerpt_keeps_its_line_number() {
        let mut sources = SourceMap::new();
        let (name, text) = ("a.aut".to_owned(), "(0,\"a\",x)".into());
        let file = sources.add_file(SourceFile { name, text, first_line: 17 });
        let diagnostic = Diagnostic::error("no state", Span::new(file, 7..8), "not a number");
        let text = render(&[diagnostic], &sources, Colour::Off);
        assert!(text.starts_with("Error: no state\n    ╭─[ a.aut:17:8 ]\n"), "{text}");
        assert!(text.contains("\n 17 │ (0,\"a\",x)\n    │        ┬\n"), "{text}");
    }

    #[test]
    fn lines_are_shown_in_their_order() {
        let (sources, file) = sources("first\nä\nsecond\n");
        let diagnostic = Diagnostic::error("twice", Span::new(file, 9..15), "again")
            .with_label(Span::new(file, 0..5), "before");
        let text = render(&[diagnostic], &sources, Colour::Off);
        assert_eq!(text.matches("a.tm:").count(), 1, "{text}");
        assert!(text.contains("a.tm:3:1") && text.find("before") < text.find("again"), "{text}");
    }

    #[test]
    fn two_files_in_one_message() {
        let (mut sources, first) = sources("/* ä */ component A kripke {}");
        let second = sources.add("b.tm", "component A lts {}");
        let diagnostic =
            Diagnostic::error("`A` is there twice", Span::new(second, 10..11), "again here")
                .with_label(Span::new(first, 19..20), "first here");
        let text = render(&[diagnostic], &sources, Colour::Off);
        assert!(text.contains("b.tm:1:11") && text.contains("a.tm:1:19"), "{text}");
    }

    #[test]
    fn text_of_the_input_cannot_colour_the_terminal() {
        let (mut sources, _) = sources("");
        let file = sources.add("\u{1b}[1m.tm", "x \u{1b}[31m y\u{c}\n");
        let diagnostic = Diagnostic::error("found `\u{1b}`", Span::new(file, 8..9), "\u{1b}")
            .with_help("not \u{1b}");
        let text = render(&[diagnostic], &sources, Colour::Off);
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.contains(".tm:1:9 ") && text.contains("x \u{241b}[31m y\u{240c}"), "{text}");
    }

    #[test]
    fn very_many_messages_are_not_all_shown() {
        let (sources, file) = sources("x");
        let diagnostic = Diagnostic::warning("odd", Span::new(file, 0..1), "here");
        let text = render(&vec![diagnostic; MOST + 3], &sources, Colour::Off);
        assert_eq!(text.matches("Warning: odd").count(), MOST);
        assert!(text.ends_with("3 more messages are not shown\n"), "{text}");
    }

    #[test]
    fn colours_only_where_wanted() {
        let (sources, file) = sources("x");
        let diagnostic = [Diagnostic::warning("odd", Span::new(file, 0..1), "here")];
        assert!(!render(&diagnostic, &sources, Colour::Off).contains('\u{1b}'));
        assert!(render(&diagnostic, &sources, Colour::On).contains('\u{1b}'));
    }
}
