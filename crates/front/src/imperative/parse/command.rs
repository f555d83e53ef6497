//! Commands.

use super::{MAX_NESTING, Parser};
use crate::climb::Climb;
use crate::imperative::ast::{Command, Expr, ExprId, Name, Statement, Target};
use crate::imperative::lexer::{Token, is_reserved};
use crate::sink::{Parsed, Reported};
use support::Span;
use transition::cfg::Jump;

impl<'a> Parser<'_, 'a> {
    /// Commands with `;` between them, up to what cannot be one of them. What is wrong with a command is said, and
    /// it is left out.
    pub(super) fn block(&mut self) -> Vec<Command<'a>> {
        let mut commands = Vec::new();
        loop {
            match self.command() {
                Ok(command) => commands.push(command),
                Err(Reported) => self.skip_command(),
            }
            let is_over = match self.cursor.eat(Token::Semicolon) {
                Some(_) => self.at_end_of_block(),
                None => self.at_end_of_block() || self.misses_semicolon().is_err(),
            };
            if is_over {
                return commands;
            }
        }
    }

    fn at_end_of_block(&self) -> bool {
        match self.cursor.peek() {
            Token::End | Token::RightBrace => true,
            Token::Word => matches!(
                self.cursor.peek_text(),
                "od" | "fi"
                    | "else"
                    | "then"
                    | "do"
                    | "property"
                    | "predicates"
                    | "process"
                    | "proc"
                    | "var"
            ),
            _ => false,
        }
    }

    /// Another command may follow that only has no `;` before it.
    fn misses_semicolon(&mut self) -> Parsed<()> {
        let help = "commands are separated by `;`";
        let wanted = "`;`";
        let reported = self.unexpected_after_with(wanted, help);
        match self.cursor.peek() {
            Token::Word => Ok(()),
            _ => {
                self.skip_command();
                match self.cursor.eat(Token::Semicolon) {
                    Some(_) if !self.at_end_of_block() => Ok(()),
                    _ => Err(reported),
                }
            }
        }
    }

    /// Goes on where the next command may begin, or what is around this one goes on.
    fn skip_command(&mut self) {
        let mut depth = 0usize;
        let mut is_set = false;
        self.cursor.skip_until(|cursor| {
            let at_end = depth == 0;
            match cursor.peek() {
                // A set of values, if it is on the right of an assignment.
                Token::LeftBrace => is_set = true,
                Token::RightBrace if is_set => is_set = false,
                Token::RightBrace => return true,
                Token::Semicolon => return at_end,
                Token::Word => match cursor.peek_text() {
                    "property" | "predicates" | "process" | "proc" => return true,
                    "if" | "while" => depth += 1,
                    "fi" | "od" if at_end => return true,
                    "fi" | "od" => depth -= 1,
                    "else" => return at_end,
                    _ => {}
                },
                _ => {}
            }
            false
        });
    }

    fn command(&mut self) -> Parsed<Command<'a>> {
        if self.nesting == MAX_NESTING {
            return Err(self.commands_too_deep());
        }
        self.nesting += 1;
        let command = self.labelled();
        self.nesting -= 1;
        command
    }

    fn commands_too_deep(&mut self) -> Reported {
        let help = "make a procedure of a part of them";
        self.cursor.too_deep("commands are", MAX_NESTING, help)
    }

    fn labelled(&mut self) -> Parsed<Command<'a>> {
        let mut labels = Vec::new();
        while self.word().is_some() && self.cursor.peek_at(1) == Token::Colon {
            labels.push(self.own_name("a label")?);
            self.cursor.bump();
        }
        let start = self.cursor.peek_span();
        let statement = self.statement()?;
        Ok(Command { labels, statement, span: start.to(self.cursor.last_span()) })
    }

    fn statement(&mut self) -> Parsed<Statement<'a>> {
        match self.word() {
            Some("skip") => {
                self.cursor.bump();
                Ok(Statement::Skip)
            }
            Some("fin") => {
                self.cursor.bump();
                Ok(Statement::Fin)
            }
            Some("if") => self.choice(),
            Some("while") => self.repetition(),
            Some("hole") => self.hole(),
            Some("assume") => {
                self.cursor.bump();
                Ok(Statement::Assume(self.expression()?))
            }
            Some("assert") => {
                self.cursor.bump();
                Ok(Statement::Assert(self.expression()?))
            }
            Some("break") => Ok(self.jump(Jump::Break)),
            Some("continue") => Ok(self.jump(Jump::Continue)),
            Some("return") => Ok(self.jump(Jump::Return)),
            Some(word) if !is_reserved(word) => match self.cursor.peek_at(1) {
                Token::LeftParen => self.call(),
                _ => self.assignment(),
            },
            _ => Err(self.no_command()),
        }
    }

    fn jump(&mut self, jump: Jump) -> Statement<'a> {
        self.cursor.bump();
        Statement::Jump(jump)
    }

    fn no_command(&mut self) -> Reported {
        let help = match (self.word(), self.cursor.peek()) {
            (Some("fi" | "od" | "else"), _) | (_, Token::RightBrace | Token::Semicolon) => {
                "to do nothing, write `skip`"
            }
            (Some("var"), _) => "variables are declared before the first command",
            (Some("property"), _) => "the least that a program does is `fin`",
            (Some("begin" | "end"), _) => {
                "blocks end with `fi` and `od`, and the program with `fin`"
            }
            _ => "for example `x := 1`, `if … then … fi`, `while … do … od` or `skip`",
        };
        self.cursor.unexpected("a command", Some(help))
    }

    /// A condition, and the word that follows it. If it is wrong and the word is there, what follows can be read.
    fn condition(&mut self, word: &str, close: &str) -> Parsed<ExprId> {
        let start = self.cursor.peek_span();
        let read = self.expression().and_then(|condition| match self.at_word(word) {
            true => Ok(condition),
            false => Err(self.unexpected_after(&format!("an operator or `{word}`"))),
        });
        if let Err(reported) = read {
            self.cursor.skip_until(|cursor| {
                let ends = matches!(cursor.peek(), Token::Semicolon | Token::RightBrace);
                let word = if cursor.peek() == Token::Word { cursor.peek_text() } else { "" };
                ends || matches!(word, "then" | "do" | "else" | "fi" | "od" | "property" | "proc")
            });
            if self.at_word(close) {
                self.cursor.bump();
                return Err(reported);
            }
            if !self.at_word(word) {
                return Err(reported);
            }
        }
        self.cursor.bump();
        Ok(read.unwrap_or_else(|_| self.exprs.push(Expr::Bool(true), start)))
    }

    fn choice(&mut self) -> Parsed<Statement<'a>> {
        let start = self.cursor.bump();
        let condition = self.condition("then", "fi")?;
        let then = self.block();
        let otherwise = match self.at_word("else") {
            true => {
                self.cursor.bump();
                Some(self.block())
            }
            false => None,
        };
        let wanted = if otherwise.is_some() { "`;` or `fi`" } else { "`;`, `else` or `fi`" };
        match self.at_word("fi") {
            true => {
                let fi = self.cursor.bump();
                Ok(Statement::If { condition, then, otherwise, fi })
            }
            false => Err(self.unclosed_block(start, wanted, "this `if`")),
        }
    }

    fn repetition(&mut self) -> Parsed<Statement<'a>> {
        let start = self.cursor.bump();
        let condition = self.condition("do", "od")?;
        let body = self.block();
        match self.at_word("od") {
            true => {
                self.cursor.bump();
                Ok(Statement::While { condition, body })
            }
            false => Err(self.unclosed_block(start, "`;` or `od`", "this `while`")),
        }
    }

    /// The word that closes something else is taken for the right one.
    fn unclosed_block(&mut self, start: Span, wanted: &str, what: &str) -> Reported {
        let reported = self.unclosed(start, wanted, what);
        if matches!(self.word(), Some("fi" | "od")) {
            self.cursor.bump();
        }
        reported
    }

    /// `hole net(x, b)`
    fn hole(&mut self) -> Parsed<Statement<'a>> {
        self.cursor.bump();
        let name = self.own_name("the name of the hole")?;
        let help = "name the variables that it may read and change: `hole net(x, b)`";
        if self.cursor.eat(Token::LeftParen).is_none() {
            return Err(self.cursor.unexpected("`(`", Some(help)));
        }
        let mut frame: Vec<Name> = Vec::new();
        while self.cursor.peek() != Token::RightParen {
            frame.push(self.name("the name of a variable")?);
            if self.cursor.eat(Token::Comma).is_none() {
                break;
            }
        }
        self.cursor.expect(Token::RightParen, "`,` or `)`")?;
        Ok(Statement::Hole(name, frame))
    }

    fn call(&mut self) -> Parsed<Statement<'a>> {
        let name = self.name("the name of a procedure")?;
        let open = self.cursor.bump();
        if self.cursor.eat(Token::RightParen).is_some() {
            return Ok(Statement::Call(name, Vec::new()));
        }
        let arguments = self.list(open, Token::RightParen, "an operator, `,` or `)`")?;
        Ok(Statement::Call(name, arguments))
    }

    fn assignment(&mut self) -> Parsed<Statement<'a>> {
        let name = self.name("the name of a variable")?;
        let index = match self.cursor.peek() {
            Token::LeftBracket => Some(self.index()?),
            _ => None,
        };
        if self.cursor.eat(Token::Becomes).is_none() {
            let help = match self.cursor.peek() {
                _ if name.text == "begin" => "the commands simply follow the declarations",
                Token::Equal => "an assignment is written `x := e`",
                _ => "a command is for example `x := 1`, `p(x)`, `skip` or `while … do … od`",
            };
            return Err(self.cursor.unexpected("`:=`", Some(help)));
        }
        let (value, value_span) = self.value()?;
        Ok(Statement::Assign(Target { name, index }, value, value_span))
    }
}
