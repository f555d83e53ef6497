//! Random SMV programs by BDDs against the same by states: types, cases, arrays, words, processes, inputs,
//! constraints, fairness, deadlocks; and programs in which something fails.

use crate::generate::program;
use crate::programs::{Found, by_bdds, by_states, count, found, read};
use logic::Truth;
use std::cell::Cell;
use symbolic::Policy;
use testkit::SmvDocument;
use testkit::{Case, Rng, for_seeds};

const MOST_STATES: usize = 3_000;

pub fn document(rng: &mut Rng, case: &mut Case) -> Result<SmvDocument, String> {
    let text = program(rng);
    case.note(&text);
    read(&text).ok_or_else(|| "the program is refused".to_owned())
}

fn compare(document: &SmvDocument, is_unsliced: bool, policy: Policy) -> Result<bool, String> {
    let expected: Found = by_states(document, is_unsliced, MOST_STATES).into();
    if expected == Found::NoRoom {
        return Ok(false);
    }
    match found(by_bdds(document, is_unsliced, policy), document) {
        found if found == expected => Ok(true),
        found => Err(format!("{found:?}, by states {expected:?}")),
    }
}

#[test]
fn verdicts_are_those_by_states() {
    let compared = Cell::new(0);
    for_seeds("symbolic-programs", 0..3_000, |rng, case| {
        let document = document(rng, case)?;
        let is_unsliced = rng.chance(0.5);
        let is_compared = compare(&document, is_unsliced, Policy::default())?;
        compared.set(compared.get() + u32::from(is_compared));
        Ok(())
    });
    println!("{compared:?} programs compared");
    assert!(compared.get() > 2_000, "{compared:?}");
}

#[test]
fn as_many_states_are_reached() {
    let compared = Cell::new(0);
    for_seeds("symbolic-counts", 0..1_000, |rng, case| {
        let document = document(rng, case)?;
        let Ok(expected) = count(&document, 10 * MOST_STATES) else { return Ok(()) };
        let (_, figures) =
            by_bdds(&document, true, Policy::default()).map_err(|halt| format!("{halt:?}"))?;
        compared.set(compared.get() + 1);
        match figures.states == expected as f64 {
            true => Ok(()),
            false => Err(format!("{} states, there are {expected}", figures.states)),
        }
    });
    assert!(compared.get() > 700, "{compared:?}");
}

#[test]
fn reordering_in_the_middle_of_everything_changes_nothing() {
    let compared = Cell::new(0);
    for_seeds("symbolic-program-unrest", 0..400, |rng, case| {
        let document = document(rng, case)?;
        let policy = Policy { unrest: Some(rng.between(3, 40) as u64), ..Policy::default() };
        let is_compared = compare(&document, rng.chance(0.5), policy)?;
        compared.set(compared.get() + u32::from(is_compared));
        Ok(())
    });
    assert!(compared.get() > 250, "{compared:?}");
}

#[test]
fn too_little_room_changes_a_verdict_only_to_none() {
    let [compared, full] = [Cell::new(0), Cell::new(0)];
    for_seeds("symbolic-program-room", 0..800, |rng, case| {
        let document = document(rng, case)?;
        let reorder_at = rng.chance(0.5).then_some(rng.between(8, 100));
        let most_nodes = rng.between(2, 250);
        let policy = Policy { most_nodes, reorder_at, ..Policy::default() };
        let is_unsliced = rng.chance(0.5);
        let expected: Found = by_states(&document, is_unsliced, MOST_STATES).into();
        match (found(by_bdds(&document, is_unsliced, policy), &document), expected) {
            (_, Found::NoRoom) => {}
            (Found::NoRoom, _) => full.set(full.get() + 1),
            (Found::Verdicts(found), Found::Verdicts(expected)) => {
                let answers = |of: &Option<Truth>| *of != Some(Truth::Unknown);
                let mut both = found.iter().zip(&expected).filter(|(found, _)| answers(found));
                if !both.all(|(found, expected)| found == expected) {
                    return Err(format!("{found:?}, by states {expected:?}"));
                }
                let count = if found.iter().all(answers) { &compared } else { &full };
                count.set(count.get() + 1);
            }
            (found, expected) if found == expected => compared.set(compared.get() + 1),
            (found, expected) => return Err(format!("{found:?}, by states {expected:?}")),
        }
        Ok(())
    });
    println!("{compared:?} compared, {full:?} without room");
    assert!(compared.get() > 150 && full.get() > 150, "{compared:?} {full:?}");
}

