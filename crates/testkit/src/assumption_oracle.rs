//! Paper A by its definitions, over sets of explicit triples: slow, and meant to be seen to be right.
//!
//! All LTSs of the paper share one alphabet. Here its letters are the rules, the joint steps of the
//! system: a component idles on the rules in which it takes no part, and the property on those whose
//! result it does not declare.
//!
//! Classes are numbered in the order of their first states.

use model::{ActionId, PartialModel, Rule, System, TAU};
use std::collections::{BTreeMap, BTreeSet};

/// The states of all components but N, in their order.
type Others = Vec<u32>;
/// A state of M‖P̄ other than π.
type Pair = (Others, u32);
/// A state of M‖N‖P̄ other than π.
type Triple = (Others, u32, u32);

/// Whether M‖N violates P, where N is the component numbered `process`; with a quotient, which gives
/// the class of each state of N, whether M‖(N/≈) does (A §2).
pub fn violates(
    system: &System,
    process: usize,
    safety: &PartialModel,
    quotient: Option<&[u32]>,
) -> bool {
    Oracle::new(system, process, safety, quotient).explore().1
}

/// Whether some run of the system is none of P, which may be nondeterministic: by the sets of states that P may be in.
pub fn escapes(system: &System, safety: &PartialModel) -> bool {
    let oracle = Oracle::new(system, 0, safety, None);
    let init: BTreeSet<u32> = safety.init().iter().copied().collect();
    let others: BTreeSet<Others> = oracle.initial_pairs().into_iter().map(|(m, _)| m).collect();
    let starts = others.iter().flat_map(|m| oracle.process.init.iter().map(move |&n| (m, n)));
    let starts: Vec<_> = starts.map(|(m, n)| (m.clone(), n, init.clone())).collect();
    let mut escaped = false;
    closure(starts, |(m, n, set)| {
        let mut after = BTreeSet::new();
        for (rule, seen) in oracle.rules.iter().zip(&oracle.seen) {
            let (others, own) = (oracle.after_others(m, rule), oracle.after_process(*n, rule));
            let next: BTreeSet<u32> = match seen {
                None => set.clone(),
                Some(action) => {
                    let edges = set.iter().flat_map(|&p| safety.edges().out(p));
                    let made = edges.filter(|(_, by)| by.action == Some(*action));
                    made.map(|(target, _)| target).collect()
                }
            };
            let ends = pairs(&others, &own, |m, &n| (m.clone(), n, next.clone()));
            escaped |= next.is_empty() && !ends.is_empty();
            after.extend(ends.into_iter().filter(|_| !next.is_empty()));
        }
        after
    });
    escaped
}

/// ∼_F (A §3): states that are reached together with the same states of M and P.
pub fn forward_classes(system: &System, process: usize, safety: &PartialModel) -> Vec<u32> {
    let oracle = Oracle::new(system, process, safety, None);
    let (reached, _) = oracle.explore();
    oracle.classes_by(&reached)
}

/// ∼_B (A §4) on N, or on its quotient, by the classes that it has there: states from which π can be
/// reached together with the same states of M‖P̄. One class for each class of the quotient.
pub fn backward_classes(
    system: &System,
    process: usize,
    safety: &PartialModel,
    quotient: Option<&[u32]>,
) -> Vec<u32> {
    let oracle = Oracle::new(system, process, safety, quotient);
    oracle.classes_by(&oracle.lead_to_error())
}

/// ∼ = ∼_B ∘ ∼_F (A §4): the classes of the assumption, one for each state of N.
pub fn assumption_classes(system: &System, process: usize, safety: &PartialModel) -> Vec<u32> {
    let forward = forward_classes(system, process, safety);
    let backward = backward_classes(system, process, safety, Some(&forward));
    forward.iter().map(|&class| backward[class as usize]).collect()
}

/// N/≈ (A §2).
struct Process {
    states: u32,
    init: BTreeSet<u32>,
    edges: BTreeSet<(u32, ActionId, u32)>,
}

