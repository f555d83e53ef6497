//! Where the environment chooses the value of a wire by what no label shows, a must hyper-transition says that one of
//! them comes. `refine` finds it, for one component and for products.

mod networks;
mod reading;
mod refining;
mod systems;

use explicit::{Deadlock, REFINE, Refinement, Request};
use logic::Truth;
use model::Lifting;
use networks::Machine;
use refining::watched;
use support::Monitor;
use testkit::{Case, Rng, for_seeds, formula_for};

/// The user has to wait until the chooser, whose turns are hidden, raises the wire or not.
const CHOOSER: &str = "
    component User kripke { props on, done; init i0, i1;
      i0: {} -> d0, d1; i1: {on} -> d0, d1; d0: {done} -> d0, d1; d1: {done, on} -> d0, d1; }
    component Chooser kripke { props on; init a; a: {} -> b; b: {} -> c; c: {on} -> a; }
    system User || Chooser;";

fn outcome(text: &str, lifting: Lifting) -> (Truth, usize) {
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let refinement = Refinement { lifting, ..Refinement::default() };
    let limit = Some(1 << 16);
    let request = Request { refinement, limit, ..Request::new(&system, &formula, &monitor) };
    let outcome = REFINE.run(&request).unwrap();
    (outcome.verdict, outcome.stats.abstract_states.map_or(0, |sizes| sizes.len()))
}

/// Least and greatest fixpoints, true and false.
#[test]
fn one_component_decides_beside_a_hidden_choice() {
    for (property, verdict) in [
        ("EF done", Truth::True),
        ("EG !done", Truth::False),
        ("AG AF !done", Truth::False),
        ("EX EG done", Truth::True),
    ] {
        let text = format!("{CHOOSER} property p: ctl {property};");
        assert_eq!(outcome(&text, Lifting::Summaries), (verdict, 1), "{property}");
    }
    let text = format!("{CHOOSER} property p: ctl EF done;");
    assert_eq!(outcome(&text, Lifting::Paper), (Truth::True, 2));
}

/// The user has two ways to go on while the wire is up, and none while it is down.
#[test]
fn a_value_that_need_not_be_offered_is_none_of_the_choice() {
    let text = CHOOSER.replace("i0: {} -> d0, d1;", "i0: {} -> d1, e1; e1: {done, on} -> d0, d1;");
    let text = format!("{text} property p: ctl EF done;");
    assert_eq!(outcome(&text, Lifting::Summaries).0, Truth::False);
}

/// A binary tree of arbiters, as in examples/families.
fn arbiter_tree(first: usize, count: usize, up: &str, machines: &mut Vec<String>) {
    if count == 1 {
        let [request, used] = [format!("req{first}"), format!("use{first}")];
        let uses = format!("{request} {used}");
        let next = |core, granted: u32, _| match (core, granted) {
            (0, _) => vec![0, 1],
            (1, 0) | (4, 1) => vec![core],
            (4, _) => vec![0],
            _ => vec![core + 1],
        };
        let cores = vec![
            ("idle", String::new()),
            ("ask", request.clone()),
            ("use1", uses.clone()),
            ("use2", uses),
            ("back", String::new()),
        ];
        let inputs = vec![format!("gnt{first}")];
        let name = format!("User{first}");
        let machine = Machine { name, inputs, outputs: vec![request, used], cores, next: &next };
        return machines.push(machine.text("kripke", arrows()));
    }
    let half = count.div_ceil(2);
    let range = |first: usize, count: usize| match count {
        1 => first.to_string(),
        _ => format!("{first}_{}", first + count - 1),
    };
    let [left, right] = [range(first, half), range(first + half, count - half)];
    // The turn of the left is in the first four cores, that of the right in the others.
    let next = |core: usize, bits: u32, _| {
        let (at, side) = (core % 4, core / 4);
        let (asks, granted) = (|side: usize| bits >> side & 1 == 1, bits >> 2 == 1);
        vec![match at {
            0 if asks(side) => 1 + 4 * side,
            0 if asks(1 - side) => 1 + 4 * (1 - side),
            1 if granted => 2 + 4 * side,
            2 if !asks(side) => 3 + 4 * (1 - side),
            3 if !granted => 4 * side,
            _ => core,
        }]
    };
    let asks = format!("req{up}");
    let grants = |side: &str| format!("{asks} gnt{side}");
    let cores = vec![
        ("free_l", String::new()),
        ("ask_l", asks.clone()),
        ("grant_l", grants(&left)),
        ("back_l", String::new()),
        ("free_r", String::new()),
        ("ask_r", asks.clone()),
        ("grant_r", grants(&right)),
        ("back_r", String::new()),
    ];
    let inputs = vec![format!("req{left}"), format!("req{right}"), format!("gnt{up}")];
    let outputs = vec![asks.clone(), format!("gnt{left}"), format!("gnt{right}")];
    let name = format!("Node{}", range(first, count));
    let machine = Machine { name, inputs, outputs, cores, next: &next };
    machines.push(machine.text("kripke", arrows()));
    arbiter_tree(first, half, &left, machines);
    arbiter_tree(first + half, count - half, &right, machines);
}

/// One arrow, then commas.
fn arrows() -> impl FnMut() -> &'static str {
    || "->"
}

