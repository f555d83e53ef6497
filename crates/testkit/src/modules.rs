//! Random SMV programs of several modules that read each other's variables.
//!
//! Two to four instances with one to three small variables each, which get variables of each other and of the
//! main module as parameters. Most of what they say are assignments. Nothing can go wrong for any values.

use crate::rng::Rng;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Bool,
    /// From 0 to this.
    Range(usize),
    /// The first so many symbols.
    Symbols(usize),
}

const SYMBOLS: [&str; 3] = ["idle", "busy", "done"];

impl Sort {
    fn random(rng: &mut Rng) -> Self {
        match rng.below(5) {
            0..=2 => Sort::Bool,
            3 => Sort::Range(rng.between(1, 3)),
            _ => Sort::Symbols(rng.between(2, 3)),
        }
    }

    fn text(self) -> String {
        match self {
            Sort::Bool => "boolean".to_owned(),
            Sort::Range(most) => format!("0..{most}"),
            Sort::Symbols(count) => format!("{{{}}}", SYMBOLS[..count].join(", ")),
        }
    }

    fn constant(self, rng: &mut Rng) -> String {
        match self {
            Sort::Bool => (*rng.pick(&["TRUE", "FALSE"])).to_owned(),
            Sort::Range(most) => rng.between(0, most).to_string(),
            Sort::Symbols(count) => SYMBOLS[rng.below(count)].to_owned(),
        }
    }
}

/// Something that can be read.
#[derive(Clone, Debug)]
struct Place {
    name: String,
    sort: Sort,
}

impl Place {
    fn new(name: impl Into<String>, sort: Sort) -> Self {
        Self { name: name.into(), sort }
    }
}

fn condition(rng: &mut Rng, places: &[Place], depth: usize) -> String {
    let sub = |rng: &mut Rng| condition(rng, places, depth - 1);
    match if depth == 0 { 9 } else { rng.below(10) } {
        0 | 1 => format!("({} & {})", sub(rng), sub(rng)),
        2 | 3 => format!("({} | {})", sub(rng), sub(rng)),
        4 => format!("!{}", sub(rng)),
        5 => format!("({} <-> {})", sub(rng), sub(rng)),
        _ if places.is_empty() => "TRUE".to_owned(),
        _ => {
            let place = rng.pick(places);
            let same: Vec<&Place> =
                places.iter().filter(|other| other.sort == place.sort).collect();
            let name = &place.name;
            match place.sort {
                Sort::Bool => name.clone(),
                _ if rng.chance(0.2) => format!("({name} = {})", rng.pick(&same).name),
                sort => format!("({name} = {})", sort.constant(rng)),
            }
        }
    }
}

/// A value of a sort, or a choice of values.
fn value(rng: &mut Rng, sort: Sort, places: &[Place], chooses: bool) -> String {
    let same: Vec<&Place> = places.iter().filter(|place| place.sort == sort).collect();
    match rng.below(7) {
        0 | 1 if sort == Sort::Bool => condition(rng, places, 2),
        0 | 1 if !same.is_empty() => rng.pick(&same).name.clone(),
        2 if chooses => format!("{{{}, {}}}", sort.constant(rng), sort.constant(rng)),
        3 | 4 => format!(
            "case {} : {}; TRUE : {}; esac",
            condition(rng, places, 1),
            value(rng, sort, places, chooses),
            value(rng, sort, places, chooses)
        ),
        5 if !same.is_empty() => match (sort, &rng.pick(&same).name) {
            (Sort::Bool, name) => format!("!{name}"),
            (Sort::Range(most), name) => format!("({name} + 1) mod {}", most + 1),
            (Sort::Symbols(_), name) => name.clone(),
        },
        _ => sort.constant(rng),
    }
}

/// A module: the sorts of its parameters, and its variables.
struct Module {
    parameters: Vec<Place>,
    own: Vec<Place>,
}

impl Module {
    fn random(rng: &mut Rng) -> Self {
        let place = |prefix: &str, index: usize, sort| Place::new(format!("{prefix}{index}"), sort);
        let parameters = (0..rng.between(0, 2)).map(|index| place("p", index, Sort::random(rng)));
        let parameters = parameters.collect();
        let own = (0..rng.between(1, 3)).map(|index| place("x", index, Sort::random(rng)));
        Self { parameters, own: own.collect() }
    }

    fn text(&self, rng: &mut Rng, name: &str) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|place| &*place.name).collect();
        let mut text = format!("MODULE {name}({})\n", names.join(", "));
        let seen: Vec<Place> = self.own.iter().chain(&self.parameters).cloned().collect();
        text += &body(rng, &self.own, &seen);
        if rng.chance(0.08) {
            let _ = writeln!(text, "FAIRNESS {}", condition(rng, &seen, 1));
        }
        text
    }
}

