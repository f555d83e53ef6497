//! A game of a component is given up when its run is stopped.

use super::*;
use std::fmt::Write;
use support::StopReason;

/// A ring of states that each have a joint label of their own, so that none are merged.
fn ring(bits: u32) -> String {
    let mut text = String::new();
    let props: Vec<String> = (0..bits).map(|bit| format!("b{bit}")).collect();
    for name in ["A", "B"] {
        write!(text, "component {name} kripke {{ props {}; init s0; ", props.join(", ")).unwrap();
        for state in 0..1u32 << bits {
            let label: Vec<String> = (0..bits)
                .filter(|bit| state >> bit & 1 == 1)
                .map(|bit| format!("b{bit}"))
                .collect();
            let next = (state + 1) % (1 << bits);
            write!(text, "s{state}: {{{}}} -> s{next}; ", label.join(", ")).unwrap();
        }
        text.push_str("} ");
    }
    text + "system A || B; property f: ctl EF (b0 & !b0);"
}

#[test]
fn a_game_can_be_cancelled() {
    let asked = Asked::new(&ring(7));
    let request = asked.request(Refinement::default());
    let mut run = asked.run(&request);
    let Run { settings, abstractions, memory, source, .. } = &mut run;
    let mut game = || settings[0].game(&mut abstractions[0], memory, &[0], *source);
    assert!(game().is_ok_and(|part| part.graph.len() > 128));
    asked.monitor.stop(StopReason::Timeout);
    assert!(game().is_err_and(|stopped| stopped == Stopped(StopReason::Timeout)));
}
