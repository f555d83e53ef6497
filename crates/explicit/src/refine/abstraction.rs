//! Abstraction of one component, refined where a failure cause asks.
//!
//! It begins as the coarsest abstraction (C Def. 5.1): every state may go to every other, nothing must
//! happen, and only joint propositions have values. A failure cause asks for more: the value of a
//! proposition in a state, the transitions of a state, or a split. From the moment that a state's
//! transitions have been looked at, its may transitions are exact and its must transitions are computed
//! when a game asks for them (the note under C Fig. 7). Looking at them when a game first comes to the
//! state, rather than when a failure cause asks, makes products thin: that is the default.

use super::Refinement;
use super::concretisation::{AbstractStep, Concretisation, Criterion};
use fixedbitset::FixedBitSet;
use logic::{PropId, Truth};
use model::ActionId;
use rustc_hash::FxHashSet;

/// Each concrete state of the source must make a step into one of the targets, which share one joint
/// label (`--hyper`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HyperStep {
    pub source: u32,
    pub action: Option<ActionId>,
    /// Sorted.
    pub targets: Vec<u32>,
}

pub struct Abstraction<'w> {
    pub concrete: Box<dyn Concretisation + 'w>,
    /// The component's actions; none in the propositional kinds.
    actions: u32,
    is_props: bool,
    joint: FixedBitSet,
    /// By state: whether its transitions have been looked at.
    looked_at: Vec<bool>,
    asked: FxHashSet<(u32, PropId)>,
    /// Whether all labels have been asked for.
    knows_labels: bool,
    /// By state: its transitions, if they have been asked for since the last split that concerns them.
    rows: Vec<Option<Vec<AbstractStep>>>,
    hyper: Vec<HyperStep>,
    keeps_hyper: bool,
    /// Nothing is hidden: each state stands for itself.
    is_concrete: bool,
}

/// The component as the abstraction needs to know it.
pub(super) struct Signature {
    pub is_props: bool,
    pub actions: u32,
    /// Its joint propositions, by its own numbers.
    pub joint: FixedBitSet,
}

impl<'w> Abstraction<'w> {
    pub fn new(
        concrete: Box<dyn Concretisation + 'w>,
        signature: Signature,
        is_concrete: bool,
        refinement: &Refinement,
    ) -> Self {
        let states = concrete.states() as usize;
        let Signature { is_props, actions, joint } = signature;
        Self {
            concrete,
            actions,
            is_props,
            joint,
            looked_at: vec![is_concrete || refinement.eager; states],
            asked: FxHashSet::default(),
            knows_labels: false,
            rows: vec![None; states],
            hyper: Vec::new(),
            keeps_hyper: refinement.hyper,
            is_concrete,
        }
    }

    pub fn states(&self) -> u32 {
        self.concrete.states()
    }

    pub fn label(&self, state: u32, prop: PropId) -> Truth {
        let known = self.is_concrete
            || self.knows_labels
            || self.joint.contains(prop.0 as usize)
            || self.asked.contains(&(state, prop));
        if known { self.concrete.label(state, prop) } else { Truth::Unknown }
    }

    /// Asks for the value of a proposition in a state. Whether that is new.
    pub fn ask_label(&mut self, state: u32, prop: PropId) -> bool {
        !self.is_concrete && !self.knows_labels && self.asked.insert((state, prop))
    }

    /// Looks at the transitions of a state. Whether that is new.
    pub fn look_at(&mut self, state: u32) -> bool {
        let known = std::mem::replace(&mut self.looked_at[state as usize], true);
        if !known {
            self.rows[state as usize] = None;
        }
        !known
    }

    /// Looks at everything, and leaves it to plain must transitions.
    pub fn make_plain(&mut self) {
        self.keeps_hyper = false;
        self.hyper.clear();
        for state in 0..self.states() {
            self.look_at(state);
        }
    }

    /// Looks at all labels and transitions: an earlier refinement needed this abstraction.
    pub fn look_at_all(&mut self) {
        self.knows_labels = true;
        self.looked_at.fill(true);
    }

    /// R⁻ as far as it is known.
    pub fn steps(&mut self, state: u32) -> &[AbstractStep] {
        let row = self.rows[state as usize].take().unwrap_or_else(|| self.row(state));
        self.rows[state as usize].insert(row)
    }

