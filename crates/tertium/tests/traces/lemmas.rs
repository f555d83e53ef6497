//! Lemmas of invariants of components, put to the test on all tuples of states: each holds in all that can be reached,
//! and from any tuple that satisfies the invariant with all of them every step leads to such a tuple again.

use super::ensure;
use super::states::{ACTIONS, Part};
use std::cell::Cell;
use tertium::{Logic, Model, Options, Verdict};
use testkit::{Case, Rng, for_seeds};

/// Models of one seed.
const TRIES: usize = 6;

type Tuple = [usize; 2];

struct System {
    parts: [Part; 2],
    has_actions: bool,
}

/// An invariant of a system.
#[derive(Clone, Copy)]
enum Invariant {
    /// Not both own propositions are true.
    Exclusion,
    /// No step shows this action.
    Never(usize),
    /// There is a step.
    Progress,
}

impl System {
    fn random(rng: &mut Rng) -> Self {
        let has_actions = rng.chance(0.5);
        Self { parts: [Part::random(rng, 0), Part::random(rng, 1)], has_actions }
    }

    fn text(&self) -> String {
        let [first, second] = &self.parts;
        first.text(0, self.has_actions) + &second.text(1, self.has_actions) + "system M0 || M1;\n"
    }

    /// The tuples that agree on the joint proposition.
    fn tuples(&self) -> Vec<Tuple> {
        let [first, second] = &self.parts;
        let all = (0..first.edges.len())
            .flat_map(|own| (0..second.edges.len()).map(move |other| [own, other]));
        all.filter(|&tuple| self.agrees(tuple)).collect()
    }

    fn agrees(&self, tuple: Tuple) -> bool {
        let joint = |part: usize| self.parts[part].labels[tuple[part]][0];
        self.has_actions || joint(0) == joint(1)
    }

    /// The steps from a tuple, each with its action.
    fn steps(&self, tuple: Tuple) -> Vec<(usize, Tuple)> {
        // Without actions, all of them show the same.
        let actions = if self.has_actions { 0..ACTIONS.len() } else { 0..1 };
        let mut all = Vec::new();
        for action in actions {
            let targets = |part: usize| -> Vec<usize> {
                if self.has_actions && action >= 2 && action != 2 + part {
                    return vec![tuple[part]];
                }
                let edges = self.parts[part].edges[tuple[part]].iter();
                let is_meant = |own: usize| !self.has_actions || own == action;
                edges.filter(|(own, _)| is_meant(*own)).map(|(_, target)| *target).collect()
            };
            for own in targets(0) {
                all.extend(targets(1).into_iter().map(|other| (action, [own, other])));
            }
        }
        all.retain(|&(_, target)| self.agrees(target));
        all
    }

    fn reachable(&self) -> Vec<Tuple> {
        let (mut found, mut next) = (vec![[0, 0]], 0);
        while let Some(&tuple) = found.get(next) {
            next += 1;
            for (_, target) in self.steps(tuple) {
                if !found.contains(&target) {
                    found.push(target);
                }
            }
        }
        found
    }

    fn satisfies(&self, tuple: Tuple, invariant: Invariant) -> bool {
        match invariant {
            Invariant::Exclusion => !(0..2).all(|part| self.parts[part].labels[tuple[part]][1]),
            Invariant::Never(action) => self.steps(tuple).iter().all(|(own, _)| *own != action),
            Invariant::Progress => !self.steps(tuple).is_empty(),
        }
    }
}

impl Invariant {
    fn formula(self) -> (Logic, String) {
        match self {
            Self::Exclusion => (Logic::Ctl, "AG !(p0 & p1)".to_owned()),
            Self::Never(action) => {
                (Logic::Mu, format!("nu Z. ([{}] false & [true] Z)", ACTIONS[action]))
            }
            Self::Progress => (Logic::Mu, "nu Z. (<true> true & [true] Z)".to_owned()),
        }
    }
}

