//! Who is blamed: the cause of an unknown names exactly the components that are not certain of their part in the
//! transition that it reports, with their own actions. An oracle computes them anew from the synchronisation rules.

mod reading;

use explicit::{COMPOSITIONAL, Cause, DIRECT, Deadlock, Diagnosis, REFINE, Reason, Request};
use logic::{Family, Truth};
use model::{Kind, PartialModel, System, TAU};
use std::cell::Cell;
use std::collections::BTreeSet;
use support::Monitor;
use testkit::{Case, Rng, action_system, component_system, for_seeds, formula_for, system_text};

/// Component, states before and after, own action.
type Blamed = (String, String, String, Option<String>);

fn blamed(diagnosis: &Diagnosis) -> Option<BTreeSet<Blamed>> {
    let Cause::Transition { steps, .. } = &diagnosis.cause else { return None };
    let steps = steps.iter().cloned();
    Some(steps.map(|step| (step.component, step.from, step.to, step.action)).collect())
}

/// Commas outside of braces separate.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut parts, mut start) = (0, Vec::new(), 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The concrete states that a name stands for: itself, or the members of an abstract state. `None` if not all are
/// named.
fn members(model: &PartialModel, name: &str) -> Option<Vec<u32>> {
    let find = |name: &str| (0..model.states() as u32).find(|&s| model.state_name(s) == name);
    let block = || {
        let inside = name.strip_prefix('{')?.strip_suffix('}')?;
        split(inside).into_iter().map(find).collect()
    };
    find(name).map(|state| vec![state]).or_else(block)
}

/// The participants of every rule that shows an action, each with its own (C §6.1).
fn rules(system: &System, shown: &str) -> Vec<Vec<(usize, Option<String>)>> {
    let hide = |name: &str| match system.sync.hidden.iter().any(|hidden| hidden == name) {
        true => TAU.to_owned(),
        false => name.to_owned(),
    };
    let mut rules = Vec::new();
    for vector in system.sync.vectors.iter().filter(|vector| hide(&vector.result) == shown) {
        rules.push(vector.parts.iter().map(|(c, name)| (*c, Some(name.clone()))).collect());
    }
    let in_vector = |component: usize, action: &str| {
        let mut parts = system.sync.vectors.iter().flat_map(|vector| &vector.parts);
        parts.any(|(c, name)| *c == component && name == action)
    };
    let all = system.components.iter().flat_map(|c| c.model.actions().names());
    let names: BTreeSet<&str> = all.collect();
    for name in names.into_iter().filter(|&name| hide(name) == shown) {
        let has = |&c: &usize| {
            system.components[c].model.actions().get(name).is_some() && !in_vector(c, name)
        };
        let who: Vec<usize> = (0..system.components.len()).filter(has).collect();
        let part = |&c: &usize| (c, Some(name.to_owned()));
        match name {
            TAU => rules.extend(who.iter().map(|c| vec![part(c)])),
            _ if who.is_empty() => {}
            _ => rules.push(who.iter().map(part).collect()),
        }
    }
    rules
}

/// Whether some of `from` may, and whether all of them must, go into `to` by an action.
fn mode(model: &PartialModel, from: &[u32], to: &[u32], action: Option<&str>) -> (bool, bool) {
    let has = |state: u32, must: bool| {
        model.edges().out(state).any(|(target, class)| {
            let own = class.action.map(|action| model.actions().name(action));
            let enough = if must { class.mode.must } else { class.mode.may };
            to.contains(&target) && own == action && enough
        })
    };
    (from.iter().any(|&s| has(s, false)), from.iter().all(|&s| has(s, true)))
}

/// Judges a diagnosis; `None` if it names abstract states that are too large to be listed.
fn judge(system: &System, stutters: bool, diagnosis: &Diagnosis) -> Option<Result<(), String>> {
    let models: Vec<&PartialModel> = system.components.iter().map(|part| &part.model).collect();
    let source = split(&diagnosis.state);
    let (action, target) = match &diagnosis.cause {
        Cause::Label { component, state, prop } => {
            let model = models.iter().find(|model| model.name == *component)?;
            let prop = model.props().get(prop)?;
            let mut states = members(model, state)?.into_iter();
            let is_unknown = states.all(|state| model.label(state, prop) == Truth::Unknown);
            return Some(is_unknown.then_some(()).ok_or("the label is known".to_owned()));
        }
        Cause::Transition { action, target, .. } => (action.clone(), target),
    };
    if source.len() != models.len() || target.len() != models.len() {
        return Some(Err("the state is not one of the composition".to_owned()));
    }
    let numbers = |names: &[&str]| -> Option<Vec<Vec<u32>>> {
        models.iter().zip(names).map(|(model, name)| members(model, name)).collect()
    };
    let before = numbers(&source)?;
    let target: Vec<&str> = target.iter().map(String::as_str).collect();
    let after = numbers(&target)?;
    let rules = match system.family() {
        Family::Props => vec![(0..models.len()).map(|c| (c, None)).collect()],
        Family::Actions => action.map(|action| rules(system, &action)).unwrap_or_default(),
    };
    let uncertain = |rule: &Vec<(usize, Option<String>)>| -> Option<BTreeSet<Blamed>> {
        let moves = |c: usize| rule.iter().any(|(other, _)| *other == c);
        if (0..models.len()).any(|c| !moves(c) && before[c] != after[c]) {
            return None;
        }
        let mut found = BTreeSet::new();
        for (c, own) in rule {
            let (may, must) = mode(models[*c], &before[*c], &after[*c], own.as_deref());
            if !may {
                return None;
            }
            if !must {
                let name = models[*c].name.clone();
                found.insert((name, source[*c].into(), target[*c].into(), own.clone()));
            }
        }
        Some(found)
    };
    let possible: Vec<BTreeSet<Blamed>> = rules.iter().filter_map(uncertain).collect();
    let blamed = blamed(diagnosis)?;
    Some(if blamed.is_empty() {
        let stays = stutters && source == target && !possible.iter().any(BTreeSet::is_empty);
        stays.then_some(()).ok_or("no component is blamed".to_owned())
    } else if possible.contains(&blamed) {
        Ok(())
    } else {
        Err(format!("blamed {blamed:?}, uncertain {possible:?}"))
    })
}

