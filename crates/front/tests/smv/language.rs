//! Every construct in a small model whose states or verdicts are known.

use crate::support::{compact, document, model, read, verdicts_of_all};
use front::SpecLogic;
use logic::Truth;

/// The names of the states that can be reached, sorted.
fn names(text: &str) -> Vec<String> {
    let found = model(&document(text)).model;
    let mut names: Vec<String> = (0..found.states() as u32).map(|s| found.state_name(s)).collect();
    names.sort();
    names
}

fn count(text: &str) -> usize {
    model(&document(text)).model.states()
}

/// The verdicts on a text's specifications as letters.
fn verdicts(text: &str) -> String {
    let document = document(text);
    let found = verdicts_of_all(&document);
    let letter = |verdict: Option<Truth>| match verdict {
        Some(Truth::True) => 'T',
        Some(Truth::False) => 'F',
        Some(Truth::Unknown) => '?',
        None => '-',
    };
    found.into_iter().map(letter).collect()
}

#[test]
fn assignments() {
    let counter = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;";
    assert_eq!(names(counter), ["x=0", "x=1", "x=2", "x=3"]);
    let always =
        "MODULE main VAR x : 0..3; y : boolean; ASSIGN init(x) := 1; next(x) := x; y := x = 1;";
    assert_eq!(names(always), ["x=1,y=TRUE"]);
    let choice = "MODULE main VAR x : {a, b, c}; ASSIGN init(x) := {a, b}; next(x) := x;";
    assert_eq!(names(choice), ["x=a", "x=b"]);
    let range = "MODULE main VAR x : -3..3; ASSIGN init(x) := -1..1; next(x) := x;";
    assert_eq!(names(range), ["x=-1", "x=0", "x=1"]);
    let union =
        "MODULE main VAR x : 0..9; ASSIGN init(x) := 1 union {4, 5} union 7..8; next(x) := x;";
    assert_eq!(count(union), 5);
    let nothing = "MODULE main VAR x : 0..9; y : boolean;";
    assert_eq!(count(nothing), 20);
    let next =
        "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := FALSE; init(y) := FALSE;
        next(x) := {TRUE, FALSE}; next(y) := next(x);";
    assert_eq!(names(next), ["x=FALSE,y=FALSE", "x=TRUE,y=TRUE"]);
}

#[test]
fn cases_with_sets() {
    let text = "MODULE main VAR x : 0..5; ASSIGN init(x) := 0;
        next(x) := case x = 0 : {1, 2}; x = 1 : case TRUE : {3}; esac; x in {2, 3} : x; TRUE : 5; esac;";
    assert_eq!(names(text), ["x=0", "x=1", "x=2", "x=3"]);
    let conditional =
        "MODULE main VAR x : 0..5; ASSIGN init(x) := 0; next(x) := x = 0 ? {1, 4} : x;";
    assert_eq!(names(conditional), ["x=0", "x=1", "x=4"]);
}

#[test]
fn constraints() {
    let all = "MODULE main VAR x : 0..3; y : 0..3; INIT x = 0 & y = 0; INVAR x + y < 3
        TRANS next(x) = x + 1 | next(y) = y + 1";
    // From (0,0): one of them grows by one, the other is free, the sum stays below 3.
    assert_eq!(count(all), 6);
    let told_by_disjuncts = "MODULE main VAR x : 0..9; y : 0..9; INIT x = 0 & y = 9;
        TRANS x < 3 & next(x) = x + 1 & next(y) = y - 1 | x = 3 & next(x) = 0 & next(y) = 9";
    assert_eq!(names(told_by_disjuncts), ["x=0,y=9", "x=1,y=8", "x=2,y=7", "x=3,y=6"]);
    let by_case = "MODULE main VAR x : 0..9; y : boolean; INIT x = 0 & !y;
        TRANS case x < 2 : next(x) = x + 1 & next(y); TRUE : next(x) = 0 & !next(y); esac";
    assert_eq!(names(by_case), ["x=0,y=FALSE", "x=1,y=TRUE", "x=2,y=TRUE"]);
    // What a constraint asks for and a variable cannot be takes the step away, and is no mistake.
    let deadlock = document("MODULE main VAR x : 0..2; INIT x = 0; TRANS next(x) = x + 1;");
    let found = model(&deadlock);
    assert_eq!((found.model.states(), found.deadlocks.count_ones(..)), (3, 1));
    let impossible = document("MODULE main VAR x : boolean; INIT x; INIT !x;");
    assert_eq!(model(&impossible).model.states(), 0);
}

