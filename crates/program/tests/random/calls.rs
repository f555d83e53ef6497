//! A body that is called from several places is looked at once for each assumption, and what follows on a call is
//! part of it.

use crate::{closure, request};
use base::{FileId, Monitor};
use flow::{Partition, Statements};
use logic::Truth;
use program::{InMemory, Outcome, Request, check};
use std::sync::Arc;
use testkit::Rng;

/// With every statement a piece.
pub fn outcome(text: &str, keeps_all: bool) -> Outcome {
    let text: Arc<str> = text.into();
    let document = front::read_while(FileId(0), &text).expect("it is a program");
    let partition = Partition::new(&document.program, &mut Statements);
    let (closure, store, monitor) = (closure(&document), InMemory::default(), Monitor::new());
    let mut rng = Rng::new(0);
    let request = request(&document, &partition, &closure, &store, &monitor, &mut rng);
    let request = Request { keeps_all, evidence: false, threads: 1, ..request };
    check(&request).expect("nothing stops it")
}

/// Behind both calls the same formulas hold, and each has a label of its own.
#[test]
fn labels_behind_a_call_count() {
    let text = "
        var x : 0..1;
        proc flip() { body: x := 1 - x }
        flip(); l: skip; flip(); m: skip; skip; fin
        property some: ctl EF (at_body & AX at_l);
        property all: ctl AG (at_body -> AX at_l);
    ";
    for keeps_all in [false, true] {
        assert_eq!(outcome(text, keeps_all).verdicts, [Truth::True, Truth::False]);
    }
}

/// The costs do not grow with the number of calls if the assumptions are equal.
#[test]
fn equal_calls_cost_once() {
    let checked = |calls: usize| {
        let body = "x := any; while x > 0 do x := x - 1; if x = 2 then y := x fi od; x := any";
        let calls = "work(); ".repeat(calls);
        let text = format!(
            "var x, y : 0..3; proc work() {{ {body} }} {calls} fin
             property calm: ctl AG !error;"
        );
        let figures = outcome(&text, false).figures;
        (figures.checked, figures.passes)
    };
    let ((few, few_passes), (many, many_passes)) = (checked(4), checked(40));
    // A call has a step of its own, and that is all.
    assert_eq!((many - few, many_passes), (36, few_passes));
}
