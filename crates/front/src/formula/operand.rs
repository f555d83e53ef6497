//! Operands of infix operators: prefixes, constants, names, parentheses, fixpoints, paths.

use super::hints::is_word_of_mcf;
use super::{FormulaParser, Operand};
use super::{linear, linear_operator, path_operator, quantifier, state_operator};
use crate::cursor::Name;
use crate::lexer::Token;
use crate::sink::Parsed;
use logic::{
    ActionSet, BinderId, DataTerm, DataVarId, Expr, Fix, LinearOp, Logic, Modality, Quantifier,
    RegId, Regular, StateOp,
};
use support::{Diagnostic, Span};

enum Prefix {
    Not,
    Modal(Modality, RegId),
    State(Quantifier, StateOp),
    Linear(LinearOp),
    Quantified(Quantifier),
}

impl<'a> FormulaParser<'_, 'a> {
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let mut prefixes = Vec::new();
        while let Some(prefix) = self.prefix()? {
            prefixes.push(prefix);
        }
        let mut operand = self.primary()?;
        while let Some((prefix, span)) = prefixes.pop() {
            let expr = match prefix {
                Prefix::Not => Expr::Not(operand.id),
                Prefix::Modal(modality, reg) => Expr::Modal(modality, reg, operand.id),
                Prefix::State(quantifier, op) if self.logic.has_linear_operators() => {
                    let inner = Expr::Linear(linear(op), operand.id);
                    let inner = self.make(inner, span.to(operand.span));
                    Expr::Quantified(quantifier, inner.id)
                }
                Prefix::State(quantifier, op) => Expr::State(quantifier, op, operand.id),
                Prefix::Linear(op) => Expr::Linear(op, operand.id),
                Prefix::Quantified(quantifier) => Expr::Quantified(quantifier, operand.id),
            };
            operand = self.make(expr, span.to(operand.span));
        }
        Ok(operand)
    }

    fn prefix(&mut self) -> Parsed<Option<(Prefix, Span)>> {
        let prefix = match self.cursor.peek() {
            Token::Bang => Prefix::Not,
            Token::LeftBracket => return self.modality(Modality::Box, Token::RightBracket),
            Token::Less => return self.modality(Modality::Dia, Token::Greater),
            Token::Word => match self.word().and_then(|word| self.prefix_word(word)) {
                Some(prefix) => prefix,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some((prefix, self.cursor.bump())))
    }

    fn prefix_word(&mut self, word: &str) -> Option<Prefix> {
        match word {
            "not" => Some(Prefix::Not),
            "box" if self.has_plain_modalities() => Some(self.any_step(Modality::Box)),
            "dia" if self.has_plain_modalities() => Some(self.any_step(Modality::Dia)),
            _ if self.logic.has_linear_operators() && linear_operator(word).is_some() => {
                linear_operator(word).map(Prefix::Linear)
            }
            // Brackets stand around path formulas as in CTL, or parentheses.
            _ if self.logic.quantifies_over_path_formulas()
                && quantifier(word).is_some()
                && self.cursor.peek_at(1) != Token::LeftBracket =>
            {
                quantifier(word).map(Prefix::Quantified)
            }
            _ if self.logic.has_path_quantifiers()
                || self.logic.quantifies_over_path_formulas() =>
            {
                state_operator(word).map(|(quantifier, op)| Prefix::State(quantifier, op))
            }
            _ => None,
        }
    }

    /// Whether `[]` and `<>` stand for any step.
    fn has_plain_modalities(&self) -> bool {
        self.logic.has_fixpoints() && !self.logic.has_regular_formulas()
    }

    fn any_step(&mut self, modality: Modality) -> Prefix {
        let span = self.cursor.peek_span();
        Prefix::Modal(modality, self.builder.reg(Regular::Action(ActionSet::any()), span))
    }

    /// `[ … ]` or `< … >`.
    fn modality(&mut self, modality: Modality, close: Token) -> Parsed<Option<(Prefix, Span)>> {
        if !self.logic.has_fixpoints() {
            return Err(self.unexpected_operand());
        }
        let open = self.cursor.bump();
        if self.has_plain_modalities() && self.cursor.peek() == close {
            let span = open.to(self.cursor.bump());
            let any = self.builder.reg(Regular::Action(ActionSet::any()), span);
            return Ok(Some((Prefix::Modal(modality, any), span)));
        }
        let reg = self.steps()?;
        if self.cursor.peek() != close {
            return Err(self.unexpected_in_modality(modality, open));
        }
        let span = open.to(self.cursor.bump());
        Ok(Some((Prefix::Modal(modality, reg), span)))
    }

    fn primary(&mut self) -> Parsed<Operand> {
        if self.cursor.peek() == Token::LeftParen {
            return self.parentheses();
        }
        match self.word() {
            Some("true") => Ok(self.constant(true)),
            Some("false") => Ok(self.constant(false)),
            Some("mu") if self.logic.has_fixpoints() => self.fixpoint(Fix::Mu),
            Some("nu") if self.logic.has_fixpoints() => self.fixpoint(Fix::Nu),
            Some(word @ ("A" | "E"))
                if (self.logic.has_path_quantifiers()
                    || self.logic.quantifies_over_path_formulas())
                    && self.cursor.peek_at(1) == Token::LeftBracket =>
            {
                let all = word == "A";
                self.path(if all { Quantifier::All } else { Quantifier::Exists })
            }
            Some(word @ ("forall" | "exists")) if self.logic.has_regular_formulas() => {
                self.for_all_values(word == "forall")
            }
            Some("val") if self.logic.has_regular_formulas() => {
                let (term, span) = self.val()?;
                Ok(self.make(Expr::Val(term), span))
            }
            Some(word) if is_reserved(self.logic, word) => Err(self.unexpected_operand()),
            _ => self.atom(),
        }
    }

    fn constant(&mut self, value: bool) -> Operand {
        let span = self.cursor.bump();
        self.make(Expr::Const(value), span)
    }

    /// A proposition, or a variable if a fixpoint around here binds the name.
    fn atom(&mut self) -> Parsed<Operand> {
        let Some(count) = self.name_tokens() else { return Err(self.unexpected_operand()) };
        let name = self.cursor.take(count);
        let name = self.indexed(name)?;
        let bound = self.scope.iter().rev().find(|(bound, _)| *bound == name.text);
        let bound = bound.map(|&(_, binder)| binder);
        if self.logic.has_regular_formulas()
            && (self.cursor.peek() == Token::LeftParen
                || bound.is_some_and(|own| !self.builder.binders[own].parameters.is_empty()))
        {
            return self.call(bound, name.span);
        }
        let expr = match bound {
            Some(binder) => Expr::Var(binder),
            None => Expr::Prop(name.text.into_owned()),
        };
        Ok(self.make(expr, name.span))
    }

    /// `X(n + 1)`
    fn call(&mut self, bound: Option<BinderId>, name: Span) -> Parsed<Operand> {
        let Some(binder) = bound else {
            let text = self.snippet(name);
            return Err(self.cursor.sink.error(|| {
                let message = format!("`{text}` is no variable of a fixpoint");
                Diagnostic::error(message, name, "only these have arguments here").with_help(
                    format!("actions stand in modalities: `<{text}(…)> true`, `[{text}(…)] false`"),
                )
            }));
        };
        let (arguments, span) = match self.cursor.peek() {
            Token::LeftParen => {
                let (arguments, close) = self.terms(Token::RightParen)?;
                (arguments, name.to(close))
            }
            _ => (Vec::new(), name),
        };
        let declared = &self.builder.binders[binder];
        let (wanted, found) = (declared.parameters.len(), arguments.len());
        if wanted != found {
            let (text, at) = (self.snippet(name), declared.span);
            return Err(self.cursor.sink.error(|| {
                let values = |count| {
                    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
                };
                let message = format!("`{text}` needs {}, found {found}", values(wanted));
                Diagnostic::error(message, span, format!("expected {}", values(wanted)))
                    .with_label(at, "bound here")
            }));
        }
        Ok(self.make(Expr::Call(binder, arguments), span))
    }

    /// `forall d: D . f`, the body as far to the right as possible.
    fn for_all_values(&mut self, all: bool) -> Parsed<Operand> {
        let start = self.cursor.bump();
        let quantifier = if all { Quantifier::All } else { Quantifier::Exists };
        let (variables, body) = self.for_values(Self::expression)?;
        let span = start.to(body.span);
        Ok(self.make(Expr::ForValues(quantifier, variables, body.id), span))
    }

    /// `val(b)`
    pub(super) fn val(&mut self) -> Parsed<(DataTerm, Span)> {
        let start = self.cursor.bump();
        if self.cursor.peek() != Token::LeftParen {
            let help = "a condition on data is written `val(n < 3)`";
            return Err(self.cursor.unexpected("`(` after `val`", Some(help)));
        }
        let (mut terms, span) = self.terms(Token::RightParen)?;
        match terms.len() {
            1 => Ok((terms.remove(0), start.to(span))),
            count => Err(self.cursor.sink.error(|| {
                let message = format!("`val` needs one data expression, found {count}");
                Diagnostic::error(message, span, "expected one")
            })),
        }
    }

    /// How many tokens the name that stands here takes.
    pub(super) fn name_tokens(&self) -> Option<usize> {
        if !self.logic.has_regular_formulas() {
            return self.cursor.peek_name().map(|(_, count)| count);
        }
        if self.cursor.peek() != Token::Word {
            return None;
        }
        // An identifier of mCRL2 may have primes in it.
        let mut count = 1;
        let piece = |token| matches!(token, Token::Prime | Token::Word | Token::Number);
        while piece(self.cursor.peek_at(count)) && self.cursor.touches_the_one_before(count) {
            count += 1;
        }
        Some(count)
    }

    fn parentheses(&mut self) -> Parsed<Operand> {
        let open = self.cursor.bump();
        let start = self.cursor.position();
        let inner = self.nested(Self::expression);
        let closed = inner.and_then(|inner| match self.cursor.peek() {
            Token::RightParen => Ok(inner),
            _ => Err(self.unexpected_before_paren(open)),
        });
        match closed {
            Ok(inner) => Ok(Operand { id: inner.id, span: open.to(self.cursor.bump()) }),
            Err(reported) => {
                // What is behind the parentheses may have errors of its own.
                let Some(end) = self.find_closing(start) else { return Err(reported) };
                self.repaired = true;
                self.cursor.go_back_to(end);
                let close = self.cursor.bump();
                Ok(self.make(Expr::Const(true), open.to(close)))
            }
        }
    }

    /// The position of the parenthesis that closes the one before `start`.
    fn find_closing(&mut self, start: usize) -> Option<usize> {
        self.cursor.go_back_to(start);
        let mut open = 1;
        self.cursor.skip_until(|cursor| {
            match cursor.peek() {
                Token::LeftParen => open += 1,
                Token::RightParen => open -= 1,
                _ => {}
            }
            let end = matches!(cursor.peek(), Token::Semicolon | Token::LeftBrace);
            open == 0 || end || cursor.peek() == Token::RightBrace
        });
        (open == 0).then(|| self.cursor.position())
    }

    /// `mu Z. f`, the body as far to the right as possible.
    fn fixpoint(&mut self, kind: Fix) -> Parsed<Operand> {
        let start = self.cursor.bump();
        let (name, parameters) = self.variable(start)?;
        let binder = self.builder.binder(kind, &name.text, name.span);
        let count = parameters.len();
        self.builder.binders[binder].parameters = parameters;
        self.scope.push((self.snippet(name.span), binder));
        let body = self.nested(Self::expression);
        self.scope.pop();
        self.data_scope.truncate(self.data_scope.len() - count);
        let body = body?;
        Ok(self.make(Expr::Fix(binder, body.id), start.to(body.span)))
    }

    fn variable(&mut self, fixpoint: Span) -> Parsed<(Name<'a>, Vec<(DataVarId, DataTerm)>)> {
        let is_word = self.cursor.peek() == Token::Word;
        let reserved = is_reserved_everywhere(self.cursor.peek_text());
        if !is_word || reserved {
            let wanted = "the variable of the fixpoint";
            return Err(self.cursor.unexpected(wanted, Some("write for example `mu Z. p | <> Z`")));
        }
        // A dot ends the variable even if the body touches it: `mu Z.p`.
        let count =
            if self.logic.has_regular_formulas() { self.name_tokens().unwrap_or(1) } else { 1 };
        let name = self.cursor.take(count);
        let parameters = match self.logic.has_regular_formulas() {
            true => self.fixpoint_parameters()?,
            false => Vec::new(),
        };
        if self.cursor.eat(Token::Dot).is_none() {
            let help = format!("write `{} {}. f`", self.snippet(fixpoint), name.text);
            return Err(self.cursor.unexpected("`.` after the variable", Some(&help)));
        }
        Ok((name, parameters))
    }

    /// `A[f U g]` and its relatives.
    fn path(&mut self, quantifier: Quantifier) -> Parsed<Operand> {
        let start = self.cursor.bump();
        let open = self.cursor.bump();
        let left = self.nested(Self::expression)?;
        if self.logic.has_linear_operators() {
            if self.cursor.peek() != Token::RightBracket {
                return Err(self.unclosed_path(open));
            }
            let span = start.to(self.cursor.bump());
            return Ok(self.make(Expr::Quantified(quantifier, left.id), span));
        }
        let Some(op) = self.word().and_then(path_operator) else {
            return Err(self.unexpected_path_operator());
        };
        self.cursor.bump();
        let right = self.nested(Self::expression)?;
        if self.cursor.peek() != Token::RightBracket {
            return Err(self.unclosed_path(open));
        }
        let span = start.to(self.cursor.bump());
        Ok(self.make(Expr::Path(quantifier, op, left.id, right.id), span))
    }

    pub(super) fn snippet(&self, span: Span) -> &'a str {
        &self.cursor.text[span.range()]
    }
}

/// Words that are never names in formulas.
fn is_reserved_everywhere(word: &str) -> bool {
    matches!(word, "true" | "false" | "not" | "and" | "or")
}

/// Words that are no names in this logic.
pub(super) fn is_reserved(logic: Logic, word: &str) -> bool {
    let fixpoint = matches!(word, "mu" | "nu");
    is_reserved_everywhere(word)
        || fixpoint
        || (logic.has_regular_formulas() && is_word_of_mcf(word))
}
