//! From tokens to the syntax tree: declarations, procedures and properties.
//!
//! Recursive descent, one call a level of nesting, which is limited. After an error, reading goes on at the next
//! command or declaration.

mod command;
mod expr;

pub(super) use expr::Mode;

use super::ast::{
    Command, Declaration, ExprId, Exprs, File, Name, Passing, Procedure, Process, Property, Type,
    Value,
};
use super::lexer::{Token, is_keyword, is_reserved};
use crate::climb::Climb;
use crate::cursor::Cursor;
use crate::sink::{Parsed, Reported};
use logic::Logic;
use support::{Diagnostic, Span};

/// How deep commands, and expressions, may be nested.
pub(super) const MAX_NESTING: usize = 200;

pub(super) struct Parser<'c, 'a> {
    pub cursor: &'c mut Cursor<'a, Token>,
    pub exprs: &'c mut Exprs<'a>,
    nesting: usize,
    mode: Mode,
    /// The fixpoint variables around the cursor, innermost last.
    bound: Vec<&'a str>,
}

impl<'c, 'a> Parser<'c, 'a> {
    pub fn new(cursor: &'c mut Cursor<'a, Token>, exprs: &'c mut Exprs<'a>, mode: Mode) -> Self {
        Self { cursor, exprs, nesting: 0, mode, bound: Vec::new() }
    }
}

pub(super) fn parse<'a>(cursor: &mut Cursor<'a, Token>) -> File<'a> {
    let mut file = File::default();
    let mut exprs = Exprs::default();
    Parser::new(cursor, &mut exprs, Mode::Plain).file(&mut file);
    File { exprs, ..file }
}

/// A formula that stands alone.
pub(super) fn parse_question<'a>(
    cursor: &mut Cursor<'a, Token>,
    logic: Logic,
    exprs: &mut Exprs<'a>,
) -> Parsed<Property<'a>> {
    let mut parser = Parser::new(cursor, exprs, Mode::of(logic));
    let expr = parser.expression()?;
    match parser.cursor.peek() {
        Token::End => Ok(Property { name: None, logic, expr }),
        _ => Err(parser.unexpected_after("an operator or the end of the formula")),
    }
}

