use super::*;
use explicit::{Method, Request};
use logic::Truth;
use model::{Component, Sync, System};
use std::path::Path;
use support::Monitor;

fn wish(family: Family, size: u32, seed: u64, broken: bool) -> Wish {
    Wish { seed, ..Wish::new(family, size, broken) }
}

/// Members of the family that are small enough to be composed.
fn small(family: Family) -> impl Iterator<Item = Wish> {
    let sizes = (2..=4).flat_map(|size| (1..=3).map(move |seed| (size, seed)));
    sizes.flat_map(move |(size, seed)| [false, true].map(|broken| wish(family, size, seed, broken)))
}

fn verdict(system: &System, property: &front::Property) -> Truth {
    let (formula, monitor) = (question::compile(system, property), Monitor::new());
    let request = Request { method: Method::Direct, ..Request::new(system, &formula, &monitor) };
    explicit::run(&request).expect("it can be checked").verdict
}

fn name(wish: &Wish) -> String {
    format!("{:?} {} seed {} broken {}", wish.family, wish.size, wish.seed, wish.broken)
}

/// In particular they are the same for all sizes and seeds.
#[test]
fn every_property_has_the_verdict_that_is_stated() {
    for wish in Family::value_variants().iter().flat_map(|&family| small(family)) {
        let (system, properties) = read(&make(&wish));
        for (property, stated) in properties.iter().zip(wish.family.plan().properties) {
            let expected = if stated.verdict(wish.broken) { Truth::True } else { Truth::False };
            let actual = verdict(&system, property);
            assert_eq!(actual, expected, "{}: {}", name(&wish), property.name);
        }
    }
}

#[test]
fn there_are_properties_of_every_sort() {
    for family in Family::value_variants() {
        let properties = family.plan().properties;
        for sort in ["local: ", "two-party: ", "global: "] {
            let own = || properties.iter().filter(|property| property.name.starts_with(sort));
            assert!(own().any(|property| property.holds), "{family:?}: {sort}");
            assert!(own().any(|property| !property.holds), "{family:?}: {sort}");
        }
        let is_safety = |p: &Property| p.formula.starts_with("A") || p.formula.starts_with("[");
        let is_global = |p: &Property| p.name.starts_with("global: ");
        let mut seen = properties.iter().filter(|p| p.holds && !p.holds_if_broken);
        assert!(seen.any(|p| is_global(p) && is_safety(p)), "{family:?}: nobody sees the fault");
    }
}

/// A client shows its steps under the names that the vectors give them, so alone it has no such steps.
#[test]
fn local_properties_are_decided_by_one_component() {
    for &family in Family::value_variants() {
        if family == Family::ClientServer {
            continue;
        }
        let (whole, properties) = read(&make(&wish(family, 2, 1, false)));
        let is_first = |part: &&Component| part.model.name.ends_with('0');
        let first = whole.components.iter().rfind(is_first).expect("a first component").clone();
        let alone = System { components: vec![first], sync: Sync::default() };
        for property in properties.iter().filter(|p| p.name.starts_with("local: ")) {
            let in_the_whole = verdict(&whole, property);
            assert_eq!(verdict(&alone, property), in_the_whole, "{family:?}: {}", property.name);
        }
    }
}

/// What drives wires never gets stuck, broken or not.
#[test]
fn wires_do_not_block() {
    for family in [Family::TokenRing, Family::Pipeline, Family::ArbiterTree, Family::Msi] {
        for wish in small(family) {
            let goes_on = "property live: ctl AG EX true;";
            let (system, properties) = read(&(make(&wish) + goes_on));
            let live = properties.last().expect("a property");
            assert_eq!(verdict(&system, live), Truth::True, "{}", name(&wish));
        }
    }
}

#[test]
fn files_grow_by_components_of_the_same_size() {
    for &family in Family::value_variants() {
        let largest = |size| {
            let (system, _) = read(&make(&wish(family, size, 1, false)));
            system.components.iter().map(|part| part.model.states()).max()
        };
        assert_eq!(largest(8), largest(40), "{family:?}");
        let length = |size| make(&wish(family, size, 1, false)).len() as f64;
        let growth = (length(400) - length(200)) / (length(200) - length(100));
        assert!((1.7..2.3).contains(&growth), "{family:?}: {growth}");
    }
}

#[test]
fn the_seed_decides() {
    for &family in Family::value_variants() {
        let text = |seed| make(&wish(family, 12, seed, true));
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2), "{family:?}");
    }
}

/// `gen family NAME SIZE` for each of them, with `--broken` where the name ends so and `--smv` where the
/// file does.
#[test]
fn the_examples_are_what_is_generated() {
    let examples = [
        ("token-ring", Family::TokenRing, 3),
        ("philosophers", Family::Philosophers, 3),
        ("pipeline", Family::Pipeline, 2),
        ("client-server", Family::ClientServer, 3),
        ("arbiter-tree", Family::ArbiterTree, 3),
        ("msi", Family::Msi, 2),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/families");
    for (name, family, size) in examples {
        for (end, broken) in [("", false), ("-broken", true)] {
            let plain = wish(family, size, 1, broken);
            compare(&folder.join(format!("{name}{end}.tm")), &plain);
            let wish = Wish { size: 3, smv: true, ..plain };
            compare(&folder.join(format!("{name}{end}.smv")), &wish);
        }
    }
}

fn compare(path: &Path, wish: &Wish) {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(text == write(wish), "{}: not what is generated", path.display());
}
