//! Tables of formulas: how they are read.

use crate::support::{parse, show};
use logic::Logic::{self, Ctl, CtlStar, Ltl, Mcf, Mu};

fn assert_shown(logic: Logic, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(show(logic, text), *expected, "{text}");
    }
}

#[test]
fn ltl_precedence_and_spellings() {
    assert_shown(
        Ltl,
        &[
            ("G p & q", "(Gp & q)"),
            ("G (p -> F q)", "G(p -> Fq)"),
            ("p U q & r S s | t", "(((p U q) & (r S s)) | t)"),
            ("p U q R r", "((p U q) R r)"),
            ("p V q W r T s", "(((p R q) W r) T s)"),
            ("X X !p U q", "(XX!p U q)"),
            ("Y p -> Z p <-> O H q", "((Yp -> Zp) <-> OHq)"),
            ("A & E", "(A & E)"),
        ],
    );
    assert_shown(
        CtlStar,
        &[
            ("A G F p & E (p U q)", "(AGFp & E(p U q))"),
            ("AG EF p", "AGEFp"),
            ("A[p U q & r]", "A((p U q) & r)"),
        ],
    );
}

#[test]
fn mu_precedence_and_spellings() {
    assert_shown(
        Mu,
        &[
            ("p & q | r & s", "((p & q) | (r & s))"),
            ("p | q & r -> s -> t <-> u <-> v", "((((p | (q & r)) -> (s -> t)) <-> u) <-> v)"),
            ("p <-> q -> r | s & !t", "(p <-> (q -> (r | (s & !t))))"),
            ("!p & q", "(!p & q)"),
            ("!!p", "!!p"),
            ("[] p & q", "([]p & q)"),
            ("<> p | [] q", "(<>p | []q)"),
            ("box p & dia q", "([]p & <>q)"),
            ("[] <> !p", "[]<>!p"),
            ("not p and q or r", "((!p & q) | r)"),
            ("p && q || r => s", "(((p & q) | r) -> s)"),
            ("mu Z. p | <> Z & q", "(mu Z0. (p | (<>Z0 & q)))"),
            ("(mu Z. p | <>Z) & q", "((mu Z0. (p | <>Z0)) & q)"),
            ("p & mu Z. q | Z", "(p & (mu Z0. (q | Z0)))"),
            ("!mu Z. p & Z", "!(mu Z0. (p & Z0))"),
            ("mu Z.p.x & Z", "(mu Z0. (p.x & Z0))"),
            ("nu Z.[]Z", "(nu Z0. []Z0)"),
            ("mu Z. nu Z. Z & <>Z", "(mu Z0. (nu Z1. (Z1 & <>Z1)))"),
            ("(mu Z. Z) & Z", "((mu Z0. Z0) & Z)"),
            ("mu Z. Z & (nu Y. Y | Z)", "(mu Z0. (Z0 & (nu Y1. (Y1 | Z0))))"),
            ("<a> p", "<{a}>p"),
            ("[a|b] p", "[{a,b}]p"),
            ("[a || b or c] p", "[{a,b,c}]p"),
            ("[!a] p", "[!{a}]p"),
            ("<true> p", "<>p"),
            ("<false> p", "<{}>p"),
            ("[!(a|b)] p", "[!{a,b}]p"),
            ("[!!a] p", "[{a}]p"),
            ("[a & !a] p", "[{}]p"),
            ("[not a] p", "[!{a}]p"),
            (r#"["send(1)"] true"#, "[{send(1)}]true"),
            ("<a.b> p", "<{a.b}>p"),
            ("< > p", "<>p"),
            ("[mu] p", "[{mu}]p"),
            ("A & E & U", "(A & E & U)"),
            ("p /* c */ & // d\n q", "(p & q)"),
            ("a.b.c & .x", "(a.b.c & .x)"),
        ],
    );
}

#[test]
fn ctl_as_in_nusmv() {
    assert_shown(
        Ctl,
        &[
            ("AG !(i & o)", "AG !(i & o)"),
            ("AX p & EX q", "(AX p & EX q)"),
            ("AG AF p -> EF EG q", "(AG AF p -> EF EG q)"),
            ("A[p U q]", "A[p U q]"),
            ("E [ p & q R A[r W s] ]", "E[(p & q) R A[r W s]]"),
            ("A[p V q]", "A[p R q]"),
            ("A[R U U]", "A[R U U]"),
            ("AG(p -> AF q)", "AG (p -> AF q)"),
            ("!AX!p", "!AX !p"),
            ("E[true U p] & AG q", "(E[true U p] & AG q)"),
            ("A & E", "(A & E)"),
            ("A.x & p", "(A.x & p)"),
            ("AGEF", "AGEF"),
            ("A[p -> q U r | s]", "A[(p -> q) U (r | s)]"),
        ],
    );
}

#[test]
fn mcf_precedence_as_in_mcrl2() {
    assert_shown(
        Mcf,
        &[
            ("[true*.a]<b>true", "[(*.{a})]<{b}>true"),
            ("mu X. <a>X || [b]false", "(mu X0. (<{a}>X0 | [{b}]false))"),
            ("nu X.<a>X && mu Y.[b]Y", "(nu X0. (<{a}>X0 & (mu Y1. [{b}]Y1)))"),
            ("!<a>true => true", "(!<{a}>true -> true)"),
            ("[a]true && [b]true || true", "(([{a}]true & [{b}]true) | true)"),
            ("[a.b+c.d]true", "[(({a}.{b})+({c}.{d}))]true"),
            ("[a.b.c.d.e]true", "[((({a}.{b}).({c}.{d})).{e})]true"),
            ("[a+]true", "[{a}+]true"),
            ("[a+.b]true", "[({a}+.{b})]true"),
            ("[a++b]true", "[({a}++{b})]true"),
            ("[a+(b)]true", "[({a}+{b})]true"),
            ("[(a+b)*.c]true", "[(({a}+{b})*.{c})]true"),
            ("[a || b*]true", "[{a,b}*]true"),
            ("[!a && b || c => d]true", "[!{b,c}]true"),
            ("[a => b => c]true", "[]true"),
            ("[(a || b) && !c]true", "[{a,b}]true"),
            ("<a|b>true", "<{a|b}>true"),
            ("[a|b || c]true", "[{a|b,c}]true"),
            ("<send(1, true)|b(f(2))>X", "<{send(1, true)|b(f(2))}>X"),
            ("forall n, m: Nat. val(n<m)=>[a(n)]X", "(n,m: (val(n<m) -> [{a(n)}]X))"),
            ("mu X(n: Nat = 0). <a*.b(n)>X(n+1)", "(mu X0. <({a}*.{b(n)})>X(n+1))"),
            (
                "[!(exists n: Nat. a(n) && val(n>=2)) || c]X",
                "[{!(exists n: Nat. a(n) && val(n>=2)) || c}]X",
            ),
            ("act a, b: Nat; sort D = struct d | e(p: D)?is_e; cons f: D # Nat -> D; form X;", "X"),
            (r#"["x y"]true"#, "[{x y}]true"),
            ("[nil]true", "[{}*]true"),
            ("[nil.a]true", "[({}*.{a})]true"),
            ("[a***]true", "[{a}*]true"),
            ("[(a+)*]true", "[{a}*]true"),
            ("[(a*)+]true", "[{a}*]true"),
            ("[a+ +]true", "[{a}+]true"),
            ("[tau]true", "[{tau}]true"),
            ("X' && true", "(X' & true)"),
            ("nu X'.<a'>X'", "(nu X'0. <{a'}>X'0)"),
            ("true % comment\n && false", "(true & false)"),
            ("true % comment /*\n && false", "(true & false)"),
            ("p & q | r", "((p & q) | r)"),
            ("[true]false -> true", "([]false -> true)"),
            ("[a & b]true", "[{}]true"),
        ],
    );
}

#[test]
fn named_actions_are_recorded_where_they_stand() {
    let text = "<a> [b|!(c|\"d e\")] true";
    let surface = parse(Mu, text).unwrap();
    let named: Vec<_> = surface.actions.iter().map(|(n, s)| (&**n, &text[s.range()])).collect();
    assert_eq!(named, [("a", "a"), ("b", "b"), ("c", "c"), ("d e", "\"d e\"")]);
    let text = "[a(1, 2)|b . c]true";
    let surface = parse(Mcf, text).unwrap();
    let named: Vec<_> = surface.actions.iter().map(|(n, s)| (&**n, &text[s.range()])).collect();
    assert_eq!(named, [("c", "c")]);
}

/// Spans leave the outer parentheses of an expression out, and keep those of its operands.
#[test]
fn spans_are_what_the_user_wrote() {
    let text = " ( (p | q) & ! (r) ) ";
    let surface = parse(Mu, text).unwrap();
    let spans: Vec<&str> = surface.exprs.values().map(|(_, span)| surface.snippet(*span)).collect();
    assert_eq!(spans, ["p", "q", "p | q", "r", "! (r)", "(p | q) & ! (r)"]);
    assert_eq!(surface.source(), "(p | q) & ! (r)");
}

#[test]
fn a_formula_may_be_part_of_a_text() {
    let text: std::sync::Arc<str> = "junk ( p & q ; junk".into();
    let surface = front::parse_formula(Mu, support::FileId(3), &text, 7..13).unwrap();
    assert_eq!(surface.source(), "p & q");
    assert_eq!(surface.span, support::Span::new(support::FileId(3), 7..12));
    let error = front::parse_formula(Mu, support::FileId(3), &text, 5..13).unwrap_err();
    assert_eq!(error[0].labels[0].0.range(), 12..12);
}
