//! A construct that is not supported makes unknown what depends on it, and nothing else.

use crate::programs::{Condition, Program};
use std::collections::BTreeSet;
use std::fmt::Write;
use tertium::{Answer, Model, Options, Reason, Verdict};
use testkit::{Case, Rng, for_seeds};

/// The variables that others depend on, these included.
fn cone(program: &Program, roots: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
    let mut cone: BTreeSet<usize> = BTreeSet::new();
    let mut open: Vec<usize> = roots.into_iter().collect();
    while let Some(var) = open.pop() {
        if cone.insert(var) {
            open.extend(program.vars[var].reads());
        }
    }
    cone
}

/// The construct that makes an answer unknown.
fn why(answer: &Answer) -> String {
    match answer.reason() {
        Some(Reason::Unsupported(why)) => why.to_string(),
        other => other.map(|other| format!("{other:?}")).unwrap_or_default(),
    }
}

fn compare(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let program = Program::random(rng);
    let vars: Vec<usize> = (0..program.vars.len()).collect();
    let wrong: Vec<usize> = rng.some(&vars, 0.3);
    let form = rng.below(4);
    let spoiled = |var: usize| {
        let next = program.vars[var].next();
        match form {
            _ if !wrong.contains(&var) => next,
            0 => format!("floor(1.5) = x{var} ? {next} : {next}"),
            1 => format!("d ? {next} : {next}"),
            2 => format!("r > 2 ? {next} : {next}"),
            _ => format!("m.out[1] ? {next} : {next}"),
        }
    };
    let specs: Vec<(&str, Condition)> = (0..4)
        .map(|_| {
            (
                *rng.pick(&["SPEC AG", "SPEC EF", "INVARSPEC"]),
                Condition::random(rng, &program.sizes()),
            )
        })
        .collect();
    let mut asked = String::new();
    for (form, condition) in &specs {
        writeln!(asked, "{form} ({});", condition.text()).unwrap();
    }
    let whole = program.text(|var| program.vars[var].next()) + &asked;
    let more = "VAR r : real; b : boolean; m : M(r); DEFINE d := r + 1.5 > r;\n";
    let module = "MODULE M(r) DEFINE out := [FALSE, r > 1];\n";
    let text = program.text(spoiled) + more + &asked + module;
    case.note(&text);
    let [whole, model] = [&whole, &text].map(|text| Model::read("smv", "m.smv", text));
    let whole = whole.map_err(|error| error.to_string())?;
    let model = model.map_err(|error| error.to_string())?;
    let method = *rng.pick(&["auto", "direct", "symbolic"]);
    let options = Options::default().method(method);
    for (number, (form, condition)) in specs.iter().enumerate() {
        let fair = program.fairness.iter().filter(|_| *form != "INVARSPEC");
        let conditions = fair.chain(&program.excluded).chain([condition]);
        let cone = cone(&program, conditions.flat_map(Condition::vars));
        let is_known = wrong.iter().all(|var| !cone.contains(var));
        let [expected, found] = [&whole, &model].map(|model| {
            let answer = model.check(&model.properties()[number], &options);
            answer.map(|answer| (answer.verdict(), why(&answer)))
        });
        let expected = expected.map_err(|error| error.to_string())?.0;
        let (verdict, reason) = found.map_err(|error| error.to_string())?;
        let formula = format!("{form} {}", condition.text());
        if verdict != if is_known { expected } else { Verdict::Unknown } {
            return Err(format!("{formula}: {verdict} ({reason}), {expected} in the whole model"));
        }
        if !is_known && !reason.contains("is not supported") {
            return Err(format!("{formula}: {reason}"));
        }
    }
    Ok(())
}

#[test]
fn what_depends_on_unsupported_constructs_is_unknown() {
    for_seeds("what_depends_on_unsupported_constructs_is_unknown", 0..300, compare);
}

fn verdicts(text: &str) -> Vec<String> {
    let model = Model::read("smv", "m.smv", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let answers = model.properties().iter().map(|property| {
        let answer = model.check(property, &Options::default()).unwrap();
        match answer.verdict() {
            Verdict::Unknown => why(&answer),
            verdict => verdict.to_string(),
        }
    });
    answers.collect()
}

#[test]
fn the_construct_is_named_with_its_line() {
    let text = "MODULE main\nVAR b : boolean; r : real; w : unsigned word[100];\n\
        ASSIGN next(b) := !b;\nSPEC AG (b -> AX !b)\nSPEC AG r > 1.5\nSPEC AG w = w\nPSLSPEC always b;\n";
    assert_eq!(
        verdicts(text),
        [
            "true",
            "it depends on line 2: the type `real` is not supported",
            "it depends on line 2: a word of more than 64 bits is not supported",
            "PSL is not supported"
        ]
    );
}

#[test]
fn constraints_and_fairness_reach_further() {
    let text = |line: &str| {
        format!(
            "MODULE main VAR b : boolean; c : boolean; r : real;\n{line}\nINVARSPEC b | !b;\nSPEC EF b;\nMUSPEC mu Z. b | <> Z;\n"
        )
    };
    let why = "it depends on line 1: the type `real` is not supported";
    assert_eq!(verdicts(&text("INVAR r > 1")), [why; 3]);
    assert_eq!(verdicts(&text("FAIRNESS r > 1")), ["true", why, "true"]);
    assert_eq!(verdicts(&text("ASSIGN next(c) := r > 1;")), ["true"; 3]);
    assert_eq!(verdicts(&text("ASSIGN next(r) := r + 1; init(c) := r = 0;")), ["true"; 3]);
}

#[test]
fn elements_of_an_array_are_apart() {
    let text = "MODULE main VAR a : array 0..1 of boolean; i : 0..1; r : real;\n\
        ASSIGN init(a[0]) := TRUE; next(a[0]) := a[0]; next(a[1]) := r > 1;\n\
        INVARSPEC a[0];\nINVARSPEC a[1];\nINVARSPEC a[i];\n";
    let why = "it depends on line 1: the type `real` is not supported";
    assert_eq!(verdicts(text), ["true", why, why]);
}

#[test]
fn an_assignment_to_an_unknown_element_may_be_to_any() {
    let text = "MODULE main VAR a : array 0..1 of boolean;\nASSIGN next(a[floor(1.5)]) := TRUE;\nINVARSPEC a[0];\n";
    let why = "it depends on line 2: the function `floor` is not supported";
    assert_eq!(verdicts(text), [why]);
    let text = "MODULE main VAR a : array 0..1 of boolean; m : M(a[floor(1.5)]);\nINVARSPEC a[0];\n\
        MODULE M(p) ASSIGN next(p) := TRUE;";
    assert_eq!(verdicts(text), [why.replace('2', "1")]);
}

#[test]
fn a_model_that_is_not_whole_is_neither_converted_nor_simulated() {
    let model =
        Model::read("smv", "m.smv", "MODULE main VAR b : boolean; r : real; SPEC AG b").unwrap();
    let to = vec!["smv".to_owned()];
    let converted = tertium::convert(&model, &tertium::ConvertOptions { to, ..Default::default() });
    let simulated = model.simulator(&tertium::SimulationOptions::default());
    for error in [converted.err().unwrap().to_string(), simulated.err().unwrap().to_string()] {
        assert!(error.contains("the type `real` is not supported"), "{error}");
    }
}
