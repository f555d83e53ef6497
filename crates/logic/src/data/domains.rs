//! Which values a variable has to go through.
//!
//! Values that occur neither in an action of the system nor in the formula are alike: a permutation of them changes no
//! action and no term. So of a sort with infinitely many values those that occur are enough, and as many others as the
//! formula has variables of the sort. Of numbers, which are compared and shifted by constants, those up to the largest
//! that occurs are enough, and so many larger ones that all shifts and variables find room among them. These are
//! [generic](super::Number): terms that could tell them from those still larger are refused.

use super::functions::Functions;
use super::sets::Labels;
use super::{
    ActionPattern, BinaryOp, Constructor, DataTerm, DataTermKind, DataVarId, Number, Sort,
    SortDefinition, Value,
};
use crate::surface::{Expr, Regular, Surface};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use support::IdVec;

/// The most values of one variable.
const MAX_VALUES: usize = 10_000;

/// Up to how many numbers each is looked at.
const MAX_RANGE: i64 = 4_096;

/// By variable: its values.
pub(super) type Domains = IdVec<DataVarId, Option<Rc<[Value]>>>;

/// The numbers that were known when the values of variables were chosen: all values between two of them that follow
/// each other are compared alike with them.
pub(super) struct KnownNumbers {
    occurring: BTreeSet<i64>,
    /// Whether every number between the least and the largest is a value of its own.
    has_all_between: bool,
}

impl KnownNumbers {
    pub fn contains(&self, value: i64) -> bool {
        let is_between = self.occurring.first().is_some_and(|&first| first <= value)
            && self.occurring.last().is_some_and(|&last| value <= last);
        self.occurring.contains(&value) || self.has_all_between && is_between
    }
}

/// The values and sorts that a formula and a system mention.
pub(super) struct Occurrences<'a> {
    surface: &'a Surface,
    /// By sort: what occurs where a variable of the sort stands in an action.
    values: FxHashMap<Sort, BTreeSet<Value>>,
    /// By sort: how many variables there are.
    variables: FxHashMap<Sort, u32>,
    numbers: BTreeSet<i64>,
    /// How far numbers may be shifted.
    slack: i64,
    /// Whether an action has a number that is larger than those that are computed with.
    has_large_numbers: bool,
}

impl<'a> Occurrences<'a> {
    pub fn new(surface: &'a Surface, labels: &Labels) -> Self {
        let mut own = Self {
            surface,
            values: FxHashMap::default(),
            variables: FxHashMap::default(),
            numbers: BTreeSet::from([0]),
            slack: 1,
            has_large_numbers: false,
        };
        for variable in surface.variables.values() {
            *own.variables.entry(own.resolved(&variable.sort)).or_default() += 1;
        }
        let is_number = |sort: &Sort| matches!(sort, Sort::Pos | Sort::Nat | Sort::Int);
        let numeric = own.variables.iter().filter(|(sort, _)| is_number(sort));
        own.slack += numeric.map(|(_, count)| i64::from(*count)).sum::<i64>();
        for (_, values) in labels.actions.iter().flatten() {
            values.iter().for_each(|value| note_numbers(value, &mut own.numbers));
        }
        let mut terms: Vec<&DataTerm> = Vec::new();
        let mut patterns: Vec<&ActionPattern> = Vec::new();
        for (expr, _) in surface.exprs.values() {
            match expr {
                Expr::Val(term) => terms.push(term),
                Expr::Call(_, arguments) => terms.extend(arguments),
                _ => {}
            }
        }
        for (regular, _) in surface.regs.values() {
            if let Regular::Matching(formula) = regular {
                formula.visit(&mut |term| terms.push(term), &mut |multi| patterns.extend(multi));
            }
        }
        let parameters = surface.binders.values().flat_map(|binder| &binder.parameters);
        terms.extend(parameters.map(|(_, initial)| initial));
        for term in terms {
            term.visit(&mut |part| own.note_term(part));
        }
        for pattern in patterns {
            own.note_pattern(pattern, labels);
        }
        own
    }

