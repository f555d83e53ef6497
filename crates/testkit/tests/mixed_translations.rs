//! GTOM, MTOK, monotone and reduced models against the definitions of X §3 and §4, and against the
//! concrete systems that refine a model.

use logic::{Formula, Truth};
use model::{IllFormed, Kind, Mode, ModelBuilder, PartialModel, Upsets, ill_formed};
use std::cell::Cell;
use testkit::mixed::{
    Element, MixedShape, Partial, Refinements, Set, Space, abstracted, arbitrary, gtom, members,
    mtok, reduce, ris, set_of, sis, thorough,
};
use testkit::reference::{Values, evaluate, evaluate_reduced};
use testkit::{Case, Rng, for_seeds, model_text, noted_formula};

/// Half of them abstractions of a system, half of them at random, where some system refines them.
fn refinable(rng: &mut Rng, case: &mut Case, shape: &MixedShape) -> PartialModel {
    let model = if rng.chance(0.5) {
        abstracted(rng, shape).model
    } else {
        let models = std::iter::repeat_with(|| arbitrary(rng, shape));
        let refined =
            |model: &PartialModel| !Refinements::new(&Partial::new(model), &one(model)).is_empty();
        models.take(1000).find(refined).expect("few models have no refinement")
    };
    case.note(model_text(&model));
    model
}

/// One concrete state for each atom.
fn one(model: &PartialModel) -> Space {
    Space::new(model, |_| 1)
}

fn element(values: &Values, formula: &Formula, states: usize) -> Element {
    let states = 0..states as u32;
    let at = |s| values.at(formula.root(), s);
    Element {
        under: set_of(states.clone().filter(|&s| at(s).is_true)),
        over: set_of(states.filter(|&s| !at(s).is_false)),
    }
}

/// The states of a translation by what they stand for, and the two models state by state.
fn compare(
    image: &PartialModel,
    copies: usize,
    (expected, meant): &(Partial, Space),
) -> Result<(), String> {
    let (found, space) = (Partial::new(image), Space::new(image, |_| copies));
    if space.states() != meant.states() || space.concrete() != meant.concrete() {
        return Err(format!("{:?} states, not {:?}", space.states(), meant.states()));
    }
    let number = |s: u32| {
        let same = meant.states().find(|&t| meant.gamma(t) == space.gamma(s));
        same.ok_or(format!("s{s} stands for {:b}", space.gamma(s)))
    };
    let numbers: Vec<u32> = space.states().map(number).collect::<Result<_, _>>()?;
    let renamed = |set: Set| set_of(members(set).map(|s| numbers[s as usize]));
    for (s, &t) in numbers.iter().enumerate() {
        let t = t as usize;
        if renamed(found.may[s]) != expected.may[t] {
            return Err(format!("s{s} may go to {:b}", found.may[s]));
        }
        let mut must: Vec<Set> = found.must[s].iter().map(|&set| renamed(set)).collect();
        must.sort_unstable();
        if must != expected.must[t] {
            return Err(format!("s{s} must go to {:?}", found.must[s]));
        }
    }
    let label = |e: &Element| Element { under: renamed(e.under), over: renamed(e.over) };
    match found.labels.iter().map(label).eq(expected.labels.iter().copied()) {
        true => Ok(()),
        false => Err(format!("the labels are {:?}", found.labels)),
    }
}

/// Checks that one set of concrete systems refines both, over one and over two concrete states for each atom.
fn same_refinements(model: &PartialModel, image: &PartialModel) -> Result<(), String> {
    for copies in 1..=affordable(model) {
        let refinements = |model: &PartialModel| {
            Refinements::new(&Partial::new(model), &Space::new(model, |_| copies))
        };
        let (before, after) = (refinements(model), refinements(image));
        if !before.agree(&after) || before.is_empty() {
            return Err(format!("{} refinements became {}", before.count(), after.count()));
        }
    }
    Ok(())
}

/// How many concrete states for each atom leave few enough sets of them.
fn affordable(model: &PartialModel) -> usize {
    if one(model).concrete() > 4 { 1 } else { 2 }
}

