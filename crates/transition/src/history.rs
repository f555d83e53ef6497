//! Conditions on steps as conditions on states: the states remember what the last step was.

use crate::domain::Domain;
use crate::expr::{Binary, ExprNode, NodeId};
use crate::parts::{Assign, InstanceId, Machine, MachineVar, VarId, VarKind, When};
use rustc_hash::FxHashMap;
use support::Span;

impl Machine {
    /// Adds a history variable for every fairness condition that reads inputs: it is
    /// true in a state if the condition held in the step that led there. A path meets the condition
    /// infinitely often if and only if the variable is infinitely often true on it.
    #[must_use]
    pub fn with_history_variables(&self) -> Machine {
        let mut machine = self.clone();
        let mut known: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for index in 0..machine.fairness.len() {
            let fairness = machine.fairness[index].clone();
            if !machine.exprs.reads_input(fairness.node) {
                continue;
            }
            let node = match known.get(&fairness.node) {
                Some(&node) => node,
                None => {
                    let place = (fairness.instance, fairness.span);
                    machine.add_history_variable(fairness.node, false, place)
                }
            };
            known.insert(fairness.node, node);
            machine.fairness[index].node = node;
        }
        machine
    }

    /// Adds a history variable for every input, which has in each state the value of the input in the step that led
    /// there; the pairs are inputs and these.
    #[must_use]
    pub fn recording_inputs(&self) -> (Machine, Vec<(VarId, VarId)>) {
        let mut machine = self.clone();
        let inputs = self.vars.iter().filter(|(_, var)| var.kind == VarKind::Input);
        let mut pairs = Vec::new();
        for (input, var) in inputs {
            let (instance, span) = (var.instance, var.span);
            let record = machine.vars.push(MachineVar { kind: VarKind::State, ..var.clone() });
            let value = machine.now(input);
            let choice = machine.one(value);
            let writers = vec![instance];
            machine.assigns.push(Assign { var: record, when: When::Next, choice, writers, span });
            pairs.push((input, record));
        }
        (machine, pairs)
    }

    /// Adds a history variable of a condition on steps, with its value in initial states; the node is true in a state
    /// if the condition held in the step that led there.
    pub fn add_history_variable(
        &mut self,
        condition: NodeId,
        initially: bool,
        (instance, span): (InstanceId, Span),
    ) -> NodeId {
        let name = self.memory_name(condition);
        let var = self.remember(name, condition, initially, (instance, span));
        self.history.push(var);
        self.now(var)
    }

    /// Adds a variable of this name that is true in a state if the condition held in the step that led there, with its
    /// value in initial states.
    pub fn remember(
        &mut self,
        name: String,
        condition: NodeId,
        initially: bool,
        (instance, span): (InstanceId, Span),
    ) -> VarId {
        let (domain, kind) = (Domain::Bool, VarKind::State);
        let var = self.vars.push(MachineVar { name, domain, kind, instance, span });
        let initially = self.exprs.bool(initially);
        for (when, value) in [(When::Init, initially), (When::Next, condition)] {
            let choice = self.one(value);
            self.assigns.push(Assign { var, when, choice, writers: vec![instance], span });
        }
        var
    }

    /// `p.ran` for the turn of a process, `step_1` for another condition.
    fn memory_name(&self, condition: NodeId) -> String {
        let name = match self.process_of(condition) {
            Some(process) if process == "main" => "ran".to_owned(),
            Some(process) => format!("{process}.ran"),
            None => format!("step_{}", self.vars.len()),
        };
        let is_taken = |name: &str| self.vars.values().any(|var| var.name == name);
        let mut names = std::iter::successors(Some(name), |name| Some(format!("{name}_")));
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }

    /// The process whose turn it is where the condition holds, if it says just that.
    fn process_of(&self, condition: NodeId) -> Option<String> {
        let ExprNode::Binary(Binary::Eq, a, b) = self.exprs.node(condition) else { return None };
        let selector: VarId = self.selector?;
        let (variable, value) = if self.exprs.as_constant(a).is_some() { (b, a) } else { (a, b) };
        let is_selector = self.exprs.node(variable) == ExprNode::Now(selector);
        let value = self.exprs.as_constant(value).filter(|_| is_selector)?;
        Some(self.text(selector, value))
    }
}
