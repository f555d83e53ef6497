//! The explicit concretisation: sets of concrete states.
//!
//! An abstract state is a block of a partition of the component's reachable states. The states of a
//! block lie side by side in one array, so that looking at a block costs its size and not the
//! component's, and a split moves states within the block only.

use super::concretisation::{AbstractStep, Concretisation, Criterion, EnabledSteps};
use fixedbitset::FixedBitSet;
use logic::{PropId, Truth};
use model::{ActionId, Interface, NO_BLOCK, PartialModel};
use rustc_hash::FxHashMap;
use std::ops::Range;

pub struct StateSets<'a> {
    model: &'a PartialModel,
    interface: &'a Interface,
    component: usize,
    /// The reachable states, block by block.
    members: Vec<u32>,
    blocks: Vec<Range<usize>>,
    /// By state: its block.
    block_of: Vec<u32>,
    /// The initial states.
    init: FixedBitSet,
}

/// The abstract states that a refinement begins with.
#[derive(Clone, Copy)]
pub enum Start<'s> {
    /// States with the same joint label are one (C Def. 5.1), unless these numbers of theirs differ.
    Merged(Option<&'s [u32]>),
    /// Each state stays alone.
    Apart,
}

impl<'a> StateSets<'a> {
    pub fn new(
        model: &'a PartialModel,
        interface: &'a Interface,
        component: usize,
        start: Start,
    ) -> Self {
        let mut members: Vec<u32> = model.reachable().ones().map(|state| state as u32).collect();
        let joint = |state: u32| interface.joint.of(component, state);
        let given = |state: u32| match start {
            Start::Merged(given) => given.map_or(0, |numbers| numbers[state as usize]),
            Start::Apart => state,
        };
        let is_merged = matches!(start, Start::Merged(_));
        if is_merged {
            members.sort_by(|&a, &b| (joint(a), given(a)).cmp(&(joint(b), given(b))));
        }
        let mut concrete = Self {
            model,
            interface,
            component,
            block_of: vec![NO_BLOCK; model.states()],
            members,
            blocks: Vec::new(),
            init: model.init().iter().map(|&state| state as usize).collect(),
        };
        let same = |&a: &u32, &b: &u32| is_merged && (joint(a), given(a)) == (joint(b), given(b));
        let sizes: Vec<usize> = concrete.members.chunk_by(same).map(<[u32]>::len).collect();
        let mut start = 0;
        for size in sizes {
            concrete.add_block(start..start + size);
            start += size;
        }
        concrete
    }

    /// The abstract state of a concrete one, if it can be reached.
    pub fn block_of(&self, state: u32) -> Option<u32> {
        let block = self.block_of[state as usize];
        (block != NO_BLOCK).then_some(block)
    }

    fn add_block(&mut self, range: Range<usize>) -> u32 {
        let block = self.blocks.len() as u32;
        self.blocks.push(range.clone());
        for &state in &self.members[range] {
            self.block_of[state as usize] = block;
        }
        debug_assert!(self.is_appropriate(block));
        block
    }

    /// Whether the members of a block agree on the joint label (C Def. 5.3).
    fn is_appropriate(&self, block: u32) -> bool {
        let joint = |&state: &u32| self.interface.joint.of(self.component, state);
        let members = self.members_of(block);
        !members.is_empty() && members.windows(2).all(|pair| joint(&pair[0]) == joint(&pair[1]))
    }

    fn members_of(&self, block: u32) -> &[u32] {
        &self.members[self.blocks[block as usize].clone()]
    }

    /// Whether a state must (0), may (1) or cannot (2) make a step into the targets.
    fn certainty(&self, state: u32, action: Option<ActionId>, targets: &[u32]) -> u32 {
        let into = self.model.edges().out(state).filter(|(target, class)| {
            class.action == action && targets.contains(&self.block_of[*target as usize])
        });
        into.map(|(_, class)| if class.mode.must { 0 } else { 1 }).min().unwrap_or(2)
    }

    fn steps_enabled_in(&self, state: u32) -> EnabledSteps {
        let mut labels: FxHashMap<&[u64], bool> = FxHashMap::default();
        let mut actions: FxHashMap<ActionId, bool> = FxHashMap::default();
        for (target, class) in self.model.edges().out(state) {
            match class.action {
                Some(action) => *actions.entry(action).or_default() |= class.mode.must,
                None => {
                    let label = self.interface.joint.of(self.component, target);
                    *labels.entry(label).or_default() |= class.mode.must;
                }
            }
        }
        let mut labels: Vec<_> = labels.into_iter().map(|(l, must)| (l.to_vec(), must)).collect();
        let mut actions: Vec<_> = actions.into_iter().collect();
        labels.sort_unstable();
        actions.sort_unstable();
        EnabledSteps { labels, actions }
    }