/// Sometimes with two states of one concretisation, which the paper excludes and no check forbids.
fn any_shape(rng: &mut Rng) -> MixedShape {
    MixedShape { twins: rng.chance(0.3), ..MixedShape::random(rng) }
}

fn gkmts(rng: &mut Rng) -> MixedShape {
    MixedShape { kind: Kind::Gkmts, ..any_shape(rng) }
}

fn mixts(rng: &mut Rng) -> MixedShape {
    MixedShape { kind: Kind::MixTs, ..any_shape(rng) }
}

#[test]
fn x_def_4_gtom_to_the_letter() {
    let new = Cell::new(0);
    for_seeds("gtom-definition", 0..2_000, |rng, case| {
        let shape = MixedShape { twins: false, ..gkmts(rng) };
        let model = refinable(rng, case, &shape);
        let image = model.gtom();
        new.set(new.get() + u32::from(image.states() > model.states()));
        if image.kind != Kind::MixTs {
            return Err(format!("a {}", image.kind.name()));
        }
        compare(&image, 1, &gtom(&Partial::new(&model), &one(&model)))
    });
    assert!(new.get() > 300, "new states in {} models only", new.get());
}

#[test]
fn x_def_5_mtok_to_the_letter() {
    let new = Cell::new(0);
    for_seeds("mtok-definition", 0..2_000, |rng, case| {
        let shape = MixedShape { twins: false, ..mixts(rng) };
        let model = refinable(rng, case, &shape);
        let image = model.mtok();
        new.set(new.get() + u32::from(image.states() > model.states()));
        if image.kind != Kind::Kmts || !Partial::new(&image).is_kmts() {
            return Err(format!("a {}", image.kind.name()));
        }
        compare(&image, 1, &mtok(&Partial::new(&model), &one(&model)))
    });
    assert!(new.get() > 300, "new states in {} models only", new.get());
}

#[test]
fn x_thm_2_gtom_keeps_the_refinements() {
    for_seeds("gtom-refinements", 0..600, |rng, case| {
        let shape = gkmts(rng);
        let model = refinable(rng, case, &shape);
        same_refinements(&model, &model.gtom())
    });
}

#[test]
fn x_thm_3_mtok_keeps_the_refinements() {
    for_seeds("mtok-refinements", 0..600, |rng, case| {
        let shape = mixts(rng);
        let model = refinable(rng, case, &shape);
        same_refinements(&model, &model.mtok())
    });
}

/// And so what all refinements agree on, in the states of both.
#[test]
fn x_cor_1_and_2_translations_keep_the_thorough_semantics() {
    let tried = Cell::new(0);
    for_seeds("translations-thorough", 0..300, |rng, case| {
        let shape = MixedShape { props: 1, copies: 1, ..MixedShape::tiny(rng) };
        let model = refinable(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 6);
        let Some(expected) = thorough(&model, &formula) else { return Ok(()) };
        tried.set(tried.get() + 1);
        let mixed = model.gtom();
        for image in [mixed.mtok(), mixed, model.monotone()] {
            let found = thorough(&image, &formula).ok_or("no system refines the image")?;
            if found[..model.states()] != expected {
                return Err(format!("{expected:?} became {found:?} in\n{}", model_text(&image)));
            }
        }
        Ok(())
    });
    assert!(tried.get() > 100, "{} models were small enough", tried.get());
}

#[test]
fn monotone_and_reduced_models_keep_the_refinements() {
    for_seeds("monotone-refinements", 0..600, |rng, case| {
        let shape = any_shape(rng);
        let model = refinable(rng, case, &shape);
        same_refinements(&model, &model.monotone())
            .map_err(|error| format!("monotone: {error}"))?;
        same_refinements(&model, &model.reduced()).map_err(|error| format!("reduced: {error}"))
    });
}

/// As `check` computes it: in the atoms, which a model and its image share.
fn in_atoms(model: &PartialModel, formula: &Formula) -> Element {
    sis(&Partial::new(&model.reduced()), formula)
}

