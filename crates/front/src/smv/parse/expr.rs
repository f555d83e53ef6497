//! Expressions, those of properties included: what may stand where is looked at later.

use super::Parser;
use crate::formula::state_operator;
use crate::sink::{Parsed, Reported};
use crate::smv::ast::{Expr, ExprId, Infix};
use crate::smv::lexer::Token;
use logic::{Modality, Quantifier, StateOp};
use support::Span;

/// How deep expressions may be nested.
const MAX_NESTING: usize = 300;

/// How strongly operators bind, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Implies,
    Iff,
    Cond,
    Or,
    And,
    Relation,
    In,
    Union,
    Shift,
    Sum,
    Product,
    Concat,
    Tightest,
}

/// The next level.
fn tighter(level: Level) -> Level {
    match level {
        Level::Implies => Level::Iff,
        Level::Iff => Level::Cond,
        Level::Cond => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::Relation,
        Level::Relation => Level::In,
        Level::In => Level::Union,
        Level::Union => Level::Shift,
        Level::Shift => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Concat,
        Level::Concat | Level::Tightest => Level::Tightest,
    }
}

enum Operator {
    Infix(Infix),
    /// The `?` of `c ? a : b`.
    Question,
}

enum Prefix {
    Neg,
    State(Quantifier, StateOp),
    Modal(Modality),
}

impl<'a> Parser<'_, 'a> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        self.level(Level::Implies)
    }

    /// A bound of a range or a width: an expression whose loosest operator is `+`.
    pub(super) fn bound(&mut self) -> Parsed<ExprId> {
        self.is_bound = true;
        let parsed = self.level(Level::Sum);
        self.is_bound = false;
        parsed
    }

    /// A formula of the µ-calculus.
    pub(super) fn mu_expression(&mut self) -> Parsed<ExprId> {
        self.is_mu = true;
        let parsed = self.expression();
        self.is_mu = false;
        parsed
    }

    /// Operators of this level and of tighter ones.
    fn level(&mut self, least: Level) -> Parsed<ExprId> {
        if self.nesting == MAX_NESTING {
            return Err(self.nested_too_deep());
        }
        self.nesting += 1;
        let parsed = self.operators(least);
        self.nesting -= 1;
        parsed
    }

    fn nested_too_deep(&mut self) -> Reported {
        self.cursor.too_deep("the expression is", MAX_NESTING, "name parts of it by `DEFINE`")
    }

    fn operators(&mut self, least: Level) -> Parsed<ExprId> {
        let mut left = self.operand()?;
        while let Some((operator, level)) = self.operator().filter(|(_, level)| *level >= least) {
            left = match operator {
                Operator::Infix(Infix::Implies) => {
                    self.cursor.bump();
                    let right = self.level(Level::Implies)?;
                    self.make(Expr::Implies(left, right), left, right)?
                }
                Operator::Question => self.conditional(left)?,
                Operator::Infix(_) => self.chain(left, level)?,
            };
        }
        Ok(left)
    }

    /// A run of operators of one level.
    fn chain(&mut self, first: ExprId, level: Level) -> Parsed<ExprId> {
        let mut rest = Vec::new();
        let mut last = first;
        while let Some((Operator::Infix(infix), _)) =
            self.operator().filter(|(_, other)| *other == level)
        {
            self.cursor.bump();
            last = self.level(tighter(level))?;
            rest.push((infix, last));
        }
        self.make(Expr::Chain(first, rest), first, last)
    }

    fn conditional(&mut self, condition: ExprId) -> Parsed<ExprId> {
        self.cursor.bump();
        let then = self.level(Level::Cond)?;
        if self.cursor.eat(Token::Colon).is_none() {
            return Err(self.unexpected_after("an operator, or `:` and what it is otherwise"));
        }
        let otherwise = self.level(Level::Cond)?;
        self.make(Expr::Cond(condition, then, otherwise), condition, otherwise)
    }

    pub(super) fn make(&mut self, expr: Expr<'a>, from: ExprId, to: ExprId) -> Parsed<ExprId> {
        let span = self.exprs.span(from).to(self.exprs.span(to));
        self.made(expr, span)
    }

    pub(super) fn made(&mut self, expr: Expr<'a>, span: Span) -> Parsed<ExprId> {
        let id = self.exprs.push(expr, span);
        if self.exprs.depth(id) as usize > 2 * MAX_NESTING {
            return Err(self.nested_too_deep());
        }
        Ok(id)
    }

    fn operator(&self) -> Option<(Operator, Level)> {
        let (infix, level) = match self.cursor.peek() {
            Token::Arrow => (Infix::Implies, Level::Implies),
            Token::Iff => (Infix::Iff, Level::Iff),
            Token::Question => return Some((Operator::Question, Level::Cond)),
            Token::Bar => (Infix::Or, Level::Or),
            Token::And => (Infix::And, Level::And),
            Token::Equal => (Infix::Equal, Level::Relation),
            Token::NotEqual => (Infix::NotEqual, Level::Relation),
            Token::Less => (Infix::Less, Level::Relation),
            Token::LessEqual => (Infix::LessEqual, Level::Relation),
            Token::Greater => (Infix::Greater, Level::Relation),
            Token::GreaterEqual => (Infix::GreaterEqual, Level::Relation),
            Token::ShiftLeft => (Infix::ShiftLeft, Level::Shift),
            Token::ShiftRight => (Infix::ShiftRight, Level::Shift),
            Token::Plus => (Infix::Plus, Level::Sum),
            Token::Minus => (Infix::Minus, Level::Sum),
            Token::Star => (Infix::Times, Level::Product),
            Token::Slash => (Infix::Divide, Level::Product),
            Token::ColonColon => (Infix::Concat, Level::Concat),
            Token::Word => match self.cursor.peek_text() {
                "xor" => (Infix::Xor, Level::Or),
                "xnor" => (Infix::Xnor, Level::Or),
                "in" => (Infix::In, Level::In),
                "union" => (Infix::Union, Level::Union),
                "mod" => (Infix::Mod, Level::Product),
                _ => return None,
            },
            _ => return None,
        };
        Some((Operator::Infix(infix), level))
    }

    /// Prefixes and what they stand before.
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

    /// Behind a temporal operator a comparison goes together: `AG x = 1` is `AG (x = 1)`. A minus takes
    /// less: `- x * y` is `(- x) * y`.
    fn prefixed(&mut self, prefix: Prefix) -> Parsed<ExprId> {
        let start = self.take_prefix(&prefix);
        let expr = match prefix {
            Prefix::Neg => {
                let operand = self.level(Level::Concat)?;
                self.negative(operand, start)?
            }
            Prefix::State(quantifier, op) => {
                Expr::State(quantifier, op, self.level(Level::Relation)?)
            }
            Prefix::Modal(modality) => Expr::Modal(modality, self.level(Level::Relation)?),
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
            Token::LeftBracket if self.is_mu && next == Token::RightBracket => {
                Prefix::Modal(Modality::Box)
            }
            Token::Less if self.is_mu && next == Token::Greater => Prefix::Modal(Modality::Dia),
            Token::Word => {
                let (quantifier, op) = state_operator(self.cursor.peek_text())?;
                Prefix::State(quantifier, op)
            }
            _ => return None,
        })
    }

    fn take_prefix(&mut self, prefix: &Prefix) -> Span {
        let span = self.cursor.bump();
        if let Prefix::Modal(_) = prefix { span.to(self.cursor.bump()) } else { span }
    }
}
