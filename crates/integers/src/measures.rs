//! Measures of loops: what gets smaller and cannot do so for ever.

use arithmetic::{Atom, Excess, Formula, Relation, Term, Value};
use predicates::lower::Move;

/// A term that is not negative when it gets smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure(pub Term);

/// More at a time make the classes of steps too many.
pub(crate) const MOST_MEASURES: usize = 3;

impl Measure {
    /// Where a step makes it larger.
    pub(crate) fn goes_up(&self, taken: &Move) -> Result<Formula, Excess> {
        taken.value(&self.0)?.compared(Relation::Greater, &self.0.clone().into())
    }

    /// Where a step makes it smaller, and it is not negative before.
    pub(crate) fn goes_down(&self, taken: &Move) -> Result<Formula, Excess> {
        let zero = Value::from(Term::constant(0)?);
        let before = Value::from(self.0.clone());
        let smaller = taken.value(&self.0)?.compared(Relation::Less, &before)?;
        Ok(Formula::and([smaller, before.compared(Relation::AtLeast, &zero)?]))
    }

    /// By how much a step changes it, if that is always the same.
    fn change(&self, taken: &Move) -> Option<i64> {
        let after = taken.value(&self.0).ok()?;
        after.as_term()?.minus(&self.0).ok()?.as_constant()
    }
}

/// Measures for the loops of a program: what stands in the guards of steps on circles and gets smaller on one.
/// Those that few steps can make larger come first, as measures of outer loops.
pub(crate) fn candidates(moves: &[Move], places: usize) -> Vec<Measure> {
    let circles = on_circles(moves, places);
    let mut found: Vec<(usize, Measure)> = Vec::new();
    for taken in moves.iter().filter(|taken| circles(taken)) {
        for term in bounds(&taken.guard) {
            let measure = Measure(term);
            let inside: Vec<&Move> = moves.iter().filter(|other| circles(other)).collect();
            let falls = inside.iter().any(|other| measure.change(other).is_none_or(|by| by < 0));
            if falls && !found.iter().any(|(_, known)| *known == measure) {
                let rises = inside.iter().filter(|other| measure.change(other) != Some(0));
                let rises = rises.filter(|other| measure.change(other).is_none_or(|by| by > 0));
                found.push((rises.count(), measure));
            }
        }
    }
    found.sort_by_key(|(rises, _)| *rises);
    found.into_iter().map(|(_, measure)| measure).collect()
}

/// Terms that are not negative where a guard holds.
fn bounds(guard: &Formula) -> Vec<Term> {
    let mut found = Vec::new();
    guard.for_each_atom(&mut |atom| match atom {
        Atom::AtMost(term) => {
            found.push(term.negated());
            // The guard may be the negation of what is written there.
            found.extend(term.plus_constant(-1));
        }
        Atom::Zero(term) => found.extend([term.clone(), term.negated()]),
        Atom::Divides(..) => {}
    });
    found
}

/// Whether a step is on a circle of places.
fn on_circles(moves: &[Move], places: usize) -> impl Fn(&Move) -> bool {
    let mut reaches = vec![vec![false; places]; places];
    for (from, reached) in (0..).zip(&mut reaches) {
        let mut open = vec![from];
        while let Some(place) = open.pop() {
            for next in moves.iter().filter(|m| m.source == place).map(|m| m.target) {
                if !std::mem::replace(&mut reached[next as usize], true) {
                    open.push(next);
                }
            }
        }
    }
    move |taken| {
        taken.source == taken.target || reaches[taken.target as usize][taken.source as usize]
    }
}
