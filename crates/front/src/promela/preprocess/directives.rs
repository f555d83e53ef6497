//! Preprocessor directives and `inline`.

use super::super::lexer::{Lexeme, Token, lex};
use super::super::parse;
use super::{MOST_FILES, Macro, Macros, Source};
use crate::language::IncludedText;
use crate::sink::{Parsed, Reported, Sink};
use crate::symbols::SymbolKind;
use support::{Diagnostic, Span};

/// An `#if` that is open.
pub(super) struct Condition {
    pub span: Span,
    /// Whether its part is read that stands here.
    pub is_read: bool,
    /// Whether one of its parts has been read.
    was_read: bool,
    /// Whether what surrounds it is read.
    is_within_read: bool,
}

impl<'a> Macros<'a> {
    pub(super) fn directive(
        &mut self,
        hash: Span,
        line: &[Lexeme<'a>],
        conditions: &mut Vec<Condition>,
        sink: &mut Sink,
    ) -> Parsed<Vec<Lexeme<'a>>> {
        let is_read = conditions.last().is_none_or(|condition| condition.is_read);
        let Some((first, rest)) = line.split_first() else { return Ok(Vec::new()) };
        if is_read && first.text == "include" {
            return self.include(hash.to(first.span), rest, sink);
        }
        self.obey(hash, (first, rest), conditions, sink).map(|()| Vec::new())
    }

    /// The tokens of a file that is included.
    fn include(
        &mut self,
        span: Span,
        line: &[Lexeme<'a>],
        sink: &mut Sink,
    ) -> Parsed<Vec<Lexeme<'a>>> {
        let [name] = line else {
            return Err(sink.error(|| {
                let message = "expected the name of a file in quotes";
                Diagnostic::error(message, span, "write `#include \"file\"`")
            }));
        };
        let text = name.text.trim_matches('"');
        let is_it = |file: &&IncludedText| file.includer == span.file && file.name == text;
        let Some(IncludedText { source, .. }) = self.included.iter().find(is_it) else {
            return Err(sink.error(|| {
                let message = format!("`{text}` cannot be read");
                Diagnostic::error(message, name.span, "no such file")
                    .with_help("the name is relative to the folder of this file")
            }));
        };
        self.files += 1;
        let mut around = vec![span.file];
        while let Some(outer) = around.last().and_then(|file| self.included_at.get(file)) {
            around.push(outer.file);
        }
        if !around.contains(&source.file) {
            self.included_at.entry(source.file).or_insert(span);
        }
        if self.files > MOST_FILES {
            return Err(sink.error(|| {
                let message = format!("more than {MOST_FILES} files are included");
                Diagnostic::error(message, name.span, "do they include each other?")
            }));
        }
        let mut lexemes = lex(source.file, &source.text);
        lexemes.pop();
        Ok(lexemes)
    }

