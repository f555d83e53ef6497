//! Who is let in: the page of this server, in a browser on this machine, with the token.

use crate::fault::{Fault, FaultKind};
use crate::session::ServerState;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Only files of the page are loaded and run, and no other page can embed it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Looks at every request before anything else does.
pub async fn guard(
    State(session): State<Arc<ServerState>>,
    request: Request,
    next: Next,
) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = match admit(&session, &request, is_api) {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

fn admit(session: &ServerState, request: &Request, is_api: bool) -> Result<(), Fault> {
    let headers = request.headers();
    if !is_ours(session, headers, &header::HOST, "") {
        return Err(Fault::new(FaultKind::Host, "this is not the address of the explorer"));
    }
    if headers.contains_key(header::ORIGIN)
        && !is_ours(session, headers, &header::ORIGIN, "http://")
    {
        return Err(Fault::new(FaultKind::Origin, "another page asks"));
    }
    if !is_api {
        return Ok(());
    }
    if !has_token(session, headers) {
        return Err(Fault::new(FaultKind::Token, "the token is missing or not the right one")
            .with_help("open the address that `tertium explore` has printed"));
    }
    let is_json = headers.get(header::CONTENT_TYPE).is_some_and(|kind| {
        kind.to_str().is_ok_and(|kind| kind.split(';').next() == Some("application/json"))
    });
    if request.method() == Method::POST && !is_json {
        return Err(Fault::request("a question is `Content-Type: application/json`")
            .with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    Ok(())
}

/// Whether a header is there once and names this server.
fn is_ours(session: &ServerState, headers: &HeaderMap, name: &HeaderName, before: &str) -> bool {
    let mut values = headers.get_all(name).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let place = value.to_str().ok().and_then(|value| value.strip_prefix(before));
    place.is_some_and(|place| session.hosts.iter().any(|host| host.eq_ignore_ascii_case(place)))
}

fn has_token(session: &ServerState, headers: &HeaderMap) -> bool {
    let given = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
    given
        .and_then(|given| given.strip_prefix(b"Bearer "))
        .is_some_and(|token| session.token.is(token))
}
