//! Formulas with data against their semantics by definition: quantifiers go through domains that are larger than what
//! occurs, and a fixpoint with a parameter is a vector of sets of states, by iteration.

use logic::{Family, Logic, Signature, Truth, compile};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use std::collections::BTreeMap;
use std::fmt;
use support::FileId;
use testkit::reference::evaluate;
use testkit::{Rng, for_seeds};

/// Numbers up to here stand for all: terms speak of smaller ones and shift them by little.
const NUMBERS: i64 = 11;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Value {
    Number(i64),
    Bool(bool),
    /// Of the sort `D`.
    Item(u32),
}

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Nat,
    Bool,
    D,
}

#[derive(Clone)]
enum Term {
    Value(Value),
    Var(String),
    Next(Box<Term>),
    /// `if(t < 2, t + 1, 0)`
    Turn(Box<Term>),
}

#[derive(Clone)]
enum Condition {
    Less(Term, Term),
    Equal(Term, Term),
    Not(Box<Condition>),
}

#[derive(Clone)]
enum Actions {
    Any,
    One(&'static str, Vec<Term>),
    Not(Box<Actions>),
    Or(Box<Actions>, Box<Actions>),
    If(Condition, Box<Actions>),
    ForValues(bool, String, Sort, Box<Actions>),
}

#[derive(Clone)]
enum Steps {
    Once(Actions),
    Seq(Box<Steps>, Box<Steps>),
    Alt(Box<Steps>, Box<Steps>),
    Star(Box<Steps>),
}

#[derive(Clone)]
enum Formula {
    Const(bool),
    Val(Condition),
    Not(Box<Formula>),
    Join(bool, Box<Formula>, Box<Formula>),
    Implies(Condition, Box<Formula>),
    Modal(bool, Steps, Box<Formula>),
    ForValues(bool, String, Sort, Box<Formula>),
    Fix(bool, String, Option<(String, Term)>, Box<Formula>),
    Call(String, Option<Term>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(value) => write!(f, "{value}"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Item(value) => write!(f, "d{value}"),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Nat => "Nat",
            Sort::Bool => "Bool",
            Sort::D => "D",
        })
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Value(value) => value.fmt(f),
            Term::Var(name) => f.write_str(name),
            Term::Next(term) => write!(f, "{term} + 1"),
            Term::Turn(term) => write!(f, "if({term} < 2, {term} + 1, 0)"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Less(a, b) => write!(f, "{a} < {b}"),
            Condition::Equal(a, b) => write!(f, "{a} == {b}"),
            Condition::Not(inner) => write!(f, "!({inner})"),
        }
    }
}

impl fmt::Display for Actions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actions::Any => f.write_str("true"),
            Actions::One(name, terms) if terms.is_empty() => f.write_str(name),
            Actions::One(name, terms) => {
                let terms: Vec<String> = terms.iter().map(Term::to_string).collect();
                write!(f, "{name}({})", terms.join(", "))
            }
            Actions::Not(inner) => write!(f, "!({inner})"),
            Actions::Or(a, b) => write!(f, "(({a}) || {b})"),
            Actions::If(condition, inner) => write!(f, "(val({condition}) && ({inner}))"),
            Actions::ForValues(all, name, sort, inner) => {
                write!(f, "({} {name}: {sort} . {inner})", quantifier(*all))
            }
        }
    }
}

