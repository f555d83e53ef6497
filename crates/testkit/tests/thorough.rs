//! The thorough semantics (X §2.2) of `check`. That some refinement satisfies a formula is shown by a complete model,
//! which has to refine the abstract one and to satisfy the formula by the reference semantics. That none does is held
//! against random refinements and, of the smallest models, against all refinements with so many copies of each state.

use explicit::{DIRECT, Outcome, Request, satisfying_refinement};
use logic::{Family, Formula, Truth};
use model::{Kind, PartialModel, System, mixed_simulation};
use std::cell::Cell;
use support::Monitor;
use testkit::mixed::{MixedShape, abstracted, verdicts};
use testkit::{Case, ModelShape, Rng, for_seeds, model, model_text, noted_formula, refinement};

fn outcome(system: &System, formula: &Formula, thorough: bool) -> Result<Outcome, String> {
    let monitor = Monitor::new();
    let request = Request { values: true, thorough, ..Request::new(system, formula, &monitor) };
    DIRECT.run(&request).map_err(|error| error.to_string())
}

fn values(outcome: &Outcome) -> Vec<Truth> {
    outcome.values.iter().flatten().map(|(_, value)| *value).collect()
}

/// A refinement of a state that satisfies a formula there, confirmed.
fn is_satisfied(model: &PartialModel, formula: &Formula, state: u32) -> Result<bool, String> {
    let monitor = Monitor::new();
    let found = satisfying_refinement(model, formula, state, &monitor).expect("no limit");
    let Some(concrete) = found else { return Ok(false) };
    let simulation = mixed_simulation(&concrete, model, &monitor).map_err(|e| e.to_string())?;
    if !concrete.is_complete() || !simulation.contains(concrete.init()[0], state) {
        return Err(format!("no refinement of s{state}:\n{}", model_text(&concrete)));
    }
    let number = |prop| concrete.props().get(model.props().name(prop));
    let own = formula.renumbered(number).expect("all propositions are there");
    match testkit::reference::evaluate(&concrete, &own).truth(own.root(), concrete.init()[0]) {
        Some(Truth::True) => Ok(true),
        other => Err(format!("{other:?} in a refinement of s{state}:\n{}", model_text(&concrete))),
    }
}

/// Figures of a run, so that none of the cases is rare.
#[derive(Default)]
struct Counts {
    unknown: Cell<u32>,
    gained: Cell<u32>,
    alternating: Cell<u32>,
    enumerated: Cell<u32>,
}

impl Counts {
    fn all(&self) -> [u32; 4] {
        [&self.unknown, &self.gained, &self.alternating, &self.enumerated].map(Cell::get)
    }
}

fn add(count: &Cell<u32>, is_one: bool) {
    count.set(count.get() + u32::from(is_one));
}

/// Every unknown of the inductive semantics is decided, and each side is shown.
fn check(
    rng: &mut Rng,
    model: &PartialModel,
    formula: &Formula,
    counts: &Counts,
) -> Result<(), String> {
    let system = System::single(model.clone());
    let inductive = values(&outcome(&system, formula, false)?);
    let thorough = values(&outcome(&system, formula, true)?);
    for (state, (&before, &after)) in (0..).zip(inductive.iter().zip(&thorough)) {
        if before != Truth::Unknown {
            if before != after {
                return Err(format!("{before} in s{state} becomes {after}"));
            }
            continue;
        }
        let dual = formula.dual();
        let both = (is_satisfied(model, formula, state)?, is_satisfied(model, &dual, state)?);
        let expected = match both {
            (true, true) => Truth::Unknown,
            (true, false) => Truth::True,
            (false, true) => Truth::False,
            (false, false) => return Err(format!("s{state} has no refinement")),
        };
        if after != expected {
            return Err(format!("{after} in s{state}, {both:?}"));
        }
        add(&counts.unknown, true);
        add(&counts.gained, after != Truth::Unknown);
        add(&counts.alternating, !formula.is_alternation_free());
    }
    random_refinements(rng, model, formula, &thorough)?;
    all_refinements(model, formula, &thorough, counts)
}

