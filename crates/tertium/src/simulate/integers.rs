//! Walks through programs over unbounded integers, with concrete values. Values that a program may choose from
//! infinitely many are those that the user gives, else a few small ones.

use super::walk::{Coordinates, Given, Move, MoveQuery, SimulatedLocation, Visit, Walk, given_for};
use super::watch::{CompiledWatch, WatchedAtoms};
use crate::control_flow::explain::command_at;
use crate::error::Error;
use crate::integers::IntegerModel;
use crate::trace::{self, typed};
use front::{BackLocation, IntegerDomain, IntegerForm};
use logic::Truth;
use logic::evidence::{TraceState, TraceValue};
use rustc_hash::FxHashSet;
use smt::{Embedded, LinearFormula, SatAnswer, Solver, Term, Variable};
use std::ops::ControlFlow;
use std::sync::Arc;
use transition::VarId;
use transition::integers::{IntegerStep, Proposition};

/// The values that are tried where all integers are possible, besides the present one and its neighbours.
const SMALL: [i64; 5] = [0, 1, -1, 2, 10];
/// A range up to this size is tried in full.
const SMALL_RANGE: i64 = 16;
/// More combinations of values are not tried in one step.
const MOST_COMBINATIONS: usize = 1 << 12;
/// So many steps of the program are at most one step of the file.
const DEEPEST: usize = 8;

/// A state is its location and the values of the variables.
pub struct IntegerWalk {
    pub model: Arc<IntegerModel>,
}

/// Values of variables that are tried, and whether there are others.
struct Candidates {
    variable: Variable,
    values: Vec<i64>,
    is_sample: bool,
}

impl IntegerWalk {
    fn variables(&self) -> usize {
        self.model.document.program.variables.len()
    }

    /// The values to try for a variable; `now` is its present value.
    fn candidates(&self, own: usize, as_variable: Variable, now: i64, given: &Given) -> Candidates {
        let name = &self.model.document.program.variables[own];
        let is_meant = |known: &str| *name == known || *name == format!("next({known})");
        let wanted = given.iter().find(|(known, _)| is_meant(known));
        let wanted = wanted.and_then(|(_, value)| self.number(own, value));
        let (mut values, is_sample) = match &self.model.document.variables[own].domain {
            IntegerDomain::Bool => (vec![0, 1], false),
            IntegerDomain::Constants(all) => (all.iter().map(|one| one.0).collect(), false),
            IntegerDomain::Range(low, high) if high.saturating_sub(*low) < SMALL_RANGE => {
                ((*low..=*high).collect(), false)
            }
            domain => {
                let near = [now, now.saturating_add(1), now.saturating_sub(1)];
                let mut values: Vec<i64> = SMALL.into_iter().chain(near).collect();
                if let IntegerDomain::Range(low, high) = domain {
                    values.extend([*low, *high]);
                }
                values.sort_unstable();
                values.dedup();
                (values, true)
            }
        };
        values.extend(wanted.filter(|value| !values.contains(value)));
        Candidates { variable: as_variable, values, is_sample }
    }

    /// The number of a value that is given for a variable; `None` if that cannot have it.
    fn number(&self, own: usize, value: &TraceValue) -> Option<i64> {
        match (value, &self.model.document.variables[own].domain) {
            (TraceValue::Int(value), IntegerDomain::Int) => Some(*value),
            (TraceValue::Int(value), IntegerDomain::Range(low, high)) => {
                (low..=high).contains(&value).then_some(*value)
            }
            (TraceValue::Bool(value), IntegerDomain::Bool) => Some(i64::from(*value)),
            (_, IntegerDomain::Constants(all)) => {
                let name = value.to_string();
                all.iter().find(|(_, known)| *known == name).map(|(number, _)| *number)
            }
            _ => None,
        }
    }

