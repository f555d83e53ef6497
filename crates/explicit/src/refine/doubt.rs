//! Cause of an unknown when nothing can be refined: facts that the components themselves leave unknown.

use super::Run;
use super::exits::exits;
use crate::doubt::standing_still;
use crate::outcome::{Cause, Doubt, OpenStep, Reason};
use game::colour::Colouring;
use game::{Op, Part};
use logic::{PropId, Truth};

impl<'f> Run<'_, 'f> {
    /// The reason of an unknown, from an initial node and its failure node.
    pub(super) fn doubt(
        &self,
        whole: &Part<'f>,
        colouring: &Colouring,
        start: u32,
        node: u32,
    ) -> Reason {
        let name = |node: u32| self.state_names(whole, node).join(",");
        let label = whole.graph.labels[node as usize];
        let cause = match self.question.plan.equations[label as usize].op {
            Op::Lit(prop, _) => self.open_label(whole, node, prop),
            _ => self.open_transition(whole, colouring, node),
        };
        Reason::Doubt(Doubt {
            is_exact: false,
            from: name(start),
            state: name(node),
            subformula: self.subformula(whole, node),
            cause,
            way: Vec::new(),
        })
    }

    fn open_label(&self, whole: &Part<'f>, node: u32, prop: PropId) -> Cause {
        let tuple = whole.tuple(whole.graph.states[node as usize]);
        let owner = whole.components.iter().zip(tuple).find(|&(&component, &member)| {
            let own = self.settings[component].own_prop(prop);
            own.is_some_and(|own| self.abstractions[component].label(member, own) == Truth::Unknown)
        });
        let prop = self.request.system.props().name(prop).to_owned();
        let (component, state) = owner.map_or_else(Default::default, |(&component, &member)| {
            (self.name(component), self.state_name(component, member))
        });
        Cause::Label { component, state, prop }
    }

    fn open_transition(&self, whole: &Part<'f>, colouring: &Colouring, node: u32) -> Cause {
        let exit = exits(whole, colouring, node).into_iter().next();
        let Some(exit) = exit else { return standing_still() };
        let interface = self.question.interface;
        let rule = interface.rules.get(exit.step.rule as usize);
        let tuple = |node: u32| whole.tuple(whole.graph.states[node as usize]);
        let members = tuple(node).iter().zip(tuple(exit.target));
        let steps =
            whole.components.iter().zip(members).filter_map(|(&component, (&from, &to))| {
                let action = self.action_of(component, exit.step.rule)?;
                let world = &self.abstractions[component].world;
                (!world.must(from, action, &[to])).then(|| OpenStep {
                    component: self.name(component),
                    from: world.name(from),
                    to: world.name(to),
                    is_missing: self.request.system.components[component].is_unknown,
                })
            });
        Cause::Transition {
            steps: steps.collect(),
            action: rule.map(|rule| interface.actions.name(rule.result).to_owned()),
        }
    }
}
