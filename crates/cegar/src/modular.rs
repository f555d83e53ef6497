//! Modular checking (M §5) of the predicate abstraction, block by block.
//!
//! A block is a set of locations of the program. It is checked under an assumption on its exits: the values of all
//! subformulas in the states that it leads to. Only its abstraction is in memory; its entry states are kept, with the
//! values of all subformulas there. A round goes over the blocks twice: forwards for their entry states, backwards for
//! the values. Where blocks form a cycle, the fixpoints are iterated over these blocks from the least or the greatest
//! value (M §5.2), inner ones first; both bounds of a value then only increase, or only decrease.
//!
//! The cause of an unknown is followed from block to block, and only the block that it comes from is refined: the
//! others are not checked again unless they lead there. A cause that returns to its block depends on a loop that is
//! split. The blocks of the loop are merged then, because a ranking function of a loop is not visible in a part of it.
//!
//! Soundness: in a block a value is that of a formula under assumptions ([`logic::Formula::under_assumptions`]), ranked
//! by the ranking function of the block. Where the blocks are in an order, that is all. In a group, let a least
//! fixpoint be computed. What is true was found from what was true before, and so has a proof without cycles. What is
//! false at the end is false given what is false at the end, so the falsifier can always continue, which suffices for a
//! least fixpoint. For a greatest one it is dual.

mod block;

use crate::cegar_loop::RoundOutcome;
use crate::cegar_loop::{Cegar, PartitionStats};
use crate::partition::LocationPartition;
use crate::reachability::{AbstractState, Interruption, explore_from, starts};
use block::{CheckedBlock, Next};
use explicit::UnknownReason;
use logic::{AssumedFormula, Fix, Formula, NodeId, PropId, Truth};
use rustc_hash::{FxHashMap, FxHashSet};

/// Results of a program block by block.
pub(crate) struct Modular {
    partition: LocationPartition,
    /// The subformulas that can be evaluated in a state, the question first.
    asked: Vec<NodeId>,
    /// Blocks by strongly connected components, inner ones first.
    levels: Vec<Level>,
    is_alternation_free: bool,
    /// The question, under assumptions; the first proposition that these add.
    assumed: AssumedFormula,
    added: u32,
    known: FxHashMap<u32, Known>,
    /// How often a cause has come to a block of a loop that is split.
    undetermined: FxHashMap<u32, u32>,
    /// Generation of the loop when this became known.
    generation: u32,
    stats: PartitionStats,
}

/// Parts of the formula that are computed together.
struct Level {
    asked: Vec<usize>,
    /// Kind of the fixpoint that they belong to, if any.
    kind: Option<Fix>,
}

/// Result of a block, and the results that it depends on.
struct Known {
    /// How many predicates there were at its locations and where it leads.
    sizes: Vec<usize>,
    entries: Vec<AbstractState>,
    /// The states of other blocks that it leads to.
    ends: Vec<AbstractState>,
    states: usize,
    /// Values at entries, of this block or of others, under these assumptions on its exits.
    values: Option<(EntryValues, EntryValues)>,
}

/// By state, by what is asked.
type Values = Vec<Vec<Truth>>;

/// Values in the states in which blocks are entered.
type EntryValues = FxHashMap<AbstractState, Vec<Truth>>;

/// After so many causes in a block of a loop, the blocks of the loop are merged.
const MOST_CAUSES: u32 = 2;

impl Modular {
    pub fn new(partition: &LocationPartition, formula: &Formula, propositions: usize) -> Self {
        let asked = formula.asked();
        let added = propositions as u32;
        let props: Vec<PropId> = (0..asked.len() as u32).map(|n| PropId(added + 1 + n)).collect();
        Self {
            partition: partition.clone(),
            levels: levels(formula, &asked),
            is_alternation_free: formula.is_alternation_free(),
            assumed: formula.under_assumptions(PropId(added), &props),
            asked,
            added,
            known: FxHashMap::default(),
            undetermined: FxHashMap::default(),
            generation: 0,
            stats: PartitionStats::default(),
        }
    }

    pub fn has_several(&self) -> bool {
        self.partition.len() > 1
    }

