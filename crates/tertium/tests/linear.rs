//! Definite verdicts of linear time are certified, by every method, and the auditor agrees.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Write;
use tertium::{Logic, Model, Options, Verdict, certify};
use testkit::{Rng, for_seeds};

const ATOMS: [&str; 3] = ["p", "q", "r"];

/// A formula of one path over these atoms.
fn path(rng: &mut Rng, size: usize, atoms: &[&str], with_past: bool) -> String {
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
fn state(rng: &mut Rng, size: usize) -> String {
    let inner = if size > 3 && rng.chance(0.5) { Some(state(rng, size / 2)) } else { None };
    let mut atoms = ATOMS.to_vec();
    atoms.extend(inner.as_deref());
    format!("{} ({})", rng.pick(&["A", "E", "!A", "!E"]), path(rng, size / 2 + 1, &atoms, false))
}

fn formula(rng: &mut Rng) -> (Logic, String) {
    let size = rng.between(1, 8);
    match rng.chance(0.3) {
        true => (Logic::CtlStar, state(rng, size)),
        false => {
            let with_past = rng.chance(0.3);
            (Logic::Ltl, path(rng, size, &ATOMS, with_past))
        }
    }
}

fn component(rng: &mut Rng, name: &str, props: &str, kind: &str) -> String {
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

fn explicit(rng: &mut Rng) -> String {
    let kind = *rng.pick(&["kripke", "kmts"]);
    match rng.chance(0.5) {
        true => component(rng, "A", "p, q, r", kind),
        false => {
            let [a, b] = [("A", "p, q"), ("B", "r")].map(|(name, p)| component(rng, name, p, kind));
            format!("{a}{b}system A || B;\n")
        }
    }
}

fn smv(rng: &mut Rng) -> String {
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

fn promela(rng: &mut Rng) -> String {
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

type Generator = fn(&mut Rng) -> String;
const LANGUAGES: [(&str, Generator, &[&str]); 3] = [
    ("tm", explicit, &["direct", "compositional", "refine", "auto"]),
    ("smv", smv, &["direct", "symbolic", "auto"]),
    ("promela", promela, &["direct", "symbolic", "auto"]),
];

fn certified(name: &str, seeds: std::ops::Range<u64>) {
    let counts: RefCell<BTreeMap<String, [u32; 3]>> = RefCell::default();
    // The auditor does not see of every formula that it agrees.
    let without = Cell::new(0);
    for_seeds(name, seeds, |rng, case| {
        let (language, text, methods) = *rng.pick(&LANGUAGES);
        let (text, (logic, formula)) = (text(rng), formula(rng));
        let method = *rng.pick(methods);
        case.note(format!("{text}\n-- {method} {} {formula}", logic.name()));
        let model = Model::read(language, "model", &text).map_err(|error| error.to_string())?;
        let property = match model.property(logic, &formula) {
            Ok(property) => property,
            Err(error) => return Err(format!("{error}")),
        };
        let options = Options::default().method(method).evidence(true);
        let answer = match model.check(&property, &options) {
            Ok(answer) => answer,
            // Some formulas are too large for their automata, and some questions are not for the method.
            Err(_) => return Ok(()),
        };
        let mut counts = counts.borrow_mut();
        let count = counts.entry(format!("{language} {method} {}", logic.name())).or_default();
        if answer.verdict() == Verdict::Unknown {
            count[2] += 1;
            return Ok(());
        }
        count[usize::from(answer.verdict() == Verdict::True)] += 1;
        if let Some(why) = answer.not_certified() {
            println!("{formula}: {why}");
            without.set(without.get() + 1);
            return Ok(());
        }
        let Some(audit) = answer.audit().map_err(|error| error.to_string())? else {
            return Err(format!("{} without a certificate", answer.verdict()));
        };
        match (audit.is_valid(), audit.fault) {
            (true, _) => Ok(()),
            (_, fault) => Err(format!("{}: {fault:?}", answer.verdict())),
        }
    });
    let counts = counts.into_inner();
    println!("false, true, unknown: {counts:#?}");
    let definite: u32 = counts.values().map(|count| count[0] + count[1]).sum();
    assert!(without.get() <= definite / 500, "{} of {definite}", without.get());
    assert!(2 * definite > counts.values().flatten().sum(), "{counts:?}");
}

#[test]
fn definite_verdicts_of_linear_time_are_certified() {
    certified("certified-linear-time", 0..300);
}

#[test]
#[ignore = "minutes: 10,000 models with formulas"]
fn many_definite_verdicts_of_linear_time_are_certified() {
    certified("many-certified-linear-time", 1_000_000..1_010_000);
}

/// A certificate is tried on another file, where its property is another one or other paths are fair.
#[test]
fn certificates_of_other_formulas_and_fairness_are_accepted_only_where_they_are_right() {
    let (tried, accepted) = (Cell::new(0), Cell::new(0));
    for_seeds("transferred-linear-time", 0..400, |rng, case| {
        let is_smv = rng.chance(0.6);
        let language = if is_smv { "smv" } else { "tm" };
        let text = if is_smv { smv(rng) } else { explicit(rng) };
        let with = |(logic, formula): &(Logic, String), fair: &str| match (is_smv, logic) {
            (false, _) => format!("{text}property it: {} {formula};\n", logic.name()),
            (true, Logic::Ltl) => format!("{text}{fair}LTLSPEC NAME it := {formula};\n"),
            (true, _) => format!("{text}{fair}CTLSTARSPEC NAME it := {formula};\n"),
        };
        // Small formulas are often alike.
        let small =
            |rng: &mut Rng| (Logic::Ltl, path(rng, rng.clone().between(1, 4), &ATOMS, false));
        let first = small(rng);
        let second = if rng.chance(0.3) { first.clone() } else { small(rng) };
        let fair = if rng.chance(0.5) { "FAIRNESS p;\n" } else { "" };
        let (of, on) = (with(&first, ""), with(&second, fair));
        case.note(format!("{of}\n-- tried on\n{on}"));
        let read = |text: &str| Model::read(language, "model", text).map_err(|e| e.to_string());
        let (of, on) = (read(&of)?, read(&on)?);
        let (Ok(answer), Ok(right)) = (
            of.check(&of.properties()[0], &Options::default().evidence(true)),
            on.check(&on.properties()[0], &Options::default()),
        ) else {
            return Ok(());
        };
        let Ok(bytes) = answer.certificate() else { return Ok(()) };
        tried.set(tried.get() + 1);
        let Ok(found) = certify(&on, &bytes) else { return Ok(()) };
        if !found.is_valid() {
            return Ok(());
        }
        accepted.set(accepted.get() + 1);
        let is_right = found.claims.iter().all(|claim| {
            right.verdict() == if claim.verdict { Verdict::True } else { Verdict::False }
        });
        if is_right { Ok(()) } else { Err(format!("accepted, and it is {}", right.verdict())) }
    });
    println!("{} tried, {} accepted", tried.get(), accepted.get());
    assert!(accepted.get() > tried.get() / 20, "{} of {}", accepted.get(), tried.get());
}
