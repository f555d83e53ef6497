//! A second concretisation, to show that the loop needs no list of states: a counter with 10^12 values. An abstract state
//! is a union of ranges, and everything that the loop asks is computed from pre-images of ranges.

use super::*;
use crate::refine::concretisation::{AbstractStep, Concretisation, Criterion, EnabledSteps};
use model::ActionId;
use std::ops::Range;

/// The values of the counter.
const VALUES: u64 = 1_000_000_000_000;

/// The end, a state for each of the doublings that lead there from 1, and 0.
const FEW: u64 = 2 + VALUES.ilog2() as u64 + 1;

/// Disjoint ranges that are not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Set(Vec<Range<u64>>);

impl From<Range<u64>> for Set {
    fn from(range: Range<u64>) -> Self {
        Set(std::iter::once(range).collect())
    }
}

impl Set {
    fn within(&self, other: &Set) -> Set {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        let common = pairs.map(|(a, b)| a.start.max(b.start)..a.end.min(b.end));
        Set(common.filter(|range| !range.is_empty()).collect())
    }

    fn without(&self, other: &Set) -> Set {
        let gaps = |left: Set, range: &Range<u64>| {
            left.within(&Set([0..range.start, range.end..VALUES].into()))
        };
        other.0.iter().fold(self.clone(), gaps)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn size(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }
}

#[derive(Clone, Copy)]
enum Move {
    /// To the next value, from the last one to 0.
    Next,
    /// To 0.
    Reset,
    /// To twice the value, or to the last one.
    Double,
}

impl Move {
    /// The values from which it leads into a range.
    fn before(self, range: &Range<u64>) -> Set {
        match self {
            Move::Next if range.start == 0 => Set(vec![VALUES - 1..VALUES, 0..range.end - 1]),
            Move::Next => Set::from(range.start - 1..range.end - 1),
            Move::Reset if range.start == 0 => Set::from(0..VALUES),
            Move::Reset => Set(Vec::new()),
            Move::Double if range.end == VALUES => Set::from(range.start.div_ceil(2)..VALUES),
            Move::Double => Set::from(range.start.div_ceil(2)..range.end.div_ceil(2)),
        }
    }
}

struct Counter {
    moves: Vec<Move>,
    /// By proposition: where it is true.
    props: Vec<Set>,
    initial: u64,
    states: Vec<Set>,
    /// By state: its joint label.
    joint: Vec<Vec<u64>>,
}

impl Counter {
    /// R⁻¹ of some states. Every move is certain, so the values with a may step and with a must step are one.
    fn before(&self, targets: &[u32]) -> Set {
        let ranges = targets.iter().flat_map(|&target| &self.states[target as usize].0);
        let found = ranges.flat_map(|range| self.moves.iter().flat_map(|m| m.before(range).0));
        let disjoint = |sum: Set, range: Range<u64>| {
            let fresh = Set::from(range).within(&Set::from(0..VALUES)).without(&sum);
            Set([sum.0, fresh.0].concat())
        };
        found.fold(Set(Vec::new()), disjoint)
    }

    fn of(&self, state: u32) -> &Set {
        &self.states[state as usize]
    }
}

impl Concretisation for Counter {
    fn states(&self) -> u32 {
        self.states.len() as u32
    }

    fn size(&self, state: u32) -> Option<u64> {
        Some(self.of(state).size())
    }

    fn is_initial(&self, state: u32) -> bool {
        self.of(state).0.iter().any(|range| range.contains(&self.initial))
    }

    fn joint(&self, state: u32) -> &[u64] {
        &self.joint[state as usize]
    }

    fn label(&self, state: u32, prop: PropId) -> Truth {
        let holds = self.of(state).within(&self.props[prop.0 as usize]).size();
        match holds {
            0 => Truth::False,
            all if all == self.of(state).size() => Truth::True,
            _ => Truth::Unknown,
        }
    }

    fn may(&self, state: u32) -> Vec<AbstractStep> {
        let reached = |&target: &u32| !self.of(state).within(&self.before(&[target])).is_empty();
        let step = |target| AbstractStep { action: None, target, must: None };
        (0..self.states()).filter(reached).map(step).collect()
    }

    fn must(&self, state: u32, _: Option<ActionId>, targets: &[u32]) -> bool {
        self.of(state).without(&self.before(targets)).is_empty()
    }

    fn enabled(&self, _: u32) -> Option<EnabledSteps> {
        None
    }

    fn split(&mut self, state: u32, criterion: &Criterion) -> Vec<u32> {
        let by = match criterion {
            Criterion::Label(prop) => self.props[prop.0 as usize].clone(),
            Criterion::Steps { targets, .. } => self.before(targets),
            Criterion::EnabledSteps => return Vec::new(),
        };
        let (inside, outside) = (self.of(state).within(&by), self.of(state).without(&by));
        if inside.is_empty() || outside.is_empty() {
            return Vec::new();
        }
        self.states[state as usize] = inside;
        self.states.push(outside);
        self.joint.push(self.joint[state as usize].clone());
        vec![self.states() - 1]
    }

