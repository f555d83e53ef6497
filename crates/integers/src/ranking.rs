//! Why circles of an abstraction are left: what gets smaller on them and cannot do so for ever.
//!
//! A circle of states is no reason for doubt if a measure gets smaller each time around. Such measures are found level by
//! level. On each strongly connected part of the graph of steps one is looked for that no step in the part makes larger; the
//! steps that surely make it smaller, while it is not negative, are of class 2d + 1 on level d, and are left out on the next.
//! All other steps are of the last class. Take the steps that a path without end makes again and again, and let the least of
//! their classes be 2d + 1: they lie in one part on each level up to d, whose measure there none of them makes larger and
//! one makes smaller for ever, which cannot be. That is what [`logic::Formula::ranked`] asks for.

use crate::parts::{Edge, parts};
use crate::region::{Arrow, Region, State};
use crate::successors::Successors;
use crate::views::Views;
use arithmetic::{Atom, Excess, Formula, Relation, Term, Value};
use base::{Monitor, Stopped};
use predicates::lower::Move;
use rustc_hash::FxHashMap;

/// Classes of steps, and what they rest on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranking {
    pub measures: Vec<Term>,
    /// The measure of each state on each level, if its part has one there.
    pub levels: Vec<Vec<Option<u32>>>,
    /// The level of the steps that make a measure smaller: from a state by an arrow to a target, all by number.
    lowering: FxHashMap<(u32, u32, u32), u8>,
}

/// More levels make games that take too long.
const MOST_LEVELS: usize = 4;
/// More terms than these are not tried on one part.
const MOST_CANDIDATES: usize = 48;
/// Up to so many terms are also added to each other.
const MOST_ADDED: usize = 10;

impl Ranking {
    /// How many classes there are.
    pub fn classes(&self) -> usize {
        2 * self.levels.len() + 1
    }

    /// The class of a step.
    pub fn class(&self, state: u32, arrow: u32, target: u32) -> u8 {
        let last = self.classes() as u8 - 1;
        self.lowering.get(&(state, arrow, target)).map_or(last, |level| 2 * level + 1)
    }
}

/// Finds measures for the circles of a region.
pub(crate) fn rank(
    region: &Region,
    views: &Views,
    successors: &mut Successors,
    monitor: &Monitor,
) -> Result<Ranking, Stopped> {
    let mut ranker = Ranker { region, views, successors, ranking: Ranking::default() };
    let mut edges: Vec<Edge> = all_edges(region);
    for level in 0..MOST_LEVELS {
        let mut found = vec![None; region.states.len()];
        for part in parts(region.states.len(), &edges) {
            monitor.step(1)?;
            if let Some((measure, lowered)) = ranker.measure(&part) {
                let number = ranker.number(measure);
                part.iter().for_each(|&(from, _, _)| found[from as usize] = Some(number));
                let level = level as u8;
                ranker.ranking.lowering.extend(lowered.into_iter().map(|edge| (edge, level)));
            }
        }
        if found.iter().all(Option::is_none) {
            break;
        }
        ranker.ranking.levels.push(found);
        edges.retain(|edge| !ranker.ranking.lowering.contains_key(edge));
    }
    Ok(ranker.ranking)
}

fn all_edges(region: &Region) -> Vec<Edge> {
    let arrows = (0..).zip(&region.arrows);
    let each = arrows.flat_map(|(from, own)| (0..).zip(own).map(move |(n, arrow)| (from, n, arrow)));
    let edges = each.flat_map(|(from, n, arrow): (u32, u32, &Arrow)| {
        arrow.targets.iter().map(move |&to| (from, n, to))
    });
    edges.collect()
}

struct Ranker<'r, 's, 'a> {
    region: &'r Region,
    views: &'r Views,
    successors: &'s mut Successors<'a>,
    ranking: Ranking,
}