#[test]
fn inputs_and_frozen_variables() {
    let text = "MODULE main VAR x : 0..3; IVAR i : 0..3; FROZENVAR f : boolean;
        ASSIGN init(x) := 0; next(x) := f ? i : x;
        SPEC f -> EX x = 3; SPEC f -> AX x = 3; SPEC !f -> AG x = 0; SPEC EF (x = 1 & EF x = 2) | !f";
    assert_eq!(count(text), 5);
    assert_eq!(verdicts(text), "TFTT");
}

#[test]
fn modules_and_parameters() {
    let counter = "MODULE main VAR a : cell(TRUE); b : cell(a.carry); c : cell(b.carry);
        SPEC AG AF c.carry; SPEC AG !c.carry;
        MODULE cell(carry_in) VAR value : boolean;
        ASSIGN init(value) := FALSE; next(value) := value xor carry_in;
        DEFINE carry := value & carry_in;";
    assert_eq!(count(counter), 8);
    assert_eq!(verdicts(counter), "TF");
    let own = "MODULE main VAR x : boolean; m : part(self); SPEC AG (m.y <-> x);
        MODULE part(owner) DEFINE y := owner.x;";
    assert_eq!(verdicts(own), "T");
    let written = "MODULE main VAR x : 0..2; a : array 0..1 of boolean; m : part(x, a);
        MODULE part(p, q) ASSIGN init(p) := 2; next(p) := 2; init(q[0]) := TRUE; next(q[0]) := q[1];
        init(q[1]) := FALSE; next(q[1]) := q[1];";
    assert_eq!(names(written), ["a[0]=FALSE", "a[0]=TRUE"]);
    // A name that another instance gives to this one.
    let given = "MODULE main VAR l : left; r : right(l); SPEC AG (l.seen <-> r.x);
        MODULE left DEFINE seen := back; VAR z : boolean;
        MODULE right(other) VAR x : boolean; DEFINE other.back := x;";
    assert_eq!(verdicts(given), "T");
    let included = "MODULE main ISA part VAR y : boolean; ASSIGN y := x; SPEC AG (x <-> y)
        MODULE part VAR x : boolean;";
    assert_eq!(verdicts(included), "T");
}

#[test]
fn instances_are_remembered() {
    let document = document(
        "MODULE main VAR a : outer; MODULE outer VAR x : boolean; in1 : inner(x); in2 : inner(x);
         MODULE inner(p) VAR y : boolean; ASSIGN next(y) := p;",
    );
    let machine = &document.machine;
    let names: Vec<&str> = machine.instances.values().map(|i| &*i.name).collect();
    assert_eq!(names, ["", "a", "a.in1", "a.in2"]);
    let of = |name: &str| machine.vars.values().find(|var| var.name == name).expect("there");
    assert_eq!(machine.instances[of("a.in2.y").instance].module, "inner");
    let inner = machine.instances.ids().nth(2).expect("a.in1");
    let access = machine.access_of(inner);
    let name = |&var: &transition::VarId| &*machine.vars[var].name;
    assert_eq!(access.now.iter().map(name).collect::<Vec<_>>(), ["a.x"]);
    assert_eq!(access.next.iter().map(name).collect::<Vec<_>>(), ["a.in1.y"]);
}

