//! Minimised models against the equivalences by definition: greatest relations, pair by pair.

use model::{Kind, Mode, ModelBuilder, PartialModel, ProcessEquivalence, TAU, minimise};
use std::collections::{BTreeSet, VecDeque};
use support::Monitor;
use testkit::{Rng, for_seeds};

const ACTIONS: [&str; 3] = [TAU, "a", "b"];
const SILENT: usize = 0;

/// Successors by state and action, and the initial state.
struct Graph {
    steps: Vec<[Vec<usize>; ACTIONS.len()]>,
    init: usize,
}

impl Graph {
    fn random(rng: &mut Rng) -> Self {
        let states = rng.between(1, 7);
        let mut steps = vec![[const { Vec::new() }; ACTIONS.len()]; states];
        for _ in 0..rng.below(2 * states + 2) {
            let action = if rng.chance(0.5) { SILENT } else { rng.between(1, 2) };
            let (source, target) = (rng.below(states), rng.below(states));
            steps[source][action].push(target);
        }
        Self { steps, init: rng.below(states) }
    }

    fn to_model(&self) -> PartialModel {
        let mut builder = ModelBuilder::new(Kind::Lts, "random");
        (0..self.steps.len()).for_each(|state| _ = builder.state(format!("s{state}")));
        for (source, actions) in self.steps.iter().enumerate() {
            for (action, targets) in actions.iter().enumerate() {
                for &target in targets {
                    let action = Some(builder.action(ACTIONS[action]));
                    builder.edge(source as u32, action, Mode::BOTH, target as u32);
                }
            }
        }
        builder.init(self.init as u32);
        builder.finish()
    }

    fn of(model: &PartialModel) -> Self {
        let mut steps = vec![[const { Vec::new() }; ACTIONS.len()]; model.states()];
        for (state, actions) in steps.iter_mut().enumerate() {
            for (target, class) in model.edges().out(state as u32) {
                let name = model.actions().name(class.action.expect("a model with actions"));
                let action = ACTIONS.iter().position(|known| *known == name).expect("an action");
                actions[action].push(target as usize);
            }
        }
        Self { steps, init: model.init()[0] as usize }
    }

    /// The states of both; the second initial state comes second.
    fn beside(&self, other: &Graph) -> (Graph, usize) {
        let shift = self.steps.len();
        let mut steps = self.steps.clone();
        for actions in &other.steps {
            let shifted = |targets: &Vec<usize>| targets.iter().map(|t| t + shift).collect();
            steps.push(std::array::from_fn(|action| shifted(&actions[action])));
        }
        (Graph { steps, init: self.init }, other.init + shift)
    }

    fn reachable(&self, from: usize, actions: &[usize]) -> BTreeSet<usize> {
        let (mut seen, mut open) = (BTreeSet::from([from]), VecDeque::from([from]));
        while let Some(state) = open.pop_front() {
            for &target in actions.iter().flat_map(|&action| &self.steps[state][action]) {
                if seen.insert(target) {
                    open.push_back(target);
                }
            }
        }
        seen
    }

    fn silently(&self, from: usize) -> BTreeSet<usize> {
        self.reachable(from, &[SILENT])
    }

    fn weakly(&self, from: usize, action: usize) -> BTreeSet<usize> {
        let before = self.silently(from);
        if action == SILENT {
            return before;
        }
        let after = before.iter().flat_map(|&state| &self.steps[state][action]);
        after.flat_map(|&state| self.silently(state)).collect()
    }

    /// The states on infinite silent paths from a state that stay in a set, which has the state.
    fn diverging(&self, from: usize, stays: &dyn Fn(usize) -> bool) -> BTreeSet<usize> {
        let mut on: BTreeSet<usize> = (0..self.steps.len()).filter(|&state| stays(state)).collect();
        loop {
            let goes_on = |state: &usize| self.steps[*state][SILENT].iter().any(|t| on.contains(t));
            let fewer: BTreeSet<usize> = on.iter().copied().filter(goes_on).collect();
            if fewer == on {
                break;
            }
            on = fewer;
        }
        if !on.contains(&from) {
            return BTreeSet::new();
        }
        let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(state) = open.pop() {
            for &target in self.steps[state][SILENT].iter().filter(|t| on.contains(t)) {
                if seen.insert(target) {
                    open.push(target);
                }
            }
        }
        seen
    }
}

type Relation = Vec<Vec<bool>>;

