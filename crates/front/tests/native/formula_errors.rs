//! Every complaint about a formula: place, message, labels, help.

use crate::support::show;
use logic::Logic::{self, Ctl, Mcf, Mu};

fn assert_complaints(logic: Logic, cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let found = show(logic, text);
        assert_eq!(found.lines().collect::<Vec<_>>(), *expected, "{text}");
    }
}

#[test]
fn operators_of_promela() {
    const EXPECTED: &str = "expected a formula, found `OPEN` | expected a formula | `[]` and `<>` are Promela's operators; write `G` and `F`";
    for logic in [Logic::Ltl, Logic::CtlStar] {
        for (text, open) in [("[] p", "["), ("<> p", "<")] {
            let expected = format!("1:1 {}", EXPECTED.replace("OPEN", open));
            assert_complaints(logic, &[(text, &[&expected])]);
        }
    }
}

#[test]
fn mu() {
    assert_complaints(
        Mu,
        &[
            (
                "",
                &[
                    "1:1 expected a formula, found the end of the formula | expected a formula | write a formula, for example `true` or a proposition",
                ],
            ),
            (
                "p q",
                &[
                    "1:3 expected an operator or the end, found `q` | expected an operator or the end | put an operator such as `&`, `|` or `->` between the two formulas",
                ],
            ),
            (
                "p & ",
                &[
                    "1:4 expected a formula, found the end of the formula | expected a formula | write a formula after `&`, for example `true` or a proposition",
                ],
            ),
            (
                "p ==q",
                &[
                    "1:3 expected an operator or the end, found `=` | expected an operator or the end | formulas are joined by `&`, `|`, `->` and `<->`",
                ],
            ),
            (
                "(p",
                &[
                    "1:3 expected an operator or `)`, found the end of the formula | expected an operator or `)` | 1:1 opened here | close the parenthesis with `)`",
                ],
            ),
            (
                "p)",
                &[
                    "1:2 expected an operator or the end, found `)` | expected an operator or the end | this parenthesis was never opened",
                ],
            ),
            (
                "()",
                &[
                    "1:2 expected a formula, found `)` | expected a formula | put a formula before this parenthesis",
                ],
            ),
            (
                "(p &) | (q |) & (r",
                &[
                    "1:5 expected a formula, found `)` | expected a formula | put a formula before this parenthesis",
                    "1:13 expected a formula, found `)` | expected a formula | put a formula before this parenthesis",
                    "1:19 expected an operator or `)`, found the end of the formula | expected an operator or `)` | 1:17 opened here | close the parenthesis with `)`",
                ],
            ),
            (
                "1p",
                &[
                    "1:1 expected a formula, found `1p` | expected a formula | names start with a letter or `_`: put one before the digit",
                ],
            ),
            (
                r#""s""#,
                &[
                    r#"1:1 expected a formula, found `"s"` | expected a formula | strings name actions, within `< >` and `[ ]` only"#,
                ],
            ),
            (
                "and p",
                &[
                    "1:1 expected a formula, found `and` | expected a formula | this operator stands between two formulas",
                ],
            ),
            (
                "p | /* x",
                &[
                    "1:5 expected a formula, found a comment that is not closed | expected a formula | close it with `*/`",
                ],
            ),
            (
                r#"p & "abc"#,
                &[
                    r#"1:5 expected a formula, found a string that is not closed | expected a formula | close it with `"` on the same line"#,
                ],
            ),
            (
                "mu . Z",
                &[
                    "1:4 expected the variable of the fixpoint, found `.` | expected the variable of the fixpoint | write for example `mu Z. p | <> Z`",
                ],
            ),
            (
                "mu Z p",
                &[
                    "1:6 expected `.` after the variable, found `p` | expected `.` after the variable | write `mu Z. f`",
                ],
            ),
            (
                "mu true. p",
                &[
                    "1:4 expected the variable of the fixpoint, found `true` | expected the variable of the fixpoint | write for example `mu Z. p | <> Z`",
                ],
            ),
            (
                "mu Z.",
                &[
                    "1:6 expected a formula, found the end of the formula | expected a formula | write a formula, for example `true` or a proposition",
                ],
            ),
            (
                "[a",
                &[
                    "1:3 expected `|` or `]`, found the end of the formula | expected `|` or `]` | 1:1 opened here | close the modality with `]`",
                ],
            ),
            (
                "<a]p",
                &[
                    "1:3 expected `|` or `>`, found `]` | expected `|` or `>` | 1:1 opened here | close the modality with `>`",
                ],
            ),
            (
                "[a,b]p",
                &[
                    "1:3 expected `|` or `]`, found `,` | expected `|` or `]` | 1:1 opened here | join actions by `|` in `mu` and by `||` in `mcf`",
                ],
            ),
            (
                "[a.b*]p",
                &[
                    "1:5 expected `|` or `]`, found `*` | expected `|` or `]` | 1:1 opened here | regular formulas belong to the logic `mcf`",
                ],
            ),
            (
                "[send(1)]p",
                &[
                    r#"1:6 expected `|` or `]`, found `(` | expected `|` or `]` | 1:1 opened here | write an action that is no plain name as a string: `<"send(1)"> f`"#,
                ],
            ),
            (
                "[-a]p",
                &[
                    r#"1:2 expected an action, found `-` | expected an action | "all but a" is written `[!a] f`"#,
                ],
            ),
            (
                "[a | ]p",
                &[
                    "1:6 expected an action, found `]` | expected an action | within `< >` and `[ ]` stand actions: `<a> f`, `[a|b] f`, `[!a] f`, `<true> f`",
                ],
            ),
            (
                "[and]p",
                &[
                    "1:2 expected an action, found `and` | expected an action | within `< >` and `[ ]` stand actions: `<a> f`, `[a|b] f`, `[!a] f`, `<true> f`",
                ],
            ),
            (
                "[(a]p",
                &[
                    "1:4 expected an operator or `)`, found `]` | expected an operator or `)` | 1:2 opened here | close the parenthesis with `)`",
                ],
            ),
            (
                "AG p",
                &[
                    "1:4 expected an operator or the end, found `p` | expected an operator or the end | `AG` belongs to the logic `ctl`, and this is `mu`",
                ],
            ),
            (
                "p U q",
                &[
                    "1:3 expected an operator or the end, found `U` | expected an operator or the end | put an operator such as `&`, `|` or `->` between the two formulas",
                ],
            ),
            (
                "p; q",
                &[
                    "1:2 expected an operator or the end, found `;` | expected an operator or the end | formulas are joined by `&`, `|`, `->` and `<->`",
                ],
            ),
            (
                "p @ q",
                &[
                    "1:3 expected an operator or the end, found `@` | expected an operator or the end | formulas are joined by `&`, `|`, `->` and `<->`",
                ],
            ),
            (
                "p % c",
                &[
                    "1:3 expected an operator or the end, found `%` | expected an operator or the end | comments are written `// …` or `/* … */`",
                ],
            ),
        ],
    );
}

