//! Peterson's mutual exclusion of two processes, with its variables as components.

use super::Plan;
use super::safety::Safety;
use crate::families::{Step, Text, step};

pub const PLAN: Plan = Plan {
    about: "\
Peterson's algorithm: two processes, a flag of each and whose turn it is.

A process raises its flag (`up0`), lets the other go first (`give1`) and waits until the other's flag is
down (`clear1`) or it is its own turn (`mine0`). Then it enters (`enter0`), works for some steps
(`work0`), leaves (`leave0`) and takes its flag down (`down0`).

exclusion: the two are never both inside. zero_first: process 1 does not enter before process 0 has, which
is wrong.",
    process: "Process1",
    write,
    safeties,
};

fn write(works: u32, text: &mut Text) {
    for i in [0, 1] {
        text.lts(&format!("Process{i}"), &process(i, works));
    }
    for i in [0, 1] {
        text.lts(&format!("Flag{i}"), &flag(i));
    }
    text.lts("Turn", &turn());
}

fn process(i: u32, works: u32) -> Vec<Step> {
    let other = 1 - i;
    let mut steps = vec![
        step("idle", format!("up{i}"), "raised"),
        step("raised", format!("give{other}"), "waits"),
        step("waits", format!("clear{other}"), "may"),
        step("waits", format!("mine{i}"), "may"),
        step("may", format!("enter{i}"), "inside0"),
    ];
    for done in 0..works {
        let now = format!("inside{done}");
        steps.push(step(now, format!("work{i}"), format!("inside{}", done + 1)));
    }
    steps.push(step(format!("inside{works}"), format!("leave{i}"), "outside"));
    steps.push(step("outside", format!("down{i}"), "idle"));
    steps
}

fn flag(i: u32) -> [Step; 3] {
    [
        step("lowered", format!("up{i}"), "raised"),
        step("lowered", format!("clear{i}"), "lowered"),
        step("raised", format!("down{i}"), "lowered"),
    ]
}

fn turn() -> Vec<Step> {
    let of = |i: u32| {
        let own = format!("of{i}");
        [
            step(&own, "give0", "of0"),
            step(&own, "give1", "of1"),
            step(&own, format!("mine{i}"), &own),
        ]
    };
    [of(0), of(1)].concat()
}

fn safeties(_: u32) -> Vec<Safety> {
    vec![
        Safety::exclusion("exclusion", [("enter0", "leave0"), ("enter1", "leave1")]),
        Safety::first("zero_first", false, &["enter0".to_owned()], &["enter1".to_owned()]),
    ]
}
