//! Conversions keep what a model means.

use std::fmt::Write;
use tertium::{ConvertOptions, Model, Options, Verdict};
use testkit::{Rng, for_seeds};

const FORMULAS: [&str; 6] = [
    "ctl AG (p -> AF q)",
    "ctl EF (p & q & r)",
    "ctl A[!q U p]",
    "ctl EG !r",
    "mu nu X. (<> X & (p | q))",
    "mu mu X. (r | [] X)",
];

/// Two to four Kripke structures, which may share propositions and block each other.
fn system(rng: &mut Rng) -> String {
    let mut text = String::new();
    let count = rng.between(2, 4);
    for component in 0..count {
        let all = ["p", "q", "r"];
        let props = if component == 0 { all.to_vec() } else { rng.some(&all, 0.5) };
        let states = rng.between(1, 4);
        write!(text, "component C{component} kripke {{ ").unwrap();
        if !props.is_empty() {
            write!(text, "props {}; ", props.join(", ")).unwrap();
        }
        text.push_str("init s0; ");
        for state in 0..states {
            // All agree at the start.
            let label = if state == 0 { String::new() } else { rng.some(&props, 0.5).join(", ") };
            let mut targets: Vec<usize> = (0..states).filter(|_| rng.chance(0.5)).collect();
            if targets.is_empty() && rng.chance(0.8) {
                targets.push(rng.below(states));
            }
            let targets: Vec<String> = targets.iter().map(|target| format!("s{target}")).collect();
            let arrow = if targets.is_empty() {
                String::new()
            } else {
                format!(" -> {}", targets.join(", "))
            };
            write!(text, "s{state}: {{{label}}}{arrow}; ").unwrap();
        }
        text.push_str("}\n");
    }
    let names: Vec<String> = (0..count).map(|component| format!("C{component}")).collect();
    writeln!(text, "system {};", names.join(" || ")).unwrap();
    for (number, formula) in FORMULAS.iter().enumerate() {
        writeln!(text, "property f{number}: {formula};").unwrap();
    }
    text
}

fn converted(model: &Model, to: &str) -> Result<String, String> {
    let options = ConvertOptions { to: vec![to.to_owned()], ..Default::default() };
    let mut text = Vec::new();
    let converted = tertium::convert(model, &options).map_err(|error| error.to_string())?;
    converted.write(&mut text).map_err(|error| error.to_string())?;
    String::from_utf8(text).map_err(|error| error.to_string())
}

fn verdicts(model: &Model) -> Result<Vec<Verdict>, String> {
    let check =
        |property| model.check(property, &Options::default()).map(|answer| answer.verdict());
    model
        .properties()
        .iter()
        .map(check)
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())
}

/// A module for each component, and the same verdicts.
#[test]
fn components_are_modules_of_smv() {
    for_seeds("convert-smv", 0..300, |rng, case| {
        let text = system(rng);
        case.note(&text);
        let model = Model::read("tm", "m.tm", &text).map_err(|error| error.to_string())?;
        let expected = verdicts(&model)?;
        let smv = converted(&model, "smv")?;
        case.note(&smv);
        let modules = smv.lines().filter(|line| line.starts_with("MODULE")).count();
        let again = Model::read("smv", "m.smv", &smv).map_err(|error| error.to_string())?;
        let found = verdicts(&again)?;
        let components = text.matches("component").count();
        match found == expected && modules == components + 1 {
            true => Ok(()),
            false => Err(format!("{modules} modules, {found:?} for {expected:?}")),
        }
    });
}

/// A composition of 80 components is not built.
#[test]
fn many_components_are_written_one_by_one() {
    let mut text = String::new();
    for number in 0..80 {
        writeln!(text, "component C{number} kripke {{ props p{number}; init a; a: {{}} -> a, b; b: {{p{number}}} -> a; }}").unwrap();
    }
    let names: Vec<String> = (0..80).map(|number| format!("C{number}")).collect();
    writeln!(text, "system {};\nproperty reachable: ctl EF (p3 & p70);", names.join(" || "))
        .unwrap();
    let model = Model::read("tm", "m.tm", &text).expect("a model");
    let smv = converted(&model, "smv").expect("SMV");
    assert_eq!(smv.matches("MODULE").count(), 81);
    assert!(smv.contains("CTLSPEC NAME reachable := EF"), "{smv}");
}

fn abstracts(concrete: &Model, abstracted: &Model) -> bool {
    let options = tertium::CompareOptions::default();
    let compared = tertium::compare(concrete, abstracted, &options);
    compared.expect("they can be compared").comparison.holds()
}

/// X Fig. 1 and Thm 2: what covers others stands for them.
#[test]
fn models_with_the_same_refinements_abstract_each_other() {
    for (sets, covers) in [
        (include_str!("../../../examples/x-g1.tm"), include_str!("../../../examples/x-m1.tm")),
        (include_str!("../../../examples/x-g2.tm"), include_str!("../../../examples/x-m2.tm")),
    ] {
        let [with_sets, with_covers] =
            [sets, covers].map(|text| Model::read("tm", "m.tm", text).expect("a model"));
        assert!(abstracts(&with_sets, &with_covers) && abstracts(&with_covers, &with_sets));
        // Without a must transition it says less.
        let weaker = covers.replace("!> a5", "").replace("-> a3 ?> a2", "?> a2, a3");
        assert_ne!(weaker, covers);
        let weaker = Model::read("tm", "weaker.tm", &weaker).expect("a model");
        assert!(abstracts(&with_sets, &weaker) && !abstracts(&weaker, &with_sets));
    }
}
