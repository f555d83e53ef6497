//! Indices of names, as in `eating[i]`, which is `eating.0` where `i` is 0.

use super::FormulaParser;
use crate::cursor::Name;
use crate::lexer::Token;
use crate::sink::Parsed;
use crate::tm::TermParser;
use std::sync::Arc;
use support::Diagnostic;

impl<'a> FormulaParser<'_, 'a> {
    /// The name with the indices that touch it, if there are some.
    pub(super) fn indexed(&mut self, name: Name<'a>) -> Parsed<Name<'a>> {
        let open = self.cursor.peek_span();
        if self.cursor.peek() != Token::LeftBracket || self.cursor.last_span().end != open.start {
            return Ok(name);
        }
        let terms = TermParser::new(self.cursor, false).indices_without_names()?;
        let (mut text, mut shown) = (name.text.into_owned(), String::new());
        for term in &terms {
            let index = self.values.index(term);
            let index = index.map_err(|error| self.cursor.sink.error(|| *error))?;
            text.push_str(&format!(".{index}"));
            shown.push_str(&format!("[{index}]"));
        }
        let span = open.to(self.cursor.last_span());
        if shown.len() > span.range().len() {
            return Err(self.cursor.sink.error(|| {
                let message = format!("`{shown}` is longer than the index that stands for it");
                Diagnostic::error(message, span, "the formula is shown with values in their places")
                    .with_help("make room by spaces: `[ i ]`")
            }));
        }
        self.indices.push((span, shown));
        Ok(Name { text: text.into(), span: name.span.to(span) })
    }

    /// The text with the values of all indices, each where it was, so that places stay the same.
    pub(super) fn text_with_values(&self) -> Arc<str> {
        let text = self.cursor.text;
        let (mut new, mut end) = (String::with_capacity(text.len()), 0);
        for (span, shown) in &self.indices {
            let range = span.range();
            new.push_str(&text[end..range.start]);
            new.push_str(&format!("{shown:<0$}", range.len()));
            end = range.end;
        }
        new.push_str(&text[end..]);
        new.into()
    }
}
