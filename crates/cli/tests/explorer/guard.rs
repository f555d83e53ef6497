//! Who is let in, and what the server stands.

use crate::client::{Server, example, file, soon};
use serde_json::json;
use std::io::{Read, Write};

fn server() -> Server {
    Server::start(&[&example("mutex.tm")])
}

#[test]
fn only_the_token_opens_the_door() {
    let server = server();
    let host = format!("127.0.0.1:{}", server.port);
    assert_eq!(server.ask("GET /api/session", "").status, 200);
    let wrong = [
        String::new(),
        "Bearer ".to_owned(),
        format!("Bearer {}", "0".repeat(64)),
        format!("Bearer {}", &server.token[1..]),
        format!("Bearer {}x", server.token),
        format!("bearer {}", server.token),
        server.token.clone(),
        format!("Basic {}", server.token),
    ];
    for given in &wrong {
        let headers = [("Host", &*host), ("Authorization", &**given)];
        let answer = server.send("GET /api/session", &headers, b"");
        assert_eq!((answer.status, answer.kind_of_error()), (401, "token".to_owned()), "{given}");
    }
    let answer = server.send("GET /api/session", &[("Host", &*host)], b"");
    assert_eq!(answer.status, 401);
    let line = format!("GET /api/session?token={}", server.token);
    assert_eq!(server.send(&line, &[("Host", &*host)], b"").status, 401);
    // What is not there is not told to strangers either.
    assert_eq!(server.send("GET /api/nothing", &[("Host", &*host)], b"").status, 401);
    assert_eq!(server.ask("GET /api/nothing", "").status, 404);
    assert_eq!(server.ask("DELETE /api/session", "").status, 405);
}

/// `API.md` has a heading for each question.
#[test]
fn every_question_that_is_described_can_be_asked() {
    let server = server();
    let text = include_str!("../../../explorer/API.md");
    let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
    let described: Vec<&str> = headings.filter(|heading| heading.contains(" /api/")).collect();
    assert_eq!(described.len(), 12, "{described:?}");
    for heading in described {
        let answer = server.ask(&heading.replace("JOB", "1"), "{\"texts\": {}}");
        assert!(!matches!(answer.status, 0 | 401..=405 | 500..), "{heading}: {}", answer.status);
    }
}

#[test]
fn it_ends_when_it_is_asked_to() {
    for signal in ["-INT", "-TERM"] {
        let mut server = server();
        let view = json!({"texts": {}, "component": "Mutex"});
        server.post("/api/component", &view).good();
        let children = server.children();
        assert_eq!(children.len(), 1);
        assert_eq!(server.end(signal), Some(0), "{signal}");
        let is_there = |id: &u32| std::path::Path::new(&format!("/proc/{id}")).exists();
        soon("its children have gone", || !children.iter().any(is_there));
    }
}

#[test]
fn a_port_is_for_one_server() {
    let server = server();
    let port = server.port.to_string();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tertium"))
        .args(["explore", "--no-open", "--port", &port, &example("mutex.tm")])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with(&format!("Error: cannot listen on 127.0.0.1:{port}: ")), "{said}");
}

#[test]
fn the_page_is_served_with_its_policy() {
    let server = server();
    let host = format!("127.0.0.1:{}", server.port);
    let page = server.send("GET /", &[("Host", &*host)], b"");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("access-control-allow-origin"), None);
    let tag = page.header("etag").expect("a tag");
    let again = server.send("GET /", &[("Host", &*host), ("If-None-Match", tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    let session = server.ask("GET /api/session", "");
    assert_eq!(session.header("cache-control"), Some("no-store"));
    assert!(session.header("content-security-policy").is_some());
}

#[test]
fn other_names_and_other_pages_are_refused() {
    let server = server();
    let (own, port) = (format!("127.0.0.1:{}", server.port), server.port);
    let token = format!("Bearer {}", server.token);
    let hosts = ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "", "[::1]:80"];
    for host in hosts.map(str::to_owned).into_iter().chain([format!("evil.example:{port}")]) {
        for line in ["GET /api/session", "GET /"] {
            let answer = server.send(line, &[("Host", &*host), ("Authorization", &*token)], b"");
            assert_eq!((answer.status, answer.kind_of_error()), (403, "host".to_owned()), "{host}");
        }
    }
    assert_eq!(server.send("GET /", &[], b"").status, 403);
    let twice = [("Host", &*own), ("Host", "evil.example")];
    assert!(server.send("GET /", &twice, b"").status >= 400);
    let localhost = format!("localhost:{port}");
    assert_eq!(server.send("GET /", &[("Host", &*localhost)], b"").status, 200);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", &format!("https://{own}")] {
        let headers = [("Host", &*own), ("Authorization", &*token), ("Origin", origin)];
        let answer = server.send("GET /api/session", &headers, b"");
        assert_eq!((answer.status, answer.kind_of_error()), (403, "origin".to_owned()), "{origin}");
    }
    let origin = format!("http://{own}");
    let headers = [("Host", &*own), ("Authorization", &*token), ("Origin", &*origin)];
    assert_eq!(server.send("GET /api/session", &headers, b"").status, 200);
}

