//! Formulas on states of which some have more successors than are known: three values.

use super::explore::Explored;
use logic::{Expr, ExprId, PathOp, Quantifier, StateOp, Surface};
use testkit::IntegerDocument;
use transition::integers::Proposition;

/// Of so many states that are known, one is nearby: those that were found first.
const NEARBY: usize = 20;

/// Where a formula surely and where it maybe holds.
#[derive(Clone)]
pub struct Sets {
    pub sure: Vec<bool>,
    pub maybe: Vec<bool>,
}

pub struct Evaluation<'a> {
    document: &'a IntegerDocument,
    explored: &'a Explored,
    predecessors: Vec<Vec<usize>>,
}

impl<'a> Evaluation<'a> {
    pub fn new(document: &'a IntegerDocument, explored: &'a Explored) -> Self {
        let mut predecessors = vec![Vec::new(); explored.states.len()];
        for (state, successors) in explored.successors.iter().enumerate() {
            successors.iter().for_each(|&next| predecessors[next].push(state));
        }
        Self { document, explored, predecessors }
    }

    pub fn formula(&self, surface: &Surface, id: ExprId) -> Sets {
        let of = |id: &ExprId| self.formula(surface, *id);
        let (all, none) = (self.set(|_| true), self.set(|_| false));
        match &surface.exprs[id].0 {
            Expr::Const(value) => self.set(|_| *value),
            Expr::Prop(name) => self.proposition(name),
            Expr::Not(a) => not(of(a)),
            Expr::And(parts) => parts.iter().fold(all, |set, part| and(&set, &of(part))),
            Expr::Or(parts) => parts.iter().fold(none, |set, part| or(&set, &of(part))),
            Expr::Implies(a, b) => or(&not(of(a)), &of(b)),
            Expr::State(quantifier, op, a) => match op {
                StateOp::Next => self.next(*quantifier, &of(a)),
                StateOp::Finally => self.until(*quantifier, &all, &of(a)),
                StateOp::Globally => self.weak_until(*quantifier, &of(a), &none),
            },
            Expr::Path(quantifier, PathOp::Until, a, b) => self.until(*quantifier, &of(a), &of(b)),
            Expr::Path(quantifier, PathOp::WeakUntil, a, b) => {
                self.weak_until(*quantifier, &of(a), &of(b))
            }
            other => panic!("{other:?} is not used"),
        }
    }

    /// Of `AG`: whether what follows is sure in all states that are near enough to the start for it to be known.
    pub fn holds_nearby(&self, surface: &Surface) -> bool {
        match &surface.exprs[surface.root].0 {
            Expr::State(Quantifier::All, StateOp::Globally, a) => {
                let sets = self.formula(surface, *a);
                sets.sure[..sets.sure.len().div_ceil(NEARBY)].iter().all(|holds| *holds)
            }
            _ => false,
        }
    }

    fn set(&self, holds: impl Fn(usize) -> bool) -> Sets {
        let sure: Vec<bool> = (0..self.explored.states.len()).map(holds).collect();
        Sets { maybe: sure.clone(), sure }
    }

    fn proposition(&self, name: &str) -> Sets {
        let found = self.document.propositions.iter().find(|(other, _)| other == name);
        let (_, meaning) = found.expect("a proposition");
        self.set(|state| {
            let (place, values) = &self.explored.states[state];
            match meaning {
                Proposition::At(places) => places.contains(place),
                Proposition::Holds(condition) => condition
                    .holds(&|variable| values[variable.0 as usize].into())
                    .expect("a small number"),
            }
        })
    }

    /// `EX` or `AX`.
    fn next(&self, quantifier: Quantifier, a: &Sets) -> Sets {
        let Explored { states, successors, leaves, .. } = self.explored;
        let holds = |state: usize, set: &[bool], beyond: bool| {
            let mut successors = successors[state].iter();
            match quantifier {
                Quantifier::Exists => successors.any(|&next| set[next]) || leaves[state] && beyond,
                Quantifier::All => successors.all(|&next| set[next]) && (!leaves[state] || beyond),
            }
        };
        let all = 0..states.len();
        Sets {
            sure: all.clone().map(|state| holds(state, &a.sure, false)).collect(),
            maybe: all.map(|state| holds(state, &a.maybe, true)).collect(),
        }
    }

    fn until(&self, quantifier: Quantifier, a: &Sets, b: &Sets) -> Sets {
        Sets {
            sure: self.reaches(quantifier, &a.sure, &b.sure, false),
            maybe: self.reaches(quantifier, &a.maybe, &b.maybe, true),
        }
    }

    /// `E[a W b]` fails where on all paths `!b` holds until neither holds; `A[a W b]` likewise.
    fn weak_until(&self, quantifier: Quantifier, a: &Sets, b: &Sets) -> Sets {
        let other = match quantifier {
            Quantifier::Exists => Quantifier::All,
            Quantifier::All => Quantifier::Exists,
        };
        let not_b = not(b.clone());
        not(self.until(other, &not_b, &and(&not(a.clone()), &not_b)))
    }

    /// The least set with `b`, and with what has `a` and one successor, or all, in the set. `beyond`: whether what is not
    /// known is taken to be in the set.
    fn reaches(&self, quantifier: Quantifier, a: &[bool], b: &[bool], beyond: bool) -> Vec<bool> {
        let Explored { successors, leaves, .. } = self.explored;
        // How many successors are not in the set yet.
        let mut missing: Vec<usize> = successors.iter().map(Vec::len).collect();
        let by_itself = |state: usize| match quantifier {
            Quantifier::Exists => leaves[state] && beyond,
            Quantifier::All => successors[state].is_empty() && (!leaves[state] || beyond),
        };
        let mut found: Vec<bool> =
            (0..a.len()).map(|state| b[state] || a[state] && by_itself(state)).collect();
        let mut open: Vec<usize> = (0..a.len()).filter(|&state| found[state]).collect();
        while let Some(state) = open.pop() {
            for &before in &self.predecessors[state] {
                missing[before] -= 1;
                let leads = match quantifier {
                    Quantifier::Exists => true,
                    Quantifier::All => missing[before] == 0 && (!leaves[before] || beyond),
                };
                if leads && a[before] && !found[before] {
                    found[before] = true;
                    open.push(before);
                }
            }
        }
        found
    }
}

fn not(a: Sets) -> Sets {
    let not = |set: Vec<bool>| set.into_iter().map(|holds| !holds).collect();
    Sets { sure: not(a.maybe), maybe: not(a.sure) }
}

fn and(a: &Sets, b: &Sets) -> Sets {
    join(a, b, |a, b| a && b)
}

fn or(a: &Sets, b: &Sets) -> Sets {
    join(a, b, |a, b| a || b)
}

fn join(a: &Sets, b: &Sets, both: fn(bool, bool) -> bool) -> Sets {
    let joined = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| both(*a, *b)).collect();
    Sets { sure: joined(&a.sure, &b.sure), maybe: joined(&a.maybe, &b.maybe) }
}
