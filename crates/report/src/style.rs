//! Colours, on terminals.

use anstyle::{AnsiColor, Style};
use logic::Truth;
use std::borrow::Cow;
use std::fmt::Display;

/// Whether the output is a terminal with colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    Off,
    On,
}

impl Colour {
    pub fn bold(self, text: impl Display) -> String {
        self.styled(Style::new().bold(), text)
    }

    pub fn dim(self, text: impl Display) -> String {
        self.styled(Style::new().dimmed(), text)
    }

    pub fn error(self, text: impl Display) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    /// `text` in the colour of its verdict.
    pub fn truth(self, value: Truth, text: impl Display) -> String {
        let colour = match value {
            Truth::True => AnsiColor::Green,
            Truth::False => AnsiColor::Red,
            Truth::Unknown => AnsiColor::Yellow,
        };
        self.styled(colour.on_default().bold(), text)
    }

    fn styled(self, style: Style, text: impl Display) -> String {
        match self {
            Colour::Off => text.to_string(),
            Colour::On => format!("{style}{text}{style:#}"),
        }
    }
}

/// The beginning of a long text.
pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