    /// The number of the part that a state belongs to.
    fn part_of(&self, state: u32, criterion: &Criterion, seen: &mut Vec<EnabledSteps>) -> u32 {
        match criterion {
            Criterion::Label(prop) => match self.model.label(state, *prop) {
                Truth::True => 0,
                Truth::False => 1,
                Truth::Unknown => 2,
            },
            Criterion::Steps { action, targets } => self.certainty(state, *action, targets),
            Criterion::EnabledSteps => {
                let enabled = self.steps_enabled_in(state);
                let known = seen.iter().position(|known| *known == enabled);
                known.unwrap_or_else(|| {
                    seen.push(enabled);
                    seen.len() - 1
                }) as u32
            }
        }
    }
}

impl Concretisation for StateSets<'_> {
    fn states(&self) -> u32 {
        self.blocks.len() as u32
    }

    fn size(&self, state: u32) -> Option<u64> {
        Some(self.members_of(state).len() as u64)
    }

    fn is_initial(&self, state: u32) -> bool {
        self.members_of(state).iter().any(|&member| self.init.contains(member as usize))
    }

    fn joint(&self, state: u32) -> &[u64] {
        self.interface.joint.of(self.component, self.members_of(state)[0])
    }

    fn label(&self, state: u32, prop: PropId) -> Truth {
        let mut values = self.members_of(state).iter().map(|&s| self.model.label(s, prop));
        let first = values.next().unwrap_or(Truth::Unknown);
        if values.all(|value| value == first) { first } else { Truth::Unknown }
    }

    fn may(&self, state: u32) -> Vec<AbstractStep> {
        // By step: how many states must make it, the last of them, which may have several such edges.
        let mut count: FxHashMap<(Option<ActionId>, u32), (usize, Option<u32>)> =
            FxHashMap::default();
        let members = self.members_of(state);
        for &member in members {
            for (target, class) in self.model.edges().out(member) {
                let step = (class.action, self.block_of[target as usize]);
                let (sure, last) = count.entry(step).or_default();
                if class.mode.must && *last != Some(member) {
                    *sure += 1;
                    *last = Some(member);
                }
            }
        }
        let sure = |count: usize| Some(count == members.len());
        let mut steps: Vec<AbstractStep> = count
            .into_iter()
            .map(|((action, target), (count, _))| AbstractStep {
                action,
                target,
                must: sure(count),
            })
            .collect();
        steps.sort_unstable();
        steps
    }

    fn must(&self, state: u32, action: Option<ActionId>, targets: &[u32]) -> bool {
        self.members_of(state).iter().all(|&s| self.certainty(s, action, targets) == 0)
    }

    fn enabled(&self, state: u32) -> Option<EnabledSteps> {
        let mut members = self.members_of(state).iter();
        let first = self.steps_enabled_in(*members.next()?);
        members.all(|&member| self.steps_enabled_in(member) == first).then_some(first)
    }

    fn blocks(&self) -> Option<&[u32]> {
        Some(&self.block_of)
    }

    fn split(&mut self, state: u32, criterion: &Criterion) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut parts: Vec<(u32, u32)> = self
            .members_of(state)
            .iter()
            .map(|&member| (self.part_of(member, criterion, &mut seen), member))
            .collect();
        parts.sort_unstable();
        let range = self.blocks[state as usize].clone();
        for (slot, &(_, member)) in self.members[range.clone()].iter_mut().zip(&parts) {
            *slot = member;
        }
        let mut sizes = parts.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len);
        let Some(first) = sizes.next() else { return Vec::new() };
        let mut start = range.start + first;
        let fresh: Vec<Range<usize>> = sizes
            .map(|size| {
                start += size;
                start - size..start
            })
            .collect();
        if fresh.is_empty() {
            return Vec::new();
        }
        self.blocks[state as usize] = range.start..range.start + first;
        debug_assert!(self.is_appropriate(state));
        fresh.into_iter().map(|range| self.add_block(range)).collect()
    }

    fn initial_name(&self, state: u32) -> String {
        let mut initial = self.members_of(state).iter();
        let first = initial.find(|&&member| self.init.contains(member as usize));
        first.map_or_else(|| self.name(state), |&member| self.model.state_name(member))
    }

    fn name(&self, state: u32) -> String {
        const SHOWN: usize = 3;
        let members = self.members_of(state);
        let mut names: Vec<String> =
            members.iter().take(SHOWN).map(|&member| self.model.state_name(member)).collect();
        if let [single] = &*names {
            return single.clone();
        }
        if members.len() > SHOWN {
            names.push(format!("… {} in all", members.len()));
        }
        format!("{{{}}}", names.join(", "))
    }
}
