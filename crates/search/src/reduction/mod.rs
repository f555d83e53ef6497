//! Fewer states for processes that interleave: partial-order reduction by ample sets (Peled, CAV 1993; Holzmann and
//! Peled, FORTE 1994), states that a process only passes, and dead variables. The proof stands in THEORY.md.
//!
//! All three are functions of the state alone, so they suit any search, in any order, nested or in threads.
//!
//! - **Ample sets.** A process at a location all of whose steps are independent of those of other processes, now and
//!   later, and invisible to the property, goes first; what others can do is left for later. Not at some location of
//!   each cycle of its control graph, so no step is left out for ever. A step that fails is not left out either: where
//!   one of the ample steps leads to a run-time error, all steps are taken.
//! - **Passing states** are not stored: the interior of `atomic` and `d_step`, and states in which the ample set is a
//!   single step (statement merging, in Spin).
//! - **Dead variables**, which are written before they are read again, have a fixed value in stored states.

mod cuts;
mod locality;
mod visible;

use cuts::cut_cycles;
use locality::Uses;
use rustc_hash::FxHashMap;
use transition::{
    InterleavedStep, InterleavedSteps, Machine, NodeId, PackedField, PackedLayout, QueueEnd, Slice,
    VarId,
};
use visible::Visibility;

/// The reductions to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reductions {
    pub ample_sets: bool,
    /// Whether states with a single ample step are not stored.
    pub merging: bool,
    pub dead_variables: bool,
    /// Whether the property speaks of what is true within `atomic` and `d_step`.
    pub sees_exclusive: bool,
    /// Whether states are looked for in which a proposition holds, for each by itself, and no runs.
    pub is_searched: bool,
}

impl Reductions {
    /// None, for any property.
    pub const NONE: Self = Self {
        ample_sets: false,
        merging: false,
        dead_variables: false,
        sees_exclusive: true,
        is_searched: false,
    };
    /// All, for any property of linear time without `X`.
    pub const ALL: Self =
        Self { ample_sets: true, merging: true, dead_variables: true, ..Self::NONE };
}

/// The steps that may be left out in each state, by the program counters.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    /// A process without steps may have no program counter here.
    processes: Vec<Option<ReducedProcess>>,
    control: Option<Control>,
    error: Option<(PackedField, u64)>,
    /// Whether states with a single ample step are not stored.
    pub is_merging: bool,
}

#[derive(Clone, Debug)]
struct ReducedProcess {
    counter: PackedField,
    /// By number of the value of the program counter.
    locations: Vec<LocationClass>,
}

#[derive(Clone, Default, Debug)]
struct LocationClass {
    /// Whether the steps from here are an ample set, where these conditions on channels hold.
    ample: Option<Vec<QueueCondition>>,
    /// Whether a state in which the process holds exclusive control here is not stored.
    is_passed: bool,
    /// Word, mask and bits of dead variables.
    resets: Vec<(usize, u64, u64)>,
}

/// A number of messages that there must not be.
#[derive(Clone, Debug)]
struct QueueCondition {
    len: PackedField,
    not: u64,
}

#[derive(Clone, Debug)]
struct Control {
    field: PackedField,
    free: u64,
    /// By number of the value.
    holders: Vec<Option<usize>>,
}

impl Reduction {
    pub fn new(
        (machine, slice, layout): (&Machine, &Slice, &PackedLayout),
        of: &InterleavedSteps,
        propositions: &[NodeId],
        wanted: Reductions,
    ) -> Self {
        let fields: FxHashMap<VarId, &PackedField> =
            layout.fields.iter().map(|field| (field.var, field)).collect();
        let visibility = Visibility::new(machine, of, propositions, wanted.is_searched);
        let uses = Uses::new(of, slice);
        let numbered = |var: VarId, value: i64| {
            let field = *fields.get(&var)?;
            Some((field.clone(), field.number_of(value)?))
        };
        let processes = of.processes.iter().enumerate().map(|(process, described)| {
            let counter = (*fields.get(&described.program_counter)?).clone();
            let classifier = Classifier { of, process, visibility: &visibility, uses: &uses };
            let mut locations = classifier.locations(&counter, &fields, wanted);
            if wanted.dead_variables {
                for (location, dead) in &described.dead {
                    let Some(number) = counter.number_of(*location) else { continue };
                    let dead = dead.iter().filter(|(var, _)| !visibility.reads(*var));
                    let resets = dead.filter_map(|&(var, value)| fields.get(&var)?.bits(value));
                    locations[number as usize].resets = joined(resets);
                }
            }
            Some(ReducedProcess { counter, locations })
        });
        let processes = processes.collect();
        let control = of.exclusive.as_ref().and_then(|exclusive| {
            let (field, free) = numbered(exclusive.var, exclusive.free)?;
            let mut holders = vec![None; field.largest() as usize + 1];
            for &(value, process) in &exclusive.holders {
                holders[field.number_of(value)? as usize] = Some(process);
            }
            Some(Control { field, free, holders })
        });
        let error = of.error.and_then(|(var, nothing)| numbered(var, nothing));
        let is_merging = wanted.merging && !visibility.sees_deadlock;
        Self { processes, control, error, is_merging }
    }

