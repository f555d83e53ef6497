//! Operations that are given up for a better order, and done all the same where there is none; and one that
//! is given up for good when it does not pay.

use bdd::{Diagrams, Policy, Set, Stop, Var};
use support::Monitor;

/// Bits of each of two numbers.
const BITS: usize = 18;

fn equal(diagrams: &mut Diagrams, x: &[Var], y: &[Var]) -> Set {
    let mut all = diagrams.constant(true);
    for (&x, &y) in x.iter().zip(y).rev() {
        let (x, y) = (diagrams.var(x).expect("room"), diagrams.var(y).expect("room"));
        let differ = diagrams.xor(&x, &y).expect("room");
        all = diagrams.minus(&all, &differ).expect("room");
    }
    all
}

/// The numbers are equal, put together from halves by one operation that makes many nodes.
fn all_equal(diagrams: &mut Diagrams, vars: &[Var]) -> Set {
    let (x, y) = vars.split_at(BITS);
    let upper = equal(diagrams, &x[..BITS / 2], &y[..BITS / 2]);
    let lower = equal(diagrams, &x[BITS / 2..], &y[BITS / 2..]);
    diagrams.and(&upper, &lower).expect("room")
}

fn policy() -> Policy {
    Policy { most_nodes: 1 << 22, reorder_at: Some(1 << 20), ..Policy::default() }
}

#[test]
fn a_better_order_saves_an_operation() {
    let mut diagrams = Diagrams::new(&Monitor::new(), policy());
    let vars: Vec<Var> = (0..2 * BITS).flat_map(|_| diagrams.add_group::<1>()).collect();
    let all = all_equal(&mut diagrams, &vars);
    assert!(diagrams.size([&all]) < 10 * BITS);
    assert_eq!(diagrams.density(&all), (-(BITS as f64)).exp2());
    assert!(diagrams.reorderings() > 0);
    diagrams.assert_sound();
}

#[test]
fn an_operation_ends_without_a_better_order() {
    let mut diagrams = Diagrams::new(&Monitor::new(), policy());
    // One group, in which nothing moves.
    let vars = diagrams.add_group::<{ 2 * BITS }>();
    let all = all_equal(&mut diagrams, &vars);
    assert!(diagrams.size([&all]) > 1 << BITS);
    assert_eq!(diagrams.density(&all), (-(BITS as f64)).exp2());
    assert!(diagrams.reorderings() > 0);
    diagrams.assert_sound();
}

/// One of sixteen pairs of bits that the first four choose. Without the choice it is exponential.
fn chosen_pair(diagrams: &mut Diagrams) -> Set {
    let mut vars = || diagrams.add_group::<1>()[0];
    let choice: [Var; 4] = std::array::from_fn(|_| vars());
    let [x, y]: [[Var; 16]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| vars()));
    let mut pairs: Vec<Set> = Vec::new();
    for (x, y) in x.into_iter().zip(y) {
        let (x, y) = (diagrams.var(x).expect("room"), diagrams.var(y).expect("room"));
        pairs.push(diagrams.and(&x, &y).expect("room"));
    }
    for bit in choice.into_iter().rev() {
        let bit = diagrams.var(bit).expect("room");
        let halves = pairs.chunks(2).map(|two| diagrams.ite(&bit, &two[0], &two[1]));
        pairs = halves.collect::<Result<_, _>>().expect("room");
    }
    pairs.remove(0)
}

#[test]
fn an_unrelated_care_set_costs_little_and_changes_nothing() {
    let mut diagrams = Diagrams::new(&Monitor::new(), Policy { reorder_at: None, ..policy() });
    let care = chosen_pair(&mut diagrams);
    let below: Vec<Var> = (0..8).flat_map(|_| diagrams.add_group::<1>()).collect();
    let f = equal(&mut diagrams, &below[..4], &below[4..]);
    let before = diagrams.used();
    let restricted = diagrams.restrict(&f, &care).expect("room");
    assert_eq!(restricted, f);
    assert!(diagrams.used() - before <= 2 * diagrams.size([&f, &care]));
}

#[test]
fn what_does_not_count_is_left_out() {
    let mut diagrams = Diagrams::new(&Monitor::new(), Policy { reorder_at: None, ..policy() });
    let vars: Vec<Var> = (0..16).flat_map(|_| diagrams.add_group::<1>()).collect();
    let f = equal(&mut diagrams, &vars[..8], &vars[8..]);
    let care = diagrams.var(vars[0]).expect("room");
    let restricted = diagrams.restrict(&f, &care).expect("room");
    assert!(!diagrams.support(&restricted).contains(&vars[0]));
    assert_eq!(diagrams.and(&restricted, &care), diagrams.and(&f, &care));
}

#[test]
fn too_many_variables_are_said_and_as_many_as_allowed_are_worked_with() {
    let mut diagrams = Diagrams::new(&Monitor::new(), policy());
    let vars: Vec<Var> = (0..10_000).flat_map(|_| diagrams.add_group::<1>()).collect();
    let [mut even, mut all] = [diagrams.constant(false), diagrams.constant(true)];
    for (index, &var) in vars.iter().enumerate().rev() {
        let bit = diagrams.var(var).expect("room");
        even = diagrams.xor(&even, &bit).expect("room");
        if index % 3 == 0 {
            all = diagrams.or(&all.not(), &bit).expect("room");
        }
    }
    // From here on, operations go from the highest variable to the lowest.
    let both = diagrams.ite(&even, &all, &even).expect("room");
    let cube = diagrams.cube([vars[9_999]]).expect("room");
    let some = diagrams.and_exists(&even, &all, &cube).expect("room");
    let restricted = diagrams.restrict(&some, &both).expect("room");
    assert_eq!(diagrams.and(&restricted, &both), diagrams.and(&some, &both));
    let [more] = diagrams.add_group::<1>();
    assert_eq!(diagrams.var(more), Err(Stop::Full));
}
