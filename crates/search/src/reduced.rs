//! The compiled successor function with fewer states: what [`Reduction`] says may be left out is.
//!
//! A step of the reduced system is a chain of steps of the system, through states that are not stored. Both the choice
//! among steps and the chains depend on the state alone.

use crate::Successors;
use crate::compiled::CompiledSystem;
use crate::reduction::{Reduction, Reductions};
use rustc_hash::FxHashSet;
use support::Monitor;
use transition::{InterleavedSteps, Machine, NodeId, Slice, StepError};

/// A system of processes that interleave, reduced for some propositions.
pub struct ReducedSystem {
    system: CompiledSystem,
    reduction: Reduction,
    wanted: Reductions,
    /// The steps that suffice from the state that is expanded, and where they lead.
    direct: Rows,
    /// Whether there is one but the stutter step.
    is_enabled: bool,
    chains: Chains,
}

/// States with the steps that lead to them.
#[derive(Default)]
struct Rows {
    words: usize,
    steps: Vec<u32>,
    rows: Vec<u64>,
}

impl Rows {
    fn len(&self) -> usize {
        self.steps.len()
    }

    fn get(&self, index: usize) -> &[u64] {
        &self.rows[index * self.words..][..self.words]
    }

    fn push(&mut self, step: u32, row: &[u64]) {
        self.steps.push(step);
        self.rows.extend_from_slice(row);
    }

    fn clear(&mut self) {
        self.steps.clear();
        self.rows.clear();
    }
}

/// Chains of steps through states that are not stored, depth first.
#[derive(Default)]
struct Chains {
    first: u32,
    /// A step with the place of the one before it, from 1; 0 if it is the first.
    links: Vec<(u32, u32)>,
    /// States that are to be followed, with the places of the last steps.
    open: Rows,
    /// The state that is followed.
    row: Vec<u64>,
    next: Rows,
    /// The states that chains fork to.
    seen: FxHashSet<Vec<u64>>,
}

impl Chains {
    fn follow(&mut self, before: u32) {
        for index in 0..self.next.len() {
            let row = self.next.get(index);
            // Where chains fork they may meet again.
            if self.next.len() > 1 && !self.seen.insert(row.to_vec()) {
                continue;
            }
            self.links.push((before, self.next.steps[index]));
            self.open.push(self.links.len() as u32, row);
        }
    }

    /// The steps that led to a place, in order.
    fn steps(&self, mut place: u32) -> Vec<u32> {
        let mut steps = Vec::new();
        while let Some(&(before, step)) =
            place.checked_sub(1).and_then(|at| self.links.get(at as usize))
        {
            steps.push(step);
            place = before;
        }
        steps.reverse();
        steps
    }
}

impl ReducedSystem {
    /// Reduces a slice for some propositions, those that can be asked; `None` if one of them can be a run-time error.
    pub fn new(
        machine: &Machine,
        slice: &Slice,
        (of, wanted): (&InterleavedSteps, Reductions),
        propositions: &[NodeId],
    ) -> Option<Self> {
        let mut system = CompiledSystem::new(machine, slice, propositions)?;
        system.set_processes(of);
        let (machine, layout) = (&system.commands.machine, &system.commands.layout);
        let reduction = Reduction::new((machine, slice, layout), of, propositions, wanted);
        let words = system.words();
        let rows = || Rows { words, ..Rows::default() };
        let chains =
            Chains { open: rows(), next: rows(), row: vec![0; words], ..Chains::default() };
        Some(Self { system, reduction, wanted, direct: rows(), is_enabled: false, chains })
    }

    /// The system without reductions.
    pub fn full(&mut self) -> &mut CompiledSystem {
        &mut self.system
    }

    /// The run of the full system behind a path of the reduced one.
    pub fn run_behind(
        &mut self,
        path: &[&[u64]],
        monitor: &Monitor,
    ) -> Result<Vec<Vec<u64>>, StepError> {
        let Some(first) = path.first() else { return Ok(Vec::new()) };
        let mut run: Vec<Vec<u64>> = Vec::new();
        let reduction = &self.reduction;
        self.system.initial(monitor, |row| {
            let mut reset = row.to_vec();
            reduction.reset_dead(&mut reset);
            if reset == *first && run.is_empty() {
                run.push(row.to_vec());
            }
            Ok(())
        })?;
        for pair in path.windows(2) {
            let mut steps = None;
            self.chains_from(pair[0], monitor, |chains, place, row| {
                if row == pair[1] && steps.is_none() {
                    steps = Some(chains.steps(place));
                }
                Ok(())
            })?;
            for wanted in steps.into_iter().flatten() {
                let mut next = None;
                if let Some(state) = run.last() {
                    self.system.successors(state, monitor, |step, row| {
                        if step == wanted {
                            next = Some(row.to_vec());
                        }
                        Ok(())
                    })?;
                }
                run.extend(next);
            }
        }
        Ok(run)
    }