fn quantifier(all: bool) -> &'static str {
    if all { "forall" } else { "exists" }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Steps::Once(actions) => actions.fmt(f),
            Steps::Seq(a, b) => write!(f, "({a}).({b})"),
            Steps::Alt(a, b) => write!(f, "(({a}) + ({b}))"),
            Steps::Star(inner) => write!(f, "({inner})*"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Const(value) => value.fmt(f),
            Formula::Val(condition) => write!(f, "val({condition})"),
            Formula::Not(inner) => write!(f, "!({inner})"),
            Formula::Join(true, a, b) => write!(f, "({a} && {b})"),
            Formula::Join(false, a, b) => write!(f, "({a} || {b})"),
            Formula::Implies(condition, inner) => write!(f, "(val({condition}) => {inner})"),
            Formula::Modal(true, steps, inner) => write!(f, "[{steps}] {inner}"),
            Formula::Modal(false, steps, inner) => write!(f, "<{steps}> {inner}"),
            Formula::ForValues(all, name, sort, inner) => {
                write!(f, "({} {name}: {sort} . {inner})", quantifier(*all))
            }
            Formula::Fix(greatest, name, parameter, inner) => {
                let kind = if *greatest { "nu" } else { "mu" };
                match parameter {
                    Some((own, term)) => {
                        write!(f, "({kind} {name}({own}: Nat = {term}) . {inner})")
                    }
                    None => write!(f, "({kind} {name} . {inner})"),
                }
            }
            Formula::Call(name, Some(term)) => write!(f, "{name}({term})"),
            Formula::Call(name, None) => f.write_str(name),
        }
    }
}

struct Generator<'r> {
    rng: &'r mut Rng,
    variables: Vec<(String, Sort)>,
    fixpoints: Vec<(String, bool)>,
    names: usize,
}