/// Whether `t` can do what `s` can do, up to the relation.
fn answers(
    graph: &Graph,
    equivalence: ProcessEquivalence,
    related: &Relation,
    s: usize,
    t: usize,
) -> bool {
    let is = |s: usize, t: usize| related[s][t];
    let steps = (0..ACTIONS.len()).flat_map(|a| graph.steps[s][a].iter().map(move |&to| (a, to)));
    let mut steps = steps.collect::<Vec<_>>().into_iter();
    match equivalence {
        ProcessEquivalence::Strong => {
            steps.all(|(a, to)| graph.steps[t][a].iter().any(|&other| is(to, other)))
        }
        ProcessEquivalence::Branching | ProcessEquivalence::DivergenceBranching => {
            let steps = steps.all(|(a, to)| {
                let later = || {
                    graph.silently(t).into_iter().any(|middle| {
                        is(s, middle) && graph.steps[middle][a].iter().any(|&last| is(to, last))
                    })
                };
                a == SILENT && is(to, t) || later()
            });
            let on = graph.diverging(s, &|state| is(state, t));
            let follows = || {
                let next = graph.steps[t][SILENT].iter();
                next.copied().any(|next| on.iter().any(|&state| is(state, next)))
            };
            steps && (equivalence == ProcessEquivalence::Branching || on.is_empty() || follows())
        }
        ProcessEquivalence::Weak | ProcessEquivalence::DivergenceWeak => {
            let steps =
                steps.all(|(a, to)| graph.weakly(t, a).into_iter().any(|last| is(to, last)));
            let diverges = |state| !graph.diverging(state, &|_| true).is_empty();
            steps && (equivalence == ProcessEquivalence::Weak || !diverges(s) || diverges(t))
        }
        ProcessEquivalence::Trace | ProcessEquivalence::WeakTrace => {
            unreachable!("not by relations")
        }
    }
}

/// The largest relation that is symmetric and keeps steps.
fn largest(graph: &Graph, equivalence: ProcessEquivalence) -> Relation {
    let states = graph.steps.len();
    let mut related = vec![vec![true; states]; states];
    loop {
        let mut next = related.clone();
        for s in 0..states {
            for t in 0..states {
                next[s][t] = related[s][t]
                    && answers(graph, equivalence, &related, s, t)
                    && answers(graph, equivalence, &related, t, s);
            }
        }
        if next == related {
            return related;
        }
        related = next;
    }
}

/// Whether two states have the same traces.
fn same_traces(graph: &Graph, is_weak: bool, s: usize, t: usize) -> bool {
    let close = |set: BTreeSet<usize>| -> BTreeSet<usize> {
        match is_weak {
            true => set.into_iter().flat_map(|state| graph.silently(state)).collect(),
            false => set,
        }
    };
    let start = (close(BTreeSet::from([s])), close(BTreeSet::from([t])));
    let (mut seen, mut open) = (BTreeSet::from([start.clone()]), vec![start]);
    while let Some((left, right)) = open.pop() {
        for action in usize::from(is_weak)..ACTIONS.len() {
            let after = |set: &BTreeSet<usize>| {
                close(set.iter().flat_map(|&state| graph.steps[state][action].clone()).collect())
            };
            let pair = (after(&left), after(&right));
            if pair.0.is_empty() != pair.1.is_empty() {
                return false;
            }
            if !pair.0.is_empty() && seen.insert(pair.clone()) {
                open.push(pair);
            }
        }
    }
    true
}

fn by_relation(
    graph: &Graph,
    small: &Graph,
    equivalence: ProcessEquivalence,
) -> Result<(), String> {
    let related = largest(graph, equivalence);
    let reached = graph.reachable(graph.init, &[0, 1, 2]);
    let is_first = |&&s: &&usize| reached.range(..s).all(|&before| !related[before][s]);
    let classes = reached.iter().filter(is_first).count();
    if classes != small.steps.len() {
        return Err(format!("{equivalence:?}: {classes} classes, {} states", small.steps.len()));
    }
    let (both, second) = graph.beside(small);
    match largest(&both, equivalence)[both.init][second] {
        true => Ok(()),
        false => Err(format!("{equivalence:?}: the smaller one is not equivalent")),
    }
}

fn by_traces(graph: &Graph, small: &Graph, is_weak: bool) -> Result<(), String> {
    let (both, second) = graph.beside(small);
    if !same_traces(&both, is_weak, both.init, second) {
        return Err(format!("weak {is_weak}: the smaller one has other traces"));
    }
    let states = 0..small.steps.len();
    let is_deterministic = |state: usize| {
        let own = &small.steps[state];
        own.iter().all(|targets| targets.len() <= 1) && (!is_weak || own[SILENT].is_empty())
    };
    if !states.clone().all(is_deterministic) {
        return Err(format!("weak {is_weak}: it is not deterministic"));
    }
    let mut pairs = states.clone().flat_map(|s| (0..s).map(move |t| (s, t)));
    match pairs.any(|(s, t)| same_traces(small, is_weak, s, t)) {
        true => Err(format!("weak {is_weak}: two states have the same traces")),
        false => Ok(()),
    }
}

#[test]
fn minimised_models_have_one_state_for_each_class() {
    for_seeds("minimise", 0..20_000, |rng, case| {
        let graph = Graph::random(rng);
        let model = graph.to_model();
        case.note(testkit::model_text(&model));
        for equivalence in ProcessEquivalence::ALL {
            let found = minimise(&model, equivalence, &Monitor::new()).expect("no limit");
            let small = Graph::of(&found);
            match equivalence {
                ProcessEquivalence::Trace => by_traces(&graph, &small, false)?,
                ProcessEquivalence::WeakTrace => by_traces(&graph, &small, true)?,
                _ => by_relation(&graph, &small, equivalence)?,
            }
        }
        Ok(())
    });
}
