//! Tests of the generators: verdicts, sizes, and the same bytes for the same seed.

use super::families::{self, Family, Property, Wish, compile, questions, read};
use super::games;
use super::lts::{self, Lts, Shape};
use super::mixed;
use super::name;
use super::programs::Program;
use super::protocols::{Protocol, Questions};
use super::smv;
use super::system::{Detail, Network};
use clap::ValueEnum;
use explicit::{DIRECT, Request};
use front::{GivenQuestion, Specification};
use logic::{Logic, Signature, Truth};
use model::{Component, Sync, System};
use std::path::Path;
use std::{env, fs, process};
use support::{FileId, Monitor};
use testkit::assumption_oracle::{assumption_classes, violates};
use testkit::{SmvDocument, compile_for, programs::explicit_model};

fn wish(family: Family, size: u32, seed: u64, broken: bool) -> Wish {
    Wish { seed, ..Wish::new(family, size, broken) }
}

/// Members of the families that are small.
fn small(sizes: &[u32], seeds: &[u64]) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for &family in Family::value_variants() {
        for &size in sizes {
            for &seed in seeds {
                wishes.extend([false, true].map(|broken| wish(family, size, seed, broken)));
            }
        }
    }
    wishes
}

fn reported(wish: &Wish) -> String {
    let Wish { family, size, seed, broken, data, .. } = wish;
    format!("{family:?} {size} seed {seed} broken {broken} data {data:?}")
}

fn verdict(system: &System, property: &Specification) -> Truth {
    let (formula, monitor) = (compile(system, property), Monitor::new());
    let request = Request::new(system, &formula, &monitor);
    DIRECT.run(&request).expect("it can be checked").verdict
}

/// The verdicts are those that are stated, for all sizes and seeds.
fn has_the_stated_verdicts(text: &str, stated: &[Property], broken: bool, reported: &str) {
    let (system, properties) = read(text);
    assert_eq!(properties.len(), stated.len());
    for (property, stated) in properties.iter().zip(stated) {
        let found = verdict(&system, property);
        assert_eq!(
            found,
            stated.holds[usize::from(broken)].into(),
            "{reported}: {}",
            property.title()
        );
    }
}

#[test]
fn every_property_of_a_family_has_the_verdict_that_is_stated() {
    for wish in small(&[2, 3, 4], &[1, 2, 3]) {
        let properties = wish.family.plan().properties;
        has_the_stated_verdicts(&families::make(&wish), &properties, wish.broken, &reported(&wish));
    }
    for &family in Family::value_variants() {
        for &detail in Detail::value_variants() {
            let text = families::make_detailed(&Wish::new(family, 2, false), detail, 3);
            let reported = format!("{family:?} {detail:?}");
            has_the_stated_verdicts(&text, &family.plan().properties, false, &reported);
        }
    }
}

#[test]
fn every_value_of_a_detail_is_there() {
    let wish = Wish::new(Family::TokenRing, 2, false);
    let (system, _) = read(&families::make(&wish));
    for &detail in Detail::value_variants() {
        let (large, _) = read(&families::make_detailed(&wish, detail, 50));
        for (before, after) in system.components.iter().zip(&large.components) {
            let [before, after] = [before, after].map(|part| part.model.reachable().count_ones(..));
            assert_eq!(after, 50 * before, "{detail:?}");
        }
    }
}

#[test]
fn there_are_properties_of_every_sort() {
    for family in Family::value_variants() {
        let properties = family.plan().properties;
        for sort in ["local: ", "two-party: ", "global: "] {
            let own = || properties.iter().filter(|property| property.name.starts_with(sort));
            for holds in [true, false] {
                assert!(own().any(|property| property.holds[0] == holds), "{family:?}: {sort}");
            }
        }
        let is_safety = |p: &Property| p.tm.1.starts_with("A") || p.tm.1.starts_with("[");
        let is_global = |p: &Property| p.name.starts_with("global: ");
        let mut seen = properties.iter().filter(|p| p.holds == [true, false]);
        assert!(seen.any(|p| is_global(p) && is_safety(p)), "{family:?}: nobody sees the fault");
    }
}

