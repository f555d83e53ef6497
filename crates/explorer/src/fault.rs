//! Answers that say what is wrong.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

/// An error in a request; the kinds are those of `API.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    Token,
    Host,
    Origin,
    Request,
    Size,
    Text,
    Limit,
    Busy,
    Internal,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fault {
    pub kind: FaultKind,
    pub message: String,
    pub help: Option<String>,
    /// As the command line says it.
    pub text: Option<String>,
    #[serde(skip)]
    status: Option<u16>,
}

#[derive(Serialize)]
struct Document {
    error: Fault,
}

impl Fault {
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None, text: None, status: None }
    }

    pub fn request(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Request, message)
    }

    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    #[must_use]
    pub fn with_text(self, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..self }
    }

    /// With another status than that of its kind.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status: Some(status.as_u16()), ..self }
    }

    fn status(&self) -> StatusCode {
        let of_kind = match self.kind {
            FaultKind::Token => StatusCode::UNAUTHORIZED,
            FaultKind::Host | FaultKind::Origin => StatusCode::FORBIDDEN,
            FaultKind::Request => StatusCode::BAD_REQUEST,
            FaultKind::Size => StatusCode::PAYLOAD_TOO_LARGE,
            FaultKind::Text | FaultKind::Limit => StatusCode::UNPROCESSABLE_ENTITY,
            FaultKind::Busy => StatusCode::SERVICE_UNAVAILABLE,
            FaultKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        self.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(of_kind)
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        json(self.status(), to_json(&Document { error: self }))
    }
}

pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("keys are strings and nothing fails")
}

/// A JSON text as an answer.
pub fn json(status: StatusCode, text: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
