//! Places in texts as a browser counts them.

use serde::Serialize;
use support::{SourceMap, Span};

/// A range in a text: UTF-16 units from its beginning, line and column from 1.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct TextRange {
    pub file: String,
    pub from: usize,
    pub to: usize,
    pub line: usize,
    pub column: usize,
}

impl TextRange {
    pub fn new(span: Span, sources: &SourceMap) -> Self {
        let file = sources.file(span.file);
        let text = &file.text;
        let [start, end] = [span.start, span.end].map(|at| boundary(text, at as usize));
        let from = units(&text[..start]);
        let safe = Span { start: start as u32, ..span };
        let (line, column) = sources.position(safe);
        let to = from + units(text.get(start..end).unwrap_or_default());
        Self { file: file.name.clone(), from, to, line, column }
    }
}

/// The length of a text as JavaScript counts it.
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The next place at or before this where a character begins.
fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_in_a_browser() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.tm", "ä😀\nx y");
        let place = TextRange::new(Span::new(file, 9..10), &sources);
        let expected = TextRange { file: "a.tm".to_owned(), from: 6, to: 7, line: 2, column: 3 };
        assert_eq!(place, expected);
    }

    #[test]
    fn no_span_is_too_strange() {
        for text in ["", "\n", "ä", "😀x", "a\r\nb"] {
            let mut sources = SourceMap::new();
            let file = sources.add("a.tm", text);
            for start in 0..9 {
                for end in 0..9 {
                    let place = TextRange::new(Span::new(file, start..end), &sources);
                    assert!(
                        place.from <= place.to && place.to <= units(text),
                        "{text:?} {place:?}"
                    );
                }
            }
        }
    }
}
