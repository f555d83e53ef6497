//! Which variables are in the locations and which are numbers, and what is chosen before a step.

use crate::imperative::{IntegerDomain, IntegerVariable};
use rustc_hash::FxHashMap;
use smt::{Excess, IntegerValue, LinearFormula, Term, Variable};
use transition::integers::within;
use transition::{Domain, Machine, VarId, VarKind};

/// A range with more values than this is a number; with fewer it is in the locations.
const MOST_IN_PLACES: u128 = 16;

/// Locations are made for the values of ranges while there are no more ways than this.
const MOST_STATES_OF_A_STEP: u128 = 1 << 10;

/// Inputs and free variables with more values than this are chosen as numbers.
pub(super) const MOST_LISTED: u128 = 64;

/// A value that is not there before a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Slot {
    /// Of a variable, after the step.
    Next(VarId),
    /// Of an input, in the step.
    Input(VarId),
}

impl Slot {
    pub fn var(self) -> VarId {
        match self {
            Slot::Next(var) | Slot::Input(var) => var,
        }
    }
}

pub(super) struct Layout {
    /// The variables whose values make a location, in this order.
    pub control: Vec<VarId>,
    /// The numbers of the other variables of the state.
    pub data: FxHashMap<VarId, Variable>,
    /// The numbers of what is chosen before a step.
    pub chosen: Vec<(Slot, Variable)>,
    pub names: Vec<String>,
    pub variables: Vec<IntegerVariable>,
    /// Whether the values between two bounds are listed rather than chosen as a number.
    pub lists: bool,
}

impl Layout {
    pub fn new(machine: &Machine, lists: bool) -> Self {
        let control = control(machine);
        let mut layout = Self {
            control,
            data: FxHashMap::default(),
            chosen: Vec::new(),
            names: Vec::new(),
            variables: Vec::new(),
            lists,
        };
        for var in machine.state_vars() {
            if !layout.control.contains(&var) {
                let number = layout.number(machine, var, machine.vars[var].name.clone(), false);
                layout.data.insert(var, number);
            }
        }
        layout
    }

    fn number(&mut self, machine: &Machine, var: VarId, name: String, is_free: bool) -> Variable {
        let domain = match &machine.vars[var].domain {
            Domain::Range(low, high) if !is_free && !is_unbounded(machine, var) => {
                IntegerDomain::Range(*low, *high)
            }
            _ => IntegerDomain::Int,
        };
        self.names.push(name);
        self.variables.push(IntegerVariable { domain, span: machine.vars[var].span });
        Variable(self.names.len() as u32 - 1)
    }

    /// Has a value chosen before the step.
    pub fn choose(&mut self, machine: &Machine, slot: Slot) {
        let own = &machine.vars[slot.var()].name;
        let name = match slot {
            Slot::Next(_) => format!("next({own})"),
            Slot::Input(_) => own.clone(),
        };
        let number = self.number(machine, slot.var(), name, true);
        self.chosen.push((slot, number));
    }

    pub fn chosen(&self, slot: Slot) -> Option<Variable> {
        self.chosen.iter().find(|(other, _)| *other == slot).map(|(_, number)| *number)
    }

    /// A variable of the state at a location.
    pub fn now(&self, here: &[i64], var: VarId) -> IntegerValue {
        match self.data.get(&var) {
            Some(&number) => Term::variable(number).into(),
            None => {
                let index = self.control.iter().position(|other| *other == var);
                constant(index.and_then(|index| here.get(index)).copied().unwrap_or(0))
            }
        }
    }

    /// All variables of the state, those in the locations first.
    pub fn state(&self, machine: &Machine) -> Vec<VarId> {
        let numbers = machine.state_vars().filter(|var| self.data.contains_key(var));
        self.control.iter().copied().chain(numbers).collect()
    }

    /// The invariant of the domains.
    pub fn invariant(&self) -> Result<LinearFormula, Excess> {
        let holds = |(number, variable): (u32, &IntegerVariable)| match variable.domain {
            IntegerDomain::Range(low, high) => {
                within(&Domain::Range(low, high), &Term::variable(Variable(number)).into())
            }
            _ => Ok(LinearFormula::Constant(true)),
        };
        let all = (0..).zip(&self.variables).map(holds);
        Ok(LinearFormula::and(all.collect::<Result<Vec<_>, _>>()?))
    }
}

/// A value of a domain: all of them fit.
pub(super) fn constant(value: i64) -> IntegerValue {
    Term::constant(value).unwrap_or_default().into()
}

pub(super) fn is_unbounded(machine: &Machine, var: VarId) -> bool {
    machine.vars[var].domain == Domain::INTEGERS
}

/// All values, of a small domain.
pub(super) fn values(domain: &Domain) -> Vec<i64> {
    (0..domain.size() as u64).map(|number| domain.value(number)).collect()
}

/// Truth values and enumerations, and small ranges as long as there are not too many ways; the smallest first.
fn control(machine: &Machine) -> Vec<VarId> {
    let size = |var: &VarId| machine.vars[*var].domain.size();
    let (mut ranges, mut control): (Vec<VarId>, Vec<VarId>) = machine
        .state_vars()
        .filter(|&var| machine.vars[var].kind != VarKind::Input)
        .partition(|&var| matches!(machine.vars[var].domain, Domain::Range(..)));
    let mut outcomes = control.iter().map(size).fold(1u128, u128::saturating_mul);
    ranges.sort_by_key(size);
    for var in ranges {
        outcomes = outcomes.saturating_mul(size(&var));
        if size(&var) > MOST_IN_PLACES || outcomes > MOST_STATES_OF_A_STEP {
            break;
        }
        control.push(var);
    }
    control.sort_unstable();
    control
}
