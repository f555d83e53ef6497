//! While-programs: what checking one piece after the other takes, against the whole and against NuSMV.

use super::ask::Sample;
use super::peers::reported_by_nusmv;
use super::process::{measure, on_path};
use super::table::{
    NOTHING, Table, exponent, geometric_mean, greatest, kilobytes, megabytes, or, readable, row,
};
use super::{Bench, Tables};
use crate::inputs::programs::Program;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub const TABLES: [Tables; 6] = [memory, within, times, nested, calls, rival];

/// One program in a file.
struct Case<'a> {
    bench: &'a Bench,
    program: Program,
    /// How a table names it, without its size and with it.
    kind: String,
    name: String,
    path: String,
}

/// The time of checking, without reading.
fn checking(cost: &Option<Sample>) -> Option<f64> {
    cost.as_ref().map(|cost| cost.checking)
}

fn time(cost: &Option<Sample>) -> String {
    or(checking(cost).map(readable), NOTHING)
}

fn count(cost: &Option<Sample>, name: &str) -> String {
    or(cost.as_ref().map(|cost| cost.count(name)), NOTHING)
}

fn room(cost: &Option<Sample>) -> String {
    or(cost.as_ref().map(|cost| kilobytes(cost.count("largest_block_bytes"))), NOTHING)
}

/// How often as much the first is as the second.
fn ratio(a: Option<f64>, b: Option<f64>) -> String {
    super::table::ratio(a.zip(b).map(|(a, b)| a / b), NOTHING)
}

impl<'a> Case<'a> {
    fn new(bench: &'a Bench, program: Program, size: u32, bits: Option<u32>) -> io::Result<Self> {
        let name = program.name();
        let width = or(bits.map(|bits| format!(" ({bits} bits)")), "");
        let (end, flag) =
            bits.map_or_else(Default::default, |b| (format!("-{b}"), format!(" --bits {b}")));
        let file = format!("{name}-{size}{end}.while");
        let path = bench.input(&file, &format!("program {name} {size}{flag}"))?;
        let (kind, name) = (format!("{name}{width}"), format!("{name} {size}{width}"));
        Ok(Self { bench, program, kind, name, path })
    }

    /// Checks all properties with these flags; `None` if it does not end in the time that it has. A wrong verdict is
    /// an error.
    fn ask(&self, flags: &[&str]) -> io::Result<Option<Sample>> {
        let args = [&[&*self.path], flags].concat();
        let Some((all, run)) = self.bench.check(&args, self.bench.limit)? else { return Ok(None) };
        let stated = self.program.verdicts();
        let is_wrong = |(reported, holds): (&serde_json::Value, &bool)| {
            reported["verdict"] != "unknown" && reported["verdict"] != holds.to_string()
        };
        if all.len() != stated.len() || all.iter().zip(&stated).any(is_wrong) {
            let args = args.join(" ");
            return Err(io::Error::other(format!("{args}: a verdict is wrong or missing")));
        }
        // All have been answered together, or else some may have been and others not.
        let seconds = all.iter().filter_map(|reported| reported["seconds"].as_f64());
        let checking = greatest(seconds);
        let unknown = all.iter().find(|reported| reported["verdict"] == "unknown");
        let reported = unknown.unwrap_or(&all[0]).clone();
        let (process, cpu, peak_bytes) = (run.seconds, run.cpu, run.peak_bytes);
        Ok(Some(Sample { reported, checking, process, cpu, peak_bytes }))
    }

    /// The median run by the time of checking, of five unless they take long, if there is an answer.
    fn median(&self, flags: &[&str]) -> io::Result<Option<Sample>> {
        let mut costs: Vec<Sample> = Vec::new();
        let mut spent = 0.0;
        while costs.len() < self.bench.either(5, 1) && spent < 10.0 {
            let Some(cost) = self.ask(flags)?.and_then(Sample::definite) else { return Ok(None) };
            spent += cost.process;
            costs.push(cost);
        }
        costs.sort_by(|a, b| a.checking.total_cmp(&b.checking));
        Ok(costs.get(costs.len() / 2).cloned())
    }

    fn partition(&self, partition: &str) -> io::Result<Option<Sample>> {
        self.median(&["--partition", partition])
    }
}

