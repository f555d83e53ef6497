//! Words against arithmetic on machine numbers, exhaustively for up to four bits.

use crate::support::document;
use transition::ExprNode;

type Comparison = fn(&i64, &i64) -> bool;

/// The value of a word of this many bits.
fn meant(bits: u64, signed: bool, width: u32) -> i64 {
    let bits = bits & ((1 << width) - 1);
    if signed && bits >> (width - 1) == 1 { bits as i64 - (1 << width) } else { bits as i64 }
}

/// Compares an expression over `x` and `y` with what it should be, for all values of these; `None` where
/// it has no value.
fn check(
    signed: bool,
    width: u32,
    result: &str,
    expression: &str,
    wanted: impl Fn(u64, u64) -> Option<i64>,
) {
    let sign = if signed { "signed" } else { "unsigned" };
    let text = format!(
        "MODULE main VAR x : {sign} word[{width}]; y : {sign} word[{width}]; r : {result};
         ASSIGN r := {expression};"
    );
    let machine = document(&text).machine;
    let root = machine.choices.as_one(machine.assigns[0].choice).expect("one value");
    for x in 0..1 << width {
        for y in 0..1 << width {
            let Some(wanted) = wanted(x, y) else { continue };
            let now = [meant(x, signed, width), meant(y, signed, width)];
            let leaf = |leaf: ExprNode| match leaf {
                ExprNode::Now(var) => now[var.0 as usize],
                _ => panic!("a value of another state"),
            };
            let found = machine.exprs.evaluate(root, leaf);
            assert_eq!(
                found,
                Ok(wanted),
                "{expression} for x = {}, y = {} of {text}",
                now[0],
                now[1]
            );
        }
    }
}

fn for_all_words(test: impl Fn(bool, u32)) {
    for signed in [false, true] {
        for width in 1..=4 {
            test(signed, width);
        }
    }
}

#[test]
fn arithmetic_wraps_around() {
    for_all_words(|signed, width| {
        let ty = format!("{} word[{width}]", if signed { "signed" } else { "unsigned" });
        let number = |bits: u64| meant(bits, signed, width);
        let wrapped = |value: i64| Some(meant(value as u64, signed, width));
        check(signed, width, &ty, "x + y", |x, y| wrapped(number(x) + number(y)));
        check(signed, width, &ty, "x - y", |x, y| wrapped(number(x) - number(y)));
        check(signed, width, &ty, "x * y", |x, y| wrapped(number(x) * number(y)));
        check(signed, width, &ty, "-x", |x, _| wrapped(-number(x)));
        let divided = |x: u64, y: u64| (y != 0).then(|| number(x) / number(y)).and_then(wrapped);
        check(signed, width, &ty, "x / y", divided);
        check(signed, width, &ty, "x mod y", |x, y| (y != 0).then(|| number(x) % number(y)));
    });
}

#[test]
fn bits_and_comparisons() {
    for_all_words(|signed, width| {
        let ty = format!("{} word[{width}]", if signed { "signed" } else { "unsigned" });
        let number = |bits: u64| meant(bits, signed, width);
        let all = (1 << width) - 1;
        check(signed, width, &ty, "x & y", |x, y| Some(number(x & y)));
        check(signed, width, &ty, "x | y", |x, y| Some(number(x | y)));
        check(signed, width, &ty, "x xor y", |x, y| Some(number(x ^ y)));
        check(signed, width, &ty, "x xnor y", |x, y| Some(number(!(x ^ y))));
        check(signed, width, &ty, "x <-> y", |x, y| Some(number(!(x ^ y))));
        check(signed, width, &ty, "x -> y", |x, y| Some(number(!x | y)));
        check(signed, width, &ty, "!x", |x, _| Some(number(x ^ all)));
        let order: [(&str, Comparison); 6] = [
            ("=", i64::eq),
            ("!=", i64::ne),
            ("<", i64::lt),
            ("<=", i64::le),
            (">", i64::gt),
            (">=", i64::ge),
        ];
        for (op, holds) in order {
            let wanted = |x: u64, y: u64| Some(i64::from(holds(&number(x), &number(y))));
            check(signed, width, "boolean", &format!("x {op} y"), wanted);
        }
    });
}

