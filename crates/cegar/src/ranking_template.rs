//! Synthesis of a ranking function for one strongly connected component of the graph of steps, from templates.
//!
//! The terms of the predicates there are tried, and single variables. If a term changes by at most w(e) on each step e,
//! and no cycle of steps makes it larger, then offsets C of the states make up for what goes up in between: C(s) is the
//! most that the weights can add up to from s on. With weights N·w(e) + 1 for steps that are to make it smaller, and
//! N·w(e) for the others, N·term + C(s) is never made larger, and made smaller by these.

use crate::precision::Precision;
use crate::ranking::BoundHint;
use crate::reachability::{AbstractState, ReachabilityGraph};
use crate::scc::{Edge, potentials};
use crate::successors::Successors;
use rustc_hash::FxHashMap;
use smt::{Comparison, Excess, IntegerValue, LinearAtom, LinearFormula, Term, Variable};
use transition::integers::IntegerStep;

pub(crate) struct RankingSynthesis<'r, 's, 'a> {
    pub graph: &'r ReachabilityGraph,
    pub precision: &'r Precision,
    pub successors: &'s mut Successors<'a>,
    /// For parts without a ranking function: what decreases there, if it were only known to be bounded from below.
    pub hints: Vec<BoundHint>,
}

/// A term for each state of a part, the steps that make it smaller, and those that may make it larger.
pub(crate) struct RankedComponent {
    /// Terms that they are made of, with other factors and constants.
    pub bases: Vec<Term>,
    pub terms: Vec<(u32, Term)>,
    pub lowered: Vec<Edge>,
    pub raised: Vec<Edge>,
}

/// More terms than these are not tried on one part.
const MOST_CANDIDATES: usize = 48;
/// Up to so many terms are also added to each other.
const MOST_ADDED: usize = 10;

/// A step with the most that a term changes by, and whether it is known not to be negative before.
struct WeightedEdge {
    edge: Edge,
    /// `None` if it may become any larger.
    by: Option<i64>,
    is_bounded: bool,
}

impl WeightedEdge {
    fn falls(&self) -> bool {
        self.by.is_some_and(|by| by < 0)
    }

    fn rises(&self) -> bool {
        self.by.is_none_or(|by| by > 0)
    }
}

