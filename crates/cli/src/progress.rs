//! The bar on standard error.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};
use tertium::Cancel;

/// Shorter phases are not worth a bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Follows the phases of a computation from outside. Draws nothing unless standard error is a
/// terminal.
pub(crate) struct Progress {
    is_wanted: bool,
    phase: &'static str,
    done: u64,
    since: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(is_wanted: bool) -> Self {
        let is_wanted = is_wanted && stderr().is_terminal();
        Self { is_wanted, phase: "", done: 0, since: Instant::now(), bar: None }
    }

    pub fn update(&mut self, cancel: &Cancel) {
        if !self.is_wanted {
            return;
        }
        let (phase, done, total) = cancel.progress();
        if phase != self.phase || done < self.done {
            self.clear();
            (self.phase, self.since) = (phase, Instant::now());
        }
        self.done = done;
        if self.since.elapsed() >= PATIENCE && !phase.is_empty() {
            let bar = self.bar.get_or_insert_with(|| new_bar(phase, total, self.since));
            bar.set_position(done);
            bar.tick();
        }
    }

    /// Takes the bar away, so that something else can be written. It comes back by itself.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(phase: &'static str, total: u64, since: Instant) -> ProgressBar {
    let (bar, template) = if total == 0 {
        (ProgressBar::new_spinner(), "{spinner} {msg} {human_pos} {elapsed}")
    } else {
        (ProgressBar::new(total), "{msg} [{bar:30}] {percent}% {eta}")
    };
    let style = ProgressStyle::with_template(template).expect("the templates are well formed");
    bar.with_style(style.progress_chars("=> ")).with_message(phase).with_elapsed(since.elapsed())
}
