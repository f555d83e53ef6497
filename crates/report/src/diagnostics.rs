//! Messages about the input, with the text that they are about underlined.

use crate::excerpt;
use crate::style::Colour;
use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source};
use base::{Diagnostic, FileId, Severity, SourceMap, Span};
use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// How many of them say that the input is wrong.
pub fn errors_in(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count()
}

/// All messages, in the order in which they are given.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, colour: Colour) -> String {
    let mut cache = Sources { map: sources, read: HashMap::new() };
    diagnostics.iter().map(|diagnostic| render_one(diagnostic, &mut cache, colour)).collect()
}

fn render_one(diagnostic: &Diagnostic, cache: &mut Sources, colour: Colour) -> String {
    let labels: Vec<Place> =
        diagnostic.labels.iter().map(|(span, _)| place(*span, cache.map)).collect();
    let Some(first) = labels.first() else {
        return headline(diagnostic, colour) + &help_line(diagnostic);
    };
    if labels.iter().any(|label| excerpt::is_needed(cache.map, label)) {
        let body = excerpt::render(cache.map, first, &diagnostic.labels[0].1);
        return headline(diagnostic, colour) + &body + &help_line(diagnostic);
    }
    let mut bytes = Vec::new();
    let written = report(diagnostic, first, &labels, colour).write(cache, &mut bytes);
    match written {
        Ok(()) => without_trailing_blanks(&String::from_utf8_lossy(&bytes)),
        Err(_) => headline(diagnostic, colour) + &help_line(diagnostic),
    }
}

fn report<'a>(
    diagnostic: &Diagnostic,
    first: &Place,
    labels: &[Place],
    colour: Colour,
) -> Report<'a, Place> {
    let (kind, hue) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let config =
        Config::default().with_color(colour == Colour::On).with_index_type(IndexType::Byte);
    let texts = diagnostic.labels.iter().map(|(_, text)| text);
    let marks = labels.iter().zip(texts).enumerate().map(|(i, (place, text))| {
        let hue = if i == 0 { hue } else { Color::Cyan };
        Label::new(place.clone()).with_message(text).with_color(hue)
    });
    let report = Report::build(kind, first.clone())
        .with_config(config)
        .with_message(&diagnostic.message)
        .with_labels(marks);
    match &diagnostic.help {
        Some(help) => report.with_help(help).finish(),
        None => report.finish(),
    }
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

fn help_line(diagnostic: &Diagnostic) -> String {
    diagnostic.help.as_ref().map_or(String::new(), |help| format!("  Help: {help}\n"))
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
        let source = || Source::from(self.map.file(*id).text.clone());
        Ok::<_, ()>(self.read.entry(*id).or_insert_with(source))
    }

    fn display<'a>(&self, id: &'a FileId) -> Option<impl std::fmt::Display + 'a> {
        Some(self.map.file(*id).name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceFile;

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
        assert!(text.contains("a.aut:17:8") && text.contains(" 17 │ (0"), "{text}");
    }

    #[test]
    fn two_files_in_one_message() {
        let (mut sources, first) = sources("component A kripke {}");
        let second = sources.add("b.tm", "component A lts {}");
        let diagnostic =
            Diagnostic::error("`A` is there twice", Span::new(second, 10..11), "again here")
                .with_label(Span::new(first, 10..11), "first here");
        let text = render(&[diagnostic], &sources, Colour::Off);
        assert!(text.contains("b.tm:1:11") && text.contains("a.tm:1:11"), "{text}");
    }

    #[test]
    fn colours_only_where_wanted() {
        let (sources, file) = sources("x");
        let diagnostic = [Diagnostic::warning("odd", Span::new(file, 0..1), "here")];
        assert!(!render(&diagnostic, &sources, Colour::Off).contains('\u{1b}'));
        assert!(render(&diagnostic, &sources, Colour::On).contains('\u{1b}'));
    }
}
