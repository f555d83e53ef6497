//! Promela: what each construct becomes, what is refused, and that nothing makes the reader panic.

mod refusals;
mod robustness;

use front::promela::{
    Action, PromelaEdge, PromelaExpr, PromelaModel, PromelaProcess, read_promela,
};
use support::FileId;

fn program(text: &str) -> PromelaModel {
    read_promela(FileId(0), text).unwrap_or_else(|errors| panic!("{text}: {errors:#?}"))
}

fn body(text: &str) -> PromelaModel {
    let shared = "byte x, y; byte a[3]; chan c = [2] of { byte }; chan r = [0] of { byte, bool };";
    program(&format!("{shared} active proctype P() {{ {text} }}"))
}

fn process<'p>(program: &'p PromelaModel, name: &str) -> &'p PromelaProcess {
    program.processes.values().find(|process| process.name == name).expect("the process")
}

/// The statements in the order of the graph, with the numbers of the places.
fn edges(program: &PromelaModel, text: &str) -> Vec<(u32, u32, String)> {
    let show =
        |edge: &PromelaEdge| (edge.source.0, edge.target.0, text[edge.span.range()].to_owned());
    program.processes.values().flat_map(|process| process.edges.iter().map(show)).collect()
}

#[test]
fn jumps_are_no_steps() {
    let text = "byte x; active proctype P() { L: x = 1; if :: x == 1 -> goto L :: x = 2 fi; do :: x++ -> break od }";
    let program = program(text);
    let found = edges(&program, text);
    let found: Vec<(u32, u32, &str)> = found.iter().map(|(a, b, s)| (*a, *b, &**s)).collect();
    let start = process(&program, "P").start.0;
    let end = process(&program, "P").end.0;
    assert!(found.contains(&(start, 2, "x = 1")), "{found:?}");
    assert!(found.contains(&(2, start, "x == 1")), "{found:?}");
    assert!(found.contains(&(2, 3, "x = 2")), "{found:?}");
    assert!(found.contains(&(3, end, "x++")), "{found:?}");
    assert_eq!(found.len(), 4);
}

#[test]
fn labels_stand_at_places() {
    let program = program("active proctype P() { skip; A: B: skip; endC: do :: skip od }");
    let process = process(&program, "P");
    let labelled: Vec<(Vec<String>, bool)> = process
        .locations
        .values()
        .filter(|location| !location.labels.is_empty())
        .map(|location| (location.labels.clone(), location.marks.is_end))
        .collect();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(labelled, [(names(&["A", "B"]), false), (names(&["endC"]), true)]);
}

#[test]
fn control_is_kept_within_atomic_only() {
    let kept = |text: &str| -> Vec<bool> {
        let program = body(text);
        let mut edges: Vec<&PromelaEdge> = process(&program, "P").edges.iter().collect();
        edges.sort_by_key(|edge| edge.span.start);
        edges.iter().map(|edge| edge.keeps_control).collect()
    };
    assert_eq!(kept("atomic { x = 1; x = 2; x = 3 }; x = 4"), [true, true, false, false]);
    assert_eq!(kept("atomic { x = 1; goto L; }; L: x = 4"), [false, false]);
    assert_eq!(kept("do :: atomic { x == 0 -> x = 1 } od"), [true, false]);
    let with_copies = [true, true, true, false, false];
    assert_eq!(kept("atomic { do :: x == 0 -> x = 1 :: x == 1 -> break od }"), with_copies);
    assert_eq!(kept("x = 0; atomic { x = 1; { x = 2; x = 3 } }"), [false, true, true, false]);
}

#[test]
fn else_is_the_rest() {
    let program = body("if :: x == 1 -> y = 1 :: x == 2 -> y = 2 :: else -> y = 3 fi");
    let guards: Vec<&PromelaExpr> =
        process(&program, "P").edges.iter().take(3).map(|e| &program.exprs[e.guard]).collect();
    assert!(
        matches!(guards[2], PromelaExpr::Unary(front::promela::PromelaUnary::Not, _)),
        "{guards:?}"
    );
}

