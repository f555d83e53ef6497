//! Expressions, and formulas, whose atoms they are.

use super::{MAX_NESTING, Parser};
use crate::climb::Climb;
use crate::cursor::Cursor;
use crate::formula::{linear_operator, state_operator};
use crate::imperative::ast::{Expr, ExprId, Exprs, Infix, Name};
use crate::imperative::lexer::{Token, is_reserved};
use crate::sink::{Parsed, Reported};
use logic::{LinearOp, Logic, Modality, Quantifier, StateOp};
use support::{Diagnostic, Span};

/// The context of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::imperative) enum Mode {
    /// An expression in a program.
    Plain,
    /// An expression outside of the commands, where variables of procedures and processes have their full names.
    Predicate,
    /// A formula, or an assumption on a hole.
    Ctl,
    Mu,
    Ltl,
}

impl Mode {
    pub fn of(logic: Logic) -> Self {
        match logic {
            _ if logic.has_path_quantifiers() => Mode::Ctl,
            _ if logic.has_linear_operators() => Mode::Ltl,
            _ => Mode::Mu,
        }
    }
}

/// How strongly comparisons bind. What stands before an operand, such as `!` and `AG`, binds less than comparisons
/// and more than the rest: `!x = 1` and `AG x = 1` are about `x = 1`.
const RELATION: u8 = 5;
/// How strongly `U` and its like bind.
const LINEAR: u8 = 4;

enum Prefix {
    Not,
    State(Quantifier, StateOp),
    Linear(LinearOp),
    /// With how many tokens it takes.
    Modal(Modality, usize),
}

impl<'a> Climb<'a> for Parser<'_, 'a> {
    type Token = Token;
    const DEEPEST: usize = MAX_NESTING;
    const MOST_CALLS: usize = 2 * MAX_NESTING;
    const NAME_PARTS: &'static str = "compute a part of it before, into a variable";
    const SINGLE: Option<u8> = Some(RELATION);
    const OPEN_BRACKET: Token = Token::LeftBracket;
    const CLOSE_BRACKET: Token = Token::RightBracket;
    const COMMA: Token = Token::Comma;
    const COLON: Token = Token::Colon;
    const DOT: Token = Token::Dot;
    const PATH_OPERATORS: &'static str = "an operator, or `U`, `R` or `W`";

    fn infix(text: &str) -> Option<(Infix, u8)> {
        Some(match text {
            "<->" => (Infix::Iff, 0),
            "->" | "=>" => (Infix::Implies, 1),
            "|" | "||" | "or" => (Infix::Or, 2),
            "&" | "&&" | "and" => (Infix::And, 3),
            "=" | "==" => (Infix::Equal, RELATION),
            "!=" => (Infix::NotEqual, RELATION),
            "<" => (Infix::Less, RELATION),
            "<=" => (Infix::LessEqual, RELATION),
            ">" => (Infix::Greater, RELATION),
            ">=" => (Infix::GreaterEqual, RELATION),
            "+" => (Infix::Plus, 6),
            "-" => (Infix::Minus, 6),
            "*" => (Infix::Times, 7),
            "/" => (Infix::Divide, 7),
            "%" | "mod" => (Infix::Mod, 7),
            _ => return None,
        })
    }

    fn linear_level(&self) -> Option<u8> {
        (self.mode == Mode::Ltl).then_some(LINEAR)
    }

    fn cursor(&mut self) -> &mut Cursor<'a, Token> {
        self.cursor
    }

    fn exprs(&mut self) -> &mut Exprs<'a> {
        self.exprs
    }

    fn calls(&mut self) -> &mut usize {
        &mut self.nesting
    }

    fn bound(&mut self) -> &mut Vec<&'a str> {
        &mut self.bound
    }

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
            false => self.level(RELATION)?,
        };
        while let Some((prefix, start)) = prefixes.pop() {
            let expr = match prefix {
                Prefix::Not => Expr::Not(operand),
                Prefix::State(quantifier, op) => Expr::State(quantifier, op, operand),
                Prefix::Linear(op) => Expr::Linear(op, operand),
                Prefix::Modal(modality, _) => Expr::Modal(modality, operand),
            };
            let span = start.to(self.exprs.span(operand));
            operand = self.made(expr, span)?;
        }
        Ok(operand)
    }

    fn new_name(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        self.own_name(wanted)
    }

    fn unexpected_after(&mut self, wanted: &str) -> Reported {
        self.unexpected_after_with(
            wanted,
            "operators are `+ - * / mod`, `= != < <= > >=`, `! & | -> <->`",
        )
    }

    fn unclosed(&mut self, open: Span, wanted: &str, what: &str) -> Reported {
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        self.cursor.sink.error(|| {
            let message = format!("expected {wanted}, found {found}");
            Diagnostic::error(message, span, format!("expected {wanted}"))
                .with_label(open, format!("{what} is open"))
        })
    }
}

impl<'a> Parser<'_, 'a> {
    fn signed(&mut self) -> Parsed<ExprId> {
        let mut signs = Vec::new();
        while let Some(minus) = self.cursor.eat(Token::Minus) {
            signs.push(minus);
        }
        let mut operand = self.primary()?;
        while let Some(minus) = signs.pop() {
            let span = minus.to(self.exprs.span(operand));
            operand = self.made(Expr::Neg(operand), span)?;
        }
        Ok(operand)
    }

    fn prefix(&self) -> Option<Prefix> {
        let next = self.cursor.peek_at(1);
        let (is_ctl, is_mu) = (self.mode == Mode::Ctl, self.mode == Mode::Mu);
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
                // `X = 1` is about a variable.
                word if self.mode == Mode::Ltl && begins_operand(next) => {
                    Prefix::Linear(linear_operator(word)?)
                }
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
            Token::LeftParen => self.parentheses(Token::RightParen),
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
            let span = span.to(self.cursor.last_span());
            return self.made(Expr::Index(name, index), span);
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
            (_, Some("U" | "R" | "V" | "W")) if self.mode != Mode::Ltl => {
                "this stands in brackets: `A[f U g]`"
            }
            (Token::Word | Token::Number, _) if self.cursor.starts_line() => {
                "is a `;` missing on the line before?"
            }
            (Token::End, _) => "does a `;` follow?",
            _ => help,
        };
        self.cursor.unexpected(wanted, Some(help))
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