    /// The process that holds exclusive control. It may be unable to go on.
    pub fn holder(&self, row: &[u64]) -> Option<usize> {
        let Control { field, holders, .. } = self.control.as_ref()?;
        holders[field.number(row) as usize]
    }

    /// Whether a state in which this process has exclusive control and can go on is not stored.
    pub fn passes(&self, row: &[u64], holder: usize) -> bool {
        self.class(row, holder).is_some_and(|class| class.is_passed)
    }

    /// Takes control from a process that cannot go on: everybody can, and the next step sets it anew.
    pub fn release(&self, row: &mut [u64]) {
        if let Some(Control { field, free, .. }) = &self.control {
            field.set_number(row, *free);
        }
    }

    /// The processes whose steps are an ample set if there is one and none fails.
    pub fn candidates(&self, row: &[u64]) -> impl Iterator<Item = usize> {
        (0..self.processes.len()).rev().filter(|&process| {
            let ample = self.class(row, process).and_then(|class| class.ample.as_ref());
            ample.is_some_and(|all| all.iter().all(|one| one.len.number(row) != one.not))
        })
    }

    /// Whether there was a run-time error.
    pub fn has_failed(&self, row: &[u64]) -> bool {
        self.error.as_ref().is_some_and(|(field, nothing)| field.number(row) != *nothing)
    }

    /// Gives dead variables their fixed values.
    pub fn reset_dead(&self, row: &mut [u64]) {
        for ReducedProcess { counter, locations } in self.processes.iter().flatten() {
            for &(word, mask, bits) in &locations[counter.number(row) as usize].resets {
                row[word] = row[word] & !mask | bits;
            }
        }
    }

    fn class(&self, row: &[u64], process: usize) -> Option<&LocationClass> {
        let ReducedProcess { counter, locations } = self.processes[process].as_ref()?;
        Some(&locations[counter.number(row) as usize])
    }
}

/// One entry for each word.
fn joined(resets: impl Iterator<Item = (usize, u64, u64)>) -> Vec<(usize, u64, u64)> {
    let mut all: Vec<(usize, u64, u64)> = Vec::new();
    for (word, mask, bits) in resets {
        match all.iter_mut().find(|(known, ..)| *known == word) {
            Some((_, own_mask, own_bits)) => {
                (*own_mask, *own_bits) = (*own_mask | mask, *own_bits | bits)
            }
            None => all.push((word, mask, bits)),
        }
    }
    all
}

/// The classes of the locations of one process.
struct Classifier<'i> {
    of: &'i InterleavedSteps,
    process: usize,
    visibility: &'i Visibility,
    uses: &'i Uses<'i>,
}

/// The steps of a process as edges between numbers of locations.
struct Edge<'i> {
    source: u32,
    target: u32,
    step: &'i InterleavedStep,
    /// Whether the process is the one that makes the step.
    is_mover: bool,
}

impl Edge<'_> {
    fn keeps_control(&self, process: usize) -> bool {
        self.step.keeps_control == Some(process)
    }
}