/// A client shows its steps under the names that the vectors give them, so alone it has no such steps.
#[test]
fn local_properties_are_decided_by_one_component() {
    let all = Family::value_variants().iter().filter(|family| **family != Family::ClientServer);
    for &family in all {
        let (whole, properties) = read(&families::make(&wish(family, 2, 1, false)));
        let is_first = |part: &&Component| part.model.name.ends_with('0');
        let first = whole.components.iter().rfind(is_first).expect("a first component").clone();
        let alone = System { components: vec![first], sync: Sync::default() };
        for property in properties.iter().filter(|p| p.title().starts_with("local: ")) {
            let [alone, whole] = [&alone, &whole].map(|system| verdict(system, property));
            assert_eq!(alone, whole, "{family:?}: {}", property.title());
        }
    }
}

/// Components that drive wires never deadlock, broken or not.
#[test]
fn wires_do_not_block() {
    let has_wires =
        |wish: &Wish| ![Family::Philosophers, Family::ClientServer].contains(&wish.family);
    for wish in small(&[2, 3, 4], &[1, 2, 3]).into_iter().filter(has_wires) {
        let goes_on = "property live: ctl AG EX true;";
        let (system, properties) = read(&(families::make(&wish) + goes_on));
        let live = properties.last().expect("a property");
        assert_eq!(verdict(&system, live), Truth::True, "{}", reported(&wish));
    }
}

#[test]
fn files_grow_by_components_of_the_same_size_and_the_seed_decides() {
    for &family in Family::value_variants() {
        let largest = |size| {
            let (system, _) = read(&families::make(&wish(family, size, 1, false)));
            system.components.iter().map(|part| part.model.states()).max()
        };
        assert_eq!(largest(8), largest(40), "{family:?}");
        for smv in [false, true] {
            let made = |size| families::make(&Wish { smv, ..wish(family, size, 1, false) });
            let length = |size| made(size).len() as f64;
            let growth = (length(400) - length(200)) / (length(200) - length(100));
            assert!((1.7..2.3).contains(&growth), "{family:?}: {growth}");
        }
        let text = |seed| families::make(&wish(family, 12, seed, true));
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2), "{family:?}");
    }
}

fn is_the_example(path: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(path);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(text == made, "{}: not what is generated", path.display());
}

/// `gen family NAME SIZE`, with `--broken` where the name ends so and `--smv` where the file does, `gen protocol NAME SIZE`
/// and `gen mixed 2 --tm`.
#[test]
fn the_examples_are_what_is_generated() {
    for (&family, size) in Family::value_variants().iter().zip([3, 3, 2, 3, 3, 2]) {
        for (end, broken) in [("", false), ("-broken", true)] {
            let plain = wish(family, size, 1, broken);
            let file = format!("families/{}{end}", family.name());
            is_the_example(&format!("{file}.tm"), &families::make(&plain));
            let wish = Wish { size: 3, smv: true, ..plain };
            is_the_example(&format!("{file}.smv"), &families::make(&wish));
        }
    }
    for (&protocol, size) in Protocol::value_variants().iter().zip([2, 2, 2, 3, 3, 2, 4]) {
        is_the_example(&format!("assume/{}.tm", protocol.name()), &protocol.make(size));
    }
    let wish = mixed::Wish { blocks: 2, tm: true, whole: false };
    is_the_example("mixed/blocks.tm", &mixed::make(&wish).expect("small"));
}

#[test]
fn negations_are_seen_through_and_formulas_are_written_for_all_tools() {
    let kind = |family, name: &str| {
        let questions = questions(family, 3, false);
        let found = questions.iter().find(|question| question.name.ends_with(name));
        let question = found.expect("a property of this name");
        format!("{}, {}", question.kind(), question.needs_musts())
    };
    let ring = |name| kind(Family::TokenRing, name);
    assert_eq!(ring("who works has stopped waiting"), "universal truth, false");
    assert_eq!(ring("what comes is always used"), "universal falsehood, true");
    assert_eq!(ring("station 0 can work"), "existential truth, true");
    assert_eq!(ring("the token is lost on the way"), "existential falsehood, false");
    assert_eq!(ring("station 0 can always work again"), "mixed truth, true");
    let table = |name| kind(Family::Philosophers, name);
    assert_eq!(table("neighbours never eat together"), "universal truth, false");
    assert_eq!(table("a philosopher can think forever"), "existential truth, true");
    let questions = questions(Family::ClientServer, 4, false);
    let last = questions.iter().find(|question| question.name.contains("push in"));
    assert_eq!(last.map(|q| &*q.mcf), Some("[true*.req0.(!rep0)*.rep3] false"));
    assert!(questions.iter().all(|question| !question.mcf.contains(" | ")));
}

