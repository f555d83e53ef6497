//! From tokens to syntax.
//!
//! Errors are reported, and reading goes on with the next proctype.

mod declaration;
mod expr;
pub(super) mod formula;
mod statement;

use super::ast::{File, Name, Proctype};
use super::lexer::{Lexeme, Token};
use crate::lexer::{Words, words};
use crate::sink::{Parsed, Reported, Sink};
use rustc_hash::FxHashSet;
use support::{Diagnostic, Span};

/// How deep statements and expressions may be nested.
const MAX_NESTING: usize = 100;
/// How many operators an expression may have.
const MOST_OPERATORS: usize = 1000;

pub(super) struct Parser<'a, 's> {
    /// The last one is [`Token::End`].
    lexemes: Vec<Lexeme<'a>>,
    position: usize,
    nesting: usize,
    /// How many expressions there are around this place, and how many operators they have so far.
    depth: usize,
    operators: usize,
    /// The names behind `proctype`, wherever they are declared.
    proctypes: FxHashSet<&'a str>,
    sink: &'s mut Sink,
}

pub(super) fn parse<'a>(lexemes: Vec<Lexeme<'a>>, sink: &mut Sink) -> File<'a> {
    let mut parser = Parser::new(lexemes, FxHashSet::default(), sink);
    parser.collect_proctypes();
    let mut file = File::default();
    while parser.peek() != Token::End {
        if parser.unit(&mut file).is_err() {
            parser.recover();
        }
    }
    file
}

impl<'a, 's> Parser<'a, 's> {
    pub(super) fn new(
        lexemes: Vec<Lexeme<'a>>,
        proctypes: FxHashSet<&'a str>,
        sink: &'s mut Sink,
    ) -> Self {
        Self { lexemes, position: 0, nesting: 0, depth: 0, operators: 0, proctypes, sink }
    }

    fn collect_proctypes(&mut self) {
        let words = self
            .lexemes
            .windows(2)
            .filter(|pair| pair[0].token == Token::Word && pair[0].text == "proctype");
        self.proctypes = words.map(|pair| pair[1].text).chain(["init"]).collect();
    }

    /// Goes on where the next process begins.
    fn recover(&mut self) {
        loop {
            self.bump();
            let is_end = self.peek() == Token::End;
            let is_start =
                matches!(self.word(), Some("active" | "proctype" | "init" | "ltl" | "never"));
            let is_behind_active = self.lexemes[self.position - 1].text == "]";
            if is_end || (is_start && !is_behind_active) {
                return;
            }
        }
    }

    fn unit(&mut self, file: &mut File<'a>) -> Parsed<()> {
        match self.word() {
            Some("active" | "proctype") => {
                let proctype = self.proctype()?;
                file.proctypes.push(proctype);
            }
            Some("init") => {
                let name = self.take();
                let (body, end) = self.body()?;
                let proctype = Proctype {
                    name,
                    active: None,
                    is_init: true,
                    parameters: Vec::new(),
                    body,
                    end,
                };
                file.proctypes.push(proctype);
            }
            Some("typedef") => {
                self.bump();
                let typedef = self.typedef()?;
                file.typedefs.push(typedef);
            }
            Some("mtype") if self.declares_messages() => {
                let messages = self.messages()?;
                file.messages.push(messages);
            }
            Some(word) if is_refused_unit(word) => return Err(self.refuse(word)),
            _ if self.peek() == Token::Semicolon => {
                self.bump();
            }
            _ if self.at_declaration() => file.globals.extend(self.declarations()?),
            _ => {
                let wanted = "a declaration, a proctype or `init`";
                return Err(self.unexpected(wanted));
            }
        }
        Ok(())
    }

