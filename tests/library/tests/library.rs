//! The promises of the library: threads, cancelling, budgets, typed refusals, texts without files.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tertium::{Cancel, Deadlock, Error, Logic, Model, Options, Semantics, Unsupported, Verdict};

/// Counters that run together: many states, whatever the method.
fn counters(count: usize, bits: usize) -> String {
    let vars: Vec<String> =
        (0..count).map(|n| format!("  c{n} : 0..{};\n", (1 << bits) - 1)).collect();
    let next: Vec<String> = (0..count)
        .map(|n| {
            format!(
                "  next(c{n}) := {{c{n}, (c{n} + c{} + 1) mod {}}};\n",
                (n + 1) % count,
                1 << bits
            )
        })
        .collect();
    let zero: Vec<String> = (0..count).map(|n| format!("  init(c{n}) := 0;\n")).collect();
    format!(
        "MODULE main\nVAR\n{}ASSIGN\n{}{}SPEC AG EF (c0 = {} & c1 = 1)\n",
        vars.concat(),
        zero.concat(),
        next.concat(),
        (1 << bits) - 1
    )
}

/// Components that copy from each other.
fn network(count: usize) -> String {
    let mut text = String::new();
    for n in 0..count {
        let states: Vec<String> = (0..6)
            .map(|s| {
                format!(
                    "  s{s}: {{{}}} -> s{}, s{}, s{};\n",
                    if s == 5 { format!("p{n}") } else { String::new() },
                    (s + 1) % 6,
                    (s * 2 + 1) % 6,
                    (s + 3) % 6
                )
            })
            .collect();
        text += &format!(
            "component C{n} kripke {{\n  props p{n};\n  init s0;\n{}}}\n",
            states.concat()
        );
    }
    let names: Vec<String> = (0..count).map(|n| format!("C{n}")).collect();
    let all: Vec<String> = (0..count).map(|n| format!("p{n}")).collect();
    text + &format!(
        "system {};\nproperty p: ctl AG (EF ({}) | AX AF p0);\n",
        names.join(" || "),
        all.join(" & ")
    )
}

/// Nested loops whose variables depend on each other: large sets of valuations in every block.
fn program() -> String {
    let body = "while x < 255 do x := x + 1; y := {0, 1, x}; \
                while y > 0 do y := y - 1; z := {(y * x + w) mod 256, x}; w := {(w * z + y) mod 256, w} od od;\n\
                x := 0;\n";
    format!(
        "var w, x, y, z : 0..255 := 0;\n{}fin\nproperty p: ctl AG AF (x = 7 & z = 3 & w = 5);\n",
        body.repeat(12)
    )
}

const INTEGERS: &str = "var x, y, n : int;\nx := 0; y := 0;\nwhile x < n do x := x + 1; y := y + x od;\n\
                        while y > 0 do y := y - 3; n := n + y od;\nfin\n\
                        property p: ctl AF end;\nproperty q: ctl AG (x <= n | y >= 0);\n";

#[test]
fn a_check_is_cancelled_from_another_thread() {
    let models = [
        ("smv", counters(12, 6)),
        ("tm", network(9)),
        ("while", program()),
        ("while", INTEGERS.to_owned()),
    ];
    let (mut late, mut cancelled) = (Vec::new(), BTreeSet::new());
    for (language, text) in models {
        let model = Model::read(language, "model", &text).expect("it is read");
        for method in model.methods() {
            let cancel = Cancel::default();
            let options = Options::default().method(method).cancel(&cancel).states(usize::MAX);
            let property = &model.properties()[0];
            let pulled = std::thread::scope(|scope| {
                let checking = scope.spawn(|| model.check(property, &options));
                std::thread::sleep(Duration::from_millis(400));
                let pulled = Instant::now();
                cancel.cancel();
                match checking.join().expect("no panic") {
                    Ok(answer) if answer.verdict() == Verdict::Unknown => Some(pulled.elapsed()),
                    // It was decided before.
                    _ => None,
                }
            });
            let Some(pulled) = pulled else { continue };
            println!("{language} by {method}: cancelled after {pulled:?}");
            cancelled.insert(method);
            if pulled > Duration::from_millis(200) {
                late.push(format!("{language} by {method}: {pulled:?}"));
            }
        }
    }
    let all: BTreeSet<&str> = Options::methods().iter().map(|method| method.name).collect();
    assert_eq!(cancelled, all, "every method was cancelled while it checked something");
    assert!(late.is_empty(), "cancelled after more than 0.2 s: {late:?}");
}

