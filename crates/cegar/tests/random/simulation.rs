//! Abstractions against what they stand for: the program, state by state, is simulated by its abstraction for may steps, and
//! simulates it for must steps.

use crate::concrete::{after, holds, tuples};
use crate::programs::Subject;
use crate::{FEW, ask, question};
use cegar::{AbstractState, Precision, ReachabilityGraph};
use logic::Truth;
use smt::Embedded;
use std::cell::Cell;
use std::collections::HashMap;
use testkit::{Rng, for_seeds};

/// Values of the variables that are tried, and what is chosen where anything can be.
const VALUES: std::ops::RangeInclusive<i64> = -7..=7;
const CHOICES: std::ops::RangeInclusive<i64> = -60..=60;

struct Relation<'a> {
    subject: &'a Subject,
    region: &'a ReachabilityGraph,
    views: &'a Precision,
    numbers: HashMap<AbstractState, u32>,
    choices: Vec<i64>,
}

impl<'a> Relation<'a> {
    fn new(subject: &'a Subject, region: &'a ReachabilityGraph, views: &'a Precision) -> Self {
        let numbers = (0..).zip(&region.states).map(|(number, state)| (*state, number)).collect();
        Self { subject, region, views, numbers, choices: CHOICES.collect() }
    }

    /// The state that stands for a concrete one, if it is there.
    fn abstracted(&self, place: u32, values: &[i64]) -> Option<u32> {
        let of = |variable: smt::Variable| values[variable.0 as usize].into();
        let bit = |(index, atom): (usize, &smt::LinearAtom)| {
            u64::from(atom.holds(&of).expect("numbers are small")) << index
        };
        let bits = self.views.at(place).enumerate().map(bit).sum();
        self.numbers.get(&AbstractState { location: place, bits }).copied()
    }

    /// Whether all starts are there, and whether there are starts where that is certain.
    fn check_starts(&self) -> Result<(), String> {
        let (place, begins) = &self.subject.start;
        let mut found = vec![false; self.region.initial.len()];
        for values in tuples(self.subject.program.variables.len(), &self.choices_for_starts()) {
            if begins.holds(&|variable| values[variable.0 as usize].into()) != Some(true) {
                continue;
            }
            match self.abstracted(*place, &values) {
                Some(number) if (number as usize) < found.len() => found[number as usize] = true,
                _ => return Err(format!("{values:?} is a start, and nothing stands for it")),
            }
        }
        let empty =
            self.region.initial.iter().zip(&found).position(|(sure, found)| *sure && !found);
        match empty.filter(|_| self.subject.starts_inside) {
            Some(number) => Err(format!("state {number} stands for no start")),
            None => Ok(()),
        }
    }

    fn choices_for_starts(&self) -> Vec<i64> {
        match self.subject.program.variables.len() {
            1 => self.choices.clone(),
            _ => VALUES.collect(),
        }
    }

    /// Both simulations at a concrete state; how many must steps that was about.
    fn check(&self, place: u32, values: &[i64]) -> Result<u32, String> {
        let Some(number) = self.abstracted(place, values) else {
            return Ok(0);
        };
        self.check_labels(number, (place, values.to_vec()))?;
        let steps = self.subject.program.steps.iter().filter(|step| step.source == place);
        let next: Vec<(u32, Vec<i64>)> = steps
            .flat_map(|step| {
                after(step, values, &self.choices).into_iter().map(|new| (step.target, new))
            })
            .collect();
        let reached: Vec<Option<u32>> =
            next.iter().map(|(place, values)| self.abstracted(*place, values)).collect();
        let transitions = &self.region.transitions[number as usize];
        for (next, reached) in next.iter().zip(&reached) {
            let may = |number: &u32| {
                transitions.iter().any(|transition| transition.targets.contains(number))
            };
            if !reached.as_ref().is_some_and(may) {
                return Err(format!("no may step from {place} {values:?} to {next:?}"));
            }
        }
        let musts: Vec<&Vec<u32>> =
            transitions.iter().flat_map(|transition| &transition.musts).collect();
        for must in &musts {
            if !reached.iter().flatten().any(|number| must.contains(number)) {
                return Err(format!("{place} {values:?} has no step for the must step {must:?}"));
            }
        }
        Ok(musts.len() as u32)
    }