impl Process {
    fn new(model: &PartialModel, quotient: Option<&[u32]>) -> Self {
        let class = |state: u32| quotient.map_or(state, |classes| classes[state as usize]);
        let states = model.states() as u32;
        let edges = (0..states).flat_map(|state| {
            let labelled = model.edges().out(state).filter_map(|(to, by)| Some((by.action?, to)));
            labelled.map(move |(action, target)| (class(state), action, class(target)))
        });
        Self {
            states: (0..states).map(|state| class(state) + 1).max().unwrap_or(0),
            init: model.init().iter().map(|&state| class(state)).collect(),
            edges: edges.collect(),
        }
    }

    fn after(&self, state: u32, action: ActionId) -> Vec<u32> {
        let edges = self.edges.range((state, action, 0)..=(state, action, u32::MAX));
        edges.map(|&(.., target)| target).collect()
    }
}

struct Oracle<'a> {
    system: &'a System,
    /// The component that N is.
    number: usize,
    process: Process,
    safety: &'a PartialModel,
    rules: Vec<Rule>,
    /// By rule: the action of the property that its result is, if the property sees it.
    seen: Vec<Option<ActionId>>,
}

impl<'a> Oracle<'a> {
    fn new(
        system: &'a System,
        number: usize,
        safety: &'a PartialModel,
        quotient: Option<&[u32]>,
    ) -> Self {
        let (rules, shown) = system.rules();
        let seen = |rule: &Rule| {
            let name = shown.name(rule.result);
            safety.actions().get(name).filter(|_| name != TAU)
        };
        Self {
            seen: rules.iter().map(seen).collect(),
            process: Process::new(&system.components[number].model, quotient),
            system,
            number,
            safety,
            rules,
        }
    }

    /// The numbers of the components of M.
    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.system.components.len()).filter(|&component| component != self.number)
    }

    /// Where M can go by a rule.
    fn after_others(&self, m: &Others, rule: &Rule) -> Vec<Others> {
        let mut after = vec![Vec::new()];
        for (place, component) in self.others().enumerate() {
            let part = rule.parts.iter().find(|(taking, _)| *taking == component);
            let targets: Vec<u32> = match part {
                None => vec![m[place]],
                Some(&(_, action)) => {
                    let edges = self.system.components[component].model.edges();
                    let made = edges.out(m[place]).filter(|(_, by)| by.action == Some(action));
                    made.map(|(target, _)| target).collect()
                }
            };
            after = pairs(&after, &targets, longer);
        }
        after
    }

    /// Where N can go by a rule.
    fn after_process(&self, n: u32, rule: &Rule) -> Vec<u32> {
        match rule.parts.iter().find(|(taking, _)| *taking == self.number) {
            None => vec![n],
            Some(&(_, action)) => self.process.after(n, action),
        }
    }

    /// Where P goes by a rule; `None` is π.
    fn after_safety(&self, p: u32, rule: usize) -> Option<u32> {
        match self.seen[rule] {
            None => Some(p),
            Some(action) => {
                let mut edges = self.safety.edges().out(p);
                edges.find(|(_, by)| by.action == Some(action)).map(|(target, _)| target)
            }
        }
    }

    /// The successors of a triple in M‖N‖P̄; `None` is π.
    fn after(&self, (m, n, p): &Triple) -> BTreeSet<Option<Triple>> {
        let mut after = BTreeSet::new();
        for (number, rule) in self.rules.iter().enumerate() {
            let p = self.after_safety(*p, number);
            let (others, own) = (self.after_others(m, rule), self.after_process(*n, rule));
            after.extend(pairs(&others, &own, |m, &n| p.map(|p| (m.clone(), n, p))));
        }
        after
    }

    /// The successors of a pair in M‖P̄ except π.
    fn after_pair(&self, (m, p): &Pair) -> BTreeSet<Pair> {
        let mut after = BTreeSet::new();
        for (number, rule) in self.rules.iter().enumerate() {
            if let Some(p) = self.after_safety(*p, number) {
                after.extend(self.after_others(m, rule).into_iter().map(|m| (m, p)));
            }
        }
        after
    }

    fn initial_pairs(&self) -> BTreeSet<Pair> {
        let mut tuples = vec![Vec::new()];
        for component in self.others() {
            let init = self.system.components[component].model.init();
            tuples = pairs(&tuples, init, longer);
        }
        let init = self.safety.init();
        tuples.iter().flat_map(|m| init.iter().map(|&p| (m.clone(), p))).collect()
    }

    /// The triples that can be reached, and whether π can.
    fn explore(&self) -> (BTreeSet<Triple>, bool) {
        let init: Vec<Pair> = self.initial_pairs().into_iter().collect();
        let states: Vec<u32> = self.process.init.iter().copied().collect();
        let init = pairs(&init, &states, |(m, p), &n| (m.clone(), n, *p));
        let mut reaches_error = false;
        let reached = closure(init, |triple| {
            let after = self.after(triple);
            reaches_error |= after.contains(&None);
            after.into_iter().flatten().collect()
        });
        (reached, reaches_error)
    }

    /// The triples from which π can be reached, of all states of N with all reachable ones of M‖P̄.
    fn lead_to_error(&self) -> BTreeSet<Triple> {
        let reachable = closure(self.initial_pairs(), |pair| self.after_pair(pair));
        let reachable: Vec<Pair> = reachable.into_iter().collect();
        let states: Vec<u32> = (0..self.process.states).collect();
        let triples = pairs(&reachable, &states, |(m, p), &n| (m.clone(), n, *p));
        let mut before: BTreeMap<Option<Triple>, BTreeSet<Triple>> = BTreeMap::new();
        for triple in triples {
            for next in self.after(&triple) {
                before.entry(next).or_default().insert(triple.clone());
            }
        }
        let to = |next: Option<Triple>| before.get(&next).cloned().unwrap_or_default();
        closure(to(None), |triple| to(Some(triple.clone())))
    }

    /// States of N are of one class if they stand beside the same pairs.
    fn classes_by(&self, triples: &BTreeSet<Triple>) -> Vec<u32> {
        let mut beside = vec![BTreeSet::new(); self.process.states as usize];
        for (m, n, p) in triples {
            beside[*n as usize].insert((m, *p));
        }
        let mut numbers = BTreeMap::new();
        beside
            .iter()
            .map(|pairs| {
                let new = numbers.len() as u32;
                *numbers.entry(pairs).or_insert(new)
            })
            .collect()
    }
}

