//! Checks: each is a child process, whose events are streamed to the page as lines.

use crate::child::Child;
use crate::fault::{Fault, FaultKind, to_json};
use crate::protocol::Order;
use crate::session::ServerState;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use hyper::body::Frame;
use serde::Serialize;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::AbortHandle;

/// More checks than this do not wait for their turn.
const MOST: usize = 64;
/// A page that takes no line for so long is not there.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Checks {
    turns: Semaphore,
    next: AtomicU64,
    /// Those that have not ended.
    known: Mutex<BTreeMap<u64, Arc<Notify>>>,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            turns: Semaphore::new(Self::AT_ONCE),
            next: AtomicU64::new(1),
            known: Mutex::default(),
        }
    }
}

impl Checks {
    pub const AT_ONCE: usize = 2;

    /// Starts a check, or queues it. It is cancelled when no client waits for the answer.
    pub fn start(session: &Arc<ServerState>, order: Order) -> Result<Response, Fault> {
        let job = session.checks.next.fetch_add(1, Relaxed);
        let cancel = Arc::new(Notify::new());
        let before = {
            let mut known = session.checks.known();
            if known.len() >= MOST {
                return Err(Fault::new(FaultKind::Busy, "too many checks are waiting"));
            }
            known.insert(job, cancel.clone());
            known.len().saturating_sub(Self::AT_ONCE)
        };
        let registered = Registered { session: session.clone(), job };
        let (lines, heard) = mpsc::channel(64);
        let running = Running { registered, lines, cancel, began: Instant::now() };
        let task = tokio::spawn(running.run(order, before)).abort_handle();
        let mut response = Response::new(Body::new(Lines { heard, task }));
        let kind = HeaderValue::from_static("application/x-ndjson");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        Ok(response)
    }

    /// Whether there was something to cancel.
    pub fn cancel(&self, job: u64) -> bool {
        let known = self.known();
        known.get(&job).inspect(|cancel| cancel.notify_one()).is_some()
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Arc<Notify>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Events of the server about a check.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event<'a> {
    Queued { job: u64, before: usize },
    Started { job: u64 },
    Remark { text: &'a str },
    End { job: u64, status: Option<i32>, cancelled: bool, seconds: f64 },
}

/// A check is known as long as this is there.
struct Registered {
    session: Arc<ServerState>,
    job: u64,
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.session.checks.known().remove(&self.job);
    }
}

/// The page does not listen any more.
struct Gone;

struct Running {
    registered: Registered,
    lines: mpsc::Sender<Bytes>,
    cancel: Arc<Notify>,
    began: Instant,
}

impl Running {
    async fn run(self, order: Order, before: usize) {
        let cancel = self.cancel.clone();
        let ended = tokio::select! {
            ended = self.answer(order, before) => ended,
            () = cancel.notified() => Ok((None, true)),
        };
        if let Ok((status, cancelled)) = ended {
            let (job, seconds) = (self.registered.job, self.began.elapsed().as_secs_f64());
            let _ = self.tell(&Event::End { job, status, cancelled, seconds }).await;
        }
    }

    /// The status in the end, and that it was not cancelled.
    async fn answer(&self, order: Order, before: usize) -> Result<(Option<i32>, bool), Gone> {
        let Registered { session, job } = &self.registered;
        if session.checks.turns.available_permits() == 0 {
            self.tell(&Event::Queued { job: *job, before }).await?;
        }
        let _turn = session.checks.turns.acquire().await.map_err(|_| Gone)?;
        self.tell(&Event::Started { job: *job }).await?;
        let ended = match self.follow(order).await? {
            Ok(status) => (status, false),
            Err(fault) => {
                self.tell(&Event::Remark { text: &format!("Error: {}\n", fault.message) }).await?;
                (Some(2), false)
            }
        };
        Ok(ended)
    }

    /// Forwards the events of a child.
    async fn follow(&self, order: Order) -> Result<Result<Option<i32>, Fault>, Gone> {
        let mut child = match Child::start(&self.registered.session.settings.program, &order).await
        {
            Ok(child) => child,
            Err(fault) => return Ok(Err(fault)),
        };
        drop(order);
        loop {
            match child.line().await {
                Ok(Some(line)) => self.pass(line.into()).await?,
                Ok(None) => break,
                Err(fault) => return Ok(Err(fault)),
            }
        }
        match child.end().await {
            Ok((status, errors)) => {
                if !errors.is_empty() {
                    self.tell(&Event::Remark { text: &errors }).await?;
                }
                Ok(Ok(status.code()))
            }
            Err(fault) => Ok(Err(fault)),
        }
    }

    async fn tell(&self, event: &Event<'_>) -> Result<(), Gone> {
        self.pass((to_json(event) + "\n").into()).await
    }

    async fn pass(&self, line: Bytes) -> Result<(), Gone> {
        self.lines.send_timeout(line, PATIENCE).await.map_err(|_| Gone)
    }
}

/// The lines as the body of a response. Dropping it cancels the check.
struct Lines {
    heard: mpsc::Receiver<Bytes>,
    task: AbortHandle,
}

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.heard.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.task.abort();
    }
}
