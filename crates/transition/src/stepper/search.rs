//! Backtracking search over the values of the variables.

use super::fault::RuntimeErrorKind;
use super::program::{Level, Pool, Program, RangeTreatment, Trial};
use super::tape::Values;
use crate::expr::SiteId;
use crate::parts::Machine;
use std::sync::Arc;
use support::{Monitor, Stopped};

/// The values that are left to try on a level.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// Numbers of the domain, or places in the list of values.
    at: u64,
    end: u64,
}

/// The value of the conjunction of the constraints that have been evaluated.
#[derive(Clone, Copy, Debug)]
enum Conditions {
    Hold,
    /// One of them has no value, which is a run-time error if none is false.
    Undefined(SiteId),
    /// One of them is false: there is no such state.
    Fail,
}

pub(super) enum SearchError {
    Stopped(Stopped),
    TooMany,
    Runtime(RuntimeErrorKind),
}

impl From<Stopped> for SearchError {
    fn from(stopped: Stopped) -> Self {
        SearchError::Stopped(stopped)
    }
}

impl From<RuntimeErrorKind> for SearchError {
    fn from(wrong: RuntimeErrorKind) -> Self {
        SearchError::Runtime(wrong)
    }
}

/// A program with room for its values.
pub(super) struct Search {
    machine: Arc<Machine>,
    pub program: Program,
    pub values: Values,
    /// The state that is being put together.
    state: Vec<u64>,
    left: Vec<Left>,
    /// By level.
    conditions: Vec<Conditions>,
    drawn: Vec<i64>,
    trials: u64,
}

/// How many trials go by before the monitor is asked.
const PATIENCE: u64 = 1 << 14;

impl Search {
    pub fn new(machine: &Arc<Machine>, program: Program, words: usize) -> Self {
        let values = Values::new(program.initial.clone());
        let left = vec![Left { at: 0, end: 0 }; program.levels.len()];
        let conditions = vec![Conditions::Hold; program.levels.len()];
        let (machine, state, drawn) = (machine.clone(), vec![0; words], Vec::new());
        Self { machine, program, values, state, left, conditions, drawn, trials: 0 }
    }

    /// Takes over the state to make a step from, and the value that is given; whether the guard holds.
    pub fn load(&mut self, state: &[u64], given: bool) -> bool {
        self.state.copy_from_slice(state);
        if let Some(slot) = self.program.given {
            self.values.values[slot as usize] = i64::from(given);
        }
        let Some(guard) = &self.program.guard else { return true };
        self.values.load(&guard.inputs, state);
        self.values.run(&self.machine.exprs, &guard.code);
        self.values.values[guard.constraints as usize] != 0
    }

    /// Computes the values that depend on no trial; whether a state can still be found.
    pub fn begin(&mut self) -> Result<bool, SearchError> {
        self.drawn.clear();
        self.values.load(&self.program.inputs, &self.state);
        self.settle(0)
    }

    /// Calls `found` with every state that keeps to the rules, and with the values that were tried, after
    /// [`begin`](Self::begin) said that there can be one.
    pub fn run(
        &mut self,
        monitor: &Monitor,
        mut found: impl FnMut(&[u64], &Values) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        let last = self.program.levels.len() - 1;
        if last == 0 {
            return self.end(last, &mut found);
        }
        let mut depth = 1;
        self.open(depth)?;
        while depth > 0 {
            if !self.advance(depth) {
                depth -= 1;
                continue;
            }
            self.trials += 1;
            if self.trials.is_multiple_of(PATIENCE) {
                monitor.check()?;
            }
            if !self.settle(depth)? {
                continue;
            }
            if depth == last {
                self.end(last, &mut found)?;
            } else {
                depth += 1;
                self.open(depth)?;
            }
        }
        Ok(())
    }

