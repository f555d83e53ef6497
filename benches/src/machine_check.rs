//! Systems that both Tertium and machine-check can express: a `.tm` file, and a program in Rust that hands
//! the same system to the crate `machine-check`. The programs are generated, to be built outside this
//! workspace; nothing here depends on that crate.
//!
//! machine-check reads one machine with bit-vectors, Tertium the states of its components. So the sizes
//! are such that the states can be written down.

use crate::families::{self, Family};
use clap::Args;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Wish {
    /// A cargo project is made there: build it with `cargo build --release`
    pub folder: PathBuf,
}

/// One system for both.
pub struct Pair {
    /// Of the file and of the program.
    pub name: String,
    pub about: &'static str,
    pub tm: String,
    pub rust: String,
    pub questions: Vec<Question>,
}

pub struct Question {
    /// Of the property in the `.tm` file.
    pub name: &'static str,
    /// The same for machine-check.
    pub property: &'static str,
    pub holds: bool,
}

pub fn pairs() -> Vec<Pair> {
    let mut pairs = vec![counter_with_data(), counter_beside_data(), maximum(true), maximum(false)];
    pairs.extend([3, 4, 6].map(ring));
    pairs
}

pub fn write(folder: &Path) -> io::Result<()> {
    let programs = folder.join("src/bin");
    fs::create_dir_all(&programs)?;
    fs::write(folder.join("Cargo.toml"), MANIFEST)?;
    for pair in pairs() {
        fs::write(programs.join(format!("{}.rs", pair.name)), pair.rust)?;
    }
    Ok(())
}

const MANIFEST: &str = "\
[package]
name = \"systems\"
version = \"0.1.0\"
edition = \"2021\"

[dependencies]
machine-check = \"0.7\"

[workspace]
";

/// A variable of machine-check: its name and its bits.
type Variable = (String, u32);

/// A machine for machine-check.
#[derive(Default)]
struct Machine {
    inputs: Vec<Variable>,
    /// With what each starts as.
    states: Vec<(Variable, String)>,
    /// Statements that compute `next_NAME` for each.
    step: String,
}

impl Machine {
    fn program(&self) -> String {
        let fields = |variables: &mut dyn Iterator<Item = &Variable>| -> String {
            variables.map(|(name, bits)| format!("        {name}: Unsigned<{bits}>,\n")).collect()
        };
        let states = self.states.iter();
        let init: Vec<String> =
            states.clone().map(|((name, _), start)| format!("{name}: {start}")).collect();
        let next: Vec<String> =
            states.clone().map(|((name, _), _)| format!("{name}: next_{name}")).collect();
        TEMPLATE
            .replace("        INPUTS\n", &fields(&mut self.inputs.iter()))
            .replace("        STATES\n", &fields(&mut states.map(|(variable, _)| variable)))
            .replace("INIT", &init.join(", "))
            .replace("            STEP\n", &self.step)
            .replace("NEXT", &next.join(", "))
    }

    fn input(&mut self, name: impl Into<String>, bits: u32) {
        self.inputs.push((name.into(), bits));
    }

    fn state(&mut self, name: impl Into<String>, bits: u32, start: impl Into<String>) {
        self.states.push(((name.into(), bits), start.into()));
    }

    /// Data that comes anew with each step and that nobody asks about.
    fn data(&mut self, bits: u32) {
        self.input("data", bits);
        self.state("data", bits, "input.data");
        self.line("let next_data = input.data;");
    }

    fn line(&mut self, line: &str) {
        writeln!(self.step, "            {line}").expect("a string has room");
    }
}

