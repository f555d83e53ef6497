//! Diagnoses of unknown verdicts, notes and warnings, as sentences.

use crate::style::shorten;
use crate::visible::visible;
use explicit::{
    Cause, DeadlockState, DecidingFacts, Diagnosis, Fact, Obstacle, Reason, UncertainStep,
    UndecidedAbstraction, Unsuited,
};
use support::{Diagnostic, Severity};

pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Stopped(stopped) => stopped.to_string(),
        Reason::Undetermined(diagnosis) => sentence_of_diagnosis(diagnosis),
        Reason::NoCause => {
            "the model leaves the property undetermined; `--method direct` diagnoses the cause"
                .to_owned()
        }
        Reason::Unsupported(what) => what.to_string(),
        Reason::Inseparable(why) => why.to_string(),
        Reason::Refinement(last) => sentence_of_abstraction(last),
        Reason::GivenPredicates => {
            "the given predicates do not decide it; `--method refine` discovers others".to_owned()
        }
        Reason::RunTimeErrors(lines) => {
            let lines: Vec<String> = lines.iter().map(|line| format!("line {line}")).collect();
            format!(
                "it is not known whether a run-time error occurs: a value out of range, a `case` without a matching branch, or a division by zero ({})",
                lines.join(", ")
            )
        }
        Reason::InitialStates { satisfying, falsifying } => format!(
            "the initial states disagree: {satisfying} satisfies the property, {falsifying} falsifies it"
        ),
        Reason::Holes { names, deciding } => sentence_of_holes(names, deciding.as_ref()),
        Reason::MissingParts(names) => {
            let are = if names.len() == 1 { "is" } else { "are" };
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("it depends on the behaviour of {}, which {are} missing", names.join(" and "))
        }
    }
}

/// With a line that can be put into the file at its end.
fn sentence_of_abstraction(last: &UndecidedAbstraction) -> String {
    let UndecidedAbstraction { reason, states, predicates, undetermined, suggestions } = last;
    let mut text = format!(
        "no abstraction decides it: {reason}; the last one has {states} abstract states and {predicates} predicates"
    );
    if let Some(undetermined) = undetermined {
        text += &format!("; {undetermined}");
    }
    if !suggestions.is_empty() {
        text += &format!("; hint: predicates {};", suggestions.join(", "));
    }
    text
}

fn sentence_of_holes(names: &[String], deciding: Option<&(Vec<String>, bool)>) -> String {
    let quoted = |names: &[String]| -> Vec<String> {
        names.iter().map(|name| format!("`{name}`")).collect()
    };
    let (are, names) = (if names.len() == 1 { "is" } else { "are" }, quoted(names).join(" and "));
    let depends = format!("it depends on the behaviour of {names}, which {are} not specified yet");
    match deciding {
        Some((assumptions, verdict)) => {
            format!(
                "{depends}; it is {verdict} under the assumption {}",
                quoted(assumptions).join(" and ")
            )
        }
        None => depends,
    }
}

fn sentence_of_diagnosis(diagnosis: &Diagnosis) -> String {
    let Diagnosis { from, state, subformula, cause, is_exact, .. } = diagnosis;
    let (missing, subformula) = (sentence_of_cause(cause), shorten(subformula));
    let reached = if from == state { String::new() } else { format!(" (reachable from {from})") };
    let exact = match is_exact {
        true => "; this is exact: some refinement satisfies the property and some refutes it",
        false => "",
    };
    format!(
        "`{subformula}` is undetermined in {state}{reached}: it depends on whether {missing}{exact}"
    )
}

fn sentence_of_cause(cause: &Cause) -> String {
    match cause {
        Cause::Label { component, state, prop } => {
            format!("{component} labels state {state} with `{prop}`")
        }
        // No component moves in a stuttering step.
        Cause::Transition { steps, .. } if steps.is_empty() => {
            "the system can stay in this state".to_owned()
        }
        Cause::Transition { steps, action, .. } => {
            let by = |action: Option<&String>| action.map(|action| format!(" by `{action}`"));
            // An action that all components and the composition have is named once.
            let is_common = steps.iter().all(|step| step.action == *action);
            let sentence = |step: &UncertainStep| {
                let own = by(step.action.as_ref().filter(|_| !is_common));
                sentence_of_step(step) + &own.unwrap_or_default()
            };
            let steps: Vec<String> = steps.iter().map(sentence).collect();
            let common = by(action.as_ref().filter(|_| is_common)).unwrap_or_default();
            steps.join(" and ") + &common
        }
    }
}

fn sentence_of_step(step: &UncertainStep) -> String {
    let UncertainStep { component, from, to, is_missing, .. } = step;
    let missing = if *is_missing { ", which is not specified yet," } else { "" };
    format!("{component}{missing} has a transition from {from} to {to}")
}

/// A sentence with the verdict that some facts decide.
pub(crate) fn deciding_facts(DecidingFacts { facts, verdict }: &DecidingFacts) -> String {
    let sentence = |(fact, holds): &(Fact, bool)| match fact {
        Fact::Label { component, state, prop } => {
            let not = if *holds { "" } else { "!" };
            format!("{component} labels state {state} with `{not}{prop}`")
        }
        Fact::Transition { component, from, to, action, .. } => {
            let has = if *holds { "has a" } else { "has no" };
            let by = action.as_ref().map_or(String::new(), |action| format!(" by `{action}`"));
            format!("{component} {has} transition from {from} to {to}{by}")
        }
    };
    let facts: Vec<String> = facts.iter().map(sentence).collect();
    format!("{verdict} if {}", facts.join(" and "))
}

