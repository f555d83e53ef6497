//! Definite values stay. A split can lose a must transition, and with it a definite value; what is remembered
//! and hyper-transitions keep it.

use super::*;
use crate::refine::colour_cache::Decided;
use rustc_hash::FxHashMap;
use testkit::{Case, Rng, for_seeds, system_question};

/// Both a1 and a2 have a step to {b1, b2}; after b1 and b2 are distinguished by q, no single step is left that both
/// have.
const LOST: &str = "
    component M kripke {
      props q, r; init a1, a2;
      a1: {} -> b1; a2: {} -> b2; b1: {r, q} -> b1; b2: {r} -> b2;
    }
    property f: mu <> r & <> (q | [] r);
";

/// The transitions of {a1, a2} are not looked at before ◇r is undetermined.
fn lazy() -> Refinement {
    Refinement { eager: false, ..Refinement::default() }
}

/// The colours of a node over the rounds in which it is there, each as long as it lasts.
fn colours(text: &str, node: &str, refinement: Refinement) -> Vec<Truth> {
    let asked = Asked::new(text);
    let request = asked.request(refinement);
    let mut run = asked.run(&request);
    let mut seen = Vec::new();
    while !run.colour_components().unwrap() {
        let Combined::Unknown(product) = run.combine().unwrap() else { break };
        let (combined, colouring) = *product;
        let found = named_colours(&run, &combined, &colouring.colours);
        seen.extend(found.iter().find(|(name, _)| name == node).map(|&(_, colour)| colour));
        let Finding::Refined(_) = run.refine_causes(&combined, &colouring, 1).unwrap() else {
            panic!("stuck")
        };
        run.keep(combined, colouring, false);
    }
    assert_eq!(verdict(&asked.system, &run.initial), Truth::True);
    seen.dedup();
    seen
}

fn changes(refinement: Refinement) -> Vec<Truth> {
    colours(LOST, "{a1, a2} ⊢ <> r", refinement)
}

#[test]
fn a_split_can_lose_a_definite_value() {
    let forgetful = Refinement { keep_colours: false, ..lazy() };
    assert_eq!(changes(forgetful), [Truth::Unknown, Truth::True, Truth::Unknown]);
}

#[test]
fn the_colour_cache_keeps_it() {
    assert_eq!(changes(lazy()), [Truth::Unknown, Truth::True]);
}

#[test]
fn a_hyper_transition_keeps_it() {
    let hyper = Refinement { keep_colours: false, hyper: true, ..lazy() };
    assert_eq!(changes(hyper), [Truth::Unknown, Truth::True]);
}

/// Colours after a round: of the initial states, and of all nodes.
#[derive(Default)]
struct Snapshot {
    initial: FxHashMap<Vec<u32>, Truth>,
    nodes: FxHashMap<(Vec<usize>, Vec<u32>, u32), Truth>,
}

impl Snapshot {
    fn of(run: &Run) -> Self {
        let decided = run.memory.decided();
        let node = |(components, tuple, label, value): Decided| {
            ((components.to_vec(), tuple.to_vec(), label), value)
        };
        Self { initial: run.initial.iter().cloned().collect(), nodes: decided.map(node).collect() }
    }

    /// Whether all that is definite is so later. A state keeps its number when it is split, for one of its
    /// parts; if no initial state is in that part, the number is no longer there.
    fn is_kept_by(&self, later: &Snapshot) -> Result<(), String> {
        for (tuple, value) in self.initial.iter().filter(|(_, value)| value.is_definite()) {
            if later.initial.get(tuple).is_some_and(|now| now != value) {
                return Err(format!("the initial state {tuple:?} was {value}"));
            }
        }
        for (node, value) in &self.nodes {
            if later.nodes.get(node) != Some(value) {
                return Err(format!("{node:?} was {value}"));
            }
        }
        Ok(())
    }
}

const SYSTEMS: u64 = 4_000;

fn one_system(rng: &mut Rng, case: &mut Case, is_pruned: bool) -> Result<(), String> {
    let Some((system, _, formula)) = system_question(rng, case, 12) else { return Ok(()) };
    let asked = Asked::of(system, formula);
    let request = asked.request(Refinement {
        hyper: rng.chance(0.5),
        eager: rng.chance(0.5),
        nodes_of_cause: rng.chance(0.5).then_some(4),
        drop_absent: is_pruned,
        take_over: is_pruned,
        ..Refinement::default()
    });
    let mut run = asked.run(&request);
    let mut before = Snapshot::default();
    while let Progress::Refined = run.round().map_err(|_| "a limit")? {
        let after = Snapshot::of(&run);
        before.is_kept_by(&after)?;
        before = after;
    }
    before.is_kept_by(&Snapshot::of(&run))?;
    match is_pruned || run.memory.is_firm() {
        true => Ok(()),
        false => Err("pruned, and it was not asked for".to_owned()),
    }
}

/// Colours that hold in all states stay; colours that hold only where the question comes to are not compared.
#[test]
fn definite_values_stay() {
    for_seeds("monotone", 0..SYSTEMS, |rng, case| one_system(rng, case, true));
}

/// Without pruning that is all that is known: the check in `ColourCache::insert` is never switched off.
#[test]
fn all_definite_values_stay_where_nothing_is_pruned() {
    for_seeds("monotone-strict", 0..SYSTEMS, |rng, case| one_system(rng, case, false));
}

/// The check in `ColourCache::insert` is alive.
#[test]
#[cfg(debug_assertions)]
#[should_panic = "definite values stay"]
fn a_memory_takes_no_contradiction() {
    let mut memory = ColourCache::new(true);
    memory.insert(&[0], &[3], 1, Truth::True);
    memory.insert(&[0], &[3], 1, Truth::False);
}

/// After a colour has been taken over, nodes that the question does not come to can be found T and F. This
/// too changes nothing that is known.
#[test]
fn the_first_colour_stays() {
    let mut memory = ColourCache::new(true);
    assert!(memory.insert(&[1, 2], &[1, 4], 7, Truth::True));
    assert!(memory.take_over(1, (1, 7), Truth::False));
    assert!(!memory.insert(&[1, 2], &[1, 4], 7, Truth::False));
    assert_eq!(memory.colour(&[1, 2], &[1, 4], 7), Some(Truth::True));
}

/// The parts of a split state inherit, in every part of the system that the component is in, and no others do.
#[test]
fn parts_inherit() {
    let mut memory = ColourCache::new(true);
    memory.insert(&[0], &[3], 1, Truth::True);
    memory.insert(&[1, 0], &[2, 3], 4, Truth::False);
    memory.insert(&[1], &[3], 1, Truth::False);
    memory.drop_edge(0, (3, 1), (3, 2));
    memory.split(0, 3, &[7, 8]);
    for state in [3, 7, 8] {
        assert_eq!(memory.colour(&[0], &[state], 1), Some(Truth::True));
        assert_eq!(memory.colour(&[1, 0], &[2, state], 4), Some(Truth::False));
        assert!([3, 7, 8].iter().all(|&target| memory.is_dropped(0, (state, 1), (target, 2))));
    }
    assert_eq!(memory.colour(&[1], &[7], 1), None);
    assert!(!memory.is_dropped(1, (7, 1), (7, 2)));
}
