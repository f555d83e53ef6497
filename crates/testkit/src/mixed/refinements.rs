//! Concrete systems and which of them refine a partial model (X §2.2).

use super::partial::Partial;
use super::semantics::{Element, evaluate};
use super::space::{Set, Space, members, set_of};
use crate::rng::Rng;
use logic::{Formula, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel};

/// A BTS with its labelling: by state where it goes, by proposition where it is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Concrete {
    pub next: Vec<Set>,
    pub true_in: Vec<Set>,
}

impl Concrete {
    /// States with the same best approximation are alike more often than not: otherwise nothing would be
    /// known of any abstract state.
    pub fn random(rng: &mut Rng, space: &Space, props: usize) -> Concrete {
        let all: Vec<u32> = (0..space.concrete() as u32).collect();
        let density = *rng.pick(&[0.0, 1.0, 2.0]) / all.len() as f64;
        let mut concrete = Concrete { next: vec![0; all.len()], true_in: vec![0; props] };
        for atom in members(space.image()) {
            let common = if rng.chance(0.05) { Vec::new() } else { rng.some(&all, density + 0.2) };
            let labels: Vec<bool> = (0..props).map(|_| rng.chance(0.5)).collect();
            for &c in all.iter().filter(|&&c| space.alpha(c) == atom) {
                concrete.next[c as usize] = set_of(rng.some(&common, 0.5));
                for (column, &label) in concrete.true_in.iter_mut().zip(&labels) {
                    *column |= Set::from(label != rng.chance(0.15)) << c;
                }
            }
        }
        concrete
    }

    /// As a Kripke structure over the propositions of a model, beginning in these states.
    pub fn kripke(&self, props: &PartialModel, init: Set) -> PartialModel {
        let mut builder = ModelBuilder::new(Kind::Kripke, "C");
        let states: Vec<u32> =
            (0..self.next.len()).map(|c| builder.state(format!("c{c}"))).collect();
        members(init).for_each(|c| builder.init(c));
        for (&true_in, name) in self.true_in.iter().zip(props.props().names()) {
            let prop = builder.prop(name);
            members(true_in).for_each(|c| builder.label(c, prop, Truth::True));
        }
        for (&c, &next) in states.iter().zip(&self.next) {
            members(next).for_each(|target| builder.edge(c, None, Mode::BOTH, target));
        }
        builder.finish()
    }

    /// Where the formula holds.
    pub fn holds(&self, formula: &Formula) -> Set {
        let exact = |set| Element { under: set, over: set };
        let labels: Vec<Element> = self.true_in.iter().map(|&set| exact(set)).collect();
        let diamond = |e: Element| {
            let next = self.next.iter().enumerate().filter(|(_, next)| *next & e.under != 0);
            exact(next.fold(0, |set, (c, _)| set | 1 << c))
        };
        evaluate(self.next.len(), &labels, formula, diamond).under
    }

    /// M ⪯_ρ B and L_M ⪯_ρ L_B. For sets: s must go to Q if every concrete state goes into γ(Q).
    pub fn refines(&self, model: &Partial, space: &Space) -> bool {
        let pairs = |s| members(space.gamma(s)).map(move |c| (c as usize, s as usize));
        space.states().flat_map(pairs).all(|(c, s)| {
            model.allows_steps(s, self.next[c], space) && model.allows_labels(s, self.labels(c))
        })
    }

    /// The propositions that hold in a state.
    fn labels(&self, c: usize) -> Set {
        let columns = self.true_in.iter().enumerate();
        columns.fold(0, |set, (prop, column)| set | (column >> c & 1) << prop)
    }
}

impl Partial {
    /// X Def. 3 for one pair of ρ, where the concrete state goes to `next`. Must sets as in the paper
    /// that Def. 3 refers to: some step leads into γ(Q).
    fn allows_steps(&self, s: usize, next: Set, space: &Space) -> bool {
        let may = |c: u32| members(self.may[s]).any(|t| space.gamma(t) >> c & 1 == 1);
        let must =
            |set: &Set| members(next).any(|c| members(*set).any(|t| space.gamma(t) >> c & 1 == 1));
        members(next).all(may) && self.must[s].iter().all(must)
    }