/// On the states of both, before and after a last RED.
#[test]
fn x_thm_5_gtom_keeps_the_reduced_values() {
    let definite = Cell::new(0);
    for_seeds("gtom-values", 0..4_000, |rng, case| {
        let shape = gkmts(rng);
        let model = refinable(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 14);
        let image = model.gtom();
        let value = |model: &PartialModel| {
            let value = ris(&Partial::new(model), &one(model), &formula);
            (value, reduce(&one(model), value))
        };
        let (before, after) = (value(&model), value(&image));
        definite.set(definite.get() + u32::from(before.0.under != before.0.over));
        if in_atoms(&model, &formula) != in_atoms(&image, &formula) {
            return Err("the reduced models differ".into());
        }
        match before == (after.0.first(model.states()), after.1.first(model.states())) {
            true => Ok(()),
            false => {
                Err(format!("{} and {} became {} and {}", before.0, before.1, after.0, after.1))
            }
        }
    });
    assert!((500..3_900).contains(&definite.get()), "{} values are partial", definite.get());
}

#[test]
fn mtok_is_at_least_as_precise() {
    let gained = Cell::new(0);
    for_seeds("mtok-values", 0..4_000, |rng, case| {
        let shape = mixts(rng);
        let model = refinable(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 14);
        let value = |model: &PartialModel| {
            reduce(&one(model), ris(&Partial::new(model), &one(model), &formula))
        };
        let image = model.mtok();
        if !in_atoms(&model, &formula).is_less_informative(in_atoms(&image, &formula)) {
            return Err("the reduced image knows less".into());
        }
        let (before, after) = (value(&model), value(&image).first(model.states()));
        gained.set(gained.get() + u32::from(before != after));
        match before.is_less_informative(after) {
            true => Ok(()),
            false => Err(format!("{before} became {after}")),
        }
    });
    assert!(gained.get() > 20, "MTOK gains something in {} cases only", gained.get());
}

/// Def. 6 by γ, on any model; by ↑ in `model`.
#[test]
fn x_def_6_the_reference_is_the_definition() {
    for_seeds("ris-reference", 0..6_000, |rng, case| {
        let shape = any_shape(rng);
        let model = refinable(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 14);
        let expected = ris(&Partial::new(&model), &one(&model), &formula);
        let found = element(&evaluate_reduced(&model, &formula), &formula, model.states());
        if found == expected { Ok(()) } else { Err(format!("{found}, not {expected}")) }
    });
}

/// SIS of the reduced model is RIS of the monotone one in the atoms and, after a last RED, everywhere.
#[test]
fn x_thm_8_reduced_models_have_the_reduced_values() {
    let gained = Cell::new(0);
    for_seeds("ris-reduced", 0..6_000, |rng, case| {
        let shape = any_shape(rng);
        let model = refinable(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 14);
        let space = one(&model);
        let reduced = model.reduced();
        let upsets = Upsets::new(&model);
        let in_atoms = sis(&Partial::new(&reduced), &formula);
        let truth = |atom: u32| in_atoms.truth(atom).expect("some system refines the model");
        let values = model.values_from_atoms(truth);
        let monotone = ris(&Partial::new(&model.monotone()), &space, &formula);
        for (index, &atom) in upsets.atoms().iter().enumerate() {
            if in_atoms.truth(index as u32) != monotone.truth(atom) {
                return Err(format!("in s{atom}: {in_atoms} and {monotone}"));
            }
        }
        let last = reduce(&space, monotone);
        if let Some(s) = space.states().find(|&s| last.truth(s) != Some(values[s as usize])) {
            return Err(format!("in s{s}: {last} and {}", values[s as usize]));
        }
        let own = reduce(&space, ris(&Partial::new(&model), &space, &formula));
        gained.set(gained.get() + u32::from(own != last));
        match Partial::new(&model).is_monotone(&space) {
            true if own != last => Err(format!("{own} of a monotone model became {last}")),
            false if !own.is_less_informative(last) => Err(format!("{own} became {last}")),
            _ => Ok(()),
        }
    });
    assert!(gained.get() > 10, "a monotone model gains something in {} cases only", gained.get());
}

