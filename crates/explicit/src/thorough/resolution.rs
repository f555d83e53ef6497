//! The ways to satisfy formulas in one state of a refinement: which disjunct of every disjunction, and so which literals
//! and modalities.
//!
//! Only what is unknown in the abstract state is looked at: what is true there holds in all of its refinements, and
//! what is false in none.

use super::traces::TraceStep;
use fixedbitset::FixedBitSet;
use game::{ModelGame, Op, ThreeValuedSolution};
use logic::{PropId, Truth};
use std::collections::{BTreeMap, BTreeSet};
use support::{Monitor, Stopped};

/// A way to satisfy some formulas together.
pub(super) struct Resolution {
    /// From each formula to the modalities that it comes to.
    pub traces: Vec<TraceStep>,
    /// The literals that hold.
    pub literals: BTreeSet<(PropId, bool)>,
}

impl Resolution {
    /// The modalities that have to hold.
    pub fn modalities(&self) -> BTreeSet<u32> {
        self.traces.iter().map(|trace| trace.to).collect()
    }

    /// Whether it asks for nothing that the other does not ask for.
    fn asks_less(&self, other: &Resolution) -> bool {
        self.traces.iter().all(|own| {
            let mut same = other.traces.iter().filter(|t| (t.from, t.to) == (own.from, own.to));
            same.any(|trace| own.highest & !trace.highest == 0)
        })
    }
}

/// Choices of some disjunctions, while others are open.
#[derive(Clone, Default)]
struct Choices {
    open: Vec<u32>,
    done: BTreeSet<u32>,
    chosen: BTreeMap<u32, u32>,
    literals: BTreeSet<(PropId, bool)>,
}

pub(super) struct Resolver<'a> {
    pub arena: &'a ModelGame<'a>,
    inductive: &'a ThreeValuedSolution,
    /// Whether there is a modality between a fixpoint and its variable, everywhere.
    is_guarded: bool,
}

impl<'a> Resolver<'a> {
    pub fn new(arena: &'a ModelGame<'a>, inductive: &'a ThreeValuedSolution) -> Self {
        let mut resolver = Self { arena, inductive, is_guarded: true };
        let all = |equation: u32| resolver.operands(equation);
        let mut equations = 0..arena.plan.len() as u32;
        resolver.is_guarded = !equations.any(|from| reaches(from, from, &all));
        resolver
    }

    /// The value in all refinements of a state, as far as the inductive semantics tells.
    pub fn value(&self, state: u32, equation: u32) -> Truth {
        let colour = self.inductive.colour(self.arena.position(state, equation));
        colour.unwrap_or(Truth::Unknown)
    }

    /// All ways that do not ask for more than others.
    pub fn resolutions(
        &self,
        state: u32,
        formulas: &[u32],
        monitor: &Monitor,
    ) -> Result<Vec<Resolution>, Stopped> {
        let mut found: Vec<Resolution> = Vec::new();
        let mut open = vec![Choices { open: formulas.to_vec(), ..Choices::default() }];
        while let Some(mut choices) = open.pop() {
            monitor.step(1)?;
            let Some(equation) = choices.open.pop() else {
                if let Some(resolution) = self.resolution(formulas, choices)
                    && !found.iter().any(|known| known.asks_less(&resolution))
                {
                    found.retain(|known| !resolution.asks_less(known));
                    found.push(resolution);
                }
                continue;
            };
            match choices.done.insert(equation) {
                true => open.extend(self.resolve(state, equation, choices)),
                false => open.push(choices),
            }
        }
        Ok(found)
    }

    /// The ways to go on from some choices with an equation that has to hold.
    fn resolve(&self, state: u32, equation: u32, mut choices: Choices) -> Vec<Choices> {
        let is_open = |one: &u32| self.value(state, *one) == Truth::Unknown;
        match self.arena.plan.equations[equation as usize].op {
            Op::Lit(prop, positive) if choices.literals.contains(&(prop, !positive)) => Vec::new(),
            Op::Lit(prop, positive) => {
                choices.literals.insert((prop, positive));
                vec![choices]
            }
            Op::Or(..) => {
                let choose = |one| {
                    let mut choices = choices.clone();
                    choices.chosen.insert(equation, one);
                    choices.open.push(one);
                    choices
                };
                self.operands(equation).filter(is_open).map(choose).collect()
            }
            Op::And(..) | Op::Pass(_) => {
                choices.open.extend(self.operands(equation).filter(is_open));
                vec![choices]
            }
            Op::Modal(..) | Op::Const(_) => vec![choices],
        }
    }

    /// The operands of an equation that is no modality.
    fn operands(&self, equation: u32) -> impl Iterator<Item = u32> + use<> {
        let (first, second) = match self.arena.plan.equations[equation as usize].op {
            Op::And(a, b) | Op::Or(a, b) => (Some(a), Some(b)),
            Op::Pass(body) => (Some(body), None),
            Op::Const(_) | Op::Lit(..) | Op::Modal(..) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// `None` if a least fixpoint is unfolded again and again in this very state.
    fn resolution(&self, formulas: &[u32], choices: Choices) -> Option<Resolution> {
        let Choices { done, chosen, literals, .. } = choices;
        let next = |equation: u32| {
            let chosen = chosen.get(&equation).copied();
            let wanted = move |one: &u32| chosen.is_none_or(|chosen| *one == chosen);
            self.operands(equation).filter(wanted).filter(|one| done.contains(one))
        };
        let priority = |equation: u32| self.arena.plan.equations[equation as usize].priority;
        let is_bad = |&from: &u32| {
            let up_to = |one: u32| next(one).filter(|&one| priority(one) <= priority(from));
            priority(from) % 2 == 1 && reaches(from, from, &up_to)
        };
        if !self.is_guarded && done.iter().any(is_bad) {
            return None;
        }
        let traces = formulas.iter().flat_map(|&from| self.traces(from, &next)).collect();
        Some(Resolution { traces, literals })
    }

    /// The modalities that a formula comes to, with the highest priorities on the ways there.
    fn traces<I: Iterator<Item = u32>>(
        &self,
        from: u32,
        next: &impl Fn(u32) -> I,
    ) -> Vec<TraceStep> {
        let equation = |at: u32| &self.arena.plan.equations[at as usize];
        let mut highest: BTreeMap<u32, u64> = BTreeMap::new();
        let mut open = vec![(from, equation(from).priority)];
        while let Some((at, priority)) = open.pop() {
            let known = highest.entry(at).or_default();
            if *known >> priority & 1 == 0 {
                *known |= 1 << priority;
                open.extend(next(at).map(|one| (one, priority.max(equation(one).priority))));
            }
        }
        let modal = |&(at, _): &(u32, u64)| matches!(equation(at).op, Op::Modal(..));
        let step = |(to, highest)| TraceStep { from, to, highest };
        highest.into_iter().filter(modal).map(step).collect()
    }
}

/// Whether some steps, one at least, lead from one equation to another.
fn reaches<I: Iterator<Item = u32>>(from: u32, to: u32, next: &impl Fn(u32) -> I) -> bool {
    let mut seen = FixedBitSet::new();
    let mut open: Vec<u32> = next(from).collect();
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        seen.grow(at as usize + 1);
        if !seen.put(at as usize) {
            open.extend(next(at));
        }
    }
    false
}
