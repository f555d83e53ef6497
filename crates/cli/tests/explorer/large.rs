//! Games of a million nodes. These take a while, so they run only when they are asked for:
//! `cargo test --release -p tertium-cli --test explorer -- --ignored --nocapture`.

use crate::client::{Server, file};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Instant;

/// Memory limit of the server with all its children.
const MOST_BYTES: u64 = 500_000_000;

/// The most memory that a process has had, in bytes.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0)
        * 1024
}

fn peak_of_all(server: &Server) -> u64 {
    peak(server.id()) + server.children().into_iter().map(peak).sum::<u64>()
}

/// Opens the games of a property, and walks into each as the page does.
fn open(server: &Server, property: &str) -> Value {
    let began = Instant::now();
    let games = server.post("/api/game", &json!({"texts": {}, "property": property})).good();
    eprintln!("opened in {:.1} s, {} bytes", began.elapsed().as_secs_f64(), peak_of_all(server));
    for game in games["games"].as_array().expect("games") {
        let began = Instant::now();
        let question = json!({"texts": {}, "property": property, "game": game["id"]});
        let summed = server.post("/api/game/graph", &question).good();
        if let Some(first) = summed["groups"][0]["first"].as_u64() {
            let from = json!({"texts": {}, "property": property, "game": game["id"], "from": [first], "direction": "both"});
            assert_eq!(server.post("/api/game/graph", &from).good()["nodes"][0]["id"], first);
            let list = json!({"texts": {}, "property": property, "game": game["id"], "query": "9", "offset": 10});
            server.post("/api/game/nodes", &list).good();
        }
        let (id, nodes, edges) = (&game["id"], &game["nodes"], &game["edges"]);
        eprintln!("{id}: {nodes} nodes, {edges} edges, {:.1} s", began.elapsed().as_secs_f64());
    }
    games
}

fn million(games: &Value, id: &str) {
    let games = games["games"].as_array().expect("games");
    let game = games.iter().find(|game| game["id"] == id).expect("the game");
    assert!(game["nodes"].as_u64().is_some_and(|nodes| nodes >= 1_000_000), "{game}");
}

/// A ring with shortcuts, in which it is open whether one of the states is marked: one component with half a
/// million states.
#[test]
#[ignore = "takes a while"]
fn a_component_of_a_million_nodes() {
    let states = 350_000;
    let mut text = String::from("component Ring kmts {\n  props p;\n  init s0;\n");
    for state in 0..states {
        let label = if state == states - 1 { "" } else { "!p" };
        let (next, far) = ((state + 1) % states, (state * 7 + 3) % states);
        writeln!(text, "  s{state}: {{{label}}} -> s{next} ?> s{far};").expect("memory");
    }
    text.push_str("}\nproperty reached: ctl EF p;\nproperty always: ctl AG EF p;\n");
    let server = Server::start(&[&file("ring.tm", &text)]);
    million(&open(&server, "reached"), "w");
    let bytes = peak_of_all(&server);
    eprintln!("at most {bytes} bytes");
    assert!(bytes < MOST_BYTES, "{bytes}");
}

/// Ten to the power of nine states are not listed: they are too many, or take too long.
#[test]
#[ignore = "takes a while"]
fn too_many_states_are_not_listed() {
    let mut text = String::new();
    for part in 0..9 {
        write!(text, "component C{part} lts {{ actions t{part}; init s0;").expect("memory");
        for state in 0..10 {
            write!(text, " s{state}: -t{part}-> s{};", (state + 1) % 10).expect("memory");
        }
        text.push_str(" }\n");
    }
    text.push_str("system C0 || C1 || C2 || C3 || C4 || C5 || C6 || C7 || C8;\n");
    let server = Server::start(&[&file("many.tm", &text)]);
    let answer = server.post("/api/component", &json!({"texts": {}, "component": null}));
    assert_eq!((answer.status, answer.kind_of_error()), (422, "limit".to_owned()));
    // The next question is answered all the same.
    server.post("/api/component", &json!({"texts": {}, "component": "C3"})).good();
}

/// Three counters with an unknown fourth: components that are small, and a composition that is not.
#[test]
#[ignore = "takes a while"]
fn a_product_of_a_million_nodes() {
    let (count, size) = (3, 70);
    let mut text = String::new();
    for part in 0..count {
        write!(text, "component C{part} kmts {{ props p{part}; init s0;").expect("memory");
        for state in 0..size {
            let label = if state + 1 == size { format!("p{part}") } else { format!("!p{part}") };
            write!(text, " s{state}: {{{label}}} -> s{state} ?> s{};", (state + 1) % size)
                .expect("memory");
        }
        text.push_str(" }\n");
    }
    text.push_str("system C0 || C1 || C2;\nproperty all: ctl EF (p0 & p1 & p2);\n");
    let server = Server::start(&[&file("counters.tm", &text)]);
    million(&open(&server, "all"), "w");
    let bytes = peak_of_all(&server);
    eprintln!("at most {bytes} bytes");
    assert!(bytes < MOST_BYTES, "{bytes}");
}
