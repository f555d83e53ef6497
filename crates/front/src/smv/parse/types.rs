//! The types of variables, and instances of modules.

use super::Parser;
use crate::climb::Climb;
use crate::sink::{Parsed, Reported};
use crate::smv::ast::{Constant, Expr, ExprId, Type};
use crate::smv::lexer::{Token, is_reserved};
use support::{Diagnostic, Span};

/// How deep arrays may be nested.
const MAX_ARRAYS: usize = 16;

/// The indices of an array.
enum Dimension {
    Bounds(ExprId, ExprId),
    Unsupported(&'static str),
}

impl<'a> Parser<'_, 'a> {
    pub(super) fn ty(&mut self) -> Parsed<Type<'a>> {
        let start = self.cursor.peek_span();
        let mut dimensions = Vec::new();
        while self.at_word("array") {
            dimensions.push(self.dimension()?);
        }
        if dimensions.len() > MAX_ARRAYS {
            let span = self.cursor.last_span();
            return Err(self.cursor.sink.error(|| {
                let message = format!("arrays are nested more than {MAX_ARRAYS} levels deep");
                Diagnostic::error(message, span, "one level too many")
            }));
        }
        let element = self.element_type()?;
        let nest = |element, dimension| match dimension {
            Dimension::Bounds(low, high) => Type::Array(low, high, Box::new(element)),
            Dimension::Unsupported(construct) => {
                Type::Unsupported { construct, span: start, element: Some(Box::new(element)) }
            }
        };
        Ok(dimensions.into_iter().rev().fold(element, nest))
    }

    /// `array 0..3 of`
    fn dimension(&mut self) -> Parsed<Dimension> {
        self.cursor.bump();
        let dimension = match self.word() {
            Some("integer") => {
                self.cursor.bump();
                Dimension::Unsupported("an array that is indexed by integers")
            }
            Some("word") => {
                self.word_type(false)?;
                Dimension::Unsupported("an array that is indexed by words")
            }
            _ => {
                let (low, high) = self.bounds()?;
                Dimension::Bounds(low, high)
            }
        };
        if !self.at_word("of") {
            let help = "write for example `array 0..3 of boolean`";
            return Err(self.cursor.unexpected("`of` and a type", Some(help)));
        }
        self.cursor.bump();
        Ok(dimension)
    }

    fn bounds(&mut self) -> Parsed<(ExprId, ExprId)> {
        let low = self.end_of_range()?;
        if self.cursor.eat(Token::DotDot).is_none() {
            let help = "a range is written `0..3`";
            return Err(self.cursor.unexpected("`..` and the upper bound", Some(help)));
        }
        Ok((low, self.end_of_range()?))
    }

    fn element_type(&mut self) -> Parsed<Type<'a>> {
        match (self.cursor.peek(), self.word()) {
            (Token::LeftBrace, _) => self.enumeration(),
            (_, Some("boolean")) => {
                self.cursor.bump();
                Ok(Type::Boolean)
            }
            (_, Some("word")) => self.word_type(false),
            (_, Some(sign @ ("signed" | "unsigned"))) => {
                self.cursor.bump();
                if !self.at_word("word") {
                    let help = format!("write for example `{sign} word[8]`");
                    return Err(self.cursor.unexpected("`word`", Some(&help)));
                }
                self.word_type(sign == "signed")
            }
            (_, Some("integer")) => Ok(Type::Integer(self.cursor.bump())),
            (_, Some(word @ ("real" | "clock"))) => {
                let construct = if word == "real" { "the type `real`" } else { "the type `clock`" };
                Ok(Type::Unsupported { construct, span: self.cursor.bump(), element: None })
            }
            (_, Some("process")) => {
                self.cursor.bump();
                self.instance(true)
            }
            (_, Some(word)) if !is_reserved(word) && self.is_instance() => self.instance(false),
            (Token::Number | Token::Minus | Token::LeftParen, _) => self.range_type(),
            (_, Some(word)) if !is_reserved(word) => self.range_type(),
            _ => {
                let help = "types are `boolean`, `integer`, `0..3`, `{a, b}`, `word[8]`, `array 0..3 of …`, or a module";
                Err(self.cursor.unexpected("a type", Some(help)))
            }
        }
    }

    /// A name with nothing behind it, or with arguments, is a module; otherwise it begins a range.
    fn is_instance(&self) -> bool {
        matches!(self.cursor.peek_at(1), Token::Semicolon | Token::LeftParen | Token::End)
    }

    fn range_type(&mut self) -> Parsed<Type<'a>> {
        let (low, high) = self.bounds()?;
        Ok(Type::Range(low, high))
    }

    fn word_type(&mut self, signed: bool) -> Parsed<Type<'a>> {
        self.cursor.bump();
        if self.cursor.eat(Token::LeftBracket).is_none() {
            let help = "write the width in brackets: `word[8]`";
            return Err(self.cursor.unexpected("`[` and the width", Some(help)));
        }
        let width = self.end_of_range()?;
        self.cursor.expect(Token::RightBracket, "`]` after the width")?;
        Ok(Type::Word { signed, width })
    }

    fn enumeration(&mut self) -> Parsed<Type<'a>> {
        self.cursor.bump();
        let mut values = Vec::new();
        loop {
            values.push(self.constant()?);
            if self.cursor.eat(Token::Comma).is_none() {
                break;
            }
        }
        self.cursor.expect(Token::RightBrace, "`,` or `}` after the value")?;
        Ok(Type::Enum(values))
    }

    fn constant(&mut self) -> Parsed<(Constant<'a>, Span)> {
        if matches!(self.cursor.peek(), Token::Number | Token::Minus) {
            let sign = self.cursor.eat(Token::Minus);
            let number = self.number()?;
            let span = self.exprs.span(number);
            let &Expr::Int(value) = self.exprs.get(number) else { return Err(Reported) };
            let value = if sign.is_some() { -value } else { value };
            return Ok((Constant::Int(value), sign.map_or(span, |sign| sign.to(span))));
        }
        if let Some(word @ ("TRUE" | "FALSE")) = self.word() {
            let help = format!("`{word}` is a value of the type `boolean` only");
            return Err(self.cursor.unexpected("a value of the enumeration", Some(&help)));
        }
        let name = self.name("a value of the enumeration")?;
        let start = name.span;
        // A constant can be named with dots.
        while self.cursor.eat(Token::Dot).is_some() {
            self.name("a name after the `.`")?;
        }
        let span = start.to(self.cursor.last_span());
        Ok((Constant::Symbol(self.text(span)), span))
    }

    fn instance(&mut self, is_process: bool) -> Parsed<Type<'a>> {
        let module = self.name("the name of a module")?;
        let mut arguments = Vec::new();
        if self.cursor.eat(Token::LeftParen).is_some()
            && self.cursor.eat(Token::RightParen).is_none()
        {
            arguments = self.listed()?;
            if self.cursor.eat(Token::RightParen).is_none() {
                return Err(self.unexpected_after("an operator, `,` or `)`"));
            }
        }
        Ok(Type::Instance { is_process, module, arguments })
    }
}
