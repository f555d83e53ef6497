//! Statements and sequences of them.

use super::super::ast::{Expr, ExprKind, Name, Order, Pattern, Print, Statement, Step};
use super::super::lexer::Token;
use super::super::program::PromelaBinary;
use super::Parser;
use super::expr::binary;
use crate::sink::Parsed;
use support::Diagnostic;

impl<'a> Parser<'a, '_> {
    /// Statements up to what cannot be one: a closing word or brace, or the next option.
    pub(super) fn sequence(&mut self) -> Parsed<Vec<Step<'a>>> {
        self.nested(|parser| {
            let mut steps = Vec::new();
            loop {
                while parser.eat_separator() {}
                if parser.ends_sequence() {
                    return Ok(steps);
                }
                let mut step = parser.step()?;
                if parser.eat_word("unless") {
                    let escape = parser.step()?;
                    let span = step.span.to(escape.span);
                    let statement = Statement::Unless(Box::new([step, escape]));
                    step = Step { labels: Vec::new(), statement, span };
                }
                // Spin's lexer puts a `;` behind `}` and `else`, and at the end of most lines.
                let is_separated =
                    matches!(step.statement, Statement::Declare(_) | Statement::Else)
                        || matches!(parser.last_text(), "}" | "fi" | "od")
                        || parser.lexemes[parser.position].starts_line;
                steps.push(step);
                if !parser.eat_separator() && !is_separated && !parser.ends_sequence() {
                    return Err(parser.unexpected("`;` or `->`"));
                }
            }
        })
    }

    fn last_text(&self) -> &'a str {
        self.lexemes[self.position.saturating_sub(1)].text
    }

    fn eat_separator(&mut self) -> bool {
        self.eat(Token::Semicolon).or_else(|| self.eat(Token::Arrow)).is_some()
    }

    fn ends_sequence(&self) -> bool {
        matches!(self.peek(), Token::RightBrace | Token::ColonColon | Token::End)
            || matches!(self.word(), Some("fi" | "od"))
    }

    fn step(&mut self) -> Parsed<Step<'a>> {
        let mut labels: Vec<Name<'a>> = Vec::new();
        while self.at_label() {
            labels.push(self.take());
            self.bump();
        }
        let start = self.peek_span();
        // A label may stand before the end of a block.
        if !labels.is_empty() && self.ends_sequence() {
            return Ok(Step { labels, statement: Statement::Pass, span: start });
        }
        let statement = self.statement()?;
        Ok(Step { labels, statement, span: start.to(self.last_span()) })
    }

    fn at_label(&self) -> bool {
        let is_name = self.word().is_some_and(|word| !super::is_reserved(word));
        let is_remote = self.word().is_some_and(|word| self.proctypes.contains(word));
        is_name && !is_remote && self.peek_at(1).token == Token::Colon
    }

    fn statement(&mut self) -> Parsed<Statement<'a>> {
        if self.at_declaration() {
            return Ok(Statement::Declare(self.declarations()?));
        }
        match self.word() {
            Some("if") => Ok(Statement::If(self.options("fi")?)),
            Some("do") => Ok(Statement::Do(self.options("od")?)),
            Some("atomic") => {
                self.bump();
                Ok(Statement::Atomic(self.block()?))
            }
            Some("d_step") => {
                self.bump();
                Ok(Statement::Dstep(self.block()?))
            }
            Some("c_code") => {
                self.embedded_c()?;
                Ok(Statement::Unsupported(super::EMBEDDED))
            }
            Some("set_priority") => {
                self.has_priorities = true;
                self.bump();
                self.expect(Token::LeftParen, "`(` and a pid")?;
                let pid = self.expr()?;
                self.expect(Token::Comma, "`,` and the priority")?;
                let priority = self.expr()?;
                self.expect(Token::RightParen, "`)`")?;
                Ok(Statement::SetPriority(pid, priority))
            }
            Some("_priority") if self.peek_at(1).token == Token::Becomes => {
                self.has_priorities = true;
                let pid = Expr { kind: ExprKind::Pid, span: self.bump() };
                self.bump();
                Ok(Statement::SetPriority(pid, self.expr()?))
            }
            Some("for") => self.for_loop(),
            Some("select") => self.select(),
            Some("else") => self.one(Statement::Else),
            Some("break") => self.one(Statement::Break),
            Some("skip") => self.one(Statement::Pass),
            Some("goto") => {
                self.bump();
                Ok(Statement::Goto(self.name("a label")?))
            }
            Some("assert") => {
                self.bump();
                Ok(Statement::Assert(self.expr()?))
            }
            Some("printf" | "printm") => self.print(),
            Some("xr" | "xs") => self.claim(),
            _ if self.peek() == Token::LeftBrace => Ok(Statement::Block(self.block()?)),
            _ => self.simple(),
        }
    }

    fn one(&mut self, statement: Statement<'a>) -> Parsed<Statement<'a>> {
        self.bump();
        Ok(statement)
    }

    fn block(&mut self) -> Parsed<Vec<Step<'a>>> {
        self.expect(Token::LeftBrace, "`{`")?;
        let steps = self.sequence()?;
        self.expect(Token::RightBrace, "`;`, `->` or `}`")?;
        Ok(steps)
    }

    fn options(&mut self, close: &str) -> Parsed<Vec<Vec<Step<'a>>>> {
        let start = self.bump();
        let mut options = Vec::new();
        while self.eat(Token::ColonColon).is_some() {
            options.push(self.sequence()?);
        }
        if options.is_empty() || self.word() != Some(close) {
            return Err(self.unexpected(&format!("`::` or `{close}`")));
        }
        self.bump();
        if options.iter().any(Vec::is_empty) {
            return Err(self.sink.error(|| {
                Diagnostic::error("an option without statements", start, "in this statement")
                    .with_help("write `:: skip`")
            }));
        }
        Ok(options)
    }

    /// `for (i : 0 .. 3) { … }`
    fn for_loop(&mut self) -> Parsed<Statement<'a>> {
        self.bump();
        self.expect(Token::LeftParen, "`(`")?;
        let var = self.reference()?;
        if self.eat_word("in") {
            let array = self.reference()?;
            self.expect(Token::RightParen, "`)`")?;
            self.eat(Token::Semicolon);
            let body = self.block()?;
            return Ok(Statement::ForIn { var, array, body });
        }
        self.expect(Token::Colon, "`:`")?;
        let (low, high) = self.range()?;
        self.eat(Token::Semicolon);
        let body = self.block()?;
        Ok(Statement::For { var, low, high, body })
    }

    fn range(&mut self) -> Parsed<(Expr<'a>, Expr<'a>)> {
        let low = self.expr()?;
        self.expect(Token::DotDot, "`..`")?;
        let high = self.expr()?;
        self.expect(Token::RightParen, "`)`")?;
        Ok((low, high))
    }

    /// `select (i : 0 .. 3)`
    fn select(&mut self) -> Parsed<Statement<'a>> {
        self.bump();
        self.expect(Token::LeftParen, "`(`")?;
        let var = self.reference()?;
        self.expect(Token::Colon, "`:`")?;
        let (low, high) = self.range()?;
        Ok(Statement::Select { var, low, high })
    }

    /// `printf ("…", x, y)`, `printm (x)`
    fn print(&mut self) -> Parsed<Statement<'a>> {
        let word = self.take();
        self.expect(Token::LeftParen, "`(`")?;
        let mut arguments = Vec::new();
        let is_text = word.text == "printf";
        let format = match is_text.then(|| self.eat(Token::String)).flatten() {
            Some(_) => {
                let text = self.last_text();
                text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
            }
            None if is_text => return Err(self.unexpected("a text in quotes")),
            None => {
                arguments.push(self.expr()?);
                "%e"
            }
        };
        while self.eat(Token::Comma).is_some() {
            arguments.push(self.expr()?);
        }
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(Statement::Print(Print { format, arguments }))
    }

    /// `xr c`, `xs c`: only a promise, which makes Spin faster.
    fn claim(&mut self) -> Parsed<Statement<'a>> {
        self.bump();
        self.reference()?;
        while self.eat(Token::Comma).is_some() {
            self.reference()?;
        }
        Ok(Statement::Declare(Vec::new()))
    }

    /// An assignment, a send, a receive, or an expression.
    fn simple(&mut self) -> Parsed<Statement<'a>> {
        let first = self.position;
        let is_reference = self
            .word()
            .is_some_and(|word| !super::is_reserved(word) && !self.proctypes.contains(word));
        if !is_reference {
            return Ok(Statement::Wait(self.expr()?));
        }
        let reference = self.reference()?;
        let next_is_bracket = self.peek_at(1).token == Token::LeftBracket;
        match self.peek() {
            Token::Becomes => {
                self.bump();
                Ok(Statement::Assign(reference, self.expr()?))
            }
            Token::PlusPlus | Token::MinusMinus => {
                let is_plus = self.peek() == Token::PlusPlus;
                let span = self.bump();
                let operator = if is_plus { PromelaBinary::Add } else { PromelaBinary::Sub };
                let old =
                    Expr { span: reference.span, kind: ExprKind::Reference(reference.clone()) };
                let one = Expr { kind: ExprKind::Number(1), span };
                Ok(Statement::Assign(reference, binary(operator, old, one)))
            }
            Token::Bang if !self.begins_statement() => {
                self.bump();
                let values = self.values()?;
                Ok(Statement::Send { channel: reference, values, order: Order::First })
            }
            Token::BangBang if !self.begins_statement() => {
                self.bump();
                let values = self.values()?;
                Ok(Statement::Send { channel: reference, values, order: Order::Any })
            }
            receives @ (Token::Question | Token::QuestionQuestion) if !next_is_bracket => {
                self.bump();
                let order = if receives == Token::Question { Order::First } else { Order::Any };
                let keeps_message = self.eat(Token::Less).is_some();
                let close = if keeps_message { Token::Greater } else { Token::Semicolon };
                let patterns: Vec<Pattern<'a>> = self.patterns(close)?;
                if keeps_message {
                    self.expect(Token::Greater, "`,` or `>`")?;
                }
                Ok(Statement::Receive { channel: reference, patterns, order, keeps_message })
            }
            _ => {
                self.position = first;
                Ok(Statement::Wait(self.expr()?))
            }
        }
    }

    /// The arguments of a send: `a, b` or `m(a, b)`.
    fn values(&mut self) -> Parsed<Vec<Expr<'a>>> {
        let mut values = vec![self.expr()?];
        let is_call = self.peek() == Token::LeftParen && !self.begins_statement();
        if is_call || self.peek() == Token::Comma {
            loop {
                self.bump();
                values.push(self.expr()?);
                if self.peek() != Token::Comma {
                    break;
                }
            }
        }
        if is_call {
            self.expect(Token::RightParen, "`,` or `)`")?;
        }
        Ok(values)
    }
}
