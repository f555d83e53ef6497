//! One large system: formulas on Aldebaran files and parity games, against mCRL2 and Oink, and how times grow.

use super::Bench;
use super::peers::{OINK, OINK_LIMIT, Time, mcrl2, oink};
use super::table::{Table, exponent, geometric_mean, megabytes, row, seconds};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// By name and alternation depth, in mcf, so that both tools read the same text.
pub const FORMULAS: [(&str, u32, &str); 3] = [
    ("invariant with response", 1, "nu X. [true]X && mu Y. (<a0>true || [a1]Y)"),
    ("infinitely often", 2, "nu X. mu Y. <a0>X || <a1 || a2>Y"),
    ("a game", 2, "nu X. mu Y. <a0>X || ([a1]Y && <a2>X)"),
];

/// A labelled transition system with five transitions a state.
fn lts(bench: &Bench, shape: &str, states: u32) -> io::Result<String> {
    bench.input(&format!("{shape}-{states}.aut"), &format!("lts {shape} {states} 5 --seed 1"))
}

/// The result of the first property, and the run.
fn check(bench: &Bench, args: &[&str]) -> io::Result<(Value, super::process::Run)> {
    let run = bench.tertium(&[&["check", "--json", "--quiet"], args].concat())?;
    let mut reported: Value = serde_json::from_str(&run.output)?;
    Ok((reported["results"][0].take(), run))
}

fn figure(reported: &Value, name: &str) -> u64 {
    reported["stats"][name].as_u64().unwrap_or(0)
}

/// Whole processes, reading included.
pub fn formulas(bench: &Bench, name: &str) -> io::Result<Vec<Table>> {
    let states = bench.scaled(1_000_000);
    let model = lts(bench, name, states)?;
    let mut times = Table::new(format!("Formulas on an LTS: {name}, {states} states"));
    let mut memory = Table::new(format!("Memory: {name}"));
    for (formula, depth, text) in FORMULAS {
        let (reported, run) = check(bench, &[&model, "--mcf", text])?;
        let verdict = reported["verdict"].as_str().unwrap_or("none");
        let (time, peak) = mcrl2(bench, &model, text, verdict, Duration::MAX)?;
        let mut cells = row![formula, depth, verdict, seconds(run.seconds)];
        let ours = megabytes(run.peak_bytes);
        cells.extend(match time {
            Time::Took(time) => row![
                seconds(time),
                format!("{:.0}", time / run.seconds),
                ours,
                megabytes(peak),
                format!("1/{:.0}", peak as f64 / run.peak_bytes as f64),
            ],
            _ => row!["not there", "", ours, "", ""],
        });
        times.row(cells);
        let (transitions, nodes) =
            (figure(&reported, "transitions"), figure(&reported, "game_nodes"));
        let allowed = 12 * transitions + 16 * nodes;
        let share = format!("{:.2}", run.peak_bytes as f64 / allowed as f64);
        memory.row(row![formula, transitions, nodes, ours, megabytes(allowed), share]);
    }
    times.note("mCRL2 is `lts2pbes` and `pbessolve`, whole processes; the larger peak of the two.");
    memory.note("The peak is that of the whole process, reading included.");
    Ok(vec![times, memory])
}

/// Time as the game grows, in one process after the other, reading excluded.
pub fn growth(bench: &Bench) -> io::Result<Vec<Table>> {
    // Six positions of the game for each state.
    const FORMULA: &str = "nu X. [true]X && mu Y. (<a0>true || [a1]Y || <a2>Y)";
    const STATES: [u32; 6] = [200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 8_500_000];
    let mut tables = Vec::new();
    for name in ["grid", "uniform"] {
        let mut table =
            Table::new(format!("Growth: an alternation-free formula on an LTS ({name})"));
        let mut points = Vec::new();
        for states in STATES.map(|states| bench.scaled(states)) {
            let model = lts(bench, name, states)?;
            let (mut time, mut nodes, mut peak) = (f64::INFINITY, 0, 0);
            for _ in 0..3 {
                let (reported, run) = check(bench, &[&model, "--mcf", FORMULA])?;
                let seconds = reported["seconds"].as_f64().unwrap_or(f64::NAN);
                if seconds < time {
                    (time, nodes, peak) =
                        (seconds, figure(&reported, "game_nodes"), run.peak_bytes);
                }
            }
            points.push((nodes as f64, time));
            let each = format!("{:.0} ns", time * 1e9 / nodes as f64);
            table.row(row![states, nodes, seconds(time), each, megabytes(peak)]);
        }
        let exponent = exponent(&points).unwrap_or(f64::NAN);
        table.note(format!("Fitted exponent of time in game nodes: {exponent:.2}."));
        table.note("The best of three runs each.");
        tables.push(table);
    }
    Ok(tables)
}