#[test]
fn two_threads_check_one_model() {
    let text =
        std::fs::read_to_string(library::root().join("examples/mutex.tm")).expect("an example");
    for (language, text) in [("tm", text), ("smv", counters(3, 3)), ("while", "var x : 0..7 := 0; while x < 7 do x := x + 1 od; done: fin property p: ctl AF at_done;".to_owned())] {
        let model = Model::read(language, "model", &text).expect("it is read");
        for method in model.methods() {
            let options = Options::default().method(method);
            let check = || {
                let answers = model.check_all(model.properties(), &options, &());
                answers.map(|all| all.into_iter().flatten().map(|a| a.verdict()).collect::<Vec<_>>())
            };
            let alone = check().ok();
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(check)).collect();
                for thread in threads {
                    assert_eq!(thread.join().expect("no panic").ok(), alone, "{language} by {method}");
                }
            });
        }
    }
}

#[test]
fn two_checks_have_two_budgets() {
    let model = Model::read("smv", "model", &counters(4, 4)).expect("it is read");
    let property = &model.properties()[0];
    let narrow = Options::default().method("direct").states(usize::MAX).memory(1 << 18);
    let wide = Options::default().method("symbolic");
    std::thread::scope(|scope| {
        let narrow = scope.spawn(|| model.check(property, &narrow).expect("an answer").verdict());
        let wide = scope.spawn(|| model.check(property, &wide).expect("an answer").verdict());
        assert_eq!(narrow.join().expect("no panic"), Verdict::Unknown);
        assert_ne!(wide.join().expect("no panic"), Verdict::Unknown);
    });
}

/// Options that do not fit have their typed error, for every method.
#[test]
fn options_that_do_not_fit_are_refused() {
    let smv =
        Model::read("smv", "m.smv", "MODULE main VAR x : boolean; SPEC AG x\n").expect("read");
    let tm = Model::read(
        "tm",
        "m.tm",
        "component M kripke { props p; init s; s: {p} -> s; } property p: ctl AG p;",
    )
    .expect("read");
    let integers = Model::read("while", "m.while", INTEGERS).expect("read");
    let program =
        Model::read("while", "p.while", "var x : bool := false; x := true; fin property p: mu x;")
            .expect("read");
    let base = Options::default;
    let cases: Vec<(&Model, &str, Options)> = vec![
        (&tm, "direct", base().order(vec!["M".to_owned()])),
        (&tm, "symbolic", base().order(vec!["M".to_owned()])),
        (&tm, "compositional", base().values(true)),
        (&tm, "refine", base().values(true)),
        (&tm, "symbolic", base().values(true)),
        (&tm, "modular", base()),
        (&tm, "direct", base().partition("whole")),
        (&tm, "compositional", base().lazy(true)),
        (&tm, "compositional", base().components("auto")),
        (&tm, "direct", base().solver("z3")),
        (&smv, "direct", base().missing(vec!["a".to_owned()])),
        (&smv, "symbolic", base().deadlock(Deadlock::Stutter)),
        (&smv, "compositional", base().order(vec!["main".to_owned()])),
        (&smv, "modular", base()),
        (&smv, "refine", base().threads(2)),
        (&program, "modular", base()),
        (&integers, "direct", base()),
        (&integers, "refine", base().values(true)),
        (&integers, "refine", base().semantics(Semantics::Ris)),
        (&integers, "refine", base().deadlock(Deadlock::Error)),
        (&integers, "modular", base().threads(2)),
    ];
    for (model, method, options) in cases {
        let found = model.check(&model.properties()[0], &options.clone().method(method));
        let place = format!("{model:?} by {method}: {options:?}");
        match found {
            Err(Error::Unsupported(unsupported)) => {
                assert!(!unsupported.to_string().is_empty(), "{place}");
            }
            Err(error) => panic!("{place}: not typed: {error}"),
            Ok(answer) => panic!("{place}: {}", answer.verdict()),
        }
    }
    let unknown = Options::default().method("guess").validate();
    assert!(matches!(unknown, Err(Unsupported::Together { .. })), "{unknown:?}");
}

#[test]
fn texts_cannot_name_files_without_a_loader() {
    let error =
        Model::read("tm", "m.tm", "component A from \"a.tm\";").expect_err("there are no files");
    let found = error.diagnostics();
    assert!(found.messages.iter().any(|message| !message.labels.is_empty()), "{error}");
}

#[test]
fn formulas_are_asked_after_reading() {
    let model = Model::read(
        "smv",
        "m.smv",
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\n",
    )
    .expect("read");
    for (formula, verdict) in [("AG EF x = 3", Verdict::True), ("AG x < 3", Verdict::False)] {
        let property = model.property(Logic::Ctl, formula).expect("a formula");
        assert_eq!(
            model.check(&property, &Options::default()).expect("an answer").verdict(),
            verdict
        );
    }
    assert!(model.property(Logic::Ctl, "AG y").is_err());
}