    fn check_labels(&self, number: u32, state: (u32, Vec<i64>)) -> Result<(), String> {
        let labels = &self.region.labels[number as usize];
        for ((name, meaning), label) in self.subject.propositions.iter().zip(labels) {
            let is_so = holds(meaning, &state);
            if label.is_definite() && *label != Truth::from(is_so) {
                return Err(format!("{name} is {is_so} in {state:?}, and {label:?} in {number}"));
            }
        }
        Ok(())
    }
}

impl Relation<'_> {
    fn check_all(&self) -> Result<u32, String> {
        self.check_starts()?;
        let (mut musts, values) = (0, VALUES.collect::<Vec<i64>>());
        for values in tuples(self.subject.program.variables.len(), &values) {
            for place in 0..self.subject.program.locations.len() as u32 {
                musts += self.check(place, &values)?;
            }
        }
        Ok(musts)
    }
}

/// A region with one may step less, or with one must step more that leads to a single state.
fn forged(region: &ReachabilityGraph, rng: &mut Rng) -> ReachabilityGraph {
    let mut region = region.clone();
    let transitions: Vec<(usize, usize)> = (0..region.transitions.len())
        .flat_map(|state| {
            (0..region.transitions[state].len()).map(move |transition| (state, transition))
        })
        .collect();
    let &(state, transition) = rng.pick(&transitions);
    let transition = &mut region.transitions[state][transition];
    let target = *rng.pick(&transition.targets);
    match rng.chance(0.5) {
        true => transition.targets.retain(|other| *other != target),
        false => transition.musts.push(vec![target]),
    }
    region
}

/// Some forgeries say nothing that is wrong: the step may be there twice, or the must step may be right.
#[test]
fn forgeries_are_seen() {
    let (forgeries, seen) = (Cell::new(0), Cell::new(0));
    for_seeds("integers-forgeries", 0..300, |rng, case| {
        let (subject, _, formula) = question(rng, case, false);
        let answer = ask(&subject, &formula, FEW, &mut Embedded::new(), true);
        let Some(shown) = &answer.evidence else {
            return Ok(());
        };
        if shown.graph.transitions.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let region = forged(&shown.graph, rng);
        forgeries.set(forgeries.get() + 1);
        let found = Relation::new(&subject, &region, &answer.precision).check_all();
        seen.set(seen.get() + u32::from(found.is_err()));
        Ok(())
    });
    println!("{} of {} forgeries seen", seen.get(), forgeries.get());
    assert!(forgeries.get() > 200 && seen.get() * 3 > forgeries.get());
}

#[test]
fn abstractions_mixed_simulate_programs() {
    let (regions, states, musts) = (Cell::new(0), Cell::new(0u64), Cell::new(0));
    for_seeds("integers-simulation", 0..2500, |rng, case| {
        let is_closed = rng.chance(0.3);
        let (subject, _, formula) = question(rng, case, is_closed);
        let answer = ask(&subject, &formula, FEW, &mut Embedded::new(), true);
        let Some(shown) = &answer.evidence else {
            return Ok(());
        };
        let relation = Relation::new(&subject, &shown.graph, &answer.precision);
        regions.set(regions.get() + 1);
        states.set(states.get() + shown.graph.states.len() as u64);
        musts.set(musts.get() + relation.check_all()?);
        Ok(())
    });
    println!("{} regions, {} states, {} musts", regions.get(), states.get(), musts.get());
    assert!(regions.get() > 1500, "{} regions", regions.get());
    assert!(musts.get() > 10_000, "{} musts", musts.get());
}
