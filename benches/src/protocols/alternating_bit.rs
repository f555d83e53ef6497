//! The alternating bit protocol over two channels that lose what they carry.

use super::Plan;
use super::safety::{Safety, any_of};
use crate::families::{Step, Text, step};

pub const PLAN: Plan = Plan {
    about: "\
The alternating bit protocol over two channels of one place that lose what they carry.

The sender accepts a message (`in0`, `in1`, ... by what it says) and repeats it with its bit (`put0_1`: the
bit 0, the message 1) until the acknowledgement with that bit comes (`ack0`). The receiver gets a frame
(`get0_1`), delivers a new one (`out1`) and answers every one with its bit (`reply0`).

order: what is delivered was accepted just before, and nothing is delivered twice. silence: nothing is
delivered, which is wrong.",
    process: "Receiver",
    write,
    safeties,
};

fn write(messages: u32, text: &mut Text) {
    let both = |steps: fn(u32, u32) -> Vec<Step>| -> Vec<Step> {
        [0, 1].into_iter().flat_map(|bit| steps(bit, messages)).collect()
    };
    text.lts("Sender", &both(sender));
    text.lts("Forth", &both(forth));
    text.lts("Back", &both(back));
    text.lts("Receiver", &both(receiver));
}

fn sender(bit: u32, messages: u32) -> Vec<Step> {
    let mut steps = Vec::new();
    for m in 0..messages {
        let (ready, sends, waits) =
            (format!("ready{bit}"), format!("sends{bit}_{m}"), format!("waits{bit}_{m}"));
        steps.extend([
            step(&ready, format!("in{m}"), &sends),
            step(&sends, format!("put{bit}_{m}"), &waits),
            step(&waits, "timeout", &sends),
            step(&waits, format!("ack{bit}"), format!("ready{}", 1 - bit)),
            step(&waits, format!("ack{}", 1 - bit), &waits),
        ]);
    }
    steps
}

fn forth(bit: u32, messages: u32) -> Vec<Step> {
    let carries = |m: u32| {
        let has = format!("has{bit}_{m}");
        [
            step("empty", format!("put{bit}_{m}"), &has),
            step(&has, format!("get{bit}_{m}"), "empty"),
            step(&has, "drop", "empty"),
        ]
    };
    (0..messages).flat_map(carries).collect()
}

fn back(bit: u32, _: u32) -> Vec<Step> {
    let has = format!("has{bit}");
    vec![
        step("empty", format!("reply{bit}"), &has),
        step(&has, format!("ack{bit}"), "empty"),
        step(&has, "dropack", "empty"),
    ]
}

fn receiver(bit: u32, messages: u32) -> Vec<Step> {
    let (wants, next) = (format!("wants{bit}"), format!("wants{}", 1 - bit));
    let (replies, repeats) = (format!("replies{bit}"), format!("repeats{}", 1 - bit));
    let mut steps = Vec::new();
    for m in 0..messages {
        let has = format!("has{bit}_{m}");
        steps.extend([
            step(&wants, format!("get{bit}_{m}"), &has),
            step(&has, format!("out{m}"), &replies),
            step(&wants, format!("get{}_{m}", 1 - bit), &repeats),
        ]);
    }
    steps.push(step(&replies, format!("reply{bit}"), next));
    steps.push(step(&repeats, format!("reply{}", 1 - bit), &wants));
    steps
}

fn safeties(messages: u32) -> Vec<Safety> {
    let named = |word: &str| (0..messages).map(|m| format!("{word}{m}")).collect::<Vec<String>>();
    let (inputs, outputs) = (named("in"), named("out"));
    let (any_in, any_out) = (any_of(&inputs), any_of(&outputs));
    let mut steps = Vec::new();
    let mut formula =
        format!("[(!{any_in})*.{any_out}] false && [true*.{any_out}.(!{any_in})*.{any_out}] false");
    for (m, (input, output)) in inputs.iter().zip(&outputs).enumerate() {
        steps.push(step("none", input, format!("has{m}")));
        steps.push(step(format!("has{m}"), output, "none"));
        let others = outputs.iter().filter(|other| *other != output);
        let wrong: Vec<&String> = inputs.iter().chain(others).collect();
        formula += &format!(" && [true*.{input}.(!{output})*.{}] false", any_of(&wrong));
    }
    vec![
        Safety { name: "order", holds: true, steps, never: Vec::new(), formula },
        Safety::never("silence", outputs),
    ]
}