impl Generator<'_> {
    fn name(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn variable(&mut self, sort: Sort) -> Option<Term> {
        let own = self.variables.iter().filter(|(_, other)| *other == sort);
        let names: Vec<&String> = own.map(|(name, _)| name).collect();
        let wanted = !names.is_empty() && self.rng.chance(0.8);
        wanted.then(|| Term::Var((*self.rng.pick(&names)).clone()))
    }

    fn term(&mut self, sort: Sort) -> Term {
        let variable = self.variable(sort);
        match (variable, sort) {
            (Some(term), Sort::Nat) if self.rng.chance(0.2) => Term::Next(Box::new(term)),
            (Some(term), _) => term,
            (None, Sort::Nat) => Term::Value(Value::Number(self.rng.below(4) as i64)),
            (None, Sort::Bool) => Term::Value(Value::Bool(self.rng.chance(0.5))),
            (None, Sort::D) => Term::Value(Value::Item(self.rng.below(3) as u32)),
        }
    }

    fn sort(&mut self) -> Sort {
        *self.rng.pick(&[Sort::Nat, Sort::Nat, Sort::D, Sort::D, Sort::Bool])
    }

    fn condition(&mut self) -> Condition {
        let made = match self.rng.below(3) {
            0 => Condition::Less(self.term(Sort::Nat), self.term(Sort::Nat)),
            1 => Condition::Equal(self.term(Sort::Nat), self.term(Sort::Nat)),
            _ => {
                let sort = self.sort();
                Condition::Equal(self.term(sort), self.term(sort))
            }
        };
        if self.rng.chance(0.2) { Condition::Not(Box::new(made)) } else { made }
    }

    fn actions(&mut self, size: usize) -> Actions {
        match self.rng.below(if size == 0 { 6 } else { 12 }) {
            0 => Actions::Any,
            1 => Actions::One("e", Vec::new()),
            2 | 3 => Actions::One("a", vec![self.term(Sort::Nat)]),
            4 => Actions::One("b", vec![self.term(Sort::Nat), self.term(Sort::Bool)]),
            5 => Actions::One("s", vec![self.term(Sort::D)]),
            6 | 7 => Actions::Not(Box::new(self.actions(size - 1))),
            8 => Actions::Or(Box::new(self.actions(size / 2)), Box::new(self.actions(size / 2))),
            9 => Actions::If(self.condition(), Box::new(self.actions(size - 1))),
            _ => {
                let (all, sort, name) = (self.rng.chance(0.2), self.sort(), self.name("v"));
                self.variables.push((name.clone(), sort));
                let inner = self.actions(size - 1);
                self.variables.pop();
                Actions::ForValues(all, name, sort, Box::new(inner))
            }
        }
    }

    fn steps(&mut self, size: usize) -> Steps {
        match self.rng.below(if size == 0 { 3 } else { 6 }) {
            0..=2 => Steps::Once(self.actions(size.min(2))),
            3 => Steps::Seq(Box::new(self.steps(size / 2)), Box::new(self.steps(size / 2))),
            4 => Steps::Alt(Box::new(self.steps(size / 2)), Box::new(self.steps(size / 2))),
            _ => Steps::Star(Box::new(self.steps(size / 2))),
        }
    }

    fn formula(&mut self, size: usize) -> Formula {
        if size == 0 {
            let calls = !self.fixpoints.is_empty() && self.rng.chance(0.7);
            return match self.rng.below(4) {
                _ if calls => {
                    let (name, has_parameter) = self.rng.pick(&self.fixpoints).clone();
                    let term = has_parameter.then(|| self.argument());
                    Formula::Call(name, term)
                }
                0 => Formula::Const(self.rng.chance(0.5)),
                1 => Formula::Val(self.condition()),
                _ => {
                    let body = Formula::Const(self.rng.chance(0.5));
                    Formula::Modal(self.rng.chance(0.5), self.steps(1), Box::new(body))
                }
            };
        }
        match self.rng.below(10) {
            0 if self.fixpoints.is_empty() => Formula::Not(Box::new(self.formula(size - 1))),
            0 | 1 => {
                let (a, b) = (self.formula(size / 2), self.formula(size / 2));
                Formula::Join(self.rng.chance(0.5), Box::new(a), Box::new(b))
            }
            2 => Formula::Implies(self.condition(), Box::new(self.formula(size - 1))),
            3 | 4 => {
                let steps = self.steps(2);
                Formula::Modal(self.rng.chance(0.5), steps, Box::new(self.formula(size - 1)))
            }
            5..=7 => {
                let (sort, name) = (self.sort(), self.name("v"));
                self.variables.push((name.clone(), sort));
                let inner = self.formula(size - 1);
                self.variables.pop();
                Formula::ForValues(self.rng.chance(0.5), name, sort, Box::new(inner))
            }
            _ => {
                let (name, own) = (self.name("X"), self.name("v"));
                let parameter = self.rng.chance(0.6).then(|| (own.clone(), self.term(Sort::Nat)));
                let has_parameter = parameter.is_some();
                self.fixpoints.push((name.clone(), has_parameter));
                if has_parameter {
                    self.variables.push((own, Sort::Nat));
                }
                let steps = self.steps(1);
                let inner = self.formula(size - 1);
                let (greatest, all) = (self.rng.chance(0.5), self.rng.chance(0.5));
                let again = Formula::Call(name.clone(), has_parameter.then(|| self.argument()));
                let again = Formula::Modal(all, steps, Box::new(again));
                let body = Formula::Join(self.rng.chance(0.5), Box::new(inner), Box::new(again));
                if has_parameter {
                    self.variables.pop();
                }
                self.fixpoints.pop();
                Formula::Fix(greatest, name, parameter, Box::new(body))
            }
        }
    }

    fn argument(&mut self) -> Term {
        match self.variable(Sort::Nat) {
            Some(term) if self.rng.chance(0.7) => Term::Turn(Box::new(term)),
            Some(term) => term,
            None => Term::Value(Value::Number(self.rng.below(3) as i64)),
        }
    }
}

