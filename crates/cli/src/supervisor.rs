//! Runs a command in a thread of its own, and watches the clock, the keyboard and the allocator
//! meanwhile.
//!
//! The worker computes and sends news; the main thread alone prints. A worker that does not stop when
//! it is asked to is left behind, so that every limit ends in an answer.

use crate::Status;
use crate::allocator;
use crate::console::{Console, colour_of_stderr};
use crate::flags::Limits;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use tertium::{Cancel, Diagnostics, Error, StopReason, Stopped};

/// Deep inputs recurse deeply somewhere; the pages are taken only as they are touched.
const STACK: usize = 256 << 20;
/// How often the main thread looks around.
const TICK: Duration = Duration::from_millis(50);
/// How long a worker may take to notice that it is to stop.
const GRACE: Duration = Duration::from_secs(1);
/// As a shell reports a process that was ended by Ctrl-C.
const STATUS_OF_INTERRUPT: i32 = 130;

enum Event<N> {
    News(N),
    /// Text for standard error.
    Remark(String),
    /// Text for standard output.
    Print(String),
    Ended(Result<Status, Stopped>),
}

/// The channel from the worker to the main thread.
pub(crate) struct Session<N> {
    /// Stops the work, and tells how far it is.
    pub cancel: Cancel,
    events: Sender<Event<N>>,
    is_writing: Arc<AtomicBool>,
    is_finishing: Arc<AtomicBool>,
}

impl<N> Session<N> {
    /// Reports something that the command's listener prints.
    pub fn tell(&self, news: N) {
        self.send(Event::News(news));
    }

    /// Says something on standard error.
    pub fn remark(&self, text: impl Into<String>) {
        self.send(Event::Remark(text.into()));
    }

    /// The end of a command that may have had trouble with its input, which is told as JSON if the answer would be.
    pub fn settle(&self, ended: Result<Status, Error>, is_json: bool) -> Result<Status, Stopped> {
        match ended {
            Ok(status) => Ok(status),
            Err(Error::Stopped(stopped)) => Err(stopped),
            Err(error) => {
                let found = error.diagnostics();
                match is_json {
                    true => {
                        let errors = report::errors_json(&found.messages, &found.sources);
                        let document = report::errors_document(errors);
                        self.send(Event::Print(report::to_json(&document)));
                    }
                    false => self.remark(rendered(&found)),
                }
                Ok(Status::Wrong)
            }
        }
    }

    /// Prints warnings, unless `--quiet`.
    pub fn warn(&self, warnings: &Diagnostics, limits: &Limits) {
        if !limits.quiet && !warnings.messages.is_empty() {
            self.remark(rendered(warnings));
        }
    }

    /// From now on the worker itself writes to standard output, so the bar stays away.
    pub fn begin_writing(&self) {
        self.is_writing.store(true, Relaxed);
    }

    /// Asked to stop during this work, the worker still has something to say, and takes the time for it.
    pub fn in_peace<T>(&self, work: impl FnOnce() -> T) -> T {
        self.is_finishing.store(true, Relaxed);
        let result = work();
        // Who was stopped meanwhile is not to be hurried when he tells what he has found.
        self.is_finishing.store(self.cancel.stopped().is_some(), Relaxed);
        result
    }

    fn send(&self, event: Event<N>) {
        // The receiver is gone only when the process is about to end.
        let _ = self.events.send(event);
    }
}

/// Messages for standard error.
pub fn rendered(diagnostics: &Diagnostics) -> String {
    report::render(&diagnostics.messages, &diagnostics.sources, colour_of_stderr())
}

/// Does `work` within the limits; `listen` hears its news as they come.
pub fn run<N: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce(&Session<N>) -> Result<Status, Stopped> + Send + 'static,
    listen: impl FnMut(N, &mut Console),
) -> (Result<Status, Stopped>, Console) {
    run_on(Console::new(limits.wants_progress()), limits, work, listen)
}

/// Runs the worker and prints to the given console.
pub fn run_on<N: Send + 'static>(
    mut console: Console,
    limits: &Limits,
    work: impl FnOnce(&Session<N>) -> Result<Status, Stopped> + Send + 'static,
    mut listen: impl FnMut(N, &mut Console),
) -> (Result<Status, Stopped>, Console) {
    let cancel = Cancel::default();
    allocator::watch(&cancel, limits.memory);
    stop_on_ctrl_c(&cancel);
    let mut watch = Watch::new(cancel.clone(), limits.timeout);
    watch.look_at_the_clock();
    let (events, inbox) = channel();
    let is_writing = Arc::new(AtomicBool::new(false));
    let is_finishing = watch.is_finishing.clone();
    let session = Session { cancel, events, is_writing: is_writing.clone(), is_finishing };
    let worker = thread::Builder::new().name("worker".to_owned()).stack_size(STACK);
    let worker = worker.spawn(move || {
        let ended = work(&session);
        session.send(Event::Ended(ended));
    });
    if let Err(error) = worker {
        console.err(&format!("Error: cannot start a thread: {error}\n"));
        return (Ok(Status::Wrong), console);
    }
    let ended = loop {
        match watch.next_event(&inbox) {
            Some(Event::News(news)) => listen(news, &mut console),
            Some(Event::Remark(text)) => console.err(&text),
            Some(Event::Print(text)) => console.out(&text),
            Some(Event::Ended(ended)) => break ended,
            None if is_writing.load(Relaxed) => console.progress.clear(),
            None => console.look_at(&watch.cancel),
        }
    };
    console.progress.clear();
    (ended, console)
}

