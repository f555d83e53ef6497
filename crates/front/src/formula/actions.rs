//! Sets of actions in a modality: `a`, `a|b`, `!a`, `!(a|b)`, `true`.

use super::FormulaParser;
use super::climb::{balanced, climb};
use crate::lexer::Token;
use crate::sink::{Parsed, Reported};
use logic::{ActionFormula, ActionSet, Quantifier, RegId, Regular};
use support::{Diagnostic, Span};

/// Something within a modality: a set of actions as long as it is one, else a regular formula.
pub(super) struct Step {
    pub kind: StepKind,
    pub span: Span,
}

pub(super) enum StepKind {
    Set(ActionSet),
    /// A set that depends on data.
    Data(ActionFormula),
    Regular(RegId),
}

/// The infix operators of action formulas from the loosest to the tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ActionInfix {
    Implies,
    Or,
    And,
}

impl FormulaParser<'_, '_> {
    fn step_formula(&mut self) -> Parsed<Step> {
        if self.logic.has_regular_formulas() { self.regular() } else { self.action_formula() }
    }

    /// All that stands within one modality.
    pub(super) fn steps(&mut self) -> Parsed<RegId> {
        let step = self.step_formula()?;
        Ok(self.step_to_regular(step))
    }

    pub(super) fn step_to_regular(&mut self, step: Step) -> RegId {
        match step.kind {
            StepKind::Regular(reg) => reg,
            StepKind::Set(set) => self.builder.reg(Regular::Action(set), step.span),
            StepKind::Data(formula) => self.builder.reg(Regular::Matching(formula), step.span),
        }
    }

    pub(super) fn action_formula(&mut self) -> Parsed<Step> {
        climb(self, Self::action_operand, Self::action_infix, Self::join_actions)
    }

    fn action_infix(&self) -> Option<ActionInfix> {
        match self.cursor.peek() {
            Token::Bar if self.logic.has_regular_formulas() => None,
            Token::Bar | Token::BarBar => Some(ActionInfix::Or),
            Token::And => Some(ActionInfix::And),
            Token::FatArrow => Some(ActionInfix::Implies),
            Token::Word => match self.word()? {
                "and" => Some(ActionInfix::And),
                "or" => Some(ActionInfix::Or),
                _ => None,
            },
            _ => None,
        }
    }

    fn join_actions(&mut self, infix: ActionInfix, steps: Vec<Step>) -> Parsed<Step> {
        let span = steps[0].span.to(steps[steps.len() - 1].span);
        if steps.iter().any(|step| matches!(step.kind, StepKind::Data(_))) {
            let kind = StepKind::Data(self.joined_formulas(infix, steps)?);
            return Ok(Step { kind, span });
        }
        let sets: Parsed<Vec<_>> = steps.into_iter().map(|step| self.only_set(step)).collect();
        let sets = sets?;
        let joined = match infix {
            ActionInfix::And => balanced(sets, ActionSet::and),
            ActionInfix::Or => balanced(sets, ActionSet::or),
            ActionInfix::Implies => {
                sets.into_iter().rev().reduce(|right, left| left.complement().or(right))
            }
        };
        Ok(Step { kind: StepKind::Set(joined.expect("a chain has operands")), span })
    }

    fn joined_formulas(&mut self, infix: ActionInfix, steps: Vec<Step>) -> Parsed<ActionFormula> {
        let parts: Parsed<Vec<_>> = steps.into_iter().map(|step| self.only_one(step)).collect();
        let mut parts = parts?;
        Ok(match infix {
            ActionInfix::And => ActionFormula::And(parts),
            ActionInfix::Or => ActionFormula::Or(parts),
            ActionInfix::Implies => {
                let last = parts.pop().into_iter();
                let conditions = parts.into_iter().map(|part| ActionFormula::Not(Box::new(part)));
                ActionFormula::Or(conditions.chain(last).collect())
            }
        })
    }

    /// A set of actions, which may depend on data.
    fn only_one(&mut self, step: Step) -> Parsed<ActionFormula> {
        match step.kind {
            StepKind::Data(formula) => Ok(formula),
            _ => self.only_set(step).map(ActionFormula::Set),
        }
    }

    /// `!`, `&&` and `||` are for single steps, not for sequences.
    fn only_set(&mut self, step: Step) -> Parsed<ActionSet> {
        match step.kind {
            StepKind::Set(set) => Ok(set),
            StepKind::Data(_) | StepKind::Regular(_) => Err(self.cursor.sink.error(|| {
                Diagnostic::error(
                    "a regular formula where an action formula is expected",
                    step.span,
                    "this may take several steps or none",
                )
                .with_help(
                    "`!`, `&&` and `||` apply to one action; alternatives of sequences are written \
                     with `+`",
                )
            })),
        }
    }

