//! Machines whose states are reached by relational products: every step is a relation of its own over the
//! bits that it changes.

use crate::packages::Shape;
use crate::{Done, MOST_NODES, Peak};
use bdd::Stop;

pub struct Machine<P: Peak> {
    pub package: P,
    /// The bits of a state now and after a step.
    pub current: Vec<P::Set>,
    pub next: Vec<P::Set>,
    /// The group of each bit.
    places: Vec<usize>,
    steps: Vec<Step<P>>,
}

struct Step<P: Peak> {
    relation: P::Set,
    changed: P::Cube,
    back: P::Renaming,
}

impl<P: Peak> Machine<P> {
    pub fn new(bits: usize) -> Result<Self, Stop> {
        let package = P::new(Shape { groups: bits, size: 2, most_nodes: MOST_NODES });
        Self::with((0..bits).collect(), package)
    }

    /// Each bit lies in a place of its own.
    pub fn with(places: Vec<usize>, mut package: P) -> Result<Self, Stop> {
        let mut bits = |next| {
            let bits = places.iter().map(|place| package.var(place * 2 + next));
            bits.collect::<Result<Vec<_>, _>>()
        };
        let (current, next) = (bits(0)?, bits(1)?);
        Ok(Self { package, current, next, places, steps: Vec::new() })
    }

    /// A step that changes these bits and no others.
    pub fn add_step(&mut self, relation: P::Set, changed: &[usize]) -> Result<(), Stop> {
        let now: Vec<usize> = changed.iter().map(|&bit| self.places[bit] * 2).collect();
        let back: Vec<_> = now.iter().map(|&var| (var + 1, var)).collect();
        let changed = self.package.cube(&now)?;
        let back = self.package.renaming(&back)?;
        self.steps.push(Step { relation, changed, back });
        Ok(())
    }

    /// A step that is possible under some values of bits and gives them others.
    fn add_rule(&mut self, before: &[(usize, bool)], after: &[(usize, bool)]) -> Result<(), Stop> {
        let mut relation = literals(&mut self.package, &self.current, before)?;
        let then = literals(&mut self.package, &self.next, after)?;
        relation = self.package.and(&relation, &then)?;
        let changed: Vec<usize> = after.iter().map(|&(bit, _)| bit).collect();
        self.add_step(relation, &changed)
    }

    /// Reaches all that can be; the answer is how many nodes that takes.
    pub fn reach(&mut self, start: P::Set) -> Result<Done, Stop> {
        let reached = self.reached(start)?;
        Ok(Done { answer: self.package.size(&reached) as f64, nodes: self.package.peak() })
    }

    pub fn reached(&mut self, start: P::Set) -> Result<P::Set, Stop> {
        let mut reached = start;
        loop {
            let before = reached.clone();
            for step in &self.steps {
                let after = self.package.and_exists(&reached, &step.relation, &step.changed)?;
                let after = self.package.rename(&after, &step.back)?;
                reached = self.package.or(&reached, &after)?;
            }
            if reached == before {
                return Ok(reached);
            }
        }
    }
}

pub fn is_same<P: Peak>(package: &mut P, a: &P::Set, b: &P::Set) -> Result<P::Set, Stop> {
    let differ = package.xor(a, b)?;
    Ok(package.not(&differ))
}

/// Bits that have the digits of a number.
pub fn encoded<P: Peak>(
    variables: &mut [P::Set],
    package: &mut P,
    bits: &[usize],
    value: usize,
) -> Result<P::Set, Stop> {
    let digits: Vec<(usize, bool)> =
        bits.iter().enumerate().map(|(index, &bit)| (bit, value >> index & 1 == 1)).collect();
    literals(package, variables, &digits)
}

fn literals<P: Peak>(
    package: &mut P,
    variables: &[P::Set],
    values: &[(usize, bool)],
) -> Result<P::Set, Stop> {
    let mut all = package.constant(true);
    for &(bit, value) in values.iter().rev() {
        let literal = if value { variables[bit].clone() } else { package.not(&variables[bit]) };
        all = package.and(&all, &literal)?;
    }
    Ok(all)
}

/// Philosophers who take the left fork, then the right one, and lay down both. Three bits each: the left
/// fork is taken, it is in hand, both are in hand.
pub fn philosophers<P: Peak>(n: usize) -> Result<Done, Stop> {
    let mut machine = Machine::<P>::new(3 * n)?;
    let start = add_philosophers(&mut machine, n)?;
    machine.reach(start)
}

pub fn add_philosophers<P: Peak>(machine: &mut Machine<P>, n: usize) -> Result<P::Set, Stop> {
    for seat in 0..n {
        let [left, has_left, eats] = [0, 1, 2].map(|bit| seat * 3 + bit);
        let right = (seat + 1) % n * 3;
        machine.add_rule(
            &[(left, false), (has_left, false), (eats, false)],
            &[(left, true), (has_left, true)],
        )?;
        machine.add_rule(
            &[(right, false), (has_left, true), (eats, false)],
            &[(right, true), (has_left, false), (eats, true)],
        )?;
        machine.add_rule(&[(eats, true)], &[(left, false), (right, false), (eats, false)])?;
    }
    let nothing: Vec<_> = (0..3 * n).map(|bit| (bit, false)).collect();
    literals(&mut machine.package, &machine.current, &nothing)
}

/// Milner's scheduler: cells in a ring pass a token on, and each starts a task that ends in its own time.
pub fn scheduler<P: Peak>(n: usize) -> Result<Done, Stop> {
    let mut machine = Machine::<P>::new(3 * n)?;
    for cell in 0..n {
        let [token, passes, works] = [0, 1, 2].map(|bit| cell * 3 + bit);
        let next = (cell + 1) % n * 3;
        machine.add_rule(
            &[(token, true), (works, false)],
            &[(token, false), (passes, true), (works, true)],
        )?;
        machine.add_rule(&[(passes, true)], &[(passes, false), (next, true)])?;
        machine.add_rule(&[(works, true)], &[(works, false)])?;
    }
    let first: Vec<_> = (0..3 * n).map(|bit| (bit, bit == 0)).collect();
    let start = literals(&mut machine.package, &machine.current, &first)?;
    machine.reach(start)
}

/// Counters that share no bit, each of which counts only while the one before it is at its end.
pub fn counters<P: Peak>((count, bits): (usize, usize)) -> Result<Done, Stop> {
    let mut machine = Machine::<P>::new(count * bits)?;
    for counter in 0..count {
        let of = |counter: usize| (counter * bits..(counter + 1) * bits).collect::<Vec<usize>>();
        for value in 0..1 << bits {
            let mut step =
                encoded(&mut machine.current, &mut machine.package, &of(counter), value)?;
            if counter > 0 {
                let (before, top) = (of(counter - 1), (1 << bits) - 1);
                let ended = encoded(&mut machine.current, &mut machine.package, &before, top)?;
                step = machine.package.and(&step, &ended)?;
            }
            let after = (value + 1) % (1 << bits);
            let then = encoded(&mut machine.next, &mut machine.package, &of(counter), after)?;
            step = machine.package.and(&step, &then)?;
            machine.add_step(step, &of(counter))?;
        }
    }
    let zeros: Vec<_> = (0..count * bits).map(|bit| (bit, false)).collect();
    let start = literals(&mut machine.package, &machine.current, &zeros)?;
    machine.reach(start)
}
