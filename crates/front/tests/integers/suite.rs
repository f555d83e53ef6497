//! The programs of benches/integers: that they can be read, and that no state near zero contradicts what is expected.
//!
//! All states whose numbers are within some bounds are explored, and what leaves them is unknown: so a formula has one of three
//! values, and what is definite holds for the program over all integers.

use front::{IntegerDocument, Proposition};
use logic::{Expr, ExprId, PathOp, Quantifier, StateOp, Surface};
use predicates::{Step, Value};
use rustc_hash::FxHashMap;
use std::path::Path;

/// What is expected of the properties, by name.
fn expectations(text: &str) -> Vec<(&str, bool)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("// expect: \""));
    let read = |line: &'_ str| -> Option<(usize, bool)> {
        let end = line.find("\" = ")?;
        Some((end, line[end + 4..].trim().parse().ok()?))
    };
    lines
        .map(|line| {
            let (end, value) = read(line).unwrap_or_else(|| panic!("{line}"));
            (&line[..end], value)
        })
        .collect()
}

fn programs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/integers");
    let files =
        std::fs::read_dir(folder).expect("the programs").map(|file| file.expect("a file").path());
    let mut files: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|e| e == "while")).collect();
    files.sort();
    let read = |file: &std::path::PathBuf| std::fs::read_to_string(file).expect("a text");
    files.iter().map(|file| (file.display().to_string(), read(file))).collect()
}

/// The states within the bounds.
struct Explored {
    /// The place and the values.
    states: Vec<(u32, Vec<i64>)>,
    successors: Vec<Vec<usize>>,
    /// Whether more follows than is known.
    leaves: Vec<bool>,
    starts: Vec<usize>,
}

/// Where a formula surely and where it maybe holds.
#[derive(Clone)]
struct Sets {
    sure: Vec<bool>,
    maybe: Vec<bool>,
}

fn explore(document: &IntegerDocument, bound: i64) -> Explored {
    let mut found = Explored {
        states: Vec::new(),
        successors: Vec::new(),
        leaves: Vec::new(),
        starts: Vec::new(),
    };
    let mut numbers: FxHashMap<(u32, Vec<i64>), usize> = FxHashMap::default();
    let mut enter = |found: &mut Explored, state: (u32, Vec<i64>)| {
        *numbers.entry(state.clone()).or_insert_with(|| {
            found.states.push(state);
            found.states.len() - 1
        })
    };
    for values in tuples(document.variables.len(), bound) {
        if document.start.condition.holds(&|variable| values[variable as usize]) == Some(true) {
            let number = enter(&mut found, (document.start.place, values));
            found.starts.push(number);
        }
    }
    while found.successors.len() < found.states.len() {
        let (place, values) = found.states[found.successors.len()].clone();
        let (mut successors, mut leaves) = (Vec::new(), false);
        for step in document.program.steps.iter().filter(|step| step.source == place) {
            for next in results(step, &values, bound) {
                match next {
                    Some(next) => successors.push(enter(&mut found, (step.target, next))),
                    None => leaves = true,
                }
            }
        }
        found.successors.push(successors);
        found.leaves.push(leaves);
    }
    found
}

