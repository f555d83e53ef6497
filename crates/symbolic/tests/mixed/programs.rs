//! Random programs seen through predicates.

use crate::expansion::{Expansion, atoms, monomials, random_contradiction, random_program};
use crate::policy;
use logic::{Formula, Logic, Truth};
use model::PartialModel;
use std::cell::Cell;
use support::Monitor;
use symbolic::mixed::{Evaluated, IterationOrder, Mixed, MixedSemantics, MixedValues};
use testkit::reference;
use testkit::{Case, FormulaShape, Rng, compile_for, for_seeds, formula};
use transition::abstracted::{AbstractStart, Abstracted, Literals};

fn question(rng: &mut Rng, case: &mut Case) -> (Abstracted, Expansion, Expansion, Formula) {
    let program = random_program(rng);
    case.note(format!("// {program:?}"));
    let (reduced, standard) = (atoms(&program), monomials(&program));
    let size = rng.between(1, 12);
    let shape = FormulaShape::over(&reduced.model, Logic::Mu, size);
    let formula = compile_for(&formula(rng, &shape), &reduced.model);
    case.note_property(&formula);
    (program, reduced, standard, formula)
}

fn evaluated(
    program: &Abstracted,
    semantics: MixedSemantics,
    formula: &Formula,
    rng: &mut Rng,
) -> (Mixed, Evaluated) {
    let mut mixed =
        Mixed::of_program(program, semantics, policy(rng), &Monitor::new()).expect("room");
    let order = *rng.pick(&[IterationOrder::Together, IterationOrder::ByComponents]);
    let evaluated = mixed.evaluate(formula, order, &mut |_| {}).expect("room");
    (mixed, evaluated)
}

/// The values of the reference by state.
fn expected(expansion: &Expansion, formula: &Formula) -> Vec<Option<Truth>> {
    let values = reference::evaluate(&expansion.model, formula);
    (0..expansion.states.len() as u32).map(|state| values.truth(formula.root(), state)).collect()
}

#[test]
fn the_reduced_semantics_is_that_of_atoms_with_hyper_transitions() {
    let definite = Cell::new(0);
    for_seeds("mixed-reduced", 0..600, |rng, case| {
        let (program, expansion, _, formula) = question(rng, case);
        let (mut mixed, found) = evaluated(&program, MixedSemantics::Reduced, &formula, rng);
        let expected = expected(&expansion, &formula);
        for (&(place, monomial), &ought) in expansion.states.iter().zip(&expected) {
            let is = mixed.at(&found, place, |predicate| monomial.values >> predicate & 1 == 1);
            if is != ought {
                return Err(format!("{monomial:?} at {place} is {is:?}, not {ought:?}"));
            }
            definite.set(definite.get() + usize::from(is.is_some_and(Truth::is_definite)));
        }
        starts_agree(rng, &program, &expansion, &expected, |start| {
            mixed.within(&found, start).expect("room")
        })
    });
    assert!(definite.get() > 1000);
}

#[test]
fn the_standard_semantics_is_that_of_monomials() {
    for_seeds("mixed-standard", 0..400, |rng, case| {
        let (program, minterms, expansion, formula) = question(rng, case);
        let (mut mixed, found) = evaluated(&program, MixedSemantics::Standard, &formula, rng);
        let expected = expected(&expansion, &formula);
        for (&(place, monomial), &ought) in expansion.states.iter().zip(&expected) {
            let value = |predicate: u32| {
                let is_known = monomial.known >> predicate & 1 == 1;
                is_known.then_some(monomial.values >> predicate & 1 == 1)
            };
            let is = mixed.at_monomial(&found, place, value);
            if is != ought {
                return Err(format!("{monomial:?} at {place} is {is:?}, not {ought:?}"));
            }
        }
        let at = |state| expansion.states.iter().position(|other| other == state);
        let of_minterms: Vec<Option<Truth>> =
            minterms.states.iter().map(|state| expected[at(state).expect("a state")]).collect();
        starts_agree(rng, &program, &minterms, &of_minterms, |start| {
            mixed.within(&found, start).expect("room")
        })
    });
}

