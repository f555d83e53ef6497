//! Expressions, and formulas, whose atoms they are.

use super::{MAX_NESTING, Parser};
use crate::formula::{path_operator, state_operator};
use crate::imperative::ast::{Expr, ExprId, Infix, Name};
use crate::imperative::lexer::{Token, is_reserved};
use crate::sink::{Parsed, Reported};
use logic::{Fix, Logic, Modality, Quantifier, StateOp};
use support::{Diagnostic, Span};

/// What is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::imperative) enum Mode {
    /// An expression in a program.
    Plain,
    /// An expression outside of the commands, where variables of procedures and processes have their full names.
    Predicate,
    Ctl,
    Mu,
    /// What is assumed of a hole.
    Assumption,
}

impl Mode {
    pub fn of(logic: Logic) -> Self {
        if logic == Logic::Ctl { Mode::Ctl } else { Mode::Mu }
    }
}

/// How strongly operators bind, the loosest first. What stands before an operand, such as `!` and `AG`, binds less
/// than comparisons and more than the rest: `!x = 1` and `AG x = 1` are about `x = 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Iff,
    Implies,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Tightest,
}

fn tighter(level: Level) -> Level {
    match level {
        Level::Iff => Level::Implies,
        Level::Implies => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::Relation,
        Level::Relation => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product | Level::Tightest => Level::Tightest,
    }
}

enum Operator {
    Infix(Infix),
    Implies,
}

enum Prefix {
    Not,
    State(Quantifier, StateOp),
    /// With how many tokens it takes.
    Modal(Modality, usize),
}

