//! Verdicts of `check` on mixed models, against the definitions of paper X and against all systems that
//! refine a model.

use explicit::{DIRECT, Outcome, Reason, Request};
use logic::{Formula, Truth};
use model::{Kind, PartialModel, System};
use std::cell::Cell;
use support::Monitor;
use testkit::mixed::{
    Element, MixedShape, Partial, Space, abstracted, noted_abstraction, reduce, ris, sis, verdicts,
};
use testkit::{ModelShape, Rng, for_seeds, model, model_text, noted_formula};

fn outcome(system: &System, formula: &Formula) -> Result<Outcome, String> {
    let monitor = Monitor::new();
    let request = Request { values: true, ..Request::new(system, formula, &monitor) };
    DIRECT.run(&request).map_err(|error| error.to_string())
}

/// The verdict that follows from the values in the initial states.
fn verdict(model: &PartialModel, value: Element) -> Truth {
    let values = model.init().iter().map(|&s| value.truth(s).expect("some system refines it"));
    values.fold(Truth::True, Truth::and)
}

/// X Def. 2 on the model as it stands; X Def. 6 on its monotone closure, through the reduced model.
#[test]
fn verdicts_are_those_of_the_definitions() {
    let gained = Cell::new(0);
    for_seeds("mixed-verdicts", 0..6_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let model = noted_abstraction(rng, case, &shape).model;
        let formula = noted_formula(rng, case, &model, 12);
        let space = Space::new(&model, |_| 1);
        let standard = verdict(&model, sis(&Partial::new(&model), &formula));
        let monotone = Partial::new(&model.monotone());
        let reduced = verdict(&model, reduce(&space, ris(&monotone, &space, &formula)));
        gained.set(gained.get() + u32::from(standard != reduced));
        let system = System::single(model);
        let found = outcome(&system, &formula)?.verdict;
        if found != standard {
            return Err(format!("under SIS {found}, not {standard}"));
        }
        let found = outcome(&system.reduced(), &formula)?.verdict;
        if found != reduced {
            return Err(format!("under RIS {found}, not {reduced}"));
        }
        Ok(())
    });
    assert!(gained.get() > 40, "RIS gains a verdict in {} cases only", gained.get());
}

/// Where `check` claims that an unknown is exact, some refinement satisfies the formula and some refutes it.
#[test]
fn exact_unknowns_are_exact() {
    let (confirmed, silent) = (Cell::new(0), Cell::new(0));
    for_seeds("mixed-exact", 0..4_000, |rng, case| {
        let model = few_states(rng);
        case.note(model_text(&model));
        let formula = noted_formula(rng, case, &model, 6);
        let Some(all) = verdicts(&model, &formula, 1) else { return Ok(()) };
        let outcome = outcome(&System::single(model.clone()).reduced(), &formula)?;
        let Some(Reason::Undetermined(in_hole)) = outcome.reason else { return Ok(()) };
        match (in_hole.is_exact, all.is_satisfied && all.is_refuted) {
            (true, true) => confirmed.set(confirmed.get() + 1),
            (true, false) => return Err(format!("the unknown is not exact: {all:?}")),
            (false, false) => silent.set(silent.get() + 1),
            (false, true) => {}
        }
        Ok(())
    });
    let (confirmed, silent) = (confirmed.get(), silent.get());
    assert!(confirmed > 100, "only {confirmed} claims were tried");
    assert!(silent > 10, "only {silent} unknowns are not exact");
}

/// A KMTS at random, or an abstraction of some system.
fn few_states(rng: &mut Rng) -> PartialModel {
    if rng.chance(0.5) {
        let shape = MixedShape::tiny(rng);
        return abstracted(rng, &MixedShape { weaken: 0.3, ..shape }).model;
    }
    let kind = *rng.pick(&[Kind::Kmts, Kind::Kmts, Kind::MixTs, Kind::Gkmts]);
    let shape = ModelShape { states: rng.between(1, 3), ..ModelShape::small(rng, kind) };
    model(rng, &shape)
}
