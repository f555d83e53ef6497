//! Invariants of locations and ranking functions: why a property holds on all runs.

use crate::cegar_loop::{AbstractEvidence, CegarAnswer};
use crate::concretise::ConcreteState;
use crate::ranking::is_multiple_of;
use crate::reachability::{AbstractState, ReachabilityGraph};
use smt::{LinearAtom, LinearFormula, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Inductive invariant, and the ranking functions of cycles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantProof {
    /// By location, rising.
    pub locations: Vec<InvariantAt>,
    pub ranking_functions: Vec<RankingFunction>,
}

/// Invariant of a location, true in all reachable states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantAt {
    pub location: u32,
    pub always: Vec<LinearFormula>,
    /// And one of these conjunctions, if there are several.
    pub cases: Vec<Vec<LinearFormula>>,
}

/// A ranking function: it decreases on cycles and is not negative there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankingFunction {
    pub term: Term,
    /// The locations on these cycles, rising.
    pub locations: Vec<u32>,
}

/// Invariant that an answer with evidence rests on: from the initial states, or from the last state of a run.
pub fn invariant_proof(
    answer: &CegarAnswer,
    from: Option<&ConcreteState>,
) -> Option<InvariantProof> {
    let shown = answer.evidence.as_ref()?;
    let first = match from {
        None => (0..shown.graph.initial.len() as u32).collect(),
        Some(ConcreteState { location, values, .. }) => {
            let state = answer.precision.state(*location, values)?;
            let number = shown.graph.states.iter().position(|other| *other == state)?;
            vec![number as u32]
        }
    };
    let mut states: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    let reached = reachable(&shown.graph, first);
    for &state in &reached {
        let AbstractState { location, bits } = shown.graph.states[state as usize];
        states.entry(location).or_default().push(bits);
    }
    let locations =
        states.into_iter().map(|(location, states)| held(answer, location, &states)).collect();
    Some(InvariantProof { locations, ranking_functions: ranking_functions(shown, &reached) })
}

fn reachable(graph: &ReachabilityGraph, first: Vec<u32>) -> BTreeSet<u32> {
    let mut seen: BTreeSet<u32> = first.iter().copied().collect();
    let mut open = first;
    while let Some(state) = open.pop() {
        for transition in &graph.transitions[state as usize] {
            open.extend(transition.targets.iter().filter(|&&target| seen.insert(target)));
        }
    }
    seen
}

fn held(answer: &CegarAnswer, location: u32, states: &[u64]) -> InvariantAt {
    let all = states.iter().fold(u64::MAX, |all, bits| all & bits);
    let none = states.iter().fold(u64::MAX, |none, bits| none & !bits);
    let literals = |bits: u64, is_wanted: &dyn Fn(usize) -> bool| {
        let all = answer.precision.literals(location, bits).into_iter().enumerate();
        let wanted: Vec<LinearFormula> =
            all.filter(|(n, _)| is_wanted(*n)).map(|(_, literal)| literal).collect();
        shortened(&wanted)
    };
    let is_same = |index: usize| (all | none) >> index & 1 == 1;
    let always = literals(all, &is_same);
    let cases = states.iter().map(|&bits| literals(bits, &|index| !is_same(index)));
    let open = (0..answer.precision.len(location)).filter(|&index| !is_same(index)).count();
    // A disjunction of all cases is no constraint.
    let is_everything = states.len().ilog2() as usize >= open;
    let cases = if is_everything { Vec::new() } else { cases.collect() };
    InvariantAt { location, always, cases }
}

fn ranking_functions(shown: &AbstractEvidence, reached: &BTreeSet<u32>) -> Vec<RankingFunction> {
    let mut found: BTreeMap<&Term, BTreeSet<u32>> = BTreeMap::new();
    for ranking in &shown.rankings {
        for basis in &ranking.bases {
            let own = found.entry(basis).or_default();
            for (state, number) in ranking.levels.iter().flat_map(|level| (0..).zip(level)) {
                let term = number.map(|number| &ranking.ranking_functions[number as usize]);
                let is_reached = reached.contains(&state);
                if is_reached && term.is_some_and(|term| is_multiple_of(term, basis)) {
                    own.insert(shown.graph.states[state as usize].location);
                }
            }
        }
    }
    let ranking_function = |(term, locations): (&Term, BTreeSet<u32>)| RankingFunction {
        term: term.clone(),
        locations: locations.into_iter().collect(),
    };
    found.retain(|_, locations| !locations.is_empty());
    found.into_iter().map(ranking_function).collect()
}

/// Equivalent conjunction without bounds that others imply, and with equations for pairs of bounds.
pub(crate) fn shortened(literals: &[LinearFormula]) -> Vec<LinearFormula> {
    let mut bounds: Vec<Term> = Vec::new();
    let mut others: Vec<LinearFormula> = Vec::new();
    for literal in literals {
        let bound = match literal {
            LinearFormula::Atom(atom) => match &**atom {
                LinearAtom::AtMost(term) => Some(term),
                _ => None,
            },
            _ => None,
        };
        let Some(term) = bound else {
            others.push(literal.clone());
            continue;
        };
        match bounds.iter_mut().find(|known| known.coefficients() == term.coefficients()) {
            Some(known) if known.offset() < term.offset() => *known = term.clone(),
            Some(_) => {}
            None => bounds.push(term.clone()),
        }
    }
    let is_met = |term: &Term| bounds.contains(&term.negated());
    let mut found: Vec<LinearFormula> = Vec::new();
    for term in &bounds {
        let literal =
            if is_met(term) { LinearFormula::zero(term) } else { LinearFormula::at_most(term) };
        if !found.contains(&literal) {
            found.push(literal);
        }
    }
    found.extend(others);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Variable;

    #[test]
    fn the_strictest_bounds_are_left() {
        let x = Term::variable(Variable(0));
        let at_most = |value: i64| LinearFormula::at_most(&x.plus_constant(-value).unwrap());
        let at_least = |value: i64| at_most(value - 1).negated();
        assert_eq!(shortened(&[at_most(5), at_most(3), at_least(0)]), [at_most(3), at_least(0)]);
        let three = LinearFormula::zero(&x.plus_constant(-3).unwrap());
        assert_eq!(shortened(&[at_most(3), at_least(3), at_least(1)]), [three]);
    }
}
