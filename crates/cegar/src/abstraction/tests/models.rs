//! Models written down state by state.

use super::enumeration::{HIGH, LOW, VARIABLES, condition, step};
use crate::abstraction::blocks::{PROPERTIES, abstracted};
use crate::abstraction::{self, PredicateSet, ValueDecider};
use logic::{Formula, Logic, Truth};
use model::{Kind, PartialModel};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::reference;
use testkit::{Rng, compile_for, for_seeds, formula_for};
use transition::abstracted::{AbstractStart, Abstracted, Meaning, TooLarge};
use transition::integers::{IntegerProgram, IntegerStep, Predicate};

const MOST: usize = 5_000;

fn complete_model(abstracted: &Abstracted) -> PartialModel {
    abstracted.to_model("M", MOST).expect("small")
}

fn outline(abstracted: &Abstracted) -> PartialModel {
    abstracted.to_outline("M", MOST).expect("small")
}

fn numbers(model: &PartialModel) -> HashMap<String, u32> {
    (0..model.states() as u32).map(|state| (model.state_name(state), state)).collect()
}

fn parse(text: &str, model: &PartialModel) -> Formula {
    let text: Arc<str> = text.into();
    let range = 0..text.len();
    let surface = front::parse_formula(Logic::Mu, FileId(0), &text, range).expect("a formula");
    compile_for(&surface, model)
}

/// A program over two integers with some locations, steps and predicates.
fn random(rng: &mut Rng) -> Abstracted {
    let locations = rng.between(1, 3);
    let location = |rng: &mut Rng| rng.below(locations) as u32;
    let steps = (0..rng.between(1, 5)).map(|_| {
        let (source, target) = (location(rng), location(rng));
        IntegerStep { source, target, ..step(rng) }
    });
    let steps = steps.collect();
    let predicates: Vec<Predicate> = (0..rng.between(1, 3))
        .map(|i| Predicate { name: format!("r{i}"), condition: condition(rng, 1) })
        .collect();
    let literals = vec![(0, rng.chance(0.5))];
    let start = AbstractStart { location: location(rng), literals, contradictions: Vec::new() };
    let propositions = vec![
        ("first".to_owned(), Meaning::At(vec![0])),
        ("p".to_owned(), Meaning::Literal(rng.below(predicates.len()) as u32, rng.chance(0.8))),
    ];
    let program = IntegerProgram {
        variables: (0..VARIABLES).map(|variable| format!("x{variable}")).collect(),
        locations: (0..locations).map(|location| format!("l{location}")).collect(),
        steps,
    };
    let precision =
        PredicateSet { predicates, propositions, starts: vec![start], ..PredicateSet::default() };
    let mut decider = ValueDecider::new(LOW..=HIGH);
    let seen = abstraction::abstracted(&program, &precision, &mut decider, &Monitor::new());
    seen.expect("few predicates")
}

/// X Def. 7, and labels that are monotone (X §2.1). The order is read off the names.
fn check_monotone(model: &PartialModel) -> Result<(), String> {
    let names: Vec<String> = (0..model.states() as u32).map(|s| model.state_name(s)).collect();
    let covers = |a: u32, b: u32| {
        let (a, b) = (&names[a as usize], &names[b as usize]);
        a.len() == b.len() && a.chars().zip(b.chars()).all(|(a, b)| a == b || a == 'u')
    };
    let edges = || {
        let states = 0..model.states() as u32;
        states.flat_map(|s| model.edges().out(s).map(move |(t, class)| (s, t, class.mode)))
    };
    let may: HashSet<(u32, u32)> = edges().filter(|e| e.2.may).map(|e| (e.0, e.1)).collect();
    let must: HashSet<(u32, u32)> = edges().filter(|e| e.2.must).map(|e| (e.0, e.1)).collect();
    let all = 0..model.states() as u32;
    for &(s2, t2) in &may {
        for s1 in all.clone().filter(|&s1| covers(s1, s2)) {
            if let Some(t1) = all.clone().find(|&t1| covers(t2, t1) && !may.contains(&(s1, t1))) {
                return Err(format!("no may from {s1} to {t1}"));
            }
        }
    }
    for &(s1, t1) in &must {
        for s2 in all.clone().filter(|&s2| covers(s1, s2)) {
            if let Some(t2) = all.clone().find(|&t2| covers(t2, t1) && !must.contains(&(s2, t2))) {
                return Err(format!("no must from {s2} to {t2}"));
            }
        }
    }
    for (prop, _) in model.props().iter() {
        for (s1, s2) in all.clone().flat_map(|a| all.clone().map(move |b| (a, b))) {
            let (a, b) = (model.label(s1, prop), model.label(s2, prop));
            if covers(s1, s2) && a != Truth::Unknown && a != b {
                return Err(format!("labels of {s1} and {s2}"));
            }
        }
    }
    Ok(())
}

