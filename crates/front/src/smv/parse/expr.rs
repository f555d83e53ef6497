//! Expressions, those of properties included: what may stand where is looked at later.

use super::Parser;
use crate::climb::Climb;
use crate::cursor::Cursor;
use crate::formula::{linear, linear_operator, quantifier, state_operator};
use crate::sink::{Parsed, Reported};
use crate::smv::ast::{Expr, ExprId, Exprs, Infix, Name, Steps};
use crate::smv::lexer::Token;
use logic::{LinearOp, Logic, Modality, Quantifier, StateOp};
use support::{Diagnostic, Span};

/// How strongly comparisons, sums and `::` bind.
pub(super) const RELATION: u8 = 6;
const SUM: u8 = 10;
const CONCAT: u8 = 12;
/// How strongly `U` and its like bind.
const LINEAR: u8 = 5;

enum Prefix {
    Neg,
    State(Quantifier, StateOp),
    Linear(LinearOp),
    Quantified(Quantifier),
    Modal(Modality),
}

impl<'a> Climb<'a> for Parser<'_, 'a> {
    type Token = Token;
    const DEEPEST: usize = 300;
    const MOST_CALLS: usize = 300;
    const NAME_PARTS: &'static str = "name parts of it by `DEFINE`";
    const SINGLE: Option<u8> = None;
    const OPEN_BRACKET: Token = Token::LeftBracket;
    const CLOSE_BRACKET: Token = Token::RightBracket;
    const COMMA: Token = Token::Comma;
    const COLON: Token = Token::Colon;
    const DOT: Token = Token::Dot;
    const PATH_OPERATORS: &'static str = "an operator, or `U` and another formula";

    fn infix(text: &str) -> Option<(Infix, u8)> {
        Some(match text {
            "->" => (Infix::Implies, 0),
            "<->" => (Infix::Iff, 1),
            "?" => (Infix::Cond, 2),
            "|" => (Infix::Or, 3),
            "xor" => (Infix::Xor, 3),
            "xnor" => (Infix::Xnor, 3),
            "&" => (Infix::And, 4),
            "=" => (Infix::Equal, RELATION),
            "!=" => (Infix::NotEqual, RELATION),
            "<" => (Infix::Less, RELATION),
            "<=" => (Infix::LessEqual, RELATION),
            ">" => (Infix::Greater, RELATION),
            ">=" => (Infix::GreaterEqual, RELATION),
            "in" => (Infix::In, 7),
            "union" => (Infix::Union, 8),
            "<<" => (Infix::ShiftLeft, 9),
            ">>" => (Infix::ShiftRight, 9),
            "+" => (Infix::Plus, SUM),
            "-" => (Infix::Minus, SUM),
            "*" => (Infix::Times, 11),
            "/" => (Infix::Divide, 11),
            "mod" => (Infix::Mod, 11),
            "::" => (Infix::Concat, CONCAT),
            _ => return None,
        })
    }

    fn linear_level(&self) -> Option<u8> {
        self.logic.filter(|logic| logic.has_linear_operators()).map(|_| LINEAR)
    }

    fn cursor(&mut self) -> &mut Cursor<'a, Token> {
        self.cursor
    }

    fn exprs(&mut self) -> &mut Exprs<'a> {
        &mut self.exprs
    }

    fn calls(&mut self) -> &mut usize {
        &mut self.nesting
    }

    fn bound(&mut self) -> &mut Vec<&'a str> {
        &mut self.bound
    }

    fn operand(&mut self) -> Parsed<ExprId> {
        let mut nots = Vec::new();
        while let Some(not) = self.cursor.eat(Token::Bang) {
            nots.push(not);
        }
        let mut operand = match self.prefix() {
            Some(prefix) => self.prefixed(prefix)?,
            None => self.primary()?,
        };
        while let Some(not) = nots.pop() {
            let span = not.to(self.exprs.span(operand));
            operand = self.made(Expr::Not(operand), span)?;
        }
        Ok(operand)
    }

    fn bounds_of_until(&mut self) -> Parsed<Option<Steps>> {
        if !self.at_word("BU") {
            return Ok(None);
        }
        self.cursor.bump();
        self.steps().map(Some)
    }

    fn new_name(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        self.name(wanted)
    }

    fn unexpected_after(&mut self, wanted: &str) -> Reported {
        let help = self.help_after();
        self.cursor.unexpected(wanted, help.as_deref())
    }

    fn unclosed(&mut self, open: Span, wanted: &str, _: &str) -> Reported {
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        let help = self.help_after();
        self.cursor.sink.error(|| {
            let message = format!("expected {wanted}, found {found}");
            let error = Diagnostic::error(message, span, format!("expected {wanted}"))
                .with_label(open, "opened here");
            match help {
                Some(help) => error.with_help(help),
                None => error,
            }
        })
    }
}

