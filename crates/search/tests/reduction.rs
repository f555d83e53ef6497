//! Reduced systems against full ones, on random Promela programs: what is true in a state that can be reached, on a
//! run, and again and again on one.

use front::GivenQuestion;
use rustc_hash::FxHashMap;
use search::{ReducedSystem, Reductions, Successors, reachability};
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::{Case, Rng, SmvDocument, for_seeds, promela, read_promela_asking};
use transition::{InterleavedSteps, NodeId, StepError};

const MOST_STATES: usize = 20_000;

/// A state space: successors and, by proposition, where it holds.
struct Graph {
    successors: Vec<Vec<usize>>,
    holds: Vec<Vec<bool>>,
}

/// `None` if there are too many states.
fn graph(
    document: &SmvDocument,
    of: &InterleavedSteps,
    wanted: Reductions,
    nodes: &[NodeId],
) -> Option<Graph> {
    let (machine, monitor) = (&document.machine, Monitor::new());
    let slice = machine.cone(nodes.iter().copied());
    let mut system = ReducedSystem::new(machine, &slice, (of, wanted), nodes)?;
    let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    let mut rows: Vec<Vec<u64>> = Vec::new();
    let mut graph = Graph { successors: Vec::new(), holds: vec![Vec::new(); nodes.len()] };
    let mut number = |rows: &mut Vec<Vec<u64>>, row: &[u64]| {
        if rows.len() > MOST_STATES {
            return Err(StepError::TooMany(MOST_STATES));
        }
        Ok(*numbers.entry(row.to_vec()).or_insert_with(|| {
            rows.push(row.to_vec());
            rows.len() - 1
        }))
    };
    let explored = system.initial(&monitor, |row| number(&mut rows, row).map(|_| ()));
    let mut explored = explored.err();
    while explored.is_none() && graph.successors.len() < rows.len() {
        let row = rows[graph.successors.len()].clone();
        let mut targets = Vec::new();
        let visited = system.successors(&row, &monitor, |_, target| {
            targets.push(number(&mut rows, target)?);
            Ok(())
        });
        explored = visited.err();
        for (proposition, holds) in graph.holds.iter_mut().enumerate() {
            holds.push(system.holds(proposition, &row));
        }
        graph.successors.push(targets);
    }
    match explored {
        None => Some(graph),
        Some(StepError::TooMany(_)) => None,
        Some(error) => panic!("{error:?}"),
    }
}

impl Graph {
    fn len(&self) -> usize {
        self.successors.len()
    }

    fn all(&self, predicate: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.len()).map(predicate).collect()
    }

    /// The states from which one of `targets` is reached through states of `through`.
    fn until(&self, through: &[bool], targets: &[bool]) -> Vec<bool> {
        let mut found = targets.to_vec();
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for state in (0..self.len()).rev() {
                let leads = || self.successors[state].iter().any(|&target| found[target]);
                if !found[state] && through[state] && leads() {
                    found[state] = true;
                    has_changed = true;
                }
            }
        }
        found
    }

    /// The states of a path within `within` for ever.
    fn always(&self, within: &[bool]) -> Vec<bool> {
        let mut found = within.to_vec();
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for state in 0..self.len() {
                if found[state] && !self.successors[state].iter().any(|&target| found[target]) {
                    found[state] = false;
                    has_changed = true;
                }
            }
        }
        found
    }

    /// The states of a path that has `goal` again and again.
    fn again(&self, goal: &[bool]) -> Vec<bool> {
        let everywhere = vec![true; self.len()];
        let mut found = goal.to_vec();
        loop {
            let reach = self.until(&everywhere, &found);
            let next = self.all(|state| {
                found[state] && self.successors[state].iter().any(|&target| reach[target])
            });
            if next == found {
                return self.until(&everywhere, &found);
            }
            found = next;
        }
    }

    /// Which paths there are from the initial state, for two propositions: `EF p`, `EF EG !p`, `EGF p`, `E p U q` and
    /// so on, as one sees them who does not see hidden states.
    fn paths(&self, p: &[bool], q: &[bool], hidden: &[bool]) -> Vec<bool> {
        let everywhere = vec![true; self.len()];
        // Where a proposition has to hold, and where it has to hold if one sees the state.
        let [p_seen, not_p_seen, q_seen] = [(p, true), (p, false), (q, true)]
            .map(|(of, value)| self.all(|state| of[state] == value && !hidden[state]));
        let [p_if_seen, not_p_if_seen, not_q_if_seen] = [(p, true), (p, false), (q, false)]
            .map(|(of, value)| self.all(|state| of[state] == value || hidden[state]));
        let never_q = self.always(&not_q_if_seen);
        let found = [
            self.until(&everywhere, &p_seen),
            self.until(&everywhere, &not_p_seen),
            self.until(&everywhere, &self.always(&p_if_seen)),
            self.always(&p_if_seen),
            self.always(&not_p_if_seen),
            self.again(&p_seen),
            self.again(&not_p_seen),
            self.until(&p_if_seen, &q_seen),
            self.until(&not_p_if_seen, &q_seen),
            self.until(&everywhere, &self.all(|state| p_seen[state] && never_q[state])),
        ];
        found.iter().map(|holds| holds[0]).collect()
    }
}

/// A random condition on the state of a program.
fn condition(rng: &mut Rng, locals: &[String]) -> String {
    let shared = ["x", "y", "a[0]", "a[1]", "b", "len(c)", "len(m)"];
    let mut operand = || match rng.chance(0.5) {
        true => rng.pick(locals).clone(),
        false => (*rng.pick(&shared)).to_owned(),
    };
    let (one, other) = (operand(), operand());
    match rng.below(4) {
        0 => format!("({one} == {other})"),
        1 => format!("({one} == 1 && {other} == 0)"),
        2 => format!("({one} > {other})"),
        _ => format!("({one} == {})", rng.below(3)),
    }
}

