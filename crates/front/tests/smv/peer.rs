//! Random programs against NuSMV, where it is on the path: the number of states that can be reached,
//! and the verdicts.

use crate::generate::program_with;
use crate::support::{compact, fair_states, read, states, verdicts};
use logic::Truth;
use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};
use testkit::{Case, Rng, for_seeds};
use transition::StepError;

const PROGRAMS: u64 = 400;

const MOST_STATES: usize = 20_000;

/// The program that `NUSMV` names, or the one on the path.
fn nusmv() -> OsString {
    std::env::var_os("NUSMV").unwrap_or_else(|| "NuSMV".into())
}

fn is_there() -> bool {
    let version =
        Command::new(nusmv()).arg("-h").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if version.is_err() {
        println!("skipped: NuSMV is neither on the path nor named by NUSMV");
    }
    version.is_ok()
}

/// NuSMV's answer about a program.
struct Answer {
    states: f64,
    /// The text of a specification and its value.
    verdicts: Vec<(String, bool)>,
}

/// With single spaces.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ask(text: &str) -> Result<Answer, String> {
    let folder = std::env::temp_dir().join(format!("smv-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (model, script) = (folder.join("model.smv"), folder.join("script"));
    std::fs::write(&model, text).expect("a file");
    let mut commands = std::fs::File::create(&script).expect("a file");
    write!(
        commands,
        "read_model -i {}\nflatten_hierarchy\nencode_variables\nbuild_model\ncompute_reachable\n\
         print_reachable_states\nset counter_examples 0\ncheck_ctlspec\ncheck_invar\nquit\n",
        model.display()
    )
    .expect("a file");
    let output = Command::new(nusmv()).arg("-source").arg(&script).output().expect("NuSMV runs");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = stdout.lines().find_map(|line| line.strip_prefix("reachable states: "));
    let count = count.and_then(|rest| rest.split(' ').next()).and_then(|n| n.parse().ok());
    let verdict = |line: &str| {
        let rest = line.strip_prefix("-- specification ").or(line.strip_prefix("-- invariant "))?;
        let (text, value) = rest.rsplit_once(" is ")?;
        Some((folded(text), value.trim() == "true"))
    };
    match count {
        Some(states) => {
            Ok(Answer { states, verdicts: stdout.lines().filter_map(verdict).collect() })
        }
        None => Err(complaint),
    }
}

#[derive(Default)]
struct Tally {
    programs: u32,
    refused: u32,
    deadlocked: u32,
    fair: u32,
    verdicts: u32,
}

fn compare(
    rng: &mut Rng,
    case: &mut Case,
    tally: &std::cell::RefCell<Tally>,
) -> Result<(), String> {
    let is_about_steps = rng.chance(0.3);
    let text = program_with(rng, is_about_steps);
    case.note(&text);
    let document = read(&text).map_err(|errors| compact(&text, &errors))?;
    let answer = match ask(&text) {
        Ok(answer) => answer,
        Err(complaint) => {
            case.note(format!("-- NuSMV: {complaint}"));
            tally.borrow_mut().refused += 1;
            return Ok(());
        }
    };
    let whole = document.machine.unsliced();
    let count = match states(&document, &whole, MOST_STATES) {
        Ok(enumeration) => enumeration.model.states(),
        Err(StepError::TooMany(_)) => return Ok(()),
        Err(other) => return Err(format!("{other:?}")),
    };
    let mut tally = tally.borrow_mut();
    tally.programs += 1;
    // An invariant about steps has states remember them.
    if count as f64 != answer.states && !is_about_steps {
        return Err(format!("{count} states, NuSMV has {}", answer.states));
    }
    // States remember steps here, and there are more of them.
    let (enumeration, fairness) =
        fair_states(&document, true, 16 * MOST_STATES).map_err(|halt| format!("{halt:?}"))?;
    tally.deadlocked += u32::from(!enumeration.deadlocks.is_clear());
    tally.fair += u32::from(!fairness.terms.is_empty());
    let found = verdicts(&document, enumeration, &fairness);
    for (specification, verdict) in document.specifications.iter().zip(found) {
        // NuSMV prints some expressions in a manner of its own; those are compared elsewhere.
        let wanted = folded(&specification.text);
        let known = answer.verdicts.iter().find(|(text, _)| *text == wanted);
        if let Some((_, value)) = known {
            tally.verdicts += 1;
            if verdict != Some(Truth::from(*value)) {
                return Err(format!("{wanted}: {verdict:?}, NuSMV says {value}"));
            }
        }
    }
    Ok(())
}

#[test]
fn random_programs_have_the_states_and_the_verdicts_that_nusmv_finds() {
    if !is_there() {
        return;
    }
    let tally = std::cell::RefCell::new(Tally::default());
    for_seeds("smv-against-nusmv", 0..PROGRAMS, |rng, case| compare(rng, case, &tally));
    let Tally { programs, refused, deadlocked, fair, verdicts } = tally.into_inner();
    println!(
        "{programs} programs, {refused} refused by NuSMV, {deadlocked} not total, {fair} with fairness, \
         {verdicts} verdicts"
    );
    assert!(u64::from(programs) > PROGRAMS / 3, "{programs}");
}
