//! Measures the BDDs of this crate beside OxiDD: `cargo run --release -p tertium-bdd --example packages`.
//!
//! Every measurement is a process of its own, so that its memory can be told; each is made three times and
//! the median is shown. Words after the command choose the workloads whose names contain one of them.

mod circuits;
mod machines;
mod orders;
#[path = "../../tests/packages/mod.rs"]
mod packages;
mod puzzles;

use bdd::Stop;
use packages::{Ours, Oxidd, Package};
use std::process::Command;
use std::time::Instant;

/// As many nodes as OxiDD is given.
const MOST_NODES: usize = 1 << 23;
const TIMES: usize = 3;

/// The result of a workload: a number of valuations or of nodes in which both packages must agree, and the
/// most nodes that there were.
struct Done {
    answer: f64,
    nodes: usize,
}

struct Workload {
    name: &'static str,
    ours: fn() -> Result<Done, Stop>,
    /// `None` where OxiDD has no such thing.
    theirs: Option<fn() -> Result<Done, Stop>>,
}

/// A workload that both can do.
macro_rules! both {
    ($name:literal, $($run:ident)::+, $size:expr) => {
        Workload {
            name: $name,
            ours: || $($run)::+::<Ours>($size),
            theirs: Some(|| $($run)::+::<Oxidd>($size)),
        }
    };
}

/// A workload that needs reordering.
macro_rules! alone {
    ($name:literal, $run:path, $size:expr) => {
        Workload { name: $name, ours: || $run($size), theirs: None }
    };
}

const WORKLOADS: &[Workload] = &[
    both!("queens 8", puzzles::queens, 8),
    both!("queens 9", puzzles::queens, 9),
    both!("queens 10", puzzles::queens, 10),
    both!("queens 11", puzzles::queens, 11),
    both!("sliding puzzle 2x3", puzzles::sliding, (2, 3)),
    both!("sliding puzzle 3x3", puzzles::sliding, (3, 3)),
    both!("philosophers 16", machines::philosophers, 16),
    both!("philosophers 64", machines::philosophers, 64),
    both!("philosophers 200", machines::philosophers, 200),
    both!("scheduler 16", machines::scheduler, 16),
    both!("scheduler 64", machines::scheduler, 64),
    both!("counters 8x4", machines::counters, (8, 4)),
    both!("weighted bit 24", circuits::hidden_weighted_bit, 24),
    both!("weighted bit 28", circuits::hidden_weighted_bit, 28),
    both!("multiplier 9", circuits::multiplier, 9),
    both!("multiplier 11", circuits::multiplier, 11),
    alone!("sift equality 16", orders::equality, 16),
    alone!("sift equality 18", orders::equality, 18),
    alone!("sift philosophers 12", orders::philosophers, 12),
    alone!("sift philosophers 24", orders::philosophers, 24),
    alone!("sift many roots", orders::many_roots, 120),
];

/// The most nodes that a package has had.
trait Peak: Package {
    fn peak(&self) -> usize;
}

impl Peak for Ours {
    fn peak(&self) -> usize {
        self.manager.peak()
    }
}

impl Peak for Oxidd {
    /// It collects only when it is almost full, which it does not get here.
    fn peak(&self) -> usize {
        self.used()
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--one", package, name] => one(package, name),
        _ => all(&words),
    }
}

/// Makes one measurement and prints it as a line of numbers.
fn one(package: &str, name: &str) {
    let workload = WORKLOADS.iter().find(|workload| workload.name == name);
    let run = workload.and_then(|workload| match package {
        "kernel" => Some(workload.ours),
        _ => workload.theirs,
    });
    let Some(run) = run else { return };
    let start = Instant::now();
    if let Ok(Done { answer, nodes }) = run() {
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds} {answer} {nodes} {}", resident());
    }
}

/// The most kilobytes that this process has had in memory, where the system says so.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn all(words: &[String]) {
    println!(
        "| workload | kernel s | OxiDD s | ratio | kernel nodes | OxiDD nodes | kernel MB | OxiDD MB |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: |");
    let mut ratios: Vec<f64> = Vec::new();
    for workload in WORKLOADS {
        if words.is_empty() || words.iter().any(|word| workload.name.contains(word.as_str())) {
            ratios.extend(row(workload));
        }
    }
    if ratios.is_empty() {
        return;
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    println!("\nOxiDD takes {mean:.2} times the kernel's time in the geometric mean.");
}

/// Prints a line of the table; how many times longer OxiDD takes.
fn row(workload: &Workload) -> Option<f64> {
    // In turns, so that what else the machine does hits both.
    let mut runs = [Vec::new(), Vec::new()];
    for _ in 0..TIMES {
        runs[0].extend(measured("kernel", workload.name));
        runs[1].extend(measured("OxiDD", workload.name));
    }
    let [ours, theirs] = runs.map(median);
    let [seconds, answer, nodes, kilobytes] = ours?;
    print!("| {} | {seconds:.3} | ", workload.name);
    let Some([their_seconds, their_answer, their_nodes, their_kilobytes]) = theirs else {
        println!("| | {nodes} | → {answer} | {:.1} | |", kilobytes / 1024.0);
        return None;
    };
    assert_eq!(answer, their_answer, "{}", workload.name);
    let ratio = their_seconds / seconds;
    print!("{their_seconds:.3} | {ratio:.2} | {nodes} | {their_nodes} ");
    println!("| {:.1} | {:.1} |", kilobytes / 1024.0, their_kilobytes / 1024.0);
    Some(ratio)
}

fn measured(package: &str, name: &str) -> Option<[f64; 4]> {
    let this = std::env::current_exe().ok()?;
    let output = Command::new(this).args(["--one", package, name]).output().ok()?;
    let line = String::from_utf8(output.stdout).ok()?;
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().ok()
}

/// The run whose time is in the middle.
fn median(mut runs: Vec<[f64; 4]>) -> Option<[f64; 4]> {
    runs.sort_by(|a, b| a[0].total_cmp(&b[0]));
    runs.get(runs.len() / 2).copied()
}