/// The program without some of what guards it.
fn unguarded(rng: &mut Rng, text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let guards = [
            ("abs(", "("),
            (" mod 2 + ", " mod 3 + "),
            (" mod 3 + ", " mod 4 + "),
            (" mod 4 + ", " mod 5 + "),
            ("TRUE : ", "FALSE : "),
            (" / 2", " / 0"),
        ];
        let guard = guards.iter().find(|(guard, _)| rest.starts_with(guard));
        if let Some((guard, without)) = guard.filter(|_| rng.chance(0.25)) {
            result += without;
            rest = &rest[guard.len()..];
            continue;
        }
        result.push(next);
        rest = &rest[next.len_utf8()..];
    }
    result
}

#[test]
fn what_goes_wrong_is_found_where_states_show_it() {
    let [faults, good] = [Cell::new(0), Cell::new(0)];
    let add = |cell: &Cell<u32>| cell.set(cell.get() + 1);
    for_seeds("symbolic-faults", 0..4_000, |rng, case| {
        let text = program(rng);
        let text = unguarded(rng, &text);
        case.note(&text);
        let Some(document) = read(&text) else { return Ok(()) };
        let is_unsliced = rng.chance(0.5);
        let expected: Found = by_states(&document, is_unsliced, MOST_STATES).into();
        let found = found(by_bdds(&document, is_unsliced, Policy::default()), &document);
        match (expected, found) {
            (Found::NoRoom, _) => {}
            (Found::Fault, Found::Fault) => add(&faults),
            (expected, found) if expected == found => add(&good),
            (expected, found) => return Err(format!("{found:?}, by states {expected:?}")),
        }
        Ok(())
    });
    println!("{faults:?} with a fault, {good:?} without");
    assert!(faults.get() > 300 && good.get() > 300, "{faults:?} {good:?}");
}

/// Assignments fail whatever conditions say; conditions only where no other one is false.
#[test]
fn blocked_components_are_named() {
    let cases = [
        ("ASSIGN init(x) := 0; next(x) := x + 1;", true),
        ("ASSIGN init(x) := 0; next(x) := x + 1; TRANS x != 3", true),
        ("ASSIGN init(x) := 3; next(x) := x + 1; TRANS next(y) = 3 & next(y) = 2", true),
        ("ASSIGN init(x) := 0; next(x) := 6 / next(y); TRANS next(y) = 2", true),
        ("ASSIGN init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : 0; esac;", false),
        ("ASSIGN init(x) := 0; next(x) := 3 / (y + 1);", false),
        ("INVAR x != 3 ASSIGN next(x) := case x < 3 : x + 1; esac;", false),
        ("TRANS 6 / y = 3", true),
        ("TRANS (6 / y = 3) & y != 0", false),
        ("TRANS y != 0 & (6 / y = 3)", false),
        ("TRANS (6 / y = 3) & next(y) = 2 & y != 0", false),
        ("TRANS y = 0 | 6 / y = 3", false),
        ("TRANS next(x) = 6 / y; INVAR y != 0", false),
        ("INIT 6 / x = 2 & x != 0", false),
        ("INIT 6 / x = 2", true),
        ("INVAR 6 / x = 2", true),
        ("DEFINE q := 6 / x; INVAR x != 0 INVAR q > 0", false),
    ];
    for (text, is_wrong) in cases {
        let text = format!("MODULE main VAR x : 0..3; y : 0..3; {text}\nSPEC AG x + y >= 0");
        let document = read(&text).unwrap_or_else(|| panic!("{text}"));
        let by_states: Found = by_states(&document, true, MOST_STATES).into();
        let by_bdds = found(by_bdds(&document, true, Policy::default()), &document);
        for found in [by_states, by_bdds] {
            assert_eq!(found == Found::Fault, is_wrong, "{text}: {found:?}");
        }
    }
}
