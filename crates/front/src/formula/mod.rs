//! Formulas of all logics: from text to [`Surface`].
//!
//! Recursive descent, one call a pair of parentheses: chains of operators and of prefixes are loops,
//! so that only nesting costs stack, and nesting is limited.

mod actions;
mod climb;
mod data;
mod hints;
mod indices;
mod operand;
mod regular;
mod sorts;

use crate::cursor::Cursor;
use crate::lexer::{Comments, Token, lex};
use crate::sink::{Parsed, Reported};
use crate::tm::Scope;
use climb::climb;
use logic::{
    BinderId, DataVarId, Expr, ExprId, LinearOp, LinearPairOp, Logic, PathOp, Quantifier, StateOp,
    Surface, SurfaceBuilder,
};
use std::ops::Range;
use std::sync::Arc;
use support::{Diagnostic, FileId, Span};

/// How deep parentheses and fixpoints may be nested.
const MAX_NESTING: usize = 500;

/// Reads the formula that is the given part of a text: all of it for a formula of the command line.
///
/// All spans are positions in the whole text.
pub fn parse_formula(
    logic: Logic,
    file: FileId,
    text: &Arc<str>,
    part: Range<usize>,
) -> Result<Surface, Vec<Diagnostic>> {
    if let Some(error) = crate::too_long(file, text) {
        return Err(vec![error]);
    }
    let lexemes = lex(text, part, comments_of(logic));
    let mut cursor = Cursor::new(file, text, lexemes, "formula");
    let at_end = |cursor: &Cursor| cursor.peek() == Token::End;
    let surface = parse_at(&mut cursor, logic, text, &Scope::default(), at_end);
    let diagnostics = cursor.sink.into_diagnostics();
    match surface {
        Ok(surface) if diagnostics.is_empty() => Ok(surface),
        _ => Err(diagnostics),
    }
}

/// How a formula that stands alone is commented.
pub(crate) fn comments_of(logic: Logic) -> Comments {
    if logic.has_regular_formulas() { Comments::Mcrl2 } else { Comments::Native }
}

/// Reads the formula at the cursor, which has to end where `at_end` says so. If it is wrong, the
/// cursor stands somewhere within it. The values are those of names in indices.
pub(crate) fn parse_at<'a>(
    cursor: &mut Cursor<'a>,
    logic: Logic,
    text: &Arc<str>,
    values: &Scope<'a>,
    at_end: fn(&Cursor) -> bool,
) -> Parsed<Surface> {
    let mut parser = FormulaParser {
        cursor,
        logic,
        builder: SurfaceBuilder::default(),
        scope: Vec::new(),
        nesting: 0,
        step_nesting: 0,
        repaired: false,
        values,
        indices: Vec::new(),
        data_scope: Vec::new(),
        term_size: 0,
    };
    let specification = parser.specification()?;
    let root = parser.expression()?;
    if specification.is_some() && !parser.cursor.is_file() {
        parser.cursor.eat(Token::Semicolon);
    }
    if !at_end(parser.cursor) {
        return Err(parser.unexpected_after_operand());
    }
    if parser.repaired {
        return Err(Reported);
    }
    let text = parser.indices.is_empty().then(|| text.clone());
    let text = text.unwrap_or_else(|| parser.text_with_values());
    let surface = parser.builder.finish(logic, text, root.id);
    let span = specification.map_or(surface.span, |start| start.to(surface.span));
    Ok(Surface { span, ..surface })
}

struct FormulaParser<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    logic: Logic,
    builder: SurfaceBuilder,
    /// The fixpoint variables around the cursor, innermost last.
    scope: Vec<(&'a str, BinderId)>,
    nesting: usize,
    /// Nesting of parentheses within one modality.
    step_nesting: usize,
    /// A part was wrong and something else was put in its place, in order to go on.
    repaired: bool,
    /// The values of names in indices.
    values: &'c Scope<'a>,
    /// The indices of names, with brackets, and what they are for these values.
    indices: Vec<(Span, String)>,
    /// The variables for data around the cursor, innermost last.
    data_scope: Vec<(&'a str, DataVarId)>,
    /// The size so far of the term at the cursor.
    term_size: usize,
}

/// An expression and all the text that it took, parentheses included.
#[derive(Clone, Copy)]
struct Operand {
    id: ExprId,
    span: Span,
}

/// The infix operators from the loosest to the tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Infix {
    Iff,
    Implies,
    Or,
    And,
}