impl RankingSynthesis<'_, '_, '_> {
    /// Of the ranking functions that are tried, the one that the most steps make smaller. One that some steps make
    /// larger is the last resort: it helps a player who need not take these.
    pub fn rank(&mut self, part: &[Edge]) -> Option<RankedComponent> {
        let single = self.candidates(part);
        let weighed: Vec<(Term, Vec<WeightedEdge>)> = single
            .iter()
            .filter_map(|term| Some((term.clone(), self.weigh(term, part)?)))
            .collect();
        if let Some(found) = best(weighed.iter().filter_map(|(term, part)| ranked(term, part))) {
            return Some(found);
        }
        let first = &single[..single.len().min(MOST_ADDED)];
        let pairs = (0..first.len()).flat_map(|n| (0..n).map(move |m| (n, m)));
        let sums: Vec<Term> = pairs.filter_map(|(n, m)| first[n].plus(&first[m]).ok()).collect();
        let sums = sums.iter().filter_map(|term| ranked(term, &self.weigh(term, part)?));
        if let Some(found) = best(sums) {
            return Some(found);
        }
        if let Some(found) = self.synthesise(part) {
            return Some(found);
        }
        self.hint(&weighed, part);
        best(weighed.iter().filter_map(|(term, part)| ranked_in_part(term, part)))
    }

    /// Changes of a term by the steps of a component, if some decrease it.
    fn weigh(&mut self, term: &Term, part: &[Edge]) -> Option<Vec<WeightedEdge>> {
        let changes: Vec<Option<i64>> =
            part.iter().map(|&edge| change(term, self.taken(edge))).collect();
        // Changes that need no solver query come first.
        if changes.iter().all(|change| change.is_some_and(|by| by >= 0)) {
            return None;
        }
        let mut weighed = Vec::with_capacity(part.len());
        for (&edge, change) in part.iter().zip(changes) {
            let by = change.or_else(|| self.most(term, edge));
            weighed.push(WeightedEdge { edge, by, is_bounded: false });
        }
        if !weighed.iter().any(WeightedEdge::falls) {
            return None;
        }
        self.look_for_bounds(term, &mut weighed, WeightedEdge::falls);
        if !weighed.iter().any(|step| step.is_bounded)
            && offsets(&weighed, |step| step.by).is_some()
        {
            self.look_for_bounds(term, &mut weighed, |step| !step.falls());
        }
        Some(weighed)
    }

    /// Before which of some steps it is known that a term is not negative.
    fn look_for_bounds(
        &mut self,
        term: &Term,
        part: &mut [WeightedEdge],
        of: fn(&WeightedEdge) -> bool,
    ) {
        let bound = not_negative(term);
        for step in part.iter_mut().filter(|step| of(step)) {
            let AbstractState { location, bits } = self.graph.states[step.edge.0 as usize];
            step.is_bounded =
                self.successors.holds(self.precision, location, bits, &bound) == Some(true);
        }
    }

    pub(crate) fn taken(&self, (from, transition, _): Edge) -> &IntegerStep {
        let step = self.graph.transitions[from as usize][transition as usize].step;
        &self.successors.steps[step as usize]
    }

    /// The most that a step changes a term by, if it is known to be less than 1.
    fn most(&mut self, term: &Term, edge: Edge) -> Option<i64> {
        let falls_by = |by: i64, taken: &IntegerStep| -> Result<LinearFormula, Excess> {
            let before = IntegerValue::from(term.plus_constant(-by)?);
            taken.value(term)?.compared(Comparison::AtMost, &before)
        };
        for by in [1, 0] {
            let conclusion = falls_by(by, self.taken(edge)).ok()?;
            let step = self.graph.transitions[edge.0 as usize][edge.1 as usize].step;
            let states = [edge.0, edge.2].map(|state| self.graph.states[state as usize].bits);
            if self.successors.certainly(self.precision, step, states, &conclusion).ok()? {
                return Some(-by);
            }
        }
        None
    }

    /// Terms that the predicates of a component bound from below in some state, those of many locations first;
    /// then variables that change.
    fn candidates(&self, part: &[Edge]) -> Vec<Term> {
        let mut found: Vec<(usize, Term)> = Vec::new();
        for atom in
            self.locations(part).into_iter().flat_map(|location| self.precision.at(location))
        {
            let LinearAtom::AtMost(term) = atom else {
                continue;
            };
            for candidate in [Ok(term.negated()), term.plus_constant(-1)].into_iter().flatten() {
                match found.iter_mut().find(|(_, known)| *known == candidate) {
                    Some((count, _)) => *count += 1,
                    None => found.push((1, candidate)),
                }
            }
        }
        found.sort_by_key(|(count, _)| usize::MAX - count);
        found.truncate(MOST_CANDIDATES);
        let mut found: Vec<Term> = found.into_iter().map(|(_, term)| term).collect();
        found.extend(self.changed(part).into_iter().flat_map(|variable| {
            let up = Term::variable(variable);
            [up.negated(), up]
        }));
        found
    }

    fn locations(&self, part: &[Edge]) -> Vec<u32> {
        let location = |edge: &Edge| self.graph.states[edge.0 as usize].location;
        sorted(part.iter().map(location).collect())
    }

    fn changed(&self, part: &[Edge]) -> Vec<Variable> {
        sorted(part.iter().flat_map(|&edge| self.taken(edge).changed()).collect())
    }

    /// Records the bound with which a term would be a ranking function.
    fn hint(&mut self, candidates: &[(Term, Vec<WeightedEdge>)], part: &[Edge]) {
        let would_do = |weighed: &[WeightedEdge]| {
            let is_open = weighed.iter().any(|step| step.falls() && !step.is_bounded);
            is_open && offsets(weighed, |step| step.by).is_some()
        };
        let fitting = candidates.iter().find(|(_, weighed)| would_do(weighed));
        let locations = self.locations(part).into_iter();
        let bound = fitting.map(|(term, _)| not_negative(term));
        self.hints.extend(
            bound
                .into_iter()
                .flat_map(|bound| locations.clone().map(move |location| (location, bound.clone()))),
        );
    }
}

