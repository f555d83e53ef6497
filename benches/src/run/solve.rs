//! Parity games: the time for solving, without reading, against Oink's best sequential solver.

use super::Bench;
use super::process::measure;
use super::table::{Table, geometric_mean, seconds};
use std::io;
use std::path::Path;

struct Game {
    name: &'static str,
    /// As `gen pg` knows it.
    family: &'static str,
    priorities: u32,
    most_sons: u32,
    over: &'static str,
    depth: u32,
}

impl Game {
    fn arguments(&self, nodes: u32) -> Vec<String> {
        let numbers = [nodes, self.priorities, self.most_sons, self.depth].map(|n| n.to_string());
        let [nodes, priorities, sons, depth] = &numbers;
        let fixed = ["pg", self.family, nodes, "--seed", "1", "--over", self.over];
        let chosen = ["--priorities", priorities, "--max", sons, "--depth", depth];
        fixed.iter().chain(&chosen).map(|&argument| argument.to_owned()).collect()
    }
}

fn random(name: &'static str, priorities: u32, most_sons: u32) -> Game {
    Game { name, family: "random", priorities, most_sons, over: "uniform", depth: 8 }
}

fn family(name: &'static str, family: &'static str, over: &'static str) -> Game {
    // Eight levels of Jurdziński's games at this size are too many for everybody.
    let depth = if family == "jurdzinski" { 3 } else { 8 };
    Game { name, family, priorities: 8, most_sons: 5, over, depth }
}

fn games() -> [Game; 12] {
    [
        random("random, 8 priorities, 1 to 5 sons", 8, 5),
        random("random, 1000 priorities, 1 to 2 sons", 1000, 2),
        random("random, 100 priorities, 1 to 10 sons", 100, 10),
        family("depth 2 on a uniform LTS", "mc2", "uniform"),
        family("depth 3 on a uniform LTS", "mc3", "uniform"),
        family("depth 2 on a grid", "mc2", "grid"),
        family("depth 3 on a grid", "mc3", "grid"),
        family("ladder", "ladder", "uniform"),
        family("cliques", "cliques", "uniform"),
        family("Jurdziński", "jurdzinski", "uniform"),
        family("towers of Hanoi", "hanoi", "uniform"),
        family("elevator", "elevator", "uniform"),
    ]
}

/// Those of Oink's sequential solvers that its authors recommend for speed.
const SOLVERS: [&str; 5] = ["--tl", "--zlk", "--npp", "--fpi", "--fpj"];
const LIMIT: &str = "5";
const NODES: u32 = 1_000_000;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let nodes = NODES / bench.divisor;
    let mut table = Table::new(
        format!("Parity games of about {nodes} nodes, solving only"),
        &["game", "Tertium", "Oink's best", "which", "Tertium / Oink"],
    );
    let mut ratios = Vec::new();
    for (number, game) in games().iter().enumerate() {
        let path = bench.input(&format!("game-{number}-{nodes}.pg"), &game.arguments(nodes))?;
        table.row(measure_game(bench, game, &path, &mut ratios)?);
    }
    if !ratios.is_empty() {
        table.note(format!("Geometric mean of the ratios: {:.2}.", geometric_mean(&ratios)));
    }
    table.note(format!(
        "Oink's best is the least total solving time of {}, each with its preprocessing and with \
         `--no`, sequential (`-w -1`), {LIMIT} s at most; Tertium verifies its solution afterwards.",
        SOLVERS.join(", ")
    ));
    Ok(vec![table])
}

fn measure_game(
    bench: &Bench,
    game: &Game,
    path: &Path,
    ratios: &mut Vec<f64>,
) -> io::Result<Vec<String>> {
    let file = path.to_string_lossy();
    // The second of two runs counts, for both: the first one warms the file cache.
    let mut ours = f64::INFINITY;
    for _ in 0..2 {
        let args = ["solve", &file, "--json", "--verify", "--quiet", "--timeout", "20"];
        let run = measure(&bench.tools.tertium, &args)?;
        let json: serde_json::Value = serde_json::from_str(&run.output)?;
        if !json["reason"].is_null() {
            return Ok([game.name, "over 20 s", "", "", ""].map(str::to_owned).to_vec());
        }
        ours = ours.min(json["solve_seconds"].as_f64().unwrap_or(f64::NAN));
    }
    let mut row = vec![game.name.to_owned(), seconds(ours)];
    match best_of_oink(bench, &file)? {
        Some((time, which)) => {
            ratios.push(ours / time);
            row.extend([seconds(time), which, format!("{:.2}", ours / time)]);
        }
        None => row.extend(["none", "", ""].map(str::to_owned)),
    }
    Ok(row)
}

fn best_of_oink(bench: &Bench, file: &str) -> io::Result<Option<(f64, String)>> {
    let Some(oink) = &bench.tools.oink else { return Ok(None) };
    let mut best: Option<(f64, String)> = None;
    for solver in SOLVERS {
        for preprocessing in ["", "--no"] {
            let mut args = vec![solver, "-w", "-1", "-z", LIMIT];
            args.extend((!preprocessing.is_empty()).then_some(preprocessing));
            args.push(file);
            let run = measure(oink, &args)?;
            let Some(time) = total_solving_time(&run.output) else { continue };
            if best.as_ref().is_none_or(|(least, _)| time < *least) {
                best = Some((time, format!("{solver} {preprocessing}").trim().to_owned()));
            }
        }
    }
    Ok(best)
}

/// `total solving time: 0.123 sec.`
fn total_solving_time(output: &str) -> Option<f64> {
    let (_, rest) = output.split_once("total solving time:")?;
    rest.split_whitespace().next()?.parse().ok()
}
