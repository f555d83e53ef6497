//! Random models in every language, and formulas about them.

use std::fmt::Write;
use tertium::Logic;
use testkit::Rng;

pub const ATOMS: [&str; 3] = ["p", "q", "r"];

/// A formula of one path over these atoms.
pub fn path(rng: &mut Rng, size: usize, atoms: &[&str], with_past: bool) -> String {
    if size <= 1 {
        return (*rng.pick(atoms)).to_owned();
    }
    if size == 2 || rng.chance(0.45) {
        let ops: &[&str] = match with_past && rng.chance(0.3) {
            true => &["Y ", "Z ", "O ", "H "],
            false => &["!", "X ", "F ", "G ", "F ", "G "],
        };
        return format!("{}({})", rng.pick(ops), path(rng, size - 1, atoms, with_past));
    }
    let ops: &[&str] = match with_past && rng.chance(0.3) {
        true => &["S", "T"],
        false => &["&", "|", "->", "<->", "U", "V", "U"],
    };
    let first = rng.between(1, size - 2);
    let [a, b] = [first, size - 1 - first].map(|size| path(rng, size, atoms, with_past));
    format!("(({a}) {} ({b}))", rng.pick(ops))
}

/// A formula of CTL*, whose paths may speak of other such formulas.
pub fn state(rng: &mut Rng, size: usize) -> String {
    let inner = if size > 3 && rng.chance(0.5) { Some(state(rng, size / 2)) } else { None };
    let mut atoms = ATOMS.to_vec();
    atoms.extend(inner.as_deref());
    format!("{} ({})", rng.pick(&["A", "E", "!A", "!E"]), path(rng, size / 2 + 1, &atoms, false))
}

pub fn formula(rng: &mut Rng) -> (Logic, String) {
    let size = rng.between(1, 8);
    match rng.chance(0.3) {
        true => (Logic::CtlStar, state(rng, size)),
        false => {
            let with_past = rng.chance(0.3);
            (Logic::Ltl, path(rng, size, &ATOMS, with_past))
        }
    }
}

pub fn component(rng: &mut Rng, name: &str, props: &str, kind: &str) -> String {
    let states = rng.between(1, 4);
    let mut text = format!("component {name} {kind} {{ props {props}; init s0;\n");
    let props: Vec<&str> = props.split(", ").collect();
    for state in 0..states {
        let partial = kind == "kmts";
        let label: Vec<String> = props
            .iter()
            .filter_map(|prop| match rng.below(3) {
                0 => Some((*prop).to_owned()),
                1 if partial => Some(format!("{prop}?")),
                _ => None,
            })
            .collect();
        write!(text, "  s{state}: {{{}}}", label.join(", ")).unwrap();
        for _ in 0..rng.between(1, 2) {
            let arrow = if partial && rng.chance(0.4) { "?>" } else { "->" };
            write!(text, " {arrow} s{}", rng.below(states)).unwrap();
        }
        text.push_str(";\n");
    }
    text + "}\n"
}

pub fn explicit(rng: &mut Rng) -> String {
    let kind = *rng.pick(&["kripke", "kmts"]);
    match rng.chance(0.5) {
        true => component(rng, "A", "p, q, r", kind),
        false => {
            let [a, b] = [("A", "p, q"), ("B", "r")].map(|(name, p)| component(rng, name, p, kind));
            format!("{a}{b}system A || B;\n")
        }
    }
}

pub fn smv(rng: &mut Rng) -> String {
    let mut text =
        "MODULE main\nVAR p : boolean; q : boolean; r : boolean;\nIVAR i : boolean;\n".to_owned();
    let term =
        |rng: &mut Rng| (*rng.pick(&["p", "q", "r", "i", "!p", "!q", "p & q", "r | i"])).to_owned();
    text.push_str("ASSIGN\n");
    for var in ATOMS {
        if rng.chance(0.7) {
            writeln!(text, "  init({var}) := {};", rng.pick(&["TRUE", "FALSE"])).unwrap();
        }
        let next = match rng.below(3) {
            0 => format!("{{{}, {}}}", term(rng), term(rng)),
            _ => term(rng),
        };
        writeln!(text, "  next({var}) := {next};").unwrap();
    }
    for _ in 0..rng.below(3) {
        if rng.chance(0.5) {
            writeln!(text, "{} {};", rng.pick(&["FAIRNESS", "JUSTICE"]), term(rng)).unwrap();
        }
    }
    if rng.chance(0.2) {
        writeln!(text, "COMPASSION (p, q);").unwrap();
    }
    text
}

pub fn promela(rng: &mut Rng) -> String {
    let mut text = "bool p, q, r;\n".to_owned();
    for name in ["one", "two"] {
        writeln!(text, "active proctype {name}() {{ do").unwrap();
        for _ in 0..rng.between(1, 3) {
            let [a, b] = [(); 2].map(|()| *rng.pick(&ATOMS));
            let value = rng.pick(&["true", "false", "!p", "q"]);
            writeln!(text, "  :: {}{a} -> {b} = {value}", rng.pick(&["", "!"])).unwrap();
        }
        text.push_str("od }\n");
    }
    text
}

/// A component whose steps show actions, with fairness of some of them.
pub fn fair_actions(rng: &mut Rng) -> String {
    let kind = *rng.pick(&["lts", "mts"]);
    let states = rng.between(1, 4);
    let mut text = format!("component A {kind} {{ actions p, q, r; init s0;\n");
    for state in 0..states {
        write!(text, "  s{state}:").unwrap();
        for _ in 0..rng.between(1, 3) {
            let arrow = if kind == "mts" && rng.chance(0.4) { "?>" } else { "->" };
            write!(text, " -{}{arrow} s{}", rng.pick(&ATOMS), rng.below(states)).unwrap();
        }
        text.push_str(";\n");
    }
    text.push_str("}\n");
    for action in rng.some(&ATOMS, 0.5) {
        writeln!(text, "{}fair A:{action};", rng.pick(&["", "strong "])).unwrap();
    }
    text
}

/// A program over integers, and formulas about it are over these.
pub const INTEGER_ATOMS: [&str; 5] = ["x > 0", "y = 0", "x <= y", "x = 2", "at_done"];

pub fn integers(rng: &mut Rng) -> String {
    const COMMANDS: [&str; 9] = [
        "while x > 0 do x := x - 1 od",
        "while x < 3 do x := x + 1; y := any od",
        "while y > 0 do y := y - 1; x := y od",
        "if x > y then y := 0 else x := x - 1 fi",
        "x := any",
        "y := x",
        "x := 2",
        "while true do y := 1 - y od",
        "while x > 0 do x := x + 1 od",
    ];
    let commands: Vec<&str> = (0..rng.between(1, 3)).map(|_| *rng.pick(&COMMANDS)).collect();
    format!("var x : int; var y : int := 0;\n{};\ndone: fin\n", commands.join(";\n"))
}
