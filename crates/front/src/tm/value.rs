//! Values of parameters and variables, and terms evaluated over them.

use super::term::{Binder, Domain, DomainKind, Operator, Term, TermKind};
use std::borrow::{Borrow, Cow};
use std::fmt::{self, Display, Formatter};
use support::{Diagnostic, Span};

/// The most values of a range, and the most combinations of the values of names that are bound together.
const MOST_VALUES: u64 = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value<'a> {
    Number(i64),
    Bool(bool),
    Word(&'a str),
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Bool(value) => value.fmt(f),
            Value::Word(word) => word.fmt(f),
        }
    }
}

impl Value<'_> {
    /// As a part of a name.
    pub fn in_name(self) -> String {
        match self {
            Value::Bool(value) => u8::from(value).to_string(),
            value => value.to_string(),
        }
    }

    fn sort(self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Bool(_) => "true or false",
            Value::Word(_) => "a word",
        }
    }
}

/// The values of a domain, in order.
#[derive(Clone, Debug)]
pub(crate) enum Values<'a> {
    Range(i64, i64),
    Bool,
    Words(Vec<&'a str>),
}

impl<'a> Values<'a> {
    pub fn count(&self) -> u64 {
        match self {
            Values::Range(least, most) => most.abs_diff(*least).saturating_add(1),
            Values::Bool => 2,
            Values::Words(words) => words.len() as u64,
        }
    }

    pub fn at(&self, position: u32) -> Value<'a> {
        match self {
            Values::Range(least, _) => Value::Number(least + i64::from(position)),
            Values::Bool => Value::Bool(position == 1),
            Values::Words(words) => Value::Word(words[position as usize]),
        }
    }

    pub fn position(&self, value: Value) -> Option<u32> {
        match (self, value) {
            (Values::Range(least, most), Value::Number(number)) => {
                (*least..=*most).contains(&number).then(|| (number - least) as u32)
            }
            (Values::Bool, Value::Bool(value)) => Some(u32::from(value)),
            (Values::Words(words), Value::Word(word)) => {
                words.iter().position(|other| *other == word).map(|at| at as u32)
            }
            _ => None,
        }
    }
}

impl Display for Values<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Values::Range(least, most) => write!(f, "{least}..{most}"),
            Values::Bool => f.write_str("true and false"),
            Values::Words(words) => f.write_str(&words.join(", ")),
        }
    }
}

/// The names that have values where a term is evaluated; later ones hide earlier ones.
#[derive(Clone, Default)]
pub(crate) struct Scope<'a> {
    pub names: Vec<(Cow<'a, str>, Value<'a>)>,
    /// The words of all domains so far.
    pub words: Vec<&'a str>,
    /// So many of the names are constants of the file.
    pub constants: usize,
}

