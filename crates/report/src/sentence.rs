//! Why a verdict is unknown, and other things worth a sentence.

use crate::style::shorten;
use crate::visible::visible;
use explicit::{Cause, DeadEnd, Doubt, Obstacle, OpenStep, Reason, Unsuited};
use support::{Diagnostic, Severity};

pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Stopped(stopped) => stopped.to_string(),
        Reason::Doubt(doubt) => sentence_of_doubt(doubt),
        Reason::Open => {
            "the model does not say enough; `--method direct` finds out what is missing".to_owned()
        }
        Reason::NotTried(why) => why.clone(),
        Reason::InitialStates { satisfying, falsifying } => format!(
            "it depends on where the system starts: {satisfying} satisfies the property, \
             {falsifying} falsifies it"
        ),
        Reason::Holes { names, deciding } => sentence_of_holes(names, deciding.as_ref()),
        Reason::MissingParts(names) => {
            let are = if names.len() == 1 { "is" } else { "are" };
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("it depends on what {} will do, which {are} missing", names.join(" and "))
        }
    }
}

fn sentence_of_holes(names: &[String], deciding: Option<&(Vec<String>, bool)>) -> String {
    let quoted = |names: &[String]| -> Vec<String> {
        names.iter().map(|name| format!("`{name}`")).collect()
    };
    let (are, names) = (if names.len() == 1 { "is" } else { "are" }, quoted(names).join(" and "));
    let depends = format!("it depends on what {names} will do, which {are} not written yet");
    match deciding {
        Some((assumptions, verdict)) => {
            format!(
                "{depends}; it is {verdict} if one assumes {}",
                quoted(assumptions).join(" and ")
            )
        }
        None => depends,
    }
}

fn sentence_of_doubt(doubt: &Doubt) -> String {
    let Doubt { from, state, subformula, cause, is_exact, .. } = doubt;
    let (missing, subformula) = (sentence_of_cause(cause), shorten(subformula));
    let reached =
        if from == state { String::new() } else { format!(", which is reached from {from}") };
    let exact = match is_exact {
        true => "; this is exact: some refinement satisfies the property, and some refutes it",
        false => "",
    };
    format!(
        "it is not known whether {missing}; `{subformula}` depends on it in {state}{reached}{exact}"
    )
}

fn sentence_of_cause(cause: &Cause) -> String {
    match cause {
        Cause::Label { component, state, prop } => {
            format!("`{prop}` holds in {state} of {component}")
        }
        // Nobody has to move where the whole may stand still.
        Cause::Transition { steps, .. } if steps.is_empty() => "the system stands still".to_owned(),
        Cause::Transition { steps, action } => {
            let steps: Vec<String> = steps.iter().map(sentence_of_step).collect();
            let by = action.as_ref().map_or(String::new(), |action| format!(" by `{action}`"));
            format!("{}{by}", steps.join(" and "))
        }
    }
}

fn sentence_of_step(step: &OpenStep) -> String {
    let OpenStep { component, from, to, is_missing } = step;
    let missing = if *is_missing { ", which is not written yet," } else { "" };
    format!("{component}{missing} goes from {from} to {to}")
}

/// Another method is used than the one that was asked for.
pub fn unsuited_note(Unsuited { method, obstacle }: &Unsuited) -> String {
    let why = match obstacle {
        Obstacle::Values => "the value in every state is asked for".to_owned(),
        Obstacle::Kind { component, kind } => {
            format!("the component `{}` is of the kind `{}`", visible(component), kind.name())
        }
        Obstacle::Starts { component } => {
            format!("an initial state of the component `{}` stands for several", visible(component))
        }
        Obstacle::SingleComponent => "the system has one component only".to_owned(),
        Obstacle::InitialStates { most } => {
            format!("the system has more than {most} initial states")
        }
    };
    format!("Note: `direct` is used instead of `{}`: {why}\n", method.name())
}

/// CTL speaks of systems that always go on.
pub fn deadlock_warning(property: &str, dead_end: &DeadEnd) -> Diagnostic {
    const HELP: &str = "in CTL every path goes on, and here `AX f` is true and `EX f` false; \
                        `--deadlock stutter` lets the system stand still there, `--deadlock error` \
                        refuses it";
    let sentence = explicit::Error::Deadlock(dead_end.clone());
    Diagnostic {
        severity: Severity::Warning,
        message: format!("`{}`: {sentence}", shorten(property)),
        labels: Vec::new(),
        help: Some(HELP.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use explicit::Method;
    use support::{StopReason, Stopped};

    fn doubt(from: &str, cause: Cause) -> Reason {
        let (state, subformula) = ("s1,t1".to_owned(), "<> o".to_owned());
        Reason::Doubt(Doubt {
            from: from.to_owned(),
            state,
            subformula,
            cause,
            way: Vec::new(),
            is_exact: false,
        })
    }

    fn step(component: &str, from: &str, to: &str) -> OpenStep {
        OpenStep {
            component: component.into(),
            from: from.into(),
            to: to.into(),
            is_missing: component == "Net",
        }
    }

    #[test]
    fn every_obstacle_has_its_note() {
        let (component, kind) = ("A".to_owned(), model::Kind::MixTs);
        let cases = [
            (Obstacle::Values, "the value in every state is asked for"),
            (Obstacle::Kind { component, kind }, "the component `A` is of the kind `mixts`"),
            (Obstacle::SingleComponent, "the system has one component only"),
            (Obstacle::InitialStates { most: 9 }, "the system has more than 9 initial states"),
        ];
        for (obstacle, why) in cases {
            let note = unsuited_note(&Unsuited { method: Method::Refine, obstacle });
            assert_eq!(note, format!("Note: `direct` is used instead of `refine`: {why}\n"));
        }
    }

    #[test]
    fn every_reason_has_its_sentence() {
        let label = Cause::Label { component: "M2".into(), state: "t1".into(), prop: "i".into() };
        assert_eq!(
            reason(&doubt("s0,t0", label)),
            "it is not known whether `i` holds in t1 of M2; `<> o` depends on it in s1,t1, \
             which is reached from s0,t0"
        );
        let steps = vec![step("A", "s1", "s2"), step("B", "t1", "t2")];
        assert_eq!(
            reason(&doubt("s1,t1", Cause::Transition { steps, action: Some("go".into()) })),
            "it is not known whether A goes from s1 to s2 and B goes from t1 to t2 by `go`; \
             `<> o` depends on it in s1,t1"
        );
        let steps = vec![step("Net", "{!ack}", "{ack}")];
        assert_eq!(
            reason(&doubt("s1,t1", Cause::Transition { steps, action: None })),
            "it is not known whether Net, which is not written yet, goes from {!ack} to {ack}; \
             `<> o` depends on it in s1,t1"
        );
        let still = Cause::Transition { steps: Vec::new(), action: Some("tau".into()) };
        assert_eq!(
            reason(&doubt("s1,t1", still)),
            "it is not known whether the system stands still; `<> o` depends on it in s1,t1"
        );
        let stopped = Reason::Stopped(Stopped(StopReason::Timeout));
        assert_eq!(reason(&stopped), "the time limit was reached");
        assert_eq!(
            reason(&Reason::Open),
            "the model does not say enough; `--method direct` finds out what is missing"
        );
        let split = Reason::InitialStates { satisfying: "p".into(), falsifying: "!p".into() };
        assert_eq!(
            reason(&split),
            "it depends on where the system starts: p satisfies the property, !p falsifies it"
        );
    }
}