impl<'a> FormulaParser<'_, 'a> {
    fn expression(&mut self) -> Parsed<Operand> {
        climb(self, Self::linear_operand, Self::infix, Self::join)
    }

    /// `f U g` and its like bind more than `&` and go together from the left, as in NuSMV.
    fn linear_operand(&mut self) -> Parsed<Operand> {
        let mut left = self.operand()?;
        while let Some(op) = self.word().and_then(linear_pair_operator)
            && self.logic.has_linear_operators()
        {
            self.cursor.bump();
            let right = self.operand()?;
            let span = left.span.to(right.span);
            left = self.make(Expr::LinearPair(op, left.id, right.id), span);
        }
        Ok(left)
    }

    fn infix(&self) -> Option<Infix> {
        match self.cursor.peek() {
            Token::And => Some(Infix::And),
            Token::Bar | Token::BarBar => Some(Infix::Or),
            Token::Arrow | Token::FatArrow => Some(Infix::Implies),
            Token::Iff => Some(Infix::Iff),
            Token::Word => match self.word()? {
                "and" => Some(Infix::And),
                "or" => Some(Infix::Or),
                _ => None,
            },
            _ => None,
        }
    }

    fn join(&mut self, infix: Infix, operands: Vec<Operand>) -> Parsed<Operand> {
        let ids = operands.iter().map(|operand| operand.id).collect();
        Ok(match infix {
            Infix::And => self.make(Expr::And(ids), span_of(&operands)),
            Infix::Or => self.make(Expr::Or(ids), span_of(&operands)),
            Infix::Implies => self.join_from_right(operands),
            Infix::Iff => self.join_from_left(operands),
        })
    }

    fn join_from_right(&mut self, operands: Vec<Operand>) -> Operand {
        let joined = operands.into_iter().rev().reduce(|right, left| {
            self.make(Expr::Implies(left.id, right.id), left.span.to(right.span))
        });
        joined.expect("a chain has operands")
    }

    fn join_from_left(&mut self, operands: Vec<Operand>) -> Operand {
        let joined = operands.into_iter().reduce(|left, right| {
            self.make(Expr::Iff(left.id, right.id), left.span.to(right.span))
        });
        joined.expect("a chain has operands")
    }

    fn make(&mut self, expr: Expr, span: Span) -> Operand {
        Operand { id: self.builder.expr(expr, span), span }
    }

    /// The next token if it is a word. In mcf a dot is an operator and parts no word from another.
    fn word(&self) -> Option<&'a str> {
        if !self.logic.has_regular_formulas() {
            return self.cursor.peek_word();
        }
        let is_word = self.cursor.peek() == Token::Word && self.cursor.peek_at(1) != Token::Prime;
        is_word.then(|| self.cursor.peek_text())
    }

    /// Goes one level deeper, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == MAX_NESTING {
            let span = self.cursor.last_span();
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error(
                    format!("the formula is nested more than {MAX_NESTING} levels deep"),
                    span,
                    "one level too many begins here",
                )
                .with_help(
                    "chains such as `p & q & r` need no parentheses; name parts of the formula \
                     as properties of their own",
                )
            }));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }
}

fn span_of(operands: &[Operand]) -> Span {
    operands[0].span.to(operands[operands.len() - 1].span)
}

/// `AX`, `EF` and their like.
pub(crate) fn state_operator(word: &str) -> Option<(Quantifier, StateOp)> {
    let quantifier = match word.as_bytes().first()? {
        b'A' => Quantifier::All,
        b'E' => Quantifier::Exists,
        _ => return None,
    };
    let operator = match &word[1..] {
        "X" => StateOp::Next,
        "F" => StateOp::Finally,
        "G" => StateOp::Globally,
        _ => return None,
    };
    Some((quantifier, operator))
}

/// `X`, `F`, `G` and those of the past.
pub(crate) fn linear_operator(word: &str) -> Option<LinearOp> {
    Some(match word {
        "X" => LinearOp::Next,
        "F" => LinearOp::Finally,
        "G" => LinearOp::Globally,
        "Y" => LinearOp::Yesterday,
        "Z" => LinearOp::WeakYesterday,
        "O" => LinearOp::Once,
        "H" => LinearOp::Historically,
        _ => return None,
    })
}

/// `U`, `R` (or `V`), `W`, `S` and `T`.
pub(crate) fn linear_pair_operator(word: &str) -> Option<LinearPairOp> {
    Some(match word {
        "U" => LinearPairOp::Until,
        "R" | "V" => LinearPairOp::Release,
        "W" => LinearPairOp::WeakUntil,
        "S" => LinearPairOp::Since,
        "T" => LinearPairOp::Triggered,
        _ => return None,
    })
}

/// `A` and `E`.
pub(crate) fn quantifier(word: &str) -> Option<Quantifier> {
    match word {
        "A" => Some(Quantifier::All),
        "E" => Some(Quantifier::Exists),
        _ => None,
    }
}

/// The operator of linear time in `AX`, `EF` and their like.
pub(crate) fn linear(op: StateOp) -> LinearOp {
    match op {
        StateOp::Next => LinearOp::Next,
        StateOp::Finally => LinearOp::Finally,
        StateOp::Globally => LinearOp::Globally,
    }
}

/// `U`, `R` (or `V`) and `W`.
pub(crate) fn path_operator(word: &str) -> Option<PathOp> {
    match word {
        "U" => Some(PathOp::Until),
        "R" | "V" => Some(PathOp::Release),
        "W" => Some(PathOp::WeakUntil),
        _ => None,
    }
}
