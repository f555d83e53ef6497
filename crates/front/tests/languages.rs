//! The table of languages: endings, names, beginnings, and one way to read them all.

use front::{
    Form, GivenQuestion, LANGUAGES, Reading, SourceText, language_looking_like, language_named,
    language_of,
};
use logic::Logic;
use std::path::Path;
use support::{FileId, Monitor};

/// A small model of each language.
const TEXTS: [(&str, &str, &str); 5] = [
    ("tm", "x.tm", "component M kripke { props p; init s; s: {p} -> s; }\nproperty a: ctl AG p;"),
    ("aut", "x.aut", "des (0, 1, 1)\n(0, a, 0)\n"),
    ("smv", "x.smv", "MODULE main\nVAR p : boolean;\nSPEC AG p\n"),
    ("promela", "x.promela", "byte x; active proctype P() { x = 1 }"),
    ("while", "x.while", "var x : bool; x := true; fin"),
];

#[test]
fn every_language_is_found_by_name_ending_and_beginning() {
    assert_eq!(LANGUAGES.len(), TEXTS.len());
    for (name, path, text) in TEXTS {
        assert_eq!(language_of(Path::new(path)).unwrap().name(), name);
        assert_eq!(language_named(name).unwrap().name(), name);
        assert_eq!(language_looking_like(text.as_bytes()).name(), name);
    }
    for ending in ["pml", "prom", "promela", "PML"] {
        assert_eq!(language_of(Path::new(&format!("x.{ending}"))).unwrap().name(), "promela");
    }
    assert!(language_of(Path::new("x.txt")).is_none());
    assert!(language_named("c").is_none());
}

#[test]
fn every_language_is_read_alike() {
    for (name, path, text) in TEXTS {
        let source = SourceText::new(FileId(0), path, text);
        let language = language_named(name).unwrap();
        let monitor = Monitor::new();
        let document = language.read(&source, Reading::new(&monitor)).unwrap();
        let form = match document.form {
            Form::Components(Some(_)) => "components",
            Form::Machine(form) if form.is_sparse => "few states",
            Form::Machine(_) => "machine",
            Form::Program(form) => {
                assert!(!form.machine().unwrap().machine.vars.is_empty());
                "program"
            }
            _ => "another",
        };
        let wanted = match name {
            "smv" => "machine",
            "promela" => "few states",
            "while" => "program",
            _ => "components",
        };
        assert_eq!(form, wanted, "{name}");
        let asked = GivenQuestion { logic: Logic::Ctl, file: FileId(1), text: "AG true".into() };
        let asked = GivenQuestion {
            text: if name == "smv" { "AG TRUE".into() } else { asked.text },
            ..asked
        };
        let reading = Reading::new(&monitor).asking(std::slice::from_ref(&asked));
        let asked = language.read(&source, reading).unwrap().properties;
        assert_eq!(asked.len(), 1, "{name}");
        assert_eq!(asked[0].title().to_lowercase(), "ag true", "{name}");
        let wrong = SourceText::new(FileId(3), path, format!("{text}\n§"));
        let errors = language.read(&wrong, Reading::new(&monitor)).unwrap_err();
        let span = errors[0].labels[0].0;
        assert_eq!(span.file, FileId(3), "{name}");
        assert_eq!(&wrong.text[span.range()], "§", "{name}: {errors:?}");
    }
}

#[test]
fn unbounded_numbers_have_a_form_of_their_own() {
    let monitor = Monitor::new();
    for (name, text) in [
        (
            "smv",
            "MODULE main\nVAR x : integer;\nASSIGN init(x) := 0; next(x) := x + 1;\nSPEC AG x >= 0\n",
        ),
        ("while", "var x : int := 0; while true do x := x + 1 od property a: ctl AG x >= 0;"),
    ] {
        let source = SourceText::new(FileId(0), "x", text);
        let language = language_named(name).unwrap();
        let document = language.read(&source, Reading::new(&monitor)).unwrap();
        let Form::Integers(form) = &document.form else { panic!("{name}: {:?}", document.form) };
        assert_eq!(form.view.is_some(), name == "smv");
        let formula = form.formula(&document.properties[0], |surface, signature, fairness| {
            logic::compile_fair(surface, signature, fairness, &mut Vec::new())
        });
        assert!(formula.unwrap().is_some(), "{name}");
        let mut reading = Reading::new(&monitor);
        reading.numbers = front::Numbers::Finite;
        assert!(language.read(&source, reading).is_err(), "{name}");
    }
}