impl Ranker<'_, '_, '_> {
    fn number(&mut self, measure: Term) -> u32 {
        let measures = &mut self.ranking.measures;
        let known = measures.iter().position(|other| *other == measure);
        known.unwrap_or_else(|| {
            measures.push(measure);
            measures.len() - 1
        }) as u32
    }

    /// A measure for a part, with the edges that make it smaller: of those that are tried, the one with the most.
    fn measure(&mut self, part: &[Edge]) -> Option<(Term, Vec<Edge>)> {
        let single = self.candidates(part);
        self.best(&single, part).or_else(|| {
            let first = &single[..single.len().min(MOST_ADDED)];
            let sums = first.iter().enumerate().flat_map(|(n, a)| {
                first[..n].iter().filter_map(move |b| a.plus(b).ok())
            });
            self.best(&sums.collect::<Vec<_>>(), part)
        })
    }

    fn best(&mut self, candidates: &[Term], part: &[Edge]) -> Option<(Term, Vec<Edge>)> {
        let mut best: Option<(Term, Vec<Edge>)> = None;
        for candidate in candidates {
            let lowered = self.lowered(candidate, part).unwrap_or_default();
            if lowered.len() > best.as_ref().map_or(0, |(_, known)| known.len()) {
                best = Some((candidate.clone(), lowered));
            }
        }
        best
    }

    /// The edges that surely make a term smaller while it is not negative, if none can make it larger.
    fn lowered(&mut self, term: &Term, part: &[Edge]) -> Option<Vec<Edge>> {
        let moves = self.successors.moves;
        let taken = |edge: &Edge| &moves[self.region.arrows[edge.0 as usize][edge.1 as usize].step as usize];
        // What can be seen without asking anybody comes first.
        let changes: Vec<Option<i64>> = part.iter().map(|edge| change(term, taken(edge))).collect();
        let can_fall = changes.iter().any(|change| change.is_none_or(|by| by < 0));
        if !can_fall || changes.iter().any(|change| change.is_some_and(|by| by > 0)) {
            return None;
        }
        let mut lowered = Vec::new();
        for (&edge, change) in part.iter().zip(changes) {
            if change == Some(0) {
                continue;
            }
            let taken = taken(&edge);
            if change.is_none() && !self.surely(edge, &not_larger(term, taken).ok()?) {
                return None;
            }
            if self.surely(edge, &smaller(term, taken).ok()?) {
                lowered.push(edge);
            }
        }
        Some(lowered)
    }

    /// Whether something holds before a step whenever it leads to a target.
    fn surely(&mut self, (from, arrow, to): Edge, conclusion: &Formula) -> bool {
        let [source, target] = [from, to].map(|state| self.region.states[state as usize]);
        let State { place, bits } = source;
        if let Some(value) = self.views.value(place, (bits, self.views.len(place)), conclusion) {
            return value;
        }
        let moves = self.successors.moves;
        let taken = &moves[self.region.arrows[from as usize][arrow as usize].step as usize];
        let after = |(index, atom): (usize, &Atom)| {
            let after = taken.after(atom).ok()?;
            Some(if target.bits >> index & 1 == 1 { after } else { after.negated() })
        };
        let mut given = self.views.literals(place, bits);
        given.push(taken.guard.clone());
        given.extend(self.views.at(target.place).enumerate().filter_map(after));
        self.successors.implies(&given, conclusion)
    }

    /// What the atoms in a part say is not negative, in some state.
    fn candidates(&self, part: &[Edge]) -> Vec<Term> {
        let mut found: Vec<(usize, Term)> = Vec::new();
        let mut places: Vec<u32> =
            part.iter().map(|edge| self.region.states[edge.0 as usize].place).collect();
        places.sort_unstable();
        places.dedup();
        for atom in places.into_iter().flat_map(|place| self.views.at(place)) {
            let Atom::AtMost(term) = atom else { continue };
            for candidate in [Ok(term.negated()), term.plus_constant(-1)].into_iter().flatten() {
                match found.iter_mut().find(|(_, known)| *known == candidate) {
                    Some((count, _)) => *count += 1,
                    None => found.push((1, candidate)),
                }
            }
        }
        found.sort_by_key(|(count, _)| usize::MAX - count);
        found.truncate(MOST_CANDIDATES);
        found.into_iter().map(|(_, term)| term).collect()
    }
}

/// By how much a step changes a term, if that is always the same.
fn change(term: &Term, taken: &Move) -> Option<i64> {
    taken.value(term).ok()?.as_term()?.minus(term).ok()?.as_constant()
}

fn not_larger(term: &Term, taken: &Move) -> Result<Formula, Excess> {
    taken.value(term)?.compared(Relation::AtMost, &term.clone().into())
}

/// Where a step makes a term smaller, which is not negative before.
fn smaller(term: &Term, taken: &Move) -> Result<Formula, Excess> {
    let zero = Value::from(Term::constant(0)?);
    let before = Value::from(term.clone());
    let smaller = taken.value(term)?.compared(Relation::Less, &before)?;
    Ok(Formula::and([smaller, before.compared(Relation::AtLeast, &zero)?]))
}
