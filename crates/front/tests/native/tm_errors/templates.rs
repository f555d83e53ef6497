//! Mistakes with parameters, copies, indices and data.

use super::assert_complaints;

#[test]
fn mistakes_with_parameters() {
    assert_complaints(&[
        (
            "component C(i : 0..2) lts { init s; s: -a[i]-> s; }
system i in 0..2: C(i);",
            &[
                "1:13 expected a name and `in`, found `i` | expected a name and `in` | a name is bound by `i in 0..4`",
            ],
        ),
        (
            "component C(i in 0..2) lts { init s; s: -a[i]-> s; }
system C;",
            &[
                "2:8 the component `C` has 1 parameter, and 0 given | its parameters are i | 1:11 declared here | give each a value: `C(i)`, or all: `i in 0..3: C(i)`",
            ],
        ),
        (
            "component C(i in 0..2) lts { init s; s: -a[i]-> s; }
system C(3);",
            &[
                "2:10 `3` is no value of `i` | the values are 0..2 | 1:18 declared here | write a value that the parameter has, or enlarge its range",
            ],
        ),
        (
            "component C(i in 0..2) lts { init s; s: -a[i]-> s; }",
            &[
                "1:11 the component `C` has parameters and no `system` | which copies of it run? | add for example `system || i in 0..3: C(i);`",
            ],
        ),
        (
            "component C(i in 0..2) lts { init s; s: -a[i]-> s; }
system i in 0..2 C(i);",
            &[
                "2:18 expected `:` after the values, found `C` | expected `:` after the values | write `i in 0..4: Phil(i)`",
            ],
        ),
        (
            "component C(i in 2) lts { init s; s: -a[i]-> s; }
system C(0);",
            &[
                "1:19 expected `..` and the largest value, found `)` | expected `..` and the largest value | values are written `0..3`, `bool` or `{a, b}`",
            ],
        ),
        (
            "component C lts { init s; s: -a-> s; }
system C(0);",
            &[
                "2:8 the component `C` has no parameters | arguments follow it | 1:11 declared here | declare them: `component C(i in 0..3) …`",
            ],
        ),
        (
            "component C(i in 0..2, i in 0..1) lts { init s; s: -a[i]-> s; }
system C(0, 1);",
            &["1:29 two parameters are called `i` | the values of the second | rename one of them"],
        ),
        (
            "component C(i in 0..2) lts { init s; s: -a[i]-> s; }
system C(0) || C(0);",
            &[
                "2:16 the component `C.0` stands in the system twice | again as part 2 | 2:8 here first | a second copy needs a name of its own: `C.0 as C.0.2`",
            ],
        ),
    ]);
}

#[test]
fn mistakes_with_constants() {
    assert_complaints(&[
        (
            "const N := 3;
component C lts { init s; s: -a-> s; }",
            &[
                "1:9 expected `=` and the value, found `:` | expected `=` and the value | a constant is written `const N = 4;`",
            ],
        ),
        (
            "const N = M;
const M = 2;
component C lts { init s; s: -a-> s; }",
            &[
                "1:11 unknown name `M` in a term | no variable, parameter or constant | declare it: `var x : 0..3 := 0;` in the component, `const N = 4;` before it",
            ],
        ),
        (
            "const N = 3;
const N = 4;
component C lts { init s; s: -a-> s; }",
            &[
                "2:7 the constant `N` is declared twice | declared again here | take one of them out, or rename it",
            ],
        ),
        (
            "const N = 9223372036854775807 + 1;
component C lts { init s; s: -a-> s; }",
            &["1:11 a number that is too large | beyond 64 bits"],
        ),
        (
            "const N;
component C lts { init s; s: -a-> s; }",
            &[
                "1:8 expected `=` and the value, found `;` | expected `=` and the value | a constant is written `const N = 4;`",
            ],
        ),
    ]);
}

