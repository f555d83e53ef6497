//! The items of a `.tm` file: components, systems, safety properties, properties.

use super::ast::{
    Component, Declared, Fairness, File, JointSteps, Notes, Property, Source, System, Vector,
};
use super::template::instance;
use super::value::Scope;
use crate::cursor::{Cursor, Name};
use crate::formula;
use crate::lexer::Token;
use crate::sink::{Parsed, Reported};
use logic::Logic;
use model::Kind;
use std::sync::Arc;
use support::{Diagnostic, Monitor, nearest};

const ITEMS: [&str; 7] = ["component", "system", "safety", "property", "fair", "strong", "const"];

pub(super) struct Parser<'c, 'a> {
    pub cursor: &'c mut Cursor<'a>,
    pub text: &'c Arc<str>,
    monitor: &'c Monitor,
    pub notes: Notes<'a>,
    pub constants: Scope<'a>,
    /// Whether transitions carry actions here, so that `- a ->` is one and no difference.
    pub before_actions: bool,
}

/// Reads the whole file; what is wrong goes to the cursor's sink and is left out.
pub(super) fn parse<'a>(cursor: &mut Cursor<'a>, text: &Arc<str>, monitor: &Monitor) -> File<'a> {
    let mut file = File::default();
    let mut parser = Parser::new(cursor, text, monitor);
    while parser.goes_on() {
        let start = parser.cursor.position();
        if parser.item(&mut file).is_err() {
            parser.go_to_next_item(start);
        }
    }
    File { notes: parser.notes, constants: parser.constants, ..file }
}

/// Reads a file that holds vectors and hidden actions only. `None` if something is wrong.
pub(super) fn parse_joint_steps<'a>(
    cursor: &mut Cursor<'a>,
    text: &Arc<str>,
) -> Option<(JointSteps<'a>, Notes<'a>)> {
    let monitor = Monitor::new();
    let mut parser = Parser::new(cursor, text, &monitor);
    // Components that are named after files need not have names of the language.
    let steps = parser.joint_steps(Naming::WithStrings).ok()?;
    parser.cursor.eat(Token::Semicolon);
    if parser.cursor.peek() != Token::End {
        parser.unknown_joint_step(&steps);
        return None;
    }
    Some((steps, parser.notes))
}

/// How components are called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Plain,
    /// Or in quotes.
    WithStrings,
}

/// Takes a name, of which it says what it should be.
pub(super) type TakeName<P, N> = fn(&mut P, &str) -> Parsed<N>;

impl<'c, 'a> Parser<'c, 'a> {
    fn new(cursor: &'c mut Cursor<'a>, text: &'c Arc<str>, monitor: &'c Monitor) -> Self {
        let (notes, constants) = (Notes::default(), Scope::default());
        Self { cursor, text, monitor, notes, constants, before_actions: false }
    }
}