    fn name(&self, state: u32) -> String {
        format!("{:?}", self.of(state).0)
    }
}

/// Verdict of the loop, and the number of abstract states of the counter, which is the last component.
fn decide(text: &str, counter: Counter) -> (Truth, u64) {
    let asked = Asked::new(text);
    let request = asked.request(Refinement { eager: false, ..Refinement::default() });
    let place = asked.system.components.len() - 1;
    let mut concretisations: Vec<Box<dyn Concretisation>> = Vec::new();
    let mut initial = Vec::new();
    for (component, part) in asked.system.components[..place].iter().enumerate() {
        let concrete =
            StateSets::new(&part.model, &asked.interface, component, Start::Merged(None));
        initial.push(concrete.block_of(part.model.init()[0]).expect("it is initial"));
        concretisations.push(Box::new(concrete));
    }
    initial.push((0..counter.states()).find(|&state| counter.is_initial(state)).expect("one is"));
    concretisations.push(Box::new(counter));
    let parts = concretisations.into_iter().enumerate().map(|(component, concrete)| {
        let signature = signature(&asked.system, &asked.interface, component);
        Abstraction::new(concrete, signature, false, &request.refinement)
    });
    let mut run = Run::new(&request, asked.question(&request), parts.collect(), vec![initial]);
    let outcome = run.decide().expect("there is no limit");
    let sizes = outcome.stats.abstract_states.expect("a refinement has them");
    let counter = sizes.iter().find(|size| size.component == "Counter").expect("it is needed");
    assert_eq!(counter.concrete_states, Some(VALUES));
    (outcome.verdict, counter.abstract_states)
}

/// A counter over one proposition of its own.
fn alone(moves: &[Move], initial: u64, holds: Range<u64>, property: &str) -> (Truth, u64) {
    let text = format!(
        "component Counter kmts {{ props p; init any; any: {{}} ?> any; }}
         property f: ctl {property};"
    );
    let joint = vec![Asked::new(&text).interface.joint.of(0, 0).to_vec()];
    let (props, states) = (vec![Set::from(holds)], vec![Set::from(0..VALUES)]);
    decide(&text, Counter { moves: moves.to_vec(), props, initial, states, joint })
}

/// 0 and the rest are distinguished and nothing else is: each value can be reset.
#[test]
fn a_counter_can_always_come_back() {
    assert_eq!(alone(&[Move::Next, Move::Reset], 7, 0..1, "AG EF p"), (Truth::True, 2));
}

/// Only a reset leads back, and it does not have to come.
#[test]
fn a_counter_need_not_come_back() {
    let (verdict, states) = alone(&[Move::Next, Move::Reset, Move::Double], 7, 0..1, "AG AF p");
    assert_eq!(verdict, Truth::False);
    assert!(states < 10, "{states}");
}

/// Doubling gets from 1 to the end in 40 steps, and no value is looked at by itself.
#[test]
fn doubling_comes_to_the_end() {
    let end = VALUES - 1..VALUES;
    let (verdict, states) = alone(&[Move::Double], 1, end.clone(), "AG !p");
    assert_eq!(verdict, Truth::False);
    assert!(states <= FEW, "{states}");
    assert_eq!(alone(&[Move::Double], 0, end, "EF p").0, Truth::False, "twice nothing is nothing");
}

/// With an explicit component, which sees whether the counter is at its end.
#[test]
fn two_concretisations_run_together() {
    for (rings, verdict) in [("full, bell", Truth::True), ("full", Truth::False)] {
        let text = format!(
            "component Alarm kripke {{ props full, bell; init quiet;
               quiet: {{}} -> quiet, loud; loud: {{{rings}}} -> loud, quiet; }}
             component Counter kmts {{ props full; init low;
               low: {{!full}} ?> low, high; high: {{full}} ?> low, high; }}
             system Alarm || Counter;
             property f: ctl AG (full -> bell) & EF full;"
        );
        let asked = Asked::new(&text);
        let joint = [0, 1].map(|state| asked.interface.joint.of(1, state).to_vec()).into();
        let (low, high) = (Set::from(0..VALUES - 1), Set::from(VALUES - 1..VALUES));
        let (props, states) = (vec![high.clone()], vec![low, high]);
        let moves = vec![Move::Double, Move::Reset];
        let (found, size) = decide(&text, Counter { moves, props, initial: 1, states, joint });
        assert_eq!(found, verdict);
        assert!(size <= FEW, "{size}");
    }
}

/// The pre-images against counting, around both ends.
#[test]
fn pre_images_are_right() {
    let step = |m: Move, value: u64| match m {
        Move::Next => (value + 1) % VALUES,
        Move::Reset => 0,
        Move::Double => (2 * value).min(VALUES - 1),
    };
    let near = [0..5, VALUES / 2 - 3..VALUES / 2 + 3, VALUES - 5..VALUES];
    let values: Vec<u64> = near.into_iter().flatten().collect();
    for m in [Move::Next, Move::Reset, Move::Double] {
        for &start in &values {
            for &last in values.iter().filter(|&&last| last >= start) {
                let counter = Counter {
                    moves: vec![m],
                    props: Vec::new(),
                    initial: 0,
                    states: vec![Set::from(start..last + 1)],
                    joint: Vec::new(),
                };
                let before = counter.before(&[0]);
                for &value in &values {
                    let hits = (start..=last).contains(&step(m, value));
                    let found = before.0.iter().any(|range| range.contains(&value));
                    assert_eq!(found, hits, "{value} to {start}..={last}");
                }
            }
        }
    }
}
