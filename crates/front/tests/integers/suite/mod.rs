//! The programs of benches/integers: that they can be read, and that no state near the start contradicts what is expected.
//!
//! So many states are explored, and what follows beyond them is unknown: so a formula has one of three values, and what is definite
//! holds for the program over all integers.

mod evaluate;
mod explore;

use evaluate::Evaluation;
use explore::explore;
use testkit::{IntegerText, integer_texts};

/// Small numbers, and those just at what the text speaks of; smaller ones first.
fn near(text: &str) -> Vec<i64> {
    let words = text.split(|c: char| !c.is_ascii_digit());
    let spoken_of = words.filter_map(|word| word.parse::<i64>().ok()).filter(|&n| n < 10_000);
    let around = spoken_of.flat_map(|number| [number - 1, number, number + 1, -number]);
    let mut all: Vec<i64> = (-12..=12).chain(around).collect();
    all.sort_by_key(|number| (number.abs(), -number));
    all.dedup();
    all
}

#[test]
fn nothing_near_the_start_contradicts_what_is_expected() {
    let (mut programs_read, mut pairs, mut shown) = (0, 0, 0);
    let mut wrong = Vec::new();
    for IntegerText { name, text, expected } in integer_texts() {
        assert!(text.starts_with("// "), "{name} does not say what it shows");
        let document = crate::document(&text);
        assert!(document.warnings.is_empty(), "{name}: {:?}", document.warnings);
        let asked: Vec<&str> =
            document.properties.iter().map(|property| property.title()).collect();
        let known: Vec<&str> = expected.iter().map(|(name, _)| &**name).collect();
        assert_eq!(asked, known, "{name}");
        let explored = explore(&document, &near(&text));
        assert!(!explored.starts.is_empty(), "{name} does not start near zero");
        let evaluation = Evaluation::new(&document, &explored);
        for (property, (title, expected)) in document.properties.iter().zip(expected) {
            let surface = property.surface().unwrap();
            let sets = evaluation.formula(surface, surface.root);
            let is_refuted = explored.starts.iter().any(|&start| !sets.maybe[start]);
            let is_shown = explored.starts.iter().all(|&start| sets.sure[start]);
            if if expected { is_refuted } else { is_shown } {
                wrong.push(format!("{name}: {title}, which is expected to be {expected}"));
            }
            pairs += 1;
            let is_known = match expected {
                true => is_shown || evaluation.holds_nearby(surface),
                false => is_refuted,
            };
            shown += usize::from(is_known);
            if !is_known {
                println!("{name}: {title} is not known to be {expected} from what was looked at");
            }
        }
        programs_read += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    println!("{programs_read} programs, {pairs} pairs, {shown} of them decided near the start");
    assert!(programs_read >= 80 && pairs >= 280, "{programs_read} programs with {pairs} pairs");
    assert!(shown * 10 >= pairs * 7, "{shown} of {pairs}");
}
