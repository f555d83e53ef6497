//! The choices of the method `auto`.

use std::fmt::Write;
use std::time::Duration;
use tertium::{Answer, Cancel, Model, Options, Verdict};

/// A token goes round three stations, each of which counts to `detail` for no purpose.
fn stations(detail: usize, properties: &str) -> String {
    let mut text = String::new();
    for station in 0..3 {
        let next = (station + 1) % 3;
        let start = usize::from(station == 0);
        writeln!(text, "component P{station} lts {{\n  init s{start}_0;").unwrap();
        for at in 0..detail {
            let (then, later) = ((at * 7 + 1) % detail, (at + 3) % detail);
            writeln!(text, "  s1_{at}: -work{station}-> s1_{then} -t{next}-> s0_{then};").unwrap();
            writeln!(text, "  s0_{at}: -t{station}-> s1_{then} -rest{station}-> s0_{later};")
                .unwrap();
        }
        writeln!(text, "}}").unwrap();
    }
    text + "system P0 || P1 || P2;\n" + properties
}

fn answer(text: String) -> Answer {
    let model = Model::read("tm", "model.tm", &text).unwrap();
    let options = Options::default().timeout(Duration::from_secs(60));
    model.check(&model.properties()[0], &options).unwrap()
}

#[test]
fn what_one_component_decides_is_left_to_it() {
    let local = "property p: mcf [true*.work0.rest0] false;";
    assert_eq!(answer(stations(20, local)).method(), "compositional");
}

#[test]
fn a_small_system_is_composed() {
    let mutex = "property p: mcf [true*] !(<work0> true && <work1> true);";
    let outcome = answer(stations(3, mutex));
    assert!(matches!(outcome.method(), "direct" | "compositional"));
    assert_eq!(outcome.verdict(), Verdict::True);
}

#[test]
fn detail_that_does_not_matter_is_not_looked_at() {
    for (property, verdict) in [
        ("[true*] !(<work0> true && <work1> true)", Verdict::True),
        ("<true*> (<work0> true && <work1> true)", Verdict::False),
        ("[true*] <true*.work0> true", Verdict::True),
    ] {
        let outcome = answer(stations(200, &format!("property p: mcf {property};")));
        assert_eq!((outcome.method(), outcome.verdict()), ("refine", verdict), "{property}");
        let sizes = outcome.figures().abstract_states.as_ref().unwrap();
        assert!(sizes.iter().all(|size| size.abstract_states <= 4), "{sizes:?}");
    }
}

/// Where most of the memory is in use, refinement leaves what there is to the others.
#[test]
fn refinement_leaves_memory_to_others() {
    let text = stations(64, "property p: mcf [true*] !(<work0> true && <work1> true);");
    let model = Model::read("tm", "model.tm", &text).unwrap();
    let answer = |used: u64| {
        let cancel = Cancel::default();
        cancel.memory_in_use(used);
        let options = Options::default().memory(1 << 30).cancel(&cancel);
        let answer = model.check(&model.properties()[0], &options).unwrap();
        (answer.verdict(), answer.method() == "refine")
    };
    assert_eq!(answer(0), (Verdict::True, true));
    assert_eq!(answer((1 << 30) / 5 * 4), (Verdict::True, false));
}

/// Sixteen independent switches: more states than are composed at once, and only the composition, or a product of
/// all games, decides the property.
#[test]
fn a_large_system_is_decided() {
    let mut text = String::new();
    for switch in 0..16 {
        writeln!(text, "component S{switch} lts {{ init off; ").unwrap();
        writeln!(text, "  off: -on{switch}-> on; on: -off{switch}-> off; }}").unwrap();
    }
    let all = |action: &str, sign: &str| {
        let each: Vec<String> = (0..16).map(|n| format!("<{action}{n}> true")).collect();
        each.join(sign)
    };
    let names: Vec<String> = (0..16).map(|switch| format!("S{switch}")).collect();
    writeln!(text, "system {};", names.join(" || ")).unwrap();
    for (property, verdict) in [
        (format!("mu X. ({}) | <> X", all("off", " & ")), Verdict::True),
        (format!("mu X. ({} & <on3> true) | <> X", all("off", " & ")), Verdict::False),
    ] {
        let outcome = answer(format!("{text}property p: mu {property};"));
        assert_eq!(outcome.verdict(), verdict, "{property}");
    }
}

/// A chain of components, each of which copies its neighbour a step later: `w0` is free, `wN` is what `w0` was N steps ago.
fn copying(components: usize, properties: &str) -> String {
    let mut text = String::new();
    writeln!(text, "component C0 kripke {{\n  props w0;\n  init a;\n  a: {{}} -> a, b;\n  b: {{w0}} -> a, b;\n}}").unwrap();
    for n in 1..components {
        let from = n - 1;
        writeln!(text, "component C{n} kripke {{\n  props w{from}, w{n};\n  init ff;").unwrap();
        for (name, labels, then) in [
            ("ff", String::new(), "ff, tf"),
            ("tf", format!("w{from}"), "ft, tt"),
            ("ft", format!("w{n}"), "ff, tf"),
            ("tt", format!("w{from}, w{n}"), "ft, tt"),
        ] {
            writeln!(text, "  {name}: {{{labels}}} -> {then};").unwrap();
        }
        writeln!(text, "}}").unwrap();
    }
    let names: Vec<String> = (0..components).map(|n| format!("C{n}")).collect();
    text + &format!("system {};\n{properties}", names.join(" || "))
}

/// The composition has 2^22 states, products of ?-subgraphs grow like it, and as BDDs it is nothing.
#[test]
fn bdds_decide_what_lists_of_states_cannot() {
    let property = "property p: ctl EF (w18 & !w20);";
    let outcome = answer(copying(22, property));
    assert_eq!((outcome.verdict(), outcome.method()), (Verdict::True, "symbolic"));
    // The engine that decided it explains nothing; another one does.
    assert_eq!(answer(copying(6, "property p: ctl AG !(w3 & !w5);")).verdict(), Verdict::False);
}

#[test]
fn a_hard_property_leaves_time_for_the_others() {
    let hard = "property hard: mu nu X. mu Y. nu Z. (w19 & <> X | !w7 & <> Y | w3 & [] Z);";
    let easy = "property easy: ctl EF w0;";
    let text = copying(24, &format!("{hard}\n{easy}"));
    let model = Model::read("tm", "model.tm", &text).unwrap();
    let options = Options::default().timeout(Duration::from_secs(6));
    let answers = model.check_all(model.properties(), &options, &()).unwrap();
    let easy = answers[1].as_ref().unwrap();
    assert_eq!(easy.verdict(), Verdict::True);
}

/// The example of fairness of actions has the verdicts that its comments expect, by every method that takes it.
#[test]
fn fair_actions_have_the_expected_verdicts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fair.tm");
    let text = std::fs::read_to_string(path).unwrap();
    let expected: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("// expect: ")?.rsplit_once(" = "))
        .map(|(name, verdict)| (name.trim_matches('"'), verdict))
        .collect();
    let model = Model::open(path).unwrap();
    assert_eq!(expected.len(), model.properties().len());
    for method in ["auto", "direct", "compositional", "refine", "symbolic"] {
        let options = Options::default().timeout(Duration::from_secs(60)).method(method);
        for (property, (name, verdict)) in model.properties().iter().zip(&expected) {
            let answer = model.check(property, &options).unwrap();
            let found = (property.name(), answer.verdict().to_string());
            assert_eq!(found, (*name, (*verdict).to_owned()), "{method}");
        }
    }
}