#[test]
fn no_path_leads_out_of_the_page() {
    let server = server();
    let host = format!("127.0.0.1:{}", server.port);
    let paths = [
        "/../../etc/passwd",
        "/../Cargo.toml",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/....//....//etc/passwd",
        "/..\\..\\etc\\passwd",
        "/%5c..%5c..%5cetc%5cpasswd",
        "//etc/passwd",
        "/./index.html/../../../Cargo.toml",
        "/etc/passwd%00.html",
        "/file:///etc/passwd",
        "/../web/package.json",
    ];
    for path in paths {
        let answer = server.send(&format!("GET {path}"), &[("Host", &*host)], b"");
        let text = String::from_utf8_lossy(&answer.body);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert!(!text.contains("root:") && !text.contains("[package]"), "{path}: {text}");
    }
    let long = format!("GET /{}", "a/".repeat(40_000));
    assert!(server.send(&long, &[("Host", &*host)], b"").status >= 400);
    assert_eq!(server.send("GET /", &[("Host", &*host)], b"").status, 200);
}

#[test]
fn only_the_files_of_the_command_line_are_read() {
    let part = file("part.tm", "component P kripke { props p; init s; s: {p} -> s; }\n");
    file("secret.tm", "component S kripke { props secret; init s; s: {secret} -> s; }\n");
    let text = "component A from \"part.tm\";\nproperty p: ctl AG p;\n";
    let whole = file("whole.tm", text);
    let server = Server::start(&[&whole]);
    let session = server.ask("GET /api/session", "").good();
    let files = session["files"].as_array().expect("files");
    assert_eq!(files.len(), 2);
    assert_eq!((&files[1]["name"], &files[1]["given"]), (&json!(part), &json!(false)));
    assert_eq!(server.post("/api/read", &json!({"texts": {}})).good()["reads"], true);
    // A part that is edited counts.
    let edited = json!({"texts": {part: "component P kripke { props p; init s; s: {!p} -> s; }"}});
    let events = server.events(&edited);
    assert!(events.iter().any(|event| event["answer"]["verdict"] == "false"), "{events:?}");
    for other in ["secret.tm", "/etc/passwd", "../../../Cargo.toml", "./././secret.tm"] {
        let text = format!("component A from \"{other}\";\nproperty p: ctl AG p;\n");
        let answer = server.post("/api/read", &json!({"texts": {whole.clone(): text}})).good();
        assert_eq!(answer["reads"], false, "{other}");
        let said = answer["diagnostics"].to_string();
        assert!(said.contains("not one of the files"), "{said}");
        assert!(!said.contains("secret}") && !said.contains("root:"), "{said}");
    }
    let answer = server.post("/api/read", &json!({"texts": {"secret.tm": "x"}}));
    assert_eq!((answer.status, answer.kind_of_error()), (400, "request".to_owned()));
}

/// Where a flag of the command line can be a file, no file is read for it.
#[test]
fn flags_name_no_files() {
    let server = Server::start(&[&example("printer.smv")]);
    let list = file("list.txt", "desk\n");
    let events =
        server.events(&json!({"texts": {}, "method": "compositional", "components": list}));
    let said = format!("{events:?}");
    assert!(said.contains("not one of the files") || said.contains("no instance"), "{said}");
    for name in ["--json", "-h", "--help", "--trace=x"] {
        let events = server.events(&json!({"texts": {}, "properties": [name]}));
        let end = events.last().expect("an end");
        assert_eq!((&end["event"], &end["status"]), (&json!("end"), &json!(2)), "{events:?}");
    }
}

