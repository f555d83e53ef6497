//! Where a proctype stands in the user's text, and changes of that text.

use crate::promela::lexer::{Lexeme, Token, lex};
use crate::promela::{Action, ProcessId, PromelaModel, PromelaProcess};
use std::ops::Range;
use support::{Diagnostic, Span};

/// The text with its tokens.
pub(super) struct Source<'a> {
    pub text: &'a str,
    lexemes: Vec<Lexeme<'a>>,
}

/// The parts of `active [2] proctype P(byte x) { … }`, as ranges of bytes.
pub(super) struct Declaration {
    /// `active [2] `, or nothing.
    pub active: Range<usize>,
    /// Between the parentheses.
    pub parameters: Range<usize>,
    /// Between the braces.
    pub body: Range<usize>,
}

impl Declaration {
    pub fn start(&self) -> usize {
        self.active.start
    }

    /// Behind the closing brace.
    pub fn end(&self) -> usize {
        self.body.end + 1
    }
}

impl<'a> Source<'a> {
    pub fn new(text: &'a str, span: Span) -> Source<'a> {
        Source { text, lexemes: lex(span.file, text) }
    }

    pub fn has_word(&self, word: &str) -> bool {
        self.lexemes.iter().any(|lexeme| lexeme.text == word)
    }

    /// A name that nothing in the text has.
    pub fn unused(&self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while self.has_word(&name) {
            name.push('_');
        }
        name
    }

    /// The words in a part of the text.
    pub fn words(&self, range: &Range<usize>) -> impl Iterator<Item = &Lexeme<'a>> {
        let within = |lexeme: &&Lexeme| contains(range, lexeme.span);
        let is_word = |lexeme: &&Lexeme| lexeme.token == Token::Word;
        self.lexemes.iter().filter(within).filter(is_word)
    }

    pub fn declaration(&self, process: &PromelaProcess) -> Result<Declaration, Diagnostic> {
        let unclear = |label: &str| {
            let message = format!("the text of `{}` cannot be replaced", process.proctype);
            Diagnostic::error(message, process.span, label)
        };
        let name = self.lexemes.iter().position(|lexeme| lexeme.span == process.span);
        let name = name.ok_or_else(|| unclear("it is not written out here"))?;
        let found = self.parts(name).ok_or_else(|| unclear("its braces are not written out"))?;
        let directive = self
            .lexemes
            .iter()
            .find(|lexeme| lexeme.token == Token::Hash && contains(&found.body, lexeme.span));
        match directive {
            Some(hash) => Err(unclear("there is a directive within it")
                .with_label(hash.span, "move this out of the braces")),
            None => Ok(found),
        }
    }

    fn parts(&self, name: usize) -> Option<Declaration> {
        let at = |index: usize| self.lexemes.get(index).map(|lexeme| lexeme.token);
        let range = |open: usize, close: usize| {
            self.lexemes[open].span.end as usize..self.lexemes[close].span.start as usize
        };
        let mut open = name + 1;
        let mut parameters = self.lexemes[name].span.range();
        parameters.start = parameters.end;
        if at(open)? == Token::LeftParen {
            let close = self.closing(open, Token::LeftParen, Token::RightParen)?;
            parameters = range(open, close);
            open = close + 1;
        }
        if at(open)? != Token::LeftBrace {
            return None;
        }
        let close = self.closing(open, Token::LeftBrace, Token::RightBrace)?;
        Some(Declaration { active: self.active(name)?, parameters, body: range(open, close) })
    }

    /// From the keyword `active` to `proctype`, or nothing where the declaration begins.
    fn active(&self, name: usize) -> Option<Range<usize>> {
        let start = |index: usize| self.lexemes[index].span.start as usize;
        if self.lexemes[name].text == "init" {
            return Some(start(name)..start(name));
        }
        let proctype =
            name.checked_sub(1).filter(|&index| self.lexemes[index].text == "proctype")?;
        let is_bracket = |index: usize| self.lexemes[index].token == Token::RightBracket;
        let before = match proctype.checked_sub(1) {
            Some(close) if is_bracket(close) => {
                let tokens = self.lexemes[..close].iter();
                tokens
                    .rev()
                    .position(|lexeme| lexeme.token == Token::LeftBracket)
                    .and_then(|length| (close - 1 - length).checked_sub(1))
            }
            other => other,
        };
        match before {
            Some(active) if self.lexemes[active].text == "active" => {
                Some(start(active)..start(proctype))
            }
            _ => Some(start(proctype)..start(proctype)),
        }
    }

    fn closing(&self, open: usize, left: Token, right: Token) -> Option<usize> {
        let mut depth = 0;
        for (index, lexeme) in self.lexemes.iter().enumerate().skip(open) {
            if lexeme.token == left {
                depth += 1;
            } else if lexeme.token == right {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
        }
        None
    }

    /// The name in the one `run` that starts a process and no other one.
    pub fn run_of(
        &self,
        program: &PromelaModel,
        process: ProcessId,
    ) -> Result<Range<usize>, Diagnostic> {
        let PromelaProcess { name, proctype, .. } = &program.processes[process];
        let started = |action: &Action| match action {
            Action::Start { process, .. } => Some(*process),
            _ => None,
        };
        let edges = program.processes.values().flat_map(|process| &process.edges);
        let starts: Vec<(ProcessId, Span)> =
            edges.filter_map(|edge| Some((started(&edge.action)?, edge.span))).collect();
        let own = starts.iter().find(|(started, _)| *started == process).map(|&(_, span)| span);
        let span = own.unwrap_or(program.processes[process].span);
        let runs: Vec<&Lexeme> =
            self.words(&span.range()).filter(|word| word.text == proctype).collect();
        let is_alone = starts.iter().all(|&(other, at)| at != span || other == process);
        match *runs {
            [word] if is_alone => Ok(word.span.range()),
            _ => Err(Diagnostic::error(
                format!("`{name}` cannot be replaced without the other processes of its proctype"),
                span,
                "this starts it, and others too",
            )
            .with_help("write a `run` of its own for it")),
        }
    }
}

fn contains(range: &Range<usize>, span: Span) -> bool {
    range.start <= span.start as usize && span.end as usize <= range.end
}

/// Changes of a text that do not overlap.
#[derive(Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub fn replace(&mut self, range: Range<usize>, by: impl Into<String>) {
        self.0.push((range, by.into()));
    }

    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    pub fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = String::new();
        let mut done = 0;
        for (range, by) in self.0 {
            out += &text[done..range.start];
            out += &by;
            done = range.end;
        }
        out + &text[done..]
    }
}
