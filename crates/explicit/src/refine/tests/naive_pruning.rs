//! C §5.2, "Optimization", as it is printed: what fails. The sound version is described at the head of
//! `prune.rs`.

use super::*;
use rustc_hash::FxHashMap;

/// One of the two rules of the paper.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// A node that is a sub-node of no product node can be removed.
    Remove,
    /// A node that is a sub-node of product nodes of one colour only has this colour.
    TakeOver,
}

fn prune_as_printed(run: &mut Run, combined: &SubsystemGame, colouring: &Colouring, rule: Rule) {
    for (place, &component) in combined.components.iter().enumerate() {
        let mut above: FxHashMap<(u32, u32), Vec<Truth>> = FxHashMap::default();
        for (node, &colour) in (0..).zip(&colouring.colours) {
            let (state, label) = combined.graph.at(node);
            above.entry((combined.tuple(state)[place], label)).or_default().push(colour);
        }
        let graph = &run.parts[component].as_ref().expect("combined").part.graph;
        for node in (0..graph.len() as u32).map(|node| graph.at(node)) {
            match (rule, above.get(&node).map(|colours| &colours[..])) {
                (Rule::Remove, None) => {
                    for predecessor in
                        (0..graph.len() as u32).map(|predecessor| graph.at(predecessor))
                    {
                        run.memory.drop_edge(component, predecessor, node);
                    }
                }
                (Rule::TakeOver, Some(&[first, ref rest @ ..]))
                    if first.is_definite() && rest.iter().all(|&colour| colour == first) =>
                {
                    run.memory.take_over(component, node, first);
                }
                _ => {}
            }
        }
        run.stale[component] = true;
    }
}

/// The asymmetric approach, with the first component abstracted.
fn asymmetric(optimised: bool) -> Refinement {
    let plain = Refinement { abstracted: Some(vec![0]), eager: false, ..Refinement::default() };
    Refinement { drop_absent: optimised, take_over: optimised, lifting: Lifting::Paper, ..plain }
}

/// C Fig. 7 with one of the optimisations as it is printed, or with none.
fn decide(text: &str, rule: Option<Rule>) -> Truth {
    let asked = Asked::new(text);
    let request = asked.request(asymmetric(false));
    let mut run = asked.run(&request);
    while !run.colour_components().unwrap() {
        let Combined::Unknown(product) = run.combine().unwrap() else { break };
        let (combined, colouring) = *product;
        if let Some(rule) = rule {
            prune_as_printed(&mut run, &combined, &colouring, rule);
        }
        let Finding::Refined(_) = run.refine_causes(&combined, &colouring, 1).unwrap() else {
            break;
        };
        run.keep(combined, colouring, false);
    }
    verdict(&asked.system, &run.initial)
}

fn sound(text: &str) -> Truth {
    let asked = Asked::new(text);
    let request = asked.request(asymmetric(true));
    let mut run = asked.run(&request);
    run.decide().expect("there is no limit").verdict
}

/// q is true after t0 → t1, and p nowhere. The product has no node over ŝ ⊢ q: with t1 it is decided above
/// it, and with t2 the false q is no witness for a disjunction. Without ŝ ⊢ q, p alone would decide.
const REMOVED: &str = "
    component A kripke { props p; init s0; s0: {} -> s1; s1: {} -> s0; }
    component B kripke { props q; init t0; t0: {} -> t1, t2; t1: {q} -> t1; t2: {} -> t2; }
    system A || B;
    property f: mu <> (q | p);
";

#[test]
fn c_5_2_a_node_that_no_product_node_has_below_it_can_matter() {
    assert_eq!(sound(REMOVED), Truth::True);
    assert_eq!(decide(REMOVED, None), Truth::True);
    assert_eq!(decide(REMOVED, Some(Rule::Remove)), Truth::False, "the paper's rule is wrong");
}

/// After t0 → t1 both q and p are true. Once r is known to be false in ŝ, (ŝ, t2) ⊢ q | r is false, and it is
/// the only product node over ŝ ⊢ q | r: of (ŝ, t1) the product has none, because there it is true and no
/// witness for a conjunction.
const TAKEN_OVER: &str = "
    component A kripke { props p, r; init s0; s0: {p} -> s1; s1: {p} -> s0; }
    component B kripke { props q; init t0; t0: {} -> t1, t2; t1: {q} -> t1; t2: {} -> t2; }
    system A || B;
    property f: mu <> ((q | r) & p);
";

#[test]
fn c_5_2_a_node_can_differ_from_the_product_nodes_above_it() {
    assert_eq!(sound(TAKEN_OVER), Truth::True);
    assert_eq!(decide(TAKEN_OVER, None), Truth::True);
    assert_eq!(decide(TAKEN_OVER, Some(Rule::TakeOver)), Truth::False, "the paper's rule is wrong");
}
