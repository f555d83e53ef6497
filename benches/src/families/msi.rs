//! Caches that hold copies of one line of memory: modified, shared or invalid. All of them see the
//! commands on the bus; a daisy chain decides whose command it is.

use super::moore::{self, Machine};
use super::text::Text;
use super::{Instance, Logic::*, Plan, Property, p};

pub const PLAN: Plan = Plan {
    about: "\
Caches hold copies of one line of memory and keep them coherent by watching a bus (MSI).

The bus carries a command (`cmd`) or none: to read, or to read so as to write (`x`). Cache 0 is its
master (`m0`) when it likes and no device before it is (`p0`); `p1` tells the caches behind it that
somebody is, and so on down the chain. A master that reads gets a shared copy (`sh0`), one that will
write a modified copy (`mod0`); the others give theirs up, or share it. In a step without a command
a copy may be dropped. No cache can block another, and what one can do to the wires does not depend
on its copy.",
    fault: "\
Cache 0 keeps a modified copy when another cache reads.",
    properties: &PROPERTIES,
    write,
};

const PROPERTIES: [Property; 20] = [
    p("local: a copy is modified or shared", Ctl, "AG !(mod0 & sh0)", true),
    p("local: who writes alone may write", Ctl, "AG (m0 & cmd & x -> AX mod0)", true),
    p("local: another writer invalidates", Ctl, "AG (!m0 & cmd & x -> AX (!mod0 & !sh0))", true),
    p("local: another reader ends writing", Ctl, "AG (!m0 & cmd -> AX !mod0)", true)
        .sees_the_fault(),
    p("local: cache 0 can write", Ctl, "EF mod0", true),
    p("local: cache 0 can go on writing", Ctl, "EF EG mod0", true),
    p(
        "local: cache 0 can write again and again",
        Mu,
        "nu X. mu Y. <> (mod0 & (mu Z. <> (!mod0 & X | Z)) | Y)",
        true,
    ),
    p("local: cache 0 always writes in the end", Ctl, "AF mod0", false),
    p("local: a master writes without a command", Ctl, "EF (!mod0 & !cmd & EX mod0)", false),
    p("two-party: neighbours never write together", Ctl, "AG !(mod0 & mod1)", true),
    p("two-party: neighbours are never both master", Ctl, "AG !(m0 & m1)", true),
    p("two-party: neighbours can share", Ctl, "EF (sh0 & sh1)", true),
    p("two-party: cache 1 can take the line over", Ctl, "EF (mod0 & EX mod1)", true),
    p("two-party: neighbours always share", Ctl, "AG (sh0 -> sh1)", false),
    p("two-party: neighbours write together", Ctl, "EF (mod0 & mod1)", false),
    p("global: nobody reads what another writes", Ctl, "AG !(mod0 & sh$)", true).sees_the_fault(),
    p("global: first and last never write together", Ctl, "AG !(mod0 & mod$)", true),
    p("global: first and last are both master", Ctl, "EF (m0 & m$)", false),
    p("global: the last cache writes again and again", Ctl, "AG AF mod$", false),
    p(
        "global: first and last can write in turns forever",
        Mu,
        "nu X. mu Y. <> (mod0 & (mu Z. <> (mod$ & X | Z)) | Y)",
        true,
    ),
];

#[derive(Clone, Copy, PartialEq)]
enum Copy {
    Invalid,
    Shared,
    Modified,
}

struct Cache {
    number: u32,
    /// Gives a modified copy up when another cache reads; otherwise it shares it.
    drops: bool,
    is_broken: bool,
}

impl Cache {
    /// What becomes of the copy.
    fn next(&self, copy: Copy, is_master: bool, excludes: bool) -> Copy {
        match (copy, is_master, excludes) {
            (_, true, true) => Copy::Modified,
            (Copy::Invalid, true, false) => Copy::Shared,
            (_, false, true) => Copy::Invalid,
            (Copy::Modified, false, false) if self.is_broken => Copy::Modified,
            (Copy::Modified, false, false) if self.drops => Copy::Invalid,
            (Copy::Modified, false, false) => Copy::Shared,
            _ => copy,
        }
    }
}

impl Machine<3> for Cache {
    /// The copy, and whether the cache is master of the bus.
    type Core = (Copy, bool);

    fn reads(&self) -> [String; 3] {
        [format!("p{}", self.number), "cmd".to_owned(), "x".to_owned()]
    }

    fn shows(&self) -> Vec<String> {
        let own = ["sh", "mod", "m"].map(|wire| format!("{wire}{}", self.number));
        own.into_iter().chain([format!("p{}", self.number + 1)]).collect()
    }

    fn start(&self) -> Self::Core {
        (Copy::Invalid, false)
    }

    fn name(&self, (copy, is_master): Self::Core) -> String {
        let copy = match copy {
            Copy::Invalid => "i",
            Copy::Shared => "s",
            Copy::Modified => "m",
        };
        format!("{copy}{}", if is_master { "_master" } else { "" })
    }

    fn on(
        &self,
        (copy, is_master): Self::Core,
        [is_taken, _, _]: [bool; 3],
    ) -> Option<Vec<String>> {
        let mut on = match copy {
            Copy::Invalid => Vec::new(),
            Copy::Shared => vec![format!("sh{}", self.number)],
            Copy::Modified => vec![format!("mod{}", self.number)],
        };
        if is_master {
            on.push(format!("m{}", self.number));
        }
        if is_master || is_taken {
            on.push(format!("p{}", self.number + 1));
        }
        (!(is_master && is_taken)).then_some(on)
    }

    fn step(
        &self,
        (copy, is_master): Self::Core,
        [_, command, excludes]: [bool; 3],
    ) -> Vec<Self::Core> {
        let copies = match command {
            true => vec![self.next(copy, is_master, excludes)],
            false if copy == Copy::Invalid => vec![copy],
            false => vec![copy, Copy::Invalid],
        };
        copies.into_iter().flat_map(|copy| [(copy, false), (copy, true)]).collect()
    }
}

/// Any command on the bus, for a device at the head of the chain or for a cache.
struct Bus;

const BUS: [&str; 3] = ["p0", "cmd", "x"];

impl Machine<0> for Bus {
    type Core = [bool; 3];

    fn reads(&self) -> [String; 0] {
        []
    }

    fn shows(&self) -> Vec<String> {
        BUS.map(str::to_owned).into()
    }

    fn start(&self) -> Self::Core {
        [false; 3]
    }

    fn name(&self, core: Self::Core) -> String {
        format!("b{}", core.map(|is_on| u32::from(is_on).to_string()).concat())
    }

    fn on(&self, core: Self::Core, _: [bool; 0]) -> Option<Vec<String>> {
        let wires = BUS.into_iter().zip(core).filter(|(_, is_on)| *is_on);
        Some(wires.map(|(wire, _)| wire.to_owned()).collect())
    }

    fn step(&self, _: Self::Core, _: [bool; 0]) -> Vec<Self::Core> {
        moore::all::<3>().collect()
    }
}

fn write(instance: &mut Instance, text: &mut Text) {
    moore::write(&Bus, "Bus", text);
    for number in 0..instance.size {
        let drops = instance.random.chance(0.5);
        let is_broken = instance.broken && number == 0;
        moore::write(&Cache { number, drops, is_broken }, &format!("Cache{number}"), text);
    }
}
