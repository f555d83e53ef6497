//! The meaning of `.tm` files.

use crate::support::{complaints, read};
use logic::{Logic, PropId, Truth};
use model::{Kind, Mode, PartialModel};

fn model(text: &str) -> PartialModel {
    let document = read(text).unwrap_or_else(|_| panic!("{}", complaints(text)));
    document.system.expect("a system").components.remove(0).model
}

fn row(model: &PartialModel, state: u32) -> Vec<(String, Mode, String)> {
    let name = |action| model.actions().name(action).to_owned();
    let out = model.edges().out(state);
    out.map(|(target, class)| {
        (class.action.map_or(String::new(), name), class.mode, model.state_name(target))
    })
    .collect()
}

fn edge(action: &str, mode: Mode, target: &str) -> (String, Mode, String) {
    (action.to_owned(), mode, target.to_owned())
}

/// The example of the language's page.
#[test]
fn components_a_system_and_properties() {
    let text = "
        component M1 kripke { props r, o; init s0; s0: {} -> s1; s1: {r} -> s1, s2; s2: {r, o} -> s0; }
        component M2 kmts { props r, i; init t0;
          t0: {!r, !i} -> t1 ?> t2;     // must to t1, may to t2
          t1: {r, i?}  -> t1;           // i is unknown here
          t2: {r, !i}  -> t0; }
        system M1 || M2;
        property \"input is answered\": mu  [] (!i | <> o);
        property safe:                ctl AG !(i & o);";
    let document = read(text).unwrap();
    assert!(document.warnings.is_empty());
    let system = document.system.unwrap();
    let (m1, m2) = (&system.components[0].model, &system.components[1].model);
    assert_eq!((m1.kind, m2.kind), (Kind::Kripke, Kind::Kmts));
    assert_eq!(m1.label(0, PropId(0)), Truth::False);
    assert_eq!(
        [0, 1, 2].map(|s| m2.label(s, PropId(1))),
        [Truth::False, Truth::Unknown, Truth::False]
    );
    assert_eq!(row(m2, 0), [edge("", Mode::BOTH, "t1"), edge("", Mode::MAY, "t2")]);
    let properties: Vec<_> = document
        .properties
        .iter()
        .map(|p| (p.title(), p.surface().unwrap().logic, p.text.clone()))
        .collect();
    assert_eq!(
        properties,
        [
            ("input is answered", Logic::Mu, "[] (!i | <> o)".to_owned()),
            ("safe", Logic::Ctl, "AG !(i & o)".to_owned())
        ]
    );
}

#[test]
fn arrows_of_all_kinds() {
    let m = model("component M mixts { init s; s: -> s ?> t, u !> t !> s; t: ; u: ; }");
    let expected = [edge("", Mode::BOTH, "s"), edge("", Mode::BOTH, "t"), edge("", Mode::MAY, "u")];
    assert_eq!(row(&m, 0), expected);
    let m = model("component M mts { init s; s: -a-> s -tau?> s, t -\"b c\"-> t; t: ; }");
    let expected = [
        edge("a", Mode::BOTH, "s"),
        edge("tau", Mode::MAY, "s"),
        edge("tau", Mode::MAY, "t"),
        edge("b c", Mode::BOTH, "t"),
    ];
    assert_eq!(row(&m, 0), expected);
}

#[test]
fn hyper_transitions_and_covers() {
    let m = model(
        "component M gkmts { props p; init a; a: !> {b, c} ?> b, c !> {a}; b: ?> b, c; c: {!p} ?> c;
         covers a: c, b, b; covers b: c, ...; }",
    );
    assert_eq!(m.hyper().len(), 1);
    assert_eq!((m.hyper()[0].source, &*m.hyper()[0].targets), (0, &[1, 2][..]));
    assert_eq!(row(&m, 0)[2], edge("", Mode::MUST, "a"));
    let covers: Vec<_> =
        m.covers().iter().map(|c| (c.state, c.covered.clone(), c.exactly)).collect();
    assert_eq!(covers, [(0, vec![1, 2], true), (1, vec![2], false)]);
}

#[test]
fn names_with_dots_and_keywords_as_names() {
    let m = model(
        "component component kripke { props p.q, init; init init, props.x;
                   init: {p.q, !init} -> covers, props.x; covers: {init}; props.x: {p.q}; }",
    );
    assert_eq!(m.name, "component");
    assert_eq!(m.init(), [0, 2]);
    assert_eq!(m.props().names().collect::<Vec<_>>(), ["p.q", "init"]);
    assert_eq!(row(&m, 0).len(), 2);
}

#[test]
fn declared_actions_count_even_if_unused() {
    let m = model("component M lts { actions a, b; init s; s: -b-> s -tau-> s; }");
    assert_eq!(m.actions().names().collect::<Vec<_>>(), ["a", "b", "tau"]);
}

#[test]
fn unknown_parts() {
    let text = "component Net unknown { props ack, msg; init {!ack, msg?}; }";
    let system = read(text).unwrap().system.unwrap();
    assert!(system.components[0].is_unknown);
    assert_eq!(
        (system.components[0].model.states(), system.components[0].model.init().len()),
        (4, 2)
    );
    let system = read("component Env unknown { actions a, b; }").unwrap().system.unwrap();
    assert!(system.components[0].is_unknown);
    assert_eq!(row(&system.components[0].model, 0).len(), 3);
    let system = read("component Env from \"open.tm\";").unwrap().system.unwrap();
    assert!(system.components[0].is_unknown);
    assert_eq!(system.components[0].model.name, "Env");
}

#[test]
fn vectors_and_hiding() {
    let text = "component A lts { init s; s: -send-> s; } component B from \"ok.aut\";
                system A || B sync { A:send | B:a -> comm; } hide { comm, send };";
    let system = read(text).unwrap().system.unwrap();
    assert_eq!(system.components[1].model.name, "B");
    assert_eq!(system.sync.vectors[0].parts, [(0, "send".to_owned()), (1, "a".to_owned())]);
    assert_eq!(system.sync.vectors[0].result, "comm");
    assert_eq!(system.sync.hidden, ["comm", "send"]);
    assert_eq!(system.actions(), ["tau"]);
    // What a vector takes shows as the vector says and no longer as itself.
    let system = read(&text.replace("hide { comm, send }", "")).unwrap().system.unwrap();
    assert_eq!(system.actions(), ["comm"]);
}

#[test]
fn properties_alone_and_safety_properties() {
    let document =
        read("property x: mu p; safety S lts { actions a, b; init s; s: -a-> s; }").unwrap();
    assert!(document.system.is_none());
    assert_eq!(document.properties.len(), 1);
    assert_eq!(document.safeties[0].name, "S");
    assert_eq!(document.safeties[0].model.actions().len(), 2);
}

/// Only the components that the system names count, in its order.
#[test]
fn a_system_may_leave_components_out() {
    let text = "component A kripke { init s; s: ; } component B lts { init s; s: ; }
                component C kripke { init s; s: ; } system C || A;";
    let system = read(text).unwrap().system.unwrap();
    let names: Vec<_> = system.components.iter().map(|c| c.model.name.as_str()).collect();
    assert_eq!(names, ["C", "A"]);
}
