//! Random formulas and models.

use logic::{Family, Logic, Truth};
use model::{
    Component, Kind, Mode, ModelBuilder, PartialModel, Sync, System, Vector, ill_formed,
    unknown_actions, unknown_props,
};
use proptest::prelude::*;
use proptest::sample::select;

/// A formula as text; `$` stands for whatever the fixpoints around bind, or a constant.
fn formula(leaf: BoxedStrategy<String>, prefix: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let infix = select(vec![" & ", "&&", " and ", "|", " || ", " or ", " -> ", "=>", "<->"]);
    leaf.prop_recursive(6, 40, 3, move |inner| {
        prop_oneof![
            4 => (prefix.clone(), inner.clone()).prop_map(|(prefix, f)| format!("{prefix}({f})")),
            4 => (inner.clone(), infix.clone(), inner.clone())
                .prop_map(|(f, infix, g)| format!("{f}{infix}{g}")),
            1 => (inner.clone(), infix.clone(), inner.clone())
                .prop_map(|(f, infix, g)| format!("({f}){infix}({g})")),
            1 => inner.prop_map(|f| format!("!({f})")),
        ]
    })
    .boxed()
}

fn words(words: &[&'static str]) -> BoxedStrategy<String> {
    select(words.to_vec()).prop_map(str::to_owned).boxed()
}

/// Formulas of a logic for a family. Fixpoint variables may be free or occur negatively.
pub fn formulas(logic: Logic, family: Family) -> BoxedStrategy<String> {
    let leaf = match family {
        Family::Props => words(&["p", "q.r", "true", "false", "!p", "Z", "Y", "!q.r"]),
        Family::Actions => words(&["true", "false", "Z", "Y"]),
    };
    let prefix = match (logic, family) {
        (Logic::Ctl, _) => {
            let state = words(&["AX ", "EX ", "AF ", "EF ", "AG ", "EG ", "not "]);
            let path = (select(vec!["A", "E"]), select(vec!["U", "R", "V", "W"]))
                .prop_map(|(quantifier, op)| format!("{quantifier}[true {op} p] & "));
            prop_oneof![state, path].boxed()
        }
        (Logic::Mu, Family::Props) => words(&["[]", "<>", "box", "dia ", "mu Z.", "nu Y. ", "not"]),
        (Logic::Mu, Family::Actions) => words(&[
            "[a]",
            "<a|b>",
            "[!a]",
            "<!(a | \"c d\")>",
            "[true]",
            "<false>",
            "mu Z.",
            "nu Y.",
            "[]",
        ]),
        (Logic::Mcf, _) => words(&[
            "[true*.a]",
            "<a+b.c>",
            "[(a+b)+.c*]",
            "<nil>",
            "[!a && b || c]",
            "<a|b>",
            "nu Z.",
            "mu Y.",
            "[s(1,2)+]",
            "<\"c d\"*>",
        ]),
        (Logic::Ltl, _) => words(&["X ", "F", "G ", "Y", "Z ", "O", "H ", "p U ", "!p S"]),
        (Logic::CtlStar, _) => words(&["A ", "E", "AG ", "A X ", "E F", "A p R ", "E H "]),
    };
    let leaf = if !logic.has_fixpoints() { words(&["p", "q.r", "true", "!p"]) } else { leaf };
    formula(leaf, prefix)
}

/// A state name, legal or not.
fn state_name(index: usize, style: u8) -> String {
    match style {
        0 => format!("s{index}"),
        1 => format!("{index}"),
        2 => format!("s{index},t.{index}"),
        3 => format!("init{index}"),
        _ => format!("s0,{index}"),
    }
}

const ACTIONS: [&str; 5] = ["a", "b.c", "send(1,\"x\")", "tau", "true"];

/// Everything random about a model; what its kind does not have is left out.
type Dice = (
    Kind,
    usize,
    u8,
    Vec<(usize, usize, u8)>,
    Vec<(usize, usize, u8, usize)>,
    Vec<(usize, Vec<usize>, bool)>,
    Vec<usize>,
);

fn dice(kinds: &[Kind]) -> impl Strategy<Value = Dice> + use<> {
    let states = 1..6usize;
    (
        select(kinds.to_vec()),
        states,
        0..5u8,
        prop::collection::vec((0..6usize, 0..3usize, 0..2u8), 0..10),
        prop::collection::vec((0..6usize, 0..5usize, 0..3u8, 0..6usize), 0..14),
        prop::collection::vec(
            (0..6usize, prop::collection::vec(0..6usize, 1..4), any::<bool>()),
            0..4,
        ),
        prop::collection::vec(0..6usize, 1..3),
    )
}

/// A model; one that nothing refines would be refused, and is made tame.
fn model(name: &str, dice: Dice) -> PartialModel {
    let wild = draw(name, dice.clone(), false);
    let is_free = matches!(wild.kind, Kind::MixTs | Kind::Gkmts);
    if is_free && ill_formed(&wild).is_some() { draw(name, dice, true) } else { wild }
}

/// A tame one has no sets of states, and every must is a may.
fn draw(name: &str, dice: Dice, is_tame: bool) -> PartialModel {
    let (kind, states, style, labels, edges, sets, init) = dice;
    let mut builder = ModelBuilder::new(kind, name);
    for state in 0..states {
        builder.state(state_name(state, style));
    }
    init.iter().for_each(|state| builder.init((state % states) as u32));
    if kind.family() == Family::Props {
        add_labels(&mut builder, name, states, &labels);
    }
    for (source, action, mode, target) in edges {
        let mode = match (kind, mode) {
            (Kind::Kripke | Kind::Lts, _) | (_, 0) => Mode::BOTH,
            (Kind::Kmts | Kind::Mts, _) | (_, 1) => Mode::MAY,
            _ if is_tame => Mode::BOTH,
            _ => Mode::MUST,
        };
        let action = (kind.family() == Family::Actions).then(|| builder.action(ACTIONS[action]));
        builder.edge((source % states) as u32, action, mode, (target % states) as u32);
    }
    for (state, others, exactly) in sets.into_iter().filter(|_| !is_tame) {
        add_set(&mut builder, kind, states, state % states, others, exactly);
    }
    builder.finish()
}

/// Two propositions of its own, and a joint one that is false everywhere.
fn add_labels(
    builder: &mut ModelBuilder,
    name: &str,
    states: usize,
    labels: &[(usize, usize, u8)],
) {
    let own = &name[..1];
    let props = [builder.prop(&format!("{own}_p")), builder.prop(&format!("{own}.or"))];
    let joint = builder.prop("joint");
    (0..states as u32).for_each(|state| builder.label(state, joint, Truth::False));
    let mut given = std::collections::BTreeSet::new();
    for &(state, prop, value) in labels {
        let (state, prop) = (state % states, prop % 2);
        if given.insert((state, prop)) {
            builder.label(state as u32, props[prop], Truth::from(value == 0));
        }
    }
}

fn add_set(
    builder: &mut ModelBuilder,
    kind: Kind,
    states: usize,
    state: usize,
    others: Vec<usize>,
    exactly: bool,
) {
    let mut others: Vec<u32> = others.into_iter().map(|other| (other % states) as u32).collect();
    others.sort_unstable();
    others.dedup();
    if kind == Kind::Gkmts && exactly {
        builder.hyper(state as u32, others);
        return;
    }
    // Covering goes to higher numbers only, so that it never goes in a circle.
    others.retain(|&other| other > state as u32);
    if matches!(kind, Kind::MixTs | Kind::Gkmts) && !others.is_empty() {
        builder.covers(state as u32, others, exactly);
    }
}

pub fn systems() -> BoxedStrategy<System> {
    prop_oneof![prop_systems(), action_systems()].boxed()
}

fn prop_systems() -> impl Strategy<Value = System> {
    let kinds = [Kind::Kripke, Kind::Kmts, Kind::MixTs, Kind::Gkmts];
    let open = prop::collection::vec(0..3usize, 0..3);
    (prop::collection::vec(dice(&kinds), 1..4), prop::option::of(open)).prop_map(|(dice, open)| {
        let mut components = named(dice);
        components.extend(open.map(|values| {
            let value = |(i, v): (usize, usize)| (format!("open{i}"), Truth::ALL[v]);
            let props: Vec<(String, Truth)> = values.into_iter().enumerate().map(value).collect();
            Component { model: unknown_props("Open", &props), is_unknown: true }
        }));
        System { components, sync: Sync::default() }
    })
}

fn action_systems() -> impl Strategy<Value = System> {
    let models = prop::collection::vec(dice(&[Kind::Lts, Kind::Mts]), 1..4);
    (models, any::<[bool; 3]>()).prop_map(|(dice, [open, synchronised, hides])| {
        let mut components = named(dice);
        if open {
            let actions = ["a".to_owned(), "x y".to_owned()];
            let model = unknown_actions("Open", &actions);
            components.push(Component { model, is_unknown: true });
        }
        let mut sync = Sync::default();
        let parts: Vec<(usize, String)> = components
            .iter()
            .enumerate()
            .filter_map(|(i, c)| Some((i, c.model.actions().names().next()?.to_owned())))
            .collect();
        if synchronised && !parts.is_empty() {
            sync.vectors.push(Vector { parts, result: "com(1)".to_owned() });
        }
        if hides {
            sync.hidden.push("a".to_owned());
        }
        System { components, sync }
    })
}

fn named(dice: Vec<Dice>) -> Vec<Component> {
    let names = ["M", "system", "N || O"];
    let models = dice.into_iter().zip(names).map(|(dice, name)| model(name, dice));
    models.map(|model| Component { model, is_unknown: false }).collect()
}
