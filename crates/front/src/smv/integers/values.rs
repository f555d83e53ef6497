//! What expressions are where some values are known: terms and conditions, case by case.

use crate::linear::{self, Size, truth};
use rustc_hash::FxHashMap;
use transition::predicates::{Condition, Relation, Term};
use transition::{Binary, Choice, ChoiceId, FIRST_SYMBOL, Machine, Node, NodeId, Type, Unary};

/// What cannot be said in linear arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Complaint {
    NotLinear,
    TooLarge,
    TooManyCases,
    Word,
}

impl Complaint {
    /// A message, a label and a help.
    pub fn texts(self) -> [&'static str; 3] {
        match self {
            Complaint::NotLinear => [
                "this is not linear",
                "multiplies or divides by what is no constant",
                "multiply and divide unbounded integers by constants, or by variables with few values",
            ],
            Complaint::TooLarge => [
                "the expression is too large",
                "too many operators, definitions written out",
                "keep a part of it in a variable, or let numbers stay below 2^61",
            ],
            Complaint::TooManyCases => [
                "the expression has too many cases",
                "too many ways to choose",
                "take fewer branches or smaller sets, or spread them over several variables",
            ],
            Complaint::Word => [
                "words and unbounded integers in one file",
                "a word",
                "write numbers, without widths",
            ],
        }
    }
}

const MOST_CASES: usize = 256;
const LARGEST_EXPRESSION: Size = Size { nodes: 1 << 14, depth: 400 };

/// Where a condition holds and where it does not; nowhere else it has a value.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    pub holds: Condition,
    pub fails: Condition,
}

impl Truth {
    fn always(value: bool) -> Self {
        Self { holds: truth(value), fails: truth(!value) }
    }

    fn where_it(holds: Condition) -> Self {
        let fails = linear::not(holds.clone());
        Self { holds, fails }
    }

    pub fn not(self) -> Self {
        Self { holds: self.fails, fails: self.holds }
    }

    fn and(self, other: Self) -> Self {
        let holds = linear::and(self.holds, other.holds);
        Self { holds, fails: linear::or(self.fails, other.fails) }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    fn equals(self, other: Self) -> Self {
        let both = self.clone().and(other.clone());
        let none = self.clone().not().and(other.clone().not());
        let different = self.clone().and(other.clone().not());
        let otherwise = self.not().and(other);
        Self {
            holds: linear::or(both.holds, none.holds),
            fails: linear::or(different.holds, otherwise.holds),
        }
    }

    /// Where it has no value.
    pub fn undefined(&self) -> Condition {
        linear::not(linear::or(self.holds.clone(), self.fails.clone()))
    }
}

/// What a number is, and where: nothing if it goes wrong there.
pub(super) type Cases = Vec<(Condition, Option<Term>)>;

#[derive(Clone, Debug)]
pub(super) enum Value {
    Truth(Truth),
    Number(Cases),
}

type Found<T> = Result<T, Complaint>;

/// Values of leaves are known.
pub(super) struct Evaluation<'m> {
    pub machine: &'m Machine,
    pub leaf: &'m dyn Fn(Node) -> Term,
}

