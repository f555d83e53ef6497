//! Definite verdicts of linear time are certified, by every method, and the auditor agrees.

use crate::generate::{
    ATOMS, INTEGER_ATOMS, explicit, fair_actions, formula, integers, path, promela, smv,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;
use tertium::{Answer, Logic, Model, Options, Verdict, certify};
use testkit::{Rng, for_seeds};

type Generator = fn(&mut Rng) -> String;
const LANGUAGES: [(&str, Generator, &[&str]); 5] = [
    ("tm", explicit, &["direct", "compositional", "refine", "auto"]),
    ("tm", fair_actions, &["direct", "compositional", "refine", "auto"]),
    ("smv", smv, &["direct", "symbolic", "auto"]),
    ("promela", promela, &["direct", "symbolic", "auto"]),
    ("while", integers, &["refine", "auto"]),
];

/// A question in one of the languages: the text, the formula in its logic, and a method for it.
pub fn question(rng: &mut Rng) -> (&'static str, String, (Logic, String), &'static str) {
    let (language, text, methods) = *rng.pick(&LANGUAGES);
    let text = text(rng);
    let formula = match language {
        "while" => {
            let size = rng.between(1, 5);
            (Logic::Ltl, path(rng, size, &INTEGER_ATOMS, false))
        }
        _ => formula(rng),
    };
    (language, text, formula, *rng.pick(methods))
}

/// The answer with evidence; none if the formula is too large for its automaton or not for the method.
pub fn answer(
    language: &str,
    text: &str,
    (logic, formula): &(Logic, String),
    method: &str,
) -> Result<Option<Answer>, String> {
    let model = Model::read(language, "model", text).map_err(|error| error.to_string())?;
    let property = model.property(*logic, formula).map_err(|error| error.to_string())?;
    let options = Options::default().method(method).evidence(true);
    let options = if language == "while" { options.timeout(PATIENCE) } else { options };
    Ok(model.check(&property, &options).ok())
}

/// For programs over integers that are not decided.
const PATIENCE: Duration = Duration::from_secs(10);

fn certified(name: &str, seeds: std::ops::Range<u64>) {
    let counts: RefCell<BTreeMap<String, [u32; 3]>> = RefCell::default();
    let without = Cell::new(0);
    for_seeds(name, seeds, |rng, case| {
        let (language, text, asked, method) = question(rng);
        let (logic, formula) = &asked;
        case.note(format!("{text}\n-- {method} {} {formula}", logic.name()));
        let Some(answer) = answer(language, &text, &asked, method)? else { return Ok(()) };
        let mut counts = counts.borrow_mut();
        let count = counts.entry(format!("{language} {method} {}", logic.name())).or_default();
        if answer.verdict() == Verdict::Unknown {
            count[2] += 1;
            return Ok(());
        }
        count[usize::from(answer.verdict() == Verdict::True)] += 1;
        if let Some(why) = answer.not_certified() {
            println!("{language} {method} {formula}: {why}\n{text}");
            without.set(without.get() + 1);
            return Ok(());
        }
        let Some(audit) = answer.audit().map_err(|error| error.to_string())? else {
            return Err(format!("{} without a certificate", answer.verdict()));
        };
        match (audit.is_valid(), audit.fault) {
            (true, _) => Ok(()),
            (_, fault) => Err(format!("{}: {fault:?}", answer.verdict())),
        }
    });
    let counts = counts.into_inner();
    println!("false, true, unknown: {counts:#?}");
    let definite: u32 = counts.values().map(|count| count[0] + count[1]).sum();
    println!("{definite} definite, {} of them not certified", without.get());
    assert_eq!(without.get(), 0, "of {definite}");
    assert!(2 * definite > counts.values().flatten().sum(), "{counts:?}");
}

#[test]
fn definite_verdicts_of_linear_time_are_certified() {
    certified("certified-linear-time", 0..300);
}

#[test]
#[ignore = "minutes: 10,000 models with formulas"]
fn many_definite_verdicts_of_linear_time_are_certified() {
    certified("many-certified-linear-time", 1_000_000..1_010_000);
}

/// A formula under several conditions on steps, and valid ones within another.
#[test]
fn verdicts_under_several_conditions_are_certified() {
    const FAIR: &str = "MODULE main VAR p : boolean; q : boolean; r : boolean; IVAR i : boolean;
        ASSIGN next(p) := p; next(q) := r | i; next(r) := q;
        FAIRNESS i; FAIRNESS r | i;";
    const STATES: &str =
        "MODULE main VAR p : boolean; q : boolean; r : boolean; FAIRNESS p; FAIRNESS q;";
    let cases = [(FAIR, Logic::Ltl, "G p"), (STATES, Logic::CtlStar, "A A F A F p")];
    for (text, logic, formula) in cases {
        for method in ["direct", "symbolic"] {
            let answer = answer("smv", text, &(logic, formula.to_owned()), method).unwrap();
            let answer = answer.expect("an answer");
            assert!(answer.verdict().is_definite(), "{formula} by {method}");
            let is_valid = answer.audit().unwrap().is_some_and(|audit| audit.is_valid());
            assert!(is_valid, "{formula} by {method}: {:?}", answer.not_certified());
        }
    }
}

/// A certificate is tried on another file, where its property is another one or other paths are fair.
#[test]
fn certificates_of_other_formulas_and_fairness_are_accepted_only_where_they_are_right() {
    let (tried, accepted) = (Cell::new(0), Cell::new(0));
    for_seeds("transferred-linear-time", 0..400, |rng, case| {
        let is_smv = rng.chance(0.6);
        let language = if is_smv { "smv" } else { "tm" };
        let text = if is_smv { smv(rng) } else { explicit(rng) };
        let with = |(logic, formula): &(Logic, String), fair: &str| match (is_smv, logic) {
            (false, _) => format!("{text}property it: {} {formula};\n", logic.name()),
            (true, Logic::Ltl) => format!("{text}{fair}LTLSPEC NAME it := {formula};\n"),
            (true, _) => format!("{text}{fair}CTLSTARSPEC NAME it := {formula};\n"),
        };
        // Small formulas are often alike.
        let small =
            |rng: &mut Rng| (Logic::Ltl, path(rng, rng.clone().between(1, 4), &ATOMS, false));
        let first = small(rng);
        let second = if rng.chance(0.3) { first.clone() } else { small(rng) };
        let fair = if rng.chance(0.5) { "FAIRNESS p;\n" } else { "" };
        let (of, on) = (with(&first, ""), with(&second, fair));
        case.note(format!("{of}\n-- tried on\n{on}"));
        let read = |text: &str| Model::read(language, "model", text).map_err(|e| e.to_string());
        let (of, on) = (read(&of)?, read(&on)?);
        let (Ok(answer), Ok(right)) = (
            of.check(&of.properties()[0], &Options::default().evidence(true)),
            on.check(&on.properties()[0], &Options::default()),
        ) else {
            return Ok(());
        };
        let Ok(bytes) = answer.certificate() else { return Ok(()) };
        tried.set(tried.get() + 1);
        let Ok(found) = certify(&on, &bytes) else { return Ok(()) };
        if !found.is_valid() {
            return Ok(());
        }
        accepted.set(accepted.get() + 1);
        let is_right = found.claims.iter().all(|claim| {
            right.verdict() == if claim.verdict { Verdict::True } else { Verdict::False }
        });
        if is_right { Ok(()) } else { Err(format!("accepted, and it is {}", right.verdict())) }
    });
    println!("{} tried, {} accepted", tried.get(), accepted.get());
    assert!(accepted.get() > tried.get() / 20, "{} of {}", accepted.get(), tried.get());
}

#[test]
fn a_certificate_of_fair_actions_shows_nothing_where_they_are_not_fair() {
    const MEDIUM: &str = "component Medium lts { init r; r: -send-> f; f: -deliver-> r -lose-> r; }
        component Clock lts { init c; c: -tick-> c; }
        system Medium || Clock;
        property it: ltl G F deliver;";
    let read =
        |fair: &str| Model::read("tm", "model", &format!("{MEDIUM}{fair}")).expect("a model");
    let fair = read("fair Medium:send; strong fair Medium:deliver;");
    let weaker = ["", "fair Medium:send;", "fair Medium:send, Medium:deliver;"].map(read);
    for method in ["direct", "compositional", "refine"] {
        let options = Options::default().method(method).evidence(true);
        let answer = fair.check(&fair.properties()[0], &options).expect("an answer");
        assert_eq!(answer.verdict(), Verdict::True);
        let bytes = answer.certificate().expect("a certificate");
        assert!(certify(&fair, &bytes).is_ok_and(|found| found.is_valid()), "{method}");
        for other in &weaker {
            assert!(!certify(other, &bytes).is_ok_and(|found| found.is_valid()), "{method}");
        }
    }
}
