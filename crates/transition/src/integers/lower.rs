//! Lowers expressions to linear arithmetic, exactly: formulas, and numbers case by case.

use crate::{
    Binary, Choice, ChoiceId, Domain, ExprNode, FIRST_SYMBOL, Machine, NodeId, Type, Unary,
};
use rustc_hash::FxHashMap;
use smt::{Comparison, Excess, IntegerValue, LinearFormula, Rounding, Term};

/// Why an expression is not linear arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLinear {
    /// Multiplies or divides by what is no constant.
    Product,
    TooLarge,
    TooManyCases,
    /// Has values that are no numbers.
    Word,
}

impl From<Excess> for NotLinear {
    fn from(_: Excess) -> Self {
        NotLinear::TooLarge
    }
}

const MOST_CASES: usize = 256;
/// Larger formulas take too long, and deeper ones too much of the stack.
const MOST_PARTS: usize = 1 << 14;
const MOST_LEVELS: usize = 400;

type Lowered<T> = Result<T, NotLinear>;

/// Where a condition holds and where it does not; nowhere else it has a value.
#[derive(Clone, Debug)]
pub struct LinearTruth {
    pub holds: LinearFormula,
    pub fails: LinearFormula,
}

impl LinearTruth {
    fn always(value: bool) -> Self {
        Self { holds: LinearFormula::Constant(value), fails: LinearFormula::Constant(!value) }
    }

    fn where_it(holds: LinearFormula) -> Self {
        let fails = opposite(&holds);
        Self { holds, fails }
    }

    #[must_use]
    pub fn negated(self) -> Self {
        Self { holds: self.fails, fails: self.holds }
    }

    fn and(self, other: Self) -> Self {
        let holds = LinearFormula::and([self.holds, other.holds]);
        Self { holds, fails: LinearFormula::or([self.fails, other.fails]) }
    }

    fn or(self, other: Self) -> Self {
        self.negated().and(other.negated()).negated()
    }

    fn equals(self, other: Self) -> Self {
        let both =
            |a: &LinearFormula, b: &LinearFormula| LinearFormula::and([a.clone(), b.clone()]);
        Self {
            holds: LinearFormula::or([
                both(&self.holds, &other.holds),
                both(&self.fails, &other.fails),
            ]),
            fails: LinearFormula::or([
                both(&self.holds, &other.fails),
                both(&self.fails, &other.holds),
            ]),
        }
    }

    /// Where it has no value.
    pub fn undefined(&self) -> LinearFormula {
        opposite(&LinearFormula::or([self.holds.clone(), self.fails.clone()]))
    }
}

/// The negation, with negations at the atoms.
pub fn opposite(formula: &LinearFormula) -> LinearFormula {
    match formula {
        LinearFormula::And(parts) => LinearFormula::or(parts.iter().map(opposite)),
        LinearFormula::Or(parts) => LinearFormula::and(parts.iter().map(opposite)),
        other => other.negated(),
    }
}

/// That a number is in a domain of numbers.
pub fn within(domain: &Domain, value: &IntegerValue) -> Result<LinearFormula, Excess> {
    let compared = |relation: Comparison, to: i64| value.compared(relation, &number(to)?);
    match domain {
        _ if *domain == Domain::INTEGERS => Ok(LinearFormula::Constant(true)),
        Domain::Range(low, high) => Ok(LinearFormula::and([
            compared(Comparison::AtLeast, *low)?,
            compared(Comparison::AtMost, *high)?,
        ])),
        _ => {
            let all = (0..domain.size() as u64).map(|number| domain.value(number));
            let each = all.map(|own| compared(Comparison::Equal, own));
            Ok(LinearFormula::or(each.collect::<Result<Vec<_>, _>>()?))
        }
    }
}

fn number(value: i64) -> Result<IntegerValue, Excess> {
    Ok(Term::constant(value)?.into())
}

/// A number by cases: `None` where it has no value.
pub type Cases = Vec<(LinearFormula, Option<IntegerValue>)>;

#[derive(Clone, Debug)]
enum Data {
    Truth(LinearTruth),
    Number(Cases),
}

/// Lowers expressions of a machine whose variables have known values.
pub struct Linear<'m> {
    machine: &'m Machine,
    leaf: &'m dyn Fn(ExprNode) -> IntegerValue,
    /// Whether constants of enumerations are numbers from 0.
    counts_symbols: bool,
    done: FxHashMap<NodeId, Data>,
}

