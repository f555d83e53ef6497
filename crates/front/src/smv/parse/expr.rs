//! Expressions, those of properties included: what may stand where is looked at later.

use super::Parser;
use crate::sink::{Parsed, Reported};
use crate::smv::ast::{Expr, ExprId, Function, Infix};
use crate::smv::lexer::{Token, is_reserved, is_section};
use base::{Diagnostic, Span};
use logic::{Fix, Modality, PathOp, Quantifier, StateOp};

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
        let span = self.cursor.peek_span();
        self.cursor.sink.error(|| {
            let message = format!("the expression is nested more than {MAX_NESTING} levels deep");
            Diagnostic::error(message, span, "one level too many begins here")
                .with_help("name parts of it by `DEFINE`")
        })
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

    fn make(&mut self, expr: Expr<'a>, from: ExprId, to: ExprId) -> Parsed<ExprId> {
        let span = self.exprs.span(from).to(self.exprs.span(to));
        self.made(expr, span)
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
        use {Quantifier::*, StateOp::*};
        let next = self.cursor.peek_at(1);
        Some(match self.cursor.peek() {
            Token::Minus => Prefix::Neg,
            Token::LeftBracket if self.is_mu && next == Token::RightBracket => {
                Prefix::Modal(Modality::Box)
            }
            Token::Less if self.is_mu && next == Token::Greater => Prefix::Modal(Modality::Dia),
            Token::Word => match self.cursor.peek_text() {
                "AX" => Prefix::State(All, Next),
                "EX" => Prefix::State(Exists, Next),
                "AF" => Prefix::State(All, Finally),
                "EF" => Prefix::State(Exists, Finally),
                "AG" => Prefix::State(All, Globally),
                "EG" => Prefix::State(Exists, Globally),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn take_prefix(&mut self, prefix: &Prefix) -> Span {
        let span = self.cursor.bump();
        if let Prefix::Modal(_) = prefix { span.to(self.cursor.bump()) } else { span }
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let operand = match self.cursor.peek() {
            Token::Number => self.number_or_range()?,
            Token::WordConstant => self.word_constant()?,
            Token::LeftParen => self.parentheses()?,
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
            "ABF" | "ABG" | "EBF" | "EBG" => Err(self.bounded()),
            "mu" | "nu" if self.is_mu => self.fixpoint(),
            "init" | "word" => Err(self.unexpected_operand()),
            _ => match Function::ALL.iter().find(|(text, _)| *text == word) {
                Some(&(_, function)) => self.call(function),
                None if is_reserved(word) => Err(self.unexpected_operand()),
                None => {
                    let span = self.cursor.bump();
                    Ok(self.exprs.push(Expr::Name(word), span))
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
                        None => Expr::Index(operand, index),
                    };
                    operand = self.made(expr, span)?;
                }
                _ => return Ok(operand),
            }
        }
    }

    /// `[]` of the µ-calculus cannot follow an operand, but its message should not be about indices.
    fn is_modality(&self) -> bool {
        self.is_mu && self.cursor.peek_at(1) == Token::RightBracket
    }

    pub(super) fn number(&mut self) -> Parsed<ExprId> {
        let (text, span) = (self.cursor.peek_text(), self.cursor.peek_span());
        if self.cursor.peek() != Token::Number {
            return Err(self.cursor.unexpected("a number", None));
        }
        let value = text.parse().ok().filter(|&value: &i64| value <= machine::LARGEST);
        self.cursor.bump();
        match value {
            Some(value) => Ok(self.exprs.push(Expr::Int(value), span)),
            None => Err(self.cursor.sink.error(|| {
                Diagnostic::error("the number is too large", span, "not supported")
                    .with_help("numbers go up to 2^61; larger ones are written as words: `0ud64_…`")
            })),
        }
    }

    /// `1..5` is a set of numbers.
    fn number_or_range(&mut self) -> Parsed<ExprId> {
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
        self.cursor.bump();
        match super::super::words::constant(text) {
            Ok((signed, width, value)) => {
                Ok(self.exprs.push(Expr::Word { signed, width, value }, span))
            }
            Err(why) => Err(self.cursor.sink.error(|| {
                Diagnostic::error(format!("`{text}` is no word"), span, why)
                    .with_help("a word is written for example `0ud8_255`, `-0sd8_1` or `0b4_1010`")
            })),
        }
    }

    fn parentheses(&mut self) -> Parsed<ExprId> {
        let open = self.cursor.bump();
        let inner = self.expression()?;
        if self.cursor.peek() != Token::RightParen {
            return Err(self.unclosed(open, "an operator or `)`"));
        }
        let close = self.cursor.bump();
        self.exprs.set_span(inner, open.to(close));
        Ok(inner)
    }

    fn unclosed(&mut self, open: Span, wanted: &str) -> Reported {
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

    fn list(&mut self, open: Span, close: Token, wanted: &str) -> Parsed<Vec<ExprId>> {
        let mut values = Vec::new();
        loop {
            values.push(self.expression()?);
            if self.cursor.eat(Token::Comma).is_none() {
                break;
            }
        }
        if self.cursor.peek() != close {
            return Err(self.unclosed(open, wanted));
        }
        self.cursor.bump();
        Ok(values)
    }

    fn call(&mut self, function: Function) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let name = function.text();
        if self.cursor.peek() != Token::LeftParen {
            let help = format!("`{name}` is written with its operand in parentheses: `{name}(x)`");
            return Err(self.cursor.unexpected("`(`", Some(&help)));
        }
        let open = self.cursor.bump();
        let operands = self.list(open, Token::RightParen, "an operator, `,` or `)`")?;
        let span = start.to(self.cursor.last_span());
        if let Some(wanted) = function.arity()
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
                return Err(self.unclosed(start, "a condition or `esac`"));
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

    /// `A[f U g]` and its relatives.
    fn path(&mut self, quantifier: Quantifier) -> Parsed<ExprId> {
        let start = self.cursor.bump();
        let letter = self.text(start);
        if self.cursor.peek() != Token::LeftBracket {
            let help =
                format!("write `{letter}[f U g]`, or `{letter}G f`, `{letter}F f`, `{letter}X f`");
            return Err(self.cursor.unexpected("`[` and a path formula", Some(&help)));
        }
        let open = self.cursor.bump();
        let left = self.expression()?;
        let op = match self.word() {
            Some("U") => PathOp::Until,
            Some("R" | "V") => PathOp::Release,
            Some("W") => PathOp::WeakUntil,
            Some("BU") => return Err(self.bounded()),
            _ => return Err(self.unexpected_after("an operator, or `U` and another formula")),
        };
        self.cursor.bump();
        let right = self.expression()?;
        if self.cursor.peek() != Token::RightBracket {
            return Err(self.unclosed(open, "an operator or `]`"));
        }
        let span = start.to(self.cursor.bump());
        self.made(Expr::Path(quantifier, op, left, right), span)
    }

    fn bounded(&mut self) -> Reported {
        let span = self.cursor.peek_span();
        self.cursor.sink.error(|| {
            let message = "operators with bounds on time are not supported";
            Diagnostic::error(message, span, "counts steps")
                .with_help("write the steps out by `AX` and `EX`, or leave the bounds away")
        })
    }

    /// `mu Z. f`, the body as far to the right as possible.
    fn fixpoint(&mut self) -> Parsed<ExprId> {
        let kind = if self.cursor.peek_text() == "mu" { Fix::Mu } else { Fix::Nu };
        let start = self.cursor.bump();
        let name = self.name("the variable of the fixpoint")?;
        if self.cursor.eat(Token::Dot).is_none() {
            let help = format!("write `{} {}. f`", self.text(start), name.text);
            return Err(self.cursor.unexpected("`.` after the variable", Some(&help)));
        }
        let body = self.expression()?;
        let span = start.to(self.exprs.span(body));
        self.made(Expr::Fix(kind, name, body), span)
    }

    fn unexpected_operand(&mut self) -> Reported {
        let last = self.text(self.cursor.last_span());
        let help = match (self.cursor.peek(), self.word()) {
            (_, Some("init")) => "`init` stands on the left of an assignment only".to_owned(),
            (Token::Less, _) => {
                "modalities belong to `MUSPEC`; in CTL write `EX f` or `AX f`".to_owned()
            }
            (_, Some("F" | "G" | "X")) => {
                "CTL has path quantifiers: write `AG f` or `EF f`".to_owned()
            }
            (_, Some(word)) if is_reserved(word) => {
                format!("something is missing before `{word}`, which is a reserved word")
            }
            _ => format!("something is missing after `{last}`"),
        };
        self.cursor.unexpected("an expression", Some(&help))
    }

    /// Behind a whole expression stands something that cannot go on with it.
    pub(super) fn unexpected_after(&mut self, wanted: &str) -> Reported {
        let help = self.help_after();
        self.cursor.unexpected(wanted, help.as_deref())
    }

    fn help_after(&self) -> Option<String> {
        let last = self.text(self.cursor.last_span());
        match (self.cursor.peek(), self.word()) {
            (Token::RightParen, _) => Some("this parenthesis was never opened".to_owned()),
            (Token::Becomes, _) => Some("equality is written `=`".to_owned()),
            (_, Some(word @ ("U" | "R" | "V" | "W"))) => {
                Some(format!("`{word}` stands in brackets behind a quantifier: `A[f {word} g]`"))
            }
            (_, Some("esac")) => Some("every branch of a `case` ends with `;`".to_owned()),
            (Token::Word | Token::LeftParen | Token::Bang, _)
                if matches!(last, "F" | "G" | "X") =>
            {
                Some(format!("CTL has path quantifiers: write `A{last} f` or `E{last} f`"))
            }
            (_, Some("and")) => Some("\"and\" is written `&`".to_owned()),
            (_, Some("or")) => Some("\"or\" is written `|`".to_owned()),
            (Token::DotDot, _) => Some("bounds of a range are numbers: `1..5`".to_owned()),
            (Token::Word | Token::LeftParen, _) if last == "not" => {
                Some("\"not\" is written `!`".to_owned())
            }
            (Token::Word | Token::LeftParen | Token::Number, _) => {
                Some("put an operator or a `;` between the two expressions".to_owned())
            }
            _ => None,
        }
    }
}
