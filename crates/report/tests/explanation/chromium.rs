//! A real browser without a screen, driven through its debugging pipe. Nothing is downloaded: where there
//! is no Chromium, there is no browser.

use serde_json::{Value, json};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);

/// Names the program to use instead of the first one that is found.
const VARIABLE: &str = "TERTIUM_CHROMIUM";

pub struct Chromium {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    last_id: u64,
    session: Option<String>,
    profile: PathBuf,
    /// Events that were not awaited yet.
    events: Vec<Value>,
    /// Errors of the page, and its network requests.
    pub complaints: Vec<String>,
}

fn program() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        return Some(named.into());
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let candidates = names.iter().flat_map(|name| folders.iter().map(move |f| f.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_file())
}

impl Chromium {
    /// A new browser with an empty page and no network. `None`, and a message, if there is no Chromium.
    pub fn start(folder: &Path) -> Option<Self> {
        let Some(program) = program().filter(|_| cfg!(unix)) else {
            // Not by a macro, whose output is shown only of tests that fail.
            let message =
                format!("skipped: no Chromium was found (install it, or set {VARIABLE})\n");
            std::io::stderr().write_all(message.as_bytes()).expect("standard error is open");
            return None;
        };
        let profile = folder.join("profile");
        let mut child = command(&program, &profile).spawn().expect("Chromium starts");
        let input = child.stdin.take().expect("a pipe");
        let messages = listen(child.stdout.take().expect("a pipe"));
        let (last_id, session) = (0, None);
        let (events, complaints) = (Vec::new(), Vec::new());
        let mut browser =
            Self { child, input, messages, last_id, session, profile, events, complaints };
        browser.open_page();
        Some(browser)
    }

    fn open_page(&mut self) {
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call("Target.attachToTarget", attach);
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        let offline =
            json!({"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0});
        self.call("Network.emulateNetworkConditions", offline);
        let size = json!({"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.input.write_all(format!("{message}\0").as_bytes()).expect("Chromium listens");
        loop {
            let answer = self.receive();
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    fn receive(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).expect("Chromium answers in time");
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled") => {
                self.complaints.push(params.to_string());
            }
            Some("Network.requestWillBeSent") => {
                let address = params["request"]["url"].as_str().unwrap_or_default();
                if !address.starts_with("file:") && !address.starts_with("data:") {
                    self.complaints.push(format!("asks for {address}"));
                }
            }
            _ => {}
        }
        message
    }

    /// Opens a file and waits until it is there.
    pub fn open(&mut self, file: &Path) {
        self.events.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        let has_loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        while !self.events.iter().any(has_loaded) {
            let event = self.receive();
            self.events.push(event);
        }
    }

    pub fn evaluate(&mut self, script: &str) -> Value {
        let params = json!({"expression": script, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until a script says true.
    pub fn wait_for(&mut self, script: &str) {
        let start = Instant::now();
        while self.evaluate(script) != true {
            assert!(start.elapsed() < PATIENCE, "never true: {script}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Moves the pointer to the middle of an element.
    pub fn hover(&mut self, selector: &str) -> (f64, f64) {
        let middle = self.evaluate(&format!(
            "(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect();
                return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        let (x, y) = (middle[0].as_f64().expect("a place"), middle[1].as_f64().expect("a place"));
        self.mouse("mouseMoved", x, y);
        (x, y)
    }

    pub fn click(&mut self, selector: &str) {
        let (x, y) = self.hover(selector);
        self.mouse("mousePressed", x, y);
        self.mouse("mouseReleased", x, y);
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let params = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", params);
    }

    /// A key by its name, such as `Enter` or `Tab`.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            "ArrowDown" => 40,
            _ => panic!("which key is {key}?"),
        };
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let mut params =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.into();
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to end or to take away.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Chromium listens at descriptor 3 and answers at 4, which only a shell can set.
fn command(program: &Path, profile: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>&2"]).arg(program);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.args([
        "--remote-debugging-pipe",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--disable-dev-shm-usage",
    ]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Messages end with a zero byte.
fn listen(output: impl std::io::Read + Send + 'static) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let pieces = BufReader::new(output).split(0);
        let messages = pieces.map_while(Result::ok).filter_map(|m| serde_json::from_slice(&m).ok());
        for message in messages {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    receiver
}
