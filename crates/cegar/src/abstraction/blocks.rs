//! The program of the experiment (X §6, Fig. 3): n blocks, each with an integer of its own.
//!
//! The paper does not print its program, only that it is built of n blocks after an example with one integer each. Ours
//! has branches in the spirit of that example (X §3.1, Fig. 1: from x ≤ 0 a step to x > 0 that nothing is known about
//! but that): the number is made positive, and whether it is odd then only the union of two abstract states knows.
//! Block i, with n blocks from 0:
//!
//! ```text
//! E0: if x0 > 0 then
//!   A0: x0 := x0 + 2
//! else
//!   C0: x0 := 1 - x0 / 2;
//!   D0: if x0 mod 2 != 0 then skip else F0: x0 := x0 + 1 fi
//! fi;
//! ```
//!
//! Each transition of the graph is a step: a block takes two of them if its number is positive, else three or four. After
//! the last one, at END, the program waits as long as it likes and then stops for good.

use crate::abstraction::abstract_program::{
    NotAbstracted, PredicateSet, abstracted as abstraction,
};
use crate::abstraction::enumerate::ValueDecider;
use smt::{Comparison, Excess, IntegerValue, LinearFormula, Rounding, Term, Variable};
use std::ops::RangeInclusive;
use support::{Monitor, StopReason, Stopped};
use transition::abstracted::{AbstractStart, Abstracted, Meaning};
use transition::integers::{IntegerProgram, IntegerStep, Predicate, opposite};

/// By name, in the µ-calculus. The first is reachability, the others are about runs that never stop.
pub const PROPERTIES: [(&str, &str); 3] =
    [("Prop1", "mu Z. (end | <> Z)"), ("Prop2", "nu Z. <> Z"), ("Prop3", "nu Z. (!end & <> Z)")];

/// The sets of initial states, in the order of [`PredicateSet::starts`]: all numbers positive, and none.
pub const STARTS: [&str; 2] = ["I1", "I2"];

/// Values that represent all integers in the steps of a block. The outcome of each has a sign that depends on
/// that of x alone if x < -3 or x > 3, and a parity that depends on x mod 4; on both sides of these values four
/// more follow.
pub const VALUES: RangeInclusive<i64> = -8..=8;

/// The locations of a block follow each other.
const PLACES: [&str; 5] = ["E", "A", "C", "D", "F"];

fn location(block: u32, name: &str) -> u32 {
    let within = PLACES.iter().position(|known| *known == name).unwrap_or_default() as u32;
    block * PLACES.len() as u32 + within
}

/// END follows the last block, STOP follows END.
fn end(blocks: u32) -> u32 {
    location(blocks, "E")
}

fn number(block: u32) -> IntegerValue {
    Term::variable(Variable(block)).into()
}

fn constant(value: i64) -> Result<IntegerValue, Excess> {
    Ok(Term::constant(value)?.into())
}

fn positive(block: u32) -> Result<LinearFormula, Excess> {
    number(block).compared(Comparison::Greater, &constant(0)?)
}

fn odd(block: u32) -> Result<LinearFormula, Excess> {
    let rest = number(block).modulo(2, Rounding::TowardsZero)?;
    rest.compared(Comparison::Different, &constant(0)?)
}

fn steps(block: u32) -> Result<[IntegerStep; 7], Excess> {
    let at = |name| location(block, name);
    let next = location(block + 1, "E");
    let (positive, odd) = (positive(block)?, odd(block)?);
    let halved = constant(1)?.minus(&number(block).divided(2, Rounding::TowardsZero)?)?;
    let assign = |source: u32, value: IntegerValue, target: u32| {
        let changes = [(Variable(block), Some(value))];
        IntegerStep::new((source, target), LinearFormula::Constant(true), changes, 0)
    };
    Ok([
        IntegerStep::test(at("E"), positive.clone(), at("A")),
        IntegerStep::test(at("E"), opposite(&positive), at("C")),
        assign(at("A"), number(block).plus(&constant(2)?)?, next),
        assign(at("C"), halved, at("D")),
        IntegerStep::test(at("D"), odd.clone(), next),
        IntegerStep::test(at("D"), opposite(&odd), at("F")),
        assign(at("F"), number(block).plus(&constant(1)?)?, next),
    ])
}