    fn obey(
        &mut self,
        hash: Span,
        (first, rest): (&Lexeme<'a>, &[Lexeme<'a>]),
        conditions: &mut Vec<Condition>,
        sink: &mut Sink,
    ) -> Parsed<()> {
        let is_read = conditions.last().is_none_or(|condition| condition.is_read);
        let span = hash.to(first.span);
        match first.text {
            "ifdef" | "ifndef" | "if" => {
                let holds = if is_read { self.condition(first, rest, sink) } else { Ok(false) };
                // What surrounds a refused one is likely to make sense with its first part.
                let is_first_read = *holds.as_ref().unwrap_or(&true);
                conditions.push(Condition {
                    span,
                    is_read: is_first_read,
                    was_read: is_first_read,
                    is_within_read: is_read,
                });
                holds.map(|_| ())
            }
            "else" | "elif" | "endif" => {
                let Some(open) = conditions.last_mut() else {
                    return Err(sink.error(|| {
                        let message = format!("`#{}` without `#if`", first.text);
                        Diagnostic::error(message, span, "nothing is open here")
                    }));
                };
                if first.text == "endif" {
                    conditions.pop();
                    return Ok(());
                }
                open.is_read = open.is_within_read && !open.was_read;
                if first.text == "elif" && open.is_read {
                    open.is_read = self.holds(first, rest, sink)?;
                }
                open.was_read |= open.is_read;
                Ok(())
            }
            _ if !is_read => Ok(()),
            "define" => self.define(span, rest, sink),
            "undef" => {
                self.known.remove(named(span, rest, sink)?.text);
                Ok(())
            }
            "line" | "pragma" | "ident" => Ok(()),
            _ if first.token == Token::Number => Ok(()),
            "error" => Err(sink.error(|| {
                Diagnostic::error("an `#error` that is reached", span, "the model says so")
            })),
            _ => Err(sink.error(|| unsupported_directive(first.text, span))),
        }
    }

    fn condition(
        &self,
        directive: &Lexeme<'a>,
        rest: &[Lexeme<'a>],
        sink: &mut Sink,
    ) -> Parsed<bool> {
        if directive.text != "if" {
            let name = named(directive.span, rest, sink)?;
            return Ok(self.known.contains_key(name.text) == (directive.text == "ifdef"));
        }
        self.holds(directive, rest, sink)
    }

    /// Evaluates the expression of `#if` or `#elif`. A name that is no macro is 0.
    fn holds(&self, directive: &Lexeme<'a>, line: &[Lexeme<'a>], sink: &mut Sink) -> Parsed<bool> {
        let mut lexemes = Vec::new();
        let mut rest = line.iter();
        while let Some(&lexeme) = rest.next() {
            if lexeme.text != "defined" {
                lexemes.push(lexeme);
                continue;
            }
            let mut name = rest.next();
            if name.is_some_and(|open| open.token == Token::LeftParen) {
                name = rest.next();
                rest.next();
            }
            let is_known = name.is_some_and(|name| self.known.contains_key(name.text));
            let text = if is_known { "1" } else { "0" };
            lexemes.push(Lexeme { token: Token::Number, text, ..lexeme });
        }
        let mut lexemes = self.expand_all(lexemes, &[], false, sink)?;
        let span = directive.span;
        lexemes.push(Lexeme { token: Token::End, text: "", span, starts_line: true });
        parse::condition(lexemes, sink).map(|value| value != 0)
    }

    fn define(&mut self, span: Span, line: &[Lexeme<'a>], sink: &mut Sink) -> Parsed<()> {
        let name = named(span, line, sink)?;
        let mut rest = &line[1..];
        let is_call = rest
            .first()
            .is_some_and(|next| next.token == Token::LeftParen && next.span.start == name.span.end);
        let mut parameters = None;
        if is_call {
            let close = rest.iter().position(|lexeme| lexeme.token == Token::RightParen);
            let Some(close) = close else { return Err(unclosed(rest[0].span, sink)) };
            parameters = Some(parameter_names(&rest[1..close], sink)?);
            rest = &rest[close + 1..];
        }
        let is_hash = |lexeme: &Lexeme| lexeme.token == Token::Hash;
        if let Some(pair) = rest.windows(2).find(|pair| pair.iter().all(is_hash)) {
            let span = pair[0].span.to(pair[1].span);
            return Err(sink.error(|| {
                let message = "`##` within a macro is not supported";
                Diagnostic::error(message, span, "not supported")
                    .with_help("write the name that it makes")
            }));
        }
        let body = rest.to_vec();
        sink.symbols.define(SymbolKind::Macro, name.span);
        self.known.insert(name.text, Macro { parameters, body, is_inline: false, span: name.span });
        Ok(())
    }

    /// `inline name(a, b) { … }`: a macro whose text is a block. As the preprocessor of C runs before Spin reads the
    /// file, directives in the block are obeyed, and macros replaced, where it is defined.
    pub(super) fn inline(
        &mut self,
        word: Span,
        source: &mut Source<'a>,
        conditions: &mut Vec<Condition>,
        sink: &mut Sink,
    ) -> Parsed<()> {
        let name = source.next().filter(|lexeme| lexeme.token == Token::Word);
        let open = source.next().filter(|lexeme| lexeme.token == Token::LeftParen);
        let (Some(name), Some(open)) = (name, open) else {
            return Err(sink.error(|| {
                let message = "expected `inline name(…) { … }`";
                Diagnostic::error(message, word, "not complete")
            }));
        };
        let mut parameters = Vec::new();
        loop {
            match source.next() {
                Some(lexeme) if lexeme.token == Token::RightParen => break,
                Some(lexeme) if lexeme.token != Token::End => parameters.push(lexeme),
                _ => return Err(unclosed(open.span, sink)),
            }
        }
        let parameters = Some(parameter_names(&parameters, sink)?);
        let mut body: Vec<Lexeme<'a>> = Vec::new();
        let mut depth = 0usize;
        loop {
            let Some(lexeme) = source.next().filter(|lexeme| lexeme.token != Token::End) else {
                return Err(unclosed(name.span, sink));
            };
            if lexeme.token == Token::Hash && lexeme.starts_line {
                self.line(lexeme.span, source, conditions, sink);
                continue;
            }
            if conditions.last().is_some_and(|condition| !condition.is_read) {
                continue;
            }
            depth += usize::from(lexeme.token == Token::LeftBrace);
            if depth == 0 {
                return Err(sink.error(|| {
                    let message = format!("expected `{{`, found `{}`", lexeme.text);
                    Diagnostic::error(message, lexeme.span, "expected `{`")
                }));
            }
            let is_macro = self.known.get(lexeme.text).is_some_and(|found| !found.is_inline);
            match is_macro && lexeme.token == Token::Word {
                true => self.expand(lexeme, source, &[], true, &mut body, sink)?,
                false => body.push(lexeme),
            }
            if lexeme.token == Token::RightBrace {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
        }
        sink.symbols.define(SymbolKind::Macro, name.span);
        self.known.insert(name.text, Macro { parameters, body, is_inline: true, span: name.span });
        Ok(())
    }
}

fn named<'a>(span: Span, line: &[Lexeme<'a>], sink: &mut Sink) -> Parsed<Lexeme<'a>> {
    match line.first() {
        Some(name) if name.token == Token::Word => Ok(*name),
        _ => Err(sink.error(|| Diagnostic::error("expected a name", span, "a name follows this"))),
    }
}

fn parameter_names<'a>(lexemes: &[Lexeme<'a>], sink: &mut Sink) -> Parsed<Vec<&'a str>> {
    let mut names = Vec::new();
    for (index, lexeme) in lexemes.iter().enumerate() {
        let wanted = if index % 2 == 0 { Token::Word } else { Token::Comma };
        if lexeme.token != wanted {
            return Err(sink.error(|| {
                let message = format!("expected names of parameters, found `{}`", lexeme.text);
                Diagnostic::error(message, lexeme.span, "expected `a, b, …`")
            }));
        }
        if wanted == Token::Word {
            names.push(lexeme.text);
        }
    }
    Ok(names)
}

pub(super) fn unclosed(span: Span, sink: &mut Sink) -> Reported {
    sink.error(|| Diagnostic::error("this is not closed", span, "begins here"))
}

fn unsupported_directive(name: &str, span: Span) -> Diagnostic {
    let message = format!("the directive `#{name}` is not supported");
    let error = Diagnostic::error(message, span, "not supported");
    error.with_help(
        "there are `#define`, `#undef`, `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else`, `#endif`, `#include`",
    )
}
