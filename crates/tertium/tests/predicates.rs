//! `symbolic` on programs over integers: the standard and the reduced semantics of their predicate abstraction (paper X).

use cegar::abstraction::blocks;
use std::cell::Cell;
use tertium::{Model, Options, Semantics, Verdict};
use testkit::{Rng, for_seeds};

fn verdicts(text: &str, semantics: Semantics) -> Vec<Verdict> {
    let model = Model::read("while", "program.while", text).expect("a program");
    let options = Options::default().method("symbolic").semantics(semantics);
    let check = |property| model.check(property, &options).expect("a verdict").verdict();
    model.properties().iter().map(check).collect()
}

/// Both branches lead on: so does what is known of neither.
#[test]
fn a_guard_and_its_negation_are_one_predicate() {
    let program = "var x, y : int; x := y; if x > 0 then skip fi; END: fin\n";
    for property in ["EF at_END", "EF (at_END & (x <= 0 | !(x < 1)))"] {
        let text = format!("{program}property p: ctl {property};");
        assert_eq!(verdicts(&text, Semantics::Ris), [Verdict::True], "{property}");
        assert_eq!(verdicts(&text, Semantics::Sis), [Verdict::Unknown], "{property}");
    }
}

/// Equivalent conditions, and one that implies another: no number is at most 0 and above 1.
#[test]
fn minterms_without_states_need_no_step() {
    for (first, second) in [
        ("x > 0", "2 * x > 1"),
        ("x > 1", "x > 0"),
        ("x mod 2 = 0", "x mod 4 = 0"),
        ("x > y & y > 0", "x > 1"),
    ] {
        let text = format!(
            "var x, y, z : int; x := z; if {first} then skip fi; if {second} then skip fi; END: fin
             property p: ctl EF at_END;"
        );
        assert_eq!(verdicts(&text, Semantics::Ris), [Verdict::True], "{first}, {second}");
    }
}

/// X Fig. 3, with all numbers at the start: those of I1 and of I2 are among them.
#[test]
fn figure_3_on_the_text_of_the_program() {
    [1, 2, 40, 100, 200, 250].into_iter().for_each(figure_3);
}

#[test]
#[ignore = "minutes"]
fn figure_3_on_the_text_of_a_large_program() {
    figure_3(2000);
}

fn figure_3(blocks: u32) {
    use Verdict::{False, True, Unknown};
    let text = blocks::text(blocks);
    assert_eq!(verdicts(&text, Semantics::Ris), [True, True, False], "n = {blocks}");
    assert_eq!(verdicts(&text, Semantics::Sis), [Unknown, Unknown, False], "n = {blocks}");
}

fn condition(rng: &mut Rng) -> String {
    let variable = *rng.pick(&["x", "y", "x - y", "x + y"]);
    let comparison = *rng.pick(&["<", "<=", "=", "!=", ">"]);
    match rng.below(5) {
        0 => format!("({variable}) mod 2 = {}", rng.below(2)),
        _ => format!("{variable} {comparison} {}", rng.between(0, 4) as i64 - 2),
    }
}

fn commands(rng: &mut Rng, depth: usize) -> String {
    let value =
        |rng: &mut Rng| (*rng.pick(&["y", "x + 1", "y - x", "1 - x / 2", "any", "2"])).to_owned();
    let one = |rng: &mut Rng| match rng.below(if depth == 0 { 2 } else { 4 }) {
        0 => format!("x := {}", value(rng)),
        1 => format!("y := {}", value(rng)),
        2 => {
            let (condition, then) = (condition(rng), commands(rng, depth - 1));
            format!("if {condition} then {then} else {} fi", commands(rng, depth - 1))
        }
        _ => format!("while {} do {} od", condition(rng), commands(rng, depth - 1)),
    };
    (0..rng.between(1, 3)).map(|_| one(rng)).collect::<Vec<_>>().join("; ")
}

fn program(rng: &mut Rng) -> String {
    let start = *rng.pick(&["", " := 0"]);
    let property = *rng.pick(&["EF", "AF", "EG !", "AG !"]);
    format!(
        "var x : int{start}; var y : int;\n{}; END: fin\nproperty p: ctl {property}(at_END & {});\n",
        commands(rng, 2),
        condition(rng)
    )
}

/// RIS knows all that SIS knows (X Thm 5), and neither contradicts what refinement finds.
#[test]
fn both_semantics_agree_with_refinement() {
    let (standard, reduced) = (Cell::new(0), Cell::new(0));
    for_seeds("predicates-random", 0..150, |rng, case| {
        let text = program(rng);
        case.note(text.clone());
        let model = Model::read("while", "program.while", &text).map_err(|e| e.to_string())?;
        let check = |options: Options| {
            model.check(&model.properties()[0], &options).map(|answer| answer.verdict())
        };
        let by = |semantics| check(Options::default().method("symbolic").semantics(semantics));
        let (Ok(sis), Ok(ris)) = (by(Semantics::Sis), by(Semantics::Ris)) else { return Ok(()) };
        let limits = Options::default().timeout(std::time::Duration::from_secs(2));
        let refined = check(limits).map_err(|error| error.to_string())?;
        let differ =
            |a: Verdict, b: Verdict| a != Verdict::Unknown && b != Verdict::Unknown && a != b;
        standard.set(standard.get() + u32::from(sis != Verdict::Unknown));
        reduced.set(reduced.get() + u32::from(ris != Verdict::Unknown));
        match sis != Verdict::Unknown && ris != sis || differ(ris, refined) {
            true => Err(format!("SIS {sis}, RIS {ris}, refinement {refined}")),
            false => Ok(()),
        }
    });
    assert!(standard.get() > 20 && reduced.get() > standard.get(), "{standard:?}, {reduced:?}");
}