fn arbiters(users: usize, property: &str) -> String {
    let mut machines = Vec::new();
    let next = |_, asked: u32, _| vec![asked as usize];
    let root = Machine {
        name: "Root".to_owned(),
        inputs: vec!["reqall".to_owned()],
        outputs: vec!["gntall".to_owned()],
        cores: vec![("off", String::new()), ("on", "gntall".to_owned())],
        next: &next,
    };
    machines.push(root.text("kripke", arrows()));
    arbiter_tree(0, users, "all", &mut machines);
    let names: Vec<&str> = machines.iter().filter_map(|text| text.split(' ').nth(1)).collect();
    format!("{}system {};\nproperty p: {property};", machines.concat(), names.join(" || "))
}

/// A node has no choice, but whose turn it is no wire shows: without hyper-transitions the whole tree was needed, and 8
/// users were too many.
#[test]
fn properties_of_one_user_or_two_need_no_tree() {
    for (property, verdict, most) in [
        ("ctl EF req0", Truth::True, 2),
        ("ctl EG !req0", Truth::True, 2),
        ("ctl AG AF req0", Truth::False, 2),
        ("ctl AG (use0 -> AF !use0)", Truth::True, 1),
        ("ctl EF (req0 & req1)", Truth::True, 3),
        ("ctl AG (req0 & req1 -> AX (gnt0 | gnt1))", Truth::False, 3),
        ("ctl EF (gnt0 & gnt1)", Truth::False, 3),
    ] {
        let (found, components) = outcome(&arbiters(64, property), Lifting::Summaries);
        assert_eq!(found, verdict, "{property}");
        assert!(components <= most, "{property}: {components} components");
    }
}

/// Two or three machines. Some take the new values of their inputs into account, some steps need not be or are not.
fn network(rng: &mut Rng) -> String {
    let count = rng.between(2, 3);
    let mut machines = Vec::new();
    for one in 0..count {
        let others: Vec<String> =
            (0..count).filter(|&other| other != one).map(|other| format!("w{other}")).collect();
        let inputs = rng.some(&others, 0.7);
        let names = ["a", "b", "c"];
        let states = rng.between(1, 3);
        let props = [format!("w{one}"), format!("p{one}")];
        let cores: Vec<(&str, String)> =
            (0..states).map(|core| (names[core], rng.some(&props, 0.5).join(" "))).collect();
        let sees_then = rng.chance(0.3);
        let values = 1 << inputs.len();
        let table: Vec<Vec<usize>> = (0..states * values * values)
            .map(|_| (0..states).filter(|_| rng.chance(0.4)).collect())
            .collect();
        let next = |core: usize, now: u32, then: u32| {
            let then = if sees_then { then as usize } else { 0 };
            match &table[(core * values + now as usize) * values + then][..] {
                [] => vec![now as usize % states],
                some => some.to_vec(),
            }
        };
        let name = format!("M{one}");
        let machine = Machine { name, inputs, outputs: props.to_vec(), cores, next: &next };
        let (kind, arrow) = match rng.chance(0.3) {
            true => ("kmts", "?>"),
            false => ("kripke", "->"),
        };
        machines.push(machine.text(kind, || if rng.chance(0.1) { arrow } else { "->" }));
    }
    let names: Vec<String> = (0..count).map(|one| format!("M{one}")).collect();
    format!("{}system {};\nproperty p: mu p0;", machines.concat(), names.join(" || "))
}

/// Without some steps, so that a component may block others.
fn without_some_steps(rng: &mut Rng, text: &str) -> String {
    let mut left = String::new();
    for (number, part) in text.split(" ->").enumerate() {
        let (target, rest) = part.split_at(part.find(';').unwrap_or(part.len()));
        if number == 0 {
            left += part;
        } else if rest.is_empty() && rng.chance(0.02) {
            left += rest;
        } else {
            left = left + " ->" + target + rest;
        }
    }
    left
}

fn one_network(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let mut text = network(rng);
    if rng.chance(0.2) {
        text = without_some_steps(rng, &text);
    }
    case.note(&text);
    let (system, _) = reading::read(&text);
    let monitor = Monitor::new();
    let Ok(composition) = system.compose(&monitor) else { return Ok(()) };
    let size = rng.between(1, 12);
    let formula = formula_for(rng, &composition, size);
    case.note_property(&formula);
    for deadlock in [Deadlock::Warn, Deadlock::Stutter] {
        let expected = systems::expected(&system, &composition, &formula, deadlock);
        let varied = Refinement {
            eager: rng.chance(0.5),
            hyper: rng.chance(0.3),
            keep_colours: rng.chance(0.7),
            drop_absent: rng.chance(0.7),
            take_over: rng.chance(0.7),
            nodes_of_cause: rng.chance(0.5).then(|| rng.between(1, 20) as u64),
            ..Refinement::default()
        };
        for refinement in [Refinement::default(), varied] {
            let said = format!("{refinement:?}, {deadlock:?}");
            let plain = Request::new(&system, &formula, &monitor);
            let request = Request { deadlock, refinement, evidence: true, ..plain };
            let (outcome, _) = watched(request).map_err(|error| error.to_string())?;
            systems::agree(&outcome, expected)
                .and_then(|()| systems::certified(&system, &formula, deadlock, &outcome))
                .map_err(|error| format!("{said}: {error}"))?;
        }
    }
    Ok(())
}

#[test]
fn networks_of_machines_have_the_verdicts_of_the_reference() {
    for_seeds("hidden-choices", 0..3_000, one_network);
}

#[test]
#[ignore = "takes minutes"]
fn many_networks_of_machines_have_the_verdicts_of_the_reference() {
    for_seeds("hidden-choices-long", 0..40_000, one_network);
}