/// A machine of a million states, enumerated into a model.
pub fn enumeration(bench: &Bench) -> io::Result<Vec<Table>> {
    const MACHINE: &str = "benches/data/million.smv";
    let mut table = Table::new("A machine of a million states, enumerated");
    if !Path::new(MACHINE).exists() {
        table.note(format!("`{MACHINE}` is not there: run it in the root of the repository."));
        return Ok(vec![table]);
    }
    for _ in 0..3 {
        let (reported, run) = check(bench, &["--method", "direct", MACHINE])?;
        let time = run.seconds - reported["seconds"].as_f64().unwrap_or(f64::NAN);
        let (states, transitions) = (figure(&reported, "states"), figure(&reported, "transitions"));
        let rate = format!("{:.1} million", transitions as f64 / time / 1e6);
        table.row(row![states, transitions, seconds(time), rate]);
    }
    Ok(vec![table])
}

/// By name, and as `gen pg` knows them.
const GAMES: [(&str, &str); 12] = [
    ("random, 8 priorities, 1 to 5 sons", "random --priorities 8 --max 5"),
    ("random, 1000 priorities, 1 to 2 sons", "random --priorities 1000 --max 2"),
    ("random, 100 priorities, 1 to 10 sons", "random --priorities 100 --max 10"),
    ("depth 2 on a uniform LTS", "mc2 --over uniform"),
    ("depth 3 on a uniform LTS", "mc3 --over uniform"),
    ("depth 2 on a grid", "mc2 --over grid"),
    ("depth 3 on a grid", "mc3 --over grid"),
    ("ladder", "ladder"),
    ("cliques", "cliques"),
    // Eight levels at this size are too many for everybody.
    ("Jurdziński", "jurdzinski --depth 3"),
    ("towers of Hanoi", "hanoi"),
    ("elevator", "elevator"),
];

/// The time for solving, without reading, against Oink's best sequential solver.
pub fn games(bench: &Bench) -> io::Result<Vec<Table>> {
    let nodes = bench.scaled(1_000_000);
    let mut files = Vec::new();
    for (number, (name, args)) in GAMES.into_iter().enumerate() {
        let (family, rest) = args.split_once(' ').unwrap_or((args, "--seed 1"));
        let file = format!("game-{number}-{nodes}.pg");
        let file = bench.input(&file, &format!("pg {family} {nodes} {rest}"))?;
        files.push((name.to_owned(), file));
    }
    let title = format!("Parity games of about {nodes} nodes, solving only");
    Ok(vec![against_oink(bench, title, files)?])
}

/// A table of all games in a folder: games of SYNTCOMP, and those of Oink's generators that are hard for some solver.
pub fn game_files(bench: &Bench) -> io::Result<Vec<Table>> {
    let Some(folder) = &bench.games else { return Ok(Vec::new()) };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pg") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, path.to_string_lossy().into_owned()));
        }
    }
    files.sort();
    Ok(vec![against_oink(bench, "Parity games from files, solving only".to_owned(), files)?])
}

/// Each game by its name and its file.
fn against_oink(bench: &Bench, title: String, files: Vec<(String, String)>) -> io::Result<Table> {
    let mut table = Table::new(title);
    let mut ratios = Vec::new();
    for (name, file) in files {
        // The second of two runs counts, for both: the first one warms the file cache.
        let mut ours = Some(f64::INFINITY);
        for _ in 0..2 {
            let args = ["solve", &file, "--json", "--verify", "--quiet", "--timeout", "20"];
            let json: Value = serde_json::from_str(&bench.tertium(&args)?.output)?;
            let time = json["solve_seconds"].as_f64().filter(|_| json["reason"].is_null());
            ours = ours.zip(time).map(|(least, time)| time.min(least));
        }
        let Some(ours) = ours else {
            table.row(row![name, "over 20 s", "", "", ""]);
            continue;
        };
        table.row(match oink(&file)? {
            Some((time, which)) => {
                ratios.push(ours / time);
                row![name, seconds(ours), seconds(time), which, format!("{:.2}", ours / time)]
            }
            None => row![name, seconds(ours), "none", "", ""],
        });
    }
    if !ratios.is_empty() {
        table.note(format!("Geometric mean of the ratios: {:.2}.", geometric_mean(&ratios)));
    }
    table.fill("solvers", OINK.join(", "));
    table.fill("limit", OINK_LIMIT);
    Ok(table)
}
