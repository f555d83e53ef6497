use super::*;
use support::StopReason;
use testkit::assumption_oracle::violates;
use testkit::{AssumptionQuestion, assumption_question, for_seeds};

const LIMITS: Limits = Limits { states: 2000, queries: 1_000_000 };

fn ask(question: &AssumptionQuestion, limits: Limits, monitor: &Monitor) -> Learned {
    learn(&question.system, question.process, &question.safety, limits, monitor)
}

#[test]
fn learning_has_the_verdict_of_the_definitions() {
    for_seeds("learning", 0..1000, |rng, case| {
        let question = assumption_question(rng);
        case.note(question.text());
        let expected = match violates(&question.system, question.process, &question.safety, None) {
            true => Answer::Violated,
            false => Answer::Holds,
        };
        let learned = ask(&question, LIMITS, &Monitor::new());
        if learned.answer == expected { Ok(()) } else { Err(format!("{learned:?}, {expected:?}")) }
    });
}

#[test]
fn limits_are_kept() {
    let question = assumption_question(&mut testkit::Rng::new(1));
    let none = ask(&question, Limits { queries: 0, ..LIMITS }, &Monitor::new());
    assert_eq!((none.answer, none.queries), (Answer::GaveUp(Why::Queries), 0));
    let none = ask(&question, Limits { states: 0, ..LIMITS }, &Monitor::new());
    assert_eq!(none.answer, Answer::GaveUp(Why::States));
    let monitor = Monitor::new();
    monitor.stop(StopReason::Cancelled);
    let stopped = ask(&question, LIMITS, &monitor);
    assert_eq!(stopped.answer, Answer::GaveUp(Why::Stopped(Stopped(StopReason::Cancelled))));
}
