//! Where errors and warnings are collected while a text is read.

use base::Diagnostic;

/// An error has been put into the sink; there is nothing more to say about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// More errors than this help nobody.
const MAX_ERRORS: usize = 100;

#[derive(Default)]
pub(crate) struct Sink {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// Said at the end if there were too many.
    too_many: Option<Diagnostic>,
}

impl Sink {
    /// The closure runs only if the message is still wanted: looking for the nearest name takes time.
    pub fn error(&mut self, make: impl FnOnce() -> Diagnostic) -> Reported {
        self.errors += 1;
        if self.errors <= MAX_ERRORS {
            self.diagnostics.push(make());
        } else if self.errors == MAX_ERRORS + 1 {
            let span = make().labels[0].0;
            let message = format!("more than {MAX_ERRORS} errors: the rest is not shown");
            self.too_many = Some(Diagnostic::error(message, span, "the next one is here"));
        }
        Reported
    }

    pub fn warning(&mut self, warning: Diagnostic) {
        self.diagnostics.push(warning);
    }

    pub fn errors(&self) -> usize {
        self.errors
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// In the order of the text.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.labels[0].0.start);
        self.diagnostics.extend(self.too_many);
        self.diagnostics
    }
}