    /// All variables are decided.
    #[inline]
    fn end(
        &self,
        last: usize,
        found: &mut impl FnMut(&[u64], &Values) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        match self.conditions[last] {
            Conditions::Hold => found(&self.state, &self.values),
            Conditions::Undefined(site) => Err(RuntimeErrorKind::FailureSite(site).into()),
            Conditions::Fail => Ok(()),
        }
    }

    fn trial(&self, depth: usize) -> &Trial {
        self.program.levels[depth].trial.as_ref().expect("all levels but the first try something")
    }

    /// Computes the candidates of a level.
    fn open(&mut self, depth: usize) -> Result<(), RuntimeErrorKind> {
        let trial = self.program.levels[depth].trial.as_ref();
        self.left[depth] = match trial.map(|trial| &trial.pool) {
            Some(Pool::Choice(pick)) => {
                let at = self.drawn.len();
                self.program.picks.draw(*pick, &self.values, &mut self.drawn)?;
                Left { at: at as u64, end: self.drawn.len() as u64 }
            }
            Some(Pool::Domain(size)) => Left { at: 0, end: *size },
            None => Left { at: 0, end: 0 },
        };
        Ok(())
    }

    /// Sets the next value on a level; false if there is none, and then the level is closed.
    fn advance(&mut self, depth: usize) -> bool {
        let Left { at, end } = self.left[depth];
        let Trial { var, slot, ref pool } = *self.trial(depth);
        let is_list = matches!(pool, Pool::Choice(_));
        if at == end {
            if is_list {
                let kept = self.list_start(depth);
                self.drawn.truncate(kept);
            }
            return false;
        }
        let value = match is_list {
            true => self.drawn[at as usize],
            false => self.machine.vars[var].domain.value(at),
        };
        self.values.values[slot as usize] = value;
        self.left[depth].at += 1;
        true
    }

    /// Where the values of a level begin: behind those of the levels before.
    fn list_start(&self, depth: usize) -> usize {
        let lists =
            (1..depth).rev().filter(|&level| matches!(self.trial(level).pool, Pool::Choice(_)));
        lists.map(|level| self.left[level].end as usize).next().unwrap_or(0)
    }

    /// Computes the values that follow, checks the constraints and stores the known fields of the state; whether to go
    /// on. A run-time error of an assignment counts even where constraints are false, so they are checked later.
    fn settle(&mut self, depth: usize) -> Result<bool, SearchError> {
        let Level { code, is_risk, .. } = &self.program.levels[depth];
        self.values.run(&self.machine.exprs, &self.program.code[code.clone()]);
        let mut conditions = if depth == 0 { Conditions::Hold } else { self.conditions[depth - 1] };
        if *is_risk {
            self.write_down(depth, &mut conditions)?;
            self.check(depth, &mut conditions);
        } else {
            self.check(depth, &mut conditions);
            if !matches!(conditions, Conditions::Fail) {
                self.write_down(depth, &mut conditions)?;
            }
        }
        self.conditions[depth] = conditions;
        Ok(!matches!(conditions, Conditions::Fail) || depth < self.program.last_risk)
    }

    /// Where one constraint has no value another one may be false.
    #[inline]
    fn check(&self, depth: usize, conditions: &mut Conditions) {
        if matches!(conditions, Conditions::Fail) {
            return;
        }
        for &check in &self.program.levels[depth].checks {
            match self.values.get(check) {
                Ok(0) => {
                    *conditions = Conditions::Fail;
                    return;
                }
                Ok(_) => {}
                Err(site) => *conditions = Conditions::Undefined(site),
            }
        }
    }

    #[inline]
    fn write_down(&mut self, depth: usize, conditions: &mut Conditions) -> Result<(), SearchError> {
        for output in &self.program.levels[depth].outputs {
            let value = self.values.get(output.slot).map_err(RuntimeErrorKind::FailureSite)?;
            if output.field.set(&mut self.state, value).is_none() {
                match output.treatment {
                    RangeTreatment::NoState => *conditions = Conditions::Fail,
                    RangeTreatment::Error(span) => return Err(output.wrong(span, value).into()),
                }
            }
        }
        Ok(())
    }
}
