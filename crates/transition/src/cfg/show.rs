//! Formulas of a closure as text.

use crate::cfg::closure::{AtomId, Closure, CtlNode, FormulaId, Operator, TemporalId};

/// More parts of a formula are not shown.
const MOST_PARTS: usize = 100;

/// Whether a text is one operand: a name, or all of it in parentheses.
fn is_one(text: &str) -> bool {
    let mut depth = 0;
    let mut ends = text.char_indices().filter(|(_, letter)| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    match text.starts_with('(') {
        true => ends.next().is_some_and(|(at, _)| at + 1 == text.len()),
        false => !text.contains(' '),
    }
}

impl Closure {
    /// A formula in the usual operators, its atoms named by `name`. A very long one is shown as `…`.
    pub fn show(&self, formula: FormulaId, name: &dyn Fn(AtomId) -> String) -> String {
        if self.parts(formula).len() > MOST_PARTS {
            return "…".to_owned();
        }
        match self.formulas[formula] {
            CtlNode::True => "true".to_owned(),
            CtlNode::Atom(atom, _) => name(atom),
            CtlNode::Or(a, b) => {
                format!("{} | {}", self.operand(a, name), self.operand(b, name))
            }
            CtlNode::Temporal(id) => self.show_temporal(id, name),
            CtlNode::Not(a) => self.show_negated(a, name),
        }
    }

    /// The negation of a formula.
    pub fn show_negated(&self, formula: FormulaId, name: &dyn Fn(AtomId) -> String) -> String {
        let not = |operand| match self.formulas[operand] {
            CtlNode::Not(inner) => self.operand(inner, name),
            // What an atom negates need not be negated twice.
            CtlNode::Atom(atom, _) => {
                match name(atom).strip_prefix('!').filter(|rest| is_one(rest)) {
                    Some(rest) => rest.to_owned(),
                    None => format!("!{}", self.operand(operand, name)),
                }
            }
            _ => format!("!{}", self.operand(operand, name)),
        };
        match self.formulas[formula] {
            CtlNode::True => "false".to_owned(),
            CtlNode::Or(a, b) => format!("{} & {}", not(a), not(b)),
            CtlNode::Temporal(id) => match self.temporals[id].operator {
                // What begins as a negation was an AG or an EG.
                Operator::Until(left, goal) if self.formulas[left] == CtlNode::True => {
                    let quantifier = if self.temporals[id].is_all { "EG" } else { "AG" };
                    format!("{quantifier} {}", not(goal))
                }
                _ => format!("!{}", self.show_temporal(id, name)),
            },
            CtlNode::Atom(..) | CtlNode::Not(_) => not(formula),
        }
    }

    fn show_temporal(&self, id: TemporalId, name: &dyn Fn(AtomId) -> String) -> String {
        let quantifier = if self.temporals[id].is_all { 'A' } else { 'E' };
        match self.temporals[id].operator {
            Operator::Next(a) => format!("{quantifier}X {}", self.operand(a, name)),
            Operator::Until(left, goal) if self.formulas[left] == CtlNode::True => {
                format!("{quantifier}F {}", self.operand(goal, name))
            }
            Operator::Until(left, goal) => {
                format!("{quantifier}[{} U {}]", self.show(left, name), self.show(goal, name))
            }
        }
    }

    /// With parentheses where it is needed, or looks better.
    fn operand(&self, formula: FormulaId, name: &dyn Fn(AtomId) -> String) -> String {
        let text = self.show(formula, name);
        let is_simple = match self.formulas[formula] {
            CtlNode::Or(..) => false,
            CtlNode::Not(inner) => !matches!(self.formulas[inner], CtlNode::Or(..)),
            CtlNode::Atom(..) => is_one(&text) || text.strip_prefix('!').is_some_and(is_one),
            CtlNode::True | CtlNode::Temporal(_) => true,
        };
        if is_simple { text } else { format!("({text})") }
    }
}
