//! An edge of a part stands for as many steps of the product as the other components have to go along with it.
//! Only if all of them are seen does the product tell all about its target.

use super::*;

/// The verdicts with the optimisations, by every choice of what else can be chosen.
fn verdicts(text: &str) -> Vec<Truth> {
    let asked = Asked::new(text);
    let mut found = Vec::new();
    for eager in [true, false] {
        for lifting in [Lifting::Summaries, Lifting::Paper] {
            let request = asked.request(Refinement { eager, lifting, ..Refinement::default() });
            let mut run = asked.run(&request);
            found.push(run.decide().expect("there is no limit").verdict);
        }
    }
    found
}

/// Once c1 is known to do y, of (a0, c1) ⊢ ⟨x⟩ ∨ ⟨y⟩ the product shows nothing, because a true successor does not
/// matter to a box. A stands still in any step by b, so the false (a0, {b1, b2, c2}) ⊢ ⟨x⟩ ∨ ⟨y⟩ is not all that a0 ⊢
/// ⟨x⟩ ∨ ⟨y⟩ stands for.
#[test]
fn stuttering_is_compatible_with_any_step() {
    let text = "
        component A lts { actions w, x; init a0; a0: -w-> a1; a1: -x-> a1; }
        component B lts { actions b, y; init b1;
          b1: -b-> c1; c1: -b-> b2 -y-> c1; b2: -b-> c2; c2: -b-> b1; }
        system A || B;
        property f: mu [b] (<x> true | <y> true);";
    assert!(verdicts(text).iter().all(|&verdict| verdict == Truth::True));
}

/// With propositions: q is true in c1, and A makes one and the same step with B's to c1, which is not seen, and
/// with B's to {b1, b2, c2}.
#[test]
fn a_step_is_seen_if_it_is_seen_with_every_partner() {
    let text = "
        component A kripke { props r; init a0; a0: {} -> a1; a1: {} -> a1; }
        component B kripke { props q; init b1;
          b1: {} -> c1; c1: {q} -> b2; b2: {} -> c2; c2: {} -> b1; }
        system A || B;
        property f: mu [] (q | r);";
    assert!(verdicts(text).iter().all(|&verdict| verdict == Truth::True));
}
