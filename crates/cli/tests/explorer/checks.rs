//! Checks: what they tell, how they are ended, and that nothing of them is left.

use crate::client::{Server, example, file, soon};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Counters that run beside each other: ten to the power of `count` states.
fn counters(count: usize) -> String {
    let mut text = String::new();
    for counter in 0..count {
        write!(text, "component C{counter} lts {{ actions t{counter}; init s0;").expect("memory");
        for state in 0..10 {
            write!(text, " s{state}: -t{counter}-> s{};", (state + 1) % 10).expect("memory");
        }
        text.push_str(" }\n");
    }
    let names: Vec<String> = (0..count).map(|counter| format!("C{counter}")).collect();
    writeln!(text, "system {};", names.join(" || ")).expect("memory");
    text.push_str("property live: mu nu Z. <> true & [] Z;\nproperty first: mu <t0> true;\n");
    text
}

fn names(events: &[Value]) -> Vec<&str> {
    let names = events.iter().filter_map(|event| event["event"].as_str());
    names.filter(|name| *name != "progress").collect()
}

fn long_question() -> Value {
    json!({"texts": {}, "method": "direct", "properties": ["live"], "timeout": 300})
}

#[test]
fn a_check_tells_what_it_does() {
    let server = Server::start(&[&example("arbiter.tm")]);
    let events = server.events(&json!({"texts": {}, "method": "compositional"}));
    let expected = ["started", "plan", "answer", "answer", "answer", "answer", "end"];
    assert_eq!(names(&events), expected);
    let plan = events.iter().find(|event| event["event"] == "plan").expect("a plan");
    assert_eq!(
        plan["properties"][2],
        json!({"name": "a grant can come", "logic": "ctl", "formula": "EF gnt"})
    );
    let verdicts: Vec<&Value> =
        events.iter().map(|event| &event["answer"]["verdict"]).filter(|v| !v.is_null()).collect();
    assert_eq!(verdicts, ["true", "false", "unknown", "unknown"]);
    let end = events.last().expect("an end");
    assert_eq!((&end["status"], &end["cancelled"]), (&json!(1), &json!(false)));
    let one = json!({"texts": {}, "properties": ["a grant can come"]});
    assert_eq!(names(&server.events(&one)), ["started", "plan", "answer", "end"]);
    let asked = json!({"texts": {}, "formulas": [{"logic": "ctl", "text": "AG (gnt -> req)"}]});
    let events = server.events(&asked);
    assert!(events.iter().any(|event| event["answer"]["verdict"] == "true"), "{events:?}");
}

#[test]
fn an_unknown_comes_with_the_facts_that_would_decide_it() {
    let server = Server::start(&[&example("arbiter.tm")]);
    let ask = |causes: Value| {
        let asked = json!({"texts": {}, "properties": ["a grant can come"], "causes": causes});
        let events = server.events(&asked);
        let mut answers = events.iter().filter(|event| event["event"] == "answer");
        answers.next().expect("an answer")["answer"]["causes"].clone()
    };
    assert_eq!(ask(Value::Null), Value::Null);
    let causes = ask(json!(4));
    let verdicts: Vec<&Value> = causes.as_array().unwrap().iter().map(|c| &c["verdict"]).collect();
    assert!(verdicts.contains(&&json!("true")) && verdicts.contains(&&json!("false")), "{causes}");
    assert!(causes[0]["facts"][0]["component"].is_string(), "{causes}");
}

#[test]
fn the_rounds_of_a_refinement_are_reported() {
    let server = Server::start(&[&example("c-5.11-1.tm")]);
    let events = server.events(&json!({"texts": {}, "method": "refine"}));
    let rounds: Vec<&Value> = events.iter().filter(|event| event["event"] == "round").collect();
    assert_eq!(rounds.len(), 4);
    assert_eq!(rounds[0]["round"]["change"]["kind"], "split");
    assert_eq!(rounds[0]["property"], "input is answered");
    assert!(rounds[0]["text"].as_str().is_some_and(|text| text.starts_with("round 1, M1: ")));
}

#[test]
fn predicates_that_are_found_are_reported() {
    let text = "var x : int := 0;\nwhile x < 10 do x := x + 1 od\nproperty ends: ctl AG x <= 10;\n";
    let server = Server::start(&[&file("count.while", text)]);
    let events = server.events(&json!({"texts": {}}));
    let round = events.iter().find(|event| event["event"] == "round").expect("a round");
    assert_eq!(round["round"]["change"]["kind"], "predicates", "{round}");
    let answer = events.iter().find(|event| event["event"] == "answer").expect("an answer");
    assert_eq!(answer["answer"]["verdict"], "true", "{answer}");
}

