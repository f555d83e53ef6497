//! Unknown components: a definite verdict about a system with one holds of
//! every system in which it is written.

use explicit::{COMPOSITIONAL, CheckError, Request};
use logic::{Family, Logic, Signature, Surface, Truth};
use model::{
    Component, Kind, PartialModel, Sync, System, TAU, compare, unknown_actions, unknown_props,
};
use support::Monitor;
use testkit::{Case, FormulaShape, ModelShape, Rng, for_seeds, formula, model, system_text};

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// The part to be written, with one initial state.
fn part(rng: &mut Rng, kind: Kind, props: &[&str], actions: &[&str]) -> PartialModel {
    let mut shape = ModelShape { initial: 1, ..ModelShape::small(rng, kind) };
    shape.name = "B".to_owned();
    fill(rng, shape, props, actions)
}

/// The part beside it.
fn known(rng: &mut Rng, kind: Kind, props: &[&str], actions: &[&str]) -> PartialModel {
    let mut shape = ModelShape::small(rng, kind);
    shape.name = "A".to_owned();
    fill(rng, shape, props, actions)
}

fn fill(rng: &mut Rng, mut shape: ModelShape, props: &[&str], actions: &[&str]) -> PartialModel {
    shape.states = rng.between(1, 4);
    (shape.props, shape.actions) = (names(props), names(actions));
    model(rng, &shape)
}

/// A part that may still become this one: each label of its only initial state is kept or made unknown.
fn forgotten(rng: &mut Rng, part: &PartialModel) -> PartialModel {
    let start = part.init()[0];
    let label = |(prop, name): (_, &str)| match rng.chance(0.5) {
        true => (name.to_owned(), part.label(start, prop)),
        false => (name.to_owned(), Truth::Unknown),
    };
    unknown_props(&part.name, &part.props().iter().map(label).collect::<Vec<_>>())
}

fn beside(known: &PartialModel, part: &PartialModel, is_unknown: bool) -> System {
    let known = Component { model: known.clone(), is_unknown: false };
    let part = Component { model: part.clone(), is_unknown };
    System { components: vec![known, part], sync: Sync::default() }
}

/// `None` if the initial states do not compose.
fn verdict(system: &System, surface: &Surface) -> Option<Truth> {
    let (props, actions, monitor) = (system.props(), system.actions(), Monitor::new());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    let formula = logic::compile(surface, &signature, &mut Vec::new()).expect("names exist");
    match COMPOSITIONAL.run(&Request::new(system, &formula, &monitor)) {
        Ok(outcome) => Some(outcome.verdict),
        Err(CheckError::NoComposableInit) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Compares the verdicts with the part missing and with the part written.
fn expect_kept(
    case: &mut Case,
    missing: &System,
    written: &System,
    surface: &Surface,
) -> Result<Option<Truth>, String> {
    case.note(system_text(missing));
    case.note(system_text(written));
    case.note(format!("// {}", surface.source()));
    let Some(actual) = verdict(written, surface) else { return Ok(None) };
    match verdict(missing, surface) {
        Some(known) if known.is_refined_by(actual) => Ok(Some(known)),
        known => Err(format!("with the part missing {known:?}, with the part written {actual}")),
    }
}

fn random_formula(rng: &mut Rng, family: Family, over: (&[&str], &[&str])) -> Surface {
    let logic = match family {
        Family::Props => *rng.pick(&[Logic::Mu, Logic::Ctl]),
        Family::Actions => *rng.pick(&[Logic::Mu, Logic::Mcf]),
    };
    let (props, actions, size) = (names(over.0), names(over.1), rng.between(1, 8));
    formula(rng, &FormulaShape { logic, family, props, actions, size })
}

#[test]
fn c_thm_5_2_the_coarsest_abstraction_abstracts() {
    for_seeds("coarsest", 0..500, |rng, case| {
        let part = part(rng, Kind::Kripke, &["p", "q"], &[]);
        let coarsest = forgotten(rng, &part);
        case.note(testkit::model_text(&part));
        let found = compare(&part, &coarsest, &Monitor::new()).expect("propositions agree");
        found.holds().then_some(()).ok_or("the coarsest abstraction does not abstract".to_owned())
    });
}

#[test]
fn a_verdict_without_a_part_holds_whatever_the_part_will_be() {
    let mut definite = [0; 2];
    let counts = std::cell::RefCell::new(&mut definite);
    for_seeds("missing-part", 0..4000, |rng, case| {
        let known = known(rng, Kind::Kripke, &["j", "p"], &[]);
        let part = part(rng, Kind::Kripke, &["j", "q"], &[]);
        let missing = beside(&known, &forgotten(rng, &part), true);
        let surface = random_formula(rng, Family::Props, (&["j", "p", "q"], &[]));
        let verdict = expect_kept(case, &missing, &beside(&known, &part, false), &surface)?;
        count(&mut counts.borrow_mut(), verdict);
        Ok(())
    });
    assert!(definite.iter().all(|&n| n > 100), "too few definite verdicts: {definite:?}");
}

#[test]
fn a_verdict_without_a_process_holds_whatever_the_process_will_be() {
    let mut definite = [0; 2];
    let counts = std::cell::RefCell::new(&mut definite);
    for_seeds("missing-process", 0..4000, |rng, case| {
        let known = known(rng, Kind::Lts, &[], &["a", "b", TAU]);
        let part = part(rng, Kind::Lts, &[], &["b", "c", TAU]);
        let missing = beside(&known, &unknown_actions("B", &names(&["b", "c"])), true);
        let surface = random_formula(rng, Family::Actions, (&[], &["a", "b", "c", TAU]));
        let verdict = expect_kept(case, &missing, &beside(&known, &part, false), &surface)?;
        count(&mut counts.borrow_mut(), verdict);
        Ok(())
    });
    assert!(definite.iter().all(|&n| n > 100), "too few definite verdicts: {definite:?}");
}

fn count(definite: &mut [u32; 2], verdict: Option<Truth>) {
    match verdict {
        Some(Truth::True) => definite[0] += 1,
        Some(Truth::False) => definite[1] += 1,
        _ => {}
    }
}
