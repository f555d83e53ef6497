//! SMV through the program: NuSMV's examples where they are found, our own, and random programs, whose
//! conversions have the same verdicts, and NuSMV's where that is present.

#[path = "../../../front/tests/smv/generate.rs"]
mod generate;

use crate::support::{folder, run};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testkit::for_seeds;

/// The limit of states in the ordinary run.
const FEW: &str = "20000";

/// The formulas with their logics and verdicts; `None` if the file is refused.
fn verdicts(path: &Path, flags: &[&str]) -> Option<Vec<[String; 3]>> {
    let path = path.to_str().expect("a text");
    let given = ["check", "-q", "--json", "--memory", "2G", path];
    let output = run(&[&given[..], flags].concat());
    if output.status.code() == Some(2) {
        return None;
    }
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let results = document["results"].as_array().expect("a list");
    let text = |result: &Value, key: &str| result[key].as_str().expect("a text").to_owned();
    let row = |result: &Value| ["logic", "formula", "verdict"].map(|key| text(result, key));
    Some(results.iter().map(row).collect())
}

/// The last of each: what came out.
fn values(rows: &[[String; 3]]) -> Vec<&str> {
    rows.iter().map(|[.., verdict]| verdict.as_str()).collect()
}

fn corpus() -> Option<(PathBuf, Value)> {
    let folder = testkit::nusmv_examples()?;
    let text = std::fs::read_to_string(folder.join("verdicts.json")).expect("the verdicts");
    Some((folder, serde_json::from_str(&text).expect("JSON")))
}

/// Compares with NuSMV's verdicts where the states can be enumerated; how many there were.
fn compare_corpus(flags: &[&str]) -> usize {
    let Some((folder, all)) = corpus() else { return 0 };
    let mut compared = 0;
    for (name, entry) in all.as_object().expect("a map") {
        let Some(found) = verdicts(&folder.join(name), flags) else { continue };
        for wanted in entry["verdicts"].as_array().into_iter().flatten() {
            let [logic, text, value] =
                [0, 1, 2].map(|n| wanted[n].as_str().expect("a text").trim());
            let row = found.iter().find(|row| row[0] == logic && row[1] == text);
            let row = row.unwrap_or_else(|| panic!("{name}: `{text}` is not answered"));
            assert!(row[2] == value || row[2] == "unknown", "{name}: `{text}` is {}", row[2]);
            compared += usize::from(row[2] == value);
        }
    }
    println!("{compared} verdicts compared");
    compared
}

#[test]
fn the_corpus_has_nusmvs_verdicts_by_every_method() {
    // Those that list no states know no other bound than the time.
    for (method, seconds) in
        [("direct", "60"), ("auto", "60"), ("refine", "1"), ("compositional", "2")]
    {
        let compared = compare_corpus(&["--states", FEW, "--method", method, "--timeout", seconds]);
        assert!(compared == 0 || compared > 30, "{method}: {compared}");
    }
}

#[test]
#[ignore = "takes a minute"]
fn the_larger_files_of_the_corpus_have_nusmvs_verdicts() {
    compare_corpus(&["--states", "3000000", "--timeout", "60"]);
}

/// `-- expect: name = true`, with the name in quotes if it is no word.
fn expectations(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("-- expect: "));
    lines
        .map(|line| {
            let (name, value) = line.rsplit_once(" = ").expect("a value");
            (name.trim_matches('"').to_owned(), value.to_owned())
        })
        .collect()
}

#[test]
fn examples_have_their_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = [folder.clone(), folder.join("integers")].map(std::fs::read_dir);
    let mut files = 0;
    for entry in entries.into_iter().flat_map(|entries| entries.expect("examples")) {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "smv") {
            continue;
        }
        let expected = expectations(&std::fs::read_to_string(&path).expect("a text"));
        let output = run(&["check", "-q", "--json", path.to_str().expect("a text")]);
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let results = document["results"].as_array().expect("a list");
        let found: Vec<(String, String)> = results
            .iter()
            .map(|result| {
                let text = |key: &str| result[key].as_str().expect("a text").to_owned();
                (text("property"), text("verdict"))
            })
            .collect();
        assert_eq!(found, expected, "{}", path.display());
        files += 1;
    }
    assert!(files >= 8);
}

