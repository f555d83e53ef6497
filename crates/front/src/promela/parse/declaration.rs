//! Types and variables.

use super::super::ast::{Declaration, Expr, Init, Name, Type, Typedef};
use super::super::lexer::Token;
use super::super::program::VarType;
use super::Parser;
use crate::sink::Parsed;
use support::{Diagnostic, Span};

pub(super) fn simple_type(word: &str) -> Option<VarType> {
    match word {
        "bit" => Some(VarType::Bit),
        "bool" => Some(VarType::Bool),
        "byte" => Some(VarType::Byte),
        "pid" => Some(VarType::Pid),
        "mtype" => Some(VarType::Mtype),
        "short" => Some(VarType::Short),
        "int" => Some(VarType::Int),
        _ => None,
    }
}

impl<'a> Parser<'a, '_> {
    /// Whether a declaration of variables begins here.
    pub(super) fn at_declaration(&self) -> bool {
        match self.word() {
            Some("hidden" | "show" | "local" | "unsigned" | "chan") => true,
            Some(word) if simple_type(word).is_some() => true,
            // The name of a typedef: two names in a row. In `do :: b od` there is one, and a line can end a statement.
            Some(word) => {
                let next = self.peek_at(1);
                let is_name = next.token == Token::Word && !super::is_reserved(next.text);
                let goes_on = !next.starts_line || self.typedefs.contains(word);
                is_name && goes_on && !super::is_reserved(word)
            }
            None => false,
        }
    }

    /// Whether `mtype` begins a list of names here, and not a variable.
    pub(super) fn declares_messages(&self) -> bool {
        let tokens = [1, 2, 3, 4].map(|ahead| self.peek_at(ahead).token);
        let rest = match tokens {
            [Token::Colon, Token::Word, ..] => &tokens[2..],
            _ => &tokens[..],
        };
        matches!(rest, [Token::LeftBrace, ..] | [Token::Becomes, Token::LeftBrace, ..])
    }

    /// `mtype = { a, b }`, `mtype : set = { a, b }`
    pub(super) fn messages(&mut self) -> Parsed<(Option<Name<'a>>, Vec<Name<'a>>)> {
        self.bump();
        let set = match self.eat(Token::Colon) {
            Some(_) => Some(self.name("the name of the set")?),
            None => None,
        };
        self.eat(Token::Becomes);
        self.expect(Token::LeftBrace, "`{`")?;
        let mut names = Vec::new();
        while self.peek() != Token::RightBrace {
            names.push(self.name("the name of a message")?);
            if self.eat(Token::Comma).is_none() {
                break;
            }
        }
        self.expect(Token::RightBrace, "`,` or `}`")?;
        Ok((set, names))
    }

    pub(super) fn typedef(&mut self) -> Parsed<Typedef<'a>> {
        let name = self.name("the name of the type")?;
        self.expect(Token::LeftBrace, "`{`")?;
        let mut fields = Vec::new();
        while self.peek() != Token::RightBrace {
            if !self.at_declaration() {
                return Err(self.unexpected("a field or `}`"));
            }
            fields.extend(self.declarations()?);
            while self.eat(Token::Semicolon).is_some() {}
        }
        self.bump();
        Ok(Typedef { name, fields })
    }

    pub(super) fn parameters(&mut self) -> Parsed<Vec<Declaration<'a>>> {
        let mut parameters = Vec::new();
        while self.peek() != Token::RightParen {
            if !self.at_declaration() {
                return Err(self.unexpected("a type"));
            }
            parameters.extend(self.declarations()?);
            if self.eat(Token::Semicolon).or_else(|| self.eat(Token::Comma)).is_none() {
                break;
            }
        }
        Ok(parameters)
    }

    /// Variables of one type.
    pub(super) fn declarations(&mut self) -> Parsed<Vec<Declaration<'a>>> {
        while matches!(self.word(), Some("hidden" | "show" | "local")) {
            self.bump();
        }
        let ty = self.ty()?;
        let mut found = Vec::new();
        loop {
            found.push(self.declaration(ty)?);
            // In a list of parameters a type may follow the comma.
            let next = Some(self.peek_at(1).text);
            let is_type = next.is_some_and(|word| {
                simple_type(word).is_some() || matches!(word, "chan" | "unsigned")
            });
            if self.peek() != Token::Comma || is_type {
                return Ok(found);
            }
            self.bump();
        }
    }

    fn ty(&mut self) -> Parsed<Type<'a>> {
        match self.word() {
            Some("unsigned") => {
                self.bump();
                // How many bits there are stands behind the name.
                Ok(Type::Simple(VarType::Unsigned(0)))
            }
            Some("chan") => {
                self.bump();
                Ok(Type::Channel)
            }
            Some(word) => match simple_type(word) {
                Some(simple) => {
                    self.bump();
                    if simple == VarType::Mtype && self.eat(Token::Colon).is_some() {
                        self.name("the name of the set")?;
                    }
                    Ok(Type::Simple(simple))
                }
                None => Ok(Type::Defined(self.name("a type")?)),
            },
            None => Err(self.unexpected("a type")),
        }
    }

    fn declaration(&mut self, mut ty: Type<'a>) -> Parsed<Declaration<'a>> {
        let name = self.name("the name of a variable")?;
        if let Type::Simple(VarType::Unsigned(_)) = ty {
            ty = Type::Simple(VarType::Unsigned(self.bits()?));
        }
        let length = match self.eat(Token::LeftBracket) {
            Some(_) => {
                let length = self.expr()?;
                self.expect(Token::RightBracket, "`]`")?;
                Some(length)
            }
            None => None,
        };
        let init = match self.eat(Token::Becomes) {
            Some(_) => self.init()?,
            None => Init::None,
        };
        Ok(Declaration { ty, name, length, init })
    }

    fn bits(&mut self) -> Parsed<u8> {
        self.expect(Token::Colon, "`:` and the number of bits")?;
        let span = self.peek_span();
        let bits = self.take().text.parse::<u8>();
        bits.ok().filter(|bits| (1..=31).contains(bits)).ok_or(()).map_err(|()| {
            self.sink.error(|| {
                Diagnostic::error(
                    "expected a number of bits",
                    span,
                    "expected a number from 1 to 31",
                )
            })
        })
    }

    fn init(&mut self) -> Parsed<Init<'a>> {
        match self.peek() {
            Token::LeftBracket => {
                self.bump();
                let capacity = self.expr()?;
                self.expect(Token::RightBracket, "`]`")?;
                if !self.eat_word("of") {
                    return Err(self.unexpected("`of`"));
                }
                Ok(Init::Channel(capacity, self.fields()?))
            }
            Token::LeftBrace => {
                self.bump();
                let mut values: Vec<Expr<'a>> = vec![self.expr()?];
                while self.eat(Token::Comma).is_some() {
                    values.push(self.expr()?);
                }
                self.expect(Token::RightBrace, "`,` or `}`")?;
                Ok(Init::List(values))
            }
            _ => Ok(Init::Value(self.expr()?)),
        }
    }

    /// `{ byte, mtype }`
    fn fields(&mut self) -> Parsed<Vec<(Type<'a>, Span)>> {
        self.expect(Token::LeftBrace, "`{`")?;
        let mut fields = Vec::new();
        loop {
            let span = self.peek_span();
            fields.push(match self.ty()? {
                Type::Simple(VarType::Unsigned(_)) => {
                    (Type::Simple(VarType::Unsigned(self.bits()?)), span)
                }
                ty => (ty, span),
            });
            if self.eat(Token::Comma).is_none() && self.eat(Token::Semicolon).is_none() {
                break;
            }
        }
        self.expect(Token::RightBrace, "`,` or `}`")?;
        Ok(fields)
    }
}