impl<'a> Parser<'_, 'a> {
    fn file(&mut self, file: &mut File<'a>) {
        let mut has_body = false;
        while self.cursor.peek() != Token::End {
            let done = match self.word() {
                Some("var") if !has_body => self.vars(&mut file.vars),
                Some("proc") => self.procedure().map(|procedure| file.procedures.push(procedure)),
                Some("property") => self.property().map(|property| file.properties.push(property)),
                Some("predicates") => self.predicates(&mut file.predicates),
                Some("process") if file.body.is_empty() => {
                    has_body = true;
                    self.process().map(|process| file.processes.push(process))
                }
                _ if has_body => Err(self.after_the_body()),
                _ => {
                    has_body = true;
                    file.body = self.body();
                    Ok(())
                }
            };
            if done.is_err() {
                self.skip_declaration();
            }
        }
        if !has_body && !self.cursor.sink.has_errors() {
            self.cursor.unexpected("a command", Some("the least that a program does is `fin`"));
        }
    }

    /// The commands of the program. A word that closes nothing is told of, and reading goes on behind it.
    fn body(&mut self) -> Vec<Command<'a>> {
        let mut body = self.block();
        while matches!(self.word(), Some("fi" | "od" | "else" | "then" | "do")) {
            self.after_the_body();
            self.cursor.bump();
            self.cursor.eat(Token::Semicolon);
            if self.word().is_some_and(|word| !is_keyword(word) || begins_command(word)) {
                body.extend(self.block());
            }
        }
        body
    }

    fn after_the_body(&mut self) -> Reported {
        let help = match (self.word(), self.cursor.peek()) {
            (Some("var"), _) => "variables are declared before the first command",
            (Some("process"), _) => "a program has commands or processes, and not both",
            (Some("fi" | "od" | "else" | "then" | "do"), _) | (_, Token::RightBrace) => {
                "nothing that this could belong to is open"
            }
            _ => "the commands of a program stand together, with `;` between them, or in processes",
        };
        self.cursor.unexpected("`property`, `proc` or the end of the file", Some(help))
    }

    /// Goes on behind the `;` or `}` that ends what was wrong, or where something else begins.
    fn skip_declaration(&mut self) {
        let start = self.cursor.position();
        let begins =
            |word: &str| matches!(word, "var" | "proc" | "process" | "predicates" | "property");
        self.cursor.skip_until(|cursor| {
            let is_new = cursor.position() > start && cursor.starts_line();
            let ends = matches!(cursor.peek(), Token::Semicolon | Token::RightBrace);
            ends || (is_new && cursor.peek() == Token::Word && begins(cursor.peek_text()))
        });
        if matches!(self.cursor.peek(), Token::Semicolon | Token::RightBrace) {
            self.cursor.bump();
        }
    }

    pub(super) fn word(&self) -> Option<&'a str> {
        (self.cursor.peek() == Token::Word).then(|| self.cursor.peek_text())
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    pub(super) fn expect_word(&mut self, word: &str, help: Option<&str>) -> Parsed<Span> {
        match self.at_word(word) {
            true => Ok(self.cursor.bump()),
            false => Err(self.cursor.unexpected(&format!("`{word}`"), help)),
        }
    }

    /// A name that is being given to something.
    fn own_name(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        let name = self.name(wanted)?;
        if is_reserved(name.text) {
            return Err(self.reserved(name, "has a meaning of its own"));
        }
        if name.text.starts_with("at_") {
            return Err(self.reserved(name, "says in formulas where the program is"));
        }
        Ok(name)
    }

    fn reserved(&mut self, name: Name, why: &str) -> Reported {
        self.cursor.sink.error(|| {
            let message = format!("`{}` cannot be a name", name.text);
            Diagnostic::error(message, name.span, why).with_help("choose another name")
        })
    }

    pub fn name(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        match self.word() {
            Some(text) => Ok(Name { text, span: self.cursor.bump() }),
            None => Err(self.cursor.unexpected(wanted, None)),
        }
    }

    /// `var x, y : 0..7 := 0;`
    fn vars(&mut self, vars: &mut Vec<Declaration<'a>>) -> Parsed<()> {
        self.cursor.bump();
        let names = self.new_names("the name of a variable")?;
        let declared = self.declared(names)?;
        let wanted = if declared[0].init.is_some() { "an operator or `;`" } else { "`:=` or `;`" };
        if self.cursor.eat(Token::Semicolon).is_none() {
            return Err(self.unexpected_after(wanted));
        }
        vars.extend(declared);
        Ok(())
    }

    fn new_names(&mut self, wanted: &str) -> Parsed<Vec<Name<'a>>> {
        let mut names = vec![self.own_name(wanted)?];
        while self.cursor.eat(Token::Comma).is_some() {
            names.push(self.own_name(wanted)?);
        }
        Ok(names)
    }

    /// The rest of a declaration after the names.
    fn declared(&mut self, names: Vec<Name<'a>>) -> Parsed<Vec<Declaration<'a>>> {
        let help = "write for example `var x : 0..7;` or `var b, c : bool;`";
        if self.cursor.eat(Token::Colon).is_none() {
            return Err(self.cursor.unexpected("`,`, or `:` and a type", Some(help)));
        }
        let start = self.cursor.peek_span();
        let array = match self.at_word("array") {
            true => Some(self.bounds()?),
            false => None,
        };
        let ty = self.ty()?;
        let ty_span = start.to(self.cursor.last_span());
        let init = match self.cursor.eat(Token::Becomes) {
            Some(_) => Some(self.value()?),
            None => None,
        };
        let declare = |name: Name<'a>| Declaration {
            name,
            array,
            ty: ty.clone(),
            ty_span,
            init: init.clone(),
        };
        Ok(names.into_iter().map(declare).collect())
    }

    /// `array 0..3 of`
    fn bounds(&mut self) -> Parsed<(i64, i64)> {
        self.cursor.bump();
        let bounds = self.range()?;
        self.expect_word("of", Some("write for example `array 0..3 of bool`"))?;
        Ok(bounds)
    }

    fn ty(&mut self) -> Parsed<Type<'a>> {
        match (self.cursor.peek(), self.word()) {
            (_, Some("bool")) => {
                self.cursor.bump();
                Ok(Type::Bool)
            }
            (_, Some("int")) => {
                self.cursor.bump();
                Ok(Type::Int)
            }
            (Token::Number | Token::Minus, _) => {
                let (low, high) = self.range()?;
                Ok(Type::Range(low, high))
            }
            (Token::LeftBrace, _) => {
                self.cursor.bump();
                let names = self.new_names("the name of a constant")?;
                self.cursor.expect(Token::RightBrace, "`,` or `}`")?;
                Ok(Type::Enum(names))
            }
            _ => {
                let help = match self.word() {
                    Some("boolean") => "truth values are `bool`",
                    Some("integer") => "numbers without bounds are `int`",
                    Some("byte") => "say from where to where: `0..255`",
                    Some("array") => "arrays of arrays are not supported",
                    _ => {
                        "a type is `bool`, `int`, a range `0..7`, constants `{idle, busy}` or an array"
                    }
                };
                Err(self.cursor.unexpected("a type", Some(help)))
            }
        }
    }

    /// `0..7`
    fn range(&mut self) -> Parsed<(i64, i64)> {
        let start = self.cursor.peek_span();
        let low = self.bound()?;
        self.cursor.expect(Token::DotDot, "`..`")?;
        let high = self.bound()?;
        let span = start.to(self.cursor.last_span());
        if low > high {
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error("the range is empty", span, "ends before it begins")
                    .with_help(format!("write `{high}..{low}`"))
            }));
        }
        Ok((low, high))
    }

    fn bound(&mut self) -> Parsed<i64> {
        let is_negative = self.cursor.eat(Token::Minus).is_some();
        let value = self.integer()?;
        Ok(if is_negative { -value } else { value })
    }

    fn integer(&mut self) -> Parsed<i64> {
        let (text, span) = (self.cursor.peek_text(), self.cursor.peek_span());
        self.cursor.expect(Token::Number, "a number")?;
        match text.parse().ok().filter(|&value: &i64| value <= transition::LARGEST) {
            Some(value) => Ok(value),
            None => Err(self.cursor.sink.error(|| {
                Diagnostic::error("the number is too large", span, "not supported")
                    .with_help("numbers go up to 2^61")
            })),
        }
    }

    /// The right side of an assignment.
    pub(super) fn value(&mut self) -> Parsed<(Value, Span)> {
        let start = self.cursor.peek_span();
        let value = if self.at_word("any") {
            self.cursor.bump();
            Value::Any
        } else if self.cursor.peek() == Token::LeftBrace {
            self.cursor.bump();
            match self.list(start, Token::RightBrace, "an operator, `,` or `}`") {
                Ok(values) => Value::Set(values),
                Err(reported) => {
                    self.skip_set();
                    return Err(reported);
                }
            }
        } else {
            Value::One(self.expression()?)
        };
        Ok((value, start.to(self.cursor.last_span())))
    }

    /// Goes on behind a set with something wrong in it.
    fn skip_set(&mut self) {
        self.cursor.skip_until(|cursor| {
            let is_word = cursor.peek() == Token::Word && is_keyword(cursor.peek_text());
            matches!(cursor.peek(), Token::RightBrace | Token::Semicolon)
                || is_word && !matches!(cursor.peek_text(), "any" | "true" | "false" | "not")
        });
        self.cursor.eat(Token::RightBrace);
    }

    /// `proc p(in x : 0..7, out y : bool) { … }`
    fn procedure(&mut self) -> Parsed<Procedure<'a>> {
        let start = self.cursor.bump();
        let name = self.own_name("the name of the procedure")?;
        let help = "write for example `proc p(in x : 0..7, out y : bool) { … }`";
        if self.cursor.eat(Token::LeftParen).is_none() {
            return Err(self.cursor.unexpected("`(`", Some(help)));
        }
        let mut parameters = Vec::new();
        while self.cursor.peek() != Token::RightParen {
            self.parameters(&mut parameters, help)?;
            if self.cursor.eat(Token::Comma).is_none() {
                break;
            }
        }
        self.cursor.expect(Token::RightParen, "`,` or `)`")?;
        let (locals, body) = self.braces()?;
        let span = start.to(self.cursor.last_span());
        Ok(Procedure { name, parameters, locals, body, span })
    }

    /// Variables and commands in braces.
    fn braces(&mut self) -> Parsed<(Vec<Declaration<'a>>, Vec<Command<'a>>)> {
        self.cursor.expect(Token::LeftBrace, "`{`")?;
        let mut locals = Vec::new();
        while self.at_word("var") {
            if self.vars(&mut locals).is_err() {
                self.skip_declaration();
            }
        }
        let body = self.block();
        self.cursor.expect(Token::RightBrace, "`;` or `}`")?;
        Ok((locals, body))
    }

    /// `process P { … }`
    fn process(&mut self) -> Parsed<Process<'a>> {
        self.cursor.bump();
        let name = self.own_name("the name of the process")?;
        let (locals, body) = self.braces()?;
        Ok(Process { name, locals, body })
    }

    /// `predicates x > 0, x mod 2 = 1;`
    fn predicates(&mut self, predicates: &mut Vec<ExprId>) -> Parsed<()> {
        self.cursor.bump();
        self.mode = Mode::Predicate;
        let read = self.listed();
        self.mode = Mode::Plain;
        predicates.extend(read?);
        match self.cursor.eat(Token::Semicolon) {
            Some(_) => Ok(()),
            None => Err(self.unexpected_after("an operator, `,` or `;`")),
        }
    }

    /// `in x, y : 0..7`; a comma belongs to the names up to the colon.
    fn parameters(
        &mut self,
        parameters: &mut Vec<(Passing, Declaration<'a>)>,
        help: &str,
    ) -> Parsed<()> {
        let passing = match self.word() {
            Some("in") => Passing::In,
            Some("out") => Passing::Out,
            _ => return Err(self.cursor.unexpected("`in` or `out`", Some(help))),
        };
        self.cursor.bump();
        let names = self.new_names("the name of a parameter")?;
        let declared = self.declared(names)?;
        let Declaration { array, ty_span, init, .. } = &declared[0];
        let wrong = match (array, init) {
            (Some(_), _) => Some((*ty_span, "an array cannot be a parameter")),
            (_, Some((_, span))) => Some((*span, "a parameter has no initial value")),
            _ => None,
        };
        if let Some((span, message)) = wrong {
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error(message, span, "not here")
                    .with_help("procedures can use all variables of the program")
            }));
        }
        parameters.extend(declared.into_iter().map(|declared| (passing, declared)));
        Ok(())
    }

    /// `property safe: ctl AG p;`
    fn property(&mut self) -> Parsed<Property<'a>> {
        self.cursor.bump();
        let name = match self.cursor.peek() {
            Token::String => {
                let text = self.cursor.peek_text();
                Name { text, span: self.cursor.bump() }
            }
            _ => self.name("the name of the property")?,
        };
        let help = "write for example `property safe: ctl AG !error;`";
        if self.cursor.eat(Token::Colon).is_none() {
            return Err(self.cursor.unexpected("`:`", Some(help)));
        }
        let logic = self.word().and_then(Logic::named);
        let is_known =
            |logic: &Logic| !logic.has_regular_formulas() && !logic.has_linear_operators();
        let Some(logic) = logic.filter(is_known) else {
            return Err(self.cursor.unexpected("`ctl` or `mu`", Some(help)));
        };
        self.cursor.bump();
        self.mode = Mode::of(logic);
        let expr = self.expression();
        self.mode = Mode::Plain;
        self.bound.clear();
        let expr = expr?;
        if self.cursor.eat(Token::Semicolon).is_none() {
            return Err(self.unexpected_after("an operator or `;`"));
        }
        Ok(Property { name: Some(name), logic, expr })
    }
}

fn begins_command(word: &str) -> bool {
    matches!(word, "skip" | "fin" | "if" | "while" | "hole" | "assume")
}
