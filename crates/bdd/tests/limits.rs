//! Operations that are given up for a better order, and done all the same where there is none; and one that
//! is given up for good when it does not pay.

use bdd::{Bdd, BddVar, Manager, Policy, Stop};
use support::Monitor;

/// Bits of each of two numbers.
const BITS: usize = 18;

fn equal(manager: &mut Manager, x: &[BddVar], y: &[BddVar]) -> Bdd {
    let mut all = manager.constant(true);
    for (&x, &y) in x.iter().zip(y).rev() {
        let (x, y) = (manager.var(x).expect("room"), manager.var(y).expect("room"));
        let differ = manager.xor(&x, &y).expect("room");
        all = manager.minus(&all, &differ).expect("room");
    }
    all
}

/// The numbers are equal, put together from halves by one operation that makes many nodes.
fn all_equal(manager: &mut Manager, vars: &[BddVar]) -> Bdd {
    let (x, y) = vars.split_at(BITS);
    let upper = equal(manager, &x[..BITS / 2], &y[..BITS / 2]);
    let lower = equal(manager, &x[BITS / 2..], &y[BITS / 2..]);
    manager.and(&upper, &lower).expect("room")
}

fn policy() -> Policy {
    Policy { most_nodes: 1 << 22, reorder_at: Some(1 << 20), ..Policy::default() }
}

#[test]
fn a_better_order_saves_an_operation() {
    let mut manager = Manager::new(&Monitor::new(), policy());
    let vars: Vec<BddVar> = (0..2 * BITS).flat_map(|_| manager.add_group::<1>()).collect();
    let all = all_equal(&mut manager, &vars);
    assert!(manager.size([&all]) < 10 * BITS);
    assert_eq!(manager.density(&all), (-(BITS as f64)).exp2());
    assert!(manager.reorderings() > 0);
    manager.assert_sound();
}

#[test]
fn an_operation_ends_without_a_better_order() {
    let mut manager = Manager::new(&Monitor::new(), policy());
    // One group, in which nothing moves.
    let vars = manager.add_group::<{ 2 * BITS }>();
    let all = all_equal(&mut manager, &vars);
    assert!(manager.size([&all]) > 1 << BITS);
    assert_eq!(manager.density(&all), (-(BITS as f64)).exp2());
    assert!(manager.reorderings() > 0);
    manager.assert_sound();
}

/// One of sixteen pairs of bits that the first four choose. Without the choice it is exponential.
fn chosen_pair(manager: &mut Manager) -> Bdd {
    let mut vars = || manager.add_group::<1>()[0];
    let choice: [BddVar; 4] = std::array::from_fn(|_| vars());
    let [x, y]: [[BddVar; 16]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| vars()));
    let mut pairs: Vec<Bdd> = Vec::new();
    for (x, y) in x.into_iter().zip(y) {
        let (x, y) = (manager.var(x).expect("room"), manager.var(y).expect("room"));
        pairs.push(manager.and(&x, &y).expect("room"));
    }
    for bit in choice.into_iter().rev() {
        let bit = manager.var(bit).expect("room");
        let halves = pairs.chunks(2).map(|two| manager.ite(&bit, &two[0], &two[1]));
        pairs = halves.collect::<Result<_, _>>().expect("room");
    }
    pairs.remove(0)
}

#[test]
fn an_unrelated_care_set_costs_little_and_changes_nothing() {
    let mut manager = Manager::new(&Monitor::new(), Policy { reorder_at: None, ..policy() });
    let care = chosen_pair(&mut manager);
    let below: Vec<BddVar> = (0..8).flat_map(|_| manager.add_group::<1>()).collect();
    let f = equal(&mut manager, &below[..4], &below[4..]);
    let before = manager.used();
    let restricted = manager.restrict(&f, &care).expect("room");
    assert_eq!(restricted, f);
    assert!(manager.used() - before <= 2 * manager.size([&f, &care]));
}

#[test]
fn what_does_not_count_is_left_out() {
    let mut manager = Manager::new(&Monitor::new(), Policy { reorder_at: None, ..policy() });
    let vars: Vec<BddVar> = (0..16).flat_map(|_| manager.add_group::<1>()).collect();
    let f = equal(&mut manager, &vars[..8], &vars[8..]);
    let care = manager.var(vars[0]).expect("room");
    let restricted = manager.restrict(&f, &care).expect("room");
    assert!(!manager.support(&restricted).contains(&vars[0]));
    assert_eq!(manager.and(&restricted, &care), manager.and(&f, &care));
}

#[test]
fn too_many_variables_are_said_and_as_many_as_allowed_are_worked_with() {
    let mut manager = Manager::new(&Monitor::new(), policy());
    let vars: Vec<BddVar> = (0..10_000).flat_map(|_| manager.add_group::<1>()).collect();
    let [mut even, mut all] = [manager.constant(false), manager.constant(true)];
    for (index, &var) in vars.iter().enumerate().rev() {
        let bit = manager.var(var).expect("room");
        even = manager.xor(&even, &bit).expect("room");
        if index % 3 == 0 {
            all = manager.or(&all.not(), &bit).expect("room");
        }
    }
    // From here on, operations go from the highest variable to the lowest.
    let both = manager.ite(&even, &all, &even).expect("room");
    let cube = manager.cube([vars[9_999]]).expect("room");
    let some = manager.and_exists(&even, &all, &cube).expect("room");
    let restricted = manager.restrict(&some, &both).expect("room");
    assert_eq!(manager.and(&restricted, &both), manager.and(&some, &both));
    let [more] = manager.add_group::<1>();
    assert_eq!(manager.var(more), Err(Stop::Full));
}