const TEMPLATE: &str = "\
#[machine_check::machine_description]
mod machine_module {
    use ::machine_check::Unsigned;
    use ::std::{
        clone::Clone,
        cmp::{Eq, PartialEq},
        fmt::Debug,
        hash::Hash,
    };

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct Input {
        INPUTS
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct Param {}

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct State {
        STATES
    }

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    pub struct System {}

    impl ::machine_check::Machine for System {
        type Input = Input;
        type Param = Param;
        type State = State;

        fn init(&self, input: &Input, _param: &Param) -> State {
            State { INIT }
        }

        fn next(&self, state: &State, input: &Input, _param: &Param) -> State {
            STEP
            State { NEXT }
        }
    }
}

fn main() {
    machine_check::run(machine_module::System {});
}
";

/// A constant.
fn value(bits: u32, value: u32) -> String {
    format!("Unsigned::<{bits}>::new({value})")
}

/// A counter goes from 0 to one less than this.
const COUNTED: u32 = 157;

fn counter(data_bits: u32) -> String {
    let mut machine = Machine::default();
    machine.input("increment", 1);
    machine.state("value", 8, value(8, 0));
    machine.data(data_bits);
    machine.line("let mut next_value = state.value;");
    machine.line(&format!("if input.increment == {} {{", value(1, 1)));
    machine.line(&format!("    next_value = state.value + {};", value(8, 1)));
    machine.line("}");
    machine.line(&format!("if next_value == {} {{", value(8, COUNTED)));
    machine.line(&format!("    next_value = {};", value(8, 0)));
    machine.line("}");
    machine.program()
}

const COUNTER_QUESTIONS: [Question; 3] = [
    Question { name: "the last is reached", property: "EF![value == 156]", holds: true },
    Question { name: "back to zero", property: "AG![EF![value == 0]]", holds: true },
    Question { name: "zero again and again", property: "AG![AF![value == 0]]", holds: false },
];

const COUNTER_PROPERTIES: &str = "
property \"the last is reached\": ctl EF last;
property \"back to zero\": ctl AG EF zero;
property \"zero again and again\": ctl AG AF zero;
";

/// The label of a value of the counter.
fn counted(value: u32) -> &'static str {
    match value {
        0 => "zero",
        156 => "last",
        _ => "",
    }
}

/// A component in which every state is labelled and says where it goes.
struct Kripke {
    text: String,
}

impl Kripke {
    fn new(name: &str, props: &str, init: &[String]) -> Self {
        let init = init.join(", ");
        Self { text: format!("component {name} kripke {{\n  props {props};\n  init {init};\n") }
    }

    fn state(&mut self, name: &str, label: &str, targets: &[String]) {
        let targets = targets.join(", ");
        writeln!(self.text, "  {name}: {{{label}}} -> {targets};").expect("a string has room");
    }

    fn finish(self) -> String {
        self.text + "}\n\n"
    }
}

fn names(letter: char, count: u32) -> Vec<String> {
    (0..count).map(|number| format!("{letter}{number}")).collect()
}

/// The data is a part of the one component: the counter has to be found in it.
fn counter_with_data() -> Pair {
    const BITS: u32 = 4;
    let of = |value: u32| -> Vec<String> {
        names('d', 1 << BITS).iter().map(|data| format!("v{value}_{data}")).collect()
    };
    let mut counter = Kripke::new("Counter", "zero, last", &of(0));
    for value in 0..COUNTED {
        let targets = [of(value), of((value + 1) % COUNTED)].concat();
        of(value).iter().for_each(|state| counter.state(state, counted(value), &targets));
    }
    Pair {
        name: "counter-with-data".to_owned(),
        about: "a counter to 157 with 4 bits of data, one component",
        tm: counter.finish() + COUNTER_PROPERTIES,
        rust: self::counter(BITS),
        questions: COUNTER_QUESTIONS.into(),
    }
}

