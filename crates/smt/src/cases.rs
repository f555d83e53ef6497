//! All satisfiable combinations of the values of some formulas (ALL-SAT).

use crate::{Excess, LinearFormula, SatAnswer, SmtModel, Solver, minimise};

/// Knowledge about the values of formulas, to be kept between enumerations. A set of formulas with values is given
/// by two words, bit by bit: which of them, and their values.
pub trait CaseMemory {
    /// The value that a formula has to have if those before it have these, where that can be seen at a glance.
    fn implied(&self, index: usize, values: u64) -> Option<bool>;

    /// Whether these values are known to contradict each other, or what is given.
    fn is_contradiction(&self, known: u64, values: u64) -> bool;

    /// These values contradict each other and these of the given parts.
    fn learn_contradiction(&mut self, given: &[usize], known: u64, values: u64);

    /// Everything that is given holds here.
    fn learn_example(&mut self, example: SmtModel);
}

/// The values that at most 64 formulas can have together where everything holds that is given, rising; an error if
/// there are more than so many. `found` are values that are known to be possible, and will be all that are.
///
/// One literal after the other is asked for. A contradiction is minimised, so that it is met once; an example stands
/// for all of its values. What the solver does not know may be.
pub fn cases(
    solver: &mut (impl Solver + ?Sized),
    given: &[LinearFormula],
    formulas: &[LinearFormula],
    memory: &mut dyn CaseMemory,
    found: &mut Vec<u64>,
    most: usize,
) -> Result<Vec<u64>, Excess> {
    let mut all = Vec::new();
    let mut open = vec![(0u64, 0usize)];
    while let Some((values, index)) = open.pop() {
        let known = low_bits(index);
        let is_found = found.iter().any(|other| (other ^ values) & known == 0);
        if !is_found && !is_possible(solver, given, formulas, memory, (values, index), found) {
            continue;
        }
        if index == formulas.len() {
            all.push(values);
            if all.len() > most {
                return Err(Excess::Cases);
            }
            continue;
        }
        let implied = memory.implied(index, values);
        let options = [false, true].into_iter().filter(|&value| implied.is_none_or(|v| v == value));
        open.extend(options.map(|value| (values | u64::from(value) << index, index + 1)));
    }
    all.sort_unstable();
    Ok(all)
}

/// Whether the first so many formulas can have these values, as far as that can be found out.
fn is_possible(
    solver: &mut (impl Solver + ?Sized),
    given: &[LinearFormula],
    formulas: &[LinearFormula],
    memory: &mut dyn CaseMemory,
    (values, index): (u64, usize),
    found: &mut Vec<u64>,
) -> bool {
    if memory.is_contradiction(low_bits(index), values) {
        return false;
    }
    let is_asked = |&place: &usize| memory.implied(place, values & low_bits(place)).is_none();
    let places: Vec<usize> = (0..index).filter(is_asked).collect();
    let literal = |&place: &usize| literal(&formulas[place], values >> place & 1 == 1);
    let asked: Vec<LinearFormula> =
        given.iter().cloned().chain(places.iter().map(literal)).collect();
    match solver.check(&asked) {
        SatAnswer::Sat(example) => {
            found.extend(values_in(formulas, &example));
            memory.learn_example(example);
            true
        }
        SatAnswer::Unsat(core) => {
            let core = minimise(solver, &asked, core);
            let (of_given, own) = core.split_at(core.partition_point(|&part| part < given.len()));
            let which = own.iter().map(|part| places[part - given.len()]);
            let known = which.fold(0, |known, place| known | 1 << place);
            memory.learn_contradiction(of_given, known, values & known);
            false
        }
        SatAnswer::Unknown(_) => true,
    }
}

/// The formula or its negation.
pub fn literal(formula: &LinearFormula, is_so: bool) -> LinearFormula {
    if is_so { formula.clone() } else { formula.negated() }
}

fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The values of formulas, if all numbers fit.
fn values_in(formulas: &[LinearFormula], example: &SmtModel) -> Option<u64> {
    formulas.iter().enumerate().try_fold(0, |values, (index, formula)| {
        let value = formula.holds(&|variable| example.value(variable))?;
        Some(values | u64::from(value) << index)
    })
}
