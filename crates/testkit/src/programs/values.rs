//! Valuations of a program's variables, all of them numbered, and what expressions are worth in them.

use super::ast::{Domain, Expr, Operator, Program, Scope, Target, Var, VarIndex};

/// D^n of M Def. A.2. An array has a place for each of its elements.
#[derive(Clone, Debug)]
pub struct Valuations {
    /// The first place of each variable, and how many it has.
    places: Vec<(usize, usize)>,
    /// Of each place: `x`, `a[0]`, `p.x` for one of a procedure.
    names: Vec<String>,
    symbols: Vec<String>,
    domains: Vec<Domain>,
    start: Vec<Vec<i64>>,
    /// By number: the values at all places.
    values: Vec<Vec<i64>>,
}

impl Valuations {
    pub fn new(program: &Program) -> Self {
        let (mut places, mut domains, mut start) = (Vec::new(), Vec::new(), Vec::new());
        let names = program.vars.iter().flat_map(|var| place_names(program, var)).collect();
        for var in &program.vars {
            let count = var.elements.unwrap_or(1) as usize;
            places.push((domains.len(), count));
            domains.extend(std::iter::repeat_n(var.domain, count));
            start.extend(std::iter::repeat_n(var.start.clone(), count));
        }
        let mut values = vec![Vec::new()];
        for domain in &domains {
            let longer = |shorter: Vec<i64>| {
                (domain.low()..=domain.high()).map(move |value| [&shorter[..], &[value]].concat())
            };
            values = values.into_iter().flat_map(longer).collect();
        }
        Self { places, names, symbols: program.symbols.clone(), domains, start, values }
    }

    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The places of a variable, in the order of its elements.
    pub fn places(&self, var: VarIndex) -> std::ops::Range<usize> {
        let (first, count) = self.places[var];
        first..first + count
    }

    /// The place with this name.
    pub fn place_named(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// The value that a symbol is.
    pub fn symbol_named(&self, name: &str) -> Option<i64> {
        self.symbols.iter().position(|other| other == name).map(|number| number as i64)
    }

    pub fn symbol(&self, value: i64) -> &str {
        &self.symbols[value as usize]
    }

    /// The values at all places.
    pub fn values(&self, valuation: usize) -> &[i64] {
        &self.values[valuation]
    }

    /// Whether a program may start with these values.
    pub fn is_initial(&self, valuation: usize) -> bool {
        let may_be = |(start, value): (&Vec<i64>, &i64)| start.is_empty() || start.contains(value);
        self.start.iter().zip(&self.values[valuation]).all(may_be)
    }

    /// σ[x ← value]; nothing if it is no value of the variable.
    pub fn set(&self, valuation: usize, place: usize, value: i64) -> Option<usize> {
        let domain = self.domains[place];
        let weight: usize = self.domains[place + 1..].iter().map(|domain| domain.size()).product();
        let old = (self.values[valuation][place] - domain.low()) as usize;
        let rest = valuation - old * weight;
        domain.contains(value).then(|| rest + (value - domain.low()) as usize * weight)
    }

    /// All that the place can be set to.
    pub fn any(&self, valuation: usize, place: usize) -> Vec<usize> {
        let domain = self.domains[place];
        let values = domain.low()..=domain.high();
        values.filter_map(|value| self.set(valuation, place, value)).collect()
    }

    /// The place that a target means; none if its index is out of bounds or has no value.
    pub fn place(&self, valuation: usize, target: &Target) -> Option<usize> {
        match target {
            Target::Var(var) => Some(self.places[*var].0),
            Target::Element(var, index) => self.element(valuation, *var, index),
        }
    }

    fn element(&self, valuation: usize, var: VarIndex, index: &Expr) -> Option<usize> {
        let index = usize::try_from(self.evaluate(valuation, index)?).ok()?;
        let (first, count) = self.places[var];
        (index < count).then_some(first + index)
    }

    /// The value; nothing where evaluating goes wrong. Of `&`, `|` and `->` one side is enough if it decides.
    pub fn evaluate(&self, valuation: usize, expr: &Expr) -> Option<i64> {
        let at = |place: usize| self.values[valuation][place];
        match expr {
            Expr::Bool(value) => Some(i64::from(*value)),
            Expr::Int(value) => Some(*value),
            Expr::Symbol(symbol) => Some(*symbol as i64),
            Expr::Var(var) => Some(at(self.places[*var].0)),
            Expr::Element(var, index) => self.element(valuation, *var, index).map(at),
            Expr::Not(operand) => Some(1 - self.evaluate(valuation, operand)?),
            Expr::Minus(operand) => Some(-self.evaluate(valuation, operand)?),
            Expr::Binary(operator, left, right) => {
                let sides = [left, right].map(|side| self.evaluate(valuation, side));
                apply(*operator, sides)
            }
        }
    }
}

/// The names of the places of a variable.
pub(super) fn place_names(program: &Program, var: &Var) -> Vec<String> {
    let prefix = match var.scope {
        Scope::Program => String::new(),
        Scope::Procedure(number) => format!("{}.", program.procedures[number].name),
    };
    match var.elements {
        None => vec![format!("{prefix}{}", var.name)],
        Some(count) => (0..count).map(|index| format!("{prefix}{}[{index}]", var.name)).collect(),
    }
}

fn apply(operator: Operator, [left, right]: [Option<i64>; 2]) -> Option<i64> {
    match operator {
        Operator::And if left == Some(0) || right == Some(0) => return Some(0),
        Operator::Or if left == Some(1) || right == Some(1) => return Some(1),
        Operator::Implies if left == Some(0) || right == Some(1) => return Some(1),
        _ => {}
    }
    let (left, right) = (left?, right?);
    match operator {
        Operator::Add => Some(left + right),
        Operator::Sub => Some(left - right),
        Operator::Mul => Some(left * right),
        Operator::Div => left.checked_div(right),
        Operator::Mod => left.checked_rem(right),
        Operator::Eq | Operator::Iff => Some(i64::from(left == right)),
        Operator::Ne => Some(i64::from(left != right)),
        Operator::Lt => Some(i64::from(left < right)),
        Operator::Le => Some(i64::from(left <= right)),
        Operator::Gt => Some(i64::from(left > right)),
        Operator::Ge => Some(i64::from(left >= right)),
        Operator::And => Some(left & right),
        Operator::Or => Some(left | right),
        Operator::Implies => Some(i64::from(left <= right)),
    }
}