pub fn program(blocks: u32) -> Result<IntegerProgram, Excess> {
    let locations = (0..blocks).flat_map(|block| PLACES.map(|name| format!("{name}{block}")));
    let always = || LinearFormula::Constant(true);
    let end = end(blocks);
    let mut all = Vec::new();
    for block in 0..blocks {
        all.extend(steps(block)?);
    }
    all.push(IntegerStep::test(end, always(), end));
    all.push(IntegerStep::test(end, always(), end + 1));
    Ok(IntegerProgram {
        variables: (0..blocks).map(|block| format!("x{block}")).collect(),
        locations: locations.chain(["END".to_owned(), "STOP".to_owned()]).collect(),
        steps: all,
    })
}

/// Of each number its sign and its parity, as predicates and as propositions; the proposition `end`; and the
/// two sets of initial states.
pub fn precision(blocks: u32) -> Result<PredicateSet, Excess> {
    let mut predicates = Vec::new();
    for block in 0..blocks {
        let (is_positive, is_odd) = (positive(block)?, odd(block)?);
        predicates.push(Predicate { name: format!("x{block} > 0"), condition: is_positive });
        predicates.push(Predicate { name: format!("odd(x{block})"), condition: is_odd });
    }
    let propositions = |block: u32| {
        [
            (format!("p{block}"), Meaning::Literal(2 * block, true)),
            (format!("q{block}"), Meaning::Literal(2 * block + 1, true)),
        ]
    };
    let at_end = ("end".to_owned(), Meaning::At(vec![end(blocks)]));
    let start = |are_positive: bool| AbstractStart {
        location: 0,
        literals: (0..blocks).map(|block| (2 * block, are_positive)).collect(),
        contradictions: Vec::new(),
    };
    Ok(PredicateSet {
        predicates,
        propositions: (0..blocks).flat_map(propositions).chain([at_end]).collect(),
        starts: vec![start(true), start(false)],
        contradictions: Vec::new(),
    })
}

/// The program seen through its signs and parities.
pub fn abstracted(blocks: u32, monitor: &Monitor) -> Result<Abstracted, NotAbstracted> {
    let too_large = |_: Excess| NotAbstracted::Stopped(Stopped(StopReason::Size));
    let program = program(blocks).map_err(too_large)?;
    let precision = precision(blocks).map_err(too_large)?;
    abstraction(&program, &precision, &mut ValueDecider::new(VALUES), monitor)
}

/// The program as one would write it. It begins with any numbers, those of I1 and of I2 among them. That END waits as
/// long as it likes takes a variable.
pub fn text(blocks: u32) -> String {
    let mut text = String::new();
    if blocks > 0 {
        let names: Vec<String> = (0..blocks).map(|block| format!("x{block}")).collect();
        text += &format!("var {} : int;\n", names.join(", "));
    }
    text += "var stop : int := 0;\n\n";
    text.extend((0..blocks).map(block_text));
    text += "END: while stop = 0 do stop := {0, 1} od;\nSTOP: assume false\n\n";
    for (name, formula) in PROPERTIES {
        text += &format!("property {name}: mu {};\n", formula.replace("end", "at_END"));
    }
    text
}

fn block_text(n: u32) -> String {
    format!(
        "E{n}: if x{n} > 0 then\n  A{n}: x{n} := x{n} + 2\nelse\n  C{n}: x{n} := 1 - x{n} / 2;\n  \
         D{n}: if x{n} mod 2 != 0 then skip else F{n}: x{n} := x{n} + 1 fi\nfi;\n"
    )
}
