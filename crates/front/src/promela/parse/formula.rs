//! Formulas of CTL, LTL, CTL* and of the µ-calculus, whose propositions are expressions of Promela.
//!
//! `&` and `|` join formulas, as everywhere in formulas; the operators on bits are not to be had.

use super::super::ast::{Expr, ExprKind};
use super::super::lexer::{Lexeme, Token};
use super::super::program::{PromelaBinary, PromelaUnary};
use super::Parser;
use super::expr::{BITS, LEVELS, SUMS, binary, unary};
use crate::formula::{
    linear_operator, linear_pair_operator, path_operator, quantifier, state_operator,
};
use crate::sink::{Parsed, Sink};
use crate::syntax::{Expr as Syntax, ExprId, Exprs, Infix};
use logic::{Fix, LinearOp, LinearPairOp, Logic, Modality, Quantifier, StateOp};
use rustc_hash::FxHashSet;
use support::Span;

/// A proposition that is no expression of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::promela) enum Special {
    AssertionFailed,
    RuntimeError,
    InvalidEnd,
    /// `np_`: something can happen, and no process is at a `progress` label.
    NonProgress,
}

impl Special {
    fn named(word: &str) -> Option<Self> {
        match word {
            "assertion_failed" => Some(Special::AssertionFailed),
            // The second name is that of earlier versions.
            "runtime_error" | "model_error" => Some(Special::RuntimeError),
            "invalid_end" => Some(Special::InvalidEnd),
            "np_" => Some(Special::NonProgress),
            _ => None,
        }
    }
}

/// A formula whose atoms are expressions of Promela.
pub(in crate::promela) struct Formula<'a> {
    pub exprs: Exprs<'a>,
    pub root: ExprId,
    /// By the numbers that they have in the formula.
    pub atoms: Vec<Atom<'a>>,
}

pub(in crate::promela) enum Atom<'a> {
    /// Without temporal operators, and as large as it can be.
    Pure(Expr<'a>),
    Special(Special),
}

/// A part of a formula: an expression as long as it is one.
enum Part<'a> {
    Pure(Expr<'a>),
    Formula(ExprId),
}

/// Whose grammar a formula has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::promela) enum Grammar {
    /// Ours, which is NuSMV's: `&` and `|` join formulas.
    Common,
    /// That of `ltl` blocks: `&` and `|` are operators on bits, implications associate to the left, there are no
    /// operators of the past, and operators have names.
    Spin,
}

impl Grammar {
    fn linear(self, word: &str) -> Option<LinearOp> {
        match (self, word) {
            (Grammar::Common, _) => linear_operator(word),
            (Grammar::Spin, "X" | "next") => Some(LinearOp::Next),
            (Grammar::Spin, "always") => Some(LinearOp::Globally),
            (Grammar::Spin, "eventually") => Some(LinearOp::Finally),
            (Grammar::Spin, _) => None,
        }
    }

    fn linear_pair(self, word: &str) -> Option<LinearPairOp> {
        match (self, word) {
            (Grammar::Common, _) => linear_pair_operator(word),
            (Grammar::Spin, "U" | "until" | "stronguntil") => Some(LinearPairOp::Until),
            (Grammar::Spin, "V" | "release") => Some(LinearPairOp::Release),
            (Grammar::Spin, "W" | "weakuntil") => Some(LinearPairOp::WeakUntil),
            (Grammar::Spin, _) => None,
        }
    }
}

pub(in crate::promela) fn parse_formula<'a>(
    (logic, grammar): (Logic, Grammar),
    lexemes: Vec<Lexeme<'a>>,
    proctypes: FxHashSet<&'a str>,
    sink: &mut Sink,
) -> Option<Formula<'a>> {
    let parser = Parser::new(lexemes, proctypes, sink);
    let (exprs, atoms, bound) = (Exprs::default(), Vec::new(), Vec::new());
    let mut parser = FormulaParser { parser, logic, grammar, bound, exprs, atoms };
    let formula = parser.formula().ok()?;
    if parser.parser.peek() != Token::End {
        parser.parser.unexpected("an operator or the end of the formula");
        return None;
    }
    let root = parser.id(formula);
    Some(Formula { exprs: parser.exprs, root, atoms: parser.atoms })
}