    pub fn stats(&self) -> PartitionStats {
        PartitionStats { blocks: self.partition.len(), ..self.stats }
    }

    /// Merges all blocks.
    pub fn join_all(&mut self) {
        self.join(&(0..self.partition.len() as u32).collect::<Vec<_>>());
    }

    fn join(&mut self, blocks: &[u32]) {
        self.partition.join(blocks);
        self.known.clear();
        self.undetermined.clear();
    }

    /// One round: a verdict, the reason why there is none, or a refined abstraction.
    pub fn round(&mut self, cegar: &mut Cegar) -> Result<RoundOutcome, Interruption> {
        if self.generation != cegar.restarts.generation {
            self.generation = cegar.restarts.generation;
            self.known.clear();
        }
        let groups = self.groups(cegar);
        let (starts, certain) = starts(&cegar.program, &cegar.precision, &mut cegar.successors)?;
        let entries = self.reach(cegar, &groups, &starts)?;
        let held = self.evaluate(cegar, &groups, &entries)?;
        cegar.states = self.known.values().map(|known| known.states).sum();
        let values: Vec<Truth> = starts.iter().map(|start| held[start][0]).collect();
        let falsified =
            values.iter().zip(&certain).any(|(value, &is)| is && *value == Truth::False);
        let verdict = match falsified {
            true => Truth::False,
            false if values.iter().all(|&value| value == Truth::True) => Truth::True,
            false => Truth::Unknown,
        };
        if verdict.is_definite() {
            cegar.report(Vec::new(), verdict, Vec::new(), Vec::new());
            return Ok(RoundOutcome::Decided(verdict));
        }
        let open = starts.iter().zip(&values).find(|(_, value)| **value == Truth::Unknown);
        match open {
            Some((&start, _)) => self.follow(cegar, start, &groups, (&entries, &held)),
            // Only whether the program begins there is not known.
            None => Ok(RoundOutcome::GaveUp(UnknownReason::NoNewPredicate)),
        }
    }

    /// Strongly connected components of the blocks, from the last to the first.
    fn groups(&mut self, cegar: &Cegar) -> Vec<Vec<u32>> {
        loop {
            let groups = self.partition.groups(cegar.question.program);
            // Fixpoints of both kinds that depend on each other are not computed one after the other.
            match groups.iter().find(|group| group.len() > 1 && !self.is_alternation_free) {
                Some(group) => self.join(group),
                None => return groups,
            }
        }
    }

    /// The states in which each block is entered.
    fn reach(
        &mut self,
        cegar: &mut Cegar,
        groups: &[Vec<u32>],
        starts: &[AbstractState],
    ) -> Result<Vec<Vec<AbstractState>>, Interruption> {
        let mut entries: Vec<Vec<AbstractState>> = vec![Vec::new(); self.partition.len()];
        let mut seen: FxHashSet<AbstractState> = FxHashSet::default();
        let mut enter = |entries: &mut Vec<Vec<AbstractState>>,
                         partition: &LocationPartition,
                         state: AbstractState| {
            if seen.insert(state) {
                entries[partition.of(state.location) as usize].push(state);
            }
        };
        starts.iter().for_each(|&start| enter(&mut entries, &self.partition, start));
        for group in groups.iter().rev() {
            let mut done = vec![0; group.len()];
            while let Some(next) =
                (0..group.len()).find(|&n| done[n] < entries[group[n] as usize].len())
            {
                let own = &entries[group[next] as usize];
                done[next] = own.len();
                let ends = self.ends(cegar, group[next], &own.clone())?;
                ends.iter().for_each(|&end| enter(&mut entries, &self.partition, end));
            }
        }
        // Some may have been entered in an earlier round only.
        self.known.retain(|&block, _| !entries[block as usize].is_empty());
        Ok(entries)
    }

