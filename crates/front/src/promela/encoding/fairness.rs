//! Fairness of processes, as with Spin's `-f`: a process that can go on takes steps again and again.
//!
//! Both sides of a rendezvous take a step. A process that another one keeps waiting by `atomic` cannot go on, and where
//! nothing is possible none can.

use super::super::program::ProcessId;
use super::{Encoder, instance_of};
use crate::language::ProcessFairness;
use transition::{
    Assign, Domain, FairnessConstraint, MachineVar, NodeId, VarId as StateId, VarKind, When,
};

/// When a process can take a step, and whether it took the last one.
pub(in crate::promela) struct FairProcess {
    pub process: ProcessId,
    pub can_go_on: NodeId,
    pub went_on: NodeId,
    /// The history variable behind `went_on`.
    pub history: StateId,
}

/// The processes that take part in a step, when it can be taken, and whether it is.
pub(super) struct Participation {
    pub processes: Vec<ProcessId>,
    pub enabled: NodeId,
    pub selected: NodeId,
}

impl Encoder<'_> {
    /// Adds a history variable for each process. Weak fairness becomes constraints of the machine; strong fairness is
    /// for formulas to assume.
    pub(super) fn add_fairness(&mut self, fairness: ProcessFairness, steps: &[Participation]) {
        for process in self.program.processes.ids() {
            let of_process = || steps.iter().filter(|step| step.processes.contains(&process));
            let can_go_on = self.any(of_process().map(|step| step.enabled).collect());
            let taken = self.any(of_process().map(|step| step.selected).collect());
            let history = self.add_history(process, taken);
            let went_on = self.now(history);
            if fairness == ProcessFairness::Weak {
                let waits = self.not(can_go_on);
                let node = self.machine.exprs.or(went_on, waits);
                let described = &self.program.processes[process];
                self.machine.fairness.push(FairnessConstraint {
                    node,
                    instance: instance_of(process),
                    span: described.span,
                    name: Some("goes on or cannot".to_owned()),
                });
            }
            self.fair_processes.push(FairProcess { process, can_go_on, went_on, history });
        }
    }

    fn add_history(&mut self, process: ProcessId, taken: NodeId) -> StateId {
        let (instance, span) = (instance_of(process), self.program.processes[process].span);
        let name = format!("@{} went on", self.program.processes[process].name);
        let (domain, kind) = (Domain::Bool, VarKind::State);
        let var = self.machine.vars.push(MachineVar { name, domain, kind, instance, span });
        let not_yet = self.machine.exprs.bool(false);
        for (when, value) in [(When::Init, not_yet), (When::Next, taken)] {
            let choice = self.machine.one(value);
            let writers = vec![instance];
            self.machine.assigns.push(Assign { var, when, choice, writers, span });
        }
        var
    }
}