    /// L_M(s) ⊆ L_B(c), where these propositions hold in c and no others.
    fn allows_labels(&self, s: usize, props: Set) -> bool {
        self.labels.iter().enumerate().all(|(prop, label)| {
            let holds = props >> prop & 1;
            label.under >> s & 1 <= holds && holds <= label.over >> s & 1
        })
    }
}

/// Every concrete system over so many states and propositions.
pub fn all_concrete(states: usize, props: usize) -> impl Iterator<Item = Concrete> {
    let (bits, row) = (states * (states + props), (1 << states) - 1);
    assert!(bits < Set::BITS as usize, "nobody can wait for so many systems");
    (0..1u64 << bits).map(move |code| {
        let rows = (0..states + props).map(|index| code >> (index * states) & row);
        let mut rows: Vec<Set> = rows.collect();
        let true_in = rows.split_off(states);
        Concrete { next: rows, true_in }
    })
}

/// ℂ\[M\]. What the definition asks it asks of one concrete state at a time, so all of them are the
/// product of the behaviours of each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refinements {
    props: usize,
    /// By concrete state: the sets that it can go to.
    steps: Vec<Vec<Set>>,
    /// By concrete state: the sets of propositions that can hold.
    labels: Vec<Vec<Set>>,
}

impl Refinements {
    pub fn new(model: &Partial, space: &Space) -> Refinements {
        let (states, props) = (space.concrete(), model.labels.len());
        let about = |c: usize| space.states().filter(move |&s| space.gamma(s) >> c & 1 == 1);
        let steps = |c| {
            let fits = |next: &Set| about(c).all(|s| model.allows_steps(s as usize, *next, space));
            (0..1 << states).filter(fits).collect()
        };
        let labels = |c| {
            let fits = |props: &Set| about(c).all(|s| model.allows_labels(s as usize, *props));
            (0..1 << props).filter(fits).collect()
        };
        Refinements {
            props,
            steps: (0..states).map(steps).collect(),
            labels: (0..states).map(labels).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.steps.iter().chain(&self.labels).any(Vec::is_empty)
    }

    /// How many there are.
    pub fn count(&self) -> u128 {
        let factors = self.steps.iter().chain(&self.labels);
        factors.fold(1, |product, ways| product.saturating_mul(ways.len() as u128))
    }

    /// Whether they are the same systems; reasons for having none are not compared.
    pub fn agree(&self, other: &Refinements) -> bool {
        self == other || (self.is_empty() && other.is_empty())
    }

    /// All of them, none twice.
    pub fn iter(&self) -> impl Iterator<Item = Concrete> {
        let choices: Vec<&Vec<Set>> = self.steps.iter().chain(&self.labels).collect();
        let count = if self.is_empty() { 0 } else { self.count() };
        (0..count).map(move |mut code| {
            let mut choose = |ways: &&Vec<Set>| {
                let digit = (code % ways.len() as u128) as usize;
                code /= ways.len() as u128;
                ways[digit]
            };
            self.system(choices.iter().map(&mut choose).collect())
        })
    }

    /// One of them; there are some.
    pub fn pick(&self, rng: &mut Rng) -> Concrete {
        let choices = self.steps.iter().chain(&self.labels).map(|ways| *rng.pick(ways));
        self.system(choices.collect())
    }

    /// From a choice of transitions for each state, then a labelling for each.
    fn system(&self, mut next: Vec<Set>) -> Concrete {
        let labels = next.split_off(self.steps.len());
        let column = |prop: usize| {
            labels.iter().enumerate().fold(0, |set, (c, own)| set | (own >> prop & 1) << c)
        };
        Concrete { next, true_in: (0..self.props).map(column).collect() }
    }
}
