//! Modules and their parts: from tokens to syntax.
//!
//! An item that is wrong is reported and left out; reading goes on behind its semicolon, or where the
//! next part of the module begins.

mod expr;
mod hints;
mod primary;
mod types;

use super::ast::{
    Compute, Declaration, Expr, ExprId, Exprs, File, Item, Module, Name, Spec, SpecKind,
    UnsupportedSpec,
};
use super::lexer::{SECTIONS, Token, is_reserved, is_section};
use crate::climb::Climb;
use crate::cursor::Cursor;
use crate::sink::{Parsed, Reported};
use logic::{Extreme, Logic};
use support::{Diagnostic, Span, nearest};
use transition::{Section, VarKind, When};

pub(super) struct Parser<'c, 'a> {
    pub cursor: &'c mut Cursor<'a, Token>,
    pub exprs: Exprs<'a>,
    nesting: usize,
    /// The logic of the formula at the cursor, if it is one.
    logic: Option<Logic>,
    /// The fixpoint variables around the cursor, innermost last.
    bound: Vec<&'a str>,
    /// Whether `..` ends an expression instead of making a set of numbers.
    is_bound: bool,
}

pub(super) fn parse<'a>(cursor: &mut Cursor<'a, Token>) -> File<'a> {
    let mut parser = Parser::new(cursor, Exprs::default());
    let mut modules = Vec::new();
    while parser.cursor.peek() != Token::End {
        match parser.word() {
            Some("MODULE") => modules.extend(parser.module()),
            _ => parser.not_a_module(),
        }
    }
    File { modules, exprs: parser.exprs, asked: Vec::new() }
}

/// One formula and nothing else; `None` if something is wrong with it.
pub(super) fn parse_question<'a>(
    cursor: &mut Cursor<'a, Token>,
    logic: Logic,
    exprs: &mut Exprs<'a>,
) -> Option<Spec<'a>> {
    let mut parser = Parser::new(cursor, std::mem::take(exprs));
    let kind = SpecKind::Formula(logic);
    let parsed = parser.specified(kind);
    let parsed = parsed.and_then(|expr| match parser.cursor.peek() {
        Token::End => Ok(expr),
        _ => Err(parser.unexpected_after("an operator or the end of the formula")),
    });
    *exprs = parser.exprs;
    Some(Spec { kind, name: None, expr: parsed.ok()? })
}

impl<'c, 'a> Parser<'c, 'a> {
    fn new(cursor: &'c mut Cursor<'a, Token>, exprs: Exprs<'a>) -> Self {
        Self { cursor, exprs, nesting: 0, logic: None, bound: Vec::new(), is_bound: false }
    }