impl<'a> Parser<'_, 'a> {
    pub fn expression(&mut self) -> Parsed<ExprId> {
        self.level(Level::Iff)
    }

    /// Operators of this level and of tighter ones.
    fn level(&mut self, least: Level) -> Parsed<ExprId> {
        // Commands around an expression are counted too: both take from one stack.
        if self.nesting >= 2 * MAX_NESTING {
            return Err(self.nested_too_deep());
        }
        self.nesting += 1;
        let parsed = self.operators(least);
        self.nesting -= 1;
        parsed
    }

    fn nested_too_deep(&mut self) -> Reported {
        self.cursor.too_deep(
            "the expression is",
            MAX_NESTING,
            "compute a part of it before, into a variable",
        )
    }

    fn operators(&mut self, least: Level) -> Parsed<ExprId> {
        let mut left = self.operand()?;
        while let Some((operator, level)) = self.operator().filter(|(_, level)| *level >= least) {
            left = match operator {
                Operator::Implies => {
                    self.cursor.bump();
                    let right = self.level(Level::Implies)?;
                    self.made(Expr::Implies(left, right), self.between(left, right))?
                }
                Operator::Infix(_) => self.chain(left, level)?,
            };
        }
        Ok(left)
    }

    fn between(&self, from: ExprId, to: ExprId) -> Span {
        self.exprs.span(from).to(self.exprs.span(to))
    }

    /// A run of operators of one level.
    fn chain(&mut self, first: ExprId, level: Level) -> Parsed<ExprId> {
        let mut rest = Vec::new();
        let mut last = first;
        while let Some((Operator::Infix(infix), _)) =
            self.operator().filter(|(_, other)| *other == level)
        {
            if level == Level::Relation && !rest.is_empty() {
                let help = "compare two at a time: `a < b & b < c`";
                return Err(self.cursor.unexpected("one comparison", Some(help)));
            }
            self.cursor.bump();
            last = self.level(tighter(level))?;
            rest.push((infix, last));
        }
        self.made(Expr::Chain(first, rest), self.between(first, last))
    }

    fn made(&mut self, expr: Expr<'a>, span: Span) -> Parsed<ExprId> {
        let id = self.exprs.push(expr, span);
        if self.exprs.depth(id) as usize > 2 * MAX_NESTING {
            return Err(self.nested_too_deep());
        }
        Ok(id)
    }

    fn operator(&self) -> Option<(Operator, Level)> {
        let (infix, level) = match self.cursor.peek() {
            Token::Iff => (Infix::Iff, Level::Iff),
            Token::Arrow => return Some((Operator::Implies, Level::Implies)),
            Token::Bar => (Infix::Or, Level::Or),
            Token::And => (Infix::And, Level::And),
            Token::Equal => (Infix::Equal, Level::Relation),
            Token::NotEqual => (Infix::NotEqual, Level::Relation),
            Token::Less => (Infix::Less, Level::Relation),
            Token::LessEqual => (Infix::LessEqual, Level::Relation),
            Token::Greater => (Infix::Greater, Level::Relation),
            Token::GreaterEqual => (Infix::GreaterEqual, Level::Relation),
            Token::Plus => (Infix::Plus, Level::Sum),
            Token::Minus => (Infix::Minus, Level::Sum),
            Token::Star => (Infix::Times, Level::Product),
            Token::Slash => (Infix::Divide, Level::Product),
            Token::Percent => (Infix::Mod, Level::Product),
            Token::Word => match self.cursor.peek_text() {
                "or" => (Infix::Or, Level::Or),
                "and" => (Infix::And, Level::And),
                "mod" => (Infix::Mod, Level::Product),
                _ => return None,
            },
            _ => return None,
        };
        Some((Operator::Infix(infix), level))
    }

    /// Prefixes and what they stand before.
    fn operand(&mut self) -> Parsed<ExprId> {
        let mut prefixes: Vec<(Prefix, Span)> = Vec::new();
        while let Some(prefix) = self.prefix() {
            let start = self.cursor.bump();
            if let Prefix::Modal(_, 2) = prefix {
                self.cursor.bump();
            }
            prefixes.push((prefix, start));
        }
        let mut operand = match prefixes.is_empty() {
            true => self.signed()?,
            false => self.level(Level::Relation)?,
        };
        while let Some((prefix, start)) = prefixes.pop() {
            let expr = match prefix {
                Prefix::Not => Expr::Not(operand),
                Prefix::State(quantifier, op) => Expr::State(quantifier, op, operand),
                Prefix::Modal(modality, _) => Expr::Modal(modality, operand),
            };
            operand = self.made(expr, start.to(self.exprs.span(operand)))?;
        }
        Ok(operand)
    }

    fn signed(&mut self) -> Parsed<ExprId> {
        let mut signs = Vec::new();
        while let Some(minus) = self.cursor.eat(Token::Minus) {
            signs.push(minus);
        }
        let mut operand = self.primary()?;
        while let Some(minus) = signs.pop() {
            operand = self.made(Expr::Neg(operand), minus.to(self.exprs.span(operand)))?;
        }
        Ok(operand)
    }

    fn prefix(&self) -> Option<Prefix> {
        let next = self.cursor.peek_at(1);
        let (is_ctl, is_mu) =
            (matches!(self.mode, Mode::Ctl | Mode::Assumption), self.mode == Mode::Mu);
        Some(match self.cursor.peek() {
            Token::Bang => Prefix::Not,
            Token::LeftBracket if is_mu && next == Token::RightBracket => {
                Prefix::Modal(Modality::Box, 2)
            }
            Token::Less if is_mu && next == Token::Greater => Prefix::Modal(Modality::Dia, 2),
            Token::Word => match self.cursor.peek_text() {
                "not" => Prefix::Not,
                "box" if is_mu && begins_operand(next) => Prefix::Modal(Modality::Box, 1),
                "dia" if is_mu && begins_operand(next) => Prefix::Modal(Modality::Dia, 1),
                word if is_ctl => {
                    let (quantifier, op) = state_operator(word)?;
                    Prefix::State(quantifier, op)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        match self.cursor.peek() {
            Token::Number => {
                let span = self.cursor.peek_span();
                let value = self.integer()?;
                Ok(self.exprs.push(Expr::Int(value), span))
            }
            Token::LeftParen => self.parentheses(),
            Token::Word => self.primary_word(),
            _ => Err(self.unexpected_operand()),
        }
    }

    fn primary_word(&mut self) -> Parsed<ExprId> {
        let word = self.cursor.peek_text();
        let is_formula = !matches!(self.mode, Mode::Plain | Mode::Predicate);
        let expr = match word {
            "true" | "false" => Expr::Bool(word == "true"),
            "error" if is_formula => Expr::Error,
            "end" if is_formula => Expr::End,
            "A" if self.mode == Mode::Ctl => return self.path(Quantifier::All),
            "E" if self.mode == Mode::Ctl => return self.path(Quantifier::Exists),
            "mu" | "nu" if self.mode == Mode::Mu => return self.fixpoint(),
            _ if is_reserved(word) => return Err(self.unexpected_operand()),
            _ if self.bound.contains(&word) => Expr::Bound(word),
            _ => match word.strip_prefix("at_") {
                Some(label) if is_formula => Expr::At(label),
                _ => return self.reference(),
            },
        };
        let span = self.cursor.bump();
        Ok(self.exprs.push(expr, span))
    }

    /// `x`, `a[i]`, and in formulas `p.x` and `p.a[i]`.
    fn reference(&mut self) -> Parsed<ExprId> {
        let mut span = self.cursor.peek_span();
        while self.is_dotted() {
            self.cursor.bump();
            self.cursor.bump();
            span = span.to(self.cursor.peek_span());
        }
        self.cursor.bump();
        let name = Name { text: &self.cursor.text[span.range()], span };
        if self.cursor.peek() == Token::LeftBracket && !self.is_modality() {
            let index = self.index()?;
            return self.made(Expr::Index(name, index), span.to(self.cursor.last_span()));
        }
        Ok(self.exprs.push(Expr::Name(name.text), span))
    }

    /// Whether a dot and another name belong to the one that comes next.
    fn is_dotted(&self) -> bool {
        self.mode != Mode::Plain
            && self.cursor.peek_at(1) == Token::Dot
            && self.cursor.peek_at(2) == Token::Word
            && self.cursor.touches_the_one_before(1)
            && self.cursor.touches_the_one_before(2)
    }

    fn is_modality(&self) -> bool {
        self.mode == Mode::Mu && self.cursor.peek_at(1) == Token::RightBracket
    }

    /// `[e]`
    pub(super) fn index(&mut self) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let index = self.expression()?;
        match self.cursor.eat(Token::RightBracket) {
            Some(_) => Ok(index),
            None => Err(self.unclosed(open, "an operator or `]`", "this bracket")),
        }
    }

    fn parentheses(&mut self) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let inner = self.expression()?;
        match self.cursor.eat(Token::RightParen) {
            Some(close) => {
                self.exprs.set_span(inner, open.to(close));
                Ok(inner)
            }
            None => Err(self.unclosed(open, "an operator or `)`", "this parenthesis")),
        }
    }

    /// Expressions with commas between them.
    pub(super) fn listed(&mut self) -> Parsed<Vec<ExprId>> {
        let mut values = vec![self.expression()?];
        while self.cursor.eat(Token::Comma).is_some() {
            values.push(self.expression()?);
        }
        Ok(values)
    }

    /// Expressions up to what closes them.
    pub(super) fn list(&mut self, open: Span, close: Token, wanted: &str) -> Parsed<Vec<ExprId>> {
        let values = self.listed()?;
        match self.cursor.eat(close) {
            Some(_) => Ok(values),
            None => Err(self.unclosed(open, wanted, "this bracket")),
        }
    }

    /// `A[f U g]` and its relatives.
    fn path(&mut self, quantifier: Quantifier) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let letter = &self.cursor.text[start.range()];
        if self.cursor.peek() != Token::LeftBracket {
            let help =
                format!("write `{letter}[f U g]`, or `{letter}G f`, `{letter}F f`, `{letter}X f`");
            return Err(self.cursor.unexpected("`[` and a path formula", Some(&help)));
        }
        let open = self.cursor.bump();
        let left = self.expression()?;
        let Some(op) = self.word().and_then(path_operator) else {
            return Err(self.unexpected_after("an operator, or `U`, `R` or `W`"));
        };
        self.cursor.bump();
        let right = self.expression()?;
        match self.cursor.eat(Token::RightBracket) {
            Some(close) => self.made(Expr::Path(quantifier, op, left, right), start.to(close)),
            None => Err(self.unclosed(open, "an operator or `]`", "this bracket")),
        }
    }

    /// `mu Z. f`, the body as far to the right as possible.
    fn fixpoint(&mut self) -> Parsed<ExprId> {
        let kind = if self.at_word("mu") { Fix::Mu } else { Fix::Nu };
        let start = self.cursor.bump();
        let name = self.new_name("the variable of the fixpoint")?;
        if self.cursor.eat(Token::Dot).is_none() {
            let help = format!("write `{} {}. f`", &self.cursor.text[start.range()], name.text);
            return Err(self.cursor.unexpected("`.` after the variable", Some(&help)));
        }
        self.bound.push(name.text);
        let body = self.expression();
        self.bound.pop();
        let body = body?;
        self.made(Expr::Fix(kind, name, body), start.to(self.exprs.span(body)))
    }

    fn unexpected_operand(&mut self) -> Reported {
        let wanted = match self.mode {
            Mode::Plain | Mode::Predicate => "an expression",
            _ => "a formula",
        };
        let help = match (self.mode, self.cursor.peek(), self.word()) {
            (
                Mode::Plain | Mode::Predicate,
                _,
                Some("error" | "AG" | "EF" | "AF" | "EG" | "AX" | "EX"),
            ) => "this belongs to formulas: write a `property`",
            (_, _, Some("any")) => "`any` stands alone on the right of an assignment: `x := any`",
            (_, Token::LeftBrace, _) => {
                "several values stand on the right of an assignment: `x := {1, 2}`"
            }
            (Mode::Mu, _, Some("AG" | "EF" | "AF" | "EG" | "AX" | "EX" | "A" | "E")) => {
                "this operator belongs to `ctl`; `AG p` is `nu Z. p & [] Z`"
            }
            (Mode::Ctl, Token::LeftBracket | Token::Less, _)
            | (Mode::Ctl, _, Some("mu" | "nu")) => "this belongs to the logic `mu`",
            _ => "for example a number, a variable or an expression in parentheses",
        };
        self.cursor.unexpected(wanted, Some(help))
    }

    /// Behind a whole expression stands something that cannot go on with it.
    pub(super) fn unexpected_after(&mut self, wanted: &str) -> Reported {
        self.unexpected_after_with(
            wanted,
            "operators are `+ - * / mod`, `= != < <= > >=`, `! & | -> <->`",
        )
    }

    pub(super) fn unexpected_after_with(&mut self, wanted: &str, help: &str) -> Reported {
        let text = self.cursor.text;
        let last = &text[self.cursor.last_span().range()];
        let help = match (self.cursor.peek(), self.word()) {
            (Token::Becomes, _) => "values are compared by `=`",
            (Token::LeftBracket, _) => "only a variable has an index",
            (Token::LeftParen, _) if last.starts_with(|c: char| c.is_alphabetic()) => {
                "procedures are called as commands: `p(x, y)`"
            }
            (Token::RightParen, _) => "this parenthesis was never opened",
            (_, Some("U" | "R" | "V" | "W")) => "this stands in brackets: `A[f U g]`",
            (Token::Word | Token::Number, _) if self.cursor.starts_line() => {
                "is a `;` missing on the line before?"
            }
            (Token::End, _) => "does a `;` follow?",
            _ => help,
        };
        self.cursor.unexpected(wanted, Some(help))
    }

    /// Something that was opened is not closed where it should be.
    pub(super) fn unclosed(&mut self, open: Span, wanted: &str, what: &str) -> Reported {
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        self.cursor.sink.error(|| {
            let message = format!("expected {wanted}, found {found}");
            Diagnostic::error(message, span, format!("expected {wanted}"))
                .with_label(open, format!("{what} is open"))
        })
    }
}

fn begins_operand(token: Token) -> bool {
    matches!(
        token,
        Token::Word
            | Token::Number
            | Token::LeftParen
            | Token::LeftBracket
            | Token::Less
            | Token::Bang
    )
}
