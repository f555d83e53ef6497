//! A long computation over large sets, within limits.

use super::closure;
use front::GivenQuestion;
use logic::Logic;
use modular::{InMemory, ModularRequest, Representation, WantedEvidence, check};
use std::sync::Arc;
use support::{FileId, Monitor, StopReason, Stopped};
use testkit::keeps_its_limits;
use testkit::read_while_asking;
use transition::cfg::{OneBlock, Partition, Statements};

#[test]
fn blocks_keep_to_their_limits() {
    let text: Arc<str> = "var x : 0..1048575;
         var y : 0..7;
         while x < 1048575 do x := x + 1; if y < 7 then y := y + 1 else y := 0 fi od;
         fin"
    .into();
    let asked = GivenQuestion { logic: Logic::Ctl, file: FileId(1), text: "AG EF x = 5".into() };
    let document = read_while_asking(FileId(0), &text, &[asked]).expect("a program");
    let closure = closure(&document);
    for representation in [Representation::Bits, Representation::Bdds] {
        for partition in [
            Partition::new(&document.program, &mut OneBlock),
            Partition::new(&document.program, &mut Statements),
        ] {
            let run = |monitor: &Monitor| {
                let store = InMemory::default();
                check(&ModularRequest {
                    program: &document.program,
                    partition: &partition,
                    assumed: &[],
                    closure: &closure,
                    representation,
                    store: &store,
                    keeps_all: false,
                    wish: WantedEvidence::NOTHING,
                    threads: 1,
                    worth_a_thread: 1,
                    question: 0,
                    most_nodes: 1 << 20,
                    monitor,
                })
            };
            if representation == Representation::Bits {
                keeps_its_limits(1 << 20, run);
                continue;
            }
            // BDDs of this are small, and soon there.
            let small = Monitor::new();
            small.limit_memory(1 << 14);
            assert_eq!(run(&small).err(), Some(Stopped(StopReason::Memory)));
        }
    }
}
