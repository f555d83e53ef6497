//! The experiment of X §6: a program of n blocks seen through predicates, under both semantics, in the layout of Fig. 3
//! with the paper's figures beside ours, at the paper's sizes and beyond them.
//!
//! ```text
//! cargo build --release && cargo run --release -p benches -- run mixed
//! ```

mod bars;
mod clock;
mod figure;
mod growth;
mod measured;
mod paper;
mod trial;

use super::Bench;
use super::table::Table;
use std::io;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let rows = measured::measure(bench)?;
    Ok(vec![
        figure::sizes(&rows),
        figure::properties(&rows),
        growth::table(&rows),
        bars::table(&rows),
    ])
}

/// What has no answer in the time that there is.
const NO_ANSWER: &str = "–";

fn shown<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or(NO_ANSWER.to_owned(), show)
}

/// As precisely as it matters.
fn in_seconds(value: f64) -> String {
    match value {
        _ if value < 1e-4 => "< 10⁻⁴".to_owned(),
        _ if value < 0.1 => format!("{value:.4}"),
        _ => format!("{value:.2}"),
    }
}

fn in_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