    /// Transitions of `state`, if they have been computed since the last split that concerns them.
    pub fn known_steps(&self, state: u32) -> &[AbstractStep] {
        self.rows[state as usize].as_deref().unwrap_or(&[])
    }

    fn row(&self, state: u32) -> Vec<AbstractStep> {
        if self.looked_at[state as usize] {
            return self.concrete.may(state);
        }
        let actions: Vec<Option<ActionId>> = if self.is_props {
            vec![None]
        } else {
            (0..self.actions).map(|action| Some(ActionId(action))).collect()
        };
        let targets = 0..self.states();
        let step = |action, target| AbstractStep { action, target, must: Some(false) };
        actions.iter().flat_map(|&a| targets.clone().map(move |t| step(a, t))).collect()
    }

    pub fn may(&mut self, state: u32, action: Option<ActionId>, target: u32) -> bool {
        self.steps(state).iter().any(|step| step.action == action && step.target == target)
    }

    /// R⁺ as far as it is known.
    pub fn must(&mut self, state: u32, action: Option<ActionId>, target: u32) -> bool {
        let find = |step: &AbstractStep| step.action == action && step.target == target;
        let Some(index) = self.steps(state).iter().position(find) else { return false };
        if let Some(known) = self.steps(state)[index].must {
            return known;
        }
        let must = self.concrete.must(state, action, &[target]);
        if let Some(row) = &mut self.rows[state as usize] {
            row[index].must = Some(must);
        }
        must
    }

    pub fn has_hyper(&self) -> bool {
        !self.hyper.is_empty()
    }

    pub fn hyper_from(&self, state: u32) -> impl Iterator<Item = &HyperStep> {
        self.hyper.iter().filter(move |hyper| hyper.source == state)
    }

    /// Whether that is new.
    pub fn add_hyper(&mut self, mut hyper: HyperStep) -> bool {
        hyper.targets.sort_unstable();
        hyper.targets.dedup();
        let is_new = hyper.targets.len() > 1 && !self.hyper.contains(&hyper);
        if is_new {
            self.hyper.push(hyper);
        }
        is_new
    }

    /// Splits a state by a criterion. What was known of it is known of its parts.
    pub fn split(&mut self, state: u32, criterion: &Criterion) -> Vec<u32> {
        let sure = if self.keeps_hyper { self.must_transitions_into(state) } else { Vec::new() };
        let fresh = self.concrete.split(state, criterion);
        if fresh.is_empty() {
            return fresh;
        }
        let asked: Vec<PropId> =
            self.asked.iter().filter(|(of, _)| *of == state).map(|&(_, prop)| prop).collect();
        for &part in &fresh {
            self.asked.extend(asked.iter().map(|&prop| (part, prop)));
            self.looked_at.push(self.looked_at[state as usize]);
            self.rows.push(None);
        }
        for row in &mut self.rows {
            let concerns = |row: &Vec<AbstractStep>| row.iter().any(|step| step.target == state);
            if row.as_ref().is_some_and(concerns) {
                *row = None;
            }
        }
        self.rows[state as usize] = None;
        self.split_hyper(state, &fresh, sure);
        debug_assert!(
            fresh.iter().all(|&part| self.concrete.joint(part) == self.concrete.joint(state))
        );
        fresh
    }

    /// The known must transitions into a state, which a split may turn into hyper-transitions.
    fn must_transitions_into(&mut self, target: u32) -> Vec<HyperStep> {
        for source in (0..self.states()).filter(|&s| self.looked_at[s as usize]).collect::<Vec<_>>()
        {
            self.steps(source);
        }
        let rows = self.rows.iter().zip(0..);
        rows.flat_map(|(row, source)| {
            let steps = row.iter().flatten();
            let sure = steps.filter(move |step| step.target == target && step.must == Some(true));
            sure.map(move |step| HyperStep { source, action: step.action, targets: vec![target] })
        })
        .collect()
    }

    fn split_hyper(&mut self, state: u32, fresh: &[u32], sure: Vec<HyperStep>) {
        let known = std::mem::take(&mut self.hyper).into_iter().chain(sure);
        for mut hyper in known {
            if hyper.targets.contains(&state) {
                hyper.targets.extend(fresh);
            }
            let sources = if hyper.source == state { fresh } else { &[] };
            for &source in sources {
                self.add_hyper(HyperStep { source, ..hyper.clone() });
            }
            self.add_hyper(hyper);
        }
    }
}
