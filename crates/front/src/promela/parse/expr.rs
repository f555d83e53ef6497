//! Expressions, with the precedences of C.

use super::super::ast::{Expr, ExprKind, Name, Order, Pattern, Question, Reference};
use super::super::lexer::Token;
use super::super::program::{PromelaBinary, PromelaUnary};
use super::{MOST_OPERATORS, Parser};
use crate::sink::{Parsed, Reported};
use support::{Diagnostic, Span, did_you_mean};

/// The operators of each level, those that bind least first.
pub(super) const LEVELS: [&[(Token, PromelaBinary)]; 10] = [
    &[(Token::BarBar, PromelaBinary::Or)],
    &[(Token::AndAnd, PromelaBinary::And)],
    &[(Token::Bar, PromelaBinary::BitOr)],
    &[(Token::Caret, PromelaBinary::BitXor)],
    &[(Token::And, PromelaBinary::BitAnd)],
    &[(Token::Equal, PromelaBinary::Eq), (Token::NotEqual, PromelaBinary::Ne)],
    &[
        (Token::Less, PromelaBinary::Lt),
        (Token::LessEqual, PromelaBinary::Le),
        (Token::Greater, PromelaBinary::Gt),
        (Token::GreaterEqual, PromelaBinary::Ge),
    ],
    &[(Token::ShiftLeft, PromelaBinary::Shl), (Token::ShiftRight, PromelaBinary::Shr)],
    &[(Token::Plus, PromelaBinary::Add), (Token::Minus, PromelaBinary::Sub)],
    &[
        (Token::Star, PromelaBinary::Mul),
        (Token::Slash, PromelaBinary::Div),
        (Token::Percent, PromelaBinary::Mod),
    ],
];

/// The level of `|`, the first of the operators on bits.
pub(super) const BITS: usize = 2;
/// The level of `+` and `-`.
pub(super) const SUMS: usize = 8;