/// Definite values are those of all refinements with one or two concrete states for each abstract one.
fn all_refinements(
    model: &PartialModel,
    formula: &Formula,
    thorough: &[Truth],
    counts: &Counts,
) -> Result<(), String> {
    for copies in [1, 2].into_iter().filter(|_| model.kind.family() == Family::Props) {
        let Some(all) = verdicts(model, formula, copies) else { continue };
        add(&counts.enumerated, true);
        for (state, &claimed) in (0..).zip(thorough) {
            let value = all.thorough.truth(state);
            if claimed.is_definite() && value != Some(claimed) {
                return Err(format!("{claimed} in s{state}, and {value:?} with {copies} copies"));
            }
        }
    }
    Ok(())
}

/// Definite values are those of random refinements.
fn random_refinements(
    rng: &mut Rng,
    model: &PartialModel,
    formula: &Formula,
    thorough: &[Truth],
) -> Result<(), String> {
    if !matches!(model.kind, Kind::Kmts | Kind::Mts) {
        return Ok(());
    }
    for _ in 0..6 {
        let refined = refinement(rng, model, true);
        let values = testkit::reference::evaluate(&refined.model, formula);
        for (copy, &state) in (0..).zip(&refined.stands_for) {
            let value = values.truth(formula.root(), copy);
            let claimed = thorough[state as usize];
            if claimed.is_definite() && value != Some(claimed) {
                let text = model_text(&refined.model);
                return Err(format!("{claimed} in s{state}, and {value:?} here:\n{text}"));
            }
        }
    }
    Ok(())
}

fn small(rng: &mut Rng, case: &mut Case, kind: Kind) -> (PartialModel, Formula) {
    let open = |rng: &mut Rng| *rng.pick(&[0.2, 0.5, 0.8]);
    let shape = ModelShape {
        states: rng.between(1, 4),
        unknown_label: open(rng),
        may_only: open(rng),
        ..ModelShape::small(rng, kind)
    };
    let model = model(rng, &shape);
    case.note(model_text(&model));
    let formula = noted_formula(rng, case, &model, 16);
    (model, formula)
}

#[test]
fn thorough_values_of_models_are_shown_by_refinements() {
    let counts = Counts::default();
    for_seeds("thorough-models", 0..6_000, |rng, case| {
        let kind = *rng.pick(&[Kind::Kmts, Kind::Kmts, Kind::Mts]);
        let (model, formula) = small(rng, case, kind);
        check(rng, &model, &formula, &counts)
    });
    let [unknown, gained, alternating, enumerated] = counts.all();
    println!(
        "{unknown} unknowns, {gained} decided, {alternating} alternating, {enumerated} tables"
    );
    assert!(unknown > 3_000 && gained > 200 && alternating > 100 && enumerated > 1_000);
}

/// States that cover others are told from their atoms.
#[test]
fn thorough_verdicts_of_mixed_models_are_those_of_all_refinements() {
    let counts = Counts::default();
    for_seeds("thorough-mixed", 0..2_500, |rng, case| {
        let shape = MixedShape { weaken: 0.4, ..MixedShape::tiny(rng) };
        let written = abstracted(rng, &shape).model;
        case.note(model_text(&written));
        let formula = noted_formula(rng, case, &written, 8);
        let reduced = System::single(written.clone()).reduced();
        check(rng, &reduced.components[0].model, &formula, &counts)?;
        let found = outcome(&reduced, &formula, true)?.verdict;
        for copies in [1, 2] {
            let Some(all) = verdicts(&written, &formula, copies) else { continue };
            if found == Truth::True && all.is_refuted || found == Truth::False && all.is_satisfied {
                return Err(format!("{found} with {copies} copies: {all:?}"));
            }
        }
        Ok(())
    });
    let [unknown, gained, alternating, enumerated] = counts.all();
    println!(
        "{unknown} unknowns, {gained} decided, {alternating} alternating, {enumerated} tables"
    );
    assert!(unknown > 100 && gained > 5 && enumerated > 1_000);
}
