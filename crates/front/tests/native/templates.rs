//! Parameters, copies, indices and data: what they expand to.

use crate::support::{compact, read};
use front::write_tm;

/// The text in the plain language.
pub fn expanded(text: &str) -> String {
    let document = read(text).unwrap_or_else(|errors| panic!("{}", compact(text, &errors)));
    let system = document.system.expect("a system");
    write_tm(&system, &document.safeties, &document.properties)
}

fn assert_expands(text: &str, plain: &str) {
    let trimmed = |text: String| {
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    };
    assert_eq!(trimmed(expanded(text)), trimmed(plain.to_owned()), "{text}");
}

#[test]
fn copies_for_each_value() {
    assert_expands(
        "const N = 2;
component C(i in 0..N-1) lts { init s; s: -a[i]-> t -\"b c\"-> t; t: -a[(i+1)%N]-> s; }
system i in 0..N-1: C(i);",
        "component C.0 lts {
actions a.0, \"b c\", a.1;
init s;
s: -a.0-> t -\"b c\"-> t;
t: -a.1-> s;
}
component C.1 lts {
actions a.1, \"b c\", a.0;
init s;
s: -a.1-> t -\"b c\"-> t;
t: -a.0-> s;
}
system C.0 || C.1;",
    );
}

#[test]
fn parts_of_all_forms() {
    assert_expands(
        "component A(c in {red, blue}, on in bool) kripke { props c[c][on]; init s; s: {c[c][on]} -> s; }
component B kripke { props p; init s; s: {p} -> s; }
system || A(red, true) || A(blue, false) || B || B as D [p -> q];",
        "component A.red.1 kripke {
props c.red.1;
init s;
s: {c.red.1} -> s;
}
component A.blue.0 kripke {
props c.blue.0;
init s;
s: {c.blue.0} -> s;
}
component B kripke {
props p;
init s;
s: {p} -> s;
}
component D kripke {
props q;
init s;
s: {q} -> s;
}
system A.red.1 || A.blue.0 || B || D;",
    );
}

#[test]
fn vectors_hidden_and_fair_actions() {
    let text = "component S lts { init s; s: -req-> s; }
component C(i in 0..1) lts { init s; s: -req-> s -x[i]-> s; }
system S || i in 0..1: C(i) sync { i in 0..1: S:req | C(i):req -> req[i]; } hide { x[i in 0..1] };
fair i in 0..1: C(i):x[i];";
    assert!(expanded(text).ends_with(
        "system S || C.0 || C.1 sync {
  S:req | C.0:req -> req.0;
  S:req | C.1:req -> req.1;
} hide { x.0, x.1 };\n\n"
    ));
}

#[test]
fn data_become_states() {
    assert_expands(
        "component C lts {
  var x : 0..2 := 0;
  init s;
  s: when x < 2 -inc-> s do x := x + 1 when x = 2 -set[n in 0..1]-> t do x := n;
  t: ;
}",
        "component C lts {
actions inc, set.0, set.1;
init s.0;
s.0: -inc-> s.1;
s.1: -inc-> s.2;
s.2: -set.0-> t.0 -set.1-> t.1;
t.0:;
t.1:;
}",
    );
}

#[test]
fn labels_by_value_and_inputs() {
    assert_expands(
        "component C kmts {
  props full, on, q[k in 0..1];
  var x : 0..1 := 0;
  input on : bool;
  init s;
  s: {full when x = 1, !q[0] when x = 0, q[1]?} ?> s do x := 1 - x;
}",
        "component C kmts {
props full, on, q.0, q.1;
init s.0.0, s.0.1;
s.0.0: {!on, !q.0} ?> s.1.0, s.1.1;
s.0.1: {on, !q.0} ?> s.1.0, s.1.1;
s.1.0: {full, !on} ?> s.0.0, s.0.1;
s.1.1: {full, on} ?> s.0.0, s.0.1;
}",
    );
}

#[test]
fn arrays_any_and_sets() {
    assert_expands(
        "component C gkmts {
  var a[k in 0..1] : bool := false;
  init s;
  s: !> {s do a[0] := any, t} ?> s, t, s do a[0] := true;
  t: ;
}",
        "component C gkmts {
props;
init s.0.0;
s.0.0: {} ?> s.0.0, t.0.0, s.1.0 !> {s.0.0, s.1.0, t.0.0};
s.1.0: {} ?> s.1.0, t.1.0 !> {s.0.0, s.1.0, t.1.0};
t.0.0: {};
t.1.0: {};
}",
    );
}

/// An action is there for all values of the variables in its name.
#[test]
fn actions_with_variables() {
    assert_expands(
        "component C lts {
  var x : 0..2 := 1;
  init s;
  s: when x > 0 -get[x-1]-> s do x := x - 1;
}",
        "component C lts {
actions get.0, get.1;
init s.1;
s.1: -get.0-> s.0;
s.0:;
}",
    );
}

