//! The transition relation, disjunctively and conjunctively partitioned (Burch, Clarke and Long 1991): a union of
//! parts, each a conjunction.
//!
//! A part constrains the next values of some variables; the others keep theirs. Its conjuncts are clustered up to a
//! size, and a variable is quantified as soon as no later conjunct depends on it.

use bdd::{Bdd, BddVar, Cube, Manager, Renaming, Stop};
use logic::ActionSet;
use rustc_hash::FxHashMap;

/// Conjuncts are put together while the result has at most so many nodes.
const CLUSTER: usize = 4_000;

/// A bit that a part of a relation may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    pub now: BddVar,
    pub next: BddVar,
}

pub(crate) struct Relation {
    pub parts: Vec<Part>,
}

pub(crate) struct Part {
    clusters: Vec<Bdd>,
    forward: Schedule,
    backward: Schedule,
    pub to_next: Renaming,
    to_now: Renaming,
    /// Of what a modality can speak: in which steps of this part each condition holds.
    pub conditions: Conditions,
    /// Label of its steps, where steps are labelled.
    action: Option<String>,
}

/// By number of the condition.
pub(crate) type Conditions = Vec<Bdd>;

/// The steps of a modality.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Steps<'a> {
    All,
    /// Those of which this condition holds.
    Where(usize),
    /// Those that show one of these.
    By(&'a ActionSet),
}

/// In which order the clusters are taken, and what is quantified when.
struct Schedule {
    /// Variables that no cluster depends on.
    first: Cube,
    steps: Vec<(usize, Cube)>,
}

/// Constituents of a disjunct of the transition relation.
#[derive(Clone)]
pub(crate) struct Constituents {
    pub conjuncts: Vec<Bdd>,
    pub written: Vec<Written>,
    pub inputs: Vec<BddVar>,
    pub conditions: Conditions,
    pub action: Option<String>,
}

impl Part {
    pub fn new(constituents: Constituents, manager: &mut Manager) -> Result<Self, Stop> {
        let Constituents { conjuncts, written, inputs, conditions, action } = constituents;
        let clusters = clustered(conjuncts, manager)?;
        let now = written.iter().map(|bit| bit.now).chain(inputs.iter().copied());
        let forward = Schedule::new(&clusters, now.collect(), manager)?;
        let next = written.iter().map(|bit| bit.next).chain(inputs.iter().copied());
        let backward = Schedule::new(&clusters, next.collect(), manager)?;
        let pairs: Vec<(BddVar, BddVar)> = written.iter().map(|bit| (bit.now, bit.next)).collect();
        let back: Vec<(BddVar, BddVar)> = written.iter().map(|bit| (bit.next, bit.now)).collect();
        let (to_next, to_now) = (manager.renaming(&pairs), manager.renaming(&back));
        Ok(Self { clusters, forward, backward, to_next, to_now, conditions, action })
    }

    /// Where the steps of this part lead from here.
    pub fn image(&self, from: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        let there = self.forward.run(from, &self.clusters, manager)?;
        manager.rename(&there, self.to_now)
    }

    /// Pre-image: the states with a transition of `steps` in this part into `to`.
    pub fn pre_image(&self, to: &Bdd, steps: Steps, manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut there = manager.rename(to, self.to_next)?;
        match steps {
            Steps::All => {}
            Steps::Where(index) => there = manager.and(&there, &self.conditions[index])?,
            Steps::By(actions) if self.is_by(actions) => {}
            Steps::By(_) => return Ok(manager.constant(false)),
        }
        self.backward.run(&there, &self.clusters, manager)
    }

    fn is_by(&self, actions: &ActionSet) -> bool {
        actions.contains(self.action.as_deref().unwrap_or(""))
    }

    /// The steps of this part between two states, as valuations of the states and the inputs.
    pub fn between(
        &self,
        from: &Bdd,
        to: &Bdd,
        steps: Steps,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        let next = manager.rename(to, self.to_next)?;
        let mut both = manager.and(from, &next)?;
        if let Steps::Where(index) = steps {
            both = manager.and(&both, &self.conditions[index])?;
        }
        for cluster in &self.clusters {
            both = manager.and(&both, cluster)?;
        }
        Ok(both)
    }
}

impl Relation {
    /// Where steps lead from here.
    pub fn image(&self, from: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut all = manager.constant(false);
        for part in &self.parts {
            let some = part.image(from, manager)?;
            all = manager.or(&all, &some)?;
        }
        Ok(all)
    }

