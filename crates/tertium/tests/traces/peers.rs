//! Traces replayed by other programs, where these are installed: by NuSMV as a model that the values of the trace
//! constrain, and by Spin's verifier (`pan -r`) as a trail made of its own transitions with the statements of the trace.

use super::{ensure, pairs};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tertium::{Trace, TraceValue};

/// Says so and returns false where a program cannot be run.
pub fn is_installed(program: &str, argument: &str) -> bool {
    let is_there = Command::new(program).arg(argument).output().is_ok();
    if !is_there {
        eprintln!("skipped: `{program}` is not installed");
    }
    is_there
}

pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<Output, String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    output.map_err(|error| format!("{program}: {error}"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned()
}

/// The values as a formula of SMV.
fn condition(values: &[(String, TraceValue)]) -> String {
    let equation = |(name, value): &(String, TraceValue)| {
        format!("{name} = {}", value.to_string().replace("true", "TRUE").replace("false", "FALSE"))
    };
    let all: Vec<String> = values.iter().map(equation).collect();
    if all.is_empty() { "TRUE".to_owned() } else { all.join(" & ") }
}

/// NuSMV finds the trace in the model whose only module is the given one: a counter of steps fixes the values of each
/// state, its definitions and the inputs of each step, and can reach the end.
pub fn nusmv_follows(folder: &Path, text: &str, trace: &Trace) -> Result<(), String> {
    let steps = pairs(trace);
    let end = steps.len();
    let mut module = format!(
        "{text}\nVAR at_step : 0..{0};\nASSIGN init(at_step) := 0;\n\
         next(at_step) := case at_step < {0} : at_step + 1; TRUE : {0}; esac;\n\
         INVARSPEC at_step <= {end} - 1;\n",
        end + 1
    );
    let order = (0..1).chain(steps.iter().map(|&(_, to)| to));
    for (number, state) in order.enumerate() {
        let state = &trace.states[state];
        for values in [&state.values, &state.defines] {
            module += &format!("INVAR at_step = {number} -> ({});\n", condition(values));
        }
    }
    for (number, step) in trace.steps.iter().enumerate().take(end) {
        module += &format!("TRANS at_step = {number} -> ({});\n", condition(&step.inputs));
    }
    fs::write(folder.join("model.smv"), &module).map_err(|error| error.to_string())?;
    let found = said(&run(folder, "NuSMV", &["-dcx", "model.smv"])?);
    ensure(found.contains(" is false"), || format!("NuSMV refuses {trace}\n{found}\n{module}"))
}

/// A transition of Spin's verifier.
struct PanTransition {
    from: u32,
    to: u32,
    id: u32,
    statement: String,
}

/// The states of the processes, and the transitions taken so far: the process and the number of each.
type Trail = (Vec<u32>, Vec<(usize, u32)>);

/// Without blanks and parentheses, of which Spin adds some.
fn plain(statement: &str) -> String {
    statement.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect()
}

/// The transitions of each process type in the order of its declaration, which are the processes too if each is active.
pub struct Pan {
    folder: PathBuf,
    processes: Vec<Vec<PanTransition>>,
}

impl Pan {
    pub fn compile(folder: &Path, text: &str) -> Result<Self, String> {
        fs::write(folder.join("model.pml"), text).map_err(|error| error.to_string())?;
        run(folder, "spin", &["-a", "-o1", "-o2", "-o3", "model.pml"])?;
        let flags = ["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"];
        let made = run(folder, "gcc", &flags)?;
        ensure(made.status.success(), || said(&made))?;
        let table = said(&run(folder, "./pan", &["-d"])?);
        let mut processes: Vec<Vec<PanTransition>> = Vec::new();
        for line in table.lines() {
            if line.starts_with("proctype ") {
                processes.push(Vec::new());
            } else if let (Some(one), Some(last)) = (Self::transition(line), processes.last_mut()) {
                last.push(one);
            }
        }
        Ok(Self { folder: folder.to_owned(), processes })
    }

    /// `state 5 -(tr 6)-> state 2 [id 0 tp 2] [----G] model.pml:5 => ((x<3))`
    fn transition(line: &str) -> Option<PanTransition> {
        let (head, statement) = line.split_once(" => ")?;
        let number = |after: &str| {
            let (_, rest) = head.split_once(after)?;
            rest.split(|c: char| !c.is_ascii_digit()).find(|text| !text.is_empty())?.parse().ok()
        };
        let (from, to, id) = (number("state")?, number("-> state")?, number("[id")?);
        Some(PanTransition { from, to, id, statement: plain(statement) })
    }

    /// Looks for a trail with the statements of the trace, and has the verifier replay it.
    pub fn follows(&self, trace: &Trace) -> Result<(), String> {
        let start = |own: &Vec<PanTransition>| own.first().map_or(0, |first| first.from);
        let begin: Vec<u32> = self.processes.iter().map(start).collect();
        // Branches that begin alike are told apart by what comes later.
        let mut trails: Vec<Trail> = vec![(begin, Vec::new())];
        let mut statements = Vec::new();
        for step in &trace.steps {
            let own = step.process.as_ref().zip(step.statement.as_ref());
            let partner = step.partner.as_ref().map(|other| (&other.process, &other.text));
            for (process, text) in own.into_iter().chain(partner) {
                let process = super::processes::number(process)?;
                let text = plain(text);
                let extend = |(at, trail): (Vec<u32>, Vec<(usize, u32)>)| {
                    let fits =
                        |one: &&PanTransition| one.from == at[process] && one.statement == text;
                    let found = self.processes[process].iter().filter(fits);
                    let longer = |one: &PanTransition| {
                        let (mut at, mut trail) = (at.clone(), trail.clone());
                        at[process] = one.to;
                        trail.push((process, one.id));
                        (at, trail)
                    };
                    found.map(longer).collect::<Vec<_>>()
                };
                trails = trails.into_iter().flat_map(extend).collect();
                ensure(!trails.is_empty(), || format!("Spin has no `{text}` there: {trace}"))?;
                statements.push((process, text));
            }
        }
        if statements.is_empty() {
            return Ok(());
        }
        let (_, trail) = &trails[0];
        let line =
            |(at, (process, id)): (usize, &(usize, u32))| format!("{}:{process}:{id}\n", at + 1);
        let written: String = trail.iter().enumerate().map(line).collect();
        fs::write(self.folder.join("model.pml.trail"), written).map_err(|e| e.to_string())?;
        let replay = said(&run(&self.folder, "./pan", &["-r"])?);
        let is_refused =
            ["UNEXECUTABLE", "not found", "cannot find"].iter().any(|w| replay.contains(w));
        ensure(!is_refused, || format!("Spin refuses {trace}\n{replay}"))?;
        let shown: Vec<(usize, String)> = replay.lines().filter_map(replayed).collect();
        ensure(shown == statements, || format!("Spin replays others: {replay}\n{trace}"))
    }
}

/// `  1: proc  0 (P0:1) model.pml:5 (state 5) [((x<3))]`: the process, and its statement.
fn replayed(line: &str) -> Option<(usize, String)> {
    let (_, rest) = line.split_once("proc ")?;
    let process = rest.split_whitespace().next()?.parse().ok()?;
    let (_, statement) = rest.split_once('[')?;
    Some((process, plain(statement.trim_end().strip_suffix(']')?)))
}