const REDUCTIONS: [(&str, Reductions); 6] = [
    ("ample sets", Reductions { ample_sets: true, ..Reductions::NONE }),
    ("merging", Reductions { merging: true, ..Reductions::NONE }),
    ("dead variables", Reductions { dead_variables: true, ..Reductions::NONE }),
    ("all", Reductions::ALL),
    ("all, nothing exclusive seen", Reductions { sees_exclusive: false, ..Reductions::ALL }),
    ("all, searched", Reductions { is_searched: true, ..Reductions::ALL }),
];

fn compare(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let program = promela::program(rng);
    let text = if rng.chance(0.5) { &program.with_assertions } else { &program.without };
    case.note(text);
    let conditions = [condition(rng, &program.locals), condition(rng, &program.locals)];
    case.note(format!("{conditions:?}"));
    let builtin = ["invalid_end", "assertion_failed", "runtime_error"].map(str::to_owned);
    let question = |atom: &String| {
        let (logic, file) = (logic::Logic::Ctl, FileId(1));
        GivenQuestion { logic, file, text: format!("EF {atom}").into() }
    };
    let asked: Vec<_> = conditions.iter().chain(&builtin).map(question).collect();
    let text: Arc<str> = text.as_str().into();
    let Ok(document) = read_promela_asking(FileId(0), &text, &asked) else { return Ok(()) };
    let Some(of) = &document.interleaving else { return Ok(()) };
    let nodes: Vec<NodeId> = document.propositions.iter().map(|known| known.node).collect();
    // Without exclusive control nothing is passed.
    let no = InterleavedSteps { exclusive: None, ..of.clone() };
    let hidden = of.hidden.expect("a Promela program");
    for &node in &nodes {
        match check_run(&document, of, node) {
            Ok(()) | Err(StepError::Stopped(_)) => {}
            Err(error) => return Err(format!("{error:?}")),
        }
    }
    for chosen in std::iter::once(&nodes[..]).chain(nodes.chunks(1).take(2)) {
        let mut with_hidden = chosen.to_vec();
        with_hidden.push(hidden);
        let Some(full) = graph(&document, &no, Reductions::NONE, &with_hidden) else {
            return Ok(());
        };
        for (name, wanted) in REDUCTIONS {
            if wanted.sees_exclusive {
                with_hidden.truncate(chosen.len());
            } else {
                with_hidden.resize(chosen.len() + 1, hidden);
            }
            let Some(reduced) = graph(&document, of, wanted, &with_hidden) else {
                return Err(format!("{name}: more states than {}", full.len()));
            };
            println!("{name}: {} of {} states", reduced.len(), full.len());
            if reduced.len() > full.len() {
                return Err(format!("{name}: {} states, {} in full", reduced.len(), full.len()));
            }
            for p in 0..chosen.len() {
                let q = (p + 1) % chosen.len();
                let found = [&full, &reduced].map(|graph| {
                    let hidden = match wanted.sees_exclusive {
                        true => vec![false; graph.len()],
                        false => graph.holds[chosen.len()].clone(),
                    };
                    graph.paths(&graph.holds[p], &graph.holds[q], &hidden)
                });
                // Whether a state is found in which it holds comes first.
                let compared = if wanted.is_searched { 1 } else { found[0].len() };
                if found[0][..compared] != found[1][..compared] {
                    let named = &document.propositions;
                    return Err(format!("{name}, {named:?} {p} {q}: {found:?}"));
                }
            }
        }
    }
    Ok(())
}

/// The run behind a path to a state is one of the full system, and ends in such a state.
fn check_run(document: &SmvDocument, of: &InterleavedSteps, node: NodeId) -> Result<(), StepError> {
    let (machine, monitor) = (&document.machine, Monitor::new());
    let slice = machine.cone([node]);
    let wanted = Reductions { is_searched: true, ..Reductions::ALL };
    let Some(mut system) = ReducedSystem::new(machine, &slice, (of, wanted), &[node]) else {
        return Ok(());
    };
    let found = reachability(&mut system, 1, MOST_STATES as u64, &monitor)?;
    let Some(state) = found.found[0] else { return Ok(()) };
    let path = found.path(&mut system, state, &monitor)?;
    let rows: Vec<&[u64]> = path.iter().map(|&state| found.states.get(state)).collect();
    let run = system.run_behind(&rows, &monitor)?;
    let full = system.full();
    for pair in run.windows(2) {
        let mut is_step = false;
        full.successors(&pair[0], &monitor, |_, row| {
            is_step |= row == &pair[1][..];
            Ok(())
        })?;
        assert!(
            is_step,
            "{} -> {}",
            full.commands.describe(&pair[0]),
            full.commands.describe(&pair[1])
        );
    }
    let last = run.last().expect("a run has a state");
    full.successors(last, &monitor, |_, _| Ok(()))?;
    assert!(full.holds(0, last), "the run ends in {}", full.commands.describe(last));
    Ok(())
}

#[test]
fn reduced_systems_have_the_paths_of_full_ones() {
    for_seeds("reduction", 0..60, compare);
}

#[test]
#[ignore = "2,000 programs take minutes: cargo test --release -p tertium-search --test reduction -- --ignored"]
fn many_reduced_systems_have_the_paths_of_full_ones() {
    for_seeds("reduction", 60..2060, compare);
}