impl Evaluation<'_> {
    pub fn truth(&self, root: NodeId) -> Found<Truth> {
        match self.value(root)? {
            Value::Truth(truth) => Ok(truth),
            Value::Number(_) => Err(Complaint::Word),
        }
    }

    /// All cases of a single value, truth values as 0 and 1.
    pub fn cases(&self, root: NodeId) -> Found<Cases> {
        Ok(match self.value(root)? {
            Value::Number(cases) => cases,
            Value::Truth(truth) => {
                let undefined = match self.machine.exprs.can_fault(root) {
                    true => truth.undefined(),
                    false => Condition::Constant(false),
                };
                let all = [
                    (truth.holds, Some(Term::Constant(1))),
                    (truth.fails, Some(Term::Constant(0))),
                    (undefined, None),
                ];
                possible(all)
            }
        })
    }

    /// All that a set has, and where.
    pub fn alternatives(&self, root: ChoiceId) -> Found<Cases> {
        let choices = &self.machine.choices;
        let mut done: FxHashMap<ChoiceId, Cases> = FxHashMap::default();
        for id in choices.below(root) {
            let cases = match choices.get(id) {
                Choice::One(node) => self.cases(*node)?,
                Choice::Range(low, high) if high - low < MOST_CASES as i64 => {
                    (*low..=*high).map(|value| (truth(true), Some(Term::Constant(value)))).collect()
                }
                Choice::Range(..) => return Err(Complaint::TooManyCases),
                Choice::Any(parts) => parts.iter().flat_map(|part| done[part].clone()).collect(),
                Choice::If(condition, then, otherwise) => {
                    let condition = self.truth(*condition)?;
                    chosen(&condition, done[then].clone(), done[otherwise].clone())
                }
            };
            if cases.len() > MOST_CASES {
                return Err(Complaint::TooManyCases);
            }
            done.insert(id, cases);
        }
        done.remove(&root).ok_or(Complaint::TooManyCases)
    }

    fn value(&self, root: NodeId) -> Found<Value> {
        let mut done: FxHashMap<NodeId, Value> = FxHashMap::default();
        for id in self.machine.exprs.below([root]) {
            let mut value = self.node(id, &done)?;
            if let (Value::Truth(found), false) = (&mut value, self.machine.exprs.can_fault(id)) {
                *found = Truth::where_it(found.holds.clone());
            }
            refuse_large(&value)?;
            done.insert(id, value);
        }
        done.remove(&root).ok_or(Complaint::Word)
    }

    fn node(&self, id: NodeId, done: &FxHashMap<NodeId, Value>) -> Found<Value> {
        let exprs = &self.machine.exprs;
        if let Type::Word { .. } = exprs.ty(id) {
            return Err(Complaint::Word);
        }
        let is_truth = exprs.ty(id) == Type::Bool;
        let of_term = |term: Term| match (is_truth, term) {
            (true, Term::Constant(value)) => Value::Truth(Truth::always(value != 0)),
            (_, term) => Value::Number(vec![(truth(true), Some(term))]),
        };
        Ok(match exprs.node(id) {
            Node::Const(value) => of_term(Term::Constant(value)),
            leaf @ (Node::Now(_) | Node::Next(_)) => of_term((self.leaf)(leaf)),
            Node::Fault(_) if is_truth => {
                Value::Truth(Truth { holds: truth(false), fails: truth(false) })
            }
            Node::Fault(_) => Value::Number(vec![(truth(true), None)]),
            Node::Cast(_) | Node::Extract(..) => return Err(Complaint::Word),
            Node::Unary(Unary::Not, a) => Value::Truth(a_truth(&done[&a])?.not()),
            Node::Unary(Unary::Neg, a) => {
                let negate = |term: Term| linear::times(-1, term).ok_or(Complaint::TooLarge);
                Value::Number(mapped(a_number(&done[&a])?, negate)?)
            }
            Node::Binary(op, a, b) => binary(op, &done[&a], &done[&b])?,
            Node::Ite(c, a, b) => {
                let condition = a_truth(&done[&c])?;
                match (&done[&a], &done[&b]) {
                    (Value::Truth(a), Value::Truth(b)) => Value::Truth(Truth {
                        holds: either(&condition, &a.holds, &b.holds),
                        fails: either(&condition, &a.fails, &b.fails),
                    }),
                    (a, b) => {
                        let (a, b) = (a_number(a)?.clone(), a_number(b)?.clone());
                        Value::Number(chosen(&condition, a, b))
                    }
                }
            }
        })
    }
}

fn refuse_large(value: &Value) -> Found<()> {
    let fits = |size: Size| {
        size.nodes <= LARGEST_EXPRESSION.nodes && size.depth <= LARGEST_EXPRESSION.depth
    };
    let condition = |condition: &Condition| fits(Size::of_condition(condition));
    let is_fine = match value {
        Value::Truth(truth) => condition(&truth.holds) && condition(&truth.fails),
        Value::Number(cases) if cases.len() > MOST_CASES => return Err(Complaint::TooManyCases),
        Value::Number(cases) => cases.iter().all(|(when, term)| {
            condition(when) && term.as_ref().is_none_or(|term| fits(Size::of_term(term)))
        }),
    };
    if is_fine { Ok(()) } else { Err(Complaint::TooLarge) }
}

fn a_truth(value: &Value) -> Found<Truth> {
    match value {
        Value::Truth(truth) => Ok(truth.clone()),
        Value::Number(_) => Err(Complaint::Word),
    }
}

fn a_number(value: &Value) -> Found<&Cases> {
    match value {
        Value::Number(cases) => Ok(cases),
        Value::Truth(_) => Err(Complaint::Word),
    }
}

fn possible(cases: impl IntoIterator<Item = (Condition, Option<Term>)>) -> Cases {
    cases.into_iter().filter(|(when, _)| *when != truth(false)).collect()
}

fn either(condition: &Truth, a: &Condition, b: &Condition) -> Condition {
    let then = linear::and(condition.holds.clone(), a.clone());
    linear::or(then, linear::and(condition.fails.clone(), b.clone()))
}

