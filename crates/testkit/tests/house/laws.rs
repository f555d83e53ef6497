//! The core does no input and no output: no files, no printing, no clocks, no serialisation below
//! `report` and `cli`.

use crate::{root, sources};

/// The library, its clients and what they print with. Everything below the library is core.
const OUTSIDE: [&str; 5] = ["cli", "explorer", "report", "tertium", "testkit"];

fn core() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("crates")).expect("the crates");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string());
    let names = names.map(|name| name.expect("a name in UTF-8"));
    names.filter(|name| !OUTSIDE.contains(&name.as_str())).collect()
}

const FORBIDDEN: [&str; 15] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "println!",
    "eprintln!",
    "print!(",
    "eprint!(",
    "io::stdin",
    "io::stdout",
    "io::stderr",
    "Instant::",
    "SystemTime",
    "serde",
    "dbg!",
];

fn breach(text: &str) -> Option<(usize, &'static str)> {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    text.lines().map(code).enumerate().find_map(|(number, line)| {
        let found = FORBIDDEN.into_iter().find(|word| line.contains(word))?;
        Some((number + 1, found))
    })
}

#[test]
fn the_core_does_no_input_and_no_output() {
    for name in core() {
        let sources = sources(&name);
        assert!(!sources.is_empty(), "no sources of `{name}`");
        for (path, text) in sources {
            if let Some((line, found)) = breach(&text) {
                panic!("{}:{line}: `{found}` in the core", path.display());
            }
        }
    }
}

#[test]
fn a_breach_is_seen_and_a_comment_is_none() {
    assert_eq!(breach("use support::Id;\nfn f() { println!(); }"), Some((2, "println!")));
    assert_eq!(breach("// std::fs would be wrong here"), None);
}
