//! Kripke structures of programs, as M Def. A.1 and A.2 make them.
//!
//! A location is what remains of the program, as the numbers of its commands: the paper has their text, which is
//! the same for different places now and then, and labels tell such places apart. The place `error` is ours.

use super::ast::{Choice, Expr, Target};
use super::flat::{Flat, FlatKind};
use super::values::Valuations;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Location {
    /// Empty where nothing remains: E of the paper.
    Rest(Vec<usize>),
    /// Where what has gone wrong stays.
    Error,
}

impl Location {
    /// `l; P`, for which E; P = P.
    pub fn followed_by(&self, commands: &[usize]) -> Self {
        match self {
            Location::Rest(rest) => Location::Rest([rest, commands].concat()),
            Location::Error => Location::Error,
        }
    }
}

/// The valuations before and after a step.
pub type Steps = BTreeSet<(usize, usize)>;

/// ⟨S, R, I⟩, where S is all locations with all valuations, and I one location with all that a program may start
/// with, or with all if it is a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Structure {
    pub locations: BTreeSet<Location>,
    /// Without those pairs of locations between which there are none.
    pub steps: BTreeMap<(Location, Location), Steps>,
    pub initial: Location,
}

impl Structure {
    /// struct(P), with `error`.
    pub fn of(flat: &Flat, valuations: &Valuations, commands: &[usize]) -> Self {
        let mut structure = Self::without_steps(remain(flat, commands), commands);
        structure.locations.insert(Location::Error);
        structure.steps = relation(flat, valuations, commands);
        let stays = (0..valuations.count()).map(|valuation| (valuation, valuation)).collect();
        structure.steps.insert((Location::Error, Location::Error), stays);
        structure
    }

    pub(super) fn without_steps(locations: BTreeSet<Location>, initial: &[usize]) -> Self {
        let initial = Location::Rest(initial.to_vec());
        Self { locations, steps: BTreeMap::new(), initial }
    }

    /// M^P: the same in the context of what follows.
    pub fn in_context(&self, commands: &[usize]) -> Self {
        Self {
            locations: self.locations.iter().map(|l| l.followed_by(commands)).collect(),
            steps: in_context(&self.steps, commands),
            initial: self.initial.followed_by(commands),
        }
    }

    /// The union that is not disjoint, of M Def. A.5.
    pub fn unite(&mut self, other: &Structure) {
        self.locations.extend(other.locations.iter().cloned());
        unite(&mut self.steps, other.steps.clone());
    }

    pub fn add(&mut self, from: Location, to: Location, steps: Steps) {
        unite(&mut self.steps, BTreeMap::from([((from, to), steps)]));
    }
}

type Relation = BTreeMap<(Location, Location), Steps>;

fn in_context(steps: &Relation, commands: &[usize]) -> Relation {
    let place =
        |(from, to): &(Location, Location)| (from.followed_by(commands), to.followed_by(commands));
    let mut result = Relation::new();
    for (pair, steps) in steps {
        result.entry(place(pair)).or_default().extend(steps);
    }
    result
}

fn unite(all: &mut Relation, more: Relation) {
    for (pair, steps) in more {
        if !steps.is_empty() {
            all.entry(pair).or_default().extend(steps);
        }
    }
}

// M Def. A.1, with `;` read from the left: a command and what follows on it.
fn remain(flat: &Flat, commands: &[usize]) -> BTreeSet<Location> {
    let mut locations = BTreeSet::from([Location::Rest(commands.to_vec())]);
    let Some((&first, rest)) = commands.split_first() else { return locations };
    if !rest.is_empty() {
        locations.extend(remain(flat, &[first]).iter().map(|l| l.followed_by(rest)));
        locations.extend(remain(flat, rest));
        return locations;
    }
    match &flat.commands[first].kind {
        FlatKind::Fin => {}
        FlatKind::Skip | FlatKind::Assign(..) => {
            locations.insert(Location::Rest(Vec::new()));
        }
        FlatKind::If { then, otherwise, .. } => {
            locations.extend(remain(flat, then));
            locations.extend(remain(flat, otherwise));
        }
        FlatKind::While { body, .. } => {
            locations.insert(Location::Rest(Vec::new()));
            locations.extend(remain(flat, body).iter().map(|l| l.followed_by(commands)));
        }
    }
    locations
}

