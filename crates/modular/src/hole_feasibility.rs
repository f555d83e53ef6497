//! Whether a program satisfies the assumption about a hole, from every entry that the assumption allows: the states of
//! the tableau that some tree of steps goes out from (Emerson and Clarke 1982).

use crate::evaluator::Evaluator;
use crate::sets::ValuationSets;
use support::{IdVec, Stopped};
use transition::cfg::{
    Assumed, Cfg, CfgTarget, CommandKind, HoleCase, HoleFormulaId, HoleGroup, HoleId, LocationId,
    Program,
};

/// A hole that no program can fill as is assumed of it.
pub fn impossible<S: ValuationSets>(
    program: &Program,
    assumed: &[Assumed],
    evaluator: &mut Evaluator<S>,
) -> Result<Option<HoleId>, Stopped> {
    for (command, written) in program.commands.iter() {
        let CommandKind::Hole { hole, .. } = &written.kind else { continue };
        let Some(own) = assumed.iter().find(|own| own.hole == *hole) else { continue };
        let cfg = Cfg::of(program, assumed, &[command]);
        let allowed = evaluator.sets.holds(own.applies)?;
        let satisfied = Satisfied::new(&cfg, evaluator)?.at(cfg.entry).clone();
        let stuck = evaluator.sets.minus(&allowed, &satisfied)?;
        if !evaluator.sets.is_empty(&stuck) {
            return Ok(Some(*hole));
        }
    }
    Ok(None)
}

/// By location of a hole, the valuations from which a program can go on as is assumed.
type Sets<T> = IdVec<LocationId, T>;

struct Satisfied<'c, S: ValuationSets> {
    cfg: &'c Cfg,
    steps: Sets<Vec<S::Step>>,
    sets: Sets<S::Set>,
}

impl<'c, S: ValuationSets> Satisfied<'c, S> {
    /// The greatest sets from which there are steps that stay in them, and from which every until can be fulfilled.
    fn new(cfg: &'c Cfg, evaluator: &mut Evaluator<S>) -> Result<Self, Stopped> {
        let mut steps = IdVec::new();
        for location in cfg.locations.values() {
            let own = location.edges.iter().map(|edge| evaluator.sets.step(edge));
            steps.push(own.collect::<Result<Vec<_>, _>>()?);
        }
        let sets = cfg.locations.iter().map(|_| evaluator.sets.all()).collect();
        let mut found = Self { cfg, steps, sets };
        loop {
            let before = found.sets.clone();
            found.sets = found.with_steps(None, &found.sets, evaluator)?;
            for until in found.untils() {
                found.sets = found.fulfilling(until, evaluator)?;
            }
            if before.values().eq(found.sets.values()) {
                return Ok(found);
            }
        }
    }

    fn at(&self, location: LocationId) -> &S::Set {
        &self.sets[location]
    }

    /// Everything that some case postpones.
    fn untils(&self) -> Vec<HoleFormulaId> {
        let in_hole = self.cfg.locations.values().filter_map(|location| location.in_hole.as_ref());
        let groups = in_hole.flat_map(|in_hole| &in_hole.cases).flat_map(|case| &case.groups);
        let mut found: Vec<HoleFormulaId> =
            groups.flat_map(|group| group.postponed.iter().copied()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The least sets from which an until is fulfilled after finitely many steps, or is none that has to be.
    fn fulfilling(
        &self,
        until: HoleFormulaId,
        evaluator: &mut Evaluator<S>,
    ) -> Result<Sets<S::Set>, Stopped> {
        let none = evaluator.sets.none();
        let mut sets: Sets<S::Set> = self.cfg.locations.iter().map(|_| none.clone()).collect();
        loop {
            let grown = self.with_steps(Some(until), &sets, evaluator)?;
            if grown.values().eq(sets.values()) {
                return Ok(sets);
            }
            sets = grown;
        }
    }

    /// From where the groups of some case have a step each: those that postpone the until into its sets, the others
    /// into the known ones.
    fn with_steps(
        &self,
        until: Option<HoleFormulaId>,
        sets: &Sets<S::Set>,
        evaluator: &mut Evaluator<S>,
    ) -> Result<Sets<S::Set>, Stopped> {
        let mut found = IdVec::new();
        for (location, place) in self.cfg.locations.iter() {
            let mut some = evaluator.sets.none();
            for case in place.in_hole.iter().flat_map(|in_hole| &in_hole.cases) {
                let good = self.in_case(location, case, (until, sets), evaluator)?;
                some = evaluator.sets.or(&some, &good)?;
            }
            found.push(some);
        }
        Ok(found)
    }

    fn in_case(
        &self,
        location: LocationId,
        case: &HoleCase,
        (until, sets): (Option<HoleFormulaId>, &Sets<S::Set>),
        evaluator: &mut Evaluator<S>,
    ) -> Result<S::Set, Stopped> {
        let mut rest = self.sets[location].clone();
        for group in &case.groups {
            let postpones = until.is_some_and(|until| group.postponed.contains(&until));
            let there = if postpones { sets } else { &self.sets };
            rest = self.led(location, group, there, &rest, evaluator)?;
        }
        Ok(rest)
    }

    /// Those of `within` from which some edge of the group leads there; every way out will do.
    fn led(
        &self,
        location: LocationId,
        group: &HoleGroup,
        there: &Sets<S::Set>,
        within: &S::Set,
        evaluator: &mut Evaluator<S>,
    ) -> Result<S::Set, Stopped> {
        let mut found = evaluator.sets.none();
        let edges = &self.cfg.locations[location].edges[group.edges.clone()];
        for (edge, step) in edges.iter().zip(&self.steps[location][group.edges.clone()]) {
            let target = match edge.to {
                CfgTarget::Inside(to) => there[to].clone(),
                CfgTarget::Exit(_) | CfgTarget::Error => evaluator.sets.all(),
            };
            let more = evaluator.sets.before(step, &target, within)?;
            found = evaluator.sets.or(&found, &more)?;
        }
        Ok(found)
    }
}
