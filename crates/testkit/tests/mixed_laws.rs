//! The theorems of X §2 and §4 on random models, and the oracle against slower formulations of itself: every
//! concrete system tried, RED by sets of concrete states.

use fixedbitset::FixedBitSet;
use logic::Truth;
use model::{Upsets, mixed_simulation};
use std::cell::Cell;
use support::Monitor;
use testkit::mixed::{
    Abstracted, Element, MixedShape, Partial, Refinements, Set, Space, abstracted, all_concrete,
    arbitrary, members, noted_abstraction, reduce, ris, set_of, sis, verdicts,
};
use testkit::reference::evaluate;
use testkit::{Rng, for_seeds, model_text, noted_formula};

/// X Thm 1 for a value: γ(U) ⊆ what holds, and what holds ⊆ what is not refuted.
fn agrees(space: &Space, value: Element, holds: Set) -> Result<(), String> {
    for s in space.states() {
        let stands_for = space.gamma(s);
        if value.under >> s & 1 == 1 && stands_for & !holds != 0 {
            return Err(format!("true in s{s}, and false in a state that it stands for"));
        }
        if value.over >> s & 1 == 0 && stands_for & holds != 0 {
            return Err(format!("false in s{s}, and true in a state that it stands for"));
        }
    }
    Ok(())
}

/// 20,000 systems and abstractions of them: neither semantics contradicts the system (Thm 1), and RIS
/// loses nothing that SIS knows (Thm 4).
#[test]
fn x_thm_1_and_4_no_semantics_contradicts_a_refinement() {
    let (gained, settled) = (Cell::new(0), Cell::new(0));
    for_seeds("mixed-soundness", 0..20_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let Abstracted { model, space, concrete } = noted_abstraction(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 12);
        let partial = Partial::new(&model);
        if !concrete.refines(&partial, &space) {
            return Err("the concrete system does not refine its abstraction".into());
        }
        let (standard, reduced) = (sis(&partial, &formula), ris(&partial, &space, &formula));
        let holds = concrete.holds(&formula);
        agrees(&space, standard, holds).map_err(|error| format!("SIS: {error}"))?;
        agrees(&space, reduced, holds).map_err(|error| format!("RIS: {error}"))?;
        agrees(&space, reduce(&space, reduced), holds).map_err(|error| format!("RED: {error}"))?;
        if !standard.is_less_informative(reduced) {
            return Err(format!("SIS {standard} knows more than RIS {reduced}"));
        }
        gained.set(gained.get() + u32::from(standard != reduced));
        settled.set(
            settled.get()
                + u32::from(standard != Element { under: 0, over: set_of(space.states()) }),
        );
        Ok(())
    });
    assert!(gained.get() > 300, "RIS gains something in {} cases only", gained.get());
    assert!(settled.get() > 10_000, "SIS knows something in {} cases only", settled.get());
}

/// Where a system refines a model, ρ is a mixed simulation (Def. 3), and the greatest one includes it.
#[test]
fn x_def_3_refinements_are_recognised() {
    for_seeds("mixed-simulation", 0..1_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let Abstracted { model, space, concrete } = noted_abstraction(rng, case, &shape);
        let init = model.init().iter().fold(0, |set, &s| set | space.gamma(s));
        let concrete = concrete.kripke(&model, init);
        case.note(model_text(&concrete));
        let simulation = mixed_simulation(&concrete, &model, &Monitor::new());
        let simulation = simulation.map_err(|error| format!("{error:?}"))?;
        for s in space.states() {
            if let Some(c) = members(space.gamma(s)).find(|&c| !simulation.contains(c, s)) {
                return Err(format!("s{s} does not stand for c{c}"));
            }
        }
        if simulation.comparison().holds() { Ok(()) } else { Err("it does not refine it".into()) }
    });
}

/// The sets are those of the reference semantics.
#[test]
fn sis_by_sets_is_the_reference_semantics() {
    for_seeds("mixed-sis", 0..2_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let model = arbitrary(rng, &shape);
        case.note(model_text(&model));
        let formula = noted_formula(rng, case, &model, 8);
        let (element, values) = (sis(&Partial::new(&model), &formula), evaluate(&model, &formula));
        let differs = |&s: &u32| values.truth(formula.root(), s) != element.truth(s);
        match (0..model.states() as u32).find(differs) {
            Some(s) => Err(format!("{element} and the reference differ in s{s}")),
            None => Ok(()),
        }
    });
}