impl<'a> Scope<'a> {
    fn get(&self, name: &str) -> Option<Value<'a>> {
        let of_name = self.names.iter().rev().find(|(other, _)| other == name);
        of_name.map(|(_, value)| *value)
    }

    pub fn learn(&mut self, words: &[&'a str]) {
        for word in words {
            if !self.words.contains(word) {
                self.words.push(word);
            }
        }
    }

    /// The values of a domain, whose words are known from now on.
    pub fn values(&mut self, domain: &Domain<'a>) -> Result<Values<'a>, Box<Diagnostic>> {
        let (least, most) = match &domain.kind {
            DomainKind::Bool => return Ok(Values::Bool),
            DomainKind::Words(words) => {
                self.learn(words);
                return Ok(Values::Words(words.clone()));
            }
            DomainKind::Range(least, most) => (self.number(least)?, self.number(most)?),
        };
        let error = |message: String, label: &str, help: &str| {
            Box::new(Diagnostic::error(message, domain.span, label).with_help(help))
        };
        if least > most {
            let message = format!("the range {least}..{most} is empty");
            return Err(error(message, "no value is in it", "write the smaller number first"));
        }
        if least < 0 {
            let message = format!("a range that begins at {least}");
            let help = "values stand in names, such as `s.3`: add a number to all of them";
            return Err(error(message, "values are at least 0", help));
        }
        let values = Values::Range(least, most);
        if values.count() > MOST_VALUES {
            let message = format!("the range {least}..{most} has more than {MOST_VALUES} values");
            return Err(error(message, "too many", "make it smaller"));
        }
        Ok(values)
    }

    /// All values of some bound names, in order; a later domain may depend on an earlier name.
    pub fn assignments(
        &mut self,
        binders: &[impl Borrow<Binder<'a>>],
    ) -> Result<Vec<Vec<Value<'a>>>, Box<Diagnostic>> {
        let start = self.names.len();
        let mut rows = vec![Vec::new()];
        for (place, binder) in binders.iter().enumerate() {
            let mut longer = Vec::new();
            for row in &rows {
                self.bind(&binders[..place], row);
                let values = self.values(&binder.borrow().domain);
                self.names.truncate(start);
                let values = values?;
                if longer.len() as u64 + values.count() > MOST_VALUES {
                    let message = format!("more than {MOST_VALUES} combinations of values");
                    let error = Diagnostic::error(message, binder.borrow().domain.span, "too many")
                        .with_help("make the ranges smaller");
                    return Err(Box::new(error));
                }
                let with = |value| row.iter().copied().chain([value]).collect();
                longer.extend((0..values.count() as u32).map(|at| with(values.at(at))));
            }
            rows = longer;
        }
        Ok(rows)
    }

    /// Gives the names these values, until the names are cut off again.
    pub fn bind(&mut self, binders: &[impl Borrow<Binder<'a>>], values: &[Value<'a>]) {
        let pairs = binders.iter().zip(values);
        self.names
            .extend(pairs.map(|(binder, value)| (Cow::Borrowed(binder.borrow().name), *value)));
    }

    pub fn evaluate(&self, term: &Term<'a>) -> Result<Value<'a>, Box<Diagnostic>> {
        match &term.kind {
            TermKind::Value(value) => Ok(*value),
            TermKind::Name(name, indices) => self.named(name, indices, term.span),
            TermKind::Not(inner) => Ok(Value::Bool(!self.condition(inner)?)),
            TermKind::Minus(inner) => {
                let negated = self.number(inner)?.checked_neg();
                negated.map(Value::Number).ok_or_else(|| too_large(term.span))
            }
            TermKind::Infix(first, rest) => {
                let mut left = self.evaluate(first)?;
                let mut span = first.span;
                for (operator, right) in rest {
                    left = self.apply(*operator, (left, span), right)?;
                    span = span.to(right.span);
                }
                Ok(left)
            }
        }
    }

    fn named(
        &self,
        name: &'a str,
        indices: &[Term<'a>],
        span: Span,
    ) -> Result<Value<'a>, Box<Diagnostic>> {
        let mut whole = Cow::Borrowed(name);
        for index in indices {
            whole = format!("{whole}.{}", self.index(index)?).into();
        }
        if let Some(value) = self.get(&whole) {
            return Ok(value);
        }
        if let Some(word) = self.words.iter().find(|word| **word == whole) {
            return Ok(Value::Word(word));
        }
        let known = self.names.iter().map(|(name, _)| &**name).chain(self.words.iter().copied());
        let message = format!("unknown name `{whole}` in a term");
        let error = Diagnostic::error(message, span, "no variable, parameter or constant")
            .with_help(
                "declare it: `var x : 0..3 := 0;` in the component, `const N = 4;` before it",
            )
            .with_nearest(&whole, known);
        Err(Box::new(error))
    }

    /// The value as a part of a name.
    pub fn index(&self, term: &Term<'a>) -> Result<String, Box<Diagnostic>> {
        match self.evaluate(term)? {
            Value::Number(number) if number < 0 => {
                let message = format!("the index is {number}{}", self.given(term));
                let error = Diagnostic::error(message, term.span, "an index is at least 0")
                    .with_help("`%` gives no negative numbers: `(i - 1) % 4` is 3 for i = 0");
                Err(Box::new(error))
            }
            value => Ok(value.in_name()),
        }
    }

    pub fn condition(&self, term: &Term<'a>) -> Result<bool, Box<Diagnostic>> {
        self.evaluate(term).and_then(|value| truth(value, term.span))
    }

    pub fn number(&self, term: &Term<'a>) -> Result<i64, Box<Diagnostic>> {
        self.evaluate(term).and_then(|value| number(value, term.span))
    }

    fn apply(
        &self,
        operator: Operator,
        (left, span): (Value<'a>, Span),
        right: &Term<'a>,
    ) -> Result<Value<'a>, Box<Diagnostic>> {
        match operator {
            // What decides alone is not asked further: `x > 0 & a[x - 1]`.
            Operator::Or => Ok(Value::Bool(truth(left, span)? || self.condition(right)?)),
            Operator::And => Ok(Value::Bool(truth(left, span)? && self.condition(right)?)),
            Operator::Equal => Ok(Value::Bool(self.is_same((left, span), right)?)),
            Operator::Unequal => Ok(Value::Bool(!self.is_same((left, span), right)?)),
            _ => {
                let (a, b) = (number(left, span)?, self.number(right)?);
                self.arithmetic(operator, a, b, span.to(right.span))
            }
        }
    }

    fn is_same(
        &self,
        (left, span): (Value, Span),
        right: &Term<'a>,
    ) -> Result<bool, Box<Diagnostic>> {
        let value = self.evaluate(right)?;
        if left.sort() == value.sort() {
            return Ok(left == value);
        }
        let message = "two sides that are never equal";
        let error = Diagnostic::error(message, right.span, format!("this is {}", value.sort()))
            .with_label(span, format!("this is {}", left.sort()))
            .with_help("a variable of `0..3` is compared with numbers, one of `{a, b}` with these");
        Err(Box::new(error))
    }

    fn arithmetic(
        &self,
        operator: Operator,
        a: i64,
        b: i64,
        span: Span,
    ) -> Result<Value<'a>, Box<Diagnostic>> {
        let number = match operator {
            Operator::Less => return Ok(Value::Bool(a < b)),
            Operator::AtMost => return Ok(Value::Bool(a <= b)),
            Operator::Greater => return Ok(Value::Bool(a > b)),
            Operator::AtLeast => return Ok(Value::Bool(a >= b)),
            Operator::Plus => a.checked_add(b),
            Operator::Minus => a.checked_sub(b),
            Operator::Times => a.checked_mul(b),
            _ if b <= 0 => {
                let message = format!("the remainder by {b}");
                let error = Diagnostic::error(message, span, "`%` divides by at least 1");
                return Err(Box::new(error));
            }
            _ => a.checked_rem_euclid(b),
        };
        number.map(Value::Number).ok_or_else(|| too_large(span))
    }

    /// The values of the names in a term, as a part of a message.
    pub fn given(&self, term: &Term<'a>) -> String {
        let mut names = Vec::new();
        self.collect(term, &mut names);
        let said: Vec<String> =
            names.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if said.is_empty() { String::new() } else { format!(" for {}", said.join(", ")) }
    }

    fn collect<'s>(&'s self, term: &Term<'a>, found: &mut Vec<(&'s str, Value<'a>)>) {
        match &term.kind {
            TermKind::Value(_) => {}
            TermKind::Name(name, indices) => {
                indices.iter().for_each(|index| self.collect(index, found));
                let known = self.names[self.constants..].iter().rev();
                let known = known.map(|(name, value)| (&**name, *value));
                let this = known.clone().find(|(other, _)| other == name);
                found.extend(this.filter(|this| !found.contains(this)));
            }
            TermKind::Not(inner) | TermKind::Minus(inner) => self.collect(inner, found),
            TermKind::Infix(first, rest) => {
                self.collect(first, found);
                rest.iter().for_each(|(_, term)| self.collect(term, found));
            }
        }
    }
}

fn truth(value: Value, span: Span) -> Result<bool, Box<Diagnostic>> {
    match value {
        Value::Bool(value) => Ok(value),
        other => {
            let label = format!("this is {}", other.sort());
            let error = Diagnostic::error("a condition is expected here", span, label)
                .with_help("compare it: `x = 1`, `x < 3`");
            Err(Box::new(error))
        }
    }
}

fn number(value: Value, span: Span) -> Result<i64, Box<Diagnostic>> {
    match value {
        Value::Number(number) => Ok(number),
        other => {
            let label = format!("this is {}", other.sort());
            Err(Box::new(Diagnostic::error("a number is expected here", span, label)))
        }
    }
}

fn too_large(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("a number that is too large", span, "beyond 64 bits"))
}
