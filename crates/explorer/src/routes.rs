//! The routes of `API.md`.

use crate::checks::Checks;
use crate::fault::{Fault, FaultKind, json, to_json};
use crate::protocol::{Call, Order, Query, Views};
use crate::questions::{self, Check, Explain};
use crate::session::ServerState;
use crate::workers::{Workers, query_once};
use crate::{guard, page};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A question with all texts has not more bytes.
const MOST_BYTES: usize = 4 << 20;
/// Views are to be looked at by people: what takes more is too large to be looked at as a whole.
const MEMORY_OF_VIEWS: u64 = 1 << 30;

type Shared = State<Arc<ServerState>>;

pub fn routes(session: Arc<ServerState>) -> Router {
    Router::new()
        .route("/api/session", get(session_document))
        .route("/api/read", post(read))
        .route("/api/component", post(component))
        .route("/api/states", post(states))
        .route("/api/walk", post(walk))
        .route("/api/game", post(game))
        .route("/api/game/graph", post(game_graph))
        .route("/api/game/nodes", post(game_nodes))
        .route("/api/checks", post(check))
        .route("/api/checks/{job}", delete(cancel))
        .route("/api/explain", post(explain))
        .route("/api/export", post(export))
        .route("/api/{*other}", axum::routing::any(unknown))
        .fallback(get(page::file))
        .method_not_allowed_fallback(not_allowed)
        .layer(from_fn_with_state(session.clone(), guard::guard))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(session)
}

async fn session_document(State(session): Shared) -> Response {
    json(StatusCode::OK, session.document())
}

async fn unknown() -> Fault {
    Fault::request("there is no such question").with_status(StatusCode::NOT_FOUND)
}

async fn not_allowed() -> Fault {
    Fault::request("this is not asked in this way").with_status(StatusCode::METHOD_NOT_ALLOWED)
}

/// A request and the texts that it is about.
struct Question {
    texts: Map<String, Value>,
    rest: Value,
}

impl FromRequest<Arc<ServerState>> for Question {
    type Rejection = Fault;

    async fn from_request(request: Request, session: &Arc<ServerState>) -> Result<Self, Fault> {
        let length = request.headers().get(header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| length > MOST_BYTES as u64) {
            return Err(too_long());
        }
        let body = Bytes::from_request(request, session);
        let body = tokio::time::timeout(session.settings.patience, body).await;
        let body = body.map_err(|_| {
            Fault::request("the body does not come").with_status(StatusCode::REQUEST_TIMEOUT)
        })?;
        let body = body.map_err(|rejected| match rejected.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_long(),
            _ => Fault::request("the body breaks off"),
        })?;
        let not_json =
            |error: serde_json::Error| Fault::request(format!("this is no question: {error}"));
        let mut fields: Map<String, Value> = serde_json::from_slice(&body).map_err(not_json)?;
        let texts = match fields.remove("texts") {
            Some(Value::Object(texts)) => texts,
            None => Map::new(),
            Some(_) => return Err(Fault::request("`texts` is an object")),
        };
        Ok(Self { texts, rest: Value::Object(fields) })
    }
}

fn too_long() -> Fault {
    Fault::new(FaultKind::Size, format!("a question has at most {MOST_BYTES} bytes"))
}

impl Question {
    fn asked<T: DeserializeOwned>(&mut self) -> Result<T, Fault> {
        let rest = std::mem::take(&mut self.rest);
        serde_json::from_value(rest)
            .map_err(|error| Fault::request(format!("this is no question: {error}")))
    }

    fn for_views(self, session: &ServerState) -> Result<Order, Fault> {
        let files = session.given().map(str::to_owned).collect();
        let memory = session.settings.memory.min(MEMORY_OF_VIEWS);
        let views = Views { files, sync: session.settings.sync.clone(), memory };
        session.order(self.texts, Call::Views(views))
    }
}

async fn read(State(session): Shared, question: Question) -> Result<Response, Fault> {
    query_once(&session, &question.for_views(&session)?, &Query::Read).await
}

/// A question that is answered by a child that knows the texts.
async fn view<T: DeserializeOwned>(
    session: &ServerState,
    mut question: Question,
    query: impl FnOnce(T) -> Query,
) -> Result<Response, Fault> {
    let query = query(question.asked()?);
    Workers::query(session, &question.for_views(session)?, &query).await
}

async fn component(State(session): Shared, question: Question) -> Result<Response, Fault> {
    view(&session, question, Query::Component).await
}

async fn states(State(session): Shared, question: Question) -> Result<Response, Fault> {
    view(&session, question, Query::States).await
}

async fn walk(State(session): Shared, question: Question) -> Result<Response, Fault> {
    view(&session, question, Query::Walk).await
}

async fn game(State(session): Shared, question: Question) -> Result<Response, Fault> {
    view(&session, question, Query::Game).await
}

async fn game_graph(State(session): Shared, question: Question) -> Result<Response, Fault> {
    view(&session, question, Query::GameGraph).await
}

async fn game_nodes(State(session): Shared, question: Question) -> Result<Response, Fault> {
    view(&session, question, Query::GameNodes).await
}

async fn check(State(session): Shared, mut question: Question) -> Result<Response, Fault> {
    let asked: Check = question.asked()?;
    let arguments = asked.arguments(&session)?;
    Checks::start(&session, session.order(question.texts, Call::Command(arguments))?)
}

async fn cancel(State(session): Shared, Path(job): Path<u64>) -> Response {
    let cancelled = session.checks.cancel(job);
    json(StatusCode::OK, to_json(&serde_json::json!({ "cancelled": cancelled })))
}

async fn explain(State(session): Shared, mut question: Question) -> Result<Response, Fault> {
    let asked: Explain = question.asked()?;
    let arguments = asked.arguments("json", &session)?;
    let order = session.order(question.texts, Call::Command(arguments))?;
    Ok(json(StatusCode::OK, questions::run(&session, &order).await?))
}

async fn export(State(session): Shared, mut question: Question) -> Result<Response, Fault> {
    let form = question.rest.as_object_mut().and_then(|fields| fields.remove("form"));
    let form = form.as_ref().and_then(Value::as_str).unwrap_or("html");
    let asked: Explain = question.asked()?;
    let arguments = asked.arguments(form, &session)?;
    let order = session.order(question.texts, Call::Command(arguments))?;
    let mut response = questions::run(&session, &order).await?.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    let name = format!("attachment; filename=\"{}\"", asked.file_name(form, &session));
    if let Ok(name) = HeaderValue::from_str(&name) {
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}