fn one_system(rng: &mut Rng, case: &mut Case, judged: &Cell<u64>) -> Result<(), String> {
    let system = match rng.chance(0.7) {
        true => action_system(rng, &[Kind::Mts, Kind::Mts, Kind::Lts]),
        false => component_system(rng),
    };
    case.note(system_text(&system));
    let Ok(composition) = system.compose(&Monitor::new()) else { return Ok(()) };
    let size = rng.between(1, 10);
    let formula = formula_for(rng, &composition, size);
    case.note_property(&formula);
    let monitor = Monitor::new();
    for deadlock in [Deadlock::Warn, Deadlock::Stutter] {
        for method in [DIRECT, COMPOSITIONAL, REFINE] {
            let request = Request { deadlock, ..Request::new(&system, &formula, &monitor) };
            let Ok(outcome) = method.run(&request) else { continue };
            let Some(Reason::Undetermined(diagnosis)) = &outcome.reason else { continue };
            let stutters = deadlock == Deadlock::Stutter;
            if let Some(judgement) = judge(&system, stutters, diagnosis) {
                judged.set(judged.get() + 1);
                judgement.map_err(|why| format!("{method:?}: {why}\n{diagnosis:?}"))?;
            }
        }
    }
    Ok(())
}

fn judge_systems(name: &str, systems: u64, least: u64) {
    let judged = Cell::new(0);
    for_seeds(name, 0..systems, |rng, case| one_system(rng, case, &judged));
    println!("{} diagnoses in {systems} systems", judged.get());
    assert!(judged.get() >= least, "{judged:?}");
}

#[test]
fn exactly_the_uncertain_components_are_blamed() {
    judge_systems("blame", 1_000, 600);
}

#[test]
#[ignore = "takes a minute"]
fn exactly_the_uncertain_components_are_blamed_in_5000_unknowns() {
    judge_systems("blame-long", 20_000, 5_000);
}

/// The blamed steps by each method.
fn blame(text: &str) -> Vec<Vec<String>> {
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let ask = |method: explicit::Checker| {
        let outcome = method.run(&Request::new(&system, &formula, &monitor)).unwrap();
        assert_eq!(outcome.verdict, Truth::Unknown, "{method:?}");
        let Some(Reason::Undetermined(diagnosis)) = outcome.reason else {
            panic!("{method:?}: {:?}", outcome.reason)
        };
        let steps = blamed(&diagnosis).expect("a transition").into_iter();
        let shown = |(component, from, to, action): Blamed| {
            format!("{component} {from} {} {to}", action.unwrap_or_default())
        };
        steps.map(shown).collect()
    };
    [DIRECT, COMPOSITIONAL, REFINE].map(ask).into()
}

/// B has no `a`, and is blamed neither when `a` is hidden nor when a vector renames it to what B has.
#[test]
fn a_component_without_the_action_is_not_blamed() {
    let components = "component A mts { actions a; init s; s: -a?> t; t: ; }
                      component B mts { actions d; init u; u: -d?> u; }";
    let cases = [
        ("", "<a> true"),
        ("hide { a }", "<tau> true"),
        ("sync { A:a -> d; }", "[d] false & <d> true | <d> true"),
        ("sync { A:a -> comm; }", "<comm> true"),
    ];
    for (sync, formula) in cases {
        let text = format!("{components} system A || B {sync}; property x: mu {formula};");
        let found = blame(&text);
        let expected = if sync.contains("-> d") { "B u d u" } else { "A s a t" };
        let is_right = |steps: &Vec<String>| *steps == ["A s a t"] || *steps == [expected];
        assert!(found.iter().all(is_right), "{sync}: {found:?}");
    }
}

/// Both take part in a vector, each by its own action; only one is uncertain.
#[test]
fn a_vector_blames_by_own_actions() {
    let text = |b: &str| {
        format!(
            "component A mts {{ actions send; init s; s: -send?> t; t: ; }}
             component B mts {{ actions recv, comm; init u; u: -recv{b} v; v: ; }}
             system A || B sync {{ A:send | B:recv -> comm; }} hide {{ comm }};
             property x: mu <tau> true;"
        )
    };
    assert!(blame(&text("->")).iter().all(|steps| *steps == ["A s send t"]));
    assert!(blame(&text("?>")).iter().all(|steps| *steps == ["A s send t", "B u recv v"]));
}
