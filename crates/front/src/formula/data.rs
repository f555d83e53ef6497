//! Terms of mCRL2: the arguments of actions and of variables, and what stands in `val( )`.
//!
//! Precedence as in mCRL2's grammar. A name that no quantifier and no fixpoint binds is a constant.

use super::FormulaParser;
use crate::lexer::Token;
use crate::sink::{Parsed, Reported};
use logic::{BinaryOp, DataTerm, DataTermKind, DataVarId, Quantifier, UnaryOp};
use support::{Diagnostic, Span};

/// The most operators, names and numbers of one term.
const MAX_SIZE: usize = 1_000;

impl<'a> FormulaParser<'_, 'a> {
    /// A term that stands alone.
    pub(super) fn term(&mut self) -> Parsed<DataTerm> {
        let outer = std::mem::take(&mut self.term_size);
        let term = self.term_from(0);
        self.term_size = outer;
        term
    }

    /// Terms in parentheses with commas between them.
    pub(super) fn terms(&mut self, close: Token) -> Parsed<(Vec<DataTerm>, Span)> {
        let open = self.cursor.bump();
        let mut terms = Vec::new();
        while self.cursor.peek() != close || !terms.is_empty() {
            terms.push(self.nested(|own| own.term_from(0))?);
            if self.cursor.eat(Token::Comma).is_none() {
                break;
            }
        }
        if self.cursor.peek() != close {
            return Err(self.unclosed_terms(open, close));
        }
        Ok((terms, open.to(self.cursor.bump())))
    }

    fn unclosed_terms(&mut self, open: Span, close: Token) -> Reported {
        let close = match close {
            Token::RightBracket => "]",
            Token::RightBrace => "}",
            _ => ")",
        };
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        self.cursor.sink.error(|| {
            let message = format!("expected an operator, `,` or `{close}`, found {found}");
            Diagnostic::error(message, span, "in a data expression")
                .with_label(open, "opened here")
                .with_help(format!("close it with `{close}`"))
        })
    }

    /// Operators of at least this level with their operands.
    fn term_from(&mut self, least: u8) -> Parsed<DataTerm> {
        let mut left = self.term_operand()?;
        while let Some((op, level, tokens)) = self.term_operator()
            && level >= least
        {
            for _ in 0..tokens {
                self.cursor.bump();
            }
            let goes_right = matches!(op, BinaryOp::Implies | BinaryOp::Cons);
            let right = match goes_right {
                true => self.nested(|own| own.term_from(level))?,
                false => self.nested(|own| own.term_from(level + 1))?,
            };
            let span = left.span.to(right.span);
            left = self.sized(DataTermKind::Binary(op, Box::new([left, right])), span)?;
        }
        Ok(left)
    }

    /// The infix operator that stands here, its level and the number of its tokens.
    fn term_operator(&self) -> Option<(BinaryOp, u8, usize)> {
        let second = match self.cursor.touches_the_one_before(1) {
            true => self.cursor.peek_at(1),
            false => Token::End,
        };
        Some(match (self.cursor.peek(), second) {
            (Token::FatArrow, _) => (BinaryOp::Implies, 2, 1),
            (Token::BarBar, _) => (BinaryOp::Or, 3, 1),
            (Token::And, _) => (BinaryOp::And, 4, 1),
            (Token::Equals, Token::Equals) => (BinaryOp::Equal, 5, 2),
            (Token::Bang, Token::Equals) => (BinaryOp::Unequal, 5, 2),
            (Token::Less, Token::Equals) => (BinaryOp::AtMost, 6, 2),
            (Token::Greater, Token::Equals) => (BinaryOp::AtLeast, 6, 2),
            (Token::Less, Token::Bar) => (BinaryOp::Snoc, 8, 2),
            (Token::Less, _) => (BinaryOp::Less, 6, 1),
            (Token::Greater, _) => (BinaryOp::Greater, 6, 1),
            (Token::Bar, Token::Greater) => (BinaryOp::Cons, 7, 2),
            (Token::Plus, Token::Plus) => (BinaryOp::Concat, 9, 2),
            (Token::Plus, _) => (BinaryOp::Add, 10, 1),
            (Token::Minus, _) => (BinaryOp::Subtract, 10, 1),
            (Token::Star, _) => (BinaryOp::Multiply, 12, 1),
            (Token::Dot, _) => (BinaryOp::At, 12, 1),
            (Token::Word, _) => match self.cursor.peek_text() {
                "in" => (BinaryOp::In, 6, 1),
                "div" => (BinaryOp::Div, 11, 1),
                "mod" => (BinaryOp::Mod, 11, 1),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn term_operand(&mut self) -> Parsed<DataTerm> {
        let start = self.cursor.peek_span();
        let op = match self.cursor.peek() {
            Token::Bang => UnaryOp::Not,
            Token::Minus => UnaryOp::Minus,
            Token::Unknown if self.cursor.peek_text() == "#" => UnaryOp::Size,
            _ => return self.term_primary(),
        };
        self.cursor.bump();
        let inner = self.nested(Self::term_operand)?;
        let span = start.to(inner.span);
        self.sized(DataTermKind::Unary(op, Box::new(inner)), span)
    }

    fn term_primary(&mut self) -> Parsed<DataTerm> {
        let start = self.cursor.peek_span();
        match (self.cursor.peek(), self.word()) {
            (Token::LeftParen, _) => {
                let open = self.cursor.bump();
                let inner = self.nested(|own| own.term_from(0))?;
                if self.cursor.peek() != Token::RightParen {
                    return Err(self.unclosed_terms(open, Token::RightParen));
                }
                Ok(DataTerm { kind: inner.kind, span: open.to(self.cursor.bump()) })
            }
            (Token::LeftBracket, _) => {
                let (items, span) = self.terms(Token::RightBracket)?;
                self.sized(DataTermKind::List(items), span)
            }
            (Token::LeftBrace, _) => {
                let (items, span) = self.terms(Token::RightBrace)?;
                self.sized(DataTermKind::Set(items), span)
            }
            (Token::Number, _) => self.number(),
            (_, Some(word @ ("true" | "false"))) => {
                self.cursor.bump();
                self.sized(DataTermKind::Bool(word == "true"), start)
            }
            (_, Some(word @ ("forall" | "exists"))) => {
                self.cursor.bump();
                let all = word == "forall";
                let quantifier = if all { Quantifier::All } else { Quantifier::Exists };
                let (variables, body) = self.for_values(|own| own.term_from(0))?;
                let span = start.to(body.span);
                self.sized(DataTermKind::ForValues(quantifier, variables, Box::new(body)), span)
            }
            (_, Some("lambda" | "whr")) => Err(self.cursor.sink.error(|| {
                let message = "this part of mCRL2's data language is not supported";
                Diagnostic::error(message, start, "a function or a definition within a term")
            })),
            _ => self.application(),
        }
    }

    fn number(&mut self) -> Parsed<DataTerm> {
        let text = self.cursor.peek_text();
        let Ok(value) = text.parse() else {
            let span = self.cursor.peek_span();
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error(format!("`{text}` is no number"), span, "in a data expression")
                    .with_help("numbers are integers of at most 18 digits")
            }));
        };
        let span = self.cursor.bump();
        self.sized(DataTermKind::Number(value), span)
    }

    /// A variable, a constant, or a function with arguments.
    fn application(&mut self) -> Parsed<DataTerm> {
        let Some(count) = self.name_tokens() else {
            let help = "write a value such as `3`, `true` or `d1`, or a variable";
            return Err(self.cursor.unexpected("a data expression", Some(help)));
        };
        let name = self.cursor.take(count);
        if self.cursor.peek() == Token::LeftParen {
            let (arguments, span) = self.terms(Token::RightParen)?;
            let kind = DataTermKind::Apply(name.text.into_owned(), arguments);
            return self.sized(kind, name.span.to(span));
        }
        let bound = self.data_scope.iter().rev().find(|(bound, _)| *bound == name.text);
        let kind = match bound {
            Some(&(_, variable)) => DataTermKind::Variable(variable),
            None => DataTermKind::Apply(name.text.into_owned(), Vec::new()),
        };
        self.sized(kind, name.span)
    }

    fn sized(&mut self, kind: DataTermKind, span: Span) -> Parsed<DataTerm> {
        self.term_size += 1;
        if self.term_size <= MAX_SIZE {
            return Ok(DataTerm { kind, span });
        }
        Err(self.cursor.sink.error(|| {
            let message = format!("a data expression with more than {MAX_SIZE} parts");
            Diagnostic::error(message, span, "one too many")
        }))
    }

    /// `d, e: D, n: Nat . body`: the body with the variables bound.
    pub(super) fn for_values<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<(Vec<DataVarId>, T)> {
        let bound = self.data_scope.len();
        let mut variables = Vec::new();
        loop {
            variables.extend(self.variables_of_one_sort()?);
            if self.cursor.eat(Token::Comma).is_none() {
                break;
            }
        }
        if self.cursor.eat(Token::Dot).is_none() {
            let help = "write for example `forall n: Nat . [send(n)] f`";
            return Err(self.cursor.unexpected("`,` or `.` after the variables", Some(help)));
        }
        let body = self.nested(body);
        self.data_scope.truncate(bound);
        Ok((variables, body?))
    }

    /// `d, e: D`
    fn variables_of_one_sort(&mut self) -> Parsed<Vec<DataVarId>> {
        let mut names = Vec::new();
        loop {
            names.push(self.data_name()?);
            if self.cursor.eat(Token::Comma).is_none() {
                break;
            }
        }
        let sort = self.sort_behind_colon()?;
        let declared = names.into_iter().map(|(name, span)| self.declare(name, &sort, span));
        Ok(declared.collect())
    }
}