#[test]
fn mistakes_with_indices() {
    assert_complaints(&[
        (
            "component C lts { init s; s: -a[j]-> s; }",
            &[
                "1:33 unknown name `j` in a term | no variable, parameter or constant | declare it: `var x : 0..3 := 0;` in the component, `const N = 4;` before it",
            ],
        ),
        (
            "component C(i in 0..2) lts { init s; s: -a[i-1]-> s; }
system i in 0..2: C(i);",
            &[
                "1:44 the index is -1 for i = 0 | an index is at least 0 | `%` gives no negative numbers: `(i - 1) % 4` is 3 for i = 0",
            ],
        ),
        (
            "component C lts { init s; s: -a[1-> s; }",
            &[
                "1:34 expected an operator or `]`, found `->` | expected an operator or `]` | 1:32 opened here | close the index with `]`",
            ],
        ),
        (
            "component C lts { actions a[n in 2..0]; init s; s: -a[1]-> s; }",
            &["1:34 the range 2..0 is empty | no value is in it | write the smaller number first"],
        ),
        (
            "component C(i in 0..1) lts { init s; s: -a[i]-> s; }
system i in 0..1: C(i) sync { C(n):a[n in 0..1] -> a; };",
            &[
                "2:33 unknown name `n` in a term | no variable, parameter or constant | declare it: `var x : 0..3 := 0;` in the component, `const N = 4;` before it",
            ],
        ),
        (
            "component C lts { actions a[n in 0..1]; init s; s: -a[2]-> s; }",
            &["1:53 unknown action `a.2` | `C` does not declare it | did you mean `a.0`?"],
        ),
        (
            "component C lts { init s; s: -a-> t[0]; t[n in 1..2]: ; }",
            &["1:35 unknown state `t.0` | `C` has no state of this name | did you mean `t.1`?"],
        ),
    ]);
}

#[test]
fn mistakes_with_data() {
    assert_complaints(&[
        (
            "component C lts { var x : 0..3 := 0; init s; s: when x -a-> s; }",
            &[
                "1:54 a condition is expected here | this is a number | compare it: `x = 1`, `x < 3`",
            ],
        ),
        (
            "component C lts { var x : 0..3 := 0; init s; s: -a-> s do x := x + 1; }",
            &[
                "1:64 `x` would be 4 for x = 3 | its values are 0..3 | put a condition before the arrow, or enlarge the range",
            ],
        ),
        (
            "component C lts { var x : 0..3 := 0; init s; s: -a-> s do x = 1; }",
            &[
                "1:61 expected `:=` and the new value, found `=` | expected `:=` and the new value | write `do x := x + 1`, or `do x := any`",
            ],
        ),
        (
            "component C lts { var x := 0; init s; s: -a-> s; }",
            &[
                "1:25 expected `:` and the values, found `:` | expected `:` and the values | variables are declared by `var x : 0..3 := 0;`",
            ],
        ),
        (
            "component C lts { var x : 0..3 := 0; init s; s: -a-> s do y := 1; }",
            &[
                "1:59 `y` is no variable of the component | only variables change | declare it: `var y : 0..3 := 0;`",
            ],
        ),
        (
            "component C lts { var x : 0..3 := 0; init s; s: -a-> s when x = 1; }",
            &[
                "1:66 expected an operator or an arrow, found `;` | expected an operator or an arrow | a condition stands before its arrow: `when x < 3 -> t do x := x + 1`",
            ],
        ),
        (
            "component C lts { var x : 0..3 := 0; init s; s: when 0 < x < 3 -a-> s; }",
            &[
                "1:60 expected one comparison, found `<` | expected one comparison | compare two at a time: `0 < x & x < 3`",
            ],
        ),
        (
            "component C lts { var x : 0..3 := 4; init s; s: -a-> s; }",
            &[
                "1:35 `x` would be 4 | its values are 0..3 | give it one of these values, or enlarge the range",
            ],
        ),
        (
            "component C lts { var x : {on, off} := on; init s; s: when x = 1 -a-> s; }",
            &[
                "1:64 two sides that are never equal | this is a number | 1:60 this is a word | a variable of `0..3` is compared with numbers, one of `{a, b}` with these",
            ],
        ),
        (
            "component C lts { var x : 0..3 := 0; init s; s: -a-> s do x := 1, x := 2; }",
            &[
                "1:67 `x` is assigned twice | again here | all updates of an arrow happen at once: take one of them out",
            ],
        ),
        (
            "component C lts { var x : -1..3 := 0; init s; s: -a-> s; }",
            &[
                "1:27 a range that begins at -1 | values are at least 0 | values stand in names, such as `s.3`: add a number to all of them",
            ],
        ),
        (
            "component C lts { var x : 0..99999999 := 0; init s; s: -a-> s; }",
            &["1:27 the range 0..99999999 has more than 65536 values | too many | make it smaller"],
        ),
        (
            "component C lts { var x, y, z : 0..999; init s; s: -a-> s; }",
            &[
                "1:41 too many valuations of the variables | they would be listed here | make the ranges smaller, or give variables a value",
            ],
        ),
        (
            "component C lts { var x : 0..1 := 0; init s; s: -a-> t; }",
            &[
                "1:54 unknown state `t` | the component has no state of this name | each state needs a line of its own, even without arrows: `s: ;`",
            ],
        ),
        (
            "component C unknown { var x : 0..1 := 0; actions a; }",
            &[
                "1:27 a variable in an unknown component | declared here | 1:13 its states are not specified | take it out, or declare the component as `kmts` or `mts`",
            ],
        ),
    ]);
}

