//! Extensions of plain components: parameters, arguments, copies, indices, conditions, updates.

use super::ast::{Copied, Note, Update};
use super::parse::Parser;
use super::term::{Binder, Domain, DomainKind, Term, TermParser};
use super::value::Value;
use crate::cursor::Name;
use crate::lexer::Token;
use crate::sink::{Parsed, Reported};
use std::borrow::Cow;
use support::{Diagnostic, Span};

/// `Phil.0`: the name of what a template gives for these values.
pub(super) fn instance<'a>(name: &Name<'a>, values: &[Value]) -> Name<'a> {
    if values.is_empty() {
        return name.clone();
    }
    let mut text = name.text.to_string();
    for value in values {
        text.push('.');
        text.push_str(&value.in_name());
    }
    Name { text: Cow::Owned(text), span: name.span }
}

impl<'a> Parser<'_, 'a> {
    pub(super) fn terms(&mut self) -> TermParser<'_, 'a> {
        TermParser::new(self.cursor, self.before_actions)
    }

    /// The note about that which begins there.
    pub(super) fn note(&mut self, span: Span) -> &mut Note<'a> {
        self.notes.entry(span.start).or_default()
    }

    /// A name, maybe with indices.
    pub(super) fn name(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        let name = self.cursor.name(wanted)?;
        self.indices(name)
    }

    /// A name or a string, maybe with indices.
    pub(super) fn name_or_string(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        let name = self.cursor.name_or_string(wanted)?;
        self.indices(name)
    }

    fn indices(&mut self, name: Name<'a>) -> Parsed<Name<'a>> {
        if self.cursor.peek() == Token::LeftBracket {
            let indices = self.terms().indices()?;
            self.note(name.span).indices = indices;
        }
        Ok(name)
    }

    /// Indices are no oddity of a name.
    pub(super) fn refuse_odd_name(&mut self, name: &Name, wanted: &str) -> Parsed<()> {
        let has_indices = self.cursor.last_span().end != name.span.end;
        if has_indices { Ok(()) } else { self.cursor.refuse_odd_name(name, wanted) }
    }

    /// `const N = 4;`
    pub(super) fn constant(&mut self) -> Parsed<()> {
        self.cursor.bump();
        let name = self.cursor.name("the name of the constant")?;
        if self.cursor.eat(Token::Equals).is_none() {
            let help = "a constant is written `const N = 4;`";
            return Err(self.cursor.unexpected("`=` and the value", Some(help)));
        }
        let term = self.terms().term()?;
        self.end_of_line("the constant")?;
        if self.constants.names.iter().any(|(other, _)| *other == name.text) {
            return Err(self.cursor.sink.error(|| {
                let message = format!("the constant `{}` is declared twice", name.text);
                Diagnostic::error(message, name.span, "declared again here")
                    .with_help("take one of them out, or rename it")
            }));
        }
        let value = self.constants.evaluate(&term);
        let value = value.map_err(|error| self.cursor.sink.error(|| *error))?;
        self.constants.names.push((name.text, value));
        self.constants.constants += 1;
        Ok(())
    }

    /// `(i in 0..4, …)` behind the name of a component or of a property.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Binder<'a>>> {
        let Some(open) = self.cursor.eat(Token::LeftParen) else { return Ok(Vec::new()) };
        let params = self.terms().binders()?;
        self.closing_parenthesis(open, "`,` or `)` after a parameter")?;
        params.iter().for_each(|param| self.learn(&param.domain));
        let twice = (1..params.len())
            .find(|&place| params[..place].iter().any(|other| other.name == params[place].name));
        if let Some(place) = twice {
            return Err(self.cursor.sink.error(|| {
                let message = format!("two parameters are called `{}`", params[place].name);
                Diagnostic::error(message, params[place].domain.span, "the values of the second")
                    .with_help("rename one of them")
            }));
        }
        Ok(params)
    }

    /// The words of a domain are known in what follows, also in formulas.
    pub(super) fn learn(&mut self, domain: &Domain<'a>) {
        if let DomainKind::Words(words) = &domain.kind {
            self.constants.learn(words);
        }
    }

    fn closing_parenthesis(&mut self, open: Span, wanted: &str) -> Parsed<()> {
        if self.cursor.eat(Token::RightParen).is_some() {
            return Ok(());
        }
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        Err(self.cursor.sink.error(|| {
            let message = format!("expected {wanted}, found {found}");
            Diagnostic::error(message, span, format!("expected {wanted}"))
                .with_label(open, "opened here")
        }))
    }

    /// All values of the parameters.
    pub(super) fn assignments(&mut self, params: &[Binder<'a>]) -> Parsed<Vec<Vec<Value<'a>>>> {
        let rows = self.constants.assignments(params);
        rows.map_err(|error| self.cursor.sink.error(|| *error))
    }

    /// `i in 0..4:` before something that there is for each value.
    pub(super) fn quantifier(&mut self) -> Parsed<Vec<Binder<'a>>> {
        if !self.terms().at_binder() {
            return Ok(Vec::new());
        }
        let binders = self.terms().binders()?;
        if self.cursor.eat(Token::Colon).is_none() {
            let help = "write `i in 0..4: Phil(i)`";
            return Err(self.cursor.unexpected("`:` after the values", Some(help)));
        }
        Ok(binders)
    }

    /// Takes the arguments of a component, and notes them and the names that are bound before it.
    pub(super) fn arguments(
        &mut self,
        component: &Name<'a>,
        binders: Vec<Binder<'a>>,
    ) -> Parsed<()> {
        let mut arguments: Vec<Term<'a>> = Vec::new();
        if let Some(open) = self.cursor.eat(Token::LeftParen) {
            arguments.push(self.terms().term()?);
            while self.cursor.eat(Token::Comma).is_some() {
                arguments.push(self.terms().term()?);
            }
            self.closing_parenthesis(open, "`,` or `)` after an argument")?;
        }
        if !arguments.is_empty() || !binders.is_empty() {
            let note = self.note(component.span);
            (note.arguments, note.binders) = (arguments, binders);
        }
        Ok(())
    }

    /// A part of a system: `A`, `Phil(0)`, `i in 0..4: Phil(i)`, `A as B [a -> b]`.
    pub(super) fn part(&mut self) -> Parsed<Name<'a>> {
        let binders = self.quantifier()?;
        let component = self.cursor.name("the name of a component")?;
        self.arguments(&component, binders)?;
        if self.cursor.at_word("as") {
            let copy = self.copy()?;
            self.note(component.span).copy = Some(copy);
        }
        Ok(component)
    }

    fn copy(&mut self) -> Parsed<Copied<'a>> {
        self.cursor.bump();
        let name = self.cursor.name("the name of the copy")?;
        let is_renamed = self.cursor.peek() == Token::LeftBracket;
        let renaming = if is_renamed { self.renaming()? } else { Vec::new() };
        Ok(Copied { name, renaming })
    }

    /// `[a -> b, c -> d]`
    fn renaming(&mut self) -> Parsed<Vec<(Name<'a>, Name<'a>)>> {
        const HELP: &str =
            "a copy with other names is written `A as B [send -> give, recv -> take]`";
        let mut renaming = Vec::new();
        loop {
            self.cursor.bump();
            let from = self.name_or_string("an action or a proposition")?;
            if self.cursor.eat(Token::Arrow).is_none() {
                return Err(self.cursor.unexpected("`->` and the new name", Some(HELP)));
            }
            renaming.push((from, self.name_or_string("the new name")?));
            match self.cursor.peek() {
                Token::Comma => {}
                Token::RightBracket => break,
                _ => return Err(self.cursor.unexpected("`,` or `]`", Some(HELP))),
            }
        }
        self.cursor.bump();
        Ok(renaming)
    }

    /// `when x < 3`
    pub(super) fn guard(&mut self) -> Parsed<Option<Term<'a>>> {
        if !self.cursor.at_word("when") {
            return Ok(None);
        }
        self.cursor.bump();
        self.terms().term().map(Some)
    }

    /// Whether `:=` stands here.
    pub(super) fn at_becomes(&self) -> bool {
        self.cursor.peek() == Token::Colon
            && self.cursor.peek_at(1) == Token::Equals
            && self.cursor.touches_the_one_before(1)
    }

    /// Takes `:=`.
    pub(super) fn eat_becomes(&mut self) -> bool {
        let is_there = self.at_becomes();
        if is_there {
            self.cursor.take(2);
        }
        is_there
    }

    /// `do x := x + 1, y := any`
    pub(super) fn updates(&mut self) -> Parsed<Vec<Update<'a>>> {
        self.cursor.bump();
        let mut updates = vec![self.update()?];
        while self.cursor.peek() == Token::Comma && self.is_update_behind_comma() {
            self.cursor.bump();
            updates.push(self.update()?);
        }
        Ok(updates)
    }

    fn is_update_behind_comma(&mut self) -> bool {
        let start = self.cursor.position();
        self.cursor.bump();
        let count = self.cursor.peek_name().map(|(_, count)| count);
        let behind = count.and_then(|count| super::term::behind_brackets(self.cursor, count));
        let is_update = behind.is_some_and(|ahead| self.cursor.peek_at(ahead) == Token::Colon);
        self.cursor.go_back_to(start);
        is_update
    }

    fn update(&mut self) -> Parsed<Update<'a>> {
        let variable = self.name("a variable")?;
        if !self.eat_becomes() {
            return Err(self.no_update(&variable));
        }
        let is_any = self.cursor.at_word("any");
        let value = match is_any {
            true => None,
            false => Some(self.terms().term()?),
        };
        if is_any {
            self.cursor.bump();
        }
        Ok(Update { variable, value })
    }

    fn no_update(&mut self, variable: &Name) -> Reported {
        let help = format!("write `do {0} := {0} + 1`, or `do {0} := any`", variable.text);
        self.cursor.unexpected("`:=` and the new value", Some(&help))
    }
}
