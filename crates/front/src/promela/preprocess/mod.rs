//! The preprocessor: `#define` and its relatives, and `inline`, which is a macro of statements.
//!
//! The text of a macro keeps its own characters, but every token of it lies where the macro is used, so that
//! messages point at what the user wrote there.

mod directives;

use super::lexer::{Lexeme, Token};
use crate::language::IncludedText;
use crate::sink::{Parsed, Reported, Sink};
use directives::{Condition, unclosed};
use rustc_hash::FxHashMap;
use support::{Diagnostic, FileId, Span};

/// More tokens than this are taken for a macro that runs away.
const MOST_TOKENS: usize = 1 << 20;
/// More files than this are taken for some that include each other.
const MOST_FILES: usize = 256;
/// How deep macros may stand within macros.
const MAX_NESTING: usize = 64;

#[derive(Clone, Debug)]
struct Macro<'a> {
    /// `None` if it is not written like a call.
    parameters: Option<Vec<&'a str>>,
    body: Vec<Lexeme<'a>>,
    is_inline: bool,
    /// Where it is defined.
    span: Span,
}

/// The macros that `#define` and `inline` introduce.
#[derive(Clone, Default, Debug)]
pub(super) struct Macros<'a> {
    known: FxHashMap<&'a str, Macro<'a>>,
    included: &'a [IncludedText],
    /// How many files have been included, and where each was first.
    files: usize,
    pub included_at: FxHashMap<FileId, Span>,
}

/// The tokens that are left when directives are obeyed and macros are replaced.
pub(super) fn preprocess<'a>(
    lexemes: Vec<Lexeme<'a>>,
    included: &'a [IncludedText],
    sink: &mut Sink,
) -> (Vec<Lexeme<'a>>, Macros<'a>) {
    let mut macros = Macros { included, ..Macros::default() };
    let expanded = macros.run(lexemes, sink);
    (expanded, macros)
}

/// The input that is left: tokens of the text or of a macro, the innermost macro last.
struct Source<'a> {
    lexemes: Vec<Lexeme<'a>>,
    position: usize,
    /// The macro whose text this is, if it is one.
    name: &'a str,
}

/// The macro expansion that a token comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around<'a> {
    /// The text of a macro. The macro cannot be used in it.
    Text(&'a str),
    /// The arguments of a call.
    Call,
}

impl<'a> Source<'a> {
    fn next(&mut self) -> Option<Lexeme<'a>> {
        let lexeme = self.lexemes.get(self.position).copied();
        self.position += 1;
        lexeme
    }

    fn peek(&self) -> Option<Lexeme<'a>> {
        self.lexemes.get(self.position).copied()
    }

    fn rest_of_line(&mut self) -> Vec<Lexeme<'a>> {
        let rest = &self.lexemes[self.position..];
        let length = rest.iter().position(|lexeme| lexeme.starts_line).unwrap_or(rest.len());
        self.position += length;
        rest[..length].to_vec()
    }
}

