//! Formulas on large Aldebaran files: whole processes, reading included, against mCRL2.

use super::Bench;
use super::figures::Figures;
use super::process::{Run, measure};
use super::table::{Table, megabytes, seconds};
use std::io;
use std::path::Path;

struct Formula {
    name: &'static str,
    depth: u32,
    text: &'static str,
}

/// In mcf, so that both tools read the same text.
const FORMULAS: [Formula; 3] = [
    Formula {
        name: "invariant with response",
        depth: 1,
        text: "nu X. [true]X && mu Y. (<a0>true || [a1]Y)",
    },
    Formula { name: "infinitely often", depth: 2, text: "nu X. mu Y. <a0>X || <a1 || a2>Y" },
    Formula { name: "a game", depth: 2, text: "nu X. mu Y. <a0>X || ([a1]Y && <a2>X)" },
];

const STATES: u32 = 1_000_000;

pub fn tables(bench: &Bench, name: &str) -> io::Result<Vec<Table>> {
    let model = bench.lts(name, STATES / bench.divisor)?;
    let mut times = Table::new(
        format!("Formulas on an LTS: {name}, {} states", STATES / bench.divisor),
        &[
            "formula",
            "depth",
            "verdict",
            "Tertium",
            "mCRL2",
            "times faster",
            "peak",
            "mCRL2's peak",
            "share",
        ],
    );
    let mut memory = Table::new(
        format!("Memory: {name}"),
        &[
            "formula",
            "transitions",
            "game nodes",
            "peak",
            "allowed (12 B a transition + 16 B a node)",
            "share",
        ],
    );
    for formula in &FORMULAS {
        let ours = measure(
            &bench.tools.tertium,
            &["check", &model.to_string_lossy(), "--mcf", formula.text, "--json", "--quiet"],
        )?;
        let figures = Figures::read(&ours.output)?;
        times.row(against_mcrl2(bench, &model, formula, &ours, &figures)?);
        let allowed = 12 * figures.transitions + 16 * figures.game_nodes;
        memory.row(vec![
            formula.name.to_owned(),
            figures.transitions.to_string(),
            figures.game_nodes.to_string(),
            megabytes(ours.peak_bytes),
            megabytes(allowed),
            format!("{:.2}", ours.peak_bytes as f64 / allowed as f64),
        ]);
    }
    times.note("mCRL2 is `lts2pbes` and `pbessolve`, whole processes; the larger peak of the two.");
    memory.note("The peak is that of the whole process, reading included.");
    Ok(vec![times, memory])
}

fn against_mcrl2(
    bench: &Bench,
    model: &Path,
    formula: &Formula,
    ours: &Run,
    figures: &Figures,
) -> io::Result<Vec<String>> {
    let mut row = vec![
        formula.name.to_owned(),
        formula.depth.to_string(),
        figures.verdict.clone(),
        seconds(ours.seconds),
    ];
    let Some((verdict, time, peak)) = mcrl2(bench, model, formula)? else {
        row.extend(["not there", "", &megabytes(ours.peak_bytes), "", ""].map(str::to_owned));
        return Ok(row);
    };
    if verdict != figures.verdict {
        return Err(io::Error::other(format!(
            "{}: Tertium says {}, mCRL2 {verdict}",
            formula.name, figures.verdict
        )));
    }
    row.extend([
        seconds(time),
        format!("{:.0}", time / ours.seconds),
        megabytes(ours.peak_bytes),
        megabytes(peak),
        format!("1/{:.0}", peak as f64 / ours.peak_bytes as f64),
    ]);
    Ok(row)
}

fn mcrl2(bench: &Bench, model: &Path, formula: &Formula) -> io::Result<Option<(String, f64, u64)>> {
    let Some((lts2pbes, pbessolve)) = bench.tools.mcrl2() else { return Ok(None) };
    let path = |name: &str| bench.inputs.join(name).to_string_lossy().into_owned();
    let (actions, text, pbes) = (path("actions.mcrl2"), path("formula.mcf"), path("formula.pbes"));
    let names: Vec<String> = (0..8).map(|action| format!("a{action}")).collect();
    std::fs::write(&actions, format!("act {};\n", names.join(",")))?;
    std::fs::write(&text, formula.text)?;
    let model = model.to_string_lossy();
    let first = measure(lts2pbes, &["-q", "-D", &actions, "-f", &text, &model, &pbes])?;
    let second = measure(pbessolve, &["-q", &pbes])?;
    let verdict = second.output.trim().to_owned();
    let peak = first.peak_bytes.max(second.peak_bytes);
    Ok(Some((verdict, first.seconds + second.seconds, peak)))
}