/// Room for sets as a program grows and its variables do not.
fn memory(bench: &Bench) -> io::Result<Vec<Table>> {
    // With how many statements for each unit of size, how many bits, and what else is asked for.
    const CASES: [(Program, u32, Option<u32>, &[&str]); 8] = [
        (Program::Straight, 1, None, &[]),
        (Program::Loops, 4, None, &[]),
        (Program::Calls, 2, None, &[]),
        (Program::Server, 3, None, &[]),
        (Program::Server, 3, None, &["--memory", "200M"]),
        (Program::Straight, 1, Some(6), &["--sets", "bits"]),
        (Program::Loops, 4, Some(4), &[]),
        (Program::Straight, 1, Some(14), &[]),
    ];
    let mut table = Table::new("Programs: room for sets as the program grows");
    for (program, each, bits, flags) in CASES {
        let (mut points, mut kind) = ([Vec::new(), Vec::new()], String::new());
        // So many; the exact number depends on the program.
        let sizes = [100, 1_000, 10_000, 100_000].into_iter();
        for statements in sizes.filter(|count| *count <= bench.scaled(100_000)) {
            let case = Case::new(bench, program, statements / each, bits)?;
            let ask = |partition| -> io::Result<Option<Sample>> {
                Ok(case
                    .ask(&[flags, &["--partition", partition]].concat())?
                    .and_then(Sample::definite))
            };
            let costs = [ask("auto")?, ask("whole")?];
            for (cost, points) in costs.iter().zip(&mut points) {
                let bytes = cost.as_ref().and_then(|cost| cost.figure("largest_block_bytes"));
                points.extend(bytes.map(|bytes| (f64::from(statements), bytes)));
            }
            let [auto, whole] = &costs;
            let process = |cost: &Option<Sample>| {
                or(cost.as_ref().map(|cost| megabytes(cost.count("peak_bytes"))), NOTHING)
            };
            kind = case.kind;
            let (flags, blocks) = (flags.join(" "), count(auto, "blocks"));
            let (by_auto, by_whole) = (process(auto), process(whole));
            table.row(row![
                kind,
                flags,
                statements,
                blocks,
                room(auto),
                room(whole),
                by_auto,
                by_whole
            ]);
        }
        let [auto, whole] = points.map(|points| super::table::ratio(exponent(&points), NOTHING));
        table.note(format!(
            "{kind} {}: fitted exponents in the statements: {auto} by `auto`, {whole} by `whole`.",
            flags.join(" ")
        ));
    }
    Ok(vec![table])
}

/// Programs whose whole takes ten times the memory that there is.
fn within(bench: &Bench) -> io::Result<Vec<Table>> {
    const CASES: [(Program, u32, Option<u32>); 5] = [
        (Program::Straight, 10_000, Some(6)),
        (Program::Loops, 3_000, Some(6)),
        (Program::Calls, 10_000, None),
        (Program::Library, 100, Some(6)),
        (Program::Server, 5_000, Some(7)),
    ];
    let mut table = Table::new("Programs: a tenth of the memory");
    for (program, size, bits) in CASES {
        let case = Case::new(bench, program, bench.scaled(size), bits)?;
        let free = case.ask(&["--sets", "bits", "--partition", "whole"])?;
        let Some(free) = free.and_then(Sample::definite) else {
            table.row(std::iter::once(case.name).chain(vec![NOTHING.to_owned(); 10]).collect());
            continue;
        };
        let peak = |cost: &Option<Sample>| {
            or(cost.as_ref().map(|cost| megabytes(cost.count("peak_bytes"))), NOTHING)
        };
        let allowed = free.count("peak_bytes") / 10;
        let ask = |partition| {
            let memory = allowed.to_string();
            case.ask(&["--sets", "bits", "--partition", partition, "--memory", &memory])
        };
        let (whole, auto) = (ask("whole")?, ask("auto")?);
        let verdict = |cost: &Option<Sample>| match cost {
            Some(cost) if cost.is_definite() => "decided".to_owned(),
            Some(cost) => {
                format!("unknown ({})", cost.reported["reason"].as_str().unwrap_or("none"))
            }
            None => NOTHING.to_owned(),
        };
        let (free_time, free) = (readable(free.checking), peak(&Some(free)));
        table.row(row![
            case.name,
            free,
            megabytes(allowed),
            verdict(&whole),
            peak(&whole),
            verdict(&auto),
            peak(&auto),
            count(&auto, "blocks"),
            count(&auto, "passes"),
            time(&auto),
            free_time,
        ]);
    }
    Ok(vec![table])
}

