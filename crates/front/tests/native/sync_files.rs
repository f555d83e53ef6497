//! Files of synchronisation vectors and hidden actions: what they mean, and every complaint.

use crate::support::{compact, read};
use front::read_sync;
use model::{Component, Sync, Vector};
use std::sync::Arc;
use support::{Diagnostic, FileId};

fn components() -> Vec<Component> {
    let text = "component A lts { init s; s: -send-> s -x-> s; }
                component B lts { init s; s: -recv-> s -x-> s; }
                system A || B;";
    let mut components = read(text).expect("a good text").system.expect("a system").components;
    components[1].model.name = "b-2".to_owned();
    components
}

pub fn read_steps(text: &str) -> Result<(Sync, Vec<Diagnostic>), Vec<Diagnostic>> {
    let shared: Arc<str> = text.into();
    read_sync(FileId(0), &shared, &components())
}

#[test]
fn vectors_and_hidden_actions_are_both_optional() {
    let vectors = vec![Vector {
        parts: vec![(0, "send".to_owned()), (1, "recv".to_owned())],
        result: "comm".to_owned(),
    }];
    let hidden = vec!["x".to_owned(), "comm".to_owned()];
    let cases = [
        ("sync { A:send | \"b-2\":recv -> comm; } hide { x, comm }", &vectors[..], &hidden[..]),
        (
            "// as above\nsync { A:send | \"b-2\":recv -> comm; }\nhide { x, comm };",
            &vectors,
            &hidden,
        ),
        ("sync { A:send | \"b-2\":recv -> comm; }", &vectors, &[]),
        ("hide { x }", &[], &hidden[..1]),
        ("sync { }", &[], &[]),
        ("/* nothing */", &[], &[]),
    ];
    for (text, vectors, hidden) in cases {
        let (sync, warnings) = read_steps(text).unwrap_or_else(|e| panic!("{}", compact(text, &e)));
        assert_eq!((&*sync.vectors, &*sync.hidden), (vectors, hidden), "{text}");
        assert_eq!(compact(text, &warnings), "", "{text}");
    }
}

#[test]
fn complaints_are_those_of_a_system() {
    const HELP: &str = "the file holds `sync { A:send | B:recv -> comm; }`, then `hide { x, y }`";
    let cases = [
        (
            "sync { A:send | C:recv -> comm; }",
            "1:17 unknown component `C` in a vector | no part of this system | its parts are `A`, `b-2`"
                .to_owned(),
        ),
        (
            "sync { A:sned | \"b-2\":recv -> comm; }",
            "1:10 unknown action `sned` in a vector | `A` never makes it | did you mean `send`?"
                .to_owned(),
        ),
        (
            "sync { A:forward | \"b-2\":recv -> comm; }",
            "1:10 unknown action `forward` in a vector | `A` never makes it | the actions of `A` \
             are `send`, `x`"
                .to_owned(),
        ),
        (
            "hide { comm }",
            "1:8 warning: the hidden action `comm` never occurs | no component makes it".to_owned(),
        ),
        (
            "sinc { A:send -> comm; }",
            "1:1 expected `sync` or `hide`, found `sinc` | expected `sync` or `hide` | did you \
             mean `sync`?"
                .to_owned(),
        ),
        (
            "sync { A:send -> comm; } property p: mu true;",
            format!(
                "1:26 expected `hide` or the end of the file, found `property` | expected `hide` \
                 or the end of the file | {HELP}"
            ),
        ),
        (
            "hide { x } sync { A:send -> comm; }",
            format!(
                "1:12 expected the end of the file after `hide {{ … }}`, found `sync` | expected \
                 the end of the file after `hide {{ … }}` | {HELP}"
            ),
        ),
        (
            "sync { A:send | ",
            "1:16 expected a component or `}`, found the end of the file | expected a component or \
             `}`"
                .to_owned(),
        ),
    ];
    for (text, expected) in cases {
        let found = match read_steps(text) {
            Ok((_, warnings)) => warnings,
            Err(errors) => errors,
        };
        assert_eq!(compact(text, &found), expected, "{text}");
    }
}

#[test]
fn names_with_odd_characters_stand_in_quotes() {
    let cases = [
        ("sync { b-2:recv -> comm; }", "1:9 expected `:` and an action, found `-`", "b-2"),
        ("sync { 1.x:recv -> comm; }", "1:8 expected a component or `}`, found `1`", "1.x"),
        ("sync { A:send(1,2)->comm; }", "1:14 expected `|` or `->`, found `(`", "send(1,2)"),
        ("sync { A:a#b|B:x -> c; }", "1:11 expected `|` or `->`, found `#`", "a#b"),
        ("sync { A:send -> c'; }", "1:19 expected `;` after the vector, found `'`", "c'"),
        ("hide { x, y-z }", "1:12 expected `,` or `}` after the hidden action, found `-`", "y-z"),
    ];
    for (text, message, name) in cases {
        let reported = compact(text, &read_steps(text).expect_err(text));
        let help = format!("put the name in quotes: `\"{name}\"`");
        assert!(reported.starts_with(message) && reported.ends_with(&help), "{reported}");
    }
    let spaced = "sync { A/* the first */:send| \"b-2\":recv->comm; }";
    assert!(read_steps(spaced).is_ok());
}

/// In a `.tm` file a component is always a name.
#[test]
fn a_component_in_quotes_is_for_files_of_vectors_only() {
    let text = "component A lts { init s; s: -a-> s; } system A sync { \"A\":a -> b; };";
    assert!(read(text).is_err());
}
