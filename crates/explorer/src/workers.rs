//! Children that are kept because the next question may be about the same texts: what one has read, enumerated
//! or played need not be done again.

use crate::child::{Child, internal};
use crate::fault::{Fault, FaultKind, json, to_json};
use crate::protocol::{Order, Query};
use crate::session::ServerState;
use axum::http::StatusCode;
use axum::response::Response;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// So many are kept: for what is in the editor, and for what was there before.
const MOST_KEPT: usize = 2;
/// So many questions are answered at once.
const MOST_ASKED: usize = 3;
/// The time limit of a view.
const PATIENCE: Duration = Duration::from_secs(60);
/// A child process that is idle for so long is ended, which frees its memory.
const KEPT_FOR: Duration = Duration::from_secs(300);

/// A place for the child of some texts. Questions about the same texts wait for each other.
type Place = Arc<PlaceInside>;
type PlaceInside = tokio::sync::Mutex<Option<CachedWorker>>;

struct CachedWorker {
    child: Child,
    used: Instant,
}

pub struct Workers {
    hasher: RandomState,
    /// By texts, the last used last.
    places: Mutex<Vec<(u64, Place)>>,
    asked: Semaphore,
}

impl Default for Workers {
    fn default() -> Self {
        let asked = Semaphore::new(MOST_ASKED);
        Self { hasher: RandomState::new(), places: Mutex::default(), asked }
    }
}

impl Workers {
    /// Asks the child that has these texts. If the one who asks goes away, so does the child: it has
    /// begun something that is not wanted any more.
    pub async fn query(
        session: &ServerState,
        order: &Order,
        query: &Query,
    ) -> Result<Response, Fault> {
        let workers = &session.workers;
        let answered = tokio::time::timeout(PATIENCE, async {
            let _turn = workers.asked.acquire().await.map_err(|_| internal("no more questions"))?;
            let place = workers.place(workers.hasher.hash_one(&order.texts));
            let mut own = place.lock().await;
            let (child, answer) = match own.take() {
                // One that has ended in the meantime, at a limit, makes room for another.
                Some(CachedWorker { mut child, .. }) => match question(&mut child, query).await {
                    Ok(answer) => (child, Ok(answer)),
                    Err(_) => query_new(session, order, query).await?,
                },
                None => query_new(session, order, query).await?,
            };
            // One that has ended is of no use.
            if answer.is_ok() {
                *own = Some(CachedWorker { child, used: Instant::now() });
                tokio::spawn(let_go(Arc::downgrade(&place)));
            }
            answer
        });
        answered.await.unwrap_or_else(|_| Err(out_of_time()))
    }

    /// The place of some texts; others make room for it.
    fn place(&self, texts: u64) -> Place {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let known = places.iter().position(|(key, _)| *key == texts);
        let entry = match known {
            Some(index) => places.remove(index),
            None => (texts, Place::default()),
        };
        if places.len() >= MOST_KEPT {
            places.remove(0);
        }
        places.push(entry.clone());
        entry.1
    }
}

async fn query_new(
    session: &ServerState,
    order: &Order,
    query: &Query,
) -> Result<(Child, Result<Response, Fault>), Fault> {
    let mut child = Child::start(&session.settings.program, order).await?;
    let answer = question(&mut child, query).await;
    Ok((child, answer))
}

/// A question to a child of its own.
pub async fn query_once(
    session: &ServerState,
    order: &Order,
    query: &Query,
) -> Result<Response, Fault> {
    let answered = tokio::time::timeout(PATIENCE, async {
        let _turn = session.questions.acquire().await.map_err(|_| internal("no more questions"))?;
        let mut child = Child::start(&session.settings.program, order).await?;
        question(&mut child, query).await
    });
    answered.await.unwrap_or_else(|_| Err(out_of_time()))
}

fn out_of_time() -> Fault {
    let seconds = PATIENCE.as_secs();
    Fault::new(FaultKind::Limit, format!("this takes longer than {seconds} seconds"))
}

/// A line to a child, and the line that it answers with: a status, a blank and JSON.
async fn question(child: &mut Child, query: &Query) -> Result<Response, Fault> {
    child.tell(to_json(query)).await?;
    let Some(mut line) = child.line().await? else {
        return Err(internal("a process has ended without an answer"));
    };
    let text = line.split_off(line.iter().position(|&byte| byte == b' ').map_or(0, |i| i + 1));
    let status = std::str::from_utf8(&line).ok().and_then(|line| line.trim().parse().ok());
    let status = status.and_then(|status| StatusCode::from_u16(status).ok());
    status.map(|status| json(status, text)).ok_or_else(|| internal("an answer without a status"))
}

/// After a while, unless it was used again.
async fn let_go(place: Weak<PlaceInside>) {
    tokio::time::sleep(KEPT_FOR).await;
    // Others may have taken its place.
    let Some(place) = place.upgrade() else { return };
    let mut own = place.lock().await;
    if own.as_ref().is_some_and(|kept| kept.used.elapsed() >= KEPT_FOR) {
        *own = None;
    }
}