impl<'m> Linear<'m> {
    /// Constants of enumerations are what they are, and unlike every number.
    pub fn new(machine: &'m Machine, leaf: &'m dyn Fn(ExprNode) -> IntegerValue) -> Self {
        Self { machine, leaf, counts_symbols: false, done: FxHashMap::default() }
    }

    /// Constants of enumerations are numbers from 0.
    pub fn counting_symbols(
        machine: &'m Machine,
        leaf: &'m dyn Fn(ExprNode) -> IntegerValue,
    ) -> Self {
        Self { counts_symbols: true, ..Self::new(machine, leaf) }
    }

    pub fn truth(&mut self, root: NodeId) -> Lowered<LinearTruth> {
        a_truth(self.value(root)?).cloned()
    }

    /// All cases of a single value, truth values as 0 and 1.
    pub fn cases(&mut self, root: NodeId) -> Lowered<Cases> {
        let can_fault = self.machine.exprs.can_fault(root);
        Ok(match self.value(root)?.clone() {
            Data::Number(cases) => cases,
            Data::Truth(truth) => {
                let undefined = match can_fault {
                    true => truth.undefined(),
                    false => LinearFormula::Constant(false),
                };
                possible([
                    (truth.holds, Some(number(1)?)),
                    (truth.fails, Some(number(0)?)),
                    (undefined, None),
                ])
            }
        })
    }

    /// All members of a set, and where they are in it.
    pub fn alternatives(&mut self, root: ChoiceId) -> Lowered<Cases> {
        let choices = &self.machine.choices;
        let mut done: FxHashMap<ChoiceId, Cases> = FxHashMap::default();
        for id in choices.below(root) {
            let cases = match choices.get(id) {
                Choice::One(node) => self.cases(*node)?,
                Choice::Range(low, high) if high - low < MOST_CASES as i64 => {
                    let one =
                        |value: i64| Ok((LinearFormula::Constant(true), Some(number(value)?)));
                    (*low..=*high).map(one).collect::<Lowered<_>>()?
                }
                Choice::Range(..) => return Err(NotLinear::TooManyCases),
                Choice::Any(parts) => parts.iter().flat_map(|part| done[part].clone()).collect(),
                Choice::If(condition, then, otherwise) => {
                    let condition = self.truth(*condition)?;
                    chosen(&condition, done[then].clone(), done[otherwise].clone())
                }
            };
            if cases.len() > MOST_CASES {
                return Err(NotLinear::TooManyCases);
            }
            done.insert(id, cases);
        }
        done.remove(&root).ok_or(NotLinear::TooManyCases)
    }

    fn value(&mut self, root: NodeId) -> Lowered<&Data> {
        if !self.done.contains_key(&root) {
            let below = self.machine.exprs.below([root]);
            if below.len() > MOST_PARTS {
                return Err(NotLinear::TooLarge);
            }
            for id in below {
                if self.done.contains_key(&id) {
                    continue;
                }
                let mut data = self.node(id)?;
                if let (Data::Truth(found), false) = (&mut data, self.machine.exprs.can_fault(id)) {
                    *found = LinearTruth::where_it(found.holds.clone());
                }
                refuse_large(&data)?;
                self.done.insert(id, data);
            }
        }
        Ok(&self.done[&root])
    }

    /// The value of a variable, if it is one.
    fn leaf(&self, id: NodeId) -> Option<IntegerValue> {
        let node = self.machine.exprs.node(id);
        matches!(node, ExprNode::Now(_) | ExprNode::Next(_)).then(|| (self.leaf)(node))
    }