/// Reads a network as Tertium does.
fn read_network(network: &Network) -> System {
    let component = |path: &std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let file = fs::File::open(path).expect("it was written");
        let mut model = front::read_aut(file, &name, &Monitor::new()).expect("an LTS");
        model.name = name;
        Component { model, is_unknown: false }
    };
    let components: Vec<Component> = network.files.iter().map(component).collect();
    let text = fs::read_to_string(network.path("net.sync")).expect("it was written");
    let (sync, warnings) = front::read_sync(FileId(0), &text.into(), &components).expect("vectors");
    assert!(warnings.is_empty(), "{warnings:?}");
    System { components, sync }
}

#[test]
fn a_network_is_the_same_system_and_every_part_of_a_joint_step_has_its_own_name() {
    let folder = env::temp_dir().join(format!("tertium-network-{}", process::id()));
    for family in [Family::Philosophers, Family::ClientServer] {
        let wish = Wish::new(family, 3, false);
        let (system, _) = read(&families::make(&wish));
        let network = Network::write(&families::system(&wish), &folder).expect("a folder");
        let compose = |system: &System| system.compose(&Monitor::new()).expect("no limit");
        let (whole, again) = (compose(&system), compose(&read_network(&network)));
        let same = model::bisimulation(&whole, &again, &Monitor::new()).expect("no limit");
        assert!(same.contains(whole.init()[0], again.init()[0]), "{family:?}");
        assert_eq!(whole.edges().len(), again.edges().len(), "{family:?}");
        let comm = fs::read_to_string(network.path("net.comm")).expect("it was written");
        let parts = comm.split([',', '\n', '{', '}']).filter_map(|step| step.split_once(" -> "));
        let mut parts: Vec<&str> = parts.flat_map(|(parts, _)| parts.split('|')).collect();
        parts.sort_unstable();
        let all = parts.len();
        parts.dedup();
        assert!(all > 0 && parts.len() == all, "{comm}");
    }
    fs::remove_dir_all(folder).expect("it was made");
    let wires = families::system(&Wish::new(Family::Msi, 2, false));
    assert!(Network::write(&wires, &env::temp_dir()).is_err());
}

/// An SMV file of which all properties of the family are asked, whether they are in it or not.
fn smv_document(wish: &Wish, asked: &[Property]) -> SmvDocument {
    let question = |property: &Property| GivenQuestion {
        logic: if property.smv.0 == "ctl" { Logic::Ctl } else { Logic::Mu },
        file: FileId(1),
        text: families::last(property.smv.1, wish.size).into(),
    };
    let asked: Vec<GivenQuestion> = asked.iter().map(question).collect();
    let text = families::make(wish).into();
    let read = testkit::read_smv_asking(FileId(0), &text, &asked);
    let document = read.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    document
}

#[test]
fn every_property_has_the_verdict_that_is_stated_in_smv_with_data_or_without() {
    let plain = small(&[2, 3, 4], &[1, 2, 3]).into_iter();
    let with_data = small(&[2, 3], &[1, 2]).into_iter().map(|w| Wish { data: Some(2), ..w });
    for wish in plain.chain(with_data).map(|wish| Wish { smv: true, ..wish }) {
        let properties = wish.family.plan().properties;
        let document = smv_document(&wish, &properties);
        let (machine, labels) = (&document.machine, &document.propositions);
        let slice = machine.unsliced();
        let subject = symbolic::LabelledMachine { machine, slice: &slice, labels, conditions: &[] };
        let session = symbolic::SymbolicChecker::new(subject, 1 << 20, &Monitor::new());
        let mut session = session.expect("there is room");
        let family = logic::Family::Props;
        let signature = Signature { family, props: &document.names, actions: &[] };
        for (asked, stated) in document.specifications.iter().zip(&properties) {
            let surface = asked.surface().expect("it can be checked");
            let formula = logic::compile(surface, &signature, &mut Vec::new());
            let found = session.check(&formula.expect("a proper formula")).expect("there is room");
            let expected = stated.holds[usize::from(wish.broken)];
            assert_eq!(found, expected.into(), "{}: {}", reported(&wish), stated.name);
        }
    }
}

