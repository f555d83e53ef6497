//! The program from outside: limits, signals, pipes, and what scripts rely on.

mod assume;
mod batch;
mod emission;
mod formats;
mod holes;
mod imperative;
mod input;
mod integers;
mod json;
mod limits;
mod linear_integers;
mod nodes;
mod promela;
#[cfg(unix)]
mod screen;
#[cfg(unix)]
mod signals;
mod simulate;
mod smv;
mod smv_evidence;
mod smv_integers;
mod support;
#[cfg(target_os = "linux")]
mod terminal;
