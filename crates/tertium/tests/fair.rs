//! Fairness of processes: which runs it leaves out, that its verdicts are certified, and what it does not go with.

use std::cell::Cell;
use std::fmt::Write;
use tertium::{Input, Logic, Model, Options, ProcessFairness, Property, Verdict, certify};
use testkit::{Rng, for_seeds};

const ONE_GOES_ON: &str = "byte x, y; active proctype A() { do :: x = 1 - x od }
    active proctype B() { y = 1 }";
const NOW_AND_THEN: &str = "byte x, y; active proctype A() { do :: x = 1 - x od }
    active proctype B() { x == 1 -> y = 1 }";
const FLIPPERS: &str = "MODULE main VAR a : process flips; b : process flips;
    MODULE flips VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x;";
const SEND: &str =
    "var x : 0..1 := 0; var y : bool := false; process P { while true do x := 1 - x od }
    process Q { assume x = 1; y := true }";
const TAKE: &str =
    "var x : 0..1 := 0; var y : bool := false; process P { while true do x := 1 - x od }
    process Q { skip; y := true }";
const STUCK: &str = "var x : 0..1 := 0; process P { x := any; assume x = 0 }";
const CLOCK: &str = "component Medium lts { init s; s: -send-> t; t: -deliver-> s -lose-> s; }
    component Clock lts { init c; c: -tick-> c; } system Medium || Clock;";

