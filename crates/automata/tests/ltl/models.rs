//! The formula of the µ-calculus that linear time becomes: on random models, by the reference semantics, against the
//! tableau.

use automata::{Valuations, compile};
use logic::{
    ActionSet, Expr, ExprId, FairSteps, Fairness, Family, Formula, LinearOp, LinearPairOp, Logic,
    Quantifier, Signature, Surface, SurfaceBuilder,
};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use std::cell::Cell;
use support::{FileId, Span};
use testkit::linear::{PathBinary, PathFormula, PathUnary, value};
use testkit::{ModelShape, Rng, for_seeds, model, reference};

/// The formula as a parser would give it.
pub fn surface(formula: &PathFormula, names: &[&str], logic: Logic) -> Surface {
    let mut builder = SurfaceBuilder::default();
    let mut root = add(formula, names, &mut builder);
    if logic == Logic::CtlStar {
        root = builder.expr(Expr::Quantified(Quantifier::All, root), nowhere());
    }
    builder.finish(logic, format!("{formula}").as_str().into(), root)
}

/// A formula of CTL\*: `A` and `E` of random formulas of one path, whose atoms may be such formulas themselves.
pub fn random_ctl_star(rng: &mut Rng, size: usize, names: &[&str]) -> Surface {
    let mut builder = SurfaceBuilder::default();
    let mut text = String::new();
    let root = add_quantified(rng, size, names, &mut builder, &mut text);
    builder.finish(Logic::CtlStar, text.as_str().into(), root)
}

fn add_quantified(
    rng: &mut Rng,
    size: usize,
    names: &[&str],
    builder: &mut SurfaceBuilder,
    text: &mut String,
) -> ExprId {
    // Atoms from the number of names on stand for inner formulas.
    let inner = if size > 2 { rng.below(3) } else { 0 };
    let quantifier = *rng.pick(&[Quantifier::All, Quantifier::Exists]);
    let own = (size / (inner + 1)).max(1);
    let path = PathFormula::random(rng, own, names.len() + inner, false);
    text.push_str(&format!("{quantifier:?} {path} "));
    let atoms: Vec<ExprId> = (0..names.len() + inner)
        .map(|atom| match names.get(atom) {
            Some(&name) => builder.expr(Expr::Prop(name.to_owned()), nowhere()),
            None => {
                text.push_str(&format!("where p{atom} is ("));
                let made = add_quantified(rng, size - own, names, builder, text);
                text.push(')');
                made
            }
        })
        .collect();
    let path = add_over(&path, &|atom, _| atoms[atom as usize], builder);
    let made = builder.expr(Expr::Quantified(quantifier, path), nowhere());
    match rng.chance(0.2) {
        true => {
            text.push_str("negated ");
            builder.expr(Expr::Not(made), nowhere())
        }
        false => made,
    }
}

fn nowhere() -> Span {
    Span::new(FileId(0), 0..0)
}

fn add(formula: &PathFormula, names: &[&str], builder: &mut SurfaceBuilder) -> ExprId {
    let atom = |atom: u32, builder: &mut SurfaceBuilder| {
        builder.expr(Expr::Prop(names[atom as usize].to_owned()), nowhere())
    };
    add_over(formula, &atom, builder)
}

fn add_over(
    formula: &PathFormula,
    atoms: &dyn Fn(u32, &mut SurfaceBuilder) -> ExprId,
    builder: &mut SurfaceBuilder,
) -> ExprId {
    let expr = match formula {
        PathFormula::Const(value) => Expr::Const(*value),
        PathFormula::Atom(atom) => return atoms(*atom, builder),
        PathFormula::Unary(op, a) => {
            let a = add_over(a, atoms, builder);
            let op = match op {
                PathUnary::Not => return builder.expr(Expr::Not(a), nowhere()),
                PathUnary::X => LinearOp::Next,
                PathUnary::F => LinearOp::Finally,
                PathUnary::G => LinearOp::Globally,
                PathUnary::Y => LinearOp::Yesterday,
                PathUnary::Z => LinearOp::WeakYesterday,
                PathUnary::O => LinearOp::Once,
                PathUnary::H => LinearOp::Historically,
            };
            Expr::Linear(op, a)
        }
        PathFormula::Binary(op, a, b) => {
            let (a, b) = (add_over(a, atoms, builder), add_over(b, atoms, builder));
            match op {
                PathBinary::And => Expr::And(vec![a, b]),
                PathBinary::Or => Expr::Or(vec![a, b]),
                PathBinary::Implies => Expr::Implies(a, b),
                PathBinary::Iff => Expr::Iff(a, b),
                PathBinary::U => Expr::LinearPair(LinearPairOp::Until, a, b),
                PathBinary::R => Expr::LinearPair(LinearPairOp::Release, a, b),
                PathBinary::W => Expr::LinearPair(LinearPairOp::WeakUntil, a, b),
                PathBinary::S => Expr::LinearPair(LinearPairOp::Since, a, b),
                PathBinary::T => Expr::LinearPair(LinearPairOp::Triggered, a, b),
                // Strong release has no spelling of its own.
                PathBinary::M => {
                    let both = builder.expr(Expr::And(vec![a, b]), nowhere());
                    Expr::LinearPair(LinearPairOp::Until, b, both)
                }
            }
        }
    };
    builder.expr(expr, nowhere())
}

