//! The examples of X §3, §4.1, §4.2 and §4.3, by number. The systems of Fig. 1 are those of `examples`.
//!
//! The figure is missing from the text, so may transitions of a₁ and a₄ in G₁, and those of a₃ and a₄
//! in M₃, are a reconstruction; everything that the text prints is asserted as printed, but for its
//! slip in (⋆⋆).

mod oracles;

use logic::Logic;
use model::{Kind, PartialModel, Upsets};
use oracles::compiled;
use std::path::Path;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::mixed::{
    Concrete, Element, Partial, Set, Space, members, reduce, ris, set_of, sis, thorough,
};
use testkit::reference::evaluate_reduced;

fn example(name: &str) -> PartialModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let text: Arc<str> = std::fs::read_to_string(&path).expect("the example is there").into();
    let mut no_other_files = |other: &str| Err(format!("{name} wants `{other}`"));
    let read = testkit::read_tm(FileId(0), &text, &Monitor::new(), &mut no_other_files);
    let document = read.unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    document.system.expect("there is a component").components.remove(0).model.clone()
}

/// The states of these names, as the paper numbers them from 1.
fn a<const N: usize>(numbers: [u32; N]) -> Set {
    set_of(numbers.map(|number| number - 1))
}

fn one(model: &PartialModel) -> Space {
    Space::new(model, |_| 1)
}

fn standard(model: &PartialModel, formula: &str) -> Element {
    sis(&Partial::new(model), &compiled(model, Logic::Mu, formula))
}

/// Of the oracle and of `model`, which agree.
fn reduced(model: &PartialModel, formula: &str) -> Element {
    let formula = compiled(model, Logic::Mu, formula);
    let element = ris(&Partial::new(model), &one(model), &formula);
    let values = evaluate_reduced(model, &formula);
    for s in 0..model.states() as u32 {
        assert_eq!(values.truth(formula.root(), s), element.truth(s), "a{}", s + 1);
    }
    element
}

fn may(model: &PartialModel, number: u32) -> Set {
    Partial::new(model).may[number as usize - 1]
}

/// Must transitions, to single states only.
fn must(model: &PartialModel, number: u32) -> Set {
    let sets = &Partial::new(model).must[number as usize - 1];
    assert!(sets.iter().all(|set| set.count_ones() == 1), "{sets:?}");
    sets.iter().fold(0, |all, set| all | set)
}

/// The transitions and labels of both, state by state.
fn assert_same(found: &PartialModel, expected: &PartialModel) {
    assert_eq!(found.kind, expected.kind);
    assert_eq!(Partial::new(found), Partial::new(expected));
}

const PHI: &str = "<> (q | !q)";
const EF: &str = "mu Z. ((!p & q) | <> Z)";

#[test]
fn x_section_3_1_gtom_of_g1_is_m1() {
    let (g1, m1) = (example("x-g1.tm"), example("x-m1.tm"));
    assert_eq!(Partial::new(&g1).must[0], [a([2, 3])], "a₁ must go to {{a₂, a₃}}");
    let image = g1.gtom();
    assert_same(&image, &m1);
    assert_eq!(image.states(), 5, "a₅ is new");
    let space = one(&image);
    assert_eq!(space.gamma(4), space.gamma(1) | space.gamma(2), "γ(a₅) = γ({{a₂, a₃}})");
    assert_eq!(must(&image, 1), a([5]));
    assert_eq!(may(&image, 5), a([2, 4]), "a₂ may go to a₄, and a₃ to a₂");
    assert_eq!(must(&image, 5), 0, "no must transitions from a₅");
    let [p, q] = Partial::new(&image).labels[..] else { panic!("two propositions") };
    assert_eq!((p.under >> 4 & 1, q.under >> 4 & 1, q.over >> 4 & 1), (1, 0, 1), "L(a₅) = {{p}}");
}

#[test]
fn x_section_3_1_gtom_of_g2_is_m2_without_a_new_state() {
    let (g2, m2) = (example("x-g2.tm"), example("x-m2.tm"));
    assert_eq!(Partial::new(&g2).must[0], [a([2, 3])]);
    let space = one(&g2);
    assert_eq!(space.gamma_of(a([2, 3])), space.gamma(2), "γ({{a₂, a₃}}) = γ(a₃)");
    let image = g2.gtom();
    assert_same(&image, &m2);
    assert_eq!(image.states(), 3);
    assert_eq!(must(&image, 1), a([3]));
}

