//! Walks through models against the semantics by definition, and replays of counterexamples.

use model::Kind;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use support::{FileId, Monitor};
use tertium::{
    Arrival, Model, Options, SimulationOptions, Simulator, TraceState, TraceValue, Verdict,
};
use testkit::{Rng, action_system, component_system, for_seeds, prop_system, system_text};
use transition::{ExprNode, Machine, NodeId, Role, Section, VarId, VarKind};

fn simulator(model: &Model, seed: u64) -> Simulator {
    model.simulator(&SimulationOptions::default().seed(seed)).expect("it can be simulated")
}

/// A step of a composition: its action, its target, and whether it is a may or a must only.
type Seen = BTreeSet<(Option<String>, String, bool, bool)>;

fn tuple(state: &TraceState, names: &[&str]) -> String {
    let member = |name: &&str| state.get(name).expect("a component").to_string();
    names.iter().map(member).collect::<Vec<_>>().join(",")
}

/// The choices in every state of a random walk are the transitions of the composition (C Def. 4.2, C §6.1), and a step
/// is may-only exactly if it is no must transition.
#[test]
fn walks_through_components_are_in_the_composition() {
    for_seeds("simulate-components", 0..400, |rng, case| {
        let system = match rng.below(4) {
            0 => prop_system(rng, &[Kind::MixTs, Kind::Kmts]),
            1 => action_system(rng, &[Kind::Mts]),
            _ => component_system(rng),
        };
        let text = system_text(&system);
        case.note(&text);
        let Ok(composition) = system.compose(&Monitor::new()) else { return Ok(()) };
        let Ok(model) = Model::read("tm", "system.tm", &text) else { return Ok(()) };
        // A text names the states of unknown components anew.
        let is_kept = |name: &str| name.split(',').all(|part| part.starts_with('s'));
        if !(0..composition.states() as u32).all(|state| is_kept(&composition.state_name(state))) {
            return Ok(());
        }
        let names: Vec<&str> = system.components.iter().map(|part| &*part.model.name).collect();
        let mut simulator = simulator(&model, rng.next_u64());
        for _ in 0..25 {
            let Some(state) = simulator.state() else {
                let found: BTreeSet<String> =
                    simulator.choices().iter().map(|start| tuple(&start.target, &names)).collect();
                let expected: BTreeSet<String> =
                    composition.init().iter().map(|&state| composition.state_name(state)).collect();
                assert_eq!(found, expected);
                assert!(simulator.take_random().map_err(|error| error.to_string())?);
                continue;
            };
            let here = tuple(&state, &names);
            let mut states = 0..composition.states() as u32;
            let number = states.find(|&state| composition.state_name(state) == here);
            let number = number.ok_or_else(|| format!("{here} is not reachable"))?;
            let found: Seen = simulator
                .choices()
                .iter()
                .map(|choice| {
                    let target = tuple(&choice.target, &names);
                    let step = &choice.step;
                    (step.action.clone(), target, step.is_may_only, choice.is_must_only)
                })
                .collect();
            let transition = |(target, class): (u32, model::EdgeClass)| {
                let action =
                    class.action.map(|action| composition.actions().name(action).to_owned());
                (action, composition.state_name(target), !class.mode.must, !class.mode.may)
            };
            let expected: Seen = composition.edges().out(number).map(transition).collect();
            assert_eq!(found, expected, "in {here}");
            if !simulator.take_random().map_err(|error| error.to_string())? {
                break;
            }
        }
        replays(&model, &mut simulator)
    });
}

/// A walk is followed again.
fn replays(model: &Model, simulator: &mut Simulator) -> Result<(), String> {
    let trace = simulator.trace();
    let mut again = self::simulator(model, 0);
    again.replay(&trace).map_err(|error| error.to_string())?;
    if again.trace().states == trace.states { Ok(()) } else { Err("another walk".to_owned()) }
}

/// The steps of a symbolic transition system by definition: all conjuncts hold.
struct Definition {
    machine: Machine,
    step: Vec<NodeId>,
    state: Vec<NodeId>,
}

impl Definition {
    fn new(mut machine: Machine) -> Self {
        let (mut step, mut state) = (Vec::new(), Vec::new());
        for conjunct in machine.conjuncts() {
            let node = match (conjunct.role, conjunct.section) {
                (Role::Constraint(node), _) => node,
                (Role::Assignment(var, choice), Section::Trans) => {
                    let value = machine.next(var);
                    machine.member(value, choice)
                }
                (Role::Assignment(var, choice), _) => {
                    let value = machine.now(var);
                    machine.member(value, choice)
                }
                (Role::Frame(var), _) => {
                    let (now, next) = (machine.now(var), machine.next(var));
                    machine.exprs.eq(now, next)
                }
            };
            match conjunct.section {
                Section::Trans => step.push(node),
                Section::Invar => state.push(node),
                Section::Init => {}
            }
        }
        Self { machine, step, state }
    }