    /// Visits the ends of all chains from a state.
    fn chains_from(
        &mut self,
        state: &[u64],
        monitor: &Monitor,
        mut found: impl FnMut(&Chains, u32, &[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.expand(state, monitor)?;
        for index in 0..self.direct.len() {
            let Self { direct, chains, .. } = self;
            chains.links.clear();
            chains.seen.clear();
            chains.open.clear();
            chains.first = direct.steps[index];
            chains.links.push((0, chains.first));
            chains.open.push(1, direct.get(index));
            self.follow_chains(monitor, &mut found)?;
        }
        Ok(())
    }

    /// Computes an ample set of steps from a state, or all.
    fn expand(&mut self, state: &[u64], monitor: &Monitor) -> Result<(), StepError> {
        let Self { system, reduction, direct, .. } = self;
        self.is_enabled = true;
        if let Some(holder) = reduction.holder(state) {
            steps_of(system, (holder, state), direct)?;
            if direct.len() > 0 {
                return Ok(());
            }
        }
        if self.wanted.ample_sets {
            for process in reduction.candidates(state) {
                steps_of(system, (process, state), direct)?;
                let fails = |index| reduction.has_failed(direct.get(index));
                if direct.len() > 0 && !(0..direct.len()).any(fails) {
                    return Ok(());
                }
            }
        }
        direct.clear();
        system.successors(state, monitor, |step, row| {
            direct.push(step, row);
            Ok(())
        })?;
        self.is_enabled = system.is_enabled();
        Ok(())
    }

    /// Follows chains up to states that are stored.
    fn follow_chains(
        &mut self,
        monitor: &Monitor,
        found: &mut impl FnMut(&Chains, u32, &[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let Self { system, reduction, chains, .. } = self;
        while let Some(place) = chains.open.steps.pop() {
            let kept = chains.open.rows.len() - chains.open.words;
            chains.row.copy_from_slice(&chains.open.rows[kept..]);
            chains.open.rows.truncate(kept);
            if chains.links.len() % 1024 == 0 {
                monitor.check()?;
            }
            if let Some(holder) = reduction.holder(&chains.row) {
                steps_of(system, (holder, &chains.row), &mut chains.next)?;
                if chains.next.len() == 0 {
                    reduction.release(&mut chains.row);
                } else if reduction.passes(&chains.row, holder) {
                    chains.follow(place);
                    continue;
                } else {
                    reduction.reset_dead(&mut chains.row);
                    found(chains, place, &chains.row)?;
                    continue;
                }
            }
            if reduction.is_merging {
                let Chains { row, next, .. } = chains;
                let mut is_merged = false;
                for process in reduction.candidates(row) {
                    steps_of(system, (process, row), next)?;
                    is_merged = next.len() == 1 && !reduction.has_failed(next.get(0));
                    if is_merged {
                        break;
                    }
                }
                if is_merged {
                    chains.follow(place);
                    continue;
                }
            }
            reduction.reset_dead(&mut chains.row);
            found(chains, place, &chains.row)?;
        }
        Ok(())
    }
}

impl Successors for ReducedSystem {
    type Error = StepError;

    fn words(&self) -> usize {
        self.system.words()
    }

    fn initial(
        &mut self,
        monitor: &Monitor,
        mut found: impl FnMut(&[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let reduction = &self.reduction;
        self.system.initial(monitor, |row| {
            let mut row = row.to_vec();
            reduction.reset_dead(&mut row);
            found(&row)
        })
    }

    /// Visits the ends of chains, each with the number of the first step.
    fn successors(
        &mut self,
        state: &[u64],
        monitor: &Monitor,
        mut found: impl FnMut(u32, &[u64]) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.chains_from(state, monitor, |chains, _, row| found(chains.first, row))
    }

    fn holds(&mut self, proposition: usize, state: &[u64]) -> bool {
        self.system.set_enabled(self.is_enabled);
        self.system.holds(proposition, state)
    }
}

/// Computes the steps of a process from a state.
fn steps_of(
    system: &mut CompiledSystem,
    (process, state): (usize, &[u64]),
    found: &mut Rows,
) -> Result<(), StepError> {
    found.clear();
    system.successors_of(process, state, |step, row| {
        found.push(step, row);
        Ok(())
    })
}
