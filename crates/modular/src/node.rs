//! Model checking under assumptions (M Def. 2.5 and 2.6) of one node of a partition graph: the values of all
//! subformulas at all its locations, given the assumption on its exits.
//!
//! A condition with a yes-edge and a no-edge is a node too, of one location and two exits: then this is the
//! operation T of M Def. 5.1, with the E-until case consulting its own assumption (as printed it consults that of
//! the A-until). The paper's ending states are the exits here: they have no steps in the node, and their values are the
//! assumption.
//!
//! An until is computed backwards from where it holds, in the order of the locations, until nothing changes. In a
//! node without loops that is once for each location.

#[cfg(test)]
mod tests;

use crate::assumption::Assumption;
use crate::evaluator::{Evaluator, LabelledLocation};
use crate::sets::ValuationSets;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use support::{Id, IdVec, Stopped};
use transition::cfg::{
    Bound, Cfg, CfgTarget, FormulaId, HoleCase, HoleFormulaId, HoleLocation, Location, LocationId,
    Operator, Temporal, TemporalId,
};

pub struct CheckedNode<S: ValuationSets> {
    cfg: Cfg,
    steps: IdVec<LocationId, Vec<S::Step>>,
    sources: IdVec<LocationId, Vec<LocationId>>,
    /// By location and temporal formula.
    values: IdVec<LocationId, Vec<Option<S::Set>>>,
    /// For the levels that have been computed, what was assumed of the exits.
    computed: Vec<Vec<Assumption<S::Set>>>,
}

/// Where an until that is being computed holds already, may come to hold, and has to hold at once.
struct Until<T> {
    id: TemporalId,
    /// f without g, for f U g.
    left_only: IdVec<LocationId, T>,
    goal: IdVec<LocationId, T>,
}

impl<S: ValuationSets> CheckedNode<S> {
    pub fn new(cfg: Cfg, evaluator: &mut Evaluator<S>) -> Result<Self, Stopped> {
        let mut steps = IdVec::new();
        for location in cfg.locations.values() {
            let own = location.edges.iter().map(|edge| evaluator.sets.step(edge));
            steps.push(own.collect::<Result<Vec<_>, _>>()?);
        }
        let count = evaluator.closure.temporals.len();
        let values = cfg.locations.iter().map(|_| vec![None; count]).collect();
        Ok(Self { steps, sources: cfg.sources(), values, cfg, computed: Vec::new() })
    }

    pub fn cfg(&self) -> &Cfg {
        &self.cfg
    }

    pub fn get(&self, location: LocationId, id: TemporalId) -> Option<&S::Set> {
        self.values[location][id.index()].as_ref()
    }

    /// Values at the entry, as far as they are computed.
    pub fn entry(&self, evaluator: &Evaluator<S>) -> Assumption<S::Set> {
        let entry = self.cfg.entry;
        let mut found =
            Assumption::unknown(self.cfg.locations[entry].labels.clone(), evaluator.closure);
        for id in evaluator.closure.temporals.ids() {
            if let Some(set) = self.get(entry, id) {
                found.set(id, set.clone());
            }
        }
        found
    }

    /// How many bytes the steps and the sets take.
    pub fn bytes(&self, sets: &S) -> u64 {
        let steps = self.steps.values().flatten().map(|step| sets.bytes_of_step(step)).sum::<u64>();
        let values = self.values.values().flatten().flatten();
        steps + values.map(|set| sets.bytes_of(set)).sum::<u64>()
    }

    /// Computes all formulas up to a level. What was computed for the same assumptions before stays, and for
    /// larger ones it is a beginning.
    pub fn evaluate(
        &mut self,
        exits: &[&Assumption<S::Set>],
        level: usize,
        evaluator: &mut Evaluator<S>,
    ) -> Result<(), Stopped> {
        for at in 0..=level {
            if self.is_computed(at, exits, evaluator) {
                continue;
            }
            let is_beginning = self.is_beginning(at, exits, evaluator)?;
            self.computed.truncate(at);
            for id in evaluator.closure.levels[at].clone() {
                if !is_beginning {
                    self.forget(id);
                }
                self.temporal(id, exits, evaluator)?;
            }
            self.computed
                .push(exits.iter().map(|exit| exit.up_to(at, evaluator.closure)).collect());
        }
        Ok(())
    }

