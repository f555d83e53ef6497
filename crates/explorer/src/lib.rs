//! The explorer: a page for one user's browser, and the server on the loopback address that it talks to.
//!
//! Start at [`serve`]. The server itself computes nothing. Whatever is asked is answered by a child process of the same
//! program, so that a question can be ended at any time, has limits of its own, and has the answer that
//! the command line gives ([`protocol`] is what the two say to each other). What the page sees of models and
//! games is put together in [`views`], on the child's side. The routes are described in `API.md`.

mod checks;
mod child;
mod connections;
mod fault;
pub mod files;
mod guard;
mod inspector;
mod page;
pub mod protocol;
mod questions;
mod routes;
mod session;
pub mod settings;
mod texts;
mod token;
pub mod views;
mod workers;

pub use inspector::{Inspector, MOST_STATES};
pub use settings::{OpenedFile, ServerSettings};
pub use texts::Texts;

use std::io;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Serves until Ctrl-C. `announce` gets the address, with the token in it, when the server listens.
pub fn serve(settings: ServerSettings, announce: impl FnOnce(&str)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", settings.port)).await?;
        let port = listener.local_addr()?.port();
        let session = Arc::new(session::ServerState::new(settings, port)?);
        announce(&session.address());
        let patience = session.settings.patience;
        let routes = routes::routes(session);
        tokio::select! {
            () = connections::accept(listener, routes, patience) => Ok(()),
            end = ended() => end,
        }
    })
}

/// The parent process has ended the server.
#[cfg(not(unix))]
async fn ended() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// The parent process has ended the server.
#[cfg(unix)]
async fn ended() -> io::Result<()> {
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        _ = terminated.recv() => Ok(()),
    }
}