    /// Images by the transitions of `steps`, by part, with the labels of these.
    pub fn images<'r>(
        &'r self,
        from: &Bdd,
        steps: Steps,
        manager: &mut Manager,
    ) -> Result<Vec<(Option<&'r str>, Bdd)>, Stop> {
        let parts = self.parts.iter();
        let parts = parts.filter(|part| !matches!(steps, Steps::By(of) if !part.is_by(of)));
        parts
            .map(|part| {
                let from = match steps {
                    Steps::Where(index) => manager.and(from, &part.conditions[index])?,
                    Steps::All | Steps::By(_) => from.clone(),
                };
                Ok((part.action.as_deref(), part.image(&from, manager)?))
            })
            .collect()
    }

    /// Pre-image: the states of `among` with a transition of `steps` into `to`.
    pub fn pre_image(
        &self,
        to: &Bdd,
        steps: Steps,
        among: &Bdd,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        let mut all = manager.constant(false);
        for part in &self.parts {
            let some = part.pre_image(to, steps, manager)?;
            // Before the union: what does not count may be what makes it large.
            let some = manager.and(&some, among)?;
            all = manager.or(&all, &some)?;
            if all == *among {
                break;
            }
        }
        Ok(all)
    }

    /// Nodes of all its clusters.
    pub fn size(&self, manager: &Manager) -> usize {
        manager.size(self.parts.iter().flat_map(|part| &part.clusters))
    }

    pub fn clusters(&self) -> usize {
        self.parts.iter().map(|part| part.clusters.len()).sum()
    }
}

/// Conjuncts in clusters, and how variables are quantified from their conjunction with a set.
pub(crate) struct Stages {
    clusters: Vec<Bdd>,
    schedule: Schedule,
}

impl Stages {
    pub fn new(
        conjuncts: Vec<Bdd>,
        quantified: Vec<BddVar>,
        manager: &mut Manager,
    ) -> Result<Self, Stop> {
        let clusters = clustered(conjuncts, manager)?;
        let schedule = Schedule::new(&clusters, quantified, manager)?;
        Ok(Self { clusters, schedule })
    }

    pub fn run(&self, set: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        self.schedule.run(set, &self.clusters, manager)
    }
}

/// Conjunctions of neighbours that stay small.
fn clustered(conjuncts: Vec<Bdd>, manager: &mut Manager) -> Result<Vec<Bdd>, Stop> {
    let mut clusters: Vec<Bdd> = Vec::new();
    for conjunct in conjuncts.into_iter().filter(|conjunct| !conjunct.is_full()) {
        if let Some(last) = clusters.last()
            && manager.size([last, &conjunct]) <= CLUSTER
        {
            let both = manager.and(last, &conjunct)?;
            if manager.size([&both]) <= CLUSTER {
                clusters.pop();
                clusters.push(both);
                continue;
            }
        }
        clusters.push(conjunct);
    }
    Ok(clusters)
}

impl Schedule {
    /// Takes next the cluster after which the most can be quantified for the least that is new.
    fn new(clusters: &[Bdd], quantified: Vec<BddVar>, manager: &mut Manager) -> Result<Self, Stop> {
        let supports: Vec<Vec<BddVar>> = clusters.iter().map(|set| manager.support(set)).collect();
        let mut left: FxHashMap<BddVar, usize> = quantified.iter().map(|&var| (var, 0)).collect();
        for var in supports.iter().flatten() {
            if let Some(count) = left.get_mut(var) {
                *count += 1;
            }
        }
        let none = quantified.iter().copied().filter(|var| left[var] == 0);
        let first = manager.cube(none)?;
        let mut open: Vec<usize> = (0..clusters.len()).collect();
        let mut steps = Vec::new();
        while let Some(place) = best(&open, &supports, &left) {
            let index = open.remove(place);
            let mut done = Vec::new();
            for var in &supports[index] {
                if let Some(count) = left.get_mut(var) {
                    *count -= 1;
                    if *count == 0 {
                        done.push(*var);
                    }
                }
            }
            steps.push((index, manager.cube(done)?));
        }
        Ok(Self { first, steps })
    }

    fn run(&self, set: &Bdd, clusters: &[Bdd], manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut product = manager.exists(set, &self.first)?;
        for (index, cube) in &self.steps {
            if product.is_empty() {
                break;
            }
            product = manager.and_exists(&product, &clusters[*index], cube)?;
        }
        Ok(product)
    }
}

/// The place of the cluster to be taken next.
fn best(
    open: &[usize],
    supports: &[Vec<BddVar>],
    left: &FxHashMap<BddVar, usize>,
) -> Option<usize> {
    let benefit = |place: usize| {
        let support = &supports[open[place]];
        let freed = support.iter().filter(|var| left.get(var) == Some(&1)).count() as f64;
        let kept = support.len() as f64 - freed;
        // The first of equals, so that the order of the text decides.
        (freed + 1.0) / (kept + 1.0)
    };
    (0..open.len()).rev().max_by(|&a, &b| benefit(a).total_cmp(&benefit(b)))
}