#[test]
fn x_section_3_2_mtok_of_m3_is_k4() {
    let (m3, k4) = (example("x-m3.tm"), example("x-k4.tm"));
    assert_eq!((may(&m3, 1), must(&m3, 1)), (a([1, 3]), a([2])));
    assert_eq!((may(&m3, 2), must(&m3, 2)), (a([1, 2, 3]), a([4])));
    let image = m3.mtok();
    assert_same(&image, &k4);
    assert_eq!(image.states(), 5, "S⁺ = {{a₅}}");
    let space = one(&image);
    assert_eq!(space.gamma(4), space.gamma(1) & space.gamma_of(a([1, 3])));
    // REPL = {(a₁, a₅), (a₂, a₄)}
    assert_eq!((may(&image, 1), must(&image, 1)), (a([1, 3, 5]), a([5])));
    assert_eq!((may(&image, 2), must(&image, 2)), (a([1, 2, 3, 4]), a([4])));
    // IMAY = {(a₅, a₁), (a₅, a₂), (a₅, a₃)}, IMUST = ∅, IMO = {(a₅, a₄)}
    assert_eq!((may(&image, 5), must(&image, 5)), (a([1, 2, 3, 4]), a([4])));
    assert_eq!(space.gamma_of(a([1, 2, 3])) & space.gamma(3), space.gamma(3), "a₂ → a₄ is a₄");
    // By Def. 5 a₅ says what a₂ says, so p; and q, which a₁ and a₃ agree on, though Def. 5 leaves it out.
    assert_eq!([0, 1].map(|prop| Partial::new(&image).labels[prop].under & a([5])), [a([5]); 2]);
}

/// The concrete system that is printed refines K₃ and K₄'s transitions do not allow it; nor do M₃'s.
///
/// x and y are cut down to what the step ⟨1, 1⟩ → ⟨2, 1⟩ and those after it need: x to its sign and
/// parity, y to its sign. States with x ≤ 0 have no step and no abstract state.
#[test]
fn x_section_3_2_k3_is_not_equivalent_to_m3() {
    // ⟨odd, y > 0⟩ of a₁, ⟨odd, y ≤ 0⟩ of a₃, ⟨even, y ≤ 0⟩ of a₄ beyond a₃, ⟨even, y > 0⟩ of a₂ beyond.
    let (a1, a2, a3, a4) = (0, 1, 2, 3);
    let m3 = example("x-m3.tm");
    let space = one(&m3);
    let of = |state: u32| members(space.gamma(state)).find(|&c| space.alpha(c) == state);
    let [odd_plus, odd_minus, even_minus, even_plus] =
        [a1, a3, a4, a2].map(|state| of(state).expect("an atom has a concrete state"));
    let mut next = vec![0; 4];
    // x > 0, odd(x), y > 0: x' = x + 1, y' = y. And x > 0, odd(x): x' = x, y' = −x.
    next[odd_plus as usize] = set_of([even_plus, odd_minus]);
    next[odd_minus as usize] = set_of([odd_minus]);
    // x > 0, even(x): x' = x + 1, y' = −x.
    next[even_plus as usize] = set_of([odd_minus]);
    next[even_minus as usize] = set_of([odd_minus]);
    let all = set_of(0..4);
    let true_in = vec![all, set_of([odd_plus, odd_minus]), set_of([odd_plus, even_plus])];
    let system = Concrete { next, true_in };
    let k3 = example("x-k3.tm");
    assert!(system.refines(&Partial::new(&k3), &space), "it refines K₃");
    assert!(!system.refines(&Partial::new(&m3), &space), "it does not refine M₃");
    let k4 = m3.mtok();
    assert!(!system.refines(&Partial::new(&k4), &one(&k4)), "nor K₄, which is equivalent to M₃");
    let mut without = system.clone();
    without.next[odd_plus as usize] = set_of([odd_minus]);
    assert!(without.refines(&Partial::new(&m3), &space), "that step is all that is wrong");
    assert!(without.refines(&Partial::new(&k4), &one(&k4)));
}