/// That a refinement is chosen state by state, against all systems that there are.
#[test]
fn refinements_are_those_among_all_systems() {
    let empty = Cell::new(0);
    for_seeds("mixed-refinements", 0..150, |rng, case| {
        let shape = MixedShape::tiny(rng);
        let model =
            if rng.chance(0.5) { arbitrary(rng, &shape) } else { abstracted(rng, &shape).model };
        case.note(model_text(&model));
        let (partial, space) = (Partial::new(&model), Space::new(&model, |_| 1));
        if space.concrete() > 3 {
            return Ok(());
        }
        let all = all_concrete(space.concrete(), 1);
        let mut slow: Vec<_> = all.filter(|system| system.refines(&partial, &space)).collect();
        let refinements = Refinements::new(&partial, &space);
        let mut fast: Vec<_> = refinements.iter().collect();
        slow.sort_by(|a, b| (&a.next, &a.true_in).cmp(&(&b.next, &b.true_in)));
        fast.sort_by(|a, b| (&a.next, &a.true_in).cmp(&(&b.next, &b.true_in)));
        empty.set(empty.get() + u32::from(refinements.is_empty()));
        if slow == fast && slow.is_empty() == refinements.is_empty() {
            return Ok(());
        }
        Err(format!("{} systems refine it, not {}", slow.len(), fast.len()))
    });
    assert!((10..100).contains(&empty.get()), "{} models have no refinement", empty.get());
}

/// U holds more than is in it, downwards and upwards.
fn monotone_element(rng: &mut Rng, space: &Space) -> Element {
    let mut upwards = |chance| {
        let chosen: Vec<u32> = space.states().filter(|_| rng.chance(chance)).collect();
        let above = |&s: &u32| chosen.iter().any(|&t| space.is_less_precise(t, s));
        set_of(space.states().filter(above))
    };
    let (under, refuted) = (upwards(0.4), upwards(0.3));
    Element { under, over: set_of(space.states()) & !refuted }
}

/// red by ↑ (with the slip of §4.3 mended) is RED by γ.
#[test]
fn x_thm_6_red_is_red_on_monotone_elements() {
    for_seeds("mixed-red", 0..3_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let Abstracted { model, space, .. } = noted_abstraction(rng, case, &shape);
        let upsets = Upsets::new(&model);
        let e = monotone_element(rng, &space);
        case.note(format!("// {e}"));
        if !e.is_monotone(&space) || !reduce(&space, e).is_monotone(&space) {
            return Err("not monotone".into());
        }
        // red_O is red_U of what is refuted, turned round.
        let of = |reduction: fn(&Upsets, &FixedBitSet) -> FixedBitSet| {
            let within = |set: Set| reduction(&upsets, &members(set).map(|s| s as usize).collect());
            let all = set_of(space.states());
            let states = |set: Set| set_of(within(set).ones().map(|s| s as u32));
            Element { under: states(e.under), over: all & !states(all & !e.over) }
        };
        let (red, wide) = (of(Upsets::red), of(Upsets::reduce));
        let reduced = reduce(&space, e);
        match red == reduced && wide == reduced {
            true => Ok(()),
            false => Err(format!("red is {red} and {wide}, RED is {reduced}")),
        }
    });
}

/// RED gives a monotone element of anything, and changes nothing of what it means.
#[test]
fn x_section_4_2_red_is_monotone_and_means_the_same() {
    for_seeds("mixed-red-meaning", 0..3_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let Abstracted { space, .. } = noted_abstraction(rng, case, &shape);
        let all = set_of(space.states());
        let mut some = || set_of(space.states().filter(|_| rng.chance(0.5)));
        let e = Element { under: some(), over: some() };
        let reduced = reduce(&space, e);
        let means = |e: Element| (space.gamma_of(e.under), space.gamma_of(all & !e.over));
        let kept = means(e) == means(reduced) && reduce(&space, reduced) == reduced;
        match reduced.is_monotone(&space) && e.is_less_informative(reduced) && kept {
            true => Ok(()),
            false => Err(format!("{e} became {reduced}")),
        }
    });
}

/// On monotone models all values are monotone, so that RED can be computed by ↑ (§4.3).
#[test]
fn x_section_4_3_values_in_monotone_models_are_monotone() {
    for_seeds("mixed-monotone-values", 0..3_000, |rng, case| {
        let shape = MixedShape { monotone: true, ..MixedShape::random(rng) };
        let Abstracted { model, space, .. } = noted_abstraction(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 8);
        let partial = Partial::new(&model);
        if !partial.is_monotone(&space) || !partial.has_monotone_labels(&space) {
            return Err("the model is not monotone".into());
        }
        let value = ris(&partial, &space, &formula);
        if value.is_monotone(&space) { Ok(()) } else { Err(format!("{value} is not monotone")) }
    });
}

