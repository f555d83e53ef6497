use super::*;
use crate::families;
use explicit::{Method, Request};
use logic::Truth;
use std::path::Path;
use testkit::assumption_oracle::{assumption_classes, violates};

fn small() -> impl Iterator<Item = (Protocol, u32)> {
    Protocol::value_variants().iter().flat_map(|&protocol| [(protocol, 2), (protocol, 3)])
}

#[test]
fn every_property_has_the_verdict_that_is_stated() {
    for (protocol, size) in small() {
        let Questions { system, process, safeties } = questions(protocol, size);
        let (_, properties) = families::read(&make(&Wish { protocol, size }));
        assert_eq!(safeties.len(), properties.len());
        for (safety, property) in safeties.iter().zip(&properties) {
            let name = format!("{protocol:?} {size}: {}", safety.name);
            let found = !violates(&system, process, &safety.model, None);
            assert_eq!(found, safety.holds, "{name}");
            let (formula, monitor) = (families::compile(&system, property), Monitor::new());
            let request =
                Request { method: Method::Direct, ..Request::new(&system, &formula, &monitor) };
            let verdict = explicit::run(&request).expect("it can be checked").verdict;
            assert_eq!(verdict, Truth::from(safety.holds), "{name}, as a formula");
        }
    }
}

#[test]
fn some_properties_hold_and_some_do_not() {
    for (protocol, size) in small() {
        let safeties = (protocol.plan().safeties)(size);
        for holds in [true, false] {
            assert!(safeties.iter().any(|safety| safety.holds == holds), "{protocol:?}: {holds}");
        }
    }
}

/// A §7: the paper has 8, 1, 8 and 1, for a model that it does not print.
#[test]
fn the_sliding_window_is_as_large_as_in_the_paper() {
    let Questions { system, process, safeties, .. } = questions(Protocol::SlidingWindow, 3);
    for part in &system.components {
        assert_eq!(part.model.states(), 192);
        assert_eq!(part.model.reachable().count_ones(..), 192);
    }
    let classes = safeties.iter().map(|safety| {
        let classes = assumption_classes(&system, process, &safety.model);
        classes.iter().max().map_or(0, |&last| last + 1)
    });
    assert_eq!(classes.collect::<Vec<_>>(), [13, 1, 13, 1]);
}

/// However long it is, the log matters to nobody.
#[test]
fn a_log_grows_and_its_assumption_does_not() {
    for size in [2, 30, 300] {
        let Questions { system, process, safeties, .. } = questions(Protocol::Log, size);
        assert_eq!(system.components[process].model.states() as u32, 3 * size);
        let classes = assumption_classes(&system, process, &safeties[0].model);
        assert_eq!(classes.iter().max(), Some(&1));
    }
}

/// `gen protocol NAME SIZE` for each of them.
#[test]
fn the_examples_are_what_is_generated() {
    let examples = [
        ("sliding-window", Protocol::SlidingWindow, 2),
        ("alternating-bit", Protocol::AlternatingBit, 2),
        ("philosophers", Protocol::Philosophers, 3),
        ("client-server", Protocol::ClientServer, 3),
        ("peterson", Protocol::Peterson, 2),
        ("log", Protocol::Log, 4),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/assume");
    for (name, protocol, size) in examples {
        let path = folder.join(format!("{name}.tm"));
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let made = make(&Wish { protocol, size });
        assert!(text == made, "{}: not what is generated", path.display());
    }
}
