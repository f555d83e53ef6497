//! Fairness of processes: one that can take a step takes steps again and again.
//!
//! A process that has ended or waits cannot take one, and after a run-time error none can. Weak fairness becomes
//! constraints of the machine, strong fairness a premise of formulas.

use super::DEFAULT;
use crate::document::Specification;
use crate::language::ProcessFairness;
use crate::temporal::assume_compassion;
use logic::Expr;
use transition::cfg::{ProcessMachine, ProgramProcess};
use transition::{FairnessConstraint, StateProperty};

/// That a process can take a step, and that it took the last one.
fn names(process: &str) -> [String; 2] {
    [format!("{process} can go on"), format!("{process} went on")]
}

/// Adds a history variable for each process, and the constraints of weak fairness or what strong fairness speaks of.
pub(super) fn add_fairness(made: &mut ProcessMachine, fairness: ProcessFairness) {
    for turns in std::mem::take(&mut made.turns) {
        let (instance, span) = (turns.instance, turns.span);
        let [can_go_on, takes] = made.turn(&turns);
        let name = format!("@{} went on", turns.process);
        let history = made.machine.remember(name, takes, false, (instance, span));
        made.control.push(history);
        let went_on = made.machine.now(history);
        match fairness {
            ProcessFairness::Weak => {
                let waits = made.machine.exprs.not(can_go_on);
                let node = made.machine.exprs.or(went_on, waits);
                let name = Some("goes on or cannot".to_owned());
                made.machine.fairness.push(FairnessConstraint { node, instance, span, name });
            }
            ProcessFairness::Strong => {
                let nodes = [can_go_on, went_on];
                let named = names(&turns.process).into_iter().zip(nodes);
                made.propositions.extend(named.map(|(name, node)| StateProperty { name, node }));
            }
        }
    }
}

/// A property of the runs that are strongly fair. Where an error has occurred the state repeats for ever, which is
/// fair, so that it does not matter for the default property which runs count.
pub(super) fn on_strongly_fair_runs(
    property: Specification,
    processes: &[ProgramProcess],
) -> Specification {
    let Ok(mut surface) = property.formula else { return property };
    if surface.logic.has_path_quantifiers() && property.text != DEFAULT.1 {
        let formula = Err(ProcessFairness::STRONG.into());
        return Specification { formula, fair: false, ..property };
    }
    if surface.logic.has_linear_operators() {
        let assumed = processes.iter().map(|process| names(&process.name).map(Expr::Prop));
        assume_compassion(&mut surface, assumed.collect());
    }
    Specification { formula: Ok(surface), ..property }
}