/// The translation for a model.
pub fn compiled(surface: &Surface, model: &PartialModel, fairness: &Fairness) -> Formula {
    let mut actions: Vec<String> = model.actions().names().map(str::to_owned).collect();
    actions.sort();
    let family = model.kind.family();
    let signature = Signature { family, props: model.props(), actions: &actions };
    let valuations =
        if model.kind.is_complete() { Valuations::Complete } else { Valuations::Partial };
    compile(surface, &signature, fairness, valuations, &mut Vec::new()).expect("a small formula")
}

/// The atoms of formulas about a model.
pub fn names_of(model: &PartialModel) -> &'static [&'static str] {
    match model.kind.family() {
        Family::Props => &["p", "q"],
        Family::Actions => &["a", "b"],
    }
}

fn agree(name: &str, seeds: std::ops::Range<u64>) {
    for_seeds(name, seeds, |rng, case| {
        let kinds = [Kind::Kripke, Kind::Kmts, Kind::Kmts, Kind::MixTs, Kind::Lts, Kind::Mts];
        let mut shape = ModelShape::small(rng, *rng.clone().pick(&kinds));
        shape.states = shape.states.min(4);
        let model = model(rng, &shape);
        let (size, with_past) = (rng.between(1, 6), rng.chance(0.4));
        let formula = PathFormula::random(rng, size, 2, with_past);
        case.note(format!("{formula}\n{model:?}"));
        let names = names_of(&model);
        let logic = *rng.pick(&[Logic::Ltl, Logic::CtlStar]);
        let made = compiled(&surface(&formula, names, logic), &model, &Fairness::default());
        let values = reference::evaluate(&model, &made);
        for state in 0..model.states() as u32 {
            let found = values.at(made.root(), state);
            let expected = value(&formula, &model, state, names);
            if (found.is_true, found.is_false) != expected {
                return Err(format!("in {state}: {found:?}, expected {expected:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn linear_time_on_partial_models_is_that_of_their_paths() {
    agree("linear-time-on-models", 0..1000);
}

#[test]
#[ignore = "minutes: 50,000 models with formulas"]
fn linear_time_on_many_partial_models_is_that_of_their_paths() {
    agree("linear-time-on-many-models", 1_000_000..1_050_000);
}

/// Fairness is a part of the path formula.
#[test]
fn fair_paths_are_those_that_meet_the_conditions() {
    for_seeds("fair-linear-time", 0..500, |rng, case| {
        let kind = *rng.pick(&[Kind::Kripke, Kind::Kmts]);
        let mut shape = ModelShape::small(rng, kind);
        shape.states = shape.states.min(4);
        let model = model(rng, &shape);
        let size = rng.between(1, 4);
        let formula = PathFormula::random(rng, size, 2, false);
        case.note(format!("{formula}\n{model:?}"));
        let prop = model.props().get("p").expect("the model has it");
        let terms = vec![logic::FairTerm::State(prop, "p".to_owned())];
        let fairness = Fairness { terms, ..Fairness::default() };
        let fair = compiled(&surface(&formula, names_of(&model), Logic::Ltl), &model, &fairness);
        let values = reference::evaluate(&model, &fair);
        let again = PathFormula::Unary(PathUnary::F, Box::new(PathFormula::Atom(0)));
        let always = Box::new(PathFormula::Unary(PathUnary::G, Box::new(again)));
        let said = PathFormula::Binary(PathBinary::Implies, always, Box::new(formula));
        for state in 0..model.states() as u32 {
            let found = values.at(fair.root(), state);
            let expected = value(&said, &model, state, names_of(&model));
            if (found.is_true, found.is_false) != expected {
                return Err(format!("in {state}: {found:?}, expected {expected:?}"));
            }
        }
        Ok(())
    });
}

/// Definite values of an abstraction are those of the model that it abstracts.
#[test]
fn definite_answers_are_kept_by_refinement() {
    for_seeds("refined-linear-time", 0..500, |rng, case| {
        let shape = ModelShape::small(rng, *rng.clone().pick(&[Kind::Kmts, Kind::Mts]));
        let abstracted = model(rng, &shape);
        let refined = testkit::refinement(rng, &abstracted, rng.clone().chance(0.5));
        let (size, with_past) = (rng.between(1, 8), rng.chance(0.4));
        let formula = PathFormula::random(rng, size, 2, with_past);
        case.note(format!("{formula}\n{abstracted:?}\n{:?}", refined.model));
        let of = |model: &PartialModel| {
            let names = names_of(model);
            let made = compiled(&surface(&formula, names, Logic::Ltl), model, &Fairness::default());
            (reference::evaluate(model, &made), made.root())
        };
        let ((above, root), (below, under)) = (of(&abstracted), of(&refined.model));
        for (state, &stands_for) in refined.stands_for.iter().enumerate() {
            let (known, found) = (above.at(root, stands_for), below.at(under, state as u32));
            if known.is_true && !found.is_true || known.is_false && !found.is_false {
                return Err(format!("{known:?} of {stands_for}, {found:?} of {state}"));
            }
        }
        Ok(())
    });
}

/// Each hyper-transition becomes an ordinary must transition to one of its targets; none if there is no choice.
fn resolved(model: &PartialModel, mut choice: impl FnMut(&[u32]) -> Option<u32>) -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::MixTs, "resolved");
    for state in 0..model.states() as u32 {
        builder.state(model.state_name(state));
    }
    for (prop, name) in model.props().iter() {
        let own = builder.prop(name);
        for state in 0..model.states() as u32 {
            builder.label(state, own, model.label(state, prop));
        }
    }
    for from in 0..model.states() as u32 {
        for (to, class) in model.edges().out(from) {
            builder.edge(from, None, class.mode, to);
        }
    }
    for hyper in model.hyper() {
        if let Some(target) = choice(&hyper.targets) {
            builder.edge(hyper.source, None, Mode::MUST, target);
        }
    }
    builder.init(0);
    builder.finish()
}

/// A formula that is false by a must hyper-transition is so whatever its target is.
#[test]
fn hyper_transitions_falsify_what_every_choice_of_targets_does() {
    let [by_hyper, missed] = [const { Cell::new(0) }; 2];
    for_seeds("linear-time-by-hyper-transitions", 0..600, |rng, case| {
        let mut shape = ModelShape { hyper: 1.0, ..ModelShape::small(rng, Kind::Gkmts) };
        shape.states = shape.states.min(4);
        let model = model(rng, &shape);
        let (size, with_past) = (rng.between(1, 5), rng.chance(0.4));
        let formula = PathFormula::random(rng, size, 2, with_past);
        case.note(format!("{formula}\n{model:?}"));
        let names = names_of(&model);
        let made = compiled(&surface(&formula, names, Logic::Ltl), &model, &Fairness::default());
        let values = reference::evaluate(&model, &made);
        let without = resolved(&model, |_| None);
        let choices: Vec<PartialModel> =
            (0..8).map(|_| resolved(&model, |targets| Some(*rng.pick(targets)))).collect();
        for state in 0..model.states() as u32 {
            let found = values.at(made.root(), state);
            let (is_true, is_false) = value(&formula, &without, state, names);
            let all = choices.iter().all(|choice| value(&formula, choice, state, names).1);
            if found.is_true != is_true || found.is_false && !all {
                return Err(format!("in {state}: {found:?}"));
            }
            by_hyper.set(by_hyper.get() + u32::from(found.is_false && !is_false));
            missed.set(missed.get() + u32::from(all && !found.is_false));
        }
        Ok(())
    });
    println!("{} false by hyper-transitions, {} missed", by_hyper.get(), missed.get());
    assert!(by_hyper.get() > 50, "{}", by_hyper.get());
}

/// Fairness of steps is a part of the path formula, in which it is a literal that a step is possible.
#[test]
fn fair_steps_are_taken_or_not_possible() {
    for_seeds("fair-steps", 0..500, |rng, case| {
        let kind = *rng.pick(&[Kind::Lts, Kind::Mts]);
        let mut shape = ModelShape::small(rng, kind);
        shape.states = shape.states.min(4);
        let model = model(rng, &shape);
        let (size, is_strong) = (rng.between(1, 4), rng.chance(0.5));
        let formula = PathFormula::random(rng, size, 2, false);
        case.note(format!("{formula}, strong: {is_strong}\n{model:?}"));
        let steps = vec![FairSteps { actions: ActionSet::one("a"), is_strong }];
        let fairness = Fairness { steps, everywhere: true, ..Fairness::default() };
        let fair = compiled(&surface(&formula, &["a", "b"], Logic::Ltl), &model, &fairness);
        let values = reference::evaluate(&model, &fair);
        let unary = |op, a| PathFormula::Unary(op, Box::new(a));
        let always = |a| unary(PathUnary::G, unary(PathUnary::F, a));
        let binary = |op, a, b| PathFormula::Binary(op, Box::new(a), Box::new(b));
        let (taken, enabled) = (PathFormula::Atom(0), PathFormula::Atom(2));
        let premise = match is_strong {
            true => binary(PathBinary::Implies, always(enabled), always(taken)),
            false => always(binary(PathBinary::Implies, enabled, taken)),
        };
        let said = binary(PathBinary::Implies, premise, formula);
        for state in 0..model.states() as u32 {
            let found = values.at(fair.root(), state);
            let expected = value(&said, &model, state, &["a", "b", "?a"]);
            if (found.is_true, found.is_false) != expected {
                return Err(format!("in {state}: {found:?}, expected {expected:?}"));
            }
        }
        Ok(())
    });
}
