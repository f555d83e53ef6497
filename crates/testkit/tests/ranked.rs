//! Ranked fixpoints mean the same in systems whose steps keep what their classes promise.

use logic::{Family, Fix, Formula, Logic, PropId, Signature, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use std::cell::Cell;
use testkit::reference::evaluate;
use testkit::{FormulaShape, ModelShape, Rng, compile_for, for_seeds, formula, model, model_text};

/// The class of a step that changes some measures: see `logic::Formula::ranked`.
fn class(before: &[u32], after: &[u32]) -> usize {
    let changed = before.iter().zip(after).enumerate().find(|(_, (b, a))| a != b);
    changed.map_or(2 * before.len(), |(i, (b, a))| 2 * i + usize::from(a < b))
}

/// Every state once for every class of a step into it.
fn classified(plain: &PartialModel, measures: &[Vec<u32>]) -> (PartialModel, Vec<PropId>) {
    let classes = 2 * measures[0].len() + 1;
    let mut builder = ModelBuilder::new(Kind::Kripke, "M");
    let own: Vec<PropId> = plain.props().names().map(|name| builder.prop(name)).collect();
    let of_class: Vec<PropId> = (0..classes).map(|c| builder.prop(&format!("class{c}"))).collect();
    for state in 0..plain.states() as u32 {
        for (class, &prop) in of_class.iter().enumerate() {
            let new = builder.state(format!("{}_{class}", plain.state_name(state)));
            builder.label(new, prop, Truth::True);
            own.iter().for_each(|&prop| builder.label(new, prop, plain.label(state, prop)));
        }
    }
    for source in 0..plain.states() {
        for (target, _) in plain.edges().out(source as u32) {
            let class = class(&measures[source], &measures[target as usize]);
            let target = target as usize * classes + class;
            for from in source * classes..(source + 1) * classes {
                builder.edge(from as u32, None, Mode::BOTH, target as u32);
            }
        }
    }
    (builder.finish(), of_class)
}

fn random_formula(rng: &mut Rng, model: &PartialModel) -> Formula {
    let logic = *rng.pick(&[Logic::Ctl, Logic::Ctl, Logic::Mu]);
    let size = rng.between(1, 9);
    let shape = FormulaShape::over(model, logic, size);
    compile_for(&formula(rng, &shape), model)
}

#[test]
fn ranked_fixpoints_mean_the_same() {
    let changed = Cell::new(0);
    for_seeds("ranked", 0..200, |rng, case| {
        let shape =
            ModelShape { states: rng.between(1, 5), ..ModelShape::small(rng, Kind::Kripke) };
        let plain = model(rng, &shape);
        case.note(model_text(&plain));
        let count = rng.between(1, 2);
        let measure = |rng: &mut Rng| (0..count).map(|_| rng.below(3) as u32).collect();
        let measures: Vec<Vec<u32>> = (0..plain.states()).map(|_| measure(rng)).collect();
        case.note(format!("{measures:?}"));
        let formula = random_formula(rng, &plain);
        case.note_property(&formula);
        let (finer, classes) = classified(&plain, &measures);
        let kind = *rng.pick(&[Fix::Mu, Fix::Nu]);
        let ranked = formula.ranked(&classes, kind);
        changed.set(
            changed.get() + u32::from(ranked.alternation_depth() > formula.alternation_depth()),
        );
        let (expected, found) = (evaluate(&plain, &formula), evaluate(&finer, &ranked));
        for state in 0..finer.states() as u32 {
            let original = state / classes.len() as u32;
            if expected.at(formula.root(), original) != found.at(ranked.root(), state) {
                return Err(format!("the value in {} is another", finer.state_name(state)));
            }
        }
        Ok(())
    });
    assert!(changed.get() > 30, "{} formulas were ranked", changed.get());
}

/// Of an abstraction in which a counter is not seen it is known that it comes to its end.
#[test]
fn a_loop_that_counts_down_ends() {
    let mut builder = ModelBuilder::new(Kind::Kmts, "Loop");
    let (end, down, same) = (builder.prop("end"), builder.prop("down"), builder.prop("same"));
    let [start, again, done] = ["start", "again", "done"].map(|name| builder.state(name));
    for (state, at_end, last) in [(start, false, same), (again, false, down), (done, true, same)] {
        builder.label(state, end, at_end.into());
        [down, same].iter().for_each(|&class| builder.label(state, class, (class == last).into()));
    }
    let never = builder.prop("up");
    [start, again, done].iter().for_each(|&state| builder.label(state, never, Truth::False));
    for source in [start, again] {
        builder.edge(source, None, Mode::MAY, again);
        builder.edge(source, None, Mode::MAY, done);
    }
    builder.edge(done, None, Mode::BOTH, done);
    let model = builder.finish();
    let props = model.props().clone();
    let signature = Signature { family: Family::Props, props: &props, actions: &[] };
    let text: std::sync::Arc<str> = "AF end".into();
    let surface = front::parse_formula(Logic::Ctl, support::FileId(0), &text, 0..text.len());
    let formula = logic::compile(&surface.expect("a formula"), &signature, &mut Vec::new());
    let formula = formula.expect("its propositions are there");
    let value = |formula: &Formula| evaluate(&model, formula).truth(formula.root(), start);
    assert_eq!(value(&formula), Some(Truth::Unknown));
    assert_eq!(value(&formula.ranked(&[never, down, same], Fix::Mu)), Some(Truth::True));
}