    fn proctype(&mut self) -> Parsed<Proctype<'a>> {
        let mut active = None;
        if self.eat_word("active") {
            let one =
                super::ast::Expr { kind: super::ast::ExprKind::Number(1), span: self.peek_span() };
            active = Some(match self.eat(Token::LeftBracket) {
                Some(_) => {
                    let count = self.expr()?;
                    self.expect(Token::RightBracket, "`]`")?;
                    count
                }
                None => one,
            });
        }
        if !self.eat_word("proctype") {
            return Err(self.unexpected("`proctype`"));
        }
        let name = self.name("the name of the proctype")?;
        self.expect(Token::LeftParen, "`(`")?;
        let parameters = self.parameters()?;
        self.expect(Token::RightParen, "`;` or `)` after the parameter")?;
        let (body, end) = self.body()?;
        Ok(Proctype { name, active, is_init: false, parameters, body, end })
    }

    /// The statements between braces, and the closing one.
    fn body(&mut self) -> Parsed<(Vec<super::ast::Step<'a>>, Span)> {
        if let Some(word @ ("provided" | "priority")) = self.word() {
            return Err(self.refuse(word));
        }
        self.expect(Token::LeftBrace, "`{`")?;
        let steps = self.sequence()?;
        let end = self.expect(Token::RightBrace, "`;`, `->` or `}`")?;
        Ok((steps, end))
    }

    fn peek(&self) -> Token {
        self.lexemes[self.position].token
    }

    fn peek_at(&self, ahead: usize) -> Lexeme<'a> {
        self.lexemes[(self.position + ahead).min(self.lexemes.len() - 1)]
    }

    fn peek_span(&self) -> Span {
        self.lexemes[self.position].span
    }

    fn last_span(&self) -> Span {
        self.lexemes[self.position.saturating_sub(1)].span
    }

    /// The next token if it is a word.
    fn word(&self) -> Option<&'a str> {
        let lexeme = self.lexemes[self.position];
        (lexeme.token == Token::Word).then_some(lexeme.text)
    }

    fn bump(&mut self) -> Span {
        let span = self.peek_span();
        if self.peek() != Token::End {
            self.position += 1;
        }
        span
    }

    fn take(&mut self) -> Name<'a> {
        let text = self.lexemes[self.position].text;
        Name { text, span: self.bump() }
    }

    fn eat(&mut self, token: Token) -> Option<Span> {
        (self.peek() == token).then(|| self.bump())
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.word() == Some(word);
        if is_there {
            self.bump();
        }
        is_there
    }

    fn expect(&mut self, token: Token, wanted: &str) -> Parsed<Span> {
        match self.eat(token) {
            Some(span) => Ok(span),
            None => Err(self.unexpected(wanted)),
        }
    }

    fn name(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        match self.word() {
            Some(word) if is_unsupported(word) => Err(self.refuse(word)),
            Some(word) if is_reserved(word) => {
                let span = self.peek_span();
                Err(self.sink.error(|| {
                    let message = format!("expected {wanted}, found `{word}`");
                    Diagnostic::error(message, span, "a word of the language")
                        .with_help("choose another name")
                }))
            }
            Some(_) => Ok(self.take()),
            None => Err(self.unexpected(wanted)),
        }
    }

    fn unexpected(&mut self, wanted: &str) -> Reported {
        if let Some(word) = self.word().filter(|word| is_unsupported(word)) {
            return self.refuse(word);
        }
        let Lexeme { token, text, span, .. } = self.lexemes[self.position];
        let found = match token.title() {
            Some(title) => title.to_owned(),
            None => format!("`{text}`"),
        };
        self.sink.error(|| {
            let message = format!("expected {wanted}, found {found}");
            let error = Diagnostic::error(message, span, format!("expected {wanted}"));
            match token.help() {
                Some(help) => error.with_help(help),
                None => error,
            }
        })
    }

    /// Says that a construct is known and not supported.
    fn refuse(&mut self, what: &str) -> Reported {
        let span = self.peek_span();
        self.sink.error(|| {
            let error =
                Diagnostic::error(format!("`{what}` is not supported"), span, "not supported");
            match what {
                "ltl" | "never" | "trace" | "notrace" => {
                    error.with_help("ask in CTL or in the µ-calculus: `--ctl 'AG …'`")
                }
                "!!" | "??" | "??[" => {
                    error.with_help("messages are received in the order in which they are sent")
                }
                _ => error,
            }
        })
    }

    fn is_outermost(&self) -> bool {
        self.depth == 0
    }

    fn nested_expr<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        let result = self.nested(inner);
        self.depth -= 1;
        result
    }

    /// Goes one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == MAX_NESTING {
            let span = self.peek_span();
            return Err(self.sink.error(|| {
                let message = format!("this is nested more than {MAX_NESTING} levels deep");
                Diagnostic::error(message, span, "one level too deep")
            }));
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }
}

fn is_refused_unit(word: &str) -> bool {
    matches!(word, "never" | "ltl" | "trace" | "notrace" | "D_proctype") || word.starts_with("c_")
}

/// Words of the language that are not supported.
static UNSUPPORTED: Words = Words::new(|| {
    words(
        "c_code c_decl c_expr c_state c_track never ltl trace notrace D_proctype unless provided \
                           priority enabled pc_value _nr_pr _last np_ get_priority set_priority float double",
    )
});

static RESERVED: Words = Words::new(|| {
    words(
        "active proctype init typedef chan unsigned mtype hidden show local of if fi do od for select \
                        else break goto skip timeout atomic d_step assert printf printm run len full empty nfull \
                        nempty eval true false _pid xr xs inline",
    )
});

fn is_unsupported(word: &str) -> bool {
    UNSUPPORTED.contains(word)
}

fn is_reserved(word: &str) -> bool {
    is_unsupported(word) || declaration::simple_type(word).is_some() || RESERVED.contains(word)
}
