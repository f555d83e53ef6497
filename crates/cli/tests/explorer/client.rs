//! A server, and a client that speaks as plainly to it as can be.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// On a machine that is busy with other things, too.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Server {
    process: Child,
    pub port: u16,
    pub token: String,
}

pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{error}: {} {text}", self.status))
    }

    /// The answer to a question that was a proper one.
    pub fn good(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    pub fn kind_of_error(&self) -> String {
        self.json()["error"]["kind"].as_str().unwrap_or_default().to_owned()
    }
}

/// A file of the repository.
pub fn example(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    root.join(name).to_str().expect("a path in UTF-8").to_owned()
}

/// A file that no other test has.
pub fn file(name: &str, text: &str) -> String {
    let test = std::thread::current().name().unwrap_or("main").replace("::", "-");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("explorer-{test}"));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path.into_os_string().into_string().expect("a path in UTF-8")
}

impl Server {
    pub fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tertium"))
            .args(["explore", "--no-open"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = process.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("an address");
        let (place, token) = line.trim().split_once("/#token=").expect("an address with a token");
        let port = place.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port");
        Self { process, port, token: token.to_owned() }
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a signal, and gives the status that it ends with.
    pub fn end(&mut self, signal: &str) -> Option<i32> {
        let id = self.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("a signal is sent");
        assert!(sent.success());
        self.process.wait().expect("it ends").code()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit can be set");
        stream
    }

    /// Sends bytes as they are, and reads until the server ends the connection.
    pub fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // It may have heard enough before the end.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// A request with these headers besides `Connection: close`.
    pub fn send(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let _ = stream.write_all(&head(line, headers, body.len()));
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        parse(&bytes)
    }

    fn own_headers(&self) -> [(String, String); 3] {
        [
            ("Host".to_owned(), format!("127.0.0.1:{}", self.port)),
            ("Authorization".to_owned(), format!("Bearer {}", self.token)),
            ("Content-Type".to_owned(), "application/json".to_owned()),
        ]
    }

    /// A request as the page makes it.
    pub fn ask(&self, line: &str, body: &str) -> Answer {
        let headers = self.own_headers();
        let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (&**n, &**v)).collect();
        self.send(line, &headers, body.as_bytes())
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(&format!("POST {path}"), &body.to_string())
    }

    /// A check as it goes on.
    pub fn check(&self, body: &Value) -> Events {
        let headers = self.own_headers();
        let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (&**n, &**v)).collect();
        let body = body.to_string();
        let mut stream = self.connect();
        stream.write_all(&head("POST /api/checks", &headers, body.len())).expect("it listens");
        stream.write_all(body.as_bytes()).expect("it listens");
        let mut events = Events { stream: BufReader::new(stream), rest: Vec::new() };
        while !events.line().trim().is_empty() {}
        events
    }

    /// All events of a check.
    pub fn events(&self, body: &Value) -> Vec<Value> {
        let answer = self.post("/api/checks", body);
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        let text = String::from_utf8(answer.body).expect("UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// The child processes that it has at the moment.
    pub fn children(&self) -> Vec<u32> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").expect("Linux").flatten() {
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
            let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
            let mut words = after.split_whitespace();
            let (state, parent) = (words.next(), words.next());
            if state != Some("Z") && parent == Some(&self.id().to_string()) {
                found.push(id);
            }
        }
        found
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until something is so, which it is to be soon.
pub fn soon(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}: not yet");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The events of a check, one after the other.
pub struct Events {
    stream: BufReader<TcpStream>,
    rest: Vec<u8>,
}

impl Events {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a line");
        line
    }

    /// The next event; nothing if there are no more.
    pub fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
                let rest = self.rest.split_off(end + 1);
                let line = std::mem::replace(&mut self.rest, rest);
                return Some(serde_json::from_slice(&line).expect("JSON"));
            }
            let size = usize::from_str_radix(self.line().trim(), 16).unwrap_or(0);
            if size == 0 {
                return None;
            }
            let mut chunk = vec![0; size + 2];
            self.stream.read_exact(&mut chunk).expect("a chunk");
            self.rest.extend(&chunk[..size]);
        }
    }

    /// Reads on until there is such an event.
    pub fn until(&mut self, name: &str) -> Value {
        while let Some(event) = self.next() {
            if event["event"] == name {
                return event;
            }
        }
        panic!("there is no event `{name}`")
    }
}

fn head(line: &str, headers: &[(&str, &str)], length: usize) -> Vec<u8> {
    let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    (text + "\r\n").into_bytes()
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let mut lines = text.lines();
    let status =
        lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let body = bytes.get(end + 4..).unwrap_or_default().to_vec();
    let answer = Answer { status: status.unwrap_or(0), headers, body };
    match answer.header("transfer-encoding") {
        Some(_) => Answer { body: unchunked(&answer.body), ..answer },
        None => answer,
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..end]).ok();
        let Some(size) = size.and_then(|size| usize::from_str_radix(size, 16).ok()) else { break };
        let Some(chunk) = bytes.get(end + 2..end + 2 + size) else { break };
        all.extend(chunk);
        bytes = bytes.get(end + 4 + size..).unwrap_or_default();
    }
    all
}