type Label = (&'static str, Vec<Value>);

struct System {
    states: usize,
    edges: Vec<(usize, Label, usize)>,
}

impl System {
    fn random(rng: &mut Rng) -> Self {
        let states = rng.between(1, 4);
        let edge = |rng: &mut Rng| {
            let number = Value::Number(rng.below(3) as i64);
            let label = match rng.below(5) {
                0 => ("e", vec![]),
                1 | 2 => ("a", vec![number]),
                3 => ("b", vec![number, Value::Bool(rng.chance(0.5))]),
                _ => ("s", vec![Value::Item(rng.below(3) as u32)]),
            };
            (rng.below(states), label, rng.below(states))
        };
        let count = rng.between(1, 3 * states);
        Self { states, edges: (0..count).map(|_| edge(rng)).collect() }
    }

    fn model(&self) -> PartialModel {
        let mut builder = ModelBuilder::new(Kind::Lts, "random");
        (0..self.states).for_each(|state| _ = builder.state(format!("s{state}")));
        for (source, (name, values), target) in &self.edges {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            let label = match values.is_empty() {
                true => (*name).to_owned(),
                false => format!("{name}({})", values.join(",")),
            };
            let action = Some(builder.action(&label));
            builder.edge(*source as u32, action, Mode::BOTH, *target as u32);
        }
        builder.init(0);
        builder.finish()
    }
}

/// The semantics, with so many values of the sort `D`.
struct Semantics<'s> {
    system: &'s System,
    items: u32,
    variables: BTreeMap<String, Value>,
    /// By variable of a fixpoint: the value of its parameter, and the states.
    fixpoints: BTreeMap<String, BTreeMap<Option<Value>, Vec<bool>>>,
}

impl Semantics<'_> {
    fn domain(&self, sort: Sort) -> Vec<Value> {
        match sort {
            Sort::Nat => (0..=NUMBERS).map(Value::Number).collect(),
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::D => (0..self.items).map(Value::Item).collect(),
        }
    }

    fn term(&self, term: &Term) -> Value {
        match term {
            Term::Value(value) => *value,
            Term::Var(name) => self.variables[name],
            Term::Next(term) => match self.term(term) {
                Value::Number(value) => Value::Number(value + 1),
                other => other,
            },
            Term::Turn(term) => match self.term(term) {
                Value::Number(value) if value < 2 => Value::Number(value + 1),
                _ => Value::Number(0),
            },
        }
    }

    /// The value of a parameter: numbers beyond the largest stand for the same.
    fn parameter(&self, term: &Term) -> Value {
        match self.term(term) {
            Value::Number(value) => Value::Number(value.min(NUMBERS)),
            other => other,
        }
    }

    fn condition(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Less(a, b) => self.term(a) < self.term(b),
            Condition::Equal(a, b) => self.term(a) == self.term(b),
            Condition::Not(inner) => !self.condition(inner),
        }
    }

    fn has(&mut self, actions: &Actions, label: &Label) -> bool {
        match actions {
            Actions::Any => true,
            Actions::One(name, terms) => {
                let values = terms.iter().map(|term| self.term(term));
                *name == label.0 && values.collect::<Vec<_>>() == label.1
            }
            Actions::Not(inner) => !self.has(inner, label),
            Actions::Or(a, b) => self.has(a, label) || self.has(b, label),
            Actions::If(condition, inner) => self.condition(condition) && self.has(inner, label),
            Actions::ForValues(all, name, sort, inner) => {
                let domain = self.domain(*sort);
                let found = domain.into_iter().any(|value| {
                    self.variables.insert(name.clone(), value);
                    self.has(inner, label) != *all
                });
                self.variables.remove(name);
                found != *all
            }
        }
    }

    /// The states from which `steps` lead to a state of the set (one of them, or only to such).
    fn modal(&mut self, all: bool, steps: &Steps, set: Vec<bool>) -> Vec<bool> {
        match steps {
            Steps::Once(actions) => {
                let mut result = vec![all; self.system.states];
                for (source, label, target) in &self.system.edges {
                    if set[*target] != all && self.has(actions, label) {
                        result[*source] = !all;
                    }
                }
                result
            }
            Steps::Seq(a, b) => {
                let rest = self.modal(all, b, set);
                self.modal(all, a, rest)
            }
            Steps::Alt(a, b) => {
                let (a, b) = (self.modal(all, a, set.clone()), self.modal(all, b, set));
                join(all, &a, &b)
            }
            Steps::Star(inner) => {
                let mut result = set.clone();
                loop {
                    let step = self.modal(all, inner, result.clone());
                    let next = join(all, &set, &step);
                    if next == result {
                        return result;
                    }
                    result = next;
                }
            }
        }
    }

    fn states(&mut self, formula: &Formula) -> Vec<bool> {
        let states = self.system.states;
        match formula {
            Formula::Const(value) => vec![*value; states],
            Formula::Val(condition) => vec![self.condition(condition); states],
            Formula::Not(inner) => self.states(inner).into_iter().map(|holds| !holds).collect(),
            Formula::Join(all, a, b) => {
                let (a, b) = (self.states(a), self.states(b));
                join(*all, &a, &b)
            }
            Formula::Implies(condition, inner) => match self.condition(condition) {
                true => self.states(inner),
                false => vec![true; states],
            },
            Formula::Modal(all, steps, inner) => {
                let set = self.states(inner);
                self.modal(*all, steps, set)
            }
            Formula::ForValues(all, name, sort, inner) => {
                let mut result = vec![*all; states];
                for value in self.domain(*sort) {
                    self.variables.insert(name.clone(), value);
                    result = join(*all, &result, &self.states(inner));
                }
                self.variables.remove(name);
                result
            }
            Formula::Fix(greatest, name, parameter, inner) => {
                let initial = parameter.as_ref().map(|(_, term)| self.parameter(term));
                let domain: Vec<Option<Value>> = match parameter {
                    Some(_) => (0..=NUMBERS).map(|value| Some(Value::Number(value))).collect(),
                    None => vec![None],
                };
                let start = domain.iter().map(|value| (*value, vec![*greatest; states])).collect();
                let outer = self.fixpoints.insert(name.clone(), start);
                loop {
                    let mut next = BTreeMap::new();
                    for value in &domain {
                        if let (Some((own, _)), Some(value)) = (parameter, value) {
                            self.variables.insert(own.clone(), *value);
                        }
                        next.insert(*value, self.states(inner));
                    }
                    if next == self.fixpoints[name] {
                        break;
                    }
                    self.fixpoints.insert(name.clone(), next);
                }
                if let Some((own, _)) = parameter {
                    self.variables.remove(own);
                }
                let found = self.fixpoints.remove(name).expect("inserted above");
                self.fixpoints.extend(outer.map(|outer| (name.clone(), outer)));
                found[&initial].clone()
            }
            Formula::Call(name, term) => {
                let value = term.as_ref().map(|term| self.parameter(term));
                self.fixpoints[name][&value].clone()
            }
        }
    }
}