/// Asks for a random set of initial states, and compares with the values of its minterms.
fn starts_agree(
    rng: &mut Rng,
    program: &Abstracted,
    minterms: &Expansion,
    expected: &[Option<Truth>],
    found: impl FnOnce(&AbstractStart) -> MixedValues,
) -> Result<(), String> {
    let place = rng.below(program.locations.len()) as u32;
    let mut literals = Vec::new();
    for predicate in 0..program.predicates.len() as u32 {
        if rng.chance(0.5) {
            literals.push((predicate, rng.chance(0.5)));
        }
    }
    let mut contradictions = program.contradictions.clone();
    if rng.chance(0.3) {
        contradictions.push(random_contradiction(rng, program.predicates.len()));
    }
    let start = AbstractStart { location: place, literals, contradictions };
    let is_in =
        |&&((at, monomial), _): &&((u32, transition::abstracted::Monomial), Option<Truth>)| {
            let agrees = |&(of, value): &(u32, bool)| (monomial.values >> of & 1 == 1) == value;
            let excluded = |none: &Literals| none.iter().all(agrees);
            at == place
                && start.literals.iter().all(agrees)
                && !start.contradictions.iter().any(excluded)
        };
    let all: Vec<_> = minterms.states.iter().copied().zip(expected.iter().copied()).collect();
    let values: Vec<Option<Truth>> = all.iter().filter(is_in).map(|&(_, value)| value).collect();
    let is = found(&start);
    let is_contradictory = values.contains(&None);
    let all_are = |truth| values.iter().all(|&value| value == Some(truth));
    let (verdict, reduced) = match () {
        () if is_contradictory => (None, None),
        () if all_are(Truth::True) => (Some(Truth::True), Some(Truth::True)),
        () if all_are(Truth::False) => (Some(Truth::False), Some(Truth::False)),
        () if values.contains(&Some(Truth::False)) => (Some(Truth::False), Some(Truth::Unknown)),
        () => (Some(Truth::Unknown), Some(Truth::Unknown)),
    };
    match (is.verdict(), is.reduced()) == (verdict, reduced) {
        true => Ok(()),
        false => Err(format!("{start:?}: {is:?} of {values:?}")),
    }
}

/// The models that the crate of predicates writes down itself. Those without states of minterms are not in them, which
/// matters under the reduced semantics only.
#[test]
fn both_are_those_of_the_model_that_is_written_down() {
    for_seeds("mixed-written", 0..150, |rng, case| {
        let (mut program, minterms, monomials, formula) = question(rng, case);
        let written = |program: &Abstracted| {
            program.to_model("M", usize::MAX).map_err(|error| error.to_string())
        };
        agree(&written(&program)?.reduced(), &minterms, &program, &formula)?;
        program.contradictions.clear();
        agree(&written(&program)?, &monomials, &program, &formula)
    });
}

/// Compares the values in states of the same name.
fn agree(
    model: &PartialModel,
    expansion: &Expansion,
    program: &Abstracted,
    formula: &Formula,
) -> Result<(), String> {
    let values = reference::evaluate(model, formula);
    let expected = expected(expansion, formula);
    for (&(place, monomial), ought) in expansion.states.iter().zip(expected) {
        let letter = |at: usize| match (monomial.known >> at & 1, monomial.values >> at & 1) {
            (0, _) => 'u',
            (_, 0) => 'f',
            _ => 't',
        };
        let letters: String = (0..program.predicates.len()).map(letter).collect();
        let name = format!("{}_{letters}", program.locations[place as usize]);
        let state = (0..model.states() as u32).find(|&state| model.state_name(state) == name);
        let state = state.ok_or_else(|| format!("{name} is missing"))?;
        let is = values.truth(formula.root(), state);
        if is != ought {
            return Err(format!("{name} is {is:?}, not {ought:?}"));
        }
    }
    Ok(())
}