#[test]
fn definitions() {
    let text = "MODULE main VAR x : 0..3; DEFINE d := c + 1; c := x; N := 2; list := [1, N, c];
        t := [[1, 2], [3, 4]]; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
        SPEC AG d = x + 1; SPEC AG (x < 3 -> list[x] >= 0); SPEC AG list[1] = 2;
        SPEC AG (x < 2 -> t[x][1] = 2 * x + 2)";
    assert_eq!(verdicts(text), "TTTT");
    let bounds = "MODULE main VAR x : 0..N + 1; w : word[N]; DEFINE N := 3; SPEC EF x = 4; SPEC AG sizeof(w) = 3";
    assert_eq!(verdicts(bounds), "TT");
    // A thousand definitions, each by the one before.
    let chain: String = (1..1000).map(|n| format!("d{n} := !d{};", n - 1)).collect();
    let long = format!("MODULE main VAR d0 : boolean; DEFINE {chain} SPEC AG (d999 <-> !d0)");
    assert_eq!(verdicts(&long), "T");
    let constants = "MODULE main CONSTANTS low, high; VAR x : boolean; DEFINE d := x ? low : high;
        SPEC AG (d = low <-> x); SPEC EF d = high";
    assert_eq!(verdicts(constants), "TT");
}

#[test]
fn arrays() {
    let text = "MODULE main VAR a : array 0..2 of 0..3; i : 0..2; b : array -1..0 of array 0..1 of boolean;
        ASSIGN init(a[0]) := 1; init(a[1]) := 2; init(a[2]) := 3; next(a[0]) := a[1]; next(a[1]) := a[2];
        next(a[2]) := a[0]; b[-1][0] := TRUE; b[-1][1] := FALSE; b[0][0] := FALSE; b[0][1] := TRUE;
        SPEC AG a[0] + a[1] + a[2] = 6; SPEC AG (i = 1 -> a[i] = a[1]); SPEC AG (i < 2 -> b[i - 1][i])";
    assert_eq!(verdicts(text), "TTT");
    assert_eq!(count(text), 9);
}

#[test]
fn processes() {
    let text = "MODULE main VAR a : process part(z); b : process part(z); z : 0..3; free : boolean;
        ASSIGN init(z) := 0;
        MODULE part(z) VAR x : boolean; n : inner(x); f : boolean;
        TRANS z = 3 -> next(x) = x
        ASSIGN init(x) := FALSE; next(x) := !x; next(z) := (z + 1) mod 4;
        MODULE inner(x) VAR y : boolean; ASSIGN next(y) := x;";
    // NuSMV counts as many.
    assert_eq!(count(text), 128);
    let turns = "MODULE main VAR a : process part; z : boolean;
        ASSIGN init(z) := FALSE; next(z) := !z;
        SPEC AG ((!a.x & !z) -> EX (a.x & !z)); SPEC AG ((!a.x & !z) -> AX !(a.x & z)); SPEC EX (!a.x & z)
        MODULE part VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x; FAIRNESS running";
    assert_eq!(verdicts(turns), "TTT");
    let machine = document(turns).machine;
    assert_eq!(machine.fairness.len(), 1);
    assert!(machine.exprs.reads_input(machine.fairness[0].node));
    assert!(machine.instances.values().any(|instance| instance.is_process));
}

#[test]
fn specifications() {
    let text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
        SPEC NAME first := AG x < 4; CTLSPEC E [x < 2 U x = 2] & !A [x < 1 U x = 2];
        INVARSPEC NAME inv := x != 3; LTLSPEC G F x = 0; PSLSPEC always {x = 0; x = 1};
        COMPUTE MIN [x = 0, x = 3]
        MUSPEC nu Z. x < 4 & [] Z; MUSPEC mu Z. x = 3 | <> Z; MUSPEC nu Y. mu Z. [] (x = 0 & Y | Z);
        SPEC x = 0 xor AX x = 1; SPEC A [x = 3 R x < 4] <-> E [TRUE W FALSE]";
    let read = document(text);
    let kinds: Vec<SpecLogic> = read.specifications.iter().map(|spec| spec.logic).collect();
    use SpecLogic::*;
    assert_eq!(kinds, [Ctl, Ctl, Invar, Ltl, Psl, Compute, Mu, Mu, Mu, Ctl, Ctl]);
    assert_eq!(verdicts(text), "TTFT--TTTFT");
    assert_eq!(read.specifications[0].name.as_deref(), Some("first"));
    assert_eq!(read.specifications[3].text, "G ( F x = 0)");
    assert!(
        read.specifications[4].formula.as_ref().is_err_and(|why| why == "PSL is not supported")
    );
    assert!(read.specifications[5].distance.is_some());
    assert_eq!(read.specifications[5].text, "MIN [ x = 0 , x = 3 ]");
}

