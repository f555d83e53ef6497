//! A position in the tokens of one text, and the messages that are about tokens.

use crate::lexer::{Lexeme, Token, TokenKind, unescape};
use crate::sink::{Parsed, Sink};
use std::borrow::Cow;
use support::{Diagnostic, FileId, Span};

/// A name and where it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name<'a> {
    pub text: Cow<'a, str>,
    pub span: Span,
}

pub(crate) struct Cursor<'a, T = Token> {
    pub file: FileId,
    pub text: &'a str,
    /// The last one is [`TokenKind::END`].
    lexemes: Vec<Lexeme<T>>,
    position: usize,
    /// The name of the text, for the message that it has ended.
    unit: &'static str,
    pub sink: Sink,
}

impl<'a, T: TokenKind> Cursor<'a, T> {
    pub fn new(file: FileId, text: &'a str, lexemes: Vec<Lexeme<T>>, unit: &'static str) -> Self {
        Self { file, text, lexemes, position: 0, unit, sink: Sink::default() }
    }

    pub fn peek(&self) -> T {
        self.lexemes[self.position].token
    }

    /// The token `ahead` places behind the next one.
    pub fn peek_at(&self, ahead: usize) -> T {
        self.lexeme_at(ahead).token
    }

    fn lexeme_at(&self, ahead: usize) -> Lexeme<T> {
        let last = self.lexemes.len() - 1;
        self.lexemes[(self.position + ahead).min(last)]
    }

    /// The text of the next token.
    pub fn peek_text(&self) -> &'a str {
        &self.text[self.lexemes[self.position].range()]
    }

    pub fn peek_span(&self) -> Span {
        Span::new(self.file, self.lexemes[self.position].range())
    }

    /// The span of the last token that was taken.
    pub fn last_span(&self) -> Span {
        let last = self.position.saturating_sub(1);
        Span::new(self.file, self.lexemes[last].range())
    }

    pub fn bump(&mut self) -> Span {
        let span = self.peek_span();
        if self.peek() != T::END {
            self.position += 1;
        }
        span
    }

    pub fn eat(&mut self, token: T) -> Option<Span> {
        (self.peek() == token).then(|| self.bump())
    }

    /// Takes the token or says what should have stood here.
    pub fn expect(&mut self, token: T, wanted: &str) -> Parsed<Span> {
        match self.eat(token) {
            Some(span) => Ok(span),
            None => Err(self.unexpected(wanted, None)),
        }
    }

    /// Whether nothing stands between the token `ahead` and the one before it.
    pub fn touches_the_one_before(&self, ahead: usize) -> bool {
        self.lexeme_at(ahead - 1).end == self.lexeme_at(ahead).start
    }

    /// Takes so many tokens, at least one, as one piece of text.
    pub fn take(&mut self, count: usize) -> Name<'a> {
        let start = self.bump();
        let span = (1..count).fold(start, |span, _| span.to(self.bump()));
        Name { text: Cow::Borrowed(&self.text[span.range()]), span }
    }

    /// Reports that something (`the expression is`) has too many levels, of which one more begins here.
    pub fn too_deep(&mut self, what: &str, most: usize, help: &str) -> crate::sink::Reported {
        let span = self.peek_span();
        self.sink.error(|| {
            let message = format!("{what} nested more than {most} levels deep");
            Diagnostic::error(message, span, "one level too many begins here").with_help(help)
        })
    }

    /// Reports that something else should have stood here. What there is to say about the token goes
    /// before other help.
    pub fn unexpected(&mut self, wanted: &str, help: Option<&str>) -> crate::sink::Reported {
        let help = self.peek().help().or(help).map(str::to_owned);
        self.unexpected_but(wanted, help)
    }

    fn unexpected_but(&mut self, wanted: &str, help: Option<String>) -> crate::sink::Reported {
        let (found, span) = (self.describe(), self.peek_span());
        self.sink.error(|| {
            let error = Diagnostic::error(
                format!("expected {wanted}, found {found}"),
                span,
                format!("expected {wanted}"),
            );
            match help {
                Some(help) => error.with_help(help),
                None => error,
            }
        })
    }

    /// The next token in words.
    pub fn describe(&self) -> String {
        match self.peek().title() {
            _ if self.peek() == T::END => format!("the end of the {}", self.unit),
            Some(title) => title.to_owned(),
            None => format!("`{}`", shorten(self.peek_text())),
        }
    }

    /// Moves on until the test says stop; the end always does.
    pub fn skip_until(&mut self, mut stop: impl FnMut(&Self) -> bool) {
        while self.peek() != T::END && !stop(self) {
            self.position += 1;
        }
    }

    pub fn is_file(&self) -> bool {
        self.unit == "file"
    }

    pub fn position(&self) -> usize {
        self.position
    }

    pub fn go_back_to(&mut self, position: usize) {
        self.position = position;
    }

    /// Whether a line break stands between the next token and the one before it.
    pub fn starts_line(&self) -> bool {
        let start = self.lexemes[self.position].range().start;
        let before = if self.position == 0 { 0 } else { self.last_span().range().end };
        self.position == 0 || self.text[before..start].contains('\n')
    }
}

