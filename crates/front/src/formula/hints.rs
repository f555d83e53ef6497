//! Messages about formulas: what was expected, what stood there, what to do.

use super::FormulaParser;
use crate::lexer::Token;
use crate::sink::Reported;
use logic::Modality;
use support::{Diagnostic, Span};

/// Words of mCRL2's modal formulas that are no names.
pub(super) fn is_word_of_mcf(word: &str) -> bool {
    matches!(word, "forall" | "exists" | "val") || unsupported_mcf(word).is_some()
}

fn unsupported_mcf(word: &str) -> Option<&'static str> {
    Some(match word {
        "delay" | "yaled" => "an operator of time",
        "inf" | "sup" | "sum" => "a quantitative operator",
        "form" | "sort" | "cons" | "map" | "var" | "eqn" | "act" | "glob" | "struct" | "lambda" => {
            "part of a data specification, which stands before the formula"
        }
        _ => return None,
    })
}

impl FormulaParser<'_, '_> {
    /// A formula should begin here and does not.
    pub(super) fn unexpected_operand(&mut self) -> Reported {
        if let Some(reported) = self.refuse_unsupported() {
            return reported;
        }
        let is_ctl = self.logic.has_path_quantifiers();
        let help = match (self.cursor.peek(), self.word()) {
            (_, Some("and" | "or")) => "this operator stands between two formulas".to_owned(),
            (Token::LeftBracket | Token::Less, _) if is_ctl => {
                "modalities belong to `mu` and `mcf`; in `ctl` write `AX f` or `EX f`".to_owned()
            }
            (open @ (Token::LeftBracket | Token::Less), _) if self.logic.has_linear_operators() => {
                let is_empty = matches!(
                    (open, self.cursor.peek_at(1)),
                    (Token::LeftBracket, Token::RightBracket) | (Token::Less, Token::Greater)
                );
                match is_empty {
                    true => "`[]` and `<>` are Promela's operators; write `G` and `F`".to_owned(),
                    false => "modalities belong to `mu` and `mcf`; write `X f`, `F f` or `G f`"
                        .to_owned(),
                }
            }
            (_, Some(word @ ("mu" | "nu"))) if is_ctl => {
                format!("fixpoints belong to `mu` and `mcf`: state the logic before `{word}`")
            }
            (Token::RightParen, _) => "put a formula before this parenthesis".to_owned(),
            (Token::String, _) => "strings name actions, within `< >` and `[ ]` only".to_owned(),
            _ => {
                let last = self.snippet(self.cursor.last_span());
                let after =
                    if is_operator(last) { format!(" after `{last}`") } else { String::new() };
                format!("write a formula{after}, for example `true` or a proposition")
            }
        };
        self.cursor.unexpected("a formula", Some(&help))
    }

    /// Behind a whole formula stands something that cannot go on with it.
    pub(super) fn unexpected_after_operand(&mut self) -> Reported {
        let help = self.help_after_operand();
        let wanted = self.wanted_after_operand();
        self.cursor.unexpected(wanted, Some(&help))
    }