#[test]
fn linear_time() {
    let text = "MODULE main VAR x : 0..3; b : boolean; ASSIGN init(x) := 0;
        next(x) := b ? (x + 1) mod 4 : x;
        LTLSPEC G F x = 0; LTLSPEC G (x = 1 -> O x = 0); LTLSPEC x = 0 U x = 1;
        LTLSPEC x = 1 V x <= 1; LTLSPEC X (x = 0 | x = 1) & !Y TRUE; LTLSPEC G (x = 2 -> x != 3 S x = 1)";
    assert_eq!(verdicts(text), "FTFTTT");
    // Of the paths that are left by compassion, x moves on for ever.
    let compassion = "COMPASSION (TRUE, b) COMPASSION (x = 1, x = 2)";
    assert_eq!(verdicts(&format!("{text} {compassion}")), "TTTTTT");
    // As in NuSMV, other logics do not take it into account.
    let asked = format!("{text} {compassion} SPEC AG AF x = 0");
    assert_eq!(verdicts(&asked), "TTTTTTF");
    assert!(
        compact(&asked, &document(&asked).warnings)
            .contains("`COMPASSION` is for linear time only")
    );
}

#[test]
fn propositions_are_the_largest_parts_without_temporal_operators() {
    let document = document(
        "MODULE main VAR a : m; b : m; MODULE m VAR x : 0..3; DEFINE d := x = 1;
         SPEC AG (x = 0 & !d -> AF (d | x > 2)); SPEC AG TRUE",
    );
    let names: Vec<&str> = document.names.names().collect();
    assert_eq!(
        names,
        ["(a.x = 0 & !a.d)", "(a.d | a.x > 2)", "(b.x = 0 & !b.d)", "(b.d | b.x > 2)"]
    );
    assert_eq!(document.specifications.len(), 4);
    assert!(document.specifications[0].text.ends_with(" IN a"));
}

#[test]
fn precedence() {
    let text = "MODULE main VAR x : boolean; y : boolean; z : boolean; i : 0..3; w : word[2];
        SPEC !x = y; SPEC x <-> y -> z; SPEC x -> y <-> z; SPEC x -> y -> z; SPEC x | y xor z;
        SPEC x & y | z & x; SPEC x ? y : z -> x; SPEC x = y = z; SPEC AG x -> AF y & EX x;
        SPEC !AG i = 1; SPEC AG !x = y; SPEC i + i * 2 - 1 = - i + 3; SPEC w << 1 + 1 = w; SPEC i in 0..1 union 3;
        SPEC - i mod 2 = 1; SPEC w :: w[1:1] = 0b3_000; SPEC x|y ? x : z";
    let printed: Vec<String> = document(text).specifications.into_iter().map(|s| s.text).collect();
    assert_eq!(
        printed,
        [
            "!x = y",
            "((x <-> y) -> z)",
            "(x -> (y <-> z))",
            "(x -> (y -> z))",
            "((x | y) xor z)",
            "((x & y) | (z & x))",
            "( (x ? y : z)  -> x)",
            "(x = y) = z",
            "(AG x -> (AF y & EX x))",
            "!(AG i = 1)",
            "AG !x = y",
            "(i + i * 2) - 1 = -i + 3",
            "w << 1 + 1 = w",
            "i in (0 .. 1) union 3",
            "-i mod 2 = 1",
            "w :: w[1 : 1] = 0ud3_0",
            "((x | y) ? x : z)",
        ]
    );
}

