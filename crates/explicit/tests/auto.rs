//! What the method `auto` chooses.

use explicit::{Method, Outcome, Request, run};
use logic::{Signature, Truth};
use std::fmt::Write;
use support::{FileId, Monitor};

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

fn answer(text: String) -> Outcome {
    let monitor = Monitor::new();
    let mut no_files = |_: &str| Err("no other files".to_owned());
    let document = testkit::read_tm(FileId(0), &text.into(), &monitor, &mut no_files).unwrap();
    let system = document.system.unwrap();
    let (props, actions) = (system.props(), system.actions());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    let surface = document.properties[0].surface().unwrap();
    let formula = logic::compile(surface, &signature, &mut Vec::new()).unwrap();
    run(&Request::new(&system, &formula, &monitor)).unwrap()
}

#[test]
fn what_one_component_decides_is_left_to_it() {
    let local = "property p: mcf [true*.work0.rest0] false;";
    assert_eq!(answer(stations(20, local)).method, Method::Compositional);
}

#[test]
fn a_small_system_is_composed() {
    let mutex = "property p: mcf [true*] !(<work0> true && <work1> true);";
    let outcome = answer(stations(3, mutex));
    assert!(matches!(outcome.method, Method::Direct | Method::Compositional));
    assert_eq!(outcome.verdict, Truth::True);
}

#[test]
fn detail_that_does_not_matter_is_not_looked_at() {
    for (property, verdict) in [
        ("[true*] !(<work0> true && <work1> true)", Truth::True),
        ("<true*> (<work0> true && <work1> true)", Truth::False),
        ("[true*] <true*.work0> true", Truth::True),
    ] {
        let outcome = answer(stations(200, &format!("property p: mcf {property};")));
        assert_eq!((outcome.method, outcome.verdict), (Method::Refine, verdict), "{property}");
        let sizes = outcome.stats.abstract_states.unwrap();
        assert!(sizes.iter().all(|size| size.abstract_states <= 4), "{sizes:?}");
    }
}

/// Sixteen switches that know nothing of each other: more states than are composed without a second
/// thought, and nobody but the whole, or a product of all, can tell.
#[test]
fn a_large_system_runs_against_its_parts() {
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
        (format!("mu X. ({}) | <> X", all("off", " & ")), Truth::True),
        (format!("mu X. ({} & <on3> true) | <> X", all("off", " & ")), Truth::False),
    ] {
        let outcome = answer(format!("{text}property p: mu {property};"));
        assert_eq!(outcome.verdict, verdict, "{property}");
    }
}
