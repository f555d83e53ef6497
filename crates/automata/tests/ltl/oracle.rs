//! LTL with past on ultimately periodic words, by definition. It shares no code with the translation.

use automata::{LtlArena, LtlId};
use std::fmt;
use testkit::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
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
pub enum Binary {
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
pub enum Written {
    Const(bool),
    Atom(u32),
    Unary(Unary, Box<Written>),
    Binary(Binary, Box<Written>, Box<Written>),
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::Const(value) => write!(f, "{value}"),
            Written::Atom(atom) => write!(f, "p{atom}"),
            Written::Unary(Unary::Not, a) => write!(f, "!{a}"),
            Written::Unary(op, a) => write!(f, "{op:?} {a}"),
            Written::Binary(op, a, b) => {
                let op = match op {
                    Binary::And => "&".to_owned(),
                    Binary::Or => "|".to_owned(),
                    Binary::Implies => "->".to_owned(),
                    Binary::Iff => "<->".to_owned(),
                    other => format!("{other:?}"),
                };
                write!(f, "({a} {op} {b})")
            }
        }
    }
}

/// The word `prefix cycle cycle …`; letters are sets of true atoms.
#[derive(Clone, Debug)]
pub struct Word {
    pub prefix: Vec<u128>,
    pub cycle: Vec<u128>,
}

impl Written {
    pub fn random(rng: &mut Rng, size: usize, atoms: usize, with_past: bool) -> Self {
        if size <= 1 {
            return if rng.chance(0.04) {
                Written::Const(rng.chance(0.5))
            } else {
                Written::Atom(rng.below(atoms) as u32)
            };
        }
        let past = with_past && rng.chance(0.35);
        if size == 2 || rng.chance(0.45) {
            let op = if past {
                *rng.pick(&[Unary::Y, Unary::Z, Unary::O, Unary::H])
            } else {
                *rng.pick(&[Unary::Not, Unary::X, Unary::F, Unary::G])
            };
            return Written::Unary(op, Box::new(Self::random(rng, size - 1, atoms, with_past)));
        }
        let op = if past {
            *rng.pick(&[Binary::S, Binary::T])
        } else {
            use Binary::{And, Iff, Implies, M, Or, R, U, W};
            *rng.pick(&[And, And, Or, Or, Implies, Iff, U, U, R, R, W, M])
        };
        let first = rng.between(1, size - 2);
        let a = Self::random(rng, first, atoms, with_past);
        let b = Self::random(rng, size - 1 - first, atoms, with_past);
        Written::Binary(op, Box::new(a), Box::new(b))
    }

    pub fn build(&self, arena: &mut LtlArena) -> LtlId {
        match self {
            Written::Const(value) => arena.constant(*value),
            Written::Atom(atom) => arena.literal(*atom, true),
            Written::Unary(op, a) => {
                let a = a.build(arena);
                match op {
                    Unary::Not => arena.not(a),
                    Unary::X => arena.next(a),
                    Unary::F => arena.finally(a),
                    Unary::G => arena.globally(a),
                    Unary::Y => arena.yesterday(a),
                    Unary::Z => arena.weak_yesterday(a),
                    Unary::O => arena.once(a),
                    Unary::H => arena.historically(a),
                }
            }
            Written::Binary(op, a, b) => {
                let (a, b) = (a.build(arena), b.build(arena));
                match op {
                    Binary::And => arena.and([a, b]),
                    Binary::Or => arena.or([a, b]),
                    Binary::Implies => {
                        let a = arena.not(a);
                        arena.or([a, b])
                    }
                    Binary::Iff => {
                        let (not_a, not_b) = (arena.not(a), arena.not(b));
                        let (both, none) = (arena.and([a, b]), arena.and([not_a, not_b]));
                        arena.or([both, none])
                    }
                    Binary::U => arena.until(a, b),
                    Binary::R => arena.release(a, b),
                    Binary::W => arena.weak_until(a, b),
                    Binary::M => {
                        let both = arena.and([a, b]);
                        arena.until(b, both)
                    }
                    Binary::S => arena.since(a, b),
                    Binary::T => arena.triggered(a, b),
                }
            }
        }
    }

    fn past_operators(&self) -> usize {
        use Binary::{S, T};
        use Unary::{H, O, Y, Z};
        match self {
            Written::Const(_) | Written::Atom(_) => 0,
            Written::Unary(op, a) => usize::from(matches!(op, Y | Z | O | H)) + a.past_operators(),
            Written::Binary(op, a, b) => {
                usize::from(matches!(op, S | T)) + a.past_operators() + b.past_operators()
            }
        }
    }

    /// Whether it holds at the first position of the word.
    ///
    /// A past operator over operands that repeat from some position on repeats from one turn of the cycle later on, or
    /// one position more, so the cycle is unrolled twice for each of them.
    pub fn holds(&self, word: &Word) -> bool {
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
            Written::Const(value) => vec![*value; length],
            Written::Atom(atom) => letters.iter().map(|letter| letter >> atom & 1 == 1).collect(),
            Written::Unary(op, a) => {
                let a = a.values(letters, back);
                let now_or_later = |i: usize| i.min(back)..length;
                let at = |i: usize| match op {
                    Unary::Not => !a[i],
                    Unary::X => a[if i + 1 < length { i + 1 } else { back }],
                    Unary::F => now_or_later(i).any(|j| a[j]),
                    Unary::G => now_or_later(i).all(|j| a[j]),
                    Unary::Y => i > 0 && a[i - 1],
                    Unary::Z => i == 0 || a[i - 1],
                    Unary::O => (0..=i).any(|j| a[j]),
                    Unary::H => (0..=i).all(|j| a[j]),
                };
                (0..length).map(at).collect()
            }
            Written::Binary(op, a, b) => {
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
                    Binary::And => a[i] && b[i],
                    Binary::Or => a[i] || b[i],
                    Binary::Implies => !a[i] || b[i],
                    Binary::Iff => a[i] == b[i],
                    Binary::U => until(&x, &y, i),
                    Binary::R => !until(&not_x, &not_y, i),
                    Binary::W => until(&x, &y, i) || always(i),
                    Binary::M => !until(&not_x, &not_y, i) && from(i).any(|j| a[j]),
                    Binary::S => (0..=i).any(|j| b[j] && (j + 1..=i).all(|k| a[k])),
                    Binary::T => (0..=i).all(|j| b[j] || (j + 1..=i).any(|k| a[k])),
                };
                (0..length).map(at).collect()
            }
        }
    }
}

impl Word {
    pub fn random(rng: &mut Rng, atoms: usize) -> Self {
        let letters = |rng: &mut Rng, count: usize| {
            (0..count).map(|_| rng.below(1 << atoms) as u128).collect()
        };
        let (before, around) = (rng.below(4), rng.between(1, 4));
        Self { prefix: letters(rng, before), cycle: letters(rng, around) }
    }
}
