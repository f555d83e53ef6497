//! Random programs of operations, run by the BDDs of this crate and by OxiDD. Garbage is collected,
//! variables are reordered, nodes run out and the work is stopped at random; none of it may change a set.

mod packages;
mod random;

use bdd::{Bdd, BddVar, Cube, Renaming, Stop};
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, BooleanFunctionQuant, ManagerRef};
use packages::{Ours, Oxidd, Package, Shape};
use random::Random;
use std::time::Duration;
use support::{Monitor, StopReason};

/// As many sets are held at a time.
const HELD: usize = 24;
/// Larger sets are let go, and most smaller ones, so that a program keeps having something to do.
const LARGE: usize = 2000;
const SMALL: usize = 20;

struct Lab {
    random: Random,
    shape: Shape,
    ours: Ours,
    oxidd: Oxidd,
    held: Vec<(Bdd, <Oxidd as Package>::Set)>,
    /// From the first variable of each group into the second.
    renaming: (Renaming, <Oxidd as Package>::Renaming),
    monitor: Monitor,
}

/// Operations that are compared and not measured.
trait Quantifying: Package {
    fn exists(&mut self, a: &Self::Set, cube: &Self::Cube) -> Result<Self::Set, Stop>;
}

impl Quantifying for Ours {
    fn exists(&mut self, a: &Bdd, cube: &Cube) -> Result<Bdd, Stop> {
        self.manager.exists(a, cube)
    }
}

impl Quantifying for Oxidd {
    fn exists(&mut self, a: &BCDDFunction, cube: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        self.run(|| a.exists(cube))
    }
}

impl Ours {
    fn index(&self, var: BddVar) -> usize {
        (var.0 - self.vars[0].0) as usize
    }
}

impl Oxidd {
    /// Takes this order of all variables, from above. Out of nodes it would end the process.
    fn set_order(&mut self, order: &[usize]) {
        let order: Vec<u32> = order.iter().map(|&var| var as u32).collect();
        self.manager
            .with_manager_exclusive(|manager| oxidd_reorder::set_var_order_seq(manager, &order));
    }

    fn contains(&self, a: &BCDDFunction, value: impl Fn(usize) -> bool) -> bool {
        a.eval((0..self.vars).map(|var| (var, value(var as usize))))
    }
}

/// One operation, so that both packages do the same.
#[derive(Clone, Copy, Debug)]
enum Step {
    And(usize, usize),
    Or(usize, usize),
    Xor(usize, usize),
    Ite(usize, usize, usize),
    Exists(usize, u64),
    AndExists(usize, usize, u64),
    Rename(usize),
    Not(usize),
}

/// The variables of a mask.
fn chosen(mask: u64, shape: Shape) -> Vec<usize> {
    (0..shape.vars()).filter(|var| mask >> var & 1 == 1).collect()
}

/// Does a step on sets of one package.
fn run<P: Quantifying>(
    package: &mut P,
    shape: Shape,
    renaming: &P::Renaming,
    step: Step,
    set: impl Fn(usize) -> P::Set,
) -> Result<P::Set, Stop> {
    match step {
        Step::And(a, b) => package.and(&set(a), &set(b)),
        Step::Or(a, b) => package.or(&set(a), &set(b)),
        Step::Xor(a, b) => package.xor(&set(a), &set(b)),
        Step::Ite(a, b, c) => package.ite(&set(a), &set(b), &set(c)),
        Step::Exists(a, mask) => {
            let cube = package.cube(&chosen(mask, shape))?;
            package.exists(&set(a), &cube)
        }
        Step::AndExists(a, b, mask) => {
            let cube = package.cube(&chosen(mask, shape))?;
            package.and_exists(&set(a), &set(b), &cube)
        }
        Step::Rename(a) => {
            let seconds: Vec<usize> = (0..shape.groups).map(|group| group * 2 + 1).collect();
            let cube = package.cube(&seconds)?;
            let of_firsts = package.exists(&set(a), &cube)?;
            package.rename(&of_firsts, renaming)
        }
        Step::Not(a) => Ok(package.not(&set(a))),
    }
}

impl Lab {
    fn new(seed: u64, most_nodes: usize, reorder_at: Option<usize>) -> Self {
        let mut random = Random(seed);
        let shape = Shape { groups: 8 + random.below(5), size: 2, most_nodes };
        let monitor = Monitor::new();
        let mut ours = Ours::with(&monitor, shape, reorder_at);
        let mut oxidd = Oxidd::new(Shape { most_nodes: 1 << 18, ..shape });
        let pairs: Vec<_> = (0..shape.groups).map(|group| (group * 2, group * 2 + 1)).collect();
        let renaming =
            (ours.renaming(&pairs).expect("room"), oxidd.renaming(&pairs).expect("room"));
        let held = (0..shape.vars())
            .map(|var| (ours.var(var).expect("room"), oxidd.var(var).expect("room")))
            .collect();
        Self { random, shape, ours, oxidd, held, renaming, monitor }
    }

    fn any(&mut self) -> usize {
        self.random.below(self.held.len())
    }

    fn any_step(&mut self) -> Step {
        let (a, b, c) = (self.any(), self.any(), self.any());
        // Few variables, mostly.
        let masks: [u64; 3] = std::array::from_fn(|_| self.random.next());
        let mask = masks[0] & masks[1] & if self.random.below(4) == 0 { !0 } else { masks[2] };
        match self.random.below(13) {
            0 | 1 => Step::And(a, b),
            2 | 3 => Step::Or(a, b),
            4 | 5 => Step::Xor(a, b),
            6..9 => Step::Ite(a, b, c),
            9 => Step::Exists(a, mask),
            10 => Step::AndExists(a, b, mask),
            11 => Step::Rename(a),
            _ => Step::Not(a),
        }
    }

