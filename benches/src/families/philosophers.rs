//! Dining philosophers with forks between them. Fork `i` lies to the left of philosopher `i` and to
//! the right of the one before.

use super::text::{Step, Text, step};
use super::{Instance, Logic::*, Plan, Property, p};

pub const PLAN: Plan = Plan {
    about: "\
Philosophers at a round table, and a fork between every two of them; who eats needs both.

Philosopher 0 thinks (`think0`), gets hungry (`hungry0`), takes a fork with each hand (`left0`,
`right0`), eats (`eat0`) and puts the forks down (`leftdown0`, `rightdown0`). One philosopher, not
number 0, takes the right fork first, the others the left one, so there is no deadlock. Taking a fork
is a step of the philosopher and of the fork together: whoever has it blocks the neighbour.",
    fault: "\
All philosophers take the left fork first. When each has one, nobody can go on.",
    properties: &PROPERTIES,
    write,
};

const PROPERTIES: [Property; 16] = [
    p("local: nobody eats who was not hungry", Mcf, "[(!hungry0)*.eat0] false", true),
    p("local: a philosopher can think forever", Mu, "nu X. <think0> X", true),
    p("local: a philosopher can always think", Mcf, "[true*] <think0> true", false),
    p(
        "local: a philosopher thinks with a fork in the hand",
        Mcf,
        "<true*.right0.(!rightdown0)*.think0> true",
        false,
    ),
    p(
        "two-party: neighbours never eat together",
        Mcf,
        "[true*] !(<eat0> true && <eat1> true)",
        true,
    ),
    p("two-party: one fork, one hand", Mcf, "[true*.right0.(!rightdown0)*.left1] false", true),
    p("two-party: neighbours can eat in turns", Mcf, "<true*.eat0.true*.eat1> true", true),
    p(
        "two-party: neighbours can eat in turns forever",
        Mu,
        "nu X. mu Y. <eat0> (mu Z. <eat1> X | <true> Z) | <true> Y",
        true,
    ),
    p(
        "two-party: a free fork waits for philosopher 1",
        Mcf,
        "[true*.rightdown0] <left1> true",
        false,
    ),
    p(
        "two-party: a fork goes from hand to hand",
        Mcf,
        "<true*.right0.(!rightdown0)*.left1> true",
        false,
    ),
    p("global: no deadlock", Mcf, "[true*] <true> true", true).sees_the_fault(),
    p("global: who is hungry can eat", Mcf, "[true*.hungry0.(!eat0)*] <true*.eat0> true", true)
        .sees_the_fault(),
    p("global: nobody can do anything", Mcf, "<true*> [true] false", false).sees_the_fault(),
    p("global: first and last can eat in turns", Mcf, "<true*.eat0.true*.eat$> true", true),
    p(
        "global: who is hungry eats in the end",
        Mcf,
        "[true*.hungry0] mu X. (<true> true && [!eat0] X)",
        false,
    ),
    p(
        "global: some can eat forever while philosopher 0 is hungry",
        Mcf,
        "<true*.hungry0> nu X. mu Y. (<eat$> X || <!eat0> Y)",
        true,
    ),
];

fn write(instance: &mut Instance, text: &mut Text) {
    let left_handed = instance.not_the_first();
    for i in 0..instance.size {
        let before = (i + instance.size - 1) % instance.size;
        let takes_right_first = i == left_handed && !instance.broken;
        text.lts(&format!("Fork{i}"), &fork(i, before));
        text.lts(&format!("Phil{i}"), &philosopher(i, takes_right_first, instance.work()));
    }
}

fn fork(i: u32, before: u32) -> [Step; 4] {
    [
        step("free", format!("left{i}"), "left"),
        step("free", format!("right{before}"), "right"),
        step("left", format!("leftdown{i}"), "free"),
        step("right", format!("rightdown{before}"), "free"),
    ]
}

fn philosopher(i: u32, takes_right_first: bool, bites: u32) -> Vec<Step> {
    let (first, second) = if takes_right_first { ("right", "left") } else { ("left", "right") };
    let mut steps = vec![
        step("thinks", format!("think{i}"), "thinks"),
        step("thinks", format!("hungry{i}"), "hungry"),
        step("hungry", format!("{first}{i}"), "one"),
        step("one", format!("{second}{i}"), "both1"),
    ];
    for bite in 1..bites {
        steps.push(step(format!("both{bite}"), format!("eat{i}"), format!("both{}", bite + 1)));
    }
    steps.push(step(format!("both{bites}"), format!("eat{i}"), "full"));
    steps.push(step("full", format!("leftdown{i}"), "sated"));
    steps.push(step("sated", format!("rightdown{i}"), "thinks"));
    steps
}
