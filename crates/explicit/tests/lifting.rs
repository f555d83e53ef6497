//! Definite values of a lifted component hold in the composition (C Thm 4.4, 5.6), with the paper's lifting and
//! with the one that knows the others' interfaces; the second is at least as precise as the first.

use logic::{ActionSet, Formula, Truth};
use model::{Interface, Lifting, PartialModel, System, lift, mixed_simulation};
use support::Monitor;
use testkit::reference;
use testkit::{Case, Rng, for_seeds, system_question};

const LIFTINGS: [Lifting; 2] = [Lifting::Paper, Lifting::Summaries];

/// The composition, or the composition in which deadlocked states follow themselves.
fn with_deadlocks(composition: &PartialModel, stutter: bool) -> PartialModel {
    if stutter { composition.clone().stuttering() } else { composition.clone() }
}

fn one_refinement(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let Some((system, composition, _)) = system_question(rng, case, 1) else { return Ok(()) };
    let interface = Interface::new(&system);
    let asked: Vec<ActionSet> = system.actions().into_iter().map(ActionSet::one).collect();
    for stutter in [false, true] {
        let composition = with_deadlocks(&composition, stutter);
        for (component, lifting) in each_lifted(&system) {
            let lifted = lift(&system, &interface, component, &asked, lifting, stutter).model;
            let found = mixed_simulation(&composition, &lifted, &Monitor::new());
            let found = found.map_err(|error| error.to_string())?;
            let covers =
                |&state: &u32| found.contains(state, composition.names().tuple(state)[component]);
            if let Some(bad) = (0..composition.states() as u32).find(|state| !covers(state)) {
                let state = composition.state_name(bad);
                return Err(format!("{lifting:?}, {component}, {stutter}: {state} is not covered"));
            }
        }
    }
    Ok(())
}

fn each_lifted(system: &System) -> impl Iterator<Item = (usize, Lifting)> {
    let components = 0..system.components.len();
    components.flat_map(|component| LIFTINGS.map(|lifting| (component, lifting)))
}

/// A composition refines each of its lifted components: concrete ones (C Thm 4.4) and partial ones
/// (C Thm 5.6), with either lifting.
#[test]
fn c_thm_4_4_and_5_6_a_composition_refines_its_lifted_components() {
    for_seeds("lifting-refines", 0..4_000, one_refinement);
}

/// By state of a component: the value of the formula there, once it is lifted.
fn values(
    (system, interface): (&System, &Interface),
    component: usize,
    formula: &Formula,
    lifting: Lifting,
) -> Vec<Option<Truth>> {
    let asked: Vec<ActionSet> = formula.action_sets().values().cloned().collect();
    let lifted = lift(system, interface, component, &asked, lifting, false).model;
    let values = reference::evaluate(&lifted, formula);
    (0..lifted.states() as u32).map(|state| values.truth(formula.root(), state)).collect()
}

fn one_question(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let Some((system, composition, formula)) = system_question(rng, case, 12) else {
        return Ok(());
    };
    let interface = Interface::new(&system);
    let expected = reference::evaluate(&composition, &formula);
    for component in 0..system.components.len() {
        let [paper, summaries] =
            LIFTINGS.map(|lifting| values((&system, &interface), component, &formula, lifting));
        for state in 0..composition.states() as u32 {
            let own = composition.names().tuple(state)[component] as usize;
            let value = expected.truth(formula.root(), state);
            let [paper, summaries] = [paper[own], summaries[own]];
            let agrees = |found: Option<Truth>| found == Some(Truth::Unknown) || found == value;
            if !agrees(paper) || !agrees(summaries) {
                let name = composition.state_name(state);
                return Err(format!(
                    "{component}, {name}: {paper:?}, {summaries:?}, not {value:?}"
                ));
            }
            if paper != Some(Truth::Unknown) && summaries != paper {
                return Err(format!("{component}: the paper says {paper:?}, not {summaries:?}"));
            }
        }
    }
    Ok(())
}

/// Definite values of a lifted component hold in every composed state over it, and knowing the interfaces of
/// the others never loses an answer.
#[test]
fn definite_values_of_lifted_components_never_contradict() {
    for_seeds("lifting-values", 0..10_000, one_question);
}

/// Two stations hand a token on over wires that one of them drives: the other cannot block it, so the
/// step stays a must and an existential property is decided by one component alone.
#[test]
fn a_step_that_no_component_can_block_stays_a_must() {
    let text = "component Driver kripke { props w, d; init a; a: {d} -> a, b; b: {w} -> a; }
component Watcher kripke {
  props w; init x; x: {} -> x, y; y: {w} -> x, y;
}
system Driver || Watcher;
property p: ctl EF w;";
    let text = text.into();
    let document =
        testkit::read_tm(support::FileId(0), &text, &Monitor::new(), &mut |_| Err(String::new()))
            .expect("a system");
    let system = document.system.unwrap();
    let composition = system.compose(&Monitor::new()).unwrap();
    let formula = testkit::compile_for(document.properties[0].surface().unwrap(), &composition);
    let interface = Interface::new(&system);
    let first = |lifting| values((&system, &interface), 0, &formula, lifting)[0];
    assert_eq!(first(Lifting::Paper), Some(Truth::Unknown));
    assert_eq!(first(Lifting::Summaries), Some(Truth::True));
}
