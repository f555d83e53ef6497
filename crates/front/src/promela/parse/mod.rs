//! From tokens to syntax.
//!
//! Errors are reported, and reading goes on with the next proctype.

mod declaration;
mod expr;
pub(super) mod formula;
mod statement;

use super::ast::{Claim, ClaimKind, Expr, ExprKind, File, Name, Proctype, Reference};
use super::lexer::{Lexeme, Token};
use crate::lexer::{Words, words};
use crate::sink::{Parsed, Reported, Sink};
use rustc_hash::FxHashSet;
use support::{Diagnostic, Span};

/// Why nothing is known of a model that executes C.
const EMBEDDED: &str = "the model has embedded C code, which is not supported";

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
    /// Whether this place lies between the braces of a process.
    is_within_body: bool,
    /// The names behind `proctype`, wherever they are declared.
    proctypes: FxHashSet<&'a str>,
    has_priorities: bool,
    reads_count: bool,
    /// The names behind `typedef` so far.
    typedefs: FxHashSet<&'a str>,
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
    file.has_priorities = parser.has_priorities;
    file.reads_count = parser.reads_count;
    file
}

/// The value of the expression of an `#if`, in which every name is 0.
pub(super) fn condition(lexemes: Vec<Lexeme>, sink: &mut Sink) -> Parsed<i32> {
    let mut parser = Parser::new(lexemes, FxHashSet::default(), sink);
    let condition = parser.expr()?;
    if parser.peek() != Token::End {
        return Err(parser.unexpected("an operator or the end of the line"));
    }
    value_of(&condition).ok_or(Reported).map_err(|Reported| {
        let message = "an expression that has no value for the preprocessor";
        sink.error(|| Diagnostic::error(message, condition.span, "expected numbers and names"))
    })
}

fn value_of(expr: &Expr) -> Option<i32> {
    match &expr.kind {
        ExprKind::Number(value) => Some(*value),
        ExprKind::Reference(Reference { index: None, field: None, .. }) => Some(0),
        ExprKind::Unary(operator, a) => Some(operator.apply(value_of(a)?)),
        ExprKind::Binary(operator, a, b) => operator.apply(value_of(a)?, value_of(b)?),
        ExprKind::If(parts) => {
            let [condition, then, otherwise] = parts.each_ref().map(value_of);
            if condition? != 0 { then } else { otherwise }
        }
        _ => None,
    }
}

impl<'a, 's> Parser<'a, 's> {
    pub(super) fn new(
        lexemes: Vec<Lexeme<'a>>,
        proctypes: FxHashSet<&'a str>,
        sink: &'s mut Sink,
    ) -> Self {
        let (position, nesting, depth, operators) = (0, 0, 0, 0);
        let (is_within_body, has_priorities, reads_count, typedefs) = Default::default();
        Self {
            lexemes,
            position,
            nesting,
            depth,
            operators,
            is_within_body,
            proctypes,
            has_priorities,
            reads_count,
            typedefs,
            sink,
        }
    }

    fn collect_proctypes(&mut self) {
        let words = self.lexemes.windows(2).filter(|pair| {
            pair[0].token == Token::Word && matches!(pair[0].text, "proctype" | "D_proctype")
        });
        self.proctypes = words.map(|pair| pair[1].text).chain(["init"]).collect();
    }

    /// Goes on where the next process begins.
    fn recover(&mut self) {
        loop {
            self.bump();
            let is_end = self.peek() == Token::End;
            let is_start = matches!(
                self.word(),
                Some("active" | "proctype" | "D_proctype" | "init" | "ltl" | "never")
            );
            let is_behind_active = self.lexemes[self.position - 1].text == "]";
            if is_end || (is_start && !is_behind_active) {
                return;
            }
        }
    }

