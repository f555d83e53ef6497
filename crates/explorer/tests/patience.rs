//! Clients that are slow, or that never come to the point.

use explorer::{OpenedFile, ServerSettings, serve};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// The address and the token of a server that runs until the tests end.
fn server(patience: Duration) -> (String, String) {
    let text = "component A kripke { init s; s: {} -> s; }".to_owned();
    let file = OpenedFile {
        name: "a.tm".to_owned(),
        language: "tm",
        given: true,
        bytes: text.len() as u64,
        text: Some(text),
    };
    let settings = ServerSettings {
        program: "/nowhere/tertium".into(),
        version: "0",
        port: 0,
        files: vec![file],
        sync: None,
        methods: vec!["auto"],
        timeout: Duration::from_secs(1),
        memory: 1 << 30,
        patience,
    };
    let (sender, receiver) = channel();
    thread::spawn(move || {
        serve(settings, |address| sender.send(address.to_owned()).expect("heard"))
    });
    let address = receiver.recv().expect("it listens");
    let (place, token) = address.split_once("/#token=").expect("a token");
    (place.trim_start_matches("http://").to_owned(), token.to_owned())
}

/// Sends something, keeps the connection open, and reads until the server closes it.
fn until_closed(place: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(place).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
    stream.write_all(bytes).expect("it listens");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("the server closes it");
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn an_idle_client_is_disconnected() {
    let (place, _) = server(Duration::from_millis(300));
    for half in ["", "G", "GET / HTTP/1.1\r\nHost: 127.0.0.1", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        let began = Instant::now();
        let answer = until_closed(&place, half.as_bytes());
        assert!(!answer.starts_with("HTTP/1.1 200"), "{half:?}: {answer}");
        assert!(began.elapsed() >= Duration::from_millis(250), "{half:?}");
    }
}

/// A question, with a body of some length of which this is sent.
fn question(place: &str, token: &str, length: usize, body: &str) -> String {
    let head = format!(
        "POST /api/read HTTP/1.1\r\nHost: {place}\r\nAuthorization: Bearer {token}\r\n\
         Connection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    until_closed(place, (head + body).as_bytes())
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for() {
    let (place, token) = server(Duration::from_millis(300));
    let answer = question(&place, &token, 1000, "{\"texts\"");
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

/// The program that should answer is not there.
#[test]
fn a_mistake_of_the_server_is_reported() {
    let (place, token) = server(Duration::from_secs(10));
    let answer = question(&place, &token, 12, "{\"texts\":{}}");
    assert!(answer.starts_with("HTTP/1.1 500 ") && answer.contains("cannot start"), "{answer}");
}
