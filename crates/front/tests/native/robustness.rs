//! No text makes a parser panic, overflow the stack or lose its way.

use crate::generate::formulas;
use crate::round_trip::describe;
use crate::support::{compact, parse, read};
use crate::sync_files::read_steps;
use front::write_tm;
use logic::{Family, Logic, Signature, compile};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use support::Interner;

const LOGICS: [Logic; 5] = Logic::ALL;

/// Every parser on every text: a value, or at least one error, and places that can be shown.
fn feed(text: &str) {
    for logic in LOGICS {
        if let Err(errors) = parse(logic, text) {
            assert!(errors.iter().any(|error| error.is_error()), "{text:?}");
            compact(text, &errors);
        }
    }
    if let Err(errors) = read_steps(text) {
        assert!(errors.iter().any(|error| error.is_error()), "{text:?}");
        compact(text, &errors);
    }
    match read(text) {
        Err(errors) => {
            assert!(errors.iter().any(|error| error.is_error()), "{text:?}");
            compact(text, &errors);
        }
        Ok(document) => {
            compact(text, &document.warnings);
            let Some(system) = document.system else { return };
            let written = write_tm(&system, &document.safeties, &document.properties);
            let again =
                read(&written).unwrap_or_else(|e| panic!("{written}\n{}", compact(&written, &e)));
            assert_eq!(describe(&again.system.expect("as before")), describe(&system), "{written}");
        }
    }
}

const SEED: &str = "// all there is\ncomponent M1 kripke { props r, o; init s0; s0: {} -> s1;
  s1: {r} -> s1, s2; s2: {r, !o} -> s0; }\ncomponent M2 gkmts { props r, i; init t0;
  t0: {!r, !i} -> t1 ?> t2; t1: {r, i?} !> {t1, t2} -> t1 ?> t0; t2: {r, !i} -> t0 ?> t1;
  covers t1: t2, ...; }\ncomponent U unknown { props i; init {!i}; }\nsystem M1 || M2 || U;
property \"input\": mu nu Z. [] (!i | <> o) & Z;\nproperty safe: ctl AG !(i & A[o U r]);\n";

const ACTION_SEED: &str = "component A lts { actions send, x; init s; s: -send-> s -tau-> t; t: ; }
component B mts { init s, t; s: -recv?> s; t: -\"b c\"-> s; }\ncomponent C from \"ok.aut\";
component D unknown { actions a; }\nsafety S lts { actions a; init s; s: -a-> s; }
system A || B || C || D sync { A:send | B:recv -> comm; } hide { x };
property p: mcf [true*.send(1)|b]<a+b.c+>true && mu X. <a>X;\nproperty q: mu <a|!b>true;\n";

pub const TEMPLATE_SEED: &str = "const N = 2; component A(i in 0..N-1, c in {u, v}) mts { var x, y[k in 0..1] : 0..2 := 0;
  input b : bool; init s when i = 0, t[1] when i > 0; s: when x < 2 & !b -send[i][n in 0..1]?> t[n] do x := x + 1,
  y[n] := any, s -tau-> s; t[n in 0..1]: when y[n] = (x - i) % 3 -\"b c\"[c]-> s do x := 0; }
component P kripke { props p, q[n in 0..1]; var p : bool; init s; s: {q[0] when p, q[1]} -> s do p := !p; }
system i in 0..1: A(i, u) || A(0, v) || A(1, v) as D [send[1][0] -> x] sync { i in 0..1: A(i, u):send[i][0] |
  D:x -> m[i]; } hide { m[j in 0..1] }; fair i in 0..1: A(i, u):send[i][n in 0..1];
property p(i in 0..1): mcf [true*.m[i]]<send[i][1]>true;";

const SYNC_SEED: &str = "sync { A:send | \"b-2\":recv -> comm; A:x -> y; } hide { x, comm }";

const CHUNKS: [&str; 80] = [
    "const",
    "var",
    "input",
    "when",
    "do",
    "in",
    "as",
    "any",
    ":=",
    "..",
    "%",
    "component",
    "system",
    "safety",
    "property",
    "props",
    "actions",
    "init",
    "covers",
    "kripke",
    "kmts",
    "mixts",
    "gkmts",
    "lts",
    "mts",
    "unknown",
    "from",
    "sync",
    "hide",
    "mu",
    "nu",
    "ctl",
    "mcf",
    "true",
    "false",
    "and",
    "or",
    "not",
    "AX",
    "A[",
    "U",
    "forall",
    "val",
    "nil",
    "box",
    "a",
    "b",
    "s0",
    "p",
    "Z",
    "1",
    "\"x\"",
    "\"",
    "/*",
    "//",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    ".",
    "...",
    "!",
    "?",
    "&",
    "|",
    "||",
    "->",
    "?>",
    "!>",
    "<->",
    "-",
    "+",
    "*",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn arbitrary_text(text in any::<String>()) {
        feed(&text);
    }

    #[test]
    fn soups_of_tokens(chunks in prop::collection::vec((select(&CHUNKS[..]), select(&["", " ", "\n"][..])), 0..60)) {
        let text: String = chunks.iter().map(|(chunk, space)| format!("{chunk}{space}")).collect();
        feed(&text);
        feed(&format!("component M kmts {{ {text}"));
        feed(&format!("sync {{ {text}"));
        feed(&format!("property p: mu {text}"));
    }

    #[test]
    fn mutated_files(
        seed in select(&[SEED, ACTION_SEED, TEMPLATE_SEED, SYNC_SEED][..]),
        changes in prop::collection::vec((any::<Index>(), any::<Index>(), prop::option::of(select(&CHUNKS[..]))), 1..5),
    ) {
        let mut text = seed.to_owned();
        for (from, length, chunk) in changes {
            mutate(&mut text, from.index(1000), length.index(12), chunk.unwrap_or_default());
        }
        feed(&text);
    }

    #[test]
    fn mutated_formulas(
        text in formulas(Logic::Mcf, Family::Actions),
        from in any::<Index>(),
        chunk in select(&CHUNKS[..]),
    ) {
        let mut text = text;
        mutate(&mut text, from.index(1000), 2, chunk);
        feed(&text);
    }
}

/// Puts the piece in the place of some characters.
fn mutate(text: &mut String, from: usize, length: usize, chunk: &str) {
    let mut chars: Vec<char> = text.chars().collect();
    let from = from % (chars.len() + 1);
    let to = (from + length).min(chars.len());
    chars.splice(from..to, chunk.chars());
    *text = chars.into_iter().collect();
}

#[test]
fn the_seeds_are_valid() {
    for seed in [SEED, ACTION_SEED] {
        read(seed).unwrap_or_else(|errors| panic!("{}", compact(seed, &errors)));
        feed(seed);
    }
    read_steps(SYNC_SEED).unwrap_or_else(|errors| panic!("{}", compact(SYNC_SEED, &errors)));
}

/// On the stack that threads have, which is smaller than that of the main program.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    thread.expect("a thread").join().expect("no panic and no overflow");
}