    fn unit(&mut self, file: &mut File<'a>) -> Parsed<()> {
        match self.word() {
            Some("active" | "proctype" | "D_proctype") => {
                let proctype = self.proctype()?;
                file.proctypes.push(proctype);
            }
            Some("init") => {
                let name = self.take();
                let priority = self.priority()?;
                let (body, end) = self.body()?;
                let init = Proctype { is_init: true, priority, ..without_head(name, body, end) };
                file.proctypes.push(init);
            }
            Some(word @ ("ltl" | "never" | "trace" | "notrace")) => {
                let claim = self.claimed(word)?;
                file.claims.push(claim);
            }
            // Only statements and expressions in C read or change what is declared there.
            Some("c_code" | "c_decl") => self.embedded_c()?,
            Some("c_state" | "c_track") => {
                self.bump();
                while self.eat(Token::String).is_some() {}
            }
            Some("typedef") => {
                self.bump();
                let typedef = self.typedef()?;
                self.typedefs.insert(typedef.name.text);
                file.typedefs.push(typedef);
            }
            Some("mtype") if self.declares_messages() => {
                let messages = self.messages()?;
                file.messages.push(messages);
            }
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

    /// `ltl p { … }`, `never { … }`, `trace { … }`
    fn claimed(&mut self, word: &str) -> Parsed<Claim<'a>> {
        let keyword = self.take();
        let name = self.word().is_some().then(|| self.take());
        if word == "never" {
            let start = self.peek_span();
            let (body, end) = self.body()?;
            let automaton = without_head(name.unwrap_or(keyword), body, end);
            return Ok(Claim {
                kind: ClaimKind::Never(Box::new(automaton)),
                name,
                span: start.to(end),
            });
        }
        let first = self.position + 1;
        let span = self.skip_braces()?;
        if word != "ltl" {
            return Ok(Claim { kind: ClaimKind::Trace, name, span });
        }
        let mut inner = self.lexemes[first..self.position - 1].to_vec();
        let end = Lexeme { token: Token::End, text: "", ..self.lexemes[self.position - 1] };
        // A semicolon may end the formula.
        inner.pop_if(|last| last.token == Token::Semicolon);
        inner.push(end);
        Ok(Claim { kind: ClaimKind::Ltl(inner), name, span })
    }

    fn proctype(&mut self) -> Parsed<Proctype<'a>> {
        let mut active = None;
        if self.eat_word("active") {
            let one = Expr { kind: ExprKind::Number(1), span: self.peek_span() };
            active = Some(match self.eat(Token::LeftBracket) {
                Some(_) => {
                    let count = self.expr()?;
                    self.expect(Token::RightBracket, "`]`")?;
                    count
                }
                None => one,
            });
        }
        let is_deterministic = self.eat_word("D_proctype");
        if !is_deterministic && !self.eat_word("proctype") {
            return Err(self.unexpected("`proctype`"));
        }
        let name = self.name("the name of the proctype")?;
        self.expect(Token::LeftParen, "`(`")?;
        let parameters = self.parameters()?;
        self.expect(Token::RightParen, "`;` or `)` after the parameter")?;
        let priority = self.priority()?;
        let provided = match self.eat_word("provided") {
            true => {
                self.expect(Token::LeftParen, "`(`")?;
                let condition = self.expr()?;
                self.expect(Token::RightParen, "`)`")?;
                Some(condition)
            }
            false => None,
        };
        let (body, end) = self.body()?;
        let head = without_head(name, body, end);
        Ok(Proctype { active, parameters, priority, provided, is_deterministic, ..head })
    }

    /// `priority n`. Everybody has priority 1 who does not say otherwise.
    fn priority(&mut self) -> Parsed<Option<i32>> {
        if !self.eat_word("priority") {
            return Ok(None);
        }
        let span = self.expect(Token::Number, "the number of the priority")?;
        let number = self.lexemes[self.position - 1].text.parse::<i32>();
        match number.ok().filter(|number| (1..=255).contains(number)) {
            Some(number) => {
                self.has_priorities |= number != 1;
                Ok(Some(number))
            }
            None => Err(self.sink.error(|| {
                Diagnostic::error("a priority that there is not", span, "expected 1 to 255")
            })),
        }
    }

    /// The text between braces, unread.
    fn skip_braces(&mut self) -> Parsed<Span> {
        let start = self.expect(Token::LeftBrace, "`{`")?;
        let mut depth = 1;
        while depth > 0 {
            match self.peek() {
                Token::LeftBrace => depth += 1,
                Token::RightBrace => depth -= 1,
                Token::End => return Err(self.unexpected("`}`")),
                _ => {}
            }
            self.bump();
        }
        Ok(start.to(self.last_span()))
    }

    /// `c_code { … }`, `c_expr [ … ] { … }`, `c_decl { … }`
    fn embedded_c(&mut self) -> Parsed<()> {
        self.bump();
        if self.eat(Token::LeftBracket).is_some() {
            self.expr()?;
            self.expect(Token::RightBracket, "`]`")?;
        }
        self.skip_braces().map(|_| ())
    }

    /// The statements between braces, and the closing one.
    fn body(&mut self) -> Parsed<(Vec<super::ast::Step<'a>>, Span)> {
        self.expect(Token::LeftBrace, "`{`")?;
        self.is_within_body = true;
        let steps = self.sequence();
        self.is_within_body = false;
        let steps = steps?;
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

    /// Whether a token that could go on with a statement begins the next one: the end of a line ends a statement
    /// outside of parentheses.
    fn begins_statement(&self) -> bool {
        self.depth <= 1 && self.is_within_body && self.lexemes[self.position].starts_line
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

/// A process that is described by its name and body alone.
fn without_head<'a>(name: Name<'a>, body: Vec<super::ast::Step<'a>>, end: Span) -> Proctype<'a> {
    let (active, parameters, priority, provided) = (None, Vec::new(), None, None);
    let (is_init, is_deterministic) = (false, false);
    Proctype { name, active, is_init, parameters, priority, provided, is_deterministic, body, end }
}

static RESERVED: Words = Words::new(|| {
    words(
        "active proctype init typedef chan unsigned mtype hidden show local of if fi do od for select \
                        else break goto skip timeout atomic d_step assert printf printm run len full empty nfull \
                        nempty eval true false _pid xr xs inline c_code c_decl c_expr c_state c_track never ltl \
                        trace notrace D_proctype unless provided priority enabled pc_value _nr_pr _last np_ \
                        get_priority set_priority _priority",
    )
});

fn is_reserved(word: &str) -> bool {
    declaration::simple_type(word).is_some() || RESERVED.contains(word)
}
