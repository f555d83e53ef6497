//! Every route of the explorer on every language.

use crate::client::{Server, example, file};
use serde_json::{Value, json};

/// An Aldebaran file and a file with a property, as the command line would take them.
fn network() -> Vec<String> {
    let aut = "des (0, 3, 2)\n(0, \"coin\", 1)\n(1, \"tea\", 0)\n(1, \"coffee\", 0)\n";
    let property = "property served: mu nu Z. [] Z & <> true;\n";
    vec![file("machine.aut", aut), file("served.tm", property)]
}

fn every_language() -> Vec<Vec<String>> {
    let examples = [
        "mutex.tm",
        "arbiter.tm",
        "c-4.9.tm",
        "x-m1.tm",
        "x-g1.tm",
        "vending.tm",
        "mixed/blocks.tm",
        "families/token-ring.tm",
        "peterson.smv",
        "printer.smv",
        "promela/peterson.pml",
        "promela/handshake.pml",
        "while/mutex.while",
        "while/division.while",
    ];
    let mut all: Vec<Vec<String>> = examples.iter().map(|name| vec![example(name)]).collect();
    all.push(network());
    all
}

#[test]
fn every_route_on_every_language() {
    for files in every_language() {
        let compose = (files.len() > 1).then_some("--compose");
        let names: Vec<&str> = files.iter().map(String::as_str).chain(compose).collect();
        let server = Server::start(&names);
        let session = server.ask("GET /api/session", "").good();
        assert_eq!(session["files"].as_array().map(Vec::len), Some(files.len()));
        let read = server.post("/api/read", &json!({"texts": {}})).good();
        assert_eq!(read["reads"], true, "{files:?} {read}");
        let outline = &read["outline"];
        let property = outline["properties"][0]["name"].as_str().expect("a property");
        look_at_states(&server, &outline["components"]);
        look_at_games(&server, property);
        walk(&server, property, &outline["components"]);
        explain(&server, property);
    }
}

#[test]
fn processes_and_instances_of_modules_have_graphs_of_their_own() {
    let text = "byte turns; active [2] proctype P() { byte own = 0; own = 1; turns++; own = 0 }\n";
    let cases = [
        (file("two.pml", text), vec!["P[0]", "P[1]"], "P[1]", "P[1]=", 4, 3),
        (example("peterson.smv"), vec!["main alone", "left", "right"], "left", "left.at=", 4, 4),
    ];
    for (file, parts, part, start, states, transitions) in cases {
        let server = Server::start(&[&file]);
        let read = server.post("/api/read", &json!({"texts": {}})).good();
        assert_eq!(read["outline"]["parts"], json!(parts), "{read}");
        let graph = server.post("/api/component", &json!({"texts": {}, "component": part})).good();
        assert_eq!(
            (&graph["states"], &graph["transitions"]),
            (&json!(states), &json!(transitions)),
            "{graph}"
        );
        let nodes = graph["nodes"].as_array().expect("nodes");
        let starts =
            |node: &Value| node["name"].as_str().is_some_and(|name| name.starts_with(start));
        assert!(nodes.iter().all(starts), "{graph}");
        assert_eq!(nodes.iter().filter(|node| node["initial"] == true).count(), 1, "{graph}");
        let edges = graph["edges"].as_array().expect("edges");
        assert!(edges.iter().all(|edge| edge["may"] == true && edge["must"] == false), "{graph}");
        let search = json!({"texts": {}, "component": part, "query": start, "limit": 10});
        let found = server.post("/api/states", &search).good();
        assert_eq!(found["total"], states, "{found}");
    }
    let server = Server::start(&[&example("mutex.tm")]);
    let read = server.post("/api/read", &json!({"texts": {}})).good();
    assert_eq!(read["outline"]["parts"], json!([]));
}

fn look_at_states(server: &Server, components: &Value) {
    let components = components.as_array().expect("components");
    let names = components.iter().map(|component| component["name"].clone());
    for name in names.chain([Value::Null]) {
        let question = json!({"texts": {}, "component": name, "limit": 40});
        let graph = server.post("/api/component", &question).good();
        let nodes = graph["nodes"].as_array().expect("nodes");
        assert!(!nodes.is_empty() && nodes.len() <= 40, "{name}");
        assert_eq!(graph["complete"], nodes.len() as u64 == graph["states"], "{name}");
        assert!(nodes.iter().any(|node| node["initial"] == true), "{name}");
        let is_there = |id: &Value| nodes.iter().any(|node| node["id"] == *id);
        let edges = graph["edges"].as_array().expect("edges");
        assert!(edges.iter().all(|edge| is_there(&edge["from"]) && is_there(&edge["to"])));
        let (id, word) = (&nodes[0]["id"], &nodes[0]["name"]);
        let around = json!({"texts": {}, "component": name, "from": [id], "direction": "both"});
        let around = server.post("/api/component", &around).good();
        assert_eq!(around["nodes"][0]["id"], *id);
        let search = json!({"texts": {}, "component": name, "query": word, "limit": 1000});
        let found = server.post("/api/states", &search).good();
        let states = found["states"].as_array().expect("states");
        assert!(states.iter().any(|state| state["id"] == *id), "{name} {word}");
    }
}

