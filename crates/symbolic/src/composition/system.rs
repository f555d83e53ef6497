//! Components with explicit states, in groups: of a system as it is written, partial models included (C §6.2, Remark
//! 6.2).

use super::decomposition::{Decision, Decomposition, SearchLimit, Trial};
use super::order;
use super::view::View;
use crate::checker::SymbolicStats;
use crate::composed::{UnfitSystem, refuse_mixed_and_hyper};
use crate::failure::UnknownCause;
use crate::kmts::EncodedSystem;
use crate::structure::Structure;
use crate::system_group::Alphabet;
use bdd::{Manager, Policy, Stop};
use logic::{ActionSet, Family, Formula, Node, PropId, Truth};
use model::{Interface, System, TAU};
use support::Monitor;

/// A system of explicit components in parts.
pub struct DecomposedSystem<'a> {
    /// Of the present group.
    pub(super) structure: Structure,
    pub(super) encoded: EncodedSystem<'a>,
    interface: Interface,
    most_nodes: usize,
    /// Whether a deadlock state follows itself, and one that nothing must follow may.
    stutters: bool,
    /// The group that has decided the last question.
    pub(super) decided: Option<Vec<usize>>,
}

impl<'a> DecomposedSystem<'a> {
    /// With `stutters`, a deadlock state follows itself, and one that nothing must follow may.
    pub fn new(
        system: &'a System,
        stutters: bool,
        policy: Policy,
        effort: SearchLimit,
        monitor: &Monitor,
    ) -> Result<Self, UnfitSystem> {
        refuse_mixed_and_hyper(system)?;
        monitor.phase("encoding", 0);
        let mut structure = Structure::empty(Manager::new(monitor, policy));
        if let SearchLimit::AtMost { nodes, steps } = effort {
            structure.manager.allow(nodes.min(policy.most_nodes), steps);
        }
        let encoded = EncodedSystem::new(system, &mut structure.manager)?;
        let interface = Interface::new(system);
        let most_nodes = policy.most_nodes;
        let decided = None;
        let mut composition = Self { structure, encoded, interface, most_nodes, stutters, decided };
        composition.lift(&[], &[])?;
        if composition.structure.init.is_empty() && system.components.len() > 1 {
            return Err(UnfitSystem::NoComposableInit);
        }
        Ok(composition)
    }

    /// Whether all initial states satisfy the formula, or some certainly does not. The propositions are those
    /// of the system, in its order.
    pub fn check(
        &mut self,
        formula: &Formula,
        effort: SearchLimit,
        watch: &mut dyn FnMut(&Trial),
    ) -> Result<Truth, Stop> {
        let groups = order::groups(self, self.mentioned(formula));
        self.check_by(&groups, formula, effort, watch)
    }

    /// Checks with these groups of components, by index, one after the other.
    pub fn check_by(
        &mut self,
        groups: &[Vec<usize>],
        formula: &Formula,
        effort: SearchLimit,
        watch: &mut dyn FnMut(&Trial),
    ) -> Result<Truth, Stop> {
        let asked = asked(formula);
        let Decision { verdict, group } =
            self.check_groups(groups, formula, &asked, effort, watch)?;
        self.decided = group.map(|group| groups[group].clone());
        Ok(verdict)
    }

    /// Why a formula is unknown in the composition, if it is.
    pub fn unknown_cause(&mut self, formula: &Formula) -> Result<Option<UnknownCause>, Stop> {
        let all: Vec<usize> = (0..self.count()).collect();
        self.lift_with(&all, Alphabet::All)?;
        let reached = self.structure.reachable()?;
        self.structure.unknown_cause(formula, &self.encoded.bits, &reached)
    }

    fn lift_with(&mut self, members: &[usize], alphabet: Alphabet) -> Result<(), Stop> {
        let interface = (!self.is_all(members)).then_some(&self.interface);
        self.structure.become_group(&self.encoded, members, interface, alphabet)?;
        if self.stutters {
            let states = self.structure.states.clone();
            let ends = self.structure.ends(&states, false)?;
            let action = (self.encoded.system.family() == Family::Actions).then(|| TAU.to_owned());
            self.structure.stutter(&states, &ends, action)?;
        }
        Ok(())
    }

    /// The components that have a proposition of the formula, or take part in an action of it.
    fn mentioned(&self, formula: &Formula) -> Vec<usize> {
        let mut found: Vec<usize> = match self.encoded.system.family() {
            Family::Props => {
                let is_used = |prop: PropId| {
                    formula.nodes().any(|(_, node)| matches!(node, Node::Lit(of, _) if of == prop))
                };
                let used =
                    self.encoded.labels.iter().zip(0..).filter(|(_, prop)| is_used(PropId(*prop)));
                used.flat_map(|(of_one, _)| of_one.iter().map(|(part, _)| *part)).collect()
            }
            Family::Actions => {
                let sets = formula.action_sets();
                let (rules, shown) = &self.encoded.rules;
                let is_named =
                    |name: &str| sets.values().any(|set| set.names().iter().any(|of| of == name));
                let named = rules.iter().filter(|rule| is_named(shown.name(rule.result)));
                named.flat_map(|rule| rule.parts.iter().map(|(part, _)| *part)).collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    pub fn stats(&self) -> SymbolicStats {
        self.structure.stats(&self.structure.init)
    }
}

/// The sets of actions that a formula tells apart.
pub(super) fn asked(formula: &Formula) -> Vec<ActionSet> {
    formula.action_sets().values().cloned().collect()
}

impl Decomposition for DecomposedSystem<'_> {
    type Vocabulary = [ActionSet];

    fn structure(&mut self) -> &mut Structure {
        &mut self.structure
    }

    fn lift(&mut self, members: &[usize], asked: &[ActionSet]) -> Result<View, Stop> {
        self.lift_with(members, Alphabet::Asked(asked))?;
        let mut view = View::default();
        for &member in members {
            self.encoded.bits[member].both().into_iter().for_each(|var| view.add(var));
        }
        Ok(view)
    }

    fn count(&self) -> usize {
        self.encoded.parts.len()
    }

    fn name(&self, component: usize) -> &str {
        &self.encoded.system.components[component].model.name
    }

    fn bits(&self, component: usize) -> usize {
        self.encoded.bits[component].now().len()
    }

    fn neighbours(&self, group: &[usize]) -> Vec<usize> {
        let mut shared = vec![0usize; self.count()];
        let mut count = |of_one: &mut dyn Iterator<Item = usize>| {
            let of_one: Vec<usize> = of_one.collect();
            if of_one.iter().any(|part| group.contains(part)) {
                of_one.iter().for_each(|&part| shared[part] += 1);
            }
        };
        for of_one in &self.encoded.labels {
            count(&mut of_one.iter().map(|(part, _)| *part));
        }
        for rule in &self.encoded.rules.0 {
            count(&mut rule.parts.iter().map(|(part, _)| *part));
        }
        let near = |&part: &usize| shared[part] > 0 && !group.contains(&part);
        let mut found: Vec<usize> = (0..shared.len()).filter(near).collect();
        found.sort_by_key(|&part| std::cmp::Reverse(shared[part]));
        found
    }

    fn most_nodes(&self) -> usize {
        self.most_nodes
    }
}