    fn note_term(&mut self, term: &DataTerm) {
        match &term.kind {
            DataTermKind::Number(value) => {
                self.numbers.insert(*value);
            }
            DataTermKind::Binary(BinaryOp::Add | BinaryOp::Subtract, sides) => {
                for side in sides.iter() {
                    if let DataTermKind::Number(value) = side.kind {
                        self.slack = self.slack.saturating_add(value.saturating_abs());
                    }
                }
            }
            DataTermKind::Apply(name, _) if matches!(&**name, "succ" | "pred") => {
                self.slack = self.slack.saturating_add(1);
            }
            _ => {}
        }
    }

    fn note_pattern(&mut self, pattern: &ActionPattern, labels: &Labels) {
        let is_pattern = |(name, values): &&(String, Vec<Value>)| {
            *name == pattern.name && values.len() == pattern.arguments.len()
        };
        for (_, values) in labels.actions.iter().flatten().filter(is_pattern) {
            for (term, value) in pattern.arguments.iter().zip(values) {
                self.note_match(term, value);
            }
        }
    }

    fn note_match(&mut self, term: &DataTerm, value: &Value) {
        match (&term.kind, value) {
            (DataTermKind::Variable(id), _) => {
                let sort = self.resolved(&self.surface.variables[*id].sort);
                let is_number = matches!(sort, Sort::Pos | Sort::Nat | Sort::Int);
                self.has_large_numbers |= is_number && !matches!(value, Value::Number(_));
                self.values.entry(sort).or_default().insert(value.clone());
            }
            (DataTermKind::Apply(name, terms), Value::Term(other, values))
                if name == other && terms.len() == values.len() =>
            {
                terms.iter().zip(values).for_each(|(term, value)| self.note_match(term, value));
            }
            (DataTermKind::List(terms), Value::List(values)) if terms.len() == values.len() => {
                terms.iter().zip(values).for_each(|(term, value)| self.note_match(term, value));
            }
            _ => {}
        }
    }

    /// The sort that a sort is another name for.
    fn resolved(&self, sort: &Sort) -> Sort {
        let mut sort = sort;
        for _ in 0..self.surface.sorts.len() {
            let Sort::Named(name) = sort else { break };
            match self.definition(name) {
                Some(SortDefinition::Alias(other)) => sort = other,
                _ => break,
            }
        }
        sort.clone()
    }

