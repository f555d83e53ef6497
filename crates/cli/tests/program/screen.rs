//! The full-screen view of `tertium simulate`, in tmux. Where that is missing this test says so and passes.

use crate::support::file;
use std::process::Command;
use std::time::{Duration, Instant};

struct Screen(String);

impl Screen {
    fn tmux(&self, arguments: &[&str]) -> Option<String> {
        let output =
            Command::new("tmux").args(["-L", &self.0, "-f", "/dev/null"]).args(arguments).output();
        output.ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn begin(&self, line: &str) -> bool {
        let begun = Command::new("tmux")
            .args(["-L", &self.0, "-f", "/dev/null"])
            .args(["new-session", "-d", "-x", "100", "-y", "30", line])
            .env_remove("TMUX")
            .status();
        begun.is_ok_and(|status| status.success())
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// The screen, once it has this on it.
    fn shows(&self, wanted: &str) -> String {
        let began = Instant::now();
        loop {
            let text = self.tmux(&["capture-pane", "-p"]).unwrap_or_default();
            if text.contains(wanted) {
                return text;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "no `{wanted}` in\n{text}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn steps_are_chosen_on_the_screen() {
    let path = file(
        "door.tm",
        b"component Door kmts { props open; init shut;
          shut: {!open} -> shut ?> ajar; ajar: {open?} -> shut; }",
    );
    let screen = Screen(format!("tertium-{}", std::process::id()));
    let line =
        format!("{} simulate {path}; echo status $?; sleep 60", env!("CARGO_BIN_EXE_tertium"));
    if !screen.begin(&line) {
        eprintln!("skipped: `tmux` is not on this machine");
        return;
    }
    let text = screen.shows("state 0: Door = shut");
    assert!(text.contains("2: may step; Door = ajar") && text.contains("q quit"), "{text}");
    screen.keys(&["Down", "Enter"]);
    let text = screen.shows("state 1: Door = ajar");
    assert!(text.contains("step 1 may be there or not"), "{text}");
    screen.keys(&["u"]);
    screen.shows("state 0: Door = shut");
    screen.keys(&[":", "watch EF open", "Enter"]);
    screen.shows("watch EF open: unknown");
    screen.keys(&[":", "nonsense", "Enter"]);
    screen.shows("there is no command `nonsense`");
    screen.keys(&["2", "Enter"]);
    screen.shows("state 1: Door = ajar");
    screen.keys(&["?"]);
    screen.shows("take random steps");
    screen.keys(&["q"]);
    screen.shows("status 0");
}