impl<'a> Parser<'_, 'a> {
    /// A bound of a range or a width: an expression whose loosest operator is `+`.
    pub(super) fn end_of_range(&mut self) -> Parsed<ExprId> {
        self.is_bound = true;
        let parsed = self.level(SUM);
        self.is_bound = false;
        parsed
    }

    /// A formula of this logic.
    pub(super) fn formula(&mut self, logic: Logic) -> Parsed<ExprId> {
        self.logic = Some(logic);
        let parsed = self.expression();
        self.logic = None;
        parsed
    }

    /// Whether this is a formula of the µ-calculus.
    pub(super) fn is_mu(&self) -> bool {
        self.logic.is_some_and(Logic::has_fixpoints)
    }

    /// Behind a temporal operator a comparison goes together: `AG x = 1` is `AG (x = 1)`. A minus takes
    /// less: `- x * y` is `(- x) * y`.
    fn prefixed(&mut self, prefix: Prefix) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let expr = match prefix {
            Prefix::Neg => {
                let operand = self.level(CONCAT)?;
                self.negative(operand, start)?
            }
            Prefix::State(quantifier, op) if self.linear_level().is_some() => {
                let body = self.level(RELATION)?;
                let span = start.to(self.cursor.last_span());
                Expr::Quantified(quantifier, self.made(Expr::Linear(linear(op), body), span)?)
            }
            Prefix::State(quantifier, op) => Expr::State(quantifier, op, self.level(RELATION)?),
            Prefix::Linear(op) => Expr::Linear(op, self.level(RELATION)?),
            Prefix::Quantified(quantifier) if self.cursor.peek() == Token::LeftBracket => {
                Expr::Quantified(quantifier, self.parentheses(Token::RightBracket)?)
            }
            Prefix::Quantified(quantifier) => Expr::Quantified(quantifier, self.level(RELATION)?),
            Prefix::Modal(modality) => {
                self.cursor.bump();
                Expr::Modal(modality, self.level(RELATION)?)
            }
        };
        let span = start.to(self.cursor.last_span());
        self.made(expr, span)
    }

    /// The minus before a range of numbers belongs to its lower bound.
    fn negative(&mut self, operand: ExprId, minus: Span) -> Parsed<Expr<'a>> {
        let &Expr::Range(low, high) = self.exprs.get(operand) else {
            return Ok(Expr::Neg(operand));
        };
        let span = minus.to(self.exprs.span(low));
        Ok(Expr::Range(self.made(Expr::Neg(low), span)?, high))
    }

    fn prefix(&self) -> Option<Prefix> {
        let next = self.cursor.peek_at(1);
        Some(match self.cursor.peek() {
            Token::Minus => Prefix::Neg,
            Token::LeftBracket if self.is_mu() && next == Token::RightBracket => {
                Prefix::Modal(Modality::Box)
            }
            Token::Less if self.is_mu() && next == Token::Greater => Prefix::Modal(Modality::Dia),
            Token::Word => self.prefix_word(self.cursor.peek_text())?,
            _ => return None,
        })
    }

    fn prefix_word(&self, word: &str) -> Option<Prefix> {
        let is_linear = self.linear_level().is_some();
        if let Some(op) = linear_operator(word).filter(|_| is_linear) {
            return Some(Prefix::Linear(op));
        }
        if is_linear && !self.logic.is_some_and(Logic::quantifies_over_path_formulas) {
            return None;
        }
        if let Some(quantifier) = quantifier(word).filter(|_| is_linear) {
            return Some(Prefix::Quantified(quantifier));
        }
        state_operator(word).map(|(quantifier, op)| Prefix::State(quantifier, op))
    }
}