#[test]
fn the_engines_reference_agrees_on_reduced_models() {
    for_seeds("ris-both", 0..1_000, |rng, case| {
        let shape = any_shape(rng);
        let model = refinable(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 14);
        let reduced = model.reduced();
        let found = element(&evaluate(&reduced, &formula), &formula, reduced.states());
        let again = element(&evaluate_reduced(&reduced, &formula), &formula, reduced.states());
        if found == again { Ok(()) } else { Err(format!("SIS {found}, RIS {again}")) }
    });
}

#[test]
fn x_def_7_monotone_models() {
    let (yes, no) = (Cell::new(0), Cell::new(0));
    for_seeds("monotone", 0..3_000, |rng, case| {
        let shape = any_shape(rng);
        let model = refinable(rng, case, &shape);
        let (partial, space) = (Partial::new(&model), one(&model));
        let expected = partial.is_monotone(&space);
        let count = if expected { &yes } else { &no };
        count.set(count.get() + 1);
        if model.is_monotone() != expected {
            return Err(format!("is_monotone is {}", !expected));
        }
        let closed = model.monotone();
        let closed_partial = Partial::new(&closed);
        let kept = closed.kind == model.kind
            && (model.kind != Kind::MixTs || closed_partial.is_mixed())
            && closed_partial.labels == partial.labels
            && one(&closed) == space;
        if !kept || !closed.is_monotone() || !closed_partial.is_monotone(&space) {
            return Err(format!("the monotone model is\n{}", model_text(&closed)));
        }
        let twice = Partial::new(&closed.monotone());
        if twice != closed_partial {
            return Err(format!("monotone twice: {closed_partial:?}, {twice:?}"));
        }
        Ok(())
    });
    assert!(yes.get() > 500 && no.get() > 500, "{} and {}", yes.get(), no.get());
}

#[test]
fn ill_formed_models_are_those_that_nothing_refines() {
    let (none, some) = (Cell::new(0), Cell::new(0));
    for_seeds("ill-formed", 0..4_000, |rng, case| {
        let shape = MixedShape { copies: 1, ..any_shape(rng) };
        let model = arbitrary(rng, &shape);
        case.note(model_text(&model));
        let partial = Partial::new(&model);
        let expected = Refinements::new(&partial, &one(&model)).is_empty();
        let more = Space::new(&model, |_| affordable(&model));
        if Refinements::new(&partial, &more).is_empty() != expected {
            return Err("one concrete state for each atom is not enough".into());
        }
        let count = if expected { &none } else { &some };
        count.set(count.get() + 1);
        match (ill_formed(&model), expected) {
            (None, false) | (Some(IllFormed::Must { .. }), true) => Ok(()),
            (found, _) => Err(format!("{found:?}, nothing refines it: {expected}")),
        }
    });
    assert!(none.get() > 500 && some.get() > 500, "{} and {}", none.get(), some.get());
}

/// Labels at random: wrong exactly where they are not monotone.
#[test]
fn labels_that_are_not_monotone_are_ill_formed() {
    let wrong = Cell::new(0);
    for_seeds("ill-formed-labels", 0..2_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let frame = abstracted(rng, &shape).model;
        let model = relabelled(rng, &frame);
        case.note(model_text(&model));
        let expected = !Partial::new(&model).has_monotone_labels(&one(&model));
        wrong.set(wrong.get() + u32::from(expected));
        let found = ill_formed(&model);
        if matches!(found, Some(IllFormed::Label { .. })) == expected {
            return Ok(());
        }
        Err(format!("{found:?}, the labels are wrong: {expected}"))
    });
    assert!((300..1_700).contains(&wrong.get()), "{} labellings are wrong", wrong.get());
}

/// Drops the transitions and draws new labels.
fn relabelled(rng: &mut Rng, model: &PartialModel) -> PartialModel {
    let mut builder = ModelBuilder::new(model.kind, "M");
    for s in 0..model.states() as u32 {
        builder.state(model.state_name(s));
    }
    builder.init(0);
    for line in model.covers() {
        builder.covers(line.state, line.covered.clone(), line.exactly);
    }
    let prop = builder.prop("p");
    for s in 0..model.states() as u32 {
        let chance = *rng.pick(&[Truth::Unknown, Truth::True, Truth::True, Truth::False]);
        builder.label(s, prop, chance);
        builder.edge(s, None, Mode::MAY, s);
    }
    builder.finish()
}