    fn node(&self, id: NodeId) -> Lowered<Data> {
        let exprs = &self.machine.exprs;
        let ty = exprs.ty(id);
        if let Type::Word { .. } = ty {
            return Err(NotLinear::Word);
        }
        let of = |value: IntegerValue| -> Lowered<Data> {
            match (ty, value.as_constant()) {
                (Type::Bool, Some(value)) => Ok(Data::Truth(LinearTruth::always(value != 0))),
                (Type::Bool, None) => {
                    let is_true = value.compared(Comparison::Equal, &number(1)?)?;
                    Ok(Data::Truth(LinearTruth::where_it(is_true)))
                }
                _ => Ok(Data::Number(vec![(LinearFormula::Constant(true), Some(value))])),
            }
        };
        Ok(match exprs.node(id) {
            ExprNode::Const(value) if self.counts_symbols && value >= FIRST_SYMBOL => {
                of(number(value - FIRST_SYMBOL)?)?
            }
            ExprNode::Const(value) => of(number(value)?)?,
            leaf @ (ExprNode::Now(_) | ExprNode::Next(_)) => of((self.leaf)(leaf))?,
            ExprNode::Fault(_) if ty == Type::Bool => {
                let nowhere = LinearFormula::Constant(false);
                Data::Truth(LinearTruth { holds: nowhere.clone(), fails: nowhere })
            }
            ExprNode::Fault(_) => Data::Number(vec![(LinearFormula::Constant(true), None)]),
            ExprNode::Cast(_) | ExprNode::Extract(..) => return Err(NotLinear::Word),
            ExprNode::Unary(Unary::Not, a) => {
                Data::Truth(a_truth(&self.done[&a])?.clone().negated())
            }
            ExprNode::Unary(Unary::Neg, a) => {
                let negated = |(when, value): &(LinearFormula, Option<IntegerValue>)| {
                    let value = value.as_ref().map(|value| value.times(-1)).transpose()?;
                    Ok((when.clone(), value))
                };
                let cases = a_number(&self.done[&a])?.iter().map(negated);
                Data::Number(cases.collect::<Lowered<_>>()?)
            }
            ExprNode::Binary(op, a, b) => match (op, self.done.get(&a), self.done.get(&b)) {
                (Binary::Eq, Some(Data::Truth(one)), Some(Data::Truth(other))) => {
                    let truth = match (self.leaf(a), self.leaf(b)) {
                        // Truth values of variables are compared as numbers.
                        (Some(a), Some(b)) => {
                            LinearTruth::where_it(a.compared(Comparison::Equal, &b)?)
                        }
                        _ => one.clone().equals(other.clone()),
                    };
                    Data::Truth(truth)
                }
                _ => binary(op, &self.done[&a], &self.done[&b])?,
            },
            ExprNode::Ite(c, a, b) => {
                let condition = a_truth(&self.done[&c])?;
                match (&self.done[&a], &self.done[&b]) {
                    (Data::Truth(a), Data::Truth(b)) => Data::Truth(LinearTruth {
                        holds: either(condition, &a.holds, &b.holds),
                        fails: either(condition, &a.fails, &b.fails),
                    }),
                    (a, b) => {
                        let (a, b) = (a_number(a)?.clone(), a_number(b)?.clone());
                        Data::Number(chosen(condition, a, b))
                    }
                }
            }
        })
    }
}

fn refuse_large(data: &Data) -> Lowered<()> {
    let formulas: Vec<&LinearFormula> = match data {
        Data::Truth(truth) => vec![&truth.holds, &truth.fails],
        Data::Number(cases) if cases.len() > MOST_CASES => return Err(NotLinear::TooManyCases),
        Data::Number(cases) => cases.iter().map(|(when, _)| when).collect(),
    };
    let fits = |formula: &&LinearFormula| fits(formula, &mut { MOST_PARTS }, MOST_LEVELS);
    if formulas.iter().all(fits) { Ok(()) } else { Err(NotLinear::TooLarge) }
}

/// Whether a formula has no more parts than these, on no more levels.
fn fits(formula: &LinearFormula, parts: &mut usize, levels: usize) -> bool {
    if *parts == 0 || levels == 0 {
        return false;
    }
    *parts -= 1;
    match formula {
        LinearFormula::Constant(_) | LinearFormula::Atom(_) => true,
        LinearFormula::Not(inner) => fits(inner, parts, levels - 1),
        LinearFormula::And(all) | LinearFormula::Or(all) => {
            all.iter().all(|part| fits(part, parts, levels - 1))
        }
    }
}

fn a_truth(data: &Data) -> Lowered<&LinearTruth> {
    match data {
        Data::Truth(truth) => Ok(truth),
        Data::Number(_) => Err(NotLinear::Word),
    }
}

fn a_number(data: &Data) -> Lowered<&Cases> {
    match data {
        Data::Number(cases) => Ok(cases),
        Data::Truth(_) => Err(NotLinear::Word),
    }
}

fn possible(cases: impl IntoIterator<Item = (LinearFormula, Option<IntegerValue>)>) -> Cases {
    cases.into_iter().filter(|(when, _)| *when != LinearFormula::Constant(false)).collect()
}

fn either(condition: &LinearTruth, a: &LinearFormula, b: &LinearFormula) -> LinearFormula {
    let then = LinearFormula::and([condition.holds.clone(), a.clone()]);
    LinearFormula::or([then, LinearFormula::and([condition.fails.clone(), b.clone()])])
}