    /// One random step of both. Says why this crate has no result, if so.
    fn step(&mut self) -> Option<Stop> {
        let step = self.any_step();
        let held = &self.held;
        let theirs =
            run(&mut self.oxidd, self.shape, &self.renaming.1, step, |at| held[at].1.clone())
                .expect("room");
        match run(&mut self.ours, self.shape, &self.renaming.0, step, |at| held[at].0.clone()) {
            Ok(made) => {
                self.assert_equal(&made, &theirs);
                self.keep(made, theirs);
                None
            }
            Err(stop) => Some(stop),
        }
    }

    fn keep(&mut self, made: Bdd, theirs: <Oxidd as Package>::Set) {
        let size = self.oxidd.size(&theirs);
        if size > LARGE || size < SMALL && self.random.below(12) > 0 {
            return;
        }
        if self.held.len() < self.shape.vars() + HELD {
            self.held.push((made, theirs));
        } else {
            // The variables stay.
            let at = self.shape.vars() + self.random.below(HELD);
            self.held[at] = (made, theirs);
        }
    }

    fn assert_equal(&self, made: &Bdd, theirs: &<Oxidd as Package>::Set) {
        let mut random = Random(self.random.0);
        for _ in 0..32 {
            let row = random.next();
            let ours = self.ours.manager.contains(made, |var| row >> self.ours.index(var) & 1 == 1);
            assert_eq!(ours, self.oxidd.contains(theirs, |var| row >> var & 1 == 1));
        }
        assert_eq!(self.ours.density(made), self.oxidd.density(theirs));
    }

    /// Restricting changes nothing where it counts.
    fn restrict(&mut self) -> Option<Stop> {
        let (a, care) = (self.any(), self.any());
        let (a, care) = (self.held[a].0.clone(), self.held[care].0.clone());
        let restricted = self.restricted(&a, &care);
        restricted.map(|[left, right]| assert_eq!(left, right)).err()
    }

    fn restricted(&mut self, a: &Bdd, care: &Bdd) -> Result<[Bdd; 2], Stop> {
        let manager = &mut self.ours.manager;
        let simple = manager.restrict(a, care)?;
        Ok([manager.and(&simple, care)?, manager.and(a, care)?])
    }

    fn assert_all(&self) {
        self.ours.manager.assert_sound();
        for (index, (made, theirs)) in self.held.iter().enumerate() {
            self.assert_equal(made, theirs);
            for (other, of_theirs) in &self.held[..index] {
                assert_eq!(made == other, theirs == of_theirs);
            }
        }
    }

    /// Checks that equal functions in the same order have equally many nodes.
    fn assert_sizes(&mut self) {
        let order = self.ours.manager.order().into_iter().map(|var| self.ours.index(var));
        let order: Vec<usize> = order.collect();
        self.oxidd.set_order(&order);
        for (made, theirs) in &self.held {
            assert_eq!(self.ours.size(made), self.oxidd.size(theirs));
        }
    }
}

#[test]
fn reordering_and_collecting_change_nothing() {
    for seed in 0..40 {
        println!("seed {seed}");
        let mut lab = Lab::new(seed, 1 << 20, None);
        for _ in 0..500 {
            match lab.random.below(40) {
                0 => lab.ours.manager.reorder().expect("room"),
                1 => lab.ours.manager.collect(),
                2 => assert_eq!(lab.restrict(), None),
                _ => assert_eq!(lab.step(), None),
            }
        }
        lab.assert_all();
        lab.assert_sizes();
    }
}

#[test]
fn a_full_manager_reports_it_and_stays_usable() {
    let mut failed = 0;
    for seed in 0..60 {
        println!("seed {seed}");
        let most_nodes = 60 + Random(seed).below(800);
        let reorder_at = (seed % 2 == 0).then_some(most_nodes / 2);
        let mut lab = Lab::new(seed, most_nodes, reorder_at);
        for _ in 0..500 {
            let stop = if lab.random.below(20) == 0 { lab.restrict() } else { lab.step() };
            assert!(matches!(stop, None | Some(Stop::Full)), "{stop:?}");
            failed += usize::from(stop.is_some());
            assert!(lab.ours.used() <= most_nodes);
        }
        lab.assert_all();
        lab.assert_sizes();
    }
    assert!(failed > 100, "{failed} steps had no room");
}

#[test]
fn a_stopped_operation_leaves_the_manager_usable() {
    for seed in 0..40 {
        println!("seed {seed}");
        let mut lab = Lab::new(seed, 1 << 20, Some(500));
        let monitor = lab.monitor.clone();
        let delay = Duration::from_micros(lab.random.below(30_000) as u64);
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(delay);
            monitor.stop(StopReason::Cancelled);
        });
        while lab.monitor.check().is_ok() {
            let stop = match lab.random.below(8) {
                0 => lab.ours.manager.reorder().err(),
                _ => lab.step(),
            };
            assert!(matches!(stop, None | Some(Stop::Stopped(_))), "{stop:?}");
        }
        stopper.join().expect("it ends");
        lab.assert_all();
        lab.assert_sizes();
    }
}