impl<'i> Classifier<'i> {
    fn edges(&self, counter: &PackedField) -> Vec<Edge<'i>> {
        let edges = self.of.steps.iter().flat_map(|step| {
            step.moves.iter().enumerate().filter_map(move |(place, side)| {
                let number = |value: i64| Some(counter.number_of(value)? as u32);
                let (source, target) = (number(side.source)?, number(side.target)?);
                let edge = Edge { source, target, step, is_mover: place == 0 };
                (side.process == self.process).then_some(edge)
            })
        });
        edges.collect()
    }

    fn locations(
        &self,
        counter: &PackedField,
        fields: &FxHashMap<VarId, &PackedField>,
        wanted: Reductions,
    ) -> Vec<LocationClass> {
        let count = counter.largest() as usize + 1;
        let edges = self.edges(counter);
        let mut from: Vec<Vec<&Edge>> = vec![Vec::new(); count];
        edges.iter().for_each(|edge| from[edge.source as usize].push(edge));
        let mut is_interior = vec![false; count];
        // Who gets control with a message may come back to where it was without a step of its own.
        let mut is_handed = vec![false; count];
        for edge in edges.iter().filter(|edge| edge.keeps_control(self.process)) {
            is_interior[edge.target as usize] = true;
            is_handed[edge.target as usize] |= !edge.is_mover;
        }
        let mut ample: Vec<Option<Vec<QueueCondition>>> = (0..count)
            .map(|at| match is_interior[at] || from[at].is_empty() {
                true => None,
                false => self.ample(at, &from, fields, wanted),
            })
            .collect();
        let arcs: Vec<(u32, u32)> = edges.iter().map(|edge| (edge.source, edge.target)).collect();
        let removed: Vec<bool> =
            (0..count).map(|at| ample[at].is_none() && !is_interior[at]).collect();
        // Where several steps are possible, or a queue may be full, less is lost.
        let willingness = |at: u32| {
            let conditions = ample[at as usize].as_ref()?.len() as u32;
            Some(conditions * 2 + u32::from(from[at as usize].len() > 1))
        };
        for at in cut_cycles(&arcs, &removed, willingness) {
            ample[at as usize] = None;
        }
        let inside: Vec<(u32, u32)> = edges
            .iter()
            .filter(|edge| is_interior[edge.source as usize] && edge.keeps_control(self.process))
            .map(|edge| (edge.source, edge.target))
            .collect();
        let mut is_passed: Vec<bool> = (0..count)
            .map(|at| {
                let sees = |edge: &&Edge| self.visibility.sees(edge.step, self.of);
                // The next state may be a deadlock state.
                let is_seen = wanted.sees_exclusive
                    && (self.visibility.sees_deadlock || from[at].iter().any(sees));
                is_interior[at] && !is_handed[at] && !is_seen
            })
            .collect();
        let removed: Vec<bool> = is_passed.iter().map(|passed| !passed).collect();
        for at in cut_cycles(&inside, &removed, |_| Some(0)) {
            is_passed[at as usize] = false;
        }
        let class = |(ample, is_passed)| LocationClass { ample, is_passed, resets: Vec::new() };
        ample.into_iter().zip(is_passed).map(class).collect()
    }

    /// Whether all steps from a location are independent of those of others and invisible, with what they do behind it
    /// while they keep control, and where.
    fn ample(
        &self,
        at: usize,
        from: &[Vec<&Edge>],
        fields: &FxHashMap<VarId, &PackedField>,
        wanted: Reductions,
    ) -> Option<Vec<QueueCondition>> {
        let mut conditions = Vec::new();
        let mut reached = vec![at as u32];
        let mut next = 0;
        while let Some(&location) = reached.get(next) {
            for edge in &from[location as usize] {
                let is_local = self.uses.is_local(self.process, edge.step, next == 0);
                // Whether a step fails behind others is not known where they begin.
                let may_fail = next > 0 && edge.step.can_fail;
                if !is_local || may_fail || self.visibility.sees(edge.step, self.of) {
                    return None;
                }
                if next == 0
                    && let Some((channel, end)) = edge.step.queue
                {
                    let channel = &self.of.channels[channel];
                    let len = (*fields.get(&channel.len)?).clone();
                    let not = match end {
                        QueueEnd::Back => channel.capacity,
                        QueueEnd::Front => 0,
                    };
                    let not = len.number_of(not)?;
                    conditions.push(QueueCondition { len, not });
                }
                if edge.keeps_control(self.process) && !reached.contains(&edge.target) {
                    reached.push(edge.target);
                }
            }
            next += 1;
        }
        // Whatever is in the channels, merging goes on.
        (wanted.ample_sets || conditions.is_empty()).then_some(conditions)
    }
}
