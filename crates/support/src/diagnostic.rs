//! Diagnostics: an error or a warning, its span, and a hint.

use crate::Span;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
}

/// One message about the input. The first label is the place that is underlined as the cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    pub labels: Vec<(Span, String)>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Self::new(Severity::Error, message, vec![(span, label.into())])
    }

    pub fn warning(message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message, vec![(span, label.into())])
    }

    fn new(severity: Severity, message: impl Into<String>, labels: Vec<(Span, String)>) -> Self {
        Self { severity, message: message.into(), labels, help: None }
    }

    #[must_use]
    pub fn with_label(mut self, span: Span, label: impl Into<String>) -> Self {
        self.labels.push((span, label.into()));
        self
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds "did you mean …" if one of the candidates is near.
    #[must_use]
    pub fn with_nearest<'a>(
        self,
        wanted: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        match crate::nearest(wanted, candidates) {
            Some(found) => {
                let help = format!("did you mean `{found}`?");
                self.with_help(help)
            }
            None => self,
        }
    }

    #[must_use]
    pub fn into_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
