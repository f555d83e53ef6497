//! The body of a component, between its braces.

use super::ast::{
    Arrow, Body, Covers, Declaration, Declared, Group, Init, Inits, Labels, Literal, State, Target,
    Variables,
};
use super::parse::{Parser, TakeName};
use super::term::behind_brackets;
use crate::cursor::Name;
use crate::lexer::Token;
use crate::sink::{Parsed, Reported};
use logic::{Family, Truth};
use model::Mode;
use support::{Diagnostic, Span, nearest};

impl<'a> Parser<'_, 'a> {
    pub(super) fn body(&mut self, kind: Option<Declared>, kind_span: Span) -> Parsed<Body<'a>> {
        let open = self.cursor.expect(Token::LeftBrace, "`{` before the body of the component")?;
        self.before_actions = match kind {
            Some(Declared::Kind(kind)) => kind.family() == Family::Actions,
            _ => true,
        };
        let notes = self.notes.len();
        let mut body = Body {
            kind,
            kind_span,
            props: Declaration::default(),
            actions: Declaration::default(),
            variables: Vec::new(),
            init: None,
            states: Vec::new(),
            covers: Vec::new(),
            closing_brace: open,
            is_broken: false,
            is_plain: false,
        };
        while self.cursor.peek() != Token::RightBrace && self.goes_on() {
            // An item that begins on a line of its own is no line of this body.
            if self.cursor.starts_line() && self.at_item() {
                break;
            }
            let start = self.cursor.position();
            if self.line(&mut body).is_err() {
                body.is_broken = true;
                self.go_to_next_line(start);
            }
        }
        body.closing_brace = self.closing_brace(open)?;
        body.is_plain = body.variables.is_empty() && self.notes.len() == notes;
        Ok(body)
    }

    fn closing_brace(&mut self, open: Span) -> Parsed<Span> {
        if let Some(span) = self.cursor.eat(Token::RightBrace) {
            return Ok(span);
        }
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        Err(self.cursor.sink.error(|| {
            let message = format!("expected `}}` at the end of the component, found {found}");
            Diagnostic::error(message, span, "expected `}`")
                .with_label(open, "opened here")
                .with_help("close the body of the component with `}`")
        }))
    }

    /// After an error: behind the semicolon of the line that began at `start`, or before something
    /// that begins another line. Braces within the line do not end the body.
    fn go_to_next_line(&mut self, start: usize) {
        let reached = self.cursor.position().max(start + 1);
        self.cursor.go_back_to(start);
        let mut open_braces = 0;
        while self.cursor.peek() != Token::End {
            let is_new = self.cursor.position() >= reached;
            match self.cursor.peek() {
                Token::RightBrace if is_new && open_braces == 0 => return,
                Token::RightBrace => open_braces -= 1,
                Token::LeftBrace => open_braces += 1,
                Token::Semicolon if is_new => {
                    self.cursor.bump();
                    return;
                }
                _ if is_new && self.cursor.starts_line() && (self.at_line() || self.at_item()) => {
                    return;
                }
                _ => {}
            }
            self.cursor.bump();
        }
    }

    /// Whether a state line, or one of the other lines, begins here.
    pub(super) fn at_line(&self) -> bool {
        let Some((name, count)) = self.cursor.peek_name() else { return false };
        let behind = self.cursor.peek_at(count);
        let begins = matches!(name, "props" | "actions" | "init" | "covers" | "var" | "input");
        self.is_state(count) || (begins && behind == Token::Word)
    }

    /// Whether a name of so many tokens, maybe with indices, stands before `:`.
    fn is_state(&self, count: usize) -> bool {
        let behind = behind_brackets(self.cursor, count);
        behind.is_some_and(|ahead| self.cursor.peek_at(ahead) == Token::Colon)
    }

    /// A word before `:` is a state, even if it is `init` or `covers`.
    fn line(&mut self, body: &mut Body<'a>) -> Parsed<()> {
        let Some((name, count)) = self.cursor.peek_name() else {
            return Err(self.unknown_line());
        };
        match name {
            _ if self.is_state(count) => {
                let state = self.state()?;
                body.states.push(state);
                Ok(())
            }
            "props" => self.declaration("proposition", Self::name, &mut body.props),
            "actions" => self.declaration("action", Self::name_or_string, &mut body.actions),
            "init" => self.init(body),
            "covers" => {
                let covers = self.covers()?;
                body.covers.push(covers);
                Ok(())
            }
            "var" | "input" => {
                let variables = self.variables(name == "input")?;
                body.variables.push(variables);
                Ok(())
            }
            _ => Err(self.unknown_line()),
        }
    }

    fn unknown_line(&mut self) -> Reported {
        let keywords = ["props", "actions", "init", "covers"];
        let near = self.cursor.peek_name().and_then(|(name, _)| nearest(name, keywords));
        let is_name = self.cursor.peek_name().is_some();
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if is_name => "a state is written `name: {labels} -> targets;`".to_owned(),
            None => "states, `props`, `actions`, `init` and `covers` lines stand here".to_owned(),
        };
        if is_name && near.is_none() {
            let count = self.cursor.touching_tokens();
            self.cursor.take(count);
            return self.cursor.unexpected("`:` after the name of a state", Some(&help));
        }
        self.cursor.unexpected("a state or `}`", Some(&help))
    }

    fn declaration(
        &mut self,
        what: &str,
        one: TakeName<Self, Name<'a>>,
        declared: &mut Declaration<'a>,
    ) -> Parsed<()> {
        let keyword = self.cursor.bump();
        declared.line.get_or_insert(keyword);
        if self.cursor.peek() != Token::Semicolon {
            declared.names.extend(self.names(&format!("the name of a {what}"), one)?);
        }
        self.end_of_line(&format!("the last {what}"))?;
        Ok(())
    }

    fn init(&mut self, body: &mut Body<'a>) -> Parsed<()> {
        let keyword = self.cursor.bump();
        let inits = match self.cursor.peek() {
            Token::LeftBrace => Inits::Labels(self.labels()?),
            _ => Inits::States(self.names("the name of an initial state", Self::initial_state)?),
        };
        self.end_of_line("the last initial state")?;
        if let Some(first) = &body.init {
            let first = first.keyword;
            body.is_broken = true;
            self.cursor.sink.error(|| {
                Diagnostic::error("a second `init` line", keyword, "the second one")
                    .with_label(first, "the first one")
                    .with_help("put all initial states on one line: `init a, b;`")
            });
            return Ok(());
        }
        body.init = Some(Init { keyword, inits });
        Ok(())
    }

    /// `s`, `s when i = 0`
    fn initial_state(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        let name = self.name(wanted)?;
        if let Some(guard) = self.guard()? {
            self.note(name.span).guard = Some(guard);
        }
        Ok(name)
    }

    fn state(&mut self) -> Parsed<State<'a>> {
        let name = self.name("the name of a state")?;
        self.cursor.expect(Token::Colon, "`:` after the name of a state")?;
        let has_labels = self.cursor.peek() == Token::LeftBrace;
        let labels = if has_labels { Some(self.labels()?) } else { None };
        let mut groups = Vec::new();
        while let Some(arrow) = self.arrow()? {
            let mut targets = vec![self.target()?];
            while self.cursor.eat(Token::Comma).is_some() {
                targets.push(self.target()?);
            }
            groups.push(Group { arrow, targets });
        }
        if self.cursor.peek() == Token::Word && groups.is_empty() && !self.cursor.starts_line() {
            let help = "targets follow an arrow: `-> t`, `?> t`, `-a-> t`";
            return Err(self.cursor.unexpected("an arrow or `;`", Some(help)));
        }
        self.end_of_line(if groups.is_empty() { "the state" } else { "the last target" })?;
        Ok(State { name, labels, groups })
    }

    fn labels(&mut self) -> Parsed<Labels<'a>> {
        let open = self.cursor.bump();
        let mut literals = Vec::new();
        if self.cursor.peek() != Token::RightBrace {
            literals.push(self.guarded_literal()?);
            while self.cursor.eat(Token::Comma).is_some() {
                literals.push(self.guarded_literal()?);
            }
        }
        let close = self.cursor.expect(Token::RightBrace, "`,` or `}` after a label")?;
        Ok(Labels { span: open.to(close), literals })
    }

    /// `p`, `p when x = 3`
    fn guarded_literal(&mut self) -> Parsed<Literal<'a>> {
        let literal = self.literal()?;
        if let Some(guard) = self.guard()? {
            self.note(literal.span).guard = Some(guard);
        }
        Ok(literal)
    }

    fn literal(&mut self) -> Parsed<Literal<'a>> {
        let negation = self.cursor.eat(Token::Bang);
        let name = self.name("a proposition")?;
        let start = negation.unwrap_or(name.span);
        let question = self.cursor.peek_span();
        match (negation, self.cursor.eat(Token::Question)) {
            (Some(_), Some(_)) => Err(self.cursor.sink.error(|| {
                let message = format!(
                    "`!{0}?` says both that `{0}` is false and that it is unknown",
                    name.text
                );
                Diagnostic::error(message, start.to(question), "one of `!` and `?`")
                    .with_help(format!("write `!{0}` or `{0}?`", name.text))
            })),
            (Some(_), None) => {
                let span = start.to(name.span);
                Ok(Literal { name, value: Truth::False, span })
            }
            (None, Some(end)) => {
                let span = start.to(end);
                Ok(Literal { name, value: Truth::Unknown, span })
            }
            (None, None) => Ok(Literal { span: name.span, name, value: Truth::True }),
        }
    }

    fn arrow(&mut self) -> Parsed<Option<Arrow<'a>>> {
        let guard = self.guard()?;
        let start = self.cursor.peek_span();
        let action = match self.cursor.eat(Token::Minus) {
            Some(_) => Some(self.name_or_string("an action")?),
            None => None,
        };
        let mode = match self.cursor.peek() {
            Token::Arrow => Mode::BOTH,
            Token::MayArrow => Mode::MAY,
            Token::MustArrow => Mode::MUST,
            _ if action.is_some() => {
                let help = "an arrow with an action is written `-a->`, `-a?>` or `-a!>`";
                return Err(self.cursor.unexpected("`->`, `?>` or `!>`", Some(help)));
            }
            _ if guard.is_some() => {
                let help = "a condition stands before its arrow: `when x < 3 -> t do x := x + 1`";
                return Err(self.cursor.unexpected("an operator or an arrow", Some(help)));
            }
            _ => return Ok(None),
        };
        let span = start.to(self.cursor.bump());
        if guard.is_some() {
            self.note(span).guard = guard;
        }
        Ok(Some(Arrow { action, mode, span }))
    }

    fn target(&mut self) -> Parsed<Target<'a>> {
        let Some(open) = self.cursor.eat(Token::LeftBrace) else {
            return self.target_state("the name of a target state").map(Target::State);
        };
        let names = self.names("the name of a target state", Self::target_state)?;
        let close = self.cursor.expect(Token::RightBrace, "`,` or `}` after a target state")?;
        Ok(Target::Set(names, open.to(close)))
    }

    /// `t`, `t do x := 1, y := 0`
    fn target_state(&mut self, wanted: &str) -> Parsed<Name<'a>> {
        let name = self.name(wanted)?;
        if self.cursor.at_word("do") {
            let updates = self.updates()?;
            self.note(name.span).updates = updates;
        }
        Ok(name)
    }

    /// `var x, y : 0..3 := 0;`, `input b : bool;`
    fn variables(&mut self, is_input: bool) -> Parsed<Variables<'a>> {
        self.cursor.bump();
        let names = self.names("the name of a variable", Self::name)?;
        let help = "variables are declared by `var x : 0..3 := 0;`";
        if self.at_becomes() || self.cursor.eat(Token::Colon).is_none() {
            return Err(self.cursor.unexpected("`:` and the values", Some(help)));
        }
        let domain = self.terms().domain()?;
        self.learn(&domain);
        let init = if self.eat_becomes() { Some(self.terms().term()?) } else { None };
        if let Some(init) = init.as_ref().filter(|_| is_input) {
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error("an initial value of an input", init.span, "a value")
                    .with_help("an input begins with any value: use `var`, or take it out")
            }));
        }
        self.end_of_line("the variable")?;
        Ok(Variables { names, domain, init, is_input })
    }

    /// `covers a: b, c;` or `covers a: b, ...;`
    fn covers(&mut self) -> Parsed<Covers<'a>> {
        const HELP: &str = "write `covers a: b, c;`, or `covers a: b, ...;` for those and more";
        let keyword = self.cursor.bump();
        let state = self.name("the name of the covering state")?;
        if self.cursor.eat(Token::Colon).is_none() {
            return Err(self.cursor.unexpected("`:` after the covering state", Some(HELP)));
        }
        if self.cursor.peek_name().is_none() {
            return Err(self.cursor.unexpected("the name of a covered state", Some(HELP)));
        }
        let mut covered = vec![self.name("the name of a covered state")?];
        let mut exactly = true;
        while exactly && self.cursor.eat(Token::Comma).is_some() {
            if self.at_ellipsis() {
                self.cursor.take(3);
                exactly = false;
            } else {
                covered.push(self.name("the name of a covered state or `...`")?);
            }
        }
        self.end_of_line("the covered states")?;
        Ok(Covers { keyword, state, covered, exactly })
    }

    fn at_ellipsis(&self) -> bool {
        self.cursor.touching_tokens() == 3
            && (0..3).all(|ahead| self.cursor.peek_at(ahead) == Token::Dot)
    }
}
