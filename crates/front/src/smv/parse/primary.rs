//! Operands: constants, names, calls, sets, cases, paths, fixpoints.

use super::Parser;
use super::expr::RELATION;
use crate::climb::Climb;
use crate::sink::Parsed;
use crate::smv::ast::{Expr, ExprId, Function, Steps, WIDE_WORD};
use crate::smv::lexer::{Token, is_reserved, is_section};
use crate::smv::words;
use logic::{Quantifier, StateOp};
use support::Diagnostic;

/// The limit on the bounds of operators, which are written out.
const MOST_STEPS: u32 = 1000;

/// Functions of NuSMV and nuXmv that are not supported.
const UNSUPPORTED: [(&str, &str); 11] = [
    ("READ", "the function `READ`"),
    ("WRITE", "the function `WRITE`"),
    ("CONSTARRAY", "the function `CONSTARRAY`"),
    ("typeof", "the function `typeof`"),
    ("floor", "the function `floor`"),
    ("exp", "the function `exp`"),
    ("ln", "the function `ln`"),
    ("pow", "the function `pow`"),
    ("sin", "the function `sin`"),
    ("cos", "the function `cos`"),
    ("tan", "the function `tan`"),
];

impl<'a> Parser<'_, 'a> {
    pub(super) fn primary(&mut self) -> Parsed<ExprId> {
        let operand = match self.cursor.peek() {
            Token::Number => self.number_or_range()?,
            Token::Real => self.unsupported_token("a number with a fraction")?,
            Token::WordConstant => self.word_constant()?,
            Token::LeftParen => self.parentheses(Token::RightParen)?,
            Token::LeftBrace => self.set()?,
            Token::LeftBracket => self.array()?,
            Token::Word => self.primary_word()?,
            _ => return Err(self.unexpected_operand()),
        };
        self.postfix(operand)
    }

    fn primary_word(&mut self) -> Parsed<ExprId> {
        let word = self.cursor.peek_text();
        match word {
            "TRUE" | "FALSE" => {
                let span = self.cursor.bump();
                Ok(self.exprs.push(Expr::Bool(word == "TRUE"), span))
            }
            "case" => self.case(),
            "A" => self.path(Quantifier::All),
            "E" => self.path(Quantifier::Exists),
            "ABF" => self.within(Quantifier::All, StateOp::Finally),
            "ABG" => self.within(Quantifier::All, StateOp::Globally),
            "EBF" => self.within(Quantifier::Exists, StateOp::Finally),
            "EBG" => self.within(Quantifier::Exists, StateOp::Globally),
            "mu" | "nu" if self.is_mu() => self.fixpoint(),
            "init" | "word" => Err(self.unexpected_operand()),
            _ if self.cursor.peek_at(1) == Token::LeftParen
                && let Some((_, construct)) =
                    UNSUPPORTED.iter().find(|(name, _)| *name == word) =>
            {
                self.unsupported_call(construct)
            }
            _ => match Function::ALL.iter().find(|(text, ..)| *text == word) {
                Some(&(name, function, arity)) => self.call(name, function, arity),
                None if is_reserved(word) => Err(self.unexpected_operand()),
                None => {
                    let is_bound = self.bound.contains(&word);
                    let span = self.cursor.bump();
                    let expr = if is_bound { Expr::Bound(word) } else { Expr::Name(word) };
                    Ok(self.exprs.push(expr, span))
                }
            },
        }
    }

    /// `.name`, `[index]`, `[high:low]`
    pub(super) fn postfix(&mut self, mut operand: ExprId) -> Parsed<ExprId> {
        loop {
            let start = self.exprs.span(operand);
            match self.cursor.peek() {
                Token::Dot => {
                    self.cursor.bump();
                    let name = self.name("a name after the `.`")?;
                    let span = start.to(name.span);
                    operand = self.made(Expr::Dot(operand, name), span)?;
                }
                Token::LeftBracket if !self.is_modality() => {
                    self.cursor.bump();
                    let index = self.expression()?;
                    let low = match self.cursor.eat(Token::Colon) {
                        Some(_) => Some(self.expression()?),
                        None => None,
                    };
                    if self.cursor.peek() != Token::RightBracket {
                        return Err(self.unexpected_after("an operator or `]`"));
                    }
                    let span = start.to(self.cursor.bump());
                    let expr = match low {
                        Some(low) => Expr::Bits(operand, index, low),
                        None => Expr::Element(operand, index),
                    };
                    operand = self.made(expr, span)?;
                }
                _ => return Ok(operand),
            }
        }
    }

    /// `[]` of the µ-calculus cannot follow an operand, but its message should not be about indices.
    fn is_modality(&self) -> bool {
        self.is_mu() && self.cursor.peek_at(1) == Token::RightBracket
    }

    pub(super) fn number(&mut self) -> Parsed<ExprId> {
        let (text, span) = (self.cursor.peek_text(), self.cursor.peek_span());
        if self.cursor.peek() != Token::Number {
            return Err(self.cursor.unexpected("a number", None));
        }
        let value = text.parse().ok().filter(|&value: &i64| value <= transition::LARGEST);
        self.cursor.bump();
        match value {
            Some(value) => Ok(self.exprs.push(Expr::Int(value), span)),
            None => Err(self.cursor.sink.error(|| {
                Diagnostic::error("the number is too large", span, "not supported")
                    .with_help("numbers go up to 2^61; larger ones are written as words: `0ud64_…`")
            })),
        }
    }

    fn unsupported_token(&mut self, construct: &'static str) -> Parsed<ExprId> {
        let text = self.cursor.peek_text();
        let span = self.cursor.bump();
        Ok(self.exprs.push(Expr::Unsupported { construct, text }, span))
    }

    /// A call of a function of nuXmv, whose operands are expressions.
    fn unsupported_call(&mut self, construct: &'static str) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let open = self.cursor.bump();
        self.list(open, Token::RightParen, "an operator, `,` or `)`")?;
        let span = start.to(self.cursor.last_span());
        let text = self.text(span);
        Ok(self.exprs.push(Expr::Unsupported { construct, text }, span))
    }

    /// `1..5` is a set of numbers.
    fn number_or_range(&mut self) -> Parsed<ExprId> {
        if self.cursor.peek_text().parse().map_or(true, |value: i64| value > transition::LARGEST) {
            return self.unsupported_token("a number larger than 2^61");
        }
        let low = self.number()?;
        if self.is_bound || self.cursor.eat(Token::DotDot).is_none() {
            return Ok(low);
        }
        let high = match self.cursor.eat(Token::Minus) {
            None => self.number()?,
            Some(minus) => {
                let number = self.number()?;
                let span = minus.to(self.exprs.span(number));
                self.made(Expr::Neg(number), span)?
            }
        };
        self.make(Expr::Range(low, high), low, high)
    }

    /// `0ud8_255`: 0, the sign, the base, the width, the digits.
    fn word_constant(&mut self) -> Parsed<ExprId> {
        let (text, span) = (self.cursor.peek_text(), self.cursor.peek_span());
        let constant = words::constant(text);
        if constant == Err(words::TOO_WIDE) {
            return self.unsupported_token(WIDE_WORD);
        }
        self.cursor.bump();
        match constant {
            Ok((signed, width, value)) => {
                Ok(self.exprs.push(Expr::Word { signed, width, value }, span))
            }
            Err(why) => Err(self.cursor.sink.error(|| {
                Diagnostic::error(format!("`{text}` is no word"), span, why)
                    .with_help("a word is written for example `0ud8_255`, `-0sd8_1` or `0b4_1010`")
            })),
        }
    }

    fn set(&mut self) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let values = self.list(open, Token::RightBrace, "an operator, `,` or `}`")?;
        let span = open.to(self.cursor.last_span());
        self.made(Expr::Set(values), span)
    }

    /// `[a, b]`, the value of a definition.
    fn array(&mut self) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let values = self.list(open, Token::RightBracket, "an operator, `,` or `]`")?;
        let span = open.to(self.cursor.last_span());
        self.made(Expr::Array(values), span)
    }

    fn call(&mut self, name: &str, function: Function, arity: Option<usize>) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        if self.cursor.peek() != Token::LeftParen {
            let help = format!("`{name}` is written with its operand in parentheses: `{name}(x)`");
            return Err(self.cursor.unexpected("`(`", Some(&help)));
        }
        let open = self.cursor.bump();
        let operands = self.list(open, Token::RightParen, "an operator, `,` or `)`")?;
        let span = start.to(self.cursor.last_span());
        if let Some(wanted) = arity
            && wanted != operands.len()
        {
            let count = operands.len();
            return Err(self.cursor.sink.error(|| {
                let message = format!("`{name}` takes {wanted} operands and not {count}");
                Diagnostic::error(message, span, format!("{count} operands"))
            }));
        }
        self.made(Expr::Call(function, operands), span)
    }

    fn case(&mut self) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let mut branches = Vec::new();
        while !self.at_word("esac") {
            if self.cursor.peek() == Token::End || self.word().is_some_and(is_section) {
                return Err(self.unclosed(start, "a condition or `esac`", "this"));
            }
            let condition = self.expression()?;
            if self.cursor.eat(Token::Colon).is_none() {
                return Err(self.unexpected_after("an operator, or `:` and a value"));
            }
            let value = self.expression()?;
            branches.push((condition, value));
            if self.cursor.eat(Token::Semicolon).is_none() {
                return Err(self.unexpected_after("an operator or `;`"));
            }
        }
        let span = start.to(self.cursor.bump());
        if branches.is_empty() {
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error("a `case` without conditions", span, "nothing to choose from")
                    .with_help("write for example `case x = 0 : 1; TRUE : 0; esac`")
            }));
        }
        self.made(Expr::Case(branches), span)
    }

    /// `EBF 1..3 f` and its relatives.
    fn within(&mut self, quantifier: Quantifier, op: StateOp) -> Parsed<ExprId> {
        if self.linear_level().is_some() {
            let help = "write the steps out by `X`, or ask in CTL";
            return Err(self.cursor.unexpected("an operator of linear time", Some(help)));
        }
        let start = self.cursor.bump();
        let steps = self.steps()?;
        let body = self.level(RELATION)?;
        let span = start.to(self.cursor.last_span());
        self.made(Expr::StateWithin(quantifier, op, steps, body), span)
    }

    /// `1..3`, the states of a path that an operator is about.
    pub(super) fn steps(&mut self) -> Parsed<Steps> {
        const HELP: &str = "the bounds are written for example `1..3`";
        let start = self.cursor.peek_span();
        let mut bounds = [0; 2];
        for (number, bound) in bounds.iter_mut().enumerate() {
            if number == 1 && self.cursor.eat(Token::DotDot).is_none() {
                return Err(self.cursor.unexpected("`..` between the bounds", Some(HELP)));
            }
            if self.cursor.peek() != Token::Number {
                return Err(self.cursor.unexpected("a number of steps", Some(HELP)));
            }
            let number = self.number()?;
            *bound = match self.exprs.get(number) {
                Expr::Int(value) => *value,
                _ => 0,
            };
        }
        let [from, to] = bounds;
        let span = start.to(self.cursor.last_span());
        match (u32::try_from(from), u32::try_from(to)) {
            (Ok(from), Ok(to)) if from <= to && to <= MOST_STEPS => Ok(Steps { from, to }),
            _ => Err(self.cursor.sink.error(|| match from > to {
                true => Diagnostic::error("the bounds are empty", span, "there is no such step")
                    .with_help(format!("write the smaller one first: `{to}..{from}`")),
                false => Diagnostic::error("the bound is too large", span, "so many steps")
                    .with_help(format!("at most {MOST_STEPS} steps can be counted: leave the bounds away, or count in a variable")),
            })),
        }
    }
}
