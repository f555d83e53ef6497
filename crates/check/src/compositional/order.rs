//! Which component comes next: the heuristic of the compositional method, as told at its head.

use super::Run;
use game::colour::Colouring;
use game::{Op, Part};
use logic::{Family, Truth};
use model::{IDLE, STUTTER};

impl<'f> Run<'_, 'f> {
    /// The components that the formula speaks of, small ones first; all if it speaks of none.
    pub(super) fn relevant(&self) -> Vec<usize> {
        let system = self.request.system;
        let mut relevant: Vec<usize> = match system.family() {
            Family::Props => self.owners_of_props(),
            Family::Actions => self.takers_of_actions(),
        };
        if relevant.is_empty() {
            relevant = (0..system.components.len()).collect();
        }
        relevant.extend(self.request.order);
        relevant.sort_by_key(|&component| {
            (self.rank(component), system.components[component].model.states(), component)
        });
        relevant.dedup();
        relevant
    }

    /// The place of a component in the order that was asked for.
    fn rank(&self, component: usize) -> usize {
        let order = self.request.order;
        order.iter().position(|&wanted| wanted == component).unwrap_or(order.len())
    }

    fn owners_of_props(&self) -> Vec<usize> {
        let props = self.request.system.props();
        let named: Vec<&str> = self
            .plan
            .equations
            .iter()
            .filter_map(|equation| match equation.op {
                Op::Lit(prop, _) => Some(props.name(prop)),
                _ => None,
            })
            .collect();
        let has = |&component: &usize| {
            let own = self.request.system.components[component].model.props();
            named.iter().any(|name| own.get(name).is_some())
        };
        (0..self.request.system.components.len()).filter(has).collect()
    }

    fn takers_of_actions(&self) -> Vec<usize> {
        let sets = self.request.formula.action_sets();
        let named = |name: &str| sets.values().any(|set| set.names().iter().any(|n| n == name));
        let shown = |rule: &&model::Rule| named(self.interface.actions.name(rule.result));
        let rules = self.interface.rules.iter().filter(shown);
        let mut takers: Vec<usize> =
            rules.flat_map(|rule| &rule.parts).map(|&(component, _)| component).collect();
        takers.sort_unstable();
        takers.dedup();
        takers
    }

    /// The part to begin with: the first that was asked for, else the smallest.
    pub(super) fn pop_first(&self, parts: &mut Vec<Part<'f>>) -> Option<Part<'f>> {
        let rank = |part: &Part| (self.rank(part.components[0]), part.graph.len());
        let first = (0..parts.len()).min_by_key(|&index| rank(&parts[index]))?;
        Some(parts.swap_remove(first))
    }

    /// The part that has most in common with the one at hand, the smallest of those.
    pub(super) fn pop_nearest(&self, whole: &Part, parts: &mut Vec<Part<'f>>) -> Option<Part<'f>> {
        let near = |part: &Part| {
            let common: usize = part.components.iter().map(|&c| self.in_common(whole, c)).sum();
            (self.rank(part.components[0]), std::cmp::Reverse(common), part.graph.len())
        };
        let next = (0..parts.len()).min_by_key(|&index| near(&parts[index]))?;
        Some(parts.swap_remove(next))
    }

    /// How many propositions or rules a component shares with a part.
    fn in_common(&self, part: &Part, component: usize) -> usize {
        let mask = self.interface.mask(&part.inside);
        let own = self.interface.joint.own(component);
        let props: u32 = own.iter().zip(&mask).map(|(a, b)| (a & b).count_ones()).sum();
        let rules = self.interface.rules.iter().enumerate().filter(|(index, rule)| {
            rule.parts.iter().any(|&(c, _)| c == component)
                && self.interface.takes_part(&part.inside, *index as u32)
        });
        props as usize + rules.count()
    }

    /// A component that is not combined yet: the wanted one, else the nearest.
    pub(super) fn next_component(&self, whole: &Part, wanted: Option<usize>) -> Option<usize> {
        let outside = (0..whole.inside.len()).filter(|&component| !whole.inside[component]);
        let asked = self.request.order.iter().copied();
        asked
            .chain(wanted)
            .find(|&component| !whole.inside[component])
            .or_else(|| outside.max_by_key(|&component| self.in_common(whole, component)))
    }

    /// The component that the failure cause points to: one that may block the step in doubt.
    pub(super) fn wanted(&self, product: &Part, colouring: &Colouring) -> Option<usize> {
        let start = *product
            .graph
            .initial
            .iter()
            .find(|&&node| colouring.colours[node as usize] == Truth::Unknown)?;
        let node = colouring.failure_node(start);
        let joint = |node: u32| {
            let words = self.interface.joint.words();
            product.label(product.graph.states[node as usize], words)
        };
        product.steps_of(node).filter(|(edge, _)| !edge.must()).find_map(|(edge, step)| {
            if matches!(step.rule, IDLE | STUTTER) {
                return None;
            }
            if !self.interface.rules.is_empty() {
                return self.interface.rule_blocker(&product.inside, step.rule);
            }
            self.interface.general_blocker(&product.inside).or_else(|| {
                self.interface.step_blocker(&product.inside, joint(node), joint(edge.node()))
            })
        })
    }
}
