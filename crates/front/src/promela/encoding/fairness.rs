//! Fairness of processes, as with Spin's `-f`: a process that can go on takes steps again and again.
//!
//! Both sides of a rendezvous take a step. A process that another one keeps waiting by `atomic` cannot go on, and where
//! nothing is possible none can.

use super::super::program::ProcessId;
use super::{Encoder, instance_of};
use crate::language::ProcessFairness;
use transition::{FairnessConstraint, NodeId, VarId as StateId};

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
            let described = &self.program.processes[process];
            let (instance, span) = (instance_of(process), described.span);
            let name = format!("@{} went on", described.name);
            let history = self.machine.remember(name, taken, false, (instance, span));
            let went_on = self.now(history);
            if fairness == ProcessFairness::Weak {
                let waits = self.not(can_go_on);
                let node = self.machine.exprs.or(went_on, waits);
                let name = Some("goes on or cannot".to_owned());
                self.machine.fairness.push(FairnessConstraint { node, instance, span, name });
            }
            self.fair_processes.push(FairProcess { process, can_go_on, went_on, history });
        }
    }
}
