//! Programs over unbounded integers: locations, guarded steps between them, and what formulas say of them.

use smt::{Comparison, Excess, IntegerValue, LinearAtom, LinearFormula, Rounding, Term, Variable};

/// A control-flow graph over integer variables. The n-th variable is the n-th of the formulas.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IntegerProgram {
    /// By name.
    pub variables: Vec<String>,
    /// The locations, by name.
    pub locations: Vec<String>,
    pub steps: Vec<IntegerStep>,
}

/// Where the guard holds, the program can step from the source to the target; all changes happen at once, and
/// other variables keep their values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerStep {
    pub source: u32,
    pub target: u32,
    /// Where it can be taken, in terms of the values before it.
    pub guard: LinearFormula,
    /// The values after it in terms of those before it, at most one for a variable.
    pub changes: Vec<(Variable, IntegerValue)>,
    /// Variables of their own, behind those of the program, for what may become anything.
    pub free: Vec<Variable>,
    /// Whether it is a step of a hole: a program in the place of the hole may have it or not.
    pub is_may_only: bool,
    /// Holds after it: assumed of a hole, and always true of other steps.
    pub after: LinearFormula,
}

/// Something that is true or false of the variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Predicate {
    /// As one would read it.
    pub name: String,
    pub condition: LinearFormula,
}

/// The meaning of a proposition of a formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Proposition {
    /// Control is at one of these locations, which rise.
    At(Vec<u32>),
    Holds(LinearFormula),
}

impl IntegerStep {
    /// A step of a program with so many variables; a change to nothing is one to any number.
    pub fn new(
        (source, target): (u32, u32),
        guard: LinearFormula,
        changes: impl IntoIterator<Item = (Variable, Option<IntegerValue>)>,
        variables: usize,
    ) -> Self {
        let mut free = Vec::new();
        let change = |(variable, value): (Variable, Option<IntegerValue>)| {
            let value = value.unwrap_or_else(|| {
                free.push(Variable(variables as u32 + variable.0));
                Term::variable(Variable(variables as u32 + variable.0)).into()
            });
            (variable, value)
        };
        let changes = changes.into_iter().map(change).collect();
        let after = LinearFormula::Constant(true);
        Self { source, target, guard, changes, free, is_may_only: false, after }
    }

    /// A step without changes.
    pub fn test(source: u32, guard: LinearFormula, target: u32) -> Self {
        Self::new((source, target), guard, [], 0)
    }

    /// The step of a hole of which something is assumed. Where nothing is chosen freely, that is a guard.
    pub fn of_hole(self, after: LinearFormula) -> Result<Self, Excess> {
        let step = Self { is_may_only: true, ..self };
        Ok(match step.free.is_empty() {
            true => {
                let before = step.after_formula(&after)?;
                Self { guard: LinearFormula::and([step.guard.clone(), before]), ..step }
            }
            false => Self { after, ..step },
        })
    }

    /// The variables that it can change.
    pub fn changed(&self) -> impl Iterator<Item = Variable> {
        self.changes.iter().map(|&(variable, _)| variable)
    }

    /// The variables of the program that it reads or changes, each once, rising.
    pub fn variables(&self) -> Vec<Variable> {
        let read = self.changes.iter().flat_map(|(_, value)| value.variables());
        let mut all: Vec<Variable> =
            self.guard.variables().into_iter().chain(self.changed()).chain(read).collect();
        all.retain(|variable| !self.free.contains(variable));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The atom after the step: its weakest precondition.
    pub fn after(&self, atom: &LinearAtom) -> Result<LinearFormula, Excess> {
        let value = self.value(atom.term())?;
        let zero = IntegerValue::from(Term::constant(0)?);
        match atom {
            LinearAtom::AtMost(_) => value.compared(Comparison::AtMost, &zero),
            LinearAtom::Zero(_) | LinearAtom::Divides(0, _) => {
                value.compared(Comparison::Equal, &zero)
            }
            LinearAtom::Divides(divisor, _) => {
                let divisor = i64::try_from(*divisor).map_err(|_| Excess::Number)?;
                value.modulo(divisor, Rounding::Down)?.compared(Comparison::Equal, &zero)
            }
        }
    }

    /// A formula after the step.
    pub fn after_formula(&self, formula: &LinearFormula) -> Result<LinearFormula, Excess> {
        formula.map_atoms(&mut |atom| self.after(atom))
    }

    /// The value of a term after the step.
    pub fn value(&self, term: &Term) -> Result<IntegerValue, Excess> {
        let mut sum = IntegerValue::from(Term::constant(term.offset())?);
        for &(variable, factor) in term.coefficients() {
            let new = self.changes.iter().find(|(changed, _)| *changed == variable);
            let new = match new {
                Some((_, value)) => value.clone(),
                None => Term::variable(variable).into(),
            };
            sum = sum.plus(&new.times(factor)?)?;
        }
        Ok(sum)
    }
}