    fn forget(&mut self, id: TemporalId) {
        for location in self.cfg.locations.ids() {
            self.values[location][id.index()] = None;
        }
    }

    fn is_computed(
        &self,
        level: usize,
        exits: &[&Assumption<S::Set>],
        evaluator: &Evaluator<S>,
    ) -> bool {
        let ids = &evaluator.closure.levels[level];
        self.computed.get(level).is_some_and(|before| {
            let mut pairs = before.iter().zip(exits);
            pairs.all(|(before, now)| {
                before.labels == now.labels && ids.iter().all(|&id| before.get(id) == now.get(id))
            })
        })
    }

    /// Whether the untils of a level can be computed from where they are: everything below is the same, and
    /// what is assumed has only grown.
    fn is_beginning(
        &self,
        level: usize,
        exits: &[&Assumption<S::Set>],
        evaluator: &mut Evaluator<S>,
    ) -> Result<bool, Stopped> {
        let Some(before) = self.computed.get(level) else { return Ok(false) };
        let ids = &evaluator.closure.levels[level];
        for (before, now) in before.iter().zip(exits) {
            if before.labels != now.labels || !before.is_within(now, ids, &mut evaluator.sets)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn temporal(
        &mut self,
        id: TemporalId,
        exits: &[&Assumption<S::Set>],
        evaluator: &mut Evaluator<S>,
    ) -> Result<(), Stopped> {
        let temporal = evaluator.closure.temporals[id];
        match temporal.operator {
            Operator::Next(formula) => self.next(id, temporal, formula, exits, evaluator),
            Operator::Until(f, g) => {
                let goal = self.everywhere(g, evaluator)?;
                let mut left_only = self.everywhere(f, evaluator)?;
                for (location, goal) in goal.iter() {
                    left_only[location] = evaluator.sets.minus(&left_only[location], goal)?;
                }
                self.until(Until { id, left_only, goal }, temporal, exits, evaluator)
            }
        }
    }

    // M Def. 2.5, AX and EX.
    fn next(
        &mut self,
        id: TemporalId,
        temporal: Temporal,
        formula: FormulaId,
        exits: &[&Assumption<S::Set>],
        evaluator: &mut Evaluator<S>,
    ) -> Result<(), Stopped> {
        let inside = self.everywhere(formula, evaluator)?;
        let outside = exits.iter().map(|exit| evaluator.assumed(formula, exit));
        let outside: Vec<S::Set> = outside.collect::<Result<_, _>>()?;
        let error = evaluator.at_error(formula)?;
        for location in self.cfg.locations.ids() {
            let target = |place: CfgTarget, _: &[_]| match place {
                CfgTarget::Inside(to) => inside[to].clone(),
                CfgTarget::Exit(exit) => outside[exit as usize].clone(),
                CfgTarget::Error => error.clone(),
            };
            let all = evaluator.sets.all();
            let value = self.before(location, temporal, target, all, evaluator)?;
            self.values[location][id.index()] = Some(value);
        }
        Ok(())
    }

    // M Def. 2.5, A(f U g) and E(f U g), as least fixpoints.
    fn until(
        &mut self,
        until: Until<S::Set>,
        temporal: Temporal,
        exits: &[&Assumption<S::Set>],
        evaluator: &mut Evaluator<S>,
    ) -> Result<(), Stopped> {
        for (location, goal) in until.goal.iter() {
            let value = &mut self.values[location][until.id.index()];
            value.get_or_insert_with(|| goal.clone());
        }
        let mut waits: IdVec<LocationId, bool> = self.cfg.locations.iter().map(|_| true).collect();
        let mut queue: BinaryHeap<Reverse<LocationId>> =
            self.cfg.locations.ids().map(Reverse).collect();
        while let Some(Reverse(location)) = queue.pop() {
            waits[location] = false;
            let mut has_grown = self.grow(location, &until, temporal, exits, evaluator)?;
            let in_hole = self.cfg.locations[location].in_hole.as_ref();
            let in_hole = in_hole.filter(|_| temporal.bound == Bound::Certain);
            for fulfilled in in_hole.map(HoleLocation::postponed).unwrap_or_default() {
                let setting = (location, fulfilled);
                has_grown |= self.grow_ending(setting, &until, temporal, exits, evaluator)?;
            }
            if !has_grown {
                continue;
            }
            for &source in &self.sources[location] {
                if !std::mem::replace(&mut waits[source], true) {
                    queue.push(Reverse(source));
                }
            }
        }
        Ok(())
    }

    /// Adds to a location what follows from what comes after it; whether that is something.
    fn grow(
        &mut self,
        location: LocationId,
        until: &Until<S::Set>,
        temporal: Temporal,
        exits: &[&Assumption<S::Set>],
        evaluator: &mut Evaluator<S>,
    ) -> Result<bool, Stopped> {
        let none = evaluator.sets.none();
        let old = self.values[location][until.id.index()].clone().unwrap_or_else(|| none.clone());
        let open = evaluator.sets.minus(&until.left_only[location], &old)?;
        if evaluator.sets.is_empty(&open) {
            return Ok(false);
        }
        let error = evaluator.error.get(until.id).cloned().unwrap_or_else(|| evaluator.sets.none());
        let new = {
            let target =
                |place: CfgTarget, _: &[_]| self.target(place, until.id, exits, [&error, &none]);
            self.before(location, temporal, target, open, evaluator)?
        };
        if evaluator.sets.is_empty(&new) {
            return Ok(false);
        }
        let grown = evaluator.sets.or(&old, &new)?;
        self.values[location][until.id.index()] = Some(grown);
        Ok(true)
    }

    /// Fixpoint inside of a hole in which something is fulfilled after finitely many steps. The self-loops that postpone
    /// it are not taken for ever, so it is the greatest set that these steps stay in, and not the least. Whether
    /// something was added.
    fn grow_ending(
        &mut self,
        (location, fulfilled): (LocationId, HoleFormulaId),
        until: &Until<S::Set>,
        temporal: Temporal,
        exits: &[&Assumption<S::Set>],
        evaluator: &mut Evaluator<S>,
    ) -> Result<bool, Stopped> {
        let none = evaluator.sets.none();
        let old = self.values[location][until.id.index()].clone().unwrap_or_else(|| none.clone());
        let error = evaluator.error.get(until.id).cloned().unwrap_or_else(|| none.clone());
        let mut candidate = evaluator.sets.or(&until.left_only[location], &until.goal[location])?;
        loop {
            let stay = {
                let target = |place: CfgTarget, postponed: &[HoleFormulaId]| match place {
                    CfgTarget::Inside(to) if to == location && postponed.contains(&fulfilled) => {
                        candidate.clone()
                    }
                    _ => self.target(place, until.id, exits, [&error, &none]),
                };
                let left = until.left_only[location].clone();
                self.before(location, temporal, target, left, evaluator)?
            };
            let smaller = evaluator.sets.or(&until.goal[location], &stay)?;
            if smaller == candidate {
                break;
            }
            candidate = smaller;
        }
        let new = evaluator.sets.minus(&candidate, &old)?;
        if evaluator.sets.is_empty(&new) {
            return Ok(false);
        }
        let grown = evaluator.sets.or(&old, &candidate)?;
        self.values[location][until.id.index()] = Some(grown);
        Ok(true)
    }

    fn target(
        &self,
        place: CfgTarget,
        id: TemporalId,
        exits: &[&Assumption<S::Set>],
        [error, none]: [&S::Set; 2],
    ) -> S::Set {
        let known = match place {
            CfgTarget::Inside(to) => self.get(to, id),
            CfgTarget::Exit(exit) => exits[exit as usize].get(id),
            CfgTarget::Error => Some(error),
        };
        debug_assert!(known.is_some(), "{id:?} is needed before it is known");
        known.unwrap_or(none).clone()
    }

    /// Those of `within` for which all steps, or some, lead into the targets.
    fn before(
        &self,
        location: LocationId,
        temporal: Temporal,
        target: impl Fn(CfgTarget, &[HoleFormulaId]) -> S::Set,
        within: S::Set,
        evaluator: &mut Evaluator<S>,
    ) -> Result<S::Set, Stopped> {
        let Location { edges, in_hole, .. } = &self.cfg.locations[location];
        let Some(in_hole) = in_hole else {
            let target = |to| target(to, &[]);
            return self.led(location, 0..edges.len(), temporal.is_all, &target, within, evaluator);
        };
        let is_certain = temporal.bound == Bound::Certain;
        let mut found = if is_certain { within.clone() } else { evaluator.sets.none() };
        for case in &in_hole.cases {
            let mut here = within.clone();
            if let Some(guard) = case.guard {
                let guard = evaluator.sets.holds(guard)?;
                here = evaluator.sets.and(&here, &guard)?;
            }
            let good = self.in_case(location, case, temporal, &target, here.clone(), evaluator)?;
            found = match is_certain {
                true => {
                    let lost = evaluator.sets.minus(&here, &good)?;
                    evaluator.sets.minus(&found, &lost)?
                }
                false => evaluator.sets.or(&found, &good)?,
            };
        }
        Ok(found)
    }

    /// As [`before`](Self::before), in one case of a location in a hole. The steps that a program makes there are some
    /// of the edges, one at least of each group. So all steps surely lead into the targets if all edges do, and some
    /// step does if all edges of a group do. Maybe all steps do, if some edge of each group does.
    fn in_case(
        &self,
        location: LocationId,
        case: &HoleCase,
        temporal: Temporal,
        target: &impl Fn(CfgTarget, &[HoleFormulaId]) -> S::Set,
        within: S::Set,
        evaluator: &mut Evaluator<S>,
    ) -> Result<S::Set, Stopped> {
        let is_certain = temporal.bound == Bound::Certain;
        let needs_one_group = temporal.is_all == is_certain;
        let groups = if needs_one_group { &case.groups[..1] } else { &case.groups[..] };
        let (mut rest, mut found) = (within, evaluator.sets.none());
        for group in groups {
            let target = |to| target(to, &group.postponed);
            let edges = group.edges.clone();
            let good = self.led(location, edges, is_certain, &target, rest.clone(), evaluator)?;
            if is_certain {
                found = evaluator.sets.or(&found, &good)?;
                rest = evaluator.sets.minus(&rest, &good)?;
            } else {
                rest = good;
            }
        }
        Ok(if is_certain { found } else { rest })
    }

    /// Those of `within` for which all of these edges, or some, lead into the targets.
    fn led(
        &self,
        location: LocationId,
        edges: Range<usize>,
        is_all: bool,
        target: &impl Fn(CfgTarget) -> S::Set,
        within: S::Set,
        evaluator: &mut Evaluator<S>,
    ) -> Result<S::Set, Stopped> {
        let mut rest = within;
        let mut found = evaluator.sets.none();
        let own = &self.cfg.locations[location].edges[edges.clone()];
        for (edge, step) in own.iter().zip(&self.steps[location][edges]) {
            if evaluator.sets.is_empty(&rest) {
                break;
            }
            let target = target(edge.to);
            if is_all {
                let all = evaluator.sets.all();
                let elsewhere = evaluator.sets.minus(&all, &target)?;
                let lost = evaluator.sets.before(step, &elsewhere, &rest)?;
                rest = evaluator.sets.minus(&rest, &lost)?;
            } else {
                let more = evaluator.sets.before(step, &target, &rest)?;
                found = evaluator.sets.or(&found, &more)?;
                rest = evaluator.sets.minus(&rest, &more)?;
            }
        }
        Ok(if is_all { rest } else { found })
    }

    /// Where a formula holds at each location, its temporal parts being known.
    fn everywhere(
        &self,
        formula: FormulaId,
        evaluator: &mut Evaluator<S>,
    ) -> Result<IdVec<LocationId, S::Set>, Stopped> {
        let ids = self.cfg.locations.ids();
        ids.map(|location| self.value(location, formula, evaluator)).collect()
    }

    pub fn value(
        &self,
        location: LocationId,
        formula: FormulaId,
        evaluator: &mut Evaluator<S>,
    ) -> Result<S::Set, Stopped> {
        let place = &self.cfg.locations[location];
        let temporal = |id| self.get(location, id).cloned();
        let unsure = place.in_hole.as_ref().map_or(&[][..], |in_hole| &in_hole.labels);
        let at_location = LabelledLocation {
            labels: &place.labels,
            unsure,
            is_error: false,
            temporal: &temporal,
        };
        evaluator.value(formula, &at_location)
    }
}