/// The beginning of a text of one language begins no text of the others.
#[test]
fn languages_begin_differently() {
    let like = |text: &str| language_looking_like(text.as_bytes()).name();
    for text in [
        "byte x;",
        "/* a\n comment */ // and another\n active proctype P() { skip }",
        "#define N 2\nbyte x;",
        "# define N 2",
        "init{ skip }",
    ] {
        assert_eq!(like(text), "promela", "{text}");
    }
    for text in ["var x : bool;", "// x\nproc p() { skip }"] {
        assert_eq!(like(text), "while", "{text}");
    }
    for text in ["MODULE main", "/-- byte --/ MODULE main", "\u{feff}-- x"] {
        assert_eq!(like(text), "smv", "{text}");
    }
    for text in [
        "",
        "component M kripke {}",
        "// byte\nsystem M;",
        "/* byte",
        "bytes x",
        "#",
        "variable",
        "property p: ctl true;",
    ] {
        assert_eq!(like(text), "tm", "{text}");
    }
}

/// Every name leads to its definition, and back.
#[test]
fn symbols_have_definitions_and_uses() {
    let cases = [
        (
            "tm",
            "component M mts { actions go; init s; s: -go-> t; t: ; }\nproperty a: mu <go> true;",
            "Component M | Action go 1 | State s 1 | State t 1 | Property a",
        ),
        (
            "tm",
            "component M kripke { props p; init s; s: {p} -> s; }\nproperty a: ctl AG p;",
            "Component M | Proposition p 2 | State s 2 | Property a",
        ),
        (
            "smv",
            "MODULE main\nVAR a : m(x); b : m(y); x : boolean; y : boolean;\nDEFINE d := x & a.v;\nSPEC AG d\n\
             MODULE m(i)\nVAR v : boolean;\nASSIGN next(v) := i;\n",
            "Module main | Component a 1 | Component b | Variable x 2 | Variable y 1 | Definition d 1 \
             | Module m 2 | Definition i 1 | Variable v 2",
        ),
        (
            "promela",
            "#define N 2\nmtype = { red };\nchan c = [N] of { mtype };\nproctype P(byte n) { c!red; n = N }\n\
             init { run P(1) }",
            "Macro N 2 | Constant red 1 | Channel c 1 | Process P 1 | Variable n 1 | Process init",
        ),
        (
            "while",
            "var x : 0..3; var m : {on, off};\nproc p(in a : 0..3) { x := a }\n\
             l: p(x); while m = on do m := off od; fin\nproperty q: ctl AG (at_l -> x = 0);",
            "Variable x 3 | Variable m 2 | Constant on 1 | Constant off 1 | Procedure p 1 | Variable a 1 \
             | Label l 1 | Property q",
        ),
    ];
    let monitor = Monitor::new();
    for (language, text, wanted) in cases {
        let source = SourceText::new(FileId(0), "x", text);
        let read = language_named(language).unwrap().read(&source, Reading::new(&monitor));
        let document = read.unwrap_or_else(|errors| panic!("{language}: {errors:#?}"));
        let shown = document.symbols.list().into_iter().map(|symbol| {
            let name = &text[symbol.definition.range()];
            for used in &symbol.uses {
                let there = &text[used.range()];
                assert!(
                    there == name || there == format!("at_{name}"),
                    "{language}: {there} {name}"
                );
            }
            let uses = match symbol.uses.len() {
                0 => String::new(),
                uses => format!(" {uses}"),
            };
            format!("{:?} {name}{uses}", symbol.kind)
        });
        assert_eq!(shown.collect::<Vec<_>>().join(" | "), wanted, "{language}");
    }
}
