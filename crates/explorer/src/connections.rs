//! Connections: so many at once, and none that is opened and never asks.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// More connections wait until others have ended.
const MOST: usize = 256;
const MOST_HEADERS: usize = 64;
const MOST_HEADER_BYTES: usize = 32 << 10;

/// Takes connections as they come, for ever.
pub async fn accept(listener: TcpListener, routes: Router, patience: Duration) {
    let slots = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok(slot) = slots.clone().acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(serve(stream, routes.clone(), patience, slot));
            }
            // The client has disconnected, or the limit of open files is reached.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn serve(stream: TcpStream, routes: Router, patience: Duration, _slot: OwnedSemaphorePermit) {
    // Lines of a stream are to be seen when they are written.
    let _ = stream.set_nodelay(true);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_headers(MOST_HEADERS)
        .max_buf_size(MOST_HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes));
    // What was wrong with a connection concerns the other side, which has gone.
    let _ = served.await;
}