/// Takes the first step, and comes to the same state again by its values.
fn walk(server: &Server, property: &str, components: &Value) {
    let ask = |from: &Value, path: &[usize]| {
        let question = json!({"texts": {}, "from": from, "path": path, "property": property});
        server.post("/api/walk", &question).good()
    };
    let nowhere = json!({});
    let begun = ask(&nowhere, &[]);
    let path: &[usize] = if begun["state"].is_null() { &[0, 0] } else { &[0] };
    let last = ask(&nowhere, &path[1..]);
    if last["choices"][0].is_null() {
        return;
    }
    let walked = ask(&nowhere, path);
    assert_eq!(walked["steps"].as_array().map(Vec::len), Some(1), "{walked}");
    assert_eq!(walked["steps"][0]["by"], last["choices"][0]["by"]);
    let pairs = |values: &Value| values.as_array().cloned().unwrap_or_default();
    let state = pairs(&walked["state"]);
    for changed in pairs(&walked["steps"][0]["changed"]) {
        assert!(state.contains(&changed), "{changed} {walked}");
    }
    let watched = pairs(&walked["watched"]);
    assert!(watched.iter().any(|one| one["formula"] == property), "{walked}");
    // Of a program over integers only a few values are tried.
    if components[0]["kind"] == "integers" {
        return;
    }
    let own = state.iter().filter_map(|pair| Some((pair[0].as_str()?.to_owned(), pair[1].clone())));
    let own = Value::Object(own.collect());
    let again = ask(&own, &[]);
    assert_eq!(again["state"], walked["state"], "{own}");
}

fn look_at_games(server: &Server, property: &str) {
    let question = json!({"texts": {}, "property": property});
    let games = server.post("/api/game", &question).good();
    let all = games["games"].as_array().expect("games");
    assert!(all.iter().any(|game| game["id"] == "w"), "{games}");
    let count = |value: &Value| value.as_u64().expect("a number") as usize;
    for game in all {
        let colours = &game["colours"];
        let sum: usize =
            ["true", "false", "unknown"].iter().map(|name| count(&colours[name])).sum();
        assert_eq!(sum, count(&game["nodes"]));
        let question =
            json!({"texts": {}, "property": property, "game": game["id"], "limit": 2000});
        let graph = server.post("/api/game/graph", &question).good();
        let nodes = graph["nodes"].as_array().expect("nodes");
        if sum <= 2000 {
            assert_eq!((nodes.len(), &graph["complete"]), (sum, &json!(true)));
            assert_eq!(graph["edges"].as_array().map(Vec::len), Some(count(&game["edges"])));
            colours_are_right(&graph);
        }
        let one = json!({"texts": {}, "property": property, "game": game["id"], "limit": 1});
        let summed = server.post("/api/game/graph", &one).good();
        let groups = summed["groups"].as_array().expect("groups");
        let counted: usize = groups.iter().map(|group| count(&group["count"])).sum();
        assert!(sum <= 1 || counted == sum, "{summed}");
        let list = json!({"texts": {}, "property": property, "game": game["id"], "limit": 3});
        let list = server.post("/api/game/nodes", &list).good();
        assert_eq!(count(&list["total"]), sum);
    }
}

/// A node without a choice, or with successors that leave none, has the colour that they give it. This holds for must
/// and may alike: a definite colour needs what the player has for certain.
fn colours_are_right(graph: &Value) {
    let nodes = graph["nodes"].as_array().expect("nodes");
    let edges = graph["edges"].as_array().expect("edges");
    for node in nodes {
        let successors: Vec<(&Value, bool)> = edges
            .iter()
            .filter(|edge| edge["from"] == node["id"])
            .map(|edge| {
                let successor =
                    nodes.iter().find(|other| other["id"] == edge["to"]).expect("a node");
                (&successor["colour"], edge["must"] == true)
            })
            .collect();
        let has = |colour: &str, certainly: bool| {
            successors.iter().any(|&(successor, must)| *successor == colour && (must || !certainly))
        };
        match (node["owner"].as_str(), node["colour"].as_str()) {
            (Some("verifier"), Some("false")) => assert!(!has("true", true), "{node}"),
            (Some("verifier"), Some("unknown")) => assert!(!has("true", true), "{node}"),
            (Some("falsifier"), Some("true" | "unknown")) => assert!(!has("false", true), "{node}"),
            _ => {}
        }
        if node["frontier"] == true {
            assert_ne!(node["colour"], "unknown");
        }
    }
}