/// Otherwise nobody would have to carry it. Only who is master of a bus does not depend on the copies.
#[test]
fn irrelevant_data_is_in_the_cone_of_every_property() {
    for wish in small(&[3], &[1]).into_iter().map(|w| Wish { smv: true, data: Some(8), ..w }) {
        for property in wish.family.plan().properties {
            let asked = std::slice::from_ref(&property);
            let SmvDocument { machine, propositions, .. } = smv_document(&wish, asked);
            let cone = machine.cone(propositions.iter().map(|property| property.node));
            let is_word = |var: &_| machine.vars[*var].name.ends_with(".ticks");
            let carries = machine.state_vars().filter(is_word).any(|var| cone.contains(var));
            let is_free = ["never both master", "are both master"];
            let is_exempt = is_free.iter().any(|end| property.name.ends_with(end));
            assert!(carries != is_exempt, "{:?}: {}", wish.family, property.name);
        }
    }
}

#[test]
fn names_are_identifiers_and_lines_are_chosen() {
    assert_eq!(smv::label("two-party: one fork, one hand"), "two_party_one_fork_one_hand");
    for family in Family::value_variants() {
        let properties = family.plan().properties;
        let labels = properties.iter().map(|property| smv::label(property.name));
        let labels: std::collections::HashSet<String> = labels.collect();
        assert_eq!(labels.len(), properties.len(), "{family:?}");
    }
    let text = "always\n@fault if broken\n@sound @data if sound with @W bits\n@plain   indented";
    assert_eq!(smv::choose(text, true, None), "always\nif broken\n  indented\n");
    assert_eq!(smv::choose(text, false, Some(8)), "always\nif sound with 8 bits\n");
}

#[test]
fn every_safety_property_has_the_verdict_that_is_stated() {
    for (&protocol, size) in Protocol::value_variants().iter().flat_map(|p| [(p, 2), (p, 3)]) {
        let Questions { system, process, safeties } = protocol.questions(size);
        let (_, properties) = read(&protocol.make(size));
        assert_eq!(safeties.len(), properties.len());
        for ((name, safety, holds), property) in safeties.iter().zip(&properties) {
            let reported = format!("{protocol:?} {size}: {name}");
            assert_eq!(!violates(&system, process, safety, None), *holds, "{reported}");
            let found = verdict(&system, property);
            assert_eq!(found, Truth::from(*holds), "{reported}, as a formula");
        }
        for holds in [true, false] {
            assert!(safeties.iter().any(|(.., stated)| *stated == holds), "{protocol:?}: {holds}");
        }
    }
}

/// A §7: the paper has 8, 1, 8 and 1, for a model that it does not print.
#[test]
fn the_sliding_window_is_as_large_as_in_the_paper() {
    for (protocol, expected) in
        [(Protocol::SlidingWindow, [13, 1, 13, 1]), (Protocol::SelectiveRepeat, [8, 1, 8, 2])]
    {
        let Questions { system, process, safeties, .. } = protocol.questions(3);
        for part in &system.components {
            assert_eq!((part.model.states(), part.model.reachable().count_ones(..)), (192, 192));
        }
        let classes = safeties.iter().map(|(_, safety, _)| {
            let classes = assumption_classes(&system, process, safety);
            classes.iter().max().map_or(0, |&last| last + 1)
        });
        assert_eq!(classes.collect::<Vec<_>>(), expected, "{protocol:?}");
    }
}

/// However long it is, the log matters to nobody.
#[test]
fn a_log_grows_and_its_assumption_does_not() {
    for size in [2, 30, 300] {
        let Questions { system, process, safeties, .. } = Protocol::Log.questions(size);
        assert_eq!(system.components[process].model.states() as u32, 3 * size);
        let classes = assumption_classes(&system, process, &safeties[0].1);
        assert_eq!(classes.iter().max(), Some(&1));
    }
}