#[test]
fn mistakes_with_copies() {
    assert_complaints(&[
        (
            "component C lts { init s; s: -a-> s; }
system C || C;",
            &[
                "2:13 the component `C` stands in the system twice | again as part 2 | 2:8 here first | a second copy needs a name of its own: `C as C.2`",
            ],
        ),
        (
            "component C lts { init s; s: -a-> s; }
system C || C as C;",
            &[
                "2:18 the component `C` is declared twice | declared again here | 1:11 declared first here | take one of them out, or rename it",
            ],
        ),
        (
            "component C lts { init s; s: -a-> s; }
system C || C as D [b -> c];",
            &[
                "2:21 `C` has no `b` to rename | neither an action nor a proposition of it | write `A as B [old -> new]`: the name in the component stands first",
            ],
        ),
        (
            "component C lts { init s; s: -a-> s; }
system C || C as D [a => b];",
            &[
                "2:23 expected `->` and the new name, found `=>` | expected `->` and the new name | a copy with other names is written `A as B [send -> give, recv -> take]`",
            ],
        ),
        (
            "component C lts { init s; s: -a-> s; }
system C || C as D [a -> b, a -> c];",
            &["2:29 `a` is renamed twice | again here | take one of the two out"],
        ),
        (
            "component C lts { init s; s: -a-> s; }
system C || D as C;",
            &[
                "2:18 the component `C` stands in the system twice | again as part 2 | 2:8 here first | a second copy needs a name of its own: `C as C.2`",
            ],
        ),
        (
            "component C from \"ok.aut\";
system C || C as D [a -> b];",
            &[
                "2:21 a copy of `C` with other names | renamed here | 1:11 this is read from another file | only components that are written in this file can be renamed",
            ],
        ),
    ]);
}

#[test]
fn mistakes_with_formulas() {
    assert_complaints(&[
        (
            "component C lts { init s; s: -a[n in 0..1]-> s; }
property p: mcf <a[i]> true;",
            &[
                "2:20 unknown name `i` in a term | no variable, parameter or constant | declare it: `var x : 0..3 := 0;` in the component, `const N = 4;` before it",
            ],
        ),
        (
            "component C lts { init s; s: -a[n in 0..1]-> s; }
property p(i in 0..1): mcf <a[i-1]> true;",
            &[
                "2:31 the index is -1 for i = 0 | an index is at least 0 | `%` gives no negative numbers: `(i - 1) % 4` is 3 for i = 0",
            ],
        ),
        (
            "component C lts { init s; s: -a[n in 9..10]-> s; }
property p(i in 9..10): mcf <a[i]> true;",
            &[
                "2:31 `[10]` is longer than the index that stands for it | the formula is shown with values in their places | make room by spaces: `[ i ]`",
            ],
        ),
        (
            "component C lts { init s; s: -a[n in 0..1]-> s; }
property p(i): mcf <a[i]> true;",
            &[
                "2:12 expected a name and `in`, found `i` | expected a name and `in` | a name is bound by `i in 0..4`",
            ],
        ),
        (
            "component C lts { init s; s: -a[n in 0..1]-> s; }
property p: mcf <a[n in 0..1]> true;",
            &[
                "2:22 expected an operator or `]`, found `in` | expected an operator or `]` | 2:19 opened here | close the index with `]`",
            ],
        ),
    ]);
}
