//! An elastic pipeline: a source, stages, a sink. A stage hands its datum on in the step in which it
//! offers it and the next stage is ready.

use super::moore::{self, Machine};
use super::text::Text;
use super::{Instance, Logic::*, Plan, Property, p};

pub const PLAN: Plan = Plan {
    about: "\
Stages in a row work on data, one bit at a time, and hand it on when the next stage is ready.

Stage 0 shows that it is ready (`r0`); when the source offers a datum (`vin`, whose value is `din`) it
takes it, works (`b0`) and offers it to stage 1 (`v0`, `d0`) until that is ready (`r1`). The source
offers and the sink is ready (`rout`) when they like. No
stage can block another, but how long one works cannot be seen from outside.",
    fault: "\
One stage, not stage 0, may offer a zero that it never took.",
    properties: &PROPERTIES,
    write,
};

const PROPERTIES: [Property; 19] = [
    p("local: stage 0 takes one datum at a time", Ctl, "AG !(r0 & v0)", true),
    p("local: work ends in an offer", Ctl, "AG (b0 -> AF v0)", true),
    p("local: an offer stands until it is taken", Ctl, "AG (v0 & !r1 -> AX v0)", true),
    p("local: stage 0 can work", Ctl, "EF b0", true),
    p("local: stage 0 works again and again", Ctl, "AG AF b0", false),
    p("local: stage 0 works while it is ready", Ctl, "EF (r0 & b0)", false),
    p(
        "two-party: ones are handed on as ones",
        Ctl,
        "AG (v0 & d0 & r1 -> AX A[!v1 U v1 & d1])",
        true,
    ),
    p("two-party: what is taken is worked on", Ctl, "AG (v0 & r1 -> AX b1)", true),
    p("two-party: stage 0 need never work", Ctl, "EG !b0", true),
    p("two-party: both stages can be busy at once", Ctl, "EF (b0 & !r1)", true),
    p("two-party: nothing is handed on", Ctl, "AG !(v0 & r1)", false),
    p("two-party: stage 1 loses a datum", Ctl, "EF (v0 & r1 & EX !b1)", false),
    p("global: nothing comes out before something goes in", Ctl, "A[!v$ W vin]", true)
        .sees_the_fault(),
    p("global: all ones until a zero goes in", Ctl, "A[(v$ -> d$) W vin & !din]", true)
        .sees_the_fault(),
    p("global: something comes out of nothing", Ctl, "E[!vin U v$]", false).sees_the_fault(),
    p("global: stage 0 can always get ready", Ctl, "AG EF r0", true),
    p("global: what goes in makes something come out", Ctl, "AG (vin & r0 -> AF v$)", true),
    p(
        "global: data can flow forever",
        Mu,
        "nu X. mu Y. <> (vin & r0 & (mu Z. <> (v$ & rout & X | Z)) | Y)",
        true,
    ),
    p("global: what is offered is taken in the end", Ctl, "AG (v0 -> AF r1)", false),
];

#[derive(Clone, Copy, PartialEq)]
enum Core {
    Empty,
    /// At work on a datum, for so many steps now.
    Work(bool, u32),
    Offer(bool),
}

struct Stage {
    number: u32,
    is_last: bool,
    work: u32,
    invents: bool,
}

impl Stage {
    fn own(&self, wire: &str) -> String {
        format!("{wire}{}", self.number)
    }
}

impl Machine<3> for Stage {
    type Core = Core;

    fn reads(&self) -> [String; 3] {
        let before = self.number.checked_sub(1).map_or("in".to_owned(), |stage| stage.to_string());
        let after = if self.is_last { "out".to_owned() } else { (self.number + 1).to_string() };
        [format!("v{before}"), format!("d{before}"), format!("r{after}")]
    }

    fn shows(&self) -> Vec<String> {
        ["r", "b", "v", "d"].map(|wire| self.own(wire)).into()
    }

    fn start(&self) -> Core {
        Core::Empty
    }

    fn name(&self, core: Core) -> String {
        match core {
            Core::Empty => "empty".to_owned(),
            Core::Work(datum, step) => format!("work{step}_{}", u32::from(datum)),
            Core::Offer(datum) => format!("offer_{}", u32::from(datum)),
        }
    }

    fn on(&self, core: Core, _: [bool; 3]) -> Option<Vec<String>> {
        Some(match core {
            Core::Empty => vec![self.own("r")],
            Core::Work(..) => vec![self.own("b")],
            Core::Offer(false) => vec![self.own("v")],
            Core::Offer(true) => vec![self.own("v"), self.own("d")],
        })
    }

    fn step(&self, core: Core, [valid, datum, ready]: [bool; 3]) -> Vec<Core> {
        match core {
            Core::Empty if valid => vec![Core::Work(datum, 1)],
            Core::Empty if self.invents => vec![core, Core::Offer(false)],
            Core::Work(datum, step) if step < self.work => vec![Core::Work(datum, step + 1)],
            Core::Work(datum, _) => vec![Core::Offer(datum)],
            Core::Offer(_) if ready => vec![Core::Empty],
            Core::Empty | Core::Offer(_) => vec![core],
        }
    }
}

/// Offers a zero or a one, or nothing.
struct Source;

impl Machine<1> for Source {
    type Core = Option<bool>;

    fn reads(&self) -> [String; 1] {
        ["r0".to_owned()]
    }

    fn shows(&self) -> Vec<String> {
        ["vin", "din"].map(str::to_owned).into()
    }

    fn start(&self) -> Option<bool> {
        None
    }

    fn name(&self, core: Option<bool>) -> String {
        core.map_or("quiet".to_owned(), |datum| format!("offer_{}", u32::from(datum)))
    }

    fn on(&self, core: Option<bool>, _: [bool; 1]) -> Option<Vec<String>> {
        let wires: &[&str] = match core {
            None => &[],
            Some(false) => &["vin"],
            Some(true) => &["vin", "din"],
        };
        Some(wires.iter().map(|&wire| wire.to_owned()).collect())
    }

    fn step(&self, core: Option<bool>, [ready]: [bool; 1]) -> Vec<Option<bool>> {
        if core.is_some() && !ready { vec![core] } else { vec![None, Some(false), Some(true)] }
    }
}

/// Ready or not, as it likes.
struct Sink {
    last: u32,
}

impl Machine<2> for Sink {
    type Core = bool;

    fn reads(&self) -> [String; 2] {
        ["v", "d"].map(|wire| format!("{wire}{}", self.last))
    }

    fn shows(&self) -> Vec<String> {
        vec!["rout".to_owned()]
    }

    fn start(&self) -> bool {
        true
    }

    fn name(&self, core: bool) -> String {
        if core { "ready" } else { "slow" }.to_owned()
    }

    fn on(&self, core: bool, _: [bool; 2]) -> Option<Vec<String>> {
        Some(if core { self.shows() } else { Vec::new() })
    }

    fn step(&self, _: bool, _: [bool; 2]) -> Vec<bool> {
        vec![true, false]
    }
}

fn write(instance: &mut Instance, text: &mut Text) {
    let last = instance.size - 1;
    let fault = instance.fault();
    moore::write(&Source, "Source", text);
    for number in 0..=last {
        let (work, invents) = (instance.work(), fault == Some(number));
        let stage = Stage { number, is_last: number == last, work, invents };
        moore::write(&stage, &format!("Stage{number}"), text);
    }
    moore::write(&Sink { last }, "Sink", text);
}