    /// The states of other blocks that one leads to.
    fn ends(
        &mut self,
        cegar: &mut Cegar,
        block: u32,
        entries: &[AbstractState],
    ) -> Result<Vec<AbstractState>, Interruption> {
        let sizes = self.sizes(cegar, block);
        let known = self.known.get(&block).filter(|known| known.sizes == sizes);
        if let Some(known) = known.filter(|known| known.entries == entries) {
            return Ok(known.ends.clone());
        }
        // The value in an entry does not depend on the other ones.
        let values = known.and_then(|known| known.values.clone());
        let is_inside = |location: u32| self.partition.of(location) == block;
        let Cegar { program, precision, successors, question, .. } = cegar;
        let graph =
            explore_from(program, precision, successors, entries, &is_inside, question.monitor)?;
        successors.leave();
        let is_end = |state: &&AbstractState| !is_inside(state.location);
        let ends: Vec<AbstractState> = graph.states.iter().filter(is_end).copied().collect();
        let states = graph.states.len() - ends.len();
        self.stats.largest = self.stats.largest.max(graph.states.len());
        let entries = entries.to_vec();
        self.known.insert(block, Known { sizes, entries, ends: ends.clone(), states, values });
        Ok(ends)
    }

    /// How many predicates there are where a block is and where it leads.
    fn sizes(&self, cegar: &Cegar, block: u32) -> Vec<usize> {
        let Cegar { precision, program, .. } = cegar;
        let locations = self.partition.locations_of(block);
        let with_next = locations.flat_map(|location| {
            let steps = program.from[location as usize].iter();
            let next = steps.map(|&step| precision.len(program.steps[step as usize].target));
            std::iter::once(precision.len(location)).chain(next)
        });
        with_next.collect()
    }

    /// Computes the values at the entries of blocks, from the last to the first.
    fn evaluate(
        &mut self,
        cegar: &mut Cegar,
        groups: &[Vec<u32>],
        entries: &[Vec<AbstractState>],
    ) -> Result<EntryValues, Interruption> {
        let mut held = EntryValues::default();
        for group in groups {
            let own = group.iter().flat_map(|&block| &entries[block as usize]);
            held.extend(own.map(|&entry| (entry, vec![Truth::Unknown; self.asked.len()])));
            match group[..] {
                [block] => {
                    let entries = &entries[block as usize];
                    let values = self.values(cegar, block, entries, &held)?;
                    held.extend(entries.iter().copied().zip(values));
                }
                _ => self.repeat(cegar, group, entries, &mut held)?,
            }
        }
        Ok(held)
    }

    /// Computes the values of blocks that lead to each other (M §5.2).
    fn repeat(
        &mut self,
        cegar: &mut Cegar,
        group: &[u32],
        entries: &[Vec<AbstractState>],
        held: &mut EntryValues,
    ) -> Result<(), Interruption> {
        for level in 0..self.levels.len() {
            let first = match self.levels[level].kind {
                Some(Fix::Mu) => Truth::False,
                Some(Fix::Nu) => Truth::True,
                None => Truth::Unknown,
            };
            for entry in group.iter().flat_map(|&block| &entries[block as usize]) {
                let own = held.entry(*entry).or_default();
                self.levels[level].asked.iter().for_each(|&asked| own[asked] = first);
            }
            // What no fixpoint is in follows from what is known.
            while self.pass(cegar, group, level, (entries, held))?
                && self.levels[level].kind.is_some()
            {
                cegar.question.monitor.step(1)?;
            }
        }
        Ok(())
    }

    /// Goes once over blocks that lead to each other; whether something has changed.
    fn pass(
        &mut self,
        cegar: &mut Cegar,
        group: &[u32],
        level: usize,
        (entries, held): (&[Vec<AbstractState>], &mut EntryValues),
    ) -> Result<bool, Interruption> {
        self.stats.passes += 1;
        let mut has_changed = false;
        for &block in group.iter().rev() {
            let entries = &entries[block as usize];
            let values = self.values(cegar, block, entries, held)?;
            let Level { asked, kind } = &self.levels[level];
            for (entry, new) in entries.iter().zip(&values) {
                let own = held.entry(*entry).or_default();
                for &asked in asked {
                    let next = match kind {
                        Some(Fix::Mu) => own[asked].or(new[asked]),
                        Some(Fix::Nu) => own[asked].and(new[asked]),
                        None => new[asked],
                    };
                    has_changed |= next != own[asked];
                    own[asked] = next;
                }
            }
        }
        Ok(has_changed)
    }