#[test]
fn what_does_not_read_is_reported() {
    let server = Server::start(&[&example("mutex.tm")]);
    let texts = json!({"texts": {example("mutex.tm"): "component {"}});
    let events = server.events(&texts);
    let remark = events.iter().find(|event| event["event"] == "note").expect("a remark");
    assert!(remark["text"].as_str().is_some_and(|text| text.starts_with("Error: ")), "{remark}");
    assert_eq!(events.last().expect("an end")["status"], 2);
    let events = server.events(&json!({"texts": {}, "method": "none"}));
    assert_eq!(events.last().expect("an end")["status"], 2, "{events:?}");
    let both =
        json!({"texts": {}, "properties": ["x"], "formulas": [{"logic": "mu", "text": "true"}]});
    assert_eq!(server.post("/api/checks", &both).status, 400);
}

#[test]
fn a_check_is_cancelled() {
    let server = Server::start(&[&file("counters.tm", &counters(9))]);
    let mut events = server.check(&long_question());
    let job = events.until("started")["job"].as_u64().expect("a number");
    let progress = events.until("progress");
    assert!(progress["phase"].as_str().is_some_and(|phase| !phase.is_empty()), "{progress}");
    assert_eq!(server.children().len(), 1);
    let answer = server.ask(&format!("DELETE /api/checks/{job}"), "").good();
    assert_eq!(answer, json!({"cancelled": true}));
    let end = events.until("end");
    assert_eq!((&end["status"], &end["cancelled"]), (&Value::Null, &json!(true)));
    soon("its process has gone", || server.children().is_empty());
    let again = server.ask(&format!("DELETE /api/checks/{job}"), "").good();
    assert_eq!(again, json!({"cancelled": false}));
}

#[test]
fn a_check_ends_with_its_client() {
    let server = Server::start(&[&file("counters.tm", &counters(9))]);
    let mut events = server.check(&long_question());
    events.until("started");
    soon("it runs", || server.children().len() == 1);
    drop(events);
    soon("its process has gone", || server.children().is_empty());
    // So with questions that are not streams.
    for path in ["/api/explain", "/api/game"] {
        let body = json!({"texts": {}, "property": "live", "method": "direct"}).to_string();
        let body =
            if path == "/api/game" { body.replace(",\"method\":\"direct\"", "") } else { body };
        let stream = server.connect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            server.port,
            server.token,
            body.len()
        );
        std::io::Write::write_all(&mut &stream, head.as_bytes()).expect("it listens");
        soon("it runs", || server.children().len() == 1);
        drop(stream);
        soon("its process has gone", || server.children().is_empty());
    }
}

#[test]
fn two_run_at_once_and_the_third_waits() {
    let server = Server::start(&[&file("counters.tm", &counters(9))]);
    let mut first = server.check(&long_question());
    let mut second = server.check(&long_question());
    first.until("started");
    second.until("started");
    let mut third = server.check(&long_question());
    let queued = third.next().expect("an event");
    assert_eq!((&queued["event"], &queued["before"]), (&json!("queued"), &json!(1)));
    soon("two run", || server.children().len() == 2);
    drop(first);
    third.until("started");
    soon("two run", || server.children().len() == 2);
    // One that waits can be cancelled, too.
    let mut fourth = server.check(&long_question());
    let job = fourth.until("queued")["job"].as_u64().expect("a number");
    server.ask(&format!("DELETE /api/checks/{job}"), "").good();
    assert_eq!(fourth.until("end")["cancelled"], true);
    drop((second, third));
    soon("all have gone", || server.children().is_empty());
}

#[test]
fn limits_are_answers() {
    let server = Server::start(&[&file("counters.tm", &counters(9))]);
    let question = json!({"texts": {}, "method": "direct", "properties": ["live"], "timeout": 0.2});
    let events = server.events(&question);
    let answer = events.iter().find(|event| event["event"] == "answer").expect("an answer");
    assert_eq!(answer["answer"]["reason"], "the time limit was reached");
    let question =
        json!({"texts": {}, "method": "direct", "properties": ["live"], "memory": 30_000_000});
    let events = server.events(&question);
    let answer = events.iter().find(|event| event["event"] == "answer").expect("an answer");
    assert_eq!(answer["answer"]["reason"], "the memory limit was reached");
    let question = json!({"texts": {}, "property": "live", "method": "direct", "timeout": 0.2});
    let answer = server.post("/api/explain", &question).good();
    assert_eq!(answer["reason"], "the time limit was reached");
}

/// A server that is killed cannot clean up; its children see that it has gone.
#[test]
fn children_do_not_outlive_the_server() {
    let server = Server::start(&[&file("counters.tm", &counters(9))]);
    let mut events = server.check(&long_question());
    events.until("started");
    let view = json!({"texts": {}, "component": "C0"});
    server.post("/api/component", &view).good();
    soon("two run", || server.children().len() == 2);
    let children = server.children();
    drop(server);
    let is_there = |id: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.contains("(tertium)") && !stat.contains(") Z ")
    };
    soon("they have gone", || !children.iter().any(is_there));
}
