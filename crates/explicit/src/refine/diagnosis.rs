//! Cause of an unknown when nothing can be refined: facts that the components themselves leave unknown.

use super::Run;
use super::failure_edges::failure_edges;
use crate::cause::stuttering;
use crate::outcome::{Cause, Diagnosis, Reason, UncertainStep};
use game::colour::Colouring;
use game::{Op, SubsystemGame};
use logic::{PropId, Truth};

impl<'f> Run<'_, 'f> {
    /// The reason of an unknown, from an initial node and its failure node.
    pub(super) fn diagnosis(
        &self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        start: u32,
        node: u32,
    ) -> Reason {
        let name = |node: u32| self.state_names(combined, node).join(",");
        let label = combined.graph.labels[node as usize];
        let cause = match self.question.plan.equations[label as usize].op {
            Op::Lit(prop, _) => self.unknown_label(combined, node, prop),
            _ => self.uncertain_transition(combined, colouring, node),
        };
        Reason::Undetermined(Diagnosis {
            is_exact: false,
            from: name(start),
            state: name(node),
            subformula: self.subformula(combined, node),
            cause,
            path: Vec::new(),
        })
    }

    fn unknown_label(&self, combined: &SubsystemGame<'f>, node: u32, prop: PropId) -> Cause {
        let tuple = combined.tuple(combined.graph.states[node as usize]);
        let owner = combined.components.iter().zip(tuple).find(|&(&component, &member)| {
            let own = self.settings[component].own_prop(prop);
            own.is_some_and(|own| self.abstractions[component].label(member, own) == Truth::Unknown)
        });
        let prop = self.request.system.props().name(prop).to_owned();
        let (component, state) = owner.map_or_else(Default::default, |(&component, &member)| {
            (self.name(component), self.state_name(component, member))
        });
        Cause::Label { component, state, prop }
    }

    fn uncertain_transition(
        &self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        node: u32,
    ) -> Cause {
        let exit = failure_edges(combined, colouring, node).into_iter().next();
        let Some(exit) = exit else { return stuttering(None, self.state_names(combined, node)) };
        let interface = self.question.interface;
        let rule = interface.rules.get(exit.step.rule as usize);
        let tuple = |node: u32| combined.tuple(combined.graph.states[node as usize]);
        let members = tuple(node).iter().zip(tuple(exit.target));
        let steps =
            combined.components.iter().zip(members).filter_map(|(&component, (&from, &to))| {
                let action = self.action_of(component, exit.step.rule)?;
                let concrete = &self.abstractions[component].concrete;
                (!concrete.must(from, action, &[to])).then(|| UncertainStep {
                    component: self.name(component),
                    from: concrete.name(from),
                    to: concrete.name(to),
                    action: action.map(|action| self.action_name(component, action)),
                    is_missing: self.request.system.components[component].is_unknown,
                })
            });
        Cause::Transition {
            steps: steps.collect(),
            action: rule.map(|rule| interface.actions.name(rule.result).to_owned()),
            target: self.state_names(combined, exit.target),
        }
    }
}