#[test]
fn x_section_4_1_star_no_precision_is_lost_below_the_diamond() {
    let (g1, m1) = (example("x-g1.tm"), example("x-m1.tm"));
    let e1 = standard(&g1, "q | !q");
    let e2 = standard(&m1, "q | !q");
    assert_eq!(e1, Element { under: a([1, 2, 3, 4]), over: a([1, 2, 3, 4]) });
    assert_eq!(e2, Element { under: a([1, 2, 3, 4]), over: a([1, 2, 3, 4, 5]) });
    let (in_g1, in_m1) = (one(&g1), one(&m1));
    assert_eq!(in_g1.gamma_of(e1.under), in_m1.gamma_of(e2.under));
}

#[test]
fn x_section_4_1_the_diamond_under_sis() {
    let (g1, m1) = (example("x-g1.tm"), example("x-m1.tm"));
    assert_eq!(standard(&g1, PHI), Element { under: a([1, 2, 3]), over: a([1, 2, 3, 4]) });
    assert_eq!(standard(&m1, PHI), Element { under: a([2, 3]), over: a([1, 2, 3, 4, 5]) });
}

#[test]
fn x_section_4_1_ef_is_true_in_g1_and_unknown_in_m1() {
    let (g1, m1) = (example("x-g1.tm"), example("x-m1.tm"));
    assert_eq!(standard(&g1, EF).under & a([1]), a([1]));
    let value = standard(&m1, EF);
    assert_eq!((value.under & a([1]), value.over & a([1])), (0, a([1])));
    assert_eq!(reduced(&m1, EF).under & a([1]), a([1]), "RIS knows it");
}

/// As printed, U(e₃) lacks a₅, which the sentence after it says is added.
#[test]
fn x_section_4_2_star_star_red_adds_a5() {
    let m1 = example("x-m1.tm");
    let e3 = reduce(&one(&m1), standard(&m1, "q | !q"));
    assert_eq!(e3, Element { under: a([1, 2, 3, 4, 5]), over: a([1, 2, 3, 4, 5]) });
}

#[test]
fn x_section_4_2_the_diamond_under_ris() {
    let (g1, m1) = (example("x-g1.tm"), example("x-m1.tm"));
    assert_eq!(reduced(&m1, PHI), Element { under: a([1, 2, 3, 5]), over: a([1, 2, 3, 4, 5]) });
    assert_eq!(reduced(&g1, PHI), Element { under: a([1, 2, 3]), over: a([1, 2, 3, 4]) });
    let atoms = sis(&Partial::new(&m1.reduced()), &compiled(&m1, Logic::Mu, PHI));
    assert_eq!(atoms, reduced(&g1, PHI), "the reduced model is G₁ again");
}

#[test]
fn x_section_4_3_the_upset_of_a5() {
    let m1 = example("x-m1.tm");
    let (upsets, space) = (Upsets::new(&m1), one(&m1));
    assert_eq!(upsets.atoms(), [0, 1, 2, 3], "α[S₁] = {{a₁, a₂, a₃, a₄}}");
    assert_eq!(upsets.of(4), [1, 2], "↑a₅ = {{a₂, a₃}}");
    assert_eq!(space.upset(4), a([2, 3]));
    assert_eq!(space.gamma_of(space.upset(4)), space.gamma(4));
}

/// The gain of MTOK: that a₁ of M₃ has a step to an odd x follows from two of its transitions together.
#[test]
fn mtok_can_be_strictly_more_precise() {
    let m3 = example("x-m3.tm");
    let k4 = m3.mtok();
    assert_eq!(k4.kind, Kind::Kmts);
    let (before, after) = (reduced(&m3, "<> q"), reduced(&k4, "<> q"));
    assert_eq!((before.under & a([1]), before.over & a([1])), (0, a([1])), "unknown in M₃");
    assert_eq!(after.under & a([1]), a([1]), "true in K₄");
    let of_all = thorough(&m3, &compiled(&m3, Logic::Mu, "<> q")).expect("few systems refine M₃");
    assert_eq!(of_all[0], logic::Truth::True, "and in every system that refines either");
}