    fn definition(&self, name: &str) -> Option<&'a SortDefinition> {
        let declaration = self.surface.sorts.iter().find(|sort| sort.name == name);
        declaration.map(|declaration| &declaration.definition)
    }

    /// Whether it is not known which values a sort has beside those that occur.
    pub fn is_undeclared(&self, variable: DataVarId) -> bool {
        match self.resolved(&self.surface.variables[variable].sort) {
            Sort::Named(name) => self.definition(&name).is_none(),
            Sort::Other(_, is_infinite) => !is_infinite,
            Sort::Bool | Sort::Pos | Sort::Nat | Sort::Int => false,
        }
    }

    /// The values of each variable; `None` if there are too many. Where a sort is undeclared, those that occur in no
    /// action are among them if asked for.
    pub fn domains(&self, with_others: bool) -> Domains {
        let domain = |variable: &super::DataVariable| {
            let sort = self.resolved(&variable.sort);
            self.values_of(&sort, with_others).map(Rc::from)
        };
        self.surface.variables.values().map(domain).collect()
    }

    fn values_of(&self, sort: &Sort, with_others: bool) -> Option<Vec<Value>> {
        if let Some(all) = self.enumerated(sort, &mut Vec::new()) {
            return Some(all);
        }
        let is_infinite = match sort {
            Sort::Named(name) => self.definition(name).is_some(),
            Sort::Other(_, is_infinite) => *is_infinite,
            Sort::Bool | Sort::Pos | Sort::Nat | Sort::Int => return None,
        };
        let mut values: Vec<Value> = self.values.get(sort).into_iter().flatten().cloned().collect();
        if is_infinite || with_others {
            let count = self.variables.get(sort).copied().unwrap_or(1);
            values.extend((0..count).map(Value::Other));
        }
        (values.len() <= MAX_VALUES).then_some(values)
    }

    /// All values of a sort that has few.
    fn enumerated(&self, sort: &Sort, around: &mut Vec<String>) -> Option<Vec<Value>> {
        match self.resolved(sort) {
            Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::Pos => self.numbers(1),
            Sort::Nat => self.numbers(0),
            Sort::Int => self.numbers(i64::MIN),
            Sort::Other(..) => None,
            Sort::Named(name) => {
                let Some(SortDefinition::Constructors(constructors)) = self.definition(&name)
                else {
                    return None;
                };
                if around.contains(&name) {
                    return None;
                }
                around.push(name);
                let mut all = Vec::new();
                for constructor in constructors {
                    all.extend(self.constructed(constructor, around)?);
                    if all.len() > MAX_VALUES {
                        return None;
                    }
                }
                around.pop();
                Some(all)
            }
        }
    }

    fn constructed(
        &self,
        constructor: &Constructor,
        around: &mut Vec<String>,
    ) -> Option<Vec<Value>> {
        let mut tuples = vec![Vec::new()];
        for (_, sort) in &constructor.fields {
            let values = self.enumerated(sort, around)?;
            if tuples.len() * values.len() > MAX_VALUES {
                return None;
            }
            let extended = |tuple: &Vec<Value>| {
                let tuple = tuple.clone();
                values.clone().into_iter().map(move |value| [&tuple[..], &[value]].concat())
            };
            tuples = tuples.iter().flat_map(extended).collect();
        }
        let made = |arguments| Value::Term(constructor.name.clone(), arguments);
        Some(tuples.into_iter().map(made).collect())
    }

    pub fn known_numbers(&self) -> KnownNumbers {
        let bounds = self.numbers.first().zip(self.numbers.last());
        let width = bounds.and_then(|(first, last)| last.checked_sub(*first));
        let width = width.and_then(|width| width.checked_add(self.slack.checked_mul(2)?));
        let has_all_between = width.is_some_and(|width| width <= MAX_RANGE);
        KnownNumbers { occurring: self.numbers.clone(), has_all_between }
    }

    /// The numbers from the least one on.
    fn numbers(&self, least: i64) -> Option<Vec<Value>> {
        let (first, last) = (*self.numbers.first()?, *self.numbers.last()?);
        if self.slack > MAX_RANGE || self.has_large_numbers {
            return None;
        }
        let bottom = least.max(first.checked_sub(self.slack)?);
        let top = last.checked_add(self.slack)?;
        let number = |value: i64, is_generic| Value::Number(Number { value, is_generic });
        if top.checked_sub(bottom)? <= MAX_RANGE {
            let is_beyond = |value: i64| value > last || value < first;
            return Some((bottom..=top).map(|value| number(value, is_beyond(value))).collect());
        }
        let around = |&known: &i64| {
            let (low, high) = (known.saturating_sub(self.slack), known.saturating_add(self.slack));
            low.max(bottom)..=high.min(top)
        };
        let near: BTreeSet<i64> = self.numbers.iter().flat_map(around).collect();
        let value = |value: i64| number(value, !self.numbers.contains(&value));
        (near.len() <= MAX_VALUES).then(|| near.into_iter().map(value).collect())
    }

    pub fn functions(&self, labels: &Labels) -> Functions {
        let occurring = labels.actions.iter().flatten().flat_map(|(_, values)| values);
        Functions::new(&self.surface.sorts, occurring)
    }
}

fn note_numbers(value: &Value, numbers: &mut BTreeSet<i64>) {
    match value {
        Value::Number(number) => {
            numbers.insert(number.value);
        }
        Value::Term(_, values) | Value::List(values) | Value::Set(values) => {
            values.iter().for_each(|value| note_numbers(value, numbers));
        }
        Value::Bool(_) | Value::Other(_) => {}
    }
}
