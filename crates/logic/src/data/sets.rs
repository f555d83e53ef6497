//! The labels that a formula over actions denotes.

use super::evaluate::{Environment, Evaluated, wrong};
use super::functions::Functions;
use super::label::{MultiAction, read_label};
use super::{ActionFormula, ActionPattern, DataTerm, DataTermKind, DataVarId};
use crate::actions::ActionSet;
use crate::surface::Quantifier;
use rustc_hash::{FxHashMap, FxHashSet};
use support::Span;

/// The labels of a system, `tau` among them, each with its actions and values.
pub(super) struct Labels {
    names: Vec<String>,
    pub actions: Vec<MultiAction>,
    numbers: FxHashMap<MultiAction, Vec<usize>>,
    /// Names of actions, with the number of their arguments.
    known: FxHashSet<(String, usize)>,
}

/// By label whether it belongs to a set.
pub(super) type LabelSet = Vec<bool>;

impl Labels {
    pub fn new(actions: &[String]) -> Self {
        let mut names = actions.to_vec();
        if let Err(at) = names.binary_search_by(|name| name.as_str().cmp("tau")) {
            names.insert(at, "tau".to_owned());
        }
        let actions: Vec<MultiAction> = names.iter().map(|name| read_label(name)).collect();
        let mut numbers: FxHashMap<MultiAction, Vec<usize>> = FxHashMap::default();
        for (number, action) in actions.iter().enumerate() {
            numbers.entry(action.clone()).or_default().push(number);
        }
        let parts = actions.iter().flatten();
        let known = parts.map(|(name, values)| (name.clone(), values.len())).collect();
        Self { names, actions, numbers, known }
    }

    /// The set as one that a data-free formula has. Actions that never occur make no difference.
    pub fn to_action_set(&self, set: &LabelSet) -> ActionSet {
        match set.iter().all(|&holds| holds) {
            true => ActionSet::any(),
            false => ActionSet::of(
                self.names.iter().zip(set).filter(|(_, holds)| **holds).map(|(name, _)| name),
            ),
        }
    }

    /// Whether the system has an action of this name with so many arguments.
    pub fn knows(&self, pattern: &ActionPattern) -> bool {
        self.known.contains(&(pattern.name.clone(), pattern.arguments.len()))
    }

    /// The labels that a formula denotes for the values of the variables.
    pub fn denoted(
        &self,
        formula: &ActionFormula,
        environment: &mut Environment,
    ) -> Evaluated<LabelSet> {
        Ok(match formula {
            ActionFormula::Set(set) => self.names.iter().map(|name| set.contains(name)).collect(),
            ActionFormula::Multi(patterns, _) => {
                let mut holds = vec![false; self.names.len()];
                if let Some(wanted) = wanted(patterns, environment)? {
                    for &number in self.numbers.get(&wanted).into_iter().flatten() {
                        holds[number] = true;
                    }
                }
                holds
            }
            ActionFormula::Val(term) => vec![environment.truth(term)?; self.names.len()],
            ActionFormula::Not(inner) => {
                self.denoted(inner, environment)?.into_iter().map(|holds| !holds).collect()
            }
            ActionFormula::And(parts) => self.joined(parts, true, environment)?,
            ActionFormula::Or(parts) => self.joined(parts, false, environment)?,
            ActionFormula::ForValues(quantifier, variables, body, span) => {
                let all = *quantifier == Quantifier::All;
                environment.checked(variables, *span, |environment| {
                    let mut holds = vec![all; self.names.len()];
                    self.quantified(all, (variables, *span), body, environment, &mut holds)?;
                    Ok(holds)
                })?
            }
        })
    }

    /// Conditions come first: they may give the variables a bound that the other parts need.
    fn joined(
        &self,
        parts: &[ActionFormula],
        all: bool,
        environment: &mut Environment,
    ) -> Evaluated<LabelSet> {
        let mut holds = vec![all; self.names.len()];
        let (conditions, others): (Vec<_>, Vec<_>) =
            parts.iter().partition(|part| is_condition(part));
        for part in conditions.into_iter().chain(others) {
            join(&mut holds, &self.denoted(part, environment)?, all);
            if holds.iter().all(|&holds| holds != all) {
                break;
            }
        }
        Ok(holds)
    }