struct FormulaParser<'a, 's> {
    parser: Parser<'a, 's>,
    logic: Logic,
    grammar: Grammar,
    /// The fixpoint variables around, innermost last.
    bound: Vec<&'a str>,
    exprs: Exprs<'a>,
    atoms: Vec<Atom<'a>>,
}

impl<'a> FormulaParser<'a, '_> {
    fn formula(&mut self) -> Parsed<Part<'a>> {
        self.enter()?;
        let formula = match self.grammar {
            Grammar::Common => self.iff(),
            Grammar::Spin => self.implications(),
        };
        self.parser.nesting -= 1;
        formula
    }

    fn enter(&mut self) -> Parsed<()> {
        self.parser.nested(|_| Ok(()))?;
        self.parser.nesting += 1;
        Ok(())
    }

    /// `->` and `<->` as Spin has them: from the left, and alike.
    fn implications(&mut self) -> Parsed<Part<'a>> {
        let mut left = self.or()?;
        loop {
            let is_implication = match (self.parser.peek(), self.parser.word()) {
                (Token::Arrow, _) | (_, Some("implies")) => true,
                (Token::Iff, _) | (_, Some("equivalent")) => false,
                _ => return Ok(left),
            };
            self.parser.count_operator()?;
            self.parser.bump();
            let right = self.or()?;
            left = match is_implication {
                false => self.joined(Infix::Iff, left, right),
                true => {
                    let (left, right) = (self.id(left), self.id(right));
                    let span = self.exprs.span(left).to(self.exprs.span(right));
                    self.made(Syntax::Implies(left, right), span)
                }
            };
        }
    }

    /// Whether formulas are joined here: by the operator of C, or by one of our spellings.
    fn at_join(&self, operator: Token, short: Token, word: &str) -> bool {
        let is_common = self.grammar == Grammar::Common;
        let next = self.parser.peek();
        next == operator || (is_common && (next == short || self.at(word)))
    }

    fn iff(&mut self) -> Parsed<Part<'a>> {
        let mut left = self.implies()?;
        while self.parser.eat(Token::Iff).is_some() {
            self.parser.count_operator()?;
            let right = self.implies()?;
            left = self.joined(Infix::Iff, left, right);
        }
        Ok(left)
    }

    fn implies(&mut self) -> Parsed<Part<'a>> {
        let left = self.or()?;
        let is_there = matches!(self.parser.peek(), Token::Arrow | Token::FatArrow);
        if !is_there {
            return Ok(left);
        }
        self.parser.bump();
        self.enter()?;
        let right = self.implies();
        self.parser.nesting -= 1;
        let (left, right) = (self.id(left), self.id(right?));
        let span = self.exprs.span(left).to(self.exprs.span(right));
        Ok(self.made(Syntax::Implies(left, right), span))
    }

    fn or(&mut self) -> Parsed<Part<'a>> {
        let mut left = self.and()?;
        while self.at_join(Token::BarBar, Token::Bar, "or") {
            self.parser.count_operator()?;
            self.parser.bump();
            let right = self.and()?;
            left = self.both(PromelaBinary::Or, Infix::Or, left, right);
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Part<'a>> {
        let mut left = self.linear()?;
        while self.at_join(Token::AndAnd, Token::And, "and") {
            self.parser.count_operator()?;
            self.parser.bump();
            let right = self.linear()?;
            left = self.both(PromelaBinary::And, Infix::And, left, right);
        }
        Ok(left)
    }

    /// `f U g` and its like, from the left.
    fn linear(&mut self) -> Parsed<Part<'a>> {
        let mut left = self.unary()?;
        let grammar = self.grammar;
        while let Some(op) = self.parser.word().and_then(|word| grammar.linear_pair(word))
            && self.logic.has_linear_operators()
        {
            self.parser.count_operator()?;
            self.parser.bump();
            let right = self.unary()?;
            let (a, b) = (self.id(left), self.id(right));
            let span = self.exprs.span(a).to(self.exprs.span(b));
            left = self.made(Syntax::LinearPair(op, a, b), span);
        }
        Ok(left)
    }

    fn at(&self, word: &str) -> bool {
        self.parser.word() == Some(word)
    }

    /// An operand of `&`.
    fn unary(&mut self) -> Parsed<Part<'a>> {
        self.enter()?;
        let formula = self.prefixed();
        self.parser.nesting -= 1;
        formula
    }

    fn prefixed(&mut self) -> Parsed<Part<'a>> {
        let start = self.parser.peek_span();
        let next = self.parser.peek_at(1).token;
        let word = self.parser.word();
        let is_linear = self.logic.has_linear_operators();
        let grammar = self.grammar;
        if let Some(op) = word.and_then(|word| grammar.linear(word)).filter(|_| is_linear) {
            self.parser.bump();
            let (body, span) = self.body(start)?;
            return Ok(self.made(Syntax::Linear(op, body), span));
        }
        let quantifies = self.logic.quantifies_over_path_formulas();
        if let Some(quantifier) = word.and_then(quantifier).filter(|_| quantifies) {
            self.parser.bump();
            let (body, span) = self.body(start)?;
            return Ok(self.made(Syntax::Quantified(quantifier, body), span));
        }
        match (self.parser.peek(), self.parser.word()) {
            // There `!x == y` compares `!x`.
            (Token::Bang, _)
                if grammar == Grammar::Spin && matches!(next, Token::Word | Token::Number) =>
            {
                self.comparison()
            }
            (Token::Bang, _) | (_, Some("not")) => {
                self.parser.bump();
                let operand = self.unary()?;
                Ok(match operand {
                    Part::Pure(expr) => Part::Pure(unary(PromelaUnary::Not, start, expr)),
                    Part::Formula(id) => self.made(Syntax::Not(id), start.to(self.exprs.span(id))),
                })
            }
            (Token::LeftBracket, _) if next == Token::RightBracket => {
                self.modal(Modality::Box, start)
            }
            (Token::Less, _) if next == Token::Greater => self.modal(Modality::Dia, start),
            (_, Some("mu" | "nu")) if self.logic.has_fixpoints() => self.fixpoint(start),
            (_, Some("A" | "E"))
                if self.logic.has_path_quantifiers() && next == Token::LeftBracket =>
            {
                self.path(start)
            }
            (_, Some(word))
                if self.logic.has_path_quantifiers() && state_operator(word).is_some() =>
            {
                self.state(start)
            }
            (_, Some(word)) if self.bound.contains(&word) => {
                self.parser.bump();
                Ok(self.made(Syntax::Bound(word), start))
            }
            (_, Some(word)) => match Special::named(word) {
                Some(special) => {
                    self.parser.bump();
                    Ok(self.atom(Atom::Special(special), start))
                }
                None => self.comparison(),
            },
            (Token::LeftParen, _) => self.parenthesised(start),
            _ => self.comparison(),
        }
    }

    /// The operand of a prefix, and the place of both.
    fn body(&mut self, start: Span) -> Parsed<(ExprId, Span)> {
        let body = self.unary()?;
        let body = self.id(body);
        Ok((body, start.to(self.exprs.span(body))))
    }

    fn modal(&mut self, modality: Modality, start: Span) -> Parsed<Part<'a>> {
        self.parser.position += 2;
        let (body, span) = self.body(start)?;
        // Spin's spellings of `G` and `F`.
        if self.logic.has_linear_operators() {
            let op = match modality {
                Modality::Box => LinearOp::Globally,
                Modality::Dia => LinearOp::Finally,
            };
            return Ok(self.made(Syntax::Linear(op, body), span));
        }
        if !self.logic.has_fixpoints() {
            return Err(self.parser.sink.error(|| {
                support::Diagnostic::error(
                    "a step of the µ-calculus in CTL",
                    start,
                    "belongs to `--mu`",
                )
                .with_help("write `AX` or `EX`")
            }));
        }
        Ok(self.made(Syntax::Modal(modality, body), span))
    }

    fn fixpoint(&mut self, start: Span) -> Parsed<Part<'a>> {
        let kind = if self.at("mu") { Fix::Mu } else { Fix::Nu };
        self.parser.bump();
        let name = self.parser.name("a variable")?;
        self.parser.expect(Token::Dot, "`.`")?;
        self.bound.push(name.text);
        let body = self.formula();
        self.bound.pop();
        let body = self.id(body?);
        let span = start.to(self.exprs.span(body));
        Ok(self.made(Syntax::Fix(kind, name, body), span))
    }

    fn state(&mut self, start: Span) -> Parsed<Part<'a>> {
        let operator = self.parser.word().and_then(state_operator);
        self.parser.bump();
        let body = self.unary()?;
        let body = self.id(body);
        let span = start.to(self.exprs.span(body));
        let (quantifier, operator) = operator.unwrap_or((Quantifier::All, StateOp::Next));
        Ok(self.made(Syntax::State(quantifier, operator, body), span))
    }

    /// `A[f U g]`
    fn path(&mut self, start: Span) -> Parsed<Part<'a>> {
        let quantifier = if self.at("A") { Quantifier::All } else { Quantifier::Exists };
        self.parser.position += 2;
        let left = self.formula()?;
        let left = self.id(left);
        let Some(operator) = self.parser.word().and_then(path_operator) else {
            return Err(self.parser.unexpected("`U`, `R` or `W`"));
        };
        self.parser.bump();
        let right = self.formula()?;
        let right = self.id(right);
        let end = self.parser.expect(Token::RightBracket, "`]`")?;
        Ok(self.made(Syntax::Path(quantifier, operator, left, right), start.to(end)))
    }

    /// A formula, or a number that something follows: `(x + 1) * 2 == y`.
    fn parenthesised(&mut self, start: Span) -> Parsed<Part<'a>> {
        self.parser.bump();
        let inner = self.formula()?;
        let end = self.parser.expect(Token::RightParen, "`)`")?;
        let span = start.to(end);
        match inner {
            Part::Pure(expr) => self.compared(Expr { kind: expr.kind, span }),
            Part::Formula(id) => {
                self.exprs.set_span(id, span);
                Ok(inner)
            }
        }
    }

    fn comparison(&mut self) -> Parsed<Part<'a>> {
        let left = self.parser.level(self.first_level())?;
        match &left.kind {
            ExprKind::Reference(of) if self.parser.peek() == Token::Colon => {
                Err(self.parser.no_process(of.name))
            }
            _ => self.compared(left),
        }
    }

    /// The rest of a comparison after its first operand.
    fn compared(&mut self, first: Expr<'a>) -> Parsed<Part<'a>> {
        let mut left = first;
        // Products bind more than sums, and both more than comparisons.
        for level in (self.first_level()..LEVELS.len()).rev() {
            left = self.parser.chain(level, left)?;
        }
        if self.grammar == Grammar::Spin {
            return Ok(Part::Pure(left));
        }
        let comparisons = LEVELS[5].iter().chain(LEVELS[6]);
        let equal = [(Token::Becomes, PromelaBinary::Eq)];
        let found = comparisons.chain(&equal).find(|(token, _)| *token == self.parser.peek());
        if let Some(&(_, operator)) = found {
            self.parser.bump();
            let right = self.parser.level(SUMS)?;
            left = binary(operator, left, right);
        }
        Ok(Part::Pure(left))
    }

    /// The level of the operators that bind least in a proposition: all but `&&` and `||`, or those on numbers.
    fn first_level(&self) -> usize {
        match self.grammar {
            Grammar::Common => SUMS,
            Grammar::Spin => BITS,
        }
    }

    fn made(&mut self, expr: Syntax<'a>, span: Span) -> Part<'a> {
        Part::Formula(self.exprs.push(expr, span))
    }

    fn atom(&mut self, atom: Atom<'a>, span: Span) -> Part<'a> {
        self.atoms.push(atom);
        self.made(Syntax::Atom(self.atoms.len() as u32 - 1), span)
    }

    /// The part as a formula.
    fn id(&mut self, part: Part<'a>) -> ExprId {
        match part {
            Part::Formula(id) => id,
            Part::Pure(expr) => {
                let span = expr.span;
                let atom = self.atom(Atom::Pure(expr), span);
                self.id(atom)
            }
        }
    }

    /// Two formulas as one, which is an expression if both are.
    fn both(
        &mut self,
        operator: PromelaBinary,
        infix: Infix,
        left: Part<'a>,
        right: Part<'a>,
    ) -> Part<'a> {
        match (left, right) {
            (Part::Pure(a), Part::Pure(b)) => Part::Pure(binary(operator, a, b)),
            (left, right) => self.joined(infix, left, right),
        }
    }

    fn joined(&mut self, infix: Infix, left: Part<'a>, right: Part<'a>) -> Part<'a> {
        let (left, right) = (self.id(left), self.id(right));
        let span = self.exprs.span(left).to(self.exprs.span(right));
        self.made(Syntax::Chain(left, vec![(infix, right)]), span)
    }
}