fn pairs<A, B, C>(left: &[A], right: &[B], pair: impl Fn(&A, &B) -> C) -> Vec<C> {
    left.iter().flat_map(|a| right.iter().map(|b| pair(a, b)).collect::<Vec<_>>()).collect()
}

fn longer(tuple: &Others, state: &u32) -> Others {
    tuple.iter().chain([state]).copied().collect()
}

/// All that can be reached from some.
fn closure<S: Ord + Clone>(
    from: impl IntoIterator<Item = S>,
    mut after: impl FnMut(&S) -> BTreeSet<S>,
) -> BTreeSet<S> {
    let mut open: Vec<S> = from.into_iter().collect();
    let mut found: BTreeSet<S> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for next in after(&state) {
            if found.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assumptions::assumption_question;
    use crate::failure::for_seeds;
    use model::{Component, Kind, Mode, ModelBuilder, Sync};
    use std::cell::Cell;

    /// An LTS from its edges, such as `"0 a 1, 1 b 1"`; it starts in 0. Actions without edges stand alone.
    fn lts(states: u32, text: &str) -> PartialModel {
        let mut builder = ModelBuilder::new(Kind::Lts, "M");
        (0..states).for_each(|state| _ = builder.state(state.to_string()));
        builder.init(0);
        for part in text.split(", ") {
            match *part.split(' ').collect::<Vec<_>>() {
                [source, action, target] => {
                    let action = builder.action(action);
                    let number = |text: &str| text.parse().expect("a state");
                    builder.edge(number(source), Some(action), Mode::BOTH, number(target));
                }
                [action] => _ = builder.action(action),
                _ => panic!("`{part}`"),
            }
        }
        builder.finish()
    }

    fn system(models: impl IntoIterator<Item = PartialModel>, hidden: &[&str]) -> System {
        let components = models.into_iter().map(|model| Component { model, is_unknown: false });
        let hidden = hidden.iter().map(|&name| name.to_owned()).collect();
        System { components: components.collect(), sync: Sync { vectors: Vec::new(), hidden } }
    }

    #[test]
    fn an_error_that_takes_both() {
        let others = lts(2, "0 a 1, 1 b 1");
        let process = lts(5, "0 a 1, 1 b 2, 4 b 4");
        let (system, safety) = (system([others, process], &[]), lts(1, "b"));
        assert!(violates(&system, 1, &safety, None));
        // State 2 is reached with the error only.
        let forward = forward_classes(&system, 1, &safety);
        assert_eq!(forward, [0, 1, 2, 2, 2]);
        // By the first component waiting for `a`; by the one that can do `b`, twice.
        assert_eq!(backward_classes(&system, 1, &safety, Some(&forward)), [0, 1, 1]);
        assert_eq!(backward_classes(&system, 1, &safety, None), [0, 1, 2, 2, 1]);
        assert_eq!(assumption_classes(&system, 1, &safety), [0, 1, 1, 1, 1]);
        assert!(violates(&system, 1, &safety, Some(&[0, 1, 1, 1, 1])));
    }

    #[test]
    fn a_quotient_can_do_what_its_states_can() {
        let others = lts(2, "0 a 1, 1 b 1");
        let process = lts(3, "0 a 1, 2 b 2");
        let (system, safety) = (system([others, process], &[]), lts(1, "b"));
        assert!(!violates(&system, 1, &safety, None));
        assert!(!violates(&system, 1, &safety, Some(&[0, 1, 2])));
        assert!(violates(&system, 1, &safety, Some(&[0, 1, 1])));
        // Neither 0 nor 1 leads to an error, whatever the other does.
        assert_eq!(assumption_classes(&system, 1, &safety), [0, 0, 1]);
    }

    #[test]
    fn what_is_hidden_or_not_declared_is_not_seen() {
        let models = || [lts(2, "0 a 1, 1 b 1"), lts(1, "0 c 0"), lts(2, "0 a 1, 1 b 0")];
        for (hidden, safety, expected) in [
            (vec![], "b", true),
            (vec!["b"], "b", false),
            (vec![], "0 a 0", false),
            (vec![], "0 c 0, 0 b 0", false),
            (vec![], "c", true),
            (vec![], "tau", false),
        ] {
            let system = system(models(), &hidden);
            for process in 0..3 {
                let found = violates(&system, process, &lts(1, safety), None);
                assert_eq!(found, expected, "{hidden:?} {safety} {process}");
            }
        }
    }

    #[test]
    fn only_what_others_can_reach_tells_states_apart() {
        let process = lts(3, "0 a 1, 0 a 2, 1 b 1");
        let safety = lts(1, "b");
        let apart = |others| {
            let system = system([others, process.clone()], &[]);
            backward_classes(&system, 1, &safety, None)
        };
        assert_eq!(apart(lts(2, "0 a 0, 1 b 1")), [0, 0, 0]);
        assert_eq!(apart(lts(2, "0 a 1, 1 b 1")), [0, 1, 2]);
    }

    #[test]
    fn every_initial_state_counts() {
        let mut builder = ModelBuilder::new(Kind::Lts, "N");
        let states = [0, 1].map(|state| builder.state(state.to_string()));
        states.into_iter().for_each(|state| builder.init(state));
        let b = builder.action("b");
        builder.edge(1, Some(b), Mode::BOTH, 0);
        let system = system([lts(1, "0 b 0"), builder.finish()], &[]);
        assert!(violates(&system, 1, &lts(1, "b"), None));
        assert_eq!(forward_classes(&system, 1, &lts(1, "b")), [0, 0]);
        assert_eq!(backward_classes(&system, 1, &lts(1, "b"), None), [0, 1]);
    }

    #[test]
    fn assumptions_keep_verdicts() {
        let turned = Cell::new(0);
        for_seeds("assumption-oracle", 0..300, |rng, case| {
            let question = assumption_question(rng);
            case.note(question.text());
            let (system, process, safety) = (&question.system, question.process, &question.safety);
            let verdict = violates(system, process, safety, None);
            let forward = forward_classes(system, process, safety);
            let both = assumption_classes(system, process, safety);
            for (name, classes) in [("forward", forward), ("both", both)] {
                if violates(system, process, safety, Some(&classes)) != verdict {
                    return Err(format!("{name}: {classes:?} turns {verdict}"));
                }
            }
            let one_class = vec![0; system.components[process].model.states()];
            turned.set(
                turned.get()
                    + u32::from(violates(system, process, safety, Some(&one_class)) != verdict),
            );
            Ok(())
        });
        // It is not that any quotient would do.
        assert!(turned.get() > 30, "{}", turned.get());
    }
}