fn join(all: bool, a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| if all { *a && *b } else { *a || *b }).collect()
}

fn agree(name: &str, seeds: std::ops::Range<u64>) {
    let (count, refused) = (seeds.end - seeds.start, std::cell::Cell::new(0));
    for_seeds(name, seeds, |rng, case| {
        let system = System::random(rng);
        let size = rng.between(1, 5);
        let mut generator =
            Generator { rng, variables: Vec::new(), fixpoints: Vec::new(), names: 0 };
        let formula = generator.formula(size);
        let is_declared = rng.chance(0.5);
        let sort = if is_declared { "sort D = struct d0 | d1 | d2; form " } else { "" };
        let text = format!("{sort}{formula}");
        case.note(format!("{:?}", system.edges));
        case.note(&text);
        let surface =
            front::parse_formula(Logic::Mcf, FileId(0), &text.as_str().into(), 0..text.len())
                .map_err(|errors| format!("not read: {errors:?}"))?;
        let model = system.model();
        let mut actions: Vec<String> = model.actions().names().map(str::to_owned).collect();
        actions.sort();
        let signature =
            Signature { family: Family::Actions, props: model.props(), actions: &actions };
        let compiled = match compile(&surface, &signature, &mut Vec::new()) {
            Ok(compiled) => compiled,
            Err(_) => {
                refused.set(refused.get() + 1);
                return Ok(());
            }
        };
        let found = evaluate(&model, &compiled).truth(compiled.root(), 0);
        for items in if is_declared { 3..=3 } else { 3..=6 } {
            let (variables, fixpoints) = Default::default();
            let mut semantics = Semantics { system: &system, items, variables, fixpoints };
            let expected = semantics.states(&formula)[0];
            if found != Some(Truth::from(expected)) {
                return Err(format!("{found:?}, and {expected} with {items} values of `D`"));
            }
        }
        Ok(())
    });
    // Undeclared sorts that matter, and constants that occur nowhere.
    println!("{} of {count} refused", refused.get());
    assert!(refused.get() * 3 < count, "{} of {count} refused", refused.get());
}