pub fn check(seeds: u64) {
    let [inductive, with_lemmas] = [Cell::new(0), Cell::new(0)];
    for_seeds("component-lemmas", 0..seeds, |rng: &mut Rng, case: &mut Case| {
        for _ in 0..TRIES {
            let system = System::random(rng);
            let invariant = match (system.has_actions, rng.chance(0.3)) {
                (true, true) => Invariant::Progress,
                (true, false) => Invariant::Never(rng.below(ACTIONS.len())),
                (false, _) => Invariant::Exclusion,
            };
            case.note(system.text());
            let Some(lemmas) = lemmas(&system.text(), invariant.formula())? else { continue };
            case.note(format!("// {lemmas:?}"));
            inductive.set(inductive.get() + 1);
            with_lemmas.set(with_lemmas.get() + u32::from(!lemmas.is_empty()));
            is_inductive(&system, invariant, &lemmas)?;
        }
        Ok(())
    });
    println!("{inductive:?} invariants are inductive, {with_lemmas:?} with lemmas");
    assert!(with_lemmas.get() >= 10, "{inductive:?} {with_lemmas:?}");
}

fn is_inductive(system: &System, invariant: Invariant, lemmas: &[String]) -> Result<(), String> {
    let all = |tuple: Tuple| -> Result<bool, String> {
        let holds = lemmas.iter().map(|lemma| holds(lemma, tuple));
        Ok(system.satisfies(tuple, invariant)
            && holds.collect::<Result<Vec<_>, _>>()?.iter().all(|&h| h))
    };
    for tuple in system.reachable() {
        ensure(all(tuple)?, || format!("it does not hold in {tuple:?}"))?;
    }
    for tuple in system.tuples() {
        if !all(tuple)? {
            continue;
        }
        for (_, target) in system.steps(tuple) {
            ensure(all(target)?, || format!("a step leads out, from {tuple:?} to {target:?}"))?;
        }
    }
    Ok(())
}

/// The lemmas of the explanation, if the invariant holds.
fn lemmas(text: &str, (logic, formula): (Logic, String)) -> Result<Option<Vec<String>>, String> {
    let model = Model::read("tm", "random.tm", text).map_err(|error| error.to_string())?;
    let property = model.property(logic, &formula).map_err(|error| error.to_string())?;
    let answer = model.check(&property, &Options::default()).map_err(|error| error.to_string())?;
    if answer.verdict() != Verdict::True {
        return Ok(None);
    }
    let explained = answer.explanation().map_err(|error| error.to_string())?;
    let proof = explained.graph.invariant.ok_or("it is an invariant")?;
    Ok(proof.lemmas)
}

/// The value of `!(M0 = s1 & M1 in {s0, s2})`, or of one equation.
fn holds(lemma: &str, tuple: Tuple) -> Result<bool, String> {
    let Some(excluded) = lemma.strip_prefix("!(") else { return equation(lemma, tuple) };
    let excluded = excluded.strip_suffix(')').ok_or("no `)`")?;
    let all: Result<Vec<bool>, String> =
        excluded.split(" & ").map(|one| equation(one, tuple)).collect();
    Ok(!all?.iter().all(|&holds| holds))
}

fn equation(text: &str, tuple: Tuple) -> Result<bool, String> {
    let signs = [(" not in ", false), (" in ", true), (" != ", false), (" = ", true)];
    let parts = signs.into_iter().find_map(|(sign, is_in)| Some((text.split_once(sign)?, is_in)));
    let ((name, states), is_in) = parts.ok_or_else(|| format!("no equation: {text}"))?;
    let part = usize::from(name == "M1");
    let own = format!("s{}", tuple[part]);
    let is_one = states.trim_matches(['{', '}']).split(", ").any(|state| state == own);
    Ok(is_one == is_in)
}

pub fn check_cone() {
    let part = |name: &str, [first, second]: [&str; 2]| {
        format!(
            "component {name} lts {{ actions {first}, {second}; init off; off: -{first}-> on; on: -{second}-> off; }}\n"
        )
    };
    let text = part("Lamp", ["press", "release"])
        + &part("Hand", ["press", "release"])
        + &part("Radio", ["tune", "mute"])
        + "system Lamp || Hand || Radio;\n";
    let model = Model::read("tm", "lamp.tm", &text).expect("a model");
    let formula = "nu Z. ([press] [press] false & [true] Z)";
    let property = model.property(Logic::Mu, formula).expect("a property");
    let answer = model.check(&property, &Options::default()).expect("an answer");
    let proof = answer.explanation().expect("an explanation").graph.invariant;
    let proof = proof.expect("an invariant");
    let names: Vec<&str> = proof.variables.iter().map(|one| one.name.as_str()).collect();
    assert_eq!((names, proof.states), (vec!["Lamp", "Hand"], Some(2)));
    let all = proof.variables.iter().all(|one| one.values == ["off", "on"]);
    assert!(all && proof.lemmas.is_some_and(|lemmas| lemmas.is_empty()));
}
