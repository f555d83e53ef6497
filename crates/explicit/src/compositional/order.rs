//! Which component comes next: the heuristic described at the head of the compositional method.

use super::Run;
use crate::Request;
use game::colour::Colouring;
use game::{Op, Plan, SubsystemGame};
use logic::{Family, Formula, Truth};
use model::{IDLE, Interface, STUTTER, System};

/// The components that the formula speaks of, small ones first; all if it speaks of none.
pub(crate) fn relevant(request: &Request, plan: &Plan, interface: &Interface) -> Vec<usize> {
    let system = request.system;
    let mut relevant: Vec<usize> = match system.family() {
        Family::Props => owners_of_props(system, plan),
        Family::Actions => takers_of_actions(request.formula, interface),
    };
    if relevant.is_empty() {
        relevant = (0..system.components.len()).collect();
    }
    relevant.extend(request.order);
    relevant.sort_by_key(|&component| {
        let states = system.components[component].model.states();
        (rank(request, component), states, component)
    });
    relevant.dedup();
    relevant
}

/// The place of a component in the order that was asked for.
fn rank(request: &Request, component: usize) -> usize {
    let order = request.order;
    order.iter().position(|&wanted| wanted == component).unwrap_or(order.len())
}

fn owners_of_props(system: &System, plan: &Plan) -> Vec<usize> {
    let props = system.props();
    let named: Vec<&str> = plan
        .equations
        .iter()
        .filter_map(|equation| match equation.op {
            Op::Lit(prop, _) => Some(props.name(prop)),
            _ => None,
        })
        .collect();
    let has = |&component: &usize| {
        let own = system.components[component].model.props();
        named.iter().any(|name| own.get(name).is_some())
    };
    (0..system.components.len()).filter(has).collect()
}

fn takers_of_actions(formula: &Formula, interface: &Interface) -> Vec<usize> {
    let sets = formula.action_sets();
    let named = |name: &str| sets.values().any(|set| set.names().iter().any(|n| n == name));
    let shown = |rule: &&model::Rule| named(interface.actions.name(rule.result));
    let rules = interface.rules.iter().filter(shown);
    let mut takers: Vec<usize> =
        rules.flat_map(|rule| &rule.parts).map(|&(component, _)| component).collect();
    takers.sort_unstable();
    takers.dedup();
    takers
}

/// How many propositions or rules a component shares with a part.
pub(crate) fn in_common(interface: &Interface, part: &SubsystemGame, component: usize) -> usize {
    let mask = interface.mask(&part.inside);
    let own = interface.joint.own(component);
    let props: u32 = own.iter().zip(&mask).map(|(a, b)| (a & b).count_ones()).sum();
    let rules = interface.rules.iter().enumerate().filter(|(index, rule)| {
        rule.parts.iter().any(|&(c, _)| c == component)
            && interface.takes_part(&part.inside, *index as u32)
    });
    props as usize + rules.count()
}

impl<'f> Run<'_, 'f> {
    /// The part to begin with: the first that was asked for, else the smallest.
    pub(super) fn pop_first(
        &self,
        parts: &mut Vec<SubsystemGame<'f>>,
    ) -> Option<SubsystemGame<'f>> {
        let rank =
            |part: &SubsystemGame| (rank(self.request, part.components[0]), part.graph.len());
        let first = (0..parts.len()).min_by_key(|&index| rank(&parts[index]))?;
        Some(parts.swap_remove(first))
    }

    /// The part that has most in common with the one at hand, the smallest of those.
    pub(super) fn pop_nearest(
        &self,
        combined: &SubsystemGame,
        parts: &mut Vec<SubsystemGame<'f>>,
    ) -> Option<SubsystemGame<'f>> {
        let near = |part: &SubsystemGame| {
            let common: usize =
                part.components.iter().map(|&c| in_common(self.interface, combined, c)).sum();
            (rank(self.request, part.components[0]), std::cmp::Reverse(common), part.graph.len())
        };
        let next = (0..parts.len()).min_by_key(|&index| near(&parts[index]))?;
        Some(parts.swap_remove(next))
    }

    /// A component that is not combined yet: the wanted one, else the nearest.
    pub(super) fn next_component(
        &self,
        combined: &SubsystemGame,
        wanted: Option<usize>,
    ) -> Option<usize> {
        let outside = (0..combined.inside.len()).filter(|&component| !combined.inside[component]);
        let asked = self.request.order.iter().copied();
        asked.chain(wanted).find(|&component| !combined.inside[component]).or_else(|| {
            outside.max_by_key(|&component| in_common(self.interface, combined, component))
        })
    }

    /// The component that the failure cause points to: one that may block the unknown step.
    pub(super) fn wanted(&self, product: &SubsystemGame, colouring: &Colouring) -> Option<usize> {
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
