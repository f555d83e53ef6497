//! Spin on Promela models, and on the same with an assumption for one process.

use crate::run::Bench;
use crate::run::process::measure_quietly;
use crate::run::table::{Table, readable};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What Spin found.
struct Searched {
    states: u64,
    has_errors: bool,
    seconds: f64,
}

/// An assumption for the largest process that Promela has a place for.
struct Small {
    process: String,
    states: u64,
    classes: u64,
    model: PathBuf,
}

pub fn table(bench: &Bench) -> io::Result<Table> {
    let mut table = Table::new(
        "Assumptions: Spin on a model, and on it with an assumption in place",
        &["model", "process", "N", "A", "verdict", "Spin: states", "with A", "time", "with A"],
    );
    let Some(spin) = &bench.tools.spin else {
        table.note("Spin is not on PATH.");
        return Ok(table);
    };
    let folder = bench.inputs.join("spin");
    fs::create_dir_all(&folder)?;
    let folder = fs::canonicalize(folder)?;
    let mut refused = Vec::new();
    for model in models()? {
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some(small) = assumption(bench, &model, &folder)? else {
            refused.push(name);
            continue;
        };
        let whole = search(spin, &model, &folder, bench.patience())?;
        let fewer = search(spin, &small.model, &folder, bench.patience())?;
        if whole.has_errors != fewer.has_errors {
            return Err(io::Error::other(format!("{name}: the assumption changes Spin's verdict")));
        }
        table.row(vec![
            name,
            small.process,
            small.states.to_string(),
            small.classes.to_string(),
            if whole.has_errors { "violated" } else { "holds" }.to_owned(),
            whole.states.to_string(),
            fewer.states.to_string(),
            readable(whole.seconds),
            readable(fewer.seconds),
        ]);
    }
    table.note(
        "`spin -a`, `gcc -O2 -DSAFETY`, `./pan -E`; the time is that of `pan`. Spin's search ends at the \
         first error.",
    );
    if !refused.is_empty() {
        table.note(format!("No assumption can be made or written for: {}.", refused.join(", ")));
    }
    Ok(table)
}

fn models() -> io::Result<Vec<PathBuf>> {
    let folder = fs::read_dir("examples/promela")?;
    let mut models: Vec<PathBuf> =
        folder.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    models.retain(|path| path.extension().is_some_and(|ending| ending == "pml"));
    models.sort();
    models.iter().map(fs::canonicalize).collect()
}

/// Asks for all processes first, which names them, the largest first.
fn assumption(bench: &Bench, model: &Path, folder: &Path) -> io::Result<Option<Small>> {
    let ask = |process: &str, more: &[&str]| -> io::Result<Option<Value>> {
        let file = model.to_string_lossy();
        let mut args = vec!["assume", &*file, "--process", process, "--json", "--quiet"];
        args.extend(more);
        let run = measure_quietly(&bench.tools.tertium, &args, bench.patience())?;
        Ok(run.and_then(|run| serde_json::from_str(&run.output).ok()))
    };
    let Some(all) = ask("all", &[])? else { return Ok(None) };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for part in all["assumptions"].as_array().into_iter().flatten() {
        let process = text(&part["process"]);
        let written = folder.join("assumed.pml");
        _ = fs::remove_file(&written);
        let asked = ask(&process, &["-o", &written.to_string_lossy()])?;
        if let Some(answer) = asked.filter(|_| written.exists()) {
            let made = &answer["assumptions"][0];
            let number = |name: &str| made[name].as_u64().unwrap_or_default();
            let (states, classes) = (number("states"), number("assumption_states"));
            return Ok(Some(Small { process, states, classes, model: written }));
        }
    }
    Ok(None)
}

/// Makes a verifier of a model and runs it.
fn search(spin: &Path, model: &Path, folder: &Path, limit: Duration) -> io::Result<Searched> {
    let run = |program: &Path, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        match command.status()?.success() {
            true => Ok(()),
            false => {
                let (program, model) = (program.display(), model.display());
                Err(io::Error::other(format!("{program} fails on {model}")))
            }
        }
    };
    // Spin calls the preprocessor of C, which now and then fails on a busy machine.
    let translate = || run(spin, &["-a", &model.to_string_lossy()]);
    (0..4).find_map(|_| translate().ok()).map_or_else(translate, Ok)?;
    run(Path::new("gcc"), &["-O2", "-w", "-DSAFETY", "-o", "pan", "pan.c"])?;
    // It leaves the way to an error where it is run.
    let script = format!("cd '{}' && exec ./pan -E -m1000000", folder.display());
    let searched = measure_quietly(Path::new("/bin/sh"), &["-c", &script], limit)?
        .ok_or_else(|| io::Error::other("the verifier takes too long"))?;
    let line = |mark: &str| searched.output.lines().find(|line| line.contains(mark));
    let states = line("states, stored").and_then(|line| line.split_whitespace().next());
    let errors = line("errors:").and_then(|line| line.split_whitespace().last());
    let number = |text: Option<&str>| {
        text.and_then(|text| text.parse::<f64>().ok())
            .ok_or_else(|| io::Error::other("the verifier has said nothing of it"))
    };
    Ok(Searched {
        states: number(states)? as u64,
        has_errors: number(errors)? > 0.0,
        seconds: searched.seconds,
    })
}
