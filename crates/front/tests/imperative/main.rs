//! While-programs: what each construct becomes, what is refused, and that nothing makes the reader panic.

mod refusals;
mod robustness;

use std::sync::Arc;
use support::FileId;
use testkit::{WhileDocument, read_while};
use transition::cfg::{Branch, CommandId, CommandKind, CtlAtom, Effect, Program};
use transition::{NodeId, VarId};

fn document(text: &str) -> WhileDocument {
    let text: Arc<str> = text.into();
    read_while(FileId(0), &text).unwrap_or_else(|errors| panic!("{text}: {errors:#?}"))
}

const SHARED: &str =
    "var x, y : 0..7; var b : bool; var m : {idle, busy}; var a : array 0..3 of 0..7;";

/// A program over some variables.
fn body(text: &str) -> Program {
    document(&format!("{SHARED} {text}")).form.program
}

fn var(program: &Program, name: &str) -> VarId {
    program.data.vars.iter().find(|(_, var)| var.name == name).expect(name).0
}

/// The value of an expression where all variables are 0 but these.
fn value(program: &Program, node: NodeId, values: &[(&str, i64)]) -> i64 {
    let values: Vec<(VarId, i64)> =
        values.iter().map(|&(name, value)| (var(program, name), value)).collect();
    let mut machine = program.data.clone();
    let mut node = node;
    for var in machine.vars.ids().collect::<Vec<_>>() {
        let given = values.iter().find(|(other, _)| *other == var);
        let value = given.map_or(machine.vars[var].domain.value(0), |(_, value)| *value);
        node = machine.with_value(node, var, value);
    }
    machine.exprs.as_constant(node).expect("a constant")
}

/// The possible effects of a step where all variables are 0 but these.
fn effects(program: &Program, command: CommandId, values: &[(&str, i64)]) -> Vec<String> {
    let CommandKind::Step(branches) = &program.commands[command].kind else { panic!("a step") };
    let possible =
        |branch: &&Branch| branch.guard.is_none_or(|guard| value(program, guard, values) != 0);
    let show = |branch: &Branch| match branch.effect {
        Effect::Nothing => "nothing".to_owned(),
        Effect::Fails => "fails".to_owned(),
        Effect::Any(var) => format!("{} := any", program.data.vars[var].name),
        Effect::Set(var, node) => {
            let value = value(program, node, values);
            format!("{} := {}", program.data.vars[var].name, program.data.text(var, value))
        }
    };
    branches.iter().filter(possible).map(show).collect()
}

/// The commands of a program, without values.
fn outline(program: &Program, block: &[CommandId]) -> String {
    let show = |&command: &CommandId| match &program.commands[command].kind {
        CommandKind::Fin => "fin".to_owned(),
        CommandKind::Step(branches) => format!("step{}", branches.len()),
        CommandKind::If { then, otherwise, .. } => {
            format!("if({} | {})", outline(program, then), outline(program, otherwise))
        }
        CommandKind::While { body, .. } => format!("while({})", outline(program, body)),
        CommandKind::Call(procedure) => format!("call {}", program.procedures[*procedure].name),
        CommandKind::Recurse(call) => {
            format!("recurse {}", program.procedures[call.procedure].name)
        }
        CommandKind::Jump(jump) => format!("{jump:?}").to_lowercase(),
        CommandKind::Hole { hole, frame } => {
            format!("hole {}{}", program.holes.name(*hole), frame.len())
        }
    };
    block.iter().map(show).collect::<Vec<_>>().join("; ")
}

#[test]
fn commands_and_blocks() {
    let text = "start: x := {0, 1, y + 1}; skip; if x > 3 & !b then skip else b := true fi; \
                if b then y := any fi; while x < 7 do x := x + 1; skip od; done: last: fin";
    let program = body(text);
    let found = outline(&program, &program.body);
    assert_eq!(
        found,
        "step4; step1; if(step1 | step1); if(step1 | step1); while(step2; step1); fin"
    );
    let labels: Vec<&str> = program.labels.names().collect();
    assert_eq!(labels, ["start", "done", "last"]);
    assert_eq!(program.commands[*program.body.last().expect("fin")].labels.len(), 2);
}

