//! Where errors and warnings are collected while a text is read.

use crate::symbols::Symbols;
use rustc_hash::FxHashSet;
use support::{Diagnostic, Span};

/// An error has been put into the sink; there is nothing more to say about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// The most errors, and the most warnings, that are kept.
const MOST: usize = 100;

#[derive(Clone, Default)]
pub(crate) struct Sink {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    /// Said at the end if there were too many.
    too_many: Vec<Diagnostic>,
    /// Constructs of the language that are not supported, each with the reason in a few words.
    unsupported: Vec<(&'static str, Diagnostic)>,
    pub symbols: Symbols,
    /// Where errors (and warnings) are, if each place has only one.
    places: Option<FxHashSet<(bool, Span)>>,
    /// The errors that were left out for this.
    repeated: usize,
}

impl Sink {
    /// From now on, of the errors about one place only the first is kept, and so of the warnings: one line of a text
    /// stands for many.
    pub fn once_in_a_place(&mut self) {
        let said = self.diagnostics.iter().map(|said| (said.is_error(), said.labels[0].0));
        self.places = Some(said.collect());
    }

    /// The message, unless its place has one already.
    fn unsaid<'m>(
        &mut self,
        make: impl FnOnce() -> Diagnostic + 'm,
    ) -> Option<Box<dyn FnOnce() -> Diagnostic + 'm>> {
        let Some(places) = &mut self.places else { return Some(Box::new(make)) };
        let message = make();
        let is_new = places.insert((message.is_error(), message.labels[0].0));
        is_new.then(|| Box::new(|| message) as Box<_>)
    }

    /// The closure runs only if the message is still wanted: looking for the nearest name takes time.
    pub fn error(&mut self, make: impl FnOnce() -> Diagnostic) -> Reported {
        self.errors += 1;
        let Some(make) = self.unsaid(make) else {
            self.repeated += 1;
            return Reported;
        };
        let number = self.errors - self.repeated;
        if number <= MOST {
            self.diagnostics.push(make());
        } else if number == MOST + 1 {
            let message = format!("more than {MOST} errors: the rest is not shown");
            let span = make().labels[0].0;
            self.too_many.push(Diagnostic::error(message, span, "the next one is here"));
        }
        Reported
    }

    pub fn warning(&mut self, make: impl FnOnce() -> Diagnostic) {
        let Some(make) = self.unsaid(make) else { return };
        self.warnings += 1;
        if self.warnings <= MOST {
            self.diagnostics.push(make());
        } else if self.warnings == MOST + 1 {
            let message = format!("more than {MOST} warnings: the rest is not shown");
            let span = make().labels[0].0;
            self.too_many.push(Diagnostic::warning(message, span, "the next one is here"));
        }
    }

    /// Notes a construct of the language that is not supported. The text is not wrong: what depends on it is unknown.
    pub fn unsupported(&mut self, why: &'static str, diagnostic: Diagnostic) -> Reported {
        self.unsupported.push((why, diagnostic));
        Reported
    }

    /// The reason why the model is not known, with warnings that say where, if it has such a construct.
    pub fn undetermined(&self) -> Option<(&'static str, Vec<Diagnostic>)> {
        let (why, _) = self.unsupported.first()?;
        let warning = |(_, diagnostic): &(_, Diagnostic)| diagnostic.clone().into_warning();
        Some((why, self.unsupported.iter().take(MOST).map(warning).collect()))
    }

    /// Forgets the constructs that were noted behind the first `kept`; the reason of the first of them.
    pub fn forgotten(&mut self, kept: usize) -> Option<&'static str> {
        self.unsupported.drain(kept.min(self.unsupported.len())..).map(|(why, _)| why).next()
    }

    /// How many constructs are not supported so far.
    pub fn unsupported_count(&self) -> usize {
        self.unsupported.len()
    }

    /// Takes over what another text had wrong with it.
    pub fn append(&mut self, other: Sink) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.diagnostics.extend(other.diagnostics);
        self.too_many.extend(other.too_many);
        self.unsupported.extend(other.unsupported);
        self.symbols.append(other.symbols);
    }

    pub fn errors(&self) -> usize {
        self.errors
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// In the order of the text, unsupported constructs among them.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.extend(self.unsupported.into_iter().take(MOST).map(|(_, said)| said));
        self.diagnostics.sort_by_key(|diagnostic| {
            let span = diagnostic.labels[0].0;
            (span.file, span.start)
        });
        self.diagnostics.extend(self.too_many);
        self.diagnostics
    }
}
