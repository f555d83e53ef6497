//! The running example of paper A, by the definitions.

use model::{PartialModel, System};
use std::path::Path;
use support::{FileId, Monitor};
use testkit::TmDocument;
use testkit::assumption_oracle::{assumption_classes, forward_classes, violates};

fn mutex() -> (System, PartialModel) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assume/mutex.tm");
    let text = std::fs::read_to_string(path).expect("the example");
    let read =
        testkit::read_tm(FileId(0), &text.into(), &Monitor::new(), &mut |_| Err(String::new()));
    let TmDocument { system, mut safeties, .. } = read.expect("a document");
    (system.expect("components"), safeties.remove(0).model)
}

/// The classes as the paper writes them.
fn named(process: &PartialModel, classes: &[u32]) -> Vec<String> {
    let count = classes.iter().max().map_or(0, |&last| last + 1);
    let mut named = vec![String::new(); count as usize];
    for (state, &class) in (0..).zip(classes) {
        named[class as usize] += &process.state_name(state);
    }
    named
}

/// A Figs. 3 to 5.
#[test]
fn the_mutual_exclusion_example() {
    let (system, safety) = mutex();
    let process = &system.components[1].model;
    assert!(!violates(&system, 1, &safety, None));
    let forward = forward_classes(&system, 1, &safety);
    assert_eq!(named(process, &forward), ["j", "k", "l", "mnop", "q", "r"]);
    let both = assumption_classes(&system, 1, &safety);
    assert_eq!(named(process, &both), ["j", "klmnop", "qr"]);
}

/// The classes of M that Fig. 6 merges are those of the same process seen from the other side.
#[test]
fn the_two_processes_mirror_each_other() {
    let (system, safety) = mutex();
    let both = assumption_classes(&system, 0, &safety);
    assert_eq!(named(&system.components[0].model, &both), ["a", "bcdefg", "hi"]);
}
