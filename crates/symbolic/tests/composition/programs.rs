//! Random tiny programs in which components constrain each other: next values that follow those of others,
//! functions of the state, constraints on what others own, what is kept in some steps.

use std::fmt::Write;
use testkit::Rng;

/// A variable with 2 values or with 3.
#[derive(Clone)]
struct Place {
    name: String,
    size: usize,
}

impl Place {
    fn random(rng: &mut Rng, name: String) -> Self {
        Self { name, size: if rng.chance(0.8) { 2 } else { 3 } }
    }

    fn next(&self) -> Self {
        Self { name: format!("next({})", self.name), size: self.size }
    }
}

fn condition(rng: &mut Rng, places: &[Place], depth: usize) -> String {
    let sub = |rng: &mut Rng| condition(rng, places, depth - 1);
    match if depth == 0 { 9 } else { rng.below(10) } {
        0 | 1 => format!("({} & {})", sub(rng), sub(rng)),
        2 | 3 => format!("({} | {})", sub(rng), sub(rng)),
        4 => format!("({} <-> {})", sub(rng), sub(rng)),
        5 | 6 => format!("{} = {}", rng.pick(places).name, rng.pick(places).name),
        _ => {
            let place = rng.pick(places);
            format!("{} = {}", place.name, rng.below(place.size))
        }
    }
}

fn value(rng: &mut Rng, size: usize, places: &[Place]) -> String {
    match rng.below(6) {
        0 | 1 => format!("{} mod {size}", rng.pick(places).name),
        2 => format!("({} + 1) mod {size}", rng.pick(places).name),
        3 => format!(
            "case {} : {}; TRUE : {}; esac",
            condition(rng, places, 1),
            value(rng, size, places),
            value(rng, size, places)
        ),
        4 => format!("{{{}, {}}}", rng.below(size), rng.below(size)),
        _ => rng.below(size).to_string(),
    }
}

/// A constraint on steps; now and then one that says what is kept.
fn constraint(rng: &mut Rng, seen: &[Place], read: &[Place]) -> String {
    let keep = |rng: &mut Rng| {
        let place = rng.pick(seen);
        format!("next({}) = {}", place.name, place.name)
    };
    match rng.below(4) {
        0 => keep(rng),
        1 => format!("({}) | ({})", keep(rng), condition(rng, read, 1)),
        2 => {
            let case = |rng: &mut Rng| {
                let kept: Vec<String> = rng.some(seen, 0.7).iter().map(keeps).collect();
                format!("({} & {})", kept.join(" & "), condition(rng, read, 1))
            };
            format!("{} | {}", case(rng), case(rng))
        }
        _ => condition(rng, read, 2),
    }
}

fn keeps(place: &Place) -> String {
    format!("next({}) = {}", place.name, place.name)
}

/// Declarations and what is said of them. Next values follow those of earlier variables only, and functions of
/// the state read none, so that nothing waits for itself.
fn body(rng: &mut Rng, own: &[Place], others: &[Place], can_follow: bool) -> String {
    let mut text = String::new();
    let mut inputs = Vec::new();
    if rng.chance(0.15) {
        text += "IVAR i : 0..1;\n";
        inputs.push(Place { name: "i".to_owned(), size: 2 });
    }
    let seen: Vec<Place> = own.iter().chain(others).cloned().collect();
    let read: Vec<Place> = seen.iter().chain(&inputs).cloned().collect();
    for (index, place) in own.iter().enumerate() {
        let Place { name, size } = place;
        let kind = if rng.chance(0.05) { "FROZENVAR" } else { "VAR" };
        let _ = writeln!(text, "{kind} {name} : 0..{};", size - 1);
        let before = if can_follow { others } else { &[] };
        let earlier = own[..index].iter().chain(before).map(Place::next);
        let all: Vec<Place> = read.iter().cloned().chain(earlier).collect();
        if kind == "VAR" && rng.chance(0.1) && can_follow && !others.is_empty() {
            let _ = writeln!(text, "ASSIGN {name} := {};", value(rng, *size, others));
            continue;
        }
        if rng.chance(0.7) {
            let _ = writeln!(text, "ASSIGN init({name}) := {};", rng.below(*size));
        }
        if kind == "VAR" && rng.chance(0.75) {
            let read = if rng.chance(0.4) { &all } else { &read };
            let _ = writeln!(text, "ASSIGN next({name}) := {};", value(rng, *size, read));
        }
    }
    if seen.is_empty() {
        return text;
    }
    let both: Vec<Place> = read.iter().cloned().chain(seen.iter().map(Place::next)).collect();
    while rng.chance(0.25) {
        let _ = writeln!(text, "TRANS {};", constraint(rng, &seen, &both));
    }
    if rng.chance(0.12) {
        let _ = writeln!(text, "INVAR {};", condition(rng, &seen, 1));
    }
    text
}

/// Two or three instances that get variables of others: the later ones may follow the earlier.
pub fn program(rng: &mut Rng) -> String {
    let own: Vec<Place> =
        (0..rng.below(2)).map(|index| Place::random(rng, format!("g{index}"))).collect();
    let instances: Vec<Vec<Place>> = (0..rng.between(2, 3))
        .map(|_| {
            let vars = 0..rng.between(1, 2);
            vars.map(|index| Place::random(rng, format!("x{index}"))).collect()
        })
        .collect();
    let mut all = own.clone();
    for (number, vars) in instances.iter().enumerate() {
        all.extend(
            vars.iter()
                .map(|place| Place { name: format!("m{number}.{}", place.name), size: place.size }),
        );
    }
    let is_process = rng.chance(0.1);
    let mut text = "MODULE main\n".to_owned();
    let mut modules = String::new();
    for (number, vars) in instances.iter().enumerate() {
        let is_other = |place: &&Place| !place.name.starts_with(&format!("m{number}."));
        let is_earlier = |place: &&Place| place.name < format!("m{number}");
        let can_follow = rng.chance(0.6);
        let others: Vec<Place> = match can_follow {
            true => all.iter().filter(is_earlier).cloned().collect(),
            false => all.iter().filter(is_other).cloned().collect(),
        };
        let given: Vec<Place> = others.into_iter().filter(|_| rng.chance(0.6)).collect();
        let names: Vec<&str> = given.iter().map(|place| &*place.name).collect();
        let process = if is_process { "process " } else { "" };
        let _ = writeln!(text, "VAR m{number} : {process}k{number}({});", names.join(", "));
        let parameters: Vec<Place> = given
            .iter()
            .enumerate()
            .map(|(index, place)| Place { name: format!("p{index}"), size: place.size })
            .collect();
        let names: Vec<&str> = parameters.iter().map(|place| &*place.name).collect();
        let _ = writeln!(modules, "MODULE k{number}({})", names.join(", "));
        modules += &body(rng, vars, &parameters, can_follow);
    }
    text += &body(rng, &own, &all[own.len()..], false);
    text + &modules
}