const MANY: usize = 100_000;

#[test]
fn long_chains_are_read_and_translated() {
    let long = [
        (Logic::Mu, ["p"; MANY].join(" & ")),
        (Logic::Mu, ["p"; MANY].join(" -> ")),
        (Logic::Mu, ["p"; MANY].join("|")),
        (Logic::Mu, format!("{}p", "!".repeat(MANY))),
        (Logic::Mu, format!("{}p", "[]".repeat(MANY))),
        (Logic::Ctl, format!("{}p", "AX ".repeat(MANY))),
        (Logic::Mcf, format!("[{}]true", ["a"; MANY].join("."))),
        (Logic::Mcf, format!("[{}]true", ["a"; MANY].join("+"))),
        (Logic::Mcf, format!("[a{}]true", "*".repeat(MANY))),
        (Logic::Mcf, format!("[a{}]true", "+".repeat(MANY))),
        (Logic::Mu, format!("[{}a]true", "!".repeat(MANY))),
    ];
    on_a_small_stack(move || {
        for (logic, text) in long {
            let surface = parse(logic, &text).unwrap_or_else(|e| panic!("{}", compact(&text, &e)));
            let props = ["p"].into_iter().collect();
            let family = if text.contains('a') { Family::Actions } else { Family::Props };
            let signature = Signature { family, props: &props, actions: &[] };
            compile(&surface, &signature, &mut Vec::new()).expect("a closed formula");
        }
    });
}

/// A repetition is translated once, however it is nested.
#[test]
fn nested_repetitions_stay_small() {
    let text = format!("[{}a{}]false", "(".repeat(40), ".b)+".repeat(40));
    let surface = parse(Logic::Mcf, &text).unwrap();
    let props = Interner::new();
    let signature = Signature { family: Family::Actions, props: &props, actions: &[] };
    let formula = compile(&surface, &signature, &mut Vec::new()).unwrap();
    assert!(formula.len() < 400, "{} nodes", formula.len());
}

#[test]
fn many_actions_in_one_modality() {
    let names: Vec<String> = (0..20_000).map(|i| format!("a{i}")).collect();
    let surface = parse(Logic::Mu, &format!("[{}]true", names.join("|"))).unwrap();
    assert_eq!(surface.actions.len(), 20_000);
}