impl<'a> Parser<'_, 'a> {
    /// Whether there is more to read, and the limit of errors is not reached.
    pub(super) fn goes_on(&self) -> bool {
        self.cursor.peek() != Token::End && self.monitor.step(1).is_ok()
    }

    fn item(&mut self, file: &mut File<'a>) -> Parsed<()> {
        match self.cursor.peek_word() {
            Some("component") => file.components.push(self.component()?),
            Some("safety") => file.safeties.push(self.safety()?),
            Some("system") => file.systems.push(self.system()?),
            Some("property") => self.property(&mut file.properties)?,
            Some("const") if self.at_item() => self.constant()?,
            Some("fair" | "strong") if self.at_item() => self.fairness(&mut file.fairness)?,
            other => return Err(self.unknown_item(other)),
        }
        Ok(())
    }

    fn unknown_item(&mut self, word: Option<&str>) -> Reported {
        let near = word.and_then(|word| nearest(word, ITEMS));
        let help = match (near, self.cursor.peek()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Token::RightBrace) => "this brace was never opened".to_owned(),
            (None, Token::Semicolon) => "nothing precedes this semicolon: take it out".to_owned(),
            _ => "a model begins with `component NAME KIND {`".to_owned(),
        };
        let wanted = "`component`, `system`, `safety`, `fair` or `property`";
        self.cursor.unexpected(wanted, Some(&help))
    }

    /// Whether an item begins here, as far as its first two tokens tell.
    pub(super) fn at_item(&self) -> bool {
        let keyword = self.cursor.peek_word().is_some_and(|word| ITEMS.contains(&word));
        keyword && matches!(self.cursor.peek_at(1), Token::Word | Token::String)
    }

    /// Past at least one token since `start`.
    fn go_to_next_item(&mut self, start: usize) {
        if self.cursor.position() == start {
            self.cursor.bump();
        }
        while self.cursor.peek() != Token::End && !(self.at_item() && self.is_after_an_end()) {
            self.cursor.bump();
        }
    }

    /// Whether the next token can begin something: first in its line or after `;` or `}`.
    fn is_after_an_end(&self) -> bool {
        let last = &self.cursor.text[self.cursor.last_span().range()];
        self.cursor.starts_line() || matches!(last, ";" | "}")
    }

    fn component(&mut self) -> Parsed<Component<'a>> {
        self.cursor.bump();
        let name = self.cursor.name("the name of the component")?;
        let params = self.parameters()?;
        if self.cursor.at_word("from") {
            self.cursor.bump();
            let wanted = "the name of a file in quotes";
            if self.cursor.peek() != Token::String {
                return Err(self
                    .cursor
                    .unexpected(wanted, Some("write for example `from \"a.aut\";`")));
            }
            let path = self.cursor.name_or_string(wanted)?;
            self.end_of_line("the name of the file")?;
            return Ok(Component { name, params, source: Source::From(path) });
        }
        let kind = self.kind(&name)?;
        let kind_span = self.cursor.last_span();
        let body = self.body(kind, kind_span)?;
        Ok(Component { name, params, source: Source::Body(body) })
    }

    /// A misspelt kind is reported and the body still read.
    fn kind(&mut self, component: &Name) -> Parsed<Option<Declared>> {
        const KINDS: &str =
            "the kinds are `kripke`, `kmts`, `mixts`, `gkmts`, `lts`, `mts` and `unknown`";
        let word = self.cursor.peek_word();
        let kind = word.and_then(|word| match word {
            "unknown" => Some(Declared::Unknown),
            _ => Kind::ALL.into_iter().find(|kind| kind.name() == word).map(Declared::Kind),
        });
        if kind.is_none() {
            let names = Kind::ALL.map(Kind::name).into_iter().chain(["unknown", "from"]);
            let near = word.and_then(|word| nearest(word, names));
            let help = near.map_or(KINDS.to_owned(), |near| format!("did you mean `{near}`?"));
            let wanted = format!("the kind of the component `{}`", component.text);
            let reported = self.cursor.unexpected(&wanted, Some(&help));
            if word.is_none() {
                return Err(reported);
            }
        }
        self.cursor.bump();
        Ok(kind)
    }

    fn safety(&mut self) -> Parsed<Component<'a>> {
        self.cursor.bump();
        let name = self.cursor.name("the name of the safety property")?;
        if !self.cursor.at_word("lts") {
            let help = format!("write `safety {} lts {{ … }}`", name.text);
            return Err(self.cursor.unexpected("`lts`", Some(&help)));
        }
        let kind_span = self.cursor.bump();
        let body = self.body(Some(Declared::Kind(Kind::Lts)), kind_span)?;
        Ok(Component { name, params: Vec::new(), source: Source::Body(body) })
    }

    fn system(&mut self) -> Parsed<System<'a>> {
        let keyword = self.cursor.bump();
        self.cursor.eat(Token::BarBar);
        let mut parts = vec![self.part()?];
        while self.cursor.eat(Token::BarBar).is_some() {
            parts.push(self.part()?);
        }
        let steps = self.joint_steps(Naming::Plain)?;
        self.end_of_line("the system")?;
        Ok(System { keyword, parts, steps })
    }

    /// `fair A:step, B;` or `strong fair …;`
    fn fairness(&mut self, all: &mut Vec<Fairness<'a>>) -> Parsed<()> {
        let is_strong = self.cursor.at_word("strong");
        if is_strong {
            self.cursor.bump();
            if !self.cursor.at_word("fair") {
                let help = "strong fairness is written `strong fair A:step;`";
                return Err(self.cursor.unexpected("`fair`", Some(help)));
            }
        }
        self.cursor.bump();
        loop {
            let binders = self.quantifier()?;
            let component = self.cursor.name("the name of a component")?;
            self.arguments(&component, binders)?;
            let action = match self.cursor.eat(Token::Colon) {
                Some(_) => Some(self.name_or_string("an action of the component")?),
                None => None,
            };
            all.push(Fairness { is_strong, component, action });
            if self.cursor.eat(Token::Comma).is_none() {
                return self.end_of_line("the action");
            }
        }
    }

    fn joint_steps(&mut self, components: Naming) -> Parsed<JointSteps<'a>> {
        let mut steps =
            JointSteps { sync: None, vectors: Vec::new(), hide: None, hidden: Vec::new() };
        if self.cursor.at_word("sync") {
            steps.sync = Some(self.cursor.bump());
            steps.vectors = self.vectors(components)?;
        }
        if self.cursor.at_word("hide") {
            steps.hide = Some(self.cursor.bump());
            self.cursor.expect(Token::LeftBrace, "`{` before the hidden actions")?;
            const WANTED: &str = "`,` or `}` after the hidden action";
            steps.hidden = self.names("an action", Self::name_or_string)?;
            steps.hidden.last().map_or(Ok(()), |name| self.refuse_odd_name(name, WANTED))?;
            self.cursor.expect(Token::RightBrace, WANTED)?;
        }
        Ok(steps)
    }

    /// Something else stands in a file of vectors and hidden actions.
    fn unknown_joint_step(&mut self, before: &JointSteps) -> Reported {
        let (wanted, words) = match (before.sync, before.hide) {
            (_, Some(_)) => ("the end of the file after `hide { … }`", &[][..]),
            (Some(_), None) => ("`hide` or the end of the file", &["hide"][..]),
            (None, None) => ("`sync` or `hide`", &["sync", "hide"][..]),
        };
        let word = self.cursor.peek_word();
        let near = word.and_then(|word| nearest(word, words.iter().copied()));
        let help = near.map_or(
            "the file holds `sync { A:send | B:recv -> comm; }`, then `hide { x, y }`".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        self.cursor.unexpected(wanted, Some(&help))
    }

    fn vectors(&mut self, components: Naming) -> Parsed<Vec<Vector<'a>>> {
        self.cursor.expect(Token::LeftBrace, "`{` before the vectors")?;
        let mut vectors = Vec::new();
        while self.cursor.peek() != Token::RightBrace {
            vectors.push(self.vector(components)?);
            self.end_of_line("the vector")?;
        }
        self.cursor.bump();
        Ok(vectors)
    }

    fn vector(&mut self, components: Naming) -> Parsed<Vector<'a>> {
        const HELP: &str = "a vector is written `A:send | B:recv -> comm;`";
        let mut parts = Vec::new();
        let mut binders = self.quantifier()?;
        loop {
            let component = self.part_of_vector(components)?;
            self.arguments(&component, std::mem::take(&mut binders))?;
            if self.cursor.eat(Token::Colon).is_none() {
                return Err(self.cursor.unexpected("`:` and an action", Some(HELP)));
            }
            let action = self.name_or_string("an action")?;
            self.refuse_odd_name(&action, "`|` or `->`")?;
            parts.push((component, action));
            match self.cursor.peek() {
                Token::Bar => self.cursor.bump(),
                Token::Arrow => break,
                _ => return Err(self.cursor.unexpected("`|` or `->`", Some(HELP))),
            };
        }
        self.cursor.bump();
        let result = self.name_or_string("the action that the vector shows")?;
        self.refuse_odd_name(&result, "`;` after the vector")?;
        Ok(Vector { parts, result })
    }

    fn part_of_vector(&mut self, components: Naming) -> Parsed<Name<'a>> {
        const WANTED: &str = "a component or `}`";
        if components == Naming::Plain {
            return self.cursor.name(WANTED);
        }
        let name = self.cursor.name_or_string(WANTED)?;
        self.cursor.refuse_odd_name(&name, "`:` and an action")?;
        Ok(name)
    }

    fn property(&mut self, properties: &mut Vec<Property<'a>>) -> Parsed<()> {
        self.cursor.bump();
        let name = self.cursor.name_or_string("the name of the property")?;
        if name.text.trim().is_empty() {
            self.cursor.sink.error(|| {
                let message = "the name of the property is empty";
                Diagnostic::error(message, name.span, "the property needs a name")
                    .with_help("write for example `property \"no collision\": …`")
            });
        }
        if self.cursor.peek() != Token::LeftParen {
            self.cursor.refuse_odd_name(&name, "`:` after the name")?;
        }
        let params = self.parameters()?;
        if self.cursor.eat(Token::Colon).is_none() {
            let help = "write for example `property safe: ctl AG !p;`";
            return Err(self.cursor.unexpected("`:` after the name", Some(help)));
        }
        let logic = self.logic()?;
        let start = self.cursor.position();
        for values in self.assignments(&params)? {
            self.cursor.go_back_to(start);
            let constants = self.constants.names.len();
            self.constants.bind(&params, &values);
            let at_end = |cursor: &Cursor| cursor.peek() == Token::Semicolon;
            let surface =
                formula::parse_at(self.cursor, logic, self.text, &self.constants, at_end).ok();
            self.constants.names.truncate(constants);
            let name = instance(&name, &values);
            let is_broken = surface.is_none();
            properties.push(Property { name, surface });
            if is_broken {
                self.end_of_property();
                return Ok(());
            }
        }
        self.cursor.bump();
        Ok(())
    }

    fn logic(&mut self) -> Parsed<Logic> {
        let word = self.cursor.peek_word();
        if let Some(logic) = word.and_then(Logic::named) {
            self.cursor.bump();
            return Ok(logic);
        }
        let near = word.and_then(|word| nearest(word, Logic::ALL.map(Logic::name)));
        let help = near.map_or("name the logic before the formula".to_owned(), |near| {
            format!("did you mean `{near}`?")
        });
        Err(self.cursor.unexpected("a logic: `mu`, `ctl`, `mcf`, `ltl` or `ctlstar`", Some(&help)))
    }

    /// Goes behind a property whose formula is wrong.
    fn end_of_property(&mut self) {
        while self.cursor.peek() != Token::End
            && self.cursor.eat(Token::Semicolon).is_none()
            && !(self.cursor.starts_line() && self.at_item())
        {
            self.cursor.bump();
        }
    }

    /// One or more names with commas between them.
    pub(super) fn names(
        &mut self,
        wanted: &str,
        one: TakeName<Self, Name<'a>>,
    ) -> Parsed<Vec<Name<'a>>> {
        let mut names = vec![one(self, wanted)?];
        while self.cursor.eat(Token::Comma).is_some() {
            names.push(one(self, wanted)?);
        }
        Ok(names)
    }

    /// The semicolon behind something. Where it is missing before something that clearly begins a
    /// new line, what it should have ended counts as whole.
    pub(super) fn end_of_line(&mut self, what: &str) -> Parsed<()> {
        if self.cursor.eat(Token::Semicolon).is_some() {
            return Ok(());
        }
        let begins = self.at_line() || self.at_item() || self.cursor.peek() == Token::End;
        if self.cursor.peek() != Token::RightBrace && !(begins && self.cursor.starts_line()) {
            let help = match (self.cursor.peek(), what) {
                (Token::Word, "the system") if self.cursor.at_word("sync") => {
                    Some("`sync { … }` stands before `hide { … }`, and each once")
                }
                (Token::Word, "the system") => Some("join components by `||`"),
                (Token::Word, "the name of the file" | "the vector") => None,
                (Token::Word, _) => Some("if the list goes on, put a `,` before this"),
                _ => None,
            };
            return Err(self.cursor.unexpected(&format!("`;` after {what}"), help));
        }
        let (found, last) = (self.cursor.describe(), self.cursor.last_span());
        self.cursor.sink.error(|| {
            let message = format!("expected `;` after {what}, found {found}");
            Diagnostic::error(message, last, "a `;` is missing after this")
        });
        Ok(())
    }
}
