//! Ranking functions for the cycles of an abstract model (Podelski and Rybalchenko, VMCAI 2004; cf. the lexicographic
//! ones of Alias, Darte, Feautrier and Gonnord, SAS 2010).
//!
//! A cycle of abstract states does not make a fixpoint unknown if a ranking function decreases in each iteration.
//! Ranking functions are synthesised level by level, on the steps between states in which the fixpoint is undetermined;
//! all other steps are of class 0. On each strongly connected part of what is left on level d, every state gets a term.
//! Steps in the part that may lead to a larger value are of class 2d; the best ranking functions have none. Steps that
//! surely lead to a smaller one, from one that is not negative, are of class 2d + 1. Both are left out on the next
//! level. The rest is of the last class. Take the steps that a path without end makes again and again, and let the
//! least of their classes be 2d + 1: they lie in one part on level d, none of them leads to a larger value there, and
//! one leads to a smaller one infinitely often, a contradiction. This is the premise of [`logic::Formula::ranked`].

use crate::precision::Precision;
use crate::ranking_template::{RankedComponent, RankingSynthesis};
use crate::reachability::ReachabilityGraph;
use crate::scc::{Edge, parts};
use crate::successors::Successors;
use logic::VarId;
use rustc_hash::FxHashMap;
use smt::{LinearFormula, Term};
use support::{Monitor, Stopped};

/// Classes of steps for a fixpoint, and what they rest on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    pub var: VarId,
    pub ranking_functions: Vec<Term>,
    /// The terms that they are made of, with other factors and constants.
    pub bases: Vec<Term>,
    /// The ranking function of each state on each level, if its component has one there.
    pub levels: Vec<Vec<Option<u32>>>,
    classes: FxHashMap<Edge, u8>,
}

/// Predicate at a location that would bound a ranking function of a cycle.
pub(crate) type BoundHint = (u32, LinearFormula);

/// More levels make games that take too long.
const MOST_LEVELS: usize = 4;

impl Ranking {
    /// How many classes there are.
    pub fn classes(&self) -> usize {
        2 * self.levels.len() + 1
    }

    /// The class of a step from a state, by the number of the transition there, to a target.
    pub fn class(&self, state: u32, transition: u32, target: u32) -> u8 {
        self.classes.get(&(state, transition, target)).copied().unwrap_or(0)
    }

    fn number(&mut self, term: Term) -> u32 {
        let known = self.ranking_functions.iter().position(|other| *other == term);
        let number = known.unwrap_or(self.ranking_functions.len());
        if known.is_none() {
            self.ranking_functions.push(term);
        }
        number as u32
    }

    /// Notes what was found for a part on a level.
    fn take(&mut self, ranked: RankedComponent, level: usize) {
        for basis in ranked.bases {
            if !self.bases.contains(&basis) {
                self.bases.push(basis);
            }
        }
        for (state, term) in ranked.terms {
            let number = self.number(term);
            self.levels[level][state as usize] = Some(number);
        }
        let first = 2 * level as u8;
        self.classes.extend(ranked.lowered.into_iter().map(|edge| (edge, first + 1)));
        self.classes.extend(ranked.raised.into_iter().map(|edge| (edge, first)));
    }
}

/// Synthesises ranking functions for the cycles of a graph on which a fixpoint is undetermined; `None` if no cycle has
/// one. For the others it returns the bounds that are missing.
pub(crate) fn rank(
    graph: &ReachabilityGraph,
    precision: &Precision,
    successors: &mut Successors,
    (var, undetermined): (VarId, &[bool]),
    monitor: &Monitor,
) -> Result<(Option<Ranking>, Vec<BoundHint>), Stopped> {
    let mut edges = edges_between(graph, undetermined);
    let kept = edges.clone();
    let (levels, classes) = (Vec::new(), FxHashMap::default());
    let (ranking_functions, bases) = (Vec::new(), Vec::new());
    let mut ranking = Ranking { var, ranking_functions, bases, levels, classes };
    let mut synthesis = RankingSynthesis { graph, precision, successors, hints: Vec::new() };
    for level in 0..MOST_LEVELS {
        ranking.levels.push(vec![None; graph.states.len()]);
        synthesis.hints.clear();
        for part in parts(graph.states.len(), &edges) {
            monitor.step(1)?;
            if let Some(ranked) = synthesis.rank(&part) {
                ranking.take(ranked, level);
            }
        }
        if ranking.levels[level].iter().all(Option::is_none) {
            ranking.levels.pop();
            break;
        }
        edges.retain(|edge| !ranking.classes.contains_key(edge));
    }
    let hints = synthesis.hints;
    if ranking.levels.is_empty() {
        return Ok((None, hints));
    }
    let last = ranking.classes() as u8 - 1;
    kept.into_iter().for_each(|edge| _ = ranking.classes.entry(edge).or_insert(last));
    Ok((Some(ranking), hints))
}

fn edges_between(graph: &ReachabilityGraph, states: &[bool]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (from, own) in (0..).zip(&graph.transitions).filter(|(from, _)| states[*from as usize]) {
        for (number, transition) in (0..).zip(own) {
            let targets = transition.targets.iter().filter(|&&to| states[to as usize]);
            edges.extend(targets.map(|&to| (from, number, to)));
        }
    }
    edges
}

/// Whether a term is a positive multiple of another one, but for a constant.
pub(crate) fn is_multiple_of(term: &Term, basis: &Term) -> bool {
    let [a, b] = [term, basis].map(Term::coefficients);
    let factor = match (a.first(), b.first()) {
        (Some(&(_, a)), Some(&(_, b))) if b != 0 && a % b == 0 && a / b > 0 => a / b,
        _ => return false,
    };
    basis.times(factor).is_ok_and(|times| times.coefficients() == a)
}
