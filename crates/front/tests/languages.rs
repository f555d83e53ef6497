//! The table of languages: endings, names, beginnings, and one way to read them all.

use front::document::{Form, GivenQuestion};
use front::{LANGUAGES, Reading, Source, language_looking_like, language_named, language_of};
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
fn every_language_is_read_in_one_way() {
    for (name, path, text) in TEXTS {
        let source = Source::new(FileId(0), path, text);
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
        let wrong = Source::new(FileId(3), path, format!("{text}\n§"));
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
        let source = Source::new(FileId(0), "x", text);
        let language = language_named(name).unwrap();
        let document = language.read(&source, Reading::new(&monitor)).unwrap();
        let Form::Integers(form) = &document.form else { panic!("{name}: {:?}", document.form) };
        assert_eq!(form.view.is_some(), name == "smv");
        assert!(form.formula(0, &document.properties[0]).unwrap().is_some(), "{name}");
        let mut reading = Reading::new(&monitor);
        reading.numbers = front::Numbers::Finite;
        assert!(language.read(&source, reading).is_err(), "{name}");
    }
}

/// What a text of one language begins with begins no text of the others.
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