    fn action_operand(&mut self) -> Parsed<Step> {
        let start = self.cursor.peek_span();
        let mut negations = 0;
        while self.cursor.peek() == Token::Bang || self.word() == Some("not") {
            self.cursor.bump();
            negations += 1;
        }
        let step = self.action_primary()?;
        if negations == 0 {
            return Ok(step);
        }
        let span = start.to(step.span);
        if let StepKind::Data(formula) = step.kind {
            let is_negated = negations % 2 == 1;
            let not = |formula| ActionFormula::Not(Box::new(formula));
            let kind = StepKind::Data(if is_negated { not(formula) } else { formula });
            return Ok(Step { kind, span });
        }
        let set = self.only_set(step)?;
        let set = if negations % 2 == 1 { set.complement() } else { set };
        Ok(Step { kind: StepKind::Set(set), span })
    }

    fn action_primary(&mut self) -> Parsed<Step> {
        let set = match (self.cursor.peek(), self.word()) {
            (Token::LeftParen, _) => return self.steps_in_parentheses(),
            (_, Some("true")) => ActionSet::any(),
            (_, Some("false")) => ActionSet::none(),
            (_, Some("nil")) if self.logic.has_regular_formulas() => return Ok(self.nil()),
            (_, Some("and" | "or")) => return Err(self.unexpected_action()),
            (_, Some(word @ ("forall" | "exists"))) if self.logic.has_regular_formulas() => {
                return self.actions_for_values(word == "forall");
            }
            (_, Some("val")) if self.logic.has_regular_formulas() => return self.condition(),
            _ => return self.named_action(),
        };
        Ok(Step { kind: StepKind::Set(set), span: self.cursor.bump() })
    }

    fn steps_in_parentheses(&mut self) -> Parsed<Step> {
        let open = self.cursor.bump();
        let step = self.nested_steps(Self::step_formula)?;
        if self.cursor.peek() != Token::RightParen {
            return Err(self.unclosed_steps(open));
        }
        Ok(Step { kind: step.kind, span: open.to(self.cursor.bump()) })
    }

    fn unclosed_steps(&mut self, open: Span) -> Reported {
        if let Some(reported) = self.refuse_unsupported() {
            return reported;
        }
        let (found, span) = (self.cursor.describe(), self.cursor.peek_span());
        self.cursor.sink.error(|| {
            let message = format!("expected an operator or `)`, found {found}");
            Diagnostic::error(message, span, "expected an operator or `)`")
                .with_label(open, "opened here")
                .with_help("close the parenthesis with `)`")
        })
    }

    /// `exists n: Nat . send(n)`
    fn actions_for_values(&mut self, all: bool) -> Parsed<Step> {
        let start = self.cursor.bump();
        let quantifier = if all { Quantifier::All } else { Quantifier::Exists };
        let (variables, body) = self.for_values(|own| own.nested_steps(Self::action_formula))?;
        let span = start.to(body.span);
        let body = Box::new(self.only_one(body)?);
        let kind = StepKind::Data(ActionFormula::ForValues(quantifier, variables, body, span));
        Ok(Step { kind, span })
    }

    /// `val(b)` as a set of actions: all or none.
    fn condition(&mut self) -> Parsed<Step> {
        let (term, span) = self.val()?;
        Ok(Step { kind: StepKind::Data(ActionFormula::Val(term)), span })
    }

    fn named_action(&mut self) -> Parsed<Step> {
        if self.logic.has_regular_formulas() {
            return self.multi_action();
        }
        let (name, span) = self.plain_action()?;
        Ok(self.one_action(name, span))
    }

    pub(super) fn one_action(&mut self, name: String, span: Span) -> Step {
        self.builder.actions.push((name.clone(), span));
        Step { kind: StepKind::Set(ActionSet::one(name)), span }
    }

    fn plain_action(&mut self) -> Parsed<(String, Span)> {
        if self.cursor.peek() != Token::String && self.name_tokens().is_none() {
            return Err(self.unexpected_action());
        }
        let name = self.cursor.name_or_string("an action")?;
        let name = self.indexed(name)?;
        Ok((name.text.into_owned(), name.span))
    }

    pub(super) fn unexpected_action(&mut self) -> Reported {
        if let Some(reported) = self.refuse_unsupported() {
            return reported;
        }
        let help = match (self.logic.has_regular_formulas(), self.cursor.peek()) {
            (false, Token::Minus) => "\"all but a\" is written `[!a] f`",
            (true, Token::RightBracket | Token::Greater) => {
                "any single step is written `[true] f` or `<true> f`"
            }
            _ => "within `< >` and `[ ]` stand actions: `<a> f`, `[a|b] f`, `[!a] f`, `<true> f`",
        };
        self.cursor.unexpected("an action", Some(help))
    }
}
