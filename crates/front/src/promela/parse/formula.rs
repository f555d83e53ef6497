//! Formulas of CTL and of the µ-calculus, whose propositions are expressions of Promela.
//!
//! `&` and `|` join formulas, as everywhere in formulas; the operators on bits are not to be had.

use super::super::ast::{Expr, ExprKind, Name};
use super::super::lexer::{Lexeme, Token};
use super::super::program::{Binary, Unary};
use super::Parser;
use super::expr::{LEVELS, SUMS, binary, unary};
use crate::formula::{path_operator, state_operator};
use crate::sink::{Parsed, Sink};
use logic::{Fix, Logic, Modality, PathOp, Quantifier, StateOp};
use rustc_hash::FxHashSet;
use support::Span;

/// What can be said of a state that is no expression of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::promela) enum Special {
    AssertionFailed,
    ModelError,
    InvalidEnd,
}

impl Special {
    fn named(word: &str) -> Option<Self> {
        match word {
            "assertion_failed" => Some(Special::AssertionFailed),
            "model_error" => Some(Special::ModelError),
            "invalid_end" => Some(Special::InvalidEnd),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(in crate::promela) struct Formula<'a> {
    pub kind: FormulaKind<'a>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(in crate::promela) enum FormulaKind<'a> {
    /// Without temporal operators, and as large as it can be.
    Pure(Expr<'a>),
    Special(Special),
    Not(Box<Formula<'a>>),
    And(Box<[Formula<'a>; 2]>),
    Or(Box<[Formula<'a>; 2]>),
    Implies(Box<[Formula<'a>; 2]>),
    Iff(Box<[Formula<'a>; 2]>),
    State(Quantifier, StateOp, Box<Formula<'a>>),
    Path(Quantifier, PathOp, Box<[Formula<'a>; 2]>),
    Modal(Modality, Box<Formula<'a>>),
    Fix(Fix, Name<'a>, Box<Formula<'a>>),
    Var(Name<'a>),
}

pub(in crate::promela) fn parse_formula<'a>(
    logic: Logic,
    lexemes: Vec<Lexeme<'a>>,
    proctypes: FxHashSet<&'a str>,
    sink: &mut Sink,
) -> Option<Formula<'a>> {
    let parser = Parser::new(lexemes, proctypes, sink);
    let mut parser = FormulaParser { parser, logic, bound: Vec::new() };
    let formula = parser.formula().ok()?;
    match parser.parser.peek() {
        Token::End => Some(formula),
        _ => {
            parser.parser.unexpected("an operator or the end of the formula");
            None
        }
    }
}

struct FormulaParser<'a, 's> {
    parser: Parser<'a, 's>,
    logic: Logic,
    /// The fixpoint variables around, innermost last.
    bound: Vec<&'a str>,
}

impl<'a> FormulaParser<'a, '_> {
    fn formula(&mut self) -> Parsed<Formula<'a>> {
        self.enter()?;
        let formula = self.iff();
        self.parser.nesting -= 1;
        formula
    }

    fn enter(&mut self) -> Parsed<()> {
        self.parser.nested(|_| Ok(()))?;
        self.parser.nesting += 1;
        Ok(())
    }

    fn iff(&mut self) -> Parsed<Formula<'a>> {
        let mut left = self.implies()?;
        while self.parser.eat(Token::Iff).is_some() {
            self.parser.count_operator()?;
            let right = self.implies()?;
            left = joined(FormulaKind::Iff, left, right);
        }
        Ok(left)
    }

    fn implies(&mut self) -> Parsed<Formula<'a>> {
        let left = self.or()?;
        let is_there = matches!(self.parser.peek(), Token::Arrow | Token::FatArrow);
        if !is_there {
            return Ok(left);
        }
        self.parser.bump();
        self.enter()?;
        let right = self.implies();
        self.parser.nesting -= 1;
        Ok(joined(FormulaKind::Implies, left, right?))
    }

    fn or(&mut self) -> Parsed<Formula<'a>> {
        let mut left = self.and()?;
        while matches!(self.parser.peek(), Token::Bar | Token::BarBar) || self.at("or") {
            self.parser.count_operator()?;
            self.parser.bump();
            let right = self.and()?;
            left = both(Binary::Or, FormulaKind::Or, left, right);
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Formula<'a>> {
        let mut left = self.unary()?;
        while matches!(self.parser.peek(), Token::And | Token::AndAnd) || self.at("and") {
            self.parser.count_operator()?;
            self.parser.bump();
            let right = self.unary()?;
            left = both(Binary::And, FormulaKind::And, left, right);
        }
        Ok(left)
    }

    fn at(&self, word: &str) -> bool {
        self.parser.word() == Some(word)
    }

    /// What binds more than `&`.
    fn unary(&mut self) -> Parsed<Formula<'a>> {
        self.enter()?;
        let formula = self.prefixed();
        self.parser.nesting -= 1;
        formula
    }

    fn prefixed(&mut self) -> Parsed<Formula<'a>> {
        let start = self.parser.peek_span();
        let next = self.parser.peek_at(1).token;
        match (self.parser.peek(), self.parser.word()) {
            (Token::Bang, _) | (_, Some("not")) => {
                self.parser.bump();
                let operand = self.unary()?;
                Ok(negated(start, operand))
            }
            (Token::LeftBracket, _) if next == Token::RightBracket => {
                self.modal(Modality::Box, start)
            }
            (Token::Less, _) if next == Token::Greater => self.modal(Modality::Dia, start),
            (_, Some("mu" | "nu")) if self.logic == Logic::Mu => self.fixpoint(start),
            (_, Some("A" | "E")) if self.logic == Logic::Ctl && next == Token::LeftBracket => {
                self.path(start)
            }
            (_, Some(word)) if self.logic == Logic::Ctl && state_operator(word).is_some() => {
                self.state(start)
            }
            (_, Some(word)) if self.bound.contains(&word) => {
                let name = self.parser.take();
                Ok(Formula { kind: FormulaKind::Var(name), span: start })
            }
            (_, Some(word)) => match Special::named(word) {
                Some(special) => {
                    self.parser.bump();
                    Ok(Formula { kind: FormulaKind::Special(special), span: start })
                }
                None => self.comparison(),
            },
            (Token::LeftParen, _) => self.parenthesised(start),
            _ => self.comparison(),
        }
    }

    fn modal(&mut self, modality: Modality, start: Span) -> Parsed<Formula<'a>> {
        self.parser.position += 2;
        let body = Box::new(self.unary()?);
        let span = start.to(body.span);
        if self.logic != Logic::Mu {
            return Err(self.parser.sink.error(|| {
                support::Diagnostic::error(
                    "a step of the µ-calculus in CTL",
                    start,
                    "belongs to `--mu`",
                )
                .with_help("write `AX` or `EX`")
            }));
        }
        Ok(Formula { kind: FormulaKind::Modal(modality, body), span })
    }

    fn fixpoint(&mut self, start: Span) -> Parsed<Formula<'a>> {
        let kind = if self.at("mu") { Fix::Mu } else { Fix::Nu };
        self.parser.bump();
        let name = self.parser.name("a variable")?;
        self.parser.expect(Token::Dot, "`.`")?;
        self.bound.push(name.text);
        let body = self.formula();
        self.bound.pop();
        let body = Box::new(body?);
        let span = start.to(body.span);
        Ok(Formula { kind: FormulaKind::Fix(kind, name, body), span })
    }

    fn state(&mut self, start: Span) -> Parsed<Formula<'a>> {
        let operator = self.parser.word().and_then(state_operator);
        self.parser.bump();
        let body = Box::new(self.unary()?);
        let span = start.to(body.span);
        let (quantifier, operator) = operator.unwrap_or((Quantifier::All, StateOp::Next));
        Ok(Formula { kind: FormulaKind::State(quantifier, operator, body), span })
    }

    /// `A[f U g]`
    fn path(&mut self, start: Span) -> Parsed<Formula<'a>> {
        let quantifier = if self.at("A") { Quantifier::All } else { Quantifier::Exists };
        self.parser.position += 2;
        let left = self.formula()?;
        let Some(operator) = self.parser.word().and_then(path_operator) else {
            return Err(self.parser.unexpected("`U`, `R` or `W`"));
        };
        self.parser.bump();
        let right = self.formula()?;
        let end = self.parser.expect(Token::RightBracket, "`]`")?;
        let kind = FormulaKind::Path(quantifier, operator, Box::new([left, right]));
        Ok(Formula { kind, span: start.to(end) })
    }

    /// A formula, or a number that something follows: `(x + 1) * 2 == y`.
    fn parenthesised(&mut self, start: Span) -> Parsed<Formula<'a>> {
        self.parser.bump();
        let inner = self.formula()?;
        let end = self.parser.expect(Token::RightParen, "`)`")?;
        let span = start.to(end);
        match inner.kind {
            FormulaKind::Pure(expr) => self.compared(Expr { kind: expr.kind, span }),
            kind => Ok(Formula { kind, span }),
        }
    }

    fn comparison(&mut self) -> Parsed<Formula<'a>> {
        let left = self.parser.level(SUMS)?;
        match &left.kind {
            ExprKind::Reference(of) if self.parser.peek() == Token::Colon => {
                Err(self.parser.no_process(of.name))
            }
            _ => self.compared(left),
        }
    }

    /// What follows the first operand of a comparison.
    fn compared(&mut self, first: Expr<'a>) -> Parsed<Formula<'a>> {
        let mut left = first;
        // Products bind more than sums, and both more than comparisons.
        for level in (SUMS..LEVELS.len()).rev() {
            left = self.parser.chain(level, left)?;
        }
        let comparisons = LEVELS[5].iter().chain(LEVELS[6]);
        let equal = [(Token::Becomes, Binary::Eq)];
        let found = comparisons.chain(&equal).find(|(token, _)| *token == self.parser.peek());
        if let Some(&(_, operator)) = found {
            self.parser.bump();
            let right = self.parser.level(SUMS)?;
            left = binary(operator, left, right);
        }
        Ok(pure(left))
    }
}

fn pure(expr: Expr<'_>) -> Formula<'_> {
    Formula { span: expr.span, kind: FormulaKind::Pure(expr) }
}

fn negated(start: Span, operand: Formula<'_>) -> Formula<'_> {
    match operand.kind {
        FormulaKind::Pure(expr) => pure(unary(Unary::Not, start, expr)),
        kind => {
            let span = start.to(operand.span);
            let operand = Formula { kind, span: operand.span };
            Formula { kind: FormulaKind::Not(Box::new(operand)), span }
        }
    }
}

/// Two formulas as one, which is an expression if both are.
fn both<'a>(
    operator: Binary,
    kind: impl FnOnce(Box<[Formula<'a>; 2]>) -> FormulaKind<'a>,
    left: Formula<'a>,
    right: Formula<'a>,
) -> Formula<'a> {
    match (left.kind, right.kind) {
        (FormulaKind::Pure(a), FormulaKind::Pure(b)) => pure(binary(operator, a, b)),
        (a, b) => {
            let left = Formula { kind: a, span: left.span };
            let right = Formula { kind: b, span: right.span };
            joined(kind, left, right)
        }
    }
}

fn joined<'a>(
    kind: impl FnOnce(Box<[Formula<'a>; 2]>) -> FormulaKind<'a>,
    left: Formula<'a>,
    right: Formula<'a>,
) -> Formula<'a> {
    let span = left.span.to(right.span);
    Formula { kind: kind(Box::new([left, right])), span }
}