/// The output of NuSMV for a file, line by line; `None` if it is not there or refuses the file.
fn nusmv(path: &Path) -> Option<Vec<String>> {
    let program = std::env::var_os("NUSMV").unwrap_or_else(|| OsString::from("NuSMV"));
    let command =
        Command::new(program).arg("-dcx").arg(path).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&command.stdout).into_owned();
    let mut lines: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("-- specification") || line.starts_with("-- invariant"))
        .map(str::to_owned)
        .collect();
    lines.sort();
    (!lines.is_empty()).then_some(lines)
}

fn convert(from: &Path, to: &Path) -> Result<(), String> {
    let [from, to] = [from, to].map(|path| path.to_str().expect("a text"));
    let output = run(&["convert", "-q", from, to]);
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[test]
fn conversions_of_random_programs_have_the_same_verdicts() {
    let folder = folder();
    let [model, flat, native, again] =
        ["model.smv", "flat.smv", "native.tm", "again.smv"].map(|name| folder.join(name));
    let (compared, judged) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    for_seeds("smv-conversions", 0..60, |rng, case| {
        let text = generate::program(rng);
        case.note(&text);
        std::fs::write(&model, text).expect("a file");
        let few = ["--states", "2000"];
        let Some(rows) = verdicts(&model, &few) else { return Ok(()) };
        if values(&rows).contains(&"unknown") {
            return Ok(());
        }
        convert(&model, &flat)?;
        let flattened = verdicts(&flat, &["--states", "200000"]).ok_or("the flattened is wrong")?;
        if values(&flattened) != values(&rows) {
            return Err(format!("flattened: {flattened:?}\nof {rows:?}"));
        }
        if let Some(lines) = nusmv(&model) {
            let path = model.to_str().expect("a text");
            let reported = run(&["check", "-q", "--format", "nusmv", path]).stdout;
            let mut reported: Vec<String> =
                String::from_utf8_lossy(&reported).lines().map(str::to_owned).collect();
            reported.sort();
            judged.set(judged.get() + 1);
            // It breaks the lines of a `case`, and writes out some functions.
            let is_special = |line: &String| {
                ["case ", "abs(", "max(", "min(", "count("].iter().any(|word| line.contains(word))
            };
            if reported != lines && !reported.iter().any(is_special) {
                return Err(format!("{reported:#?}\nNuSMV: {lines:#?}"));
            }
            let of_flat = nusmv(&flat).ok_or("NuSMV does not read the flattened program")?;
            let mut ends: Vec<bool> = of_flat.iter().map(|l| l.ends_with("is true")).collect();
            let mut ours: Vec<bool> = values(&rows).iter().map(|value| *value == "true").collect();
            ends.sort_unstable();
            ours.sort_unstable();
            if ends != ours {
                return Err(format!("{rows:?}\nNuSMV on the flattened: {of_flat:#?}"));
            }
        }
        compared.set(compared.get() + 1);
        if convert(&model, &native).is_err_and(|error| error.contains("no initial state")) {
            return Ok(());
        }
        for (path, what) in [(&native, "native"), (&again, "native and back")] {
            if path == &again {
                convert(&native, &again)?;
            }
            let found = verdicts(path, &few).ok_or_else(|| format!("{what} is wrong"))?;
            if values(&found) != values(&rows) {
                return Err(format!("{what}: {found:?}\nof {rows:?}"));
            }
        }
        Ok(())
    });
    println!("{} programs, {} of them judged by NuSMV", compared.get(), judged.get());
    assert!(compared.get() > 15, "{}", compared.get());
}

/// Fairness of processes is about steps, each of which is of one process or of none.
#[test]
fn linear_time_with_several_fair_processes() {
    const TEXT: &str = "MODULE main VAR a : process p; b : process p; \
        LTLSPEC F (a.x & b.x) LTLSPEC F G (a.x & b.x) LTLSPEC F (a.x & !b.x) \
        MODULE p VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := TRUE; FAIRNESS running";
    let path = folder().join("fair.smv");
    std::fs::write(&path, TEXT).expect("the file");
    for method in ["auto", "direct", "compositional", "refine", "symbolic"] {
        let found = verdicts(&path, &["--method", method]).expect("a file that is read");
        assert_eq!(values(&found), ["true", "true", "false"], "{method}");
    }
}
