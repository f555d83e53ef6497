//! Verdicts of every method are those of the paths, by the tableau of the semantics, and the verdicts of all completions
//! of a partial model.

use logic::{Family, PropId, Truth};
use model::{ActionId, Component, Kind, Mode, ModelBuilder, PartialModel, Sync, System};
use std::cell::Cell;
use std::collections::BTreeMap;
use support::Monitor;
use tertium::{Logic, Model, Options, Verdict};
use testkit::linear::{PathFormula, value};
use testkit::{ModelShape, Rng, action_system, for_seeds, model, prop_system, system_text};

const METHODS: [&str; 5] = ["direct", "compositional", "refine", "symbolic", "auto"];

/// Completions are tried if not more than so many things are unknown.
const MOST_UNKNOWN: usize = 6;

/// A system of one component or several, and what formulas can be about.
fn system(rng: &mut Rng) -> (System, Vec<&'static str>) {
    let single = |rng: &mut Rng, kind| {
        let mut shape = ModelShape::small(rng, kind);
        shape.states = shape.states.min(4);
        let component = Component { model: model(rng, &shape), is_unknown: false };
        System { components: vec![component], sync: Sync::default() }
    };
    match rng.below(4) {
        0 => (single(rng, *rng.clone().pick(&[Kind::Kripke, Kind::Kmts])), vec!["p", "q"]),
        1 => (single(rng, *rng.clone().pick(&[Kind::Lts, Kind::Mts])), vec!["a", "b"]),
        2 => (prop_system(rng, &[Kind::Kripke, Kind::Kmts]), vec!["p0", "p1"]),
        _ => (action_system(rng, &[Kind::Lts, Kind::Mts]), vec!["a", "b"]),
    }
}

/// The verdict by definition.
fn expected(formula: &PathFormula, model: &PartialModel, names: &[&str]) -> Verdict {
    let values = model.init().iter().map(|&state| value(formula, model, state, names));
    let values: Vec<(bool, bool)> = values.collect();
    match () {
        () if values.iter().any(|(_, is_false)| *is_false) => Verdict::False,
        () if values.iter().all(|(is_true, _)| *is_true) => Verdict::True,
        () => Verdict::Unknown,
    }
}

/// The unknown facts of a partial model: labels, and whether transitions are there.
enum Unknown {
    Label(u32, PropId),
    Edge(u32, u32, Option<ActionId>),
}

fn unknowns(model: &PartialModel) -> Vec<Unknown> {
    let mut all = Vec::new();
    for state in 0..model.states() as u32 {
        let labels = model.props().iter().map(|(prop, _)| prop);
        let labels = labels.filter(|&prop| model.label(state, prop) == Truth::Unknown);
        all.extend(labels.map(|prop| Unknown::Label(state, prop)));
        let edges = model.edges().out(state).filter(|(_, class)| class.mode == Mode::MAY);
        all.extend(edges.map(|(target, class)| Unknown::Edge(state, target, class.action)));
    }
    all
}

/// The complete model in which these of the unknown things are true.
fn completion(model: &PartialModel, unknowns: &[Unknown], chosen: usize) -> PartialModel {
    let kind = match model.kind.family() {
        Family::Props => Kind::Kripke,
        Family::Actions => Kind::Lts,
    };
    let is_chosen = |number: usize| chosen >> number & 1 == 1;
    let mut builder = ModelBuilder::new(kind, "completion");
    let props: Vec<PropId> = model.props().names().map(|name| builder.prop(name)).collect();
    let actions: Vec<ActionId> = model.actions().names().map(|name| builder.action(name)).collect();
    for state in 0..model.states() as u32 {
        builder.state(format!("s{state}"));
        for &prop in &props {
            builder.label(state, prop, model.label(state, prop));
        }
        for (target, class) in model.edges().out(state).filter(|(_, class)| class.mode.must) {
            builder.edge(state, class.action.map(|a| actions[a.0 as usize]), Mode::BOTH, target);
        }
    }
    for (number, unknown) in unknowns.iter().enumerate() {
        match *unknown {
            Unknown::Label(state, prop) => builder.label(state, prop, is_chosen(number).into()),
            Unknown::Edge(from, to, action) if is_chosen(number) => {
                builder.edge(from, action.map(|a| actions[a.0 as usize]), Mode::BOTH, to);
            }
            Unknown::Edge(..) => {}
        }
    }
    model.init().iter().for_each(|&state| builder.init(state));
    builder.finish()
}

#[derive(Default)]
struct Tally {
    /// By method, how many verdicts were compared, and how many of them were definite.
    compared: BTreeMap<&'static str, [u32; 2]>,
    completed: u32,
    /// How often a verdict is unknown although all completions agree.
    imprecise: u32,
}

fn agree(name: &str, seeds: std::ops::Range<u64>) {
    let tally = Cell::new(Tally::default());
    for_seeds(name, seeds, |rng, case| {
        let (system, names) = system(rng);
        let text = system_text(&system);
        let Ok(whole) = system.compose(&Monitor::new()) else { return Ok(()) };
        if whole.states() > 12 {
            return Ok(());
        }
        let (size, with_past) = (rng.between(1, 6), rng.chance(0.3));
        let formula = PathFormula::random(rng, size, names.len(), with_past);
        let written = formula.text(&names);
        case.note(format!("{text}\n// ltl {written}"));
        let wanted = expected(&formula, &whole, &names);
        let mut counts = tally.take();
        let read = Model::read("tm", "model", &text).map_err(|error| error.to_string())?;
        let property = read.property(Logic::Ltl, &written).map_err(|error| error.to_string())?;
        for method in METHODS {
            let Ok(answer) = read.check(&property, &Options::default().method(method)) else {
                continue;
            };
            if answer.verdict() != wanted {
                return Err(format!("{method}: {}, expected {wanted}", answer.verdict()));
            }
            let count = counts.compared.entry(method).or_default();
            *count = [count[0] + 1, count[1] + u32::from(wanted.is_definite())];
        }
        let unknowns = unknowns(&whole);
        if unknowns.len() <= MOST_UNKNOWN && !unknowns.is_empty() {
            let all = (0..1 << unknowns.len()).map(|chosen| completion(&whole, &unknowns, chosen));
            let all: Vec<Verdict> = all.map(|model| expected(&formula, &model, &names)).collect();
            let is_same = all.iter().all(|verdict| *verdict == all[0]);
            if wanted.is_definite() && !(is_same && all[0] == wanted) {
                return Err(format!("{wanted}, and completions have {all:?}"));
            }
            counts.completed += 1;
            counts.imprecise += u32::from(is_same && !wanted.is_definite());
        }
        tally.set(counts);
        Ok(())
    });
    let Tally { compared, completed, imprecise } = tally.into_inner();
    println!("compared, definite: {compared:?}");
    println!("{completed} models completed, {imprecise} unknown where all completions agree");
    assert_eq!(compared.len(), METHODS.len(), "{compared:?}");
}

#[test]
fn verdicts_of_every_method_are_those_of_the_paths() {
    agree("paths-of-linear-time", 0..400);
}

#[test]
#[ignore = "minutes: 20,000 models with formulas"]
fn verdicts_of_every_method_on_many_models_are_those_of_the_paths() {
    agree("many-paths-of-linear-time", 1_000_000..1_020_000);
}