impl<'a> Cursor<'a> {
    /// Whether the next token is this word and no part of a longer name.
    pub fn at_word(&self, word: &str) -> bool {
        self.peek_word() == Some(word)
    }

    /// The next token if it is a word and no part of a longer name.
    pub fn peek_word(&self) -> Option<&'a str> {
        // Looking at the second piece is enough: names can have very many.
        (self.peek() == Token::Word && !self.is_touching_token(1)).then(|| self.peek_text())
    }

    /// The word `ahead` places behind the next token, if one stands there.
    pub fn word_at(&self, ahead: usize) -> Option<&'a str> {
        let lexeme = self.lexeme_at(ahead);
        (lexeme.token == Token::Word).then(|| &self.text[lexeme.range()])
    }

    /// How many pieces of a name stand here without anything between them: `a`, `.`, `b`.
    pub fn touching_tokens(&self) -> usize {
        (0..).take_while(|&ahead| self.is_touching_token(ahead)).count()
    }

    /// Whether the token `ahead` is a piece of a name, with nothing between it and the one before.
    fn is_touching_token(&self, ahead: usize) -> bool {
        let piece = matches!(self.peek_at(ahead), Token::Word | Token::Number | Token::Dot);
        piece && (ahead == 0 || self.touches_the_one_before(ahead))
    }

    /// The name that stands here and the number of its tokens, if there is one.
    pub fn peek_name(&self) -> Option<(&'a str, usize)> {
        let count = self.touching_tokens();
        if count == 0 || self.peek() == Token::Number {
            return None;
        }
        let start = self.lexeme_at(0).range().start;
        let text = &self.text[start..self.lexeme_at(count - 1).range().end];
        text.contains(|c| c != '.').then_some((text, count))
    }

    pub fn name(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        match self.peek_name() {
            Some((_, count)) => Ok(self.take(count)),
            None => Err(self.unexpected(wanted, None)),
        }
    }

    /// A name, or a string for what is not written as one.
    pub fn name_or_string(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        match self.peek() {
            Token::String => {
                let name = self.take(1);
                Ok(Name { text: Cow::Owned(unescape(&name.text)), span: name.span })
            }
            Token::Number => {
                let help = in_quotes(self.odd_text(self.peek_span().range().start));
                Err(self.unexpected_but(wanted, Some(help)))
            }
            _ => self.name(wanted),
        }
    }

    /// Says what to do if the name that was just taken goes on with what names do not have, as in
    /// `my-sender`; `wanted` is what should have followed it.
    pub fn refuse_odd_name(&mut self, name: &Name, wanted: &str) -> Parsed<()> {
        let text = self.odd_text(name.span.range().start);
        let is_odd = text.len() > name.text.len();
        if !is_odd || self.last_span().range().end != self.peek_span().range().start {
            return Ok(());
        }
        Err(self.unexpected_but(wanted, Some(in_quotes(text))))
    }

    /// The longest text from here on that a user may have meant as one name.
    fn odd_text(&self, start: usize) -> &'a str {
        let text = &self.text[start..];
        let mut depth = 0;
        let is_end = |(at, c): (usize, char)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            let ends = matches!(c, ':' | ';' | '|' | ',' | '{' | '}' | '"') && depth <= 0;
            (ends || c.is_whitespace() || text[at..].starts_with("->")).then_some(at)
        };
        &text[..text.char_indices().find_map(is_end).unwrap_or(text.len())]
    }
}

fn in_quotes(name: &str) -> String {
    format!("put the name in quotes: `\"{}\"`", shorten(name))
}

/// As much of a long text as fits into a message.
fn shorten(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