fn tuples(count: usize, bound: i64) -> Vec<Vec<i64>> {
    let mut tuples = vec![Vec::new()];
    for _ in 0..count {
        let longer = |tuple: &Vec<i64>| {
            let tuple = tuple.clone();
            (-bound..=bound).map(move |value| tuple.iter().copied().chain([value]).collect())
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    tuples
}

/// What a step makes of some values; `None` for what is outside of the bounds.
fn results(step: &Step, values: &[i64], bound: i64) -> Vec<Option<Vec<i64>>> {
    let of = |variable: u32| values[variable as usize];
    if step.guard.holds(&of) != Some(true) {
        return Vec::new();
    }
    let Some(change) = step.changes.first() else { return vec![Some(values.to_vec())] };
    assert_eq!(step.changes.len(), 1);
    let with = |value: i64| {
        let mut next = values.to_vec();
        next[change.variable as usize] = value;
        (value.abs() <= bound).then_some(next)
    };
    match &change.value {
        Value::Of(term) => vec![with(term.value(&of).expect("a small number"))],
        Value::Any => (-bound..=bound + 1).map(with).collect(),
    }
}

impl Explored {
    fn set(&self, holds: impl Fn(usize) -> bool) -> Sets {
        let sure: Vec<bool> = (0..self.states.len()).map(holds).collect();
        Sets { maybe: sure.clone(), sure }
    }

    fn map(&self, a: &Sets, b: &Sets, join: fn(bool, bool) -> bool) -> Sets {
        let joined = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| join(*a, *b)).collect();
        Sets { sure: joined(&a.sure, &b.sure), maybe: joined(&a.maybe, &b.maybe) }
    }

    fn not(&self, a: &Sets) -> Sets {
        let not = |set: &[bool]| set.iter().map(|holds| !holds).collect();
        Sets { sure: not(&a.maybe), maybe: not(&a.sure) }
    }

    /// `EX` or `AX`.
    fn next(&self, quantifier: Quantifier, a: &Sets) -> Sets {
        let holds = |state: usize, set: &[bool], beyond: bool| {
            let mut successors = self.successors[state].iter();
            match quantifier {
                Quantifier::Exists => {
                    successors.any(|&next| set[next]) || self.leaves[state] && beyond
                }
                Quantifier::All => {
                    successors.all(|&next| set[next]) && (!self.leaves[state] || beyond)
                }
            }
        };
        let all = 0..self.states.len();
        Sets {
            sure: all.clone().map(|state| holds(state, &a.sure, false)).collect(),
            maybe: all.map(|state| holds(state, &a.maybe, true)).collect(),
        }
    }

    /// `a U b`, or `a W b`, by iteration.
    fn until(&self, quantifier: Quantifier, a: &Sets, b: &Sets, is_weak: bool) -> Sets {
        let mut found = self.set(|_| is_weak);
        loop {
            let onwards = self.map(a, &self.next(quantifier, &found), |a, next| a && next);
            let next = self.map(b, &onwards, |b, onwards| b || onwards);
            if next.sure == found.sure && next.maybe == found.maybe {
                return next;
            }
            found = next;
        }
    }

    fn formula(&self, document: &IntegerDocument, surface: &Surface, id: ExprId) -> Sets {
        let of = |id: &ExprId| self.formula(document, surface, *id);
        let (all, none) = (self.set(|_| true), self.set(|_| false));
        match &surface.exprs[id].0 {
            Expr::Const(value) => self.set(|_| *value),
            Expr::Prop(name) => self.proposition(document, name),
            Expr::Not(a) => self.not(&of(a)),
            Expr::And(parts) => {
                parts.iter().fold(all, |set, part| self.map(&set, &of(part), |a, b| a && b))
            }
            Expr::Or(parts) => {
                parts.iter().fold(none, |set, part| self.map(&set, &of(part), |a, b| a || b))
            }
            Expr::Implies(a, b) => self.map(&self.not(&of(a)), &of(b), |a, b| a || b),
            Expr::State(quantifier, op, a) => match op {
                StateOp::Next => self.next(*quantifier, &of(a)),
                StateOp::Finally => self.until(*quantifier, &all, &of(a), false),
                StateOp::Globally => self.until(*quantifier, &of(a), &none, true),
            },
            Expr::Path(quantifier, PathOp::Until, a, b) => {
                self.until(*quantifier, &of(a), &of(b), false)
            }
            Expr::Path(quantifier, PathOp::WeakUntil, a, b) => {
                self.until(*quantifier, &of(a), &of(b), true)
            }
            other => panic!("{other:?} is not used"),
        }
    }

    fn proposition(&self, document: &IntegerDocument, name: &str) -> Sets {
        let found = document.propositions.iter().find(|(other, _)| other == name);
        let (_, meaning) = found.expect("a proposition");
        self.set(|state| {
            let (place, values) = &self.states[state];
            match meaning {
                Proposition::At(places) => places.contains(place),
                Proposition::Holds(condition) => {
                    condition.holds(&|variable| values[variable as usize]).expect("a small number")
                }
            }
        })
    }
}

#[test]
fn nothing_near_zero_contradicts_what_is_expected() {
    let (mut pairs, mut shown) = (0, 0);
    for (name, text) in programs() {
        let document = crate::document(&text);
        assert!(document.warnings.is_empty(), "{name}: {:?}", document.warnings);
        let expected = expectations(&text);
        let asked: Vec<&str> =
            document.properties.iter().map(|property| property.title()).collect();
        let known: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
        assert_eq!(asked, known, "{name}");
        let bound = if document.variables.len() > 3 { 4 } else { 12 };
        let explored = explore(&document, bound);
        for (property, (title, expected)) in document.properties.iter().zip(expected) {
            let sets = explored.formula(&document, &property.surface, property.surface.root);
            let is_refuted = explored.starts.iter().any(|&start| !sets.maybe[start]);
            let is_shown = explored.starts.iter().all(|&start| sets.sure[start]);
            assert!(!(expected && is_refuted), "{name}: {title} is false");
            assert!(expected || !is_shown, "{name}: {title} is true near zero");
            pairs += 1;
            shown += usize::from(if expected { is_shown } else { is_refuted });
        }
    }
    println!("{pairs} pairs, {shown} of them decided near zero");
    assert!(pairs >= 60);
}