/// The one cases where a condition holds, the others where it does not, and none where it has no value.
fn chosen(condition: &Truth, then: Cases, otherwise: Cases) -> Cases {
    let under = |condition: &Condition, cases: Cases| {
        let condition = condition.clone();
        cases.into_iter().map(move |(when, term)| (linear::and(condition.clone(), when), term))
    };
    // What is true or false everywhere has no negation but its own.
    let is_total = condition.fails == linear::not(condition.holds.clone());
    if is_total && then == otherwise {
        return then;
    }
    let undefined = if is_total { truth(false) } else { condition.undefined() };
    let then = under(&condition.holds, then);
    possible(then.chain(under(&condition.fails, otherwise)).chain([(undefined, None)]))
}

fn mapped(cases: &Cases, change: impl Fn(Term) -> Found<Term>) -> Found<Cases> {
    let changed = |(when, term): &(Condition, Option<Term>)| {
        Ok((when.clone(), term.clone().map(&change).transpose()?))
    };
    cases.iter().map(changed).collect()
}

fn binary(op: Binary, a: &Value, b: &Value) -> Found<Value> {
    if let (Value::Truth(a), Value::Truth(b)) = (a, b) {
        let (a, b) = (a.clone(), b.clone());
        return Ok(Value::Truth(match op {
            Binary::And => a.and(b),
            Binary::Or => a.or(b),
            Binary::Eq => a.equals(b),
            Binary::Xor => a.equals(b).not(),
            _ => return Err(Complaint::Word),
        }));
    }
    let (a, b) = (a_number(a)?, a_number(b)?);
    match op {
        Binary::Eq => compared(a, Relation::Equal, b),
        Binary::Lt => compared(a, Relation::Less, b),
        Binary::Le => compared(a, Relation::AtMost, b),
        _ => {
            let mut cases = Vec::new();
            for ((when, a), (also, b)) in pairs(a, b)? {
                let term = match (a, b) {
                    (Some(a), Some(b)) => Some(arithmetic(op, a.clone(), b.clone())?),
                    _ => None,
                };
                cases.push((linear::and(when.clone(), also.clone()), term));
            }
            Ok(Value::Number(possible(cases)))
        }
    }
}

type Case = (Condition, Option<Term>);

fn pairs<'c>(a: &'c Cases, b: &'c Cases) -> Found<impl Iterator<Item = (&'c Case, &'c Case)>> {
    if a.len() * b.len() > MOST_CASES {
        return Err(Complaint::TooManyCases);
    }
    Ok(a.iter().flat_map(move |one| b.iter().map(move |other| (one, other))))
}

fn compared(a: &Cases, relation: Relation, b: &Cases) -> Found<Value> {
    let (mut holds, mut fails) = (Vec::new(), Vec::new());
    for ((when, a), (also, b)) in pairs(a, b)? {
        let (Some(a), Some(b)) = (a, b) else { continue };
        let when = linear::and(when.clone(), also.clone());
        let is_so = match (is_apart(a, b) || is_apart(b, a), a) {
            (true, _) => truth(false),
            // As one would write it, the number behind.
            (false, Term::Constant(_)) => linear::compare(b.clone(), turned(relation), a.clone()),
            (false, _) => linear::compare(a.clone(), relation, b.clone()),
        };
        fails.push(linear::and(when.clone(), linear::not(is_so.clone())));
        holds.push(linear::and(when, is_so));
    }
    if let ([_], [_]) = (&a[..], &b[..])
        && let Some(only) = holds.pop()
    {
        return Ok(Value::Truth(Truth::where_it(only)));
    }
    Ok(Value::Truth(Truth { holds: linear::some(holds), fails: linear::some(fails) }))
}

/// The relation between the second and the first.
fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::AtMost => Relation::AtLeast,
        Relation::Greater => Relation::Less,
        Relation::AtLeast => Relation::AtMost,
        same => same,
    }
}

/// A symbol is no number.
fn is_apart(a: &Term, b: &Term) -> bool {
    matches!(a, Term::Constant(value) if *value >= FIRST_SYMBOL) && !matches!(b, Term::Constant(_))
}

fn arithmetic(op: Binary, a: Term, b: Term) -> Found<Term> {
    let result = match (op, a, b) {
        (Binary::Add, a, b) => linear::add(a, b),
        (Binary::Sub, a, b) => linear::subtract(a, b),
        (Binary::Mul, a, Term::Constant(factor)) | (Binary::Mul, Term::Constant(factor), a) => {
            linear::times(factor, a)
        }
        // It goes wrong, and somebody says so around it.
        (Binary::Div | Binary::Mod, _, Term::Constant(0)) => Some(Term::Constant(0)),
        (Binary::Div, a, Term::Constant(by)) => linear::divide(a, by),
        (Binary::Mod, a, Term::Constant(by)) => linear::modulo(a, by),
        _ => return Err(Complaint::NotLinear),
    };
    result.ok_or(Complaint::TooLarge)
}
