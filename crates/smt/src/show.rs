//! Formulas as a reader would write them: `x > 0`, `2*x + y <= 7`, `x = y + 1`, `(x - 1) mod 4 = 0`.
//!
//! A divisibility is printed with the remainder 0, which means the same however a language rounds.

use crate::{LinearAtom, LinearFormula, Term, Variable};
use std::fmt::Write;

/// How a variable is called.
type Names<'a> = &'a dyn Fn(Variable) -> String;

impl Term {
    pub fn show(&self, names: Names) -> String {
        let products = self.coefficients().iter().map(|&(v, factor)| (v, i128::from(factor)));
        sum(products, self.offset().into(), names)
    }
}

impl LinearAtom {
    pub fn show(&self, names: Names) -> String {
        show_atom(self, true, names)
    }
}

impl LinearFormula {
    pub fn show(&self, names: Names) -> String {
        match self {
            LinearFormula::Constant(value) => value.to_string(),
            LinearFormula::Atom(atom) => atom.show(names),
            LinearFormula::Not(inner) => match &**inner {
                LinearFormula::Atom(atom) => show_atom(atom, false, names),
                other => format!("!({})", other.show(names)),
            },
            LinearFormula::And(parts) => joined(parts, " & ", names),
            LinearFormula::Or(parts) => joined(parts, " | ", names),
        }
    }
}

fn joined(parts: &[LinearFormula], operator: &str, names: Names) -> String {
    let part = |part: &LinearFormula| match part {
        LinearFormula::And(_) | LinearFormula::Or(_) => format!("({})", part.show(names)),
        _ => part.show(names),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(operator)
}

/// The atom or its negation.
fn show_atom(atom: &LinearAtom, is_so: bool, names: Names) -> String {
    match atom {
        LinearAtom::AtMost(term) if is_so => at_most(term, names),
        LinearAtom::AtMost(term) => format!("!({})", at_most(term, names)),
        LinearAtom::Zero(term) | LinearAtom::Divides(0, term) => {
            let operator = if is_so { "=" } else { "!=" };
            sides(term).compared(operator, term.offset(), names)
        }
        LinearAtom::Divides(divisor, term) => divisibility(*divisor, term, is_so, names),
    }
}

fn at_most(term: &Term, names: Names) -> String {
    let sides = sides(term);
    let is_strict = term.offset() == 1;
    let offset = if is_strict { 0 } else { term.offset() };
    let operator = match (sides.left.is_empty(), is_strict) {
        (false, true) => "<",
        (false, false) => "<=",
        (true, true) => ">",
        (true, false) => ">=",
    };
    sides.compared(operator, offset, names)
}

/// Products with positive coefficients on the left, the others on the right with their signs changed.
struct Sides {
    left: Vec<(Variable, i128)>,
    right: Vec<(Variable, i128)>,
}

fn sides(term: &Term) -> Sides {
    let all = term.coefficients().iter().map(|&(v, factor)| (v, i128::from(factor)));
    let (left, right): (Vec<_>, Vec<_>) = all.partition(|&(_, factor)| factor > 0);
    Sides { left, right: right.into_iter().map(|(v, factor)| (v, -factor)).collect() }
}

impl Sides {
    /// `offset` stands with the left side. A side that is empty goes to the right.
    fn compared(&self, operator: &str, offset: i64, names: Names) -> String {
        let offset = i128::from(offset);
        if self.left.is_empty() {
            let right = sum(self.right.iter().copied(), 0, names);
            return format!("{right} {operator} {offset}");
        }
        let left = sum(self.left.iter().copied(), 0, names);
        let right = sum(self.right.iter().copied(), -offset, names);
        format!("{left} {operator} {right}")
    }
}

fn sum(
    products: impl IntoIterator<Item = (Variable, i128)>,
    constant: i128,
    names: Names,
) -> String {
    let mut text = String::new();
    for (variable, factor) in products {
        let name = names(variable);
        let product = match factor.unsigned_abs() {
            1 => name,
            size => format!("{size}*{name}"),
        };
        append(&mut text, factor < 0, &product);
    }
    if constant != 0 || text.is_empty() {
        append(&mut text, constant < 0, &constant.unsigned_abs().to_string());
    }
    text
}

fn append(text: &mut String, is_negative: bool, part: &str) {
    let sign = match (text.is_empty(), is_negative) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    };
    // Writing to a string does not fail.
    let _ = write!(text, "{sign}{part}");
}

fn divisibility(divisor: u64, term: &Term, is_so: bool, names: Names) -> String {
    let m = i128::from(divisor);
    // The residue nearest to zero.
    let near = |number: i64| {
        let residue = i128::from(number).rem_euclid(m);
        if 2 * residue > m { residue - m } else { residue }
    };
    let products: Vec<_> = term.coefficients().iter().map(|&(v, a)| (v, near(a))).collect();
    let mut offset = near(term.offset());
    let mut is_so = is_so;
    if divisor == 2 && offset != 0 {
        (offset, is_so) = (0, !is_so);
    }
    let is_single = products.len() == 1 && offset == 0 && products[0].1 > 0;
    let dividend = sum(products, offset, names);
    let operator = if is_so { "=" } else { "!=" };
    match is_single {
        true => format!("{dividend} mod {divisor} {operator} 0"),
        false => format!("({dividend}) mod {divisor} {operator} 0"),
    }
}
