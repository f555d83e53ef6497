//! Assignments and constraints of steps and of the start, in one form: as if the start were a step, too.

use super::layout::Slot;
use support::Span;
use transition::{ChoiceId, Machine, NodeId, Section, VarId, VarKind, When};

/// This variable gets one of these values.
#[derive(Clone, Debug)]
pub(super) struct StepAssignment {
    pub var: VarId,
    pub choice: ChoiceId,
    pub span: Span,
    pub needs: Vec<Slot>,
}

/// This is true, or false.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepConstraint {
    pub node: NodeId,
    pub positive: bool,
    pub span: Span,
}

/// All that has to be so of the values after a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    pub assignments: Vec<StepAssignment>,
    pub step_constraints: Vec<StepConstraint>,
    /// Whether numbers stay what they are: at the start, where they are any.
    pub is_start: bool,
}

impl Rules {
    pub fn of_start(machine: &mut Machine) -> Self {
        let mut rules = Rules { is_start: true, ..Rules::default() };
        rules.add_assigns(machine, When::Init);
        rules.add_constraints(machine, Section::Init);
        rules
    }

    pub fn of_steps(machine: &mut Machine) -> Self {
        let mut rules = Rules::default();
        rules.add_assigns(machine, When::Next);
        rules.add_constraints(machine, Section::Trans);
        let frozen: Vec<VarId> = machine
            .vars
            .iter()
            .filter(|(_, var)| var.kind == VarKind::Frozen)
            .map(|(id, _)| id)
            .collect();
        for var in frozen {
            let now = machine.now(var);
            let choice = machine.one(now);
            let span = machine.vars[var].span;
            rules.assignments.push(StepAssignment { var, choice, span, needs: Vec::new() });
        }
        rules
    }

    fn add_assigns(&mut self, machine: &mut Machine, section: When) {
        for index in 0..machine.assigns.len() {
            let assign = &machine.assigns[index];
            let (var, when, span, mut choice) =
                (assign.var, assign.when, assign.span, assign.choice);
            if when != section && when != When::Always {
                continue;
            }
            if when != When::Next {
                choice = machine.primed_choice(choice);
            }
            let needs = needs(machine, machine.choices.nodes(choice));
            self.assignments.push(StepAssignment { var, choice, span, needs });
        }
    }

    fn add_constraints(&mut self, machine: &mut Machine, section: Section) {
        for index in 0..machine.constraints.len() {
            let constraint = &machine.constraints[index];
            let (mut node, span) = (constraint.node, constraint.span);
            if constraint.section != section && constraint.section != Section::Invar {
                continue;
            }
            if constraint.section != Section::Trans {
                node = machine.primed(node);
            }
            let parts = machine.exprs.conjuncts(node);
            self.step_constraints.extend(parts.into_iter().map(|node| StepConstraint {
                node,
                positive: true,
                span,
            }));
        }
    }

    /// Whether a step leads on from everywhere, unless something goes wrong.
    pub fn are_total(&self) -> bool {
        self.step_constraints.is_empty()
    }

    pub fn is_assigned(&self, var: VarId) -> bool {
        self.assignments.iter().any(|assignment| assignment.var == var)
    }
}

/// The values after the step, and the inputs, that expressions read.
pub(super) fn needs(machine: &Machine, nodes: impl IntoIterator<Item = NodeId>) -> Vec<Slot> {
    let access = machine.access(nodes);
    let is_input = |var: &VarId| machine.vars[*var].kind == VarKind::Input;
    let inputs = access.now.into_iter().filter(is_input).map(Slot::Input);
    access.next.into_iter().map(Slot::Next).chain(inputs).collect()
}
