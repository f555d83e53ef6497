//! Systems that both Tertium and machine-check can express: a `.tm` file, and a program in Rust that hands
//! the same system to the crate `machine-check`. The programs are generated, to be built outside this
//! workspace; nothing here depends on that crate.
//!
//! machine-check reads one machine with bit-vectors, Tertium the states of its components. So the sizes
//! are such that the states can be written down.

use super::families::{self, Family};
use super::system::{Body, State, System};
use std::path::Path;
use std::{fs, io};

/// One system for both.
pub struct Pair {
    /// Of the file and of the program.
    pub name: String,
    pub about: &'static str,
    pub tm: String,
    pub rust: String,
    pub questions: Vec<Question>,
}

/// A property by its name in the `.tm` file, the same for machine-check, and whether it holds.
pub type Question = (&'static str, &'static str, bool);

pub fn pairs() -> Vec<Pair> {
    let mut pairs = vec![counter_with_data(), counter_beside_data(), maximum(true), maximum(false)];
    pairs.extend([3, 4, 6].map(ring));
    pairs
}

/// A cargo project that is built by `cargo build --release`.
pub fn write(folder: &Path) -> io::Result<()> {
    let programs = folder.join("src/bin");
    fs::create_dir_all(&programs)?;
    let package = "[package]\nname = \"systems\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let rest = "\n[dependencies]\nmachine-check = \"0.7\"\n\n[workspace]\n";
    fs::write(folder.join("Cargo.toml"), format!("{package}{rest}"))?;
    for pair in pairs() {
        fs::write(programs.join(format!("{}.rs", pair.name)), pair.rust)?;
    }
    Ok(())
}

/// A machine, or how a program looks.
fn text(name: &str) -> &'static str {
    super::section(include_str!("../../machine-check.txt"), name)
}

/// The program of a machine.
fn program(machine: &str) -> String {
    // The parts of the program by the words that stand for them.
    let [mut inputs, mut states, mut step] = [const { String::new() }; 3];
    let (mut init, mut next) = (Vec::new(), Vec::new());
    for line in machine.lines() {
        let value = |word: &str| {
            let (number, end) = word.strip_suffix(';').map_or((word, ""), |number| (number, ";"));
            match number.split_once('\'') {
                Some((bits, value)) => format!("Unsigned::<{bits}>::new({value}){end}"),
                None => word.to_owned(),
            }
        };
        let words: Vec<String> = line.split(' ').map(value).collect();
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["input", name, bits] => inputs += &format!("        {name}: Unsigned<{bits}>,\n"),
            ["state", name, bits, ref start @ ..] => {
                states += &format!("        {name}: Unsigned<{bits}>,\n");
                init.push(format!("{name}: {}", start.join(" ")));
                next.push(format!("{name}: next_{name}"));
            }
            _ => step += &format!("            {}\n", words.join(" ")),
        }
    }
    (text("program").to_owned() + "\n")
        .replace("        INPUTS\n", &inputs)
        .replace("        STATES\n", &states)
        .replace("INIT", &init.join(", "))
        .replace("            STEP\n", &step)
        .replace("NEXT", &next.join(", "))
}

/// A component in which every state is labelled and says where it goes.
fn kripke(
    system: &mut System,
    name: &str,
    props: &str,
    init: &[String],
    states: impl Iterator<Item = (String, &'static str, Vec<String>)>,
) {
    let state = |(name, label, targets): (String, &str, Vec<String>)| State {
        name,
        label: super::system::words(label),
        targets,
    };
    let props = super::system::words(props);
    let body = Body::Kripke { props, init: init.to_vec(), states: states.map(state).collect() };
    system.components.push((name.to_owned(), body));
}

fn names(letter: char, count: u32) -> Vec<String> {
    (0..count).map(|number| format!("{letter}{number}")).collect()
}

/// A counter goes from 0 to one less than this.
const COUNTED: u32 = 157;

const COUNTER_QUESTIONS: [Question; 3] = [
    ("the last is reached", "EF![value == 156]", true),
    ("back to zero", "AG![EF![value == 0]]", true),
    ("zero again and again", "AG![AF![value == 0]]", false),
];

fn counter_properties() -> String {
    let all = COUNTER_QUESTIONS.iter().zip(["EF last", "AG EF zero", "AG AF zero"]);
    all.map(|((name, ..), formula)| format!("property \"{name}\": ctl {formula};\n")).collect()
}

/// The label of a value of the counter.
fn counted(value: u32) -> &'static str {
    match value {
        0 => "zero",
        156 => "last",
        _ => "",
    }
}