impl<'a> Macros<'a> {
    fn run(&mut self, lexemes: Vec<Lexeme<'a>>, sink: &mut Sink) -> Vec<Lexeme<'a>> {
        let mut source = Source { lexemes, position: 0, name: "" };
        let mut out: Vec<Lexeme<'a>> = Vec::new();
        let mut conditions: Vec<Condition> = Vec::new();
        while let Some(lexeme) = source.next() {
            let is_read = conditions.last().is_none_or(|condition| condition.is_read);
            if lexeme.token == Token::Hash && lexeme.starts_line {
                self.line(lexeme.span, &mut source, &mut conditions, sink);
            } else if lexeme.token == Token::End {
                out.push(lexeme);
            } else if is_read {
                let read = match (lexeme.token, lexeme.text) {
                    (Token::Word, "inline") => {
                        self.inline(lexeme.span, &mut source, &mut conditions, sink)
                    }
                    _ => self.expand(lexeme, &mut source, &[], false, &mut out, sink),
                };
                if read.is_err() {
                    break;
                }
            }
        }
        if let Some(open) = conditions.last() {
            sink.error(|| {
                Diagnostic::error("an `#if` that is not closed", open.span, "begins here")
                    .with_help("close it with `#endif`")
            });
        }
        if out.last().is_none_or(|last| last.token != Token::End) {
            out.extend(source.lexemes.last());
        }
        out
    }

    /// Obeys the directive behind a `#`. What is wrong is reported, and the line is left out.
    fn line(
        &mut self,
        hash: Span,
        source: &mut Source<'a>,
        conditions: &mut Vec<Condition>,
        sink: &mut Sink,
    ) {
        let line = source.rest_of_line();
        let read = self.directive(hash, &line, conditions, sink);
        let at = source.position;
        source.lexemes.splice(at..at, read.unwrap_or_default());
    }

    /// The tokens of a formula, whose names may be macros of a file.
    pub fn applied_to(&self, lexemes: Vec<Lexeme<'a>>, sink: &mut Sink) -> Vec<Lexeme<'a>> {
        self.clone().run(lexemes, sink)
    }

    /// Appends what a token stands for, which lies within the text of some macros or in the arguments of
    /// calls. The source is there for the arguments. An `inline` may be left as it is.
    fn expand(
        &self,
        lexeme: Lexeme<'a>,
        source: &mut Source<'a>,
        around: &[Around<'a>],
        keeps_inlines: bool,
        out: &mut Vec<Lexeme<'a>>,
        sink: &mut Sink,
    ) -> Parsed<()> {
        let mut stack: Vec<Source<'a>> = Vec::new();
        let mut next = Some(lexeme);
        loop {
            let Some(lexeme) = next.take() else {
                let Some(top) = stack.last_mut() else { return Ok(()) };
                next = top.next();
                if next.is_none() {
                    stack.pop();
                }
                continue;
            };
            let found = self.known.get(lexeme.text).filter(|_| lexeme.token == Token::Word);
            let found = found.filter(|found| !(keeps_inlines && found.is_inline));
            let Some(found) = found else {
                push(lexeme, out, sink)?;
                continue;
            };
            sink.symbols.used_as(found.span, lexeme.text, lexeme.span);
            let is_around = around.contains(&Around::Text(lexeme.text));
            if is_around || stack.iter().any(|inner| inner.name == lexeme.text) {
                return Err(sink.error(|| {
                    let kind = if found.is_inline { "inline" } else { "macro" };
                    let message = format!("the {kind} `{}` stands within itself", lexeme.text);
                    Diagnostic::error(message, lexeme.span, "used here")
                        .with_label(found.span, "defined here")
                }));
            }
            if around.len() + stack.len() >= MAX_NESTING {
                return Err(too_much(lexeme.span, sink));
            }
            let mut outer = around.to_vec();
            outer.extend(stack.iter().map(|inner| Around::Text(inner.name)));
            outer.push(Around::Call);
            let reader = stack.last_mut().unwrap_or(source);
            let has_arguments = reader.peek().is_some_and(|next| next.token == Token::LeftParen);
            let body = match &found.parameters {
                None => found.body.clone(),
                Some(_) if !has_arguments && !found.is_inline => {
                    push(lexeme, out, sink)?;
                    continue;
                }
                Some(parameters) => {
                    let mut arguments = arguments(lexeme, reader, sink)?;
                    for argument in &mut arguments {
                        let given = std::mem::take(argument);
                        *argument = self.expand_all(given, &outer, keeps_inlines, sink)?;
                    }
                    substituted(lexeme, found, parameters, &arguments, sink)?
                }
            };
            // A macro is on one line, an `inline` on those that it was written on.
            let body = body.into_iter().enumerate().map(|(index, token)| {
                let starts_line = match index {
                    0 => lexeme.starts_line,
                    _ => found.is_inline && token.starts_line,
                };
                Lexeme { span: lexeme.span, starts_line, ..token }
            });
            stack.push(Source { lexemes: body.collect(), position: 0, name: lexeme.text });
        }
    }

    fn expand_all(
        &self,
        lexemes: Vec<Lexeme<'a>>,
        around: &[Around<'a>],
        keeps_inlines: bool,
        sink: &mut Sink,
    ) -> Parsed<Vec<Lexeme<'a>>> {
        let mut source = Source { lexemes, position: 0, name: "" };
        let mut out = Vec::new();
        while let Some(lexeme) = source.next() {
            self.expand(lexeme, &mut source, around, keeps_inlines, &mut out, sink)?;
        }
        Ok(out)
    }
}

fn push<'a>(lexeme: Lexeme<'a>, out: &mut Vec<Lexeme<'a>>, sink: &mut Sink) -> Parsed<()> {
    if out.len() == MOST_TOKENS {
        return Err(too_much(lexeme.span, sink));
    }
    out.push(lexeme);
    Ok(())
}

fn too_much(span: Span, sink: &mut Sink) -> Reported {
    sink.error(|| {
        Diagnostic::error("macros make the text too long", span, "here there is too much")
            .with_help(format!(
                "at most {MOST_TOKENS} tokens are read, and macros within {MAX_NESTING} macros"
            ))
    })
}

/// The arguments of a call, without its parentheses.
fn arguments<'a>(
    name: Lexeme<'a>,
    source: &mut Source<'a>,
    sink: &mut Sink,
) -> Parsed<Vec<Vec<Lexeme<'a>>>> {
    let open = source.next().filter(|lexeme| lexeme.token == Token::LeftParen);
    if open.is_none() {
        return Err(sink.error(|| {
            let message = format!("expected `(` after `{}`", name.text);
            Diagnostic::error(message, name.span, "needs arguments")
        }));
    }
    let mut arguments: Vec<Vec<Lexeme<'a>>> = vec![Vec::new()];
    let mut depth = 0usize;
    loop {
        let Some(lexeme) = source.next().filter(|lexeme| lexeme.token != Token::End) else {
            return Err(unclosed(name.span, sink));
        };
        match lexeme.token {
            Token::RightParen if depth == 0 => return Ok(arguments),
            Token::Comma if depth == 0 => {
                arguments.push(Vec::new());
                continue;
            }
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => depth += 1,
            Token::RightParen | Token::RightBracket | Token::RightBrace => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        if let Some(argument) = arguments.last_mut() {
            argument.push(lexeme);
        }
    }
}

/// The text of a macro with arguments for its parameters.
fn substituted<'a>(
    name: Lexeme<'a>,
    found: &Macro<'a>,
    parameters: &[&'a str],
    arguments: &[Vec<Lexeme<'a>>],
    sink: &mut Sink,
) -> Parsed<Vec<Lexeme<'a>>> {
    let is_empty = parameters.is_empty() && matches!(arguments, [only] if only.is_empty());
    if !is_empty && parameters.len() != arguments.len() {
        let (wanted, there) = (parameters.len(), arguments.len());
        return Err(sink.error(|| {
            let message =
                format!("`{}` has {wanted} parameters and is given {there} arguments", name.text);
            Diagnostic::error(message, name.span, "used here")
                .with_label(found.span, "defined here")
        }));
    }
    let mut body: Vec<Lexeme<'a>> = Vec::new();
    let mut is_quoted = false;
    for lexeme in &found.body {
        let place = parameters.iter().position(|&parameter| parameter == lexeme.text);
        // `#x` is the text of the argument as a string, of which only `printf` makes use.
        if std::mem::replace(&mut is_quoted, lexeme.token == Token::Hash) {
            body.push(Lexeme { token: Token::String, text: "\"\"", ..*lexeme });
            continue;
        }
        if is_quoted {
            continue;
        }
        match place.filter(|_| lexeme.token == Token::Word) {
            Some(place) => body.extend(&arguments[place]),
            None => body.push(*lexeme),
        }
        if body.len() > MOST_TOKENS {
            return Err(too_much(name.span, sink));
        }
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promela::lexer::lex;

    fn expanded(text: &str) -> Result<String, String> {
        let mut sink = Sink::default();
        let (lexemes, _) = preprocess(lex(FileId(0), text), &[], &mut sink);
        let texts: Vec<&str> = lexemes.iter().map(|lexeme| lexeme.text).collect();
        match sink.into_diagnostics().first() {
            Some(error) => Err(error.message.clone()),
            None => Ok(texts.join(" ").trim().to_owned()),
        }
    }

    #[test]
    fn macros_are_replaced() {
        assert_eq!(expanded("#define N 3\n#define M (N+1)\nx = M"), Ok("x = ( 3 + 1 )".to_owned()));
        assert_eq!(
            expanded("#define max(a,b) ((a)>(b)->(a):(b))\nmax(x, f(1,2))").as_deref(),
            Ok("( ( x ) > ( f ( 1 , 2 ) ) -> ( x ) : ( f ( 1 , 2 ) ) )")
        );
        assert_eq!(expanded("#define f(x) g(x)\nf(f(f(1)))").as_deref(), Ok("g ( g ( g ( 1 ) ) )"));
        assert_eq!(expanded("#define a b\n#undef a\na"), Ok("a".to_owned()));
        assert_eq!(expanded("inline f(x) { x = 1; }\nf(y)"), Ok("{ y = 1 ; }".to_owned()));
        let text = "#define M a[x]\ninline f(x) {\n#ifdef M\nM = 1\n#else\nM = 2\n#endif\n}\nf(y)";
        assert_eq!(expanded(text), Ok("{ a [ y ] = 1 }".to_owned()));
    }

    #[test]
    fn conditions_choose() {
        let text = "#define A\n#ifdef A\nx\n#else\ny\n#endif\n#ifndef A\n#if 1\nz\n#endif\n#endif\n#if 0\nu\n#endif";
        assert_eq!(expanded(text), Ok("x".to_owned()));
    }

    #[test]
    fn runaways_are_stopped() {
        assert_eq!(
            expanded("#define a b\n#define b a\na"),
            Err("the macro `a` stands within itself".to_owned())
        );
        let mut text = "#define a0 x x\n".to_owned();
        for level in 1..40 {
            text += &format!("#define a{level} a{} a{}\n", level - 1, level - 1);
        }
        assert_eq!(expanded(&(text + "a39")), Err("macros make the text too long".to_owned()));
        assert_eq!(expanded("#if 1\n"), Err("an `#if` that is not closed".to_owned()));
        assert_eq!(expanded("#include \"a\"\n"), Err("`a` cannot be read".to_owned()));
    }

    #[test]
    fn tokens_of_macros_lie_where_they_are_used() {
        let text = "#define N 12345\nx = N;";
        let (lexemes, _) = preprocess(lex(FileId(0), text), &[], &mut Sink::default());
        assert_eq!(&text[lexemes[2].span.range()], "N");
    }
}