/// γ(U) and γ of what is refuted, which is all that ≡ₐ looks at.
fn meaning(space: &Space, e: Element, all: Set) -> (Set, Set) {
    (space.gamma_of(e.under), space.gamma_of(all & !e.over))
}

#[test]
fn x_thm_7_the_image_of_alpha_is_enough() {
    for_seeds("mixed-image", 0..3_000, |rng, case| {
        let shape = MixedShape::random(rng);
        let Abstracted { space, .. } = noted_abstraction(rng, case, &shape);
        let e = monotone_element(rng, &space);
        let image = space.image();
        let few = Element { under: e.under & image, over: e.over & image };
        match meaning(&space, e, set_of(space.states())) == meaning(&space, few, image) {
            true => Ok(()),
            false => Err(format!("{e} and {few} differ")),
        }
    });
}

/// One RED, before the pre-image, and transitions from α[S] only.
#[test]
fn x_thm_8_restricted_transitions_are_enough() {
    for_seeds("mixed-restricted", 0..3_000, |rng, case| {
        let shape = MixedShape { monotone: true, ..MixedShape::random(rng) };
        let Abstracted { model, space, .. } = noted_abstraction(rng, case, &shape);
        let (partial, image) = (Partial::new(&model), space.image());
        let e = monotone_element(rng, &space);
        let sources = |from: Set, holds: &dyn Fn(usize) -> bool| {
            set_of(members(from).filter(|&s| holds(s as usize)))
        };
        let pre = |from: Set, to: Set, e: Element| Element {
            under: sources(from, &|s| partial.must[s].iter().any(|set| set & !e.under == 0)),
            over: sources(from, &|s| partial.may[s] & to & e.over != 0),
        };
        let all = set_of(space.states());
        let whole = pre(all, all, reduce(&space, e));
        let few = Element { under: e.under & image, over: e.over & image };
        let under = reduce(&space, few).under;
        let restricted = pre(image, image, Element { under, ..few });
        match meaning(&space, whole, all) == meaning(&space, restricted, image) {
            true => Ok(()),
            false => Err(format!("{whole} and {restricted} differ")),
        }
    });
}

/// ↑, α[S] and ⪯ from the lines that begin with `covers`, against their definitions by γ.
#[test]
fn upsets_are_those_of_the_definition() {
    for_seeds("mixed-upsets", 0..3_000, |rng, case| {
        let shape = MixedShape { atoms: 4, unions: 5, ..MixedShape::random(rng) };
        let Abstracted { model, space, .. } = noted_abstraction(rng, case, &shape);
        let upsets = Upsets::new(&model);
        if upsets.atoms() != members(space.image()).collect::<Vec<_>>() {
            return Err(format!("the atoms are not {:?}", upsets.atoms()));
        }
        for s in space.states() {
            if upsets.of(s) != members(space.upset(s)).collect::<Vec<_>>() {
                return Err(format!("↑s{s} is not {:?}", upsets.of(s)));
            }
            let differs = |&t: &u32| upsets.is_less_precise(s, t) != space.is_less_precise(s, t);
            if let Some(t) = space.states().find(differs) {
                return Err(format!("the order of s{s} and s{t}"));
            }
        }
        Ok(())
    });
}

/// Both inductive semantics know at most what all refinements agree on.
#[test]
fn the_thorough_semantics_is_the_most_precise() {
    let (tried, open) = (Cell::new(0), Cell::new(0));
    for_seeds("mixed-thorough", 0..400, |rng, case| {
        let shape = MixedShape::tiny(rng);
        let Abstracted { model, .. } = noted_abstraction(rng, case, &shape);
        let formula = noted_formula(rng, case, &model, 6);
        let (partial, space) = (Partial::new(&model), Space::new(&model, |_| 1));
        let reduced = reduce(&space, ris(&partial, &space, &formula));
        for copies in [1, 2] {
            let Some(all) = verdicts(&model, &formula, copies) else { continue };
            tried.set(tried.get() + 1);
            open.set(open.get() + u32::from(reduced != all.thorough));
            if !reduced.is_less_informative(all.thorough) {
                return Err(format!("{} of all refinements, RIS {reduced}", all.thorough));
            }
            let initial = || model.init().iter().map(|&s| all.thorough.truth(s));
            let decided = (all.is_satisfied || all.is_refuted)
                && all.is_satisfied != initial().any(|value| value == Some(Truth::False))
                && all.is_refuted != initial().all(|value| value == Some(Truth::True));
            if !decided {
                return Err(format!("with {copies} concrete states: {all:?}"));
            }
        }
        Ok(())
    });
    assert!(tried.get() > 300, "{} models were small enough", tried.get());
    assert!(open.get() > 10, "RIS is as precise as all refinements but in {} cases", open.get());
}