/// The one cases where a condition holds, the others where it does not, and none where it has no value.
fn chosen(condition: &LinearTruth, then: Cases, otherwise: Cases) -> Cases {
    let under = |condition: &LinearFormula, cases: Cases| {
        let condition = condition.clone();
        cases
            .into_iter()
            .map(move |(when, value)| (LinearFormula::and([condition.clone(), when]), value))
    };
    // What is true or false everywhere has no negation but its own.
    let is_total = condition.fails == opposite(&condition.holds);
    if is_total && then == otherwise {
        return then;
    }
    let undefined = if is_total { LinearFormula::Constant(false) } else { condition.undefined() };
    let then = under(&condition.holds, then);
    possible(then.chain(under(&condition.fails, otherwise)).chain([(undefined, None)]))
}

fn binary(op: Binary, a: &Data, b: &Data) -> Lowered<Data> {
    if let (Data::Truth(a), Data::Truth(b)) = (a, b) {
        let (a, b) = (a.clone(), b.clone());
        return Ok(Data::Truth(match op {
            Binary::And => a.and(b),
            Binary::Or => a.or(b),
            Binary::Xor => a.equals(b).negated(),
            _ => return Err(NotLinear::Word),
        }));
    }
    let (a, b) = (a_number(a)?, a_number(b)?);
    if a.len() * b.len() > MOST_CASES {
        return Err(NotLinear::TooManyCases);
    }
    let relation = match op {
        Binary::Eq => Some(Comparison::Equal),
        Binary::Lt => Some(Comparison::Less),
        Binary::Le => Some(Comparison::AtMost),
        _ => None,
    };
    let (mut cases, mut holds, mut fails) = (Vec::new(), Vec::new(), Vec::new());
    for ((when, a), (also, b)) in a.iter().flat_map(|one| b.iter().map(move |other| (one, other))) {
        let when = LinearFormula::and([when.clone(), also.clone()]);
        match (a, b, relation) {
            (Some(a), Some(b), Some(relation)) => {
                let is_so = compared(a, relation, b)?;
                fails.push(LinearFormula::and([when.clone(), opposite(&is_so)]));
                holds.push(LinearFormula::and([when, is_so]));
            }
            (Some(a), Some(b), None) => cases.push((when, Some(arithmetic(op, a, b)?))),
            _ => cases.push((when, None)),
        }
    }
    match relation {
        None => Ok(Data::Number(possible(cases))),
        Some(_) => Ok(Data::Truth(LinearTruth {
            holds: LinearFormula::or(holds),
            fails: LinearFormula::or(fails),
        })),
    }
}

/// A symbol is no number.
fn compared(a: &IntegerValue, relation: Comparison, b: &IntegerValue) -> Lowered<LinearFormula> {
    let is_symbol =
        |value: &IntegerValue| value.as_constant().is_some_and(|own| own >= FIRST_SYMBOL);
    let apart = |a: &IntegerValue, b: &IntegerValue| is_symbol(a) && b.as_constant().is_none();
    Ok(match apart(a, b) || apart(b, a) {
        true => LinearFormula::Constant(false),
        false => a.compared(relation, b)?,
    })
}

fn arithmetic(op: Binary, a: &IntegerValue, b: &IntegerValue) -> Lowered<IntegerValue> {
    let towards = Rounding::TowardsZero;
    let value = match (op, a.as_constant(), b.as_constant()) {
        (Binary::Add, ..) => a.plus(b)?,
        (Binary::Sub, ..) => a.minus(b)?,
        (Binary::Mul, _, Some(factor)) => a.times(factor)?,
        (Binary::Mul, Some(factor), _) => b.times(factor)?,
        // It has no value, which the caller reports.
        (Binary::Div | Binary::Mod, _, Some(0)) => number(0)?,
        (Binary::Div, Some(a), Some(by)) => number(a.checked_div(by).ok_or(NotLinear::TooLarge)?)?,
        (Binary::Mod, Some(a), Some(by)) => number(a.checked_rem(by).ok_or(NotLinear::TooLarge)?)?,
        (Binary::Div, _, Some(1)) => a.clone(),
        (Binary::Mod, _, Some(1 | -1)) => number(0)?,
        (Binary::Div, _, Some(by)) => a.divided(by, towards)?,
        (Binary::Mod, _, Some(by)) => a.modulo(by, towards)?,
        _ => return Err(NotLinear::Product),
    };
    Ok(value)
}
