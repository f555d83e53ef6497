//! Protocols with safety properties, for assumption synthesis: systems of action components, one of which
//! the assumption is to stand for.
//!
//! Each has a property that holds and one that does not, whatever its size. The same is said in a formula,
//! so that `check` can be asked, too. What they are is told in `benches/protocols.txt`.

use super::families::{self, Family};
use super::sliding_window;
use super::system::{Step, System, step, steps_text};
use clap::ValueEnum;
use model::PartialModel;

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub enum Protocol {
    /// A window of two places, for so many kinds of messages
    SlidingWindow,
    /// A window of two places with six numbers and fewer phases, for so many kinds of messages
    SelectiveRepeat,
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

/// A safety property as a deterministic LTS, and the same said in a formula.
pub struct Safety {
    pub name: &'static str,
    pub holds: bool,
    /// It starts where the first one does.
    steps: Vec<Step>,
    /// Seen, too, and allowed nowhere.
    never: Vec<String>,
    /// For `check`, in the logic `mcf`.
    formula: String,
}

/// A system and what is asked of it.
pub struct Questions {
    pub system: model::System,
    /// The number of the component that the assumption stands for.
    pub process: usize,
    /// With whether they hold.
    pub safeties: Vec<(&'static str, PartialModel, bool)>,
}

impl Protocol {
    /// As `gen protocol` knows it.
    pub fn name(self) -> String {
        super::name(&self)
    }

    /// The process that the assumption stands for, and what is told.
    fn reported(self) -> (&'static str, &'static str) {
        let own = super::section(include_str!("../../protocols.txt"), &self.name());
        own.split_once('\n').expect("a process and a text")
    }

    pub fn safeties(self, size: u32) -> Vec<Safety> {
        let zero_first = |first: &str, then: &str| {
            Safety::first("zero_first", false, &[first.to_owned()], &[then.to_owned()])
        };
        match self {
            Protocol::SlidingWindow => sliding_window::safeties(&sliding_window::FOUR, size),
            Protocol::SelectiveRepeat => sliding_window::safeties(&sliding_window::SIX, size),
            Protocol::AlternatingBit => alternating_bit_safeties(size),
            Protocol::Philosophers => vec![
                Safety::exclusion("fork", [("right0", "rightdown0"), ("left1", "leftdown1")]),
                zero_first("eat0", "eat1"),
            ],
            Protocol::ClientServer => vec![
                Safety::exclusion("one_at_a_time", [("req0", "rep0"), ("req1", "rep1")]),
                zero_first("rep0", "rep1"),
            ],
            Protocol::Peterson => vec![
                Safety::exclusion("exclusion", [("enter0", "leave0"), ("enter1", "leave1")]),
                zero_first("enter0", "enter1"),
            ],
            Protocol::Log => log_safeties(),
        }
    }

    /// The text of a `.tm` file.
    pub fn make(self, size: u32) -> String {
        let (process, about) = self.reported();
        let safeties = self.safeties(size);
        let mut about = format!("{about}\n\nThe assumption is to stand for {process}.\n");
        for Safety { name, holds, .. } in &safeties {
            about += &format!("\nexpect: {name} = {holds}");
        }
        let of_family = |family| families::system(&families::Wish::new(family, size, false));
        let system = match self {
            Protocol::SlidingWindow => sliding_window::system(&sliding_window::FOUR, size),
            Protocol::SelectiveRepeat => sliding_window::system(&sliding_window::SIX, size),
            Protocol::AlternatingBit => alternating_bit(size),
            Protocol::Philosophers => of_family(Family::Philosophers),
            Protocol::ClientServer => of_family(Family::ClientServer),
            Protocol::Peterson => peterson(size),
            Protocol::Log => log(size),
        };
        let texts: Vec<String> = safeties.iter().map(Safety::text).collect();
        system.tm(&about, &texts.join("\n"))
    }

    /// Reads what a protocol has written.
    pub fn questions(self, size: u32) -> Questions {
        let document = families::document(&self.make(size));
        let (system, (process, _)) = (document.system.expect("components"), self.reported());
        let process = system.components.iter().position(|part| part.model.name == process);
        let stated = self.safeties(size).into_iter().zip(document.safeties);
        let safeties =
            stated.map(|(stated, read)| (stated.name, read.model, stated.holds)).collect();
        Questions { process: process.expect("the process"), system, safeties }
    }
}

impl Safety {
    /// Whoever has begun ends before the other begins: begin and end of each.
    fn exclusion(name: &'static str, [(a, b), (c, d)]: [(&str, &str); 2]) -> Self {
        let steps = [
            ("free", a, "one"),
            ("free", b, "free"),
            ("free", c, "two"),
            ("free", d, "free"),
            ("one", a, "one"),
            ("one", b, "free"),
            ("one", d, "one"),
            ("two", b, "two"),
            ("two", c, "two"),
            ("two", d, "free"),
        ];
        let steps = steps.into_iter().map(|(from, action, to)| step(from, action, to)).collect();
        let formula = format!("[true*.{a}.(!{b})*.{c}] false && [true*.{c}.(!{d})*.{a}] false");
        Self { name, holds: true, steps, never: Vec::new(), formula }
    }

    /// None of the second before one of the first.
    pub fn first(name: &'static str, holds: bool, first: &[String], then: &[String]) -> Self {
        let begins = first.iter().map(|action| step("none", action, "some"));
        let goes_on = first.iter().chain(then).map(|action| step("some", action, "some"));
        let formula = format!("[(!{})*.{}] false", any_of(first), any_of(then));
        Self { name, holds, steps: begins.chain(goes_on).collect(), never: Vec::new(), formula }
    }

    /// Not one of them, which is wrong.
    pub fn never(name: &'static str, never: Vec<String>) -> Self {
        let formula = format!("[true*.{}] false", any_of(&never));
        Self { name, holds: false, steps: Vec::new(), never, formula }
    }

    fn text(&self) -> String {
        let Self { name, steps, never, formula, .. } = self;
        let mut actions: Vec<&str> = Vec::new();
        for action in steps.iter().map(|(_, action, _)| action).chain(never) {
            if !actions.contains(&action.as_str()) {
                actions.push(action);
            }
        }
        let (actions, states) = match &**steps {
            [] => (actions.join(", "), "  init start;\n  start:;\n".to_owned()),
            steps => (actions.join(", "), steps_text(steps)),
        };
        format!(
            "safety {name} lts {{\n  actions {actions};\n{states}}}\nproperty {name}: mcf {formula};\n"
        )
    }
}

/// `(a || b)`
fn any_of(actions: &[String]) -> String {
    match actions {
        [name] => name.clone(),
        _ => format!("({})", actions.join(" || ")),
    }
}

/// The alternating bit protocol over two channels that lose what they carry.
fn alternating_bit(messages: u32) -> System {
    let mut system = System::default();
    let mut add = |name: &str, steps: &dyn Fn(u32, u32) -> Vec<Step>| {
        let both =
            [0, 1].into_iter().flat_map(|bit| (0..messages).flat_map(move |m| steps(bit, m)));
        system.lts(name, both.collect::<Vec<_>>());
    };
    add("Sender", &|bit, m| {
        let [sends, waits] = ["sends", "waits"].map(|at| format!("{at}{bit}_{m}"));
        vec![
            step(format!("ready{bit}"), format!("in{m}"), &sends),
            step(&sends, format!("put{bit}_{m}"), &waits),
            step(&waits, "timeout", &sends),
            step(&waits, format!("ack{bit}"), format!("ready{}", 1 - bit)),
            step(&waits, format!("ack{}", 1 - bit), &waits),
        ]
    });
    add("Forth", &|bit, m| {
        let has = format!("has{bit}_{m}");
        vec![
            step("empty", format!("put{bit}_{m}"), &has),
            step(&has, format!("get{bit}_{m}"), "empty"),
            step(&has, "drop", "empty"),
        ]
    });
    add("Back", &|bit, m| {
        let has = format!("has{bit}");
        let steps = [
            step("empty", format!("reply{bit}"), &has),
            step(&has, format!("ack{bit}"), "empty"),
            step(&has, "dropack", "empty"),
        ];
        if m == 0 { steps.into() } else { Vec::new() }
    });
    add("Receiver", &|bit, m| {
        let (other, wants, has) = (1 - bit, format!("wants{bit}"), format!("has{bit}_{m}"));
        let mut steps = vec![
            step(&wants, format!("get{bit}_{m}"), &has),
            step(&has, format!("out{m}"), format!("replies{bit}")),
            step(&wants, format!("get{other}_{m}"), format!("repeats{other}")),
        ];
        if m + 1 == messages {
            steps.push(step(
                format!("replies{bit}"),
                format!("reply{bit}"),
                format!("wants{other}"),
            ));
            steps.push(step(format!("repeats{other}"), format!("reply{other}"), &wants));
        }
        steps
    });
    system
}

fn alternating_bit_safeties(messages: u32) -> Vec<Safety> {
    let named = |word: &str| (0..messages).map(|m| format!("{word}{m}")).collect::<Vec<String>>();
    let (inputs, outputs) = (named("in"), named("out"));
    let (any_in, any_out) = (any_of(&inputs), any_of(&outputs));
    let mut steps = Vec::new();
    let mut formula =
        format!("[(!{any_in})*.{any_out}] false && [true*.{any_out}.(!{any_in})*.{any_out}] false");
    for (m, (input, output)) in inputs.iter().zip(&outputs).enumerate() {
        steps.push(step("none", input, format!("has{m}")));
        steps.push(step(format!("has{m}"), output, "none"));
        let others = outputs.iter().filter(|other| *other != output);
        let wrong: Vec<String> = inputs.iter().chain(others).cloned().collect();
        formula += &format!(" && [true*.{input}.(!{output})*.{}] false", any_of(&wrong));
    }
    let order = Safety { name: "order", holds: true, steps, never: Vec::new(), formula };
    vec![order, Safety::never("silence", outputs)]
}

/// Mutual exclusion of two processes, with its variables as components.
fn peterson(works: u32) -> System {
    let mut system = System::default();
    for i in [0, 1] {
        let other = 1 - i;
        let mut steps = vec![
            step("idle", format!("up{i}"), "raised"),
            step("raised", format!("give{other}"), "waits"),
            step("waits", format!("clear{other}"), "may"),
            step("waits", format!("mine{i}"), "may"),
            step("may", format!("enter{i}"), "inside0"),
        ];
        let inside = |done: u32| format!("inside{done}");
        steps.extend(
            (0..works).map(|done| step(inside(done), format!("work{i}"), inside(done + 1))),
        );
        steps.push(step(inside(works), format!("leave{i}"), "outside"));
        steps.push(step("outside", format!("down{i}"), "idle"));
        system.lts(format!("Process{i}"), steps);
    }
    for i in [0, 1] {
        let flag = [
            ("lowered", "up", "raised"),
            ("lowered", "clear", "lowered"),
            ("raised", "down", "lowered"),
        ];
        let flag = flag.map(|(from, action, to)| step(from, format!("{action}{i}"), to));
        system.lts(format!("Flag{i}"), flag);
    }
    let turn = [0, 1].map(|i| {
        let own = format!("of{i}");
        let mine = step(&own, format!("mine{i}"), &own);
        [step(&own, "give0", "of0"), step(&own, "give1", "of1"), mine]
    });
    system.lts("Turn", turn.concat());
    system
}

/// Two stations that hand one token to and fro, one of which keeps a log: it grows, and the other and the
/// property do not.
fn log(entries: u32) -> System {
    let mut system = System::default();
    let station =
        [step("has", "use0", "has"), step("has", "give", "hasnt"), step("hasnt", "back", "has")];
    system.lts("Station0", station);
    // With so many entries made.
    let with_log = |made: u32| {
        let [hasnt, has, logs] = ["hasnt", "has", "logs"].map(|at| format!("{at}{made}"));
        let written = match made + 1 {
            full if full == entries => step(&logs, "flush", "has0"),
            more => step(&logs, "tau", format!("has{more}")),
        };
        [step(&hasnt, "give", &has), step(&has, "back", hasnt), step(has, "use1", logs), written]
    };
    system.lts("Station1", (0..entries).flat_map(with_log).collect::<Vec<_>>());
    system
}

fn log_safeties() -> Vec<Safety> {
    let steps = [
        ("zero", "use0", "zero"),
        ("zero", "give", "one"),
        ("one", "use1", "one"),
        ("one", "back", "zero"),
    ];
    let formula = "[(!give)*.(use1 || back)] false && [true*.back.(!give)*.(use1 || back)] false \
         && [true*.give.(!back)*.(use0 || give)] false";
    let turns = Safety {
        name: "turns",
        holds: true,
        steps: steps.map(|(from, action, to)| step(from, action, to)).into(),
        never: Vec::new(),
        formula: formula.to_owned(),
    };
    vec![turns, Safety::never("idle", vec!["use1".to_owned()])]
}