#[test]
fn shifts() {
    for_all_words(|signed, width| {
        let ty = format!("{} word[{width}]", if signed { "signed" } else { "unsigned" });
        let number = |bits: u64| meant(bits, signed, width);
        for by in 0..=width {
            check(signed, width, &ty, &format!("x << {by}"), |x, _| Some(number(x << by)));
            check(signed, width, &ty, &format!("x >> {by}"), |x, _| {
                Some(number((number(x) >> by) as u64))
            });
        }
        let fits = |y: u64| (y <= u64::from(width)).then_some(y);
        let by = if signed { "unsigned(y)" } else { "y" };
        check(signed, width, &ty, &format!("x << {by}"), |x, y| Some(number(x << fits(y)?)));
        check(signed, width, &ty, &format!("x >> {by}"), |x, y| {
            Some(number((number(x) >> fits(y)?) as u64))
        });
    });
}

#[test]
fn parts_and_conversions() {
    for_all_words(|signed, width| {
        let number = |bits: u64| meant(bits, signed, width);
        let twice = 2 * width;
        check(signed, width, &format!("word[{twice}]"), "x :: y", |x, y| {
            Some((x << width | y) as i64)
        });
        for high in 0..width {
            for low in 0..=high {
                let ty = format!("word[{}]", high - low + 1);
                let kept = (1u64 << (high - low + 1)) - 1;
                check(signed, width, &ty, &format!("x[{high}:{low}]"), |x, _| {
                    Some((x >> low & kept) as i64)
                });
            }
        }
        check(signed, width, &format!("word[{width}]"), "unsigned(x)", |x, _| Some(x as i64));
        check(signed, width, &format!("signed word[{width}]"), "signed(x)", |x, _| {
            Some(meant(x, true, width))
        });
        check(signed, width, "-16..16", "toint(x)", |x, _| Some(number(x)));
        check(signed, width, "0..4", "sizeof(x)", |_, _| Some(i64::from(width)));
        let sign = if signed { "signed " } else { "" };
        check(signed, width, &format!("{sign}word[{}]", width + 2), "extend(x, 2)", |x, _| {
            Some(number(x))
        });
        for to in 1..=6 {
            let wanted = |x: u64| match signed && to < width {
                // The sign and the lowest bits.
                true => meant(x >> (width - 1) << (to - 1) | x & ((1 << (to - 1)) - 1), true, to),
                false => meant(number(x) as u64, signed, to),
            };
            check(
                signed,
                width,
                &format!("{sign}word[{to}]"),
                &format!("resize(x, {to})"),
                |x, _| Some(wanted(x)),
            );
        }
    });
    check(false, 1, "boolean", "bool(x)", |x, _| Some(x as i64));
    check(false, 1, "word[1]", "word1(x = y)", |x, y| Some(i64::from(x == y)));
    check(false, 2, "word[4]", "uwconst(11, 4)", |_, _| Some(11));
    check(false, 2, "signed word[4]", "swconst(-3, 4)", |_, _| Some(-3));
}

#[test]
fn the_widest_words() {
    let text = "MODULE main VAR x : word[64]; y : signed word[64];
        ASSIGN x := 0ud64_18446744073709551615 / 0ud64_2 * 0ud64_2; y := - 0sd64_1 >> 63;
        INVARSPEC x > 0ud64_9223372036854775808; INVARSPEC y = - 0sd64_1; INVARSPEC x + 0ud64_2 = 0ud64_0";
    let document = document(text);
    let found = crate::support::verdicts_of_all(&document);
    assert_eq!(found, [Some(logic::Truth::True); 3]);
}
