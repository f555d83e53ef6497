//! The files of the page, which are part of the program.

use crate::fault::Fault;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::fmt::Write;

/// A build for development reads them from `dist` when they are asked for; all others have them inside.
#[derive(RustEmbed)]
#[folder = "web/dist"]
struct Files;

const INDEX: &str = "index.html";

/// A file of the page by its path, exactly as it is named.
pub async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let name = match uri.path().strip_prefix('/') {
        Some("") => INDEX,
        Some(name) => name,
        None => "",
    };
    let Some(plain) = Files::get(name) else {
        return Fault::request("there is no such file")
            .with_status(StatusCode::NOT_FOUND)
            .into_response();
    };
    let tag = tag(&plain);
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let packed = accepts_gzip(&headers).then(|| Files::get(&format!("{name}.gz"))).flatten();
    let is_packed = packed.is_some();
    let mut response = packed.unwrap_or(plain).data.into_owned().into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    accepted.unwrap_or_default().split(',').any(|coding| coding.trim() == "gzip")
}

fn tag(file: &EmbeddedFile) -> String {
    let mut tag = String::from("\"");
    for byte in &file.metadata.sha256_hash()[..16] {
        write!(tag, "{byte:02x}").expect("writing to a string");
    }
    tag + "\""
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
