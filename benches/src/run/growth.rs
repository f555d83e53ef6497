//! Time as the game grows, in one process after the other, reading excluded.

use super::Bench;
use super::figures::Figures;
use super::process::measure;
use super::table::{Table, exponent, megabytes, seconds};
use std::io;

/// Six positions of the game for each state.
const FORMULA: &str = "nu X. [true]X && mu Y. (<a0>true || [a1]Y || <a2>Y)";
const STATES: [u32; 6] = [200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 8_500_000];

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut tables = Vec::new();
    for name in ["grid", "uniform"] {
        let mut table = Table::new(
            format!("Growth: an alternation-free formula on an LTS ({name})"),
            &["states", "game nodes", "checking", "a node", "peak of the process"],
        );
        let mut points = Vec::new();
        for states in STATES.map(|states| states / bench.divisor) {
            let model = bench.lts(name, states)?;
            let mut best: Option<(f64, Figures, u64)> = None;
            for _ in 0..3 {
                let run = measure(
                    &bench.tools.tertium,
                    &["check", &model.to_string_lossy(), "--mcf", FORMULA, "--json", "--quiet"],
                )?;
                let figures = Figures::read(&run.output)?;
                if best.as_ref().is_none_or(|(least, ..)| figures.seconds < *least) {
                    best = Some((figures.seconds, figures, run.peak_bytes));
                }
            }
            let Some((time, figures, peak)) = best else { continue };
            points.push((figures.game_nodes as f64, time));
            table.row(vec![
                states.to_string(),
                figures.game_nodes.to_string(),
                seconds(time),
                format!("{:.0} ns", time * 1e9 / figures.game_nodes as f64),
                megabytes(peak),
            ]);
        }
        table.note(format!("Fitted exponent of time in game nodes: {:.2}.", exponent(&points)));
        table.note("The best of three runs each.");
        tables.push(table);
    }
    Ok(tables)
}