/// Time against the whole, where both fit.
fn times(bench: &Bench) -> io::Result<Vec<Table>> {
    // The last says whether `statement` takes no loop apart either.
    const CASES: [(Program, u32, Option<u32>, bool); 12] = [
        (Program::Straight, 1_000, None, true),
        (Program::Straight, 10_000, None, true),
        (Program::Straight, 2_000, Some(6), true),
        (Program::Straight, 2_000, Some(14), true),
        (Program::Library, 10, None, true),
        (Program::Loops, 1_000, None, false),
        (Program::Loops, 5_000, None, false),
        (Program::Loops, 500, Some(5), false),
        (Program::Calls, 1_000, None, false),
        (Program::Calls, 5_000, None, false),
        (Program::Server, 1_000, None, false),
        (Program::Server, 5_000, None, false),
    ];
    let mut table = Table::new("Programs: time against the whole");
    let (mut auto_ratios, mut statement_ratios) = (Vec::new(), Vec::new());
    for (program, size, bits, has_no_loop) in CASES {
        let case = Case::new(bench, program, bench.scaled(size), bits)?;
        let (whole, auto) = (case.partition("whole")?, case.partition("auto")?);
        let statement = case.partition("statement")?;
        let process = |cost: &Option<Sample>| cost.as_ref().map(|cost| cost.process);
        let quotient = |cost: &Option<Sample>| Some(checking(cost)? / checking(&whole)?);
        auto_ratios.extend(quotient(&auto));
        statement_ratios.extend(quotient(&statement).filter(|_| has_no_loop));
        let mut cells = row![case.name, time(&whole)];
        for cost in [&auto, &statement] {
            let (by, by_process) =
                (ratio(checking(cost), checking(&whole)), ratio(process(cost), process(&whole)));
            cells.extend([time(cost), by, by_process]);
        }
        cells.push(count(&statement, "passes"));
        table.row(cells);
    }
    for (name, ratios) in
        [("`auto`", auto_ratios), ("`statement`, of programs without loops", statement_ratios)]
    {
        let within = ratios.iter().filter(|ratio| **ratio <= 1.5).count();
        table.note(format!(
            "{name}: at most 1.5 times the time of `whole` in {within} of {}; {:.2} in the geometric mean, {:.2} at \
             most.",
            ratios.len(),
            geometric_mean(&ratios),
            greatest(ratios)
        ));
    }
    Ok(vec![table])
}

/// A file for `--partition` that opens every loop, if there is one. The generated programs have a command in a line.
fn opened_loops(case: &Case) -> io::Result<Option<String>> {
    let mut cuts = String::new();
    for (number, line) in fs::read_to_string(&case.path)?.lines().enumerate() {
        let command = line.trim_start();
        if command.starts_with("while ") {
            cuts += &format!("open {}:{}\n", number + 1, line.len() - command.len() + 1);
        }
    }
    let path = Path::new(&case.path).with_extension("cuts");
    fs::write(&path, &cuts)?;
    Ok((!cuts.is_empty()).then(|| path.to_string_lossy().into_owned()))
}

/// Passes, pieces checked, results reused.
fn work(cost: &Option<Sample>) -> [String; 3] {
    ["passes", "checked_blocks", "reused_blocks"].map(|name| count(cost, name))
}

/// Loops that are taken apart, in each other.
fn nested(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Programs: nested loops that are taken apart");
    for bits in [3, 5, 8] {
        for depth in [1, 2, 3, 4, 6, 8] {
            let case = Case::new(bench, Program::Nested, depth, Some(bits))?;
            let whole = case.partition("whole")?;
            let opened = match opened_loops(&case)? {
                Some(file) => case.partition(&file)?,
                None => None,
            };
            let mut cells = row![format!("{bits} bits"), depth, time(&whole)];
            for cost in [opened, case.partition("statement")?] {
                cells.extend([time(&cost), ratio(checking(&cost), checking(&whole))]);
                cells.extend(work(&cost));
            }
            table.row(cells);
        }
    }
    Ok(vec![table])
}