    /// Values with which the program can begin.
    fn starts(&self, given: &Given) -> Vec<Vec<i64>> {
        let document = &self.model.document;
        let mut wanted = vec![document.start.condition.clone(), document.invariant.clone()];
        let own = 0..self.variables();
        for variable in own.clone() {
            let name = &document.program.variables[variable];
            let value = given_for(given, name).and_then(|value| self.number(variable, value));
            wanted.extend(value.and_then(|value| equals(Variable(variable as u32), value)));
        }
        let Some(base) = solved(&wanted, self.variables()) else { return Vec::new() };
        let holds = |values: &[i64]| wanted.iter().all(|part| holds(part, values, &[]));
        let free: Vec<Candidates> = own
            .map(|variable| {
                let mut tried =
                    self.candidates(variable, Variable(variable as u32), base[variable], &[]);
                tried.values.retain(|&value| {
                    let mut values = base.clone();
                    values[variable] = value;
                    holds(&values)
                });
                tried
            })
            .filter(|tried| tried.values.len() > 1)
            .collect();
        let mut starts = vec![base.clone()];
        let _ = combinations(&free, |chosen| {
            let mut values = base.clone();
            chosen.iter().for_each(|&(variable, value)| values[variable.0 as usize] = value);
            if holds(&values) && values != base {
                starts.push(values);
            }
            ControlFlow::Continue(())
        });
        starts
    }

    /// Follows the steps of the program until it is where the file has states.
    fn follow(
        &self,
        from: (u32, &[i64]),
        so_far: &Move,
        depth: usize,
        given: &Given,
        visit: &mut Visit,
    ) -> ControlFlow<()> {
        let (place, values) = from;
        let steps = &self.model.document.program.steps;
        for (number, step) in steps.iter().enumerate().filter(|(_, step)| step.source == place) {
            let free = self.free(step, values, given);
            combinations(&free, |chosen| {
                let Some(after) = after(step, values, chosen) else {
                    return ControlFlow::Continue(());
                };
                let mut taken = so_far.clone();
                self.note(number, values, chosen, &free, &mut taken);
                match self.is_state(step.target) {
                    true => {
                        taken.target = self.coordinates(step.target, after);
                        visit(taken)
                    }
                    false if depth < DEEPEST => {
                        self.follow((step.target, &after), &taken, depth + 1, given, visit)
                    }
                    false => ControlFlow::Continue(()),
                }
            })?;
        }
        ControlFlow::Continue(())
    }