/// Runs a command that prints texts. If the limits leave no time for anything, the files that it
/// should write are not there, and `nothing` says so in JSON, if that is asked for.
pub fn run_telling(
    limits: &Limits,
    is_json: bool,
    files: &[&PathBuf],
    nothing: impl FnOnce(&str, f64) -> Option<String>,
    work: impl FnOnce(&Session<String>) -> Result<Status, Error> + Send + 'static,
) -> Status {
    let began = Instant::now();
    let (ended, mut console) = run(
        limits,
        move |session: &Session<String>| session.settle(work(session), is_json),
        |text, console| console.out(&text),
    );
    ended.unwrap_or_else(|stopped| {
        for file in files {
            console.err(&format!("Warning: `{}` is not written: {stopped}\n", file.display()));
        }
        let text = nothing(&stopped.to_string(), began.elapsed().as_secs_f64());
        console.out(&text.unwrap_or_else(|| format!("unknown  {stopped}\n")));
        Status::Unknown
    })
}

/// The clock.
struct Watch {
    cancel: Cancel,
    deadline: Option<Instant>,
    asked_to_stop: Option<Instant>,
    is_finishing: Arc<AtomicBool>,
    began: Instant,
}

impl Watch {
    fn new(cancel: Cancel, timeout: Option<Duration>) -> Self {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        Self {
            cancel,
            deadline,
            asked_to_stop: None,
            is_finishing: Arc::default(),
            began: Instant::now(),
        }
    }

    /// The next event, `None` if there was none during a tick.
    fn next_event<N>(&mut self, inbox: &Receiver<Event<N>>) -> Option<Event<N>> {
        let now = Instant::now();
        let until_deadline = self.deadline.map_or(TICK, |d| d.saturating_duration_since(now));
        match inbox.recv_timeout(until_deadline.min(TICK).max(Duration::from_millis(1))) {
            Ok(event) => Some(event),
            // The panic hook has told the user.
            Err(RecvTimeoutError::Disconnected) => Some(Event::Ended(Ok(Status::Wrong))),
            Err(RecvTimeoutError::Timeout) => {
                self.look_at_the_clock().map(|s| Event::Ended(Err(s)))
            }
        }
    }

    /// Asks the worker to stop when the time is up; gives the reason if it does not listen.
    fn look_at_the_clock(&mut self) -> Option<Stopped> {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.cancel.stop(StopReason::Timeout);
        }
        let stopped = self.cancel.stopped()?;
        let asked = *self.asked_to_stop.get_or_insert(now);
        let grace = match self.is_finishing.load(Relaxed) {
            // As long again as it has worked.
            true => 10 * GRACE + asked.duration_since(self.began),
            false => GRACE,
        };
        (now.duration_since(asked) >= grace).then_some(stopped)
    }
}

/// The first Ctrl-C asks, the second ends.
fn stop_on_ctrl_c(cancel: &Cancel) {
    let cancel = cancel.clone();
    let pressed = AtomicU32::new(0);
    // Without the handler Ctrl-C ends the process, which is no harm.
    let _ = ctrlc::set_handler(move || {
        allocator::exempt_this_thread();
        if pressed.fetch_add(1, Relaxed) > 0 {
            std::process::exit(STATUS_OF_INTERRUPT);
        }
        cancel.cancel();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn supervise(
        timeout: Option<Duration>,
        work: impl FnOnce(&Session<u32>) -> Result<Status, Stopped> + Send + 'static,
    ) -> (Result<Status, Stopped>, Vec<u32>) {
        let limits = Limits { timeout, memory: None, quiet: true, no_progress: true };
        let mut heard = Vec::new();
        let (ended, _) = run(&limits, work, |news, _| heard.push(news));
        (ended, heard)
    }

    #[test]
    fn news_come_in_order_and_before_the_end() {
        let (ended, heard) = supervise(None, |session| {
            (0..100).for_each(|news| session.tell(news));
            Ok(Status::Good)
        });
        assert_eq!((ended, heard), (Ok(Status::Good), (0..100).collect()));
    }

    #[test]
    fn a_worker_that_listens_is_stopped_by_the_clock() {
        let (ended, heard) = supervise(Some(Duration::from_millis(20)), |session| {
            session.tell(1);
            loop {
                if let Some(stopped) = session.cancel.stopped() {
                    return Err(stopped);
                }
            }
        });
        assert_eq!((ended, heard), (Err(Stopped(StopReason::Timeout)), vec![1]));
    }

    #[test]
    fn a_worker_that_does_not_listen_is_left_behind() {
        let (ended, _) = supervise(Some(Duration::ZERO), |_| {
            thread::sleep(Duration::from_secs(3600));
            Ok(Status::Good)
        });
        assert_eq!(ended, Err(Stopped(StopReason::Timeout)));
    }

    #[test]
    fn a_panic_is_a_status() {
        let (ended, heard) = supervise(None, |session| {
            session.tell(1);
            panic!("on purpose")
        });
        assert_eq!((ended, heard), (Ok(Status::Wrong), vec![1]));
    }

    #[test]
    fn the_stack_is_deep() {
        fn depth(n: u32) -> u32 {
            let padding = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { depth(n - 1) + padding[0] - n + 1 }
        }
        let (ended, _) = supervise(None, |_| {
            assert_eq!(depth(200_000), 200_000);
            Ok(Status::Good)
        });
        assert_eq!(ended, Ok(Status::Good));
    }
}