#[test]
fn ctl() {
    assert_complaints(
        Ctl,
        &[
            (
                "A(p U q)",
                &[
                    "1:2 expected an operator or the end, found `(` | expected an operator or the end | a path formula stands in brackets: `A[f U g]`",
                ],
            ),
            (
                "p U q",
                &[
                    "1:3 expected an operator or the end, found `U` | expected an operator or the end | `U` stands in brackets behind a quantifier: `A[f U g]`",
                ],
            ),
            (
                "F p",
                &[
                    "1:3 expected an operator or the end, found `p` | expected an operator or the end | `ctl` has path quantifiers: write `AF` or `EF`",
                ],
            ),
            (
                "G F p",
                &[
                    "1:3 expected an operator or the end, found `F` | expected an operator or the end | `ctl` has path quantifiers: write `AG` or `EG`",
                ],
            ),
            (
                "mu Z. p",
                &[
                    "1:1 expected a formula, found `mu` | expected a formula | fixpoints belong to `mu` and `mcf`: state the logic before `mu`",
                ],
            ),
            (
                "[] p",
                &[
                    "1:1 expected a formula, found `[` | expected a formula | modalities belong to `mu` and `mcf`; in `ctl` write `AX f` or `EX f`",
                ],
            ),
            (
                "<> p",
                &[
                    "1:1 expected a formula, found `<` | expected a formula | modalities belong to `mu` and `mcf`; in `ctl` write `AX f` or `EX f`",
                ],
            ),
            (
                "A[p]",
                &[
                    "1:4 expected `U`, `R`, `V` or `W`, found `]` | expected `U`, `R`, `V` or `W` | a path formula has two sides: `A[f U g]`, `A[f R g]` or `A[f W g]`",
                ],
            ),
            (
                "A[p U q",
                &[
                    "1:8 expected an operator or `]`, found the end of the formula | expected an operator or `]` | 1:2 opened here | close the path formula with `]`",
                ],
            ),
            (
                "A[p U q U r]",
                &[
                    "1:9 expected an operator or `]`, found `U` | expected an operator or `]` | 1:2 opened here | one pair of brackets has one path operator: nest another `A[ … ]` or `E[ … ]`",
                ],
            ),
            (
                "A[p & U q]",
                &[
                    "1:9 expected `U`, `R`, `V` or `W`, found `q` | expected `U`, `R`, `V` or `W` | a path formula has two sides: `A[f U g]`, `A[f R g]` or `A[f W g]`",
                ],
            ),
            (
                "AX",
                &[
                    "1:3 expected a formula, found the end of the formula | expected a formula | write a formula after `AX`, for example `true` or a proposition",
                ],
            ),
            (
                "AX & p",
                &[
                    "1:4 expected a formula, found `&` | expected a formula | write a formula after `AX`, for example `true` or a proposition",
                ],
            ),
        ],
    );
}

