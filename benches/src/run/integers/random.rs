//! Random programs over integers, as texts.

use super::texts::Text;
use crate::random::Random;

const VARIABLES: [&str; 3] = ["x", "y", "z"];
const PROPERTIES: [&str; 4] = ["AF at_done", "AG EF C", "AG (C -> AF C)", "EG C"];

/// The same for the same seed. What is expected of it is not known.
pub fn text(seed: u64) -> Text {
    let mut random = Random::new(seed);
    let mut text = format!("var x, y, z : int;\nwhile {} do\n", condition(&mut random, 2));
    let body: Vec<String> = (0..2 + random.below(3)).map(|_| command(&mut random, 2)).collect();
    text += &format!("  {}\nod;\ndone: fin\n\n", body.join(";\n  "));
    for (name, shape) in PROPERTIES.iter().enumerate() {
        let mut formula = (*shape).to_owned();
        while formula.contains('C') {
            let condition = condition(&mut random, 1);
            formula = formula.replacen('C', &format!("({condition})"), 1);
        }
        text += &format!("property p{name}: ctl {formula};\n");
    }
    let expected = (0..PROPERTIES.len()).map(|name| (format!("p{name}"), false)).collect();
    Text { name: format!("random {seed}"), text: text.into(), expected }
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len() as u32) as usize]
}

fn condition(random: &mut Random, depth: u32) -> String {
    if depth > 1 && random.chance(0.4) {
        let operator = pick(random, &["&", "|"]);
        return format!("({} {operator} {})", condition(random, 1), condition(random, 1));
    }
    let (a, b) = (pick(random, &VARIABLES), pick(random, &VARIABLES));
    let relation = pick(random, &["=", "!=", "<", "<=", ">", ">="]);
    let number = i64::from(random.below(21)) - 10;
    match random.below(8) {
        0..4 => format!("{a} {relation} {number}"),
        4 => format!("{a} {relation} {b}"),
        5 => format!("{a} + {b} {relation} {number}"),
        6 => format!("2 * {a} - {b} {relation} {number}"),
        _ => format!("{a} mod {} = {}", 2 + random.below(4), random.below(2)),
    }
}

fn command(random: &mut Random, depth: u32) -> String {
    if depth > 0 && random.chance(0.3) {
        let (then, otherwise) = (command(random, depth - 1), command(random, depth - 1));
        return format!("if {} then {then} else {otherwise} fi", condition(random, 2));
    }
    let (a, b) = (pick(random, &VARIABLES), pick(random, &VARIABLES));
    let number = random.below(4);
    match random.below(9) {
        0 | 1 => format!("{a} := {a} + {number}"),
        2 | 3 => format!("{a} := {a} - {number}"),
        4 => format!("{a} := {a} - {b}"),
        5 => format!("{a} := {b} + {number}"),
        6 => format!("{a} := {{{a}, {b} + 1}}"),
        7 => format!("{a} := {a} / {}", 2 + number),
        _ => format!("{a} := any"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Program;
    use super::*;

    #[test]
    fn texts_can_be_read_and_stay_the_same() {
        for seed in 1..300 {
            let program = Program::read(text(seed));
            assert_eq!(program.expected.len(), PROPERTIES.len());
            assert_eq!(text(seed).text, text(seed).text);
        }
    }
}