#[test]
fn flattened_models_have_names_with_dots() {
    let text = "MODULE main VAR a.x : boolean; a.n.y : 0..2; DEFINE a.d := a.x; 
        ASSIGN init(a.x) := TRUE; next(a.x) := a.d; init(a.n.y) := 1; next(a.n.y) := a.n.y; SPEC AG a.d";
    assert_eq!(verdicts(text), "T");
}

#[test]
fn unused_modules_are_not_checked() {
    // Arguments only: NuSMV's own examples pass names that do not exist.
    let text = "MODULE main VAR m : part(nowhere); MODULE part(p) VAR x : boolean;";
    assert_eq!(count(text), 2);
    assert!(
        read("MODULE main VAR m : part(nowhere); MODULE part(p) VAR x : boolean; INIT x = p")
            .is_err()
    );
}

#[test]
fn the_cone_of_influence() {
    let text = "MODULE main VAR x : 0..3; y : 0..3; z : boolean; u : boolean;
        ASSIGN next(x) := y; next(y) := x; next(z) := x = 1; u := z; SPEC AG x < 4";
    let read = document(text);
    let slice = read.machine.cone(read.propositions.iter().map(|p| p.node));
    // `x < 4` is true by the types alone, so that nothing is left to look at.
    assert_eq!(slice.vars.count_ones(..), 0);
    let read = document(&text.replace("x < 4", "x < 3"));
    let slice = read.machine.cone(read.propositions.iter().map(|p| p.node));
    let kept: Vec<&str> = read
        .machine
        .vars
        .iter()
        .filter(|(id, _)| slice.contains(*id))
        .map(|(_, v)| &*v.name)
        .collect();
    assert_eq!(kept, ["x", "y"]);
    // A constraint stays, and what it reads.
    let read = document(&text.replace("SPEC AG x < 4", "TRANS z | u; SPEC AG x < 3"));
    let slice = read.machine.cone(read.propositions.iter().map(|p| p.node));
    assert_eq!(slice.vars.count_ones(..), 4);
}

#[test]
fn operators_within_bounds() {
    let text = "MODULE main VAR x : 0..5;
        ASSIGN init(x) := 0; next(x) := case x < 5 : {x, x + 1}; TRUE : 5; esac;
        SPEC EBF 3..6 x = 5; SPEC EBF 2..4 x = 5; SPEC ABF 0..9 x = 5; SPEC ABG 0..4 x < 5; SPEC ABG 3..5 x < 5;
        SPEC EBG 1..3 x = 1; SPEC EBG 0..3 x = 1; SPEC EBG 0..9 x = 0;
        SPEC E[x < 2 BU 2..3 x = 2]; SPEC E[x < 2 BU 0..1 x = 2]; SPEC A[x = 0 BU 0..3 x = 1]; SPEC EBF 0..0 x = 0;
        SPEC A[x < 2 BU 1..2 (EBF 1..1 x = 2) | x < 2]";
    assert_eq!(verdicts(text), "TFFTFTFTTFFTT");
}

#[test]
fn invariants_about_steps() {
    let text = "MODULE main VAR x : 0..5; n : boolean; IVAR go : boolean;
        ASSIGN init(x) := 0; next(x) := case go & x < 5 : x + 1; TRUE : x; esac;
        DEFINE d := next(x) - x;
        INVARSPEC go -> next(x) >= x; INVARSPEC go -> next(x) > x; INVARSPEC go -> x < 3;
        INVARSPEC next(x) = x | go; INVARSPEC d <= 1 & d >= 0; INVARSPEC next(n) = n";
    assert_eq!(verdicts(text), "TFFTTF");
}

#[test]
fn modules_are_no_elements_of_arrays() {
    let refused = |text: &str| compact(text, &read(text).expect_err("an array of modules"));
    let unknown = refused("MODULE main VAR c : array 0..2 of nosuch;");
    assert!(unknown.contains("unknown module `nosuch`"), "{unknown}");
    let known = refused("MODULE m VAR x : boolean; MODULE main VAR c : array 0..2 of m;");
    assert!(known.contains("an array of modules is not supported"), "{known}");
}