    /// The variables that a step gives any value, with those to try. Where none of these will do, a solver is asked.
    fn free(&self, step: &IntegerStep, values: &[i64], given: &Given) -> Vec<Candidates> {
        let variables = self.variables();
        let own = |free: &Variable| free.0 as usize - variables;
        let of = |free: &Variable| self.candidates(own(free), *free, values[own(free)], given);
        let mut free: Vec<Candidates> = step.free.iter().map(of).collect();
        let mut works = free.is_empty();
        let _ = combinations(&free, |chosen| {
            works |= holds(&step.guard, values, chosen);
            if works { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if !works {
            let now = values.iter().enumerate();
            let mut wanted = vec![step.guard.clone()];
            wanted.extend(now.filter_map(|(var, &value)| equals(Variable(var as u32), value)));
            if let Some(found) = solved(&wanted, 2 * variables) {
                for tried in &mut free {
                    tried.values.push(found[tried.variable.0 as usize]);
                }
            }
        }
        free
    }

    /// Adds a step of the program to that of the file.
    fn note(
        &self,
        number: usize,
        values: &[i64],
        chosen: &[(Variable, i64)],
        free: &[Candidates],
        taken: &mut Move,
    ) {
        let document = &self.model.document;
        taken.step.is_may_only |= document.program.steps[number].is_may_only;
        if let Some(mover) = document.movers.get(number).copied().flatten() {
            let process = &document.processes[mover.process as usize];
            taken.step.process = Some(process.clone()).filter(|name| !name.is_empty());
            taken.step.statement = Some(command_at(&self.model.sources, mover.span).1);
            taken.step.span = Some(mover.span);
            taken.step.location = Some(trace::location(&self.model.sources, mover.span));
        }
        match &document.view {
            Some(view) => {
                for (var, value) in view.inputs(number as u32, values) {
                    let own = &view.machine.vars[var];
                    let value = typed(&view.machine, own.domain.ty(), value);
                    taken.step.inputs.push((own.name.clone(), value));
                }
            }
            None => {
                for &(variable, value) in chosen {
                    let own = variable.0 as usize - self.variables();
                    taken.step.inputs.push(self.named(own, value));
                }
            }
        }
        let samples = free.iter().filter(|tried| tried.is_sample);
        let names = samples.map(|tried| {
            let own = tried.variable.0 as usize - self.variables();
            document.program.variables[own].clone()
        });
        taken.sampled.extend(names);
    }

    fn named(&self, own: usize, value: i64) -> (String, TraceValue) {
        let document = &self.model.document;
        let value = match &document.variables[own].domain {
            IntegerDomain::Bool => TraceValue::Bool(value != 0),
            IntegerDomain::Constants(all) => match all.iter().find(|(known, _)| *known == value) {
                Some((_, name)) => TraceValue::Symbol(name.clone()),
                None => TraceValue::Int(value),
            },
            IntegerDomain::Int | IntegerDomain::Range(..) => TraceValue::Int(value),
        };
        (document.program.variables[own].clone(), value)
    }

    fn is_state(&self, place: u32) -> bool {
        match &self.model.document.view {
            Some(view) => !matches!(view.locations[place as usize], BackLocation::Intermediate(_)),
            None => true,
        }
    }

    /// Values that are chosen before a step are none of the state.
    fn coordinates(&self, place: u32, mut values: Vec<i64>) -> Coordinates {
        for &chosen in self.model.document.view.iter().flat_map(|view| &view.chosen) {
            values[chosen as usize] = 0;
        }
        [vec![i64::from(place)], values].concat()
    }
}

impl IntegerWalk {
    fn begin(&self, query: &MoveQuery, visit: &mut Visit) -> Result<(), Error> {
        let MoveQuery { given, monitor, .. } = *query;
        let place = self.model.document.start.location;
        let mut seen = FxHashSet::default();
        let mut visit = |target: Coordinates| match seen.insert(target.clone()) {
            true => visit(Move::start(target)),
            false => ControlFlow::Continue(()),
        };
        for values in self.starts(given) {
            monitor.check()?;
            let begins = match begins_with_step(&self.model.document) {
                true => {
                    let start = Move::start(Vec::new());
                    self.follow((place, &values), &start, 0, given, &mut |found| {
                        visit(found.target)
                    })
                }
                false => visit(self.coordinates(place, values)),
            };
            if begins.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Walk for IntegerWalk {
    fn moves(&mut self, query: &MoveQuery, visit: &mut Visit) -> Result<(), Error> {
        let MoveQuery { given, monitor, .. } = *query;
        let Some(from) = query.from else { return self.begin(query, visit) };
        monitor.check()?;
        let Some((&place, values)) = from.split_first() else { return Ok(()) };
        let mut seen = FxHashSet::default();
        let _ =
            self.follow((place as u32, values), &Move::start(Vec::new()), 0, given, &mut |found| {
                let inputs = found.step.inputs.iter().map(|(_, value)| value.clone());
                match seen.insert((
                    found.target.clone(),
                    inputs.collect::<Vec<_>>(),
                    found.step.span,
                )) {
                    true => visit(found),
                    false => ControlFlow::Continue(()),
                }
            });
        Ok(())
    }

    fn shown(&self, state: &[i64]) -> TraceState {
        let Some((&place, values)) = state.split_first() else { return TraceState::default() };
        let values = match &self.model.document.view {
            Some(view) => {
                let machine = &view.machine;
                let shown = view.state(place as u32, values).unwrap_or_default().into_iter();
                let named = |(var, value): (VarId, i64)| {
                    let own = &machine.vars[var];
                    (own.name.clone(), typed(machine, own.domain.ty(), value))
                };
                shown.map(named).collect()
            }
            None => values.iter().enumerate().map(|(own, &value)| self.named(own, value)).collect(),
        };
        TraceState { values, ..TraceState::default() }
    }

    /// Not where variables make up the place: then only steps lead to a state.
    fn determined(&self, near: &[i64], values: &Given) -> Option<Coordinates> {
        let document = &self.model.document;
        if document.view.is_some() {
            return None;
        }
        let names = document.program.variables.iter().enumerate();
        let value = |(own, name): (usize, &String)| self.number(own, given_for(values, name)?);
        let numbers: Vec<i64> = names.map(value).collect::<Option<_>>()?;
        let place = near.first().copied()?;
        holds(&document.invariant, &numbers, &[]).then(|| [vec![place], numbers].concat())
    }

    fn locations(&self, state: &[i64]) -> Vec<SimulatedLocation> {
        let document = &self.model.document;
        let place = state.first().and_then(|&place| document.locations.get(place as usize));
        let next = place.map(|place| &place.next[..]).unwrap_or_default();
        let of = |(span, process): (&support::Span, &String)| {
            let (line, statement) = command_at(&self.model.sources, *span);
            SimulatedLocation { process: process.clone(), line, statement }
        };
        next.iter().zip(&document.processes).map(of).collect()
    }

    fn proposition(&self, state: &[i64], watch: &CompiledWatch, number: usize) -> Truth {
        let WatchedAtoms::Integers(asked) = &watch.atoms else { return Truth::Unknown };
        let (_, proposition) = &asked.document.propositions[number];
        match (proposition, state.split_first()) {
            (Proposition::At(places), Some((&place, _))) => {
                Truth::from(places.binary_search(&(place as u32)).is_ok())
            }
            (Proposition::Holds(formula), Some((_, values))) => {
                let of = |variable: Variable| values[variable.0 as usize].into();
                formula.holds(&of).map_or(Truth::Unknown, Truth::from)
            }
            (_, None) => Truth::Unknown,
        }
    }
}

/// Whether the first step leads to the initial states.
pub fn begins_with_step(document: &IntegerForm) -> bool {
    let place = document.start.location as usize;
    document.view.as_ref().is_some_and(|view| view.locations[place] == BackLocation::Outside)
}

/// Visits the ways to give each variable one of its values, the first ones first.
fn combinations(
    free: &[Candidates],
    mut visit: impl FnMut(&[(Variable, i64)]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let all = free.iter().map(|tried| tried.values.len()).fold(1, usize::saturating_mul);
    for number in 0..all.min(MOST_COMBINATIONS) {
        let mut rest = number;
        let mut chosen = Vec::with_capacity(free.len());
        for tried in free {
            chosen.push((tried.variable, tried.values[rest % tried.values.len()]));
            rest /= tried.values.len();
        }
        visit(&chosen)?;
    }
    ControlFlow::Continue(())
}

fn value_of(values: &[i64], chosen: &[(Variable, i64)], variable: Variable) -> i128 {
    let own = values.get(variable.0 as usize).copied();
    let free = || chosen.iter().find(|(known, _)| *known == variable).map(|(_, value)| *value);
    own.or_else(free).unwrap_or_default().into()
}

fn holds(formula: &LinearFormula, values: &[i64], chosen: &[(Variable, i64)]) -> bool {
    formula.holds(&|variable| value_of(values, chosen, variable)) == Some(true)
}

/// The values after a step; `None` if it cannot be taken or a number does not fit.
fn after(step: &IntegerStep, values: &[i64], chosen: &[(Variable, i64)]) -> Option<Vec<i64>> {
    holds(&step.guard, values, chosen).then_some(())?;
    let mut new = values.to_vec();
    for (variable, value) in &step.changes {
        let value = value.value(&|variable| value_of(values, chosen, variable))?;
        new[variable.0 as usize] = i64::try_from(value).ok()?;
    }
    Some(new)
}

fn equals(variable: Variable, value: i64) -> Option<LinearFormula> {
    let difference = Term::variable(variable).plus_constant(value.checked_neg()?).ok()?;
    let sides =
        [LinearFormula::at_most(&difference), LinearFormula::at_most(&difference.negated())];
    Some(LinearFormula::and(sides))
}

/// Values that satisfy everything.
fn solved(wanted: &[LinearFormula], variables: usize) -> Option<Vec<i64>> {
    let SatAnswer::Sat(model) = Embedded::new().check(wanted) else { return None };
    (0..variables as u32).map(|v| i64::try_from(model.value(Variable(v))).ok()).collect()
}