#[test]
fn fin_is_added() {
    for text in ["x := 1", "x := 1;", "x := 1; fin", "x := 1; fin;"] {
        let program = body(text);
        assert_eq!(outline(&program, &program.body), "step1; fin", "{text}");
    }
}

#[test]
fn each_alternative_goes_wrong_by_itself() {
    let program = body("x := {y + 1, 3, 4 / x}");
    let command = program.body[0];
    assert_eq!(effects(&program, command, &[]), ["x := 1", "x := 3", "fails"]);
    assert_eq!(effects(&program, command, &[("y", 7), ("x", 2)]), ["fails", "x := 3", "x := 2"]);
}

#[test]
fn elements_of_arrays() {
    let program = body("a[x] := y; y := a[x - 1]; a[2] := any; a[x] := {1, y}");
    let [write, read, any, both] = program.body[..4] else { panic!("four commands") };
    assert_eq!(effects(&program, write, &[("x", 2), ("y", 5)]), ["a[2] := 5"]);
    assert_eq!(effects(&program, write, &[("x", 4)]), ["fails"]);
    assert_eq!(effects(&program, read, &[("x", 2), ("a[1]", 6)]), ["y := 6"]);
    assert_eq!(effects(&program, read, &[]), ["fails"]);
    assert_eq!(effects(&program, any, &[]), ["a[2] := any"]);
    assert_eq!(effects(&program, both, &[("y", 3)]), ["a[0] := 1", "a[0] := 3"]);
    assert_eq!(effects(&program, both, &[("x", 7)]), ["fails", "fails"]);
}

#[test]
fn enumerations_share_constants() {
    let program = document(
        "var m : {idle, busy}; var n : {busy, done}; m := n; n := busy; if m = busy & n != m then skip fi",
    )
    .form.program;
    let busy = transition::symbol_value(program.data.symbols.get("busy").expect("busy"));
    let done = transition::symbol_value(program.data.symbols.get("done").expect("done"));
    assert_eq!(effects(&program, program.body[0], &[("n", busy)]), ["m := busy"]);
    assert_eq!(effects(&program, program.body[0], &[("n", done)]), ["fails"]);
    assert_eq!(effects(&program, program.body[1], &[]), ["n := busy"]);
}

#[test]
fn conditions_go_wrong() {
    let program = body("while 4 / x > 1 | y = 1 do x := x - 1 od");
    let CommandKind::While { test, .. } = program.commands[program.body[0]].kind else {
        panic!("a loop")
    };
    let wrong = test.error_condition.expect("division by zero");
    let results = |values: &[(&str, i64)]| {
        [test.holds, test.fails_to_hold, wrong].map(|node| value(&program, node, values))
    };
    assert_eq!(results(&[]), [0, 0, 1]);
    assert_eq!(results(&[("y", 1)]), [1, 0, 0], "what decides is enough");
    assert_eq!(results(&[("x", 1)]), [1, 0, 0]);
    assert_eq!(results(&[("x", 4)]), [0, 1, 0]);
}

