//! While-programs that grow in length and not in width: the variables are the same for all sizes. For measuring
//! modular checking.

mod calls;
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
    /// A loop that takes requests, and so many handlers
    Server,
}

#[derive(Args)]
pub struct Wish {
    pub program: Program,
    /// Of what, the program says
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub size: u32,
}

/// What distinguishes a program.
struct Plan {
    about: &'static str,
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
    fn plan(self) -> Plan {
        match self {
            Program::Straight => straight::PLAN,
            Program::Loops => loops::PLAN,
            Program::Nested => nested::PLAN,
            Program::Calls => calls::PLAN,
            Program::Server => server::PLAN,
        }
    }
}

/// The text of a `.while` file.
pub fn make(wish: &Wish) -> String {
    let &Wish { program, size } = wish;
    let Plan { about, declarations, body, properties } = program.plan();
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
    text
}