fn read(language: &str, text: &str, fairness: Option<ProcessFairness>) -> Model {
    let input = Input::new().text("model", text).language(language);
    let input = match fairness {
        Some(fairness) => input.process_fairness(fairness),
        None => input,
    };
    input.read().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const FAIRNESS: [Option<ProcessFairness>; 3] =
    [None, Some(ProcessFairness::Weak), Some(ProcessFairness::Strong)];

#[test]
fn runs_that_are_not_fair_do_not_count() {
    // By formula: what holds on all runs, on weakly fair and on strongly fair ones.
    let cases = [
        ("promela", ONE_GOES_ON, "F (y == 1)", [false, true, true]),
        ("promela", NOW_AND_THEN, "F (y == 1)", [false, false, true]),
        ("promela", NOW_AND_THEN, "G (y == 0)", [false, false, false]),
        ("smv", FLIPPERS, "G F a.x", [false, true, true]),
        ("smv", FLIPPERS, "F G a.x", [false, false, false]),
        ("while", TAKE, "F y", [false, true, true]),
        ("while", SEND, "F y", [false, false, true]),
        ("while", SEND, "G !y", [false, false, false]),
        ("while", STUCK, "G x = 0", [true, true, true]),
        ("tm", CLOCK, "G F tick", [false, true, true]),
        ("tm", CLOCK, "G F send", [false, true, true]),
        ("tm", CLOCK, "G F deliver", [false, false, false]),
    ];
    for (language, text, formula, expected) in cases {
        for (fairness, expected) in FAIRNESS.into_iter().zip(expected) {
            let model = read(language, text, fairness);
            let property = model.property(Logic::Ltl, formula).unwrap();
            for method in ["direct", "symbolic"] {
                let options = Options::default().method(method);
                let Ok(answer) = model.check(&property, &options) else {
                    assert!(language == "tm" && method == "symbolic", "{formula} by {method}");
                    continue;
                };
                let expected = if expected { Verdict::True } else { Verdict::False };
                assert_eq!(answer.verdict(), expected, "{formula} {fairness:?} by {method}");
            }
        }
    }
}

#[test]
fn a_certificate_is_about_the_fairness_that_it_was_made_with() {
    for (text, fairness) in
        [(ONE_GOES_ON, ProcessFairness::Weak), (NOW_AND_THEN, ProcessFairness::Strong)]
    {
        let text = format!("{text}\nltl p {{ <> (y == 1) }}");
        let fair = read("promela", &text, Some(fairness));
        let property = fair.property_named("p").unwrap();
        for method in ["direct", "symbolic"] {
            let options = Options::default().method(method);
            let answer = fair.check(property, &options).unwrap();
            assert_eq!(answer.verdict(), Verdict::True);
            let certificate = answer.certificate().expect("a certificate");
            assert!(certify(&fair, &certificate).unwrap().is_valid(), "{method}");
            let all = read("promela", &text, None);
            let refused = certify(&all, &certificate);
            assert!(!refused.is_ok_and(|found| found.is_valid()), "{method} without fairness");
        }
    }
}

#[test]
fn weak_fairness_is_for_branching_time_too() {
    let model = read("promela", ONE_GOES_ON, Some(ProcessFairness::Weak));
    let property = model.property(Logic::Ctl, "AF y == 1").unwrap();
    assert_eq!(model.check(&property, &Options::default()).unwrap().verdict(), Verdict::True);
    let model = read("promela", ONE_GOES_ON, Some(ProcessFairness::Strong));
    let property = model.property(Logic::Ctl, "AF y == 1").unwrap();
    let answer = model.check(&property, &Options::default()).unwrap();
    assert_eq!(answer.verdict(), Verdict::Unknown);
}

/// Two processes, as a while-program and in Promela.
fn two_processes(rng: &mut Rng) -> [String; 2] {
    let [mut program, mut promela] =
        ["var a, b : bool := false;\n".to_owned(), "bool a, b;\n".to_owned()];
    for name in ["P", "Q"] {
        let (mut commands, mut statements) = (Vec::new(), Vec::new());
        for _ in 0..rng.between(1, 3) {
            if rng.chance(0.6) {
                let condition = *rng.pick(&["a", "!a", "b", "!b"]);
                commands.push(format!("assume {condition}"));
                statements.push(condition.to_owned());
            }
            let (variable, value) = (*rng.pick(&["a", "b"]), *rng.pick(&["true", "false", "!a"]));
            commands.push(format!("{variable} := {value}"));
            statements.push(format!("{variable} = {value}"));
        }
        let [commands, statements] = [commands, statements].map(|all| all.join("; "));
        let (begin, end) = *rng.pick(&[(["while true do ", "do :: "], " od"), (["", ""], "")]);
        writeln!(program, "process {name} {{ {}{commands}{end} }}", begin[0]).unwrap();
        writeln!(promela, "active proctype {name}() {{ {}{statements}{end} }}", begin[1]).unwrap();
    }
    [program, promela]
}

/// As in Promela, if no run ends where a process waits: there Promela's last state repeats.
#[test]
fn fairness_in_programs_is_that_of_promela() {
    let compared = Cell::new([0; 2]);
    for_seeds("fair-programs", 0..200, |rng, case| {
        let [program, promela] = two_processes(rng);
        let formula = *rng.pick(&["G F a", "F G a", "F (a & b)", "G F (a & !b)", "G (a -> F b)"]);
        let fairness = *rng.pick(&FAIRNESS[1..]);
        case.note(format!("{program}{promela}{formula} {fairness:?}"));
        let goes_on = read("while", &program, None);
        let blocks = goes_on.property(Logic::Ctl, "AG EX true").map_err(|e| e.to_string())?;
        let verdict = |model: &Model, property: &Property, method: &str| {
            let answer = model.check(property, &Options::default().method(method));
            answer.map(|answer| answer.verdict()).map_err(|error| error.to_string())
        };
        if verdict(&goes_on, &blocks, "direct")? == Verdict::False {
            return Ok(());
        }
        let of = |language, text, method| {
            let model = read(language, text, fairness);
            let property = model.property(Logic::Ltl, formula).map_err(|e| e.to_string())?;
            verdict(&model, &property, method)
        };
        let expected = of("promela", &promela, "direct")?;
        for method in ["direct", "symbolic"] {
            let found = of("while", &program, method)?;
            if found != expected {
                return Err(format!("{found} by {method}, {expected} in Promela"));
            }
        }
        let mut counts = compared.get();
        counts[usize::from(expected == Verdict::True)] += 1;
        compared.set(counts);
        Ok(())
    });
    println!("false, true: {:?}", compared.get());
    assert!(compared.get().iter().all(|&count| count > 10), "{:?}", compared.get());
}

#[test]
fn fair_runs_of_programs_are_infinite() {
    let of = |text, formula: &str, fairness| {
        let model = read("while", text, fairness);
        let property = model.property(Logic::Ctl, formula).unwrap();
        let methods = ["direct", "symbolic", "auto"];
        let verdict = |method| {
            let answer = model.check(&property, &Options::default().method(method).evidence(true));
            let answer = answer.unwrap();
            let audit = answer.audit().unwrap();
            assert_eq!(audit.is_some_and(|audit| audit.is_valid()), answer.verdict().is_definite());
            answer.verdict()
        };
        let [first, second, third] = methods.map(verdict);
        assert!(first == second && second == third, "{formula} of {text}");
        first
    };
    let weak = Some(ProcessFairness::Weak);
    assert_eq!(of(TAKE, "AF y", None), Verdict::False);
    assert_eq!(of(TAKE, "AF y", weak), Verdict::True);
    assert_eq!(of(TAKE, "AF y", Some(ProcessFairness::Strong)), Verdict::Unknown);
    // Runs to where x is 1 end there.
    assert_eq!(of(STUCK, "EF x = 1", None), Verdict::True);
    assert_eq!(of(STUCK, "EF x = 1", weak), Verdict::False);
}

#[test]
fn fairness_of_programs_over_integers_is_refused() {
    let text = "var x : int := 0; process P { x := 1 }";
    let input = Input::new().text("model", text).language("while");
    let error = input.process_fairness(ProcessFairness::Weak).read().err().unwrap().to_string();
    assert!(error.contains("not supported over integers"), "{error}");
}

#[test]
fn models_without_processes_are_refused() {
    let without = [
        ("smv", "MODULE main VAR x : boolean;"),
        ("while", "var x : 0..3; x := 1"),
        ("tm", "component A kripke { props p; init s; s: {p} -> s; }"),
    ];
    for (language, text) in without {
        let input = Input::new().text("model", text).language(language);
        let error = input.process_fairness(ProcessFairness::Weak).read();
        let error = error.err().unwrap_or_else(|| panic!("{language} was read")).to_string();
        assert!(error.contains("fairness"), "{error}");
    }
}