/// The heads of the programs state their verdicts. A library is too long for a check of all its states by definition.
#[test]
fn programs_promise_what_they_keep() {
    let read = |program: Program, size, bits| {
        let read = testkit::read_while(FileId(0), &program.make(size, bits).into());
        let document = read.unwrap_or_else(|errors| panic!("{program:?}: {errors:?}"));
        assert!(document.warnings.is_empty(), "{program:?}: {:?}", document.warnings);
        document
    };
    for &program in Program::value_variants() {
        let [short, long] = [10, 20].map(|size| program.make(size, None));
        assert!(long.len() > short.len(), "{program:?}");
        let vars = |text: &str| text.lines().filter(|line| line.starts_with("var ")).count();
        assert_eq!(vars(&short), vars(&long), "{program:?}");
        let stated = program.verdicts();
        assert!(stated.contains(&true) && stated.contains(&false), "{program:?}");
        // As large as measurements want them.
        read(program, if program == Program::Nested { 100 } else { 10_000 }, None);
        if program == Program::Library {
            continue;
        }
        for (size, bits) in [(1, None), (2, None), (5, None), (3, Some(2))] {
            let document = read(program, size, bits);
            let model = explicit_model(&document.program, &document.propositions);
            assert_eq!(document.properties.len(), stated.len());
            for (property, stated) in document.properties.iter().zip(&stated) {
                let formula = compile_for(&property.surface().unwrap(), &model);
                let values = testkit::reference::evaluate(&model, &formula);
                let mut init = model.init().iter();
                let holds = init.all(|&state| values.at(formula.root(), state).is_true);
                assert_eq!(holds, *stated, "{program:?} {size}: {}", property.title());
            }
        }
    }
}

#[test]
fn files_of_the_mixed_experiment_can_be_read() {
    for (blocks, tm, states) in [(1, true, 16), (2, true, 48), (1, false, 63), (2, false, 972)] {
        let text = mixed::make(&mixed::Wish { blocks, tm, whole: !tm }).expect("small");
        let (system, properties) = read(&text);
        assert_eq!((system.components[0].model.states(), properties.len()), (states, 3));
    }
    let large = |tm| mixed::make(&mixed::Wish { blocks: 100, tm, whole: false });
    assert!(large(true).is_err() && large(false).is_ok());
}

fn reachable(lts: &Lts) -> u32 {
    let mut seen = vec![false; lts.states as usize];
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); seen.len()];
    lts.edges.iter().for_each(|&(source, _, target)| next[source as usize].push(target));
    let mut stack = vec![0];
    let mut count = 0;
    while let Some(state) = stack.pop() {
        if !std::mem::replace(&mut seen[state as usize], true) {
            count += 1;
            stack.extend(&next[state as usize]);
        }
    }
    count
}

#[test]
fn every_state_of_an_lts_is_reachable_and_sizes_are_about_right() {
    for shape in [Shape::Uniform, Shape::Grid, Shape::Tokens] {
        for locality in [0.0, 0.9, 1.0] {
            let lts = lts::make(&lts::Wish { locality, ..lts::Wish::of(shape, 5000, 3) });
            assert_eq!(reachable(&lts), lts.states);
            assert!((3000..8000).contains(&lts.states), "{}", lts.states);
            let degree = lts.edges.len() as f64 / f64::from(lts.states);
            assert!((2.5..=5.0).contains(&degree), "{degree}");
        }
        for degree in [0.0, 1.0, 2.5] {
            let lts = lts::make(&lts::Wish { degree, ..lts::Wish::of(shape, 1, 1) });
            assert_eq!(reachable(&lts), lts.states);
        }
    }
    let text = |seed| {
        let mut bytes = Vec::new();
        lts::make(&lts::Wish::of(Shape::Uniform, 300, seed)).write(&mut bytes).unwrap();
        front::read_aut(&bytes[..], "lts", &Monitor::new()).expect("an LTS");
        bytes
    };
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
}

#[test]
fn every_family_of_games_has_about_the_wanted_size() {
    let game = |family: games::Family, nodes, seed| {
        let (priorities, min, max, over, depth) = (8, 1, 5, Shape::Uniform, 8);
        games::make(&games::Wish { family, nodes, seed, priorities, min, max, over, depth })
    };
    for &family in games::Family::value_variants() {
        for nodes in [1, 100, 20_000] {
            let (game, name) = (game(family, nodes, 7), name(&family));
            let mut text = Vec::new();
            game.write(&mut text).unwrap();
            let back = front::read_pg(&text[..], &name, &Monitor::new()).unwrap();
            assert_eq!((back.len(), &back.successors), (game.len(), &game.successors), "{name}");
            if nodes == 20_000 {
                assert!((8_000..40_000).contains(&game.len()), "{name}: {}", game.len());
            }
        }
    }
    for family in [games::Family::Random, games::Family::Mc2, games::Family::Mc3] {
        assert_eq!(game(family, 500, 7), game(family, 500, 7));
        assert_ne!(game(family, 500, 7), game(family, 500, 8));
    }
}
