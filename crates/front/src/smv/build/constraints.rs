//! `INIT`, `TRANS`, `INVAR` and `FAIRNESS`.

use super::Builder;
use super::unsupported::{Lowered, Refusal};
use crate::smv::ast::{Expr, ExprId, Function, Item};
use support::{Diagnostic, Span};
use transition::{Constraint, FairnessConstraint, InstanceId, NodeId, Section};

impl Builder<'_, '_> {
    pub(super) fn add_constraints(&mut self) {
        for index in 0..self.items.len() {
            let (instance, item) = self.items[index];
            let (added, is_fairness) = match item {
                Item::Constraint { section, expr } => {
                    (self.add_constraint(instance, *section, *expr), false)
                }
                Item::Fairness { expr } => (self.add_fairness(instance, *expr), true),
                _ => continue,
            };
            // What is wrong has been reported, and the rest is looked at.
            if let Err(Refusal::Unsupported(construct)) = added {
                self.note_unsupported(construct);
                let place = match is_fairness {
                    true => &mut self.unsupported_fairness,
                    false => &mut self.unsupported_constraint,
                };
                place.get_or_insert(construct);
            }
        }
    }

    fn add_constraint(
        &mut self,
        instance: InstanceId,
        section: Section,
        expr: ExprId,
    ) -> Lowered<()> {
        let node = self.condition(instance, expr)?;
        if section != Section::Trans {
            let keyword = if section == Section::Init { "INIT" } else { "INVAR" };
            self.refuse_next(node, expr, &format!("`{keyword}`"))?;
            self.refuse_input(node, expr, &format!("`{keyword}`"))?;
        }
        let span = self.span(expr);
        self.machine.constraints.push(Constraint { section, node, instance, span });
        Ok(())
    }

    /// The fairness of `FAIRNESS running` in every process. A process can always go on, so weak and strong are one.
    pub(super) fn add_fairness_of_processes(&mut self) {
        let processes = self.machine.instances.iter().filter(|(_, instance)| instance.is_process);
        let processes: Vec<InstanceId> = processes.map(|(process, _)| process).collect();
        for instance in processes {
            let node = self.is_running(instance);
            let Some(span) = self.file.modules.first().map(|module| module.name.span) else {
                return;
            };
            let name = Some("running".to_owned());
            self.machine.fairness.push(FairnessConstraint { node, instance, span, name });
        }
    }

    fn add_fairness(&mut self, instance: InstanceId, expr: ExprId) -> Lowered<()> {
        let node = self.condition(instance, expr)?;
        self.refuse_next(node, expr, "`FAIRNESS`")?;
        let span = self.span(expr);
        self.machine.fairness.push(FairnessConstraint { node, instance, span, name: None });
        Ok(())
    }

    pub(super) fn refuse_next(&mut self, node: NodeId, expr: ExprId, place: &str) -> Lowered<()> {
        if !self.machine.exprs.reads_next(node) {
            return Ok(());
        }
        let span = self.next_within(expr);
        Err(self.error(|_| {
            let message = format!("`next` in {place}");
            Diagnostic::error(message, span, "this is about two states")
                .with_help("`next` stands in `TRANS` and on the right of `next(x) := …`")
        }))
    }

    /// The place of a `next` in an expression, or all of it if a definition has it.
    fn next_within(&self, expr: ExprId) -> Span {
        let mut found = self.span(expr);
        self.file.exprs.visit(expr, |id, expr| {
            if let Expr::Call(Function::Next, _) = expr {
                found = self.span(id);
            }
        });
        found
    }

    pub(super) fn refuse_input(&mut self, node: NodeId, expr: ExprId, place: &str) -> Lowered<()> {
        self.refuse_inputs([node], self.span(expr), place)
    }

    pub(super) fn refuse_inputs(
        &mut self,
        nodes: impl IntoIterator<Item = NodeId>,
        span: Span,
        place: &str,
    ) -> Lowered<()> {
        let read = self.machine.access(nodes).now;
        let is_input =
            |&var: &transition::VarId| self.machine.vars[var].kind == transition::VarKind::Input;
        let Some(input) = read.into_iter().find(is_input) else { return Ok(()) };
        let name = self.variable_name(input).to_owned();
        let is_selector = self.machine.selector == Some(input);
        Err(self.error(|_| {
            let message = format!("the input `{name}` in {place}");
            let error = Diagnostic::error(message, span, "inputs belong to steps, not to states");
            error.with_help(match is_selector {
                true => "`running` stands in `TRANS`, in `next(x) := …` and in `FAIRNESS`",
                false => "declare the variable by `VAR` instead of `IVAR`",
            })
        }))
    }
}
