//! The program of X §6 in n blocks, as a text and as what predicate abstraction makes of it.

use super::system::prose;
use cegar::abstraction::blocks;
use clap::Args;
use model::System;
use std::io;
use support::Monitor;

#[derive(Args)]
pub struct Wish {
    /// How many blocks
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub blocks: u32,
    /// Write its abstraction by signs and parities as a `.tm` file: a MixTS of the reachable states
    #[arg(long)]
    pub tm: bool,
    /// Write that abstraction with all states, and with all transitions that follow by monotonicity
    #[arg(long, conflicts_with = "tm")]
    pub whole: bool,
}

/// Nobody reads more states than this.
const MOST_STATES: usize = 20_000;

const REMARK: &str = "\
Half-way through a block whose number was not positive, all that is known is that it is positive now. Its parity decides which
way to go, and both ways go on: the reduced semantics sees that, and under the standard one Prop1 and Prop2 are unknown where no
number is positive at first.

expect: Prop1 = true
expect: Prop2 = true
expect: Prop3 = false";

pub fn make(wish: &Wish) -> io::Result<String> {
    let Wish { blocks: count, whole, .. } = *wish;
    let program = blocks::text(count);
    if !wish.tm && !whole {
        return Ok(program);
    }
    let abstracted = blocks::abstracted(count, &Monitor::new()).map_err(io::Error::other)?;
    let model = match whole {
        true => abstracted.to_model("Blocks", MOST_STATES),
        false => abstracted.to_outline("Blocks", MOST_STATES),
    };
    let model = model.map_err(io::Error::other)?;
    let (extent, flag) =
        if whole { ("all that there is", "whole") } else { ("what can be reached", "tm") };
    let mut text = prose(
        "//",
        &format!(
            "X §6: the program of the experiment, with n = {count}, if of its numbers only signs and parities are known; {extent}.\n\
         A state is a place and a letter for each predicate, t, f or u for true, false or unknown, in this order:\n\
         {}. Written by `cargo run --manifest-path benches/Cargo.toml -- gen mixed {count} --{flag}`.\n",
            abstracted.predicates.join(", "),
        ),
    );
    for line in program.lines().take_while(|line| !line.starts_with("property")) {
        text += &prose("//", &format!("  {line}"));
    }
    text += &prose("//", REMARK);
    text += front::write_tm(&System::single(model), &[], &[]).trim_end();
    text += "\n\n";
    for (name, formula) in blocks::PROPERTIES {
        text += &format!("property {name}: mu {formula};\n");
    }
    Ok(text)
}
