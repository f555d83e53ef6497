//! The algorithm itself: groups of components one after the other, each on what those before have left open.

use super::bounds::Bounds;
use super::relevant::{Found, compute_relevant};
use super::view::View;
use crate::fixpoints::{Evaluation, Side};
use crate::structure::Structure;
use bdd::Stop;
use logic::{Formula, Truth};

/// BDD operations for a group before the question is left to the composition.
const STEPS_OF_PART: u64 = 10_000_000;

/// The limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchLimit {
    Unlimited,
    /// At most so many nodes, and steps of operations.
    AtMost {
        nodes: usize,
        steps: u64,
    },
}

/// Result of a group of components.
#[derive(Clone, Debug)]
pub struct Trial {
    pub components: Vec<String>,
    /// Whether these are all components.
    pub is_complete: bool,
    /// Unknown if the limit of nodes was reached as well.
    pub verdict: Truth,
    pub is_full: bool,
    /// Truth variables of a state.
    pub bits: usize,
    /// The number of states that were relevant for some subformula.
    pub relevant: f64,
    pub nodes: usize,
}

/// The verdict of some groups, and which of them has decided it.
pub(crate) struct Decision {
    pub verdict: Truth,
    pub group: Option<usize>,
}

/// A model in components, and how a group of them becomes an abstraction of the composition (C Def. 4.3).
pub(crate) trait Decomposition {
    /// The part of a formula's vocabulary that no group overlooks.
    type Vocabulary: ?Sized;

    /// The structure of the group that was lifted last.
    fn structure(&mut self) -> &mut Structure;

    /// Makes the structure that of some components.
    fn lift(&mut self, members: &[usize], asked: &Self::Vocabulary) -> Result<View, Stop>;

    /// How many components there are that are not missing.
    fn count(&self) -> usize;

    fn name(&self, component: usize) -> &str;

    /// How many truth variables a component owns.
    fn bits(&self, component: usize) -> usize;

    /// Who has something to do with a group, those with most in common first.
    fn neighbours(&self, group: &[usize]) -> Vec<usize>;

    /// Nodes of BDDs for all groups.
    fn most_nodes(&self) -> usize;

    fn is_all(&self, members: &[usize]) -> bool {
        members.len() == self.count()
    }

    /// Checks with these groups of components, one after the other.
    fn check_groups(
        &mut self,
        groups: &[Vec<usize>],
        formula: &Formula,
        asked: &Self::Vocabulary,
        effort: SearchLimit,
        watch: &mut dyn FnMut(&Trial),
    ) -> Result<Decision, Stop> {
        let most_nodes = self.most_nodes();
        let manager = &mut self.structure().manager;
        let mut bounds = Bounds::new(formula, manager);
        let mut was_full = false;
        if let SearchLimit::AtMost { nodes, steps } = effort {
            manager.allow(nodes.min(most_nodes), steps);
        }
        for (group, members) in groups.iter().enumerate() {
            if was_full && !self.is_all(members) {
                continue;
            }
            let trial = self.attempt(members, formula, asked, &mut bounds, effort)?;
            watch(&trial);
            if trial.verdict.is_definite() {
                return Ok(Decision { verdict: trial.verdict, group: Some(group) });
            }
            was_full = trial.is_full;
        }
        Ok(Decision { verdict: Truth::Unknown, group: None })
    }

    /// Checks a group. A group that is too large is no failure, unless it is the composition.
    fn attempt(
        &mut self,
        members: &[usize],
        formula: &Formula,
        asked: &Self::Vocabulary,
        bounds: &mut Bounds,
        effort: SearchLimit,
    ) -> Result<Trial, Stop> {
        let (is_complete, most_nodes) = (self.is_all(members), self.most_nodes());
        if effort == SearchLimit::Unlimited && !is_complete {
            self.structure().manager.allow(most_nodes / 4, STEPS_OF_PART);
        }
        let phase = if is_complete { "combining all components" } else { "checking components" };
        self.structure().manager.monitor().phase(phase, 0);
        let tried = self.decide(members, formula, asked, bounds);
        if effort == SearchLimit::Unlimited {
            self.structure().manager.allow(most_nodes, u64::MAX);
        }
        let can_be_full = effort != SearchLimit::Unlimited || !is_complete;
        let is_full = matches!(tried, Err(Stop::Full | Stop::Crowded)) && can_be_full;
        let (verdict, relevant) = match tried {
            Err(_) if is_full => (Truth::Unknown, 0.0),
            other => other?,
        };
        let (bits, nodes) = (self.structure().bits, self.structure().manager.peak());
        Ok(Trial {
            components: members.iter().map(|&member| self.name(member).to_owned()).collect(),
            is_complete,
            verdict,
            is_full,
            bits,
            relevant,
            nodes,
        })
    }

    /// The verdict of a group, and the number of its relevant states.
    fn decide(
        &mut self,
        members: &[usize],
        formula: &Formula,
        asked: &Self::Vocabulary,
        bounds: &mut Bounds,
    ) -> Result<(Truth, f64), Stop> {
        let view = self.lift(members, asked)?;
        let structure = self.structure();
        let mut seen = bounds.seen_by(&view, &mut structure.manager)?;
        seen.propagate(structure, formula)?;
        let (scopes, decides) = match compute_relevant(structure, formula, &seen)? {
            Found::Decided(verdict, relevant) => return Ok((verdict, relevant)),
            Found::Scopes(scopes, decides) => (scopes, decides),
        };
        let relevant = scopes.open(&mut structure.manager)?;
        let relevant = structure.count(&relevant);
        let states = structure.states.clone();
        let init = structure.init.clone();
        let mut certain =
            Evaluation::within(structure, formula, Side::Pessimist, &states, scopes.clone())?;
        if certain.structure.must.is_none() {
            let holds = certain.holds_in_composition(&init, &decides)?;
            return Ok((if holds { Truth::True } else { Truth::False }, relevant));
        }
        let tt = certain.node(formula.root())?;
        if certain.structure.manager.is_subset(&init, &tt)? {
            return Ok((Truth::True, relevant));
        }
        bounds.learn(&mut certain, true)?;
        let mut possible = Evaluation::within(structure, formula, Side::Optimist, &states, scopes)?;
        let value = possible.node(formula.root())?;
        bounds.learn(&mut possible, false)?;
        let verdict = match structure.fails(&value)? {
            true => Truth::False,
            false => Truth::Unknown,
        };
        Ok((verdict, relevant))
    }
}
