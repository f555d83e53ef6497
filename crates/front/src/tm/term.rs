//! Terms over parameters, variables and bound names, and the domains of these: from text to syntax.

use super::value::Value;
use crate::cursor::{Cursor, Name};
use crate::lexer::Token;
use crate::sink::{Parsed, Reported};
use support::{Diagnostic, Span};

/// How deep terms may be nested.
const DEEPEST: usize = 100;

/// The most indices of a name, and the most names that are bound in one place.
pub(super) const MOST_INDICES: usize = 16;

pub(crate) struct Term<'a> {
    pub kind: TermKind<'a>,
    pub span: Span,
}

pub(crate) enum TermKind<'a> {
    Value(Value<'a>),
    Name(&'a str, Vec<Term<'a>>),
    Not(Box<Term<'a>>),
    Minus(Box<Term<'a>>),
    /// Operators of one level, taken from the left.
    Infix(Box<Term<'a>>, Vec<(Operator, Term<'a>)>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    Remainder,
}

/// The levels of the operators, from the loosest.
const LOOSEST: u8 = 0;
const COMPARISON: u8 = 2;
const SUM: u8 = 3;

impl Operator {
    fn level(self) -> u8 {
        match self {
            Operator::Or => LOOSEST,
            Operator::And => 1,
            Operator::Plus | Operator::Minus => SUM,
            Operator::Times | Operator::Remainder => 4,
            _ => COMPARISON,
        }
    }
}

/// `0..4`, `bool` or `{a, b}`
pub(crate) struct Domain<'a> {
    pub kind: DomainKind<'a>,
    pub span: Span,
}

pub(crate) enum DomainKind<'a> {
    Range(Term<'a>, Term<'a>),
    Bool,
    Words(Vec<&'a str>),
}

/// `i in 0..4`
pub(crate) struct Binder<'a> {
    pub name: &'a str,
    pub domain: Domain<'a>,
}