/// Each would take minutes if a name were looked up by walking through all of them.
#[test]
fn many_names_of_every_kind() {
    let names: Vec<String> = (0..MANY).map(|i| format!("a{i:06}")).collect();
    let list = names.join(", ");
    let states: String = names.iter().map(|name| format!("{name}: ;\n")).collect();
    let text = format!("component C kripke {{ init {list}, a000000;\n{states}}}");
    assert_eq!(read(&text).unwrap().system.unwrap().components[0].model.init().len(), MANY);

    let arrows: String = names.iter().map(|name| format!("-{name}-> s ")).collect();
    let text =
        format!("component C lts {{ init s; s: {arrows}; }} system C hide {{ {list}, strange }};");
    let document = read(&text).unwrap();
    assert_eq!(document.warnings.len(), 1);
    let actions = document.system.unwrap().actions();
    assert_eq!(actions, ["tau"]);

    let modalities: Vec<String> = names.iter().map(|name| format!("<{name}> true")).collect();
    let surface = parse(Logic::Mu, &modalities.join("|")).unwrap();
    let props = Interner::new();
    let signature = Signature { family: Family::Actions, props: &props, actions: &names };
    let mut warnings = Vec::new();
    assert_eq!(compile(&surface, &signature, &mut warnings).unwrap().action_sets().len(), MANY);
    assert!(warnings.is_empty());
    let signature = Signature { actions: &["b".repeat(5)], ..signature };
    compile(&surface, &signature, &mut warnings).unwrap();
    assert_eq!(warnings.len(), 100);

    let dotted = ["a"; MANY].join(".");
    read(&format!("not an item: {dotted}")).unwrap_err();
}

#[test]
fn deep_nesting_is_refused() {
    on_a_small_stack(|| {
        for (logic, open, body, close) in [
            (Logic::Mu, "(", "p", ")"),
            (Logic::Mu, "(", "p", ""),
            (Logic::Mu, "mu Z. ", "p", ""),
            (Logic::Mu, "[(", "a", ")]p"),
            (Logic::Mu, "[", "", ""),
            (Logic::Ctl, "A[p U ", "p", "]"),
            (Logic::Ctl, "A[", "p", " U p]"),
            (Logic::Mcf, "nu X. [a](", "X", ")"),
        ] {
            let text = format!("{}{body}{}", open.repeat(MANY), close.repeat(MANY));
            let errors = parse(logic, &text).expect_err("too deep");
            assert_eq!(errors.len(), 1, "{open}");
            feed(&text);
        }
        let text = format!("[{}a{}]true", "(".repeat(MANY), ")".repeat(MANY));
        let errors = parse(Logic::Mcf, &text).expect_err("too deep");
        assert!(errors[0].message.contains("nested more than"));
    });
}

#[test]
fn nesting_that_is_allowed_fits_the_stack() {
    on_a_small_stack(|| {
        let deep = |open: &str, body: &str, close: &str, levels| {
            format!("{}{body}{}", open.repeat(levels), close.repeat(levels))
        };
        for (logic, text) in [
            (Logic::Mu, deep("(", "p", ")", 500)),
            (Logic::Mu, deep("mu Z. ", "p", "", 500)),
            (Logic::Ctl, deep("A[p U !(", "p", ")]", 250)),
            (Logic::Mcf, format!("[{}]true", deep("((a.b+c)* + a.(", "a", ")+.b)*", 20))),
        ] {
            parse(logic, &text).unwrap_or_else(|errors| panic!("{}", compact(&text, &errors)));
        }
    });
}

#[test]
fn a_reading_that_is_stopped_has_no_errors() {
    let text: std::sync::Arc<str> = "component A kripke { init s; s: -> s; }".into();
    let monitor = support::Monitor::new();
    let read =
        || testkit::read_tm(support::FileId(0), &text, &monitor, &mut |_| Err(String::new()));
    assert!(read().is_ok());
    monitor.stop(support::StopReason::Timeout);
    assert!(read().is_err_and(|errors| errors.is_empty()));
}

#[test]
fn large_files_of_every_shape() {
    on_a_small_stack(|| {
        let components: Vec<String> = (0..5_000).map(|i| format!("C{i}")).collect();
        let mut text = String::new();
        for name in &components {
            text += &format!("component {name} kripke {{ props p; init s; s: {{p}} -> s; }}\n");
        }
        text += &format!("system {};", components.join(" || "));
        assert_eq!(read(&text).unwrap().system.unwrap().components.len(), 5_000);
        let nonsense = "} { ; : component ".repeat(20_000);
        assert!(read(&nonsense).unwrap_err().len() <= 101);
        let long_name = format!("component {}", "a.".repeat(MANY));
        read(&long_name).unwrap_err();
        feed(&"/*".repeat(MANY));
        feed(&"\"\n".repeat(1_000));
    });
}