    fn is_step(&self, from: &[i64], to: &[i64]) -> bool {
        let leaf = |leaf: ExprNode| match leaf {
            ExprNode::Now(var) => from[var.0 as usize],
            ExprNode::Next(var) => to[var.0 as usize],
            _ => 0,
        };
        let of_target = |leaf: ExprNode| match leaf {
            ExprNode::Now(var) | ExprNode::Next(var) => to[var.0 as usize],
            _ => 0,
        };
        let holds = |node: &NodeId| self.machine.exprs.evaluate(*node, leaf) == Ok(1);
        let holds_then = |node: &NodeId| self.machine.exprs.evaluate(*node, of_target) == Ok(1);
        self.step.iter().all(holds) && self.state.iter().all(holds_then)
    }

    fn texts(&self, values: &[i64]) -> Vec<(String, TraceValue)> {
        let machine = &self.machine;
        let text = |var: VarId| {
            let value = machine.text(var, values[var.0 as usize]);
            (machine.vars[var].name.clone(), TraceValue::from(&*value))
        };
        machine.state_vars().map(text).collect()
    }

    /// All values of the variables of a kind, if there are few.
    fn valuations(&self, is_meant: impl Fn(VarKind) -> bool, most: u128) -> Option<Vec<Vec<i64>>> {
        let vars = || self.machine.vars.values();
        let meant = vars().filter(|var| is_meant(var.kind)).map(|var| var.domain.size());
        meant.clone().try_fold(1u128, |a, b| a.checked_mul(b)).filter(|&all| all <= most)?;
        let mut found = vec![Vec::new()];
        for var in vars() {
            let size = if is_meant(var.kind) { var.domain.size() as u64 } else { 1 };
            let longer = |values: Vec<i64>| {
                (0..size).map(move |number| [&values[..], &[var.domain.value(number)]].concat())
            };
            found = found.into_iter().flat_map(longer).collect();
        }
        Some(found)
    }
}

/// The successors in every state of a random walk are those by definition, none more and none less.
#[test]
fn walks_through_smv_are_steps_by_definition() {
    for_seeds("simulate-smv", 0..250, |rng: &mut Rng, case| {
        let text = testkit::modules(rng, 1);
        case.note(&text);
        let shared: Arc<str> = text.as_str().into();
        let Ok(document) = testkit::read_smv(FileId(0), &shared) else { return Ok(()) };
        let definition = Definition::new(document.machine);
        let is_input = |kind: VarKind| kind == VarKind::Input;
        let (Some(all), Some(inputs)) = (
            definition.valuations(|kind| !is_input(kind), 512),
            definition.valuations(is_input, 16),
        ) else {
            return Ok(());
        };
        let model = Model::read("smv", "m.smv", &text).map_err(|error| error.to_string())?;
        // What goes wrong is an error of the model.
        let Ok(mut simulator) = model.simulator(&SimulationOptions::default().seed(rng.next_u64()))
        else {
            return Ok(());
        };
        for _ in 0..12 {
            let Some(state) = simulator.state() else {
                if !simulator.take_random().unwrap_or(false) {
                    return Ok(());
                }
                continue;
            };
            let from = all.iter().find(|values| definition.texts(values) == state.values);
            let from = from.ok_or("a state that is none")?;
            let expected: BTreeSet<String> = all
                .iter()
                .filter(|to| {
                    inputs.iter().any(|input| {
                        let vars = definition.machine.vars.iter();
                        let own = vars.map(|(var, described)| match is_input(described.kind) {
                            true => input[var.0 as usize],
                            false => from[var.0 as usize],
                        });
                        definition.is_step(&own.collect::<Vec<_>>(), to)
                    })
                })
                .map(|to| format!("{:?}", definition.texts(to)))
                .collect();
            let found: BTreeSet<String> = simulator
                .choices()
                .iter()
                .map(|choice| format!("{:?}", choice.target.values))
                .collect();
            assert_eq!(found, expected, "in {:?}", state.values);
            if !simulator.take_random().unwrap_or(false) {
                break;
            }
        }
        replays(&model, &mut simulator)
    });
}

fn examples(endings: &[&str]) -> Vec<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = ["", "promela", "while", "integers"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<_> = files.map(|entry| entry.expect("a file").path()).collect();
    let is_meant = |path: &std::path::PathBuf| {
        path.extension().is_some_and(|ending| endings.iter().any(|own| ending == *own))
    };
    files.retain(is_meant);
    files.sort();
    files
}

