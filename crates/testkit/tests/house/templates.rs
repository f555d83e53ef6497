//! The examples with parameters and data: short, and what the plain ones are that they stand for.

use crate::{files_below, read, root};
use model::{ActionId, Mode, ModelBuilder, PartialModel, System, TAU, bisimulation};
use std::path::Path;
use std::sync::Arc;
use support::{FileId, Monitor};

fn system(path: &Path) -> System {
    let text: Arc<str> = read(path).into();
    let mut no_other_files = |other: &str| Err(format!("`{other}` is not there"));
    let document = testkit::read_tm(FileId(0), &text, &Monitor::new(), &mut no_other_files);
    let document = document.unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
    document.system.expect("a system")
}

#[test]
fn templates_are_short() {
    let examples = files_below(&root().join("examples/templates"), "tm");
    assert_eq!(examples.len(), 12, "six families and six systems of textbooks");
    for path in examples {
        let lines = read(&path).lines().count();
        assert!(lines <= 40, "{} has {lines} lines", path.display());
    }
}

/// The name in the plain example: without dots, and by the number that counts there.
fn plain_name(family: &str, name: &str) -> String {
    let (base, index) = name.split_once('.').unwrap_or((name, ""));
    let number: Option<usize> = index.parse().ok();
    match (family, base, number) {
        ("pipeline", "v" | "d", Some(0)) => format!("{base}in"),
        ("pipeline", "v" | "d", Some(number)) => format!("{base}{}", number - 1),
        ("pipeline", "r", Some(2)) => "rout".to_owned(),
        ("arbiter-tree", "Node", Some(0)) => "Node0_2".to_owned(),
        ("arbiter-tree", "Node", Some(1)) => "Node0_1".to_owned(),
        ("arbiter-tree", "gnt" | "req", Some(0)) => format!("{base}_root"),
        ("arbiter-tree", "gnt" | "req", Some(1)) => format!("{base}0_1"),
        // The users 0, 1 and 2 have the wires 3, 4 and 2.
        ("arbiter-tree", _, Some(wire)) => format!("{base}{}", wire % 3),
        _ => format!("{base}{index}"),
    }
}

fn renamed(family: &str, model: &PartialModel) -> PartialModel {
    let mut builder = ModelBuilder::new(model.kind, plain_name(family, &model.name));
    for state in 0..model.states() as u32 {
        builder.state(model.state_name(state));
    }
    for (prop, name) in model.props().iter() {
        let new = builder.prop(&plain_name(family, name));
        (0..model.states() as u32).for_each(|s| builder.label(s, new, model.label(s, prop)));
    }
    let actions: Vec<ActionId> =
        model.actions().names().map(|name| builder.action(&plain_name(family, name))).collect();
    for state in 0..model.states() as u32 {
        for (target, class) in model.edges().out(state) {
            let action = class.action.map(|action| actions[action.0 as usize]);
            assert_eq!(class.mode, Mode::BOTH, "nothing is partial here");
            builder.edge(state, action, class.mode, target);
        }
    }
    model.init().iter().for_each(|&state| builder.init(state));
    builder.finish()
}

/// Whether each initial state of one is bisimilar to one of the other.
fn are_bisimilar(left: &PartialModel, right: &PartialModel) -> bool {
    let alphabet = |model: &PartialModel| {
        let mut names: Vec<String> = model.actions().names().map(str::to_owned).collect();
        names.retain(|name| name != TAU);
        names.sort();
        names
    };
    let relation = bisimulation(left, right, &Monitor::new()).expect("the same propositions");
    let (ours, theirs) = (left.init(), right.init());
    alphabet(left) == alphabet(right)
        && ours.iter().all(|&a| theirs.iter().any(|&b| relation.contains(a, b)))
        && theirs.iter().all(|&b| ours.iter().any(|&a| relation.contains(a, b)))
}

/// Bisimulation is a congruence for composition, so the systems are bisimilar if their components are.
#[test]
fn families_are_the_plain_ones() {
    let folder = root().join("examples");
    for family in ["philosophers", "token-ring", "client-server", "msi", "pipeline", "arbiter-tree"]
    {
        let file = format!("{family}.tm");
        let [short, plain] =
            ["templates", "families"].map(|name| system(&folder.join(name).join(&file)));
        assert_eq!(short.components.len(), plain.components.len(), "{family}");
        for component in &short.components {
            let ours = renamed(family, &component.model);
            let theirs = plain.components.iter().find(|other| other.model.name == ours.name);
            let theirs = theirs.unwrap_or_else(|| panic!("{family}: no `{}`", ours.name));
            assert!(are_bisimilar(&ours, &theirs.model), "{family}: `{}`", ours.name);
        }
        assert_eq!(vectors(family, &short), vectors("", &plain), "{family}");
    }
}

fn vectors(family: &str, system: &System) -> Vec<String> {
    let part = |(component, action): &(usize, String)| {
        let name = plain_name(family, &system.components[*component].model.name);
        format!("{name}:{}", plain_name(family, action))
    };
    let vectors = system.sync.vectors.iter().map(|vector| {
        let parts: Vec<String> = vector.parts.iter().map(part).collect();
        format!("{} -> {}", parts.join(" | "), plain_name(family, &vector.result))
    });
    let mut vectors: Vec<String> = vectors.collect();
    vectors.sort();
    vectors
}

/// The comparison is able to fail.
#[test]
fn other_components_are_not_bisimilar() {
    let folder = root().join("examples/templates");
    let components = system(&folder.join("philosophers.tm")).components;
    let names = |name: &str| components.iter().find(|c| c.model.name == name).expect("a component");
    let [first, last] = ["Phil.0", "Phil.2"].map(|name| &names(name).model);
    assert!(are_bisimilar(first, first));
    assert!(!are_bisimilar(first, last));
}
