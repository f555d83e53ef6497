//! LTL with past on ultimately periodic words, by definition. It shares no code with the translation.

use crate::rng::Rng;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathUnary {
    Not,
    X,
    F,
    G,
    Y,
    Z,
    O,
    H,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathBinary {
    And,
    Or,
    Implies,
    Iff,
    U,
    R,
    W,
    M,
    S,
    T,
}

#[derive(Clone, Debug)]
pub enum PathFormula {
    Const(bool),
    Atom(u32),
    Unary(PathUnary, Box<PathFormula>),
    Binary(PathBinary, Box<PathFormula>, Box<PathFormula>),
}

impl fmt::Display for PathFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathFormula::Const(value) => write!(f, "{value}"),
            PathFormula::Atom(atom) => write!(f, "p{atom}"),
            PathFormula::Unary(PathUnary::Not, a) => write!(f, "!{a}"),
            PathFormula::Unary(op, a) => write!(f, "{op:?} {a}"),
            PathFormula::Binary(op, a, b) => write!(f, "({a} {} {b})", op.symbol()),
        }
    }
}

impl PathFormula {
    /// As it is written in the logic `ltl` of any language, over these atoms.
    pub fn text(&self, names: &[&str]) -> String {
        match self {
            PathFormula::Const(value) => format!("{value}"),
            PathFormula::Atom(atom) => names[*atom as usize].to_owned(),
            PathFormula::Unary(PathUnary::Not, a) => format!("!({})", a.text(names)),
            PathFormula::Unary(op, a) => format!("{op:?} ({})", a.text(names)),
            // Strong release has no spelling of its own.
            PathFormula::Binary(PathBinary::M, a, b) => {
                let [a, b] = [a, b].map(|operand| operand.text(names));
                format!("(({b}) U (({a}) & ({b})))")
            }
            PathFormula::Binary(op, a, b) => {
                format!("(({}) {} ({}))", a.text(names), op.symbol(), b.text(names))
            }
        }
    }
}

impl PathBinary {
    fn symbol(self) -> String {
        match self {
            PathBinary::And => "&".to_owned(),
            PathBinary::Or => "|".to_owned(),
            PathBinary::Implies => "->".to_owned(),
            PathBinary::Iff => "<->".to_owned(),
            other => format!("{other:?}"),
        }
    }
}

/// The word `prefix cycle cycle …`; letters are sets of true atoms.
#[derive(Clone, Debug)]
pub struct PeriodicWord {
    pub prefix: Vec<u128>,
    pub cycle: Vec<u128>,
}

impl PathFormula {
    pub fn random(rng: &mut Rng, size: usize, atoms: usize, with_past: bool) -> Self {
        if size <= 1 {
            return if rng.chance(0.04) {
                PathFormula::Const(rng.chance(0.5))
            } else {
                PathFormula::Atom(rng.below(atoms) as u32)
            };
        }
        let past = with_past && rng.chance(0.35);
        if size == 2 || rng.chance(0.45) {
            let op = if past {
                *rng.pick(&[PathUnary::Y, PathUnary::Z, PathUnary::O, PathUnary::H])
            } else {
                *rng.pick(&[PathUnary::Not, PathUnary::X, PathUnary::F, PathUnary::G])
            };
            return PathFormula::Unary(op, Box::new(Self::random(rng, size - 1, atoms, with_past)));
        }
        let op = if past {
            *rng.pick(&[PathBinary::S, PathBinary::T])
        } else {
            use PathBinary::{And, Iff, Implies, M, Or, R, U, W};
            *rng.pick(&[And, And, Or, Or, Implies, Iff, U, U, R, R, W, M])
        };
        let first = rng.between(1, size - 2);
        let a = Self::random(rng, first, atoms, with_past);
        let b = Self::random(rng, size - 1 - first, atoms, with_past);
        PathFormula::Binary(op, Box::new(a), Box::new(b))
    }