#[test]
fn mcf() {
    assert_complaints(
        Mcf,
        &[
            (
                "forall n. true",
                &[
                    "1:9 expected `:` and a sort, found `.` | expected `:` and a sort | a variable is declared with its sort: `n: Nat`",
                ],
            ),
            (
                "forall n: Nat true",
                &[
                    "1:15 expected `,` or `.` after the variables, found `true` | expected `,` or `.` after the variables | write for example `forall n: Nat . [send(n)] f`",
                ],
            ),
            (
                "forall n: 3. true",
                &[
                    "1:11 expected a sort, found `3` | expected a sort | names start with a letter or `_`: put one before the digit",
                ],
            ),
            (
                "val n < 3",
                &[
                    "1:5 expected `(` after `val`, found `n` | expected `(` after `val` | a condition on data is written `val(n < 3)`",
                ],
            ),
            (
                "val(1 < )",
                &[
                    "1:9 expected a data expression, found `)` | expected a data expression | write a value such as `3`, `true` or `d1`, or a variable",
                ],
            ),
            ("val(1, 2)", &["1:4 `val` needs one data expression, found 2 | expected one"]),
            (
                "[a(1]true",
                &[
                    "1:5 expected an operator, `,` or `)`, found `]` | in a data expression | 1:3 opened here | close it with `)`",
                ],
            ),
            (
                "mu X(n: Nat). X(n)",
                &[
                    "1:12 expected `=` and a value, found `)` | expected `=` and a value | a parameter has an initial value: `n: Nat = 0`",
                ],
            ),
            (
                "mu X(n: Nat = 0). X",
                &["1:19 `X` needs 1 value, found 0 | expected 1 value | 1:4 bound here"],
            ),
            (
                "nu X. X(1)",
                &["1:7 `X` needs 0 values, found 1 | expected 0 values | 1:4 bound here"],
            ),
            (
                "send(1)",
                &[
                    "1:1 `send` is no variable of a fixpoint | only these have arguments here | actions stand in modalities: `<send(…)> true`, `[send(…)] false`",
                ],
            ),
            (
                "sort D = struct d1 | d2; true",
                &[
                    "1:26 expected a name, found `true` | expected a name | write for example `n: Nat`",
                ],
            ),
            (
                "map f: Nat; form true;",
                &[
                    "1:1 `map` is not supported in mcf | functions that equations define | of data specifications, `sort`, `cons` and `act` are read; write the value in place of the function",
                ],
            ),
            (
                "delay",
                &[
                    "1:1 `delay` is not supported in mcf | an operator of time | modal formulas are checked that have neither time nor real values",
                ],
            ),
            (
                "yaled",
                &[
                    "1:1 `yaled` is not supported in mcf | an operator of time | modal formulas are checked that have neither time nor real values",
                ],
            ),
            (
                "delay@2",
                &[
                    "1:1 `delay` is not supported in mcf | an operator of time | modal formulas are checked that have neither time nor real values",
                ],
            ),
            (
                "<a@3>true",
                &[
                    "1:3 `@` is not supported in mcf | a time stamp | modal formulas are checked that have neither time nor real values",
                ],
            ),
            (
                "inf n: Nat. true",
                &[
                    "1:1 `inf` is not supported in mcf | a quantitative operator | modal formulas are checked that have neither time nor real values",
                ],
            ),
            (
                "[]true",
                &[
                    "1:2 expected an action, found `]` | expected an action | any single step is written `[true] f` or `<true> f`",
                ],
            ),
            (
                "<>true",
                &[
                    "1:2 expected an action, found `>` | expected an action | any single step is written `[true] f` or `<true> f`",
                ],
            ),
            (
                "[a",
                &[
                    "1:3 expected `.`, `+`, `*`, `&&`, `||` or `]`, found the end of the formula | expected `.`, `+`, `*`, `&&`, `||` or `]` | 1:1 opened here | close the modality with `]`",
                ],
            ),
            (
                "[a.]true",
                &[
                    "1:4 expected an action, found `]` | expected an action | any single step is written `[true] f` or `<true> f`",
                ],
            ),
            (
                "[.a]true",
                &[
                    "1:2 expected an action, found `.` | expected an action | within `< >` and `[ ]` stand actions: `<a> f`, `[a|b] f`, `[!a] f`, `<true> f`",
                ],
            ),
            (
                "[(a.b)|c]true",
                &[
                    r#"1:7 expected `.`, `+`, `*`, `&&`, `||` or `]`, found `|` | expected `.`, `+`, `*`, `&&`, `||` or `]` | 1:1 opened here | `|` makes a multi-action out of plain actions; "or" is `||` here"#,
                ],
            ),
            (
                "[!(a.b)]true",
                &[
                    "1:3 a regular formula where an action formula is expected | this may take several steps or none | `!`, `&&` and `||` apply to one action; alternatives of sequences are written with `+`",
                ],
            ),
            (
                "[(a.b)&&c]true",
                &[
                    "1:2 a regular formula where an action formula is expected | this may take several steps or none | `!`, `&&` and `||` apply to one action; alternatives of sequences are written with `+`",
                ],
            ),
            (
                "[a.b]c.d",
                &[
                    "1:7 expected an operator or the end, found `.` | expected an operator or the end | formulas are joined by `&`, `|`, `->` and `<->`",
                ],
            ),
            (
                "true;",
                &[
                    "1:5 expected an operator or the end, found `;` | expected an operator or the end | formulas are joined by `&`, `|`, `->` and `<->`",
                ],
            ),
        ],
    );
}