/// The data is a part of the one component: the counter has to be found in it.
fn counter_with_data() -> Pair {
    let of = |value: u32| -> Vec<String> {
        names('d', 16).iter().map(|data| format!("v{value}_{data}")).collect()
    };
    let mut system = System::default();
    let states = (0..COUNTED).flat_map(|value| {
        let targets = [of(value), of((value + 1) % COUNTED)].concat();
        of(value).into_iter().map(move |state| (state, counted(value), targets.clone()))
    });
    kripke(&mut system, "Counter", "zero last", &of(0), states);
    Pair {
        name: "counter-with-data".to_owned(),
        about: "a counter to 157 with 4 bits of data, one component",
        tm: system.tm("", &counter_properties()),
        rust: program(&text("counter").replace("DATA", "4")),
        questions: COUNTER_QUESTIONS.into(),
    }
}

/// The data is a component by itself.
fn counter_beside_data() -> Pair {
    let values = names('v', COUNTED);
    let mut system = System::default();
    let states = (0..COUNTED).map(|value| {
        let own = values[value as usize].clone();
        let next = values[(value as usize + 1) % values.len()].clone();
        (own.clone(), counted(value), vec![own, next])
    });
    kripke(&mut system, "Counter", "zero last", &values[..1], states);
    data(&mut system, 8);
    Pair {
        name: "counter-beside-data".to_owned(),
        about: "a counter to 157 beside 8 bits of data, two components",
        tm: system.tm("", &counter_properties()),
        rust: program(&text("counter").replace("DATA", "8")),
        questions: COUNTER_QUESTIONS.into(),
    }
}

fn data(system: &mut System, bits: u32) {
    let all = names('d', 1 << bits);
    let labelled = all.iter().zip(["", "odd"].into_iter().cycle());
    let states = labelled.map(|(state, label)| (state.clone(), label, all.clone()));
    kripke(system, "Data", "odd", &all, states);
}

/// The largest value so far, with a reset or without, beside a counter and data.
fn maximum(resets: bool) -> Pair {
    let mut system = System::default();
    let values = names('m', 32);
    let largest = values.iter().enumerate().map(|(number, state)| {
        let zero = (resets && number > 0).then(|| values[0].clone());
        let label = [(0, "zero"), (31, "top")].into_iter().find(|(value, _)| *value == number);
        let targets = values[number..].iter().cloned().chain(zero).collect();
        (state.clone(), label.map_or("", |(_, label)| label), targets)
    });
    kripke(&mut system, "Maximum", "zero top", &values[..1], largest);
    let steps = names('f', 16);
    let free = steps.iter().enumerate().map(|(number, state)| {
        let next = steps[(number + 1) % steps.len()].clone();
        (state.clone(), if number == 0 { "start" } else { "" }, vec![next])
    });
    kripke(&mut system, "Free", "start", &steps[..1], free);
    data(&mut system, 4);
    let properties = "property \"the top is reached\": ctl EF top;\n\
        property \"back to zero\": ctl AG EF zero;\nproperty \"zero is left\": ctl AF !zero;\n";
    Pair {
        name: if resets { "maximum-reset" } else { "maximum" }.to_owned(),
        about: match resets {
            true => "a maximum with a reset, beside a counter and data, three components",
            false => "the same without the reset",
        },
        tm: system.tm("", properties),
        rust: program(&format!("{}\n{}", text("maximum"), if resets { text("reset") } else { "" })),
        questions: vec![
            ("the top is reached", "EF![largest == 31]", true),
            ("back to zero", "AG![EF![largest == 0]]", resets),
            ("zero is left", "AF![largest != 0]", false),
        ],
    }
}

/// The token ring of the families.
fn ring(size: u32) -> Pair {
    let wish = families::Wish::new(Family::TokenRing, size, false);
    let mut machine = String::new();
    for (i, (_, body)) in (0..size).zip(&families::system(&wish).components) {
        let Body::Kripke { states, .. } = body else { unreachable!("stations have wires") };
        let works_twice = states.iter().any(|state| state.name.starts_with("work2"));
        let (mark, other) = if works_twice { ("@twice ", "@once ") } else { ("@once ", "@twice ") };
        let lines = text("station").lines().filter(|line| !line.starts_with(other));
        let lines = lines.map(|line| line.strip_prefix(mark).unwrap_or(line).to_owned() + "\n");
        let before = ((i + size - 1) % size).to_string();
        let station = lines.collect::<String>().replace("OWN", &i.to_string());
        let start = if i == 0 { "3'2" } else { "3'0" };
        machine += &station.replace("BEFORE", &before).replace("START", start);
    }
    Pair {
        name: format!("ring-{size}"),
        about: "the token ring of the families",
        tm: families::make(&wish),
        rust: program(&machine),
        questions: vec![
            ("local: station 0 can work", "EF![core0 == 3 || core0 == 4]", true),
            (
                "global: never two at work",
                "AG![!((core0 == 3 || core0 == 4) && (core1 == 3 || core1 == 4))]",
                true,
            ),
            ("global: station 0 can always work again", "AG![EF![core0 == 3 || core0 == 4]]", true),
        ],
    }
}