    fn past_operators(&self) -> usize {
        use PathBinary::{S, T};
        use PathUnary::{H, O, Y, Z};
        match self {
            PathFormula::Const(_) | PathFormula::Atom(_) => 0,
            PathFormula::Unary(op, a) => {
                usize::from(matches!(op, Y | Z | O | H)) + a.past_operators()
            }
            PathFormula::Binary(op, a, b) => {
                usize::from(matches!(op, S | T)) + a.past_operators() + b.past_operators()
            }
        }
    }

    /// Whether it holds at the first position of the word.
    ///
    /// A past operator over operands that repeat from some position on repeats from one turn of the cycle later on, or
    /// one position more, so the cycle is unrolled twice for each of them.
    pub fn holds(&self, word: &PeriodicWord) -> bool {
        let mut letters = word.prefix.clone();
        for _ in 0..2 * self.past_operators() + 1 {
            letters.extend(&word.cycle);
        }
        self.values(&letters, letters.len() - word.cycle.len())[0]
    }

    /// Its value at each position; after the last comes `back`.
    fn values(&self, letters: &[u128], back: usize) -> Vec<bool> {
        let length = letters.len();
        match self {
            PathFormula::Const(value) => vec![*value; length],
            PathFormula::Atom(atom) => {
                letters.iter().map(|letter| letter >> atom & 1 == 1).collect()
            }
            PathFormula::Unary(op, a) => {
                let a = a.values(letters, back);
                let now_or_later = |i: usize| i.min(back)..length;
                let at = |i: usize| match op {
                    PathUnary::Not => !a[i],
                    PathUnary::X => a[if i + 1 < length { i + 1 } else { back }],
                    PathUnary::F => now_or_later(i).any(|j| a[j]),
                    PathUnary::G => now_or_later(i).all(|j| a[j]),
                    PathUnary::Y => i > 0 && a[i - 1],
                    PathUnary::Z => i == 0 || a[i - 1],
                    PathUnary::O => (0..=i).any(|j| a[j]),
                    PathUnary::H => (0..=i).all(|j| a[j]),
                };
                (0..length).map(at).collect()
            }
            PathFormula::Binary(op, a, b) => {
                let (a, b) = (a.values(letters, back), b.values(letters, back));
                // The positions from i on, each once.
                let from = |i: usize| {
                    (i..length).chain(back.min(i)..i).filter(move |&j| j >= i || j >= back)
                };
                let until = |a: &dyn Fn(usize) -> bool, b: &dyn Fn(usize) -> bool, i: usize| {
                    for j in from(i) {
                        if b(j) {
                            return true;
                        }
                        if !a(j) {
                            return false;
                        }
                    }
                    false
                };
                let (x, y) = (|j: usize| a[j], |j: usize| b[j]);
                let (not_x, not_y) = (|j: usize| !a[j], |j: usize| !b[j]);
                let always = |i: usize| from(i).all(|j| a[j]);
                let at = |i: usize| match op {
                    PathBinary::And => a[i] && b[i],
                    PathBinary::Or => a[i] || b[i],
                    PathBinary::Implies => !a[i] || b[i],
                    PathBinary::Iff => a[i] == b[i],
                    PathBinary::U => until(&x, &y, i),
                    PathBinary::R => !until(&not_x, &not_y, i),
                    PathBinary::W => until(&x, &y, i) || always(i),
                    PathBinary::M => !until(&not_x, &not_y, i) && from(i).any(|j| a[j]),
                    PathBinary::S => (0..=i).any(|j| b[j] && (j + 1..=i).all(|k| a[k])),
                    PathBinary::T => (0..=i).all(|j| b[j] || (j + 1..=i).any(|k| a[k])),
                };
                (0..length).map(at).collect()
            }
        }
    }
}

impl PeriodicWord {
    pub fn random(rng: &mut Rng, atoms: usize) -> Self {
        let letters = |rng: &mut Rng, count: usize| {
            (0..count).map(|_| rng.below(1 << atoms) as u128).collect()
        };
        let (before, around) = (rng.below(4), rng.between(1, 4));
        Self { prefix: letters(rng, before), cycle: letters(rng, around) }
    }
}