    /// Values at the entries of a block, given those of others.
    fn values(
        &mut self,
        cegar: &mut Cegar,
        block: u32,
        entries: &[AbstractState],
        held: &EntryValues,
    ) -> Result<Values, Interruption> {
        let Some(known) = self.known.get(&block) else {
            return Ok(Values::new());
        };
        let assumed: EntryValues = known.ends.iter().map(|end| (*end, held[end].clone())).collect();
        if let Some((before, values)) = &known.values
            && assumed.iter().all(|(end, values)| before.get(end) == Some(values))
            && let Some(values) = entries.iter().map(|entry| values.get(entry).cloned()).collect()
        {
            self.stats.reused += 1;
            return Ok(values);
        }
        let CheckedBlock { values, .. } = self.look(cegar, block, entries, held)?;
        if let Some(known) = self.known.get_mut(&block) {
            let values = entries.iter().copied().zip(values.iter().cloned()).collect();
            known.values = Some((assumed, values));
        }
        Ok(values)
    }

    /// Follows a cause to the block that it comes from, and refines there.
    fn follow(
        &mut self,
        cegar: &mut Cegar,
        start: AbstractState,
        groups: &[Vec<u32>],
        (entries, held): (&[Vec<AbstractState>], &EntryValues),
    ) -> Result<RoundOutcome, Interruption> {
        let mut trail = vec![(start, 0)];
        loop {
            let (state, asked) = trail[trail.len() - 1];
            let block = self.partition.of(state.location);
            let own = &entries[block as usize];
            let looked = self.look(cegar, block, own, held)?;
            let entry = own.iter().position(|other| *other == state).unwrap_or(0);
            let next = match self.cause(cegar, &looked, entry, asked)? {
                Next::Here { causes, ranking_functions } => {
                    if let Some(group) = self.is_undetermined_again(block, groups) {
                        self.join_loop(cegar, group);
                        return Ok(RoundOutcome::Refined);
                    }
                    let reason = UnknownReason::NoNewPredicate;
                    let anywhere = smt::LinearFormula::Constant(true);
                    let of = (&causes[..], &anywhere);
                    return Ok(cegar.refine(&looked.graph, of, ranking_functions, reason)?);
                }
                Next::There(state, asked) => (state, asked),
            };
            if let Some(first) = trail.iter().position(|been| *been == next) {
                let blocks =
                    trail[first..].iter().map(|(state, _)| self.partition.of(state.location));
                self.join_loop(cegar, &blocks.collect::<Vec<_>>());
                return Ok(RoundOutcome::Refined);
            }
            trail.push(next);
        }
    }

    /// The strongly connected component of a block, if causes have come to the block before: its refinements may unroll
    /// the loop round by round and never end.
    fn is_undetermined_again<'g>(
        &mut self,
        block: u32,
        groups: &'g [Vec<u32>],
    ) -> Option<&'g [u32]> {
        let group = groups.iter().find(|group| group.len() > 1 && group.contains(&block))?;
        let times = self.undetermined.entry(block).or_default();
        *times += 1;
        (*times > MOST_CAUSES).then_some(group)
    }

    fn join_loop(&mut self, cegar: &mut Cegar, blocks: &[u32]) {
        let mut merged_locations: Vec<u32> =
            blocks.iter().flat_map(|&block| self.partition.locations_of(block)).collect();
        merged_locations.sort_unstable();
        merged_locations.dedup();
        self.join(blocks);
        cegar.report(Vec::new(), Truth::Unknown, Vec::new(), merged_locations);
    }
}

fn levels(formula: &Formula, asked: &[NodeId]) -> Vec<Level> {
    let of_block = |(id, block): (logic::BlockId, &logic::FormulaBlock)| {
        let own = (0..).zip(asked).filter(|(_, node)| formula.block_of(**node) == id);
        Level { asked: own.map(|(number, _)| number).collect(), kind: block.witness }
    };
    formula.blocks().iter().map(of_block).filter(|level| !level.asked.is_empty()).collect()
}
