//! Ways of the abstraction that are none of the program, and what shows that.
//!
//! Both players follow their strategies past all that is in doubt. If no run of the program takes the steps of that play, what
//! is known in between of why it cannot is worth knowing there: interpolants of the steps, each over variables of
//! its own.

use crate::learn::{PredicateOrigin, Wanted};
use crate::region::{Region, Subject};
use crate::views::Views;
use smt::{
    Embedded, Excess, Formula, IntegerValue, Relation, SatAnswer, Solver, Term, Variable, minimise,
};
use transition::integers::IntegerStep;

/// Longer ways are not looked at.
const LONGEST: usize = 60;

/// What goes more often to the same place follows a loop.
const MOST_VISITS: usize = 3;

/// States of a region, each with the step to the next.
pub(crate) struct Way {
    states: Vec<u32>,
    steps: Vec<u32>,
}

impl Way {
    /// The way through some states, if it has a step.
    pub fn through(region: &Region, states: &[u32]) -> Option<Self> {
        let states = states[..states.len().min(LONGEST)].to_vec();
        let step = |pair: &[u32]| {
            let arrows = region.arrows[pair[0] as usize].iter();
            arrows.into_iter().find(|arrow| arrow.targets.contains(&pair[1])).map(|a| a.step)
        };
        let steps: Option<Vec<u32>> = states.windows(2).map(step).collect();
        Some(Self { states, steps: steps? }).filter(|way| !way.steps.is_empty())
    }

    /// Whether what contradicts itself comes to a place again and again: then there is a loop, and a longer way for every one that is
    /// excluded.
    fn goes_round(&self, region: &Region, sequence: &[Formula]) -> bool {
        let is_used = |part: &Formula| *part != Formula::Constant(true);
        let first = sequence.iter().position(is_used).unwrap_or(0);
        let last = sequence.iter().rposition(is_used).map_or(0, |last| last + 1);
        let states = self.states.get(first..last).unwrap_or_default();
        let mut places: Vec<u32> =
            states.iter().map(|&state| region.states[state as usize].place).collect();
        places.sort_unstable();
        places.chunk_by(|a, b| a == b).any(|same| same.len() > MOST_VISITS)
    }
}

/// What is known of a way besides its states.
#[derive(Clone, Copy)]
pub(crate) struct Given<'f> {
    /// Where it begins.
    pub first: &'f Formula,
    /// Everywhere.
    pub always: &'f Formula,
}

/// PredicateOrigin a way is none of the program: what to know at its places.
pub(crate) fn no_way(
    subject: &Subject,
    views: &Views,
    region: &Region,
    way: &Way,
    given: Given,
    solver: &mut dyn Solver,
) -> Vec<Wanted> {
    let Ok(told) = Told::new(subject, views, region, way, given) else { return Vec::new() };
    let Some((sequence, steps)) = told.contradiction(way, solver) else { return Vec::new() };
    if way.goes_round(region, &sequence) {
        return Vec::new();
    }
    let between = solver.interpolate(&sequence).or_else(|| Embedded::new().interpolate(&sequence));
    let mut wanted = Vec::new();
    for (index, formula) in between.unwrap_or_default().iter().enumerate() {
        let place = region.states[way.states[index + 1] as usize].place;
        let Some(formula) = told.names[index + 1].restored(formula) else { continue };
        if !matches!(formula, Formula::Constant(_)) {
            let next = way.steps.get(index + 1).copied();
            let why = PredicateOrigin::NoWay { steps: steps.clone(), next };
            wanted.push(Wanted { place, formulas: vec![formula], why });
        }
    }
    wanted
}

/// The variables that stand for those of the program somewhere on a way.
#[derive(Clone)]
struct Names(Vec<Variable>);

impl Names {
    fn of(&self, formula: &Formula) -> Result<Formula, Excess> {
        formula.substitute(&|variable| self.0.get(variable.0 as usize).map(|&v| Term::variable(v)))
    }

    /// The formula in the variables of the program, if it speaks of no others.
    fn restored(&self, formula: &Formula) -> Option<Formula> {
        let place = |variable| self.0.iter().position(|&own| own == variable);
        let is_known = formula.variables().into_iter().all(|variable| place(variable).is_some());
        let own = |variable| place(variable).map(|v| Term::variable(Variable(v as u32)));
        is_known.then(|| formula.substitute(&own).ok()).flatten()
    }
}

/// A way in formulas: each with the number of the state that it speaks of, or that the step begins in.
struct Told {
    parts: Vec<(usize, Formula)>,
    names: Vec<Names>,
    next: u32,
}

impl Told {
    fn new(
        subject: &Subject,
        views: &Views,
        region: &Region,
        way: &Way,
        given: Given,
    ) -> Result<Self, Excess> {
        let own = views.variables();
        let first = Names((0..own).map(Variable).collect());
        // Behind the variables of the program are those for what may become anything.
        let mut told = Self { parts: Vec::new(), names: vec![first], next: 2 * own };
        told.parts.push((0, given.first.clone()));
        for (index, &step) in way.steps.iter().enumerate() {
            told.add_step(index, &subject.moves[step as usize])?;
        }
        // What should rather be kept stands at the front.
        for (index, &state) in way.states.iter().enumerate().rev() {
            let state = region.states[state as usize];
            let known = views.literals(state.place, state.bits);
            for literal in known.iter().rev().chain([given.always]) {
                told.parts.push((index, told.names[index].of(literal)?));
            }
        }
        Ok(told)
    }

    fn fresh(&mut self) -> Variable {
        self.next += 1;
        Variable(self.next - 1)
    }

    fn add_step(&mut self, index: usize, taken: &IntegerStep) -> Result<(), Excess> {
        let mut names = self.names[index].clone();
        let free: Vec<(Variable, Variable)> =
            taken.free.iter().map(|&free| (free, self.fresh())).collect();
        let here = self.names[index].clone();
        let told = |formula: &Formula| {
            let known = |v: Variable| here.0.get(v.0 as usize).copied();
            let chosen = |v: Variable| free.iter().find(|own| own.0 == v).map(|own| own.1);
            formula.substitute(&|v| known(v).or_else(|| chosen(v)).map(Term::variable))
        };
        self.parts.push((index, told(&taken.guard)?));
        for variable in taken.changed() {
            let new = self.fresh();
            names.0[variable.0 as usize] = new;
            let value = taken.value(&Term::variable(variable))?;
            let is = value.compared(Relation::Equal, &IntegerValue::from(Term::variable(new)))?;
            self.parts.push((index, told(&is)?));
        }
        self.names.push(names);
        Ok(())
    }

    /// What of each state and step contradicts each other, if that is so, and the steps among it.
    fn contradiction(
        &self,
        way: &Way,
        solver: &mut dyn Solver,
    ) -> Option<(Vec<Formula>, Vec<u32>)> {
        let parts: Vec<Formula> = self.parts.iter().map(|part| part.1.clone()).collect();
        let SatAnswer::Unsat(core) = solver.check(&parts) else { return None };
        let core = minimise(solver, &parts, core);
        let of = |index: usize| {
            let own = core.iter().filter(|&&part| self.parts[part].0 == index);
            Formula::and(own.map(|&part| parts[part].clone()))
        };
        let sequence = (0..way.states.len()).map(of).collect();
        let is_used = |index: &usize| core.iter().any(|&part| self.parts[part].0 == *index);
        let used = (0..way.steps.len()).filter(is_used);
        Some((sequence, used.map(|index| way.steps[index]).collect()))
    }
}