/// The one that the most steps make smaller, and the fewest larger.
fn best(found: impl Iterator<Item = RankedComponent>) -> Option<RankedComponent> {
    let mut best: Option<RankedComponent> = None;
    let merit = |ranked: &RankedComponent| (ranked.lowered.len(), usize::MAX - ranked.raised.len());
    for ranked in found {
        if best.as_ref().is_none_or(|known| merit(&ranked) > merit(known)) {
            best = Some(ranked);
        }
    }
    best
}

pub(crate) fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort_unstable();
    all.dedup();
    all
}

fn not_negative(term: &Term) -> LinearFormula {
    LinearFormula::at_most(&term.negated())
}

/// By how much a step changes a term, if that is always the same.
pub(crate) fn change(term: &Term, taken: &IntegerStep) -> Option<i64> {
    changed_by(term, taken)?.as_constant()
}

/// By how much a step changes a term, if that is linear and there is no choice.
pub(crate) fn changed_by(term: &Term, taken: &IntegerStep) -> Option<Term> {
    let by = taken.value(term).ok()?.as_term()?.minus(term).ok()?;
    let is_chosen = |(variable, _): &(Variable, i64)| taken.free.contains(variable);
    (!by.coefficients().iter().any(is_chosen)).then_some(by)
}

/// Terms for the states of a part that nothing makes larger: with as many steps that make them smaller as there can be,
/// or else with those that make the term itself smaller.
fn ranked(term: &Term, part: &[WeightedEdge]) -> Option<RankedComponent> {
    let count = part.len() as i64 + 1;
    let is_to_fall = |step: &WeightedEdge| step.is_bounded && step.falls();
    if !part.iter().any(|step| step.is_bounded) {
        return None;
    }
    let weight = |step: &WeightedEdge, is_to_fall: bool| {
        step.by?.checked_mul(count)?.checked_add(i64::from(is_to_fall))
    };
    if let Some(offsets) = offsets(part, |step| weight(step, step.is_bounded)) {
        return RankedComponent::new(term, count, &offsets, part, |step| step.is_bounded);
    }
    let offsets = offsets(part, |step| weight(step, is_to_fall(step)))?;
    let factor = if offsets.values().all(|&offset| offset == 0) { 1 } else { count };
    RankedComponent::new(term, factor, &offsets, part, is_to_fall)
}

/// The term itself for all states of a part, for a player who does not take the steps that make it larger.
fn ranked_in_part(term: &Term, part: &[WeightedEdge]) -> Option<RankedComponent> {
    let offsets = part.iter().map(|step| (step.edge.0, 0)).collect();
    let found =
        RankedComponent::new(term, 1, &offsets, part, |step| step.is_bounded && step.falls())?;
    let raised = part.iter().filter(|step| step.rises()).map(|step| step.edge).collect();
    Some(RankedComponent { raised, ..found })
}

impl RankedComponent {
    /// `None` if nothing makes it smaller, or a number does not fit.
    fn new(
        term: &Term,
        factor: i64,
        offsets: &FxHashMap<u32, i64>,
        part: &[WeightedEdge],
        is_lowered: impl Fn(&WeightedEdge) -> bool,
    ) -> Option<Self> {
        let times = term.times(factor).ok()?;
        let of = |(&state, &offset): (&u32, &i64)| Some((state, times.plus_constant(offset).ok()?));
        let mut terms: Vec<(u32, Term)> = offsets.iter().map(of).collect::<Option<_>>()?;
        terms.sort_unstable();
        let lowered = part.iter().filter(|step| is_lowered(step)).map(|step| step.edge);
        let lowered: Vec<Edge> = lowered.collect();
        let bases = vec![term.clone()];
        (!lowered.is_empty()).then_some(Self { bases, terms, lowered, raised: Vec::new() })
    }
}

/// Potentials for the states of a part, if all weights are known.
fn offsets(
    part: &[WeightedEdge],
    weight: impl Fn(&WeightedEdge) -> Option<i64>,
) -> Option<FxHashMap<u32, i64>> {
    let steps = part.iter().map(|step| Some((step.edge.0, step.edge.2, weight(step)?)));
    potentials(&steps.collect::<Option<Vec<_>>>()?)
}