#[test]
fn operators_and_their_order() {
    let cases = [
        ("1 + 2 * 3 = 7", 1),
        ("-7 / 2 = -3 & -7 mod 2 = -1 & 7 % 4 = 3", 1),
        ("1 - 2 - 3 = -4", 1),
        ("!x = 1", 1),
        ("not x == 0 or y <= 0 and b", 0),
        ("b -> b -> false", 1),
        ("b <-> b <-> false", 0),
        ("(b || x >= 0) && !(x > y)", 1),
        ("b => x < 0", 1),
        ("b = (m = busy)", 1),
        ("- -3 = 3", 1),
    ];
    for (text, wanted) in cases {
        let program = body(&format!("if {text} then skip fi"));
        let CommandKind::If { test, .. } = program.commands[program.body[0]].kind else {
            panic!("{text}")
        };
        let found = value(&program, test.holds, &[]);
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn calls_are_steps_around_a_body() {
    let text = "proc clamp(in v : 0..7, out r : 0..3) { var t : 0..7; var u : 0..7 := v; \
                  t := v; if t > 3 then r := 3 else r := t fi } \
                proc nothing() { skip } \
                l: clamp(x + 1, y); nothing()";
    let program = body(text);
    let found = outline(&program, &program.body);
    assert_eq!(found, "step2; step1; step1; step1; call clamp; step1; step1; call nothing; fin");
    let body = &program.procedures.iter().next().expect("clamp").1.body;
    assert_eq!(outline(&program, body), "step1; if(step1 | step2)");
    assert_eq!(program.commands[program.body[0]].labels.len(), 1);
    let shown: Vec<Vec<String>> =
        [0, 1, 2, 3, 5].map(|at| effects(&program, program.body[at], &[("clamp.v", 2)])).into();
    assert_eq!(
        shown,
        [["clamp.v := 1"], ["clamp.r := any"], ["clamp.t := any"], ["clamp.u := 2"], ["y := 0"]]
    );
}

#[test]
fn procedures_are_in_the_order_of_calls() {
    let text = "proc one() { two(); three() } proc two() { three() } proc three() { x := 0 } one()";
    let program = body(text);
    let names: Vec<&str> = program.procedures.values().map(|p| &*p.name).collect();
    assert_eq!(names, ["three", "two", "one"]);
}

#[test]
fn a_procedure_has_names_of_its_own() {
    let program = body("proc p(in x : bool) { y := 1; b := x } p(b)");
    let body = &program.procedures.iter().next().expect("p").1.body;
    assert_eq!(effects(&program, body[1], &[("p.x", 1)]), ["b := TRUE"]);
}

#[test]
fn holes_name_variables() {
    let program = body("hole net(x, a); hole net(a, x, x)");
    assert_eq!(outline(&program, &program.body), "hole net5; hole net5; fin");
}

#[test]
fn initial_values_are_constraints() {
    let program = document("var x : 0..7 := {0, 1 + 1}; var a : array 1..2 of bool := true; fin")
        .form
        .program;
    let starts = |values: &[(&str, i64)]| {
        program.data.constraints.iter().all(|c| value(&program, c.node, values) != 0)
    };
    assert_eq!(program.data.constraints.len(), 3);
    assert!(starts(&[("x", 2), ("a[1]", 1), ("a[2]", 1)]));
    assert!(!starts(&[("x", 1), ("a[1]", 1), ("a[2]", 1)]));
    assert!(!starts(&[("x", 0), ("a[1]", 1)]));
}

#[test]
fn formulas_and_their_propositions() {
    let text = "var x : 0..7; var b : bool; proc p() { var t : bool; skip } \
                property safe: ctl AG !(x = 7 & b); start: p(); done: fin \
                property \"it ends\": ctl AF (at_done & x  =\n 1 /* or */ | error); \
                property fix: mu nu Z. (x = 1 -> p.t) & [] Z;";
    let document = document(text);
    let names: Vec<&str> = document.propositions.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["!(x = 7 & b)", "at_done", "x = 1", "error", "x = 1 -> p.t"]);
    let reported: Vec<(&str, &str)> = document
        .properties
        .iter()
        .map(|property| (property.name.as_deref().unwrap_or(""), &*property.text))
        .collect();
    assert_eq!(
        reported,
        [
            ("safe", "AG !(x = 7 & b)"),
            ("it ends", "AF (at_done & x = 1 | error)"),
            ("fix", "nu Z. (x = 1 -> p.t) & [] Z")
        ]
    );
    assert!(document.propositions.iter().any(|(_, atom)| *atom == CtlAtom::Error));
}

#[test]
fn something_is_always_asked() {
    let found = document("fin");
    assert_eq!(found.properties.len(), 1);
    assert_eq!(found.properties[0].name.as_deref(), Some("no run-time error occurs"));
    assert_eq!(found.properties[0].text, "AG !error");
}
