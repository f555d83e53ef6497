//! ABSREDU (X Fig. 2) against its definition: a monomial is in the result if all its minterms are in the set.

mod random;

use bdd::{Bdd, BddVar, Manager, Policy};
use random::Random;
use support::Monitor;

/// Predicates, and as many variables that nothing is known to be unknown of.
const PREDICATES: usize = 4;

struct Lab {
    manager: Manager,
    random: Random,
    known: Vec<BddVar>,
    unknown: Vec<BddVar>,
    others: Vec<BddVar>,
}

/// Values by the order of `known`, `unknown`, `others`.
type Row = [bool; 3 * PREDICATES];

impl Lab {
    fn new(seed: u64, policy: Policy) -> Self {
        let mut manager = Manager::new(&Monitor::new(), policy);
        let (mut known, mut unknown, mut others) = (vec![], vec![], vec![]);
        for _ in 0..PREDICATES {
            let [other, beside, var] = manager.add_group();
            manager.add_unknown(var, beside);
            others.push(other);
            unknown.push(beside);
            known.push(var);
        }
        Self { manager, random: Random(seed), known, unknown, others }
    }

    fn all_vars(&self) -> Vec<BddVar> {
        [&self.known, &self.unknown, &self.others].into_iter().flatten().copied().collect()
    }

    /// A random set that depends on what may be reduced and on other variables.
    fn any(&mut self) -> Bdd {
        let vars = [self.known.clone(), self.others.clone()].concat();
        let mut set = self.manager.constant(false);
        for _ in 0..1 + self.random.below(12) {
            let var = self.manager.var(vars[self.random.below(vars.len())]).expect("room");
            let literal = if self.random.below(2) == 0 { var.not() } else { var };
            set = match self.random.below(3) {
                0 => self.manager.and(&set, &literal),
                1 => self.manager.or(&set, &literal),
                _ => self.manager.xor(&set, &literal),
            }
            .expect("room");
        }
        set
    }

    fn contains(&self, set: &Bdd, row: &Row) -> bool {
        let vars = self.all_vars();
        let place = |var| vars.iter().position(|&other| other == var).expect("a variable");
        self.manager.contains(set, |var| row[place(var)])
    }

    /// Whether all minterms of the monomial of a row are in the set; of the predicates that are not chosen,
    /// what is said to be unknown does not count.
    fn has_all(&self, set: &Bdd, row: &Row, chosen: u64, from: usize) -> bool {
        let is_unknown = |at: usize| chosen >> at & 1 == 1 && row[PREDICATES + at];
        match (from..PREDICATES).find(|&at| is_unknown(at)) {
            None => self.contains(set, row),
            Some(at) => [false, true].into_iter().all(|value| {
                let mut more = *row;
                more[at] = value;
                self.has_all(set, &more, chosen, at + 1)
            }),
        }
    }

    fn check_one(&mut self) {
        let set = self.any();
        let chosen = self.random.next() % (1 << PREDICATES);
        let cube = (0..PREDICATES).filter(|at| chosen >> at & 1 == 1).map(|at| self.known[at]);
        let cube = self.manager.cube(cube.collect::<Vec<_>>()).expect("room");
        let reduced = self.manager.reduce(&set, &cube).expect("room");
        for number in 0..1u32 << (3 * PREDICATES) {
            let row: Row = std::array::from_fn(|at| number >> at & 1 == 1);
            let expected = self.has_all(&set, &row, chosen, 0);
            assert_eq!(self.contains(&reduced, &row), expected, "{number:b} of {chosen:b}");
        }
        self.manager.assert_sound();
    }
}

#[test]
fn monomials_are_in_it_with_all_their_minterms() {
    for seed in 0..40 {
        println!("seed {seed}");
        let mut lab = Lab::new(seed, Policy { reorder_at: None, ..Policy::default() });
        (0..3).for_each(|_| lab.check_one());
    }
}

#[test]
fn and_whatever_the_order_becomes() {
    for seed in 0..40 {
        println!("seed {seed}");
        let unrest = Some(1 + seed % 5);
        let mut lab = Lab::new(seed, Policy { unrest, ..Policy::default() });
        (0..3).for_each(|_| lab.check_one());
    }
}

/// Operations from the highest of so many predicates to the lowest.
fn go_deep(predicates: usize, policy: Policy) {
    let mut manager = Manager::new(&Monitor::new(), policy);
    let groups: Vec<[BddVar; 3]> = (0..predicates).map(|_| manager.add_group()).collect();
    for &[_, unknown, var] in &groups {
        manager.add_unknown(var, unknown);
    }
    let [mut even, mut all] = [manager.constant(false), manager.constant(true)];
    for (index, &[_, _, var]) in groups.iter().enumerate().rev() {
        let bit = manager.var(var).expect("room");
        even = manager.xor(&even, &bit).expect("room");
        if index % 3 == 0 {
            all = manager.or(&all.not(), &bit).expect("room");
        }
    }
    let both = manager.ite(&even, &all, &even).expect("room");
    let lowest = manager.cube([groups[predicates - 1][2]]).expect("room");
    let some = manager.and_exists(&even, &all, &lowest).expect("room");
    let some = manager.exists(&some, &lowest).expect("room");
    manager.restrict(&some, &both).expect("room");
    let pairs: Vec<(BddVar, BddVar)> = groups.iter().map(|&[other, _, var]| (var, other)).collect();
    let renaming = manager.renaming(&pairs);
    manager.rename(&both, renaming).expect("room");
    let cube = manager.cube(groups.iter().map(|&[_, _, var]| var)).expect("room");
    let reduced = manager.reduce(&even, &cube).expect("room");
    // No monomial but minterms decides whether a number of ones is even.
    assert_eq!(manager.size([&reduced]), 4 * predicates - 3);
}

#[test]
fn more_variables_need_as_much_stack_as_is_said() {
    let predicates = 10_000;
    let policy = Policy { reorder_at: None, most_vars: 3 * predicates, ..Policy::default() };
    let stack = 3 * predicates * Policy::STACK_A_VAR;
    let work = move || go_deep(predicates, policy);
    let thread = std::thread::Builder::new().stack_size(stack).spawn(work);
    thread.expect("a thread").join().expect("it ends");
}
