//! The program of X §6 in n blocks, as a text and as what predicate abstraction makes of it.

use crate::families::Text;
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
    /// What is left of it if only signs and parities are known, as a `.tm` file: a MixTS of what can be reached
    #[arg(long)]
    pub tm: bool,
    /// The same with all states, and with all transitions that follow by monotonicity
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
    if !wish.tm && !wish.whole {
        return Ok(blocks::text(wish.blocks));
    }
    let abstracted = blocks::abstracted(wish.blocks, &Monitor::new()).map_err(io::Error::other)?;
    let model = match wish.whole {
        true => abstracted.to_model("Blocks", MOST_STATES),
        false => abstracted.to_outline("Blocks", MOST_STATES),
    };
    let model = model.map_err(io::Error::other)?;
    let mut text = Text::new();
    write_head(&mut text, wish, &abstracted.predicates.join(", "));
    text.line(front::write_tm(&System::single(model), &[], &[]).trim_end());
    text.line("");
    for (name, formula) in blocks::PROPERTIES {
        text.line(&format!("property {name}: mu {formula};"));
    }
    Ok(text.finish())
}

/// What a reader has to know before.
fn write_head(text: &mut Text, wish: &Wish, predicates: &str) {
    let extent = if wish.whole { "all that there is" } else { "what can be reached" };
    text.prose(&format!(
        "X §6: the program of the experiment, with n = {}, if of its numbers only signs and parities are known; {extent}.\n\
         A state is a place and a letter for each predicate, t, f or u for true, false or unknown, in this order:\n\
         {predicates}. Written by `cargo run -p benches -- gen mixed {} --{}`.\n",
        wish.blocks,
        wish.blocks,
        if wish.whole { "whole" } else { "tm" },
    ));
    let program = blocks::text(wish.blocks);
    for line in program.lines().take_while(|line| !line.starts_with("property")) {
        text.prose(&format!("  {line}"));
    }
    text.prose(REMARK);
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::FileId;

    /// What is written can be read, and is the same however often.
    #[test]
    fn files_can_be_read() {
        for (blocks, tm, states) in [(1, true, 16), (2, true, 48), (1, false, 63), (2, false, 972)]
        {
            let text = make(&Wish { blocks, tm, whole: !tm }).expect("small");
            let read = front::read_tm(FileId(0), &text.into(), &Monitor::new(), &mut |_| {
                Err(String::new())
            });
            let document = read.unwrap_or_else(|errors| panic!("{blocks} {tm}: {errors:?}"));
            assert!(document.warnings.is_empty(), "{:?}", document.warnings);
            let system = document.system.expect("a component");
            assert_eq!(system.components[0].model.states(), states);
            assert_eq!(document.properties.len(), 3);
        }
    }

    #[test]
    fn what_is_too_large_is_an_error() {
        assert!(make(&Wish { blocks: 100, tm: true, whole: false }).is_err());
        assert!(make(&Wish { blocks: 100, tm: false, whole: false }).is_ok());
    }

    #[test]
    fn the_example_is_this_one() {
        let text = make(&Wish { blocks: 2, tm: true, whole: false }).expect("small");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/mixed/blocks.tm");
        assert_eq!(std::fs::read_to_string(path).expect("the example"), text);
    }
}