/// Every example can be walked through, and random walks are followed again.
#[test]
fn every_example_can_be_simulated() {
    for path in examples(&["tm", "smv", "pml", "while"]) {
        let Ok(model) = Model::open(&path) else { continue };
        let mut simulator = simulator(&model, 3);
        if simulator.has_more_choices() {
            continue; // a replay tries every successor
        }
        for _ in 0..15 {
            match simulator.take_random() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
        replays(&model, &mut simulator).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    }
}

/// Counterexamples that `check` finds are followed by the simulator, and what they falsify is watched false.
#[test]
fn counterexamples_are_replayed() {
    let mut replayed = 0;
    for path in examples(&["tm", "smv", "pml", "while"]) {
        let Ok(model) = Model::open(&path) else { continue };
        let options = Options::default().timeout(std::time::Duration::from_secs(20));
        for property in model.properties() {
            let Ok(answer) = model.check(property, &options) else { continue };
            let Ok(Some(trace)) = answer.counterexample() else { continue };
            let mut simulator = simulator(&model, 0);
            let place = format!("{}: {}", path.display(), property.name());
            simulator.replay(&trace).unwrap_or_else(|error| panic!("{place}: {error}\n{trace}"));
            replayed += 1;
        }
    }
    assert!(replayed > 10, "{replayed}");
}

#[test]
fn watched_formulas_have_the_values_of_check() {
    let model = Model::read(
        "tm",
        "m.tm",
        "component M kmts { props p, q; init s;
           s: {p, !q} -> t ?> u; t: {p, q?} -> t; u: {!p, q} -> s; }",
    )
    .expect("a model");
    let mut simulator = simulator(&model, 0);
    for formula in ["p & !q", "q", "AX p", "EF q", "AG p", "mu nu Z. <> Z"] {
        simulator.watch(formula).expect("a formula");
    }
    let values = |simulator: &mut Simulator| -> Vec<Verdict> {
        simulator.watched().into_iter().map(|watched| watched.value).collect()
    };
    use Verdict::{False, True, Unknown};
    assert_eq!(values(&mut simulator), [True, False, Unknown, Unknown, Unknown, True]);
    simulator.take(0, &[]).expect("a must step");
    assert_eq!(values(&mut simulator), [Unknown, Unknown, True, Unknown, True, True]);
    assert!(simulator.watch("r").is_err());
}

#[test]
fn a_state_is_found_by_its_values() {
    let text = "MODULE main VAR x : 0..9; y : boolean; IVAR i : boolean;
        ASSIGN init(x) := 0; init(y) := FALSE;
        next(x) := i & x < 8 ? x + 1 : x; next(y) := x = 3;";
    let model = Model::read("smv", "m.smv", text).expect("a model");
    let mut simulator = simulator(&model, 0);
    let value = |name: &str, text: &str| (name.to_owned(), TraceValue::from(text));
    assert_eq!(simulator.go_to(&[value("x", "3")]).expect("reached"), Arrival::Walked(3));
    assert_eq!(simulator.go_to(&[value("y", "TRUE")]).expect("reached"), Arrival::Walked(1));
    let unreachable = [value("x", "9"), value("y", "TRUE")];
    assert!(simulator.go_to(&unreachable[..1]).is_err(), "some variables are not given");
    assert_eq!(simulator.go_to(&unreachable).expect("a state"), Arrival::Jumped);
    assert!(simulator.has_jumped() && simulator.depth() == 0);
    assert!(simulator.go_to(&[value("z", "1")]).is_err_and(|e| e.to_string().contains("`z`")));
    assert!(simulator.go_to(&[value("x", "77"), value("y", "TRUE")]).is_err());
}

#[test]
fn inputs_without_bounds_can_be_given() {
    let text = "var x : int := 0; var y : int := 0;
        x := any; while x > 100 do y := y + 1; x := x - 1 od; fin";
    let model = Model::read("while", "p.while", text).unwrap_or_else(|error| panic!("{error}"));
    let mut simulator = simulator(&model, 0);
    while simulator.choices().iter().all(|choice| choice.sampled.is_empty()) {
        simulator.take(0, &[]).expect("a step");
    }
    let given = [("x".to_owned(), TraceValue::Int(102))];
    simulator.take(0, &given).expect("any value");
    assert_eq!(simulator.state().expect("a state").get("x"), Some(&TraceValue::Int(102)));
    let end = [("y".to_owned(), TraceValue::Int(2))];
    assert!(matches!(simulator.go_to(&end), Ok(Arrival::Walked(_))));
    assert_eq!(simulator.state().expect("a state").get("x"), Some(&TraceValue::Int(101)));
}

#[test]
fn a_seed_determines_a_walk() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/peterson.smv");
    let model = Model::open(path).expect("an example");
    let walk = |seed: u64| {
        let mut simulator = simulator(&model, seed);
        (0..40).for_each(|_| assert!(simulator.take_random().expect("a step")));
        simulator.trace()
    };
    assert_eq!(walk(5), walk(5));
    assert_ne!(walk(5), walk(6));
}

#[test]
fn all_successors_are_equally_likely_however_many() {
    let text = "MODULE main VAR x : 0..99999; INIT x = 0";
    let model = Model::read("smv", "m.smv", text).expect("a model");
    let options = SimulationOptions::default().choices(10).seed(1);
    let mut simulator = model.simulator(&options).expect("a simulator");
    assert!(simulator.choices().len() == 10 && simulator.has_more_choices());
    let mut large = 0;
    for _ in 0..20 {
        assert!(simulator.take_random().expect("a step"));
        let state = simulator.state().expect("a state");
        large += usize::from(matches!(state.get("x"), Some(TraceValue::Int(50_000..))));
    }
    assert!((4..=16).contains(&large), "{large}");
}
