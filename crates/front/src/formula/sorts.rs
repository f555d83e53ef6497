//! Declarations in the formulas of mCRL2: variables with their sorts, and the data specification before `form`.

use super::FormulaParser;
use crate::lexer::Token;
use crate::sink::Parsed;
use logic::{
    Constructor, DataTerm, DataVarId, DataVariable, Sort, SortDeclaration, SortDefinition,
};
use support::{Diagnostic, Span};

/// Words that begin a part of a data specification.
pub(super) fn begins_specification(word: &str) -> bool {
    matches!(word, "sort" | "cons" | "map" | "var" | "eqn" | "act" | "glob" | "form")
}

impl<'a> FormulaParser<'_, 'a> {
    /// The sorts before `form`; where the specification begins, if there is one.
    pub(super) fn specification(&mut self) -> Parsed<Option<Span>> {
        let starts = self.word().is_some_and(begins_specification);
        if !self.logic.has_regular_formulas() || !starts {
            return Ok(None);
        }
        let start = self.cursor.peek_span();
        loop {
            match self.word() {
                Some("form") => {
                    self.cursor.bump();
                    return Ok(Some(start));
                }
                Some("sort") => self.section(Self::sort_declaration)?,
                Some("cons") => self.section(Self::constructor_declaration)?,
                Some("act") => self.section(Self::action_declaration)?,
                Some("map" | "var" | "eqn" | "glob") => {
                    let (word, span) = (self.cursor.peek_text(), self.cursor.peek_span());
                    return Err(self.cursor.sink.error(|| {
                        let message = format!("`{word}` is not supported in mcf");
                        Diagnostic::error(message, span, "functions that equations define").with_help(
                            "of data specifications, `sort`, `cons` and `act` are read; write the \
                             value in place of the function",
                        )
                    }));
                }
                _ => {
                    let help = "`form` stands between a data specification and the formula";
                    return Err(self
                        .cursor
                        .unexpected("`sort`, `cons`, `act` or `form`", Some(help)));
                }
            }
        }
    }

    /// A word and the declarations behind it.
    fn section(&mut self, declaration: impl Fn(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.cursor.bump();
        while !self.word().is_some_and(begins_specification) {
            declaration(self)?;
            self.cursor.expect(Token::Semicolon, "`;` after a declaration")?;
        }
        Ok(())
    }

    /// `D = struct c(first: Nat)?is_c | d`, `D = E`, or only `D, E`.
    fn sort_declaration(&mut self) -> Parsed<()> {
        let (name, span) = self.data_name()?;
        if self.cursor.eat(Token::Equals).is_none() {
            while self.cursor.eat(Token::Comma).is_some() {
                self.data_name()?;
            }
            return Ok(());
        }
        let definition = match self.word() {
            Some("struct") => {
                self.cursor.bump();
                let mut constructors = vec![self.constructor()?];
                while self.cursor.eat(Token::Bar).is_some() {
                    constructors.push(self.constructor()?);
                }
                SortDefinition::Constructors(constructors)
            }
            _ => SortDefinition::Alias(self.sort()?),
        };
        if self.builder.sorts.iter().any(|sort| sort.name == name) {
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error(format!("the sort `{name}` is declared twice"), span, "again")
            }));
        }
        self.builder.sorts.push(SortDeclaration { name: name.to_owned(), definition });
        Ok(())
    }

    fn constructor(&mut self) -> Parsed<Constructor> {
        let name = self.data_name()?.0.to_owned();
        let mut fields = Vec::new();
        if self.cursor.eat(Token::LeftParen).is_some() {
            loop {
                let named =
                    self.name_tokens().filter(|&count| self.cursor.peek_at(count) == Token::Colon);
                let projection = match named {
                    Some(_) => {
                        let (name, _) = self.data_name()?;
                        self.cursor.bump();
                        Some(name.to_owned())
                    }
                    None => None,
                };
                fields.push((projection, self.sort()?));
                if self.cursor.eat(Token::Comma).is_none() {
                    break;
                }
            }
            self.cursor.expect(Token::RightParen, "`,` or `)` after a sort")?;
        }
        let recogniser = match self.cursor.eat(Token::Question) {
            Some(_) => Some(self.data_name()?.0.to_owned()),
            None => None,
        };
        Ok(Constructor { name, fields, recogniser })
    }

    /// `c, d: A # B -> D`
    fn constructor_declaration(&mut self) -> Parsed<()> {
        let mut names = vec![self.data_name()?];
        while self.cursor.eat(Token::Comma).is_some() {
            names.push(self.data_name()?);
        }
        self.colon()?;
        let mut sorts = vec![self.one_sort()?];
        while self.at_product() {
            self.cursor.bump();
            sorts.push(self.one_sort()?);
        }
        if self.cursor.eat(Token::Arrow).is_some() {
            sorts.push(self.one_sort()?);
        }
        let Some(Sort::Named(target)) = sorts.pop() else {
            let span = names[0].1;
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error("a constructor of a sort that has no name", span, "declared here")
            }));
        };
        let made = |(name, _): (&str, Span)| Constructor {
            name: name.to_owned(),
            fields: sorts.iter().map(|sort| (None, sort.clone())).collect(),
            recogniser: None,
        };
        let constructors = names.into_iter().map(made);
        let known = self.builder.sorts.iter_mut().find(|sort| sort.name == target);
        match known.map(|sort| &mut sort.definition) {
            Some(SortDefinition::Constructors(own)) => own.extend(constructors),
            Some(SortDefinition::Alias(_)) => {}
            None => {
                let definition = SortDefinition::Constructors(constructors.collect());
                self.builder.sorts.push(SortDeclaration { name: target, definition });
            }
        }
        Ok(())
    }

    /// The actions of an LTS say themselves which arguments they have.
    fn action_declaration(&mut self) -> Parsed<()> {
        self.cursor.skip_until(|cursor| cursor.peek() == Token::Semicolon);
        Ok(())
    }

    pub(super) fn data_name(&mut self) -> Parsed<(&'a str, Span)> {
        let word = self.word().unwrap_or_default();
        let is_keyword = matches!(word, "true" | "false" | "forall" | "exists" | "val");
        match self.name_tokens() {
            Some(count) if !is_keyword => {
                let span = self.cursor.take(count).span;
                Ok((self.snippet(span), span))
            }
            _ => Err(self.cursor.unexpected("a name", Some("write for example `n: Nat`"))),
        }
    }

    fn colon(&mut self) -> Parsed<()> {
        match self.cursor.eat(Token::Colon) {
            Some(_) => Ok(()),
            None => {
                let help = "a variable is declared with its sort: `n: Nat`";
                Err(self.cursor.unexpected("`:` and a sort", Some(help)))
            }
        }
    }

    pub(super) fn sort_behind_colon(&mut self) -> Parsed<Sort> {
        self.colon()?;
        self.sort()
    }

    fn at_product(&self) -> bool {
        self.cursor.peek() == Token::Unknown && self.cursor.peek_text() == "#"
    }

    fn sort(&mut self) -> Parsed<Sort> {
        let start = self.cursor.peek_span();
        let sort = self.one_sort()?;
        if !self.at_product() && self.cursor.peek() != Token::Arrow {
            return Ok(sort);
        }
        while self.at_product() || self.cursor.peek() == Token::Arrow {
            self.cursor.bump();
            self.one_sort()?;
        }
        let span = start.to(self.cursor.last_span());
        Ok(Sort::Other(self.snippet(span).to_owned(), false))
    }

    fn one_sort(&mut self) -> Parsed<Sort> {
        if self.cursor.eat(Token::LeftParen).is_some() {
            let sort = self.nested(Self::sort)?;
            self.cursor.expect(Token::RightParen, "`)` after a sort")?;
            return Ok(sort);
        }
        let (name, start) = match self.name_tokens() {
            Some(_) => self.data_name()?,
            None => {
                let help = "a sort is `Bool`, `Nat`, `Pos`, `Int`, or one of the specification";
                return Err(self.cursor.unexpected("a sort", Some(help)));
            }
        };
        let mut span = start;
        if self.cursor.peek() == Token::LeftParen {
            self.cursor.bump();
            self.nested(Self::sort)?;
            self.cursor.expect(Token::RightParen, "`)` after a sort")?;
            span = start.to(self.cursor.last_span());
        }
        let text = self.snippet(span).to_owned();
        Ok(match name {
            _ if span != start => {
                Sort::Other(text, name == "List" || name == "Bag" || name == "FBag")
            }
            "Bool" => Sort::Bool,
            "Pos" => Sort::Pos,
            "Nat" => Sort::Nat,
            "Int" => Sort::Int,
            "Real" => Sort::Other(text, true),
            _ => Sort::Named(text),
        })
    }

    pub(super) fn declare(&mut self, name: &'a str, sort: &Sort, span: Span) -> DataVarId {
        let variable = DataVariable { name: name.to_owned(), sort: sort.clone(), span };
        let id = self.builder.variables.push(variable);
        self.data_scope.push((name, id));
        id
    }

    /// `(n: Nat = 0, b: Bool = true)` behind the variable of a fixpoint.
    pub(super) fn fixpoint_parameters(&mut self) -> Parsed<Vec<(DataVarId, DataTerm)>> {
        let mut declared = Vec::new();
        if self.cursor.eat(Token::LeftParen).is_none() {
            return Ok(Vec::new());
        }
        loop {
            let (name, span) = self.data_name()?;
            let sort = self.sort_behind_colon()?;
            if self.cursor.eat(Token::Equals).is_none() {
                let help = format!("a parameter has an initial value: `{name}: Nat = 0`");
                return Err(self.cursor.unexpected("`=` and a value", Some(&help)));
            }
            declared.push((name, sort, span, self.term()?));
            if self.cursor.eat(Token::Comma).is_none() {
                break;
            }
        }
        self.cursor.expect(Token::RightParen, "`,` or `)` after a parameter")?;
        let bound = |(name, sort, span, initial): (&'a str, Sort, Span, DataTerm)| {
            (self.declare(name, &sort, span), initial)
        };
        Ok(declared.into_iter().map(bound).collect())
    }
}
