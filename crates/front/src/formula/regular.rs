//! The regular formulas of mcf.
//!
//! Precedence as in mCRL2's grammar, loosest first: `+`, `.`, the postfix `*` and `+`, and then the
//! action formulas `=>`, `||`, `&&`, `!`, so that `a || b*` is `(a || b)*`.

use super::FormulaParser;
use super::actions::{Step, StepKind};
use super::climb::{balanced, climb};
use crate::cursor::Name;
use crate::lexer::Token;
use crate::sink::Parsed;
use logic::{ActionFormula, ActionPattern, ActionSet, RegId, Regular};
use support::{Diagnostic, Span};

/// Deeper ones are refused, because each level costs stack when the formula is translated.
const MAX_REGULAR_NESTING: usize = 50;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RegularInfix {
    Alternative,
    Sequence,
}

impl FormulaParser<'_, '_> {
    pub(super) fn regular(&mut self) -> Parsed<Step> {
        climb(self, Self::repeated, Self::regular_infix, Self::join_regular)
    }

    fn regular_infix(&self) -> Option<RegularInfix> {
        match self.cursor.peek() {
            Token::Plus => Some(RegularInfix::Alternative),
            Token::Dot => Some(RegularInfix::Sequence),
            _ => None,
        }
    }

    /// Both operators are associative, so that a long chain need not become a deep tree.
    fn join_regular(&mut self, infix: RegularInfix, steps: Vec<Step>) -> Parsed<Step> {
        let span = steps[0].span.to(steps[steps.len() - 1].span);
        let regs: Vec<(RegId, Span)> = steps
            .into_iter()
            .map(|step| {
                let span = step.span;
                (self.step_to_regular(step), span)
            })
            .collect();
        let joined = balanced(regs, |(a, from), (b, to)| {
            let span = from.to(to);
            let regular = match infix {
                RegularInfix::Alternative => Regular::Alt(a, b),
                RegularInfix::Sequence => Regular::Seq(a, b),
            };
            (self.builder.reg(regular, span), span)
        });
        let (reg, _) = joined.expect("a chain has operands");
        Ok(Step { kind: StepKind::Regular(reg), span })
    }

    /// An action formula with any number of `*` and `+` behind it.
    fn repeated(&mut self) -> Parsed<Step> {
        let mut step = self.action_formula()?;
        loop {
            let star = self.cursor.peek() == Token::Star;
            if !star && !self.at_postfix_plus() {
                return Ok(step);
            }
            let span = step.span.to(self.cursor.bump());
            let once = self.step_to_regular(step);
            let reg = self.repeat(once, star, span);
            step = Step { kind: StepKind::Regular(reg), span };
        }
    }

    /// A `+` behind which no operand stands is the postfix one.
    fn at_postfix_plus(&self) -> bool {
        let operand = [Token::Word, Token::String, Token::LeftParen, Token::Bang];
        self.cursor.peek() == Token::Plus && !operand.contains(&self.cursor.peek_at(1))
    }

    /// `R**` is `R*`, and so on: repeating what is repeated adds nothing but depth.
    fn repeat(&mut self, once: RegId, star: bool, span: Span) -> RegId {
        let regular = match (&self.builder.regs[once].0, star) {
            (Regular::Star(inner), _) | (Regular::Plus(inner), true) => Regular::Star(*inner),
            (Regular::Plus(inner), false) => Regular::Plus(*inner),
            (_, true) => Regular::Star(once),
            (_, false) => Regular::Plus(once),
        };
        self.builder.reg(regular, span)
    }

    /// The empty sequence, as the iteration of a step that nothing can make.
    pub(super) fn nil(&mut self) -> Step {
        let span = self.cursor.bump();
        let never = self.builder.reg(Regular::Action(ActionSet::none()), span);
        let reg = self.builder.reg(Regular::Star(never), span);
        Step { kind: StepKind::Regular(reg), span }
    }

    /// `a`, `a(1, n)`, `a|b`. What has neither arguments nor parts is a label as it stands.
    pub(super) fn multi_action(&mut self) -> Parsed<Step> {
        let (first, mut span) = self.single_action()?;
        let mut patterns = vec![first];
        while self.cursor.peek() == Token::Bar {
            self.cursor.bump();
            let (next, at) = self.single_action()?;
            patterns.push(next);
            span = span.to(at);
        }
        let is_plain = |pattern: &ActionPattern| pattern.arguments.is_empty();
        if patterns.iter().all(is_plain) {
            let names: Vec<String> = patterns.into_iter().map(|pattern| pattern.name).collect();
            return Ok(self.one_action(names.join("|"), span));
        }
        Ok(Step { kind: StepKind::Data(ActionFormula::Multi(patterns, span)), span })
    }

    fn single_action(&mut self) -> Parsed<(ActionPattern, Span)> {
        let plain = |name: Name| {
            (ActionPattern { name: name.text.into_owned(), arguments: Vec::new() }, name.span)
        };
        if self.cursor.peek() == Token::String {
            let name = self.cursor.name_or_string("an action")?;
            return self.indexed(name).map(plain);
        }
        if let Some(reported) = self.refuse_unsupported() {
            return Err(reported);
        }
        let Some(count) = self.name_tokens() else { return Err(self.unexpected_action()) };
        let name = self.cursor.take(count);
        let (mut pattern, mut span) = plain(self.indexed(name)?);
        if self.cursor.peek() == Token::LeftParen {
            let outer = std::mem::take(&mut self.term_size);
            let arguments = self.terms(Token::RightParen);
            self.term_size = outer;
            let (arguments, at) = arguments?;
            pattern.arguments = arguments;
            span = span.to(at);
        }
        Ok((pattern, span))
    }

    /// One pair of parentheses within a modality.
    pub(super) fn nested_steps(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Parsed<Step>,
    ) -> Parsed<Step> {
        if self.step_nesting == MAX_REGULAR_NESTING {
            let span = self.cursor.last_span();
            return Err(self.cursor.sink.error(|| {
                Diagnostic::error(
                    format!("the modality is nested more than {MAX_REGULAR_NESTING} levels deep"),
                    span,
                    "one level too many begins here",
                )
                .with_help("`a.b.c` and `a + b + c` need no parentheses")
            }));
        }
        self.step_nesting += 1;
        let step = parse(self);
        self.step_nesting -= 1;
        step
    }
}
