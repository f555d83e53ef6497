//! Written text reads back as the same.

use crate::generate::{formulas, systems};
use crate::support::{compact, parse, read, show_numbered};
use front::{Safety, Specification, write_tm};
use logic::{Family, Formula, Logic, PropId, Signature, Surface, compile};
use model::{PartialModel, System};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use support::{Diagnostic, Interner};

fn compiled(surface: &Surface, family: Family) -> Result<Formula, Vec<Diagnostic>> {
    let props: Interner<PropId> = ["p", "q.r", "X"].into_iter().collect();
    compile(surface, &Signature { family, props: &props, actions: &[] }, &mut Vec::new())
}

fn normal_form(formula: &Formula) -> String {
    formula.to_mu(&["p", "q.r", "X"].into_iter().collect())
}

/// Parsed, brought into normal form, printed, and the same once more.
fn check_formula(logic: Logic, family: Family, text: &str) -> Result<(), TestCaseError> {
    let surface = parse(logic, text)
        .map_err(|errors| TestCaseError::fail(format!("{text}\n{}", compact(text, &errors))))?;
    // Free variables and variables under negations are errors of their own.
    let Ok(formula) = compiled(&surface, family) else { return Err(TestCaseError::reject("open")) };
    let printed = normal_form(&formula);
    let again = parse(Logic::Mu, &printed).map_err(|errors| {
        TestCaseError::fail(format!("{printed}\n{}", compact(&printed, &errors)))
    })?;
    let again = compiled(&again, family).map_err(|errors| {
        TestCaseError::fail(format!("{printed}\n{}", compact(&printed, &errors)))
    })?;
    // Compared with the binders numbered as they come: printing makes two of a shared one.
    let again = show_numbered(Logic::Mu, &normal_form(&again));
    prop_assert_eq!(again, show_numbered(Logic::Mu, &printed), "{}", text);
    Ok(())
}

/// A fixpoint around the formula binds what may be free in it.
fn closed(text: &str) -> String {
    format!("nu Y. mu Z. ({text})")
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn mu_over_propositions(text in formulas(Logic::Mu, Family::Props)) {
        check_formula(Logic::Mu, Family::Props, &closed(&text))?;
    }

    #[test]
    fn mu_over_actions(text in formulas(Logic::Mu, Family::Actions)) {
        check_formula(Logic::Mu, Family::Actions, &closed(&text))?;
    }

    #[test]
    fn ctl(text in formulas(Logic::Ctl, Family::Props)) {
        check_formula(Logic::Ctl, Family::Props, &text)?;
    }

    #[test]
    fn mcf(text in formulas(Logic::Mcf, Family::Actions)) {
        check_formula(Logic::Mcf, Family::Actions, &closed(&text))?;
    }

    #[test]
    fn systems_read_back(system in systems()) {
        let text = write_tm(&system, &[], &[]);
        let document = read(&text)
            .map_err(|errors| TestCaseError::fail(format!("{text}\n{}", compact(&text, &errors))))?;
        let again = document.system.expect("a system was written");
        prop_assert_eq!(describe(&again), describe(&system), "{}", text);
        prop_assert_eq!(write_tm(&again, &[], &[]), text);
    }
}

/// All that matters of a system, except for the names of states and components.
pub fn describe(system: &System) -> String {
    let parts: Vec<String> = system
        .components
        .iter()
        .map(|component| format!("{} {}", component.is_unknown, describe_model(&component.model)))
        .collect();
    format!("{}{:?}", parts.concat(), system.sync)
}

fn describe_model(model: &PartialModel) -> String {
    let mut lines: Vec<String> = Vec::new();
    for state in 0..model.states() as u32 {
        for (prop, name) in model.props().iter() {
            lines.push(format!("{state} {name} {}", model.label(state, prop)));
        }
        for (target, class) in model.edges().out(state) {
            let action = class.action.map(|action| model.actions().name(action));
            lines.push(format!("{state} {action:?} {:?} {target}", class.mode));
        }
    }
    lines.sort();
    let mut actions: Vec<&str> = model.actions().names().filter(|name| *name != "tau").collect();
    actions.sort_unstable();
    let (init, hyper, covers) = (model.init(), model.hyper(), model.covers());
    format!("{:?} {actions:?} {init:?} {hyper:?} {covers:?}\n{}\n", model.kind, lines.join("\n"))
}

#[test]
fn properties_and_safeties_read_back() {
    let text = "component M lts {\n  actions a;\n  init s;\n  s: -a-> s;\n}\n\n\
                safety S lts {\n  actions a, b;\n  init s;\n  s: -a-> s;\n}\n\n\
                property p: mu nu Z.<a>Z & [\"b c\"] false;\n\
                property \"a \\\"quoted\\\" one\": mcf [true*.a]<a|b(1,2)>true;\n";
    let document = read(text).expect("a file without errors");
    let (system, safeties) = (document.system.as_ref().unwrap(), &document.safeties);
    assert_eq!(write_tm(system, safeties, &document.properties), text);
}

#[test]
fn comments_in_formulas_are_left_out() {
    let system = read("component M lts { init s; s: ; }").unwrap().system.unwrap();
    let property = |logic, text: &str| {
        let surface = parse(logic, text).unwrap();
        Specification::new(Some("x".to_owned()), surface.span, surface)
    };
    let properties = [
        property(Logic::Mu, "true // no\n & /* no */ false"),
        property(Logic::Mcf, "<a> % no ;\n true"),
    ];
    let no_safety: [Safety; 0] = [];
    let text = write_tm(&system, &no_safety, &properties);
    assert!(text.contains("property x: mu true & false;\n"), "{text}");
    assert!(text.contains("property x: mcf <a> true;\n"), "{text}");
}