// M Def. A.2.
fn relation(flat: &Flat, valuations: &Valuations, commands: &[usize]) -> Relation {
    let Some((&first, rest)) = commands.split_first() else { return Relation::new() };
    if !rest.is_empty() {
        let mut steps = in_context(&relation(flat, valuations, &[first]), rest);
        unite(&mut steps, relation(flat, valuations, rest));
        return steps;
    }
    let here = Location::Rest(commands.to_vec());
    let end = Location::Rest(Vec::new());
    let mut steps = Relation::new();
    match &flat.commands[first].kind {
        FlatKind::Fin => unite(&mut steps, stays(valuations, here.clone(), here)),
        FlatKind::Skip => unite(&mut steps, stays(valuations, here, end)),
        FlatKind::Assign(target, choice) => {
            let (set, wrong) = assigned(valuations, target, choice);
            unite(&mut steps, Relation::from([((here.clone(), end), set)]));
            unite(&mut steps, Relation::from([((here, Location::Error), wrong)]));
        }
        FlatKind::If { test, then, otherwise } => {
            let places = [then, otherwise].map(|block| Location::Rest(block.clone()));
            unite(&mut steps, tested(valuations, test, &here, places));
            unite(&mut steps, relation(flat, valuations, then));
            unite(&mut steps, relation(flat, valuations, otherwise));
        }
        FlatKind::While { test, body } => {
            let again = Location::Rest([body, commands].concat());
            unite(&mut steps, tested(valuations, test, &here, [again, end]));
            unite(&mut steps, in_context(&relation(flat, valuations, body), commands));
        }
    }
    steps
}

fn stays(valuations: &Valuations, from: Location, to: Location) -> Relation {
    let all = (0..valuations.count()).map(|valuation| (valuation, valuation));
    Relation::from([((from, to), all.collect())])
}

/// The steps that set the variable, and those that go wrong.
fn assigned(valuations: &Valuations, target: &Target, choice: &Choice) -> (Steps, Steps) {
    let (mut set, mut wrong) = (Steps::new(), Steps::new());
    for valuation in 0..valuations.count() {
        let Some(place) = valuations.place(valuation, target) else {
            wrong.insert((valuation, valuation));
            continue;
        };
        let Choice::OneOf(values) = choice else {
            set.extend(valuations.any(valuation, place).iter().map(|&next| (valuation, next)));
            continue;
        };
        for value in values {
            let value = valuations.evaluate(valuation, value);
            match value.and_then(|value| valuations.set(valuation, place, value)) {
                Some(next) => set.insert((valuation, next)),
                None => wrong.insert((valuation, valuation)),
            };
        }
    }
    (set, wrong)
}

/// Where a condition leads: to the first place if it holds, to the second if not.
fn tested(
    valuations: &Valuations,
    test: &Expr,
    here: &Location,
    [yes, no]: [Location; 2],
) -> Relation {
    let mut steps = Relation::new();
    let ways = [(Some(1), yes), (Some(0), no), (None, Location::Error)];
    for (value, to) in ways {
        let taken = step_if(valuations, test, value);
        unite(&mut steps, Relation::from([((here.clone(), to), taken)]));
    }
    steps
}

/// Nothing changes, where the condition has this value.
pub(super) fn step_if(valuations: &Valuations, test: &Expr, value: Option<i64>) -> Steps {
    let all = (0..valuations.count()).map(|valuation| (valuation, valuation));
    all.filter(|&(valuation, _)| valuations.evaluate(valuation, test) == value).collect()
}