/// Declarations, assignments and, now and then, constraints.
fn body(rng: &mut Rng, own: &[Place], seen: &[Place]) -> String {
    let mut text = String::new();
    for place in own {
        let _ = writeln!(text, "VAR {} : {};", place.name, place.sort.text());
    }
    let mut input = Vec::new();
    if rng.chance(0.1) {
        text += "IVAR i : boolean;\n";
        input.push(Place::new("i", Sort::Bool));
    }
    let read: Vec<Place> = seen.iter().chain(&input).cloned().collect();
    for Place { name, sort } in own {
        if rng.chance(0.85) {
            let first = value(rng, *sort, &[], true);
            let _ = writeln!(text, "ASSIGN init({name}) := {first};");
        }
        if rng.chance(0.9) {
            let next = value(rng, *sort, &read, true);
            let _ = writeln!(text, "ASSIGN next({name}) := {next};");
        }
    }
    let primed = seen.iter().map(|place| Place::new(format!("next({})", place.name), place.sort));
    let both: Vec<Place> = read.iter().cloned().chain(primed).collect();
    if rng.chance(0.12) {
        let _ = writeln!(text, "TRANS {} | {}", condition(rng, &both, 2), condition(rng, &both, 1));
    }
    if rng.chance(0.1) {
        let _ = writeln!(text, "INVAR {} | {}", condition(rng, seen, 1), condition(rng, seen, 1));
    }
    text
}

/// A whole program with some specifications in CTL.
pub fn modules(rng: &mut Rng, specifications: usize) -> String {
    let kinds: Vec<Module> = (0..rng.between(1, 3)).map(|_| Module::random(rng)).collect();
    let instances: Vec<usize> = (0..rng.between(2, 4)).map(|_| rng.below(kinds.len())).collect();
    let own: Vec<Place> =
        (0..rng.below(3)).map(|index| Place::new(format!("g{index}"), Sort::random(rng))).collect();
    let mut seen = own.clone();
    for (number, &kind) in instances.iter().enumerate() {
        let of = kinds[kind].own.iter();
        seen.extend(of.map(|place| Place::new(format!("m{number}.{}", place.name), place.sort)));
    }
    let mut text = format!("MODULE main\nCONSTANTS {};\n", SYMBOLS.join(", "));
    let is_process = rng.chance(0.08);
    for (number, &kind) in instances.iter().enumerate() {
        let arguments: Vec<String> = kinds[kind]
            .parameters
            .iter()
            .map(|parameter| argument(rng, parameter.sort, &seen))
            .collect();
        let process = if is_process && rng.chance(0.7) { "process " } else { "" };
        let _ = writeln!(text, "VAR m{number} : {process}kind{kind}({});", arguments.join(", "));
    }
    text += &body(rng, &own, &seen);
    if rng.chance(0.25) {
        let _ = writeln!(text, "INIT {} | {}", condition(rng, &seen, 1), condition(rng, &seen, 2));
    }
    for _ in 0..specifications {
        let _ = writeln!(text, "SPEC {};", ctl(rng, &seen, 3));
    }
    for (number, kind) in kinds.iter().enumerate() {
        text += &kind.text(rng, &format!("kind{number}"));
    }
    text
}

fn argument(rng: &mut Rng, sort: Sort, seen: &[Place]) -> String {
    let same: Vec<&Place> = seen.iter().filter(|place| place.sort == sort).collect();
    match same.is_empty() {
        false if rng.chance(0.8) => rng.pick(&same).name.clone(),
        _ => format!("({})", value(rng, sort, seen, false)),
    }
}

fn ctl(rng: &mut Rng, places: &[Place], depth: usize) -> String {
    let sub = |rng: &mut Rng| ctl(rng, places, depth - 1);
    if depth == 0 {
        return condition(rng, places, 1);
    }
    match rng.below(10) {
        0 => format!("({} & {})", sub(rng), sub(rng)),
        1 => format!("({} | {})", sub(rng), sub(rng)),
        2 => format!("!({})", sub(rng)),
        3 => format!("({} -> {})", condition(rng, places, 1), sub(rng)),
        4 => format!("{} [{} U {}]", rng.pick(&["A", "E"]).to_owned(), sub(rng), sub(rng)),
        _ => {
            format!("{} ({})", rng.pick(&["AG", "AF", "EF", "EG", "AX", "EX"]).to_owned(), sub(rng))
        }
    }
}
