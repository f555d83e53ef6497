//! While-programs that grow in length and, apart from that, in width: the variables are the same for all sizes. For
//! measuring modular checking.

mod calls;
mod library;
mod loops;
mod nested;
mod server;
mod straight;
#[cfg(test)]
mod tests;

use clap::{Args, ValueEnum};

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub enum Program {
    /// So many assignments and branches
    Straight,
    /// So many loops one after the other
    Loops,
    /// So many loops in each other
    Nested,
    /// So many calls of one procedure
    Calls,
    /// So many calls of one long procedure without loops
    Library,
    /// A loop that takes requests, and so many handlers
    Server,
}

#[derive(Args)]
pub struct Wish {
    pub program: Program,
    /// Of what, the program says
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub size: u32,
    /// How many bits its numbers have [default: 3, or 2 in `calls`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=30))]
    pub bits: Option<u32>,
}

/// What distinguishes a program. In its texts, `$top` is the largest number and `$all` how many there are.
struct Plan {
    about: &'static str,
    bits: u32,
    declarations: &'static str,
    /// Everything before `done: fin`.
    body: fn(u32) -> String,
    properties: &'static [Property],
}

/// Something that is asked, and what the answer is for every size.
struct Property {
    name: &'static str,
    ctl: &'static str,
    holds: bool,
}

const fn property(name: &'static str, ctl: &'static str, holds: bool) -> Property {
    Property { name, ctl, holds }
}

impl Program {
    /// How a table names it.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    fn plan(self) -> Plan {
        match self {
            Program::Straight => straight::PLAN,
            Program::Loops => loops::PLAN,
            Program::Nested => nested::PLAN,
            Program::Calls => calls::PLAN,
            Program::Library => library::PLAN,
            Program::Server => server::PLAN,
        }
    }
}

/// Which properties hold, in the order of the file.
pub fn verdicts(program: Program) -> Vec<bool> {
    program.plan().properties.iter().map(|property| property.holds).collect()
}

/// The text of a `.while` file.
pub fn make(wish: &Wish) -> String {
    let &Wish { program, size, bits } = wish;
    let Plan { about, bits: usual, declarations, body, properties } = program.plan();
    let mut text: String = about.lines().map(|line| format!("// {line}\n")).collect();
    text.push_str("//\n");
    for Property { name, holds, .. } in properties {
        let word = if *holds { "holds" } else { "does not hold" };
        text.push_str(&format!("// {name}: {word}\n"));
    }
    text.push_str(&format!("{declarations}\n{}done: fin\n\n", body(size)));
    for Property { name, ctl, .. } in properties {
        text.push_str(&format!("property {name}: ctl {ctl};\n"));
    }
    let all = 1u64 << bits.unwrap_or(usual);
    text.replace("$top", &(all - 1).to_string()).replace("$all", &all.to_string())
}