    fn wanted_after_operand(&self) -> &'static str {
        if self.cursor.is_file() { "an operator or `;`" } else { "an operator or the end" }
    }

    fn help_after_operand(&self) -> String {
        let last = self.snippet(self.cursor.last_span());
        let is_ctl = self.logic.has_path_quantifiers();
        match (self.cursor.peek(), self.word()) {
            (Token::RightParen, _) => "this parenthesis was never opened".to_owned(),
            (_, Some(word @ ("U" | "R" | "V" | "W"))) if is_ctl => {
                format!("`{word}` stands in brackets behind a quantifier: `A[f {word} g]`")
            }
            (Token::LeftParen, _) if is_ctl && matches!(last, "A" | "E") => {
                format!("a path formula stands in brackets: `{last}[f U g]`")
            }
            _ if is_ctl && matches!(last, "F" | "G" | "X") => {
                format!("`ctl` has path quantifiers: write `A{last}` or `E{last}`")
            }
            _ if !is_ctl && is_ctl_operator(last) => {
                format!("`{last}` belongs to the logic `ctl`, and this is `{}`", self.logic.name())
            }
            (Token::Word, _) if self.cursor.starts_line() && self.cursor.is_file() => {
                "a property ends with `;`: is one missing on the line before?".to_owned()
            }
            (Token::Word | Token::LeftParen | Token::Bang, _) => {
                "put an operator such as `&`, `|` or `->` between the two formulas".to_owned()
            }
            (Token::End, _) if self.cursor.is_file() => "end the property with `;`".to_owned(),
            (Token::At, _) if self.logic.has_regular_formulas() => {
                "time is not supported: only the untimed part of mCRL2's formulas is".to_owned()
            }
            _ => "formulas are joined by `&`, `|`, `->` and `<->`".to_owned(),
        }
    }

    pub(super) fn unexpected_before_paren(&mut self, open: Span) -> Reported {
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        let help = match self.cursor.peek() {
            Token::End | Token::Semicolon | Token::RightBracket => {
                "close the parenthesis with `)`".to_owned()
            }
            _ => self.help_after_operand(),
        };
        self.cursor.sink.error(|| {
            let wanted = "an operator or `)`";
            Diagnostic::error(
                format!("expected {wanted}, found {found}"),
                span,
                format!("expected {wanted}"),
            )
            .with_label(open, "opened here")
            .with_help(help)
        })
    }

    pub(super) fn unexpected_path_operator(&mut self) -> Reported {
        let help = "a path formula has two sides: `A[f U g]`, `A[f R g]` or `A[f W g]`";
        self.cursor.unexpected("`U`, `R`, `V` or `W`", Some(help))
    }

    pub(super) fn unclosed_path(&mut self, open: Span) -> Reported {
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        let again = matches!(self.word(), Some("U" | "R" | "V" | "W"));
        self.cursor.sink.error(|| {
            let error = Diagnostic::error(
                format!("expected an operator or `]`, found {found}"),
                span,
                "expected an operator or `]`",
            )
            .with_label(open, "opened here");
            error.with_help(if again {
                "one pair of brackets has one path operator: nest another `A[ … ]` or `E[ … ]`"
            } else {
                "close the path formula with `]`"
            })
        })
    }

    /// A modality is not closed where it should be.
    pub(super) fn unexpected_in_modality(&mut self, modality: Modality, open: Span) -> Reported {
        if let Some(reported) = self.refuse_unsupported() {
            return reported;
        }
        let close = if modality == Modality::Box { "`]`" } else { "`>`" };
        let help = self.help_in_modality(close);
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        let wanted = match self.logic.has_regular_formulas() {
            true => format!("`.`, `+`, `*`, `&&`, `||` or {close}"),
            false => format!("`|` or {close}"),
        };
        self.cursor.sink.error(|| {
            let message = format!("expected {wanted}, found {found}");
            Diagnostic::error(message, span, format!("expected {wanted}"))
                .with_label(open, "opened here")
                .with_help(help)
        })
    }

    fn help_in_modality(&self, close: &str) -> String {
        match (self.logic.has_regular_formulas(), self.cursor.peek()) {
            (false, Token::Dot | Token::Star | Token::Plus) => {
                "regular formulas belong to the logic `mcf`".to_owned()
            }
            (false, Token::LeftParen) => {
                "write an action that is no plain name as a string: `<\"send(1)\"> f`".to_owned()
            }
            (_, Token::Comma) => "join actions by `|` in `mu` and by `||` in `mcf`".to_owned(),
            (true, Token::Bar) => {
                "`|` makes a multi-action out of plain actions; \"or\" is `||` here".to_owned()
            }
            _ => format!("close the modality with {close}"),
        }
    }

    /// Reports a construct of mCRL2 that needs time or real values, by its name.
    pub(super) fn refuse_unsupported(&mut self) -> Option<Reported> {
        if !self.logic.has_regular_formulas() {
            return None;
        }
        let (word, what) = match self.cursor.peek() {
            Token::At => ("@", "a time stamp"),
            Token::Word => self.word().and_then(|word| Some((word, unsupported_mcf(word)?)))?,
            _ => return None,
        };
        let span = self.cursor.peek_span();
        Some(self.cursor.sink.error(|| {
            Diagnostic::error(format!("`{word}` is not supported in mcf"), span, what)
                .with_help("modal formulas are checked that have neither time nor real values")
        }))
    }
}

fn is_ctl_operator(word: &str) -> bool {
    matches!(word, "AX" | "EX" | "AF" | "EF" | "AG" | "EG" | "A" | "E")
}

fn is_operator(text: &str) -> bool {
    matches!(text, "and" | "or" | "not")
        || is_ctl_operator(text)
        || (!text.is_empty() && text.chars().all(|c| "!&|-<>=[]".contains(c)))
}