fn explain(server: &Server, property: &str) {
    let question = json!({"texts": {}, "property": property});
    let reported = server.post("/api/explain", &question).good();
    match reported["shape"].as_str() {
        Some("graph") => {
            let parts = reported["subformulas"].as_array().expect("parts");
            for node in reported["nodes"].as_array().expect("nodes") {
                let part = parts.iter().find(|part| part["subformula"] == node["subformula"]);
                assert!(part.is_some(), "{node} {parts:?}");
            }
            parts_are_where_they_say(&reported);
        }
        Some("trace") => assert!(reported["steps"].is_array()),
        other => panic!("{other:?}"),
    }
    for form in ["html", "svg", "dot", "json", "text"] {
        let mut question = question.clone();
        question["form"] = json!(form);
        // Of programs that are explained by runs not all can be drawn, so by states.
        question["method"] = json!("direct");
        let export = server.post("/api/export", &question);
        assert_eq!(export.status, 200, "{form} {}", String::from_utf8_lossy(&export.body));
        assert_eq!(export.header("content-type"), Some("text/plain; charset=utf-8"));
        let name = export.header("content-disposition").expect("a name");
        let ending = if form == "text" { "txt" } else { form };
        assert!(name.ends_with(&format!(".{ending}\"")), "{name}");
        assert!(!export.body.is_empty());
    }
}

fn parts_are_where_they_say(reported: &Value) {
    let formula: Vec<u16> =
        reported["formula"].as_str().unwrap_or_default().encode_utf16().collect();
    for part in reported["subformulas"].as_array().expect("parts") {
        let (Some(from), Some(to)) = (part["from"].as_u64(), part["to"].as_u64()) else { continue };
        let there = String::from_utf16_lossy(&formula[from as usize..to as usize]);
        let shown = part["subformula"].as_str().expect("a text");
        let negated = part["negated"] == true;
        assert!(if negated { shown.contains(&there) } else { shown == there }, "{part} {there}");
    }
}

#[test]
fn an_error_is_underlined_where_it_is() {
    let name = example("mutex.tm");
    let server = Server::start(&[&name]);
    let text = std::fs::read_to_string(&name).expect("it is there");
    let text = format!("// 😀\n{}", text.replace("-> in1, first1", "-> in1, frist1"));
    let read = server.post("/api/read", &json!({"texts": {name.clone(): text}})).good();
    assert_eq!((&read["reads"], &read["outline"]), (&json!(false), &Value::Null));
    let diagnostic = &read["diagnostics"][0];
    assert_eq!(diagnostic["message"], "unknown state `frist1`");
    assert_eq!(diagnostic["help"], "did you mean `first1`?");
    let label = &diagnostic["labels"][0];
    let units: Vec<u16> = text.encode_utf16().collect();
    let range =
        label["from"].as_u64().expect("from") as usize..label["to"].as_u64().expect("to") as usize;
    assert_eq!(String::from_utf16_lossy(&units[range]), "frist1");
    assert_eq!(
        (&label["file"], &label["line"], &label["column"]),
        (&json!(name), &json!(15), &json!(28))
    );
    let property = text.replace("frist1", "first1").replace("AG !(c1 & c2)", "AG !(c1 & c3)");
    let read = server.post("/api/read", &json!({"texts": {name: property}})).good();
    assert!(!read["diagnostics"].as_array().expect("a list").is_empty(), "{read}");
}

#[test]
fn unreadable_texts_of_every_language_have_diagnostics() {
    for files in every_language() {
        let compose = (files.len() > 1).then_some("--compose");
        let names: Vec<&str> = files.iter().map(String::as_str).chain(compose).collect();
        let server = Server::start(&names);
        for rubbish in
            ["{", "", "\u{0}\u{1b}[31m", "component A kripke { init", "MODULE main VAR x : ;", "😀"]
        {
            let read = server.post("/api/read", &json!({"texts": {names[0]: rubbish}})).good();
            assert_eq!(read["reads"], false, "{names:?} {rubbish:?}");
            assert_ne!(read["diagnostics"], json!([]), "{names:?} {rubbish:?}");
        }
        let question = json!({"texts": {names[0]: "{"}, "component": null});
        let answer = server.post("/api/component", &question);
        assert_eq!((answer.status, answer.kind_of_error()), (422, "text".to_owned()));
        let question = json!({"texts": {names[0]: "{"}, "property": "x"});
        for path in ["/api/game", "/api/explain"] {
            let answer = server.post(path, &question);
            assert_eq!((answer.status, answer.kind_of_error()), (422, "text".to_owned()), "{path}");
        }
    }
}

