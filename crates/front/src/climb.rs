//! Precedence climbing over a table of operators, for the languages whose formulas have expressions as atoms.

use crate::cursor::Cursor;
use crate::formula::{linear_pair_operator, path_operator};
use crate::lexer::TokenKind;
use crate::sink::{Parsed, Reported};
use crate::syntax::{Expr, ExprId, Exprs, Infix, Name, Steps};
use logic::{Fix, Quantifier};
use support::Span;

/// A parser of expressions. Each call is a level of nesting, which is limited.
pub(crate) trait Climb<'a>: Sized {
    type Token: TokenKind;
    /// How deep expressions may be nested.
    const DEEPEST: usize;
    /// How many calls may be open, those for commands around an expression included: all take from one stack.
    const MOST_CALLS: usize;
    /// Help for a formula that nests too deeply.
    const NAME_PARTS: &'static str;
    /// The level of comparisons, if there is one comparison at a time.
    const SINGLE: Option<u8>;
    const OPEN_BRACKET: Self::Token;
    const CLOSE_BRACKET: Self::Token;
    const COMMA: Self::Token;
    const COLON: Self::Token;
    const DOT: Self::Token;
    /// The operators between the two formulas of a path, for messages.
    const PATH_OPERATORS: &'static str;

    /// The infix operator of this text, and how strongly it binds.
    fn infix(text: &str) -> Option<(Infix, u8)>;
    fn cursor(&mut self) -> &mut Cursor<'a, Self::Token>;
    fn exprs(&mut self) -> &mut Exprs<'a>;
    /// How many calls are open.
    fn calls(&mut self) -> &mut usize;
    /// The fixpoint variables around the cursor, innermost last.
    fn bound(&mut self) -> &mut Vec<&'a str>;
    /// Prefixes and what they stand before.
    fn operand(&mut self) -> Parsed<ExprId>;
    fn new_name(&mut self, wanted: &str) -> Parsed<Name<'a>>;
    /// Behind a whole expression stands something that cannot go on with it.
    fn unexpected_after(&mut self, wanted: &str) -> Reported;
    /// Something that was opened is not closed where it should be.
    fn unclosed(&mut self, open: Span, wanted: &str, what: &str) -> Reported;

    /// The bounds of an `U` with bounds between the two formulas of a path, if one stands here.
    fn bounds_of_until(&mut self) -> Parsed<Option<Steps>> {
        Ok(None)
    }

    /// How strongly `U` and its like bind, if this is a formula of linear time.
    fn linear_level(&self) -> Option<u8> {
        None
    }

    fn expression(&mut self) -> Parsed<ExprId> {
        self.level(0)
    }

    /// Operators of this level and of tighter ones.
    fn level(&mut self, least: u8) -> Parsed<ExprId> {
        if *self.calls() >= Self::MOST_CALLS {
            return Err(self.nested_too_deep());
        }
        *self.calls() += 1;
        let parsed = self.operators(least);
        *self.calls() -= 1;
        parsed
    }

    fn nested_too_deep(&mut self) -> Reported {
        self.cursor().too_deep("the expression is", Self::DEEPEST, Self::NAME_PARTS)
    }

    fn operators(&mut self, least: u8) -> Parsed<ExprId> {
        let mut left = self.operand()?;
        loop {
            if let Some(level) = self.linear_level().filter(|level| *level >= least)
                && let Some(op) = linear_pair_operator(self.cursor().peek_text())
            {
                self.cursor().bump();
                let right = self.level(level + 1)?;
                left = self.make(Expr::LinearPair(op, left, right), left, right)?;
                continue;
            }
            let next = Self::infix(self.cursor().peek_text());
            let Some((infix, level)) = next.filter(|(_, level)| *level >= least) else {
                return Ok(left);
            };
            left = match infix {
                Infix::Implies => {
                    self.cursor().bump();
                    let right = self.level(level)?;
                    self.make(Expr::Implies(left, right), left, right)?
                }
                Infix::Cond => {
                    self.cursor().bump();
                    let then = self.level(level)?;
                    if self.cursor().eat(Self::COLON).is_none() {
                        let wanted = "an operator, or `:` and what it is otherwise";
                        return Err(self.unexpected_after(wanted));
                    }
                    let otherwise = self.level(level)?;
                    self.make(Expr::Cond(left, then, otherwise), left, otherwise)?
                }
                _ => self.chain(left, level)?,
            };
        }
    }

    /// A run of operators of one level.
    fn chain(&mut self, first: ExprId, level: u8) -> Parsed<ExprId> {
        let mut rest = Vec::new();
        let mut last = first;
        while let Some((infix, _)) =
            Self::infix(self.cursor().peek_text()).filter(|(_, other)| *other == level)
        {
            if Self::SINGLE == Some(level) && !rest.is_empty() {
                let help = "compare two at a time: `a < b & b < c`";
                return Err(self.cursor().unexpected("one comparison", Some(help)));
            }
            self.cursor().bump();
            last = self.level(level + 1)?;
            rest.push((infix, last));
        }
        self.make(Expr::Chain(first, rest), first, last)
    }

    fn make(&mut self, expr: Expr<'a>, from: ExprId, to: ExprId) -> Parsed<ExprId> {
        let span = self.exprs().span(from).to(self.exprs().span(to));
        self.made(expr, span)
    }

    fn made(&mut self, expr: Expr<'a>, span: Span) -> Parsed<ExprId> {
        let id = self.exprs().push(expr, span);
        if self.exprs().depth(id) as usize > 2 * Self::DEEPEST {
            return Err(self.nested_too_deep());
        }
        Ok(id)
    }

    fn parentheses(&mut self, close: Self::Token) -> Parsed<ExprId> {
        let open = self.cursor().bump();
        let inner = self.expression()?;
        match self.cursor().eat(close) {
            Some(close) => {
                self.exprs().set_span(inner, open.to(close));
                Ok(inner)
            }
            None => Err(self.unclosed(open, "an operator or `)`", "this parenthesis")),
        }
    }

    /// Expressions with commas between them.
    fn listed(&mut self) -> Parsed<Vec<ExprId>> {
        let mut values = vec![self.expression()?];
        while self.cursor().eat(Self::COMMA).is_some() {
            values.push(self.expression()?);
        }
        Ok(values)
    }

    /// Expressions up to what closes them.
    fn list(&mut self, open: Span, close: Self::Token, wanted: &str) -> Parsed<Vec<ExprId>> {
        let values = self.listed()?;
        match self.cursor().eat(close) {
            Some(_) => Ok(values),
            None => Err(self.unclosed(open, wanted, "this bracket")),
        }
    }

    /// `A[f U g]` and its relatives.
    fn path(&mut self, quantifier: Quantifier) -> Parsed<ExprId> {
        let start = self.cursor().bump();
        let letter = if quantifier == Quantifier::All { 'A' } else { 'E' };
        let Some(open) = self.cursor().eat(Self::OPEN_BRACKET) else {
            let help =
                format!("write `{letter}[f U g]`, or `{letter}G f`, `{letter}F f`, `{letter}X f`");
            return Err(self.cursor().unexpected("`[` and a path formula", Some(&help)));
        };
        let left = self.expression()?;
        let expr = match self.bounds_of_until()? {
            Some(steps) => Expr::UntilWithin(quantifier, steps, left, self.expression()?),
            None => {
                let Some(op) = path_operator(self.cursor().peek_text()) else {
                    return Err(self.unexpected_after(Self::PATH_OPERATORS));
                };
                self.cursor().bump();
                Expr::Path(quantifier, op, left, self.expression()?)
            }
        };
        match self.cursor().eat(Self::CLOSE_BRACKET) {
            Some(close) => self.made(expr, start.to(close)),
            None => Err(self.unclosed(open, "an operator or `]`", "this bracket")),
        }
    }

    /// `mu Z. f`, the body as far to the right as possible.
    fn fixpoint(&mut self) -> Parsed<ExprId> {
        let word = self.cursor().peek_text();
        let kind = if word == "mu" { Fix::Mu } else { Fix::Nu };
        let start = self.cursor().bump();
        let name = self.new_name("the variable of the fixpoint")?;
        if self.cursor().eat(Self::DOT).is_none() {
            let help = format!("write `{word} {}. f`", name.text);
            return Err(self.cursor().unexpected("`.` after the variable", Some(&help)));
        }
        self.bound().push(name.text);
        let body = self.expression();
        self.bound().pop();
        let body = body?;
        let span = start.to(self.exprs().span(body));
        self.made(Expr::Fix(kind, name, body), span)
    }
}