    /// The next token if it is a word.
    fn word(&self) -> Option<&'a str> {
        (self.cursor.peek() == Token::Word).then(|| self.cursor.peek_text())
    }

    fn at_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    fn at_section(&self) -> bool {
        self.word().is_some_and(is_section)
    }

    fn not_a_module(&mut self) {
        let help = match self.word() {
            Some(word) if is_section(word) => {
                "put `MODULE main` before the declarations".to_owned()
            }
            Some(word) if nearest(word, ["MODULE"]).is_some() => {
                "did you mean `MODULE`?".to_owned()
            }
            _ => "a file consists of modules: it begins with `MODULE main`".to_owned(),
        };
        self.cursor.unexpected("`MODULE`", Some(&help));
        self.cursor.bump();
        self.cursor
            .skip_until(|cursor| cursor.peek() == Token::Word && cursor.peek_text() == "MODULE");
    }

    fn module(&mut self) -> Option<Module<'a>> {
        self.cursor.bump();
        let head = self.module_head();
        if head.is_err() {
            self.recover();
        }
        let mut items = Vec::new();
        while self.cursor.peek() != Token::End && !self.at_word("MODULE") {
            if self.section(&mut items).is_err() {
                self.recover();
            }
        }
        let (name, parameters) = head.ok()?;
        Some(Module { name, parameters, items })
    }

    fn module_head(&mut self) -> Parsed<(Name<'a>, Vec<Name<'a>>)> {
        let name = self.name("the name of the module")?;
        let mut parameters = Vec::new();
        if self.cursor.eat(Token::LeftParen).is_some()
            && self.cursor.eat(Token::RightParen).is_none()
        {
            loop {
                parameters.push(self.name("the name of a parameter")?);
                if self.cursor.eat(Token::Comma).is_none() {
                    break;
                }
            }
            self.cursor.expect(Token::RightParen, "`,` or `)` after the parameter")?;
        }
        Ok((name, parameters))
    }

    /// Goes behind the next semicolon, or to the next part of a module.
    fn recover(&mut self) {
        self.cursor.skip_until(|cursor| {
            let is_word = cursor.peek() == Token::Word;
            cursor.peek() == Token::Semicolon || (is_word && is_section(cursor.peek_text()))
        });
        self.cursor.eat(Token::Semicolon);
    }

    pub(super) fn name(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        match self.word() {
            Some(word) if is_reserved(word) => {
                let help = format!("`{word}` is a reserved word: choose another name");
                Err(self.cursor.unexpected(wanted, Some(&help)))
            }
            Some(text) => Ok(Name { text, span: self.cursor.bump() }),
            None => Err(self.cursor.unexpected(wanted, None)),
        }
    }

    fn section(&mut self, items: &mut Vec<Item<'a>>) -> Parsed<()> {
        let Some(word) = self.word().filter(|word| is_section(word)) else {
            return Err(self.not_a_section());
        };
        let keyword = self.cursor.bump();
        match word {
            "VAR" => self.many(items, |parser| parser.variable(VarKind::State)),
            "IVAR" => self.many(items, |parser| parser.variable(VarKind::Input)),
            "FROZENVAR" => self.many(items, |parser| parser.variable(VarKind::Frozen)),
            "DEFINE" => self.many(items, Self::define),
            "ASSIGN" => self.many(items, Self::assign),
            "CONSTANTS" => self.constants(items),
            "INIT" => self.constraint(items, Section::Init),
            "TRANS" => self.constraint(items, Section::Trans),
            "INVAR" => self.constraint(items, Section::Invar),
            "FAIRNESS" | "JUSTICE" => {
                let expr = self.expression()?;
                items.push(Item::Fairness { expr });
                self.end_of_expression()
            }
            "COMPASSION" => self.compassion(items, keyword),
            "SPEC" | "CTLSPEC" => self.spec(items, SpecKind::Formula(Logic::Ctl)),
            "INVARSPEC" => self.spec(items, SpecKind::Invar),
            "MUSPEC" => self.spec(items, SpecKind::Formula(Logic::Mu)),
            "LTLSPEC" => self.spec(items, SpecKind::Formula(Logic::Ltl)),
            "PSLSPEC" => self.foreign(items, keyword),
            "COMPUTE" => self.compute(items),
            "ISA" => {
                let module = self.name("the name of a module")?;
                items.push(Item::Isa(module));
                self.cursor.eat(Token::Semicolon);
                Ok(())
            }
            "MDEFINE" => self.many(items, Self::define),
            // Hints for the abstraction of NuSMV's own, which change no verdict.
            _ => {
                self.expression()?;
                self.end_of_expression()
            }
        }
    }

    fn not_a_section(&mut self) -> Reported {
        let near = self.word().and_then(|word| nearest(word, SECTIONS.iter().copied()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.cursor.peek() == Token::Semicolon => "take the `;` out".to_owned(),
            None => "write `VAR`, `ASSIGN`, `DEFINE`, `SPEC` or the like before it".to_owned(),
        };
        let reported = self.cursor.unexpected("a part of a module", Some(&help));
        self.cursor.bump();
        reported
    }

    /// Items up to the next part of the module.
    fn many(
        &mut self,
        items: &mut Vec<Item<'a>>,
        one: impl Fn(&mut Self) -> Parsed<Item<'a>>,
    ) -> Parsed<()> {
        while self.cursor.peek() != Token::End && !self.at_section() {
            match one(self) {
                Ok(item) => items.push(item),
                Err(Reported) => self.recover(),
            }
        }
        Ok(())
    }

    fn variable(&mut self, kind: VarKind) -> Parsed<Item<'a>> {
        let start = self.cursor.peek_span();
        self.name("the name of a variable")?;
        // Flattened models have variables whose names have dots, and elements of arrays by themselves.
        loop {
            if self.cursor.eat(Token::Dot).is_some() {
                self.name("a name after the `.`")?;
            } else if self.cursor.eat(Token::LeftBracket).is_some() {
                self.cursor.eat(Token::Minus);
                self.cursor.expect(Token::Number, "the index of an element")?;
                self.cursor.expect(Token::RightBracket, "`]` after the index")?;
            } else {
                break;
            }
        }
        let span = start.to(self.cursor.last_span());
        let name = Name { text: self.text(span), span };
        if self.cursor.eat(Token::Colon).is_none() {
            let help = match nearest(name.text, SECTIONS.iter().copied()) {
                Some(near) if self.cursor.peek() == Token::Word => {
                    format!("did you mean `{near}`?")
                }
                _ => format!("write for example `{} : boolean;`", name.text),
            };
            return Err(self.cursor.unexpected("`:` and a type", Some(&help)));
        }
        let ty = self.ty()?;
        let span = start.to(self.cursor.last_span());
        self.semicolon("the declaration")?;
        Ok(Item::Var(kind, Declaration { name, ty, span }))
    }

    fn define(&mut self) -> Parsed<Item<'a>> {
        let name = self.place("the name of a definition")?;
        if self.cursor.eat(Token::Becomes).is_none() {
            return Err(self.cursor.unexpected("`:=`", Some("write for example `d := x + 1;`")));
        }
        let value = self.expression()?;
        self.semicolon("the definition")?;
        Ok(Item::Define { name, value })
    }

    fn assign(&mut self) -> Parsed<Item<'a>> {
        let start = self.cursor.peek_span();
        let when = match self.word() {
            Some("init") => When::Init,
            Some("next") => When::Next,
            _ => When::Always,
        };
        if when != When::Always {
            self.cursor.bump();
            self.cursor.expect(Token::LeftParen, "`(` and a variable")?;
        }
        let target = self.place("`init(…)`, `next(…)` or a variable to assign to")?;
        if when != When::Always {
            self.cursor.expect(Token::RightParen, "`)` after the variable")?;
        }
        if self.cursor.eat(Token::Becomes).is_none() {
            let help = match self.cursor.peek() {
                Token::Equal => "an assignment is written `:=`",
                _ => "write for example `next(x) := x + 1;`",
            };
            return Err(self.cursor.unexpected("`:=`", Some(help)));
        }
        let value = self.expression()?;
        let span = start.to(self.cursor.last_span());
        self.semicolon("the assignment")?;
        Ok(Item::Assign { when, target, value, span })
    }

    /// A variable, by a path of names and indices.
    fn place(&mut self, wanted: &str) -> Parsed<ExprId> {
        if self.word().is_none_or(is_reserved) {
            let help = self.word().map(|word| format!("`{word}` is a reserved word"));
            return Err(self.cursor.unexpected(wanted, help.as_deref()));
        }
        let text = self.cursor.peek_text();
        let span = self.cursor.bump();
        let first = self.exprs.push(Expr::Name(text), span);
        self.postfix(first)
    }

    fn constants(&mut self, items: &mut Vec<Item<'a>>) -> Parsed<()> {
        loop {
            // Integers may be listed, too, and are constants anyway.
            match self.cursor.peek() {
                Token::Number => drop(self.cursor.bump()),
                _ => items.push(Item::Constant(self.name("the name of a constant")?)),
            }
            if self.cursor.eat(Token::Comma).is_none() {
                return self.semicolon("the constants");
            }
        }
    }

    fn constraint(&mut self, items: &mut Vec<Item<'a>>, section: Section) -> Parsed<()> {
        let expr = self.expression()?;
        items.push(Item::Constraint { section, expr });
        self.end_of_expression()
    }

    fn spec(&mut self, items: &mut Vec<Item<'a>>, kind: SpecKind) -> Parsed<()> {
        let name = self.spec_name()?;
        let expr = self.specified(kind)?;
        items.push(Item::Spec(Spec { kind, name, expr }));
        self.end_of_expression()
    }

    fn specified(&mut self, kind: SpecKind) -> Parsed<ExprId> {
        match kind {
            SpecKind::Formula(logic) => self.formula(logic),
            SpecKind::Invar => self.expression(),
        }
    }

    /// `NAME n :=`
    fn spec_name(&mut self) -> Parsed<Option<Name<'a>>> {
        if !self.at_word("NAME") {
            return Ok(None);
        }
        self.cursor.bump();
        let name = self.name("the name of the specification")?;
        self.cursor.expect(Token::Becomes, "`:=` after the name")?;
        Ok(Some(name))
    }

    /// A specification that is not read, up to the next part of the module.
    fn foreign(&mut self, items: &mut Vec<Item<'a>>, keyword: Span) -> Parsed<()> {
        let name = self.spec_name()?;
        let start = self.cursor.peek_span();
        self.cursor
            .skip_until(|cursor| cursor.peek() == Token::Word && is_section(cursor.peek_text()));
        let end = self.cursor.last_span();
        let mut span = if end.end > start.start { start.to(end) } else { keyword };
        if self.text(span).ends_with(';') {
            span.end -= 1;
        }
        items.push(Item::UnsupportedSpec(UnsupportedSpec { name, span }));
        Ok(())
    }

    /// `COMPUTE MIN[f, g]`
    fn compute(&mut self, items: &mut Vec<Item<'a>>) -> Parsed<()> {
        const FORM: &str = "write `COMPUTE MIN[f, g]` or `COMPUTE MAX[f, g]`: the lengths of paths from `f` to `g`";
        let name = self.spec_name()?;
        let start = self.cursor.peek_span();
        let extreme = Extreme::ALL.into_iter().find(|extreme| self.at_word(extreme.name()));
        let Some(extreme) = extreme else {
            return Err(self.cursor.unexpected("`MIN` or `MAX`", Some(FORM)));
        };
        self.cursor.bump();
        if self.cursor.eat(Token::LeftBracket).is_none() {
            return Err(self.cursor.unexpected("`[` and two formulas of CTL", Some(FORM)));
        }
        let from = self.formula(Logic::Ctl)?;
        if self.cursor.peek() != Token::Comma {
            return Err(self.unexpected_after("an operator or `,`"));
        }
        self.cursor.bump();
        let to = self.formula(Logic::Ctl)?;
        if self.cursor.peek() != Token::RightBracket {
            return Err(self.unexpected_after("an operator or `]`"));
        }
        let span = start.to(self.cursor.bump());
        items.push(Item::Compute(Compute { extreme, name, from, to, span }));
        self.end_of_expression()
    }

    /// `COMPASSION (p, q)`
    fn compassion(&mut self, items: &mut Vec<Item<'a>>, keyword: Span) -> Parsed<()> {
        self.cursor.expect(Token::LeftParen, "`(` and two conditions")?;
        let often = self.expression()?;
        self.cursor.expect(Token::Comma, "`,` and another condition")?;
        let then = self.expression()?;
        self.cursor.expect(Token::RightParen, "`)`")?;
        items.push(Item::Compassion { keyword, often, then });
        self.end_of_expression()
    }

    fn semicolon(&mut self, what: &str) -> Parsed<()> {
        if self.cursor.eat(Token::Semicolon).is_some() {
            return Ok(());
        }
        let is_end = self.cursor.peek() == Token::End || self.at_section();
        if !is_end && !self.cursor.starts_line() {
            return Err(self.unexpected_after(&format!("`;` after {what}")));
        }
        // What it should have ended counts as whole.
        let (found, last) = (self.cursor.describe(), self.cursor.last_span());
        self.cursor.sink.error(|| {
            let message = format!("expected `;` after {what}, found {found}");
            Diagnostic::error(message, last, "a `;` is missing after this")
        });
        Ok(())
    }

    /// After a condition or a specification a semicolon may stand, and something new begins.
    fn end_of_expression(&mut self) -> Parsed<()> {
        if self.cursor.eat(Token::Semicolon).is_some()
            || self.at_section()
            || self.cursor.peek() == Token::End
        {
            return Ok(());
        }
        Err(self.unexpected_after("an operator, `;` or the next part of the module"))
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        &self.cursor.text[span.range()]
    }
}