/// An index in the brackets behind a name.
pub(crate) enum Index<'a> {
    At(Term<'a>),
    /// `[n in 0..3]`: all of these, and `n` is bound in what belongs to the name.
    Each(Binder<'a>),
}

pub(crate) struct TermParser<'c, 'a> {
    pub cursor: &'c mut Cursor<'a>,
    /// Whether `-a->` may follow a term, which is no difference then.
    pub before_actions: bool,
    pub nesting: usize,
}

impl<'c, 'a> TermParser<'c, 'a> {
    pub fn new(cursor: &'c mut Cursor<'a>, before_actions: bool) -> Self {
        Self { cursor, before_actions, nesting: 0 }
    }

    pub fn term(&mut self) -> Parsed<Term<'a>> {
        self.level(LOOSEST)
    }

    /// Operators of this level and of tighter ones.
    fn level(&mut self, least: u8) -> Parsed<Term<'a>> {
        let mut left = self.operand()?;
        while let Some((operator, _)) = self.operator().filter(|(op, _)| op.level() >= least) {
            left = self.chain(left, operator.level())?;
        }
        Ok(left)
    }

    /// A run of operators of one level.
    fn chain(&mut self, first: Term<'a>, level: u8) -> Parsed<Term<'a>> {
        let mut rest: Vec<(Operator, Term<'a>)> = Vec::new();
        while let Some((operator, tokens)) = self.operator().filter(|(op, _)| op.level() == level) {
            if level == COMPARISON && !rest.is_empty() {
                let help = "compare two at a time: `0 < x & x < 3`";
                return Err(self.cursor.unexpected("one comparison", Some(help)));
            }
            self.cursor.take(tokens);
            rest.push((operator, self.level(level + 1)?));
        }
        let last = rest.last().map_or(first.span, |(_, term)| term.span);
        let span = first.span.to(last);
        Ok(Term { kind: TermKind::Infix(Box::new(first), rest), span })
    }

    /// The operator that stands here, and how many tokens it has.
    fn operator(&mut self) -> Option<(Operator, usize)> {
        let equals_follows =
            self.cursor.peek_at(1) == Token::Equals && self.cursor.touches_the_one_before(1);
        Some(match self.cursor.peek() {
            Token::Bar | Token::BarBar => (Operator::Or, 1),
            Token::And => (Operator::And, 1),
            Token::Word if self.cursor.at_word("or") => (Operator::Or, 1),
            Token::Word if self.cursor.at_word("and") => (Operator::And, 1),
            Token::Equals => (Operator::Equal, 1 + usize::from(equals_follows)),
            Token::Bang if equals_follows => (Operator::Unequal, 2),
            Token::Less if equals_follows => (Operator::AtMost, 2),
            Token::Less => (Operator::Less, 1),
            Token::Greater if equals_follows => (Operator::AtLeast, 2),
            Token::Greater => (Operator::Greater, 1),
            Token::Plus => (Operator::Plus, 1),
            Token::Minus if !(self.before_actions && self.at_action()) => (Operator::Minus, 1),
            Token::Star => (Operator::Times, 1),
            Token::Percent => (Operator::Remainder, 1),
            _ => return None,
        })
    }

    /// Whether `-a->`, `-a?>` or `-a!>` begins here.
    fn at_action(&mut self) -> bool {
        let start = self.cursor.position();
        self.cursor.bump();
        let count = match self.cursor.peek() {
            Token::String => 1,
            _ => self.cursor.peek_name().map_or(0, |(_, count)| count),
        };
        let behind = if count == 0 { None } else { behind_brackets(self.cursor, count) };
        let arrows = [Token::Arrow, Token::MayArrow, Token::MustArrow];
        let is_action = behind.is_some_and(|ahead| arrows.contains(&self.cursor.peek_at(ahead)));
        self.cursor.go_back_to(start);
        is_action
    }

    fn operand(&mut self) -> Parsed<Term<'a>> {
        let start = self.cursor.peek_span();
        match self.cursor.peek() {
            Token::Bang => {
                self.cursor.bump();
                let inner = self.nested(Self::operand)?;
                let span = start.to(inner.span);
                Ok(Term { kind: TermKind::Not(Box::new(inner)), span })
            }
            Token::Minus => {
                self.cursor.bump();
                let inner = self.nested(Self::operand)?;
                let span = start.to(inner.span);
                Ok(Term { kind: TermKind::Minus(Box::new(inner)), span })
            }
            Token::LeftParen => {
                self.cursor.bump();
                let inner = self.nested(Self::term)?;
                let close = self.cursor.expect(Token::RightParen, "an operator or `)`")?;
                Ok(Term { kind: inner.kind, span: start.to(close) })
            }
            Token::Number => self.number(),
            Token::Word => self.named(),
            _ => {
                let help = "write a number, `true`, `false`, a variable or a parameter";
                Err(self.cursor.unexpected("a term", Some(help)))
            }
        }
    }

    fn number(&mut self) -> Parsed<Term<'a>> {
        let span = self.cursor.peek_span();
        let Ok(number) = self.cursor.peek_text().parse() else {
            let message = format!("`{}` is no number that can be read", self.cursor.peek_text());
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error(message, span, "not a number")
                    .with_help("numbers are written in decimal digits and have at most 18 of them")
            }));
        };
        self.cursor.bump();
        Ok(Term { kind: TermKind::Value(Value::Number(number)), span })
    }

    fn named(&mut self) -> Parsed<Term<'a>> {
        let name = self.dotted();
        let value = match &*name.text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "not" => {
                let inner = self.nested(Self::operand)?;
                let span = name.span.to(inner.span);
                return Ok(Term { kind: TermKind::Not(Box::new(inner)), span });
            }
            _ => None,
        };
        if let Some(value) = value {
            return Ok(Term { kind: TermKind::Value(value), span: name.span });
        }
        let text = &self.cursor.text[name.span.range()];
        let indices = self.indices_without_names()?;
        let span = name.span.to(self.cursor.last_span());
        Ok(Term { kind: TermKind::Name(text, indices), span })
    }

    /// Indices that bind no names.
    pub fn indices_without_names(&mut self) -> Parsed<Vec<Term<'a>>> {
        let mut indices = Vec::new();
        while self.cursor.peek() == Token::LeftBracket {
            let open = self.cursor.bump();
            indices.push(self.nested(Self::term)?);
            self.close(open)?;
            self.refuse_too_many(indices.len(), open)?;
        }
        Ok(indices)
    }

    /// A name up to two dots, which are those of a range.
    fn dotted(&mut self) -> Name<'a> {
        let mut count = 1;
        while self.cursor.peek_at(count) == Token::Dot
            && self.cursor.touches_the_one_before(count)
            && matches!(self.cursor.peek_at(count + 1), Token::Word | Token::Number)
            && self.cursor.touches_the_one_before(count + 1)
        {
            count += 2;
        }
        self.cursor.take(count)
    }

    fn close(&mut self, open: Span) -> Parsed<()> {
        if self.cursor.eat(Token::RightBracket).is_some() {
            return Ok(());
        }
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        Err(self.cursor.sink.error(|| {
            let message = format!("expected an operator or `]`, found {found}");
            Diagnostic::error(message, span, "expected an operator or `]`")
                .with_label(open, "opened here")
                .with_help("close the index with `]`")
        }))
    }

    pub fn refuse_too_many(&mut self, count: usize, span: Span) -> Parsed<()> {
        if count <= MOST_INDICES {
            return Ok(());
        }
        Err(self.cursor.sink.error(|| {
            let message = format!("more than {MOST_INDICES} indices or bound names");
            Diagnostic::error(message, span, "one too many").with_help("take some of them out")
        }))
    }

    fn nested(&mut self, parse: fn(&mut Self) -> Parsed<Term<'a>>) -> Parsed<Term<'a>> {
        if self.nesting == DEEPEST {
            return Err(self.cursor.too_deep("the term is", DEEPEST, "give parts of it a name"));
        }
        self.nesting += 1;
        let parsed = parse(self);
        self.nesting -= 1;
        parsed
    }

    /// An index in the brackets behind a name.
    pub fn indices(&mut self) -> Parsed<Vec<Index<'a>>> {
        let mut indices = Vec::new();
        while self.cursor.peek() == Token::LeftBracket {
            let open = self.cursor.bump();
            indices.push(match self.at_binder() {
                true => Index::Each(self.binder()?),
                false => Index::At(self.term()?),
            });
            self.close(open)?;
            self.refuse_too_many(indices.len(), open)?;
        }
        Ok(indices)
    }

    /// Whether `i in` stands here.
    pub fn at_binder(&self) -> bool {
        let one = self.cursor.peek_word().is_some();
        one && self.cursor.word_at(1) == Some("in")
    }

    /// `i in 0..4`
    pub fn binder(&mut self) -> Parsed<Binder<'a>> {
        if !self.at_binder() {
            let help = "a name is bound by `i in 0..4`";
            return Err(self.cursor.unexpected("a name and `in`", Some(help)));
        }
        let name = self.cursor.peek_text();
        self.cursor.take(2);
        Ok(Binder { name, domain: self.domain()? })
    }

    /// `i in 0..4, j in 0..1`
    pub fn binders(&mut self) -> Parsed<Vec<Binder<'a>>> {
        let mut binders = vec![self.binder()?];
        while self.cursor.eat(Token::Comma).is_some() {
            let span = self.cursor.peek_span();
            binders.push(self.binder()?);
            self.refuse_too_many(binders.len(), span)?;
        }
        Ok(binders)
    }

    /// `0..4`, `bool` or `{a, b}`
    pub fn domain(&mut self) -> Parsed<Domain<'a>> {
        const HELP: &str = "values are written `0..3`, `bool` or `{a, b}`";
        let start = self.cursor.peek_span();
        let kind = match self.cursor.peek() {
            Token::LeftBrace => self.words()?,
            Token::Word if self.cursor.at_word("bool") => {
                self.cursor.bump();
                DomainKind::Bool
            }
            _ => {
                let least = self.level(SUM)?;
                if self.cursor.peek() != Token::Dot || self.cursor.peek_at(1) != Token::Dot {
                    return Err(self.cursor.unexpected("`..` and the largest value", Some(HELP)));
                }
                self.cursor.take(2);
                DomainKind::Range(least, self.level(SUM)?)
            }
        };
        Ok(Domain { kind, span: start.to(self.cursor.last_span()) })
    }

    fn words(&mut self) -> Parsed<DomainKind<'a>> {
        let mut words: Vec<&'a str> = Vec::new();
        loop {
            self.cursor.bump();
            let name = self.cursor.name("the name of a value")?;
            let word = &self.cursor.text[name.span.range()];
            if words.contains(&word) {
                return Err(self.value_twice(&name));
            }
            words.push(word);
            match self.cursor.peek() {
                Token::Comma => {}
                _ => break,
            }
        }
        self.cursor.expect(Token::RightBrace, "`,` or `}` after a value")?;
        Ok(DomainKind::Words(words))
    }

    fn value_twice(&mut self, word: &Name) -> Reported {
        self.cursor.sink.error(|| {
            let message = format!("the value `{}` stands here twice", word.text);
            Diagnostic::error(message, word.span, "again here").with_help("take one of them out")
        })
    }
}

/// How far ahead the token is that follows what stands in brackets `ahead` tokens from here, if that is not too long.
pub(super) fn behind_brackets(cursor: &Cursor, ahead: usize) -> Option<usize> {
    /// Brackets that are never closed would be looked through again and again.
    const FARTHEST: usize = 1000;
    let (mut ahead, mut open) = (ahead, 0);
    let end = ahead + FARTHEST;
    while open > 0 || cursor.peek_at(ahead) == Token::LeftBracket {
        match cursor.peek_at(ahead) {
            Token::LeftBracket => open += 1,
            Token::RightBracket => open -= 1,
            Token::End | Token::Semicolon => return None,
            _ if ahead == end => return None,
            _ => {}
        }
        ahead += 1;
    }
    Some(ahead)
}
