//! A body that is called from several locations is looked at once for each assumption, and what follows on a call is
//! part of it.

use crate::{closure, request};
use logic::Truth;
use modular::{InMemory, ModularOutcome, ModularRequest, WantedEvidence, check};
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::Rng;
use transition::cfg::{Partition, Statements};

/// With every statement a block.
pub fn outcome(text: &str, keeps_all: bool) -> ModularOutcome {
    let text: Arc<str> = text.into();
    let document = testkit::read_while(FileId(0), &text).expect("it is a program");
    let partition = Partition::new(&document.program, &mut Statements);
    let (closure, store, monitor) = (closure(&document), InMemory::default(), Monitor::new());
    let mut rng = Rng::new(0);
    let request = request(&document, &partition, &closure, &store, &monitor, &mut rng);
    let request =
        ModularRequest { keeps_all, wish: WantedEvidence::NOTHING, threads: 1, ..request };
    check(&request).expect("nothing stops it")
}

/// Behind both calls the same formulas hold, and each has a label of its own.
#[test]
fn labels_behind_a_call_count() {
    let program = "
        var x : 0..1;
        proc flip() { body: x := 1 - x }
        flip(); l: skip; flip(); m: skip; skip; fin";
    let properties =
        [("EF (at_body & AX at_l)", Truth::True), ("AG (at_body -> AX at_l)", Truth::False)];
    for ((formula, wanted), keeps_all) in
        properties.into_iter().flat_map(|property| [(property, false), (property, true)])
    {
        // One at a time: what differs for another formula would have the body looked at again.
        let text = format!("{program} property p: ctl {formula};");
        assert_eq!(outcome(&text, keeps_all).verdicts, [wanted], "{formula}");
    }
}

/// The costs do not grow with the number of calls if the assumptions are equal.
#[test]
fn equal_calls_cost_once() {
    let stats = |calls: usize, keeps_all: bool| {
        let body = "x := any; while x > 0 do x := x - 1; if x = 2 then y := x fi od; x := any";
        let calls = "work(); ".repeat(calls);
        let text = format!(
            "var x, y : 0..3; proc work() {{ {body} }} {calls} fin
             property calm: ctl AG !error;"
        );
        outcome(&text, keeps_all).stats
    };
    for keeps_all in [false, true] {
        let [few, many] = [4, 40].map(|calls| stats(calls, keeps_all));
        // A call has a step of its own, and that is all.
        assert_eq!((many.checked - few.checked, many.passes), (36, few.passes));
        if keeps_all {
            assert_eq!(many.reused - few.reused, 36, "a body is found as a whole");
        }
    }
}