#[test]
fn unknown_names_are_errors() {
    let server = Server::start(&[&example("arbiter.tm")]);
    let property = "a grant can come";
    let questions = [
        ("/api/component", json!({"texts": {}, "component": "Cleint"})),
        ("/api/states", json!({"texts": {}, "component": "Cleint"})),
        ("/api/game", json!({"texts": {}, "property": "none"})),
        ("/api/game", json!({"texts": {}})),
        ("/api/game", json!({"texts": {}, "property": property, "deadlock": "none"})),
        ("/api/game/graph", json!({"texts": {}, "property": property, "game": "c9"})),
        (
            "/api/game/nodes",
            json!({"texts": {}, "property": property, "game": "w", "colour": "red"}),
        ),
        ("/api/explain", json!({"texts": {}, "property": "none"})),
    ];
    for (path, question) in questions {
        let answer = server.post(path, &question);
        assert_eq!((answer.status, answer.kind_of_error()), (422, "text".to_owned()), "{question}");
    }
    let answer = server.post("/api/component", &json!({"texts": {}, "component": "Cleint"})).json();
    assert_eq!(answer["error"]["help"], "did you mean `Client`?");
    let question = json!({"texts": {}, "property": property, "form": "exe"});
    assert_eq!(server.post("/api/export", &question).status, 400);
    let far = json!({"texts": {}, "component": "Client", "from": [4_000_000_000u32]});
    assert_eq!(server.post("/api/component", &far).good()["nodes"], json!([]));
}

/// Paper C's Figure 5: two components, what is in doubt in each, and the product of that.
#[test]
fn the_cause_on_two_components() {
    let server = Server::start(&[&example("arbiter.tm")]);
    let question = json!({"texts": {}, "property": "every request is granted"});
    let games = server.post("/api/game", &question).good();
    let all = games["games"].as_array().expect("games");
    let ids: Vec<&str> = all.iter().filter_map(|game| game["id"].as_str()).collect();
    assert_eq!(ids, ["c0", "c0?", "c1", "c1?", "p0", "p0?", "w", "w?"]);
    assert_eq!((&all[4]["of"], &all[5]["of"]), (&json!(["c0?", "c1?"]), &json!(["p0"])));
    assert!(all.iter().all(|game| game["verdict"] == "unknown"), "{games}");
    // What is unknown in the product is what is unknown in the composition (C Thm 4.8).
    assert_eq!(all[5]["colours"]["unknown"], all[7]["colours"]["unknown"]);
    let part = &games["subformulas"][0];
    assert!(part["text"].is_string() && part["kind"].is_string(), "{part}");
}

#[test]
fn what_is_over_integers_has_no_graph() {
    let text = "var x : int := 0;\nwhile x < 10 do x := x + 1 od\nproperty ends: ctl AG x <= 10;\n";
    let server = Server::start(&[&file("count.while", text)]);
    let read = server.post("/api/read", &json!({"texts": {}})).good();
    assert_eq!(read["outline"]["components"][0]["kind"], "integers");
    assert_eq!(read["outline"]["variables"], json!([{"name": "x", "values": "int"}]));
    let answer = server.post("/api/component", &json!({"texts": {}, "component": "main"}));
    assert_eq!((answer.status, answer.kind_of_error()), (422, "text".to_owned()));
}

/// Several questions about the same texts are answered by one child.
#[test]
fn questions_about_the_same_texts_share_a_child() {
    let name = example("mutex.tm");
    let server = Server::start(&[&name]);
    for _ in 0..3 {
        server.post("/api/component", &json!({"texts": {}, "component": "Mutex"})).good();
        server.post("/api/game", &json!({"texts": {}, "property": "never both"})).good();
    }
    assert_eq!(server.children().len(), 1);
    let text = std::fs::read_to_string(&name).expect("it is there");
    for number in 0..5 {
        let texts = json!({name.clone(): format!("{text}\n// {number}\n")});
        server.post("/api/component", &json!({"texts": texts, "component": null})).good();
    }
    crate::client::soon("two are kept", || server.children().len() == 2);
}