impl<'a> Parser<'a, '_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr<'a>> {
        if self.is_outermost() {
            self.operators = 0;
        }
        self.nested_expr(|parser| parser.level(0))
    }

    /// An expression of operators from this level on.
    pub(super) fn level(&mut self, level: usize) -> Parsed<Expr<'a>> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let first = self.level(level + 1)?;
        self.chain(level, first)
    }

    /// The operators of a level and their operands, after the first one.
    pub(super) fn chain(&mut self, level: usize, first: Expr<'a>) -> Parsed<Expr<'a>> {
        let mut left = first;
        loop {
            let found = LEVELS[level].iter().find(|(token, _)| *token == self.peek());
            let Some(&(_, operator)) = found else { return Ok(left) };
            if self.peek() == Token::Minus && self.begins_statement() {
                return Ok(left);
            }
            self.count_operator()?;
            self.bump();
            let right = self.level(level + 1)?;
            left = binary(operator, left, right);
        }
    }

    /// Everything that walks along an expression needs stack for all of its operators.
    pub(super) fn count_operator(&mut self) -> Parsed<()> {
        self.operators += 1;
        if self.operators <= MOST_OPERATORS {
            return Ok(());
        }
        let span = self.peek_span();
        Err(self.sink.error(|| {
            let message = format!("an expression of more than {MOST_OPERATORS} operators");
            Diagnostic::error(message, span, "one too many")
        }))
    }

    fn unary(&mut self) -> Parsed<Expr<'a>> {
        let operator = match self.peek() {
            Token::Bang => PromelaUnary::Not,
            Token::Minus => PromelaUnary::Neg,
            Token::Tilde => PromelaUnary::Complement,
            // `!!x` is a token of its own, for sends.
            Token::BangBang => {
                let start = self.bump();
                let operand = self.nested(Self::unary)?;
                return Ok(unary(
                    PromelaUnary::Not,
                    start,
                    unary(PromelaUnary::Not, start, operand),
                ));
            }
            _ => return self.primary(),
        };
        let start = self.bump();
        let operand = self.nested(Self::unary)?;
        Ok(unary(operator, start, operand))
    }

    pub(super) fn primary(&mut self) -> Parsed<Expr<'a>> {
        let span = self.peek_span();
        let kind = match self.peek() {
            Token::LeftParen => return self.parenthesised(),
            Token::Number => ExprKind::Number(self.number()?),
            Token::Character => {
                let text = self.take().text;
                ExprKind::Number(character(text))
            }
            Token::Word => return self.named(span),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: span.to(self.last_span()) })
    }

    fn parenthesised(&mut self) -> Parsed<Expr<'a>> {
        let start = self.bump();
        let mut inner = self.expr()?;
        if self.eat(Token::Arrow).is_some() {
            let then = self.expr()?;
            self.expect(Token::Colon, "`:`")?;
            let otherwise = self.expr()?;
            inner.kind = ExprKind::If(Box::new([inner.clone(), then, otherwise]));
        }
        let end = self.expect(Token::RightParen, "`)`")?;
        Ok(Expr { kind: inner.kind, span: start.to(end) })
    }

    fn number(&mut self) -> Parsed<i32> {
        let Name { text, span } = self.take();
        text.parse().map_err(|_| {
            self.sink.error(|| {
                let message = format!("the number {text} is too large");
                Diagnostic::error(message, span, "numbers have 32 bits")
            })
        })
    }

    /// An operand that begins with a word.
    fn named(&mut self, start: Span) -> Parsed<Expr<'a>> {
        let word = self.word().unwrap_or_default();
        let kind = match word {
            "true" | "skip" => self.constant(1),
            "false" => self.constant(0),
            "timeout" => self.one_word(ExprKind::Timeout),
            "_pid" => self.one_word(ExprKind::Pid),
            "c_expr" => {
                self.embedded_c()?;
                ExprKind::Unsupported(super::EMBEDDED)
            }
            "_nr_pr" => {
                self.reads_count = true;
                self.one_word(ExprKind::Count)
            }
            "_priority" | "get_priority" if !self.has_priorities => {
                self.has_priorities = true;
                return self.named(start);
            }
            "_priority" => self.one_word(ExprKind::Priority(None)),
            "get_priority" => {
                self.bump();
                self.expect(Token::LeftParen, "`(` and a pid")?;
                let pid = self.expr()?;
                self.expect(Token::RightParen, "`)`")?;
                ExprKind::Priority(Some(Box::new(pid)))
            }
            "_last" => self.one_word(ExprKind::Unsupported("`_last` is not supported")),
            "np_" => self.one_word(ExprKind::Unsupported(
                "`np_` is supported in formulas only, and not in processes and claims",
            )),
            "enabled" | "pc_value" => {
                self.bump();
                self.expect(Token::LeftParen, "`(`")?;
                self.expr()?;
                self.expect(Token::RightParen, "`)`")?;
                ExprKind::Unsupported(match word {
                    "enabled" => "`enabled` is not supported",
                    _ => "`pc_value` is not supported",
                })
            }
            "run" => self.run()?,
            "len" | "empty" | "full" | "nempty" | "nfull" => self.channel_question(word)?,
            _ if self.proctypes.contains(word) || self.peek_at(1).token == Token::At => {
                self.remote()?
            }
            _ => self.reference_or_poll()?,
        };
        Ok(Expr { kind, span: start.to(self.last_span()) })
    }

    fn constant(&mut self, value: i32) -> ExprKind<'a> {
        self.one_word(ExprKind::Number(value))
    }

    fn one_word(&mut self, kind: ExprKind<'a>) -> ExprKind<'a> {
        self.bump();
        kind
    }

    fn run(&mut self) -> Parsed<ExprKind<'a>> {
        self.bump();
        let proctype = self.name("the name of a proctype")?;
        self.expect(Token::LeftParen, "`(`")?;
        let mut arguments = Vec::new();
        while self.peek() != Token::RightParen {
            arguments.push(self.expr()?);
            if self.eat(Token::Comma).is_none() {
                break;
            }
        }
        self.expect(Token::RightParen, "`,` or `)`")?;
        let priority = self.priority()?;
        Ok(ExprKind::Run { proctype, arguments, priority })
    }

    fn channel_question(&mut self, word: &str) -> Parsed<ExprKind<'a>> {
        let question = match word {
            "len" => Question::Len,
            "empty" => Question::Empty,
            "full" => Question::Full,
            "nempty" => Question::Nempty,
            _ => Question::Nfull,
        };
        self.bump();
        self.expect(Token::LeftParen, "`(`")?;
        let channel = self.reference()?;
        self.expect(Token::RightParen, "`)`")?;
        Ok(ExprKind::Channel(question, channel))
    }

    /// `P@label`, `P[pid]@label`, `P:x`, `P[pid]:x`
    fn remote(&mut self) -> Parsed<ExprKind<'a>> {
        let process = self.take();
        let mut pid = None;
        if self.eat(Token::LeftBracket).is_some() {
            pid = Some(Box::new(self.expr()?));
            self.expect(Token::RightBracket, "`]`")?;
        }
        match self.peek() {
            Token::At => {
                self.bump();
                let label = self.name("a label")?;
                Ok(ExprKind::At { process, pid, label })
            }
            Token::Colon => {
                self.bump();
                let var = self.reference()?;
                Ok(ExprKind::Remote { process, pid, var })
            }
            _ => Err(self.unexpected("`@` and a label, or `:` and a variable")),
        }
    }

    fn reference_or_poll(&mut self) -> Parsed<ExprKind<'a>> {
        let reference = self.reference()?;
        let follows_bracket = self.peek_at(1).token == Token::LeftBracket;
        match self.peek() {
            Token::Question if follows_bracket => self.poll(reference, Order::First),
            Token::QuestionQuestion if follows_bracket => self.poll(reference, Order::Any),
            Token::At => Err(self.no_process(reference.name)),
            _ => Ok(ExprKind::Reference(reference)),
        }
    }

    fn poll(&mut self, channel: Reference<'a>, order: Order) -> Parsed<ExprKind<'a>> {
        self.position += 2;
        let patterns = self.patterns(Token::RightBracket)?;
        self.expect(Token::RightBracket, "`,` or `]`")?;
        Ok(ExprKind::Poll(channel, patterns, order))
    }

    /// Reports a name before `@` or `:` that is no proctype.
    pub(super) fn no_process(&mut self, name: Name<'a>) -> Reported {
        let message = format!("there is no process `{}`", name.text);
        let mut known: Vec<&str> = self.proctypes.iter().copied().collect();
        known.sort_unstable();
        let help = did_you_mean(name.text, "the proctypes are", known.into_iter());
        self.sink.error(|| Diagnostic::error(message, name.span, "no proctype").with_help(help))
    }

    pub(super) fn reference(&mut self) -> Parsed<Reference<'a>> {
        let name = self.name("a name")?;
        let mut index = None;
        if self.eat(Token::LeftBracket).is_some() {
            index = Some(Box::new(self.expr()?));
            self.expect(Token::RightBracket, "`]`")?;
        }
        let mut field = None;
        if self.eat(Token::Dot).is_some() {
            field = Some(Box::new(self.nested(Self::reference)?));
        }
        Ok(Reference { name, index, field, span: name.span.to(self.last_span()) })
    }

    /// The arguments of a receive, up to a closing token.
    pub(super) fn patterns(&mut self, close: Token) -> Parsed<Vec<Pattern<'a>>> {
        let mut patterns = Vec::new();
        loop {
            patterns.push(self.pattern()?);
            // `m(x, y)` is the same as `m, x, y`.
            let is_call = self.peek() == Token::LeftParen && !self.begins_statement();
            if patterns.len() == 1 && close != Token::RightParen && is_call {
                self.bump();
                patterns.extend(self.patterns(Token::RightParen)?);
                self.expect(Token::RightParen, "`,` or `)`")?;
                return Ok(patterns);
            }
            if self.eat(Token::Comma).is_none() {
                return Ok(patterns);
            }
        }
    }

    fn pattern(&mut self) -> Parsed<Pattern<'a>> {
        match (self.peek(), self.word()) {
            (_, Some("eval")) => {
                self.bump();
                self.expect(Token::LeftParen, "`(`")?;
                let value = self.expr()?;
                self.expect(Token::RightParen, "`)`")?;
                Ok(Pattern::Value(value))
            }
            (_, Some("true" | "false" | "skip" | "_pid")) => Ok(Pattern::Value(self.primary()?)),
            (Token::Word, _) => Ok(Pattern::Name(self.reference()?)),
            (Token::Minus, _) => Ok(Pattern::Value(self.unary()?)),
            _ => Ok(Pattern::Value(self.primary()?)),
        }
    }
}

pub(super) fn binary<'a>(operator: PromelaBinary, left: Expr<'a>, right: Expr<'a>) -> Expr<'a> {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}

pub(super) fn unary(operator: PromelaUnary, start: Span, operand: Expr<'_>) -> Expr<'_> {
    let span = start.to(operand.span);
    Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span }
}

/// The number of `'a'` or `'\n'`.
fn character(text: &str) -> i32 {
    let inner = text.trim_matches('\'');
    match inner.strip_prefix('\\') {
        Some("n") => 10,
        Some("t") => 9,
        Some("r") => 13,
        Some("0") => 0,
        Some(other) => other.chars().next().map_or(0, |c| c as i32),
        None => inner.chars().next().map_or(0, |c| c as i32),
    }
}
