//! The translation of single constructs.

use crate::support::{apart, component, composition, fails, refused, shows};
use front::promela::{FAIL, assertions};
use front::write_tm;
use support::{FileId, Monitor};
use testkit::read_tm;

fn shown(text: &str) -> Vec<String> {
    shows(&composition(&apart(text).system))
}

#[test]
fn a_rendezvous_is_one_step_of_two() {
    let text = "mtype = { white, red };
         chan link = [0] of { mtype, bit };
         active proctype S() { link!white,0; link!red,1 }
         active proctype R() { mtype m; bit b; do :: link?m,b; assert(m == white || b == 1) od }";
    assert_eq!(shown(text), ["link.red.1", "link.white.0", "tau"]);
}

#[test]
fn no_process_meets_itself() {
    let text = "chan r = [0] of { bit };
         active proctype P() { if :: r!1 -> assert(false) :: r?1 -> assert(false) fi }";
    assert!(shown(text).is_empty());
}

#[test]
fn the_receiver_goes_on_in_the_same_step() {
    let text = "byte x; chan r = [0] of { byte };
         active proctype S() { atomic { r!2; x = 7 } }
         active proctype R() { byte i; atomic { r?i; x = i; x == 2 -> x = 3 } }";
    assert_eq!(shown(text), ["r.2_and_x.set.3", "x.set.7"]);
}

#[test]
fn the_sender_loses_control_to_a_receiver_that_keeps_none() {
    let text = "bit x; chan r = [0] of { bit };
         active proctype S() { atomic { r!1; assert(x == 0) } }
         active proctype R() { r?1; x = 1 }";
    assert_eq!(shown(text), [FAIL, "r.1", "tau", "x.set.1"]);
}

#[test]
fn a_chain_is_one_step_up_to_where_it_blocks() {
    let text = "bit x, y, z;
         active proctype P() { atomic { x = 1; y = 1; z == 1 -> x = 0 } }
         active proctype Q() { z = 1 }";
    assert_eq!(shown(text), ["x.set.0", "x.set.0_and_y.set.1", "x.set.1_and_y.set.1", "z.set.1"]);
}

#[test]
fn a_loop_that_begins_a_chain_is_in_it() {
    let text = "byte x;
         active proctype P() { atomic { do :: x == 0 -> x = 1 :: x == 1 -> x = 2; break od } }";
    assert_eq!(shown(text), ["x.set.2"]);
}

#[test]
fn a_step_reads_what_it_has_written() {
    let text = "byte x; chan c = [2] of { byte };
         active proctype P() { byte i; d_step { x = 3; x = x + 1; c!x; c!(x + 1); c?i; x = i } }";
    assert_eq!(shown(text), ["x.set.4_and_c.send.5"]);
}

#[test]
fn channels_have_room_and_messages() {
    let text = "mtype = { red, green }; chan c = [1] of { mtype, short };
         active proctype S() { do :: c!red,-1 od }
         active proctype R() { mtype m; do :: c?m,_ -> assert(m == red) od }";
    assert_eq!(shown(text), ["c.recv.red.minus1", "c.send.red.minus1", "tau"]);
}

#[test]
fn what_is_wrong_with_a_model_fails() {
    for (body, fails_then) in [
        ("assert(x == 0)", false),
        ("assert(x == 1)", true),
        ("a[x + 1] = 1", false),
        ("a[x + 2] = 1", true),
        ("a[x - 1] == 0", true),
        ("x = 1 / x", true),
        ("x = 1; x = 1 / x", false),
        ("d_step { x = 1; x == 0; x = 2 }", true),
        ("d_step { x == 1; x = 2 }", false),
        ("atomic { x = 1; x == 0; x = 2 }", false),
        ("x == 1 && a[3] == 0", false),
    ] {
        let apart = apart(&format!("byte x; byte a[2]; active proctype P() {{ {body} }}"));
        assert_eq!(fails(&apart.system), fails_then, "{body}");
    }
    let property = assertions();
    assert_eq!(property.states(), 1);
    assert!(property.actions().names().eq([FAIL]));
}

#[test]
fn processes_are_started_with_values() {
    let text = "byte x;
         proctype P(byte n) { byte twice = n + n; x = twice }
         init { atomic { run P(1); run P(x + 3) } }";
    let apart = apart(text);
    let composition = composition(&apart.system);
    assert_eq!(shows(&composition), ["P_1.start_and_P_2.start", "x.set.2", "x.set.6"]);
    let names: Vec<String> = (0..3)
        .map(|state| apart.system.components[component(&apart, "P_2")].model.state_name(state))
        .collect();
    assert_eq!(names[0], "not_started");
    assert!(names[1].contains("n.3") && names[1].contains("twice.6"), "{names:?}");
}

#[test]
fn elements_of_arrays_are_components() {
    let apart = apart("bit a[3]; bit i; active proctype P() { i = 1; a[i] = 1; a[2] == 0 }");
    let names = apart.system.components.iter().map(|component| component.model.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["P", "a.0", "a.1", "a.2", "i"]);
}

#[test]
fn what_depends_on_everybody_is_refused() {
    let two = |body: &str| {
        format!(
            "bit x; int big; chan r = [0] of {{ bit }};
             active proctype P() {{ {body} }}
             active proctype Q() {{ bit y; crit: x = 1; r?y }}"
        )
    };
    for (body, message) in [
        (
            "timeout -> x = 1",
            "`P` cannot be taken for itself [timeout: `timeout` depends on the state of all processes]",
        ),
        (
            "Q@crit -> x = 0",
            "`P` cannot be taken for itself [Q@crit: this depends on where another process is]",
        ),
        (
            "atomic { x = 1; r!1 }",
            "there is a rendezvous in the middle of an atomic step of `P` [r!1: whether it goes on here depends on another process]",
        ),
        (
            "atomic { x = 0; do :: x = 1 od }",
            "an atomic step of `P` never ends [x = 0: this loop does not end]",
        ),
        (
            "do :: big = big + 1 od",
            "variable `big` can have more than 4096 values [big: declared here]",
        ),
    ] {
        assert_eq!(refused(&two(body)), message, "{body}");
    }
}

const PETERSON: &str = "bool flag[2]; bit turn; byte inside;
    active [2] proctype P() {
      again: flag[_pid] = 1; turn = _pid;
      (flag[1 - _pid] == 0 || turn == 1 - _pid);
      inside++; assert(inside == 1); inside--;
      flag[_pid] = 0; goto again
    }";

#[test]
fn peterson_excludes_and_a_slip_does_not() {
    assert!(!fails(&apart(PETERSON).system));
    assert!(fails(&apart(&PETERSON.replace("turn = _pid", "turn = 1 - _pid")).system));
}

#[test]
fn systems_can_be_written_and_read() {
    let apart = apart(PETERSON);
    let text = write_tm(&apart.system, &[], &[]).into();
    let read = read_tm(FileId(0), &text, &Monitor::new(), &mut |_| Err(String::new()));
    let read = read.expect("legal").system.expect("a system");
    assert_eq!(composition(&read).states(), composition(&apart.system).states());
    assert_eq!(shows(&composition(&read)), shows(&composition(&apart.system)));
}
