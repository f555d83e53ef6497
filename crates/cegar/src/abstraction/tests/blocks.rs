//! The template program: what each of its steps does, by hand.

use super::monomial;
use crate::abstraction::blocks::{VALUES, abstracted, precision, program, text};
use crate::abstraction::{self, ValueDecider};
use support::Monitor;
use transition::abstracted::{AbstractCommand, Monomial};

/// Sources and targets with a letter each for `x > 0` and `odd(x)`.
fn check(command: &AbstractCommand, may: &[(&str, &[&str])], must: &[(&str, &str)]) {
    assert_eq!(command.touches, [0, 1]);
    let minterm = |letters: &str| monomial(letters).values;
    let pairs =
        may.iter().flat_map(|(source, targets)| targets.iter().map(move |to| (*source, *to)));
    let mut expected: Vec<(u64, u64)> =
        pairs.map(|(from, to)| (minterm(from), minterm(to))).collect();
    expected.sort_unstable();
    assert_eq!(command.may, expected);
    let mut expected: Vec<(u64, Monomial)> =
        must.iter().map(|(from, to)| (minterm(from), monomial(to))).collect();
    expected.sort_unstable();
    assert_eq!(command.must, expected);
}

#[test]
fn tables_of_a_block_by_hand() {
    let block = abstracted(1, &Monitor::new()).expect("two predicates");
    assert_eq!(block.locations, ["E0", "A0", "C0", "D0", "F0", "END", "STOP"]);
    assert_eq!(block.predicates, ["x0 > 0", "odd(x0)"]);
    let ends: Vec<(u32, u32)> = block.commands.iter().map(|c| (c.source, c.target)).collect();
    let expected = [(0, 1), (0, 2), (1, 5), (2, 3), (3, 5), (3, 4), (4, 5), (5, 5), (5, 6)];
    assert_eq!(ends, expected);
    let [enter, other, add, halve, odd, even, one, wait, stop] = block.commands.as_slice() else {
        panic!("nine commands");
    };
    check(enter, &[("tt", &["tt"]), ("tf", &["tf"])], &[("tt", "tt"), ("tf", "tf")]);
    check(other, &[("ft", &["ft"]), ("ff", &["ff"])], &[("ft", "ft"), ("ff", "ff")]);
    // x + 2 keeps the parity; 0, -1 become positive, smaller ones do not.
    check(
        add,
        &[("tt", &["tt"]), ("tf", &["tf"]), ("ft", &["tt", "ft"]), ("ff", &["tf", "ff"])],
        &[("tt", "tt"), ("tf", "tf"), ("ft", "ut"), ("ff", "uf")],
    );
    // 1 - x / 2. From x <= 0: -1 gives 1, -3 gives 2; 0 gives 1, -2 gives 2. From x > 0: 1 gives 1, 3 gives 0, 5 gives
    // -1; 2 gives 0, 4 gives -1.
    check(
        halve,
        &[
            ("ft", &["tt", "tf"]),
            ("ff", &["tt", "tf"]),
            ("tt", &["tt", "ff", "ft"]),
            ("tf", &["ff", "ft"]),
        ],
        &[("ft", "tu"), ("ff", "tu"), ("tt", "uu"), ("tf", "fu")],
    );
    check(odd, &[("tt", &["tt"]), ("ft", &["ft"])], &[("tt", "tt"), ("ft", "ft")]);
    check(even, &[("tf", &["tf"]), ("ff", &["ff"])], &[("tf", "tf"), ("ff", "ff")]);
    // x + 1 turns the parity around; 0 becomes positive, and it is the only one.
    check(
        one,
        &[("tt", &["tf"]), ("tf", &["tt"]), ("ft", &["ff"]), ("ff", &["tt", "ft"])],
        &[("tt", "tf"), ("tf", "tt"), ("ft", "ff"), ("ff", "ut")],
    );
    for command in [wait, stop] {
        assert!(command.touches.is_empty());
        assert_eq!((&*command.may, &*command.must), (&[(0, 0)][..], &[(0, Monomial::TRUE)][..]));
    }
}

/// The range that stands for all integers is large enough: larger ones give the same.
#[test]
fn more_values_change_nothing() {
    let few = abstracted(1, &Monitor::new()).expect("small");
    for more in 9..60 {
        for values in [-more..=more, -8..=more, -more..=8] {
            let (program, precision) = (program(1).expect("small"), precision(1).expect("small"));
            let mut decider = ValueDecider::new(values);
            let seen = abstraction::abstracted(&program, &precision, &mut decider, &Monitor::new());
            assert_eq!(seen.as_ref(), Ok(&few));
        }
    }
    assert_eq!(VALUES, -8..=8);
}

/// Blocks differ in numbers only.
#[test]
fn each_block_is_like_the_first() {
    let all = abstracted(20, &Monitor::new()).expect("small");
    for (i, command) in all.commands[..140].iter().enumerate() {
        let (block, first) = (i as u32 / 7, &all.commands[i % 7]);
        assert_eq!(command.source, first.source + 5 * block);
        assert_eq!(command.target, first.target + 5 * block);
        assert_eq!(command.touches, [2 * block, 2 * block + 1]);
        assert_eq!((&command.may, &command.must), (&first.may, &first.must));
    }
    assert_eq!(all.locations.len(), 102);
    assert_eq!(all.starts[1].literals[19], (38, false));
}

#[test]
fn the_text_is_that_of_the_steps() {
    let expected = "var x0 : int;\nvar stop : int := 0;\n\n\
        E0: if x0 > 0 then\n  A0: x0 := x0 + 2\nelse\n  C0: x0 := 1 - x0 / 2;\n  \
        D0: if x0 mod 2 != 0 then skip else F0: x0 := x0 + 1 fi\nfi;\n\
        END: while stop = 0 do stop := {0, 1} od;\n\
        STOP: assume false\n\n\
        property Prop1: mu mu Z. (at_END | <> Z);\n\
        property Prop2: mu nu Z. <> Z;\n\
        property Prop3: mu nu Z. (!at_END & <> Z);\n";
    assert_eq!(text(1), expected);
}
