use super::*;
use clap::ValueEnum;
use front::{Claim, SmvDocument, SmvQuestion, read_smv_asking};
use logic::{Signature, Truth};
use std::slice::from_ref;
use std::sync::Arc;
use support::{FileId, Monitor};
use symbolic::{Session, Subject};

/// A file of which these properties are asked, whether they are in it or not.
fn document(wish: &Wish, formulas: &[Formula]) -> SmvDocument {
    let question = |formula: &Formula| SmvQuestion {
        logic: if formula.is_ctl { logic::Logic::Ctl } else { logic::Logic::Mu },
        file: FileId(1),
        text: formula.text.as_str().into(),
    };
    let asked: Vec<SmvQuestion> = formulas.iter().map(question).collect();
    let text: Arc<str> = make(wish, |_| true).into();
    let read = read_smv_asking(FileId(0), &text, &asked);
    let document = read.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    document
}

fn verdicts(document: &SmvDocument) -> Vec<Truth> {
    let (machine, labels) = (&document.machine, &document.propositions);
    let slice = machine.whole();
    let subject = Subject { machine, slice: &slice, labels, conditions: &[] };
    let mut session = Session::new(subject, 1 << 20, &Monitor::new()).expect("there is room");
    let family = logic::Family::Props;
    let signature = Signature { family, props: &document.names, actions: &[] };
    let mut verdict = |claim: &Claim| {
        let Claim::Formula(surface) = claim else { panic!("it can be checked") };
        let formula = logic::compile(surface, &signature, &mut Vec::new());
        session.check(&formula.expect("a proper formula")).expect("there is room").verdict
    };
    document.specifications.iter().map(|asked| verdict(&asked.claim)).collect()
}

fn has_the_stated_verdicts(wish: &Wish) {
    let formulas = formulas(wish.family, wish.size);
    let found = verdicts(&document(wish, &formulas));
    let plan = wish.family.plan();
    for (formula, found) in formulas.iter().zip(found) {
        let stated = plan.properties.iter().find(|stated| stated.name == formula.name);
        let expected = stated.expect("a property of this name").verdict(wish.broken);
        let Wish { family, size, seed, broken, data, .. } = wish;
        let name = format!("{family:?} {size} seed {seed} broken {broken} data {data:?}");
        assert_eq!(found, Truth::from(expected), "{name}: {}", formula.name);
    }
}

fn all(sizes: &[u32], seeds: &[u64], data: Option<u32>) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for &family in Family::value_variants() {
        for (&size, broken) in sizes.iter().flat_map(|size| [(size, false), (size, true)]) {
            let plain = || Wish { smv: true, data, ..Wish::new(family, size, broken) };
            wishes.extend(seeds.iter().map(|&seed| Wish { seed, ..plain() }));
        }
    }
    wishes
}

#[test]
fn every_property_has_the_verdict_that_is_stated() {
    all(&[2, 3, 4], &[1, 2, 3], None).iter().for_each(has_the_stated_verdicts);
}

#[test]
fn irrelevant_data_changes_no_verdict() {
    all(&[2, 3], &[1, 2], Some(2)).iter().for_each(has_the_stated_verdicts);
}

/// Otherwise nobody would have to carry it. Only who is master of a bus does not depend on the copies.
#[test]
fn irrelevant_data_is_in_the_cone_of_every_property() {
    for wish in all(&[3], &[1], Some(8)) {
        for formula in formulas(wish.family, wish.size) {
            let SmvDocument { machine, propositions, .. } = document(&wish, from_ref(&formula));
            let cone = machine.cone(propositions.iter().map(|property| property.node));
            let is_word = |var: &_| machine.vars[*var].name.ends_with(".ticks");
            let words = machine.state_vars().filter(is_word);
            let carries = words.into_iter().any(|var| cone.contains(var));
            let is_free = ["never both master", "are both master"];
            let is_exempt = is_free.iter().any(|end| formula.name.ends_with(end));
            assert!(carries != is_exempt, "{:?}: {}", wish.family, formula.name);
        }
    }
}

/// The families know the same properties in both notations.
#[test]
fn every_property_is_asked() {
    for family in Family::value_variants() {
        let stated: Vec<&str> = family.plan().properties.iter().map(|p| p.name).collect();
        let asked: Vec<&str> = formulas(*family, 4).iter().map(|formula| formula.name).collect();
        assert_eq!(stated, asked, "{family:?}");
    }
}

#[test]
fn names_are_identifiers() {
    assert_eq!(label("two-party: one fork, one hand"), "two_party_one_fork_one_hand");
    for family in Family::value_variants() {
        let mut labels: Vec<String> = formulas(*family, 2).into_iter().map(|f| f.label).collect();
        let count = labels.len();
        labels.sort();
        labels.dedup();
        assert_eq!(labels.len(), count, "{family:?}");
    }
}

/// In particular none reads more of the others.
#[test]
fn files_grow_by_parts_of_the_same_size() {
    for &family in Family::value_variants() {
        let length = |size| make(&Wish::new(family, size, false), |_| true).len() as f64;
        let growth = (length(400) - length(200)) / (length(200) - length(100));
        assert!((1.7..2.3).contains(&growth), "{family:?}: {growth}");
    }
}