    fn quantified(
        &self,
        all: bool,
        (variables, span): (&[DataVarId], Span),
        body: &ActionFormula,
        environment: &mut Environment,
        holds: &mut LabelSet,
    ) -> Evaluated<()> {
        let Some((&first, rest)) = variables.split_first() else {
            join(holds, &self.denoted(body, environment)?, all);
            return Ok(());
        };
        let Some(domain) = environment.domain(first) else {
            return Err(wrong(span, "the variables have too many values", "a quantifier"));
        };
        let before = environment.values[first].take();
        for value in domain.iter() {
            environment.values[first] = Some(value.clone());
            self.quantified(all, (rest, span), body, environment, holds)?;
        }
        environment.values[first] = before;
        Ok(())
    }
}

/// Whether a part of a formula is true or false whatever the action.
fn is_condition(formula: &ActionFormula) -> bool {
    match formula {
        ActionFormula::Val(_) => true,
        ActionFormula::Not(inner) => is_condition(inner),
        _ => false,
    }
}

fn join(holds: &mut LabelSet, part: &LabelSet, all: bool) {
    for (holds, part) in holds.iter_mut().zip(part) {
        *holds = if all { *holds && *part } else { *holds || *part };
    }
}

/// The multi-action for the values of the variables; `None` if it has a constant that is in no action.
fn wanted(
    patterns: &[ActionPattern],
    environment: &mut Environment,
) -> Evaluated<Option<MultiAction>> {
    let mut wanted = Vec::with_capacity(patterns.len());
    for pattern in patterns {
        let functions = environment.functions.clone();
        let is_foreign = |term: &DataTerm| match &term.kind {
            DataTermKind::Apply(name, arguments) => {
                arguments.is_empty() && !functions.is_constructor(name, 0)
            }
            _ => false,
        };
        if pattern.arguments.iter().any(is_foreign) {
            return Ok(None);
        }
        let values = environment.all(&pattern.arguments)?;
        for (term, value) in pattern.arguments.iter().zip(&values) {
            if value.is_representative() && !is_structural(term, &functions) {
                return Err(wrong(
                    term.span,
                    "which values the variable has makes a difference here",
                    "a variable of a large sort stands by itself, in a constructor or in a list",
                ));
            }
        }
        wanted.push((pattern.name.clone(), values));
    }
    wanted.sort();
    Ok(Some(wanted))
}

/// Whether a term determines the values of its variables, as the values of domains were collected.
fn is_structural(term: &DataTerm, functions: &Functions) -> bool {
    match &term.kind {
        DataTermKind::Variable(_) => true,
        DataTermKind::Apply(name, terms) => {
            functions.is_constructor(name, terms.len())
                && terms.iter().all(|term| is_structural(term, functions))
        }
        DataTermKind::List(terms) => terms.iter().all(|term| is_structural(term, functions)),
        DataTermKind::Number(_) | DataTermKind::Bool(_) => true,
        _ => false,
    }
}

/// The multi-actions of a formula that no label of the system is, whatever the values of the variables.
pub(super) fn strangers(
    formula: &ActionFormula,
    labels: &Labels,
    environment: &mut Environment,
    found: &mut Vec<Span>,
) {
    match formula {
        ActionFormula::Multi(patterns, span) => {
            let mut is_closed = true;
            formula.visit(
                &mut |term| {
                    term.visit(&mut |part| {
                        is_closed &= !matches!(part.kind, DataTermKind::Variable(_));
                    });
                },
                &mut |_| {},
            );
            let is_known = match is_closed {
                true => labels.denoted(formula, environment).is_ok_and(|set| set.contains(&true)),
                false => patterns.iter().all(|pattern| labels.knows(pattern)),
            };
            if !is_known {
                found.push(*span);
            }
        }
        ActionFormula::Not(inner) | ActionFormula::ForValues(_, _, inner, _) => {
            strangers(inner, labels, environment, found);
        }
        ActionFormula::And(parts) | ActionFormula::Or(parts) => {
            parts.iter().for_each(|part| strangers(part, labels, environment, found));
        }
        ActionFormula::Set(_) | ActionFormula::Val(_) => {}
    }
}