/// One procedure, called more and more often.
fn calls(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Programs: procedures called k times");
    let programs = [Program::Library, Program::Calls].into_iter();
    for (program, partition) in programs.flat_map(|p| [(p, "auto"), (p, "statement")]) {
        let mut first = None;
        let most = bench.either(10_000, 1_000);
        for calls in [1, 10, 100, 1_000, 10_000].into_iter().filter(|calls| *calls <= most) {
            let case = Case::new(bench, program, calls, None)?;
            let (cost, whole) = (case.partition(partition)?, case.partition("whole")?);
            let first = *first.get_or_insert(checking(&cost));
            let further = checking(&cost).zip(first).filter(|_| calls > 1);
            let further = further.map(|(now, first)| (now - first) * 1e6 / f64::from(calls - 1));
            let again =
                |cost: &Sample| cost.count("checked_blocks").saturating_sub(cost.count("blocks"));
            table.row(row![
                program.name(),
                partition,
                calls,
                count(&cost, "blocks"),
                count(&cost, "checked_blocks"),
                or(cost.as_ref().map(again), NOTHING),
                count(&cost, "reused_blocks"),
                time(&cost),
                or(further.map(|further| format!("{further:.1} µs")), ""),
                time(&whole),
            ]);
        }
    }
    Ok(vec![table])
}

/// The programs as SMV, by `tertium convert`, for NuSMV and for the other methods.
fn rival(bench: &Bench) -> io::Result<Vec<Table>> {
    const SIZES: &[u32] = &[10, 100, 1_000, 10_000];
    let cases = [Program::Straight, Program::Loops, Program::Calls, Program::Server];
    let cases = cases.map(|program| (program, SIZES)).into_iter();
    let mut table = Table::new("Programs: against NuSMV, whole process");
    for (program, sizes) in cases.chain([(Program::Nested, &[2, 4, 8][..])]) {
        // Who has no answer for one size is not asked about larger ones.
        let mut is_out = [false; 5];
        for &size in sizes {
            let case = Case::new(bench, program, size, None)?;
            let mut costs = [const { None }; 5];
            let setups = ["modular", "symbolic", "direct", "-dcx", "-dcx -dynamic"];
            for ((setup, cost), is_out) in setups.into_iter().zip(&mut costs).zip(&mut is_out) {
                *cost = match setup {
                    _ if *is_out => None,
                    options if options.starts_with('-') => nusmv(&case, options)?,
                    method => {
                        case.median(&["--method", method])?.map(|c| (c.process, c.peak_bytes))
                    }
                };
                *is_out = cost.is_none();
            }
            let show = |(time, bytes)| format!("{}, {}", readable(time), megabytes(bytes));
            let rival = costs[3..].iter().flatten().map(|cost| cost.0).reduce(f64::min);
            let mut cells = row![case.name];
            cells.extend(costs.map(|cost| or(cost.map(show), NOTHING)));
            cells.push(ratio(rival, costs[0].map(|cost| cost.0)));
            table.row(cells);
        }
    }
    table.fill("nothing", NOTHING);
    table.fill("limit", bench.limit);
    Ok(vec![table])
}

/// Seconds and bytes of NuSMV, if the program can be had as SMV in the time that there is, and NuSMV has an answer.
fn nusmv(case: &Case, options: &str) -> io::Result<Option<(f64, u64)>> {
    let Some(nusmv) = on_path("NuSMV") else { return Ok(None) };
    let (limit, path): (_, PathBuf) =
        (case.bench.patience(), Path::new(&case.path).with_extension("smv"));
    let args = ["convert", &case.path, &path.to_string_lossy()];
    let converted = measure(&case.bench.tertium, &args, limit, true)?;
    if converted.is_none() || !path.exists() {
        return Ok(None);
    }
    let (nusmv, path) = (nusmv.display(), path.display());
    let script = format!("ulimit -s unlimited; exec '{nusmv}' {options} '{path}'");
    let run = measure(Path::new("/bin/sh"), &["-c", &script], limit, true)?;
    let Some(run) = run else { return Ok(None) };
    let found: Vec<bool> =
        reported_by_nusmv(&run.output).map(|(_, value)| value == "true").collect();
    match found.is_empty() {
        true => Ok(None),
        false if found == case.program.verdicts() => Ok(Some((run.seconds, run.peak_bytes))),
        false => Err(io::Error::other(format!("{}: NuSMV says {found:?}", case.name))),
    }
}