/// Another method is used than the one that was asked for.
pub fn unsuited_note(Unsuited { method, obstacle }: &Unsuited) -> String {
    let why = match obstacle {
        Obstacle::Values => "`--values` asks for the value in every state".to_owned(),
        Obstacle::Kind { component, kind } => {
            format!("the component `{}` is of the kind `{}`", visible(component), kind.name())
        }
        Obstacle::Starts { component } => {
            format!("an initial state of the component `{}` covers several", visible(component))
        }
        Obstacle::SingleComponent => "the system has one component only".to_owned(),
        Obstacle::InitialStates { most } => {
            format!("the system has more than {most} initial states")
        }
    };
    format!("Note: `direct` is used instead of `{}`: {why}\n", method)
}

/// That a property of a logic about infinite paths met a deadlock state. To the other logics it is a state like others.
pub fn deadlock_warning(
    property: &str,
    logic: &str,
    deadlock_state: &DeadlockState,
) -> Option<Diagnostic> {
    let what_holds = match logic {
        "ctl" => {
            "CTL is about infinite paths; in a deadlock state `AX f` is true and `EX f` is false"
        }
        "ltl" => "LTL is about infinite paths; in a deadlock state every formula is true",
        "ctlstar" => {
            "CTL* is about infinite paths; in a deadlock state `A f` is true and `E f` is false"
        }
        _ => return None,
    };
    let sentence = explicit::CheckError::Deadlock(deadlock_state.clone());
    Some(Diagnostic {
        severity: Severity::Warning,
        message: format!("`{}`: {sentence}", shorten(property)),
        labels: Vec::new(),
        help: Some(format!(
            "{what_holds}. `--deadlock stutter` adds a self-loop, `--deadlock error` rejects the model"
        )),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::{StopReason, Stopped};

    fn diagnosis(from: &str, cause: Cause) -> Reason {
        let (state, subformula) = ("s1,t1".to_owned(), "<> o".to_owned());
        Reason::Undetermined(Diagnosis {
            from: from.to_owned(),
            state,
            subformula,
            cause,
            path: Vec::new(),
            is_exact: false,
        })
    }

    fn step(component: &str, from: &str, to: &str) -> UncertainStep {
        UncertainStep {
            component: component.into(),
            from: from.into(),
            to: to.into(),
            action: (component != "Net").then(|| "go".to_owned()),
            is_missing: component == "Net",
        }
    }

    #[test]
    fn every_obstacle_has_its_note() {
        let (component, kind) = ("A".to_owned(), model::Kind::MixTs);
        let cases = [
            (Obstacle::Values, "`--values` asks for the value in every state"),
            (Obstacle::Kind { component, kind }, "the component `A` is of the kind `mixts`"),
            (Obstacle::SingleComponent, "the system has one component only"),
            (Obstacle::InitialStates { most: 9 }, "the system has more than 9 initial states"),
        ];
        for (obstacle, why) in cases {
            let note = unsuited_note(&Unsuited { method: "refine", obstacle });
            assert_eq!(note, format!("Note: `direct` is used instead of `refine`: {why}\n"));
        }
    }

    #[test]
    fn every_reason_has_its_sentence() {
        let label = Cause::Label { component: "M2".into(), state: "t1".into(), prop: "i".into() };
        assert_eq!(
            reason(&diagnosis("s0,t0", label)),
            "`<> o` is undetermined in s1,t1 (reachable from s0,t0): it depends on whether M2 labels state t1 with `i`"
        );
        let transition = |steps: Vec<UncertainStep>, action: Option<&str>| Cause::Transition {
            steps,
            action: action.map(str::to_owned),
            target: Vec::new(),
        };
        let steps = vec![step("A", "s1", "s2"), step("B", "t1", "t2")];
        assert_eq!(
            reason(&diagnosis("s1,t1", transition(steps.clone(), Some("tau")))),
            "`<> o` is undetermined in s1,t1: it depends on whether A has a transition from s1 to s2 by `go` and B has \
             a transition from t1 to t2 by `go`"
        );
        assert_eq!(
            reason(&diagnosis("s1,t1", transition(steps, Some("go")))),
            "`<> o` is undetermined in s1,t1: it depends on whether A has a transition from s1 to s2 and B has a \
             transition from t1 to t2 by `go`"
        );
        let steps = vec![step("Net", "{!ack}", "{ack}")];
        assert_eq!(
            reason(&diagnosis("s1,t1", transition(steps, None))),
            "`<> o` is undetermined in s1,t1: it depends on whether Net, which is not specified yet, has a transition \
             from {!ack} to {ack}"
        );
        let still = transition(Vec::new(), Some("tau"));
        assert_eq!(
            reason(&diagnosis("s1,t1", still)),
            "`<> o` is undetermined in s1,t1: it depends on whether the system can stay in this state"
        );
        let stopped = Reason::Stopped(Stopped(StopReason::Timeout));
        assert_eq!(reason(&stopped), "the time limit was reached");
        assert_eq!(
            reason(&Reason::NoCause),
            "the model leaves the property undetermined; `--method direct` diagnoses the cause"
        );
        let split = Reason::InitialStates { satisfying: "p".into(), falsifying: "!p".into() };
        assert_eq!(
            reason(&split),
            "the initial states disagree: p satisfies the property, !p falsifies it"
        );
    }
}
