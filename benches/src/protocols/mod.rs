//! Protocols with safety properties, for assumption synthesis: systems of action components, one of which
//! the assumption is to stand for.
//!
//! Each has a property that holds and one that does not, whatever its size. The same is said in a formula,
//! so that `check` can be asked, too.

mod alternating_bit;
mod client_server;
mod log;
mod peterson;
mod philosophers;
mod safety;
mod sliding_window;
#[cfg(test)]
mod tests;

use crate::families::Text;
use clap::{Args, ValueEnum};
use front::Document;
use model::{Model, System};
use safety::Safety;
use support::{FileId, Monitor};

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub enum Protocol {
    /// A window of two places, for so many kinds of messages
    SlidingWindow,
    /// For so many messages
    AlternatingBit,
    /// So many dining philosophers
    Philosophers,
    /// So many clients of one server
    ClientServer,
    /// Two processes with so many steps inside
    Peterson,
    /// Two stations and a token, one of them with a log of so many entries
    Log,
}

#[derive(Args)]
pub struct Wish {
    pub protocol: Protocol,
    /// Of what, the protocol says
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    pub size: u32,
}

/// What distinguishes a protocol.
struct Plan {
    about: &'static str,
    /// The component that the assumption stands for.
    process: &'static str,
    write: fn(u32, &mut Text),
    safeties: fn(u32) -> Vec<Safety>,
}

/// A system and what is asked of it.
pub struct Questions {
    pub system: System,
    /// The number of the component that the assumption stands for.
    pub process: usize,
    pub safeties: Vec<Stated>,
}

/// A safety property and whether it holds.
pub struct Stated {
    pub name: &'static str,
    pub model: Model,
    pub holds: bool,
}

impl Protocol {
    /// As `gen protocol` knows it.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn plan(self) -> Plan {
        match self {
            Protocol::SlidingWindow => sliding_window::PLAN,
            Protocol::AlternatingBit => alternating_bit::PLAN,
            Protocol::Philosophers => philosophers::PLAN,
            Protocol::ClientServer => client_server::PLAN,
            Protocol::Peterson => peterson::PLAN,
            Protocol::Log => log::PLAN,
        }
    }
}

/// The text of a `.tm` file.
pub fn make(wish: &Wish) -> String {
    let &Wish { protocol, size } = wish;
    let Plan { about, process, write, safeties } = protocol.plan();
    let safeties = safeties(size);
    let mut text = Text::new();
    text.prose(about);
    text.prose("");
    text.prose(&format!("The assumption is to stand for {process}."));
    text.prose("");
    safeties.iter().for_each(|safety| safety.expect(&mut text));
    write(size, &mut text);
    text.system();
    for (number, safety) in safeties.iter().enumerate() {
        if number > 0 {
            text.line("");
        }
        safety.write(&mut text);
    }
    text.finish()
}

/// Reads what a protocol has written.
pub fn questions(protocol: Protocol, size: u32) -> Questions {
    let text = make(&Wish { protocol, size }).into();
    let read = front::read_tm(FileId(0), &text, &Monitor::new(), &mut |_| Err(String::new()));
    let Document { system, safeties, warnings, .. } =
        read.unwrap_or_else(|errors| panic!("{protocol:?}: {errors:?}"));
    assert!(warnings.is_empty(), "{protocol:?}: {warnings:?}");
    let system = system.expect("components");
    let Plan { process, safeties: stated, .. } = protocol.plan();
    let is_process = |part: &model::Component| part.model.name == process;
    let process = system.components.iter().position(is_process).expect("the process");
    let stated = stated(size).into_iter().zip(safeties);
    let safeties = stated.map(|(stated, read)| Stated {
        name: stated.name,
        model: read.model,
        holds: stated.holds,
    });
    Questions { safeties: safeties.collect(), system, process }
}