/// The data is a component by itself.
fn counter_beside_data() -> Pair {
    const BITS: u32 = 8;
    let states = names('v', COUNTED);
    let mut counter = Kripke::new("Counter", "zero, last", &states[..1]);
    for (value, state) in (0..).zip(&states) {
        let next = &states[(value as usize + 1) % states.len()];
        counter.state(state, counted(value), &[state.clone(), next.clone()]);
    }
    let tm = counter.finish() + &data(BITS) + "system Counter || Data;\n" + COUNTER_PROPERTIES;
    Pair {
        name: "counter-beside-data".to_owned(),
        about: "a counter to 157 beside 8 bits of data, two components",
        tm,
        rust: self::counter(BITS),
        questions: COUNTER_QUESTIONS.into(),
    }
}

fn data(bits: u32) -> String {
    let states = names('d', 1 << bits);
    let mut data = Kripke::new("Data", "odd", &states);
    for (state, label) in states.iter().zip(["", "odd"].into_iter().cycle()) {
        data.state(state, label, &states);
    }
    data.finish()
}

/// The largest value so far, with a reset or without, beside a counter and data.
fn maximum(resets: bool) -> Pair {
    const BITS: u32 = 5;
    let mut machine = Machine::default();
    machine.input("value", BITS);
    machine.input("reset", 1);
    machine.state("largest", BITS, value(BITS, 0));
    machine.state("free", 4, value(4, 0));
    machine.data(4);
    machine.line(&format!("let next_free = state.free + {};", value(4, 1)));
    machine.line("let mut next_largest = state.largest;");
    machine.line("if next_largest < input.value {");
    machine.line("    next_largest = input.value;");
    machine.line("}");
    if resets {
        machine.line(&format!("if input.reset == {} {{", value(1, 1)));
        machine.line(&format!("    next_largest = {};", value(BITS, 0)));
        machine.line("}");
    }
    let question = |name, property, holds| Question { name, property, holds };
    Pair {
        name: if resets { "maximum-reset" } else { "maximum" }.to_owned(),
        about: match resets {
            true => "a maximum with a reset, beside a counter and data, three components",
            false => "the same without the reset",
        },
        tm: maximum_states(resets),
        rust: machine.program(),
        questions: vec![
            question("the top is reached", "EF![largest == 31]", true),
            question("back to zero", "AG![EF![largest == 0]]", resets),
            question("zero is left", "AF![largest != 0]", false),
        ],
    }
}

fn maximum_states(resets: bool) -> String {
    let states = names('m', 32);
    let mut largest = Kripke::new("Maximum", "zero, top", &states[..1]);
    for (number, state) in states.iter().enumerate() {
        let mut targets = states[number..].to_vec();
        if resets && number > 0 {
            targets.push(states[0].clone());
        }
        let label = match number {
            0 => "zero",
            31 => "top",
            _ => "",
        };
        largest.state(state, label, &targets);
    }
    let steps = names('f', 16);
    let mut free = Kripke::new("Free", "start", &steps[..1]);
    for (number, state) in steps.iter().enumerate() {
        let label = if number == 0 { "start" } else { "" };
        free.state(state, label, &[steps[(number + 1) % steps.len()].clone()]);
    }
    largest.finish()
        + &free.finish()
        + &data(4)
        + "system Maximum || Free || Data;\n
property \"the top is reached\": ctl EF top;
property \"back to zero\": ctl AG EF zero;
property \"zero is left\": ctl AF !zero;
"
}

// Of a station: what it does, as a number.
const IDLE: u32 = 0;
const WAIT: u32 = 1;
const HOLD: u32 = 2;
const WORK: u32 = 3;
const WORK_MORE: u32 = 4;
const PASS: u32 = 5;

