//! Two stations that hand one token to and fro, one of which keeps a log: it grows, and the other and the
//! property do not.

use super::Plan;
use super::safety::Safety;
use crate::families::{Step, Text, step};

pub const PLAN: Plan = Plan {
    about: "\
Two stations hand one token to and fro (`give`, `back`); who has it may use it (`use0`, `use1`).

Station 1 writes a log: every use is an entry, made after it. When the log is full it is flushed (`flush`)
before anything else happens. Nobody else can see how full it is.

turns: who uses the token has it. idle: station 1 never uses it, which is wrong.",
    process: "Station1",
    write,
    safeties,
};

fn write(entries: u32, text: &mut Text) {
    let station =
        [step("has", "use0", "has"), step("has", "give", "hasnt"), step("hasnt", "back", "has")];
    text.lts("Station0", &station);
    text.lts(
        "Station1",
        &(0..entries).flat_map(|made| with_log(made, entries)).collect::<Vec<_>>(),
    );
}

/// The steps of the station with so many entries made.
fn with_log(made: u32, entries: u32) -> [Step; 4] {
    let (hasnt, has, logs) = (format!("hasnt{made}"), format!("has{made}"), format!("logs{made}"));
    let written = match made + 1 {
        full if full == entries => step(&logs, "flush", "has0"),
        more => step(&logs, "tau", format!("has{more}")),
    };
    [step(&hasnt, "give", &has), step(&has, "back", hasnt), step(has, "use1", logs), written]
}

fn safeties(_: u32) -> Vec<Safety> {
    vec![
        Safety {
            name: "turns",
            holds: true,
            steps: vec![
                step("zero", "use0", "zero"),
                step("zero", "give", "one"),
                step("one", "use1", "one"),
                step("one", "back", "zero"),
            ],
            never: Vec::new(),
            formula:
                "[(!give)*.(use1 || back)] false && [true*.back.(!give)*.(use1 || back)] false \
                      && [true*.give.(!back)*.(use0 || give)] false"
                    .to_owned(),
        },
        Safety::never("idle", vec!["use1".to_owned()]),
    ]
}
