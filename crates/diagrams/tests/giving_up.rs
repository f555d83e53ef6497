//! Operations that are given up for a better order, and done all the same where there is none.

use base::Monitor;
use diagrams::{Diagrams, Policy, Set, Var};

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
    Policy { most_nodes: 1 << 22, reorder_at: Some(1 << 20) }
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