/// The token ring of the families.
fn ring(size: u32) -> Pair {
    let wish = families::Wish::new(Family::TokenRing, size, false);
    let tm = families::make(&wish);
    let (system, _) = families::read(&tm);
    let mut machine = Machine::default();
    for (number, station) in (0..size).zip(&system.components) {
        let model = &station.model;
        let states = 0..model.states() as u32;
        let works_twice = states.into_iter().any(|s| model.state_name(s).starts_with("work2"));
        machine.input(format!("pick{number}"), 2);
        let start = if number == 0 { HOLD } else { IDLE };
        machine.state(format!("core{number}"), 3, value(3, start));
        machine.station(number, (number + size - 1) % size, works_twice);
    }
    let question = |name, property, holds| Question { name, property, holds };
    Pair {
        name: format!("ring-{size}"),
        about: "the token ring of the families",
        tm,
        rust: machine.program(),
        questions: vec![
            question("local: station 0 can work", "EF![core0 == 3 || core0 == 4]", true),
            question(
                "global: never two at work",
                "AG![!((core0 == 3 || core0 == 4) && (core1 == 3 || core1 == 4))]",
                true,
            ),
            question(
                "global: station 0 can always work again",
                "AG![EF![core0 == 3 || core0 == 4]]",
                true,
            ),
        ],
    }
}

impl Machine {
    fn station(&mut self, number: u32, before: u32, works_twice: bool) {
        self.line(&format!("let mut next_core{number} = state.core{number};"));
        let comes = Some((before, true));
        let nothing_comes = Some((before, false));
        self.case(number, IDLE, comes, &[HOLD, PASS]);
        self.case(number, IDLE, nothing_comes, &[IDLE, WAIT]);
        self.case(number, WAIT, comes, &[WORK]);
        self.case(number, HOLD, None, &[HOLD, WORK, PASS]);
        if works_twice {
            self.case(number, WORK, None, &[WORK_MORE]);
            self.case(number, WORK_MORE, None, &[WORK_MORE, PASS]);
        } else {
            self.case(number, WORK, None, &[WORK, PASS]);
        }
        self.case(number, PASS, comes, &[HOLD]);
        self.case(number, PASS, nothing_comes, &[IDLE, WAIT]);
    }

    /// What a station does in a core, perhaps only if the token comes or does not come from another.
    fn case(&mut self, number: u32, core: u32, comes: Option<(u32, bool)>, targets: &[u32]) {
        self.line(&format!("if state.core{number} == {} {{", value(3, core)));
        if let Some((before, comes)) = comes {
            let compared = if comes { "==" } else { "!=" };
            self.line(&format!("    if state.core{before} {compared} {} {{", value(3, PASS)));
        }
        // The last target is also that of a choice that there is not.
        let (last, others) = targets.split_last().expect("it does something");
        self.line(&format!("    next_core{number} = {};", value(3, *last)));
        for (choice, &target) in (0..).zip(others) {
            self.line(&format!("    if input.pick{number} == {} {{", value(2, choice)));
            self.line(&format!("        next_core{number} = {};", value(3, target)));
            self.line("    }");
        }
        if comes.is_some() {
            self.line("    }");
        }
        self.line("}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use explicit::{Method, Request};
    use logic::Truth;
    use support::Monitor;

    #[test]
    fn every_property_has_the_verdict_that_is_stated() {
        for Pair { name, tm, questions, .. } in pairs() {
            let (system, properties) = families::read(&tm);
            for question in questions {
                let property = properties.iter().find(|property| property.name == question.name);
                let formula = families::compile(&system, property.expect("a property"));
                let monitor = Monitor::new();
                let plain = Request::new(&system, &formula, &monitor);
                let request = Request { method: Method::Compositional, ..plain };
                let verdict = explicit::run(&request).expect("it can be checked").verdict;
                let expected = if question.holds { Truth::True } else { Truth::False };
                assert_eq!(verdict, expected, "{name}: {}", question.name);
            }
        }
    }

    #[test]
    fn programs_have_all_their_parts() {
        for Pair { name, rust, .. } in pairs() {
            let missing = ["INPUTS", "STATES", "INIT", "STEP", "NEXT"];
            assert!(!missing.iter().any(|part| rust.contains(part)), "{name}");
            let count = |sign| rust.chars().filter(|&c| c == sign).count();
            assert_eq!(count('{'), count('}'), "{name}");
        }
    }
}
