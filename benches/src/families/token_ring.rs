//! Stations in a ring and one token. Station `i` drives the wire `t{i}`, which is on while the token
//! goes to the next station.

use super::moore::{self, Machine};
use super::text::Text;
use super::{Instance, Logic::*, Plan, Property, p};

pub const PLAN: Plan = Plan {
    about: "\
Stations in a ring pass one token round; who has it may work (`c0`: station 0 works).

Station 0 waits (`w0`) until the token comes, works at least for a while, and hands the token to
station 1 over the wire `t0`. It reads the wire of the station before it and takes what comes, so no
station can block another. At first station 0 has the token.",
    fault: "\
One station, not station 0, may keep the token and pass it on as well. Then two stations can work at
the same time.",
    properties: &PROPERTIES,
    write,
};

const PROPERTIES: [Property; 17] = [
    p("local: passing takes one step", Ctl, "AG (t0 -> AX !t0)", true),
    p("local: who works has stopped waiting", Ctl, "AG !(w0 & c0)", true),
    p("local: work ends in passing", Ctl, "AG (c0 -> A[c0 W t0])", true),
    p("local: station 0 can work", Ctl, "EF c0", true),
    p("local: station 0 need never work", Ctl, "EG !c0", true),
    p("local: station 0 works again and again", Ctl, "AG AF c0", false),
    p("local: station 0 passes while it works", Ctl, "EF (t0 & c0)", false),
    p("two-party: who waits works when the token comes", Ctl, "AG (t0 & w1 -> AX c1)", true),
    p("two-party: station 1 can work after station 0", Ctl, "EF (c0 & EF c1)", true),
    p("two-party: what comes is always used", Ctl, "AG (t0 -> AX c1)", false),
    p("two-party: the token is lost on the way", Ctl, "EF (t0 & w1 & EX !c1)", false),
    p("global: never two at work", Ctl, "AG !(c0 & c1)", true).sees_the_fault(),
    p("global: first and last never both at work", Ctl, "AG !(c0 & c$)", true).sees_the_fault(),
    p("global: two at work", Ctl, "EF (c0 & c1)", false).sees_the_fault(),
    p("global: station 0 can always work again", Ctl, "AG EF c0", true),
    p(
        "global: stations 0 and 1 can take turns forever",
        Mu,
        "nu X. mu Y. <> (c0 & (mu Z. <> (c1 & X | Z)) | Y)",
        true,
    ),
    p("global: the token comes round", Ctl, "AG AF t0", false),
];

#[derive(Clone, Copy, PartialEq)]
enum Core {
    Idle,
    Wait,
    /// It has the token and does not work.
    Hold,
    /// It works, for so many steps now.
    Work(u32),
    Pass,
}

struct Station {
    number: u32,
    before: u32,
    work: u32,
    keeps_a_copy: bool,
}

impl Machine<1> for Station {
    type Core = Core;

    fn reads(&self) -> [String; 1] {
        [format!("t{}", self.before)]
    }

    fn shows(&self) -> Vec<String> {
        ["w", "c", "t"].map(|wire| format!("{wire}{}", self.number)).into()
    }

    fn start(&self) -> Core {
        if self.number == 0 { Core::Hold } else { Core::Idle }
    }

    fn name(&self, core: Core) -> String {
        match core {
            Core::Idle => "idle".to_owned(),
            Core::Wait => "wait".to_owned(),
            Core::Hold => "hold".to_owned(),
            Core::Work(step) => format!("work{step}"),
            Core::Pass => "pass".to_owned(),
        }
    }

    fn on(&self, core: Core, _: [bool; 1]) -> Option<Vec<String>> {
        let wire = match core {
            Core::Idle | Core::Hold => return Some(Vec::new()),
            Core::Wait => "w",
            Core::Work(_) => "c",
            Core::Pass => "t",
        };
        Some(vec![format!("{wire}{}", self.number)])
    }

    // A token that comes to a station that has one is lost: it can only be a copy.
    fn step(&self, core: Core, [comes]: [bool; 1]) -> Vec<Core> {
        match core {
            Core::Idle if comes => vec![Core::Hold, Core::Pass],
            Core::Idle => vec![Core::Idle, Core::Wait],
            Core::Wait if comes => vec![Core::Work(1)],
            Core::Wait => vec![Core::Wait],
            Core::Hold => vec![Core::Hold, Core::Work(1), Core::Pass],
            Core::Work(step) if step < self.work => vec![Core::Work(step + 1)],
            Core::Work(_) => vec![core, Core::Pass],
            Core::Pass if comes => vec![Core::Hold],
            Core::Pass if self.keeps_a_copy => vec![Core::Idle, Core::Wait, Core::Hold],
            Core::Pass => vec![Core::Idle, Core::Wait],
        }
    }
}

fn write(instance: &mut Instance, text: &mut Text) {
    let fault = instance.fault();
    for number in 0..instance.size {
        let before = (number + instance.size - 1) % instance.size;
        let keeps_a_copy = fault == Some(number);
        let station = Station { number, before, work: instance.work(), keeps_a_copy };
        moore::write(&station, &format!("Station{number}"), text);
    }
}
