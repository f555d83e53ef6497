//! Families of systems that grow by components of the same size: a component knows its neighbours
//! only, so that the file is linear in their number and the composition exponential.
//!
//! The properties are about a fixed few components, the first two and the last, and come in three
//! sorts. A local one speaks of one component, which has the same verdict alone; a two-party one of
//! neighbours and what lies between them; a global one hangs on all. Their verdicts depend neither on
//! the number of components nor on the seed, which decides how the components differ in what others
//! cannot see. A broken instance has a fault that some global safety property sees.

mod arbiter_tree;
mod client_server;
mod moore;
mod msi;
mod philosophers;
mod pipeline;
mod question;
mod smv;
#[cfg(test)]
mod tests;
mod text;
mod token_ring;

pub use question::{Question, Sort, compile, questions, read};
pub use smv::{Formula, formulas, make as make_smv};
pub use text::{Step, Text, step};

use crate::random::Random;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub enum Family {
    /// Stations that pass one token round
    TokenRing,
    /// Dining philosophers, one of them left-handed
    Philosophers,
    /// Stages that hand data on as soon as the next one takes it
    Pipeline,
    /// Clients of one server
    ClientServer,
    /// A binary tree of fair arbiters, with users at the leaves
    ArbiterTree,
    /// Caches on a bus that keep one another's copies valid
    Msi,
}

#[derive(Args)]
pub struct Wish {
    pub family: Family,
    /// How many stations, philosophers, stages, clients, leaves or caches
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    pub size: u32,
    /// Decides in what the components differ, and where a fault is
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// With a fault
    #[arg(long)]
    pub broken: bool,
    /// Write the components to this folder instead, as Aldebaran files with their synchronisation, for
    /// Tertium and for mCRL2 (families with actions only)
    #[arg(long, value_name = "DIR")]
    pub aut: Option<PathBuf>,
    /// In the language of NuSMV
    #[arg(long, conflicts_with = "aut")]
    pub smv: bool,
    /// With words of so many bits that no property depends on, though the components do (SMV only)
    #[arg(long, value_name = "BITS", requires = "smv", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub data: Option<u32>,
}

impl Wish {
    pub fn new(family: Family, size: u32, broken: bool) -> Self {
        Self { family, size, seed: 1, broken, aut: None, smv: false, data: None }
    }
}

/// What distinguishes a family.
struct Plan {
    about: &'static str,
    /// Said of a broken instance.
    fault: &'static str,
    properties: &'static [Property],
    write: fn(&mut Instance, &mut Text),
}

struct Property {
    /// `local: …`, `two-party: …` or `global: …`.
    name: &'static str,
    logic: Logic,
    /// `$` stands for the number of the last component.
    formula: &'static str,
    holds: bool,
    holds_if_broken: bool,
}

#[derive(Clone, Copy)]
enum Logic {
    Ctl,
    Mu,
    Mcf,
}

/// A property that does not see the fault.
const fn p(name: &'static str, logic: Logic, formula: &'static str, holds: bool) -> Property {
    Property { name, logic, formula, holds, holds_if_broken: holds }
}

impl Property {
    fn verdict(&self, broken: bool) -> bool {
        if broken { self.holds_if_broken } else { self.holds }
    }

    /// `$` replaced.
    fn text(&self, last: u32) -> String {
        self.formula.replace('$', &last.to_string())
    }

    /// The fault turns the verdict round.
    const fn sees_the_fault(self) -> Self {
        Self { holds_if_broken: !self.holds, ..self }
    }
}

/// One member of a family, while it is written.
struct Instance {
    size: u32,
    broken: bool,
    random: Random,
}

impl Instance {
    /// How many steps a component works.
    fn work(&mut self) -> u32 {
        1 + self.random.below(2)
    }

    /// One of the components other than the first.
    fn not_the_first(&mut self) -> u32 {
        1 + self.random.below(self.size - 1)
    }

    /// The place of the fault, if there is one: not in the first component.
    fn fault(&mut self) -> Option<u32> {
        let place = self.not_the_first();
        self.broken.then_some(place)
    }
}

impl Family {
    /// As `gen family` knows it.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn plan(self) -> Plan {
        match self {
            Family::TokenRing => token_ring::PLAN,
            Family::Philosophers => philosophers::PLAN,
            Family::Pipeline => pipeline::PLAN,
            Family::ClientServer => client_server::PLAN,
            Family::ArbiterTree => arbiter_tree::PLAN,
            Family::Msi => msi::PLAN,
        }
    }
}

/// The components of a family without a fault.
pub fn write_components(family: Family, size: u32, text: &mut Text) {
    let mut instance = Instance { size, broken: false, random: Random::new(1) };
    (family.plan().write)(&mut instance, text);
}

/// The text of a file, in the language that is wished for.
pub fn write(wish: &Wish) -> String {
    if wish.smv { smv::make(wish, |_| true) } else { make(wish) }
}

/// The text of a `.tm` file.
pub fn make(wish: &Wish) -> String {
    let &Wish { family, size, broken, seed, .. } = wish;
    let Plan { about, fault, properties, write } = family.plan();
    let mut text = Text::new();
    text.prose(about);
    if broken {
        text.prose("");
        text.prose(fault);
    }
    text.prose("");
    for property in properties {
        let value = property.verdict(broken);
        text.prose(&format!("expect: \"{}\" = {value}", property.name));
    }
    write(&mut Instance { size, broken, random: Random::new(seed) }, &mut text);
    text.system();
    for property in properties {
        text.property(property, size - 1);
    }
    text.finish()
}