#[test]
fn a_channel_by_its_index_is_one_edge_for_each() {
    let text = "chan d[2] = [1] of { byte }; byte i; active proctype P() { d[i]!3; d[1]?i }";
    let program = program(text);
    let channels: Vec<u32> = process(&program, "P")
        .edges
        .iter()
        .filter_map(|edge| match &edge.action {
            Action::Send { channel, .. } | Action::Receive { channel, .. } => Some(channel.0),
            _ => None,
        })
        .collect();
    assert_eq!(channels, [0, 1, 1]);
}

#[test]
fn processes_are_named_and_numbered() {
    let text = "active [2] proctype P() { skip } proctype Q(byte n) { byte m = n; m = n } \
                init { byte i; for (i : 1 .. 2) { run Q(i) } run R() } proctype R() { skip }";
    let program = program(text);
    let names: Vec<&str> = program.processes.values().map(|process| &*process.name).collect();
    assert_eq!(names, ["P[0]", "P[1]", "init", "Q[3]", "Q[4]", "R"]);
    let vars: Vec<(&str, i32)> = program.vars.values().map(|var| (&*var.name, var.init)).collect();
    assert_eq!(vars, [("init:i", 0), ("Q[3]:m", 1), ("Q[4]:m", 2)]);
}

#[test]
fn parameters_are_constants_where_they_can_be() {
    let text = "proctype P(byte n; byte m) { m++; n == 1 } init { run P(257, 3) }";
    let program = program(text);
    let vars: Vec<(&str, i32)> = program.vars.values().map(|var| (&*var.name, var.init)).collect();
    assert_eq!(vars, [("P:m", 3)]);
    // A byte is what is left of 257.
    assert!(
        process(&program, "P")
            .edges
            .iter()
            .any(|edge| program.exprs[edge.guard] == PromelaExpr::Const(1))
    );
}

#[test]
fn messages_are_numbered_as_in_spin() {
    let text = "mtype = { a, b, c }; mtype = { d }; mtype : other = { e, f }; active proctype P() { skip }";
    let program = program(text);
    let value = |name: &str| program.message_values[program.messages.get(name).expect("it")];
    assert_eq!(["a", "b", "c", "d", "e", "f"].map(value), [3, 2, 1, 4, 2, 1]);
}

#[test]
fn structures_and_arrays_are_flat() {
    let text = "typedef T { byte f; int g[2] }; typedef U { bit h }; T t; U u[2]; byte k; \
                active proctype P() { t.f = 1; t.g[k] = 2; u[k].h = 1; u[1].h = 0 }";
    let program = program(text);
    let names: Vec<&str> = program.vars.values().map(|var| &*var.name).collect();
    assert_eq!(names, ["t.f", "t.g[0]", "t.g[1]", "u.h[0]", "u.h[1]", "k"]);
}

#[test]
fn only_the_first_path_through_a_dstep_is_taken() {
    let program = body("d_step { if :: x = 1 :: x = 2 fi; y = x }");
    // The second option can never be taken.
    assert_eq!(process(&program, "P").edges.len(), 2);
}

#[test]
fn declarations_begin_anew_where_they_stand() {
    let program = body("byte n = 5; do :: byte m = n; m++; n = m od");
    let process = process(&program, "P");
    assert_eq!(program.vars.values().find(|var| var.name == "P:n").map(|var| var.init), Some(5));
    let assigns = process.edges.iter().filter(|e| matches!(e.action, Action::Assign { .. }));
    assert_eq!(assigns.count(), 3);
}

#[test]
fn declarations_without_a_value_begin_anew_as_well() {
    let assigns = |text: &str| {
        let program = body(text);
        let edges = &process(&program, "P").edges;
        edges.iter().filter(|edge| matches!(edge.action, Action::Assign { .. })).count()
    };
    assert_eq!(assigns("byte n, m; do :: n++ od"), 1);
    assert_eq!(assigns("byte n; do :: byte m; n++ od"), 2);
    assert_eq!(assigns("{ byte m; m++ }; atomic { byte k, l; k++ }"), 5);
    assert_eq!(assigns("L: skip; byte m; m++"), 2);
}