#[test]
fn malformed_requests_are_refused() {
    let server = server();
    let bodies =
        ["", "{", "[]", "null", "\"x\"", "{\"texts\": 3}", "\u{0}", "{\"texts\": {\"a\": 1}}"];
    for body in bodies {
        for path in ["/api/read", "/api/component", "/api/game", "/api/explain", "/api/checks"] {
            let answer = server.ask(&format!("POST {path}"), body);
            assert!(matches!(answer.status, 400 | 422), "{path} {body}: {}", answer.status);
            assert!(!answer.kind_of_error().is_empty());
        }
    }
    let deep = format!("{{\"texts\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(server.ask("POST /api/read", &deep).status, 400);
    let host = format!("127.0.0.1:{}", server.port);
    let token = format!("Bearer {}", server.token);
    let plain = [("Host", &*host), ("Authorization", &*token), ("Content-Type", "text/plain")];
    assert_eq!(server.send("POST /api/read", &plain, b"{\"texts\":{}}").status, 415);
    assert_eq!(server.ask("GET /api/session", "").status, 200);
}

#[test]
fn a_long_body_is_not_read() {
    let server = server();
    let long = format!("{{\"texts\": {{\"a\": \"{}\"}}}}", "x".repeat(5 << 20));
    let answer = server.ask("POST /api/read", &long);
    // The connection may be gone before all of it was sent.
    assert!(answer.status == 413 || answer.status == 0, "{}", answer.status);
    let head = format!(
        "POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{{",
        server.port, server.token
    );
    let text = String::from_utf8_lossy(&server.raw(head.as_bytes())).into_owned();
    assert!(text.starts_with("HTTP/1.1 413 ") && text.contains("\"size\""), "{text}");
    assert_eq!(server.ask("GET /api/session", "").status, 200);
}

#[test]
fn garbage_is_no_harm() {
    let server = server();
    let noise: Vec<u8> =
        (0..70_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut rubbish: Vec<Vec<u8>> = vec![
        noise,
        b"\r\n\r\n\r\n".to_vec(),
        b"GET".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        vec![0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3],
        b"POST /api/read HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nzz\r\n"
            .to_vec(),
    ];
    rubbish.push([b"GET / HTTP/1.1\r\nX: ".as_slice(), &vec![b'y'; 100_000], b"\r\n\r\n"].concat());
    rubbish.push([b"GET / HTTP/1.1\r\n".as_slice(), &b"X: y\r\n".repeat(2000), b"\r\n"].concat());
    for bytes in rubbish {
        let answer = server.raw(&bytes);
        let text = String::from_utf8_lossy(&answer);
        assert!(!text.starts_with("HTTP/1.1 200"), "{text}");
    }
    assert_eq!(server.ask("GET /api/session", "").status, 200);
}

#[test]
fn two_hundred_connections_at_once() {
    let server = server();
    let mut silent: Vec<_> = (0..100).map(|_| server.connect()).collect();
    for (number, stream) in silent.iter_mut().enumerate() {
        let half = &b"GET / HTTP/1.1\r\nHost: 127"[..number % 26];
        stream.write_all(half).expect("it listens");
    }
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..100)
            .map(|number| {
                let server = &server;
                scope.spawn(move || match number % 10 {
                    0 => server.post("/api/read", &json!({"texts": {}})).status,
                    _ => server.ask("GET /api/session", "").status,
                })
            })
            .collect();
        for thread in asked {
            assert_eq!(thread.join().expect("no panic"), 200);
        }
    });
    drop(silent);
    assert_eq!(server.ask("GET /api/session", "").status, 200);
    soon("only kept children are left", || server.children().len() <= 2);
}

#[test]
fn a_connection_is_kept_for_several_questions() {
    let server = server();
    let mut stream = server.connect();
    let question = format!(
        "GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        server.port, server.token
    );
    for _ in 0..3 {
        stream.write_all(question.as_bytes()).expect("it listens");
        let mut start = [0; 15];
        stream.read_exact(&mut start).expect("an answer");
        assert_eq!(&start, b"HTTP/1.1 200 OK");
        let mut text = Vec::new();
        let mut byte = [0];
        while !text.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).expect("headers");
            text.push(byte[0]);
        }
        let text = String::from_utf8_lossy(&text).to_lowercase();
        let length = text.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
        let length: usize = length.and_then(|length| length.trim().parse().ok()).expect("a length");
        stream.read_exact(&mut vec![0; length]).expect("a body");
    }
}
