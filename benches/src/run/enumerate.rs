//! A machine of a million states, enumerated into a model.

use super::Bench;
use super::process::measure;
use super::table::{Table, seconds};
use std::io;
use std::path::Path;

const MACHINE: &str = "benches/data/million.smv";
const REPETITIONS: usize = 3;

pub fn table(bench: &Bench) -> io::Result<Table> {
    let mut table = Table::new(
        "A machine of a million states, enumerated",
        &["states", "transitions", "time without the check", "transitions a second"],
    );
    if !Path::new(MACHINE).exists() {
        table.note(format!("`{MACHINE}` is not there: run it in the root of the repository."));
        return Ok(table);
    }
    let check = ["check", "--no-progress", "--json", "--method", "direct", MACHINE];
    for _ in 0..REPETITIONS {
        let run = measure(&bench.tools.tertium, &check)?;
        let figure = |name: &str| figure(&run.output, name);
        let time = run.seconds - figure("seconds");
        let (states, transitions) = (figure("states"), figure("transitions"));
        let rate = format!("{:.1} million", transitions / time / 1e6);
        table.row(vec![states.to_string(), transitions.to_string(), seconds(time), rate]);
    }
    Ok(table)
}

/// A number of the JSON that `check` prints, by its name.
fn figure(json: &str, name: &str) -> f64 {
    let after = json.split_once(&format!("\"{name}\":")).map_or("", |(_, after)| after);
    let end = after.find([',', '}']).unwrap_or(after.len());
    after[..end].parse().unwrap_or(f64::NAN)
}