#[test]
fn complete_models_are_monotone() {
    check_monotone(&complete_model(&abstracted(1, &Monitor::new()).expect("small")))
        .expect("monotone");
    for_seeds("monotone models of predicate abstraction", 0..150, |rng, case| {
        let abstracted = random(rng);
        case.note(format!("{abstracted:?}"));
        check_monotone(&complete_model(&abstracted))
    });
}

#[test]
fn the_states_of_a_block() {
    let block = abstracted(1, &Monitor::new()).expect("small");
    let model = complete_model(&block);
    assert_eq!((model.kind, model.states(), model.init().len()), (Kind::MixTs, 63, 4));
    let numbers = numbers(&model);
    let covers: HashMap<u32, &[u32]> =
        model.covers().iter().map(|covers| (covers.state, &*covers.covered)).collect();
    assert_eq!(covers.len(), 35);
    assert!(model.covers().iter().all(|covers| covers.exactly));
    assert_eq!(covers[&numbers["D0_tu"]], [numbers["D0_tf"], numbers["D0_tt"]]);
    assert_eq!(covers[&numbers["D0_uu"]], [numbers["D0_fu"], numbers["D0_tu"]]);
    let outline = outline(&block);
    // E0 with each minterm, A0 and C0 with two each, D0 with x0 > 0 and with each of its halves, F0 with one, and END
    // and STOP with two each.
    assert_eq!(outline.states(), 4 + 2 + 2 + 3 + 1 + 2 + 2);
    assert_eq!(outline.covers().len(), 1);
}

#[test]
fn what_is_too_large_is_not_written() {
    let blocks = abstracted(3, &Monitor::new()).expect("small");
    assert_eq!(blocks.to_model("M", MOST).err(), Some(TooLarge { most_states: MOST }));
    let many = abstracted(33, &Monitor::new()).expect("a small abstraction");
    assert!(many.to_model("M", MOST).is_err());
    assert!(many.to_outline("M", MOST).is_err());
    let forty = abstracted(20, &Monitor::new()).expect("a small abstraction");
    assert!(forty.to_outline("M", MOST).is_err());
}

type Semantics = fn(&PartialModel, &Formula) -> reference::Values;

const BOTH: [Semantics; 2] = [reference::evaluate, reference::evaluate_reduced];

/// The value in the initial states that are positive and in those that are not, by definition.
fn starting(model: &PartialModel, text: &str, semantics: Semantics) -> [Truth; 2] {
    let formula = parse(text, model);
    let values = semantics(model, &formula);
    ['t', 'f'].map(|letter| {
        let is_wanted = |&&state: &&u32| model.state_name(state).chars().nth(3) == Some(letter);
        let starts = model.init().iter().filter(is_wanted);
        let mut values = starts.map(|&s| values.truth(formula.root(), s).expect("consistent"));
        let first = values.next().expect("some");
        if values.all(|value| value == first) { first } else { Truth::Unknown }
    })
}

#[test]
fn x_fig_3_verdicts_of_one_and_two_blocks() {
    use Truth::{False, True, Unknown};
    let standard = [[True, Unknown], [True, Unknown], [False, False]];
    let reduced = [[True, True], [True, True], [False, False]];
    for blocks in [1, 2] {
        let blocks = abstracted(blocks, &Monitor::new()).expect("small");
        for model in [complete_model(&blocks), outline(&blocks)] {
            for (semantics, expected) in BOTH.into_iter().zip([standard, reduced]) {
                let found = PROPERTIES.map(|(_, text)| starting(&model, text, semantics));
                assert_eq!(found, expected);
            }
        }
    }
}

/// Both ways of writing a model down agree in all states that both have, and some concrete system refines it.
#[test]
fn outlines_have_the_values_of_the_complete_model() {
    for_seeds("outlines of predicate abstraction", 0..400, |rng, case| {
        let abstracted = random(rng);
        case.note(format!("{abstracted:?}"));
        let (complete_model, outline) = (complete_model(&abstracted), outline(&abstracted));
        if model::ill_formed(&complete_model).is_some() || !complete_model.is_monotone() {
            return Err("not well formed".to_owned());
        }
        let formula = formula_for(rng, &complete_model, 8);
        case.note_property(&formula);
        let numbers = numbers(&complete_model);
        for semantics in BOTH {
            let (a, b) = (semantics(&complete_model, &formula), semantics(&outline, &formula));
            for state in 0..outline.states() as u32 {
                let name = outline.state_name(state);
                if a.at(formula.root(), numbers[&name]) != b.at(formula.root(), state) {
                    return Err(name);
                }
            }
        }
        Ok(())
    });
}
