//! The program of the experiment (X §6, Fig. 3): n blocks, each with an integer of its own.
//!
//! The paper does not print its program, only that it is built of n blocks after an example with one integer
//! each. Ours has branches in the spirit of that example (X §3.1, Fig. 1: from x ≤ 0 a step to x > 0 that nothing is known
//! about but that): the number is made positive, and whether it is odd then only the union of two abstract states
//! knows. Block i, with n blocks from 0:
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
//! Each arrow of the graph is a step: a block takes two of them if its number is positive, else three or four. After
//! the last one, at END, the program waits as long as it likes and then stops for good.

use crate::predicates::abstracted::{Abstracted, Meaning, Start};
use crate::predicates::enumerate::Enumeration;
use crate::predicates::expression::{Condition, Relation, Term};
use crate::predicates::program::{Predicate, Program, Step, View};
use crate::predicates::seen::NotAbstracted;
use std::ops::RangeInclusive;
use support::Monitor;

/// By name, in the µ-calculus. The first is reachability, the others are about runs that never stop.
pub const PROPERTIES: [(&str, &str); 3] =
    [("Prop1", "mu Z. (end | <> Z)"), ("Prop2", "nu Z. <> Z"), ("Prop3", "nu Z. (!end & <> Z)")];

/// The sets of initial states, in the order of [`View::starts`]: all numbers positive, and none.
pub const STARTS: [&str; 2] = ["I1", "I2"];

/// What stands for all integers in the steps of a block. The outcome of each has a sign that depends on that of x
/// alone if x < -3 or x > 3, and a parity that depends on x mod 4; on both sides of these values four more follow.
pub const VALUES: RangeInclusive<i64> = -8..=8;

/// The places of a block follow each other.
const PLACES: [&str; 5] = ["E", "A", "C", "D", "F"];

fn place(block: u32, name: &str) -> u32 {
    let within = PLACES.iter().position(|known| *known == name).unwrap_or_default() as u32;
    block * PLACES.len() as u32 + within
}

/// END follows the last block, STOP follows END.
fn end(blocks: u32) -> u32 {
    place(blocks, "E")
}

fn positive(block: u32) -> Condition {
    Term::variable(block).compared(Relation::Greater, Term::Constant(0))
}

fn odd(block: u32) -> Condition {
    Term::variable(block).modulo(2).compared(Relation::Different, Term::Constant(0))
}

fn steps(block: u32) -> [Step; 7] {
    let x = || Term::variable(block);
    let at = |name| place(block, name);
    let next = place(block + 1, "E");
    let halved = Term::Constant(1).minus(x().divided_by(2));
    [
        Step::test(at("E"), positive(block), at("A")),
        Step::test(at("E"), positive(block).negated(), at("C")),
        Step::assign(at("A"), block, x().plus(Term::Constant(2)), next),
        Step::assign(at("C"), block, halved, at("D")),
        Step::test(at("D"), odd(block), next),
        Step::test(at("D"), odd(block).negated(), at("F")),
        Step::assign(at("F"), block, x().plus(Term::Constant(1)), next),
    ]
}

pub fn program(blocks: u32) -> Program {
    let places = (0..blocks).flat_map(|block| PLACES.map(|name| format!("{name}{block}")));
    let always = || Condition::Constant(true);
    let end = end(blocks);
    let last = [Step::test(end, always(), end), Step::test(end, always(), end + 1)];
    Program {
        variables: (0..blocks).map(|block| format!("x{block}")).collect(),
        places: places.chain(["END".to_owned(), "STOP".to_owned()]).collect(),
        steps: (0..blocks).flat_map(steps).chain(last).collect(),
    }
}

/// Of each number its sign and its parity, as predicates and as propositions; the proposition `end`; and the
/// two sets of initial states.
pub fn view(blocks: u32) -> View {
    let both = |block: u32| {
        let name = |what: &str| format!("{what}(x{block})");
        [
            Predicate { name: format!("x{block} > 0"), condition: positive(block) },
            Predicate { name: name("odd"), condition: odd(block) },
        ]
    };
    let propositions = |block: u32| {
        [
            (format!("p{block}"), Meaning::Predicate(2 * block)),
            (format!("q{block}"), Meaning::Predicate(2 * block + 1)),
        ]
    };
    let at_end = ("end".to_owned(), Meaning::At(vec![end(blocks)]));
    let start = |are_positive: bool| Start {
        place: 0,
        literals: (0..blocks).map(|block| (2 * block, are_positive)).collect(),
    };
    View {
        predicates: (0..blocks).flat_map(both).collect(),
        propositions: (0..blocks).flat_map(propositions).chain([at_end]).collect(),
        starts: vec![start(true), start(false)],
    }
}

/// The program seen through its signs and parities.
pub fn abstracted(blocks: u32, monitor: &Monitor) -> Result<Abstracted, NotAbstracted> {
    program(blocks).seen_through(&view(blocks), &mut Enumeration::new(VALUES), monitor)
}

/// The program as one would write it, if there were numbers without bounds in while-programs.
pub fn text(blocks: u32) -> String {
    let program = program(blocks);
    let mut text = String::new();
    if blocks > 0 {
        text += &format!("var {} : int;\n\n", program.variables.join(", "));
    }
    text.extend((0..blocks).map(|block| block_text(block, &program.variables)));
    text += "// As long as it likes, and nothing comes after STOP.\n";
    text += "END: while any do skip od;\nSTOP: fin\n\n";
    for (name, formula) in PROPERTIES {
        text += &format!("property {name}: mu {};\n", formula.replace("end", "at_END"));
    }
    text
}

/// All expressions are those of the steps, so that the text cannot say something else.
fn block_text(block: u32, names: &[String]) -> String {
    let [enter, _, add, halve, test, _, one] = steps(block);
    let assigned = |step: &Step| match step.changes.first().map(|change| &change.value) {
        Some(crate::predicates::Value::Of(term)) => {
            format!("{} := {}", names[block as usize], term.shown(names))
        }
        _ => "skip".to_owned(),
    };
    format!(
        "E{block}: if {} then\n\
         {:2}A{block}: {}\n\
         else\n\
         {:2}C{block}: {};\n\
         {:2}D{block}: if {} then skip else F{block}: {} fi\n\
         fi;\n",
        enter.guard.shown(names),
        "",
        assigned(&add),
        "",
        assigned(&halve),
        "",
        test.guard.shown(names),
        assigned(&one)
    )
}