/// The verdict on a system with one state and these labels, or the message of the first error.
fn verdict(labels: &[&str], text: &str) -> Result<bool, String> {
    let mut builder = ModelBuilder::new(Kind::Lts, "one");
    builder.state("s");
    builder.init(0);
    for label in labels {
        let action = Some(builder.action(label));
        builder.edge(0, action, Mode::BOTH, 0);
    }
    let model = builder.finish();
    let surface = front::parse_formula(Logic::Mcf, FileId(0), &text.into(), 0..text.len());
    let surface = surface.map_err(|errors| errors[0].message.clone())?;
    let mut actions: Vec<String> = model.actions().names().map(str::to_owned).collect();
    actions.sort();
    let signature = Signature { family: Family::Actions, props: model.props(), actions: &actions };
    let compiled = compile(&surface, &signature, &mut Vec::new());
    let compiled = compiled.map_err(|errors| errors[0].message.clone())?;
    let truth = evaluate(&model, &compiled).truth(compiled.root(), 0);
    Ok(truth == Some(Truth::True))
}

#[test]
fn labels_of_mcrl2() {
    let labels = ["a(1, d1)|b", "tau", "c(p(d1,true))", "l([1, 2])", "x(-3)", "z"];
    for (text, expected) in [
        ("<b|a(1, d1)> true", true),
        ("<exists n: Nat, d: D. a(n, d)|b> true", true),
        ("exists n: Nat. <a(n, d1)> true", false),
        ("<exists d: D, b: Bool. val(b) && c(p(d, b))> true", true),
        ("<exists l: List(Nat). l(l)> true && val(#[1, 2] == 2 && head([1, 2]) == 1)", true),
        ("<l([1] ++ [2])> true", true),
        ("<exists n: Int. val(n + 1 < 0) && x(n)> true", true),
        ("<exists n: Nat. x(n)> true", false),
        ("<!(z || i || tau || exists n: Int. x(n))> true", true),
        (
            "[!(z || i || l([1,2]) || a(1,d1)|b || c(p(d1,true)) || exists n: Int. x(n))] false",
            true,
        ),
        ("<i> true && <tau> true", true),
        (
            "sort D = struct d1?is_1 | d2; form forall d: D. val(is_1(d)) || [exists b: Bool. c(p(d,b))] false;",
            true,
        ),
        ("cons d1, d2: D; form exists d: D. [exists b: Bool. c(p(d,b))] false", true),
        ("val(7 div 2 == 3 && 7 mod 2 == 1 && max(1, 2) == 2 && 2 in {1, 2} && !(3 in [1]))", true),
        ("val(forall n: Nat. n < 3 || n >= 3)", true),
        ("nu X(n: Nat = 0). val(n < 100) && (val(n == 99) || [z] X(n + 1))", true),
        (
            "mu X(n: Nat = 0, b: Bool = false). val(b && n == 3) || <z> X(if(b, n, n + 1), n >= 2)",
            true,
        ),
        ("val(true && 1 + 2 * 3 == 7 => false)", false),
        ("forall n: Nat. val(n < 2) => exists m: Nat. val(m == n * n)", true),
    ] {
        assert_eq!(verdict(&labels, text), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_refused() {
    for (text, message) in [
        ("forall d: D. <s(d)> true", "which values `d` has makes a difference here"),
        (
            "val(exists d: D. d != d1 && d != d2)",
            "which values the sort has makes a difference here",
        ),
        (
            "sort D = struct q(l: D, n: Nat) | e; form exists d: D. val(d != e)",
            "which values the sort has makes a difference here",
        ),
        ("val(f(1))", "`f` has no meaning here"),
        ("val(d9 == d1)", "`d9` has no meaning here"),
        ("val(1)", "this is no truth value"),
        ("forall n: Nat. val(n * n != 2)", "a variable goes through infinitely many numbers here"),
        (
            "exists n, m: Nat. val(n - m == 50)",
            "a variable goes through infinitely many numbers here",
        ),
        (
            "forall n: Nat. mu X(m: Nat = n). val(m < 9) || [s(d1)] X(m - 1)",
            "a variable goes through infinitely many numbers here",
        ),
        ("exists n: Int. val(-n > 9)", "a variable goes through infinitely many numbers here"),
        ("nu X(n: Nat = 0). [true] X(n + 1)", "the formula is too large"),
        ("val(1 + true == 2)", "operands of the wrong sorts"),
        ("val(head([]) == 1)", "`head` of an empty list"),
        ("val(1 div 0 == 1)", "division by a number that is not positive"),
        ("exists n: Nat. X", "unknown name `X`"),
        ("mu X(n: Nat = 0). !X(n)", "the variable `X` occurs under a negation"),
    ] {
        assert_eq!(verdict(&["s(d1)", "s(d2)"], text), Err(message.to_owned()), "{text}");
    }
}

/// Formulas that tell values apart which one stands for, with their meaning: an error, or the right verdict.
#[test]
fn no_verdict_is_about_representatives_only() {
    let trees = "sort T = struct leaf | node(left: T, right: T); form ";
    let labels = [
        "n(5)",
        "n(9)",
        "a(node(leaf,node(leaf,leaf)))",
        "b(node(node(leaf,leaf),leaf))",
        "s({leaf})",
    ];
    for (text, holds) in [
        ("exists n: Nat. forall m: Nat. val(m <= n)", false),
        ("forall n: Nat. exists m: Nat. val(m > n)", true),
        ("forall n: Nat. exists m: Nat. val(m == n + 1)", true),
        ("exists n: Nat. val(n == 10 * 10)", true),
        ("exists n: Nat. val(n == exp(2, 10))", true),
        ("exists i: Int. val(i == -5)", true),
        ("exists i: Int. val(i < -50)", true),
        ("forall n: Nat. val(n <= 10) => exists m: Nat. val(m == n + n)", true),
        ("forall n: Nat. [n(n)] exists m: Nat. val(m == n * 2)", true),
        ("exists t: T. val(t == node(leaf, leaf))", true),
        ("forall t: T. val(t != leaf)", false),
        ("exists l: List(Nat). val(l == [7])", true),
        ("forall t: T. [a(t)] exists u: T. val(u == right(t))", true),
        ("forall t: T. [s({t})] false", false),
        ("<a(node(leaf, node(leaf, leaf)))> (exists t: T. <s({t})> true)", true),
    ] {
        let text = format!("{trees}{text}");
        if let Ok(found) = verdict(&labels, &text) {
            assert_eq!(found, holds, "{text}");
        }
    }
    let large = ["a(99999999999999999999)"];
    assert!(verdict(&large, "forall n: Nat. [a(n)] val(n < 10)") != Ok(true));
    assert!(verdict(&large, "exists n: Nat. <a(n)> true") != Ok(false));
    assert!(verdict(&["d(d1)", "l([d2])"], "exists d: D. val(d == d2)") != Ok(false));
}

#[test]
fn data_means_what_it_means_by_definition() {
    agree("data", 0..400);
}

/// `cargo test --release -p tertium-testkit --test data -- --ignored`
#[test]
#[ignore = "long"]
fn many_formulas_mean_what_they_mean_by_definition() {
    agree("data", 400..20_000);
}