/// A condition on variables leaves an action in the alphabet, one on parameters does not.
#[test]
fn actions_that_never_happen() {
    assert_expands(
        "component C(i in 0..1) lts {
  var x : 0..1 := 0;
  init s;
  s: when x = 1 -never-> s when i = 1 -other-> s when x < 1 -a-> s;
}
system C(0);",
        "component C.0 lts {
actions a, never;
init s.0;
s.0: -a-> s.0;
}",
    );
}

#[test]
fn states_with_indices_and_minus_before_arrows() {
    assert_expands(
        "component C lts {
  var x : 0..3 := 3;
  init r[0];
  r[n in 0..1]: when x - 1 > 0 & x-n > 0 -a-> r[1 - n] do x := x - 1 -b[n]-> r[n];
}",
        "component C lts {
actions a, b.0, b.1;
init r.0.3;
r.0.3: -a-> r.1.2 -b.0-> r.0.3;
r.1.2: -a-> r.0.1 -b.1-> r.1.2;
r.0.1: -b.0-> r.0.1;
}",
    );
    assert_expands(
        "component C kripke { var x : 0..3 := 1; init s; s: when 2 - x = 1 -> s do x := x - 1 -> s; }",
        "component C kripke {
props;
init s.1;
s.1: {} -> s.0, s.1;
s.0: {} -> s.0;
}",
    );
}

#[test]
fn formulas_with_indices() {
    let text = "const N = 11;
component C lts { init s; s: -a[n in 0..N]-> s; }
property p(i in 9..10): mcf <a[ i ]>true && <a[N-1]>true;
property \"q r\"(i in 0..1): mu <a[i]|b> true;";
    assert!(expanded(text).ends_with(
        "property p.9: mcf <a[9] >true && <a[10] >true;
property p.10: mcf <a[10] >true && <a[10] >true;
property \"q r.0\": mu <a[0]|b> true;
property \"q r.1\": mu <a[1]|b> true;\n"
    ));
    assert_eq!(expanded(&expanded(text)), expanded(text));
}

/// The new words are names where names stand.
#[test]
fn words_are_contextual() {
    let text = "component const kripke {
  props when, do, any, var, input, as, in;
  init var;
  var: {when, do} -> input, when;
  input: {any when true} -> do do x := x;
  when: -> var;
  do: {in, as} -> const;
  const: -> var;
  var x : 0..0 := 0;
}
system const;";
    assert!(expanded(text).contains("var.0: {when, do} -> input.0, when.0;"), "{}", expanded(text));
}

#[test]
fn the_seed_of_mutations_is_read() {
    let text = crate::robustness::TEMPLATE_SEED;
    read(text).unwrap_or_else(|errors| panic!("{}", compact(text, &errors)));
}

#[test]
fn states_that_cover_others_with_the_same_values() {
    assert_expands(
        "component C mixts { props p; var x : 0..1 := 0; init a; covers a: b, c;
  a: {} ?> a, a do x := 1; b: {p} -> b; c: {!p} -> c; d: {} -> d; }",
        "component C mixts {
props p;
init a.0;
a.0: {} ?> a.0, a.1;
a.1: {} ?> a.1;
b.0: {p} -> b.0;
c.0: {!p} -> c.0;
b.1: {p} -> b.1;
c.1: {!p} -> c.1;
covers a.0: b.0, c.0;
covers a.1: b.1, c.1;
}",
    );
}

#[test]
fn what_is_too_much_is_refused() {
    let body = |line: &str| format!("component C lts {{ {line} }}");
    let deep = format!("init s; s: when {}true{} -a-> s;", "(".repeat(200), ")".repeat(200));
    let negated = format!("init s; s: when {}true -a-> s;", "!".repeat(100_000));
    let nested = format!("init s; s: -a{}0{}-> s;", "[a".repeat(200), "]".repeat(200));
    let unclosed = format!("init s; {}", "s[\n".repeat(20_000));
    let many = format!("init s; s: -a{}-> s;", "[0]".repeat(100));
    let wide =
        "var a[k in 0..60000] : bool := false; init s; s: -b-> s do a[0] := any, a[1] := any,
      a[2] := any, a[3] := any, a[4] := any, a[5] := any, a[6] := any, a[7] := any, a[8] := any;";
    for line in [&deep, &negated, &nested, &unclosed, &many, wide] {
        assert!(read(&body(line)).is_err(), "{}", &line[..60.min(line.len())]);
    }
    assert!(read("component C(i in 0..65535, j in 0..1) lts { init s; s: ; }\nsystem i in 0..65535, j in 0..1: C(i, j);").is_err());
}
